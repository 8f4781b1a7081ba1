//! The `distribution` of a trigger in `wonderspins/exact/1`, and the `joint` figures of both triggers.

use serde::{Deserialize, Serialize};

use super::EnclosureJson;
use crate::exact::distribution::{
    AcceptanceBand, Distribution, DistributionError, Joint, Quantile,
};
use crate::exact::{Enclosure, Exact, returns};
use crate::paytable::Paytable;

/// Level of the acceptance bands, two-sided.
const BAND_LEVEL: f64 = 0.99;
/// Rounds of the acceptance bands.
const BAND_ROUNDS: [u64; 4] = [1_000, 10_000, 1_000_000, 100_000_000];

/// A number with proven bounds, a bound that is not known being left out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BoundsJson {
    /// Best single value.
    pub value: f64,
    /// Proven lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// Proven upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
}

impl From<Enclosure> for BoundsJson {
    fn from(enclosure: Enclosure) -> Self {
        let known = |bound: f64| bound.is_finite().then_some(bound);
        Self {
            value: enclosure.value(),
            lower: known(enclosure.lower()),
            upper: known(enclosure.upper()),
        }
    }
}

/// A quantile of the meter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuantileJson {
    /// The level p.
    pub p: f64,
    /// The least meter x with P(meter <= x) >= p, by the law listed scaled to mass 1.
    pub meter: u64,
    /// The true quantile is not below this.
    pub lower: u64,
    /// The true quantile is not above this; absent where the law listed does not reach p.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<u64>,
}

impl From<Quantile> for QuantileJson {
    fn from(quantile: Quantile) -> Self {
        Self {
            p: quantile.p,
            meter: quantile.meter,
            lower: quantile.lower,
            upper: quantile.upper,
        }
    }
}

/// P(meter >= x).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExceedanceJson {
    /// The meter x.
    pub meter: u64,
    /// Its probability, between proven bounds.
    #[serde(flatten)]
    pub probability: EnclosureJson,
    /// Odds: one round in so many.
    pub one_in: f64,
    /// Proven bounds of the odds.
    pub one_in_bounds: BoundsJson,
}

/// Where the mean of many rounds lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BandJson {
    /// Number of rounds.
    pub rounds: String,
    /// The sum of their meters lies in the band with at least this probability, and outside on either side with at
    /// most half of the rest.
    pub level: f64,
    /// Least sum of the band.
    pub lower_sum: String,
    /// Largest sum of the band.
    pub upper_sum: String,
    /// Least mean of the band.
    pub lower_mean: f64,
    /// Largest mean of the band.
    pub upper_mean: f64,
    /// `transform`, `normal` or `chebyshev`.
    pub method: String,
    /// Proven bound on the method's error in each tail; the band allows for it.
    pub error: f64,
}

impl From<AcceptanceBand> for BandJson {
    fn from(band: AcceptanceBand) -> Self {
        Self {
            rounds: band.rounds.to_string(),
            level: band.level,
            lower_sum: band.lower_sum.to_string(),
            upper_sum: band.upper_sum.to_string(),
            lower_mean: band.lower_mean,
            upper_mean: band.upper_mean,
            method: band.method.name().to_owned(),
            error: band.error,
        }
    }
}

/// Figures of the meter under a cap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CappedJson {
    /// The stake whose money cap it is; absent for `max_meter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stake: Option<u64>,
    /// The meter at which the win is capped, a fraction as text.
    pub max_meter: String,
    /// Mean of the capped meter.
    pub mean_meter: EnclosureJson,
    /// Variance of the capped meter.
    pub variance_meter: EnclosureJson,
    /// Overall gross return under the cap.
    pub rtp: EnclosureJson,
    /// Gross return given the trigger, under the cap.
    pub rtp_conditional: EnclosureJson,
}

/// The whole payout distribution with the bound on its error, capped where the paytable has `max_meter`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DistributionJson {
    /// Proven bound on the total-variation distance from the truth.
    pub total_variation_bound: f64,
    /// Proven upper bound of the probability that is not listed, apart from the rounding of `pmf`.
    pub missing_mass: f64,
    /// Mean of the law listed, scaled to mass 1; the figure of the other method is `mean_meter`.
    pub mean: f64,
    /// Variance of that law.
    pub variance: f64,
    /// Skewness of that law.
    pub skewness: f64,
    /// Kurtosis of that law, less 3.
    pub excess_kurtosis: f64,
    /// What this distribution proves about the true mean.
    pub mean_bounds: BoundsJson,
    /// The same for the variance.
    pub variance_bounds: BoundsJson,
    /// The same for the skewness.
    pub skewness_bounds: BoundsJson,
    /// The same for the excess kurtosis.
    pub excess_kurtosis_bounds: BoundsJson,
    /// Quantiles, ascending.
    pub quantiles: Vec<QuantileJson>,
    /// The first meters that are reached at most once in 10, 100, ... rounds, and the cap.
    pub exceedance: Vec<ExceedanceJson>,
    /// Where the mean of many rounds lies.
    pub acceptance_bands: Vec<BandJson>,
    /// Figures under `max_meter` and under the money cap of each stake of `[limits]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capped: Vec<CappedJson>,
    /// How it was computed.
    pub method: String,
    /// Probability of each meter from 0.
    pub pmf: Vec<f64>,
}

impl DistributionJson {
    /// The object of one distribution.
    ///
    /// # Arguments
    /// - `exact`: the figures of the same trigger of the same paytable
    ///
    /// # Errors
    /// - [`DistributionError::Contradiction`]: figures under a cap contradict those of the other method
    pub fn new(
        distribution: &Distribution,
        exact: &Exact,
        paytable: &Paytable,
    ) -> Result<Self, DistributionError> {
        let mut acceptance_bands = Vec::new();
        for rounds in BAND_ROUNDS {
            match distribution.acceptance_band(rounds, BAND_LEVEL) {
                Ok(band) => acceptance_bands.push(band.into()),
                Err(DistributionError::NoBand { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self {
            total_variation_bound: distribution.total_variation_bound,
            missing_mass: distribution.missing_mass,
            mean: distribution.mean.value(),
            variance: distribution.variance.value(),
            skewness: distribution.skewness.value(),
            excess_kurtosis: distribution.excess_kurtosis.value(),
            mean_bounds: distribution.mean.into(),
            variance_bounds: distribution.variance.into(),
            skewness_bounds: distribution.skewness.into(),
            excess_kurtosis_bounds: distribution.excess_kurtosis.into(),
            quantiles: distribution
                .quantiles
                .iter()
                .map(|&quantile| quantile.into())
                .collect(),
            exceedance: exceedance(distribution, paytable.rules.max_meter),
            acceptance_bands,
            capped: capped(distribution, exact, paytable)?,
            method: distribution.method.clone(),
            pmf: distribution.pmf.clone(),
        })
    }
}

/// Meters of falling probability, as far as the law listed says anything about them.
fn exceedance(distribution: &Distribution, cap: Option<u64>) -> Vec<ExceedanceJson> {
    let mut meters = Vec::new();
    let mut rarity = 0.1;
    while rarity > distribution.total_variation_bound && rarity > 1e-15 {
        meters.push(distribution.quantile(1.0 - rarity).meter.saturating_add(1));
        rarity /= 10.0;
    }
    meters.extend(cap);
    meters.sort_unstable();
    meters.dedup();
    meters
        .into_iter()
        .filter_map(|meter| {
            let probability = distribution.exceedance(meter);
            let one_in = distribution.one_in(meter);
            (probability.lower() > 0.0).then(|| ExceedanceJson {
                meter,
                probability: probability.into(),
                one_in: one_in.value(),
                one_in_bounds: one_in.into(),
            })
        })
        .collect()
}

fn capped(
    distribution: &Distribution,
    exact: &Exact,
    paytable: &Paytable,
) -> Result<Vec<CappedJson>, DistributionError> {
    let Some(terms) = paytable.terms(exact.trigger) else {
        return Ok(Vec::new());
    };
    let max_meter = paytable.rules.max_meter.map(|cap| (None, cap.into()));
    let stakes = exact
        .stakes
        .iter()
        .map(|stake| (Some(stake.stake), stake.cap.clone()));
    max_meter
        .into_iter()
        .chain(stakes)
        .map(|(stake, cap)| {
            let (mean, variance) = distribution.capped_moments(&cap)?;
            let returns = returns(
                paytable.payout,
                terms,
                mean,
                variance,
                exact.zero_probability,
            );
            Ok(CappedJson {
                stake,
                max_meter: cap.to_string(),
                mean_meter: mean.into(),
                variance_meter: variance.into(),
                rtp: returns.rtp.into(),
                rtp_conditional: returns.rtp_conditional.into(),
            })
        })
        .collect()
}

/// A wager of 1 on each trigger's bet, over one spin of the main wheel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JointJson {
    /// Number of bets, and so the total wagered.
    pub bets: usize,
    /// Probability that some bonus starts.
    pub trigger_probability: EnclosureJson,
    /// Expected gross return of all bets together.
    pub mean: EnclosureJson,
    /// Variance of what the bonuses bring back.
    pub variance: EnclosureJson,
    /// Its square root.
    pub std_dev: EnclosureJson,
    /// Covariance of the bets' returns from their bonuses, summed over the pairs.
    pub covariance: EnclosureJson,
    /// Whether nothing else brings a return, so that the variance is that of the whole return.
    pub variance_is_complete: bool,
}

impl JointJson {
    /// The figures of a paytable's bets, as far as the distributions sharpen them; `None` for a single bet.
    ///
    /// # Arguments
    /// - `exact`: the figures of every trigger
    /// - `distributions`: of the same triggers, in the same order
    #[must_use]
    pub fn new(
        exact: &[Exact],
        distributions: &[Distribution],
        paytable: &Paytable,
    ) -> Option<Self> {
        let bets: Vec<_> = exact
            .iter()
            .zip(distributions)
            .filter_map(|(exact, distribution)| {
                let terms = paytable.terms(exact.trigger)?;
                let returns = returns(
                    paytable.payout,
                    terms,
                    distribution.best_mean(),
                    distribution.best_variance(),
                    exact.zero_probability,
                );
                Some((terms, returns))
            })
            .collect();
        let bets: Vec<_> = bets
            .iter()
            .map(|(terms, returns)| (*terms, returns))
            .collect();
        let joint = Joint::new(&bets)?;
        Some(Self {
            bets: joint.bets,
            trigger_probability: joint.trigger_probability.into(),
            mean: joint.mean.into(),
            variance: joint.variance.into(),
            std_dev: joint.std_dev.into(),
            covariance: joint.covariance.into(),
            variance_is_complete: joint.is_complete,
        })
    }
}
