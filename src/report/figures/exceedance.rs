//! How rarely a meter is reached: P(meter >= x), exact against simulated.

use super::canvas::{Role, Sheet};
use super::chart::{Axis, ChartError, Mark, Panel};
use super::law::{Law, float};
use super::{grouped_count, percentage};
use crate::document::{ExactTrigger, SimulateTrigger};
use crate::report::format::{figure, grouped};

/// Rarest odds that the axis goes to.
const RAREST: f64 = 1e-8;
/// Most places of the curve.
const PLACES: usize = 300;

/// A place of the curve.
struct Place {
    meter: u64,
    /// Best value, lower and upper bound.
    law: Option<[f64; 3]>,
    /// Rounds that reached it.
    rounds: u64,
}

/// The curve with a mark at one in ten, one in a hundred and so on.
pub(super) fn exceedance(
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Result<String, ChartError> {
    let law = Law::of_meter(exact, simulated);
    let places = places(&law);
    let proven: &[_] = exact
        .distribution
        .as_ref()
        .map_or(&[], |distribution| &distribution.exceedance);
    let one = 1.0 / float(law.played.max(1));
    let rarest = proven
        .iter()
        .map(|entry| entry.probability.value)
        .chain([one])
        .fold(0.1, f64::min)
        .max(RAREST)
        / 3.0;
    let sheet = Sheet::new(340);
    let last = places.last().map_or(1.0, |place| float(place.meter));
    let x = Axis::linear("meter x (wagers)", 0.0, last * 1.02);
    let y = Axis::log("rounds with a meter of at least x", rarest, 1.0, one_in);
    let mut series = vec![(Mark::Ring, Role::Simulated, "simulated")];
    if law.has_law() {
        series.insert(
            0,
            (
                Mark::Line,
                Role::Exact,
                "exact, shaded between proven bounds",
            ),
        );
    }
    let mut panel = Panel::new(&sheet, (0.0, 336.0), (x, y), &series)?;
    let area: Vec<_> = places
        .iter()
        .filter_map(|place| {
            let [_, lower, upper] = place.law?;
            Some((float(place.meter), lower, upper))
        })
        .collect();
    if area.len() > 1 {
        panel.band(Role::Exact, 0.18, &area)?;
    }
    let line: Vec<_> = places
        .iter()
        .filter_map(|place| {
            let [value, lower, upper] = place.law?;
            (value >= rarest && upper - lower <= value).then(|| (float(place.meter), value))
        })
        .collect();
    panel.line(Role::Exact, 1.8, &line)?;
    let points: Vec<_> = places
        .iter()
        .filter(|place| place.rounds > 0)
        .step_by((places.len() / 90).max(1))
        .map(|place| (float(place.meter), float(place.rounds) * one))
        .collect();
    panel.rings(Role::Simulated, 2.2, &points)?;
    panel.columns(None, &texts(&places, law.played));
    for entry in proven
        .iter()
        .filter(|entry| entry.probability.value >= rarest)
    {
        let text = format!(
            "meter {} or more: one round in {}, proven between {} and {}",
            entry.meter,
            figure(entry.one_in, 6),
            entry
                .one_in_bounds
                .lower
                .map_or("0".to_owned(), |bound| figure(bound, 6)),
            entry
                .one_in_bounds
                .upper
                .map_or("any number".to_owned(), |bound| figure(bound, 6))
        );
        diamond(
            &sheet,
            panel.on_sheet((float(entry.meter), entry.probability.value)),
            &text,
        );
    }
    let mut description = format!(
        "Probability that a round of {} Wonderspins ends with a meter of at least x, on a logarithmic scale, exact and over {} simulated rounds.",
        exact.trigger,
        grouped_count(law.played)
    );
    for entry in proven {
        description.push_str(&format!(
            " A meter of {} or more comes once in {} rounds.",
            entry.meter,
            figure(entry.one_in, 4)
        ));
    }
    Ok(sheet.finish(
        &format!("exceedance-{}", exact.trigger),
        &format!(
            "How rarely a meter is reached, {} Wonderspins",
            exact.trigger
        ),
        &description,
    ))
}

/// A proven point of the curve.
fn diamond(sheet: &Sheet, (x, y): (f64, f64), text: &str) {
    use super::canvas::short;
    sheet.push(&format!(
        "<path d=\"M{} {}l4.5 4.5l-4.5 4.5l-4.5-4.5Z\" {}><title>{}</title></path>",
        short(x),
        short(y - 4.5),
        Role::Exact.fill(1.0),
        crate::report::dial::escaped(text)
    ));
}

fn texts(places: &[Place], played: u64) -> Vec<(f64, String)> {
    let text = |place: &Place| {
        let mut text = format!("meter {} or more:", place.meter);
        if let Some([value, lower, upper]) = place.law {
            text.push_str(&if upper - lower <= value && value > 0.0 {
                format!(
                    " exact {}, one round in {},",
                    percentage(value),
                    figure(1.0 / value, 4)
                )
            } else {
                format!(
                    " exact between {} and {},",
                    percentage(lower),
                    percentage(upper)
                )
            });
        }
        text + &format!(
            " simulated {} ({} rounds)",
            percentage(float(place.rounds) / float(played.max(1))),
            grouped_count(place.rounds)
        )
    };
    places
        .iter()
        .map(|place| (float(place.meter), text(place)))
        .collect()
}

/// Sums from the tail, thinned so that the picture stays small.
fn places(law: &Law) -> Vec<Place> {
    let one = 1.0 / float(law.played.max(1));
    let (mut value, mut lower, mut rounds) = (0.0, 0.0, 0);
    let mut all = Vec::new();
    for bin in law.bins.iter().rev() {
        if let Some([p, low, _]) = bin.law {
            value += p;
            lower += low;
        }
        rounds += bin.rounds;
        // The far end of the law says nothing that could be seen.
        if rounds > 0 || value > (one / 3.0).max(RAREST / 3.0) {
            let upper = (value + law.left_out).min(1.0);
            all.push(Place {
                meter: bin.from,
                law: bin.law.map(|_| [value, lower, upper]),
                rounds,
            });
        }
    }
    all.reverse();
    let every = all.len().div_ceil(PLACES).max(1);
    let last = all.len().saturating_sub(1);
    all.into_iter()
        .enumerate()
        .filter(|(index, _)| index % every == 0 || *index == last)
        .map(|(_, place)| place)
        .collect()
}

fn one_in(power: i32) -> String {
    match power {
        0 => "every".to_owned(),
        _ => format!(
            "1 in {}",
            grouped(&10_u64.saturating_pow(power.unsigned_abs()).to_string())
        ),
    }
}
