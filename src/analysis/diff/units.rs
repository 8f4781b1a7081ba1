//! Changes that are legal only together.
//!
//! A character that leaves the outer wheel must leave the starting multipliers too: neither
//! change alone gives a paytable. A unit is a set of changes that is legal as the only one on
//! the old paytable and as the only one missing from the new. The set of all changes is one; the
//! smallest that holds a given change is searched among sets of up to [`GROWN`] changes, and
//! beyond that by taking changes away, one or two at a time, from the set of all.

use super::Game;

/// The largest set that is searched for from below.
const GROWN: usize = 3;
/// From this number of changes on, sets are not searched for from below: too many.
const MANY: usize = 64;

/// The units, in the order of their first changes; together they hold every change once.
pub(super) fn units(game: &Game<'_>, changes: &[usize]) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    for &change in changes {
        if units.iter().any(|unit| unit.contains(&change)) {
            continue;
        }
        let mut unit = smallest(game, changes, vec![change]);
        // A set that overlaps another is joined with it, and the union made legal again.
        while let Some(other) = units
            .iter()
            .position(|other| other.iter().any(|change| unit.contains(change)))
        {
            unit.extend(units.remove(other));
            unit.sort_unstable();
            unit.dedup();
            unit = smallest(game, changes, unit);
        }
        units.push(unit);
    }
    for unit in &mut units {
        unit.sort_unstable();
    }
    units.sort_unstable();
    units
}

fn is_legal(game: &Game<'_>, unit: &[usize]) -> bool {
    game.with(unit).is_some() && game.without(unit).is_some()
}

/// A small legal set that holds `seed`.
fn smallest(game: &Game<'_>, changes: &[usize], seed: Vec<usize>) -> Vec<usize> {
    if is_legal(game, &seed) {
        return seed;
    }
    if changes.len() < MANY {
        let mut grown = vec![seed.clone()];
        for _ in 1..GROWN {
            let mut larger = Vec::new();
            for set in &grown {
                // In ascending order beyond the seed, so that no set is met twice.
                let last = set.get(seed.len()..).and_then(<[usize]>::last);
                let further = changes
                    .iter()
                    .filter(|&change| !seed.contains(change))
                    .filter(|&change| last.is_none_or(|last| change > last));
                for &change in further {
                    let mut set = set.clone();
                    set.push(change);
                    if is_legal(game, &set) {
                        return set;
                    }
                    larger.push(set);
                }
            }
            grown = larger;
        }
    }
    shrunk(game, changes, &seed)
}

/// What is left of all changes when no one and no two can be taken away any more.
fn shrunk(game: &Game<'_>, changes: &[usize], seed: &[usize]) -> Vec<usize> {
    let mut set = changes.to_vec();
    let without = |set: &[usize], gone: &[usize]| -> Vec<usize> {
        let kept = set.iter().filter(|change| !gone.contains(change));
        kept.copied().collect()
    };
    'again: loop {
        let free = without(&set, seed);
        for (index, &one) in free.iter().enumerate().rev() {
            // One alone first, then with each later one.
            for gone in std::iter::once(vec![one])
                .chain(free[index + 1..].iter().map(|&other| vec![one, other]))
            {
                let smaller = without(&set, &gone);
                if is_legal(game, &smaller) {
                    set = smaller;
                    continue 'again;
                }
            }
        }
        return set;
    }
}
