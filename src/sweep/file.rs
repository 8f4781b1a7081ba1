//! Reads the text of a sweep, with all its faults at once.

use toml::de::{DeTable, DeValue};

use super::axis::{Axis, Row, range_rows};
use crate::engine::SeedChoice;
use crate::paytable::text::{Findings, IntegerRange, Node, Reader, Table};
use crate::paytable::{KeyPath, Value};
use crate::rules::Trigger;

/// The most paytables of a sweep.
pub(super) const MAX_PAYTABLES: u64 = 1_000_000;

const SCHEMA: IntegerRange = IntegerRange::new(1, 1);
const ROUNDS: IntegerRange = IntegerRange::new(2, 1_000_000_000_000_000);
const SEED: IntegerRange = IntegerRange::new(0, 0xffff_ffff_ffff_ffff);
const TRIGGERS: &str = "a list of 2 and 5, each once at most";
const VALUE: &str = "a value that a paytable may have: a whole number below 2^63, a text (decimals are text), \
                     true or false, a list or a table of these";

/// What the text of a sweep states.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Content {
    pub(super) name: String,
    pub(super) base: String,
    /// `None` for every trigger of each paytable.
    pub(super) triggers: Option<Vec<Trigger>>,
    pub(super) points: Vec<Point>,
    pub(super) axes: Vec<Axis>,
    pub(super) simulate: Option<Simulate>,
}

/// An entry of `[[point]]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Point {
    pub(super) name: String,
    pub(super) set: Vec<(KeyPath, Value)>,
    pub(super) remove: Vec<KeyPath>,
}

/// `[simulate]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Simulate {
    pub(super) rounds: u64,
    pub(super) seed: SeedChoice,
}

impl Content {
    /// Paytables of the product, or the largest number where that is passed.
    pub(super) fn paytables(&self) -> u64 {
        let points = self.points.len().max(1) as u64;
        self.axes.iter().fold(points, |product, axis| {
            product.saturating_mul(axis.rows.len() as u64)
        })
    }
}

/// The whole file. Where a value has a fault, a stand-in takes its place.
pub(super) fn content<'a>(reader: &mut Reader<'_>, entries: &'a DeTable<'a>) -> Content {
    let root = reader.root(
        entries,
        &[
            "schema", "name", "base", "triggers", "grid", "point", "simulate",
        ],
    );
    let schema = reader.required(&root, "schema");
    let _: u32 = reader.integer(schema, SCHEMA);
    let name = named(reader, &root, "name");
    let base = named(reader, &root, "base");
    let triggers = reader
        .optional(&root, "triggers")
        .map(|node| triggers(reader, &node));
    let grid = reader.optional(&root, "grid");
    let axes = reader
        .items(grid, "tables `[[grid]]`")
        .iter()
        .filter_map(|node| axis(reader, node))
        .collect();
    let list = reader.optional(&root, "point");
    let points = reader
        .items(list, "tables `[[point]]`")
        .iter()
        .filter_map(|node| point(reader, node))
        .collect();
    let simulate = reader
        .optional(&root, "simulate")
        .and_then(|node| simulate(reader, &node));
    Content {
        name,
        base,
        triggers,
        points,
        axes,
        simulate,
    }
}

/// What can only be seen of the whole.
pub(super) fn check(content: &Content, findings: &mut Findings) {
    let is_read = findings.is_sound("grid") && findings.is_sound("point");
    if !is_read {
        return;
    }
    if content.axes.is_empty() && content.points.is_empty() {
        let message = "a sweep has `[[grid]]` axes, `[[point]]` entries or both, found neither";
        findings.push("grid", None, None, None, message.to_owned());
    }
    let paytables = content.paytables();
    if paytables > MAX_PAYTABLES {
        findings.mismatch(
            "grid",
            format!("a product of {paytables} paytables"),
            format!("at most {MAX_PAYTABLES}"),
        );
    }
    let mut seen: Vec<&KeyPath> = Vec::new();
    for (index, key) in content
        .axes
        .iter()
        .enumerate()
        .flat_map(|(index, axis)| axis.keys.iter().map(move |key| (index, key)))
    {
        if seen.contains(&key) {
            let message = format!("`{key}` is on the grid already");
            findings.push(&format!("grid[{index}]"), None, None, None, message);
        }
        seen.push(key);
    }
    let mut names: Vec<&str> = Vec::new();
    for (index, point) in content.points.iter().enumerate() {
        if names.contains(&point.name.as_str()) {
            let message = format!("another point has the name `{}`", point.name);
            findings.push(&format!("point[{index}].name"), None, None, None, message);
        }
        names.push(&point.name);
    }
}

/// A text that is not empty and prints on one line.
fn named(reader: &mut Reader<'_>, table: &Table<'_>, key: &str) -> String {
    let Some(node) = reader.required(table, key) else {
        return "stand-in".to_owned();
    };
    let is_legal = match node.value {
        DeValue::String(text) => {
            !text.trim().is_empty() && text.len() <= 200 && !text.chars().any(char::is_control)
        }
        _ => false,
    };
    if !is_legal {
        reader.mismatch(&node, "a text of 1 to 200 bytes on one line");
        return "stand-in".to_owned();
    }
    reader.text(Some(node))
}

fn triggers(reader: &mut Reader<'_>, node: &Node<'_>) -> Vec<Trigger> {
    let DeValue::Array(items) = node.value else {
        reader.mismatch(node, TRIGGERS);
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in items {
        let trigger = match item.get_ref() {
            DeValue::Integer(digits) => match digits.as_str() {
                "2" => Some(Trigger::Two),
                "5" => Some(Trigger::Five),
                _ => None,
            },
            _ => None,
        };
        match trigger {
            Some(trigger) if !found.contains(&trigger) => found.push(trigger),
            _ => {
                reader.mismatch(node, TRIGGERS);
                return Vec::new();
            }
        }
    }
    if found.is_empty() {
        reader.mismatch(node, TRIGGERS);
    }
    found.sort_unstable_by_key(|trigger| trigger.number());
    found
}

fn axis(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<Axis> {
    let table = reader.open(node, &["key", "keys", "values", "range", "without"])?;
    let single = reader.optional(&table, "key");
    let several = reader.optional(&table, "keys");
    let is_single = single.is_some();
    let keys = match (single, several) {
        (Some(node), None) => vec![path(reader, &node)?],
        (None, Some(node)) => {
            let items = reader.items(Some(node), "a list of key paths");
            let count = items.len();
            let keys: Vec<_> = items.iter().filter_map(|item| path(reader, item)).collect();
            if keys.len() < count {
                return None;
            }
            keys
        }
        _ => {
            reader.mismatch(node, "either `key` or `keys`");
            return None;
        }
    };
    if keys.is_empty() {
        reader.mismatch(node, "at least one key");
        return None;
    }
    let values = reader.optional(&table, "values");
    let range = reader.optional(&table, "range");
    let mut rows: Vec<Row> = match (values, range) {
        (Some(node), None) => rows(reader, node, keys.len(), is_single)?,
        (None, Some(node)) if is_single => range_rows(reader, &node)?,
        (None, Some(node)) => {
            reader.mismatch(&node, "`values`: a range belongs to one `key`");
            return None;
        }
        _ => {
            reader.mismatch(node, "either `values` or `range`");
            return None;
        }
    };
    if let Some(node) = reader.optional(&table, "without")
        && reader.boolean(&node)
    {
        rows.push(Row::Without);
    }
    Some(Axis { keys, rows })
}

/// The rows of `values`: values of one key, or lists of `width` values.
fn rows(
    reader: &mut Reader<'_>,
    node: Node<'_>,
    width: usize,
    is_single: bool,
) -> Option<Vec<Row>> {
    let path = node.path.clone();
    let items = reader.items(Some(node), "a list of values");
    if items.is_empty() {
        // A value that is no list was accused by `items`, and a key is accused once.
        reader
            .findings
            .mismatch(&path, "an empty list", "at least one value");
        return None;
    }
    let count = items.len();
    let mut rows = Vec::new();
    for item in items {
        if is_single {
            rows.extend(value(reader, &item).map(|value| Row::Values(vec![value])));
            continue;
        }
        match item.value {
            DeValue::Array(list) if list.len() == width => {
                let values: Vec<_> = reader
                    .items(Some(item), "a list")
                    .iter()
                    .filter_map(|item| value(reader, item))
                    .collect();
                if values.len() == width {
                    rows.push(Row::Values(values));
                }
            }
            DeValue::Array(list) => {
                let found = format!("a list of {} values", list.len());
                let legal = format!("one value for each of the {width} keys");
                reader.findings.mismatch(&item.path, found, legal);
            }
            _ => reader.mismatch(&item, "a list of values, one for each of the keys"),
        }
    }
    (rows.len() == count).then_some(rows)
}

fn point(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<Point> {
    let table = reader.open(node, &["name", "set", "remove"])?;
    let name = named(reader, &table, "name");
    let mut set = Vec::new();
    if let Some(node) = reader.optional(&table, "set") {
        let keys: Vec<&str> = match node.value {
            DeValue::Table(entries) => entries.keys().map(|key| key.get_ref().as_ref()).collect(),
            _ => Vec::new(),
        };
        if let Some(entries) = reader.open(&node, &keys) {
            for key in keys {
                let Some(node) = reader.optional(&entries, key) else {
                    continue;
                };
                let value = value(reader, &node);
                match key.parse::<KeyPath>() {
                    Ok(path) => set.extend(value.map(|value| (path, value))),
                    Err(_) => reader.findings.mismatch(
                        &node.path,
                        format!("the key \"{}\"", key.escape_debug()),
                        KeyPath::LEGAL_FORM,
                    ),
                }
            }
        }
    }
    let list = reader.optional(&table, "remove");
    let remove = reader
        .items(list, "a list of key paths")
        .iter()
        .filter_map(|item| path(reader, item))
        .collect();
    Some(Point { name, set, remove })
}

fn simulate(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<Simulate> {
    let table = reader.open(node, &["rounds", "seed"])?;
    let rounds = reader.required(&table, "rounds");
    let rounds = reader.integer(rounds, ROUNDS);
    let seed = match reader.optional(&table, "seed") {
        Some(node) => seed(reader, &node)?,
        None => SeedChoice::Derived(None),
    };
    Some(Simulate { rounds, seed })
}

fn seed(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<SeedChoice> {
    match node.value {
        DeValue::String(text) => {
            let seed = text.parse().ok();
            if seed.is_none() {
                reader.mismatch(node, SeedChoice::LEGAL_FORM);
            }
            seed
        }
        _ => reader
            .integer_or(node, SEED, ", or a text: 0x hexadecimal or derived[:LABEL]")
            .and_then(|value| u64::try_from(value).ok())
            .map(SeedChoice::Given),
    }
}

fn path(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<KeyPath> {
    let path = match node.value {
        DeValue::String(text) => text.parse().ok(),
        _ => None,
    };
    if path.is_none() {
        reader.mismatch(node, KeyPath::LEGAL_FORM);
    }
    path
}

fn value(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<Value> {
    let value = plain(node.value);
    if value.is_none() {
        reader.mismatch(node, VALUE);
    }
    value
}

/// A value without floats, dates and numbers beyond 64 bits.
fn plain(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::Boolean(value) => Some(Value::Boolean(*value)),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            .ok()
            .map(Value::Integer),
        DeValue::String(text) => Some(Value::Text(text.to_string())),
        DeValue::Array(items) => items
            .iter()
            .map(|item| plain(item.get_ref()))
            .collect::<Option<_>>()
            .map(Value::List),
        DeValue::Table(entries) => entries
            .iter()
            .map(|(key, value)| {
                plain(value.get_ref()).map(|value| (key.get_ref().to_string(), value))
            })
            .collect::<Option<_>>()
            .map(Value::Table),
        DeValue::Float(_) | DeValue::Datetime(_) => None,
    }
}
