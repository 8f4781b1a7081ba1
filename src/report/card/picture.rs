//! Both wheels in one picture: the inner one inside the outer one, clockwise from the top.
//!
//! Every section is as wide as its probability. Sections are told apart by their words; a tint
//! sets apart what is no character, and two shades what stands side by side.

use std::f64::consts::TAU;

use super::view::shown;
use crate::document::{WheelSection, Wheels};
use crate::report::dial::Dial;
use crate::report::figures::{Anchor, Role, SHEET_WIDTH, Sheet, float};

/// Radii of the rings: of the hole, between the wheels, of the rim.
const HOLE: f64 = 58.0;
const INNER_RIM: f64 = 128.0;
const OUTER_HUB: f64 = 136.0;
const RIM: f64 = 234.0;

/// The picture as an SVG element.
pub(super) fn picture(wheels: &Wheels) -> String {
    let sheet = Sheet::new(480);
    let middle = f64::from(SHEET_WIDTH) / 2.0;
    let dial = |base| Dial {
        x: middle,
        y: 240.0,
        base,
        reach: 0.0,
    };
    ring(&sheet, &dial(INNER_RIM), (HOLE, INNER_RIM), &wheels.inner);
    ring(&sheet, &dial(RIM), (OUTER_HUB, RIM), &wheels.outer);
    for (offset, text) in [(-6.0, "inner"), (10.0, "and outer"), (26.0, "wheel")] {
        sheet.text(
            (middle, 236.0 + offset),
            Anchor::Middle,
            12.0,
            Role::Soft,
            text,
        );
    }
    sheet.finish(
        "wheels",
        "Both wheels, section by section",
        &format!(
            "The inner wheel of {} sections inside the outer wheel of {}, each clockwise from the top. {} {}",
            wheels.inner.len(),
            wheels.outer.len(),
            spoken("Inner", &wheels.inner),
            spoken("Outer", &wheels.outer)
        ),
    )
}

fn spoken(name: &str, sections: &[WheelSection]) -> String {
    let names: Vec<String> = sections
        .iter()
        .map(|section| shown(&section.shows))
        .collect();
    format!("{name}: {}.", names.join(", "))
}

fn ring(sheet: &Sheet, dial: &Dial, (near, far): (f64, f64), sections: &[WheelSection]) {
    let total: u64 = sections.iter().map(|section| section.weight).sum();
    let mut angle = 0.0;
    let mut shade = false;
    for (index, section) in sections.iter().enumerate() {
        let width = TAU * float(section.weight) / float(total.max(1));
        if index > 0 && sections[index - 1].shows != section.shows {
            shade = !shade;
        }
        let tint = match section.shows.as_str() {
            "no-win" => Role::Simulated.fill(0.35),
            "eat-me" | "drink-me" | "additional-spin" => Role::Exact.fill(0.35),
            _ if shade => Role::Soft.fill(0.2),
            _ => Role::Soft.fill(0.08),
        };
        let path = dial.sector(near, far, angle, angle + width);
        sheet.push(&format!("<path d=\"{path}\" {tint}/>"));
        sheet.push(&format!("<path d=\"{path}\" {}/>", Role::Soft.stroke(0.5)));
        // Letters are as large as the section lets them be at its inner edge.
        let font = (near * width * 0.8).min(13.0);
        if font >= 4.0 {
            let label = match section.shows.as_str() {
                "additional-spin" => "+1 spin".to_owned(),
                shows => shown(shows),
            };
            sheet.push(
                dial.label(
                    near + 8.0,
                    angle + width / 2.0,
                    font,
                    &Role::Ink.fill(1.0),
                    &label,
                )
                .trim_end(),
            );
        }
        angle += width;
    }
}
