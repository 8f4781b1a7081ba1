//! Samples of every implementation in turn.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::error::BenchError;
use super::machine::{build, machine, process_seconds};
use super::ratio::{rates, ratios};
use crate::document::{BenchDocument, BenchResult, BenchTrigger, SpreadJson, Tool, Unmeasured};
use crate::engine::{
    BATCH_ROUNDS, EngineError, EngineKind, Generator, MAX_ROUNDS, RunPlan, simulate,
};
use crate::paytable::{Paytable, PaytableFile};
use crate::rules::Trigger;
use crate::stats::{Spread, StatsError};
use crate::yardstick;

/// The fewest samples whose scatter says anything.
pub const LEAST_SAMPLES: usize = 5;

/// Rounds that a thread of the straightforward version takes at a time, where there are
/// several: the time of some milliseconds, so that all threads end together.
const PIECE: u64 = 4 * BATCH_ROUNDS as u64;

/// What to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchPlan {
    /// The triggers, at least one.
    pub triggers: Vec<Trigger>,
    /// The engines, at least one, in the order in which they take their turns.
    pub engines: Vec<EngineKind>,
    /// Whether an engine that cannot run is an error rather than a remark.
    pub forced: bool,
    /// The largest number of threads; from 2 on, one thread is measured besides.
    pub threads: usize,
    /// Seed of every sample.
    pub seed: u64,
    /// Samples of each figure, at least [`LEAST_SAMPLES`].
    pub samples: usize,
    /// How long all samples together should take in processor time of one thread; each
    /// plays at least one batch on each of its threads, however long that takes.
    pub duration: Duration,
    /// A recorded run with which this one will be compared: samples play as many rounds as
    /// its samples, where it has them, whatever the duration.
    pub same_work_as: Option<BenchDocument>,
}

/// How far a measurement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// Samples taken.
    pub done: usize,
    /// Samples of the whole measurement.
    pub planned: usize,
    /// Trigger of the last sample.
    pub trigger: Trigger,
    /// Name of what was measured last.
    pub engine: &'a str,
    /// Threads of the last sample.
    pub threads: usize,
}

/// One implementation on a number of threads.
struct Subject {
    trigger: Trigger,
    /// `None` for the straightforward version.
    engine: Option<EngineKind>,
    threads: usize,
    rounds: u64,
    spins: u64,
    played_by: Option<EngineKind>,
    seconds: Vec<f64>,
    cpu_seconds: Vec<f64>,
}

/// What one sample played, and how long it took.
struct Sample {
    spins: u64,
    played_by: Option<EngineKind>,
    seconds: f64,
    cpu_seconds: Option<f64>,
}

/// An engine that could not be measured, by trigger.
type NotMeasured = Vec<(Trigger, Unmeasured)>;

/// Threads of the two numbers that are measured.
struct Pools {
    one: ThreadPool,
    all: Option<ThreadPool>,
}

impl Pools {
    /// Memory that is held during a turn, of another size in each, on every thread.
    ///
    /// Where an allocation comes to lie decides which of its lines compete for a place in
    /// the caches, and a process that frees and allocates the same sizes keeps the places
    /// that it happened to get. With the places moved in every turn, none lasts a whole run.
    /// A precaution: one run was seen in which an engine was slower on one thread from start
    /// to end, and that its places were the reason was not shown.
    fn ballast(&self, turn: usize) -> Vec<Vec<Vec<u8>>> {
        /// Below the size from which allocators ask the system for pages of their own.
        const BLOCK: usize = 60_000;
        let blocks = |_: rayon::BroadcastContext<'_>| -> Vec<Vec<u8>> {
            let count = turn * 5 % 16;
            black_box((0..count).map(|k| vec![1; BLOCK + 64 * k]).collect())
        };
        [Some(&self.one), self.all.as_ref()]
            .into_iter()
            .flatten()
            .flat_map(|pool| pool.broadcast(blocks))
            .collect()
    }
}

/// Measures: a sample of each implementation, in turn, as often as there are samples.
///
/// The turns are those of a trigger and a number of threads, the straightforward version
/// first: A B C, A B C. Before them each implementation plays some rounds to find how many
/// fill its time, which also warms it up.
///
/// # Arguments
/// - `observer`: is told of every sample
/// # Determinism
/// Seed and number of rounds fix what is played; times are what they are.
/// # Errors
/// - [`BenchError::Empty`], [`BenchError::Samples`], [`BenchError::UnknownTrigger`]: the plan
/// - [`BenchError::Engine`]: a forced engine cannot run, or a round cannot be played
/// - [`BenchError::Threads`]: the threads could not be started
pub fn measure(
    file: &PaytableFile,
    plan: &BenchPlan,
    observer: &mut dyn FnMut(Step<'_>),
) -> Result<BenchDocument, BenchError> {
    check(&file.paytable, plan)?;
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = Pools {
        one: pool(1)?,
        all: (plan.threads > 1).then(|| pool(plan.threads)).transpose()?,
    };
    let (mut subjects, unmeasured) = subjects(&file.paytable, plan, &pools)?;
    let planned = subjects.len() * plan.samples;
    let slice = plan.duration.as_secs_f64() / count(planned);
    for subject in &mut subjects {
        let recorded = plan.same_work_as.as_ref();
        match recorded.and_then(|run| subject.recorded_rounds(run)) {
            Some(rounds) => {
                subject.rounds = rounds;
                subject.play(&file.paytable, plan.seed, &pools)?;
            }
            None => subject.calibrate(&file.paytable, plan.seed, &pools, slice)?,
        }
    }
    let mut done = 0;
    for turn in 0..plan.samples {
        let _ballast = pools.ballast(turn);
        for subject in &mut subjects {
            let sample = subject.play(&file.paytable, plan.seed, &pools)?;
            subject.spins = sample.spins;
            subject.played_by = sample.played_by;
            subject.seconds.push(sample.seconds);
            subject.cpu_seconds.extend(sample.cpu_seconds);
            done += 1;
            observer(Step {
                done,
                planned,
                trigger: subject.trigger,
                engine: subject.name(),
                threads: subject.threads,
            });
        }
    }
    document(file, plan, &subjects, &unmeasured)
}

fn check(paytable: &Paytable, plan: &BenchPlan) -> Result<(), BenchError> {
    if plan.triggers.is_empty() {
        return Err(BenchError::Empty { what: "trigger" });
    }
    if plan.engines.is_empty() {
        return Err(BenchError::Empty { what: "engine" });
    }
    if plan.samples < LEAST_SAMPLES {
        return Err(BenchError::Samples {
            found: plan.samples,
            least: LEAST_SAMPLES,
        });
    }
    let unknown = |trigger: &&Trigger| paytable.terms(**trigger).is_none();
    match plan.triggers.iter().find(unknown) {
        Some(&trigger) => Err(BenchError::UnknownTrigger { trigger }),
        None => Ok(()),
    }
}

/// What can be measured, in the order of the turns, and what cannot.
fn subjects(
    paytable: &Paytable,
    plan: &BenchPlan,
    pools: &Pools,
) -> Result<(Vec<Subject>, NotMeasured), BenchError> {
    let mut subjects = Vec::new();
    let mut unmeasured = Vec::new();
    for &trigger in &plan.triggers {
        let mut engines = vec![None];
        for &engine in &plan.engines {
            let mut probe = Subject::new(trigger, Some(engine), 1);
            probe.rounds = 1;
            match probe.play(paytable, plan.seed, pools) {
                Ok(_) => engines.push(Some(engine)),
                Err(EngineError::Unavailable { engine, reason }) if !plan.forced => {
                    let engine = engine.name().to_owned();
                    let reason = reason.to_owned();
                    unmeasured.push((trigger, Unmeasured { engine, reason }));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let threads = [1, plan.threads];
        let numbers = if plan.threads > 1 {
            &threads[..]
        } else {
            &threads[..1]
        };
        for &threads in numbers {
            subjects.extend(
                engines
                    .iter()
                    .map(|&engine| Subject::new(trigger, engine, threads)),
            );
        }
    }
    Ok((subjects, unmeasured))
}

impl Subject {
    fn new(trigger: Trigger, engine: Option<EngineKind>, threads: usize) -> Self {
        Self {
            trigger,
            engine,
            threads,
            rounds: 0,
            spins: 0,
            played_by: None,
            seconds: Vec::new(),
            cpu_seconds: Vec::new(),
        }
    }

    fn name(&self) -> &'static str {
        self.engine
            .map_or(BenchDocument::STRAIGHTFORWARD, EngineKind::name)
    }

    /// The rounds of a sample of the same subject in a recorded run.
    fn recorded_rounds(&self, run: &BenchDocument) -> Option<u64> {
        run.triggers
            .iter()
            .filter(|each| each.trigger == self.trigger.number())
            .flat_map(|each| &each.results)
            .find(|each| each.engine == self.name() && each.threads == self.threads)
            .map(|each| each.rounds.min(MAX_ROUNDS))
    }

    /// Finds the rounds that take about `slice` seconds: one batch for each thread, doubled
    /// until twice as many would take longer than four thirds of it.
    ///
    /// What a run costs once (tables, tallies) weighs more the fewer rounds a sample has, so
    /// runs are comparable only where their samples play as many. Powers of two and
    /// processor time make that likely for two runs of one machine whatever its load;
    /// `same_work_as` makes it certain.
    fn calibrate(
        &mut self,
        paytable: &Paytable,
        seed: u64,
        pools: &Pools,
        slice: f64,
    ) -> Result<(), EngineError> {
        self.rounds = u64::from(BATCH_ROUNDS) * self.threads as u64;
        loop {
            let sample = self.play(paytable, seed, pools)?;
            let seconds = sample.cpu_seconds.unwrap_or(sample.seconds) / count(self.threads);
            if seconds * 1.5 > slice || self.rounds > MAX_ROUNDS / 4 {
                return Ok(());
            }
            self.rounds *= 2;
        }
    }

    fn play(&self, paytable: &Paytable, seed: u64, pools: &Pools) -> Result<Sample, EngineError> {
        let pool = match &pools.all {
            Some(all) if self.threads > 1 => all,
            _ => &pools.one,
        };
        pool.install(|| {
            let cpu_before = process_seconds();
            let began = Instant::now();
            let (spins, played_by) = match self.engine {
                None => (black_box(self.play_plainly(paytable, seed)), None),
                Some(engine) => {
                    let plan = RunPlan {
                        generator: Generator::default(),
                        detail_rounds: 0,
                        trigger: self.trigger,
                        seed,
                        rounds: self.rounds,
                        engine,
                    };
                    let simulation = black_box(simulate(paytable, &plan, &())?);
                    let spins = u64::try_from(simulation.tally.spins()).unwrap_or(u64::MAX);
                    let other = (engine != EngineKind::Auto && simulation.engine != engine)
                        .then_some(simulation.engine);
                    (spins, other)
                }
            };
            let seconds = began.elapsed().as_secs_f64();
            let cpu_seconds = cpu_before
                .zip(process_seconds())
                .map(|(before, after)| after - before);
            Ok(Sample {
                spins,
                played_by,
                seconds,
                cpu_seconds,
            })
        })
    }

    /// Plays the rounds the straightforward way and gives their spins.
    fn play_plainly(&self, paytable: &Paytable, seed: u64) -> u64 {
        let play = |rounds, seed| {
            let counts = yardstick::play(paytable, self.trigger, rounds, seed)
                .expect("the trigger was checked");
            black_box(counts)
        };
        if self.threads == 1 {
            return play(self.rounds, seed).spins;
        }
        let pieces = self.rounds.div_ceil(PIECE);
        (0..pieces)
            .into_par_iter()
            .map(|piece| {
                let rounds = PIECE.min(self.rounds - piece * PIECE);
                play(rounds, seed.wrapping_add(piece))
            })
            .reduce_with(|mut a, b| {
                for (meter, rounds) in b.histogram {
                    *a.histogram.entry(meter).or_insert(0) += rounds;
                }
                a.spins += b.spins;
                a
            })
            .map_or(0, |counts| counts.spins)
    }
}

/// A number of samples or threads as a divisor.
#[expect(clippy::cast_precision_loss, reason = "some thousand at most")]
fn count(number: usize) -> f64 {
    number.max(1) as f64
}

fn document(
    file: &PaytableFile,
    plan: &BenchPlan,
    subjects: &[Subject],
    unmeasured: &NotMeasured,
) -> Result<BenchDocument, BenchError> {
    let mut triggers = Vec::new();
    for &trigger in &plan.triggers {
        let results = subjects
            .iter()
            .filter(|subject| subject.trigger == trigger)
            .map(result)
            .collect::<Result<_, _>>()?;
        let unmeasured = unmeasured
            .iter()
            .filter(|(of, _)| *of == trigger)
            .map(|(_, unmeasured)| unmeasured.clone())
            .collect();
        let mut entry = BenchTrigger {
            trigger: trigger.number(),
            results,
            unmeasured,
        };
        for index in 0..entry.results.len() {
            let ratio = ratios(&entry, &entry.results[index])
                .map(|ratios| Spread::of(&ratios))
                .transpose()?;
            entry.results[index].ratio = ratio.map(SpreadJson::from);
        }
        triggers.push(entry);
    }
    Ok(BenchDocument {
        schema: BenchDocument::SCHEMA.to_owned(),
        tool: Tool::current(),
        build: build(),
        machine: machine(),
        paytable: file.into(),
        seed: plan.seed.to_string(),
        samples: plan.samples,
        triggers,
        comparison: None,
    })
}

fn result(subject: &Subject) -> Result<BenchResult, StatsError> {
    let spread = |values: &[f64]| Spread::of(values).map(SpreadJson::from);
    let cpu_nanoseconds: Vec<f64> = rates(subject.rounds, &subject.cpu_seconds)
        .into_iter()
        .map(|rate| 1e9 / rate)
        .collect();
    Ok(BenchResult {
        engine: subject.name().to_owned(),
        played_by: subject.played_by.map(|engine| engine.name().to_owned()),
        threads: subject.threads,
        rounds: subject.rounds,
        spins: subject.spins,
        rounds_per_second: spread(&rates(subject.rounds, &subject.seconds))?,
        spins_per_second: spread(&rates(subject.spins, &subject.seconds))?,
        cpu_nanoseconds_per_round: (!cpu_nanoseconds.is_empty())
            .then(|| spread(&cpu_nanoseconds))
            .transpose()?,
        ratio: None,
        seconds: subject.seconds.clone(),
        cpu_seconds: subject.cpu_seconds.clone(),
    })
}

#[cfg(test)]
#[path = "measure_tests.rs"]
mod tests;
