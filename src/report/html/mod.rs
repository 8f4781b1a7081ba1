//! `report.html`: one file, no script, no network.
//!
//! | file | makes ready |
//! | --- | --- |
//! | `figures` | the figures of a trigger: exact, simulated, declared |
//! | `judgements` | checks, requirements, declared figures, clauses |
//! | `repeat` | how to repeat the run and verify the file |
//!
//! Every number is text before the template sees it; a template for each section stands in
//! `templates`.

mod figures;
mod judgements;
mod repeat;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use super::format::level;
use super::{ReportError, ReportFile, ReportWriter};
use crate::document::{Assumption, Certificate, CheckVerdict};

use figures::TriggerView;
use judgements::{CheckGroup, ClauseRow, DeclaredRow, Open, ProfileView};
use repeat::Repeat;

/// A part of the page.
macro_rules! template {
    ($name:literal) => {
        ($name, include_str!(concat!("../templates/", $name)))
    };
}

const TEMPLATES: [(&str, &str); 11] = [
    template!("report.html"),
    template!("style.css"),
    template!("verdict.html"),
    template!("assumed.html"),
    template!("figures.html"),
    template!("declared.html"),
    template!("checks.html"),
    template!("clauses.html"),
    template!("profile.html"),
    template!("plots.html"),
    template!("repeat.html"),
];

pub(super) struct Html;

impl ReportWriter for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn write(&self, certificate: &Certificate) -> Result<Vec<ReportFile>, ReportError> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        for (name, source) in TEMPLATES {
            environment.add_template(name, source)?;
        }
        let page = environment
            .get_template("report.html")?
            .render(Serde(page(certificate)?))?;
        Ok(vec![ReportFile {
            name: "report.html".to_owned(),
            bytes: page.into_bytes(),
        }])
    }
}

/// Everything that the templates show, already formatted.
#[derive(Serialize)]
struct Page<'a> {
    title: String,
    source: &'a str,
    tool: String,
    created: Option<&'a str>,
    verdict: CheckVerdict,
    verdict_text: String,
    statement: &'a str,
    open: Vec<Open<'a>>,
    assumptions: &'a [Assumption],
    notes: &'a str,
    level: String,
    triggers: Vec<TriggerView<'a>>,
    without_distribution: Option<&'a str>,
    declared: Vec<DeclaredRow<'a>>,
    correction: String,
    checks: Vec<CheckGroup<'a>>,
    requirements: Vec<[&'a str; 2]>,
    clauses: Vec<ClauseRow<'a>>,
    profile: Option<ProfileView<'a>>,
    repeat: Repeat,
    text: &'a str,
}

fn page(certificate: &Certificate) -> Result<Page<'_>, ReportError> {
    Ok(Page {
        title: format!("Wonderspins certificate: {}", certificate.paytable.name),
        source: &certificate.paytable.source,
        tool: format!(
            "{} {} ({})",
            certificate.tool.name, certificate.tool.version, certificate.tool.commit
        ),
        created: certificate.created.as_deref(),
        verdict: certificate.verdict,
        verdict_text: verdict_text(certificate),
        statement: &certificate.statement,
        open: judgements::open(certificate),
        assumptions: &certificate.assumptions,
        notes: &certificate.paytable.notes,
        level: level(certificate.plan.confidence_level),
        triggers: figures::triggers(certificate)?,
        without_distribution: certificate.exact.without_distribution.as_deref(),
        declared: judgements::declared(certificate),
        correction: judgements::correction(certificate),
        checks: judgements::checks(certificate),
        requirements: certificate
            .requirements
            .iter()
            .map(|entry| [entry.check.as_str(), entry.requirement.as_str()])
            .collect(),
        clauses: judgements::clauses(certificate),
        profile: judgements::profile(certificate),
        repeat: repeat::repeat(certificate),
        text: &certificate.paytable.text,
    })
}

fn verdict_text(certificate: &Certificate) -> String {
    let (passed, failed, open) = certificate.counts();
    let open_clauses = certificate
        .clauses
        .iter()
        .filter(|clause| clause.verdict == "inconclusive")
        .count();
    let mut text = format!("{passed} checks passed, {failed} failed, {open} could not decide");
    if open_clauses > 0 && !certificate.plan.strict {
        text.push_str(&format!(
            "; of these, {open_clauses} are clauses that the paytable file leaves undecided, which do not count against the verdict"
        ));
    }
    text.push('.');
    text
}
