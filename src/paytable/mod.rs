//! A paytable: the parameters of a game, validated, with an identity.
//!
//! The game's text leaves points open and a submission may change others, so every
//! number of the game is data here. This module reads the TOML file, reports all its
//! faults at once, and gives the result a canonical form whose SHA-256 identifies it.
//! It computes nothing about the game but the drift of the counter, which decides
//! whether a round ends at all.

mod decimal;
mod definition;
#[cfg(test)]
pub(crate) mod fixture;

use std::ops::Deref;

use dashu_ratio::RBig;

pub use decimal::{Decimal, DecimalError, round_half_away};
pub use definition::{
    BoostLaw, ByCharacter, Convention, DeclaredFigure, DeclaredRange, DeclaredValue, Definition,
    Disclosure, Figure, Limits, Payout, PlayerChoice, Potion, Rules, StartLaw, StartRow, Statement,
    TriggerTerms, ZeroMeter,
};

use crate::rules::{Character, InnerSection, OuterSection, Trigger};

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
    /// TEMPORARY unchecked constructor; validation replaces it.
    #[must_use]
    pub fn new(definition: Definition) -> Self {
        let characters = Character::ALL
            .into_iter()
            .filter(|&c| {
                definition
                    .outer_wheel
                    .sections
                    .contains(&OuterSection::Character(c))
            })
            .collect();
        Self {
            definition,
            characters,
        }
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
        let inner_total = RBig::from(self.inner_wheel.total_weight());
        let outer_total = RBig::from(self.outer_wheel.total_weight());
        let mut inner = RBig::ZERO;
        for (section, weight) in self.inner_wheel.iter() {
            if section == InnerSection::AdditionalSpin {
                inner += RBig::from(weight) * RBig::from(self.rules.additional_spin);
            }
        }
        let mut outer = RBig::ZERO;
        for (section, weight) in self.outer_wheel.iter() {
            let change = match section {
                OuterSection::Character(_) | OuterSection::NoWin => -1,
                OuterSection::EatMe => self.rules.eat_me.counter_change(),
                OuterSection::DrinkMe => self.rules.drink_me.counter_change(),
            };
            outer += RBig::from(weight) * RBig::from(change);
        }
        inner / inner_total + outer / outer_total
    }
}
