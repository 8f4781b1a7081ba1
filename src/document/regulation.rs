//! Schema `wonderspins/check/1`.

use serde::{Deserialize, Serialize};

use super::{PaytableId, Tool};
use crate::paytable::PaytableFile;
use crate::regulation::ClauseFinding;

/// The finding on one clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseJson {
    /// Citation.
    pub clause: String,
    /// `computed`, `declared` or `not-applicable`.
    pub kind: String,
    /// `pass`, `fail`, `inconclusive` or `not-applicable`.
    pub verdict: String,
    /// What the clause asks, in short.
    pub asks: String,
    /// What the verdict rests on.
    pub evidence: String,
}

impl From<&ClauseFinding> for ClauseJson {
    fn from(finding: &ClauseFinding) -> Self {
        Self {
            clause: finding.clause.citation().to_owned(),
            kind: finding.kind.to_string(),
            verdict: finding.verdict.to_string(),
            asks: finding.asks.to_owned(),
            evidence: finding.evidence.clone(),
        }
    }
}

/// `check --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckDocument {
    /// `wonderspins/check/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// The triggers of the paytable.
    pub triggers: Vec<CheckTrigger>,
    /// Every clause, in the order of the texts.
    pub clauses: Vec<ClauseJson>,
    /// The verdict for the whole: `pass`, `fail` or `inconclusive`.
    pub verdict: String,
}

/// A trigger that the file has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckTrigger {
    /// 2 or 5.
    pub trigger: u32,
}

impl CheckDocument {
    /// The document of the given findings.
    #[must_use]
    pub fn new(file: &PaytableFile, findings: &[ClauseFinding]) -> Self {
        Self {
            schema: "wonderspins/check/1".to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            triggers: file
                .paytable
                .triggers
                .iter()
                .map(|terms| CheckTrigger {
                    trigger: terms.trigger.number(),
                })
                .collect(),
            clauses: findings.iter().map(Into::into).collect(),
            verdict: crate::regulation::overall(findings).to_string(),
        }
    }
}
