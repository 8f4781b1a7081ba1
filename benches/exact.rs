//! The exact calculator: moments of the default paytable, both triggers.

use std::collections::BTreeMap;

use criterion::{Criterion, criterion_group, criterion_main};
use dashu_ratio::RBig;
use wonderspins::exact::solve_all;
use wonderspins::paytable::{
    BoostLaw, Convention, Definition, Disclosure, Payout, Paytable, Potion, Rules, StartLaw,
    TriggerTerms, ZeroMeter,
};
use wonderspins::rules::{Character, InnerSection, OuterSection, Trigger, Wheel};

/// The Pennsylvania wheels; sections grouped by kind, which changes no moment.
fn pennsylvania(start: StartLaw, boost: BoostLaw, consumes_spin: bool) -> Paytable {
    let mut inner = vec![InnerSection::AdditionalSpin; 2];
    for (value, count) in [(2, 4), (5, 3), (8, 2), (10, 1)] {
        inner.extend(vec![InnerSection::Multiplier(value); count]);
    }
    let mut outer = Vec::new();
    for (character, count) in Character::ALL.into_iter().zip([1, 4, 5, 9, 11, 16]) {
        outer.extend(vec![OuterSection::Character(character); count]);
    }
    outer.extend([OuterSection::NoWin; 3]);
    outer.extend([OuterSection::DrinkMe; 3]);
    outer.extend([OuterSection::EatMe; 2]);
    let potion = |multipliers| Potion {
        spins: 1,
        multipliers,
        consumes_spin,
    };
    let terms = |trigger: Trigger, sections| TriggerTerms {
        trigger,
        spins: trigger.number(),
        main_wheel_sections: sections,
        main_wheel_of: 54,
        other_return: RBig::ZERO,
        starting_multipliers: None,
    };
    Paytable::new(Definition {
        name: "bench".into(),
        source: "bench".into(),
        notes: String::new(),
        inner_wheel: Wheel::fair(inner),
        outer_wheel: Wheel::fair(outer),
        starting_multipliers: start,
        boost,
        rules: Rules {
            eat_me: potion(1),
            drink_me: potion(-1),
            additional_spin: 1,
            multiplier_floor: 1,
            max_meter: None,
            max_spins: None,
        },
        payout: Payout {
            convention: Convention::ToOne,
            zero_meter: ZeroMeter::ReturnsWager,
        },
        limits: None,
        triggers: vec![terms(Trigger::Two, 3), terms(Trigger::Five, 1)],
        declared: BTreeMap::new(),
        disclosure: Disclosure::default(),
    })
}

fn moments(criterion: &mut Criterion) {
    let permuted = || StartLaw::Permutation {
        values: vec![2, 3, 4, 5, 6, 8],
    };
    let at_floor = || StartLaw::Fixed {
        values: Character::ALL.into_iter().map(|c| (c, 1)).collect(),
    };
    let cases = [
        ("permuted", permuted(), BoostLaw::Uniform, false),
        ("permuted/consuming", permuted(), BoostLaw::Uniform, true),
        ("floor", at_floor(), BoostLaw::Uniform, false),
        (
            "floor/by-sections",
            at_floor(),
            BoostLaw::OuterSections,
            false,
        ),
    ];
    let mut group = criterion.benchmark_group("exact/moments");
    group.sample_size(10);
    for (name, start, boost, consumes_spin) in cases {
        let paytable = pennsylvania(start, boost, consumes_spin);
        group.bench_function(name, |bencher| {
            bencher.iter(|| solve_all(&paytable).expect("a proper game"));
        });
    }
    group.finish();
}

criterion_group!(benches, moments);
criterion_main!(benches);
