//! Hand values, and an exhaustive search over small games.

use std::collections::BTreeSet;

use super::*;
use crate::paytable::{Definition, Limits, fixture};
use crate::rules::{Character, Wheel};

fn reaches(change: impl FnOnce(&mut Definition)) -> (Reach, Reach) {
    let mut definition = fixture::pa();
    change(&mut definition);
    let paytable = Paytable::new(definition).unwrap();
    (meter(&paytable), multiplier(&paytable))
}

const ZERO: End = End::Exactly(0);

#[test]
fn the_regulations_game_is_unbounded_from_zero() {
    let (meter, multiplier) = reaches(|_| {});
    assert_eq!((meter.lowest, meter.highest), (ZERO, End::Unbounded));
    // Starts from 2, and Drink Me reaches the floor of 1.
    assert_eq!(multiplier.lowest, End::Exactly(1));
    assert_eq!(multiplier.highest, End::Unbounded);
    // The other reading, potions used up: additional spins still extend a round.
    let (meter, multiplier) = reaches(|d| {
        d.rules.eat_me.consumes_spin = true;
        d.rules.drink_me.consumes_spin = true;
    });
    assert_eq!((meter.lowest, meter.highest), (ZERO, End::Unbounded));
    assert_eq!(multiplier.highest, End::Unbounded);
}

#[test]
fn caps_are_reached() {
    let (meter, multiplier) = reaches(|d| d.rules.max_meter = Some(500));
    assert_eq!(meter.highest, End::Exactly(500));
    assert_eq!(multiplier.highest, End::Unbounded);
    let (meter, _) = reaches(|d| {
        d.rules.max_meter = Some(5000);
        d.limits = Some(Limits {
            max_win: 40_000,
            stakes: vec![100, 10],
        });
    });
    assert_eq!(meter.highest, End::Exactly(4000));
}

#[test]
fn a_limit_of_spins_bounds_both() {
    // Eat Me in each of 10 spins, boosted by 10: 8 + 10 x 11.
    let (meter, multiplier) = reaches(|d| d.rules.max_spins = Some(10));
    assert_eq!(multiplier.highest, End::Exactly(118));
    assert_eq!(multiplier.lowest, End::Exactly(1));
    assert_eq!(meter.lowest, ZERO);
    // Five spins certain: 18 + 28 + 38 + 48 + 58. Ten at most: 10 x 8 + 55 x 11.
    assert_eq!(meter.highest, End::Between(190, Some(685)));
}

#[test]
fn two_plain_spins_by_hand() {
    // One character at 1, boosted by 1 in each spin, nothing else: 2, then 2 + 3.
    let (meter, multiplier) = reaches(|d| {
        *d = fixture::tiny(2);
        d.outer_wheel = fixture::outer("hat no-win");
    });
    assert_eq!((meter.lowest, meter.highest), (ZERO, End::Exactly(5)));
    assert_eq!(multiplier.lowest, End::Exactly(1));
    assert_eq!(multiplier.highest, End::Exactly(3));
}

#[test]
fn a_potion_that_only_delays_has_no_empty_round() {
    // The hand game of the fixture: Eat Me leaves the counter as it is, so a round ends on
    // the hat only; its multiplier is at least 2 then and grows without limit.
    let (meter, multiplier) = reaches(|d| *d = fixture::tiny(1));
    assert_eq!(meter.lowest, End::Between(1, None));
    assert_eq!(meter.highest, End::Unbounded);
    assert_eq!(multiplier.highest, End::Unbounded);
}

#[test]
fn a_potion_that_uses_its_spin_up_can_pay() {
    // Boosted by 1 in each of two spins from 1: two hits pay 2 + 3, but Eat Me and a hit 8.
    // Drink Me, which keeps the counter, makes the round longer and nothing else.
    let (meter, _) = reaches(|d| {
        *d = fixture::tiny(2);
        d.outer_wheel = fixture::outer("hat eat-me drink-me");
        d.rules.eat_me.spins = 0;
        d.rules.eat_me.multipliers = 5;
        d.rules.drink_me.multipliers = -10;
    });
    assert_eq!(meter.highest, End::Between(5, Some(20)));
}

#[test]
fn without_potions_nothing_falls() {
    let (_, multiplier) = reaches(|d| {
        d.outer_wheel = Wheel::fair(
            d.outer_wheel
                .sections
                .iter()
                .copied()
                .filter(|section| !matches!(section, OuterSection::DrinkMe))
                .collect(),
        );
    });
    assert_eq!(multiplier.lowest, End::Exactly(2));
}

/// A moment of a round: counter, multipliers by character, meter.
type Moment = (i64, Vec<i64>, i64);

/// Every meter and every multiplier that can occur, by playing all sequences of sections.
fn search(paytable: &Paytable) -> (BTreeSet<i64>, BTreeSet<i64>) {
    let rules = &paytable.rules;
    let floor = i64::from(rules.multiplier_floor);
    let StartLaw::Fixed { values } = &paytable.starting_multipliers else {
        panic!("the search knows fixed starts only");
    };
    let start: Vec<i64> = values.values().map(|&value| i64::from(value)).collect();
    let mut multipliers: BTreeSet<i64> = start.iter().copied().collect();
    let mut meters = BTreeSet::new();
    let first: Moment = (i64::from(paytable.triggers[0].spins), start, 0);
    let mut open = BTreeSet::from([first]);
    for spin in 1..=rules.max_spins.unwrap_or(8) {
        let mut next = BTreeSet::new();
        for (counter, held, meter) in open {
            let mut boosted: Vec<(i64, Vec<i64>)> = Vec::new();
            for &section in &paytable.inner_wheel.sections {
                match section {
                    InnerSection::AdditionalSpin => {
                        boosted.push((counter + i64::from(rules.additional_spin), held.clone()));
                    }
                    InnerSection::Multiplier(value) => boosted.extend((0..held.len()).map(|k| {
                        let mut held = held.clone();
                        held[k] += i64::from(value);
                        (counter, held)
                    })),
                }
            }
            for (counter, mut held) in boosted {
                multipliers.extend(&held);
                for &section in &paytable.outer_wheel.sections {
                    let (change, gain, raise) = match section {
                        OuterSection::Character(character) => {
                            let k = paytable.characters().iter().position(|&c| c == character);
                            (-1, held[k.unwrap()], 0)
                        }
                        OuterSection::NoWin => (-1, 0, 0),
                        OuterSection::EatMe => {
                            (rules.eat_me.counter_change(), 0, rules.eat_me.multipliers)
                        }
                        OuterSection::DrinkMe => (
                            rules.drink_me.counter_change(),
                            0,
                            rules.drink_me.multipliers,
                        ),
                    };
                    let before = held.clone();
                    if !matches!(section, OuterSection::Character(_) | OuterSection::NoWin) {
                        for value in &mut held {
                            *value = (*value + i64::from(raise)).max(floor);
                        }
                    }
                    multipliers.extend(&held);
                    let counter = counter + i64::from(change);
                    if counter == 0 || rules.max_spins == Some(spin) {
                        meters.insert(meter + gain);
                    } else {
                        next.insert((counter, held.clone(), meter + gain));
                    }
                    held = before;
                }
            }
        }
        open = next;
    }
    assert!(open.is_empty(), "the game has no limit");
    (meters, multipliers)
}

/// The small game with the given number: its digits pick one of a few values for each key.
fn small_game(mut number: usize) -> Definition {
    use InnerSection::{AdditionalSpin, Multiplier};
    let mut pick = |choices: usize| {
        let digit = number % choices;
        number /= choices;
        digit
    };
    let outer = [
        "hat",
        "hat cat",
        "hat eat-me",
        "hat drink-me",
        "hat cat drink-me",
        "cat no-win eat-me drink-me",
    ][pick(6)];
    let inner = [vec![Multiplier(2)], vec![Multiplier(1), AdditionalSpin]][pick(2)].clone();
    let (eat, drink) = [(1, -1), (0, -3), (-1, 2)][pick(3)];
    let (spins, max_spins) = [(1, Some(3)), (2, Some(2)), (3, Some(2)), (2, None)][pick(4)];
    let (potion_spins, consumes_spin) = [(0, true), (1, true), (0, false), (1, false)][pick(4)];
    let potion = |multipliers| Potion {
        spins: potion_spins,
        multipliers,
        consumes_spin,
    };
    let mut game = fixture::tiny(spins);
    game.outer_wheel = fixture::outer(outer);
    game.inner_wheel = Wheel::fair(inner);
    game.rules.eat_me = potion(eat);
    game.rules.drink_me = potion(drink);
    game.rules.additional_spin = [0, 1][pick(2)];
    game.rules.multiplier_floor = [1, 2][pick(2)];
    game.rules.max_spins = max_spins;
    let sections = &game.outer_wheel.sections;
    let values = [(Character::Cat, 5), (Character::Hat, 3)]
        .into_iter()
        .filter(|&(character, _)| sections.contains(&OuterSection::Character(character)))
        .collect();
    game.starting_multipliers = StartLaw::Fixed { values };
    game
}

/// Every small game with a limit of spins, or without any way to extend a round: each end
/// must be what an exhaustive search finds, each bound must hold it.
#[test]
fn equal_to_an_exhaustive_search() {
    let (mut ends, mut exact) = (0, 0);
    for number in 0..6 * 2 * 3 * 4 * 4 * 2 * 2 {
        let game = small_game(number);
        // A game that need not end is no paytable.
        let Ok(paytable) = Paytable::new(game.clone()) else {
            continue;
        };
        if paytable.rules.max_spins.is_none() && Shape::of(&paytable).extends() {
            continue;
        }
        let (meters, multipliers) = search(&paytable);
        for (reach, found) in [
            (meter(&paytable), meters),
            (multiplier(&paytable), multipliers),
        ] {
            for (end, found) in [(reach.lowest, found.first()), (reach.highest, found.last())] {
                let found = u64::try_from(*found.unwrap()).unwrap();
                let right = match end {
                    End::Exactly(value) => value == found,
                    End::Unbounded => false,
                    End::Between(least, most) => {
                        least <= found && most.is_none_or(|most| found <= most)
                    }
                };
                assert!(right, "{end:?}, found {found}: {game:#?}");
                ends += 1;
                exact += u32::from(matches!(end, End::Exactly(_)));
            }
        }
    }
    // Bounds that hold anything would pass unseen; most ends must be values.
    assert!(ends > 5000 && exact > ends / 2, "{exact} of {ends}");
}

/// Every section shows the Hat, which starts at 4: two spins pay at least 8, and a cap of 1
/// makes every round pay exactly 1.
#[test]
fn a_cap_binds_the_lower_end_as_well() {
    let mut game = fixture::tiny(2);
    game.outer_wheel = fixture::outer("hat");
    game.starting_multipliers = StartLaw::Fixed {
        values: [(Character::Hat, 4)].into(),
    };
    game.rules.max_meter = Some(1);
    let reach = meter(&Paytable::new(game).unwrap());
    assert_eq!(
        (reach.lowest, reach.highest),
        (End::Exactly(1), End::Exactly(1))
    );
}
