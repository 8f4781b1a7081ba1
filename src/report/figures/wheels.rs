//! Both wheels, section by section, with what was drawn.
//!
//! Sections stand clockwise from the top, each as wide as its probability. From the base circle a
//! bar reaches outward where a section came more often than expected and inward where it
//! came less often, in standard errors; the dashed circles are two and four.

use std::f64::consts::TAU;

use super::canvas::{Anchor, Role, SMALL, Sheet, TEXT, WIDTH, text_width};
use super::grouped_count;
use super::law::{count, float};
use crate::document::{DetailJson, SpinDrawsJson, WheelSection};
use crate::report::dial::{Dial, escaped};
use crate::report::format::{figure, percent};

/// A section and what was drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawn {
    /// Number from 1, clockwise.
    pub(crate) number: usize,
    /// What it shows.
    pub(crate) shows: String,
    /// Its probability.
    pub(crate) probability: f64,
    /// How often it was drawn, of how many draws; `None` where no rounds were watched.
    pub(crate) seen: Option<(u64, u64)>,
}

impl Drawn {
    /// Draws less expected draws, over the binomial standard deviation.
    pub(crate) fn standard_errors(&self) -> Option<f64> {
        let (drawn, draws) = self.seen?;
        let expected = float(draws) * self.probability;
        let deviation = (expected * (1.0 - self.probability)).sqrt();
        (deviation > 0.0).then(|| (float(drawn) - expected) / deviation)
    }

    /// Its share of the draws.
    pub(crate) fn share(&self) -> Option<f64> {
        self.seen
            .filter(|&(_, draws)| draws > 0)
            .map(|(drawn, draws)| float(drawn) / float(draws))
    }
}

/// The sections of a wheel with the draws of all spins together.
pub(crate) fn drawn(
    sections: &[WheelSection],
    detail: Option<&DetailJson>,
    of: fn(&SpinDrawsJson) -> &[String],
) -> Vec<Drawn> {
    let weight: u64 = sections.iter().map(|section| section.weight).sum();
    let counts = |index: usize| -> Option<u64> {
        let mut sum = 0_u64;
        for spin in &detail?.spins {
            sum += count(of(spin).get(index)?);
        }
        Some(sum)
    };
    let draws: Option<u64> = (0..sections.len()).map(counts).sum();
    sections
        .iter()
        .enumerate()
        .map(|(index, section)| Drawn {
            number: index + 1,
            shows: section.shows.clone(),
            probability: float(section.weight) / float(weight.max(1)),
            seen: counts(index).zip(draws),
        })
        .collect()
}

/// Which wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Inner,
    Outer,
}

/// One wheel.
pub(super) fn wheel(
    trigger: u32,
    kind: Kind,
    sections: &[WheelSection],
    detail: Option<&DetailJson>,
) -> String {
    let (name, drawn) = match kind {
        Kind::Inner => ("inner", drawn(sections, detail, |spin| &spin.inner)),
        Kind::Outer => ("outer", drawn(sections, detail, |spin| &spin.outer)),
    };
    let labels: Vec<[String; 2]> = drawn
        .iter()
        .map(|section| label(section, drawn.len()))
        .collect();
    let (sheet, dial, font) = layout(&labels);
    let (base, reach) = (dial.base, dial.reach);
    let most = drawn
        .iter()
        .filter_map(Drawn::standard_errors)
        .map(f64::abs)
        .fold(4.0, f64::max);
    let ring = |radius: f64, role: Role| {
        sheet.push(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{radius:.1}\" {}/>",
            dial.x,
            dial.y,
            role.stroke(0.8)
        ));
    };
    let mut angle = 0.0;
    for section in &drawn {
        let width = TAU * section.probability;
        let (from, to) = (angle, angle + width);
        boundary(&sheet, &dial, from);
        if let Some(errors) = section.standard_errors() {
            let length = errors / most * reach;
            let (near, far) = (base.min(base + length), base.max(base + length));
            let role = if errors < 0.0 {
                Role::Simulated
            } else {
                Role::Exact
            };
            sheet.push(&format!(
                "<path d=\"{}\" {}/>",
                dial.sector(near, far, from, to),
                role.fill(0.75)
            ));
        }
        sheet.push(&format!(
            "<path d=\"{}\" fill=\"none\" pointer-events=\"all\"><title>{}</title></path>",
            dial.sector(base - reach, base + reach, from, to),
            escaped(&tooltip(section))
        ));
        angle = to;
    }
    write_labels(&sheet, &dial, font, &drawn, &labels);
    ring(base, Role::Ink);
    if drawn.iter().any(|section| section.seen.is_some()) {
        for errors in [2.0, 4.0] {
            for side in [-1.0, 1.0] {
                ring(base + side * errors / most * reach, Role::Limit);
            }
        }
    }
    middle(&sheet, &dial, name, &drawn);
    let title = format!(
        "{} wheel of {trigger} Wonderspins, section by section",
        if kind == Kind::Inner {
            "Inner"
        } else {
            "Outer"
        }
    );
    sheet.finish(
        &format!("{name}-wheel-{trigger}"),
        &title,
        &description(name, &drawn),
    )
}

/// Most sections of a wheel whose labels are written level, in two lines.
const LEVEL_LABELS: usize = 24;

/// Number and name of a section, and what was drawn.
///
/// # Arguments
/// - `sections`: of the wheel; many leave no room for shares
fn label(section: &Drawn, sections: usize) -> [String; 2] {
    let errors = section
        .standard_errors()
        .map_or(String::new(), |errors| format!("({errors:+.1})"));
    let measured = match section.share() {
        Some(share) if sections <= LEVEL_LABELS => format!("{} {errors}", percent(share, 3)),
        _ => errors,
    };
    [format!("{}: {}", section.number, section.shows), measured]
}

/// A sheet and a wheel that leave room for the labels, and the size of their letters.
fn layout(labels: &[[String; 2]]) -> (Sheet, Dial, f64) {
    let half = f64::from(WIDTH) / 2.0;
    let is_level = labels.len() <= LEVEL_LABELS;
    // A wheel of a thousand sections has labels that nobody reads; the tooltips stay.
    let font = match labels.len() {
        0..=LEVEL_LABELS => TEXT,
        25..=60 => 10.0,
        61..=120 => 6.0,
        _ => 2.0,
    };
    let widest = labels
        .iter()
        .map(|[name, measured]| {
            if is_level {
                text_width(name, font).max(text_width(measured, font))
            } else {
                text_width(name, font) + text_width(" ", font) + text_width(measured, font)
            }
        })
        .fold(0.0, f64::max);
    let radius = (half - widest - 14.0).clamp(90.0, 180.0);
    let above = if is_level { 2.6 * font } else { widest };
    let y = radius + above + 14.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a height on a sheet"
    )]
    let height = (2.0 * y).ceil() as u32;
    let reach = radius * 0.24;
    let dial = Dial {
        x: half,
        y,
        base: radius - reach,
        reach,
    };
    (Sheet::new(height), dial, font)
}

fn write_labels(sheet: &Sheet, dial: &Dial, font: f64, drawn: &[Drawn], labels: &[[String; 2]]) {
    let radius = dial.base + dial.reach + 8.0;
    let mut angle = 0.0;
    for (section, [name, measured]) in drawn.iter().zip(labels) {
        let middle = angle + TAU * section.probability / 2.0;
        angle += TAU * section.probability;
        if labels.len() > LEVEL_LABELS {
            let text = format!("{name} {measured}");
            sheet.push(
                dial.label(radius, middle, font, &Role::Ink.fill(1.0), text.trim_end())
                    .trim_end(),
            );
            continue;
        }
        let (x, y) = dial.point(radius, middle);
        let anchor = match middle.sin() {
            sine if sine > 0.1 => Anchor::Start,
            sine if sine < -0.1 => Anchor::End,
            _ => Anchor::Middle,
        };
        // The upper half of the wheel pushes both lines upward, the lower half downward.
        let y = y - font * 0.25 - middle.cos() * font;
        sheet.text((x, y), anchor, font, Role::Ink, name);
        sheet.text((x, y + font * 1.15), anchor, font, Role::Soft, measured);
    }
}

/// A border between two sections.
fn boundary(sheet: &Sheet, dial: &Dial, angle: f64) {
    let (a, b) = (
        dial.point(dial.base - dial.reach, angle),
        dial.point(dial.base + dial.reach, angle),
    );
    sheet.push(&format!(
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" {}/>",
        a.0,
        a.1,
        b.0,
        b.1,
        Role::Grid.stroke(0.8)
    ));
}

fn middle(sheet: &Sheet, dial: &Dial, name: &str, drawn: &[Drawn]) {
    let line = |offset: f64, size: f64, role: Role, text: &str| {
        sheet.text((dial.x, dial.y + offset), Anchor::Middle, size, role, text);
    };
    line(-10.0, TEXT, Role::Ink, &format!("{name} wheel"));
    match drawn.iter().find_map(|section| section.seen) {
        Some((_, draws)) => {
            line(
                8.0,
                SMALL - 1.0,
                Role::Soft,
                &format!("{} draws", grouped_count(draws)),
            );
            line(22.0, SMALL - 1.0, Role::Soft, "dashed: ±2, ±4 SE");
        }
        None => line(8.0, SMALL - 1.0, Role::Soft, "no draws were watched"),
    }
}

fn tooltip(section: &Drawn) -> String {
    let mut text = format!(
        "section {}, {}: expected {}",
        section.number,
        section.shows,
        percent(section.probability, 4)
    );
    if let (Some((drawn, draws)), Some(share)) = (section.seen, section.share()) {
        text.push_str(&format!(
            ", drawn {} ({} of {})",
            percent(share, 4),
            grouped_count(drawn),
            grouped_count(draws)
        ));
    }
    if let Some(errors) = section.standard_errors() {
        text.push_str(&format!(", {errors:+.2} standard errors"));
    }
    text
}

fn description(name: &str, drawn: &[Drawn]) -> String {
    let mut text = format!(
        "The {} sections of the {name} wheel clockwise from the top, each with its number, what it shows",
        drawn.len()
    );
    let largest = drawn
        .iter()
        .filter_map(|section| Some((section, section.standard_errors()?)))
        .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    match largest {
        Some((section, errors)) => text.push_str(&format!(
            " and in brackets the distance of its draws from its probability in standard errors. A bar outward \
             (blue) means more draws than expected, inward (orange) fewer. The largest distance is {} at section {}, {}.",
            figure(errors, 3),
            section.number,
            section.shows
        )),
        None => text.push_str(". No rounds of this run were watched spin by spin."),
    }
    text
}
