//! The streams of a batch: words a second on one thread.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wonderspins::engine::stream::{LANES, Stream};
use wonderspins::rules::Trigger;

/// Words of every lane, as many as a batch takes for a spin or two.
fn words(criterion: &mut Criterion) {
    const STEPS: usize = 256;
    let mut group = criterion.benchmark_group("generator/words");
    group.throughput(Throughput::Elements((STEPS * LANES) as u64));
    group.bench_function("u64", |bencher| {
        let mut stream = Stream::new(1, Trigger::Two, 0);
        bencher.iter(|| {
            for _ in 0..STEPS {
                black_box(stream.step());
            }
        });
    });
    group.finish();
}

/// The streams of a batch from their hash: paid once for each batch.
fn streams(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generator/streams");
    group.throughput(Throughput::Elements(LANES as u64));
    group.bench_function("of a batch", |bencher| {
        let mut batch = 0;
        bencher.iter(|| {
            batch += 1;
            Stream::new(black_box(1), Trigger::Two, batch)
        });
    });
    group.finish();
}

criterion_group!(benches, words, streams);
criterion_main!(benches);
