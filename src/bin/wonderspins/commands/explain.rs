//! `check --explain CLAUSE`: what a clause asks and how it is decided.

use wonderspins::document::{ExplainDocument, ExplainRow, to_json};
use wonderspins::regulation::look_up;

use super::{csv_text, print};
use crate::args::Format;
use crate::exit::ExitStatus;

pub(super) fn run(citation: &str, format: Format) -> anyhow::Result<ExitStatus> {
    let document = ExplainDocument::new(&look_up(citation)?);
    match format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv_text(
            &[
                "clause",
                "asks",
                "decided",
                "readings",
                "keys",
                "carried_by",
                "tests",
            ],
            document.rows.iter().map(|row| {
                [
                    row.clause.clone(),
                    row.asks.clone(),
                    row.decided.clone(),
                    row.readings.join(" "),
                    row.keys.join(" "),
                    row.carried_by.join(" "),
                    row.tests.join(" "),
                ]
            }),
        )?)?,
        Format::Text => print(&text(&document))?,
    }
    Ok(ExitStatus::Success)
}

fn text(document: &ExplainDocument) -> String {
    let mut text = String::new();
    if let Some(why) = &document.judged_with {
        let rows: Vec<&str> = document
            .rows
            .iter()
            .map(|row| row.clause.as_str())
            .collect();
        text.push_str(&textwrap::fill(
            &format!(
                "{} is judged with {}: {why}",
                document.clause,
                rows.join(", ")
            ),
            80,
        ));
        text.push_str("\n\n");
    }
    let rows: Vec<String> = document.rows.iter().map(row_text).collect();
    text.push_str(&rows.join("\n"));
    text
}

fn row_text(row: &ExplainRow) -> String {
    let mut text = format!("{}\n", row.clause);
    part(&mut text, "asks", [row.asks.as_str()]);
    part(&mut text, "decided", [row.decided.as_str()]);
    part(
        &mut text,
        "readings",
        row.readings.iter().map(String::as_str),
    );
    part(&mut text, "keys", row.keys.iter().map(String::as_str));
    part(
        &mut text,
        "carried by",
        row.carried_by.iter().map(String::as_str),
    );
    part(&mut text, "tests", row.tests.iter().map(String::as_str));
    text
}

/// A label and its entries, each from a line of its own.
fn part<'a>(text: &mut String, label: &str, entries: impl IntoIterator<Item = &'a str>) {
    let mut first = format!("  {label:<12}");
    for entry in entries {
        let options = textwrap::Options::new(80)
            .initial_indent(&first)
            .subsequent_indent("              ");
        text.push_str(&textwrap::fill(entry, options));
        text.push('\n');
        first = " ".repeat(14);
    }
}
