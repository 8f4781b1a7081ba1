//! An outside check of the return's conventions: a game whose published figures are known.
//!
//! Dream Catcher is a money wheel of 54 sections: 23 of 1, 15 of 2, 7 of 5, 4 of 10, 2 of 20, 1
//! of 40, and one x2 and one x7 that multiply the odds of the bets that stand and spin again. A
//! bet on a number is paid at its number to one, so the wager comes back with the win (the
//! reading of 58 Pa. Code 693.6(g) too). The published return of the best bet, on 10, is 96.58
//! %; reviewers give 113/117.

use dashu_ratio::RBig;

/// Numbers and their sections; with the two multipliers they make 54.
const NUMBERS: [(u64, u64); 6] = [(1, 23), (2, 15), (5, 7), (10, 4), (20, 2), (40, 1)];
/// The multipliers, one section each.
const MULTIPLIERS: [u64; 2] = [2, 7];

fn ratio(numerator: u64, denominator: u64) -> RBig {
    RBig::from(numerator) / RBig::from(denominator)
}

/// The gross return of a bet: chance of a win, and expected odds, over spins that repeat.
///
/// With q the chance of the number and r = 1/54 of each multiplier, the final section is the
/// number with probability w = q + 2 r w. The expected odds collected, for odds of 1, are e = q
/// + (2 + 7) r e.
fn gross_return(number: u64, sections: u64) -> RBig {
    let q = ratio(sections, 54);
    let r = ratio(1, 54);
    let respins = RBig::from(MULTIPLIERS.len());
    let boosts: u64 = MULTIPLIERS.iter().sum();
    let wins = &q / (RBig::ONE - respins * &r);
    let odds = RBig::from(number) * &q / (RBig::ONE - RBig::from(boosts) * &r);
    // To one: every win returns the odds and the wager.
    odds + wins
}

#[test]
fn the_wheel_has_54_sections() {
    let numbers: u64 = NUMBERS.iter().map(|&(_, sections)| sections).sum();
    assert_eq!(numbers + MULTIPLIERS.len() as u64, 54);
}

#[test]
fn the_best_bet_returns_its_published_figure() {
    let ten = gross_return(10, 4);
    assert_eq!(ten, ratio(113, 117));
    // 96.58 %, rounded half away from zero at its last digit.
    let published = ratio(9658, 10_000);
    let half = ratio(1, 20_000);
    assert!(&published - &half <= ten && ten < published + half);
    for (number, sections) in NUMBERS {
        assert!(gross_return(number, sections) <= ten, "bet on {number}");
    }
}

#[test]
fn for_one_would_miss_the_published_figure() {
    // Without the wager in the win the bet on 10 would return 80/90 only.
    let odds_alone = RBig::from(10) * ratio(4, 54) / (RBig::ONE - ratio(9, 54));
    assert_eq!(odds_alone, ratio(8, 9));
}

/// The same split through the crate's conventions: meter and wager of a won bet.
#[test]
fn the_crate_counts_the_wager_as_the_published_game_does() {
    use wonderspins::exact::{Enclosure, returns};
    use wonderspins::paytable::{Convention, Payout, TriggerTerms, ZeroMeter};
    use wonderspins::rules::Trigger;

    // The bet on 10 as a "meter" that is 0 unless the bet wins; a lost bet loses the wager.
    let odds = RBig::from(10) * ratio(4, 54) / (RBig::ONE - ratio(9, 54));
    let lost = RBig::ONE - ratio(4, 52);
    let payout = Payout {
        convention: Convention::ToOne,
        zero_meter: ZeroMeter::LosesWager,
    };
    let terms = TriggerTerms {
        trigger: Trigger::Two,
        spins: 2,
        main_wheel_sections: 1,
        main_wheel_of: 1,
        other_return: RBig::ZERO,
        starting_multipliers: None,
    };
    let found = returns(
        payout,
        &terms,
        Enclosure::from_rational(&odds),
        Enclosure::ZERO,
        Enclosure::from_rational(&lost),
    );
    assert!(found.rtp.contains_rational(&ratio(113, 117)));
    assert!(found.rtp.width() < 1e-14);
}
