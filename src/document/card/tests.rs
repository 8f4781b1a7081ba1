//! The sentences follow the keys, and the numbers are those of the derivation.

use super::*;
use crate::exact::distribution::{DistributionOptions, distributions};
use crate::exact::solve_all;
use crate::paytable::{
    BoostLaw, Convention, Definition, Limits, Paytable, StartLaw, ZeroMeter, fixture,
};
use crate::rules::{InnerSection, Trigger};

fn file(definition: Definition) -> PaytableFile {
    PaytableFile {
        paytable: Paytable::new(definition).expect("a legal paytable"),
        origin: "test".into(),
        slug: "test".into(),
        text: String::new(),
        file_sha256: "0".repeat(64),
    }
}

/// The card without odds of large payouts.
fn card(definition: Definition) -> CardDocument {
    let file = file(definition);
    let exact = solve_all(&file.paytable).expect("figures");
    CardDocument::new(&file, &exact, Err("they were not asked for".into()))
}

/// All sentences of the rules and of the pay.
fn said(definition: Definition) -> String {
    let paytable = Paytable::new(definition).expect("a legal paytable");
    let sentences = words::rules(&paytable)
        .into_iter()
        .chain(words::pays(&paytable));
    let texts: Vec<String> = sentences.map(|sentence| sentence.text).collect();
    texts.join("\n")
}

/// Means of the derivation: 16.270328687839 and 50.755998111769; P(M = 0) = 0.002199788422871
/// for two spins. (16.270328687839 + 1) / 18 = 0.959462..., and so on.
#[test]
fn the_pennsylvania_figures() {
    let card = card(fixture::pa());
    let [two, five] = &card.triggers[..] else {
        panic!("two triggers");
    };
    assert_eq!(
        (two.starts.as_str(), five.starts.as_str()),
        ("1 in 18", "1 in 54")
    );
    assert_eq!(
        (two.average.as_str(), five.average.as_str()),
        ("16.27 to 1", "50.75 to 1")
    );
    assert_eq!(two.win, "99.78 %");
    assert_eq!(two.rtp, "95.94 %, all of it from this bonus");
    assert_eq!(five.rtp, "95.84 %, all of it from this bonus");
    assert_eq!(two.smallest, "0 to 1");
    assert_eq!(two.largest, "no upper limit");
    assert_eq!(two.multipliers, "from 1, no upper limit");
    assert!(two.odds.is_empty() && card.without_odds.is_some());
    let chances: Vec<(&str, u64, &str)> = card
        .outer
        .iter()
        .map(|outcome| {
            (
                outcome.shows.as_str(),
                outcome.sections,
                outcome.chance.as_str(),
            )
        })
        .collect();
    assert_eq!(chances[0], ("hat", 16, "16 in 54"));
    assert_eq!(
        chances.iter().map(|(_, sections, _)| sections).sum::<u64>(),
        54
    );
}

/// One character, an inner wheel of one 9, a hat and a potion, at most three spins: with K
/// potions before the hat a round pays 10 + 10 K, K = 0, 1, 2 with probability 1/2, 1/4, 1/8.
#[test]
fn odds_by_hand() {
    let mut definition = fixture::tiny(1);
    definition.inner_wheel = crate::rules::Wheel::fair(vec![InnerSection::Multiplier(9)]);
    definition.rules.max_spins = Some(3);
    let file = file(definition);
    let exact = solve_all(&file.paytable).expect("figures");
    let laws = distributions(&file.paytable, &exact, &DistributionOptions::default())
        .expect("a short game");
    let card = CardDocument::new(&file, &exact, Ok(&laws));
    let two = &card.triggers[0];
    let odds: Vec<(u64, &str)> = two
        .odds
        .iter()
        .map(|odds| (odds.payout, odds.odds.as_str()))
        .collect();
    // 8/7 = 1.142..., 8/3 = 2.666..., and 30 is the most.
    assert_eq!(
        odds[..3],
        [(10, "1 in 1.15"), (20, "1 in 2.67"), (50, "cannot occur")]
    );
    assert_eq!(two.largest, "30 to 1");
    assert_eq!(two.win, "87.50 %");
    // 5 + 5 + 30/8.
    assert_eq!(two.average, "13.75 to 1");
    assert!(card.without_odds.is_none());
}

#[test]
fn every_rule_has_its_sentence() {
    /// What is changed, and what is said before and after.
    type Case = (fn(&mut Definition), &'static str, &'static str);
    let cases: &[Case] = &[
        (
            |d| d.rules.eat_me.consumes_spin = true,
            "Eat Me adds 1 to every multiplier, puts 1 spin more on the counter and does not use the spin up.",
            "Eat Me adds 1 to every multiplier, puts 1 spin more on the counter and uses the spin up.",
        ),
        (
            |d| d.rules.drink_me.multipliers = -2,
            "Drink Me takes 1 off every multiplier (none goes below 1), puts 1 spin more on the counter and does not use the spin up.",
            "Drink Me takes 2 off every multiplier (none goes below 1)",
        ),
        (
            |d| {
                d.rules.drink_me.multipliers = 0;
                d.rules.drink_me.spins = 0;
            },
            "Drink Me takes 1 off",
            "Drink Me does not use the spin up.",
        ),
        (
            |d| d.rules.multiplier_floor = 2,
            "none goes below 1",
            "none goes below 2",
        ),
        (
            |d| d.rules.additional_spin = 2,
            "An additional spin puts 1 spin more on the counter.",
            "An additional spin puts 2 spins more on the counter.",
        ),
        (
            |d| d.rules.max_spins = Some(30),
            "The round ends when no spin is left on the counter.",
            "and at the latest after 30 spins.",
        ),
        (
            |d| d.boost = BoostLaw::OuterSections,
            "one character, each equally likely to be chosen",
            "these chances in 46: Rabbit 1, Cat 4, Crown 5, Bird 9, Mouse 11 and Hat 16",
        ),
        (
            |d| {
                d.starting_multipliers = StartLaw::Independent {
                    values: vec![2, 5],
                    weights: vec![3, 1],
                };
            },
            "multipliers are 2, 3, 4, 5, 6 and 8, dealt in random order",
            "its own starting multiplier at random: 2 (3 in 4) and 5 (1 in 4)",
        ),
        (
            |d| {
                d.starting_multipliers = StartLaw::Permutation { values: vec![1; 6] };
            },
            "dealt in random order",
            "Every character starts with a multiplier of 1.",
        ),
        (
            |d| d.triggers[1].spins = 7,
            "stops on 5 Wonderspins, the bonus begins with 5 spins",
            "stops on 5 Wonderspins, the bonus begins with 7 spins",
        ),
        (
            |d| d.payout.convention = Convention::ForOne,
            "and the wager comes back.",
            "the wager included.",
        ),
        (
            |d| d.payout.zero_meter = ZeroMeter::LosesWager,
            "A meter of 0 wins nothing, and the wager comes back.",
            "A meter of 0 loses the wager.",
        ),
    ];
    let plain = said(fixture::pa());
    for (change, before, after) in cases {
        let mut changed = fixture::pa();
        change(&mut changed);
        let said = said(changed);
        assert!(plain.contains(before), "{before}\n{plain}");
        assert!(said.contains(after), "{after}\n{said}");
        assert_ne!(said, plain);
        // Nothing else may change with it: every other line stands.
        let kept = said.lines().filter(|line| plain.contains(line)).count();
        assert!(kept + 2 >= plain.lines().count(), "{said}");
    }
}

#[test]
fn caps_and_biased_wheels_are_said() {
    let mut changed = fixture::pa();
    changed.rules.max_meter = Some(500);
    changed.limits = Some(Limits {
        max_win: 500_000,
        stakes: vec![1],
    });
    changed.outer_wheel.weights[0] = 3;
    changed.triggers[0].other_return = RBig::from(1) / RBig::from(3);
    let said = said(changed.clone());
    assert!(said.contains("No round pays more than 500 to 1."));
    assert!(said.contains("No win is larger than 500000 in money"));
    assert!(said.contains("The sections of the outer wheel are not all equally likely"));
    let card = card(changed);
    let two = &card.triggers[0];
    assert_eq!(two.trigger, Trigger::Two.number());
    assert_eq!(two.largest, "500 to 1");
    assert!(two.rtp.contains("of which 33.33 % from other results"));
    let no_win = card.outer.iter().find(|outcome| outcome.shows == "no-win");
    assert_eq!(
        no_win.map(|outcome| outcome.chance.as_str()),
        Some("5 in 56")
    );
}

/// Without a spin that prolongs the round there are two spins: 8 and twice a 10.
#[test]
fn a_multiplier_that_cannot_grow_for_ever_has_its_limit() {
    let mut changed = fixture::pa();
    changed.outer_wheel = fixture::outer("rabbit cat crown bird mouse hat no-win");
    changed.rules.additional_spin = 0;
    let card = card(changed);
    assert_eq!(card.triggers[0].multipliers, "from 2, never above 28");
}
