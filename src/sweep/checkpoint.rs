//! Finished rows on disk: one header line, then one line of JSON for each finished paytable.
//!
//! Lines are only ever added, in the order in which paytables were finished, so a process that
//! dies leaves whole lines and perhaps the beginning of one, which is dropped on resumption.
//! Each line states a hash of its content: one that was altered is refused, not believed.
//! An advisory lock, where the file system has them, keeps a second run away.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::compute::KnownRows;
use super::points::{Sweep, described};
use crate::document::{SweepRow, SweepShard, Tool};
use crate::engine::Shard;
use crate::paytable::hex;

const SCHEMA: &str = "wonderspins/sweep-checkpoint/1";

/// Why a checkpoint cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SweepCheckpointError {
    /// There is a file where one should be made.
    #[error("there is a checkpoint `{}` already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another process works with it.
    #[error("another run works with the checkpoint `{}`", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// It belongs to something else.
    #[error("the checkpoint `{}` is of another {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// Its content is not what was written.
    #[error("line {line} of the checkpoint `{}` was altered", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// Reading or writing failed.
    #[error("the checkpoint `{}` could not be {action}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `read` or `written`.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// What a checkpoint belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointHeader {
    schema: String,
    version: String,
    sweep_sha256: String,
    paytable_file_sha256: String,
    shard: SweepShard,
}

impl CheckpointHeader {
    /// The header of a run.
    #[must_use]
    pub fn new(sweep: &Sweep, shard: Shard) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            version: Tool::current().version,
            sweep_sha256: sweep.id().sha256,
            paytable_file_sha256: sweep.base().file_sha256.clone(),
            shard: described(shard, sweep.paytables()),
        }
    }

    /// What another header differs in, the first of it.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        [
            ("kind", self.schema != other.schema),
            ("version of the program", self.version != other.version),
            ("sweep", self.sweep_sha256 != other.sweep_sha256),
            (
                "base paytable",
                self.paytable_file_sha256 != other.paytable_file_sha256,
            ),
            ("shard", self.shard != other.shard),
        ]
        .into_iter()
        .find(|(_, differs)| *differs)
        .map(|(what, _)| what)
    }
}

/// A line with its hash, 32 hexadecimal digits of SHA-256 over the compact JSON of `rows`.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    check: String,
    rows: Vec<SweepRow>,
}

impl Line {
    fn new(rows: Vec<SweepRow>) -> Self {
        Self {
            check: check(&rows),
            rows,
        }
    }

    /// The paytable whose rows these are, where they are whole.
    fn paytable(&self) -> Option<u64> {
        let paytable = self.rows.first()?.paytable;
        let is_one = self.rows.iter().all(|row| row.paytable == paytable);
        (is_one && self.check == check(&self.rows)).then_some(paytable)
    }
}

fn check(rows: &[SweepRow]) -> String {
    let text = serde_json::to_string(rows).expect("rows serialise to JSON");
    hex(&Sha256::digest(text)[..16])
}

/// The checkpoint of a run under way; nobody else's until this is dropped.
#[derive(Debug)]
pub struct SweepCheckpoint {
    path: PathBuf,
    file: File,
}

impl SweepCheckpoint {
    /// Makes a checkpoint where there is none.
    ///
    /// # Errors
    /// - [`SweepCheckpointError::Exists`], [`SweepCheckpointError::Busy`],
    ///   [`SweepCheckpointError::Io`]
    ///
    /// # Panics
    /// Never: a header has no map whose keys are not text.
    pub fn create(path: &Path, header: &CheckpointHeader) -> Result<Self, SweepCheckpointError> {
        let failed = |source| io_error(path, "written", source);
        let opened = OpenOptions::new()
            .read(true)
            .append(true)
            .create_new(true)
            .open(path);
        let mut file = match opened {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(SweepCheckpointError::Exists {
                    path: path.to_owned(),
                });
            }
            opened => opened.map_err(failed)?,
        };
        lock(&file, path)?;
        let mut line = serde_json::to_string(header).expect("a header serialises to JSON");
        line.push('\n');
        file.write_all(line.as_bytes()).map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
        })
    }

    /// Opens a checkpoint and reads its rows; `None` where there is no file.
    ///
    /// # Errors
    /// - [`SweepCheckpointError::Busy`], [`SweepCheckpointError::Io`]
    /// - [`SweepCheckpointError::Foreign`]: another sweep, base, shard or version
    /// - [`SweepCheckpointError::Altered`]: a line is not as it was written; nothing is changed
    pub fn open(
        path: &Path,
        header: &CheckpointHeader,
    ) -> Result<Option<(Self, KnownRows)>, SweepCheckpointError> {
        let failed = |source| io_error(path, "read", source);
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(failed)?,
        };
        lock(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // What follows the last line feed is a line that was cut short.
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let altered = |line| SweepCheckpointError::Altered {
            path: path.to_owned(),
            line,
        };
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let first = lines.next().ok_or_else(|| altered(1))?;
        let found: CheckpointHeader = serde_json::from_slice(first).map_err(|_| altered(1))?;
        if let Some(what) = header.difference(&found) {
            return Err(SweepCheckpointError::Foreign {
                path: path.to_owned(),
                what,
            });
        }
        let mut known = KnownRows::new();
        for (index, line) in lines.enumerate() {
            let line: Line = serde_json::from_slice(line).map_err(|_| altered(index + 2))?;
            let paytable = line
                .paytable()
                .filter(|paytable| (header.shard.start..header.shard.end).contains(paytable))
                .ok_or_else(|| altered(index + 2))?;
            if known.insert(paytable, line.rows).is_some() {
                return Err(altered(index + 2));
            }
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let path = path.to_owned();
        Ok(Some((Self { path, file }, known)))
    }

    /// Adds the rows of a finished paytable.
    ///
    /// # Errors
    /// - [`SweepCheckpointError::Io`]: a part of the line may be in the file
    ///
    /// # Panics
    /// Never: a row has no map whose keys are not text.
    pub fn add(&mut self, rows: &[SweepRow]) -> Result<(), SweepCheckpointError> {
        let line = Line::new(rows.to_vec());
        let mut text = serde_json::to_string(&line).expect("rows serialise to JSON");
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .map_err(|source| io_error(&self.path, "written", source))
    }

    /// Waits until everything is on disk.
    ///
    /// # Errors
    /// - [`SweepCheckpointError::Io`]
    pub fn sync(&self) -> Result<(), SweepCheckpointError> {
        self.file
            .sync_all()
            .map_err(|source| io_error(&self.path, "written", source))
    }

    /// Takes the checkpoint away, for a run that came to nothing.
    ///
    /// # Errors
    /// - [`SweepCheckpointError::Io`]
    pub fn remove(self) -> Result<(), SweepCheckpointError> {
        fs::remove_file(&self.path).map_err(|source| io_error(&self.path, "removed", source))
    }
}

fn lock(file: &File, path: &Path) -> Result<(), SweepCheckpointError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(SweepCheckpointError::Busy {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(source)) => Err(io_error(path, "read", source)),
    }
}

fn io_error(path: &Path, action: &'static str, source: io::Error) -> SweepCheckpointError {
    SweepCheckpointError::Io {
        path: path.to_owned(),
        action,
        source,
    }
}
