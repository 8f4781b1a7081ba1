//! How rare the rarest outcome is, and whether a run is large enough to have seen it.
//!
//! The z tests rest on the normal law of a mean. A payout that one draw in a million
//! decides makes that law wrong until the draw has come up many times: a run without it
//! shows too small a variance and, worse, too small an error of that variance. All the
//! chance of the game is in a few finite draws, so the rarest outcome of one spin and of
//! the start tell when a run is too small.

use std::collections::HashMap;
use std::hash::Hash;

use crate::paytable::{Paytable, StartLaw};
use crate::rules::Trigger;

/// How often the rarest outcome must be expected before a z test is believed.
pub const LEAST_EXPECTED: f64 = 20.0;

/// How often the rarest joint outcome of one spin, and the rarest start, is expected in a
/// run: the smaller of the two.
///
/// # Arguments
/// - `rounds`, `mean_spins`: of the run and of a round
/// # Returns
/// A count in [0, inf). Sections that award the same count as one outcome.
#[must_use]
pub fn rarest_expected(paytable: &Paytable, trigger: Trigger, rounds: f64, mean_spins: f64) -> f64 {
    let spin = least_share(weights_by(paytable.inner_wheel.iter()))
        * least_share(paytable.boost_weights().into_iter())
        * least_share(weights_by(paytable.outer_wheel.iter()));
    let start = match paytable.start_law(trigger) {
        // Each character gets each value of a permutation with probability 1/k at least.
        StartLaw::Permutation { .. } | StartLaw::Fixed { .. } => 1.0 / 6.0,
        StartLaw::Independent { weights, .. } => least_share(weights.iter().copied()),
        StartLaw::Table { rows } => least_share(rows.iter().map(|row| row.weight)),
    };
    (rounds * mean_spins * spin).min(rounds * start)
}

/// The weights of equal items added up.
fn weights_by<S: Hash + Eq>(items: impl Iterator<Item = (S, u64)>) -> impl Iterator<Item = u64> {
    let mut sums = HashMap::new();
    for (item, weight) in items {
        *sums.entry(item).or_insert(0) += weight;
    }
    sums.into_values()
}

/// The smallest weight as a share of all.
#[expect(clippy::cast_precision_loss, reason = "a rule of thumb, not a result")]
fn least_share(weights: impl Iterator<Item = u64>) -> f64 {
    let weights: Vec<u64> = weights.collect();
    let total: u64 = weights.iter().sum();
    let least = weights.iter().min().copied().unwrap_or(1);
    least as f64 / total.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paytable::fixture;

    /// 10 is on one of 12 inner sections, a selection is one of 6, the Rabbit is on one of
    /// 54 outer sections: 1 in 3888 of 3 10^6 spins.
    #[test]
    fn the_pennsylvania_wheels_by_hand() {
        let paytable = Paytable::new(fixture::pa()).unwrap();
        let expected = rarest_expected(&paytable, Trigger::Two, 1e6, 3.0);
        assert!((expected - 3e6 / 3888.0).abs() < 1e-9, "{expected}");
    }
}
