//! A distribution, exact against simulated, over its standardised residuals.

use super::canvas::{Role, Sheet};
use super::chart::{Axis, ChartError, Mark, Panel, power_of_ten};
use super::law::{Bin, Law, float};
use crate::report::format::figure;

/// Most bins of a picture.
const BINS: u64 = 240;

/// What a distribution figure is of.
pub(super) struct Words<'a> {
    /// Identifier of the figure.
    pub(super) id: String,
    /// Its title.
    pub(super) title: String,
    /// Name of the value on the x axis, with its unit.
    pub(super) axis: &'a str,
    /// Name of one value: `meter`.
    pub(super) value: &'a str,
}

/// Bars on a linear scale, of the values that all but a thousandth of the rounds reach.
pub(super) fn linear(law: &Law, words: &Words<'_>) -> Result<String, ChartError> {
    let last = law.quantile(1e-3);
    let bins = law.binned(last, BINS);
    let highest = bins
        .iter()
        .flat_map(|bin| {
            [
                bin.share(law.played),
                bin.law.map_or(0.0, |[value, ..]| value),
            ]
        })
        .fold(0.0, f64::max);
    let y = Axis::percent(&share_title(&bins), 0.0, highest * 1.06);
    let sheet = Sheet::new(400);
    let mut panel = Panel::new(
        &sheet,
        (0.0, 260.0),
        (x_axis(&bins, words), y),
        &series(law, Mark::Bar),
    )?;
    let bars: Vec<_> = bins
        .iter()
        .filter_map(|bin| {
            let (from, to) = bin.ends();
            bin.law.map(|[value, ..]| (from, to, value))
        })
        .collect();
    panel.bars(Role::Exact, 0.0, &bars)?;
    rings(&mut panel, law, &bins)?;
    let below = residuals(&sheet, law, &bins, words)?;
    columns((&panel, &below), law, &bins, words);
    Ok(finish(&sheet, law, &bins, words, "linear"))
}

/// The same on a logarithmic scale, as far as there is anything to see.
pub(super) fn logarithmic(law: &Law, words: &Words<'_>) -> Result<String, ChartError> {
    let one = 1.0 / float(law.played.max(1));
    let last = law
        .quantile((one / 10.0).max(law.left_out))
        .max(law.largest());
    let bins = law.binned(last, BINS);
    let highest = bins
        .iter()
        .flat_map(|bin| {
            [
                bin.share(law.played),
                bin.law.map_or(0.0, |[value, ..]| value),
            ]
        })
        .fold(0.0, f64::max);
    let y = Axis::log(
        &share_title(&bins),
        one / 3.0,
        highest.max(one) * 1.5,
        power_of_ten,
    );
    let sheet = Sheet::new(400);
    let mut panel = Panel::new(
        &sheet,
        (0.0, 260.0),
        (x_axis(&bins, words), y),
        &series(law, Mark::Line),
    )?;
    bounds(&mut panel, &bins)?;
    rings(&mut panel, law, &bins)?;
    let below = residuals(&sheet, law, &bins, words)?;
    columns((&panel, &below), law, &bins, words);
    Ok(finish(&sheet, law, &bins, words, "logarithmic"))
}

/// The title of the y axis, with the width of the bins where it is not one value.
fn share_title(bins: &[Bin]) -> String {
    match bins.first().map_or(1, |bin| bin.to - bin.from + 1) {
        1 => "share of rounds".to_owned(),
        width => format!("share of rounds, bins of {width}"),
    }
}

fn x_axis(bins: &[Bin], words: &Words<'_>) -> Axis {
    let from = bins.first().map_or(0.0, |bin| bin.ends().0);
    let to = bins.last().map_or(1.0, |bin| bin.ends().1);
    Axis::linear(words.axis, from - 0.5, to + 0.5)
}

fn series<'a>(law: &Law, mark: Mark) -> Vec<(Mark, Role, &'a str)> {
    let mut series = vec![(Mark::Ring, Role::Simulated, "simulated")];
    if law.has_law() {
        let name = if law.left_out > 1e-9 && mark == Mark::Line {
            "exact, shaded between proven bounds"
        } else {
            "exact"
        };
        series.insert(0, (mark, Role::Exact, name));
    }
    series
}

/// Steps through the exact probabilities, and the area between their bounds. Where the bounds are
/// wider than the value itself a line would promise too much.
fn bounds(panel: &mut Panel<'_>, bins: &[Bin]) -> Result<(), ChartError> {
    let mut area = Vec::new();
    let mut run = Vec::new();
    for bin in bins {
        let (from, to) = bin.ends();
        let Some([value, lower, upper]) = bin.law else {
            continue;
        };
        area.extend([(from, lower, upper), (to, lower, upper)]);
        if upper - lower <= value && value > 0.0 {
            run.extend([(from, value), (to, value)]);
        } else if !run.is_empty() {
            panel.line(Role::Exact, 1.6, &std::mem::take(&mut run))?;
        }
    }
    if !run.is_empty() {
        panel.line(Role::Exact, 1.6, &run)?;
    }
    if !area.is_empty() {
        panel.band(Role::Exact, 0.18, &area)?;
    }
    Ok(())
}

fn rings(panel: &mut Panel<'_>, law: &Law, bins: &[Bin]) -> Result<(), ChartError> {
    let points: Vec<_> = bins
        .iter()
        .filter(|bin| bin.rounds > 0)
        .map(|bin| (bin.middle(), bin.share(law.played)))
        .collect();
    panel.rings(
        Role::Simulated,
        if points.len() > 120 { 1.7 } else { 2.4 },
        &points,
    )
}

/// The residuals below, with lines at two and three standard deviations.
fn residuals<'a>(
    sheet: &'a Sheet,
    law: &Law,
    bins: &[Bin],
    words: &Words<'_>,
) -> Result<Panel<'a>, ChartError> {
    let points: Vec<_> = bins
        .iter()
        .filter_map(|bin| {
            bin.residual(law.played)
                .map(|residual| (bin.middle(), residual))
        })
        .collect();
    let most = points
        .iter()
        .map(|(_, residual)| residual.abs())
        .fold(4.0, f64::max);
    let y = Axis::linear("residual", -most * 1.05, most * 1.05);
    let mut panel = Panel::new(sheet, (264.0, 396.0), (x_axis(bins, words), y), &[])?;
    for limit in [-3.0, -2.0, 2.0, 3.0] {
        panel.level(Role::Limit, 0.8, limit)?;
    }
    panel.level(Role::Soft, 1.0, 0.0)?;
    panel.stems(Role::Simulated, 0.0, &points)?;
    Ok(panel)
}

fn columns<'a>(
    (panel, below): (&Panel<'a>, &Panel<'a>),
    law: &Law,
    bins: &[Bin],
    words: &Words<'_>,
) {
    for bin in bins {
        let mut text = format!("{} {}", words.value, bin.name());
        if let Some([value, lower, upper]) = bin.law {
            text.push_str(&format!(": exact {}", super::percentage(value)));
            if upper - lower > 1e-6 * value {
                text.push_str(&format!(
                    " (between {} and {})",
                    super::percentage(lower),
                    super::percentage(upper)
                ));
            }
            text.push(',');
        } else {
            text.push(':');
        }
        text.push_str(&format!(
            " simulated {} ({} rounds)",
            super::percentage(bin.share(law.played)),
            super::grouped_count(bin.rounds)
        ));
        if let Some(residual) = bin.residual(law.played) {
            text.push_str(&format!(", residual {residual:+.2}"));
        }
        panel.column(below, bin.ends(), &text);
    }
}

fn finish(sheet: &Sheet, law: &Law, bins: &[Bin], words: &Words<'_>, scale: &str) -> String {
    let first = bins.first().map_or(0, |bin| bin.from);
    let last = bins.last().map_or(0, |bin| bin.to);
    let mut description = format!(
        "Share of rounds by {} from {first} to {last} on a {scale} scale, {} rounds simulated.",
        words.value,
        super::grouped_count(law.played)
    );
    let residuals: Vec<(u64, f64)> = bins
        .iter()
        .filter_map(|bin| Some((bin.from, bin.residual(law.played)?)))
        .collect();
    if let Some((value, largest)) = residuals
        .iter()
        .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    {
        let beyond = residuals
            .iter()
            .filter(|(_, residual)| residual.abs() > 3.0)
            .count();
        description.push_str(&format!(
            " Below, {} standardised residuals, of bins with at least 10 expected rounds: the largest is {} at {} {value}; \
             {beyond} beyond 3, where chance alone puts about {}.",
            residuals.len(),
            figure(*largest, 3),
            words.value,
            // P(|Z| > 3) = 0.0027 of a standard normal variable.
            figure(0.0027 * float(residuals.len() as u64), 2)
        ));
    }
    sheet.finish(&words.id, &words.title, &description)
}
