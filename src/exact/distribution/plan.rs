//! Sizes of the tables for a tolerance, and the error they leave.
//!
//! | source of error | bound in total variation | share of the tolerance |
//! | --- | --- | --- |
//! | counts and counters of the empty set | missing mass | 1/20 |
//! | orders above u | 2^u sum of `P_U` over |U| = u + 1 | 2/5 |
//! | tables of order 1 to u | half the sum of 2^|U| (C_U - C_U held) | 2/5 in all |
//! | meters from K up | Chernoff, see [`transform`](super::transform) | 1/20 |
//!
//! `P_U` and `C_U` are those of [`certificate`](super::certificate). Each bound is computed at one point z, which costs little
//! against the K/2 angles of the distribution; so sizes are found by trying: a threshold for the weight of a (state, point)
//! falls until the share is kept.

use super::certificate::Figures;
use super::circle::{Points, real};
use super::counts;
use super::game::Game;
use super::kernel::{Batch, Table, Twin};
use super::layer::{Event, Extent, Layer, Places, Set, full_box, members, outside_of};
use super::starts::{Law, Split, Stories, assemble};

/// The largest order that is tried.
const MAX_ORDER: usize = 4;
/// States of one table at most.
const MAX_STATES: usize = 60_000;
/// Values of the tables of one order at most.
const MAX_VALUES: usize = 6_000_000;
/// Sweeps that are as good as any number.
const MANY_SWEEPS: usize = 12;
/// The empty set costs little: it is computed to this missing mass at least.
const EMPTY_SET: f64 = 1e-8;

/// Triggers with the same law of starts.
#[derive(Debug)]
pub(super) struct Group {
    /// The law.
    pub(super) law: Law,
    /// Index of the trigger and its spins.
    pub(super) triggers: Vec<(usize, usize)>,
}

impl Group {
    /// The counters that rounds start from.
    pub(super) fn counters(&self) -> Vec<usize> {
        self.triggers.iter().map(|&(_, spins)| spins).collect()
    }
}

/// Bounds in total variation for one trigger.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    /// Mass that the empty set's table misses.
    pub(super) missing: f64,
    /// Truncation of the other tables.
    pub(super) tables: f64,
    /// Orders above the last.
    pub(super) orders: f64,
}

impl Bounds {
    /// All of them together.
    pub(super) fn total(self) -> f64 {
        self.missing + self.tables + self.orders
    }
}

/// One table with all that is fixed about it.
#[derive(Debug)]
pub(super) struct Planned {
    /// Its shape.
    pub(super) layer: Layer,
    /// Sweeps over the points of a state.
    pub(super) sweeps: usize,
    /// Its states' factors.
    pub(super) stories: Stories,
    /// The starts, by group.
    pub(super) splits: Vec<Split>,
}

/// All tables.
#[derive(Debug)]
pub(super) struct Plan {
    /// Tables, those below first.
    pub(super) tables: Vec<Planned>,
    /// The largest number of characters touched by the floor that is counted.
    pub(super) order: usize,
    /// Bounds by trigger.
    pub(super) bounds: Vec<Bounds>,
}

/// Why no plan was found: the bound that can be had.
#[derive(Debug)]
pub(super) struct OutOfReach(pub(super) f64);

/// What planning works with.
#[derive(Debug)]
struct Planner<'a> {
    game: &'a Game,
    groups: &'a [Group],
    tolerance: f64,
    /// Spins of every trigger.
    counters: Vec<usize>,
    start: usize,
}

fn sets_of(game: &Game, members: usize) -> Vec<Set> {
    (0..1_usize << game.characters())
        .filter(|set| set.count_ones() as usize == members)
        .collect()
}

fn worst(values: &[f64]) -> f64 {
    values
        .iter()
        .fold(0.0_f64, |worst, &value| worst.max(value))
}

/// Plans the tables.
pub(super) fn plan(game: &Game, groups: &[Group], tolerance: f64) -> Result<Plan, OutOfReach> {
    let counters: Vec<usize> = groups.iter().flat_map(Group::counters).collect();
    let planner = Planner {
        game,
        groups,
        tolerance,
        start: counters.iter().copied().max().unwrap_or(1),
        counters,
    };
    let mut bounds = vec![Bounds::default(); planner.counters.len()];
    let order = planner.order(&mut bounds)?;
    let upper = (order > 0).then(|| planner.upper(order, Event::Every));
    let mut plan = Plan {
        tables: Vec::new(),
        order,
        bounds,
    };
    let mut values = Vec::new();
    for members in 0..=order {
        planner.extend(members, upper.as_ref(), &mut plan, &mut values)?;
    }
    Ok(plan)
}

/// Tables of one order with what they hold.
#[derive(Debug)]
struct Trial {
    planned: Vec<Planned>,
    values: Vec<Table<1>>,
    missing: Vec<f64>,
}

impl Planner<'_> {
    /// A figure of every trigger, summed over sets.
    fn sums(&self, figures: &Figures, sets: &[Set]) -> Vec<f64> {
        let mut sums = vec![0.0; self.counters.len()];
        for group in self.groups {
            for &(trigger, spins) in &group.triggers {
                sums[trigger] = sets
                    .iter()
                    .map(|&set| figures.value(self.game, set, &group.law, spins))
                    .sum();
            }
        }
        sums
    }

    /// Upper bounds. Past the largest start the floor is far, and the edge is an upper bound anyway.
    fn upper(&self, members: usize, event: Event) -> Figures {
        let game = self.game;
        let largest = self.groups.iter().map(|group| group.law.largest()).max();
        let above = largest.unwrap_or(game.floor) - game.floor;
        Figures::new(
            game,
            members,
            |size| {
                let most = [1, 20, 12, 8, 6, 5, 4][size.min(6)];
                full_box(game.floor, size, (above + 12).min(most))
            },
            event,
            game.levels(self.start, 1e-24, self.start + 300),
        )
    }

    /// The least order whose remainder fits.
    fn order(&self, bounds: &mut [Bounds]) -> Result<usize, OutOfReach> {
        if !self.game.has_floor_in_reach() {
            return Ok(0);
        }
        let mut best = f64::INFINITY;
        for order in 0..=MAX_ORDER.min(self.game.characters()) {
            if order == self.game.characters() {
                return Ok(order);
            }
            let figures = self.upper(order + 1, Event::First);
            let scale = real(1 << order);
            let sums = self.sums(&figures, &sets_of(self.game, order + 1));
            best = best.min(worst(&sums) * scale);
            if worst(&sums) * scale <= 0.4 * self.tolerance {
                for (bound, sum) in bounds.iter_mut().zip(sums) {
                    bound.orders = sum * scale;
                }
                return Ok(order);
            }
        }
        Err(OutOfReach(best))
    }

    /// Adds the tables of one order.
    fn extend(
        &self,
        members: usize,
        upper: Option<&Figures>,
        plan: &mut Plan,
        values: &mut Vec<Table<1>>,
    ) -> Result<(), OutOfReach> {
        let (share, scale) = if members == 0 {
            ((0.05 * self.tolerance).min(EMPTY_SET), 1.0)
        } else {
            (
                0.4 * self.tolerance / real(plan.order),
                0.5 * real(1 << members),
            )
        };
        let sets = sets_of(self.game, members);
        let truth: Vec<Vec<f64>> = sets
            .iter()
            .map(|&set| match upper {
                Some(upper) if members > 0 => self.sums(upper, &[set]),
                _ => vec![1.0; self.counters.len()],
            })
            .collect();
        let all: Vec<f64> = (0..self.counters.len())
            .map(|trigger| truth.iter().map(|row| row[trigger]).sum::<f64>() * scale)
            .collect();
        let relative = (share / worst(&all).max(f64::MIN_POSITIVE)).min(0.5);
        // Sets that hardly matter are left out altogether.
        let wanted: Vec<Set> = sets
            .iter()
            .zip(&truth)
            .filter(|(_, row)| members == 0 || worst(row) * scale > 0.05 * share / real(sets.len()))
            .map(|(&set, _)| set)
            .collect();
        let mut threshold = 0.03 * relative;
        let mut best = f64::INFINITY;
        for _ in 0..16 {
            let Some(mut trial) = self.attempt(&wanted, threshold, upper, plan, values) else {
                break;
            };
            self.solve(&mut trial, &all, scale, MANY_SWEEPS, plan, values);
            let missing = worst(&trial.missing);
            best = best.min(missing);
            if missing <= 0.9 * share {
                for sweeps in 1..MANY_SWEEPS {
                    self.solve(&mut trial, &all, scale, sweeps, plan, values);
                    if worst(&trial.missing) <= share {
                        break;
                    }
                }
                for (bound, missing) in plan.bounds.iter_mut().zip(&trial.missing) {
                    if members == 0 {
                        bound.missing = *missing;
                    } else {
                        bound.tables += missing;
                    }
                }
                plan.tables.extend(trial.planned);
                values.extend(trial.values);
                return Ok(());
            }
            threshold *= (0.5 * share / missing).clamp(0.02, 0.4);
        }
        let so_far = plan.bounds.iter().map(|bound| bound.total());
        Err(OutOfReach(so_far.fold(0.0, f64::max) + best))
    }

    /// Tables of one order at a threshold.
    fn attempt(
        &self,
        wanted: &[Set],
        threshold: f64,
        upper: Option<&Figures>,
        plan: &Plan,
        values: &[Table<1>],
    ) -> Option<Trial> {
        debug_assert_eq!(plan.tables.len(), values.len());
        let mut lower = vec![None; 1 << self.game.characters()];
        for table in &plan.tables {
            lower[table.layer.set] = Some(table.layer.clone());
        }
        let mut planned = Vec::new();
        let mut size = 0;
        for &set in wanted {
            let one = self.planned(set, threshold, upper, &lower)?;
            size += one.layer.size;
            if size > MAX_VALUES {
                return None;
            }
            planned.push(one);
        }
        Some(Trial {
            planned,
            values: Vec::new(),
            missing: Vec::new(),
        })
    }

    /// One table at a threshold.
    fn planned(
        &self,
        set: Set,
        threshold: f64,
        upper: Option<&Figures>,
        lower: &[Option<Layer>],
    ) -> Option<Planned> {
        let game = self.game;
        let outside = outside_of(game, set);
        let places = match upper {
            Some(upper) if set > 0 => self.places(set, upper, threshold),
            _ => Places::from([(Vec::new(), 1.0)]),
        };
        let heaviest = places.values().fold(0.0_f64, |a, &b| a.max(b));
        let mut counters = self.counters.clone();
        if set > 0 {
            let more = 1 + set.count_ones() as usize;
            counters.extend(self.counters.iter().map(|counter| counter + more));
        }
        let states = counts::choose(game, &outside, &counters, threshold / heaviest, MAX_STATES)?;
        let chance = threshold / heaviest;
        let extent = Extent {
            levels: game.levels(self.start, chance, self.start + 300),
            slack: self.slack(set, chance),
        };
        let layer = Layer::counted(game, set, &places, (&states, threshold), extent, lower);
        let rows: Vec<&[u8]> = states.iter().map(|(parts, _)| parts.as_slice()).collect();
        Some(Planned {
            stories: Stories::new(game, &outside, &rows),
            splits: self
                .groups
                .iter()
                .map(|group| group.law.split(set, &outside))
                .collect(),
            layer,
            sweeps: MANY_SWEEPS,
        })
    }

    /// Multipliers of a set that matter: how often a round comes to them, roughly, times the floor events that follow, in
    /// units of the set's figure.
    fn places(&self, set: Set, upper: &Figures, threshold: f64) -> Places {
        let game = self.game;
        let spins = game.expected_spins(self.start) + 1.0;
        let total = worst(&self.sums(upper, &[set])).max(f64::MIN_POSITIVE);
        let mut places = Places::new();
        let mut open: Vec<(Vec<i64>, f64)> = Vec::new();
        for group in self.groups {
            for (_, followed) in group.law.split(set, &outside_of(game, set)) {
                open.extend(followed);
            }
        }
        let mut reached = Places::new();
        while let Some((row, chance)) = open.pop() {
            let known = reached.entry(row.clone()).or_insert(0.0);
            // Beyond the edge of the figures a further step up is one more that must be taken down again.
            let beyond = upper.beyond(set, &row);
            let weight = chance * upper.at(set, &row, self.start) / total * 0.25_f64.powi(beyond);
            if *known >= chance || weight < threshold {
                continue;
            }
            *known = chance;
            places.insert(row.clone(), weight);
            for potion in &game.potions {
                let moved = row.iter().map(|m| (m + potion.delta).max(game.floor));
                let factor = (spins * potion.probability).min(1.0);
                open.push((moved.collect(), chance * factor));
            }
            for (slot, c) in members(set).enumerate() {
                for &(value, probability) in &game.additions {
                    let mut raised = row.clone();
                    raised[slot] += value;
                    let factor = (spins * probability * game.selection[c]).min(1.0);
                    open.push((raised, chance * factor));
                }
            }
        }
        places
    }

    /// How far the counter may exceed the hits to come: it must be run down without them.
    fn slack(&self, set: Set, chance: f64) -> usize {
        let game = self.game;
        let fall = game.no_win
            + game
                .potions
                .iter()
                .filter(|potion| potion.change < 0)
                .map(|potion| potion.probability)
                .sum::<f64>()
            + members(set).map(|c| game.hit[c]).sum::<f64>();
        let mut left = 1.0;
        let mut steps = 2;
        while fall > 0.0 && left > chance && steps < 300 {
            left *= fall;
            steps += 1;
        }
        steps
    }

    /// Solves the tables of a trial at z = 1 and finds what they miss.
    fn solve(
        &self,
        trial: &mut Trial,
        all: &[f64],
        scale: f64,
        sweeps: usize,
        plan: &Plan,
        values: &[Table<1>],
    ) {
        let game = self.game;
        let points = Points::Reals([1.0]);
        let batch = Batch::new(game, points, Twin::One, 255);
        let mut known = vec![None; 1 << game.characters()];
        for (table, value) in plan.tables.iter().zip(values) {
            known[table.layer.set] = Some((&table.layer, value));
        }
        trial.values.clear();
        let mut held = vec![0.0; all.len()];
        for one in &mut trial.planned {
            one.sweeps = sweeps;
            let table = batch.solve(&one.layer, sweeps, &known);
            for (group, split) in self.groups.iter().zip(&one.splits) {
                let sums = assemble(
                    game,
                    &one.layer,
                    &one.stories,
                    split,
                    &group.law,
                    &points,
                    &table,
                    &group.counters(),
                );
                for (&(trigger, _), sum) in group.triggers.iter().zip(sums) {
                    held[trigger] += sum.re[0] * scale;
                }
            }
            trial.values.push(table);
        }
        trial.missing = all
            .iter()
            .zip(held)
            .map(|(all, held)| (all - held).max(0.0))
            .collect();
    }
}
