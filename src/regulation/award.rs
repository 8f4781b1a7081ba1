//! The odds of the award that a game advertises, 5319.47(a)(2).
//!
//! The limit is that of GLI-11 v3.0, 4.8.2: an advertised award that chance alone decides must
//! occur at least once in 100,000,000 games, else its odds are shown prominently. A game is one
//! wager, so the probability is that of the trigger times that of the meter. Everything is
//! decided on rationals with proven bounds.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::ClauseVerdict::{self, Fail, Inconclusive, Pass};
use super::evidence::{AwardChance, Evidence, Payouts};
use super::ny_5319_47::worse;
use crate::paytable::{Paytable, TriggerTerms};
use crate::rules::Clause;

/// What the rule wants of a rare award.
const SHOW: &str = "the rule wants the odds themselves displayed prominently";

/// The meter of the top award that the game advertises: the declared highest meter of
/// 5319.47(a)(2), else the highest meter that a cap pays. `None` where no number is advertised.
#[must_use]
pub fn advertised_award(paytable: &Paytable) -> Option<u64> {
    let declared = paytable
        .disclosure
        .statements
        .get(Clause::NY_A2.citation())
        .and_then(|statement| statement.meter);
    if let Some(declared) = declared {
        return declared.highest;
    }
    let money = paytable.limits.as_ref().and_then(|limits| {
        let least = limits.stakes.iter().min()?;
        limits.max_win.checked_div(*least)
    });
    match (paytable.rules.max_meter, money) {
        (Some(meter), Some(money)) => Some(meter.min(money)),
        (meter, money) => meter.or(money),
    }
}

/// Whether the proven bounds leave open if the advertised award keeps the limit, so that a
/// sharper distribution could tell.
#[must_use]
pub fn award_is_open(paytable: &Paytable, evidence: &Evidence) -> bool {
    let Payouts::Known(payouts) = &evidence.payouts else {
        return false;
    };
    let least = RBig::ONE / RBig::from(evidence.award_limit);
    payouts.iter().any(|payouts| {
        let terms = paytable.terms(payouts.trigger);
        terms
            .zip(payouts.award.as_ref())
            .is_some_and(|(terms, chance)| {
                let probability = terms.probability();
                &probability * &chance.lower < least && &probability * &chance.upper >= least
            })
    })
}

/// What the award rule says.
pub(super) struct AwardJudgement {
    pub(super) verdict: ClauseVerdict,
    pub(super) words: String,
    /// Whether a declaration that the odds are shown would settle it.
    pub(super) wants_odds_shown: bool,
}

/// The verdict on the odds of the advertised award; `None` where nothing is advertised.
pub(super) fn judge(paytable: &Paytable, evidence: &Evidence) -> Option<AwardJudgement> {
    let award = advertised_award(paytable)?;
    let shown = paytable
        .disclosure
        .statements
        .get(Clause::NY_A2.citation())
        .and_then(|statement| statement.odds_shown);
    let payouts = match &evidence.payouts {
        Payouts::Known(payouts) => payouts,
        Payouts::NotComputed(reason) => {
            return Some(AwardJudgement {
                verdict: Inconclusive,
                words: format!("odds of the top award, {award}: not known, since {reason}"),
                wants_odds_shown: false,
            });
        }
    };
    let mut verdict = Pass;
    let mut words = Vec::new();
    for terms in &paytable.triggers {
        let chance = payouts
            .iter()
            .find(|payouts| payouts.trigger == terms.trigger)
            .and_then(|payouts| payouts.award.as_ref())
            .filter(|chance| chance.meter == award);
        let (found, text) = match chance {
            Some(chance) => of_trigger(terms, chance, evidence.award_limit, shown),
            None => (Inconclusive, "not computed".to_owned()),
        };
        verdict = worse(verdict, found);
        words.push(format!("trigger {}: {text}", terms.trigger));
    }
    Some(AwardJudgement {
        verdict,
        wants_odds_shown: verdict == Inconclusive && shown != Some(true),
        words: format!(
            "odds of the top award, a meter of {award} or more, for each game: {}",
            words.join("; ")
        ),
    })
}

fn of_trigger(
    terms: &TriggerTerms,
    chance: &AwardChance,
    limit: u64,
    shown: Option<bool>,
) -> (ClauseVerdict, String) {
    let probability = terms.probability();
    let (lower, upper) = (&probability * &chance.lower, &probability * &chance.upper);
    if upper == RBig::ZERO {
        return (
            Fail,
            "it cannot occur, and an advertised award must be one that can be won".to_owned(),
        );
    }
    let odds = odds(&lower, &upper);
    let limit_text = grouped(&limit.to_string());
    let least = RBig::ONE / RBig::from(limit);
    if lower >= least {
        return (
            Pass,
            format!("{odds}, at least once in {limit_text} as the limit asks"),
        );
    }
    let rarer = if upper < least {
        format!("{odds}, rarer than the limit of one in {limit_text}")
    } else {
        format!(
            "{odds}; whether that keeps the limit of one in {limit_text} the proven bounds do not decide"
        )
    };
    match shown {
        Some(true) => (
            Pass,
            format!("{rarer}; {SHOW}, and `odds_shown = true` declares that they are"),
        ),
        Some(false) if upper < least => (
            Fail,
            format!("{rarer}; {SHOW}, and `odds_shown = false` declares that they are not"),
        ),
        Some(false) => (
            Inconclusive,
            format!("{rarer}; {SHOW}, and `odds_shown = false` declares that they are not"),
        ),
        None => (
            Inconclusive,
            format!("{rarer}; {SHOW}, and nothing declares it (`odds_shown`)"),
        ),
    }
}

/// "One in" odds between those of two probabilities, rounded outward to whole games.
fn odds(lower: &RBig, upper: &RBig) -> String {
    let least = floor(&(RBig::ONE / upper));
    if *lower == RBig::ZERO {
        return format!(
            "one in {} or more, without a proven end",
            round(&least, false)
        );
    }
    let most = ceil(&(RBig::ONE / lower));
    let (from, to) = (round(&least, false), round(&most, true));
    if from == to {
        format!("one in {from}")
    } else {
        format!("one in {from} to {to}")
    }
}

fn floor(value: &RBig) -> UBig {
    let (numerator, denominator) = (value.numerator(), value.denominator());
    UBig::try_from(numerator / dashu_int::IBig::from(denominator.clone()))
        .expect("odds are positive")
}

fn ceil(value: &RBig) -> UBig {
    let whole = floor(value);
    if RBig::from(whole.clone()) == *value {
        whole
    } else {
        whole + UBig::ONE
    }
}

/// Digits that odds are shown with: what their order of size needs.
const DIGITS: usize = 4;

/// A whole number with its first digits alone, rounded down or up, grouped by thousands; from
/// 10^15 on as a power of ten.
fn round(value: &UBig, up: bool) -> String {
    let digits = value.to_string();
    let Some(dropped) = digits
        .len()
        .checked_sub(DIGITS)
        .filter(|&dropped| dropped > 0)
    else {
        return grouped(&digits);
    };
    let unit = UBig::from(10_u8).pow(dropped);
    let mut kept = value / &unit;
    if up && value % &unit != UBig::ZERO {
        kept += UBig::ONE;
    }
    let rounded = (&kept * &unit).to_string();
    if rounded.len() <= 15 {
        return grouped(&rounded);
    }
    let power = rounded.len() - 1;
    format!("{}.{}e{power}", &rounded[..1], &rounded[1..DIGITS])
}

/// Digits grouped by thousands.
pub(crate) fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: u64, denominator: u64) -> RBig {
        RBig::from(numerator) / RBig::from(denominator)
    }

    #[test]
    fn odds_are_rounded_outward() {
        // 1 / 0.3 = 3.33, between 3 and 4.
        let third = fraction(3, 10);
        assert_eq!(odds(&third, &third), "one in 3 to 4");
        assert_eq!(odds(&fraction(1, 8), &fraction(1, 8)), "one in 8");
        let (lower, upper) = (fraction(1, 123_456_789), fraction(1, 100_000_001));
        assert_eq!(odds(&lower, &upper), "one in 100,000,000 to 123,500,000");
        assert_eq!(
            odds(&RBig::ZERO, &fraction(1, 100)),
            "one in 100 or more, without a proven end"
        );
        let tiny = fraction(1, 10_000_000_000_000_000_001);
        assert_eq!(odds(&tiny, &tiny), "one in 1.000e19 to 1.001e19");
    }
}
