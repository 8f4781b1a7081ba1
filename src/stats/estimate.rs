//! An estimate with its standard error and its interval.

use super::normal::two_sided_z;
use super::{Moments, StatsError, count_to_f64, finite};

/// A quantity estimated from independent rounds.
///
/// The interval never stands without its level and method. All numbers are finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The point estimate.
    pub estimate: f64,
    /// Its standard error, in the same unit; at least 0.
    pub std_error: f64,
    /// Lower end of the interval.
    pub lower: f64,
    /// Upper end of the interval.
    pub upper: f64,
    /// Two-sided confidence level of the interval, in (0, 1).
    pub level: f64,
    /// How the interval was made.
    pub method: &'static str,
}

impl Estimate {
    /// Method name of [`Estimate::mean`].
    pub const NORMAL: &'static str = "normal";
    /// Method name of [`Estimate::variance`].
    pub const NORMAL_FOURTH_MOMENT: &'static str = "normal, fourth moment";
    /// Method name of [`Estimate::proportion`].
    pub const WILSON: &'static str = "wilson score";

    /// The mean with the normal interval mean -+ z s / sqrt(n).
    ///
    /// Rounds are independent and alike and n is large, so the normal quantile is used
    /// and not Student's. Where all rounds are equal the interval has no width, which
    /// says nothing about outcomes too rare to have been seen.
    ///
    /// # Arguments
    /// - `level`: two-sided, in (0, 1)
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: one round has no standard error
    /// - [`StatsError::NotInOpenUnit`]: `level` outside (0, 1), or NaN
    pub fn mean(moments: &Moments, level: f64) -> Result<Self, StatsError> {
        Self::normal(
            moments.mean(),
            moments.mean_std_error()?,
            level,
            Self::NORMAL,
        )
    }

    /// The unbiased variance with a normal interval from the fourth moment.
    ///
    /// The standard error is [`Moments::variance_std_error`]; the lower end is not below
    /// zero. The chi-square interval of textbooks is not used: it holds for normal data
    /// only, and a meter has a heavy right tail.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: fewer than 2 rounds
    /// - [`StatsError::NotInOpenUnit`]: `level` outside (0, 1), or NaN
    pub fn variance(moments: &Moments, level: f64) -> Result<Self, StatsError> {
        let mut result = Self::normal(
            moments.variance()?,
            moments.variance_std_error()?,
            level,
            Self::NORMAL_FOURTH_MOMENT,
        )?;
        result.lower = result.lower.max(0.0);
        Ok(result)
    }

    /// A proportion with the Wilson score interval: the p with
    /// |count/total - p| <= z sqrt(p (1 - p) / total).
    ///
    /// The standard error is sqrt(e (1 - e) / total) at the estimate e. At 0 and at
    /// `total` successes it is 0 while the interval keeps its width: the lower end is
    /// then exactly 0, or the upper end exactly 1. The lower end is taken from the product
    /// of both roots, so that it keeps its digits near 0.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: fewer than 2 trials
    /// - [`StatsError::CountAboveTotal`]: more successes than trials
    /// - [`StatsError::NotInOpenUnit`]: `level` outside (0, 1), or NaN
    ///
    /// # Source
    /// E. B. Wilson (1927), Journal of the American Statistical Association 22, 209-212.
    ///
    /// # Examples
    /// ```
    /// use wonderspins::stats::Estimate;
    ///
    /// let never = Estimate::proportion(0, 10, 0.95)?;
    /// assert_eq!(never.lower, 0.0);
    /// assert!((never.upper - 0.2775).abs() < 5e-5); // z^2 / (10 + z^2)
    /// # Ok::<(), wonderspins::stats::StatsError>(())
    /// ```
    pub fn proportion(count: u64, total: u64, level: f64) -> Result<Self, StatsError> {
        let z = two_sided_z(level)?;
        if count > total {
            return Err(StatsError::CountAboveTotal { count, total });
        }
        if total < 2 {
            return Err(StatsError::TooFewRounds {
                rounds: total,
                needed: 2,
            });
        }
        let n = count_to_f64(total);
        let p = count_to_f64(count) / n;
        let q = count_to_f64(total - count) / n;
        // The roots of (1 + z^2/n) t^2 - (2 p + z^2/n) t + p^2 = 0.
        let a = z * z / n;
        let larger = (p + 0.5 * a + z * (p * q / n + a / (4.0 * n)).sqrt()) / (1.0 + a);
        let lower = p * p / ((1.0 + a) * larger);
        // At `total` successes the larger root is 1 but for rounding.
        let upper = if count == total { 1.0 } else { larger.min(1.0) };
        Ok(Self {
            estimate: p,
            std_error: (p * q / n).sqrt(),
            lower,
            upper,
            level,
            method: Self::WILSON,
        })
    }

    /// The estimate of `scale` times the quantity plus `offset`, for example a return
    /// from a mean meter. The method's name stays.
    ///
    /// # Errors
    /// - [`StatsError::OutOfRange`]: an argument or the result is not finite
    pub fn affine(&self, scale: f64, offset: f64) -> Result<Self, StatsError> {
        finite("scale", scale)?;
        finite("offset", offset)?;
        let map = |x: f64| finite("scaled estimate", scale.mul_add(x, offset));
        let (low, high) = if scale < 0.0 {
            (self.upper, self.lower)
        } else {
            (self.lower, self.upper)
        };
        Ok(Self {
            estimate: map(self.estimate)?,
            std_error: finite("scaled standard error", scale.abs() * self.std_error)?,
            lower: map(low)?,
            upper: map(high)?,
            level: self.level,
            method: self.method,
        })
    }

    /// Half the width of the interval.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        0.5 * (self.upper - self.lower)
    }

    fn normal(
        estimate: f64,
        std_error: f64,
        level: f64,
        method: &'static str,
    ) -> Result<Self, StatsError> {
        let half_width = two_sided_z(level)? * std_error;
        Ok(Self {
            estimate,
            std_error,
            lower: estimate - half_width,
            upper: estimate + half_width,
            level,
            method,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SplitMix, assert_close};
    use super::*;

    // Expected values: mpmath 1.4.1 from the textbook formula at 30 digits. 81 of 263 and
    // 1 of 29 are examples of Newcombe (1998), Statistics in Medicine 17, table I, who
    // prints 0.2553 to 0.3662 and 0.0061 to 0.1718.
    #[test]
    fn wilson_intervals() {
        for (count, total, level, lower, upper) in [
            (
                81,
                263,
                0.95,
                0.255_288_519_878_274_2,
                0.366_209_576_982_800_06,
            ),
            (
                1,
                29,
                0.95,
                0.006_113_214_292_762_662,
                0.171_755_218_793_202_82,
            ),
            (
                1,
                1_000_000_000,
                0.99,
                1.174_054_641_230_454_8e-10,
                8.517_491_079_606_522e-9,
            ),
            (
                997_800_000,
                1_000_000_000,
                0.99,
                0.997_796_180_328_398_6,
                0.997_803_813_065_898_4,
            ),
        ] {
            let found = Estimate::proportion(count, total, level).unwrap();
            assert_close(found.lower, lower, 1e-12);
            assert_close(found.upper, upper, 1e-12);
            assert!(found.lower < found.estimate && found.estimate < found.upper);
        }
    }

    #[test]
    fn wilson_at_the_ends_is_exact_and_symmetric() {
        for total in [2, 10, 1_000_000_007, u64::MAX] {
            let never = Estimate::proportion(0, total, 0.95).unwrap();
            let always = Estimate::proportion(total, total, 0.95).unwrap();
            assert_eq!(never.lower.to_bits(), 0_f64.to_bits());
            assert_eq!(always.upper.to_bits(), 1_f64.to_bits());
            assert!(never.upper > 0.0);
            assert_close(always.lower, 1.0 - never.upper, 1e-15);
        }
        let ten = Estimate::proportion(0, 10, 0.95).unwrap();
        assert_close(ten.upper, 0.277_532_799_862_889_2, 1e-14);
    }

    #[test]
    fn mean_and_variance() {
        // 1, 2, 3, 4: variance 5/3, fourth central moment 41/16.
        let moments = Moments::from_histogram([(1, 1), (2, 1), (3, 1), (4, 1)]).unwrap();
        let mean = Estimate::mean(&moments, 0.95).unwrap();
        assert_close(mean.std_error, (5.0_f64 / 12.0).sqrt(), 1e-15);
        assert_close(
            mean.upper,
            2.5 + 1.959_963_984_540_054 * (5.0_f64 / 12.0).sqrt(),
            1e-14,
        );
        assert_eq!(mean.method, "normal");
        let variance = Estimate::variance(&moments, 0.95).unwrap();
        let radicand = (41.0 / 16.0 - 25.0 / 27.0) / 4.0_f64;
        assert_close(variance.std_error, radicand.sqrt(), 1e-15);
        assert_eq!(variance.lower.to_bits(), {
            let raw = 5.0 / 3.0 - 1.959_963_984_540_054 * radicand.sqrt();
            assert!(raw > 0.0);
            variance.lower.to_bits()
        });
    }

    #[test]
    fn lower_end_of_a_variance_is_not_negative() {
        let moments = Moments::from_histogram([(0, 50), (1000, 1)]).unwrap();
        let variance = Estimate::variance(&moments, 0.999).unwrap();
        assert_eq!(variance.lower.to_bits(), 0_f64.to_bits());
    }

    #[test]
    fn affine_maps_ends_and_turns_them_with_the_sign() {
        let base = Estimate::proportion(3, 10, 0.9).unwrap();
        let up = base.affine(2.0, 1.0).unwrap();
        assert_close(up.estimate, 1.6, 1e-15);
        assert_close(up.half_width(), 2.0 * base.half_width(), 1e-14);
        let down = base.affine(-1.0, 1.0).unwrap();
        assert!(down.lower <= down.estimate && down.estimate <= down.upper);
        assert_close(down.std_error, base.std_error, 0.0);
        assert!(base.affine(f64::NAN, 0.0).is_err());
        assert!(base.affine(f64::MAX, f64::MAX).is_err());
    }

    #[test]
    fn faults_are_refused() {
        let one = Moments::from_histogram([(4, 1)]).unwrap();
        assert!(Estimate::mean(&one, 0.95).is_err());
        assert!(Estimate::variance(&one, 0.95).is_err());
        assert!(Estimate::proportion(1, 1, 0.95).is_err());
        assert!(Estimate::proportion(3, 2, 0.95).is_err());
        for level in [0.0, 1.0, f64::NAN, -1.0] {
            assert!(Estimate::proportion(1, 2, level).is_err());
        }
    }

    /// Coverage of the Wilson interval at 0.95 for p = 0.02, n = 500: 4,000 samples with
    /// a fixed seed. The exact coverage is 0.9644 (scipy 1.17.1, sum of the binomial law over the counts
    /// whose interval holds 0.02); a right implementation leaves 0.9644 -+ 0.0146
    /// (five standard errors) for one seed in about 1.7 million.
    #[test]
    fn coverage_of_the_wilson_interval() {
        let mut source = SplitMix(20_260_401);
        let covered = (0..4000)
            .filter(|_| {
                let count = (0..500).filter(|_| source.uniform() < 0.02).count();
                let interval = Estimate::proportion(count as u64, 500, 0.95).unwrap();
                interval.lower <= 0.02 && 0.02 <= interval.upper
            })
            .count();
        let rate = count_to_f64(covered as u64) / 4000.0;
        assert!((rate - 0.9644).abs() < 0.0146, "{rate}");
    }
}
