//! A measurement of speed in the formats that benchmark trackers read.
//!
//! | file | writes |
//! | --- | --- |
//! | `github` | what github-action-benchmark reads with `tool: customBiggerIsBetter` |
//! | `bencher` | Bencher Metric Format, for `bencher run --adapter json` |
//! | `hyperfine` | the form of `hyperfine --export-json` |
//!
//! Each is made from a [`BenchDocument`] alone. All are named alike: `2 Wonderspins, avx2,
//! 1 thread`.

mod bencher;
mod github;
mod hyperfine;

pub use bencher::bencher;
pub use github::github;
pub use hyperfine::hyperfine;

use crate::document::{BenchDocument, BenchResult, BenchTrigger};

/// Every result with its trigger, in the order of the document.
fn results(document: &BenchDocument) -> impl Iterator<Item = (&BenchTrigger, &BenchResult)> {
    document
        .triggers
        .iter()
        .flat_map(|trigger| trigger.results.iter().map(move |result| (trigger, result)))
}

/// What a result is called.
fn name(trigger: &BenchTrigger, result: &BenchResult) -> String {
    let plural = if result.threads == 1 { "" } else { "s" };
    format!(
        "{} Wonderspins, {}, {} thread{plural}",
        trigger.trigger, result.engine, result.threads
    )
}

/// Program, build and machine on lines of their own.
#[must_use]
pub fn origin(document: &BenchDocument) -> String {
    let (tool, build, machine) = (&document.tool, &document.build, &document.machine);
    let plural = if machine.cores == 1 { "" } else { "s" };
    format!(
        "{} {} (commit {}), {} build, Rust {}\n{}, {} core{plural}, {} {}",
        tool.name,
        tool.version,
        tool.commit,
        build.profile,
        build.rust,
        machine.cpu,
        machine.cores,
        machine.os,
        machine.architecture,
    )
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
