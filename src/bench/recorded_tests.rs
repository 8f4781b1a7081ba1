use std::error::Error as _;

use serde_json::{Value, json};

use super::*;

const RUN: &str = include_str!("../../tests/data/bench/first.json");

/// The recorded run with one change.
fn with(change: impl FnOnce(&mut Value)) -> Result<BenchDocument, RecordedError> {
    let mut value: Value = serde_json::from_str(RUN).expect("a JSON document");
    change(&mut value);
    read(&value.to_string())
}

#[test]
fn a_run_is_read_and_written_back() {
    let document = read(RUN).expect("a recorded run");
    assert_eq!(crate::document::to_json(&document), RUN);
}

#[test]
fn unknown_keys_are_skipped() {
    let document = with(|run| run["weather"] = json!("fair")).expect("a recorded run");
    assert_eq!(document, read(RUN).expect("a recorded run"));
}

#[test]
fn faults_name_their_key() {
    let error = with(|run| run["triggers"][1]["results"][2]["rounds"] = json!("many"))
        .expect_err("no number");
    assert_eq!(
        error.to_string(),
        "`triggers[1].results[2].rounds` cannot be read"
    );
    let cause = error.source().expect("a cause").to_string();
    assert!(cause.contains("invalid type: string \"many\""), "{cause}");

    let error = with(|run| {
        let machine = run["machine"].as_object_mut().expect("an object");
        machine.remove("cpu");
    })
    .expect_err("a missing key");
    let cause = error.source().expect("a cause").to_string();
    assert!(error.to_string().starts_with("`machine"), "{error}");
    assert!(cause.contains("missing field `cpu`"), "{cause}");

    let error = with(|run| run["schema"] = json!("wonderspins/exact/1")).expect_err("a schema");
    assert_eq!(
        error.to_string(),
        "`schema` is `wonderspins/exact/1`, expected `wonderspins/bench/1`"
    );
    for text in ["", "{", "[]", "{}", "null", &format!("{RUN}x")] {
        let error = read(text).expect_err("no recorded run");
        assert!(
            matches!(error, RecordedError::Key { .. }),
            "{text}: {error}"
        );
    }
}

#[test]
fn numbers_that_no_measurement_gives_are_refused() {
    type Edit = fn(&mut Value);
    let cases: [(Edit, &str); 6] = [
        (|result| result["rounds"] = json!(0), "rounds"),
        (|result| result["spins"] = json!(0), "spins"),
        (|result| result["threads"] = json!(0), "threads"),
        (|result| result["seconds"] = json!([1.0, 1.0]), "seconds"),
        (|result| result["cpu_seconds"] = json!([1.0]), "cpu_seconds"),
        (|result| result["seconds"][3] = json!(-1.0), "seconds[3]"),
    ];
    for (edit, key) in cases {
        let error = with(|run| edit(&mut run["triggers"][0]["results"][1])).expect_err(key);
        let expected = format!("`triggers[0].results[1].{key}` ");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}
