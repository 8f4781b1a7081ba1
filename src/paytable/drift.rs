//! The drift of the counter, which decides whether a round ends.

use dashu_ratio::RBig;

use super::definition::Definition;
use crate::rules::{InnerSection, OuterSection};

/// Expected change of the counter in one spin; every number must be in its range.
pub(super) fn drift(definition: &Definition) -> RBig {
    let rules = &definition.rules;
    let inner_total = RBig::from(definition.inner_wheel.total_weight());
    let outer_total = RBig::from(definition.outer_wheel.total_weight());
    let mut inner = RBig::ZERO;
    for (section, weight) in definition.inner_wheel.iter() {
        if section == InnerSection::AdditionalSpin {
            inner += RBig::from(weight) * RBig::from(rules.additional_spin);
        }
    }
    let mut outer = RBig::ZERO;
    for (section, weight) in definition.outer_wheel.iter() {
        let change = match section {
            OuterSection::Character(_) | OuterSection::NoWin => -1,
            OuterSection::EatMe => rules.eat_me.counter_change(),
            OuterSection::DrinkMe => rules.drink_me.counter_change(),
        };
        outer += RBig::from(weight) * RBig::from(change);
    }
    inner / inner_total + outer / outer_total
}
