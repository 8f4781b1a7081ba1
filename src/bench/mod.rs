//! How fast the engine plays, and whether it has become slower.
//!
//! Times of a shared machine move by half with its load, so no figure here rests on a
//! single time. Every engine is measured in one process with the straightforward version
//! ([`yardstick`](crate::yardstick)), a sample of each in turn, and what is compared
//! between runs is the *ratio* of the two speeds of the same turn: a load that slows both
//! alike falls out of it.
//!
//! # What is measured
//! A sample plays a fixed number of rounds with a fixed seed through
//! [`simulate`](crate::engine::simulate), counting included. Its wall-clock time and its
//! processor time (of all threads) are kept. Medians over the samples and the median
//! distance from them are what is shown. The ratio that is shown is the median of those of
//! each turn: on one thread of processor times, which do not contain the time that other
//! programs were given; on several of wall-clock times, since a thread that waits is part
//! of the matter, and both sides then take their work in small pieces, so that a thread
//! that is held up holds up neither more than the other.
//!
//! # The rule of a comparison
//! Other programs can only add to the processor time of a sample (caches and the units of a
//! core are shared), so the *least* time of many samples is what is left of the program
//! itself. What is compared is therefore the ratio r of the least processor time of a round
//! of the straightforward
//! version to that of the engine (of wall-clock times where the system tells no processor
//! time). Whether the least time `x_1` has come close to the floor `f` below it is judged by
//! the five least ones: with a density that is about level just above the floor,
//! `(x_1 - f) / (x_5 - f)` has the law of the least of four uniform numbers, so
//!
//! ```text
//! x_1 - c (x_5 - x_1) <= f <= x_1,   (1 + c)^4 = 1 / 0.1,   c = 0.778
//! ```
//!
//! holds with probability 90 %. Each end of the interval of a change `r_new / r_old - 1` takes
//! the two floors that it needs at their lower ends and so holds with at least 80 %.
//!
//! A change is a *regression* where even its upper end is below the loss that is allowed,
//! *within* where its lower end is above it, else *unclear*. As far as the law above holds,
//! two runs of one program raise an alarm only where the least time of one of them is too
//! high by the whole allowance and by what the interval grants: with an allowance of 10 %
//! and five least times within 3 % of each other, (1 + 0.1 / 0.03 + c)^-4, less than once in
//! 600 times. Where samples scatter more the answer is *unclear* instead.
//!
//! Ratios of different processors, architectures or build profiles are not comparable, and
//! the comparison says so; a figure whose samples play another number of rounds is left out
//! of it. Whether threads wait for one another shows in the scaling of wall-clock times and
//! is not judged: on a machine that others use it says more of them.
//!
//! # What it does not see through
//! A disturbance of one implementation alone that lasts for a whole run looks like a slower
//! program. Of four pairs of runs of one build with as many rounds a sample, on two cores
//! with about ten other programs, three moved the ratio of least times by at most 7 % (the
//! median ratio by up to 16 %). In the fourth, before memory was moved between turns
//! (`measure`), both fell by 16 to 19 % on one thread and would have raised an alarm; its
//! cause is not known. The pair measured last is kept beside the tests. Instruction counts,
//! which no load moves, are the firmer gate.
//!
//! # Source
//! D. S. Robson and J. H. Whitlock, Biometrika 51 (1964), 33-39, for the end of a law from
//! two extreme values; five are used here in the same way.
//!
//! | file | holds |
//! | --- | --- |
//! | `measure` | samples in turn |
//! | `ratio` | ratios to the straightforward version, shown and compared |
//! | `compare` | the rule above |
//! | `recorded` | a recorded run, read and checked |
//! | `machine` | processor, system, build |
//! | `error` | what can go wrong |

mod compare;
mod error;
mod machine;
mod measure;
mod ratio;
mod recorded;

pub use compare::{LEVEL, compare};
pub use error::{BenchError, RecordedError};
pub use measure::{BenchPlan, LEAST_SAMPLES, Step, measure};
pub use recorded::read;
