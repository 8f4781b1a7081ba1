//! The generators of random numbers that a run can choose from.

use std::fmt;
use std::str::FromStr;

use crate::rules::UnknownName;

/// Where the random words of a run come from. Part of what fixes every round.
///
/// Two generators of unrelated construction confirm each other: a figure that moves with
/// the generator beyond its statistical error is the generator's and not the game's.
/// How each is keyed and read is specified in [`stream`](super::stream).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Generator {
    /// xoshiro256++ of Blackman and Vigna (2021): linear recurrence, scrambled output.
    #[default]
    Xoshiro256PlusPlus,
    /// The keystream of Bernstein's stream cipher `ChaCha` (2008) with 8 rounds.
    ChaCha8,
}

impl Generator {
    /// All generators, in the order of the command line's help.
    pub const ALL: [Self; 2] = [Self::Xoshiro256PlusPlus, Self::ChaCha8];

    /// The names that the command line takes, for messages.
    pub const LEGAL_NAMES: &'static str = "`xoshiro256++`, `chacha8`";

    /// The published name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xoshiro256PlusPlus => "xoshiro256++",
            Self::ChaCha8 => "chacha8",
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Generator {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|generator| generator.name() == name)
            .ok_or_else(|| UnknownName {
                found: name.to_owned(),
                legal: Self::LEGAL_NAMES,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for generator in Generator::ALL {
            assert_eq!(generator.to_string().parse(), Ok(generator));
            assert!(Generator::LEGAL_NAMES.contains(&format!("`{generator}`")));
        }
        for name in ["", "ChaCha8", "chacha20", "xoshiro256"] {
            let error = name.parse::<Generator>().expect_err("no generator");
            assert_eq!(error.found, name);
        }
    }
}
