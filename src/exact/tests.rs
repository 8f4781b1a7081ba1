//! Figures against test values, hand calculations and enumeration.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use proptest::prelude::*;

use super::enumeration::{enumerate, forward};
use super::*;
use crate::paytable::{
    BoostLaw, Convention, Definition, Limits, Potion, StartLaw, StartRow, ZeroMeter, fixture,
};
use crate::rules::{Character, InnerSection, Wheel};

fn paytable(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

fn all_at_one() -> Definition {
    let mut definition = fixture::pa();
    definition.starting_multipliers = StartLaw::Fixed {
        values: Character::ALL.into_iter().map(|c| (c, 1)).collect(),
    };
    definition
}

fn consuming(mut definition: Definition) -> Definition {
    definition.rules.eat_me.consumes_spin = true;
    definition.rules.drink_me.consumes_spin = true;
    definition
}

/// Mean and variance to the digits shown, and sharp.
fn assert_meter(exact: &Exact, mean: f64, variance: f64) {
    let (m, v) = (exact.mean_meter, exact.variance_meter);
    assert!((m.value() - mean).abs() <= 6e-13 * 1.0_f64.max(mean), "{m}");
    assert!((v.value() - variance).abs() <= 6e-10, "{v}");
    assert!(m.relative_width() <= 1e-12, "{m}");
    assert!(v.relative_width() <= 1e-12, "{v}");
}

#[test]
fn pennsylvania_wheels_with_permuted_starts() {
    let solved = solve_all(&paytable(fixture::pa())).expect("a proper game");
    assert_meter(&solved[0], 16.270_328_687_839, 150.499_522_064);
    assert_meter(&solved[1], 50.755_998_111_769, 730.682_332_849);
    assert_eq!(solved[0].drift, RBig::from(-35) / RBig::from(54));
    assert!(
        solved[0]
            .hit_frequency
            .contains(1.0 - 0.002_199_788_422_871)
    );
}

#[test]
fn pennsylvania_wheels_with_every_start_at_the_floor() {
    let solved = solve_all(&paytable(all_at_one())).expect("a proper game");
    assert_meter(&solved[0], 7.046_502_018_471, 76.997_262_822);
    assert_meter(&solved[1], 27.918_642_447_211, 474.572_552_055);
}

#[test]
fn potions_that_use_up_their_spin() {
    let solved = solve_all(&paytable(consuming(fixture::pa()))).expect("a proper game");
    assert_meter(&solved[0], 13.501_302_822_535, 50.243_638_207);
    let at_one = solve_all(&paytable(consuming(all_at_one()))).expect("a proper game");
    for exact in at_one.iter().chain(&solved) {
        assert!(exact.mean_meter.relative_width() <= 1e-12);
        assert!(exact.variance_meter.relative_width() <= 1e-12);
    }
}

#[test]
fn one_trigger_alone_agrees_with_both() {
    let paytable = paytable(fixture::pa());
    let both = solve_all(&paytable).expect("a proper game");
    for exact in both {
        let alone = solve(&paytable, exact.trigger).expect("a proper game");
        assert!(alone.mean_meter.overlaps(exact.mean_meter));
        assert!(alone.variance_meter.overlaps(exact.variance_meter));
    }
}

/// One character at 1, inner wheel `[1]`, outer wheel `[hat, eat-me]`: M = 2 + 2K from one
/// spin.
#[test]
fn the_game_that_a_person_can_check() {
    for (spins, mean, variance) in [(1, 4.0, 8.0), (2, 11.0, 40.0)] {
        let game = paytable(fixture::tiny(spins));
        let exact = solve(&game, Trigger::Two).expect("a proper game");
        assert!(exact.mean_meter.contains(mean) && exact.mean_meter.width() <= 0.0);
        assert!(exact.variance_meter.contains(variance) && exact.variance_meter.width() <= 0.0);
        assert_eq!(exact.method, Method::Rational);
        assert!(exact.zero_probability.upper() <= 0.0);
        assert_eq!(exact.fractions.mean_spins, Some(RBig::from(2 * spins)));
    }
}

/// A small game on which the floor matters in every spin.
fn small(characters: usize, spins: u32) -> Definition {
    let mut definition = fixture::pa();
    definition.inner_wheel = Wheel {
        sections: vec![
            InnerSection::Multiplier(1),
            InnerSection::Multiplier(3),
            InnerSection::AdditionalSpin,
        ],
        weights: vec![3, 1, 1],
    };
    let names = ["rabbit", "cat cat", "crown"][..characters].join(" ");
    definition.outer_wheel = fixture::outer(&format!("{names} no-win drink-me drink-me eat-me"));
    definition.rules.drink_me = Potion {
        spins: 1,
        multipliers: -3,
        consumes_spin: true,
    };
    definition.rules.eat_me = Potion {
        spins: 0,
        multipliers: -1,
        consumes_spin: true,
    };
    definition.rules.multiplier_floor = 2;
    definition.starting_multipliers = StartLaw::Permutation {
        values: [2, 3, 7][..characters].to_vec(),
    };
    definition.triggers.truncate(1);
    definition.triggers[0].spins = spins;
    definition
}

fn by_character(values: &[u32]) -> BTreeMap<Character, u32> {
    Character::ALL
        .into_iter()
        .zip(values.iter().copied())
        .collect()
}

/// The game's figures with fractions and without them, against every course of it.
fn assert_agrees(definition: Definition) {
    let text = format!(
        "{:?} {:?}",
        definition.rules, definition.starting_multipliers
    );
    let game = paytable(definition);
    let limit = game.rules.max_spins.expect("a short game");
    let truth = enumerate(&game, Trigger::Two, limit, 1_000_000).expect("few states");
    let spread = |mean: &RBig, second: RBig| second - mean * mean;
    let (mean, zero) = (truth.moment(1), truth.pmf.get(&0).cloned());
    let variance = spread(&mean, truth.moment(2));
    let zero = zero.unwrap_or(RBig::ZERO);
    let spins_moment = |power: usize| {
        let law = (1_u64..).zip(truth.spins());
        law.fold(RBig::ZERO, |sum, (t, mass)| {
            sum + mass * RBig::from(dashu_int::UBig::from(t).pow(power))
        })
    };
    let mean_spins = spins_moment(1);
    let variance_spins = spread(&mean_spins, spins_moment(2));

    let exact = solve(&game, Trigger::Two).expect("a small game");
    let found = &exact.fractions;
    let capped = game.rules.max_meter.is_none();
    assert_eq!(found.uncapped_mean_meter.as_ref(), Some(&mean), "{text}");
    assert_eq!(
        found.uncapped_variance_meter.as_ref(),
        Some(&variance),
        "{text}"
    );
    assert_eq!(found.mean_meter, capped.then(|| mean.clone()));
    assert_eq!(found.variance_meter, capped.then(|| variance.clone()));
    assert_eq!(found.hit_frequency, Some(RBig::ONE - &zero), "{text}");
    assert_eq!(found.mean_spins.as_ref(), Some(&mean_spins), "{text}");
    assert_eq!(found.variance_spins, Some(variance_spins.clone()), "{text}");
    assert_eq!(exact.uncapped_mean_meter, Enclosure::from_rational(&mean));
    assert_eq!(exact.method, Method::RationalRecursion { spins: limit });

    let terms = game.terms(Trigger::Two).expect("the trigger");
    let enclosed = solve_with(&game, &[terms], Precision::SHARP.with_fraction_work(0.0))
        .expect("a small game");
    assert_eq!(enclosed[0].fractions, Fractions::default());
    for exact in [&exact, &enclosed[0]] {
        let (m, v) = (exact.uncapped_mean_meter, exact.uncapped_variance_meter);
        assert!(m.contains_rational(&mean), "{m} {text}");
        assert!(v.contains_rational(&variance), "{v} {text}");
        assert!(m.relative_width() < 1e-12, "{m} {text}");
        assert!(v.relative_width() < 1e-11, "{v} {text}");
        assert!(exact.zero_probability.contains_rational(&zero), "{text}");
        assert!(exact.zero_probability.width() < 1e-13, "{text}");
        assert!(exact.mean_spins.contains_rational(&mean_spins), "{text}");
        assert!(exact.variance_spins.contains_rational(&variance_spins));
        if let Some(cap) = game.rules.max_meter {
            let law = truth.pmf.iter().map(|(&x, p)| (RBig::from(x.min(cap)), p));
            let (mean, second) = law.fold((RBig::ZERO, RBig::ZERO), |(mean, second), (x, p)| {
                (mean + &x * p, second + &x * &x * p)
            });
            let variance = spread(&mean, second);
            assert!(exact.mean_meter.contains_rational(&mean), "{text}");
            assert!(exact.variance_meter.contains_rational(&variance), "{text}");
        }
    }
}

#[test]
fn short_games_agree_with_every_course_played_out() {
    for characters in 1..=3 {
        for limit in 1..=4 {
            let mut definition = small(characters, 2);
            definition.rules.max_spins = Some(limit);
            assert_agrees(definition);
        }
    }
}

#[test]
fn every_law_and_reading_agrees_with_every_course_played_out() {
    let starts = [
        StartLaw::Permutation { values: vec![2, 5] },
        StartLaw::Fixed {
            values: by_character(&[2, 4]),
        },
        StartLaw::Independent {
            values: vec![2, 3],
            weights: vec![3, 1],
        },
        StartLaw::Table {
            rows: vec![
                StartRow {
                    weight: 2,
                    values: by_character(&[2, 9]),
                },
                StartRow {
                    weight: 3,
                    values: by_character(&[6, 2]),
                },
            ],
        },
    ];
    let boosts = [
        BoostLaw::Uniform,
        BoostLaw::OuterSections,
        BoostLaw::Weights(
            [Character::Rabbit, Character::Cat]
                .into_iter()
                .zip([5, 1])
                .collect(),
        ),
    ];
    for start in &starts {
        for boost in &boosts {
            for consumes in [false, true] {
                let mut definition = small(2, 2);
                definition.starting_multipliers = start.clone();
                definition.boost = boost.clone();
                definition.rules.eat_me.spins = 2;
                definition.rules.eat_me.consumes_spin = consumes;
                definition.rules.drink_me.consumes_spin = consumes;
                definition.rules.additional_spin = 2;
                definition.rules.max_spins = Some(4);
                definition.rules.max_meter = Some(9);
                assert_agrees(definition);
            }
        }
    }
}

/// A drift that is not negative is solved up to its limit, and refused without one.
#[test]
fn a_game_that_need_not_end() {
    let mut definition = small(2, 1);
    definition.rules.drink_me.spins = 10;
    assert!(Paytable::new(definition.clone()).is_err());
    definition.rules.max_spins = Some(3);
    assert_agrees(definition.clone());
    definition.rules.max_spins = Some(1_000_000);
    assert!(matches!(
        solve(&paytable(definition), Trigger::Two),
        Err(ExactError::TooLarge { .. })
    ));
}

/// A drift of -2e-10: nothing sharp can be said in time, but what is said is finite and
/// ordered.
#[test]
fn a_drift_next_to_zero_is_enclosed() {
    for half in [1_u64 << 31, 1000] {
        let mut definition = small(2, 3);
        definition.inner_wheel = Wheel::fair(vec![InnerSection::Multiplier(1)]);
        definition.outer_wheel = fixture::outer("rabbit cat drink-me");
        definition.outer_wheel.weights = vec![half, half, 2 * half - 1];
        definition.rules.drink_me = Potion {
            spins: 1,
            multipliers: -1,
            consumes_spin: false,
        };
        let game = paytable(definition);
        assert!(game.drift() < RBig::ZERO);
        let exact = solve(&game, Trigger::Two).expect("a game that ends");
        assert!(exact.mean_meter.lower() > 2.0 && exact.mean_meter.upper().is_finite());
        assert!(exact.variance_meter.upper().is_finite());
        assert!(exact.returns.gross_std_dev.lower() <= exact.returns.gross_std_dev.upper());
        assert!(exact.spins.tail.upper() > 1e-15);
    }
}

#[test]
fn an_unknown_trigger_is_named() {
    let game = paytable(fixture::tiny(1));
    let error = solve(&game, Trigger::Five).expect_err("the game has one trigger");
    assert_eq!(
        error,
        ExactError::UnknownTrigger {
            trigger: Trigger::Five
        }
    );
}

#[test]
fn without_a_limit_the_joint_chain_agrees() {
    for consumes in [false, true] {
        let mut definition = small(2, 2);
        definition.rules.eat_me.consumes_spin = consumes;
        definition.boost = BoostLaw::OuterSections;
        let game = paytable(definition);
        let (mean, variance) = forward(&game, Trigger::Two, 1e-9);
        let exact = solve(&game, Trigger::Two).expect("a small game");
        let (m, v) = (exact.mean_meter, exact.variance_meter);
        assert!((m.value() - mean).abs() < 1e-4 * mean, "{m} {mean}");
        assert!(
            (v.value() - variance).abs() < 1e-3 * variance,
            "{v} {variance}"
        );
        assert!(
            m.relative_width() <= 1e-11 && v.relative_width() <= 1e-11,
            "{m} {v}"
        );
    }
}

/// Both ways of treating a limit enclose the same figures, and a distant limit is none.
#[test]
fn a_distant_limit_changes_nothing() {
    let free = solve(&paytable(fixture::pa()), Trigger::Two).expect("a proper game");
    for (limit, width) in [(60, 1e-5), (400, 1e-12), (100_000, 1e-12)] {
        let mut definition = fixture::pa();
        definition.rules.max_spins = Some(limit);
        let limited = solve(&paytable(definition), Trigger::Two).expect("a proper game");
        assert!(limited.mean_meter.lower() <= free.mean_meter.upper());
        let gap = (free.mean_meter.value() - limited.mean_meter.value()).abs();
        assert!(gap < width * free.mean_meter.value(), "{limit} {gap}");
        assert!(limited.mean_meter.relative_width() < 1e-11, "{limit}");
        assert!(limited.variance_meter.relative_width() < 1e-11, "{limit}");
        assert!((limited.mean_spins.value() - free.mean_spins.value()).abs() < 1e-5);
    }
}

#[test]
fn caps_keep_the_uncapped_figures() {
    let mut definition = fixture::pa();
    definition.rules.max_meter = Some(500);
    definition.limits = Some(Limits {
        max_win: 500_000,
        stakes: vec![1, 100, 5000],
    });
    definition.payout.zero_meter = ZeroMeter::LosesWager;
    definition.payout.convention = Convention::ForOne;
    let exact = solve(&paytable(definition), Trigger::Five).expect("a proper game");
    let free = solve(&paytable(fixture::pa()), Trigger::Five).expect("a proper game");
    assert!(exact.uncapped_mean_meter.overlaps(free.mean_meter));
    assert!(exact.mean_meter.upper() <= free.mean_meter.upper());
    assert!(exact.mean_meter.lower() > 49.0);
    assert_eq!(exact.stakes[0].cap, RBig::from(500));
    assert_eq!(exact.stakes[2].cap, RBig::from(100));
    assert!(exact.stakes[2].mean_meter.upper() <= free.mean_meter.upper());
}

fn games() -> impl Strategy<Value = Definition> {
    let potion = || (0_u32..3, -4_i32..4, any::<bool>());
    (
        (potion(), potion(), 0_u32..3, 1_u32..4),
        proptest::collection::vec((0_u32..6, 1_u64..4), 1..4),
        1_u64..4,
        (1_u64..6, 1_u64..6, 1_u64..6),
        (1_u64..3, 1_u64..3),
        (0_u32..5, 0_u32..5),
        (1_u64..4, 1_u64..4, 1_u32..4),
    )
        .prop_map(
            |(rules, additions, extra, downs, potions, starts, (boost, other_boost, spins))| {
                let (eat, drink, additional, floor) = rules;
                let mut definition = small(2, spins);
                let potion = |(spins, multipliers, consumes_spin)| Potion {
                    spins,
                    multipliers,
                    consumes_spin,
                };
                definition.rules.eat_me = potion(eat);
                definition.rules.drink_me = potion(drink);
                definition.rules.additional_spin = additional;
                definition.rules.multiplier_floor = floor;
                let mut inner: Vec<_> = additions
                    .into_iter()
                    .map(|(value, weight)| (InnerSection::Multiplier(value), weight))
                    .collect();
                inner.push((InnerSection::AdditionalSpin, extra));
                let (sections, weights) = inner.into_iter().unzip();
                definition.inner_wheel = Wheel { sections, weights };
                definition.outer_wheel = fixture::outer("rabbit cat no-win drink-me eat-me");
                definition.outer_wheel.weights =
                    vec![3 * downs.0, 3 * downs.1, 3 * downs.2, potions.0, potions.1];
                definition.starting_multipliers = StartLaw::Fixed {
                    values: by_character(&[floor + starts.0, floor + starts.1]),
                };
                definition.boost = BoostLaw::Weights(
                    [Character::Rabbit, Character::Cat]
                        .into_iter()
                        .zip([boost, other_boost])
                        .collect(),
                );
                definition
            },
        )
}

proptest! {
    #![proptest_config(crate::testing::property(32))]

    #[test]
    fn short_random_games_agree_with_every_course(definition in games(), limit in 1_u32..4) {
        let mut definition = definition;
        definition.rules.max_spins = Some(limit);
        assert_agrees(definition);
    }

    #[test]
    fn random_games_are_enclosed(definition in games()) {
        let game = Paytable::new(definition.clone());
        prop_assume!(game.is_ok());
        let game = game.expect("assumed");
        prop_assume!(game.drift() < RBig::from(-1) / RBig::from(4));
        let free = solve(&game, Trigger::Two).expect("a game that ends");
        for figure in [
            free.mean_meter, free.variance_meter, free.std_dev_meter, free.hit_frequency,
            free.mean_spins, free.variance_spins, free.returns.rtp, free.returns.house_edge,
        ] {
            prop_assert!(figure.lower() <= figure.value() && figure.value() <= figure.upper());
        }
        prop_assert!(free.mean_meter.relative_width() < 1e-10, "{}", free.mean_meter);
        prop_assert!(free.variance_meter.relative_width() < 1e-9, "{}", free.variance_meter);
        // A limit can only shorten a round.
        let mut limited = definition;
        limited.rules.max_spins = Some(16);
        let limited = solve(&paytable(limited), Trigger::Two).expect("a game that ends");
        prop_assert!(limited.mean_meter.lower() <= free.mean_meter.upper());
        prop_assert!(limited.mean_spins.lower() <= free.mean_spins.upper());
    }
}

/// Value iteration and the bound on what a limit cuts off are two proofs of one number.
#[test]
fn both_treatments_of_a_limit_agree() {
    let free = solve(&paytable(fixture::pa()), Trigger::Five).expect("a proper game");
    let mut definition = fixture::pa();
    definition.rules.max_spins = Some(70);
    let game = paytable(definition);
    let limited = solve(&game, Trigger::Five).expect("a proper game");
    assert_eq!(limited.method, Method::ValueIteration { spins: 70 });
    let law = Law::new(&game);
    let starts = Starts::new(&game, Trigger::Five);
    let cut = CutOff::new(&law, &starts, 5, 70).expect("a negative drift");
    let lost = free.mean_meter.value() - limited.mean_meter.value();
    assert!(0.0 < lost && lost <= cut.mean, "{lost} {}", cut.mean);
    let second = |exact: &Exact| {
        exact.variance_meter.value() + exact.mean_meter.value() * exact.mean_meter.value()
    };
    let lost = second(&free) - second(&limited);
    assert!(0.0 < lost && lost <= cut.second, "{lost} {}", cut.second);
    let lost = free.mean_spins.value() - limited.mean_spins.value();
    assert!(0.0 < lost && lost <= cut.spins, "{lost} {}", cut.spins);
}

#[test]
fn triggers_far_apart_stay_sharp() {
    let mut definition = fixture::pa();
    definition.triggers[1].spins = 60;
    let apart = solve_all(&paytable(definition)).expect("a proper game");
    for exact in &apart {
        assert!(exact.mean_meter.relative_width() <= 1e-12);
        assert!(exact.variance_meter.relative_width() <= 1e-12);
    }
    let usual = solve(&paytable(fixture::pa()), Trigger::Two).expect("a proper game");
    assert!(apart[0].variance_meter.overlaps(usual.variance_meter));
}

/// Both are proved to hold the truth; where the wide one is not just as sharp, it holds the
/// sharp one's value too.
fn assert_holds(wide: Enclosure, sharp: Enclosure, what: &str) {
    assert!(wide.overlaps(sharp), "{what}: {wide} and {sharp}");
    assert!(
        wide.contains(sharp.value()) || wide.width() <= 16.0 * sharp.width(),
        "{what}: {wide} without {sharp}"
    );
}

fn assert_all_held(paytable: &Paytable) -> Vec<WideFigures> {
    let triggers: Vec<Trigger> = paytable.triggers.iter().map(|t| t.trigger).collect();
    let sharp = solve_all(paytable).expect("a proper game");
    let wide = solve_wide(paytable, &triggers).expect("a proper game");
    assert_eq!(wide.len(), sharp.len());
    for (wide, sharp) in wide.iter().zip(&sharp) {
        assert_eq!(wide.trigger, sharp.trigger);
        assert_holds(wide.mean_meter, sharp.mean_meter, "mean");
        assert_holds(wide.variance_meter, sharp.variance_meter, "variance");
        assert_holds(wide.std_dev_meter, sharp.std_dev_meter, "deviation");
        assert_holds(wide.hit_frequency, sharp.hit_frequency, "hits");
        assert_holds(wide.mean_spins, sharp.mean_spins, "spins");
        assert_holds(wide.returns.rtp, sharp.returns.rtp, "return");
        assert_holds(
            wide.returns.gross_variance,
            sharp.returns.gross_variance,
            "gross variance",
        );
    }
    wide
}

/// The figures are those of `pennsylvania_wheels_with_permuted_starts`.
#[test]
fn wide_bounds_hold_the_sharp_ones_on_the_pennsylvania_wheels() {
    for definition in [fixture::pa(), all_at_one(), consuming(fixture::pa())] {
        for figures in assert_all_held(&paytable(definition)) {
            assert!(figures.mean_meter.relative_width() < 1e-9);
            assert!(figures.variance_meter.relative_width() < 1e-9);
        }
    }
    let figures = solve_wide(&paytable(fixture::pa()), &[Trigger::Five]).expect("a proper game");
    assert!((figures[0].mean_meter.value() - 50.755_998_111_769).abs() < 5e-8);
    assert!((figures[0].variance_meter.value() - 730.682_332_849).abs() < 8e-7);
}

#[test]
fn a_trigger_that_is_missing_has_no_wide_figures() {
    let mut definition = fixture::pa();
    definition.triggers.truncate(1);
    assert_eq!(
        solve_wide(&paytable(definition), &[Trigger::Five]),
        Err(ExactError::UnknownTrigger {
            trigger: Trigger::Five
        })
    );
}

proptest! {
    #![proptest_config(crate::testing::property(32))]

    #[test]
    fn wide_bounds_hold_the_sharp_ones(
        definition in games(),
        limit in prop_oneof![Just(None), (1_u32..40).prop_map(Some)],
        cap in prop_oneof![Just(None), (1_u64..60).prop_map(Some)],
    ) {
        let mut definition = definition;
        definition.rules.max_spins = limit;
        definition.rules.max_meter = cap;
        let game = Paytable::new(definition);
        prop_assume!(game.is_ok());
        let game = game.expect("assumed");
        prop_assume!(limit.is_some() || game.drift() < RBig::from(-1) / RBig::from(4));
        assert_all_held(&game);
    }
}
