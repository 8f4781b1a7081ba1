//! Tests of a run against the exact figures of its trigger.
//!
//! | check | statistic | null law | file |
//! | --- | --- | --- | --- |
//! | `mean-meter`, `mean-uncapped-meter`, `mean-spins` | z | exact standard deviation | `moments` |
//! | `variance-meter`, `variance-uncapped-meter` | z | exact fourth central moment where one is bounded, else that of the run | `moments` |
//! | `hit-frequency` | binomial tail | exact probability of a zero meter | `payouts` |
//! | `payout-distribution` | least chi-square over the exact enclosure | bins of at least 10 expected rounds | `payouts` |
//! | `payout-cumulative` | Kolmogorov-Smirnov distance from the exact band | Kolmogorov law, conservative | `payouts` |
//! | `payout-tail` | binomial tail | exact probability of a meter chosen before the run | `payouts` |
//! | `largest-meter` | both tails of the largest meter | exact exceedance | `payouts` |
//! | `spins-distribution` | chi-square, bins of at least 10 expected rounds | exact distribution | `spins` |
//! | `lag-1-correlation` | z | exact variance, 1 over the number of pairs | `serial` |
//! | `draws-inner`, `draws-selected`, `draws-outer` | chi-square over the sections | the weights | `draws` |
//! | `largest-section-deviation` | least binomial tail times the number of sections | the weights | `draws` |
//! | `draws-by-spin-inner`, `-selected`, `-outer` | chi-square of a table | the same shares at every spin number | `draws` |
//!
//! A deviation is measured from the nearest end of the exact enclosure. A check that passes is
//! inconclusive all the same where the run was too small to be worth passing: its smallest
//! detectable deviation, at power 0.8 and with the width of the enclosure added, is above the
//! stated [requirement](super::requirement). Where the rarest outcome of a spin is expected
//! fewer than [`LEAST_EXPECTED`] times, the normal law is not believed and every z check is
//! inconclusive, whatever it shows.
//!
//! The payout checks are made where there is a payout distribution, the last eight where rounds
//! were watched one by one; a certificate says why where they are not.
//!
//! Under a payout cap the exact moments are known before the cap and only bounded after it.
//! The engine applies the cap to rounds that it also counts uncapped, so mean and variance
//! are tested uncapped, at full power, and the capped ones against their bounds.

mod draws;
mod moments;
mod payouts;
mod serial;
mod spins;

use super::VerifyError;
use super::power::Reach;
use super::rarity::{LEAST_EXPECTED, rarest_expected};
use crate::engine::{Detail, Tally};
use crate::exact::distribution::Distribution;
use crate::exact::{Enclosure, Exact};
use crate::paytable::Paytable;
use crate::rules::Clause;
use crate::stats::{NullRange, StatsError};

/// How many times [`LEAST_EXPECTED`] is needed where the error of a variance comes from the run
/// itself: error and variance then err together. Of 300 runs of `pa-693-6-capped` in which the
/// rarest outcome was expected 20 times, 7 instead of 3 had a p-value of at most 0.01.
const OWN_ERROR_FACTOR: f64 = 5.0;

/// A run and what it should have been.
#[derive(Debug, Clone, Copy)]
pub struct Played<'a> {
    /// The paytable.
    pub paytable: &'a Paytable,
    /// The exact figures of the trigger.
    pub exact: &'a Exact,
    /// Its payout distribution, capped where the paytable is.
    pub distribution: Option<&'a Distribution>,
    /// The results of the run.
    pub tally: &'a Tally,
    /// What its first rounds were made of; one without rounds counts as none.
    pub detail: Option<&'a Detail>,
}

impl Played<'_> {
    /// Rounds, for standard errors.
    fn rounds(&self) -> f64 {
        count(self.tally.rounds())
    }
}

/// A test before the correction for the number of tests.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericCheck {
    /// Identifier.
    pub id: &'static str,
    /// The clause behind the tested figure.
    pub clause: Clause,
    /// What is tested.
    pub hypothesis: String,
    /// The test statistic.
    pub statistic: f64,
    /// What the statistic is.
    pub method: String,
    /// Its p-value alone; `None` where the run is too small for the test.
    pub p_value: Option<f64>,
    /// What the test can see; `None` where the run is too small for the test.
    pub reach: Option<Reach>,
    /// The largest deviation that may go unseen, in the unit of the reach.
    pub requirement: f64,
    /// What was compared.
    pub evidence: String,
}

/// The tests of one trigger.
///
/// # Errors
/// - [`VerifyError::Stats`]: fewer than two rounds
pub fn cross_check(played: &Played<'_>) -> Result<Vec<NumericCheck>, VerifyError> {
    let mut checks = moments::meter(played)?;
    checks.push(payouts::hits(played)?);
    if let Some(distribution) = played.distribution {
        checks.extend(payouts::checks(played, distribution)?);
    }
    checks.push(moments::spins(played)?);
    checks.push(spins::check(played)?);
    if let Some(detail) = played.detail.filter(|detail| detail.rounds() > 0) {
        checks.extend(serial::lag(played, detail)?);
        checks.extend(draws::checks(played, detail)?);
    }
    let exact = played.exact;
    let rarest = rarest_expected(
        played.paytable,
        exact.trigger,
        played.rounds(),
        exact.mean_spins.value(),
    );
    // The other tests do not rest on the normal law of a mean.
    for check in checks
        .iter_mut()
        .filter(|check| check.method.starts_with("z,"))
    {
        let needed = if check.method == moments::OWN_ERROR {
            OWN_ERROR_FACTOR * LEAST_EXPECTED
        } else {
            LEAST_EXPECTED
        };
        if rarest < needed {
            check.p_value = None;
            check.evidence.push_str(&format!(
                "; too few rounds: the rarest outcome of a spin is expected {rarest:.1} times, needed are {needed}"
            ));
        }
    }
    Ok(checks)
}

fn range(exact: Enclosure) -> Result<NullRange, StatsError> {
    NullRange::new(exact.lower(), exact.upper())
}

fn against(observed: f64, exact: Enclosure) -> String {
    // A coarse proof is shown by its ends.
    if exact.upper() - exact.lower() > 1e-6 * exact.value().abs() {
        format!(
            "simulated {observed:.8}, exact in [{:.8}, {:.8}]",
            exact.lower(),
            exact.upper()
        )
    } else {
        format!("simulated {observed:.8}, exact {:.8}", exact.value())
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of rounds, for a standard error"
)]
fn count(value: u64) -> f64 {
    value as f64
}
