//! The wavefront: a batch in byte lanes, all its rounds moving spin by spin.
//!
//! Each round is one byte in each of some planes: six of multipliers, the offset that
//! they share, the counter, one or two of the meter (`table`). A register holds 32 or 64
//! rounds. After a spin the rounds that have ended hand in their meters and the others
//! close ranks, so that every register is full and the order of rounds is that of the
//! specification ([`stream`](super::stream)), in which the words of the next spin are
//! dealt. Three things make it fast:
//!
//! - all rounds in play have the same age, so lengths are counted by the register, and
//!   how large a number can have become is known without looking;
//! - the first spins of a round, which cannot end it, run in registers (the opening);
//! - what a byte cannot hold is rare. Meters get a second byte at the age at which they
//!   might need it. Once multipliers might pass a byte, each spin looks at those there
//!   are. When one of the rounds in play is about to, they go on as numbers of 32 or 64
//!   bits ([`scalar`](super::scalar)); for wheels like those of 693.6 hardly any are left
//!   then.
//!
//! Slots are not kept. A batch that must drop a surplus or name a round is played by the
//! scalar path.
//!
//! # Files
//! | file | holds |
//! | --- | --- |
//! | `table` | a paytable for byte lanes; the proof that bytes suffice |
//! | `planes` | the state of a batch, and buffers |
//! | `vector` | the spins themselves, for each set of instructions; all `unsafe` code |
//! | `counts` | meters of a batch into counts |

mod counts;
mod planes;
mod table;
mod vector;

use super::error::EngineError;
use super::sampler::{Row, Scratch, StartTable};
use super::scalar::Carried;
use super::stream::Stream;
use super::tally::Tally;
use counts::Counts;
use planes::{BATCH, BLOCK, Buffers, COUNTER, METER_HIGH, METER_LOW, OFFSET, RAW_STEPS, dealt};
use table::{Outcome, Reach, Starts};
use vector::LaneStates;

pub(super) use table::WaveTable;
pub(crate) use vector::Vector;

/// Plays whole batches of a game and counts them.
#[derive(Debug)]
pub(super) struct Wavefront<'g> {
    vector: Vector,
    table: &'g WaveTable,
    max_spins: u32,
    buffers: Buffers,
    counts: Counts,
    rows: Vec<Row>,
    scratch: Scratch,
}

/// Rounds of a batch that do not fit byte lanes any more, and how to go on with them.
pub(super) struct Rest {
    /// Spins that they have played.
    pub(super) age: u32,
    /// In the order of slots.
    pub(super) rounds: Vec<Carried>,
    /// The lanes, at the next phase.
    pub(super) stream: Stream,
}

impl<'g> Wavefront<'g> {
    /// Buffers for one worker.
    ///
    /// # Arguments
    /// - `max_spins`: the paytable's limit, `u32::MAX` where there is none
    /// - `cap`: the paytable's cap, `u64::MAX` where there is none
    pub(super) fn new(vector: Vector, table: &'g WaveTable, max_spins: u32, cap: u64) -> Self {
        Self {
            vector,
            table,
            max_spins,
            buffers: Buffers::new(table),
            counts: Counts::new(cap),
            rows: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Plays a batch. `finish` plays on what does not fit bytes, and hands in the number
    /// of spins and the meters of the rounds that each spin ends.
    ///
    /// # Errors
    /// Those of `finish`; this player is then of no more use
    pub(super) fn play(
        &mut self,
        start: &StartTable,
        stream: Stream,
        batch: u64,
        finish: impl FnOnce(Rest, &mut dyn FnMut(u32, u64)) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let table = self.table;
        self.buffers.short_len = 0;
        self.buffers.long.clear();
        let mut words = self.begin(start, stream);
        let opening = table.opening as usize;
        for spin in 0..opening {
            self.draw_spin(&mut words, BATCH, spin);
        }
        let mut age = table.opening;
        let is_last = age == self.max_spins;
        let mut live = self.vector.open(table, is_last, &mut self.buffers);
        self.counts.add_length(age, BATCH - live);

        let mut far = Vec::new();
        while live > 0 {
            if age >= table.safe_age && !table.admits(self.reach(live), age + 1) {
                let rest = Rest {
                    age,
                    rounds: self.carried(live, age > table.short_age),
                    stream: words.into_stream(),
                };
                let counts = &mut self.counts;
                finish(rest, &mut |spins, meter| {
                    counts.add_length(spins, 1);
                    far.push(meter);
                })?;
                break;
            }
            if age == table.short_age {
                self.buffers.plane_mut(METER_HIGH)[..live].fill(0);
            }
            self.draw_spin(&mut words, live, 0);
            age += 1;
            let is_long = age > table.short_age;
            let before = live;
            live = self.vector.spin(
                table,
                before,
                is_long,
                age == self.max_spins,
                &mut self.buffers,
            );
            self.counts.add_length(age, before - live);
        }
        let short = &self.buffers.short[..self.buffers.short_len];
        self.counts
            .add_batch(batch, short, &self.buffers.long, &far);
        Ok(())
    }

    /// Moves what was counted into a tally, if it is time.
    pub(super) fn take_if_full(&mut self, tally: &mut Tally) -> Result<(), EngineError> {
        if self.counts.is_full() {
            self.take(tally)?;
        }
        Ok(())
    }

    /// Moves what was counted into a tally.
    pub(super) fn take(&mut self, tally: &mut Tally) -> Result<(), EngineError> {
        self.counts.take(tally)
    }

    /// Draws the starting multipliers, into planes unless the opening makes them.
    fn begin(&mut self, start: &StartTable, mut stream: Stream) -> Words {
        let table = self.table;
        if matches!(table.starts, Starts::Sampled) {
            start.draw(&mut stream, BATCH, &mut self.scratch, &mut self.rows);
            for position in 0..6 {
                let plane = self.buffers.plane_mut(position);
                for (x, row) in plane.iter_mut().zip(&self.rows) {
                    *x = u8::try_from(row[position]).expect("starts are bytes");
                }
            }
        }
        let mut words = Words::new(stream);
        let (outcomes, rows, is_dealt) = match &table.starts {
            Starts::Fixed(_) | Starts::Sampled => return words,
            Starts::Rows { outcomes, rows } => (*outcomes, rows, true),
            Starts::Orders { rows, .. } => (720, rows, !self.vector.orders_in_registers()),
        };
        let list = table.opening as usize;
        self.draw(&mut words, outcomes, BATCH, list);
        if is_dealt {
            let Buffers { words, planes, .. } = &mut self.buffers;
            self.vector.deal(rows, outcomes, &words[list], planes);
        }
        words
    }

    /// Draws a phase into a list of words.
    fn draw(&mut self, words: &mut Words, outcomes: u32, count: usize, list: usize) {
        let Buffers {
            words: lists, raw, ..
        } = &mut self.buffers;
        let list = &mut lists[list];
        if outcomes == 1 {
            // A phase with one outcome takes no words.
            list[..count.next_multiple_of(BLOCK)].fill(0);
            return;
        }
        match words {
            Words::Lanes { states, .. } => {
                self.vector.draw(states, outcomes, count, raw, list);
            }
            Words::Stream(stream) => {
                let needed = count.next_multiple_of(BLOCK);
                let mut filled = 0;
                while filled < needed {
                    // The draws that are left need at least this many steps.
                    let steps = (needed - filled).div_ceil(BLOCK).min(RAW_STEPS);
                    let raw = &mut raw[..16 * steps];
                    stream.steps(raw.as_chunks_mut::<16>().0);
                    filled = self.vector.accept(raw, outcomes, filled, list);
                }
            }
        }
    }

    /// Draws a spin of `count` rounds, the `spin`-th list of the opening.
    fn draw_spin(&mut self, words: &mut Words, count: usize, spin: usize) {
        let table = self.table;
        self.draw(words, table.outcomes, count, spin);
        let Outcome::Listed(list) = &table.outcome else {
            return;
        };
        let Buffers { words, items, .. } = &mut self.buffers;
        let [inner, selected, outer] = &mut items[spin];
        let blocks = count.div_ceil(BLOCK);
        for (block, words) in words[spin].as_chunks::<BLOCK>().0[..blocks]
            .iter()
            .enumerate()
        {
            let at = block * BLOCK;
            let inner = &mut inner[at..at + BLOCK];
            let selected = &mut selected[at..at + BLOCK];
            let outer = &mut outer[at..at + BLOCK];
            for place in 0..BLOCK {
                let product = u32::from(words[dealt(place)]) * table.outcomes;
                let items = list[(product >> 16) as usize];
                [inner[place], selected[place], outer[place]] = items;
            }
        }
    }

    /// The extremes of the rounds in play.
    fn reach(&self, live: usize) -> Reach {
        let largest = |plane: usize| self.buffers.plane(plane)[..live].iter().copied().max();
        let offsets = self.buffers.plane(OFFSET)[..live].iter();
        let offsets = offsets.map(|&offset| offset.cast_signed());
        let in_play = "there are rounds in play";
        Reach {
            largest_x: (0..6).filter_map(largest).max().expect(in_play),
            least_r: offsets.clone().min().expect(in_play),
            largest_r: offsets.max().expect(in_play),
            largest_counter: largest(COUNTER).expect(in_play),
        }
    }

    /// The rounds in play as numbers.
    fn carried(&self, live: usize, is_long: bool) -> Vec<Carried> {
        let plane = |plane: usize| &self.buffers.plane(plane)[..live];
        let (counters, offsets) = (plane(COUNTER), plane(OFFSET));
        let (lows, highs) = (plane(METER_LOW), plane(METER_HIGH));
        (0..live)
            .map(|place| {
                let offset = i32::from(offsets[place].cast_signed());
                Carried {
                    multipliers: std::array::from_fn(|position| {
                        let x = i32::from(plane(position)[place]);
                        // Planes without a character may be below: they stand for nobody.
                        (x + offset).max(0).unsigned_abs()
                    }),
                    meter: if is_long {
                        u16::from_le_bytes([lows[place], highs[place]])
                    } else {
                        lows[place].into()
                    },
                    counter: counters[place],
                }
            })
            .collect()
    }
}

/// Where words come from: lanes that a back end moves itself, or a stream.
enum Words {
    Lanes {
        states: Box<LaneStates>,
        stream: Stream,
    },
    Stream(Stream),
}

impl Words {
    fn new(stream: Stream) -> Self {
        match stream.lane_states() {
            Some(lanes) => {
                let mut states = Box::new([[0; 16]; 4]);
                for (lane, state) in lanes.iter().enumerate() {
                    for (word, lanes) in states.iter_mut().enumerate() {
                        lanes[lane] = state[word];
                    }
                }
                Self::Lanes { states, stream }
            }
            None => Self::Stream(stream),
        }
    }

    /// The stream at the next phase.
    fn into_stream(self) -> Stream {
        match self {
            Self::Lanes { states, mut stream } => {
                stream.set_lane_states(&std::array::from_fn(|lane| {
                    std::array::from_fn(|word| states[word][lane])
                }));
                stream
            }
            Self::Stream(stream) => stream,
        }
    }
}

#[cfg(test)]
mod tests;
