//! Recorded runs, all on one machine whose two cores about nine other programs used: `first`
//! and `second` are of one build; `slowed` is of a build whose engines play every fifth batch
//! twice, so that they take 20 % more time. The scatter of these runs alone takes up 12 %, so
//! tests of other things allow more. Synthetic runs beside them fix the arithmetic.

use proptest::prelude::*;

use super::super::recorded::read;
use super::*;

fn run(name: &str) -> BenchDocument {
    let text = match name {
        "first" => include_str!("../../tests/data/bench/first.json"),
        "second" => include_str!("../../tests/data/bench/second.json"),
        _ => include_str!("../../tests/data/bench/slowed.json"),
    };
    read(text).expect("a recorded run")
}

/// Quiet is no alarm: under this load the scatter leaves one figure unclear.
#[test]
fn two_runs_of_one_build_stay_quiet_in_either_order() {
    for (old, new) in [("first", "second"), ("second", "first"), ("first", "first")] {
        let comparison = compare(&run(old), &run(new), 0.1).expect("runs of one paytable");
        assert_ne!(
            comparison.verdict,
            ComparisonVerdict::Regression,
            "{comparison:?}"
        );
        assert_ne!(comparison.verdict, ComparisonVerdict::Incomparable);
        assert_eq!(comparison.changes.len(), 4);
        assert!(comparison.missing.is_empty());
        for change in comparison.changes {
            assert!(change.change.abs() < 0.08, "{change:?}");
        }
    }
}

#[test]
fn a_slowdown_of_a_fifth_is_reported() {
    for old in ["first", "second"] {
        let comparison = compare(&run(old), &run("slowed"), 0.1).expect("runs of one paytable");
        assert_eq!(comparison.verdict, ComparisonVerdict::Regression);
        for change in &comparison.changes {
            // 1 / 1.2 - 1 is -0.167, and a second tally and its rounds are not in the caches.
            assert!((-0.27..-0.13).contains(&change.change), "{change:?}");
            assert_ne!(change.verdict, ChangeVerdict::Within, "{change:?}");
        }
    }
    // The way back is an improvement.
    let back = compare(&run("slowed"), &run("first"), 0.1).expect("runs of one paytable");
    assert_eq!(back.verdict, ComparisonVerdict::Within);
}

/// The first run with the times of an engine's samples changed.
fn altered(change: impl Fn(usize, f64) -> f64) -> BenchDocument {
    let mut document = run("first");
    for trigger in &mut document.triggers {
        for result in &mut trigger.results {
            if result.engine != BenchDocument::STRAIGHTFORWARD {
                for times in [&mut result.seconds, &mut result.cpu_seconds] {
                    for (index, time) in times.iter_mut().enumerate() {
                        *time = change(index, *time);
                    }
                }
            }
        }
    }
    document
}

#[test]
fn a_load_on_everything_falls_out() {
    let mut loaded = run("first");
    for trigger in &mut loaded.triggers {
        for result in &mut trigger.results {
            for times in [&mut result.seconds, &mut result.cpu_seconds] {
                for time in times {
                    *time *= 3.0;
                }
            }
        }
    }
    let comparison = compare(&run("first"), &loaded, 0.2).expect("runs of one paytable");
    assert_eq!(comparison.verdict, ComparisonVerdict::Within);
    for change in comparison.changes {
        assert!(change.change.abs() < 1e-12, "{change:?}");
    }
}

#[test]
fn a_load_on_most_samples_of_an_engine_falls_out() {
    // Six of seven samples take up to three times as long.
    let loaded = altered(|index, time| time * [1.0, 2.9, 1.1, 2.0, 1.4, 3.0, 1.7][index % 7]);
    let comparison = compare(&run("first"), &loaded, 0.3).expect("runs of one paytable");
    assert_ne!(comparison.verdict, ComparisonVerdict::Regression);
    let unsteady = comparison
        .changes
        .iter()
        .find(|change| change.change < -0.2);
    assert_eq!(unsteady, None);
}

#[test]
fn scatter_makes_a_loss_unclear_and_no_alarm() {
    // Not even the five least times agree: 1.2, 1.3, 1.4, 1.5 and 1.6 times a least one.
    let document = altered(|index, _| 0.12 + 0.01 * f64::from(u32::try_from(index).unwrap()));
    let mut steady = document.clone();
    for trigger in &mut steady.triggers {
        for result in &mut trigger.results {
            if result.engine != BenchDocument::STRAIGHTFORWARD {
                result.cpu_seconds.fill(0.1);
            }
        }
    }
    let comparison = compare(&steady, &document, 0.1).expect("runs of one paytable");
    assert_eq!(comparison.verdict, ComparisonVerdict::Unclear);
    for change in comparison.changes {
        assert!(
            (change.change - (1.0 / 1.2 - 1.0)).abs() < 1e-12,
            "{change:?}"
        );
    }
}

/// By hand: rounds of 10 and 2 units of time, five samples each, in a trigger of its own.
/// c = 10^(1/4) - 1 = 0.778279.
#[test]
fn bounds_follow_the_rule() {
    let mut old = run("first");
    old.triggers.truncate(1);
    old.triggers[0].results.truncate(2);
    let [plain, engine] = &mut old.triggers[0].results[..] else {
        panic!("two results");
    };
    for (result, times) in [
        (plain, [10.0, 10.1, 10.4, 12.0, 10.2]),
        (engine, [2.3, 2.0, 2.0, 2.05, 2.1]),
    ] {
        result.rounds = 1;
        result.seconds = times.to_vec();
        result.cpu_seconds = times.to_vec();
    }
    let comparison = compare(&old, &old, 0.1).expect("runs of one paytable");
    let change = &comparison.changes[0];
    // Floors: [10 - c 2, 10] = [8.443441, 10] and [2 - c 0.3, 2] = [1.766516, 2], so the ratio
    // 5 lies in [4.221721, 5.660860] both times.
    let reach = 5.660_860 / 4.221_721;
    assert!((change.old_ratio - 5.0).abs() < 1e-12, "{change:?}");
    assert!((change.upper - (reach - 1.0)).abs() < 1e-5, "{change:?}");
    assert!(
        (change.lower - (1.0 / reach - 1.0)).abs() < 1e-5,
        "{change:?}"
    );
    assert_eq!(change.verdict, ChangeVerdict::Unclear);
}

#[test]
fn one_held_up_sample_changes_nothing() {
    // Not among the five least times, so not even the interval moves.
    let plain = compare(&run("first"), &run("first"), 0.2).expect("runs of one paytable");
    let held_up = altered(|index, time| if index == 0 { time * 50.0 } else { time });
    let comparison = compare(&run("first"), &held_up, 0.2).expect("runs of one paytable");
    assert_eq!(comparison.verdict, ComparisonVerdict::Within);
    assert_eq!(comparison.changes, plain.changes);
}

#[test]
fn other_machines_and_builds_are_not_judged() {
    let changes: [fn(&mut BenchDocument); 3] = [
        |run| run.machine.cpu = "another".to_owned(),
        |run| run.machine.architecture = "another".to_owned(),
        |run| run.build.profile = "debug".to_owned(),
    ];
    for change in changes {
        let mut slowed = run("slowed");
        change(&mut slowed);
        let comparison = compare(&run("first"), &slowed, 0.1).expect("runs of one paytable");
        assert_eq!(comparison.verdict, ComparisonVerdict::Incomparable);
    }
}

#[test]
fn what_only_the_recorded_run_has_is_listed() {
    let mut new = run("second");
    for trigger in &mut new.triggers {
        trigger
            .results
            .retain(|result| result.engine != "scalar" || result.threads != 2);
    }
    let comparison = compare(&run("first"), &new, 0.3).expect("runs of one paytable");
    assert_eq!(comparison.verdict, ComparisonVerdict::Within);
    assert!(
        comparison
            .missing
            .contains(&"2 Wonderspins, scalar, 2 threads".to_owned()),
        "{:?}",
        comparison.missing
    );
    for trigger in &mut new.triggers {
        trigger
            .results
            .retain(|result| result.engine == BenchDocument::STRAIGHTFORWARD);
    }
    assert!(matches!(
        compare(&run("first"), &new, 0.1),
        Err(BenchError::NothingInCommon)
    ));
    let mut other_rounds = run("second");
    for trigger in &mut other_rounds.triggers {
        for result in &mut trigger.results {
            result.rounds *= 2;
        }
    }
    assert!(matches!(
        compare(&run("first"), &other_rounds, 0.1),
        Err(BenchError::NothingInCommon)
    ));
    // An engine that was played by another one is not the same.
    let mut by_another = run("second");
    for trigger in &mut by_another.triggers {
        for result in &mut trigger.results {
            result.played_by = Some("reference".to_owned());
        }
    }
    assert!(matches!(
        compare(&run("first"), &by_another, 0.1),
        Err(BenchError::NothingInCommon)
    ));
}

#[test]
fn another_paytable_and_an_impossible_allowance_are_refused() {
    let mut other = run("second");
    other.paytable.sha256 = "0".repeat(64);
    assert!(matches!(
        compare(&run("first"), &other, 0.1),
        Err(BenchError::OtherPaytable { .. })
    ));
    for bad in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(
            compare(&run("first"), &run("second"), bad).is_err(),
            "{bad}"
        );
    }
}

proptest! {
    #![proptest_config(crate::testing::property(200))]

    /// Whatever the samples: an alarm needs a median ratio that fell by more than the
    /// allowance, and a rise never raises one.
    #[test]
    fn an_alarm_needs_a_fall(factors in prop::collection::vec(0.3_f64..3.0, 11), allowed in 0.01_f64..0.9) {
        let new = altered(|index, time| time * factors[index % factors.len()]);
        let comparison = compare(&run("first"), &new, allowed).expect("runs of one paytable");
        for change in comparison.changes {
            prop_assert!(change.lower <= change.change && change.change <= change.upper);
            if change.verdict == ChangeVerdict::Regression {
                prop_assert!(change.new_ratio < change.old_ratio * (1.0 - allowed));
            }
            if change.change >= 0.0 {
                prop_assert!(change.verdict != ChangeVerdict::Regression);
            }
        }
    }
}
