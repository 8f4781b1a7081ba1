//! One spin, the counter and the starts in floating point.
//!
//! Every probability is the nearest `f64` of a rational; the roundings of a whole course are counted in `backward`.

use crate::exact::law::Law;
use crate::paytable::{Paytable, StartLaw};
use crate::rules::Trigger;

/// Eat Me or Drink Me.
#[derive(Debug, Clone, Copy)]
pub(super) struct Potion {
    /// Its probability.
    pub(super) probability: f64,
    /// Change of the counter.
    pub(super) change: i64,
    /// Added to every multiplier, before the floor.
    pub(super) delta: i64,
}

/// Characters that a multiplier goes to with equal probability.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    /// Probability that a multiplier goes to a given member.
    pub(super) selection: f64,
    /// Members.
    pub(super) members: usize,
}

/// What a spin can do.
#[derive(Debug, Clone)]
pub(super) struct Spin {
    /// Least multiplier.
    pub(super) floor: usize,
    /// Inner multipliers, distinct, with their probabilities.
    pub(super) additions: Vec<(usize, f64)>,
    /// Probability of an inner multiplier.
    pub(super) multiplier: f64,
    /// Probability of the additional spin.
    pub(super) extra: f64,
    /// Spins that it adds.
    pub(super) extra_spins: usize,
    /// Probability that the outer result is a character.
    pub(super) hit: f64,
    /// Probability of No Win.
    pub(super) no_win: f64,
    /// The potions on the wheel.
    pub(super) potions: Vec<Potion>,
    /// The classes.
    pub(super) classes: Vec<Class>,
    /// Class of each character and its share of the hits, in the paytable's order.
    pub(super) characters: Vec<(usize, f64)>,
    /// Limit on spins.
    pub(super) max_spins: Option<u32>,
}

impl Spin {
    /// The spin of a paytable; `None` where a number is too large for tables of meters.
    pub(super) fn new(paytable: &Paytable) -> Option<Self> {
        let law = Law::new(paytable);
        let float = |number: &dashu_ratio::RBig| number.to_f64().value();
        let mut additions = Vec::new();
        for (value, probability) in &law.additions {
            additions.push((usize::try_from(*value).ok()?, float(probability)));
        }
        let no_win = &law.down - &law.hit;
        Some(Self {
            floor: usize::try_from(paytable.rules.multiplier_floor).ok()?,
            additions,
            multiplier: float(&(dashu_ratio::RBig::ONE - &law.extra)),
            extra: float(&law.extra),
            extra_spins: usize::try_from(law.extra_spins).ok()?,
            hit: float(&law.hit),
            no_win: float(&no_win),
            potions: law
                .potions
                .iter()
                .map(|potion| Potion {
                    probability: float(&potion.probability),
                    change: potion.change,
                    delta: potion.delta,
                })
                .collect(),
            classes: law
                .selection
                .iter()
                .enumerate()
                .map(|(class, selection)| Class {
                    selection: float(selection),
                    members: law.class_of.iter().filter(|&&of| of == class).count(),
                })
                .collect(),
            characters: law
                .class_of
                .iter()
                .zip(&law.label)
                .map(|(&class, label)| (class, float(&(label * &law.down / &law.hit))))
                .collect(),
            max_spins: paytable.rules.max_spins,
        })
    }

    /// The largest inner multiplier.
    pub(super) fn largest_addition(&self) -> usize {
        self.additions
            .iter()
            .map(|&(value, _)| value)
            .max()
            .unwrap_or(0)
    }

    /// Rows of a family that a potion leads to from row `row`, with what each future hit gains by it (module
    /// `backward`); none where the fall of the row is too small for it.
    pub(super) fn rows_after(row: usize, delta: i64, last: usize) -> Vec<(usize, usize)> {
        let size = usize::try_from(delta.unsigned_abs()).unwrap_or(usize::MAX);
        if delta < 0 {
            return row
                .checked_sub(size)
                .map(|row| (row, 0))
                .into_iter()
                .collect();
        }
        let mut rows = Vec::new();
        if row + size <= last {
            rows.push((row + size, 0));
        }
        if row == 0 {
            rows.extend((0..size.min(last + 1)).map(|row| (row, size - row)));
        }
        rows
    }
}

/// Where a round stands after an outer result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// It has ended.
    Ended,
    /// At a node of the counter.
    At(usize),
    /// Above the largest counter of the tables.
    Beyond,
}

/// The nodes of the counter: spins remaining and, with a limit, spins before it.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    /// Largest counter before an inner result.
    top: usize,
    /// Nodes of one number of spins before the limit.
    stride: usize,
    /// Spins before the limit at most.
    limit: Option<usize>,
    /// What an additional spin adds.
    extra: usize,
}

impl Counter {
    /// Nodes up to a counter of `top`.
    pub(super) fn new(top: usize, spin: &Spin) -> Self {
        Self {
            top,
            stride: top + spin.extra_spins + 1,
            limit: spin.max_spins.and_then(|limit| usize::try_from(limit).ok()),
            extra: spin.extra_spins,
        }
    }

    /// Number of nodes; the first are not used.
    pub(super) fn nodes(&self) -> usize {
        self.limit
            .map_or(self.stride, |limit| self.stride.saturating_mul(limit + 1))
    }

    /// The node that a round of so many spins starts at.
    pub(super) fn start(&self, spins: usize) -> usize {
        self.limit
            .map_or(spins, |limit| limit * self.stride + spins)
    }

    /// Whether a round can stand at a node before an inner result.
    pub(super) fn is_before(&self, node: usize) -> bool {
        let counter = node % self.stride;
        counter >= 1 && counter <= self.top && (self.limit.is_none() || node >= self.stride)
    }

    /// The nodes where a round can stand before an inner result.
    pub(super) fn before(&self) -> Vec<usize> {
        (0..self.nodes())
            .filter(|&node| self.is_before(node))
            .collect()
    }

    /// What an additional spin adds to a node.
    pub(super) fn extra(&self) -> usize {
        self.extra
    }

    /// Whether there is a limit on spins.
    pub(super) fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Where an outer result leads that changes the counter so.
    pub(super) fn after(&self, node: usize, change: i64) -> After {
        let counter =
            (node % self.stride).checked_add_signed(isize::try_from(change).unwrap_or(isize::MIN));
        let spins = node / self.stride;
        match counter {
            None | Some(0) => After::Ended,
            Some(_) if self.limit.is_some() && spins <= 1 => After::Ended,
            Some(counter) if counter > self.top => After::Beyond,
            Some(counter) if self.limit.is_some() => After::At((spins - 1) * self.stride + counter),
            Some(counter) => After::At(counter),
        }
    }
}

/// The law of the starting multipliers, as heights above the floor.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Starts {
    /// Values that are given to the characters in random order.
    Permutation(Vec<usize>),
    /// Each character alone: values with probabilities.
    Independent(Vec<(usize, f64)>),
    /// Rows by character, with probabilities.
    Rows(Vec<(f64, Vec<usize>)>),
}

impl Starts {
    /// The law of a trigger.
    pub(super) fn new(paytable: &Paytable, trigger: Trigger) -> Self {
        let floor = paytable.rules.multiplier_floor;
        let height = |value: u32| usize::try_from(value - floor).unwrap_or(usize::MAX);
        let float = |number: u64| dashu_ratio::RBig::from(number).to_f64().value();
        let characters = paytable.characters();
        match paytable.start_law(trigger) {
            StartLaw::Permutation { values } => {
                Self::Permutation(values.iter().map(|&value| height(value)).collect())
            }
            StartLaw::Fixed { values } => Self::Rows(vec![(
                1.0,
                characters.iter().map(|c| height(values[c])).collect(),
            )]),
            StartLaw::Independent { values, weights } => {
                let total: u64 = weights.iter().copied().sum();
                let pairs = values.iter().zip(weights);
                Self::Independent(
                    pairs
                        .map(|(&value, &weight)| (height(value), float(weight) / float(total)))
                        .collect(),
                )
            }
            StartLaw::Table { rows } => {
                let total: u64 = rows.iter().map(|row| row.weight).sum();
                let row = |row: &crate::paytable::StartRow| {
                    let heights = characters.iter().map(|c| height(row.values[c])).collect();
                    (float(row.weight) / float(total), heights)
                };
                Self::Rows(rows.iter().map(row).collect())
            }
        }
    }

    /// Different ways to give values to so many characters, at most.
    pub(super) fn ways(&self, characters: usize) -> usize {
        match self {
            Self::Permutation(values) => (0..values.len())
                .map(|taken| values.len() - taken)
                .product(),
            Self::Independent(values) => (0..characters)
                .try_fold(1_usize, |ways, _| ways.checked_mul(values.len()))
                .unwrap_or(usize::MAX),
            Self::Rows(rows) => rows.len().saturating_mul((1..=characters).product()),
        }
    }

    /// The largest height.
    pub(super) fn largest(&self) -> usize {
        match self {
            Self::Permutation(values) => values.iter().copied().max(),
            Self::Independent(values) => values.iter().map(|&(value, _)| value).max(),
            Self::Rows(rows) => rows.iter().flat_map(|(_, row)| row).copied().max(),
        }
        .unwrap_or(0)
    }
}
