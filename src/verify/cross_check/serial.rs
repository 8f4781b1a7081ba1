//! Whether a payout depends on the one before, 5319.47(a)(5).

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{NumericCheck, Played, count};
use crate::engine::{Detail, PairSums};
use crate::exact::Enclosure;
use crate::rules::Clause;
use crate::stats::{NullRange, z_test};
use crate::verify::VerifyError;
use crate::verify::power::Reach;
use crate::verify::requirement;

/// The lag-1 correlation of the meters of neighbouring rounds, before a cap.
///
/// With the exact mean and variance, r = sum (x - mu)(y - mu) / (n sigma^2) over n pairs of
/// neighbours. Products of different pairs are uncorrelated, also where two pairs share a round,
/// so the variance of r is 1/n exactly where rounds are independent. `None` without a pair or
/// without a variance.
pub(super) fn lag(
    played: &Played<'_>,
    detail: &Detail,
) -> Result<Option<NumericCheck>, VerifyError> {
    let sums = &detail.parts().uncapped;
    let variance = played.exact.uncapped_variance_meter.upper();
    if sums.pairs == 0 || !variance.is_finite() || variance <= 0.0 {
        return Ok(None);
    }
    let pairs = count(sums.pairs);
    let covariance = least_covariance(sums, played.exact.uncapped_mean_meter);
    let correlation = covariance / variance;
    let std_error = 1.0 / pairs.sqrt();
    let test = z_test(correlation, NullRange::point(0.0)?, std_error)?;
    Ok(Some(NumericCheck {
        id: "lag-1-correlation",
        clause: Clause::NY_A5,
        hypothesis: "the meters of neighbouring rounds are uncorrelated".to_owned(),
        statistic: test.statistic,
        method: "z, exact mean and variance, exact variance 1/pairs of the correlation".to_owned(),
        p_value: Some(test.p_value),
        reach: Some(Reach::Shift {
            noun: "correlation",
            std_error,
            width: 0.0,
        }),
        requirement: requirement::of("lag-1-correlation", 1.0),
        evidence: format!(
            "correlation {correlation:.2e} over {} pairs of neighbours among the first {} rounds",
            sums.pairs,
            detail.rounds()
        ),
    }))
}

/// The covariance that is nearest to 0 for a mean within its bounds: a parabola in the mean.
fn least_covariance(sums: &PairSums, mean: Enclosure) -> f64 {
    let exactly =
        |bound: f64| RBig::try_from(bound).expect("the bounds of an enclosure are finite");
    let n = RBig::from(sums.pairs);
    let both = RBig::from(IBig::from(sums.first) + IBig::from(sums.second));
    let at = |mu: &RBig| RBig::from(IBig::from(sums.products)) - mu * &both + &n * mu * mu;
    let (low, high) = (exactly(mean.lower()), exactly(mean.upper()));
    let lowest = &both / (RBig::from(2) * &n);
    let nearest = lowest.clamp(low.clone(), high.clone());
    let least = at(&nearest);
    let most = at(&low).max(at(&high));
    let value = if least > RBig::ZERO {
        least
    } else if most < RBig::ZERO {
        most
    } else {
        RBig::ZERO
    };
    (value / n).to_f64().value()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds 2, 4, 9: pairs (2, 4) and (4, 9), sums 6 and 13, products 8 + 36.
    #[test]
    fn covariance_by_hand() {
        let sums = PairSums {
            pairs: 2,
            first: 6,
            second: 13,
            first_squared: 20,
            second_squared: 97,
            products: 44,
        };
        // About 5: (-3)(-1) + (-1)(4) = -1, over 2 pairs.
        let found = least_covariance(&sums, Enclosure::exact(5.0));
        assert!((found + 0.5).abs() < 1e-15, "{found}");
        // About 4.75 the parabola is lowest, -1.125; about 6 it is (-4)(-2) + (-2)(3) = 2.
        let wide = Enclosure::new(5.0, 4.0, 6.0).unwrap();
        assert!(least_covariance(&sums, wide).abs() < f64::MIN_POSITIVE);
        let low = Enclosure::new(5.0, 4.5, 5.0).unwrap();
        assert!((least_covariance(&sums, low) + 0.5).abs() < 1e-15);
    }
}
