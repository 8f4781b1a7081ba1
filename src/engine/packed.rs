//! The first spins of a batch, with all multipliers of a round in one word.
//!
//! Nearly all rounds are short and their multipliers small, so six cells of ten bits
//! hold what each multiplier is above the floor: nine bits for the value and one, always
//! clear between spins, that says whether it is still there after a Drink Me. A spin is
//! then some twenty operations without a branch:
//!
//! - the boost (f)(2)(i) adds a word with the amount in one cell;
//! - the hit (f)(4)(i) shifts a cell out; bits 60 to 63 are clear and stand for nobody.
//!   The floor, which every hit adds, is added with the change of the counter;
//! - a potion (f)(4)(iii), (iv) adds its change to every cell together with the ninth
//!   bit: a cell that keeps that bit keeps its value, one that lost it was below the
//!   floor and is cleared. Without a potion all cells keep theirs.
//!
//! How many spins this is good for is computed from the paytable: with starts up to s
//! and at most g added in a spin, no cell passes 511 in the first (511 - s) / g spins.
//! 45 for the Pennsylvania wheels; the few rounds left then go on in [`scalar`](super::scalar).
//!
//! # Order
//! Words belong to phases, and a phase to one spin of all rounds in play. While no round
//! can end, that is all of the batch, so the draws of several spins are made ahead and
//! then played a few hundred rounds at a time, which stay in the first-level cache for
//! all of these spins. From then on how many draws a spin takes is known only when the
//! one before it was played.
//!
//! The rounds that ended are kept to the end of the batch, in two words of 16 bits each,
//! and counted there.

use super::sampler::{Effect, NOBODY, Row, Scratch, SpinTable, StartTable};
use super::stream::{BATCH_ROUNDS, Stream};

/// Bits of a cell.
const CELL_BITS: u32 = 10;

/// The largest value of a cell.
const LARGEST: u64 = 511;

/// One in every cell.
const ONES: u64 = {
    let mut ones = 0;
    let mut cell = 0;
    while cell < 6 {
        ones |= 1 << (CELL_BITS * cell);
        cell += 1;
    }
    ones
};

/// The top bit of every cell.
const GUARDS: u64 = ONES << (CELL_BITS - 1);

/// Spins after which a meter might pass 16 bits: 128 times 511 does not.
const MAX_SPINS: u32 = 128;

/// Below this many spins the change of representation is not worth its cost.
const MIN_SPINS: u32 = 4;

/// Rounds of a batch.
const BATCH: usize = BATCH_ROUNDS as usize;

/// Rounds that are played together: 8 KiB of them, beside 20 KiB of tables.
const CHUNK: usize = 512;

/// Spins whose draws are made ahead.
const GROUP: u32 = 8;

/// A spin's table for packed rounds.
#[derive(Debug, Clone)]
pub(super) struct PackedTable {
    effects: Vec<PackedEffect>,
    /// The rows of the starting law, where it numbers them; else empty.
    starts: Vec<u64>,
    /// The least multiplier.
    floor: u32,
    /// Spins that a round can be packed for.
    spins: u32,
}

/// An [`Effect`] as the words that are added to a packed round. The potion is written
/// out in each of them: a second look-up would cost more than the room does.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct PackedEffect {
    boost: u64,
    /// The top bit and the potion's change in every cell.
    potion: u64,
    /// Change of the counter and, with a hit, the floor, where [`Packed`] has them.
    rest: u64,
    /// How far to shift the hit cell out.
    hit: u32,
}

impl PackedTable {
    /// The packed form of a table, where the numbers of the paytable allow it.
    pub(super) fn new(start: &StartTable, table: &SpinTable) -> Option<Self> {
        let growth = table.largest_growth();
        let room = LARGEST.checked_sub(u64::from(start.largest()))?;
        let spins = room
            .checked_div(u64::from(growth))
            .map_or(MAX_SPINS, |spins| {
                u32::try_from(spins).map_or(MAX_SPINS, |spins| spins.min(MAX_SPINS))
            });
        if spins < MIN_SPINS {
            return None;
        }
        let floor = table.floor;
        let effects = table
            .effects
            .iter()
            .map(|effect| {
                let change = table.potions[usize::from(effect.potion)];
                PackedEffect::new(*effect, change, floor)
            })
            .collect();
        Some(Self {
            effects,
            starts: start
                .numbered_rows()
                .iter()
                .map(|row| cells(row, floor))
                .collect(),
            floor,
            spins,
        })
    }

    /// Spins that a round can be packed for.
    pub(super) fn spins(&self) -> u32 {
        self.spins
    }

    /// The multiplier at a position.
    pub(super) fn multiplier(&self, round: Packed, position: u32) -> u32 {
        let cell = (round.multipliers >> (CELL_BITS * position)) & LARGEST;
        self.floor + u32::try_from(cell).expect("nine bits")
    }
}

/// A row of starting multipliers as cells. Positions without a character stand at the
/// floor, where no effect reaches them.
fn cells(row: &Row, floor: u32) -> u64 {
    row.iter().rev().fold(0, |word, &value| {
        (word << CELL_BITS) | u64::from(value.saturating_sub(floor))
    })
}

impl PackedEffect {
    fn new(effect: Effect, change: i32, floor: u32) -> Self {
        let counter = i64::from(effect.counter) << COUNTER_SHIFT;
        let (hit, floor) = if effect.hit == NOBODY {
            (6, 0)
        } else {
            (u32::from(effect.hit), i64::from(floor))
        };
        // A potion takes at most 10 off, so 2^9 + change is positive.
        let moved = (1 << (CELL_BITS - 1)) + i64::from(change);
        Self {
            boost: u64::from(effect.amount) << (CELL_BITS * u32::from(effect.boosted)),
            potion: ONES * moved.cast_unsigned(),
            rest: (counter + floor).cast_unsigned(),
            hit: CELL_BITS * hit,
        }
    }
}

const SLOT_SHIFT: u32 = 16;
const COUNTER_SHIFT: u32 = 32;

/// A round in play: its multipliers, above the floor, in one word; meter (16 bits), slot
/// (16) and counter (32) in another. A meter stays below 2^16 for 128 spins of at most
/// 511. The counter is at least 1 before a spin and falls by at most 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Packed {
    multipliers: u64,
    rest: u64,
}

impl Packed {
    #[inline]
    fn new(slot: usize, multipliers: u64, spins: u32) -> Self {
        Self {
            multipliers,
            rest: (slot as u64) << SLOT_SHIFT | u64::from(spins) << COUNTER_SHIFT,
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the low 32 bits are meter and slot"
    )]
    #[inline]
    fn without_counter(self) -> Ended {
        Ended(self.rest as u32)
    }

    pub(super) fn slot(self) -> u16 {
        self.without_counter().slot()
    }

    pub(super) fn counter(self) -> u32 {
        (self.rest >> COUNTER_SHIFT) as u32
    }

    pub(super) fn meter(self) -> u64 {
        self.without_counter().meter().into()
    }

    #[inline]
    fn spin(self, effect: &PackedEffect) -> Self {
        // (f)(2): the boost counts in this very pass.
        let boosted = self.multipliers + effect.boost;
        // (f)(4)(i).
        let hit = (boosted >> (effect.hit & 63)) & LARGEST;
        // (f)(4)(iii) and (iv).
        let moved = boosted + effect.potion;
        let kept = moved & GUARDS;
        Self {
            multipliers: moved & (kept - (kept >> (CELL_BITS - 1))),
            rest: self.rest.wrapping_add(effect.rest) + hit,
        }
    }
}

/// A round that is over: meter in the low 16 bits, slot in the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ended(u32);

impl Ended {
    #[inline]
    pub(super) fn new(slot: u16, meter: u16) -> Self {
        Self(u32::from(slot) << SLOT_SHIFT | u32::from(meter))
    }

    #[expect(clippy::cast_possible_truncation, reason = "the low 16 bits")]
    #[inline]
    pub(super) fn meter(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    pub(super) fn slot(self) -> u16 {
        (self.0 >> SLOT_SHIFT) as u16
    }
}

/// How a game begins and ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The counter at the start, at least 1.
    pub(super) spins: u32,
    /// The spin that ends every round, `u32::MAX` where there is none.
    pub(super) max_spins: u32,
}

impl Limits {
    /// The first spin that may end a round: the counter falls by at most one.
    fn first_end(self) -> u32 {
        self.spins.min(self.max_spins)
    }

    /// Where the words [`Packed::rest`] of rounds begin that a spin leaves in play.
    fn least_in_play(self, age: u32) -> u64 {
        if age == self.max_spins {
            u64::MAX
        } else {
            1 << COUNTER_SHIFT
        }
    }
}

/// Buffers for one batch after another.
#[derive(Debug)]
pub(super) struct PackedBatch {
    /// Draws of the phases of a group.
    numbers: [Vec<u16>; GROUP as usize],
    starts: Starts,
    /// The rounds in play come first, in the order of slots.
    rounds: Box<[Packed; BATCH]>,
    live: usize,
    /// The rounds that are over come first, in the order of their last spins.
    ended: Box<[Ended; BATCH]>,
    /// The spins that ended rounds: number of the spin, rounds.
    lengths: Vec<(u32, usize)>,
}

/// Starting multipliers of a batch: the number of each slot's in a list.
#[derive(Debug, Default)]
struct Starts {
    numbers: Vec<u16>,
    /// The list, where the table has none.
    own: Vec<u64>,
    rows: Vec<Row>,
}

/// As many as a batch has rounds.
fn boxed<T: Copy + Default + std::fmt::Debug>() -> Box<[T; BATCH]> {
    vec![T::default(); BATCH]
        .into_boxed_slice()
        .try_into()
        .expect("the length of the list is that of the array")
}

impl PackedBatch {
    pub(super) fn new() -> Self {
        Self {
            numbers: Default::default(),
            starts: Starts::default(),
            rounds: boxed(),
            live: 0,
            ended: boxed(),
            lengths: Vec::new(),
        }
    }

    /// Plays the spins for which rounds can be packed, at most as long as there are
    /// rounds in play. Returns the number of spins.
    pub(super) fn play(
        &mut self,
        table: &PackedTable,
        (start, spin): (&StartTable, &SpinTable),
        limits: Limits,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> u32 {
        self.lengths.clear();
        self.live = BATCH;
        self.starts.draw(table, start, stream, scratch);
        let ahead = limits.first_end().min(table.spins);
        let mut age = 0;
        while age < ahead {
            let phases = (ahead - age).min(GROUP);
            for numbers in &mut self.numbers[..phases as usize] {
                spin.draw(stream, BATCH, scratch, numbers);
            }
            let begins = age == 0;
            age += phases;
            self.play_ahead(table, limits, begins, phases as usize, age);
        }
        while age < table.spins && self.live > 0 {
            age += 1;
            spin.draw(stream, self.live, scratch, &mut self.numbers[0]);
            let survivors = Pass {
                effects: &table.effects,
                rounds: &mut self.rounds,
                ended: &mut self.ended,
                ended_before: BATCH - self.live,
                least_in_play: limits.least_in_play(age),
            }
            .end(0, &self.numbers[0], 0);
            self.close(age, survivors);
        }
        age
    }

    /// Plays the `phases` spins up to and with spin `age` of the whole batch, of which the
    /// last may end rounds. `begins` where no spin came before them.
    fn play_ahead(
        &mut self,
        table: &PackedTable,
        limits: Limits,
        begins: bool,
        phases: usize,
        age: u32,
    ) {
        let may_end = age == limits.first_end();
        let (quiet, ending) = self.numbers[..phases].split_at(phases - usize::from(may_end));
        let starts = self.starts.list(table);
        let mut survivors = 0;
        for base in (0..BATCH).step_by(CHUNK) {
            let places = base..base + CHUNK;
            let chunk = &mut self.rounds[places.clone()];
            if begins {
                let numbers = &self.starts.numbers[places.clone()];
                begin(starts, numbers, base, limits.spins, chunk);
            }
            for numbers in quiet {
                spin(&table.effects, &numbers[places.clone()], chunk);
            }
            if let [numbers] = ending {
                survivors = Pass {
                    effects: &table.effects,
                    rounds: &mut self.rounds,
                    ended: &mut self.ended,
                    ended_before: 0,
                    least_in_play: limits.least_in_play(age),
                }
                .end(base, &numbers[places], survivors);
            }
        }
        if may_end {
            self.close(age, survivors);
        }
    }

    /// Books the end of a spin that left `survivors` rounds in play.
    fn close(&mut self, age: u32, survivors: usize) {
        let ended = self.live - survivors;
        if ended > 0 {
            self.lengths.push((age, ended));
        }
        self.live = survivors;
    }

    /// The rounds in play.
    pub(super) fn in_play(&self) -> &[Packed] {
        &self.rounds[..self.live]
    }

    /// The rounds that are over.
    pub(super) fn ended(&self) -> &[Ended] {
        &self.ended[..BATCH - self.live]
    }

    /// The rounds that are over, spin by spin: the number of their last spin, the rounds.
    pub(super) fn ended_by_spin(&self) -> impl Iterator<Item = (u32, &[Ended])> {
        self.lengths
            .iter()
            .scan(self.ended(), |rest, &(age, rounds)| {
                let (these, others) = rest.split_at(rounds);
                *rest = others;
                Some((age, these))
            })
    }
}

impl Starts {
    /// Draws the starting multipliers of a batch.
    fn draw(
        &mut self,
        table: &PackedTable,
        start: &StartTable,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) {
        if table.starts.is_empty() {
            start.draw(stream, BATCH, scratch, &mut self.rows);
            self.own.clear();
            self.own
                .extend(self.rows.iter().map(|row| cells(row, table.floor)));
            self.numbers.clear();
            self.numbers.extend((0..=u16::MAX).take(BATCH));
        } else {
            start.draw_numbers(stream, BATCH, &mut self.numbers);
        }
    }

    fn list<'s>(&'s self, table: &'s PackedTable) -> &'s [u64] {
        if table.starts.is_empty() {
            &self.own
        } else {
            &table.starts
        }
    }
}

// The loops over rounds are functions of their own and not inlined, so that each has the
// processor's registers for itself.

/// Begins the rounds of the slots from `first` on, one for each number in a list of
/// starting multipliers.
#[inline(never)]
fn begin(starts: &[u64], numbers: &[u16], first: usize, spins: u32, rounds: &mut [Packed]) {
    for (offset, (round, &number)) in rounds.iter_mut().zip(numbers).enumerate() {
        *round = Packed::new(first + offset, starts[usize::from(number)], spins);
    }
}

/// A spin that ends no round.
#[inline(never)]
fn spin(effects: &[PackedEffect], numbers: &[u16], rounds: &mut [Packed]) {
    for (round, &number) in rounds.iter_mut().zip(numbers) {
        *round = round.spin(&effects[usize::from(number)]);
    }
}

/// A spin that may end rounds.
struct Pass<'b> {
    effects: &'b [PackedEffect],
    rounds: &'b mut [Packed; BATCH],
    ended: &'b mut [Ended; BATCH],
    /// Rounds that earlier spins ended. The rounds in play are the others, so the places
    /// that survivors leave free say how many have ended, too.
    ended_before: usize,
    least_in_play: u64,
}

impl Pass<'_> {
    /// Plays the rounds from place `first` on, one for each number, after `live` of those
    /// before them have survived. Returns how many have now.
    #[inline(never)]
    fn end(self, first: usize, numbers: &[u16], mut live: usize) -> usize {
        // Taken apart, so that no store to a round can be one to a field.
        let Self {
            effects,
            rounds,
            ended,
            ended_before,
            least_in_play,
        } = self;
        for (place, &number) in (first..).zip(numbers) {
            // The remainders never act: places are below a batch, and so is the sum of
            // those that ended before and those that end now.
            let round = rounds[place % BATCH].spin(&effects[usize::from(number)]);
            // Which rounds end is a coin toss that no predictor learns: store to both
            // sides and advance one of them. `live` never passes `place`.
            rounds[live % BATCH] = round;
            ended[(ended_before + place - live) % BATCH] = round.without_counter();
            live += usize::from(round.rest >= least_in_play);
        }
        live
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::{TWO, pa};

    #[test]
    fn the_pennsylvania_wheels_are_packed_for_45_spins() {
        let paytable = pa();
        let start = StartTable::new(&paytable, TWO);
        let table = PackedTable::new(&start, &SpinTable::new(&paytable)).expect("small numbers");
        // (511 - 8) / 11.
        assert_eq!(table.spins, 45);
    }

    /// Every cell value with every potion of a paytable, against plain arithmetic.
    #[test]
    fn potions_move_every_cell_alone() {
        for (floor, change) in [
            (1_u32, 0_i32),
            (1, 1),
            (1, -1),
            (3, -10),
            (2, 10),
            (501, -10),
            (511, 0),
        ] {
            let effect = Effect {
                amount: 0,
                boosted: 0,
                hit: NOBODY,
                potion: 1,
                counter: 0,
            };
            let still = PackedEffect::new(effect, change, floor);
            let table = PackedTable {
                effects: vec![still],
                starts: Vec::new(),
                floor,
                spins: 4,
            };
            let most = LARGEST - u64::from(change.max(0).unsigned_abs());
            let (least, change) = (u64::from(floor), i64::from(change));
            for value in least..=most {
                // The neighbours stand at both ends of the range.
                let row = [value, least, most, value, most, least]
                    .map(|cell| u32::try_from(cell).expect("small"));
                let after = Packed::new(9, cells(&row, floor), 2).spin(&still);
                for (position, value) in (0..).zip(row) {
                    let moved = (i64::from(value) + change).max(least.cast_signed());
                    assert_eq!(i64::from(table.multiplier(after, position)), moved);
                }
                assert_eq!((after.slot(), after.counter(), after.meter()), (9, 2, 0));
            }
        }
    }

    /// A hit gives the boosted multiplier, the floor included, to the meter and leaves
    /// slot and counter apart, at the ends of their ranges.
    #[test]
    fn hits_are_whole_multipliers() {
        for position in 0..6_u8 {
            let effect = Effect {
                amount: 10,
                boosted: position,
                hit: position,
                potion: 0,
                counter: -1,
            };
            let row: Row = [3, 40, 500, 501, 7, 90];
            let multiplier = row[usize::from(position)] + 10;
            let round = Packed::new(16_383, cells(&row, 3), 1);
            let after = round.spin(&PackedEffect::new(effect, 0, 3));
            assert_eq!(after.meter(), u64::from(multiplier));
            assert_eq!((after.slot(), after.counter()), (16_383, 0));
            assert_eq!(u32::from(after.without_counter().meter()), multiplier);
        }
    }
}
