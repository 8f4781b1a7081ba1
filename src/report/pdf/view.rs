//! The data of the template: every number already text.

use serde::Serialize;

use super::super::format::{enclosed, enclosed_percent, figure, grouped, level};
use super::tables::{self, CheckRow, DeclaredRow, FigureRow, Law, ProfileView, Wheels};
use crate::document::{
    Assumption, Certificate, CertificateTrigger, CheckVerdict, ClauseJson, ExactTrigger,
    SimulateTrigger,
};

/// Digits of the hash at the top of a page.
const SHORT_HASH: usize = 16;

/// A figure of one trigger for the pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drawing {
    /// The trigger, 2 or 5.
    pub trigger: u32,
    /// A complete SVG document.
    pub svg: String,
    /// What it shows: its caption, and its text for screen readers.
    pub caption: String,
}

#[derive(Serialize)]
struct Hash<'a> {
    full: Option<&'a str>,
    short: Option<&'a str>,
}

/// A moment in time; PDF/A asks for one.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Date {
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
}

#[derive(Serialize)]
struct TriggerView<'a> {
    name: String,
    verdict: CheckVerdict,
    run: String,
    wager: String,
    figures: Vec<FigureRow>,
    parts: Vec<[String; 3]>,
    caps: Vec<[String; 6]>,
    law: Option<Law>,
    spins: Vec<[String; 4]>,
    contributions: Vec<[String; 4]>,
    drawings: Vec<&'a Drawing>,
}

/// A paragraph, and the command that it is about.
#[derive(Serialize)]
struct Instruction {
    text: String,
    command: Option<String>,
}

/// All that `report.typ` shows.
#[derive(Serialize)]
pub(super) struct View<'a> {
    title: String,
    language: &'static str,
    source: &'a str,
    tool: String,
    created: Option<&'a str>,
    date: Date,
    hash: Hash<'a>,
    verdict: CheckVerdict,
    verdict_text: String,
    statement: &'a str,
    assumptions: &'a [Assumption],
    notes: &'a str,
    level: String,
    triggers: Vec<TriggerView<'a>>,
    declared: Vec<DeclaredRow>,
    correction: String,
    numeric: Vec<CheckRow>,
    requirements: Vec<[String; 2]>,
    clauses: &'a [ClauseJson],
    profile: Option<ProfileView<'a>>,
    without_distribution: String,
    bands: Vec<[String; 6]>,
    wheels: Wheels,
    repeat: Vec<Instruction>,
    plan: Vec<(String, String)>,
    text: &'a str,
}

pub(super) fn view<'a>(certificate: &'a Certificate, drawings: &'a [Drawing]) -> View<'a> {
    let hash = Some(certificate.self_sha256.as_str()).filter(|digits| !digits.is_empty());
    let tests = certificate
        .checks
        .iter()
        .filter(|check| check.p_value.is_some())
        .count();
    View {
        title: format!("Wonderspins certificate: {}", certificate.paytable.name),
        language: "en",
        source: &certificate.paytable.source,
        tool: format!(
            "{} {} ({})",
            certificate.tool.name, certificate.tool.version, certificate.tool.commit
        ),
        created: certificate.created.as_deref(),
        date: date(certificate.created.as_deref()),
        hash: Hash {
            full: hash,
            short: hash.map(|digits| digits.get(..SHORT_HASH).unwrap_or(digits)),
        },
        verdict: certificate.verdict,
        verdict_text: verdict_text(certificate),
        statement: &certificate.statement,
        assumptions: &certificate.assumptions,
        notes: certificate.paytable.notes.trim(),
        level: level(certificate.plan.confidence_level),
        triggers: certificate
            .triggers
            .iter()
            .zip(
                certificate
                    .exact
                    .triggers
                    .iter()
                    .zip(&certificate.simulated.triggers),
            )
            .map(|(trigger, (exact, simulated))| {
                trigger_view(certificate, trigger, exact, simulated, drawings)
            })
            .collect(),
        declared: tables::declared(certificate),
        correction: format!(
            "Each line tests the simulation against the exact figure. {} over all {tests} tests keeps the chance that a right \
             paytable fails any of them at or below {}.",
            certificate.plan.correction,
            level(certificate.plan.alpha)
        ),
        numeric: tables::numeric(certificate),
        requirements: certificate
            .requirements
            .iter()
            .map(|row| [row.check.clone(), row.requirement.clone()])
            .collect(),
        clauses: &certificate.clauses,
        profile: certificate.profile.as_ref().map(tables::profile),
        without_distribution: certificate.exact.without_distribution.as_ref().map_or_else(
            || "The certificate holds no exact payout distribution.".to_owned(),
            |reason| format!("There is no exact payout distribution: {reason}."),
        ),
        bands: tables::bands(certificate),
        wheels: tables::wheels(certificate),
        repeat: repeat(certificate),
        plan: plan(certificate),
        text: certificate.paytable.text.trim_end(),
    }
}

fn verdict_text(certificate: &Certificate) -> String {
    let (passed, failed, open) = certificate.counts();
    let undecided = certificate
        .clauses
        .iter()
        .filter(|clause| clause.verdict == "inconclusive")
        .count();
    let mut text = format!("{passed} checks passed, {failed} failed, {open} could not decide");
    if undecided > 0 && !certificate.plan.strict {
        text.push_str(&format!(
            "; of these, {undecided} are clauses that the paytable file leaves undecided, which do not count against the verdict"
        ));
    }
    text.push('.');
    text
}

fn trigger_view<'a>(
    certificate: &Certificate,
    trigger: &CertificateTrigger,
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
    drawings: &'a [Drawing],
) -> TriggerView<'a> {
    TriggerView {
        name: format!("{} Wonderspins", trigger.trigger),
        verdict: trigger.verdict,
        run: format!(
            "{} rounds played, {} spins, largest meter {} in round {}; drift of the counter {} a spin.",
            grouped(&simulated.rounds.to_string()),
            grouped(&simulated.spins),
            grouped(&simulated.max_meter.to_string()),
            grouped(&simulated.max_round.to_string()),
            exact.drift_per_spin
        ),
        wager: format!(
            "For one unit wagered on {} Wonderspins: trigger probability {}; the return is gross, so a wager that comes back is \
             in it. House edge {}, volatility index {} at {} (z = {}).",
            trigger.trigger,
            exact.trigger_probability,
            enclosed_percent(&exact.house_edge, 6),
            enclosed(&exact.volatility_index.enclosure, 7),
            level(exact.volatility_index.level),
            figure(exact.volatility_index.z, 5)
        ),
        figures: tables::figures(certificate, exact, simulated),
        parts: tables::parts(exact),
        caps: tables::caps(exact),
        law: exact.distribution.as_ref().map(tables::law),
        spins: tables::spins(exact, simulated),
        contributions: tables::contributions(exact, simulated),
        drawings: drawings
            .iter()
            .filter(|drawing| drawing.trigger == trigger.trigger)
            .collect(),
    }
}

/// The certificate's time of creation, or the first second of 2000, since the clock must not
/// enter.
fn date(created: Option<&str>) -> Date {
    created.and_then(parse).unwrap_or(Date {
        year: 2000,
        month: 1,
        day: 1,
        hour: 0,
        minute: 0,
        second: 0,
    })
}

/// `2026-11-30T12:00:00Z`, as certificates have it.
fn parse(created: &str) -> Option<Date> {
    let (day, time) = created.trim_end_matches('Z').split_once('T')?;
    let mut day = day.splitn(3, '-');
    let mut time = time.split(':');
    Some(Date {
        year: day.next()?.parse().ok()?,
        month: day.next()?.parse().ok()?,
        day: day.next()?.parse().ok()?,
        hour: time.next()?.parse().ok()?,
        minute: time.next()?.parse().ok()?,
        second: time.next()?.split('.').next()?.parse().ok()?,
    })
}

fn repeat(certificate: &Certificate) -> Vec<Instruction> {
    let plan = &certificate.plan;
    let program = &certificate.tool.name;
    let mut options = format!("--rounds {} --seed {}", plan.rounds, plan.seed);
    if plan.generator.starts_with("chacha") {
        options.push_str(&format!(" --rng {}", plan.generator));
    }
    vec![
        Instruction {
            text: "To repeat the run, save the paytable at the end of this report as paytable.toml. The counts, the figures and \
                   the verdict come out the same on any number of threads."
                .to_owned(),
            command: Some(format!("{program} certify paytable.toml {options}")),
        },
        Instruction {
            text: format!(
                "To check a certificate that somebody else made (the file certificate.json and the file beside it) without trusting \
                 its author. The seed's origin is: {}.",
                plan.seed_origin
            ),
            command: Some(format!("{program} verify certificate.json")),
        },
        Instruction {
            text: "To write any report again from the certificate alone:".to_owned(),
            command: Some(format!("{program} report certificate.json --format pdf --output report.pdf")),
        },
    ]
}

/// What fixed the run, by name.
fn plan(certificate: &Certificate) -> Vec<(String, String)> {
    let plan = &certificate.plan;
    let mut rows = vec![
        (
            "Paytable SHA-256, canonical form".to_owned(),
            certificate.paytable.sha256.clone(),
        ),
        (
            "Paytable SHA-256, file".to_owned(),
            certificate.paytable.file_sha256.clone(),
        ),
        (
            "Seed".to_owned(),
            format!("{} ({})", plan.seed, plan.seed_origin),
        ),
        (
            "Rounds for each trigger".to_owned(),
            grouped(&plan.rounds.to_string()),
        ),
        (
            "Rounds of a batch".to_owned(),
            grouped(&plan.batch_rounds.to_string()),
        ),
        ("Generator".to_owned(), plan.generator.clone()),
        (
            "Specification of streams".to_owned(),
            format!("version {}", plan.engine_specification),
        ),
    ];
    for trigger in &certificate.simulated.triggers {
        rows.push((
            format!("Digest, {} Wonderspins", trigger.trigger),
            trigger.digest.clone(),
        ));
    }
    for commitment in &certificate.commitments {
        rows.push((
            format!(
                "Root of {} leaves, {} Wonderspins",
                grouped(&commitment.leaves.to_string()),
                commitment.trigger
            ),
            commitment.root.clone(),
        ));
    }
    if let Some(file) = &certificate.side_file {
        rows.push((
            format!("{}, {} bytes", file.name, grouped(&file.bytes.to_string())),
            file.sha256.clone(),
        ));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_is_the_certificates_or_fixed() {
        let made = date(Some("2026-11-30T12:34:56Z"));
        assert_eq!((made.year, made.month, made.day), (2026, 11, 30));
        assert_eq!((made.hour, made.minute, made.second), (12, 34, 56));
        let fixed = date(None);
        assert_eq!((fixed.year, fixed.month, fixed.day), (2000, 1, 1));
        assert_eq!(date(Some("yesterday")), fixed);
    }
}
