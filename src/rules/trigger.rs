//! The main-wheel outcomes that start the bonus, 693.6(d).

use std::fmt;

/// The main-wheel outcome that starts a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// "2 Wonderspins", 693.6(d)(1).
    Two,
    /// "5 Wonderspins", 693.6(d)(2).
    Five,
}

impl Trigger {
    /// Both triggers, ascending.
    pub const ALL: [Self; 2] = [Self::Two, Self::Five];

    /// The number in the trigger's name, 2 or 5, which also identifies it in files.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Two => 2,
            Self::Five => 5,
        }
    }

    /// The trigger with the given number, if there is one.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            2 => Some(Self::Two),
            5 => Some(Self::Five),
            _ => None,
        }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}
