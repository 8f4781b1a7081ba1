//! From the meter to the return of a wager: 693.6(g), and 5319.47(a)(8).
//!
//! The meter M is odds. What a wager of 1 brings back, given the trigger, is G = M + B:
//!
//! | convention | zero meter | B |
//! | --- | --- | --- |
//! | to one | returns the wager | 1 |
//! | to one | loses the wager | 1 where M > 0, else 0 |
//! | for one | returns the wager | 1 where M = 0, else 0 |
//! | for one | loses the wager | 0 |
//!
//! With P0 = P(M = 0): Var G = Var M + 2 Cov(M, B) + Var B, where Cov(M, 1{M > 0}) = `E[M]` P0 =
//! -Cov(M, 1{M = 0}) and the variance of either indicator is P0 (1 - P0).
//!
//! Guarantee: enclosures of enclosures. The shares of the return are rationals that add up to
//! the total without any rounding, bound by bound.

use dashu_ratio::RBig;
use statrs::distribution::{ContinuousCDF, Normal};

use super::enclosure::Enclosure;
use super::interval::Interval;
use crate::paytable::{Convention, Payout, TriggerTerms, ZeroMeter};

/// The level at which a volatility index is quoted, two-sided.
pub const DEFAULT_LEVEL: f64 = 0.90;

/// z times the standard deviation of one round's gross return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolatilityIndex {
    /// The index, in units of the wager.
    pub index: Enclosure,
    /// The two-sided level, 0.90 by default.
    pub level: f64,
    /// The normal quantile at (1 + level) / 2, 1.6449 at the default level.
    pub z: f64,
}

impl VolatilityIndex {
    /// The index at a level.
    ///
    /// # Arguments
    /// - `std_dev`: of one round's gross return, in units of the wager
    /// - `level`: two-sided, in (0, 1)
    ///
    /// # Accuracy
    /// `z` is the nearest `f64` that the quantile function of statrs gives, and `index`
    /// encloses that `z` times the standard deviation.
    ///
    /// # Panics
    /// If `level` is not in (0, 1).
    #[must_use]
    pub fn new(std_dev: Enclosure, level: f64) -> Self {
        assert!(0.0 < level && level < 1.0, "the level is in (0, 1)");
        let z = Normal::standard().inverse_cdf(f64::midpoint(1.0, level));
        Self {
            index: std_dev * Enclosure::exact(z),
            level,
            z,
        }
    }
}

/// Where a part of the return comes from, 5319.47(a)(8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnPart {
    /// The meter: the win of the bonus.
    Meter,
    /// The wager that comes back with it.
    WagerReturned,
    /// All other outcomes of the main wheel.
    OtherOutcomes,
}

impl ReturnPart {
    /// The name that reports use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meter => "meter",
            Self::WagerReturned => "wager returned",
            Self::OtherOutcomes => "other outcomes",
        }
    }
}

/// A number with bounds, all three rationals; the bounds and values of parts add up to those of
/// their total exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RationalEnclosure {
    /// The best single number.
    pub value: RBig,
    /// A number that the truth is not below.
    pub lower: RBig,
    /// A number that the truth is not above.
    pub upper: RBig,
}

impl RationalEnclosure {
    /// A number without uncertainty.
    #[must_use]
    pub fn exact(value: RBig) -> Self {
        Self {
            lower: value.clone(),
            upper: value.clone(),
            value,
        }
    }

    /// The dyadic bounds of an enclosure times a positive rational.
    pub(super) fn scaled(enclosure: Enclosure, factor: &RBig) -> Self {
        Self::from(enclosure).times(factor)
    }

    /// The sum, bound by bound and without rounding.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            value: &self.value + &other.value,
            lower: &self.lower + &other.lower,
            upper: &self.upper + &other.upper,
        }
    }

    /// The difference without rounding, for any truths inside the two.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self {
            value: &self.value - &other.value,
            lower: &self.lower - &other.upper,
            upper: &self.upper - &other.lower,
        }
    }

    /// The product with a number that is known, without rounding.
    #[must_use]
    pub fn times(&self, factor: &RBig) -> Self {
        let (lower, upper) = (&self.lower * factor, &self.upper * factor);
        let (lower, upper) = if lower <= upper {
            (lower, upper)
        } else {
            (upper, lower)
        };
        Self {
            value: &self.value * factor,
            lower,
            upper,
        }
    }

    /// The number itself where its bounds meet.
    #[must_use]
    pub fn fraction(&self) -> Option<&RBig> {
        (self.lower == self.upper).then_some(&self.lower)
    }

    /// The same bounds as the next `f64` outward.
    #[must_use]
    pub fn enclosure(&self) -> Enclosure {
        Enclosure::ordered(
            self.value.to_f64().value(),
            Interval {
                lo: Interval::from_rational(&self.lower).lo,
                hi: Interval::from_rational(&self.upper).hi,
            },
        )
    }
}

impl From<Enclosure> for RationalEnclosure {
    /// The same three numbers, which are dyadic.
    ///
    /// # Panics
    /// If a bound is infinite, which no moment of a validated paytable has.
    fn from(enclosure: Enclosure) -> Self {
        let dyadic = |number: f64| {
            RBig::try_from(number).expect("the moments of a validated paytable are finite")
        };
        Self {
            value: dyadic(enclosure.value()),
            lower: dyadic(enclosure.lower()),
            upper: dyadic(enclosure.upper()),
        }
    }
}

/// The return of a wager on a trigger's bet.
#[derive(Debug, Clone, PartialEq)]
pub struct Returns {
    /// Expected gross return for each unit wagered, given the trigger.
    pub rtp_conditional: Enclosure,
    /// Expected net win for each unit wagered, given the trigger: `rtp_conditional - 1`.
    pub net_mean: Enclosure,
    /// Variance of the gross return given the trigger.
    pub gross_variance: Enclosure,
    /// Standard deviation of the gross return given the trigger.
    pub gross_std_dev: Enclosure,
    /// At [`DEFAULT_LEVEL`].
    pub volatility_index: VolatilityIndex,
    /// Expected gross return for each unit wagered over all main-wheel outcomes: trigger
    /// probability times `rtp_conditional`, plus the return of the other outcomes.
    pub rtp: Enclosure,
    /// `1 - rtp`.
    pub house_edge: Enclosure,
    /// The parts of `rtp`, 5319.47(a)(8).
    pub parts: Vec<(ReturnPart, RationalEnclosure)>,
    /// The exact sum of `parts`; `rtp` is its rounding outward.
    pub total: RationalEnclosure,
}

/// Returns from the meter's figures.
///
/// # Arguments
/// - `mean`, `variance`: of the meter as it is paid (after a cap)
/// - `zero`: P(meter = 0)
#[must_use]
pub fn returns(
    payout: Payout,
    terms: &TriggerTerms,
    mean: Enclosure,
    variance: Enclosure,
    zero: Enclosure,
) -> Returns {
    let hit = (Enclosure::ONE - zero).within(0.0, 1.0);
    let indicator_variance = zero * hit;
    let twice_covariance = Enclosure::exact(2.0) * mean * zero;
    let (wager, gross_variance) = match (payout.convention, payout.zero_meter) {
        (Convention::ToOne, ZeroMeter::ReturnsWager) => (Enclosure::ONE, variance),
        (Convention::ToOne, ZeroMeter::LosesWager) => {
            (hit, variance + twice_covariance + indicator_variance)
        }
        (Convention::ForOne, ZeroMeter::ReturnsWager) => {
            (zero, variance - twice_covariance + indicator_variance)
        }
        (Convention::ForOne, ZeroMeter::LosesWager) => (Enclosure::ZERO, variance),
    };
    let gross_variance = gross_variance.within(0.0, f64::INFINITY);
    let gross_std_dev = gross_variance.sqrt();
    let rtp_conditional = mean + wager;

    let probability = terms.probability();
    let parts = vec![
        (
            ReturnPart::Meter,
            RationalEnclosure::scaled(mean, &probability),
        ),
        (
            ReturnPart::WagerReturned,
            RationalEnclosure::scaled(wager, &probability),
        ),
        (
            ReturnPart::OtherOutcomes,
            RationalEnclosure::exact(terms.other_return.clone()),
        ),
    ];
    let total = parts
        .iter()
        .fold(RationalEnclosure::exact(RBig::ZERO), |sum, (_, part)| {
            sum.plus(part)
        });
    let rtp = total.enclosure();
    Returns {
        rtp_conditional,
        net_mean: rtp_conditional - Enclosure::ONE,
        gross_variance,
        gross_std_dev,
        volatility_index: VolatilityIndex::new(gross_std_dev, DEFAULT_LEVEL),
        rtp,
        house_edge: Enclosure::ONE - rtp,
        parts,
        total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Trigger;

    fn terms() -> TriggerTerms {
        TriggerTerms {
            trigger: Trigger::Two,
            spins: 2,
            main_wheel_sections: 3,
            main_wheel_of: 54,
            other_return: RBig::from(1) / RBig::from(7),
            starting_multipliers: None,
        }
    }

    /// M = 0 or 4 with probability 1/4 and 3/4: the gross return is written out for each
    /// reading.
    #[test]
    fn every_convention_by_hand() {
        let mean = Enclosure::exact(3.0);
        let variance = Enclosure::exact(3.0);
        let zero = Enclosure::exact(0.25);
        let cases = [
            (Convention::ToOne, ZeroMeter::ReturnsWager, 1.0, 5.0),
            (Convention::ToOne, ZeroMeter::LosesWager, 0.0, 5.0),
            (Convention::ForOne, ZeroMeter::ReturnsWager, 1.0, 4.0),
            (Convention::ForOne, ZeroMeter::LosesWager, 0.0, 4.0),
        ];
        for (convention, zero_meter, at_zero, at_win) in cases {
            let payout = Payout {
                convention,
                zero_meter,
            };
            let found = returns(payout, &terms(), mean, variance, zero);
            let gross = 0.25 * at_zero + 0.75 * at_win;
            let square = 0.25 * at_zero * at_zero + 0.75 * at_win * at_win;
            assert!(found.rtp_conditional.contains(gross));
            assert!(found.gross_variance.contains(square - gross * gross));
            assert!(found.rtp_conditional.width() < 1e-14);
            assert!(found.net_mean.contains(gross - 1.0));
        }
    }

    #[test]
    fn ny_a8_parts_add_up_exactly() {
        let payout = Payout {
            convention: Convention::ToOne,
            zero_meter: ZeroMeter::LosesWager,
        };
        let third = Enclosure::from_rational(&(RBig::from(1) / RBig::from(3)));
        let found = returns(payout, &terms(), third, third, third);
        let (mut value, mut lower, mut upper) = (RBig::ZERO, RBig::ZERO, RBig::ZERO);
        for (_, part) in &found.parts {
            value += &part.value;
            lower += &part.lower;
            upper += &part.upper;
        }
        assert_eq!(value, found.total.value);
        assert_eq!(lower, found.total.lower);
        assert_eq!(upper, found.total.upper);
        // (1/3 + 2/3) / 18 + 1/7.
        let truth = RBig::from(25) / RBig::from(126);
        assert!(found.rtp.contains_rational(&truth));
    }

    #[test]
    fn volatility_index_uses_the_two_sided_quantile() {
        let index = VolatilityIndex::new(Enclosure::exact(2.0), 0.90);
        assert!((index.z - 1.644_853_626_951_472_2).abs() < 1e-14);
        assert!(index.index.contains(2.0 * index.z));
    }
}
