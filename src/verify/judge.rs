//! Verdicts on all tests of a certificate together.

use super::VerifyError;
use super::cross_check::NumericCheck;
use super::power::Seen;
use crate::document::{Check, CheckVerdict};
use crate::rules::Trigger;
use crate::stats::{HolmDecision, holm};

/// Power at which the smallest detectable deviation is stated.
pub const POWER: f64 = 0.8;

/// Verdicts on all tests of a certificate together.
///
/// Holm's step-down correction runs over every test of every trigger, so the chance that
/// a right paytable fails any of them is at most `alpha`. The smallest detectable deviation
/// is stated at `alpha` divided by the number of tests, the hardest step of the correction.
///
/// # Errors
/// - [`VerifyError::Stats`]: `alpha` outside (0, 1)
pub fn judge_all(tests: &[(Trigger, NumericCheck)], alpha: f64) -> Result<Vec<Check>, VerifyError> {
    let p_values: Vec<f64> = tests.iter().filter_map(|(_, test)| test.p_value).collect();
    let mut decisions = holm(&p_values, alpha)?.into_iter();
    #[expect(clippy::cast_precision_loss, reason = "a number of tests")]
    let hardest = alpha / p_values.len().max(1) as f64;
    let mut checks = Vec::new();
    for (trigger, test) in tests {
        let decision = test.p_value.and_then(|_| decisions.next());
        let seen = match &test.reach {
            Some(reach) => reach.seen(hardest, POWER)?,
            None => None,
        };
        checks.push(judged(*trigger, test, decision, seen, alpha));
    }
    Ok(checks)
}

fn judged(
    trigger: Trigger,
    test: &NumericCheck,
    decision: Option<HolmDecision>,
    seen: Option<Seen>,
    alpha: f64,
) -> Check {
    let mut evidence = test.evidence.clone();
    let is_large_enough = seen
        .as_ref()
        .is_some_and(|seen| seen.deviation <= test.requirement);
    let verdict = match decision {
        Some(decision) if decision.rejected => CheckVerdict::Fail,
        Some(_) if is_large_enough => CheckVerdict::Pass,
        Some(_) => {
            let unseen = seen.as_ref().map_or_else(
                || "no deviation is sure to be seen".to_owned(),
                |seen| format!("a deviation below {:.2e} would go unseen", seen.deviation),
            );
            evidence.push_str(&format!(
                "; too few rounds: {unseen}, required is {:.2e}",
                test.requirement
            ));
            CheckVerdict::Inconclusive
        }
        None => CheckVerdict::Inconclusive,
    };
    let (smallest_detectable, power) = seen
        .map(|seen| {
            (
                seen.deviation,
                format!("{} with probability {POWER}", seen.words),
            )
        })
        .unzip();
    Check {
        id: test.id.to_owned(),
        clause: test.clause.to_string(),
        trigger: Some(trigger.number()),
        hypothesis: test.hypothesis.clone(),
        statistic: Some(test.statistic),
        method: Some(test.method.clone()),
        p_value: test.p_value,
        p_value_adjusted: decision.map(|decision| decision.adjusted),
        bound: None,
        threshold: format!("corrected p >= {alpha}"),
        smallest_detectable,
        requirement: Some(test.requirement),
        power,
        verdict,
        evidence,
    }
}
