//! The law of min(M, c), exactly where the law of M is held.
//!
//! The held part above c moves down to c. What the rest adds to a moment of min(M, c) is at most what it adds to that of
//! M, and at most c^k R ([`Rest::capped`](super::rest::Rest::capped)). The two-moment bounds of
//! [`cap`](crate::exact::cap) hold as well; the figures are what both leave.

use dashu_ratio::RBig;

use super::DistributionError;
use super::figures::{Distribution, least_variance};
use super::sums::{raw, raw_capped};
use crate::exact::interval::Interval;
use crate::exact::{Enclosure, cap};

impl Distribution {
    /// The distribution of min(meter, cap).
    ///
    /// # Arguments
    /// - `cap`: at least 1
    ///
    /// # Errors
    /// - [`DistributionError::Contradiction`]: its mean or variance contradicts the two-moment bounds
    pub fn with_cap(mut self, cap: u64) -> Result<Self, DistributionError> {
        let cap = self.cap.map_or(cap, |known| known.min(cap));
        let (mean, variance) = cap::capped(
            self.known.mean,
            self.known.variance,
            self.known.zero,
            &RBig::from(cap),
        );
        if let Some(last) = usize::try_from(cap)
            .ok()
            .filter(|&last| last + 1 < self.pmf.len())
        {
            let above = self.entries.drain(last + 1..);
            let moved = above.fold(Interval::ZERO, |sum, l| sum + l);
            self.entries[last] += moved;
            self.pmf.truncate(last + 1);
            self.pmf[last] = self.entries[last].mid();
            // The width of the sum bounds its distance from the held part.
            let wide =
                Interval::point(self.entries[last].hi) - Interval::point(self.entries[last].lo);
            self.total_variation_bound = (Interval::point(self.total_variation_bound) + wide)
                .hi
                .min(1.0);
        }
        self.rest = self
            .rest
            .capped(Interval::from_rational(&RBig::from(cap)).hi);
        self.cap = Some(cap);
        let [_, first, _] = raw(&self.entries);
        let own_mean = first + self.rest.moment(1);
        self.best = (mean, variance);
        self.complete(own_mean)?;
        Ok(self)
    }

    /// Mean and variance of min(meter, cap), the best that the held law and the two-moment bounds prove together.
    ///
    /// # Arguments
    /// - `cap`: above 0; a cap in money divided by the stake need not be whole
    ///
    /// # Errors
    /// - [`DistributionError::Contradiction`]: the two proofs have no number in common
    pub fn capped_moments(&self, cap: &RBig) -> Result<(Enclosure, Enclosure), DistributionError> {
        let cap = match self.cap.map(RBig::from) {
            Some(known) if known < *cap => known,
            _ => cap.clone(),
        };
        let c = Interval::from_rational(&cap);
        let first_at_cap = usize::try_from(cap.ceil()).unwrap_or(usize::MAX);
        let [mass, first, second] = raw_capped(&self.entries, first_at_cap, c);
        let rest = self.rest.capped(c.hi);
        let mean = first + rest.moment(1);
        let least = least_variance(&self.entries, |part| raw_capped(part, first_at_cap, c));
        let most = (second + rest.moment(2) - Interval::point(first.lo).square()).hi;
        let variance = Interval {
            lo: least,
            hi: most.max(least),
        };
        let (other_mean, other_variance) =
            cap::capped(self.known.mean, self.known.variance, self.known.zero, &cap);
        let mean = self.common("mean under a cap", mean, other_mean)?;
        let variance = self.common("variance under a cap", variance, other_variance)?;
        Ok((
            Enclosure::ordered(first.mid() / mass.mid(), mean),
            Enclosure::from_interval(variance),
        ))
    }
}
