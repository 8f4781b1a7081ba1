//! What shards of one run have in common.

use std::sync::Arc;

use super::fault::Foreign;
use crate::document::ResultPlan;
use crate::engine::RunPlan;
use crate::paytable::PaytableFile;
use crate::rules::Trigger;

/// A run: everything that decides its result, and the text of its paytable.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The paytable.
    pub file: Arc<PaytableFile>,
    /// The plan, the same for each trigger.
    pub plan: ResultPlan,
    /// The triggers, ascending; at least one.
    pub triggers: Vec<Trigger>,
}

/// What is compared of a run, as text.
type Of = fn(&Run) -> String;

impl Run {
    /// The first difference, as found here and expected.
    #[must_use]
    pub fn difference(&self, wanted: &Self) -> Option<Foreign> {
        let compared: [(&'static str, Of); 9] = [
            ("paytable", |run| run.file.paytable.sha256()),
            ("paytable file", |run| run.file.file_sha256.clone()),
            ("generator", |run| run.plan.generator.clone()),
            ("seed", |run| run.plan.seed.clone()),
            ("origin of the seed", |run| run.plan.seed_origin.clone()),
            ("number of rounds", |run| run.plan.rounds.to_string()),
            ("number of watched rounds", |run| {
                run.plan.detail_rounds.to_string()
            }),
            ("confidence level", |run| {
                run.plan.confidence_level.to_string()
            }),
            ("choice of triggers", |run| {
                let numbers: Vec<String> = run.triggers.iter().map(ToString::to_string).collect();
                numbers.join(" and ")
            }),
        ];
        compared
            .into_iter()
            .map(|(what, of)| (what, of(self), of(wanted)))
            .find(|(_, found, expected)| found != expected)
            .map(|(what, found, expected)| Foreign {
                what,
                found,
                expected,
            })
    }

    /// The plan for its first trigger, which fixes the batches of all.
    ///
    /// # Panics
    /// Never for a run that was read or played: its plan was carried out.
    #[must_use]
    pub fn run_plan(&self) -> RunPlan {
        let plan = self.plan.run_plan(self.triggers[0]);
        plan.expect("the plan was carried out before")
    }
}
