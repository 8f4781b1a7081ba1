//! What a cap on the meter leaves, from two moments alone.
//!
//! With Y = min(M, c), mu and sigma^2 the mean and variance of M, P0 = P(M = 0), c > 0:
//!
//! ```text
//! mu - (sqrt(sigma^2 + (c - mu)^2) - (c - mu)) / 2 <= E[Y] <= min(mu, c)
//! min(c, 1) (1 - P0) <= E[Y]
//! E[Y]^2 P0 / (1 - P0) <= Var Y <= min(Var M, E[Y] (c - E[Y]))
//! ```
//!
//! The first is the bound of H. Scarf, A min-max solution of an inventory problem (1958), on
//! E[(M - c)^+]; the second holds because M is a whole number. A map that shortens distances
//! cannot raise a variance, which bounds Var Y by Var M; the other upper bound is that of R.
//! Bhatia and C. Davis (2000) for 0 <= Y <= c. The lower bound of the variance is its part
//! between Y = 0 and Y > 0.
//!
//! These bounds are valid for every law with these moments, and therefore wide when the cap is
//! within reach. The exact effect of a cap needs the whole distribution of the meter, which
//! this module does not have.

use dashu_ratio::RBig;

use super::interval::Interval;

/// Mean and variance of the capped meter.
pub(super) fn capped(
    mean: Interval,
    variance: Interval,
    zero: Interval,
    cap: &RBig,
) -> (Interval, Interval) {
    let c = Interval::from_rational(cap);
    let half = Interval::point(0.5);
    let gap = c - mean;
    let root = (variance + gap.square()).sqrt();
    // (sqrt(v + d^2) - d) / 2 loses all digits for a large d; v / (sqrt(v + d^2) + d) / 2 does
    // not.
    let excess = if gap.lo > 0.0 {
        half * variance.over(root + gap)
    } else {
        half * (root - gap)
    };
    let hit = Interval {
        lo: (Interval::ONE - zero).lo.max(0.0),
        hi: (Interval::ONE - zero).hi.min(1.0),
    };
    let least = Interval::point(c.lo.min(1.0)) * Interval::point(hit.lo);
    let upper = mean.hi.min(c.hi);
    let lower = (mean - excess).lo.max(least.lo).max(0.0).min(upper);
    let y = Interval {
        lo: lower,
        hi: upper,
    };
    // y (c - y) is largest at c / 2.
    let middle = c.hi * 0.5;
    let worst = middle.clamp(y.lo, y.hi);
    let spread = {
        let at = Interval::point(worst);
        (at * (Interval::point(c.hi) - at)).hi
    };
    // The clamp is exact, so no other point of the interval has a larger product than the end
    // nearest to the middle, or the middle itself.
    let most = variance.hi.min(spread.max(0.0));
    let between = if hit.hi > 0.0 {
        (Interval::point(lower).square() * Interval::point(zero.lo.max(0.0)))
            .over(Interval::point(hit.hi))
            .lo
    } else {
        0.0
    };
    (
        y,
        Interval {
            lo: between.clamp(0.0, most),
            hi: most,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M uniform on 0 to 9, capped at each of 1 to 12, by hand.
    #[test]
    fn encloses_the_capped_moments_of_a_uniform_law() {
        let mean = Interval::point(4.5);
        let variance = Interval::point(8.25);
        let zero = Interval::from_rational(&(RBig::from(1) / RBig::from(10)));
        for cap in 1_u32..=12 {
            let values: Vec<f64> = (0..10).map(|m: u32| f64::from(m.min(cap))).collect();
            let y = values.iter().sum::<f64>() / 10.0;
            let square = values.iter().map(|v| v * v).sum::<f64>() / 10.0;
            let (found, spread) = capped(mean, variance, zero, &RBig::from(cap));
            assert!(found.lo <= y + 1e-12 && y <= found.hi + 1e-12, "cap {cap}");
            let truth = square - y * y;
            assert!(
                spread.lo <= truth + 1e-12 && truth <= spread.hi + 1e-12,
                "cap {cap}"
            );
        }
    }

    #[test]
    fn a_cap_out_of_reach_changes_little() {
        let cap = RBig::from(1_000_000_000_u64);
        let (mean, variance) = capped(
            Interval::point(16.0),
            Interval::point(150.0),
            Interval::point(0.002),
            &cap,
        );
        assert!(mean.hi <= 16.0 && mean.lo > 16.0 - 1e-6);
        assert!(variance.hi <= 150.0);
    }
}
