//! What a run shows of dependence on earlier results, as 5319.47(a)(5) asks.

use crate::document::{Check, CheckVerdict};
use crate::engine::Simulation;
use crate::regulation::{ClauseVerdict, Dependence, DependenceTest};
use crate::rules::Clause;

use super::POWER;

/// The judged tests that answer for the clause, in words.
///
/// # Arguments
/// - `checks`: the judged tests of all triggers
#[must_use]
pub(super) fn dependence(checks: &[Check], simulations: &[Simulation]) -> Dependence {
    if simulations
        .iter()
        .all(|simulation| simulation.detail.rounds() == 0)
    {
        return Dependence::NotWatched;
    }
    let tests: Vec<DependenceTest> = checks
        .iter()
        .filter(|check| check.clause == Clause::NY_A5.citation())
        .filter_map(|check| {
            let trigger = simulations
                .iter()
                .map(|simulation| simulation.plan.trigger)
                .find(|trigger| Some(trigger.number()) == check.trigger)?;
            Some(DependenceTest {
                trigger,
                check: check.id.clone(),
                verdict: match check.verdict {
                    CheckVerdict::Pass => ClauseVerdict::Pass,
                    CheckVerdict::Fail => ClauseVerdict::Fail,
                    CheckVerdict::Inconclusive => ClauseVerdict::Inconclusive,
                },
                words: words(check),
            })
        })
        .collect();
    if tests.is_empty() {
        Dependence::NotWatched
    } else {
        Dependence::Tested(tests)
    }
}

fn words(check: &Check) -> String {
    let p = match (check.p_value, check.p_value_adjusted) {
        (Some(p), Some(adjusted)) => format!("p {p:.2e}, corrected {adjusted:.2e}"),
        _ => return check.evidence.clone(),
    };
    match check.smallest_detectable {
        Some(deviation) => {
            format!("{p}, a deviation of {deviation:.1e} would be seen with probability {POWER}")
        }
        None => format!("{p}, no deviation is sure to be seen"),
    }
}
