//! Random games that stay small enough to be enumerated.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::paytable::{Definition, Paytable, Potion, fixture};
use crate::rules::{Character, InnerSection, OuterSection};
use crate::testing::{boost_law, start_law, wheel};

/// Games of one to six characters with few different results in a spin: inner multipliers of 0 and large ones, both
/// potions up and down, floors of 1 to 3, every law of starts and boosts, biased wheels.
///
/// Some have a limit of one to four spins; those whose drift is not negative get one of three.
pub(super) fn small_games() -> impl Strategy<Value = Paytable> {
    let outer =
        prop_oneof![3 => 1_usize..=2, 2 => 3_usize..=4, 1 => 5_usize..=6].prop_flat_map(|count| {
            let characters = Character::ALL[6 - count..].to_vec();
            let other = prop_oneof![
                1 => prop::sample::select(characters.clone()).prop_map(OuterSection::Character),
                1 => Just(OuterSection::NoWin),
                2 => Just(OuterSection::EatMe),
                2 => Just(OuterSection::DrinkMe),
            ];
            // Each character once, so that all of them are on the wheel.
            (vec(weight(), count), vec((other, weight()), 0..5)).prop_map(move |(own, others)| {
                let own = characters
                    .iter()
                    .map(|&c| OuterSection::Character(c))
                    .zip(own);
                wheel(own.chain(others).collect::<Vec<_>>())
            })
        });
    let inner = vec(
        (
            prop_oneof![
                5 => prop::sample::select(vec![0_u32, 1, 1, 2, 3, 5])
                    .prop_map(InnerSection::Multiplier),
                1 => prop::sample::select(vec![17_u32, 255, 256, 300, 2000])
                    .prop_map(InnerSection::Multiplier),
                2 => Just(InnerSection::AdditionalSpin),
            ],
            weight(),
        ),
        1..4,
    );
    let potion = || {
        (0_u32..=2, -3_i32..=3, any::<bool>()).prop_map(|(spins, multipliers, consumes_spin)| {
            Potion {
                spins,
                multipliers,
                consumes_spin,
            }
        })
    };
    let limit = option::of(1_u32..=4);
    let rules = (potion(), potion(), 0_u32..=3, 1_u32..=3, limit, 1_u32..=5);
    (inner, outer, rules).prop_flat_map(|(inner, outer, rules)| {
        let (eat_me, drink_me, additional_spin, floor, max_spins, spins) = rules;
        let mut definition = fixture::tiny(spins);
        definition.inner_wheel = wheel(inner);
        definition.outer_wheel = outer;
        definition.rules.eat_me = eat_me;
        definition.rules.drink_me = drink_me;
        definition.rules.additional_spin = additional_spin;
        definition.rules.multiplier_floor = floor;
        definition.rules.max_spins = max_spins;
        let characters: Vec<Character> = Character::ALL
            .into_iter()
            .filter(|&c| {
                let section = OuterSection::Character(c);
                definition.outer_wheel.sections.contains(&section)
            })
            .collect();
        let laws = (
            boost_law(&characters, weight()),
            start_law(&characters, start(floor), weight(), 3),
        );
        (Just(definition), laws).prop_map(|(definition, (boost, starts))| {
            let definition = Definition {
                boost,
                starting_multipliers: starts,
                ..definition
            };
            Paytable::new(definition.clone()).unwrap_or_else(|_| {
                // The one fault left: rounds that need not end.
                let mut definition = definition;
                definition.rules.max_spins = Some(3);
                Paytable::new(definition).expect("a legal paytable")
            })
        })
    })
}

fn weight() -> impl Strategy<Value = u64> + Clone {
    prop_oneof![6 => Just(1_u64), 3 => 1_u64..=5, 1 => 1_u64..=1 << 32]
}

fn start(floor: u32) -> impl Strategy<Value = u32> + Clone {
    prop_oneof![8 => floor..floor + 5, 1 => floor..=400]
}
