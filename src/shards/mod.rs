//! A run in several pieces: what a shard writes, and how the pieces are joined.
//!
//! Results are integers and leaves do not depend on who played them, so shards that cover a
//! run merge to the bytes of the run on one machine. A shard file is believed because of its
//! content: its own hash, and the leaves, which must add up to what it says. No scheduler is
//! asked what happened.
//!
//! Guarantees: a merged result is complete, and every fault of every file is named at once;
//! the order of files, the number of shards and mixtures of numbers do not matter.
//! Non-goals: playing (see [`engine`](crate::engine)); trusting an author, for which there
//! are [`commitment`](crate::commitment) and [`recheck`](crate::recheck).
//!
//! | file | holds |
//! | --- | --- |
//! | `piece` | the document of a shard or of a whole run, made and read back |
//! | `run` | what documents of one run have in common |
//! | `merge` | many of them joined |
//! | `cover` | which batches are there once, twice and not at all |
//! | `fault` | what can be wrong |
//! | `scheduler` | which shard a job of an array is |

mod cover;
mod fault;
mod merge;
mod piece;
mod run;
mod scheduler;

pub use cover::{Cover, Part};
pub use fault::{Foreign, MergeError, MergeFault, PieceFault};
pub use merge::{Merged, Merger, Missing};
pub use piece::{Paytables, Piece, result_document, result_triggers};
pub use run::Run;
pub use scheduler::{SCHEDULERS, Scheduler, SchedulerError, shard_of_job};
