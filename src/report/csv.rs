//! The tables as CSV, units in the header.

use super::figures::{Law, splits};
use super::{ReportError, ReportFile, ReportWriter};
use crate::document::{
    Certificate, CertificateProfile, EnclosureJson, EstimateJson, ExactTrigger, SimulateTrigger,
};

pub(super) struct Csv;

impl ReportWriter for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        let mut files = vec![
            figures(certificate)?,
            laws(certificate, "payouts.csv", "meter_wagers", Law::of_meter)?,
            laws(certificate, "spins.csv", "spins", Law::of_spins)?,
            contributions(certificate)?,
            rtp_bands(certificate)?,
            draws(certificate)?,
            convergence(certificate)?,
            declared(certificate)?,
            checks(certificate)?,
            clauses(certificate)?,
        ];
        if let Some(of_profile) = &certificate.profile {
            files.push(profile(of_profile)?);
        }
        Ok(files)
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

/// Both sides of every trigger.
fn sides(certificate: &Certificate) -> impl Iterator<Item = (&ExactTrigger, &SimulateTrigger)> {
    let simulated = &certificate.simulated.triggers;
    certificate.exact.triggers.iter().zip(simulated)
}

/// A number as text; nothing where there is none.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn figures(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let rows = sides(certificate).flat_map(|(exact, simulated)| {
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

/// A law beside counts: the columns after the trigger.
fn law_rows(trigger: u32, law: &Law) -> Vec<[String; 8]> {
    law.bins
        .iter()
        .map(|bin| {
            let bound = |index: usize| {
                bin.law
                    .map_or_else(String::new, |law| law[index].to_string())
            };
            [
                trigger.to_string(),
                bin.from.to_string(),
                bound(0),
                bound(1),
                bound(2),
                bin.rounds.to_string(),
                bin.share(law.played).to_string(),
                number(bin.residual(law.played)),
            ]
        })
        .collect()
}

fn laws(
    certificate: &Certificate,
    name: &str,
    value: &str,
    law: fn(&ExactTrigger, &SimulateTrigger) -> Law,
) -> Result<ReportFile, ReportError> {
    let rows = sides(certificate)
        .flat_map(|(exact, simulated)| law_rows(exact.trigger, &law(exact, simulated)));
    table(
        name,
        [
            "trigger",
            value,
            "probability",
            "probability_lower",
            "probability_upper",
            "rounds",
            "share",
            "residual_standard_deviations",
        ],
        rows,
    )
}

fn contributions(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let mut rows = Vec::new();
    for (exact, simulated) in sides(certificate) {
        let Some(parts) = &exact.contributions else {
            continue;
        };
        let splits = splits(exact, simulated, parts, usize::MAX);
        for split in splits {
            for row in split.rows {
                rows.push([
                    exact.trigger.to_string(),
                    split.key.to_owned(),
                    row.name,
                    row.meter.value.to_string(),
                    row.meter.lower.to_string(),
                    row.meter.upper.to_string(),
                    row.fraction.unwrap_or_default(),
                    row.exact.to_string(),
                    number(row.simulated),
                ]);
            }
        }
    }
    table(
        "contributions.csv",
        [
            "trigger",
            "split",
            "part",
            "mean_meter_wagers",
            "mean_meter_lower",
            "mean_meter_upper",
            "mean_meter_fraction",
            "rtp_fraction_of_wager",
            "rtp_of_rounds_watched_fraction_of_wager",
        ],
        rows,
    )
}

fn rtp_bands(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let rows = certificate.exact.rtp_bands.iter().map(|band| {
        [
            band.trigger.to_string(),
            band.plays.to_string(),
            band.level.to_string(),
            band.lower.to_string(),
            band.upper.to_string(),
            band.method.clone(),
        ]
    });
    table(
        "rtp-bands.csv",
        [
            "trigger",
            "wagers",
            "level",
            "rtp_lower_fraction",
            "rtp_upper_fraction",
            "method",
        ],
        rows,
    )
}

/// What was drawn, by wheel, section and number of the spin.
fn draws(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let mut rows = Vec::new();
    let wheels = &certificate.wheels;
    for trigger in &certificate.simulated.triggers {
        let Some(detail) = &trigger.detail else {
            continue;
        };
        for spin in &detail.spins {
            let name = match (spin.spin, spin.more_than) {
                (Some(number), _) => number.to_string(),
                (None, Some(number)) => format!("more than {number}"),
                (None, None) => String::new(),
            };
            for (wheel, sections, counts) in [
                ("inner", &wheels.inner, &spin.inner),
                ("outer", &wheels.outer, &spin.outer),
            ] {
                let weight: u64 = sections.iter().map(|section| section.weight).sum();
                for (index, (section, count)) in sections.iter().zip(counts).enumerate() {
                    rows.push([
                        trigger.trigger.to_string(),
                        wheel.to_owned(),
                        (index + 1).to_string(),
                        section.shows.clone(),
                        format!("{}/{weight}", section.weight),
                        name.clone(),
                        count.clone(),
                        spin.played.clone(),
                    ]);
                }
            }
            for (index, (entry, count)) in detail.character.iter().zip(&spin.selected).enumerate() {
                rows.push([
                    trigger.trigger.to_string(),
                    "selected character".to_owned(),
                    (index + 1).to_string(),
                    entry.character.clone(),
                    String::new(),
                    name.clone(),
                    count.clone(),
                    spin.played.clone(),
                ]);
            }
        }
    }
    table(
        "draws.csv",
        [
            "trigger",
            "wheel",
            "section",
            "shows",
            "probability",
            "spin_number",
            "draws",
            "spins_played",
        ],
        rows,
    )
}

/// The run from its first round on.
fn convergence(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let rows = certificate.commitments.iter().flat_map(|commitment| {
        commitment.convergence.iter().map(|point| {
            [
                commitment.trigger.to_string(),
                point.rounds.to_string(),
                point.sum_meter.clone(),
            ]
        })
    });
    table(
        "convergence.csv",
        ["trigger", "rounds", "sum_meter_wagers"],
        rows,
    )
}

fn declared(certificate: &Certificate) -> Result<ReportFile, ReportError> {
    let rows = certificate.declared.iter().map(|entry| {
        [
            entry.trigger.to_string(),
            entry.figure.clone(),
            entry.declared.clone(),
            entry.exact.clone(),
            number(entry.difference),
            entry.verdict.to_string(),
            entry.guess.clone().unwrap_or_default(),
        ]
    });
    table(
        "declared.csv",
        [
            "trigger",
            "figure",
            "declared",
            "exact",
            "difference_in_unit_of_figure",
            "verdict",
            "guess",
        ],
        rows,
    )
}

fn checks(certificate: &Certificate) -> Result<ReportFile, ReportError> {
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
            check.method.clone().unwrap_or_default(),
            number(check.bound.map(|bound| bound.lower)),
            number(check.bound.map(|bound| bound.upper)),
            check.threshold.clone(),
            number(check.smallest_detectable),
            number(check.requirement),
            check.power.clone().unwrap_or_default(),
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
            "method",
            "bound_lower",
            "bound_upper",
            "threshold",
            "smallest_detectable",
            "requirement",
            "power",
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

/// The limits of a profile, then the settings that it can give.
fn profile(profile: &CertificateProfile) -> Result<ReportFile, ReportError> {
    let limits = profile.rows.iter().map(|row| {
        [
            row.id.clone(),
            row.trigger
                .map_or_else(String::new, |trigger| trigger.to_string()),
            row.limit.clone().unwrap_or_default(),
            row.status.clone(),
            row.citation.clone(),
            row.verdict.clone(),
            row.evidence.clone(),
        ]
    });
    let settings = profile.settings.iter().map(|setting| {
        [
            setting.key.clone(),
            String::new(),
            setting.value.clone(),
            setting.status.clone(),
            setting.citation.clone(),
            String::new(),
            format!("used here from: {}", setting.from),
        ]
    });
    table(
        "profile.csv",
        [
            "limit", "trigger", "value", "status", "citation", "verdict", "evidence",
        ],
        limits.chain(settings),
    )
}
