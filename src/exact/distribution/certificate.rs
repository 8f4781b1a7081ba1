//! How much the floor can matter: the numbers that bound every truncation.
//!
//! Say that the floor *acts* on a character at a potion that would take its multiplier below the floor. It changes what the
//! character pays exactly if it acts on it and the character is hit afterwards, and then its first action is followed by a hit.
//! For a set U of characters
//!
//! - `P_U` is the probability that the floor changes the payout of every member of U;
//! - `C_U` is the expected product over U of the number of actions that are followed by a hit.
//!
//! Who is hit is independent of the path of counter and multipliers, so both need only the counter, the multipliers of U, and
//! which of U still waits for a hit: the recursion of [`kernel`](super::kernel) at z = 1 with that story.
//!
//! *All orders above u.* For one course of the round let k payouts be changed. Expand z^M = prod (z^{V'_c} + `d_c`) one
//! character at a time and stop at the (u+1)-th d: what is missing is a sum of C(k, u+1) products, each with u + 1 differences
//! of point masses, of total mass 2^(u+1). The expectation is at most 2^(u+1) times the sum of `P_U` over |U| = u + 1.
//!
//! *Truncation.* Table U is a sum over courses and over one action for each member of U, each a product of |U| differences of
//! point masses. A truncated table (counts, counters, multipliers, sweeps) holds some of these terms unchanged and not the
//! others, so it misses at most 2^|U| (`C_U` - `C_U` as the truncated recursion holds it at z = 1) of mass.
//!
//! Upper bounds come from [`Edge::Clamp`]: a larger multiplier has fewer actions, for the same future. Counters above the
//! tables' largest are left out; a round passes it with probability below 1e-24. Sweeps go on until they change nothing in 14
//! digits, and [`Figures::value`] is raised by far more than that and all rounding.

use super::circle::Points;
use super::game::Game;
use super::kernel::{Batch, Table, Twin};
use super::layer::{Edge, Event, Layer, Places, Set, outside_of};
use super::starts::Law;

/// Sweeps at most, where they run until nothing changes.
const UNTIL_STABLE: usize = 1000;
/// What upper bounds are raised by, relatively.
const RAISED: f64 = 1e-10;

/// Floor figures of all sets of a size and below.
#[derive(Debug)]
pub(super) struct Figures {
    layers: Vec<Option<Layer>>,
    tables: Vec<Option<Table<1>>>,
}

impl Figures {
    /// Upper bounds for all sets of at most `together` characters; `places` gives the multipliers by number of members.
    pub(super) fn new(
        game: &Game,
        together: usize,
        places: impl Fn(usize) -> Places,
        event: Event,
        levels: usize,
    ) -> Self {
        let all = (1_usize << game.characters()) - 1;
        let mut sets: Vec<Set> = (0..=all)
            .filter(|set| set.count_ones() as usize <= together)
            .collect();
        sets.sort_by_key(|set| set.count_ones());
        let mut figures = Self {
            layers: vec![None; all + 1],
            tables: vec![None; all + 1],
        };
        let batch = Batch::new(game, Points::Reals([1.0]), Twin::One, 0);
        for set in sets {
            let layer = Layer::awaiting(
                game,
                set,
                &places(set.count_ones() as usize),
                (event, Edge::Clamp),
                (all, together),
                levels,
                &figures.layers,
            );
            let known: Vec<Option<(&Layer, &Table<1>)>> = figures
                .layers
                .iter()
                .zip(&figures.tables)
                .map(|(layer, table)| layer.as_ref().zip(table.as_ref()))
                .collect();
            let table = batch.solve(&layer, UNTIL_STABLE, &known);
            figures.tables[set] = Some(table);
            figures.layers[set] = Some(layer);
        }
        figures
    }

    /// The figure of a set from a counter and multipliers.
    pub(super) fn at(&self, set: Set, multipliers: &[i64], counter: usize) -> f64 {
        let (Some(layer), Some(table)) = (&self.layers[set], &self.tables[set]) else {
            return 0.0;
        };
        // The first story is that nobody waits.
        layer
            .point(multipliers)
            .and_then(|point| layer.row(0, point))
            .map_or(0.0, |row| {
                table[row.start + counter - 1].re[0] * (1.0 + RAISED)
            })
    }

    /// By how much multipliers pass the edge of the figures, in all.
    pub(super) fn beyond(&self, set: Set, multipliers: &[i64]) -> i32 {
        let ceiling = self.layers[set].as_ref().map_or(0, Layer::ceiling);
        let excess = multipliers
            .iter()
            .map(|m| (m - ceiling).max(0))
            .sum::<i64>();
        i32::try_from(excess).unwrap_or(i32::MAX)
    }

    /// The figure of a set from a counter, averaged over the starts.
    pub(super) fn value(&self, game: &Game, set: Set, law: &Law, counter: usize) -> f64 {
        law.split(set, &outside_of(game, set))
            .iter()
            .flat_map(|(_, followed)| followed)
            .map(|(multipliers, weight)| weight * self.at(set, multipliers, counter))
            .sum()
    }
}
