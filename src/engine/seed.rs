//! The seed of a run and where it came from.

use std::fmt;

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
