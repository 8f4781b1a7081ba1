//! What the page shows, already formatted.

use serde::Serialize;

use super::picture::picture;
use crate::document::{CardDocument, CardOutcome};

/// The page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct View {
    pub(super) title: String,
    pub(super) source: String,
    pub(super) rules: Vec<String>,
    pub(super) pays: Vec<String>,
    /// Headings of the columns of `figures` after the first.
    pub(super) triggers: Vec<String>,
    /// What a row is, then its value for each trigger.
    pub(super) figures: Vec<Vec<String>>,
    /// Rows of the odds, the same way; empty where there are none.
    pub(super) odds: Vec<Vec<String>>,
    pub(super) without_odds: Option<String>,
    pub(super) inner: Vec<[String; 2]>,
    pub(super) outer: Vec<[String; 2]>,
    pub(super) chosen: Vec<String>,
    pub(super) rounding: String,
    pub(super) statement: String,
    pub(super) sha256: String,
    pub(super) file_sha256: String,
    pub(super) tool: String,
    pub(super) svg: String,
}

pub(super) fn view(card: &CardDocument) -> View {
    let texts = |sentences: &[crate::document::CardSentence]| {
        sentences
            .iter()
            .map(|sentence| sentence.text.clone())
            .collect()
    };
    View {
        title: card.paytable.name.clone(),
        source: card.source.clone(),
        rules: texts(&card.rules),
        pays: texts(&card.pays),
        triggers: card
            .triggers
            .iter()
            .map(|trigger| format!("{} Wonderspins", trigger.trigger))
            .collect(),
        figures: figures(card),
        odds: odds(card),
        without_odds: card.without_odds.clone(),
        inner: outcomes(&card.inner),
        outer: outcomes(&card.outer),
        chosen: texts(&card.chosen),
        rounding: card.rounding.clone(),
        statement: card.statement.clone(),
        sha256: card.paytable.sha256.clone(),
        file_sha256: card.paytable.file_sha256.clone(),
        tool: format!("{} {}", card.tool.name, card.tool.version),
        svg: picture(&card.wheels),
    }
}

fn figures(card: &CardDocument) -> Vec<Vec<String>> {
    let row = |name: &str, value: fn(&crate::document::CardTrigger) -> String| {
        std::iter::once(name.to_owned())
            .chain(card.triggers.iter().map(value))
            .collect()
    };
    vec![
        row("The main wheel starts it", |trigger| trigger.starts.clone()),
        row("Spins at the start", |trigger| trigger.spins.to_string()),
        row("Smallest payout", |trigger| trigger.smallest.clone()),
        row("Largest payout", |trigger| trigger.largest.clone()),
        row("A character's multiplier", |trigger| {
            trigger.multipliers.clone()
        }),
        row("Average payout", |trigger| trigger.average.clone()),
        row("Chance of at least one win", |trigger| trigger.win.clone()),
        row("Long-run return of the bet", |trigger| trigger.rtp.clone()),
    ]
}

fn odds(card: &CardDocument) -> Vec<Vec<String>> {
    let most = card.triggers.iter().map(|trigger| trigger.odds.len()).max();
    (0..most.unwrap_or(0))
        .map(|at| {
            let payouts = card
                .triggers
                .iter()
                .filter_map(|trigger| trigger.odds.get(at));
            let name = payouts
                .map(|odds| format!("{} or more", odds.payout))
                .next();
            std::iter::once(name.unwrap_or_default())
                .chain(card.triggers.iter().map(|trigger| {
                    let odds = trigger.odds.get(at);
                    odds.map_or("-".to_owned(), |odds| odds.odds.clone())
                }))
                .collect()
        })
        .collect()
}

fn outcomes(outcomes: &[CardOutcome]) -> Vec<[String; 2]> {
    outcomes
        .iter()
        .map(|outcome| [shown(&outcome.shows), outcome.chance.clone()])
        .collect()
}

/// A section as players know it.
pub(super) fn shown(shows: &str) -> String {
    match shows {
        "no-win" => "No Win".to_owned(),
        "eat-me" => "Eat Me".to_owned(),
        "drink-me" => "Drink Me".to_owned(),
        "additional-spin" => "Additional spin".to_owned(),
        number if number.starts_with(|first: char| first.is_ascii_digit()) => format!("+{number}"),
        name => {
            let mut letters = name.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(letters).collect()
            })
        }
    }
}
