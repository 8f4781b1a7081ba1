//! The first spins of a watched batch, with a round in four words.
//!
//! The multipliers, and meter, slot and counter, are those of [`packed`](super::super::packed),
//! which says how cells work and for how many spins they are good; here they are played
//! spin by spin, since each of them is counted. Beside them stand the multipliers as if
//! there were no potions, in cells too, and the potions so far. A hit shifts its cell out
//! of each of them and of the starts, and one addition of a word with three fields adds
//! all of them to the sums of its character.

use super::super::detail::SpinDraws;
use super::super::packed::Ended;
use super::super::sampler::{Effect, NOBODY, Row};
use super::super::scalar::{Law, Stopped};
use super::super::stream::{BATCH_ROUNDS, Stream};
use super::{Attribution, Attributor, Cells, DrawLaw, Drawn, Hits, Rounds, Watch, count};

/// Bits of a cell: nine for a value and one above them.
const CELL_BITS: u32 = 10;

/// The largest value of a cell.
const CELL: u64 = (1 << (CELL_BITS - 1)) - 1;

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

/// Meter in 16 bits, slot in 16, counter in 32: 128 spins of at most 511 stay below 2^16.
const SLOT_SHIFT: u32 = 16;
const COUNTER_SHIFT: u32 = 32;

/// Bits of a field in a word of sums.
const FIELD_BITS: u32 = 21;

/// Rounds whose hits fit a word of sums: 2^12 values of at most 511 stay below 2^21, and
/// so do 2^12 numbers of at most 128 potions.
const BLOCK: usize = 1 << 12;

const SLOTS: usize = BATCH_ROUNDS as usize;

/// The field of a word.
fn field(word: u64, number: u32) -> u64 {
    (word >> (FIELD_BITS * number)) & ((1 << FIELD_BITS) - 1)
}

/// One in a field of a word.
const fn one(number: u32) -> u64 {
    1 << (FIELD_BITS * number)
}

/// Cells of a list of multipliers, each less `below`; positions without a character hold
/// zero.
fn cells(row: &Row, below: u32) -> u64 {
    row.iter().rev().fold(0, |word, &value| {
        (word << CELL_BITS) | u64::from(value.saturating_sub(below))
    })
}

/// The values of all cells.
fn values(word: u64) -> [u64; 6] {
    std::array::from_fn(|position| (word >> (CELL_BITS as usize * position)) & CELL)
}

/// Fields of the potions of a round. The last is always one, so that adding the word up
/// over hits counts the hits.
const EATEN: u32 = 0;
const DRUNK: u32 = 1;
const HITS: u32 = 2;

/// A spin's table for packed rounds that are watched.
#[derive(Debug, Clone)]
pub(in crate::engine) struct PackedWatch {
    /// Effect number of each joint outcome.
    effect_of: Vec<u16>,
    effects: Vec<WatchedEffect>,
    /// The least multiplier.
    floor: u32,
    /// Spins that a round can be packed for.
    spins: u32,
}

/// An [`Effect`] as the words that are added to a round.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
struct WatchedEffect {
    boost: u64,
    /// The top bit and the potion's change in every cell.
    change: u64,
    /// Change of the counter and, with a hit, the floor, which is below the cells.
    rest: u64,
    /// How far to shift the hit cell out; to four clear bits where nobody is hit.
    hit: u32,
    /// Added to the potions of the round.
    potion: u32,
}

impl WatchedEffect {
    fn new(effect: Effect, change: i32, floor: u32) -> Self {
        let counter = i64::from(effect.counter) << COUNTER_SHIFT;
        let (hit, floor) = match effect.hit {
            NOBODY => (6, 0),
            hit => (u32::from(hit), i64::from(floor)),
        };
        // A potion takes at most 10 off, so 2^9 + change is positive.
        let moved = (1 << (CELL_BITS - 1)) + i64::from(change);
        Self {
            boost: u64::from(effect.amount) << (CELL_BITS * u32::from(effect.boosted)),
            change: ONES * moved.cast_unsigned(),
            rest: (counter + floor).cast_unsigned(),
            hit: CELL_BITS * hit,
            potion: match effect.potion {
                1 => 1 << (FIELD_BITS * EATEN),
                2 => 1 << (FIELD_BITS * DRUNK),
                _ => 0,
            },
        }
    }
}

impl PackedWatch {
    /// Present where rounds can begin packed and a spin is one narrow draw.
    pub(super) fn new(law: Law<'_>) -> Option<Self> {
        let (packed, (_, effect_of), table) = (law.packed?, law.table.joint()?, law.table);
        let effects = table.effects.iter().map(|&effect| {
            let change = table.potions[usize::from(effect.potion)];
            WatchedEffect::new(effect, change, table.floor)
        });
        Some(Self {
            effect_of: effect_of.to_vec(),
            effects: effects.collect(),
            floor: table.floor,
            spins: packed.spins(),
        })
    }
}

/// A round in play.
#[derive(Debug, Clone, Copy)]
struct Tracked {
    /// What each multiplier is above the floor, in cells.
    multipliers: u64,
    /// Meter, slot and counter.
    rest: u64,
    /// The multipliers as if there were no potions, in cells.
    unmoved: u64,
    potions: u64,
}

impl Tracked {
    #[expect(clippy::cast_possible_truncation, reason = "the slot has 16 bits")]
    #[inline]
    fn slot(&self) -> u16 {
        (self.rest >> SLOT_SHIFT) as u16
    }

    #[expect(clippy::cast_possible_truncation, reason = "the meter has 16 bits")]
    #[inline]
    fn meter(&self) -> u16 {
        self.rest as u16
    }

    #[inline]
    fn counter(&self) -> u32 {
        (self.rest >> COUNTER_SHIFT) as u32
    }
}

/// Sums over the hits of a block, by the shift of the cell that was hit: six entries of
/// the 64 are used, and one takes what spins without a hit add, which is no hit's.
struct BlockSums {
    /// Fields: multiplier, multiplier without potions, start.
    values: [u64; 64],
    potions: [u64; 64],
}

impl BlockSums {
    const fn new() -> Self {
        Self {
            values: [0; 64],
            potions: [0; 64],
        }
    }

    /// Adds the block to the sums of the characters.
    fn close(&self, hits: &mut [Hits; 6]) {
        let cells = self.values.iter().zip(&self.potions);
        for ((&values, &potions), hits) in cells.step_by(CELL_BITS as usize).zip(hits) {
            hits.count += field(potions, HITS);
            hits.meter += u128::from(field(values, 0));
            hits.unmoved += u128::from(field(values, 1));
            hits.start += u128::from(field(values, 2));
            hits.eaten += u128::from(field(potions, EATEN));
            hits.drunk += u128::from(field(potions, DRUNK));
        }
    }
}

/// Buffers for one batch after another.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    rounds: Vec<Tracked>,
    /// The rounds of the batch that are over, in the order of their last spins.
    ended: Vec<Ended>,
    /// The spins that ended rounds: number of the spin, rounds.
    lengths: Vec<(u32, usize)>,
    /// Starts by slot, in cells.
    starts: Vec<u64>,
    /// Spins by joint outcome.
    outcomes: Vec<u32>,
}

/// One spin of packed rounds.
struct Pass<'a> {
    watch: &'a PackedWatch,
    numbers: &'a [u16],
    starts: &'a [u64; SLOTS],
    /// Whether the spin ends every round.
    last: bool,
    /// Rounds so far that go on.
    live: usize,
}

impl Pass<'_> {
    /// Plays the rounds in `places`, of at most a block.
    #[inline(never)]
    fn play(
        &mut self,
        places: std::ops::Range<usize>,
        rounds: &mut [Tracked],
        ended: &mut [Ended],
    ) -> BlockSums {
        debug_assert!(places.len() <= BLOCK);
        let (effect_of, effects) = (
            self.watch.effect_of.as_slice(),
            self.watch.effects.as_slice(),
        );
        let mut sums = BlockSums::new();
        let mut live = self.live;
        for place in places {
            let outcome = usize::from(self.numbers[place]);
            let effect = &effects[usize::from(effect_of[outcome])];
            let before = rounds[place];
            // (f)(2): the boost counts in this very pass.
            let boosted = before.multipliers + effect.boost;
            let unmoved = before.unmoved + effect.boost;
            // (f)(4)(i). Nobody's shift finds zero in all of these, and no floor.
            let shift = effect.hit & 63;
            let start = self.starts[usize::from(before.slot()) % SLOTS];
            let cell = (boosted >> shift) & CELL;
            let multiplier = cell + (effect.rest & 0xffff);
            let values = multiplier
                | ((unmoved >> shift) & CELL) << FIELD_BITS
                | ((start >> shift) & CELL) << (2 * FIELD_BITS);
            sums.values[shift as usize] += values;
            sums.potions[shift as usize] += before.potions;
            // (f)(4)(iii) and (iv).
            let moved = boosted + effect.change;
            let kept = moved & GUARDS;
            let round = Tracked {
                multipliers: moved & (kept - (kept >> (CELL_BITS - 1))),
                rest: before.rest.wrapping_add(effect.rest) + cell,
                unmoved,
                potions: before.potions + u64::from(effect.potion),
            };
            // Which rounds end is a coin toss that no predictor learns: store to both
            // sides and advance one of them. Neither index passes `place`.
            let is_over = round.counter() == 0 || self.last;
            ended[place - live] = Ended::new(round.slot(), round.meter());
            rounds[live] = round;
            live += usize::from(!is_over);
        }
        self.live = live;
        sums
    }
}

impl Buffers {
    fn begin(&mut self, rows: &[Row], spins: u32, floor: u32) {
        self.rounds.clear();
        self.starts.clear();
        self.ended.clear();
        self.lengths.clear();
        for (slot, row) in (0_u64..).zip(rows) {
            let start = cells(row, 0);
            self.starts.push(start);
            self.rounds.push(Tracked {
                multipliers: cells(row, floor),
                rest: slot << SLOT_SHIFT | u64::from(spins) << COUNTER_SHIFT,
                unmoved: start,
                potions: one(HITS),
            });
        }
    }

    /// Spin `age` of every round in play. Only hits of the first `watched` rounds are
    /// added up. `last` ends them all.
    fn spin(
        &mut self,
        watch: &PackedWatch,
        numbers: &[u16],
        watched: usize,
        (age, last): (u32, bool),
        hits: &mut [Hits; 6],
    ) {
        let total = self.rounds.len();
        let before = self.ended.len();
        self.ended.resize(before + total, Ended::default());
        let starts = self.starts.as_slice().try_into();
        let mut pass = Pass {
            watch,
            numbers: &numbers[..total],
            starts: starts.expect("a start for each slot"),
            last,
            live: 0,
        };
        let (rounds, ended) = (&mut self.rounds[..total], &mut self.ended[before..]);
        let mut from = 0;
        while from < total {
            let is_watched = from < watched;
            let end = if is_watched { watched } else { total };
            let end = end.min(from + BLOCK);
            let sums = pass.play(from..end, rounds, ended);
            if is_watched {
                sums.close(hits);
            }
            from = end;
        }
        let live = pass.live;
        self.rounds.truncate(live);
        self.ended.truncate(before + total - live);
        if live < total {
            self.lengths.push((age, total - live));
        }
    }

    /// The rounds that are over, spin by spin: the number of their last spin, the rounds.
    fn ended_by_spin(&self) -> impl Iterator<Item = (u32, &[Ended])> {
        self.lengths
            .iter()
            .scan(self.ended.as_slice(), |rest, &(age, rounds)| {
                let (these, others) = rest.split_at(rounds);
                *rest = others;
                Some((age, these))
            })
    }

    /// Counts what spins of the same number drew.
    fn count(&mut self, numbers: &[u16], places: &[Drawn], draws: &mut SpinDraws) {
        if numbers.len() < places.len() {
            for &number in numbers {
                count(draws, places[usize::from(number)], 1);
            }
            return;
        }
        self.outcomes.clear();
        self.outcomes.resize(places.len(), 0);
        for &number in numbers {
            self.outcomes[usize::from(number)] += 1;
        }
        for (&spins, &drawn) in self.outcomes.iter().zip(places) {
            count(draws, drawn, spins.into());
        }
    }
}

impl Attributor {
    /// Plays the spins for which rounds can be packed and leaves those still in play in
    /// cells. Returns the number of spins played.
    pub(super) fn play_packed(
        &mut self,
        law: Law<'_>,
        attribution: &Attribution,
        packed: &PackedWatch,
        stream: &mut Stream,
        watch: &mut Watch<'_, impl Rounds>,
    ) -> Result<u32, Stopped> {
        let DrawLaw::Joint {
            draw,
            outcomes,
            places,
        } = &attribution.draws
        else {
            unreachable!("packed rounds are watched only where a spin is one draw");
        };
        let buffers = &mut self.packed;
        buffers.begin(&self.rows, law.limits.spins, packed.floor);
        let mut age = 0;
        while age < packed.spins && !buffers.rounds.is_empty() {
            age += 1;
            let total = buffers.rounds.len();
            stream.narrow_phase(*draw, outcomes, total, &mut self.numbers);
            let watched = buffers
                .rounds
                .partition_point(|round| u32::from(round.slot()) < watch.watched);
            if watched > 0 {
                let draws = watch.detail.draws_of(age, watched as u64);
                buffers.count(&self.numbers[..watched], places, draws);
            }
            let spin = (age, age == law.limits.max_spins);
            buffers.spin(packed, &self.numbers, watched, spin, &mut self.hits);
        }
        for round in &buffers.ended {
            self.meters[usize::from(round.slot())] = round.meter().into();
        }
        watch
            .sink
            .short(&buffers.ended, buffers.ended_by_spin())
            .map_err(Stopped::Tally)?;
        let floor = u64::from(packed.floor);
        self.cells.clear();
        self.cells.extend(buffers.rounds.iter().map(|round| Cells {
            slot: round.slot(),
            counter: round.counter(),
            meter: round.meter().into(),
            multipliers: values(round.multipliers).map(|above| above + floor),
            unmoved: values(round.unmoved),
            eaten: field(round.potions, EATEN),
            drunk: field(round.potions, DRUNK),
        }));
        Ok(age)
    }
}
