//! A recorded run, read from its JSON document and checked.

use super::error::RecordedError;
use super::measure::LEAST_SAMPLES;
use crate::document::{BenchDocument, BenchResult};

/// Reads a run from its JSON document.
///
/// Keys that this version does not know are skipped, so that a document of a later version
/// with the same schema is still read.
///
/// # Errors
/// - [`RecordedError::Key`]: no JSON, or a key that is missing or of the wrong kind
/// - [`RecordedError::Schema`]: another schema
/// - [`RecordedError::Value`]: samples that are missing, too few, of unequal number, or not
///   positive and finite; no rounds, spins or threads
pub fn read(text: &str) -> Result<BenchDocument, RecordedError> {
    // The schema first: with another one, the first key that differs would be blamed.
    let value: serde_json::Value = parse(text)?;
    match value.get("schema").and_then(serde_json::Value::as_str) {
        Some(BenchDocument::SCHEMA) | None => {}
        Some(found) => {
            return Err(RecordedError::Schema {
                found: found.to_owned(),
            });
        }
    }
    let document: BenchDocument = parse(text)?;
    for (place, trigger) in document.triggers.iter().enumerate() {
        for (index, result) in trigger.results.iter().enumerate() {
            check(result, &format!("triggers[{place}].results[{index}]"))?;
        }
    }
    Ok(document)
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, RecordedError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        RecordedError::Key {
            key: error.path().to_string(),
            source: error.into_inner(),
        }
    })?;
    deserializer.end().map_err(|source| RecordedError::Key {
        key: ".".to_owned(),
        source,
    })?;
    Ok(value)
}

fn check(result: &BenchResult, path: &str) -> Result<(), RecordedError> {
    let refused = |key: &str, problem: String| {
        Err(RecordedError::Value {
            key: format!("{path}.{key}"),
            problem,
        })
    };
    for (key, value) in [("rounds", result.rounds), ("spins", result.spins)] {
        if value == 0 {
            return refused(key, "is 0, expected at least 1".to_owned());
        }
    }
    if result.threads == 0 {
        return refused("threads", "is 0, expected at least 1".to_owned());
    }
    let samples = result.seconds.len();
    if samples < LEAST_SAMPLES {
        let problem = format!("has {samples} samples, expected at least {LEAST_SAMPLES}");
        return refused("seconds", problem);
    }
    let timed = result.cpu_seconds.len();
    if timed != 0 && timed != samples {
        let problem = format!("has {timed} samples, expected as many as `seconds`, {samples}");
        return refused("cpu_seconds", problem);
    }
    for (key, times) in [
        ("seconds", &result.seconds),
        ("cpu_seconds", &result.cpu_seconds),
    ] {
        // A number beyond `f64` is refused by the parser, so that only signs are left.
        if let Some(index) = times.iter().position(|&time| time <= 0.0) {
            let problem = format!("is {}, expected a time above 0", times[index]);
            return refused(&format!("{key}[{index}]"), problem);
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "recorded_tests.rs"]
mod tests;
