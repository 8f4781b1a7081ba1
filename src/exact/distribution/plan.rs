//! Which values the tables keep: those that carry more than a threshold of all rounds.
//!
//! The value of a cell is a law of total mass Q(row, node, H), known from `horizon`; what it is worth is that mass times
//! the number of times that rounds are expected to use it, which is found here from the start of the round down,
//! level by level. A plan decides how much is missing at the end and never what is right: the laws are built from
//! the cells kept, and what they add up to is measured.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::horizon::Horizon;
use super::parts::{Part, Parts, count, number_of_shapes, shapes};
use super::spin::{After, Spin, Starts};
use super::ways::{groups, probability, ways};

/// Rounds that start with one law of the multipliers.
#[derive(Debug, Clone)]
pub(super) struct Start {
    /// The law of the starting multipliers.
    pub(super) law: Starts,
    /// The nodes that they start at, one for each trigger.
    pub(super) nodes: Vec<usize>,
}

/// The nodes kept of one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// First node.
    pub(super) node: usize,
    /// Number of nodes.
    pub(super) length: usize,
    /// First cell.
    pub(super) cell: usize,
}

/// The cells of one list of parts.
#[derive(Debug, Clone)]
pub(super) struct Family {
    /// Hits and depths.
    pub(super) parts: Parts,
    /// The first row.
    pub(super) row: usize,
    /// Rows from there on.
    pub(super) rows: Vec<Row>,
}

/// All families of one shape, least depths first.
#[derive(Debug)]
pub(super) struct Shape {
    /// Hits.
    pub(super) parts: Parts,
    /// Probability of the shape given the number of hits; 0 where no round starts with it.
    pub(super) probability: f64,
    /// The families.
    pub(super) families: Vec<Family>,
    /// Expected uses of each cell before an inner result; [`OUTER`] where only its law before an outer result is
    /// used, 0 where a cell between others is not kept.
    pub(super) uses: Vec<f32>,
    /// Uses of the cells before the outer result, for the level below.
    outer: Vec<(Parts, Vec<(usize, f64)>)>,
    /// What was left out here.
    lost: f64,
}

impl Shape {
    /// The family of a list.
    pub(super) fn family(&self, parts: &Parts) -> Option<usize> {
        let key = (parts.depth(), *parts);
        self.families
            .binary_search_by_key(&key, |family| (family.parts.depth(), family.parts))
            .ok()
    }

    /// The cell of a family at a row and node, if it is kept.
    pub(super) fn cell(&self, family: usize, row: usize, node: usize) -> Option<usize> {
        let family = &self.families[family];
        let row = family.rows.get(row.checked_sub(family.row)?)?;
        let cell = row.cell + node.checked_sub(row.node).filter(|&at| at < row.length)?;
        (self.uses[cell].abs() > 0.0).then_some(cell)
    }
}

/// The shapes of one number of hits.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// The shapes, sorted.
    pub(super) shapes: Vec<Shape>,
    /// Where each stands.
    index: FxHashMap<Parts, usize>,
}

impl Level {
    /// The shape of a list.
    pub(super) fn shape(&self, parts: &Parts) -> Option<usize> {
        self.index.get(&parts.shape()).copied()
    }
}

/// A plan for all levels.
#[derive(Debug)]
pub(super) struct Plan {
    /// By number of hits.
    pub(super) levels: Vec<Level>,
    /// Estimate of the mass left out, of all starts together.
    pub(super) lost: f64,
    /// Cells kept.
    pub(super) cells: usize,
    /// Cells kept of two levels that follow each other, at most.
    pub(super) at_once: usize,
}

/// Uses by family, in the order in which the families were met.
struct Uses {
    index: FxHashMap<Parts, usize>,
    list: Vec<(Parts, Vec<f64>)>,
    grid: usize,
}

impl Uses {
    fn new(grid: usize) -> Self {
        Self {
            index: FxHashMap::default(),
            list: Vec::new(),
            grid,
        }
    }

    fn of(&mut self, parts: Parts) -> &mut [f64] {
        let at = *self.index.entry(parts).or_insert_with(|| {
            self.list.push((parts, vec![0.0; self.grid]));
            self.list.len() - 1
        });
        &mut self.list[at].1
    }
}

/// Marks a cell that is kept for its law before an outer result alone: an addition leads there.
pub(super) const OUTER: f32 = -1.0;

/// Sweeps over the spins without a hit at most; what is not worth keeping ends them long before.
const SWEEPS: usize = 1000;

impl Plan {
    /// Keeps every cell that is worth at least `threshold`; `None` where there would be more than `most`.
    pub(super) fn new(
        spin: &Spin,
        horizon: &Horizon,
        starts: &[Start],
        threshold: f64,
        most: usize,
    ) -> Option<Self> {
        let mut levels: Vec<Level> = horizon.levels.iter().map(|_| Level::default()).collect();
        let mut plan = Self {
            levels: Vec::new(),
            lost: 0.0,
            cells: 0,
            at_once: 0,
        };
        let mut above_cells = 0;
        if number_of_shapes(spin, levels.len() - 1) > most {
            return None;
        }
        for hits in (1..levels.len()).rev() {
            let planner = Planner {
                spin,
                horizon,
                starts,
                threshold,
                hits,
            };
            let above = levels.get(hits + 1);
            let shapes = planner.level(above, &mut plan.lost);
            let cells = shapes.iter().map(|shape| shape.uses.len()).sum();
            plan.cells += cells;
            plan.at_once = plan.at_once.max(cells + above_cells);
            above_cells = cells;
            if plan.cells > most {
                return None;
            }
            if let Some(above) = levels.get_mut(hits + 1) {
                for shape in &mut above.shapes {
                    shape.outer = Vec::new();
                }
            }
            levels[hits].index = shapes
                .iter()
                .enumerate()
                .map(|(at, shape)| (shape.parts, at))
                .collect();
            levels[hits].shapes = shapes;
        }
        plan.levels = levels;
        Some(plan)
    }
}

struct Planner<'a> {
    spin: &'a Spin,
    horizon: &'a Horizon,
    starts: &'a [Start],
    threshold: f64,
    hits: usize,
}

impl Planner<'_> {
    fn level(&self, above: Option<&Level>, lost: &mut f64) -> Vec<Shape> {
        let mass = &self.horizon.levels[self.hits];
        let nodes = self.horizon.counter.nodes();
        let rows = 0..self.horizon.rows;
        let reach = |&node: &usize| {
            rows.clone()
                .map(|row| mass[row * nodes + node])
                .fold(0.0, f64::max)
        };
        let nodes_used = self.starts.iter().flat_map(|start| &start.nodes);
        let most = nodes_used.map(reach).fold(0.0, f64::max);
        let started: Vec<(Parts, f64)> = shapes(self.spin, self.hits)
            .par_iter()
            .map(|shape| (*shape, probability(self.spin, shape)))
            .filter(|(_, probability)| probability * most >= self.threshold)
            .collect();
        let mut candidates: Vec<Parts> = started.iter().map(|(shape, _)| *shape).collect();
        for shape in above.map_or(&[][..], |above| &above.shapes) {
            candidates.extend(
                shape
                    .parts
                    .distinct()
                    .map(|(at, _, _)| shape.parts.after_hit(at)),
            );
        }
        candidates.sort_unstable();
        candidates.dedup();
        let started: FxHashMap<Parts, f64> = started.into_iter().collect();
        let shapes: Vec<Shape> = candidates
            .par_iter()
            .map(|shape| self.shape(*shape, started.get(shape).copied().unwrap_or(0.0), above))
            .collect();
        *lost += shapes.iter().map(|shape| shape.lost).sum::<f64>();
        shapes
            .into_iter()
            .filter(|shape| !shape.families.is_empty())
            .collect()
    }

    fn grid(&self) -> usize {
        self.horizon.rows * self.horizon.counter.nodes()
    }

    fn shape(&self, parts: Parts, probability: f64, above: Option<&Level>) -> Shape {
        let mass = &self.horizon.levels[self.hits];
        let mut shape = Shape {
            parts,
            probability,
            families: Vec::new(),
            uses: Vec::new(),
            outer: Vec::new(),
            lost: 0.0,
        };
        let mut now = Uses::new(self.grid());
        if probability > 0.0 {
            self.starts(&mut shape, &mut now);
        }
        if let Some(above) = above {
            self.hits(parts, above, &mut now);
        }
        let mut total = Uses::new(self.grid());
        for _ in 0..SWEEPS {
            if now.list.is_empty() {
                break;
            }
            let mut outer = Uses::new(self.grid());
            for (parts, uses) in &now.list {
                let worth = |cell: usize| uses[cell] * mass[cell];
                let mut kept = Vec::new();
                for cell in (0..uses.len()).filter(|&cell| uses[cell] > 0.0) {
                    // A cell may be worth keeping for all its sources together.
                    if worth(cell) >= 0.1 * self.threshold {
                        kept.push((cell, uses[cell]));
                    } else {
                        shape.lost += worth(cell);
                    }
                }
                if !kept.is_empty() {
                    add(total.of(*parts), &kept, 1.0);
                    self.inner(*parts, &kept, &mut outer, None);
                }
            }
            now = self.potions_and_no_win(&outer);
        }
        for (_, uses) in &now.list {
            shape.lost += uses
                .iter()
                .zip(mass)
                .map(|(uses, mass)| uses * mass)
                .sum::<f64>();
        }
        self.keep(&mut shape, total.list);
        shape
    }

    /// Uses by the start of the round.
    fn starts(&self, shape: &mut Shape, now: &mut Uses) {
        let nodes = self.horizon.counter.nodes();
        for law in self.starts {
            let ways = ways(self.spin, &law.law, &shape.parts);
            for row in 0..self.horizon.rows {
                let mut cells = Vec::new();
                for &node in &law.nodes {
                    let cell = row * nodes + node;
                    let worth = shape.probability * self.horizon.levels[self.hits][cell];
                    if worth < self.threshold {
                        shape.lost += worth;
                    } else {
                        cells.push(cell);
                    }
                }
                if cells.is_empty() {
                    continue;
                }
                for group in groups(&shape.parts, &ways, row) {
                    let weight: f64 = group.gains.iter().sum();
                    let uses = now.of(group.parts);
                    for &cell in &cells {
                        uses[cell] += weight;
                    }
                }
            }
        }
    }

    /// Uses by hits on the level above.
    fn hits(&self, shape: Parts, above: &Level, now: &mut Uses) {
        let mut parents: Vec<Parts> = shape
            .distinct()
            .map(|(at, _, _)| shape.before_hit(at))
            .collect();
        for (index, class) in (0_u8..).zip(&self.spin.classes) {
            let busy = shape
                .list()
                .iter()
                .filter(|part| part.class == index)
                .count();
            if busy < class.members {
                parents.extend(shape.with_new(index));
            }
        }
        parents.sort_unstable();
        parents.dedup();
        let nodes = self.horizon.counter.nodes();
        for parent in parents.iter().filter_map(|parent| above.shape(parent)) {
            for (parts, uses) in &above.shapes[parent].outer {
                for (at, part, equal) in parts.distinct() {
                    let child = parts.after_hit(at);
                    if child.shape() != shape {
                        continue;
                    }
                    let share = self.spin.hit * count(equal * part.hits()) / count(self.hits + 1);
                    let target = now.of(child);
                    for &(cell, uses) in uses {
                        if let After::At(next) = self.horizon.counter.after(cell % nodes, -1) {
                            target[cell / nodes * nodes + next] += share * uses;
                        }
                    }
                }
            }
        }
    }

    /// Uses of the cells before an outer result by those before an inner one.
    fn inner(
        &self,
        parts: Parts,
        kept: &[(usize, f64)],
        outer: &mut Uses,
        mut moved: Option<&mut Uses>,
    ) {
        let extra = self.horizon.counter.extra();
        let mut stay = parts.idle(self.spin);
        for (at, part, equal) in parts.distinct() {
            let selected = selection(self.spin, part, equal);
            if part.depth == 0 {
                stay += selected;
                continue;
            }
            for &(value, probability) in &self.spin.additions {
                let (child, _) = parts.after_addition(at, value);
                add(outer.of(child), kept, selected * probability);
                if let Some(moved) = moved.as_deref_mut() {
                    add(moved.of(child), kept, selected * probability);
                }
            }
        }
        let target = outer.of(parts);
        add(target, kept, stay * self.spin.multiplier);
        for &(cell, uses) in kept {
            target[cell + extra] += self.spin.extra * uses;
        }
    }

    /// Uses of the cells before an inner result by outer results without a hit.
    fn potions_and_no_win(&self, outer: &Uses) -> Uses {
        let counter = &self.horizon.counter;
        let nodes = counter.nodes();
        let mut next = Uses::new(self.grid());
        for (parts, uses) in &outer.list {
            for row in 0..self.horizon.rows {
                let cells = &uses[row * nodes..(row + 1) * nodes];
                if cells.iter().all(|&uses| uses <= 0.0) {
                    continue;
                }
                let mut send = |child: Parts, to: usize, change: i64, probability: f64| {
                    let target = next.of(child);
                    for (node, uses) in cells.iter().enumerate().filter(|(_, uses)| **uses > 0.0) {
                        if let After::At(after) = counter.after(node, change) {
                            target[to * nodes + after] += probability * uses;
                        }
                    }
                };
                send(*parts, row, -1, self.spin.no_win);
                for potion in &self.spin.potions {
                    for (to, _) in Spin::rows_after(row, potion.delta, self.horizon.rows - 1) {
                        send(
                            after_potion(*parts, row, potion.delta),
                            to,
                            potion.change,
                            potion.probability,
                        );
                    }
                }
            }
        }
        next
    }

    /// Families and cells from the uses, and what the kept ones use before an outer result.
    fn keep(&self, shape: &mut Shape, mut total: Vec<(Parts, Vec<f64>)>) {
        let mass = &self.horizon.levels[self.hits];
        let nodes = self.horizon.counter.nodes();
        total.sort_by_key(|(parts, _)| (parts.depth(), *parts));
        let mut outer = Uses::new(self.grid());
        let mut moved = Uses::new(self.grid());
        let mut families: BTreeMap<(usize, Parts), BTreeMap<usize, f64>> = BTreeMap::new();
        for (parts, uses) in total {
            let mut kept = Vec::new();
            for (cell, &uses) in uses.iter().enumerate().filter(|(_, uses)| **uses > 0.0) {
                if uses * mass[cell] >= self.threshold {
                    kept.push((cell, uses));
                } else {
                    shape.lost += uses * mass[cell];
                }
            }
            if !kept.is_empty() {
                self.inner(parts, &kept, &mut outer, Some(&mut moved));
                families.insert((parts.depth(), parts), kept.into_iter().collect());
            }
        }
        for (parts, uses) in &moved.list {
            for (cell, &uses) in uses.iter().enumerate().filter(|(_, uses)| **uses > 0.0) {
                if uses * mass[cell] >= self.threshold {
                    let family = families.entry((parts.depth(), *parts)).or_default();
                    family.entry(cell).or_insert(f64::from(OUTER));
                } else {
                    let family = families.get(&(parts.depth(), *parts));
                    if family.is_none_or(|family| !family.contains_key(&cell)) {
                        shape.lost += uses * mass[cell];
                    }
                }
            }
        }
        for ((_, parts), kept) in families {
            let kept: Vec<(usize, f64)> = kept.into_iter().collect();
            let (Some(&(first, _)), Some(&(last, _))) = (kept.first(), kept.last()) else {
                continue;
            };
            let mut rows = Vec::new();
            for row in first / nodes..=last / nodes {
                let in_row = |&&(cell, _): &&(usize, f64)| cell / nodes == row;
                let low = kept
                    .iter()
                    .find(in_row)
                    .map_or(0, |&(cell, _)| cell % nodes);
                let end = kept
                    .iter()
                    .rev()
                    .find(in_row)
                    .map_or(low, |&(cell, _)| cell % nodes + 1);
                let cell = shape.uses.len();
                shape.uses.resize(cell + end - low, 0.0);
                rows.push(Row {
                    node: low,
                    length: end - low,
                    cell,
                });
                for &(kept, uses) in kept.iter().filter(in_row) {
                    // Planning needs no more than a few digits.
                    #[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
                    let uses = uses as f32;
                    shape.uses[cell + kept % nodes - low] = uses;
                }
            }
            shape.families.push(Family {
                parts,
                row: first / nodes,
                rows,
            });
        }
        for (parts, uses) in outer.list {
            let cells = uses
                .iter()
                .copied()
                .enumerate()
                .filter(|&(_, uses)| uses > 0.0)
                .collect();
            shape.outer.push((parts, cells));
        }
    }
}

fn add(target: &mut [f64], uses: &[(usize, f64)], factor: f64) {
    for &(cell, uses) in uses {
        target[cell] += factor * uses;
    }
}

/// Probability that a multiplier goes to one of some equal parts.
pub(super) fn selection(spin: &Spin, part: Part, equal: usize) -> f64 {
    spin.classes[part.class()].selection * count(equal)
}

/// The list after a potion at a row that allows it.
pub(super) fn after_potion(parts: Parts, row: usize, delta: i64) -> Parts {
    if delta < 0 {
        let size = usize::try_from(delta.unsigned_abs()).unwrap_or(usize::MAX);
        parts.after_drop(row, size)
    } else {
        parts
    }
}
