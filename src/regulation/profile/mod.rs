//! Limits of a jurisdiction or standard, as data: return floors and ceilings, the odds of an
//! award, and the levels of tests.
//!
//! Each limit has a citation and says how well it is known. A limit that no source was found
//! for has no value and is not applicable, so a profile cannot invent one by silence.
//!
//! | file | holds |
//! | --- | --- |
//! | `parse` | the TOML text of a profile, with all its faults |
//! | `judge` | a paytable against a profile |
//! | `shipped/*.toml` | the profiles that come with the program |

mod judge;
mod parse;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

use thiserror::Error;

pub use judge::ProfileFinding;

use crate::paytable::text::{MAX_BYTES, sha256_hex};
use crate::paytable::{Decimal, Faults};

/// How well a limit is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Read in the text of the regulation or standard.
    Confirmed,
    /// From others who cite it.
    Secondary,
    /// Looked for and not found; there is no value.
    NotFound,
}

impl Status {
    /// The word in files and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Secondary => "secondary",
            Self::NotFound => "not found",
        }
    }
}

/// One limit with its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit<T> {
    /// The limit; `None` exactly where the status is [`Status::NotFound`].
    pub value: Option<T>,
    /// How well it is known.
    pub status: Status,
    /// Where it stands, or where it was looked for.
    pub citation: String,
    /// What a reader must know beside it; may be empty.
    pub note: String,
}

/// The limits of a jurisdiction or standard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// What holds for all of it; may be empty.
    pub notes: String,
    /// The least return of a whole wager, in [0, 10].
    pub rtp_minimum: Limit<Decimal>,
    /// The largest return of a whole wager, in [0, 10].
    pub rtp_maximum: Limit<Decimal>,
    /// An advertised award must occur at least once in this many games.
    pub award_limit: Limit<u64>,
    /// Level of the intervals, in (0, 1).
    pub confidence_level: Limit<Decimal>,
    /// Family-wise error rate of all tests together, in (0, 1).
    pub alpha: Limit<Decimal>,
}

/// A profile with the text that states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileFile {
    /// The content.
    pub profile: Profile,
    /// The text as it was read.
    pub text: String,
    /// SHA-256 of its bytes, 64 lower-case hexadecimal digits.
    pub sha256: String,
}

/// Why there is no profile.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file could not be read.
    #[error("cannot read the profile `{}`; those that come with the program are {}", path.display(), names())]
    Read {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file has faults.
    #[error("{0}")]
    Faults(Faults),
}

/// A profile that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// The name by which a command line calls it.
    pub name: &'static str,
    /// The TOML text.
    pub text: &'static str,
}

/// All profiles that come with the program.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "ny-5319",
        text: include_str!("shipped/ny-5319.toml"),
    },
    Shipped {
        name: "pa-table-game",
        text: include_str!("shipped/pa-table-game.toml"),
    },
    Shipped {
        name: "gli-19",
        text: include_str!("shipped/gli-19.toml"),
    },
];

fn names() -> String {
    let names: Vec<String> = SHIPPED
        .iter()
        .map(|shipped| format!("`{}`", shipped.name))
        .collect();
    names.join(", ")
}

impl ProfileFile {
    /// Takes the shipped profile with exactly this name, else reads the file there.
    ///
    /// # Errors
    /// - [`ProfileError::Read`]: no file there, or it cannot be read
    /// - [`ProfileError::Faults`]: all the faults of its text
    pub fn load(argument: &str) -> Result<Self, ProfileError> {
        if let Some(shipped) = SHIPPED.iter().find(|shipped| shipped.name == argument) {
            return Self::parse(argument, shipped.text.as_bytes());
        }
        // One byte more than is legal shows that a file is too large, however large it is.
        let mut bytes = Vec::new();
        File::open(argument)
            .and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
            .map_err(|source| ProfileError::Read {
                path: argument.into(),
                source,
            })?;
        Self::parse(argument, &bytes)
    }

    /// Reads the bytes of a text; `origin` names it in faults.
    ///
    /// # Errors
    /// - [`ProfileError::Faults`]: all the faults of the text
    ///
    /// # Examples
    /// ```
    /// use wonderspins::regulation::{ProfileFile, SHIPPED};
    ///
    /// let file = ProfileFile::load("gli-19")?;
    /// let floor = file.profile.rtp_minimum.value.expect("GLI-19 has a floor");
    /// assert_eq!(floor.text, "75%");
    /// assert!(ProfileFile::parse("mine.toml", b"schema = 1").is_err());
    /// # Ok::<(), wonderspins::regulation::ProfileError>(())
    /// ```
    pub fn parse(origin: &str, bytes: &[u8]) -> Result<Self, ProfileError> {
        let (text, profile) = parse::parse(origin, bytes).map_err(ProfileError::Faults)?;
        Ok(Self {
            profile,
            text: text.to_owned(),
            sha256: sha256_hex(bytes),
        })
    }
}

#[cfg(test)]
mod tests;
