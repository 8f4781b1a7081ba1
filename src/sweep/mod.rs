//! Many changed paytables: each exact, and simulated where that is asked for.
//!
//! A sweep file names a paytable and what changes in it: axes whose product is taken, points,
//! or points with a grid on top. Every changed paytable is read by the reader of all paytables,
//! so a sweep cannot reach what a file could not state.
//!
//! ```toml
//! schema = 1
//! name = "potions and caps"
//! base = "pa-693-6"            # a built-in name, or a path from the folder of this file
//! triggers = [2, 5]            # every trigger of each paytable where left out
//!
//! [[grid]]
//! keys = ["rules.eat_me.consumes_spin", "rules.drink_me.consumes_spin"]
//! values = [[false, false], [true, true]]
//!
//! [[grid]]
//! key = "rules.max_meter"
//! range = { from = 100, to = 500, step = 100 }
//! without = true               # and the paytable without that key
//!
//! [[point]]                    # the grid is taken for each point
//! name = "ones"
//! set = { "starting_multipliers" = { law = "permutation", values = [1, 1, 1, 1, 1, 1] } }
//! remove = ["declared"]
//!
//! [simulate]                   # left out: exact figures alone
//! rounds = 1_000_000
//! seed = "derived"             # a number, a text in hexadecimal, or `derived[:LABEL]`
//! ```
//!
//! Guarantees:
//! - exact figures are proven bounds, wider than those of `exact`
//!   ([`solve_wide`](crate::exact::solve_wide));
//! - integer results are those of `simulate` with the seed of the row;
//! - rows stand in the order of the sweep, points first and the last axis fastest, and depend
//!   on nothing but sweep and paytable: the rows of shards are those of one run.
//!
//! It joins the two independent readings of the rules, `exact` and `engine`, as `verify` does,
//! and stands beside `analysis` for that reason: what is in there knows no simulator.
//!
//! | file | holds |
//! | --- | --- |
//! | `file`, `axis` | the sweep file |
//! | `points` | a sweep and its paytables by number |
//! | `compute` | the rows of one paytable, and of many |
//! | `checkpoint` | finished rows on disk |
//! | `join` | rows from the documents of shards |

mod axis;
mod checkpoint;
mod compute;
mod file;
mod join;
mod points;
#[cfg(test)]
mod tests;

pub use checkpoint::{CheckpointHeader, SweepCheckpoint, SweepCheckpointError};
pub use compute::{Finished, KnownRows, document, faults, run};
pub use join::{JoinError, JoinFault, joined};
pub use points::{PointFault, Sweep, SweepError, Variant};
