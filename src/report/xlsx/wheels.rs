//! Both wheels, section by section, with what was counted on each.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::payouts::sum;
use super::sheet::{Look, Sheet, Styles, approximate, at, column_range, fixed};
use super::sides;
use crate::document::{Certificate, SpinDrawsJson, WheelSection};

/// Columns of one trigger's counts.
const COUNTED: [&str; 3] = ["counted (spins)", "expected (spins)", "in standard errors"];

pub(super) fn sheet(styles: &Styles, certificate: &Certificate) -> Result<Worksheet, XlsxError> {
    let mut sheet = Sheet::new(
        "Wheels",
        styles,
        &[9.0, 19.0, 8.0, 14.0, 13.0, 14.0, 12.0, 13.0, 14.0, 12.0],
    )?;
    sheet.text(0, 0, "Wheels", Look::Title)?;
    let sides = sides(certificate);
    let watched: Vec<String> = sides
        .iter()
        .filter_map(|side| {
            let detail = side.simulated.detail.as_ref()?;
            Some(format!(
                "{} rounds of {} Wonderspins",
                super::super::format::grouped(&detail.rounds.to_string()),
                side.exact.trigger
            ))
        })
        .collect();
    let counted = if watched.is_empty() {
        "No round was watched section by section.".to_owned()
    } else {
        format!(
            "Counted in the first {}, over all spins.",
            watched.join(" and the first ")
        )
    };
    sheet.spread(
        1,
        (0, 9),
        &format!(
            "Sections clockwise. The probability of a section is its weight over the sum of weights. {counted}"
        ),
        Look::Note,
    )?;
    let mut row = 3;
    for (name, wheel, pick) in [
        (
            "Inner wheel",
            &certificate.wheels.inner,
            (|spin: &SpinDrawsJson| spin.inner.clone()) as fn(&SpinDrawsJson) -> Vec<String>,
        ),
        ("Outer wheel", &certificate.wheels.outer, |spin| {
            spin.outer.clone()
        }),
    ] {
        let counts: Vec<(u32, Vec<u128>)> = sides
            .iter()
            .filter_map(|side| {
                let detail = side.simulated.detail.as_ref()?;
                let mut totals = vec![0_u128; wheel.len()];
                for spin in &detail.spins {
                    for (total, count) in totals.iter_mut().zip(pick(spin)) {
                        *total += count.parse::<u128>().unwrap_or_default();
                    }
                }
                Some((side.exact.trigger, totals))
            })
            .collect();
        row = table(&mut sheet, row, name, wheel, &counts)? + 1;
    }
    sheet.finish(false)
}

/// A wheel and what its sections show, summed; returns the row after both.
fn table(
    sheet: &mut Sheet<'_>,
    row: u32,
    name: &str,
    wheel: &[WheelSection],
    counts: &[(u32, Vec<u128>)],
) -> Result<u32, XlsxError> {
    sheet.text(row, 0, name, Look::Heading)?;
    let titles: Vec<String> = counts
        .iter()
        .flat_map(|(trigger, _)| COUNTED.map(|title| format!("{trigger} Wonderspins: {title}")))
        .collect();
    let mut header = vec!["Section", "Shows", "Weight", "Probability"];
    header.extend(titles.iter().map(String::as_str));
    sheet.header(row + 1, 0, &header)?;
    let first = row + 2;
    let count = u32::try_from(wheel.len()).unwrap_or_default().max(1);
    let last = first + count - 1;
    let sum_row = last + 1;
    let weights: f64 = sum(wheel
        .iter()
        .map(|section| approximate(&section.weight.to_string())));
    for (index, (row, section)) in (first..).zip(wheel).enumerate() {
        let p = approximate(&section.weight.to_string()) / weights;
        sheet.index(row, 0, index + 1)?;
        sheet.text(row, 1, &section.shows, Look::Text)?;
        sheet.count(row, 2, &section.weight.to_string())?;
        sheet.formula(
            row,
            3,
            &format!("={}/{}", at(row, 2), fixed(sum_row, 2)),
            p,
            Look::Figure,
        )?;
        for (column, (_, counts)) in (4..).step_by(COUNTED.len()).zip(counts) {
            let counted = counts.get(index).copied().unwrap_or_default();
            let all: u128 = counts.iter().sum();
            counted_cells(sheet, row, column, sum_row, (counted, all), p)?;
        }
    }
    sheet.text(sum_row, 0, "Sum", Look::SumLabel)?;
    sheet.text(sum_row, 1, "", Look::SumLabel)?;
    let mut sums = vec![(2, weights, Look::SumCount), (3, 1.0, Look::SumFigure)];
    for (column, (_, counts)) in (4..).step_by(COUNTED.len()).zip(counts) {
        let all = approximate(&counts.iter().sum::<u128>().to_string());
        sums.push((column, all, Look::SumCount));
        sums.push((column + 1, all, Look::SumCount));
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
    shown(sheet, sum_row + 2, wheel, counts, (first, last))
}

fn counted_cells(
    sheet: &mut Sheet<'_>,
    row: u32,
    column: u16,
    sum_row: u32,
    counts: (u128, u128),
    p: f64,
) -> Result<(), XlsxError> {
    let (counted, all) = (
        approximate(&counts.0.to_string()),
        approximate(&counts.1.to_string()),
    );
    sheet.count(row, column, &counts.0.to_string())?;
    let expected = p * all;
    let (probability, total) = (at(row, 3), fixed(sum_row, column));
    sheet.formula(
        row,
        column + 1,
        &format!("={probability}*{total}"),
        expected,
        Look::Short,
    )?;
    let variance = expected * (1.0 - p);
    if variance > 0.0 {
        sheet.formula(
            row,
            column + 2,
            &format!(
                "=({}-{e})/SQRT({e}*(1-{probability}))",
                at(row, column),
                e = at(row, column + 1)
            ),
            (counted - expected) / variance.sqrt(),
            Look::Short,
        )
    } else {
        sheet.text(row, column + 2, "–", Look::Count)
    }
}

/// The wheel by what it shows; returns the row after it.
fn shown(
    sheet: &mut Sheet<'_>,
    row: u32,
    wheel: &[WheelSection],
    counts: &[(u32, Vec<u128>)],
    sections: (u32, u32),
) -> Result<u32, XlsxError> {
    let titles: Vec<String> = counts
        .iter()
        .flat_map(|(trigger, _)| {
            [
                format!("{trigger} Wonderspins: {}", COUNTED[0]),
                format!("{trigger} Wonderspins: share"),
                String::new(),
            ]
        })
        .collect();
    let mut header = vec!["Sections", "Show", "Weight", "Probability"];
    header.extend(titles.iter().map(String::as_str));
    sheet.header(row, 0, &header)?;
    let mut names: Vec<&str> = Vec::new();
    for section in wheel {
        if !names.contains(&section.shows.as_str()) {
            names.push(&section.shows);
        }
    }
    let range = |column| {
        let (first, last) = sections;
        format!("{}:{}", fixed(first, column), fixed(last, column))
    };
    let weights = sum(wheel
        .iter()
        .map(|section| approximate(&section.weight.to_string())));
    let mut row = row + 1;
    for name in names {
        let matching = || wheel.iter().filter(move |section| section.shows == name);
        let weight = sum(matching().map(|section| approximate(&section.weight.to_string())));
        sheet.formula(
            row,
            0,
            &format!("=COUNTIF({},{})", range(1), at(row, 1)),
            approximate(&matching().count().to_string()),
            Look::Index,
        )?;
        sheet.text(row, 1, name, Look::Text)?;
        sheet.formula(
            row,
            2,
            &format!("=SUMIF({},{},{})", range(1), at(row, 1), range(2)),
            weight,
            Look::Count,
        )?;
        sheet.formula(
            row,
            3,
            &format!("={}/{}", at(row, 2), fixed(sections.1 + 1, 2)),
            weight / weights,
            Look::Figure,
        )?;
        for (column, (_, counts)) in (4..).step_by(COUNTED.len()).zip(counts) {
            let of_name: u128 = wheel
                .iter()
                .zip(counts)
                .filter(|(section, _)| section.shows == name)
                .map(|(_, count)| count)
                .sum();
            let (value, all) = (
                approximate(&of_name.to_string()),
                approximate(&counts.iter().sum::<u128>().to_string()),
            );
            sheet.formula(
                row,
                column,
                &format!("=SUMIF({},{},{})", range(1), at(row, 1), range(column)),
                value,
                Look::Count,
            )?;
            if all > 0.0 {
                sheet.formula(
                    row,
                    column + 1,
                    &format!("={}/{}", at(row, column), fixed(sections.1 + 1, column)),
                    value / all,
                    Look::Figure,
                )?;
            }
        }
        row += 1;
    }
    Ok(row)
}
