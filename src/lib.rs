//! Exact mathematics, simulation and certification of Wonderspins, the bonus wheel of
//! 58 Pa. Code 693.6.
//!
//! ```text
//! paytable file ──> paytable ──┬──> engine  ──> tally ──┐
//!                      │       └──> exact ──> enclosures ┼──> verify ──> certificate ──> report
//!                      └──> regulation ──> findings ─────┘
//! ```
//!
//! `engine` and `exact` are two independent readings of the rules: they share the
//! [`paytable`] types and nothing else, which is what makes the comparison in [`verify`]
//! worth something. The library never prints and never exits; the binary does both.
//!
//! | module | holds |
//! | --- | --- |
//! | [`rules`] | the vocabulary of the game: wheels, characters, triggers, clauses |
//! | [`paytable`] | the parameters of a game, read from a file, validated, with an identity |
//! | [`engine`] | rounds played on reproducible streams, counted in integers |
//! | [`exact`] | the same figures without a random number, each between proven bounds |
//! | [`analysis`] | questions about a paytable that take many exact calculations, and its export |
//! | [`stats`] | estimates and tests on plain numbers |
//! | [`regulation`] | the clauses of the text, each with the code that judges it |
//! | [`verify`] | all of these joined into one verdict |
//! | [`commitment`] | what a certificate commits to of a run, piece by piece |
//! | [`shards`] | a run in several pieces, and how they are joined |
//! | [`forecast`] | how long a run would take, how narrow its interval and how large its files |
//! | [`recheck`] | a third party's check of somebody's certificate |
//! | [`document`] | the JSON documents as plain data |
//! | [`report`] | a certificate as JSON, HTML and CSV |
//! | [`cluster`] | job files that play a run in shards on a scheduler |
//! | [`yardstick`] | the simulator that one would write first |
//! | [`bench`](mod@bench) | how fast the engine is, as a multiple of the yardstick |
//!
//! # Example
//!
//! ```
//! use wonderspins::paytable::PaytableFile;
//! use wonderspins::rules::Trigger;
//!
//! let file = PaytableFile::load("pa-693-6")?;
//! let exact = wonderspins::exact::solve(&file.paytable, Trigger::Two)?;
//! assert!((exact.mean_meter.value() - 16.270_328_687_839).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        reason = "a failed unwrap in a test is a failed test"
    )
)]

pub mod analysis;
pub mod bench;
pub mod cluster;
pub mod commitment;
pub mod document;
pub mod engine;
pub mod exact;
pub mod forecast;
pub mod paytable;
pub mod recheck;
pub mod regulation;
pub mod report;
pub mod rules;
pub mod shards;
pub mod stats;
#[cfg(test)]
mod testing;
pub mod verify;
pub mod yardstick;
