//! A number with bounds that are proved.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use dashu_ratio::RBig;

use super::interval::Interval;

/// A number known to lie between two bounds: `lower <= truth <= upper`.
///
/// `value` is the best single number, `lower <= value <= upper`; none of the three is NaN.
/// Sums, differences, products, quotients and square roots round outward, so a result encloses
/// the true result for any truth inside the operands.
///
/// # Accuracy
/// The bounds are guaranteed; their distance, [`width`](Self::width), says how much is known.
///
/// # Source
/// Interval arithmetic: R. E. Moore, Interval Analysis (1966), chapter 2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enclosure {
    value: f64,
    lower: f64,
    upper: f64,
}

impl Enclosure {
    /// The number 0, exactly.
    pub const ZERO: Self = Self::exact_unchecked(0.0);
    /// The number 1, exactly.
    pub const ONE: Self = Self::exact_unchecked(1.0);

    const fn exact_unchecked(value: f64) -> Self {
        Self {
            value,
            lower: value,
            upper: value,
        }
    }

    /// A value between two bounds, or `None` unless `lower <= value <= upper` (so never with
    /// NaN).
    #[must_use]
    pub fn new(value: f64, lower: f64, upper: f64) -> Option<Self> {
        (lower <= value && value <= upper).then_some(Self {
            value,
            lower,
            upper,
        })
    }

    /// A number without uncertainty.
    ///
    /// # Panics
    /// If `value` is NaN.
    #[must_use]
    pub fn exact(value: f64) -> Self {
        assert!(!value.is_nan(), "an enclosure holds a number");
        Self::exact_unchecked(value)
    }

    /// The tightest bounds of a rational: one number where `f64` holds it, else its two
    /// neighbours, with the nearer one as the value.
    #[must_use]
    pub fn from_rational(exact: &RBig) -> Self {
        let interval = Interval::from_rational(exact);
        Self::ordered(exact.to_f64().value(), interval)
    }

    /// From an interval, its middle as the value.
    pub(super) fn from_interval(interval: Interval) -> Self {
        let bounds = Self::ordered(f64::NAN, interval);
        Self::ordered(bounds.interval().mid(), bounds.interval())
    }

    /// Bounds with a value moved between them; an undefined bound becomes no bound.
    pub(super) fn ordered(value: f64, interval: Interval) -> Self {
        let lower = if interval.lo.is_nan() {
            f64::NEG_INFINITY
        } else {
            interval.lo
        };
        let upper = if interval.hi.is_nan() {
            f64::INFINITY
        } else {
            interval.hi
        };
        let value = if value.is_nan() { upper } else { value };
        Self {
            value: value.clamp(lower, upper),
            lower,
            upper,
        }
    }

    /// The best single number.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.value
    }

    /// A number that the truth is not below.
    #[must_use]
    pub const fn lower(self) -> f64 {
        self.lower
    }

    /// A number that the truth is not above.
    #[must_use]
    pub const fn upper(self) -> f64 {
        self.upper
    }

    /// Distance of the bounds, `upper - lower`, rounded up; 0 for an exact number.
    #[must_use]
    pub fn width(self) -> f64 {
        (Interval::point(self.upper) - Interval::point(self.lower)).hi
    }

    /// [`width`](Self::width) over the absolute value; 0 for an exact number, infinite for an
    /// uncertain number whose value is 0.
    #[must_use]
    pub fn relative_width(self) -> f64 {
        let width = self.width();
        if width > 0.0 {
            width / self.value.abs()
        } else {
            0.0
        }
    }

    /// Whether a number lies between the bounds, ends included.
    #[must_use]
    pub fn contains(self, number: f64) -> bool {
        self.lower <= number && number <= self.upper
    }

    /// Whether a rational lies between the bounds, decided exactly.
    #[must_use]
    pub fn contains_rational(self, number: &RBig) -> bool {
        let above = RBig::try_from(self.lower).map_or(self.lower < 0.0, |lower| lower <= *number);
        let below = RBig::try_from(self.upper).map_or(self.upper > 0.0, |upper| *number <= upper);
        above && below
    }

    /// Whether two enclosures have a number in common; two enclosures of one truth always do.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.lower <= other.upper && other.lower <= self.upper
    }

    /// The square root of the part that is not negative.
    ///
    /// # Panics
    /// If the upper bound is negative.
    #[must_use]
    pub fn sqrt(self) -> Self {
        assert!(self.upper >= 0.0, "the square root of a negative number");
        Self::ordered(self.value.max(0.0).sqrt(), self.interval().sqrt())
    }

    /// The bounds cut to those numbers that are also in `[lower, upper]`, for a truth that is
    /// known to lie there (a probability in `[0, 1]`).
    #[must_use]
    pub(super) fn within(self, lower: f64, upper: f64) -> Self {
        let interval = Interval {
            lo: self.lower.max(lower).min(upper),
            hi: self.upper.min(upper).max(lower),
        };
        Self::ordered(self.value, interval)
    }

    /// The bounds alone.
    pub(super) const fn interval(self) -> Interval {
        Interval {
            lo: self.lower,
            hi: self.upper,
        }
    }
}

impl fmt::Display for Enclosure {
    /// The value, then the bounds in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}, {}]", self.value, self.lower, self.upper)
    }
}

impl Add for Enclosure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::ordered(self.value + other.value, self.interval() + other.interval())
    }
}

impl Sub for Enclosure {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::ordered(self.value - other.value, self.interval() - other.interval())
    }
}

impl Neg for Enclosure {
    type Output = Self;

    fn neg(self) -> Self {
        Self::ordered(-self.value, -self.interval())
    }
}

impl Mul for Enclosure {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::ordered(self.value * other.value, self.interval() * other.interval())
    }
}

impl Div for Enclosure {
    type Output = Self;

    /// # Panics
    /// If the divisor's bounds hold 0.
    fn div(self, other: Self) -> Self {
        assert!(
            other.lower > 0.0 || other.upper < 0.0,
            "the divisor may be zero"
        );
        let quotient = if other.lower > 0.0 {
            self.interval().over(other.interval())
        } else {
            -self.interval().over(-other.interval())
        };
        Self::ordered(self.value / other.value, quotient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn third() -> RBig {
        RBig::from(1) / RBig::from(3)
    }

    #[test]
    fn a_rational_is_enclosed_by_neighbours() {
        let enclosure = Enclosure::from_rational(&third());
        assert!(enclosure.contains_rational(&third()));
        assert!(enclosure.lower().next_up() >= enclosure.upper());
        assert!(enclosure.width() > 0.0);
        let half = Enclosure::from_rational(&(RBig::from(1) / RBig::from(2)));
        assert!(half.width() <= 0.0 && half.contains(0.5));
    }

    #[test]
    fn arithmetic_encloses_the_rational_result() {
        let values = [-7, -3, -1, 1, 2, 11];
        for a in values {
            for b in values {
                let (x, y) = (RBig::from(a) / RBig::from(7), RBig::from(b) / RBig::from(3));
                let (u, v) = (Enclosure::from_rational(&x), Enclosure::from_rational(&y));
                assert!((u + v).contains_rational(&(&x + &y)));
                assert!((u - v).contains_rational(&(&x - &y)));
                assert!((u * v).contains_rational(&(&x * &y)));
                assert!((u / v).contains_rational(&(&x / &y)));
                assert!((u * v).relative_width() < 2e-15);
            }
        }
    }

    #[test]
    fn square_root_encloses() {
        let root = Enclosure::exact(2.0).sqrt();
        assert!((root * root).contains(2.0));
        assert!(root.contains(std::f64::consts::SQRT_2));
    }

    #[test]
    fn nothing_disordered_can_be_built() {
        assert!(Enclosure::new(1.0, 0.0, 2.0).is_some());
        assert!(Enclosure::new(3.0, 0.0, 2.0).is_none());
        assert!(Enclosure::new(f64::NAN, 0.0, 2.0).is_none());
        assert!(Enclosure::new(1.0, f64::NAN, 2.0).is_none());
    }

    #[test]
    fn a_wide_factor_keeps_its_sign_cases() {
        let wide = Enclosure::new(0.5, -1.0, 2.0).expect("ordered");
        let product = wide * wide;
        assert!(product.lower() <= -2.0 && product.upper() >= 4.0);
        let square = wide.interval().square();
        assert!(square.lo >= 0.0 && square.hi >= 4.0);
    }
}
