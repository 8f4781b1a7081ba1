//! The largest of many values against bounds of its law.

use super::{NullRange, StatsError, count_to_f64, probability};

/// Result of [`largest_test`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargestTest {
    /// Upper bound of the probability of a largest value at least as large.
    pub at_least: f64,
    /// Upper bound of the probability of a largest value at most as large.
    pub at_most: f64,
    /// min(1, twice the smaller), in [0, 1].
    pub p_value: f64,
}

/// Tests the largest value x of independent rounds from both sides.
///
/// P(largest >= x) = 1 - (1 - P(X >= x))^n and P(largest <= x) = (1 - P(X > x))^n, each at the
/// end of its enclosure that makes it largest, so the test is conservative for every law that
/// the bounds allow.
///
/// # Arguments
/// - `rounds`: at least 1
/// - `at_least`: P(X >= x) of one round
/// - `above`: P(X > x) of one round
///
/// # Accuracy
/// Relative 1e-14 for each tail; neither is one minus the other.
///
/// # Errors
/// - [`StatsError::TooFewRounds`]: no rounds
/// - [`StatsError::NotAProbability`]: a bound outside [0, 1]
///
/// # Source
/// E. J. Gumbel, Statistics of Extremes (1958), section 1.2.
///
/// # Examples
/// ```
/// use wonderspins::stats::{NullRange, largest_test};
///
/// // No six in 50 throws of a die: (5/6)^50, doubled.
/// let test = largest_test(50, NullRange::point(1.0 / 3.0)?, NullRange::point(1.0 / 6.0)?)?;
/// assert!((test.p_value - 2.0 * (5.0_f64 / 6.0).powi(50)).abs() < 1e-15);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn largest_test(
    rounds: u64,
    at_least: NullRange,
    above: NullRange,
) -> Result<LargestTest, StatsError> {
    if rounds == 0 {
        return Err(StatsError::TooFewRounds { rounds, needed: 1 });
    }
    let most = probability("at_least.upper", at_least.upper())?;
    let least = probability("above.lower", above.lower())?;
    let n = count_to_f64(rounds);
    // ln(1 - 1) is minus infinity, which gives the certain 1 and the impossible 0.
    let at_least = -(n * (-most).ln_1p()).exp_m1();
    let at_most = (n * (-least).ln_1p()).exp();
    Ok(LargestTest {
        at_least,
        at_most,
        p_value: (2.0 * at_least.min(at_most)).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_close;
    use super::*;

    // Expected values: mpmath 1.4.1, expm1 and log1p at 40 digits of the f64 arguments.
    #[test]
    fn both_tails() {
        for (rounds, at_least, above, high, low) in [
            (
                1000,
                1e-3,
                5e-4,
                0.632_304_575_229_035_9,
                0.606_454_822_840_061_6,
            ),
            (100_000_000, 1e-12, 0.0, 9.999_500_016_671_249e-5, 1.0),
            (
                50,
                0.2,
                0.1,
                0.999_985_727_523_072_9,
                0.005_153_775_207_320_113_3,
            ),
        ] {
            let test = largest_test(
                rounds,
                NullRange::point(at_least).unwrap(),
                NullRange::point(above).unwrap(),
            )
            .unwrap();
            assert_close(test.at_least, high, 1e-13);
            assert_close(test.at_most, low, 1e-13);
            assert_close(test.p_value, (2.0 * high.min(low)).min(1.0), 1e-13);
        }
    }

    #[test]
    fn bounds_are_used_against_a_rejection() {
        let wide = NullRange::new(1e-9, 1e-6).unwrap();
        let test = largest_test(1_000_000, wide, NullRange::new(0.0, 1e-6).unwrap()).unwrap();
        // 1 - (1 - 1e-6)^1e6 and 1.
        assert_close(test.at_least, 0.632_120_742_768_0, 1e-6);
        assert_close(test.at_most, 1.0, 0.0);
    }

    #[test]
    fn certain_and_impossible() {
        let point = |p| NullRange::point(p).unwrap();
        let impossible = largest_test(10, point(0.0), point(0.0)).unwrap();
        assert!(impossible.p_value < f64::MIN_POSITIVE);
        let too_small = largest_test(10, point(1.0), point(1.0)).unwrap();
        assert!(too_small.p_value < f64::MIN_POSITIVE);
        let certain = largest_test(10, point(1.0), point(0.0)).unwrap();
        assert_close(certain.p_value, 1.0, 0.0);
        assert!(largest_test(0, point(1.0), point(0.0)).is_err());
        assert!(largest_test(1, point(1.5), point(0.0)).is_err());
    }
}
