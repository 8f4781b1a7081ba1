//! The tables as CSV, units in the header.

use std::collections::BTreeMap;

use super::{ReportError, ReportFile, ReportWriter};
use crate::document::{Certificate, EnclosureJson, EstimateJson, ExactTrigger, SimulateTrigger};

pub(super) struct Csv;

impl ReportWriter for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        Ok(vec![
            figures(certificate)?,
            payouts(certificate)?,
            spins(certificate)?,
            checks(certificate)?,
            clauses(certificate)?,
        ])
    }
}

fn table<const N: usize>(
    name: &str,
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<ReportFile, ReportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| ReportError::Buffer(Box::new(error.into_error())))?;
    Ok(ReportFile {
        name: name.to_owned(),
        bytes,
    })
}

/// The figures that both sides have, by name and unit.
pub(super) fn paired<'a>(
    exact: &'a ExactTrigger,
    simulated: &'a SimulateTrigger,
) -> [(&'static str, &'static str, EnclosureJson, &'a EstimateJson); 6] {
    [
        (
            "mean meter",
            "wagers",
            exact.mean_meter.enclosure,
            &simulated.mean_meter,
        ),
        (
            "variance of the meter",
            "wagers squared",
            exact.variance_meter.enclosure,
            &simulated.variance_meter,
        ),
        (
            "hit frequency",
            "fraction",
            exact.hit_frequency.enclosure,
            &simulated.hit_frequency,
        ),
        (
            "mean spins",
            "spins",
            exact.mean_spins.enclosure,
            &simulated.mean_spins,
        ),
        (
            "gross return given the trigger",
            "wagers",
            exact.rtp_conditional,
            &simulated.rtp_conditional,
        ),
        ("overall RTP (gross)", "fraction", exact.rtp, &simulated.rtp),
    ]
}

fn figures(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let sides = certificate
        .exact
        .triggers
        .iter()
        .zip(&certificate.simulated.triggers);
    let rows = sides.flat_map(|(exact, simulated)| {
        paired(exact, simulated).map(|(name, unit, exact_value, estimate)| {
            [
                exact.trigger.to_string(),
                name.to_owned(),
                unit.to_owned(),
                exact_value.value.to_string(),
                exact_value.lower.to_string(),
                exact_value.upper.to_string(),
                estimate.estimate.to_string(),
                estimate.std_error.to_string(),
                estimate.lower.to_string(),
                estimate.upper.to_string(),
                estimate.level.to_string(),
                estimate.method.clone(),
            ]
        })
    });
    table(
        "figures.csv",
        [
            "trigger",
            "figure",
            "unit",
            "exact",
            "exact_lower",
            "exact_upper",
            "simulated",
            "std_error",
            "interval_lower",
            "interval_upper",
            "level",
            "method",
        ],
        rows,
    )
}

fn payouts(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let rows = certificate.simulated.triggers.iter().flat_map(|trigger| {
        trigger.histogram.iter().map(|entry| {
            [
                trigger.trigger.to_string(),
                entry.meter.to_string(),
                entry.rounds.clone(),
            ]
        })
    });
    table("payouts.csv", ["trigger", "meter_wagers", "rounds"], rows)
}

fn spins(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let sides = certificate
        .exact
        .triggers
        .iter()
        .zip(&certificate.simulated.triggers);
    let rows = sides.flat_map(|(exact, simulated)| {
        let mut merged: BTreeMap<u64, (Option<EnclosureJson>, &str)> = BTreeMap::new();
        for entry in &exact.spins_distribution {
            merged.insert(u64::from(entry.spins), (Some(entry.enclosure), "0"));
        }
        for entry in &simulated.spins_histogram {
            merged.entry(entry.spins).or_insert((None, "0")).1 = &entry.rounds;
        }
        merged
            .into_iter()
            .map(|(spins, (probability, rounds))| {
                let bound = |pick: fn(&EnclosureJson) -> f64| {
                    probability
                        .as_ref()
                        .map_or_else(String::new, |enclosure| pick(enclosure).to_string())
                };
                [
                    exact.trigger.to_string(),
                    spins.to_string(),
                    bound(|enclosure| enclosure.value),
                    bound(|enclosure| enclosure.lower),
                    bound(|enclosure| enclosure.upper),
                    rounds.to_owned(),
                ]
            })
            .collect::<Vec<_>>()
    });
    table(
        "spins.csv",
        [
            "trigger",
            "spins",
            "probability",
            "probability_lower",
            "probability_upper",
            "rounds",
        ],
        rows,
    )
}

fn checks(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let rows = certificate.checks.iter().map(|check| {
        [
            check.id.clone(),
            check.clause.clone(),
            check
                .trigger
                .map_or_else(String::new, |trigger| trigger.to_string()),
            check.hypothesis.clone(),
            number(check.statistic),
            number(check.p_value),
            number(check.p_value_adjusted),
            check.threshold.clone(),
            number(check.smallest_detectable),
            check.verdict.to_string(),
            check.evidence.clone(),
        ]
    });
    table(
        "checks.csv",
        [
            "id",
            "clause",
            "trigger",
            "hypothesis",
            "statistic",
            "p_value",
            "p_value_adjusted",
            "threshold",
            "smallest_detectable",
            "verdict",
            "evidence",
        ],
        rows,
    )
}

fn clauses(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let rows = certificate.clauses.iter().map(|clause| {
        [
            clause.clause.clone(),
            clause.kind.clone(),
            clause.verdict.clone(),
            clause.asks.clone(),
            clause.evidence.clone(),
        ]
    });
    table(
        "clauses.csv",
        ["clause", "kind", "verdict", "asks", "evidence"],
        rows,
    )
}
