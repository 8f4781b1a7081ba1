//! Sizes of leaves and documents, expected from how often each value comes up.

use super::Calibration;
use crate::engine::{BATCH_ROUNDS, Tally, leaf_batches};
use crate::paytable::PaytableFile;

/// Bytes of a document beside histograms, detail and leaves.
const DOCUMENT: f64 = 3_500.0;

/// Bytes of an entry of a histogram in a document beside its digits.
const ENTRY: f64 = 66.0;

/// Bytes of a leaf in a document beside its digits: indentation, quotation marks, comma.
const LEAF_LINE: f64 = 12.0;

/// Sizes in bytes.
pub(super) struct Sizes {
    /// All leaves of all triggers: the file beside a certificate.
    pub(super) leaves: f64,
    /// The checkpoint at the end of the run.
    pub(super) checkpoint: f64,
    /// The document of the whole run.
    pub(super) result: f64,
    /// The document of a shard, on average.
    pub(super) shard: f64,
}

/// Sizes of a run.
///
/// # Arguments
/// - `watched`: rounds, at most `rounds`
#[expect(clippy::cast_precision_loss, reason = "sizes for planning")]
pub(super) fn of(
    file: &PaytableFile,
    calibration: &Calibration,
    rounds: u64,
    watched: u64,
    shards: u64,
) -> Sizes {
    let leaf_rounds = (leaf_batches(rounds) * u64::from(BATCH_ROUNDS)).min(rounds);
    let leaves = rounds.div_ceil(leaf_rounds) as f64;
    let watched_leaves = watched.div_ceil(leaf_rounds) as f64;
    // More shards than leaves are partly empty; those that are not have one.
    let filled = (shards as f64).min(leaves);
    let shard_rounds = rounds as f64 / filled;
    let text = file.text.len() as f64 + DOCUMENT;
    let (mut all, mut checkpoint, mut result, mut shard) = (0.0, 200.0, text, text);
    for of in &calibration.triggers {
        let (detail, detail_in_document) = (of.detail_bytes.0 as f64, of.detail_bytes.1 as f64);
        let leaf = Expected::of(&of.tally, leaf_rounds as f64);
        let bytes = leaves * leaf.bytes + watched_leaves * detail;
        let whole = Expected::of(&of.tally, rounds as f64);
        let piece = Expected::of(&of.tally, shard_rounds);
        let watched_shards = (watched as f64 / shard_rounds).ceil().min(filled);
        // Each has its length before it.
        all += bytes + 8.0 * leaves + 16.0;
        checkpoint += bytes + 2.0 * leaves + whole.bytes + detail;
        let base64 = bytes * 4.0 / 3.0 + LEAF_LINE * leaves;
        result += base64 + whole.digits + if watched > 0 { detail_in_document } else { 0.0 };
        shard += base64 / filled + piece.digits + detail_in_document * watched_shards / filled;
    }
    Sizes {
        leaves: all,
        checkpoint,
        result,
        shard,
    }
}

/// What the histograms of some rounds are expected to take.
struct Expected {
    /// In a leaf.
    bytes: f64,
    /// In a document.
    digits: f64,
}

impl Expected {
    #[expect(clippy::cast_precision_loss, reason = "shares of many rounds")]
    fn of(tally: &Tally, rounds: f64) -> Self {
        let played = tally.rounds().max(1) as f64;
        // Lengths of lists, the largest meter's round and two sums.
        let mut expected = Self {
            bytes: 25.0,
            digits: 0.0,
        };
        for (value, count) in tally.histogram().chain(tally.spins_histogram()) {
            let mean = rounds * count as f64 / played;
            let seen = -(-mean).exp_m1();
            let count = (mean / seen).max(1.0);
            // The step from the value before is nearly always below 128.
            expected.bytes += seen * (1.0 + (count.log2() / 7.0).floor() + 1.0);
            let digits = |number: f64| number.max(1.0).log10().floor() + 1.0;
            expected.digits += seen * (ENTRY + digits(value as f64) + digits(count));
        }
        expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineKind, Generator, RunPlan, simulate};
    use crate::rules::Trigger;

    /// Against a run that was not the one they come from: leaves of 2^16 and 2^17 rounds from
    /// the shares of 2^20 others.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "sizes of some thousand bytes")]
    fn expected_bytes_are_those_of_real_leaves() {
        let file = PaytableFile::load("pa-693-6").unwrap();
        let play = |seed, rounds| {
            let plan = RunPlan {
                trigger: Trigger::Five,
                seed,
                generator: Generator::default(),
                rounds,
                engine: EngineKind::Auto,
                detail_rounds: 0,
            };
            simulate(&file.paytable, &plan, &()).unwrap()
        };
        let shares = play(1, 1 << 20).tally;
        for rounds in [1_u64 << 20, 1 << 22] {
            let run = play(2, rounds);
            let leaf_rounds = run.plan.leaf_batches() * u64::from(BATCH_ROUNDS);
            let sizes = run.leaves.iter().map(|leaf| leaf.bytes().len() as f64);
            let mean = sizes.sum::<f64>() / run.leaves.len() as f64;
            let expected = Expected::of(&shares, leaf_rounds as f64).bytes;
            assert!(
                (expected / mean - 1.0).abs() < 0.05,
                "{expected} for {mean} in leaves of {leaf_rounds} rounds"
            );
        }
    }
}
