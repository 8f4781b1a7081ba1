//! The first spins of a batch, with all multipliers of a round in one word.
//!
//! Nearly all rounds are short and their multipliers small, so six cells of ten bits
//! hold them: nine for the value and one, always clear between spins, that catches the
//! borrow of a Drink Me. A spin is then a handful of operations without a branch:
//!
//! - the boost (f)(2)(i) adds a word with the amount in one cell;
//! - the hit (f)(4)(i) shifts a cell out; bits 60 to 63 are clear and stand for nobody;
//! - a potion (f)(4)(iii), (iv) adds `up` to every cell, then takes `down` off every
//!   cell that has `floor + down` and sets the others to the floor. Without a potion
//!   both are zero, and no cell is below the floor, so nothing changes.
//!
//! How many spins this is good for is computed from the paytable: with starts up to s
//! and at most g added in a spin, no cell passes 511 in the first (511 - s) / g spins.
//! 45 for the Pennsylvania wheels; the few rounds left then go on in [`scalar`](super::scalar).

use super::sampler::{Effect, NOBODY, Row, SpinTable, StartTable};

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

/// A spin's table for packed rounds.
#[derive(Debug, Clone)]
pub(super) struct PackedTable {
    effects: Vec<PackedEffect>,
    /// The floor in every cell.
    floor: u64,
    /// Spins that a round can be packed for.
    spins: u32,
}

/// An [`Effect`] as the words that are added to a packed round. The potion is written
/// out in each of them: a second look-up would cost more than the room does.
#[derive(Debug, Clone, Copy)]
struct PackedEffect {
    boost: u64,
    up: u64,
    /// floor + down in every cell.
    low: u64,
    /// Change of the counter, where [`Packed`] has it; in the low bits, which are the
    /// slot's there and which the change leaves clear, how far to shift the hit cell out.
    counter_and_hit: u64,
}

/// What a potion takes off every multiplier.
fn down(change: i32) -> u64 {
    u64::from(change.min(0).unsigned_abs())
}

/// What a potion adds to every multiplier.
fn up(change: i32) -> u64 {
    u64::from(change.max(0).unsigned_abs())
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
        let floor = u64::from(table.floor);
        let lows = table.potions.map(|change| floor + down(change));
        if spins < MIN_SPINS || lows.into_iter().any(|low| low > LARGEST) {
            return None;
        }
        let effects = table
            .effects
            .iter()
            .map(|effect| {
                let change = table.potions[usize::from(effect.potion)];
                PackedEffect::new(*effect, change, table.floor)
            })
            .collect();
        Some(Self {
            effects,
            floor: ONES * floor,
            spins,
        })
    }

    /// Spins that a round can be packed for.
    pub(super) fn spins(&self) -> u32 {
        self.spins
    }
}

impl PackedEffect {
    fn new(effect: Effect, change: i32, floor: u32) -> Self {
        let hit = if effect.hit == NOBODY { 6 } else { effect.hit };
        let counter = (i64::from(effect.counter) << COUNTER_SHIFT).cast_unsigned();
        Self {
            boost: u64::from(effect.amount) << (CELL_BITS * u32::from(effect.boosted)),
            up: ONES * up(change),
            low: ONES * (u64::from(floor) + down(change)),
            counter_and_hit: counter | u64::from(CELL_BITS * u32::from(hit)),
        }
    }
}

const COUNTER_SHIFT: u32 = 16;
const METER_SHIFT: u32 = 32;
const SLOT: u64 = 0xffff;
const COUNTER: u64 = 0xffff << COUNTER_SHIFT;

/// A round in play: its multipliers in one word; slot (16 bits), counter (16) and meter
/// in another. The counter is at least 1 before a spin and falls by at most 1, so its
/// change borrows nothing from the meter; it starts at 1,000 at most and 128 spins add
/// at most 2,560, so it carries nothing either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Packed {
    multipliers: u64,
    rest: u64,
}

impl Packed {
    pub(super) fn new(slot: u16, starting: &Row, spins: u32) -> Self {
        let multipliers = starting
            .iter()
            .rev()
            .fold(0, |word, &value| (word << CELL_BITS) | u64::from(value));
        Self {
            multipliers,
            rest: u64::from(slot) | u64::from(spins) << COUNTER_SHIFT,
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the low 16 bits are the slot"
    )]
    pub(super) fn slot(self) -> u16 {
        self.rest as u16
    }

    pub(super) fn counter(self) -> u32 {
        ((self.rest & COUNTER) >> COUNTER_SHIFT) as u32
    }

    pub(super) fn meter(self) -> u64 {
        self.rest >> METER_SHIFT
    }

    /// The meter in 16 bits: 128 spins of at most 511 stay below 65,536.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a packed round's meter has 16 bits"
    )]
    pub(super) fn short_meter(self) -> u16 {
        (self.rest >> METER_SHIFT) as u16
    }

    /// The multiplier at a position.
    #[expect(clippy::cast_possible_truncation, reason = "a cell has ten bits")]
    pub(super) fn multiplier(self, position: u32) -> u32 {
        (self.multipliers >> (CELL_BITS * position)) as u32 & 0x3ff
    }

    #[inline]
    fn spin(self, effect: &PackedEffect, floor: u64) -> Self {
        // (f)(2): the boost counts in this very pass.
        let boosted = self.multipliers + effect.boost;
        // (f)(4)(i).
        let hit = (boosted >> (effect.counter_and_hit & 63)) & 0x3ff;
        // (f)(4)(iii) and (iv).
        let over = ((boosted + effect.up) | GUARDS) - effect.low;
        let kept = over & GUARDS;
        let kept = kept - (kept >> (CELL_BITS - 1));
        Self {
            multipliers: (over & kept) + floor,
            rest: self
                .rest
                .wrapping_add(effect.counter_and_hit & !SLOT)
                .wrapping_add(hit << METER_SHIFT),
        }
    }
}

/// One spin of every round in play. The survivors close ranks in `rounds`; those that
/// end go to `finished`, which is replaced. `last` ends them all.
pub(super) fn spin(
    table: &PackedTable,
    numbers: &[u16],
    last: bool,
    rounds: &mut Vec<Packed>,
    finished: &mut Vec<Packed>,
) {
    let effects = table.effects.as_slice();
    let count = rounds.len();
    let numbers = &numbers[..count];
    finished.resize(count, Packed::default());
    let (mut live, mut ended) = (0, 0);
    for (place, &number) in numbers.iter().enumerate() {
        let round = rounds[place].spin(&effects[usize::from(number)], table.floor);
        // Which rounds end is a coin toss that no predictor learns: store to both
        // sides and advance one of them. Neither index passes `place`.
        let is_over = round.rest & COUNTER == 0 || last;
        rounds[live] = round;
        finished[ended] = round;
        live += usize::from(!is_over);
        ended += usize::from(is_over);
    }
    rounds.truncate(live);
    finished.truncate(ended);
}

/// One spin of every round, where none can end: fewer spins than the counter began with.
pub(super) fn spin_without_end(table: &PackedTable, numbers: &[u16], rounds: &mut [Packed]) {
    let effects = table.effects.as_slice();
    for (round, &number) in rounds.iter_mut().zip(numbers) {
        *round = round.spin(&effects[usize::from(number)], table.floor);
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
        assert_eq!(table.spins(), 45);
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
            let up = up(change);
            let (floor, change) = (u64::from(floor), i64::from(change));
            for value in floor..=LARGEST - up {
                // The neighbours stand at both ends of the range.
                let (least, most) = (floor, LARGEST - up);
                let row = [value, least, most, value, most, least]
                    .map(|cell| u32::try_from(cell).expect("small"));
                let after = Packed::new(9, &row, 2).spin(&still, ONES * floor);
                for (position, value) in (0..).zip(row) {
                    let moved = (i64::from(value) + change).max(floor.cast_signed());
                    assert_eq!(i64::from(after.multiplier(position)), moved);
                }
                assert_eq!((after.slot(), after.counter(), after.meter()), (9, 2, 0));
            }
        }
    }
}
