//! Checks a [`Definition`], whether it came from a file or was built in code.
//!
//! Covers what interface and regulation ask of the numbers: legal ranges, laws that
//! cover exactly the characters of the outer wheel, and a counter that reaches zero,
//! 693.6(f)(5). Does not judge a paytable against 58 Pa. Code 693.6: a wheel of 53
//! sections is legal here, and a failed check elsewhere where the file cites 693.6.

mod laws;
mod terms;

pub(super) use terms::{
    LARGEST_METER_FORM, STATEMENT_CLAUSES, STATEMENT_WITH_RANGES, trigger_named,
};

use std::collections::BTreeSet;

use dashu_ratio::RBig;

use super::definition::{Definition, Limits, Potion, Rules};
use super::drift::drift;
use super::fault::Faults;
use super::findings::Findings;
use super::range;
use crate::rules::{Character, Clause, InnerSection, OuterSection, Wheel};

/// The distinct characters of an outer wheel, in the order of 693.6(c)(1).
pub(super) fn characters_of(wheel: &Wheel<OuterSection>) -> Vec<Character> {
    Character::ALL
        .into_iter()
        .filter(|&character| wheel.sections.contains(&OuterSection::Character(character)))
        .collect()
}

/// Checks a definition that has no file.
pub(super) fn check(definition: &Definition) -> Result<(), Faults> {
    let mut findings = Findings::default();
    validate(definition, &mut findings);
    match Faults::new(findings.into_faults()) {
        Some(faults) => Err(faults),
        None => Ok(()),
    }
}

/// Adds every fault of `definition` to `findings`, which may hold faults of its file
/// already; what depends on a key with a fault is passed over.
pub(super) fn validate(definition: &Definition, findings: &mut Findings) {
    short_text(findings, "name", &definition.name);
    short_text(findings, "source", &definition.source);
    long_text(findings, "notes", &definition.notes);
    wheel(findings, "inner_wheel", &definition.inner_wheel);
    for (index, section) in definition.inner_wheel.sections.iter().enumerate() {
        if let InnerSection::Multiplier(value) = section {
            findings.in_range(
                &format!("inner_wheel.sections[{index}]"),
                (*value).into(),
                range::INNER_MULTIPLIER,
            );
        }
    }
    wheel(findings, "outer_wheel", &definition.outer_wheel);
    let characters = characters_of(&definition.outer_wheel);
    if characters.is_empty() && findings.is_sound("outer_wheel.sections") {
        findings.mismatch(
            "outer_wheel.sections",
            "no character",
            format!("at least one of {}", Character::LEGAL_NAMES),
        );
    }
    rules(findings, &definition.rules);
    laws::starts(
        findings,
        "starting_multipliers",
        &definition.starting_multipliers,
        &characters,
        definition.rules.multiplier_floor,
    );
    laws::boost(findings, &definition.boost, &characters);
    if let Some(stated) = &definition.limits {
        limits(findings, stated);
    }
    terms::triggers(findings, definition, &characters);
    terms::declared(findings, definition);
    terms::disclosure(findings, &definition.disclosure);
    counter_reaches_zero(findings, definition);
}

/// The counter must be driven down, or the round be limited, 693.6(f)(5).
fn counter_reaches_zero(findings: &mut Findings, definition: &Definition) {
    let tables = ["inner_wheel", "outer_wheel", "rules"];
    if definition.rules.max_spins.is_some() || !tables.iter().all(|key| findings.is_sound(key)) {
        return;
    }
    let drift = drift(definition);
    if drift >= RBig::ZERO {
        let message = format!(
            "expected change of the counter per spin is {drift}, must be negative, or `max_spins` \
             be given, for a round to end"
        );
        findings.push(
            "rules",
            Some(drift.to_string()),
            Some("a value below 0".to_owned()),
            Some(Clause::F5),
            message,
        );
    }
}

fn short_text(findings: &mut Findings, key: &str, text: &str) {
    text_of(findings, key, text, range::SHORT_TEXT, |_| false);
    if text.trim().is_empty() {
        findings.mismatch(key, "an empty text", "a text that says something");
    }
}

fn long_text(findings: &mut Findings, key: &str, text: &str) {
    text_of(findings, key, text, range::LONG_TEXT, |character| {
        matches!(character, '\n' | '\t')
    });
}

/// Texts go to terminals and reports as they stand, so nothing in them may steer one.
fn text_of(
    findings: &mut Findings,
    key: &str,
    text: &str,
    most: usize,
    is_layout: impl Fn(char) -> bool,
) {
    let length = text.chars().count();
    if length > most {
        findings.mismatch(
            key,
            format!("{length} characters"),
            format!("at most {most} characters"),
        );
    }
    if let Some(control) = text
        .chars()
        .find(|&c| (c.is_control() && !is_layout(c)) || reorders(c))
    {
        findings.mismatch(
            key,
            format!("the control character U+{:04X}", u32::from(control)),
            "text without control characters",
        );
    }
}

/// Whether a character can break a line or turn the order of the text around it, so that a
/// reader would see another text than the one that was hashed.
const fn reorders(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A list's length against its range; `items` names what is counted.
fn count(
    findings: &mut Findings,
    key: &str,
    length: usize,
    items: &str,
    range: range::IntegerRange,
) {
    if findings.has_form(key) && !range.contains(length as i128) {
        findings.mismatch(
            key,
            format!("{length} {items}"),
            format!("a number of {items} in {range}"),
        );
    }
}

/// Weights in their range, one for each item.
fn weights(findings: &mut Findings, key: &str, weights: &[u64], items: usize, what: &str) {
    for (index, &weight) in weights.iter().enumerate() {
        findings.in_range(&format!("{key}[{index}]"), weight.into(), range::WEIGHT);
    }
    if findings.has_form(key) && weights.len() != items {
        findings.mismatch(
            key,
            format!("{} weights", weights.len()),
            format!("{items}, one for each {what}"),
        );
    }
}

fn wheel<S>(findings: &mut Findings, key: &str, wheel: &Wheel<S>) {
    let sections = format!("{key}.sections");
    count(
        findings,
        &sections,
        wheel.sections.len(),
        "sections",
        range::SECTIONS,
    );
    if findings.has_form(&sections) {
        weights(
            findings,
            &format!("{key}.weights"),
            &wheel.weights,
            wheel.sections.len(),
            "section",
        );
    }
}

fn rules(findings: &mut Findings, rules: &Rules) {
    potion(findings, "rules.eat_me", rules.eat_me);
    potion(findings, "rules.drink_me", rules.drink_me);
    findings.in_range(
        "rules.additional_spin.spins",
        rules.additional_spin.into(),
        range::ADDITIONAL_SPINS,
    );
    findings.in_range(
        "rules.multiplier_floor",
        rules.multiplier_floor.into(),
        range::FLOOR,
    );
    if let Some(cap) = rules.max_meter {
        findings.in_range("rules.max_meter", cap.into(), range::MAX_METER);
    }
    if let Some(limit) = rules.max_spins {
        findings.in_range("rules.max_spins", limit.into(), range::MAX_SPINS);
    }
}

fn potion(findings: &mut Findings, key: &str, potion: Potion) {
    findings.in_range(
        &format!("{key}.spins"),
        potion.spins.into(),
        range::POTION_SPINS,
    );
    findings.in_range(
        &format!("{key}.multipliers"),
        potion.multipliers.into(),
        range::POTION_MULTIPLIERS,
    );
}

/// A cap in money must be a whole meter at every stake, or the cap would depend on rounding.
fn limits(findings: &mut Findings, limits: &Limits) {
    let max_win = limits.max_win;
    let is_legal = findings.in_range("limits.max_win", max_win.into(), range::MAX_WIN);
    if limits.stakes.is_empty() && findings.has_form("limits.stakes") {
        findings.mismatch("limits.stakes", "no stake", "at least one");
    }
    let mut seen = BTreeSet::new();
    for (index, &stake) in limits.stakes.iter().enumerate() {
        let key = format!("limits.stakes[{index}]");
        // What could not be read left a stand-in, which is no stake that was seen.
        if !findings.is_sound(&key) || !findings.in_range(&key, stake.into(), range::STAKE) {
            continue;
        }
        if !seen.insert(stake) {
            findings.mismatch(&key, format!("{stake} again"), "distinct stakes");
        } else if is_legal && findings.is_sound("limits.max_win") && !max_win.is_multiple_of(stake)
        {
            findings.mismatch(
                &key,
                stake.to_string(),
                format!(
                    "a stake that divides `max_win` = {max_win} exactly, for the cap on the meter \
                     is their quotient"
                ),
            );
        }
    }
}
