//! The document of a shard or of a whole run, made and read back.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::error::Category;
use sha2::{Digest as _, Sha256};

use super::cover::Part;
use super::fault::PieceFault;
use super::run::Run;
use crate::document::{
    EstimateJson, LeavesJson, ResultDocument, ResultPaytable, ResultPlan, Seal, ShardJson,
    SimulateDocument, SimulateTrigger, Tool, to_json,
};
use crate::engine::{RunPlan, Seed, Shard, Simulation};
use crate::paytable::{Paytable, PaytableFile, hex};
use crate::rules::Trigger;
use crate::stats::StatsError;
use crate::verify::{SimulatedFigures, result_trigger};

/// The entries of some simulations, with estimates where there are two rounds.
///
/// # Errors
/// [`StatsError`]: a level outside (0, 1)
pub fn result_triggers(
    paytable: &Paytable,
    simulations: &[Simulation],
    level: f64,
) -> Result<Vec<SimulateTrigger<Option<EstimateJson>>>, StatsError> {
    simulations
        .iter()
        .map(|simulation| {
            let tally = &simulation.tally;
            let figures = paytable
                .terms(simulation.plan.trigger)
                .filter(|_| tally.rounds() > 1)
                .map(|terms| SimulatedFigures::new(tally, paytable.payout, terms, level))
                .transpose()?;
            Ok(result_trigger(simulation, figures.as_ref()))
        })
        .collect()
}

/// The document of complete simulations of the same batches, one for each trigger.
///
/// # Arguments
/// - `shard`: that of the simulations; `None` for the whole run
/// - `plan`: that of the simulations
///
/// # Errors
/// [`StatsError`]: a level outside (0, 1)
pub fn result_document(
    file: &PaytableFile,
    plan: ResultPlan,
    shard: Option<Shard>,
    simulations: &[Simulation],
) -> Result<ResultDocument, StatsError> {
    let shard = shard
        .zip(simulations.first())
        .map(|(shard, simulation)| ShardJson::new(shard, &simulation.plan));
    Ok(ResultDocument {
        schema: SimulateDocument::SCHEMA.to_owned(),
        tool: Tool::current(),
        self_sha256: String::new(),
        paytable: file.into(),
        complete: true,
        triggers: result_triggers(&file.paytable, simulations, plan.confidence_level)?,
        leaves: simulations.iter().map(LeavesJson::new).collect(),
        plan,
        shard,
    })
}

/// A document that was read, and found to be what a run leaves behind.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The run that it belongs to.
    pub run: Run,
    /// The shard; `None` for a whole run.
    pub shard: Option<Shard>,
    /// Its batches.
    pub batches: Range<u64>,
    /// What its leaves add up to, one for each trigger, ascending.
    pub simulations: Vec<Simulation>,
}

impl Piece {
    /// Reads a document and checks all of it: form, hash, plan, range, and that the leaves
    /// are those of the range and add up to every integer.
    ///
    /// # Arguments
    /// - `paytables`: texts that were read before
    ///
    /// # Errors
    /// [`PieceFault`]: the first fault
    pub fn read(bytes: &[u8], paytables: &Paytables) -> Result<Self, PieceFault> {
        let document = parsed(bytes)?;
        let file = paytables.read(&document.paytable)?;
        let (triggers, run_plan) = plan_of(&document, &file)?;
        let shard = shard_of(&document, &run_plan)?;
        let batches = document.batches(&run_plan);
        let mut simulations = Vec::new();
        for ((&trigger, stated), of) in triggers
            .iter()
            .zip(&document.triggers)
            .zip(&document.leaves)
        {
            let plan = RunPlan {
                trigger,
                ..run_plan
            };
            let fault = |source| PieceFault::Leaves { trigger, source };
            let leaves = of.decoded().ok_or(PieceFault::Base64 { trigger })?;
            let simulation =
                Simulation::from_leaves(&file.paytable, &plan, batches.clone(), leaves)
                    .map_err(fault)?;
            check_integers(stated, &simulation)?;
            let rebuilt = LeavesJson::new(&simulation);
            for (key, found, expected) in [
                ("leaf_rounds", of.leaf_rounds, rebuilt.leaf_rounds),
                ("first_leaf", of.first_leaf, rebuilt.first_leaf),
                ("trigger", of.trigger.into(), rebuilt.trigger.into()),
            ] {
                if found != expected {
                    return Err(PieceFault::Value {
                        key: format!("leaves.{key}"),
                        found: found.to_string(),
                        expected: expected.to_string(),
                    });
                }
            }
            simulations.push(simulation);
        }
        Ok(Self {
            run: Run {
                file,
                plan: document.plan,
                triggers,
            },
            shard,
            batches,
            simulations,
        })
    }
}

impl Piece {
    /// The part of the run that this is.
    #[must_use]
    pub fn part(&self) -> Part {
        Part {
            shard: self.shard.unwrap_or(Shard::WHOLE),
            batches: self.batches.clone(),
        }
    }

    /// This, where it is a whole run.
    ///
    /// # Errors
    /// [`PieceFault::NotWhole`]
    pub fn whole(self) -> Result<Self, PieceFault> {
        if self.batches == (0..self.run.run_plan().batches()) {
            Ok(self)
        } else {
            Err(PieceFault::NotWhole { part: self.part() })
        }
    }
}

/// A whole, unaltered document of this version.
fn parsed(bytes: &[u8]) -> Result<ResultDocument, PieceFault> {
    let Ok(text) = str::from_utf8(bytes) else {
        return Err(PieceFault::NoDocument);
    };
    let seal = Seal::of(text);
    let is_altered = seal.as_ref().is_some_and(|seal| !seal.is_right());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let document = match serde_path_to_error::deserialize(&mut deserializer) {
        Ok(document) => document,
        Err(error) => {
            let category = error.inner().classify();
            return Err(match category {
                Category::Eof => PieceFault::Truncated { bytes: bytes.len() },
                _ => unlike_a_result(text, is_altered, &error),
            });
        }
    };
    if is_altered {
        return Err(PieceFault::Altered);
    }
    let document: ResultDocument = document;
    check_schema(&document.schema)?;
    if to_json(&document) != text {
        return Err(PieceFault::Form);
    }
    Ok(document)
}

fn check_schema(found: &str) -> Result<(), PieceFault> {
    if found == SimulateDocument::SCHEMA {
        return Ok(());
    }
    Err(PieceFault::Schema {
        found: found.to_owned(),
    })
}

/// What a text is that is not a result with leaves.
fn unlike_a_result(
    text: &str,
    is_altered: bool,
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> PieceFault {
    let value: serde_json::Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) if error.is_eof() => return PieceFault::Truncated { bytes: text.len() },
        Err(_) if is_altered => return PieceFault::Altered,
        Err(_) => return PieceFault::NoDocument,
    };
    if let Some(schema) = value.get("schema").and_then(serde_json::Value::as_str)
        && let Err(fault) = check_schema(schema)
    {
        return fault;
    }
    if is_altered {
        return PieceFault::Altered;
    }
    if value.get("schema").is_some() && value.get("leaves").is_none() {
        return PieceFault::NoLeaves;
    }
    PieceFault::Key {
        key: error.path().to_string(),
        message: error.inner().to_string(),
    }
}

/// The triggers of a document, and the plan for the first of them.
fn plan_of(
    document: &ResultDocument,
    file: &PaytableFile,
) -> Result<(Vec<Trigger>, RunPlan), PieceFault> {
    let numbers: Vec<u32> = document.triggers.iter().map(|of| of.trigger).collect();
    let of_leaves: Vec<u32> = document.leaves.iter().map(|of| of.trigger).collect();
    let triggers: Vec<Trigger> = Trigger::ALL
        .into_iter()
        .filter(|trigger| file.paytable.terms(*trigger).is_some())
        .filter(|trigger| numbers.contains(&trigger.number()))
        .collect();
    let expected: Vec<u32> = triggers.iter().map(|trigger| trigger.number()).collect();
    let (Some(&first), true) = (
        triggers.first(),
        numbers == expected && of_leaves == expected,
    ) else {
        return Err(PieceFault::Triggers {
            found: numbers,
            of_leaves,
        });
    };
    if !document.complete {
        return Err(PieceFault::Partial);
    }
    let plan = document.plan.run_plan(first)?;
    Seed::stated(&file.paytable, plan.seed, &document.plan.seed_origin)?;
    Ok((triggers, plan))
}

/// The shard of a document, whose range must be its own.
fn shard_of(document: &ResultDocument, plan: &RunPlan) -> Result<Option<Shard>, PieceFault> {
    let Some(stated) = &document.shard else {
        return Ok(None);
    };
    let shard = Shard::new(stated.index, stated.count)?;
    let expected = ShardJson::new(shard, plan);
    if *stated == expected {
        return Ok(Some(shard));
    }
    let range = |of: &ShardJson| {
        format!(
            "batches {} to {} with {} rounds",
            of.batches.start, of.batches.end, of.rounds
        )
    };
    Err(PieceFault::Value {
        key: "shard".to_owned(),
        found: range(stated),
        expected: range(&expected),
    })
}

/// Whether every integer is that of the leaves; estimates follow from these.
fn check_integers(
    stated: &SimulateTrigger<Option<EstimateJson>>,
    simulation: &Simulation,
) -> Result<(), PieceFault> {
    let mut expected = result_trigger(simulation, None);
    for (slot, found) in [
        (&mut expected.mean_meter, &stated.mean_meter),
        (&mut expected.variance_meter, &stated.variance_meter),
        (&mut expected.hit_frequency, &stated.hit_frequency),
        (&mut expected.mean_spins, &stated.mean_spins),
        (&mut expected.rtp, &stated.rtp),
        (&mut expected.rtp_conditional, &stated.rtp_conditional),
    ] {
        slot.clone_from(found);
    }
    if expected == *stated {
        Ok(())
    } else {
        Err(PieceFault::Tally {
            trigger: simulation.plan.trigger,
        })
    }
}

/// The paytables of the documents that are read together, each parsed once.
#[derive(Debug, Default)]
pub struct Paytables(Mutex<HashMap<String, Arc<PaytableFile>>>);

impl Paytables {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn read(&self, stated: &ResultPaytable) -> Result<Arc<PaytableFile>, PieceFault> {
        // A thread that panicked has inserted a whole entry or none.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&stated.text).cloned();
        let file = match known {
            Some(file) => file,
            None => Arc::new(PaytableFile::parse("paytable.text", &stated.text)?),
        };
        for (key, found, expected) in [
            ("name", &stated.name, &file.paytable.name),
            ("sha256", &stated.sha256, &file.paytable.sha256()),
            (
                "file_sha256",
                &stated.file_sha256,
                &hex(&Sha256::digest(&stated.text)),
            ),
        ] {
            if found != expected {
                return Err(PieceFault::Value {
                    key: format!("paytable.{key}"),
                    found: found.clone(),
                    expected: expected.clone(),
                });
            }
        }
        lock().insert(stated.text.clone(), Arc::clone(&file));
        Ok(file)
    }
}
