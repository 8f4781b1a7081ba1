//! Estimates and tests: plain numbers in, plain numbers out.
//!
//! This module knows nothing of wheels, rounds of play or certificates; it takes counts
//! and exact values and says what they are worth. It guarantees three things:
//!
//! - no result is ever NaN or infinite: a question without an answer is a [`StatsError`];
//! - every tail is computed as a tail (a survival function), never as one minus a
//!   cumulative probability, so a p-value keeps its digits however small it is;
//! - integers stay integers until one last, correctly rounded conversion ([`Moments`]).
//!
//! It does not draw random numbers and does not decide what is a pass: levels and
//! families of tests are the caller's.
//!
//! | file | holds |
//! | --- | --- |
//! | `moments` | exact central moments of an integer histogram |
//! | `estimate` | an estimate with its standard error and interval |
//! | `normal` | tails and quantiles of the standard normal law |
//! | `hypothesis` | z tests, smallest detectable deviation |
//! | `binomial` | exact binomial test |
//! | `chi_square` | tails of the chi-square law, what its tests can see |
//! | `goodness` | chi-square tests of fit with pooled bins |
//! | `contingency` | chi-square test of rows that should be alike |
//! | `kolmogorov` | largest distance of cumulative laws |
//! | `extreme` | the largest value of many |
//! | `holm` | several tests at one family-wise level |
//! | `sequential` | intervals that may be looked at again and again |
//! | `spread` | median and scatter of measurements |

mod binomial;
mod chi_square;
mod contingency;
mod estimate;
mod extreme;
mod goodness;
mod holm;
mod hypothesis;
mod kolmogorov;
mod moments;
mod normal;
mod sequential;
mod spread;

use thiserror::Error;

pub use binomial::{BinomialTest, binomial_detectable, binomial_test};
pub use chi_square::{chi_square_detectable, chi_square_detectable_within};
pub use contingency::{HomogeneityTest, homogeneity};
pub use estimate::Estimate;
pub use extreme::{LargestTest, largest_test};
pub use goodness::{
    ChiSquareTest, MIN_EXPECTED, PooledBin, chi_square_cells, chi_square_fit, chi_square_fit_within,
};
pub use holm::{HolmDecision, holm};
pub use hypothesis::{NullRange, ZTest, smallest_detectable, variance_std_error, z_test};
pub use kolmogorov::{KolmogorovTest, kolmogorov_detectable, kolmogorov_test};
pub use moments::Moments;
pub use normal::{normal_quantile, normal_sf, normal_two_sided, two_sided_z, upper_quantile};
pub use sequential::sequential_factor;
pub use spread::Spread;

/// Why a statistical question has no answer.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum StatsError {
    /// Too few observations for the quantity asked.
    #[error("{rounds} rounds are too few: at least {needed} are needed")]
    TooFewRounds {
        /// Observations at hand.
        rounds: u64,
        /// Least number that defines the quantity.
        needed: u64,
    },
    /// The counts of a histogram add up to more than `u64` holds.
    #[error("the rounds of the histogram add up to more than 2^64 - 1")]
    TooManyRounds,
    /// A count of successes above the number of trials.
    #[error("{count} successes out of {total} trials")]
    CountAboveTotal {
        /// Successes.
        count: u64,
        /// Trials.
        total: u64,
    },
    /// A level, alpha or power outside (0, 1), or NaN.
    #[error("`{what}` is {value}, expected a number in (0, 1)")]
    NotInOpenUnit {
        /// Which argument.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A probability outside [0, 1], or NaN.
    #[error("`{what}` is {value}, expected a probability in [0, 1]")]
    NotAProbability {
        /// Which argument.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number that is infinite, NaN, or negative where that makes no sense.
    #[error("`{what}` is {value}, expected {expected}")]
    OutOfRange {
        /// Which argument.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The legal range.
        expected: &'static str,
    },
    /// A range whose lower end is above its upper end.
    #[error("the range [{lower}, {upper}] is empty")]
    EmptyRange {
        /// Lower end.
        lower: f64,
        /// Upper end.
        upper: f64,
    },
    /// Too few rounds for two bins of the required expected count.
    #[error(
        "{rounds} rounds give {bins} bins with an expected count of at least {min_expected}, at least 2 are needed"
    )]
    TooFewBins {
        /// Rounds observed.
        rounds: u64,
        /// Bins after pooling.
        bins: usize,
        /// Required expected count of a bin.
        min_expected: f64,
    },
}

/// A count as `f64`: exact up to 2^53, rounded to nearest above.
#[expect(
    clippy::cast_precision_loss,
    reason = "a relative rounding of 2^-53 is far below any statistical error"
)]
const fn count_to_f64(count: u64) -> f64 {
    count as f64
}

/// Refuses what is not inside (0, 1). Written so that NaN fails it.
fn open_unit(what: &'static str, value: f64) -> Result<f64, StatsError> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(StatsError::NotInOpenUnit { what, value })
    }
}

/// Refuses what is not inside [0, 1]. Written so that NaN fails it.
fn probability(what: &'static str, value: f64) -> Result<f64, StatsError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(StatsError::NotAProbability { what, value })
    }
}

/// Refuses infinities and NaN.
fn finite(what: &'static str, value: f64) -> Result<f64, StatsError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(StatsError::OutOfRange {
            what,
            value,
            expected: "a finite number",
        })
    }
}

/// Refuses negative numbers, infinities and NaN.
fn not_negative(what: &'static str, value: f64) -> Result<f64, StatsError> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(StatsError::OutOfRange {
            what,
            value,
            expected: "a finite number in [0, inf)",
        })
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Helpers of the tests in this folder.

    /// Asserts a relative distance of at most `tolerance`.
    pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64) {
        let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
        assert!(
            error <= tolerance,
            "found {found:e}, expected {expected:e}, relative error {error:e}"
        );
    }

    /// `SplitMix64` (Steele, Lea and Flood, 2014): a seeded source for simulations that
    /// must not depend on the crate's own generators.
    pub(crate) struct SplitMix(pub(crate) u64);

    impl SplitMix {
        pub(crate) fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        }

        /// Uniform in (0, 1): the middle of one of 2^53 equal steps.
        pub(crate) fn uniform(&mut self) -> f64 {
            (super::count_to_f64(self.next() >> 11) + 0.5) * (0.5_f64).powi(53)
        }
    }

    #[test]
    #[should_panic(expected = "relative error")]
    fn assert_close_can_fail() {
        assert_close(1.0, 1.1, 1e-3);
    }
}
