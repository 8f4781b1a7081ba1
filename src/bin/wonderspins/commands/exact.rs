//! `exact`: the exact calculator alone.

use anyhow::Context as _;
use wonderspins::document::{
    ContributionJson, ContributionsJson, DistributionJson, EnclosureJson, ExactDocument,
    ExactTrigger, FractionJson, JointJson, to_json,
};
use wonderspins::exact;
use wonderspins::exact::distribution::{DistributionOptions, distributions};
use wonderspins::paytable::Paytable;
use wonderspins::report::format::{bounds, enclosed, enclosed_percent, figure, percent};

use super::{csv_text, distribution, load, print};
use crate::args::{Exact, Format};
use crate::config;
use crate::exit::ExitStatus;
use crate::{message, table};

/// Characters of the longest fraction that the text shows.
const MAX_SHOWN_FRACTION: usize = 40;

pub(crate) fn run(args: &Exact, quiet: bool) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let triggers = config::triggers(&file.paytable, args.trigger.trigger)?;
    let mut results = exact::solve_all(&file.paytable)?;
    results.retain(|exact| triggers.contains(&exact.trigger));
    let mut document = ExactDocument::new(&file, &results);
    if args.distribution {
        message::note(
            quiet,
            "computing the distribution, which takes some seconds",
        );
        add_distributions(
            &mut document,
            &results,
            &file.paytable,
            args.tolerance.map(|level| level.0),
        )?;
    }
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv(&document)?)?,
        Format::Text => print(&text(&document))?,
    }
    Ok(ExitStatus::Success)
}

/// Adds the distribution of each trigger in the document, and what both triggers give together
/// where both are.
fn add_distributions(
    document: &mut ExactDocument,
    exact: &[exact::Exact],
    paytable: &Paytable,
    tolerance: Option<f64>,
) -> anyhow::Result<()> {
    let options = DistributionOptions {
        tolerance,
        ..DistributionOptions::default()
    };
    let found = distributions(paytable, exact, &options).context("no distribution can be given")?;
    for (exact, distribution) in exact.iter().zip(&found) {
        let number = exact.trigger.number();
        let mut triggers = document.triggers.iter_mut();
        if let Some(trigger) = triggers.find(|trigger| trigger.trigger == number) {
            let json = DistributionJson::new(distribution, exact, paytable)?;
            trigger.distribution = Some(json);
        }
    }
    if document.triggers.len() == paytable.triggers.len() {
        document.joint = JointJson::new(exact, &found, paytable);
    }
    Ok(())
}

/// The figures of a trigger with their keys, in the order of the JSON document.
fn figures(trigger: &ExactTrigger) -> Vec<(&'static str, EnclosureJson)> {
    vec![
        ("mean_meter", trigger.mean_meter.enclosure),
        ("variance_meter", trigger.variance_meter.enclosure),
        ("std_dev_meter", trigger.std_dev_meter),
        ("hit_frequency", trigger.hit_frequency.enclosure),
        ("mean_spins", trigger.mean_spins.enclosure),
        ("variance_spins", trigger.variance_spins.enclosure),
        ("rtp", trigger.rtp),
        ("rtp_conditional", trigger.rtp_conditional),
        ("net_win_conditional", trigger.net_win_conditional),
        ("house_edge", trigger.house_edge),
        ("std_dev_gross", trigger.std_dev_gross),
        ("volatility_index", trigger.volatility_index.enclosure),
        ("uncapped_mean_meter", trigger.uncapped_mean_meter.enclosure),
        (
            "uncapped_variance_meter",
            trigger.uncapped_variance_meter.enclosure,
        ),
    ]
}

fn csv(document: &ExactDocument) -> anyhow::Result<String> {
    let numbers = |value: EnclosureJson| {
        [value.value, value.lower, value.upper].map(|number| number.to_string())
    };
    let row = |trigger: u32, key: String, [value, lower, upper]: [String; 3]| {
        [trigger.to_string(), key, value, lower, upper]
    };
    let rows = document.triggers.iter().flat_map(|trigger| {
        let spins = trigger
            .spins_distribution
            .iter()
            .map(|entry| (format!("spins={}", entry.spins), entry.enclosure));
        let contributions = trigger.contributions.iter().flat_map(contribution_rows);
        let figures = figures(trigger)
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        figures
            .chain(spins)
            .chain(contributions)
            .map(|(key, value)| (key, numbers(value)))
            .chain(trigger.distribution.iter().flat_map(distribution::rows))
            .map(|(key, value)| row(trigger.trigger, key, value))
            .collect::<Vec<_>>()
    });
    let joint = document
        .joint
        .iter()
        .flat_map(distribution::joint_rows)
        .map(|(key, value)| ("both".to_owned(), key, numbers(value)))
        .map(|(whose, key, [value, lower, upper])| [whose, key, value, lower, upper]);
    csv_text(
        &["trigger", "figure", "value", "lower", "upper"],
        rows.chain(joint),
    )
}

/// The parts of the mean with their keys.
fn contribution_rows(contributions: &ContributionsJson) -> Vec<(String, EnclosureJson)> {
    let named = |key: &'static str, parts: &[ContributionJson]| {
        parts
            .iter()
            .map(|part| (format!("mean_meter:{key}={}", part.part), part.enclosure))
            .collect::<Vec<_>>()
    };
    let mut rows = named("character", &contributions.character);
    rows.extend(named("source", &contributions.source));
    for part in &contributions.spins {
        let key = match (part.spins, part.more_than) {
            (Some(spins), _) => format!("mean_meter:spins={spins}"),
            (None, more_than) => format!("mean_meter:spins>{}", more_than.unwrap_or(0)),
        };
        rows.push((key, part.enclosure));
    }
    rows
}

fn text(document: &ExactDocument) -> String {
    let mut text = super::heading(&document.paytable);
    for trigger in &document.triggers {
        text.push_str(&format!("\n{} Wonderspins\n", trigger.trigger));
        let mut table = table::numbers(&["", "exact", "width of its proof"]);
        let mut add = |name: &str, value: &EnclosureJson, shown: String| {
            table.add_row([name.to_owned(), shown, bounds(value)]);
        };
        let plain = |value: &EnclosureJson| enclosed(value, 12);
        add(
            "mean meter",
            &trigger.mean_meter.enclosure,
            plain(&trigger.mean_meter.enclosure),
        );
        add(
            "variance of the meter",
            &trigger.variance_meter.enclosure,
            plain(&trigger.variance_meter.enclosure),
        );
        add(
            "standard deviation",
            &trigger.std_dev_meter,
            plain(&trigger.std_dev_meter),
        );
        add(
            "hit frequency",
            &trigger.hit_frequency.enclosure,
            enclosed_percent(&trigger.hit_frequency.enclosure, 8),
        );
        add(
            "mean spins",
            &trigger.mean_spins.enclosure,
            plain(&trigger.mean_spins.enclosure),
        );
        add(
            "gross return given the trigger",
            &trigger.rtp_conditional,
            plain(&trigger.rtp_conditional),
        );
        add(
            "net win given the trigger",
            &trigger.net_win_conditional,
            plain(&trigger.net_win_conditional),
        );
        add(
            "overall RTP (gross)",
            &trigger.rtp,
            enclosed_percent(&trigger.rtp, 8),
        );
        add(
            "house edge",
            &trigger.house_edge,
            enclosed_percent(&trigger.house_edge, 8),
        );
        add(
            "volatility index, 90 %",
            &trigger.volatility_index.enclosure,
            plain(&trigger.volatility_index.enclosure),
        );
        text.push_str(&table::render(&table));
        let drift = format!("drift of the counter {} a spin", trigger.drift_per_spin);
        text.push_str(&drift);
        if let Some(fraction) = shown_fraction(&trigger.mean_spins) {
            let spins = format!("mean spins {fraction} exactly");
            let is_long = drift.len() + spins.len() > 78;
            text.push_str(if is_long { ";\n  " } else { "; " });
            text.push_str(&spins);
        }
        text.push_str(&fractions(trigger));
        text.push_str(&format!(
            "\ntrigger probability {}\n",
            trigger.trigger_probability
        ));
        let parts: Vec<String> = trigger
            .rtp_parts
            .iter()
            .map(|part| format!("{} {}", part.part, enclosed_percent(&part.enclosure, 6)))
            .collect();
        text.push_str(&format!(
            "overall RTP, 5319.47(a)(8): {}\n",
            parts.join("\n  + ")
        ));
        text.push_str(&contributions(trigger));
        if let Some(found) = &trigger.distribution {
            text.push_str(&distribution::text(trigger, found));
            // The distribution's own lines about caps are sharper.
            continue;
        }
        for stake in &trigger.stakes {
            text.push_str(&format!(
                "stake {}: meter capped at {}, overall RTP in [{}, {}]\n",
                stake.stake,
                stake.max_meter,
                percent(stake.rtp.lower, 6),
                percent(stake.rtp.upper, 6)
            ));
        }
    }
    if let Some(joint) = &document.joint {
        text.push_str(&distribution::joint(joint));
    }
    text
}

/// A fraction that is short enough to be read; documents have longer ones.
fn shown_fraction(figure: &FractionJson) -> Option<&str> {
    figure
        .fraction
        .as_deref()
        .filter(|text| text.len() <= MAX_SHOWN_FRACTION)
}

/// The meter's figures that are known as short fractions, each on a line.
fn fractions(trigger: &ExactTrigger) -> String {
    let is_capped = trigger.mean_meter.fraction.is_none();
    let names = if is_capped {
        ["mean meter without the cap", "its variance"]
    } else {
        ["mean meter", "its variance"]
    };
    let shown: Vec<String> = [
        (names[0], &trigger.uncapped_mean_meter),
        (names[1], &trigger.uncapped_variance_meter),
        ("hit frequency", &trigger.hit_frequency),
    ]
    .into_iter()
    .filter_map(|(name, figure)| Some(format!("{name} {}", shown_fraction(figure)?)))
    .collect();
    if shown.is_empty() {
        String::new()
    } else {
        format!("\nexactly: {}", shown.join(",\n  "))
    }
}

/// Where the mean comes from, each split on lines of its own.
fn contributions(trigger: &ExactTrigger) -> String {
    let Some(contributions) = &trigger.contributions else {
        return String::new();
    };
    let mean = trigger.uncapped_mean_meter.enclosure.value;
    let entry = |name: String, value: f64| {
        let share = if mean > 0.0 { value / mean } else { 0.0 };
        format!("{name} {} ({})", figure(value, 6), percent(share, 2))
    };
    let named = |parts: &[ContributionJson]| -> Vec<String> {
        parts
            .iter()
            .map(|part| entry(part.part.clone(), part.enclosure.value))
            .collect()
    };
    // Numbers of spins in ranges of doubling length.
    let mut ranges: Vec<(u32, u32, f64)> = Vec::new();
    let mut length = 1;
    for part in &contributions.spins {
        let value = part.enclosure.value;
        match (part.spins, ranges.last_mut()) {
            (Some(spins), Some(last)) if spins < last.0 + length => {
                last.1 = spins;
                last.2 += value;
            }
            (Some(spins), _) => {
                length = if ranges.len() < 3 { 1 } else { length * 2 };
                ranges.push((spins, spins, value));
            }
            (None, Some(last)) => last.2 += value,
            (None, None) => ranges.push((0, u32::MAX, value)),
        }
    }
    let last = ranges.len().saturating_sub(1);
    let spins: Vec<String> = ranges
        .iter()
        .enumerate()
        .map(|(index, &(from, to, value))| {
            let name = match (index == last, from == to) {
                (true, _) => format!("{from} and more:"),
                (false, true) => format!("{from}:"),
                (false, false) => format!("{from} to {to}:"),
            };
            entry(name, value)
        })
        .collect();
    let cap = if trigger.uncapped_mean_meter.enclosure == trigger.mean_meter.enclosure {
        ""
    } else {
        " without the cap"
    };
    let mut text = format!("mean meter{cap}, which each line adds up to:\n");
    for (name, parts) in [
        ("by character", named(&contributions.character)),
        ("by source", named(&contributions.source)),
        ("by spins", spins),
    ] {
        let options = textwrap::Options::new(80)
            .initial_indent("  ")
            .subsequent_indent("    ")
            // A part stays on one line: its blanks are not places to break.
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        let parts = parts
            .join(", ")
            .replace(' ', "\u{a0}")
            .replace(",\u{a0}", ", ");
        let wrapped = textwrap::fill(&format!("{name}: {parts}"), options);
        text.push_str(&wrapped.replace('\u{a0}', " "));
        text.push('\n');
    }
    text
}
