//! The simulator: plays rounds of 58 Pa. Code 693.6 and counts them in integers.
//!
//! The engine draws random words by a written specification ([`stream`]), plays the
//! rounds of a batch and adds integers up. It knows no mean, no interval and no exact
//! value, and shares with the [`exact`](crate::exact) calculator only the types of
//! [`rules`](crate::rules) and [`paytable`](crate::paytable): two independent readings
//! of the text are what makes a comparison of the two worth something.
//!
//! # Determinism
//! Paytable, trigger, seed, generator and number of rounds fix every integer of a
//! [`Simulation`], and so its [digest](Tally::digest). Round k is the same round
//! whatever the number of rounds, the threads, the engine or the shard. Work is split
//! by batch, never by thread; results are integers, whose sums have no order.
//!
//! # Two implementations
//! [`Round`] is the reading of the clauses, one branch each, every addition checked. The
//! reference path plays batches with it; the scalar path plays them from tables, tens
//! of times as fast. Tests hold their results equal to the last bit.
//!
//! # Files
//! | file | holds |
//! | --- | --- |
//! | `round` | one round, clause by clause |
//! | `stream` | streams, word order: the versioned specification |
//! | `generator`, `source` | the generators behind a stream |
//! | `sampler` | a paytable as tables |
//! | `reference` | a batch, plainly |
//! | `scalar`, `packed` | a batch, fast; its first spins with a round in two words |
//! | `batch` | what a game needs of both; bounds that make the fast one safe |
//! | `tally`, `counts` | counts and sums; those of one batch |
//! | `plan`, `run`, `observer` | a run, its waves, its progress |
//! | `seed` | where a seed comes from |
//! | `replay` | one round of a run, spin by spin |

mod batch;
mod counts;
mod error;
mod generator;
mod observer;
mod packed;
mod plan;
mod reference;
mod replay;
mod round;
mod run;
mod sampler;
mod scalar;
mod seed;
mod source;
pub mod stream;
mod tally;
#[cfg(test)]
mod testing;
mod wavefront;

pub use error::{EngineError, RoundError};
pub use generator::Generator;
pub use observer::{Observer, Progress};
pub use plan::{EngineKind, MAX_ROUNDS, RunPlan};
pub use replay::{ReplayedRound, play, replay};
pub use round::{Draws, MAX_ROUND_SPINS, Multipliers, Round, SpinDraw, SpinRecord};
pub use run::{Simulation, simulate, simulate_batches};
pub use seed::{Seed, SeedOrigin};
pub use stream::{BATCH_ROUNDS, SPECIFICATION_VERSION};
pub use tally::{Tally, TallyParts};
