//! A worksheet that knows how far it has been written, in one set of styles.

use std::collections::BTreeMap;

use rust_xlsxwriter::utility::{row_col_to_cell, row_col_to_cell_absolute};
use rust_xlsxwriter::{
    Chart, Color, Format, FormatAlign, FormatBorder, Formula, Worksheet, XlsxError,
};

use crate::document::CheckVerdict;

/// The longest text that a cell holds.
const CELL_CHARACTERS: usize = 32_767;
/// Above this a spreadsheet's numbers skip integers.
const LARGEST_COUNT: u64 = 1 << 53;
/// A4; the sheets fit one page wide, so Letter prints them too.
const PAPER: u8 = 9;
/// Height of a line of text in points.
const LINE: f64 = 15.0;
/// The highest row of the format, in points.
const HIGHEST: f64 = 409.0;
/// How much of its width a line of wrapped text fills, words being whole.
const FILL: f64 = 0.85;

/// How a cell looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Title,
    Heading,
    Note,
    Header,
    Label,
    Text,
    /// Text beside the numbers of the column before it.
    Inset,
    Code,
    Pass,
    Fail,
    Inconclusive,
    Count,
    /// A whole number that names its row.
    Index,
    /// Ten digits after the point.
    Figure,
    /// Few digits, for differences and statistics.
    Short,
    /// Scientific, nine digits.
    Probability,
    /// Scientific, four digits.
    Small,
    Percent,
    /// A number in a sum row.
    SumCount,
    SumFigure,
    SumShort,
    SumProbability,
    SumLabel,
}

impl Look {
    /// Whether its text is broken into lines.
    fn wraps(self) -> bool {
        matches!(
            self,
            Self::Note | Self::Header | Self::Label | Self::Text | Self::Inset | Self::Code
        )
    }

    const ALL: [Self; 23] = [
        Self::Title,
        Self::Heading,
        Self::Note,
        Self::Header,
        Self::Label,
        Self::Text,
        Self::Inset,
        Self::Code,
        Self::Pass,
        Self::Fail,
        Self::Inconclusive,
        Self::Count,
        Self::Index,
        Self::Figure,
        Self::Short,
        Self::Probability,
        Self::Small,
        Self::Percent,
        Self::SumCount,
        Self::SumFigure,
        Self::SumShort,
        Self::SumProbability,
        Self::SumLabel,
    ];

    fn format(self) -> Format {
        const COUNT: &str = "#,##0";
        // Scientific where the digits would not fit a column.
        const FIGURE: &str = "[>=100000]0.0000000000E+00;[<=-100000]-0.0000000000E+00;0.0000000000";
        const SHORT: &str = "[>=1000000]0.0000E+00;[<=-1000000]-0.0000E+00;0.0000";
        const PROBABILITY: &str = "0.00000000E+00";
        let top = || Format::new().set_align(FormatAlign::Top);
        let sum = || {
            top()
                .set_bold()
                .set_border_top(FormatBorder::Thin)
                .set_background_color(Color::RGB(0x00F1_F3F5))
        };
        match self {
            Self::Title => Format::new().set_bold().set_font_size(16),
            Self::Heading => Format::new().set_bold().set_font_size(13),
            Self::Note => top()
                .set_text_wrap()
                .set_italic()
                .set_font_color(Color::RGB(0x004A_545E)),
            Self::Header => Format::new()
                .set_bold()
                .set_text_wrap()
                .set_align(FormatAlign::Top)
                .set_border_bottom(FormatBorder::Medium)
                .set_background_color(Color::RGB(0x00E3_E8ED)),
            Self::Label => top().set_bold().set_text_wrap(),
            Self::Text => top().set_text_wrap(),
            Self::Inset => top()
                .set_text_wrap()
                .set_align(FormatAlign::Left)
                .set_indent(1),
            Self::Code => top().set_text_wrap().set_font_name("Liberation Mono"),
            Self::Pass => top().set_bold().set_font_color(Color::RGB(0x000B_6E4F)),
            Self::Fail => top().set_bold().set_font_color(Color::RGB(0x00A4_161A)),
            Self::Inconclusive => top().set_bold().set_font_color(Color::RGB(0x008A_5A00)),
            Self::Count => top().set_num_format(COUNT).set_align(FormatAlign::Right),
            Self::Index => top().set_num_format("0").set_align(FormatAlign::Left),
            Self::Figure => top().set_num_format(FIGURE).set_align(FormatAlign::Right),
            Self::Short => top().set_num_format(SHORT).set_align(FormatAlign::Right),
            Self::Probability => top()
                .set_num_format(PROBABILITY)
                .set_align(FormatAlign::Right),
            Self::Small => top()
                .set_num_format("0.000E+00")
                .set_align(FormatAlign::Right),
            Self::Percent => top()
                .set_num_format("0.000000%")
                .set_align(FormatAlign::Right),
            Self::SumCount => sum().set_num_format(COUNT).set_align(FormatAlign::Right),
            Self::SumFigure => sum().set_num_format(FIGURE).set_align(FormatAlign::Right),
            Self::SumShort => sum().set_num_format("0.0000").set_align(FormatAlign::Right),
            Self::SumProbability => sum()
                .set_num_format(PROBABILITY)
                .set_align(FormatAlign::Right),
            Self::SumLabel => sum(),
        }
    }
}

/// The style of a verdict.
pub(super) fn verdict_look(word: &str) -> Look {
    match word {
        "pass" => Look::Pass,
        "fail" => Look::Fail,
        "inconclusive" => Look::Inconclusive,
        _ => Look::Text,
    }
}

/// Every style once: cells refer to them.
pub(super) struct Styles(Vec<Format>);

impl Styles {
    pub(super) fn new() -> Self {
        Self(Look::ALL.iter().map(|look| look.format()).collect())
    }

    fn get(&self, look: Look) -> &Format {
        &self.0[look as usize]
    }
}

/// A cell of this sheet in a formula.
pub(super) fn at(row: u32, column: u16) -> String {
    row_col_to_cell(row, column)
}

/// A cell of this sheet in a formula, which stays when the formula is copied.
pub(super) fn fixed(row: u32, column: u16) -> String {
    row_col_to_cell_absolute(row, column)
}

/// The cells of one column from `first` to `last`, both included.
pub(super) fn column_range(column: u16, first: u32, last: u32) -> String {
    format!("{}:{}", at(first, column), at(last, column))
}

/// A cell of another sheet.
pub(super) fn remote(sheet: &str, row: u32, column: u16) -> String {
    format!("'{sheet}'!{}", fixed(row, column))
}

/// A text that fits a cell; what is cut off is said.
fn clipped(text: &str) -> std::borrow::Cow<'_, str> {
    const REMARK: &str = " … (cut off here: the whole text is in certificate.json)";
    // The limit counts UTF-16 units; a character has at most two.
    if text.len() <= CELL_CHARACTERS || text.encode_utf16().count() <= CELL_CHARACTERS {
        return text.into();
    }
    let room = (CELL_CHARACTERS - REMARK.len()) / 2;
    text.chars()
        .take(room)
        .chain(REMARK.chars())
        .collect::<String>()
        .into()
}

/// A sheet in the making.
pub(super) struct Sheet<'a> {
    inner: Worksheet,
    styles: &'a Styles,
    widths: Vec<f64>,
    /// Lines of the rows that have more than one.
    lines: BTreeMap<u32, f64>,
    last_row: u32,
    last_column: u16,
    /// Printed pages; 0 for as many as it takes.
    pages_high: u16,
}

impl<'a> Sheet<'a> {
    /// # Arguments
    /// - `widths`: of the columns from A, in characters
    pub(super) fn new(name: &str, styles: &'a Styles, widths: &[f64]) -> Result<Self, XlsxError> {
        let mut inner = Worksheet::new();
        inner.set_name(name)?;
        for (column, &width) in (0..).zip(widths) {
            inner.set_column_width(column, width)?;
        }
        Ok(Self {
            inner,
            styles,
            widths: widths.to_vec(),
            lines: BTreeMap::new(),
            last_row: 0,
            last_column: 0,
            pages_high: 0,
        })
    }

    fn reach(&mut self, row: u32, column: u16) {
        self.last_row = self.last_row.max(row);
        self.last_column = self.last_column.max(column);
    }

    /// Text; nothing in it is ever read as a formula.
    pub(super) fn text(
        &mut self,
        row: u32,
        column: u16,
        text: &str,
        look: Look,
    ) -> Result<(), XlsxError> {
        self.reach(row, column);
        let text = clipped(text);
        if look.wraps() {
            self.wrap(row, (column, column), &text);
        }
        let format = self.styles.get(look);
        self.inner
            .write_string_with_format(row, column, text.as_ref(), format)?;
        Ok(())
    }

    /// A verdict in its colour and as a word.
    pub(super) fn verdict(
        &mut self,
        row: u32,
        column: u16,
        verdict: CheckVerdict,
    ) -> Result<(), XlsxError> {
        self.text(row, column, verdict.word(), verdict_look(verdict.word()))
    }

    pub(super) fn number(
        &mut self,
        row: u32,
        column: u16,
        value: f64,
        look: Look,
    ) -> Result<(), XlsxError> {
        self.reach(row, column);
        let format = self.styles.get(look);
        self.inner
            .write_number_with_format(row, column, value, format)?;
        Ok(())
    }

    /// A whole number given as decimal text: a number where a spreadsheet holds it exactly,
    /// else text. A formula that divides or multiplies reads both.
    pub(super) fn count(&mut self, row: u32, column: u16, digits: &str) -> Result<(), XlsxError> {
        match digits.trim_start_matches('-').parse::<u64>() {
            Ok(value) if value <= LARGEST_COUNT => {
                self.number(row, column, approximate(digits), Look::Count)
            }
            _ => self.text(row, column, digits, Look::Count),
        }
    }

    /// A whole number that names its row.
    pub(super) fn index(&mut self, row: u32, column: u16, index: usize) -> Result<(), XlsxError> {
        self.number(row, column, approximate(&index.to_string()), Look::Index)
    }

    /// A formula and the value that it has, which a reader that does not calculate shows.
    pub(super) fn formula(
        &mut self,
        row: u32,
        column: u16,
        formula: &str,
        value: f64,
        look: Look,
    ) -> Result<(), XlsxError> {
        self.reach(row, column);
        let formula = Formula::new(formula).set_result(value.to_string());
        let format = self.styles.get(look);
        self.inner
            .write_formula_with_format(row, column, formula, format)?;
        Ok(())
    }

    /// A text across columns, as high as its lines.
    pub(super) fn spread(
        &mut self,
        row: u32,
        columns: (u16, u16),
        text: &str,
        look: Look,
    ) -> Result<(), XlsxError> {
        let (first, last) = columns;
        self.reach(row, last);
        let text = clipped(text);
        let format = self.styles.get(look);
        if first == last {
            self.inner
                .write_string_with_format(row, first, text.as_ref(), format)?;
        } else {
            self.inner
                .merge_range(row, first, row, last, text.as_ref(), format)?;
        }
        self.wrap(row, columns, &text);
        Ok(())
    }

    /// Keeps a row high enough for a wrapped text: programs that open the file leave the
    /// height at one line.
    fn wrap(&mut self, row: u32, columns: (u16, u16), text: &str) {
        let width: f64 = self
            .widths
            .get(usize::from(columns.0)..=usize::from(columns.1))
            .map_or(f64::INFINITY, |widths| widths.iter().sum());
        let lines: f64 = text
            .lines()
            .map(|line| (length(line) / (FILL * width)).ceil().max(1.0))
            .sum();
        if lines > 1.0 {
            let most = self.lines.entry(row).or_insert(lines);
            *most = most.max(lines);
        }
    }

    /// A header row; every column has one.
    pub(super) fn header(&mut self, row: u32, first: u16, names: &[&str]) -> Result<(), XlsxError> {
        for (column, name) in (first..).zip(names) {
            self.text(row, column, name, Look::Header)?;
        }
        Ok(())
    }

    pub(super) fn chart(
        &mut self,
        row: u32,
        column: u16,
        chart: &Chart,
        rows: u32,
        last_column: u16,
    ) -> Result<(), XlsxError> {
        self.inner
            .insert_chart_with_offset(row, column, chart, 2, 4)?;
        self.reach(row + rows, last_column);
        Ok(())
    }

    /// Keeps the rows above `row` in sight and at the top of each printed page.
    pub(super) fn freeze(&mut self, row: u32, column: u16) -> Result<(), XlsxError> {
        self.inner.set_freeze_panes(row, column)?;
        Ok(())
    }

    pub(super) fn repeat(&mut self, first: u32, last: u32) -> Result<(), XlsxError> {
        self.inner.set_repeat_rows(first, last)?;
        Ok(())
    }

    /// The finished sheet on one printed page, so that no page ends within a chart.
    pub(super) fn finish_on_one_page(mut self) -> Result<Worksheet, XlsxError> {
        self.pages_high = 1;
        self.finish(false)
    }

    /// The finished sheet: printed one page wide, all that was written within the print area.
    pub(super) fn finish(mut self, is_landscape: bool) -> Result<Worksheet, XlsxError> {
        let (row, column) = (self.last_row, self.last_column);
        for (&row, &lines) in &self.lines {
            self.inner
                .set_row_height(row, (lines * LINE + 1.0).min(HIGHEST))?;
        }
        self.inner.set_paper_size(PAPER);
        if is_landscape {
            self.inner.set_landscape();
        }
        self.inner.set_print_fit_to_pages(1, self.pages_high);
        self.inner.set_print_area(0, 0, row, column)?;
        self.inner.set_margins(0.5, 0.5, 0.6, 0.7, 0.3, 0.3);
        self.inner.set_footer("&L&A&RPage &P of &N");
        self.inner.set_screen_gridlines(false);
        Ok(self.inner)
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths of texts")]
fn length(text: &str) -> f64 {
    text.chars().count() as f64
}

/// A decimal whole number as the nearest float, as a spreadsheet reads it; 0 for what is none.
pub(super) fn approximate(digits: &str) -> f64 {
    digits.parse().unwrap_or_default()
}

/// A fraction such as `3/54` or a whole number as a float.
pub(super) fn ratio(text: &str) -> f64 {
    match text.split_once('/') {
        Some((above, below)) => approximate(above) / approximate(below),
        None => approximate(text),
    }
}

/// A fraction as the formula that divides it out, where each side fits a spreadsheet's number.
pub(super) fn ratio_formula(text: &str) -> String {
    format!("={text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_has_its_place() {
        for (index, look) in Look::ALL.into_iter().enumerate() {
            assert_eq!(look as usize, index, "{look:?}");
        }
    }

    #[test]
    fn a_text_that_no_cell_holds_says_so() {
        assert_eq!(clipped("short"), "short");
        let just = "x".repeat(CELL_CHARACTERS);
        assert_eq!(clipped(&just), just);
        // Two UTF-16 units each.
        let long = "𝄞".repeat(CELL_CHARACTERS / 2 + 1);
        let cut = clipped(&long);
        assert!(cut.ends_with("certificate.json)"));
        assert!(cut.encode_utf16().count() <= CELL_CHARACTERS);
    }

    #[test]
    fn references_name_their_cells() {
        assert_eq!(at(0, 0), "A1");
        assert_eq!(fixed(9, 27), "$AB$10");
        assert_eq!(column_range(1, 3, 451), "B4:B452");
        assert_eq!(remote("Payouts 2", 1, 2), "'Payouts 2'!$C$2");
        assert!((ratio("3/54") - 1.0 / 18.0).abs() < 1e-17);
        assert!((ratio("2") - 2.0).abs() < 1e-17);
    }
}
