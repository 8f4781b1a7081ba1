//! A discrete law beside what was counted, in bins: the data behind the distribution figures
//! and the CSV tables.

use crate::document::{ExactTrigger, SimulateTrigger};

/// Fewest expected rounds of a bin that has a residual.
const LEAST_EXPECTED: f64 = 10.0;

/// Consecutive values taken together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bin {
    /// Least value.
    pub(crate) from: u64,
    /// Largest value.
    pub(crate) to: u64,
    /// Its probability: best value, proven lower and upper bound; `None` without a law.
    pub(crate) law: Option<[f64; 3]>,
    /// Rounds counted.
    pub(crate) rounds: u64,
}

impl Bin {
    /// Share of the rounds.
    pub(crate) fn share(&self, played: u64) -> f64 {
        float(self.rounds) / float(played.max(1))
    }

    /// The middle of the bin.
    pub(crate) fn middle(&self) -> f64 {
        f64::midpoint(float(self.from), float(self.to))
    }

    /// Its left and right end on an axis, half a value beyond its values.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (float(self.from) - 0.5, float(self.to) + 0.5)
    }

    /// The standardised residual: rounds counted less rounds expected, from the nearest
    /// end of the proven bounds, over the binomial standard deviation; `None` where fewer
    /// than ten rounds are expected.
    pub(crate) fn residual(&self, played: u64) -> Option<f64> {
        let [value, lower, upper] = self.law?;
        let n = float(played);
        if n * value < LEAST_EXPECTED {
            return None;
        }
        let counted = float(self.rounds);
        let nearest = counted.clamp(n * lower, n * upper);
        let deviation = (n * value * (1.0 - value)).sqrt();
        // A value that is certain has no deviation.
        (deviation > 0.0).then(|| (counted - nearest) / deviation)
    }

    /// `12` or `12 to 14`.
    pub(crate) fn name(&self) -> String {
        if self.from == self.to {
            self.from.to_string()
        } else {
            format!("{} to {}", self.from, self.to)
        }
    }
}

/// A count as a float.
#[expect(
    clippy::cast_precision_loss,
    reason = "a count, for a drawing or a share"
)]
pub(crate) fn float(value: u64) -> f64 {
    value as f64
}

/// Every value from the least one that has a law or was counted, one bin each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Law {
    /// Rounds played.
    pub(crate) played: u64,
    /// Ascending, no value twice; a value that is missing has no probability worth a number
    /// and was not counted.
    pub(crate) bins: Vec<Bin>,
    /// Proven upper bound of the probability beyond the values listed, or of all that the
    /// law leaves out.
    pub(crate) left_out: f64,
}

impl Law {
    /// The meters of a trigger.
    pub(crate) fn of_meter(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Self {
        let counts = simulated
            .histogram
            .iter()
            .map(|entry| (entry.meter, count(&entry.rounds)));
        let Some(distribution) = &exact.distribution else {
            return Self::new(simulated.rounds, [], counts, 0.0, None);
        };
        let all = distribution
            .total_variation_bound
            .max(distribution.missing_mass);
        let rounding = (all - distribution.missing_mass).max(0.0);
        let law = (0_u64..)
            .zip(&distribution.pmf)
            .map(|(meter, &p)| (meter, [p, (p - rounding).max(0.0), (p + all).min(1.0)]));
        Self::new(simulated.rounds, law, counts, all, Some(all))
    }

    /// The numbers of spins of a trigger.
    pub(crate) fn of_spins(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Self {
        let counts = simulated
            .spins_histogram
            .iter()
            .map(|entry| (entry.spins, count(&entry.rounds)));
        let law = exact.spins_distribution.iter().map(|entry| {
            let p = entry.enclosure;
            (u64::from(entry.spins), [p.value, p.lower.max(0.0), p.upper])
        });
        let tail = exact.spins_tail.upper.max(0.0);
        Self::new(simulated.rounds, law, counts, tail, Some(tail))
    }

    /// # Arguments
    /// - `unlisted`: upper bound of the probability of a value that the law does not list; `None`
    ///   where there is no law
    fn new(
        played: u64,
        law: impl IntoIterator<Item = (u64, [f64; 3])>,
        counts: impl IntoIterator<Item = (u64, u64)>,
        left_out: f64,
        unlisted: Option<f64>,
    ) -> Self {
        let mut values: std::collections::BTreeMap<u64, (Option<[f64; 3]>, u64)> = law
            .into_iter()
            .map(|(value, law)| (value, (Some(law), 0)))
            .collect();
        for (value, rounds) in counts {
            values
                .entry(value)
                .or_insert((unlisted.map(|upper| [0.0, 0.0, upper]), 0))
                .1 += rounds;
        }
        let bins = values
            .into_iter()
            .map(|(value, (law, rounds))| Bin {
                from: value,
                to: value,
                law,
                rounds,
            })
            .collect();
        Self {
            played,
            bins,
            left_out,
        }
    }

    /// Whether there is a law beside the counts.
    pub(crate) fn has_law(&self) -> bool {
        self.bins.iter().any(|bin| bin.law.is_some())
    }

    /// Least value at or below which all but a share of the law lies, or of the rounds
    /// where there is no law.
    pub(crate) fn quantile(&self, beyond: f64) -> u64 {
        let mut left = 0.0;
        let mut last = 0;
        for bin in self.bins.iter().rev() {
            last = bin.from;
            left += bin
                .law
                .map_or_else(|| bin.share(self.played), |[value, ..]| value);
            if left > beyond {
                break;
            }
        }
        last
    }

    /// The largest value counted.
    pub(crate) fn largest(&self) -> u64 {
        self.bins
            .iter()
            .rev()
            .find(|bin| bin.rounds > 0)
            .map_or(0, |bin| bin.from)
    }

    /// The values from the least to `last` in at most about `most` bins of one width, which
    /// is a round number.
    pub(crate) fn binned(&self, last: u64, most: u64) -> Vec<Bin> {
        let first = self.bins.first().map_or(0, |bin| bin.from);
        let width = round_up((last.saturating_sub(first) + 1).div_ceil(most.max(1)));
        let mut bins: Vec<Bin> = Vec::new();
        for bin in self.bins.iter().filter(|bin| bin.from <= last) {
            let from = first + (bin.from - first) / width * width;
            match bins.last_mut() {
                Some(open) if open.from == from => {
                    open.rounds += bin.rounds;
                    open.law = match (open.law, bin.law) {
                        (Some([a, b, c]), Some([d, e, f])) => {
                            // What the law leaves out is allowed for once and not for each value.
                            Some([a + d, b + e, (a + d + (c - a).max(f - d)).min(1.0)])
                        }
                        (one, other) => one.or(other),
                    };
                }
                _ => bins.push(Bin {
                    from,
                    to: from + (width - 1),
                    ..*bin
                }),
            }
        }
        bins
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below a width.
fn round_up(width: u64) -> u64 {
    let mut unit = 1_u64;
    loop {
        for factor in [1, 2, 5] {
            let value = unit.saturating_mul(factor);
            if value >= width {
                return value;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

/// A count of the document; one that is no number was refused when the document was read.
pub(crate) fn count(text: &str) -> u64 {
    text.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law() -> Law {
        Law::new(
            1000,
            [
                (0, [0.25, 0.25, 0.26]),
                (1, [0.5, 0.5, 0.51]),
                (2, [0.24, 0.24, 0.25]),
            ],
            [(0, 240), (1, 520), (7, 1)],
            0.01,
            Some(0.01),
        )
    }

    #[test]
    fn residuals_count_from_the_nearest_bound() {
        let law = law();
        // 240 of 1000 against [250, 260]: (240 - 250) / sqrt(1000 * 0.25 * 0.75) = -0.730297
        assert!((law.bins[0].residual(1000).unwrap() + 0.730_297).abs() < 1e-6);
        // 520 against [500, 510]: (520 - 510) / sqrt(250) = 0.632456
        assert!((law.bins[1].residual(1000).unwrap() - 0.632_456).abs() < 1e-6);
        assert_eq!(law.bins[3].residual(1000), None);
    }

    #[test]
    fn bins_add_up_and_have_round_widths() {
        let law = law();
        let bins = law.binned(7, 4);
        assert_eq!(bins.iter().map(|bin| bin.rounds).sum::<u64>(), 761);
        assert_eq!((bins[0].from, bins[0].to), (0, 1));
        let [value, lower, upper] = bins[0].law.unwrap();
        assert!((value - 0.75).abs() < 1e-12 && (lower - 0.75).abs() < 1e-12);
        assert!((upper - 0.76).abs() < 1e-12);
        assert_eq!(round_up(1), 1);
        assert_eq!(round_up(3), 5);
        assert_eq!(round_up(51), 100);
    }

    #[test]
    fn quantiles_leave_a_share_beyond() {
        let law = law();
        assert_eq!(law.quantile(0.1), 2);
        assert_eq!(law.quantile(0.3), 1);
        assert_eq!(law.largest(), 7);
    }
}
