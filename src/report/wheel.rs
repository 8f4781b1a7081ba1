//! The derivatives of `sensitivity` drawn around the wheels, as one SVG file.
//!
//! Each section is a sector as wide as its probability, clockwise from the top; from a base
//! circle it reaches outward for a positive derivative of the return and inward for a negative
//! one, on the scale of the largest of its wheel. Numbers and names stand outside; a tooltip
//! gives the derivative. The same numbers are in the JSON and CSV forms.

use std::f64::consts::TAU;

use super::dial::{Dial, escaped};
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
    let outer = Dial {
        x: 320.0,
        y: middle,
        base: 165.0,
        reach: 80.0,
    };
    let inner = Dial {
        x: 900.0,
        y: middle,
        base: 90.0,
        reach: 45.0,
    };
    wheel(text, "outer wheel", &trigger.outer, &outer, 10.0);
    wheel(text, "inner wheel", &trigger.inner, &inner, 11.0);
}

fn wheel(text: &mut String, name: &str, sections: &[SectionJson], dial: &Dial, font: f64) {
    let largest = sections
        .iter()
        .fold(0.0_f64, |most, section| most.max(section.rtp.value.abs()));
    let (x, y, base) = (dial.x, dial.y, dial.base);
    let mut angle = 0.0;
    for section in sections {
        let width = TAU * probability(&section.probability);
        let length = if largest > 0.0 {
            section.rtp.value / largest * dial.reach
        } else {
            0.0
        };
        let (near, far) = (base.min(base + length), base.max(base + length));
        let colour = if length < 0.0 { DOWN } else { UP };
        text.push_str(&format!(
            "<path d=\"{}\" fill=\"{colour}\" stroke=\"white\" stroke-width=\"0.7\">\
             <title>{} {}: {}</title></path>\n",
            dial.sector(near, far, angle, angle + width),
            section.section,
            escaped(&section.name),
            figure(section.rtp.value, 8)
        ));
        let name = format!("{}: {}", section.section, section.name);
        text.push_str(&dial.label(
            base + dial.reach + 8.0,
            angle + width / 2.0,
            font,
            "",
            &name,
        ));
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

/// A fraction such as `1/54` as a number.
fn probability(fraction: &str) -> f64 {
    let (numerator, denominator) = fraction.split_once('/').unwrap_or((fraction, "1"));
    match (numerator.parse::<f64>(), denominator.parse::<f64>()) {
        (Ok(numerator), Ok(denominator)) => numerator / denominator,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read() {
        assert!((probability("1/4") - 0.25).abs() < 1e-15);
        assert!((probability("1") - 1.0).abs() < 1e-15);
    }
}
