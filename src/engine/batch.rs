//! One batch: the unit that is drawn, played and repeated as a whole.

use super::attribution::witness::{Both, Watching};
use super::attribution::{Attribution, Attributor, Rounds, Watch};
use super::counts::ShortCounts;
use super::detail::Detail;
use super::error::{EngineError, RoundError};
use super::generator::Generator;
use super::packed::{Ended, Limits, PackedBatch, PackedTable};
use super::plan::{EngineKind, RunPlan};
use super::reference::{self, Witness};
use super::round::{MAX_ROUND_SPINS, Round};
use super::sampler::{SpinTable, StartTable};
use super::scalar::{Cell, Law, Scalar, Sink, Stopped};
use super::stream::{BATCH_ROUNDS, Stream};
use super::tally::Tally;
use super::wavefront::{Rest, Vector, WaveTable, Wavefront};
use crate::paytable::Paytable;
use crate::rules::Trigger;

/// A paytable made ready for one trigger and one seed; shared by all workers.
#[derive(Debug)]
pub(super) struct Game<'p> {
    paytable: &'p Paytable,
    trigger: Trigger,
    seed: u64,
    generator: Generator,
    limits: Limits,
    cap: u64,
    start: StartTable,
    table: SpinTable,
    packed: Option<PackedTable>,
    path: Path,
    /// Absent where watched rounds are played clause by clause.
    attribution: Option<Attribution>,
    wave: Option<(Vector, WaveTable)>,
    /// Why the vector engine does not play, where one was wanted.
    fallback: Option<&'static str>,
}

/// How the batches of a game are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    /// Clause by clause, checked.
    Reference,
    /// From tables, multipliers of 32 bits.
    Scalar32,
    /// From tables, multipliers of 64 bits.
    Scalar64,
}

impl<'p> Game<'p> {
    pub(super) fn new(
        paytable: &'p Paytable,
        trigger: Trigger,
        seed: u64,
        generator: Generator,
        engine: EngineKind,
    ) -> Result<Self, EngineError> {
        let terms = paytable
            .terms(trigger)
            .ok_or(EngineError::UnknownTrigger { trigger })?;
        let start = StartTable::new(paytable, trigger);
        let table = SpinTable::new(paytable);
        let path = match engine {
            EngineKind::Reference => Path::Reference,
            _ => scalar_path(&start, &table, paytable.rules.max_spins),
        };
        let vector = match engine {
            EngineKind::Auto => Vector::detect(),
            EngineKind::Avx512 | EngineKind::Avx2 => {
                let vector = Vector::named(engine).ok_or(EngineError::Unavailable {
                    engine,
                    reason: "the processor does not have its instructions",
                })?;
                Some(vector)
            }
            EngineKind::Scalar | EngineKind::Reference => None,
        };
        let compiled = vector
            .map(|vector| WaveTable::new(paytable, trigger, &start).map(|table| (vector, table)));
        let (wave, fallback) = match compiled {
            None => (None, None),
            Some(Ok(wave)) => (Some(wave), None),
            Some(Err(reason)) => (None, Some(reason)),
        };
        let mut game = Self {
            paytable,
            trigger,
            seed,
            generator,
            limits: Limits {
                spins: terms.spins,
                max_spins: paytable.rules.max_spins.unwrap_or(u32::MAX),
            },
            cap: paytable.rules.max_meter.unwrap_or(u64::MAX),
            packed: PackedTable::new(&start, &table),
            start,
            table,
            path,
            attribution: None,
            wave,
            fallback,
        };
        if path != Path::Reference {
            game.attribution = Some(Attribution::new(paytable, game.law()));
        }
        Ok(game)
    }

    /// The detail of no rounds.
    pub(super) fn no_detail(&self) -> Detail {
        Detail::new(self.paytable)
    }

    /// The implementation that plays.
    pub(super) fn engine(&self) -> EngineKind {
        match (&self.wave, self.path) {
            (Some((vector, _)), _) => vector.engine(),
            (None, Path::Reference) => EngineKind::Reference,
            (None, Path::Scalar32 | Path::Scalar64) => EngineKind::Scalar,
        }
    }

    /// Why the vector engine does not play, where one was wanted.
    pub(super) fn fallback(&self) -> Option<&'static str> {
        self.fallback
    }

    /// A player with buffers of its own, for one worker.
    pub(super) fn player(&self) -> Player<'_> {
        let wave = self
            .wave
            .as_ref()
            .map(|(vector, table)| Wavefront::new(*vector, table, self.limits.max_spins, self.cap));
        Player {
            game: self,
            wave,
            by_slot: self.by_slot(),
        }
    }

    fn by_slot(&self) -> BySlot<'_> {
        BySlot {
            game: self,
            counts: ShortCounts::new(),
            attributor: Attributor::default(),
            buffers: match self.path {
                Path::Reference => Buffers::Reference,
                Path::Scalar32 => Buffers::Scalar32(Scalar::new()),
                Path::Scalar64 => Buffers::Scalar64(Scalar::new()),
            },
        }
    }

    /// The first round of a batch whose meter is the largest that is paid in it.
    pub(super) fn largest_of(&self, batch: u64) -> Result<u64, EngineError> {
        let mut tally = Tally::new();
        self.by_slot().play(batch, BATCH_ROUNDS, &mut tally)?;
        Ok(tally.max_round().expect("a batch has rounds"))
    }

    fn law(&self) -> Law<'_> {
        Law {
            start: &self.start,
            table: &self.table,
            packed: self.packed.as_ref(),
            limits: self.limits,
        }
    }

    fn stream(&self, batch: u64) -> Stream {
        Stream::new(self.generator, self.seed, self.trigger, batch)
    }

    /// Plays a batch clause by clause before a witness.
    pub(super) fn witness(
        &self,
        batch: u64,
        witness: &mut impl Witness,
    ) -> Result<(), EngineError> {
        reference::play(self.paytable, self.trigger, self.stream(batch), witness)
            .map_err(|(slot, source)| round_error(batch, slot, source))
    }
}

/// The narrowest cells that cannot overflow, or the reference path.
///
/// With starts up to s and at most g added in a spin, a multiplier is at most s + g t
/// after t spins, and a meter at most t times that. t ends at the paytable's limit of
/// spins or at the engine's. 32 bits suffice for the Pennsylvania wheels to the end;
/// the largest numbers that a paytable may have need 41 bits.
fn scalar_path(start: &StartTable, table: &SpinTable, max_spins: Option<u32>) -> Path {
    let spins = u128::from(max_spins.unwrap_or(u32::MAX).min(MAX_ROUND_SPINS));
    let multiplier = u128::from(start.largest()) + spins * u128::from(table.largest_growth());
    let multiplier = multiplier.max(u128::from(table.floor));
    let meter = spins * multiplier;
    if meter > u128::from(u64::MAX) {
        Path::Reference
    } else if multiplier > u128::from(<u32 as Cell>::MAX) {
        Path::Scalar64
    } else {
        Path::Scalar32
    }
}

/// The index of the round in a slot of a batch.
pub(super) fn round_index(batch: u64, slot: u16) -> u64 {
    batch * u64::from(BATCH_ROUNDS) + u64::from(slot)
}

/// The batch of a round.
pub(super) const fn batch_of(round: u64) -> u64 {
    round / BATCH_ROUNDS as u64
}

/// The slot of a round in its batch.
pub(super) fn slot_of(round: u64) -> u16 {
    u16::try_from(round % u64::from(BATCH_ROUNDS)).expect("below 2^14")
}

fn round_error(batch: u64, slot: u16, source: RoundError) -> EngineError {
    EngineError::Round {
        round: round_index(batch, slot),
        source,
    }
}

/// Plays batches of a game, one after another.
#[derive(Debug)]
pub(super) struct Player<'g> {
    game: &'g Game<'g>,
    wave: Option<Wavefront<'g>>,
    by_slot: BySlot<'g>,
}

impl Player<'_> {
    /// [`play`](Self::play), where the rounds of the batch that the plan wants watched
    /// also fill a detail. A batch is played once, so one with such rounds is watched as
    /// a whole, whatever the engine.
    pub(super) fn play_watched(
        &mut self,
        plan: &RunPlan,
        batch: u64,
        tally: &mut Tally,
        detail: &mut Detail,
    ) -> Result<(), EngineError> {
        let kept = plan.rounds_of_batch(batch);
        match plan.watched_rounds_of_batch(batch) {
            0 => self.play(plan, batch, tally),
            watched => self.by_slot.watch(batch, kept, tally, (watched, detail)),
        }
    }

    /// Plays a batch of a run and counts those of its rounds that the run has. Some
    /// counts come to the tally only with [`close`](Self::close).
    pub(super) fn play(
        &mut self,
        plan: &RunPlan,
        batch: u64,
        tally: &mut Tally,
    ) -> Result<(), EngineError> {
        let kept = plan.rounds_of_batch(batch);
        let game = self.game;
        let by_slot = &mut self.by_slot;
        if let Some(wave) = &mut self.wave
            // A surplus is dropped by slot, which byte lanes do not keep.
            && kept == BATCH_ROUNDS
        {
            let stream = game.stream(batch);
            let played = wave.play(&game.start, stream, batch, |rest, end| {
                by_slot.finish(batch, rest, end)
            });
            return match played {
                Ok(()) => wave.take_if_full(tally),
                // It fails again, and then the slot says which round it is.
                Err(error) => by_slot.play(batch, kept, tally).and(Err(error)),
            };
        }
        by_slot.play(batch, kept, tally)
    }

    /// Adds what was counted apart from the tally, and counts on from nothing.
    pub(super) fn close(&mut self, tally: &mut Tally) -> Result<(), EngineError> {
        match &mut self.wave {
            Some(wave) => wave.take(tally),
            None => Ok(()),
        }
    }
}

/// Plays batches with the slot of every round at hand.
#[derive(Debug)]
struct BySlot<'g> {
    game: &'g Game<'g>,
    counts: ShortCounts,
    attributor: Attributor,
    buffers: Buffers,
}

#[derive(Debug)]
enum Buffers {
    Reference,
    Scalar32(Scalar<u32>),
    Scalar64(Scalar<u64>),
}

impl BySlot<'_> {
    /// Plays a batch and counts its first `kept` rounds.
    fn play(&mut self, batch: u64, kept: u32, tally: &mut Tally) -> Result<(), EngineError> {
        let mut counting = Counting {
            batch,
            kept,
            cap: self.game.cap,
            tally,
            counts: &mut self.counts,
            result: Ok(()),
        };
        match &mut self.buffers {
            Buffers::Reference => {
                self.game.witness(batch, &mut counting)?;
                counting.result
            }
            Buffers::Scalar32(scalar) => play_scalar(self.game, scalar, &mut counting),
            Buffers::Scalar64(scalar) => play_scalar(self.game, scalar, &mut counting),
        }
    }

    /// [`play`](Self::play), with the first rounds, as many as `watched`, also in a detail.
    fn watch(
        &mut self,
        batch: u64,
        kept: u32,
        tally: &mut Tally,
        (watched, detail): (u32, &mut Detail),
    ) -> Result<(), EngineError> {
        let game = self.game;
        let mut counting = Counting {
            batch,
            kept,
            cap: game.cap,
            tally,
            counts: &mut self.counts,
            result: Ok(()),
        };
        let Some(attribution) = &game.attribution else {
            let watching = Watching::new(game.paytable, watched, detail);
            let mut both = Both(counting, watching);
            game.witness(batch, &mut both)?;
            both.0.result?;
            return both.1.close();
        };
        let mut watch = Watch {
            watched,
            cap: game.cap,
            sink: &mut counting,
            detail,
        };
        self.attributor
            .play(game.law(), attribution, game.stream(batch), &mut watch)
            .map_err(|stopped| stopped.in_batch(batch))
    }

    /// Plays rounds to their end that byte lanes do not hold any more.
    ///
    /// # Arguments
    /// - `end`: takes the number of spins and the uncapped meter of each
    fn finish(
        &mut self,
        batch: u64,
        rest: Rest,
        end: &mut dyn FnMut(u32, u64),
    ) -> Result<(), EngineError> {
        let (law, mut sink) = (self.game.law(), Handing(end));
        let Rest {
            age,
            rounds,
            stream,
        } = rest;
        let played = match &mut self.buffers {
            Buffers::Scalar32(scalar) => scalar.resume(law, stream, age, &rounds, &mut sink),
            Buffers::Scalar64(scalar) => scalar.resume(law, stream, age, &rounds, &mut sink),
            Buffers::Reference => unreachable!("numbers that begin as bytes fit 64 bits"),
        };
        played.map_err(|stopped| stopped.in_batch(batch))
    }
}

/// Hands rounds on one by one.
struct Handing<'e>(&'e mut dyn FnMut(u32, u64));

impl Sink for Handing<'_> {
    fn packed(&mut self, _: &PackedBatch) -> Result<(), EngineError> {
        unreachable!("rounds that are handed over are not packed")
    }

    fn wide(&mut self, spins: u32, finished: &[(u16, u64)]) -> Result<(), EngineError> {
        for &(_, meter) in finished {
            (self.0)(spins, meter);
        }
        Ok(())
    }
}

impl Stopped {
    fn in_batch(self, batch: u64) -> EngineError {
        match self {
            Self::Round(slot, source) => round_error(batch, slot, source),
            Self::Tally(error) => error,
        }
    }
}

fn play_scalar<M: Cell>(
    game: &Game<'_>,
    scalar: &mut Scalar<M>,
    sink: &mut Counting<'_>,
) -> Result<(), EngineError> {
    let batch = sink.batch;
    scalar
        .play(game.law(), game.stream(batch), sink)
        .map_err(|stopped| stopped.in_batch(batch))
}

/// Counts the rounds of a batch, without its surplus.
struct Counting<'t> {
    batch: u64,
    kept: u32,
    cap: u64,
    tally: &'t mut Tally,
    counts: &'t mut ShortCounts,
    result: Result<(), EngineError>,
}

impl Witness for Counting<'_> {
    fn ended(&mut self, slot: u16, round: &Round<'_>) {
        if u32::from(slot) >= self.kept || self.result.is_err() {
            return;
        }
        let finished = (round_index(self.batch, slot), round.uncapped_meter());
        self.result = self
            .tally
            .record(round.spins(), std::iter::once(finished), self.cap);
    }
}

impl Rounds for Counting<'_> {
    fn short<'e>(
        &mut self,
        all: &[Ended],
        by_spin: impl Iterator<Item = (u32, &'e [Ended])>,
    ) -> Result<(), EngineError> {
        let first_round = round_index(self.batch, 0);
        if self.kept == BATCH_ROUNDS {
            for (spins, ended) in by_spin {
                self.tally.add_length(spins as usize, ended.len() as u64);
            }
            return self.counts.record(all, first_round, self.cap, self.tally);
        }
        for (spins, ended) in by_spin {
            let kept: Vec<Ended> = ended
                .iter()
                .copied()
                .filter(|round| u32::from(round.slot()) < self.kept)
                .collect();
            self.tally.add_length(spins as usize, kept.len() as u64);
            self.counts
                .record(&kept, first_round, self.cap, self.tally)?;
        }
        Ok(())
    }
}

impl Sink for Counting<'_> {
    fn packed(&mut self, batch: &PackedBatch) -> Result<(), EngineError> {
        self.short(batch.ended(), batch.ended_by_spin())
    }

    fn wide(&mut self, spins: u32, finished: &[(u16, u64)]) -> Result<(), EngineError> {
        let kept = finished
            .iter()
            .filter(|&&(slot, _)| u32::from(slot) < self.kept)
            .map(|&(slot, meter)| (round_index(self.batch, slot), meter));
        self.tally.record(spins, kept, self.cap)
    }
}

#[cfg(test)]
#[path = "batch_tests.rs"]
mod tests;
