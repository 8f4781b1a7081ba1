//! From tables to a number: the law of the starting multipliers, 693.6(e).
//!
//! A character outside U that is still hit h times and starts at s contributes z^{s h}. Summed over
//! which character of a class has which of the sorted counts lambda, and averaged over the law of the
//! starts:
//!
//! | law | factor of lambda |
//! | --- | --- |
//! | fixed, table row | sum over placements of prod `w_c^{h_c`} `z^{s_c` `h_c`} |
//! | permutation | A(lambda) times the average over assignments of prod `z^{s_i` `lambda_i`} |
//! | independent | A(lambda) prod `psi(lambda_i)`, psi(h) = E z^{s h} |
//!
//! with A(lambda) = sum over placements of prod `w_c^{h_c`}. Placements and assignments are permanents of
//! at most 6 x 6, by dynamic programming over subsets of columns (H. J. Ryser 1963 has a faster formula, whose
//! alternating signs cost accuracy). Rows of one permanent are the parts of lambda; states in lexical order share all rows
//! but the last few.

use std::collections::BTreeMap;

use super::circle::Points;
use super::game::{Game, factorial};
use super::lanes::Lanes;
use super::layer::{Layer, Set, members};
use crate::paytable::{Paytable, StartLaw};
use crate::rules::Trigger;

/// The starts of the characters outside U.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rest {
    /// These values in random order.
    Shuffled(Vec<i64>),
    /// One value for each, in the order of [`Layer::outside`].
    Given(Vec<i64>),
    /// Each alone from the common law.
    Alone,
}

/// The starts of a table: for each law of the rest, the multipliers of U with their probability.
pub(super) type Split = Vec<(Rest, Vec<(Vec<i64>, f64)>)>;

/// A law of starts in the order of the game's characters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Law {
    /// A multiset in random order.
    Shuffled(Vec<i64>),
    /// Rows with probabilities.
    Rows(Vec<(f64, Vec<i64>)>),
    /// One law for each.
    Alone(Vec<(i64, f64)>),
}

impl Law {
    /// The law of a trigger.
    pub(super) fn new(paytable: &Paytable, trigger: Trigger) -> Self {
        let characters = paytable.characters();
        let weight = |weight: u64| {
            #[expect(clippy::cast_precision_loss, reason = "weights are at most 2^32")]
            let number = weight as f64;
            number
        };
        match paytable.start_law(trigger) {
            StartLaw::Permutation { values } => {
                Self::Shuffled(values.iter().map(|&value| i64::from(value)).collect())
            }
            StartLaw::Fixed { values } => Self::Rows(vec![(
                1.0,
                characters.iter().map(|c| i64::from(values[c])).collect(),
            )]),
            StartLaw::Independent { values, weights } => {
                let total: f64 = weights.iter().map(|&w| weight(w)).sum();
                Self::Alone(
                    values
                        .iter()
                        .zip(weights)
                        .map(|(&value, &w)| (i64::from(value), weight(w) / total))
                        .collect(),
                )
            }
            StartLaw::Table { rows } => {
                let total: f64 = rows.iter().map(|row| weight(row.weight)).sum();
                Self::Rows(
                    rows.iter()
                        .map(|row| {
                            let starts = characters
                                .iter()
                                .map(|c| i64::from(row.values[c]))
                                .collect();
                            (weight(row.weight) / total, starts)
                        })
                        .collect(),
                )
            }
        }
    }

    /// The largest start.
    pub(super) fn largest(&self) -> i64 {
        match self {
            Self::Shuffled(values) => values.iter().copied().max(),
            Self::Rows(rows) => rows.iter().flat_map(|(_, row)| row.iter().copied()).max(),
            Self::Alone(law) => law.iter().map(|&(value, _)| value).max(),
        }
        .unwrap_or(1)
    }

    /// The law with the starts of `set` set apart.
    pub(super) fn split(&self, set: Set, outside: &[usize]) -> Split {
        let mut found: BTreeMap<Rest, BTreeMap<Vec<i64>, f64>> = BTreeMap::new();
        let mut put = |rest: Rest, followed: Vec<i64>, weight: f64| {
            *found
                .entry(rest)
                .or_default()
                .entry(followed)
                .or_insert(0.0) += weight;
        };
        let count = set.count_ones() as usize;
        match self {
            Self::Shuffled(values) => {
                let weight = factorial(values.len() - count) / factorial(values.len());
                let mut drawn = vec![(Vec::new(), values.clone())];
                for _ in 0..count {
                    drawn = drawn
                        .into_iter()
                        .flat_map(|(row, left): (Vec<i64>, Vec<i64>)| {
                            (0..left.len()).map(move |at| {
                                let (mut row, mut left) = (row.clone(), left.clone());
                                row.push(left.remove(at));
                                (row, left)
                            })
                        })
                        .collect();
                }
                for (row, mut left) in drawn {
                    left.sort_unstable();
                    put(Rest::Shuffled(left), row, weight);
                }
            }
            Self::Rows(rows) => {
                for (probability, row) in rows {
                    let followed: Vec<i64> = members(set).map(|c| row[c]).collect();
                    let rest = outside.iter().map(|&c| row[c]).collect();
                    put(Rest::Given(rest), followed, *probability);
                }
            }
            Self::Alone(law) => {
                let mut drawn = vec![(Vec::new(), 1.0)];
                for _ in 0..count {
                    drawn = drawn
                        .into_iter()
                        .flat_map(|(row, weight): (Vec<i64>, f64)| {
                            law.iter().map(move |&(value, probability)| {
                                let mut row = row.clone();
                                row.push(value);
                                (row, weight * probability)
                            })
                        })
                        .collect();
                }
                for (row, weight) in drawn {
                    put(Rest::Alone, row, weight);
                }
            }
        }
        found
            .into_iter()
            .map(|(rest, places)| (rest, places.into_iter().collect()))
            .collect()
    }
}

/// What the factors of a layer's states need at every point.
#[derive(Debug, Clone)]
pub(super) struct Stories {
    /// States in lexical order of their parts.
    order: Vec<usize>,
    /// Positive parts with the slots that their class allows, by state.
    parts: Vec<Vec<(u8, usize)>>,
    /// 1 / product of the factorials of multiplicities, by state.
    repeats: Vec<f64>,
    /// A(lambda), by state.
    pub(super) placements: Vec<f64>,
    most: usize,
}

impl Stories {
    /// Prepares a layer of counted states.
    pub(super) fn new(game: &Game, outside: &[usize], states: &[&[u8]]) -> Self {
        let slots_of = |slot: usize| -> usize {
            outside
                .iter()
                .enumerate()
                .filter(|&(_, &c)| game.class_of[c] == game.class_of[outside[slot]])
                .map(|(other, _)| 1 << other)
                .sum()
        };
        let allowed: Vec<usize> = (0..outside.len()).map(slots_of).collect();
        let parts: Vec<Vec<(u8, usize)>> = states
            .iter()
            .map(|parts| {
                parts
                    .iter()
                    .copied()
                    .zip(allowed.iter().copied())
                    .filter(|&(h, _)| h > 0)
                    .collect()
            })
            .collect();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by(|&a, &b| parts[a].cmp(&parts[b]));
        let repeats = parts
            .iter()
            .map(|parts| {
                let mut counts: BTreeMap<(u8, usize), usize> = BTreeMap::new();
                for &part in parts {
                    *counts.entry(part).or_insert(0) += 1;
                }
                1.0 / counts
                    .values()
                    .map(|&count| factorial(count))
                    .product::<f64>()
            })
            .collect();
        let most = parts
            .iter()
            .flatten()
            .map(|&(h, _)| usize::from(h))
            .max()
            .unwrap_or(0);
        let mut stories = Self {
            order,
            parts,
            repeats,
            placements: Vec::new(),
            most,
        };
        let columns: Vec<Vec<Lanes<1>>> = outside
            .iter()
            .map(|&c| {
                game.hit_powers(c, most)
                    .into_iter()
                    .map(Lanes::real)
                    .collect()
            })
            .collect();
        stories.placements = stories
            .permanents(&columns, false)
            .iter()
            .zip(&stories.repeats)
            .map(|(sum, repeats)| sum.re[0] * repeats)
            .collect();
        stories
    }

    /// The factor of every state for starts `rest`; `law` is the common law where each is drawn alone.
    pub(super) fn factors<const L: usize>(
        &self,
        game: &Game,
        outside: &[usize],
        rest: &Rest,
        law: &Law,
        points: &Points<'_, L>,
    ) -> Vec<Lanes<L>> {
        let powers = |start: i64| -> Vec<Lanes<L>> {
            (0..=self.most)
                .map(|h| points.power(start * i64::try_from(h).expect("a small count")))
                .collect()
        };
        match rest {
            Rest::Shuffled(values) => {
                let columns: Vec<_> = values.iter().map(|&value| powers(value)).collect();
                let all = factorial(values.len());
                let mut factors = self.permanents(&columns, true);
                for (state, factor) in factors.iter_mut().enumerate() {
                    let idle = values.len() - self.parts[state].len();
                    *factor = factor.scaled(self.placements[state] * factorial(idle) / all);
                }
                factors
            }
            Rest::Given(starts) => {
                let columns: Vec<Vec<Lanes<L>>> = starts
                    .iter()
                    .zip(outside)
                    .map(|(&start, &c)| {
                        powers(start)
                            .into_iter()
                            .zip(game.hit_powers(c, self.most))
                            .map(|(power, weight)| power.scaled(weight))
                            .collect()
                    })
                    .collect();
                let mut factors = self.permanents(&columns, false);
                for (factor, &repeats) in factors.iter_mut().zip(&self.repeats) {
                    *factor = factor.scaled(repeats);
                }
                factors
            }
            Rest::Alone => {
                let Law::Alone(law) = law else {
                    unreachable!("only that law splits so")
                };
                let mut psi = vec![Lanes::ZERO; self.most + 1];
                for &(start, probability) in law {
                    for (sum, power) in psi.iter_mut().zip(powers(start)) {
                        sum.add_scaled(probability, power);
                    }
                }
                self.parts
                    .iter()
                    .zip(&self.placements)
                    .map(|(parts, &placements)| {
                        parts
                            .iter()
                            .fold(Lanes::real(placements), |product, &(h, _)| {
                                product * psi[usize::from(h)]
                            })
                    })
                    .collect()
            }
        }
    }

    /// For every state the sum over injective maps of its parts to columns of the product of
    /// `columns[column][part]`; with `anywhere` a part may go to any column, else to its class's.
    fn permanents<const L: usize>(
        &self,
        columns: &[Vec<Lanes<L>>],
        anywhere: bool,
    ) -> Vec<Lanes<L>> {
        let width = 1_usize << columns.len();
        let mut found = vec![Lanes::ZERO; self.parts.len()];
        let mut rows = vec![vec![Lanes::ZERO; width]; columns.len() + 1];
        rows[0][0] = Lanes::ONE;
        let mut done: &[(u8, usize)] = &[];
        for &state in &self.order {
            let parts = &self.parts[state];
            let shared = done.iter().zip(parts).take_while(|(a, b)| a == b).count();
            for depth in shared..parts.len() {
                let (h, mut allowed) = parts[depth];
                if anywhere {
                    allowed = width - 1;
                }
                let (before, after) = rows.split_at_mut(depth + 1);
                let (before, after) = (&before[depth], &mut after[0]);
                for set in (0..width).filter(|set| set.count_ones() as usize == depth + 1) {
                    let mut sum = Lanes::ZERO;
                    for c in members(set & allowed) {
                        sum.add_product(before[set & !(1 << c)], columns[c][usize::from(h)]);
                    }
                    after[set] = sum;
                }
            }
            let last = &rows[parts.len()];
            found[state] = (0..width)
                .filter(|set| set.count_ones() as usize == parts.len())
                .fold(Lanes::ZERO, |sum, set| sum + last[set]);
            done = parts;
        }
        found
    }
}

/// A layer's part of Phi for several counters: the sum over starts and states.
#[expect(
    clippy::too_many_arguments,
    reason = "one sum over everything a layer is made of"
)]
pub(super) fn assemble<const L: usize>(
    game: &Game,
    layer: &Layer,
    stories: &Stories,
    split: &Split,
    law: &Law,
    points: &Points<'_, L>,
    values: &[Lanes<L>],
    counters: &[usize],
) -> Vec<Lanes<L>> {
    let mut sums = vec![Lanes::ZERO; counters.len()];
    for (rest, places) in split {
        let places: Vec<(usize, f64)> = places
            .iter()
            .filter_map(|(place, weight)| Some((layer.point(place)?, *weight)))
            .collect();
        if places.is_empty() {
            continue;
        }
        let factors = stories.factors(game, &layer.outside, rest, law, points);
        for (number, state) in layer.states.iter().enumerate() {
            for (sum, &counter) in sums.iter_mut().zip(counters) {
                if counter > state.top {
                    continue;
                }
                let mut value = Lanes::ZERO;
                for &(place, weight) in &places {
                    if let Some(row) = layer.row(number, place) {
                        value.add_scaled(weight, values[row.start + counter - 1]);
                    }
                }
                sum.add_product(factors[number], value);
            }
        }
    }
    sums
}
