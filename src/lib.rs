//! Exact mathematics, simulation and certification of Wonderspins, the bonus wheel of
//! 58 Pa. Code 693.6.

pub mod exact;
pub mod paytable;
pub mod rules;
