//! `readings`: the figures under every reading of what the text leaves open.

use wonderspins::analysis::readings::{Additions, readings};
use wonderspins::document::{ReadingJson, ReadingsDocument, ReadingsTrigger, to_json};
use wonderspins::report::format::percent;

use super::{csv_text, load, print};
use crate::args::{Format, Readings};
use crate::config;
use crate::exit::ExitStatus;
use crate::table::{self, plain_number, share};

pub(crate) fn run(args: &Readings) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let triggers = config::triggers(&file.paytable, args.trigger.trigger)?;
    let additions = Additions {
        starts: args.starts.iter().map(|starts| starts.0.clone()).collect(),
        cap: args.cap,
    };
    let rows = readings(&file.paytable, &additions)?;
    let document = ReadingsDocument::new(&file, &rows, &triggers);
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv(&document)?)?,
        Format::Text => print(&text(&document))?,
    }
    Ok(ExitStatus::Success)
}

const FIGURES: [&str; 5] = [
    "mean_meter",
    "std_dev_meter",
    "hit_frequency",
    "rtp_conditional",
    "rtp",
];

fn csv(document: &ReadingsDocument) -> anyhow::Result<String> {
    let mut header = vec![
        "trigger".to_owned(),
        "own".to_owned(),
        "starting_multipliers".to_owned(),
        "eat_me_consumes_spin".to_owned(),
        "drink_me_consumes_spin".to_owned(),
        "boost".to_owned(),
        "max_meter".to_owned(),
        "zero_meter".to_owned(),
    ];
    for name in FIGURES {
        header.extend(["", "_lower", "_upper"].map(|bound| format!("{name}{bound}")));
    }
    header.push("refused".to_owned());
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = document.triggers.iter().flat_map(|trigger| {
        let readings = trigger.readings.iter();
        readings.map(|reading| {
            let mut row = vec![
                trigger.trigger.to_string(),
                reading.own.to_string(),
                reading.points.starting_multipliers.clone(),
                reading.points.eat_me_consumes_spin.to_string(),
                reading.points.drink_me_consumes_spin.to_string(),
                reading.points.boost.clone(),
                reading
                    .points
                    .max_meter
                    .map(|cap| cap.to_string())
                    .unwrap_or_default(),
                reading.points.zero_meter.clone(),
            ];
            match &reading.figures {
                Some(figures) => {
                    for value in [
                        figures.mean_meter,
                        figures.std_dev_meter,
                        figures.hit_frequency,
                        figures.rtp_conditional,
                        figures.rtp,
                    ] {
                        row.extend([value.value, value.lower, value.upper].map(|n| n.to_string()));
                    }
                }
                None => row.extend(vec![String::new(); 3 * FIGURES.len()]),
            }
            row.push(reading.refused.clone().unwrap_or_default());
            row
        })
    });
    csv_text(&header, rows)
}

fn text(document: &ReadingsDocument) -> String {
    let mut text = super::heading(&document.paytable);
    for trigger in &document.triggers {
        text.push_str(&format!("\n{} Wonderspins\n", trigger.trigger));
        let mut rest = &trigger.readings[..];
        while let Some(first) = rest.first() {
            let same = |reading: &ReadingJson| {
                reading.own_starts == first.own_starts
                    && reading.points.starting_multipliers == first.points.starting_multipliers
            };
            let count = rest.iter().take_while(|reading| same(reading)).count();
            let (group, after) = rest.split_at(count);
            text.push_str(&format!(
                "starts {}{}\n",
                first.points.starting_multipliers.replace(',', ", "),
                if first.own_starts {
                    ", as in the paytable"
                } else {
                    ""
                }
            ));
            text.push_str(&group_table(group));
            rest = after;
        }
        text.push_str(&range(trigger));
    }
    text.push_str(
        "\n* the paytable's own reading. POTION: whether the spin that shows Eat Me or\n\
         Drink Me is kept or used up. BOOST: who gets an inner multiplier. ZERO: whether\n\
         the wager comes back with a meter of 0. GIVEN: gross return given the trigger.\n",
    );
    if text.contains('≥') {
        text.push_str("Two lines in a cell are proven bounds that differ in the digits shown.\n");
    }
    text
}

/// The readings of one law of starts.
fn group_table(group: &[ReadingJson]) -> String {
    let has_cap = group
        .iter()
        .any(|reading| reading.points.max_meter.is_some());
    let mut header = vec!["", "POTION", "BOOST", "ZERO"];
    if has_cap {
        header.push("CAP");
    }
    header.extend(["MEAN", "SD", "HIT %", "GIVEN", "RTP %"]);
    let mut table = table::plain(&header);
    let texts = header.len() - if has_cap { 6 } else { 5 };
    table::align_right(&mut table, texts);
    let mut refusals = Vec::new();
    for reading in group {
        let mut row = vec![
            if reading.own { "*" } else { "" }.to_owned(),
            match (
                reading.points.eat_me_consumes_spin,
                reading.points.drink_me_consumes_spin,
            ) {
                (false, false) => "kept",
                (true, true) => "used up",
                _ => "mixed",
            }
            .to_owned(),
            match reading.points.boost.as_str() {
                "outer-sections" => "sections",
                other => other,
            }
            .to_owned(),
            match reading.points.zero_meter.as_str() {
                "returns-wager" => "back",
                _ => "lost",
            }
            .to_owned(),
        ];
        if has_cap {
            row.push(
                reading
                    .points
                    .max_meter
                    .map_or("none".to_owned(), |cap| cap.to_string()),
            );
        }
        if let Some(figures) = &reading.figures {
            row.extend([
                plain_number(&figures.mean_meter),
                plain_number(&figures.std_dev_meter),
                share(&figures.hit_frequency, 3),
                plain_number(&figures.rtp_conditional),
                share(&figures.rtp, 2),
            ]);
        } else if let Some(refused) = &reading.refused {
            row.extend(vec!["-".to_owned(); 5]);
            if !refusals.contains(refused) {
                refusals.push(refused.clone());
            }
        }
        table.add_row(row);
    }
    let mut text = table::render(&table);
    for refusal in refusals {
        let note = format!("no figures: {refusal}");
        for line in textwrap::wrap(&note, 78) {
            text.push_str(&format!("{line}\n"));
        }
    }
    text
}

/// From the least to the largest overall RTP.
fn range(trigger: &ReadingsTrigger) -> String {
    let known = || {
        trigger
            .readings
            .iter()
            .filter_map(|reading| reading.figures.as_ref())
    };
    let least = known().map(|figures| figures.rtp.lower).reduce(f64::min);
    let most = known().map(|figures| figures.rtp.upper).reduce(f64::max);
    match least.zip(most) {
        Some((least, most)) => format!(
            "overall RTP from {} to {} over these readings\n",
            percent(least, 2),
            percent(most, 2)
        ),
        None => String::new(),
    }
}
