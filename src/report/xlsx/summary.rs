//! The first sheet: verdict, assumptions, return, and what fixed the run; and the paytable.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::super::format::{grouped, level};
use super::checks::Tallies;
use super::figures::Place;
use super::sheet::{Look, Sheet, Styles, approximate, verdict_look};
use crate::document::Certificate;

/// Width of the second column in characters.
const WIDE: f64 = 84.0;

pub(super) fn sheet(
    styles: &Styles,
    certificate: &Certificate,
    places: &[Place],
    tallies: &Tallies,
) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new("Summary", styles, &[48.0, WIDE])?;
    sheet.text(0, 0, "PAR sheet", Look::Title)?;
    sheet.spread(1, (0, 1), &certificate.paytable.name, Look::Heading)?;
    let mut row = 3;
    let mut line = |sheet: &mut Sheet<'_>, name: &str, value: &str, look: Look| {
        sheet.text(row, 0, name, Look::Label)?;
        sheet.text(row, 1, value, look)?;
        row += 1;
        Ok::<u32, XlsxError>(row)
    };
    line(
        &mut sheet,
        "Verdict",
        &certificate.verdict.word().to_uppercase(),
        verdict_look(certificate.verdict.word()),
    )?;
    for trigger in &certificate.triggers {
        line(
            &mut sheet,
            &format!("Numeric checks, {} Wonderspins", trigger.trigger),
            trigger.verdict.word(),
            verdict_look(trigger.verdict.word()),
        )?;
    }
    let mut row = line(
        &mut sheet,
        "What this is not",
        &certificate.statement,
        Look::Text,
    )?;
    let (passed, failed, open) = certificate.counts();
    for (name, verdict, count) in [
        ("Checks and clauses passed", "pass", passed),
        ("failed", "fail", failed),
        ("that could not decide", "inconclusive", open),
    ] {
        sheet.text(row, 0, name, Look::Label)?;
        sheet.formula(
            row,
            1,
            &tallies.count(verdict),
            approximate(&count.to_string()),
            Look::Count,
        )?;
        row += 1;
    }

    row += 1;
    sheet.text(row, 0, "What was assumed", Look::Heading)?;
    row += 1;
    sheet.spread(
        row,
        (0, 1),
        "The text of the regulation leaves these points open; every figure rests on them.",
        Look::Note,
    )?;
    row += 1;
    sheet.header(row, 0, &["Clause", "As read here"])?;
    for assumption in &certificate.assumptions {
        row += 1;
        sheet.text(row, 0, &assumption.clause, Look::Text)?;
        sheet.text(
            row,
            1,
            &format!("{} ({})", assumption.reading, assumption.key),
            Look::Text,
        )?;
    }
    if !certificate.paytable.notes.trim().is_empty() {
        row += 1;
        sheet.text(row, 0, "Notes of the paytable", Look::Text)?;
        sheet.text(row, 1, certificate.paytable.notes.trim(), Look::Text)?;
    }

    row += 2;
    row = returns(&mut sheet, row, places)?;
    row += 1;
    row = repeat(&mut sheet, row, certificate)?;
    contents(&mut sheet, row + 1, certificate)?;
    sheet.finish(false)
}

fn returns(sheet: &mut Sheet<'_>, row: u32, places: &[Place]) -> Result<u32, XlsxError> {
    sheet.text(row, 0, "Figures at a glance", Look::Heading)?;
    let mut row = row + 1;
    sheet.spread(
        row,
        (0, 1),
        "Exact; RTP is gross, over every outcome of the main wheel. Each is built up on the sheet Figures.",
        Look::Note,
    )?;
    for place in places {
        for (name, (reference, value), look) in [
            ("overall RTP", &place.rtp, Look::Percent),
            ("mean meter (wagers)", &place.mean, Look::Figure),
            ("standard deviation (wagers)", &place.std_dev, Look::Figure),
            ("hit frequency", &place.hit_frequency, Look::Percent),
            ("volatility index (wagers)", &place.volatility, Look::Figure),
        ] {
            row += 1;
            sheet.text(
                row,
                0,
                &format!("{} Wonderspins: {name}", place.trigger),
                Look::Label,
            )?;
            sheet.formula(row, 1, &format!("={reference}"), *value, look)?;
        }
    }
    Ok(row + 1)
}

/// What somebody needs to repeat the run; returns the row after it.
fn repeat(sheet: &mut Sheet<'_>, row: u32, certificate: &Certificate) -> Result<u32, XlsxError> {
    let plan = &certificate.plan;
    let mut lines = vec![
        ("Source".to_owned(), certificate.paytable.source.clone()),
        (
            "Paytable SHA-256, canonical form".to_owned(),
            certificate.paytable.sha256.clone(),
        ),
        (
            "Paytable SHA-256, file".to_owned(),
            certificate.paytable.file_sha256.clone(),
        ),
        ("Seed".to_owned(), plan.seed.clone()),
        ("Origin of the seed".to_owned(), plan.seed_origin.clone()),
        (
            "Rounds for each trigger".to_owned(),
            grouped(&plan.rounds.to_string()),
        ),
        (
            "Rounds of a batch".to_owned(),
            grouped(&plan.batch_rounds.to_string()),
        ),
        (
            "Generator".to_owned(),
            format!(
                "{}, specification of streams version {}",
                plan.generator, plan.engine_specification
            ),
        ),
        (
            "Confidence level of intervals".to_owned(),
            level(plan.confidence_level),
        ),
        (
            "Family-wise error rate".to_owned(),
            format!("{}, {}", level(plan.alpha), plan.correction),
        ),
        (
            "Program".to_owned(),
            format!(
                "{} {} ({})",
                certificate.tool.name, certificate.tool.version, certificate.tool.commit
            ),
        ),
    ];
    for trigger in &certificate.simulated.triggers {
        lines.push((
            format!("Digest, {} Wonderspins", trigger.trigger),
            trigger.digest.clone(),
        ));
    }
    if let Some(created) = &certificate.created {
        lines.push(("Created".to_owned(), created.clone()));
    }
    if !certificate.self_sha256.is_empty() {
        lines.push((
            "Certificate SHA-256 (self_sha256)".to_owned(),
            certificate.self_sha256.clone(),
        ));
    }
    if let Some(file) = &certificate.side_file {
        lines.push((
            format!("{}, {} bytes", file.name, grouped(&file.bytes.to_string())),
            file.sha256.clone(),
        ));
    }
    sheet.text(row, 0, "To repeat this run", Look::Heading)?;
    let mut row = row + 1;
    for (name, value) in lines {
        sheet.text(row, 0, &name, Look::Label)?;
        sheet.text(row, 1, &value, Look::Text)?;
        row += 1;
    }
    Ok(row)
}

fn contents(sheet: &mut Sheet<'_>, row: u32, certificate: &Certificate) -> Result<(), XlsxError> {
    sheet.text(row, 0, "Sheets of this workbook", Look::Heading)?;
    let mut lines = vec![
        (
            "Figures",
            "exact against simulated; the return, step by step",
        ),
        (
            "Wheels",
            "every section with its weight, its probability and what was counted",
        ),
        (
            "Moments",
            "for each trigger: mean, variance and return of the payouts by formula, and charts",
        ),
        (
            "Payouts",
            "for each trigger: the payout distribution, exact and simulated",
        ),
        ("Spins", "for each trigger: the number of spins of a round"),
        (
            "Contributions",
            "for each trigger: where the mean meter comes from",
        ),
        (
            "Checks",
            "each numeric check with its statistic, p-value and power",
        ),
        (
            "Declared",
            "the submission's own figures against the exact ones",
        ),
        (
            "Clauses",
            "each clause of the text with its verdict and evidence",
        ),
    ];
    if !certificate.exact.rtp_bands.is_empty() {
        lines.push(("RTP bands", "where the return of many wagers lies"));
    }
    if !certificate.commitments.is_empty() {
        lines.push((
            "Run",
            "the running mean, and what the certificate commits to",
        ));
    }
    lines.push(("Paytable", "the paytable file as it was read"));
    for (row, (name, what)) in (row + 1..).zip(lines) {
        sheet.text(row, 0, name, Look::Label)?;
        sheet.text(row, 1, what, Look::Text)?;
    }
    Ok(())
}

/// The paytable, line by line.
pub(super) fn paytable(styles: &Styles, certificate: &Certificate) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new("Paytable", styles, &[6.0, 110.0])?;
    sheet.text(0, 0, "The paytable as it was read", Look::Title)?;
    sheet.header(2, 0, &["Line", "Text"])?;
    for (index, (row, text)) in (3..).zip(certificate.paytable.text.lines()).enumerate() {
        sheet.index(row, 0, index + 1)?;
        sheet.text(row, 1, text, Look::Code)?;
    }
    sheet.freeze(3, 0)?;
    sheet.repeat(2, 2)?;
    sheet.finish(false)
}
