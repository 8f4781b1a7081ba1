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
use super::evidence::{Dependence, DependenceTest, Evidence, Payouts, RarePayouts};
use super::reach::{self, End, Reach};
use super::{ClauseFinding, Judgement, award, interaction, rows};

/// One finding for each leaf clause, in the order of the text.
pub(super) fn judge(paytable: &Paytable, evidence: &Evidence) -> Vec<ClauseFinding> {
    let [b, b_1, b_2, b_3] = interaction::judge(&paytable.disclosure);
    let judgements = [
        statement(paytable, Clause::NY_A1),
        a_2(paytable, evidence),
        Judgement::not_applicable(
            "the bonus occurs at random: its trigger is the outcome of the main wheel, and nothing \
             builds up towards it",
        ),
        Judgement::not_applicable(
            "the bonus needs one outcome of the main wheel, not several events or symbols",
        ),
        a_5(paytable, &evidence.dependence),
        a_6(&evidence.dependence),
        statement(paytable, Clause::NY_A7),
        a_8(paytable, evidence),
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
        None => Judgement::declared(Inconclusive, missing(clause)).asking(format!(
            "state in `[disclosure.\"{clause}\"]` how {}",
            rows::row(clause).asks
        )),
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

fn a_2(paytable: &Paytable, evidence: &Evidence) -> Judgement {
    let (mut meter, multiplier) = (reach::meter(paytable), reach::multiplier(paytable));
    if let (End::Between(..), Some(largest)) = (meter.highest, largest(paytable, &evidence.payouts))
    {
        meter.highest = End::Exactly(largest);
    }
    let mut computed = vec![format!("computed: meter {meter}, multiplier {multiplier}")];
    computed.extend(seldom(&evidence.payouts));
    let award = award::judge(paytable, evidence);
    let award_verdict = award.as_ref().map_or(Pass, |award| award.verdict);
    let mut to_do = Vec::new();
    if award.as_ref().is_some_and(|award| award.wants_odds_shown) {
        to_do.push(
            "display the odds of the top award prominently, and declare `odds_shown = true`"
                .to_owned(),
        );
    }
    match award {
        Some(award) => computed.push(award.words),
        None => computed.push("no number is advertised as the top award".to_owned()),
    }
    let Some(statement) = stated(paytable, Clause::NY_A2) else {
        let verdict = worse(Inconclusive, award_verdict);
        computed.insert(0, missing(Clause::NY_A2));
        to_do.insert(
            0,
            format!(
                "state in `[disclosure.\"{}\"]` how the ranges are shown, with `meter` and `multiplier`",
                Clause::NY_A2
            ),
        );
        return Judgement {
            to_do,
            ..Judgement::declared(verdict, computed.join("; "))
        };
    };
    let mut verdict = award_verdict;
    let mut remarks = vec![quote(statement)];
    for (name, declared, reach) in [
        ("meter", statement.meter, meter),
        ("multiplier", statement.multiplier, multiplier),
    ] {
        let Some(declared) = declared else {
            verdict = worse(verdict, Inconclusive);
            remarks.push(format!("`{name}` is not declared"));
            to_do.push(format!("declare `{name} = [lowest, highest]`"));
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
    remarks.extend(computed);
    Judgement {
        to_do,
        ..Judgement::declared(verdict, remarks.join("; "))
    }
}

/// The largest meter of all triggers, where a search found that of each.
fn largest(paytable: &Paytable, payouts: &Payouts) -> Option<u64> {
    let Payouts::Known(payouts) = payouts else {
        return None;
    };
    let of_trigger = |trigger| {
        let found = payouts.iter().find(|payouts| payouts.trigger == trigger);
        found.and_then(|payouts| payouts.largest)
    };
    let each: Option<Vec<u64>> = paytable
        .triggers
        .iter()
        .map(|terms| of_trigger(terms.trigger))
        .collect();
    each.and_then(|each| each.into_iter().max())
}

/// The payouts that rounds seldom exceed, a remark for each trigger.
fn seldom(payouts: &Payouts) -> Vec<String> {
    match payouts {
        Payouts::NotComputed(reason) => {
            vec![format!("rare payouts are not given, since {reason}")]
        }
        Payouts::Known(payouts) => payouts.iter().map(seldom_exceeded).collect(),
    }
}

fn seldom_exceeded(payouts: &RarePayouts) -> String {
    let meters: Vec<String> = payouts
        .exceeded
        .iter()
        .map(|entry| {
            let meter = match entry.upper {
                Some(upper) if upper == entry.lower => upper.to_string(),
                Some(upper) => format!("{} to {upper}", entry.lower),
                None => format!("{} or more, without a proven end", entry.lower),
            };
            format!("10^{} rounds: {meter}", entry.power)
        })
        .collect();
    format!(
        "trigger {}, meter exceeded at most once in {} (between proven bounds)",
        payouts.trigger,
        meters.join(", ")
    )
}

pub(super) fn worse(a: ClauseVerdict, b: ClauseVerdict) -> ClauseVerdict {
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

/// Who answers for the games that are really played.
const REAL: &str = "that real games keep to it is for `audit` of a log";

fn a_5(paytable: &Paytable, dependence: &Dependence) -> Judgement {
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
    let model = format!(
        "the trigger's probability is a constant ({}; `main_wheel`) and a round begins from the \
         paytable alone; the law of each draw is fixed by `starting_multipliers`, `boost`, and \
         `sections` and `weights` of both wheels, and no draw or payout changes them",
        triggers.join(", ")
    );
    let tests = match dependence {
        Dependence::NotSimulated => {
            return Judgement::computed(
                Pass,
                format!("{model}; `certify` also tests it on a simulation; {REAL}"),
            );
        }
        Dependence::NotWatched => {
            return Judgement::computed(
                Pass,
                format!(
                    "{model}; the rounds of the run were not watched, so it was not tested; {REAL}"
                ),
            );
        }
        Dependence::Tested(tests) => tests,
    };
    let verdict = tests
        .iter()
        .fold(Pass, |verdict, test| worse(verdict, test.verdict));
    let words: Vec<String> = tests.iter().map(test_words).collect();
    Judgement::computed(
        verdict,
        format!("{model}; tested: {}; {REAL}", words.join("; ")),
    )
}

fn test_words(test: &DependenceTest) -> String {
    format!(
        "{} of trigger {} {}: {}",
        test.check, test.trigger, test.verdict, test.words
    )
}

fn a_6(dependence: &Dependence) -> Judgement {
    let extra = if matches!(dependence, Dependence::Tested(_)) {
        " (an extra check, see (a)(5))"
    } else {
        ""
    };
    Judgement::not_applicable(format!(
        "no events or symbols accrue over games towards the trigger; within a round the \
         probability of each section is the same in every spin{extra}"
    ))
}

fn a_8(paytable: &Paytable, evidence: &Evidence) -> Judgement {
    let mut verdict = Pass;
    let mut remarks = Vec::new();
    for terms in &paytable.triggers {
        let trigger = terms.trigger;
        let wheel = format!("{}/{}", terms.main_wheel_sections, terms.main_wheel_of);
        let Some(split) = evidence
            .splits
            .iter()
            .find(|split| split.trigger == trigger)
        else {
            verdict = worse(verdict, Inconclusive);
            remarks.push(format!(
                "trigger {trigger}: the return of the whole wager is probability {wheel} times the gross \
                 return of the bonus, plus {} from all other outcomes; not computed here",
                terms.other_return
            ));
            continue;
        };
        let sum = format!(
            "trigger {trigger}, for each unit wagered: main wheel {wheel} times gross bonus return {} gives \
             {}, plus {} from other outcomes is {}",
            split.conditional, split.bonus, split.other, split.total
        );
        if split.adds_up {
            remarks.push(format!("{sum}; the parts add up exactly"));
        } else {
            verdict = Fail;
            remarks.push(format!("{sum}; the parts do not add up"));
        }
    }
    Judgement::computed(verdict, remarks.join("; "))
}

#[cfg(test)]
mod tests;
