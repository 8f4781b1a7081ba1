//! Checks the triggers of 693.6(d), declared figures and the statements for 9 NYCRR 5319.47.

use dashu_ratio::RBig;

use super::{laws, long_text, short_text};
use crate::paytable::decimal::Decimal;
use crate::paytable::definition::{
    DeclaredFigure, DeclaredRange, DeclaredValue, Definition, Disclosure, Figure, Statement,
};
use crate::paytable::findings::Findings;
use crate::paytable::range::{self, IntegerRange};
use crate::rules::{Character, Trigger};

/// The clauses of 5319.47(a) that are decided by a statement.
pub(in crate::paytable) const STATEMENT_CLAUSES: [&str; 6] = [
    "5319.47(a)(1)",
    STATEMENT_WITH_RANGES,
    "5319.47(a)(3)",
    "5319.47(a)(4)",
    "5319.47(a)(7)",
    "5319.47(a)(9)",
];

/// The clause whose statement gives the ranges of the meter and of a multiplier.
pub(in crate::paytable) const STATEMENT_WITH_RANGES: &str = "5319.47(a)(2)";

/// The triggers: one or two, ascending, with the main wheel behind each.
pub(super) fn triggers(findings: &mut Findings, definition: &Definition, characters: &[Character]) {
    let stated: Vec<_> = definition
        .triggers
        .iter()
        .map(|terms| terms.trigger)
        .collect();
    if findings.is_sound("triggers") && !stated.is_sorted_by(|a, b| a < b) {
        findings.mismatch("triggers", "another order", "each trigger once, ascending");
    }
    if findings.is_sound("triggers") && stated.is_empty() {
        findings.mismatch(
            "triggers",
            "no trigger",
            "at least one of `[triggers.2]` and `[triggers.5]`",
        );
    }
    for terms in &definition.triggers {
        let key = format!("triggers.{}", terms.trigger);
        findings.in_range(
            &format!("{key}.spins"),
            terms.spins.into(),
            range::TRIGGER_SPINS,
        );
        let of_key = format!("{key}.main_wheel.of");
        let sections_key = format!("{key}.main_wheel.sections");
        findings.in_range(&of_key, terms.main_wheel_of.into(), range::MAIN_WHEEL);
        let sections = if findings.is_sound(&of_key) {
            IntegerRange::new(1, terms.main_wheel_of.into())
        } else {
            range::MAIN_WHEEL
        };
        findings.in_range(&sections_key, terms.main_wheel_sections.into(), sections);
        if terms.other_return < RBig::ZERO || terms.other_return > RBig::from(range::OTHER_RETURN) {
            findings.mismatch(
                &format!("{key}.other_return"),
                terms.other_return.to_string(),
                format!("a value in [0, {}]", range::OTHER_RETURN),
            );
        }
        if let Some(law) = &terms.starting_multipliers {
            laws::starts(
                findings,
                &format!("{key}.starting_multipliers"),
                law,
                characters,
                definition.rules.multiplier_floor,
            );
        }
    }
}

/// Declared figures: for triggers that exist, each once, in the form of its figure.
pub(super) fn declared(findings: &mut Findings, definition: &Definition) {
    for (&trigger, figures) in &definition.declared {
        let key = format!("declared.{trigger}");
        if findings.is_sound("triggers")
            && !definition
                .triggers
                .iter()
                .any(|terms| terms.trigger == trigger)
        {
            findings.mismatch(
                &key,
                format!("figures for trigger {trigger}"),
                format!("`[triggers.{trigger}]` to go with them"),
            );
        }
        for (index, declared) in figures.iter().enumerate() {
            let item = format!("{key}.{}", declared.figure.key());
            if figures[..index]
                .iter()
                .any(|earlier| earlier.figure == declared.figure)
            {
                findings.mismatch(&item, "the figure again", "each figure once");
            }
            figure(findings, &item, declared);
        }
    }
}

fn figure(findings: &mut Findings, key: &str, declared: &DeclaredFigure) {
    let is_largest_meter = declared.figure == Figure::MaxMeter;
    match &declared.value {
        DeclaredValue::Unbounded if is_largest_meter => {}
        DeclaredValue::Unbounded => {
            findings.mismatch(key, "\"unbounded\"", Decimal::LEGAL_FORM);
        }
        DeclaredValue::Number(number) => {
            // Text and value could disagree only in a definition built in code.
            if number.text.parse().as_ref() != Ok(number) {
                findings.mismatch(
                    key,
                    format!("\"{}\" with another value", number.text.escape_debug()),
                    "the value that the text has",
                );
            }
            let found = || format!("\"{}\"", number.text);
            if is_largest_meter && !number.text.bytes().all(|byte| byte.is_ascii_digit()) {
                findings.mismatch(key, found(), LARGEST_METER_FORM);
            }
            if declared.figure == Figure::HitFrequency
                && (number.value < RBig::ZERO || number.value > RBig::ONE)
            {
                findings.mismatch(key, found(), "a probability in [0, 1]");
            }
        }
    }
}

/// The form of the declared largest meter, for messages.
pub(in crate::paytable) const LARGEST_METER_FORM: &str =
    "\"unbounded\" or an integer as text such as \"500\"";

/// Statements: of known clauses, with evidence that can be looked up.
pub(super) fn disclosure(findings: &mut Findings, disclosure: &Disclosure) {
    if let Some(seconds) = disclosure.timeout_seconds {
        findings.in_range(
            "disclosure.timeout_seconds",
            seconds.into(),
            range::TIMEOUT_SECONDS,
        );
    }
    for (clause, statement) in &disclosure.statements {
        let key = format!("disclosure.\"{}\"", clause.escape_debug());
        if STATEMENT_CLAUSES.contains(&clause.as_str()) {
            evidence(findings, &key, statement);
            let has_range = statement.meter.is_some()
                || statement.multiplier.is_some()
                || statement.odds_shown.is_some();
            if has_range && clause != STATEMENT_WITH_RANGES {
                findings.mismatch(
                    &key,
                    "a range",
                    format!("ranges with {STATEMENT_WITH_RANGES} only"),
                );
            }
        } else {
            findings.mismatch(
                &key,
                "an unknown clause",
                format!("one of {}", STATEMENT_CLAUSES.join(", ")),
            );
        }
    }
}

fn evidence(findings: &mut Findings, key: &str, statement: &Statement) {
    let text_key = format!("{key}.text");
    long_text(findings, &text_key, &statement.text);
    if statement.text.trim().is_empty() {
        findings.mismatch(&text_key, "an empty text", "a text that says something");
    }
    if let Some(file) = &statement.file {
        short_text(findings, &format!("{key}.file"), file);
    }
    if let Some(digest) = &statement.sha256 {
        let is_hexadecimal = digest
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if digest.len() != 64 || !is_hexadecimal {
            findings.mismatch(
                &format!("{key}.sha256"),
                format!("\"{}\"", digest.escape_debug()),
                "64 hexadecimal digits",
            );
        }
    }
    if let Some(page) = statement.page {
        findings.in_range(&format!("{key}.page"), page.into(), range::PAGE);
    }
    for (name, stated) in [
        ("meter", statement.meter),
        ("multiplier", statement.multiplier),
    ] {
        if let Some(stated) = stated {
            declared_range(findings, &format!("{key}.{name}"), stated);
        }
    }
}

fn declared_range(findings: &mut Findings, key: &str, stated: DeclaredRange) {
    let lowest = findings.in_range(
        &format!("{key}[0]"),
        stated.lowest.into(),
        range::DECLARED_RANGE,
    );
    let Some(highest) = stated.highest else {
        return;
    };
    let is_legal = findings.in_range(&format!("{key}[1]"), highest.into(), range::DECLARED_RANGE);
    if lowest && is_legal && findings.is_sound(key) && stated.lowest > highest {
        findings.mismatch(
            key,
            format!("[{}, {highest}]", stated.lowest),
            "[lowest, highest] in this order",
        );
    }
}

/// The trigger with the given name in a file, `2` or `5`.
pub(in crate::paytable) fn trigger_named(name: &str) -> Option<Trigger> {
    Trigger::ALL
        .into_iter()
        .find(|trigger| trigger.to_string() == name)
}
