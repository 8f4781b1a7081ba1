//! A paytable: the parameters of a game, validated, with an identity.
//!
//! The game's text leaves points open and a submission may change others, so every
//! number of the game is data here. This module reads the TOML file, reports all its
//! faults at once, and gives the result a canonical form whose SHA-256 identifies it.
//! It computes nothing about the game but the drift of the counter, which decides
//! whether a round ends at all.
//!
//! A [`Paytable`] exists only with every number in its legal range, laws over exactly
//! the characters of its wheel, and rounds that end. It need not be the game of 58 Pa.
//! Code 693.6: whether it is, is judged elsewhere. With `max_spins` given, the meter of a
//! round stays below 2^63; without it no bound exists, and the arithmetic that plays a
//! round must be checked.
//!
//! | file | content |
//! | --- | --- |
//! | `definition` | the content of a paytable as plain data |
//! | `decimal` | decimals as text, exact |
//! | `parse` | TOML text to definition, with the place of every key |
//! | `validate`, `range` | what is legal |
//! | `findings`, `fault`, `error` | what is wrong, collected and told |
//! | `canonical` | canonical form and digests |
//! | `builtin`, `load` | paytables by name or path |
//! | `change` | a paytable with values of its keys set or removed |

pub mod builtin;
mod canonical;
mod change;
mod decimal;
mod definition;
mod drift;
mod error;
mod fault;
mod findings;
#[cfg(test)]
pub(crate) mod fixture;
mod load;
mod parse;
mod range;
mod validate;

use std::ops::Deref;

use dashu_ratio::RBig;

pub use canonical::hex;
pub use change::{Change, ChangeError, KeyPath, KeyPathError, Template, Value};
pub use decimal::{Decimal, DecimalError, round_half_away};
pub use definition::{
    BoostLaw, ByCharacter, Convention, DeclaredFigure, DeclaredRange, DeclaredValue, Definition,
    Disclosure, Figure, Limits, Payout, PlayerChoice, Potion, Rules, StartLaw, StartRow, Statement,
    TriggerTerms, ZeroMeter,
};
pub use error::PaytableError;
pub use fault::{Fault, Faults};
pub use load::{PaytableFile, slug};

/// Reading other TOML files in the same way, with the same faults.
pub(crate) mod text {
    pub(crate) use super::canonical::sha256_hex;
    pub(crate) use super::findings::Findings;
    pub(crate) use super::parse::{MAX_BYTES, Node, Reader, Table, read_document};
    pub(crate) use super::range::IntegerRange;
}

use crate::rules::{Character, OuterSection, Trigger};

/// A validated paytable.
///
/// Reads like its [`Definition`] and cannot be changed; every number is inside its
/// legal range, laws cover exactly the characters of the outer wheel, and a round
/// ends with probability one.
#[derive(Debug, Clone, PartialEq)]
pub struct Paytable {
    definition: Definition,
    characters: Vec<Character>,
}

impl Deref for Paytable {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        &self.definition
    }
}

impl Paytable {
    /// Checks a definition that was built in code.
    ///
    /// # Errors
    /// - [`PaytableError::Faults`]: all the faults, by key path, without file and line
    pub fn new(definition: Definition) -> Result<Self, PaytableError> {
        validate::check(&definition).map_err(PaytableError::Faults)?;
        Ok(Self::of_checked(definition))
    }

    /// A definition in which validation found no fault.
    fn of_checked(definition: Definition) -> Self {
        let characters = validate::characters_of(&definition.outer_wheel);
        Self {
            definition,
            characters,
        }
    }

    /// Whether the source is 58 Pa. Code 693.6: `693.6`, not followed by a digit.
    #[must_use]
    pub fn cites_693_6(&self) -> bool {
        const SECTION: &str = "693.6";
        self.source.match_indices(SECTION).any(|(start, _)| {
            let next = self.source.as_bytes().get(start + SECTION.len());
            !next.is_some_and(u8::is_ascii_digit)
        })
    }

    /// The distinct characters of the outer wheel, in the order of 693.6(c)(1); one to six.
    #[must_use]
    pub fn characters(&self) -> &[Character] {
        &self.characters
    }

    /// The terms of a trigger, where the paytable has it.
    #[must_use]
    pub fn terms(&self, trigger: Trigger) -> Option<&TriggerTerms> {
        self.triggers.iter().find(|terms| terms.trigger == trigger)
    }

    /// The law of the starting multipliers for a trigger: its own, or the common one.
    #[must_use]
    pub fn start_law(&self, trigger: Trigger) -> &StartLaw {
        self.terms(trigger)
            .and_then(|terms| terms.starting_multipliers.as_ref())
            .unwrap_or(&self.starting_multipliers)
    }

    /// The weight of each character in the selection of 693.6(f)(2)(i), in the order of
    /// [`characters`](Self::characters): 1 each, section counts, or the stated weights.
    #[must_use]
    pub fn boost_weights(&self) -> Vec<u64> {
        let sections_of = |character| {
            self.outer_wheel
                .sections
                .iter()
                .filter(|&&section| section == OuterSection::Character(character))
                .count() as u64
        };
        self.characters
            .iter()
            .map(|&character| match &self.boost {
                BoostLaw::Uniform => 1,
                BoostLaw::OuterSections => sections_of(character),
                BoostLaw::Weights(weights) => weights[&character],
            })
            .collect()
    }

    /// Expected change of the counter in one spin, 693.6(f)(2)(ii) and (f)(4).
    ///
    /// Negative means that a round ends with probability one and that its expected
    /// length is finite. -35/54 for the literal reading of the Pennsylvania wheels.
    #[must_use]
    pub fn drift(&self) -> RBig {
        drift::drift(self)
    }
}

#[cfg(test)]
mod tests;
