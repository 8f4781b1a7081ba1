//! How fast this machine plays, in a moment.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::Question;
use crate::document::DetailJson;
use crate::engine::{
    EngineError, MAX_ROUNDS, Observer, Progress, RunPlan, Simulation, Tally, simulate,
};
use crate::paytable::Paytable;
use crate::rules::Trigger;

/// A seed that says what it is for.
const SEED: u64 = 0x6361_6c69_6272_6174;

/// What was measured.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// Threads that played.
    pub threads: usize,
    /// The engine of the rounds that are not watched.
    pub engine: &'static str,
    /// One for each trigger, ascending.
    pub triggers: Vec<TriggerCalibration>,
}

/// What was measured of a trigger.
#[derive(Debug, Clone)]
pub struct TriggerCalibration {
    /// The trigger.
    pub trigger: Trigger,
    /// Rounds a second of all threads together that are not watched; `None` where all are.
    pub rounds_per_second: Option<f64>,
    /// Rounds a second that are watched; `None` where none are.
    pub watched_rounds_per_second: Option<f64>,
    /// The rounds that were played for it.
    pub(super) tally: Tally,
    /// Bytes of the detail of a leaf, and of one in a document.
    pub(super) detail_bytes: (usize, usize),
}

impl Calibration {
    /// Plays for about so long on the pool that is installed.
    ///
    /// # Arguments
    /// - `threads`: those of the pool
    /// - `duration`: of all triggers together
    ///
    /// # Errors
    /// Those of [`simulate`]
    pub fn measure(
        paytable: &Paytable,
        question: &Question,
        threads: usize,
        duration: Duration,
    ) -> Result<Self, EngineError> {
        let watches = question.detail_rounds > 0;
        // With rounds for the rows above the one asked for, most are not watched.
        let plays_on = question.detail_rounds < MAX_ROUNDS;
        let parts = question.triggers.len() * (usize::from(watches) + usize::from(plays_on));
        let slice = duration / u32::try_from(parts.max(1)).unwrap_or(1);
        let mut triggers = Vec::new();
        let mut engine = "";
        for &trigger in &question.triggers {
            let play = |detail_rounds| {
                let plan = RunPlan {
                    trigger,
                    seed: SEED,
                    generator: question.generator,
                    rounds: MAX_ROUNDS,
                    engine: question.engine,
                    detail_rounds,
                };
                timed(paytable, &plan, slice)
            };
            let watched = watches.then(|| play(MAX_ROUNDS)).transpose()?;
            let played = plays_on.then(|| play(0)).transpose()?;
            let speed = |of: &Option<(Simulation, f64)>| of.as_ref().map(|(_, speed)| *speed);
            let detail_bytes = watched.as_ref().map_or((0, 0), |(run, _)| {
                let in_leaf = run.leaves.last().map_or(0, |leaf| leaf.bytes().len());
                let json = DetailJson::new(&run.detail);
                let in_document = json.map_or(0, |json| crate::document::to_json(&json).len());
                (in_leaf, in_document)
            });
            let (rounds_per_second, watched_rounds_per_second) = (speed(&played), speed(&watched));
            let Some((run, _)) = played.or(watched) else {
                continue;
            };
            engine = run.engine.name();
            triggers.push(TriggerCalibration {
                trigger,
                rounds_per_second,
                watched_rounds_per_second,
                tally: run.tally,
                detail_bytes,
            });
        }
        Ok(Self {
            threads,
            engine,
            triggers,
        })
    }
}

impl TriggerCalibration {
    /// Seconds for so many watched rounds and others.
    #[expect(clippy::cast_precision_loss, reason = "a time for planning")]
    pub(super) fn seconds(&self, watched: u64, others: u64) -> f64 {
        let seconds = |rounds: u64, speed: Option<f64>| {
            let speed = speed
                .or(self.rounds_per_second)
                .or(self.watched_rounds_per_second);
            speed.map_or(0.0, |speed| rounds as f64 / speed)
        };
        seconds(watched, self.watched_rounds_per_second) + seconds(others, self.rounds_per_second)
    }
}

/// Plays until the time is over; the run and its rounds a second.
///
/// The first wave also pays for what a run costs once, so it is left out where there is a
/// second one.
#[expect(clippy::cast_precision_loss, reason = "a rate for planning")]
fn timed(
    paytable: &Paytable,
    plan: &RunPlan,
    duration: Duration,
) -> Result<(Simulation, f64), EngineError> {
    let clock = Clock {
        started: Instant::now(),
        duration,
        first: Cell::new(None),
    };
    let run = simulate(paytable, plan, &clock)?;
    let (seconds, rounds) = (clock.started.elapsed().as_secs_f64(), run.tally.rounds());
    let (before, rounds_before) = match clock.first.get() {
        Some((after, rounds_first)) if rounds > rounds_first => (after, rounds_first),
        _ => (0.0, 0),
    };
    let speed = (rounds - rounds_before) as f64 / (seconds - before).max(1e-9);
    Ok((run, speed))
}

struct Clock {
    started: Instant,
    duration: Duration,
    /// Seconds and rounds at the end of the first wave.
    first: Cell<Option<(f64, u64)>>,
}

impl Observer for Clock {
    fn progress(&self, progress: &Progress) -> ControlFlow<()> {
        let elapsed = self.started.elapsed();
        if self.first.get().is_none() {
            let first = (elapsed.as_secs_f64(), progress.rounds_done);
            self.first.set(Some(first));
        }
        if elapsed < self.duration {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
