//! The shape of a table D^U: which states and points it has and how they are tied to each other.
//!
//! Characters of U are followed by their current multiplier (a *point*), the others by what is left of their story (a
//! *state*). Two kinds of story are used:
//!
//! - **counted**: how often each other character will still be hit, sorted within a class of equal selection. Tables are
//!   divided by the product of `w_c^{h_c`}, so the order within a class does not matter;
//! - **awaiting**: which characters must still be hit at least once. Enough at z = 1, where only probabilities of floor
//!   events are asked, see [`certificate`](super::certificate).
//!
//! Rare states need few points: points carry a rough weight, and a state keeps those whose weight times its own passes a
//! threshold. A *source* is a potion that takes characters of U below the floor: they leave U for the story.

use std::collections::{BTreeMap, HashMap};

use super::circle::real;
use super::game::Game;
pub(super) use super::sets::{Places, Set, full_box, members, outside_of};
use super::sets::{set_of, subsets};

/// Which floor events of a character may be its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// Every one.
    Every,
    /// The first one alone.
    First,
}

/// What happens to a multiplier beyond the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// What leaves is lost: a lower bound.
    Drop,
    /// What leaves stays at the edge: an upper bound, since fewer floor events follow from a larger multiplier.
    Clamp,
}

/// Characters that leave U at a potion.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// Which of the layer's [`Link`]s.
    pub(super) link: usize,
    /// The point of the lower layer for those who stay in U.
    pub(super) point: usize,
    /// How far below the floor each of those who leave would have gone.
    pub(super) below: Vec<i64>,
}

/// A potion seen from a point.
#[derive(Debug, Clone)]
pub(super) struct Move {
    /// Where U's multipliers go with everybody still in U.
    pub(super) target: Option<usize>,
    /// Who may leave.
    pub(super) sources: Vec<Source>,
}

/// Multipliers of the characters of U.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// The multipliers, in the order of the set.
    pub(super) multipliers: Vec<i64>,
    /// Rough weight.
    pub(super) weight: f64,
    /// Inner additions to a member of U: point, probability.
    pub(super) additions: Vec<(usize, f64)>,
    /// One for each potion of the game.
    pub(super) moves: Vec<Move>,
}

/// The points that a state keeps.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    /// Points in the order of solution.
    pub(super) points: Vec<usize>,
    /// Where a point stands among them, or `usize::MAX`.
    pub(super) slot: Vec<usize>,
}

/// The story of the characters outside U.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// Hits still to come of the characters outside U, sorted within a class; none for awaiting.
    pub(super) parts: Vec<u8>,
    /// Their sum.
    pub(super) hits: i64,
    /// Largest counter.
    pub(super) top: usize,
    /// Which of the layer's [`Selection`]s.
    pub(super) selection: usize,
    /// Where its values begin in a table.
    pub(super) offset: usize,
    /// States after a hit that the story needs, with the weight.
    pub(super) after_hit: Vec<(usize, f64)>,
    /// Probability of a down step that concerns neither the story nor U.
    pub(super) idle: f64,
    /// Whether nothing is left to happen: the value at counter 0 is 1.
    pub(super) is_final: bool,
}

/// For each state the states of a lower layer that it takes its source from, with the hits of those who left (none for
/// awaiting).
#[derive(Debug, Clone)]
pub(super) struct Link {
    /// The set that remains in U.
    pub(super) lower: Set,
    /// Those who leave.
    pub(super) leaving: Vec<usize>,
    /// Entries of each state.
    pub(super) entries: Vec<Vec<(usize, Vec<u8>)>>,
}

/// Largest counter, and how far a counter may exceed the hits to come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// Largest counter.
    pub(super) levels: usize,
    /// By how much it may exceed the hits of a counted state.
    pub(super) slack: usize,
}

/// The shape of one table.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// U.
    pub(super) set: Set,
    /// Points by ascending sum of multipliers.
    pub(super) points: Vec<Point>,
    /// Choices of points.
    pub(super) selections: Vec<Selection>,
    /// States, each after those it depends on.
    pub(super) states: Vec<State>,
    /// Sources.
    pub(super) links: Vec<Link>,
    /// Whether states are counted.
    pub(super) is_counted: bool,
    /// Characters outside U, by class: the order of a state's parts.
    pub(super) outside: Vec<usize>,
    /// Number of values in a table.
    pub(super) size: usize,
    edge: Edge,
    ceiling: i64,
    index: BTreeMap<Vec<i64>, usize>,
    state_index: HashMap<Vec<u8>, usize>,
}

impl Layer {
    fn new(
        game: &Game,
        set: Set,
        places: &Places,
        rule: (Event, Edge),
        lower: &[Option<Self>],
    ) -> Self {
        let ceiling = places.keys().flatten().copied().max();
        let mut layer = Self {
            set,
            points: Vec::new(),
            selections: Vec::new(),
            states: Vec::new(),
            links: Vec::new(),
            is_counted: false,
            outside: outside_of(game, set),
            size: 0,
            edge: rule.1,
            ceiling: ceiling.unwrap_or(game.floor),
            index: BTreeMap::new(),
            state_index: HashMap::new(),
        };
        let mut all: Vec<&Vec<i64>> = places.keys().collect();
        all.sort_by_key(|row| (row.iter().sum::<i64>(), *row));
        for (number, row) in all.iter().enumerate() {
            layer.index.insert((*row).clone(), number);
        }
        layer.links = subsets(set)
            .into_iter()
            .map(|leaving| Link {
                lower: set & !leaving,
                leaving: members(leaving).collect(),
                entries: Vec::new(),
            })
            .collect();
        layer.points = all
            .into_iter()
            .map(|row| layer.make_point(game, row, places[row], rule.0, lower))
            .collect();
        layer
    }

    /// A layer that counts hits.
    ///
    /// `states` holds parts and weights, sorted by the number of hits; a state keeps points whose weight times its own passes
    /// `threshold`.
    pub(super) fn counted(
        game: &Game,
        set: Set,
        places: &Places,
        (states, threshold): (&[(Vec<u8>, f64)], f64),
        extent: Extent,
        lower: &[Option<Self>],
    ) -> Self {
        let mut layer = Self::new(game, set, places, (Event::Every, Edge::Drop), lower);
        layer.is_counted = true;
        for (number, (parts, _)) in states.iter().enumerate() {
            layer.state_index.insert(parts.clone(), number);
        }
        // Selections by powers of two of the least weight kept.
        let mut by_level: BTreeMap<i32, usize> = BTreeMap::new();
        for (parts, weight) in states {
            let level = (threshold / weight).log2().floor().clamp(-200.0, 200.0);
            #[expect(clippy::cast_possible_truncation, reason = "clamped above")]
            let level = level as i32;
            let selection = *by_level.entry(level).or_insert_with(|| {
                layer
                    .selections
                    .push(select(&layer.points, 2.0_f64.powi(level)));
                layer.selections.len() - 1
            });
            let hits: usize = parts.iter().map(|&h| usize::from(h)).sum();
            let state = State {
                parts: parts.clone(),
                hits: i64::try_from(hits).expect("a small count"),
                top: extent.levels.min(hits + extent.slack),
                selection,
                offset: layer.size,
                after_hit: layer.after_hit(game, parts),
                idle: game.no_win,
                is_final: set == 0 && hits == 0,
            };
            layer.push(state);
        }
        let outside = layer.outside.clone();
        for link in &mut layer.links {
            if let Some(from) = &lower[link.lower] {
                link.entries = states
                    .iter()
                    .map(|(parts, _)| entries(game, &outside, parts, &link.leaving, from))
                    .collect();
            }
        }
        layer
    }

    /// A layer of characters awaiting a hit, for z = 1; members of `all` alone, at most `together` of them in U and
    /// awaiting.
    pub(super) fn awaiting(
        game: &Game,
        set: Set,
        places: &Places,
        rule: (Event, Edge),
        (all, together): (Set, usize),
        levels: usize,
        lower: &[Option<Self>],
    ) -> Self {
        let mut layer = Self::new(game, set, places, rule, lower);
        layer.selections.push(select(&layer.points, 0.0));
        let everybody = (1_usize << game.characters()) - 1;
        let mut stories: Vec<Set> = subsets(all & !set);
        stories.push(0);
        stories.retain(|story| (story | set).count_ones() as usize <= together);
        stories.sort_by_key(|story| (story.count_ones(), *story));
        for (number, &story) in stories.iter().enumerate() {
            layer.state_index.insert(key(story), number);
        }
        for &story in &stories {
            let concerned = story | set;
            let state = State {
                parts: Vec::new(),
                hits: 0,
                top: levels,
                selection: 0,
                offset: layer.size,
                after_hit: members(story)
                    .map(|c| (layer.state_index[&key(story & !(1 << c))], game.hit[c]))
                    .collect(),
                idle: game.no_win
                    + members(everybody & !concerned)
                        .map(|c| game.hit[c])
                        .sum::<f64>(),
                is_final: concerned == 0,
            };
            layer.push(state);
        }
        for link in &mut layer.links {
            let leaving = set_of(&link.leaving);
            if let Some(from) = &lower[link.lower] {
                link.entries = stories
                    .iter()
                    .map(|&story| {
                        let state = from.state_index.get(&key(story | leaving));
                        state
                            .map(|&state| (state, Vec::new()))
                            .into_iter()
                            .collect()
                    })
                    .collect();
            }
        }
        layer
    }

    fn push(&mut self, state: State) {
        self.size += state.top * self.selections[state.selection].points.len();
        self.states.push(state);
    }

    /// The largest multiplier of the points.
    pub(super) const fn ceiling(&self) -> i64 {
        self.ceiling
    }

    /// The point with the given multipliers.
    pub(super) fn point(&self, multipliers: &[i64]) -> Option<usize> {
        match self.edge {
            Edge::Drop => self.index.get(multipliers).copied(),
            Edge::Clamp => {
                let clamped: Vec<i64> = multipliers.iter().map(|&m| m.min(self.ceiling)).collect();
                self.index.get(&clamped).copied()
            }
        }
    }

    /// Where the values of a state at a point are in a table.
    pub(super) fn row(&self, state: usize, point: usize) -> Option<std::ops::Range<usize>> {
        let state = &self.states[state];
        let slot = self.selections[state.selection].slot[point];
        if slot == usize::MAX {
            return None;
        }
        let start = state.offset + slot * state.top;
        Some(start..start + state.top)
    }

    fn after_hit(&self, game: &Game, parts: &[u8]) -> Vec<(usize, f64)> {
        let class = |at: usize| game.class_of[self.outside[at]];
        let mut found = Vec::new();
        let mut at = 0;
        while at < parts.len() {
            let same = (at..parts.len())
                .take_while(|&other| parts[other] == parts[at] && class(other) == class(at))
                .count();
            if parts[at] > 0 {
                let mut sub = parts.to_vec();
                sub[at + same - 1] -= 1;
                if let Some(&sub) = self.state_index.get(&sub) {
                    found.push((sub, real(same)));
                }
            }
            at += same;
        }
        found
    }

    fn make_point(
        &self,
        game: &Game,
        row: &[i64],
        weight: f64,
        event: Event,
        lower: &[Option<Self>],
    ) -> Point {
        let followed: Vec<usize> = members(self.set).collect();
        let mut additions = Vec::new();
        for (slot, &c) in followed.iter().enumerate() {
            for &(value, probability) in &game.additions {
                let mut raised = row.to_vec();
                raised[slot] += value;
                if let Some(point) = self.point(&raised) {
                    additions.push((point, probability * game.selection[c]));
                }
            }
        }
        let moves = game
            .potions
            .iter()
            .map(|potion| {
                let moved: Vec<i64> = row.iter().map(|m| m + potion.delta).collect();
                let floored: Vec<i64> = moved.iter().map(|&m| m.max(game.floor)).collect();
                let below: Set = followed
                    .iter()
                    .zip(&moved)
                    .filter(|&(_, &m)| m < game.floor)
                    .map(|(&c, _)| 1 << c)
                    .sum();
                let stays = event == Event::Every || below == 0;
                let mut sources = Vec::new();
                for (number, link) in self.links.iter().enumerate() {
                    let leaving = set_of(&link.leaving);
                    let fits = match event {
                        Event::Every => leaving & !below == 0,
                        Event::First => leaving == below,
                    };
                    let Some(from) = lower[link.lower].as_ref().filter(|_| fits) else {
                        continue;
                    };
                    let (gone, kept): (Vec<usize>, Vec<usize>) = (0..followed.len())
                        .partition(|&slot| link.leaving.contains(&followed[slot]));
                    let kept: Vec<i64> = kept.iter().map(|&slot| floored[slot]).collect();
                    if let Some(point) = from.point(&kept) {
                        sources.push(Source {
                            link: number,
                            point,
                            below: gone.iter().map(|&slot| game.floor - moved[slot]).collect(),
                        });
                    }
                }
                Move {
                    target: if stays { self.point(&floored) } else { None },
                    sources,
                }
            })
            .collect();
        Point {
            multipliers: row.to_vec(),
            weight,
            additions,
            moves,
        }
    }
}

/// The points of at least a weight.
fn select(points: &[Point], least: f64) -> Selection {
    let mut selection = Selection {
        points: Vec::new(),
        slot: vec![usize::MAX; points.len()],
    };
    for (number, point) in points.iter().enumerate() {
        if point.weight >= least {
            selection.slot[number] = selection.points.len();
            selection.points.push(number);
        }
    }
    selection
}

/// A set as the key of a state.
fn key(story: Set) -> Vec<u8> {
    vec![u8::try_from(story).expect("at most six characters")]
}

/// The states of `from` that hold a state's parts and at least one hit for each of those who leave.
fn entries(
    game: &Game,
    outside: &[usize],
    parts: &[u8],
    leaving: &[usize],
    from: &Layer,
) -> Vec<(usize, Vec<u8>)> {
    let mut found = Vec::new();
    let mut hits = vec![1_u8; leaving.len()];
    loop {
        let mut all: Vec<(usize, u8)> = outside
            .iter()
            .zip(parts)
            .chain(leaving.iter().zip(&hits))
            .map(|(&c, &h)| (game.class_of[c], h))
            .collect();
        all.sort_by_key(|&(class, h)| (class, std::cmp::Reverse(h)));
        let wanted: Vec<u8> = all.iter().map(|&(_, h)| h).collect();
        // The next tuple of hits, like the digits of a number; states are kept with all below them, so after a gap the
        // digit that made it starts again.
        let mut digit = 0;
        if let Some(&state) = from.state_index.get(&wanted) {
            found.push((state, hits.clone()));
            hits[0] += 1;
            continue;
        }
        loop {
            if hits[digit] > 1 {
                hits[digit] = 1;
                digit += 1;
                if digit == hits.len() {
                    return found;
                }
                hits[digit] += 1;
                break;
            }
            digit += 1;
            if digit == hits.len() {
                return found;
            }
        }
    }
}
