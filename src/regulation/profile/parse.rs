//! Reads the TOML text of a profile, collecting every fault.

use dashu_ratio::RBig;

use super::{Limit, Profile, Status};
use crate::paytable::text::{IntegerRange, Node, Reader, Table, read_document};
use crate::paytable::{Decimal, Faults};

const KEYS: [&str; 9] = [
    "schema",
    "name",
    "title",
    "notes",
    "rtp_minimum",
    "rtp_maximum",
    "award_limit",
    "confidence_level",
    "alpha",
];
const LIMIT_KEYS: [&str; 4] = ["value", "status", "citation", "note"];
const STATUSES: [(&str, Status); 3] = [
    ("confirmed", Status::Confirmed),
    ("secondary", Status::Secondary),
    ("not found", Status::NotFound),
];
const SCHEMA: IntegerRange = IntegerRange::new(1, 1);
const GAMES: IntegerRange = IntegerRange::new(1, 1_000_000_000_000_000);

pub(super) fn parse<'t>(origin: &str, bytes: &'t [u8]) -> Result<(&'t str, Profile), Faults> {
    read_document(origin, bytes, "a profile", |reader, root| {
        let root = reader.root(root, &KEYS);
        let schema = reader.required(&root, "schema");
        let _: u32 = reader.integer(schema, SCHEMA);
        let name = text(reader, &root, "name");
        let title = text(reader, &root, "title");
        let notes = reader.optional(&root, "notes");
        let notes = notes.map_or_else(String::new, |node| reader.text(Some(node)));
        let share = |value: &RBig| *value >= RBig::ZERO && *value <= RBig::from(10);
        // As a float, which is what the tests take: one that rounds to 1 is none.
        let level = |value: &RBig| (f64::MIN_POSITIVE..1.0).contains(&value.to_f64().value());
        Profile {
            name,
            title,
            notes,
            rtp_minimum: limit(reader, &root, "rtp_minimum", |reader, node| {
                decimal(reader, node, share, "a return in [0, 10]")
            }),
            rtp_maximum: limit(reader, &root, "rtp_maximum", |reader, node| {
                decimal(reader, node, share, "a return in [0, 10]")
            }),
            award_limit: limit(reader, &root, "award_limit", |reader, node| {
                let value = reader.integer_or(node, GAMES, "")?;
                u64::try_from(value).ok()
            }),
            confidence_level: limit(reader, &root, "confidence_level", |reader, node| {
                decimal(reader, node, level, "a level in (0, 1)")
            }),
            alpha: limit(reader, &root, "alpha", |reader, node| {
                decimal(reader, node, level, "a rate in (0, 1)")
            }),
        }
    })
}

/// A text that must say something.
fn text(reader: &mut Reader<'_>, table: &Table<'_>, key: &str) -> String {
    let Some(node) = reader.required(table, key) else {
        return String::new();
    };
    let path = table.path_of(key);
    let text = reader.text(Some(node));
    if text.trim().is_empty() {
        reader
            .findings
            .mismatch(&path, "an empty text", "a text that says something");
    }
    text
}

fn decimal(
    reader: &mut Reader<'_>,
    node: &Node<'_>,
    is_legal: impl Fn(&RBig) -> bool,
    legal: &str,
) -> Option<Decimal> {
    let value = reader.decimal(node)?;
    if !is_legal(&value.value) {
        reader.mismatch(node, legal);
    }
    Some(value)
}

fn limit<T>(
    reader: &mut Reader<'_>,
    root: &Table<'_>,
    key: &str,
    read: impl FnOnce(&mut Reader<'_>, &Node<'_>) -> Option<T>,
) -> Limit<T> {
    let nothing = || Limit {
        value: None,
        status: Status::NotFound,
        citation: String::new(),
        note: String::new(),
    };
    let Some(node) = reader.required(root, key) else {
        return nothing();
    };
    let Some(table) = reader.open(&node, &LIMIT_KEYS) else {
        return nothing();
    };
    let status = reader.required(&table, "status");
    let status = reader.word(status, &STATUSES);
    let citation = text(reader, &table, "citation");
    let note = reader.optional(&table, "note");
    let note = note.map_or_else(String::new, |node| reader.text(Some(node)));
    let value_path = table.path_of("value");
    let value = match (reader.optional(&table, "value"), status) {
        (Some(node), Some(Status::NotFound)) => {
            reader.mismatch(&node, "no value where `status` is \"not found\"");
            None
        }
        (Some(node), _) => read(reader, &node),
        (None, Some(Status::Confirmed | Status::Secondary)) => {
            reader.findings.mismatch(
                &value_path,
                "no value",
                "the limit, or `status = \"not found\"`",
            );
            None
        }
        (None, _) => None,
    };
    Limit {
        value,
        status: status.unwrap_or(Status::NotFound),
        citation,
        note,
    }
}
