//! Numbers as text for people. Machines read the JSON and CSV forms.

use crate::document::EnclosureJson;

/// A number with the given count of significant digits, without an exponent for
/// magnitudes from 1e-6 to 1e15.
#[must_use]
pub fn figure(value: f64, significant: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    if !(-6.0..15.0).contains(&magnitude) {
        return format!("{value:.*e}", significant.saturating_sub(1));
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the magnitude is between -6 and 15"
    )]
    let magnitude = magnitude as i64;
    let places = i64::try_from(significant)
        .unwrap_or(i64::MAX)
        .saturating_sub(1 + magnitude);
    format!("{value:.*}", usize::try_from(places.max(0)).unwrap_or(0))
}

/// A fraction as a percentage with the given digits after the point.
#[must_use]
pub fn percent(value: f64, places: usize) -> String {
    format!("{:.places$} %", value * 100.0)
}

/// A level as a percentage with no more digits than it has: `99 %`, `99.9 %`.
#[must_use]
pub fn level(value: f64) -> String {
    let text = format!("{:.6}", value * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// An exact figure: its digits where the proof is finer than they are, else its two bounds,
/// since a single value would promise too much.
#[must_use]
pub fn enclosed(value: &EnclosureJson, significant: usize) -> String {
    let digits = i32::try_from(significant).unwrap_or(i32::MAX);
    if value.upper - value.lower <= value.value.abs() * 10.0_f64.powi(1 - digits) {
        figure(value.value, significant)
    } else {
        format!("{} to {}", figure(value.lower, 6), figure(value.upper, 6))
    }
}

/// A fraction between bounds as a percentage: its digits after the point where the proof is
/// finer than they are, else its two bounds.
#[must_use]
pub fn enclosed_percent(value: &EnclosureJson, places: usize) -> String {
    let digits = i32::try_from(places).unwrap_or(i32::MAX);
    if value.upper - value.lower <= 10.0_f64.powi(-2 - digits) {
        percent(value.value, places)
    } else {
        format!("{} to {}", percent(value.lower, 4), percent(value.upper, 4))
    }
}

/// A proven bound with the given digits after the point, rounded away from the truth.
#[must_use]
pub fn bound(value: f64, places: usize, is_upper: bool) -> String {
    let text = format!("{value:.places$}");
    // The text is the nearest decimal; where that is on the wrong side, one step further is not.
    let step = 10.0_f64.powi(-i32::try_from(places).unwrap_or(i32::MAX));
    match text.parse::<f64>() {
        Ok(shown) if is_upper && shown < value => format!("{:.places$}", shown + step),
        Ok(shown) if !is_upper && shown > value => format!("{:.places$}", shown - step),
        _ => text,
    }
}

/// The width of an enclosure, two significant digits.
#[must_use]
pub fn bounds(value: &EnclosureJson) -> String {
    let width = value.upper - value.lower;
    if width == 0.0 {
        "exact".to_owned()
    } else {
        format!("{width:.1e}")
    }
}

/// A whole number with thousands set apart by commas: `100,000,000`.
#[must_use]
pub fn grouped(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + value.len() / 3);
    for (index, digit) in value.chars().enumerate() {
        if index > 0 && (value.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A p-value: three significant digits, scientific below 0.001.
#[must_use]
pub fn p_value(value: f64) -> String {
    if value >= 0.001 || value == 0.0 {
        figure(value, 3)
    } else {
        format!("{value:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_their_digits() {
        assert_eq!(figure(16.270_328_687_839, 6), "16.2703");
        assert_eq!(figure(0.002_199_788, 3), "0.00220");
        assert_eq!(figure(150.499_522, 3), "150");
        assert_eq!(figure(-35.0 / 54.0, 4), "-0.6481");
        assert_eq!(figure(1e-20, 3), "1.00e-20");
        assert_eq!(figure(0.0, 3), "0");
    }

    #[test]
    fn a_coarse_proof_is_shown_by_its_bounds() {
        let fine = EnclosureJson {
            value: 16.270_328_687_8,
            lower: 16.270_328_687_7,
            upper: 16.270_328_687_9,
        };
        assert_eq!(enclosed(&fine, 10), "16.27032869");
        let coarse = EnclosureJson {
            value: 50.6,
            lower: 50.5,
            upper: 50.756,
        };
        assert_eq!(enclosed(&coarse, 10), "50.5000 to 50.7560");
    }

    #[test]
    fn bounds_are_rounded_outward() {
        assert_eq!(bound(1.26, 1, false), "1.2");
        assert_eq!(bound(1.24, 1, true), "1.3");
        assert_eq!(bound(1.24, 1, false), "1.2");
        assert_eq!(bound(-0.04, 1, false), "-0.1");
        assert_eq!(bound(2.0, 3, true), "2.000");
    }

    #[test]
    fn percentages_and_groups() {
        assert_eq!(percent(0.9595, 2), "95.95 %");
        assert_eq!(level(0.99), "99 %");
        assert_eq!(level(0.999), "99.9 %");
        assert_eq!(level(0.07), "7 %");
        assert_eq!(grouped("100000000"), "100,000,000");
        assert_eq!(grouped("999"), "999");
        assert_eq!(grouped("1000"), "1,000");
        assert_eq!(p_value(0.25), "0.250");
        assert_eq!(p_value(1.234e-9), "1.23e-9");
    }
}
