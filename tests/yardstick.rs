//! The straightforward simulator against the engine: two programs that share the reading of
//! the paytable file and nothing else, on every law and rule that a paytable has.
//!
//! Seeds are fixed, so the outcome repeats; with other seeds each comparison would fail by
//! chance once in 10,000 times, all of them together about once in 250.

use std::collections::BTreeMap;

use statrs::function::gamma::gamma_ur;
use wonderspins::engine::{EngineKind, Generator, RunPlan, simulate};
use wonderspins::paytable::{BoostLaw, Definition, Paytable, PaytableFile, StartLaw, StartRow};
use wonderspins::rules::{Character, InnerSection, OuterSection, Trigger};
use wonderspins::stats::normal_two_sided;
use wonderspins::yardstick;

const ROUNDS: u64 = 500_000;

/// The least p-value of a pass.
const ALPHA: f64 = 1e-4;

/// The default paytable with changes.
fn with(change: impl FnOnce(&mut Definition)) -> Paytable {
    let file = PaytableFile::load("pa-693-6").expect("a built-in paytable");
    let mut definition = Definition::clone(&file.paytable);
    change(&mut definition);
    Paytable::new(definition).expect("a legal paytable")
}

fn by_character<T>(values: [T; 6]) -> BTreeMap<Character, T> {
    Character::ALL.into_iter().zip(values).collect()
}

fn paytables() -> Vec<(&'static str, Paytable)> {
    vec![
        ("default", with(|_| ())),
        (
            "fixed starts, potions that use up their spin",
            with(|d| {
                d.starting_multipliers = StartLaw::Fixed {
                    values: by_character([10, 6, 5, 4, 3, 2]),
                };
                d.rules.eat_me.consumes_spin = true;
                d.rules.drink_me.consumes_spin = true;
            }),
        ),
        (
            "independent starts, boost by sections",
            with(|d| {
                d.starting_multipliers = StartLaw::Independent {
                    values: vec![2, 7, 3],
                    weights: vec![2, 6, 4],
                };
                d.boost = BoostLaw::OuterSections;
            }),
        ),
        (
            "a table of starts for one trigger, boost by weights, a cap",
            with(|d| {
                d.triggers[0].starting_multipliers = Some(StartLaw::Table {
                    rows: vec![
                        StartRow {
                            weight: 3,
                            values: by_character([2, 3, 4, 5, 6, 8]),
                        },
                        StartRow {
                            weight: 1,
                            values: by_character([9, 1, 1, 1, 2, 7]),
                        },
                    ],
                });
                d.boost = BoostLaw::Weights(by_character([9, 1, 2, 3, 4, 5]));
                d.rules.max_meter = Some(40);
            }),
        ),
        (
            "biased wheels, other potions, a floor of 2",
            with(|d| {
                d.inner_wheel.weights = (1..=12).collect();
                d.outer_wheel.weights = (0..54).map(|k| 1 + k % 7).collect();
                d.rules.eat_me.multipliers = 3;
                d.rules.drink_me.multipliers = -4;
                d.rules.drink_me.spins = 0;
                d.rules.drink_me.consumes_spin = true;
                d.rules.multiplier_floor = 2;
            }),
        ),
        (
            "three characters, two additional spins, a limit on spins",
            with(|d| {
                for section in &mut d.outer_wheel.sections {
                    if let OuterSection::Character(character) = section {
                        *character = match character {
                            Character::Rabbit | Character::Cat | Character::Crown => {
                                Character::Crown
                            }
                            Character::Bird | Character::Mouse => Character::Bird,
                            Character::Hat => Character::Hat,
                        };
                    }
                }
                d.starting_multipliers = StartLaw::Permutation {
                    values: vec![2, 5, 9],
                };
                d.rules.additional_spin = 2;
                d.rules.max_spins = Some(9);
            }),
        ),
    ]
}

/// Rounds by meter, spins and squared spins of a simulation.
struct Sample {
    histogram: BTreeMap<u64, u64>,
    spins: u64,
}

fn played_plainly(paytable: &Paytable, trigger: Trigger) -> Sample {
    let counts = yardstick::play(paytable, trigger, ROUNDS, 20).expect("the trigger exists");
    Sample {
        histogram: counts.histogram.into_iter().collect(),
        spins: counts.spins,
    }
}

/// The same of the engine, and the variance of the spins of a round.
#[expect(
    clippy::cast_precision_loss,
    reason = "sums over half a million rounds are exact in f64"
)]
fn played_by_engine(paytable: &Paytable, trigger: Trigger) -> (Sample, f64) {
    let plan = RunPlan {
        generator: Generator::default(),
        detail_rounds: 0,
        trigger,
        seed: 21,
        rounds: ROUNDS,
        engine: EngineKind::Auto,
    };
    let tally = simulate(paytable, &plan, &()).expect("a plain run").tally;
    let spins = u64::try_from(tally.spins()).expect("a small sum");
    let mean = spins as f64 / ROUNDS as f64;
    let squares: f64 = tally
        .spins_histogram()
        .map(|(spins, rounds)| (spins as f64 - mean).powi(2) * rounds as f64)
        .sum();
    let sample = Sample {
        histogram: tally.histogram().collect(),
        spins,
    };
    (sample, squares / ROUNDS as f64)
}

/// Pearson's test of two histograms of as many rounds for one law: neighbouring meters are
/// pooled until both together have 50 rounds. The p-value.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of half a million rounds are exact in f64"
)]
fn same_law(one: &Sample, other: &Sample) -> f64 {
    let mut meters: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
    for (side, sample) in [one, other].into_iter().enumerate() {
        for (&meter, &rounds) in &sample.histogram {
            meters.entry(meter).or_default()[side] += rounds;
        }
    }
    let (mut statistic, mut bins) = (0.0, 0_u32);
    let mut bin = [0_u64; 2];
    // What is left over at the top is dropped: fewer than 50 rounds.
    for [a, b] in meters.into_values() {
        bin = [bin[0] + a, bin[1] + b];
        let total = bin[0] + bin[1];
        if total >= 50 {
            statistic += (bin[0] as f64 - bin[1] as f64).powi(2) / total as f64;
            bins += 1;
            bin = [0; 2];
        }
    }
    gamma_ur(f64::from(bins - 1) / 2.0, statistic / 2.0)
}

#[test]
#[expect(
    clippy::cast_precision_loss,
    reason = "sums over half a million rounds are exact in f64"
)]
fn the_straightforward_version_plays_the_engines_game() {
    for (name, paytable) in paytables() {
        for terms in &paytable.triggers {
            let trigger = terms.trigger;
            let plain = played_plainly(&paytable, trigger);
            let (engine, variance) = played_by_engine(&paytable, trigger);
            assert_eq!(plain.histogram.values().sum::<u64>(), ROUNDS);

            let p_value = same_law(&plain, &engine);
            assert!(
                p_value > ALPHA,
                "{name}, {trigger}: meters, p = {p_value:e}"
            );

            let error = (2.0 * variance * ROUNDS as f64).sqrt();
            let z = (plain.spins as f64 - engine.spins as f64) / error;
            let p_value = normal_two_sided(z);
            assert!(p_value > ALPHA, "{name}, {trigger}: spins, z = {z}");
        }
    }
}

/// The comparison itself: a single section that differs is seen.
#[test]
fn a_section_more_or_less_is_seen() {
    let right = played_plainly(&with(|_| ()), Trigger::Two);
    let changes: [fn(&mut Definition); 4] = [
        |d| d.inner_wheel.sections[0] = InnerSection::Multiplier(5),
        |d| d.outer_wheel.sections[0] = OuterSection::Character(Character::Hat),
        |d| d.rules.eat_me.multipliers = 2,
        |d| d.boost = BoostLaw::OuterSections,
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let (wrong, _) = played_by_engine(&with(change), Trigger::Two);
        let p_value = same_law(&right, &wrong);
        assert!(p_value < 1e-9, "change {index}: p = {p_value:e}");
    }
}

#[test]
fn a_trigger_that_the_paytable_lacks_is_not_played() {
    let paytable = with(|d| d.triggers.truncate(1));
    assert_eq!(yardstick::play(&paytable, Trigger::Five, 10, 1), None);
}
