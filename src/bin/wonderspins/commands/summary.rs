//! A certificate at a glance, for a terminal of 80 columns.

use std::path::Path;

use wonderspins::document::{Certificate, Check, CheckVerdict, ExactTrigger, SimulateTrigger};
use wonderspins::report::format::{enclosed, figure, grouped, level, p_value};

use crate::table;

/// The summary of a certificate that was written to the folder `out`.
pub(super) fn text(certificate: &Certificate, out: &Path) -> String {
    let mut text = format!(
        "{}\npaytable {}  seed {} ({}){}\n",
        textwrap::fill(
            &format!("Wonderspins certificate: {}", certificate.paytable.name),
            80
        ),
        &certificate.paytable.sha256[..16],
        certificate.plan.seed,
        certificate.plan.seed_origin,
        super::generator_note(&certificate.plan.generator)
    );
    for (exact, simulated) in certificate
        .exact
        .triggers
        .iter()
        .zip(&certificate.simulated.triggers)
    {
        text.push_str(&figures(certificate, exact, simulated));
    }
    text.push_str(
        "\nRTP is gross: all that is paid back for each unit wagered.\n\
         A check sees a deviation of that size, in its own unit, with probability 0.8.\n",
    );
    for missing in [
        &certificate.exact.without_distribution,
        &certificate.simulated.without_detail,
    ]
    .into_iter()
    .flatten()
    {
        text.push_str(&entry(missing));
    }
    text.push_str("Open points of the text, as read:\n");
    for assumption in &certificate.assumptions {
        text.push_str(&entry(&assumption.reading));
    }
    text.push_str(&profile(certificate));
    text.push_str(&checks(certificate));
    text.push_str(&format!(
        "family-wise error rate {}, {}\n\nverdict: {}\nwritten to {}\n",
        level(certificate.plan.alpha),
        certificate.plan.correction,
        certificate.verdict.word().to_uppercase(),
        out.display()
    ));
    text
}

fn figures(certificate: &Certificate, exact: &ExactTrigger, simulated: &SimulateTrigger) -> String {
    let check = |id: &str| {
        certificate
            .checks
            .iter()
            .find(|check| check.trigger == Some(exact.trigger) && check.id == id)
    };
    let z = |id: &str| {
        check(id)
            .and_then(|check| check.statistic)
            .map_or_else(String::new, |value| format!("z {value:+.2}"))
    };
    let p = |id: &str| {
        check(id)
            .and_then(|check| check.p_value)
            .map_or_else(String::new, |value| format!("p {}", p_value(value)))
    };
    let rows = [
        (
            "mean meter",
            exact.mean_meter.enclosure,
            &simulated.mean_meter,
            z("mean-meter"),
        ),
        (
            "variance",
            exact.variance_meter.enclosure,
            &simulated.variance_meter,
            z("variance-meter"),
        ),
        (
            "hit frequency",
            exact.hit_frequency.enclosure,
            &simulated.hit_frequency,
            p("hit-frequency"),
        ),
        (
            "mean spins",
            exact.mean_spins.enclosure,
            &simulated.mean_spins,
            z("mean-spins"),
        ),
        (
            "RTP given the trigger",
            exact.rtp_conditional,
            &simulated.rtp_conditional,
            String::new(),
        ),
        ("overall RTP", exact.rtp, &simulated.rtp, String::new()),
    ];
    let mut table = table::numbers(&["", "exact", "simulated", "std error", "z or p"]);
    for (name, value, estimate, test) in rows {
        table.add_row([
            name.to_owned(),
            enclosed(&value, 10),
            figure(estimate.estimate, 7),
            figure(estimate.std_error, 2),
            test,
        ]);
    }
    format!(
        "\n{} Wonderspins, {} rounds\n{}{}",
        exact.trigger,
        grouped(&simulated.rounds.to_string()),
        table::render(&table),
        tests(certificate, exact.trigger)
    )
}

/// The numeric checks of a trigger: p-value alone and corrected, the smallest deviation that
/// would have been seen, and the one that must be.
fn tests(certificate: &Certificate, trigger: u32) -> String {
    let mut table = table::numbers(&["check", "p", "corrected", "sees", "must see", "verdict"]);
    let shown =
        |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(|| "-".to_owned(), text);
    let small = |value: f64| figure(value, 2);
    for check in &certificate.checks {
        // Clauses and declared figures involve no chance.
        if check.trigger != Some(trigger) || check.requirement.is_none() {
            continue;
        }
        table.add_row([
            check.id.clone(),
            shown(check.p_value, p_value),
            shown(check.p_value_adjusted, p_value),
            shown(check.smallest_detectable, small),
            shown(check.requirement, small),
            check.verdict.word().to_owned(),
        ]);
    }
    format!("\n{}", table::render(&table))
}

/// The limits of a profile and the settings that it can give, where there is one.
fn profile(certificate: &Certificate) -> String {
    let Some(profile) = &certificate.profile else {
        return String::new();
    };
    let title = format!("Profile {}: {}", profile.name, profile.title);
    let mut text = format!("\n{}\n", textwrap::fill(&title, 80));
    for row in &profile.rows {
        let limit = row.limit.as_deref().unwrap_or("no source found");
        text.push_str(&entry(&format!(
            "{}: {limit} ({}): {}",
            row.name(),
            row.citation,
            row.verdict
        )));
    }
    for setting in &profile.settings {
        text.push_str(&entry(&format!(
            "{} {}, from: {}",
            setting.key, setting.value, setting.from
        )));
    }
    text
}

/// The counts, and every check that did not pass: in full, or by name where a clause only
/// waits for a declaration.
fn checks(certificate: &Certificate) -> String {
    let (passed, failed, open) = certificate.counts();
    let mut text = format!("\n{passed} checks passed, {failed} failed, {open} inconclusive\n");
    let waits = |check: &Check| {
        check.verdict == CheckVerdict::Inconclusive
            && check.id.starts_with("clause-")
            && !certificate.plan.strict
    };
    let waiting: Vec<&str> = certificate
        .checks
        .iter()
        .filter(|check| waits(check))
        .map(|check| check.clause.as_str())
        .collect();
    if !waiting.is_empty() {
        text.push_str(&entry(&format!(
            "not decided and not counted without --strict (see `check`): {}",
            waiting.join(", ")
        )));
    }
    for check in &certificate.checks {
        if check.verdict == CheckVerdict::Pass || waits(check) {
            continue;
        }
        let trigger = check
            .trigger
            .map_or_else(String::new, |trigger| format!(", {trigger} Wonderspins"));
        text.push_str(&entry(&format!(
            "{}: {}{trigger}: {}",
            check.verdict, check.id, check.evidence
        )));
    }
    text
}

/// A list entry, wrapped at 80 columns with a hanging indent.
fn entry(text: &str) -> String {
    let options = textwrap::Options::new(80)
        .initial_indent("  - ")
        .subsequent_indent("    ");
    format!("{}\n", textwrap::fill(text, options))
}
