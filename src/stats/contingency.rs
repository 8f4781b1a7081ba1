//! Chi-square test of rows that should be alike.

use super::chi_square::chi_square_sf;
use super::{StatsError, count_to_f64};

/// Result of [`homogeneity`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HomogeneityTest {
    /// Sum of (observed - expected)^2 / expected over the cells.
    pub statistic: f64,
    /// (rows - 1) (columns - 1), of those that have draws.
    pub degrees_of_freedom: u64,
    /// Upper tail of the chi-square law, in [0, 1].
    pub p_value: f64,
}

/// Pearson's test that all rows of a table have the same shares, whatever these are: a cell
/// expects the product of the totals of its row and its column over the total of all.
///
/// The statistic has its chi-square law for large totals where the draws are independent of all
/// that came before them; a row's total may depend on what the rows before it showed.
///
/// # Arguments
/// - `table`: rows of counts, all of one length; pool what expects fewer than
///   [`MIN_EXPECTED`](super::MIN_EXPECTED) draws before
///
/// # Errors
/// - [`StatsError::OutOfRange`]: rows of different lengths
/// - [`StatsError::TooManyRounds`]: more than 2^64 - 1 draws
/// - [`StatsError::TooFewBins`]: fewer than two rows or columns that have draws
///
/// # Source
/// K. Pearson (1900), R. A. Fisher (1922) on the degrees of freedom.
///
/// # Examples
/// ```
/// // Two coins: 60 heads of 100, and 40 of 100.
/// let test = wonderspins::stats::homogeneity(&[vec![60, 40], vec![40, 60]])?;
/// assert!((test.statistic - 8.0).abs() < 1e-12);
/// assert_eq!(test.degrees_of_freedom, 1);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn homogeneity(table: &[Vec<u64>]) -> Result<HomogeneityTest, StatsError> {
    let columns = table.first().map_or(0, Vec::len);
    if table.iter().any(|row| row.len() != columns) {
        return Err(StatsError::OutOfRange {
            what: "table",
            value: count_to_f64(columns as u64),
            expected: "rows of one length",
        });
    }
    let add = |sum: u64, count: u64| sum.checked_add(count).ok_or(StatsError::TooManyRounds);
    let mut rows = Vec::new();
    let mut sums = vec![0_u64; columns];
    let mut total = 0_u64;
    for row in table {
        let mut in_row = 0;
        for (sum, &count) in sums.iter_mut().zip(row) {
            in_row = add(in_row, count)?;
            *sum = add(*sum, count)?;
        }
        total = add(total, in_row)?;
        rows.push(in_row);
    }
    let used = |sums: &[u64]| sums.iter().filter(|&&sum| sum > 0).count();
    let (used_rows, used_columns) = (used(&rows), used(&sums));
    if used_rows < 2 || used_columns < 2 {
        return Err(StatsError::TooFewBins {
            rounds: total,
            bins: used_rows.min(used_columns),
            min_expected: super::MIN_EXPECTED,
        });
    }
    let n = count_to_f64(total);
    let mut statistic = 0.0;
    for (row, &in_row) in table.iter().zip(&rows) {
        for (&count, &in_column) in row.iter().zip(&sums) {
            let expected = count_to_f64(in_row) * (count_to_f64(in_column) / n);
            if expected > 0.0 {
                statistic += (count_to_f64(count) - expected).powi(2) / expected;
            }
        }
    }
    let degrees_of_freedom = ((used_rows - 1) * (used_columns - 1)) as u64;
    Ok(HomogeneityTest {
        statistic,
        degrees_of_freedom,
        p_value: chi_square_sf(statistic, count_to_f64(degrees_of_freedom)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_close;
    use super::*;

    // Expected values: scipy 1.17.1, `chi2_contingency` without correction.
    #[test]
    fn a_table_of_three_rows() {
        let table = [vec![30, 14, 40], vec![20, 25, 31], vec![55, 40, 60]];
        let test = homogeneity(&table).unwrap();
        assert_close(test.statistic, 6.789_935_155_857_095, 1e-13);
        assert_close(test.p_value, 0.147_414_427_535_972_53, 1e-11);
        assert_eq!(test.degrees_of_freedom, 4);
    }

    #[test]
    fn empty_rows_and_columns_count_for_nothing() {
        let table = [vec![30, 0, 14], vec![0, 0, 0], vec![20, 0, 25]];
        let test = homogeneity(&table).unwrap();
        let bare = homogeneity(&[vec![30, 14], vec![20, 25]]).unwrap();
        assert_eq!(test, bare);
        assert_eq!(test.degrees_of_freedom, 1);
    }

    #[test]
    fn faults_are_refused() {
        assert!(homogeneity(&[]).is_err());
        assert!(homogeneity(&[vec![1, 2]]).is_err());
        assert!(homogeneity(&[vec![1, 2], vec![3]]).is_err());
        assert!(homogeneity(&[vec![5], vec![6]]).is_err());
        assert!(homogeneity(&[vec![u64::MAX, 1], vec![1, 1]]).is_err());
    }
}
