//! The cross-check itself: a right paytable seldom fails, a wrong one is convicted.

use wonderspins::document::CheckVerdict;
use wonderspins::engine::{EngineKind, Generator, RunPlan, simulate};
use wonderspins::exact::{Exact, solve};
use wonderspins::paytable::{Paytable, PaytableFile};
use wonderspins::rules::Trigger;
use wonderspins::verify::{cross_check, judge_all};

fn builtin(name: &str) -> Paytable {
    PaytableFile::load(name)
        .expect("a built-in paytable")
        .paytable
}

/// Ids of the checks that fail when `played` is simulated and `exact` is what it should be.
fn failures(played: &Paytable, exact: &Exact, seed: u64, rounds: u64, alpha: f64) -> Vec<String> {
    let plan = RunPlan {
        trigger: exact.trigger,
        seed,
        generator: Generator::default(),
        rounds,
        engine: EngineKind::Auto,
        detail_rounds: 0,
    };
    let simulation = simulate(played, &plan, &()).expect("the run is legal");
    let tests: Vec<_> = cross_check(played, exact, &simulation.tally)
        .expect("enough rounds")
        .into_iter()
        .map(|check| (exact.trigger, check))
        .collect();
    judge_all(&tests, alpha)
        .expect("alpha is in (0, 1)")
        .into_iter()
        .filter(|check| check.verdict == CheckVerdict::Fail)
        .map(|check| check.id)
        .collect()
}

/// 600 runs of 30,000 rounds with seeds 0 to 599 at alpha = 0.05. Holm promises at most
/// 30 false alarms on average; were the true rate 0.05, more than 50 would come with
/// probability 2e-4. Seeds are fixed, so the count is fixed too. Runs this small strain the
/// normal law of the variance, whose estimate is skewed, more than any real run does.
#[test]
fn a_right_paytable_seldom_fails() {
    let paytable = builtin("pa-693-6");
    let exact = solve(&paytable, Trigger::Two).expect("the built-in paytable is solvable");
    let alarms = (0..600)
        .filter(|&seed| !failures(&paytable, &exact, seed, 30_000, 0.05).is_empty())
        .count();
    assert!(alarms <= 50, "{alarms} false alarms in 600 runs");
    // A study that never raises an alarm would show a test that cannot fail.
    assert!(alarms >= 1, "no alarm in 600 runs at alpha = 0.05");
}

/// Another reading, other starts, another selection and another wheel are each told apart
/// by 3 10^5 rounds.
#[test]
fn a_wrong_paytable_is_convicted_by_name() {
    let literal = builtin("pa-693-6");
    let text = wonderspins::paytable::builtin::find("pa-693-6")
        .expect("it exists")
        .text;
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        PaytableFile::parse("test", &text.replace(from, to))
            .expect("a legal paytable")
            .paytable
    };
    for (played, id) in [
        (builtin("pa-693-6-net-zero"), "spins-distribution"),
        (builtin("pa-693-6-net-zero"), "mean-spins"),
        (builtin("pa-693-6-floor"), "mean-meter"),
        (
            with("values = [2, 3, 4, 5, 6, 8]", "values = [2, 3, 4, 5, 6, 7]"),
            "mean-meter",
        ),
        (
            with("values = [2, 3, 4, 5, 6, 8]", "values = [1, 2, 5, 5, 6, 9]"),
            "variance-meter",
        ),
        (
            with("law = \"uniform\"", "law = \"outer-sections\""),
            "mean-meter",
        ),
        (with("\"no-win\"", "\"mouse\""), "hit-frequency"),
    ] {
        let exact = solve(&literal, Trigger::Two).expect("the built-in paytable is solvable");
        let caught = failures(&played, &exact, 1, 300_000, 0.01);
        assert!(
            caught.iter().any(|found| found == id),
            "{id} not in {caught:?}"
        );
    }
}

/// A number of spins that cannot occur convicts alone, however rare: pooling would hide it.
#[test]
fn an_impossible_number_of_spins_is_a_failure() {
    let two = builtin("pa-693-6");
    let exact = solve(&two, Trigger::Five).expect("the built-in paytable is solvable");
    // Played with two spins, a round can end before its fifth.
    let text = wonderspins::paytable::builtin::find("pa-693-6")
        .expect("it exists")
        .text;
    let played = PaytableFile::parse("test", &text.replace("spins = 5", "spins = 4"))
        .expect("legal")
        .paytable;
    assert!(failures(&played, &exact, 1, 5_000, 0.01).contains(&"spins-distribution".to_owned()));
}
