//! A recorded run against another one: the rule stands in the module's header.

use super::error::BenchError;
use super::ratio::{FloorRatio, floor_ratio};
use crate::document::{
    BenchDocument, BenchResult, BenchTrigger, Change, ChangeVerdict, Comparison, ComparisonVerdict,
};
use crate::stats::StatsError;

/// Least confidence with which each end of the interval of a change holds.
pub const LEVEL: f64 = 0.8;

/// Compares the ratios of a recorded run with those of another one.
///
/// # Arguments
/// - `max_regression`: the loss of speed that is allowed, in (0, 1): 0.1 allows a ratio to
///   fall from 40 to 36
/// # Errors
/// - [`BenchError::OtherPaytable`], [`BenchError::NothingInCommon`]: there is nothing that
///   could be compared
/// - [`BenchError::Samplings`]: `max_regression` outside (0, 1)
pub fn compare(
    old: &BenchDocument,
    new: &BenchDocument,
    max_regression: f64,
) -> Result<Comparison, BenchError> {
    if !(max_regression > 0.0 && max_regression < 1.0) {
        return Err(BenchError::Samplings(StatsError::NotInOpenUnit {
            what: "max_regression",
            value: max_regression,
        }));
    }
    if old.paytable.sha256 != new.paytable.sha256 {
        return Err(BenchError::OtherPaytable {
            recorded: old.paytable.sha256.clone(),
            this: new.paytable.sha256.clone(),
        });
    }
    let mut changes = Vec::new();
    let mut missing = Vec::new();
    for old_trigger in &old.triggers {
        for old_result in &old_trigger.results {
            let Some(old_ratio) = floor_ratio(old_trigger, old_result) else {
                continue;
            };
            let Some(new_ratio) = ratio_of_same(new, old_trigger.trigger, old_result) else {
                missing.push(name(old_trigger.trigger, old_result));
                continue;
            };
            changes.push(change(
                old_trigger.trigger,
                old_result,
                old_ratio,
                new_ratio,
                max_regression,
            ));
        }
    }
    if changes.is_empty() {
        return Err(BenchError::NothingInCommon);
    }
    Ok(Comparison {
        tool: old.tool.clone(),
        machine: old.machine.clone(),
        build: old.build.clone(),
        max_regression,
        level: LEVEL,
        verdict: overall(old, new, &changes),
        changes,
        missing,
    })
}

/// What a figure is called in a list: `2 Wonderspins, avx2, 1 thread`.
fn name(trigger: u32, result: &BenchResult) -> String {
    let plural = if result.threads == 1 { "" } else { "s" };
    format!(
        "{trigger} Wonderspins, {}, {} thread{plural}",
        result.engine, result.threads
    )
}

/// The ratio of the same trigger, engine and number of threads. An engine that was played
/// by another one than before is not the same, and neither are samples of another number of
/// rounds: what a run costs once weighs differently in them.
fn ratio_of_same(new: &BenchDocument, trigger: u32, old: &BenchResult) -> Option<FloorRatio> {
    let is_same = |result: &&BenchResult| {
        result.engine == old.engine
            && result.threads == old.threads
            && result.rounds == old.rounds
            && result.played_by == old.played_by
    };
    let of_trigger = |each: &&BenchTrigger| each.trigger == trigger;
    let new_trigger = new.triggers.iter().find(of_trigger)?;
    let result = new_trigger.results.iter().find(is_same)?;
    floor_ratio(new_trigger, result)
}

fn change(
    trigger: u32,
    result: &BenchResult,
    old: FloorRatio,
    new: FloorRatio,
    max_regression: f64,
) -> Change {
    let lower = new.lower / old.upper - 1.0;
    let upper = new.upper / old.lower - 1.0;
    let verdict = if upper < -max_regression {
        ChangeVerdict::Regression
    } else if lower > -max_regression {
        ChangeVerdict::Within
    } else {
        ChangeVerdict::Unclear
    };
    Change {
        trigger,
        engine: result.engine.clone(),
        threads: result.threads,
        old_ratio: old.estimate,
        new_ratio: new.estimate,
        change: new.estimate / old.estimate - 1.0,
        lower,
        upper,
        verdict,
    }
}

fn overall(old: &BenchDocument, new: &BenchDocument, changes: &[Change]) -> ComparisonVerdict {
    let has = |verdict| changes.iter().any(|change| change.verdict == verdict);
    let is_comparable = old.machine.cpu == new.machine.cpu
        && old.machine.architecture == new.machine.architecture
        && old.build.profile == new.build.profile;
    if !is_comparable {
        ComparisonVerdict::Incomparable
    } else if has(ChangeVerdict::Regression) {
        ComparisonVerdict::Regression
    } else if has(ChangeVerdict::Unclear) {
        ComparisonVerdict::Unclear
    } else {
        ComparisonVerdict::Within
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
