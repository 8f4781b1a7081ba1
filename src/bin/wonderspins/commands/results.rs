//! Simulated results as text and CSV, and the files that they are kept in.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context as _, bail};
use wonderspins::document::{
    DetailJson, EstimateJson, PaytableId, ResultDocument, SimulateTrigger,
};
use wonderspins::report::format::{figure, grouped, level, percent};

use super::{csv_text, generator_note, write_file};
use crate::table;

/// An entry of a result.
pub(super) type Trigger = SimulateTrigger<Option<EstimateJson>>;

/// Writes a result into a file of its own. A file that is there already is one of these bytes
/// or stays as it is.
pub(super) fn keep(path: &Path, document: &mut ResultDocument) -> anyhow::Result<()> {
    let text = document.sealed_text();
    match fs::read(path) {
        Ok(bytes) if bytes == text.as_bytes() => Ok(()),
        Ok(_) => bail!(
            "`{}` exists and holds something else: it stays as it is",
            path.display()
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => write_file(path, text.as_bytes()),
        Err(error) => Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
    }
}

/// Which part of a run a text is about, and whether all of it was played.
pub(super) enum Part<'a> {
    /// The whole run, or what was played of it.
    Whole {
        /// Whether all of it was played.
        is_complete: bool,
    },
    /// A shard.
    Shard(&'a ResultDocument),
}

pub(super) fn csv(triggers: &[Trigger]) -> anyhow::Result<String> {
    let rows = triggers.iter().flat_map(|trigger| {
        let meters = trigger.histogram.iter().map(|entry| {
            [
                trigger.trigger.to_string(),
                trigger.complete.to_string(),
                "meter".to_owned(),
                entry.meter.to_string(),
                entry.rounds.clone(),
            ]
        });
        let spins = trigger.spins_histogram.iter().map(|entry| {
            [
                trigger.trigger.to_string(),
                trigger.complete.to_string(),
                "spins".to_owned(),
                entry.spins.to_string(),
                entry.rounds.clone(),
            ]
        });
        meters.chain(spins)
    });
    csv_text(
        &["trigger", "complete", "quantity", "value", "rounds"],
        rows,
    )
}

pub(super) fn text(paytable: &PaytableId, part: &Part<'_>, triggers: &[Trigger]) -> String {
    let mut text = super::heading(paytable);
    match part {
        Part::Whole { is_complete: true } => {}
        Part::Whole { is_complete: false } => {
            text.push_str("interrupted: what follows is what was played until then\n");
        }
        Part::Shard(document) => text.push_str(&shard(document)),
    }
    for trigger in triggers {
        text.push_str(&format!(
            "\n{} Wonderspins: {} rounds{}, seed {}{}\n",
            trigger.trigger,
            grouped(&trigger.rounds.to_string()),
            if trigger.complete { "" } else { " (partial)" },
            trigger.seed,
            generator_note(&trigger.generator)
        ));
        let estimates = [
            ("mean meter", &trigger.mean_meter),
            ("variance of the meter", &trigger.variance_meter),
            ("hit frequency", &trigger.hit_frequency),
            ("mean spins", &trigger.mean_spins),
            ("gross return given the trigger", &trigger.rtp_conditional),
            ("overall RTP (gross)", &trigger.rtp),
        ];
        if let Some(mean) = &trigger.mean_meter {
            text.push_str(&table_of(mean, &estimates));
        }
        if trigger.rounds > 0 {
            text.push_str(&format!(
                "largest meter {} in round {}\n",
                trigger.max_meter,
                grouped(&trigger.max_round.to_string())
            ));
        }
        text.push_str(&format!("digest {}\n", trigger.digest));
        if let Some(detail) = &trigger.detail {
            text.push_str(&contributions(detail));
        }
    }
    text
}

/// A line on the part of the run that a shard is.
fn shard(document: &ResultDocument) -> String {
    let Some(shard) = &document.shard else {
        return String::new();
    };
    let leaves = document.leaves.first().map_or(0, |of| of.leaves.len());
    let noun = if leaves == 1 { "leaf" } else { "leaves" };
    format!(
        "shard {} of {}: batches {} to {} in {leaves} {noun}, of {} rounds\n",
        shard.index,
        shard.count,
        grouped(&shard.batches.start.to_string()),
        grouped(&shard.batches.end.to_string()),
        grouped(&document.plan.rounds.to_string())
    )
}

/// The estimates of a trigger.
fn table_of(mean: &EstimateJson, estimates: &[(&str, &Option<EstimateJson>)]) -> String {
    let level = level(mean.level);
    let mut table = table::numbers(&["", "estimate", "std error", "interval at", &level]);
    for (name, estimate) in estimates {
        let Some(estimate) = estimate else { continue };
        table.add_row([
            (*name).to_owned(),
            figure(estimate.estimate, 8),
            figure(estimate.std_error, 2),
            figure(estimate.lower, 8),
            figure(estimate.upper, 8),
        ]);
    }
    table::render(&table)
}

/// What the hits of each character paid and what each source added, in the rounds that
/// were watched.
#[expect(clippy::cast_precision_loss, reason = "shares for the eye")]
fn contributions(detail: &DetailJson) -> String {
    let sum = |text: &str| text.parse::<i128>().unwrap_or_default() as f64;
    let total: f64 = detail.source.iter().map(|part| sum(&part.sum)).sum();
    let rounds = detail.rounds as f64;
    // A meter that is always zero has no parts.
    let share = |part: f64| if total > 0.0 { part / total } else { 0.0 };
    let watched = format!("in {} rounds", grouped(&detail.rounds.to_string()));
    let mut table = table::numbers(&[&watched, "hits", "meter a round", "share"]);
    let mut add = |name: &str, hits: String, part: &str| {
        let part = sum(part);
        table.add_row([
            name.to_owned(),
            hits,
            figure(part / rounds, 8),
            percent(share(part), 4),
        ]);
    };
    for part in &detail.character {
        add(&part.character, grouped(&part.hits), &part.sum_meter);
    }
    for part in &detail.source {
        add(&part.source, String::new(), &part.sum);
    }
    format!(
        "\n{}detail digest {}\n",
        table::render(&table),
        detail.digest
    )
}
