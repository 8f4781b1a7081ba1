//! Watching the reference path: the definitions of [`detail`](super::super::detail), read
//! off the records of the rounds.
//!
//! It shares no table and no packing with the fast path, and so is its referee.

use super::super::detail::{Detail, HitSums};
use super::super::error::EngineError;
use super::super::reference::Witness;
use super::super::round::{Multipliers, Round, SpinDraw, SpinRecord};
use super::super::stream::BATCH_ROUNDS;
use crate::paytable::Paytable;
use crate::rules::{Character, InnerSection, OuterSection};

/// What a round has met so far.
#[derive(Debug, Clone, Copy, Default)]
struct Past {
    starting: Multipliers,
    /// What inner multipliers added, by character.
    added: [u64; Character::ALL.len()],
    eat_me: u32,
    drink_me: u32,
    /// Place of the character that this spin drew, among the paytable's.
    selected: usize,
}

/// Watches the first rounds of a batch into a detail.
pub(in crate::engine) struct Watching<'a> {
    paytable: &'a Paytable,
    watched: u32,
    past: Vec<Past>,
    meters: Vec<u64>,
    detail: &'a mut Detail,
    result: Result<(), EngineError>,
}

impl<'a> Watching<'a> {
    /// Watches the slots below `watched`.
    pub(in crate::engine) fn new(
        paytable: &'a Paytable,
        watched: u32,
        detail: &'a mut Detail,
    ) -> Self {
        Self {
            paytable,
            watched,
            past: vec![Past::default(); BATCH_ROUNDS as usize],
            meters: vec![0; watched as usize],
            detail,
            result: Ok(()),
        }
    }

    /// Hands the rounds of the batch, which has ended, to the detail.
    ///
    /// # Errors
    /// [`EngineError::TallyOverflow`]: a sum passes its type
    pub(in crate::engine) fn close(self) -> Result<(), EngineError> {
        self.result?;
        let cap = self.paytable.rules.max_meter.unwrap_or(u64::MAX);
        self.detail.add_rounds(&self.meters, cap)
    }

    fn place(&self, character: Character) -> usize {
        let mut characters = self.paytable.characters().iter();
        characters
            .position(|&other| other == character)
            .expect("a character of the paytable")
    }

    fn is_watched(&self, slot: u16) -> bool {
        u32::from(slot) < self.watched
    }

    /// What a hit adds to the sums of its character.
    fn hit(&self, past: &Past, character: Character, multiplier: u64) -> HitSums {
        let rules = &self.paytable.rules;
        let start = past.starting.of(character).expect("a character");
        let moved = |potions: u32, step: i32| i128::from(potions) * i128::from(step);
        HitSums {
            hits: 1,
            meter: multiplier.into(),
            start: start.into(),
            inner_additions: past.added[character as usize].into(),
            eat_me: moved(past.eat_me, rules.eat_me.multipliers),
            drink_me: moved(past.drink_me, rules.drink_me.multipliers),
        }
    }
}

impl Witness for Watching<'_> {
    fn started(&mut self, slot: u16, starting: &Multipliers) {
        self.past[usize::from(slot)].starting = *starting;
    }

    fn drawn(&mut self, slot: u16, draw: SpinDraw) {
        self.past[usize::from(slot)].selected = self.place(draw.selected);
    }

    fn spun(&mut self, slot: u16, record: &SpinRecord) {
        if !self.is_watched(slot) || self.result.is_err() {
            return;
        }
        let mut past = self.past[usize::from(slot)];
        let draws = self.detail.draws_of(record.spin, 1);
        draws.inner[record.inner_section - 1] += 1;
        draws.selected[past.selected] += 1;
        draws.outer[record.outer_section - 1] += 1;
        if let (InnerSection::Multiplier(amount), Some(selected)) = (record.inner, record.selected)
        {
            past.added[selected as usize] += u64::from(amount);
        }
        match record.outer {
            OuterSection::Character(character) => {
                // No potion came with this spin: after it is as it was hit.
                let multiplier = record.multipliers.of(character).expect("a character");
                let sums = self.hit(&past, character, multiplier);
                self.result = self.detail.add_hits(self.place(character), &sums);
            }
            OuterSection::NoWin => {}
            OuterSection::EatMe => past.eat_me += 1,
            OuterSection::DrinkMe => past.drink_me += 1,
        }
        self.past[usize::from(slot)] = past;
    }

    fn ended(&mut self, slot: u16, round: &Round<'_>) {
        if self.is_watched(slot) {
            self.meters[usize::from(slot)] = round.uncapped_meter();
        }
    }
}

/// Two witnesses of the same batch.
pub(in crate::engine) struct Both<A, B>(pub(in crate::engine) A, pub(in crate::engine) B);

impl<A: Witness, B: Witness> Witness for Both<A, B> {
    fn started(&mut self, slot: u16, starting: &Multipliers) {
        self.0.started(slot, starting);
        self.1.started(slot, starting);
    }

    fn drawn(&mut self, slot: u16, draw: SpinDraw) {
        self.0.drawn(slot, draw);
        self.1.drawn(slot, draw);
    }

    fn spun(&mut self, slot: u16, record: &SpinRecord) {
        self.0.spun(slot, record);
        self.1.spun(slot, record);
    }

    fn ended(&mut self, slot: u16, round: &Round<'_>) {
        self.0.ended(slot, round);
        self.1.ended(slot, round);
    }
}
