//! One spin applied to a table over two multipliers.
//!
//! The sum pp of [`floor`](super::floor) lives on (counter, m, m'). Its expectation after one
//! spin is taken in the order of 693.6(f): first over the outer result, for every multiplier
//! that the inner one can leave, then over the inner result. Written once for `f64`, to solve,
//! and for intervals, to prove.

use std::ops::{Add, Mul};

use super::floor::size;
use super::interval::Interval;
use super::law::Law;

/// A number that a spin can be applied to.
pub(super) trait Number: Copy + Add<Output = Self> + Mul<Output = Self> {
    /// 0.
    const ZERO: Self;
    /// From an enclosure of it.
    fn from_interval(interval: Interval) -> Self;
}

impl Number for f64 {
    const ZERO: Self = 0.0;

    fn from_interval(interval: Interval) -> Self {
        interval.mid()
    }
}

impl Number for Interval {
    const ZERO: Self = Self::ZERO;

    fn from_interval(interval: Interval) -> Self {
        interval
    }
}

/// A table over the counter and two multipliers above the floor.
#[derive(Debug, Clone)]
pub(super) struct Grid<T> {
    /// Largest counter kept.
    pub(super) levels: i64,
    /// Multipliers kept on either side.
    pub(super) width: i64,
    /// Cells by counter, first multiplier, second multiplier.
    pub(super) cells: Vec<T>,
    /// What stands for multipliers beyond the table.
    pub(super) outside: T,
    /// Whether a counter beyond the table has the value of the last one.
    pub(super) saturates: bool,
}

impl<T: Number> Grid<T> {
    /// A table of zeros.
    pub(super) fn zeros(levels: i64, width: i64, outside: T, saturates: bool) -> Self {
        Self {
            levels,
            width,
            cells: vec![T::ZERO; size(levels + 1) * size(width * width)],
            outside,
            saturates,
        }
    }

    /// The cells of a counter; `None` where all are 0.
    fn level(&self, n: i64) -> Option<&[T]> {
        let n = if self.saturates {
            n.min(self.levels)
        } else {
            n
        };
        if n <= 0 || n > self.levels {
            return None;
        }
        let area = size(self.width * self.width);
        Some(&self.cells[size(n) * area..][..area])
    }
}

/// The law of one spin for a pair of characters.
#[derive(Debug)]
pub(super) struct PairSpin<T> {
    down: T,
    /// Probability, change of the counter, delta.
    potions: Vec<(T, i64, i64)>,
    extra: T,
    extra_spins: i64,
    /// No change of the pair by the inner wheel.
    rest: T,
    /// Addition, probability that the first gets it, that the second gets it.
    additions: Vec<(i64, T, T)>,
}

impl<T: Number> PairSpin<T> {
    /// The law for two different characters of the given classes.
    pub(super) fn new(law: &Law, classes: (usize, usize)) -> Self {
        let number = |exact: &dashu_ratio::RBig| T::from_interval(Interval::from_rational(exact));
        let (first, second) = (&law.selection[classes.0], &law.selection[classes.1]);
        let mut rest = dashu_ratio::RBig::ONE - &law.extra;
        let mut additions = Vec::new();
        for (value, probability) in &law.additions {
            if *value > 0 {
                let (to_first, to_second) = (probability * first, probability * second);
                rest -= &to_first + &to_second;
                additions.push((*value, number(&to_first), number(&to_second)));
            }
        }
        Self {
            down: number(&law.down),
            potions: law
                .potions
                .iter()
                .map(|potion| (number(&potion.probability), potion.change, potion.delta))
                .collect(),
            extra: number(&law.extra),
            extra_spins: law.extra_spins,
            rest: number(&rest),
            additions,
        }
    }

    /// The probability of staying at a counter and at the multipliers `(m, m')`.
    pub(super) fn stay(&self, m: (i64, i64)) -> T {
        let mut total = T::ZERO;
        for (inner, extra) in [(self.rest, 0), (self.extra, self.extra_spins)] {
            if extra == 1 {
                total = total + inner * self.down;
            }
            for &(probability, change, delta) in &self.potions {
                let stays = (m.0 + delta).max(0) == m.0 && (m.1 + delta).max(0) == m.1;
                if stays && change + extra == 0 {
                    total = total + inner * probability;
                }
            }
        }
        total
    }

    /// The expectation over the outer result from counter `n`, for multipliers below `reach`.
    fn outer(&self, grid: &Grid<T>, n: i64, reach: i64, out: &mut Vec<T>) {
        let (width, reach) = (size(grid.width), size(reach));
        out.clear();
        out.resize(reach * reach, T::ZERO);
        let moves = std::iter::once((self.down, -1, 0)).chain(self.potions.iter().copied());
        for (probability, change, delta) in moves {
            let Some(cells) = grid.level(n + change) else {
                continue;
            };
            let beyond = probability * grid.outside;
            // Below `floored` the floor holds; from `outside` on the target leaves the table.
            let floored = size((-delta).max(0)).min(reach);
            let outside = size((grid.width - delta).max(0)).clamp(floored, reach);
            let skipped = size(delta.max(0)).min(width);
            for (m, row) in out.chunks_exact_mut(reach).enumerate() {
                if m >= outside {
                    for cell in row {
                        *cell = *cell + beyond;
                    }
                    continue;
                }
                let first = if m < floored {
                    0
                } else {
                    m - floored + skipped
                };
                let source = &cells[first * width..][..width];
                for cell in &mut row[..floored] {
                    *cell = *cell + probability * source[0];
                }
                for (cell, &value) in row[floored..outside].iter_mut().zip(&source[skipped..]) {
                    *cell = *cell + probability * value;
                }
                for cell in &mut row[outside..] {
                    *cell = *cell + beyond;
                }
            }
        }
    }

    /// The expectation of the table after one spin from counter `n`, for multipliers below
    /// `reach`, which is at most the table's width and the largest drop together.
    ///
    /// `beyond` stands for the table after an inner addition past the reach: the outer result
    /// then cannot come back into the table.
    pub(super) fn apply(&self, grid: &Grid<T>, n: i64, reach: i64, scratch: &mut Scratch<T>) {
        let Scratch { now, extra, result } = scratch;
        self.outer(grid, n, reach, now);
        self.outer(grid, n + self.extra_spins, reach, extra);
        let reach = size(reach);
        result.clear();
        result.extend(
            now.iter()
                .zip(extra.iter())
                .map(|(&now, &extra)| self.rest * now + self.extra * extra),
        );
        // The outer results' probabilities add up to one, so an outside value passes through;
        // at a counter from which every outer result leads to 0 it is still an enclosure of 0.
        for &(value, to_first, to_second) in &self.additions {
            let add = size(value);
            for (m, row) in result.chunks_exact_mut(reach).enumerate() {
                let beyond_first = to_first * grid.outside;
                let beyond_second = to_second * grid.outside;
                let split = reach.saturating_sub(add);
                if m + add < reach {
                    let source = &now[(m + add) * reach..][..reach];
                    for (cell, &value) in row.iter_mut().zip(source) {
                        *cell = *cell + to_first * value;
                    }
                } else {
                    for cell in row.iter_mut() {
                        *cell = *cell + beyond_first;
                    }
                }
                let source = &now[m * reach..][..reach];
                for (cell, &value) in row.iter_mut().zip(&source[add.min(reach)..]) {
                    *cell = *cell + to_second * value;
                }
                for cell in &mut row[split..] {
                    *cell = *cell + beyond_second;
                }
            }
        }
    }
}

/// Working space of [`PairSpin::apply`]; `result` is its answer.
#[derive(Debug)]
pub(super) struct Scratch<T> {
    now: Vec<T>,
    extra: Vec<T>,
    /// Cells by first and second multiplier below the reach.
    pub(super) result: Vec<T>,
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self {
            now: Vec::new(),
            extra: Vec::new(),
            result: Vec::new(),
        }
    }
}
