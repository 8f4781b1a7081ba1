//! What a round pays and how long it lasts, computed without a random number.
//!
//! An independent reading of 693.6(d) to (g): it shares the paytable's data with the simulator
//! and no rule of play.
//!
//! | question | method | guarantee |
//! | --- | --- | --- |
//! | mean and variance of the meter, no floor in reach | polynomials of the counter in rationals | exact, rounded outward once |
//! | the same with the floor, no limit on spins | the above plus tables solved in floating point | bounds proved by residual in interval arithmetic |
//! | the same with `max_spins` | value iteration in intervals, or the figures without the limit and a bound on what it cuts off | rounded outward; cut multipliers bounded |
//! | the same with a cap | inequalities in the first two moments | valid, wide where the cap is within reach |
//! | hit frequency | least root of one equation | monotone iteration from both sides |
//! | expected number and variance of spins | Wald's formulas in rationals; with `max_spins` forward in time | exact; rounded outward |
//! | law of the number of spins | forward in time | rounded outward, tail stated |
//! | return, volatility index, shares of 5319.47(a)(8) | formulas of the payout convention | rounded outward; shares add up exactly |
//!
//! `lower <= truth <= upper` for every [`Enclosure`], whatever the paytable; where a calculation
//! would be too large the bounds are wide, or there is an [`ExactError`], but never a wrong bound. On the Pennsylvania wheels the
//! relative width of mean and variance is below 1e-12.
//!
//! Not here: the whole distribution of the meter, and with it quantiles, higher moments and the
//! exact effect of `max_meter` and `[limits]`; those two are enclosed from the first two moments for now.
//!
//! | file | holds |
//! | --- | --- |
//! | `enclosure`, `interval` | numbers with bounds |
//! | `law`, `starts` | the game's randomness in rationals |
//! | `poly`, `moments` | everything that is exact |
//! | `floor`, `pair` | the equations of what the floor adds |
//! | `supersolution`, `unlimited` | their solution and its proof without a limit on spins |
//! | `horizon` | both with a limit on spins |
//! | `range` | the largest meter, by reachability |
//! | `meter`, `cap`, `length`, `returns` | the figures |
//!
//! # Examples
//! [`solve`] takes a paytable and a trigger; [`solve_all`] shares the work between triggers.

mod cap;
pub mod distribution;
mod enclosure;
pub mod enumeration;
mod floor;
mod horizon;
mod interval;
mod law;
mod length;
mod meter;
mod moments;
mod pair;
mod poly;
mod range;
#[cfg(test)]
mod referee;
mod returns;
mod starts;
mod supersolution;
#[cfg(test)]
mod tests;
mod unlimited;

use std::fmt;

use dashu_ratio::RBig;
use thiserror::Error;

pub use enclosure::Enclosure;
pub use length::SpinsDistribution;
pub use range::{LargestMeter, largest_meter};
pub use returns::{
    DEFAULT_LEVEL, RationalEnclosure, ReturnPart, Returns, VolatilityIndex, returns,
};

use crate::paytable::{Paytable, TriggerTerms};
use crate::rules::Trigger;
use floor::FloorTables;
use horizon::{CutOff, Iteration};
use interval::Interval;
use law::Law;
use starts::Starts;
use unlimited::Solver;

/// Relative width of mean and variance at which the tables stop growing.
const TARGET_WIDTH: f64 = 2e-13;
/// Relative size of what a limit cuts off at which it is as good as no limit.
const NEGLIGIBLE: f64 = 1e-14;
/// How often the tables may grow.
const MAX_GROWTHS: usize = 6;

/// Why a calculation was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExactError {
    /// The paytable has no such trigger.
    #[error("the paytable has no trigger {trigger} (693.6(d))")]
    UnknownTrigger {
        /// The trigger asked for.
        trigger: Trigger,
    },
    /// A round need not end: the counter's drift is not negative and there is no limit.
    #[error(
        "the counter's drift of {drift} per spin is not negative and there is no `max_spins`: a round need not end"
    )]
    NotEnding {
        /// Expected change of the counter in one spin.
        drift: RBig,
    },
    /// The calculation would take too long; known before it starts.
    #[error(
        "a limit of {max_spins} spins takes about {steps} elementary steps, more than {limit} allowed"
    )]
    TooLarge {
        /// The paytable's limit on spins.
        max_spins: u32,
        /// Elementary steps needed, roughly.
        steps: u64,
        /// Elementary steps allowed.
        limit: u64,
    },
}

/// How the mean and the variance of the meter were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// No floor in reach: rationals throughout.
    Rational,
    /// Rationals plus tables for the floor, proved by residual.
    Residual {
        /// Largest counter of the tables.
        levels: u32,
        /// Multipliers of the tables, from the floor up.
        multipliers: u32,
    },
    /// Value iteration over the spins before the limit.
    ValueIteration {
        /// The limit on spins.
        spins: u32,
    },
    /// The figures without a limit, and a bound on what the limit cuts off.
    CutOff {
        /// The limit on spins.
        spins: u32,
    },
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rational => f.write_str("rational polynomials"),
            Self::Residual {
                levels,
                multipliers,
            } => write!(
                f,
                "rational polynomials and floor tables of {levels} counters by {multipliers} multipliers, bounded by residual"
            ),
            Self::ValueIteration { spins } => {
                write!(f, "value iteration over {spins} spins in intervals")
            }
            Self::CutOff { spins } => write!(
                f,
                "moments without a limit on spins, less a bound on what the limit of {spins} cuts off"
            ),
        }
    }
}

/// Figures for one stake under a cap in money, `[limits]`.
#[derive(Debug, Clone, PartialEq)]
pub struct StakeFigures {
    /// The stake, in the unit of the paytable's limits.
    pub stake: u64,
    /// What the meter is capped at: `max_win / stake`, or `max_meter` where that is less.
    pub cap: RBig,
    /// Expected capped meter.
    pub mean_meter: Enclosure,
    /// Variance of the capped meter.
    pub variance_meter: Enclosure,
    /// The returns with this cap.
    pub returns: Returns,
}

/// The exact figures of one trigger.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// The trigger.
    pub trigger: Trigger,
    /// Expected meter of a round as it is paid, with `max_meter` applied.
    pub mean_meter: Enclosure,
    /// Variance of that meter.
    pub variance_meter: Enclosure,
    /// Its square root.
    pub std_dev_meter: Enclosure,
    /// Expected meter without `max_meter`.
    pub uncapped_mean_meter: Enclosure,
    /// Variance of the meter without `max_meter`.
    pub uncapped_variance_meter: Enclosure,
    /// P(meter > 0).
    pub hit_frequency: Enclosure,
    /// P(meter = 0).
    pub zero_probability: Enclosure,
    /// Expected number of spins of a round.
    pub mean_spins: Enclosure,
    /// Variance of the number of spins.
    pub variance_spins: Enclosure,
    /// Expected number of spins as a fraction, where there is no limit on spins.
    pub mean_spins_fraction: Option<RBig>,
    /// Law of the number of spins.
    pub spins: SpinsDistribution,
    /// Expected change of the counter in one spin.
    pub drift: RBig,
    /// The method behind mean and variance.
    pub method: Method,
    /// Returns of a wager, with `max_meter` applied.
    pub returns: Returns,
    /// Figures for each stake of the paytable's `[limits]`, in their order.
    pub stakes: Vec<StakeFigures>,
}

/// Mean and variance of the meter without a cap.
#[derive(Debug, Clone, Copy)]
struct Meter {
    mean: Enclosure,
    variance: Enclosure,
    method: Method,
}

/// The exact figures of one trigger.
///
/// # Errors
/// - [`ExactError::UnknownTrigger`]: the paytable lacks the trigger
/// - [`ExactError::NotEnding`]: a round need not end
/// - [`ExactError::TooLarge`]: `max_spins` is too large for a drift that is not negative
///
/// # Performance
/// Tens of milliseconds for the Pennsylvania wheels; the work grows with the number of spins of the
/// trigger, with the number of different boost weights, and near a drift of 0.
///
/// # Source
/// 58 Pa. Code 693.6(d) to (g); derivations in the modules' headers.
pub fn solve(paytable: &Paytable, trigger: Trigger) -> Result<Exact, ExactError> {
    let terms = paytable
        .terms(trigger)
        .ok_or(ExactError::UnknownTrigger { trigger })?;
    let mut solved = solve_terms(paytable, &[terms])?;
    Ok(solved.swap_remove(0))
}

/// The exact figures of every trigger of a paytable, in its order; they share the tables.
///
/// # Errors
/// As [`solve`].
pub fn solve_all(paytable: &Paytable) -> Result<Vec<Exact>, ExactError> {
    let terms: Vec<&TriggerTerms> = paytable.triggers.iter().collect();
    solve_terms(paytable, &terms)
}

fn solve_terms(paytable: &Paytable, terms: &[&TriggerTerms]) -> Result<Vec<Exact>, ExactError> {
    let law = Law::new(paytable);
    let (drift, _) = law::drift_and_variance(&law.steps(false));
    if drift >= RBig::ZERO && paytable.rules.max_spins.is_none() {
        return Err(ExactError::NotEnding { drift });
    }
    let starts: Vec<Starts> = terms
        .iter()
        .map(|terms| Starts::new(paytable, terms.trigger))
        .collect();
    let games: Vec<(&TriggerTerms, &Starts)> = terms.iter().copied().zip(&starts).collect();
    let meters = match paytable.rules.max_spins {
        None => without_limit(paytable, &law, &games),
        Some(limit) => with_limit(paytable, &law, &games, limit)?,
    };
    Ok(games
        .into_iter()
        .zip(meters)
        .map(|((terms, starts), meter)| finish(paytable, &law, terms, starts, meter, &drift))
        .collect())
}

/// Rationals, and tables where the floor can be reached, grown until they are sharp.
fn without_limit(paytable: &Paytable, law: &Law, games: &[(&TriggerTerms, &Starts)]) -> Vec<Meter> {
    let polynomials = moments::unlimited(law);
    let exact: Vec<(RBig, RBig)> = games
        .iter()
        .map(|(terms, starts)| {
            meter::unfloored(law, starts, &polynomials, |poly| {
                poly.at(i64::from(terms.spins))
            })
        })
        .collect();
    if law.largest_drop() == 0 {
        return exact
            .iter()
            .map(|(mean, second)| Meter {
                mean: Enclosure::from_rational(mean),
                variance: Enclosure::from_rational(&(second - mean * mean)),
                method: Method::Rational,
            })
            .collect();
    }
    let start = games
        .iter()
        .map(|(terms, _)| terms.spins)
        .max()
        .unwrap_or(1);
    let mut solver =
        Solver::new(law, &polynomials, start).expect("a drift below zero leaves room for a bound");
    let floor = paytable.rules.multiplier_floor;
    let assemble = |tables: &FloorTables, method: Method| -> Vec<Meter> {
        games
            .iter()
            .zip(&exact)
            .map(|((terms, starts), (mean, second))| {
                let (first, both) = meter::from_floor(law, starts, floor, tables, terms.spins);
                let variance = Interval::from_rational(&(second - mean * mean));
                let mean = Interval::from_rational(mean);
                let two = Interval::point(2.0);
                let added = both - two * mean * first - first.square();
                Meter {
                    mean: Enclosure::from_interval(mean + first),
                    variance: Enclosure::from_interval(variance + added).within(0.0, f64::INFINITY),
                    method,
                }
            })
            .collect()
    };
    let sharpness = |meters: &[Meter]| {
        meters.iter().fold(0.0_f64, |worst, meter| {
            worst
                .max(meter.mean.relative_width())
                .max(meter.variance.relative_width())
        })
    };
    let method = |frame: unlimited::Frame| Method::Residual {
        levels: u32::try_from(frame.levels).unwrap_or(u32::MAX),
        multipliers: u32::try_from(frame.width).unwrap_or(u32::MAX),
    };
    let mut solved = solver.solve();
    let mut best = assemble(&solved.tables, method(solver.frame()));
    for _ in 0..MAX_GROWTHS {
        if sharpness(&best) <= TARGET_WIDTH || !solver.grow(&solved) {
            break;
        }
        solved = solver.solve();
        let meters = assemble(&solved.tables, method(solver.frame()));
        if sharpness(&meters) < sharpness(&best) {
            best = meters;
        }
    }
    best
}

/// A bound on what the limit cuts off where that is sharp, else value iteration.
fn with_limit(
    paytable: &Paytable,
    law: &Law,
    games: &[(&TriggerTerms, &Starts)],
    limit: u32,
) -> Result<Vec<Meter>, ExactError> {
    let cuts: Option<Vec<CutOff>> = games
        .iter()
        .map(|(terms, starts)| CutOff::new(law, starts, terms.spins, limit))
        .collect();
    let iteration = Iteration::new(law, limit);
    let fits = iteration.work() <= horizon::MAX_WORK;
    if let Some(cuts) = cuts {
        // The least that a mean and a second moment can be here is of the order of 1.
        let small = cuts
            .iter()
            .all(|cut| cut.mean <= NEGLIGIBLE && cut.second <= NEGLIGIBLE);
        if small || !fits {
            let meters = without_limit(paytable, law, games);
            return Ok(meters
                .into_iter()
                .zip(cuts)
                .map(|(meter, cut)| less_cut_off(meter, cut, limit))
                .collect());
        }
    }
    if !fits {
        return Err(ExactError::TooLarge {
            max_spins: limit,
            steps: rounded(iteration.work()),
            limit: rounded(horizon::MAX_WORK),
        });
    }
    let layer = iteration.run();
    let floor = paytable.rules.multiplier_floor;
    Ok(games
        .iter()
        .map(|(terms, starts)| {
            let (mean, second) = meter::unfloored(law, starts, &layer.moments, |column| {
                column.at(i64::from(terms.spins))
            });
            let (mean, second) = if law.largest_drop() > 0 {
                let (first, both) =
                    meter::from_floor(law, starts, floor, &layer.tables, terms.spins);
                (mean + first, second + both)
            } else {
                (mean, second)
            };
            Meter {
                mean: Enclosure::from_interval(mean),
                variance: Enclosure::from_interval(second - mean.square())
                    .within(0.0, f64::INFINITY),
                method: Method::ValueIteration { spins: limit },
            }
        })
        .collect())
}

/// The figures with a limit from those without: E[M_T^k] in [E[M^k] - cut, E[M^k]].
fn less_cut_off(meter: Meter, cut: CutOff, limit: u32) -> Meter {
    let lost = |most: f64| Interval { lo: -most, hi: 0.0 };
    let free = meter.mean.interval();
    let mean = free + lost(cut.mean);
    let mean = Interval {
        lo: mean.lo.max(0.0),
        hi: mean.hi,
    };
    // Var M_T = Var M - (loss of E[M^2]) + (loss of the mean) (sum of both means).
    let regained = Interval {
        lo: 0.0,
        hi: (Interval::point(cut.mean) * (free + mean)).hi,
    };
    let variance = meter.variance.interval() + lost(cut.second) + regained;
    Meter {
        mean: Enclosure::from_interval(mean),
        variance: Enclosure::from_interval(variance).within(0.0, f64::INFINITY),
        method: Method::CutOff { spins: limit },
    }
}

/// A positive number as an integer, for messages.
fn rounded(number: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float cast saturates, and the number is only shown"
    )]
    let whole = number as u64;
    whole
}

/// All figures of a trigger from the meter's.
fn finish(
    paytable: &Paytable,
    law: &Law,
    terms: &TriggerTerms,
    starts: &Starts,
    meter: Meter,
    drift: &RBig,
) -> Exact {
    let max_spins = paytable.rules.max_spins;
    let zero_probability =
        Enclosure::from_interval(length::zero_probability(law, terms.spins, max_spins))
            .within(0.0, 1.0);
    let hit_frequency = (Enclosure::ONE - zero_probability).within(0.0, 1.0);
    let lengths = length::lengths(law, terms.spins, max_spins);
    let unlimited =
        (*drift < RBig::ZERO).then(|| length::unlimited_moments(&law.steps(false), terms.spins));
    let (mean_spins, variance_spins, mean_spins_fraction) = match (max_spins, unlimited) {
        (None, Some((mean, variance))) => (
            Enclosure::from_rational(&mean),
            Enclosure::from_rational(&variance),
            Some(mean),
        ),
        (limit, unlimited) => {
            let limit = limit.expect("without a limit the drift is negative");
            let cut = CutOff::new(law, starts, terms.spins, limit);
            let (mean, second) = limited_spins(&lengths, limit, unlimited, cut);
            (
                Enclosure::from_interval(mean),
                Enclosure::from_interval(second - mean.square()).within(0.0, f64::INFINITY),
                None,
            )
        }
    };

    let capped = |cap: &RBig| {
        let (mean, variance) = cap::capped(
            meter.mean.interval(),
            meter.variance.interval(),
            zero_probability.interval(),
            cap,
        );
        (
            Enclosure::from_interval(mean),
            Enclosure::from_interval(variance),
        )
    };
    let max_meter = paytable.rules.max_meter.map(RBig::from);
    let (mean_meter, variance_meter) = max_meter
        .as_ref()
        .map_or((meter.mean, meter.variance), &capped);
    let returns_of =
        |mean, variance| returns(paytable.payout, terms, mean, variance, zero_probability);
    let stakes = paytable.limits.as_ref().map_or_else(Vec::new, |limits| {
        limits
            .stakes
            .iter()
            .map(|&stake| {
                let money = RBig::from(limits.max_win) / RBig::from(stake);
                let cap = match &max_meter {
                    Some(meter) if *meter < money => meter.clone(),
                    _ => money,
                };
                let (mean_meter, variance_meter) = capped(&cap);
                StakeFigures {
                    stake,
                    cap,
                    mean_meter,
                    variance_meter,
                    returns: returns_of(mean_meter, variance_meter),
                }
            })
            .collect()
    });
    Exact {
        trigger: terms.trigger,
        mean_meter,
        variance_meter,
        std_dev_meter: variance_meter.sqrt(),
        uncapped_mean_meter: meter.mean,
        uncapped_variance_meter: meter.variance,
        hit_frequency,
        zero_probability,
        mean_spins,
        variance_spins,
        mean_spins_fraction,
        spins: lengths.distribution,
        drift: drift.clone(),
        method: meter.method,
        returns: returns_of(mean_meter, variance_meter),
        stakes,
    }
}

/// First two moments of min(spins, limit).
///
/// The forward recursion counted E[min(spins, counted)^k] for a `counted` of at most the limit. Where it stopped
/// earlier the rest lies between that and the figures without a limit, less what the limit cuts off.
fn limited_spins(
    lengths: &length::Lengths,
    limit: u32,
    unlimited: Option<(RBig, RBig)>,
    cut: Option<CutOff>,
) -> (Interval, Interval) {
    if lengths.counted == limit {
        return (lengths.mean, lengths.second);
    }
    let tail = Interval::point(lengths.distribution.tail.upper());
    let all = Interval::from_int(i64::from(limit));
    let mut mean = Interval {
        lo: lengths.mean.lo,
        hi: (lengths.mean + tail * all).hi,
    };
    let mut second = Interval {
        lo: lengths.second.lo,
        hi: (lengths.second + tail * all * all).hi,
    };
    if let Some((free, variance)) = unlimited {
        let square = Interval::from_rational(&(variance + &free * &free));
        let free = Interval::from_rational(&free);
        mean.hi = mean.hi.min(free.hi);
        second.hi = second.hi.min(square.hi);
        if let Some(cut) = cut {
            mean.lo = mean.lo.max((free - Interval::point(cut.spins)).lo);
            second.lo = second
                .lo
                .max((square - Interval::point(cut.spins_second)).lo);
        }
    }
    (mean, second)
}
