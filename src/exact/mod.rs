//! What a round pays and how long it lasts, computed without a random number.
//!
//! An independent reading of 693.6(d) to (g): it shares the paytable's data with the simulator
//! and no rule of play.
//!
//! | question | method | guarantee |
//! | --- | --- | --- |
//! | mean and variance of the meter, no floor in reach | polynomials of the counter in rationals | exact, rounded outward once |
//! | the same with the floor, no limit on spins | the above plus tables solved in floating point | bounds proved by residual in interval arithmetic |
//! | the same with a short `max_spins` | recursion in integers over a known denominator | exact |
//! | the same with a longer `max_spins` | value iteration in intervals, or the figures without the limit and a bound on what it cuts off | rounded outward; cut multipliers bounded |
//! | the same with a cap | inequalities in the first two moments | valid, wide where the cap is within reach |
//! | hit frequency | least root of one equation; with a short `max_spins` rationals | monotone iteration from both sides; exact |
//! | expected number and variance of spins | Wald's formulas in rationals; with `max_spins` rationals too, or forward in time | exact; rounded outward |
//! | law of the number of spins | forward in time | rounded outward, tail stated |
//! | shares of the mean by character, by source, by number of spins | linearity; forward in time | values add up exactly, bounds enclose |
//! | derivatives by each section of the wheels | implicit differentiation | exact where the mean is; floor tables proved by residual |
//! | return, volatility index, shares of 5319.47(a)(8) | formulas of the payout convention | rounded outward; shares add up exactly |
//!
//! `lower <= truth <= upper` for every [`Enclosure`], whatever the paytable; where a
//! calculation would be too large the bounds are wide, or there is an [`ExactError`], but never
//! a wrong bound. On the Pennsylvania wheels the relative width of mean and variance is below
//! 1e-12.
//!
//! The whole distribution of the meter, and with it quantiles, higher moments and the exact
//! effect of `max_meter` and `[limits]`, is in [`distribution`]; [`solve`] encloses those two
//! from the first two moments.
//!
//! | file | holds |
//! | --- | --- |
//! | `enclosure`, `interval` | numbers with bounds |
//! | `law`, `starts` | the game's randomness in rationals |
//! | `poly`, `moments` | everything that is exact |
//! | `floor`, `pair` | the equations of what the floor adds |
//! | `unlimited`, `view`, `sweep`, `residual`, `supersolution` | their solution and its proof without a limit on spins |
//! | `horizon` | both with a limit on spins |
//! | `fractions`, `recursion` | figures that are rational, as fractions |
//! | `strategy`, `precision` | which method answers, and how sharply |
//! | `wide` | fewer figures at nine digits, for thousands of paytables |
//! | `meter`, `cap`, `length`, `returns` | the figures |
//! | `contribution`, `by_spins` | where the mean comes from |
//! | `derivative` | how it moves with the wheels |
//! | [`distribution`] | the payout distribution and what follows from it |
//! | [`enumeration`] | every course of short games in rationals, the referee |
//!
//! # Examples
//! [`solve`] takes a paytable and a trigger; [`solve_all`] shares the work between triggers.

mod by_spins;
mod cap;
mod contribution;
mod derivative;
pub mod distribution;
mod enclosure;
pub mod enumeration;
mod floor;
mod fractions;
mod horizon;
mod interval;
mod law;
mod length;
mod meter;
mod moments;
mod pair;
mod poly;
mod precision;
mod range;
mod recursion;
mod residual;
mod returns;
mod starts;
mod strategy;
mod supersolution;
mod sweep;
#[cfg(test)]
mod tests;
mod unlimited;
mod view;
mod wide;

use std::fmt;

use dashu_ratio::RBig;
use thiserror::Error;

pub use by_spins::{SpinCount, by_spins};
pub use contribution::{Contributions, Source, Split};
pub use derivative::{Derivatives, SectionDerivative, derivatives};
pub use enclosure::Enclosure;
pub use fractions::Fractions;
pub use length::SpinsDistribution;
pub use range::{LargestMeter, largest_meter};
pub use returns::{
    DEFAULT_LEVEL, RationalEnclosure, ReturnPart, Returns, VolatilityIndex, returns,
};
pub use wide::{WideFigures, solve_wide};

use crate::paytable::{Paytable, TriggerTerms};
use crate::rules::Trigger;
use horizon::CutOff;
use law::Law;
use precision::Precision;
use starts::Starts;
use strategy::Meter;

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
    /// Derivatives are those of rounds without a limit on spins.
    #[error("derivatives are not known for a paytable with `max_spins`, found {max_spins}")]
    LimitedDerivative {
        /// The paytable's limit on spins.
        max_spins: u32,
    },
    /// The counter's drift is too near 0 for the floor's tables.
    #[error("the counter's drift of {drift} per spin is too near 0 for derivatives")]
    NoDerivative {
        /// Expected change of the counter in one spin.
        drift: RBig,
    },
    /// The calculation would take too long; known before it starts.
    #[error(
        "a limit of {max_spins} spins takes at least {steps} elementary steps, more than {limit} allowed; \
         a smaller `max_spins` or fewer spins of the trigger make it possible"
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
    /// The drift is too near 0 for tables: the game without the floor from below, the game
    /// without any loss of multipliers from above.
    Comparison,
    /// Recursion over the spins before the limit in rationals.
    RationalRecursion {
        /// The limit on spins.
        spins: u32,
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
            Self::Comparison => f.write_str("comparison with games without a floor"),
            Self::RationalRecursion { spins } => {
                write!(f, "recursion over {spins} spins in rationals")
            }
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
    /// Those of these figures that are known as fractions; the enclosures are then the tightest
    /// there are.
    pub fractions: Fractions,
    /// Law of the number of spins.
    pub spins: SpinsDistribution,
    /// Expected change of the counter in one spin.
    pub drift: RBig,
    /// The method behind mean and variance.
    pub method: Method,
    /// The mean without `max_meter`, split by character and by source; `None` where a limit on
    /// spins leaves a part without a finite bound.
    pub contributions: Option<Contributions>,
    /// Returns of a wager, with `max_meter` applied.
    pub returns: Returns,
    /// Figures for each stake of the paytable's `[limits]`, in their order.
    pub stakes: Vec<StakeFigures>,
}

/// The exact figures of one trigger.
///
/// # Errors
/// - [`ExactError::UnknownTrigger`]: the paytable lacks the trigger
/// - [`ExactError::NotEnding`]: a round need not end
/// - [`ExactError::TooLarge`]: `max_spins` is too large for a drift that is not negative
///
/// # Performance
/// Tens of milliseconds for the Pennsylvania wheels; the work grows with the number of spins of
/// the trigger, with the number of different boost weights, and near a drift of 0.
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
    solve_with(paytable, terms, Precision::SHARP)
}

/// All figures, as sharp as is asked.
fn solve_with(
    paytable: &Paytable,
    terms: &[&TriggerTerms],
    precision: Precision,
) -> Result<Vec<Exact>, ExactError> {
    let basis = Basis::new(paytable, terms, precision)?;
    Ok(basis
        .games
        .into_iter()
        .map(|game| finish(paytable, &basis.law, game, &basis.drift))
        .collect())
}

/// What the figures of a paytable are made from.
struct Basis<'a> {
    law: Law,
    /// Expected change of the counter in one spin.
    drift: RBig,
    games: Vec<Game<'a>>,
}

/// One trigger of a paytable with what is known of its meter and its rational figures.
struct Game<'a> {
    terms: &'a TriggerTerms,
    starts: Starts,
    meter: Meter,
    fractions: Fractions,
}

impl<'a> Basis<'a> {
    fn new(
        paytable: &Paytable,
        terms: &[&'a TriggerTerms],
        precision: Precision,
    ) -> Result<Self, ExactError> {
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
        // Tables are sharpest at one counter: triggers share them unless their spins are far apart.
        let (least, most) = games
            .iter()
            .fold((u32::MAX, 0), |(least, most), (terms, _)| {
                (least.min(terms.spins), most.max(terms.spins))
            });
        let together = if most <= least.saturating_mul(4) {
            games.len().max(1)
        } else {
            1
        };
        let fractions = fractions::fractions(paytable, &law, &games, precision.fraction_work);
        let mut meters = Vec::new();
        for (games, fractions) in games.chunks(together).zip(fractions.chunks(together)) {
            meters.extend(strategy::meters(
                paytable, &law, games, fractions, precision,
            )?);
        }
        let games = terms
            .iter()
            .zip(starts)
            .zip(meters.into_iter().zip(fractions))
            .map(|((terms, starts), (meter, fractions))| Game {
                terms,
                starts,
                meter,
                fractions,
            })
            .collect();
        Ok(Self { law, drift, games })
    }
}

impl Game<'_> {
    /// P(meter = 0) and P(meter > 0).
    fn hits(&self, law: &Law, max_spins: Option<u32>) -> (Enclosure, Enclosure) {
        if let Some(hit) = &self.fractions.hit_frequency {
            return (
                Enclosure::from_rational(&(RBig::ONE - hit)),
                Enclosure::from_rational(hit),
            );
        }
        let zero = length::zero_probability(law, self.terms.spins, max_spins);
        let zero = Enclosure::from_interval(zero).within(0.0, 1.0);
        (zero, (Enclosure::ONE - zero).within(0.0, 1.0))
    }

    /// Mean and variance of the number of spins under a limit on them.
    fn limited_spins(
        &self,
        law: &Law,
        lengths: &length::Lengths,
        limit: u32,
        drift: &RBig,
    ) -> (Enclosure, Enclosure) {
        let spins = self.terms.spins;
        let unlimited =
            (*drift < RBig::ZERO).then(|| length::unlimited_moments(&law.steps(false), spins));
        let cut = CutOff::new(law, &self.starts, spins, limit);
        let (mean, second) = strategy::limited_spins(lengths, limit, unlimited, cut);
        (
            Enclosure::from_interval(mean),
            Enclosure::from_interval(second - mean.square()).within(0.0, f64::INFINITY),
        )
    }

    /// Mean and variance of the number of spins where they are rational.
    fn rational_spins(&self) -> Option<(Enclosure, Enclosure)> {
        let (mean, variance) = self.fractions.spins()?;
        Some((
            Enclosure::from_rational(mean),
            Enclosure::from_rational(variance),
        ))
    }

    /// Mean and variance of the meter under a cap.
    fn capped(&self, zero_probability: Enclosure, cap: &RBig) -> (Enclosure, Enclosure) {
        let (mean, variance) = cap::capped(
            self.meter.mean.interval(),
            self.meter.variance.interval(),
            zero_probability.interval(),
            cap,
        );
        (
            Enclosure::from_interval(mean),
            Enclosure::from_interval(variance),
        )
    }

    /// Mean and variance of the meter as it is paid.
    fn paid(&self, zero_probability: Enclosure, cap: Option<&RBig>) -> (Enclosure, Enclosure) {
        cap.map_or((self.meter.mean, self.meter.variance), |cap| {
            self.capped(zero_probability, cap)
        })
    }
}

/// All figures of a trigger from the meter's.
fn finish(paytable: &Paytable, law: &Law, game: Game<'_>, drift: &RBig) -> Exact {
    let terms = game.terms;
    let max_spins = paytable.rules.max_spins;
    let (zero_probability, hit_frequency) = game.hits(law, max_spins);
    let lengths = length::lengths(law, terms.spins, max_spins);
    let (mean_spins, variance_spins) = game.rational_spins().unwrap_or_else(|| {
        let limit = max_spins.expect("without a limit the spins are rational");
        game.limited_spins(law, &lengths, limit, drift)
    });
    let max_meter = paytable.rules.max_meter.map(RBig::from);
    let (mean_meter, variance_meter) = game.paid(zero_probability, max_meter.as_ref());
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
                let (mean_meter, variance_meter) = game.capped(zero_probability, &cap);
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
    let Game {
        meter, fractions, ..
    } = game;
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
        fractions,
        spins: lengths.distribution,
        drift: drift.clone(),
        method: meter.method,
        contributions: meter
            .parts
            .map(|parts| parts.contributions(paytable.characters(), meter.mean)),
        returns: returns_of(mean_meter, variance_meter),
        stakes,
    }
}
