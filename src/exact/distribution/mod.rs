//! The distribution of the meter, 693.6(g), and what follows from it.
//!
//! A calculator hands over a [`Held`] law: for every meter x a part l(x) of its probability, within the rounding of `pmf`.
//!
//! ```text
//! P(M = x) = l(x) + rest(x),   rest(x) >= 0,   sum of rest = R = 1 - sum of l
//! ```
//!
//! R is bounded by the calculator and by that sum, whichever is less. Every figure is a sum over l plus what the rest can
//! add: at most R to a probability, and to a moment what the
//! exact moments of [`solve`](super::solve) and the Cauchy-Schwarz inequality leave (`rest`). The same inequalities
//! compare the two methods each time ([`DistributionError::Contradiction`]).
//!
//! # Guarantee
//! `lower <= truth <= upper` for every [`Enclosure`], rounding included. Bounds that are not
//! known are infinite here and left out of documents.
//!
//! # Cost
//! A smaller tolerance costs more: about four times the work for a quarter of it. Who reaches the floor in a round must
//! be told apart, and the rounds in which many do are rare and of very many kinds. Speeds and bounds stand in the benches.
//!
//! | file | holds |
//! | --- | --- |
//! | `spin`, `parts` | the law of a spin, and what tables are indexed by |
//! | `horizon`, `plan` | how large the tables must be |
//! | `backward` | the recursion and its proof |
//! | `ways` | from the tables to the start of a round |
//! | `tables` | plans and runs until the tolerance is met |
//! | `held` | the interface to what follows |
//! | `rest` | what is known of the part that is not held |
//! | `growth` | a bound on the eighth moment, by a game that pays more |
//! | `figures`, `sums` | the distribution and its moments |
//! | `odds` | probabilities, odds, quantiles |
//! | `capped` | the law under a cap |
//! | `band`, `fourier` | where the mean of many rounds lies |
//! | `joint` | both triggers' bets on one spin of the main wheel |

mod backward;
mod band;
mod capped;
mod figures;
mod fourier;
mod growth;
mod held;
mod horizon;
mod joint;
mod odds;
mod parts;
mod plan;
mod rest;
mod spin;
mod sums;
mod tables;
#[cfg(test)]
mod tests;
mod ways;

use thiserror::Error;

pub use band::{AcceptanceBand, BandMethod};
pub use figures::Distribution;
pub use held::Held;
pub use joint::Joint;
pub use odds::Quantile;

use super::enumeration::enumerate;
use super::{Enclosure, Exact};
use crate::paytable::{Paytable, TriggerTerms};
use crate::rules::Trigger;

/// States at one time where rounds are enumerated.
const MOST_ENUMERATED: usize = 5000;
/// Meters that a distribution lists at most.
const MOST_METERS: usize = 1 << 20;

/// What a distribution may cost and how sharp it must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistributionOptions {
    /// Largest bound on the total-variation distance from the truth, in (0, 1); `None` for what some seconds give.
    pub tolerance: Option<f64>,
    /// Bytes that the tables may take, on all threads together.
    pub memory_limit: u64,
}

impl Default for DistributionOptions {
    fn default() -> Self {
        Self {
            tolerance: None,
            memory_limit: 4 << 30,
        }
    }
}

/// Why a distribution, or a figure of it, was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DistributionError {
    /// The tolerance is not a number above 0 and below 1.
    #[error("the tolerance must be in (0, 1), found {tolerance}")]
    Tolerance {
        /// The tolerance asked for.
        tolerance: f64,
    },
    /// The bound cannot be brought down to the tolerance.
    #[error(
        "a total-variation bound of {tolerance:e} is out of reach for trigger {trigger}; the best is {best:.1e}"
    )]
    OutOfReach {
        /// The trigger.
        trigger: Trigger,
        /// The tolerance asked for.
        tolerance: f64,
        /// The bound that was reached.
        best: f64,
    },
    /// The tables would take too much memory; known before they are computed, or while they are.
    #[error(
        "the distribution of trigger {trigger} takes at least {bytes} bytes, more than the {limit} allowed"
    )]
    Memory {
        /// The trigger.
        trigger: Trigger,
        /// Bytes needed at least.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// No calculator treats such a paytable.
    #[error("the distribution of trigger {trigger} cannot be computed: {reason}")]
    Unsupported {
        /// The trigger.
        trigger: Trigger,
        /// What stands in the way.
        reason: &'static str,
    },
    /// Two methods contradict each other: one of them is wrong, and no figure is given.
    #[error(
        "the distribution of trigger {trigger} contradicts the exact {figure}: {held} against {exact}; \
         this is a fault of the program, please report it"
    )]
    Contradiction {
        /// The trigger.
        trigger: Trigger,
        /// What both methods give.
        figure: &'static str,
        /// Bounds from the distribution.
        held: Enclosure,
        /// Bounds from the other method.
        exact: Enclosure,
    },
    /// The level of a band is not a number above 0 and below 1, or there are no rounds.
    #[error("a band needs a level in (0, 1) and at least one round, found {level} and {rounds}")]
    Band {
        /// The level asked for.
        level: f64,
        /// The rounds asked for.
        rounds: u64,
    },
    /// No band can be proved: the variance has no finite bound.
    #[error(
        "no band of {rounds} rounds of trigger {trigger} can be proved at the level {level}: \
         the distribution is too coarse and its variance has no finite bound"
    )]
    NoBand {
        /// The trigger.
        trigger: Trigger,
        /// The level asked for.
        level: f64,
        /// The rounds asked for.
        rounds: u64,
    },
}

/// The distribution of the meter as it is paid, with `max_meter` applied, for each trigger whose exact figures are
/// given, in their order.
///
/// # Errors
/// See [`DistributionError`].
///
/// # Panics
/// If the figures are those of another paytable without such a trigger.
///
/// # Accuracy
/// [`Distribution::total_variation_bound`] is at most the tolerance, if there is one. Equal inputs give equal bytes
/// for every number of threads.
///
/// # Performance
/// Seconds where no tolerance is given. One trigger alone may be had more sharply than two: the tables are made for the
/// longest rounds.
///
/// # Source
/// 58 Pa. Code 693.6(d) to (g).
pub fn distributions(
    paytable: &Paytable,
    exact: &[Exact],
    options: &DistributionOptions,
) -> Result<Vec<Distribution>, DistributionError> {
    if let Some(tolerance) = options.tolerance
        && (tolerance.is_nan() || tolerance <= 0.0 || tolerance >= 1.0)
    {
        return Err(DistributionError::Tolerance { tolerance });
    }
    let terms: Vec<&TriggerTerms> = exact
        .iter()
        .map(|exact| {
            let terms = paytable.terms(exact.trigger);
            terms.expect("exact figures of this paytable")
        })
        .collect();
    let laws = match enumerated(paytable, &terms) {
        Some(laws) => laws,
        None => tables::held(paytable, &terms, &reaching(paytable, exact), options)?,
    };
    let eighths: Vec<(Trigger, Option<f64>)> = paytable
        .triggers
        .iter()
        .map(|terms| terms.trigger)
        .zip(growth::eighth_moments(paytable))
        .collect();
    exact
        .iter()
        .zip(laws)
        .map(|(exact, law)| {
            let eighth = eighths
                .iter()
                .find(|(trigger, _)| *trigger == exact.trigger);
            let eighth = eighth.and_then(|(_, eighth)| *eighth);
            let mut found = Distribution::new(exact.trigger, law, exact, eighth)?;
            if let Some(cap) = paytable.rules.max_meter {
                found = found.with_cap(cap)?;
            }
            let best = found.total_variation_bound;
            if let Some(tolerance) = options.tolerance
                && best > tolerance
            {
                return Err(DistributionError::OutOfReach {
                    trigger: exact.trigger,
                    tolerance,
                    best,
                });
            }
            Ok(found)
        })
        .collect()
}

/// Bounds on the probability that a round lasts until the last spin of `max_spins`; 0 without one.
fn reaching(paytable: &Paytable, exact: &[Exact]) -> Vec<f64> {
    let limit = paytable.rules.max_spins;
    let of_trigger = |exact: &Exact| {
        let last = limit.and_then(|limit| {
            let at = usize::try_from(limit).ok()?.checked_sub(1)?;
            exact.spins.probabilities.get(at)
        });
        let listed = last.map_or(0.0, |last| last.upper());
        if limit.is_some() {
            // The sum rounds by less.
            (listed + exact.spins.tail.upper()) * (1.0 + 1e-12)
        } else {
            0.0
        }
    };
    exact.iter().map(of_trigger).collect()
}

/// Short games by playing every course.
fn enumerated(paytable: &Paytable, terms: &[&TriggerTerms]) -> Option<Vec<Held>> {
    let limit = paytable.rules.max_spins?;
    terms
        .iter()
        .map(|terms| {
            let found = enumerate(paytable, terms.trigger, limit, MOST_ENUMERATED)?;
            let method = format!(
                "every course of {limit} spins in rationals, up to {} at a time",
                found.states
            );
            Held::from_rationals(&found.pmf, MOST_METERS, method)
        })
        .collect()
}
