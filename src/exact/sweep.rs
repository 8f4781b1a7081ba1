//! Gauss-Seidel sweeps for the floor's sums, in plain floating point.
//!
//! Counters are taken in ascending order, since most of the probability goes down: a sweep of
//! the Pennsylvania wheels leaves about 0.43 of the error. Nothing here is part of a proof.

use super::floor::{Step, size};
use super::interval::Interval;
use super::law::Law;
use super::pair::{Grid, Number, PairSpin, Scratch};
use super::unlimited::Frame;

/// A transition of the counter and one multiplier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub(super) probability: Interval,
    pub(super) change: i64,
    pub(super) shift: i64,
}

/// The steps by where they lead.
pub(super) fn merged(steps: &[Step]) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for step in steps {
        match moves
            .iter_mut()
            .find(|known| known.change == step.change && known.shift == step.shift)
        {
            Some(known) => known.probability += step.probability,
            None => moves.push(Move {
                probability: step.probability,
                change: step.change,
                shift: step.shift,
            }),
        }
    }
    moves
}

/// When an iteration ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// The most sweeps.
    pub(super) sweeps: usize,
    /// A level rests when nothing moved by more than this share of its largest cell.
    pub(super) rest: f64,
}

impl Patience {
    fn settled(self, moved: f64, largest: f64) -> bool {
        moved <= largest * self.rest
    }
}

/// Gauss-Seidel on one multiplier; cells by counter and multiplier.
pub(super) fn sweep_single(
    moves: &[Move],
    sources: &[Interval],
    frame: Frame,
    side: i64,
    patience: Patience,
) -> Vec<f64> {
    let Frame { levels, width } = frame;
    let moves: Vec<(f64, i64, i64)> = moves
        .iter()
        .map(|step| (step.probability.mid(), step.change, step.shift))
        .collect();
    let stay: Vec<f64> = (0..width)
        .map(|m| {
            moves
                .iter()
                .filter(|&&(_, change, shift)| change == 0 && (m + shift).max(0) == m)
                .map(|&(probability, ..)| probability)
                .sum()
        })
        .collect();
    let mut cells = vec![0.0_f64; size((levels + 1) * width)];
    for _ in 0..patience.sweeps {
        let mut rests = true;
        for n in 1..=levels {
            let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
            for m in 0..width {
                let mut value = sources[size(n * side + m)].mid();
                for &(probability, change, shift) in &moves {
                    let (to, target) = (n + change, (m + shift).max(0));
                    if (1..=levels).contains(&to) && target < width {
                        value += probability * cells[size(to * width + target)];
                    }
                }
                let cell = &mut cells[size(n * width + m)];
                let change = (value - *cell) / (1.0 - stay[size(m)]);
                *cell += change;
                moved = moved.max(change.abs());
                largest = largest.max(cell.abs());
            }
            rests &= patience.settled(moved, largest);
        }
        if rests {
            break;
        }
    }
    cells
}

/// Gauss-Seidel on two multipliers, by whole levels.
pub(super) fn sweep_pair(
    law: &Law,
    classes: (usize, usize),
    sources: &[Interval],
    frame: Frame,
    side: i64,
    patience: Patience,
) -> Grid<f64> {
    let Frame { levels, width } = frame;
    let spin = PairSpin::<f64>::new(law, classes);
    let mut grid = Grid::zeros(levels, width, 0.0, false);
    let factors: Vec<f64> = (0..width * width)
        .map(|index| 1.0 / (1.0 - spin.stay((index / width, index % width))))
        .collect();
    let sources: Vec<f64> = sources
        .iter()
        .map(|&source| f64::from_interval(source))
        .collect();
    let mut scratch = Scratch::default();
    for _ in 0..patience.sweeps {
        let mut rests = true;
        for n in 1..=levels {
            let (mut moved, mut largest) = (0.0_f64, 0.0_f64);
            spin.apply(&grid, n, side, &mut scratch);
            for first in 0..width {
                let row = size((n * width + first) * width);
                let cells = &mut grid.cells[row..row + size(width)];
                let results = &scratch.result[size(first * side)..][..size(width)];
                let source = &sources[size((n * side + first) * side)..][..size(width)];
                let factors = &factors[size(first * width)..][..size(width)];
                for (((cell, &result), &source), &factor) in
                    cells.iter_mut().zip(results).zip(source).zip(factors)
                {
                    let change = (source + result - *cell) * factor;
                    *cell += change;
                    moved = moved.max(change.abs());
                    largest = largest.max(cell.abs());
                }
            }
            rests &= patience.settled(moved, largest);
        }
        if rests {
            break;
        }
    }
    grid
}
