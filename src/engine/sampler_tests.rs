use super::super::round::{Multipliers, Round, SpinDraw};
use super::super::testing::{TWO, pa, paytable, zoo};
use super::*;
use crate::paytable::fixture;

#[test]
fn units_are_weights_without_their_common_divisor() {
    assert_eq!(units(&[1, 1, 1]), [1, 1, 1]);
    assert_eq!(units(&[6, 9, 3]), [2, 3, 1]);
    assert_eq!(units(&[1 << 32]), [1]);
}

#[test]
fn permutations_are_in_lexicographic_order() {
    let three = permutations(3);
    let expected = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    assert_eq!(three, expected);
    let six = permutations(6);
    assert_eq!(six.len(), 720);
    assert!(six.is_sorted_by(|a, b| a < b));
}

#[test]
fn the_pennsylvania_spin_has_3888_joint_outcomes() {
    let table = SpinTable::new(&pa());
    let SpinLaw::Joint { draw, effect_of } = &table.law else {
        panic!("the joint law is narrow");
    };
    assert_eq!(*draw, NarrowDraw::new(3888).expect("a narrow draw"));
    assert_eq!(effect_of.len(), 3888);
    // Five kinds of inner result, six characters, nine kinds of outer result.
    assert_eq!(table.effects.len(), 270);
    assert_eq!(table.largest_growth(), 11);
}

/// Every outcome of one spin, from the table and clause by clause.
#[test]
fn effects_are_what_a_round_does() {
    for (name, paytable) in zoo() {
        let table = SpinTable::new(&paytable);
        let (inner, inner_class) = classes(&paytable.inner_wheel.sections);
        let (outer, outer_class) = classes(&paytable.outer_wheel.sections);
        let characters = paytable.characters();
        let starting: Multipliers = characters.iter().copied().zip(1..).collect();
        for (inner_section, &inner_class) in inner_class.iter().enumerate() {
            for (selected, &character) in characters.iter().enumerate() {
                for (outer_section, &outer_class) in outer_class.iter().enumerate() {
                    let number =
                        (inner_class * characters.len() + selected) * outer.len() + outer_class;
                    let effect = table.effects[number];
                    let mut own = [0_u64; 8];
                    for (place, (_, value)) in own.iter_mut().zip(starting.iter()) {
                        *place = value;
                    }
                    own[usize::from(effect.boosted)] += u64::from(effect.amount);
                    let meter = own[usize::from(effect.hit)];
                    let change = table.potions[usize::from(effect.potion)];
                    for value in &mut own[..characters.len()] {
                        *value = value
                            .saturating_add_signed(i64::from(change))
                            .max(u64::from(table.floor));
                    }
                    let mut round = Round::new(&paytable, 3, starting);
                    let record = round
                        .spin(SpinDraw {
                            inner_section,
                            selected: character,
                            outer_section,
                        })
                        .expect("one spin");
                    assert_eq!(record.meter, meter, "{name}");
                    assert_eq!(
                        record.counter_after,
                        3_u64.saturating_add_signed(i64::from(effect.counter)),
                        "{name}"
                    );
                    assert!(
                        record
                            .multipliers
                            .iter()
                            .map(|pair| pair.1)
                            .eq(own[..characters.len()].iter().copied()),
                        "{name}"
                    );
                }
            }
        }
        assert_eq!(
            table.effects.len(),
            inner.len() * characters.len() * outer.len()
        );
    }
}

/// Where narrow ends: 65,536 units are one word, 65,537 are not.
#[test]
fn laws_turn_wide_above_65536_units() {
    let zoo = zoo();
    let start = |wanted: &str| {
        let found = zoo.iter().find(|(name, _)| *name == wanted);
        StartTable::new(&found.expect("a name of the zoo").1, TWO)
    };
    assert!(matches!(
        start("a table of starts, narrow"),
        StartTable::Narrow { .. }
    ));
    assert!(matches!(
        start("a table of starts, wide"),
        StartTable::WideRows(_)
    ));
    // 6^6 = 46,656 and 7^6 = 117,649.
    assert!(matches!(
        start("independent starts, narrow"),
        StartTable::Narrow { .. }
    ));
    assert!(matches!(
        start("independent starts, wide"),
        StartTable::WideEach(_)
    ));
    assert!(matches!(start("fixed starts"), StartTable::Fixed(_)));

    // 12 x 6 x 54 = 3,888 joint outcomes; a section of weight 2^32 among the outer ones.
    let mut definition = fixture::pa();
    definition.outer_wheel.weights[0] = 1 << 32;
    let table = SpinTable::new(&paytable(definition));
    assert!(matches!(table.law, SpinLaw::Parts(_)));
}
