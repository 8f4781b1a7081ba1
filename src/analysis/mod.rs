//! Questions about a paytable that take many exact calculations, and the game in the
//! language of another program.
//!
//! Rests on [`exact`](crate::exact) alone: no random number, no simulator. A paytable fixes
//! what the text of 693.6 leaves open. This module changes it: to every other reading of the
//! text, along one parameter until a return is met, or by the weight of a section. A changed
//! paytable is validated like any other and solved like any other, so every figure keeps its
//! proven bounds.
//!
//! | file | holds |
//! | --- | --- |
//! | `starts` | laws of the starting multipliers: as one line of text, and moved |
//! | [`diff`] | what changed between two paytables, and what each change does |
//! | [`readings`] | the matrix of what the text leaves open |
//! | [`solve`] | the value of one parameter that meets a return |
//! | `ladder`, `bracket` | the values that a parameter can take, and the search among them |
//! | [`sensitivity`] | derivatives by each section, and the extreme wheels of a given bias |
//! | [`prism`] | one or two characters as a Markov chain for a model checker |

mod bracket;
pub mod diff;
mod ladder;
pub mod prism;
pub mod readings;
pub mod sensitivity;
pub mod solve;
mod starts;

pub use starts::{StartsError, parse_starts, starts_text};
