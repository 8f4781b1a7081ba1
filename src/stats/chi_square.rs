//! Tails and quantiles of the chi-square law, and what a chi-square test can see.

use statrs::function::gamma::gamma_ur;

use super::{StatsError, count_to_f64, open_unit};

/// Halvings after which a bracket has no two `f64` apart from its ends.
const HALVINGS: usize = 200;

/// Upper tail of the chi-square law, P(X >= x), by the upper regularised gamma function.
///
/// # Accuracy
/// Relative 1e-10 (against mpmath in the tests, up to 900 degrees of freedom).
pub(super) fn chi_square_sf(x: f64, degrees_of_freedom: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    gamma_ur(0.5 * degrees_of_freedom, 0.5 * x).clamp(0.0, 1.0)
}

/// The x with P(X >= x) = `tail`.
fn upper_quantile(tail: f64, degrees_of_freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, degrees_of_freedom + 10.0);
    while chi_square_sf(high, degrees_of_freedom) > tail {
        low = high;
        high *= 2.0;
    }
    bisected(low, high, |x| chi_square_sf(x, degrees_of_freedom) > tail)
}

/// P(X >= x) where X is a sum of squares of independent normal variables of variance 1 whose
/// squared means add up to `noncentrality`: central tails weighted by a Poisson law.
fn noncentral_sf(x: f64, degrees_of_freedom: f64, noncentrality: f64) -> f64 {
    let mean = 0.5 * noncentrality;
    let (a, half) = (0.5 * degrees_of_freedom, 0.5 * x);
    // Terms this far from the mean of the Poisson law weigh less than 1e-16 together.
    let reach = 9.0 * mean.sqrt() + 40.0;
    let first = (mean - reach).max(0.0).floor();
    let last = (mean + reach).ceil();
    let mut weight = (first * mean.ln() - mean - ln_factorial(first)).exp();
    if mean <= 0.0 {
        return chi_square_sf(x, degrees_of_freedom);
    }
    // Q(a + 1, h) = Q(a, h) + h^a e^-h / Gamma(a + 1): all terms are positive.
    let mut a = a + first;
    let mut tail = gamma_ur(a, half);
    let mut step = (a * half.ln() - half - statrs::function::gamma::ln_gamma(a + 1.0)).exp();
    let mut sum = 0.0;
    let mut j = first;
    while j <= last {
        sum += weight * tail.min(1.0);
        tail += step;
        a += 1.0;
        step *= half / a;
        j += 1.0;
        weight *= mean / j;
    }
    sum.min(1.0)
}

/// ln n! of a whole number.
fn ln_factorial(n: f64) -> f64 {
    statrs::function::gamma::ln_gamma(n + 1.0)
}

/// The point between two ends where `is_before` turns from true to false.
fn bisected(mut low: f64, mut high: f64, is_before: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if is_before(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The smallest noncentrality that a chi-square test finds with the given power: n w^2, where
/// n is the number of draws and w^2 the sum of (q - p)^2 / p over the bins, p the law tested and
/// q the true one (Cohen's effect size).
///
/// Half of w is at least the distance in total variation: half the sum of |q - p| is at most
/// half of w (Cauchy-Schwarz). So a test that finds w finds every law of which w/2 of the draws
/// fall into another bin.
///
/// # Arguments
/// - `degrees_of_freedom`: at least 1
/// - `alpha`: level of the one test, in (0, 1)
/// - `power`: probability of finding it, in (0, 1), usually 0.8
///
/// # Accuracy
/// Relative 1e-8 (against scipy in the tests).
///
/// # Errors
/// - [`StatsError::NotInOpenUnit`]: `alpha` or `power` outside (0, 1)
///
/// # Source
/// J. Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), chapter 7; the
/// noncentral law: R. A. Fisher (1928).
///
/// # Examples
/// ```
/// // One degree of freedom is a z test: (1.9600 + 0.8416)^2, the opposite tail neglected.
/// let found = wonderspins::stats::chi_square_detectable(1, 0.05, 0.8)?;
/// assert!((found - 2.8016_f64.powi(2)).abs() < 1e-3);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn chi_square_detectable(
    degrees_of_freedom: u64,
    alpha: f64,
    power: f64,
) -> Result<f64, StatsError> {
    open_unit("alpha", alpha)?;
    open_unit("power", power)?;
    let df = count_to_f64(degrees_of_freedom.max(1));
    let critical = upper_quantile(alpha, df);
    let mut high = critical;
    while noncentral_sf(critical, df, high) < power {
        high *= 2.0;
    }
    Ok(bisected(0.0, high, |noncentrality| {
        noncentral_sf(critical, df, noncentrality) < power
    }))
}

/// The smallest noncentrality that the test of
/// [`chi_square_fit_within`](super::chi_square_fit_within) is sure to find with the given power
/// where the law is known as a set.
///
/// The statistic is the squared distance from the counts to a convex set of laws, and a convex
/// set lies on one side of the plane through its nearest point to the truth. The distance from
/// that plane is one normal variable with mean sqrt(noncentrality), so
/// sqrt(noncentrality) = sqrt(critical value) + `z_power` is enough.
///
/// # Errors
/// - [`StatsError::NotInOpenUnit`]: `alpha` or `power` outside (0, 1)
pub fn chi_square_detectable_within(
    degrees_of_freedom: u64,
    alpha: f64,
    power: f64,
) -> Result<f64, StatsError> {
    open_unit("alpha", alpha)?;
    let critical = upper_quantile(alpha, count_to_f64(degrees_of_freedom.max(1)));
    let distance = critical.sqrt() + super::normal_quantile(power)?;
    Ok(distance.max(0.0).powi(2))
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_close;
    use super::*;

    // Expected values: mpmath 1.4.1, regularised upper incomplete gamma function at 60
    // digits. 120 at 5 degrees of freedom is a tail that one minus the CDF turns into 0.
    #[test]
    fn tail_of_the_chi_square_law() {
        for (x, df, expected, tolerance) in [
            (120.0, 5.0, 3.138_579_772_755_296e-24, 1e-12),
            (3.841_458_820_694_124, 1.0, 0.05, 1e-12),
            (9.4, 6.0, 0.152_300_415_067_896_44, 1e-12),
            (79.84, 53.0, 0.010_006_601_150_946_24, 1e-12),
            (1000.0, 900.0, 0.010_994_608_942_135_848, 1e-10),
            (1500.0, 900.0, 9.780_239_407_762_575e-33, 1e-10),
            (0.5, 10.0, 0.999_993_388_289_439, 1e-12),
        ] {
            assert_close(chi_square_sf(x, df), expected, tolerance);
        }
    }

    // Expected values: scipy 1.17.1, `chi2.isf`.
    #[test]
    fn quantiles_of_the_chi_square_law() {
        for (tail, df, expected) in [
            (0.01, 53.0, 79.843_338_122_251_44),
            (3e-4, 200.0, 275.896_064_265_421_1),
            (1e-10, 5.0, 55.562_398_518_238_5),
            (0.05, 1.0, 3.841_458_820_694_128_5),
            (3e-4, 1590.0, 1_790.728_653_969_351_9),
            (2e-4, 33_000.0, 33_917.160_513_217_2),
        ] {
            assert_close(upper_quantile(tail, df), expected, 1e-9);
        }
    }

    // Expected values: scipy 1.17.1, `ncx2.sf`.
    #[test]
    fn tail_of_the_noncentral_law() {
        for (x, df, noncentrality, expected) in [
            (10.0, 3.0, 2.0, 0.101_435_036_486_001_36),
            (79.84, 53.0, 41.0, 0.802_390_184_651_793_5),
            (1790.0, 1590.0, 250.0, 0.778_993_176_265_304_7),
            (30.0, 10.0, 0.5, 0.001_438_314_136_443_438_1),
        ] {
            assert_close(noncentral_sf(x, df, noncentrality), expected, 1e-9);
        }
        assert_close(
            noncentral_sf(9.4, 6.0, 0.0),
            0.152_300_415_067_896_44,
            1e-12,
        );
    }

    // Expected values: scipy 1.17.1, `brentq` over `ncx2.sf` at the quantile of `chi2.isf`.
    #[test]
    fn noncentrality_found_with_power() {
        for (df, alpha, expected) in [
            (53, 0.01, 40.861_252_225_723_37),
            (1, 0.05, 7.848_860_509_326_2),
            (200, 3e-4, 99.909_984_547_065_39),
            (1590, 3e-4, 255.491_803_474_129_09),
        ] {
            assert_close(
                chi_square_detectable(df, alpha, 0.8).unwrap(),
                expected,
                1e-8,
            );
        }
        assert!(chi_square_detectable(3, 0.0, 0.8).is_err());
        assert!(chi_square_detectable(3, 0.05, 1.0).is_err());
    }

    /// A set of laws needs more than a point: scipy 1.17.1,
    /// (sqrt(chi2.isf) + norm.ppf)^2.
    #[test]
    fn a_set_of_laws_hides_more_than_a_point() {
        let found = chi_square_detectable_within(200, 3e-4, 0.8).unwrap();
        assert_close(found, 304.563_248_812_339_45, 1e-9);
        assert!(found > chi_square_detectable(200, 3e-4, 0.8).unwrap());
    }
}
