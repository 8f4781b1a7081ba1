//! Where the overall return lies by number of wagers.

use super::canvas::{Role, Sheet};
use super::chart::{Axis, ChartError, Mark, Panel, power_of_ten};
use super::grouped_count;
use super::law::float;
use crate::document::{EnclosureJson, RtpBand};
use crate::report::format::{level, percent};

/// Nested bands, the narrowest level darkest, around the exact return.
///
/// # Arguments
/// - `bands`: of one trigger, any order
pub(super) fn bands(
    trigger: u32,
    rtp: &EnclosureJson,
    bands: &[&RtpBand],
) -> Result<String, ChartError> {
    let mut levels: Vec<f64> = bands.iter().map(|band| band.level).collect();
    levels.sort_by(|a, b| b.total_cmp(a));
    levels.dedup();
    let mut plays: Vec<u64> = bands.iter().map(|band| band.plays).collect();
    plays.sort_unstable();
    plays.dedup();
    let ends = bands
        .iter()
        .fold((rtp.value, rtp.value), |(low, high), band| {
            (low.min(band.lower), high.max(band.upper))
        });
    let (first, last) = (
        plays.first().map_or(1.0, |plays| float(*plays)),
        plays.last().map_or(10.0, |plays| float(*plays)),
    );
    let sheet = Sheet::new(320);
    let room = (ends.1 - ends.0) * 0.03;
    let names: Vec<String> = levels.iter().rev().map(|&value| level(value)).collect();
    let title = format!("bands {}, dark to light", names.join(", "));
    let mut panel = Panel::new(
        &sheet,
        (0.0, 316.0),
        (
            Axis::log("wagers on the bet", first, last, power_of_ten),
            Axis::percent("overall return (RTP)", ends.0 - room, ends.1 + room),
        ),
        &[
            (Mark::Line, Role::Exact, "exact RTP"),
            (Mark::Bar, Role::Exact, &title),
        ],
    )?;
    for &level in &levels {
        let mut area: Vec<_> = bands
            .iter()
            .filter(|band| band.level.total_cmp(&level).is_eq())
            .map(|band| (float(band.plays), band.lower, band.upper))
            .collect();
        area.sort_by(|a, b| a.0.total_cmp(&b.0));
        panel.band(Role::Exact, 0.25, &area)?;
        for pick in [
            |band: &(f64, f64, f64)| (band.0, band.1),
            |band: &(f64, f64, f64)| (band.0, band.2),
        ] {
            panel.line(Role::Exact, 1.0, &area.iter().map(pick).collect::<Vec<_>>())?;
        }
    }
    panel.level(Role::Exact, 1.8, rtp.value)?;
    let texts: Vec<(f64, String)> = plays
        .iter()
        .map(|&count| {
            let mut lines = vec![format!("{} wagers", grouped_count(count))];
            let mut at: Vec<_> = bands.iter().filter(|band| band.plays == count).collect();
            at.sort_by(|a, b| a.level.total_cmp(&b.level));
            lines.extend(at.iter().map(|band| {
                format!(
                    "{}: {} to {}",
                    level(band.level),
                    percent(band.lower, 4),
                    percent(band.upper, 4)
                )
            }));
            (float(count), lines.join("; "))
        })
        .collect();
    panel.columns(None, &texts);
    let mut description = format!(
        "The overall return of many wagers on {trigger} Wonderspins narrows around {} as their number grows. The table below holds the same figures.",
        percent(rtp.value, 4)
    );
    if let (Some(few), Some(many)) = (texts.first(), texts.last()) {
        description.push_str(&format!(" {}. {}.", few.1, many.1));
    }
    Ok(sheet.finish(
        &format!("bands-{trigger}"),
        &format!("RTP by number of wagers, {trigger} Wonderspins"),
        &description,
    ))
}
