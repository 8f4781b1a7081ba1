//! Tables of the terminal: aligned columns without frames, at most 80 columns wide.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

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
