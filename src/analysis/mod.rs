//! Questions about a paytable that are answered from its exact figures, and the game in the
//! language of another program.
//!
//! Rests on [`exact`](crate::exact) alone: no random number, no simulator.
//!
//! | file | holds |
//! | --- | --- |
//! | `sensitivity` | derivatives by each section, and the extreme wheels of a given bias |
//! | `prism` | one or two characters as a Markov chain for a model checker |

pub mod prism;
pub mod sensitivity;
