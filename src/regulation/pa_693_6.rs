//! 58 Pa. Code 693.6, one rule for each leaf clause.
//!
//! The orders, counts and numbers below are written from the text. Clauses of the model
//! (what a spin does) hold for every paytable; their evidence says which reading of an open
//! point the paytable takes. The chapeau of (b), "12 equal sections", is judged with (b)(1)
//! for the equality and with (b)(3) for the number; that of (c), "54 sections", with (c)(5).

mod wheels;

use crate::paytable::{
    BoostLaw, ByCharacter, Convention, Paytable, Potion, StartLaw, TriggerTerms, ZeroMeter,
};
use crate::rules::{Clause, OuterSection, PA_693_6, Trigger};

use super::ClauseVerdict::{Fail, Inconclusive, Pass};
use super::{ClauseFinding, Judgement};
use wheels::{a, b_1, b_2, b_3, c_1, c_5, c_6, count_of};

/// A clause and the rule that judges it.
type Rule = (Clause, fn(&Paytable) -> Judgement);

/// The rules in the order of the text.
const RULES: [Rule; PA_693_6.len()] = [
    (Clause::A, a),
    (Clause::B1, b_1),
    (Clause::B2, b_2),
    (Clause::B3, b_3),
    (Clause::C1, c_1),
    (Clause::C2, |paytable| {
        count_of(paytable, OuterSection::NoWin, 3)
    }),
    (Clause::C3, |paytable| {
        count_of(paytable, OuterSection::DrinkMe, 3)
    }),
    (Clause::C4, |paytable| {
        count_of(paytable, OuterSection::EatMe, 2)
    }),
    (Clause::C5, c_5),
    (Clause::C6, c_6),
    (Clause::D1, |paytable| d(paytable, Trigger::Two)),
    (Clause::D2, |paytable| d(paytable, Trigger::Five)),
    (Clause::E, e),
    (Clause::F1, f_1),
    (Clause::F2I, f_2_i),
    (Clause::F2II, f_2_ii),
    (Clause::F3I, f_3_i),
    (Clause::F3II, f_3_ii),
    (Clause::F4I, f_4_i),
    (Clause::F4II, f_4_ii),
    (Clause::F4III, f_4_iii),
    (Clause::F4IV, f_4_iv),
    (Clause::F5, f_5),
    (Clause::G, g),
];

/// One finding for each leaf clause, in the order of the text.
pub(super) fn judge(paytable: &Paytable) -> Vec<ClauseFinding> {
    let cites = paytable.cites_693_6();
    RULES
        .iter()
        .map(|&(clause, rule)| {
            let judgement = if cites {
                rule(paytable)
            } else {
                Judgement::not_applicable("the paytable's source does not cite 693.6")
            };
            judgement.about(clause)
        })
        .collect()
}

fn d(paytable: &Paytable, trigger: Trigger) -> Judgement {
    let least = trigger.number();
    let Some(terms) = paytable.terms(trigger) else {
        // The clause binds the game as soon as its main wheel can show this outcome, and the
        // file does not say that it cannot; what was not examined must not look inapplicable.
        return Judgement::computed(
            Inconclusive,
            format!("the paytable has no trigger {trigger}, so nothing of it was examined"),
        )
        .asking(format!(
            "add `[triggers.{trigger}]`, or show that the main wheel has no such outcome"
        ));
    };
    let mut faults = Vec::new();
    if terms.spins < least {
        faults.push(format!(
            "a round begins with {} spins, expected at least {least}",
            terms.spins
        ));
    }
    if let Some(limit) = paytable.rules.max_spins.filter(|&limit| limit < least) {
        faults.push(format!(
            "`max_spins` ends a round after {limit} spins, expected at least {least}"
        ));
    }
    Judgement::by_faults(
        &faults,
        format!(
            "a round begins with {} spins of both wheels, and a spin takes at most one from the \
             counter",
            terms.spins
        ),
    )
}

fn e(paytable: &Paytable) -> Judgement {
    let mut faults = Vec::new();
    let mut evidence = Vec::new();
    for TriggerTerms { trigger, .. } in &paytable.triggers {
        match assignment(paytable.start_law(*trigger)) {
            Ok(text) => evidence.push(format!("trigger {trigger}: {text}")),
            Err(text) => faults.push(format!("trigger {trigger}: {text}")),
        }
    }
    evidence.push("the text gives no values".to_owned());
    Judgement::by_faults(&faults, evidence.join("; "))
}

/// Whether a law assigns at random, with the law in words.
fn assignment(law: &StartLaw) -> Result<String, String> {
    const SAME: &str = "so that a random assignment and this one are the same";
    match law {
        StartLaw::Permutation { values } | StartLaw::Independent { values, .. }
            if all_equal(values.iter()) =>
        {
            Ok(format!(
                "all characters start at {}, {SAME}",
                values.first().copied().unwrap_or_default()
            ))
        }
        StartLaw::Permutation { values } => Ok(format!(
            "the values {} in uniformly random order",
            list(values.iter())
        )),
        StartLaw::Independent { values, weights } => Ok(format!(
            "each character draws alone from {} with weights {}",
            list(values.iter()),
            list(weights.iter())
        )),
        StartLaw::Fixed { values } => one_assignment(values, "law `fixed`"),
        StartLaw::Table { rows } => match rows.first() {
            Some(first) if rows.iter().any(|row| row.values != first.values) => {
                Ok(format!("one of {} rows is drawn by weight", rows.len()))
            }
            Some(first) => one_assignment(&first.values, "every row of the table is the same"),
            None => Err("the table has no row".to_owned()),
        },
    }
}

/// A law with a single outcome: random only in the trivial sense that all values are equal.
fn one_assignment(values: &ByCharacter<u32>, law: &str) -> Result<String, String> {
    if all_equal(values.values()) {
        let value = values.values().next().copied().unwrap_or_default();
        return Ok(format!(
            "all characters start at {value}, so that a random assignment and this one are the same"
        ));
    }
    let pairs: Vec<String> = values
        .iter()
        .map(|(character, value)| format!("{character} {value}"))
        .collect();
    Err(format!(
        "the assignment is not random ({law}): always {}",
        pairs.join(", ")
    ))
}

fn all_equal<'a>(mut values: impl Iterator<Item = &'a u32>) -> bool {
    let first = values.next();
    values.all(|value| Some(value) == first)
}

fn list<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

fn f_1(_: &Paytable) -> Judgement {
    Judgement::computed(
        Pass,
        "the model keeps the counter, and `replay` and `play` show it before every spin",
    )
}

fn f_2_i(paytable: &Paytable) -> Judgement {
    let law = match &paytable.boost {
        BoostLaw::Uniform => "every character alike".to_owned(),
        BoostLaw::OuterSections => "in proportion to its outer sections".to_owned(),
        BoostLaw::Weights(weights) => {
            let pairs: Vec<String> = weights
                .iter()
                .map(|(character, weight)| format!("{character} {weight}"))
                .collect();
            format!("by the weights {}", pairs.join(", "))
        }
    };
    Judgement::computed(
        Pass,
        format!(
            "the multiplier is added to one selected character before the outer spin of the same \
             pass; reading: the character is selected {law}, which the text leaves open"
        ),
    )
}

fn f_2_ii(paytable: &Paytable) -> Judgement {
    let spins = paytable.rules.additional_spin;
    let mut faults = Vec::new();
    if spins != 1 {
        faults.push(format!(
            "an additional spin adds {spins} to the counter, expected 1, as 693.6(b)(2) has it"
        ));
    }
    Judgement::by_faults(&faults, "an additional spin adds 1 to the counter")
}

const LOG_CLAUSE: &str = "a rule for spins of the physical wheel, which a paytable does not hold; \
                          `audit` applies it to a log of real spins";

fn f_3_i(_: &Paytable) -> Judgement {
    Judgement::not_applicable(LOG_CLAUSE)
}

fn f_3_ii(_: &Paytable) -> Judgement {
    Judgement::not_applicable(LOG_CLAUSE)
}

fn f_4_i(_: &Paytable) -> Judgement {
    Judgement::computed(
        Pass,
        "the model adds the multiplier of the character shown to the meter and takes one from the \
         counter; no key of a paytable changes that",
    )
}

fn f_4_ii(_: &Paytable) -> Judgement {
    Judgement::computed(
        Pass,
        "the model takes one from the counter and leaves multipliers and meter alone; no key of a \
         paytable changes that",
    )
}

fn f_4_iii(paytable: &Paytable) -> Judgement {
    let potion = paytable.rules.eat_me;
    let faults = potion_faults("Eat Me", potion, 1);
    Judgement::by_faults(
        &faults,
        format!(
            "Eat Me adds 1 spin and 1 to every multiplier; {}",
            reading(potion)
        ),
    )
}

fn f_4_iv(paytable: &Paytable) -> Judgement {
    let potion = paytable.rules.drink_me;
    let mut faults = potion_faults("Drink Me", potion, -1);
    let floor = paytable.rules.multiplier_floor;
    if floor != 1 {
        faults.push(format!(
            "no multiplier falls below {floor}, expected a floor of 1"
        ));
    }
    Judgement::by_faults(
        &faults,
        format!(
            "Drink Me adds 1 spin and takes 1 from every multiplier, none below 1; {}",
            reading(potion)
        ),
    )
}

fn potion_faults(name: &str, potion: Potion, multipliers: i32) -> Vec<String> {
    let mut faults = Vec::new();
    if potion.spins != 1 {
        faults.push(format!(
            "{name} adds {} to the counter, expected 1",
            potion.spins
        ));
    }
    if potion.multipliers != multipliers {
        faults.push(format!(
            "{name} changes every multiplier by {:+}, expected {multipliers:+}",
            potion.multipliers
        ));
    }
    faults
}

fn reading(potion: Potion) -> &'static str {
    if potion.consumes_spin {
        "reading: its own spin is used up (`consumes_spin = true`), which the text leaves open"
    } else {
        "reading: its own spin is not used up (`consumes_spin = false`), as only (f)(4)(i) and (ii) \
         take one from the counter; the text leaves it open"
    }
}

fn f_5(paytable: &Paytable) -> Judgement {
    let drift = paytable.drift();
    if let Some(limit) = paytable.rules.max_spins {
        return Judgement::computed(
            Fail,
            format!(
                "`max_spins` ends a round after {limit} spins even where spins remain on the counter"
            ),
        );
    }
    if drift.is_zero() || drift.sign() == dashu_base::Sign::Positive {
        // A validated paytable cannot get here; the clause does not lean on that.
        return Judgement::computed(
            Fail,
            format!("the counter changes by {drift} in an average spin, so a round may never end"),
        );
    }
    Judgement::computed(
        Pass,
        format!(
            "a round ends at a counter of zero and nowhere else; the counter changes by {drift} in an \
             average spin, so that happens with probability one"
        ),
    )
}

/// A cap is a reading, not a breach: the text has none and does not forbid one, so whether
/// a capped payout is still "equal to the final meter" is for the regulator to say.
fn g(paytable: &Paytable) -> Judgement {
    if paytable.payout.convention == Convention::ForOne {
        return Judgement::computed(Fail, "the meter is paid for 1, expected to 1");
    }
    let zero = match paytable.payout.zero_meter {
        ZeroMeter::ReturnsWager => "a meter of zero returns the wager",
        ZeroMeter::LosesWager => "a meter of zero loses the wager",
    };
    let mut caps = Vec::new();
    if let Some(cap) = paytable.rules.max_meter {
        caps.push(format!("`max_meter` pays at most {cap}"));
    }
    if let Some(limits) = &paytable.limits {
        caps.push(format!(
            "`max_win` pays at most {} in money",
            limits.max_win
        ));
    }
    if caps.is_empty() {
        return Judgement::computed(
            Pass,
            format!(
                "the final meter is paid to 1, without a cap; reading: {zero}, which the text leaves open"
            ),
        );
    }
    Judgement::computed(
        Inconclusive,
        format!(
            "the final meter is paid to 1, but {}; the text has no cap and does not say whether one is allowed; \
             reading: {zero}, which the text leaves open",
            caps.join(" and ")
        ),
    )
    .asking("have the regulator say whether a capped payout is allowed; no key decides it")
}

#[cfg(test)]
mod tests;
