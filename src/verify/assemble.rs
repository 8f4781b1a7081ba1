//! A certificate from a paytable and its simulations, everything else computed anew.

use super::{CertificateParts, Settings, VerifyError, certify, rare_payouts, return_splits};
use crate::document::Certificate;
use crate::engine::{Seed, Simulation};
use crate::exact::distribution::{
    Distribution, DistributionError, DistributionOptions, distributions,
};
use crate::exact::{self, Exact};
use crate::paytable::PaytableFile;
use crate::regulation::{Evidence, ProfileFile};
use crate::rules::Trigger;

/// What can be known of a paytable before a round is played.
#[derive(Debug, Clone)]
pub struct Theory {
    /// The exact figures of the triggers asked for, ascending.
    pub exact: Vec<Exact>,
    /// Their payout distributions, or why they were refused.
    pub distributions: Result<Vec<Distribution>, DistributionError>,
    /// What the clauses rest on beside the paytable, but for what a run shows.
    pub evidence: Evidence,
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
        let splits = return_splits(&file.paytable, &exact);
        exact.retain(|exact| triggers.contains(&exact.trigger));
        let options = DistributionOptions::default();
        let distributions = match distributions(&file.paytable, &exact, &options) {
            Err(fault @ DistributionError::Contradiction { .. }) => return Err(fault.into()),
            found => found,
        };
        let evidence = Evidence {
            splits,
            payouts: rare_payouts(&file.paytable, distributions.as_deref()),
            ..Evidence::default()
        };
        Ok(Self {
            exact,
            distributions,
            evidence,
        })
    }
}

/// What a certificate is made with, apart from theory and runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms<'a> {
    /// The seed of the simulations.
    pub seed: &'a Seed,
    /// Levels and limits.
    pub settings: Settings,
    /// The limits of a jurisdiction or standard, where the paytable is held against one.
    pub profile: Option<&'a ProfileFile>,
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
        evidence: &theory.evidence,
        exact: &theory.exact,
        distributions: theory.distributions.as_deref(),
        simulations,
        seed: terms.seed,
        settings: terms.settings,
        profile: terms.profile,
        strict: terms.strict,
        created: terms.created.clone(),
    })
}
