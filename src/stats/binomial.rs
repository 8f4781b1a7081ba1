//! Exact binomial test of a frequency, for up to 10^12 trials and beyond.
//!
//! The regularised incomplete beta function of statrs is not used: its prefactor is a
//! difference of log-gammas near n ln n and its continued fraction stops after 140 terms,
//! so it is off by 2e-6 at 10^9 trials and by 2e-3 at 10^12 (a test pins that down). Here the first
//! probability comes from Loader's saddle-point form, which has no such cancellation, and
//! the tail is summed term by term: all terms are positive.

use std::f64::consts::TAU;

use super::normal::normal_sf;
use super::{NullRange, StatsError, count_to_f64, probability};

/// Variance of the count up to which tails are summed exactly: below 30 million terms.
const EXACT_VARIANCE: f64 = 1e13;

/// Counts up to which every integer is an `f64`.
const EXACT_COUNT: u64 = 1 << 53;

/// Result of [`binomial_test`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BinomialTest {
    /// Observed less expected count in standard deviations of the count at the nearest
    /// null value; 0 inside the null range. Finite, saturating at `f64::MAX`.
    pub statistic: f64,
    /// Two-sided p-value, in [0, 1].
    pub p_value: f64,
    /// `BinomialTest::EXACT` or `BinomialTest::NORMAL`.
    pub method: &'static str,
}

impl BinomialTest {
    /// Method name: tails summed from the binomial law.
    pub const EXACT: &'static str = "exact binomial, doubled tail";
    /// Method name: normal tails with a continuity correction.
    pub const NORMAL: &'static str = "normal with continuity correction, doubled tail";
}

/// Two-sided test of `count` successes in `total` trials against a success probability.
///
/// The p-value is min(1, 2 min(P(X <= count), P(X >= count))), X binomial with the value
/// of `null` nearest to count / total; 1 where that frequency lies inside `null`.
///
/// # Arguments
/// - `count`: at most `total`
/// - `total`: at least 1
/// - `null`: the probability or an enclosure of it, inside [0, 1]. At an end of [0, 1] an
///   impossible count gives exactly 0.
///
/// # Accuracy
/// Relative 1e-8 with [`BinomialTest::EXACT`], which covers every law whose variance is at
/// most 10^13 (so any probability at 10^12 trials) and at most 2^53 trials. Above, the
/// normal tail with continuity correction, with an absolute error below 2e-7 (Berry-Esseen).
///
/// # Errors
/// - [`StatsError::TooFewRounds`]: no trials
/// - [`StatsError::CountAboveTotal`]: more successes than trials
/// - [`StatsError::NotAProbability`]: an end of `null` outside [0, 1]
///
/// # Source
/// C. Loader (2000), Fast and Accurate Computation of Binomial Probabilities.
///
/// # Examples
/// ```
/// use wonderspins::stats::{NullRange, binomial_test};
///
/// // 9 or 10 heads in 10 throws: 11/1024, doubled.
/// let test = binomial_test(9, 10, NullRange::point(0.5)?)?;
/// assert!((test.p_value - 22.0 / 1024.0).abs() < 1e-15);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn binomial_test(count: u64, total: u64, null: NullRange) -> Result<BinomialTest, StatsError> {
    probability("null.lower", null.lower())?;
    probability("null.upper", null.upper())?;
    if total == 0 {
        return Err(StatsError::TooFewRounds {
            rounds: total,
            needed: 1,
        });
    }
    if count > total {
        return Err(StatsError::CountAboveTotal { count, total });
    }
    let n = count_to_f64(total);
    let frequency = count_to_f64(count) / n;
    let p = null.nearest(frequency);
    let q = 1.0 - p;
    let variance = n * p * q;
    let exact = variance <= EXACT_VARIANCE && total <= EXACT_COUNT;
    let method = if exact {
        BinomialTest::EXACT
    } else {
        BinomialTest::NORMAL
    };
    // Distance in counts; n (frequency - p) would lose the digits of a small difference.
    let excess = count_to_f64(count) - n * p;
    let inside = frequency >= null.lower() && frequency <= null.upper();
    if inside || excess.abs() <= 0.0 {
        return Ok(BinomialTest {
            statistic: 0.0,
            p_value: 1.0,
            method,
        });
    }
    let statistic = (excess / variance.sqrt()).clamp(-f64::MAX, f64::MAX);
    // The tail on the observed side of the mean is the smaller one, or both pass 1/2: the
    // median is within 1 of the mean.
    let tail = if !exact {
        normal_sf((excess.abs() - 0.5) / variance.sqrt())
    } else if excess > 0.0 {
        upper_tail(count, total, p, q)
    } else {
        upper_tail(total - count, total, q, p)
    };
    Ok(BinomialTest {
        statistic,
        p_value: (2.0 * tail).min(1.0),
        method,
    })
}

/// The smallest success probability above a null value that [`binomial_test`] finds with the given
/// power.
///
/// # Arguments
/// - `total`: at least 1
/// - `null`: the probability or an enclosure of it, inside [0, 1]
/// - `alpha`: level of the one test, in (0, 1)
/// - `power`: probability of finding it, in [0.5, 1), usually 0.8
///
/// # Returns
/// A probability above `null.upper()`, or 1 where nothing less is found.
///
/// # Accuracy
/// That of [`binomial_test`]: exact tails up to a variance of 10^13, so a count that is expected
/// never is treated rightly. Beyond, the normal law.
///
/// # Errors
/// As [`binomial_test`], and [`StatsError::NotInOpenUnit`] for `alpha` or `power`.
///
/// # Examples
/// ```
/// use wonderspins::stats::{NullRange, binomial_detectable};
///
/// // A thing that never occurs is missed with probability (1 - q)^1000 = 0.2.
/// let found = binomial_detectable(1000, NullRange::point(0.0)?, 0.01, 0.8)?;
/// assert!((found - (1.0 - 0.2_f64.powf(0.001))).abs() < 1e-9);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn binomial_detectable(
    total: u64,
    null: NullRange,
    alpha: f64,
    power: f64,
) -> Result<f64, StatsError> {
    super::open_unit("alpha", alpha)?;
    super::open_unit("power", power)?;
    let upper = probability("null.upper", null.upper())?;
    let end = NullRange::point(upper)?;
    if total == 0 {
        return Err(StatsError::TooFewRounds {
            rounds: total,
            needed: 1,
        });
    }
    let n = count_to_f64(total);
    if n * upper * (1.0 - upper) > EXACT_VARIANCE {
        let reach = super::smallest_detectable((upper * (1.0 - upper) / n).sqrt(), alpha, power)?;
        return Ok((upper + reach).min(1.0));
    }
    // The smallest count that is refused.
    let (mut kept, mut refused) = (floor_count(n * upper).min(total), total + 1);
    while refused - kept > 1 {
        let middle = kept + (refused - kept) / 2;
        if binomial_test(middle, total, end)?.p_value <= alpha {
            refused = middle;
        } else {
            kept = middle;
        }
    }
    if refused > total {
        return Ok(1.0);
    }
    // The count is at or below the mean there, so that the chance of a smaller one is the
    // smaller tail.
    let missed = |q: f64| upper_tail(total - refused + 1, total, 1.0 - q, q);
    let (mut low, mut high) = (count_to_f64(refused) / n, 1.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if missed(middle) > 1.0 - power {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(high)
}

/// The whole part of a count that is not negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative and at most a count"
)]
fn floor_count(value: f64) -> u64 {
    value as u64
}

/// P(X >= k) for k at or above the mean, by summing outwards until nothing changes.
fn upper_tail(k: u64, n: u64, p: f64, q: f64) -> f64 {
    let first = point_probability(k, n, p, q);
    let odds = p / q;
    let (mut x, mut rest) = (count_to_f64(k), count_to_f64(n - k));
    let (mut term, mut sum) = (1.0, 0.0);
    while term > sum * f64::EPSILON * 0.01 {
        sum += term;
        x += 1.0;
        // Reaches 0 at k = n, which ends the loop.
        term *= rest / x * odds;
        rest -= 1.0;
    }
    first * sum
}

/// P(X = k), by the saddle-point expansion.
fn point_probability(k: u64, n: u64, p: f64, q: f64) -> f64 {
    let (size, x, y) = (count_to_f64(n), count_to_f64(k), count_to_f64(n - k));
    if k == 0 {
        return (size * (-p).ln_1p()).exp();
    }
    if k == n {
        return (size * (-q).ln_1p()).exp();
    }
    let exponent = stirling_error(size)
        - stirling_error(x)
        - stirling_error(y)
        - deviance(x, size * p)
        - deviance(y, size * q);
    exponent.exp() * (size / (TAU * x * y)).sqrt()
}

/// ln n! less Stirling's ln(sqrt(2 pi n) (n/e)^n).
fn stirling_error(n: f64) -> f64 {
    if n > 15.0 {
        let s = 1.0 / (n * n);
        return (1.0 / 12.0
            - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - s / 1188.0) * s) * s) * s)
            / n;
    }
    let mut factorial = 1.0;
    let mut k = 2.0;
    while k <= n {
        factorial *= k;
        k += 1.0;
    }
    factorial.ln() - 0.5 * TAU.ln() - (n + 0.5) * n.ln() + n
}

/// x ln(x/m) + m - x, without cancellation where x is close to m.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut power = 2.0 * x * v;
    let mut odd = 1.0;
    loop {
        power *= v * v;
        odd += 2.0;
        let next = sum + power / odd;
        if (next - sum).abs() <= 0.0 {
            return next;
        }
        sum = next;
    }
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{Binomial, DiscreteCDF};

    use super::super::testing::assert_close;
    use super::*;

    fn p_value(count: u64, total: u64, p: f64) -> f64 {
        let test = binomial_test(count, total, NullRange::point(p).unwrap()).unwrap();
        assert_eq!(test.method, BinomialTest::EXACT);
        test.p_value
    }

    // Expected values: mpmath 1.4.1, log-gamma and a direct sum at 40 to 50 digits, with the
    // f64 nearest to the stated probability; scipy 1.17.1 `binom.sf`/`cdf` agrees within 5e-10.
    #[test]
    fn doubled_tails() {
        for (count, total, p, expected, tolerance) in [
            (9, 10, 0.5, 0.021_484_375, 1e-13),
            (0, 10, 0.3, 0.056_495_049_8, 1e-13),
            (3, 20, 0.25, 0.450_312_095_328_627_04, 1e-13),
            (998, 1000, 0.99, 0.005_358_863_987_583_028_6, 1e-12),
            (52, 100, 0.5, 0.764_353_434_402_666_8, 1e-13),
            (997_900, 1_000_000, 0.9978, 0.032_647_070_487_747_76, 1e-11),
            (
                997_600,
                1_000_000,
                0.9978,
                2.673_511_442_258_566_5e-5,
                1e-11,
            ),
            (
                997_809_000,
                1_000_000_000,
                0.9978,
                1.215_588_153_967_421_7e-9,
                1e-10,
            ),
            (
                997_796_000,
                1_000_000_000,
                0.9978,
                0.006_960_465_628_617_493,
                1e-10,
            ),
            (
                997_800_150_000,
                1_000_000_000_000,
                0.9978,
                0.001_366_872_854_340_781_2,
                1e-8,
            ),
            (
                997_799_906_000,
                1_000_000_000_000,
                0.9978,
                0.044_827_077_011_304_39,
                1e-8,
            ),
            (
                500_002_500_000,
                1_000_000_000_000,
                0.5,
                5.733_061_171_751_164e-7,
                1e-8,
            ),
        ] {
            assert_close(p_value(count, total, p), expected, tolerance);
        }
    }

    #[test]
    fn small_laws_equal_a_sum_over_all_counts() {
        for total in 1_u64..=12 {
            for p in [0.1_f64, 0.5, 0.73] {
                let mass = |k: u64| {
                    let choose: f64 = (0..k)
                        .map(|i| count_to_f64(total - i) / count_to_f64(i + 1))
                        .product();
                    choose * p.powf(count_to_f64(k)) * (1.0 - p).powf(count_to_f64(total - k))
                };
                for count in 0..=total {
                    let low: f64 = (0..=count).map(mass).sum();
                    let high: f64 = (count..=total).map(mass).sum();
                    let expected = (2.0 * low.min(high)).min(1.0);
                    assert_close(p_value(count, total, p), expected, 1e-12);
                }
            }
        }
    }

    #[test]
    fn statrs_is_wrong_in_the_third_digit_at_a_trillion_trials() {
        let law = Binomial::new(0.9978, 1_000_000_000_000).unwrap();
        let error = 2.0 * law.sf(997_800_149_999) / 0.001_366_872_854_340_781_2 - 1.0;
        assert!(error.abs() > 1e-3, "{error}");
    }

    #[test]
    fn null_range_and_its_ends() {
        let null = NullRange::new(0.4, 0.6).unwrap();
        assert_close(binomial_test(50, 100, null).unwrap().p_value, 1.0, 0.0);
        let above = binomial_test(75, 100, null).unwrap();
        assert_close(above.p_value, p_value(75, 100, 0.6), 0.0);
        let below = binomial_test(25, 100, null).unwrap();
        assert_close(below.p_value, above.p_value, 1e-12);
        assert!(below.statistic < 0.0 && above.statistic > 0.0);
    }

    #[test]
    fn certain_events() {
        for total in [1, 1_000_000] {
            assert_close(p_value(total, total, 1.0), 1.0, 0.0);
            assert_close(p_value(0, total, 0.0), 1.0, 0.0);
            let impossible =
                binomial_test(total - 1, total, NullRange::point(1.0).unwrap()).unwrap();
            assert!(impossible.p_value < f64::MIN_POSITIVE && impossible.statistic.is_finite());
            let impossible = binomial_test(1, total, NullRange::point(0.0).unwrap()).unwrap();
            assert!(impossible.p_value < f64::MIN_POSITIVE && impossible.statistic.is_finite());
        }
    }

    #[test]
    fn beyond_the_exact_range_the_normal_law_takes_over() {
        let total = 1_000_000_000_000_000;
        let count = total / 2 + 31_622_777; // two standard deviations
        let test = binomial_test(count, total, NullRange::point(0.5).unwrap()).unwrap();
        assert_eq!(test.method, BinomialTest::NORMAL);
        // mpmath 1.4.1: erfc(2 / sqrt 2) = 0.045500263896358.
        assert_close(test.p_value, 0.045_500_263_896_358, 1e-6);
    }

    // Expected values: scipy 1.17.1, `brentq` over `binom.sf` at the smallest count whose doubled
    // tail is at most alpha (2, 339 and 221,697).
    #[test]
    fn detectable_probability() {
        for (total, p, alpha, expected) in [
            (20_000, 2.2696e-7, 3e-4, 1.497_079_530_684_103_3e-4),
            (1000, 0.3, 0.01, 0.351_219_024_727_217_4),
            (100_000_000, 0.0022, 3e-4, 0.002_220_927_360_920_823_3),
        ] {
            let null = NullRange::point(p).unwrap();
            let found = binomial_detectable(total, null, alpha, 0.8).unwrap();
            assert_close(found, expected, 1e-8);
        }
        // Two trials cannot refute one half at 1 %.
        let half = NullRange::point(0.5).unwrap();
        assert_close(binomial_detectable(2, half, 0.01, 0.8).unwrap(), 1.0, 0.0);
        assert!(binomial_detectable(2, half, 0.0, 0.8).is_err());
        assert!(binomial_detectable(0, half, 0.01, 0.8).is_err());
    }

    #[test]
    fn faults_are_refused() {
        let half = NullRange::point(0.5).unwrap();
        assert!(binomial_test(0, 0, half).is_err());
        assert!(binomial_test(2, 1, half).is_err());
        assert!(binomial_test(1, 2, NullRange::new(0.5, 1.5).unwrap()).is_err());
        assert!(binomial_test(1, 2, NullRange::new(-0.5, 0.5).unwrap()).is_err());
    }
}
