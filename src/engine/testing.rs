//! Paytables for the engine's tests: fixed ones and random ones.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::paytable::{BoostLaw, Definition, Paytable, Potion, StartLaw, StartRow, fixture};
use crate::rules::{Character, InnerSection, OuterSection, Trigger};
use crate::testing::{boost_law, start_law, wheel};

/// The one place where the tests make a paytable of a definition.
pub(super) fn paytable(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

pub(super) fn pa() -> Paytable {
    paytable(fixture::pa())
}

/// Named paytables that reach every law, both word widths and both cell widths.
pub(super) fn zoo() -> Vec<(&'static str, Paytable)> {
    let characters = Character::ALL;
    let with = |change: &dyn Fn(&mut Definition)| {
        let mut definition = fixture::pa();
        change(&mut definition);
        paytable(definition)
    };
    vec![
        ("pa", pa()),
        ("tiny", paytable(fixture::tiny(2))),
        (
            "both potions use up their spin",
            with(&|d| {
                d.rules.eat_me.consumes_spin = true;
                d.rules.drink_me.consumes_spin = true;
            }),
        ),
        (
            "boost by outer sections",
            with(&|d| d.boost = BoostLaw::OuterSections),
        ),
        (
            "wide spins",
            with(&|d| {
                d.boost = BoostLaw::Weights(
                    characters
                        .into_iter()
                        .zip([1, 2, 3, 5, 8, 4_000_000_000])
                        .collect(),
                );
                d.outer_wheel.weights = (0..54).map(|k| 4_294_967_000 + k).collect();
            }),
        ),
        (
            "fixed starts",
            with(&|d| {
                d.starting_multipliers = StartLaw::Fixed {
                    values: characters.into_iter().zip([10, 6, 5, 4, 3, 2]).collect(),
                };
            }),
        ),
        (
            "independent starts, narrow",
            with(&|d| {
                d.starting_multipliers = StartLaw::Independent {
                    values: vec![2, 7, 3],
                    weights: vec![2, 6, 4],
                };
            }),
        ),
        (
            "independent starts, wide",
            with(&|d| {
                d.starting_multipliers = StartLaw::Independent {
                    values: vec![1, 9],
                    weights: vec![1, 6],
                };
            }),
        ),
        (
            // The number of joint outcomes passes 128 bits.
            "independent starts, widest",
            with(&|d| {
                d.starting_multipliers = StartLaw::Independent {
                    values: vec![1, 9, 4],
                    weights: vec![1 << 32, (1 << 32) - 1, 1 << 31],
                };
            }),
        ),
        (
            "a table of starts, narrow",
            with(&|d| d.starting_multipliers = table(&[1, 2, 65_533])),
        ),
        (
            "a table of starts, wide",
            with(&|d| d.starting_multipliers = table(&[1, 2, 65_534])),
        ),
        ("capped", with(&|d| d.rules.max_meter = Some(40))),
        (
            "at most three spins",
            with(&|d| d.rules.max_spins = Some(3)),
        ),
        (
            "largest numbers",
            with(&|d| {
                d.starting_multipliers = StartLaw::Permutation {
                    values: vec![1_000_000, 999_999, 1, 7, 500_000, 1_000_000],
                };
                d.inner_wheel.sections[0] = InnerSection::Multiplier(1_000_000);
            }),
        ),
        (
            "two hundred spins at least",
            with(&|d| {
                for terms in &mut d.triggers {
                    terms.spins *= 100;
                }
            }),
        ),
    ]
}

fn table(weights: &[u64]) -> StartLaw {
    StartLaw::Table {
        rows: weights
            .iter()
            .zip(2..)
            .map(|(&weight, base)| StartRow {
                weight,
                values: Character::ALL.into_iter().zip(base..).collect(),
            })
            .collect(),
    }
}

/// Any legal paytable, kept small enough that a batch of it is played in milliseconds.
///
/// A drift above -1/10 gets a limit on spins: a legal paytable needs one from zero on,
/// and a test cannot wait for rounds of thousands of spins.
pub(super) fn any_paytable() -> impl Strategy<Value = Paytable> {
    let inner = vec(
        (
            prop_oneof![
                4 => (0_u32..12).prop_map(InnerSection::Multiplier),
                1 => (0_u32..=1_000_000).prop_map(InnerSection::Multiplier),
                1 => Just(InnerSection::AdditionalSpin),
            ],
            weight(),
        ),
        1..12,
    );
    let outer = (1_usize..=6).prop_flat_map(|count| {
        let characters = Character::ALL[6 - count..].to_vec();
        let other = prop_oneof![
            5 => prop::sample::select(characters.clone()).prop_map(OuterSection::Character),
            1 => Just(OuterSection::NoWin),
            1 => Just(OuterSection::EatMe),
            1 => Just(OuterSection::DrinkMe),
        ];
        // Each character once, so that all of them are on the wheel.
        (vec(weight(), count), vec((other, weight()), 0..20)).prop_map(move |(own, others)| {
            characters
                .iter()
                .map(|&character| OuterSection::Character(character))
                .zip(own)
                .chain(others)
                .collect::<Vec<_>>()
        })
    });
    let potion = || {
        (0_u32..=3, -10_i32..=10, any::<bool>()).prop_map(|(spins, multipliers, consumes_spin)| {
            Potion {
                spins,
                multipliers,
                consumes_spin,
            }
        })
    };
    let rules = (
        potion(),
        potion(),
        0_u32..=2,
        1_u32..=3,
        option::of(1_u64..200),
        option::of(1_u32..8),
    );
    (inner, outer, rules, 1_u32..=6).prop_flat_map(|(inner, outer, rules, spins)| {
        let floor = rules.3;
        let mut definition = fixture::pa();
        definition.inner_wheel = wheel(inner);
        definition.outer_wheel = wheel(outer);
        let (eat_me, drink_me, additional_spin, _, max_meter, max_spins) = rules;
        definition.rules.eat_me = eat_me;
        definition.rules.drink_me = drink_me;
        definition.rules.additional_spin = additional_spin;
        definition.rules.multiplier_floor = floor;
        definition.rules.max_meter = max_meter;
        definition.rules.max_spins = max_spins;
        definition.triggers[0].spins = spins;
        definition.triggers[1].spins = spins + 1;
        let characters: Vec<Character> = Character::ALL
            .into_iter()
            .filter(|&c| {
                definition
                    .outer_wheel
                    .sections
                    .contains(&OuterSection::Character(c))
            })
            .collect();
        (
            Just(definition),
            boost_law(&characters, weight()),
            start_law(&characters, start(floor), weight(), 4),
        )
            .prop_map(|(mut definition, boost, starting_multipliers)| {
                definition.boost = boost;
                definition.starting_multipliers = starting_multipliers;
                // The drift is asked of the paytable, which is then made anew.
                definition.rules.max_spins.get_or_insert(60);
                let drift = paytable(definition.clone()).drift();
                if drift * dashu_ratio::RBig::from(-10) > dashu_ratio::RBig::ONE
                    && definition.rules.max_spins == Some(60)
                {
                    definition.rules.max_spins = None;
                }
                paytable(definition)
            })
    })
}

fn weight() -> impl Strategy<Value = u64> + Clone {
    prop_oneof![8 => Just(1_u64), 2 => 1_u64..=3, 1 => 1_u64..=1 << 32]
}

fn start(floor: u32) -> impl Strategy<Value = u32> + Clone {
    prop_oneof![6 => floor..20_u32, 1 => floor..=1_000_000]
}

/// The paytable's trigger of two spins, which every fixture has.
pub(super) const TWO: Trigger = Trigger::Two;
