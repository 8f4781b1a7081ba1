//! Schema `wonderspins/sensitivity/1`.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::{EnclosureJson, PaytableId, Tool};
use crate::analysis::sensitivity::{Extreme, Sensitivity};
use crate::exact::SectionDerivative;
use crate::paytable::PaytableFile;

/// The convention of every derivative, as the document states it.
const CONVENTION: &str = "weight moved to the section from all sections of its wheel in proportion";

/// One section of a wheel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SectionJson {
    /// Number of the section, clockwise from 1.
    pub section: usize,
    /// What it shows.
    pub name: String,
    /// Its probability, as a fraction.
    pub probability: String,
    /// Derivative of the mean meter.
    pub mean_meter: EnclosureJson,
    /// Derivative of the overall return for each unit wagered.
    pub rtp: EnclosureJson,
}

/// An extreme wheel of a bias.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtremeJson {
    /// Overall return at this wheel.
    pub rtp: EnclosureJson,
    /// Mean meter at this wheel.
    pub mean_meter: EnclosureJson,
    /// What the derivatives at the paytable's own wheel predict.
    pub first_order_rtp: f64,
    /// Weights of the outer sections, clockwise.
    pub weights: Vec<u64>,
    /// Linearisations made.
    pub steps: u32,
    /// Whether the last one left the wheel as it was.
    pub settled: bool,
}

impl From<&Extreme> for ExtremeJson {
    fn from(extreme: &Extreme) -> Self {
        Self {
            rtp: extreme.rtp.into(),
            mean_meter: extreme.mean_meter.into(),
            first_order_rtp: extreme.first_order_rtp,
            weights: extreme.weights.clone(),
            steps: extreme.steps,
            settled: extreme.is_settled,
        }
    }
}

/// Both extreme wheels of a bias.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtremesJson {
    /// Largest relative change of a section's probability, as a fraction.
    pub bias: String,
    /// What the extremes are.
    pub meaning: String,
    /// The smallest return found.
    pub lowest: ExtremeJson,
    /// The largest return found.
    pub highest: ExtremeJson,
}

/// The sensitivity of one trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SensitivityTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// Expected meter, without `max_meter`.
    pub mean_meter: EnclosureJson,
    /// Overall return, without `max_meter`.
    pub rtp: EnclosureJson,
    /// Outer sections, clockwise.
    pub outer: Vec<SectionJson>,
    /// Inner sections, clockwise.
    pub inner: Vec<SectionJson>,
    /// Only with a bias.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extremes: Option<ExtremesJson>,
}

/// `sensitivity --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SensitivityDocument {
    /// `wonderspins/sensitivity/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// The direction of every derivative.
    pub convention: String,
    /// The payout cap, which the figures leave out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_meter_left_out: Option<u64>,
    /// One entry for each trigger, ascending.
    pub triggers: Vec<SensitivityTrigger>,
}

impl SensitivityDocument {
    /// The document of the given results.
    #[must_use]
    pub fn new(file: &PaytableFile, results: &[Sensitivity]) -> Self {
        let paytable = &file.paytable;
        Self {
            schema: "wonderspins/sensitivity/1".to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            convention: CONVENTION.to_owned(),
            max_meter_left_out: paytable.rules.max_meter,
            triggers: results
                .iter()
                .map(|result| {
                    let derivatives = &result.derivatives;
                    SensitivityTrigger {
                        trigger: derivatives.trigger.number(),
                        mean_meter: derivatives.mean_meter.into(),
                        rtp: derivatives.rtp.into(),
                        outer: sections(&paytable.outer_wheel.sections, &derivatives.outer),
                        inner: sections(&paytable.inner_wheel.sections, &derivatives.inner),
                        extremes: result.extremes.as_ref().map(|extremes| ExtremesJson {
                            bias: extremes.bias.to_string(),
                            meaning: "optimum of the linearisation at the wheel itself, \
                                      evaluated exactly at that wheel"
                                .to_owned(),
                            lowest: (&extremes.lowest).into(),
                            highest: (&extremes.highest).into(),
                        }),
                    }
                })
                .collect(),
        }
    }
}

fn sections<S: Display>(names: &[S], derivatives: &[SectionDerivative]) -> Vec<SectionJson> {
    names
        .iter()
        .zip(derivatives)
        .enumerate()
        .map(|(index, (name, derivative))| SectionJson {
            section: index + 1,
            name: name.to_string(),
            probability: derivative.probability.to_string(),
            mean_meter: derivative.mean_meter.into(),
            rtp: derivative.rtp.into(),
        })
        .collect()
}
