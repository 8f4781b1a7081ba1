//! `check`: the file against the regulation, clause by clause.

use wonderspins::document::{
    CheckDocument, CheckVerdict, ClauseJson, ProfileJson, ProfileRowJson, to_json,
};
use wonderspins::exact::distribution::{DistributionError, DistributionOptions, distributions};
use wonderspins::exact::{self, Exact};
use wonderspins::paytable::Paytable;
use wonderspins::regulation::{
    self, ClauseFinding, ClauseVerdict, Evidence, Payouts, ProfileFinding,
};
use wonderspins::verify::{self, Asked, Settings};

use super::{csv_text, explain, load, load_profile, print};
use crate::args::{Check, Format};
use crate::exit::ExitStatus;
use crate::{message, table};

/// Total variation that rare payouts are first computed with: a tenth of the work of the
/// default, and enough for the verdict wherever no award is near the limit.
const COARSE: f64 = 1e-2;

pub(crate) fn run(args: &Check, quiet: bool) -> anyhow::Result<ExitStatus> {
    if let Some(citation) = &args.explain {
        return explain::run(citation, args.format);
    }
    let file = load(&args.paytable.paytable)?;
    let profile = load_profile(&args.limits)?;
    let asked = Asked {
        award_limit: args.limits.award_limit,
        ..Asked::default()
    };
    let settings = Settings::new(profile.as_ref().map(|file| &file.profile), asked);
    let award_limit = settings.award_limit.value;
    let evidence = evidence(&file.paytable, award_limit, args.no_odds, quiet)?;
    let findings = regulation::judge_with(&file.paytable, &evidence);
    let mut document = CheckDocument::new(&file, &findings);
    let of_profile = profile
        .as_ref()
        .map_or_else(Vec::new, |profile| profile.judge(&file.paytable, &evidence));
    document.profile = profile
        .as_ref()
        .map(|profile| ProfileJson::new(profile, &of_profile));
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv_text(
            &["clause", "kind", "verdict", "asks", "evidence"],
            document
                .clauses
                .iter()
                .map(clause_row)
                .chain(document.profile.iter().flat_map(profile_rows)),
        )?)?,
        Format::Text => print(&text(&document, &file.paytable))?,
    }
    Ok(if counts_against(args.strict, &findings, &of_profile) {
        ExitStatus::CheckFailed
    } else {
        ExitStatus::Success
    })
}

/// Whether anything failed, or was not decided where that counts: a clause under `--strict`, a
/// limit of a profile unless it waits for a declaration.
fn counts_against(strict: bool, findings: &[ClauseFinding], of_profile: &[ProfileFinding]) -> bool {
    let clauses = findings.iter().map(|finding| (finding.verdict, true));
    let limits = of_profile
        .iter()
        .map(|finding| (finding.verdict, finding.waits));
    clauses.chain(limits).any(|(verdict, waits)| match verdict {
        ClauseVerdict::Fail => true,
        ClauseVerdict::Inconclusive => strict || !waits,
        ClauseVerdict::Pass | ClauseVerdict::NotApplicable => false,
    })
}

fn clause_row(clause: &ClauseJson) -> [String; 5] {
    [
        &clause.clause,
        &clause.kind,
        &clause.verdict,
        &clause.asks,
        &clause.evidence,
    ]
    .map(Clone::clone)
}

/// The limits of a profile in the columns of clauses.
fn profile_rows(profile: &ProfileJson) -> impl Iterator<Item = [String; 5]> {
    profile.rows.iter().map(|row| {
        [
            row.citation.clone(),
            "computed".to_owned(),
            row.verdict.clone(),
            limit_name(row),
            row.evidence.clone(),
        ]
    })
}

/// A limit with its trigger and value.
fn limit_name(row: &ProfileRowJson) -> String {
    let trigger = row
        .trigger
        .map_or_else(String::new, |trigger| format!(" of trigger {trigger}"));
    let limit = row.limit.as_deref().unwrap_or("none found");
    format!("{}{trigger}: {limit} ({})", row.id, row.status)
}

/// What the exact side gives. Where its figures are out of reach, what rests on them stays
/// inconclusive and the other clauses are decided all the same.
fn evidence(
    paytable: &Paytable,
    award_limit: u64,
    no_odds: bool,
    quiet: bool,
) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence {
        award_limit,
        ..Evidence::default()
    };
    let exact = match exact::solve_all(paytable) {
        Ok(exact) => exact,
        Err(error) => {
            message::note(quiet, &error.to_string());
            evidence.payouts = Payouts::NotComputed(error.to_string());
            return Ok(evidence);
        }
    };
    evidence.splits = verify::return_splits(paytable, &exact);
    if no_odds {
        evidence.payouts =
            Payouts::NotComputed("`--no-odds` leaves the payout distribution out".to_owned());
        return Ok(evidence);
    }
    message::note(
        quiet,
        "computing the payout distribution, which takes some seconds (`--no-odds` leaves it out)",
    );
    evidence.payouts = payouts(paytable, &exact, Some(COARSE))?;
    let is_known = matches!(evidence.payouts, Payouts::Known(_));
    if !is_known || regulation::award_is_open(paytable, &evidence) {
        message::note(
            quiet,
            "computing it more sharply, for the odds of the award",
        );
        evidence.payouts = payouts(paytable, &exact, None)?;
    }
    Ok(evidence)
}

fn payouts(
    paytable: &Paytable,
    exact: &[Exact],
    tolerance: Option<f64>,
) -> Result<Payouts, DistributionError> {
    let options = DistributionOptions {
        tolerance,
        ..DistributionOptions::default()
    };
    match distributions(paytable, exact, &options) {
        Err(fault @ DistributionError::Contradiction { .. }) => Err(fault),
        found => Ok(verify::rare_payouts(paytable, found.as_deref())),
    }
}

/// The texts with the start of their citations.
const TEXTS: [(&str, &str); 2] = [
    ("58 Pa. Code 693.6", "693.6("),
    ("9 NYCRR 5319.47", "5319.47("),
];

fn text(document: &CheckDocument, paytable: &Paytable) -> String {
    let mut text = super::heading(&document.paytable);
    for (name, start) in TEXTS {
        let clauses: Vec<&ClauseJson> = document
            .clauses
            .iter()
            .filter(|clause| clause.clause.starts_with(start))
            .collect();
        text.push_str(&format!("\n{name}\n"));
        // A text that does not concern the file has one reason, not one for each clause.
        if let Some(reason) = one_reason(&clauses) {
            text.push_str(&item(&format!("not applicable: {reason}")));
            continue;
        }
        let mut table = table::plain(&["CLAUSE", "VERDICT", "EVIDENCE"]);
        for clause in &clauses {
            table.add_row([&clause.clause, &clause.verdict, &clause.evidence]);
        }
        text.push_str(&table::render(&table));
    }
    if let Some(profile) = &document.profile {
        text.push_str(&format!(
            "\n{}\nsha256 {}\n",
            textwrap::fill(&format!("Profile {}: {}", profile.name, profile.title), 80),
            profile.sha256
        ));
        let mut table = table::plain(&["LIMIT", "VERDICT", "EVIDENCE"]);
        for row in &profile.rows {
            let evidence = format!("{}; {}", row.evidence, row.citation);
            table.add_row([&limit_name(row), &row.verdict, &evidence]);
        }
        text.push_str(&table::render(&table));
    }
    text.push_str(&summary(document, paytable));
    text
}

/// The reason why no clause of a text applies, where it is the same for all.
fn one_reason<'a>(clauses: &[&'a ClauseJson]) -> Option<&'a str> {
    let first = clauses.first()?;
    let same = clauses
        .iter()
        .all(|clause| clause.verdict == "not-applicable" && clause.evidence == first.evidence);
    same.then_some(first.evidence.as_str())
}

/// What a reader takes away: what was decided, on which readings, and what is missing.
fn summary(document: &CheckDocument, paytable: &Paytable) -> String {
    let count = |verdict: &str| {
        document
            .clauses
            .iter()
            .filter(|clause| clause.verdict == verdict)
            .count()
    };
    let fail = CheckVerdict::Fail.word();
    let mut text = format!(
        "\n{} pass, {} fail, {} inconclusive, {} not applicable\n",
        count("pass"),
        count(fail),
        count("inconclusive"),
        count("not-applicable"),
    );
    let failed = document
        .clauses
        .iter()
        .filter(|clause| clause.verdict == fail)
        .map(|clause| format!("{}: {}", clause.clause, clause.evidence));
    list(&mut text, "Failed:", failed);
    if paytable.cites_693_6() {
        let readings = verify::assumptions(paytable)
            .into_iter()
            .map(|assumption| format!("{}: {}", assumption.clause, assumption.reading));
        list(
            &mut text,
            "Read so, where the text is open (every figure depends on it):",
            readings,
        );
    }
    let to_do = document
        .to_do
        .iter()
        .map(|entry| format!("{}: {}", entry.clauses.join(", "), entry.what));
    list(&mut text, "To do for the submitter:", to_do);
    text.push_str(&format!(
        "\nverdict: {}\n`check --explain CLAUSE` says how a clause is decided\n",
        document.verdict
    ));
    text
}

/// A heading with its entries, or nothing without one.
fn list(text: &mut String, heading: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<String> = entries.map(|entry| item(&entry)).collect();
    if !entries.is_empty() {
        text.push_str(&format!("\n{heading}\n{}", entries.concat()));
    }
}

/// A list entry, wrapped at 80 columns with a hanging indent.
fn item(text: &str) -> String {
    let options = textwrap::Options::new(80)
        .initial_indent("  - ")
        .subsequent_indent("    ");
    format!("{}\n", textwrap::fill(text, options))
}
