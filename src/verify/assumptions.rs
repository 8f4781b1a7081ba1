//! What the text leaves open, and how a paytable fills it, in words.

use crate::document::Assumption;
use crate::paytable::{BoostLaw, ByCharacter, Convention, Payout, Paytable, StartLaw, ZeroMeter};
use crate::rules::{Clause, Trigger};

/// Every open point of 58 Pa. Code 693.6 with the choice of this paytable, in the order
/// of the text. Each figure of a report depends on these.
#[must_use]
pub fn assumptions(paytable: &Paytable) -> Vec<Assumption> {
    let mut list = Vec::new();
    list.extend(triggers(paytable));
    list.push(assumption("boost", Clause::F2I, boost(&paytable.boost)));
    list.extend(potions(paytable));
    list.extend(caps(paytable));
    list.push(assumption(
        "payout",
        Clause::G,
        payout(paytable.payout).to_owned(),
    ));
    list
}

fn assumption(key: &str, clause: Clause, reading: String) -> Assumption {
    Assumption {
        key: key.to_owned(),
        clause: clause.to_string(),
        reading,
    }
}

/// The main wheel behind each trigger, and the starting multipliers.
fn triggers(paytable: &Paytable) -> Vec<Assumption> {
    let mut list = Vec::new();
    for terms in &paytable.triggers {
        let clause = match terms.trigger {
            Trigger::Two => Clause::D1,
            Trigger::Five => Clause::D2,
        };
        list.push(assumption(
            &format!("triggers.{}.main_wheel", terms.trigger),
            clause,
            format!(
                "the main wheel shows {} Wonderspins with probability {} of {} (its layout, 58 Pa. Code 693.1, is \
                 not among the sources); other outcomes return {} a unit wagered",
                terms.trigger, terms.main_wheel_sections, terms.main_wheel_of, terms.other_return
            ),
        ));
    }
    list.push(assumption(
        "starting_multipliers",
        Clause::E,
        start_law(&paytable.starting_multipliers),
    ));
    for terms in &paytable.triggers {
        if let Some(law) = &terms.starting_multipliers {
            let key = format!("triggers.{}.starting_multipliers", terms.trigger);
            list.push(assumption(&key, Clause::E, start_law(law)));
        }
    }
    list
}

fn boost(law: &BoostLaw) -> String {
    match law {
        BoostLaw::Uniform => {
            "an inner multiplier selects each character with the same probability".to_owned()
        }
        BoostLaw::OuterSections => {
            "an inner multiplier selects a character in proportion to its outer sections".to_owned()
        }
        BoostLaw::Weights(weights) => format!(
            "an inner multiplier selects a character by the weights {}",
            by_character(weights)
        ),
    }
}

fn potions(paytable: &Paytable) -> [Assumption; 2] {
    let rules = &paytable.rules;
    [
        (
            "rules.eat_me.consumes_spin",
            Clause::F4III,
            "Eat Me",
            rules.eat_me,
        ),
        (
            "rules.drink_me.consumes_spin",
            Clause::F4IV,
            "Drink Me",
            rules.drink_me,
        ),
    ]
    .map(|(key, clause, name, potion)| {
        let used = if potion.consumes_spin {
            "also uses itself up"
        } else {
            "does not use itself up (literal reading)"
        };
        let change = potion.counter_change();
        assumption(
            key,
            clause,
            format!("a spin that shows {name} {used}: the counter changes by {change:+}"),
        )
    })
}

fn caps(paytable: &Paytable) -> Vec<Assumption> {
    let mut list = Vec::new();
    if let Some(cap) = paytable.rules.max_meter {
        let reading = format!("the payout of a round is capped at {cap}; the text has no cap");
        list.push(assumption("rules.max_meter", Clause::G, reading));
    }
    if let Some(limit) = paytable.rules.max_spins {
        let reading = format!("a round ends after {limit} spins; the text has no such limit");
        list.push(assumption("rules.max_spins", Clause::F5, reading));
    }
    if let Some(limits) = &paytable.limits {
        let reading = format!(
            "a win is limited to {}; the text has no cap",
            limits.max_win
        );
        list.push(assumption("limits.max_win", Clause::G, reading));
    }
    list
}

fn payout(payout: Payout) -> &'static str {
    match (payout.convention, payout.zero_meter) {
        (Convention::ToOne, ZeroMeter::ReturnsWager) => {
            "paid meter to 1, the wager comes back with the win; a zero meter pays 0 to 1, so the wager comes back"
        }
        (Convention::ToOne, ZeroMeter::LosesWager) => {
            "paid meter to 1, the wager comes back with the win; a zero meter loses the wager"
        }
        (Convention::ForOne, ZeroMeter::ReturnsWager) => {
            "paid meter for 1, the win includes the wager; a zero meter returns the wager"
        }
        (Convention::ForOne, ZeroMeter::LosesWager) => {
            "paid meter for 1, the win includes the wager; a zero meter loses the wager"
        }
    }
}

fn start_law(law: &StartLaw) -> String {
    match law {
        StartLaw::Permutation { values } => {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!(
                "starting multipliers are {} in random order (the text gives no values)",
                values.join(", ")
            )
        }
        StartLaw::Fixed { values } => {
            format!(
                "starting multipliers are fixed: {} (the text gives no values)",
                by_character(values)
            )
        }
        StartLaw::Independent { values, weights } => {
            let choices: Vec<String> = values
                .iter()
                .zip(weights)
                .map(|(value, weight)| format!("{value} (weight {weight})"))
                .collect();
            format!(
                "each character draws its start alone from {} (the text gives no values)",
                choices.join(", ")
            )
        }
        StartLaw::Table { rows } => {
            format!(
                "starting multipliers are drawn from a table of {} rows (the text gives no values)",
                rows.len()
            )
        }
    }
}

fn by_character<T: std::fmt::Display>(values: &ByCharacter<T>) -> String {
    let entries: Vec<String> = values
        .iter()
        .map(|(character, value)| format!("{character} {value}"))
        .collect();
    entries.join(", ")
}
