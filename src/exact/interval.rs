//! Intervals of `f64` rounded outward, the arithmetic of the inner loops.
//!
//! Every operation rounds to nearest and then widens by one unit in the last place unless the
//! result is known to be exact, so the true result of the operation on any members of the
//! operands lies inside. Nothing depends on the rounding mode of the processor. Not public:
//! results leave the module as [`Enclosure`](super::Enclosure).

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use dashu_ratio::RBig;

/// A closed interval; `lo <= hi`, both finite unless a calculation passes the range of `f64`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    /// Lower end.
    pub(super) lo: f64,
    /// Upper end.
    pub(super) hi: f64,
}

impl Interval {
    /// The number 0.
    pub(super) const ZERO: Self = Self { lo: 0.0, hi: 0.0 };
    /// The number 1.
    pub(super) const ONE: Self = Self { lo: 1.0, hi: 1.0 };

    /// The interval of one number.
    pub(super) const fn point(value: f64) -> Self {
        Self {
            lo: value,
            hi: value,
        }
    }

    /// [-radius, radius].
    pub(super) const fn around_zero(radius: f64) -> Self {
        Self {
            lo: -radius,
            hi: radius,
        }
    }

    /// The least interval of `f64` that holds a rational.
    pub(super) fn from_rational(exact: &RBig) -> Self {
        let nearest = exact.to_f64().value();
        let Ok(back) = RBig::try_from(nearest) else {
            // Past the range of f64: the finite end of it is still a bound.
            return if *exact > RBig::ZERO {
                Self {
                    lo: f64::MAX,
                    hi: f64::INFINITY,
                }
            } else {
                Self {
                    lo: f64::NEG_INFINITY,
                    hi: f64::MIN,
                }
            };
        };
        match back.cmp(exact) {
            std::cmp::Ordering::Less => Self {
                lo: nearest,
                hi: nearest.next_up(),
            },
            std::cmp::Ordering::Equal => Self::point(nearest),
            std::cmp::Ordering::Greater => Self {
                lo: nearest.next_down(),
                hi: nearest,
            },
        }
    }

    /// An integer, exactly where it has at most 53 bits.
    pub(super) fn from_int(value: i64) -> Self {
        // Halves of at most 32 bits are exact, so the sum is the only rounding.
        let high = i32::try_from(value >> 32).expect("32 bits are left");
        let low = u32::try_from(value & 0xffff_ffff).expect("32 bits are kept");
        Self::point(f64::from(high) * 4_294_967_296.0) + Self::point(f64::from(low))
    }

    /// A number between the ends, near the middle where they are finite.
    pub(super) fn mid(self) -> f64 {
        // Halves first: the sum of two large ends may pass the range.
        (self.lo * 0.5 + self.hi * 0.5).max(self.lo).min(self.hi)
    }

    /// The largest absolute value of a member.
    pub(super) fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The square, which is never negative.
    pub(super) fn square(self) -> Self {
        let product = self * self;
        if self.lo < 0.0 && self.hi > 0.0 {
            let magnitude = Self::point(self.magnitude());
            return Self {
                lo: 0.0,
                hi: (magnitude * magnitude).hi,
            };
        }
        Self {
            lo: product.lo.max(0.0),
            hi: product.hi,
        }
    }

    /// Widened by a non-negative amount at both ends.
    pub(super) fn widened(self, radius: f64) -> Self {
        self + Self::around_zero(radius)
    }

    /// Quotient by an interval of positive numbers.
    pub(super) fn over(self, divisor: Self) -> Self {
        debug_assert!(divisor.lo > 0.0, "the divisor is positive");
        let lo = if self.lo >= 0.0 {
            self.lo / divisor.hi
        } else {
            self.lo / divisor.lo
        };
        let hi = if self.hi >= 0.0 {
            self.hi / divisor.lo
        } else {
            self.hi / divisor.hi
        };
        Self {
            lo: if self.lo == 0.0 { 0.0 } else { lo.next_down() },
            hi: if self.hi == 0.0 { 0.0 } else { hi.next_up() },
        }
    }

    /// The square root of the part that is not negative.
    pub(super) fn sqrt(self) -> Self {
        let lo = self.lo.max(0.0).sqrt();
        let hi = self.hi.max(0.0).sqrt();
        Self {
            lo: if lo == 0.0 { 0.0 } else { lo.next_down() },
            hi: if hi == 0.0 { 0.0 } else { hi.next_up() },
        }
    }

    /// A power with a natural exponent of an interval of numbers that are not negative.
    pub(super) fn power(self, exponent: u64) -> Self {
        let mut result = Self::ONE;
        let mut square = self;
        let mut left = exponent;
        while left > 0 {
            if left & 1 == 1 {
                result = result * square;
            }
            square = square * square;
            left >>= 1;
        }
        result
    }
}

/// A product rounded down; a zero factor makes it exact.
fn times_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else {
        (a * b).next_down()
    }
}

/// A product rounded up; a zero factor makes it exact.
fn times_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else {
        (a * b).next_up()
    }
}

/// Sum and its rounding error, which is exact (Knuth 1969, The Art of Computer Programming 2,
/// 4.2.2, theorem B); NaN or infinite only on overflow.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (lo, lo_error) = two_sum(self.lo, other.lo);
        let (hi, hi_error) = two_sum(self.hi, other.hi);
        Self {
            // An error of NaN must widen too, hence the negated comparison.
            lo: if lo_error >= 0.0 { lo } else { lo.next_down() },
            hi: if hi_error <= 0.0 { hi } else { hi.next_up() },
        }
    }
}

impl AddAssign for Interval {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            lo: -self.hi,
            hi: -self.lo,
        }
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.lo >= 0.0 {
            // The common case: a probability times anything.
            let lo = if other.lo >= 0.0 { self.lo } else { self.hi };
            let hi = if other.hi >= 0.0 { self.hi } else { self.lo };
            return Self {
                lo: times_down(lo, other.lo),
                hi: times_up(hi, other.hi),
            };
        }
        if other.lo >= 0.0 {
            return other * self;
        }
        let corners = [
            (self.lo, other.lo),
            (self.lo, other.hi),
            (self.hi, other.lo),
            (self.hi, other.hi),
        ];
        Self {
            lo: corners
                .iter()
                .fold(f64::INFINITY, |least, &(a, b)| least.min(times_down(a, b))),
            hi: corners
                .iter()
                .fold(f64::NEG_INFINITY, |most, &(a, b)| most.max(times_up(a, b))),
        }
    }
}
