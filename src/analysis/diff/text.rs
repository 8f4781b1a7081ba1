//! Parts of a paytable as one line of text each, in the words of the file.

use std::fmt::Display;

use crate::analysis::starts_text;
use crate::paytable::{
    BoostLaw, ByCharacter, Convention, DeclaredFigure, DeclaredRange, DeclaredValue, Limits,
    PlayerChoice, StartLaw, Statement, TriggerTerms, ZeroMeter,
};

pub(super) fn list<T: Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

/// Sections with those weights that are not 1.
pub(super) fn sections<S: Display>(sections: &[S], weights: &[u64]) -> Option<String> {
    let items: Vec<String> = sections
        .iter()
        .zip(weights)
        .map(|(section, &weight)| match weight {
            1 => section.to_string(),
            _ => format!("{section} (weight {weight})"),
        })
        .collect();
    (!items.is_empty()).then(|| items.join(", "))
}

fn by_character<T: Display>(values: &ByCharacter<T>) -> String {
    let items: Vec<String> = values
        .iter()
        .map(|(character, value)| format!("{character}={value}"))
        .collect();
    items.join(",")
}

/// A law of starts; unlike the form of a command line, with every row of a table.
pub(super) fn starts(law: &StartLaw) -> String {
    match law {
        StartLaw::Table { rows } => {
            let rows: Vec<String> = rows
                .iter()
                .map(|row| format!("{} x {}", row.weight, by_character(&row.values)))
                .collect();
            format!("table:{}", rows.join("; "))
        }
        StartLaw::Permutation { .. } => format!("permutation:{}", starts_text(law)),
        StartLaw::Fixed { .. } | StartLaw::Independent { .. } => starts_text(law),
    }
}

pub(super) fn boost(law: &BoostLaw) -> String {
    match law {
        BoostLaw::Uniform => "uniform".to_owned(),
        BoostLaw::OuterSections => "outer-sections".to_owned(),
        BoostLaw::Weights(weights) => format!("weights:{}", by_character(weights)),
    }
}

pub(super) const fn convention(convention: Convention) -> &'static str {
    match convention {
        Convention::ToOne => "to-one",
        Convention::ForOne => "for-one",
    }
}

pub(super) const fn zero_meter(zero_meter: ZeroMeter) -> &'static str {
    match zero_meter {
        ZeroMeter::ReturnsWager => "returns-wager",
        ZeroMeter::LosesWager => "loses-wager",
    }
}

pub(super) fn limits(limits: &Limits) -> String {
    format!(
        "max_win {}, stakes {}",
        limits.max_win,
        list(&limits.stakes)
    )
}

pub(super) fn main_wheel((sections, of): (u64, u64)) -> String {
    format!("{sections} of {of}")
}

pub(super) fn terms(terms: &TriggerTerms) -> String {
    let mut text = format!(
        "{} spins, main wheel {}, other return {}",
        terms.spins,
        main_wheel((terms.main_wheel_sections, terms.main_wheel_of)),
        terms.other_return
    );
    if let Some(law) = &terms.starting_multipliers {
        text.push_str(&format!(", starts {}", starts(law)));
    }
    text
}

pub(super) fn declared(declared: &DeclaredFigure) -> String {
    match &declared.value {
        DeclaredValue::Number(number) => number.text.clone(),
        DeclaredValue::Unbounded => "unbounded".to_owned(),
    }
}

pub(super) const fn choice(choice: PlayerChoice) -> &'static str {
    match choice {
        PlayerChoice::None => "none",
        PlayerChoice::Single => "single",
        PlayerChoice::Multiple => "multiple",
    }
}

pub(super) fn statement(statement: &Statement) -> String {
    let range = |range: DeclaredRange| {
        let highest = range
            .highest
            .map_or("unbounded".to_owned(), |highest| highest.to_string());
        format!("{} to {highest}", range.lowest)
    };
    let mut text = statement.text.clone();
    for (name, value) in [
        ("file", statement.file.clone()),
        ("sha256", statement.sha256.clone()),
        ("page", statement.page.map(|page| page.to_string())),
        ("meter", statement.meter.map(range)),
        ("multiplier", statement.multiplier.map(range)),
    ] {
        if let Some(value) = value {
            text.push_str(&format!(" [{name} {value}]"));
        }
    }
    text
}
