//! Schema `wonderspins/solve/1`.

use serde::{Deserialize, Serialize};

use super::{EnclosureJson, PaytableId, Tool};
use crate::analysis::solve::{
    Candidate, JointSolution, Outcome, Parameter, Request, Solution, TriggerSolution, Vary, changed,
};
use crate::analysis::starts_text;
use crate::exact::RationalEnclosure;
use crate::paytable::{Decimal, Paytable, PaytableFile};

/// A value of the parameter; exactly one of the forms is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterJson {
    /// A shift, a start or a cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<i64>,
    /// The least factor of a step, as a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor_from: Option<String>,
    /// The least factor beyond the step, as a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor_to: Option<String>,
    /// `other_return` as a paytable takes it, to twelve places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<String>,
}

/// What a value gives for one bet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateRtp {
    /// 2 or 5.
    pub trigger: u32,
    /// The law of the starting multipliers with the value, as in `wonderspins/readings/1`.
    pub starting_multipliers: String,
    /// Overall gross return for each unit wagered on this bet.
    pub rtp: EnclosureJson,
}

/// A value of the parameter with what it gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateJson {
    /// The value.
    pub parameter: ParameterJson,
    /// One entry for each bet asked for.
    pub rtp: Vec<CandidateRtp>,
}

/// How one bet alone can meet the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolveTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// `met`, `bracketed`, `undecided` or `not-reachable`.
    pub status: String,
    /// The last value whose return is proved to be below the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<CandidateJson>,
    /// The first value whose return cannot be told from the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside_first: Option<CandidateJson>,
    /// The last such value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside_last: Option<CandidateJson>,
    /// The first value whose return is proved to be above the target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<CandidateJson>,
    /// `other_return`: bounds of the value that meets the target exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<EnclosureJson>,
    /// `other_return`: that value as a fraction, where it is known exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution_fraction: Option<String>,
    /// `other_return`: that value to twelve places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounded: Option<CandidateJson>,
    /// Out of reach: the least value, with the least return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowest: Option<CandidateJson>,
    /// Out of reach: the largest value, with the largest return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest: Option<CandidateJson>,
}

impl SolveTrigger {
    /// The values of the entry with what each is, in ascending order.
    #[must_use]
    pub fn candidates(&self) -> Vec<(&'static str, &CandidateJson)> {
        let all = [
            ("lowest", &self.lowest),
            ("below", &self.below),
            ("inside_first", &self.inside_first),
            ("inside_last", &self.inside_last),
            ("above", &self.above),
            ("rounded", &self.rounded),
            ("highest", &self.highest),
        ];
        let known = all.into_iter();
        known
            .filter_map(|(name, candidate)| Some((name, candidate.as_ref()?)))
            .collect()
    }
}

/// How several bets can meet the target together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolveJoint {
    /// `met`, `no-common-value` or `undecided`.
    pub status: String,
    /// The value with the least miss.
    pub nearest: CandidateJson,
    /// The largest distance of its returns from the target.
    pub gap: EnclosureJson,
}

/// `solve --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolveDocument {
    /// `wonderspins/solve/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// The parameter: `shift`, `scale`, `start:CHARACTER`, `other-return` or `cap`.
    pub vary: String,
    /// The overall return wanted, as it was given.
    pub target_rtp: String,
    /// The distance from it that is allowed, as it was given.
    pub tolerance: String,
    /// The answer for the one bet, or for all bets together: `met`, `bracketed`,
    /// `no-common-value`, `undecided` or `not-reachable`.
    pub status: String,
    /// Each bet alone, ascending.
    pub triggers: Vec<SolveTrigger>,
    /// All bets together, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<SolveJoint>,
}

impl SolveDocument {
    /// The document of an answer.
    ///
    /// # Arguments
    /// - `target`, `tolerance`: those of the request, as they were written
    #[must_use]
    pub fn new(
        file: &PaytableFile,
        request: &Request,
        (target, tolerance): (&Decimal, &Decimal),
        solution: &Solution,
    ) -> Self {
        let writer = Writer {
            paytable: &file.paytable,
            request,
        };
        let triggers = solution.triggers.iter();
        Self {
            schema: "wonderspins/solve/1".to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            vary: match request.vary {
                Vary::Shift => "shift".to_owned(),
                Vary::Scale => "scale".to_owned(),
                Vary::Start(character) => format!("start:{character}"),
                Vary::OtherReturn => "other-return".to_owned(),
                Vary::Cap => "cap".to_owned(),
            },
            target_rtp: target.text.clone(),
            tolerance: tolerance.text.clone(),
            status: solution.status.word().to_owned(),
            triggers: triggers.map(|solution| writer.trigger(solution)).collect(),
            joint: solution.joint.as_ref().map(|joint| writer.joint(joint)),
        }
    }
}

/// Turns values into entries.
struct Writer<'a> {
    paytable: &'a Paytable,
    request: &'a Request,
}

impl Writer<'_> {
    fn candidate(&self, candidate: &Candidate) -> CandidateJson {
        let Request { triggers, vary, .. } = self.request;
        let definition = changed(self.paytable, triggers, *vary, &candidate.parameter);
        let rtp = candidate.rtp.iter().map(|(trigger, rtp)| {
            let own = definition
                .triggers
                .iter()
                .find(|terms| terms.trigger == *trigger)
                .and_then(|terms| terms.starting_multipliers.as_ref());
            CandidateRtp {
                trigger: trigger.number(),
                starting_multipliers: starts_text(own.unwrap_or(&definition.starting_multipliers)),
                rtp: rtp.enclosure().into(),
            }
        });
        CandidateJson {
            parameter: parameter(&candidate.parameter),
            rtp: rtp.collect(),
        }
    }

    fn trigger(&self, solution: &TriggerSolution) -> SolveTrigger {
        let mut entry = SolveTrigger {
            trigger: solution.trigger.number(),
            status: solution.status.word().to_owned(),
            below: None,
            inside_first: None,
            inside_last: None,
            above: None,
            solution: None,
            solution_fraction: None,
            rounded: None,
            lowest: None,
            highest: None,
        };
        let optional = |candidate: &Option<Candidate>| {
            candidate
                .as_ref()
                .map(|candidate| self.candidate(candidate))
        };
        match &solution.outcome {
            Outcome::Bracket {
                below,
                inside,
                above,
            } => {
                entry.below = optional(below);
                entry.above = optional(above);
                if let Some((first, last)) = inside.as_deref() {
                    entry.inside_first = Some(self.candidate(first));
                    entry.inside_last = Some(self.candidate(last));
                }
            }
            Outcome::Solved { value, candidate } => {
                entry.solution = Some(value.enclosure().into());
                entry.solution_fraction = fraction(value);
                entry.rounded = Some(self.candidate(candidate));
            }
            Outcome::NotReachable { lowest, highest } => {
                entry.lowest = Some(self.candidate(lowest));
                entry.highest = Some(self.candidate(highest));
            }
        }
        entry
    }

    fn joint(&self, joint: &JointSolution) -> SolveJoint {
        SolveJoint {
            status: joint.status.word().to_owned(),
            nearest: self.candidate(&joint.nearest),
            gap: joint.gap.enclosure().into(),
        }
    }
}

/// The value itself where both bounds are it.
fn fraction(value: &RationalEnclosure) -> Option<String> {
    (value.lower == value.upper).then(|| value.value.to_string())
}

fn parameter(parameter: &Parameter) -> ParameterJson {
    let mut entry = ParameterJson {
        whole: None,
        factor_from: None,
        factor_to: None,
        decimal: None,
    };
    match parameter {
        Parameter::Whole(value) => entry.whole = Some(*value),
        Parameter::Factors { from, to } => {
            entry.factor_from = Some(from.to_string());
            entry.factor_to = Some(to.to_string());
        }
        Parameter::Fraction(value) => {
            let digits = crate::paytable::round_half_away(value, 12).to_string();
            // Never negative: `other_return` is at least 0.
            let digits = format!("{digits:0>13}");
            let (whole, places) = digits.split_at(digits.len() - 12);
            let text = format!("{whole}.{places}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            entry.decimal = Some(text.to_owned());
        }
    }
    entry
}
