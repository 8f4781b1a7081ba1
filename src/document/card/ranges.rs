//! How far a payout and a multiplier can go, 5319.47(a)(2).

use crate::exact::{Exact, LargestMeter, largest_meter};
use crate::paytable::{Paytable, Potion, StartLaw, TriggerTerms};
use crate::rules::{InnerSection, OuterSection, Trigger};

pub(super) fn largest(paytable: &Paytable, trigger: Trigger) -> LargestMeter {
    largest_meter(paytable, trigger)
}

/// The smallest payout: 0 where a round can end without a hit.
pub(super) fn smallest(paytable: &Paytable, exact: &Exact) -> String {
    if exact.zero_probability.upper() > 0.0 {
        format!("0 {}", super::words::to_one(paytable))
    } else {
        // A hit pays a multiplier, and none is below the floor.
        format!(
            "not below {} {}",
            paytable.rules.multiplier_floor,
            super::words::to_one(paytable)
        )
    }
}

/// The range of a character's multiplier.
pub(super) fn multipliers(paytable: &Paytable, terms: &TriggerTerms) -> String {
    let starts = start_values(paytable.start_law(terms.trigger));
    let least = starts.iter().min().copied().unwrap_or(0);
    let most = starts.iter().max().copied().unwrap_or(0);
    let ways = ways(paytable);
    let lowest = if ways.iter().any(|way| way.potion < 0) {
        paytable.rules.multiplier_floor
    } else {
        least
    };
    let growth = ways.iter().map(|way| way.growth).max().unwrap_or(0).max(0);
    let raises = ways.iter().any(|way| way.counter > 0);
    let grows_for_nothing = ways.iter().any(|way| way.counter >= 0 && way.growth > 0);
    let spins = match paytable.rules.max_spins {
        Some(limit) => i64::from(limit),
        None if growth > 0 && (raises || grows_for_nothing) => {
            return format!("from {lowest}, no upper limit");
        }
        // Only spins that lower the counter can raise a multiplier.
        None => i64::from(terms.spins),
    };
    let highest = i64::from(most) + growth * spins;
    format!("from {lowest}, never above {highest}")
}

/// One way a spin can go, as the counter and the multiplier of the selected character see it.
struct Way {
    counter: i64,
    potion: i64,
    growth: i64,
}

fn ways(paytable: &Paytable) -> Vec<Way> {
    let rules = &paytable.rules;
    let mut ways = Vec::new();
    for &inner in &paytable.inner_wheel.sections {
        let (added, spins) = match inner {
            InnerSection::Multiplier(value) => (i64::from(value), 0),
            InnerSection::AdditionalSpin => (0, i64::from(rules.additional_spin)),
        };
        for &outer in &paytable.outer_wheel.sections {
            let of = |potion: Potion| {
                (
                    i64::from(potion.counter_change()),
                    i64::from(potion.multipliers),
                )
            };
            let (counter, potion) = match outer {
                OuterSection::Character(_) | OuterSection::NoWin => (-1, 0),
                OuterSection::EatMe => of(rules.eat_me),
                OuterSection::DrinkMe => of(rules.drink_me),
            };
            ways.push(Way {
                counter: counter + spins,
                potion,
                growth: added + potion,
            });
        }
    }
    ways
}

fn start_values(law: &StartLaw) -> Vec<u32> {
    match law {
        StartLaw::Permutation { values } | StartLaw::Independent { values, .. } => values.clone(),
        StartLaw::Fixed { values } => values.values().copied().collect(),
        StartLaw::Table { rows } => rows
            .iter()
            .flat_map(|row| row.values.values().copied())
            .collect(),
    }
}
