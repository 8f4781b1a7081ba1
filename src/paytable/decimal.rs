//! Decimals as text, read exactly.
//!
//! A submission declares a figure with a number of digits, and those digits are the
//! claim. So the text is kept, its value is a rational and never a float, and a
//! computed value is compared at the digits that were written.

use std::fmt;
use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use thiserror::Error;

/// Why a text is not a [`Decimal`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecimalError {
    /// The text has another form, such as an exponent, `nan`, or blanks.
    #[error("not {}", Decimal::LEGAL_FORM)]
    Malformed,
    /// More digits than a figure can mean.
    #[error("has {digits} digits, expected at most {}", Decimal::MAX_DIGITS)]
    TooLong {
        /// The digits found.
        digits: usize,
    },
}

/// A decimal number or percentage exactly as it was written.
///
/// # Examples
/// ```
/// use wonderspins::paytable::Decimal;
///
/// let declared: Decimal = "95.95%".parse()?;
/// assert_eq!(declared.value.to_string(), "1919/2000");
/// assert_eq!((declared.places, declared.is_percentage), (2, true));
/// # Ok::<(), wonderspins::paytable::DecimalError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    /// The text, for example `95.95%`.
    pub text: String,
    /// Its exact value; a percentage is divided by 100.
    pub value: RBig,
    /// Digits after the point as written.
    pub places: u32,
    /// Whether it was written as a percentage.
    pub is_percentage: bool,
}

impl Decimal {
    /// The most digits that a decimal may have, before and after the point together.
    pub const MAX_DIGITS: usize = 40;

    /// The form that is read, for messages.
    pub const LEGAL_FORM: &'static str = r#"a decimal or a percentage such as "0.0153" or "1.53%""#;

    /// The digits of `value` that this decimal shows, as one integer: `value` (times 100
    /// for a percentage) times 10^`places`, rounded half away from zero.
    ///
    /// # Accuracy
    /// Exact.
    #[must_use]
    pub fn digits_of(&self, value: &RBig) -> IBig {
        if self.is_percentage {
            round_half_away(&(value * RBig::from(100)), self.places)
        } else {
            round_half_away(value, self.places)
        }
    }

    /// Whether this decimal is `value`, rounded half away from zero at its last digit.
    ///
    /// # Accuracy
    /// Exact.
    ///
    /// # Examples
    /// ```
    /// use wonderspins::paytable::{Decimal, DecimalError};
    ///
    /// let third = dashu_ratio::RBig::from(1_u8) / dashu_ratio::RBig::from(3_u8);
    /// assert!("33.33%".parse::<Decimal>()?.is_rounding_of(&third));
    /// assert!(!"0.334".parse::<Decimal>()?.is_rounding_of(&third));
    /// # Ok::<(), DecimalError>(())
    /// ```
    #[must_use]
    pub fn is_rounding_of(&self, value: &RBig) -> bool {
        self.digits_of(&self.value) == self.digits_of(value)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let (unsigned, is_negative) = match text.as_bytes().first() {
            Some(b'-') => (&text[1..], true),
            Some(b'+') => (&text[1..], false),
            _ => (text, false),
        };
        let (number, is_percentage) = match unsigned.strip_suffix('%') {
            Some(number) => (number, true),
            None => (unsigned, false),
        };
        let (whole, fraction) = match number.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (number, None),
        };
        let is_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(whole) || !fraction.is_none_or(is_digits) {
            return Err(DecimalError::Malformed);
        }
        let fraction = fraction.unwrap_or_default();
        let digits = whole.len() + fraction.len();
        // Bounded before anything is computed: a file must not choose how long we work.
        if digits > Self::MAX_DIGITS {
            return Err(DecimalError::TooLong { digits });
        }
        let magnitude = [whole, fraction]
            .concat()
            .bytes()
            .fold(UBig::ZERO, |sum, digit| {
                sum * UBig::from(10_u8) + UBig::from(digit - b'0')
            });
        let numerator = if is_negative {
            -IBig::from(magnitude)
        } else {
            IBig::from(magnitude)
        };
        let hundredths = if is_percentage { 2 } else { 0 };
        let denominator = UBig::from(10_u8).pow(fraction.len() + hundredths);
        Ok(Self {
            text: text.to_owned(),
            value: RBig::from_parts(numerator, denominator),
            places: u32::try_from(fraction.len()).expect("at most 40 digits"),
            is_percentage,
        })
    }
}

/// `value` times 10^`places`, rounded to an integer, half away from zero.
///
/// # Accuracy
/// Exact.
#[must_use]
pub fn round_half_away(value: &RBig, places: u32) -> IBig {
    let scale = UBig::from(10_u8).pow(places as usize);
    // floor(|v| + 1/2) with the sign put back: ties go away from zero on both sides.
    let (numerator, denominator) = (value.numerator(), value.denominator());
    let is_negative = *numerator < IBig::ZERO;
    let magnitude = if is_negative {
        -numerator.clone()
    } else {
        numerator.clone()
    };
    let denominator = IBig::from(denominator.clone());
    let two = IBig::from(2);
    let rounded = (&two * magnitude * IBig::from(scale) + &denominator) / (two * denominator);
    if is_negative { -rounded } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: u64) -> RBig {
        RBig::from_parts(IBig::from(numerator), UBig::from(denominator))
    }

    fn decimal(text: &str) -> Decimal {
        text.parse().expect("a decimal")
    }

    #[test]
    fn a_decimal_has_its_exact_value() {
        let cases = [
            ("0", 0, 1, 0, false),
            ("7", 7, 1, 0, false),
            ("-7", -7, 1, 0, false),
            ("+7", 7, 1, 0, false),
            ("0.0153", 153, 10_000, 4, false),
            ("1.53%", 153, 10_000, 2, true),
            ("100%", 1, 1, 0, true),
            ("-0.50%", -1, 200, 2, true),
            ("16.27", 1627, 100, 2, false),
            ("007.10", 71, 10, 2, false),
        ];
        for (text, numerator, denominator, places, is_percentage) in cases {
            let read = decimal(text);
            assert_eq!(read.value, ratio(numerator, denominator), "{text}");
            assert_eq!(read.places, places, "{text}");
            assert_eq!(read.is_percentage, is_percentage, "{text}");
            assert_eq!(read.to_string(), text);
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "", "-", "%", ".", ".5", "5.", "1.%", "1e3", "1E3", "nan", "inf", "-inf", "1_000",
            "1,5", " 1", "1 ", "1 %", "1%%", "--1", "+-1", "1.2.3", "0x10", "1/2", "\u{663}",
            "one", "%1", "1%0", "ü",
        ] {
            assert_eq!(
                text.parse::<Decimal>(),
                Err(DecimalError::Malformed),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_number_of_digits_is_bounded() {
        let most = format!("1.{}", "3".repeat(39));
        assert_eq!(decimal(&most).places, 39);
        assert_eq!(
            format!("{most}3").parse::<Decimal>(),
            Err(DecimalError::TooLong { digits: 41 })
        );
    }

    #[test]
    fn ties_round_away_from_zero() {
        let cases = [
            (1, 2, 0, 1),
            (-1, 2, 0, -1),
            (3, 2, 0, 2),
            (5, 2, 0, 3),
            (-5, 2, 0, -3),
            (49, 100, 0, 0),
            (-49, 100, 0, 0),
            (1, 3, 4, 3333),
            (2, 3, 4, 6667),
            (-2, 3, 4, -6667),
            (1005, 1000, 2, 101),
            (1004, 1000, 2, 100),
            (0, 1, 7, 0),
            (12, 1, 2, 1200),
        ];
        for (numerator, denominator, places, expected) in cases {
            assert_eq!(
                round_half_away(&ratio(numerator, denominator), places),
                IBig::from(expected),
                "{numerator}/{denominator} at {places}"
            );
        }
    }

    #[test]
    fn a_percentage_is_compared_at_its_own_digits() {
        // 0.959449 is 95.94 %, 0.95945 is the tie and goes up to 95.95 %.
        let declared = decimal("95.95%");
        assert!(!declared.is_rounding_of(&ratio(959_449, 1_000_000)));
        assert!(declared.is_rounding_of(&ratio(95_945, 100_000)));
        assert!(declared.is_rounding_of(&ratio(959_549, 1_000_000)));
        assert!(!declared.is_rounding_of(&ratio(95_955, 100_000)));
        // A shorter claim is a wider one.
        assert!(decimal("96%").is_rounding_of(&ratio(959_449, 1_000_000)));
        assert!(decimal("1").is_rounding_of(&ratio(959_449, 1_000_000)));
        assert!(decimal("-0.1").is_rounding_of(&ratio(-5, 100)));
        assert!(!decimal("-0.1").is_rounding_of(&ratio(-4, 100)));
    }
}
