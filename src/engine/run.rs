//! A run: batches over workers, in waves.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::batch::{Game, Player, batch_of};
use super::detail::{Detail, DetailParts};
use super::error::EngineError;
use super::leaf::{Leaf, LeafResults, leaf_batches};
use super::observer::{Observer, Progress};
use super::plan::{EngineKind, RunPlan};
use super::stream::BATCH_ROUNDS;
use super::tally::Tally;
use crate::paytable::Paytable;

/// How long a wave should take: the observer's rhythm, and the delay of a stop.
const WAVE: Duration = Duration::from_millis(500);

/// Pieces of a wave for each worker, at least. More even out workers of unequal speed;
/// fewer save tallies, which each piece makes anew.
const CHUNKS_PER_WORKER: u64 = 8;

/// The most batches of a wave, so that its size stays an ordinary number.
const MAX_WAVE: u64 = 1 << 24;

/// The integer results of a run, or of the part of it that was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulation {
    /// The plan.
    pub plan: RunPlan,
    /// The results; [`Tally::rounds`] is the number of rounds played.
    pub tally: Tally,
    /// What the rounds below [`RunPlan::detail_rounds`] were made of; of no rounds where
    /// none of those that were played is.
    pub detail: Detail,
    /// The batches that were played, contiguous.
    pub batches: Range<u64>,
    /// Their leaves, in order: the pieces that add up to tally and detail.
    pub leaves: Vec<Leaf>,
    /// Whether the observer stopped it before the last batch asked.
    pub is_partial: bool,
    /// The implementation that played: for a note on speed, never part of a result.
    pub engine: EngineKind,
    /// Why the vector engine did not play, where one was wanted: for the same note.
    pub fallback: Option<&'static str>,
}

impl Simulation {
    /// The simulation whose leaves these are: what they add up to.
    ///
    /// # Arguments
    /// - `batches`: those of the leaves, from the start of a leaf to the end of one; of an
    ///   empty range there are no leaves and no rounds
    ///
    /// # Errors
    /// - [`EngineError::Batches`]: the range leaves the run or cuts a leaf
    /// - [`EngineError::Leaves`], [`EngineError::Leaf`]: these are not the leaves of the range
    /// - [`EngineError::TallyOverflow`]: a sum passes its type
    pub fn from_leaves(
        paytable: &Paytable,
        plan: &RunPlan,
        batches: Range<u64>,
        leaves: Vec<Leaf>,
    ) -> Result<Self, EngineError> {
        let leaf_batches = plan.leaf_batches();
        let is_end = |batch: u64| batch.is_multiple_of(leaf_batches) || batch == plan.batches();
        if batches.start > batches.end
            || batches.end > plan.batches()
            || !is_end(batches.start)
            || !is_end(batches.end)
        {
            return Err(EngineError::Batches {
                start: batches.start,
                end: batches.end,
                batches: plan.batches(),
            });
        }
        let expected = leaves_in(leaf_batches, &batches).count();
        if leaves.len() != expected {
            return Err(EngineError::Leaves {
                found: leaves.len() as u64,
                expected: expected as u64,
            });
        }
        let (mut tally, mut detail) = (Tally::new(), Detail::new(paytable));
        for (leaf, range) in leaves.iter().zip(leaves_in(leaf_batches, &batches)) {
            let results =
                leaf.results(paytable, plan, &range)
                    .map_err(|reason| EngineError::Leaf {
                        index: range.start / leaf_batches,
                        reason: Box::new(reason),
                    })?;
            tally.merge(&results.tally)?;
            detail.merge(&results.detail)?;
        }
        Ok(Self {
            plan: *plan,
            tally,
            detail,
            batches,
            leaves,
            is_partial: false,
            engine: plan.engine,
            fallback: None,
        })
    }
}

/// How far a run is, and all that it needs to go on.
///
/// Integers alone, so a run that goes on from here, on any machine, any engine and any
/// number of threads, ends as if it had never stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunState {
    /// The first batch that was not played.
    pub next_batch: u64,
    /// The results of the batches before it.
    pub tally: Tally,
    /// What their watched rounds were made of; [`DetailParts::default`] will do for none.
    pub detail: DetailParts,
    /// Their leaves, in order; the last one holds what was played of a leaf that goes on.
    pub leaves: Vec<Leaf>,
}

/// The state at the end of what was played.
impl From<Simulation> for RunState {
    fn from(played: Simulation) -> Self {
        Self {
            next_batch: played.batches.end,
            tally: played.tally,
            detail: played.detail.parts().clone(),
            leaves: played.leaves,
        }
    }
}

impl RunState {
    /// Before the first batch of a range.
    #[must_use]
    pub fn start(batches: &Range<u64>) -> Self {
        Self {
            next_batch: batches.start,
            tally: Tally::new(),
            detail: DetailParts::default(),
            leaves: Vec::new(),
        }
    }

    /// The same rounds as the beginning of a longer run: leaves are joined to those that a
    /// run of that length has.
    ///
    /// # Arguments
    /// - `from`: the plan that was carried out up to this state, from its first batch
    /// - `to`: the longer one, equal but for its rounds
    ///
    /// # Errors
    /// - [`EngineError::State`]: this state does not lie between two leaves of the longer run
    /// - those of [`Leaf::results`] and of merging
    pub fn lengthened(
        mut self,
        paytable: &Paytable,
        from: &RunPlan,
        to: &RunPlan,
    ) -> Result<Self, EngineError> {
        let (fine, coarse) = (from.leaf_batches(), to.leaf_batches());
        let played = 0..self.next_batch;
        let is_whole = self.next_batch.is_multiple_of(coarse)
            && self.next_batch * u64::from(BATCH_ROUNDS) == self.tally.rounds();
        if !is_whole || to.rounds < self.tally.rounds() || !coarse.is_multiple_of(fine) {
            return Err(EngineError::State {
                next_batch: self.next_batch,
                rounds: self.tally.rounds(),
                start: 0,
                end: to.batches(),
            });
        }
        if coarse == fine {
            return Ok(self);
        }
        let mut pieces = leaves_in(fine, &played).zip(&self.leaves);
        let mut leaves = Vec::new();
        for range in leaves_in(coarse, &played) {
            let (mut tally, mut detail) = (Tally::new(), Detail::new(paytable));
            for (piece, leaf) in pieces.by_ref() {
                let results = leaf.results(paytable, from, &piece)?;
                tally.merge(&results.tally)?;
                detail.merge(&results.detail)?;
                if piece.end == range.end {
                    break;
                }
            }
            leaves.push(Leaf::new(&range, &tally, detail.parts()));
        }
        self.leaves = leaves;
        Ok(self)
    }

    /// Whether this can be a state of these batches of a run of `rounds` rounds, of which
    /// the first `detail_rounds` are watched: the next batch lies in the range or at its
    /// end, and tally and detail have just the rounds of the batches before it.
    ///
    /// # Errors
    /// [`EngineError::State`], [`EngineError::InconsistentDetail`]
    pub fn check(
        &self,
        rounds: u64,
        detail_rounds: u64,
        batches: &Range<u64>,
    ) -> Result<(), EngineError> {
        let played = batches.start..self.next_batch;
        let expected = rounds_of(rounds, &played);
        if self.detail.rounds != rounds_of(rounds.min(detail_rounds), &played) {
            return Err(EngineError::InconsistentDetail {
                reason: "it has other rounds than those that were watched",
            });
        }
        let leaf = leaf_batches(rounds);
        let first = batches.start.saturating_mul(BATCH_ROUNDS.into());
        let has_largest = |round| (first..first + expected).contains(&round);
        if (batches.start..=batches.end).contains(&self.next_batch)
            && self.tally.rounds() == expected
            && self.tally.max_round().is_none_or(has_largest)
            && self.leaves.len() == leaves_in(leaf, &played).count()
        {
            Ok(())
        } else {
            Err(EngineError::State {
                next_batch: self.next_batch,
                rounds: self.tally.rounds(),
                start: batches.start,
                end: batches.end,
            })
        }
    }
}

/// Rounds that some batches of a run of `rounds` rounds hold.
pub(super) fn rounds_of(rounds: u64, batches: &Range<u64>) -> u64 {
    let before = |batch: u64| batch.saturating_mul(BATCH_ROUNDS.into()).min(rounds);
    before(batches.end).saturating_sub(before(batches.start))
}

/// The leaves that some batches touch, each with those of its batches that are among them.
///
/// # Arguments
/// - `leaf`: batches of a leaf, [`leaf_batches`] of the run's rounds
pub fn leaves_in(leaf: u64, batches: &Range<u64>) -> impl Iterator<Item = Range<u64>> + use<> {
    let Range { start, end } = batches.clone();
    let indices = if start < end {
        start / leaf..end.div_ceil(leaf)
    } else {
        0..0
    };
    indices.map(move |index| (index * leaf).max(start)..((index + 1) * leaf).min(end))
}

/// Plays a run.
///
/// Works in whichever rayon pool is installed and prints nothing.
///
/// # Arguments
/// - `plan`: `rounds` in \[1, 10^15\]
/// - `observer`: `&()` for none
/// # Determinism
/// Paytable, trigger, seed, generator and rounds fix the tally, and with the rounds to be
/// watched the detail. Threads, engine, the size of waves
/// and the observer, while it does not stop the run, do not enter. A run that is
/// stopped is exactly the run of its first batches.
/// # Errors
/// - [`EngineError::UnknownTrigger`], [`EngineError::Rounds`], [`EngineError::Unavailable`]:
///   the plan cannot be carried out
/// - [`EngineError::Round`], [`EngineError::TallyOverflow`]: a round or a sum is out of
///   bounds; of several in one wave the first batch's is reported
pub fn simulate(
    paytable: &Paytable,
    plan: &RunPlan,
    observer: &dyn Observer,
) -> Result<Simulation, EngineError> {
    simulate_batches(paytable, plan, 0..plan.batches(), observer)
}

/// Plays some batches of a run: a shard, the rest of an interrupted run, or a sample
/// that a third party repeats.
///
/// The tallies of ranges that make up 0 to [`RunPlan::batches`] merge to that of
/// [`simulate`], and so do the details. The last batch of the run holds only the rounds that are left.
///
/// # Errors
/// Those of [`simulate`], and [`EngineError::Batches`] where the range is empty or
/// leaves the run
pub fn simulate_batches(
    paytable: &Paytable,
    plan: &RunPlan,
    batches: Range<u64>,
    observer: &dyn Observer,
) -> Result<Simulation, EngineError> {
    let start = RunState::start(&batches);
    continue_batches(paytable, plan, batches, start, observer)
}

/// Plays what is left of some batches of a run after a state that
/// [`Observer::state`] was shown, and adds it to that state.
///
/// The result is that of [`simulate_batches`] to the last bit: where the state came
/// from does not enter. A state at the end of the range plays nothing.
///
/// # Errors
/// Those of [`simulate_batches`], and [`EngineError::State`] or
/// [`EngineError::InconsistentDetail`] where the state is not one of this range
pub fn continue_batches(
    paytable: &Paytable,
    plan: &RunPlan,
    batches: Range<u64>,
    mut state: RunState,
    observer: &dyn Observer,
) -> Result<Simulation, EngineError> {
    plan.check()?;
    if batches.is_empty() || batches.end > plan.batches() {
        return Err(EngineError::Batches {
            start: batches.start,
            end: batches.end,
            batches: plan.batches(),
        });
    }
    state.check(plan.rounds, plan.detail_rounds, &batches)?;
    let mut detail = Detail::from_parts(paytable, state.detail.clone())?;
    let game = Game::new(
        paytable,
        plan.trigger,
        plan.seed,
        plan.generator,
        plan.engine,
    )?;
    let rounds_planned = rounds_of(plan.rounds, &batches);

    let workers = rayon::current_num_threads() as u64;
    let players = Mutex::new(Vec::new());
    let leaf = leaf_batches(plan.rounds);
    let mut open = open_leaf(paytable, plan, &batches, &state)?;
    let mut wave = workers;
    let mut is_stopped = false;
    while state.next_batch < batches.end && !is_stopped {
        let end = state.next_batch.saturating_add(wave).min(batches.end);
        let began = Instant::now();
        let ranges: Vec<Range<u64>> = leaves_in(leaf, &(state.next_batch..end)).collect();
        let pieces = (workers * CHUNKS_PER_WORKER).div_ceil(ranges.len() as u64);
        let played = ranges
            .par_iter()
            .map(|range| play_leaf(&game, &players, plan, range, pieces))
            .collect::<Vec<_>>();
        for (range, results) in ranges.into_iter().zip(played) {
            let results = results?;
            state.tally.merge(&results.tally)?;
            if results.detail.rounds() > 0 {
                detail.merge(&results.detail)?;
                state.detail = detail.parts().clone();
            }
            let (range, results) = match open.take() {
                Some((begun, mut before)) => {
                    before.merge(&results)?;
                    state.leaves.pop();
                    (begun.start..range.end, before)
                }
                None => (range, results),
            };
            let (tally, parts) = (&results.tally, results.detail.parts());
            state.leaves.push(Leaf::new(&range, tally, parts));
            if !range.end.is_multiple_of(leaf) {
                open = Some((range, results));
            }
        }
        state.next_batch = end;
        wave = next_wave(wave, began.elapsed());
        let progress = Progress {
            rounds_done: state.tally.rounds(),
            rounds_planned,
            sum_meter: state.tally.sum_meter(),
            sum_meter_squared: state.tally.sum_meter_squared(),
        };
        is_stopped = observer.progress(&progress).is_break() || observer.state(&state).is_break();
    }
    Ok(Simulation {
        plan: *plan,
        is_partial: state.next_batch < batches.end,
        batches: batches.start..state.next_batch,
        tally: state.tally,
        detail,
        leaves: state.leaves,
        engine: game.engine(),
        fallback: game.fallback(),
    })
}

/// The size of the wave after one of `wave` batches that took `elapsed`: as many as
/// would have filled the time of a wave, but at most four times as many, since the
/// first waves also pay for cold caches and a pool that wakes up.
fn next_wave(wave: u64, elapsed: Duration) -> u64 {
    let nanoseconds = elapsed.as_nanos().max(1);
    let fitting = u128::from(wave) * WAVE.as_nanos() / nanoseconds;
    u64::try_from(fitting)
        .unwrap_or(MAX_WAVE)
        .clamp(1, (4 * wave).min(MAX_WAVE))
}

/// The integers of some batches.
struct Results {
    tally: Tally,
    detail: Detail,
}

impl Results {
    fn merge(&mut self, other: &Self) -> Result<(), EngineError> {
        self.tally.merge(&other.tally)?;
        self.detail.merge(&other.detail)
    }
}

/// Plays batches of one leaf in so many pieces. Players and their buffers are taken from
/// those that rest, and rest again with nothing left to count.
fn play_leaf<'g>(
    game: &'g Game<'g>,
    players: &Mutex<Vec<Player<'g>>>,
    plan: &RunPlan,
    batches: &Range<u64>,
    pieces: u64,
) -> Result<Results, EngineError> {
    let count = batches.end - batches.start;
    let piece = count.div_ceil(pieces);
    let mut results = (0..count.div_ceil(piece))
        .into_par_iter()
        .map(|index| {
            let start = batches.start + index * piece;
            let end = (start + piece).min(batches.end);
            let mut tally = Tally::new();
            let mut detail = game.no_detail();
            let idle = lock(players).pop();
            let mut player = idle.unwrap_or_else(|| game.player());
            for batch in start..end {
                player
                    .play_watched(plan, batch, &mut tally, &mut detail)
                    .map_err(|error| (batch, error))?;
            }
            player
                .close(&mut tally)
                .map_err(|error| (u64::MAX, error))?;
            lock(players).push(player);
            Ok(Results { tally, detail })
        })
        .reduce_with(|a, b| match (a, b) {
            (Ok(mut a), Ok(b)) => a
                .merge(&b)
                .map(|()| a)
                // A sum over several batches has no batch of its own: any other error
                // goes before it.
                .map_err(|error| (u64::MAX, error)),
            // The first batch's error, whichever worker met one first.
            (Err(a), Err(b)) => Err(if a.0 <= b.0 { a } else { b }),
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        })
        .expect("a leaf has at least one batch")
        .map_err(|(_, error)| error)?;
    // Leaves, observers and files know rounds and not batches.
    if let Some((_, round)) = results.tally.unresolved_max() {
        results.tally.resolve_max(game.largest_of(batch_of(round))?);
    }
    Ok(results)
}

/// What a state has of a leaf that goes on after it, and its batches.
fn open_leaf(
    paytable: &Paytable,
    plan: &RunPlan,
    batches: &Range<u64>,
    state: &RunState,
) -> Result<Option<(Range<u64>, Results)>, EngineError> {
    let leaf = leaf_batches(plan.rounds);
    let begun = leaves_in(leaf, &(batches.start..state.next_batch)).last();
    let (Some(range), Some(stored)) = (begun, state.leaves.last()) else {
        return Ok(None);
    };
    if range.end.is_multiple_of(leaf) {
        return Ok(None);
    }
    let LeafResults { tally, detail } = stored.results(paytable, plan, &range)?;
    Ok(Some((range, Results { tally, detail })))
}

/// The players that rest. Nothing panics while it has them, so the lock is never poisoned.
fn lock<'l, 'g>(players: &'l Mutex<Vec<Player<'g>>>) -> MutexGuard<'l, Vec<Player<'g>>> {
    players.lock().expect("no worker panics with the players")
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
