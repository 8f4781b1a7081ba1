use super::*;
use crate::paytable::builtin;

fn file() -> PaytableFile {
    PaytableFile::load(builtin::ALL[0].name).expect("a built-in paytable")
}

fn plan(threads: usize, engines: &[EngineKind]) -> BenchPlan {
    BenchPlan {
        triggers: vec![Trigger::Two],
        engines: engines.to_vec(),
        forced: true,
        threads,
        seed: 1,
        samples: LEAST_SAMPLES,
        duration: Duration::from_millis(100),
        same_work_as: None,
    }
}

#[test]
fn samples_are_taken_in_turn() {
    let mut order = Vec::new();
    let document = measure(
        &file(),
        &plan(2, &[EngineKind::Scalar, EngineKind::Auto]),
        &mut |step| {
            assert_eq!(step.planned, 30);
            assert_eq!(step.done, order.len() + 1);
            order.push((step.engine.to_owned(), step.threads));
        },
    )
    .expect("the scalar engine runs everywhere");
    let turn = [
        ("straightforward", 1),
        ("scalar", 1),
        ("auto", 1),
        ("straightforward", 2),
        ("scalar", 2),
        ("auto", 2),
    ];
    assert_eq!(order.len(), 5 * turn.len());
    for (found, (engine, threads)) in order.iter().zip(turn.iter().cycle()) {
        assert_eq!((found.0.as_str(), &found.1), (*engine, threads));
    }
    assert_eq!(document.triggers[0].results.len(), turn.len());
}

#[test]
fn figures_follow_from_the_samples_beside_them() {
    let document = measure(&file(), &plan(1, &[EngineKind::Scalar]), &mut |_| ())
        .expect("the scalar engine runs everywhere");
    let [yardstick, scalar] = &document.triggers[0].results[..] else {
        panic!("one engine beside the straightforward version");
    };
    assert_eq!(yardstick.ratio, None);
    assert_eq!(document.samples, LEAST_SAMPLES);
    for result in [yardstick, scalar] {
        assert_eq!(result.seconds.len(), LEAST_SAMPLES);
        assert!(result.rounds > 0 && result.rounds.is_multiple_of(u64::from(BATCH_ROUNDS)));
        // Two spins end few rounds early and none before the second.
        assert!(result.spins >= 2 * result.rounds && result.spins <= 6 * result.rounds);
        let mut seconds = result.seconds.clone();
        seconds.sort_unstable_by(f64::total_cmp);
        let rate = result.rounds_per_second;
        for (found, time) in [
            (rate.median, seconds[2]),
            (rate.max, seconds[0]),
            (rate.min, seconds[4]),
        ] {
            #[expect(clippy::cast_precision_loss, reason = "some thousands of rounds")]
            let rounds = result.rounds as f64;
            assert!((found * time / rounds - 1.0).abs() < 1e-12);
        }
    }
    let ratio = scalar.ratio.expect("an engine has a ratio");
    assert!(ratio.min <= ratio.median && ratio.median <= ratio.max);
    // Optimised or not, tables beat the straightforward version.
    assert!(ratio.median > 0.5, "{ratio:?}");
}

#[test]
fn the_time_asked_for_is_about_what_the_samples_take() {
    let mut plan = plan(1, &[EngineKind::Scalar]);
    plan.duration = Duration::from_secs(1);
    let document = measure(&file(), &plan, &mut |_| ()).expect("the scalar engine runs everywhere");
    let total: f64 = document.triggers[0]
        .results
        .iter()
        .flat_map(|result| {
            // Where there is no processor time, wall-clock time is what is measured.
            if result.cpu_seconds.is_empty() {
                &result.seconds
            } else {
                &result.cpu_seconds
            }
        })
        .sum();
    // Each sample takes from two thirds to four thirds of its time, and a busy machine may
    // slow samples down to half their speed during the calibration or after it.
    assert!((0.3..3.0).contains(&total), "{total} s");
}

#[test]
fn a_run_that_is_compared_does_the_same_work() {
    let mut plan = plan(1, &[EngineKind::Scalar]);
    let first = measure(&file(), &plan, &mut |_| ()).expect("the scalar engine runs everywhere");
    plan.duration *= 20;
    plan.engines.push(EngineKind::Auto);
    plan.same_work_as = Some(first.clone());
    let second = measure(&file(), &plan, &mut |_| ()).expect("the scalar engine runs everywhere");
    let work = |run: &BenchDocument| -> Vec<(u64, u64)> {
        let results = run.triggers[0].results.iter();
        results.map(|each| (each.rounds, each.spins)).collect()
    };
    assert_eq!(work(&second)[..2], work(&first));
    // What was not recorded takes the time that is asked for.
    assert!(work(&second)[2].0 > work(&first)[1].0);
}

#[test]
fn plans_that_measure_nothing_are_refused() {
    let good = plan(1, &[EngineKind::Scalar]);
    let refused = |change: fn(&mut BenchPlan)| {
        let mut plan = good.clone();
        change(&mut plan);
        measure(&file(), &plan, &mut |_| ()).expect_err("nothing to measure")
    };
    assert!(matches!(
        refused(|plan| plan.triggers.clear()),
        BenchError::Empty { what: "trigger" }
    ));
    assert!(matches!(
        refused(|plan| plan.engines.clear()),
        BenchError::Empty { what: "engine" }
    ));
    assert!(matches!(
        refused(|plan| plan.samples = 4),
        BenchError::Samples { found: 4, least: 5 }
    ));
}

#[test]
fn a_trigger_that_the_paytable_lacks_is_refused() {
    let text = builtin::ALL[0].text;
    let end = text.find("[triggers.5]").expect("the second trigger");
    let file = PaytableFile::parse("one trigger", &text[..end]).expect("a legal paytable");
    let mut plan = plan(1, &[EngineKind::Scalar]);
    plan.triggers = vec![Trigger::Five];
    assert!(matches!(
        measure(&file, &plan, &mut |_| ()),
        Err(BenchError::UnknownTrigger {
            trigger: Trigger::Five
        })
    ));
}

/// Rounds in pieces are the rounds of the pieces, whatever the threads.
#[test]
fn pieces_of_the_straightforward_version_add_up() {
    let file = file();
    let mut subject = Subject::new(Trigger::Two, None, 3);
    subject.rounds = 2 * PIECE + 5;
    let expected: u64 = [(PIECE, 9), (PIECE, 10), (5, 11)]
        .into_iter()
        .map(|(rounds, seed)| {
            let counts = yardstick::play(&file.paytable, Trigger::Two, rounds, seed);
            counts.expect("the trigger exists").spins
        })
        .sum();
    assert_eq!(subject.play_plainly(&file.paytable, 9), expected);
}
