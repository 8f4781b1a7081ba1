//! Errors and notes on standard error.

use std::io::{self, Write as _};

use wonderspins::engine::CheckpointError;
use wonderspins::paytable::{Faults, PaytableError};
use wonderspins::regulation::ProfileError;
use wonderspins::shards::{MergeError, MergeFault};
use wonderspins::sweep::{SweepCheckpointError, SweepError};

use crate::args::ErrorFormat;

/// Whether the reader of standard output went away, which is no fault.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The first line of a parser's message without its `error: ` prefix.
pub(crate) fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line)
}

/// Prints an error: `error:`, one `caused by:` for each cause, and a hint.
pub(crate) fn print_error(error: &anyhow::Error, format: ErrorFormat) {
    let hint = error.chain().find_map(hint);
    let mut stderr = anstream::stderr().lock();
    // A failing write of an error message has nowhere left to be reported.
    let _ = match format {
        ErrorFormat::Text => {
            let mut text = format!("error: {error}\n");
            for cause in error.chain().skip(1) {
                text.push_str(&format!("caused by: {cause}\n"));
            }
            if let Some(hint) = hint {
                text.push_str(&format!("\nhint: {hint}\n"));
            }
            stderr.write_all(text.as_bytes())
        }
        ErrorFormat::Json => {
            let mut object = serde_json::json!({
                "schema": "wonderspins/error/1",
                "error": error.to_string(),
                "causes": error.chain().skip(1).map(ToString::to_string).collect::<Vec<_>>(),
                "exit_code": 2,
            });
            if let Some(hint) = hint {
                object["hint"] = hint.into();
            }
            if let Some(faults) = error.chain().find_map(faults_of) {
                object["faults"] = faults.iter().map(fault_json).collect();
            }
            if let Some(MergeError::Faults(faults)) =
                error.chain().find_map(|cause| cause.downcast_ref())
            {
                object["faults"] = faults.iter().map(merge_fault_json).collect();
            }
            writeln!(stderr, "{object}")
        }
    };
}

/// What may help against an error.
fn hint(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(error) = cause.downcast_ref::<PaytableError>() {
        return error.hint();
    }
    let is_there = matches!(cause.downcast_ref(), Some(CheckpointError::Exists { .. }))
        || matches!(
            cause.downcast_ref(),
            Some(SweepCheckpointError::Exists { .. })
        );
    is_there.then(|| "`--resume` goes on with its run; another file name begins another".to_owned())
}

/// The faults of a file, where that is the error.
fn faults_of<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e Faults> {
    if let Some(PaytableError::Faults(faults)) = cause.downcast_ref() {
        return Some(faults);
    }
    if let Some(ProfileError::Faults(faults)) = cause.downcast_ref() {
        return Some(faults);
    }
    match cause.downcast_ref() {
        Some(SweepError::Faults(faults)) => Some(faults),
        _ => None,
    }
}

fn merge_fault_json(fault: &MergeFault) -> serde_json::Value {
    let files: Vec<_> = fault
        .paths()
        .iter()
        .map(|path| path.to_string_lossy())
        .collect();
    serde_json::json!({
        "kind": fault.kind(),
        "files": files,
        "message": fault.to_string(),
    })
}

fn fault_json(fault: &wonderspins::paytable::Fault) -> serde_json::Value {
    serde_json::json!({
        "file": fault.file,
        "line": fault.line,
        "column": fault.column,
        "key": fault.key,
        "found": fault.found,
        "legal": fault.legal,
        "clause": fault.clause.map(|clause| clause.to_string()),
        "message": fault.message,
    })
}

/// Prints a note on standard error unless the user asked for quiet.
pub(crate) fn note(quiet: bool, text: &str) {
    if !quiet {
        let _ = writeln!(anstream::stderr().lock(), "note: {text}");
    }
}
