//! Probabilities, "one in" odds and quantiles of a distribution.
//!
//! With F(x) the sum of l up to x: F(x) <= P(meter <= x) <= F(x) + R, and above x the rest has at most `rho_k / x^k`
//! ([`Rest::mass_from`](super::rest::Rest::mass_from)). The quantile at p is therefore not below the first x with
//! F(x) + R >= p and not above the first with F(x) >= p.

use super::figures::Distribution;
use super::sums::number;
use crate::exact::Enclosure;
use crate::exact::interval::Interval;

/// A quantile of the meter with its proven range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantile {
    /// The level p, in (0, 1).
    pub p: f64,
    /// The least meter x with P(meter <= x) >= p in the law that is held, scaled to mass 1.
    pub meter: u64,
    /// The true quantile is not below this meter.
    pub lower: u64,
    /// The true quantile is not above this meter; `None` where the held mass does not reach p.
    pub upper: Option<u64>,
}

impl Distribution {
    /// P(meter = x).
    #[must_use]
    pub fn probability(&self, x: u64) -> Enclosure {
        let at = usize::try_from(x).unwrap_or(usize::MAX);
        let held = self.entries.get(at).copied().unwrap_or(Interval::ZERO);
        let more = if self.is_out_of_reach(x) {
            0.0
        } else {
            self.rest.mass_from(number(at))
        };
        enclosed(self.pmf.get(at).copied().unwrap_or(0.0), held, more)
    }

    /// P(meter <= x).
    #[must_use]
    pub fn cumulative(&self, x: u64) -> Enclosure {
        if self.cap.is_some_and(|cap| x >= cap) {
            return Enclosure::ONE;
        }
        let at = usize::try_from(x)
            .unwrap_or(usize::MAX)
            .min(self.entries.len().wrapping_sub(1));
        let held = self.up_to.get(at).copied().unwrap_or(Interval::ZERO);
        // What is surely above x is surely not below it.
        let above = self.from.get(at + 1).copied().unwrap_or(Interval::ZERO);
        let most = (Interval::ONE - above)
            .hi
            .min((held + self.rest.moment(0)).hi);
        let beyond = self
            .rest
            .mass_from(number(usize::try_from(x).unwrap_or(usize::MAX)) + Interval::ONE);
        let least = (Interval::ONE - above - Interval::point(beyond))
            .lo
            .max(held.lo);
        Enclosure::ordered(
            held.mid(),
            Interval {
                lo: least.min(most),
                hi: most,
            },
        )
        .within(0.0, 1.0)
    }

    /// P(meter >= x).
    #[must_use]
    pub fn exceedance(&self, x: u64) -> Enclosure {
        if x == 0 {
            return Enclosure::ONE;
        }
        if self.is_out_of_reach(x) {
            return Enclosure::ZERO;
        }
        let at = usize::try_from(x).unwrap_or(usize::MAX);
        let held = self.from[at.min(self.entries.len())];
        enclosed(held.mid(), held, self.rest.mass_from(number(at)))
    }

    fn is_out_of_reach(&self, x: u64) -> bool {
        self.cap.is_some_and(|cap| x > cap)
    }

    /// "One in" odds of a meter of x or more: 1 / P(meter >= x), at least 1; infinite where the probability is not
    /// known to be above 0.
    #[must_use]
    pub fn one_in(&self, x: u64) -> Enclosure {
        let exceedance = self.exceedance(x);
        let inverse = |p: f64| {
            if p > 0.0 {
                Interval::ONE.over(Interval::point(p))
            } else {
                Interval::point(f64::INFINITY)
            }
        };
        Enclosure::ordered(
            inverse(exceedance.value()).mid(),
            Interval {
                lo: inverse(exceedance.upper()).lo.max(1.0),
                hi: inverse(exceedance.lower()).hi,
            },
        )
    }

    /// The least meter x with P(meter <= x) >= p, and its proven range.
    ///
    /// # Arguments
    /// - `p`: the level, in (0, 1); outside, the range is that of the nearest end
    #[must_use]
    pub fn quantile(&self, p: f64) -> Quantile {
        let first = |reaches: &dyn Fn(&Interval) -> bool| {
            self.up_to
                .iter()
                .position(reaches)
                .and_then(|x| u64::try_from(x).ok())
        };
        let end = u64::try_from(self.entries.len()).unwrap_or(u64::MAX);
        let most = self.rest.mass();
        // A cap is a last meter that every round keeps.
        let upper = first(&|sum| sum.lo >= p).or(self.cap);
        let lower = first(&|sum| (*sum + Interval::point(most)).hi >= p).unwrap_or(end);
        let lower = upper.map_or(lower, |upper| lower.min(upper));
        let total = self.up_to.last().map_or(0.0, |sum| sum.mid());
        let meter = first(&|sum| sum.mid() >= p * total).unwrap_or(lower);
        Quantile {
            p,
            meter: meter.clamp(lower, upper.unwrap_or(u64::MAX)),
            lower,
            upper,
        }
    }
}

/// Bounds of a probability from its held part and the most that the rest adds.
fn enclosed(value: f64, held: Interval, more: f64) -> Enclosure {
    Enclosure::ordered(
        value,
        Interval {
            lo: held.lo,
            hi: (held + Interval::point(more)).hi,
        },
    )
    .within(0.0, 1.0)
}
