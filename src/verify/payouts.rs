//! Rare payouts from the exact distribution, as 5319.47(a)(2) asks for them.

use dashu_int::UBig;
use dashu_ratio::RBig;

use crate::exact::distribution::{Distribution, DistributionError};
use crate::exact::{LargestMeter, largest_meter};
use crate::paytable::Paytable;
use crate::regulation::{AwardChance, ExceededOnceIn, Payouts, RarePayouts, advertised_award};

/// Rounds among which a payout is exceeded at most once, as powers of ten.
const POWERS: [u32; 4] = [4, 6, 8, 10];
/// Meters beyond this are not searched; no larger one is a payout that could be paid.
const LARGEST: u64 = 1 << 52;

/// Meters that rounds seldom exceed, and the chance of the advertised award, for each trigger
/// that has a distribution.
///
/// # Accuracy
/// Every bound follows from the proven bounds of the distribution, compared as rationals.
#[must_use]
pub fn rare_payouts(
    paytable: &Paytable,
    distributions: Result<&[Distribution], &DistributionError>,
) -> Payouts {
    let distributions = match distributions {
        Ok(distributions) => distributions,
        Err(error) => return Payouts::NotComputed(error.to_string()),
    };
    let award = advertised_award(paytable);
    let of_trigger = |distribution: &Distribution| {
        let largest = match largest_meter(paytable, distribution.trigger) {
            LargestMeter::Finite(largest) => Some(largest),
            LargestMeter::Unbounded | LargestMeter::NotComputed => None,
        };
        RarePayouts {
            trigger: distribution.trigger,
            exceeded: POWERS
                .map(|power| exceeded_once_in(distribution, power))
                .to_vec(),
            award: award.map(|meter| chance_of(distribution, meter, largest)),
            largest,
        }
    };
    Payouts::Known(distributions.iter().map(of_trigger).collect())
}

/// The chance of an award. The bounds of a distribution that is not known to the end never
/// come down to 0, so what cannot be reached is told by the search.
fn chance_of(distribution: &Distribution, meter: u64, largest: Option<u64>) -> AwardChance {
    if largest.is_some_and(|largest| largest < meter) {
        return AwardChance {
            meter,
            lower: RBig::ZERO,
            upper: RBig::ZERO,
        };
    }
    let chance = distribution.exceedance(meter);
    AwardChance {
        meter,
        lower: rational(chance.lower()),
        upper: rational(chance.upper()),
    }
}

/// The least meter x with P(meter > x) <= 10^-power, between bounds.
fn exceeded_once_in(distribution: &Distribution, power: u32) -> ExceededOnceIn {
    let rounds = RBig::from(UBig::from(10_u8).pow(power as usize));
    let seldom = |bound: f64| rational(bound) * &rounds <= RBig::ONE;
    let lower = least(|x| seldom(distribution.exceedance(x + 1).lower()));
    let upper = least(|x| seldom(distribution.exceedance(x + 1).upper()));
    ExceededOnceIn {
        power,
        lower: lower.unwrap_or(LARGEST),
        upper,
    }
}

/// The least meter up to [`LARGEST`] where a statement holds that stays true once it is.
fn least(holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(LARGEST) {
        return None;
    }
    let (mut below, mut at) = (0, LARGEST);
    if holds(0) {
        return Some(0);
    }
    while at - below > 1 {
        let middle = below.midpoint(at);
        if holds(middle) {
            at = middle;
        } else {
            below = middle;
        }
    }
    Some(at)
}

fn rational(bound: f64) -> RBig {
    RBig::try_from(bound).expect("a bound of a probability is finite")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact;
    use crate::exact::distribution::{DistributionOptions, distributions};
    use crate::paytable::{DeclaredRange, Definition, Statement, fixture};
    use crate::rules::Clause;

    fn payouts(game: Definition) -> RarePayouts {
        let paytable = Paytable::new(game).unwrap();
        let exact = exact::solve_all(&paytable).unwrap();
        let found = distributions(&paytable, &exact, &DistributionOptions::default()).unwrap();
        let Payouts::Known(mut payouts) = rare_payouts(&paytable, Ok(&found)) else {
            panic!("there is a distribution");
        };
        payouts.remove(0)
    }

    /// One spin of the tiny game pays 2 + 2K, P(K >= k) = 2^-k, so P(meter > 2 + 2k) =
    /// 2^-(k + 1): at most 10^-4 from k = 13 on (2^-14 = 6.1e-5, 2^-13 = 1.2e-4), 10^-6 from
    /// 19, 10^-8 from 26, 10^-10 from 33. A limit of 40 spins takes 2^-40 from each.
    #[test]
    fn payouts_of_the_game_that_a_person_can_check() {
        let mut game = fixture::tiny(1);
        game.rules.max_spins = Some(40);
        game.disclosure.statements.insert(
            Clause::NY_A2.citation().into(),
            Statement {
                text: "28 at most".into(),
                file: None,
                sha256: None,
                page: None,
                meter: Some(DeclaredRange {
                    lowest: 0,
                    highest: Some(28),
                }),
                multiplier: None,
                odds_shown: None,
            },
        );
        let found = payouts(game);
        let meters = [(4, 28), (6, 40), (8, 54), (10, 68)];
        for (entry, (power, meter)) in found.exceeded.iter().zip(meters) {
            assert_eq!(entry.power, power);
            assert_eq!((entry.lower, entry.upper), (meter, Some(meter)));
        }
        // A meter of 28 or more: not hit in the first 13 spins, but hit before the limit.
        let power = |k: usize| RBig::ONE / RBig::from(UBig::ONE << k);
        let truth = power(13) - power(40);
        let award = found.award.unwrap();
        assert_eq!(award.meter, 28);
        assert!(award.lower <= truth && truth <= award.upper);
        assert!((&award.upper - &award.lower) * RBig::from(1_000_000_u32) < truth);
    }

    /// Without the limit the law is only bounded, and the bounds hold the same meters.
    #[test]
    fn proven_bounds_hold_the_truth() {
        let found = payouts(fixture::tiny(1));
        for (entry, meter) in found.exceeded.iter().zip([28, 40, 54, 68]) {
            assert!(entry.lower <= meter, "{entry:?}");
            assert!(entry.upper.is_none_or(|upper| meter <= upper), "{entry:?}");
        }
        assert!(found.award.is_none());
    }

    /// No meter passes a cap, so a cap of 30 bounds what seldom happens.
    #[test]
    fn a_cap_is_the_last_payout() {
        let mut game = fixture::tiny(1);
        game.rules.max_spins = Some(40);
        game.rules.max_meter = Some(30);
        let found = payouts(game);
        let meters: Vec<u64> = found.exceeded.iter().map(|entry| entry.lower).collect();
        assert_eq!(meters, [28, 30, 30, 30]);
        assert_eq!(found.award.unwrap().meter, 30);
        assert_eq!(found.largest, Some(30));
    }

    /// One spin and no potion: 2 is all that can be paid, so an award of 100 cannot occur.
    #[test]
    fn an_award_out_of_reach_has_no_chance() {
        let mut game = fixture::tiny(1);
        game.outer_wheel = fixture::outer("hat hat no-win");
        game.rules.max_meter = Some(100);
        let found = payouts(game);
        assert_eq!(found.largest, Some(2));
        let award = found.award.unwrap();
        assert_eq!((award.meter, award.upper), (100, RBig::ZERO));
    }
}
