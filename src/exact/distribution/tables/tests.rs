//! The tables against every course of short games, in rationals, and against the law of 693.6.
//!
//! Expected values: [`enumerate`] plays the text of 693.6(e) to (g) and shares nothing with the tables but the paytable.

use dashu_ratio::RBig;

use super::*;
use crate::exact::enumeration::enumerate;
use crate::paytable::fixture;

/// The laws of a game from the tables alone.
fn tables(game: &Paytable, tolerance: f64) -> Vec<Held> {
    let terms: Vec<&TriggerTerms> = game.triggers.iter().collect();
    let job = Job {
        paytable: game,
        terms: &terms,
        trigger: Trigger::Two,
        tolerance: Some(tolerance),
        cells: MOST_CELLS,
        memory: 1 << 30,
    };
    job.held().expect("a game for the tables")
}

fn rational(number: f64) -> RBig {
    RBig::try_from(number).expect("a finite number")
}

/// A held law against all courses of up to `spins` spins: below the truth at every meter, and short of it by no more
/// than it says.
fn against_every_course(game: &Paytable, spins: u32, tolerance: f64) {
    let truth = enumerate(game, Trigger::Two, spins, 300_000).expect("a short game");
    let held = &tables(game, tolerance)[0];
    assert!(
        held.missing <= tolerance,
        "{} above {tolerance}",
        held.missing
    );
    let rounding = rational(held.rounding);
    let mut short = RBig::ZERO;
    for (meter, &mass) in (0_u64..).zip(&held.pmf) {
        let exact = truth.pmf.get(&meter).cloned().unwrap_or(RBig::ZERO);
        let least = rational(mass) * (RBig::ONE - &rounding);
        assert!(
            least <= &exact + &truth.unfinished,
            "meter {meter}: {mass} above {exact}"
        );
        if truth.unfinished.is_zero() {
            assert!(least <= exact, "meter {meter}: {mass} above {exact}");
        }
        short += if least < exact {
            exact - least
        } else {
            RBig::ZERO
        };
    }
    let beyond = truth
        .pmf
        .range(held.pmf.len() as u64..)
        .fold(RBig::ZERO, |sum, (_, mass)| sum + mass);
    assert!(short + beyond <= rational(held.missing) + rational(1e-12) + rounding);
}

/// One character that cannot leave the floor. By hand: Drink Me uses its spin up and gives one, so a spin is played
/// until a hat (2/3) or No Win (1/3) comes; two spins pay 1 for each hat.
#[test]
fn everybody_at_the_floor_is_not_forgotten() {
    let mut definition = fixture::tiny(2);
    definition.inner_wheel.sections = vec![crate::rules::InnerSection::Multiplier(0)];
    definition.outer_wheel = fixture::outer("hat hat no-win drink-me");
    definition.rules.drink_me.consumes_spin = true;
    let game = Paytable::new(definition).expect("a legal paytable");
    let held = &tables(&game, 1e-9)[0];
    for (meter, expected) in [1.0 / 9.0, 4.0 / 9.0, 4.0 / 9.0].into_iter().enumerate() {
        assert!((held.pmf[meter] - expected).abs() < 1e-9, "{:?}", held.pmf);
    }
    assert_eq!(held.pmf.len(), 3);
}

/// Four spins at most of one character that an addition lifts to depths where no round starts. By hand: hat and Drink Me
/// at 1/2 each, so no spin of four is a hat with 1/16, and 5/16 of all rounds have two Drink Me before a hit, which
/// reach the floor.
///
/// Those rounds came from cells that were asked for before an outer result alone, and 7/64 was missing.
#[test]
fn additions_lead_to_depths_where_no_round_starts() {
    let mut definition = fixture::tiny(5);
    definition.inner_wheel.sections = [0, 1].map(crate::rules::InnerSection::Multiplier).into();
    definition.inner_wheel.weights = vec![1, 1];
    definition.outer_wheel = fixture::outer("hat drink-me");
    definition.rules.drink_me.spins = 0;
    definition.rules.drink_me.multipliers = -3;
    definition.rules.drink_me.consumes_spin = false;
    definition.rules.multiplier_floor = 2;
    definition.rules.max_spins = Some(4);
    definition.starting_multipliers = crate::paytable::StartLaw::Fixed {
        values: [(crate::rules::Character::Hat, 6)].into(),
    };
    let game = Paytable::new(definition).expect("a legal paytable");
    against_every_course(&game, 4, 1e-9);
    assert!((tables(&game, 1e-9)[0].pmf[0] - 1.0 / 16.0).abs() < 1e-9);
}

/// Rounds in which every spin is a hit: of one character that starts at 1 and gets 1 in each of eight spins, 2 + ... + 9
/// = 44, always.
///
/// The sizes of the tables were taken from the first levels, which hold nothing here.
#[test]
fn rounds_without_few_hits_are_not_forgotten() {
    let mut definition = fixture::tiny(8);
    definition.outer_wheel = fixture::outer("hat");
    let game = Paytable::new(definition).expect("a legal paytable");
    let held = &tables(&game, 1e-9)[0];
    assert_eq!(held.pmf.len(), 45);
    assert!((held.pmf[44] - 1.0).abs() < 1e-9, "{:?}", held.pmf);
}

/// Without a drift no counter is too large, but two spins of hat or Eat Me, that gives one more, reach 7 from 5. By hand, with
/// 1 more in each spin and by each Eat Me: two hats pay 2 + 3, a hat and Eat Me 2, Eat Me and a hat 4.
#[test]
fn a_limit_bounds_the_counter_without_a_drift() {
    let mut definition = fixture::tiny(5);
    definition.rules.eat_me.consumes_spin = false;
    definition.rules.max_spins = Some(2);
    let game = Paytable::new(definition).expect("a legal paytable");
    let held = &tables(&game, 1e-9)[0];
    for (meter, expected) in [0.25, 0.0, 0.25, 0.0, 0.25, 0.25].into_iter().enumerate() {
        assert!((held.pmf[meter] - expected).abs() < 1e-9, "{:?}", held.pmf);
    }
}

/// Six classes and 250 hits would be 7.8e9 shapes: refused at once.
#[test]
fn more_shapes_than_cells_are_refused_at_once() {
    let mut definition = fixture::pa();
    definition.boost = crate::paytable::BoostLaw::Weights(
        crate::rules::Character::ALL.into_iter().zip(1..).collect(),
    );
    for terms in &mut definition.triggers {
        terms.spins = 50;
    }
    let game = Paytable::new(definition).expect("a legal paytable");
    let terms: Vec<&TriggerTerms> = game.triggers.iter().collect();
    let job = Job {
        paytable: &game,
        terms: &terms,
        trigger: Trigger::Two,
        tolerance: Some(1e-3),
        cells: 100_000,
        memory: 1 << 30,
    };
    let refused = job.held().expect_err("too many shapes");
    assert!(matches!(
        refused,
        DistributionError::Unsupported { .. } | DistributionError::OutOfReach { .. }
    ));
}

/// Hat or Eat Me at one half each, every spin adds 1: M = 2 + 2K with P(K = k) = 2^-(k+1) for k < 39, by hand; at most 40 spins,
/// which 2^-39 of the rounds reach, change no more than that.
#[test]
fn a_limit_that_few_rounds_reach() {
    let mut definition = fixture::tiny(1);
    definition.rules.max_spins = Some(40);
    let game = Paytable::new(definition).expect("a legal paytable");
    let terms: Vec<&TriggerTerms> = game.triggers.iter().collect();
    let options = DistributionOptions {
        tolerance: Some(1e-4),
        ..DistributionOptions::default()
    };
    let reaching = 0.5_f64.powi(39);
    let laws = held(&game, &terms, &[reaching], &options).expect("a game for the tables");
    let law = &laws[0];
    assert!(law.missing < 1e-4 && law.rounding < 1e-6);
    let mut expected = 0.5;
    for (meter, &mass) in law.pmf.iter().enumerate() {
        if meter < 2 || meter % 2 == 1 {
            assert!(mass <= 0.0);
            continue;
        }
        assert!(mass * (1.0 - law.rounding) <= expected - reaching || mass <= 0.0);
        expected *= 0.5;
    }
}

/// The default wheels with two spins at most and starts of each character.
#[test]
fn two_spins_of_the_default_wheels() {
    let mut definition = fixture::pa();
    definition.rules.max_spins = Some(2);
    definition.starting_multipliers = crate::paytable::StartLaw::Fixed {
        values: crate::rules::Character::ALL.into_iter().zip(1..).collect(),
    };
    against_every_course(
        &Paytable::new(definition).expect("a legal paytable"),
        3,
        1e-9,
    );
}

/// An addition may lead to a cell that nothing else uses: at the start of a round that raises its lowest character at
/// once.
#[test]
fn additions_find_what_only_they_use() {
    let mut definition = fixture::tiny(5);
    definition.inner_wheel = crate::rules::Wheel::fair(vec![
        crate::rules::InnerSection::Multiplier(2),
        crate::rules::InnerSection::Multiplier(1),
        crate::rules::InnerSection::AdditionalSpin,
        crate::rules::InnerSection::Multiplier(1),
    ]);
    definition.outer_wheel = fixture::outer("hat hat cat no-win eat-me drink-me hat cat");
    definition.starting_multipliers = crate::paytable::StartLaw::Fixed {
        values: [
            (crate::rules::Character::Cat, 3),
            (crate::rules::Character::Hat, 2),
        ]
        .into(),
    };
    definition.rules.eat_me.consumes_spin = false;
    definition.rules.drink_me.consumes_spin = false;
    definition.rules.max_spins = Some(4);
    against_every_course(
        &Paytable::new(definition).expect("a legal paytable"),
        4,
        1e-9,
    );
}

mod games;
mod random;
