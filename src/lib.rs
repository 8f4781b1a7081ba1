//! Exact mathematics, simulation and certification of Wonderspins, the bonus wheel of
//! 58 Pa. Code 693.6.

pub mod paytable;
pub mod regulation;
pub mod rules;
pub mod stats;
