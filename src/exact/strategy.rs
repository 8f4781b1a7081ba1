//! Which method answers for a given game.
//!
//! - No limit on spins: polynomials in rationals, and where a potion can reach the floor the
//!   tables of [`unlimited`], grown until they are sharp or as large as they
//!   may be.
//! - A limit that cuts off next to nothing: the same, and the bound on what it cuts off.
//! - Any other limit: value iteration, if its size is allowed; else the bound on what is cut
//!   off, however wide, where the drift is negative; else a refusal.
//! - Whatever the method: where mean and variance are known as fractions, these are the figures,
//!   and the method serves the split of the mean alone.

use dashu_ratio::RBig;

use super::contribution::{self, Parts};
use super::enclosure::Enclosure;
use super::floor::FloorTables;
use super::fractions::Fractions;
use super::horizon::{self, CutOff, Iteration};
use super::interval::Interval;
use super::law::Law;
use super::length::Lengths;
use super::precision::Precision;
use super::starts::Starts;
use super::unlimited::{self, Solver};
use super::{ExactError, Method, length, meter, moments};
use crate::paytable::{Paytable, TriggerTerms};

/// Relative size of what a limit cuts off at which it is as good as no limit.
const NEGLIGIBLE: f64 = 1e-14;
/// How often the tables may grow.
const MAX_GROWTHS: usize = 6;

/// Mean and variance of the meter without a cap.
#[derive(Debug, Clone)]
pub(super) struct Meter {
    pub(super) mean: Enclosure,
    pub(super) variance: Enclosure,
    pub(super) method: Method,
    /// Where the mean comes from; `None` without finite bounds, or where that was not asked.
    pub(super) parts: Option<Parts>,
    /// A number that E[M^2] does not exceed.
    most: f64,
}

/// A trigger's terms and the law of its starts.
pub(super) type Game<'a> = (&'a TriggerTerms, &'a Starts);

/// Mean and variance of the meter for each game, before a cap.
pub(super) fn meters(
    paytable: &Paytable,
    law: &Law,
    games: &[Game<'_>],
    fractions: &[Fractions],
    precision: Precision,
) -> Result<Vec<Meter>, ExactError> {
    let Some(limit) = paytable.rules.max_spins else {
        return Ok(without_limit(paytable, law, games, precision));
    };
    let exact: Vec<Meter> = fractions
        .iter()
        .filter_map(Fractions::uncapped)
        .map(|(mean, variance)| Meter {
            mean: Enclosure::from_rational(mean),
            variance: Enclosure::from_rational(variance),
            method: Method::RationalRecursion { spins: limit },
            parts: None,
            most: Interval::from_rational(&(variance + mean * mean)).hi,
        })
        .collect();
    let is_known = exact.len() == games.len();
    if is_known && !precision.with_parts {
        return Ok(exact);
    }
    let solved = with_limit(paytable, law, games, limit, precision);
    if !is_known {
        return solved;
    }
    // A refusal costs the split of the mean, not the mean.
    let parts = solved.map_or_else(
        |_| vec![None; games.len()],
        |meters| meters.into_iter().map(|meter| meter.parts).collect(),
    );
    Ok(exact
        .into_iter()
        .zip(parts)
        .map(|(meter, parts)| Meter { parts, ..meter })
        .collect())
}

/// Rationals, and tables where the floor can be reached, grown until they are sharp.
fn without_limit(
    paytable: &Paytable,
    law: &Law,
    games: &[Game<'_>],
    precision: Precision,
) -> Vec<Meter> {
    let polynomials = moments::unlimited(law);
    let exact: Vec<(RBig, RBig)> = games
        .iter()
        .map(|(terms, starts)| {
            meter::unfloored(law, starts, &polynomials, |poly| {
                poly.at(i64::from(terms.spins))
            })
        })
        .collect();
    let parts: Vec<Option<Parts>> = games
        .iter()
        .map(|(terms, starts)| {
            precision
                .with_parts
                .then(|| Parts::unfloored(law, starts, &polynomials, terms.spins))
        })
        .collect();
    if law.largest_drop() == 0 {
        return exact
            .iter()
            .zip(parts)
            .map(|((mean, second), parts)| Meter {
                mean: Enclosure::from_rational(mean),
                variance: Enclosure::from_rational(&(second - mean * mean)),
                method: Method::Rational,
                parts,
                most: Interval::from_rational(second).hi,
            })
            .collect();
    }
    let mut compared = compared(law, paytable.rules.multiplier_floor, games, &exact);
    for (meter, parts) in compared.iter_mut().zip(&parts) {
        meter.parts = parts.clone().map(|parts| parts.up_to(meter.mean));
    }
    let start = games
        .iter()
        .map(|(terms, _)| terms.spins)
        .max()
        .unwrap_or(1);
    let Some(mut solver) = Solver::new(law, &polynomials, start, precision) else {
        return compared;
    };
    let floor = paytable.rules.multiplier_floor;
    let assemble = |tables: &FloorTables, method: Method| -> Vec<Meter> {
        games
            .iter()
            .zip(&exact)
            .zip(compared.iter().zip(&parts))
            .map(|(((terms, starts), (mean, second)), (compared, parts))| {
                let (first, both) = meter::from_floor(law, starts, floor, tables, terms.spins);
                let variance = Interval::from_rational(&(second - mean * mean));
                let mean = Interval::from_rational(mean);
                let two = Interval::point(2.0);
                let added = both - two * mean * first - first.square();
                Meter {
                    mean: Enclosure::from_interval(mean + first)
                        .within(compared.mean.lower(), compared.mean.upper()),
                    variance: Enclosure::from_interval(variance + added).within(0.0, compared.most),
                    method,
                    parts: parts
                        .as_ref()
                        .map(|parts| parts.with_floor(law, starts, floor, tables, terms.spins)),
                    most: compared.most,
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
        if sharpness(&best) <= precision.target_width || !solver.grow(&solved) {
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

/// Bounds from two games that are solved in rationals: without a floor the meter is at most
/// what it is with one, and where no potion takes anything off a multiplier it is at least
/// that; and every character pays at least the floor (Wald: their expected number is the chance
/// of one times the expected spins). Always finite.
fn compared(law: &Law, floor: u32, games: &[Game<'_>], unfloored: &[(RBig, RBig)]) -> Vec<Meter> {
    let (generous, _) = law.tilted(&RBig::ONE);
    let polynomials = moments::unlimited(&generous);
    games
        .iter()
        .zip(unfloored)
        .map(|((terms, starts), (least, _))| {
            let (mean, second) = meter::unfloored(&generous, starts, &polynomials, |poly| {
                poly.at(i64::from(terms.spins))
            });
            let most = Interval::from_rational(&second).hi;
            let (spins, _) = length::unlimited_moments(&law.steps(false), terms.spins);
            let hits = RBig::from(floor) * &law.hit * spins;
            let mean = Interval {
                lo: Interval::from_rational(least.max(&hits)).lo,
                hi: Interval::from_rational(&mean).hi,
            };
            Meter {
                mean: Enclosure::from_interval(mean),
                variance: Enclosure::from_interval(Interval { lo: 0.0, hi: most }),
                method: Method::Comparison,
                parts: None,
                most,
            }
        })
        .collect()
}

/// A bound on what the limit cuts off where that is sharp, else value iteration.
fn with_limit(
    paytable: &Paytable,
    law: &Law,
    games: &[Game<'_>],
    limit: u32,
    precision: Precision,
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
            let meters = without_limit(paytable, law, games, precision);
            return Ok(meters
                .into_iter()
                .zip(cuts.into_iter().zip(games))
                .map(|(meter, (cut, (terms, starts)))| {
                    // What the limit cuts off a part is at most that of a game in which every
                    // potion adds.
                    let part = CutOff::new(&law.absolute(), starts, terms.spins, limit);
                    less_cut_off(meter, cut, part, limit)
                })
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
    let sources = precision
        .with_parts
        .then(|| contribution::limited(law, limit));
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
                parts: sources.as_ref().map(|sources| {
                    Parts::limited(law, starts, floor, &layer, sources, terms.spins)
                }),
                most: second.hi,
            }
        })
        .collect())
}

/// The figures with a limit from those without: `E[M_T^k]` lies in `[E[M^k] - cut, E[M^k]]`.
fn less_cut_off(meter: Meter, cut: CutOff, part: Option<CutOff>, limit: u32) -> Meter {
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
        variance: Enclosure::from_interval(variance).within(0.0, meter.most),
        method: Method::CutOff { spins: limit },
        parts: meter
            .parts
            .zip(part)
            .and_then(|(parts, cut)| parts.widened(cut.mean)),
        most: meter.most,
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

/// First two moments of min(spins, limit).
///
/// The forward recursion counted E[min(spins, counted)^k] for a `counted` of at most the limit.
/// Where it stopped earlier the rest lies between that and the figures without a limit, less
/// what the limit cuts off.
pub(super) fn limited_spins(
    lengths: &Lengths,
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
