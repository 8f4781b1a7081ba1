//! The `detail` of a simulated trigger: what its first rounds were made of.

use serde::{Deserialize, Serialize};

use crate::engine::{DETAIL_SPINS, Detail, HitSums, PairSums, SpinDraws};
use crate::exact::Source;

/// Sums over the hits of one character, before a cap; the parts add up to `sum_meter`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharacterDetailJson {
    /// The character.
    pub character: String,
    /// Its hits.
    pub hits: String,
    /// What they added to the meters.
    pub sum_meter: String,
    /// Of this: starting multipliers.
    pub start: String,
    /// Of this: inner additions.
    pub inner_additions: String,
    /// Of this: Eat Me, without the floor.
    pub eat_me: String,
    /// Of this: Drink Me, without the floor.
    pub drink_me: String,
    /// Of this: what the floor gave back, the remainder.
    pub floor: String,
}

impl CharacterDetailJson {
    fn new(character: &str, sums: &HitSums) -> Self {
        Self {
            character: character.to_owned(),
            hits: sums.hits.to_string(),
            sum_meter: sums.meter.to_string(),
            start: sums.start.to_string(),
            inner_additions: sums.inner_additions.to_string(),
            eat_me: sums.eat_me.to_string(),
            drink_me: sums.drink_me.to_string(),
            floor: sums.floor().to_string(),
        }
    }
}

/// What one source added to the meters, before a cap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDetailJson {
    /// The source, named as in the contributions of `exact`.
    pub source: String,
    /// Its sum over all rounds.
    pub sum: String,
}

/// What was drawn for the spins of one number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpinDrawsJson {
    /// The number of the spin in its round, from 1; absent in an entry of all later ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<u64>,
    /// The entry holds every spin with a larger number than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_than: Option<u64>,
    /// How many spins.
    pub played: String,
    /// Spins by inner section, clockwise.
    pub inner: Vec<String>,
    /// Spins by selected character, in the order of `character`; drawn also where the
    /// inner result is an additional spin.
    pub selected: Vec<String>,
    /// Spins by outer section, clockwise.
    pub outer: Vec<String>,
}

impl SpinDrawsJson {
    fn new(number: u64, draws: &SpinDraws) -> Self {
        let named = DETAIL_SPINS as u64;
        let counts = |counts: &[u64]| counts.iter().map(u64::to_string).collect();
        Self {
            spin: (number <= named).then_some(number),
            more_than: (number > named).then_some(named),
            played: draws.played.to_string(),
            inner: counts(&draws.inner),
            selected: counts(&draws.selected),
            outer: counts(&draws.outer),
        }
    }
}

/// Sums over pairs of rounds k and k + 1 of the same batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairSumsJson {
    /// Pairs.
    pub pairs: String,
    /// Sum of the meters of the first rounds.
    pub first: String,
    /// Sum of the meters of the second rounds.
    pub second: String,
    /// Sum of the squared meters of the first rounds.
    pub first_squared: String,
    /// Sum of the squared meters of the second rounds.
    pub second_squared: String,
    /// Sum of the products of both meters of a pair.
    pub products: String,
}

impl From<&PairSums> for PairSumsJson {
    fn from(sums: &PairSums) -> Self {
        Self {
            pairs: sums.pairs.to_string(),
            first: sums.first.to_string(),
            second: sums.second.to_string(),
            first_squared: sums.first_squared.to_string(),
            second_squared: sums.second_squared.to_string(),
            products: sums.products.to_string(),
        }
    }
}

/// Integers of the first rounds of a run, one by one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetailJson {
    /// Rounds: the first of the run.
    pub rounds: u64,
    /// SHA-256 over the canonical form of these integers.
    pub digest: String,
    /// By the character that is hit.
    pub character: Vec<CharacterDetailJson>,
    /// By what the multipliers that were hit came from.
    pub source: Vec<SourceDetailJson>,
    /// By the number of the spin in its round, ascending.
    pub spins: Vec<SpinDrawsJson>,
    /// Pairs of rounds by the meter that is paid.
    pub pairs: PairSumsJson,
    /// The same by the meter before a cap; absent where no cap made a difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncapped_pairs: Option<PairSumsJson>,
}

impl DetailJson {
    /// The entry of a detail; `None` where it has no rounds.
    #[must_use]
    pub fn new(detail: &Detail) -> Option<Self> {
        let parts = detail.parts();
        let all = detail.all_hits();
        let source = Source::ALL.map(|source| SourceDetailJson {
            source: source.name().to_owned(),
            sum: match source {
                Source::Start => all.start.to_string(),
                Source::InnerAdditions => all.inner_additions.to_string(),
                Source::EatMe => all.eat_me.to_string(),
                Source::DrinkMe => all.drink_me.to_string(),
                Source::Floor => all.floor().to_string(),
            },
        });
        (parts.rounds > 0).then(|| Self {
            rounds: parts.rounds,
            digest: detail.digest(),
            character: detail
                .by_character()
                .map(|(character, sums)| CharacterDetailJson::new(character.name(), sums))
                .collect(),
            source: source.into(),
            spins: (1..)
                .zip(&parts.spins)
                .map(|(number, draws)| SpinDrawsJson::new(number, draws))
                .collect(),
            pairs: (&parts.paid).into(),
            uncapped_pairs: (parts.uncapped != parts.paid).then(|| (&parts.uncapped).into()),
        })
    }
}
