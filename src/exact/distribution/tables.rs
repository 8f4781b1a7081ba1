//! The calculator for rounds of any length: plans tables, runs them, measures what is missing.

use super::backward::{Laws, laws};
use super::held::LEAST;
use super::horizon::Horizon;
use super::parts::count;
use super::plan::{Plan, Start};
use super::spin::{Spin, Starts};
use super::{DistributionError, DistributionOptions, Held, MOST_METERS};
use crate::paytable::{Paytable, TriggerTerms};
use crate::rules::Trigger;

/// Cells of a plan at most: half a minute to a minute on two cores.
const MOST_CELLS: usize = 6_000_000;
/// Cells of a plan where no tolerance is asked for: some seconds.
const EASY_CELLS: usize = 1_500_000;
/// Bound that is sharp enough where no tolerance is asked for.
const SHARP: f64 = 1e-9;
/// Threshold of the first plan, a quick one.
const COARSE: f64 = 1e-7;
/// Different starts of a round at most.
const MOST_WAYS: usize = 20_000;
/// Largest relative rounding that a law may have.
const MOST_ROUNDING: f64 = 1e-6;
/// Plans that are tried at most.
const PLANS: usize = 24;
/// What a plan says to be lost is exceeded by what its laws miss, but not by more than this on any wheel tried.
const MARGIN: f64 = 0.6;

/// Rounds that reach a limit on spins at most, where the tables are made without it.
const FAR: f64 = 1e-11;

/// The laws of all triggers; `reaching` bounds the probability that a round of each is still running before the last
/// spin of `max_spins`, 0 without one.
pub(super) fn held(
    paytable: &Paytable,
    terms: &[&TriggerTerms],
    reaching: &[f64],
    options: &DistributionOptions,
) -> Result<Vec<Held>, DistributionError> {
    // Longer rounds decide.
    let Some(longest) = terms.iter().max_by_key(|terms| terms.spins) else {
        return Ok(Vec::new());
    };
    let job = Job {
        paytable,
        terms,
        trigger: longest.trigger,
        tolerance: options.tolerance,
        cells: if options.tolerance.is_some() {
            MOST_CELLS
        } else {
            EASY_CELLS
        },
        memory: options.memory_limit,
    };
    if paytable.rules.max_spins.is_none() || reaching.iter().any(|&reaching| reaching >= FAR) {
        return job.held();
    }
    let mut spin = job.spin()?;
    spin.max_spins = None;
    let laws = job.run(&spin)?.into_iter().zip(reaching);
    Ok(laws
        .map(|(held, &reaching)| common(held, reaching))
        .collect())
}

/// What masses with a relative error leave of 1, at most.
fn missing(pmf: &[f64], rounding: f64) -> f64 {
    // The sum of some thousand masses loses less than this.
    let held = pmf.iter().sum::<f64>() * (1.0 - 1e-12);
    (1.0 - held * (1.0 - rounding)).max(0.0)
}

/// The part of a law that also holds for a game that differs in rounds of a probability of at most `differing`.
///
/// P'(x) >= P(x) - `differing` for every meter x. Where P(x) is large beside that, the difference is a relative error
/// like those of rounding; the rest is left missing.
fn common(held: Held, differing: f64) -> Held {
    let relative = 0.5 * MOST_ROUNDING;
    let least = differing / (0.99 * relative);
    let pmf: Vec<f64> = held
        .pmf
        .iter()
        .map(|&mass| if mass < least { 0.0 } else { mass })
        .collect();
    let rounding = held.rounding + relative;
    Held {
        missing: missing(&pmf, rounding),
        pmf,
        rounding,
        method: held.method,
    }
}

struct Job<'a> {
    paytable: &'a Paytable,
    terms: &'a [&'a TriggerTerms],
    trigger: Trigger,
    tolerance: Option<f64>,
    /// Cells of a plan at most.
    cells: usize,
    memory: u64,
}

/// The tables' frame for one threshold.
struct Frame {
    horizon: Horizon,
    starts: Vec<Start>,
    /// The place of each trigger among the laws that come out.
    of_trigger: Vec<usize>,
}

impl Job<'_> {
    fn spin(&self) -> Result<Spin, DistributionError> {
        Spin::new(self.paytable).ok_or(self.unsupported("a number of the paytable is too large"))
    }

    fn held(&self) -> Result<Vec<Held>, DistributionError> {
        self.run(&self.spin()?)
    }

    /// Sizes that leave out far less than a plan of this threshold does.
    fn frame(&self, spin: &Spin, threshold: f64) -> Result<Frame, DistributionError> {
        let spins: Vec<usize> = self
            .terms
            .iter()
            .map(|terms| usize::try_from(terms.spins).unwrap_or(usize::MAX))
            .collect();
        // A horizon has two levels at least and may take long: what is too large already for these is refused before it.
        let terms = self.terms.iter();
        let laws: Vec<Starts> = terms
            .map(|terms| Starts::new(self.paytable, terms.trigger))
            .collect();
        for law in &laws {
            if law.largest().saturating_add(spin.floor).saturating_mul(2) > MOST_METERS
                || spin.largest_addition().saturating_mul(4) > MOST_METERS
            {
                return Err(self.unsupported("its meters are too large to be listed"));
            }
        }
        let horizon = Horizon::new(spin, &spins, 20.0 * threshold)
            .ok_or(self.unsupported("its rounds are too long for the tables"))?;
        let mut starts: Vec<Start> = Vec::new();
        let mut places = Vec::new();
        for (law, &spins) in laws.into_iter().zip(&spins) {
            if law.ways(spin.characters.len()) > MOST_WAYS {
                return Err(self.unsupported("there are too many different starts"));
            }
            let hits = horizon.levels.len();
            let largest = law
                .largest()
                .saturating_add(spin.floor)
                .saturating_add(horizon.rows);
            let raised = spin
                .largest_addition()
                .saturating_mul(hits)
                .saturating_add(largest);
            if raised.saturating_mul(hits) > MOST_METERS {
                return Err(self.unsupported("its meters are too large to be listed"));
            }
            let node = horizon.counter.start(spins);
            let at = starts
                .iter()
                .position(|start| start.law == law)
                .unwrap_or_else(|| {
                    starts.push(Start {
                        law,
                        nodes: Vec::new(),
                    });
                    starts.len() - 1
                });
            places.push((at, starts[at].nodes.len()));
            starts[at].nodes.push(node);
        }
        let first = |at: usize| {
            starts[..at]
                .iter()
                .map(|start| start.nodes.len())
                .sum::<usize>()
        };
        let of_trigger = places
            .into_iter()
            .map(|(at, node)| first(at) + node)
            .collect();
        Ok(Frame {
            horizon,
            starts,
            of_trigger,
        })
    }

    fn unsupported(&self, reason: &'static str) -> DistributionError {
        DistributionError::Unsupported {
            trigger: self.trigger,
            reason,
        }
    }

    fn out_of_reach(&self, best: f64) -> DistributionError {
        DistributionError::OutOfReach {
            trigger: self.trigger,
            tolerance: self.tolerance.unwrap_or(SHARP),
            best,
        }
    }

    /// Lowers the threshold until the bound holds; without a tolerance, until the effort is spent.
    fn run(&self, spin: &Spin) -> Result<Vec<Held>, DistributionError> {
        let limit = self.cells;
        let goal = MARGIN * self.tolerance.unwrap_or(SHARP);
        let mut threshold = COARSE.max(1e-5 * goal);
        // Threshold, cells and loss of the last plan within the limit.
        let mut last: Option<(f64, f64, f64)> = None;
        let mut settled = false;
        for _ in 0..PLANS {
            let frame = self.frame(spin, threshold)?;
            let Frame {
                horizon, starts, ..
            } = &frame;
            let Some(plan) = Plan::new(spin, horizon, starts, threshold, limit) else {
                // Too fine: halfway back to the last one, or coarser where there was none.
                threshold = match last {
                    Some((coarser, _, _)) if threshold < 0.5 * coarser => {
                        (threshold * coarser).sqrt()
                    }
                    Some((coarser, _, lost)) => {
                        settled = self.tolerance.is_none();
                        if !settled {
                            return Err(self.out_of_reach(lost / (MARGIN * MARGIN)));
                        }
                        coarser
                    }
                    None => 10.0 * threshold,
                };
                if threshold > 1e-2 {
                    return Err(self.unsupported("its tables are too large"));
                }
                continue;
            };
            let cells = count(plan.cells.max(1));
            if !settled && plan.lost > goal {
                let slope = last.map_or(1.2, |(_, fewer, more)| {
                    slope(cells / fewer, more / plan.lost)
                });
                let needed = cells * power(plan.lost / goal, slope);
                let spare = count(limit) / cells;
                last = Some((threshold, cells, plan.lost));
                if self.tolerance.is_some() && needed > 3.0 * count(limit) && spare < 3.0 {
                    return Err(self.out_of_reach(plan.lost / (MARGIN * MARGIN)));
                }
                if self.tolerance.is_some() || spare > 3.0 {
                    // Loss falls about as the square root of the threshold, cells rise so.
                    let finer = (goal / plan.lost).max(1.7 / spare);
                    threshold *= (finer * finer).clamp(1e-2, 0.5);
                    continue;
                }
            }
            let expected = plan
                .at_once
                .saturating_mul(128 * spin.largest_addition().max(10) / 10);
            let expected =
                u64::try_from(expected.saturating_mul(size_of::<f64>())).unwrap_or(u64::MAX);
            if expected > self.memory {
                return Err(self.memory(expected));
            }
            let laws = laws(spin, horizon, starts, &plan, 1e-2 * threshold, self.memory)
                .map_err(|bytes| self.memory(bytes))?;
            let held = self.finish(&laws, &plan, &frame)?;
            let worst = held
                .iter()
                .map(|held| held.missing + held.rounding)
                .fold(0.0, f64::max);
            // A cap adds the rounding of one sum.
            if self
                .tolerance
                .is_none_or(|tolerance| worst < tolerance * (1.0 - 1e-6) - 1e-12)
            {
                return Ok(held);
            }
            if settled {
                return Err(self.out_of_reach(1.1 * worst));
            }
            last = Some((threshold, cells, worst));
            threshold *= 0.3;
        }
        Err(self.out_of_reach(last.map_or(1.0, |(_, _, lost)| lost / (MARGIN * MARGIN))))
    }

    fn memory(&self, bytes: u64) -> DistributionError {
        DistributionError::Memory {
            trigger: self.trigger,
            bytes,
            limit: self.memory,
        }
    }

    fn finish(
        &self,
        laws: &Laws,
        plan: &Plan,
        frame: &Frame,
    ) -> Result<Vec<Held>, DistributionError> {
        let lost = laws.roundings * (0.5 * f64::EPSILON);
        if lost > 0.5 * MOST_ROUNDING {
            return Err(self.out_of_reach(f64::INFINITY));
        }
        let rounding = lost / (1.0 - lost) * (1.0 + f64::EPSILON);
        let shapes: usize = plan.levels.iter().map(|level| level.shapes.len()).sum();
        let method = format!(
            "laws of what is to be paid, given up to {} hits and falls up to {}: {} shapes, {} cells",
            plan.levels.len() - 1,
            frame.horizon.rows - 1,
            shapes,
            plan.cells
        );
        let pmfs = frame.of_trigger.iter().map(|&at| &laws.pmfs[at]);
        Ok(pmfs
            .map(|pmf| {
                // Near the least normal number products lose their relative accuracy; their sums above this do not.
                let pmf: Vec<f64> = pmf
                    .iter()
                    .map(|&mass| if mass < LEAST { 0.0 } else { mass })
                    .collect();
                Held {
                    missing: missing(&pmf, rounding),
                    pmf,
                    rounding,
                    method: method.clone(),
                }
            })
            .collect())
    }
}

/// How fast cells grow as the loss falls: the exponent, between those seen on all wheels.
fn slope(more_cells: f64, less_lost: f64) -> f64 {
    (1..=8)
        .map(|step| 0.25 * f64::from(step))
        .find(|&exponent| power(less_lost.max(1.01), exponent) >= more_cells)
        .unwrap_or(2.0)
}

/// A power with an exponent in quarters, by square roots alone: the same on every processor.
fn power(base: f64, exponent: f64) -> f64 {
    let root = base.max(1.0).sqrt().sqrt();
    let mut product = 1.0;
    let mut left = exponent;
    while left > 0.1 {
        product *= root;
        left -= 0.25;
    }
    product
}

#[cfg(test)]
mod tests;
