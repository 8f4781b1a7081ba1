//! Everything joined into a certificate.

use sha2::{Digest as _, Sha256};

use super::{
    Guesser, NumericCheck, Origin, Played, Settings, SimulatedFigures, VerifyError, assumptions,
    compare, cross_check, dependence::dependence, judge_all, requirement, rtp_bands, settings,
    simulate_trigger,
};
use crate::commitment::{self, SIDE_FILE_NAME, TriggerLeaves, commit};
use crate::document::{
    Certificate, CertificatePaytable, CertificateTrigger, Check, CheckVerdict, Commitment,
    ContributionsJson, DistributionJson, ExactSection, ExactTrigger, Plan, SideFile,
    SimulateTrigger, SimulatedSection, Tool, TriggerDeclared, Wheels,
};
use crate::engine::{self, Generator, Seed, Simulation};
use crate::exact::distribution::{Distribution, DistributionError};
use crate::exact::{Exact, largest_meter};
use crate::paytable::{PaytableFile, hex};
use crate::regulation::{
    self, ClauseFinding, ClauseVerdict, Evidence, ProfileFile, ProfileFinding,
};
use crate::rules::Trigger;

/// What every certificate says of itself.
const STATEMENT: &str = "This document reports what a program computed from the paytable below. It is not an \
    approval, and the program is not a licensed or accredited laboratory.";

/// Everything that a certificate is made from.
#[derive(Debug, Clone)]
pub struct CertificateParts<'a> {
    /// The paytable as it was read.
    pub file: &'a PaytableFile,
    /// What the clauses rest on beside the paytable, but for what the runs show.
    pub evidence: &'a Evidence,
    /// Exact results, one for each trigger, ascending.
    pub exact: &'a [Exact],
    /// Their payout distributions, in the same order, or why there are none.
    pub distributions: Result<&'a [Distribution], &'a DistributionError>,
    /// Simulations of the same triggers in the same order, each complete.
    pub simulations: &'a [Simulation],
    /// The seed of the simulations.
    pub seed: &'a Seed,
    /// Levels and limits.
    pub settings: Settings,
    /// The limits of a jurisdiction or standard, where the paytable is held against one.
    pub profile: Option<&'a ProfileFile>,
    /// Whether a clause that waits for a declaration counts against the verdict.
    pub strict: bool,
    /// Time of creation, where it is fixed from outside.
    pub created: Option<String>,
}

/// Makes the certificate, sealed, and the bytes of its side file.
///
/// # Determinism
/// The same parts give the same certificate; nothing else enters.
///
/// # Errors
/// - [`VerifyError::Mismatch`]: exact and simulated results of different triggers
/// - [`VerifyError::Stats`]: too few rounds for an estimate, or a level outside (0, 1)
pub fn certify(parts: &CertificateParts<'_>) -> Result<(Certificate, Vec<u8>), VerifyError> {
    let paytable = &parts.file.paytable;
    let gathered = Gathered::new(parts)?;
    let mut checks = judge_all(&gathered.numeric, parts.settings.alpha.value)?;
    let evidence = Evidence {
        award_limit: parts.settings.award_limit.value,
        dependence: dependence(&checks, parts.simulations),
        ..parts.evidence.clone()
    };
    let findings = regulation::judge_with(paytable, &evidence);
    let of_profile = parts
        .profile
        .map_or_else(Vec::new, |file| file.judge(paytable, &evidence));
    checks.extend(gathered.declared_checks);
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
    checks.extend(findings.iter().filter_map(clause_check));
    checks.extend(of_profile.iter().filter_map(profile_check));
    let without_distribution = parts.distributions.err().map(ToString::to_string);
    let leaves = commitment::SideFile {
        triggers: gathered.leaves,
    }
    .to_bytes();
    let side_file = SideFile {
        name: SIDE_FILE_NAME.to_owned(),
        bytes: leaves.len() as u64,
        sha256: hex(&Sha256::digest(&leaves)),
    };
    let certificate = Certificate {
        schema: Certificate::SCHEMA.to_owned(),
        tool: Tool::current(),
        statement: STATEMENT.to_owned(),
        created: parts.created.clone(),
        self_sha256: String::new(),
        verdict: numeric_verdict
            .and(clause_verdict(&findings, parts.strict))
            .and(profile_verdict(&of_profile, parts.strict)),
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
        plan: plan(parts),
        triggers,
        requirements: requirement::of_checks(&checks),
        checks,
        clauses: findings.iter().map(Into::into).collect(),
        profile: parts
            .profile
            .map(|file| settings::section(file, &parts.settings, &of_profile)),
        declared: gathered.declared,
        exact: ExactSection {
            triggers: gathered.exact,
            without_distribution,
            rtp_bands: rtp_bands(
                paytable,
                parts.exact,
                parts.distributions.unwrap_or_default(),
            ),
        },
        simulated: SimulatedSection {
            triggers: gathered.simulated,
            without_detail: without_detail(parts.simulations),
        },
        commitments: gathered.commitments,
        side_file: Some(side_file),
    };
    Ok((certificate.sealed(), leaves))
}

/// What is gathered trigger by trigger before anything is judged.
#[derive(Default)]
struct Gathered {
    numeric: Vec<(Trigger, NumericCheck)>,
    exact: Vec<ExactTrigger>,
    simulated: Vec<SimulateTrigger>,
    declared: Vec<TriggerDeclared>,
    declared_checks: Vec<Check>,
    commitments: Vec<Commitment>,
    leaves: Vec<TriggerLeaves>,
}

impl Gathered {
    fn new(parts: &CertificateParts<'_>) -> Result<Self, VerifyError> {
        let paytable = &parts.file.paytable;
        if parts.exact.len() != parts.simulations.len() {
            return Err(VerifyError::Mismatch);
        }
        let distributions = parts.distributions.unwrap_or_default();
        let guesser = Guesser::new(paytable, parts.exact);
        let mut gathered = Self::default();
        for (index, (exact, simulation)) in parts.exact.iter().zip(parts.simulations).enumerate() {
            let trigger = exact.trigger;
            if simulation.plan.trigger != trigger {
                return Err(VerifyError::Mismatch);
            }
            let terms = paytable.terms(trigger).ok_or(VerifyError::Mismatch)?;
            let distribution = distributions.get(index);
            let figures = SimulatedFigures::new(
                &simulation.tally,
                paytable.payout,
                terms,
                parts.settings.level.value,
            )?;
            let mut entry = ExactTrigger::new(exact, terms);
            entry.contributions = ContributionsJson::new(exact, paytable);
            entry.distribution = distribution
                .map(|distribution| DistributionJson::new(distribution, exact, paytable))
                .transpose()?;
            gathered.exact.push(entry);
            gathered
                .simulated
                .push(simulate_trigger(simulation, &figures));
            let (plan, leaves) = (&simulation.plan, &simulation.leaves);
            gathered.commitments.push(commit(paytable, plan, leaves)?);
            gathered.leaves.push(TriggerLeaves {
                trigger: trigger.number(),
                leaves: leaves.clone(),
            });
            let played = Played {
                paytable,
                exact,
                distribution,
                tally: &simulation.tally,
                detail: Some(&simulation.detail),
            };
            for check in cross_check(&played)? {
                gathered.numeric.push((trigger, check));
            }
            for figure in paytable.declared.get(&trigger).into_iter().flatten() {
                let largest = largest_meter(paytable, trigger);
                let (entry, check) = compare(exact, largest, figure, &guesser);
                gathered.declared.push(entry);
                gathered.declared_checks.push(check);
            }
        }
        Ok(gathered)
    }
}

/// What the clauses say together.
fn clause_verdict(findings: &[ClauseFinding], strict: bool) -> CheckVerdict {
    findings.iter().fold(CheckVerdict::Pass, |worst, finding| {
        worst.and(match finding.verdict {
            ClauseVerdict::Fail => CheckVerdict::Fail,
            ClauseVerdict::Inconclusive if strict => CheckVerdict::Inconclusive,
            _ => CheckVerdict::Pass,
        })
    })
}

/// What fixed the run.
fn plan(parts: &CertificateParts<'_>) -> Plan {
    let plan = parts.simulations.first().map(|simulation| simulation.plan);
    Plan {
        seed: parts.seed.value.to_string(),
        seed_origin: parts.seed.origin.to_string(),
        rounds: plan.map_or(0, |plan| plan.rounds),
        batch_rounds: engine::BATCH_ROUNDS.into(),
        generator: plan
            .map_or_else(Generator::default, |plan| plan.generator)
            .to_string(),
        engine_specification: engine::SPECIFICATION_VERSION,
        confidence_level: parts.settings.level.value,
        alpha: parts.settings.alpha.value,
        correction: "Holm's step-down correction (1979)".to_owned(),
        strict: parts.strict,
        award_limit: (parts.settings.award_limit.from == Origin::CommandLine)
            .then_some(parts.settings.award_limit.value),
        detail_rounds: plan.map_or(0, |plan| plan.detail_rounds.min(plan.rounds)),
    }
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

/// What the limits of a profile say together. One that waits for a declaration counts as a
/// clause that does.
fn profile_verdict(findings: &[ProfileFinding], strict: bool) -> CheckVerdict {
    findings
        .iter()
        .filter(|finding| strict || !finding.waits)
        .filter_map(|finding| check_verdict(finding.verdict))
        .fold(CheckVerdict::Pass, CheckVerdict::and)
}

/// The verdict of a check; what does not apply is no check.
fn check_verdict(verdict: ClauseVerdict) -> Option<CheckVerdict> {
    match verdict {
        ClauseVerdict::Pass => Some(CheckVerdict::Pass),
        ClauseVerdict::Fail => Some(CheckVerdict::Fail),
        ClauseVerdict::Inconclusive => Some(CheckVerdict::Inconclusive),
        ClauseVerdict::NotApplicable => None,
    }
}

/// A limit of a profile as a check; one that does not apply is no check.
fn profile_check(finding: &ProfileFinding) -> Option<Check> {
    let verdict = check_verdict(finding.verdict)?;
    let hypothesis = match finding.id {
        "rtp-minimum" => "the return of a whole wager is not below the floor of the profile",
        "rtp-maximum" => "the return of a whole wager is not above the ceiling of the profile",
        _ => "the top award is not rarer than the profile allows, or its odds are shown",
    };
    Some(Check {
        id: format!("profile-{}", finding.id),
        clause: finding.citation.clone(),
        trigger: finding.trigger.map(Trigger::number),
        hypothesis: hypothesis.to_owned(),
        statistic: None,
        method: None,
        p_value: None,
        p_value_adjusted: None,
        bound: None,
        threshold: finding.limit.clone().unwrap_or_default(),
        smallest_detectable: None,
        requirement: None,
        power: None,
        verdict,
        evidence: finding.evidence.clone(),
    })
}

/// A clause as a check; one that does not apply is no check.
fn clause_check(finding: &ClauseFinding) -> Option<Check> {
    let verdict = check_verdict(finding.verdict)?;
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
