//! Schema `wonderspins/simulate/1`.

use serde::{Deserialize, Serialize};

use super::{DetailJson, PaytableId, Tool};
use crate::paytable::PaytableFile;
use crate::stats::Estimate;

/// An estimate with its error, interval, level and method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimateJson {
    /// The estimate.
    pub estimate: f64,
    /// Its standard error.
    pub std_error: f64,
    /// Lower end of the interval.
    pub lower: f64,
    /// Upper end of the interval.
    pub upper: f64,
    /// Confidence level of the interval.
    pub level: f64,
    /// How the interval was made.
    pub method: String,
}

impl From<&Estimate> for EstimateJson {
    fn from(estimate: &Estimate) -> Self {
        Self {
            estimate: estimate.estimate,
            std_error: estimate.std_error,
            lower: estimate.lower,
            upper: estimate.upper,
            level: estimate.level,
            method: estimate.method.to_string(),
        }
    }
}

/// Rounds that ended at a meter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistogramEntry {
    /// The reported meter.
    pub meter: u64,
    /// How many rounds.
    pub rounds: String,
}

/// Rounds that had a number of spins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpinsEntry {
    /// Number of spins.
    pub spins: u64,
    /// How many rounds.
    pub rounds: String,
}

/// The place of an estimate in a document: always filled, or left empty where a shard has
/// too few rounds for one.
pub trait EstimateSlot {
    /// Whether the key is left out.
    fn is_empty(&self) -> bool;
}

impl EstimateSlot for EstimateJson {
    fn is_empty(&self) -> bool {
        false
    }
}

impl EstimateSlot for Option<EstimateJson> {
    fn is_empty(&self) -> bool {
        self.is_none()
    }
}

/// The simulated results of one trigger.
///
/// `E` is [`EstimateJson`], or an [`Option`] of it where there may be too few rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "E: EstimateSlot + Serialize"))]
pub struct SimulateTrigger<E = EstimateJson> {
    /// 2 or 5.
    pub trigger: u32,
    /// Rounds played.
    pub rounds: u64,
    /// Rounds asked for; more than `rounds` after an interrupt.
    pub rounds_asked: u64,
    /// Whether every round asked for was played.
    pub complete: bool,
    /// Seed of the run.
    pub seed: String,
    /// Generator of the random numbers.
    pub generator: String,
    /// Sum of the meters.
    pub sum_meter: String,
    /// Sum of the squared meters.
    pub sum_meter_squared: String,
    /// Sum of the meters before a cap.
    pub sum_uncapped_meter: String,
    /// Sum of the squared meters before a cap.
    pub sum_uncapped_meter_squared: String,
    /// Rounds with a meter of zero.
    pub zero_rounds: String,
    /// Spins of all rounds.
    pub spins: String,
    /// Largest meter.
    pub max_meter: u64,
    /// First round that reached it, from 0.
    pub max_round: u64,
    /// Mean of the meter.
    #[serde(skip_serializing_if = "EstimateSlot::is_empty")]
    pub mean_meter: E,
    /// Variance of the meter.
    #[serde(skip_serializing_if = "EstimateSlot::is_empty")]
    pub variance_meter: E,
    /// Share of rounds with a meter above zero.
    #[serde(skip_serializing_if = "EstimateSlot::is_empty")]
    pub hit_frequency: E,
    /// Mean spins of a round.
    #[serde(skip_serializing_if = "EstimateSlot::is_empty")]
    pub mean_spins: E,
    /// Overall gross return.
    #[serde(skip_serializing_if = "EstimateSlot::is_empty")]
    pub rtp: E,
    /// Gross return given the trigger.
    #[serde(skip_serializing_if = "EstimateSlot::is_empty")]
    pub rtp_conditional: E,
    /// SHA-256 over the canonical form of the integer results.
    pub digest: String,
    /// Rounds by meter, ascending, only meters seen.
    pub histogram: Vec<HistogramEntry>,
    /// Rounds above the payout cap by the meter before it, ascending; absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond_cap: Vec<HistogramEntry>,
    /// Rounds by number of spins, ascending, only numbers seen.
    pub spins_histogram: Vec<SpinsEntry>,
    /// What the first rounds were made of; absent where none were watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<DetailJson>,
}

/// How long a run took; never part of a digest or a certificate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Performance {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Rounds a second over all threads.
    pub rounds_per_second: f64,
    /// Threads used.
    pub threads: usize,
    /// Engine used.
    pub engine: String,
}

/// `simulate --format json` and `merge --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulateDocument {
    /// `wonderspins/simulate/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// Whether every round of every trigger asked for was played; after an interrupt the
    /// triggers that had not begun are missing.
    pub complete: bool,
    /// One entry for each trigger played, ascending.
    pub triggers: Vec<SimulateTrigger<Option<EstimateJson>>>,
    /// Timing, beside the results; absent where they were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub performance: Option<Performance>,
}

impl SimulateDocument {
    /// The schema of this version, also that of a [`ResultDocument`](super::ResultDocument).
    pub const SCHEMA: &'static str = "wonderspins/simulate/1";

    /// The document of the given results.
    #[must_use]
    pub fn new(
        file: &PaytableFile,
        complete: bool,
        triggers: Vec<SimulateTrigger<Option<EstimateJson>>>,
        performance: Option<Performance>,
    ) -> Self {
        Self {
            schema: Self::SCHEMA.to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            complete,
            triggers,
            performance,
        }
    }
}
