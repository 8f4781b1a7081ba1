//! Questions about many games at once, each game answered by [`exact`](crate::exact).
//!
//! A paytable fixes what the text of 693.6 leaves open. This module changes it: to every other
//! reading of the text, or along one parameter until a return is met. A changed paytable is
//! validated like any other and solved like any other, so every figure keeps its proven bounds;
//! nothing here computes a probability of its own.
//!
//! | file | holds |
//! | --- | --- |
//! | `starts` | laws of the starting multipliers: as one line of text, and moved |
//! | [`readings`] | the matrix of what the text leaves open |
//! | [`solve`] | the value of one parameter that meets a return |
//! | `ladder`, `bracket` | the values that a parameter can take, and the search among them |

mod bracket;
mod ladder;
pub mod readings;
pub mod solve;
mod starts;

pub use starts::{StartsError, parse_starts, starts_text};
