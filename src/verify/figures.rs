//! Estimates from the integer results of a simulation.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use thiserror::Error;

use crate::document::{DetailJson, EstimateJson, HistogramEntry, SimulateTrigger, SpinsEntry};
use crate::engine::{EngineError, Simulation, Tally};
use crate::exact::ExactError;
use crate::exact::distribution::DistributionError;
use crate::paytable::{Payout, TriggerTerms};
use crate::stats::{Estimate, Moments, StatsError};

/// Why a comparison could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A statistic is not defined, for example with fewer than two rounds.
    #[error("the statistics of the run are not defined")]
    Stats(#[from] StatsError),
    /// The exact side could not be computed.
    #[error("the exact figures could not be computed")]
    Exact(#[from] ExactError),
    /// The results of the run contradict themselves.
    #[error("the results of the run are inconsistent")]
    Engine(#[from] EngineError),
    /// Two exact methods contradict each other.
    #[error("the payout distribution could not be given")]
    Distribution(#[from] DistributionError),
    /// Exact and simulated results are not of the same triggers.
    #[error("exact and simulated results are not of the same triggers")]
    Mismatch,
}

/// The estimates of one trigger, each with its standard error and interval.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedFigures {
    /// Rounds played, as a number for further estimates.
    pub rounds: f64,
    /// Mean of the reported meter.
    pub mean_meter: Estimate,
    /// Variance of the reported meter.
    pub variance_meter: Estimate,
    /// Share of rounds with a meter above zero.
    pub hit_frequency: Estimate,
    /// Mean spins of a round.
    pub mean_spins: Estimate,
    /// Gross return given the trigger.
    pub rtp_conditional: Estimate,
    /// Overall gross return: trigger probability times the conditional one, plus `other_return`.
    pub rtp: Estimate,
}

impl SimulatedFigures {
    /// The estimates from a tally.
    ///
    /// # Arguments
    /// - `level`: confidence level of the intervals, in (0, 1)
    ///
    /// # Accuracy
    /// Moments are exact rationals of the integer results, rounded once; what is
    /// statistical is in the standard errors.
    ///
    /// # Errors
    /// - [`StatsError`]: fewer than two rounds, or a level outside (0, 1)
    pub fn new(
        tally: &Tally,
        payout: Payout,
        terms: &TriggerTerms,
        level: f64,
    ) -> Result<Self, StatsError> {
        let meter = Moments::from_histogram(tally.histogram())?;
        let spins = Moments::from_histogram(tally.spins_histogram())?;
        let mut gross: BTreeMap<u64, u64> = BTreeMap::new();
        for (meter, rounds) in tally.histogram() {
            *gross.entry(payout.gross_return(meter)).or_default() += rounds;
        }
        let rtp_conditional = Estimate::mean(&Moments::from_histogram(gross)?, level)?;
        let rtp =
            rtp_conditional.affine(nearest(&terms.probability()), nearest(&terms.other_return))?;
        #[expect(clippy::cast_precision_loss, reason = "a factor of estimates")]
        let rounds = tally.rounds() as f64;
        Ok(Self {
            rounds,
            mean_meter: Estimate::mean(&meter, level)?,
            variance_meter: Estimate::variance(&meter, level)?,
            hit_frequency: Estimate::proportion(
                tally.rounds() - tally.zero_rounds(),
                tally.rounds(),
                level,
            )?,
            mean_spins: Estimate::mean(&spins, level)?,
            rtp_conditional,
            rtp,
        })
    }
}

impl SimulatedFigures {
    /// These estimates with intervals that hold together however often the run was looked
    /// at since `first_look` rounds.
    ///
    /// # Errors
    /// - [`StatsError`]: fewer rounds than at the first look
    pub fn sequential(self, rounds: u64, first_look: u64) -> Result<Self, StatsError> {
        let from_zero = (0.0, f64::INFINITY);
        let of = |estimate: Estimate, range| estimate.sequential(rounds, first_look, range);
        Ok(Self {
            rounds: self.rounds,
            mean_meter: of(self.mean_meter, from_zero)?,
            variance_meter: of(self.variance_meter, from_zero)?,
            hit_frequency: of(self.hit_frequency, (0.0, 1.0))?,
            mean_spins: of(self.mean_spins, from_zero)?,
            rtp_conditional: of(self.rtp_conditional, from_zero)?,
            rtp: of(self.rtp, from_zero)?,
        })
    }
}

/// The entry of a simulation in a document: its integers beside the estimates from them.
#[must_use]
pub fn simulate_trigger(simulation: &Simulation, figures: &SimulatedFigures) -> SimulateTrigger {
    entry(simulation, figures.slots().map(Into::into))
}

/// The same where there may be too few rounds for estimates.
#[must_use]
pub fn result_trigger(
    simulation: &Simulation,
    figures: Option<&SimulatedFigures>,
) -> SimulateTrigger<Option<EstimateJson>> {
    let none = [const { None }; 6];
    let slots = figures.map_or(none, |figures| {
        figures.slots().map(|estimate| Some(estimate.into()))
    });
    entry(simulation, slots)
}

impl SimulatedFigures {
    /// The estimates, in the order in which [`entry`] takes them.
    const fn slots(&self) -> [&Estimate; 6] {
        [
            &self.mean_meter,
            &self.variance_meter,
            &self.hit_frequency,
            &self.mean_spins,
            &self.rtp,
            &self.rtp_conditional,
        ]
    }
}

fn entry<E>(simulation: &Simulation, estimates: [E; 6]) -> SimulateTrigger<E> {
    let tally = &simulation.tally;
    let [
        mean_meter,
        variance_meter,
        hit_frequency,
        mean_spins,
        rtp,
        rtp_conditional,
    ] = estimates;
    SimulateTrigger {
        trigger: simulation.plan.trigger.number(),
        rounds: tally.rounds(),
        rounds_asked: simulation.plan.rounds,
        complete: !simulation.is_partial,
        seed: simulation.plan.seed.to_string(),
        generator: simulation.plan.generator.to_string(),
        sum_meter: tally.sum_meter().to_string(),
        sum_meter_squared: tally.sum_meter_squared().to_string(),
        sum_uncapped_meter: tally.uncapped_sum_meter().to_string(),
        sum_uncapped_meter_squared: tally.uncapped_sum_meter_squared().to_string(),
        zero_rounds: tally.zero_rounds().to_string(),
        spins: tally.spins().to_string(),
        max_meter: tally.max_meter(),
        max_round: tally.max_round().unwrap_or_default(),
        mean_meter,
        variance_meter,
        hit_frequency,
        mean_spins,
        rtp,
        rtp_conditional,
        digest: tally.digest(),
        histogram: entries(tally.histogram()),
        beyond_cap: entries(tally.beyond_cap()),
        spins_histogram: tally
            .spins_histogram()
            .map(|(spins, rounds)| SpinsEntry {
                spins,
                rounds: rounds.to_string(),
            })
            .collect(),
        detail: DetailJson::new(&simulation.detail),
    }
}

fn entries(histogram: impl Iterator<Item = (u64, u64)>) -> Vec<HistogramEntry> {
    histogram
        .map(|(meter, rounds)| HistogramEntry {
            meter,
            rounds: rounds.to_string(),
        })
        .collect()
}

fn nearest(value: &RBig) -> f64 {
    value.to_f64().value()
}
