//! Derivatives against hand calculations, finite differences and each other.

use super::*;
use crate::exact::solve;
use crate::paytable::{Definition, StartLaw, fixture};
use crate::rules::{Character, Wheel};

fn paytable(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

fn at_one(mut definition: Definition) -> Definition {
    definition.starting_multipliers = StartLaw::Fixed {
        values: Character::ALL.into_iter().map(|c| (c, 1)).collect(),
    };
    definition
}

/// One character at 1, one spin, inner `[1]`, outer hat with probability p, Eat Me with
/// probability 1 - p that leaves the counter alone: 1 + 1 + 2 K with K geometric of mean (1 -
/// p) / p, so E[M] = 2 / p and dE[M]/dp = -2 / p^2 = -8 at p = 1/2. Along `e_hat - p` the
/// probability of hat moves at rate 1/2.
#[test]
fn the_game_that_a_person_can_check() {
    let game = paytable(fixture::tiny(1));
    let found = derivatives(&game, Trigger::Two).expect("a proper game");
    assert!(found.mean_meter.contains(4.0) && found.mean_meter.width() <= 0.0);
    let [hat, eat] = found.outer.try_into().expect("two sections");
    assert!(hat.mean_meter.contains(-4.0) && hat.mean_meter.width() <= 0.0);
    assert!(eat.mean_meter.contains(4.0) && eat.mean_meter.width() <= 0.0);
    assert_eq!(hat.probability, RBig::from(1) / RBig::from(2));
    // The trigger's probability is 1/18 and the wager always comes back.
    assert!(
        hat.rtp
            .contains_rational(&(RBig::from(-4) / RBig::from(18)))
    );
    // A wheel of one section cannot move.
    assert!(found.inner[0].mean_meter.contains(0.0));
}

/// Every direction against a central difference of exact calculations on perturbed weights.
fn assert_differences(definition: &Definition, trigger: Trigger, relative: f64) {
    const UNIT: u64 = 1_000_000;
    let found = derivatives(&paytable(definition.clone()), trigger).expect("a proper game");
    let solved = solve(&paytable(definition.clone()), trigger).expect("a proper game");
    assert!(found.mean_meter.overlaps(solved.uncapped_mean_meter));
    assert!(found.rtp.overlaps(solved.returns.rtp));
    let scale = solved.uncapped_mean_meter.value();
    let moved = |outer: bool, index: usize, step: i64| {
        let mut definition = definition.clone();
        // (1 - eps) p + eps e_i with eps = step / (UNIT total): weights times UNIT, less `step`
        // parts for all, plus `step` times the total for one.
        let weights = if outer {
            &mut definition.outer_wheel.weights
        } else {
            &mut definition.inner_wheel.weights
        };
        let total: u64 = weights.iter().sum();
        for (k, weight) in weights.iter_mut().enumerate() {
            let all = i64::try_from(*weight * UNIT).expect("a small weight")
                - step * i64::try_from(*weight).expect("a small weight");
            let own = i64::from(k == index) * step * i64::try_from(total).expect("a small total");
            *weight = u64::try_from(all + own).expect("a small step");
        }
        let exact = solve(&paytable(definition), trigger).expect("a proper game");
        (exact.uncapped_mean_meter, exact.returns.rtp)
    };
    let mut seen = Vec::new();
    for (outer, entries) in [(true, &found.outer), (false, &found.inner)] {
        for (index, entry) in entries.iter().enumerate() {
            if seen.contains(&(outer, entry.mean_meter.value().to_bits())) {
                continue;
            }
            seen.push((outer, entry.mean_meter.value().to_bits()));
            let step = 100_i64;
            let (up, down) = (moved(outer, index, step), moved(outer, index, -step));
            let difference =
                |up: Enclosure, down: Enclosure| (up.value() - down.value()) / 2.0 * 1e6 / 100.0;
            let mean = difference(up.0, down.0);
            let tolerance = relative * scale;
            assert!(
                (mean - entry.mean_meter.value()).abs() < tolerance,
                "{outer} {index}: {mean} {}",
                entry.mean_meter
            );
            let rtp = difference(up.1, down.1);
            assert!(
                (rtp - entry.rtp.value()).abs() < tolerance,
                "{outer} {index}: {rtp} {}",
                entry.rtp
            );
            assert!(
                entry.mean_meter.width() < 1e-11 * scale,
                "{}",
                entry.mean_meter
            );
        }
    }
}

#[test]
fn pennsylvania_wheels_against_finite_differences() {
    assert_differences(&fixture::pa(), Trigger::Two, 1e-6);
}

#[test]
fn every_start_at_the_floor_against_finite_differences() {
    let mut definition = at_one(fixture::pa());
    definition.rules.drink_me.consumes_spin = true;
    definition.payout.zero_meter = ZeroMeter::LosesWager;
    assert_differences(&definition, Trigger::Five, 1e-6);
}

#[test]
fn a_small_biased_wheel_against_finite_differences() {
    let mut definition = fixture::pa();
    definition.inner_wheel = Wheel {
        sections: vec![
            InnerSection::Multiplier(1),
            InnerSection::Multiplier(3),
            InnerSection::AdditionalSpin,
        ],
        weights: vec![3, 1, 1],
    };
    definition.outer_wheel = fixture::outer("rabbit cat cat crown no-win drink-me drink-me eat-me");
    definition.outer_wheel.weights = vec![3, 1, 2, 5, 1, 1, 1, 2];
    definition.rules.drink_me.multipliers = -3;
    definition.rules.drink_me.consumes_spin = true;
    definition.rules.eat_me.consumes_spin = true;
    definition.rules.multiplier_floor = 2;
    definition.payout.convention = Convention::ForOne;
    definition.starting_multipliers = StartLaw::Permutation {
        values: vec![2, 3, 7],
    };
    definition.boost = crate::paytable::BoostLaw::OuterSections;
    assert_differences(&definition, Trigger::Two, 1e-6);
}

/// Sum of `p_i (e_i - p)` is 0, so the weighted derivatives of a wheel add up to 0.
#[test]
fn weighted_derivatives_of_a_wheel_add_up_to_nothing() {
    for definition in [fixture::pa(), at_one(fixture::pa())] {
        let game = paytable(definition);
        for trigger in [Trigger::Two, Trigger::Five] {
            let found = derivatives(&game, trigger).expect("a proper game");
            for wheel in [&found.outer, &found.inner] {
                let sum = wheel.iter().fold(Enclosure::ZERO, |sum, entry| {
                    sum + Enclosure::from_rational(&entry.probability) * entry.mean_meter
                });
                assert!(sum.contains(0.0) && sum.width() < 1e-9, "{sum}");
            }
        }
    }
}

#[test]
fn a_limit_on_spins_is_refused() {
    let mut definition = fixture::pa();
    definition.rules.max_spins = Some(100);
    let refused = derivatives(&paytable(definition), Trigger::Two);
    assert_eq!(
        refused,
        Err(ExactError::LimitedDerivative { max_spins: 100 })
    );
}
