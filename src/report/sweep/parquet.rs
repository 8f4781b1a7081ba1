//! The rows of a sweep as Parquet: one column for each of the CSV, typed.
//!
//! Floats are DOUBLE, counts UINT64, changed values INT64, BOOLEAN or text, everything else
//! text: the sums pass 64 bits. Every column is optional. Compressed by Snappy; the metadata
//! hold schema, identity and the unit of each column, and nothing of the machine.

use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;

use super::columns::Cells;
use super::{Column, columns};
use crate::document::SweepDocument;
use crate::report::ReportError;

/// Rows of a row group.
const GROUP: usize = 1 << 16;

/// The table as a Parquet file.
///
/// # Errors
/// - [`ReportError::Parquet`]: the table could not be written
pub fn parquet(document: &SweepDocument) -> Result<Vec<u8>, ReportError> {
    let columns = columns(document);
    let fields = columns
        .iter()
        .map(|column| field(column).map(Arc::new))
        .collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("sweep")
        .with_fields(fields)
        .build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!(
            "{} version {}",
            document.tool.name, document.tool.version
        ))
        .set_key_value_metadata(Some(metadata(document, &columns)))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let rows = document.rows.len();
    for start in (0..rows).step_by(GROUP) {
        let range = start..(start + GROUP).min(rows);
        let mut group = writer.next_row_group()?;
        for column in &columns {
            if let Some(mut open) = group.next_column()? {
                write(&mut open, &column.cells, range.clone())?;
                open.close()?;
            }
        }
        group.close()?;
    }
    Ok(writer.into_inner()?)
}

fn field(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.cells {
        Cells::Float(_) => (Physical::DOUBLE, None),
        Cells::Count(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Cells::Integer(_) => (Physical::INT64, Some(LogicalType::integer(64, true))),
        Cells::Boolean(_) => (Physical::BOOLEAN, None),
        Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(&column.name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

fn metadata(document: &SweepDocument, columns: &[Column]) -> Vec<KeyValue> {
    let mut entries = vec![
        ("schema".to_owned(), document.schema.clone()),
        ("sweep.name".to_owned(), document.sweep.name.clone()),
        ("sweep.sha256".to_owned(), document.sweep.sha256.clone()),
        (
            "paytable.sha256".to_owned(),
            document.paytable.sha256.clone(),
        ),
        (
            "paytable.file_sha256".to_owned(),
            document.paytable.file_sha256.clone(),
        ),
        ("rows_sha256".to_owned(), document.rows_sha256.clone()),
        ("complete".to_owned(), document.complete.to_string()),
        (
            "volatility_level".to_owned(),
            document.volatility_level.to_string(),
        ),
    ];
    if let Some(shard) = &document.shard {
        entries.push((
            "shard".to_owned(),
            format!("{}/{}", shard.index, shard.count),
        ));
    }
    let units = columns.iter().filter(|column| !column.unit.is_empty());
    entries.extend(units.map(|column| (format!("unit.{}", column.name), column.unit.to_owned())));
    entries
        .into_iter()
        .map(|(key, value)| KeyValue::new(key, value))
        .collect()
}

/// Writes a part of a column: the values that are there, and where they are.
fn write(
    writer: &mut SerializedColumnWriter<'_>,
    cells: &Cells,
    range: std::ops::Range<usize>,
) -> Result<(), ParquetError> {
    match cells {
        Cells::Float(cells) => values::<DoubleType, _>(writer, &cells[range], |cell| *cell),
        // The bits of a count; the logical type says that they have no sign.
        Cells::Count(cells) => {
            values::<Int64Type, _>(writer, &cells[range], |cell| cell.cast_signed())
        }
        Cells::Integer(cells) => values::<Int64Type, _>(writer, &cells[range], |cell| *cell),
        Cells::Boolean(cells) => values::<BoolType, _>(writer, &cells[range], |cell| *cell),
        Cells::Text(cells) => values::<ByteArrayType, _>(writer, &cells[range], |cell: &String| {
            ByteArray::from(cell.as_str())
        }),
    }
}

fn values<D: DataType, C>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: &[Option<C>],
    value: impl Fn(&C) -> D::T,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<D::T> = cells.iter().flatten().map(value).collect();
    writer
        .typed::<D>()
        .write_batch(&values, Some(&levels), None)?;
    Ok(())
}
