use serde_json::{Value, json};

use super::*;
use crate::document::{Build, Machine, PaytableId, SpreadJson, Tool};

/// Five samples that can be reckoned by hand: 2,000,000 rounds in 1, 2, 4, 5 and 8 seconds.
fn document() -> BenchDocument {
    let spread = |median, min, max, mad| SpreadJson {
        median,
        min,
        max,
        mad,
    };
    let result = BenchResult {
        engine: "scalar".to_owned(),
        played_by: None,
        threads: 1,
        rounds: 2_000_000,
        spins: 6_000_000,
        rounds_per_second: spread(5e5, 2.5e5, 2e6, 1e5),
        spins_per_second: spread(1.5e6, 7.5e5, 6e6, 3e5),
        cpu_nanoseconds_per_round: Some(spread(1e3, 5e2, 2e3, 5e2)),
        ratio: Some(spread(8.0, 6.0, 9.0, 0.5)),
        seconds: vec![1.0, 8.0, 2.0, 5.0, 4.0],
        cpu_seconds: vec![1.0, 4.0, 2.0, 2.0, 1.0],
    };
    let plain = BenchResult {
        engine: BenchDocument::STRAIGHTFORWARD.to_owned(),
        cpu_nanoseconds_per_round: None,
        ratio: None,
        cpu_seconds: Vec::new(),
        threads: 2,
        ..result.clone()
    };
    BenchDocument {
        schema: BenchDocument::SCHEMA.to_owned(),
        tool: Tool {
            name: "wonderspins".to_owned(),
            version: "1.2.3".to_owned(),
            commit: "abc".to_owned(),
        },
        build: Build {
            profile: "release".to_owned(),
            rust: "1.95".to_owned(),
        },
        machine: Machine {
            cpu: "A Processor".to_owned(),
            cores: 2,
            os: "linux".to_owned(),
            architecture: "x86_64".to_owned(),
        },
        paytable: PaytableId {
            name: "A Paytable".to_owned(),
            sha256: "0".repeat(64),
            file_sha256: "1".repeat(64),
        },
        seed: "1".to_owned(),
        samples: 5,
        triggers: vec![BenchTrigger {
            trigger: 5,
            results: vec![plain, result],
            unmeasured: Vec::new(),
        }],
        comparison: None,
    }
}

fn parsed(text: &str) -> Value {
    assert!(text.ends_with("]\n") || text.ends_with("}\n"), "{text}");
    serde_json::from_str(text).expect("a JSON document")
}

/// By the keys of the action's README: `name`, `unit`, `value`; text in `range` and `extra`.
#[test]
fn github_takes_an_array_of_values() {
    let value = parsed(&github(&document()));
    let extra = "wonderspins 1.2.3 (commit abc), release build, Rust 1.95\n\
        A Processor, 2 cores, linux x86_64\nA Paytable, seed 1\n\
        median of 5 samples, and their median distance from it";
    let entry = |name: &str, unit, value: f64, range| json!({"name": name, "unit": unit, "value": value, "range": range, "extra": extra});
    let ratio = "times the straightforward version";
    assert_eq!(
        value,
        json!([
            entry(
                "5 Wonderspins, straightforward, 2 threads: rounds/s",
                "rounds/s",
                5e5,
                "± 20.00 %"
            ),
            entry(
                "5 Wonderspins, straightforward, 2 threads: spins/s",
                "spins/s",
                1.5e6,
                "± 20.00 %"
            ),
            entry(
                "5 Wonderspins, scalar, 1 thread: rounds/s",
                "rounds/s",
                5e5,
                "± 20.00 %"
            ),
            entry(
                "5 Wonderspins, scalar, 1 thread: spins/s",
                "spins/s",
                1.5e6,
                "± 20.00 %"
            ),
            entry(
                "5 Wonderspins, scalar, 1 thread: ratio",
                ratio,
                8.0,
                "± 6.25 %"
            ),
        ])
    );
}

/// By the JSON schema of the format: objects of objects with `value`, `lower_value` and
/// `upper_value`.
#[test]
fn bencher_takes_measures_by_benchmark() {
    let throughput = json!({"value": 5e5, "lower_value": 2.5e5, "upper_value": 2e6});
    let spins = json!({"value": 1.5e6, "lower_value": 7.5e5, "upper_value": 6e6});
    assert_eq!(
        parsed(&bencher(&document())),
        json!({
            "5 Wonderspins, scalar, 1 thread": {
                "throughput": throughput,
                "spin-throughput": spins,
                "ratio": {"value": 8.0, "lower_value": 6.0, "upper_value": 9.0},
            },
            "5 Wonderspins, straightforward, 2 threads": {
                "throughput": throughput,
                "spin-throughput": spins,
            },
        })
    );
}

/// By the fields of hyperfine's own result, in seconds.
#[test]
fn hyperfine_takes_times_of_equal_work() {
    let value = parsed(&hyperfine(&document()));
    let results = value["results"].as_array().expect("an array");
    assert_eq!(results.len(), 2);
    let scalar = &results[1];
    assert_eq!(
        scalar["command"],
        "1e6 rounds of 5 Wonderspins, scalar, 1 thread"
    );
    // Half of each time: 0.5, 4, 1, 2.5, 2.
    assert_eq!(scalar["times"], json!([0.5, 4.0, 1.0, 2.5, 2.0]));
    let number = |key: &str| scalar[key].as_f64().expect("a number");
    for (key, expected) in [
        ("mean", 2.0),
        ("median", 2.0),
        ("min", 0.5),
        ("max", 4.0),
        ("user", 1.0),
        ("system", 0.0),
        // Squares 2.25, 4, 1, 0.25, 0: 7.5 over 4.
        ("stddev", 1.875_f64.sqrt()),
    ] {
        assert!((number(key) - expected).abs() < 1e-15, "{key}");
    }
    assert_eq!(scalar["exit_codes"], json!([0, 0, 0, 0, 0]));
    // Parameters of hyperfine are text.
    for (key, expected) in [
        ("trigger", "5"),
        ("engine", "scalar"),
        ("threads", "1"),
        ("cpu", "A Processor"),
        ("cores", "2"),
        ("os", "linux"),
        ("commit", "abc"),
        ("version", "1.2.3"),
        ("profile", "release"),
        ("paytable", "A Paytable"),
    ] {
        assert_eq!(scalar["parameters"][key], expected, "{key}");
    }
    assert_eq!(results[0]["user"], 0.0);
}
