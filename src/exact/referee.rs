//! A second, slow calculation for tests: every course of a round, written from the text of
//! 693.6 with none of the calculator's algebra.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use crate::paytable::{Paytable, StartLaw};
use crate::rules::{InnerSection, OuterSection, Trigger};

/// Counter, multipliers, meter.
type State = (u32, Vec<u32>, u64);

/// What enumeration finds.
pub(super) struct Found {
    pub(super) mean: RBig,
    pub(super) variance: RBig,
    pub(super) zero: RBig,
    pub(super) mean_spins: RBig,
    /// E[min(meter, cap)] and the variance, where the paytable has a cap.
    pub(super) capped: Option<(RBig, RBig)>,
}

fn starts(paytable: &Paytable, trigger: Trigger) -> BTreeMap<Vec<u32>, RBig> {
    let characters = paytable.characters();
    let mut rows: Vec<(Vec<u32>, u64)> = Vec::new();
    match paytable.start_law(trigger) {
        StartLaw::Permutation { values } => permute(&mut values.clone(), 0, &mut rows),
        StartLaw::Fixed { values } => {
            rows.push((characters.iter().map(|c| values[c]).collect(), 1));
        }
        StartLaw::Independent { values, weights } => {
            rows.push((Vec::new(), 1));
            for _ in characters {
                let mut longer = Vec::new();
                for (row, weight) in &rows {
                    for (value, more) in values.iter().zip(weights) {
                        let mut row = row.clone();
                        row.push(*value);
                        longer.push((row, weight * more));
                    }
                }
                rows = longer;
            }
        }
        StartLaw::Table { rows: table } => {
            for row in table {
                let values = characters.iter().map(|c| row.values[c]).collect();
                rows.push((values, row.weight));
            }
        }
    }
    let total: u64 = rows.iter().map(|(_, weight)| weight).sum();
    let mut law = BTreeMap::new();
    for (row, weight) in rows {
        *law.entry(row).or_insert(RBig::ZERO) += RBig::from(weight) / RBig::from(total);
    }
    law
}

fn permute(values: &mut Vec<u32>, done: usize, rows: &mut Vec<(Vec<u32>, u64)>) {
    if done == values.len() {
        rows.push((values.clone(), 1));
    }
    for index in done..values.len() {
        values.swap(done, index);
        permute(values, done + 1, rows);
        values.swap(done, index);
    }
}

/// All inner results with what they do: (counter, selected character, addition).
fn inner_results(paytable: &Paytable) -> Vec<(RBig, u32, usize, u32)> {
    let total = RBig::from(paytable.inner_wheel.total_weight());
    let boosts = paytable.boost_weights();
    let boost_total = RBig::from(boosts.iter().sum::<u64>());
    let mut results = Vec::new();
    for (section, weight) in paytable.inner_wheel.iter() {
        let p = RBig::from(weight) / &total;
        match section {
            InnerSection::AdditionalSpin => {
                results.push((p, paytable.rules.additional_spin, 0, 0));
            }
            InnerSection::Multiplier(value) => {
                for (character, &boost) in boosts.iter().enumerate() {
                    let p = &p * RBig::from(boost) / &boost_total;
                    results.push((p, 0, character, value));
                }
            }
        }
    }
    results
}

/// The states after one spin.
fn spin(
    paytable: &Paytable,
    inner: &[(RBig, u32, usize, u32)],
    states: &BTreeMap<State, RBig>,
) -> BTreeMap<State, RBig> {
    let total = RBig::from(paytable.outer_wheel.total_weight());
    let mut next = BTreeMap::new();
    for ((counter, multipliers, meter), mass) in states {
        if *counter == 0 {
            let state = (*counter, multipliers.clone(), *meter);
            *next.entry(state).or_insert(RBig::ZERO) += mass;
            continue;
        }
        for (p, extra, selected, add) in inner {
            let mut boosted = multipliers.clone();
            boosted[*selected] += add;
            for (section, weight) in paytable.outer_wheel.iter() {
                let mut after = boosted.clone();
                let (mut left, mut paid) = (counter + extra, *meter);
                match section {
                    OuterSection::Character(character) => {
                        let index = paytable
                            .characters()
                            .iter()
                            .position(|&c| c == character)
                            .expect("a character of the paytable");
                        paid += u64::from(after[index]);
                        left -= 1;
                    }
                    OuterSection::NoWin => left -= 1,
                    OuterSection::EatMe | OuterSection::DrinkMe => {
                        let potion = if section == OuterSection::EatMe {
                            paytable.rules.eat_me
                        } else {
                            paytable.rules.drink_me
                        };
                        left += potion.spins;
                        left -= u32::from(potion.consumes_spin);
                        for multiplier in &mut after {
                            let moved = i64::from(*multiplier) + i64::from(potion.multipliers);
                            let floor = i64::from(paytable.rules.multiplier_floor);
                            *multiplier = u32::try_from(moved.max(floor)).expect("positive");
                        }
                    }
                }
                let mass = mass * p * RBig::from(weight) / &total;
                *next.entry((left, after, paid)).or_insert(RBig::ZERO) += mass;
            }
        }
    }
    next
}

/// Plays every course of a round with `max_spins`, in rationals.
pub(super) fn enumerate(paytable: &Paytable, trigger: Trigger) -> Found {
    let limit = paytable.rules.max_spins.expect("a limit on spins");
    let spins = paytable.terms(trigger).expect("the trigger").spins;
    let inner = inner_results(paytable);
    let mut states: BTreeMap<State, RBig> = starts(paytable, trigger)
        .into_iter()
        .map(|(row, mass)| ((spins, row, 0), mass))
        .collect();
    let mut mean_spins = RBig::ZERO;
    for _ in 0..limit {
        for ((counter, ..), mass) in &states {
            if *counter > 0 {
                mean_spins += mass;
            }
        }
        states = spin(paytable, &inner, &states);
    }
    let moments = |cap: Option<u64>| {
        let (mut mean, mut second) = (RBig::ZERO, RBig::ZERO);
        for ((_, _, meter), mass) in &states {
            let meter = RBig::from(cap.map_or(*meter, |cap| cap.min(*meter)));
            mean += &meter * mass;
            second += &meter * &meter * mass;
        }
        let variance = second - &mean * &mean;
        (mean, variance)
    };
    let (mean, variance) = moments(None);
    let zero = states
        .iter()
        .filter(|((_, _, meter), _)| *meter == 0)
        .fold(RBig::ZERO, |sum, (_, mass)| sum + mass);
    Found {
        mean,
        variance,
        zero,
        mean_spins,
        capped: paytable.rules.max_meter.map(|cap| moments(Some(cap))),
    }
}

/// Mean and variance without a limit in plain floating point: the joint chain of counter and
/// all multipliers, forward in time, with the mass of each state and its first two moments of
/// the meter so far. States below `prune` are dropped.
pub(super) fn forward(paytable: &Paytable, trigger: Trigger, prune: f64) -> (f64, f64) {
    let spins = paytable.terms(trigger).expect("the trigger").spins;
    let inner: Vec<(f64, u32, usize, u32)> = inner_results(paytable)
        .into_iter()
        .map(|(p, extra, selected, add)| (p.to_f64().value(), extra, selected, add))
        .collect();
    let outer: BTreeMap<OuterSection, RBig> =
        paytable
            .outer_wheel
            .iter()
            .fold(BTreeMap::new(), |mut law, (section, weight)| {
                *law.entry(section).or_insert(RBig::ZERO) +=
                    RBig::from(weight) / RBig::from(paytable.outer_wheel.total_weight());
                law
            });
    let mut states: BTreeMap<(u32, Vec<u32>), [f64; 3]> = starts(paytable, trigger)
        .into_iter()
        .map(|(row, mass)| ((spins, row), [mass.to_f64().value(), 0.0, 0.0]))
        .collect();
    let mut ended = [0.0_f64; 3];
    while !states.is_empty() {
        let mut next: BTreeMap<(u32, Vec<u32>), [f64; 3]> = BTreeMap::new();
        for ((counter, multipliers), [mass, first, second]) in states {
            for (p, extra, selected, add) in &inner {
                let mut boosted = multipliers.clone();
                boosted[*selected] += add;
                for (section, q) in &outer {
                    let weight = p * q.to_f64().value();
                    let mut after = boosted.clone();
                    let mut left = counter + extra;
                    let mut paid = 0.0;
                    match section {
                        OuterSection::Character(character) => {
                            let index = paytable.characters().iter().position(|c| c == character);
                            paid = f64::from(after[index.expect("a character")]);
                            left -= 1;
                        }
                        OuterSection::NoWin => left -= 1,
                        OuterSection::EatMe | OuterSection::DrinkMe => {
                            let potion = match section {
                                OuterSection::EatMe => paytable.rules.eat_me,
                                _ => paytable.rules.drink_me,
                            };
                            left = left + potion.spins - u32::from(potion.consumes_spin);
                            for m in &mut after {
                                let floor = paytable.rules.multiplier_floor;
                                *m = m.saturating_add_signed(potion.multipliers).max(floor);
                            }
                        }
                    }
                    let part = [
                        weight * mass,
                        weight * (first + paid * mass),
                        weight * (second + 2.0 * paid * first + paid * paid * mass),
                    ];
                    let target = if left == 0 {
                        &mut ended
                    } else {
                        next.entry((left, after)).or_insert([0.0; 3])
                    };
                    for (sum, part) in target.iter_mut().zip(part) {
                        *sum += part;
                    }
                }
            }
        }
        next.retain(|_, [mass, ..]| *mass > prune);
        states = next;
    }
    (ended[1], ended[2] - ended[1] * ended[1])
}

/// E[M; spins = t] for t = 1, 2, ... up to `max_spins`, in rationals.
pub(super) fn means_by_spins(paytable: &Paytable, trigger: Trigger) -> Vec<RBig> {
    let limit = paytable.rules.max_spins.expect("a limit on spins");
    let spins = paytable.terms(trigger).expect("the trigger").spins;
    let inner = inner_results(paytable);
    let mut states: BTreeMap<State, RBig> = starts(paytable, trigger)
        .into_iter()
        .map(|(row, mass)| ((spins, row, 0), mass))
        .collect();
    let mut means = Vec::new();
    let mut before = RBig::ZERO;
    for spin_number in 1..=limit {
        states = spin(paytable, &inner, &states);
        let paid = states
            .iter()
            .filter(|((counter, ..), _)| *counter == 0 || spin_number == limit)
            .fold(RBig::ZERO, |sum, ((_, _, meter), mass)| {
                sum + RBig::from(*meter) * mass
            });
        means.push(&paid - &before);
        before = paid;
    }
    means
}
