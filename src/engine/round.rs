//! One round, clause by clause: the reference reading of 58 Pa. Code 693.6(e) to (g).
//!
//! [`Round`] is a state machine that takes the result of each draw as an argument and
//! owns no randomness, so a test can script it, a log can drive it and a batch can
//! serve it. Every branch names its clause, so that code and text can be laid side by
//! side; nothing is precomputed and every addition is checked. The fast paths of the
//! engine must agree with it bit for bit.
//!
//! Not here: void spins of (f)(3). A void spin moves nothing and is repeated, so it
//! never becomes a draw.

use super::error::RoundError;
use crate::paytable::{Paytable, Potion};
use crate::rules::{Character, InnerSection, OuterSection};

/// Spins after which a round is given up with [`RoundError::TooLong`].
///
/// A validated paytable ends every round with probability one, but a drift close to
/// zero can make rounds too long to play. With the legal ranges of a paytable and this
/// limit a multiplier stays below 2^41 and a meter below 2^61.
pub const MAX_ROUND_SPINS: u32 = 1 << 20;

/// One multiplier for each character of a paytable, 693.6(e).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Multipliers([Option<u64>; Character::ALL.len()]);

impl Multipliers {
    /// The multiplier of a character, where the paytable has it.
    #[must_use]
    pub const fn of(&self, character: Character) -> Option<u64> {
        self.0[character as usize]
    }

    /// Characters with their multipliers, in the order of 693.6(c)(1).
    pub fn iter(&self) -> impl Iterator<Item = (Character, u64)> + '_ {
        Character::ALL
            .into_iter()
            .filter_map(|character| Some((character, self.of(character)?)))
    }

    /// Adds to one character, 693.6(f)(2)(i).
    fn add(&mut self, character: Character, amount: u32) -> Result<(), RoundError> {
        let multiplier = self.0[character as usize]
            .as_mut()
            .expect("a selected character is one of the paytable's");
        *multiplier = multiplier
            .checked_add(u64::from(amount))
            .ok_or(RoundError::Overflow {
                quantity: "multiplier",
            })?;
        Ok(())
    }

    /// Moves every character by `change`, none below `floor`, 693.6(f)(4)(iii) and (iv).
    fn shift(&mut self, change: i32, floor: u32) -> Result<(), RoundError> {
        for multiplier in self.0.iter_mut().flatten() {
            // A downward step stops at zero before the floor lifts it: a multiplier
            // below the step itself must not wrap.
            let moved = if change < 0 {
                multiplier.saturating_sub(u64::from(change.unsigned_abs()))
            } else {
                multiplier
                    .checked_add(u64::from(change.unsigned_abs()))
                    .ok_or(RoundError::Overflow {
                        quantity: "multiplier",
                    })?
            };
            *multiplier = moved.max(u64::from(floor));
        }
        Ok(())
    }
}

impl FromIterator<(Character, u64)> for Multipliers {
    fn from_iter<I: IntoIterator<Item = (Character, u64)>>(pairs: I) -> Self {
        let mut multipliers = Self::default();
        for (character, value) in pairs {
            multipliers.0[character as usize] = Some(value);
        }
        multipliers
    }
}

/// What one spin draws: the results of both wheels and the selected character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpinDraw {
    /// Index of the inner section, clockwise from 0.
    pub inner_section: usize,
    /// The character selected with it, 693.6(f)(2)(i). Always drawn; without effect
    /// where the inner result is an additional spin.
    pub selected: Character,
    /// Index of the outer section, clockwise from 0.
    pub outer_section: usize,
}

/// Where a round takes its draws from: a stream, a recording, or a script in a test.
pub trait Draws {
    /// The starting multipliers, 693.6(e), one for each character of the paytable.
    fn starting_multipliers(&mut self) -> Multipliers;

    /// The draws of the next spin, 693.6(f)(2) and (3).
    fn spin(&mut self) -> SpinDraw;
}

/// A spin as it was played: one pass of 693.6(f)(1) to (4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpinRecord {
    /// Number of the spin in its round, from 1.
    pub spin: u32,
    /// The counter shown before the spin, (f)(1).
    pub counter_before: u64,
    /// Number of the inner section, clockwise from 1.
    pub inner_section: usize,
    /// The inner result, (f)(2).
    pub inner: InnerSection,
    /// The character that the inner multiplier went to; none for an additional spin.
    pub selected: Option<Character>,
    /// Number of the outer section, clockwise from 1.
    pub outer_section: usize,
    /// The outer result, (f)(4).
    pub outer: OuterSection,
    /// All multipliers after the spin.
    pub multipliers: Multipliers,
    /// The meter after the spin, without the paytable's cap.
    pub meter: u64,
    /// The counter after the spin.
    pub counter_after: u64,
}

/// A round in play.
///
/// # Source
/// 58 Pa. Code 693.6(e) to (g).
#[derive(Debug, Clone, PartialEq)]
pub struct Round<'p> {
    paytable: &'p Paytable,
    multipliers: Multipliers,
    meter: u64,
    counter: u64,
    spins: u32,
}

impl<'p> Round<'p> {
    /// A round about to begin: (d) sets the counter to the trigger's `spins`, (e)
    /// assigns the starting multipliers, and the meter is zero.
    ///
    /// # Panics
    /// Where `starting` does not cover exactly the paytable's characters.
    #[must_use]
    pub fn new(paytable: &'p Paytable, spins: u32, starting: Multipliers) -> Self {
        assert!(
            starting
                .iter()
                .map(|(character, _)| character)
                .eq(paytable.characters().iter().copied()),
            "starting multipliers cover exactly the paytable's characters"
        );
        Self {
            paytable,
            multipliers: starting,
            meter: 0,
            counter: u64::from(spins),
            spins: 0,
        }
    }

    /// Plays one spin, (f)(1) to (4).
    ///
    /// # Errors
    /// - [`RoundError::Over`]: the counter is zero or the paytable's `max_spins` is reached
    /// - [`RoundError::TooLong`]: [`MAX_ROUND_SPINS`] spins were played
    /// - [`RoundError::Overflow`]: a number of the round passes `u64`
    ///
    /// # Panics
    /// Where the draw names a section or a character that the paytable does not have.
    pub fn spin(&mut self, draw: SpinDraw) -> Result<SpinRecord, RoundError> {
        if self.is_over() {
            return Err(RoundError::Over);
        }
        if self.spins == MAX_ROUND_SPINS {
            return Err(RoundError::TooLong {
                limit: MAX_ROUND_SPINS,
            });
        }
        let rules = &self.paytable.rules;

        // (f)(1): the counter shows the spins remaining.
        let counter_before = self.counter;

        // (f)(2): the inner wheel first, so that what it adds counts in this very pass.
        let inner = self.paytable.inner_wheel.sections[draw.inner_section];
        let selected = match inner {
            // (f)(2)(i): a character is selected and the multiplier is added to its own.
            InnerSection::Multiplier(amount) => {
                self.multipliers.add(draw.selected, amount)?;
                Some(draw.selected)
            }
            // (f)(2)(ii): the additional spin is added to the counter.
            InnerSection::AdditionalSpin => {
                self.move_counter(i64::from(rules.additional_spin))?;
                None
            }
        };

        // (f)(3) and (f)(4): the outer wheel.
        let outer = self.paytable.outer_wheel.sections[draw.outer_section];
        match outer {
            // (f)(4)(i): the character's multiplier to the meter, the counter down by one.
            OuterSection::Character(character) => {
                let multiplier = self
                    .multipliers
                    .of(character)
                    .expect("a character on the outer wheel is one of the paytable's");
                self.meter = self
                    .meter
                    .checked_add(multiplier)
                    .ok_or(RoundError::Overflow { quantity: "meter" })?;
                self.move_counter(-1)?;
            }
            // (f)(4)(ii): the counter down by one, nothing else.
            OuterSection::NoWin => self.move_counter(-1)?,
            // (f)(4)(iii): an additional spin, every multiplier up.
            OuterSection::EatMe => self.drink_or_eat(rules.eat_me)?,
            // (f)(4)(iv): an additional spin, every multiplier down, none below the floor.
            OuterSection::DrinkMe => self.drink_or_eat(rules.drink_me)?,
        }
        self.spins += 1;

        Ok(SpinRecord {
            spin: self.spins,
            counter_before,
            inner_section: draw.inner_section + 1,
            inner,
            selected,
            outer_section: draw.outer_section + 1,
            outer,
            multipliers: self.multipliers,
            meter: self.meter,
            counter_after: self.counter,
        })
    }

    /// Whether the round has ended: the counter is zero, (f)(5), or the paytable's
    /// `max_spins` spins were played.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.counter == 0 || self.paytable.rules.max_spins == Some(self.spins)
    }

    /// The counter, (f)(1).
    #[must_use]
    pub const fn counter(&self) -> u64 {
        self.counter
    }

    /// Spins played so far.
    #[must_use]
    pub const fn spins(&self) -> u32 {
        self.spins
    }

    /// The multipliers as they stand.
    #[must_use]
    pub const fn multipliers(&self) -> &Multipliers {
        &self.multipliers
    }

    /// The meter that is paid, (g): the paytable's `max_meter` caps it while play goes on.
    #[must_use]
    pub fn meter(&self) -> u64 {
        match self.paytable.rules.max_meter {
            Some(cap) => self.meter.min(cap),
            None => self.meter,
        }
    }

    /// The meter without the cap.
    #[must_use]
    pub const fn uncapped_meter(&self) -> u64 {
        self.meter
    }

    /// A potion, (f)(4)(iii) and (iv). Whether its spin is used up is the paytable's
    /// reading: the text of both clauses is silent.
    fn drink_or_eat(&mut self, potion: Potion) -> Result<(), RoundError> {
        self.multipliers
            .shift(potion.multipliers, self.paytable.rules.multiplier_floor)?;
        self.move_counter(i64::from(potion.counter_change()))
    }

    fn move_counter(&mut self, change: i64) -> Result<(), RoundError> {
        self.counter = self
            .counter
            .checked_add_signed(change)
            .ok_or(RoundError::Overflow {
                quantity: "counter",
            })?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "round_tests.rs"]
mod tests;
