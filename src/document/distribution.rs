//! The `distribution` of a trigger in `wonderspins/exact/1`.

use serde::{Deserialize, Serialize};

use super::EnclosureJson;
use crate::exact::distribution::Distribution;

/// Levels of the quantiles that a document lists, where the bound leaves them a meaning.
const LEVELS: [f64; 8] = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999];

/// A quantile of the meter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuantileJson {
    /// The level p.
    pub p: f64,
    /// The least meter x with P(meter <= x) >= p, by the probabilities listed.
    pub meter: u64,
    /// The least that it can be for a law within the bound.
    pub lower: u64,
    /// The most that it can be for a law within the bound.
    pub upper: u64,
}

/// P(meter >= x).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExceedanceJson {
    /// The meter x.
    pub meter: u64,
    /// Its probability, between the bounds that the total variation leaves.
    #[serde(flatten)]
    pub probability: EnclosureJson,
    /// Odds: one round in so many.
    pub one_in: f64,
}

/// The whole payout distribution with the bound on its error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DistributionJson {
    /// Proven bound on the total-variation distance from the truth.
    pub total_variation_bound: f64,
    /// One less the sum of the probabilities listed; 0 where they add up to more, which is
    /// part of the error that the bound covers.
    pub missing_mass: f64,
    /// Mean of the law listed; the figure with proven bounds is `mean_meter`.
    pub mean: f64,
    /// Variance of the law listed.
    pub variance: f64,
    /// Skewness of the law listed.
    pub skewness: f64,
    /// Kurtosis of the law listed, less 3.
    pub excess_kurtosis: f64,
    /// Mean that the law listed lacks against the exact one; absent where a cap cuts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_first_moment: Option<f64>,
    /// Second moment that the law listed lacks; absent where a cap cuts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_second_moment: Option<f64>,
    /// Quantiles, ascending.
    pub quantiles: Vec<QuantileJson>,
    /// The first meters that are reached at most once in 10, 100, ... rounds.
    pub exceedance: Vec<ExceedanceJson>,
    /// How it was computed.
    pub method: String,
    /// Probability of each meter from 0.
    pub pmf: Vec<f64>,
}

impl From<&Distribution> for DistributionJson {
    fn from(distribution: &Distribution) -> Self {
        let bound = distribution.total_variation_bound;
        let quantiles = LEVELS
            .into_iter()
            .filter_map(|p| {
                let (lower, upper) = distribution.quantile_range(p);
                Some(QuantileJson {
                    p,
                    meter: distribution.quantile(p)?,
                    lower,
                    upper: upper?,
                })
            })
            .collect();
        let mut exceedance = Vec::new();
        let mut rarity = 0.1;
        // Beyond the bound a probability says nothing.
        while rarity > bound {
            let Some(meter) = distribution.quantile(1.0 - rarity).map(|meter| meter + 1) else {
                break;
            };
            let probability = distribution.exceedance(meter);
            if probability.value() <= 0.0 {
                break;
            }
            exceedance.push(ExceedanceJson {
                meter,
                probability: probability.into(),
                one_in: distribution.one_in(meter),
            });
            rarity /= 10.0;
        }
        Self {
            total_variation_bound: bound,
            missing_mass: distribution.missing_mass,
            mean: distribution.mean,
            variance: distribution.variance,
            skewness: distribution.skewness,
            excess_kurtosis: distribution.excess_kurtosis,
            missing_first_moment: distribution.missing_first_moment,
            missing_second_moment: distribution.missing_second_moment,
            quantiles,
            exceedance,
            method: distribution.method.clone(),
            pmf: distribution.pmf.clone(),
        }
    }
}
