//! Playing the rounds of a command: one trigger after another, with progress and, where
//! asked for, kept in a checkpoint.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use wonderspins::engine::{
    self, Checkpoint, CheckpointError, CheckpointFault, CheckpointFile, Observer, Progress,
    RunIdentity, RunPlan, RunState, Shard, Simulation, Tally,
};
use wonderspins::paytable::Paytable;
use wonderspins::report::format::grouped;
use wonderspins::rules::Trigger;

use crate::args::RunChoice;
use crate::message;
use crate::progress::{self, Reporter};

/// A checkpoint that was read, locked for this run.
pub(crate) struct Stored {
    file: CheckpointFile,
    checkpoint: Checkpoint,
}

impl Stored {
    /// The seed of its run.
    pub(crate) fn seed(&self) -> u64 {
        self.checkpoint.identity().seed
    }
}

/// Reads the checkpoint that a command is to go on with, if there is one.
pub(crate) fn stored(choice: &RunChoice, quiet: bool) -> anyhow::Result<Option<Stored>> {
    let Some(path) = choice.checkpoint.as_ref().filter(|_| choice.resume) else {
        return Ok(None);
    };
    let opened = CheckpointFile::open(path)?;
    if opened.is_none() {
        message::note(
            quiet,
            &format!(
                "there is no checkpoint `{}` yet: the run begins",
                path.display()
            ),
        );
    }
    Ok(opened.map(|(file, checkpoint)| Stored { file, checkpoint }))
}

/// The rounds of a command.
pub(crate) struct Playing<'a> {
    paytable: &'a Paytable,
    triggers: Vec<Trigger>,
    seed: u64,
    choice: &'a RunChoice,
    rounds: u64,
    shard: Option<Shard>,
    quiet: bool,
    keeper: Option<RefCell<Keeper>>,
    rounds_played: u64,
}

/// What is played.
pub(crate) struct Wanted<'a> {
    /// The game.
    pub(crate) paytable: &'a Paytable,
    /// Its triggers, in this order.
    pub(crate) triggers: &'a [Trigger],
    /// The seed.
    pub(crate) seed: u64,
    /// Rounds of the whole run for each trigger.
    pub(crate) rounds: u64,
    /// The part of the run; `None` for all of it.
    pub(crate) shard: Option<Shard>,
}

impl<'a> Playing<'a> {
    /// Makes or takes over the checkpoint, before a round is played.
    pub(crate) fn begin(
        wanted: &Wanted<'a>,
        choice: &'a RunChoice,
        stored: Option<Stored>,
        quiet: bool,
    ) -> anyhow::Result<Self> {
        let mut playing = Self {
            paytable: wanted.paytable,
            triggers: wanted.triggers.to_vec(),
            seed: wanted.seed,
            choice,
            rounds: wanted.rounds,
            shard: wanted.shard,
            quiet,
            keeper: None,
            rounds_played: 0,
        };
        let Some(path) = &choice.checkpoint else {
            return Ok(playing);
        };
        let wanted_shard = wanted.shard;
        // Of a plan the identity takes all but the trigger.
        let plan = playing.plan(Trigger::Two);
        let batches = playing.batches(&plan);
        let wanted = RunIdentity::new(wanted.paytable, wanted.triggers, &plan, batches);
        let is_new = stored.is_none();
        let (file, checkpoint) = if let Some(stored) = stored {
            stored
                .checkpoint
                .check(&wanted)
                .map_err(|source| CheckpointError::Unusable {
                    path: path.clone(),
                    source,
                })
                .map_err(|error| other_shard(error, wanted_shard, &stored.checkpoint, &wanted))?;
            (stored.file, stored.checkpoint)
        } else {
            let checkpoint = Checkpoint::new(wanted);
            (CheckpointFile::create(path, &checkpoint)?, checkpoint)
        };
        playing.keeper = Some(RefCell::new(Keeper {
            file: Some(file),
            checkpoint,
            is_bare: is_new,
            every: choice.checkpoint_every.0,
            last: Instant::now(),
            failure: None,
        }));
        Ok(playing)
    }

    /// The plan of the whole run for a trigger.
    pub(crate) fn plan(&self, trigger: Trigger) -> RunPlan {
        RunPlan {
            trigger,
            seed: self.seed,
            rounds: self.rounds,
            generator: self.choice.rng.into(),
            engine: self.choice.engine.into(),
            detail_rounds: self.choice.detail.rounds(),
        }
    }

    /// The batches of the run that are played.
    fn batches(&self, plan: &RunPlan) -> Range<u64> {
        self.shard
            .map_or(0..plan.batches(), |shard| shard.batches(plan))
    }

    /// Plays the rounds of a trigger, or those that the checkpoint leaves.
    pub(crate) fn play(&mut self, trigger: Trigger) -> anyhow::Result<Simulation> {
        let plan = self.plan(trigger);
        let batches = self.batches(&plan);
        if batches.is_empty() {
            // Some shard of a run with fewer leaves than shards.
            let none = Simulation::from_leaves(self.paytable, &plan, batches, Vec::new());
            return Ok(none?);
        }
        let rounds = plan.rounds_of(&batches);
        let state = match &self.keeper {
            Some(keeper) => keeper.borrow().checkpoint.state(trigger)?,
            None => RunState::start(&batches),
        };
        let rounds_before = state.tally.rounds();
        if rounds_before > 0 {
            message::note(
                self.quiet,
                &format!(
                    "{} of {} rounds of {trigger} Wonderspins are in the checkpoint",
                    grouped(&rounds_before.to_string()),
                    grouped(&rounds.to_string())
                ),
            );
        }
        let watch = Watch {
            trigger,
            reporter: Reporter::new(
                &self.title(trigger),
                rounds,
                rounds_before,
                self.choice.level(),
                self.quiet,
            )?,
            keeper: self.keeper.as_ref(),
        };
        let simulation = engine::continue_batches(self.paytable, &plan, batches, state, &watch);
        watch.reporter.finish();
        let simulation = simulation?;
        if let Some(reason) = simulation.fallback {
            message::note(
                self.quiet,
                &format!(
                    "{trigger} Wonderspins: the {} engine plays, since {reason}",
                    simulation.engine
                ),
            );
        }
        let rounds_played = simulation.tally.rounds() - rounds_before;
        self.rounds_played += rounds_played;
        if let Some(keeper) = &self.keeper {
            let mut keeper = keeper.borrow_mut();
            if let Some(failure) = keeper.failure.take() {
                return Err(failure.into());
            }
            if rounds_played > 0 {
                keeper.keep(trigger, &simulation.clone().into())?;
            }
        }
        Ok(simulation)
    }

    /// Plays the rounds of a trigger until they satisfy, looked at from time to time, or
    /// until there are no more.
    ///
    /// # Arguments
    /// - `is_enough`: of the results so far
    pub(crate) fn play_until(
        &mut self,
        trigger: Trigger,
        is_enough: &dyn Fn(&Tally) -> anyhow::Result<bool>,
    ) -> anyhow::Result<Simulation> {
        let watch = Watch {
            trigger,
            reporter: Reporter::new(
                &self.title(trigger),
                self.rounds,
                0,
                self.choice.level(),
                self.quiet,
            )?,
            keeper: None,
        };
        let mut before: Option<Simulation> = None;
        for rounds in engine::looks(self.rounds) {
            let plan = RunPlan {
                rounds,
                ..self.plan(trigger)
            };
            let batches = 0..plan.batches();
            let state = match before {
                Some(before) => {
                    let from = before.plan;
                    RunState::from(before).lengthened(self.paytable, &from, &plan)?
                }
                None => RunState::start(&batches),
            };
            let played = engine::continue_batches(self.paytable, &plan, batches, state, &watch)?;
            let is_last = played.is_partial || is_enough(&played.tally)?;
            before = Some(played);
            if is_last {
                break;
            }
        }
        watch.reporter.finish();
        let simulation = before.expect("a run is looked at once at least");
        self.rounds_played += simulation.tally.rounds();
        Ok(simulation)
    }

    /// `2 Wonderspins`, with its place where there are several.
    fn title(&self, trigger: Trigger) -> String {
        let count = self.triggers.len();
        match self.triggers.iter().position(|&other| other == trigger) {
            Some(place) if count > 1 => format!("{trigger} Wonderspins ({}/{count})", place + 1),
            _ => format!("{trigger} Wonderspins"),
        }
    }

    /// Rounds of all triggers that this process played.
    pub(crate) const fn rounds_played(&self) -> u64 {
        self.rounds_played
    }

    /// The end of a sentence on an interrupted run.
    pub(crate) fn how_to_go_on(&self) -> String {
        self.choice
            .checkpoint
            .as_ref()
            .map_or_else(String::new, |path| {
                format!("; `--resume` goes on with `{}`", path.display())
            })
    }
}

/// A refusal of a checkpoint that says what differs where it is the shard.
fn other_shard(
    error: CheckpointError,
    shard: Option<Shard>,
    stored: &Checkpoint,
    wanted: &RunIdentity,
) -> anyhow::Error {
    let CheckpointError::Unusable {
        path,
        source: CheckpointFault::OtherRun { .. },
    } = &error
    else {
        return error.into();
    };
    let found = stored.identity();
    let is_same_run = RunIdentity {
        batches: wanted.batches.clone(),
        ..found.clone()
    } == *wanted;
    if !is_same_run {
        return error.into();
    }
    let own = shard.map_or("the whole run".to_owned(), |shard| format!("shard {shard}"));
    anyhow!(
        "the checkpoint `{}` is of another part of the run: it covers batches {} to {}, {own} \
         batches {} to {}",
        path.display(),
        found.batches.start,
        found.batches.end,
        wanted.batches.start,
        wanted.batches.end
    )
}

/// The checkpoint of the run under way.
struct Keeper {
    /// There until it is removed.
    file: Option<CheckpointFile>,
    checkpoint: Checkpoint,
    /// Whether this run made the file and it has no round yet: nothing would be lost with it.
    is_bare: bool,
    every: Duration,
    last: Instant,
    /// What stopped the run.
    failure: Option<CheckpointError>,
}

impl Keeper {
    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    fn keep(&mut self, trigger: Trigger, state: &RunState) -> Result<(), CheckpointError> {
        self.checkpoint.set_state(trigger, state);
        if let Some(file) = &mut self.file {
            let _whole = progress::hold_exit();
            file.write(&self.checkpoint)?;
        }
        self.is_bare = false;
        self.last = Instant::now();
        Ok(())
    }
}

/// A run that came to nothing leaves nothing behind.
impl Drop for Keeper {
    fn drop(&mut self) {
        if self.is_bare
            && let Some(file) = self.file.take()
        {
            let _ = file.remove();
        }
    }
}

/// Shows the progress and keeps the state.
struct Watch<'a> {
    trigger: Trigger,
    reporter: Reporter,
    keeper: Option<&'a RefCell<Keeper>>,
}

impl Observer for Watch<'_> {
    fn progress(&self, progress: &Progress) -> ControlFlow<()> {
        self.reporter.show(progress);
        if progress::is_interrupted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Hours of work rest on the checkpoint, so a write that fails ends the run: the last
    /// one is whole, and little is lost.
    fn state(&self, state: &RunState) -> ControlFlow<()> {
        let Some(keeper) = self.keeper else {
            return ControlFlow::Continue(());
        };
        let mut keeper = keeper.borrow_mut();
        if keeper.is_due()
            && let Err(failure) = keeper.keep(self.trigger, state)
        {
            keeper.failure = Some(failure);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
