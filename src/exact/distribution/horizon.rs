//! How large the tables must be: the joint law of a round's future fall and its number of hits, in floating point.
//!
//! Used to plan and never in a bound. One exception: [`Horizon::silent`], P(no hit to come).

use super::parts::{count, power};
use super::spin::{After, Counter, Spin};

/// Rows at most: depths are bytes, and falls beyond this are rarer than any tolerance in reach.
const MOST_ROWS: usize = 32;
/// Hits at most.
const MOST_HITS: usize = 250;
/// So many rare levels after most of the rounds are the end: a spin adds no more to the counter as a rule.
const RARE_LEVELS: usize = 10;
/// Counters at most.
const MOST_COUNTERS: usize = 400;
/// Cells of one level at most.
const MOST_CELLS: usize = 12_000;

/// Laws of the future of a round by counter.
#[derive(Debug)]
pub(super) struct Horizon {
    /// The nodes of the counter.
    pub(super) counter: Counter,
    /// Rows of every level: falls from 0 on.
    pub(super) rows: usize,
    /// For each number of hits, from 0: P(fall of `row` before the last hit, so many hits), at `row * nodes + node`.
    pub(super) levels: Vec<Vec<f64>>,
    /// Roundings of any course in [`silent`](Self::silent) at most.
    pub(super) silent_roundings: u32,
}

impl Horizon {
    /// Sizes that leave out about `small` of the rounds from any of the starts; `None` where that is too large.
    pub(super) fn new(spin: &Spin, starts: &[usize], small: f64) -> Option<Self> {
        let top = largest_counter(spin, starts.iter().copied().max().unwrap_or(1), small)?;
        let counter = Counter::new(top, spin);
        let nodes = counter.nodes();
        if nodes > MOST_CELLS {
            return None;
        }
        let falls = spin.potions.iter().any(|potion| potion.delta < 0);
        let most_rows = if falls {
            MOST_ROWS.min(MOST_CELLS / nodes).max(1)
        } else {
            1
        };
        let before = counter.before();
        let (silent, sweeps) = settle(spin, &counter, &before, &[], 0, 1);
        // A sweep passes each node once; a value is the sum of two outer cells of up to four terms, of weights of a few.
        let passed = sweeps.saturating_mul(nodes).saturating_mul(32);
        let silent_roundings = u32::try_from(passed).unwrap_or(u32::MAX);
        let mut horizon = Self {
            counter,
            rows: most_rows,
            levels: vec![silent],
            silent_roundings,
        };
        let at: Vec<usize> = starts
            .iter()
            .map(|&start| horizon.counter.start(start))
            .collect();
        let reach = |level: &[f64], node: usize| {
            (0..level.len() / nodes)
                .map(|row| level[row * nodes + node])
                .sum::<f64>()
        };
        // What the levels so far leave out of the rounds of each start. Few hits may be as rare as very many, so a rare
        // level ends nothing before the most of the rounds is found.
        let mut left: Vec<f64> = at
            .iter()
            .map(|&node| 1.0 - horizon.silent()[node])
            .collect();
        let mut rare = 0;
        for hits in 1..=MOST_HITS {
            let below = &horizon.levels[hits - 1];
            let (level, _) = settle(spin, &horizon.counter, &before, below, hits, most_rows);
            let mut reached = 0.0_f64;
            for (left, &node) in left.iter_mut().zip(&at) {
                let held = reach(&level, node);
                *left -= held;
                reached = reached.max(held);
            }
            rare = if reached < small { rare + 1 } else { 0 };
            horizon.levels.push(level);
            let left = left.iter().copied().fold(0.0, f64::max);
            if left < small || (left < 0.5 && rare >= RARE_LEVELS) {
                break;
            }
        }
        let kept = horizon.levels.len() - rare;
        horizon.levels.truncate(kept.max(2));
        // Rows that hold less than `small` in all are left out.
        let held = |row: usize| {
            let sum = |&node: &usize| {
                horizon.levels[1..]
                    .iter()
                    .map(|level| level[row * nodes + node])
                    .sum::<f64>()
            };
            at.iter().map(sum).fold(0.0, f64::max)
        };
        let rows = (0..most_rows)
            .rev()
            .find(|&row| held(row) > small)
            .unwrap_or(0)
            + 1;
        horizon.rows = rows;
        for level in &mut horizon.levels[1..] {
            level.truncate(rows * nodes);
        }
        Some(horizon)
    }

    /// P(no hit to come) by node, iterated from below.
    pub(super) fn silent(&self) -> &[f64] {
        &self.levels[0]
    }
}

/// A counter that rounds pass with a probability below `small`: with r > 1 and E[r^change] <= 1 the probability to get
/// `k` above the start is at most r^-k.
fn largest_counter(spin: &Spin, start: usize, small: f64) -> Option<usize> {
    let power = |base: f64, exponent: i64| {
        let size = power(
            base,
            usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX),
        );
        if exponent < 0 { 1.0 / size } else { size }
    };
    let growth = |r: f64| {
        let outer = spin
            .potions
            .iter()
            .fold((spin.hit + spin.no_win) / r, |sum, potion| {
                sum + potion.probability * power(r, potion.change)
            });
        let extra = i64::try_from(spin.extra_spins).unwrap_or(i64::MAX);
        outer * (spin.multiplier + spin.extra * power(r, extra))
    };
    // What rounds can reach before a limit, whatever the drift.
    let most = match spin.max_spins {
        Some(limit) => {
            let rises = spin.potions.iter().map(|potion| potion.change);
            let rise = rises.max().unwrap_or(-1).max(-1);
            let most = usize::try_from(rise + i64::try_from(spin.extra_spins).ok()?).unwrap_or(0);
            start.saturating_add(usize::try_from(limit).ok()?.saturating_mul(most))
        }
        None => usize::MAX,
    };
    let (mut low, mut high) = (1.0, 2.0);
    while growth(high) < 1.0 && high < 1e12 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if growth(middle) < 1.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut top = start;
    let mut reached = 1.0;
    while reached > small && top < most {
        top += 1;
        reached /= low;
        if top > MOST_COUNTERS {
            return None;
        }
    }
    Some(top)
}

/// One level by sweeps from 0, and their number.
fn settle(
    spin: &Spin,
    counter: &Counter,
    before: &[usize],
    below: &[f64],
    hits: usize,
    rows: usize,
) -> (Vec<f64>, usize) {
    let nodes = counter.nodes();
    let mut sweeps = 0;
    let mut level = vec![0.0; nodes * rows];
    let ended = if hits == 0 { 1.0 } else { 0.0 };
    // Rows of the level below: with no hit left there is one row, and a fall after the last hit counts for nothing.
    let hit = |row: usize, node: usize| match (hits, counter.after(node, -1)) {
        (0, _) | (_, After::Beyond) => 0.0,
        (1, _) if row > 0 => 0.0,
        (1, After::Ended) => 1.0,
        (_, After::Ended) => 0.0,
        (_, After::At(next)) => below[row * nodes + next],
    };
    for _ in 0..2000 {
        sweeps += 1;
        let mut change = 0.0_f64;
        for row in 0..rows {
            for &node in before {
                let outer = |node: usize| {
                    let next = |row: usize, change: i64| match counter.after(node, change) {
                        After::Ended => ended,
                        After::At(next) => level[row * nodes + next],
                        After::Beyond => 0.0,
                    };
                    let mut sum = spin.hit * hit(row, node) + spin.no_win * next(row, -1);
                    for potion in &spin.potions {
                        if hits == 0 {
                            sum += potion.probability * next(0, potion.change);
                        } else {
                            for (to, _) in Spin::rows_after(row, potion.delta, rows - 1) {
                                sum += potion.probability * next(to, potion.change);
                            }
                        }
                    }
                    sum
                };
                let value =
                    spin.multiplier * outer(node) + spin.extra * outer(node + counter.extra());
                let cell = row * nodes + node;
                if value > level[cell] {
                    change = change.max((value - level[cell]) / value);
                    level[cell] = value;
                }
            }
        }
        if change < 1e-14 * count(1 + 1000 * usize::from(hits > 0)) {
            break;
        }
    }
    (level, sweeps)
}
