//! Tallies once the rounds are counted: joined, hashed, taken apart. Throughput in distinct
//! meters, which is what their cost grows with.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use wonderspins::engine::{EngineKind, Generator, RunPlan, Tally, simulate};
use wonderspins::paytable::PaytableFile;
use wonderspins::rules::Trigger;

fn tally(seed: u64) -> Tally {
    let paytable = PaytableFile::load("pa-693-6")
        .expect("a built-in paytable")
        .paytable;
    let plan = RunPlan {
        generator: Generator::default(),
        detail_rounds: 0,
        trigger: Trigger::Five,
        seed,
        rounds: 1_000_000,
        engine: EngineKind::Auto,
    };
    simulate(&paytable, &plan, &()).expect("a plain run").tally
}

fn tallies(criterion: &mut Criterion) {
    let (one, other) = (tally(1), tally(2));
    let mut group = criterion.benchmark_group("tally");
    group.throughput(Throughput::Elements(one.histogram().count() as u64));
    group.bench_function("merge", |bencher| {
        bencher.iter_batched_ref(
            || one.clone(),
            |sum| sum.merge(&other).expect("small sums"),
            BatchSize::LargeInput,
        );
    });
    group.bench_function("digest", |bencher| bencher.iter(|| one.digest()));
    group.bench_function("to parts and back", |bencher| {
        bencher.iter(|| Tally::from_parts(&one.to_parts()).expect("its own parts"));
    });
    group.finish();
}

criterion_group!(benches, tallies);
criterion_main!(benches);
