//! The state of a batch as planes of bytes, and the buffers around it.

use super::super::stream::BATCH_ROUNDS;
use super::table::{Outcome, WaveTable};

/// Rounds of a batch.
pub(super) const BATCH: usize = BATCH_ROUNDS as usize;

/// Rounds that are handled together, and the room past the end of every buffer, so that
/// a whole register can be stored where only part of it counts.
pub(super) const BLOCK: usize = 64;

/// Bytes of a plane. One cache line more than the room that is needed: planes that start
/// at the same place of a page would compete for the same sets of the cache.
pub(super) const STRIDE: usize = BATCH + 2 * BLOCK;

/// Planes 0 to 5 hold x; the others follow.
pub(super) const COUNTER: usize = 6;
pub(super) const OFFSET: usize = 7;
pub(super) const METER_LOW: usize = 8;
pub(super) const METER_HIGH: usize = 9;
pub(super) const PLANES: usize = 10;

/// Steps of words that are made together where they pass through memory.
pub(super) const RAW_STEPS: usize = 16;

/// Everything that a batch writes while it is played.
#[derive(Debug, Clone)]
pub(super) struct Buffers {
    /// `PLANES` planes of `STRIDE` bytes.
    pub(super) planes: Vec<u8>,
    /// Accepted words of a phase, in the order drawn: one list for each spin of the
    /// opening, and one for the starts.
    pub(super) words: Vec<Vec<u16>>,
    /// Inner, selection and outer items in the order of rounds, for outcomes that are
    /// listed: one triple of lists for each spin of the opening.
    pub(super) items: Vec<[Vec<u8>; 3]>,
    /// Words as the generators give them, 16 a step.
    pub(super) raw: Vec<u64>,
    /// Meters below 256 of the rounds that have ended; `short_len` of them count.
    pub(super) short: Vec<u8>,
    pub(super) short_len: usize,
    /// The other meters.
    pub(super) long: Vec<u16>,
}

impl Buffers {
    pub(super) fn new(table: &WaveTable) -> Self {
        let spins = table.opening as usize;
        let is_listed = matches!(table.outcome, Outcome::Listed(_));
        Self {
            planes: vec![0; PLANES * STRIDE],
            words: vec![vec![0; BATCH + 2 * BLOCK]; spins + 1],
            items: if is_listed {
                vec![std::array::from_fn(|_| vec![0; BATCH + BLOCK]); spins]
            } else {
                Vec::new()
            },
            raw: vec![0; 16 * RAW_STEPS],
            short: vec![0; BATCH + 2 * BLOCK],
            short_len: 0,
            long: Vec::new(),
        }
    }

    /// A plane.
    pub(super) fn plane(&self, plane: usize) -> &[u8] {
        &self.planes[plane * STRIDE..(plane + 1) * STRIDE]
    }

    /// A plane, to be written.
    pub(super) fn plane_mut(&mut self, plane: usize) -> &mut [u8] {
        &mut self.planes[plane * STRIDE..(plane + 1) * STRIDE]
    }
}

/// The word of a block that the round at a place of it gets: the dealing rule of
/// [`stream`](super::super::stream).
pub(super) const fn dealt(place: usize) -> usize {
    32 * (place / 8 % 2) + 8 * (place / 16) + place % 8
}
