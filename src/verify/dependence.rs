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
        (Some(p), Some(adjusted)) => format!("p {}, corrected {}", short(p), short(adjusted)),
        _ => return check.evidence.clone(),
    };
    match check.smallest_detectable {
        Some(deviation) => {
            let deviation = short(deviation);
            format!("{p}, would show a deviation of {deviation} with probability {POWER}")
        }
        None => format!("{p}, no deviation is sure to show"),
    }
}

/// Two significant digits or a little more.
fn short(value: f64) -> String {
    match value {
        0.1.. => format!("{value:.2}"),
        0.01..0.1 => format!("{value:.3}"),
        0.001..0.01 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_two_digits() {
        for (value, text) in [
            (1.0, "1.00"),
            (0.313, "0.31"),
            (0.0456, "0.046"),
            (0.00138, "0.0014"),
            (0.000_85, "8.5e-4"),
            (0.0, "0.0e0"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
