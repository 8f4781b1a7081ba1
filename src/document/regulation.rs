//! Schema `wonderspins/check/1`.

use serde::{Deserialize, Serialize};

use super::{PaytableId, ProfileJson, Tool};
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
    /// The limits of a jurisdiction or standard, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileJson>,
    /// What the submitter has to do before everything can be decided, in the order of the texts.
    pub to_do: Vec<ToDoJson>,
    /// The verdict for the whole: `pass`, `fail` or `inconclusive`.
    pub verdict: String,
}

/// Something that is left to the submitter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToDoJson {
    /// The clauses that wait for it.
    pub clauses: Vec<String>,
    /// What it is.
    pub what: String,
}

/// What findings leave to the submitter, equal things once.
fn to_do(findings: &[ClauseFinding]) -> Vec<ToDoJson> {
    let mut list: Vec<ToDoJson> = Vec::new();
    for finding in findings {
        let clause = finding.clause.citation().to_owned();
        for what in &finding.to_do {
            match list.iter_mut().find(|entry| entry.what == *what) {
                Some(entry) => entry.clauses.push(clause.clone()),
                None => list.push(ToDoJson {
                    clauses: vec![clause.clone()],
                    what: what.clone(),
                }),
            }
        }
    }
    list
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
            profile: None,
            to_do: to_do(findings),
            verdict: crate::regulation::overall(findings).to_string(),
        }
    }
}
