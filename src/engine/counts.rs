//! Rounds of a batch counted by meter.

use super::error::EngineError;
use super::packed::Ended;
use super::tally::Tally;

/// Meters of 16 bits.
const METERS: usize = 1 << 16;

/// Meters that are looked through together.
const BLOCK: usize = 64;

/// Counts of rounds by meter, empty between batches. Sums and the largest meter follow
/// from them, so nothing but the count is done round by round.
#[derive(Debug)]
pub(super) struct ShortCounts {
    rounds: Box<[u32; METERS]>,
}

impl ShortCounts {
    pub(super) fn new() -> Self {
        Self {
            rounds: vec![0; METERS]
                .into_boxed_slice()
                .try_into()
                .expect("the length of the list is that of the array"),
        }
    }

    /// Records rounds of one batch in a tally, except their lengths.
    ///
    /// # Arguments
    /// - `ended`: rounds that are over
    /// - `first_round`: index of the batch's first round
    /// - `cap`: the paytable's cap, `u64::MAX` where there is none
    pub(super) fn record(
        &mut self,
        ended: &[Ended],
        first_round: u64,
        cap: u64,
        tally: &mut Tally,
    ) -> Result<(), EngineError> {
        for round in ended {
            self.rounds[usize::from(round.meter())] += 1;
        }
        let seen = self.seen(ended.len());
        let Some(largest) = seen.checked_sub(1) else {
            return Ok(());
        };
        let counts = &mut self.rounds[..seen];
        tally.record_counts(counts, cap)?;
        counts.fill(0);

        // Seldom a new one after the first batches.
        let paid = (largest as u64).min(cap);
        if tally.may_be_largest(paid, first_round) {
            let first = ended
                .iter()
                .filter(|round| u64::from(round.meter()) >= paid)
                .map(|round| round.slot())
                .min();
            if let Some(slot) = first {
                tally.offer_max(paid, first_round + u64::from(slot));
            }
        }
        Ok(())
    }

    /// Where the meters end that `rounds` rounds were counted under.
    fn seen(&self, rounds: usize) -> usize {
        let mut missing = u32::try_from(rounds).expect("at most a batch");
        let mut blocks = self.rounds.chunks_exact(BLOCK);
        let mut end = 0;
        while missing > 0 {
            let block = blocks.next().expect("every round is counted under a meter");
            missing -= block.iter().sum::<u32>();
            end += BLOCK;
        }
        let zeros = self.rounds[..end]
            .iter()
            .rev()
            .take_while(|&&count| count == 0);
        end - zeros.count()
    }
}
