//! A certificate from a paytable and its simulations, everything else computed anew.

use super::{CertificateParts, VerifyError, certify, return_splits};
use crate::document::Certificate;
use crate::engine::{Seed, Simulation};
use crate::exact::distribution::{
    Distribution, DistributionError, DistributionOptions, distributions,
};
use crate::exact::{self, Exact};
use crate::paytable::PaytableFile;
use crate::regulation::{self, ClauseFinding};
use crate::rules::Trigger;

/// What can be known of a paytable before a round is played.
#[derive(Debug, Clone)]
pub struct Theory {
    /// The exact figures of the triggers asked for, ascending.
    pub exact: Vec<Exact>,
    /// Their payout distributions, or why they were refused.
    pub distributions: Result<Vec<Distribution>, DistributionError>,
    /// The clauses with their findings, which concern the whole paytable.
    pub findings: Vec<ClauseFinding>,
}

impl Theory {
    /// Computes it.
    ///
    /// # Arguments
    /// - `triggers`: of the paytable, ascending
    ///
    /// # Errors
    /// - [`VerifyError::Exact`]: a figure is out of reach
    /// - [`VerifyError::Distribution`]: two methods contradict each other
    pub fn compute(file: &PaytableFile, triggers: &[Trigger]) -> Result<Self, VerifyError> {
        let mut exact = exact::solve_all(&file.paytable)?;
        let findings = regulation::judge_with(&file.paytable, &return_splits(&exact));
        exact.retain(|exact| triggers.contains(&exact.trigger));
        let options = DistributionOptions::default();
        let distributions = match distributions(&file.paytable, &exact, &options) {
            Err(fault @ DistributionError::Contradiction { .. }) => return Err(fault.into()),
            found => found,
        };
        Ok(Self {
            exact,
            distributions,
            findings,
        })
    }
}

/// What a certificate is made with, apart from theory and runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms<'a> {
    /// The seed of the simulations.
    pub seed: &'a Seed,
    /// Confidence level of the intervals, in (0, 1).
    pub level: f64,
    /// Family-wise error rate of all tests together, in (0, 1).
    pub alpha: f64,
    /// Whether a clause that waits for a declaration counts against the verdict.
    pub strict: bool,
    /// Time of creation, where it is fixed from outside.
    pub created: Option<String>,
}

/// The sealed certificate and the bytes of its side file.
///
/// # Arguments
/// - `simulations`: of the triggers of the theory, in the same order, each complete
///
/// # Errors
/// Those of [`certify`]
pub fn assemble(
    file: &PaytableFile,
    theory: &Theory,
    simulations: &[Simulation],
    terms: &Terms<'_>,
) -> Result<(Certificate, Vec<u8>), VerifyError> {
    certify(&CertificateParts {
        file,
        findings: &theory.findings,
        exact: &theory.exact,
        distributions: theory.distributions.as_deref(),
        simulations,
        seed: terms.seed,
        level: terms.level,
        alpha: terms.alpha,
        strict: terms.strict,
        created: terms.created.clone(),
    })
}
