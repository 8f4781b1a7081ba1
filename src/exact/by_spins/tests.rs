//! The split by spins against a hand calculation, enumeration and its own sum.

use super::*;
use crate::exact::enumeration::enumerate;
use crate::exact::solve;
use crate::paytable::{Definition, StartLaw, fixture};
use crate::rules::Trigger;

fn paytable(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

fn split(paytable: &Paytable, trigger: Trigger) -> Split<SpinCount> {
    by_spins(paytable, &solve(paytable, trigger).expect("a proper game"))
}

/// T = K + 1 and M = 2 + 2 K = 2 T, so E[M; T = t] = 2 t / 2^t.
#[test]
fn the_game_that_a_person_can_check() {
    let found = split(&paytable(fixture::tiny(1)), Trigger::Two);
    for (count, part) in found.parts.iter().take(40) {
        let SpinCount::Exactly(t) = count else {
            panic!("more than forty numbers of spins")
        };
        let truth = RBig::from(2 * t) / RBig::from(1_u64 << t);
        assert!(part.lower <= truth && truth <= part.upper, "{t}");
        assert!((&part.upper - &part.lower).to_f64().value() < 1e-12, "{t}");
    }
    assert_eq!(found.total.value, RBig::from(4));
}

#[test]
fn short_games_agree_with_every_course_played_out() {
    let mut definition = fixture::pa();
    definition.outer_wheel = fixture::outer("rabbit cat cat no-win drink-me drink-me eat-me");
    definition.rules.drink_me.multipliers = -3;
    definition.rules.multiplier_floor = 2;
    definition.starting_multipliers = StartLaw::Permutation { values: vec![2, 5] };
    definition.triggers.truncate(1);
    for limit in 1..=4 {
        definition.rules.max_spins = Some(limit);
        let game = paytable(definition.clone());
        let found = split(&game, Trigger::Two);
        let truth = enumerate(&game, Trigger::Two, limit, 1_000_000).expect("a short game");
        let truth = truth.means_by_spins();
        for (count, part) in &found.parts {
            let truth = match count {
                SpinCount::Exactly(t) => truth[floor_index(*t)].clone(),
                SpinCount::MoreThan(_) => RBig::ZERO,
            };
            assert!(
                part.lower <= truth && truth <= part.upper,
                "{count:?} {limit}"
            );
            assert!(
                (&part.upper - &part.lower).to_f64().value() < 1e-12,
                "{count:?}"
            );
        }
    }
}

fn floor_index(spins: u32) -> usize {
    size(i64::from(spins)) - 1
}

#[test]
fn pennsylvania_rounds_add_up_and_are_sharp() {
    for trigger in [Trigger::Two, Trigger::Five] {
        let game = paytable(fixture::pa());
        let exact = solve(&game, trigger).expect("a proper game");
        let found = by_spins(&game, &exact);
        let sum = found
            .parts
            .iter()
            .fold(RationalEnclosure::exact(RBig::ZERO), |sum, (_, part)| {
                sum.plus(part)
            });
        assert_eq!(sum, found.total);
        let mean = RationalEnclosure::scaled(exact.uncapped_mean_meter, &RBig::ONE);
        assert_eq!(found.total.value, mean.value);
        assert!(found.total.lower <= mean.lower && mean.upper <= found.total.upper);
        assert_eq!(found.parts[0].0, SpinCount::Exactly(trigger.number()));
        for (count, part) in &found.parts {
            let width = (&part.upper - &part.lower).to_f64().value();
            assert!(width < 2e-11, "{count:?} {width:e}");
        }
    }
}

/// Every start at the floor and a potion that takes ten at once: wide bounds, never wrong ones.
#[test]
fn a_large_drop_stays_enclosed() {
    let mut definition = fixture::pa();
    definition.rules.drink_me.multipliers = -10;
    let game = paytable(definition);
    let exact = solve(&game, Trigger::Five).expect("a proper game");
    let found = by_spins(&game, &exact);
    let total = found.total.enclosure();
    assert!(total.overlaps(exact.uncapped_mean_meter));
    assert!(total.relative_width() < 1e-9, "{total}");
}
