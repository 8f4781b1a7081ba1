//! `readings` and `solve` as scripts drive them: exit codes, documents, width, wrong input.

#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

mod common;

use common::{edited, number, run, run_in, with_file};
use serde_json::Value;

/// Fails unless every line fits a terminal of 80 columns.
#[track_caller]
fn fits(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "too wide: {line}");
    }
}

/// `lower <= value <= upper` and no null, everywhere.
fn sound(value: &Value) {
    match value {
        Value::Object(map) => {
            if let (Some(value), Some(lower), Some(upper)) =
                (map.get("value"), map.get("lower"), map.get("upper"))
            {
                assert!(number(lower) <= number(value) && number(value) <= number(upper));
            }
            map.values().for_each(sound);
        }
        Value::Array(list) => list.iter().for_each(sound),
        other => assert!(!other.is_null()),
    }
}

fn header(document: &Value, schema: &str) {
    assert_eq!(document["schema"], schema);
    assert_eq!(document["tool"]["name"], "wonderspins");
    for key in ["name", "sha256", "file_sha256"] {
        assert!(document["paytable"][key].is_string(), "{key}");
    }
}

#[test]
fn readings_gives_every_combination_for_both_bets() {
    let arguments = ["readings", "--starts", "1,1,1,1,1,1", "--format", "json"];
    let document = run(&arguments).exits(0).json();
    header(&document, "wonderspins/readings/1");
    sound(&document);
    let triggers = document["triggers"].as_array().unwrap();
    assert_eq!(triggers.len(), 2);
    // Means of the derivation: the default, potions used up, and starts of 1.
    let expected = [
        [16.270_328_687_839, 13.501_302_822_535, 7.046_502_018_471],
        [50.755_998_111_769, f64::NAN, 27.918_642_447_211],
    ];
    for (trigger, means) in triggers.iter().zip(expected) {
        let readings = trigger["readings"].as_array().unwrap();
        assert_eq!(readings.len(), 16);
        let own: Vec<&Value> = readings.iter().filter(|row| row["own"] == true).collect();
        assert_eq!(own.len(), 1);
        let find = |own_starts: bool, used_up: bool| {
            readings
                .iter()
                .find(|row| {
                    row["own_starts"] == own_starts
                        && row["eat_me_consumes_spin"] == used_up
                        && row["boost"] == "uniform"
                })
                .unwrap()
        };
        let rows = [find(true, false), find(true, true), find(false, false)];
        assert_eq!(rows[0], own[0]);
        for (row, mean) in rows.iter().zip(means) {
            for key in [
                "mean_meter",
                "std_dev_meter",
                "hit_frequency",
                "rtp_conditional",
                "rtp",
            ] {
                assert!(row[key]["lower"].is_number(), "{key}");
            }
            let found = number(&row["mean_meter"]["value"]);
            assert!(
                mean.is_nan() || (found / mean - 1.0).abs() < 1e-12,
                "{found}"
            );
        }
        assert_eq!(rows[2]["starting_multipliers"], "1,1,1,1,1,1");
    }
}

#[test]
fn readings_are_a_table_and_a_csv_too() {
    let text = run(&[
        "readings",
        "pa-693-6-capped",
        "--cap",
        "100",
        "--trigger",
        "2",
    ])
    .exits(0);
    fits(&text.stdout);
    let own = text.stdout.lines().filter(|line| line.starts_with(" *"));
    assert_eq!(own.count(), 1, "{text}");
    let text = text
        .says("2 Wonderspins")
        .says("CAP")
        .says("overall RTP from");
    assert!(!text.stdout.contains("5 Wonderspins"));
    let fixed = "fixed:rabbit=10,cat=6,crown=5,bird=4,mouse=3,hat=2";
    let wide = run(&[
        "readings",
        "--starts",
        fixed,
        "--starts",
        "independent:2=3,5=1",
    ])
    .exits(0);
    fits(&wide.stdout);
    let csv = run(&["readings", "--format", "csv"]).exits(0);
    let mut reader = csv::Reader::from_reader(csv.stdout.as_bytes());
    let columns = reader.headers().unwrap().len();
    assert_eq!(columns, 8 + 15 + 1);
    assert_eq!(reader.records().count(), 16);
}

/// Two sections a wheel: with the spin of Eat Me kept, the counter stands still on average.
const TOY: &str = r#"
schema = 1
name = "toy"
source = "a hand calculation"

[inner_wheel]
sections = [1]

[outer_wheel]
sections = ["hat", "eat-me"]

[starting_multipliers]
law = "fixed"
values = { hat = 1 }

[boost]
law = "uniform"

[rules]
eat_me = { spins = 1, multipliers = 1, consumes_spin = true }
drink_me = { spins = 1, multipliers = -1, consumes_spin = true }
multiplier_floor = 1

[payout]
convention = "to-one"
zero_meter = "returns-wager"

[triggers.2]
spins = 2
main_wheel = { sections = 3, of = 54 }
other_return = "0"
"#;

/// A reading under which a round need not end has its reason, in every form.
#[test]
fn readings_of_a_round_that_need_not_end_have_no_figures() {
    let (folder, _) = with_file(TOY);
    let document = run_in(
        folder.path(),
        &["readings", "submission.toml", "--format", "json"],
    )
    .exits(0)
    .json();
    for row in document["triggers"][0]["readings"].as_array().unwrap() {
        let used_up = row["eat_me_consumes_spin"] == true;
        assert_eq!(row["rtp"].is_object(), used_up, "{row}");
        // Two spins pay 11 on average.
        assert!(!used_up || (number(&row["mean_meter"]["value"]) - 11.0).abs() < 1e-12);
        assert_eq!(row["refused"].is_string(), !used_up, "{row}");
    }
    let text = run_in(folder.path(), &["readings", "submission.toml"]).exits(0);
    fits(&text.stdout);
    text.says("no figures: rules: expected change of the counter");
}

#[test]
fn solve_brackets_a_target_for_one_bet() {
    let arguments = ["solve", "--rtp", "96.67%", "--for", "2", "--vary", "shift"];
    let text = run(&arguments).exits(0).says("below").says("above");
    fits(&text.stdout);
    let document = run(&[&arguments[..], &["--format", "json"]].concat())
        .exits(0)
        .json();
    header(&document, "wonderspins/solve/1");
    sound(&document);
    assert_eq!(document["status"], "bracketed");
    assert_eq!(document["target_rtp"], "96.67%");
    assert_eq!(document["vary"], "shift");
    assert!(document.get("joint").is_none());
    let trigger = &document["triggers"][0];
    assert_eq!(trigger["below"]["parameter"]["whole"], 0);
    assert_eq!(trigger["above"]["parameter"]["whole"], 1);
    let above = &trigger["above"]["rtp"][0];
    assert_eq!(above["starting_multipliers"], "3,4,5,6,7,9");
    assert!(number(&trigger["below"]["rtp"][0]["rtp"]["upper"]) < 0.9667);
    assert!(number(&above["rtp"]["lower"]) > 0.9667);
    let csv = run(&[&arguments[..], &["--format", "csv"]].concat()).exits(0);
    assert_eq!(csv.stdout.lines().count(), 3, "{csv}");
}

/// The value that `solve` gives, put into the file, gives the target.
#[test]
fn solve_other_return_meets_the_target_when_put_into_the_file() {
    let document = run(&[
        "solve",
        "--rtp",
        "0.9667",
        "--for",
        "5",
        "--vary",
        "other-return",
        "--format",
        "json",
    ])
    .exits(0)
    .json();
    assert_eq!(document["status"], "met");
    let decimal = &document["triggers"][0]["rounded"]["parameter"]["decimal"];
    let text = common::builtin("pa-693-6")
        .replace("other_return = \"0\"", &format!("other_return = {decimal}"));
    let (folder, _) = with_file(&text);
    let exact = run_in(
        folder.path(),
        &[
            "exact",
            "submission.toml",
            "--trigger",
            "5",
            "--format",
            "json",
        ],
    )
    .exits(0)
    .json();
    assert!((number(&exact["triggers"][0]["rtp"]["value"]) - 0.9667).abs() < 1e-12);
}

#[test]
fn solve_for_both_bets_says_whether_one_value_serves() {
    let arguments = ["solve", "--rtp", "0.9667", "--for", "2", "--for", "5"];
    let arguments = [&arguments[..], &["--vary", "other-return"]].concat();
    let text = run(&arguments).exits(1).says("none is within 0.0005");
    fits(&text.stdout);
    let wider = [
        &arguments[..],
        &["--tolerance", "0.06%", "--format", "json"],
    ]
    .concat();
    let document = run(&wider).exits(0).json();
    assert_eq!(document["status"], "met");
    assert_eq!(document["joint"]["status"], "met");
    sound(&document);
}

#[test]
fn solve_by_every_parameter_fits_the_terminal() {
    let fixed = edited(
        "pa-693-6",
        "law = \"permutation\"        # the values, one for each character, in random order\nvalues = [2, 3, 4, 5, 6, 8]",
        "law = \"fixed\"\nvalues = { rabbit = 10, cat = 6, crown = 5, bird = 4, mouse = 3, hat = 2 }",
    );
    let (folder, _) = with_file(&fixed);
    for (vary, code) in [
        ("shift", 0),
        ("scale", 0),
        ("start:hat", 0),
        ("other-return", 0),
        ("cap", 1),
    ] {
        // The mean start, weighted by sections, is 3.26: about 75 % for the first bet.
        let rtp = if vary == "cap" { "0.70" } else { "0.9" };
        let run = run_in(
            folder.path(),
            &[
                "solve",
                "submission.toml",
                "--rtp",
                rtp,
                "--for",
                "2",
                "--vary",
                vary,
            ],
        )
        .exits(code);
        fits(&run.stdout);
    }
}

#[test]
fn solve_out_of_reach_gives_the_range() {
    let arguments = ["solve", "--rtp", "0.97", "--for", "2", "--vary", "cap"];
    let text = run(&arguments)
        .exits(2)
        .says("not reachable")
        .complains("cannot be reached");
    fits(&text.stdout);
    let document = run(&[&arguments[..], &["--format", "json"]].concat())
        .exits(2)
        .json();
    assert_eq!(document["status"], "not-reachable");
    let trigger = &document["triggers"][0];
    let highest = number(&trigger["highest"]["rtp"][0]["rtp"]["upper"]);
    assert!((0.9594..0.9595).contains(&highest), "{highest}");
    assert_eq!(trigger["lowest"]["parameter"]["whole"], 1);
}

#[test]
fn wrong_arguments_are_named() {
    for (arguments, named) in [
        (&["readings", "--starts", "2,x"][..], "--starts"),
        (&["readings", "--starts", "fixed:queen=2"], "queen"),
        (&["readings", "--starts", "2,3"], "`2,3`"),
        (&["readings", "--starts", "0,1,2,3,4,5"], "`0,1,2,3,4,5`"),
        (&["readings", "--cap", "0"], "--cap"),
        (&["readings", "--cap", "1e99"], "--cap"),
        (&["readings", "--trigger", "3"], "--trigger"),
        (&["readings", "no-such-file"], "no-such-file"),
        (&["solve", "--vary", "shift"], "--rtp"),
        (&["solve", "--rtp", "0.9"], "--vary"),
        (&["solve", "--rtp", "0", "--vary", "shift"], "--rtp"),
        (&["solve", "--rtp", "nan", "--vary", "shift"], "--rtp"),
        (&["solve", "--rtp=-0.9", "--vary", "shift"], "--rtp"),
        (&["solve", "--rtp", "0.9", "--vary", "luck"], "--vary"),
        (
            &["solve", "--rtp", "0.9", "--vary", "start:queen"],
            "--vary",
        ),
        (
            &["solve", "--rtp", "0.9", "--vary", "start:hat"],
            "--vary start:hat",
        ),
        (
            &[
                "solve",
                "--rtp",
                "0.9",
                "--vary",
                "shift",
                "--tolerance",
                "0",
            ],
            "--tolerance",
        ),
        (
            &[
                "solve",
                "--rtp",
                "0.9",
                "--vary",
                "shift",
                "--tolerance",
                "nan",
            ],
            "--tolerance",
        ),
        (
            &["solve", "--rtp", "0.9", "--vary", "shift", "--for", "3"],
            "--for",
        ),
    ] {
        let run = run(arguments).exits(2).complains(named);
        assert!(run.stdout.is_empty(), "{run}");
    }
}
