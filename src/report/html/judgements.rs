//! Checks, requirements, declared figures and clauses as rows.

use std::cmp::Reverse;

use serde::Serialize;

use crate::document::{Certificate, Check, CheckVerdict, ProfileSettingJson};
use crate::report::format::{figure, level, p_value};

/// A dash where there is nothing to show.
const NONE: &str = "–";

/// A check that did not pass, for the top of the page.
#[derive(Serialize)]
pub(super) struct Open<'a> {
    anchor: String,
    name: String,
    verdict: CheckVerdict,
    evidence: &'a str,
}

/// A numeric check.
#[derive(Serialize)]
pub(super) struct CheckRow<'a> {
    anchor: String,
    id: &'a str,
    clause: &'a str,
    hypothesis: &'a str,
    evidence: &'a str,
    statistic: String,
    method: &'a str,
    p: String,
    adjusted: String,
    threshold: &'a str,
    power: String,
    requirement: String,
    verdict: CheckVerdict,
}

/// The checks of one trigger, or of the whole.
#[derive(Serialize)]
pub(super) struct CheckGroup<'a> {
    name: String,
    rows: Vec<CheckRow<'a>>,
}

/// A declared figure.
#[derive(Serialize)]
pub(super) struct DeclaredRow<'a> {
    trigger: u32,
    figure: String,
    declared: &'a str,
    exact: &'a str,
    difference: String,
    guess: Option<&'a str>,
    verdict: CheckVerdict,
}

/// A clause.
#[derive(Serialize)]
pub(super) struct ClauseRow<'a> {
    anchor: String,
    clause: &'a str,
    kind: &'a str,
    asks: &'a str,
    evidence: &'a str,
    verdict: &'a str,
}

/// A limit of a profile.
#[derive(Serialize)]
pub(super) struct LimitRow<'a> {
    name: String,
    limit: &'a str,
    status: &'a str,
    citation: &'a str,
    verdict: &'a str,
    evidence: &'a str,
}

/// The profile that the paytable was held against.
#[derive(Serialize)]
pub(super) struct ProfileView<'a> {
    name: &'a str,
    title: &'a str,
    notes: &'a str,
    sha256: &'a str,
    rows: Vec<LimitRow<'a>>,
    settings: &'a [ProfileSettingJson],
}

/// The profile, where there is one.
pub(super) fn profile(certificate: &Certificate) -> Option<ProfileView<'_>> {
    let profile = certificate.profile.as_ref()?;
    let rows = profile
        .rows
        .iter()
        .map(|row| LimitRow {
            name: row.name(),
            limit: row.limit.as_deref().unwrap_or(NONE),
            status: &row.status,
            citation: &row.citation,
            verdict: &row.verdict,
            evidence: &row.evidence,
        })
        .collect();
    Some(ProfileView {
        name: &profile.name,
        title: &profile.title,
        notes: profile.notes.trim(),
        sha256: &profile.sha256,
        rows,
        settings: &profile.settings,
    })
}

/// Whether a check stands in the table of clauses.
fn is_clause(check: &Check) -> bool {
    check.id.starts_with("clause-")
}

fn anchor(check: &Check) -> String {
    match check.trigger {
        Some(trigger) => format!("check-{trigger}-{}", check.id),
        None => format!("check-{}", check.id),
    }
}

/// Checks that failed, then those that could not decide and count against the verdict.
pub(super) fn open(certificate: &Certificate) -> Vec<Open<'_>> {
    let mut open: Vec<&Check> = certificate
        .checks
        .iter()
        .filter(|check| match check.verdict {
            CheckVerdict::Pass => false,
            CheckVerdict::Fail => true,
            CheckVerdict::Inconclusive => !is_clause(check) || certificate.plan.strict,
        })
        .collect();
    open.sort_by_key(|check| Reverse(check.verdict));
    open.into_iter()
        .map(|check| Open {
            anchor: anchor(check),
            name: match check.trigger {
                Some(trigger) => format!("{trigger} Wonderspins, {}", check.id),
                None => check.id.clone(),
            },
            verdict: check.verdict,
            evidence: &check.evidence,
        })
        .collect()
}

/// How the family of tests is kept.
pub(super) fn correction(certificate: &Certificate) -> String {
    format!(
        "Each test compares the simulation with the exact law. {} over all {} tests keeps the chance that a right \
         paytable fails any of them at or below {}.",
        certificate.plan.correction,
        certificate
            .checks
            .iter()
            .filter(|check| check.p_value.is_some())
            .count(),
        level(certificate.plan.alpha)
    )
}

/// Every check that is no clause, by trigger.
pub(super) fn checks(certificate: &Certificate) -> Vec<CheckGroup<'_>> {
    let mut groups: Vec<(Option<u32>, CheckGroup<'_>)> = Vec::new();
    for check in certificate.checks.iter().filter(|check| !is_clause(check)) {
        let row = check_row(check);
        match groups
            .iter_mut()
            .find(|(trigger, _)| *trigger == check.trigger)
        {
            Some((_, group)) => group.rows.push(row),
            None => groups.push((
                check.trigger,
                CheckGroup {
                    name: check
                        .trigger
                        .map_or("The whole paytable".to_owned(), |trigger| {
                            format!("{trigger} Wonderspins")
                        }),
                    rows: vec![row],
                },
            )),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn check_row(check: &Check) -> CheckRow<'_> {
    let power = match (&check.power, check.smallest_detectable) {
        (Some(power), _) => power.clone(),
        (None, Some(deviation)) => format!("a deviation of {}", figure(deviation, 2)),
        (None, None) => NONE.to_owned(),
    };
    CheckRow {
        anchor: anchor(check),
        id: &check.id,
        clause: &check.clause,
        hypothesis: &check.hypothesis,
        evidence: &check.evidence,
        statistic: match check.statistic {
            Some(value) if value >= f64::MAX => "beyond any".to_owned(),
            Some(value) => figure(value, 4),
            None => NONE.to_owned(),
        },
        method: check.method.as_deref().unwrap_or_default(),
        p: check.p_value.map_or(NONE.to_owned(), p_value),
        adjusted: check.p_value_adjusted.map_or(NONE.to_owned(), p_value),
        threshold: &check.threshold,
        power,
        requirement: check
            .requirement
            .map_or(String::new(), |value| figure(value, 2)),
        verdict: check.verdict,
    }
}

/// The declared figures.
pub(super) fn declared(certificate: &Certificate) -> Vec<DeclaredRow<'_>> {
    certificate
        .declared
        .iter()
        .map(|entry| DeclaredRow {
            trigger: entry.trigger,
            figure: entry.figure.replace('_', " "),
            declared: &entry.declared,
            exact: &entry.exact,
            difference: entry.difference.map_or(NONE.to_owned(), |value| {
                let text = figure(value, 3);
                if value > 0.0 {
                    format!("+{text}")
                } else {
                    text
                }
            }),
            guess: entry.guess.as_deref(),
            verdict: entry.verdict,
        })
        .collect()
}

/// The clauses, in the order of the texts.
pub(super) fn clauses(certificate: &Certificate) -> Vec<ClauseRow<'_>> {
    certificate
        .clauses
        .iter()
        .map(|clause| ClauseRow {
            anchor: format!("check-clause-{}", clause.clause),
            clause: &clause.clause,
            kind: &clause.kind,
            asks: &clause.asks,
            evidence: &clause.evidence,
            verdict: &clause.verdict,
        })
        .collect()
}
