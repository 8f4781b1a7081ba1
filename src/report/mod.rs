//! Writes a [`Certificate`] for people and machines, from the certificate alone.
//!
//! A writer recomputes nothing: it formats. (A formula of the PAR sheet carries its value,
//! which is arithmetic on figures of the certificate.) One trait, one file for each format; adding
//! a format means adding a file and an entry in [`writers`].
//!
//! | file | writes |
//! | --- | --- |
//! | `json` | `certificate.json`, the certificate itself |
//! | [`card`] | the pay table for players, as HTML, text and PDF |
//! | `html` | `report.html`, one file without network access |
//! | `csv` | the tables, units in the header |
//! | `figures` | the pictures of a certificate, as SVG |
//! | `dial` | wheels as geometry |
//! | `pdf` | `report.pdf`, with the feature `pdf`; its template and data without |
//! | `xlsx` | `par-sheet.xlsx`, the PAR sheet with formulas |
//! | `sweep` | the rows of a sweep as CSV and Parquet |
//! | `wheel` | the derivatives of `sensitivity` around the wheels, as SVG |
//! | `tracker` | measurements of speed, in the formats of benchmark trackers |
//! | `format` | numbers as text |

pub mod card;
mod csv;
mod dial;
pub mod figures;
pub mod format;
mod html;
mod json;
pub mod pdf;
pub mod sweep;
pub mod tracker;
pub mod wheel;
pub mod xlsx;

use thiserror::Error;

use crate::document::Certificate;

/// A file of a report, complete in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// File name without a folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a report could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The HTML template did not render.
    #[error("the HTML report could not be rendered")]
    Template(#[from] minijinja::Error),
    /// A table could not be written.
    #[error("a CSV table could not be written")]
    Csv(#[from] ::csv::Error),
    /// A chart could not be laid out.
    #[error("a figure could not be drawn")]
    Figure(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The buffer behind a CSV table failed.
    #[error("a CSV table could not be closed")]
    Buffer(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The PAR sheet could not be written.
    #[error("the PAR sheet could not be written")]
    Xlsx(#[from] rust_xlsxwriter::XlsxError),
    /// A Parquet table could not be written.
    #[error("the Parquet table could not be written")]
    Parquet(#[from] ::parquet::errors::ParquetError),
    /// The data of the PDF's template are no JSON.
    #[error("the data of the PDF could not be written")]
    Data(#[from] serde_json::Error),
    /// Typst refused the template or the standard; its messages.
    #[error("the PDF could not be set: {0}")]
    Typst(String),
    /// This program was built without the format.
    #[error("{how}")]
    Unavailable {
        /// How to get a program that has it.
        how: &'static str,
    },
}

impl From<figures::ChartError> for ReportError {
    fn from(error: figures::ChartError) -> Self {
        Self::Figure(Box::new(error))
    }
}

/// A report format.
pub trait ReportWriter {
    /// What the format is called on the command line.
    fn name(&self) -> &'static str;

    /// The files of this format, complete in memory, so that nothing is half-written.
    ///
    /// # Errors
    /// [`ReportError`] where the format cannot be produced.
    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError>;

    /// `None` where this program writes the format; else how to get one that does. Asked
    /// for, such a format is [`ReportError::Unavailable`].
    fn unavailable(&self) -> Option<&'static str> {
        None
    }
}

/// The writers of a certificate's folder, in the order in which files are written.
#[must_use]
pub fn writers() -> Vec<Box<dyn ReportWriter>> {
    vec![
        Box::new(csv::Csv),
        Box::new(html::Html),
        Box::new(pdf::Pdf),
        Box::new(xlsx::Xlsx),
        Box::new(json::Json),
    ]
}

/// The names of all formats, in the order of [`writers`].
#[must_use]
pub fn formats() -> Vec<&'static str> {
    writers().iter().map(|writer| writer.name()).collect()
}

/// The files of one format; `None` where no writer has the name.
///
/// # Errors
/// [`ReportError`] from the writer.
pub fn render_format(
    certificate: &Certificate,
    name: &str,
) -> Result<Option<Vec<ReportFile>>, ReportError> {
    writers()
        .into_iter()
        .find(|writer| writer.name() == name)
        .map(|writer| writer.write(certificate))
        .transpose()
}

/// Every file of a certificate's folder that this program writes; `certificate.json` comes
/// last.
///
/// # Errors
/// [`ReportError`] from any writer.
pub fn render(certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
    let mut files = Vec::new();
    for writer in writers()
        .iter()
        .filter(|writer| writer.unavailable().is_none())
    {
        files.extend(writer.write(certificate)?);
    }
    Ok(files)
}
