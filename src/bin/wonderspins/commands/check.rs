//! `check`: the file against the regulation, clause by clause.

use wonderspins::document::{CheckDocument, CheckVerdict, to_json};
use wonderspins::regulation::{self, ClauseVerdict};
use wonderspins::{exact, verify};

use super::{csv_text, explain, load, print};
use crate::args::{Check, Format};
use crate::exit::ExitStatus;
use crate::{message, table};

pub(crate) fn run(args: &Check, quiet: bool) -> anyhow::Result<ExitStatus> {
    if let Some(citation) = &args.explain {
        return explain::run(citation, args.format);
    }
    let file = load(&args.paytable.paytable)?;
    // Where the exact figures are out of reach, 5319.47(a)(8) stays inconclusive and the
    // other clauses are decided all the same.
    let splits = match exact::solve_all(&file.paytable) {
        Ok(exact) => verify::return_splits(&exact),
        Err(error) => {
            message::note(quiet, &error.to_string());
            Vec::new()
        }
    };
    let findings = regulation::judge_with(&file.paytable, &splits);
    let document = CheckDocument::new(&file, &findings);
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv_text(
            &["clause", "kind", "verdict", "asks", "evidence"],
            document.clauses.iter().map(|clause| {
                [
                    &clause.clause,
                    &clause.kind,
                    &clause.verdict,
                    &clause.asks,
                    &clause.evidence,
                ]
                .map(Clone::clone)
            }),
        )?)?,
        Format::Text => print(&text(&document))?,
    }
    let has = |verdict| findings.iter().any(|finding| finding.verdict == verdict);
    Ok(
        if has(ClauseVerdict::Fail) || (args.strict && has(ClauseVerdict::Inconclusive)) {
            ExitStatus::CheckFailed
        } else {
            ExitStatus::Success
        },
    )
}

fn text(document: &CheckDocument) -> String {
    let mut text = super::heading(&document.paytable);
    text.push('\n');
    let mut table = table::plain(&["CLAUSE", "VERDICT", "EVIDENCE"]);
    for clause in &document.clauses {
        table.add_row([&clause.clause, &clause.verdict, &clause.evidence]);
    }
    text.push_str(&table::render(&table));
    let count = |verdict: &str| {
        document
            .clauses
            .iter()
            .filter(|clause| clause.verdict == verdict)
            .count()
    };
    text.push_str(&format!(
        "\n{} pass, {} fail, {} inconclusive, {} not applicable\nverdict: {}\n",
        count("pass"),
        count(CheckVerdict::Fail.word()),
        count("inconclusive"),
        count("not-applicable"),
        document.verdict
    ));
    text
}
