//! `simulate --plan`: what a run would take.

use std::time::Duration;

use wonderspins::document::{ForecastDocument, ForecastRow, to_json};
use wonderspins::forecast::{Calibration, Question, forecast};
use wonderspins::report::format::{figure, grouped, level};

use super::{csv_text, heading, load, print};
use crate::args::{Format, Simulate};
use crate::config;
use crate::exit::ExitStatus;
use crate::{message, table};

/// How long the calibration takes.
const CALIBRATION: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Simulate, quiet: bool) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let shards = match args.shard {
        Some(argument) => argument.resolve()?.0.count(),
        None => 1,
    };
    let question = Question {
        triggers: config::triggers(&file.paytable, args.trigger.trigger)?,
        rounds: args.run.rounds.0,
        detail_rounds: args.run.detail.rounds(),
        generator: args.run.rng.into(),
        engine: args.run.engine.into(),
        level: args.run.level.0,
        deadline: args.deadline.0,
        shards,
    };
    message::note(
        quiet,
        "this machine is measured for a second, with whatever else it does",
    );
    let threads = rayon::current_num_threads();
    let calibration = Calibration::measure(&file.paytable, &question, threads, CALIBRATION)?;
    let document = forecast(&file, &question, &calibration)?;
    print(&match args.format.unwrap_or(Format::Text) {
        Format::Json => to_json(&document),
        Format::Csv => csv(&document)?,
        Format::Text => text(&document),
    })?;
    Ok(ExitStatus::Success)
}

fn csv(document: &ForecastDocument) -> anyhow::Result<String> {
    let rows = document.rows.iter().flat_map(|row| {
        row.rtp_half_width.iter().map(|width| {
            [
                row.rounds.to_string(),
                row.seconds.to_string(),
                row.core_seconds.to_string(),
                row.cores_for_deadline.to_string(),
                width.trigger.to_string(),
                width.half_width.to_string(),
                row.leaves.to_string(),
                row.leaves_bytes.to_string(),
                row.checkpoint_bytes.to_string(),
                row.result_bytes.to_string(),
                row.shard_bytes.to_string(),
            ]
        })
    });
    csv_text(
        &[
            "rounds",
            "seconds",
            "core_seconds",
            "cores_for_deadline",
            "trigger",
            "rtp_half_width",
            "leaves",
            "leaves_bytes",
            "checkpoint_bytes",
            "result_bytes",
            "shard_bytes",
        ],
        rows,
    )
}

fn text(document: &ForecastDocument) -> String {
    let mut text = heading(&document.paytable);
    let plural = if document.threads == 1 { "" } else { "s" };
    text.push_str(&format!(
        "measured for a second on {} thread{plural}, engine {}\n",
        document.threads, document.engine
    ));
    for of in &document.calibration {
        let speed = |speed: Option<f64>, what: &str| {
            speed.map_or_else(String::new, |speed| format!(", {speed:.2e} {what}"))
        };
        text.push_str(&format!(
            "{} Wonderspins{}{}\n",
            of.trigger,
            speed(of.rounds_per_second, "rounds/s"),
            speed(of.watched_rounds_per_second, "watched rounds/s"),
        ));
    }
    let deadline = duration(document.deadline_seconds);
    let cores = format!("cores for {deadline}");
    let mut times = table::numbers(&["rounds", "time here", "of one core", &cores]);
    for row in &document.rows {
        times.add_row([
            rounds(row.rounds),
            duration(row.seconds),
            duration(row.core_seconds),
            grouped(&row.cores_for_deadline.to_string()),
        ]);
    }
    text.push_str(&format!("\n{}", table::render(&times)));
    text.push_str(&format!("\n{}", table::render(&widths(document))));
    let shard = match document.shards {
        1 => "result".to_owned(),
        shards => format!("one of {} shards", grouped(&shards.to_string())),
    };
    let headers = ["rounds", "leaves", "their bytes", "checkpoint", &shard];
    let mut sizes = table::numbers(&headers);
    for row in &document.rows {
        sizes.add_row([
            rounds(row.rounds),
            grouped(&row.leaves.to_string()),
            bytes(row.leaves_bytes),
            bytes(row.checkpoint_bytes),
            bytes(if document.shards == 1 {
                row.result_bytes
            } else {
                row.shard_bytes
            }),
        ]);
    }
    text.push_str(&format!("\n{}", table::render(&sizes)));
    text
}

/// Half the interval by trigger.
fn widths(document: &ForecastDocument) -> comfy_table::Table {
    let level = level(document.level);
    let names: Vec<String> = document
        .calibration
        .iter()
        .map(|of| format!("RTP +- {level}, {} Wonderspins", of.trigger))
        .collect();
    let mut headers = vec!["rounds"];
    headers.extend(names.iter().map(String::as_str));
    let mut widths = table::numbers(&headers);
    let cells = |row: &ForecastRow| {
        let mut cells = vec![rounds(row.rounds)];
        let each = row.rtp_half_width.iter();
        cells.extend(each.map(|width| figure(width.half_width, 3)));
        cells
    };
    for row in &document.rows {
        widths.add_row(cells(row));
    }
    widths
}

/// A number of rounds, short where it is round.
fn rounds(count: u64) -> String {
    let digits = count.to_string();
    let significant = digits.trim_end_matches('0');
    if count >= 1_000_000 && significant.len() == 1 {
        format!("{significant}e{}", digits.len() - 1)
    } else {
        grouped(&digits)
    }
}

/// A time in the largest unit of which there is one.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(86_400.0, "d"), (3_600.0, "h"), (60.0, "m"), (1.0, "s")];
    UNITS
        .into_iter()
        .find(|(unit, _)| seconds >= *unit)
        .map_or_else(
            || format!("{} s", figure(seconds, 2)),
            |(unit, name)| {
                let value = seconds / unit;
                // Round times, as they are typed, are shown as they are.
                if value.fract() == 0.0 {
                    format!("{value} {name}")
                } else {
                    format!("{value:.1} {name}")
                }
            },
        )
}

/// A size in the largest unit of which there is one.
#[expect(clippy::cast_precision_loss, reason = "two digits for the eye")]
fn bytes(count: u64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    UNITS
        .into_iter()
        .find(|(unit, _)| count as f64 >= *unit)
        .map_or_else(
            || format!("{count} B"),
            |(unit, name)| format!("{:.1} {name}", count as f64 / unit),
        )
}
