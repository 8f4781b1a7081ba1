//! Integer results of a simulation.
//!
//! Everything is a count or a sum of integers, so two tallies of disjoint rounds merge
//! to the same tally in any order and any grouping: that is why threads, shards and
//! interruptions never change a result. Means and errors are derived elsewhere, once.
//!
//! # Digest
//! [`Tally::digest`] is the SHA-256 of this text, in ASCII, each line ended by a line
//! feed, numbers in decimal without leading zeros:
//!
//! ```text
//! wonderspins tally 1
//! rounds N
//! sum_meter N
//! sum_meter_squared N
//! uncapped_sum_meter N
//! uncapped_sum_meter_squared N
//! zero_rounds N
//! spins N
//! max_meter N
//! max_round N
//! meter M ROUNDS          one line for each meter seen, ascending
//! length SPINS ROUNDS     one line for each number of spins seen, ascending
//! beyond M ROUNDS         one line for each uncapped meter above the cap, ascending
//! ```
//!
//! A tally without rounds has `max_meter 0` and `max_round none`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::error::EngineError;
use super::round::MAX_ROUND_SPINS;
use crate::paytable::hex;

/// Meters below this are counted in an array, which all but a few rounds hit.
const DENSE_METERS: usize = 65_536;

/// Rounds that one call of `record` or `record_counts` brings, at most; a batch has
/// fewer.
const MOST_RECORDED: u64 = 1 << 16;

/// Counts and sums over rounds.
///
/// `meter` is what is paid: with a cap in the paytable, min(meter, cap). The sums of
/// the uncapped meter and the histogram beyond the cap stand beside, because a cap hides
/// just those rounds that a check of the mean needs most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    rounds: u64,
    sums: Sums,
    uncapped: Sums,
    spins: u128,
    /// Rounds by meter below `DENSE_METERS`; ends at the largest such meter seen.
    dense: Vec<u64>,
    sparse: BTreeMap<u64, u64>,
    /// Rounds by uncapped meter, only those above the cap.
    beyond: BTreeMap<u64, u64>,
    /// Rounds by number of spins; ends at the largest number seen.
    lengths: Vec<u64>,
    max_meter: u64,
    /// `u64::MAX` while there are no rounds.
    max_round: u64,
    /// `max_round` is the first of the batch in which the round is.
    is_batch_max: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Sums {
    meter: u128,
    squared: u128,
}

impl Sums {
    fn add(&mut self, other: Self) -> Result<(), EngineError> {
        self.meter = checked(self.meter.checked_add(other.meter), "sum of meters")?;
        self.squared = checked(
            self.squared.checked_add(other.squared),
            "sum of squared meters",
        )?;
        Ok(())
    }
}

fn checked<T>(sum: Option<T>, quantity: &'static str) -> Result<T, EngineError> {
    sum.ok_or(EngineError::TallyOverflow { quantity })
}

/// What a tally cannot recompute, for rebuilding one from a stored document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyParts {
    /// Rounds by meter: pairs of meter and rounds, ascending.
    pub histogram: Vec<(u64, u64)>,
    /// Rounds by number of spins: pairs of spins and rounds, ascending.
    pub spins_histogram: Vec<(u64, u64)>,
    /// Rounds above the cap by uncapped meter: pairs of meter and rounds, ascending.
    pub beyond_cap: Vec<(u64, u64)>,
    /// Index of the first round with the largest meter.
    pub max_round: u64,
    /// Sum of the uncapped meters.
    pub uncapped_sum_meter: u128,
    /// Sum of the squares of the uncapped meters.
    pub uncapped_sum_meter_squared: u128,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            rounds: 0,
            sums: Sums::default(),
            uncapped: Sums::default(),
            spins: 0,
            dense: Vec::new(),
            sparse: BTreeMap::new(),
            beyond: BTreeMap::new(),
            lengths: Vec::new(),
            max_meter: 0,
            max_round: u64::MAX,
            is_batch_max: false,
        }
    }
}

impl Tally {
    /// A tally of no rounds.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Rebuilds a tally from what a document stores of it.
    ///
    /// # Errors
    /// - [`EngineError::InconsistentTally`]: a list is not strictly ascending, has a
    ///   count of zero or a length out of range; the two lists differ in rounds; what
    ///   lies beyond the cap does not fit the capped rounds or the uncapped sums
    /// - [`EngineError::TallyOverflow`]: a sum passes its type
    pub fn from_parts(parts: &TallyParts) -> Result<Self, EngineError> {
        let inconsistent = |reason| Err(EngineError::InconsistentTally { reason });
        for list in [&parts.histogram, &parts.spins_histogram, &parts.beyond_cap] {
            if !list.is_sorted_by(|a, b| a.0 < b.0) || list.iter().any(|pair| pair.1 == 0) {
                return inconsistent("a histogram is not ascending or has an empty entry");
            }
        }
        let mut tally = Self::new();
        for &(meter, rounds) in &parts.histogram {
            tally.rounds = checked(tally.rounds.checked_add(rounds), "number of rounds")?;
            let (meter_wide, rounds_wide) = (u128::from(meter), u128::from(rounds));
            tally.sums.add(Sums {
                meter: meter_wide * rounds_wide,
                squared: checked(
                    (meter_wide * meter_wide).checked_mul(rounds_wide),
                    "sum of squared meters",
                )?,
            })?;
            *tally.count_of(meter) += rounds;
            tally.max_meter = meter;
        }
        let mut rounds_by_length = 0_u64;
        for &(spins, rounds) in &parts.spins_histogram {
            if spins > u64::from(MAX_ROUND_SPINS) {
                return inconsistent("a round has more spins than the engine plays");
            }
            rounds_by_length = checked(rounds_by_length.checked_add(rounds), "number of rounds")?;
            tally.add_length(index(spins), rounds);
        }
        if rounds_by_length != tally.rounds {
            return inconsistent("the two histograms differ in their number of rounds");
        }
        tally.uncapped = Sums {
            meter: parts.uncapped_sum_meter,
            squared: parts.uncapped_sum_meter_squared,
        };
        tally.beyond = parts.beyond_cap.iter().copied().collect();
        if parts
            .beyond_cap
            .iter()
            .any(|pair| pair.0 <= tally.max_meter)
        {
            return inconsistent("a meter beyond the cap is not above the largest paid one");
        }
        let beyond: u128 = parts.beyond_cap.iter().map(|pair| u128::from(pair.1)).sum();
        let at_cap = parts.histogram.last().map_or(0, |pair| u128::from(pair.1));
        if beyond > at_cap {
            return inconsistent("more rounds are beyond the cap than were paid it");
        }
        let mut uncapped = Sums::default();
        for (meter, rounds) in tally.uncapped_histogram() {
            let (meter, rounds) = (u128::from(meter), u128::from(rounds));
            uncapped.add(Sums {
                meter: meter * rounds,
                squared: checked((meter * meter).checked_mul(rounds), "sum of squared meters")?,
            })?;
        }
        if uncapped != tally.uncapped {
            return inconsistent("the uncapped sums differ from their histogram");
        }
        if tally.rounds > 0 {
            tally.max_round = parts.max_round;
        }
        Ok(tally)
    }

    /// What [`from_parts`](Self::from_parts) needs to rebuild this tally.
    #[must_use]
    pub fn to_parts(&self) -> TallyParts {
        TallyParts {
            histogram: self.histogram().collect(),
            spins_histogram: self.spins_histogram().collect(),
            beyond_cap: self
                .beyond
                .iter()
                .map(|(&meter, &rounds)| (meter, rounds))
                .collect(),
            max_round: self.max_round,
            uncapped_sum_meter: self.uncapped.meter,
            uncapped_sum_meter_squared: self.uncapped.squared,
        }
    }

    /// Counts rounds that all ended with the same spin.
    ///
    /// # Arguments
    /// - `spins`: number of that spin
    /// - `finished`: index and uncapped meter of each round
    /// - `cap`: the paytable's cap, `u64::MAX` where there is none
    pub(super) fn record(
        &mut self,
        spins: u32,
        finished: impl Iterator<Item = (u64, u64)>,
        cap: u64,
    ) -> Result<(), EngineError> {
        self.check_room()?;
        let mut rounds = 0_u64;
        let mut sums = Sums::default();
        let mut uncapped = Sums::default();
        for (round, full) in finished {
            let meter = full.min(cap);
            rounds += 1;
            // A call has at most one batch of rounds, 2^14, and a meter stays below
            // 2^61 (see `MAX_ROUND_SPINS`), so these sums of at most 2^136 could pass
            // u128 only for meters that no legal paytable reaches in numbers; checked
            // addition still refuses to wrap.
            sums.meter += u128::from(meter);
            uncapped.meter += u128::from(full);
            sums.squared = checked(
                sums.squared.checked_add(square(meter)),
                "sum of squared meters",
            )?;
            uncapped.squared = checked(
                uncapped.squared.checked_add(square(full)),
                "sum of squared meters",
            )?;
            *self.count_of(meter) += 1;
            if full > meter {
                *self.beyond.entry(full).or_default() += 1;
            }
            self.offer_max(meter, round);
        }
        if rounds > 0 {
            self.rounds = checked(self.rounds.checked_add(rounds), "number of rounds")?;
            self.add_length(spins as usize, rounds);
        }
        self.sums.add(sums)?;
        self.uncapped.add(uncapped)
    }

    /// Counts rounds of one batch by their meters; lengths and the largest meter are
    /// recorded apart.
    ///
    /// # Arguments
    /// - `counts`: rounds by uncapped meter, at most 2^14 together; ends at the largest
    ///   meter seen, at most 2^16 entries
    /// - `cap`: the paytable's cap, `u64::MAX` where there is none
    pub(super) fn record_counts(&mut self, counts: &[u32], cap: u64) -> Result<(), EngineError> {
        self.check_room()?;
        let paid_in_full = usize::try_from(cap)
            .unwrap_or(usize::MAX)
            .saturating_add(1)
            .min(counts.len());
        let (full, beyond) = counts.split_at(paid_in_full);
        let Some(last) = full.len().checked_sub(1) else {
            return Ok(());
        };
        grow(&mut self.dense, last);
        // 2^14 squares of 16 bits have 46 bits.
        let (mut rounds, mut sum, mut squared) = (0_u64, 0_u64, 0_u64);
        for ((meter, &count), dense) in (0_u64..).zip(full).zip(&mut self.dense) {
            let count = u64::from(count);
            *dense += count;
            rounds += count;
            sum += meter * count;
            squared += meter * meter * count;
        }
        let sums = Sums {
            meter: sum.into(),
            squared: squared.into(),
        };
        self.rounds = checked(self.rounds.checked_add(rounds), "number of rounds")?;
        self.sums.add(sums)?;
        self.uncapped.add(sums)?;
        for (meter, &count) in (paid_in_full as u64..).zip(beyond) {
            if count > 0 {
                self.add_counts(meter, count.into(), cap)?;
            }
        }
        Ok(())
    }

    /// Counts `rounds` rounds of the uncapped meter `meter`; lengths and the largest meter
    /// are recorded apart.
    pub(super) fn add_counts(
        &mut self,
        meter: u64,
        rounds: u64,
        cap: u64,
    ) -> Result<(), EngineError> {
        if rounds == 0 {
            return Ok(());
        }
        let sums = |meter: u64| -> Result<Sums, EngineError> {
            let (meter, rounds) = (u128::from(meter), u128::from(rounds));
            Ok(Sums {
                meter: meter * rounds,
                squared: checked((meter * meter).checked_mul(rounds), "sum of squared meters")?,
            })
        };
        let paid = meter.min(cap);
        self.rounds = checked(self.rounds.checked_add(rounds), "number of rounds")?;
        self.sums.add(sums(paid)?)?;
        self.uncapped.add(sums(meter)?)?;
        // No count passes the number of rounds, which was checked.
        *self.count_of(paid) += rounds;
        if meter > paid {
            *self.beyond.entry(meter).or_default() += rounds;
        }
        Ok(())
    }

    /// Offers a largest meter of which only the batch is known: its first round stands
    /// for it until [`resolve_max`](Self::resolve_max).
    pub(super) fn offer_max_in_batch(&mut self, meter: u64, first_round: u64) {
        if self.may_be_largest(meter, first_round) {
            self.offer_max(meter, first_round);
            self.is_batch_max = true;
        }
    }

    /// The largest meter and the first round of its batch, where the round is not known.
    pub(super) fn unresolved_max(&self) -> Option<(u64, u64)> {
        self.is_batch_max
            .then_some((self.max_meter, self.max_round))
    }

    /// Puts the round that has the largest meter in the place of its batch.
    pub(super) fn resolve_max(&mut self, round: u64) {
        self.max_round = round;
        self.is_batch_max = false;
    }

    /// Whether a meter would be kept by [`offer_max`](Self::offer_max) for a round from
    /// index `round` on.
    pub(super) fn may_be_largest(&self, meter: u64, round: u64) -> bool {
        meter > self.max_meter || (meter == self.max_meter && round < self.max_round)
    }

    /// Refuses rounds whose number would pass u64. No count of a histogram passes the
    /// number of rounds, and a sum of spins, each round's below 2^21, stays below 2^85: so
    /// this keeps all of them from wrapping, and counting needs no check of its own.
    fn check_room(&self) -> Result<(), EngineError> {
        let room = self.rounds.checked_add(MOST_RECORDED);
        checked(room, "number of rounds").map(|_| ())
    }

    /// Keeps the largest meter and the first round that has it. Rounds come in order of
    /// length, so a tie may bring an earlier round.
    pub(super) fn offer_max(&mut self, meter: u64, round: u64) {
        if self.may_be_largest(meter, round) {
            self.max_meter = meter;
            self.max_round = round;
            self.is_batch_max = false;
        }
    }

    /// Adds the tally of other rounds. Commutative and associative.
    ///
    /// # Errors
    /// [`EngineError::TallyOverflow`]: a sum passes its type; this tally is then unusable
    pub fn merge(&mut self, other: &Self) -> Result<(), EngineError> {
        self.rounds = checked(self.rounds.checked_add(other.rounds), "number of rounds")?;
        self.sums.add(other.sums)?;
        self.uncapped.add(other.uncapped)?;
        // No count passes the number of rounds, which was checked.
        if let Some(last) = other.dense.len().checked_sub(1) {
            grow(&mut self.dense, last);
        }
        for (count, other) in self.dense.iter_mut().zip(&other.dense) {
            *count += other;
        }
        for (&meter, &rounds) in &other.sparse {
            *self.sparse.entry(meter).or_default() += rounds;
        }
        for (&meter, &rounds) in &other.beyond {
            *self.beyond.entry(meter).or_default() += rounds;
        }
        for (spins, &rounds) in other.lengths.iter().enumerate() {
            self.add_length(spins, rounds);
        }
        if other.is_batch_max {
            self.offer_max_in_batch(other.max_meter, other.max_round);
        } else {
            self.offer_max(other.max_meter, other.max_round);
        }
        Ok(())
    }

    fn count_of(&mut self, meter: u64) -> &mut u64 {
        match usize::try_from(meter) {
            Ok(meter) if meter < DENSE_METERS => {
                grow(&mut self.dense, meter);
                &mut self.dense[meter]
            }
            _ => self.sparse.entry(meter).or_default(),
        }
    }

    pub(super) fn add_length(&mut self, spins: usize, rounds: u64) {
        if rounds > 0 {
            grow(&mut self.lengths, spins);
            self.lengths[spins] += rounds;
            self.spins += spins as u128 * u128::from(rounds);
        }
    }

    /// Number of rounds.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Sum of the meters.
    #[must_use]
    pub const fn sum_meter(&self) -> u128 {
        self.sums.meter
    }

    /// Sum of the squares of the meters.
    #[must_use]
    pub const fn sum_meter_squared(&self) -> u128 {
        self.sums.squared
    }

    /// Sum of the meters before the paytable's cap.
    #[must_use]
    pub const fn uncapped_sum_meter(&self) -> u128 {
        self.uncapped.meter
    }

    /// Sum of the squares of the meters before the paytable's cap.
    #[must_use]
    pub const fn uncapped_sum_meter_squared(&self) -> u128 {
        self.uncapped.squared
    }

    /// Rounds with a meter of zero.
    #[must_use]
    pub fn zero_rounds(&self) -> u64 {
        self.dense.first().copied().unwrap_or(0)
    }

    /// Spins of all rounds.
    #[must_use]
    pub const fn spins(&self) -> u128 {
        self.spins
    }

    /// The largest meter; zero where there are no rounds.
    #[must_use]
    pub const fn max_meter(&self) -> u64 {
        self.max_meter
    }

    /// Index of the first round that reached the largest meter, where there are rounds.
    #[must_use]
    pub fn max_round(&self) -> Option<u64> {
        (self.rounds > 0).then_some(self.max_round)
    }

    /// Pairs of meter and rounds, ascending, only meters seen.
    pub fn histogram(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0_u64..)
            .zip(self.dense.iter().copied())
            .filter(|&(_, rounds)| rounds > 0)
            .chain(self.sparse.iter().map(|(&meter, &rounds)| (meter, rounds)))
    }

    /// Rounds above the cap by uncapped meter: pairs of meter and rounds, ascending.
    pub fn beyond_cap(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.beyond.iter().map(|(&meter, &rounds)| (meter, rounds))
    }

    /// Pairs of uncapped meter and rounds, ascending; [`histogram`](Self::histogram) where
    /// no round passed a cap.
    pub fn uncapped_histogram(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let hidden: u64 = self.beyond.values().sum();
        // Rounds beyond the cap were paid the cap, which then is the largest meter.
        self.histogram()
            .map(move |(meter, rounds)| {
                let paid_cap = if meter == self.max_meter { hidden } else { 0 };
                (meter, rounds - paid_cap)
            })
            .filter(|&(_, rounds)| rounds > 0)
            .chain(self.beyond_cap())
    }

    /// Pairs of spins and rounds, ascending, only numbers of spins seen.
    pub fn spins_histogram(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0_u64..)
            .zip(self.lengths.iter().copied())
            .filter(|&(_, rounds)| rounds > 0)
    }

    /// SHA-256 of the text in this module's header, 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut text = format!(
            "wonderspins tally 1\nrounds {}\nsum_meter {}\nsum_meter_squared {}\n\
             uncapped_sum_meter {}\nuncapped_sum_meter_squared {}\nzero_rounds {}\nspins {}\n\
             max_meter {}\n",
            self.rounds,
            self.sums.meter,
            self.sums.squared,
            self.uncapped.meter,
            self.uncapped.squared,
            self.zero_rounds(),
            self.spins,
            self.max_meter,
        );
        let written = "writing to a string cannot fail";
        match self.max_round() {
            Some(round) => writeln!(text, "max_round {round}").expect(written),
            None => text.push_str("max_round none\n"),
        }
        for (meter, rounds) in self.histogram() {
            writeln!(text, "meter {meter} {rounds}").expect(written);
        }
        for (spins, rounds) in self.spins_histogram() {
            writeln!(text, "length {spins} {rounds}").expect(written);
        }
        for (meter, rounds) in self.beyond_cap() {
            writeln!(text, "beyond {meter} {rounds}").expect(written);
        }
        hex(&Sha256::digest(text))
    }
}

/// Makes room for an index, and no more: equal counts make equal lists.
fn grow(counts: &mut Vec<u64>, index: usize) {
    if counts.len() <= index {
        counts.resize(index + 1, 0);
    }
}

fn square(meter: u64) -> u128 {
    u128::from(meter) * u128::from(meter)
}

fn index(spins: u64) -> usize {
    usize::try_from(spins).expect("at most the engine's limit")
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
