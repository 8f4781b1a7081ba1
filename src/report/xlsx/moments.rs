//! The moments and the return of a trigger by formula over its payout table, and its charts.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::figures::Place;
use super::payouts::{self, Sums, Table, column};
use super::sheet::{Look, Sheet, Styles, at, column_range, remote};
use super::{Sides, charts};
use crate::document::{BoundsJson, DistributionJson, EnclosureJson};

/// First row of the moments.
const FIRST: u32 = 4;
/// Last column.
const LAST: u16 = 3;

/// Name of a trigger's sheet.
pub(super) fn name(trigger: u32) -> String {
    format!("Moments {trigger}")
}

pub(super) fn sheet(
    styles: &Styles,
    side: &Sides<'_>,
    place: &Place,
    table: &Table,
) -> Result<Worksheet, XlsxError> {
    let trigger = side.exact.trigger;
    let mut sheet = Sheet::new(&name(trigger), styles, &[46.0, 19.0, 19.0, 19.0])?;
    sheet.text(
        0,
        0,
        &format!("{trigger} Wonderspins: moments and return of the payouts"),
        Look::Title,
    )?;
    sheet.spread(
        1,
        (0, LAST),
        &format!(
            "By formula over the sheet {}. Those of the law listed leave out its missing mass; the bounds allow for it.",
            payouts::name(trigger)
        ),
        Look::Note,
    )?;
    let mut row = moments(&mut sheet, side, place, &table.sums)?;
    if let Some(distribution) = &side.exact.distribution {
        row = tables(&mut sheet, row + 1, distribution)?;
    }
    if let Some(plot) = &table.plot {
        charts::insert(&mut sheet, row + 1, trigger, plot, LAST)?;
    }
    sheet.finish_on_one_page()
}

/// A line of the block beside the table.
struct Moment<'a> {
    name: &'a str,
    formula: Option<String>,
    value: f64,
    bounds: BoundsJson,
    look: Look,
}

impl<'a> Moment<'a> {
    fn formula(name: &'a str, formula: String, value: f64, look: Look) -> Self {
        Self {
            name,
            formula: Some(formula),
            value,
            bounds: BoundsJson {
                value,
                lower: None,
                upper: None,
            },
            look,
        }
    }

    fn number(name: &'a str, bounds: BoundsJson, look: Look) -> Self {
        Self {
            name,
            formula: None,
            value: bounds.value,
            bounds,
            look,
        }
    }

    fn within(self, bounds: BoundsJson) -> Self {
        Self { bounds, ..self }
    }
}

fn known(enclosure: EnclosureJson) -> BoundsJson {
    BoundsJson {
        value: enclosure.value,
        lower: Some(enclosure.lower),
        upper: Some(enclosure.upper),
    }
}

/// Sums, moments and return as formulas over the table; returns the row after them.
fn moments(
    sheet: &mut Sheet<'_>,
    side: &Sides<'_>,
    place: &Place,
    sums: &Sums,
) -> Result<u32, XlsxError> {
    let payouts = payouts::name(side.exact.trigger);
    sheet.header(
        FIRST - 1,
        0,
        &[
            "From the table, by formula",
            "Value",
            "Proven lower bound",
            "Proven upper bound",
        ],
    )?;
    let mut row = FIRST;
    if let Some(distribution) = &side.exact.distribution {
        for moment in exact_moments(side, distribution, place, sums) {
            put(sheet, row, &moment)?;
            row += 1;
        }
    }
    let cell = |row: u32| at(row, 1);
    let range = |column| {
        format!(
            "'{payouts}'!{}",
            column_range(column, payouts::FIRST, sums.last)
        )
    };
    let (meters, rounds) = (range(column::METER), range(column::ROUNDS));
    let total = remote(&payouts, sums.row, column::ROUNDS);
    let mean = sums.rounds_mean / sums.rounds;
    let simulated_mean = row + 1;
    // Meters summed in one row have no product in the table: theirs is a number.
    let and = |rest: f64| {
        if rest > 0.0 {
            format!("+{rest}")
        } else {
            String::new()
        }
    };
    let lines = [
        Moment::formula(
            "Simulated rounds",
            format!("={total}"),
            sums.rounds,
            Look::Count,
        ),
        Moment::formula(
            "Simulated mean meter (wagers)",
            format!(
                "=(SUMPRODUCT({meters},{rounds}){})/{total}",
                and(sums.rest_mean)
            ),
            mean,
            Look::Figure,
        ),
        Moment::formula(
            "Simulated variance (wagers squared)",
            format!(
                "=((SUMPRODUCT({meters},{meters},{rounds}){})/{total}-{}^2)*{total}/({total}-1)",
                and(sums.rest_square),
                cell(simulated_mean)
            ),
            (sums.rounds_square / sums.rounds - mean * mean) * sums.rounds / (sums.rounds - 1.0),
            Look::Figure,
        ),
        Moment::formula(
            "Simulated RTP, gross",
            format!(
                "={}*({}+{})+{}",
                place.probability.0,
                cell(simulated_mean),
                place.wager_returned.0,
                place.other_return.0
            ),
            place.probability.1 * (mean + place.wager_returned.1) + place.other_return.1,
            Look::Percent,
        ),
    ];
    for moment in lines {
        put(sheet, row, &moment)?;
        row += 1;
    }
    Ok(row)
}

/// The probability listed and the probability missing.
fn listed_mass<'a>(distribution: &DistributionJson, sums: &Sums, payouts: &str) -> Vec<Moment<'a>> {
    let cell = |offset: u32| at(FIRST + offset, 1);
    let sum = |column| remote(payouts, sums.row, column);
    let mass = sums.probability;
    vec![
        Moment::formula(
            "Sum of the probabilities listed",
            format!("={}", sum(column::PROBABILITY)),
            mass,
            Look::Figure,
        ),
        Moment::formula(
            "Missing mass, at most",
            format!("={}", remote(payouts, sums.row - 1, column::PROBABILITY)),
            distribution.missing_mass,
            Look::Probability,
        ),
        Moment::formula(
            "Both together (1 but for rounding)",
            format!("={}+{}", cell(0), cell(1)),
            mass + distribution.missing_mass,
            Look::Figure,
        ),
    ]
}

fn shape<'a>(distribution: &DistributionJson) -> Vec<Moment<'a>> {
    vec![
        Moment::number(
            "Skewness of the law listed",
            distribution.skewness_bounds,
            Look::Short,
        ),
        Moment::number(
            "Excess kurtosis of the law listed",
            distribution.excess_kurtosis_bounds,
            Look::Short,
        ),
        Moment::number(
            "Total-variation distance, at most",
            BoundsJson {
                value: distribution.total_variation_bound,
                lower: None,
                upper: None,
            },
            Look::Probability,
        ),
    ]
}

/// Moments of the law listed and the figures of the other method beside them.
fn exact_moments<'a>(
    side: &Sides<'_>,
    distribution: &DistributionJson,
    place: &Place,
    sums: &Sums,
) -> Vec<Moment<'a>> {
    let exact = side.exact;
    let cell = |offset: u32| at(FIRST + offset, 1);
    let payouts = payouts::name(exact.trigger);
    let sum = |column| remote(&payouts, sums.row, column);
    let mass = sums.probability;
    let mean = sums.mean / mass;
    let variance = sums.square / mass - mean * mean;
    let gross =
        |mean: f64| place.probability.1 * (mean + place.wager_returned.1) + place.other_return.1;
    let returned = |mean: &str| {
        format!(
            "{}*({mean}+{})+{}",
            place.probability.0, place.wager_returned.0, place.other_return.0
        )
    };
    let rtp_bounds = BoundsJson {
        value: gross(mean),
        lower: distribution.mean_bounds.lower.map(gross),
        upper: distribution.mean_bounds.upper.map(gross),
    };
    let mut moments = listed_mass(distribution, sums, &payouts);
    moments.extend([
        Moment::formula(
            "Mean meter: sum of p × meter / sum of p",
            format!(
                "={}/{}",
                sum(column::FIRST_MOMENT),
                sum(column::PROBABILITY)
            ),
            mean,
            Look::Figure,
        )
        .within(distribution.mean_bounds),
        Moment::number(
            "   the mean by the other method",
            known(exact.mean_meter.enclosure),
            Look::Figure,
        ),
        Moment::formula(
            "Variance (wagers squared)",
            format!(
                "={}/{}-{}^2",
                sum(column::SECOND_MOMENT),
                sum(column::PROBABILITY),
                cell(3)
            ),
            variance,
            Look::Figure,
        )
        .within(distribution.variance_bounds),
        Moment::number(
            "   the variance by the other method",
            known(exact.variance_meter.enclosure),
            Look::Figure,
        ),
        Moment::formula(
            "Standard deviation (wagers)",
            format!("=SQRT({})", cell(5)),
            variance.sqrt(),
            Look::Figure,
        ),
        Moment::formula(
            "RTP of the law listed, gross",
            format!("={}", returned(&cell(3))),
            gross(mean),
            Look::Percent,
        )
        .within(rtp_bounds),
        Moment::number(
            "   the RTP by the other method",
            known(exact.rtp),
            Look::Percent,
        ),
    ]);
    moments.extend(shape(distribution));
    moments
}

fn put(sheet: &mut Sheet<'_>, row: u32, moment: &Moment<'_>) -> Result<(), XlsxError> {
    sheet.text(row, 0, moment.name, Look::Text)?;
    match &moment.formula {
        Some(formula) => sheet.formula(row, 1, formula, moment.value, moment.look)?,
        None => sheet.number(row, 1, moment.value, moment.look)?,
    }
    for (column, bound) in [(2, moment.bounds.lower), (3, moment.bounds.upper)] {
        if let Some(bound) = bound {
            sheet.number(row, column, bound, moment.look)?;
        }
    }
    Ok(())
}

/// Quantiles, exceedance and bands; returns the row after them.
fn tables(
    sheet: &mut Sheet<'_>,
    row: u32,
    distribution: &DistributionJson,
) -> Result<u32, XlsxError> {
    let mut row = row;
    sheet.header(
        row,
        0,
        &["Quantile", "Meter (wagers)", "not below", "not above"],
    )?;
    for quantile in &distribution.quantiles {
        row += 1;
        sheet.text(row, 0, &super::super::format::level(quantile.p), Look::Text)?;
        sheet.count(row, 1, &quantile.meter.to_string())?;
        sheet.count(row, 2, &quantile.lower.to_string())?;
        match quantile.upper {
            Some(upper) => sheet.count(row, 3, &upper.to_string())?,
            None => sheet.text(row, 3, "not known", Look::Count)?,
        }
    }
    row += 2;
    sheet.header(
        row,
        0,
        &[
            "Meter of at least (wagers)",
            "one in (rounds)",
            "from (rounds)",
            "to (rounds)",
        ],
    )?;
    for entry in &distribution.exceedance {
        row += 1;
        sheet.text(row, 0, &entry.meter.to_string(), Look::Text)?;
        sheet.number(row, 1, entry.one_in, Look::Figure)?;
        for (column, bound) in [
            (2, entry.one_in_bounds.lower),
            (3, entry.one_in_bounds.upper),
        ] {
            match bound {
                Some(bound) => sheet.number(row, column, bound, Look::Figure)?,
                None => sheet.text(row, column, "not known", Look::Count)?,
            }
        }
    }
    if let Some(band) = distribution.acceptance_bands.first() {
        row += 2;
        sheet.header(
            row,
            0,
            &[
                &format!(
                    "Mean of rounds, {} or more",
                    super::super::format::level(band.level)
                ),
                "from (wagers)",
                "to (wagers)",
                "Method",
            ],
        )?;
        for band in &distribution.acceptance_bands {
            row += 1;
            sheet.text(
                row,
                0,
                &format!("{} rounds", super::super::format::grouped(&band.rounds)),
                Look::Text,
            )?;
            sheet.number(row, 1, band.lower_mean, Look::Figure)?;
            sheet.number(row, 2, band.upper_mean, Look::Figure)?;
            sheet.text(row, 3, &band.method, Look::Inset)?;
        }
    }
    Ok(row + 1)
}
