//! The exact calculator: moments of the built-in paytables, both triggers.

use criterion::{Criterion, criterion_group, criterion_main};
use wonderspins::exact::solve_all;
use wonderspins::paytable::{PaytableFile, builtin};

fn moments(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exact/moments");
    group.sample_size(10);
    for entry in builtin::ALL {
        let file = PaytableFile::load(entry.name).expect("a built-in paytable");
        group.bench_function(entry.name, |bencher| {
            bencher.iter(|| solve_all(&file.paytable).expect("a proper game"));
        });
    }
    // Boost weights that differ: no two characters share their tables.
    let text = builtin::find("pa-693-6-floor")
        .expect("a built-in paytable")
        .text;
    let by_sections = text.replace("law = \"uniform\"", "law = \"outer-sections\"");
    let file = PaytableFile::parse("by sections", &by_sections).expect("a legal paytable");
    group.bench_function("pa-693-6-floor/by-sections", |bencher| {
        bencher.iter(|| solve_all(&file.paytable).expect("a proper game"));
    });
    group.finish();
}

criterion_group!(benches, moments);
criterion_main!(benches);
