//! The text of the models.

use super::*;
use crate::paytable::fixture;

#[test]
fn the_branches_of_every_command_add_up_to_one() {
    let paytable = Paytable::new(fixture::pa()).expect("a legal paytable");
    for partner in [None, Some(Character::Hat)] {
        let characters: Vec<_> = std::iter::once(Character::Rabbit).chain(partner).collect();
        let chain = Chain {
            paytable: &paytable,
            terms: paytable.terms(Trigger::Five).expect("the trigger"),
            starts: starts(&paytable, Trigger::Five, &characters),
            characters,
        };
        for branches in [
            chain.start_branches(),
            chain.inner_branches(),
            chain.outer_branches(),
        ] {
            let sum = branches.iter().fold(RBig::ZERO, |sum, (p, _)| sum + p);
            assert_eq!(sum, RBig::ONE);
        }
    }
}

#[test]
fn a_pair_has_two_multipliers_and_three_rewards() {
    let paytable = Paytable::new(fixture::pa()).expect("a legal paytable");
    let text = model(
        &paytable,
        Trigger::Two,
        Character::Cat,
        Some(Character::Hat),
    )
    .expect("both are on the wheel");
    for part in [
        "rewards \"pay_cat\"\n  phase=3 : m1;",
        "rewards \"pay_hat\"\n  phase=4 : m2;",
        "rewards \"pay\"\n  phase=3 : m1;\n  phase=4 : m2;",
        "2/27 : (phase'=3)",
        "8/27 : (phase'=4)",
        "(m2'=max(FLOOR,min(K,m2-1)))",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn a_short_limit_is_exact() {
    let mut definition = fixture::pa();
    definition.rules.max_spins = Some(3);
    let paytable = Paytable::new(definition).expect("a legal paytable");
    let text = model(&paytable, Trigger::Two, Character::Cat, None).expect("on the wheel");
    assert!(
        text.contains("the model is exact") && text.contains("t<MAX_SPINS"),
        "{text}"
    );
}

#[test]
fn what_is_not_on_the_wheel_is_refused() {
    let paytable = Paytable::new(fixture::tiny(1)).expect("a legal paytable");
    let refused = model(&paytable, Trigger::Two, Character::Cat, None);
    let character = Character::Cat;
    assert_eq!(refused, Err(PrismError::UnknownCharacter { character }));
    let character = Character::Hat;
    let refused = model(&paytable, Trigger::Two, character, Some(character));
    assert_eq!(refused, Err(PrismError::SameCharacter { character }));
    let refused = model(&paytable, Trigger::Five, character, None);
    assert!(matches!(refused, Err(PrismError::UnknownTrigger { .. })));
}
