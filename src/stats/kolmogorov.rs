//! Kolmogorov-Smirnov test of counts against bounds of a cumulative law.

use std::f64::consts::PI;

use super::{StatsError, count_to_f64, open_unit, probability};

/// Result of [`kolmogorov_test`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KolmogorovTest {
    /// Largest distance of the empirical cumulative law from the nearest one that the bounds
    /// allow, in [0, 1].
    pub distance: f64,
    /// The value at which it is largest.
    pub at: u64,
    /// Upper tail of the Kolmogorov law at sqrt(rounds) times the distance, in [0, 1].
    pub p_value: f64,
}

/// Upper tail of the Kolmogorov law, P(K >= x) = 2 (e^(-2 x^2) - e^(-8 x^2) + e^(-18 x^2) - ...).
///
/// For small x by the other form of the theta function, which converges there.
///
/// # Accuracy
/// Relative 1e-12 (against mpmath in the tests).
fn kolmogorov_sf(x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if x < 0.5 {
        // 1 - sqrt(2 pi) / x * sum of e^(-(2k - 1)^2 pi^2 / (8 x^2)): what is taken off is
        // below 0.04.
        let unit = (PI / x).powi(2) / 8.0;
        let sum: f64 = [1.0, 9.0, 25.0]
            .iter()
            .map(|odd: &f64| (-odd * unit).exp())
            .sum();
        return (1.0 - (2.0 * PI).sqrt() / x * sum).clamp(0.0, 1.0);
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    // e^(-2 36 x^2) is below 2e-8 of the first term's last digit at x = 0.5 already.
    for k in 1..=12 {
        let k = f64::from(k);
        sum += sign * (-2.0 * (k * x).powi(2)).exp();
        sign = -sign;
    }
    (2.0 * sum).clamp(0.0, 1.0)
}

/// Tests a histogram of values against an enclosure of their cumulative law.
///
/// The distance is the largest by which the share of rounds with at most x lies outside
/// [lower(x), upper(x)]: no law inside the bounds is nearer everywhere.
///
/// # Arguments
/// - `histogram`: pairs (value, rounds), ascending
/// - `cumulative`: bounds of P(value <= x) for any x, neither falling with x
///
/// # Accuracy
/// The p-value is conservative. For a law with atoms the statistic is stochastically smaller
/// than for a continuous one (G. E. Noether 1963; W. J. Conover 1972), and for every law and
/// number of rounds the tail is at most 2 e^(-2 n D^2) (P. Massart 1990), which exceeds the
/// Kolmogorov tail by less than one part in 10^6 where that is below 0.05.
///
/// # Errors
/// - [`StatsError::TooFewRounds`]: an empty histogram
/// - [`StatsError::TooManyRounds`]: more than 2^64 - 1 rounds
/// - [`StatsError::NotAProbability`]: a bound outside [0, 1], or NaN
///
/// # Source
/// A. N. Kolmogorov (1933), N. V. Smirnov (1948).
pub fn kolmogorov_test(
    histogram: &[(u64, u64)],
    cumulative: impl Fn(u64) -> (f64, f64),
) -> Result<KolmogorovTest, StatsError> {
    let mut rounds = 0_u64;
    for &(_, count) in histogram {
        rounds = rounds.checked_add(count).ok_or(StatsError::TooManyRounds)?;
    }
    if rounds == 0 {
        return Err(StatsError::TooFewRounds { rounds, needed: 1 });
    }
    let n = count_to_f64(rounds);
    let (mut distance, mut at) = (0.0, 0);
    let mut offer = |x: u64, below: u64| -> Result<(), StatsError> {
        let (lower, upper) = cumulative(x);
        let (lower, upper) = (probability("lower", lower)?, probability("upper", upper)?);
        let share = count_to_f64(below) / n;
        let outside = (share - upper).max(lower - share);
        if outside > distance {
            (distance, at) = (outside, x);
        }
        Ok(())
    };
    let mut below = 0;
    for &(value, count) in histogram {
        // The share is level up to here, and the lower bound highest at the end of the level.
        if value > 0 {
            offer(value - 1, below)?;
        }
        below += count;
        offer(value, below)?;
    }
    Ok(KolmogorovTest {
        distance,
        at,
        p_value: kolmogorov_sf(n.sqrt() * distance),
    })
}

/// The smallest distance of two cumulative laws that [`kolmogorov_test`] finds with the given
/// power, in [0, inf).
///
/// With c the critical value of sqrt(n) D: at the point where the laws are furthest apart the
/// share is normal with a deviation of at most 1 / (2 sqrt n), so (c + `z_power` / 2) / sqrt(n)
/// is enough.
///
/// # Errors
/// - [`StatsError::TooFewRounds`]: no rounds
/// - [`StatsError::NotInOpenUnit`]: `alpha` or `power` outside (0, 1)
pub fn kolmogorov_detectable(rounds: u64, alpha: f64, power: f64) -> Result<f64, StatsError> {
    open_unit("alpha", alpha)?;
    if rounds == 0 {
        return Err(StatsError::TooFewRounds { rounds, needed: 1 });
    }
    // The inverse of Massart's bound, which is above the Kolmogorov quantile.
    let critical = (0.5 * (2.0 / alpha).ln()).sqrt();
    let reach = critical + 0.5 * super::normal_quantile(power)?;
    Ok(reach.max(0.0) / count_to_f64(rounds).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{SplitMix, assert_close};
    use super::*;

    // Expected values: mpmath 1.4.1, the alternating series (below 0.4 the other form of the
    // theta function) at 40 digits; scipy 1.17.1 `kstwobign.sf` agrees.
    #[test]
    fn tail_of_the_kolmogorov_law() {
        for (x, expected) in [
            (0.2, 0.999_999_999_999_495),
            (0.3, 0.999_990_694_198_665_5),
            (0.5, 0.963_945_243_664_875_1),
            (0.8276, 0.499_958_416_563_547_3),
            (1.0, 0.269_999_671_677_354_5),
            (1.2239, 0.099_974_492_711_797_69),
            (1.6276, 0.010_001_537_333_060_768),
            (2.5, 7.453_306_344_157_342e-6),
            (5.0, 3.857_499_695_927_835_6e-22),
            (8.0, 5.144_418_745_284_83e-56),
        ] {
            assert_close(kolmogorov_sf(x), expected, 1e-12);
        }
        assert_close(kolmogorov_sf(0.0), 1.0, 0.0);
        // Both forms meet.
        assert_close(
            kolmogorov_sf(0.5_f64.next_down()),
            kolmogorov_sf(0.5),
            1e-13,
        );
    }

    /// 10 rounds by hand: shares 0.3 up to 0, 0.3 up to 3, 1 from 4 on, against 0.5 up to 0
    /// and 0.8 from 1 to 4: the furthest is 0.5 at 3.
    #[test]
    fn the_distance_is_found_between_the_values_seen() {
        let law = |x: u64| match x {
            0 => (0.5, 0.5),
            1..=4 => (0.8, 0.8),
            _ => (1.0, 1.0),
        };
        let test = kolmogorov_test(&[(0, 3), (4, 7)], law).unwrap();
        assert_close(test.distance, 0.5, 1e-15);
        assert_eq!(test.at, 3);
        assert_close(test.p_value, kolmogorov_sf(0.5 * 10.0_f64.sqrt()), 1e-15);
    }

    #[test]
    fn what_the_bounds_allow_is_no_distance() {
        let test = kolmogorov_test(&[(0, 3), (4, 7)], |x| {
            (
                if x < 4 { 0.2 } else { 0.9 },
                if x < 4 { 0.35 } else { 1.0 },
            )
        })
        .unwrap();
        assert_close(test.distance, 0.0, 0.0);
        assert_close(test.p_value, 1.0, 0.0);
    }

    #[test]
    fn faults_are_refused() {
        assert!(kolmogorov_test(&[], |_| (0.0, 1.0)).is_err());
        assert!(kolmogorov_test(&[(0, 1)], |_| (0.0, 1.5)).is_err());
        assert!(kolmogorov_test(&[(0, 1)], |_| (f64::NAN, 1.0)).is_err());
        assert!(kolmogorov_test(&[(0, u64::MAX), (1, 1)], |_| (0.0, 1.0)).is_err());
        assert!(kolmogorov_detectable(0, 0.05, 0.8).is_err());
        assert!(kolmogorov_detectable(10, 0.05, 0.0).is_err());
    }

    /// A die of 6 faces with 500 throws, 4,000 samples, fixed seed: the share of p-values at or
    /// below each level is not above the level by more than 4.9 standard errors. A die is far
    /// from continuous, so most shares are well below.
    #[test]
    fn p_values_are_conservative_for_atoms() {
        let mut source = SplitMix(1963);
        let law = |x: u64| {
            let share = count_to_f64((x + 1).min(6)) / 6.0;
            (share, share)
        };
        let p_values: Vec<f64> = (0..4000)
            .map(|_| {
                let mut counts = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)];
                for _ in 0..500 {
                    let face = (u128::from(source.next()) * 6) >> 64;
                    counts[usize::try_from(face).unwrap()].1 += 1;
                }
                kolmogorov_test(&counts, law).unwrap().p_value
            })
            .collect();
        for level in [0.01, 0.05, 0.1, 0.5] {
            let below = p_values.iter().filter(|&&p| p <= level).count();
            let share = count_to_f64(below as u64) / 4000.0;
            assert!(share <= level + 4.9 * (level * (1.0 - level) / 4000.0).sqrt());
        }
        assert!(p_values.iter().any(|&p| p <= 0.05));
    }
}
