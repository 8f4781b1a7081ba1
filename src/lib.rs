//! Exact mathematics, simulation and certification of Wonderspins, the bonus wheel of
//! 58 Pa. Code 693.6.

pub mod engine;
pub mod paytable;
pub mod rules;
