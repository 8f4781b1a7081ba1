//! The six characters of 693.6(c)(1).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A name in a paytable that the regulation's vocabulary does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{found}` is not one of {legal}")]
pub struct UnknownName {
    /// The name found.
    pub found: String,
    /// The names that are legal in its place, for the message.
    pub legal: &'static str,
}

/// A character of the outer wheel, in the order of 693.6(c)(1)(i) to (vi).
///
/// The order is also the order in which laws over characters are written, drawn
/// and printed. A paytable may use fewer than six.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Character {
    /// 693.6(c)(1)(i).
    Rabbit,
    /// 693.6(c)(1)(ii).
    Cat,
    /// 693.6(c)(1)(iii).
    Crown,
    /// 693.6(c)(1)(iv).
    Bird,
    /// 693.6(c)(1)(v).
    Mouse,
    /// 693.6(c)(1)(vi).
    Hat,
}

impl Character {
    /// All six, in the order of 693.6(c)(1).
    pub const ALL: [Self; 6] = [
        Self::Rabbit,
        Self::Cat,
        Self::Crown,
        Self::Bird,
        Self::Mouse,
        Self::Hat,
    ];

    /// The names that a paytable file may use, for messages.
    pub const LEGAL_NAMES: &'static str = "`rabbit`, `cat`, `crown`, `bird`, `mouse`, `hat`";

    /// The name that a paytable file uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rabbit => "rabbit",
            Self::Cat => "cat",
            Self::Crown => "crown",
            Self::Bird => "bird",
            Self::Mouse => "mouse",
            Self::Hat => "hat",
        }
    }
}

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Character {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|character| character.name() == name)
            .ok_or_else(|| UnknownName {
                found: name.to_owned(),
                legal: Self::LEGAL_NAMES,
            })
    }
}
