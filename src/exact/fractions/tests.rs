//! Fractions by hand; `exact::tests` compares them with every course of short games.

use super::super::precision::Precision;
use super::*;
use crate::exact::{Enclosure, ExactError, Method, solve, strategy};
use crate::paytable::{BoostLaw, Definition, fixture};
use crate::rules::Trigger;

fn paytable(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

fn ratio(numerator: u32, denominator: u32) -> RBig {
    RBig::from(numerator) / RBig::from(denominator)
}

/// Hat or Eat Me, one half each, the counter of one left by Hat alone: 2, 4, 6 with the first,
/// second, third spin, 0 after three Eat Me. So E[M] = 2/2 + 4/4 + 6/8, E[M^2] = 4/2 + 16/4 +
/// 36/8; and 1, 2 or 3 spins with 1/2, 1/4, 1/4.
#[test]
fn three_spins_by_hand() {
    let mut definition = fixture::tiny(1);
    definition.rules.max_spins = Some(3);
    let mut expected = Fractions {
        mean_meter: Some(ratio(11, 4)),
        variance_meter: Some(ratio(47, 16)),
        uncapped_mean_meter: Some(ratio(11, 4)),
        uncapped_variance_meter: Some(ratio(47, 16)),
        hit_frequency: Some(ratio(7, 8)),
        mean_spins: Some(ratio(7, 4)),
        variance_spins: Some(ratio(11, 16)),
    };
    let exact = solve(&paytable(definition.clone()), Trigger::Two).expect("a short game");
    assert_eq!(exact.fractions, expected);
    assert_eq!(exact.method, Method::RationalRecursion { spins: 3 });
    assert!(exact.mean_meter.contains(2.75) && exact.mean_meter.width() <= 0.0);

    // The meter under a cap has a law of its own.
    definition.rules.max_meter = Some(5);
    expected.mean_meter = None;
    expected.variance_meter = None;
    let exact = solve(&paytable(definition), Trigger::Two).expect("a short game");
    assert_eq!(exact.fractions, expected);
    assert!(exact.mean_meter.contains(2.625));
}

/// Two characters at 1, one spin of an addition of 3 to either and a hit on either: 4 or 1.
#[test]
fn one_spin_of_two_characters_by_hand() {
    let mut definition = fixture::tiny(1);
    definition.inner_wheel =
        crate::rules::Wheel::fair(vec![crate::rules::InnerSection::Multiplier(3)]);
    definition.outer_wheel = fixture::outer("hat cat");
    definition.starting_multipliers = crate::paytable::StartLaw::Permutation { values: vec![1, 1] };
    definition.rules.max_spins = Some(1);
    let exact = solve(&paytable(definition), Trigger::Two).expect("a short game");
    assert_eq!(exact.fractions.mean_meter, Some(ratio(5, 2)));
    assert_eq!(exact.fractions.variance_meter, Some(ratio(9, 4)));
    assert_eq!(exact.fractions.hit_frequency, Some(ratio(1, 1)));
    assert_eq!(exact.fractions.variance_spins, Some(ratio(0, 1)));
}

/// Without a limit: mean 4, variance 8 and no empty round where no potion takes anything, and
/// two times as many spins as the counter; with a floor in reach the counter's figures alone.
#[test]
fn without_a_limit_what_is_rational() {
    let exact = solve(&paytable(fixture::tiny(1)), Trigger::Two).expect("a proper game");
    assert_eq!(exact.fractions.mean_meter, Some(ratio(4, 1)));
    assert_eq!(exact.fractions.uncapped_variance_meter, Some(ratio(8, 1)));
    assert_eq!(exact.fractions.hit_frequency, Some(ratio(1, 1)));
    assert_eq!(exact.fractions.mean_spins, Some(ratio(2, 1)));
    assert_eq!(exact.fractions.variance_spins, Some(ratio(2, 1)));
    let exact = solve(&paytable(fixture::pa()), Trigger::Two).expect("a proper game");
    assert_eq!(exact.fractions.mean_spins, Some(ratio(108, 35)));
    assert_eq!(exact.fractions.mean_meter, None);
    assert_eq!(exact.fractions.hit_frequency, None);
}

/// Both calculations of a game that is too long for enumeration: the fraction lies in the
/// enclosure of value iteration, for classes of characters that differ too.
#[test]
fn longer_games_lie_within_value_iteration() {
    for (boost, drop) in [(BoostLaw::Uniform, -1), (BoostLaw::OuterSections, -3)] {
        let mut definition = fixture::pa();
        definition.boost = boost;
        definition.rules.drink_me.multipliers = drop;
        definition.rules.max_spins = Some(12);
        let game = paytable(definition);
        let terms: Vec<&TriggerTerms> = game.triggers.iter().collect();
        let enclosed =
            super::super::solve_with(&game, &terms, Precision::SHARP.with_fraction_work(0.0))
                .expect("a short game");
        let found =
            super::super::solve_with(&game, &terms, Precision::SHARP.with_fraction_work(1e12))
                .expect("a short game");
        for (enclosed, found) in enclosed.iter().zip(&found) {
            let (mean, variance) = found.fractions.uncapped().expect("work enough");
            assert!(enclosed.mean_meter.contains_rational(mean));
            assert!(enclosed.variance_meter.contains_rational(variance));
            let hit = found.fractions.hit_frequency.as_ref().expect("work enough");
            assert!(enclosed.hit_frequency.contains_rational(hit));
            assert!(enclosed.method != found.method);
            assert!(found.contributions.is_some());
        }
    }
}

/// What is too large is refused at once and leaves enclosures.
#[test]
fn a_long_limit_has_no_fractions() {
    let mut definition = fixture::pa();
    definition.rules.max_spins = Some(1_000_000);
    let game = paytable(definition);
    let exact = solve(&game, Trigger::Two).expect("a negative drift");
    assert_eq!(exact.fractions, Fractions::default());
    assert!(exact.mean_meter.relative_width() < 1e-11);
}

/// Where value iteration is refused, known fractions are the figures; only the split is lost.
#[test]
fn a_refusal_leaves_known_fractions() {
    let mut definition = fixture::pa();
    definition.rules.drink_me.spins = 10;
    definition.rules.eat_me.spins = 10;
    definition.rules.max_spins = Some(1_000_000);
    let game = paytable(definition);
    assert!(game.drift() > RBig::ZERO);
    let law = Law::new(&game);
    let starts = Starts::new(&game, Trigger::Two);
    let games = [(game.terms(Trigger::Two).expect("the trigger"), &starts)];
    let known = Fractions {
        uncapped_mean_meter: Some(ratio(7, 2)),
        uncapped_variance_meter: Some(ratio(5, 4)),
        ..Fractions::default()
    };
    let meters =
        |known: Fractions| strategy::meters(&game, &law, &games, &[known], Precision::SHARP);
    let meter = meters(known).expect("the figures are known").remove(0);
    assert_eq!(meter.mean, Enclosure::exact(3.5));
    assert_eq!(meter.variance, Enclosure::exact(1.25));
    assert!(meter.parts.is_none());
    let refused = meters(Fractions::default());
    assert!(matches!(refused, Err(ExactError::TooLarge { .. })));
}
