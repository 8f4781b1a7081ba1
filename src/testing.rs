//! Helpers of the crate's own tests.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::paytable::{BoostLaw, StartLaw, StartRow};
use crate::rules::{Character, Wheel};

/// A property test with a fixed seed, so that a run repeats itself, and without files of
/// past failures.
pub(crate) fn property(cases: u32) -> Config {
    Config {
        rng_seed: RngSeed::Fixed(0x6936),
        failure_persistence: None,
        ..Config::with_cases(cases)
    }
}

/// A wheel of sections with their weights.
pub(crate) fn wheel<S>(sections: Vec<(S, u64)>) -> Wheel<S> {
    let (sections, weights) = sections.into_iter().unzip();
    Wheel { sections, weights }
}

fn by_character<T: Clone>(characters: &[Character], values: &[T]) -> BTreeMap<Character, T> {
    let characters = characters.iter().copied();
    characters.zip(values.iter().cloned()).collect()
}

/// Every law by which a multiplier selects its character.
pub(crate) fn boost_law<W: Strategy<Value = u64>>(
    characters: &[Character],
    weight: W,
) -> impl Strategy<Value = BoostLaw> + use<W> {
    let characters = characters.to_vec();
    prop_oneof![
        Just(BoostLaw::Uniform),
        Just(BoostLaw::OuterSections),
        vec(weight, characters.len())
            .prop_map(move |weights| BoostLaw::Weights(by_character(&characters, &weights))),
    ]
}

/// Every law of the starting multipliers, with at most `most` values or rows.
pub(crate) fn start_law<V, W>(
    characters: &[Character],
    value: V,
    weight: W,
    most: usize,
) -> impl Strategy<Value = StartLaw> + use<V, W>
where
    V: Strategy<Value = u32> + Clone,
    W: Strategy<Value = u64> + Clone,
{
    let count = characters.len();
    let (fixed, rows) = (characters.to_vec(), characters.to_vec());
    prop_oneof![
        vec(value.clone(), count).prop_map(|values| StartLaw::Permutation { values }),
        vec(value.clone(), count).prop_map(move |values| StartLaw::Fixed {
            values: by_character(&fixed, &values),
        }),
        vec((value.clone(), weight.clone()), 1..=most).prop_map(|mut pairs| {
            pairs.sort_unstable_by_key(|pair| pair.0);
            pairs.dedup_by_key(|pair| pair.0);
            let (values, weights) = pairs.into_iter().unzip();
            StartLaw::Independent { values, weights }
        }),
        vec((weight, vec(value, count)), 1..=most).prop_map(move |list| StartLaw::Table {
            rows: list
                .into_iter()
                .map(|(weight, values)| StartRow {
                    weight,
                    values: by_character(&rows, &values),
                })
                .collect(),
        }),
    ]
}
