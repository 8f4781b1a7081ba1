//! The streams of a batch: words a second on one thread.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wonderspins::engine::Generator;
use wonderspins::engine::stream::{LANES, Stream};
use wonderspins::rules::Trigger;

/// Words of every lane, as many as a batch takes for a spin or two.
fn words(criterion: &mut Criterion) {
    const STEPS: usize = 256;
    let mut group = criterion.benchmark_group("generator/words");
    group.throughput(Throughput::Elements((STEPS * LANES) as u64));
    for generator in Generator::ALL {
        group.bench_function(generator.name(), |bencher| {
            let mut stream = Stream::new(generator, 1, Trigger::Two, 0);
            let mut steps = vec![[0; LANES]; STEPS];
            bencher.iter(|| stream.steps(black_box(&mut steps)));
        });
    }
    group.finish();
}

/// The streams of a batch from their hash: paid once for each batch.
fn streams(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generator/streams");
    group.throughput(Throughput::Elements(LANES as u64));
    for generator in Generator::ALL {
        group.bench_function(generator.name(), |bencher| {
            let mut batch = 0;
            bencher.iter(|| {
                batch += 1;
                Stream::new(generator, black_box(1), Trigger::Two, batch)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, words, streams);
criterion_main!(benches);
