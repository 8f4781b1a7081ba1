//! Job files that play a run in shards on a scheduler, and the run's merge and certificate.
//!
//! A scheduler only starts programs: which rounds a shard plays, that a result is whole and
//! that all of them make the run is decided by `simulate --shard` and `merge`, by content and
//! hash. So the files here carry no state, a task may be started any number of times, and
//! nothing that a scheduler says of a task is believed over a file.
//!
//! The files are text for a person to read before it runs; every value that enters one is
//! quoted for its language, and what no quoting could carry safely is refused. The same run
//! and settings give the same bytes.
//!
//! What Slurm does when a task dies, is cancelled or loses its node was observed on Slurm
//! 22.05.8; the manifests follow the schema of Kubernetes 1.31.
//!
//! | file | content |
//! | --- | --- |
//! | `slurm`, `sbatch` | a job array with its merge job, and the options of `sbatch` |
//! | `kubernetes` | an indexed Job, a merge Job and a Containerfile |
//! | `shell`, `yaml` | values quoted |
//! | `templates` | the texts |

mod kubernetes;
mod sbatch;
mod shell;
mod slurm;
#[cfg(test)]
mod testing;
mod yaml;

use std::time::Duration;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;
use thiserror::Error;

use crate::paytable::PaytableFile;

pub use kubernetes::{Kubernetes, kubernetes};
pub use sbatch::SbatchOption;
pub use slurm::{Slurm, slurm};

/// Most shards of a run: as many indices as a Job of Kubernetes with retries for each may have.
pub const MAX_SHARDS: u32 = 100_000;

/// A run to be played in shards.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The paytable; its text is copied.
    pub file: &'a PaytableFile,
    /// Rounds of the whole run for each trigger.
    pub rounds: u64,
    /// Number of shards, from 1 to [`MAX_SHARDS`].
    pub shards: u32,
    /// The seed as `simulate --seed` takes it, the same for all shards: never a drawn one.
    pub seed: &'a str,
    /// Further arguments of `simulate`, each an option with its value.
    pub options: &'a [[String; 2]],
    /// Time between two writes of a shard's checkpoint.
    pub checkpoint_every: Duration,
}

impl Run<'_> {
    /// What decides the run, as options of `simulate` with their values.
    fn arguments(&self) -> Vec<[String; 2]> {
        let mut arguments = vec![
            ["--rounds".to_owned(), self.rounds.to_string()],
            ["--seed".to_owned(), self.seed.to_owned()],
        ];
        arguments.extend_from_slice(self.options);
        arguments
    }

    /// The time between two checkpoints as `--checkpoint-every` takes it, at least a
    /// millisecond.
    fn every(&self) -> String {
        let milliseconds = self.checkpoint_every.as_millis().max(1);
        if milliseconds.is_multiple_of(1000) {
            format!("{}s", milliseconds / 1000)
        } else {
            format!("{milliseconds}ms")
        }
    }

    fn check(&self) -> Result<(), ClusterError> {
        if !(1..=MAX_SHARDS).contains(&self.shards) {
            return Err(ClusterError::Shards(self.shards));
        }
        for [option, value] in self.arguments() {
            one_line(&option, &value)?;
        }
        Ok(())
    }

    /// The paytable's own text, which the shards are played from.
    fn paytable(&self) -> JobFile {
        JobFile {
            name: "paytable.toml",
            text: self.file.text.clone(),
            is_executable: false,
        }
    }
}

/// A file of a run's folder, complete in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFile {
    /// File name without a folder.
    pub name: &'static str,
    /// Its text.
    pub text: String,
    /// Whether it is to be run by its name.
    pub is_executable: bool,
}

/// The content of a run's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFolder {
    /// Its files.
    pub files: Vec<JobFile>,
    /// Empty folders in it, which the scripts write into.
    pub folders: &'static [&'static str],
}

/// Why job files could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The number of shards.
    #[error("found {0} shards, expected 1 to {MAX_SHARDS}")]
    Shards(u32),
    /// A value with a line feed or another control character, which neither a script nor a
    /// person who reads it should meet.
    #[error("{what} holds a control character: {value:?}")]
    Control {
        /// What was given.
        what: String,
        /// The value.
        value: String,
    },
    /// A name that a scheduler would not take.
    #[error("{what} is {value:?}, expected {expected}")]
    Value {
        /// What was given.
        what: &'static str,
        /// The value.
        value: String,
        /// The legal form.
        expected: &'static str,
    },
    /// An option of `sbatch` on which the scripts rely.
    #[error("`--{0}` of sbatch is set by the scripts themselves")]
    OwnOption(String),
    /// A template did not render.
    #[error("a job file could not be rendered")]
    Template(#[from] minijinja::Error),
}

/// Refuses a value that does not stay on its line.
fn one_line(what: &str, value: &str) -> Result<(), ClusterError> {
    if value.chars().any(char::is_control) {
        return Err(ClusterError::Control {
            what: what.to_owned(),
            value: value.to_owned(),
        });
    }
    Ok(())
}

/// A template filled in. Nothing is escaped: the context holds values quoted already.
fn render(source: &str, context: &impl Serialize) -> Result<String, ClusterError> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()?,
    );
    Ok(environment
        .template_from_str(source)?
        .render(minijinja::value::Serde(context))?)
}
