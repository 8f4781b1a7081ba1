//! The canonical form of a paytable and its SHA-256.
//!
//! Two files that state the same paytable have the same form: comments, white space,
//! the order of keys and a default that was left out do not enter; every number, text
//! and declaration does. The form is compact JSON whose keys stand in the fixed order
//! of this file, whatever order a map type would choose, with fractions reduced and
//! written `"n/d"`. A change of the form is a new number after `"canonical":`.

use dashu_ratio::RBig;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Paytable;
use super::definition::{
    BoostLaw, ByCharacter, Convention, DeclaredFigure, DeclaredRange, DeclaredValue, Definition,
    Disclosure, Limits, Payout, PlayerChoice, Potion, Rules, StartLaw, Statement, TriggerTerms,
    ZeroMeter,
};
use crate::rules::{InnerSection, OuterSection, Trigger, Wheel};

/// The version of the form, its first entry.
const VERSION: u64 = 1;

impl Paytable {
    /// The canonical form: compact JSON that states the whole paytable.
    #[must_use]
    pub fn canonical(&self) -> String {
        let definition: &Definition = self;
        let object = Object::default()
            .entry("canonical", VERSION.to_string())
            .entry("name", text(&definition.name))
            .entry("source", text(&definition.source))
            .entry("notes", text(&definition.notes));
        mathematics(object, definition)
            .entry("payout", payout(definition.payout))
            .entry("limits", optional(definition.limits.as_ref(), limits))
            .entry(
                "declared",
                list(&definition.declared, |(&trigger, figures)| {
                    declared(trigger, figures)
                }),
            )
            .entry("disclosure", disclosure(&definition.disclosure))
            .finish()
    }

    /// SHA-256 of the [canonical form](Self::canonical), 64 lower-case hexadecimal
    /// digits: the identity of the paytable.
    #[must_use]
    pub fn sha256(&self) -> String {
        sha256_hex(self.canonical().as_bytes())
    }

    /// SHA-256 over what decides the mathematics alone: wheels with their weights, laws,
    /// rules and triggers. A derived seed comes from it, so that no name, note or
    /// declared figure can be varied until a simulation pleases.
    #[must_use]
    pub fn mathematics_sha256(&self) -> String {
        let object = Object::default().entry("mathematics", VERSION.to_string());
        sha256_hex(mathematics(object, self).finish().as_bytes())
    }
}

/// SHA-256 as 64 lower-case hexadecimal digits.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hexadecimal digits, two for each byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    bytes
        .iter()
        .flat_map(|byte| {
            [
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]
        })
        .collect()
}

fn mathematics(object: Object, definition: &Definition) -> Object {
    object
        .entry(
            "inner_wheel",
            wheel(&definition.inner_wheel, |section| match section {
                InnerSection::Multiplier(value) => value.to_string(),
                InnerSection::AdditionalSpin => text(InnerSection::ADDITIONAL_SPIN),
            }),
        )
        .entry(
            "outer_wheel",
            wheel(&definition.outer_wheel, |section: OuterSection| {
                text(section.name())
            }),
        )
        .entry(
            "starting_multipliers",
            start_law(&definition.starting_multipliers),
        )
        .entry("boost", boost_law(&definition.boost))
        .entry("rules", rules(&definition.rules))
        .entry("triggers", list(&definition.triggers, terms))
}

fn wheel<S: Copy>(wheel: &Wheel<S>, section: impl Fn(S) -> String) -> String {
    Object::default()
        .entry("sections", list(&wheel.sections, |&item| section(item)))
        .entry("weights", list(&wheel.weights, ToString::to_string))
        .finish()
}

fn start_law(law: &StartLaw) -> String {
    let named = |name| Object::default().entry("law", text(name));
    match law {
        StartLaw::Permutation { values } => {
            named("permutation").entry("values", list(values, ToString::to_string))
        }
        StartLaw::Fixed { values } => named("fixed").entry("values", by_character(values)),
        StartLaw::Independent { values, weights } => named("independent")
            .entry("values", list(values, ToString::to_string))
            .entry("weights", list(weights, ToString::to_string)),
        StartLaw::Table { rows } => named("table").entry(
            "rows",
            list(rows, |row| {
                Object::default()
                    .entry("weight", row.weight.to_string())
                    .entry("values", by_character(&row.values))
                    .finish()
            }),
        ),
    }
    .finish()
}

fn boost_law(law: &BoostLaw) -> String {
    let named = |name| Object::default().entry("law", text(name));
    match law {
        BoostLaw::Uniform => named("uniform"),
        BoostLaw::OuterSections => named("outer-sections"),
        BoostLaw::Weights(weights) => named("weights").entry("weights", by_character(weights)),
    }
    .finish()
}

fn by_character<T: ToString>(values: &ByCharacter<T>) -> String {
    values
        .iter()
        .fold(Object::default(), |object, (character, value)| {
            object.entry(character.name(), value.to_string())
        })
        .finish()
}

fn rules(rules: &Rules) -> String {
    let potion = |potion: Potion| {
        Object::default()
            .entry("spins", potion.spins.to_string())
            .entry("multipliers", potion.multipliers.to_string())
            .entry("consumes_spin", potion.consumes_spin.to_string())
            .finish()
    };
    Object::default()
        .entry("eat_me", potion(rules.eat_me))
        .entry("drink_me", potion(rules.drink_me))
        .entry("additional_spin", rules.additional_spin.to_string())
        .entry("multiplier_floor", rules.multiplier_floor.to_string())
        .entry(
            "max_meter",
            optional(rules.max_meter, |cap| cap.to_string()),
        )
        .entry(
            "max_spins",
            optional(rules.max_spins, |limit| limit.to_string()),
        )
        .finish()
}

fn terms(terms: &TriggerTerms) -> String {
    Object::default()
        .entry("trigger", terms.trigger.to_string())
        .entry("spins", terms.spins.to_string())
        .entry("main_wheel_sections", terms.main_wheel_sections.to_string())
        .entry("main_wheel_of", terms.main_wheel_of.to_string())
        .entry("other_return", fraction(&terms.other_return))
        .entry(
            "starting_multipliers",
            optional(terms.starting_multipliers.as_ref(), start_law),
        )
        .finish()
}

fn payout(payout: Payout) -> String {
    let convention = match payout.convention {
        Convention::ToOne => "to-one",
        Convention::ForOne => "for-one",
    };
    let zero_meter = match payout.zero_meter {
        ZeroMeter::ReturnsWager => "returns-wager",
        ZeroMeter::LosesWager => "loses-wager",
    };
    Object::default()
        .entry("convention", text(convention))
        .entry("zero_meter", text(zero_meter))
        .finish()
}

fn limits(limits: &Limits) -> String {
    Object::default()
        .entry("max_win", limits.max_win.to_string())
        .entry("stakes", list(&limits.stakes, ToString::to_string))
        .finish()
}

fn declared(trigger: Trigger, figures: &[DeclaredFigure]) -> String {
    let mut figures: Vec<_> = figures.iter().collect();
    figures.sort_by_key(|declared| declared.figure);
    let values = figures
        .into_iter()
        .fold(Object::default(), |object, declared| {
            // The digits as declared are the claim: "0.5" and "0.50" differ.
            let value = match &declared.value {
                DeclaredValue::Number(number) => text(&number.text),
                DeclaredValue::Unbounded => text("unbounded"),
            };
            object.entry(declared.figure.key(), value)
        });
    Object::default()
        .entry("trigger", trigger.to_string())
        .entry("figures", values.finish())
        .finish()
}

fn disclosure(disclosure: &Disclosure) -> String {
    let flag = |flag: Option<bool>| optional(flag, |value| value.to_string());
    let choice = |choice| {
        text(match choice {
            PlayerChoice::None => "none",
            PlayerChoice::Single => "single",
            PlayerChoice::Multiple => "multiple",
        })
    };
    Object::default()
        .entry("player_choice", optional(disclosure.player_choice, choice))
        .entry("auto_initiate", flag(disclosure.auto_initiate))
        .entry("acknowledged", flag(disclosure.acknowledged))
        .entry("community", flag(disclosure.community))
        .entry(
            "time_remaining_shown",
            flag(disclosure.time_remaining_shown),
        )
        .entry(
            "explained_on_display",
            flag(disclosure.explained_on_display),
        )
        .entry(
            "timeout_seconds",
            optional(disclosure.timeout_seconds, |seconds| seconds.to_string()),
        )
        .entry(
            "statements",
            list(&disclosure.statements, |(clause, stated)| {
                statement(clause, stated)
            }),
        )
        .finish()
}

fn statement(clause: &str, statement: &Statement) -> String {
    let range = |range: DeclaredRange| {
        let highest = range
            .highest
            .map_or_else(|| text("unbounded"), |highest| highest.to_string());
        format!("[{},{highest}]", range.lowest)
    };
    let object = Object::default()
        .entry("clause", text(clause))
        .entry("text", text(&statement.text))
        .entry("file", optional(statement.file.as_deref(), text))
        .entry("sha256", optional(statement.sha256.as_deref(), text))
        .entry("page", optional(statement.page, |page| page.to_string()))
        .entry("meter", optional(statement.meter, range))
        .entry("multiplier", optional(statement.multiplier, range));
    // A key that came later enters where it is stated, so files without it keep their identity.
    match statement.odds_shown {
        Some(shown) => object.entry("odds_shown", shown.to_string()).finish(),
        None => object.finish(),
    }
}

fn fraction(value: &RBig) -> String {
    format!("\"{}/{}\"", value.numerator(), value.denominator())
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}

fn optional<T>(value: Option<T>, form: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "null".to_owned(), form)
}

fn list<T>(items: impl IntoIterator<Item = T>, form: impl Fn(T) -> String) -> String {
    let items: Vec<_> = items.into_iter().map(form).collect();
    format!("[{}]", items.join(","))
}

/// A JSON object whose entries keep the order in which they were written.
#[derive(Default)]
struct Object(String);

impl Object {
    /// Adds an entry; `value` is JSON already, `key` needs no escape.
    fn entry(mut self, key: &str, value: impl AsRef<str>) -> Self {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0.push('"');
        self.0.push_str(key);
        self.0.push_str("\":");
        self.0.push_str(value.as_ref());
        self
    }

    fn finish(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('{');
        }
        self.0.push('}');
        self.0
    }
}

#[cfg(test)]
mod tests;
