//! Throughput of the engine, in rounds (or words) a second on one thread.
//!
//! The yardstick is the simulator that one would write first: enums, one `random_range`
//! for each draw, `StdRng`, a `HashMap` of results. It also is a third reading of the
//! rules, so its mean is compared with the engine's before anything is timed.

use std::collections::HashMap;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use wonderspins::engine::stream::{LANES, Stream};
use wonderspins::engine::{BATCH_ROUNDS, EngineKind, Generator, RunPlan, simulate};
use wonderspins::paytable::{Paytable, PaytableFile};
use wonderspins::rules::{InnerSection, OuterSection, Trigger};

const STARTS: [u32; 6] = [2, 3, 4, 5, 6, 8];

/// The default paytable, whose starts are a random permutation of [`STARTS`].
fn paytable() -> Paytable {
    PaytableFile::load("pa-693-6")
        .expect("a built-in paytable")
        .paytable
}

/// Plays rounds the straightforward way and counts them by meter.
fn yardstick(paytable: &Paytable, spins: u32, rounds: u64, rng: &mut StdRng) -> HashMap<u64, u64> {
    let inner = &paytable.inner_wheel.sections;
    let outer = &paytable.outer_wheel.sections;
    let mut histogram = HashMap::new();
    for _ in 0..rounds {
        let mut multipliers = STARTS;
        multipliers.shuffle(rng);
        let mut counter = spins;
        let mut meter = 0_u64;
        while counter > 0 {
            match inner[rng.random_range(0..inner.len())] {
                InnerSection::Multiplier(amount) => {
                    multipliers[rng.random_range(0..6_usize)] += amount;
                }
                InnerSection::AdditionalSpin => counter += 1,
            }
            match outer[rng.random_range(0..outer.len())] {
                OuterSection::Character(character) => {
                    meter += u64::from(multipliers[character as usize]);
                    counter -= 1;
                }
                OuterSection::NoWin => counter -= 1,
                OuterSection::EatMe => {
                    counter += 1;
                    for multiplier in &mut multipliers {
                        *multiplier += 1;
                    }
                }
                OuterSection::DrinkMe => {
                    counter += 1;
                    for multiplier in &mut multipliers {
                        *multiplier = (*multiplier - 1).max(1);
                    }
                }
            }
        }
        *histogram.entry(meter).or_insert(0) += 1;
    }
    histogram
}

/// Mean and variance of the mean of a histogram.
#[expect(
    clippy::cast_precision_loss,
    reason = "a few million rounds with meters of a few thousand are exact in f64"
)]
fn mean(histogram: impl Iterator<Item = (u64, u64)>) -> (f64, f64) {
    let (mut rounds, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (meter, count) in histogram {
        let (meter, count) = (meter as f64, count as f64);
        rounds += count;
        sum += meter * count;
        squares += meter * meter * count;
    }
    let mean = sum / rounds;
    (mean, (squares / rounds - mean * mean) / rounds)
}

/// One thread, so that a figure is that of a core.
fn one_thread() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool of one thread")
}

fn plan(trigger: Trigger, rounds: u64, engine: EngineKind) -> RunPlan {
    RunPlan {
        trigger,
        seed: 1,
        generator: Generator::default(),
        rounds,
        engine,
        detail_rounds: 0,
    }
}

/// The yardstick and the engine must play the same game: two means of 2 million rounds
/// within 4.5 standard errors of their difference (false alarm 7e-6 for each trigger).
fn check_yardstick(paytable: &Paytable) {
    for trigger in Trigger::ALL {
        let mut rng = StdRng::seed_from_u64(2);
        let histogram = yardstick(paytable, trigger.number(), 2_000_000, &mut rng);
        let (plain, plain_variance) = mean(histogram.into_iter());
        let run = simulate(paytable, &plan(trigger, 2_000_000, EngineKind::Auto), &());
        let (fast, fast_variance) = mean(run.expect("a plain run").tally.histogram());
        let z = (plain - fast) / (plain_variance + fast_variance).sqrt();
        assert!(
            z.abs() < 4.5,
            "trigger {trigger}: {plain} and {fast}, z = {z}"
        );
    }
}

fn words(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("words");
    group.throughput(Throughput::Elements(64 * LANES as u64));
    for generator in Generator::ALL {
        group.bench_function(generator.name(), |bencher| {
            let mut stream = Stream::new(generator, 1, Trigger::Two, 0);
            let mut steps = [[0; LANES]; 64];
            bencher.iter(|| stream.steps(black_box(&mut steps)));
        });
    }
    group.finish();
}

fn rounds(criterion: &mut Criterion) {
    let paytable = paytable();
    check_yardstick(&paytable);
    let pool = one_thread();
    for trigger in Trigger::ALL {
        let mut group = criterion.benchmark_group(format!("rounds-{trigger}"));
        group.sample_size(20);
        for (engine, batches) in [(EngineKind::Scalar, 256_u64), (EngineKind::Reference, 2)] {
            let rounds = batches * u64::from(BATCH_ROUNDS);
            group.throughput(Throughput::Elements(rounds));
            group.bench_function(engine.name(), |bencher| {
                pool.install(|| {
                    bencher.iter(|| simulate(&paytable, &plan(trigger, rounds, engine), &()));
                });
            });
        }
        // The price of a detail, against `scalar`.
        let rounds = 256 * u64::from(BATCH_ROUNDS);
        let watched = RunPlan {
            detail_rounds: u64::MAX,
            ..plan(trigger, rounds, EngineKind::Scalar)
        };
        group.throughput(Throughput::Elements(rounds));
        group.bench_function("watched", |bencher| {
            pool.install(|| bencher.iter(|| simulate(&paytable, &watched, &())));
        });
        let rounds = 4 * u64::from(BATCH_ROUNDS);
        group.throughput(Throughput::Elements(rounds));
        group.bench_function("yardstick", |bencher| {
            let mut rng = StdRng::seed_from_u64(1);
            bencher.iter(|| yardstick(&paytable, trigger.number(), rounds, &mut rng));
        });
        group.finish();
    }
}

criterion_group!(benches, words, rounds);
criterion_main!(benches);
