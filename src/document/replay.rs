//! Schema `wonderspins/replay/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PaytableId, Tool};
use crate::engine::{Generator, Multipliers, ReplayedRound, SpinRecord};
use crate::paytable::PaytableFile;
use crate::rules::{InnerSection, Trigger};

/// One spin of a replayed round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaySpin {
    /// Spins remaining before this one, 693.6(f)(1).
    pub counter_before: u64,
    /// The inner result: a number or `additional-spin`.
    pub inner: serde_json::Value,
    /// The character that the multiplier went to, or an empty text after an additional spin.
    pub selected: String,
    /// The inner section, from 1, clockwise.
    pub inner_section: usize,
    /// The outer section, from 1, clockwise.
    pub outer_section: usize,
    /// What the outer section shows.
    pub outer: String,
    /// Every character's multiplier after the spin.
    pub multipliers: BTreeMap<String, u64>,
    /// The meter after the spin.
    pub meter: u64,
    /// Spins remaining after this one.
    pub counter_after: u64,
}

/// A replayed round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// The seed of the simulation.
    pub seed: String,
    /// Generator of the random numbers.
    pub generator: String,
    /// The round, from 0.
    pub round: String,
    /// Starting multipliers, 693.6(e).
    pub starting_multipliers: BTreeMap<String, u64>,
    /// The spins in order.
    pub spins: Vec<ReplaySpin>,
    /// The reported meter, 693.6(g).
    pub meter: u64,
}

/// `replay --format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayDocument {
    /// `wonderspins/replay/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// One entry for each trigger, ascending.
    pub triggers: Vec<ReplayTrigger>,
}

fn by_name(values: &Multipliers) -> BTreeMap<String, u64> {
    values
        .iter()
        .map(|(character, value)| (character.name().to_owned(), value))
        .collect()
}

impl From<&SpinRecord> for ReplaySpin {
    fn from(spin: &SpinRecord) -> Self {
        Self {
            counter_before: spin.counter_before,
            inner: match spin.inner {
                InnerSection::Multiplier(value) => value.into(),
                InnerSection::AdditionalSpin => InnerSection::ADDITIONAL_SPIN.into(),
            },
            selected: spin
                .selected
                .map_or_else(String::new, |character| character.name().to_owned()),
            inner_section: spin.inner_section,
            outer_section: spin.outer_section,
            outer: spin.outer.name().to_owned(),
            multipliers: by_name(&spin.multipliers),
            meter: spin.meter,
            counter_after: spin.counter_after,
        }
    }
}

impl ReplayTrigger {
    /// The entry of one replayed round.
    #[must_use]
    pub fn new(
        trigger: Trigger,
        seed: u64,
        generator: Generator,
        round: u64,
        replayed: &ReplayedRound,
    ) -> Self {
        Self {
            trigger: trigger.number(),
            seed: seed.to_string(),
            generator: generator.to_string(),
            round: round.to_string(),
            starting_multipliers: by_name(&replayed.starting_multipliers),
            spins: replayed.spins.iter().map(Into::into).collect(),
            meter: replayed.meter,
        }
    }
}

impl ReplayDocument {
    /// The document of the given rounds.
    #[must_use]
    pub fn new(file: &PaytableFile, triggers: Vec<ReplayTrigger>) -> Self {
        Self {
            schema: "wonderspins/replay/1".to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            triggers,
        }
    }
}
