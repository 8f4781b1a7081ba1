//! Tables of the terminal: aligned columns without frames, at most 80 columns wide.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use wonderspins::document::EnclosureJson;
use wonderspins::report::format::{bound, figure};

/// A table with the given header; every column but the first is right-aligned.
pub(crate) fn numbers(header: &[&str]) -> Table {
    let mut table = plain(header);
    align_right(&mut table, 1);
    table
}

/// Aligns every column from the given one on to the right.
pub(crate) fn align_right(table: &mut Table, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// A table of text with the given header; long cells wrap.
pub(crate) fn plain(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(80)
        .set_header(header.iter().copied());
    table
}

/// The table as text, without blanks at the ends of lines.
pub(crate) fn render(table: &Table) -> String {
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A number to five digits, or its two bounds where they differ in these.
pub(crate) fn plain_number(value: &EnclosureJson) -> String {
    let shown = figure(value.value, 5);
    let places = shown.split_once('.').map_or(0, |(_, digits)| digits.len());
    cell(value, shown, places)
}

/// A percentage without its sign. What is less than 1 is not shown as 100.
pub(crate) fn share(value: &EnclosureJson, places: usize) -> String {
    let hundred = |number: f64| number * 100.0;
    let percentage = EnclosureJson {
        value: hundred(value.value),
        lower: hundred(value.lower),
        upper: hundred(value.upper),
    };
    let shown = format!("{:.places$}", percentage.value);
    if value.upper < 1.0 && shown.starts_with("100") {
        return format!("<{shown}");
    }
    cell(&percentage, shown, places)
}

/// One number where the proof is finer than its digits, else the two bounds, one on each line.
fn cell(value: &EnclosureJson, shown: String, places: usize) -> String {
    let step = 10.0_f64.powi(-i32::try_from(places).unwrap_or(i32::MAX));
    if value.upper - value.lower <= step {
        shown
    } else {
        let (lower, upper) = (value.lower, value.upper);
        format!(
            "≥{}\n≤{}",
            bound(lower, places, false),
            bound(upper, places, true)
        )
    }
}
