//! Tests of the chi-square tests of fit.

use super::super::testing::{SplitMix, assert_close};
use super::*;

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

/// Least chi-square over the enclosure. Expected value: scipy 1.17.1, `minimize` by SLSQP over
/// the five parts e, which fills bins 0, 2 and 4.
#[test]
fn the_least_chi_square_over_an_enclosure() {
    let histogram = [(0, 120), (1, 260), (2, 330), (3, 180), (4, 110)];
    let lower = [0.10, 0.26, 0.30, 0.19, 0.08];
    let test = chi_square_fit_within(histogram, &lower).unwrap();
    assert_close(test.statistic, 0.708_133_970_619_1, 1e-8);
    assert_close(test.p_value, 0.950_322_061_361_594, 1e-8);
    assert_eq!(test.degrees_of_freedom, 4);
    let sum: f64 = test.bins.iter().map(|bin| bin.expected).sum();
    assert_close(sum, 1000.0, 1e-12);
}

/// No law within the bounds has a smaller statistic: 2,000 laws drawn at random.
#[test]
fn no_law_within_the_bounds_is_nearer() {
    let mut source = SplitMix(1951);
    let histogram = [(0, 120), (1, 300), (2, 290), (3, 210), (4, 80)];
    let lower = [0.10, 0.26, 0.30, 0.19, 0.08];
    let least = chi_square_fit_within(histogram, &lower).unwrap().statistic;
    for _ in 0..2000 {
        let parts: Vec<f64> = lower.iter().map(|_| source.uniform().powi(4)).collect();
        let total: f64 = parts.iter().sum();
        let statistic: f64 = histogram
            .iter()
            .zip(lower.iter().zip(&parts))
            .map(|(&(_, count), (low, part))| {
                let expected = 1000.0 * (low + 0.07 * part / total);
                (count_to_f64(count) - expected).powi(2) / expected
            })
            .sum();
        assert!(statistic >= least * (1.0 - 1e-12));
    }
}

#[test]
fn bounds_without_room_are_a_law() {
    let pmf = [0.04, 0.46, 0.30, 0.12, 0.08];
    let histogram = [(0, 52), (1, 430), (2, 318), (3, 110), (4, 90)];
    let law = chi_square_fit(histogram, &pmf).unwrap();
    let within = chi_square_fit_within(histogram, &pmf).unwrap();
    assert_close(within.statistic, law.statistic, 1e-9);
    assert_eq!(within.degrees_of_freedom, law.degrees_of_freedom);
}

/// Three cells of weights 1, 1 and 2 expect 4, 4 and 8 of 16: the two small ones and then the
/// large one are pooled until a bin expects 10, which leaves one bin.
#[test]
fn small_cells_are_pooled() {
    assert!(chi_square_cells(&[4, 4, 8], &[1.0, 1.0, 2.0]).is_err());
    // 6, 6 and 28 of 40: the first two are a bin of 12.
    let test = chi_square_cells(&[9, 3, 28], &[3.0, 3.0, 14.0]).unwrap();
    assert_eq!(test.degrees_of_freedom, 1);
    assert!(test.statistic < 1e-20);
    assert!(chi_square_cells(&[1], &[1.0, 1.0]).is_err());
    assert!(chi_square_cells(&[10, 10], &[1.0, 0.0]).is_err());
}
