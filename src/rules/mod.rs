//! What the game is: the vocabulary of 58 Pa. Code 693.6 as types.
//!
//! Everything else in the crate speaks in these words. The types describe; they
//! neither draw, nor simulate, nor compute a return, so both readings of the rules
//! (the [`engine`](crate::engine) and the [`exact`](crate::exact) calculator) can
//! share them without sharing a mistake.
//!
//! | clause | type |
//! | --- | --- |
//! | 693.6(b) | [`Wheel`] of [`InnerSection`] |
//! | 693.6(c) | [`Wheel`] of [`OuterSection`], [`Character`] |
//! | 693.6(d) | [`Trigger`] |
//! | every clause | [`Clause`] |
//!
//! The starting multipliers of 693.6(e), the law of the selection in (f)(2)(i) and
//! the other points that the text leaves open are values of a
//! [`Paytable`](crate::paytable::Paytable), not types here.

mod character;
mod clause;
mod trigger;
mod wheel;

pub use character::{Character, UnknownName};
pub use clause::{Clause, NY_5319_47, PA_693_6};
pub use trigger::Trigger;
pub use wheel::{InnerSection, OuterSection, Wheel};
