//! Both charts of a trigger.

use rust_xlsxwriter::{
    Chart, ChartAxisLabelPosition, ChartFont, ChartFormat, ChartLegendPosition, ChartLine,
    ChartMarker, ChartMarkerType, ChartType, XlsxError,
};

use super::payouts::{self, FIRST, Plot, column};
use super::sheet::Sheet;

/// Rows that a chart takes, and pixels of a row.
const ROWS: u32 = 16;
const ROW_PIXELS: u32 = 20;
/// Width of a chart in pixels.
const WIDTH: u32 = 730;
/// Blue and orange, told apart also in grey and by colour-blind people.
const EXACT: u32 = 0x0026_4F7A;
const SIMULATED: u32 = 0x00D9_6B00;

/// Both charts, one below the other.
pub(super) fn insert(
    sheet: &mut Sheet<'_>,
    row: u32,
    trigger: u32,
    plot: &Plot,
    last_column: u16,
) -> Result<(), XlsxError> {
    sheet.chart(row, 0, &payout_chart(trigger, plot), ROWS, last_column)?;
    let row = row + ROWS + 1;
    sheet.chart(row, 0, &exceedance_chart(trigger, plot), ROWS, last_column)
}

fn sized(mut chart: Chart, title: &str, description: &str) -> Chart {
    chart.set_width(WIDTH).set_height(ROWS * ROW_PIXELS);
    chart
        .title()
        .set_name(title)
        .set_font(ChartFont::new().set_size(12));
    chart.set_alt_text(description);
    chart
}

fn line(color: u32) -> ChartFormat {
    let mut format = ChartFormat::new();
    format.set_line(ChartLine::new().set_width(1.5).set_color(color));
    format
}

fn payout_chart(trigger: u32, plot: &Plot) -> Chart {
    let name = payouts::name(trigger);
    let data = |column| (name.as_str(), FIRST, column, plot.payouts, column);
    let mut chart = sized(
        Chart::new(ChartType::ScatterStraight),
        &format!("{trigger} Wonderspins: payout distribution up to its 99.9 % quantile"),
        "The exact probability of each meter as a line and the share of simulated rounds as crosses.",
    );
    chart
        .add_series()
        .set_name("exact probability")
        .set_categories(data(column::METER))
        .set_values(data(column::PROBABILITY))
        .set_marker(ChartMarker::new().set_none())
        .set_format(&mut line(EXACT));
    let mut cross = line(SIMULATED);
    chart
        .add_series()
        .set_name("share of simulated rounds")
        .set_categories(data(column::METER))
        .set_values(data(column::SHARE))
        .set_format(ChartFormat::new().set_no_line())
        .set_marker(
            ChartMarker::new()
                .set_type(ChartMarkerType::X)
                .set_size(3)
                .set_format(&mut cross),
        );
    chart
        .x_axis()
        .set_name("meter (wagers)")
        .set_min(0)
        .set_num_format("0");
    chart
        .y_axis()
        .set_name("probability")
        .set_num_format("0.000");
    chart.legend().set_position(ChartLegendPosition::Bottom);
    chart
}

fn exceedance_chart(trigger: u32, plot: &Plot) -> Chart {
    let name = payouts::name(trigger);
    let data = |column| (name.as_str(), FIRST, column, plot.exceedance, column);
    let mut chart = sized(
        Chart::new(ChartType::ScatterStraight),
        &format!("{trigger} Wonderspins: how rare a large meter is (law listed)"),
        "The probability of a meter of at least x, on a logarithmic scale.",
    );
    chart
        .add_series()
        .set_name("P(meter or more)")
        .set_categories(data(column::METER))
        .set_values(data(column::EXCEEDANCE))
        .set_marker(ChartMarker::new().set_none())
        .set_format(&mut line(EXACT));
    chart
        .x_axis()
        .set_name("meter of at least (wagers)")
        .set_min(0)
        .set_num_format("0")
        .set_label_position(ChartAxisLabelPosition::Low);
    chart
        .y_axis()
        .set_name("probability")
        .set_log_base(10)
        .set_max(1)
        .set_num_format("0E+00");
    chart.legend().set_hidden();
    chart
}
