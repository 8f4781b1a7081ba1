//! One scripted round for each clause of 693.6(e) to (g). Expected values by hand.

use super::super::testing::{pa, paytable};
use super::*;
use crate::paytable::fixture;
use Character::{Bird, Cat, Crown, Hat, Mouse, Rabbit};

// Sections of the Pennsylvania wheels by index: inner 10, 8, 2, additional spin, 2, 5 ...
const INNER_10: usize = 0;
const INNER_8: usize = 1;
const INNER_2: usize = 2;
const ADDITIONAL_SPIN: usize = 3;
// ... outer No Win, Crown, Crown, Crown, Hat, Hat, Drink Me, Cat, ..., Eat Me at 18.
const NO_WIN: usize = 0;
const CROWN: usize = 1;
const HAT: usize = 4;
const DRINK_ME: usize = 6;
const CAT: usize = 7;
const EAT_ME: usize = 18;
const RABBIT: usize = 30;

fn starts(values: [u64; 6]) -> Multipliers {
    Character::ALL.into_iter().zip(values).collect()
}

fn draw(inner_section: usize, selected: Character, outer_section: usize) -> SpinDraw {
    SpinDraw {
        inner_section,
        selected,
        outer_section,
    }
}

fn play(round: &mut Round<'_>, draws: &[SpinDraw]) -> Vec<SpinRecord> {
    draws
        .iter()
        .map(|&draw| round.spin(draw).expect("the script stays inside the round"))
        .collect()
}

/// A whole round as a script.
struct Script {
    starts: [u64; 6],
    spins: std::vec::IntoIter<SpinDraw>,
}

impl Draws for Script {
    fn starting_multipliers(&mut self) -> Multipliers {
        starts(self.starts)
    }

    fn spin(&mut self) -> SpinDraw {
        self.spins
            .next()
            .expect("the script lasts until the round is over")
    }
}

/// Starts 2, 3, 4, 5, 6, 8. Counter 2: +10 to Hat, Eat Me: Hat 19, counter 3. +8 to Cat,
/// hit Cat: 3 + 1 + 8 = 12, counter 2. Additional spin, No Win: counter 2. +2 to Rabbit,
/// hit Hat: 19, counter 1. +2 to Rabbit, hit Rabbit: 2 + 1 + 2 + 2 = 7, counter 0.
#[test]
fn clause_693_6_g_a_whole_round_pays_its_final_meter() {
    let mut script = Script {
        starts: STARTS,
        spins: vec![
            draw(INNER_10, Hat, EAT_ME),
            draw(INNER_8, Cat, CAT),
            draw(ADDITIONAL_SPIN, Cat, NO_WIN),
            draw(INNER_2, Rabbit, HAT),
            draw(INNER_2, Rabbit, RABBIT),
        ]
        .into_iter(),
    };
    let played = crate::engine::play(&pa(), 2, &mut script).unwrap();
    let counters: Vec<u64> = played
        .spins
        .iter()
        .map(|spin| spin.counter_before)
        .collect();
    assert_eq!(counters, [2, 3, 2, 2, 1]);
    let meters: Vec<u64> = played.spins.iter().map(|spin| spin.meter).collect();
    assert_eq!(meters, [0, 12, 12, 31, 38]);
    assert_eq!((played.meter, played.uncapped_meter), (38, 38));
}

/// The start of most scripts: Rabbit 2, Cat 3, Crown 4, Bird 5, Mouse 6, Hat 8.
const STARTS: [u64; 6] = [2, 3, 4, 5, 6, 8];

/// The literal reading with one change.
fn changed(change: impl FnOnce(&mut crate::paytable::Definition)) -> Paytable {
    let mut definition = fixture::pa();
    change(&mut definition);
    paytable(definition)
}

#[test]
fn clause_693_6_e_starting_multipliers_stand_before_the_first_spin() {
    let paytable = pa();
    let round = Round::new(&paytable, 2, starts(STARTS));
    assert_eq!(round.multipliers().of(Rabbit), Some(2));
    assert_eq!(round.multipliers().of(Hat), Some(8));
    assert_eq!(round.multipliers().iter().count(), 6);
    assert_eq!((round.meter(), round.counter(), round.spins()), (0, 2, 0));
    assert!(!round.is_over());
}

#[test]
#[should_panic(expected = "starting multipliers cover exactly the paytable's characters")]
fn clause_693_6_e_every_character_needs_a_start() {
    let paytable = pa();
    let _ = Round::new(&paytable, 2, [(Rabbit, 2)].into_iter().collect());
}

#[test]
fn clause_693_6_f_1_the_counter_is_shown_before_every_spin() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    // 2, then Eat Me adds one: 3, then No Win three times.
    let records = play(
        &mut round,
        &[
            draw(INNER_2, Cat, EAT_ME),
            draw(INNER_2, Cat, NO_WIN),
            draw(INNER_2, Cat, NO_WIN),
            draw(INNER_2, Cat, NO_WIN),
        ],
    );
    let counters: Vec<_> = records
        .iter()
        .map(|record| (record.spin, record.counter_before, record.counter_after))
        .collect();
    assert_eq!(counters, [(1, 2, 3), (2, 3, 2), (3, 2, 1), (4, 1, 0)]);
}

#[test]
fn clause_693_6_f_2_i_the_multiplier_goes_to_the_selected_character() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    let record = play(&mut round, &[draw(INNER_10, Mouse, NO_WIN)])[0];
    assert_eq!(record.inner, InnerSection::Multiplier(10));
    assert_eq!(record.selected, Some(Mouse));
    assert_eq!((record.inner_section, record.outer_section), (1, 1));
    // Mouse 6 + 10.
    assert_eq!(record.multipliers, starts([2, 3, 4, 5, 16, 8]));
    assert_eq!((record.meter, record.counter_after), (0, 1));
}

#[test]
fn clause_693_6_f_2_i_an_addition_counts_in_the_very_pass_that_hits() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    let records = play(
        &mut round,
        &[draw(INNER_8, Crown, CROWN), draw(INNER_2, Crown, CROWN)],
    );
    // Crown 4 + 8 = 12 at once; then 12 + 2 = 14; 12 + 14 = 26.
    assert_eq!((records[0].meter, records[1].meter), (12, 26));
    assert_eq!(records[1].multipliers.of(Crown), Some(14));
}

#[test]
fn clause_693_6_f_2_ii_an_additional_spin_is_added_to_the_counter() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    let record = play(&mut round, &[draw(ADDITIONAL_SPIN, Mouse, CAT)])[0];
    assert_eq!(record.inner, InnerSection::AdditionalSpin);
    // The selection is drawn and has no effect.
    assert_eq!(record.selected, None);
    assert_eq!(record.multipliers, starts(STARTS));
    // 2 + 1 - 1, and Cat's 3.
    assert_eq!((record.counter_after, record.meter), (2, 3));
}

#[test]
fn clause_693_6_f_2_ii_an_additional_spin_on_the_last_spin_keeps_the_round_alive() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 1, starts(STARTS));
    let record = play(&mut round, &[draw(ADDITIONAL_SPIN, Hat, NO_WIN)])[0];
    assert_eq!((record.counter_before, record.counter_after), (1, 1));
    assert!(!round.is_over());
    let record = play(&mut round, &[draw(INNER_2, Hat, HAT)])[0];
    // Hat 8 + 2.
    assert_eq!((record.meter, record.counter_after), (10, 0));
    assert!(round.is_over());
}

#[test]
fn clause_693_6_f_2_ii_the_paytable_may_add_more_or_no_spins() {
    for (added, after) in [(0, 1), (3, 4)] {
        let paytable = changed(|d| d.rules.additional_spin = added);
        let mut round = Round::new(&paytable, 2, starts(STARTS));
        let record = play(&mut round, &[draw(ADDITIONAL_SPIN, Hat, NO_WIN)])[0];
        assert_eq!(record.counter_after, after);
    }
}

#[test]
fn clause_693_6_f_4_i_a_character_pays_its_multiplier_and_costs_one_spin() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    let records = play(
        &mut round,
        &[draw(INNER_10, Cat, RABBIT), draw(INNER_10, Cat, CAT)],
    );
    // Rabbit 2; then Cat 3 + 10 + 10 = 23: 25.
    assert_eq!((records[0].meter, records[0].counter_after), (2, 1));
    assert_eq!((records[1].meter, records[1].counter_after), (25, 0));
    // A hit leaves the multipliers as they are.
    assert_eq!(records[1].multipliers, starts([2, 23, 4, 5, 6, 8]));
}

#[test]
fn clause_693_6_f_4_ii_no_win_costs_one_spin_and_changes_nothing_else() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 5, starts(STARTS));
    let record = play(&mut round, &[draw(ADDITIONAL_SPIN, Bird, NO_WIN)])[0];
    assert_eq!(record.outer, OuterSection::NoWin);
    assert_eq!(record.multipliers, starts(STARTS));
    // 5 + 1 by the inner wheel, - 1 by No Win.
    assert_eq!((record.meter, record.counter_after), (0, 5));
}

#[test]
fn clause_693_6_f_4_iii_eat_me_raises_every_multiplier_and_adds_a_spin() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    let record = play(&mut round, &[draw(INNER_2, Hat, EAT_ME)])[0];
    // Everyone + 1; Hat 8 + 2 + 1. The literal reading leaves the spin unused: 2 + 1.
    assert_eq!(record.multipliers, starts([3, 4, 5, 6, 7, 11]));
    assert_eq!((record.meter, record.counter_after), (0, 3));
}

#[test]
fn clause_693_6_f_4_iii_eat_me_on_the_last_spin_under_both_readings() {
    // Literal: 1 + 1. Used up: 1 + 1 - 1.
    for (consumes_spin, after) in [(false, 2), (true, 1)] {
        let paytable = changed(|d| d.rules.eat_me.consumes_spin = consumes_spin);
        let mut round = Round::new(&paytable, 1, starts(STARTS));
        let record = play(&mut round, &[draw(INNER_2, Hat, EAT_ME)])[0];
        assert_eq!(record.counter_after, after);
        assert!(!round.is_over());
    }
}

#[test]
fn clause_693_6_f_4_iv_drink_me_lowers_every_multiplier_and_adds_a_spin() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    let record = play(&mut round, &[draw(INNER_2, Hat, DRINK_ME)])[0];
    assert_eq!(record.multipliers, starts([1, 2, 3, 4, 5, 9]));
    assert_eq!((record.meter, record.counter_after), (0, 3));
}

#[test]
fn clause_693_6_f_4_iv_drink_me_at_the_floor() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts([1, 2, 3, 1, 1, 1]));
    let records = play(
        &mut round,
        &[
            draw(ADDITIONAL_SPIN, Hat, DRINK_ME),
            draw(ADDITIONAL_SPIN, Hat, DRINK_ME),
            draw(ADDITIONAL_SPIN, Hat, EAT_ME),
        ],
    );
    assert_eq!(records[0].multipliers, starts([1, 1, 2, 1, 1, 1]));
    assert_eq!(records[1].multipliers, starts([1; 6]));
    // The floor forgets: Eat Me lifts everyone to 2, whatever the starts were.
    assert_eq!(records[2].multipliers, starts([2; 6]));
}

#[test]
fn clause_693_6_f_4_iv_a_step_beyond_zero_stops_at_the_floor() {
    let paytable = changed(|d| {
        d.rules.drink_me.multipliers = -10;
        d.rules.multiplier_floor = 2;
    });
    let mut round = Round::new(&paytable, 2, starts([2, 3, 9, 10, 11, 15]));
    let record = play(&mut round, &[draw(ADDITIONAL_SPIN, Hat, DRINK_ME)])[0];
    // 15 - 10 = 5 is the only one that stays above the floor of 2.
    assert_eq!(record.multipliers, starts([2, 2, 2, 2, 2, 5]));
}

#[test]
fn clause_693_6_f_4_iv_an_addition_is_made_before_drink_me_lowers_it() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts([1; 6]));
    let record = play(&mut round, &[draw(INNER_2, Hat, DRINK_ME)])[0];
    // Hat 1 + 2 - 1 = 2, not max(1 - 1, 1) + 2 = 3.
    assert_eq!(record.multipliers.of(Hat), Some(2));
}

#[test]
fn clause_693_6_f_4_iv_drink_me_on_the_last_spin_under_both_readings() {
    for (consumes_spin, after) in [(false, 2), (true, 1)] {
        let paytable = changed(|d| d.rules.drink_me.consumes_spin = consumes_spin);
        let mut round = Round::new(&paytable, 1, starts(STARTS));
        let record = play(&mut round, &[draw(INNER_2, Hat, DRINK_ME)])[0];
        assert_eq!(record.counter_after, after);
        assert!(!round.is_over());
    }
}

#[test]
fn a_potion_without_spins_that_is_used_up_can_end_the_round() {
    let paytable = changed(|d| {
        d.rules.drink_me.spins = 0;
        d.rules.drink_me.consumes_spin = true;
    });
    let mut round = Round::new(&paytable, 1, starts(STARTS));
    let record = play(&mut round, &[draw(INNER_2, Hat, DRINK_ME)])[0];
    assert_eq!(record.counter_after, 0);
    assert!(round.is_over());
}

#[test]
fn clause_693_6_f_5_the_round_ends_when_the_counter_is_zero() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    play(&mut round, &[draw(INNER_2, Hat, NO_WIN)]);
    assert!(!round.is_over());
    play(&mut round, &[draw(INNER_2, Hat, NO_WIN)]);
    assert!(round.is_over());
    assert_eq!(
        round.spin(draw(INNER_2, Hat, NO_WIN)),
        Err(RoundError::Over)
    );
}

#[test]
fn clause_693_6_f_5_max_spins_ends_the_round_with_spins_left() {
    let paytable = changed(|d| d.rules.max_spins = Some(3));
    let mut round = Round::new(&paytable, 5, starts(STARTS));
    play(&mut round, &[draw(INNER_2, Hat, HAT); 2]);
    assert!(!round.is_over());
    let record = play(&mut round, &[draw(INNER_2, Hat, HAT)])[0];
    assert!(round.is_over());
    // 10 + 12 + 14; two of the five spins are left on the counter.
    assert_eq!((record.meter, record.counter_after), (36, 2));
}

#[test]
fn clause_693_6_g_a_meter_of_zero() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 2, starts(STARTS));
    play(&mut round, &[draw(INNER_10, Hat, NO_WIN); 2]);
    assert!(round.is_over());
    assert_eq!(round.meter(), 0);
}

#[test]
fn clause_693_6_g_a_cap_is_on_what_is_paid_and_play_goes_on() {
    let paytable = changed(|d| d.rules.max_meter = Some(20));
    let mut round = Round::new(&paytable, 3, starts(STARTS));
    let hits = [draw(INNER_2, Hat, HAT); 3];
    let records = play(&mut round, &hits);
    // 10, 22, 36 without the cap: the second hit passes it and the third still counts.
    let meters: Vec<_> = records.iter().map(|record| record.meter).collect();
    assert_eq!(meters, [10, 22, 36]);
    assert_eq!((round.meter(), round.uncapped_meter()), (20, 36));
}

#[test]
fn clause_693_6_g_a_cap_of_just_the_meter_takes_nothing() {
    let paytable = changed(|d| d.rules.max_meter = Some(10));
    let mut round = Round::new(&paytable, 1, starts(STARTS));
    play(&mut round, &[draw(INNER_2, Hat, HAT)]);
    assert_eq!((round.meter(), round.uncapped_meter()), (10, 10));
}

#[test]
fn numbers_are_refused_and_never_wrapped() {
    let paytable = pa();
    let top = [u64::MAX; 6];
    let mut round = Round::new(&paytable, 2, starts(top));
    assert_eq!(
        round.spin(draw(INNER_2, Hat, NO_WIN)),
        Err(RoundError::Overflow {
            quantity: "multiplier"
        })
    );
    let mut round = Round::new(&paytable, 2, starts(top));
    assert_eq!(
        round.spin(draw(ADDITIONAL_SPIN, Hat, EAT_ME)),
        Err(RoundError::Overflow {
            quantity: "multiplier"
        })
    );
    let mut round = Round::new(&paytable, 2, starts(top));
    play(&mut round, &[draw(ADDITIONAL_SPIN, Hat, HAT)]);
    assert_eq!(
        round.spin(draw(ADDITIONAL_SPIN, Hat, HAT)),
        Err(RoundError::Overflow { quantity: "meter" })
    );
}

#[test]
fn a_round_without_end_is_given_up() {
    let paytable = pa();
    let mut round = Round::new(&paytable, 1, starts(STARTS));
    // Additional spin and No Win: the counter stands still.
    let still = draw(ADDITIONAL_SPIN, Hat, NO_WIN);
    for _ in 0..MAX_ROUND_SPINS {
        round.spin(still).expect("below the limit");
    }
    assert_eq!(
        round.spin(still),
        Err(RoundError::TooLong {
            limit: MAX_ROUND_SPINS
        })
    );
}

#[test]
fn a_paytable_may_have_fewer_characters() {
    // The tiny game of the fixture: Hat at 1, inner [1], outer [hat, eat-me], used up.
    let paytable = paytable(fixture::tiny(1));
    let mut round = Round::new(&paytable, 1, [(Hat, 1)].into_iter().collect());
    let records = play(
        &mut round,
        &[draw(0, Hat, 1), draw(0, Hat, 1), draw(0, Hat, 0)],
    );
    // 1 + 1 + 1 = 3, again + 2 = 5, then + 1 = 6 is hit: 2 + 2 K with K = 2.
    assert_eq!(records[2].meter, 6);
    assert_eq!(records[2].multipliers.of(Bird), None);
    assert!(round.is_over());
}
