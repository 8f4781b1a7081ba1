//! Which batches of a run are there once, twice and not at all.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::engine::{RunPlan, Shard};

/// A part of a run: a shard, or the whole as shard 1 of 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The shard.
    pub shard: Shard,
    /// Its batches.
    pub batches: Range<u64>,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shard.fmt(f)
    }
}

/// How parts cover a run. Parts are named by their place in the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cover {
    /// Places of parts that are the same shard, two or more each.
    pub doubled: Vec<Vec<usize>>,
    /// Places of different shards that have batches in common, each with the one before it
    /// that reaches furthest.
    pub overlapping: Vec<[usize; 2]>,
    /// Batches that no part has, ascending.
    pub gaps: Vec<Range<u64>>,
}

impl Cover {
    /// How the parts cover batches 0 to `batches`.
    #[must_use]
    pub fn new(batches: u64, parts: &[Part]) -> Self {
        let mut cover = Self::default();
        let mut by_shard: BTreeMap<Shard, Vec<usize>> = BTreeMap::new();
        for (place, part) in parts.iter().enumerate() {
            by_shard.entry(part.shard).or_default().push(place);
        }
        let mut once: Vec<usize> = by_shard.values().map(|places| places[0]).collect();
        cover.doubled = by_shard
            .into_values()
            .filter(|places| places.len() > 1)
            .collect();
        cover.doubled.sort_unstable();
        once.retain(|&place| !parts[place].batches.is_empty());
        once.sort_by_key(|&place| (parts[place].batches.start, place));
        let mut reached = 0;
        let mut furthest = None;
        for place in once {
            let Range { start, end } = parts[place].batches;
            if start > reached {
                cover.gaps.push(reached..start);
            }
            if let Some(before) = furthest
                && start < reached
            {
                cover.overlapping.push([before, place]);
            }
            if end > reached {
                reached = end;
                furthest = Some(place);
            }
        }
        if reached < batches {
            cover.gaps.push(reached..batches);
        }
        cover
    }

    /// Indices, ascending, of the shards of `count` with a batch that no part has. A shard
    /// without batches is never missed.
    ///
    /// # Arguments
    /// - `plan`: of the run
    #[must_use]
    pub fn missing(&self, plan: &RunPlan, count: u64) -> Vec<u64> {
        let shards = (1..=count).filter_map(|index| Shard::new(index, count).ok());
        // Both lists ascend, so gaps that end before a shard are not looked at again.
        let mut gaps = self.gaps.iter().peekable();
        shards
            .filter(|shard| {
                let batches = shard.batches(plan);
                while gaps.next_if(|gap| gap.end <= batches.start).is_some() {}
                !batches.is_empty() && gaps.peek().is_some_and(|gap| gap.start < batches.end)
            })
            .map(Shard::index)
            .collect()
    }
}

/// Ascending numbers in words: `3, 5 to 7`.
pub(super) fn in_words(numbers: &[u64]) -> String {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == number => run.end += 1,
            _ => runs.push(number..number + 1),
        }
    }
    let words: Vec<String> = runs
        .iter()
        .map(|run| match run.end - run.start {
            1 => run.start.to_string(),
            2 => format!("{}, {}", run.start, run.start + 1),
            _ => format!("{} to {}", run.start, run.end - 1),
        })
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(index: u64, count: u64, batches: Range<u64>) -> Part {
        Part {
            shard: Shard::new(index, count).unwrap(),
            batches,
        }
    }

    #[test]
    fn a_cover_may_mix_numbers_of_shards() {
        let parts = [
            part(3, 4, 4..6),
            part(1, 2, 0..4),
            part(4, 4, 6..8),
            part(1, 9, 0..0),
        ];
        assert_eq!(Cover::new(8, &parts), Cover::default());
    }

    #[test]
    fn every_fault_of_a_cover_is_found() {
        let parts = [
            part(3, 4, 4..6),
            part(2, 2, 4..8),
            part(3, 4, 4..6),
            part(1, 9, 0..0),
            part(1, 9, 0..0),
            part(9, 9, 7..9),
        ];
        let cover = Cover::new(10, &parts);
        assert_eq!(cover.doubled, [vec![0, 2], vec![3, 4]]);
        assert_eq!(cover.overlapping, [[0, 1], [1, 5]]);
        assert_eq!(cover.gaps, [0..4, 9..10]);
        assert_eq!(Cover::new(3, &[]).gaps, vec![0..3_u64]);
    }

    #[test]
    fn numbers_are_told_in_runs() {
        assert_eq!(in_words(&[]), "");
        assert_eq!(in_words(&[3, 5, 6, 7, 9, 10]), "3, 5 to 7, 9, 10");
    }
}
