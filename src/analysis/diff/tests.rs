//! Cases that a person can work out, and what must hold for any pair of paytables.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::exact::solve;
use crate::paytable::{
    BoostLaw, DeclaredFigure, DeclaredValue, Figure, Limits, StartLaw, Statement, ZeroMeter,
    fixture,
};
use crate::rules::{Character, InnerSection, OuterSection, Wheel};
use crate::testing::{boost_law, property, start_law};

fn legal(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

fn compared(old: Definition, new: Definition) -> Diff {
    diff(&legal(old), &legal(new))
}

fn both(diff: &Diff, trigger: Trigger) -> &Effects {
    let mut triggers = diff.triggers.iter();
    match triggers.find(|(known, _)| *known == trigger) {
        Some((_, TriggerEffects::Both(effects))) => effects,
        other => panic!("effects, found {other:?}"),
    }
}

fn keys(diff: &Diff) -> Vec<&str> {
    diff.changes
        .iter()
        .map(|change| change.key.as_str())
        .collect()
}

fn ratio(numerator: i64, denominator: u64) -> RBig {
    RBig::from(numerator) / RBig::from(denominator)
}

fn is_exactly(number: &RationalEnclosure, expected: &RBig) -> bool {
    number.fraction() == Some(expected)
}

fn is_near(number: &RationalEnclosure, expected: f64, accuracy: f64) -> bool {
    (number.value.to_f64().value() - expected).abs() < accuracy
        && number.enclosure().width() < accuracy
}

/// The tiny game with an inner multiplier of `a`: the round ends with the first hat, after K
/// potions, and pays 1 + a (K + 1) + K. K is geometric with mean 1 and variance 2, so the mean
/// is 2 + 2a and the variance 2 (a + 1)^2.
fn tiny(a: u32) -> Definition {
    let mut definition = fixture::tiny(1);
    definition.inner_wheel = Wheel::fair(vec![InnerSection::Multiplier(a)]);
    definition
}

#[test]
fn doubling_every_inner_multiplier_by_hand() {
    let diff = compared(tiny(1), tiny(2));
    assert_eq!(keys(&diff), ["inner_wheel.sections[0]"]);
    let change = &diff.changes[0];
    assert_eq!(
        (change.old.as_deref(), change.new.as_deref()),
        (Some("1"), Some("2"))
    );
    let effects = both(&diff, Trigger::Two);
    assert!(is_exactly(&effects.together.mean_meter, &ratio(2, 1)));
    // 3/54 times the two more that a round pays.
    assert!(is_exactly(&effects.together.rtp, &ratio(1, 9)));
    // sqrt(18) - sqrt(8).
    assert!(is_near(
        &effects.together.std_dev_meter,
        std::f64::consts::SQRT_2,
        1e-14
    ));
    assert!(is_exactly(&effects.together.hit_frequency, &RBig::ZERO));
    assert_eq!(effects.units[0].alone.as_ref().unwrap(), &effects.together);
    assert_eq!(effects.units[0].last.as_ref().unwrap(), &effects.together);
}

/// Return p (M + 1): from 3/54 x 5 to 4/54 x 7. Alone the wheel adds 5/54 and the multiplier
/// 3/54 x 2; last they add 7/54 and 4/54 x 2; 2/54 belongs to neither.
#[test]
fn the_interaction_of_two_changes_by_hand() {
    let mut new = tiny(2);
    new.triggers[0].main_wheel_sections = 4;
    let diff = compared(tiny(1), new);
    assert_eq!(
        keys(&diff),
        ["inner_wheel.sections[0]", "triggers.2.main_wheel"]
    );
    let effects = both(&diff, Trigger::Two);
    let rtp = |figures: &Result<Figures, ExactError>| figures.as_ref().unwrap().rtp.clone();
    for (number, expected) in [
        (effects.old.rtp.clone(), ratio(15, 54)),
        (effects.new.rtp.clone(), ratio(28, 54)),
        (effects.together.rtp.clone(), ratio(13, 54)),
        (rtp(&effects.units[0].alone), ratio(6, 54)),
        (rtp(&effects.units[0].last), ratio(8, 54)),
        (rtp(&effects.units[1].alone), ratio(5, 54)),
        (rtp(&effects.units[1].last), ratio(7, 54)),
        (effects.sum_alone.clone().unwrap().rtp, ratio(11, 54)),
        (effects.interaction.clone().unwrap().rtp, ratio(2, 54)),
    ] {
        assert!(is_exactly(&number, &expected), "{number:?} {expected}");
    }
}

#[test]
fn the_main_wheel_multiplies_the_bonus_part() {
    let mut new = fixture::pa();
    new.triggers[0].main_wheel_sections = 4;
    let diff = compared(fixture::pa(), new);
    assert_eq!(keys(&diff), ["triggers.2.main_wheel"]);
    assert_eq!(diff.changes[0].new.as_deref(), Some("4 of 54"));
    let effects = both(&diff, Trigger::Two);
    // Without other returns the whole is the bonus part: new = 4/3 old, and the difference is a
    // third of the old, in every bound.
    let third = effects.old.rtp.times(&ratio(1, 3));
    assert_eq!(effects.together.rtp, third);
    assert_eq!(effects.new.rtp, effects.old.rtp.times(&ratio(4, 3)));
    assert_eq!(both(&diff, Trigger::Five).together, Figures::zero());
}

#[test]
fn the_return_of_other_outcomes_adds_exactly() {
    let mut new = fixture::pa();
    new.triggers[1].other_return = ratio(1, 20);
    let diff = compared(fixture::pa(), new);
    assert_eq!(keys(&diff), ["triggers.5.other_return"]);
    let effects = both(&diff, Trigger::Five);
    // Exactly, although the mean of the meter is not known as a fraction.
    assert!(effects.old.mean_meter.fraction().is_none());
    assert!(is_exactly(&effects.together.rtp, &ratio(1, 20)));
    assert_eq!(both(&diff, Trigger::Two).together, Figures::zero());
}

/// A lost wager costs p P(M = 0), with P(M = 0) = 0.002199788422871 for two spins (the root of
/// the cubic in the derivation of the exact calculator, squared).
#[test]
fn a_lost_wager_costs_the_probability_of_zero() {
    let mut new = fixture::pa();
    new.payout.zero_meter = ZeroMeter::LosesWager;
    let diff = compared(fixture::pa(), new);
    let effects = both(&diff, Trigger::Two);
    assert!(is_near(
        &effects.together.rtp,
        -0.002_199_788_422_871 / 18.0,
        1e-14
    ));
    assert!(is_exactly(&effects.together.mean_meter, &RBig::ZERO));
}

/// The values of the derivation: mean 16.270328687839 and variance 150.499522064 with the
/// potions' spins kept, 13.501302822535 and 50.243638207 with them used up.
#[test]
fn the_two_readings_of_the_potions() {
    let mut new = fixture::pa();
    new.rules.eat_me.consumes_spin = true;
    new.rules.drink_me.consumes_spin = true;
    let diff = compared(fixture::pa(), new);
    assert_eq!(
        keys(&diff),
        ["rules.eat_me.consumes_spin", "rules.drink_me.consumes_spin"]
    );
    let effects = both(&diff, Trigger::Two);
    let mean = 13.501_302_822_535 - 16.270_328_687_839;
    let std_dev = 50.243_638_207_f64.sqrt() - 150.499_522_064_f64.sqrt();
    assert!(is_near(&effects.together.mean_meter, mean, 1e-11));
    assert!(is_near(&effects.together.rtp, mean / 18.0, 1e-12));
    assert!(is_near(&effects.together.std_dev_meter, std_dev, 1e-9));
    // Both take spins away, so each costs something, in either order.
    for unit in &effects.units {
        for figures in [&unit.alone, &unit.last] {
            assert!(figures.as_ref().unwrap().rtp.upper < RBig::ZERO);
        }
    }
}

/// The rabbit's only section becomes a hat: six starts do not fit five characters.
#[test]
fn a_character_leaves_with_its_start() {
    let mut new = fixture::pa();
    new.outer_wheel.sections[30] = OuterSection::Character(Character::Hat);
    new.starting_multipliers = StartLaw::Permutation {
        values: vec![2, 3, 4, 5, 6],
    };
    new.rules.multiplier_floor = 2;
    let diff = compared(fixture::pa(), new);
    assert_eq!(
        keys(&diff),
        [
            "outer_wheel.sections[30]",
            "starting_multipliers.values",
            "rules.multiplier_floor"
        ]
    );
    assert_eq!(diff.units, [vec![0, 1], vec![2]]);
    let effects = both(&diff, Trigger::Two);
    assert!(effects.units.iter().all(|unit| unit.alone.is_ok()));
}

/// The cat's four sections can go only with its start, but any of them might go alone: what
/// matters is that taking one back from the new paytable would bring a cat without a start.
#[test]
fn many_changes_that_need_each_other_are_one_unit() {
    let mut new = fixture::pa();
    for section in &mut new.outer_wheel.sections {
        if *section == OuterSection::Character(Character::Cat) {
            *section = OuterSection::NoWin;
        }
    }
    new.starting_multipliers = StartLaw::Permutation {
        values: vec![2, 3, 4, 5, 6],
    };
    new.triggers[0].other_return = ratio(1, 7);
    let diff = compared(fixture::pa(), new);
    assert_eq!(diff.units, [vec![0, 1, 2, 3, 4], vec![5]]);
}

#[test]
fn a_turned_wheel_changes_nothing() {
    let mut old = fixture::pa();
    old.triggers.truncate(1);
    let mut new = old.clone();
    new.outer_wheel.sections.rotate_left(7);
    let diff = compared(old, new);
    assert!(diff.is_mathematics());
    // Neighbours are one change where many differ.
    assert!(diff.changes.iter().any(|change| change.key.contains("..")));
    assert_eq!(both(&diff, Trigger::Two).together, Figures::zero());
}

#[test]
fn sections_that_come_and_go_are_told_by_the_middle() {
    let mut new = fixture::pa();
    new.outer_wheel.sections.splice(
        3..5,
        [
            OuterSection::NoWin,
            OuterSection::NoWin,
            OuterSection::EatMe,
        ],
    );
    new.outer_wheel.weights.push(1);
    let diff = compared(fixture::pa(), new);
    assert_eq!(keys(&diff), ["outer_wheel.sections[3..6]"]);
    assert_eq!(diff.changes[0].old.as_deref(), Some("crown, hat"));
    assert_eq!(
        diff.changes[0].new.as_deref(),
        Some("no-win, no-win, eat-me")
    );
}

#[test]
fn a_trigger_of_one_paytable_has_no_effect() {
    let mut new = fixture::pa();
    new.triggers.truncate(1);
    let diff = compared(fixture::pa(), new);
    assert_eq!(keys(&diff), ["triggers.5"]);
    assert_eq!(both(&diff, Trigger::Two).together, Figures::zero());
    assert_eq!(diff.triggers[1], (Trigger::Five, TriggerEffects::OldOnly));
}

#[test]
fn names_and_claims_are_no_mathematics() {
    let mut new = fixture::pa();
    new.name = "another".into();
    new.disclosure.auto_initiate = Some(true);
    new.declared = BTreeMap::from([(Trigger::Two, vec![declared("95.95%")])]);
    let diff = compared(fixture::pa(), new);
    assert!(!diff.is_mathematics());
    assert!(diff.units.is_empty());
    assert_eq!(
        keys(&diff),
        ["declared.2.rtp", "name", "disclosure.auto_initiate"]
    );
}

/// The return of this module is put together from the mean; the calculator has its own way.
#[test]
fn the_return_is_that_of_the_calculator() {
    let mut definition = fixture::pa();
    definition.triggers[0].other_return = ratio(3, 7);
    definition.payout.zero_meter = ZeroMeter::LosesWager;
    let paytable = legal(definition);
    let found = Solver::default().solve(&paytable, Trigger::Two).unwrap();
    let other = solve(&paytable, Trigger::Two).unwrap().returns.rtp;
    assert!(found.figures.rtp.enclosure().overlaps(other));
    assert!(found.figures.rtp.enclosure().width() < 1e-12);
}

fn declared(text: &str) -> DeclaredFigure {
    DeclaredFigure {
        figure: Figure::Rtp,
        value: DeclaredValue::Number(text.parse().expect("a percentage")),
    }
}

/// Paytables over the Pennsylvania wheels' characters, with anything else changed.
fn paytables() -> impl Strategy<Value = Definition> {
    let rules = (
        (0..3_u32, -2..3_i32, any::<bool>()),
        (0..2_u32, -2..3_i32, any::<bool>()),
        1..3_u32,
        option::of(1..1000_u64),
        1..40_u32,
    );
    let wheels = (
        vec((0..9_u32, 1..4_u64), 1..14),
        0..54_usize,
        vec(1..4_u64, 54),
        any::<bool>(),
    );
    let terms = (
        any::<bool>(),
        1..6_u32,
        1..5_u64,
        0..9_u32,
        option::of(start_law(&Character::ALL, 3..9_u32, 1..5_u64, 3)),
    );
    let claims = (
        "[a-c]",
        option::of(prop_oneof![Just("95%"), Just("95.0%")]),
        option::of(any::<bool>()),
        any::<bool>(),
    );
    let laws = (
        start_law(&Character::ALL, 3..9_u32, 1..5_u64, 3),
        boost_law(&Character::ALL, 1..5_u64),
    );
    (rules, wheels, terms, claims, laws).prop_map(
        |(rules, (inner, turn, weights, is_biased), terms, claims, (starts, boost))| {
            let mut definition = fixture::pa();
            let (sections, inner_weights) = inner
                .into_iter()
                .map(|(value, weight)| match value {
                    0 => (InnerSection::AdditionalSpin, weight),
                    value => (InnerSection::Multiplier(value), weight),
                })
                .unzip();
            definition.inner_wheel = Wheel {
                sections,
                weights: inner_weights,
            };
            definition.outer_wheel.sections.rotate_left(turn);
            if is_biased {
                definition.outer_wheel.weights = weights;
            }
            definition.starting_multipliers = starts;
            definition.boost = boost;
            let potion = |(spins, multipliers, consumes_spin)| crate::paytable::Potion {
                spins,
                multipliers,
                consumes_spin,
            };
            definition.rules.eat_me = potion(rules.0);
            definition.rules.drink_me = potion(rules.1);
            definition.rules.multiplier_floor = rules.2;
            definition.rules.max_meter = rules.3;
            definition.rules.max_spins = Some(rules.4);
            let (has_both, spins, sections, other, own) = terms;
            definition.triggers[0].spins = spins;
            definition.triggers[0].main_wheel_sections = sections;
            definition.triggers[0].other_return = ratio(i64::from(other), 10);
            definition.triggers[0].starting_multipliers = own;
            if !has_both {
                definition.triggers.truncate(1);
            }
            let (name, rtp, flag, has_statement) = claims;
            definition.limits = flag.map(|_| Limits {
                max_win: 1000,
                stakes: vec![1, 2],
            });
            definition.name = name;
            if let Some(rtp) = rtp {
                definition
                    .declared
                    .insert(Trigger::Two, vec![declared(rtp)]);
            }
            definition.disclosure.community = flag;
            if has_statement {
                definition.disclosure.statements.insert(
                    "5319.47(a)(1)".into(),
                    Statement {
                        text: "shown".into(),
                        file: None,
                        sha256: None,
                        page: Some(1),
                        meter: None,
                        multiplier: None,
                        odds_shown: None,
                    },
                );
            }
            definition
        },
    )
}

proptest! {
    #![proptest_config(property(200))]

    #[test]
    fn all_changes_make_the_one_paytable_of_the_other(
        old in paytables(),
        new in paytables(),
        first in vec(any::<bool>(), 200),
    ) {
        let edits = changes::edits(&old, &new);
        // Some of them first and the others then: the order is nothing.
        let mut changed = old.clone();
        for wanted in [true, false] {
            for (edit, &is_first) in edits.iter().zip(&first) {
                if is_first == wanted {
                    edit.carry_out(&new, &mut changed);
                }
            }
        }
        prop_assert!(edits.len() <= first.len());
        prop_assert_eq!(legal(changed).canonical(), legal(new.clone()).canonical());
        // Nothing is listed that does not differ.
        prop_assert!(changes::edits(&new, &new).is_empty());
        for edit in &edits {
            prop_assert!(edit.change.old != edit.change.new, "{:?}", edit);
        }
    }

    #[test]
    fn units_hold_every_change_once_and_are_legal(old in paytables(), new in paytables()) {
        let edits = changes::edits(&old, &new);
        let mathematics: Vec<usize> = (0..edits.len())
            .filter(|&index| edits[index].change.kind == Kind::Mathematics)
            .collect();
        let game = Game {
            old: without_claims(&legal(old)),
            new: without_claims(&legal(new)),
            edits: &edits,
        };
        let units = units::units(&game, &mathematics);
        let mut held: Vec<usize> = units.concat();
        held.sort_unstable();
        prop_assert_eq!(held, mathematics);
        for unit in &units {
            prop_assert!(game.with(unit).is_some() && game.without(unit).is_some());
        }
    }
}

#[test]
fn a_boost_by_equal_section_counts_is_uniform() {
    let two = |boost| {
        let mut definition = fixture::pa();
        definition.outer_wheel = fixture::outer("hat mouse no-win");
        definition.starting_multipliers = StartLaw::Permutation { values: vec![2, 3] };
        definition.boost = boost;
        definition
    };
    let diff = compared(two(BoostLaw::Uniform), two(BoostLaw::OuterSections));
    assert_eq!(keys(&diff), ["boost"]);
    assert_eq!(both(&diff, Trigger::Two).together, Figures::zero());
}
