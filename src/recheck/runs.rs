//! Leaves as the simulations that they add up to.

use super::RecheckError;
use crate::commitment::SideFile;
use crate::document::Certificate;
use crate::engine::{
    self, Detail, EngineError, EngineKind, Generator, Leaf, MAX_ROUNDS, RunPlan, Simulation, Tally,
    leaves_in,
};
use crate::paytable::{Paytable, PaytableFile};
use crate::rules::Trigger;

/// The simulations of a certificate, or what is wrong with the leaves.
///
/// # Errors
/// [`RecheckError::Plan`]
pub(super) fn simulations(
    certificate: &Certificate,
    file: &PaytableFile,
    leaves: &SideFile,
) -> Result<Result<Vec<Simulation>, String>, RecheckError> {
    let stated: Vec<u32> = certificate.triggers.iter().map(|of| of.trigger).collect();
    let found: Vec<u32> = leaves.triggers.iter().map(|of| of.trigger).collect();
    if stated != found {
        return Ok(Err(format!(
            "the certificate has the triggers {stated:?}, the file of leaves {found:?}"
        )));
    }
    let mut simulations = Vec::new();
    for of in &leaves.triggers {
        let trigger = Trigger::ALL
            .into_iter()
            .find(|trigger| trigger.number() == of.trigger)
            .filter(|&trigger| file.paytable.terms(trigger).is_some());
        let Some(trigger) = trigger else {
            return Ok(Err(format!("the paytable has no trigger {}", of.trigger)));
        };
        let plan = plan(certificate, trigger)?;
        match simulation(&file.paytable, plan, &of.leaves) {
            Ok(simulation) => simulations.push(simulation),
            Err(fault) => return Ok(Err(format!("{trigger} Wonderspins: {fault}"))),
        }
    }
    Ok(Ok(simulations))
}

/// The plan that a certificate states, where this program can carry it out.
fn plan(certificate: &Certificate, trigger: Trigger) -> Result<RunPlan, RecheckError> {
    let stated = &certificate.plan;
    let fault = |key, found: String, expected: String| {
        Err(RecheckError::Plan {
            key,
            found,
            expected,
        })
    };
    if !(2..=MAX_ROUNDS).contains(&stated.rounds) {
        return fault(
            "rounds",
            stated.rounds.to_string(),
            format!("a number in [2, {MAX_ROUNDS}]"),
        );
    }
    if stated.engine_specification != engine::SPECIFICATION_VERSION {
        return fault(
            "engine_specification",
            stated.engine_specification.to_string(),
            engine::SPECIFICATION_VERSION.to_string(),
        );
    }
    let Some(generator) = Generator::ALL
        .into_iter()
        .find(|generator| generator.name() == stated.generator)
    else {
        let names: Vec<_> = Generator::ALL
            .iter()
            .map(|of| format!("`{}`", of.name()))
            .collect();
        return fault("generator", stated.generator.clone(), names.join(" or "));
    };
    let Ok(seed) = stated.seed.parse() else {
        return fault(
            "seed",
            stated.seed.clone(),
            "a number below 2^64".to_owned(),
        );
    };
    Ok(RunPlan {
        trigger,
        seed,
        generator,
        rounds: stated.rounds,
        engine: EngineKind::Auto,
        detail_rounds: stated.detail_rounds,
    })
}

fn simulation(paytable: &Paytable, plan: RunPlan, leaves: &[Leaf]) -> Result<Simulation, String> {
    let batches = 0..plan.batches();
    let ranges: Vec<_> = leaves_in(plan.leaf_batches(), &batches).collect();
    if ranges.len() != leaves.len() {
        return Err(format!(
            "there are {} leaves, expected {} for {} rounds",
            leaves.len(),
            ranges.len(),
            plan.rounds
        ));
    }
    let (mut tally, mut detail) = (Tally::new(), Detail::new(paytable));
    for (index, (leaf, range)) in leaves.iter().zip(&ranges).enumerate() {
        let mut add = || -> Result<(), EngineError> {
            let results = leaf.results(paytable, &plan, range)?;
            tally.merge(&results.tally)?;
            detail.merge(&results.detail)
        };
        add().map_err(|fault| format!("leaf {index} cannot be one of the run: {fault}"))?;
    }
    Ok(Simulation {
        plan,
        tally,
        detail,
        batches,
        leaves: leaves.to_vec(),
        is_partial: false,
        engine: EngineKind::Auto,
        fallback: None,
    })
}
