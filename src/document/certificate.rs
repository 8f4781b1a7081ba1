//! Schema `wonderspins/certificate/1`.

use serde::{Deserialize, Serialize};

use super::{
    CertificateProfile, ClauseJson, EnclosureJson, ExactTrigger, Seal, SimulateTrigger, Tool,
};
use crate::paytable::Paytable;
use crate::rules::Wheel;

/// The verdict of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// Nothing speaks against it.
    Pass,
    /// It could not be decided.
    Inconclusive,
    /// It is refuted.
    Fail,
}

impl CheckVerdict {
    /// The word in documents.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Inconclusive => "inconclusive",
            Self::Fail => "fail",
        }
    }

    /// The worse of two verdicts: fail, then inconclusive, then pass.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.max(other)
    }
}

impl std::fmt::Display for CheckVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

/// One comparison with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Identifier, unique together with the trigger.
    pub id: String,
    /// The clause that asks for it.
    pub clause: String,
    /// 2 or 5; absent where the check is about the whole paytable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<u32>,
    /// What is tested, in words.
    pub hypothesis: String,
    /// The test statistic, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistic: Option<f64>,
    /// What the statistic is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The p-value of this test alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// The p-value after Holm's correction over all tests of the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value_adjusted: Option<f64>,
    /// The proven bound that decides, where no chance is involved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<EnclosureJson>,
    /// What the verdict is measured against, as text: `p >= 0.01 after Holm` or the declared figure.
    pub threshold: String,
    /// The smallest deviation that this run would have shown with probability 0.8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest_detectable: Option<f64>,
    /// The largest deviation that a run may leave unseen, in the same unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<f64>,
    /// What the run would have shown, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<String>,
    /// The verdict.
    pub verdict: CheckVerdict,
    /// What was found, in words.
    pub evidence: String,
}

/// A point that the source text leaves open, and how this paytable fills it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// Key of the paytable file.
    pub key: String,
    /// The clause that leaves it open.
    pub clause: String,
    /// The choice made, in words.
    pub reading: String,
}

/// The paytable, with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertificatePaytable {
    /// The name that the paytable gives itself.
    pub name: String,
    /// Its source.
    pub source: String,
    /// Its notes.
    pub notes: String,
    /// SHA-256 of the canonical form.
    pub sha256: String,
    /// SHA-256 of the text.
    pub file_sha256: String,
    /// The text, as read.
    pub text: String,
}

/// What fixed the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The seed.
    pub seed: String,
    /// Where it came from: `given`, `derived` or `derived:LABEL`.
    pub seed_origin: String,
    /// Rounds for each trigger.
    pub rounds: u64,
    /// Rounds of a batch.
    pub batch_rounds: u64,
    /// Generator of the random numbers.
    pub generator: String,
    /// Version of the specification of streams and word order.
    pub engine_specification: u32,
    /// Confidence level of the intervals.
    pub confidence_level: f64,
    /// Family-wise error rate of all tests together.
    pub alpha: f64,
    /// The correction that keeps it.
    pub correction: String,
    /// Whether a clause that waits for a declaration counts against the verdict.
    pub strict: bool,
    /// An advertised award must occur at least once in this many games, else its odds be shown:
    /// where another limit than that of GLI-11 was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub award_limit: Option<u64>,
    /// Rounds from the first that were watched one by one for the `detail`.
    pub detail_rounds: u64,
}

/// A trigger and the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertificateTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// Spins on the counter at the start.
    pub spins: u32,
    /// Probability of the trigger, as a fraction.
    pub probability: String,
    /// Verdict of the checks of this trigger.
    pub verdict: CheckVerdict,
}

/// The exact section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExactSection {
    /// One entry for each trigger.
    pub triggers: Vec<ExactTrigger>,
    /// Why there are no payout distributions, where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_distribution: Option<String>,
    /// Where the overall return of 10^3 to 10^9 wagers lies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rtp_bands: Vec<RtpBand>,
}

/// The simulated section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimulatedSection {
    /// One entry for each trigger.
    pub triggers: Vec<SimulateTrigger>,
    /// Why no rounds were watched one by one, and which checks are therefore not made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_detail: Option<String>,
}

/// A declared figure beside the exact one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TriggerDeclared {
    /// 2 or 5.
    pub trigger: u32,
    /// Key of the figure.
    pub figure: String,
    /// The declared text.
    pub declared: String,
    /// The exact figure at the same digits.
    pub exact: String,
    /// Declared less exact, where both are numbers, in the unit of the figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
    /// Where a wrong figure may come from, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// The verdict.
    pub verdict: CheckVerdict,
}

/// A section of a wheel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WheelSection {
    /// What it shows: a character, a multiplier, `eat-me`, `drink-me`, `no-win` or `additional-spin`.
    pub shows: String,
    /// Its weight; 1 for every section of a fair wheel.
    pub weight: u64,
}

/// Both wheels, clockwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wheels {
    /// The inner wheel.
    pub inner: Vec<WheelSection>,
    /// The outer wheel.
    pub outer: Vec<WheelSection>,
}

impl Wheels {
    /// The wheels of a paytable.
    #[must_use]
    pub fn new(paytable: &Paytable) -> Self {
        Self {
            inner: sections(&paytable.inner_wheel),
            outer: sections(&paytable.outer_wheel),
        }
    }
}

fn sections<S: Copy + std::fmt::Display>(wheel: &Wheel<S>) -> Vec<WheelSection> {
    wheel
        .iter()
        .map(|(section, weight)| WheelSection {
            shows: section.to_string(),
            weight,
        })
        .collect()
}

/// The first rounds of a run together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvergencePoint {
    /// Rounds from the first.
    pub rounds: u64,
    /// The sum of their meters.
    pub sum_meter: String,
}

/// What the certificate commits to of the run of one trigger: a hash tree over pieces of it,
/// whose inner nodes also commit to the sums below them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitment {
    /// 2 or 5.
    pub trigger: u32,
    /// Rounds of a leaf; the last one may have fewer.
    pub leaf_rounds: u64,
    /// Number of leaves.
    pub leaves: u64,
    /// SHA-256 at the root of the tree, hexadecimal.
    pub root: String,
    /// The run from its first round on, at some hundred ends of leaves.
    pub convergence: Vec<ConvergencePoint>,
}

/// The file beside the certificate that holds the leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
}

/// Where the overall return of many wagers on one bet lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RtpBand {
    /// 2 or 5.
    pub trigger: u32,
    /// Number of wagers on the bet.
    pub plays: u64,
    /// Probability of a return inside the band.
    pub level: f64,
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
    /// How the band was computed, and what it leaves out.
    pub method: String,
}

/// What a numeric check must be able to see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Requirement {
    /// Identifier of the check.
    pub check: String,
    /// The largest deviation that may go unseen, in words.
    pub requirement: String,
}

/// `certificate.json`: the only input of every report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// `wonderspins/certificate/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// What this document is not.
    pub statement: String,
    /// Time of creation, only where `SOURCE_DATE_EPOCH` fixes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// SHA-256 of this file with the digits of this value replaced by zeros.
    pub self_sha256: String,
    /// The verdict for the whole.
    pub verdict: CheckVerdict,
    /// Paytable.
    pub paytable: CertificatePaytable,
    /// Its wheels.
    pub wheels: Wheels,
    /// Points that the text leaves open.
    pub assumptions: Vec<Assumption>,
    /// What fixed the run.
    pub plan: Plan,
    /// One entry for each trigger, ascending.
    pub triggers: Vec<CertificateTrigger>,
    /// What the numeric checks must be able to see.
    pub requirements: Vec<Requirement>,
    /// Every check, numeric and clause.
    pub checks: Vec<Check>,
    /// Every clause, in the order of the texts.
    pub clauses: Vec<ClauseJson>,
    /// The limits of a jurisdiction or standard that it was held against, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<CertificateProfile>,
    /// Declared figures.
    pub declared: Vec<TriggerDeclared>,
    /// The exact section.
    pub exact: ExactSection,
    /// The simulated section.
    pub simulated: SimulatedSection,
    /// What is committed to of each run.
    pub commitments: Vec<Commitment>,
    /// The file with their leaves; absent where none was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side_file: Option<SideFile>,
}

impl Certificate {
    /// The bytes of `certificate.json`, the one legal form of this certificate.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        super::to_json(self).into_bytes()
    }

    /// The hash that belongs into `self_sha256`: that of the file with zeros in its place.
    ///
    /// # Panics
    /// Never: a certificate has that key.
    #[must_use]
    pub fn seal(&self) -> String {
        let text = super::to_json(self);
        let seal = Seal::of(&text).expect("a certificate has a seal");
        seal.found
    }

    /// This certificate with its own hash in place.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.self_sha256 = self.seal();
        self
    }

    /// Numbers of checks that passed, failed and could not decide.
    #[must_use]
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |verdict| {
            self.checks
                .iter()
                .filter(|check| check.verdict == verdict)
                .count()
        };
        (
            count(CheckVerdict::Pass),
            count(CheckVerdict::Fail),
            count(CheckVerdict::Inconclusive),
        )
    }
}
