//! Whole batches: rounds a second on one thread, counting included, of every engine that this
//! processor has and of the straightforward version. `wonderspins bench` measures the same
//! in turn, for ratios; here each is looked at alone and closely.

#![expect(clippy::print_stdout, reason = "a bench speaks to a person")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wonderspins::engine::{BATCH_ROUNDS, EngineError, EngineKind, Generator, RunPlan, simulate};
use wonderspins::paytable::PaytableFile;
use wonderspins::rules::Trigger;
use wonderspins::yardstick;

/// Batches that take each engine some milliseconds.
const ENGINES: [(EngineKind, u64); 4] = [
    (EngineKind::Avx512, 512),
    (EngineKind::Avx2, 256),
    (EngineKind::Scalar, 64),
    (EngineKind::Reference, 2),
];

fn rounds(criterion: &mut Criterion) {
    let paytable = PaytableFile::load("pa-693-6")
        .expect("a built-in paytable")
        .paytable;
    // One thread, so that a figure is that of a core.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool of one thread");
    for trigger in Trigger::ALL {
        let mut group = criterion.benchmark_group(format!("batch/{trigger} Wonderspins"));
        group.sample_size(20);
        for (engine, batches) in ENGINES {
            let plan = RunPlan {
                generator: Generator::default(),
                detail_rounds: 0,
                trigger,
                seed: 1,
                rounds: batches * u64::from(BATCH_ROUNDS),
                engine,
            };
            if let Err(EngineError::Unavailable { reason, .. }) = simulate(&paytable, &plan, &()) {
                println!("batch/{trigger} Wonderspins/{engine} is not measured: {reason}");
                continue;
            }
            group.throughput(Throughput::Elements(plan.rounds));
            group.bench_function(engine.name(), |bencher| {
                pool.install(|| bencher.iter(|| simulate(&paytable, &plan, &())));
            });
        }
        let rounds = 4 * u64::from(BATCH_ROUNDS);
        group.throughput(Throughput::Elements(rounds));
        group.bench_function("straightforward", |bencher| {
            bencher.iter(|| yardstick::play(&paytable, trigger, rounds, 1));
        });
        group.finish();
    }
}

criterion_group!(benches, rounds);
criterion_main!(benches);
