//! The rules as sentences for players, each from the keys that it names.

use dashu_ratio::RBig;

use super::{CardSentence, rounding};
use crate::exact::{LargestMeter, Returns};
use crate::paytable::{
    ByCharacter, Convention, Paytable, Potion, StartLaw, TriggerTerms, ZeroMeter,
};
use crate::rules::{Character, InnerSection, OuterSection};

fn sentence(key: impl Into<String>, text: impl Into<String>) -> CardSentence {
    CardSentence {
        key: key.into(),
        text: text.into(),
    }
}

/// `1 spin`, `3 spins`.
fn spins(count: u32) -> String {
    match count {
        1 => "1 spin".to_owned(),
        _ => format!("{count} spins"),
    }
}

/// A list as one reads it: `a`, `a and b`, `a, b and c`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A character's name with a capital.
fn named(character: Character) -> String {
    let name = character.name();
    let (first, rest) = name.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

fn by_character<T: ToString>(values: &ByCharacter<T>) -> String {
    let items: Vec<String> = values
        .iter()
        .map(|(&character, value)| format!("{} {}", named(character), value.to_string()))
        .collect();
    listed(&items)
}

/// The rules in the order of play.
pub(super) fn rules(paytable: &Paytable) -> Vec<CardSentence> {
    let rules = &paytable.rules;
    let mut list = Vec::new();
    for terms in &paytable.triggers {
        list.push(sentence(
            format!("triggers.{}", terms.trigger),
            format!(
                "When the main wheel stops on {} Wonderspins, the bonus begins with {} on the counter.",
                terms.trigger,
                spins(terms.spins)
            ),
        ));
    }
    list.extend(starts(paytable));
    list.push(inner(paytable));
    let shows = |section| paytable.outer_wheel.sections.contains(&section);
    list.push(sentence(
        "outer_wheel",
        "Then the outer wheel spins. A character adds its multiplier to the meter and uses the spin up.",
    ));
    if shows(OuterSection::NoWin) {
        list.push(sentence(
            "outer_wheel",
            "No Win adds nothing and uses the spin up.",
        ));
    }
    for (section, key, name, potion) in [
        (OuterSection::EatMe, "rules.eat_me", "Eat Me", rules.eat_me),
        (
            OuterSection::DrinkMe,
            "rules.drink_me",
            "Drink Me",
            rules.drink_me,
        ),
    ] {
        if shows(section) {
            list.push(sentence(
                key,
                potion_text(name, potion, rules.multiplier_floor),
            ));
        }
    }
    list.push(end(rules.max_spins));
    list
}

fn end(limit: Option<u32>) -> CardSentence {
    match limit {
        None => sentence(
            "rules",
            "The round ends when no spin is left on the counter.",
        ),
        Some(limit) => sentence(
            "rules.max_spins",
            format!(
                "The round ends when no spin is left on the counter, and at the latest after {}.",
                spins(limit)
            ),
        ),
    }
}

fn starts(paytable: &Paytable) -> Vec<CardSentence> {
    let own: Vec<&TriggerTerms> = paytable
        .triggers
        .iter()
        .filter(|terms| terms.starting_multipliers.is_some())
        .collect();
    let mut list = Vec::new();
    if own.len() < paytable.triggers.len() {
        list.push(sentence(
            "starting_multipliers",
            start_text(&paytable.starting_multipliers),
        ));
    }
    for terms in own {
        let law = paytable.start_law(terms.trigger);
        list.push(sentence(
            format!("triggers.{}.starting_multipliers", terms.trigger),
            format!("In {} Wonderspins: {}", terms.trigger, start_text(law)),
        ));
    }
    list
}

fn start_text(law: &StartLaw) -> String {
    /// Rows of a table that a page still has room for.
    const ROWS: usize = 6;
    match law {
        StartLaw::Permutation { values } => {
            if values.windows(2).all(|pair| pair[0] == pair[1]) {
                return match values.first() {
                    Some(value) => format!("Every character starts with a multiplier of {value}."),
                    None => String::new(),
                };
            }
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!(
                "The characters' starting multipliers are {}, dealt in random order.",
                listed(&values)
            )
        }
        StartLaw::Fixed { values } => {
            let mut all = values.values();
            let first = all.next();
            match first {
                Some(value) if values.values().all(|other| other == value) => {
                    format!("Every character starts with a multiplier of {value}.")
                }
                _ => format!("The starting multipliers are {}.", by_character(values)),
            }
        }
        StartLaw::Independent { values, weights } => {
            let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
            let items: Vec<String> = values
                .iter()
                .zip(weights)
                .map(|(value, weight)| format!("{value} ({weight} in {total})"))
                .collect();
            format!(
                "Each character draws its own starting multiplier at random: {}.",
                listed(&items)
            )
        }
        StartLaw::Table { rows } if rows.len() <= ROWS => {
            let total: u128 = rows.iter().map(|row| u128::from(row.weight)).sum();
            let items: Vec<String> = rows
                .iter()
                .map(|row| format!("{} ({} in {total})", by_character(&row.values), row.weight))
                .collect();
            format!(
                "The starting multipliers are drawn at random, all together: {}.",
                items.join("; or ")
            )
        }
        StartLaw::Table { rows } => format!(
            "The starting multipliers of all characters are drawn at random from {} lists, which \
             the paytable file gives.",
            rows.len()
        ),
    }
}

fn inner(paytable: &Paytable) -> CardSentence {
    let sections = &paytable.inner_wheel.sections;
    let has_number = sections
        .iter()
        .any(|section| matches!(section, InnerSection::Multiplier(_)));
    let has_spin = sections.contains(&InnerSection::AdditionalSpin);
    let mut text = "Each spin begins with the inner wheel.".to_owned();
    if has_number {
        text.push_str(&format!(
            " A number is added to the multiplier of {}.",
            selected(paytable)
        ));
    }
    if has_spin {
        text.push_str(&match paytable.rules.additional_spin {
            0 => " An additional spin changes nothing.".to_owned(),
            count => format!(
                " An additional spin puts {} more on the counter.",
                spins(count)
            ),
        });
    }
    sentence("inner_wheel", text)
}

/// Who gets an inner multiplier.
fn selected(paytable: &Paytable) -> String {
    if let [only] = paytable.characters() {
        return format!("the {}", named(*only));
    }
    let weights = paytable.boost_weights();
    if weights.windows(2).all(|pair| pair[0] == pair[1]) {
        return "one character, each equally likely to be chosen".to_owned();
    }
    let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let items: Vec<String> = paytable
        .characters()
        .iter()
        .zip(&weights)
        .map(|(&character, weight)| format!("{} {weight}", named(character)))
        .collect();
    format!(
        "one character, chosen at random with these chances in {total}: {}",
        listed(&items)
    )
}

fn potion_text(name: &str, potion: Potion, floor: u32) -> String {
    let multipliers = match potion.multipliers {
        0 => None,
        up @ 1.. => Some(format!("adds {up} to every multiplier")),
        down => Some(format!(
            "takes {} off every multiplier (none goes below {floor})",
            down.unsigned_abs()
        )),
    };
    let added = match potion.spins {
        0 => None,
        count => Some(format!("puts {} more on the counter", spins(count))),
    };
    let used = if potion.consumes_spin {
        "uses the spin up"
    } else {
        "does not use the spin up"
    };
    let parts: Vec<String> = multipliers
        .into_iter()
        .chain(added)
        .chain([used.to_owned()])
        .collect();
    format!("{name} {}.", listed(&parts))
}

/// What the meter pays.
pub(super) fn pays(paytable: &Paytable) -> Vec<CardSentence> {
    let payout = paytable.payout;
    let mut list = vec![sentence(
        "payout.convention",
        match payout.convention {
            Convention::ToOne => {
                "The meter starts at 0 and is paid at the end as odds to 1: a meter of 25 wins 25 for \
                 each 1 wagered, and the wager comes back."
            }
            Convention::ForOne => {
                "The meter starts at 0 and is paid at the end as odds for 1: a meter of 25 pays 25 for \
                 each 1 wagered, the wager included."
            }
        },
    )];
    list.push(sentence(
        "payout.zero_meter",
        match payout.zero_meter {
            ZeroMeter::ReturnsWager => "A meter of 0 wins nothing, and the wager comes back.",
            ZeroMeter::LosesWager => "A meter of 0 loses the wager.",
        },
    ));
    if let Some(cap) = paytable.rules.max_meter {
        list.push(sentence(
            "rules.max_meter",
            format!("No round pays more than {cap} {}.", to_one(paytable)),
        ));
    }
    if let Some(limits) = &paytable.limits {
        list.push(sentence(
            "limits.max_win",
            format!(
                "No win is larger than {} in money; the figures below are without this limit.",
                limits.max_win
            ),
        ));
    }
    for (name, wheel, is_fair) in [
        (
            "inner",
            "inner_wheel.weights",
            paytable.inner_wheel.is_fair(),
        ),
        (
            "outer",
            "outer_wheel.weights",
            paytable.outer_wheel.is_fair(),
        ),
    ] {
        if !is_fair {
            list.push(sentence(
                wheel,
                format!(
                    "The sections of the {name} wheel are not all equally likely: the chances are those of the table."
                ),
            ));
        }
    }
    list
}

/// How odds are quoted.
pub(super) fn to_one(paytable: &Paytable) -> &'static str {
    match paytable.payout.convention {
        Convention::ToOne => "to 1",
        Convention::ForOne => "for 1",
    }
}

pub(super) fn largest(paytable: &Paytable, largest: LargestMeter) -> String {
    match largest {
        LargestMeter::Unbounded => "no upper limit".to_owned(),
        LargestMeter::Finite(most) => format!("{most} {}", to_one(paytable)),
        LargestMeter::NotComputed => match paytable.rules.max_meter {
            Some(cap) => format!("not above {cap} {}", to_one(paytable)),
            None => "limited by the number of spins; not computed".to_owned(),
        },
    }
}

/// The return of the bet and what it contains.
pub(super) fn rtp(returns: &Returns, terms: &TriggerTerms) -> String {
    let rtp = rounding::percent_down(returns.rtp.lower());
    if terms.other_return == RBig::ZERO {
        format!("{rtp}, all of it from this bonus")
    } else {
        let other = rounding::percent_down(terms.other_return.to_f64().value());
        format!("{rtp}, of which {other} from other results of the main wheel")
    }
}

/// What the author of the file chose, where the source leaves it open.
pub(super) fn chosen(paytable: &Paytable) -> Vec<CardSentence> {
    let mut list = Vec::new();
    if paytable.cites_693_6() {
        list.push(sentence(
            "starting_multipliers",
            "The regulation publishes neither the starting multipliers nor how the boosted \
             character is chosen; those used here are the file's.",
        ));
        list.push(sentence(
            "triggers",
            "How often the main wheel starts the bonus is the file's assumption too.",
        ));
    }
    let notes = paytable.notes.trim();
    if !notes.is_empty() {
        list.push(sentence("notes", notes));
    }
    list
}
