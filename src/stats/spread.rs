//! Where measurements lie and how far they scatter, without trust in their law.

use super::{StatsError, finite};

/// The median of measurements and how far they are from it.
///
/// The scatter is that of the measurements themselves, not that of their median.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Middle value; the mean of the two middle ones of an even number.
    pub median: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Median of the absolute distances from the median (MAD). 0 where at least half of
    /// the values are equal.
    pub mad: f64,
}

impl Spread {
    /// The spread of some values, in any order.
    ///
    /// # Errors
    /// - [`StatsError::TooFewRounds`]: no value
    /// - [`StatsError::OutOfRange`]: an infinite value, or NaN
    ///
    /// # Examples
    /// ```
    /// use wonderspins::stats::Spread;
    ///
    /// // One outlier moves neither the median nor the distance from it.
    /// let spread = Spread::of(&[10.0, 12.0, 11.0, 500.0, 9.0])?;
    /// assert_eq!((spread.median, spread.mad), (11.0, 1.0));
    /// assert_eq!((spread.min, spread.max), (9.0, 500.0));
    /// # Ok::<(), wonderspins::stats::StatsError>(())
    /// ```
    pub fn of(values: &[f64]) -> Result<Self, StatsError> {
        for &value in values {
            finite("value", value)?;
        }
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Err(StatsError::TooFewRounds {
                rounds: 0,
                needed: 1,
            });
        };
        let median = middle(&sorted);
        let mut distances: Vec<f64> = sorted.iter().map(|value| (value - median).abs()).collect();
        distances.sort_unstable_by(f64::total_cmp);
        Ok(Self {
            median,
            min,
            max,
            mad: middle(&distances),
        })
    }
}

/// The middle of sorted values, which are not empty.
fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[half]
    } else {
        f64::midpoint(sorted[half - 1], sorted[half])
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_close;
    use super::*;

    #[test]
    fn even_numbers_of_values_have_a_middle() {
        let spread = Spread::of(&[4.0, 1.0, 3.0, 2.0]).expect("finite values");
        // Distances 0.5, 0.5, 1.5, 1.5.
        assert_close(spread.median, 2.5, 1e-15);
        assert_close(spread.mad, 1.0, 1e-15);
        let one = Spread::of(&[7.0]).expect("one value");
        assert_close(one.median, 7.0, 0.0);
        assert!(one.mad.abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn no_value_and_no_number_are_refused() {
        assert!(Spread::of(&[]).is_err());
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Spread::of(&[1.0, bad, 2.0]).is_err(), "{bad}");
        }
    }
}
