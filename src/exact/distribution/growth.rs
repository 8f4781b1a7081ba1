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

use super::sums::root_up;
use crate::exact::interval::Interval;
use crate::exact::law::{Law, drift_and_variance};
use crate::exact::poly::{self, Poly};
use crate::exact::starts::Starts;
use crate::paytable::{Paytable, TriggerTerms};

/// The moment that is bounded.
const ORDER: usize = 8;

/// An upper bound on E[M^8] of each trigger's uncapped meter, in the paytable's order.
///
/// # Returns
/// `None` where the drift of the counter is not negative, or the moment is past the range of `f64`.
///
/// # Performance
/// A tenth of a second for six characters; the tables serve all triggers.
pub(super) fn eighth_moments(paytable: &Paytable) -> Vec<Option<f64>> {
    let (law, _) = Law::new(paytable).tilted(&RBig::ONE);
    let (drift, _) = drift_and_variance(&law.steps(false));
    if drift >= RBig::ZERO {
        return vec![None; paytable.triggers.len()];
    }
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
    let tables: Vec<Vec<Poly>> = distinct
        .par_iter()
        .map(|(class, label)| coefficients(&law, *class, label))
        .collect();
    let table_of: Vec<&Vec<Poly>> = kinds
        .iter()
        .map(|kind| {
            let at = distinct.binary_search(kind);
            &tables[at.expect("every kind is among the distinct ones")]
        })
        .collect();
    let bound = |terms: &TriggerTerms| {
        let starts = Starts::new(paytable, terms.trigger);
        let norm =
            table_of
                .iter()
                .zip(&starts.single)
                .fold(Interval::ZERO, |sum, (table, start)| {
                    let at: Vec<RBig> = table
                        .iter()
                        .map(|poly| poly.at(i64::from(terms.spins)))
                        .collect();
                    let moment = start.iter().fold(RBig::ZERO, |moment, (x, probability)| {
                        let x = RBig::from(*x);
                        let value = at
                            .iter()
                            .rev()
                            .fold(RBig::ZERO, |sum, coefficient| sum * &x + coefficient);
                        moment + probability * value
                    });
                    let moment = Interval::from_rational(&moment).hi;
                    sum + Interval::point(root_up(moment, 8))
                });
        let bound = norm.power(8).hi;
        (bound < f64::MAX).then_some(bound)
    };
    paytable.triggers.iter().map(bound).collect()
}

/// The coefficients of `f_8(n, x)` by powers of x, as polynomials of n, for one character.
fn coefficients(law: &Law, class: usize, label: &RBig) -> Vec<Poly> {
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
    table.swap_remove(ORDER)
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
        let bound = eighth_moments(&game)[0].expect("a finite moment");
        let expected: f64 = (0..400)
            .map(|k| (2.0 + 2.0 * f64::from(k)).powi(8) * 0.5_f64.powi(k + 1))
            .sum();
        assert!((bound / expected - 1.0).abs() < 1e-12, "{bound} {expected}");
    }

    #[test]
    fn the_pennsylvania_wheels_have_a_useful_bound() {
        let game = Paytable::new(fixture::pa()).expect("a legal paytable");
        let bounds = eighth_moments(&game);
        for (bound, mean) in bounds.into_iter().zip([16.0_f64, 50.0]) {
            let bound = bound.expect("a finite moment");
            // Above that of a constant meter, and below that of one twenty times as large.
            assert!(
                mean.powi(8) < bound && bound < (20.0 * mean).powi(8),
                "{bound:e}"
            );
        }
    }
}
