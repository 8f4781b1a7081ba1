//! Exact against simulated, and the return step by step.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::super::csv::paired;
use super::Sides;
use super::sheet::{Look, Sheet, Styles, at, ratio, ratio_formula, remote};
use crate::document::{EnclosureJson, ExactTrigger};

pub(super) const NAME: &str = "Figures";

/// Where other sheets find a trigger's figures, as references with their values.
pub(super) struct Place {
    pub(super) trigger: u32,
    pub(super) probability: (String, f64),
    pub(super) wager_returned: (String, f64),
    pub(super) other_return: (String, f64),
    pub(super) mean: (String, f64),
    pub(super) std_dev: (String, f64),
    pub(super) rtp: (String, f64),
    pub(super) hit_frequency: (String, f64),
    pub(super) volatility: (String, f64),
}

pub(super) fn sheet(
    styles: &Styles,
    sides: &[Sides<'_>],
) -> Result<(Worksheet, Vec<Place>), XlsxError> {
    let mut sheet = Sheet::new(
        NAME,
        styles,
        &[
            54.0, 23.0, 17.0, 17.0, 17.0, 17.0, 12.0, 17.0, 17.0, 12.0, 10.0,
        ],
    )?;
    sheet.text(0, 0, "Figures", Look::Title)?;
    sheet.spread(
        1,
        (0, 10),
        "Exact figures are computed without a random number; lower and upper bound enclose the truth by proof. RTP is gross: \
         all that is paid back for each unit wagered, the wager's return included.",
        Look::Note,
    )?;
    let mut row = 3;
    let mut places = Vec::new();
    for side in sides {
        row = compared(&mut sheet, row, side)?;
        let place;
        (row, place) = steps(&mut sheet, row + 1, side.exact)?;
        row = capped(&mut sheet, row, side.exact)? + 1;
        places.push(place);
    }
    Ok((sheet.finish(true)?, places))
}

/// The table of exact and simulated figures; returns the row after it.
fn compared(sheet: &mut Sheet<'_>, row: u32, side: &Sides<'_>) -> Result<u32, XlsxError> {
    let trigger = side.exact.trigger;
    sheet.text(
        row,
        0,
        &format!("{trigger} Wonderspins: exact against simulated"),
        Look::Heading,
    )?;
    let level = side.simulated.mean_meter.level;
    sheet.header(
        row + 1,
        0,
        &[
            "Figure",
            "Unit",
            "Exact",
            "Lower bound",
            "Upper bound",
            "Simulated",
            "Standard error",
            &format!("Interval at {}, from", super::super::format::level(level)),
            "to",
            "Simulated less nearest bound",
            "in standard errors",
        ],
    )?;
    let mut row = row + 2;
    for (name, unit, exact, estimate) in paired(side.exact, side.simulated) {
        sheet.text(row, 0, name, Look::Text)?;
        sheet.text(row, 1, unit, Look::Text)?;
        enclosure(sheet, row, 2, &exact)?;
        sheet.number(row, 5, estimate.estimate, Look::Figure)?;
        sheet.number(row, 6, estimate.std_error, Look::Small)?;
        sheet.number(row, 7, estimate.lower, Look::Figure)?;
        sheet.number(row, 8, estimate.upper, Look::Figure)?;
        // Wide bounds have no point to measure from but the nearest of them.
        let difference =
            (estimate.estimate - exact.upper).max(0.0) - (exact.lower - estimate.estimate).max(0.0);
        sheet.formula(
            row,
            9,
            &format!(
                "=MAX({simulated}-{},0)-MAX({}-{simulated},0)",
                at(row, 4),
                at(row, 3),
                simulated = at(row, 5)
            ),
            difference,
            Look::Small,
        )?;
        if estimate.std_error > 0.0 {
            sheet.formula(
                row,
                10,
                &format!("={}/{}", at(row, 9), at(row, 6)),
                difference / estimate.std_error,
                Look::Short,
            )?;
        } else {
            sheet.text(row, 10, "–", Look::Count)?;
        }
        row += 1;
    }
    Ok(row)
}

fn enclosure(
    sheet: &mut Sheet<'_>,
    row: u32,
    column: u16,
    value: &EnclosureJson,
) -> Result<(), XlsxError> {
    sheet.number(row, column, value.value, Look::Figure)?;
    sheet.number(row, column + 1, value.lower, Look::Figure)?;
    sheet.number(row, column + 2, value.upper, Look::Figure)
}

/// A line of the step-by-step table.
struct Step<'a> {
    name: &'a str,
    how: &'a str,
    formula: Option<String>,
    value: f64,
    proven: Option<EnclosureJson>,
    look: Look,
}

/// The return built up in formulas beside the certificate's figures; returns the row after
/// it.
#[expect(clippy::too_many_lines, reason = "one table, line by line")]
fn steps(
    sheet: &mut Sheet<'_>,
    first: u32,
    exact: &ExactTrigger,
) -> Result<(u32, Place), XlsxError> {
    let trigger = exact.trigger;
    sheet.text(
        first,
        0,
        &format!("{trigger} Wonderspins: the return, step by step"),
        Look::Heading,
    )?;
    sheet.header(
        first + 1,
        0,
        &[
            "Quantity",
            "How",
            "Formula",
            "Proven lower bound",
            "Proven upper bound",
            "Formula less certificate",
        ],
    )?;
    let base = first + 2;
    // Rows of the table, in its order.
    let [
        probability,
        mean,
        wager,
        conditional,
        other,
        rtp,
        edge,
        variance,
        deviation,
        gross,
        z,
        index,
        hit,
        zero,
    ] = std::array::from_fn(|index| base + u32::try_from(index).unwrap_or_default());
    let cell = |row| at(row, 2);
    let p = ratio(&exact.trigger_probability);
    let returned_part = exact
        .rtp_parts
        .iter()
        .find(|part| part.part == "wager returned")
        .map_or(0.0, |part| part.enclosure.value);
    let returned = returned_part / p;
    let meter = exact.mean_meter.enclosure;
    let gross_mean = meter.value + returned;
    let others = ratio(&exact.other_return);
    let total = p * gross_mean + others;
    let std_dev = exact.variance_meter.enclosure.value.sqrt();
    let volatility = exact.volatility_index.z * exact.std_dev_gross.value;
    let hit_value = exact.hit_frequency.enclosure;
    let lines = [
        Step {
            name: "Probability of the trigger",
            how: "fraction",
            formula: Some(ratio_formula(&exact.trigger_probability)),
            value: p,
            proven: None,
            look: Look::Figure,
        },
        Step {
            name: "Mean meter given the trigger, wagers",
            how: "exact",
            formula: None,
            value: meter.value,
            proven: Some(meter),
            look: Look::Figure,
        },
        Step {
            name: "Wager returned given the trigger, wagers",
            how: "part / probability",
            formula: Some(format!("={returned_part}/{}", cell(probability))),
            value: returned,
            proven: None,
            look: Look::Figure,
        },
        Step {
            name: "Gross return given the trigger, wagers",
            how: "mean + wager",
            formula: Some(format!("={}+{}", cell(mean), cell(wager))),
            value: gross_mean,
            proven: Some(exact.rtp_conditional),
            look: Look::Figure,
        },
        Step {
            name: "Return from other outcomes",
            how: "fraction",
            formula: Some(ratio_formula(&exact.other_return)),
            value: others,
            proven: None,
            look: Look::Figure,
        },
        Step {
            name: "Overall RTP",
            how: "p × gross + other",
            formula: Some(format!(
                "={}*{}+{}",
                cell(probability),
                cell(conditional),
                cell(other)
            )),
            value: total,
            proven: Some(exact.rtp),
            look: Look::Percent,
        },
        Step {
            name: "House edge",
            how: "1 - RTP",
            formula: Some(format!("=1-{}", cell(rtp))),
            value: 1.0 - total,
            proven: Some(exact.house_edge),
            look: Look::Percent,
        },
        Step {
            name: "Variance of the meter, wagers squared",
            how: "exact",
            formula: None,
            value: exact.variance_meter.enclosure.value,
            proven: Some(exact.variance_meter.enclosure),
            look: Look::Figure,
        },
        Step {
            name: "Standard deviation of the meter, wagers",
            how: "root of variance",
            formula: Some(format!("=SQRT({})", cell(variance))),
            value: std_dev,
            proven: Some(exact.std_dev_meter),
            look: Look::Figure,
        },
        Step {
            name: "Standard deviation of the gross return, wagers",
            how: "exact",
            formula: None,
            value: exact.std_dev_gross.value,
            proven: Some(exact.std_dev_gross),
            look: Look::Figure,
        },
        Step {
            name: "Normal quantile of the volatility index",
            how: "level in the note",
            formula: None,
            value: exact.volatility_index.z,
            proven: None,
            look: Look::Figure,
        },
        Step {
            name: "Volatility index, wagers",
            how: "quantile × deviation",
            formula: Some(format!("={}*{}", cell(z), cell(gross))),
            value: volatility,
            proven: Some(exact.volatility_index.enclosure),
            look: Look::Figure,
        },
        Step {
            name: "Hit frequency",
            how: "exact",
            formula: None,
            value: hit_value.value,
            proven: Some(hit_value),
            look: Look::Percent,
        },
        Step {
            name: "Probability of a zero meter",
            how: "1 - hit frequency",
            formula: Some(format!("=1-{}", cell(hit))),
            value: 1.0 - hit_value.value,
            proven: None,
            look: Look::Percent,
        },
    ];
    let mut row = base;
    for line in lines {
        sheet.text(row, 0, line.name, Look::Text)?;
        sheet.text(row, 1, line.how, Look::Text)?;
        match &line.formula {
            Some(formula) => sheet.formula(row, 2, formula, line.value, line.look)?,
            None => sheet.number(row, 2, line.value, line.look)?,
        }
        if let Some(proven) = line.proven {
            sheet.number(row, 3, proven.lower, line.look)?;
            sheet.number(row, 4, proven.upper, line.look)?;
            if line.formula.is_some() {
                sheet.formula(
                    row,
                    5,
                    &format!("={}-{}", at(row, 2), proven.value),
                    line.value - proven.value,
                    Look::Small,
                )?;
            }
        }
        row += 1;
    }
    debug_assert_eq!(
        row,
        zero + 1,
        "the table has the rows that its formulas name"
    );
    sheet.spread(
        row,
        (0, 10),
        &format!(
            "Volatility index at {}, two-sided, of the gross return given the trigger. Drift of the counter {} a spin. {}",
            super::super::format::level(exact.volatility_index.level),
            exact.drift_per_spin,
            exact.method
        ),
        Look::Note,
    )?;
    let _ = (deviation, edge, index);
    let place = |row, value| (remote(NAME, row, 2), value);
    Ok((
        row + 1,
        Place {
            trigger,
            probability: place(probability, p),
            wager_returned: place(wager, returned),
            other_return: place(other, others),
            mean: place(mean, meter.value),
            std_dev: place(deviation, std_dev),
            rtp: place(rtp, total),
            hit_frequency: place(hit, hit_value.value),
            volatility: place(index, volatility),
        },
    ))
}

/// Figures under each cap, where there are any; returns the row after them.
fn capped(sheet: &mut Sheet<'_>, row: u32, exact: &ExactTrigger) -> Result<u32, XlsxError> {
    let under_distribution = exact
        .distribution
        .iter()
        .flat_map(|distribution| &distribution.capped)
        .map(|cap| {
            (
                cap.stake,
                &cap.max_meter,
                cap.mean_meter,
                cap.rtp,
                "distribution",
            )
        });
    let under_inequality = exact.stakes.iter().map(|stake| {
        (
            Some(stake.stake),
            &stake.max_meter,
            stake.mean_meter,
            stake.rtp,
            "two moments",
        )
    });
    let lines: Vec<_> = under_distribution.chain(under_inequality).collect();
    if lines.is_empty() {
        return Ok(row);
    }
    sheet.text(
        row + 1,
        0,
        &format!("{} Wonderspins: under a cap", exact.trigger),
        Look::Heading,
    )?;
    sheet.header(
        row + 2,
        0,
        &[
            "Cap of",
            "Meter capped at (wagers)",
            "Mean meter (wagers)",
            "Lower bound",
            "Upper bound",
            "Overall RTP",
            "Bounds by",
            "Lower bound",
            "Upper bound",
        ],
    )?;
    let mut row = row + 3;
    for (stake, cap, mean, rtp, method) in lines {
        let name = stake.map_or_else(
            || "every round".to_owned(),
            |stake| format!("a stake of {stake}"),
        );
        sheet.text(row, 0, &name, Look::Text)?;
        sheet.text(row, 1, cap, Look::Count)?;
        enclosure(sheet, row, 2, &mean)?;
        sheet.number(row, 5, rtp.value, Look::Percent)?;
        sheet.text(row, 6, method, Look::Inset)?;
        sheet.number(row, 7, rtp.lower, Look::Percent)?;
        sheet.number(row, 8, rtp.upper, Look::Percent)?;
        row += 1;
    }
    Ok(row)
}
