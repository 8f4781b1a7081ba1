//! `sweep`: many changed paytables.

use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::bail;
use wonderspins::document::{SweepDocument, SweepRow, to_json};
use wonderspins::engine::Shard;
use wonderspins::report::figures;
use wonderspins::report::format::grouped;
use wonderspins::report::sweep as tables;
use wonderspins::sweep::{
    self, CheckpointHeader, KnownRows, PointFault, Sweep, SweepCheckpoint, SweepCheckpointError,
    Variant,
};

use super::{print, write_file};
use crate::args::{Sweep as Args, TableFormat};
use crate::exit::ExitStatus;
use crate::{message, progress, table};

/// Paytables whose faults are told where a sweep is refused.
const TOLD: usize = 20;
/// Rows of the text.
const SHOWN: usize = 40;
/// Characters of a changed value in the text.
const WIDEST: usize = 24;

pub(crate) fn run(args: &Args, quiet: bool) -> anyhow::Result<ExitStatus> {
    if args.format == TableFormat::Parquet && args.output.is_none() {
        bail!("`--format parquet` needs `--output FILE`: it is no text");
    }
    for path in [&args.output, &args.plot].into_iter().flatten() {
        can_be_written(path)?;
    }
    let sweep = Sweep::load(&args.file)?;
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let range = shard.part_of(sweep.paytables());
    if !args.skip_faulty {
        refuse_faults(&sweep, range.clone())?;
    }
    let mut known = sweep::joined(&sweep, &args.join)?;
    known.retain(|paytable, _| range.contains(paytable));
    if !args.join.is_empty() {
        message::note(
            quiet,
            &format!(
                "{} of {} paytables are in the results that were joined",
                grouped(&known.len().to_string()),
                grouped(&sweep.paytables().to_string())
            ),
        );
    }
    let mut checkpoint = checkpoint(args, &sweep, shard, &mut known, quiet)?;
    progress::catch_interrupts(quiet)?;
    let finished = computed(&sweep, &range, &known, &mut checkpoint, quiet)?;
    let document = sweep::document(&sweep, args.shard, finished);
    // A file holds a whole result; what there is of another goes to the checkpoint alone.
    if document.complete || args.output.is_none() {
        write(args, &document)?;
    }
    if !document.complete {
        let what = match &args.output {
            Some(path) => format!("`{}` was not written", path.display()),
            None => "the result is partial".to_owned(),
        };
        let how = args.checkpoint.as_ref().map_or_else(String::new, |path| {
            format!("; `--resume` goes on with `{}`", path.display())
        });
        message::note(quiet, &format!("the sweep was interrupted; {what}{how}"));
    }
    let faulty = document.faulty_rows();
    if faulty > 0 {
        let rows = document.rows.len();
        message::note(quiet, &format!("{faulty} of {rows} rows have a fault"));
    }
    Ok(if document.complete && faulty == 0 {
        ExitStatus::Success
    } else {
        ExitStatus::CheckFailed
    })
}

/// A result that cannot be written should be refused before hours of work.
fn can_be_written(path: &Path) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if path.is_dir() {
        bail!("`{}` is a folder", path.display());
    }
    if !folder.is_dir() {
        bail!("there is no folder `{}`", folder.display());
    }
    Ok(())
}

fn refuse_faults(sweep: &Sweep, range: Range<u64>) -> anyhow::Result<()> {
    let count = range.end - range.start;
    let faults = sweep::faults(sweep, range);
    if faults.is_empty() {
        return Ok(());
    }
    let mut text = format!(
        "{} of {} paytables of the sweep are not legal",
        grouped(&faults.len().to_string()),
        grouped(&count.to_string())
    );
    for (variant, fault) in faults.iter().take(TOLD) {
        text.push('\n');
        text.push_str(&told(variant, fault));
    }
    if faults.len() > TOLD {
        let rest = faults.len() - TOLD;
        text.push_str(&format!("\nand {} more", grouped(&rest.to_string())));
    }
    text.push_str("\n`--skip-faulty` leaves them out");
    bail!(text)
}

/// `paytable 3 (rules.max_meter = 0): rules.max_meter: found 0, expected ...`.
fn told(variant: &Variant, fault: &PointFault) -> String {
    let point = variant.point.iter().cloned();
    let values = variant
        .values
        .iter()
        .map(|(key, value)| format!("{key} = {}", cut(&value.to_string())));
    let which: Vec<String> = point.chain(values).collect();
    // Several faults of one paytable stay below each other.
    let fault = fault.to_string().replace('\n', "\n  ");
    format!("paytable {} ({}): {fault}", variant.index, which.join(", "))
}

/// Opens or makes the checkpoint, and adds its rows to those that are known.
fn checkpoint(
    args: &Args,
    sweep: &Sweep,
    shard: Shard,
    known: &mut KnownRows,
    quiet: bool,
) -> anyhow::Result<Option<SweepCheckpoint>> {
    let Some(path) = &args.checkpoint else {
        return Ok(None);
    };
    let header = CheckpointHeader::new(sweep, shard);
    if args.resume {
        if let Some((checkpoint, rows)) = SweepCheckpoint::open(path, &header)? {
            message::note(
                quiet,
                &format!(
                    "{} paytables are in the checkpoint",
                    grouped(&rows.len().to_string())
                ),
            );
            known.extend(rows);
            return Ok(Some(checkpoint));
        }
        message::note(
            quiet,
            &format!(
                "there is no checkpoint `{}` yet: the sweep begins",
                path.display()
            ),
        );
    }
    Ok(Some(SweepCheckpoint::create(path, &header)?))
}

/// Computes what is not known, with progress, and keeps what is finished.
fn computed(
    sweep: &Sweep,
    range: &Range<u64>,
    known: &KnownRows,
    checkpoint: &mut Option<SweepCheckpoint>,
    quiet: bool,
) -> anyhow::Result<sweep::Finished> {
    let counter =
        progress::Counter::new("sweep", range.end - range.start, known.len() as u64, quiet);
    let keeper: Mutex<(&mut Option<SweepCheckpoint>, Option<SweepCheckpointError>)> =
        Mutex::new((checkpoint, None));
    let watch = |_: u64, rows: &[SweepRow]| {
        let mut guard = keeper.lock().unwrap_or_else(PoisonError::into_inner);
        let (checkpoint, failure) = &mut *guard;
        if let Some(checkpoint) = checkpoint
            && failure.is_none()
        {
            let _whole = progress::hold_exit();
            *failure = checkpoint.add(rows).err();
        }
        counter.step();
        if failure.is_some() || progress::is_interrupted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let finished = sweep::run(sweep, range.clone(), known, &watch);
    counter.finish();
    let (checkpoint, failure) = keeper.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Hours of work may rest on the checkpoint: a write that fails ends the sweep.
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    if let Some(checkpoint) = checkpoint {
        checkpoint.sync()?;
    }
    Ok(finished)
}

fn write(args: &Args, document: &SweepDocument) -> anyhow::Result<()> {
    let bytes = match args.format {
        TableFormat::Text => text(document).into_bytes(),
        TableFormat::Json => to_json(document).into_bytes(),
        TableFormat::Csv => tables::csv(document)?.into_bytes(),
        TableFormat::Parquet => tables::parquet(document)?,
    };
    let plot = args
        .plot
        .as_ref()
        .filter(|_| document.complete)
        .map(|path| Ok::<_, anyhow::Error>((path, figures::of_sweep(document)?)))
        .transpose()?;
    if let Some((path, svg)) = plot {
        write_file(path, svg.as_bytes())?;
    }
    match &args.output {
        Some(path) => write_file(path, &bytes),
        None => print(&String::from_utf8(bytes)?),
    }
}

fn text(document: &SweepDocument) -> String {
    let mut text = format!(
        "{}\nsweep sha256 {}\nof {}\n",
        textwrap::fill(&document.sweep.name, 80),
        document.sweep.sha256,
        textwrap::fill(&document.paytable.name, 77)
    );
    if !document.complete {
        text.push_str("interrupted: what follows is what was computed until then\n");
    }
    let names = short_names(&document.keys);
    let has_points = document.rows.iter().any(|row| row.point.is_some());
    let has_runs = document.simulate.is_some();
    let mut header = Vec::new();
    if has_points {
        header.push("POINT");
    }
    header.extend(names.iter().map(String::as_str));
    let texts = header.len();
    header.extend(["BET", "RTP %", "SD", "HIT %"]);
    if has_runs {
        header.push("Z");
    }
    let mut rows = table::plain(&header);
    table::align_right(&mut rows, texts);
    for row in document.rows.iter().take(SHOWN) {
        rows.add_row(cells(document, row, has_points, has_runs));
    }
    text.push('\n');
    text.push_str(&table::render(&rows));
    let mut faults: Vec<&str> = Vec::new();
    for fault in document
        .rows
        .iter()
        .take(SHOWN)
        .filter_map(|row| row.fault.as_deref())
    {
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    for fault in faults {
        for line in textwrap::wrap(&format!("no figures: {fault}"), 80) {
            text.push_str(&format!("{line}\n"));
        }
    }
    if document.rows.len() > SHOWN {
        text.push_str(&format!(
            "\n{SHOWN} of {} rows; `--format csv`, `json` or `parquet` gives all.\n",
            grouped(&document.rows.len().to_string())
        ));
    }
    text.push_str("\nRTP: overall, gross. SD: of the gross return given the trigger, in wagers.\n");
    if text.contains('≥') {
        text.push_str("Two lines in a cell are proven bounds that differ in the digits shown.\n");
    }
    if has_runs {
        text.push_str("Z: simulated mean less exact mean, in standard errors.\n");
    }
    text
}

fn cells(
    document: &SweepDocument,
    row: &SweepRow,
    has_points: bool,
    has_runs: bool,
) -> Vec<String> {
    let mut cells = Vec::new();
    if has_points {
        cells.push(row.point.clone().unwrap_or_default());
    }
    cells.extend(document.keys.iter().map(|key| {
        row.values
            .get(key)
            .map_or_else(|| "-".to_owned(), |value| cut(&value.to_string()))
    }));
    let none = || "-".to_owned();
    cells.push(row.trigger.map_or_else(none, |trigger| trigger.to_string()));
    match &row.figures {
        Some(figures) => cells.extend([
            table::share(&figures.rtp, 3),
            table::plain_number(&figures.std_dev_return),
            table::share(&figures.hit_frequency, 3),
        ]),
        None => cells.extend([none(), none(), none()]),
    }
    if has_runs {
        let z = row.simulated.as_ref().and_then(|run| run.z_mean);
        cells.push(z.map_or_else(none, |z| format!("{z:+.2}")));
    }
    cells
}

/// The ends of key paths, each as short as it may be without being that of another.
fn short_names(keys: &[String]) -> Vec<String> {
    let end = |key: &str, parts: usize| {
        let all: Vec<&str> = key.split('.').collect();
        all[all.len().saturating_sub(parts)..].join(".")
    };
    keys.iter()
        .map(|key| {
            (1..=key.split('.').count())
                .map(|parts| (parts, end(key, parts)))
                .find(|(parts, name)| {
                    keys.iter()
                        .filter(|other| end(other, *parts) == *name)
                        .count()
                        == 1
                })
                .map_or_else(|| key.clone(), |(_, name)| name)
        })
        .collect()
}

/// A text cut to what a column has room for.
fn cut(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(WIDEST - 3).collect();
    format!("{start}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_may_be() {
        let keys = [
            "rules.eat_me.spins",
            "rules.drink_me.spins",
            "rules.max_meter",
        ];
        assert_eq!(
            short_names(&keys.map(ToOwned::to_owned)),
            ["eat_me.spins", "drink_me.spins", "max_meter"]
        );
    }
}
