//! Reads the statements for 9 NYCRR 5319.47.

use std::collections::BTreeMap;

use toml::de::DeValue;

use super::game::optional_integer;
use super::node::{Node, Reader, Table};
use crate::paytable::definition::{DeclaredRange, Disclosure, PlayerChoice, Statement};
use crate::paytable::range;
use crate::paytable::validate::{STATEMENT_CLAUSES, STATEMENT_WITH_RANGES};

const FLAT_KEYS: [&str; 7] = [
    "player_choice",
    "auto_initiate",
    "acknowledged",
    "community",
    "time_remaining_shown",
    "explained_on_display",
    "timeout_seconds",
];

pub(super) fn disclosure(reader: &mut Reader<'_>, node: &Node<'_>) -> Disclosure {
    let keys: Vec<_> = FLAT_KEYS.into_iter().chain(STATEMENT_CLAUSES).collect();
    let Some(table) = reader.open(node, &keys) else {
        return Disclosure::default();
    };
    let player_choice = reader.optional(&table, "player_choice");
    let player_choice = reader.word(
        player_choice,
        &[
            ("none", PlayerChoice::None),
            ("single", PlayerChoice::Single),
            ("multiple", PlayerChoice::Multiple),
        ],
    );
    let statements: BTreeMap<_, _> = STATEMENT_CLAUSES
        .into_iter()
        .filter_map(|clause| {
            let node = reader.optional(&table, clause)?;
            Some((clause.to_owned(), statement(reader, clause, &node)?))
        })
        .collect();
    let mut flag = |key| {
        let node = reader.optional(&table, key)?;
        Some(reader.boolean(&node))
    };
    Disclosure {
        player_choice,
        auto_initiate: flag("auto_initiate"),
        acknowledged: flag("acknowledged"),
        community: flag("community"),
        time_remaining_shown: flag("time_remaining_shown"),
        explained_on_display: flag("explained_on_display"),
        timeout_seconds: optional_integer(
            reader,
            &table,
            "timeout_seconds",
            range::TIMEOUT_SECONDS,
        ),
        statements,
    }
}

fn statement(reader: &mut Reader<'_>, clause: &str, node: &Node<'_>) -> Option<Statement> {
    let keys = [
        "text",
        "file",
        "sha256",
        "page",
        "meter",
        "multiplier",
        "odds_shown",
    ];
    let has_ranges = clause == STATEMENT_WITH_RANGES;
    let keys = if has_ranges { &keys[..] } else { &keys[..4] };
    let table = reader.open(node, keys)?;
    let text = reader.required(&table, "text");
    let text = reader.text(text);
    let file = reader
        .optional(&table, "file")
        .map(|node| reader.text(Some(node)));
    let sha256 = reader
        .optional(&table, "sha256")
        .map(|node| reader.text(Some(node)).to_ascii_lowercase());
    let page = optional_integer(reader, &table, "page", range::PAGE);
    let (meter, multiplier) = if has_ranges {
        (
            declared_range(reader, &table, "meter"),
            declared_range(reader, &table, "multiplier"),
        )
    } else {
        (None, None)
    };
    let odds_shown = reader
        .optional(&table, "odds_shown")
        .filter(|_| has_ranges)
        .map(|node| reader.boolean(&node));
    Some(Statement {
        text,
        file,
        sha256,
        page,
        meter,
        multiplier,
        odds_shown,
    })
}

fn declared_range(reader: &mut Reader<'_>, table: &Table<'_>, key: &str) -> Option<DeclaredRange> {
    const FORM: &str = "[lowest, highest], highest may be \"unbounded\"";
    let node = reader.optional(table, key)?;
    if node.value.as_array().is_none_or(|items| items.len() != 2) {
        reader.mismatch(&node, FORM);
        return None;
    }
    let mut items = reader.items(Some(node), FORM).into_iter();
    let lowest = reader.integer(items.next(), range::DECLARED_RANGE);
    let highest = items.next()?;
    let highest = match highest.value {
        DeValue::String(text) if text == "unbounded" => None,
        _ => {
            let or = " or \"unbounded\"";
            let value = reader.integer_or(&highest, range::DECLARED_RANGE, or);
            Some(value.and_then(|value| value.try_into().ok()).unwrap_or(0))
        }
    };
    Some(DeclaredRange { lowest, highest })
}
