//! Chi-square test of fit with pooled bins.

use statrs::function::gamma::gamma_ur;

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
    // One cell for each value and one for all values above.
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
    let bins = pool(&observed, pmf, (1.0 - listed).max(0.0), rounds);
    if bins.len() < 2 {
        return Err(StatsError::TooFewBins {
            rounds,
            bins: bins.len(),
            min_expected: MIN_EXPECTED,
        });
    }
    let statistic = bins
        .iter()
        .map(|bin| (count_to_f64(bin.observed) - bin.expected).powi(2) / bin.expected)
        .sum();
    let degrees_of_freedom = (bins.len() - 1) as u64;
    Ok(ChiSquareTest {
        statistic,
        degrees_of_freedom,
        p_value: chi_square_sf(statistic, count_to_f64(degrees_of_freedom)),
        bins,
    })
}

/// Upper tail of the chi-square law, by the upper regularised gamma function.
fn chi_square_sf(x: f64, degrees_of_freedom: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    gamma_ur(0.5 * degrees_of_freedom, 0.5 * x).clamp(0.0, 1.0)
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
mod tests {
    use super::super::testing::{SplitMix, assert_close};
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

    #[test]
    fn pools_from_the_tail() {
        // 100 rounds, expected 4, 46, 30, 12, 6 and 2 above.
        let pmf = [0.04, 0.46, 0.30, 0.12, 0.06];
        let histogram = [(0, 5), (1, 45), (2, 30), (3, 10), (4, 6), (9, 3), (70, 1)];
        let test = chi_square_fit(histogram, &pmf).unwrap();
        let shape: Vec<_> = test
            .bins
            .iter()
            .map(|bin| (bin.first, bin.last, bin.observed, bin.expected.round()))
            .collect();
        // 2 + 6 + 12 fill the last bin; the 4 at zero join the 46 above them.
        assert_eq!(
            shape,
            [
                (0, Some(1), 50, 50.0),
                (2, Some(2), 30, 30.0),
                (3, None, 20, 20.0)
            ]
        );
        assert_eq!(test.degrees_of_freedom, 2);
        assert!(test.statistic < 1e-20);
        assert_close(test.p_value, 1.0, 1e-12);
    }

    #[test]
    fn every_bin_expects_ten_and_nothing_is_lost() {
        let mut source = SplitMix(5);
        for rounds in [25_u64, 300, 40_000] {
            let raw: Vec<f64> = (0..40).map(|_| source.uniform().powi(6)).collect();
            let total: f64 = raw.iter().sum::<f64>() * 1.01;
            let pmf: Vec<f64> = raw.iter().map(|mass| mass / total).collect();
            let Ok(test) = chi_square_fit([(3, rounds - 5), (90, 5)], &pmf) else {
                assert_eq!(rounds, 25);
                continue;
            };
            assert!(test.bins.iter().all(|bin| bin.expected >= MIN_EXPECTED));
            let observed: u64 = test.bins.iter().map(|bin| bin.observed).sum();
            let expected: f64 = test.bins.iter().map(|bin| bin.expected).sum();
            assert_eq!(observed, rounds);
            assert_close(expected, count_to_f64(rounds), 1e-12);
            assert_eq!(test.bins[0].first, 0);
            for pair in test.bins.windows(2) {
                assert_eq!(pair[0].last.map(|last| last + 1), Some(pair[1].first));
            }
        }
    }

    #[test]
    fn faults_are_refused() {
        assert!(matches!(
            chi_square_fit([(0, 10), (1, 9)], &[0.5, 0.5]),
            Err(StatsError::TooFewBins {
                rounds: 19,
                bins: 1,
                ..
            })
        ));
        assert!(matches!(
            chi_square_fit([], &[]),
            Err(StatsError::TooFewBins { bins: 0, .. })
        ));
        assert!(chi_square_fit([(0, 100)], &[0.5, f64::NAN]).is_err());
        assert!(chi_square_fit([(0, 100)], &[0.5, -0.1]).is_err());
        assert!(chi_square_fit([(0, 100)], &[0.7, 0.7]).is_err());
        assert!(chi_square_fit([(0, u64::MAX), (1, 1)], &[0.5, 0.5]).is_err());
    }

    /// Uniformity of the p-value under the null: 4,000 samples of 600 throws of a fair die,
    /// fixed seed. At each level the share of p-values below it must be within 4.9 standard
    /// errors plus 5 % of the level (the chi-square law is itself an approximation); a right
    /// implementation fails all four together for fewer than four seeds in a million.
    #[test]
    fn p_values_are_uniform_under_the_null() {
        let mut source = SplitMix(1900);
        let samples = 4000;
        let pmf = [1.0 / 6.0; 6];
        let p_values: Vec<f64> = (0..samples)
            .map(|_| {
                let mut counts = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)];
                for _ in 0..600 {
                    let face = (u128::from(source.next()) * 6) >> 64;
                    counts[usize::try_from(face).unwrap()].1 += 1;
                }
                chi_square_fit(counts, &pmf).unwrap().p_value
            })
            .collect();
        for level in [0.01, 0.05, 0.1, 0.5] {
            let below = p_values.iter().filter(|&&p| p <= level).count();
            let share = count_to_f64(below as u64) / f64::from(samples);
            let allowed = 4.9 * (level * (1.0 - level) / f64::from(samples)).sqrt() + 0.05 * level;
            assert!((share - level).abs() < allowed, "{level}: {share}");
        }
    }
}
