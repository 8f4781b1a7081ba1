//! The calculator for rounds of any length: plans tables, runs them, measures what is missing.

use super::backward::{Laws, laws};
use super::horizon::Horizon;
use super::plan::{Plan, Start};
use super::spin::{Spin, Starts};
use super::{DistributionError, DistributionOptions, Held, MOST_METERS};
use crate::paytable::Paytable;
use crate::rules::Trigger;

/// Cells of a plan at most: about half a minute on two cores for the Pennsylvania wheels.
const MOST_CELLS: usize = 5_000_000;
/// Tolerances that are tried where none is asked for.
const COARSEST: f64 = 2e-3;
const FINEST: f64 = 1e-9;
/// Different starts of a round at most.
const MOST_WAYS: usize = 20_000;
/// Largest relative rounding that a law may have.
const MOST_ROUNDING: f64 = 1e-6;
/// Masses below this are left missing.
const LEAST: f64 = 1e-290;
/// Plans that are tried at most.
const PLANS: usize = 12;

/// Cells of a plan where no tolerance is asked for: some seconds.
const EASY_CELLS: usize = 1_500_000;

/// The laws of all triggers.
pub(super) fn held(
    paytable: &Paytable,
    options: &DistributionOptions,
) -> Result<Vec<Held>, DistributionError> {
    // Longer rounds decide.
    let Some(longest) = paytable.triggers.iter().max_by_key(|terms| terms.spins) else {
        return Ok(Vec::new());
    };
    let job = |tolerance, cells| Job {
        paytable,
        trigger: longest.trigger,
        tolerance,
        cells,
        memory: options.memory_limit,
    };
    if let Some(tolerance) = options.tolerance {
        return job(tolerance, MOST_CELLS).held();
    }
    // As sharp as a limited effort allows: from coarse to fine.
    let mut tolerance = COARSEST;
    let mut found = match job(tolerance, EASY_CELLS).held() {
        Err(DistributionError::OutOfReach { best, .. }) if best < 1.0 => {
            return job(best, EASY_CELLS).held();
        }
        other => other?,
    };
    while tolerance > FINEST {
        tolerance = (0.1 * tolerance).max(FINEST);
        match job(tolerance, EASY_CELLS).held() {
            Ok(finer) => found = finer,
            Err(_) => break,
        }
    }
    Ok(found)
}

struct Job<'a> {
    paytable: &'a Paytable,
    trigger: Trigger,
    tolerance: f64,
    cells: usize,
    memory: u64,
}

impl Job<'_> {
    fn held(&self) -> Result<Vec<Held>, DistributionError> {
        let paytable = self.paytable;
        let spin =
            Spin::new(paytable).ok_or(self.unsupported("a number of the paytable is too large"))?;
        let spins: Vec<usize> = paytable
            .triggers
            .iter()
            .map(|terms| usize::try_from(terms.spins).unwrap_or(usize::MAX))
            .collect();
        // A horizon has two levels at least and may take long: what is too large already for these is refused before it.
        for terms in &paytable.triggers {
            let largest = Starts::new(paytable, terms.trigger).largest();
            if largest.saturating_add(spin.floor).saturating_mul(2) > MOST_METERS
                || spin.largest_addition().saturating_mul(4) > MOST_METERS
            {
                return Err(self.unsupported("its meters are too large to be listed"));
            }
        }
        let horizon = Horizon::new(&spin, &spins, 2e-3 * self.tolerance)
            .ok_or(self.unsupported("its rounds are too long for the tables"))?;
        let mut starts = Vec::new();
        for (terms, &spins) in paytable.triggers.iter().zip(&spins) {
            let law = Starts::new(paytable, terms.trigger);
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
            starts.push(Start {
                node: horizon.counter.start(spins),
                law,
            });
        }
        self.run(&spin, &horizon, &starts)
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
            tolerance: self.tolerance,
            best,
        }
    }

    /// Lowers the threshold until the bound holds.
    fn run(
        &self,
        spin: &Spin,
        horizon: &Horizon,
        starts: &[Start],
    ) -> Result<Vec<Held>, DistributionError> {
        let tolerance = self.tolerance;
        let mut threshold = 1e-5 * tolerance;
        // The best that a plan within the limits promised.
        let mut best = f64::INFINITY;
        for _ in 0..PLANS {
            let Some(plan) = Plan::new(spin, horizon, starts, threshold, self.cells) else {
                if best.is_finite() {
                    return Err(self.out_of_reach(best));
                }
                // Even the first plan is too large: find one that is not, to say what can be had.
                threshold *= 10.0;
                if threshold > 1e-3 {
                    return Err(self.unsupported("its tables are too large"));
                }
                continue;
            };
            if plan.lost > 0.75 * tolerance {
                if best.is_infinite() && threshold > 1e-5 * tolerance * 1.5 {
                    return Err(self.out_of_reach(2.0 * plan.lost));
                }
                best = 2.0 * plan.lost;
                // What is lost falls about as the square root of the threshold.
                let ratio = 0.6 * tolerance / plan.lost;
                threshold *= (ratio * ratio).clamp(1e-2, 0.5);
                continue;
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
            let held = self.finish(&laws, &plan, horizon)?;
            let worst = held
                .iter()
                .map(|held| held.missing + held.rounding)
                .fold(0.0, f64::max);
            // A cap adds the rounding of one sum.
            if worst < tolerance * (1.0 - 1e-6) - 1e-12 {
                return Ok(held);
            }
            best = best.min(1.1 * worst);
            threshold *= 0.4;
        }
        Err(self.out_of_reach(best))
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
        horizon: &Horizon,
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
            horizon.rows - 1,
            shapes,
            plan.cells
        );
        Ok(laws
            .pmfs
            .iter()
            .map(|pmf| {
                // Near the least normal number products lose their relative accuracy; their sums above this do not.
                let pmf: Vec<f64> = pmf
                    .iter()
                    .map(|&mass| if mass < LEAST { 0.0 } else { mass })
                    .collect();
                let held: f64 = pmf.iter().sum();
                // The sum of some thousand masses loses less than this.
                let missing = (1.0 - held * (1.0 - rounding) * (1.0 - 1e-12)).max(0.0);
                Held {
                    pmf,
                    missing,
                    rounding,
                    method: method.clone(),
                }
            })
            .collect())
    }
}

#[cfg(test)]
mod tests;
