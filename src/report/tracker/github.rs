//! github-action-benchmark, `tool: customBiggerIsBetter`: an array of named values.

use serde::Serialize;

use super::{name, origin, results};
use crate::document::{BenchDocument, SpreadJson, to_json};

/// One value over time; the action takes `range` and `extra` as text for its tooltip.
#[derive(Serialize)]
struct Entry {
    name: String,
    unit: &'static str,
    value: f64,
    range: String,
    extra: String,
}

/// The document for github-action-benchmark: rounds a second and spins a second of every
/// result, and the ratio to the straightforward version, all the larger the better.
///
/// # Source
/// <https://github.com/benchmark-action/github-action-benchmark>, section on custom
/// benchmarks.
#[must_use]
pub fn github(document: &BenchDocument) -> String {
    let entry = |name: String, unit, spread: &SpreadJson| Entry {
        name,
        unit,
        value: spread.median,
        range: format!("\u{b1} {:.2} %", 100.0 * spread.mad / spread.median),
        extra: format!(
            "{}\n{}, seed {}\nmedian of {} samples, and their median distance from it",
            origin(document),
            document.paytable.name,
            document.seed,
            document.samples
        ),
    };
    let mut entries = Vec::new();
    for (trigger, result) in results(document) {
        let name = name(trigger, result);
        for (unit, spread) in [
            ("rounds/s", &result.rounds_per_second),
            ("spins/s", &result.spins_per_second),
        ] {
            entries.push(entry(format!("{name}: {unit}"), unit, spread));
        }
        if let Some(ratio) = &result.ratio {
            entries.push(entry(
                format!("{name}: ratio"),
                "times the straightforward version",
                ratio,
            ));
        }
    }
    to_json(&entries)
}
