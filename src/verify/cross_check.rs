//! Tests of a tally against the exact figures of its trigger.
//!
//! | check | statistic | null law |
//! | --- | --- | --- |
//! | `mean-meter`, `mean-uncapped-meter` | z | exact standard deviation |
//! | `variance-meter`, `variance-uncapped-meter` | z | fourth central moment of the run |
//! | `hit-frequency` | binomial tail | exact probability of a zero meter |
//! | `mean-spins` | z | exact standard deviation |
//! | `spins-distribution` | chi-square, bins of at least 10 expected rounds | exact distribution |
//!
//! A deviation is measured from the nearest end of the exact enclosure. A z check that
//! passes is inconclusive all the same where the run was too small to be worth passing: its
//! smallest detectable deviation, at power 0.8 and with the width of the enclosure added, is
//! above the stated requirement. Where the rarest outcome of a spin is expected fewer than
//! [`LEAST_EXPECTED`] times, the normal law is not believed and every z check is
//! inconclusive, whatever it shows.
//!
//! Under a payout cap the exact moments are known before the cap and only bounded after it.
//! The engine applies the cap to rounds that it also counts uncapped, so mean and variance
//! are tested uncapped, at full power, and the capped mean against its bounds.

use super::VerifyError;
use super::rarity::{LEAST_EXPECTED, rarest_expected};
use crate::document::{Check, CheckVerdict};
use crate::engine::Tally;
use crate::exact::{Enclosure, Exact};
use crate::paytable::Paytable;
use crate::rules::{Clause, Trigger};
use crate::stats::{
    Moments, NullRange, StatsError, binomial_test, chi_square_fit, holm, smallest_detectable,
    z_test,
};

/// Power at which the smallest detectable deviation is stated.
const POWER: f64 = 0.8;

/// The largest relative deviation of a mean that a run may leave unseen.
const MEAN_REQUIREMENT: f64 = 0.01;
/// The largest relative deviation of the variance that a run may leave unseen.
const VARIANCE_REQUIREMENT: f64 = 0.05;
/// The largest absolute deviation of the hit frequency that a run may leave unseen.
const HIT_REQUIREMENT: f64 = 0.001;

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
    /// Standard error behind the smallest detectable deviation.
    pub std_error: Option<f64>,
    /// Width of the exact enclosure, which a deviation can hide in.
    pub width: f64,
    /// The largest deviation that may go unseen; a test with one rests on the normal law.
    pub requirement: Option<f64>,
    /// What was compared.
    pub evidence: String,
}

/// The tests of one trigger.
///
/// # Errors
/// - [`VerifyError::Stats`]: fewer than two rounds
pub fn cross_check(
    paytable: &Paytable,
    exact: &Exact,
    tally: &Tally,
) -> Result<Vec<NumericCheck>, VerifyError> {
    let meter = Moments::from_histogram(tally.histogram())?;
    let spins = Moments::from_histogram(tally.spins_histogram())?;
    let rounds = tally.rounds();
    let n = count(rounds);
    let mut checks = Vec::new();
    let mean_error = |variance: Enclosure| (variance.upper().max(0.0) / n).sqrt();

    let reported = meter.mean();
    checks.push(mean_check(
        "mean-meter",
        "the mean meter is the exact one",
        Clause::G,
        exact.mean_meter,
        reported,
        mean_error(exact.variance_meter),
    )?);
    if paytable.rules.max_meter.is_some() {
        let uncapped = Moments::from_histogram(tally.uncapped_histogram())?;
        checks.push(mean_check(
            "mean-uncapped-meter",
            "the mean meter before the cap is the exact one",
            Clause::G,
            exact.uncapped_mean_meter,
            uncapped.mean(),
            mean_error(exact.uncapped_variance_meter),
        )?);
        checks.push(variance_check(
            "variance-uncapped-meter",
            "the variance of the meter before the cap is the exact one",
            exact.uncapped_variance_meter,
            &uncapped,
        )?);
    } else {
        checks.push(variance_check(
            "variance-meter",
            "the variance of the meter is the exact one",
            exact.variance_meter,
            &meter,
        )?);
    }
    let zero = exact.zero_probability;
    let hits = binomial_test(tally.zero_rounds(), rounds, range(zero)?)?;
    checks.push(NumericCheck {
        id: "hit-frequency",
        clause: Clause::F4I,
        hypothesis: "the share of rounds with a zero meter is the exact one".to_owned(),
        statistic: hits.statistic,
        method: hits.method.to_owned(),
        p_value: Some(hits.p_value),
        std_error: Some((zero.value() * (1.0 - zero.value()) / n).max(0.0).sqrt()),
        width: zero.upper() - zero.lower(),
        requirement: Some(HIT_REQUIREMENT),
        evidence: format!(
            "{} zero rounds of {rounds}, probability {}",
            tally.zero_rounds(),
            zero.value()
        ),
    });
    checks.push(mean_check(
        "mean-spins",
        "the mean number of spins is the exact one",
        Clause::F5,
        exact.mean_spins,
        spins.mean(),
        mean_error(exact.variance_spins),
    )?);
    let rarest = rarest_expected(paytable, exact.trigger, n, exact.mean_spins.value());
    if rarest < LEAST_EXPECTED {
        // The binomial and the chi-square test do not rest on the normal law of a mean.
        for check in checks
            .iter_mut()
            .filter(|check| check.method.starts_with("z,"))
        {
            check.p_value = None;
            check.evidence.push_str(&format!(
                "; too few rounds: the rarest outcome of a spin is expected {rarest:.1} times, needed are {LEAST_EXPECTED}"
            ));
        }
    }
    checks.push(spins_check(exact, tally)?);
    Ok(checks)
}

fn variance_check(
    id: &'static str,
    hypothesis: &str,
    exact: Enclosure,
    meter: &Moments,
) -> Result<NumericCheck, VerifyError> {
    let std_error = meter.variance_std_error()?;
    let test = z_test(meter.variance()?, range(exact)?, std_error)?;
    Ok(NumericCheck {
        id,
        clause: Clause::G,
        hypothesis: hypothesis.to_owned(),
        statistic: test.statistic,
        method: "z, standard error from the fourth central moment of the run".to_owned(),
        p_value: Some(test.p_value),
        std_error: Some(std_error),
        width: exact.upper() - exact.lower(),
        requirement: Some(VARIANCE_REQUIREMENT * exact.value()),
        evidence: against(meter.variance()?, exact),
    })
}

fn mean_check(
    id: &'static str,
    hypothesis: &str,
    clause: Clause,
    exact: Enclosure,
    observed: f64,
    std_error: f64,
) -> Result<NumericCheck, VerifyError> {
    let test = z_test(observed, range(exact)?, std_error)?;
    Ok(NumericCheck {
        id,
        clause,
        hypothesis: hypothesis.to_owned(),
        statistic: test.statistic,
        method: "z, exact standard deviation".to_owned(),
        p_value: Some(test.p_value),
        std_error: Some(std_error),
        width: exact.upper() - exact.lower(),
        requirement: Some(MEAN_REQUIREMENT * exact.value()),
        evidence: against(observed, exact),
    })
}

/// The number of spins against its exact distribution. A number that cannot occur refutes
/// at once: pooled bins would hide it.
fn spins_check(exact: &Exact, tally: &Tally) -> Result<NumericCheck, VerifyError> {
    let mut check = NumericCheck {
        id: "spins-distribution",
        clause: Clause::F5,
        hypothesis: "the numbers of spins follow the exact distribution".to_owned(),
        statistic: 0.0,
        method: "chi-square, bins pooled from the tail to at least 10 expected rounds".to_owned(),
        p_value: None,
        std_error: None,
        width: 0.0,
        requirement: None,
        evidence: String::new(),
    };
    let listed = &exact.spins.probabilities;
    let upper = |spins: u64| match usize::try_from(spins) {
        Ok(0) => 0.0,
        Ok(index) => listed
            .get(index - 1)
            .map_or(exact.spins.tail.upper(), |probability| probability.upper()),
        Err(_) => exact.spins.tail.upper(),
    };
    if let Some((spins, rounds)) = tally
        .spins_histogram()
        .find(|&(spins, _)| upper(spins) <= 0.0)
    {
        check.p_value = Some(0.0);
        check.statistic = f64::MAX;
        check.evidence = format!("{rounds} rounds of {spins} spins, which cannot occur");
        return Ok(check);
    }
    let mut pmf = vec![0.0];
    pmf.extend(listed.iter().map(|probability| probability.value()));
    match chi_square_fit(tally.spins_histogram(), &pmf) {
        Ok(test) => {
            check.statistic = test.statistic;
            check.p_value = Some(test.p_value);
            check.evidence = format!(
                "chi-square {:.2} with {} degrees of freedom",
                test.statistic, test.degrees_of_freedom
            );
        }
        Err(StatsError::TooFewBins { .. }) if only_length(exact).is_some() => {
            // The search above has refuted every length that cannot occur, so what is not
            // the one length lies in the tail, which rounding leaves just above zero.
            let only = only_length(exact).unwrap_or_default();
            let others: u64 = tally
                .spins_histogram()
                .filter(|&(spins, _)| spins != only)
                .map(|(_, rounds)| rounds)
                .sum();
            check.p_value = Some(if others == 0 {
                1.0
            } else {
                (count(tally.rounds()) * exact.spins.tail.upper()).min(1.0)
            });
            check.evidence =
                format!("every round can have {only} spins alone; {others} rounds have not");
        }
        Err(StatsError::TooFewBins { .. }) => {
            check.evidence =
                String::from("too few rounds for two bins of at least 10 expected rounds");
        }
        Err(error) => return Err(error.into()),
    }
    Ok(check)
}

/// The one number of spins that a round can have, where there is but one.
fn only_length(exact: &Exact) -> Option<u64> {
    let mut possible = (1_u64..)
        .zip(&exact.spins.probabilities)
        .filter(|(_, probability)| probability.upper() > 0.0);
    let (spins, probability) = possible.next()?;
    let is_certain = probability.upper() >= 1.0 && possible.next().is_none();
    (is_certain && exact.spins.tail.upper() <= 1e-12).then_some(spins)
}

/// Verdicts on all tests of a certificate together.
///
/// Holm's step-down correction runs over every test of every trigger, so the chance that
/// a right paytable fails any of them is at most `alpha`. The smallest detectable deviation
/// is stated at `alpha` divided by the number of tests, the hardest step of the correction.
///
/// # Errors
/// - [`VerifyError::Stats`]: `alpha` outside (0, 1)
pub fn judge_all(tests: &[(Trigger, NumericCheck)], alpha: f64) -> Result<Vec<Check>, VerifyError> {
    let p_values: Vec<f64> = tests.iter().filter_map(|(_, test)| test.p_value).collect();
    let mut decisions = holm(&p_values, alpha)?.into_iter();
    let single_alpha = alpha / count(p_values.len().max(1) as u64);
    let mut checks = Vec::new();
    for (trigger, test) in tests {
        let decision = if test.p_value.is_some() {
            decisions.next()
        } else {
            None
        };
        let detectable = test
            .std_error
            .map(|std_error| smallest_detectable(std_error, single_alpha, POWER))
            .transpose()?
            .map(|reach| reach + test.width);
        let too_small = matches!((detectable, test.requirement), (Some(seen), Some(required)) if seen > required);
        let mut evidence = test.evidence.clone();
        let verdict = match decision {
            Some(decision) if decision.rejected => CheckVerdict::Fail,
            Some(_) if !too_small => CheckVerdict::Pass,
            Some(_) => {
                evidence.push_str(&format!(
                    "; too few rounds: a deviation below {:.2e} would go unseen, required is {:.2e}",
                    detectable.unwrap_or_default(),
                    test.requirement.unwrap_or_default()
                ));
                CheckVerdict::Inconclusive
            }
            None => CheckVerdict::Inconclusive,
        };
        checks.push(Check {
            id: test.id.to_owned(),
            clause: test.clause.to_string(),
            trigger: Some(trigger.number()),
            hypothesis: test.hypothesis.clone(),
            statistic: Some(test.statistic),
            method: Some(test.method.clone()),
            p_value: test.p_value,
            p_value_adjusted: decision.map(|decision| decision.adjusted),
            bound: None,
            threshold: format!("corrected p >= {alpha}"),
            smallest_detectable: detectable,
            requirement: test.requirement,
            power: None,
            verdict,
            evidence,
        });
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
