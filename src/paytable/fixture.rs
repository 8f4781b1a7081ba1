//! Paytables for tests inside the crate, written out by hand from 58 Pa. Code 693.6.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use super::*;
use crate::rules::{Character, InnerSection, OuterSection, Trigger, Wheel};

/// The inner wheel of 693.6(b)(3).
pub(crate) fn pa_inner() -> Wheel<InnerSection> {
    use InnerSection::{AdditionalSpin as A, Multiplier as M};
    Wheel::fair(vec![
        M(10),
        M(8),
        M(2),
        A,
        M(2),
        M(5),
        M(2),
        M(8),
        M(5),
        A,
        M(2),
        M(5),
    ])
}

/// An outer wheel from names separated by blanks.
pub(crate) fn outer(names: &str) -> Wheel<OuterSection> {
    Wheel::fair(
        names
            .split_whitespace()
            .map(|name| name.parse().expect("a section name"))
            .collect(),
    )
}

/// The outer wheel of 693.6(c)(5).
pub(crate) fn pa_outer() -> Wheel<OuterSection> {
    outer(
        "no-win crown crown crown hat hat drink-me cat cat mouse mouse mouse no-win hat hat bird bird bird eat-me \
         hat hat hat crown crown drink-me hat hat mouse mouse mouse rabbit bird bird bird cat cat no-win mouse mouse \
         hat hat hat eat-me mouse mouse mouse hat hat drink-me hat hat bird bird bird",
    )
}

/// The default paytable: literal reading, starts a random permutation of 2, 3, 4, 5, 6, 8.
pub(crate) fn pa() -> Definition {
    let trigger = |trigger: Trigger, sections| TriggerTerms {
        trigger,
        spins: trigger.number(),
        main_wheel_sections: sections,
        main_wheel_of: 54,
        other_return: RBig::ZERO,
        starting_multipliers: None,
    };
    Definition {
        name: "test".into(),
        source: "test".into(),
        notes: String::new(),
        inner_wheel: pa_inner(),
        outer_wheel: pa_outer(),
        starting_multipliers: StartLaw::Permutation {
            values: vec![2, 3, 4, 5, 6, 8],
        },
        boost: BoostLaw::Uniform,
        rules: Rules {
            eat_me: Potion {
                spins: 1,
                multipliers: 1,
                consumes_spin: false,
            },
            drink_me: Potion {
                spins: 1,
                multipliers: -1,
                consumes_spin: false,
            },
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
        triggers: vec![trigger(Trigger::Two, 3), trigger(Trigger::Five, 1)],
        declared: BTreeMap::new(),
        disclosure: Disclosure::default(),
    }
}

/// The tiny game of a hand calculation: one character at 1, inner wheel `[1]`, outer
/// wheel `["hat", "eat-me"]`, potions use up their spin. The meter of one spin is
/// 2 + 2K with P(K = k) = 2^-(k+1): mean 4, variance 8; of two spins mean 11, variance 40.
pub(crate) fn tiny(spins: u32) -> Definition {
    let mut definition = pa();
    definition.inner_wheel = Wheel::fair(vec![InnerSection::Multiplier(1)]);
    definition.outer_wheel = outer("hat eat-me");
    definition.starting_multipliers = StartLaw::Fixed {
        values: BTreeMap::from([(Character::Hat, 1)]),
    };
    definition.rules.eat_me.consumes_spin = true;
    definition.rules.drink_me.consumes_spin = true;
    definition.triggers.truncate(1);
    definition.triggers[0].spins = spins;
    definition
}
