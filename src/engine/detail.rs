//! What the first rounds of a run were made of: by character, by source, by spin number,
//! and from one round to the next.
//!
//! The [`Tally`](super::Tally) says what a run paid; this says why, for those rounds that
//! are played one by one and watched: the first [`DETAIL_ROUNDS`] unless a plan asks for
//! another number. Everything is an integer, and details of disjoint rounds merge to the
//! same detail in any order. The rounds are those of the tally, not others beside them.
//!
//! # By character and by source
//! A hit of 693.6(f)(4)(i) adds a multiplier to the meter, which is
//!
//! ```text
//! start + inner additions + Eat Me so far + Drink Me so far + floor,
//! ```
//!
//! where the start is the character's own of (e), the inner additions are what it was
//! given under (f)(2)(i) up to and with this spin, and a potion so far is its step times
//! the potions of that kind that the round has met, as if there were no floor (a step
//! down is negative). The floor is the remainder. [`HitSums`] adds each of these up over
//! all hits of a character, so that its parts always add up to what the character paid,
//! and both splits to the sum of the meters before a cap.
//!
//! # By spin number
//! [`SpinDraws`] counts what was drawn for the first, the second and each further spin of
//! a round: every section of both wheels and every selected character. Spins beyond
//! number [`DETAIL_SPINS`] share one entry. The selection is drawn for every spin, also
//! where the inner result is an additional spin and nobody gets anything; it is counted
//! as drawn, since it is the draw that is to be tested.
//!
//! # From one round to the next
//! [`PairSums`] holds what the lag-1 correlation of meters needs, over all pairs of
//! rounds k and k + 1 of the same batch: 16,383 pairs of a whole batch. A pair across two
//! batches would need neighbours that another worker or another machine plays; leaving
//! out one pair in 16,384 costs nothing and keeps the sums mergeable in any order.
//!
//! # Price
//! A watched round takes 1.84 times the instructions of the scalar path for two spins
//! (677 against 368) and 1.96 times for five (counted by callgrind over 10^6 rounds of
//! `pa-693-6`), and 1.8 and 2.2 times its time (user time of 2 x 10^7 rounds, best of
//! three, in turn, on a busy machine). The bench `watched` measures it again. Rounds beyond
//! the limit cost nothing more.
//!
//! # Digest
//! [`Detail::digest`] is the SHA-256 of this text, in ASCII, each line ended by a line
//! feed, numbers in decimal without leading zeros, negative ones with a minus sign:
//!
//! ```text
//! wonderspins detail 1
//! rounds N
//! hit CHARACTER HITS METER START INNER EAT_ME DRINK_ME    one line for each character
//! spin N PLAYED           four lines for each entry, N from 1; 33 holds all beyond 32
//! inner N COUNT ...       one count for each inner section, clockwise
//! selected N COUNT ...    one count for each character
//! outer N COUNT ...       one count for each outer section, clockwise
//! paid PAIRS FIRST SECOND FIRST_SQUARED SECOND_SQUARED PRODUCTS
//! uncapped PAIRS FIRST SECOND FIRST_SQUARED SECOND_SQUARED PRODUCTS
//! ```

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::error::EngineError;
use crate::paytable::{Paytable, hex};
use crate::rules::{Character, OuterSection};

/// Rounds of a run that are watched unless its plan says otherwise.
///
/// A test on frequencies is then good to about one part in ten thousand. See the module's
/// header for the price.
pub const DETAIL_ROUNDS: u64 = 100_000_000;

/// Spin numbers with an entry of their own; later ones share the next.
pub const DETAIL_SPINS: usize = 32;

/// Sums over the hits of one character, 693.6(f)(4)(i).
///
/// # Accuracy
/// Exact integers, in units of the wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HitSums {
    /// Hits.
    pub hits: u64,
    /// What they added to the meters, before a cap.
    pub meter: u128,
    /// The starting multipliers that were hit, (e).
    pub start: u128,
    /// What inner multipliers had added, (f)(2)(i).
    pub inner_additions: u128,
    /// What Eat Me had moved without the floor, (f)(4)(iii).
    pub eat_me: i128,
    /// What Drink Me had moved without the floor, (f)(4)(iv): not above zero where it
    /// takes off.
    pub drink_me: i128,
}

impl HitSums {
    /// What the floor gave back, (f)(4)(iv): the remainder of the meter.
    ///
    /// # Panics
    /// Never for sums that a [`Detail`] gives out: it refuses those that leave 128 bits.
    #[must_use]
    pub fn floor(&self) -> i128 {
        self.checked_floor()
            .expect("a detail holds sums whose parts fit 128 bits")
    }

    fn checked_floor(&self) -> Option<i128> {
        i128::try_from(self.meter)
            .ok()?
            .checked_sub(i128::try_from(self.start).ok()?)?
            .checked_sub(i128::try_from(self.inner_additions).ok()?)?
            .checked_sub(self.eat_me)?
            .checked_sub(self.drink_me)
    }

    /// The sums over the hits of both, where every part fits its type.
    fn checked_add(&self, other: &Self) -> Option<Self> {
        let sum = Self {
            hits: self.hits.checked_add(other.hits)?,
            meter: self.meter.checked_add(other.meter)?,
            start: self.start.checked_add(other.start)?,
            inner_additions: self.inner_additions.checked_add(other.inner_additions)?,
            eat_me: self.eat_me.checked_add(other.eat_me)?,
            drink_me: self.drink_me.checked_add(other.drink_me)?,
        };
        sum.checked_floor().map(|_| sum)
    }

    pub(super) fn add(&mut self, other: &Self) -> Result<(), EngineError> {
        *self = checked(self.checked_add(other), "sums by character and source")?;
        Ok(())
    }
}

/// What was drawn for the spins of one number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SpinDraws {
    /// Spins of this number: the rounds that played it.
    pub played: u64,
    /// Spins by inner section, clockwise.
    pub inner: Vec<u64>,
    /// Spins by selected character, in the paytable's order; also those whose inner
    /// result is an additional spin.
    pub selected: Vec<u64>,
    /// Spins by outer section, clockwise.
    pub outer: Vec<u64>,
}

/// Sums over pairs of neighbouring rounds.
///
/// # Accuracy
/// Exact integers. With n pairs, firsts x and seconds y, the lag-1 correlation is
/// (n Sxy - Sx Sy) / sqrt((n Sxx - Sx^2) (n Syy - Sy^2)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PairSums {
    /// Pairs.
    pub pairs: u64,
    /// Sum of the meters of the first rounds.
    pub first: u128,
    /// Sum of the meters of the second rounds.
    pub second: u128,
    /// Sum of the squared meters of the first rounds.
    pub first_squared: u128,
    /// Sum of the squared meters of the second rounds.
    pub second_squared: u128,
    /// Sum of the products of both meters of a pair.
    pub products: u128,
}

/// Below this, 2^14 products of two meters add up within 64 bits.
const SHORT_METER: u64 = 1 << 25;

impl PairSums {
    /// The pairs of rounds in order, of at most one batch.
    pub(super) fn of(meters: &[u64], cap: u64) -> Result<Self, EngineError> {
        let (Some(&head), Some(&tail)) = (meters.first(), meters.last()) else {
            return Ok(Self::default());
        };
        debug_assert!(meters.len() <= 1 << 14, "more rounds than a batch has");
        let [head, tail] = [head, tail].map(|meter| u128::from(meter.min(cap)));
        let largest = meters.iter().fold(0, |most, &meter| meter.max(most));
        let (sum, squared, products) = if largest.min(cap) < SHORT_METER {
            short_sums(meters, cap)
        } else {
            checked(wide_sums(meters, cap), "sum of products of meters")?
        };
        Ok(Self {
            pairs: meters.len() as u64 - 1,
            first: sum - tail,
            second: sum - head,
            first_squared: squared - tail * tail,
            second_squared: squared - head * head,
            products,
        })
    }

    fn checked_add(&self, other: &Self) -> Option<Self> {
        Some(Self {
            pairs: self.pairs.checked_add(other.pairs)?,
            first: self.first.checked_add(other.first)?,
            second: self.second.checked_add(other.second)?,
            first_squared: self.first_squared.checked_add(other.first_squared)?,
            second_squared: self.second_squared.checked_add(other.second_squared)?,
            products: self.products.checked_add(other.products)?,
        })
    }

    pub(super) fn add(&mut self, other: &Self) -> Result<(), EngineError> {
        *self = checked(self.checked_add(other), "sums over pairs of rounds")?;
        Ok(())
    }
}

/// Sums of meters, of squares, and of products of neighbours.
fn short_sums(meters: &[u64], cap: u64) -> (u128, u128, u128) {
    let (mut sum, mut squared, mut products) = (0_u64, 0_u64, 0_u64);
    let mut before = 0;
    for &meter in meters {
        let meter = meter.min(cap);
        sum += meter;
        squared += meter * meter;
        products += before * meter;
        before = meter;
    }
    (sum.into(), squared.into(), products.into())
}

/// [`short_sums`] for any meters, where they fit.
fn wide_sums(meters: &[u64], cap: u64) -> Option<(u128, u128, u128)> {
    let (mut sum, mut squared, mut products) = (0_u128, 0_u128, 0_u128);
    let mut before = 0;
    for &meter in meters {
        let meter = u128::from(meter.min(cap));
        sum += meter;
        squared = squared.checked_add(meter * meter)?;
        products = products.checked_add(before * meter)?;
        before = meter;
    }
    Some((sum, squared, products))
}

/// Everything that a detail holds, for storing it and for reading it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DetailParts {
    /// Rounds.
    pub rounds: u64,
    /// Sums over hits, one for each character in the paytable's order.
    pub hits: Vec<HitSums>,
    /// Draws by spin number from 1; entry [`DETAIL_SPINS`], counted from 0, holds all
    /// later ones. Ends at the last number that was played.
    pub spins: Vec<SpinDraws>,
    /// Pairs of rounds by the meter that is paid.
    pub paid: PairSums,
    /// Pairs of rounds by the meter before a cap.
    pub uncapped: PairSums,
}

/// What some rounds of one paytable were made of. See the module's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    characters: Vec<Character>,
    inner_sections: usize,
    outer: Vec<OuterSection>,
    parts: DetailParts,
}

impl Detail {
    /// The detail of no rounds.
    #[must_use]
    pub fn new(paytable: &Paytable) -> Self {
        let characters = paytable.characters().to_vec();
        let parts = DetailParts {
            hits: vec![HitSums::default(); characters.len()],
            ..DetailParts::default()
        };
        Self {
            characters,
            inner_sections: paytable.inner_wheel.sections.len(),
            outer: paytable.outer_wheel.sections.clone(),
            parts,
        }
    }

    /// Rebuilds a detail from what was stored of it. [`DetailParts::default`] stands for
    /// no rounds of any paytable.
    ///
    /// # Errors
    /// [`EngineError::InconsistentDetail`]: the lists are not those of the paytable, or
    /// the numbers contradict one another
    pub fn from_parts(paytable: &Paytable, parts: DetailParts) -> Result<Self, EngineError> {
        let mut detail = Self::new(paytable);
        if parts == DetailParts::default() {
            return Ok(detail);
        }
        if let Some(reason) = detail.contradiction(&parts) {
            return Err(EngineError::InconsistentDetail { reason });
        }
        detail.parts = parts;
        Ok(detail)
    }

    /// What contradicts what in the parts of a detail of this paytable.
    fn contradiction(&self, parts: &DetailParts) -> Option<&'static str> {
        if parts.hits.len() != self.characters.len() || parts.spins.len() > DETAIL_SPINS + 1 {
            return Some("a list has another length than the paytable gives it");
        }
        let mut before = parts.rounds;
        for (index, draws) in parts.spins.iter().enumerate() {
            let lists = [&draws.inner, &draws.selected, &draws.outer];
            let lengths = [self.inner_sections, self.characters.len(), self.outer.len()];
            if lists.map(Vec::len) != lengths {
                return Some("a list has another length than the paytable gives it");
            }
            let sum = |list: &Vec<u64>| list.iter().try_fold(0, |sum: u64, &n| sum.checked_add(n));
            if draws.played == 0 || lists.iter().any(|list| sum(list) != Some(draws.played)) {
                return Some("the sections of a spin do not add up to the rounds that played it");
            }
            // The entry of later spins has several for one round.
            if draws.played > before && index < DETAIL_SPINS {
                return Some("a spin was played by more rounds than the one before");
            }
            before = draws.played;
        }
        if parts.spins.first().map_or(0, |draws| draws.played) != parts.rounds {
            return Some("the first spin was not played once in every round");
        }
        for (&character, sums) in self.characters.iter().zip(&parts.hits) {
            let drawn: u128 = parts
                .spins
                .iter()
                .flat_map(|draws| self.outer.iter().zip(&draws.outer))
                .filter(|&(&section, _)| section == OuterSection::Character(character))
                .map(|(_, &count)| u128::from(count))
                .sum();
            if drawn != u128::from(sums.hits) {
                return Some("the hits of a character are not the draws of its sections");
            }
            if sums.checked_floor().is_none() || (sums.hits == 0 && *sums != HitSums::default()) {
                return Some("the sums of a character do not fit its hits");
            }
        }
        let pairs = [parts.paid.pairs, parts.uncapped.pairs];
        if pairs[0] != pairs[1] || (parts.rounds > 0 && pairs[0] >= parts.rounds) {
            return Some("there are more pairs than neighbouring rounds");
        }
        if total(&parts.hits).is_none() {
            return Some("the sums of all characters together pass 128 bits");
        }
        // This detail is still that of no rounds.
        if parts.rounds == 0 && *parts != self.parts {
            return Some("there are sums of no rounds");
        }
        None
    }

    /// An entry of draws in which nothing was drawn.
    fn no_draws(&self) -> SpinDraws {
        SpinDraws {
            played: 0,
            inner: vec![0; self.inner_sections],
            selected: vec![0; self.characters.len()],
            outer: vec![0; self.outer.len()],
        }
    }

    /// Makes room for so many spin numbers.
    fn grow(&mut self, numbers: usize) {
        if self.parts.spins.len() < numbers {
            let none = self.no_draws();
            self.parts.spins.resize(numbers, none);
        }
    }

    /// Adds the detail of other rounds of the same paytable. Commutative and associative.
    ///
    /// # Errors
    /// - [`EngineError::InconsistentDetail`]: the other is of another paytable
    /// - [`EngineError::TallyOverflow`]: a sum passes its type; this detail is then unusable
    pub fn merge(&mut self, other: &Self) -> Result<(), EngineError> {
        let shape = |detail: &Self| (detail.inner_sections, detail.outer.clone());
        if shape(self) != shape(other) || self.characters != other.characters {
            return Err(EngineError::InconsistentDetail {
                reason: "the parts are of paytables with other wheels",
            });
        }
        if other.parts.rounds == 0 {
            return Ok(());
        }
        self.grow(other.parts.spins.len());
        let (parts, other) = (&mut self.parts, &other.parts);
        parts.rounds = checked(parts.rounds.checked_add(other.rounds), "number of rounds")?;
        for (sums, other) in parts.hits.iter_mut().zip(&other.hits) {
            sums.add(other)?;
        }
        checked(total(&parts.hits), "sums by character and source")?;
        for (draws, other) in parts.spins.iter_mut().zip(&other.spins) {
            draws.played = checked(draws.played.checked_add(other.played), "number of spins")?;
            // No count passes the number of spins, which was checked.
            for (counts, other) in [
                (&mut draws.inner, &other.inner),
                (&mut draws.selected, &other.selected),
                (&mut draws.outer, &other.outer),
            ] {
                for (count, other) in counts.iter_mut().zip(other) {
                    *count += other;
                }
            }
        }
        parts.paid.add(&other.paid)?;
        parts.uncapped.add(&other.uncapped)
    }

    /// The entry of a spin number, from 1, to count draws of `played` rounds in.
    pub(super) fn draws_of(&mut self, spin: u32, played: u64) -> &mut SpinDraws {
        let index = usize::try_from(spin).map_or(DETAIL_SPINS, |spin| spin - 1);
        let index = index.min(DETAIL_SPINS);
        // Spins come in order within a batch, so no entry is left empty below this one.
        self.grow(index + 1);
        let draws = &mut self.parts.spins[index];
        draws.played += played;
        draws
    }

    /// Adds to the sums of the character at a position.
    pub(super) fn add_hits(&mut self, position: usize, sums: &HitSums) -> Result<(), EngineError> {
        self.parts.hits[position].add(sums)
    }

    /// Adds the rounds of a batch by their uncapped meters, in the order of slots.
    ///
    /// # Arguments
    /// - `cap`: the paytable's cap, `u64::MAX` where there is none
    pub(super) fn add_rounds(&mut self, meters: &[u64], cap: u64) -> Result<(), EngineError> {
        let rounds = self.parts.rounds.checked_add(meters.len() as u64);
        self.parts.rounds = checked(rounds, "number of rounds")?;
        let uncapped = PairSums::of(meters, u64::MAX)?;
        let paid = if cap == u64::MAX {
            uncapped
        } else {
            PairSums::of(meters, cap)?
        };
        self.parts.paid.add(&paid)?;
        self.parts.uncapped.add(&uncapped)
    }

    /// Number of rounds.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.parts.rounds
    }

    /// Characters with the sums over their hits, in the paytable's order.
    pub fn by_character(&self) -> impl Iterator<Item = (Character, &HitSums)> + '_ {
        self.characters.iter().copied().zip(&self.parts.hits)
    }

    /// Sums over the hits of all characters; their meter is the sum of the meters of the
    /// rounds before a cap.
    ///
    /// # Panics
    /// Never: a detail refuses sums that do not fit.
    #[must_use]
    pub fn all_hits(&self) -> HitSums {
        total(&self.parts.hits).expect("a detail holds sums that add up within 128 bits")
    }

    /// Everything, as plain data.
    #[must_use]
    pub const fn parts(&self) -> &DetailParts {
        &self.parts
    }

    /// SHA-256 of the text in this module's header, 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        let written = "writing to a string cannot fail";
        let mut text = format!("wonderspins detail 1\nrounds {}\n", self.parts.rounds);
        for (character, sums) in self.by_character() {
            writeln!(
                text,
                "hit {character} {} {} {} {} {} {}",
                sums.hits, sums.meter, sums.start, sums.inner_additions, sums.eat_me, sums.drink_me
            )
            .expect(written);
        }
        for (number, draws) in (1..).zip(&self.parts.spins) {
            writeln!(text, "spin {number} {}", draws.played).expect(written);
            for (name, counts) in [
                ("inner", &draws.inner),
                ("selected", &draws.selected),
                ("outer", &draws.outer),
            ] {
                write!(text, "{name} {number}").expect(written);
                for count in counts {
                    write!(text, " {count}").expect(written);
                }
                text.push('\n');
            }
        }
        for (name, pairs) in [
            ("paid", &self.parts.paid),
            ("uncapped", &self.parts.uncapped),
        ] {
            writeln!(
                text,
                "{name} {} {} {} {} {} {}",
                pairs.pairs,
                pairs.first,
                pairs.second,
                pairs.first_squared,
                pairs.second_squared,
                pairs.products
            )
            .expect(written);
        }
        hex(&Sha256::digest(text))
    }
}

/// The sums over all hits, where they fit.
fn total(hits: &[HitSums]) -> Option<HitSums> {
    hits.iter()
        .try_fold(HitSums::default(), |all, sums| all.checked_add(sums))
}

fn checked<T>(sum: Option<T>, quantity: &'static str) -> Result<T, EngineError> {
    sum.ok_or(EngineError::TallyOverflow { quantity })
}

#[cfg(test)]
#[path = "detail_tests.rs"]
mod tests;
