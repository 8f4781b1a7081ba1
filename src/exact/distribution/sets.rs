//! Sets of characters as bits, and boxes of their multipliers.

use std::collections::BTreeMap;

use super::game::Game;

/// A set of characters as bits.
pub(super) type Set = usize;

/// The characters of a set, ascending.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        // Clears the lowest bit; an empty set ends the iterator.
        set &= set.checked_sub(1)?;
        Some(lowest)
    })
}

/// All non-empty subsets of a set.
pub(super) fn subsets(set: Set) -> Vec<Set> {
    let mut all = Vec::new();
    let mut part = set;
    while part > 0 {
        all.push(part);
        part = (part - 1) & set;
    }
    all
}

/// Characters as a set.
pub(super) fn set_of(characters: &[usize]) -> Set {
    characters.iter().map(|&c| 1 << c).sum()
}

/// The characters outside a set, by class.
pub(super) fn outside_of(game: &Game, set: Set) -> Vec<usize> {
    let mut outside: Vec<usize> = (0..game.characters())
        .filter(|&c| set >> c & 1 == 0)
        .collect();
    outside.sort_by_key(|&c| game.class_of[c]);
    outside
}

/// Multipliers of U with their rough weights.
pub(super) type Places = BTreeMap<Vec<i64>, f64>;

/// All multipliers in a box of `width` values from the floor, with weight 1.
pub(super) fn full_box(floor: i64, members: usize, width: i64) -> Places {
    let mut all = vec![Vec::new()];
    for _ in 0..members {
        all = all
            .into_iter()
            .flat_map(|row: Vec<i64>| {
                (floor..floor + width).map(move |m| {
                    let mut row = row.clone();
                    row.push(m);
                    row
                })
            })
            .collect();
    }
    all.into_iter().map(|row| (row, 1.0)).collect()
}
