//! Which hit counts a table keeps.
//!
//! The characters hit are independent of the path of the counter: given H hits in all, the counts are multinomial.
//! So without the floor P(counts = lambda) = P(H hits) H! A(lambda) / (W^H prod `lambda_i`!), with W = sum `w_c` and
//! A(lambda) of [`starts`](super::starts). Counts are kept where that passes a threshold, with all counts below them. For tables
//! of the floor the same weight serves from a somewhat larger counter too: rounds that the floor touches are longer. What a choice loses is
//! measured afterwards, see [`certificate`](super::certificate).

use std::collections::HashMap;

use super::circle::real;
use super::game::{Game, factorial};
use super::starts::Stories;

/// Largest number of hits in all that is considered: counts fit a byte with room.
const MOST_HITS: usize = 120;

/// States with weights, sorted by the number of hits.
pub(super) type Weighted = Vec<(Vec<u8>, f64)>;

/// The states above a threshold; `None` where there are more than `most`.
pub(super) fn choose(
    game: &Game,
    outside: &[usize],
    starts: &[usize],
    threshold: f64,
    most: usize,
) -> Option<Weighted> {
    let nothing = vec![0_u8; outside.len()];
    let hits: f64 = outside.iter().map(|&c| game.hit[c]).sum();
    let chance = game.hit_counts(hits, starts, MOST_HITS);
    let mut kept: HashMap<Vec<u8>, f64> = HashMap::from([(nothing.clone(), chance[0])]);
    let mut level = vec![nothing];
    for (total, &chance) in chance.iter().enumerate().skip(1) {
        let mut next: Vec<Vec<u8>> = level
            .iter()
            .flat_map(|parts| raised(game, outside, parts))
            .collect();
        next.sort_unstable();
        next.dedup();
        let rows: Vec<&[u8]> = next.iter().map(Vec::as_slice).collect();
        let stories = Stories::new(game, outside, &rows);
        let scale = (1..=total).fold(chance, |scale, h| scale * real(h) / hits);
        level.clear();
        for (parts, placements) in next.into_iter().zip(&stories.placements) {
            let orders: f64 = parts.iter().map(|&h| factorial(usize::from(h))).product();
            let weight = scale * placements / orders;
            if weight >= threshold {
                level.push(parts.clone());
                kept.insert(parts, weight);
            }
        }
        if level.is_empty() {
            break;
        }
        if kept.len() > most {
            return None;
        }
    }
    // A state's courses pass through everything below it, which therefore weighs at least as much.
    let sum = |parts: &[u8]| -> usize { parts.iter().map(|&h| usize::from(h)).sum() };
    let longest = kept.keys().map(|parts| sum(parts)).max().unwrap_or(0);
    let mut by_sum: Vec<Vec<Vec<u8>>> = vec![Vec::new(); longest + 1];
    for parts in kept.keys() {
        by_sum[sum(parts)].push(parts.clone());
    }
    let mut states = Weighted::new();
    for total in (0..=longest).rev() {
        for parts in std::mem::take(&mut by_sum[total]) {
            let weight = kept[&parts];
            for sub in lowered(game, outside, &parts) {
                if let Some(known) = kept.get_mut(&sub) {
                    *known = known.max(weight);
                } else {
                    kept.insert(sub.clone(), weight);
                    by_sum[total - 1].push(sub);
                }
            }
            states.push((parts, weight));
        }
    }
    states.sort_by(|a, b| (sum(&a.0), &a.0).cmp(&(sum(&b.0), &b.0)));
    Some(states)
}

/// One more hit for one character, sorted within classes.
fn raised(game: &Game, outside: &[usize], parts: &[u8]) -> Vec<Vec<u8>> {
    (0..parts.len())
        .filter(|&at| {
            at == 0
                || parts[at - 1] > parts[at]
                || game.class_of[outside[at - 1]] != game.class_of[outside[at]]
        })
        .map(|at| {
            let mut more = parts.to_vec();
            more[at] += 1;
            more
        })
        .collect()
}

/// One hit less for one character, sorted within classes.
fn lowered(game: &Game, outside: &[usize], parts: &[u8]) -> Vec<Vec<u8>> {
    (0..parts.len())
        .filter(|&at| {
            parts[at] > 0
                && (at + 1 == parts.len()
                    || parts[at + 1] < parts[at]
                    || game.class_of[outside[at + 1]] != game.class_of[outside[at]])
        })
        .map(|at| {
            let mut less = parts.to_vec();
            less[at] -= 1;
            less
        })
        .collect()
}
