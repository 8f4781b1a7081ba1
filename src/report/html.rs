//! `report.html`: one file, no script, no network.

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use super::csv::paired;
use super::format::{bounds, enclosed, enclosed_percent, figure, grouped, level, p_value, percent};
use super::{ReportError, ReportFile, ReportWriter};
use crate::document::{
    Assumption, Certificate, CheckVerdict, ClauseJson, EnclosureJson, EstimateJson, ExactTrigger,
    SimulateTrigger, SpinsEntry, TriggerDeclared,
};

pub(super) struct Html;

impl ReportWriter for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.add_template("report.html", include_str!("templates/report.html"))?;
        let page = environment
            .get_template("report.html")?
            .render(Serde(page(certificate)))?;
        Ok(vec![ReportFile {
            name: "report.html".to_owned(),
            bytes: page.into_bytes(),
        }])
    }
}

#[derive(Serialize)]
struct FigureRow {
    name: &'static str,
    exact: String,
    width: String,
    simulated: String,
    std_error: String,
    interval: String,
}

#[derive(Serialize)]
struct PartRow {
    name: String,
    value: String,
    percent: String,
}

#[derive(Serialize)]
struct TriggerView {
    name: String,
    verdict: CheckVerdict,
    run: String,
    wager: String,
    figures: Vec<FigureRow>,
    parts: Vec<PartRow>,
    stakes: Vec<[String; 6]>,
    spins: Vec<[String; 4]>,
}

#[derive(Serialize)]
struct NumericRow {
    name: String,
    evidence: String,
    statistic: String,
    p: String,
    adjusted: String,
    detectable: String,
    verdict: CheckVerdict,
}

/// Everything that the template shows, already formatted.
#[derive(Serialize)]
struct Page<'a> {
    title: String,
    source: &'a str,
    tool: String,
    created: Option<&'a str>,
    verdict: CheckVerdict,
    verdict_text: String,
    statement: &'a str,
    assumptions: &'a [Assumption],
    notes: &'a str,
    level: String,
    triggers: Vec<TriggerView>,
    declared: &'a [TriggerDeclared],
    correction: String,
    numeric: Vec<NumericRow>,
    clauses: &'a [ClauseJson],
    plan: Vec<(&'static str, String)>,
    text: &'a str,
}

fn page(certificate: &Certificate) -> Page<'_> {
    let (passed, failed, open) = certificate.counts();
    let open_clauses = certificate
        .clauses
        .iter()
        .filter(|clause| clause.verdict == "inconclusive")
        .count();
    let mut verdict_text =
        format!("{passed} checks passed, {failed} failed, {open} could not decide");
    if open_clauses > 0 && !certificate.plan.strict {
        verdict_text.push_str(&format!(
            "; of these, {open_clauses} are clauses that the paytable file leaves undecided, which do not count against the verdict"
        ));
    }
    let triggers: Vec<TriggerView> = certificate
        .triggers
        .iter()
        .zip(certificate.exact.triggers.iter().zip(&certificate.simulated.triggers))
        .map(|(trigger, (exact, simulated))| TriggerView {
            name: format!("{} Wonderspins", trigger.trigger),
            verdict: trigger.verdict,
            run: format!(
                "{} rounds played, {} spins, largest meter {} in round {}; drift of the counter {} a spin",
                grouped(&simulated.rounds.to_string()),
                grouped(&simulated.spins),
                simulated.max_meter,
                grouped(&simulated.max_round.to_string()),
                exact.drift_per_spin
            ),
            wager: format!(
                "For one unit wagered on {} Wonderspins: trigger probability {}; the return is gross, so a wager that \
                 comes back is in it. House edge {}, volatility index {} at {} (z = {}).",
                trigger.trigger,
                exact.trigger_probability,
                enclosed_percent(&exact.house_edge, 6),
                enclosed(&exact.volatility_index.enclosure, 7),
                level(exact.volatility_index.level),
                figure(exact.volatility_index.z, 5)
            ),
            figures: paired(exact, simulated)
                .into_iter()
                .map(|(name, _, exact_value, estimate)| figure_row(name, &exact_value, estimate))
                .collect(),
            parts: parts(exact),
            stakes: stakes(exact),
            spins: spins(exact, simulated),
        })
        .collect();
    Page {
        title: format!("Wonderspins certificate: {}", certificate.paytable.name),
        source: &certificate.paytable.source,
        tool: format!(
            "{} {} ({})",
            certificate.tool.name, certificate.tool.version, certificate.tool.commit
        ),
        created: certificate.created.as_deref(),
        verdict: certificate.verdict,
        verdict_text,
        statement: &certificate.statement,
        assumptions: &certificate.assumptions,
        notes: &certificate.paytable.notes,
        level: level(certificate.plan.confidence_level),
        triggers,
        declared: &certificate.declared,
        correction: format!(
            "Each line tests the simulation against the exact figure. {} over all {} tests keeps the chance that a right \
             paytable fails any of them at or below {}.",
            certificate.plan.correction,
            certificate
                .checks
                .iter()
                .filter(|check| check.p_value.is_some())
                .count(),
            level(certificate.plan.alpha)
        ),
        numeric: numeric(certificate),
        clauses: &certificate.clauses,
        plan: plan(certificate),
        text: &certificate.paytable.text,
    }
}

fn figure_row(name: &'static str, exact: &EnclosureJson, estimate: &EstimateJson) -> FigureRow {
    FigureRow {
        name,
        exact: enclosed(exact, 12),
        width: bounds(exact),
        simulated: figure(estimate.estimate, 8),
        std_error: figure(estimate.std_error, 2),
        interval: format!(
            "{} to {}",
            figure(estimate.lower, 8),
            figure(estimate.upper, 8)
        ),
    }
}

fn parts(exact: &ExactTrigger) -> Vec<PartRow> {
    let row = |name: String, value: &EnclosureJson| PartRow {
        name,
        value: enclosed(value, 12),
        percent: enclosed_percent(value, 6),
    };
    let mut rows: Vec<PartRow> = exact
        .rtp_parts
        .iter()
        .map(|part| row(part.part.clone(), &part.enclosure))
        .collect();
    rows.push(row("overall RTP".to_owned(), &exact.rtp));
    rows
}

fn stakes(exact: &ExactTrigger) -> Vec<[String; 6]> {
    exact
        .stakes
        .iter()
        .map(|stake| {
            [
                grouped(&stake.stake.to_string()),
                grouped(&stake.max_meter),
                figure(stake.mean_meter.lower, 9),
                figure(stake.mean_meter.upper, 9),
                percent(stake.rtp.lower, 6),
                percent(stake.rtp.upper, 6),
            ]
        })
        .collect()
}

/// Least probability that has a row of its own; the CSV lists every number of spins.
const SPINS_ROW: f64 = 1e-5;

fn spins(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Vec<[String; 4]> {
    #[expect(clippy::cast_precision_loss, reason = "a share shown to five digits")]
    let rounds_played = simulated.rounds as f64;
    let count = |entry: &SpinsEntry| entry.rounds.parse::<u64>().unwrap_or_default();
    let row = |spins: String, probability: f64, rounds: u64| {
        #[expect(clippy::cast_precision_loss, reason = "a share shown to five digits")]
        let share = rounds as f64 / rounds_played;
        [
            spins,
            format!("{probability:.4e}"),
            format!("{share:.4e}"),
            grouped(&rounds.to_string()),
        ]
    };
    let (listed, tail): (Vec<_>, Vec<_>) = exact
        .spins_distribution
        .iter()
        .partition(|entry| entry.enclosure.value >= SPINS_ROW);
    let mut rows: Vec<[String; 4]> = listed
        .iter()
        .map(|entry| {
            let rounds = simulated
                .spins_histogram
                .iter()
                .find(|seen| seen.spins == u64::from(entry.spins))
                .map_or(0, count);
            row(entry.spins.to_string(), entry.enclosure.value, rounds)
        })
        .collect();
    let last = listed
        .iter()
        .map(|entry| u64::from(entry.spins))
        .max()
        .unwrap_or_default();
    let beyond: f64 =
        tail.iter().map(|entry| entry.enclosure.value).sum::<f64>() + exact.spins_tail.value;
    let rounds = simulated
        .spins_histogram
        .iter()
        .filter(|seen| seen.spins > last)
        .map(count)
        .sum();
    if beyond > 0.0 || rounds > 0 {
        rows.push(row(format!("{} or more", last + 1), beyond, rounds));
    }
    rows
}

fn numeric(certificate: &Certificate) -> Vec<NumericRow> {
    let dash = || "–".to_owned();
    certificate
        .checks
        .iter()
        .filter(|check| check.trigger.is_some())
        .map(|check| NumericRow {
            name: format!(
                "{} Wonderspins: {}",
                check.trigger.unwrap_or_default(),
                check.hypothesis
            ),
            evidence: check.evidence.clone(),
            statistic: check.statistic.map_or_else(dash, |value| figure(value, 4)),
            p: check.p_value.map_or_else(dash, p_value),
            adjusted: check.p_value_adjusted.map_or_else(dash, p_value),
            detectable: check
                .smallest_detectable
                .map_or_else(dash, |value| figure(value, 2)),
            verdict: check.verdict,
        })
        .collect()
}

fn plan(certificate: &Certificate) -> Vec<(&'static str, String)> {
    let plan = &certificate.plan;
    let mut rows = vec![
        (
            "Paytable SHA-256, canonical form",
            certificate.paytable.sha256.clone(),
        ),
        (
            "Paytable SHA-256, file",
            certificate.paytable.file_sha256.clone(),
        ),
        ("Seed", format!("{} ({})", plan.seed, plan.seed_origin)),
        ("Rounds for each trigger", grouped(&plan.rounds.to_string())),
        ("Rounds of a batch", grouped(&plan.batch_rounds.to_string())),
        ("Generator", plan.generator.clone()),
        (
            "Specification of streams",
            format!("version {}", plan.engine_specification),
        ),
    ];
    for trigger in &certificate.simulated.triggers {
        rows.push((
            if trigger.trigger == 2 {
                "Digest, 2 Wonderspins"
            } else {
                "Digest, 5 Wonderspins"
            },
            trigger.digest.clone(),
        ));
    }
    rows
}
