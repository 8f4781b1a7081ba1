//! Leaves as the simulations that they add up to.

use super::RecheckError;
use crate::commitment::SideFile;
use crate::document::{Certificate, PlanFault, ResultPlan};
use crate::engine::{RunPlan, Simulation};
use crate::paytable::PaytableFile;
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
        let (batches, leaves) = (0..plan.batches(), of.leaves.clone());
        match Simulation::from_leaves(&file.paytable, &plan, batches, leaves) {
            Ok(simulation) => simulations.push(simulation),
            Err(fault) => return Ok(Err(format!("{trigger} Wonderspins: {fault}"))),
        }
    }
    Ok(Ok(simulations))
}

/// The plan that a certificate states, where this program can carry it out.
fn plan(certificate: &Certificate, trigger: Trigger) -> Result<RunPlan, RecheckError> {
    let fault = |PlanFault {
                     key,
                     found,
                     expected,
                 }| RecheckError::Plan {
        key,
        found,
        expected,
    };
    ResultPlan::from(&certificate.plan)
        .run_plan(trigger)
        .map_err(fault)
}
