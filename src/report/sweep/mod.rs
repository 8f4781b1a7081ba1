//! The rows of a sweep as a table: CSV for every program, Parquet for large ones.
//!
//! Both have the same columns in the same order. A figure that a row has not is empty.

mod columns;
mod parquet;

use columns::{Column, columns};
pub use parquet::parquet;

use super::ReportError;
use crate::document::SweepDocument;

/// The table as CSV with a header.
///
/// # Errors
/// - [`ReportError::Csv`], [`ReportError::Buffer`]: the table could not be written
pub fn csv(document: &SweepDocument) -> Result<String, ReportError> {
    let columns = columns(document);
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|column| &column.name))?;
    for row in 0..document.rows.len() {
        writer.write_record(columns.iter().map(|column| column.cells.text(row)))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| ReportError::Buffer(Box::new(error)))?;
    String::from_utf8(bytes).map_err(|error| ReportError::Buffer(Box::new(error)))
}

#[cfg(test)]
mod tests;
