//! Schema `wonderspins/explain/1`.

use serde::{Deserialize, Serialize};

use super::Tool;
use crate::regulation::{Cited, Row};

/// `check --explain CLAUSE --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainDocument {
    /// `wonderspins/explain/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// The clause asked for, in the numbering of its text.
    pub clause: String,
    /// Why it has no row of its own, where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_with: Option<String>,
    /// Its row, or those that it is judged with.
    pub rows: Vec<ExplainRow>,
}

/// One row: a clause and how it is decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainRow {
    /// Citation.
    pub clause: String,
    /// What it asks.
    pub asks: String,
    /// How it is decided.
    pub decided: String,
    /// Readings of the text that the decision rests on.
    pub readings: Vec<String>,
    /// Keys of the paytable file that it reads.
    pub keys: Vec<String>,
    /// Modules of the library that carry it.
    pub carried_by: Vec<String>,
    /// Test functions that hold it.
    pub tests: Vec<String>,
}

impl From<&Row> for ExplainRow {
    fn from(row: &Row) -> Self {
        let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        Self {
            clause: row.clause.citation().to_owned(),
            asks: row.asks.to_owned(),
            decided: row.decided.to_owned(),
            readings: owned(row.readings),
            keys: owned(row.keys),
            carried_by: owned(row.carried_by),
            tests: owned(row.tests),
        }
    }
}

impl ExplainDocument {
    /// The document of a clause.
    #[must_use]
    pub fn new(cited: &Cited) -> Self {
        Self {
            schema: "wonderspins/explain/1".to_owned(),
            tool: Tool::current(),
            clause: cited.citation.to_owned(),
            judged_with: cited.folds.map(ToOwned::to_owned),
            rows: cited.rows.iter().copied().map(Into::into).collect(),
        }
    }
}
