//! What the overall return is made of, three ways, as horizontal bars.

use super::canvas::{Anchor, Role, SMALL, Sheet, TEXT, WIDTH, short, text_width};
use super::law::float;
use crate::document::{
    ContributionJson, ContributionsJson, EnclosureJson, ExactTrigger, SimulateTrigger,
};
use crate::report::dial::escaped;
use crate::report::format::percent;

/// Most numbers of spins that have a bar of their own.
const SPINS_ROWS: usize = 14;
/// Height of a bar with its distance.
const ROW: f64 = 19.0;

/// A part of the overall return.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// What it is.
    pub(crate) name: String,
    /// Its share of the mean meter.
    pub(crate) meter: EnclosureJson,
    /// The same as a fraction, where it is known.
    pub(crate) fraction: Option<String>,
    /// Its contribution to the overall return, in wagers for each wager.
    pub(crate) exact: f64,
    /// The same from the rounds that were watched.
    pub(crate) simulated: Option<f64>,
}

/// One way to split the return.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Split {
    /// A word for it: `character`, `source` or `spins`.
    pub(crate) key: &'static str,
    heading: &'static str,
    /// Its parts, which add up to the return from the meter.
    pub(crate) rows: Vec<Part>,
}

/// All splits.
///
/// # Arguments
/// - `most`: numbers of spins that have a row of their own; the rest is one row
pub(crate) fn splits(
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
    contributions: &ContributionsJson,
    most: usize,
) -> Vec<Split> {
    let probability = fraction(&exact.trigger_probability);
    let detail = simulated.detail.as_ref();
    let mean = |sum: &str| {
        let sum: f64 = sum.parse().ok()?;
        let rounds = detail
            .map(|detail| detail.rounds)
            .filter(|&rounds| rounds > 0)?;
        Some(sum / float(rounds) * probability)
    };
    let by_character = |name: &str| {
        let mut entries = detail?.character.iter();
        mean(&entries.find(|entry| entry.character == name)?.sum_meter)
    };
    let by_source = |name: &str| {
        let mut entries = detail?.source.iter();
        mean(&entries.find(|entry| entry.source == name)?.sum)
    };
    let part = |part: &ContributionJson, simulated: Option<f64>| Part {
        name: part.part.clone(),
        meter: part.enclosure,
        fraction: Some(part.exact_value.clone()),
        exact: part.enclosure.value * probability,
        simulated,
    };
    let character = contributions.character.iter();
    let source = contributions.source.iter();
    vec![
        Split {
            key: "character",
            heading: "By the character that is hit",
            rows: character
                .map(|entry| part(entry, by_character(&entry.part)))
                .collect(),
        },
        Split {
            key: "source",
            heading: "By what the multipliers come from",
            rows: source
                .map(|entry| part(entry, by_source(&entry.part)))
                .collect(),
        },
        Split {
            key: "spins",
            heading: "By the number of spins of the round",
            rows: by_spins(contributions, probability, most),
        },
    ]
}

fn by_spins(contributions: &ContributionsJson, probability: f64, most: usize) -> Vec<Part> {
    let mut rows: Vec<Part> = Vec::new();
    let mut last = 0;
    for (index, entry) in contributions.spins.iter().enumerate() {
        let exact = entry.enclosure.value * probability;
        if let (Some(rest), true) = (rows.get_mut(most), index > most) {
            rest.exact += exact;
            rest.meter.value += entry.enclosure.value;
            rest.meter.lower += entry.enclosure.lower;
            rest.meter.upper += entry.enclosure.upper;
            continue;
        }
        let name = match entry.spins {
            Some(spins) if index < most => {
                last = spins;
                format!("{spins} spins")
            }
            _ => format!(
                "more than {} spins",
                entry.more_than.filter(|_| index < most).unwrap_or(last)
            ),
        };
        rows.push(Part {
            name,
            meter: entry.enclosure,
            fraction: None,
            exact,
            simulated: None,
        });
    }
    rows
}

/// A fraction such as `1/54` as a number.
pub(crate) fn fraction(text: &str) -> f64 {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    match (numerator.parse::<f64>(), denominator.parse::<f64>()) {
        (Ok(numerator), Ok(denominator)) if denominator != 0.0 => numerator / denominator,
        _ => 0.0,
    }
}

/// Where bars stand on the sheet.
struct Layout {
    /// Right end of the names.
    left: f64,
    /// Place of the least value.
    from: f64,
    least: f64,
    /// Units of the sheet for a return of 1.
    scale: f64,
}

impl Layout {
    fn new(splits: &[Split]) -> Self {
        let rows = || splits.iter().flat_map(|split| &split.rows);
        let values = || {
            rows()
                .flat_map(|row| [Some(row.exact), row.simulated])
                .flatten()
        };
        let (least, most) = values().fold((0.0_f64, 0.0_f64), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        let widths = rows().map(|row| text_width(&row.name, TEXT));
        let left = widths.fold(0.0, f64::max) + 20.0;
        // Room for the numbers at the right, and at the left where a part is negative.
        let numbers = text_width("-00.000 % ", SMALL) + 14.0;
        let from = left + if least < 0.0 { numbers } else { 4.0 };
        let to = f64::from(WIDTH) - numbers;
        Self {
            left,
            from,
            least,
            scale: if most > least {
                (to - from) / (most - least)
            } else {
                0.0
            },
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value - self.least) * self.scale
    }

    /// One bar with its name and number, and the mark of the rounds watched.
    fn bar(&self, sheet: &Sheet, row: &Part, middle: f64) {
        let name = (self.left - 8.0, middle + 4.0);
        sheet.text(name, Anchor::End, TEXT, Role::Ink, &row.name);
        let (start, end) = (
            self.place(row.exact.min(0.0)),
            self.place(row.exact.max(0.0)),
        );
        let mut text = format!("{}: exact {}", row.name, percent(row.exact, 6));
        if let Some(value) = row.simulated {
            text.push_str(&format!(", rounds watched {}", percent(value, 6)));
        }
        sheet.push(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"13\" {}><title>{}</title></rect>",
            short(start),
            short(middle - 6.5),
            short((end - start).max(0.6)),
            Role::Exact.fill(0.45),
            escaped(&text)
        ));
        if let Some(value) = row.simulated {
            sheet.push(&format!(
                "<path d=\"M{} {}v17\" {}/>",
                short(self.place(value)),
                short(middle - 8.5),
                Role::Simulated.stroke(2.0)
            ));
        }
        let number = percent(row.exact, 3);
        let (x, anchor) = if row.exact < 0.0 {
            (start - 6.0, Anchor::End)
        } else {
            (end + 6.0, Anchor::Start)
        };
        sheet.text((x, middle + 4.0), anchor, SMALL, Role::Ink, &number);
    }
}

/// The bars.
pub(super) fn contributions(
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
    parts: &ContributionsJson,
) -> String {
    let splits = splits(exact, simulated, parts, SPINS_ROWS);
    let rows: usize = splits.iter().map(|split| split.rows.len()).sum();
    let height = 34.0 + ROW * float(rows as u64) + 34.0 * float(splits.len() as u64);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a height on a sheet"
    )]
    let sheet = Sheet::new(height.ceil() as u32);
    let layout = Layout::new(&splits);
    legend(&sheet, &splits);
    let mut y = 24.0;
    for Split { heading, rows, .. } in &splits {
        sheet.text((4.0, y + 20.0), Anchor::Start, TEXT, Role::Soft, heading);
        y += 30.0;
        let top = y;
        for row in rows {
            layout.bar(&sheet, row, y + ROW / 2.0);
            y += ROW;
        }
        sheet.push(&format!(
            "<path d=\"M{} {}V{}\" {}/>",
            short(layout.place(0.0)),
            short(top),
            short(y),
            Role::Soft.stroke(1.0)
        ));
        y += 4.0;
    }
    sheet.finish(
        &format!("contributions-{}", exact.trigger),
        &format!("Contributions to the RTP of {} Wonderspins", exact.trigger),
        &description(exact.trigger, &splits),
    )
}

fn legend(sheet: &Sheet, splits: &[Split]) {
    sheet.push(&format!(
        "<rect x=\"24\" y=\"6\" width=\"14\" height=\"9\" {}/>",
        Role::Exact.fill(0.45)
    ));
    sheet.text((44.0, 15.0), Anchor::Start, TEXT, Role::Ink, "exact");
    let mut rows = splits.iter().flat_map(|split| &split.rows);
    if rows.any(|row| row.simulated.is_some()) {
        sheet.push(&format!(
            "<path d=\"M100 4v13\" {}/>",
            Role::Simulated.stroke(2.0)
        ));
        sheet.text(
            (108.0, 15.0),
            Anchor::Start,
            TEXT,
            Role::Ink,
            "rounds watched",
        );
    }
}

fn description(trigger: u32, splits: &[Split]) -> String {
    let mut text = format!(
        "Parts of the overall return of {trigger} Wonderspins that come from the meter, as percentages of the wager."
    );
    for Split { heading, rows, .. } in splits {
        let parts: Vec<String> = rows
            .iter()
            .map(|row| format!("{} {}", row.name, percent(row.exact, 4)))
            .collect();
        text.push_str(&format!(" {heading}: {}.", parts.join(", ")));
    }
    text
}
