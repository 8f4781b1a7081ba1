//! The return of a whole wager, split as 5319.47(a)(8) asks.

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::exact::{Exact, RationalEnclosure, ReturnPart};
use crate::paytable::Paytable;
use crate::regulation::ReturnSplit;

/// Digits after the point of a bound.
const PLACES: usize = 12;
/// Digits of numerator and denominator together up to which a fraction is printed.
const MOST_DIGITS: usize = 24;

/// The split of each trigger's return, for
/// [`judge_with`](crate::regulation::judge_with).
///
/// Whether the parts add up is decided on the rationals: the values and both bounds of the
/// parts must add up to those of the total exactly. A part is printed as a fraction where it
/// is one of few digits, else as its bounds, rounded outward.
#[must_use]
pub fn return_splits(paytable: &Paytable, results: &[Exact]) -> Vec<ReturnSplit> {
    results
        .iter()
        .filter_map(|exact| {
            let terms = paytable.terms(exact.trigger)?;
            Some(split(exact, &terms.probability()))
        })
        .collect()
}

fn split(exact: &Exact, probability: &RBig) -> ReturnSplit {
    let returns = &exact.returns;
    let total = &returns.total;
    let zero = || RationalEnclosure {
        value: RBig::ZERO,
        lower: RBig::ZERO,
        upper: RBig::ZERO,
    };
    let (mut bonus, mut other) = (zero(), zero());
    for (part, contribution) in &returns.parts {
        let side = match part {
            ReturnPart::OtherOutcomes => &mut other,
            ReturnPart::Meter | ReturnPart::WagerReturned => &mut bonus,
        };
        side.value += &contribution.value;
        side.lower += &contribution.lower;
        side.upper += &contribution.upper;
    }
    let adds_up = &bonus.value + &other.value == total.value
        && &bonus.lower + &other.lower == total.lower
        && &bonus.upper + &other.upper == total.upper;
    let conditional = RationalEnclosure {
        value: &bonus.value / probability,
        lower: &bonus.lower / probability,
        upper: &bonus.upper / probability,
    };
    // A cap in money makes a return of each stake, and the total is then that of none.
    let totals: Vec<&RationalEnclosure> = match exact.stakes.as_slice() {
        [] => vec![total],
        stakes => stakes.iter().map(|stake| &stake.returns.total).collect(),
    };
    let all = |bound: fn(&RationalEnclosure) -> &RBig| totals.iter().map(move |total| bound(total));
    let (lowers, uppers) = (all(|total| &total.lower), all(|total| &total.upper));
    let least = (lowers.clone().min(), uppers.clone().min());
    let greatest = (lowers.max(), uppers.max());
    let pair = |(lower, upper): (Option<&RBig>, Option<&RBig>)| {
        lower
            .zip(upper)
            .map(|(lower, upper)| (lower.clone(), upper.clone()))
            .expect("there is a total")
    };
    ReturnSplit {
        trigger: exact.trigger,
        conditional: shown(&conditional),
        bonus: shown(&bonus),
        other: shown(&other),
        total: shown(total) + &by_stake(exact),
        least: pair(least),
        greatest: pair(greatest),
        adds_up,
    }
}

/// The return at each stake under a cap in money, as a remark.
fn by_stake(exact: &Exact) -> String {
    if exact.stakes.is_empty() {
        return String::new();
    }
    let stakes: Vec<String> = exact
        .stakes
        .iter()
        .map(|stake| {
            format!(
                "{} at a stake of {}",
                shown(&stake.returns.total),
                stake.stake
            )
        })
        .collect();
    format!(" before `[limits]`, with it {}", stakes.join(", "))
}

/// A fraction with its decimals, or bounds rounded outward.
fn shown(enclosure: &RationalEnclosure) -> String {
    let (lower, upper) = (&enclosure.lower, &enclosure.upper);
    let fraction = lower.to_string();
    if lower == upper && fraction.len() <= MOST_DIGITS {
        return if fraction.contains('/') {
            format!("{fraction} = {}...", digits(lower, false))
        } else {
            fraction
        };
    }
    let (from, to) = (digits(lower, false), digits(upper, true));
    if from == to {
        from
    } else {
        format!("[{from}, {to}]")
    }
}

/// Decimals of a number that is not negative, rounded down or up.
fn digits(value: &RBig, up: bool) -> String {
    let scaled = value * RBig::from(IBig::from(10_u8).pow(PLACES));
    let denominator = IBig::from(scaled.denominator().clone());
    let mut whole = scaled.numerator() / &denominator;
    if up && scaled.numerator() % &denominator != IBig::ZERO {
        whole += IBig::ONE;
    }
    let text = format!("{:0>1$}", whole.to_string(), PLACES + 1);
    let (integer, decimals) = text.split_at(text.len() - PLACES);
    format!("{integer}.{decimals}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact;
    use crate::paytable::fixture;

    /// One spin of one character at 1, boosted by 1, on a wheel of two hats and one No Win:
    /// the meter is 2 with probability 2/3, so the gross return is 4/3 + 1 = 7/3, and 3/54 of
    /// it 7/54; with 1/4 from other outcomes 41/108.
    #[test]
    fn a_split_shows_the_whole_wager() {
        let mut game = fixture::tiny(1);
        game.outer_wheel = fixture::outer("hat hat no-win");
        game.triggers[0].other_return = RBig::from(1) / RBig::from(4);
        let paytable = Paytable::new(game).unwrap();
        let exact = exact::solve_all(&paytable).unwrap();
        let split = return_splits(&paytable, &exact).remove(0);
        assert!(split.adds_up);
        assert!(split.conditional.contains("2.333333333333"), "{split:?}");
        assert!(split.bonus.contains("0.129629629629"), "{split:?}");
        assert_eq!(split.other, "1/4 = 0.250000000000...");
        assert!(split.total.contains("0.379629629629"), "{split:?}");
    }

    /// The same game with at most 2 units: a stake of 1 is paid up to a meter of 2, so nothing
    /// changes and the return is 7/54; a stake of 2 up to a meter of 1, which makes it 3/54
    /// (2/3 + 1) = 5/54.
    #[test]
    fn a_cap_in_money_makes_a_return_of_each_stake() {
        let mut game = fixture::tiny(1);
        game.outer_wheel = fixture::outer("hat hat no-win");
        game.limits = Some(crate::paytable::Limits {
            max_win: 2,
            stakes: vec![1, 2],
        });
        let paytable = Paytable::new(game).unwrap();
        let exact = exact::solve_all(&paytable).unwrap();
        let split = return_splits(&paytable, &exact).remove(0);
        let fraction = |numerator: u64| RBig::from(numerator) / RBig::from(54);
        let holds = |(lower, upper): &(RBig, RBig), truth: &RBig| lower <= truth && truth <= upper;
        assert!(holds(&split.least, &fraction(5)), "{split:?}");
        assert!(holds(&split.greatest, &fraction(7)), "{split:?}");
        assert!(split.least.0 < split.greatest.0, "{split:?}");
        assert!(split.total.contains("at a stake of 2"), "{split:?}");
    }

    #[test]
    fn numbers_are_fractions_or_bounds_rounded_outward() {
        let third = RBig::from(1) / RBig::from(3);
        let exact = |value: &RBig| RationalEnclosure {
            value: value.clone(),
            lower: value.clone(),
            upper: value.clone(),
        };
        assert_eq!(shown(&exact(&RBig::from(2))), "2");
        assert_eq!(shown(&exact(&third)), "1/3 = 0.333333333333...");
        let wide = RationalEnclosure {
            value: third.clone(),
            lower: third.clone(),
            upper: &third + &third,
        };
        assert_eq!(shown(&wide), "[0.333333333333, 0.666666666667]");
    }
}
