//! The recursion: one table D^U at a batch of points z.
//!
//! Let `V_c` be what character c pays, V'_c what it would pay if multipliers could fall below the floor, and
//! `d_c` = `z^{V_c`} - z^{V'_c}. Then z^M = prod (z^{V'_c} + `d_c`) is a sum over sets U of prod_{c in U} `d_c` prod_{c not in U} z^{V'_c}.
//! V'_c = `h_c` `m_c` + `b_c` is linear in the multiplier `m_c` now, with `h_c` the number of hits to come and `b_c` what
//! does not depend on `m_c`; so outside U hit counts are all that must be kept, backwards in time. In U multipliers are kept.
//!
//! With O the value before the outer result and g before the inner one, for one state (story s, its number of
//! hits H) and U's multipliers m:
//!
//! ```text
//! g_n(s; m) = p_x O_{n+x}(s; m) + (sum_{c not in U} q_c phi(h_c)) O_n(s; m) + sum_{c in U} q_c sum_a p_a O_n(s; m + a e_c)
//! O_k(s; m) = sum over hits of the story (weight) g_{k-1}(s after it; m)
//!           + (idle + sum_{c in U} w_c z^{m_c}) g_{k-1}(s; m)
//!           + sum over potions w_j z^{d_j H} [ g_{k+j}(s; max(m + d_j, floor)) + sources ]
//! ```
//!
//! phi(h) = `sum_a` `p_a` z^{a h}, x the spins of the additional spin, j the potion's change of the counter. `g_0` = 1 where U is empty and
//! the story over, else 0. A source is that some characters T of U would have gone below the floor, by `r_c`: the value with the
//! floor goes on from the floor, the one without from floor - `r_c`, and what is added is
//!
//! ```text
//! sum over h_c >= 1, c in T, of [prod_c w_c^{h_c} (z^{floor h_c} - z^{(floor - r_c) h_c})] g^{U - T}_{k+j}(s and h_T; the others' m)
//! ```
//!
//! For one (s, m) the terms in n form a system with one band below the diagonal. It is solved directly: from the largest counter
//! down, `g_n` = `alpha_n` g_{n-1} + `beta_n`; then upward. Points m are taken by ascending sum, so that what a potion takes off is
//! known at once; what adds to m is taken from the sweep before. Started from 0, every sweep adds whole courses of the game and
//! none twice: a finished number of sweeps is a truncation like any other, and certified like any other.

use super::circle::Points;
use super::game::Game;
use super::lanes::Lanes;
use super::layer::{Layer, Point, Selection, Source, State, members};

/// The factor of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Twin {
    /// With the floor less without: the distribution.
    Difference,
    /// 1: the expected number of floor events, at z = 1.
    One,
    /// With the floor plus without: dominates the distribution's coefficients.
    Sum,
}

/// What is common to all layers at a batch of points.
#[derive(Debug)]
pub(super) struct Batch<'a, const L: usize> {
    game: &'a Game,
    points: Points<'a, L>,
    twin: Twin,
    /// phi(h).
    phi: Vec<Lanes<L>>,
    /// `w_c^h`.
    hits: Vec<Vec<f64>>,
}

/// The values of a layer, in the order of [`Layer::row`].
pub(super) type Table<const L: usize> = Vec<Lanes<L>>;

/// Layers and their tables, by set.
pub(super) type Known<'a, const L: usize> = [Option<(&'a Layer, &'a Table<L>)>];

impl<'a, const L: usize> Batch<'a, L> {
    /// Prepares a batch for layers with at most `most` hits of one character.
    pub(super) fn new(game: &'a Game, points: Points<'a, L>, twin: Twin, most: usize) -> Self {
        let phi = (0..=most)
            .map(|h| {
                let mut sum = Lanes::ZERO;
                for &(value, probability) in &game.additions {
                    let exponent = value * i64::try_from(h).expect("a small count");
                    sum.add_scaled(probability, points.power(exponent));
                }
                sum
            })
            .collect();
        Self {
            game,
            points,
            twin,
            phi,
            hits: (0..game.characters())
                .map(|c| game.hit_powers(c, most))
                .collect(),
        }
    }

    /// The points.
    pub(super) fn points(&self) -> &Points<'a, L> {
        &self.points
    }

    /// sum over characters outside U of `q_c` `phi(h_c)`.
    fn selection(&self, layer: &Layer, state: &State) -> Lanes<L> {
        let mut sum = Lanes::ZERO;
        for (slot, &c) in layer.outside.iter().enumerate() {
            let h = state.parts.get(slot).copied().unwrap_or(0);
            sum.add_scaled(self.game.selection[c], self.phi[usize::from(h)]);
        }
        sum
    }

    /// The factor of one character that leaves with `h` hits from `below` under the floor.
    fn twin(&self, c: usize, h: u8, below: i64) -> Lanes<L> {
        let weight = self.hits[c][usize::from(h)];
        let h = i64::from(h);
        let floor = self.game.floor;
        let with = self.points.power(floor * h);
        let without = self.points.power((floor - below) * h);
        match self.twin {
            Twin::Difference => with - without,
            Twin::One => Lanes::ONE,
            Twin::Sum => with + without,
        }
        .scaled(weight)
    }

    fn source_factor(&self, leaving: &[usize], hits: &[u8], below: &[i64]) -> Lanes<L> {
        leaving
            .iter()
            .zip(hits)
            .zip(below)
            .fold(Lanes::ONE, |product, ((&c, &h), &r)| {
                product * self.twin(c, h, r)
            })
    }

    /// The table of a layer after a number of sweeps; `known` holds the tables of the layers below.
    pub(super) fn solve(&self, layer: &Layer, sweeps: usize, known: &Known<'_, L>) -> Table<L> {
        let mut table = vec![Lanes::ZERO; layer.size];
        let mut solver = Solver {
            batch: self,
            game: self.game,
            layer,
            sweeps: if layer.set == 0 { 1 } else { sweeps },
            reach: self.game.reach(),
            fixed: Vec::new(),
            outer: Vec::new(),
            bands: Vec::new(),
            ext: Vec::new(),
            beta: Vec::new(),
        };
        for number in 0..layer.states.len() {
            solver.solve(number, &mut table, known);
        }
        table
    }
}

/// The bands of one (state, point) with what elimination needs.
#[derive(Debug)]
struct Bands<const L: usize> {
    /// idle and U's hits.
    stay: Lanes<L>,
    /// 1 / (1 - `e_n`), by n - 1.
    inverse: Vec<Lanes<L>>,
    /// `alpha_n`.
    alpha: Vec<Lanes<L>>,
    /// Weight of beta_{n+j}, by n - 1, then j - 1.
    above: Vec<Lanes<L>>,
}

/// Working space of one layer.
#[derive(Debug)]
struct Solver<'a, const L: usize> {
    batch: &'a Batch<'a, L>,
    game: &'a Game,
    layer: &'a Layer,
    sweeps: usize,
    /// The largest rise of the counter in one spin.
    reach: usize,
    /// The part of O that no sweep changes, by slot, then k - 1.
    fixed: Vec<Lanes<L>>,
    /// O by slot, then n - 1.
    outer: Vec<Lanes<L>>,
    bands: Vec<Bands<L>>,
    ext: Vec<Lanes<L>>,
    beta: Vec<Lanes<L>>,
}

impl<const L: usize> Solver<'_, L> {
    fn solve(&mut self, number: usize, table: &mut Table<L>, known: &Known<'_, L>) {
        let (game, layer) = (self.game, self.layer);
        let state = &layer.states[number];
        let chosen = &layer.selections[state.selection];
        let top = state.top;
        let count = chosen.points.len();
        let phi = self.batch.selection(layer, state);
        let turns: Vec<Lanes<L>> = game
            .potions
            .iter()
            .map(|potion| {
                self.batch
                    .points
                    .power(potion.delta * state.hits)
                    .scaled(potion.probability)
            })
            .collect();
        self.prepare(number, phi, &turns, table, known);
        let begin = state.offset;
        let values = &mut table[begin..begin + count * top];
        self.outer.clear();
        self.outer.resize(count * top, Lanes::ZERO);
        let mut before = 0.0;
        for _ in 0..self.sweeps {
            for slot in 0..count {
                self.sweep((top, slot), chosen, phi, &turns, values);
            }
            if !layer.is_counted {
                // Every value is a positive sum that grows with the sweeps.
                let sum = values.iter().fold(0.0, |sum, value| sum + value.re[0]);
                if sum - before <= 1e-14 * sum {
                    break;
                }
                before = sum;
            }
        }
    }

    /// What no sweep changes, and the elimination.
    fn prepare(
        &mut self,
        number: usize,
        phi: Lanes<L>,
        turns: &[Lanes<L>],
        table: &Table<L>,
        known: &Known<'_, L>,
    ) {
        let (game, layer) = (self.game, self.layer);
        let state = &layer.states[number];
        let chosen = &layer.selections[state.selection];
        let (top, last) = (state.top, state.top + game.extra_spins);
        self.fixed.clear();
        self.fixed.resize(chosen.points.len() * last, Lanes::ZERO);
        self.bands.clear();
        for (slot, &place) in chosen.points.iter().enumerate() {
            let point = &layer.points[place];
            let mut stay = Lanes::real(state.idle);
            for (c, &multiplier) in members(layer.set).zip(&point.multipliers) {
                stay.add_scaled(game.hit[c], self.batch.points.power(multiplier));
            }
            let fixed = &mut self.fixed[slot * last..(slot + 1) * last];
            for &(sub, weight) in &state.after_hit {
                if layer.states[sub].is_final {
                    fixed[0] += Lanes::real(weight);
                }
                if let Some(row) = layer.row(sub, place) {
                    for (sum, &value) in fixed[1..].iter_mut().zip(&table[row]) {
                        sum.add_scaled(weight, value);
                    }
                }
            }
            for (j, turned) in point.moves.iter().enumerate() {
                let change = game.potions[j].change;
                for source in &turned.sources {
                    self.batch.add_source(
                        (layer, number),
                        source,
                        (turns[j], change),
                        known,
                        fixed,
                    );
                }
                if state.is_final && change == -1 {
                    fixed[0] += turns[j];
                }
            }
            if state.is_final {
                fixed[0] += stay;
            }
            self.bands.push(bands(
                game,
                (place, point),
                (top, self.reach),
                stay,
                phi,
                turns,
            ));
        }
    }

    /// One point of one sweep.
    fn sweep(
        &mut self,
        (top, slot): (usize, usize),
        chosen: &Selection,
        phi: Lanes<L>,
        turns: &[Lanes<L>],
        values: &mut [Lanes<L>],
    ) {
        let game = self.game;
        let last = top + game.extra_spins;
        let place = chosen.points[slot];
        let point = &self.layer.points[place];
        self.ext.clear();
        self.ext
            .extend_from_slice(&self.fixed[slot * last..(slot + 1) * last]);
        for (j, turned) in point.moves.iter().enumerate() {
            if let Some(target) = turned.target
                && target != place
                && chosen.slot[target] != usize::MAX
            {
                let begin = chosen.slot[target] * top;
                let row = &values[begin..begin + top];
                shifted(&mut self.ext, game.potions[j].change, turns[j], row);
            }
        }
        self.beta.clear();
        self.beta.resize(top, Lanes::ZERO);
        for n in 0..top {
            let mut sum = self.ext[n] * phi;
            sum.add_scaled(game.extra, self.ext[n + game.extra_spins]);
            self.beta[n] = sum;
        }
        for &(target, probability) in &point.additions {
            let target = chosen.slot[target];
            if target != usize::MAX {
                let row = &self.outer[target * top..(target + 1) * top];
                for (sum, &value) in self.beta.iter_mut().zip(row) {
                    sum.add_scaled(probability, value);
                }
            }
        }
        let bands = &self.bands[slot];
        for n in (0..top).rev() {
            let mut sum = self.beta[n];
            let above = &bands.above[n * self.reach..(n + 1) * self.reach];
            for (&weight, &beta) in above.iter().zip(&self.beta[n + 1..]) {
                sum.add_product(weight, beta);
            }
            self.beta[n] = sum * bands.inverse[n];
        }
        let row = &mut values[slot * top..(slot + 1) * top];
        let mut below = Lanes::ZERO;
        for ((value, &beta), &alpha) in row.iter_mut().zip(&self.beta).zip(&bands.alpha) {
            *value = beta;
            value.add_product(alpha, below);
            below = *value;
        }
        if self.layer.set == 0 {
            return;
        }
        let outer = &mut self.outer[slot * top..(slot + 1) * top];
        outer.copy_from_slice(&self.ext[..top]);
        for n in 1..top {
            outer[n].add_product(bands.stay, row[n - 1]);
        }
        for (j, turned) in point.moves.iter().enumerate() {
            if turned.target == Some(place) {
                shifted(outer, game.potions[j].change, turns[j], row);
            }
        }
    }
}

/// Adds `turn` times g_{k + change} to the entry k - 1 of `sums`.
#[inline]
fn shifted<const L: usize>(sums: &mut [Lanes<L>], change: i64, turn: Lanes<L>, row: &[Lanes<L>]) {
    if change < 0 {
        for (sum, &value) in sums.iter_mut().skip(1).zip(row) {
            sum.add_product(turn, value);
        }
    } else {
        let skipped = usize::try_from(change).expect("not negative");
        for (sum, &value) in sums.iter_mut().zip(row.iter().skip(skipped)) {
            sum.add_product(turn, value);
        }
    }
}

impl<const L: usize> Batch<'_, L> {
    /// Adds one source to O.
    fn add_source(
        &self,
        (layer, number): (&Layer, usize),
        source: &Source,
        (turn, change): (Lanes<L>, i64),
        known: &Known<'_, L>,
        fixed: &mut [Lanes<L>],
    ) {
        let link = &layer.links[source.link];
        let Some((lower, values)) = known[link.lower] else {
            return;
        };
        let Some(entries) = link.entries.get(number) else {
            return;
        };
        for (state, hits) in entries {
            let Some(row) = lower.row(*state, source.point) else {
                continue;
            };
            let mut factor = turn;
            if layer.is_counted {
                factor = factor * self.source_factor(&link.leaving, hits, &source.below);
            }
            shifted(fixed, change, factor, &values[row]);
        }
    }
}

/// Elimination of one (state, point).
fn bands<const L: usize>(
    game: &Game,
    (place, point): (usize, &Point),
    (top, reach): (usize, usize),
    stay: Lanes<L>,
    phi: Lanes<L>,
    turns: &[Lanes<L>],
) -> Bands<L> {
    // By shift + 1: -1, 0, ..., reach.
    let mut weights = vec![Lanes::ZERO; reach + 2];
    let extra = game.extra_spins;
    let mut put = |shift: i64, weight: Lanes<L>| {
        let at = usize::try_from(shift + 1).expect("a shift of -1 or more");
        weights[at].add_product(phi, weight);
        weights[at + extra].add_scaled(game.extra, weight);
    };
    put(-1, stay);
    for (j, turned) in point.moves.iter().enumerate() {
        if turned.target == Some(place) {
            put(game.potions[j].change, turns[j]);
        }
    }
    let mut bands = Bands {
        stay,
        inverse: vec![Lanes::ZERO; top],
        alpha: vec![Lanes::ZERO; top],
        above: vec![Lanes::ZERO; top * reach],
    };
    for n in (0..top).rev() {
        // Above the top the table is 0, so the highest band that counts is cut.
        let mut weight = Lanes::ZERO;
        for j in (1..=reach).rev() {
            weight += weights[j + 1];
            if n + j < top {
                bands.above[n * reach + j - 1] = weight;
                weight = weight * bands.alpha[n + j];
            } else {
                weight = Lanes::ZERO;
            }
        }
        weight += weights[1];
        let mut rest = Lanes::ONE - weight;
        // On the circle |weight| < 1. At real z > 1 the sum over courses may diverge, and elimination would give it a finite
        // value of no meaning: infinity instead.
        for lane in 0..L {
            if rest.re[lane] <= 0.0 {
                rest.re[lane] = 0.0;
            }
        }
        let inverse = rest.inverse();
        bands.inverse[n] = inverse;
        bands.alpha[n] = weights[0] * inverse;
    }
    bands
}
