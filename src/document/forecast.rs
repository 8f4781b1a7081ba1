//! Schema `wonderspins/plan/1`.

use serde::{Deserialize, Serialize};

use super::{PaytableId, Tool};

/// How fast the calibration was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForecastCalibration {
    /// 2 or 5.
    pub trigger: u32,
    /// Rounds a second of all threads together that are not watched; absent where all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds_per_second: Option<f64>,
    /// Rounds a second that are watched one by one; absent where none are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watched_rounds_per_second: Option<f64>,
}

/// How wide an interval is expected to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForecastWidth {
    /// 2 or 5.
    pub trigger: u32,
    /// Half the interval of the overall return, as an absolute fraction.
    pub half_width: f64,
}

/// What a number of rounds takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForecastRow {
    /// Rounds for each trigger.
    pub rounds: u64,
    /// Seconds on this machine, all triggers together.
    pub seconds: f64,
    /// Seconds of one such thread.
    pub core_seconds: f64,
    /// Threads of this speed that end before the deadline.
    pub cores_for_deadline: u64,
    /// One entry for each trigger.
    pub rtp_half_width: Vec<ForecastWidth>,
    /// Rounds of a leaf.
    pub leaf_rounds: u64,
    /// Leaves of each trigger.
    pub leaves: u64,
    /// Bytes of all leaves, as beside a certificate; about.
    pub leaves_bytes: u64,
    /// Bytes of the checkpoint at the end of the run; about.
    pub checkpoint_bytes: u64,
    /// Bytes of the result that `simulate --output` writes; about.
    pub result_bytes: u64,
    /// Bytes of the result of one of the shards; about.
    pub shard_bytes: u64,
}

/// `simulate --plan --format json`. Holds times of this machine, like a
/// [`BenchDocument`](super::BenchDocument), and no result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForecastDocument {
    /// `wonderspins/plan/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// Threads of the calibration.
    pub threads: usize,
    /// Engine of the rounds that are not watched.
    pub engine: String,
    /// One entry for each trigger, ascending.
    pub calibration: Vec<ForecastCalibration>,
    /// Confidence level of the intervals.
    pub level: f64,
    /// The deadline.
    pub deadline_seconds: f64,
    /// Number of shards that `shard_bytes` is for.
    pub shards: u64,
    /// The rounds asked for, and some fewer and some more, ascending.
    pub rows: Vec<ForecastRow>,
}

impl ForecastDocument {
    /// The schema of this version.
    pub const SCHEMA: &'static str = "wonderspins/plan/1";
}
