//! Every course of a round, played forward in rationals: the referee for short games.
//!
//! The joint law of counter, multipliers and meter is carried from spin to spin; equal states are merged. Nothing of the
//! calculator's algebra is used, only the text of 693.6(e) to (g), so agreement with
//! [`solve`](super::solve) tests both.
//!
//! # Guarantee
//! Exact rationals. With `max_spins` no larger than the number of spins played the law is complete; otherwise the
//! rounds still running are reported as [`Enumeration::unfinished`] and are in no other figure.

use std::collections::BTreeMap;

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::paytable::{Paytable, StartLaw};
use crate::rules::{InnerSection, OuterSection, Trigger};

/// Counter, multipliers, meter.
type State = (u64, Vec<u64>, u64);

/// What enumeration finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration {
    /// P(meter = x and the round has ended), by meter, without `max_meter`.
    pub pmf: BTreeMap<u64, RBig>,
    /// P(meter = x and the round ended with spin t), by meter; the index is t - 1.
    pub by_spins: Vec<BTreeMap<u64, RBig>>,
    /// P(the round is still running).
    pub unfinished: RBig,
    /// The largest number of states at one time.
    pub states: usize,
}

impl Enumeration {
    /// E[meter^power; the round has ended], without `max_meter`; with `power` 0 P(the round has
    /// ended).
    #[must_use]
    pub fn moment(&self, power: usize) -> RBig {
        moment(&self.pmf, power)
    }

    /// P(spins = t) for t = 1, 2, ...; the index is t - 1.
    #[must_use]
    pub fn spins(&self) -> Vec<RBig> {
        self.by_spins.iter().map(|law| moment(law, 0)).collect()
    }

    /// E[meter; spins = t] for t = 1, 2, ..., without `max_meter`; the index is t - 1.
    #[must_use]
    pub fn means_by_spins(&self) -> Vec<RBig> {
        self.by_spins.iter().map(|law| moment(law, 1)).collect()
    }
}

fn moment(law: &BTreeMap<u64, RBig>, power: usize) -> RBig {
    law.iter().fold(RBig::ZERO, |sum, (&meter, mass)| {
        sum + mass * RBig::from(UBig::from(meter).pow(power))
    })
}

/// One inner result: probability, spins added, character selected, addition.
struct Inner {
    probability: RBig,
    spins: u64,
    selected: usize,
    addition: u64,
}

/// One outer result.
struct Outer {
    probability: RBig,
    section: OuterSection,
}

/// Plays every course of `spins` spins; `None` where there are more than `most` states at one time or the trigger is
/// unknown.
///
/// # Performance
/// The number of states grows with every spin by a factor of up to the number of different results.
#[must_use]
pub fn enumerate(
    paytable: &Paytable,
    trigger: Trigger,
    spins: u32,
    most: usize,
) -> Option<Enumeration> {
    let terms = paytable.terms(trigger)?;
    let spins = paytable
        .rules
        .max_spins
        .map_or(spins, |limit| limit.min(spins));
    let is_limit = paytable.rules.max_spins == Some(spins);
    let inner = inner_results(paytable);
    let outer = outer_results(paytable);
    let mut running: BTreeMap<State, RBig> = starts(paytable, trigger, most)?
        .into_iter()
        .map(|(row, mass)| ((u64::from(terms.spins), row, 0), mass))
        .collect();
    let mut by_spins: Vec<BTreeMap<u64, RBig>> = Vec::new();
    let mut states = running.len();
    for number in 1..=spins {
        let mut ended = BTreeMap::new();
        let mut next = BTreeMap::new();
        for (state, mass) in &running {
            for first in &inner {
                for second in &outer {
                    let mass = mass * &first.probability * &second.probability;
                    let (counter, multipliers, meter) = spin(paytable, state, first, second);
                    // 693.6 knows no limit; where a paytable has one, the meter stands as it is.
                    if counter == 0 || (is_limit && number == spins) {
                        *ended.entry(meter).or_insert(RBig::ZERO) += mass;
                    } else {
                        *next
                            .entry((counter, multipliers, meter))
                            .or_insert(RBig::ZERO) += mass;
                    }
                }
            }
        }
        by_spins.push(ended);
        running = next;
        states = states.max(running.len());
        if running.len() > most {
            return None;
        }
    }
    let mut pmf = BTreeMap::new();
    for (&meter, mass) in by_spins.iter().flatten() {
        *pmf.entry(meter).or_insert(RBig::ZERO) += mass;
    }
    Some(Enumeration {
        pmf,
        by_spins,
        unfinished: running
            .into_values()
            .fold(RBig::ZERO, |sum, mass| sum + mass),
        states,
    })
}

/// The state after one spin, 693.6(f)(2) and (f)(4).
fn spin(paytable: &Paytable, state: &State, first: &Inner, second: &Outer) -> State {
    let (counter, multipliers, meter) = state;
    let mut multipliers = multipliers.clone();
    multipliers[first.selected] += first.addition;
    let counter = counter + first.spins;
    match second.section {
        OuterSection::Character(character) => {
            let index = paytable
                .characters()
                .iter()
                .position(|&other| other == character)
                .expect("a paytable lists every character of its outer wheel");
            let paid = multipliers[index];
            (counter - 1, multipliers, meter + paid)
        }
        OuterSection::NoWin => (counter - 1, multipliers, *meter),
        OuterSection::EatMe | OuterSection::DrinkMe => {
            let potion = if second.section == OuterSection::EatMe {
                paytable.rules.eat_me
            } else {
                paytable.rules.drink_me
            };
            let floor = u64::from(paytable.rules.multiplier_floor);
            for multiplier in &mut multipliers {
                *multiplier = multiplier
                    .saturating_add_signed(i64::from(potion.multipliers))
                    .max(floor);
            }
            let counter = counter + u64::from(potion.spins) - u64::from(potion.consumes_spin);
            (counter, multipliers, *meter)
        }
    }
}

fn inner_results(paytable: &Paytable) -> Vec<Inner> {
    let total = RBig::from(paytable.inner_wheel.total_weight());
    let boosts = paytable.boost_weights();
    let boost_total = boosts
        .iter()
        .fold(RBig::ZERO, |sum, &boost| sum + RBig::from(boost));
    // Equal results are merged before they are played.
    let mut merged: BTreeMap<(u64, usize, u64), RBig> = BTreeMap::new();
    for (section, weight) in paytable.inner_wheel.iter() {
        let probability = RBig::from(weight) / &total;
        match section {
            InnerSection::AdditionalSpin => {
                let key = (u64::from(paytable.rules.additional_spin), 0, 0);
                *merged.entry(key).or_insert(RBig::ZERO) += probability;
            }
            InnerSection::Multiplier(value) => {
                for (character, &boost) in boosts.iter().enumerate() {
                    let share = &probability * RBig::from(boost) / &boost_total;
                    *merged
                        .entry((0, character, u64::from(value)))
                        .or_insert(RBig::ZERO) += share;
                }
            }
        }
    }
    merged
        .into_iter()
        .map(|((spins, selected, addition), probability)| Inner {
            probability,
            spins,
            selected,
            addition,
        })
        .collect()
}

fn outer_results(paytable: &Paytable) -> Vec<Outer> {
    let total = RBig::from(paytable.outer_wheel.total_weight());
    let mut merged: BTreeMap<OuterSection, RBig> = BTreeMap::new();
    for (section, weight) in paytable.outer_wheel.iter() {
        *merged.entry(section).or_insert(RBig::ZERO) += RBig::from(weight) / &total;
    }
    merged
        .into_iter()
        .map(|(section, probability)| Outer {
            probability,
            section,
        })
        .collect()
}

/// The law of the starting multipliers, 693.6(e), row by row.
fn starts(paytable: &Paytable, trigger: Trigger, most: usize) -> Option<BTreeMap<Vec<u64>, RBig>> {
    let characters = paytable.characters();
    // Drawn so far, what is left to draw from, weight.
    let mut rows: Vec<(Vec<u64>, Vec<u64>, RBig)> = Vec::new();
    match paytable.start_law(trigger) {
        StartLaw::Permutation { values } => {
            let all = values.iter().map(|&value| u64::from(value)).collect();
            rows.push((Vec::new(), all, RBig::ONE));
            for _ in characters {
                rows = rows
                    .into_iter()
                    .flat_map(|(row, left, weight)| {
                        (0..left.len()).map(move |at| {
                            let (mut row, mut left) = (row.clone(), left.clone());
                            row.push(left.remove(at));
                            (row, left, weight.clone())
                        })
                    })
                    .collect();
            }
        }
        StartLaw::Fixed { values } => {
            let row = characters.iter().map(|c| u64::from(values[c])).collect();
            rows.push((row, Vec::new(), RBig::ONE));
        }
        StartLaw::Independent { values, weights } => {
            rows.push((Vec::new(), Vec::new(), RBig::ONE));
            for _ in characters {
                let mut longer = Vec::new();
                for (row, _, weight) in &rows {
                    for (&value, &more) in values.iter().zip(weights) {
                        let mut row = row.clone();
                        row.push(u64::from(value));
                        longer.push((row, Vec::new(), weight * RBig::from(more)));
                    }
                }
                rows = longer;
                if rows.len() > most {
                    return None;
                }
            }
        }
        StartLaw::Table { rows: table } => {
            for row in table {
                let values = characters
                    .iter()
                    .map(|c| u64::from(row.values[c]))
                    .collect();
                rows.push((values, Vec::new(), RBig::from(row.weight)));
            }
        }
    }
    let total = rows
        .iter()
        .fold(RBig::ZERO, |sum, (_, _, weight)| sum + weight);
    let mut law = BTreeMap::new();
    for (row, _, weight) in rows {
        *law.entry(row).or_insert(RBig::ZERO) += weight / &total;
    }
    Some(law)
}

/// Mean and variance without a limit in plain floating point: counter and multipliers forward in time, with the mass of
/// each state and its first two moments of the meter so far. States below `prune` are dropped.
#[cfg(test)]
pub(super) fn forward(paytable: &Paytable, trigger: Trigger, prune: f64) -> (f64, f64) {
    let terms = paytable.terms(trigger).expect("the trigger");
    let inner = inner_results(paytable);
    let outer = outer_results(paytable);
    let float = |exact: &RBig| exact.to_f64().value();
    let rows = starts(paytable, trigger, usize::MAX).expect("as many as there are");
    let mut running: BTreeMap<State, [f64; 3]> = rows
        .into_iter()
        .map(|(row, mass)| ((u64::from(terms.spins), row, 0), [float(&mass), 0.0, 0.0]))
        .collect();
    let mut ended = [0.0_f64; 3];
    while !running.is_empty() {
        let mut next: BTreeMap<State, [f64; 3]> = BTreeMap::new();
        for (state, [mass, mean, square]) in &running {
            for first in &inner {
                for second in &outer {
                    let weight = float(&first.probability) * float(&second.probability);
                    // A meter of 0 before the spin: what it is after is what the spin paid.
                    let (counter, multipliers, paid) = spin(paytable, state, first, second);
                    let paid = float(&RBig::from(paid));
                    let part = [
                        weight * mass,
                        weight * (mean + paid * mass),
                        weight * (square + 2.0 * paid * mean + paid * paid * mass),
                    ];
                    let target = if counter == 0 {
                        &mut ended
                    } else {
                        next.entry((counter, multipliers, 0)).or_insert([0.0; 3])
                    };
                    for (sum, part) in target.iter_mut().zip(part) {
                        *sum += part;
                    }
                }
            }
        }
        next.retain(|_, [mass, ..]| *mass > prune);
        running = next;
    }
    (ended[1], ended[2] - ended[1] * ended[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paytable::fixture;

    /// Hat or Eat Me at one half each, Eat Me costs nothing and adds 1: from 1, M = 2 + K with the inner addition of 1 in every
    /// spin, so M = 2 + 2K, K the Eat Me before the hit.
    #[test]
    fn the_tiny_game_is_geometric() {
        let game = Paytable::new(fixture::tiny(1)).expect("a legal paytable");
        let found = enumerate(&game, Trigger::Two, 12, 1000).expect("few states");
        for k in 0..12_u64 {
            let expected = RBig::ONE / RBig::from(1_u64 << (k + 1));
            assert_eq!(found.pmf[&(2 + 2 * k)], expected);
        }
        assert_eq!(found.unfinished, RBig::ONE / RBig::from(1_u64 << 12));
    }

    #[test]
    fn a_limit_ends_every_round() {
        let mut definition = fixture::tiny(1);
        definition.rules.max_spins = Some(3);
        let game = Paytable::new(definition).expect("a legal paytable");
        let found = enumerate(&game, Trigger::Two, 10, 1000).expect("few states");
        assert_eq!(found.unfinished, RBig::ZERO);
        let eighth = RBig::ONE / RBig::from(8);
        assert_eq!(found.pmf[&0], eighth);
        // Hat with the first, second or third spin pays 2, 4 or 6.
        let [half, quarter] = [4, 2].map(|k| RBig::from(k) * &eighth);
        assert_eq!(found.spins(), [half, quarter.clone(), quarter]);
        let paid = [8, 8, 6].map(|k| RBig::from(k) * &eighth);
        assert_eq!(found.means_by_spins(), paid);
    }

    /// Four spins at most of two characters that start at the floor, potions used up: mean and
    /// variance of the enumerated law lie in the enclosures of the calculator.
    #[test]
    fn agrees_with_the_moments_of_a_short_game() {
        let mut definition = fixture::tiny(2);
        definition.outer_wheel = fixture::outer("hat hat cat no-win drink-me eat-me");
        definition.starting_multipliers =
            crate::paytable::StartLaw::Permutation { values: vec![1, 2] };
        definition.rules.max_spins = Some(4);
        let game = Paytable::new(definition).expect("a legal paytable");
        let found = enumerate(&game, Trigger::Two, 4, 100_000).expect("few states");
        assert_eq!(found.unfinished, RBig::ZERO);
        let moment = |power| found.moment(power);
        assert_eq!(moment(0), RBig::ONE);
        let exact = super::super::solve(&game, Trigger::Two).expect("a short game");
        let variance = moment(2) - moment(1) * moment(1);
        assert!(exact.mean_meter.contains_rational(&moment(1)));
        assert!(exact.variance_meter.contains_rational(&variance));
        assert!(exact.zero_probability.contains_rational(&found.pmf[&0]));
    }

    #[test]
    fn too_many_states_are_refused() {
        let game = Paytable::new(fixture::pa()).expect("a legal paytable");
        assert_eq!(enumerate(&game, Trigger::Two, 3, 100), None);
    }
}
