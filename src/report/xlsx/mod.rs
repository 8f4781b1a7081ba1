//! `par-sheet.xlsx`: the PAR sheet with formulas that a reader checks by hand.
//!
//! Every formula carries the value that it has, so a reader that does not calculate shows the
//! same figures; those values are the only arithmetic of a report. Whole numbers above
//! 2^53 and fractions are text, since a spreadsheet would round them.
//!
//! | file | sheets |
//! | --- | --- |
//! | `summary` | Summary, Paytable |
//! | `figures` | Figures: exact against simulated, and the return step by step |
//! | `payouts` | one for each trigger: the payout distribution |
//! | `moments` | one for each trigger: its moments and the return, by formula |
//! | `charts` | drawn on that sheet |
//! | `spins` | one for each trigger: the number of spins |
//! | `wheels` | both wheels, section by section |
//! | `contributions` | where the mean meter comes from |
//! | `checks` | Checks, Declared, Clauses |
//! | `run` | RTP bands, convergence and commitment, where the certificate has them |
//! | `sheet` | styles and the print set-up |

mod charts;
mod checks;
mod contributions;
mod figures;
mod moments;
mod payouts;
mod run;
mod sheet;
mod spins;
mod summary;
mod wheels;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, Worksheet, XlsxError};

use super::{ReportError, ReportFile, ReportWriter};
use crate::document::{Certificate, ExactTrigger, SimulateTrigger};
use sheet::Styles;

/// File name in the certificate's folder.
const NAME: &str = "par-sheet.xlsx";

/// Rows of a worksheet in this format.
pub const SHEET_ROWS: u32 = 1_048_576;

pub(super) struct Xlsx;

impl ReportWriter for Xlsx {
    fn name(&self) -> &'static str {
        "xlsx"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        Ok(vec![ReportFile {
            name: NAME.to_owned(),
            bytes: par_sheet(certificate, SHEET_ROWS)?,
        }])
    }
}

/// A trigger with both of its sides.
struct Sides<'a> {
    exact: &'a ExactTrigger,
    simulated: &'a SimulateTrigger,
}

fn sides(certificate: &Certificate) -> Vec<Sides<'_>> {
    certificate
        .exact
        .triggers
        .iter()
        .zip(&certificate.simulated.triggers)
        .map(|(exact, simulated)| Sides { exact, simulated })
        .collect()
}

/// The bytes of a PAR sheet.
///
/// # Arguments
/// - `sheet_rows`: rows that a sheet may have, [`SHEET_ROWS`] in this format; meters beyond it
///   are summed in one row, which says so
///
/// # Determinism
/// The same certificate gives the same bytes: the time of creation is that of the certificate,
/// or a fixed day.
///
/// # Errors
/// [`ReportError::Xlsx`]: the workbook cannot be written
pub fn par_sheet(certificate: &Certificate, sheet_rows: u32) -> Result<Vec<u8>, ReportError> {
    Ok(workbook(certificate, sheet_rows)?)
}

fn workbook(certificate: &Certificate, sheet_rows: u32) -> Result<Vec<u8>, XlsxError> {
    let styles = Styles::new();
    let sides = sides(certificate);
    let (figures, places) = figures::sheet(&styles, &sides)?;
    let (checks, tallies) = checks::sheets(&styles, certificate)?;
    let mut sheets: Vec<Worksheet> = vec![
        summary::sheet(&styles, certificate, &places, &tallies)?,
        figures,
    ];
    sheets.push(wheels::sheet(&styles, certificate)?);
    for (side, place) in sides.iter().zip(&places) {
        let (payouts, table) = payouts::sheet(&styles, certificate, side, sheet_rows)?;
        sheets.push(moments::sheet(&styles, side, place, &table)?);
        sheets.push(payouts);
    }
    for side in &sides {
        sheets.push(spins::sheet(&styles, side)?);
    }
    for side in &sides {
        sheets.push(contributions::sheet(&styles, side)?);
    }
    sheets.extend(checks);
    sheets.extend(run::sheets(&styles, certificate, &places)?);
    sheets.push(summary::paytable(&styles, certificate)?);

    let mut workbook = Workbook::new();
    workbook.set_properties(
        &DocProperties::new()
            .set_title(format!("PAR sheet: {}", certificate.paytable.name))
            .set_subject(&certificate.paytable.source)
            .set_author(format!(
                "{} {}",
                certificate.tool.name, certificate.tool.version
            ))
            .set_comment(&certificate.statement)
            .set_creation_datetime(&created(certificate)?),
    );
    for sheet in sheets {
        workbook.push_worksheet(sheet);
    }
    workbook.save_to_buffer()
}

/// The time of creation that the certificate states; without one the first day that the
/// format knows well, since the clock must not enter.
fn created(certificate: &Certificate) -> Result<ExcelDateTime, XlsxError> {
    certificate
        .created
        .as_deref()
        .map(|text| text.trim_end_matches('Z'))
        .and_then(|text| ExcelDateTime::parse_from_str(text).ok())
        .map_or_else(|| ExcelDateTime::from_ymd(2000, 1, 1), Ok)
}
