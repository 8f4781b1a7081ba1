//! A paytable compiled for byte lanes, and the proof that bytes suffice.
//!
//! # What a lane holds
//! Six bytes x, one for each character, a byte r that all of them share, the counter c
//! and the meter in one byte or two. The multiplier of a character is x + r: a potion
//! moves r, and what the floor f gives back is x = max(x, f - r), so an x never falls.
//!
//! # Bounds
//! With s the largest start, b the most that the inner wheel adds, u and d the most that
//! a potion adds and takes, g the most that a spin adds to the counter, after t spins:
//!
//! - a multiplier is at most m(t) = max(s, f) + (b + u) t;
//! - x is at most max(s, f + d t) + b t, since a boost adds b and the floor lifts x to
//!   f - r at most, with -r <= d t;
//! - r is in [-d t, u t], and the counter at most n + g t.
//!
//! The greatest t that keeps all of them in their bytes is [`WaveTable::safe_age`];
//! [`Reach`] carries on from there with the numbers that the rounds really have.

use super::super::sampler::{Row, StartTable, units};
use crate::paytable::{Paytable, Potion};
use crate::rules::{InnerSection, OuterSection, Trigger};

/// Entries of a table that a byte looks up.
pub(super) const ENTRIES: usize = 64;

/// Numbers of the outer classes that are no character.
const NO_WIN: u8 = 6;
const EAT_ME: u8 = 7;
const DRINK_ME: u8 = 8;

/// Spins of the opening at most: each needs a buffer of words.
const MAX_OPENING: u32 = 8;

/// Ages up to this keep a meter in two bytes: 257 times 255 is below 65,536.
const METER_AGE: u32 = 257;

/// How an outcome becomes inner item, selection item and outer item.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// The three are digits of the word: each wheel has at most [`ENTRIES`] units.
    Digits {
        inner: u16,
        selections: u16,
        outer: u16,
    },
    /// A list by outcome, for wheels with more units.
    Listed(Vec<[u8; 3]>),
}

/// Where the starting multipliers come from.
#[derive(Debug, Clone)]
pub(super) enum Starts {
    /// The same for all rounds.
    Fixed([u8; 6]),
    /// One draw of `outcomes`; a row of six bytes for each.
    Rows { outcomes: u32, rows: Vec<u64> },
    /// The six values in random order: 720 outcomes. `rows` as above, and the orders of
    /// the last five positions by rank: what [`Orders`] needs.
    Orders { rows: Vec<u64>, orders: Box<Orders> },
    /// Wide draws, made by the sampler.
    Sampled,
}

/// The orders of six values without a table of 720 rows: the first position, and the
/// ranks of the others among the five that are left, by the number of their order.
#[derive(Debug, Clone)]
pub(super) struct Orders {
    pub(super) values: [u8; ENTRIES],
    pub(super) ranks: [[u8; 2 * ENTRIES]; 5],
}

/// A paytable and trigger compiled for byte lanes.
#[derive(Debug, Clone)]
pub(in crate::engine) struct WaveTable {
    /// J, the number of joint outcomes of a spin.
    pub(super) outcomes: u32,
    pub(super) outcome: Outcome,
    /// Inner items that `amount` and `gain` hold.
    pub(super) inner_items: usize,
    /// By inner item: added to the selected character.
    pub(super) amount: [u8; ENTRIES],
    /// By inner item: added to the counter.
    pub(super) gain: [u8; ENTRIES],
    /// By selection item: the character, where it is not the item itself.
    pub(super) selected: Option<[u8; ENTRIES]>,
    /// By outer item: the character, or one of the classes from 6 on.
    pub(super) class: [u8; ENTRIES],
    /// By class: added to all multipliers, as a byte that wraps.
    pub(super) shift: [u8; 16],
    /// By class: added to the counter, as a byte that wraps.
    pub(super) change: [u8; 16],
    /// `shift` and `change` by outer item.
    pub(super) shift_of_item: [u8; ENTRIES],
    pub(super) change_of_item: [u8; ENTRIES],
    /// The least multiplier.
    pub(super) floor: u8,
    pub(super) starts: Starts,
    /// The counter at the start.
    pub(super) spins: u8,
    /// Spins that are played before a round leaves the registers for the first time.
    pub(super) opening: u32,
    /// Ages up to which meters fit one byte.
    pub(super) short_age: u32,
    /// Ages up to which bytes suffice for every round that can be.
    pub(super) safe_age: u32,
    /// b, u, d, g of the module's header.
    growth: Growth,
}

#[derive(Debug, Clone, Copy)]
struct Growth {
    boost: u32,
    up: u32,
    down: u32,
    gain: u32,
}

/// Extremes of the rounds in play, from which the next spin is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) largest_x: u8,
    pub(super) least_r: i8,
    pub(super) largest_r: i8,
    pub(super) largest_counter: u8,
}

impl WaveTable {
    /// Compiles a paytable, or says why its rounds do not fit byte lanes.
    pub(in crate::engine) fn new(
        paytable: &Paytable,
        trigger: Trigger,
        start: &StartTable,
    ) -> Result<Self, &'static str> {
        let terms = paytable.terms(trigger).expect("the trigger was checked");
        let rules = &paytable.rules;
        let items = Wheels::new(paytable)?;
        let spins = byte(terms.spins)?;
        let floor = byte(rules.multiplier_floor)?;
        if floor > 127 {
            return Err(LARGE);
        }

        let mut shift = [0; 16];
        let mut change = [wrapped(-1); 16];
        for (class, potion) in [(EAT_ME, rules.eat_me), (DRINK_ME, rules.drink_me)] {
            shift[usize::from(class)] = wrapped(potion.multipliers);
            change[usize::from(class)] = wrapped(potion.counter_change());
        }
        let growth = Growth::new(&items, [rules.eat_me, rules.drink_me]);
        let safe_age = growth.safe_age(start.largest(), floor.into(), spins.into());
        if safe_age == 0 {
            return Err(LARGE);
        }
        let short_age = growth.short_age(start.largest(), floor.into());
        // In the registers a meter has one byte.
        let opening = [MAX_OPENING, safe_age, short_age, spins.into()]
            .into_iter()
            .chain(rules.max_spins)
            .min()
            .expect("a list of numbers");
        Ok(Self {
            shift_of_item: items.class.map(|class| shift[usize::from(class)]),
            change_of_item: items.class.map(|class| change[usize::from(class)]),
            shift,
            change,
            outcomes: items.outcomes,
            outcome: items.outcome,
            inner_items: items.inner_items,
            amount: items.amount,
            gain: items.gain,
            selected: items.selected,
            class: items.class,
            floor,
            starts: Starts::new(start, paytable.characters().len()),
            spins,
            opening,
            short_age,
            safe_age,
            growth,
        })
    }

    /// Whether bytes suffice for the spin that takes rounds with these extremes to `age`.
    pub(super) fn admits(&self, reach: Reach, age: u32) -> bool {
        let Growth {
            boost,
            up,
            down,
            gain,
        } = self.growth;
        let boosted = u32::from(reach.largest_x) + boost;
        let largest_r = i32::from(reach.largest_r).max(0).unsigned_abs() + up;
        let fall = i32::from(reach.least_r).min(0).unsigned_abs() + down;
        let lifted = u32::from(self.floor) + fall;
        age <= METER_AGE
            && largest_r <= 127
            && fall <= 128
            && boosted.max(lifted) + largest_r <= 255
            && u32::from(reach.largest_counter) + gain <= 255
    }
}

/// What the wheels do, by item.
struct Wheels {
    outcomes: u32,
    outcome: Outcome,
    inner_items: usize,
    amount: [u8; ENTRIES],
    gain: [u8; ENTRIES],
    selected: Option<[u8; ENTRIES]>,
    class: [u8; ENTRIES],
}

impl Wheels {
    fn new(paytable: &Paytable) -> Result<Self, &'static str> {
        let inner = units(&paytable.inner_wheel.weights);
        let selection = units(&paytable.boost_weights());
        let outer = units(&paytable.outer_wheel.weights);
        let totals = [&inner, &selection, &outer].map(|units| units.iter().sum::<u64>());
        let outcomes = totals
            .into_iter()
            .try_fold(1_u64, u64::checked_mul)
            .filter(|&outcomes| outcomes <= 65_536)
            .ok_or("a spin has more than 65,536 joint outcomes")?;
        let mut items = Self {
            outcomes: u32::try_from(outcomes).expect("at most 65,536"),
            outcome: Outcome::Listed(Vec::new()),
            inner_items: 0,
            amount: [0; ENTRIES],
            gain: [0; ENTRIES],
            selected: None,
            class: [NO_WIN; ENTRIES],
        };
        let [inner, selection, outer] = [inner, selection, outer].map(|units| expand(&units));
        if totals.into_iter().all(|total| total <= ENTRIES as u64) {
            items.by_unit(paytable, &inner, &selection, &outer)?;
        } else {
            items.by_kind(paytable, &inner, &selection, &outer)?;
        }
        Ok(items)
    }

    /// Items are units, and the outcome's digits.
    fn by_unit(
        &mut self,
        paytable: &Paytable,
        inner: &[usize],
        selection: &[usize],
        outer: &[usize],
    ) -> Result<(), &'static str> {
        for (item, &section) in inner.iter().enumerate() {
            self.set_inner(paytable, item, paytable.inner_wheel.sections[section])?;
        }
        for (item, &section) in outer.iter().enumerate() {
            self.class[item] = class_of(paytable, paytable.outer_wheel.sections[section]);
        }
        if selection.len() != paytable.characters().len() {
            let mut table = [0; ENTRIES];
            for (entry, &position) in table.iter_mut().zip(selection) {
                *entry = u8::try_from(position).expect("below six");
            }
            self.selected = Some(table);
        }
        let digit = |units: &[usize]| u16::try_from(units.len()).expect("at most 64");
        self.inner_items = inner.len();
        self.outcome = Outcome::Digits {
            inner: digit(inner),
            selections: digit(selection),
            outer: digit(outer),
        };
        Ok(())
    }

    /// Items are different sections, in the order of first appearance, characters and
    /// classes; a list says which an outcome has.
    fn by_kind(
        &mut self,
        paytable: &Paytable,
        inner: &[usize],
        selection: &[usize],
        outer: &[usize],
    ) -> Result<(), &'static str> {
        let mut kinds: Vec<InnerSection> = Vec::new();
        for &section in &paytable.inner_wheel.sections {
            if !kinds.contains(&section) {
                kinds.push(section);
            }
        }
        if kinds.len() > ENTRIES {
            return Err("the inner wheel has more than 64 different sections");
        }
        for (item, &kind) in kinds.iter().enumerate() {
            self.set_inner(paytable, item, kind)?;
        }
        for (entry, class) in self.class.iter_mut().zip(0..=DRINK_ME) {
            *entry = class;
        }
        let mut list = Vec::new();
        for &inner in inner {
            let section = paytable.inner_wheel.sections[inner];
            let kind = kinds.iter().position(|&kind| kind == section);
            let kind = u8::try_from(kind.expect("every section was listed")).expect("below 64");
            for &selected in selection {
                let selected = u8::try_from(selected).expect("below six");
                list.extend(outer.iter().map(|&outer| {
                    let section = paytable.outer_wheel.sections[outer];
                    [kind, selected, class_of(paytable, section)]
                }));
            }
        }
        self.inner_items = kinds.len();
        self.outcome = Outcome::Listed(list);
        Ok(())
    }

    fn set_inner(
        &mut self,
        paytable: &Paytable,
        item: usize,
        section: InnerSection,
    ) -> Result<(), &'static str> {
        match section {
            InnerSection::Multiplier(amount) => self.amount[item] = byte(amount)?,
            InnerSection::AdditionalSpin => {
                self.gain[item] = byte(paytable.rules.additional_spin)?;
            }
        }
        Ok(())
    }
}

/// Why numbers are refused.
const LARGE: &str = "its numbers pass the bytes of a vector lane too soon";

fn byte(number: u32) -> Result<u8, &'static str> {
    u8::try_from(number).map_err(|_| LARGE)
}

fn class_of(paytable: &Paytable, section: OuterSection) -> u8 {
    match section {
        OuterSection::Character(character) => {
            let mut characters = paytable.characters().iter();
            let position = characters.position(|&other| other == character);
            u8::try_from(position.expect("a character on the wheel is the paytable's"))
                .expect("below six")
        }
        OuterSection::NoWin => NO_WIN,
        OuterSection::EatMe => EAT_ME,
        OuterSection::DrinkMe => DRINK_ME,
    }
}

impl Growth {
    fn new(items: &Wheels, potions: [Potion; 2]) -> Self {
        let largest = |bytes: &[u8]| bytes.iter().copied().max().unwrap_or(0).into();
        let most = |changes: [i32; 2]| {
            let largest = changes.into_iter().max().unwrap_or(0);
            largest.max(0).unsigned_abs()
        };
        let gain: u32 = largest(&items.gain);
        Self {
            boost: largest(&items.amount),
            up: most(potions.map(|potion| potion.multipliers)),
            down: most(potions.map(|potion| -potion.multipliers)),
            gain: gain + most(potions.map(Potion::counter_change)),
        }
    }

    /// The greatest age at which every number is in its byte; 0 where the start is not.
    fn safe_age(self, start: u32, floor: u32, spins: u32) -> u32 {
        let fits = |age: u32| {
            let age = u64::from(age);
            let [boost, up, down, gain] =
                [self.boost, self.up, self.down, self.gain].map(|growth| u64::from(growth) * age);
            let [start, floor, spins] = [start, floor, spins].map(u64::from);
            // A multiplier is x + r, which is added to the meter byte by byte.
            start.max(floor) + boost + up <= 255
                && start.max(floor + down) + boost <= 255
                && up <= 127
                && down <= 128
                && spins + gain <= 255
        };
        (1..=METER_AGE)
            .take_while(|&age| fits(age))
            .last()
            .unwrap_or(0)
    }

    /// The greatest age up to which no meter passes 255: a hit of spin t adds at most
    /// m(t).
    fn short_age(self, start: u32, floor: u32) -> u32 {
        let mut meter = 0_u64;
        (1..=METER_AGE)
            .take_while(|&age| {
                let growth = u64::from(self.boost + self.up) * u64::from(age);
                meter += u64::from(start.max(floor)) + growth;
                meter <= 255
            })
            .last()
            .unwrap_or(0)
    }
}

impl Starts {
    fn new(start: &StartTable, characters: usize) -> Self {
        let bytes = |row: Row| row.map(|value| u8::try_from(value).expect("starts are bytes"));
        match start.narrow() {
            Some((1, row)) => Self::Fixed(bytes(row(0))),
            Some((outcomes, row)) => {
                let row = |outcome| bytes(row(outcome));
                let rows = (0..outcomes)
                    .map(|outcome| u64::from_le_bytes(pad(row(outcome))))
                    .collect();
                let is_permutation = characters == 6 && outcomes == 720;
                match is_permutation.then(|| Orders::new(&row)).flatten() {
                    Some(orders) => Self::Orders { rows, orders },
                    None => Self::Rows { outcomes, rows },
                }
            }
            None => Self::Sampled,
        }
    }
}

fn pad(row: [u8; 6]) -> [u8; 8] {
    let mut padded = [0; 8];
    padded[..6].copy_from_slice(&row);
    padded
}

/// A change as a byte that wraps: it is at least -10 and at most 10.
fn wrapped(change: i32) -> u8 {
    i8::try_from(change)
        .expect("at most 10 either way")
        .cast_unsigned()
}

/// Item of each unit.
fn expand(units: &[u64]) -> Vec<usize> {
    units
        .iter()
        .enumerate()
        .flat_map(|(item, &count)| {
            let count = usize::try_from(count).expect("at most 65,536 units");
            std::iter::repeat_n(item, count)
        })
        .collect()
}

impl Orders {
    /// The orders of the first row's values, where the rows list them lexicographically.
    fn new(row: &impl Fn(u32) -> [u8; 6]) -> Option<Box<Self>> {
        let first = row(0);
        let mut values = [0; ENTRIES];
        values[..6].copy_from_slice(&first);
        let mut ranks = [[0; 2 * ENTRIES]; 5];
        for order in 0..120_u8 {
            let mut left: Vec<u8> = (0..5).collect();
            let mut number = usize::from(order);
            for (ranks, orders_of_rest) in ranks.iter_mut().zip([24, 6, 2, 1, 1]) {
                ranks[usize::from(order)] = left.remove(number / orders_of_rest);
                number %= orders_of_rest;
            }
        }
        let lists_the_orders = (0..720_u32).all(|outcome| {
            let (head, rest) = ((outcome / 120) as usize, (outcome % 120) as usize);
            let mut expected = [first[head]; 6];
            for (place, ranks) in expected[1..].iter_mut().zip(&ranks) {
                let rank = usize::from(ranks[rest]);
                *place = first[rank + usize::from(rank >= head)];
            }
            row(outcome) == expected
        });
        lists_the_orders.then(|| Box::new(Self { values, ranks }))
    }
}
