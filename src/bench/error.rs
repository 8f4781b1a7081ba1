//! What can go wrong in a measurement or a comparison.

use thiserror::Error;

use crate::engine::EngineError;
use crate::rules::Trigger;
use crate::stats::StatsError;

/// Why there is no measurement or no comparison.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The plan names no trigger or no engine.
    #[error("nothing to measure: the plan names no {what}")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// Too few samples.
    #[error("{found} samples asked, expected at least {least}")]
    Samples {
        /// The number asked for.
        found: usize,
        /// The least number.
        least: usize,
    },
    /// The paytable does not have the trigger.
    #[error("the paytable has no trigger `{trigger}`")]
    UnknownTrigger {
        /// The trigger asked for.
        trigger: Trigger,
    },
    /// An engine could not play.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The threads could not be started.
    #[error("the threads could not be started")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Times without a usable ratio.
    #[error("the samples give no figure")]
    Samplings(#[from] StatsError),
    /// The two runs are of different paytables.
    #[error("the recorded run is of another paytable, sha256 {recorded}, this one is {this}")]
    OtherPaytable {
        /// SHA-256 of the recorded run's paytable.
        recorded: String,
        /// SHA-256 of this run's.
        this: String,
    },
    /// The two runs have no figure in common.
    #[error(
        "the recorded run and this one have no trigger, engine, number of threads and rounds of a sample in common"
    )]
    NothingInCommon,
}

/// Why a recorded run cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// The text is no JSON, or not that of a run.
    #[error("`{key}` cannot be read")]
    Key {
        /// Path of the key, `.` for the document as a whole.
        key: String,
        /// What is wrong there.
        #[source]
        source: serde_json::Error,
    },
    /// Another schema.
    #[error("`schema` is `{found}`, expected `wonderspins/bench/1`")]
    Schema {
        /// The schema found.
        found: String,
    },
    /// A number that no measurement gives.
    #[error("`{key}` {problem}")]
    Value {
        /// Path of the key.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
}
