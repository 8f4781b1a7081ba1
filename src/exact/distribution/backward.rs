//! The laws of what is still to be paid, backward from the end of the round.
//!
//! # Idea
//! What a character pays is linear in its multiplier as long as the floor is not reached: hits to come times the
//! multiplier, plus what additions and potions will bring. So its multiplier need not be known, its hits to come
//! will do. The floor, 693.6(f)(4)(iv), breaks this for the characters that reach it, and who does depends on the
//! *fall*: with P the sum of the potions' changes, the fall to come is K = max(P now - least P before the last hit, 0).
//! A character at height v above the floor (v = m - floor) reaches the floor before the last hit, unless it is
//! raised, if and only if v < K. So the tables are kept by K, the **row**, and a character has
//!
//! - v >= K: it stays above the floor. Only its hits to come h matter. It is written as if v = K; each unit above that adds
//!   h to the meter, whatever happens.
//! - v < K, at **depth** u = K - v > 0: v is known from row and depth. It is raised by an addition a to depth
//!   u - a, or to v' = K + (a - u), above the row.
//!
//! # Recursion
//! With n the counter, D the hits and depths, G(K, n, D) the law of what is paid from n on before an inner result,
//! O(K, n, D) before an outer result, `q_c` the selection, `p_a` the additions, `x` the additional spin, W the hits:
//!
//! ```text
//! G(K, n, D) = x O(K, n + extra, D) + sum over c, a of q_c p_a [ h_c (a - u_c)+ ] O(K, n, D with u_c = (u_c - a)+)
//! O(K, n, D) = W sum over c of h_c / H [ floor + K - u_c ] G(K, n - 1, D less one hit on c)
//!            + w_N G(K, n - 1, D) + sum over potions of w [ shift ] G(K', n + change, D')
//! ```
//!
//! where [ s ] moves a law up by s. Given the hits, the next one is on c with probability `h_c / H`. A potion of d > 0: K' =
//! K + d; or, from K = 0, any K' < d, and everyone is d - K' above the row: shift (d - K') H. A potion of -d: K >= d, K' = K -
//! d, and who stands at v < d is at the floor then: depth K'. After the last hit nothing is paid, and no fall counts.
//!
//! Every term is positive. Cells are visited level by level of H, in a level by rising sum of depths, in a
//! family by rows; what would need a cell that comes later is a wave of its own (another Eat Me), until nothing worth
//! keeping is left. **Leaving anything out makes the law smaller and nothing else**: counters and rows beyond the
//! tables, cells not planned, ends of laws below a threshold, further waves. So the sum of all that is
//! held, less one, is what is missing, and it is the whole error but for rounding.
//!
//! # Rounding
//! Sums and products of positive numbers: each course of a round is held with a relative error of at most gamma =
//! k u / (1 - k u), k its roundings, u = 2^-53 (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
//! lemma 3.1), and so is every sum of courses. Each law carries its k along: the largest of its terms', one for each term of
//! the sum, and those of a weight.
//!
//! # Source
//! The hit counts are those of the project's derivation of the distribution without the floor; the rows replace its
//! expansion over sets of characters, whose terms have both signs.

use rayon::prelude::*;

use super::horizon::Horizon;
use super::parts::count;
use super::plan::{Family, Level, Plan, Shape, Start, after_potion, selection};
use super::spin::{After, Spin};
use super::ways::{groups, ways};

/// Roundings of a weight, of the product with it, and of the factor of a whole sum, at most: a weight is a product of up to
/// five probabilities, each rounded once, or a sum of six.
const OF_A_WEIGHT: u32 = 24;
/// Roundings of the probability of a way to start, at most: products of up to 256 shares for each of six parts, sums over 720
/// ways and 64 sets.
const OF_A_START: u32 = 8000;
/// Waves of one family at most.
const WAVES: usize = 1000;

/// A law as a stretch of an arena: `length` masses from meter `low` on.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    low: usize,
    length: usize,
    at: usize,
    /// Roundings of any course in it at most.
    roundings: u32,
}

impl Span {
    fn of(self, arena: &[f64]) -> &[f64] {
        &arena[self.at..self.at + self.length]
    }
}

/// The laws of all cells of one shape.
#[derive(Debug, Default)]
struct ShapeLaws {
    arena: Vec<f64>,
    spans: Vec<Span>,
}

/// A sum of laws under way.
#[derive(Debug, Default)]
struct Sum {
    masses: Vec<f64>,
    low: usize,
    end: usize,
    /// Roundings of any course of a term at most, and the number of terms.
    roundings: u32,
    terms: u32,
}

impl Sum {
    /// Adds a span of an arena, moved up by `shift`.
    fn add(&mut self, span: Span, arena: &[f64], shift: usize, weight: f64) {
        self.put(span.of(arena), span.low + shift, weight, span.roundings);
    }

    fn put(&mut self, law: &[f64], low: usize, weight: f64, roundings: u32) {
        if law.is_empty() {
            return;
        }
        self.roundings = self.roundings.max(roundings);
        self.terms += 1;
        let end = low + law.len();
        if self.masses.len() < end {
            self.masses.resize(end.next_power_of_two(), 0.0);
        }
        if self.low >= self.end {
            (self.low, self.end) = (low, end);
        } else {
            self.low = self.low.min(low);
            self.end = self.end.max(end);
        }
        for (sum, mass) in self.masses[low..end].iter_mut().zip(law) {
            *sum += weight * mass;
        }
    }

    /// Moves the sum, times a factor, to the end of an arena, without its ends that are below a threshold.
    fn take(&mut self, arena: &mut Vec<f64>, least: f64, factor: f64) -> Span {
        let (mut low, mut end) = (self.low, self.end);
        while low < end && self.masses[low] * factor < least {
            low += 1;
        }
        while low < end && self.masses[end - 1] * factor < least {
            end -= 1;
        }
        let span = Span {
            low,
            length: end.saturating_sub(low),
            at: arena.len(),
            roundings: self
                .roundings
                .saturating_add(self.terms)
                .saturating_add(OF_A_WEIGHT),
        };
        if low < end {
            arena.extend(self.masses[low..end].iter().map(|mass| mass * factor));
        }
        self.clear();
        span
    }

    fn clear(&mut self) {
        if self.low < self.end {
            self.masses[self.low..self.end].fill(0.0);
        }
        (self.low, self.end) = (0, 0);
        (self.roundings, self.terms) = (0, 0);
    }
}

/// Sums without loss over many shapes: each meter in two numbers (O. Møller 1965, D. E. Knuth, TAOCP 2, 4.2.2).
#[derive(Debug, Default, Clone)]
struct Total {
    high: Vec<f64>,
    low: Vec<f64>,
}

impl Total {
    fn add(&mut self, meter: usize, mass: f64) {
        if self.high.len() <= meter {
            self.high.resize(meter + 1, 0.0);
            self.low.resize(meter + 1, 0.0);
        }
        let old = self.high[meter];
        let sum = old + mass;
        let part = sum - old;
        self.low[meter] += (old - (sum - part)) + (mass - part);
        self.high[meter] = sum;
    }

    fn finish(self) -> Vec<f64> {
        self.high
            .iter()
            .zip(&self.low)
            .map(|(high, low)| high + low)
            .collect()
    }
}

/// What the tables give.
#[derive(Debug)]
pub(super) struct Laws {
    /// For each start and node, in their order, the masses by meter, each below the truth but for rounding.
    pub(super) pmfs: Vec<Vec<f64>>,
    /// Roundings of any course at most.
    pub(super) roundings: f64,
}

/// Runs a plan; an error is the number of bytes that would be needed at least.
pub(super) fn laws(
    spin: &Spin,
    horizon: &Horizon,
    starts: &[Start],
    plan: &Plan,
    threshold: f64,
    memory: u64,
) -> Result<Laws, u64> {
    let nodes: Vec<usize> = starts
        .iter()
        .flat_map(|start| start.nodes.iter().copied())
        .collect();
    let mut totals = vec![Total::default(); nodes.len()];
    for (total, node) in totals.iter_mut().zip(nodes) {
        total.add(0, horizon.silent()[node]);
    }
    let mut below: Vec<ShapeLaws> = Vec::new();
    let mut roundings = 0;
    let mut sums = 0;
    for (hits, level) in plan.levels.iter().enumerate().skip(1) {
        let table = Table {
            spin,
            horizon,
            below: (hits > 1).then(|| (&plan.levels[hits - 1], below.as_slice())),
            hits,
            threshold,
        };
        let done: Vec<_> = level
            .shapes
            .par_iter()
            .map_init(Work::default, |work, shape| {
                let laws = table.shape(shape, work);
                let read: Vec<_> = starts
                    .iter()
                    .flat_map(|start| table.read(shape, &laws, start))
                    .collect();
                (laws, read)
            })
            .collect();
        let mut laws = Vec::with_capacity(done.len());
        for (law, read) in done {
            let of_law = law.spans.iter().map(|span| span.roundings).max();
            roundings = roundings.max(of_law.unwrap_or(0));
            for (total, (masses, terms)) in totals.iter_mut().zip(read) {
                sums = sums.max(terms);
                for (meter, mass) in masses
                    .into_iter()
                    .enumerate()
                    .filter(|(_, mass)| *mass > 0.0)
                {
                    total.add(meter, mass);
                }
            }
            laws.push(law);
        }
        let held: usize = laws
            .iter()
            .chain(&below)
            .map(|law| law.arena.capacity() * size_of::<f64>())
            .sum();
        let bytes = u64::try_from(held).unwrap_or(u64::MAX);
        if bytes > memory {
            return Err(bytes);
        }
        below = laws;
    }
    let roundings =
        f64::from(roundings.max(horizon.silent_roundings)) + f64::from(OF_A_START) + count(sums);
    Ok(Laws {
        pmfs: totals.into_iter().map(Total::finish).collect(),
        roundings,
    })
}

/// Memory that is used again from shape to shape.
#[derive(Debug, Default)]
struct Work {
    sum: Sum,
    arena: Vec<f64>,
}

/// One level at work.
struct Table<'a> {
    spin: &'a Spin,
    horizon: &'a Horizon,
    below: Option<(&'a Level, &'a [ShapeLaws])>,
    hits: usize,
    threshold: f64,
}

/// A hit on a part: probability, depth, shape and family below where they are kept.
type Hit = (f64, usize, Option<(usize, usize)>);

/// How a family depends on others.
struct Links {
    /// Hits on each part.
    hits: Vec<Hit>,
    /// Additions that leave the list as it is: shift, probability.
    stay: Vec<(usize, f64)>,
    /// Terms of such a probability at most.
    merged: u32,
    /// Additions that change it: family, shift, probability.
    moved: Vec<(usize, usize, f64)>,
}

/// A shape's laws while they are built.
struct Build {
    /// Before an inner result.
    before: Vec<Span>,
    /// Before an outer result, for the nodes of the cells.
    outer: Vec<Span>,
}

impl Table<'_> {
    fn links(&self, shape: &Shape, family: &Family) -> Links {
        let mut hits = Vec::new();
        let mut stay = vec![(0, family.parts.idle(self.spin) * self.spin.multiplier)];
        let mut moved = Vec::new();
        for (at, part, equal) in family.parts.distinct() {
            let child = family.parts.after_hit(at);
            let place = self.below.and_then(|(level, _)| {
                let shape = level.shape(&child)?;
                Some((shape, level.shapes[shape].family(&child)?))
            });
            hits.push((
                self.spin.hit * count(equal * part.hits()) / count(self.hits),
                part.depth(),
                place,
            ));
            let selected = selection(self.spin, part, equal);
            for &(value, probability) in &self.spin.additions {
                let (child, excess) = family.parts.after_addition(at, value);
                let shift = excess * part.hits();
                if child == family.parts {
                    stay.push((shift, selected * probability));
                } else if let Some(family) = shape.family(&child) {
                    moved.push((family, shift, selected * probability));
                }
            }
        }
        let merged = u32::try_from(stay.len()).unwrap_or(u32::MAX);
        stay.sort_by_key(|&(shift, _)| shift);
        stay.dedup_by(|next, kept| {
            let equal = next.0 == kept.0;
            if equal {
                kept.1 += next.1;
            }
            equal
        });
        stay.retain(|&(_, probability)| probability > 0.0);
        Links {
            hits,
            stay,
            merged,
            moved,
        }
    }

    /// The laws of a shape.
    fn shape(&self, shape: &Shape, work: &mut Work) -> ShapeLaws {
        work.arena.clear();
        let cells = shape.uses.len();
        let mut build = Build {
            before: vec![Span::default(); cells],
            outer: vec![Span::default(); cells],
        };
        for (index, family) in shape.families.iter().enumerate() {
            let links = self.links(shape, family);
            let first = family.rows.first().map_or(0, |row| row.cell);
            let count = family.rows.iter().map(|row| row.length).sum();
            let mut last: Option<Vec<Span>> = None;
            for _ in 0..WAVES {
                let mut now = vec![Span::default(); count];
                let pass = Pass {
                    table: self,
                    shape,
                    family,
                    index,
                    links: &links,
                    first,
                    last: last.as_deref(),
                };
                for at in 0..family.rows.len() {
                    pass.row(at, &mut now, &mut build, work);
                }
                let ended = now.iter().all(|span| span.length == 0);
                last = Some(now);
                if ended {
                    break;
                }
            }
        }
        let mut laws = ShapeLaws::default();
        laws.arena
            .reserve_exact(build.before.iter().map(|span| span.length).sum());
        for span in &build.before {
            laws.spans.push(Span {
                at: laws.arena.len(),
                ..*span
            });
            laws.arena.extend_from_slice(span.of(&work.arena));
        }
        laws
    }

    /// What a shape adds to the meter's law of each trigger, with the number of terms of a sum at most.
    fn read(&self, shape: &Shape, laws: &ShapeLaws, start: &Start) -> Vec<(Vec<f64>, usize)> {
        let mut read = vec![(Vec::new(), 0); start.nodes.len()];
        if shape.probability <= 0.0 {
            return read;
        }
        let ways = ways(self.spin, &start.law, &shape.parts);
        for row in 0..self.horizon.rows {
            let used = |node: usize| {
                (0..shape.families.len()).any(|family| shape.cell(family, row, node).is_some())
            };
            if !start.nodes.iter().any(|&node| used(node)) {
                continue;
            }
            for group in groups(&shape.parts, &ways, row) {
                let Some(family) = shape.family(&group.parts) else {
                    continue;
                };
                for (&node, (masses, terms)) in start.nodes.iter().zip(&mut read) {
                    let Some(cell) = shape.cell(family, row, node) else {
                        continue;
                    };
                    let span = laws.spans[cell];
                    let law = span.of(&laws.arena);
                    let end = span.low + group.gains.len() + law.len();
                    if masses.len() < end {
                        masses.resize(end, 0.0);
                    }
                    for (gain, &weight) in group
                        .gains
                        .iter()
                        .enumerate()
                        .filter(|(_, weight)| **weight > 0.0)
                    {
                        for (mass, law) in masses[span.low + gain..].iter_mut().zip(law) {
                            *mass += weight * law;
                        }
                        *terms += 1;
                    }
                }
            }
        }
        for (_, terms) in &mut read {
            *terms += ways.len();
        }
        read
    }
}

/// One wave over one family.
struct Pass<'a> {
    table: &'a Table<'a>,
    shape: &'a Shape,
    family: &'a Family,
    index: usize,
    links: &'a Links,
    /// The family's first cell.
    first: usize,
    /// The wave before; `None` in the first, which has the sources.
    last: Option<&'a [Span]>,
}

impl Pass<'_> {
    /// The cell of this family, counted from its first.
    fn own(&self, row: usize, node: usize) -> Option<usize> {
        self.shape
            .cell(self.index, row, node)
            .map(|cell| cell - self.first)
    }

    fn row(&self, at: usize, now: &mut [Span], build: &mut Build, work: &mut Work) {
        let spin = self.table.spin;
        let counter = &self.table.horizon.counter;
        let extra = counter.extra();
        let cells = self.family.rows[at];
        let row = self.family.row + at;
        let end = cells.node + cells.length;
        if cells.length == 0 {
            return;
        }
        let sources: Vec<Span> = (cells.node..end + extra)
            .map(|node| self.source(row, node, now, build, work))
            .collect();
        // An additional spin and No Win lead back to the same node: a geometric series.
        let returns = !counter.is_limited() && extra == 1;
        let series = if returns {
            1.0 / (1.0 - spin.extra * spin.no_win)
        } else {
            1.0
        };
        // The difference takes over the three roundings of its product, the larger the nearer that is to 1.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive, and saturating is meant"
        )]
        let of_series = (4.0 * series).ceil() as u32;
        for (at, node) in (cells.node..end).enumerate() {
            let Work { sum, arena } = &mut *work;
            let cell = cells.cell + at;
            sum.add(sources[at], arena, 0, 1.0);
            if let After::At(after) = counter.after(node, -1)
                && let Some(own) = self.own(row, after)
            {
                sum.add(now[own], arena, 0, spin.no_win);
            }
            let outer = sum.take(arena, 0.0, 1.0);
            build.outer[cell] = join(build.outer[cell], outer, sum, arena);
            let uses = f64::from(self.shape.uses[cell]);
            if uses <= 0.0 {
                continue;
            }
            for &(shift, probability) in &self.links.stay {
                let roundings = outer.roundings.saturating_add(self.links.merged);
                sum.put(outer.of(arena), outer.low + shift, probability, roundings);
            }
            sum.add(sources[at + extra], arena, 0, spin.extra);
            if !returns
                && let After::At(after) = counter.after(node + extra, -1)
                && let Some(own) = self.own(row, after)
            {
                let span = if after < node {
                    now[own]
                } else {
                    self.last.map_or(Span::default(), |last| last[own])
                };
                sum.add(span, arena, 0, spin.extra * spin.no_win);
            }
            if self.last.is_none() {
                for &(family, shift, probability) in &self.links.moved {
                    if let Some(cell) = self.shape.cell(family, row, node) {
                        let span = build.outer[cell];
                        sum.add(span, arena, shift, probability);
                    }
                }
            }
            let mut span = sum.take(arena, self.table.threshold / uses, series);
            span.roundings = span.roundings.saturating_add(of_series);
            now[cell - self.first] = span;
            build.before[cell] = join(build.before[cell], span, sum, arena);
        }
    }

    /// What a cell before an outer result has from elsewhere: hits in the first wave, and potions.
    fn source(
        &self,
        row: usize,
        node: usize,
        now: &[Span],
        build: &Build,
        work: &mut Work,
    ) -> Span {
        let Work { sum, arena } = work;
        let table = self.table;
        let counter = &table.horizon.counter;
        if self.last.is_none() {
            let pays = |depth: usize| table.spin.floor + row - depth;
            match (counter.after(node, -1), table.below) {
                (After::At(next), Some((level, laws))) => {
                    for &(probability, depth, place) in &self.links.hits {
                        if let Some((shape, family)) = place
                            && let Some(cell) = level.shapes[shape].cell(family, row, next)
                        {
                            let span = laws[shape].spans[cell];
                            sum.add(span, &laws[shape].arena, pays(depth), probability);
                        }
                    }
                }
                (after, None) if row == 0 => {
                    let silent = table.horizon.silent_roundings;
                    let rest = match after {
                        After::Ended => 1.0,
                        After::At(next) => table.horizon.silent()[next],
                        After::Beyond => 0.0,
                    };
                    for &(probability, depth, _) in &self.links.hits {
                        sum.put(&[rest], pays(depth), probability, silent);
                    }
                }
                _ => {}
            }
        }
        for potion in &table.spin.potions {
            let After::At(next) = counter.after(node, potion.change) else {
                continue;
            };
            for (to, each) in Spin::rows_after(row, potion.delta, table.horizon.rows - 1) {
                let parts = after_potion(self.family.parts, row, potion.delta);
                let span = if parts == self.family.parts {
                    let Some(own) = self.own(to, next) else {
                        continue;
                    };
                    match self.last {
                        _ if to < row => now[own],
                        Some(last) => last[own],
                        None => continue,
                    }
                } else {
                    let family = self
                        .last
                        .is_none()
                        .then(|| self.shape.family(&parts))
                        .flatten();
                    let Some(cell) = family.and_then(|family| self.shape.cell(family, to, next))
                    else {
                        continue;
                    };
                    build.before[cell]
                };
                sum.add(span, arena, each * table.hits, potion.probability);
            }
        }
        sum.take(arena, 0.0, 1.0)
    }
}

/// The sum of two laws in an arena.
fn join(old: Span, new: Span, sum: &mut Sum, arena: &mut Vec<f64>) -> Span {
    match (old.length, new.length) {
        (_, 0) => old,
        (0, _) => new,
        _ => {
            sum.add(old, arena, 0, 1.0);
            sum.add(new, arena, 0, 1.0);
            sum.take(arena, 0.0, 1.0)
        }
    }
}
