//! `sensitivity`, `export` and the contributions of `exact` as scripts drive them.

#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

mod common;

use std::fs;

use common::{edited, number, run, run_in, with_file};
use serde_json::Value;
use tempfile::TempDir;

fn entries(value: &Value) -> &Vec<Value> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("{value} is no array"))
}

#[test]
fn contributions_add_up_to_the_mean() {
    for name in ["pa-693-6", "pa-693-6-floor", "pa-693-6-capped"] {
        let document = run(&["exact", name, "--format", "json"]).exits(0).json();
        for trigger in entries(&document["triggers"]) {
            let mean = number(&trigger["uncapped_mean_meter"]["value"]);
            let splits = &trigger["contributions"];
            for (key, count) in [("character", 6), ("source", 5), ("spins", 30)] {
                let parts = entries(&splits[key]);
                assert!(parts.len() >= count, "{key}");
                let sum: f64 = parts.iter().map(|part| number(&part["value"])).sum();
                assert!(
                    (sum - mean).abs() < 1e-12 * mean,
                    "{name} {key} {sum} {mean}"
                );
                for part in parts {
                    let (lower, upper) = (number(&part["lower"]), number(&part["upper"]));
                    assert!(lower <= upper && upper - lower < 1e-10, "{key} {part}");
                }
            }
            let floor = entries(&splits["source"]).last().unwrap();
            assert_eq!(floor["part"], "floor");
            assert!(number(&floor["lower"]) > 0.0);
            let rest = entries(&splits["spins"]).last().unwrap();
            assert!(rest["more_than"].is_u64() && rest.get("spins").is_none());
        }
    }
    run(&["exact", "pa-693-6-capped", "--trigger", "2"])
        .exits(0)
        .says("mean meter without the cap");
}

#[test]
fn sections_stand_clockwise_and_equal_ones_have_equal_derivatives() {
    let document = run(&["sensitivity", "--format", "json"]).exits(0).json();
    assert_eq!(document["schema"], "wonderspins/sensitivity/1");
    for key in ["tool", "paytable", "convention"] {
        assert!(!document[key].is_null(), "{key}");
    }
    for trigger in entries(&document["triggers"]) {
        let outer = entries(&trigger["outer"]);
        assert_eq!((outer.len(), entries(&trigger["inner"]).len()), (54, 12));
        assert_eq!(outer[0]["name"], "no-win");
        assert_eq!(outer[30]["name"], "rabbit");
        let derivative = |name: &str| {
            let all: Vec<f64> = outer
                .iter()
                .filter(|section| section["name"] == name)
                .map(|section| number(&section["mean_meter"]["value"]))
                .collect();
            assert!(
                all.windows(2)
                    .all(|pair| pair[0].to_bits() == pair[1].to_bits())
            );
            all[0]
        };
        // A character pays and costs a spin; no win costs one; a potion costs none.
        assert!(derivative("eat-me") > derivative("drink-me"));
        assert!(derivative("hat") > derivative("no-win"));
        // Starts in random order: which character is shown makes no difference.
        assert!((derivative("hat") - derivative("rabbit")).abs() < 1e-9);
        // Weighted by the probabilities the derivatives of a wheel cancel.
        for wheel in ["outer", "inner"] {
            let sections = entries(&trigger[wheel]);
            let sum: f64 = sections
                .iter()
                .map(|section| number(&section["mean_meter"]["value"]))
                .sum();
            assert!(sum.abs() < 1e-8, "{wheel} {sum}");
        }
    }
}

/// The derivative against `exact` on a wheel whose first Eat Me section weighs more.
#[test]
fn a_finite_difference_through_files_agrees() {
    let mean = |weight: &str| {
        let line = "# weights = [1, 1, ...]    # a biased wheel";
        let weights: Vec<&str> = (1..=54)
            .map(|section| if section == 19 { weight } else { "1000000" })
            .collect();
        let text = edited(
            "pa-693-6",
            line,
            &format!("weights = [{}] #", weights.join(", ")),
        );
        let (folder, _) = with_file(&text);
        let arguments = [
            "exact",
            "submission.toml",
            "--trigger",
            "2",
            "--format",
            "json",
        ];
        let document = run_in(folder.path(), &arguments).exits(0).json();
        number(&document["triggers"][0]["mean_meter"]["value"])
    };
    // A weight of 1 + h is a probability of (1 + h) / (54 + h): a step of h / (54 + h) along
    // the convention's direction.
    let h = 1e-3;
    let difference = (mean("1001000") - mean("999000")) / (h / (54.0 + h) + h / (54.0 - h));
    let arguments = ["sensitivity", "--trigger", "2", "--format", "json"];
    let document = run(&arguments).exits(0).json();
    let section = &document["triggers"][0]["outer"][18];
    assert_eq!(
        (&section["name"], &section["section"]),
        (&"eat-me".into(), &19.into())
    );
    let exact = number(&section["mean_meter"]["value"]);
    assert!(
        (difference - exact).abs() < 1e-5 * exact,
        "{difference} {exact}"
    );
}

#[test]
fn a_bias_gives_both_extremes_and_refuses_nonsense() {
    let arguments = [
        "sensitivity",
        "--trigger",
        "2",
        "--bias",
        "5%",
        "--format",
        "json",
    ];
    let document = run(&arguments).exits(0).json();
    let trigger = &document["triggers"][0];
    let extremes = &trigger["extremes"];
    assert_eq!(extremes["bias"], "1/20");
    let fair = number(&trigger["rtp"]["value"]);
    let (lowest, highest) = (&extremes["lowest"], &extremes["highest"]);
    assert!(number(&lowest["rtp"]["upper"]) < fair && fair < number(&highest["rtp"]["lower"]));
    assert_eq!(
        (&lowest["settled"], &highest["settled"]),
        (&true.into(), &true.into())
    );
    assert_eq!(entries(&highest["weights"]).len(), 54);
    for bias in ["0", "1", "-0.1", "nan", "", "1.5"] {
        run(&["sensitivity", &format!("--bias={bias}")]).exits(2);
    }
    // With nine times the potions' spins a biased wheel need not end its rounds.
    let potion = "drink_me = { spins = 1,";
    let text = edited("pa-693-6", potion, "drink_me = { spins = 10,");
    let (folder, _) = with_file(&text);
    let arguments = ["sensitivity", "submission.toml", "--bias", "0.9"];
    run_in(folder.path(), &arguments)
        .exits(2)
        .complains("no legal game");
}

#[test]
fn a_limit_on_spins_has_no_derivatives() {
    let text = edited(
        "pa-693-6",
        "multiplier_floor = 1",
        "multiplier_floor = 1\nmax_spins = 50",
    );
    let (folder, _) = with_file(&text);
    run_in(folder.path(), &["sensitivity", "submission.toml"])
        .exits(2)
        .complains("max_spins");
}

#[test]
fn every_form_is_complete_and_fits_the_terminal() {
    let folder = TempDir::new().unwrap();
    let arguments = ["sensitivity", "--bias", "0.05", "--svg", "wheel.svg"];
    let text = run_in(folder.path(), &arguments).exits(0);
    assert!(
        text.stdout.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let svg = fs::read_to_string(folder.path().join("wheel.svg")).unwrap();
    assert_eq!(svg.matches("<path").count(), 2 * (54 + 12));
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let csv = run(&["sensitivity", "--format", "csv"]).exits(0);
    assert_eq!(csv.stdout.lines().count(), 1 + 2 * (54 + 12));
    run_in(folder.path(), &["sensitivity", "--svg", "none/wheel.svg"])
        .exits(2)
        .complains("could not be written");
    let exact = run(&["exact"]).exits(0).says("by source: start");
    assert!(
        exact.stdout.lines().all(|line| line.chars().count() <= 80),
        "{exact}"
    );
}

#[test]
fn a_model_names_its_property_and_what_is_wrong() {
    run(&["export", "--character", "cat", "--trigger", "5"])
        .exits(0)
        .says("n : [0..N] init 5;")
        .says("// Property to check: R{\"pay\"}=? [ F \"done\" ]");
    run(&["export", "--format", "prism"])
        .exits(0)
        .says("// hat");
    run(&["export", "--character", "cat", "--with", "cat"])
        .exits(2)
        .complains("two different characters");
    run(&["export", "--character", "queen"])
        .exits(2)
        .complains("queen");
}
