//! The figures of a trigger: exact, simulated, declared, and the parts of the return.

use serde::Serialize;

use crate::document::{
    Certificate, CertificateTrigger, CheckVerdict, EnclosureJson, EstimateJson, ExactTrigger,
    RtpBand, SimulateTrigger,
};
use crate::report::ReportError;
use crate::report::figures::{self, Drawn, Figure, Law};
use crate::report::format::{bounds, enclosed, enclosed_percent, figure, grouped, level, percent};

/// A dash where there is nothing to show.
const NONE: &str = "–";

/// One figure on both sides, and as declared.
#[derive(Serialize)]
pub(super) struct FigureRow {
    name: &'static str,
    exact: String,
    width: String,
    simulated: String,
    std_error: String,
    interval: String,
    difference: String,
    declared: String,
    declared_difference: String,
    verdict: Option<CheckVerdict>,
}

#[derive(Serialize)]
pub(super) struct PartRow {
    name: String,
    value: String,
    percent: String,
}

/// The bands of one number of wagers, by ascending level.
#[derive(Serialize)]
pub(super) struct BandRow {
    plays: String,
    bands: Vec<String>,
}

/// The draws of one wheel: number, what it shows, probability, share, draws, standard errors.
#[derive(Serialize)]
pub(super) struct WheelTable {
    name: &'static str,
    rows: Vec<[String; 6]>,
}

/// Everything of one trigger.
#[derive(Serialize)]
pub(super) struct TriggerView<'a> {
    number: u32,
    name: String,
    verdict: CheckVerdict,
    run: String,
    wager: String,
    figures: Vec<FigureRow>,
    parts: Vec<PartRow>,
    stakes: Vec<[String; 6]>,
    quantiles: Option<String>,
    exceedance: Vec<[String; 4]>,
    spins: Vec<[String; 5]>,
    wheels: Vec<WheelTable>,
    band_levels: Vec<String>,
    bands: Vec<BandRow>,
    band_method: Option<&'a str>,
    plots: Vec<Plot>,
}

/// A figure for the template.
#[derive(Serialize)]
struct Plot {
    id: String,
    svg: String,
    caption: String,
}

impl From<Figure> for Plot {
    fn from(figure: Figure) -> Self {
        let Figure { id, svg, caption } = figure;
        Self { id, svg, caption }
    }
}

/// The triggers of a certificate.
pub(super) fn triggers(certificate: &Certificate) -> Result<Vec<TriggerView<'_>>, ReportError> {
    certificate
        .triggers
        .iter()
        .zip(
            certificate
                .exact
                .triggers
                .iter()
                .zip(&certificate.simulated.triggers),
        )
        .map(|(trigger, (exact, simulated))| view(certificate, trigger, exact, simulated))
        .collect()
}

fn view<'a>(
    certificate: &'a Certificate,
    trigger: &CertificateTrigger,
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Result<TriggerView<'a>, ReportError> {
    let bands: Vec<&RtpBand> = certificate
        .exact
        .rtp_bands
        .iter()
        .filter(|band| band.trigger == trigger.trigger)
        .collect();
    let (band_levels, band_rows) = band_table(&bands);
    let plots = figures::of_trigger(certificate, trigger.trigger)?;
    Ok(TriggerView {
        number: trigger.trigger,
        name: format!("{} Wonderspins", trigger.trigger),
        verdict: trigger.verdict,
        run: format!(
            "{} rounds played, {} spins, largest meter {} in round {}; drift of the counter {} a spin.",
            grouped(&simulated.rounds.to_string()),
            grouped(&simulated.spins),
            grouped(&simulated.max_meter.to_string()),
            grouped(&simulated.max_round.to_string()),
            exact.drift_per_spin
        ),
        wager: format!(
            "For one unit wagered on {} Wonderspins: trigger probability {}; the return is gross, so a wager that \
             comes back is in it. House edge {}, volatility index {} at {} (z = {}).",
            trigger.trigger,
            exact.trigger_probability,
            enclosed_percent(&exact.house_edge, 6),
            enclosed(&exact.volatility_index.enclosure, 7),
            level(exact.volatility_index.level),
            figure(exact.volatility_index.z, 5)
        ),
        figures: figure_rows(certificate, exact, simulated),
        parts: parts(exact),
        stakes: stakes(exact),
        quantiles: quantiles(exact),
        exceedance: exceedance(exact),
        spins: spins(exact, simulated),
        wheels: wheels(certificate, simulated),
        band_levels,
        bands: band_rows,
        band_method: bands.first().map(|band| band.method.as_str()),
        plots: plots.into_iter().map(Into::into).collect(),
    })
}

/// Key, name, exact value and estimate of every figure that has a row; the key is that of a
/// declared figure, and with hyphens that of its check.
type Figures<'a> = [(
    &'static str,
    &'static str,
    EnclosureJson,
    Option<&'a EstimateJson>,
); 8];

fn all_figures<'a>(exact: &ExactTrigger, simulated: &'a SimulateTrigger) -> Figures<'a> {
    [
        (
            "rtp",
            "overall RTP (gross)",
            exact.rtp,
            Some(&simulated.rtp),
        ),
        (
            "rtp_conditional",
            "gross return given the trigger",
            exact.rtp_conditional,
            Some(&simulated.rtp_conditional),
        ),
        (
            "mean_meter",
            "mean meter",
            exact.mean_meter.enclosure,
            Some(&simulated.mean_meter),
        ),
        (
            "variance_meter",
            "variance of the meter",
            exact.variance_meter.enclosure,
            Some(&simulated.variance_meter),
        ),
        (
            "std_dev_meter",
            "standard deviation of the meter",
            exact.std_dev_meter,
            None,
        ),
        (
            "hit_frequency",
            "hit frequency",
            exact.hit_frequency.enclosure,
            Some(&simulated.hit_frequency),
        ),
        (
            "mean_spins",
            "mean spins",
            exact.mean_spins.enclosure,
            Some(&simulated.mean_spins),
        ),
        (
            "volatility_index",
            "volatility index",
            exact.volatility_index.enclosure,
            None,
        ),
    ]
}

fn figure_rows(
    certificate: &Certificate,
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Vec<FigureRow> {
    let mut rows: Vec<FigureRow> = all_figures(exact, simulated)
        .into_iter()
        .map(|(key, name, value, estimate)| {
            let (declared, declared_difference) = declared(certificate, exact.trigger, key);
            FigureRow {
                name,
                exact: enclosed(&value, 10),
                width: bounds(&value),
                simulated: estimate.map_or(NONE.to_owned(), |it| figure(it.estimate, 8)),
                std_error: estimate.map_or(String::new(), |it| figure(it.std_error, 2)),
                interval: estimate.map_or(String::new(), |it| {
                    format!("{} to {}", figure(it.lower, 8), figure(it.upper, 8))
                }),
                difference: estimate.map_or(NONE.to_owned(), |it| difference(&value, it)),
                declared,
                declared_difference,
                verdict: verdict(certificate, exact.trigger, key),
            }
        })
        .collect();
    let key = "max_meter";
    let largest = certificate
        .declared
        .iter()
        .find(|entry| entry.trigger == exact.trigger && entry.figure == key);
    let (declared, declared_difference) = declared(certificate, exact.trigger, key);
    rows.push(FigureRow {
        name: "largest meter",
        exact: largest.map_or(NONE.to_owned(), |entry| entry.exact.clone()),
        width: String::new(),
        simulated: grouped(&simulated.max_meter.to_string()),
        std_error: String::new(),
        interval: String::new(),
        difference: NONE.to_owned(),
        declared,
        declared_difference,
        verdict: verdict(certificate, exact.trigger, key),
    });
    rows
}

/// Simulated less exact, from the nearest proven bound, with its size in standard errors.
fn difference(exact: &EnclosureJson, estimate: &EstimateJson) -> String {
    let distance = estimate.estimate - estimate.estimate.clamp(exact.lower, exact.upper);
    if estimate.std_error > 0.0 {
        format!(
            "{} ({:+.2} SE)",
            signed(distance),
            distance / estimate.std_error
        )
    } else {
        signed(distance)
    }
}

fn signed(value: f64) -> String {
    let text = figure(value, 3);
    if value > 0.0 {
        format!("+{text}")
    } else {
        text
    }
}

/// What was declared for a figure, and how far it is off.
fn declared(certificate: &Certificate, trigger: u32, key: &str) -> (String, String) {
    certificate
        .declared
        .iter()
        .find(|entry| entry.trigger == trigger && entry.figure == key)
        .map_or_else(
            || (NONE.to_owned(), NONE.to_owned()),
            |entry| {
                let difference = entry.difference.map_or(NONE.to_owned(), signed);
                (entry.declared.clone(), difference)
            },
        )
}

/// The worst verdict of the checks of a figure; `None` where there is none.
fn verdict(certificate: &Certificate, trigger: u32, key: &str) -> Option<CheckVerdict> {
    let id = key.replace('_', "-");
    let declared = format!("declared-{id}");
    certificate
        .checks
        .iter()
        .filter(|check| check.trigger == Some(trigger) && (check.id == id || check.id == declared))
        .map(|check| check.verdict)
        .reduce(CheckVerdict::and)
}

fn parts(exact: &ExactTrigger) -> Vec<PartRow> {
    let row = |name: String, value: &EnclosureJson| PartRow {
        name,
        value: enclosed(value, 12),
        percent: enclosed_percent(value, 6),
    };
    let mut rows: Vec<PartRow> = exact
        .rtp_parts
        .iter()
        .map(|part| row(part.part.clone(), &part.enclosure))
        .collect();
    rows.push(row("overall RTP".to_owned(), &exact.rtp));
    rows
}

fn stakes(exact: &ExactTrigger) -> Vec<[String; 6]> {
    exact
        .stakes
        .iter()
        .map(|stake| {
            [
                grouped(&stake.stake.to_string()),
                grouped(&stake.max_meter),
                figure(stake.mean_meter.lower, 9),
                figure(stake.mean_meter.upper, 9),
                percent(stake.rtp.lower, 6),
                percent(stake.rtp.upper, 6),
            ]
        })
        .collect()
}

fn quantiles(exact: &ExactTrigger) -> Option<String> {
    let quantiles = &exact.distribution.as_ref()?.quantiles;
    let listed: Vec<String> = quantiles
        .iter()
        .filter_map(|quantile| {
            let meter = match quantile.upper? {
                upper if upper == quantile.lower => grouped(&upper.to_string()),
                upper => format!("a value from {} to {upper}", quantile.lower),
            };
            Some(format!("{} at {}", meter, level(quantile.p)))
        })
        .collect();
    (!listed.is_empty()).then(|| {
        format!(
            "Quantiles of the meter, the least value that so many rounds do not pass: {}.",
            listed.join(", ")
        )
    })
}

fn exceedance(exact: &ExactTrigger) -> Vec<[String; 4]> {
    let entries = exact.distribution.iter().flat_map(|law| &law.exceedance);
    entries
        .map(|entry| {
            let odds = entry.one_in_bounds;
            [
                grouped(&entry.meter.to_string()),
                odds_text(entry.one_in),
                odds.lower.map_or(NONE.to_owned(), odds_text),
                odds.upper.map_or("not bounded".to_owned(), odds_text),
            ]
        })
        .collect()
}

/// Odds to six significant digits, with their thousands apart.
fn odds_text(value: f64) -> String {
    let text = figure(value, 6);
    let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
    match (whole.bytes().all(|byte| byte.is_ascii_digit()), places) {
        (true, "") => grouped(whole),
        (true, places) if places.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{}.{places}", grouped(whole))
        }
        _ => text,
    }
}

/// What was drawn of each section of both wheels; nothing where no rounds were watched.
fn wheels(certificate: &Certificate, simulated: &SimulateTrigger) -> Vec<WheelTable> {
    let detail = simulated.detail.as_ref();
    let table = |name, drawn: Vec<Drawn>| WheelTable {
        name,
        rows: drawn
            .iter()
            .filter_map(|section| {
                let (drawn, _) = section.seen?;
                Some([
                    section.number.to_string(),
                    section.shows.clone(),
                    percent(section.probability, 4),
                    percent(section.share()?, 4),
                    grouped(&drawn.to_string()),
                    section
                        .standard_errors()
                        .map_or(NONE.to_owned(), |errors| format!("{errors:+.2}")),
                ])
            })
            .collect(),
    };
    let wheels = &certificate.wheels;
    [
        table(
            "outer",
            figures::drawn(&wheels.outer, detail, |spin| &spin.outer),
        ),
        table(
            "inner",
            figures::drawn(&wheels.inner, detail, |spin| &spin.inner),
        ),
    ]
    .into_iter()
    .filter(|table| !table.rows.is_empty())
    .collect()
}

/// Least probability that has a row of its own; the CSV lists every number of spins.
const SPINS_ROW: f64 = 1e-5;

fn spins(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Vec<[String; 5]> {
    let law = Law::of_spins(exact, simulated);
    let share = |value: f64| format!("{value:.4e}");
    let mut rows = Vec::new();
    let (mut rest, mut rest_rounds, mut first) = (exact.spins_tail.value, 0, None);
    for bin in &law.bins {
        let probability = bin.law.map_or(0.0, |[value, ..]| value);
        if probability >= SPINS_ROW && first.is_none() {
            rows.push([
                bin.from.to_string(),
                share(probability),
                share(bin.share(law.played)),
                grouped(&bin.rounds.to_string()),
                bin.residual(law.played)
                    .map_or(NONE.to_owned(), |residual| format!("{residual:+.2}")),
            ]);
        } else if probability < SPINS_ROW && rows.is_empty() && bin.rounds == 0 {
            // Numbers that cannot occur before the first that can.
        } else {
            first.get_or_insert(bin.from);
            rest += probability;
            rest_rounds += bin.rounds;
        }
    }
    if let Some(first) = first {
        rows.push([
            format!("{first} or more"),
            share(rest),
            share(figures::float(rest_rounds) / figures::float(law.played.max(1))),
            grouped(&rest_rounds.to_string()),
            NONE.to_owned(),
        ]);
    }
    rows
}

/// The bands of a trigger as a table: its levels, and a row for each number of wagers.
fn band_table(bands: &[&RtpBand]) -> (Vec<String>, Vec<BandRow>) {
    let mut levels: Vec<f64> = bands.iter().map(|band| band.level).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let mut plays: Vec<u64> = bands.iter().map(|band| band.plays).collect();
    plays.sort_unstable();
    plays.dedup();
    let cell = |plays: u64, level: f64| {
        bands
            .iter()
            .find(|band| band.plays == plays && band.level.total_cmp(&level).is_eq())
            .map_or(NONE.to_owned(), |band| {
                format!("{} to {}", percent(band.lower, 4), percent(band.upper, 4))
            })
    };
    let rows = plays
        .iter()
        .map(|&plays| BandRow {
            plays: grouped(&plays.to_string()),
            bands: levels.iter().map(|&level| cell(plays, level)).collect(),
        })
        .collect();
    (levels.into_iter().map(level).collect(), rows)
}
