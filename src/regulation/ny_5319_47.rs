//! 9 NYCRR 5319.47, bonus games: one rule for each leaf clause.
//!
//! What a player is shown cannot be read from a paytable, so most rows are declared: a
//! statement under `[disclosure]`, checked against computed numbers where it holds any. The
//! trigger is the main wheel's random outcome and nothing accrues from game to game, which
//! makes (a)(3), (a)(4) and (a)(6) inapplicable.

use std::fmt;

use crate::paytable::{DeclaredRange, Paytable, Statement};
use crate::rules::{Clause, NY_5319_47};

use super::ClauseVerdict::{self, Fail, Inconclusive, Pass};
use super::reach::{self, End, Reach};
use super::{ClauseFinding, Judgement, ReturnSplit, interaction};

/// One finding for each leaf clause, in the order of the text.
pub(super) fn judge(paytable: &Paytable, splits: &[ReturnSplit]) -> Vec<ClauseFinding> {
    let [b, b_1, b_2, b_3] = interaction::judge(&paytable.disclosure);
    let judgements = [
        statement(paytable, Clause::NY_A1),
        a_2(paytable),
        Judgement::not_applicable(
            "the bonus occurs at random: its trigger is the outcome of the main wheel, and nothing \
             builds up towards it",
        ),
        Judgement::not_applicable(
            "the bonus needs one outcome of the main wheel, not several events or symbols",
        ),
        a_5(paytable),
        Judgement::not_applicable(
            "no events or symbols accrue over games towards the trigger; within a round the \
             probability of each section is the same in every spin",
        ),
        statement(paytable, Clause::NY_A7),
        a_8(paytable, splits),
        statement(paytable, Clause::NY_A9),
        b,
        b_1,
        b_2,
        b_3,
    ];
    NY_5319_47
        .iter()
        .zip(judgements)
        .map(|(&clause, judgement)| judgement.about(clause))
        .collect()
}

/// The statement of a clause, if it says anything.
fn stated(paytable: &Paytable, clause: Clause) -> Option<&Statement> {
    paytable
        .disclosure
        .statements
        .get(clause.citation())
        .filter(|statement| !statement.text.trim().is_empty())
}

fn statement(paytable: &Paytable, clause: Clause) -> Judgement {
    match stated(paytable, clause) {
        Some(statement) => Judgement::declared(Pass, quote(statement)),
        None => Judgement::declared(Inconclusive, missing(clause)),
    }
}

fn missing(clause: Clause) -> String {
    format!("nothing is declared: `[disclosure.\"{clause}\"]` has no `text`")
}

/// A statement with where it can be seen. Its file is named, never opened.
fn quote(statement: &Statement) -> String {
    let mut parts = vec![format!("declared: {}", statement.text.trim())];
    parts.extend(statement.file.iter().map(|file| format!("file {file}")));
    parts.extend(statement.page.map(|page| format!("page {page}")));
    parts.extend(statement.sha256.iter().map(|hash| format!("sha256 {hash}")));
    parts.join("; ")
}

fn a_2(paytable: &Paytable) -> Judgement {
    let (meter, multiplier) = (reach::meter(paytable), reach::multiplier(paytable));
    let computed = format!("computed: meter {meter}, multiplier {multiplier}");
    let Some(statement) = stated(paytable, Clause::NY_A2) else {
        let missing = missing(Clause::NY_A2);
        return Judgement::declared(Inconclusive, format!("{missing}; {computed}"));
    };
    let mut verdict = Pass;
    let mut remarks = vec![quote(statement)];
    for (name, declared, reach) in [
        ("meter", statement.meter, meter),
        ("multiplier", statement.multiplier, multiplier),
    ] {
        let Some(declared) = declared else {
            verdict = worse(verdict, Inconclusive);
            remarks.push(format!("`{name}` is not declared"));
            continue;
        };
        for (end, declared, computed) in [
            ("lowest", Some(declared.lowest), reach.lowest),
            ("highest", declared.highest, reach.highest),
        ] {
            let found = compare(declared, computed);
            if found != Pass {
                remarks.push(format!(
                    "`{name}` {end}: declared {}, computed {computed}",
                    shown(declared)
                ));
            }
            verdict = worse(verdict, found);
        }
        remarks.push(format!("declared {name} {}", Shown(declared)));
    }
    remarks.push(computed);
    Judgement::declared(verdict, remarks.join("; "))
}

fn worse(a: ClauseVerdict, b: ClauseVerdict) -> ClauseVerdict {
    match (a, b) {
        (Fail, _) | (_, Fail) => Fail,
        (Inconclusive, _) | (_, Inconclusive) => Inconclusive,
        _ => Pass,
    }
}

/// One declared end (`None`: unbounded) against the computed one.
fn compare(declared: Option<u64>, computed: End) -> ClauseVerdict {
    let met = |met: bool| if met { Pass } else { Fail };
    match (declared, computed) {
        (None, End::Unbounded) => Pass,
        (Some(declared), End::Exactly(value)) => met(declared == value),
        (Some(declared), End::Between(least, most)) => {
            if declared < least || most.is_some_and(|most| declared > most) {
                Fail
            } else {
                Inconclusive
            }
        }
        (None, End::Between(_, None)) => Inconclusive,
        (None, _) | (Some(_), End::Unbounded) => Fail,
    }
}

fn shown(end: Option<u64>) -> String {
    end.map_or_else(|| "unbounded".to_owned(), |value| value.to_string())
}

/// A declared range in words.
struct Shown(DeclaredRange);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.0.lowest, shown(self.0.highest))
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(value) => value.fmt(f),
            Self::Unbounded => f.write_str("unbounded"),
            Self::Between(least, Some(most)) => write!(f, "(between {least} and {most})"),
            Self::Between(least, None) => write!(f, "(at least {least})"),
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.lowest, self.highest)
    }
}

fn a_5(paytable: &Paytable) -> Judgement {
    let triggers: Vec<String> = paytable
        .triggers
        .iter()
        .map(|terms| {
            format!(
                "{}/{} for trigger {}",
                terms.main_wheel_sections, terms.main_wheel_of, terms.trigger
            )
        })
        .collect();
    Judgement::computed(
        Pass,
        format!(
            "the trigger's probability is a constant ({}) and a round begins from the paytable alone; \
             nothing of an earlier game enters the model. That real games keep to it is for `audit` \
             of a log",
            triggers.join(", ")
        ),
    )
}

fn a_8(paytable: &Paytable, splits: &[ReturnSplit]) -> Judgement {
    let mut verdict = Pass;
    let mut remarks = Vec::new();
    for terms in &paytable.triggers {
        let trigger = terms.trigger;
        let Some(split) = splits.iter().find(|split| split.trigger == trigger) else {
            verdict = worse(verdict, Inconclusive);
            remarks.push(format!(
                "trigger {trigger}: the return of the whole wager is probability {}/{} times the gross \
                 return of the bonus, plus {} from all other outcomes; not computed here",
                terms.main_wheel_sections, terms.main_wheel_of, terms.other_return
            ));
            continue;
        };
        let sum = format!(
            "trigger {trigger}: bonus {} + other outcomes {} = {} for each unit wagered",
            split.bonus, split.other, split.total
        );
        if split.adds_up {
            remarks.push(sum);
        } else {
            verdict = Fail;
            remarks.push(format!("{sum} does not add up"));
        }
    }
    Judgement::computed(verdict, remarks.join("; "))
}

#[cfg(test)]
mod tests;
