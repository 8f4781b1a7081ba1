//! The characters with hits to come, as a sorted list of parts: what a table is indexed by.
//!
//! Characters of one class are alike but for their sections on the outer wheel, and the tables hold laws *given* the
//! numbers of future hits, which do not depend on those. So a list is sorted and names no character.

use std::cmp::Reverse;

use super::spin::Spin;

/// Most characters of a paytable, 693.6(c)(1).
pub(super) const MOST: usize = 6;

/// One character with hits to come; no hits: none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Part {
    /// Its class.
    pub(super) class: u8,
    /// Its hits to come.
    pub(super) hits: u8,
    /// Row less height above the floor where it will reach the floor; 0 where it stays above.
    pub(super) depth: u8,
}

impl Part {
    fn is_none(self) -> bool {
        self.hits == 0
    }

    /// Hits as an index.
    pub(super) fn hits(self) -> usize {
        usize::from(self.hits)
    }

    /// Depth as an index.
    pub(super) fn depth(self) -> usize {
        usize::from(self.depth)
    }

    /// Class as an index.
    pub(super) fn class(self) -> usize {
        usize::from(self.class)
    }
}

/// Parts, largest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Parts([Part; MOST]);

impl Parts {
    /// Sorts a list of at most six parts.
    pub(super) fn new(list: &[Part]) -> Self {
        let mut parts = [Part::default(); MOST];
        parts[..list.len()].copy_from_slice(list);
        Self(parts).sorted()
    }

    fn sorted(mut self) -> Self {
        self.0.sort_unstable_by_key(|&part| Reverse(part));
        self
    }

    /// The parts that have hits.
    pub(super) fn list(&self) -> &[Part] {
        let count = self
            .0
            .iter()
            .position(|part| part.is_none())
            .unwrap_or(MOST);
        &self.0[..count]
    }

    /// The different parts: position of the first, the part, how many.
    pub(super) fn distinct(&self) -> impl Iterator<Item = (usize, Part, usize)> + '_ {
        let list = self.list();
        let starts = (0..list.len()).filter(|&at| at == 0 || list[at] != list[at - 1]);
        starts.map(|at| {
            let count = list[at..]
                .iter()
                .take_while(|&&part| part == list[at])
                .count();
            (at, list[at], count)
        })
    }

    /// The same with another part at a position.
    fn with(mut self, at: usize, part: Part) -> Self {
        self.0[at] = part;
        self.sorted()
    }

    /// The hits alone.
    pub(super) fn shape(mut self) -> Self {
        for part in &mut self.0 {
            part.depth = 0;
        }
        self
    }

    /// The sum of all depths: additions and drops never raise it.
    pub(super) fn depth(&self) -> usize {
        self.list().iter().map(|part| part.depth()).sum()
    }

    /// After a hit on a part.
    pub(super) fn after_hit(self, at: usize) -> Self {
        let mut part = self.0[at];
        part.hits -= 1;
        self.with(
            at,
            if part.is_none() {
                Part::default()
            } else {
                part
            },
        )
    }

    /// Before such a hit.
    pub(super) fn before_hit(self, at: usize) -> Self {
        let mut part = self.0[at];
        part.hits += 1;
        self.with(at, part)
    }

    /// With a new part of one hit; `None` where there are six already.
    pub(super) fn with_new(self, class: u8) -> Option<Self> {
        let at = self.list().len();
        let part = Part {
            class,
            hits: 1,
            depth: 0,
        };
        (at < MOST).then(|| self.with(at, part))
    }

    /// After an addition to a part; and what each of its hits gains beyond the row.
    pub(super) fn after_addition(self, at: usize, addition: usize) -> (Self, usize) {
        let mut part = self.0[at];
        match u8::try_from(addition)
            .ok()
            .and_then(|addition| part.depth.checked_sub(addition))
        {
            Some(depth) if depth > 0 => {
                part.depth = depth;
                (self.with(at, part), 0)
            }
            _ => {
                let excess = addition - part.depth();
                part.depth = 0;
                (self.with(at, part), excess)
            }
        }
    }

    /// After a potion that takes `drop` off, from row `row`, which is at least that.
    pub(super) fn after_drop(mut self, row: usize, drop: usize) -> Self {
        for part in &mut self.0 {
            if part.depth > 0 && row - part.depth() < drop {
                part.depth = u8::try_from(row - drop).expect("rows are fewer than 256");
            }
        }
        self.sorted()
    }

    /// The list of a shape at row `row` where part i stands `heights[i]` above the floor.
    pub(super) fn placed(mut self, heights: &[usize; MOST], row: usize) -> Self {
        for (part, &height) in self.0.iter_mut().zip(heights) {
            if !part.is_none() && height < row {
                part.depth = u8::try_from(row - height).expect("rows are fewer than 256");
            }
        }
        self.sorted()
    }

    /// Probability that an inner multiplier goes to a character without hits to come.
    pub(super) fn idle(&self, spin: &Spin) -> f64 {
        let mut sum = 0.0;
        for (index, class) in spin.classes.iter().enumerate() {
            let busy = self
                .list()
                .iter()
                .filter(|part| part.class() == index)
                .count();
            sum += count(class.members - busy) * class.selection;
        }
        sum
    }
}

/// How many shapes of `hits` hits there are; [`shapes`] lists them, which must not be asked of six classes and some
/// hundred hits.
///
/// Partitions into parts that are members of a class: the number with at most m parts is that with parts of at most m.
pub(super) fn number_of_shapes(spin: &Spin, hits: usize) -> usize {
    let mut ways = vec![0_usize; hits + 1];
    ways[0] = 1;
    for class in &spin.classes {
        for part in 1..=class.members {
            for sum in part..=hits {
                ways[sum] = ways[sum].saturating_add(ways[sum - part]);
            }
        }
    }
    ways[hits]
}

/// Every shape of `hits` hits.
pub(super) fn shapes(spin: &Spin, hits: usize) -> Vec<Parts> {
    let mut found = Vec::new();
    let mut list = Vec::new();
    split(
        spin,
        0,
        spin.classes[0].members,
        hits,
        hits,
        &mut list,
        &mut found,
    );
    found
}

/// Splits `left` hits over the members of the classes from `class` on, none with more than `most` in the first.
fn split(
    spin: &Spin,
    class: usize,
    members: usize,
    most: usize,
    left: usize,
    list: &mut Vec<Part>,
    found: &mut Vec<Parts>,
) {
    if left == 0 {
        found.push(Parts::new(list));
        return;
    }
    if members > 0 {
        for hits in (1..=most.min(left)).rev() {
            list.push(Part {
                class: u8::try_from(class).expect("at most six classes"),
                hits: u8::try_from(hits).expect("fewer than 256 hits"),
                depth: 0,
            });
            split(spin, class, members - 1, hits, left - hits, list, found);
            list.pop();
        }
    }
    if let Some(next) = spin.classes.get(class + 1) {
        split(spin, class + 1, next.members, left, left, list, found);
    }
}

/// A small count as a number.
pub(super) fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// A whole power by products: the same on every processor.
pub(super) fn power(base: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}
