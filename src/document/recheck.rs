//! Schema `wonderspins/verify/1`.

use serde::{Deserialize, Serialize};

use super::{CheckVerdict, Tool};

/// One thing that was checked of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecheckFinding {
    /// Identifier.
    pub id: String,
    /// The verdict.
    pub verdict: CheckVerdict,
    /// What was found, in words.
    pub evidence: String,
}

/// The chance to escape of an author who altered a share of the leaves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Escape {
    /// Share of the leaves that was altered.
    pub altered: f64,
    /// Probability that none of them was played again, at most.
    pub probability: f64,
}

/// Which leaves were played again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChallengeJson {
    /// Seed of the choice.
    pub seed: String,
    /// `drawn` from the operating system, or `given`.
    pub origin: String,
    /// Leaves of all runs.
    pub leaves: u64,
    /// Leaves played again.
    pub played: u64,
    /// Their numbers, counted through all triggers in order.
    pub chosen: Vec<u64>,
    /// What somebody who altered a share of the leaves had as a chance to escape.
    pub escape: Vec<Escape>,
}

/// What `verify` found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecheckDocument {
    /// `wonderspins/verify/1`.
    pub schema: String,
    /// The program that checked.
    pub tool: Tool,
    /// The name of the paytable, as the certificate gives it.
    pub name: String,
    /// The certificate's own hash, as it states it.
    pub certificate_sha256: String,
    /// Everything that was checked, in order.
    pub findings: Vec<RecheckFinding>,
    /// Where the seed of the runs came from.
    pub seed_origin: String,
    /// What that means for whoever relies on the certificate.
    pub seed_meaning: String,
    /// Which leaves were played again; absent where none were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<ChallengeJson>,
    /// The verdict that the certificate states, which is its own matter.
    pub certified_verdict: CheckVerdict,
    /// Whether the certificate is what its program makes of its paytable and runs.
    pub verdict: CheckVerdict,
}
