//! The figures of a certificate as SVG, each complete in itself.
//!
//! Charts are laid out by `plotters` and written by a backend of our own: it gives every colour
//! a role that a page can restyle for dark screens, and asks no font of the machine, so that the
//! same certificate gives the same bytes everywhere. Every figure has a title, a description
//! for screen readers, and areas that show their values to a resting pointer without a script.
//! Series differ by shape and lightness and not by hue alone.
//!
//! | file | draws |
//! | --- | --- |
//! | `payouts` | the payout distribution on a linear and on a logarithmic scale, with residuals |
//! | `exceedance` | how rarely a meter is reached |
//! | `spins` | the number of spins of a round |
//! | `wheels` | both wheels with the draws of each section |
//! | `contributions` | what the return is made of |
//! | `convergence` | the running mean inside its band |
//! | `bands` | the return by number of wagers |
//! | `distribution` | what payouts and spins have in common |
//! | `sweep` | returns of many paytables against their deviations |
//! | `law` | a law beside counts, in bins |
//! | `chart` | axes and panels |
//! | `canvas` | the sheet, the roles of colours, and the backend |

mod bands;
mod canvas;
mod chart;
mod contributions;
mod convergence;
mod distribution;
mod exceedance;
mod law;
mod payouts;
mod spins;
mod sweep;
mod wheels;

use super::ReportError;
use super::format::{figure, grouped};
use crate::document::{Certificate, ExactTrigger, RtpBand, SimulateTrigger, SweepDocument, Wheels};

pub(super) use canvas::{Anchor, Role, Sheet, WIDTH as SHEET_WIDTH};
pub(super) use chart::ChartError;
pub(super) use contributions::splits;
pub(super) use law::{Law, float};
pub(super) use wheels::{Drawn, drawn};

/// A figure of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Identifier, unique in a certificate: `spins-2`. Identifiers inside the SVG begin with it.
    pub id: String,
    /// The SVG element, without an XML declaration.
    pub svg: String,
    /// What it shows and how to read it, a sentence or two.
    pub caption: String,
}

/// The figures of one trigger, in the order of a report; one whose data the certificate lacks
/// is left out.
///
/// # Errors
/// - [`ReportError::Figure`]: a chart could not be laid out
pub fn of_trigger(certificate: &Certificate, trigger: u32) -> Result<Vec<Figure>, ReportError> {
    let exact = certificate
        .exact
        .triggers
        .iter()
        .find(|entry| entry.trigger == trigger);
    let simulated = certificate
        .simulated
        .triggers
        .iter()
        .find(|entry| entry.trigger == trigger);
    let (Some(exact), Some(simulated)) = (exact, simulated) else {
        return Ok(Vec::new());
    };
    let mut figures = laws(exact, simulated)?;
    figures.extend(both_wheels(certificate, simulated));
    figures.extend(many_rounds(certificate, exact, simulated)?);
    figures.extend(parts(exact, simulated));
    Ok(figures)
}

/// The return of every paytable of a sweep against its standard deviation, a picture of its
/// own.
///
/// # Errors
/// - [`ReportError::Figure`]: the chart could not be laid out
pub fn of_sweep(document: &SweepDocument) -> Result<String, ReportError> {
    Ok(sweep::sweep(document)?)
}

fn named(name: &str, trigger: u32, svg: String, caption: impl Into<String>) -> Figure {
    Figure {
        id: format!("{name}-{trigger}"),
        svg,
        caption: caption.into(),
    }
}

/// Payouts on both scales, rare payouts, spins.
fn laws(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Result<Vec<Figure>, ReportError> {
    let trigger = exact.trigger;
    let residuals = "Below: standardised residuals of the bins with at least 10 expected rounds, counted from the \
                     nearest proven bound; dashed lines at 2 and 3.";
    let proof = exact.distribution.as_ref().map_or_else(
        || "Simulated alone: the certificate holds no exact payout distribution.".to_owned(),
        |law| {
            format!(
                "Where the odds are rarer than the {} that the exact distribution leaves unproven, only the shaded \
                 bound is known. Diamonds are proven odds.",
                figure(law.total_variation_bound, 2)
            )
        },
    );
    Ok(vec![
        named(
            "payouts-linear",
            trigger,
            payouts::on_linear_scale(exact, simulated)?,
            format!(
                "Payout distribution, linear scale, up to the meter that one round in 1,000 passes. {residuals}"
            ),
        ),
        named(
            "payouts-logarithmic",
            trigger,
            payouts::on_log_scale(exact, simulated)?,
            format!(
                "Payout distribution, logarithmic scale, up to the rarest payouts. {residuals}"
            ),
        ),
        named(
            "exceedance",
            trigger,
            exceedance::exceedance(exact, simulated)?,
            format!("How rarely a round pays a meter or more. {proof}"),
        ),
        named(
            "spins",
            trigger,
            spins::spins(exact, simulated)?,
            format!("Spins of a round, logarithmic scale. {residuals}"),
        ),
    ])
}

fn both_wheels(certificate: &Certificate, simulated: &SimulateTrigger) -> [Figure; 2] {
    let watched = simulated.detail.as_ref().map_or_else(
        || "No rounds of this run were watched spin by spin.".to_owned(),
        |detail| {
            format!(
                "Draws of the first {} rounds, all spins together; in brackets the distance from the probability in \
                 standard errors. Bars outward mean more draws than expected, inward fewer. The shares stand in a table below.",
                grouped_count(detail.rounds)
            )
        },
    );
    let Wheels { inner, outer } = &certificate.wheels;
    let trigger = simulated.trigger;
    [
        ("outer-wheel", "Outer", wheels::Kind::Outer, outer),
        ("inner-wheel", "Inner", wheels::Kind::Inner, inner),
    ]
    .map(|(id, name, kind, sections)| {
        named(
            id,
            trigger,
            wheels::wheel(trigger, kind, sections, simulated.detail.as_ref()),
            format!("{name} wheel, clockwise from the top. {watched}"),
        )
    })
}

/// Convergence of the run, and bands of the return.
fn many_rounds(
    certificate: &Certificate,
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Result<Vec<Figure>, ReportError> {
    let trigger = exact.trigger;
    let mut figures = Vec::new();
    let commitment = certificate
        .commitments
        .iter()
        .find(|entry| entry.trigger == trigger);
    let points = commitment.map_or(&[][..], |entry| &entry.convergence);
    if points.len() > 1 {
        figures.push(named(
            "convergence",
            trigger,
            convergence::convergence(exact, simulated, points)?,
            "The mean meter of the first rounds, at the ends of leaves that the certificate commits to. Below: the \
             same distance in standard errors, which has the same band everywhere.",
        ));
    }
    let own: Vec<&RtpBand> = certificate
        .exact
        .rtp_bands
        .iter()
        .filter(|band| band.trigger == trigger)
        .collect();
    if !own.is_empty() {
        figures.push(named(
            "bands",
            trigger,
            bands::bands(trigger, &exact.rtp, &own)?,
            "Where the overall return of so many wagers on this bet lies with the stated probability.",
        ));
    }
    Ok(figures)
}

fn parts(exact: &ExactTrigger, simulated: &SimulateTrigger) -> Option<Figure> {
    let parts = exact.contributions.as_ref()?;
    let uncapped = if exact.mean_meter.enclosure == exact.uncapped_mean_meter.enclosure {
        ""
    } else {
        " The parts are those of the meter before the cap."
    };
    Some(named(
        "contributions",
        exact.trigger,
        contributions::contributions(exact, simulated, parts),
        format!("Where the return from the meter comes from, in per cent of the wager.{uncapped}"),
    ))
}

/// A count with its thousands apart.
fn grouped_count(value: u64) -> String {
    grouped(&value.to_string())
}

/// A probability as a percentage with four significant digits.
fn percentage(value: f64) -> String {
    format!("{} %", figure(value * 100.0, 4))
}
