//! Schema `wonderspins/simulate/1` with leaves: the result of a run or of a shard of one,
//! which `merge` joins and `certify --from` certifies.

use std::ops::Range;

use ct_codecs::{Base64, Decoder as _, Encoder as _};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{EstimateJson, Plan, SimulateTrigger, Tool, to_json, with_seal};
use crate::engine::{
    self, BATCH_ROUNDS, EngineKind, Generator, Leaf, MAX_ROUNDS, RunPlan, Shard, Simulation,
};
use crate::paytable::PaytableFile;
use crate::rules::Trigger;

/// The paytable, with its text: whoever merges has no other copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultPaytable {
    /// The name that the paytable gives itself.
    pub name: String,
    /// SHA-256 of the canonical form.
    pub sha256: String,
    /// SHA-256 of the text.
    pub file_sha256: String,
    /// The text, as read.
    pub text: String,
}

impl From<&PaytableFile> for ResultPaytable {
    fn from(file: &PaytableFile) -> Self {
        Self {
            name: file.paytable.name.clone(),
            sha256: file.paytable.sha256(),
            file_sha256: file.file_sha256.clone(),
            text: file.text.clone(),
        }
    }
}

/// What fixed the whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultPlan {
    /// The seed.
    pub seed: String,
    /// Where it came from: `given`, `drawn`, `derived` or `derived:LABEL`.
    pub seed_origin: String,
    /// Rounds of the whole run for each trigger.
    pub rounds: u64,
    /// Rounds of a batch.
    pub batch_rounds: u64,
    /// Generator of the random numbers.
    pub generator: String,
    /// Version of the specification of streams and word order.
    pub engine_specification: u32,
    /// Confidence level of the intervals.
    pub confidence_level: f64,
    /// Rounds of the whole run, from the first, that are watched one by one for the `detail`.
    pub detail_rounds: u64,
}

/// The same part of what a certificate states.
impl From<&Plan> for ResultPlan {
    fn from(plan: &Plan) -> Self {
        Self {
            seed: plan.seed.clone(),
            seed_origin: plan.seed_origin.clone(),
            rounds: plan.rounds,
            batch_rounds: plan.batch_rounds,
            generator: plan.generator.clone(),
            engine_specification: plan.engine_specification,
            confidence_level: plan.confidence_level,
            detail_rounds: plan.detail_rounds,
        }
    }
}

/// A plan is stated that this program cannot carry out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the plan cannot be carried out: `{key}` is `{found}`, expected {expected}")]
pub struct PlanFault {
    /// Key under `plan`.
    pub key: &'static str,
    /// Its value.
    pub found: String,
    /// The legal range.
    pub expected: String,
}

impl ResultPlan {
    /// What a plan states of the seed `seed_origin` and of intervals of a level.
    #[must_use]
    pub fn new(plan: &RunPlan, seed_origin: &str, confidence_level: f64) -> Self {
        Self {
            seed: plan.seed.to_string(),
            seed_origin: seed_origin.to_owned(),
            rounds: plan.rounds,
            batch_rounds: BATCH_ROUNDS.into(),
            generator: plan.generator.to_string(),
            engine_specification: engine::SPECIFICATION_VERSION,
            confidence_level,
            detail_rounds: plan.detail_rounds.min(plan.rounds),
        }
    }

    /// The plan for a trigger, to be carried out by whichever engine there is.
    ///
    /// # Errors
    /// [`PlanFault`]: another version of the program had this plan, or none
    pub fn run_plan(&self, trigger: Trigger) -> Result<RunPlan, PlanFault> {
        let fault = |key, found: String, expected: String| {
            Err(PlanFault {
                key,
                found,
                expected,
            })
        };
        if !(2..=MAX_ROUNDS).contains(&self.rounds) {
            return fault(
                "rounds",
                self.rounds.to_string(),
                format!("a number in [2, {MAX_ROUNDS}]"),
            );
        }
        if self.engine_specification != engine::SPECIFICATION_VERSION {
            return fault(
                "engine_specification",
                self.engine_specification.to_string(),
                engine::SPECIFICATION_VERSION.to_string(),
            );
        }
        if self.batch_rounds != u64::from(BATCH_ROUNDS) {
            return fault(
                "batch_rounds",
                self.batch_rounds.to_string(),
                BATCH_ROUNDS.to_string(),
            );
        }
        let Some(generator) = Generator::ALL
            .into_iter()
            .find(|generator| generator.name() == self.generator)
        else {
            let names: Vec<_> = Generator::ALL
                .iter()
                .map(|of| format!("`{}`", of.name()))
                .collect();
            return fault("generator", self.generator.clone(), names.join(" or "));
        };
        let Ok(seed) = self.seed.parse() else {
            return fault("seed", self.seed.clone(), "a number below 2^64".to_owned());
        };
        if !(self.confidence_level > 0.0 && self.confidence_level < 1.0) {
            return fault(
                "confidence_level",
                self.confidence_level.to_string(),
                "a number in (0, 1)".to_owned(),
            );
        }
        Ok(RunPlan {
            trigger,
            seed,
            generator,
            rounds: self.rounds,
            engine: EngineKind::Auto,
            detail_rounds: self.detail_rounds,
        })
    }
}

/// A contiguous range of batches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchesJson {
    /// The first.
    pub start: u64,
    /// One past the last.
    pub end: u64,
}

/// Which part of the run a document covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardJson {
    /// Number of the shard, from 1.
    pub index: u64,
    /// Number of shards of the run.
    pub count: u64,
    /// Its batches; none in a run with fewer leaves than shards.
    pub batches: BatchesJson,
    /// Rounds of these batches for each trigger.
    pub rounds: u64,
}

impl ShardJson {
    /// The part of a run that a shard is.
    #[must_use]
    pub fn new(shard: Shard, plan: &RunPlan) -> Self {
        let batches = shard.batches(plan);
        Self {
            index: shard.index(),
            count: shard.count(),
            rounds: plan.rounds_of(&batches),
            batches: BatchesJson {
                start: batches.start,
                end: batches.end,
            },
        }
    }
}

/// The pieces of the run of one trigger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeavesJson {
    /// 2 or 5.
    pub trigger: u32,
    /// Rounds of a leaf; the last one of the run may have fewer.
    pub leaf_rounds: u64,
    /// Place of the first one in the run, from 0.
    pub first_leaf: u64,
    /// [Bytes](Leaf::bytes) of each, in Base64 (RFC 4648, section 4).
    pub leaves: Vec<String>,
}

impl LeavesJson {
    /// The leaves of a simulation that begins at one.
    ///
    /// # Panics
    /// Never: leaves are far shorter than what Base64 can take.
    #[must_use]
    pub fn new(simulation: &Simulation) -> Self {
        let leaf = simulation.plan.leaf_batches();
        let encoded = |leaf: &Leaf| Base64::encode_to_string(leaf.bytes());
        Self {
            trigger: simulation.plan.trigger.number(),
            leaf_rounds: leaf * u64::from(BATCH_ROUNDS),
            first_leaf: simulation.batches.start / leaf,
            leaves: simulation
                .leaves
                .iter()
                .map(|leaf| encoded(leaf).expect("a leaf is short"))
                .collect(),
        }
    }

    /// The leaves; `None` where one is not Base64.
    #[must_use]
    pub fn decoded(&self) -> Option<Vec<Leaf>> {
        self.leaves
            .iter()
            .map(|text| Base64::decode_to_vec(text, None).ok().map(Leaf::from_bytes))
            .collect()
    }
}

/// `simulate --output FILE`, `simulate --shard I/N`, `merge --output FILE`.
///
/// The keys of a [`SimulateDocument`](super::SimulateDocument) without `performance`, and
/// beside them the plan and the pieces of the run. Only complete results have this form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultDocument {
    /// `wonderspins/simulate/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// SHA-256 of this text with the digits of this value replaced by zeros.
    pub self_sha256: String,
    /// Paytable.
    pub paytable: ResultPaytable,
    /// Always true: every round of the part that is covered was played.
    pub complete: bool,
    /// What fixed the whole run.
    pub plan: ResultPlan,
    /// The part of the run that this covers; absent where it is the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardJson>,
    /// One entry for each trigger, ascending; without estimates where there are fewer than
    /// two rounds.
    pub triggers: Vec<SimulateTrigger<Option<EstimateJson>>>,
    /// The pieces of each of them, in the same order.
    pub leaves: Vec<LeavesJson>,
}

impl ResultDocument {
    /// The one text of this document, its hash in place.
    #[must_use]
    pub fn sealed_text(&mut self) -> String {
        self.self_sha256.clear();
        with_seal(to_json(self))
    }

    /// The batches that this says it covers.
    #[must_use]
    pub fn batches(&self, plan: &RunPlan) -> Range<u64> {
        self.shard.as_ref().map_or(0..plan.batches(), |shard| {
            shard.batches.start..shard.batches.end
        })
    }
}
