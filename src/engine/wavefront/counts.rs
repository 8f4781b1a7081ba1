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

        let so_far = self.largest;
        let far = far.iter().copied().max();
        let mut largest = far.max(long.iter().copied().max().map(u64::from));
        // Bytes matter where neither this batch nor those before passed 255, which may
        // also be reached again by an earlier batch.
        if largest.is_none_or(|meter| meter < 255) && so_far.is_none_or(|(meter, _)| meter <= 255) {
            largest = largest.max(short.iter().copied().max().map(u64::from));
        }
        // Batches come in any order: a player rests between the pieces of a wave.
        if let Some(meter) = largest.map(|meter| meter.min(self.cap))
            && so_far.is_none_or(|(most, first)| meter > most || (meter == most && batch < first))
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

    /// Number and meters of a batch: short, long, far.
    type Batch = (u64, &'static [u8], &'static [u16], &'static [u64]);

    /// What [`Counts::take`] offers as the largest meter, with its batch.
    fn largest(batches: &[Batch], cap: u64) -> Option<(u64, u64)> {
        let mut counts = Counts::new(cap);
        for &(batch, short, long, far) in batches {
            counts.add_batch(batch, short, long, far);
        }
        counts.largest
    }

    #[test]
    fn the_largest_meter_is_found_in_every_list() {
        // Rounds that were played on elsewhere may end at small meters.
        assert_eq!(largest(&[(0, &[200], &[], &[5])], u64::MAX), Some((200, 0)));
        assert_eq!(
            largest(&[(0, &[9], &[300], &[5])], u64::MAX),
            Some((300, 0))
        );
        assert_eq!(
            largest(&[(0, &[9], &[300], &[301])], u64::MAX),
            Some((301, 0))
        );
        assert_eq!(largest(&[(0, &[9], &[300], &[301])], 50), Some((50, 0)));
        assert_eq!(largest(&[(0, &[0], &[], &[])], 50), Some((0, 0)));
        assert_eq!(largest(&[], 50), None);
    }

    #[test]
    fn of_equal_meters_the_first_batch_counts_in_any_order() {
        let lists: [Batch; 3] = [
            (0, &[9], &[], &[]),
            (0, &[255], &[], &[]),
            (0, &[1], &[256], &[]),
        ];
        for (_, short, long, far) in lists {
            let batches = [7, 3, 5].map(|batch| (batch, short, long, far));
            let (_, batch) = largest(&batches, u64::MAX).expect("there are rounds");
            assert_eq!(batch, 3);
        }
        let capped: [Batch; 3] = [
            (7, &[255], &[], &[]),
            (3, &[], &[700], &[]),
            (1, &[40], &[], &[]),
        ];
        assert_eq!(largest(&capped, 40), Some((40, 1)));
    }
}
