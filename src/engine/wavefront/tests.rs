//! The vector paths against the others, and the bounds that make bytes safe.
//!
//! Where the processor lacks a set of instructions, there is nothing to compare for it;
//! `at_least_one_back_end_is_tested_where_it_should_be` says what was there.

use proptest::prelude::*;

use super::super::batch::Game;
use super::super::testing::{TWO, any_paytable, pa, paytable, zoo};
use super::super::{BATCH_ROUNDS, EngineKind, Generator, RunPlan, simulate};
use super::*;
use crate::paytable::{BoostLaw, Definition, Paytable, StartLaw, StartRow, fixture};
use crate::rules::{Character, InnerSection, OuterSection, Trigger, Wheel};

/// The back ends that this processor has.
fn vectors() -> Vec<EngineKind> {
    [EngineKind::Avx512, EngineKind::Avx2]
        .into_iter()
        .filter(|&engine| Vector::named(engine).is_some())
        .collect()
}

fn digest(paytable: &Paytable, trigger: Trigger, seed: u64, engine: EngineKind) -> String {
    let plan = RunPlan {
        trigger,
        seed,
        generator: Generator::default(),
        rounds: 2 * u64::from(BATCH_ROUNDS) + 77,
        engine,
        detail_rounds: 0,
    };
    let run = simulate(paytable, &plan, &()).expect("a legal paytable");
    run.tally.digest()
}

fn compiled(paytable: &Paytable, trigger: Trigger) -> Result<WaveTable, &'static str> {
    let start = super::super::sampler::StartTable::new(paytable, trigger);
    WaveTable::new(paytable, trigger, &start)
}

/// The Pennsylvania wheels with a change.
fn with(change: &dyn Fn(&mut Definition)) -> Paytable {
    let mut definition = fixture::pa();
    change(&mut definition);
    paytable(definition)
}

/// The same start for all six characters.
fn each(value: u32) -> StartLaw {
    StartLaw::Fixed {
        values: Character::ALL.into_iter().map(|c| (c, value)).collect(),
    }
}

/// Paytables that reach every part of the wavefront, with what `WaveTable` should make
/// of them.
fn wave_zoo() -> Vec<(&'static str, Paytable)> {
    vec![
        (
            "outcomes listed: an inner wheel of 65 units",
            with(&|d| d.inner_wheel.weights[0] = 54),
        ),
        (
            "outcomes listed: 65,536 of them",
            with(&|d| {
                d.inner_wheel = Wheel::fair(vec![
                    InnerSection::Multiplier(3),
                    InnerSection::Multiplier(1),
                ]);
                d.boost =
                    BoostLaw::Weights(Character::ALL.into_iter().zip([1, 1, 1, 1, 1, 3]).collect());
                d.outer_wheel.weights = vec![75; 54];
                d.outer_wheel.weights[0] = 121;
            }),
        ),
        (
            "more than 16 inner items",
            with(&|d| d.inner_wheel.weights = vec![2, 3, 1, 1, 1, 1, 1, 5, 1, 1, 1, 2]),
        ),
        (
            "a selection by units",
            with(&|d| d.boost = BoostLaw::OuterSections),
        ),
    ]
}

/// The same for other starts and rules.
#[expect(clippy::too_many_lines, reason = "a list")]
fn more_of_the_zoo() -> Vec<(&'static str, Paytable)> {
    vec![
        (
            "starts in a table",
            with(&|d| {
                d.starting_multipliers = StartLaw::Table {
                    rows: [(2, 4), (3, 9), (1, 1)]
                        .map(|(weight, base)| StartRow {
                            weight,
                            values: Character::ALL.into_iter().zip(base..).collect(),
                        })
                        .into(),
                };
            }),
        ),
        (
            "a permutation of equal values",
            with(&|d| {
                d.outer_wheel = fixture::outer("hat mouse no-win drink-me hat");
                d.starting_multipliers = StartLaw::Permutation { values: vec![3, 3] };
            }),
        ),
        (
            "the first two orders in a table",
            with(&|d| {
                d.starting_multipliers = StartLaw::Table {
                    rows: [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6, 5]]
                        .map(|values| StartRow {
                            weight: 1,
                            values: Character::ALL.into_iter().zip(values).collect(),
                        })
                        .into(),
                };
            }),
        ),
        (
            "65,536 start rows",
            with(&|d| {
                d.outer_wheel = fixture::outer("hat mouse no-win drink-me hat");
                d.starting_multipliers = StartLaw::Independent {
                    values: vec![2, 7],
                    weights: vec![1, 255],
                };
            }),
        ),
        (
            "rounds carried on that end at small meters",
            with(&|d| {
                d.inner_wheel = Wheel::fair(vec![
                    InnerSection::AdditionalSpin,
                    InnerSection::Multiplier(0),
                ]);
                d.inner_wheel.weights = vec![9, 11];
                d.rules.additional_spin = 2;
                d.outer_wheel = fixture::outer(&("hat".to_owned() + &" no-win".repeat(19)));
                d.starting_multipliers = StartLaw::Table {
                    rows: [(9_999, 1), (1, 100)]
                        .map(|(weight, start)| StartRow {
                            weight,
                            values: [(Character::Hat, start)].into(),
                        })
                        .into(),
                };
                d.rules.max_meter = Some(100);
            }),
        ),
        (
            "720 rows that are no orders",
            with(&|d| {
                d.starting_multipliers = StartLaw::Table {
                    rows: (0..720)
                        .map(|row| StartRow {
                            weight: 1,
                            values: Character::ALL.into_iter().zip(1 + row % 7..).collect(),
                        })
                        .collect(),
                };
            }),
        ),
        (
            "starts sampled by wide draws",
            with(&|d| {
                d.starting_multipliers = StartLaw::Independent {
                    values: vec![1, 9],
                    weights: vec![1, 6],
                };
            }),
        ),
        (
            "multipliers that pass a byte: rest in numbers",
            with(&|d| d.starting_multipliers = each(235)),
        ),
        (
            "meters of two bytes from the second spin on",
            with(&|d| d.starting_multipliers = each(120)),
        ),
        (
            "counters near their bytes",
            with(&|d| {
                d.triggers[0].spins = 200;
                d.triggers[1].spins = 253;
            }),
        ),
        (
            "an opening of eight spins",
            with(&|d| {
                d.triggers[0].spins = 8;
                d.triggers[1].spins = 9;
            }),
        ),
        (
            "the opening ends every round",
            with(&|d| d.rules.max_spins = Some(2)),
        ),
        ("a limit later", with(&|d| d.rules.max_spins = Some(11))),
        ("a cap of a byte", with(&|d| d.rules.max_meter = Some(255))),
        ("a low cap", with(&|d| d.rules.max_meter = Some(9))),
        (
            "potions of ten both ways",
            with(&|d| {
                d.rules.eat_me.multipliers = -10;
                d.rules.drink_me.multipliers = 10;
                d.rules.multiplier_floor = 2;
            }),
        ),
        (
            "a floor of 127",
            with(&|d| {
                d.rules.multiplier_floor = 127;
                d.starting_multipliers = each(127);
            }),
        ),
        (
            "one outcome",
            with(&|d| {
                d.inner_wheel = Wheel::fair(vec![InnerSection::Multiplier(3)]);
                d.outer_wheel = fixture::outer("hat");
                d.starting_multipliers = StartLaw::Fixed {
                    values: [(Character::Hat, 4)].into(),
                };
            }),
        ),
        (
            "two characters, starts in order",
            with(&|d| {
                d.outer_wheel = fixture::outer("hat mouse no-win drink-me hat");
                d.starting_multipliers = StartLaw::Permutation { values: vec![7, 3] };
            }),
        ),
    ]
}

#[test]
fn at_least_one_back_end_is_tested_where_it_should_be() {
    let found = vectors();
    #[cfg(target_arch = "x86_64")]
    assert_eq!(
        found.contains(&EngineKind::Avx2),
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")
    );
    #[cfg(not(target_arch = "x86_64"))]
    assert!(found.is_empty());
}

#[test]
fn vectors_are_the_reference_for_every_law_and_shape() {
    for (name, paytable) in wave_zoo().into_iter().chain(more_of_the_zoo()) {
        for terms in &paytable.triggers {
            let reference = digest(&paytable, terms.trigger, 5, EngineKind::Reference);
            compiled(&paytable, terms.trigger)
                .unwrap_or_else(|reason| panic!("{name}, trigger {}: {reason}", terms.trigger));
            for engine in vectors() {
                let game = Game::new(&paytable, terms.trigger, 5, Generator::default(), engine)
                    .expect("a trigger");
                assert_eq!(game.engine(), engine, "{name}");
                let vector = digest(&paytable, terms.trigger, 5, engine);
                assert_eq!(
                    vector, reference,
                    "{name}, {engine}, trigger {}",
                    terms.trigger
                );
            }
        }
    }
    for (name, paytable) in zoo() {
        let scalar = digest(&paytable, TWO, 6, EngineKind::Scalar);
        for engine in vectors() {
            assert_eq!(
                digest(&paytable, TWO, 6, engine),
                scalar,
                "{name}, {engine}"
            );
        }
    }
}

proptest! {
    #![proptest_config(crate::testing::property(48))]

    #[test]
    fn vectors_are_scalar_for_random_paytables(paytable in any_paytable(), seed in any::<u64>()) {
        for trigger in Trigger::ALL {
            let scalar = digest(&paytable, trigger, seed, EngineKind::Scalar);
            for engine in vectors() {
                prop_assert_eq!(&digest(&paytable, trigger, seed, engine), &scalar);
            }
        }
    }
}

/// Words that come from a keystream and not from lanes.
#[test]
fn vectors_are_scalar_with_the_other_generator() {
    for (name, paytable) in zoo() {
        let digest = |engine| {
            let plan = RunPlan {
                trigger: TWO,
                seed: 9,
                generator: Generator::ChaCha8,
                rounds: 2 * u64::from(BATCH_ROUNDS),
                engine,
                detail_rounds: 0,
            };
            let run = simulate(&paytable, &plan, &()).expect("a legal paytable");
            run.tally.digest()
        };
        let scalar = digest(EngineKind::Scalar);
        for engine in vectors() {
            assert_eq!(digest(engine), scalar, "{name}, {engine}");
        }
    }
}

/// Long runs meet what a few batches do not: tails, overflowing pairs of bytes, counts
/// taken in the middle. 2^22 rounds a trigger.
#[test]
fn vectors_are_scalar_over_many_batches() {
    let paytable = pa();
    for trigger in Trigger::ALL {
        let run = |engine| {
            let plan = RunPlan {
                trigger,
                seed: 77,
                generator: Generator::default(),
                rounds: 1 << 22,
                engine,
                detail_rounds: 0,
            };
            simulate(&paytable, &plan, &()).expect("a plain run").tally
        };
        let scalar = run(EngineKind::Scalar);
        for engine in vectors() {
            assert_eq!(run(engine), scalar, "{engine}");
        }
    }
}

/// The first of many rounds with the largest meter is the same on any number of threads:
/// under a low cap nearly every batch has one.
#[test]
fn ties_for_the_largest_meter_do_not_depend_on_threads() {
    let paytable = with(&|d| d.rules.max_meter = Some(300));
    let run = |engine, threads| {
        let plan = RunPlan {
            trigger: Trigger::Five,
            seed: 4,
            generator: Generator::default(),
            detail_rounds: 0,
            rounds: 3000 * u64::from(BATCH_ROUNDS),
            engine,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("a pool");
        pool.install(|| simulate(&paytable, &plan, &()))
            .expect("a plain run")
            .tally
    };
    for engine in vectors() {
        let alone = run(engine, 1);
        for threads in [2, 5] {
            assert_eq!(run(engine, threads), alone, "{engine}");
        }
    }
}

/// By hand: starts to 8, boosts to 10, potions by one. After t spins a multiplier is at
/// most 8 + 11 t, so t = 22; its meter at most 19 + 30 + 41 + 52 + 63 = 205 after five
/// spins and 279 after six.
#[test]
fn the_pennsylvania_wheels_fit_bytes_for_22_spins() {
    for trigger in Trigger::ALL {
        let table = compiled(&pa(), trigger).expect("small numbers");
        assert_eq!((table.safe_age, table.short_age), (22, 5));
        assert_eq!(table.opening, trigger.number());
        assert!(matches!(table.starts, Starts::Orders { .. }));
    }
}

#[test]
fn paytables_that_do_not_fit_say_why() {
    let mut wide = fixture::pa();
    wide.outer_wheel.weights = (0..54).map(|k| 4_294_967_000 + k).collect();
    let mut large = fixture::pa();
    large.inner_wheel.sections[0] = InnerSection::Multiplier(300);
    let mut long = fixture::pa();
    long.triggers[0].spins = 256;
    for (definition, expected) in [
        (wide, "joint outcomes"),
        (large, "pass the bytes"),
        (long, "pass the bytes"),
    ] {
        let paytable = paytable(definition);
        let reason = compiled(&paytable, TWO).expect_err("it does not fit");
        assert!(reason.contains(expected), "{reason}");
        let game = Game::new(&paytable, TWO, 1, Generator::default(), EngineKind::Auto)
            .expect("a trigger");
        if !vectors().is_empty() {
            assert_eq!(game.fallback(), Some(reason));
        }
        assert_eq!(game.engine(), EngineKind::Scalar);
    }
}

/// What `admits` lets through never passes a byte: every extreme that it accepts is
/// moved by the most that a spin can do, in plain numbers.
#[test]
fn what_is_admitted_stays_in_its_bytes() {
    let mut definition = fixture::pa();
    definition.rules.eat_me.multipliers = 3;
    definition.rules.drink_me.multipliers = -4;
    let table = compiled(&paytable(definition), TWO).expect("small numbers");
    let mut admitted = 0;
    for largest_x in 0..=255_u8 {
        for (least_r, largest_r) in [
            (-128, -128),
            (-128, 127),
            (-100, 20),
            (-3, 9),
            (0, 124),
            (0, 125),
        ] {
            for largest_counter in [1, 252, 253, 254] {
                let reach = Reach {
                    largest_x,
                    least_r,
                    largest_r,
                    largest_counter,
                };
                if !table.admits(reach, 30) {
                    continue;
                }
                admitted += 1;
                let x = i32::from(largest_x) + 10;
                let r = (i32::from(least_r) - 4, i32::from(largest_r) + 3);
                assert!(r.0 >= -128 && r.1 <= 127);
                // A hit reads x + r after the boost; the floor may lift x to 1 - r.
                assert!(x + r.1 <= 255 && x <= 255 && 1 - r.0 <= 255);
                // Both potions add a spin, and so may the inner wheel.
                assert!(i32::from(largest_counter) + 2 <= 255);
            }
        }
    }
    assert!(admitted > 0);
    let early = Reach {
        largest_x: 9,
        least_r: 0,
        largest_r: 0,
        largest_counter: 2,
    };
    assert!(table.admits(early, 257));
    assert!(!table.admits(early, 258));
}

/// The orders of six values, against a list made by swapping: every arrangement once, in
/// lexicographic order of positions.
#[test]
fn rows_of_a_permutation_are_its_orders() {
    let table = compiled(&pa(), TWO).expect("small numbers");
    let Starts::Orders { rows, orders } = &table.starts else {
        panic!("six values in random order");
    };
    assert_eq!(rows.len(), 720);
    assert_eq!(&orders.values[..6], &[2, 3, 4, 5, 6, 8]);
    let bytes: Vec<[u8; 8]> = rows.iter().map(|row| row.to_le_bytes()).collect();
    assert!(
        bytes.is_sorted_by(|a, b| a < b),
        "ascending values, so lexicographic"
    );
    for row in bytes {
        let mut sorted = row[..6].to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, [2, 3, 4, 5, 6, 8]);
    }
}

#[test]
fn counts_are_those_of_a_list() {
    let mut tally = Tally::new();
    let mut counts = Counts::new(300);
    counts.add_length(2, 4);
    counts.add_length(3, 3);
    counts.add_batch(7, &[1, 2, 1, 255, 0], &[256], &[70_000]);
    counts.take(&mut tally).expect("small numbers");
    let histogram: Vec<(u64, u64)> = tally.histogram().collect();
    assert_eq!(
        histogram,
        [(0, 1), (1, 2), (2, 1), (255, 1), (256, 1), (300, 1)]
    );
    assert_eq!(tally.beyond_cap().collect::<Vec<_>>(), [(70_000, 1)]);
    assert_eq!(tally.sum_meter(), 1 + 2 + 1 + 255 + 256 + 300);
    assert_eq!(tally.uncapped_sum_meter(), 1 + 2 + 1 + 255 + 256 + 70_000);
    assert_eq!(tally.spins(), 2 * 4 + 3 * 3);
    assert_eq!(tally.unresolved_max(), Some((300, 7 * 16_384)));
    // A second, lower batch with the same largest meter goes first; taking twice adds
    // nothing.
    counts.add_length(1, 1);
    counts.add_batch(3, &[], &[301], &[]);
    counts.take(&mut tally).expect("small numbers");
    counts.take(&mut tally).expect("small numbers");
    assert_eq!(tally.rounds(), 8);
    assert_eq!(tally.unresolved_max(), Some((300, 3 * 16_384)));
}

#[test]
fn outer_sections_by_class_cover_every_section() {
    let definition = fixture::pa();
    let table = compiled(&paytable(definition.clone()), TWO).expect("small numbers");
    let names: Vec<u8> = definition
        .outer_wheel
        .sections
        .iter()
        .map(|section| match section {
            OuterSection::Character(character) => *character as u8,
            OuterSection::NoWin => 6,
            OuterSection::EatMe => 7,
            OuterSection::DrinkMe => 8,
        })
        .collect();
    assert_eq!(&table.class[..54], names.as_slice());
    // Literal reading: potions give a spin and take none; everything else takes one.
    assert_eq!(table.change[..9], [255, 255, 255, 255, 255, 255, 255, 1, 1]);
    assert_eq!(table.shift[..9], [0, 0, 0, 0, 0, 0, 0, 1, 255]);
}
