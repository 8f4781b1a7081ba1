use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::super::generator::Generator;
use super::super::replay::replay;
use super::super::testing::{TWO, pa, zoo};
use super::*;
use crate::rules::Trigger;

const BATCH: u64 = BATCH_ROUNDS as u64;

fn plan(trigger: Trigger, seed: u64, rounds: u64) -> RunPlan {
    RunPlan {
        trigger,
        seed,
        rounds,
        generator: Generator::default(),
        engine: EngineKind::Auto,
        detail_rounds: 0,
    }
}

fn run(paytable: &Paytable, plan: RunPlan) -> Simulation {
    simulate(paytable, &plan, &()).expect("a plan that can be carried out")
}

#[test]
fn threads_never_change_a_result() {
    let paytable = pa();
    let plan = plan(Trigger::Five, 3, 40 * BATCH + 77);
    let digests = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| run(&paytable, plan)).tally.digest()
    });
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}

#[test]
fn engines_never_change_a_result() {
    for (name, paytable) in zoo() {
        let fast = run(&paytable, plan(TWO, 8, BATCH + 9_000));
        let reference = run(
            &paytable,
            RunPlan {
                engine: EngineKind::Reference,
                ..fast.plan
            },
        );
        assert_ne!(fast.engine, EngineKind::Reference);
        assert_eq!(reference.engine, EngineKind::Reference);
        assert_eq!(fast.tally, reference.tally, "{name}");
    }
}

/// Round k is the same round whatever the number of rounds: a longer run is a shorter
/// one plus the replays of the rounds between.
#[test]
fn a_round_does_not_depend_on_the_number_of_rounds() {
    let paytable = pa();
    let (short, long) = (BATCH - 30, BATCH + 20);
    let mut histogram: BTreeMap<u64, u64> = run(&paytable, plan(TWO, 6, short))
        .tally
        .histogram()
        .collect();
    for round in short..long {
        let replayed = replay(&paytable, TWO, 6, Generator::default(), round).expect("a round");
        *histogram.entry(replayed.meter).or_default() += 1;
    }
    let whole: BTreeMap<u64, u64> = run(&paytable, plan(TWO, 6, long))
        .tally
        .histogram()
        .collect();
    assert_eq!(histogram, whole);
}

/// Replays of all rounds of small runs give the runs' tallies, maximum included.
#[test]
fn replays_are_the_rounds_of_a_run() {
    for ((name, paytable), generator) in zoo().into_iter().zip(Generator::ALL.into_iter().cycle()) {
        let plan = RunPlan {
            generator,
            ..plan(TWO, 21, 12)
        };
        let simulated = run(&paytable, plan).tally;
        let cap = paytable.rules.max_meter.unwrap_or(u64::MAX);
        let mut replayed = Tally::new();
        for index in 0..plan.rounds {
            let round = replay(&paytable, TWO, plan.seed, plan.generator, index).expect("a round");
            let last = round.spins.last().expect("a round has a spin");
            assert_eq!(last.meter, round.uncapped_meter);
            assert_eq!(round.meter, round.uncapped_meter.min(cap));
            assert_eq!(last.spin as usize, round.spins.len());
            replayed
                .record(
                    last.spin,
                    std::iter::once((index, round.uncapped_meter)),
                    cap,
                )
                .expect("small sums");
        }
        assert_eq!(replayed, simulated, "{name}");
    }
}

#[test]
fn the_largest_meter_is_that_of_its_round() {
    let paytable = pa();
    for (trigger, generator) in Trigger::ALL.into_iter().zip(Generator::ALL) {
        let plan = RunPlan {
            generator,
            ..plan(trigger, 17, 20 * BATCH)
        };
        let tally = run(&paytable, plan).tally;
        let round = tally.max_round().expect("there are rounds");
        let replayed = replay(&paytable, trigger, 17, plan.generator, round).expect("a round");
        assert_eq!(replayed.meter, tally.max_meter());
        let largest = tally.histogram().last().expect("there are rounds").0;
        assert_eq!(largest, tally.max_meter());
    }
}

#[test]
fn every_seed_is_a_good_seed() {
    let paytable = pa();
    let seeds = [0, 1, 1 << 40, 1 << 63, u64::MAX];
    let mut digests: Vec<String> = seeds
        .iter()
        .map(|&seed| run(&paytable, plan(TWO, seed, 1000)).tally.digest())
        .collect();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), seeds.len());
}

/// The generators are two sources of one game: other rounds of the same seed.
#[test]
fn generators_play_different_rounds() {
    let paytable = pa();
    let [first, second] = Generator::ALL.map(|generator| {
        let plan = RunPlan {
            generator,
            ..plan(TWO, 1, 100_000)
        };
        run(&paytable, plan).tally
    });
    assert_eq!(first.rounds(), second.rounds());
    assert_ne!(first.digest(), second.digest());
}

#[test]
fn ranges_of_batches_merge_to_the_run_in_any_order() {
    let paytable = pa();
    let plan = plan(TWO, 2, 10 * BATCH + 5);
    let whole = run(&paytable, plan).tally;
    let ranges = [7..11, 0..3, 3..7];
    let mut merged = Tally::new();
    for range in ranges {
        let part = simulate_batches(&paytable, &plan, range.clone(), &()).expect("a range");
        assert_eq!(part.batches, range);
        assert!(!part.is_partial);
        merged.merge(&part.tally).expect("small sums");
    }
    assert_eq!(merged, whole);
    assert_eq!(merged.digest(), whole.digest());
}

struct StopAfter {
    calls: Cell<u32>,
    seen: Cell<Option<Progress>>,
}

impl Observer for StopAfter {
    fn progress(&self, progress: &Progress) -> ControlFlow<()> {
        if let Some(earlier) = self.seen.replace(Some(*progress)) {
            assert!(earlier.rounds_done < progress.rounds_done);
            assert!(earlier.sum_meter < progress.sum_meter);
        }
        self.calls.set(self.calls.get().saturating_sub(1));
        if self.calls.get() == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn a_stopped_run_is_the_run_of_its_first_batches() {
    let paytable = pa();
    let long = plan(TWO, 4, 1_000_000_000_000);
    let observer = StopAfter {
        calls: Cell::new(3),
        seen: Cell::new(None),
    };
    let stopped = simulate(&paytable, &long, &observer).expect("a plan");
    assert!(stopped.is_partial);
    assert_eq!(stopped.batches.start, 0);
    assert_eq!(stopped.tally.rounds(), stopped.batches.end * BATCH);
    let seen = observer.seen.get().expect("the observer was called");
    assert_eq!(seen.rounds_done, stopped.tally.rounds());
    assert_eq!(seen.rounds_planned, long.rounds);
    assert_eq!(seen.sum_meter, stopped.tally.sum_meter());
    let again = run(&paytable, plan(TWO, 4, stopped.tally.rounds()));
    assert!(!again.is_partial);
    assert_eq!(again.tally.digest(), stopped.tally.digest());
}

/// A stop after the last wave stops nothing.
#[test]
fn a_run_that_is_done_is_not_partial() {
    let paytable = pa();
    let observer = StopAfter {
        calls: Cell::new(1),
        seen: Cell::new(None),
    };
    let done = simulate(&paytable, &plan(TWO, 4, 100), &observer).expect("a plan");
    assert!(!done.is_partial);
    assert_eq!(done.tally.rounds(), 100);
}

#[test]
fn plans_that_cannot_be_carried_out_are_refused() {
    let paytable = pa();
    let refused = |plan: RunPlan| simulate(&paytable, &plan, &()).expect_err("a refusal");
    assert_eq!(refused(plan(TWO, 1, 0)), EngineError::Rounds { found: 0 });
    let many = 1_000_000_000_000_001;
    assert_eq!(
        refused(plan(TWO, 1, many)),
        EngineError::Rounds { found: many }
    );
    assert_eq!(
        replay(&paytable, TWO, 1, Generator::default(), many - 1),
        Err(EngineError::RoundIndex { found: many - 1 })
    );
    assert!(replay(&paytable, TWO, 1, Generator::default(), many - 2).is_ok());
    let tiny = super::super::testing::paytable(crate::paytable::fixture::tiny(2));
    assert_eq!(
        simulate(&tiny, &plan(Trigger::Five, 1, 1), &()).expect_err("a refusal"),
        EngineError::UnknownTrigger {
            trigger: Trigger::Five
        }
    );
    for (start, end) in [(0, 0), (0, 3), (2, 2)] {
        assert_eq!(
            simulate_batches(&paytable, &plan(TWO, 1, 2 * BATCH), start..end, &())
                .expect_err("a refusal"),
            EngineError::Batches {
                start,
                end,
                batches: 2
            }
        );
    }
}

fn watched(plan: RunPlan, detail_rounds: u64) -> RunPlan {
    RunPlan {
        detail_rounds,
        ..plan
    }
}

/// The detail is of exactly the rounds below the limit, wherever it falls, and the tally
/// never notices.
#[test]
fn the_detail_is_of_the_first_rounds_of_any_run() {
    let paytable = pa();
    let long = plan(TWO, 31, 3 * BATCH + 100);
    let unwatched = run(&paytable, long);
    assert_eq!(unwatched.detail, Detail::new(&paytable));
    for limit in [1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH + 99, long.rounds] {
        let partly = run(&paytable, watched(long, limit));
        assert_eq!(partly.tally, unwatched.tally);
        assert_eq!(partly.detail.rounds(), limit);
        let alone = run(&paytable, watched(plan(TWO, 31, limit), u64::MAX));
        assert_eq!(alone.detail, partly.detail);
        assert_eq!(
            alone.detail.all_hits().meter,
            alone.tally.uncapped_sum_meter()
        );
    }
}

/// Neither threads nor engine nor the division into ranges enters a detail.
#[test]
fn threads_engines_and_shards_never_change_a_detail() {
    let paytable = pa();
    let plan = watched(plan(Trigger::Five, 3, 9 * BATCH), 6 * BATCH + 77);
    let whole = run(&paytable, plan);
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        let simulation = pool.install(|| run(&paytable, plan));
        assert_eq!(simulation.detail, whole.detail);
    }
    let reference = RunPlan {
        engine: EngineKind::Reference,
        ..plan
    };
    assert_eq!(run(&paytable, reference).detail, whole.detail);
    let mut merged = Detail::new(&paytable);
    for range in [7..9, 0..3, 5..7, 3..5] {
        let part = simulate_batches(&paytable, &plan, range, &()).expect("a range");
        merged.merge(&part.detail).expect("small sums");
    }
    assert_eq!(merged, whole.detail);
    assert_eq!(merged.digest(), whole.detail.digest());
    // Of the 7 batches with watched rounds six have 16,383 pairs, the last 76.
    assert_eq!(merged.parts().paid.pairs, 6 * (BATCH - 1) + 76);
}

#[test]
fn waves_approach_their_time_without_leaps() {
    let wave = |batches, milliseconds| next_wave(batches, Duration::from_millis(milliseconds));
    assert_eq!(wave(100, 500), 100);
    assert_eq!(wave(100, 1000), 50);
    assert_eq!(wave(100, 250), 200);
    assert_eq!(wave(100, 1), 400);
    assert_eq!(wave(1, 60_000), 1);
    assert_eq!(next_wave(100, Duration::ZERO), 400);
    assert_eq!(wave(MAX_WAVE, 1), MAX_WAVE);
}

/// Ten million rounds of the fixture against exact values, computed without simulation
/// to twelve decimals.
///
/// Means of meters: two-sided at 4.5 standard errors, 6.8e-6 for each trigger. Means of
/// spins, 54/35 for each spin of the trigger: the same. Eight tests: one false alarm in
/// 18,000 choices of the seed. The standard error is the sample's own.
#[test]
fn means_of_ten_million_rounds() {
    let paytable = pa();
    let exact = [
        (TWO, 16.270_328_687_839),
        (Trigger::Five, 50.755_998_111_769),
    ];
    let cases = exact.map(|case| Generator::ALL.map(|generator| (case, generator)));
    for ((trigger, exact), generator) in cases.into_iter().flatten() {
        let plan = RunPlan {
            generator,
            ..plan(trigger, 2026, 10_000_000)
        };
        let tally = run(&paytable, plan).tally;
        let z = z_score(
            tally.rounds(),
            tally.sum_meter(),
            tally.sum_meter_squared(),
            exact,
        );
        assert!(
            z.abs() < 4.5,
            "meter, trigger {trigger}, {generator}: z = {z}"
        );

        let squares = tally
            .spins_histogram()
            .map(|(spins, rounds)| u128::from(spins * spins) * u128::from(rounds))
            .sum();
        let exact = 54.0 / 35.0 * f64::from(trigger.number());
        let z = z_score(tally.rounds(), tally.spins(), squares, exact);
        assert!(
            z.abs() < 4.5,
            "spins, trigger {trigger}, {generator}: z = {z}"
        );
    }
}

/// The tiny game by hand: one spin pays 2 + 2 K with P(K = k) = 2^-(k + 1), so the mean
/// is 4, the variance 8, and half of the rounds pay 2; two spins: mean 11, variance 40.
/// 4.5 standard errors each, of a million rounds.
#[test]
fn the_tiny_game_has_its_hand_made_moments() {
    for (spins, mean, variance) in [(1, 4.0, 8.0), (2, 11.0, 40.0)] {
        let paytable = super::super::testing::paytable(crate::paytable::fixture::tiny(spins));
        let tally = run(&paytable, plan(TWO, 12, 1_000_000)).tally;
        let z = z_score(
            tally.rounds(),
            tally.sum_meter(),
            tally.sum_meter_squared(),
            mean,
        );
        assert!(z.abs() < 4.5, "{spins} spins: z = {z}");
        // E[M^2] is known too; its own error is bounded by the sample's fourth moment.
        let squares = variance + mean * mean;
        let fourth: u128 = tally
            .histogram()
            .map(|(meter, rounds)| u128::from(meter).pow(4) * u128::from(rounds))
            .sum();
        let z = z_score(tally.rounds(), tally.sum_meter_squared(), fourth, squares);
        assert!(z.abs() < 4.5, "{spins} spins, squares: z = {z}");
    }
}

/// Distance of a sample mean from `exact` in standard errors of the sample.
#[expect(
    clippy::cast_precision_loss,
    reason = "sums below 2^53, or relative errors far below the statistical one"
)]
fn z_score(rounds: u64, sum: u128, squares: u128, exact: f64) -> f64 {
    let rounds = rounds as f64;
    let mean = sum as f64 / rounds;
    let variance = squares as f64 / rounds - mean * mean;
    (mean - exact) / (variance / rounds).sqrt()
}
