//! Where the mean of many rounds lies.
//!
//! For a level L, with alpha = 1 - L, a band [a, b] of the sum S of N independent rounds has P(S < a) <= alpha / 2 and
//! P(S > b) <= alpha / 2. Three methods, and the one with the least error is taken:
//!
//! | method | tail | error of each tail |
//! | --- | --- | --- |
//! | powers of the transform | that of the N-fold convolution of the held law | N R + the transform's + what the window loses |
//! | normal curve | Phi(-z) | 0.4748 E abs(M - mu)^3 / (sigma^3 sqrt N) (Berry-Esseen; I. Shevtsova 2011) |
//! | Chebyshev | 1 / (1 + k^2) at k standard deviations (F. Cantelli 1928) | none, but wide |
//!
//! The transform's window is K consecutive sums, the sums outside folded into it; their mass is at most min over theta of
//! e^(-theta b) (sum of l(x) e^(theta x))^N on each side (H. Chernoff 1952).

use std::fmt;

use dashu_ratio::RBig;
use statrs::function::erf::erfc_inv;

use super::DistributionError;
use super::figures::Distribution;
use super::fourier;
use super::sums::{number, real};
use crate::exact::interval::Interval;
use crate::exact::returns::returns;
use crate::paytable::{Payout, TriggerTerms};
use crate::rules::Trigger;

/// Points of a transform at most.
const MOST_POINTS: usize = 1 << 22;
/// What the sums outside the window are allowed to weigh, 2^-50.
const WINDOW: f64 = 8.881_784_197_001_252e-16;
/// The logarithm below which a Chernoff bound is taken to be under half of [`WINDOW`], with room for its rounding.
const WINDOW_LOG: f64 = -40.0;
/// The constant of Berry and Esseen (I. Shevtsova 2011, On the absolute constants in the Berry-Esseen type
/// inequalities for identically distributed summands).
const BERRY_ESSEEN: f64 = 0.4748;

/// How a band was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BandMethod {
    /// Powers of the transform of the held law.
    Transform {
        /// Points of the transform.
        points: usize,
    },
    /// The normal curve with the bound of Berry and Esseen.
    Normal,
    /// Chebyshev's inequality, one-sided.
    Chebyshev,
}

impl BandMethod {
    /// The name that documents use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transform { .. } => "transform",
            Self::Normal => "normal",
            Self::Chebyshev => "chebyshev",
        }
    }
}

impl fmt::Display for BandMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transform { points } => {
                write!(f, "power of the Fourier transform at {points} points")
            }
            Self::Normal => {
                f.write_str("normal curve with the Berry-Esseen bound, constant 0.4748")
            }
            Self::Chebyshev => f.write_str("one-sided Chebyshev inequality"),
        }
    }
}

/// A band in which the sum and the mean of the meters of N rounds lie with at least a given probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AcceptanceBand {
    /// Rounds, at least 1.
    pub rounds: u64,
    /// The probability is at least this; each tail is at most half of one less it.
    pub level: f64,
    /// Least sum of the band.
    pub lower_sum: u64,
    /// Largest sum of the band.
    pub upper_sum: u64,
    /// Least mean of the band: the `f64` nearest to `lower_sum / rounds`.
    pub lower_mean: f64,
    /// Largest mean of the band, likewise.
    pub upper_mean: f64,
    /// How it was found.
    pub method: BandMethod,
    /// Proven bound on the method's error in each tail, already taken off the tail's share.
    pub error: f64,
}

impl AcceptanceBand {
    fn new(rounds: u64, level: f64, sums: (u64, u64), method: BandMethod, error: f64) -> Self {
        let mean = |sum: u64| (RBig::from(sum) / RBig::from(rounds)).to_f64().value();
        Self {
            rounds,
            level,
            lower_sum: sums.0,
            upper_sum: sums.1,
            lower_mean: mean(sums.0),
            upper_mean: mean(sums.1),
            method,
            error,
        }
    }
}

/// What a band needs to know of the law of one round or wager.
struct Law {
    trigger: Trigger,
    /// Numbers that are not above the probabilities of 0, 1, ...
    lower: Vec<f64>,
    mean: Interval,
    variance: Interval,
    /// Upper bound of the third absolute central moment.
    third_absolute: f64,
}

/// A transform that may serve.
struct Window {
    points: usize,
    /// The least sum in the window.
    start: u64,
    /// Error of each tail.
    error: f64,
}

impl Distribution {
    /// The band in which the mean of independent rounds lies, each tail with at most half of `1 - level`.
    ///
    /// # Arguments
    /// - `rounds`: N, from 1 to 2^53
    /// - `level`: two-sided, in (0, 1)
    ///
    /// # Accuracy
    /// The probability of the band is proved to be at least `level`, save for the quantile of the normal curve, which
    /// is widened by 1e-9 for its rounding. The band is the least one up to [`AcceptanceBand::error`] in each tail for
    /// the transform, and up to twice that for the normal curve.
    ///
    /// # Errors
    /// - [`DistributionError::Band`]: a level or a number of rounds outside its range
    /// - [`DistributionError::NoBand`]: every method needs a finite variance or a sharper law
    ///
    /// # Performance
    /// A transform of up to 2^22 points: a second and 130 MB.
    pub fn acceptance_band(
        &self,
        rounds: u64,
        level: f64,
    ) -> Result<AcceptanceBand, DistributionError> {
        self.law().band(rounds, level)
    }

    fn law(&self) -> Law {
        Law {
            trigger: self.trigger,
            lower: self.entries.iter().map(|l| l.lo.max(0.0)).collect(),
            mean: self.best.0,
            variance: self.best.1,
            third_absolute: self.third_absolute,
        }
    }

    /// The band in which the gross return from the bonus of independent wagers on the trigger's bet lies, each tail
    /// with at most half of `1 - level`: its sums and means are those of the returns for each unit wagered.
    ///
    /// A wager brings back G = meter and stake by the paytable's convention with the trigger's probability p, else 0
    /// from the bonus. With W that return: `E[W]` = p `E[G]` and Var W = p (Var G + `E[G]`^2) - (p `E[G]`)^2. As W is not
    /// negative, |W - mu| is at most the larger of W and mu, so its third absolute moment is at most
    /// p E[(M + 1)^3] + mu^3.
    ///
    /// # Arguments
    /// - `payout`, `terms`: of the same paytable and trigger
    /// - `plays`: wagers, from 1 to 2^53
    /// - `level`: two-sided, in (0, 1)
    ///
    /// # Accuracy
    /// As [`acceptance_band`](Self::acceptance_band).
    ///
    /// # Errors
    /// As [`acceptance_band`](Self::acceptance_band).
    pub fn wager_band(
        &self,
        payout: Payout,
        terms: &TriggerTerms,
        plays: u64,
        level: f64,
    ) -> Result<AcceptanceBand, DistributionError> {
        self.wager_law(payout, terms).band(plays, level)
    }

    /// The law of the return of one wager from the bonus.
    fn wager_law(&self, payout: Payout, terms: &TriggerTerms) -> Law {
        let p = Interval::from_rational(&terms.probability());
        let gross = returns(
            payout,
            terms,
            self.best_mean(),
            self.best_variance(),
            crate::exact::Enclosure::from_interval(self.known.zero),
        );
        let given = gross.rtp_conditional.interval();
        let mean = p * given;
        let variance = p * (gross.gross_variance.interval() + given.square()) - mean.square();
        let mut lower = vec![0.0; self.entries.len() + 1];
        lower[0] = (Interval::ONE - p).lo.max(0.0);
        let mut cubes = Interval::ZERO;
        for (meter, entry) in (0_u64..).zip(&self.entries) {
            let paid = usize::try_from(payout.gross_return(meter))
                .expect("a meter of the list, or one more");
            lower[paid] += (p * *entry).lo.max(0.0);
            let with_stake =
                number(usize::try_from(meter).expect("an index of the list")) + Interval::ONE;
            cubes += *entry * with_stake.square() * with_stake;
        }
        // (M + 1)^3 = M^3 + 3 M^2 + 3 M + 1 over the rest.
        let three = Interval::point(3.0);
        let rest = self.rest.moment(3)
            + three * (self.rest.moment(2) + self.rest.moment(1))
            + self.rest.moment(0);
        let third = p * (cubes + rest) + mean.square() * mean;
        Law {
            trigger: self.trigger,
            // One place is summed from two terms at most, so one step down covers its rounding.
            lower: lower
                .into_iter()
                .map(|sum: f64| sum.next_down().max(0.0))
                .collect(),
            mean,
            variance: Interval {
                lo: variance.lo.max(0.0),
                hi: variance.hi,
            },
            third_absolute: third.hi,
        }
    }

    /// The band at 0.99 with a window of so many points, about the mean.
    #[cfg(test)]
    pub(super) fn folded_band(&self, rounds: u64, points: usize) -> (u64, u64) {
        let n = f64::from(u32::try_from(rounds).unwrap());
        let law = self.law();
        let window = Window {
            points,
            start: cut(&law.lower, n, points).expect("enough points"),
            error: 0.0,
        };
        law.transformed(rounds, 0.005, &window)
    }
}

impl Law {
    /// The band of the sum of so many, by the method with the least error.
    fn band(&self, rounds: u64, level: f64) -> Result<AcceptanceBand, DistributionError> {
        if !(level > 0.0 && level < 1.0) || rounds == 0 || rounds > 1 << 53 {
            return Err(DistributionError::Band { level, rounds });
        }
        let tail = ((Interval::ONE - Interval::point(level)) * Interval::point(0.5)).lo;
        let window = self.window(rounds);
        let normal = self.berry_esseen(rounds);
        let transform_error = window.as_ref().map_or(f64::INFINITY, |window| window.error);
        if let Some(window) = window.filter(|window| window.error < tail.min(normal)) {
            let sums = self.transformed(rounds, tail - window.error, &window);
            let method = BandMethod::Transform {
                points: window.points,
            };
            return Ok(AcceptanceBand::new(
                rounds,
                level,
                sums,
                method,
                window.error,
            ));
        }
        let (method, error, deviations) = if normal < tail && normal <= transform_error {
            let share = (Interval::point(tail) - Interval::point(normal)).lo;
            let z = std::f64::consts::SQRT_2 * erfc_inv(2.0 * share);
            (BandMethod::Normal, normal, z + 1e-9 * z.abs().max(1.0))
        } else {
            let k = (Interval::ONE.over(Interval::point(tail)) - Interval::ONE).sqrt();
            (BandMethod::Chebyshev, 0.0, k.hi)
        };
        let (mean, variance) = (self.mean, self.variance);
        let n = number(usize::try_from(rounds).unwrap_or(usize::MAX));
        let reach = (variance * n).sqrt() * Interval::point(deviations);
        let low = (mean * n - reach).lo;
        let high = (mean * n + reach).hi;
        if !(low.is_finite() && high.is_finite()) {
            return Err(DistributionError::NoBand {
                trigger: self.trigger,
                level,
                rounds,
            });
        }
        let sums = (natural(low.floor()), natural(high.ceil()));
        Ok(AcceptanceBand::new(rounds, level, sums, method, error))
    }

    /// The bound of Berry and Esseen on the distance of the distribution functions; infinite where the third moment has
    /// no bound.
    fn berry_esseen(&self, rounds: u64) -> f64 {
        let variance = self.variance;
        let scale = variance * variance.sqrt();
        if !(scale.lo > 0.0 && self.third_absolute.is_finite()) {
            return f64::INFINITY;
        }
        let root = number(usize::try_from(rounds).unwrap_or(usize::MAX)).sqrt();
        let constant = Interval::point(BERRY_ESSEEN.next_up());
        (constant * Interval::point(self.third_absolute))
            .over(scale * root)
            .hi
    }

    /// The smallest window that holds the sums of so many rounds.
    fn window(&self, rounds: u64) -> Option<Window> {
        let length = self.lower.len();
        let n = real(usize::try_from(rounds).ok()?);
        let law = &self.lower;
        let norm = law.iter().map(|p| p * p).sum::<f64>().sqrt() * (1.0 + 1e-9);
        // 1 - (1 - R)^N <= N R, with all that is not in the lower ends as R.
        let mass = law
            .iter()
            .fold(Interval::ZERO, |sum, &p| sum + Interval::point(p));
        let rest = (Interval::point(n) * (Interval::ONE - mass)).hi.max(0.0);
        let whole = usize::try_from(rounds)
            .ok()
            .and_then(|rounds| rounds.checked_mul(length - 1)?.checked_add(1));
        let mut points = length.max(2).next_power_of_two();
        while points <= MOST_POINTS {
            let (start, outside) = if whole.is_some_and(|whole| whole <= points) {
                (Some(0), 0.0)
            } else {
                (cut(law, n, points), WINDOW)
            };
            if let Some(start) = start {
                let error = fourier::error(points, rounds, norm) + rest + outside;
                return Some(Window {
                    points,
                    start,
                    error: error.next_up().next_up(),
                });
            }
            points *= 2;
        }
        None
    }

    /// The band of the sum, each tail of the window with at most `share`.
    fn transformed(&self, rounds: u64, share: f64, window: &Window) -> (u64, u64) {
        let points = window.points;
        let mut law = self.lower.clone();
        // A window is not shorter than the law.
        law.resize(points, 0.0);
        let folded = fourier::power(&law, rounds);
        let size = u64::try_from(points).expect("a window fits memory");
        let at = |offset: u64| {
            let index = (window.start + offset) % size;
            folded[usize::try_from(index).expect("an index of the window")]
        };
        let outside = |from_below: bool| {
            let mut sum = 0.0;
            let mut offset = 0;
            while offset + 1 < size {
                sum += at(if from_below {
                    offset
                } else {
                    size - 1 - offset
                });
                if sum > share {
                    break;
                }
                offset += 1;
            }
            offset
        };
        let (low, high) = (outside(true), outside(false));
        (
            window.start + low,
            (window.start + size - 1).saturating_sub(high),
        )
    }
}

/// The start of a window of so many sums about their mean with at most [`WINDOW`] outside, or `None`.
fn cut(law: &[f64], n: f64, points: usize) -> Option<u64> {
    let mass: f64 = law.iter().sum();
    let mean = law
        .iter()
        .enumerate()
        .map(|(x, p)| real(x) * p)
        .sum::<f64>()
        / mass;
    let variance = law
        .iter()
        .enumerate()
        .map(|(x, p)| (real(x) - mean) * (real(x) - mean) * p)
        .sum::<f64>()
        / mass;
    let start = (n * mean - real(points) / 2.0).floor().max(0.0);
    // The largest natural that is folded is not far from n times the length, which an f64 holds.
    let tail = |reach: f64, sign: f64| {
        let steepest = reach / (n * variance);
        (0..12).any(|halvings| {
            let theta = sign * steepest / 2.0_f64.powi(halvings);
            let sum: f64 = law
                .iter()
                .enumerate()
                .map(|(x, p)| p * (theta * (real(x) - mean)).exp())
                .sum();
            n * sum.ln() - theta.abs() * reach < WINDOW_LOG
        })
    };
    let above = tail(start + real(points) - n * mean, 1.0);
    let below = start <= 0.0 || tail(n * mean - start + 1.0, -1.0);
    (above && below).then(|| natural(start))
}

/// The nearest natural number of a whole `f64`, 0 for a negative one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole, and cut to the range of the integer"
)]
fn natural(whole: f64) -> u64 {
    whole.max(0.0) as u64
}
