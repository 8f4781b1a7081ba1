//! `report.pdf`: the same content as the page, set for paper by Typst.
//!
//! Typst takes minutes to build, so the compiler is behind the cargo feature `pdf`. What it
//! compiles is not: [`source`] gives the template and its data, and any Typst 0.15 turns them
//! into the same pages.
//!
//! | file | holds |
//! | --- | --- |
//! | `view` | the data of the template, already formatted |
//! | `tables` | its tables |
//! | `compile` | Typst, with the feature |

#[cfg(feature = "pdf")]
mod compile;
mod tables;
mod view;

use super::{ReportError, ReportFile, ReportWriter, figures};
use crate::document::Certificate;

pub use view::Drawing;

/// File name of the template.
const TEMPLATE: &str = "report.typ";
/// File name of its data.
const DATA: &str = "report.json";
/// What a program without the feature says.
const HOW: &str =
    "this program was built without PDF: build it with `cargo build --release --features pdf`";

pub(super) struct Pdf;

impl ReportWriter for Pdf {
    fn name(&self) -> &'static str {
        "pdf"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        required()?;
        let files = source(certificate, &drawings(certificate)?)?;
        Ok(vec![ReportFile {
            name: "report.pdf".to_owned(),
            bytes: compiled(&files)?,
        }])
    }

    fn unavailable(&self) -> Option<&'static str> {
        (!cfg!(feature = "pdf")).then_some(HOW)
    }
}

/// Whether this program has Typst.
///
/// # Errors
/// - [`ReportError::Unavailable`]: it was built without the feature
pub(super) fn required() -> Result<(), ReportError> {
    match Pdf.unavailable() {
        Some(how) => Err(ReportError::Unavailable { how }),
        None => Ok(()),
    }
}

/// A template and its data, in this order, as a PDF.
///
/// # Errors
/// - [`ReportError::Unavailable`]: this program was built without the feature
/// - [`ReportError::Typst`]: Typst refused the template
pub(super) fn compiled(files: &[ReportFile]) -> Result<Vec<u8>, ReportError> {
    #[cfg(feature = "pdf")]
    {
        compile::pdf(files)
    }
    #[cfg(not(feature = "pdf"))]
    {
        let _ = files;
        Err(ReportError::Unavailable { how: HOW })
    }
}

/// The figures of every trigger, in the order of the certificate.
///
/// # Errors
/// [`ReportError::Figure`]: a chart could not be laid out
pub fn drawings(certificate: &Certificate) -> Result<Vec<Drawing>, ReportError> {
    let mut drawings = Vec::new();
    for trigger in certificate.triggers.iter().map(|entry| entry.trigger) {
        let of_trigger = figures::of_trigger(certificate, trigger)?;
        drawings.extend(of_trigger.into_iter().map(|figure| Drawing {
            trigger,
            svg: figure.svg,
            caption: figure.caption,
        }));
    }
    Ok(drawings)
}

/// The template and its data, `report.typ` and `report.json`.
///
/// # Arguments
/// - `drawings`: figures of each trigger, in their order
///
/// # Errors
/// [`ReportError::Data`]: a drawing that is no text for JSON
pub fn source(
    certificate: &Certificate,
    drawings: &[Drawing],
) -> Result<Vec<ReportFile>, ReportError> {
    let data = serde_json::to_vec(&view::view(certificate, drawings))?;
    Ok(vec![
        ReportFile {
            name: TEMPLATE.to_owned(),
            bytes: include_bytes!("../templates/report.typ").to_vec(),
        },
        ReportFile {
            name: DATA.to_owned(),
            bytes: data,
        },
    ])
}
