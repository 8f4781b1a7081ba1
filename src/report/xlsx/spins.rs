//! The number of spins of a round.

use std::collections::BTreeMap;

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::Sides;
use super::payouts::sum;
use super::sheet::{Look, Sheet, Styles, approximate, at, column_range, fixed};
use crate::document::EnclosureJson;

const FIRST: u32 = 4;

pub(super) fn sheet(styles: &Styles, side: &Sides<'_>) -> Result<Worksheet, XlsxError> {
    let exact = side.exact;
    let mut sheet = Sheet::new(
        &format!("Spins {}", exact.trigger),
        styles,
        &[9.0, 17.0, 17.0, 17.0, 17.0, 14.0, 14.0, 14.0],
    )?;
    sheet.text(
        0,
        0,
        &format!("{} Wonderspins: spins of a round", exact.trigger),
        Look::Title,
    )?;
    sheet.spread(
        1,
        (0, 7),
        &format!(
            "Mean spins {} exactly between {} and {}{}. The mean below leaves out rounds with more spins than are listed.",
            exact.mean_spins.enclosure.value,
            exact.mean_spins.enclosure.lower,
            exact.mean_spins.enclosure.upper,
            exact
                .mean_spins
                .fraction
                .as_ref()
                .filter(|fraction| fraction.len() <= 60)
                .map_or_else(String::new, |fraction| format!(", the fraction {fraction}")),
        ),
        Look::Note,
    )?;
    sheet.header(
        FIRST - 1,
        0,
        &[
            "Spins",
            "Exact probability",
            "Lower bound",
            "Upper bound",
            "Probability × spins (spins)",
            "Simulated (rounds)",
            "Share of rounds",
            "Share less probability",
        ],
    )?;
    table(&mut sheet, side)?;
    sheet.freeze(FIRST, 1)?;
    sheet.repeat(FIRST - 1, FIRST - 1)?;
    sheet.finish(false)
}

fn table(sheet: &mut Sheet<'_>, side: &Sides<'_>) -> Result<(), XlsxError> {
    let exact = side.exact;
    let mut merged: BTreeMap<u64, (Option<EnclosureJson>, &str)> = BTreeMap::new();
    for entry in &exact.spins_distribution {
        merged.insert(u64::from(entry.spins), (Some(entry.enclosure), "0"));
    }
    for entry in &side.simulated.spins_histogram {
        merged.entry(entry.spins).or_insert((None, "0")).1 = &entry.rounds;
    }
    let last = FIRST + u32::try_from(merged.len()).unwrap_or_default().max(1) - 1;
    let (tail_row, sum_row) = (last + 1, last + 2);
    let total = fixed(sum_row, 5);
    let played = sum(merged.values().map(|(_, rounds)| approximate(rounds)));
    let mut products = Vec::new();
    for (row, (&spins, &(enclosure, rounds))) in (FIRST..).zip(&merged) {
        sheet.count(row, 0, &spins.to_string())?;
        let number = approximate(&spins.to_string());
        let share = approximate(rounds) / played;
        if let Some(enclosure) = enclosure {
            sheet.number(row, 1, enclosure.value, Look::Probability)?;
            sheet.number(row, 2, enclosure.lower, Look::Probability)?;
            sheet.number(row, 3, enclosure.upper, Look::Probability)?;
            products.push(enclosure.value * number);
            sheet.formula(
                row,
                4,
                &format!("={}*{}", at(row, 1), at(row, 0)),
                enclosure.value * number,
                Look::Probability,
            )?;
            sheet.formula(
                row,
                7,
                &format!("={}-{}", at(row, 6), at(row, 1)),
                share - enclosure.value,
                Look::Small,
            )?;
        }
        sheet.count(row, 5, rounds)?;
        sheet.formula(
            row,
            6,
            &format!("={}/{total}", at(row, 5)),
            share,
            Look::Small,
        )?;
    }
    sheet.text(tail_row, 0, "more", Look::Text)?;
    sheet.number(tail_row, 1, exact.spins_tail.value, Look::Probability)?;
    sheet.number(tail_row, 2, exact.spins_tail.lower, Look::Probability)?;
    sheet.number(tail_row, 3, exact.spins_tail.upper, Look::Probability)?;
    sheet.text(sum_row, 0, "Sum", Look::SumLabel)?;
    let mass = sum(exact
        .spins_distribution
        .iter()
        .map(|entry| entry.enclosure.value)
        .chain([exact.spins_tail.value]));
    for (column, value, look) in [
        (1, mass, Look::SumProbability),
        (4, sum(products), Look::SumFigure),
        (5, played, Look::SumCount),
        (6, 1.0, Look::SumShort),
    ] {
        sheet.formula(
            sum_row,
            column,
            &format!("=SUM({})", column_range(column, FIRST, tail_row)),
            value,
            look,
        )?;
    }
    Ok(())
}
