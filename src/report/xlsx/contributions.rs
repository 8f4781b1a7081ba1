//! Where the mean meter comes from: by character, by source, by number of spins.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::Sides;
use super::payouts::sum;
use super::sheet::{Look, Sheet, Styles, approximate, at, column_range, fixed};
use crate::document::{ContributionJson, EnclosureJson, SpinsContributionJson};

/// The longest fraction that a cell shows whole.
const FRACTION: usize = 120;

/// A part with what the simulation has for it.
struct Part {
    name: String,
    exact: Option<String>,
    enclosure: EnclosureJson,
    simulated: Option<String>,
}

pub(super) fn sheet(styles: &Styles, side: &Sides<'_>) -> Result<Worksheet, XlsxError> {
    let exact = side.exact;
    let mut sheet = Sheet::new(
        &format!("Contributions {}", exact.trigger),
        styles,
        &[20.0, 17.0, 17.0, 17.0, 14.0, 16.0, 17.0, 14.0, 64.0],
    )?;
    sheet.text(
        0,
        0,
        &format!(
            "{} Wonderspins: where the mean meter comes from",
            exact.trigger
        ),
        Look::Title,
    )?;
    let Some(contributions) = &exact.contributions else {
        sheet.spread(
            1,
            (0, 8),
            "The certificate has no contributions: the parts of this paytable's mean have no finite bounds.",
            Look::Note,
        )?;
        return sheet.finish(true);
    };
    let detail = side.simulated.detail.as_ref();
    sheet.spread(
        1,
        (0, 8),
        &format!(
            "Parts of the mean without a cap, in wagers; each table adds up to the one of the other method, which stands first. {}",
            detail.map_or_else(
                || "No round was watched part by part.".to_owned(),
                |detail| format!(
                    "The simulated sums are those of the first {} rounds.",
                    super::super::format::grouped(&detail.rounds.to_string())
                )
            )
        ),
        Look::Note,
    )?;
    let mean = exact.uncapped_mean_meter.enclosure;
    sheet.text(2, 0, "Mean meter", Look::Label)?;
    sheet.number(2, 1, mean.value, Look::Figure)?;
    sheet.number(2, 2, mean.lower, Look::Figure)?;
    sheet.number(2, 3, mean.upper, Look::Figure)?;
    let rounds = detail.map(|detail| detail.rounds.to_string());
    if let Some(rounds) = &rounds {
        sheet.text(2, 4, "rounds watched", Look::Count)?;
        sheet.count(2, 5, rounds)?;
    }
    let by_character: Vec<_> = detail
        .iter()
        .flat_map(|detail| &detail.character)
        .map(|entry| (entry.character.as_str(), entry.sum_meter.as_str()))
        .collect();
    let by_source: Vec<_> = detail
        .iter()
        .flat_map(|detail| &detail.source)
        .map(|entry| (entry.source.as_str(), entry.sum.as_str()))
        .collect();
    let rounds = rounds.as_deref();
    let row = table(
        &mut sheet,
        4,
        "By the character that is hit",
        &named(&contributions.character, &by_character),
        mean.value,
        rounds,
    )?;
    let row = table(
        &mut sheet,
        row + 1,
        "By what the multipliers come from",
        &named(&contributions.source, &by_source),
        mean.value,
        rounds,
    )?;
    table(
        &mut sheet,
        row + 1,
        "By the number of spins of the round",
        &by_spins(&contributions.spins),
        mean.value,
        None,
    )?;
    sheet.finish(true)
}

/// Parts with what the simulation has under the same name.
fn named(parts: &[ContributionJson], sums: &[(&str, &str)]) -> Vec<Part> {
    parts
        .iter()
        .map(|part| Part {
            name: part.part.clone(),
            exact: Some(shortened(&part.exact_value)),
            enclosure: part.enclosure,
            simulated: sums
                .iter()
                .find(|(name, _)| *name == part.part)
                .map(|(_, sum)| (*sum).to_owned()),
        })
        .collect()
}

fn by_spins(parts: &[SpinsContributionJson]) -> Vec<Part> {
    parts
        .iter()
        .map(|part| Part {
            name: match (part.spins, part.more_than) {
                (Some(spins), _) => spins.to_string(),
                (None, Some(spins)) => format!("more than {spins}"),
                (None, None) => "others".to_owned(),
            },
            exact: None,
            enclosure: part.enclosure,
            simulated: None,
        })
        .collect()
}

/// A long fraction by its size, since no cell shows thousands of digits.
fn shortened(fraction: &str) -> String {
    if fraction.len() <= FRACTION {
        return fraction.to_owned();
    }
    let (above, below) = fraction.split_once('/').unwrap_or((fraction, "1"));
    format!(
        "a fraction of {} over {} digits: see certificate.json",
        above.trim_start_matches('-').len(),
        below.len()
    )
}

fn header(
    sheet: &mut Sheet<'_>,
    row: u32,
    is_exact: bool,
    is_simulated: bool,
) -> Result<(), XlsxError> {
    let mut names = vec![
        "Part",
        "Value (wagers)",
        "Lower bound (wagers)",
        "Upper bound (wagers)",
        "Share of the mean",
    ];
    if is_simulated {
        names.extend([
            "Simulated sum (wagers)",
            "Simulated a round (wagers)",
            "Simulated less exact",
        ]);
    } else if is_exact {
        names.extend(["", "", ""]);
    }
    if is_exact {
        names.push("Exact value (wagers)");
    }
    sheet.header(row, 0, &names)
}

/// A split and its sum; returns the row after it.
fn table(
    sheet: &mut Sheet<'_>,
    row: u32,
    name: &str,
    parts: &[Part],
    mean: f64,
    rounds: Option<&str>,
) -> Result<u32, XlsxError> {
    sheet.text(row, 0, name, Look::Heading)?;
    let is_exact = parts.iter().any(|part| part.exact.is_some());
    // Parts by spins become too small for fixed digits.
    let look = if is_exact {
        Look::Figure
    } else {
        Look::Probability
    };
    header(sheet, row + 1, is_exact, rounds.is_some())?;
    let first = row + 2;
    let count = u32::try_from(parts.len()).unwrap_or_default().max(1);
    let (last, sum_row) = (first + count - 1, first + count);
    let mut simulated_sum = 0.0;
    for (row, part) in (first..).zip(parts) {
        let value = part.enclosure.value;
        sheet.text(row, 0, &part.name, Look::Text)?;
        sheet.number(row, 1, value, look)?;
        sheet.number(row, 2, part.enclosure.lower, look)?;
        sheet.number(row, 3, part.enclosure.upper, look)?;
        sheet.formula(
            row,
            4,
            &format!("={}/{}", at(row, 1), fixed(2, 1)),
            value / mean,
            Look::Percent,
        )?;
        if let Some(exact) = &part.exact {
            sheet.text(row, 8, exact, Look::Inset)?;
        }
        let (Some(rounds), Some(simulated)) = (rounds, &part.simulated) else {
            continue;
        };
        let total = approximate(simulated);
        simulated_sum += total;
        let each = total / approximate(rounds);
        sheet.count(row, 5, simulated)?;
        sheet.formula(
            row,
            6,
            &format!("={}/{}", at(row, 5), fixed(2, 5)),
            each,
            Look::Figure,
        )?;
        sheet.formula(
            row,
            7,
            &format!("={}-{}", at(row, 6), at(row, 1)),
            each - value,
            Look::Small,
        )?;
    }
    let total = sum(parts.iter().map(|part| part.enclosure.value));
    sheet.text(sum_row, 0, "Sum", Look::SumLabel)?;
    let lower = sum(parts.iter().map(|part| part.enclosure.lower));
    let upper = sum(parts.iter().map(|part| part.enclosure.upper));
    let mut sums = vec![
        (1, total, Look::SumFigure),
        (2, lower, Look::SumFigure),
        (3, upper, Look::SumFigure),
        (4, total / mean, Look::SumFigure),
    ];
    if let Some(rounds) = rounds {
        sums.push((5, simulated_sum, Look::SumCount));
        sums.push((6, simulated_sum / approximate(rounds), Look::SumFigure));
    }
    for (column, value, look) in sums {
        sheet.formula(
            sum_row,
            column,
            &format!("=SUM({})", column_range(column, first, last)),
            value,
            look,
        )?;
    }
    let row = sum_row + 1;
    sheet.text(row, 0, "less the mean", Look::Text)?;
    sheet.formula(
        row,
        1,
        &format!("={}-{}", at(sum_row, 1), fixed(2, 1)),
        total - mean,
        Look::Small,
    )?;
    Ok(row + 1)
}
