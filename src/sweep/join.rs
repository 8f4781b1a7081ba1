//! Rows from the documents of shards.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::compute::{Finished, KnownRows, document};
use super::points::Sweep;
use crate::document::{SweepDocument, rows_sha256};

/// Why a document gives no rows.
#[derive(Debug, Error)]
#[error("the result `{}` cannot be joined", path.display())]
pub struct JoinError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: JoinFault,
}

/// What is wrong with a document.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JoinFault {
    /// The file could not be read.
    #[error("it cannot be read")]
    Read(#[from] io::Error),
    /// It is no result of a sweep, or a part of one.
    #[error("it is no whole document of `{}`", SweepDocument::SCHEMA)]
    Malformed(#[from] serde_json::Error),
    /// It was made from something else.
    #[error("its {what} is another one than that of this sweep")]
    Foreign {
        /// What differs.
        what: &'static str,
    },
    /// Its rows are not those that were written.
    #[error("its rows were altered: their hash is not the one that it states")]
    Altered,
    /// It contradicts a file before it.
    #[error("paytable {paytable} has other rows than in a file before it")]
    Contradiction {
        /// The paytable, from 0.
        paytable: u64,
    },
}

/// The rows that the documents of shards hold, in any order of files; a part may be missing,
/// empty, cut short by an interrupt, or there twice.
///
/// # Errors
/// - [`JoinError`]: the first file that is not of this sweep, was altered, or contradicts one
///   before it
pub fn joined(sweep: &Sweep, paths: &[PathBuf]) -> Result<KnownRows, JoinError> {
    let nothing = Finished {
        rows: Vec::new(),
        is_complete: true,
    };
    let expected = document(sweep, None, nothing);
    let mut known = KnownRows::new();
    for path in paths {
        add(&expected, &mut known, path).map_err(|fault| JoinError {
            path: path.clone(),
            fault,
        })?;
    }
    Ok(known)
}

fn add(expected: &SweepDocument, known: &mut KnownRows, path: &Path) -> Result<(), JoinFault> {
    let found: SweepDocument = serde_json::from_slice(&fs::read(path)?)?;
    let differences = [
        ("schema", found.schema != expected.schema),
        (
            "program version",
            found.tool.version != expected.tool.version,
        ),
        ("sweep file", found.sweep != expected.sweep),
        ("base paytable", found.paytable != expected.paytable),
        (
            "list of paytables",
            found.paytables != expected.paytables || found.keys != expected.keys,
        ),
        ("simulation plan", found.simulate != expected.simulate),
    ];
    if let Some((what, _)) = differences.into_iter().find(|(_, differs)| *differs) {
        return Err(JoinFault::Foreign { what });
    }
    let is_inside = found.rows.iter().all(|row| row.paytable < found.paytables);
    if !is_inside || rows_sha256(&found.rows) != found.rows_sha256 {
        return Err(JoinFault::Altered);
    }
    let mut rows = KnownRows::new();
    for row in found.rows {
        rows.entry(row.paytable).or_default().push(row);
    }
    for (paytable, rows) in rows {
        match known.get(&paytable) {
            Some(before) if *before != rows => {
                return Err(JoinFault::Contradiction { paytable });
            }
            _ => known.insert(paytable, rows),
        };
    }
    Ok(())
}
