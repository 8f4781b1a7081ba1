//! The tables against courses played forward, closed forms and the exact moments.

use std::collections::BTreeMap;

use super::*;
use crate::exact::{enumeration, solve_all};
use crate::paytable::{BoostLaw, Definition, Potion, StartLaw, StartRow, fixture};
use crate::rules::{Character, InnerSection, Wheel};

fn paytable(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

fn solved(paytable: &Paytable, tolerance: f64) -> Vec<Distribution> {
    let options = DistributionOptions {
        tolerance,
        memory_limit: 1 << 32,
    };
    distribution(paytable, &options).expect("within reach")
}

/// Half the sum of differences of the entries.
fn distance(pmf: &[f64], other: &BTreeMap<u64, f64>) -> f64 {
    let mut sum = 0.0;
    for (x, p) in pmf.iter().enumerate() {
        sum += (p - other.get(&(x as u64)).copied().unwrap_or(0.0)).abs();
    }
    sum += other
        .range(pmf.len() as u64..)
        .map(|(_, mass)| mass)
        .sum::<f64>();
    0.5 * sum
}

/// A small game: `names` on the outer wheel, everybody at 1, two spins.
fn small(names: &str, inner: &[u32]) -> Definition {
    let mut definition = fixture::pa();
    definition.outer_wheel = fixture::outer(names);
    let mut sections: Vec<InnerSection> = inner
        .iter()
        .map(|&value| InnerSection::Multiplier(value))
        .collect();
    sections.push(InnerSection::AdditionalSpin);
    let mut weights = vec![2; inner.len()];
    weights.push(1);
    definition.inner_wheel = Wheel { sections, weights };
    definition.triggers.truncate(1);
    definition.starting_multipliers = StartLaw::Independent {
        values: vec![1],
        weights: vec![1],
    };
    definition
}

/// Compares with courses of at most `spins` spins; what still runs then may lie anywhere.
fn agrees(definition: Definition, tolerance: f64, spins: u32) {
    let game = paytable(definition);
    let found = &solved(&game, tolerance)[0];
    let played = enumeration::enumerate(&game, found.trigger, spins, 400_000).expect("few states");
    let unfinished = played.unfinished.to_f64().value();
    assert!(
        unfinished < 5e-3,
        "{unfinished} of the rounds are unfinished"
    );
    let pmf: BTreeMap<u64, f64> = played
        .pmf
        .iter()
        .map(|(&x, mass)| (x, mass.to_f64().value()))
        .collect();
    // Half the missing mass of each is the other part of the distance.
    let apart = distance(&found.pmf, &pmf);
    assert!(
        apart <= 0.5 * unfinished + found.total_variation_bound,
        "{apart} apart, {unfinished} unfinished"
    );
    // The truth is at least what ended: no entry may fall short of it by more than the bound.
    for (&x, &mass) in &pmf {
        let entry = found
            .pmf
            .get(usize::try_from(x).expect("a small meter"))
            .copied()
            .unwrap_or(0.0);
        assert!(entry >= mass - 2.0 * tolerance, "{x}: {entry} < {mass}");
    }
}

/// M = 2 + 2K with P(K = k) = 2^-(k+1), by hand; two spins of it: the sum over the first hit and Eat Me afterwards.
#[test]
fn the_game_that_a_person_can_check() {
    let found = &solved(&paytable(fixture::tiny(1)), 1e-9)[0];
    for (x, &p) in found.pmf.iter().enumerate() {
        let expected = if x >= 2 && x % 2 == 0 {
            0.5_f64.powi(i32::try_from(x / 2).expect("small"))
        } else {
            0.0
        };
        assert!((p - expected).abs() < 1e-11, "{x}: {p}");
    }
    assert!((found.mean - 4.0).abs() < 1e-6 && (found.variance - 8.0).abs() < 1e-4);
}

#[test]
fn one_character_at_the_floor() {
    for consumes_spin in [true, false] {
        for spins in 1..=3 {
            let names = "hat hat hat hat hat hat hat no-win drink-me";
            let mut definition = small(names, &[1, 3]);
            definition.rules.drink_me.consumes_spin = consumes_spin;
            definition.inner_wheel.weights = vec![4, 4, 1];
            definition.triggers[0].spins = spins;
            agrees(definition, 1e-7, 15);
        }
    }
}

#[test]
fn two_characters_at_the_floor() {
    let names = "hat hat hat cat no-win drink-me drink-me eat-me";
    let mut definition = small(names, &[1, 2]);
    definition.rules.eat_me.consumes_spin = true;
    definition.rules.drink_me.consumes_spin = true;
    definition.inner_wheel.weights = vec![5, 4, 1];
    definition.boost = BoostLaw::OuterSections;
    definition.triggers[0].spins = 1;
    agrees(definition.clone(), 1e-5, 11);
    definition.boost = BoostLaw::Uniform;
    definition.starting_multipliers = StartLaw::Permutation { values: vec![1, 3] };
    agrees(definition, 1e-5, 11);
}

#[test]
fn three_characters_and_all_laws_of_starts() {
    let names = "hat hat hat cat cat crown no-win drink-me";
    let mut definition = small(names, &[2]);
    definition.rules.drink_me.consumes_spin = true;
    definition.inner_wheel.weights = vec![9, 1];
    definition.triggers[0].spins = 1;
    let row = |hat, cat, crown| {
        BTreeMap::from([
            (Character::Hat, hat),
            (Character::Cat, cat),
            (Character::Crown, crown),
        ])
    };
    let laws = [
        StartLaw::Permutation {
            values: vec![1, 1, 2],
        },
        StartLaw::Fixed {
            values: row(1, 2, 1),
        },
        StartLaw::Independent {
            values: vec![1, 4],
            weights: vec![3, 1],
        },
        StartLaw::Table {
            rows: vec![
                StartRow {
                    weight: 2,
                    values: row(1, 1, 5),
                },
                StartRow {
                    weight: 1,
                    values: row(3, 2, 1),
                },
            ],
        },
    ];
    for law in laws {
        definition.starting_multipliers = law;
        for boost in [
            BoostLaw::Uniform,
            BoostLaw::Weights(BTreeMap::from([
                (Character::Hat, 1),
                (Character::Cat, 1),
                (Character::Crown, 4),
            ])),
        ] {
            definition.boost = boost;
            agrees(definition.clone(), 1e-6, 9);
        }
    }
}

#[test]
fn potions_of_any_size_and_a_floor_of_two() {
    let names = "hat hat hat cat cat no-win drink-me eat-me";
    let mut definition = small(names, &[1, 4]);
    definition.rules.multiplier_floor = 2;
    definition.rules.drink_me = Potion {
        spins: 0,
        multipliers: -3,
        consumes_spin: true,
    };
    definition.rules.eat_me = Potion {
        spins: 1,
        multipliers: 2,
        consumes_spin: true,
    };
    definition.rules.additional_spin = 0;
    definition.starting_multipliers = StartLaw::Permutation { values: vec![2, 4] };
    agrees(definition, 1e-6, 9);
}

/// Eat Me raises nothing off the floor and Drink Me is missing: nothing but hit counts, against the exact moments.
#[test]
fn moments_agree_with_the_exact_ones() {
    let mut definition = fixture::pa();
    definition.rules.drink_me.multipliers = 0;
    definition.rules.drink_me.consumes_spin = true;
    definition.rules.eat_me.consumes_spin = true;
    let game = paytable(definition);
    let exact = solve_all(&game).expect("a proper game");
    for (found, exact) in solved(&game, 1e-6).iter().zip(&exact) {
        assert!((found.mean - exact.mean_meter.value()).abs() < 1e-4);
        assert!((found.variance - exact.variance_meter.value()).abs() < 1e-1);
        assert!((found.pmf[0] - exact.zero_probability.value()).abs() < 1e-8);
        let missing = found.missing_first_moment.expect("an exact mean");
        assert!(missing < 1e-4, "{missing}");
    }
}

#[test]
fn a_cap_collects_what_lies_above() {
    let mut definition = fixture::tiny(1);
    definition.rules.max_meter = Some(6);
    let found = &solved(&paytable(definition), 1e-9)[0];
    // P(M >= 6) = 1/4.
    assert_eq!(found.pmf.len(), 7);
    assert!((found.pmf[6] - 0.25).abs() < 1e-9);
    assert!((found.mean - 4.0 * 0.25 - 2.0 * 0.5 - 6.0 * 0.25).abs() < 1e-8);
}

#[test]
fn quantiles_and_odds_of_the_tiny_game() {
    let found = &solved(&paytable(fixture::tiny(1)), 1e-9)[0];
    assert_eq!(found.quantile(0.49), Some(2));
    assert_eq!(found.quantile(0.9), Some(8));
    assert_eq!(found.quantile_range(0.9), (8, Some(8)));
    assert!((found.one_in(8) - 8.0).abs() < 1e-6);
    assert!(found.exceedance(8).contains(0.125));
    assert!(found.cumulative(7).contains(0.875));
}

#[test]
fn a_limit_on_spins_is_enumerated() {
    let mut definition = fixture::tiny(1);
    definition.rules.max_spins = Some(3);
    let found = &solved(&paytable(definition), 1e-9)[0];
    // Three Eat Me leave a meter of 0.
    let expected = [0.125, 0.0, 0.5, 0.0, 0.25, 0.0, 0.125];
    for (p, expected) in found.pmf.iter().zip(expected) {
        assert!((p - expected).abs() < 1e-15);
    }
}

#[test]
fn a_limit_that_cuts_off_nothing_is_in_the_bound() {
    let mut definition = fixture::tiny(1);
    definition.rules.max_spins = Some(200);
    let found = &solved(&paytable(definition), 1e-9)[0];
    assert!((found.pmf[2] - 0.5).abs() < 1e-9);
}

#[test]
fn tolerances_that_are_none_are_refused() {
    let game = paytable(fixture::tiny(1));
    for tolerance in [0.0, -1.0, f64::NAN, 1.0] {
        let options = DistributionOptions {
            tolerance,
            ..DistributionOptions::default()
        };
        let refused = distribution(&game, &options);
        assert!(matches!(refused, Err(DistributionError::Tolerance { .. })));
    }
}

#[test]
fn the_best_is_said_where_the_tolerance_is_out_of_reach() {
    let game = paytable(fixture::tiny(1));
    let options = DistributionOptions {
        tolerance: 1e-14,
        ..DistributionOptions::default()
    };
    match distribution(&game, &options) {
        Err(DistributionError::OutOfReach { best, .. }) => assert!(best > 1e-14 && best < 1e-9),
        other => panic!("{other:?}"),
    }
}

#[test]
fn long_rounds_are_refused() {
    let mut definition = fixture::pa();
    definition.triggers[0].spins = 900;
    let refused = distribution(&paytable(definition), &DistributionOptions::default());
    assert!(matches!(refused, Err(DistributionError::TooLong { .. })));
}
