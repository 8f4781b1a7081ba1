//! Where the mean meter comes from: by character and by source.
//!
//! The mean is linear in what [`meter`](super::meter) adds up,
//!
//! ```text
//! E[M] = sum_c pi_c (E[x_c] d1 + b1_c + E[f1_c]),
//! ```
//!
//! so the term of each c is what its hits pay: the split **by character**. And b1 = E[1 a + s d1 +
//! b1] with s = a + delta is linear in what a spin adds: with a, with the delta of Eat Me and
//! with that of Drink Me alone on the right side it falls into three solutions whose sum it is.
//! So the split **by source** is
//!
//! | source | what it is |
//! | --- | --- |
//! | start | hits times the starting multipliers |
//! | inner additions | what inner multipliers added, at every later hit |
//! | Eat Me, Drink Me | what the potions would have added if there were no floor |
//! | floor | the remainder: what the floor of (f)(4)(iv) gave back |
//!
//! Guarantee: `lower <= truth <= upper` for each part, in rationals. The values of a split add
//! up to the value of the mean exactly, and its bounds to [`Split::total`], which encloses the
//! mean. Without a limit on spins every part but the floor's is an exact rational and the
//! bounds add up to those of the mean, except where the mean was sharpened by a comparison.
//! Both splits are of the mean without `max_meter`: a cap belongs to no character and to no
//! source.

use dashu_ratio::RBig;

use super::enclosure::Enclosure;
use super::floor::FloorTables;
use super::horizon::Layer;
use super::interval::Interval;
use super::law::Law;
use super::moments::{Column, Moments, Series};
use super::poly::{self, Poly};
use super::returns::RationalEnclosure;
use super::starts::Starts;
use crate::rules::{Character, OuterSection};

/// A source of the mean meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The starting multipliers, 693.6(e).
    Start,
    /// The inner wheel's multipliers, 693.6(f)(2)(i).
    InnerAdditions,
    /// Eat Me, 693.6(f)(4)(iii), without the floor.
    EatMe,
    /// Drink Me, 693.6(f)(4)(iv), without the floor.
    DrinkMe,
    /// The floor of 693.6(f)(4)(iv).
    Floor,
}

impl Source {
    /// All of them, in the order of [`Contributions::source`].
    pub const ALL: [Self; 5] = [
        Self::Start,
        Self::InnerAdditions,
        Self::EatMe,
        Self::DrinkMe,
        Self::Floor,
    ];

    /// The name that reports use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::InnerAdditions => "inner additions",
            Self::EatMe => "eat-me",
            Self::DrinkMe => "drink-me",
            Self::Floor => "floor",
        }
    }
}

/// The mean meter in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split<L> {
    /// The parts with their labels.
    pub parts: Vec<(L, RationalEnclosure)>,
    /// Their exact sum: its value is that of the mean, its bounds enclose the mean.
    pub total: RationalEnclosure,
}

impl<L> Split<L> {
    /// Makes the last part take what the values lack to the mean, and, where the bounds of the
    /// parts are sharper than those of the mean, the difference of the bounds as well.
    pub(super) fn new(mut parts: Vec<(L, RationalEnclosure)>, mean: Enclosure) -> Self {
        let whole = RationalEnclosure::scaled(mean, &RBig::ONE);
        let sum = |parts: &[(L, RationalEnclosure)]| {
            parts
                .iter()
                .fold(RationalEnclosure::exact(RBig::ZERO), |sum, (_, part)| {
                    sum.plus(part)
                })
        };
        let found = sum(&parts);
        if let Some((_, last)) = parts.last_mut() {
            last.value += &whole.value - &found.value;
            // Moving a bound outward keeps it a bound.
            if found.lower > whole.lower {
                last.lower -= &found.lower - &whole.lower;
            }
            if found.upper < whole.upper {
                last.upper += &whole.upper - &found.upper;
            }
            if last.value < last.lower {
                last.lower = last.value.clone();
            }
            if last.value > last.upper {
                last.upper = last.value.clone();
            }
        }
        let total = sum(&parts);
        Self { parts, total }
    }
}

/// The mean meter by character and by source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contributions {
    /// What the hits of each character pay, in the paytable's order.
    pub character: Split<Character>,
    /// What each source adds, in the order of [`Source::ALL`].
    pub source: Split<Source>,
}

/// The parts before they are fitted to the mean.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    /// Every source but the floor.
    sources: Vec<RationalEnclosure>,
    /// By character.
    characters: Vec<RationalEnclosure>,
}

/// The three parts of b1 of one class: inner additions, Eat Me, Drink Me.
pub(super) type Additions<S> = [S; 3];

/// What stands on the right side of an equation besides the solution itself: the constant, and
/// the weights of d1 by change of the counter.
type Equation<T> = (T, Vec<(i64, T)>);

/// The three equations of a class.
fn equations(law: &Law, class: usize) -> Additions<Equation<RBig>> {
    let mean = law.additions.iter().fold(RBig::ZERO, |sum, (value, p)| {
        sum + RBig::from(*value) * p * &law.selection[class]
    });
    let mut inner = vec![(-1, &mean * &law.down)];
    inner.extend(
        law.potions
            .iter()
            .map(|potion| (potion.change, &mean * &potion.probability)),
    );
    let potion = |section: OuterSection| {
        let weights = law
            .potions
            .iter()
            .filter(|potion| potion.section == section)
            .flat_map(|potion| {
                let moved = RBig::from(potion.delta) * &potion.probability;
                [
                    (potion.change, &moved * (RBig::ONE - &law.extra)),
                    (potion.change + law.extra_spins, moved * &law.extra),
                ]
            })
            .collect();
        (RBig::ZERO, weights)
    };
    [
        (&mean * &law.down, inner),
        potion(OuterSection::EatMe),
        potion(OuterSection::DrinkMe),
    ]
}

/// b1 of each class in its three parts with a limit on spins.
pub(super) fn limited(law: &Law, limit: u32) -> Vec<Additions<Column>> {
    let weights = |exact: &[(i64, RBig)]| -> Vec<(i64, Interval)> {
        exact
            .iter()
            .map(|(change, weight)| (*change, Interval::from_rational(weight)))
            .collect()
    };
    let steps = weights(&law.steps(false));
    let down = Interval::from_rational(&law.down);
    let equations: Vec<Additions<Equation<Interval>>> = (0..law.selection.len())
        .map(|class| {
            equations(law, class)
                .map(|(constant, mix)| (Interval::from_rational(&constant), weights(&mix)))
        })
        .collect();
    let mut hits = Column::ended();
    let mut columns: Vec<Additions<Column>> = equations
        .iter()
        .map(|_| std::array::from_fn(|_| Column::ended()))
        .collect();
    for _ in 0..limit {
        for (column, equations) in columns.iter_mut().zip(&equations) {
            for (column, (constant, mix)) in column.iter_mut().zip(equations) {
                *column = hits
                    .constant(constant)
                    .plus(&hits.mix(mix))
                    .plus(&column.mix(&steps));
            }
        }
        hits = hits.constant(&down).plus(&hits.mix(&steps));
    }
    columns
}

/// The expected start of each character.
fn expected_starts(starts: &Starts) -> Vec<RBig> {
    starts
        .single
        .iter()
        .map(|single| {
            single
                .iter()
                .fold(RBig::ZERO, |sum, (x, p)| sum + RBig::from(*x) * p)
        })
        .collect()
}

/// An interval times a rational that is not negative, exactly; its ends must be finite.
fn times(interval: Interval, factor: &RBig) -> RationalEnclosure {
    RationalEnclosure::scaled(Enclosure::from_interval(interval), factor)
}

impl Parts {
    /// The parts without the floor and without a limit on spins, exactly.
    pub(super) fn unfloored(
        law: &Law,
        starts: &Starts,
        moments: &Moments<Poly>,
        spins: u32,
    ) -> Self {
        let n = i64::from(spins);
        let steps = law.steps(false);
        let down_steps = moments.d1.at(n);
        let additions: Vec<Additions<RBig>> = (0..law.selection.len())
            .map(|class| {
                equations(law, class).map(|(constant, mix)| {
                    let reward = Poly::constant(constant).plus(&moments.d1.mix(&mix));
                    poly::solve(&reward, &steps).at(n)
                })
            })
            .collect();
        let mut sources = vec![RBig::ZERO; 4];
        let mut characters = Vec::new();
        for (c, start) in expected_starts(starts).iter().enumerate() {
            let pi = &law.label[c];
            let class = law.class_of[c];
            sources[0] += pi * start * &down_steps;
            for (source, part) in sources[1..].iter_mut().zip(&additions[class]) {
                *source += pi * part;
            }
            let paid = pi * (start * &down_steps + moments.class[class].b1.at(n));
            characters.push(RationalEnclosure::exact(paid));
        }
        Self {
            sources: sources.into_iter().map(RationalEnclosure::exact).collect(),
            characters,
        }
    }

    /// With the floor's part of each character from tables.
    pub(super) fn with_floor(
        &self,
        law: &Law,
        starts: &Starts,
        floor: u32,
        tables: &FloorTables,
        spins: u32,
    ) -> Self {
        let mut parts = self.clone();
        for (c, character) in parts.characters.iter_mut().enumerate() {
            let table = &tables.class[law.class_of[c]][0];
            for (start, probability) in starts.single[c].iter() {
                let above = i64::from(*start) - i64::from(floor);
                let pushed = table.enclosure(i64::from(spins), above);
                *character = character.plus(&times(pushed, &(&law.label[c] * probability)));
            }
        }
        parts
    }

    /// Where the floor's part is known only to be what lies between the parts and the mean.
    pub(super) fn up_to(mut self, mean: Enclosure) -> Self {
        let most = RationalEnclosure::scaled(mean, &RBig::ONE).upper;
        let room = self
            .characters
            .iter()
            .fold(most, |room, part| room - &part.upper);
        if room > RBig::ZERO {
            for part in &mut self.characters {
                part.upper += &room;
            }
        }
        self
    }

    /// The parts with a limit on spins, from value iteration.
    pub(super) fn limited(
        law: &Law,
        starts: &Starts,
        floor: u32,
        layer: &Layer,
        additions: &[Additions<Column>],
        spins: u32,
    ) -> Self {
        let n = i64::from(spins);
        let down_steps = layer.moments.d1.at(n);
        let mut sources = vec![RationalEnclosure::exact(RBig::ZERO); 4];
        let mut characters = Vec::new();
        for (c, start) in expected_starts(starts).iter().enumerate() {
            let pi = &law.label[c];
            let class = law.class_of[c];
            let started = times(down_steps, &(pi * start));
            sources[0] = sources[0].plus(&started);
            for (source, part) in sources[1..].iter_mut().zip(&additions[class]) {
                *source = source.plus(&times(part.at(n), pi));
            }
            characters.push(started.plus(&times(layer.moments.class[class].b1.at(n), pi)));
        }
        let parts = Self {
            sources,
            characters,
        };
        if law.largest_drop() > 0 {
            parts.with_floor(law, starts, floor, &layer.tables, spins)
        } else {
            parts
        }
    }

    /// With bounds moved outward; `None` where `amount` is not finite.
    pub(super) fn widened(mut self, amount: f64) -> Option<Self> {
        let amount = RBig::try_from(amount).ok()?;
        for part in self.sources.iter_mut().chain(&mut self.characters) {
            part.lower -= &amount;
            part.upper += &amount;
        }
        Some(self)
    }

    /// Both splits, fitted to the mean.
    pub(super) fn contributions(self, characters: &[Character], mean: Enclosure) -> Contributions {
        let whole = RationalEnclosure::scaled(mean, &RBig::ONE);
        // The remainder is the mean less the other parts, whose bounds change sides.
        let floor = self
            .sources
            .iter()
            .fold(whole, |rest, part| RationalEnclosure {
                value: rest.value - &part.value,
                lower: rest.lower - &part.upper,
                upper: rest.upper - &part.lower,
            });
        let sources = self.sources.into_iter().chain([floor]);
        Contributions {
            character: Split::new(
                characters.iter().copied().zip(self.characters).collect(),
                mean,
            ),
            source: Split::new(Source::ALL.into_iter().zip(sources).collect(), mean),
        }
    }
}

#[cfg(test)]
mod tests;
