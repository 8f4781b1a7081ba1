//! Numbers for players, each rounded so that it never promises more than the exact one.
//!
//! Rationals throughout: a bound is a dyadic number, and its decimals are cut exactly.

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::exact::Enclosure;
use crate::regulation::grouped;

/// A number with the given places, at most the exact one.
///
/// # Arguments
/// - `lower`: a proven lower bound; one below 0 counts as 0, one that is infinite too
pub(super) fn down(lower: f64, places: u32) -> String {
    decimal(&(dyadic(lower) * scale(places)).floor(), places)
}

/// A probability as a percentage with two places, at most the exact one; 100 only where it is
/// certain.
pub(super) fn percent_down(lower: f64) -> String {
    let hundredths = (dyadic(lower) * RBig::from(10_000)).floor();
    format!("{} %", decimal(&hundredths, 2))
}

/// `1 in N` for a known N of at least 1: N itself where it is whole, else rounded up to three
/// digits.
pub(super) fn one_in(n: &RBig) -> String {
    if n.is_int() {
        format!("1 in {}", grouped(&n.numerator().to_string()))
    } else {
        format!("1 in {}", three_digits(n, RBig::ceil))
    }
}

/// `1 in N` for a probability between bounds, N rounded up to three digits.
pub(super) fn odds(probability: Enclosure) -> String {
    let (lower, upper) = (dyadic(probability.lower()), dyadic(probability.upper()));
    if upper == RBig::ZERO {
        return "cannot occur".to_owned();
    }
    if lower >= RBig::ONE {
        return "always".to_owned();
    }
    if lower == RBig::ZERO || upper > &lower * RBig::from(2) {
        // Nothing near enough is proven: what is said is what cannot be passed.
        let least = RBig::ONE / upper;
        return format!("less than 1 in {}", three_digits(&least, RBig::floor));
    }
    one_in(&(RBig::ONE / lower))
}

/// A bound as a number that is not negative; an infinite one says nothing, which is 0 here.
fn dyadic(number: f64) -> RBig {
    RBig::try_from(number.max(0.0)).unwrap_or(RBig::ZERO)
}

fn scale(places: u32) -> RBig {
    RBig::from(IBig::from(10).pow(places as usize))
}

/// A positive number with three digits, rounded by the function given.
fn three_digits(n: &RBig, rounded: impl Fn(&RBig) -> IBig) -> String {
    let (places, unit) = if *n < RBig::from(10) {
        (2, RBig::ONE)
    } else if *n < RBig::from(100) {
        (1, RBig::ONE)
    } else {
        let digits = n.trunc().to_string().len();
        let drop = u32::try_from(digits.saturating_sub(3)).unwrap_or(0);
        (0, scale(drop))
    };
    let units = rounded(&(n * scale(places) / &unit));
    let text = decimal(&(RBig::from(units) * unit).trunc(), places);
    if places > 0 {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        grouped(&text)
    }
}

/// A count of 10^-places, which is not negative, as a decimal.
fn decimal(units: &IBig, places: u32) -> String {
    let places = places as usize;
    let digits = format!("{:0>width$}", units.to_string(), width = places + 1);
    let (whole, rest) = digits.split_at(digits.len() - places);
    if rest.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_rounded_in_the_players_favour() {
        assert_eq!(down(16.279_9, 2), "16.27");
        assert_eq!(down(16.25, 2), "16.25");
        assert_eq!(down(0.001, 2), "0.00");
        assert_eq!(percent_down(0.997_89), "99.78 %");
        assert_eq!(percent_down(0.999_999_9), "99.99 %");
        assert_eq!(percent_down(1.0), "100.00 %");
        assert_eq!(percent_down(0.875), "87.50 %");
        let odds = |p: f64| odds(Enclosure::exact(p));
        assert_eq!(odds(0.6), "1 in 1.67");
        assert_eq!(odds(0.375), "1 in 2.67");
        assert_eq!(odds(1.0 / 12.34), "1 in 12.4");
        assert_eq!(odds(1.0 / 12_310.0), "1 in 12,400");
        // 99.95 is 100 at one place, and 999.5 is 1,000 at none.
        assert_eq!(odds(1.0 / 99.95), "1 in 100");
        assert_eq!(odds(1.0 / 999.5), "1 in 1,000");
        assert_eq!(odds(1.0), "always");
        assert_eq!(odds(0.0), "cannot occur");
    }

    #[test]
    fn a_wide_proof_claims_no_more_than_it_has() {
        let wide = Enclosure::new(1e-9, 0.0, 0.000_999).expect("ordered");
        assert_eq!(odds(wide), "less than 1 in 1,000");
        let ratio = |a: u32, b: u32| RBig::from(a) / RBig::from(b);
        assert_eq!(one_in(&ratio(54, 3)), "1 in 18");
        assert_eq!(one_in(&ratio(108, 7)), "1 in 15.5");
        assert_eq!(one_in(&ratio(4000, 1)), "1 in 4,000");
    }
}
