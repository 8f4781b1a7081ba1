//! Counting the meters of a batch.
//!
//! Bytes are counted in pairs: one addition for two rounds, in a table that has a cell
//! for each pair of bytes. Few pairs are frequent, so the part of the table that is in
//! use stays in the near caches. Sums come from the counts, once, when they are taken.

use std::collections::BTreeMap;

use super::super::batch::round_index;
use super::super::error::EngineError;
use super::super::stream::BATCH_ROUNDS;
use super::super::tally::Tally;

/// Pairs of bytes, and values of 16 bits.
const CELLS: usize = 65_536;

/// Batches after which the counts are taken. All rounds of all of them may fall into one
/// cell.
const MOST_BATCHES: u32 = 1 << 17;

const _: () = assert!(MOST_BATCHES as u64 * (BATCH_ROUNDS as u64) < 1 << 32);

/// Rounds by meter and by number of spins, and the largest meter.
#[derive(Debug)]
pub(super) struct Counts {
    pairs: Box<[u32; CELLS]>,
    /// Meters below 65,536 that are not in a pair.
    single: Box<[u32; CELLS]>,
    /// The others.
    far: BTreeMap<u64, u64>,
    lengths: Vec<u64>,
    batches: u32,
    cap: u64,
    /// The largest meter paid and the first batch that has it.
    largest: Option<(u64, u64)>,
}

impl Counts {
    /// No rounds. `cap` is the paytable's, `u64::MAX` where there is none.
    pub(super) fn new(cap: u64) -> Self {
        let cells = || {
            vec![0; CELLS]
                .into_boxed_slice()
                .try_into()
                .expect("the length is the array's")
        };
        Self {
            pairs: cells(),
            single: cells(),
            far: BTreeMap::new(),
            lengths: Vec::new(),
            batches: 0,
            cap,
            largest: None,
        }
    }

    /// Counts rounds that had a number of spins.
    pub(super) fn add_length(&mut self, spins: u32, rounds: usize) {
        let spins = spins as usize;
        if self.lengths.len() <= spins {
            self.lengths.resize(spins + 1, 0);
        }
        self.lengths[spins] += rounds as u64;
    }

    /// Counts the meters of a batch.
    ///
    /// # Arguments
    /// - `short`, `long`, `far`: meters of its rounds in any order, each in one list
    pub(super) fn add_batch(&mut self, batch: u64, short: &[u8], long: &[u16], far: &[u64]) {
        let (pairs, rest) = short.as_chunks::<2>();
        for &pair in pairs {
            self.pairs[usize::from(u16::from_le_bytes(pair))] += 1;
        }
        for &meter in rest {
            self.single[usize::from(meter)] += 1;
        }
        for &meter in long {
            self.single[usize::from(meter)] += 1;
        }
        for &meter in far {
            *self.far.entry(meter).or_default() += 1;
        }
        self.batches += 1;

        let so_far = self.largest.map_or(0, |(meter, _)| meter);
        let far = far.iter().copied().max();
        let long = long.iter().copied().max().map(u64::from);
        let mut largest = far.max(long);
        // Bytes cannot raise a meter of 255, nor one that two bytes have raised.
        if largest.is_none() && (so_far < 255 || self.largest.is_none()) {
            largest = short.iter().copied().max().map(u64::from);
        }
        if let Some(meter) = largest.map(|meter| meter.min(self.cap))
            && (meter > so_far || self.largest.is_none())
        {
            self.largest = Some((meter, batch));
        }
    }

    /// Whether the counts must be taken before the next batch.
    pub(super) fn is_full(&self) -> bool {
        self.batches >= MOST_BATCHES
    }

    /// Moves everything into a tally.
    pub(super) fn take(&mut self, tally: &mut Tally) -> Result<(), EngineError> {
        let mut bytes = [0_u64; 256];
        for (pair, count) in self.pairs.iter_mut().enumerate() {
            let rounds = u64::from(std::mem::take(count));
            bytes[pair % 256] += rounds;
            bytes[pair / 256] += rounds;
        }
        for (meter, count) in self.single.iter_mut().enumerate() {
            let mut rounds = u64::from(std::mem::take(count));
            if let Some(in_pairs) = bytes.get(meter) {
                rounds += in_pairs;
            }
            tally.add_counts(meter as u64, rounds, self.cap)?;
        }
        for (meter, rounds) in std::mem::take(&mut self.far) {
            tally.add_counts(meter, rounds, self.cap)?;
        }
        for (spins, rounds) in std::mem::take(&mut self.lengths).into_iter().enumerate() {
            tally.add_length(spins, rounds);
        }
        if let Some((meter, batch)) = self.largest.take() {
            tally.offer_max_in_batch(meter, round_index(batch, 0));
        }
        self.batches = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells as full as they may become: every round of 2^17 batches in one of them.
    #[test]
    fn cells_hold_all_batches_until_they_are_taken() {
        let mut counts = Counts::new(u64::MAX);
        let full = MOST_BATCHES * BATCH_ROUNDS;
        counts.pairs[0x0503] = full / 2;
        counts.single[700] = full - 1;
        counts.batches = MOST_BATCHES - 1;
        counts.add_length(2, 1 << 14);
        assert!(!counts.is_full());
        counts.add_batch(9, &[3, 5], &[700], &[1 << 40]);
        assert!(counts.is_full());
        let mut tally = Tally::new();
        counts
            .take(&mut tally)
            .expect("far from the limits of a tally");
        let pairs = u64::from(full / 2) + 1;
        let expected = [(3, pairs), (5, pairs), (700, u64::from(full)), (1 << 40, 1)];
        assert_eq!(tally.histogram().collect::<Vec<_>>(), expected);
        assert!(!counts.is_full());
    }
}
