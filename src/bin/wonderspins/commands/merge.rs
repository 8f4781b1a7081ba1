//! `merge`: the shards of a run joined.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use wonderspins::document::{SimulateDocument, to_json};
use wonderspins::report::format::grouped;
use wonderspins::shards::Merger;

use super::print;
use super::results::{self, Part};
use crate::args::{Format, Merge};
use crate::exit::ExitStatus;
use crate::message;

pub(crate) fn run(args: &Merge, quiet: bool) -> anyhow::Result<ExitStatus> {
    let mut files = files(&args.files)?;
    if args.list_missing {
        // A shard that was not written yet is what is looked for.
        files.retain(|path| path.exists());
        return list_missing(&files, args.shards, quiet);
    }
    let merged = Merger::read(&files, args.output.is_some()).finish()?;
    if let Some(path) = &args.output {
        results::keep(path, &mut merged.document()?)?;
    }
    let format = match args.format {
        None if args.output.is_none() => Format::Json,
        None => return Ok(ExitStatus::Success),
        Some(format) => format,
    };
    let document = SimulateDocument::new(&merged.file, true, merged.triggers()?, None);
    print(&match format {
        Format::Json => to_json(&document),
        Format::Csv => results::csv(&document.triggers)?,
        Format::Text => {
            let part = Part::Whole { is_complete: true };
            results::text(&document.paytable, &part, &document.triggers)
        }
    })?;
    Ok(ExitStatus::Success)
}

/// Prints what has to be played yet.
fn list_missing(files: &[PathBuf], count: Option<u64>, quiet: bool) -> anyhow::Result<ExitStatus> {
    let Some(missing) = Merger::read(files, false).missing(count) else {
        bail!(
            "nothing tells the number of shards: there is no good file, or there are shards of \
             several numbers; `--shards N` says it"
        );
    };
    for fault in &missing.faults {
        message::note(quiet, &fault.to_string());
    }
    let lines = missing
        .indices
        .iter()
        .fold(String::new(), |lines, index| lines + &format!("{index}\n"));
    print(&lines)?;
    message::note(
        quiet,
        &format!(
            "{} of {} shards are missing",
            grouped(&missing.indices.len().to_string()),
            grouped(&missing.count.to_string())
        ),
    );
    Ok(if missing.indices.is_empty() {
        ExitStatus::Success
    } else {
        ExitStatus::CheckFailed
    })
}

/// The files, with those of folders in the order of their names.
fn files(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in arguments {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = || format!("the folder `{}` cannot be read", path.display());
        let mut found = Vec::new();
        for entry in fs::read_dir(path).with_context(failed)? {
            let path = entry.with_context(failed)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                found.push(path);
            }
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}
