//! Everything joined into a certificate.

use super::{
    Played, SimulatedFigures, VerifyError, assumptions, compare, cross_check, judge_all,
    requirement, simulate_trigger,
};
use crate::document::{
    Certificate, CertificatePaytable, CertificateTrigger, Check, CheckVerdict, ContributionsJson,
    DistributionJson, ExactSection, ExactTrigger, Plan, SimulatedSection, Tool, Wheels,
};
use crate::engine::{self, Generator, Seed, Simulation};
use crate::exact::distribution::{Distribution, DistributionError};
use crate::exact::{Exact, largest_meter};
use crate::paytable::PaytableFile;
use crate::regulation::{ClauseFinding, ClauseVerdict};

/// What every certificate says of itself.
const STATEMENT: &str = "This document reports what a program computed from the paytable below. It is not an \
    approval, and the program is not a licensed or accredited laboratory.";

/// Everything that a certificate is made from.
#[derive(Debug, Clone)]
pub struct CertificateParts<'a> {
    /// The paytable as it was read.
    pub file: &'a PaytableFile,
    /// The clauses with their findings.
    pub findings: &'a [ClauseFinding],
    /// Exact results, one for each trigger, ascending.
    pub exact: &'a [Exact],
    /// Their payout distributions, in the same order, or why there are none.
    pub distributions: Result<&'a [Distribution], &'a DistributionError>,
    /// Simulations of the same triggers in the same order, each complete.
    pub simulations: &'a [Simulation],
    /// The seed of the simulations.
    pub seed: &'a Seed,
    /// Confidence level of the intervals, in (0, 1).
    pub level: f64,
    /// Family-wise error rate of all tests together, in (0, 1).
    pub alpha: f64,
    /// Whether a clause that waits for a declaration counts against the verdict.
    pub strict: bool,
    /// Time of creation, where it is fixed from outside.
    pub created: Option<String>,
}

/// Makes the certificate.
///
/// # Determinism
/// The same parts give the same certificate; nothing else enters.
///
/// # Errors
/// - [`VerifyError::Mismatch`]: exact and simulated results of different triggers
/// - [`VerifyError::Stats`]: too few rounds for an estimate, or a level outside (0, 1)
pub fn certify(parts: &CertificateParts<'_>) -> Result<Certificate, VerifyError> {
    let paytable = &parts.file.paytable;
    let mut numeric = Vec::new();
    let mut exact_entries = Vec::new();
    let mut simulated = Vec::new();
    let mut declared = Vec::new();
    let mut declared_checks = Vec::new();
    if parts.exact.len() != parts.simulations.len() {
        return Err(VerifyError::Mismatch);
    }
    let distributions = parts.distributions.unwrap_or_default();
    for (index, (exact, simulation)) in parts.exact.iter().zip(parts.simulations).enumerate() {
        let trigger = exact.trigger;
        if simulation.plan.trigger != trigger {
            return Err(VerifyError::Mismatch);
        }
        let terms = paytable.terms(trigger).ok_or(VerifyError::Mismatch)?;
        let figures =
            SimulatedFigures::new(&simulation.tally, paytable.payout, terms, parts.level)?;
        let mut entry = ExactTrigger::new(exact, terms);
        entry.contributions = ContributionsJson::new(exact, paytable);
        exact_entries.push(entry);
        simulated.push(simulate_trigger(simulation, &figures));
        let played = Played {
            paytable,
            exact,
            distribution: distributions.get(index),
            tally: &simulation.tally,
            detail: Some(&simulation.detail),
        };
        for check in cross_check(&played)? {
            numeric.push((trigger, check));
        }
        for figure in paytable.declared.get(&trigger).into_iter().flatten() {
            let (entry, check) = compare(exact, largest_meter(paytable, trigger), figure);
            declared.push(entry);
            declared_checks.push(check);
        }
    }
    let mut without_distribution = None;
    match parts.distributions {
        Ok(found) => {
            for ((entry, exact), distribution) in
                exact_entries.iter_mut().zip(parts.exact).zip(found)
            {
                entry.distribution = Some(DistributionJson::new(distribution, exact, paytable)?);
            }
        }
        Err(refusal) => without_distribution = Some(refusal.to_string()),
    }
    let mut checks = judge_all(&numeric, parts.alpha)?;
    checks.extend(declared_checks);
    let numeric_verdict = checks
        .iter()
        .fold(CheckVerdict::Pass, |worst, check| worst.and(check.verdict));
    let triggers = parts
        .exact
        .iter()
        .filter_map(|exact| paytable.terms(exact.trigger))
        .map(|terms| CertificateTrigger {
            trigger: terms.trigger.number(),
            spins: terms.spins,
            probability: terms.probability().to_string(),
            verdict: checks
                .iter()
                .filter(|check| check.trigger == Some(terms.trigger.number()))
                .fold(CheckVerdict::Pass, |worst, check| worst.and(check.verdict)),
        })
        .collect();
    checks.extend(parts.findings.iter().filter_map(clause_check));
    let clause_verdict = parts
        .findings
        .iter()
        .fold(CheckVerdict::Pass, |worst, finding| {
            worst.and(match finding.verdict {
                ClauseVerdict::Fail => CheckVerdict::Fail,
                ClauseVerdict::Inconclusive if parts.strict => CheckVerdict::Inconclusive,
                _ => CheckVerdict::Pass,
            })
        });
    let plan = parts.simulations.first().map(|simulation| simulation.plan);
    Ok(Certificate {
        schema: "wonderspins/certificate/1".to_owned(),
        tool: Tool::current(),
        statement: STATEMENT.to_owned(),
        created: parts.created.clone(),
        self_sha256: String::new(),
        verdict: numeric_verdict.and(clause_verdict),
        paytable: CertificatePaytable {
            name: paytable.name.clone(),
            source: paytable.source.clone(),
            notes: paytable.notes.clone(),
            sha256: paytable.sha256(),
            file_sha256: parts.file.file_sha256.clone(),
            text: parts.file.text.clone(),
        },
        wheels: Wheels::new(paytable),
        assumptions: assumptions(paytable),
        plan: Plan {
            seed: parts.seed.value.to_string(),
            seed_origin: parts.seed.origin.to_string(),
            rounds: plan.map_or(0, |plan| plan.rounds),
            batch_rounds: engine::BATCH_ROUNDS.into(),
            generator: plan
                .map_or_else(Generator::default, |plan| plan.generator)
                .to_string(),
            engine_specification: engine::SPECIFICATION_VERSION,
            confidence_level: parts.level,
            alpha: parts.alpha,
            correction: "Holm's step-down correction (1979)".to_owned(),
            strict: parts.strict,
        },
        triggers,
        requirements: requirement::of_checks(&checks),
        checks,
        clauses: parts.findings.iter().map(Into::into).collect(),
        declared,
        exact: ExactSection {
            triggers: exact_entries,
            without_distribution,
            rtp_bands: Vec::new(),
        },
        simulated: SimulatedSection {
            triggers: simulated,
            without_detail: without_detail(parts.simulations),
        },
        commitments: Vec::new(),
        side_file: None,
    })
}

/// What a certificate says where some run has no watched rounds: who asked for none has asked
/// for none of the checks that need them, so these are left out and not inconclusive.
fn without_detail(simulations: &[Simulation]) -> Option<String> {
    let is_missing = simulations
        .iter()
        .any(|simulation| simulation.detail.rounds() == 0);
    is_missing.then(|| {
        "no rounds were watched one by one, as asked: draws by section and by spin number, and the correlation of \
         neighbouring rounds (5319.47(a)(5)), were not tested"
            .to_owned()
    })
}

/// A clause as a check; one that does not apply is no check.
fn clause_check(finding: &ClauseFinding) -> Option<Check> {
    let verdict = match finding.verdict {
        ClauseVerdict::Pass => CheckVerdict::Pass,
        ClauseVerdict::Fail => CheckVerdict::Fail,
        ClauseVerdict::Inconclusive => CheckVerdict::Inconclusive,
        ClauseVerdict::NotApplicable => return None,
    };
    Some(Check {
        id: format!("clause-{}", finding.clause),
        clause: finding.clause.to_string(),
        trigger: None,
        hypothesis: finding.asks.to_owned(),
        statistic: None,
        method: None,
        p_value: None,
        p_value_adjusted: None,
        bound: None,
        threshold: "the clause".to_owned(),
        smallest_detectable: None,
        requirement: None,
        power: None,
        verdict,
        evidence: finding.evidence.clone(),
    })
}
