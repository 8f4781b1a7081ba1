//! Values of the command line, parsed and checked.

use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use dashu_ratio::RBig;
use jiff::SignedDuration;
use wonderspins::engine::{MAX_ROUNDS, Seed};
use wonderspins::paytable::{Decimal, Paytable};
use wonderspins::rules::Trigger;

use crate::args::TriggerArgument;

/// Fewest rounds that one run takes: a single round has no standard error.
const MIN_ROUNDS: u64 = 2;

/// A number of rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rounds(pub(crate) u64);

impl FromStr for Rounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rounds = parse_count(text)?;
        if (MIN_ROUNDS..=MAX_ROUNDS).contains(&rounds) {
            Ok(Self(rounds))
        } else {
            Err(format!(
                "found {text}, expected a number of rounds in [2, 1e15]"
            ))
        }
    }
}

/// Reads `1000000`, `1_000_000`, `1e9` and `2.5e9` exactly; no float is involved, so a
/// count is never rounded.
fn parse_count(text: &str) -> Result<u64, String> {
    let refused = || {
        format!("found `{text}`, expected a whole number such as 1000000, 1_000_000, 1e9 or 2.5e9")
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            let digits = exponent.strip_prefix('+').unwrap_or(exponent);
            if digits.is_empty()
                || digits.len() > 2
                || !digits.bytes().all(|byte| byte.is_ascii_digit())
            {
                return Err(refused());
            }
            (mantissa, digits.parse::<u32>().map_err(|_| refused())?)
        }
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let grouped = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_digit())
            && part.ends_with(|c: char| c.is_ascii_digit())
            && !part.contains("__")
            && part
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'_')
    };
    if !grouped(whole) || (mantissa.contains('.') && !grouped(fraction)) {
        return Err(refused());
    }
    let fraction = fraction.replace('_', "");
    let fraction = fraction.trim_end_matches('0');
    let fraction_digits = u32::try_from(fraction.len()).map_err(|_| refused())?;
    let zeros = exponent.checked_sub(fraction_digits).ok_or_else(refused)?;
    let digits = format!("{}{fraction}", whole.replace('_', ""));
    let value: u64 = digits.parse().map_err(|_| refused())?;
    10_u64
        .checked_pow(zeros)
        .and_then(|power| value.checked_mul(power))
        .ok_or_else(|| format!("found {text}, expected at most 1e15"))
}

/// The index of a round, from 0.
pub(crate) fn parse_round_index(text: &str) -> Result<u64, String> {
    let index = parse_count(text)?;
    if index < MAX_ROUNDS {
        Ok(index)
    } else {
        Err(format!("found {text}, expected a round in [0, 1e15)"))
    }
}

/// A limit on the odds of an award: one in so many games.
pub(crate) fn parse_award_limit(text: &str) -> Result<u64, String> {
    let limit = parse_count(text)?;
    if (1..=MAX_ROUNDS).contains(&limit) {
        Ok(limit)
    } else {
        Err(format!(
            "found {text}, expected a number of games in [1, 1e15]"
        ))
    }
}

/// A probability strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Level(pub(crate) f64);

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let value = match text.strip_suffix('%') {
            Some(percent) => percent.parse::<f64>().map(|value| value / 100.0),
            None => text.parse::<f64>(),
        };
        match value {
            // NaN fails both comparisons and so ends in the second arm.
            Ok(value) if value > 0.0 && value < 1.0 => Ok(Self(value)),
            _ => Err(format!("found `{text}`, expected a number in (0, 1)")),
        }
    }
}

/// A time above zero between two events that repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Every(pub(crate) Duration);

impl FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse::<SignedDuration>()
            .ok()
            .and_then(|duration| Duration::try_from(duration).ok())
            .filter(|duration| !duration.is_zero())
            .map(Self)
            .ok_or_else(|| {
                format!("found `{text}`, expected a duration above zero such as 10s, 5m or 2h")
            })
    }
}

/// A number of seconds that a measurement may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seconds(pub(crate) f64);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(value) if (0.01..=1e5).contains(&value) => Ok(Self(value)),
            _ => Err(format!("found `{text}`, expected a number in [0.01, 1e5]")),
        }
    }
}

/// A relative amount strictly between 0 and 1, read exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bias(pub(crate) Decimal);

impl FromStr for Bias {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let value: Decimal = text
            .parse()
            .map_err(|_| format!("found `{text}`, expected {}", Decimal::LEGAL_FORM))?;
        if value.value > RBig::ZERO && value.value < RBig::ONE {
            Ok(Self(value))
        } else {
            Err(format!("found `{text}`, expected a number in (0, 1)"))
        }
    }
}

/// Bytes drawn from the operating system.
pub(crate) fn random_bytes<const N: usize>() -> anyhow::Result<[u8; N]> {
    use rand::TryRng as _;
    let mut bytes = [0; N];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| anyhow!("{error}"))
        .context("the operating system gave no random seed")?;
    Ok(bytes)
}

/// A seed drawn from the operating system.
pub(crate) fn draw_seed() -> anyhow::Result<Seed> {
    Ok(Seed::drawn(u64::from_le_bytes(random_bytes()?)))
}

/// The triggers to work on: the one asked for, or all of the paytable.
pub(crate) fn triggers(
    paytable: &Paytable,
    choice: Option<TriggerArgument>,
) -> anyhow::Result<Vec<Trigger>> {
    let all: Vec<Trigger> = paytable
        .triggers
        .iter()
        .map(|terms| terms.trigger)
        .collect();
    let Some(choice) = choice else { return Ok(all) };
    let trigger = match choice {
        TriggerArgument::Two => Trigger::Two,
        TriggerArgument::Five => Trigger::Five,
    };
    if all.contains(&trigger) {
        Ok(vec![trigger])
    } else {
        bail!("the paytable has no `[triggers.{trigger}]`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_exactly() {
        for (text, expected) in [
            ("2", 2),
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1e9", 1_000_000_000),
            ("2.5e9", 2_500_000_000),
            ("2.50e9", 2_500_000_000),
            ("1E+3", 1_000),
            ("1e15", 1_000_000_000_000_000),
            ("12.0", 12),
        ] {
            assert_eq!(text.parse::<Rounds>(), Ok(Rounds(expected)), "{text}");
        }
    }

    #[test]
    fn what_is_no_count_is_refused() {
        for text in [
            "", "0", "1", "-1", "1e16", "1.5", "1e-3", "1__0", "_1", "1_", "e9", "1e", ".5e1",
            "5.e1", "nan", "1e999", "٣",
        ] {
            assert!(text.parse::<Rounds>().is_err(), "{text}");
        }
    }

    #[test]
    fn levels_exclude_their_ends_and_nan() {
        for text in ["0", "1", "-0.1", "1.1", "nan", "inf", ""] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
        assert_eq!("99%".parse::<Level>(), Ok(Level(0.99)));
    }

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [("1s", 1), ("5m", 300), ("2h", 7200), ("1h 30m", 5400)] {
            let expected = Every(Duration::from_secs(seconds));
            assert_eq!(text.parse::<Every>(), Ok(expected), "{text}");
        }
        assert_eq!("1ms".parse(), Ok(Every(Duration::from_millis(1))));
        for text in ["", "5", "0s", "-1s", "5 minutes ago", "nan", "m", "1x"] {
            assert!(text.parse::<Every>().is_err(), "{text}");
        }
    }
}
