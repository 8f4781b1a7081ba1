//! What a run would take: time on this machine, cores for a deadline, the width of its
//! interval, the size of its files.
//!
//! # What is measured
//! A [`Calibration`] plays rounds of each trigger for a short time on the pool that is
//! installed, watched rounds and others apart, since the latter are many times as fast.
//! Its seed is its own and its results are thrown away but for one thing: how often each
//! meter comes up, from which the size of leaves follows.
//!
//! # What is computed
//! - Time: rounds over speed; cores: the time of one core over the deadline, as if speed grew
//!   with the number of cores.
//! - Half-width: z sigma p / sqrt(n) for n rounds, sigma the exact standard deviation of the
//!   gross return given the trigger, p the trigger's probability: what `simulate` would report
//!   but for the deviation of the run itself.
//! - Sizes: a meter of probability q is among r rounds with probability 1 - exp(-r q), and
//!   takes as many bytes as its count has; so too numbers of spins. Meters that the calibration
//!   never saw are left out, some per cent of the size.
//!
//! Guarantees: nothing of this enters a result. Non-goals: measuring an implementation against
//! another one (see [`bench`](mod@crate::bench)).
//!
//! | file | holds |
//! | --- | --- |
//! | `calibration` | the measurement |
//! | `size` | sizes of leaves and documents |

mod calibration;
mod size;

use std::time::Duration;

use thiserror::Error;

pub use calibration::{Calibration, TriggerCalibration};

use crate::document::{ForecastCalibration, ForecastDocument, ForecastRow, ForecastWidth, Tool};
use crate::engine::{BATCH_ROUNDS, EngineError, EngineKind, Generator, MAX_ROUNDS, leaf_batches};
use crate::exact::{self, ExactError};
use crate::paytable::PaytableFile;
use crate::rules::Trigger;
use crate::stats::{StatsError, two_sided_z};

/// Why nothing can be said.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ForecastError {
    /// The calibration could not be played.
    #[error("the calibration could not be played")]
    Engine(#[from] EngineError),
    /// The standard deviation is out of reach.
    #[error("the exact figures could not be computed")]
    Exact(#[from] ExactError),
    /// The level of the interval.
    #[error("the width of the interval is not defined")]
    Stats(#[from] StatsError),
}

/// What is to be foreseen.
#[derive(Debug, Clone)]
pub struct Question {
    /// The triggers, ascending.
    pub triggers: Vec<Trigger>,
    /// Rounds for each of them.
    pub rounds: u64,
    /// Rounds from the first that are watched.
    pub detail_rounds: u64,
    /// The generator.
    pub generator: Generator,
    /// The engine.
    pub engine: EngineKind,
    /// Confidence level of the interval, in (0, 1).
    pub level: f64,
    /// When all is to be done.
    pub deadline: Duration,
    /// Number of shards of which sizes are told.
    pub shards: u64,
}

/// The rounds asked for, and ten and a hundred times as few and as many, within what a run may
/// have.
fn rounds_around(asked: u64) -> Vec<u64> {
    let rounds = [
        asked / 100,
        asked / 10,
        asked,
        asked.saturating_mul(10),
        asked.saturating_mul(100),
    ];
    let is_legal = |rounds: &u64| (2..=MAX_ROUNDS).contains(rounds);
    rounds.into_iter().filter(is_legal).collect()
}

/// The answer from a calibration.
///
/// # Errors
/// - [`ForecastError::Exact`]: the standard deviation is out of reach
/// - [`ForecastError::Stats`]: a level outside (0, 1)
pub fn forecast(
    file: &PaytableFile,
    question: &Question,
    calibration: &Calibration,
) -> Result<ForecastDocument, ForecastError> {
    let z = two_sided_z(question.level)?;
    // Standard deviation of the overall return of a round, by trigger.
    let mut deviations = Vec::new();
    for exact in exact::solve_all(&file.paytable)? {
        if let Some(terms) = file.paytable.terms(exact.trigger)
            && question.triggers.contains(&exact.trigger)
        {
            let probability = terms.probability().to_f64().value();
            deviations.push((
                exact.trigger,
                exact.returns.gross_std_dev.upper() * probability,
            ));
        }
    }
    let rows = rounds_around(question.rounds)
        .into_iter()
        .map(|rounds| row(file, question, calibration, rounds, z, &deviations))
        .collect();
    let speeds = calibration.triggers.iter();
    Ok(ForecastDocument {
        schema: ForecastDocument::SCHEMA.to_owned(),
        tool: Tool::current(),
        paytable: file.into(),
        threads: calibration.threads,
        engine: calibration.engine.to_owned(),
        calibration: speeds
            .map(|of| ForecastCalibration {
                trigger: of.trigger.number(),
                rounds_per_second: of.rounds_per_second,
                watched_rounds_per_second: of.watched_rounds_per_second,
            })
            .collect(),
        level: question.level,
        deadline_seconds: question.deadline.as_secs_f64(),
        shards: question.shards,
        rows,
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positive figures for planning, of which a few digits matter"
)]
fn row(
    file: &PaytableFile,
    question: &Question,
    calibration: &Calibration,
    rounds: u64,
    z: f64,
    deviations: &[(Trigger, f64)],
) -> ForecastRow {
    let watched = question.detail_rounds.min(rounds);
    let seconds: f64 = calibration
        .triggers
        .iter()
        .map(|of| of.seconds(watched, rounds - watched))
        .sum();
    let core_seconds = seconds * calibration.threads as f64;
    let leaf_rounds = leaf_batches(rounds) * u64::from(BATCH_ROUNDS);
    let leaves = rounds.div_ceil(leaf_rounds);
    let sizes = size::of(file, calibration, rounds, watched, question.shards);
    ForecastRow {
        rounds,
        seconds,
        core_seconds,
        cores_for_deadline: (core_seconds / question.deadline.as_secs_f64())
            .ceil()
            .max(1.0) as u64,
        rtp_half_width: deviations
            .iter()
            .map(|&(trigger, deviation)| ForecastWidth {
                trigger: trigger.number(),
                half_width: z * deviation / (rounds as f64).sqrt(),
            })
            .collect(),
        leaf_rounds,
        leaves,
        leaves_bytes: sizes.leaves as u64,
        checkpoint_bytes: sizes.checkpoint as u64,
        result_bytes: sizes.result as u64,
        shard_bytes: sizes.shard as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_around_stay_within_what_a_run_may_have() {
        assert_eq!(
            rounds_around(1_000_000),
            [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
        );
        assert_eq!(rounds_around(2), [2, 20, 200]);
        assert_eq!(
            rounds_around(MAX_ROUNDS),
            [MAX_ROUNDS / 100, MAX_ROUNDS / 10, MAX_ROUNDS]
        );
    }

    fn question(rounds: u64, detail_rounds: u64) -> Question {
        Question {
            triggers: vec![Trigger::Two],
            rounds,
            detail_rounds,
            generator: Generator::default(),
            engine: EngineKind::Auto,
            level: 0.99,
            deadline: Duration::from_secs(100),
            shards: 8,
        }
    }

    /// 10^8 watched rounds at 10^6 a second and 9 10^8 others at 10^8: 100 and 9 seconds on two
    /// threads, 218 of one, which three end within 100 seconds.
    ///
    /// The half-width by hand: z = 2.5758293 (99 %, two-sided), the standard deviation of the
    /// gross return 12.267825 (that of the meter), probability 3/54: 2.5758293 * 12.267825 / 18 /
    /// sqrt(10^9) = 5.5515e-5.
    #[test]
    fn times_and_widths_follow_from_speed_and_deviation() {
        let file = PaytableFile::load("pa-693-6").unwrap();
        let question = question(1_000_000_000, 100_000_000);
        let mut calibration =
            Calibration::measure(&file.paytable, &question, 1, Duration::from_millis(1)).unwrap();
        calibration.threads = 2;
        calibration.triggers[0].rounds_per_second = Some(1e8);
        calibration.triggers[0].watched_rounds_per_second = Some(1e6);
        let document = forecast(&file, &question, &calibration).unwrap();
        let row = document
            .rows
            .iter()
            .find(|row| row.rounds == 1_000_000_000)
            .unwrap();
        assert!((row.seconds - 109.0).abs() < 1e-9, "{}", row.seconds);
        assert!((row.core_seconds - 218.0).abs() < 1e-9);
        assert_eq!(row.cores_for_deadline, 3);
        let width = row.rtp_half_width[0].half_width;
        assert!((width / 5.5515e-5 - 1.0).abs() < 2e-5, "{width}");
        // 10^9 rounds: leaves of 2^21 rounds, since 2^42 >= 10^9 2^12 > 2^40.
        assert_eq!((row.leaf_rounds, row.leaves), (1 << 21, 477));
    }
}
