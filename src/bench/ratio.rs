//! Ratios to the straightforward version: of each turn, and of the least times.

use super::measure::LEAST_SAMPLES;
use crate::document::{BenchDocument, BenchResult, BenchTrigger};

/// How many times as fast as the straightforward version on as many threads, one ratio for
/// each turn in which both were measured; `None` for that version itself, or where it was
/// not measured.
pub(super) fn ratios(trigger: &BenchTrigger, result: &BenchResult) -> Option<Vec<f64>> {
    let yardstick = yardstick(trigger, result)?;
    let by_processor = result.threads == 1 && has_processor_time(result, yardstick);
    let speeds = |result: &BenchResult| rates(result.rounds, times(result, by_processor));
    Some(
        speeds(result)
            .into_iter()
            .zip(speeds(yardstick))
            .map(|(speed, plain)| speed / plain)
            .collect(),
    )
}

/// A ratio of floors: its estimate from the least times, and its bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FloorRatio {
    pub(super) estimate: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// The ratio of the least times of a round; the rule stands in the module's header.
pub(super) fn floor_ratio(trigger: &BenchTrigger, result: &BenchResult) -> Option<FloorRatio> {
    let yardstick = yardstick(trigger, result)?;
    let by_processor = has_processor_time(result, yardstick);
    let floor = |result: &BenchResult| floor(result.rounds, times(result, by_processor));
    let (plain, engine) = (floor(yardstick)?, floor(result)?);
    Some(FloorRatio {
        estimate: plain.upper / engine.upper,
        lower: plain.lower / engine.upper,
        upper: plain.upper / engine.lower,
    })
}

/// The floor of the time of a round.
struct Floor {
    lower: f64,
    upper: f64,
}

/// How far below the least time the floor may be, as a multiple of the distance of the
/// five least times: 10^(1/4) - 1.
const REACH: f64 = 0.778_279_410_038_923;

/// Largest share of the least time that the floor may be below it, so that a bound stays
/// a positive number however the samples scatter.
const MOST: f64 = 0.9;

fn floor(rounds: u64, seconds: &[f64]) -> Option<Floor> {
    // Rates descend as times ascend.
    let mut times: Vec<f64> = rates(rounds, seconds)
        .iter()
        .map(|rate| 1.0 / rate)
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    let (&least, &fifth) = (times.first()?, times.get(LEAST_SAMPLES - 1)?);
    Some(Floor {
        lower: least - (REACH * (fifth - least)).min(MOST * least),
        upper: least,
    })
}

/// The straightforward version on as many threads, but not for itself.
fn yardstick<'t>(trigger: &'t BenchTrigger, result: &BenchResult) -> Option<&'t BenchResult> {
    if result.engine == BenchDocument::STRAIGHTFORWARD {
        return None;
    }
    trigger.results.iter().find(|other| {
        other.engine == BenchDocument::STRAIGHTFORWARD && other.threads == result.threads
    })
}

fn has_processor_time(one: &BenchResult, other: &BenchResult) -> bool {
    !one.cpu_seconds.is_empty() && !other.cpu_seconds.is_empty()
}

fn times(result: &BenchResult, by_processor: bool) -> &[f64] {
    if by_processor {
        &result.cpu_seconds
    } else {
        &result.seconds
    }
}

/// How much of `amount` was done in a second, for each sample.
#[expect(
    clippy::cast_precision_loss,
    reason = "rounds and spins of one sample are far below 2^53"
)]
pub(super) fn rates(amount: u64, seconds: &[f64]) -> Vec<f64> {
    seconds
        .iter()
        .map(|seconds| amount as f64 / seconds)
        .collect()
}
