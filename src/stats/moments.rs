//! Exact central moments of an integer histogram.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::StatsError;

/// Central moments of a histogram, held as exact rationals.
///
/// Sums of powers up to the fourth are integers of any size; the moments are ratios of
/// such integers, and each accessor rounds once, to the nearest `f64`. Values near 10^9
/// that differ in their last digit lose nothing, whatever the number of rounds.
///
/// # Examples
/// ```
/// use wonderspins::stats::Moments;
///
/// // 0, 0, 1, 1, 1, 4, 10
/// let moments = Moments::from_histogram([(0, 2), (1, 3), (4, 1), (10, 1)])?;
/// assert_eq!(moments.rounds(), 7);
/// assert_eq!(moments.mean(), 17.0 / 7.0);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moments {
    rounds: u64,
    mean: RBig,
    /// Sum of squared deviations from the mean.
    squares: RBig,
    third: RBig,
    fourth: RBig,
}

impl Moments {
    /// The moments of a histogram of pairs (value, rounds). Order and repeated values do
    /// not matter, and entries of zero rounds are allowed.
    ///
    /// With `S_k` the sum of the k-th powers of n values, the central moments are
    /// `(n S2 - S1^2) / n^2`, `(n^2 S3 - 3 n S1 S2 + 2 S1^3) / n^3` and
    /// `(n^3 S4 - 4 n^2 S1 S3 + 6 n S1^2 S2 - 3 S1^4) / n^4`.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: no rounds at all
    /// - [`StatsError::TooManyRounds`]: more than 2^64 - 1 rounds
    ///
    /// # Source
    /// Kendall and Stuart, The Advanced Theory of Statistics, volume 1, section 3.
    pub fn from_histogram(
        histogram: impl IntoIterator<Item = (u64, u64)>,
    ) -> Result<Self, StatsError> {
        let mut rounds = 0_u64;
        let mut sums = [const { IBig::ZERO }; 4];
        for (value, count) in histogram {
            rounds = rounds.checked_add(count).ok_or(StatsError::TooManyRounds)?;
            let mut term = IBig::from(count);
            for sum in &mut sums {
                term *= value;
                *sum += &term;
            }
        }
        if rounds == 0 {
            return Err(StatsError::TooFewRounds { rounds, needed: 1 });
        }
        let [s1, s2, s3, s4] = sums;
        let n = IBig::from(rounds);
        let n2 = &n * &n;
        let n3 = &n2 * &n;
        let s1_squared = &s1 * &s1;
        let squares = &n * &s2 - &s1_squared;
        let third = &n2 * &s3 - IBig::from(3) * &n * &s1 * &s2 + IBig::from(2) * &s1_squared * &s1;
        let fourth = &n3 * &s4 - IBig::from(4) * &n2 * &s1 * &s3
            + IBig::from(6) * &n * &s1_squared * &s2
            - IBig::from(3) * &s1_squared * &s1_squared;
        let over = |numerator: IBig, power: usize| {
            RBig::from_parts(numerator, UBig::from(rounds).pow(power))
        };
        Ok(Self {
            rounds,
            mean: over(s1, 1),
            squares: over(squares, 1),
            third: over(third, 3),
            fourth: over(fourth, 4),
        })
    }

    /// Number of rounds n.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The mean, correctly rounded.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean.to_f64().value()
    }

    /// The mean, exactly.
    #[must_use]
    pub const fn exact_mean(&self) -> &RBig {
        &self.mean
    }

    /// The unbiased variance (sum of squared deviations over n - 1), exactly.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: fewer than 2 rounds
    pub fn exact_variance(&self) -> Result<RBig, StatsError> {
        if self.rounds < 2 {
            return Err(StatsError::TooFewRounds {
                rounds: self.rounds,
                needed: 2,
            });
        }
        Ok(&self.squares / RBig::from(self.rounds - 1))
    }

    /// The unbiased variance, correctly rounded.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: fewer than 2 rounds
    pub fn variance(&self) -> Result<f64, StatsError> {
        Ok(self.exact_variance()?.to_f64().value())
    }

    /// The square root of the unbiased variance, within one unit in the last place.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: fewer than 2 rounds
    pub fn std_dev(&self) -> Result<f64, StatsError> {
        Ok(self.variance()?.sqrt())
    }

    /// The third central moment, mean of (x - mean)^3, correctly rounded.
    #[must_use]
    pub fn third_central(&self) -> f64 {
        self.third.to_f64().value()
    }

    /// The fourth central moment, mean of (x - mean)^4, correctly rounded.
    #[must_use]
    pub fn fourth_central(&self) -> f64 {
        self.fourth.to_f64().value()
    }

    /// Standard error of the mean, sqrt(s^2 / n), within one unit in the last place.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: fewer than 2 rounds
    pub fn mean_std_error(&self) -> Result<f64, StatsError> {
        let squared = self.exact_variance()? / RBig::from(self.rounds);
        Ok(squared.to_f64().value().sqrt())
    }

    /// Standard error of the variance, sqrt((m4 - (n - 3) / (n - 1) s^4) / n), with the
    /// sample's own fourth central moment and variance.
    ///
    /// The radicand is formed exactly and is never negative: m4 is at least the square
    /// of the second central moment.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: fewer than 2 rounds
    ///
    /// # Source
    /// Mood, Graybill and Boes, Introduction to the Theory of Statistics (1974),
    /// chapter VI, theorem 2.
    pub fn variance_std_error(&self) -> Result<f64, StatsError> {
        let variance = self.exact_variance()?;
        let factor = (RBig::from(self.rounds) - RBig::from(3)) / RBig::from(self.rounds - 1);
        let squared = (&self.fourth - factor * &variance * &variance) / RBig::from(self.rounds);
        Ok(squared.to_f64().value().sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_close;
    use super::*;

    fn check(histogram: &[(u64, u64)], expected: [f64; 5]) {
        let moments = Moments::from_histogram(histogram.iter().copied()).unwrap();
        let [mean, variance, third, fourth, variance_error] = expected;
        assert_eq!(moments.mean().to_bits(), mean.to_bits());
        assert_eq!(moments.variance().unwrap().to_bits(), variance.to_bits());
        assert_eq!(moments.third_central().to_bits(), third.to_bits());
        assert_eq!(moments.fourth_central().to_bits(), fourth.to_bits());
        assert_close(moments.variance_std_error().unwrap(), variance_error, 3e-16);
    }

    // Expected values: Python 3 `fractions.Fraction`, from deviations from the exact mean
    // (not from power sums), converted once.
    #[test]
    fn equal_to_a_rational_computation_bit_for_bit() {
        check(
            &[(0, 2), (1, 3), (4, 1), (10, 1)],
            [
                2.428_571_428_571_428_4,
                12.952_380_952_380_953,
                57.218_658_892_128_28,
                482.070_803_831_736_8,
                7.272_531_709_646_230_5,
            ],
        );
        check(
            &[
                (1_000_000_001, 3),
                (1_000_000_002, 5),
                (1_000_000_007, 2),
                (1_000_000_400, 1),
            ],
            [
                1_000_000_038.818_181_9,
                14_354.563_636_363_637,
                4_240_069.244_177_311,
                1_548_652_589.825_421_8,
                11_216.099_597_830_917,
            ],
        );
        check(
            &[
                (0, 1_000_000_000_000),
                (3, 100_000_000_007),
                (17, 123_456_789),
                (500, 3),
                (1_000_000, 1),
            ],
            [
                0.274_605_331_853_151_34,
                1.684_103_310_298_595,
                908_990.487_980_826_9,
                908_987_891_689.226_6,
                0.908_988_390_906_871_4,
            ],
        );
    }

    // NIST Statistical Reference Datasets, univariate summary statistics, in units of 0.1
    // where the set has one decimal: NumAcc1 (10000001, 10000003, 10000002; certified
    // mean 10000002, standard deviation 1) and NumAcc4 (1001 values near 10^7; certified
    // mean 10000000.2, standard deviation 0.1). Classical one-pass sums lose both.
    #[test]
    fn nist_num_acc() {
        let one =
            Moments::from_histogram([(10_000_001, 1), (10_000_003, 1), (10_000_002, 1)]).unwrap();
        assert_eq!(one.mean().to_bits(), 10_000_002_f64.to_bits());
        assert_eq!(one.std_dev().unwrap().to_bits(), 1_f64.to_bits());

        let four =
            Moments::from_histogram([(100_000_002, 1), (100_000_001, 500), (100_000_003, 500)])
                .unwrap();
        assert_eq!(four.mean().to_bits(), 100_000_002_f64.to_bits());
        assert_eq!(four.std_dev().unwrap().to_bits(), 1_f64.to_bits());
        assert_close(four.fourth_central(), 0.999_000_999_000_999, 1e-15);
    }

    #[test]
    fn one_round_has_a_mean_and_no_variance() {
        let one = Moments::from_histogram([(7, 1), (9, 0)]).unwrap();
        assert_eq!(one.mean().to_bits(), 7_f64.to_bits());
        let error = StatsError::TooFewRounds {
            rounds: 1,
            needed: 2,
        };
        assert_eq!(one.variance(), Err(error));
        assert_eq!(one.mean_std_error(), Err(error));
        assert_eq!(one.variance_std_error(), Err(error));
    }

    #[test]
    fn two_equal_rounds_and_the_largest_values_are_defined() {
        let equal = Moments::from_histogram([(5, 2)]).unwrap();
        assert_eq!(equal.variance().unwrap().to_bits(), 0_f64.to_bits());
        assert_eq!(
            equal.variance_std_error().unwrap().to_bits(),
            0_f64.to_bits()
        );
        let largest = Moments::from_histogram([(u64::MAX, u64::MAX - 1), (0, 1)]).unwrap();
        assert!(largest.variance_std_error().unwrap().is_finite());
    }

    #[test]
    fn empty_and_overflowing_histograms_are_refused() {
        assert_eq!(
            Moments::from_histogram([(3, 0)]),
            Err(StatsError::TooFewRounds {
                rounds: 0,
                needed: 1
            })
        );
        assert_eq!(
            Moments::from_histogram([(3, u64::MAX), (4, 1)]),
            Err(StatsError::TooManyRounds)
        );
    }
}
