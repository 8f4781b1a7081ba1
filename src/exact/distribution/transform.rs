//! The tables at every angle, and the probabilities they add up to.

use rayon::prelude::*;

use super::circle::{Circle, Points, real};
use super::game::Game;
use super::kernel::{Batch, Table, Twin};
use super::lanes::Lanes;
use super::layer::Layer;
use super::plan::{Group, Plan};
use super::starts::assemble;

/// Angles side by side.
pub(super) const LANES: usize = 8;
/// The largest number of meters that is tried.
const MAX_METERS: usize = 1 << 14;

/// Phi of every trigger at a batch of points, the parts of each table apart.
fn evaluate<const L: usize>(
    game: &Game,
    groups: &[Group],
    plan: &Plan,
    points: Points<'_, L>,
    twin: Twin,
) -> Vec<Vec<Lanes<L>>> {
    let most = plan
        .tables
        .iter()
        .flat_map(|table| &table.layer.states)
        .flat_map(|state| state.parts.iter().copied())
        .max()
        .unwrap_or(0);
    let batch = Batch::new(game, points, twin, usize::from(most));
    let mut values: Vec<Table<L>> = Vec::new();
    let mut by_table = Vec::new();
    let triggers = groups.iter().map(|group| group.triggers.len()).sum();
    for (number, one) in plan.tables.iter().enumerate() {
        let mut known: Vec<Option<(&Layer, &Table<L>)>> = vec![None; 1 << game.characters()];
        for (table, value) in plan.tables[..number].iter().zip(&values) {
            known[table.layer.set] = Some((&table.layer, value));
        }
        let table = batch.solve(&one.layer, one.sweeps, &known);
        let mut phi = vec![Lanes::ZERO; triggers];
        for (group, split) in groups.iter().zip(&one.splits) {
            let sums = assemble(
                game,
                &one.layer,
                &one.stories,
                split,
                &group.law,
                batch.points(),
                &table,
                &group.counters(),
            );
            for (&(trigger, _), sum) in group.triggers.iter().zip(sums) {
                phi[trigger] = sum;
            }
        }
        by_table.push(phi);
        // A table of the last order is nobody's source.
        let is_last = one.layer.set.count_ones() as usize == plan.order;
        values.push(if is_last { Table::new() } else { table });
    }
    by_table
}

/// Values of all tables at one time.
pub(super) fn values_held(plan: &Plan) -> usize {
    let kept: usize = plan
        .tables
        .iter()
        .filter(|table| (table.layer.set.count_ones() as usize) < plan.order)
        .map(|table| table.layer.size)
        .sum();
    let largest = plan
        .tables
        .iter()
        .map(|table| table.layer.size)
        .max()
        .unwrap_or(0);
    kept + largest
}

/// Values computed for one angle, sweeps counted.
pub(super) fn steps(plan: &Plan) -> usize {
    plan.tables
        .iter()
        .map(|table| table.layer.size * table.sweeps)
        .sum()
}

/// A number of meters K, and a bound on what lies at K and above, by trigger.
///
/// For a measure with coefficients that are not negative the part from K up is at most r^-K times its value at
/// z = r > 1 (H. Chernoff 1952). Tables with differences
/// are dominated by those with sums in their place.
pub(super) fn meters(game: &Game, groups: &[Group], plan: &Plan, share: f64) -> (usize, Vec<f64>) {
    let triggers: usize = groups.iter().map(|group| group.triggers.len()).sum();
    let tail = |rates: &[f64; LANES], tables: &[Vec<Lanes<LANES>>], size: usize| -> Vec<f64> {
        (0..triggers)
            .map(|trigger| {
                tables
                    .iter()
                    .map(|phi| {
                        (0..LANES)
                            .map(|lane| {
                                let bound =
                                    phi[trigger].re[lane].abs().ln() - rates[lane] * real(size);
                                if bound.is_nan() {
                                    f64::INFINITY
                                } else {
                                    bound.exp()
                                }
                            })
                            .fold(f64::INFINITY, f64::min)
                    })
                    .sum()
            })
            .collect()
    };
    let worst = |tails: &[f64]| tails.iter().fold(0.0_f64, |a, &b| a.max(b));
    let measure = |rates: &[f64; LANES]| {
        let bases = rates.map(f64::exp);
        evaluate(game, groups, plan, Points::Reals(bases), Twin::Sum)
    };
    let mut rates = [0.0; LANES];
    let mut rate = 0.64;
    for lane in &mut rates {
        *lane = rate;
        rate *= 0.5;
    }
    let mut found = (MAX_METERS, vec![f64::INFINITY; triggers]);
    for _ in 0..2 {
        let tables = measure(&rates);
        let mut size = 32;
        while size < MAX_METERS && worst(&tail(&rates, &tables, size)) > share {
            size += 32;
        }
        found = (size, tail(&rates, &tables, size));
        let best = (0..LANES)
            .min_by(|&a, &b| {
                let at = |lane: usize| -> f64 {
                    tables
                        .iter()
                        .map(|phi| phi[triggers - 1].re[lane].abs())
                        .sum::<f64>()
                        .ln()
                        - rates[lane] * real(size)
                };
                at(a).total_cmp(&at(b))
            })
            .unwrap_or(0);
        let middle = rates[best];
        for (lane, rate) in rates.iter_mut().enumerate() {
            *rate = middle * (0.6 + 0.15 * real(lane));
        }
    }
    found
}

/// P(M = x) for x below `size`, by trigger, and what the rounding left below zero.
pub(super) fn probabilities(
    game: &Game,
    groups: &[Group],
    plan: &Plan,
    size: usize,
) -> Vec<Vec<f64>> {
    let circle = Circle::new(size);
    let angles = size / 2 + 1;
    let triggers: usize = groups.iter().map(|group| group.triggers.len()).sum();
    let batches: Vec<Vec<Lanes<LANES>>> = (0..angles.div_ceil(LANES))
        .into_par_iter()
        .map(|batch| {
            let mut indices = [0; LANES];
            for (lane, index) in indices.iter_mut().enumerate() {
                // Lanes past the last angle repeat it and are not read.
                *index = (batch * LANES + lane).min(angles - 1);
            }
            let tables = evaluate(
                game,
                groups,
                plan,
                Points::Roots(&circle, indices),
                Twin::Difference,
            );
            let mut sums = vec![Lanes::ZERO; triggers];
            for phi in tables {
                for (sum, value) in sums.iter_mut().zip(phi) {
                    *sum += value;
                }
            }
            sums
        })
        .collect();
    (0..triggers)
        .map(|trigger| {
            let values: Vec<(f64, f64)> = (0..angles)
                .map(|angle| {
                    let lanes = batches[angle / LANES][trigger];
                    (lanes.re[angle % LANES], lanes.im[angle % LANES])
                })
                .collect();
            circle.coefficients(&values)
        })
        .collect()
}
