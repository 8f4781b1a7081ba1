//! Random words: the specification of streams and of the order in which words are used.
//!
//! This is version 2, [`SPECIFICATION_VERSION`]. Everything that decides which word
//! decides which result is written here; an engine may compute in any way that gives
//! the same results. A change of anything below changes results for the same seed and
//! needs a new version number.
//!
//! # Batches and lanes
//! Round k is slot k mod 16,384 of batch floor(k / 16,384). A batch starts all of its
//! 16,384 rounds and plays them to their end, also where fewer are wanted: the surplus
//! is dropped by slot, so a round never depends on how many were asked for.
//!
//! A batch has 16 lanes, numbered from 0. Which words they give decides the run's
//! [`Generator`]; in what order they are used does not depend on it.
//!
//! # Generators
//! Both are keyed by BLAKE3 in key-derivation mode over 20 bytes: the seed (u64), the
//! trigger's number (u32) and the batch number (u64), each little-endian.
//!
//! - `xoshiro256++` (Blackman and Vigna, 2021; `rand_xoshiro`): each lane is a generator
//!   of its own. Lane l is made by `from_seed` from bytes 32 l to 32 l + 31 of the
//!   extended output with the context string `wonderspins engine specification 2`.
//! - `chacha8` (Bernstein, 2008; `chacha20`): all lanes read one keystream of `ChaCha`
//!   with 8 rounds, a block counter of 64 bits from 0 and a nonce of 64 zero bits. Its
//!   key is the 32 bytes of output with the context string
//!   `wonderspins engine specification 2 chacha8`. Step i, counted from 0, is bytes
//!   128 i to 128 i + 127, and lane l has the l-th 8 of them, little-endian.
//!
//! # Overlap
//! The lanes of `xoshiro256++` all walk the one cycle of 2^256 - 1 states. N lanes that
//! take at most L words each overlap somewhere with probability below N^2 L / 2^256: there
//! are fewer than N^2 / 2 pairs, and a pair overlaps where one start is within L steps of
//! the other. 10^15 rounds of one trigger have N < 2^40 lanes; with L = 2^40, far above the work
//! of a batch, the bound is 2^-136.
//!
//! The keystream of `chacha8` has no state to run into: block i of a batch is a function
//! of its key and of i, and no i comes twice within 2^64 blocks. Two batches share words
//! only as far as they share the key, all of them or none; N batches have two equal keys
//! with probability below N^2 / 2^257, 2^-185 for 10^15 rounds of one trigger. (Words that agree
//! by chance are no overlap: independent words do so too.)
//!
//! [`log2_overlap_bound`] gives both for a run. They take the output of BLAKE3 for
//! uniform.
//!
//! # Steps, phases and words
//! A step takes one u64 from each lane, in their order. Draws are made in phases, one after
//! the other; a phase begins with a fresh step, and what is left of the last step of a
//! phase is dropped. A phase makes one draw for each round of the batch that is still
//! in play. All draws of a phase have the same number of equally likely outcomes. A phase
//! with one outcome takes no words.
//!
//! A draw is narrow or wide.
//!
//! - Narrow, J outcomes, 2 <= J <= 65,536: each u64 of a step gives four words of 16
//!   bits, least significant first, so a step gives 64. A word w with the product
//!   p = w J is accepted if p mod 2^16 >= 2^16 mod J, and the outcome is floor(p / 2^16)
//!   (Lemire, 2019, ACM Trans. Model. Comput. Simul. 29 (1), 3).
//! - Wide, T outcomes, 2 <= T <= 2^63: each u64 is a word, so a step gives 16. With
//!   q = floor(2^64 / T) a word w is accepted if w < q T, and the outcome is floor(w / q).
//!
//! Both are exact: every outcome has floor(2^16 / J) or q words.
//!
//! # Dealing
//! The rounds in play stand in the order of slots. The accepted words of a wide phase go
//! to them in that order. Those of a narrow phase are taken in blocks of 64, of which
//! the last is drawn whole too, its surplus dropped: place 16 i + 8 a + b of a block
//! (i < 4, a < 2, b < 8) gets the block's word 32 a + 8 i + b. It is the order in which
//! packing two registers of 16-bit numbers leaves bytes.
//!
//! # Phases of a batch
//! Weights stand for units: with g the greatest common divisor of a list of weights, the
//! first units, as many as the first weight divided by g, are item 1, the next item 2
//! and so on. T is the number of units. Characters are those of the paytable in the order of 693.6(c)(1), k of them;
//! sections are clockwise.
//!
//! First the starting multipliers, 693.6(e):
//!
//! - `permutation`: one phase of k! outcomes, narrow (k <= 6). Outcome i is the i-th
//!   permutation of the positions 1 ... k in lexicographic order, counted from 0; the
//!   value at its c-th position goes to the c-th character.
//! - `table`: one phase over the units of the rows, narrow if T <= 65,536, else wide.
//! - `independent`: where T^k <= 65,536 one narrow phase of T^k outcomes, whose base-T
//!   digits, most significant first, are the units of characters 1 to k; else k wide
//!   phases of T outcomes, one for each character in order.
//! - `fixed`: none.
//!
//! Then spin 1 for all rounds, spin 2 for the rounds still in play, and so on. With I,
//! S and O the units of the inner wheel, of the selection law and of the outer wheel:
//!
//! - I S O <= 65,536: one narrow phase of I S O outcomes; outcome i is the inner unit
//!   floor(i / (S O)), the selection unit floor(i / O) mod S, the outer unit i mod O.
//! - otherwise three wide phases: the inner units, the selection units, the outer units.
//!
//! The selection is drawn for every spin, also where the inner result is an additional
//! spin and it has no effect.
//!
//! 12 x 6 x 54 = 3,888 outcomes for the Pennsylvania wheels and a uniform selection:
//! 16 words each, and 5.1 % of the words are rejected. The units of a joint outcome are
//! the digits of the word: floor(w I / 2^16) is the inner unit, and what is left,
//! w I mod 2^16, gives the selection unit in the same way, and then the outer unit.

use super::generator::Generator;
use super::source::{Lanes, Source};
use crate::rules::Trigger;

/// Version of the specification in this module's header.
pub const SPECIFICATION_VERSION: u32 = 2;

/// Rounds of a batch.
pub const BATCH_ROUNDS: u32 = 16_384;

/// Lanes of a batch: words of a step.
pub const LANES: usize = 16;

/// Words of 16 bits in a step.
const NARROW_WORDS: usize = 4 * LANES;

/// Rounds that are dealt words together.
const BLOCK: usize = 64;

/// Steps that are made together.
const BLOCK_STEPS: usize = 16;

/// The steps of one batch.
#[derive(Debug, Clone)]
pub struct Stream {
    source: Source,
}

impl Stream {
    /// The stream of a batch at its start.
    #[must_use]
    pub fn new(generator: Generator, seed: u64, trigger: Trigger, batch: u64) -> Self {
        Self {
            source: Source::new(generator, seed, trigger, batch),
        }
    }

    /// The next step: one u64 from each lane.
    #[inline]
    pub fn step(&mut self) -> [u64; LANES] {
        let mut step = [[0; LANES]];
        self.steps(&mut step);
        step[0]
    }

    /// The next steps, as many as fit.
    #[inline]
    pub fn steps(&mut self, steps: &mut [[u64; LANES]]) {
        self.source.steps(steps);
    }

    /// The states of the lanes now, where each is an xoshiro256++ generator: what another
    /// implementation of it needs to go on from here. Costs nothing before the first
    /// step, and some microseconds after it.
    pub(super) fn lane_states(&self) -> Option<[[u64; 4]; LANES]> {
        match &self.source {
            Source::Xoshiro(lanes) => Some(lanes.states()),
            Source::ChaCha8(_) => None,
        }
    }

    /// Goes on from the given states of xoshiro256++, whatever came before.
    pub(super) fn set_lane_states(&mut self, states: &[[u64; 4]; LANES]) {
        self.source = Source::Xoshiro(Box::new(Lanes::from_states(states)));
    }

    /// A phase whose draws are made one by one.
    pub(super) fn phase(&mut self) -> Phase<'_> {
        Phase {
            stream: self,
            step: [0; LANES],
            used: NARROW_WORDS,
            block: Vec::new(),
        }
    }

    /// A whole phase of `count` narrow draws; `items` is replaced by what stands in
    /// `table` for each outcome.
    pub(super) fn narrow_phase(
        &mut self,
        draw: NarrowDraw,
        table: &[u16],
        count: usize,
        items: &mut Vec<u16>,
    ) {
        if draw.outcomes == 1 {
            items.clear();
            items.resize(count, table[0]);
            return;
        }
        let wanted = count.next_multiple_of(BLOCK);
        // Room for a whole step past the end, so the loop stores before it decides.
        items.resize(wanted + NARROW_WORDS, 0);
        let mut filled = 0;
        let mut steps = [[0; LANES]; BLOCK_STEPS];
        while filled < wanted {
            // The draws that are left need at least this many steps, so none is taken
            // that the phase would not take one by one.
            let needed = (wanted - filled).div_ceil(NARROW_WORDS).min(BLOCK_STEPS);
            let steps = &mut steps[..needed];
            self.steps(steps);
            for step in &*steps {
                let room: &mut [u16; NARROW_WORDS] = (&mut items[filled..filled + NARROW_WORDS])
                    .try_into()
                    .expect("the slice has the length of the array");
                filled += draw.take(step, table, room);
            }
        }
        for block in items[..wanted].as_chunks_mut::<BLOCK>().0 {
            deal(block);
        }
        items.truncate(count);
    }

    /// A whole phase of `count` wide draws; `outcomes` is replaced.
    pub(super) fn wide_phase(&mut self, draw: WideDraw, count: usize, outcomes: &mut Vec<u64>) {
        outcomes.clear();
        if draw.outcomes == 1 {
            outcomes.resize(count, 0);
            return;
        }
        while outcomes.len() < count {
            outcomes.extend(
                self.step()
                    .into_iter()
                    .filter(|&word| draw.accepts(word))
                    .map(|word| draw.outcome(word)),
            );
        }
        outcomes.truncate(count);
    }
}

/// A phase whose draws are made one by one: the word order in its plainest form.
#[derive(Debug)]
pub(super) struct Phase<'s> {
    stream: &'s mut Stream,
    step: [u64; LANES],
    /// Words of 16 bits that the step has given.
    used: usize,
    /// Outcomes of a block that are still to be dealt, the next one last.
    block: Vec<u64>,
}

impl Phase<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "taking 16 bits of 64 is the definition of a narrow word"
    )]
    fn narrow_word(&mut self) -> u16 {
        if self.used == NARROW_WORDS {
            self.step = self.stream.step();
            self.used = 0;
        }
        let word = self.step[self.used / 4] >> (16 * (self.used % 4));
        self.used += 1;
        word as u16
    }

    fn wide_word(&mut self) -> u64 {
        if self.used == NARROW_WORDS {
            self.step = self.stream.step();
            self.used = 0;
        }
        let word = self.step[self.used / 4];
        self.used += 4;
        word
    }

    /// The next narrow draw.
    pub(super) fn narrow(&mut self, outcomes: u32) -> u64 {
        if outcomes == 1 {
            return 0;
        }
        if self.block.is_empty() {
            let mut drawn = Vec::new();
            while drawn.len() < BLOCK {
                let product = u32::from(self.narrow_word()) * outcomes;
                if product % 65_536 >= 65_536 % outcomes {
                    drawn.push(u64::from(product / 65_536));
                }
            }
            for i in 0..4 {
                for a in 0..2 {
                    self.block.extend((0..8).map(|b| drawn[32 * a + 8 * i + b]));
                }
            }
            self.block.reverse();
        }
        self.block.pop().expect("a block has 64 outcomes")
    }

    /// The next wide draw.
    pub(super) fn wide(&mut self, outcomes: u64) -> u64 {
        if outcomes == 1 {
            return 0;
        }
        let outcomes = u128::from(outcomes);
        let quotient = (1 << 64) / outcomes;
        loop {
            let word = u128::from(self.wide_word());
            if word < quotient * outcomes {
                return u64::try_from(word / quotient).expect("a quotient of a u64");
            }
        }
    }
}

/// Puts a block's words, in the order drawn, to the places that they go to: eight stay
/// together.
fn deal(block: &mut [u16; BLOCK]) {
    let drawn = *block;
    let (places, drawn) = (block.as_chunks_mut::<8>().0, drawn.as_chunks::<8>().0);
    for (to, eight) in places.iter_mut().enumerate() {
        *eight = drawn[4 * (to % 2) + to / 2];
    }
}

/// A narrow draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NarrowDraw {
    outcomes: u32,
    /// 2^16 mod J: the least low half of an accepted word's product.
    least: u32,
}

impl NarrowDraw {
    /// The largest number of outcomes.
    pub(super) const MAX_OUTCOMES: u64 = 65_536;

    /// A draw of `outcomes` equally likely outcomes, or `None` outside [1, 65536].
    pub(super) fn new(outcomes: u64) -> Option<Self> {
        let outcomes = u32::try_from(outcomes)
            .ok()
            .filter(|&outcomes| (1..=Self::MAX_OUTCOMES).contains(&u64::from(outcomes)))?;
        Some(Self {
            outcomes,
            least: 65_536 % outcomes,
        })
    }

    /// J.
    pub(super) fn outcomes(self) -> u32 {
        self.outcomes
    }

    /// Stores the items of a step's accepted words, in their order, and returns how many
    /// there are.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "taking 16 bits of 64 is the definition of a narrow word"
    )]
    fn take(self, step: &[u64; LANES], table: &[u16], room: &mut [u16; NARROW_WORDS]) -> usize {
        // Which words are rejected no predictor learns: store each of them, and keep
        // the place of those that are not.
        let mut accepted = 0;
        for &words in step {
            for part in 0..4 {
                let product = self.product((words >> (16 * part)) as u16);
                // At most 63 were accepted before the last word, so the remainder never
                // acts.
                room[accepted % NARROW_WORDS] = table[(product >> 16) as usize];
                accepted += usize::from(product & 0xffff >= self.least);
            }
        }
        accepted
    }

    /// w J.
    #[inline]
    fn product(self, word: u16) -> u32 {
        // J may be 2^16, whose product with 2^16 - 1 still fits.
        u32::from(word) * self.outcomes
    }
}

/// A wide draw with its bounds prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WideDraw {
    outcomes: u64,
    quotient: u64,
    /// q T - 1, which fits where q T = 2^64 does not.
    largest: u64,
}

impl WideDraw {
    /// A draw of `outcomes` equally likely outcomes.
    ///
    /// # Panics
    /// Outside [1, 2^63]; the weights of a validated paytable stay below 2^43.
    pub(super) fn new(outcomes: u64) -> Self {
        assert!(
            (1..=1 << 63).contains(&outcomes),
            "a wide draw has 1 to 2^63 outcomes"
        );
        // One outcome takes no words; its quotient of 2^64 is never used.
        let quotient = u64::try_from((1_u128 << 64) / u128::from(outcomes)).unwrap_or(u64::MAX);
        Self {
            outcomes,
            quotient,
            largest: quotient.wrapping_mul(outcomes).wrapping_sub(1),
        }
    }

    #[inline]
    fn accepts(self, word: u64) -> bool {
        word <= self.largest
    }

    #[inline]
    fn outcome(self, word: u64) -> u64 {
        word / self.quotient
    }
}

/// An upper bound, as a power of two, on the probability that any two batches of a run
/// overlap, by the reckoning of this module's header: N^2 L / 2^256 with N lanes of
/// L = 2^40 words, or N^2 / 2^257 with N keys; N rounded up to a power of two.
///
/// # Arguments
/// - `batches`: batches of the run, for both triggers together; at least 1
/// # Returns
/// the exponent; -136 and -185 for 10^15 rounds
#[must_use]
pub fn log2_overlap_bound(generator: Generator, batches: u64) -> i32 {
    let squared = |starts: u128| 2 * starts.next_power_of_two().trailing_zeros().cast_signed();
    let batches = u128::from(batches.max(1));
    match generator {
        Generator::Xoshiro256PlusPlus => squared(batches * LANES as u128) + 40 - 256,
        Generator::ChaCha8 => squared(batches) - 257,
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
