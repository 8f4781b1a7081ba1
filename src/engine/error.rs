//! What can go wrong in the engine.

use thiserror::Error;

use super::plan::{EngineKind, MAX_ROUNDS};
use crate::rules::Trigger;

/// Why a round cannot be played on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RoundError {
    /// A number of the round passes `u64`.
    #[error("the {quantity} passes 2^64 - 1")]
    Overflow {
        /// Which number: `meter`, `multiplier` or `counter`.
        quantity: &'static str,
    },
    /// The round has not ended within the engine's limit.
    #[error("the counter has not reached zero after {limit} spins")]
    TooLong {
        /// The limit, [`MAX_ROUND_SPINS`](super::MAX_ROUND_SPINS).
        limit: u32,
    },
    /// A spin was asked of a round that has ended.
    #[error("the round is over")]
    Over,
}

/// Why a simulation or a replay gives no result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The paytable does not have the trigger.
    #[error("the paytable has no trigger `{trigger}`")]
    UnknownTrigger {
        /// The trigger asked for.
        trigger: Trigger,
    },
    /// The number of rounds is out of range.
    #[error("{found} rounds asked, expected a number in [1, {MAX_ROUNDS}]")]
    Rounds {
        /// The number asked for.
        found: u64,
    },
    /// The index of a round is out of range.
    #[error("round {found} asked, expected an index in [0, {MAX_ROUNDS})")]
    RoundIndex {
        /// The index asked for.
        found: u64,
    },
    /// A range of batches is empty or leaves the run.
    #[error("batches {start} to {end} asked, expected a range that is not empty in [0, {batches})")]
    Batches {
        /// First batch of the range.
        start: u64,
        /// One past its last batch.
        end: u64,
        /// Batches of the run.
        batches: u64,
    },
    /// A state to go on from is not one of the run.
    #[error(
        "{rounds} rounds before batch {next_batch} are no state of batches {start} to {end} of the run"
    )]
    State {
        /// The batch to go on with.
        next_batch: u64,
        /// Rounds of its tally.
        rounds: u64,
        /// First batch of the range.
        start: u64,
        /// One past its last batch.
        end: u64,
    },
    /// The bytes of a leaf are not the results of its rounds.
    #[error("a leaf is inconsistent: {reason}")]
    InconsistentLeaf {
        /// What contradicts what.
        reason: &'static str,
    },
    /// There are more or fewer leaves than some batches have.
    #[error("there are {found} leaves, expected {expected}")]
    Leaves {
        /// How many there are.
        found: u64,
        /// How many the batches have.
        expected: u64,
    },
    /// A leaf of several is not one of the run.
    #[error("leaf {index} cannot be one of the run: {reason}")]
    Leaf {
        /// Its place in the run.
        index: u64,
        /// What is wrong with it.
        reason: Box<Self>,
    },
    /// A forced engine cannot run.
    #[error("the engine `{engine}` is unavailable: {reason}")]
    Unavailable {
        /// The engine asked for.
        engine: EngineKind,
        /// Why it cannot run.
        reason: &'static str,
    },
    /// A round of the batch could not be played to its end.
    #[error("round {round} cannot be played to its end")]
    Round {
        /// Index of the round.
        round: u64,
        /// What stopped it.
        #[source]
        source: RoundError,
    },
    /// A sum over rounds passes its integer type.
    #[error("the {quantity} of the run passes its integer type")]
    TallyOverflow {
        /// Which sum.
        quantity: &'static str,
    },
    /// Stored details contradict one another.
    #[error("the stored detail is inconsistent: {reason}")]
    InconsistentDetail {
        /// What contradicts what.
        reason: &'static str,
    },
    /// Stored results contradict one another.
    #[error("the stored results are inconsistent: {reason}")]
    InconsistentTally {
        /// What contradicts what.
        reason: &'static str,
    },
}
