//! Schema `wonderspins/sweep/1`.
//!
//! A sweep is about many paytables, so its rows take the place of the `triggers` of other
//! documents: one for each paytable and trigger.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{EnclosureJson, PaytableId, Tool};
use crate::exact::WideFigures;
/// A changed value, as the columns of a table need it.
pub use crate::paytable::Value as SweepValue;
use crate::paytable::hex;

/// What a sweep calls itself, and its identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepId {
    /// Its name.
    pub name: String,
    /// SHA-256 of the bytes of its file.
    pub sha256: String,
}

/// The part of a sweep that a document covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepShard {
    /// From 1 to `count`.
    pub index: u64,
    /// Shards of the sweep.
    pub count: u64,
    /// The first paytable.
    pub start: u64,
    /// The paytable after the last one.
    pub end: u64,
}

/// How the paytables of a sweep were simulated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepPlan {
    /// Rounds for each paytable and trigger.
    pub rounds: u64,
    /// A number, or `derived[:LABEL]`, from which each paytable has its own.
    pub seed: String,
    /// The generator.
    pub generator: String,
}

/// The exact figures of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepFigures {
    /// Expected meter, capped where the paytable caps it.
    pub mean_meter: EnclosureJson,
    /// Variance of the meter.
    pub variance_meter: EnclosureJson,
    /// Standard deviation of the meter.
    pub std_dev_meter: EnclosureJson,
    /// Probability of a meter above zero.
    pub hit_frequency: EnclosureJson,
    /// Expected spins of a round.
    pub mean_spins: EnclosureJson,
    /// Overall gross return for each unit wagered on this bet.
    pub rtp: EnclosureJson,
    /// Gross return given the trigger.
    pub rtp_conditional: EnclosureJson,
    /// Standard deviation of the gross return given the trigger.
    pub std_dev_return: EnclosureJson,
    /// Volatility index at the document's level.
    pub volatility_index: EnclosureJson,
}

impl From<&WideFigures> for SweepFigures {
    fn from(figures: &WideFigures) -> Self {
        let returns = &figures.returns;
        Self {
            mean_meter: figures.mean_meter.into(),
            variance_meter: figures.variance_meter.into(),
            std_dev_meter: figures.std_dev_meter.into(),
            hit_frequency: figures.hit_frequency.into(),
            mean_spins: figures.mean_spins.into(),
            rtp: returns.rtp.into(),
            rtp_conditional: returns.rtp_conditional.into(),
            std_dev_return: returns.gross_std_dev.into(),
            volatility_index: returns.volatility_index.index.into(),
        }
    }
}

impl SweepFigures {
    /// Every figure with its name, in the order in which tables have them.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, EnclosureJson); 9] {
        [
            ("mean_meter", self.mean_meter),
            ("variance_meter", self.variance_meter),
            ("std_dev_meter", self.std_dev_meter),
            ("hit_frequency", self.hit_frequency),
            ("mean_spins", self.mean_spins),
            ("rtp", self.rtp),
            ("rtp_conditional", self.rtp_conditional),
            ("std_dev_return", self.std_dev_return),
            ("volatility_index", self.volatility_index),
        ]
    }
}

/// An estimate and its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SweepEstimate {
    /// The estimate.
    pub estimate: f64,
    /// Its standard error.
    pub std_error: f64,
}

/// The simulated results of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepSimulated {
    /// Rounds played.
    pub rounds: u64,
    /// Seed of the run.
    pub seed: String,
    /// Sum of the meters.
    pub sum_meter: String,
    /// Sum of the squared meters.
    pub sum_meter_squared: String,
    /// Rounds with a meter of zero.
    pub zero_rounds: String,
    /// Spins of all rounds.
    pub spins: String,
    /// Largest meter.
    pub max_meter: u64,
    /// First round that reached it, from 0.
    pub max_round: u64,
    /// Mean of the meter.
    pub mean_meter: SweepEstimate,
    /// Variance of the meter.
    pub variance_meter: SweepEstimate,
    /// Share of rounds with a meter above zero.
    pub hit_frequency: SweepEstimate,
    /// Mean spins of a round.
    pub mean_spins: SweepEstimate,
    /// Overall gross return.
    pub rtp: SweepEstimate,
    /// Distance of the simulated mean from the exact one in standard errors, these from the
    /// exact deviation; absent where every round pays the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z_mean: Option<f64>,
    /// SHA-256 over the canonical form of the integer results.
    pub digest: String,
}

/// One paytable and trigger; of a faulty paytable there is one row, without a trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// The paytable, from 0, in the order of the sweep.
    pub paytable: u64,
    /// The name of its point, where the sweep lists points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<String>,
    /// Its values of the keys that the sweep changes; a key that it has not is absent.
    pub values: BTreeMap<String, SweepValue>,
    /// SHA-256 of its canonical form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// 2 or 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger: Option<u32>,
    /// The exact figures.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<SweepFigures>,
    /// The simulated results, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<SweepSimulated>,
    /// Why there are no figures, or no simulated results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// `sweep --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepDocument {
    /// `wonderspins/sweep/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// The sweep.
    pub sweep: SweepId,
    /// The paytable that it changes.
    pub paytable: PaytableId,
    /// Paytables of the whole sweep.
    pub paytables: u64,
    /// The part that this document covers; absent where that is all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<SweepShard>,
    /// Whether every paytable of that part is there; not so after an interrupt.
    pub complete: bool,
    /// The keys that the sweep changes, in its order.
    pub keys: Vec<String>,
    /// Two-sided level of the volatility index.
    pub volatility_level: f64,
    /// How the paytables were simulated, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulate: Option<SweepPlan>,
    /// [`rows_sha256`] of the rows.
    pub rows_sha256: String,
    /// One for each paytable and trigger, ascending.
    pub rows: Vec<SweepRow>,
}

impl SweepDocument {
    /// The schema's name.
    pub const SCHEMA: &'static str = "wonderspins/sweep/1";

    /// The rows that hold a fault.
    #[must_use]
    pub fn faulty_rows(&self) -> usize {
        self.rows.iter().filter(|row| row.fault.is_some()).count()
    }
}

/// SHA-256 over the rows as compact JSON, each ended by a line feed, 64 lower-case
/// hexadecimal digits.
///
/// # Panics
/// Never: a row has no map whose keys are not text.
#[must_use]
pub fn rows_sha256(rows: &[SweepRow]) -> String {
    let mut hasher = Sha256::new();
    for row in rows {
        hasher.update(serde_json::to_string(row).expect("rows serialise to JSON"));
        hasher.update(b"\n");
    }
    hex(&hasher.finalize())
}
