//! A batch played from tables: the fast path without vectors.
//!
//! Rounds begin packed in two words ([`packed`]) where the paytable's
//! numbers are small enough, and go on here.
//!
//! The rounds of a batch move spin by spin. All rounds in play have the same age, so
//! the length of a round costs nothing to count; the survivors of a spin close ranks in
//! the order of slots, which is the order in which the next phase serves them.
//!
//! Arithmetic is unchecked because it is proved: `Game` computes how large a multiplier
//! and a meter can become before the longest round is given up, and chooses cells of
//! 32 or 64 bits, or the reference path.

use super::error::{EngineError, RoundError};
use super::packed::{Limits, PackedBatch, PackedTable};
use super::round::MAX_ROUND_SPINS;
use super::sampler::{Effect, NOBODY, Row, Scratch, SpinTable, StartTable};
use super::stream::{BATCH_ROUNDS, Stream};

/// An unsigned integer that holds a multiplier.
pub(super) trait Cell: Copy + Default + Send {
    /// The largest value.
    const MAX: u64;
    fn from_start(value: u32) -> Self;
    /// Adds an amount; the sum fits by the bounds of `Game`.
    fn plus(self, amount: u32) -> Self;
    /// Moves by `change`, not below `floor`.
    fn shifted(self, change: i32, floor: u32) -> Self;
    fn widen(self) -> u64;
}

impl Cell for u32 {
    const MAX: u64 = u32::MAX as u64;

    #[inline]
    fn from_start(value: u32) -> Self {
        value
    }

    #[inline]
    fn plus(self, amount: u32) -> Self {
        self + amount
    }

    #[inline]
    fn shifted(self, change: i32, floor: u32) -> Self {
        self.saturating_add_signed(change).max(floor)
    }

    #[inline]
    fn widen(self) -> u64 {
        u64::from(self)
    }
}

impl Cell for u64 {
    const MAX: u64 = u64::MAX;

    #[inline]
    fn from_start(value: u32) -> Self {
        Self::from(value)
    }

    #[inline]
    fn plus(self, amount: u32) -> Self {
        self + Self::from(amount)
    }

    #[inline]
    fn shifted(self, change: i32, floor: u32) -> Self {
        self.saturating_add_signed(i64::from(change))
            .max(Self::from(floor))
    }

    #[inline]
    fn widen(self) -> u64 {
        self
    }
}

/// Multipliers by position; position [`NOBODY`] stays zero, so that a spin without a
/// hit adds it like any other.
type Multipliers<M> = [M; 8];

/// What decides how a batch is played.
#[derive(Debug, Clone, Copy)]
pub(super) struct Law<'g> {
    pub(super) start: &'g StartTable,
    pub(super) table: &'g SpinTable,
    /// Present where rounds can begin packed.
    pub(super) packed: Option<&'g PackedTable>,
    pub(super) limits: Limits,
}

/// A round in play that another path hands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Carried {
    /// By position.
    pub(super) multipliers: [u32; 6],
    pub(super) meter: u16,
    pub(super) counter: u8,
}

/// Takes the rounds that are over.
pub(super) trait Sink {
    /// Rounds that were packed, all of a batch.
    fn packed(&mut self, batch: &PackedBatch) -> Result<(), EngineError>;
    /// Other rounds, that a spin ended: its number, slots and uncapped meters.
    fn wide(&mut self, spins: u32, finished: &[(u16, u64)]) -> Result<(), EngineError>;
}

/// Buffers for one batch after another.
#[derive(Debug)]
pub(super) struct Scalar<M> {
    slots: Vec<u16>,
    multipliers: Vec<Multipliers<M>>,
    meters: Vec<u64>,
    counters: Vec<u32>,
    finished: Vec<(u16, u64)>,
    packed: PackedBatch,
    numbers: Vec<u16>,
    rows: Vec<Row>,
    scratch: Scratch,
}

impl<M: Cell> Scalar<M> {
    pub(super) fn new() -> Self {
        Self {
            slots: Vec::new(),
            multipliers: Vec::new(),
            meters: Vec::new(),
            counters: Vec::new(),
            finished: Vec::new(),
            packed: PackedBatch::new(),
            numbers: Vec::new(),
            rows: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Plays all rounds of a batch into `sink`.
    ///
    /// # Errors
    /// Those of the sink, or the first slot in play at the limit of spins.
    pub(super) fn play(
        &mut self,
        law: Law<'_>,
        mut stream: Stream,
        sink: &mut impl Sink,
    ) -> Result<(), Stopped> {
        let mut age = 0;
        match law.packed {
            Some(packed) => {
                age = self.packed.play(
                    packed,
                    (law.start, law.table),
                    law.limits,
                    &mut stream,
                    &mut self.scratch,
                );
                sink.packed(&self.packed).map_err(Stopped::Tally)?;
                self.unpack(packed);
            }
            None => self.begin(law, &mut stream),
        }
        self.play_on(law, stream, age, sink)
    }

    /// Plays rounds to their end that have played `age` spins elsewhere. Their slots are
    /// not known: they are numbered in the order given.
    ///
    /// # Errors
    /// Those of [`play`](Self::play)
    pub(super) fn resume(
        &mut self,
        law: Law<'_>,
        stream: Stream,
        age: u32,
        rounds: &[Carried],
        sink: &mut impl Sink,
    ) -> Result<(), Stopped> {
        self.clear();
        for (slot, round) in (0..=u16::MAX).zip(rounds) {
            let mut own = Multipliers::<M>::default();
            for (place, value) in own.iter_mut().zip(round.multipliers) {
                *place = M::from_start(value);
            }
            self.slots.push(slot);
            self.multipliers.push(own);
            self.meters.push(round.meter.into());
            self.counters.push(round.counter.into());
        }
        self.play_on(law, stream, age, sink)
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.multipliers.clear();
        self.meters.clear();
        self.counters.clear();
    }

    /// Plays the rounds in play to their end.
    fn play_on(
        &mut self,
        law: Law<'_>,
        mut stream: Stream,
        mut age: u32,
        sink: &mut impl Sink,
    ) -> Result<(), Stopped> {
        while !self.slots.is_empty() {
            if age == MAX_ROUND_SPINS {
                let limit = MAX_ROUND_SPINS;
                return Err(Stopped::Round(self.slots[0], RoundError::TooLong { limit }));
            }
            age += 1;
            law.table.draw(
                &mut stream,
                self.slots.len(),
                &mut self.scratch,
                &mut self.numbers,
            );
            self.spin(law.table, age == law.limits.max_spins);
            sink.wide(age, &self.finished).map_err(Stopped::Tally)?;
        }
        Ok(())
    }

    /// Takes over the rounds that are still in play.
    fn unpack(&mut self, table: &PackedTable) {
        self.clear();
        for &round in self.packed.in_play() {
            let mut own = Multipliers::<M>::default();
            for (place, position) in own[..6].iter_mut().zip(0..) {
                *place = M::from_start(table.multiplier(round, position));
            }
            self.slots.push(round.slot());
            self.multipliers.push(own);
            self.meters.push(round.meter());
            self.counters.push(round.counter());
        }
    }

    fn begin(&mut self, law: Law<'_>, stream: &mut Stream) {
        let batch = BATCH_ROUNDS as usize;
        law.start
            .draw(stream, batch, &mut self.scratch, &mut self.rows);
        self.slots.clear();
        self.slots.extend((0..=u16::MAX).take(batch));
        self.multipliers.clear();
        self.multipliers.extend(self.rows.iter().map(|row| {
            let mut multipliers = Multipliers::<M>::default();
            for (place, &value) in multipliers.iter_mut().zip(row) {
                *place = M::from_start(value);
            }
            multipliers
        }));
        self.meters.clear();
        self.meters.resize(batch, 0);
        self.counters.clear();
        self.counters.resize(batch, law.limits.spins);
    }

    /// One spin of every round in play. `last` ends them all.
    fn spin(&mut self, table: &SpinTable, last: bool) {
        let count = self.slots.len();
        // One length for all, so that the bounds are checked here and not in the loop.
        let slots = &mut self.slots[..count];
        let multipliers = &mut self.multipliers[..count];
        let meters = &mut self.meters[..count];
        let counters = &mut self.counters[..count];
        self.finished.resize(count, (0, 0));
        let finished = &mut self.finished[..count];
        let numbers = &self.numbers[..count];
        let effects = table.effects.as_slice();

        let mut live = 0;
        let mut ended = 0;
        for place in 0..count {
            let Effect {
                amount,
                boosted,
                hit,
                potion,
                counter,
            } = effects[usize::from(numbers[place])];
            let mut own = multipliers[place];
            // (f)(2): the boost counts in this very pass.
            let boosted = usize::from(boosted % 8);
            own[boosted] = own[boosted].plus(amount);
            // (f)(4)(i): position `NOBODY` adds zero.
            let meter = meters[place] + own[usize::from(hit % 8)].widen();
            // (f)(4)(iii) and (iv).
            if potion != 0 {
                let change = table.potions[usize::from(potion)];
                for multiplier in &mut own[..6] {
                    *multiplier = multiplier.shifted(change, table.floor);
                }
            }
            let counter = counters[place].wrapping_add_signed(i32::from(counter));

            // Which rounds end is a coin toss that no predictor learns: store to both
            // sides and advance one of them. `live` and `ended` never pass `place`.
            let slot = slots[place];
            let is_over = counter == 0 || last;
            slots[live] = slot;
            multipliers[live] = own;
            meters[live] = meter;
            counters[live] = counter;
            finished[ended] = (slot, meter);
            live += usize::from(!is_over);
            ended += usize::from(is_over);
        }
        self.slots.truncate(live);
        self.multipliers.truncate(live);
        self.meters.truncate(live);
        self.counters.truncate(live);
        self.finished.truncate(ended);
        debug_assert!(
            self.multipliers
                .iter()
                .all(|own| own[usize::from(NOBODY)].widen() == 0),
            "the position without a character stays zero"
        );
    }
}

/// Why a batch stopped.
#[derive(Debug)]
pub(super) enum Stopped {
    /// The round of a slot cannot be played to its end.
    Round(u16, RoundError),
    /// The results could not be counted.
    Tally(EngineError),
}
