//! How to repeat the run and to verify the file.

use serde::Serialize;

use crate::document::Certificate;
use crate::report::format::{grouped, level};

/// The generator that `certify` uses unless it is told otherwise.
const USUAL_GENERATOR: &str = "xoshiro256++";
/// Its usual confidence level and family-wise error rate.
const USUAL_LEVEL: f64 = 0.99;
const USUAL_ALPHA: f64 = 0.01;

/// What a reader needs.
#[derive(Serialize)]
pub(super) struct Repeat {
    plan: Vec<[String; 2]>,
    seed_meaning: String,
    commitments: Vec<[String; 2]>,
    certify: String,
    has_leaves: bool,
}

/// The plan, the commitments and the command lines.
pub(super) fn repeat(certificate: &Certificate) -> Repeat {
    let plan = &certificate.plan;
    let row = |name: &str, value: String| [name.to_owned(), value];
    let mut rows = vec![
        row(
            "Paytable, SHA-256 of the canonical form",
            certificate.paytable.sha256.clone(),
        ),
        row(
            "Paytable, SHA-256 of the file",
            certificate.paytable.file_sha256.clone(),
        ),
        row("Seed", plan.seed.clone()),
        row("Origin of the seed", plan.seed_origin.clone()),
        row("Rounds for each trigger", grouped(&plan.rounds.to_string())),
        row("Rounds of a batch", grouped(&plan.batch_rounds.to_string())),
        row("Generator", plan.generator.clone()),
        row(
            "Specification of streams",
            format!("version {}", plan.engine_specification),
        ),
        row(
            "Confidence level of the intervals",
            level(plan.confidence_level),
        ),
        row("Family-wise error rate", level(plan.alpha)),
    ];
    for trigger in &certificate.simulated.triggers {
        rows.push([
            format!("Digest of the results, {} Wonderspins", trigger.trigger),
            trigger.digest.clone(),
        ]);
    }
    let mut commitments = Vec::new();
    for entry in &certificate.commitments {
        commitments.push([
            format!("Root of the leaves, {} Wonderspins", entry.trigger),
            entry.root.clone(),
        ]);
        commitments.push([
            format!("Leaves, {} Wonderspins", entry.trigger),
            format!(
                "{} of {} rounds",
                grouped(&entry.leaves.to_string()),
                grouped(&entry.leaf_rounds.to_string())
            ),
        ]);
    }
    if let Some(file) = &certificate.side_file {
        commitments.push(row(
            "File of the leaves",
            format!("{}, {} bytes", file.name, grouped(&file.bytes.to_string())),
        ));
        commitments.push(row("File of the leaves, SHA-256", file.sha256.clone()));
    }
    if !certificate.self_sha256.is_empty() {
        commitments.push(row(
            "Certificate, SHA-256 with this value's digits as zeros",
            certificate.self_sha256.clone(),
        ));
    }
    Repeat {
        plan: rows,
        seed_meaning: seed_meaning(&plan.seed_origin),
        commitments,
        certify: certify(certificate),
        has_leaves: certificate.side_file.is_some(),
    }
}

/// What the origin of a seed says about who could choose it.
fn seed_meaning(origin: &str) -> String {
    match origin.split_once(':') {
        Some(("derived", label)) => format!(
            "The seed is a hash of what decides the mathematics and of the label \"{label}\". Where the laboratory fixed the \
             label, the author of the paytable had nothing to choose; where the author did, several labels could have been tried."
        ),
        _ if origin == "derived" => "The seed is a hash of what decides the mathematics, so whoever ran the program could not choose it. \
             An author who can choose among paytables that differ a little could still choose among their seeds; \
             only a label that the laboratory fixes (`--seed derived:LABEL`) prevents that."
            .to_owned(),
        _ if origin == "drawn" => "The program drew the seed from the operating system. A reader cannot tell whether it was drawn \
             once or several times."
            .to_owned(),
        _ => "Whoever ran the program chose the seed, and may have tried several. A seed that the author of a paytable cannot \
             choose comes from `--seed derived:LABEL` with a label that the laboratory fixes."
            .to_owned(),
    }
}

/// The command line that writes this certificate again.
fn certify(certificate: &Certificate) -> String {
    let plan = &certificate.plan;
    let mut line = String::new();
    if let Some(created) = &certificate.created {
        line.push_str(&format!("SOURCE_DATE_EPOCH=$(date -d {created} +%s) "));
    }
    line.push_str(&format!(
        "wonderspins certify paytable.toml --rounds {}",
        plan.rounds
    ));
    let seed = if plan.seed_origin.starts_with("derived") {
        &plan.seed_origin
    } else {
        &plan.seed
    };
    line.push_str(&format!(" --seed {}", quoted(seed)));
    if let [trigger] = certificate.triggers.as_slice() {
        line.push_str(&format!(" --trigger {}", trigger.trigger));
    }
    if plan.generator != USUAL_GENERATOR {
        line.push_str(&format!(" --rng {}", quoted(&plan.generator)));
    }
    if plan.confidence_level.total_cmp(&USUAL_LEVEL).is_ne() {
        line.push_str(&format!(" --level {}", plan.confidence_level));
    }
    if plan.alpha.total_cmp(&USUAL_ALPHA).is_ne() {
        line.push_str(&format!(" --alpha {}", plan.alpha));
    }
    if plan.strict {
        line.push_str(" --strict");
    }
    line
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.:/+=".contains(letter);
    if word.chars().all(is_plain) && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("derived:lab-7"), "derived:lab-7");
        assert_eq!(quoted("derived:it's 7"), "'derived:it'\\''s 7'");
    }

    #[test]
    fn every_origin_says_what_it_means() {
        assert!(seed_meaning("given").contains("may have tried several"));
        assert!(seed_meaning("drawn").contains("operating system"));
        assert!(seed_meaning("derived").contains("could not choose"));
        assert!(seed_meaning("derived:x").contains("label \"x\""));
    }
}
