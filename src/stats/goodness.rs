//! Chi-square test of fit with pooled bins.

use super::chi_square::chi_square_sf;
use super::{StatsError, count_to_f64, probability};

/// Expected count that every pooled bin reaches.
///
/// Cochran (1952) asks for 5 in most bins; 10 in all of them keeps the chi-square tail good
/// to the small levels that remain after a correction for several tests.
pub const MIN_EXPECTED: f64 = 10.0;

/// A bin of [`ChiSquareTest`]: neighbouring values together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PooledBin {
    /// Smallest value of the bin.
    pub first: u64,
    /// Largest value of the bin; `None` where the bin has no upper end.
    pub last: Option<u64>,
    /// Rounds observed.
    pub observed: u64,
    /// Rounds expected.
    pub expected: f64,
}

/// Result of [`chi_square_fit`].
#[derive(Debug, Clone, PartialEq)]
pub struct ChiSquareTest {
    /// Sum of (observed - expected)^2 / expected over the bins.
    pub statistic: f64,
    /// Bins less one.
    pub degrees_of_freedom: u64,
    /// Upper tail of the chi-square law, in [0, 1].
    pub p_value: f64,
    /// The bins, ascending.
    pub bins: Vec<PooledBin>,
}

/// Pearson's chi-square test of a histogram of values against their exact law.
///
/// Values are pooled from the tail: beginning with everything at and above `pmf.len()`,
/// whose probability is what `pmf` leaves of 1, a bin takes in the next lower value until
/// it expects at least [`MIN_EXPECTED`] rounds. What is left over at the low end joins the
/// lowest full bin. The bins depend on the law and the number of rounds alone, never on
/// what was observed, so the statistic keeps its chi-square law.
///
/// # Arguments
/// - `histogram`: pairs (value, rounds), in any order
/// - `pmf`: probability of each value from 0, all in [0, 1]. Its error enters the test:
///   rounds times the total-variation error should be small against the square root of
///   the smallest expected count. A value of probability 0 is pooled like any other; that
///   it should never occur is for the caller to check.
///
/// # Errors
/// - [`StatsError::NotAProbability`]: an entry of `pmf`, or its sum, outside [0, 1] (the
///   sum by more than 1e-9), or NaN
/// - [`StatsError::TooManyRounds`]: more than 2^64 - 1 rounds
/// - [`StatsError::TooFewBins`]: fewer than two bins
///
/// # Source
/// K. Pearson (1900); W. G. Cochran (1952), Annals of Mathematical Statistics 23, 315-345,
/// on small expected counts.
///
/// # Examples
/// ```
/// use wonderspins::stats::chi_square_fit;
///
/// // A coin: 60 and 40 of 100 against 50 and 50.
/// let test = chi_square_fit([(0, 60), (1, 40)], &[0.5, 0.5])?;
/// assert_eq!((test.statistic, test.degrees_of_freedom), (4.0, 1));
/// assert!((test.p_value - 0.0455).abs() < 1e-4);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn chi_square_fit(
    histogram: impl IntoIterator<Item = (u64, u64)>,
    pmf: &[f64],
) -> Result<ChiSquareTest, StatsError> {
    let (observed, rounds, listed) = cells(histogram, pmf)?;
    let bins = pool(&observed, pmf, (1.0 - listed).max(0.0), rounds);
    enough(rounds, bins.len())?;
    Ok(tested(bins))
}

/// Pearson's chi-square test of a histogram of values against a law of which only lower bounds
/// are known: the statistic is the least over all laws that the bounds allow.
///
/// Bins are pooled as in [`chi_square_fit`], by the lower bounds alone. With l the lower bound of
/// a bin and m = 1 - sum of l what is missing, the law is p = l + e with e >= 0 and sum of e = m.
/// With O the counts of n rounds the statistic is
///
/// ```text
/// sum (O - n p)^2 / (n p) = sum O^2 / (n p) - n,
/// ```
///
/// convex in p. At the minimum the derivative -O^2 / (n p^2) is one number wherever e > 0 and not
/// below it elsewhere (Karush, Kuhn and Tucker), so p = max(l, t O) with the t that makes p add up
/// to 1: the sum does not fall with t, is at most 1 at t = 0 and at least 1 at t = 1/n.
///
/// The least statistic is at most that of the true law, so its chi-square tail with bins - 1
/// degrees of freedom rejects no law within the bounds more often than the level says.
///
/// # Arguments
/// - `histogram`: pairs (value, rounds), in any order
/// - `lower`: lower bounds of the probability of each value from 0, in [0, 1]; they add up to at
///   most 1
///
/// # Errors
/// As [`chi_square_fit`].
///
/// # Examples
/// ```
/// use wonderspins::stats::chi_square_fit_within;
///
/// // 60 and 40 of 100 where one side has at least 0.5 and the other at least 0.4.
/// let test = chi_square_fit_within([(0, 60), (1, 40)], &[0.5, 0.4])?;
/// assert!(test.statistic < 1e-20);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn chi_square_fit_within(
    histogram: impl IntoIterator<Item = (u64, u64)>,
    lower: &[f64],
) -> Result<ChiSquareTest, StatsError> {
    let (observed, rounds, listed) = cells(histogram, lower)?;
    let mut bins = pool(&observed, lower, 0.0, rounds);
    enough(rounds, bins.len())?;
    let n = count_to_f64(rounds);
    let scale = nearest_scale(&bins, n, listed);
    for bin in &mut bins {
        bin.expected = if listed >= 1.0 {
            // Bounds without room are the law, up to the rounding of their sum.
            bin.expected / listed
        } else {
            bin.expected.max(scale * count_to_f64(bin.observed))
        };
    }
    Ok(tested(bins))
}

/// The t n at which max(n l, t n O) adds up to n.
fn nearest_scale(bins: &[PooledBin], n: f64, listed: f64) -> f64 {
    if listed >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = bins
            .iter()
            .map(|bin| bin.expected.max(middle * count_to_f64(bin.observed)))
            .sum();
        if sum < n {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Pearson's chi-square test of counts of cells against their probabilities.
///
/// Cells that expect fewer than [`MIN_EXPECTED`] draws are one bin together; where that expects
/// fewer still, it takes in the least of the others.
///
/// # Arguments
/// - `observed`: counts, one for each cell
/// - `weights`: above 0 and finite, as many; the probabilities are their shares
///
/// # Errors
/// - [`StatsError::OutOfRange`]: lists of different lengths, or a weight that is not above 0
/// - [`StatsError::TooManyRounds`]: more than 2^64 - 1 draws
/// - [`StatsError::TooFewBins`]: fewer than two bins
///
/// # Examples
/// ```
/// use wonderspins::stats::chi_square_cells;
///
/// // 12 red and 28 black of 40, where black is twice as likely.
/// let test = chi_square_cells(&[12, 28], &[1.0, 2.0])?;
/// assert!((test.statistic - 0.2).abs() < 1e-12);
/// # Ok::<(), wonderspins::stats::StatsError>(())
/// ```
pub fn chi_square_cells(observed: &[u64], weights: &[f64]) -> Result<ChiSquareTest, StatsError> {
    let total: f64 = weights.iter().sum();
    let legal = weights.iter().all(|&weight| weight > 0.0) && total.is_finite();
    if observed.len() != weights.len() || !legal {
        return Err(StatsError::OutOfRange {
            what: "weights",
            value: total,
            expected: "positive weights, one for each count",
        });
    }
    let mut draws = 0_u64;
    for &count in observed {
        draws = draws.checked_add(count).ok_or(StatsError::TooManyRounds)?;
    }
    let n = count_to_f64(draws);
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(a.cmp(&b)));
    let mut bins: Vec<PooledBin> = Vec::new();
    for cell in order {
        let next = PooledBin {
            first: cell as u64,
            last: Some(cell as u64),
            observed: observed[cell],
            expected: n * weights[cell] / total,
        };
        match bins.last_mut() {
            Some(open) if open.expected < MIN_EXPECTED => {
                open.observed += next.observed;
                open.expected += next.expected;
            }
            _ => bins.push(next),
        }
    }
    enough(draws, bins.len())?;
    Ok(tested(bins))
}

/// Counts by value and of everything above the list, rounds, and the sum of the list.
fn cells(
    histogram: impl IntoIterator<Item = (u64, u64)>,
    pmf: &[f64],
) -> Result<(Vec<u64>, u64, f64), StatsError> {
    let mut observed = vec![0_u64; pmf.len() + 1];
    let mut rounds = 0_u64;
    for (value, count) in histogram {
        rounds = rounds.checked_add(count).ok_or(StatsError::TooManyRounds)?;
        let cell = usize::try_from(value).map_or(pmf.len(), |value| value.min(pmf.len()));
        observed[cell] += count;
    }
    let mut listed = 0.0;
    for &mass in pmf {
        listed += probability("pmf", mass)?;
    }
    if listed > 1.0 + 1e-9 {
        return Err(StatsError::NotAProbability {
            what: "sum of pmf",
            value: listed,
        });
    }
    Ok((observed, rounds, listed))
}

fn enough(rounds: u64, bins: usize) -> Result<(), StatsError> {
    if bins < 2 {
        return Err(StatsError::TooFewBins {
            rounds,
            bins,
            min_expected: MIN_EXPECTED,
        });
    }
    Ok(())
}

/// The test of bins that are filled.
fn tested(bins: Vec<PooledBin>) -> ChiSquareTest {
    let statistic = bins
        .iter()
        .map(|bin| (count_to_f64(bin.observed) - bin.expected).powi(2) / bin.expected)
        .sum();
    let degrees_of_freedom = (bins.len() - 1) as u64;
    ChiSquareTest {
        statistic,
        degrees_of_freedom,
        p_value: chi_square_sf(statistic, count_to_f64(degrees_of_freedom)),
        bins,
    }
}

/// Pools cells from the tail downwards; ascending bins, the lowest with the left-over.
fn pool(observed: &[u64], pmf: &[f64], rest: f64, rounds: u64) -> Vec<PooledBin> {
    let n = count_to_f64(rounds);
    let mut bins: Vec<PooledBin> = Vec::new();
    let mut open = PooledBin {
        first: pmf.len() as u64,
        last: None,
        observed: observed[pmf.len()],
        expected: n * rest,
    };
    for value in (0..pmf.len()).rev() {
        if open.expected >= MIN_EXPECTED {
            bins.push(open);
            open = PooledBin {
                first: value as u64,
                last: Some(value as u64),
                observed: 0,
                expected: 0.0,
            };
        }
        open.first = value as u64;
        open.observed += observed[value];
        open.expected += n * pmf[value];
    }
    match bins.last_mut() {
        Some(lowest) if open.expected < MIN_EXPECTED => {
            lowest.first = open.first;
            lowest.observed += open.observed;
            lowest.expected += open.expected;
        }
        _ if open.expected >= MIN_EXPECTED => bins.push(open),
        _ => {}
    }
    bins.reverse();
    bins
}

#[cfg(test)]
#[path = "goodness_tests.rs"]
mod tests;
