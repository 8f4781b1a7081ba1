//! `verify`: a third party's check of somebody's certificate.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use wonderspins::commitment::Challenge;
use wonderspins::document::{CheckVerdict, RecheckDocument, RecheckFinding, to_json};
use wonderspins::paytable::hex;
use wonderspins::recheck::{self, RecheckOptions};
use wonderspins::report::format::{grouped, p_value, percent};

use super::{print, signature};
use crate::args::{DataFormat, Verify};
use crate::config;
use crate::exit::ExitStatus;
use crate::message;

pub(crate) fn run(args: &Verify, quiet: bool) -> anyhow::Result<ExitStatus> {
    let path = &args.certificate;
    let failed = || format!("the certificate `{}` cannot be checked", path.display());
    let bytes = fs::read(path).with_context(failed)?;
    // A wrong key must not cost a minute.
    let key = args
        .trust
        .as_deref()
        .map(signature::trusted_key)
        .transpose()?;
    let certificate = recheck::read(&bytes).with_context(failed)?;
    let side_file = match (&args.side_file, &certificate.side_file) {
        (Some(side_file), _) => read(side_file),
        (None, Some(named)) => beside(path, &named.name).and_then(|path| read(&path)),
        (None, None) => Ok(Vec::new()),
    };
    let challenge = match &args.challenge {
        Some(seed) => (Challenge::new(seed), false),
        None => (Challenge::new(&hex(&config::random_bytes::<16>()?)), true),
    };
    let progress = |place, count| {
        if place == 1 {
            message::note(quiet, &format!("playing {count} pieces of the runs again"));
        }
    };
    let options = RecheckOptions {
        challenge,
        leaves: args.leaves,
        progress: &progress,
    };
    let side_file = side_file.as_deref().map_err(String::as_str);
    let mut document =
        recheck::recheck(&certificate, &bytes, side_file, &options).with_context(failed)?;
    if let Some(key) = key {
        let signature_path = args.signature.clone().unwrap_or_else(|| {
            let mut name = path.clone().into_os_string();
            name.push(".minisig");
            name.into()
        });
        let (verdict, evidence) = match signature::check(&key, &signature_path, &bytes) {
            Ok(evidence) => (CheckVerdict::Pass, evidence),
            Err(evidence) => (CheckVerdict::Fail, evidence),
        };
        document.verdict = document.verdict.and(verdict);
        document.findings.push(RecheckFinding {
            id: "signature".to_owned(),
            verdict,
            evidence,
        });
    }
    match args.format {
        DataFormat::Json => print(&to_json(&document))?,
        DataFormat::Text => print(&text(&document))?,
    }
    Ok(match document.verdict {
        CheckVerdict::Pass => ExitStatus::Success,
        CheckVerdict::Fail | CheckVerdict::Inconclusive => ExitStatus::CheckFailed,
    })
}

/// The file that a certificate names, in its own folder and nowhere else.
fn beside(certificate: &Path, name: &str) -> Result<PathBuf, String> {
    if Path::new(name)
        .file_name()
        .is_none_or(|plain| plain != name)
    {
        return Err(format!(
            "the certificate names `{name}`, which is no plain file name"
        ));
    }
    Ok(certificate.with_file_name(name))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
}

fn text(document: &RecheckDocument) -> String {
    let mut text = format!(
        "{}\nself_sha256 {}\n\n",
        textwrap::fill(&format!("Certificate of {}", document.name), 80),
        document.certificate_sha256
    );
    for finding in &document.findings {
        let options = textwrap::Options::new(80)
            .initial_indent("    ")
            .subsequent_indent("    ");
        text.push_str(&format!(
            "{:<12}  {}\n{}\n",
            finding.verdict,
            finding.id,
            textwrap::fill(&finding.evidence, options)
        ));
    }
    let wrapped = |line: &str| textwrap::fill(line, 80) + "\n";
    text.push('\n');
    text.push_str(&wrapped(&format!(
        "Seed of the runs: {}; {}.",
        document.seed_origin, document.seed_meaning
    )));
    if let Some(challenge) = &document.challenge {
        text.push_str(&wrapped(&format!(
            "Challenge {} ({}): {} of {} pieces were played again.",
            challenge.seed,
            challenge.origin,
            grouped(&challenge.played.to_string()),
            grouped(&challenge.leaves.to_string())
        )));
        if challenge.played < challenge.leaves {
            let odds: Vec<String> = challenge
                .escape
                .iter()
                .map(|escape| {
                    format!(
                        "{} of them: {}",
                        percent(escape.altered, 1),
                        p_value(escape.probability)
                    )
                })
                .collect();
            text.push_str(&wrapped(&format!(
                "Chance that this misses an author who altered {}.",
                odds.join(", ")
            )));
        }
    }
    text.push_str(&format!(
        "The certificate's own verdict: {}\n\nverified: {}\n",
        document.certified_verdict,
        match document.verdict {
            CheckVerdict::Pass => "YES",
            CheckVerdict::Fail => "NO",
            CheckVerdict::Inconclusive => "NOT DECIDED",
        }
    ));
    text
}
