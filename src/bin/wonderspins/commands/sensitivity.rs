//! `sensitivity`: how the return moves with each section of the wheels.

use wonderspins::analysis::sensitivity;
use wonderspins::document::{
    EnclosureJson, ExtremeJson, SectionJson, SensitivityDocument, SensitivityTrigger, to_json,
};
use wonderspins::report::format::{bounds, figure, percent};
use wonderspins::report::wheel;

use super::{csv_text, load, print, write_file};
use crate::args::{Format, Sensitivity};
use crate::config;
use crate::exit::ExitStatus;
use crate::table;

pub(crate) fn run(args: &Sensitivity) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let triggers = config::triggers(&file.paytable, args.trigger.trigger)?;
    let bias = args.bias.as_ref().map(|bias| &bias.0.value);
    let results = triggers
        .into_iter()
        .map(|trigger| sensitivity::sensitivity(&file.paytable, trigger, bias))
        .collect::<Result<Vec<_>, _>>()?;
    let document = SensitivityDocument::new(&file, &results);
    if let Some(path) = &args.svg {
        write_file(path, wheel::svg(&document).as_bytes())?;
    }
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv(&document)?)?,
        Format::Text => print(&text(&document))?,
    }
    Ok(ExitStatus::Success)
}

fn csv(document: &SensitivityDocument) -> anyhow::Result<String> {
    let row = |trigger: u32, wheel: &str, section: &SectionJson| {
        let mut row = vec![
            trigger.to_string(),
            wheel.to_owned(),
            section.section.to_string(),
            section.name.clone(),
            section.probability.clone(),
        ];
        for value in [section.mean_meter, section.rtp] {
            row.extend([value.value, value.lower, value.upper].map(|number| number.to_string()));
        }
        row
    };
    let rows = document.triggers.iter().flat_map(|trigger| {
        let outer = trigger.outer.iter().map(|section| ("outer", section));
        let inner = trigger.inner.iter().map(|section| ("inner", section));
        outer
            .chain(inner)
            .map(|(wheel, section)| row(trigger.trigger, wheel, section))
            .collect::<Vec<_>>()
    });
    csv_text(
        &[
            "trigger",
            "wheel",
            "section",
            "name",
            "probability",
            "mean_meter",
            "mean_meter_lower",
            "mean_meter_upper",
            "rtp",
            "rtp_lower",
            "rtp_upper",
        ],
        rows,
    )
}

fn text(document: &SensitivityDocument) -> String {
    let mut text = super::heading(&document.paytable);
    for trigger in &document.triggers {
        text.push_str(&format!(
            "\n{} Wonderspins: mean meter {}, overall RTP {}{}\n",
            trigger.trigger,
            figure(trigger.mean_meter.value, 12),
            percent(trigger.rtp.value, 8),
            if document.max_meter_left_out.is_some() {
                " before the cap"
            } else {
                ""
            }
        ));
        text.push_str(&section_table("OUTER", &trigger.outer));
        text.push('\n');
        text.push_str(&section_table("INNER", &trigger.inner));
        text.push_str(&extremes(trigger));
    }
    text.push_str(
        "\nDerivatives for each unit of probability, weight moved to the section from all\n\
         sections of its wheel in proportion. Weight moved between two sections: the\n\
         difference of theirs.\n",
    );
    if let Some(cap) = document.max_meter_left_out {
        text.push_str(&format!(
            "Every figure is without the payout cap of {cap}.\n"
        ));
    }
    text
}

fn section_table(wheel: &str, sections: &[SectionJson]) -> String {
    let header = [
        wheel,
        "SHOWS",
        "PROBABILITY",
        "d MEAN METER",
        "d RTP",
        "PROOF",
    ];
    let mut table = table::numbers(&header);
    for section in sections {
        let signed = |value: &EnclosureJson, digits| {
            let text = figure(value.value, digits);
            if value.value > 0.0 {
                format!("+{text}")
            } else {
                text
            }
        };
        table.add_row([
            section.section.to_string(),
            section.name.clone(),
            section.probability.clone(),
            signed(&section.mean_meter, 10),
            signed(&section.rtp, 10),
            bounds(&section.rtp),
        ]);
    }
    table::render(&table)
}

fn extremes(trigger: &SensitivityTrigger) -> String {
    let Some(extremes) = &trigger.extremes else {
        return String::new();
    };
    let line = |name: &str, extreme: &ExtremeJson| {
        let search = if extreme.settled {
            "settled"
        } else {
            "not settled"
        };
        format!(
            "  {name} RTP {} [{}], first order {}; {search} in step {}\n",
            percent(extreme.rtp.value, 8),
            bounds(&extreme.rtp),
            percent(extreme.first_order_rtp, 4),
            extreme.steps
        )
    };
    format!(
        "\nOuter wheels with every section within {} of its probability, relatively:\n{}{}\
         \x20 (local extremes: each the optimum of the linearisation there, evaluated\n\
         \x20 exactly; another wheel within the bias may go a little further)\n",
        extremes.bias,
        line("lowest ", &extremes.lowest),
        line("highest", &extremes.highest)
    )
}
