//! An upper bound on E[M^8], by a game that pays more.
//!
//! Leave the floor out and let no potion take anything off: from the same results of the wheels, no multiplier is then
//! lower and the counter moves as before, so every payment is at least as large; a limit on spins only takes payments
//! away. Let V be what one character pays in that game, `f_k(n, x)` = E[V^k] from counter n and multiplier x. A spin
//! with counter change d, addition a and shift s = a + delta gives, pi being the character's share of the down steps,
//!
//! ```text
//! f_k(n, x) = E[f_k(n + d, x + s)]
//!           + pi E[1{down} sum over i < k of C(k, i) (x + s)^(k - i) f_i(n + d, x + s)],   f_0 = 1
//! ```
//!
//! (s = a at a down step), so `f_k` is a polynomial of degree k in x whose coefficients `g_kj` are polynomials of n
//! ([`poly`](crate::exact::poly)), found one by one from the highest power of x down. Minkowski's inequality puts the
//! characters together, with |X| = E[X^8]^(1/8): |M| <= sum over c of |V of c|.
//!
//! Guarantee: an upper bound, rounded up. It is several times too large, which a third root forgives.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use rayon::prelude::*;

use crate::exact::interval::Interval;
use crate::exact::law::{Law, drift_and_variance};
use crate::exact::poly::{self, Poly};
use crate::exact::starts::Starts;
use crate::paytable::{Paytable, TriggerTerms};

/// The moment that is bounded; a power of two, so that its root is a square root of square roots.
const ORDER: usize = 8;

/// An upper bound on E[M^8] of a trigger's uncapped meter.
///
/// # Returns
/// `None` where the drift of the counter is not negative, or the moment is past the range of `f64`.
pub(super) fn eighth_moment(paytable: &Paytable, terms: &TriggerTerms) -> Option<f64> {
    let (law, _) = Law::new(paytable).tilted(&RBig::ONE);
    let (drift, _) = drift_and_variance(&law.steps(false));
    if drift >= RBig::ZERO {
        return None;
    }
    let starts = Starts::new(paytable, terms.trigger);
    // Characters with the same sections and the same boost pay alike.
    let kinds: Vec<(usize, RBig)> = law
        .class_of
        .iter()
        .zip(&law.label)
        .map(|(&class, label)| (class, label.clone()))
        .collect();
    let mut distinct = kinds.clone();
    distinct.sort();
    distinct.dedup();
    let n = i64::from(terms.spins);
    let tables: Vec<Vec<RBig>> = distinct
        .par_iter()
        .map(|(class, label)| coefficients(&law, *class, label, n))
        .collect();
    let norm = kinds
        .iter()
        .zip(&starts.single)
        .fold(Interval::ZERO, |sum, (kind, start)| {
            let at = distinct
                .binary_search(kind)
                .expect("every kind is among the distinct ones");
            let mut moment = RBig::ZERO;
            for (x, probability) in start.iter() {
                let x = RBig::from(*x);
                let value = tables[at]
                    .iter()
                    .rev()
                    .fold(RBig::ZERO, |sum, coefficient| sum * &x + coefficient);
                moment += probability * value;
            }
            let root = Interval::from_rational(&moment).sqrt().sqrt().sqrt();
            sum + root
        });
    let bound = norm.square().square().square().hi;
    (bound < f64::MAX).then_some(bound)
}

/// The coefficients of `f_8(n, x)` by powers of x, for one character.
fn coefficients(law: &Law, class: usize, label: &RBig, n: i64) -> Vec<RBig> {
    let steps = law.steps(false);
    let outcomes = law.outcomes(class, None);
    let binomials = binomials(2 * ORDER);
    // E[s^e] and pi E[1{down} s^e], by change of the counter.
    let moments = |only_down: bool, exponent: usize| -> Vec<(i64, RBig)> {
        let mut sums = BTreeMap::<i64, RBig>::new();
        for outcome in outcomes.iter().filter(|o| o.down || !only_down) {
            let power =
                (0..exponent).fold(RBig::ONE, |power, _| power * RBig::from(outcome.shift()));
            *sums.entry(outcome.change).or_insert(RBig::ZERO) += &outcome.probability * power;
        }
        sums.into_iter().filter(|(_, sum)| !sum.is_zero()).collect()
    };
    let every: Vec<_> = (0..=ORDER)
        .map(|exponent| moments(false, exponent))
        .collect();
    let down: Vec<_> = (0..=ORDER)
        .map(|exponent| moments(true, exponent))
        .collect();
    let scaled = |weights: &[(i64, RBig)], factor: &RBig| -> Vec<(i64, RBig)> {
        weights
            .iter()
            .map(|(change, weight)| (*change, weight * factor))
            .collect()
    };
    // table[k][j] is g_kj.
    let mut table: Vec<Vec<Poly>> = vec![vec![Poly::constant(RBig::ONE)]];
    for k in 1..=ORDER {
        let mut row = vec![Poly::constant(RBig::ZERO); k + 1];
        for j in (0..=k).rev() {
            let mut reward = Poly::constant(RBig::ZERO);
            for (l, higher) in row.iter().enumerate().skip(j + 1) {
                reward = reward.plus(&higher.mix(&scaled(&every[l - j], &binomials[l][j])));
            }
            for (i, lower) in table.iter().enumerate() {
                for (l, poly) in lower.iter().enumerate() {
                    let degree = k - i + l;
                    if degree >= j {
                        let factor = label * &binomials[k][i] * &binomials[degree][j];
                        reward = reward.plus(&poly.mix(&scaled(&down[degree - j], &factor)));
                    }
                }
            }
            row[j] = poly::solve(&reward, &steps);
        }
        table.push(row);
    }
    table[ORDER].iter().map(|poly| poly.at(n)).collect()
}

/// C(a, b) for a up to `most`.
fn binomials(most: usize) -> Vec<Vec<RBig>> {
    let mut rows = vec![vec![RBig::ONE]];
    for a in 1..=most {
        let last = &rows[a - 1];
        let row = (0..=a)
            .map(|b| {
                let left = b.checked_sub(1).map_or(RBig::ZERO, |b| last[b].clone());
                left + last.get(b).cloned().unwrap_or(RBig::ZERO)
            })
            .collect();
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paytable::fixture;

    /// The tiny game takes nothing off and has one character: M = 2 + 2K with K geometric, and
    /// E[(2 + 2K)^8] = sum over k of (2 + 2k)^8 / 2^(k+1), added up here to k = 400.
    #[test]
    fn the_tiny_game_is_its_own_bound() {
        let game = Paytable::new(fixture::tiny(1)).expect("a legal paytable");
        let bound = eighth_moment(&game, &game.triggers[0]).expect("a finite moment");
        let expected: f64 = (0..400)
            .map(|k| (2.0 + 2.0 * f64::from(k)).powi(8) * 0.5_f64.powi(k + 1))
            .sum();
        assert!((bound / expected - 1.0).abs() < 1e-12, "{bound} {expected}");
    }

    #[test]
    fn the_pennsylvania_wheels_have_a_useful_bound() {
        let game = Paytable::new(fixture::pa()).expect("a legal paytable");
        for terms in &game.triggers {
            let bound = eighth_moment(&game, terms).expect("a finite moment");
            // At least the eighth power of the mean, and within the range that the third root
            // makes useful.
            assert!(bound > 16.0_f64.powi(8) && bound < 1e22, "{bound:e}");
        }
    }
}
