//! What can be wrong with shards.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::cover::Part;
use crate::document::{PlanFault, SimulateDocument};
use crate::engine::{EngineError, SeedFault, ShardError};
use crate::paytable::PaytableError;
use crate::rules::Trigger;
use crate::stats::StatsError;

/// Why a file is not the result of a run or of a shard.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PieceFault {
    /// The system does not give it.
    #[error("cannot be read")]
    Read(#[source] io::Error),
    /// The text ends inside of the document.
    #[error("truncated: the document goes on after its {bytes} bytes")]
    Truncated {
        /// Bytes of the file.
        bytes: usize,
    },
    /// The hash that it states is not its own.
    #[error("altered: its bytes do not have the SHA-256 that it states")]
    Altered,
    /// It is not JSON.
    #[error("not a JSON document")]
    NoDocument,
    /// It is another document, or of another version.
    #[error("`schema` is \"{found}\", expected \"{}\"", SimulateDocument::SCHEMA)]
    Schema {
        /// The schema found.
        found: String,
    },
    /// It is a result that was printed and not kept.
    #[error("a result without leaves: `simulate` keeps them with `--output` and `--shard`")]
    NoLeaves,
    /// A key is missing, or its value is of another kind.
    #[error("`{key}`: {message}")]
    Key {
        /// Path of the key.
        key: String,
        /// What is wrong with it.
        message: String,
    },
    /// The same content in another form, or keys that this version does not know.
    #[error("not in the one form that such a document has")]
    Form,
    /// A run that was interrupted.
    #[error("partial: not every round was played")]
    Partial,
    /// Its parts are of different triggers, or of some that the paytable does not have.
    #[error("the triggers {found:?} with leaves of {of_leaves:?} are not some of the paytable")]
    Triggers {
        /// Triggers of the results.
        found: Vec<u32>,
        /// Triggers of the leaves.
        of_leaves: Vec<u32>,
    },
    /// A value follows from others, and is not what follows.
    #[error("`{key}` is {found}, expected {expected}")]
    Value {
        /// Path of the key.
        key: String,
        /// Its value.
        found: String,
        /// What follows.
        expected: String,
    },
    /// The plan.
    #[error(transparent)]
    Plan(#[from] PlanFault),
    /// The origin of the seed.
    #[error(transparent)]
    Seed(#[from] SeedFault),
    /// There is no such shard.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The paytable that it carries has faults.
    #[error("its paytable cannot be read")]
    Paytable(#[from] PaytableError),
    /// A leaf is not Base64.
    #[error("a leaf of {trigger} Wonderspins is not Base64")]
    Base64 {
        /// The trigger.
        trigger: Trigger,
    },
    /// The leaves are not those of its batches.
    #[error("wrong leaves of {trigger} Wonderspins")]
    Leaves {
        /// The trigger.
        trigger: Trigger,
        /// What is wrong.
        #[source]
        source: EngineError,
    },
    /// The leaves do not add up to the results beside them.
    #[error("the leaves of {trigger} Wonderspins do not add up to its results")]
    Tally {
        /// The trigger.
        trigger: Trigger,
    },
    /// It is not a whole run.
    #[error("it is shard {part} of a run: `merge` joins all of them")]
    NotWhole {
        /// Which part it is.
        part: Part,
    },
}

/// The first difference of one run to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// What differs.
    pub what: &'static str,
    /// That of the file.
    pub found: String,
    /// That of most files.
    pub expected: String,
}

/// One reason why files cannot be merged.
#[derive(Debug)]
#[non_exhaustive]
pub enum MergeFault {
    /// A file is no result.
    Piece {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: PieceFault,
    },
    /// A file is of another run than most.
    Foreign {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: Foreign,
    },
    /// Two files or more are of the same part.
    Doubled {
        /// The files, in the order in which they were given.
        paths: Vec<PathBuf>,
        /// The part.
        part: Part,
    },
    /// Two files have some batches in common.
    Overlapping {
        /// The files.
        paths: [PathBuf; 2],
        /// Their parts.
        parts: [Part; 2],
    },
    /// Parts that no good file has; of shards of one number their indices, as text.
    Missing {
        /// What is missing.
        what: String,
    },
    /// Nothing was given.
    Nothing,
    /// The results pass their integer types.
    Sum(EngineError),
}

impl MergeFault {
    /// A word for scripts.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Piece { fault, .. } => match fault {
                PieceFault::Read(_) => "unreadable",
                PieceFault::Truncated { .. } => "truncated",
                PieceFault::Altered => "altered",
                _ => "invalid",
            },
            Self::Foreign { .. } => "foreign",
            Self::Doubled { .. } => "doubled",
            Self::Overlapping { .. } => "overlapping",
            Self::Missing { .. } | Self::Nothing => "missing",
            Self::Sum(_) => "sum",
        }
    }

    /// The files concerned.
    #[must_use]
    pub fn paths(&self) -> &[PathBuf] {
        match self {
            Self::Piece { path, .. } | Self::Foreign { path, .. } => std::slice::from_ref(path),
            Self::Doubled { paths, .. } => paths,
            Self::Overlapping { paths, .. } => paths,
            Self::Missing { .. } | Self::Nothing | Self::Sum(_) => &[],
        }
    }
}

impl fmt::Display for MergeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |paths: &[PathBuf]| {
            let names: Vec<_> = paths
                .iter()
                .map(|path| format!("`{}`", path.display()))
                .collect();
            names.join(", ")
        };
        match self {
            Self::Piece { path, fault } => {
                write!(f, "`{}`: {fault}", path.display())?;
                let mut cause = std::error::Error::source(fault);
                while let Some(error) = cause {
                    write!(f, ": {error}")?;
                    cause = error.source();
                }
                Ok(())
            }
            Self::Foreign { path, difference } => write!(
                f,
                "`{}`: foreign: it has another {}: found {}, expected {}",
                path.display(),
                difference.what,
                difference.found,
                difference.expected
            ),
            Self::Doubled { paths, part } => {
                write!(f, "{}: doubled: each is shard {part}", names(paths))
            }
            Self::Overlapping { paths, parts } => write!(
                f,
                "{}: overlapping: shards {} and {} have batches in common",
                names(paths),
                parts[0],
                parts[1]
            ),
            Self::Missing { what } => write!(f, "missing: {what}"),
            Self::Nothing => f.write_str("missing: there is no result at all"),
            Self::Sum(error) => error.fmt(f),
        }
    }
}

/// Why there is no merged result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// Everything that is wrong with the files.
    #[error("the shards cannot be merged{}", lines(.0))]
    Faults(Vec<MergeFault>),
    /// The estimates of the whole.
    #[error("the statistics of the run are not defined")]
    Stats(#[from] StatsError),
}

fn lines(faults: &[MergeFault]) -> String {
    let line = |fault: &MergeFault| format!("\n  {fault}");
    faults.iter().map(line).collect()
}
