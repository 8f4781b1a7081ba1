//! Values of `readings` and `solve`, parsed from the command line.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use dashu_ratio::RBig;
use wonderspins::analysis::parse_starts;
use wonderspins::analysis::solve::Vary;
use wonderspins::engine::{Shard, ShardError};
use wonderspins::paytable::{Decimal, StartLaw};
use wonderspins::rules::Character;
use wonderspins::shards::{Scheduler, SchedulerError, shard_of_job};

/// A law of the starting multipliers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Starts(pub(crate) StartLaw);

impl FromStr for Starts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The parser of arguments shows one line, so the cause joins it.
        parse_starts(text)
            .map(Self)
            .map_err(|error| match error.source() {
                Some(cause) => format!("{error}: {cause}"),
                None => error.to_string(),
            })
    }
}

/// A decimal or a percentage above 0, read exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PositiveDecimal(pub(crate) Decimal);

impl PositiveDecimal {
    /// The nearest floating-point number.
    pub(crate) fn to_f64(&self) -> f64 {
        self.0.value.to_f64().value()
    }
}

impl FromStr for PositiveDecimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let decimal: Decimal = text
            .parse()
            .map_err(|error| format!("found `{text}`: {error}"))?;
        if decimal.value > RBig::ZERO {
            Ok(Self(decimal))
        } else {
            Err(format!("found `{text}`, expected a value above 0"))
        }
    }
}

/// The parameter that may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Varied(pub(crate) Vary);

impl FromStr for Varied {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let vary = match text {
            "shift" => Vary::Shift,
            "scale" => Vary::Scale,
            "other-return" => Vary::OtherReturn,
            "cap" => Vary::Cap,
            _ => {
                let name = text.strip_prefix("start:").ok_or_else(|| {
                    format!(
                        "found `{text}`, expected `shift`, `scale`, `start:CHARACTER`, \
                         `other-return` or `cap`"
                    )
                })?;
                let character: Character = name
                    .parse()
                    .map_err(|error: wonderspins::rules::UnknownName| error.to_string())?;
                Vary::Start(character)
            }
        };
        Ok(Self(vary))
    }
}

impl fmt::Display for Varied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Vary::Shift => f.write_str("shift"),
            Vary::Scale => f.write_str("scale"),
            Vary::Start(character) => write!(f, "start:{character}"),
            Vary::OtherReturn => f.write_str("other-return"),
            Vary::Cap => f.write_str("cap"),
        }
    }
}

/// A shard as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShardArgument {
    /// The one that a scheduler gives this job.
    Auto,
    /// Named.
    Given(Shard),
}

impl ShardArgument {
    /// The shard; for `auto` with the scheduler that told it.
    pub(crate) fn resolve(self) -> Result<(Shard, Option<Scheduler>), SchedulerError> {
        match self {
            Self::Given(shard) => Ok((shard, None)),
            Self::Auto => {
                // A value that is not text is no number either, which the error then says.
                let variable = |name: &str| {
                    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
                };
                let (scheduler, shard) = shard_of_job(&variable)?;
                Ok((shard, Some(scheduler)))
            }
        }
    }
}

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        text.parse()
            .map(Self::Given)
            .map_err(|error: ShardError| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_and_written_back() {
        for text in ["shift", "scale", "start:hat", "other-return", "cap"] {
            let vary = text.parse::<Varied>().expect("a parameter");
            assert_eq!(vary.to_string(), text);
        }
        for text in ["", "start", "start:", "start:queen", "Shift", "rtp"] {
            assert!(text.parse::<Varied>().is_err(), "{text}");
        }
    }

    #[test]
    fn decimals_above_zero_alone_are_taken() {
        let target: PositiveDecimal = "96.67%".parse().expect("above 0");
        assert_eq!(target.0.value.to_string(), "9667/10000");
        for text in ["0", "-1", "nan", "inf", "1e-3", "", "0%", "0.0"] {
            assert!(text.parse::<PositiveDecimal>().is_err(), "{text}");
        }
    }
}
