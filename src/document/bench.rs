//! Schema `wonderspins/bench/1`.

use serde::{Deserialize, Serialize};

use super::{PaytableId, Tool};
use crate::stats::Spread;

/// The machine, without anything that names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor, as it calls itself; `unknown` where it does not.
    pub cpu: String,
    /// Processors that the program may use.
    pub cores: usize,
    /// Operating system.
    pub os: String,
    /// Architecture that the program was built for.
    pub architecture: String,
}

/// How the program was built, beside what [`Tool`] says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// `release`, or `debug` where the build checks its own assertions: no figure of such
    /// a build says anything about the other.
    pub profile: String,
    /// The Rust version that the package is built with.
    pub rust: String,
}

/// Median and scatter of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SpreadJson {
    /// Median.
    pub median: f64,
    /// Smallest sample.
    pub min: f64,
    /// Largest sample.
    pub max: f64,
    /// Median distance of the samples from their median.
    pub mad: f64,
}

impl From<Spread> for SpreadJson {
    fn from(spread: Spread) -> Self {
        Self {
            median: spread.median,
            min: spread.min,
            max: spread.max,
            mad: spread.mad,
        }
    }
}

/// One implementation on a number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchResult {
    /// `straightforward`, or the name of the engine that was asked for.
    pub engine: String,
    /// The engine that played, where it is not the one asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_by: Option<String>,
    /// Threads.
    pub threads: usize,
    /// Rounds of each sample.
    pub rounds: u64,
    /// Spins of each sample.
    pub spins: u64,
    /// Rounds in a second of wall-clock time.
    pub rounds_per_second: SpreadJson,
    /// Spins in a second of wall-clock time.
    pub spins_per_second: SpreadJson,
    /// Processor time of all threads for a round, in nanoseconds; absent where the system
    /// does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_nanoseconds_per_round: Option<SpreadJson>,
    /// How many times as fast as the straightforward version on as many threads, sample by
    /// sample; absent for that version itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<SpreadJson>,
    /// Wall-clock seconds of each sample, in the order measured.
    pub seconds: Vec<f64>,
    /// Processor seconds of each sample, all threads together, in the same order; empty
    /// where the system does not tell it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpu_seconds: Vec<f64>,
}

/// An engine that could not be measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmeasured {
    /// Name of the engine.
    pub engine: String,
    /// Why.
    pub reason: String,
}

/// The results of one trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// By number of threads, then in the order measured: the straightforward version first.
    pub results: Vec<BenchResult>,
    /// Engines that could not be measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<Unmeasured>,
}

/// What a comparison says of one figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeVerdict {
    /// The whole interval of the change is above the loss that is allowed.
    Within,
    /// The whole interval is below it.
    Regression,
    /// The loss that is allowed lies inside the interval: the samples scatter too much.
    Unclear,
}

/// The change of one ratio from a recorded run to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// 2 or 5.
    pub trigger: u32,
    /// Name of the engine.
    pub engine: String,
    /// Threads.
    pub threads: usize,
    /// Ratio of the least times of the recorded run.
    pub old_ratio: f64,
    /// Ratio of the least times of this run.
    pub new_ratio: f64,
    /// New over old less one: -0.1 is a tenth slower.
    pub change: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
    /// What follows.
    pub verdict: ChangeVerdict,
}

/// What a comparison says as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonVerdict {
    /// Every change is within what is allowed.
    Within,
    /// At least one is a regression.
    Regression,
    /// None is a regression, at least one is unclear.
    Unclear,
    /// The runs are of different processors, architectures or build profiles: ratios of one
    /// say nothing about the other.
    Incomparable,
}

/// A recorded run against this one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Program of the recorded run.
    pub tool: Tool,
    /// Its machine.
    pub machine: Machine,
    /// Its build.
    pub build: Build,
    /// The loss of speed that is allowed, in (0, 1).
    pub max_regression: f64,
    /// Least confidence with which each end of an interval holds.
    pub level: f64,
    /// The figures that both runs have.
    pub changes: Vec<Change>,
    /// Figures of the recorded run that this one lacks or has for samples of another number
    /// of rounds, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What follows.
    pub verdict: ComparisonVerdict,
}

/// `bench --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchDocument {
    /// `wonderspins/bench/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// How it was built.
    pub build: Build,
    /// Machine.
    pub machine: Machine,
    /// Paytable.
    pub paytable: PaytableId,
    /// Seed of every sample.
    pub seed: String,
    /// Samples of each figure.
    pub samples: usize,
    /// One entry for each trigger, ascending.
    pub triggers: Vec<BenchTrigger>,
    /// Against a recorded run, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

impl BenchDocument {
    /// The schema of this version.
    pub const SCHEMA: &'static str = "wonderspins/bench/1";

    /// How the straightforward version is called.
    pub const STRAIGHTFORWARD: &'static str = "straightforward";
}
