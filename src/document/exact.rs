//! Schema `wonderspins/exact/1`.

use dashu_ratio::RBig;
use serde::{Deserialize, Serialize};

use super::{ContributionsJson, DistributionJson, JointJson, PaytableId, Tool};
use crate::exact::{Enclosure, Exact, RationalEnclosure};
use crate::paytable::{PaytableFile, TriggerTerms};

/// A number between two proven bounds: `lower <= truth <= upper`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EnclosureJson {
    /// Best single value.
    pub value: f64,
    /// Proven lower bound.
    pub lower: f64,
    /// Proven upper bound.
    pub upper: f64,
}

impl From<Enclosure> for EnclosureJson {
    fn from(enclosure: Enclosure) -> Self {
        Self {
            value: enclosure.value(),
            lower: enclosure.lower(),
            upper: enclosure.upper(),
        }
    }
}

/// An enclosure with the fraction behind it where the value is rational and known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FractionJson {
    /// The bounds.
    #[serde(flatten)]
    pub enclosure: EnclosureJson,
    /// The exact value in lowest terms as text, for example `"108/35"` or `"2"`, of at most
    /// [`MAX_FRACTION_DIGITS`] characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
}

/// The longest fraction that a document gives, in characters; the bounds beside it are the
/// tightest there are even where the fraction is left out.
pub const MAX_FRACTION_DIGITS: usize = 2000;

impl FractionJson {
    fn new(enclosure: Enclosure, fraction: Option<&RBig>) -> Self {
        Self {
            enclosure: enclosure.into(),
            fraction: fraction
                .map(ToString::to_string)
                .filter(|text| text.len() <= MAX_FRACTION_DIGITS),
        }
    }
}

impl From<&RationalEnclosure> for FractionJson {
    fn from(number: &RationalEnclosure) -> Self {
        Self::new(number.enclosure(), number.fraction())
    }
}

/// A volatility index with its level and quantile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VolatilityJson {
    /// z times the standard deviation of the gross return given the trigger.
    #[serde(flatten)]
    pub enclosure: EnclosureJson,
    /// Two-sided level.
    pub level: f64,
    /// Normal quantile at the level.
    pub z: f64,
}

/// One part of the overall return, 5319.47(a)(8).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReturnPart {
    /// What the part is.
    pub part: String,
    /// Its contribution for each unit wagered.
    #[serde(flatten)]
    pub enclosure: EnclosureJson,
}

/// Probability that a round has a given number of spins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpinsProbability {
    /// Number of spins.
    pub spins: u32,
    /// Its probability.
    #[serde(flatten)]
    pub enclosure: EnclosureJson,
}

/// Figures under the money cap of one stake.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StakeJson {
    /// The stake.
    pub stake: u64,
    /// The meter at which its win is capped.
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

/// The exact figures of one trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExactTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// Expected meter, capped where the paytable caps it.
    pub mean_meter: FractionJson,
    /// Variance of the meter.
    pub variance_meter: FractionJson,
    /// Standard deviation of the meter.
    pub std_dev_meter: EnclosureJson,
    /// Probability of a meter above zero.
    pub hit_frequency: FractionJson,
    /// Expected spins of a round.
    pub mean_spins: FractionJson,
    /// Variance of the spins of a round.
    pub variance_spins: FractionJson,
    /// Overall gross return for each unit wagered on this bet; the wager's return is in it.
    pub rtp: EnclosureJson,
    /// Gross return given the trigger; the wager's return is in it.
    pub rtp_conditional: EnclosureJson,
    /// Net win given the trigger: the gross return less the wager.
    pub net_win_conditional: EnclosureJson,
    /// One less the overall gross return.
    pub house_edge: EnclosureJson,
    /// Standard deviation of the gross return given the trigger.
    pub std_dev_gross: EnclosureJson,
    /// Volatility index.
    pub volatility_index: VolatilityJson,
    /// Expected change of the counter in one spin, as a fraction.
    pub drift_per_spin: String,
    /// Probability of the trigger, as a fraction.
    pub trigger_probability: String,
    /// Return from other main-wheel outcomes, as a fraction.
    pub other_return: String,
    /// The parts of the overall return; they add up to `rtp`.
    pub rtp_parts: Vec<ReturnPart>,
    /// Expected meter without the cap.
    pub uncapped_mean_meter: FractionJson,
    /// Variance of the meter without the cap.
    pub uncapped_variance_meter: FractionJson,
    /// Distribution of the number of spins, ascending.
    pub spins_distribution: Vec<SpinsProbability>,
    /// Probability of more spins than the distribution lists.
    pub spins_tail: EnclosureJson,
    /// Figures for each stake of `[limits]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stakes: Vec<StakeJson>,
    /// Where the mean meter without the cap comes from; `exact` alone gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributions: Option<ContributionsJson>,
    /// How the figures were computed and what their bounds rest on.
    pub method: String,
    /// The payout distribution, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<DistributionJson>,
}

impl ExactTrigger {
    /// The entry of one result.
    ///
    /// # Arguments
    /// - `terms`: of the same trigger
    #[must_use]
    pub fn new(exact: &Exact, terms: &TriggerTerms) -> Self {
        let returns = &exact.returns;
        let fractions = &exact.fractions;
        let mut spins_distribution = Vec::new();
        for (spins, &probability) in (1_u32..).zip(&exact.spins.probabilities) {
            if probability.upper() > 0.0 {
                spins_distribution.push(SpinsProbability {
                    spins,
                    enclosure: probability.into(),
                });
            }
        }
        Self {
            trigger: exact.trigger.number(),
            mean_meter: FractionJson::new(exact.mean_meter, fractions.mean_meter.as_ref()),
            variance_meter: FractionJson::new(
                exact.variance_meter,
                fractions.variance_meter.as_ref(),
            ),
            std_dev_meter: exact.std_dev_meter.into(),
            hit_frequency: FractionJson::new(exact.hit_frequency, fractions.hit_frequency.as_ref()),
            mean_spins: FractionJson::new(exact.mean_spins, fractions.mean_spins.as_ref()),
            variance_spins: FractionJson::new(
                exact.variance_spins,
                fractions.variance_spins.as_ref(),
            ),
            rtp: returns.rtp.into(),
            rtp_conditional: returns.rtp_conditional.into(),
            net_win_conditional: returns.net_mean.into(),
            house_edge: returns.house_edge.into(),
            std_dev_gross: returns.gross_std_dev.into(),
            volatility_index: VolatilityJson {
                enclosure: returns.volatility_index.index.into(),
                level: returns.volatility_index.level,
                z: returns.volatility_index.z,
            },
            drift_per_spin: exact.drift.to_string(),
            trigger_probability: terms.probability().to_string(),
            other_return: terms.other_return.to_string(),
            rtp_parts: returns
                .parts
                .iter()
                .map(|(part, contribution)| ReturnPart {
                    part: part.name().to_owned(),
                    enclosure: contribution.enclosure().into(),
                })
                .collect(),
            uncapped_mean_meter: FractionJson::new(
                exact.uncapped_mean_meter,
                fractions.uncapped_mean_meter.as_ref(),
            ),
            uncapped_variance_meter: FractionJson::new(
                exact.uncapped_variance_meter,
                fractions.uncapped_variance_meter.as_ref(),
            ),
            spins_distribution,
            spins_tail: exact.spins.tail.into(),
            stakes: exact
                .stakes
                .iter()
                .map(|stake| StakeJson {
                    stake: stake.stake,
                    max_meter: stake.cap.to_string(),
                    mean_meter: stake.mean_meter.into(),
                    variance_meter: stake.variance_meter.into(),
                    rtp: stake.returns.rtp.into(),
                    rtp_conditional: stake.returns.rtp_conditional.into(),
                })
                .collect(),
            contributions: None,
            method: exact.method.to_string(),
            distribution: None,
        }
    }
}

/// `exact --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExactDocument {
    /// `wonderspins/exact/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// One entry for each trigger, ascending.
    pub triggers: Vec<ExactTrigger>,
    /// Both bets on one main-wheel spin, with the distribution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointJson>,
}

impl ExactDocument {
    /// The document of the given results.
    #[must_use]
    pub fn new(file: &PaytableFile, results: &[Exact]) -> Self {
        Self {
            schema: "wonderspins/exact/1".to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            triggers: results
                .iter()
                .filter_map(|exact| {
                    let terms = file.paytable.terms(exact.trigger)?;
                    let mut entry = ExactTrigger::new(exact, terms);
                    entry.contributions = ContributionsJson::new(exact, &file.paytable);
                    Some(entry)
                })
                .collect(),
            joint: None,
        }
    }
}
