//! A paytable against the two source texts, clause by clause.
//!
//! Each clause is one row: what it asks, how it is decided, and on what evidence. A clause
//! is computed (the program decides it from the paytable or from how its model plays),
//! declared (the submission states it, and the statement is checked where it can be), or
//! not applicable, with the reason. Nothing passes by default: what is missing is
//! [`Inconclusive`](ClauseVerdict::Inconclusive).
//!
//! What the texts require (orders, counts, numbers) is written out here from the texts
//! themselves and never read from a paytable. This module reads paytables only: it plays
//! no round and computes no return.
//!
//! | file | holds |
//! | --- | --- |
//! | `pa_693_6` | 58 Pa. Code 693.6, the game |
//! | `order` | comparison of a wheel with a required order |
//! | `ny_5319_47` | 9 NYCRR 5319.47, bonus games |
//! | `profile` | limits of a jurisdiction or standard as data, and a paytable against them |
//! | `interaction` | the truth table of 5319.47(b) |
//! | `award` | the odds of an advertised award |
//! | `evidence` | what calculations and runs elsewhere hand over |
//! | `rows` | what each clause asks, how it is decided, by which code and tests |
//! | `reach` | the least and greatest meter and multiplier that can occur |

mod award;
mod evidence;
mod interaction;
mod ny_5319_47;
mod order;
mod pa_693_6;
mod profile;
mod reach;
mod rows;

use std::fmt;

use crate::paytable::Paytable;
use crate::rules::Clause;

pub(crate) use award::grouped;
pub use award::{advertised_award, award_is_open};
pub use evidence::{
    AWARD_LIMIT, AwardChance, Dependence, DependenceTest, Evidence, ExceededOnceIn, Payouts,
    RarePayouts, ReturnSplit,
};
pub use profile::{
    Limit, Profile, ProfileError, ProfileFile, ProfileFinding, SHIPPED, Shipped, Status,
};
pub use rows::{Cited, Row, UnknownClause, look_up, row, rows};

/// How a clause is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseKind {
    /// By the program, from the paytable or from its own model.
    Computed,
    /// By a statement of the submission, checked where it can be.
    Declared,
    /// Not at all: the clause does not concern this paytable, or no paytable.
    NotApplicable,
}

impl ClauseKind {
    /// The word in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Computed => "computed",
            Self::Declared => "declared",
            Self::NotApplicable => "not-applicable",
        }
    }
}

impl fmt::Display for ClauseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What came out for a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseVerdict {
    /// The clause is met.
    Pass,
    /// The clause is not met.
    Fail,
    /// A statement or a figure is missing, or the text leaves the point open.
    Inconclusive,
    /// The clause does not apply.
    NotApplicable,
}

impl ClauseVerdict {
    /// The word in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
            Self::NotApplicable => "not-applicable",
        }
    }
}

impl fmt::Display for ClauseVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One row: a clause and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseFinding {
    /// The clause.
    pub clause: Clause,
    /// How it is decided.
    pub kind: ClauseKind,
    /// What came out.
    pub verdict: ClauseVerdict,
    /// What the clause asks, in short.
    pub asks: &'static str,
    /// What the verdict rests on.
    pub evidence: String,
    /// What the submitter has to do or to declare before it can be decided; none where nothing
    /// is missing.
    pub to_do: Vec<String>,
}

/// Judges a paytable by every clause of both texts, in the order of the texts: 58 Pa. Code
/// 693.6 first, then 9 NYCRR 5319.47.
///
/// A paytable whose source does not cite 693.6 has a not-applicable row for each clause
/// of that text. What rests on figures, such as 5319.47(a)(8), is inconclusive here;
/// [`judge_with`] decides it.
#[must_use]
pub fn judge(paytable: &Paytable) -> Vec<ClauseFinding> {
    judge_with(paytable, &Evidence::default())
}

/// [`judge`] with what calculations and runs have found.
///
/// What the evidence lacks leaves the clauses that rest on it inconclusive.
#[must_use]
pub fn judge_with(paytable: &Paytable, evidence: &Evidence) -> Vec<ClauseFinding> {
    let mut findings = pa_693_6::judge(paytable);
    findings.extend(ny_5319_47::judge(paytable, evidence));
    findings
}

/// The verdict over several clauses: a fail if any failed, else inconclusive if any is, else
/// a pass if any passed; not applicable where nothing applies.
#[must_use]
pub fn overall(findings: &[ClauseFinding]) -> ClauseVerdict {
    [
        ClauseVerdict::Fail,
        ClauseVerdict::Inconclusive,
        ClauseVerdict::Pass,
    ]
    .into_iter()
    .find(|&verdict| findings.iter().any(|finding| finding.verdict == verdict))
    .unwrap_or(ClauseVerdict::NotApplicable)
}

/// What a rule says before the clause and its wording are attached.
struct Judgement {
    kind: ClauseKind,
    verdict: ClauseVerdict,
    evidence: String,
    to_do: Vec<String>,
}

impl Judgement {
    fn computed(verdict: ClauseVerdict, evidence: impl Into<String>) -> Self {
        Self {
            kind: ClauseKind::Computed,
            verdict,
            evidence: evidence.into(),
            to_do: Vec::new(),
        }
    }

    fn declared(verdict: ClauseVerdict, evidence: impl Into<String>) -> Self {
        Self {
            kind: ClauseKind::Declared,
            verdict,
            evidence: evidence.into(),
            to_do: Vec::new(),
        }
    }

    fn not_applicable(reason: impl Into<String>) -> Self {
        Self {
            kind: ClauseKind::NotApplicable,
            verdict: ClauseVerdict::NotApplicable,
            evidence: reason.into(),
            to_do: Vec::new(),
        }
    }

    /// Passes with its evidence where no fault was found, else fails with the faults.
    fn by_faults(faults: &[String], evidence: impl Into<String>) -> Self {
        if faults.is_empty() {
            Self::computed(ClauseVerdict::Pass, evidence)
        } else {
            Self::computed(ClauseVerdict::Fail, faults.join("; "))
        }
    }

    /// The same with what the submitter has to do.
    fn asking(mut self, to_do: impl Into<String>) -> Self {
        self.to_do.push(to_do.into());
        self
    }

    fn about(self, clause: Clause) -> ClauseFinding {
        ClauseFinding {
            clause,
            kind: self.kind,
            verdict: self.verdict,
            asks: rows::row(clause).asks,
            evidence: self.evidence,
            to_do: self.to_do,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(verdict: ClauseVerdict) -> ClauseFinding {
        Judgement::computed(verdict, "").about(Clause::A)
    }

    #[test]
    fn overall_takes_the_worst_and_never_passes_by_default() {
        use ClauseVerdict::{Fail, Inconclusive, NotApplicable, Pass};
        for (verdicts, expected) in [
            (vec![], NotApplicable),
            (vec![NotApplicable], NotApplicable),
            (vec![NotApplicable, Pass], Pass),
            (vec![Pass, Inconclusive, Pass], Inconclusive),
            (vec![Inconclusive, Fail, Pass], Fail),
        ] {
            let findings: Vec<_> = verdicts.into_iter().map(finding).collect();
            assert_eq!(overall(&findings), expected);
        }
    }
}
