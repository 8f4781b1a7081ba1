//! The documents that the program prints and writes: plain data between computing and writing.
//!
//! A command computes, turns its results into one of these structs, and hands it to a
//! writer; a writer sees nothing else. Each struct is the specification of its JSON
//! schema: field names are the keys, in the order in which they are printed.
//!
//! | schema | struct |
//! | --- | --- |
//! | `wonderspins/exact/1` | [`ExactDocument`] |
//! | `wonderspins/simulate/1` | [`SimulateDocument`]; with leaves [`ResultDocument`] |
//! | `wonderspins/sensitivity/1` | [`SensitivityDocument`] |
//! | `wonderspins/replay/1` | [`ReplayDocument`] |
//! | `wonderspins/check/1` | [`CheckDocument`] |
//! | `wonderspins/certificate/1` | [`Certificate`] |
//! | `wonderspins/readings/1` | [`ReadingsDocument`] |
//! | `wonderspins/solve/1` | [`SolveDocument`] |
//! | `wonderspins/verify/1` | [`RecheckDocument`] |
//! | `wonderspins/bench/1` | [`BenchDocument`] |
//! | `wonderspins/plan/1` | [`ForecastDocument`] |
//!
//! Guarantees: counts and sums that can pass 2^53 are decimal strings; floats are the
//! shortest text that reads back to the same value; a figure that does not exist is
//! left out, never null; nothing depends on time, threads, engine or machine, but for
//! [`BenchDocument`], [`ForecastDocument`] and the [`Performance`] beside simulated results.

mod bench;
mod certificate;
mod contribution;
mod detail;
mod distribution;
mod exact;
mod forecast;
mod read;
mod readings;
mod recheck;
mod regulation;
mod replay;
mod result;
mod seal;
mod sensitivity;
mod simulate;
mod solve;

use serde::{Deserialize, Serialize};

pub use bench::{
    BenchDocument, BenchResult, BenchTrigger, Build, Change, ChangeVerdict, Comparison,
    ComparisonVerdict, Machine, SpreadJson, Unmeasured,
};
pub use certificate::{
    Assumption, Certificate, CertificatePaytable, CertificateTrigger, Check, CheckVerdict,
    Commitment, ConvergencePoint, ExactSection, Plan, Requirement, RtpBand, SideFile,
    SimulatedSection, TriggerDeclared, WheelSection, Wheels,
};
pub use contribution::{ContributionJson, ContributionsJson, SpinsContributionJson};
pub use detail::{CharacterDetailJson, DetailJson, PairSumsJson, SourceDetailJson, SpinDrawsJson};
pub use distribution::{
    BandJson, BoundsJson, CappedJson, DistributionJson, ExceedanceJson, JointJson, QuantileJson,
};
pub use exact::{
    EnclosureJson, ExactDocument, ExactTrigger, FractionJson, MAX_FRACTION_DIGITS, ReturnPart,
    SpinsProbability, StakeJson, VolatilityJson,
};
pub use forecast::{ForecastCalibration, ForecastDocument, ForecastRow, ForecastWidth};
pub use read::CertificateError;
pub use readings::{
    OpenPointsJson, ReadingFiguresJson, ReadingJson, ReadingsDocument, ReadingsTrigger,
};
pub use recheck::{ChallengeJson, Escape, RecheckDocument, RecheckFinding};
pub use regulation::{CheckDocument, CheckTrigger, ClauseJson};
pub use replay::{ReplayDocument, ReplaySpin, ReplayTrigger};
pub use result::{
    BatchesJson, LeavesJson, PlanFault, ResultDocument, ResultPaytable, ResultPlan, ShardJson,
};
pub use seal::{Seal, with_seal};
pub use sensitivity::{
    ExtremeJson, ExtremesJson, SectionJson, SensitivityDocument, SensitivityTrigger,
};
pub use simulate::{
    EstimateJson, EstimateSlot, HistogramEntry, Performance, SimulateDocument, SimulateTrigger,
    SpinsEntry,
};
pub use solve::{
    CandidateJson, CandidateRtp, ParameterJson, SolveDocument, SolveJoint, SolveTrigger,
};

use crate::paytable::PaytableFile;

/// The program that wrote a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Package name.
    pub name: String,
    /// Package version.
    pub version: String,
    /// Source revision of a release build, else `unknown`.
    pub commit: String,
}

impl Tool {
    /// This build. The revision comes from `WONDERSPINS_COMMIT` at compile time.
    #[must_use]
    pub fn current() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("WONDERSPINS_COMMIT")
                .unwrap_or("unknown")
                .to_owned(),
        }
    }
}

/// The paytable that a document is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaytableId {
    /// The name that the paytable gives itself.
    pub name: String,
    /// SHA-256 of the canonical form.
    pub sha256: String,
    /// SHA-256 of the bytes read.
    pub file_sha256: String,
}

impl From<&PaytableFile> for PaytableId {
    fn from(file: &PaytableFile) -> Self {
        Self {
            name: file.paytable.name.clone(),
            sha256: file.paytable.sha256(),
            file_sha256: file.file_sha256.clone(),
        }
    }
}

/// A document as pretty JSON with a final line feed.
///
/// # Panics
/// Never for the documents of this module: they hold no map with keys that are not text.
#[must_use]
pub fn to_json<T: Serialize>(document: &T) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("documents serialise to JSON");
    text.push('\n');
    text
}
