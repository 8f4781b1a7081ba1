//! The rows of one paytable, and of many.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::file::Simulate;
use super::points::{PointFault, Sweep, Variant, described};
use crate::document::{
    SweepDocument, SweepEstimate, SweepPlan, SweepRow, SweepSimulated, Tool, rows_sha256,
};
use crate::engine::Shard;
use crate::engine::{EngineKind, Generator, RunPlan, simulate};
use crate::exact::{DEFAULT_LEVEL, WideFigures, solve_wide};
use crate::paytable::PaytableFile;
use crate::rules::Trigger;
use crate::stats::Estimate;
use crate::verify::SimulatedFigures;

/// The level at which standard errors are made; they do not depend on it.
const LEVEL: f64 = 0.99;

/// Rows of finished paytables, by the paytable's number.
pub type KnownRows = BTreeMap<u64, Vec<SweepRow>>;

/// What was computed of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// The rows of the paytables that are done, ascending.
    pub rows: Vec<SweepRow>,
    /// Whether that is all that was asked.
    pub is_complete: bool,
}

/// The points of a range whose paytables are not legal, ascending, with what is wrong.
///
/// Works in whichever rayon pool is installed.
#[must_use]
pub fn faults(sweep: &Sweep, range: Range<u64>) -> Vec<(Variant, PointFault)> {
    range
        .into_par_iter()
        .filter_map(|index| {
            let variant = sweep.variant(index);
            let fault = variant.paytable.as_ref().err()?.clone();
            Some((variant, fault))
        })
        .collect()
}

/// Computes the rows of a range of paytables, but for those that are known.
///
/// Works in whichever rayon pool is installed and prints nothing.
///
/// # Arguments
/// - `known`: rows from a checkpoint or from shards; those outside the range do not enter
/// - `watch`: is told of every paytable as soon as it is finished, in no order and from any
///   thread; where it breaks, the paytables under way are finished and no other is begun
///
/// # Determinism
/// Sweep file and base fix every row; threads and the order of work do not enter.
pub fn run(
    sweep: &Sweep,
    range: Range<u64>,
    known: &KnownRows,
    watch: &(dyn Fn(u64, &[SweepRow]) -> ControlFlow<()> + Sync),
) -> Finished {
    let is_stopped = AtomicBool::new(false);
    let computed: Vec<Option<Vec<SweepRow>>> = range
        .collect::<Vec<u64>>()
        .into_par_iter()
        // Paytables differ a thousandfold in work: no thread takes many at once.
        .with_max_len(1)
        .map(|index| {
            if let Some(rows) = known.get(&index) {
                return Some(rows.clone());
            }
            if is_stopped.load(Ordering::SeqCst) {
                return None;
            }
            let rows = rows(sweep, sweep.variant(index));
            if watch(index, &rows).is_break() {
                is_stopped.store(true, Ordering::SeqCst);
            }
            Some(rows)
        })
        .collect();
    Finished {
        is_complete: computed.iter().all(Option::is_some),
        rows: computed.into_iter().flatten().flatten().collect(),
    }
}

/// The document of what was computed.
///
/// # Arguments
/// - `shard`: `None` for a whole sweep
#[must_use]
pub fn document(sweep: &Sweep, shard: Option<Shard>, finished: Finished) -> SweepDocument {
    SweepDocument {
        schema: SweepDocument::SCHEMA.to_owned(),
        tool: Tool::current(),
        sweep: sweep.id(),
        paytable: sweep.base().into(),
        paytables: sweep.paytables(),
        shard: shard.map(|shard| described(shard, sweep.paytables())),
        complete: finished.is_complete,
        keys: sweep.keys().iter().map(ToString::to_string).collect(),
        volatility_level: DEFAULT_LEVEL,
        simulate: sweep.simulate().map(|plan| SweepPlan {
            rounds: plan.rounds,
            seed: plan.seed.to_string(),
            generator: Generator::default().to_string(),
        }),
        rows_sha256: rows_sha256(&finished.rows),
        rows: finished.rows,
    }
}

/// The rows of one paytable: one for each trigger, or one that says what is wrong with it.
fn rows(sweep: &Sweep, variant: Variant) -> Vec<SweepRow> {
    let empty = SweepRow {
        paytable: variant.index,
        point: variant.point,
        values: variant.values,
        sha256: None,
        trigger: None,
        figures: None,
        simulated: None,
        fault: None,
    };
    let (file, triggers) = match variant.paytable {
        Ok(paytable) => paytable,
        Err(fault) => {
            return vec![SweepRow {
                fault: Some(fault.to_string()),
                ..empty
            }];
        }
    };
    let sha256 = file.paytable.sha256();
    let solved = solve_wide(&file.paytable, &triggers);
    let of_trigger = |(place, trigger): (usize, Trigger)| {
        let figures = solved.as_ref().map(|all| &all[place]);
        let played = sweep
            .simulate()
            .map(|plan| played(&file, trigger, plan, figures.ok()))
            .transpose();
        let faults = [
            figures.err().map(ToString::to_string),
            played.as_ref().err().cloned(),
        ];
        let faults: Vec<String> = faults.into_iter().flatten().collect();
        SweepRow {
            sha256: Some(sha256.clone()),
            trigger: Some(trigger.number()),
            figures: figures.ok().map(Into::into),
            simulated: played.ok().flatten(),
            fault: (!faults.is_empty()).then(|| faults.join("\n")),
            ..empty.clone()
        }
    };
    triggers
        .iter()
        .copied()
        .enumerate()
        .map(of_trigger)
        .collect()
}

/// The simulated results of one paytable and trigger, or why there are none.
fn played(
    file: &PaytableFile,
    trigger: Trigger,
    plan: &Simulate,
    exact: Option<&WideFigures>,
) -> Result<SweepSimulated, String> {
    let paytable = &file.paytable;
    let plan = RunPlan {
        trigger,
        seed: plan.seed.resolve(paytable).value,
        rounds: plan.rounds,
        generator: Generator::default(),
        engine: EngineKind::Auto,
        detail_rounds: 0,
    };
    let simulation = simulate(paytable, &plan, &()).map_err(|error| error.to_string())?;
    let terms = paytable.terms(trigger).expect("a trigger of the paytable");
    let tally = &simulation.tally;
    let figures = SimulatedFigures::new(tally, paytable.payout, terms, LEVEL)
        .map_err(|error| error.to_string())?;
    let estimate = |estimate: &Estimate| SweepEstimate {
        estimate: estimate.estimate,
        std_error: estimate.std_error,
    };
    let z_mean = exact.and_then(|exact| {
        let std_error = exact.std_dev_meter.value() / figures.rounds.sqrt();
        let distance = figures.mean_meter.estimate - exact.mean_meter.value();
        Some(distance / std_error).filter(|z| z.is_finite())
    });
    Ok(SweepSimulated {
        rounds: tally.rounds(),
        seed: plan.seed.to_string(),
        sum_meter: tally.sum_meter().to_string(),
        sum_meter_squared: tally.sum_meter_squared().to_string(),
        zero_rounds: tally.zero_rounds().to_string(),
        spins: tally.spins().to_string(),
        max_meter: tally.max_meter(),
        max_round: tally.max_round().unwrap_or_default(),
        mean_meter: estimate(&figures.mean_meter),
        variance_meter: estimate(&figures.variance_meter),
        hit_frequency: estimate(&figures.hit_frequency),
        mean_spins: estimate(&figures.mean_spins),
        rtp: estimate(&figures.rtp),
        z_mean,
        digest: tally.digest(),
    })
}
