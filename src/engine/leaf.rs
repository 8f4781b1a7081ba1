//! Leaves: the pieces of a run that a certificate commits to one by one.
//!
//! A leaf is a contiguous range of batches with its exact integer results. Its size
//! follows from the number of rounds alone, so a run, its shards and its resumed halves
//! have the same leaves, and the leaves of a run add up to its tally and its detail.
//!
//! # Size
//! [`leaf_batches`]: the least power of two batches for which the leaf's rounds, squared,
//! reach 2^12 times the rounds of the run, and which gives at most [`MOST_LEAVES`] leaves.
//! So 10^8 rounds have 96 leaves of 2^20 rounds, and 10^12 rounds 14,902 of 2^26: both the
//! size of a leaf, which whoever checks one plays again, and the number of leaves, which
//! is stored, stay small.
//!
//! # Bytes, version 1
//! [`Leaf::bytes`] are `StoredLeaf` in the encoding of the crate `postcard`: its numbers
//! one after another, unsigned ones as LEB128 (seven bits a byte, least significant first,
//! the top bit set in all but the last), signed ones zigzag-encoded before, lists after
//! their length, an optional part after 0 for none or 1:
//!
//! | numbers | meaning |
//! | --- | --- |
//! | k, then k pairs | meters: the step from the meter before, from 0, and its rounds |
//! | k, then k pairs | spins of a round, in the same way |
//! | k, then k pairs | uncapped meters above the cap, in the same way |
//! | 1 | index of the first round with the largest meter, less that of the leaf's first |
//! | 2 | sum of the uncapped meters, sum of their squares |
//! | 0, or 1 and [`DetailParts`] | what the watched rounds were made of |

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::detail::{Detail, DetailParts};
use super::error::EngineError;
use super::plan::RunPlan;
use super::stream::BATCH_ROUNDS;
use super::tally::{Tally, TallyParts};
use crate::paytable::Paytable;

/// The most leaves of a run.
pub const MOST_LEAVES: u64 = 1 << 14;

/// Batches of a leaf of a run of `rounds` rounds; the last leaf may have fewer.
///
/// # Examples
/// ```
/// use wonderspins::engine::{BATCH_ROUNDS, leaf_batches};
///
/// assert_eq!(leaf_batches(100_000_000) * u64::from(BATCH_ROUNDS), 1 << 20);
/// assert_eq!(leaf_batches(1), 1);
/// ```
#[must_use]
pub fn leaf_batches(rounds: u64) -> u64 {
    let is_enough = |batches: u64| {
        let leaf = u128::from(batches) * u128::from(BATCH_ROUNDS);
        leaf * leaf >= u128::from(rounds) << 12
            && leaf * u128::from(MOST_LEAVES) >= u128::from(rounds)
    };
    let mut batches = 1;
    while !is_enough(batches) {
        batches *= 2;
    }
    batches
}

/// A piece of a run with its integer results, encoded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Leaf {
    bytes: Vec<u8>,
}

/// The numbers of the bytes, in their order.
#[derive(Serialize, Deserialize)]
struct StoredLeaf {
    meters: Vec<(u64, u64)>,
    lengths: Vec<(u64, u64)>,
    beyond_cap: Vec<(u64, u64)>,
    max_round: u64,
    uncapped_sum_meter: u128,
    uncapped_sum_meter_squared: u128,
    detail: Option<DetailParts>,
}

/// The integer results of a leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeafResults {
    /// Results of its rounds.
    pub tally: Tally,
    /// What those that are watched were made of.
    pub detail: Detail,
}

impl Leaf {
    /// A leaf from bytes that were stored, which [`results`](Self::results) checks.
    #[must_use]
    pub const fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// The bytes of this module's header.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The leaf of some results.
    ///
    /// # Arguments
    /// - `batches`: those of the leaf
    pub(super) fn new(batches: &Range<u64>, tally: &Tally, detail: &DetailParts) -> Self {
        let parts = tally.to_parts();
        let stored = StoredLeaf {
            meters: steps(&parts.histogram),
            lengths: steps(&parts.spins_histogram),
            beyond_cap: steps(&parts.beyond_cap),
            max_round: parts.max_round.saturating_sub(first_round(batches)),
            uncapped_sum_meter: parts.uncapped_sum_meter,
            uncapped_sum_meter_squared: parts.uncapped_sum_meter_squared,
            detail: (detail.rounds > 0).then(|| detail.clone()),
        };
        Self {
            bytes: postcard::to_stdvec(&stored).expect("plain data can be encoded"),
        }
    }

    /// The results that the bytes stand for.
    ///
    /// # Arguments
    /// - `paytable`, `plan`: of the run
    /// - `batches`: those of the leaf
    ///
    /// # Errors
    /// [`EngineError::InconsistentLeaf`], [`EngineError::InconsistentTally`],
    /// [`EngineError::InconsistentDetail`], [`EngineError::TallyOverflow`]: the bytes are
    /// not those of any results of these rounds
    pub fn results(
        &self,
        paytable: &Paytable,
        plan: &RunPlan,
        batches: &Range<u64>,
    ) -> Result<LeafResults, EngineError> {
        let inconsistent = |reason| Err(EngineError::InconsistentLeaf { reason });
        let Ok(stored) = postcard::from_bytes::<StoredLeaf>(&self.bytes) else {
            return inconsistent("its bytes cannot be decoded");
        };
        let first = first_round(batches);
        let (Some(histogram), Some(spins_histogram), Some(beyond_cap), Some(max_round)) = (
            sums_of_steps(&stored.meters),
            sums_of_steps(&stored.lengths),
            sums_of_steps(&stored.beyond_cap),
            first.checked_add(stored.max_round),
        ) else {
            return inconsistent("its numbers pass 64 bits");
        };
        let tally = Tally::from_parts(&TallyParts {
            histogram,
            spins_histogram,
            beyond_cap,
            max_round,
            uncapped_sum_meter: stored.uncapped_sum_meter,
            uncapped_sum_meter_squared: stored.uncapped_sum_meter_squared,
        })?;
        let detail = stored.detail.unwrap_or_default();
        let expected = plan.rounds_of(batches);
        if tally.rounds() != expected {
            return inconsistent("it has another number of rounds than its place in the run");
        }
        if tally
            .max_round()
            .is_none_or(|round| !(first..first + expected).contains(&round))
        {
            return inconsistent("its largest meter is in a round of another leaf");
        }
        if detail.rounds != plan.watched_rounds_of(batches) {
            return inconsistent("other rounds are watched than the plan says");
        }
        let results = LeafResults {
            detail: Detail::from_parts(paytable, detail)?,
            tally,
        };
        // One form for each content: a second one would have a second hash.
        if Self::new(batches, &results.tally, results.detail.parts()) != *self {
            return inconsistent("its bytes are not in the one form of their numbers");
        }
        Ok(results)
    }
}

fn first_round(batches: &Range<u64>) -> u64 {
    batches.start.saturating_mul(BATCH_ROUNDS.into())
}

/// Pairs of an ascending list with each value as the step from the one before.
fn steps(list: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut before = 0;
    list.iter()
        .map(|&(value, rounds)| (value - std::mem::replace(&mut before, value), rounds))
        .collect()
}

/// The list behind [`steps`]; `None` where a value passes 64 bits.
fn sums_of_steps(steps: &[(u64, u64)]) -> Option<Vec<(u64, u64)>> {
    let mut value = 0_u64;
    steps
        .iter()
        .map(|&(step, rounds)| {
            value = value.checked_add(step)?;
            Some((value, rounds))
        })
        .collect()
}

#[cfg(test)]
#[path = "leaf_tests.rs"]
mod tests;
