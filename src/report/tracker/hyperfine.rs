//! The form of `hyperfine --export-json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{name, results};
use crate::document::{BenchDocument, BenchResult, to_json};

/// Rounds whose time is given. The samples of a fast engine play more rounds than those of
/// a slow one; scripts that read this form compare times of equal work.
const ROUNDS: f64 = 1e6;

#[derive(Serialize)]
struct Export {
    results: Vec<Timing>,
}

#[derive(Serialize)]
struct Timing {
    command: String,
    mean: f64,
    stddev: f64,
    median: f64,
    user: f64,
    system: f64,
    min: f64,
    max: f64,
    times: Vec<f64>,
    exit_codes: Vec<i32>,
    parameters: BTreeMap<&'static str, String>,
}

/// The document as hyperfine would export it: seconds for a million rounds.
///
/// `user` is the processor time of all threads, system calls included, 0 where the system
/// does not tell it, and `system` is 0: the two are not told apart. Machine, build and
/// paytable stand among the parameters.
///
/// # Panics
/// Where a result has no sample, which no measurement and no checked document has.
/// # Source
/// <https://github.com/sharkdp/hyperfine>, export format of version 1.
#[must_use]
pub fn hyperfine(document: &BenchDocument) -> String {
    let results = results(document)
        .map(|(trigger, result)| {
            let times = for_a_million(result, &result.seconds);
            let mean = mean(&times);
            let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
            let stddev = (squares / count(times.len().saturating_sub(1))).sqrt();
            let mut sorted = times.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            Timing {
                command: format!("1e6 rounds of {}", name(trigger, result)),
                mean,
                stddev,
                median: f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]),
                user: mean_or_zero(&for_a_million(result, &result.cpu_seconds)),
                system: 0.0,
                min: sorted[0],
                max: sorted[sorted.len() - 1],
                exit_codes: vec![0; times.len()],
                times,
                parameters: parameters(document, trigger.trigger, result),
            }
        })
        .collect();
    to_json(&Export { results })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "rounds of one sample are far below 2^53"
)]
fn for_a_million(result: &BenchResult, seconds: &[f64]) -> Vec<f64> {
    seconds
        .iter()
        .map(|seconds| seconds * ROUNDS / result.rounds as f64)
        .collect()
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / count(times.len())
}

fn mean_or_zero(times: &[f64]) -> f64 {
    if times.is_empty() { 0.0 } else { mean(times) }
}

/// A number of samples, at least 1, as a divisor.
#[expect(clippy::cast_precision_loss, reason = "some hundred samples")]
fn count(samples: usize) -> f64 {
    samples.max(1) as f64
}

fn parameters(
    document: &BenchDocument,
    trigger: u32,
    result: &BenchResult,
) -> BTreeMap<&'static str, String> {
    let (tool, machine) = (&document.tool, &document.machine);
    BTreeMap::from([
        ("trigger", trigger.to_string()),
        ("engine", result.engine.clone()),
        ("threads", result.threads.to_string()),
        ("paytable", document.paytable.name.clone()),
        ("version", tool.version.clone()),
        ("commit", tool.commit.clone()),
        ("profile", document.build.profile.clone()),
        ("cpu", machine.cpu.clone()),
        ("cores", machine.cores.to_string()),
        ("os", machine.os.clone()),
    ])
}
