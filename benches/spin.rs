//! One spin, clause by clause: spins a second of the readable rules engine on draws that are
//! given, so that no generator enters.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use wonderspins::engine::{Multipliers, Round, SpinDraw};
use wonderspins::paytable::PaytableFile;
use wonderspins::rules::{Character, OuterSection};

/// Spins of a round that is kept going.
const SPINS: u32 = 1_000;

fn spins(criterion: &mut Criterion) {
    let paytable = PaytableFile::load("pa-693-6")
        .expect("a built-in paytable")
        .paytable;
    let starting: Multipliers = Character::ALL.into_iter().zip([2, 3, 4, 5, 6, 8]).collect();
    let inner = paytable.inner_wheel.sections.len();
    let outer = paytable.outer_wheel.sections.len();
    // Steps that are prime to the number of sections, so that every section and every
    // character has its turn.
    let draws: Vec<SpinDraw> = (0..SPINS as usize)
        .map(|spin| SpinDraw {
            inner_section: spin * 5 % inner,
            selected: Character::ALL[spin * 7 % 6],
            outer_section: spin * 23 % outer,
        })
        .collect();
    let potions = draws.iter().filter(|draw| {
        matches!(
            paytable.outer_wheel.sections[draw.outer_section],
            OuterSection::EatMe | OuterSection::DrinkMe
        )
    });
    assert!(potions.count() > 10, "both potions are on the way");

    let mut group = criterion.benchmark_group("spin");
    group.throughput(Throughput::Elements(u64::from(SPINS)));
    group.bench_function("clause by clause", |bencher| {
        bencher.iter_batched(
            // A counter that outlasts the draws.
            || Round::new(&paytable, SPINS + 1, starting),
            |mut round| {
                for &draw in &draws {
                    round.spin(draw).expect("the counter is above zero");
                }
                round.meter()
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, spins);
criterion_main!(benches);
