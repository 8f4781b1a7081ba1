//! `solve`: the value of one parameter that meets a target RTP.

use anyhow::bail;
use wonderspins::analysis::solve::{Request, SolveError, Status, solve};
use wonderspins::document::{
    CandidateJson, CandidateRtp, ParameterJson, SolveDocument, SolveTrigger, to_json,
};
use wonderspins::report::format::{bound, figure, percent};

use super::{csv_text, load, print};
use crate::args::{Format, Solve};
use crate::config;
use crate::exit::ExitStatus;
use crate::table;

pub(crate) fn run(args: &Solve) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let mut triggers = Vec::new();
    for &choice in &args.triggers {
        triggers.extend(config::triggers(&file.paytable, Some(choice))?);
    }
    if triggers.is_empty() {
        triggers = config::triggers(&file.paytable, None)?;
    }
    triggers.sort_unstable();
    triggers.dedup();
    let request = Request {
        vary: args.vary.0,
        target: args.rtp.0.value.clone(),
        tolerance: args.tolerance.0.value.clone(),
        triggers,
    };
    let solution = solve(&file.paytable, &request).map_err(|error| {
        let is_about_vary = matches!(
            error,
            SolveError::NoSuchStart { .. } | SolveError::NoLegalValue
        );
        let error = anyhow::Error::new(error);
        if is_about_vary {
            error.context(format!("`--vary {}` does not fit the paytable", args.vary))
        } else {
            error
        }
    })?;
    let document = SolveDocument::new(&file, &request, (&args.rtp.0, &args.tolerance.0), &solution);
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv(&document)?)?,
        Format::Text => print(&text(&document))?,
    }
    match solution.status {
        Status::Met | Status::Bracketed => Ok(ExitStatus::Success),
        Status::Undecided | Status::NoCommonValue => Ok(ExitStatus::CheckFailed),
        // The answer with the reachable range is printed; the request itself was at fault.
        Status::NotReachable => bail!(
            "an overall RTP of {} cannot be reached by `--vary {}`",
            args.rtp.0,
            args.vary
        ),
    }
}

fn csv(document: &SolveDocument) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    let mut add = |scope: &str, status: &str, place: &str, candidate: &CandidateJson| {
        let ParameterJson {
            whole,
            factor_from,
            factor_to,
            decimal,
        } = &candidate.parameter;
        for entry in &candidate.rtp {
            rows.push([
                scope.to_owned(),
                status.to_owned(),
                place.to_owned(),
                whole.map(|value| value.to_string()).unwrap_or_default(),
                factor_from.clone().unwrap_or_default(),
                factor_to.clone().unwrap_or_default(),
                decimal.clone().unwrap_or_default(),
                entry.trigger.to_string(),
                entry.starting_multipliers.clone(),
                entry.rtp.value.to_string(),
                entry.rtp.lower.to_string(),
                entry.rtp.upper.to_string(),
            ]);
        }
    };
    for trigger in &document.triggers {
        for (place, candidate) in trigger.candidates() {
            add(
                &trigger.trigger.to_string(),
                &trigger.status,
                place,
                candidate,
            );
        }
    }
    if let Some(joint) = &document.joint {
        add("joint", &joint.status, "nearest", &joint.nearest);
    }
    csv_text(
        &[
            "solved_for",
            "status",
            "place",
            "whole",
            "factor_from",
            "factor_to",
            "decimal",
            "trigger",
            "starting_multipliers",
            "rtp",
            "rtp_lower",
            "rtp_upper",
        ],
        rows,
    )
}

fn text(document: &SolveDocument) -> String {
    let mut text = format!(
        "{}\noverall RTP of {}, by `{}`\n",
        super::heading(&document.paytable),
        document.target_rtp,
        document.vary
    );
    for trigger in &document.triggers {
        text.push_str(&format!(
            "\n{} Wonderspins: {}\n",
            trigger.trigger,
            outcome(trigger)
        ));
        text.push_str(&candidates(
            document,
            &trigger.candidates(),
            Some(trigger.trigger),
        ));
        if let Some(exact) = &trigger.solution {
            text.push_str(&match &trigger.solution_fraction {
                Some(fraction) => format!("exactly {fraction}\n"),
                None => format!(
                    "the exact value lies from {} to {}\n",
                    bound(exact.lower, 15, false),
                    bound(exact.upper, 15, true)
                ),
            });
        }
    }
    if let Some(joint) = &document.joint {
        let within = format!("within {}", document.tolerance);
        text.push_str(&match joint.status.as_str() {
            "met" => format!("\none value for all bets: {within} of the target\n"),
            "no-common-value" => {
                format!("\none value for all bets: none is {within} of the target\n")
            }
            _ => format!("\none value for all bets: whether one is {within} is not decided\n"),
        });
        text.push_str(&candidates(document, &[("nearest", &joint.nearest)], None));
        text.push_str(&if joint.gap.upper - joint.gap.lower < 1e-9 {
            format!("its largest miss is {}\n", figure(joint.gap.value, 6))
        } else {
            format!(
                "its largest miss is from {} to {}\n",
                figure(joint.gap.lower, 6),
                figure(joint.gap.upper, 6)
            )
        });
    }
    text
}

/// What the answer for one bet comes to.
fn outcome(trigger: &SolveTrigger) -> &'static str {
    match trigger.status.as_str() {
        "met" => "met",
        "bracketed" => "not met exactly; the nearest on either side",
        "not-reachable" => "not reachable; the least and the largest return",
        _ => "not decided between the bounds of the proof",
    }
}

/// A table of values with what they give, for one bet or for all.
fn candidates(
    document: &SolveDocument,
    list: &[(&str, &CandidateJson)],
    bet: Option<u32>,
) -> String {
    let moves_starts = !matches!(document.vary.as_str(), "other-return" | "cap");
    let mut header = vec!["", value_header(&document.vary)];
    if moves_starts {
        header.push("STARTS");
    }
    if bet.is_none() {
        header.push("BET");
    }
    header.push("OVERALL RTP");
    let mut table = table::plain(&header);
    table::align_right(&mut table, header.len() - 1);
    for (place, candidate) in list {
        let is_shown = |entry: &&CandidateRtp| bet.is_none_or(|bet| entry.trigger == bet);
        for entry in candidate.rtp.iter().filter(is_shown) {
            let mut row = vec![
                place.replace('_', " "),
                value(&document.vary, &candidate.parameter),
            ];
            if moves_starts {
                row.push(entry.starting_multipliers.replace(',', ", "));
            }
            if bet.is_none() {
                row.push(entry.trigger.to_string());
            }
            let rtp = &entry.rtp;
            row.push(
                if rtp.upper - rtp.lower < 1e-10 * rtp.value.abs().max(1.0) {
                    percent(rtp.value, 8)
                } else {
                    let (lower, upper) = (rtp.lower * 100.0, rtp.upper * 100.0);
                    format!("{} to {} %", bound(lower, 4, false), bound(upper, 4, true))
                },
            );
            table.add_row(row);
        }
    }
    table::render(&table)
}

fn value_header(vary: &str) -> &'static str {
    match vary {
        "shift" => "SHIFT",
        "scale" => "FACTOR",
        "other-return" => "OTHER RETURN",
        "cap" => "CAP",
        _ => "START",
    }
}

fn value(vary: &str, parameter: &ParameterJson) -> String {
    if let Some(whole) = parameter.whole {
        return if vary == "shift" {
            format!("{whole:+}")
        } else {
            whole.to_string()
        };
    }
    match (
        &parameter.factor_from,
        &parameter.factor_to,
        &parameter.decimal,
    ) {
        (Some(from), Some(to), _) => format!("[{from}, {to})"),
        (_, _, Some(decimal)) => decimal.clone(),
        _ => String::new(),
    }
}
