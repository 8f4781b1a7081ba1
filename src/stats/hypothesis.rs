//! z tests against an exact value, and what they can see.

use super::normal::{normal_quantile, normal_two_sided, upper_quantile};
use super::{StatsError, count_to_f64, finite, not_negative, open_unit};

/// The value under the null hypothesis: a number known to lie in [lower, upper].
///
/// An exact calculation that ends in an enclosure gives both ends; a test then measures
/// from the nearest end, so the width of the enclosure is never counted as a deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NullRange {
    lower: f64,
    upper: f64,
}

impl NullRange {
    /// The range [lower, upper].
    ///
    /// # Errors
    /// - [`StatsError::OutOfRange`]: an end is infinite or NaN
    /// - [`StatsError::EmptyRange`]: `lower` above `upper`
    pub fn new(lower: f64, upper: f64) -> Result<Self, StatsError> {
        finite("lower", lower)?;
        finite("upper", upper)?;
        if lower > upper {
            return Err(StatsError::EmptyRange { lower, upper });
        }
        Ok(Self { lower, upper })
    }

    /// A single value.
    ///
    /// # Errors
    /// - [`StatsError::OutOfRange`]: the value is infinite or NaN
    pub fn point(value: f64) -> Result<Self, StatsError> {
        Self::new(value, value)
    }

    /// Lower end.
    #[must_use]
    pub const fn lower(self) -> f64 {
        self.lower
    }

    /// Upper end.
    #[must_use]
    pub const fn upper(self) -> f64 {
        self.upper
    }

    /// The member of the range that is nearest to a finite number.
    #[must_use]
    pub fn nearest(self, value: f64) -> f64 {
        value.clamp(self.lower, self.upper)
    }
}

/// Result of a z test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZTest {
    /// Signed distance from the nearest value of the null range, in standard errors; 0
    /// inside the range. Finite: a deviation at a standard error of 0 saturates at `f64::MAX`.
    pub statistic: f64,
    /// Two-sided p-value, in [0, 1].
    pub p_value: f64,
}

/// Two-sided z test of an observed value against an exact one.
///
/// `z = (observed - nearest) / std_error`, `p = 2 P(Z >= |z|)`.
///
/// # Arguments
/// - `observed`: the estimate
/// - `null`: the exact value, or an enclosure of it
/// - `std_error`: standard error of the estimate under the null hypothesis, from the
///   exact standard deviation: sigma / sqrt(n) for a mean, [`variance_std_error`] for a
///   variance. In [0, inf). At 0 the estimate must lie in `null`: p is then 1, else 0.
///
/// # Accuracy
/// The normal law is approximate for a mean of n rounds; the p-value itself has a relative
/// accuracy of 1e-9 and reaches 0 only below the smallest `f64` (|z| above about 38.5).
///
/// # Errors
/// - [`StatsError::OutOfRange`]: an argument is infinite or NaN, or `std_error` negative
///
/// # Examples
/// ```
/// use wonderspins::stats::{NullRange, z_test};
///
/// let test = z_test(10.3, NullRange::new(9.9, 10.1)?, 0.1)?;
/// assert!((test.statistic - 2.0).abs() < 1e-12);
/// assert!((test.p_value - 0.0455).abs() < 1e-4);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn z_test(observed: f64, null: NullRange, std_error: f64) -> Result<ZTest, StatsError> {
    finite("observed", observed)?;
    not_negative("std_error", std_error)?;
    let deviation = observed - null.nearest(observed);
    // A zero deviation is asked for first: 0/0 has no value.
    let statistic = if deviation.abs() > 0.0 {
        (deviation / std_error).clamp(-f64::MAX, f64::MAX)
    } else {
        0.0
    };
    Ok(ZTest {
        statistic,
        p_value: normal_two_sided(statistic),
    })
}

/// Standard error of the unbiased variance of n rounds whose exact variance and fourth
/// central moment are known: sqrt((m4 - (n - 3) / (n - 1) variance^2) / n).
///
/// # Arguments
/// - `variance`, `fourth_central`: in [0, inf), with m4 at least variance^2
/// - `rounds`: at least 2
///
/// # Errors
/// - [`StatsError::TooFewRounds`]: fewer than 2 rounds
/// - [`StatsError::OutOfRange`]: a moment is negative, infinite or NaN, or m4 is too small
///   for any law with that variance
///
/// # Source
/// Mood, Graybill and Boes, Introduction to the Theory of Statistics (1974), chapter VI,
/// theorem 2.
pub fn variance_std_error(
    variance: f64,
    fourth_central: f64,
    rounds: u64,
) -> Result<f64, StatsError> {
    not_negative("variance", variance)?;
    not_negative("fourth_central", fourth_central)?;
    if rounds < 2 {
        return Err(StatsError::TooFewRounds { rounds, needed: 2 });
    }
    let n = count_to_f64(rounds);
    let radicand = (fourth_central - (n - 3.0) / (n - 1.0) * variance * variance) / n;
    not_negative("fourth_central - variance^2", radicand).map(f64::sqrt)
}

/// The smallest deviation that a two-sided z test finds with the given power:
/// `(z_(1 - alpha/2) + z_power) std_error`.
///
/// # Arguments
/// - `std_error`: of the estimate, in [0, inf)
/// - `alpha`: level of the one test (after any correction for several tests), in (0, 1)
/// - `power`: probability of finding the deviation, in (0, 1), usually 0.8
///
/// # Errors
/// - [`StatsError::NotInOpenUnit`]: `alpha` or `power` outside (0, 1)
/// - [`StatsError::OutOfRange`]: `std_error` negative, infinite or NaN
///
/// # Source
/// Lehmann and Romano, Testing Statistical Hypotheses (2005), section 3.3, with the
/// opposite tail neglected.
pub fn smallest_detectable(std_error: f64, alpha: f64, power: f64) -> Result<f64, StatsError> {
    not_negative("std_error", std_error)?;
    open_unit("alpha", alpha)?;
    open_unit("power", power)?;
    let reach = upper_quantile(0.5 * alpha)? + normal_quantile(power)?;
    // Below alpha/2 the formula's neglected tail matters and the reach would be negative.
    Ok(reach.max(0.0) * std_error)
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_close;
    use super::*;

    #[test]
    fn distance_is_taken_from_the_nearest_end() {
        let null = NullRange::new(1.0, 2.0).unwrap();
        for (observed, z) in [(0.0, -2.0), (1.0, 0.0), (1.7, 0.0), (2.0, 0.0), (3.5, 3.0)] {
            let test = z_test(observed, null, 0.5).unwrap();
            assert!((test.statistic - z).abs() < 1e-15, "{observed}");
            assert_close(test.p_value, normal_two_sided(z), 1e-15);
        }
    }

    #[test]
    fn a_far_deviation_keeps_a_positive_p_value() {
        // mpmath 1.4.1: erfc(30 / sqrt 2) = 9.8134278542963741191e-198.
        let test = z_test(30.0, NullRange::point(0.0).unwrap(), 1.0).unwrap();
        assert_close(test.p_value, 9.813_427_854_296_374e-198, 1e-9);
    }

    #[test]
    fn no_spread_leaves_only_equality() {
        let null = NullRange::point(4.0).unwrap();
        let equal = z_test(4.0, null, 0.0).unwrap();
        assert_close(equal.p_value, 1.0, 0.0);
        let other = z_test(4.5, null, 0.0).unwrap();
        assert!(other.p_value < f64::MIN_POSITIVE && other.statistic.is_finite());
    }

    #[test]
    fn faults_are_refused() {
        let null = NullRange::point(0.0).unwrap();
        assert!(z_test(f64::NAN, null, 1.0).is_err());
        assert!(z_test(0.0, null, -1.0).is_err());
        assert!(z_test(0.0, null, f64::NAN).is_err());
        assert!(NullRange::new(2.0, 1.0).is_err());
        assert!(NullRange::new(f64::NAN, 1.0).is_err());
        assert!(NullRange::new(0.0, f64::INFINITY).is_err());
        assert!(variance_std_error(1.0, 0.5, 1_000_000).is_err());
        assert!(variance_std_error(1.0, 3.0, 1).is_err());
        assert!(smallest_detectable(1.0, 0.0, 0.8).is_err());
        assert!(smallest_detectable(1.0, 0.05, f64::NAN).is_err());
    }

    #[test]
    fn standard_error_of_a_variance() {
        // Normal data: m4 = 3 sigma^4, so the squared error is 2 sigma^4 / (n - 1).
        let found = variance_std_error(4.0, 48.0, 101).unwrap();
        assert_close(found, (32.0_f64 / 100.0).sqrt(), 1e-14);
    }

    #[test]
    fn detectable_deviation() {
        // mpmath 1.4.1: 1.9599639845400538556 + 0.8416212335729143638.
        let found = smallest_detectable(2.0, 0.05, 0.8).unwrap();
        assert_close(found, 2.0 * 2.801_585_218_112_968, 1e-13);
    }
}
