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
//! # Long runs
//! The state of a run between two waves is an integer tally and the number of the next
//! batch ([`RunState`]). An [`Observer`] sees it, a [`Checkpoint`] keeps it, and
//! [`continue_batches`] goes on from it to the result of the run that never stopped.
//!
//! # Memory
//! Nothing is kept for a round or a batch once it was counted. A worker holds the buffers
//! of one batch and the tallies of the pieces of one wave; a tally holds up to 65,536
//! counts of short meters, one count for each number of spins up to the largest, and an
//! entry for each distinct meter from 65,536 on. So memory does not grow with the number
//! of rounds but with the number of distinct meters, which soon ends for wheels like those of
//! 693.6: their runs of 10^6 and of 10^9 rounds take the same few megabytes. It goes on
//! growing only where a paytable has numbers so large that rounds keep ending at
//! meters never seen before, since the histogram is complete.
//!
//! # Implementations
//! [`Round`] is the reading of the clauses, one branch each, every addition checked. The
//! reference path plays batches with it. The scalar path plays them from tables, the
//! wavefront in byte lanes with vector instructions, some twenty-five and some four
//! hundred times as fast. All take the same words in the same order, and tests hold their
//! results equal to the last bit. `unsafe` stands in `wavefront/vector` alone.
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
//! | `wavefront` | a batch in byte lanes, by vector instructions |
//! | `batch` | what a game needs of all of them; bounds that make the fast ones safe |
//! | `tally`, `counts` | counts and sums; those of one batch |
//! | `detail` | what the first rounds were made of |
//! | `attribution` | a batch that is watched for the detail |
//! | `plan`, `run`, `observer` | a run, its waves, its progress |
//! | `leaf` | the pieces of a run, with their results |
//! | `shard` | which of them one machine of several plays |
//! | `checkpoint` | the file from which a run goes on |
//! | `seed` | where a seed comes from |
//! | `replay` | one round of a run, spin by spin |

mod attribution;
mod batch;
mod checkpoint;
mod counts;
mod detail;
mod error;
mod generator;
mod leaf;
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
mod shard;
mod source;
pub mod stream;
mod tally;
#[cfg(test)]
mod testing;
mod wavefront;

pub use checkpoint::{Checkpoint, CheckpointError, CheckpointFault, CheckpointFile, RunIdentity};
pub use detail::{DETAIL_ROUNDS, DETAIL_SPINS, Detail, DetailParts, HitSums, PairSums, SpinDraws};
pub use error::{EngineError, RoundError};
pub use generator::Generator;
pub use leaf::{Leaf, LeafResults, MOST_LEAVES, leaf_batches};
pub use observer::{Observer, Progress};
pub use plan::{EngineKind, MAX_ROUNDS, RunPlan, looks};
pub use replay::{ReplayedRound, play, replay};
pub use round::{Draws, MAX_ROUND_SPINS, Multipliers, Round, SpinDraw, SpinRecord};
pub use run::{RunState, Simulation, continue_batches, leaves_in, simulate, simulate_batches};
pub use seed::{Seed, SeedChoice, SeedChoiceError, SeedFault, SeedOrigin};
pub use shard::{MAX_SHARDS, Shard, ShardError};
pub use stream::{BATCH_ROUNDS, SPECIFICATION_VERSION};
pub use tally::{Tally, TallyParts};
