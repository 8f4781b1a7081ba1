//! The return of many paytables against its standard deviation, one panel for each trigger.

use super::canvas::{Role, Sheet, short};
use super::chart::{Axis, ChartError, Panel};
use crate::document::{EnclosureJson, SweepDocument, SweepFigures, SweepRow};
use crate::report::dial::escaped;
use crate::report::format::{figure, grouped, percent};

/// Height of a panel with its axes.
const PANEL: u32 = 300;
/// Room above a panel for its name.
const HEAD: f64 = 20.0;
/// Radius of a mark.
const RADIUS: f64 = 3.0;

/// A mark for each paytable with figures. Marks are rings, so that those on top of each other
/// can be told apart without colour; lines are proven bounds where these can be seen.
pub(in crate::report) fn sweep(document: &SweepDocument) -> Result<String, ChartError> {
    let mut triggers: Vec<u32> = document.rows.iter().filter_map(|row| row.trigger).collect();
    triggers.sort_unstable();
    triggers.dedup();
    let panels = u32::try_from(triggers.len()).unwrap_or(1).max(1);
    let sheet = Sheet::new(PANEL * panels);
    let mut description = format!(
        "Overall return against the standard deviation of the return given the trigger, for the paytables of the sweep {}.",
        document.sweep.name
    );
    for (index, &trigger) in (0_u32..).zip(&triggers) {
        let rows: Vec<(&SweepRow, &SweepFigures)> = document
            .rows
            .iter()
            .filter(|row| row.trigger == Some(trigger))
            .filter_map(|row| Some((row, row.figures.as_ref()?)))
            .collect();
        let top = f64::from(PANEL * index);
        sheet.text(
            (8.0, top + 15.0),
            super::canvas::Anchor::Start,
            super::canvas::TEXT,
            Role::Ink,
            &format!(
                "{trigger} Wonderspins, {} paytables",
                grouped(&rows.len().to_string())
            ),
        );
        if rows.is_empty() {
            continue;
        }
        let ends = panel(&sheet, top + HEAD, top + f64::from(PANEL) - 4.0, &rows)?;
        description.push_str(&format!(
            " {trigger} Wonderspins: returns from {} to {}, deviations from {} to {}.",
            percent(ends.rtp.0, 2),
            percent(ends.rtp.1, 2),
            figure(ends.deviation.0, 4),
            figure(ends.deviation.1, 4)
        ));
    }
    Ok(sheet.finish(
        "sweep",
        &format!("Return and deviation: {}", document.sweep.name),
        &description,
    ))
}

/// Least lower and largest upper bound of each axis.
struct Ends {
    rtp: (f64, f64),
    deviation: (f64, f64),
}

fn panel(
    sheet: &Sheet,
    top: f64,
    bottom: f64,
    rows: &[(&SweepRow, &SweepFigures)],
) -> Result<Ends, ChartError> {
    let place = |figures: &SweepFigures| (figures.std_dev_return.value, figures.rtp.value);
    let ends = |value: &dyn Fn(&SweepFigures) -> EnclosureJson| {
        rows.iter()
            .map(|(_, figures)| value(figures))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value.lower), high.max(value.upper))
            })
    };
    let ends = Ends {
        rtp: ends(&|figures| figures.rtp),
        deviation: ends(&|figures| figures.std_dev_return),
    };
    // A mark at an end stays whole.
    let wider = |(low, high): (f64, f64)| {
        let room = (high - low) * 0.04;
        (low - room, high + room)
    };
    let (left, right) = wider(ends.deviation);
    let (low, high) = wider(ends.rtp);
    let axes = (
        Axis::linear(
            "standard deviation of the return given the trigger (wagers)",
            left.max(0.0),
            right,
        ),
        Axis::percent("overall return (gross)", low, high),
    );
    let panel = Panel::new(sheet, (top, bottom), axes, &[])?;
    let mut marks = String::new();
    for (row, figures) in rows {
        let (x, y) = panel.on_sheet(place(figures));
        marks.push_str(&bounds(&panel, figures));
        marks.push_str(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{RADIUS}\"><title>{}</title></circle>\n",
            short(x),
            short(y),
            escaped(&title(row, figures))
        ));
    }
    // One group holds what all marks have in common; the inside of a ring answers the pointer.
    sheet.push(&format!(
        "<g {} pointer-events=\"all\">\n{marks}</g>",
        Role::Exact.stroke(1.2)
    ));
    Ok(ends)
}

/// Lines between proven bounds that are so far apart that it can be seen.
fn bounds(panel: &Panel<'_>, figures: &SweepFigures) -> String {
    let (deviation, rtp) = (figures.std_dev_return, figures.rtp);
    let (left, low) = panel.on_sheet((deviation.lower, rtp.lower));
    let (right, high) = panel.on_sheet((deviation.upper, rtp.upper));
    let (x, y) = panel.on_sheet((deviation.value, rtp.value));
    let mut lines = String::new();
    if right - left > 1.0 {
        lines.push_str(&format!("M{} {}H{}", short(left), short(y), short(right)));
    }
    if low - high > 1.0 {
        lines.push_str(&format!("M{} {}V{}", short(x), short(low), short(high)));
    }
    if lines.is_empty() {
        return lines;
    }
    format!("<path d=\"{lines}\"/>\n")
}

fn title(row: &SweepRow, figures: &SweepFigures) -> String {
    let name = match &row.point {
        Some(point) => format!("paytable {}, {point}", row.paytable),
        None => format!("paytable {}", row.paytable),
    };
    let values = row
        .values
        .iter()
        .map(|(key, value)| format!("{key} = {value}\n"))
        .collect::<Vec<_>>()
        .concat();
    format!(
        "{name}\n{values}return {}, deviation {}, hit frequency {}",
        percent(figures.rtp.value, 4),
        figure(figures.std_dev_return.value, 6),
        percent(figures.hit_frequency.value, 3)
    )
}
