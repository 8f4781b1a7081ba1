//! What the run commits to: bands of the return, the running mean, the hash trees.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::figures::Place;
use super::sheet::{Look, Sheet, Styles, approximate, at};
use crate::document::Certificate;

/// Two-sided normal quantile of the band around the running mean, and its level.
const QUANTILE: f64 = 2.575_829_303_548_901;
const LEVEL: &str = "99 %";

/// The sheets for which the certificate has something.
pub(super) fn sheets(
    styles: &Styles,
    certificate: &Certificate,
    places: &[Place],
) -> Result<Vec<Worksheet>, XlsxError> {
    let mut sheets = Vec::new();
    if !certificate.exact.rtp_bands.is_empty() {
        sheets.push(bands(styles, certificate)?);
    }
    if !certificate.commitments.is_empty() {
        sheets.push(convergence(styles, certificate, places)?);
    }
    Ok(sheets)
}

fn bands(styles: &Styles, certificate: &Certificate) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new("RTP bands", styles, &[9.0, 20.0, 10.0, 18.0, 18.0, 60.0])?;
    sheet.text(0, 0, "Return of many wagers", Look::Title)?;
    sheet.spread(
        1,
        (0, 5),
        "The overall return of so many wagers on one bet lies in the band with the probability stated.",
        Look::Note,
    )?;
    sheet.header(
        3,
        0,
        &["Trigger", "Wagers", "Level", "RTP from", "to", "How"],
    )?;
    for (row, band) in (4..).zip(&certificate.exact.rtp_bands) {
        sheet.text(row, 0, &band.trigger.to_string(), Look::Text)?;
        sheet.count(row, 1, &band.plays.to_string())?;
        sheet.text(
            row,
            2,
            &super::super::format::level(band.level),
            Look::Count,
        )?;
        sheet.number(row, 3, band.lower, Look::Percent)?;
        sheet.number(row, 4, band.upper, Look::Percent)?;
        sheet.text(row, 5, &band.method, Look::Inset)?;
    }
    sheet.freeze(4, 2)?;
    sheet.repeat(3, 3)?;
    sheet.finish(false)
}

fn convergence(
    styles: &Styles,
    certificate: &Certificate,
    places: &[Place],
) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new("Run", styles, &[20.0, 24.0, 18.0, 18.0, 18.0, 18.0])?;
    sheet.text(0, 0, "The run, from its first round on", Look::Title)?;
    sheet.spread(
        1,
        (0, 5),
        &format!(
            "The band is the exact mean and {QUANTILE} exact standard errors on either side, {LEVEL} at each number of rounds taken alone."
        ),
        Look::Note,
    )?;
    let mut row = 3;
    for commitment in &certificate.commitments {
        sheet.text(
            row,
            0,
            &format!("{} Wonderspins", commitment.trigger),
            Look::Heading,
        )?;
        for (name, value) in [
            ("Leaves", commitment.leaves.to_string()),
            ("Rounds of a leaf", commitment.leaf_rounds.to_string()),
        ] {
            row += 1;
            sheet.text(row, 0, name, Look::Label)?;
            sheet.count(row, 1, &value)?;
        }
        row += 1;
        sheet.text(row, 0, "Root of the tree", Look::Label)?;
        sheet.spread(row, (1, 5), &commitment.root, Look::Code)?;
        row += 1;
        let Some(place) = places
            .iter()
            .find(|place| place.trigger == commitment.trigger)
        else {
            continue;
        };
        sheet.header(
            row,
            0,
            &[
                "Rounds",
                "Sum of meters (wagers)",
                "Running mean (wagers)",
                "Exact mean (wagers)",
                "Band from (wagers)",
                "to (wagers)",
            ],
        )?;
        for point in &commitment.convergence {
            row += 1;
            let rounds = approximate(&point.rounds.to_string());
            if rounds <= 0.0 {
                continue;
            }
            sheet.count(row, 0, &point.rounds.to_string())?;
            sheet.count(row, 1, &point.sum_meter)?;
            sheet.formula(
                row,
                2,
                &format!("={}/{}", at(row, 1), at(row, 0)),
                approximate(&point.sum_meter) / rounds,
                Look::Figure,
            )?;
            sheet.formula(
                row,
                3,
                &format!("={}", place.mean.0),
                place.mean.1,
                Look::Figure,
            )?;
            let half = QUANTILE * place.std_dev.1 / rounds.sqrt();
            for (column, sign, value) in
                [(4, '-', place.mean.1 - half), (5, '+', place.mean.1 + half)]
            {
                sheet.formula(
                    row,
                    column,
                    &format!(
                        "={}{sign}{QUANTILE}*{}/SQRT({})",
                        at(row, 3),
                        place.std_dev.0,
                        at(row, 0)
                    ),
                    value,
                    Look::Figure,
                )?;
            }
        }
        row += 2;
    }
    sheet.finish(false)
}
