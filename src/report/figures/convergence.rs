//! The running mean of the meter inside the band that its exact law allows.

use super::canvas::{Role, Sheet};
use super::chart::{Axis, ChartError, Mark, Panel, power_of_ten};
use super::grouped_count;
use super::law::{count, float};
use crate::document::{ConvergencePoint, EnclosureJson, ExactTrigger, SimulateTrigger};
use crate::report::format::{figure, level};

/// The mean of the reported meter and its standard deviation: the proof that is finer, where
/// both methods of the exact side give one.
pub(crate) fn best_moments(exact: &ExactTrigger) -> (EnclosureJson, f64) {
    let width = |value: &EnclosureJson| value.upper - value.lower;
    let (mut mean, mut deviation) = (exact.mean_meter.enclosure, exact.std_dev_meter);
    let capped = exact
        .distribution
        .iter()
        .flat_map(|distribution| &distribution.capped);
    for figures in capped.filter(|figures| figures.stake.is_none()) {
        if width(&figures.mean_meter) < width(&mean) {
            mean = figures.mean_meter;
        }
        let root = |value: f64| value.max(0.0).sqrt();
        let variance = figures.variance_meter;
        let other = EnclosureJson {
            value: root(variance.value),
            lower: root(variance.lower),
            upper: root(variance.upper),
        };
        if width(&other) < width(&deviation) {
            deviation = other;
        }
    }
    (mean, deviation.upper.max(deviation.value))
}

/// The run beside its exact law.
struct Run<'a> {
    mean: EnclosureJson,
    deviation: f64,
    /// Standard errors on either side that the band allows.
    z: f64,
    points: Vec<&'a ConvergencePoint>,
}

impl<'a> Run<'a> {
    fn new(
        exact: &ExactTrigger,
        simulated: &SimulateTrigger,
        points: &'a [ConvergencePoint],
    ) -> Self {
        let (mean, deviation) = best_moments(exact);
        let estimate = &simulated.mean_meter;
        // The interval of the run's mean is z standard errors to either side.
        let z = if estimate.std_error > 0.0 {
            (estimate.upper - estimate.lower) / (2.0 * estimate.std_error)
        } else {
            0.0
        };
        Self {
            mean,
            deviation,
            z,
            points: points.iter().filter(|point| point.rounds > 0).collect(),
        }
    }

    /// Half the width of the band, beside that of the proof.
    fn half(&self, rounds: f64) -> f64 {
        self.z * self.deviation / rounds.sqrt()
    }

    /// Rounds and mean of each point.
    fn running(&self) -> Vec<(f64, f64)> {
        let points = self.points.iter();
        points
            .map(|point| {
                let rounds = float(point.rounds);
                (rounds, signed(&point.sum_meter) / rounds)
            })
            .collect()
    }

    /// Rounds, and distance of the mean from the exact one in standard errors.
    fn standardised(&self) -> Vec<(f64, f64)> {
        self.running()
            .into_iter()
            .map(|(rounds, value)| {
                let distance = value - value.clamp(self.mean.lower, self.mean.upper);
                let error = self.deviation / rounds.sqrt();
                (rounds, if error > 0.0 { distance / error } else { 0.0 })
            })
            .collect()
    }

    fn texts(&self) -> Vec<(f64, String)> {
        self.running()
            .into_iter()
            .zip(self.standardised())
            .zip(&self.points)
            .map(|(((rounds, value), (_, distance)), point)| {
                let text = format!(
                    "after {} rounds: mean {}, exact {}, {distance:+.2} standard errors, band ±{}",
                    grouped_count(point.rounds),
                    figure(value, 8),
                    figure(self.mean.value, 8),
                    figure(self.half(rounds), 3)
                );
                (rounds, text)
            })
            .collect()
    }

    fn description(&self, confidence: f64) -> String {
        let standardised = self.standardised();
        let outside = standardised
            .iter()
            .filter(|(_, value)| value.abs() > self.z)
            .count();
        let rounds = |point: Option<&&ConvergencePoint>| {
            grouped_count(point.map_or(0, |point| point.rounds))
        };
        format!(
            "Mean meter of the first rounds of the run at {} places from {} to {} rounds, and the band of {} standard \
             errors around the exact mean {}; {outside} places lie outside. Each place alone lies outside with \
             probability {}; neighbours share most of their rounds. Below, the same distance in standard errors.",
            standardised.len(),
            rounds(self.points.first()),
            rounds(self.points.last()),
            figure(self.z, 4),
            figure(self.mean.value, 8),
            level(1.0 - confidence)
        )
    }
}

/// The running mean, and below it its distance from the exact mean in standard errors.
pub(super) fn convergence(
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
    points: &[ConvergencePoint],
) -> Result<String, ChartError> {
    let run = Run::new(exact, simulated, points);
    let (mean, confidence) = (run.mean, simulated.mean_meter.level);
    let running = run.running();
    let first = running.first().map_or(1.0, |(rounds, _)| *rounds);
    let last = running.last().map_or(10.0, |(rounds, _)| *rounds);
    let reach = running
        .iter()
        .map(|(_, value)| (value - mean.value).abs())
        .fold(run.half(first), f64::max)
        * 1.1;
    let axis = || Axis::log("rounds from the first", first, last, power_of_ten);
    let sheet = Sheet::new(400);
    let band_name = format!("exact band at {}", level(confidence));
    let mut panel = Panel::new(
        &sheet,
        (0.0, 260.0),
        (
            axis(),
            Axis::linear(
                "mean meter (wagers)",
                mean.value - reach,
                mean.value + reach,
            ),
        ),
        &[
            (Mark::Bar, Role::Exact, &band_name),
            (Mark::Line, Role::Exact, "exact mean"),
            (Mark::Ring, Role::Simulated, "running mean"),
        ],
    )?;
    let band: Vec<_> = (0..=60_u32)
        .map(|index| first * (last / first).powf(f64::from(index) / 60.0))
        .map(|rounds| {
            let half = run.half(rounds);
            (rounds, mean.lower - half, mean.upper + half)
        })
        .collect();
    panel.band(Role::Exact, 0.25, &band)?;
    panel.level(Role::Exact, 1.6, mean.value)?;
    panel.line(Role::Simulated, 1.2, &running)?;
    panel.rings(Role::Simulated, 2.0, &running)?;

    let standardised = run.standardised();
    let most = standardised
        .iter()
        .map(|(_, value)| value.abs())
        .fold((run.z * 1.2).max(1.0), f64::max);
    let mut below = Panel::new(
        &sheet,
        (264.0, 396.0),
        (
            axis(),
            Axis::linear("standard errors", -most * 1.05, most * 1.05),
        ),
        &[],
    )?;
    below.level(Role::Soft, 1.0, 0.0)?;
    below.level(Role::Limit, 0.8, run.z)?;
    below.level(Role::Limit, 0.8, -run.z)?;
    below.line(Role::Simulated, 1.2, &standardised)?;
    below.rings(Role::Simulated, 2.0, &standardised)?;
    panel.columns(Some(&below), &run.texts());
    Ok(sheet.finish(
        &format!("convergence-{}", exact.trigger),
        &format!(
            "Convergence of the mean meter, {} Wonderspins",
            exact.trigger
        ),
        &run.description(confidence),
    ))
}

/// A sum of the document; sums of meters pass 2^64 in the longest runs.
fn signed(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| float(count(text)))
}
