//! Checks the laws of 693.6(e) and (f)(2)(i).

use super::{count, weights};
use crate::paytable::definition::{BoostLaw, ByCharacter, StartLaw};
use crate::paytable::findings::Findings;
use crate::paytable::range::{self, IntegerRange};
use crate::rules::Character;

/// A law of the starting multipliers: as many values as characters, each from the floor.
pub(super) fn starts(
    findings: &mut Findings,
    key: &str,
    law: &StartLaw,
    characters: &[Character],
    floor: u32,
) {
    // Where the law itself could not be read, `law` is a stand-in.
    if !findings.has_form(&format!("{key}.law")) {
        return;
    }
    let range = if findings.is_sound("rules.multiplier_floor") {
        IntegerRange::new(floor.into(), range::START.highest)
    } else {
        range::START
    };
    let values_key = format!("{key}.values");
    match law {
        StartLaw::Permutation { values } => {
            list(findings, &values_key, values, range);
            let is_known = findings.is_sound("outer_wheel.sections");
            if is_known && findings.has_form(&values_key) && values.len() != characters.len() {
                findings.mismatch(
                    &values_key,
                    format!("{} values", values.len()),
                    format!(
                        "{}, one for each character of the outer wheel",
                        characters.len()
                    ),
                );
            }
        }
        StartLaw::Fixed { values } => {
            by_character(findings, &values_key, values, characters, range);
        }
        StartLaw::Independent {
            values,
            weights: stated,
        } => {
            list(findings, &values_key, values, range);
            count(
                findings,
                &values_key,
                values.len(),
                "values",
                range::START_VALUES,
            );
            // After the count, which bounds this search.
            for (index, value) in values.iter().enumerate() {
                if findings.is_sound(&values_key) && values[..index].contains(value) {
                    findings.mismatch(
                        &format!("{values_key}[{index}]"),
                        format!("{value} again"),
                        "distinct values",
                    );
                }
            }
            if findings.has_form(&values_key) {
                weights(
                    findings,
                    &format!("{key}.weights"),
                    stated,
                    values.len(),
                    "value",
                );
            }
        }
        StartLaw::Table { rows } => {
            let rows_key = format!("{key}.rows");
            count(findings, &rows_key, rows.len(), "rows", range::START_ROWS);
            for (index, row) in rows.iter().enumerate() {
                let row_key = format!("{rows_key}[{index}]");
                findings.in_range(
                    &format!("{row_key}.weight"),
                    row.weight.into(),
                    range::WEIGHT,
                );
                let values_key = format!("{row_key}.values");
                by_character(findings, &values_key, &row.values, characters, range);
            }
        }
    }
}

/// The law of the selection: weights, where it has them, for exactly the characters.
pub(super) fn boost(findings: &mut Findings, law: &BoostLaw, characters: &[Character]) {
    if let BoostLaw::Weights(weights) = law
        && findings.has_form("boost.law")
    {
        by_character(
            findings,
            "boost.weights",
            weights,
            characters,
            range::WEIGHT,
        );
    }
}

fn list(findings: &mut Findings, key: &str, values: &[u32], range: IntegerRange) {
    for (index, &value) in values.iter().enumerate() {
        let item = format!("{key}[{index}]");
        if findings.is_sound(&item) {
            findings.in_range(&item, value.into(), range);
        }
    }
}

/// One value in its range for exactly the characters of the outer wheel.
fn by_character<T: Copy + Into<i128>>(
    findings: &mut Findings,
    key: &str,
    values: &ByCharacter<T>,
    characters: &[Character],
    range: IntegerRange,
) {
    // A misspelt name is one fault, not a second one for the name that is now missing.
    let is_comparable = findings.is_sound("outer_wheel.sections") && findings.is_sound(key);
    for (character, &value) in values {
        let item = format!("{key}.{character}");
        if is_comparable && !characters.contains(character) {
            findings.mismatch(
                &item,
                format!("`{character}`, which is not on the outer wheel"),
                names(characters),
            );
        } else if findings.is_sound(&item) {
            findings.in_range(&item, value.into(), range);
        }
    }
    let missing: Vec<_> = characters
        .iter()
        .copied()
        .filter(|character| !values.contains_key(character))
        .collect();
    if is_comparable && !missing.is_empty() {
        findings.mismatch(
            key,
            format!("no value for {}", names(&missing)),
            format!("one for each of {}", names(characters)),
        );
    }
}

fn names(characters: &[Character]) -> String {
    let names: Vec<_> = characters.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
