//! The numeric checks, the declared figures and the clauses.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::sheet::{Look, Sheet, Styles, column_range, verdict_look};
use crate::document::{Certificate, CertificateProfile};

pub(super) const CHECKS: &str = "Checks";
pub(super) const CLAUSES: &str = "Clauses";
const FIRST: u32 = 4;
/// Column of the verdict on both sheets.
const VERDICT: u16 = 3;

/// Ranges of the cells with verdicts, on other sheets, for counting.
pub(super) struct Tallies {
    checks: String,
    clauses: String,
}

impl Tallies {
    /// A formula that counts a verdict over all checks.
    pub(super) fn count(&self, verdict: &str) -> String {
        format!(
            "=COUNTIF('{CHECKS}'!{},\"{verdict}\")+COUNTIF('{CLAUSES}'!{},\"{verdict}\")",
            self.checks, self.clauses
        )
    }
}

pub(super) fn sheets(
    styles: &Styles,
    certificate: &Certificate,
) -> Result<(Vec<Worksheet>, Tallies), XlsxError> {
    let (checks, last_check) = numeric(styles, certificate)?;
    let (clauses, last_clause) = clauses(styles, certificate)?;
    let mut sheets = vec![checks, declared(styles, certificate)?, clauses];
    if let Some(of_profile) = &certificate.profile {
        sheets.push(profile(styles, of_profile)?);
    }
    Ok((
        sheets,
        Tallies {
            checks: column_range(VERDICT, FIRST, last_check),
            clauses: column_range(VERDICT, FIRST, last_clause),
        },
    ))
}

/// The sheet and the last row with a verdict.
fn numeric(styles: &Styles, certificate: &Certificate) -> Result<(Worksheet, u32), XlsxError> {
    let mut sheet = Sheet::new(
        CHECKS,
        styles,
        &[
            8.0, 20.0, 15.0, 13.0, 30.0, 10.0, 24.0, 11.0, 11.0, 15.0, 11.0, 12.0, 26.0, 30.0,
        ],
    )?;
    sheet.text(0, 0, "Checks", Look::Title)?;
    let plan = &certificate.plan;
    sheet.spread(
        1,
        (0, 13),
        &format!(
            "Each line with a p-value tests the simulation against the exact figure. {} keeps the chance that a right \
             paytable fails any of them at or below {}. \"Smallest deviation seen\" is the error that this run would have shown with \
             probability 0.8, and the requirement is the largest that may go unseen.",
            plan.correction,
            super::super::format::level(plan.alpha)
        ),
        Look::Note,
    )?;
    sheet.header(
        FIRST - 1,
        0,
        &[
            "Trigger",
            "Check",
            "Clause",
            "Verdict",
            "Hypothesis",
            "Statistic",
            "What it is",
            "p",
            "p, corrected",
            "Measured against",
            "Smallest deviation seen",
            "Requirement",
            "Power",
            "Evidence",
        ],
    )?;
    let mut row = FIRST;
    // The clauses have a sheet of their own.
    for check in certificate
        .checks
        .iter()
        .filter(|check| !check.id.starts_with("clause-"))
    {
        let trigger = check.trigger.map(|trigger| trigger.to_string());
        sheet.text(row, 0, trigger.as_deref().unwrap_or("all"), Look::Text)?;
        sheet.text(row, 1, &check.id, Look::Text)?;
        sheet.text(row, 2, &check.clause, Look::Text)?;
        sheet.verdict(row, VERDICT, check.verdict)?;
        sheet.text(row, 4, &check.hypothesis, Look::Text)?;
        for (column, value, look) in [
            (5, check.statistic, Look::Short),
            (7, check.p_value, Look::Small),
            (8, check.p_value_adjusted, Look::Small),
            (10, check.smallest_detectable, Look::Small),
            (11, check.requirement, Look::Small),
        ] {
            match value {
                Some(value) => sheet.number(row, column, value, look)?,
                None => sheet.text(row, column, "–", Look::Count)?,
            }
        }
        sheet.text(row, 6, check.method.as_deref().unwrap_or("–"), Look::Inset)?;
        sheet.text(row, 9, &check.threshold, Look::Inset)?;
        sheet.text(row, 12, check.power.as_deref().unwrap_or("–"), Look::Inset)?;
        sheet.text(row, 13, &check.evidence, Look::Text)?;
        row += 1;
    }
    let last = row.max(FIRST + 1) - 1;
    sheet.freeze(FIRST, 2)?;
    sheet.repeat(FIRST - 1, FIRST - 1)?;
    if !certificate.requirements.is_empty() {
        row += 1;
        sheet.text(row, 0, "What each check must be able to see", Look::Heading)?;
        for requirement in &certificate.requirements {
            row += 1;
            sheet.text(row, 1, &requirement.check, Look::Text)?;
            sheet.spread(row, (2, 13), &requirement.requirement, Look::Text)?;
        }
    }
    Ok((sheet.finish(true)?, last))
}

fn declared(styles: &Styles, certificate: &Certificate) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new(
        "Declared",
        styles,
        &[9.0, 20.0, 24.0, 24.0, 16.0, 13.0, 60.0],
    )?;
    sheet.text(0, 0, "Declared figures", Look::Title)?;
    let note = if certificate.declared.is_empty() {
        "The paytable declares no figure."
    } else {
        "Each declared figure is compared with the exact one at the digits that were declared."
    };
    sheet.spread(1, (0, 6), note, Look::Note)?;
    if certificate.declared.is_empty() {
        return sheet.finish(true);
    }
    sheet.header(
        FIRST - 1,
        0,
        &[
            "Trigger",
            "Figure",
            "Declared",
            "Exact at the same digits",
            "Declared less exact",
            "Verdict",
            "Where it may come from",
        ],
    )?;
    for (row, figure) in (FIRST..).zip(&certificate.declared) {
        sheet.text(row, 0, &figure.trigger.to_string(), Look::Text)?;
        sheet.text(row, 1, &figure.figure, Look::Text)?;
        sheet.text(row, 2, &figure.declared, Look::Count)?;
        sheet.text(row, 3, &figure.exact, Look::Count)?;
        match figure.difference {
            Some(difference) => sheet.number(row, 4, difference, Look::Small)?,
            None => sheet.text(row, 4, "–", Look::Count)?,
        }
        sheet.verdict(row, 5, figure.verdict)?;
        sheet.text(row, 6, figure.guess.as_deref().unwrap_or("–"), Look::Text)?;
    }
    sheet.freeze(FIRST, 0)?;
    sheet.repeat(FIRST - 1, FIRST - 1)?;
    sheet.finish(true)
}

/// The limits of a profile and the settings that it can give.
fn profile(styles: &Styles, profile: &CertificateProfile) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new("Profile", styles, &[30.0, 18.0, 34.0, 15.0, 76.0])?;
    let title = format!("Profile {}: {}", profile.name, profile.title);
    sheet.text(0, 0, &title, Look::Title)?;
    let hash = format!(
        "SHA-256 {}; the text is in the certificate.",
        profile.sha256
    );
    sheet.spread(1, (0, 4), &hash, Look::Note)?;
    sheet.header(
        FIRST - 1,
        0,
        &["Limit", "Value", "Source", "Verdict", "Evidence"],
    )?;
    let mut row = FIRST;
    for limit in &profile.rows {
        let source = format!("{} ({})", limit.citation, limit.status);
        sheet.text(row, 0, &limit.name(), Look::Text)?;
        sheet.text(row, 1, limit.limit.as_deref().unwrap_or("–"), Look::Text)?;
        sheet.text(row, 2, &source, Look::Text)?;
        sheet.text(row, VERDICT, &limit.verdict, verdict_look(&limit.verdict))?;
        sheet.text(row, 4, &limit.evidence, Look::Text)?;
        row += 1;
    }
    for setting in &profile.settings {
        let source = format!("{} ({})", setting.citation, setting.status);
        sheet.text(row, 0, &setting.key, Look::Text)?;
        sheet.text(row, 1, &setting.value, Look::Text)?;
        sheet.text(row, 2, &source, Look::Text)?;
        let from = format!("used here from: {}", setting.from);
        sheet.text(row, 4, &from, Look::Text)?;
        row += 1;
    }
    sheet.freeze(FIRST, 1)?;
    sheet.repeat(FIRST - 1, FIRST - 1)?;
    sheet.finish(true)
}

/// The sheet and the last row with a verdict.
fn clauses(styles: &Styles, certificate: &Certificate) -> Result<(Worksheet, u32), XlsxError> {
    let mut sheet = Sheet::new(CLAUSES, styles, &[20.0, 46.0, 15.0, 15.0, 76.0])?;
    sheet.text(0, 0, "The text, clause by clause", Look::Title)?;
    sheet.spread(
        1,
        (0, 4),
        if certificate.plan.strict {
            "A clause that waits for a declaration counts against the verdict."
        } else {
            "A clause that waits for a declaration is inconclusive and does not count against the verdict."
        },
        Look::Note,
    )?;
    sheet.header(
        FIRST - 1,
        0,
        &["Clause", "What it asks", "Kind", "Verdict", "Evidence"],
    )?;
    let mut last = FIRST;
    for (row, clause) in (FIRST..).zip(&certificate.clauses) {
        sheet.text(row, 0, &clause.clause, Look::Text)?;
        sheet.text(row, 1, &clause.asks, Look::Text)?;
        sheet.text(row, 2, &clause.kind, Look::Text)?;
        sheet.text(row, VERDICT, &clause.verdict, verdict_look(&clause.verdict))?;
        sheet.text(row, 4, &clause.evidence, Look::Text)?;
        last = row;
    }
    sheet.freeze(FIRST, 1)?;
    sheet.repeat(FIRST - 1, FIRST - 1)?;
    Ok((sheet.finish(true)?, last))
}
