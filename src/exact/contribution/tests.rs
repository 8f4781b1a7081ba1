//! Splits against hand calculations and their own sums.

use super::*;
use crate::exact::{Exact, Method, solve, solve_all};
use crate::paytable::{Definition, Paytable, StartLaw, fixture};
use crate::rules::Trigger;

fn paytable(definition: Definition) -> Paytable {
    Paytable::new(definition).expect("a legal paytable")
}

fn contributions(exact: &Exact) -> &Contributions {
    exact.contributions.as_ref().expect("finite bounds")
}

fn assert_adds_up<L>(split: &Split<L>, mean: Enclosure) {
    let mut sum = RationalEnclosure::exact(RBig::ZERO);
    for (_, part) in &split.parts {
        assert!(part.lower <= part.value && part.value <= part.upper);
        sum = sum.plus(part);
    }
    assert_eq!(sum, split.total);
    let whole = RationalEnclosure::scaled(mean, &RBig::ONE);
    assert_eq!(split.total.value, whole.value);
    assert!(split.total.lower <= whole.lower && whole.upper <= split.total.upper);
}

/// M = 2 + 2 K: one start of 1, 1 + K inner additions, K potions, E[K] = 1.
#[test]
fn the_game_that_a_person_can_check() {
    let game = paytable(fixture::tiny(1));
    let exact = solve(&game, Trigger::Two).expect("a proper game");
    let found = contributions(&exact);
    let values: Vec<RBig> = found
        .source
        .parts
        .iter()
        .map(|(_, part)| part.value.clone())
        .collect();
    assert_eq!(values, [1, 2, 1, 0, 0].map(RBig::from));
    assert!(
        found
            .source
            .parts
            .iter()
            .all(|(_, part)| part.lower == part.upper)
    );
    assert_eq!(found.character.parts[0].1.value, RBig::from(4));
}

#[test]
fn pennsylvania_splits_add_up_to_the_bounds_of_the_mean() {
    let mut at_one = fixture::pa();
    at_one.starting_multipliers = StartLaw::Fixed {
        values: Character::ALL.into_iter().map(|c| (c, 1)).collect(),
    };
    for definition in [fixture::pa(), at_one] {
        for exact in solve_all(&paytable(definition)).expect("a proper game") {
            let found = contributions(&exact);
            let mean = exact.uncapped_mean_meter;
            assert_adds_up(&found.character, mean);
            assert_adds_up(&found.source, mean);
            let whole = RationalEnclosure::scaled(mean, &RBig::ONE);
            assert_eq!(found.character.total, whole);
            assert_eq!(found.source.total, whole);
            for (source, part) in &found.source.parts {
                assert_eq!(*source == Source::DrinkMe, part.upper < RBig::ZERO);
            }
        }
    }
}

/// Starts in random order and a uniform selection: what a character pays is in proportion to
/// its sections.
#[test]
fn characters_pay_in_proportion_to_their_sections() {
    let exact = solve(&paytable(fixture::pa()), Trigger::Two).expect("a proper game");
    let parts = &contributions(&exact).character.parts;
    let one = parts[0].1.value.to_f64().value();
    for ((character, part), sections) in parts.iter().zip([1.0, 4.0, 5.0, 9.0, 11.0, 16.0]) {
        let value = part.value.to_f64().value();
        assert!(
            (value / one - sections).abs() < 1e-11,
            "{character} {value}"
        );
    }
    // Expected down steps times the mean start of 14/3: 2 (54/35) (49/54) (46/49) (14/3).
    let start = &contributions(&exact).source.parts[0].1;
    assert_eq!(start.value, RBig::from(2 * 46 * 14) / RBig::from(35 * 3));
}

#[test]
fn a_limit_keeps_the_sums() {
    for limit in [1, 3, 40, 4000] {
        let mut definition = fixture::pa();
        definition.rules.max_spins = Some(limit);
        let exact = solve(&paytable(definition), Trigger::Five).expect("a proper game");
        let found = contributions(&exact);
        assert_adds_up(&found.character, exact.uncapped_mean_meter);
        assert_adds_up(&found.source, exact.uncapped_mean_meter);
        let total = found.source.total.enclosure();
        assert!(total.relative_width() < 1e-10, "{limit} {total}");
        if limit == 1 {
            // One spin: start 14/3 and inner additions (4/12 2 + 3/12 5 + 2/12 8 + 1/12 10) / 6,
            // both with probability 46/54.
            let start = RBig::from(46 * 14) / RBig::from(54 * 3);
            let inner = RBig::from(46 * 49) / RBig::from(54 * 72);
            assert!(
                found.source.parts[0]
                    .1
                    .enclosure()
                    .contains_rational(&start)
            );
            assert!(
                found.source.parts[1]
                    .1
                    .enclosure()
                    .contains_rational(&inner)
            );
        }
        if limit == 4000 {
            assert_eq!(exact.method, Method::CutOff { spins: 4000 });
        }
    }
}
