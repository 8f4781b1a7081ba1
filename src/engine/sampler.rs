//! A paytable compiled into tables: outcome of a draw in, effect on a round out.
//!
//! The tables follow the specification in [`stream`](super::stream). They serve the
//! fast paths only; the reference path reads the paytable itself, so a fault in a
//! table shows as a difference between the two.

use super::stream::{NarrowDraw, Stream, WideDraw};
use crate::paytable::{Paytable, StartLaw};
use crate::rules::{Character, InnerSection, OuterSection, Trigger};

/// One starting multiplier for each character of the paytable, by position; the rest zero.
pub(super) type Row = [u32; 6];

/// Positions in a round's multipliers: six characters, and one that is always zero.
pub(super) const NOBODY: u8 = 7;

/// What one spin does to a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effect {
    /// Added to the boosted multiplier, (f)(2)(i); zero for an additional spin.
    pub(super) amount: u32,
    /// Position of the boosted multiplier.
    pub(super) boosted: u8,
    /// Position of the multiplier that goes to the meter, (f)(4)(i), or [`NOBODY`].
    pub(super) hit: u8,
    /// Index of the potion in [`SpinTable::potions`]: 0 none, 1 Eat Me, 2 Drink Me.
    pub(super) potion: u8,
    /// Change of the counter by the whole pass, from -1 to 20.
    pub(super) counter: i8,
}

/// Weights as units: divided by their greatest common divisor.
pub(super) fn units(weights: &[u64]) -> Vec<u64> {
    let divisor = weights.iter().fold(0, |a, &b| gcd(a, b)).max(1);
    weights.iter().map(|weight| weight / divisor).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Product of unit counts where it is a narrow draw's.
fn narrow_product(counts: impl IntoIterator<Item = u64>) -> Option<NarrowDraw> {
    let product = counts.into_iter().try_fold(1, u64::checked_mul)?;
    NarrowDraw::new(product)
}

/// Item of each unit, for at most 65,536 units.
pub(super) fn expand(units: &[u64]) -> Vec<u16> {
    let mut items = Vec::new();
    for (item, &count) in (0..=u16::MAX).zip(units) {
        items.extend(std::iter::repeat_n(
            item,
            usize::try_from(count).expect("the units of a narrow draw"),
        ));
    }
    items
}

/// A wide draw of an item by its units.
#[derive(Debug, Clone)]
pub(super) struct WideItems {
    pub(super) draw: WideDraw,
    /// Units up to and with each item.
    cumulative: Vec<u64>,
}

impl WideItems {
    pub(super) fn new(units: &[u64]) -> Self {
        let cumulative: Vec<u64> = units
            .iter()
            .scan(0, |sum, &count| {
                *sum += count;
                Some(*sum)
            })
            .collect();
        let draw = WideDraw::new(*cumulative.last().expect("a law has at least one item"));
        Self { draw, cumulative }
    }

    #[inline]
    pub(super) fn item(&self, unit: u64) -> usize {
        self.cumulative.partition_point(|&end| end <= unit)
    }
}

/// The law of the starting multipliers, 693.6(e), compiled.
#[derive(Debug, Clone)]
pub(super) enum StartTable {
    /// The same row for every round.
    Fixed(Row),
    /// One narrow draw; `row_of` gives the row of each outcome.
    Narrow {
        draw: NarrowDraw,
        row_of: Vec<u16>,
        rows: Vec<Row>,
    },
    /// One wide draw of a row.
    WideRows(WideRows),
    /// One wide draw for each character.
    WideEach(WideEach),
}

/// [`StartTable::WideRows`].
#[derive(Debug, Clone)]
pub(super) struct WideRows {
    items: WideItems,
    rows: Vec<Row>,
}

/// [`StartTable::WideEach`].
#[derive(Debug, Clone)]
pub(super) struct WideEach {
    items: WideItems,
    values: Vec<u32>,
    characters: usize,
}

impl StartTable {
    pub(super) fn new(paytable: &Paytable, trigger: Trigger) -> Self {
        let characters = paytable.characters();
        let count = characters.len();
        let row_of_map = |value: &dyn Fn(Character) -> u32| {
            let mut row = Row::default();
            for (place, &character) in row.iter_mut().zip(characters) {
                *place = value(character);
            }
            row
        };
        match paytable.start_law(trigger) {
            StartLaw::Fixed { values } => Self::Fixed(row_of_map(&|character| values[&character])),
            StartLaw::Permutation { values } => Self::rows(
                permutations(count)
                    .into_iter()
                    .map(|order| {
                        let mut row = Row::default();
                        for (place, position) in row.iter_mut().zip(order) {
                            *place = values[position];
                        }
                        (1, row)
                    })
                    .collect(),
            ),
            StartLaw::Table { rows } => Self::rows(
                rows.iter()
                    .map(|row| (row.weight, row_of_map(&|character| row.values[&character])))
                    .collect(),
            ),
            StartLaw::Independent { values, weights } => {
                let weights = units(weights);
                let total: u64 = weights.iter().sum();
                if narrow_product(std::iter::repeat_n(total, count)).is_none() {
                    return Self::WideEach(WideEach {
                        items: WideItems::new(&weights),
                        values: values.clone(),
                        characters: count,
                    });
                }
                // All value tuples, first character most significant, each with the
                // product of its weights: the base-T digits of the specification would
                // list units, so a row is made for each unit and not for each tuple.
                let unit_values: Vec<u32> = expand(&weights)
                    .into_iter()
                    .map(|item| values[usize::from(item)])
                    .collect();
                let mut rows = vec![Row::default()];
                for place in 0..count {
                    rows = rows
                        .iter()
                        .flat_map(|row| {
                            unit_values.iter().map(move |&value| {
                                let mut row = *row;
                                row[place] = value;
                                row
                            })
                        })
                        .collect();
                }
                Self::rows(rows.into_iter().map(|row| (1, row)).collect())
            }
        }
    }

    fn rows(weighted: Vec<(u64, Row)>) -> Self {
        let (weights, rows): (Vec<u64>, Vec<Row>) = weighted.into_iter().unzip();
        let units = units(&weights);
        let total = units
            .iter()
            .try_fold(0_u64, |sum, &count| sum.checked_add(count));
        match total.and_then(NarrowDraw::new) {
            Some(draw) => Self::Narrow {
                draw,
                row_of: expand(&units),
                rows,
            },
            None => Self::WideRows(WideRows {
                items: WideItems::new(&units),
                rows,
            }),
        }
    }

    /// The largest value that can be drawn.
    pub(super) fn largest(&self) -> u32 {
        let largest = |values: &mut dyn Iterator<Item = u32>| values.max().unwrap_or(0);
        match self {
            Self::Fixed(row) => largest(&mut row.iter().copied()),
            Self::Narrow { rows, .. } | Self::WideRows(WideRows { rows, .. }) => {
                largest(&mut rows.iter().flatten().copied())
            }
            Self::WideEach(each) => largest(&mut each.values.iter().copied()),
        }
    }

    /// The rows, where a draw is the number of one.
    pub(super) fn numbered_rows(&self) -> &[Row] {
        match self {
            Self::Fixed(row) => std::slice::from_ref(row),
            Self::Narrow { rows, .. } => rows,
            Self::WideRows(_) | Self::WideEach(_) => &[],
        }
    }

    /// The number of outcomes of a narrow draw and the row of each; one outcome where
    /// starts are fixed, `None` where they take wide draws.
    pub(super) fn narrow(&self) -> Option<(u32, impl Fn(u32) -> Row)> {
        let (outcomes, row_of) = match self {
            Self::Fixed(_) => (1, [0].as_slice()),
            Self::Narrow { draw, row_of, .. } => (draw.outcomes(), row_of.as_slice()),
            Self::WideRows(_) | Self::WideEach(_) => return None,
        };
        let rows = self.numbered_rows();
        Some((outcomes, move |outcome: u32| {
            rows[usize::from(row_of[outcome as usize])]
        }))
    }

    /// Draws numbers of [`numbered_rows`](Self::numbered_rows), of which there are some,
    /// in the order of slots; `numbers` is replaced.
    pub(super) fn draw_numbers(&self, stream: &mut Stream, count: usize, numbers: &mut Vec<u16>) {
        if let Self::Narrow { draw, row_of, .. } = self {
            stream.narrow_phase(*draw, row_of, count, numbers);
        } else {
            numbers.clear();
            numbers.resize(count, 0);
        }
    }

    /// Draws the rows of a batch, in the order of slots; `rows` is replaced.
    pub(super) fn draw(
        &self,
        stream: &mut Stream,
        count: usize,
        scratch: &mut Scratch,
        rows: &mut Vec<Row>,
    ) {
        rows.clear();
        match self {
            Self::Fixed(_) | Self::Narrow { .. } => {
                self.draw_numbers(stream, count, &mut scratch.narrow);
                let table = self.numbered_rows();
                rows.extend(
                    scratch
                        .narrow
                        .iter()
                        .map(|&number| table[usize::from(number)]),
                );
            }
            Self::WideRows(wide) => {
                stream.wide_phase(wide.items.draw, count, &mut scratch.wide);
                rows.extend(
                    scratch
                        .wide
                        .iter()
                        .map(|&unit| wide.rows[wide.items.item(unit)]),
                );
            }
            Self::WideEach(each) => {
                rows.resize(count, Row::default());
                for place in 0..each.characters {
                    stream.wide_phase(each.items.draw, count, &mut scratch.wide);
                    for (row, &unit) in rows.iter_mut().zip(&scratch.wide) {
                        row[place] = each.values[each.items.item(unit)];
                    }
                }
            }
        }
    }
}

/// All orders of `count` positions, lexicographic.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..count {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..count)
                    .filter(|position| !order.contains(position))
                    .map(|position| {
                        let mut longer = order.clone();
                        longer.push(position);
                        longer
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    orders
}

/// Buffers that a draw needs, kept from batch to batch.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    narrow: Vec<u16>,
    wide: Vec<u64>,
}

/// The spin, 693.6(f)(2) and (4), compiled.
#[derive(Debug, Clone)]
pub(super) struct SpinTable {
    law: SpinLaw,
    /// What each effect number does; at most 1024 x 6 x 9 of them.
    pub(super) effects: Vec<Effect>,
    /// Change of every multiplier: none, Eat Me, Drink Me.
    pub(super) potions: [i32; 3],
    /// The least multiplier.
    pub(super) floor: u32,
}

#[derive(Debug, Clone)]
enum SpinLaw {
    /// One narrow draw; `effect_of` gives the effect number of each joint outcome.
    Joint {
        draw: NarrowDraw,
        effect_of: Vec<u16>,
    },
    /// Three wide draws, whose parts of the effect number add up.
    Parts([Part; 3]),
}

#[derive(Debug, Clone)]
struct Part {
    items: WideItems,
    /// What an item adds to the effect number.
    term: Vec<u16>,
}

impl SpinTable {
    pub(super) fn new(paytable: &Paytable) -> Self {
        let characters = paytable.characters();
        let rules = &paytable.rules;

        // Sections that do the same share an effect, which keeps the table in the
        // first-level cache: 5 x 6 x 9 effects for 3,888 joint outcomes.
        let (inner, inner_class) = classes(&paytable.inner_wheel.sections);
        let (outer, outer_class) = classes(&paytable.outer_wheel.sections);

        let mut effects = Vec::with_capacity(inner.len() * characters.len() * outer.len());
        for &inner in &inner {
            for boosted in (0..NOBODY).take(characters.len()) {
                for &outer in &outer {
                    effects.push(effect(paytable, inner, boosted, outer));
                }
            }
        }

        let scale = |classes: Vec<usize>, by: usize| -> Vec<u16> {
            classes
                .into_iter()
                .map(|class| u16::try_from(class * by).expect("at most 55,296 effects"))
                .collect()
        };
        let terms = [
            scale(inner_class, characters.len() * outer.len()),
            scale((0..characters.len()).collect(), outer.len()),
            scale(outer_class, 1),
        ];
        let units = [
            units(&paytable.inner_wheel.weights),
            units(&paytable.boost_weights()),
            units(&paytable.outer_wheel.weights),
        ];

        let law = match narrow_product(units.iter().map(|units| units.iter().sum())) {
            Some(draw) => {
                let [inner, selection, outer] = [0, 1, 2].map(|part: usize| {
                    expand(&units[part])
                        .into_iter()
                        .map(|item| terms[part][usize::from(item)])
                        .collect::<Vec<u16>>()
                });
                let mut effect_of = Vec::new();
                for a in &inner {
                    for b in &selection {
                        effect_of.extend(outer.iter().map(|c| a + b + c));
                    }
                }
                SpinLaw::Joint { draw, effect_of }
            }
            None => SpinLaw::Parts([0, 1, 2].map(|part: usize| Part {
                items: WideItems::new(&units[part]),
                term: terms[part].clone(),
            })),
        };
        Self {
            law,
            effects,
            potions: [0, rules.eat_me.multipliers, rules.drink_me.multipliers],
            floor: rules.multiplier_floor,
        }
    }

    /// The most that one spin can add to a multiplier.
    pub(super) fn largest_growth(&self) -> u32 {
        let amount = self.effects.iter().map(|effect| effect.amount).max();
        let potion = self.potions.into_iter().max().unwrap_or(0).max(0);
        amount.unwrap_or(0) + potion.unsigned_abs()
    }

    /// The narrow draw of a spin and the effect number of each outcome; `None` where a
    /// spin is drawn in three wide parts.
    pub(super) fn joint(&self) -> Option<(NarrowDraw, &[u16])> {
        match &self.law {
            SpinLaw::Joint { draw, effect_of } => Some((*draw, effect_of)),
            SpinLaw::Parts(_) => None,
        }
    }

    /// Draws one spin for each round in play, in the order of slots: effect numbers;
    /// `numbers` is replaced.
    pub(super) fn draw(
        &self,
        stream: &mut Stream,
        count: usize,
        scratch: &mut Scratch,
        numbers: &mut Vec<u16>,
    ) {
        match &self.law {
            SpinLaw::Joint { draw, effect_of } => {
                stream.narrow_phase(*draw, effect_of, count, numbers);
            }
            SpinLaw::Parts(parts) => {
                numbers.clear();
                numbers.resize(count, 0);
                for part in parts {
                    stream.wide_phase(part.items.draw, count, &mut scratch.wide);
                    for (number, &unit) in numbers.iter_mut().zip(&scratch.wide) {
                        *number += part.term[part.items.item(unit)];
                    }
                }
            }
        }
    }
}

/// The distinct items of a list in order of appearance, and the class of each item.
fn classes<T: Copy + PartialEq>(items: &[T]) -> (Vec<T>, Vec<usize>) {
    let mut distinct = Vec::new();
    let class_of = items
        .iter()
        .map(|item| {
            distinct
                .iter()
                .position(|other| other == item)
                .unwrap_or_else(|| {
                    distinct.push(*item);
                    distinct.len() - 1
                })
        })
        .collect();
    (distinct, class_of)
}

/// One pass, (f)(2) and (f)(4), as an [`Effect`].
fn effect(paytable: &Paytable, inner: InnerSection, boosted: u8, outer: OuterSection) -> Effect {
    let rules = &paytable.rules;
    let (amount, added) = match inner {
        InnerSection::Multiplier(amount) => (amount, 0),
        InnerSection::AdditionalSpin => {
            (0, i32::try_from(rules.additional_spin).expect("at most 10"))
        }
    };
    let (hit, potion, change) = match outer {
        OuterSection::Character(character) => {
            let position = paytable
                .characters()
                .iter()
                .position(|&other| other == character);
            let position = position.expect("a character on the outer wheel is the paytable's");
            (u8::try_from(position).expect("below six"), 0, -1)
        }
        OuterSection::NoWin => (NOBODY, 0, -1),
        OuterSection::EatMe => (NOBODY, 1, rules.eat_me.counter_change()),
        OuterSection::DrinkMe => (NOBODY, 2, rules.drink_me.counter_change()),
    };
    Effect {
        amount,
        boosted,
        hit,
        potion,
        counter: i8::try_from(added + change).expect("a pass changes the counter by -1 to 20"),
    }
}

#[cfg(test)]
#[path = "sampler_tests.rs"]
mod tests;
