//! The page as text, at most 80 columns.

use super::view::{View, view};
use crate::document::CardDocument;

const WIDTH: usize = 80;

/// The page as text.
#[must_use]
pub fn text(card: &CardDocument) -> String {
    let view = view(card);
    let mut text = format!("{}\n", textwrap::fill(&view.title, WIDTH));
    if view.source != view.title {
        text.push_str(&wrapped(&format!("Source: {}", view.source), ""));
    }
    text.push_str("\nHow it is played\n");
    for (number, rule) in (1..).zip(&view.rules) {
        text.push_str(&wrapped(rule, &format!("{number}. ")));
    }
    text.push_str("\nWhat it pays\n");
    for line in &view.pays {
        text.push_str(&wrapped(line, "- "));
    }
    text.push_str(&format!("\n{}", columns("", &view, &view.figures)));
    if !view.odds.is_empty() {
        text.push_str(&format!(
            "\n{}",
            columns("Meter at the end", &view, &view.odds)
        ));
    }
    if let Some(reason) = &view.without_odds {
        text.push_str(&format!(
            "\n{}",
            wrapped(&format!("No odds of large payouts: {reason}."), "")
        ));
    }
    for (name, outcomes) in [("Inner wheel", &view.inner), ("Outer wheel", &view.outer)] {
        let items: Vec<String> = outcomes
            .iter()
            .map(|[shows, chance]| format!("{shows} {chance}"))
            .collect();
        text.push_str(&format!(
            "\n{}",
            wrapped(&format!("{name}: {}.", items.join(", ")), "")
        ));
    }
    text.push_str("\nWhat to know about these figures\n");
    for line in view.chosen.iter().chain([&view.rounding, &view.statement]) {
        text.push_str(&wrapped(line, "- "));
    }
    text.push_str(&format!(
        "content sha256 {}\nfile sha256 {}\n{}\n",
        view.sha256, view.file_sha256, view.tool
    ));
    text
}

/// A paragraph whose lines after the first stand below its text.
fn wrapped(text: &str, mark: &str) -> String {
    let indent = " ".repeat(mark.len());
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(mark)
        .subsequent_indent(&indent);
    format!("{}\n", textwrap::fill(text, options))
}

/// A table with a column for each trigger; long cells wrap inside their column.
fn columns(heading: &str, view: &View, rows: &[Vec<String>]) -> String {
    const FIRST: usize = 28;
    let each = (WIDTH - FIRST) / view.triggers.len().max(1) - 2;
    let mut text = String::new();
    let head: Vec<String> = std::iter::once(heading.to_owned())
        .chain(view.triggers.iter().cloned())
        .collect();
    for row in std::iter::once(&head).chain(rows) {
        let cells: Vec<Vec<String>> = row
            .iter()
            .enumerate()
            .map(|(at, cell)| {
                let width = if at == 0 { FIRST - 2 } else { each };
                textwrap::wrap(cell, width)
                    .into_iter()
                    .map(std::borrow::Cow::into_owned)
                    .collect()
            })
            .collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut shown = String::new();
            for (at, cell) in cells.iter().enumerate() {
                let width = if at == 0 { FIRST } else { each + 2 };
                let part = cell.get(line).map_or("", String::as_str);
                shown.push_str(&format!("{part:<width$}"));
            }
            text.push_str(shown.trim_end());
            text.push('\n');
        }
    }
    text
}
