//! From the tables to a round's start, 693.6(e): which characters the parts are and what they start at.
//!
//! Given H hits, each is on character c with probability `pi_c`, its share, independently of everything else. A shape
//! h therefore has the probability
//!
//! ```text
//! H! / (h_1! ... h_6!) * sum over the different ways to give its parts to characters of the product of pi_c^h_c
//! ```
//!
//! and the starting multipliers are given to the parts by their own law, which is independent of the hits. Where the
//! starts belong to characters (`fixed`, `table`) both are given together.

use rustc_hash::FxHashMap;

use super::parts::{MOST, Part, Parts, count, power};
use super::spin::{Spin, Starts};

/// Heights of the parts above the floor, and the probability of the shape with them.
pub(super) type Way = ([usize; MOST], f64);

/// The ways of a shape at one row that reach the floor alike: the family, and the probability by what the heights add
/// to the meter beyond the row.
pub(super) struct Group {
    /// Hits and depths.
    pub(super) parts: Parts,
    /// Probability by addition to the meter.
    pub(super) gains: Vec<f64>,
}

/// The groups of a row, in the order in which the ways meet them.
pub(super) fn groups(shape: &Parts, ways: &[Way], row: usize) -> Vec<Group> {
    let list = shape.list();
    let mut index = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    for (heights, weight) in ways {
        let mut gain = 0;
        // Depths as one number: rows are fewer than 256.
        let mut depths = 0_u64;
        for (part, &height) in list.iter().zip(heights) {
            depths <<= 8;
            if height < row {
                depths |= (row - height) as u64;
            } else {
                gain += (height - row) * part.hits();
            }
        }
        let at = *index.entry(depths).or_insert_with(|| {
            groups.push(Group {
                parts: shape.placed(heights, row),
                gains: Vec::new(),
            });
            groups.len() - 1
        });
        let gains = &mut groups[at].gains;
        if gains.len() <= gain {
            gains.resize(gain + 1, 0.0);
        }
        gains[gain] += weight;
    }
    groups
}

/// H! over the product of the parts' factorials, over the factorials of how often each part stands in the list.
fn arrangements(shape: &Parts) -> f64 {
    let mut ways = 1.0;
    let mut total = 0;
    for part in shape.list() {
        for hit in 1..=part.hits() {
            total += 1;
            ways *= count(total) / count(hit);
        }
    }
    for (_, _, equal) in shape.distinct() {
        for number in 2..=equal {
            ways /= count(number);
        }
    }
    ways
}

/// Probability of a shape given the number of its hits.
pub(super) fn probability(spin: &Spin, shape: &Parts) -> f64 {
    let mut sums = vec![0.0; 1 << spin.characters.len()];
    sums[0] = arrangements(shape);
    for part in shape.list() {
        let mut next = vec![0.0; sums.len()];
        for (taken, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0.0) {
            for (index, &(class, share)) in spin.characters.iter().enumerate() {
                if class == part.class() && taken >> index & 1 == 0 {
                    next[taken | 1 << index] += sum * power(share, part.hits());
                }
            }
        }
        sums = next;
    }
    sums.iter().sum()
}

/// Every way to start a shape.
pub(super) fn ways(spin: &Spin, starts: &Starts, shape: &Parts) -> Vec<Way> {
    let mut search = Search {
        spin,
        parts: shape.list(),
        heights: [0; MOST],
        found: Vec::new(),
    };
    match starts {
        Starts::Permutation(values) => {
            let mut left: Vec<(usize, usize)> = Vec::new();
            let mut sorted = values.clone();
            sorted.sort_unstable();
            for value in sorted {
                match left.last_mut() {
                    Some((last, copies)) if *last == value => *copies += 1,
                    _ => left.push((value, 1)),
                }
            }
            search.draw(0, &mut left, values.len(), probability(spin, shape));
        }
        Starts::Independent(values) => search.choose(0, values, probability(spin, shape)),
        Starts::Rows(rows) => {
            for (weight, row) in rows {
                search.assign(0, row, 0, weight * arrangements(shape));
            }
        }
    }
    search.found
}

struct Search<'a> {
    spin: &'a Spin,
    parts: &'a [Part],
    heights: [usize; MOST],
    found: Vec<Way>,
}

impl Search<'_> {
    /// Values without replacement: (value, copies left), `remaining` in all.
    fn draw(&mut self, at: usize, left: &mut [(usize, usize)], remaining: usize, weight: f64) {
        if at == self.parts.len() {
            self.found.push((self.heights, weight));
            return;
        }
        for index in 0..left.len() {
            let (value, copies) = left[index];
            if copies > 0 {
                left[index].1 -= 1;
                self.heights[at] = value;
                self.draw(
                    at + 1,
                    left,
                    remaining - 1,
                    weight * count(copies) / count(remaining),
                );
                left[index].1 += 1;
            }
        }
    }

    fn choose(&mut self, at: usize, values: &[(usize, f64)], weight: f64) {
        if at == self.parts.len() {
            self.found.push((self.heights, weight));
            return;
        }
        for &(value, probability) in values {
            self.heights[at] = value;
            self.choose(at + 1, values, weight * probability);
        }
    }

    /// Characters, each with its value; those of `taken` are given away.
    fn assign(&mut self, at: usize, row: &[usize], taken: usize, weight: f64) {
        let Some(part) = self.parts.get(at) else {
            self.found.push((self.heights, weight));
            return;
        };
        for (index, &(class, share)) in self.spin.characters.iter().enumerate() {
            if class == part.class() && taken >> index & 1 == 0 {
                self.heights[at] = row[index];
                self.assign(
                    at + 1,
                    row,
                    taken | 1 << index,
                    weight * power(share, part.hits()),
                );
            }
        }
    }
}
