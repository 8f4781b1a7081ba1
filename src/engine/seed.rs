//! The seed of a run and where it came from.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::paytable::Paytable;

/// A seed together with its origin, which a certificate states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    /// The value that the streams are made from.
    pub value: u64,
    /// Where the value came from.
    pub origin: SeedOrigin,
}

/// Where a seed came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeedOrigin {
    /// Drawn from the operating system.
    Drawn,
    /// Given by the user.
    Given,
    /// Derived from what decides the mathematics.
    Derived,
    /// Derived from what decides the mathematics and a label.
    Labelled(String),
}

impl fmt::Display for SeedOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drawn => f.pad("drawn"),
            Self::Given => f.pad("given"),
            Self::Derived => f.pad("derived"),
            Self::Labelled(label) => write!(f, "derived:{label}"),
        }
    }
}

/// Why a seed does not have the origin that is stated of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SeedFault {
    /// The text is no origin.
    #[error("`seed_origin` is `{found}`, expected `given`, `drawn`, `derived` or `derived:LABEL`")]
    Origin {
        /// The text.
        found: String,
    },
    /// Another seed is derived from this paytable.
    #[error("`seed` is {stated}, but {origin} gives {derived}")]
    Derived {
        /// The seed that is stated.
        stated: u64,
        /// Its stated origin.
        origin: String,
        /// The seed that this origin has.
        derived: u64,
    },
}

impl Seed {
    /// A seed with the origin that a document states of it, [`SeedOrigin`] as text.
    ///
    /// # Errors
    /// [`SeedFault`]
    pub fn stated(paytable: &Paytable, value: u64, origin: &str) -> Result<Self, SeedFault> {
        let seed = match (origin, origin.strip_prefix("derived:")) {
            ("given", _) => Self::given(value),
            ("drawn", _) => Self::drawn(value),
            ("derived", _) => Self::derived(paytable, None),
            (_, Some(label)) => Self::derived(paytable, Some(label)),
            (found, None) => {
                return Err(SeedFault::Origin {
                    found: found.to_owned(),
                });
            }
        };
        if seed.value == value {
            Ok(seed)
        } else {
            Err(SeedFault::Derived {
                stated: value,
                origin: origin.to_owned(),
                derived: seed.value,
            })
        }
    }

    /// A seed that the user gave.
    #[must_use]
    pub const fn given(value: u64) -> Self {
        Self {
            value,
            origin: SeedOrigin::Given,
        }
    }

    /// A seed that the operating system drew.
    #[must_use]
    pub const fn drawn(value: u64) -> Self {
        Self {
            value,
            origin: SeedOrigin::Drawn,
        }
    }

    /// The seed derived from a paytable's mathematics and, if given, a label.
    ///
    /// The first eight bytes, little-endian, of the SHA-256 of the text
    /// `wonderspins seed 1`, a line feed, the paytable's
    /// [`mathematics_sha256`](Paytable::mathematics_sha256), a line feed and the label.
    /// Names, notes, declared figures and payout terms do not enter, so they cannot be
    /// varied to choose among seeds; wheels and laws can, and only a label that the
    /// laboratory fixes leaves an author nothing to choose.
    #[must_use]
    pub fn derived(paytable: &Paytable, label: Option<&str>) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(b"wonderspins seed 1\n");
        hasher.update(paytable.mathematics_sha256());
        hasher.update(b"\n");
        hasher.update(label.unwrap_or_default());
        let digest = hasher.finalize();
        let mut bytes = [0_u8; 8];
        bytes.copy_from_slice(&digest[..8]);
        let origin = label.map_or(SeedOrigin::Derived, |label| {
            SeedOrigin::Labelled(label.to_owned())
        });
        Self {
            value: u64::from_le_bytes(bytes),
            origin,
        }
    }
}

/// A seed as it is asked for, before the paytable is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeedChoice {
    /// This number.
    Given(u64),
    /// Derived from the paytable, and from a label where there is one.
    Derived(Option<String>),
}

/// Why a text is not a [`SeedChoice`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SeedChoiceError {
    /// The text has another form, or the number is too large.
    #[error("found `{found}`, expected {}", SeedChoice::LEGAL_FORM)]
    Malformed {
        /// The text.
        found: String,
    },
    /// The label is empty, too long, or would not print.
    #[error("a label has 1 to 200 characters and no control characters")]
    Label,
}

impl SeedChoice {
    /// The form that is read, for messages.
    pub const LEGAL_FORM: &'static str =
        "a number in [0, 18446744073709551615], 0x hexadecimal, or derived[:LABEL]";

    /// The seed for a paytable.
    #[must_use]
    pub fn resolve(&self, paytable: &Paytable) -> Seed {
        match self {
            Self::Given(value) => Seed::given(*value),
            Self::Derived(label) => Seed::derived(paytable, label.as_deref()),
        }
    }
}

impl fmt::Display for SeedChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(value) => write!(f, "{value}"),
            Self::Derived(None) => f.pad("derived"),
            Self::Derived(Some(label)) => write!(f, "derived:{label}"),
        }
    }
}

impl FromStr for SeedChoice {
    type Err = SeedChoiceError;

    fn from_str(text: &str) -> Result<Self, SeedChoiceError> {
        if text == "derived" {
            return Ok(Self::Derived(None));
        }
        if let Some(label) = text.strip_prefix("derived:") {
            let legal =
                !label.is_empty() && label.len() <= 200 && !label.chars().any(char::is_control);
            return if legal {
                Ok(Self::Derived(Some(label.to_owned())))
            } else {
                Err(SeedChoiceError::Label)
            };
        }
        // `parse` alone would also take a sign.
        let is_made_of = |text: &str, radix| text.chars().all(|digit| digit.is_digit(radix));
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let value = match hexadecimal {
            Some(digits) if is_made_of(digits, 16) => u64::from_str_radix(digits, 16).ok(),
            None if is_made_of(text, 10) => text.parse().ok(),
            _ => None,
        };
        value
            .map(Self::Given)
            .ok_or_else(|| SeedChoiceError::Malformed {
                found: text.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_cover_every_64_bit_number() {
        assert_eq!(
            "18446744073709551615".parse(),
            Ok(SeedChoice::Given(u64::MAX))
        );
        assert_eq!(
            "0xffffffffffffffff".parse(),
            Ok(SeedChoice::Given(u64::MAX))
        );
        assert_eq!(
            "derived:lab 7".parse(),
            Ok(SeedChoice::Derived(Some("lab 7".to_owned())))
        );
        for text in [
            "18446744073709551616",
            "0x10000000000000000",
            "-1",
            "+1",
            "0x",
            "0x+1",
            "derived:",
            "drawn",
            "",
        ] {
            assert!(text.parse::<SeedChoice>().is_err(), "{text}");
        }
    }
}
