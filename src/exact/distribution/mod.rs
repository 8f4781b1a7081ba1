//! The whole distribution of the meter, 693.6(g), with a bound on its error.
//!
//! # Formula
//! The generating function of the meter is built backwards in time at the K-th roots of unity and transformed back. Outside a
//! set U of characters multipliers are allowed to fall below the floor: what such a character pays is linear in its multiplier
//! with the number of its future hits as slope, so hit counts replace multipliers, sorted where characters are alike. What
//! the floor changes is added as an expansion over the sets U that it touches (`kernel`). One pass over the tables serves
//! all triggers.
//!
//! # Guarantee
//! [`Distribution::total_variation_bound`] adds up what is left out, each part bounded by a calculation of its own
//! (`certificate`, `plan`, `transform`): counts and counters beyond the tables, the truncation of each U's table, all
//! larger U, meters beyond K. The bound is proved but far from sharp: terms with larger U are differences of nearly equal laws, which the
//! bound counts as if they were apart. The tolerance is kept by the bound, not by the error.
//!
//! # Limits
//! Potions that take multipliers down often, or starts near the floor, make every U matter, and a small tolerance out of
//! reach: [`DistributionError::OutOfReach`] says what can be had. `max_spins` is served where it cuts off less than the
//! tolerance, or where the rounds are short enough to be enumerated. Starts of tens of spins are refused.
//!
//! | file | holds |
//! | --- | --- |
//! | `game` | the law of a spin in floating point |
//! | `lanes`, `circle` | complex arithmetic, roots of unity, the inverse transform |
//! | `sets`, `layer`, `counts` | which values a table holds |
//! | `kernel` | the recursion |
//! | `starts` | the law of the starting multipliers |
//! | `certificate`, `plan` | sizes and bounds |
//! | `transform` | all angles, and K |
//! | `figures` | what follows from a distribution |

mod certificate;
mod circle;
mod counts;
mod figures;
mod game;
mod kernel;
mod lanes;
mod layer;
mod plan;
mod sets;
mod starts;
#[cfg(test)]
mod tests;
mod transform;

use thiserror::Error;

pub use figures::Distribution;

use super::enumeration::enumerate;
use crate::paytable::{Paytable, TriggerTerms};
use crate::rules::Trigger;
use game::Game;
use plan::{Group, OutOfReach};

/// Added to every bound for rounding: about 1000 times what the sums can lose.
const ROUNDING: f64 = 1e-12;
/// Expected spins of a round at most.
const MOST_EXPECTED_SPINS: f64 = 40.0;
/// Values computed in all at most.
const MOST_STEPS: u64 = 60_000_000_000;
/// States at one time where rounds are enumerated.
const MOST_ENUMERATED: usize = 20_000;

/// What a distribution may cost and how sharp it must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistributionOptions {
    /// Largest bound on the total-variation distance from the truth.
    pub tolerance: f64,
    /// Bytes that the tables may take, on all threads together.
    pub memory_limit: u64,
}

impl Default for DistributionOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            memory_limit: 1 << 30,
        }
    }
}

/// Why a distribution was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DistributionError {
    /// The tolerance is not a number above 0.
    #[error("the tolerance must be above 0 and below 1, not {tolerance}")]
    Tolerance {
        /// The tolerance asked for.
        tolerance: f64,
    },
    /// The bound cannot be brought down to the tolerance.
    #[error(
        "a total-variation bound of {tolerance:e} is out of reach for this paytable; nothing below {best:.1e} can be had"
    )]
    OutOfReach {
        /// The tolerance asked for.
        tolerance: f64,
        /// A number that no bound can be brought below; what can be had may be above it.
        best: f64,
    },
    /// The tables would take too much memory.
    #[error("the tables take {bytes} bytes, more than the {limit} allowed")]
    Memory {
        /// Bytes needed.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The calculation would take too long.
    #[error("the calculation takes {steps} steps, more than the {limit} allowed")]
    TooLarge {
        /// Steps needed.
        steps: u64,
        /// Steps allowed.
        limit: u64,
    },
    /// Rounds are too long for tables of hit counts.
    #[error("rounds of trigger {trigger} are too long for a distribution: about {spins:.0} spins")]
    TooLong {
        /// The trigger.
        trigger: Trigger,
        /// Expected number of spins.
        spins: f64,
    },
    /// A limit on spins that matters and leaves too many courses to play out.
    #[error(
        "`max_spins` = {max_spins} cuts off more than the tolerance and leaves too many courses to enumerate"
    )]
    MaxSpins {
        /// The limit.
        max_spins: u32,
    },
}

/// The distribution of the meter for every trigger of a paytable, in its order, with `max_meter` applied.
///
/// # Errors
/// See [`DistributionError`]; memory and time are known before the long part starts.
///
/// # Accuracy
/// [`Distribution::total_variation_bound`] is at most the tolerance. Equal inputs give equal bytes for every
/// number of threads.
///
/// # Source
/// 58 Pa. Code 693.6(d) to (g).
pub fn distribution(
    paytable: &Paytable,
    options: &DistributionOptions,
) -> Result<Vec<Distribution>, DistributionError> {
    let tolerance = options.tolerance;
    // Written so that NaN fails.
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(DistributionError::Tolerance { tolerance });
    }
    let game = Game::new(paytable);
    let mut cut = vec![0.0; paytable.triggers.len()];
    if let Some(limit) = paytable.rules.max_spins {
        for (cut, terms) in cut.iter_mut().zip(&paytable.triggers) {
            *cut = game.outlasts(spins(terms), limit as usize);
        }
        let is_negligible = game.expected_spins(1) > 0.0;
        if !is_negligible || cut.iter().any(|&cut| cut > 0.1 * tolerance) {
            return enumerated(paytable, limit);
        }
    }
    for terms in &paytable.triggers {
        let expected = game.expected_spins(spins(terms));
        if expected > MOST_EXPECTED_SPINS {
            return Err(DistributionError::TooLong {
                trigger: terms.trigger,
                spins: expected,
            });
        }
    }
    calculated(paytable, &game, &cut, options)
}

fn spins(terms: &TriggerTerms) -> usize {
    usize::try_from(terms.spins).unwrap_or(usize::MAX)
}

/// By tables, with what a limit on spins cuts off added to the bound.
fn calculated(
    paytable: &Paytable,
    game: &Game,
    cut: &[f64],
    options: &DistributionOptions,
) -> Result<Vec<Distribution>, DistributionError> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, terms) in paytable.triggers.iter().enumerate() {
        let law = starts::Law::new(paytable, terms.trigger);
        let entry = (index, spins(terms));
        match groups.iter_mut().find(|group| group.law == law) {
            Some(group) => group.triggers.push(entry),
            None => groups.push(Group {
                law,
                triggers: vec![entry],
            }),
        }
    }
    let tolerance = options.tolerance;
    let out_of_reach = |best: f64| DistributionError::OutOfReach { tolerance, best };
    let most = cut
        .iter()
        .fold(ROUNDING, |most, &cut| most.max(cut + ROUNDING));
    if tolerance < 2.0 * most {
        return Err(out_of_reach(2.0 * most));
    }
    let left = tolerance - most;
    let plan = plan::plan(game, &groups, left).map_err(|OutOfReach(best)| out_of_reach(best))?;
    let (size, tails) = transform::meters(game, &groups, &plan, 0.05 * left);
    let worst = tails.iter().fold(0.0_f64, |worst, &tail| worst.max(tail));
    if worst.is_nan() || worst > 0.1 * left {
        return Err(out_of_reach(worst + tolerance));
    }
    let threads = rayon::current_num_threads();
    let bytes = (transform::values_held(&plan) * size_of::<lanes::Lanes<{ transform::LANES }>>())
        .saturating_mul(threads) as u64;
    if bytes > options.memory_limit {
        return Err(DistributionError::Memory {
            bytes,
            limit: options.memory_limit,
        });
    }
    let steps = (transform::steps(&plan) as u64).saturating_mul(size as u64 / 2 + 1);
    if steps > MOST_STEPS {
        return Err(DistributionError::TooLarge {
            steps,
            limit: MOST_STEPS,
        });
    }
    let method = format!(
        "generating functions at {} angles, floor expanded to sets of {} characters, {} values for each angle",
        size / 2 + 1,
        plan.order,
        transform::steps(&plan),
    );
    let exact = super::solve_all(paytable).ok();
    let probabilities = transform::probabilities(game, &groups, &plan, size);
    let mut found = Vec::new();
    for (index, (terms, pmf)) in paytable.triggers.iter().zip(probabilities).enumerate() {
        let bound = plan.bounds[index].total() + tails[index] + cut[index] + ROUNDING;
        let mut one = Distribution::new(terms.trigger, pmf, bound, method.clone());
        if let Some(exact) = &exact {
            one.compare(
                exact[index].uncapped_mean_meter,
                exact[index].uncapped_variance_meter,
            );
        }
        found.push(paid(paytable, one));
    }
    Ok(found)
}

/// By playing every course.
fn enumerated(paytable: &Paytable, limit: u32) -> Result<Vec<Distribution>, DistributionError> {
    paytable
        .triggers
        .iter()
        .map(|terms| {
            let found = enumerate(paytable, terms.trigger, limit, MOST_ENUMERATED)
                .filter(|found| found.unfinished.is_zero())
                .ok_or(DistributionError::MaxSpins { max_spins: limit })?;
            let largest = found.pmf.keys().next_back().copied().unwrap_or(0);
            let size = usize::try_from(largest)
                .ok()
                .filter(|&size| size < 1 << 24)
                .ok_or(DistributionError::MaxSpins { max_spins: limit })?;
            let mut pmf = vec![0.0; size + 1];
            for (&meter, mass) in &found.pmf {
                if let Some(entry) = usize::try_from(meter).ok().and_then(|x| pmf.get_mut(x)) {
                    *entry = mass.to_f64().value();
                }
            }
            let method = format!(
                "every course of {limit} spins, up to {} at a time",
                found.states
            );
            let one = Distribution::new(terms.trigger, pmf, ROUNDING, method);
            Ok(paid(paytable, one))
        })
        .collect()
}

/// With the paytable's cap.
fn paid(paytable: &Paytable, uncapped: Distribution) -> Distribution {
    match paytable.rules.max_meter {
        Some(cap) => uncapped.capped(cap),
        None => uncapped,
    }
}
