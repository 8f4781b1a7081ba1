//! The two wheels, 693.6(b) and (c): sections in clockwise order.

use std::fmt;
use std::str::FromStr;

use super::character::{Character, UnknownName};

/// What a section of the inner wheel awards, 693.6(b).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InnerSection {
    /// A multiplier, added to the selected character: (b)(1), (f)(2)(i).
    Multiplier(u32),
    /// An additional spin, added to the counter: (b)(2), (f)(2)(ii).
    AdditionalSpin,
}

impl InnerSection {
    /// The name of the additional spin in a paytable file.
    pub const ADDITIONAL_SPIN: &'static str = "additional-spin";
}

impl fmt::Display for InnerSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Multiplier(value) => f.pad(&value.to_string()),
            Self::AdditionalSpin => f.pad(Self::ADDITIONAL_SPIN),
        }
    }
}

/// What a section of the outer wheel shows, 693.6(c).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OuterSection {
    /// A character: (c)(1), (f)(4)(i).
    Character(Character),
    /// "No Win": (c)(2), (f)(4)(ii).
    NoWin,
    /// "Drink Me": (c)(3), (f)(4)(iv).
    DrinkMe,
    /// "Eat Me": (c)(4), (f)(4)(iii).
    EatMe,
}

impl OuterSection {
    /// The names that a paytable file may use, for messages.
    pub const LEGAL_NAMES: &'static str =
        "`no-win`, `eat-me`, `drink-me`, `rabbit`, `cat`, `crown`, `bird`, `mouse`, `hat`";

    /// The name that a paytable file uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Character(character) => character.name(),
            Self::NoWin => "no-win",
            Self::DrinkMe => "drink-me",
            Self::EatMe => "eat-me",
        }
    }
}

impl fmt::Display for OuterSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for OuterSection {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "no-win" => Ok(Self::NoWin),
            "drink-me" => Ok(Self::DrinkMe),
            "eat-me" => Ok(Self::EatMe),
            _ => name.parse().map(Self::Character).map_err(|_| UnknownName {
                found: name.to_owned(),
                legal: Self::LEGAL_NAMES,
            }),
        }
    }
}

/// A wheel: its sections in clockwise order and the weight of each.
///
/// A section is selected with probability weight / [`total_weight`](Self::total_weight).
/// All weights are 1 on a fair wheel of equal sections. A `Wheel` is plain data: the
/// legal ranges are enforced by [`Paytable`](crate::paytable::Paytable).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wheel<S> {
    /// The sections, clockwise; section number k of a report is index k - 1.
    pub sections: Vec<S>,
    /// One weight for each section, in the same order.
    pub weights: Vec<u64>,
}

impl<S: Copy> Wheel<S> {
    /// A fair wheel: every section with weight 1.
    #[must_use]
    pub fn fair(sections: Vec<S>) -> Self {
        let weights = vec![1; sections.len()];
        Self { sections, weights }
    }

    /// The sum of the weights, or `None` where it passes `u64`.
    #[must_use]
    pub fn checked_total_weight(&self) -> Option<u64> {
        self.weights
            .iter()
            .try_fold(0_u64, |sum, &weight| sum.checked_add(weight))
    }

    /// The sum of the weights.
    ///
    /// # Panics
    /// Where the sum passes `u64`, which a validated paytable rules out.
    #[must_use]
    pub fn total_weight(&self) -> u64 {
        self.checked_total_weight()
            .expect("a validated wheel's weights add up within u64")
    }

    /// Sections with their weights, clockwise.
    pub fn iter(&self) -> impl Iterator<Item = (S, u64)> + '_ {
        self.sections
            .iter()
            .copied()
            .zip(self.weights.iter().copied())
    }

    /// Whether every section has the same weight, as 693.6(b) asks ("equal sections").
    #[must_use]
    pub fn is_fair(&self) -> bool {
        self.weights.windows(2).all(|pair| pair[0] == pair[1])
    }
}
