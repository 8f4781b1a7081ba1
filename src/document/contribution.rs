//! The `contributions` of schema `wonderspins/exact/1`.

use serde::{Deserialize, Serialize};

use super::EnclosureJson;
use crate::exact::{Exact, SpinCount, Split, by_spins};
use crate::paytable::Paytable;

/// A part of the mean meter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContributionJson {
    /// What the part is.
    pub part: String,
    /// Its share of the mean meter without `max_meter`; the bounds of the rational one, rounded
    /// outward.
    #[serde(flatten)]
    pub enclosure: EnclosureJson,
    /// The exact value as text; the values of a split add up to that of the mean.
    pub exact_value: String,
}

/// What the rounds of one number of spins contribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpinsContributionJson {
    /// The number of spins; in the last entry, every larger one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spins: Option<u32>,
    /// In the last entry: the entry holds every round of more spins than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_than: Option<u32>,
    /// E[meter; spins].
    #[serde(flatten)]
    pub enclosure: EnclosureJson,
}

/// The mean meter without `max_meter`, split three ways.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContributionsJson {
    /// By the character that is hit.
    pub character: Vec<ContributionJson>,
    /// By what the multipliers come from; the floor is the remainder.
    pub source: Vec<ContributionJson>,
    /// By the number of spins of the round; the last entry is the remainder.
    pub spins: Vec<SpinsContributionJson>,
}

impl ContributionsJson {
    /// The splits of a result; `None` where its parts have no finite bounds.
    #[must_use]
    pub fn new(exact: &Exact, paytable: &Paytable) -> Option<Self> {
        let contributions = exact.contributions.as_ref()?;
        let spins = by_spins(paytable, exact)
            .parts
            .iter()
            .map(|(count, part)| {
                let (spins, more_than) = match count {
                    SpinCount::Exactly(spins) => (Some(*spins), None),
                    SpinCount::MoreThan(spins) => (None, Some(*spins)),
                };
                SpinsContributionJson {
                    spins,
                    more_than,
                    enclosure: part.enclosure().into(),
                }
            })
            .collect();
        Some(Self {
            character: named(&contributions.character, |character| character.name()),
            source: named(&contributions.source, |source| source.name()),
            spins,
        })
    }
}

fn named<L>(split: &Split<L>, name: impl Fn(&L) -> &'static str) -> Vec<ContributionJson> {
    split
        .parts
        .iter()
        .map(|(label, part)| ContributionJson {
            part: name(label).to_owned(),
            enclosure: part.enclosure().into(),
            exact_value: part.value.to_string(),
        })
        .collect()
}
