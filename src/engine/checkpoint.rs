//! Checkpoints: what a run leaves on disk so that another process can go on.
//!
//! A checkpoint says which run it belongs to ([`RunIdentity`]) and how far each trigger
//! of it is ([`RunState`]), in integers alone. Engine, threads and times are not in it:
//! a run may go on with any of them, and ends with the bytes of a run that never
//! stopped.
//!
//! # Format, version 2
//! All numbers of the frame are little-endian.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0 to 15 | `89`, `WONDERSPINS`, `0D 0A 1A 0A`: no text, and damaged by a transfer as text |
//! | 16 to 19 | format version, u32 |
//! | 20 to 27 | length n of the body, u64 |
//! | 28 to 27 + n | body |
//! | the last 32 | BLAKE3 of all bytes before |
//!
//! The body is [`Checkpoint`] in the encoding of the crate `postcard`, which reads many
//! altered files without complaint: the hash, not the encoding, is what finds damage. It
//! is checked before the version, so the frame and the place of the hash stay the same in
//! every version, and "another version" is never said of a file that is merely damaged.
//!
//! # On disk
//! [`CheckpointFile`] replaces the file as a whole and keeps other runs away from it.

mod file;

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::detail::DetailParts;
use super::error::EngineError;
use super::leaf::Leaf;
use super::plan::RunPlan;
use super::run::RunState;
use super::stream::{BATCH_ROUNDS, SPECIFICATION_VERSION};
use super::tally::{Tally, TallyParts};
use crate::paytable::Paytable;
use crate::rules::Trigger;

pub use file::CheckpointFile;

const MAGIC: [u8; 16] = *b"\x89WONDERSPINS\r\n\x1a\n";

/// Version of the format in this module's header.
const FORMAT_VERSION: u32 = 2;

/// Bytes before the body.
const HEAD: usize = MAGIC.len() + size_of::<u32>() + size_of::<u64>();

/// Bytes of a file with an empty body.
const FRAME: usize = HEAD + blake3::OUT_LEN;

/// Which run a checkpoint belongs to: everything that decides a round or which rounds
/// are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunIdentity {
    /// Version of the engine's specification.
    pub specification_version: u32,
    /// Name of the generator.
    pub generator: String,
    /// Rounds of a batch.
    pub batch_rounds: u32,
    /// SHA-256 of the paytable's canonical form, hexadecimal.
    pub paytable_sha256: String,
    /// The seed.
    pub seed: u64,
    /// Rounds of the whole run for each trigger.
    pub rounds: u64,
    /// Rounds of it, from the first, that are watched.
    pub detail_rounds: u64,
    /// The batches of it that are played here: all, or those of a shard.
    pub batches: Range<u64>,
    /// Numbers of the triggers, in the order in which they are played.
    pub triggers: Vec<u32>,
}

impl RunIdentity {
    /// The identity of a run by this version of the program.
    ///
    /// # Arguments
    /// - `triggers`: in the order in which they are played
    /// - `plan`: of each of them; its trigger and its engine do not enter
    /// - `batches`: those that are played
    #[must_use]
    pub fn new(
        paytable: &Paytable,
        triggers: &[Trigger],
        plan: &RunPlan,
        batches: Range<u64>,
    ) -> Self {
        Self {
            specification_version: SPECIFICATION_VERSION,
            generator: plan.generator.name().to_owned(),
            batch_rounds: BATCH_ROUNDS,
            paytable_sha256: paytable.sha256(),
            seed: plan.seed,
            rounds: plan.rounds,
            detail_rounds: plan.detail_rounds.min(plan.rounds),
            batches,
            triggers: triggers.iter().map(|trigger| trigger.number()).collect(),
        }
    }

    /// The first difference to the run that is wanted, as found and expected.
    fn difference(&self, wanted: &Self) -> Option<CheckpointFault> {
        let triggers = |of: &Self| {
            let numbers: Vec<String> = of.triggers.iter().map(u32::to_string).collect();
            numbers.join(" and ")
        };
        let batches = |of: &Self| format!("{} to {}", of.batches.start, of.batches.end);
        let compared: [(&'static str, String, String); 9] = [
            (
                "engine specification",
                self.specification_version.to_string(),
                wanted.specification_version.to_string(),
            ),
            (
                "paytable",
                self.paytable_sha256.clone(),
                wanted.paytable_sha256.clone(),
            ),
            (
                "generator",
                self.generator.clone(),
                wanted.generator.clone(),
            ),
            (
                "batch size",
                self.batch_rounds.to_string(),
                wanted.batch_rounds.to_string(),
            ),
            ("seed", self.seed.to_string(), wanted.seed.to_string()),
            (
                "number of rounds",
                self.rounds.to_string(),
                wanted.rounds.to_string(),
            ),
            (
                "number of watched rounds",
                self.detail_rounds.to_string(),
                wanted.detail_rounds.to_string(),
            ),
            ("choice of triggers", triggers(self), triggers(wanted)),
            ("range of batches", batches(self), batches(wanted)),
        ];
        compared
            .into_iter()
            .find(|(_, found, expected)| found != expected)
            .map(|(what, found, expected)| CheckpointFault::OtherRun {
                what,
                found,
                expected,
            })
    }
}

/// The state of a run: its identity, and how far each trigger is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    identity: RunIdentity,
    states: Vec<StoredState>,
}

/// The state of one trigger that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StoredState {
    trigger: u32,
    next_batch: u64,
    tally: TallyParts,
    detail: DetailParts,
    leaves: Vec<Leaf>,
}

impl StoredState {
    fn run_state(&self) -> Result<RunState, EngineError> {
        Ok(RunState {
            next_batch: self.next_batch,
            tally: Tally::from_parts(&self.tally)?,
            detail: self.detail.clone(),
            leaves: self.leaves.clone(),
        })
    }
}

impl Checkpoint {
    /// A run that has not begun.
    #[must_use]
    pub const fn new(identity: RunIdentity) -> Self {
        Self {
            identity,
            states: Vec::new(),
        }
    }

    /// The run that this belongs to.
    #[must_use]
    pub const fn identity(&self) -> &RunIdentity {
        &self.identity
    }

    /// How far a trigger is; the start of the range where it has not begun.
    ///
    /// # Errors
    /// [`EngineError`]: the stored results contradict one another, which
    /// [`from_bytes`](Self::from_bytes) has excluded
    pub fn state(&self, trigger: Trigger) -> Result<RunState, EngineError> {
        self.states
            .iter()
            .find(|state| state.trigger == trigger.number())
            .map_or_else(
                || Ok(RunState::start(&self.identity.batches)),
                StoredState::run_state,
            )
    }

    /// Notes how far a trigger is.
    pub fn set_state(&mut self, trigger: Trigger, state: &RunState) {
        let stored = StoredState {
            trigger: trigger.number(),
            next_batch: state.next_batch,
            tally: state.tally.to_parts(),
            detail: state.detail.clone(),
            leaves: state.leaves.clone(),
        };
        match self
            .states
            .iter_mut()
            .find(|state| state.trigger == stored.trigger)
        {
            Some(state) => *state = stored,
            None => self.states.push(stored),
        }
    }

    /// Whether this belongs to the run that is wanted.
    ///
    /// # Errors
    /// [`CheckpointFault::OtherRun`] with the first difference
    pub fn check(&self, wanted: &RunIdentity) -> Result<(), CheckpointFault> {
        self.identity.difference(wanted).map_or(Ok(()), Err)
    }

    /// The bytes of the file.
    ///
    /// # Panics
    /// Never: the body is numbers, texts and lists, which the encoding takes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_stdvec(self).expect("plain data can be encoded");
        framed(FORMAT_VERSION, &body)
    }

    /// Reads the bytes of a file.
    ///
    /// What it returns is consistent: every state is one of the run, and its sums,
    /// counts and histograms fit one another. Whether a detail fits the wheels takes the
    /// paytable, and is seen when the run goes on.
    ///
    /// # Errors
    /// Every fault but [`CheckpointFault::OtherRun`]
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointFault> {
        let body = body_of(bytes)?;
        let (checkpoint, rest) =
            postcard::take_from_bytes::<Self>(body).map_err(CheckpointFault::Body)?;
        if !rest.is_empty() {
            return Err(CheckpointFault::Surplus { bytes: rest.len() });
        }
        let identity = &checkpoint.identity;
        for (place, state) in checkpoint.states.iter().enumerate() {
            let is_known = identity.triggers.contains(&state.trigger);
            let is_repeated = checkpoint.states[..place]
                .iter()
                .any(|earlier| earlier.trigger == state.trigger);
            if !is_known || is_repeated {
                return Err(CheckpointFault::Trigger {
                    trigger: state.trigger,
                });
            }
            state
                .run_state()
                .and_then(|run| {
                    run.check(identity.rounds, identity.detail_rounds, &identity.batches)
                })
                .map_err(|source| CheckpointFault::State {
                    trigger: state.trigger,
                    source,
                })?;
        }
        Ok(checkpoint)
    }
}

fn framed(version: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FRAME + body.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(body);
    let hash = blake3::hash(&bytes);
    bytes.extend_from_slice(hash.as_bytes());
    bytes
}

/// The body of a whole, unaltered file of this version.
fn body_of(bytes: &[u8]) -> Result<&[u8], CheckpointFault> {
    let found = bytes.len() as u64;
    if bytes.is_empty() {
        return Err(CheckpointFault::Empty);
    }
    if !bytes.starts_with(&MAGIC) && !MAGIC.starts_with(bytes) {
        return Err(CheckpointFault::NoCheckpoint);
    }
    let head = bytes
        .get(MAGIC.len()..HEAD)
        .and_then(|head| head.split_first_chunk::<4>())
        .and_then(|(version, length)| Some((version, length.first_chunk::<8>()?)));
    let Some((&version, &length)) = head else {
        return Err(CheckpointFault::Truncated {
            found,
            expected: FRAME as u64,
        });
    };
    let expected = u64::from_le_bytes(length).saturating_add(FRAME as u64);
    if found < expected {
        return Err(CheckpointFault::Truncated { found, expected });
    }
    if found > expected {
        return Err(CheckpointFault::TooLong { found, expected });
    }
    let (covered, hash) = bytes.split_at(bytes.len() - blake3::OUT_LEN);
    if blake3::hash(covered).as_bytes() != hash {
        return Err(CheckpointFault::Altered);
    }
    let found = u32::from_le_bytes(version);
    if found != FORMAT_VERSION {
        return Err(CheckpointFault::FormatVersion { found });
    }
    Ok(&covered[HEAD..])
}

/// Why the content of a checkpoint cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckpointFault {
    /// The path does not lead to a regular file.
    #[error("it is not a regular file")]
    NoFile,
    /// There is not a single byte.
    #[error("the file is empty")]
    Empty,
    /// The first bytes are not those of a checkpoint.
    #[error("the file is not a checkpoint of this program")]
    NoCheckpoint,
    /// Bytes are missing at the end.
    #[error("the file is truncated: found {found} bytes, expected {expected}")]
    Truncated {
        /// Bytes of the file.
        found: u64,
        /// Bytes that it says it has, or that every checkpoint has.
        expected: u64,
    },
    /// There are bytes after the end.
    #[error("the file goes on after its end: found {found} bytes, expected {expected}")]
    TooLong {
        /// Bytes of the file.
        found: u64,
        /// Bytes that it says it has.
        expected: u64,
    },
    /// The hash does not fit the bytes.
    #[error("the file was altered or damaged: its bytes do not have the hash at its end")]
    Altered,
    /// The file is whole, but of another version of the format.
    #[error("the format has version {found}, expected {FORMAT_VERSION}")]
    FormatVersion {
        /// Version of the file.
        found: u32,
    },
    /// The body cannot be decoded, though its hash is right: not written by this program.
    #[error("the body cannot be decoded")]
    Body(#[source] postcard::Error),
    /// The body has bytes after its last field: not written by this program.
    #[error("the body has {bytes} bytes after its last field")]
    Surplus {
        /// How many.
        bytes: usize,
    },
    /// A state of a trigger that the run does not have, or a second one of the same.
    #[error("the state of the trigger {trigger} is foreign to the run, or there twice")]
    Trigger {
        /// Number of the trigger.
        trigger: u32,
    },
    /// The state of a trigger contradicts itself or the run.
    #[error("the state of the trigger {trigger} is impossible")]
    State {
        /// Number of the trigger.
        trigger: u32,
        /// What contradicts what.
        #[source]
        source: EngineError,
    },
    /// The checkpoint is good, but of another run.
    #[error("it belongs to another {what}: found {found}, expected {expected}")]
    OtherRun {
        /// What differs.
        what: &'static str,
        /// That of the checkpoint.
        found: String,
        /// That of the run which is wanted.
        expected: String,
    },
}

/// Why a checkpoint cannot be read or written; every message names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A new run would overwrite a checkpoint.
    #[error("the checkpoint `{path}` exists already")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another process works with it.
    #[error("the checkpoint `{path}` is in use by another run")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Somebody put another file in its place during the run.
    #[error("the checkpoint `{path}` was replaced by another file during the run")]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// Its content cannot be used.
    #[error("the checkpoint `{path}` cannot be used")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: CheckpointFault,
    },
    /// The system refused to read or write it.
    #[error("the checkpoint `{path}` cannot be {action}")]
    Io {
        /// The file.
        path: PathBuf,
        /// `read` or `written`.
        action: &'static str,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;
