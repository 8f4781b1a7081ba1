//! Laws of the starting multipliers, 693.6(e), as one line of text, and moved.
//!
//! | text | law |
//! | --- | --- |
//! | `2,3,4,5,6,8` or `permutation:2,3,4,5,6,8` | the values in random order, one for each character |
//! | `fixed:rabbit=10,cat=6,crown=5,bird=4,mouse=3,hat=2` | each character its own value |
//! | `independent:2=3,5=1` | each character draws alone: 2 with weight 3, 5 with weight 1 |
//!
//! Blanks around a value are skipped. Only the form is judged here: whether the values are legal
//! and cover the characters is for [`Paytable::new`](crate::paytable::Paytable::new). A law of
//! rows (`table`) has no form of one line.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::paytable::{Definition, StartLaw};
use crate::rules::{Character, UnknownName};

/// Why a text is no law of the starting multipliers.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StartsError {
    /// The word before the colon names no law.
    #[error("found the law `{found}`, expected `permutation`, `fixed` or `independent`")]
    UnknownLaw {
        /// The word found.
        found: String,
    },
    /// An item has another form.
    #[error("found `{found}`, expected {legal}")]
    Malformed {
        /// The item found.
        found: String,
        /// The form of an item of this law.
        legal: &'static str,
    },
    /// The name of a character is not known.
    #[error("an unknown character")]
    UnknownCharacter(#[source] UnknownName),
    /// A character or a value has two entries.
    #[error("found `{found}` twice, expected it once")]
    Twice {
        /// The name or value.
        found: String,
    },
}

/// Reads a law from the text of the module's table.
///
/// # Errors
/// [`StartsError`], with the item at fault.
///
/// # Examples
/// ```
/// use wonderspins::analysis::{parse_starts, starts_text};
///
/// let law = parse_starts("fixed: hat=2, rabbit=10")?;
/// assert_eq!(starts_text(&law), "fixed:rabbit=10,hat=2");
/// # Ok::<(), wonderspins::analysis::StartsError>(())
/// ```
pub fn parse_starts(text: &str) -> Result<StartLaw, StartsError> {
    let (law, items) = text.split_once(':').unwrap_or(("permutation", text));
    let items = items.split(',').map(str::trim);
    match law.trim() {
        "permutation" => {
            let values = items.map(|item| {
                number(item).ok_or_else(|| malformed(item, "a list such as `2,3,4,5,6,8`"))
            });
            Ok(StartLaw::Permutation {
                values: values.collect::<Result<_, _>>()?,
            })
        }
        "fixed" => {
            let mut values = BTreeMap::new();
            for item in items {
                let refused = || malformed(item, "a list such as `fixed:rabbit=10,cat=6`");
                let (name, value) = item.split_once('=').ok_or_else(refused)?;
                let name = name.trim();
                let character = name
                    .parse::<Character>()
                    .map_err(StartsError::UnknownCharacter)?;
                let value = number(value.trim()).ok_or_else(refused)?;
                if values.insert(character, value).is_some() {
                    return Err(StartsError::Twice { found: name.into() });
                }
            }
            Ok(StartLaw::Fixed { values })
        }
        "independent" => {
            let (mut values, mut weights) = (Vec::new(), Vec::new());
            for item in items {
                let refused = || malformed(item, "`value=weight`, as in `independent:2=3,5=1`");
                let (value, weight) = item.split_once('=').ok_or_else(refused)?;
                let value: u32 = number(value.trim()).ok_or_else(refused)?;
                if values.contains(&value) {
                    let found = value.to_string();
                    return Err(StartsError::Twice { found });
                }
                values.push(value);
                weights.push(number(weight.trim()).ok_or_else(refused)?);
            }
            Ok(StartLaw::Independent { values, weights })
        }
        found => Err(StartsError::UnknownLaw {
            found: found.to_owned(),
        }),
    }
}

fn malformed(item: &str, legal: &'static str) -> StartsError {
    StartsError::Malformed {
        found: item.to_owned(),
        legal,
    }
}

/// Digits alone: `parse` would also take a sign.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().ok()).flatten()
}

/// A law as text: what [`parse_starts`] reads back, or `table of N rows`.
#[must_use]
pub fn starts_text(law: &StartLaw) -> String {
    let list = |items: Vec<String>| items.join(",");
    match law {
        StartLaw::Permutation { values } => list(values.iter().map(u32::to_string).collect()),
        StartLaw::Fixed { values } => {
            let items = values.iter().map(|(name, value)| format!("{name}={value}"));
            format!("fixed:{}", list(items.collect()))
        }
        StartLaw::Independent { values, weights } => {
            let items = values.iter().zip(weights);
            let items = items.map(|(value, weight)| format!("{value}={weight}"));
            format!("independent:{}", list(items.collect()))
        }
        StartLaw::Table { rows } => format!("table of {} rows", rows.len()),
    }
}

/// Every value that a law can give, repeats included.
pub(super) fn values(law: &StartLaw) -> Vec<u32> {
    match law {
        StartLaw::Permutation { values } | StartLaw::Independent { values, .. } => values.clone(),
        StartLaw::Fixed { values } => values.values().copied().collect(),
        StartLaw::Table { rows } => rows
            .iter()
            .flat_map(|row| row.values.values().copied())
            .collect(),
    }
}

/// The law with every value changed. Values of an independent law that become equal are one
/// value with the sum of their weights.
pub(super) fn moved(law: &StartLaw, to: &dyn Fn(u32) -> u32) -> StartLaw {
    match law {
        StartLaw::Permutation { values } => StartLaw::Permutation {
            values: values.iter().map(|&value| to(value)).collect(),
        },
        StartLaw::Fixed { values } => StartLaw::Fixed {
            values: values.iter().map(|(&name, &v)| (name, to(v))).collect(),
        },
        StartLaw::Independent { values, weights } => {
            let mut merged: Vec<(u32, u64)> = Vec::new();
            for (&value, &weight) in values.iter().zip(weights) {
                let value = to(value);
                match merged.iter_mut().find(|(known, _)| *known == value) {
                    Some((_, sum)) => *sum = sum.saturating_add(weight),
                    None => merged.push((value, weight)),
                }
            }
            let (values, weights) = merged.into_iter().unzip();
            StartLaw::Independent { values, weights }
        }
        StartLaw::Table { rows } => {
            let mut rows = rows.clone();
            for value in rows.iter_mut().flat_map(|row| row.values.values_mut()) {
                *value = to(*value);
            }
            StartLaw::Table { rows }
        }
    }
}

/// Every law of a definition: the common one, and those of triggers alone.
pub(super) fn laws(definition: &Definition) -> impl Iterator<Item = &StartLaw> {
    let own = definition.triggers.iter();
    std::iter::once(&definition.starting_multipliers)
        .chain(own.filter_map(|terms| terms.starting_multipliers.as_ref()))
}

/// Changes every law of a definition.
pub(super) fn change_laws(definition: &mut Definition, to: impl Fn(&StartLaw) -> StartLaw) {
    definition.starting_multipliers = to(&definition.starting_multipliers);
    for terms in &mut definition.triggers {
        if let Some(law) = &mut terms.starting_multipliers {
            *law = to(law);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_one_line_is_read_and_written_back() {
        for text in [
            "2,3,4,5,6,8",
            "7",
            "fixed:rabbit=10,cat=6,crown=5,bird=4,mouse=3,hat=2",
            "independent:2=3,5=1",
        ] {
            assert_eq!(starts_text(&parse_starts(text).unwrap()), text);
        }
        assert_eq!(
            parse_starts("permutation: 2, 3"),
            Ok(StartLaw::Permutation { values: vec![2, 3] })
        );
    }

    #[test]
    fn what_has_no_such_form_is_refused_with_its_item() {
        for (text, named) in [
            ("", "``"),
            ("2,,3", "``"),
            ("2,x", "`x`"),
            ("-1", "`-1`"),
            ("+1", "`+1`"),
            ("99999999999", "`99999999999`"),
            ("1.5", "`1.5`"),
            ("table:1", "`table`"),
            ("fixed:rabbit", "`rabbit`"),
            ("fixed:rabbit=", "`rabbit=`"),
            ("fixed:rabbit=1,rabbit=2", "`rabbit` twice"),
            ("independent:2=1,2=3", "`2` twice"),
            ("independent:2", "`2`"),
        ] {
            let error = parse_starts(text).unwrap_err().to_string();
            assert!(error.contains(named), "{text}: {error}");
        }
        assert!(matches!(
            parse_starts("fixed:queen=1"),
            Err(StartsError::UnknownCharacter(_))
        ));
    }

    #[test]
    fn an_independent_law_merges_values_that_become_equal() {
        let law = parse_starts("independent:2=3,5=1,9=2").unwrap();
        let halved = moved(&law, &|value| value.min(5));
        assert_eq!(starts_text(&halved), "independent:2=3,5=3");
    }
}
