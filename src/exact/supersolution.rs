//! From a residual to an error: functions that bound every sum without a limit on spins.
//!
//! A table w (0 outside a box) approximates the solution v of v = R + P v, P the transitions.
//! Its residual is rho = R + P w - w. If |rho| <= h - P h at every state for some h >= 0, then
//! |v - w| <= h: the difference e solves e = rho + P e, and h - e and h + e are expected totals of
//! rewards that are not negative. All bounds here depend on the counter alone, so the law of
//! the multipliers and the floor do not enter:
//!
//! ```text
//! h(n) = alpha n + beta theta^(n - n1),    h - P h >= alpha mu + beta (1 - psi) theta^(n - n1)
//! ```
//!
//! at every n >= 1, with mu = -drift > 0, psi = E[theta^d] < 1 for the counter's change d,
//! theta > 1 (at n = 0, h >= 0 is enough). With r(n) >= |rho| at counter n,
//!
//! ```text
//! alpha = max_{n <= n1} r(n) / mu,    beta = max_{n > n1} r(n) theta^(n1 - n) / (1 - psi).
//! ```
//!
//! In the infinite tail r is a polynomial of degree 4 at most in n + d, d >= -1, with
//! coefficients that are not negative, plus a multiple of theta^n. Divided by theta^n it falls
//! past n* = 1 + 4 / ln theta; before that it has grown by at most ((n* - 1) / (n - 1))^4 over
//! its value at the first counter n of the tail.

use dashu_ratio::RBig;

use super::interval::Interval;

/// The counter's law, prepared for bounds.
#[derive(Debug, Clone)]
pub(super) struct Drain {
    /// A lower bound of mu.
    mu: f64,
    /// theta, a number that `f64` holds exactly.
    theta: f64,
    /// A lower bound of 1 - psi.
    slack: f64,
}

/// An upper bound of the quotient of two numbers, the divisor positive.
fn over_up(dividend: f64, divisor: f64) -> f64 {
    Interval::point(dividend).over(Interval::point(divisor)).hi
}

/// An upper bound of theta^exponent.
fn power_up(theta: f64, exponent: i64) -> f64 {
    let size = Interval::point(theta).power(exponent.unsigned_abs());
    if exponent >= 0 {
        size.hi
    } else {
        // A power past the range of f64 leaves the quotient at its least positive number.
        Interval::ONE.over(size).hi.max(f64::MIN_POSITIVE)
    }
}

impl Drain {
    /// Chooses theta; `None` where the drift is not negative.
    ///
    /// Any theta with psi < 1 is valid. Taken is the largest candidate that keeps half of the
    /// best slack: a large theta makes the upper levels matter less, a small slack every error
    /// more.
    pub(super) fn new(steps: &[(i64, RBig)]) -> Option<Self> {
        let mut mu = RBig::ZERO;
        for (change, probability) in steps {
            mu -= RBig::from(*change) * probability;
        }
        if mu <= RBig::ZERO {
            return None;
        }
        let weights: Vec<(i64, Interval)> = steps
            .iter()
            .map(|(change, probability)| (*change, Interval::from_rational(probability)))
            .collect();
        let slack = |theta: f64| {
            let theta = Interval::point(theta);
            let psi = weights
                .iter()
                .fold(Interval::ZERO, |sum, &(change, weight)| {
                    let power = theta.power(change.unsigned_abs());
                    let power = if change < 0 {
                        Interval::ONE.over(power)
                    } else {
                        power
                    };
                    sum + weight * power
                });
            (Interval::ONE - psi).lo
        };
        let mut candidates = Vec::new();
        let mut distance = 32.0;
        while distance > 1e-9 {
            for part in [1.0, 0.75, 0.625] {
                let theta = 1.0 + distance * part;
                candidates.push((theta, slack(theta)));
            }
            distance *= 0.5;
        }
        let best = candidates
            .iter()
            .fold(0.0_f64, |best, &(_, slack)| best.max(slack));
        let (theta, slack) = candidates
            .into_iter()
            .find(|&(_, slack)| slack > 0.0 && slack >= 0.5 * best)?;
        Some(Self {
            mu: Interval::from_rational(&mu).lo,
            theta,
            slack,
        })
    }

    /// ln theta: how fast the upper levels lose their weight.
    pub(super) fn rate(&self) -> f64 {
        self.theta.ln()
    }

    /// What bounds theta^(first - n) r(n) for all n of a tail whose r at its `first` counter is
    /// given.
    pub(super) fn tail(&self, residual: f64, first: usize) -> f64 {
        // A little more than the number needed, for the rounding of the logarithm.
        let growth = Interval::point(4.0001 / self.rate())
            .over(Interval::from_int(
                i64::try_from(first).expect("a counter in the table") - 1,
            ))
            .hi
            .max(1.0);
        let growth = Interval::point(growth);
        (Interval::point(residual) * growth.square().square()).hi
    }

    /// The bound h from residuals.
    ///
    /// `residual[n]` bounds |rho| at counter n (index 0 unused); the last entry is the first of
    /// the infinite tail, in the sense of the module's header. `start` is the counter at which
    /// h should be small; the bound holds at every counter.
    pub(super) fn bound(&self, residual: &[f64], start: usize) -> Bound {
        let last = residual.len() - 1;
        let start = start.clamp(1, last - 1);
        // Both maxima for every n1 in one pass each way.
        let mut below = vec![0.0_f64; last + 1];
        for n in 1..=last {
            below[n] = below[n - 1].max(residual[n]);
        }
        // above[n1] = max over n > n1 of residual(n) theta^(n1 - n).
        let mut above = vec![0.0_f64; last + 1];
        for n1 in (0..last).rev() {
            above[n1] = over_up(above[n1 + 1].max(residual[n1 + 1]), self.theta);
        }
        (start..last)
            .map(|n1| Bound {
                alpha: over_up(below[n1], self.mu),
                beta: over_up(above[n1], self.slack),
                n1: i64::try_from(n1).expect("a counter in the table"),
                theta: self.theta,
            })
            .min_by(|a, b| {
                let start = i64::try_from(start).expect("a counter in the table");
                a.at(start).total_cmp(&b.at(start))
            })
            .expect("there is at least one choice of n1")
    }
}

/// h of the module's header.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    alpha: f64,
    beta: f64,
    n1: i64,
    theta: f64,
}

impl Bound {
    /// h(n), rounded up.
    pub(super) fn at(&self, n: i64) -> f64 {
        if n <= 0 {
            return 0.0;
        }
        let linear = Interval::point(self.alpha) * Interval::from_int(n);
        let power = Interval::point(self.beta) * Interval::point(power_up(self.theta, n - self.n1));
        (linear + power).hi
    }
}
