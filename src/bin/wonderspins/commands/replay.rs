//! `replay`: one round, spin by spin.

use wonderspins::document::{ReplayDocument, ReplayTrigger, to_json};
use wonderspins::engine;

use super::{csv_text, generator_note, load, print};
use crate::args::{Format, Replay};
use crate::config::{self, draw_seed};
use crate::exit::ExitStatus;
use crate::{message, table};

pub(crate) fn run(args: &Replay, quiet: bool) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let triggers = config::triggers(&file.paytable, args.trigger.trigger)?;
    let seed = match &args.seed {
        Some(seed) => seed.resolve(&file.paytable),
        None => draw_seed()?,
    };
    message::note(quiet, &format!("seed {} ({})", seed.value, seed.origin));
    let generator = args.rng.into();
    let mut rounds = Vec::new();
    for trigger in triggers {
        let replayed = engine::replay(&file.paytable, trigger, seed.value, generator, args.round)?;
        rounds.push(ReplayTrigger::new(
            trigger, seed.value, generator, args.round, &replayed,
        ));
    }
    match args.format {
        Format::Json => print(&to_json(&ReplayDocument::new(&file, rounds)))?,
        Format::Csv => print(&csv(&rounds)?)?,
        Format::Text => print(&rounds.iter().map(text).collect::<Vec<_>>().join("\n"))?,
    }
    Ok(ExitStatus::Success)
}

fn csv(rounds: &[ReplayTrigger]) -> anyhow::Result<String> {
    let header = [
        "trigger",
        "spin",
        "counter_before",
        "inner",
        "selected",
        "outer_section",
        "outer",
        "multipliers",
        "meter",
        "counter_after",
    ];
    let rows = rounds.iter().flat_map(|round| {
        (1_u64..).zip(&round.spins).map(move |(number, spin)| {
            let multipliers: Vec<String> = spin
                .multipliers
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            [
                round.trigger.to_string(),
                number.to_string(),
                spin.counter_before.to_string(),
                inner(spin),
                spin.selected.clone(),
                spin.outer_section.to_string(),
                spin.outer.clone(),
                multipliers.join(" "),
                spin.meter.to_string(),
                spin.counter_after.to_string(),
            ]
        })
    });
    csv_text(&header, rows)
}

fn inner(spin: &wonderspins::document::ReplaySpin) -> String {
    spin.inner
        .as_str()
        .map_or_else(|| spin.inner.to_string(), ToOwned::to_owned)
}

fn text(round: &ReplayTrigger) -> String {
    let starts: Vec<String> = round
        .starting_multipliers
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let mut text = format!(
        "{} Wonderspins, seed {}{}, round {}\nstarting multipliers: {}\n\n",
        round.trigger,
        round.seed,
        generator_note(&round.generator),
        round.round,
        starts.join(", ")
    );
    let names: Vec<&str> = round
        .starting_multipliers
        .keys()
        .map(String::as_str)
        .collect();
    let mut header = vec!["LEFT", "INNER", "OUTER", "METER"];
    header.extend(&names);
    let mut table = table::numbers(&header);
    for spin in &round.spins {
        let inner = match spin.inner.as_u64() {
            Some(value) => format!("+{value} {}", spin.selected),
            None => inner(spin),
        };
        let mut row = vec![
            spin.counter_before.to_string(),
            inner,
            format!("{} {}", spin.outer_section, spin.outer),
            spin.meter.to_string(),
        ];
        row.extend(names.iter().map(|&name| spin.multipliers[name].to_string()));
        table.add_row(row);
    }
    text.push_str(&table::render(&table));
    text.push_str(&format!(
        "\nLEFT is the counter before the spin, OUTER the section number and what it shows;\nmultipliers and meter are those after it.\nfinal meter {} after {} spins\n",
        round.meter,
        round.spins.len()
    ));
    text
}
