//! What is known of the part of the law that is not held.
//!
//! The rest is a measure with mass R = 1 - sum of l and moments `rho_k` = E[M^k] - sum of l(x) x^k. From the exact mean
//! and second moment, with S the held sums:
//!
//! ```text
//! rho_2 = E[M^2] - S_2,   mu - S_1 = rho_1 <= sqrt(R rho_2)                    (Cauchy-Schwarz)
//! rho_4 <= rho_2^(2/3) E[M^8]^(1/3),   rho_3 <= sqrt(rho_2 rho_4)              (Hoelder)
//! ```
//!
//! and for min(M, c) moreover `rho_k <= c rho_(k-1)`, with `rho_0` = R.

use super::sums::root_up;
use crate::exact::interval::Interval;

/// Bounds on the rest: [0, `most[k]`] holds its k-th moment, k = 0 to 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rest {
    /// Upper bounds, infinite where nothing is known; the first is R.
    pub(super) most: [f64; 5],
}

impl Rest {
    /// From the mass and the exact moments less the held ones.
    ///
    /// # Arguments
    /// - `mass`: R, an upper bound
    /// - `first`, `second`: upper bounds of mu - `S_1` and E[M^2] - `S_2`, not negative
    /// - `eighth`: upper bound of E[M^8], if there is one
    pub(super) fn new(mass: f64, first: f64, second: f64, eighth: Option<f64>) -> Self {
        if mass == 0.0 {
            return Self { most: [0.0; 5] };
        }
        let fourth = eighth.map_or(f64::INFINITY, |eighth| {
            let root = Interval::point(root_up(second, 3));
            (root.square() * Interval::point(root_up(eighth, 3))).hi
        });
        Self {
            most: [
                mass,
                first.min(between(mass, second)),
                second,
                between(second, fourth),
                fourth,
            ],
        }
    }

    /// The same with every meter above the cap moved down to it.
    pub(super) fn capped(self, cap: f64) -> Self {
        let mut most = self.most;
        for k in 1..most.len() {
            most[k] = most[k].min((Interval::point(cap) * Interval::point(most[k - 1])).hi);
        }
        Self { most }
    }

    /// R, an upper bound.
    pub(super) fn mass(self) -> f64 {
        self.most[0]
    }

    /// The k-th moment.
    pub(super) fn moment(self, k: usize) -> Interval {
        Interval {
            lo: 0.0,
            hi: self.most[k],
        }
    }

    /// The mass at x and above, by the moments (A. A. Markov): `rho_k / x^k`.
    pub(super) fn mass_from(self, x: Interval) -> f64 {
        if x.lo <= 0.0 {
            return self.mass();
        }
        let mut power = Interval::ONE;
        let mut least = self.mass();
        for &moment in &self.most[1..] {
            power = power * x;
            least = least.min(Interval::point(moment).over(power).hi);
        }
        least
    }
}

/// Cauchy-Schwarz: a bound on the moment half way between two.
pub(super) fn between(a: f64, b: f64) -> f64 {
    (Interval::point(a) * Interval::point(b)).sqrt().hi
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mass 1/1000 at 20: R = 1e-3, rho = 0.02, 0.4, 8, 160; E[M^8] is at least 2.56e7.
    #[test]
    fn a_point_mass_is_within_its_bounds() {
        let rest = Rest::new(1e-3, 1.0, 0.4, Some(2.56e7));
        for (k, expected) in [1e-3, 0.02, 0.4, 8.0, 160.0].into_iter().enumerate() {
            assert!(rest.most[k] >= expected - 1e-12, "{k}");
            // All inequalities hold with equality for one point.
            assert!(rest.most[k] <= expected * (1.0 + 1e-12), "{k}");
        }
        assert!(rest.mass_from(Interval::point(40.0)) <= 1e-3 / 16.0 * (1.0 + 1e-12));
        let capped = rest.capped(10.0);
        for (k, expected) in [1e-3, 0.01, 0.1, 1.0, 10.0].into_iter().enumerate() {
            assert!((capped.most[k] - expected).abs() < 1e-12, "{k}");
        }
    }

    #[test]
    fn nothing_missing_is_nothing_uncertain() {
        let rest = Rest::new(0.0, f64::INFINITY, f64::INFINITY, None);
        assert!(rest.most.iter().all(|&most| most <= 0.0));
    }
}
