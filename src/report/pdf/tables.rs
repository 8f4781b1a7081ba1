//! The tables of the template.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::csv::paired;
use super::super::format::{
    bounds, enclosed, enclosed_percent, figure, grouped, level, p_value, percent,
};
use crate::document::{
    BoundsJson, Certificate, CertificateProfile, CheckVerdict, DistributionJson, EnclosureJson,
    EstimateJson, ExactTrigger, SimulateTrigger, SpinDrawsJson, WheelSection,
};

/// Where there is nothing to show.
const NONE: &str = "–";
/// Least probability that has a row of its own; the CSV lists every number of spins.
const SPINS_ROW: f64 = 1e-5;

/// One figure on all sides.
#[derive(Serialize)]
pub(super) struct FigureRow {
    name: &'static str,
    exact: String,
    width: String,
    simulated: String,
    distance: String,
    declared: String,
    verdict: Option<CheckVerdict>,
}

/// Simulated less exact, from the nearest bound: a wide one has no other point to measure from.
fn outside(estimate: &EstimateJson, exact: &EnclosureJson) -> f64 {
    (estimate.estimate - exact.upper).max(0.0) - (exact.lower - estimate.estimate).max(0.0)
}

/// The check and the declared key of a paired figure.
fn keys(name: &str) -> (&'static str, &'static str) {
    match name {
        "mean meter" => ("mean-meter", "mean_meter"),
        "variance of the meter" => ("variance-meter", "variance_meter"),
        "hit frequency" => ("hit-frequency", "hit_frequency"),
        "mean spins" => ("mean-spins", "mean_spins"),
        "overall RTP (gross)" => ("rtp", "rtp"),
        _ => ("rtp-conditional", "rtp_conditional"),
    }
}

pub(super) fn figures(
    certificate: &Certificate,
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Vec<FigureRow> {
    paired(exact, simulated)
        .into_iter()
        .map(|(name, _, value, estimate)| {
            let (check, key) = keys(name);
            let declared = certificate
                .declared
                .iter()
                .find(|entry| entry.trigger == exact.trigger && entry.figure == key);
            let tested = certificate
                .checks
                .iter()
                .find(|entry| entry.trigger == Some(exact.trigger) && entry.id == check);
            let verdict = match (tested.map(|check| check.verdict), declared) {
                (Some(tested), Some(declared)) => Some(tested.and(declared.verdict)),
                (Some(tested), None) => Some(tested),
                (None, declared) => declared.map(|declared| declared.verdict),
            };
            FigureRow {
                name,
                exact: enclosed(&value, 12),
                width: bounds(&value),
                simulated: format!(
                    "{} ± {}",
                    figure(estimate.estimate, 8),
                    figure(estimate.std_error, 2)
                ),
                distance: if estimate.std_error > 0.0 {
                    format!("{:+.2}", outside(estimate, &value) / estimate.std_error)
                } else {
                    NONE.to_owned()
                },
                declared: declared.map_or_else(|| NONE.to_owned(), |entry| entry.declared.clone()),
                verdict,
            }
        })
        .collect()
}

/// The parts of the overall return and their sum.
pub(super) fn parts(exact: &ExactTrigger) -> Vec<[String; 3]> {
    exact
        .rtp_parts
        .iter()
        .map(|part| (part.part.clone(), part.enclosure))
        .chain([("overall RTP".to_owned(), exact.rtp)])
        .map(|(name, value)| [name, enclosed(&value, 12), enclosed_percent(&value, 6)])
        .collect()
}

/// Figures under each cap; those of the distribution are the sharper ones.
pub(super) fn caps(exact: &ExactTrigger) -> Vec<[String; 6]> {
    let row = |stake: Option<u64>, cap: &str, mean: &EnclosureJson, rtp: &EnclosureJson| {
        [
            stake.map_or_else(
                || "every round".to_owned(),
                |stake| format!("a stake of {}", grouped(&stake.to_string())),
            ),
            cap.to_owned(),
            figure(mean.lower, 9),
            figure(mean.upper, 9),
            percent(rtp.lower, 6),
            percent(rtp.upper, 6),
        ]
    };
    match &exact.distribution {
        Some(law) if !law.capped.is_empty() => law
            .capped
            .iter()
            .map(|cap| row(cap.stake, &cap.max_meter, &cap.mean_meter, &cap.rtp))
            .collect(),
        _ => exact
            .stakes
            .iter()
            .map(|stake| {
                row(
                    Some(stake.stake),
                    &stake.max_meter,
                    &stake.mean_meter,
                    &stake.rtp,
                )
            })
            .collect(),
    }
}

/// What the payout distribution says, in rows.
#[derive(Serialize)]
pub(super) struct Law {
    method: String,
    quantiles: Vec<[String; 4]>,
    exceedance: Vec<[String; 4]>,
    bands: Vec<[String; 5]>,
}

pub(super) fn law(law: &DistributionJson) -> Law {
    let known = |bound: Option<f64>, digits| {
        bound.map_or_else(|| "not known".to_owned(), |bound| figure(bound, digits))
    };
    let within = |bounds: &BoundsJson, digits| {
        format!(
            "{} ({} to {})",
            figure(bounds.value, digits),
            known(bounds.lower, digits),
            known(bounds.upper, digits)
        )
    };
    Law {
        method: format!(
            "The law listed is within {} of the truth in total variation; it is nowhere above it, and at most {} of probability is \
             missing. Mean {}, variance {}, skewness {}, excess kurtosis {}: of the law listed, in brackets what it proves about the truth. \
             How it was computed: {}.",
            figure(law.total_variation_bound, 2),
            figure(law.missing_mass, 2),
            within(&law.mean_bounds, 7),
            within(&law.variance_bounds, 6),
            within(&law.skewness_bounds, 4),
            within(&law.excess_kurtosis_bounds, 4),
            law.method
        ),
        quantiles: law
            .quantiles
            .iter()
            .map(|quantile| {
                [
                    level(quantile.p),
                    grouped(&quantile.meter.to_string()),
                    grouped(&quantile.lower.to_string()),
                    quantile.upper.map_or_else(
                        || "not known".to_owned(),
                        |upper| grouped(&upper.to_string()),
                    ),
                ]
            })
            .collect(),
        exceedance: law
            .exceedance
            .iter()
            .map(|entry| {
                [
                    grouped(&entry.meter.to_string()),
                    figure(entry.one_in, 6),
                    known(entry.one_in_bounds.lower, 6),
                    known(entry.one_in_bounds.upper, 6),
                ]
            })
            .collect(),
        bands: law
            .acceptance_bands
            .iter()
            .map(|band| {
                [
                    grouped(&band.rounds),
                    level(band.level),
                    figure(band.lower_mean, 8),
                    figure(band.upper_mean, 8),
                    band.method.clone(),
                ]
            })
            .collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "shares shown to five digits")]
fn share(part: u128, whole: u128) -> f64 {
    part as f64 / whole as f64
}

fn whole(digits: &str) -> u128 {
    digits.parse().unwrap_or_default()
}

/// The number of spins, rare ones together.
pub(super) fn spins(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Vec<[String; 4]> {
    let played = u128::from(simulated.rounds);
    let seen: BTreeMap<u64, u128> = simulated
        .spins_histogram
        .iter()
        .map(|entry| (entry.spins, whole(&entry.rounds)))
        .collect();
    let row = |name: String, probability: f64, rounds: u128| {
        [
            name,
            format!("{probability:.4e}"),
            format!("{:.4e}", share(rounds, played)),
            grouped(&rounds.to_string()),
        ]
    };
    let (mut rows, mut last, mut beyond) = (Vec::new(), 0, exact.spins_tail.value);
    for entry in &exact.spins_distribution {
        let spins = u64::from(entry.spins);
        if entry.enclosure.value >= SPINS_ROW {
            last = last.max(spins);
            let rounds = seen.get(&spins).copied().unwrap_or_default();
            rows.push(row(spins.to_string(), entry.enclosure.value, rounds));
        } else {
            beyond += entry.enclosure.value;
        }
    }
    let rounds: u128 = seen.range(last + 1..).map(|(_, rounds)| rounds).sum();
    if beyond > 0.0 || rounds > 0 {
        rows.push(row(format!("{} or more", last + 1), beyond, rounds));
    }
    rows
}

/// By character and by source; the sum ends each.
pub(super) fn contributions(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Vec<[String; 4]> {
    let Some(contributions) = &exact.contributions else {
        return Vec::new();
    };
    let mean = exact.uncapped_mean_meter.enclosure;
    let detail = simulated.detail.as_ref();
    let counted = |sum: Option<&str>| match (sum, detail) {
        #[expect(clippy::cast_precision_loss, reason = "shown to seven digits")]
        (Some(sum), Some(detail)) => figure(
            sum.parse::<f64>().unwrap_or_default() / detail.rounds as f64,
            7,
        ),
        _ => NONE.to_owned(),
    };
    let row = |name: String, value: &EnclosureJson, simulated: String| {
        [
            name,
            enclosed(value, 10),
            percent(value.value / mean.value, 4),
            simulated,
        ]
    };
    let by_character = contributions.character.iter().map(|part| {
        let sum = detail.and_then(|detail| {
            let found = detail
                .character
                .iter()
                .find(|entry| entry.character == part.part)?;
            Some(found.sum_meter.as_str())
        });
        row(
            format!("hits of {}", part.part),
            &part.enclosure,
            counted(sum),
        )
    });
    let by_source = contributions.source.iter().map(|part| {
        let sum = detail.and_then(|detail| {
            let found = detail
                .source
                .iter()
                .find(|entry| entry.source == part.part)?;
            Some(found.sum.as_str())
        });
        row(format!("from {}", part.part), &part.enclosure, counted(sum))
    });
    let total = counted(
        detail
            .map(|_| simulated.sum_uncapped_meter.as_str())
            .filter(|_| detail.is_some_and(|detail| detail.rounds == simulated.rounds)),
    );
    let all = |name: &str| row(name.to_owned(), &mean, total.clone());
    by_character
        .chain([all("all characters")])
        .chain(by_source)
        .chain([all("all sources")])
        .collect()
}

/// A numeric check.
#[derive(Serialize)]
pub(super) struct CheckRow {
    name: String,
    hypothesis: String,
    evidence: String,
    statistic: String,
    p: String,
    adjusted: String,
    detectable: String,
    requirement: String,
    power: String,
    verdict: CheckVerdict,
}

/// Every check but the clauses, which have a table of their own.
pub(super) fn numeric(certificate: &Certificate) -> Vec<CheckRow> {
    let number = |value: Option<f64>, digits| {
        value.map_or_else(|| NONE.to_owned(), |value| figure(value, digits))
    };
    let p = |value: Option<f64>| value.map_or_else(|| NONE.to_owned(), p_value);
    certificate
        .checks
        .iter()
        .filter(|check| !check.id.starts_with("clause-"))
        .map(|check| CheckRow {
            name: match check.trigger {
                Some(trigger) => format!("{trigger} Wonderspins, {}", check.id),
                None => check.id.clone(),
            },
            hypothesis: check.hypothesis.clone(),
            evidence: check.evidence.clone(),
            statistic: number(check.statistic, 4),
            p: p(check.p_value),
            adjusted: p(check.p_value_adjusted),
            detectable: number(check.smallest_detectable, 2),
            requirement: number(check.requirement, 2),
            power: check.power.clone().unwrap_or_default(),
            verdict: check.verdict,
        })
        .collect()
}

/// A declared figure.
#[derive(Serialize)]
pub(super) struct DeclaredRow {
    trigger: String,
    figure: String,
    declared: String,
    exact: String,
    difference: String,
    guess: String,
    verdict: CheckVerdict,
}

pub(super) fn declared(certificate: &Certificate) -> Vec<DeclaredRow> {
    certificate
        .declared
        .iter()
        .map(|entry| DeclaredRow {
            trigger: entry.trigger.to_string(),
            figure: entry.figure.clone(),
            declared: entry.declared.clone(),
            exact: entry.exact.clone(),
            difference: entry
                .difference
                .map_or_else(|| NONE.to_owned(), |difference| figure(difference, 3)),
            guess: entry.guess.clone().unwrap_or_else(|| NONE.to_owned()),
            verdict: entry.verdict,
        })
        .collect()
}

/// Where the return of many wagers lies.
pub(super) fn bands(certificate: &Certificate) -> Vec<[String; 6]> {
    certificate
        .exact
        .rtp_bands
        .iter()
        .map(|band| {
            [
                band.trigger.to_string(),
                grouped(&band.plays.to_string()),
                level(band.level),
                percent(band.lower, 4),
                percent(band.upper, 4),
                band.method.clone(),
            ]
        })
        .collect()
}

/// A wheel in rows.
#[derive(Serialize)]
struct WheelTable {
    name: &'static str,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Both wheels.
#[derive(Serialize)]
pub(super) struct Wheels {
    note: String,
    wheels: Vec<WheelTable>,
}

pub(super) fn wheels(certificate: &Certificate) -> Wheels {
    let watched: Vec<String> = certificate
        .simulated
        .triggers
        .iter()
        .filter_map(|trigger| {
            let detail = trigger.detail.as_ref()?;
            Some(format!(
                "{} rounds of {} Wonderspins",
                grouped(&detail.rounds.to_string()),
                trigger.trigger
            ))
        })
        .collect();
    let counted = if watched.is_empty() {
        "No rounds of this run were watched spin by spin.".to_owned()
    } else {
        format!(
            "Draws of the first {}, all spins together; in brackets the distance from the probability in standard errors.",
            watched.join(" and the first ")
        )
    };
    let inner: fn(&SpinDrawsJson) -> &[String] = |spin| &spin.inner;
    let outer: fn(&SpinDrawsJson) -> &[String] = |spin| &spin.outer;
    Wheels {
        note: format!("Sections clockwise. {counted}"),
        wheels: vec![
            wheel("Inner wheel", &certificate.wheels.inner, certificate, inner),
            wheel("Outer wheel", &certificate.wheels.outer, certificate, outer),
        ],
    }
}

fn wheel(
    name: &'static str,
    sections: &[WheelSection],
    certificate: &Certificate,
    pick: fn(&SpinDrawsJson) -> &[String],
) -> WheelTable {
    let mut head: Vec<String> = ["Section", "Shows", "Weight", "Probability"]
        .map(str::to_owned)
        .into();
    let mut counts: Vec<Vec<u128>> = Vec::new();
    for trigger in &certificate.simulated.triggers {
        let Some(detail) = &trigger.detail else {
            continue;
        };
        head.push(format!("{} Wonderspins", trigger.trigger));
        let mut totals = vec![0; sections.len()];
        for spin in &detail.spins {
            for (total, count) in totals.iter_mut().zip(pick(spin)) {
                *total += whole(count);
            }
        }
        counts.push(totals);
    }
    let weights: u128 = sections
        .iter()
        .map(|section| u128::from(section.weight))
        .sum();
    let rows = sections
        .iter()
        .enumerate()
        .map(|(index, section)| {
            let p = share(u128::from(section.weight), weights);
            let mut row = vec![
                (index + 1).to_string(),
                section.shows.clone(),
                grouped(&section.weight.to_string()),
                format!("{p:.6}"),
            ];
            row.extend(counts.iter().map(|counts| {
                let (count, all): (u128, u128) = (counts[index], counts.iter().sum());
                let error = (p * (1.0 - p) * share(1, all.max(1))).sqrt();
                let distance = if error > 0.0 && all > 0 {
                    format!(" ({:+.2})", (share(count, all) - p) / error)
                } else {
                    String::new()
                };
                format!("{}{distance}", grouped(&count.to_string()))
            }));
            row
        })
        .collect();
    WheelTable { name, head, rows }
}

/// A limit of a profile.
#[derive(Serialize)]
struct LimitRow<'a> {
    name: String,
    limit: &'a str,
    source: String,
    verdict: &'a str,
    evidence: &'a str,
}

/// The profile that the paytable was held against.
#[derive(Serialize)]
pub(super) struct ProfileView<'a> {
    name: &'a str,
    title: &'a str,
    notes: &'a str,
    rows: Vec<LimitRow<'a>>,
    settings: Vec<[String; 4]>,
}

/// A profile with its limits and the settings that it can give.
pub(super) fn profile(profile: &CertificateProfile) -> ProfileView<'_> {
    let source = |citation: &str, status: &str| format!("{citation} ({status})");
    ProfileView {
        name: &profile.name,
        title: &profile.title,
        notes: profile.notes.trim(),
        rows: profile
            .rows
            .iter()
            .map(|row| LimitRow {
                name: row.name(),
                limit: row.limit.as_deref().unwrap_or("–"),
                source: source(&row.citation, &row.status),
                verdict: &row.verdict,
                evidence: &row.evidence,
            })
            .collect(),
        settings: profile
            .settings
            .iter()
            .map(|setting| {
                [
                    setting.key.clone(),
                    setting.value.clone(),
                    source(&setting.citation, &setting.status),
                    setting.from.clone(),
                ]
            })
            .collect(),
    }
}
