//! Bencher Metric Format: benchmarks by name, each with measures by name.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{name, results};
use crate::document::{BenchDocument, SpreadJson, to_json};

/// A value between the smallest and the largest sample.
#[derive(Serialize)]
struct Metric {
    value: f64,
    lower_value: f64,
    upper_value: f64,
}

impl From<&SpreadJson> for Metric {
    fn from(spread: &SpreadJson) -> Self {
        Self {
            value: spread.median,
            lower_value: spread.min,
            upper_value: spread.max,
        }
    }
}

/// The document in Bencher Metric Format: `throughput` is rounds a second,
/// `spin-throughput` spins a second, `ratio` how many times as fast as the straightforward
/// version. The format has no place for machine and build; Bencher takes these from its
/// own `--testbed` and `--hash`.
///
/// # Source
/// <https://bencher.dev/docs/reference/bencher-metric-format/>
#[must_use]
pub fn bencher(document: &BenchDocument) -> String {
    let benchmarks: BTreeMap<String, BTreeMap<&str, Metric>> = results(document)
        .map(|(trigger, result)| {
            let mut measures = BTreeMap::from([
                ("throughput", Metric::from(&result.rounds_per_second)),
                ("spin-throughput", Metric::from(&result.spins_per_second)),
            ]);
            if let Some(ratio) = &result.ratio {
                measures.insert("ratio", Metric::from(ratio));
            }
            (name(trigger, result), measures)
        })
        .collect();
    to_json(&benchmarks)
}
