//! The derivatives of `sensitivity` drawn around the wheels, as one SVG file.
//!
//! Each section is a sector as wide as its probability, clockwise from the top; from a base
//! circle it reaches outward for a positive derivative of the return and inward for a negative
//! one, on the scale of the largest of its wheel. Numbers and names stand outside; a tooltip
//! gives the derivative. The same numbers are in the JSON and CSV forms.

use std::f64::consts::TAU;

use super::format::figure;
use crate::document::{SectionJson, SensitivityDocument, SensitivityTrigger};

/// Width of the picture.
const WIDTH: f64 = 1160.0;
/// Height of one trigger's row.
const ROW: f64 = 640.0;
/// Height of the title.
const TITLE: f64 = 60.0;
/// Colour of a positive derivative, safe for the colour-blind (Okabe and Ito).
const UP: &str = "#0072b2";
/// Colour of a negative derivative.
const DOWN: &str = "#d55e00";

/// A wheel's place and sizes.
struct Place {
    x: f64,
    y: f64,
    /// Radius of the base circle.
    base: f64,
    /// Longest bar.
    reach: f64,
    font: u32,
}

/// The picture of a document, one row for each trigger.
#[must_use]
pub fn svg(document: &SensitivityDocument) -> String {
    let rows = document.triggers.iter().fold(0.0, |rows, _| rows + 1.0);
    let height = TITLE + ROW * rows;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"20\" y=\"28\" font-size=\"18\">{}: derivative of the overall RTP by each section</text>\n\
         <text x=\"20\" y=\"48\">{}; blue outward raises the return, orange inward lowers it</text>\n",
        escaped(&document.paytable.name),
        escaped(&document.convention)
    );
    let mut top = TITLE;
    for trigger in &document.triggers {
        row(&mut text, trigger, top);
        top += ROW;
    }
    text.push_str("</svg>\n");
    text
}

fn row(text: &mut String, trigger: &SensitivityTrigger, top: f64) {
    text.push_str(&format!(
        "<text x=\"20\" y=\"{}\" font-size=\"16\">{} Wonderspins</text>\n",
        top + 20.0,
        trigger.trigger
    ));
    let middle = top + ROW / 2.0;
    let outer = Place {
        x: 320.0,
        y: middle,
        base: 165.0,
        reach: 80.0,
        font: 10,
    };
    let inner = Place {
        x: 900.0,
        y: middle,
        base: 90.0,
        reach: 45.0,
        font: 11,
    };
    wheel(text, "outer wheel", &trigger.outer, &outer);
    wheel(text, "inner wheel", &trigger.inner, &inner);
}

fn wheel(text: &mut String, name: &str, sections: &[SectionJson], place: &Place) {
    let largest = sections
        .iter()
        .fold(0.0_f64, |most, section| most.max(section.rtp.value.abs()));
    let (x, y, base) = (place.x, place.y, place.base);
    let mut angle = 0.0;
    for section in sections {
        let width = TAU * probability(&section.probability);
        let length = if largest > 0.0 {
            section.rtp.value / largest * place.reach
        } else {
            0.0
        };
        let (near, far) = (base.min(base + length), base.max(base + length));
        let colour = if length < 0.0 { DOWN } else { UP };
        text.push_str(&format!(
            "<path d=\"{}\" fill=\"{colour}\" stroke=\"white\" stroke-width=\"0.7\">\
             <title>{} {}: {}</title></path>\n",
            sector(place, near, far, angle, angle + width),
            section.section,
            escaped(&section.name),
            figure(section.rtp.value, 8)
        ));
        label(text, section, place, angle + width / 2.0);
        angle += width;
    }
    text.push_str(&format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{base}\" fill=\"none\" stroke=\"#333\"/>\n\
         <text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>\n\
         <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\">longest bar {}</text>\n",
        y + 18.0,
        figure(largest, 4)
    ));
}

/// A section's number and name, written along its radius and never upside down.
fn label(text: &mut String, section: &SectionJson, place: &Place, angle: f64) {
    let radius = place.base + place.reach + 8.0;
    let (x, y) = point(place, radius, angle);
    let degrees = angle * 360.0 / TAU - 90.0;
    let (turn, anchor) = if degrees > 90.0 {
        (degrees + 180.0, "end")
    } else {
        (degrees, "start")
    };
    text.push_str(&format!(
        "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{}\" text-anchor=\"{anchor}\" \
         dominant-baseline=\"middle\" transform=\"rotate({turn:.2} {x:.2} {y:.2})\">{}: {}</text>\n",
        place.font,
        section.section,
        escaped(&section.name)
    ));
}

/// A point at an angle, clockwise from the top.
fn point(place: &Place, radius: f64, angle: f64) -> (f64, f64) {
    (
        place.x + radius * angle.sin(),
        place.y - radius * angle.cos(),
    )
}

/// The path of a ring's part between two angles; a whole ring is drawn as one a little short of
/// it, since an arc needs two ends.
fn sector(place: &Place, near: f64, far: f64, from: f64, to: f64) -> String {
    let to = to.min(from + TAU * 0.9999);
    let large = u8::from(to - from > TAU / 2.0);
    let (a, b) = (point(place, near, from), point(place, far, from));
    let (c, d) = (point(place, far, to), point(place, near, to));
    format!(
        "M{:.2} {:.2}L{:.2} {:.2}A{far:.2} {far:.2} 0 {large} 1 {:.2} {:.2}\
         L{:.2} {:.2}A{near:.2} {near:.2} 0 {large} 0 {:.2} {:.2}Z",
        a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1, a.0, a.1
    )
}

/// A fraction such as `1/54` as a number.
fn probability(fraction: &str) -> f64 {
    let (numerator, denominator) = fraction.split_once('/').unwrap_or((fraction, "1"));
    match (numerator.parse::<f64>(), denominator.parse::<f64>()) {
        (Ok(numerator), Ok(denominator)) => numerator / denominator,
        _ => 0.0,
    }
}

/// Text for an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_turn_clockwise_from_the_top() {
        let place = Place {
            x: 0.0,
            y: 0.0,
            base: 1.0,
            reach: 1.0,
            font: 1,
        };
        let (x, y) = point(&place, 1.0, 0.0);
        assert!(x.abs() < 1e-12 && (y + 1.0).abs() < 1e-12);
        let (x, y) = point(&place, 1.0, TAU / 4.0);
        assert!((x - 1.0).abs() < 1e-12 && y.abs() < 1e-12);
        assert!(sector(&place, 1.0, 2.0, 0.0, TAU).contains(" 0 1 1 "));
    }

    #[test]
    fn fractions_and_names_are_read_and_escaped() {
        assert!((probability("1/4") - 0.25).abs() < 1e-15);
        assert!((probability("1") - 1.0).abs() < 1e-15);
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }
}
