//! Reads the tables of the game, top to bottom.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use toml::de::{DeTable, DeValue};

use super::disclosure::disclosure;
use super::node::{Node, Reader, Table};
use crate::paytable::decimal::Decimal;
use crate::paytable::definition::{
    BoostLaw, ByCharacter, Convention, DeclaredFigure, DeclaredValue, Definition, Disclosure,
    Figure, Limits, Payout, Potion, Rules, StartLaw, StartRow, TriggerTerms, ZeroMeter,
};
use crate::paytable::range::{self, IntegerRange};
use crate::paytable::validate::{LARGEST_METER_FORM, trigger_named};
use crate::rules::{Character, InnerSection, OuterSection, Trigger, Wheel};

const TRIGGER_KEYS: [&str; 2] = ["2", "5"];

/// The whole file. Where a value has a fault, a legal stand-in takes its place.
pub(super) fn definition<'a>(reader: &mut Reader<'_>, entries: &'a DeTable<'a>) -> Definition {
    let root = reader.root(
        entries,
        &[
            "schema",
            "name",
            "source",
            "notes",
            "inner_wheel",
            "outer_wheel",
            "starting_multipliers",
            "boost",
            "rules",
            "payout",
            "limits",
            "triggers",
            "declared",
            "disclosure",
        ],
    );
    let schema = reader.required(&root, "schema");
    let _: u32 = reader.integer(schema, range::SCHEMA);
    let name = reader.required(&root, "name");
    let name = reader.text(name);
    let source = reader.required(&root, "source");
    let source = reader.text(source);
    let notes = match reader.optional(&root, "notes") {
        Some(notes) => reader.text(Some(notes)),
        None => String::new(),
    };
    let inner_wheel = reader.required(&root, "inner_wheel");
    let inner_wheel = wheel(reader, inner_wheel, inner_section);
    let outer_wheel = reader.required(&root, "outer_wheel");
    let outer_wheel = wheel(reader, outer_wheel, outer_section);
    let starting_multipliers = reader.required(&root, "starting_multipliers");
    let starting_multipliers = start_law(reader, starting_multipliers);
    let boost = reader.required(&root, "boost");
    let boost = boost_law(reader, boost);
    let stated_rules = reader.required(&root, "rules");
    let rules = rules(reader, stated_rules);
    let stated_payout = reader.required(&root, "payout");
    let payout = payout(reader, stated_payout);
    let limits = reader
        .optional(&root, "limits")
        .and_then(|node| limits(reader, &node));
    let stated_triggers = reader.required(&root, "triggers");
    let triggers = triggers(reader, stated_triggers);
    let declared = match reader.optional(&root, "declared") {
        Some(node) => declared(reader, &node),
        None => BTreeMap::new(),
    };
    let disclosure = match reader.optional(&root, "disclosure") {
        Some(node) => disclosure(reader, &node),
        None => Disclosure::default(),
    };
    Definition {
        name,
        source,
        notes,
        inner_wheel,
        outer_wheel,
        starting_multipliers,
        boost,
        rules,
        payout,
        limits,
        triggers,
        declared,
        disclosure,
    }
}

fn wheel<S: Copy>(
    reader: &mut Reader<'_>,
    node: Option<Node<'_>>,
    mut section: impl FnMut(&mut Reader<'_>, &Node<'_>) -> S,
) -> Wheel<S> {
    let table = node.and_then(|node| reader.open(&node, &["sections", "weights"]));
    let Some(table) = table else {
        return Wheel::fair(Vec::new());
    };
    let sections = reader.required(&table, "sections");
    let sections: Vec<S> = reader
        .items(sections, "a list of sections")
        .iter()
        .map(|item| section(reader, item))
        .collect();
    match reader.optional(&table, "weights") {
        Some(weights) => Wheel {
            sections,
            weights: reader.integers(Some(weights), range::WEIGHT),
        },
        None => Wheel::fair(sections),
    }
}

fn inner_section(reader: &mut Reader<'_>, node: &Node<'_>) -> InnerSection {
    if matches!(node.value, DeValue::String(text) if text == InnerSection::ADDITIONAL_SPIN) {
        return InnerSection::AdditionalSpin;
    }
    let or = format!(" or \"{}\"", InnerSection::ADDITIONAL_SPIN);
    let value = reader.integer_or(node, range::INNER_MULTIPLIER, &or);
    InnerSection::Multiplier(value.and_then(|value| value.try_into().ok()).unwrap_or(0))
}

fn outer_section(reader: &mut Reader<'_>, node: &Node<'_>) -> OuterSection {
    let section = match node.value {
        DeValue::String(name) => name.parse().ok(),
        _ => None,
    };
    section.unwrap_or_else(|| {
        reader.mismatch(node, &format!("one of {}", OuterSection::LEGAL_NAMES));
        OuterSection::NoWin
    })
}

#[derive(Clone, Copy)]
enum LawName {
    Permutation,
    Fixed,
    Independent,
    Table,
}

fn start_law(reader: &mut Reader<'_>, node: Option<Node<'_>>) -> StartLaw {
    let stand_in = StartLaw::Permutation { values: Vec::new() };
    let Some(node) = node else {
        return stand_in;
    };
    let every_key = ["law", "values", "weights", "rows"];
    let DeValue::Table(entries) = node.value else {
        reader.mismatch(&node, "a table");
        return stand_in;
    };
    let named = entries.get("law").and_then(|law| law.get_ref().as_str());
    let (legal, kind): (&[&str], _) = match named {
        Some("permutation" | "fixed") => (&["law", "values"], named),
        Some("independent") => (&["law", "values", "weights"], named),
        Some("table") => (&["law", "rows"], named),
        _ => (&every_key, None),
    };
    let kind = kind.map_or_else(String::new, |law| format!(" of the law \"{law}\""));
    let Some(table) = reader.open_of(&node, legal, &kind) else {
        return stand_in;
    };
    let law = reader.required(&table, "law");
    let law = reader.word(
        law,
        &[
            ("permutation", LawName::Permutation),
            ("fixed", LawName::Fixed),
            ("independent", LawName::Independent),
            ("table", LawName::Table),
        ],
    );
    match law {
        None => stand_in,
        Some(LawName::Permutation) => {
            let values = reader.required(&table, "values");
            StartLaw::Permutation {
                values: reader.integers(values, range::START),
            }
        }
        Some(LawName::Fixed) => {
            let values = reader.required(&table, "values");
            StartLaw::Fixed {
                values: by_character(reader, values, range::START),
            }
        }
        Some(LawName::Independent) => {
            let values = reader.required(&table, "values");
            let weights = reader.required(&table, "weights");
            StartLaw::Independent {
                values: reader.integers(values, range::START),
                weights: reader.integers(weights, range::WEIGHT),
            }
        }
        Some(LawName::Table) => {
            let rows = reader.required(&table, "rows");
            let rows = reader.items(rows, "a list of rows");
            StartLaw::Table {
                rows: rows.iter().map(|row| start_row(reader, row)).collect(),
            }
        }
    }
}

fn start_row(reader: &mut Reader<'_>, node: &Node<'_>) -> StartRow {
    let Some(row) = reader.open(node, &["weight", "values"]) else {
        return StartRow {
            weight: 1,
            values: BTreeMap::new(),
        };
    };
    let weight = reader.required(&row, "weight");
    let values = reader.required(&row, "values");
    StartRow {
        weight: reader.integer(weight, range::WEIGHT),
        values: by_character(reader, values, range::START),
    }
}

fn by_character<T: TryFrom<i128>>(
    reader: &mut Reader<'_>,
    node: Option<Node<'_>>,
    range: IntegerRange,
) -> ByCharacter<T> {
    let names = Character::ALL.map(Character::name);
    let Some(table) = node.and_then(|node| reader.open(&node, &names)) else {
        return BTreeMap::new();
    };
    Character::ALL
        .into_iter()
        .filter_map(|character| {
            let value = reader.optional(&table, character.name())?;
            Some((character, reader.integer(Some(value), range)))
        })
        .collect()
}

#[derive(Clone, Copy)]
enum BoostName {
    Uniform,
    OuterSections,
    Weights,
}

fn boost_law(reader: &mut Reader<'_>, node: Option<Node<'_>>) -> BoostLaw {
    let Some(node) = node else {
        return BoostLaw::Uniform;
    };
    let named = node
        .value
        .as_table()
        .and_then(|entries| entries.get("law"))
        .and_then(|law| law.get_ref().as_str());
    let (legal, kind): (&[&str], _) = match named {
        Some("uniform" | "outer-sections") => (&["law"], named),
        _ => (&["law", "weights"], None),
    };
    let kind = kind.map_or_else(String::new, |law| format!(" of the law \"{law}\""));
    let Some(table) = reader.open_of(&node, legal, &kind) else {
        return BoostLaw::Uniform;
    };
    let law = reader.required(&table, "law");
    let law = reader.word(
        law,
        &[
            ("uniform", BoostName::Uniform),
            ("outer-sections", BoostName::OuterSections),
            ("weights", BoostName::Weights),
        ],
    );
    match law {
        Some(BoostName::OuterSections) => BoostLaw::OuterSections,
        Some(BoostName::Weights) => {
            let weights = reader.required(&table, "weights");
            BoostLaw::Weights(by_character(reader, weights, range::WEIGHT))
        }
        Some(BoostName::Uniform) | None => BoostLaw::Uniform,
    }
}

fn rules(reader: &mut Reader<'_>, node: Option<Node<'_>>) -> Rules {
    let stand_in_potion = Potion {
        spins: 0,
        multipliers: 0,
        consumes_spin: true,
    };
    let keys = [
        "eat_me",
        "drink_me",
        "additional_spin",
        "multiplier_floor",
        "max_meter",
        "max_spins",
    ];
    let Some(table) = node.and_then(|node| reader.open(&node, &keys)) else {
        return Rules {
            eat_me: stand_in_potion,
            drink_me: stand_in_potion,
            additional_spin: 1,
            multiplier_floor: 1,
            max_meter: None,
            max_spins: None,
        };
    };
    let mut potion = |key| {
        let node = reader.required(&table, key)?;
        let table = reader.open(&node, &["spins", "multipliers", "consumes_spin"])?;
        let spins = reader.required(&table, "spins");
        let multipliers = reader.required(&table, "multipliers");
        let consumes_spin = reader.required(&table, "consumes_spin");
        Some(Potion {
            spins: reader.integer(spins, range::POTION_SPINS),
            multipliers: reader.integer(multipliers, range::POTION_MULTIPLIERS),
            consumes_spin: consumes_spin.is_some_and(|node| reader.boolean(&node)),
        })
    };
    let eat_me = potion("eat_me").unwrap_or(stand_in_potion);
    let drink_me = potion("drink_me").unwrap_or(stand_in_potion);
    let additional_spin = reader
        .optional(&table, "additional_spin")
        .and_then(|node| reader.open(&node, &["spins"]))
        .map_or(1, |table| {
            let spins = reader.required(&table, "spins");
            reader.integer(spins, range::ADDITIONAL_SPINS)
        });
    let floor = reader.required(&table, "multiplier_floor");
    Rules {
        eat_me,
        drink_me,
        additional_spin,
        multiplier_floor: reader.integer(floor, range::FLOOR),
        max_meter: optional_integer(reader, &table, "max_meter", range::MAX_METER),
        max_spins: optional_integer(reader, &table, "max_spins", range::MAX_SPINS),
    }
}

pub(super) fn optional_integer<T: TryFrom<i128>>(
    reader: &mut Reader<'_>,
    table: &Table<'_>,
    key: &str,
    range: IntegerRange,
) -> Option<T> {
    let node = reader.optional(table, key)?;
    Some(reader.integer(Some(node), range))
}

fn payout(reader: &mut Reader<'_>, node: Option<Node<'_>>) -> Payout {
    let mut payout = Payout {
        convention: Convention::ToOne,
        zero_meter: ZeroMeter::ReturnsWager,
    };
    let keys = ["convention", "zero_meter"];
    let Some(table) = node.and_then(|node| reader.open(&node, &keys)) else {
        return payout;
    };
    let convention = reader.required(&table, "convention");
    let words = [
        ("to-one", Convention::ToOne),
        ("for-one", Convention::ForOne),
    ];
    if let Some(convention) = reader.word(convention, &words) {
        payout.convention = convention;
    }
    let zero_meter = reader.required(&table, "zero_meter");
    let words = [
        ("returns-wager", ZeroMeter::ReturnsWager),
        ("loses-wager", ZeroMeter::LosesWager),
    ];
    if let Some(zero_meter) = reader.word(zero_meter, &words) {
        payout.zero_meter = zero_meter;
    }
    payout
}

fn limits(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<Limits> {
    let table = reader.open(node, &["max_win", "stakes"])?;
    let max_win = reader.required(&table, "max_win");
    let stakes = reader.required(&table, "stakes");
    Some(Limits {
        max_win: reader.integer(max_win, range::MAX_WIN),
        stakes: reader.integers(stakes, range::STAKE),
    })
}

fn triggers(reader: &mut Reader<'_>, node: Option<Node<'_>>) -> Vec<TriggerTerms> {
    let Some(table) = node.and_then(|node| reader.open(&node, &TRIGGER_KEYS)) else {
        return Vec::new();
    };
    Trigger::ALL
        .into_iter()
        .filter_map(|trigger| {
            let node = reader.optional(&table, &trigger.to_string())?;
            terms(reader, trigger, &node)
        })
        .collect()
}

fn terms(reader: &mut Reader<'_>, trigger: Trigger, node: &Node<'_>) -> Option<TriggerTerms> {
    let keys = [
        "spins",
        "main_wheel",
        "other_return",
        "starting_multipliers",
    ];
    let table = reader.open(node, &keys)?;
    let spins = reader.required(&table, "spins");
    let spins = reader.integer(spins, range::TRIGGER_SPINS);
    let main_wheel = reader
        .required(&table, "main_wheel")
        .and_then(|node| reader.open(&node, &["sections", "of"]));
    let (main_wheel_sections, main_wheel_of) = main_wheel.map_or((1, 1), |table| {
        let sections = reader.required(&table, "sections");
        let of = reader.required(&table, "of");
        (
            reader.integer(sections, range::MAIN_WHEEL),
            reader.integer(of, range::MAIN_WHEEL),
        )
    });
    let other_return = reader
        .required(&table, "other_return")
        .and_then(|node| reader.decimal(&node))
        .map_or(RBig::ZERO, |decimal| decimal.value);
    let starting_multipliers = reader
        .optional(&table, "starting_multipliers")
        .map(|node| start_law(reader, Some(node)));
    Some(TriggerTerms {
        trigger,
        spins,
        main_wheel_sections,
        main_wheel_of,
        other_return,
        starting_multipliers,
    })
}

fn declared(reader: &mut Reader<'_>, node: &Node<'_>) -> BTreeMap<Trigger, Vec<DeclaredFigure>> {
    let mut declared = BTreeMap::new();
    let Some(table) = reader.open(node, &TRIGGER_KEYS) else {
        return declared;
    };
    for key in table.keys() {
        let Some(trigger) = trigger_named(key) else {
            continue;
        };
        let Some(node) = reader.optional(&table, key) else {
            continue;
        };
        let Some(figures) = reader.open(&node, &Figure::ALL.map(Figure::key)) else {
            continue;
        };
        let figures = Figure::ALL
            .into_iter()
            .filter_map(|figure| {
                let node = reader.optional(&figures, figure.key())?;
                let value = declared_value(reader, figure, &node)?;
                Some(DeclaredFigure { figure, value })
            })
            .collect();
        declared.insert(trigger, figures);
    }
    declared
}

fn declared_value(
    reader: &mut Reader<'_>,
    figure: Figure,
    node: &Node<'_>,
) -> Option<DeclaredValue> {
    if figure == Figure::MaxMeter
        && let DeValue::String(text) = node.value
    {
        if text == "unbounded" {
            return Some(DeclaredValue::Unbounded);
        }
        if text.parse::<Decimal>().is_err() {
            reader.mismatch(node, LARGEST_METER_FORM);
            return None;
        }
    }
    reader.decimal(node).map(DeclaredValue::Number)
}
