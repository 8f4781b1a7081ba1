//! From results to files: the certificate of a run, and each of its forms. Throughput in
//! bytes written.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wonderspins::engine::{EngineKind, Generator, RunPlan, Seed, simulate};
use wonderspins::exact;
use wonderspins::exact::distribution::{DistributionOptions, distributions};
use wonderspins::paytable::PaytableFile;
use wonderspins::regulation::Evidence;
use wonderspins::report::writers;
use wonderspins::verify::{
    Asked, CertificateParts, Settings, certify, rare_payouts, return_splits,
};

fn report(criterion: &mut Criterion) {
    let file = PaytableFile::load("pa-693-6").expect("a built-in paytable");
    let seed = Seed::given(1);
    let exact = exact::solve_all(&file.paytable).expect("a proper game");
    let simulations: Vec<_> = exact
        .iter()
        .map(|exact| {
            let plan = RunPlan {
                generator: Generator::default(),
                detail_rounds: 0,
                trigger: exact.trigger,
                seed: seed.value,
                rounds: 1_000_000,
                engine: EngineKind::Auto,
            };
            simulate(&file.paytable, &plan, &()).expect("a plain run")
        })
        .collect();
    let distributions = distributions(&file.paytable, &exact, &DistributionOptions::default());
    let evidence = Evidence {
        splits: return_splits(&file.paytable, &exact),
        payouts: rare_payouts(&file.paytable, distributions.as_deref()),
        ..Evidence::default()
    };
    let parts = CertificateParts {
        file: &file,
        evidence: &evidence,
        exact: &exact,
        distributions: distributions.as_deref(),
        simulations: &simulations,
        seed: &seed,
        settings: Settings::new(None, Asked::default()),
        profile: None,
        strict: false,
        created: None,
    };
    let (certificate, _) = certify(&parts).expect("enough rounds");

    let mut group = criterion.benchmark_group("report");
    group.sample_size(20);
    group.throughput(Throughput::Elements(simulations.len() as u64));
    group.bench_function("certificate", |bencher| {
        bencher.iter(|| certify(&parts).expect("enough rounds"));
    });
    for writer in writers() {
        let files = writer.write(&certificate).expect("it can be written");
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        let name = &files.first().expect("at least one file").name;
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| writer.write(&certificate).expect("it can be written"));
        });
    }
    group.finish();
}

criterion_group!(benches, report);
criterion_main!(benches);
