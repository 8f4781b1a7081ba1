//! The simulator that one would write first: what the [`engine`](crate::engine) is measured
//! against, and a third reading of the rules.
//!
//! Enums, one `random_range` for each draw, `StdRng`, a `HashMap` of results, one thread.
//! It is written to be read and is neither slow on purpose nor tuned: what is known before
//! a run (the weights, whether a wheel is fair) is looked up before it, and nothing is
//! precomputed that a first version would not have. `bench` states every speed as a
//! multiple of its speed in the same process, which cancels most of what a shared machine
//! does to both; a change here therefore changes every recorded ratio.
//!
//! It plays every validated paytable and shares neither generator nor tables nor the
//! checked state machine with the engine, so that a test which compares the two says
//! something about both. It is no second engine: its draws are not specified, its sums
//! are not checked, and its results enter no document.

use std::collections::HashMap;

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::paytable::{ByCharacter, Paytable, Potion, StartLaw};
use crate::rules::{Character, InnerSection, OuterSection, Trigger};

/// One multiplier for each character of the game; those that a paytable lacks stay unused.
type Multipliers = [u64; Character::ALL.len()];

/// What was played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rounds by the meter that is paid.
    pub histogram: HashMap<u64, u64>,
    /// Spins of all rounds.
    pub spins: u64,
}

/// Plays rounds the straightforward way; `None` where the paytable has no such trigger.
///
/// # Arguments
/// - `seed`: of `StdRng`, whose numbers may change with the version of its crate
/// # Accuracy
/// Exact integers as long as a round has fewer than 10^6 spins. A paytable without
/// `max_spins` has no such bound, but a chance below any that a run could meet.
///
/// # Examples
/// ```
/// use wonderspins::paytable::PaytableFile;
/// use wonderspins::rules::Trigger;
///
/// let file = PaytableFile::load("pa-693-6")?;
/// let counts = wonderspins::yardstick::play(&file.paytable, Trigger::Two, 1_000, 7)
///     .expect("the paytable has both triggers");
/// assert_eq!(counts.histogram.values().sum::<u64>(), 1_000);
/// // The trigger's two spins at least.
/// assert!(counts.spins >= 2_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn play(paytable: &Paytable, trigger: Trigger, rounds: u64, seed: u64) -> Option<Counts> {
    let terms = paytable.terms(trigger)?;
    let rules = &paytable.rules;
    let characters = paytable.characters();
    let start = Start::new(paytable, trigger);
    let boost = Choice::new(paytable.boost_weights());
    let inner = Choice::new(paytable.inner_wheel.weights.clone());
    let outer = Choice::new(paytable.outer_wheel.weights.clone());
    let floor = u64::from(rules.multiplier_floor);
    let max_spins = rules.max_spins.unwrap_or(u32::MAX);
    let max_meter = rules.max_meter.unwrap_or(u64::MAX);

    let mut rng = StdRng::seed_from_u64(seed);
    let mut counts = Counts::default();
    for _ in 0..rounds {
        let mut multipliers = start.draw(characters, &mut rng);
        let mut counter = terms.spins;
        let mut spins = 0;
        let mut meter = 0;
        while counter > 0 && spins < max_spins {
            spins += 1;
            match paytable.inner_wheel.sections[inner.draw(&mut rng)] {
                InnerSection::Multiplier(amount) => {
                    let selected = characters[boost.draw(&mut rng)];
                    multipliers[selected as usize] += u64::from(amount);
                }
                InnerSection::AdditionalSpin => counter += rules.additional_spin,
            }
            match paytable.outer_wheel.sections[outer.draw(&mut rng)] {
                OuterSection::Character(character) => {
                    meter += multipliers[character as usize];
                    counter -= 1;
                }
                OuterSection::NoWin => counter -= 1,
                OuterSection::EatMe => drink(rules.eat_me, floor, &mut counter, &mut multipliers),
                OuterSection::DrinkMe => {
                    drink(rules.drink_me, floor, &mut counter, &mut multipliers);
                }
            }
        }
        *counts.histogram.entry(meter.min(max_meter)).or_insert(0) += 1;
        counts.spins += u64::from(spins);
    }
    Some(counts)
}

/// A potion: spins, and every multiplier moved but not below the floor.
fn drink(potion: Potion, floor: u64, counter: &mut u32, multipliers: &mut Multipliers) {
    *counter += potion.spins;
    if potion.consumes_spin {
        *counter -= 1;
    }
    for multiplier in multipliers {
        *multiplier = multiplier
            .saturating_add_signed(i64::from(potion.multipliers))
            .max(floor);
    }
}

/// A choice among several things by weight.
struct Choice {
    weights: Vec<u64>,
    total: u64,
    is_fair: bool,
}

impl Choice {
    fn new(weights: Vec<u64>) -> Self {
        Self {
            total: weights.iter().sum(),
            is_fair: weights.windows(2).all(|pair| pair[0] == pair[1]),
            weights,
        }
    }

    /// The index of the thing that is chosen.
    fn draw(&self, rng: &mut StdRng) -> usize {
        if self.is_fair {
            return rng.random_range(0..self.weights.len());
        }
        let mut ticket = rng.random_range(0..self.total);
        for (index, &weight) in self.weights.iter().enumerate() {
            if ticket < weight {
                return index;
            }
            ticket -= weight;
        }
        unreachable!("a ticket is below the sum of the weights")
    }
}

/// The law of the starting multipliers.
enum Start {
    /// Values to shuffle, as many as characters.
    Permutation(Multipliers),
    /// A table of rows; a fixed start is a table of one row.
    Table(Choice, Vec<Multipliers>),
    /// Values of which each character draws its own.
    Independent(Choice, Vec<u64>),
}

impl Start {
    fn new(paytable: &Paytable, trigger: Trigger) -> Self {
        match paytable.start_law(trigger) {
            StartLaw::Permutation { values } => {
                let mut all = Multipliers::default();
                for (place, &value) in all.iter_mut().zip(values) {
                    *place = u64::from(value);
                }
                Self::Permutation(all)
            }
            StartLaw::Fixed { values } => Self::Table(Choice::new(vec![1]), vec![row(values)]),
            StartLaw::Independent { values, weights } => Self::Independent(
                Choice::new(weights.clone()),
                values.iter().copied().map(u64::from).collect(),
            ),
            StartLaw::Table { rows } => Self::Table(
                Choice::new(rows.iter().map(|row| row.weight).collect()),
                rows.iter().map(|each| row(&each.values)).collect(),
            ),
        }
    }

    fn draw(&self, characters: &[Character], rng: &mut StdRng) -> Multipliers {
        match self {
            Self::Permutation(values) => {
                let mut values = *values;
                values[..characters.len()].shuffle(rng);
                let mut multipliers = Multipliers::default();
                for (&character, value) in characters.iter().zip(values) {
                    multipliers[character as usize] = value;
                }
                multipliers
            }
            Self::Table(choice, rows) => rows[choice.draw(rng)],
            Self::Independent(choice, values) => {
                let mut multipliers = Multipliers::default();
                for &character in characters {
                    multipliers[character as usize] = values[choice.draw(rng)];
                }
                multipliers
            }
        }
    }
}

/// Values by character as multipliers.
fn row(values: &ByCharacter<u32>) -> Multipliers {
    let mut multipliers = Multipliers::default();
    for (&character, &value) in values {
        multipliers[character as usize] = u64::from(value);
    }
    multipliers
}
