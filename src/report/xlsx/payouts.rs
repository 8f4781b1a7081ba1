//! The payout distribution of a trigger.

use std::collections::BTreeMap;

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::Sides;
use super::sheet::{Look, Sheet, Styles, approximate, at, column_range, fixed};
use crate::document::{Certificate, DistributionJson};

/// First row of the table.
pub(super) const FIRST: u32 = 4;
/// Rows below the table: later meters together, what is not listed, the sum.
const BELOW: u32 = 3;
/// Fewest expected rounds for which a residual is given in standard errors.
const EXPECTED: f64 = 10.0;

/// The columns of the table.
pub(super) mod column {
    pub(in super::super) const METER: u16 = 0;
    pub(in super::super) const PROBABILITY: u16 = 1;
    pub(in super::super) const FIRST_MOMENT: u16 = 2;
    pub(in super::super) const SECOND_MOMENT: u16 = 3;
    pub(in super::super) const EXCEEDANCE: u16 = 4;
    pub(in super::super) const ONE_IN: u16 = 5;
    pub(in super::super) const ROUNDS: u16 = 6;
    pub(in super::super) const SHARE: u16 = 7;
    pub(in super::super) const DIFFERENCE: u16 = 8;
    pub(in super::super) const RESIDUAL: u16 = 9;
}

/// One line of the table.
struct Line<'a> {
    meter: u64,
    probability: f64,
    rounds: &'a str,
}

/// Meters that have a probability listed or were seen, ascending.
fn lines<'a>(side: &Sides<'a>) -> Vec<Line<'a>> {
    let mut merged: BTreeMap<u64, (f64, &str)> = BTreeMap::new();
    if let Some(distribution) = &side.exact.distribution {
        for (meter, &probability) in (0..).zip(&distribution.pmf) {
            if probability > 0.0 {
                merged.insert(meter, (probability, "0"));
            }
        }
    }
    for entry in &side.simulated.histogram {
        merged.entry(entry.meter).or_insert((0.0, "0")).1 = &entry.rounds;
    }
    merged
        .into_iter()
        .map(|(meter, (probability, rounds))| Line {
            meter,
            probability,
            rounds,
        })
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "meters are at most 10^15 or so")]
fn float(value: u64) -> f64 {
    value as f64
}

/// A sum that keeps what each step rounds away, as spreadsheets do.
pub(super) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    total + lost
}

/// The table as other sheets see it.
pub(super) struct Table {
    pub(super) sums: Sums,
    pub(super) plot: Option<Plot>,
}

/// What the table adds up to.
pub(super) struct Sums {
    /// Row of the sums.
    pub(super) row: u32,
    /// Last row with a meter of its own.
    pub(super) last: u32,
    pub(super) probability: f64,
    pub(super) mean: f64,
    pub(super) square: f64,
    pub(super) rounds: f64,
    pub(super) rounds_mean: f64,
    pub(super) rounds_square: f64,
    /// Of the two sums over rounds: what the meters without a row of their own add.
    pub(super) rest_mean: f64,
    pub(super) rest_square: f64,
}

/// Name of a trigger's sheet.
pub(super) fn name(trigger: u32) -> String {
    format!("Payouts {trigger}")
}

/// Which rows of the table the charts show.
pub(super) struct Plot {
    /// Last row up to the 99.9 % quantile.
    pub(super) payouts: u32,
    /// Last row with a probability.
    pub(super) exceedance: u32,
}

fn plot(distribution: Option<&DistributionJson>, listed: &[Line<'_>]) -> Option<Plot> {
    let distribution = distribution?;
    let far = distribution
        .quantiles
        .iter()
        .filter(|quantile| quantile.p <= 0.9995)
        .map(|quantile| quantile.meter)
        .max()?;
    let last = |count: usize| {
        let rows = u32::try_from(count).ok()?;
        (rows > 1).then_some(FIRST + rows - 1)
    };
    let listed_law = listed.iter().rposition(|line| line.probability > 0.0)?;
    Some(Plot {
        payouts: last(listed.partition_point(|line| line.meter <= far))?,
        exceedance: last(listed_law + 1)?,
    })
}

/// # Arguments
/// - `sheet_rows`: rows that a sheet has
pub(super) fn sheet(
    styles: &Styles,
    certificate: &Certificate,
    side: &Sides<'_>,
    sheet_rows: u32,
) -> Result<(Worksheet, Table), XlsxError> {
    let trigger = side.exact.trigger;
    let mut sheet = Sheet::new(
        &name(trigger),
        styles,
        &[9.0, 16.0, 16.0, 16.0, 16.0, 11.0, 13.0, 11.0, 11.0, 10.0],
    )?;
    sheet.text(
        0,
        0,
        &format!("{trigger} Wonderspins: payout distribution"),
        Look::Title,
    )?;
    let distribution = side.exact.distribution.as_ref();
    let note = match (distribution, &certificate.exact.without_distribution) {
        (Some(distribution), _) => format!(
            "The law listed is nowhere above the true one: what it leaves out is the missing mass below the table, and the \
             bounds on the sheet {} allow for it. Meters without a probability that were not seen have no row. How it \
             was computed: {}.",
            super::moments::name(trigger),
            distribution.method
        ),
        (None, Some(reason)) => {
            format!("There is no exact distribution: {reason}. The simulated rounds stand alone.")
        }
        (None, None) => {
            "There is no exact distribution in the certificate. The simulated rounds stand alone."
                .to_owned()
        }
    };
    sheet.spread(1, (0, column::RESIDUAL), &note, Look::Note)?;
    let all = lines(side);
    let room = usize::try_from(sheet_rows - FIRST - BELOW).unwrap_or(usize::MAX);
    let (listed, beyond) = all.split_at(all.len().min(room));
    if !beyond.is_empty() {
        sheet.spread(
            2,
            (0, column::RESIDUAL),
            &format!(
                "A sheet has {sheet_rows} rows: the {} meters above the last one are summed in one row below it, as numbers. \
                 Each is in certificate.json.",
                beyond.len()
            ),
            Look::Note,
        )?;
    }
    let sums = match distribution {
        Some(distribution) => exact_table(&mut sheet, side, distribution, listed, beyond)?,
        None => simulated_table(&mut sheet, side, listed, beyond)?,
    };
    sheet.freeze(FIRST, 1)?;
    sheet.repeat(FIRST - 1, FIRST - 1)?;
    let plot = plot(distribution, listed);
    Ok((sheet.finish(false)?, Table { sums, plot }))
}

fn exact_table(
    sheet: &mut Sheet<'_>,
    side: &Sides<'_>,
    distribution: &DistributionJson,
    listed: &[Line<'_>],
    beyond: &[Line<'_>],
) -> Result<Sums, XlsxError> {
    sheet.header(
        FIRST - 1,
        0,
        &[
            "Meter (wagers)",
            "Exact probability",
            "Probability × meter (wagers)",
            "Probability × meter squared",
            "P(meter or more), law listed",
            "One in (rounds), law listed",
            "Simulated (rounds)",
            "Share of rounds",
            "Share less probability",
            "in standard errors",
        ],
    )?;
    let count = u32::try_from(listed.len()).unwrap_or(u32::MAX);
    let last = FIRST + count.max(1) - 1;
    let (beyond_row, missing_row, sum_row) = (last + 1, last + 2, last + 3);
    let total = fixed(sum_row, column::ROUNDS);
    let rounds_played = sum(listed
        .iter()
        .chain(beyond)
        .map(|line| approximate(line.rounds)));
    let rest = Rest::new(beyond);
    // P(meter or more) is added up from the last meter on, row by row as its formulas do.
    let mut exceedance = vec![0.0; listed.len()];
    let mut above = rest.probability;
    for (value, line) in exceedance.iter_mut().zip(listed).rev() {
        above += line.probability;
        *value = above;
    }
    for ((row, line), &exceedance) in (FIRST..).zip(listed).zip(&exceedance) {
        let below = if row < last {
            format!("+{}", at(row + 1, column::EXCEEDANCE))
        } else if beyond.is_empty() {
            String::new()
        } else {
            format!("+{}", at(beyond_row, column::PROBABILITY))
        };
        exact_cells(sheet, row, line, exceedance, &below)?;
        simulated_cells(sheet, row, line, &total, rounds_played)?;
        residual_cells(sheet, row, line, &total, rounds_played)?;
    }
    rest_row(
        sheet,
        beyond_row,
        beyond,
        &rest,
        (&total, rounds_played),
        true,
    )?;
    missing(sheet, missing_row, distribution.missing_mass)?;
    let sums = rest.sums(sum_row, last, listed);
    sheet.text(sum_row, column::METER, "Sum", Look::SumLabel)?;
    for (column, value) in [
        (column::PROBABILITY, sums.probability),
        (column::FIRST_MOMENT, sums.mean),
        (column::SECOND_MOMENT, sums.square),
    ] {
        sheet.formula(
            sum_row,
            column,
            &format!("=SUM({})", column_range(column, FIRST, beyond_row)),
            value,
            Look::SumProbability,
        )?;
    }
    rounds_sum(sheet, side, &sums, beyond_row)?;
    Ok(sums)
}

/// Probability and what follows from it.
///
/// # Arguments
/// - `below`: what the formula of the exceedance adds
fn exact_cells(
    sheet: &mut Sheet<'_>,
    row: u32,
    line: &Line<'_>,
    exceedance: f64,
    below: &str,
) -> Result<(), XlsxError> {
    let (meter, p) = (float(line.meter), line.probability);
    let cell = |column| at(row, column);
    sheet.count(row, column::METER, &line.meter.to_string())?;
    sheet.number(row, column::PROBABILITY, p, Look::Probability)?;
    for (column, formula, value) in [
        (
            column::FIRST_MOMENT,
            format!("={}*{}", cell(column::PROBABILITY), cell(column::METER)),
            p * meter,
        ),
        (
            column::SECOND_MOMENT,
            format!("={}*{}", cell(column::FIRST_MOMENT), cell(column::METER)),
            p * meter * meter,
        ),
        (
            column::EXCEEDANCE,
            format!("={}{below}", cell(column::PROBABILITY)),
            exceedance,
        ),
    ] {
        sheet.formula(row, column, &formula, value, Look::Probability)?;
    }
    if exceedance > 0.0 {
        let formula = format!("=1/{}", cell(column::EXCEEDANCE));
        sheet.formula(row, column::ONE_IN, &formula, 1.0 / exceedance, Look::Small)
    } else {
        sheet.text(row, column::ONE_IN, "–", Look::Count)
    }
}

/// The share of rounds against the probability.
fn residual_cells(
    sheet: &mut Sheet<'_>,
    row: u32,
    line: &Line<'_>,
    total: &str,
    rounds_played: f64,
) -> Result<(), XlsxError> {
    let p = line.probability;
    let difference = approximate(line.rounds) / rounds_played - p;
    let probability = at(row, column::PROBABILITY);
    sheet.formula(
        row,
        column::DIFFERENCE,
        &format!("={}-{probability}", at(row, column::SHARE)),
        difference,
        Look::Small,
    )?;
    if rounds_played * p >= EXPECTED && p < 1.0 {
        sheet.formula(
            row,
            column::RESIDUAL,
            &format!(
                "={}/SQRT({probability}*(1-{probability})/{total})",
                at(row, column::DIFFERENCE)
            ),
            difference / (p * (1.0 - p) / rounds_played).sqrt(),
            Look::Short,
        )
    } else {
        sheet.text(row, column::RESIDUAL, "–", Look::Count)
    }
}

fn missing(sheet: &mut Sheet<'_>, row: u32, mass: f64) -> Result<(), XlsxError> {
    sheet.text(row, column::METER, "missing", Look::Text)?;
    sheet.number(row, column::PROBABILITY, mass, Look::Probability)?;
    sheet.spread(
        row,
        (column::FIRST_MOMENT, column::ONE_IN),
        "at most this much probability is not listed; it is not in the sums",
        Look::Note,
    )
}

fn simulated_table(
    sheet: &mut Sheet<'_>,
    side: &Sides<'_>,
    listed: &[Line<'_>],
    beyond: &[Line<'_>],
) -> Result<Sums, XlsxError> {
    sheet.header(FIRST - 1, 0, &["Meter (wagers)"])?;
    sheet.header(
        FIRST - 1,
        column::ROUNDS,
        &["Simulated (rounds)", "Share of rounds"],
    )?;
    let count = u32::try_from(listed.len()).unwrap_or(u32::MAX);
    let last = FIRST + count.max(1) - 1;
    let (beyond_row, sum_row) = (last + 1, last + 3);
    let total = fixed(sum_row, column::ROUNDS);
    let rest = Rest::new(beyond);
    let sums = rest.sums(sum_row, last, listed);
    for (row, line) in (FIRST..).zip(listed) {
        sheet.count(row, column::METER, &line.meter.to_string())?;
        simulated_cells(sheet, row, line, &total, sums.rounds)?;
    }
    rest_row(
        sheet,
        beyond_row,
        beyond,
        &rest,
        (&total, sums.rounds),
        false,
    )?;
    sheet.text(sum_row, column::METER, "Sum", Look::SumLabel)?;
    rounds_sum(sheet, side, &sums, beyond_row)?;
    Ok(sums)
}

fn simulated_cells(
    sheet: &mut Sheet<'_>,
    row: u32,
    line: &Line<'_>,
    total: &str,
    rounds_played: f64,
) -> Result<(), XlsxError> {
    sheet.count(row, column::ROUNDS, line.rounds)?;
    sheet.formula(
        row,
        column::SHARE,
        &format!("={}/{total}", at(row, column::ROUNDS)),
        approximate(line.rounds) / rounds_played,
        Look::Small,
    )
}

fn rounds_sum(
    sheet: &mut Sheet<'_>,
    side: &Sides<'_>,
    sums: &Sums,
    last: u32,
) -> Result<(), XlsxError> {
    let row = sums.row;
    sheet.formula(
        row,
        column::ROUNDS,
        &format!("=SUM({})", column_range(column::ROUNDS, FIRST, last)),
        sums.rounds,
        Look::SumCount,
    )?;
    sheet.formula(
        row,
        column::SHARE,
        &format!("=SUM({})", column_range(column::SHARE, FIRST, last)),
        1.0,
        Look::SumShort,
    )?;
    debug_assert_eq!(
        approximate(&side.simulated.rounds.to_string()).to_bits(),
        sums.rounds.to_bits(),
        "every round has its meter"
    );
    Ok(())
}

/// The meters that have no row of their own.
struct Rest {
    probability: f64,
    mean: f64,
    square: f64,
    rounds: f64,
    rounds_mean: f64,
    rounds_square: f64,
}

impl Rest {
    fn new(beyond: &[Line<'_>]) -> Self {
        Self {
            probability: sum(beyond.iter().map(|line| line.probability)),
            mean: sum(beyond
                .iter()
                .map(|line| line.probability * float(line.meter))),
            square: sum(beyond
                .iter()
                .map(|line| line.probability * float(line.meter) * float(line.meter))),
            rounds: sum(beyond.iter().map(|line| approximate(line.rounds))),
            rounds_mean: sum(beyond
                .iter()
                .map(|line| approximate(line.rounds) * float(line.meter))),
            rounds_square: sum(beyond
                .iter()
                .map(|line| approximate(line.rounds) * float(line.meter) * float(line.meter))),
        }
    }

    fn sums(&self, row: u32, last: u32, listed: &[Line<'_>]) -> Sums {
        let with = |rest: f64, value: &dyn Fn(&Line<'_>) -> f64| {
            sum(listed.iter().map(value).chain([rest]))
        };
        Sums {
            row,
            last,
            probability: with(self.probability, &|line| line.probability),
            mean: with(self.mean, &|line| line.probability * float(line.meter)),
            square: with(self.square, &|line| {
                line.probability * float(line.meter) * float(line.meter)
            }),
            rounds: with(self.rounds, &|line| approximate(line.rounds)),
            rounds_mean: with(self.rounds_mean, &|line| {
                approximate(line.rounds) * float(line.meter)
            }),
            rounds_square: with(self.rounds_square, &|line| {
                approximate(line.rounds) * float(line.meter) * float(line.meter)
            }),
            rest_mean: self.rounds_mean,
            rest_square: self.rounds_square,
        }
    }
}

fn rest_row(
    sheet: &mut Sheet<'_>,
    row: u32,
    beyond: &[Line<'_>],
    rest: &Rest,
    (total, rounds_played): (&str, f64),
    is_exact: bool,
) -> Result<(), XlsxError> {
    let Some(first) = beyond.first() else {
        return sheet.text(row, column::METER, "", Look::Text);
    };
    sheet.text(
        row,
        column::METER,
        &format!("{} or more", first.meter),
        Look::Text,
    )?;
    if is_exact {
        for (column, value) in [
            (column::PROBABILITY, rest.probability),
            (column::FIRST_MOMENT, rest.mean),
            (column::SECOND_MOMENT, rest.square),
        ] {
            sheet.number(row, column, value, Look::Probability)?;
        }
    }
    sheet.number(row, column::ROUNDS, rest.rounds, Look::Count)?;
    sheet.formula(
        row,
        column::SHARE,
        &format!("={}/{total}", at(row, column::ROUNDS)),
        rest.rounds / rounds_played,
        Look::Small,
    )
}
