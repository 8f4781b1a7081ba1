//! Means and variances.

use super::{NumericCheck, Played, against, range};
use crate::exact::Enclosure;
use crate::exact::distribution::Distribution;
use crate::rules::Clause;
use crate::stats::{Moments, variance_std_error, z_test};
use crate::verify::VerifyError;
use crate::verify::power::Reach;
use crate::verify::requirement;

/// Method where no bound of the exact fourth moment is known.
pub(super) const OWN_ERROR: &str =
    "z, standard error from the fourth central moment of the run: the exact one has no known bound";

/// Mean and variance of the meter, under a cap also before it.
pub(super) fn meter(played: &Played<'_>) -> Result<Vec<NumericCheck>, VerifyError> {
    let exact = played.exact;
    let meter = Moments::from_histogram(played.tally.histogram())?;
    let known =
        |distribution: &Distribution| (distribution.best_mean(), distribution.best_variance());
    let (mean, variance) = played
        .distribution
        .map_or((exact.mean_meter, exact.variance_meter), known);
    let mut checks = vec![mean_check(
        "mean-meter",
        "the mean meter is the exact one",
        Clause::G,
        mean,
        meter.mean(),
        std_error(variance, played.rounds()),
    )?];
    if played.paytable.rules.max_meter.is_none() {
        checks.push(variance_check(
            "variance-meter",
            "the variance of the meter is the exact one",
            variance,
            &meter,
            played.distribution,
        )?);
        return Ok(checks);
    }
    let uncapped = Moments::from_histogram(played.tally.uncapped_histogram())?;
    checks.push(mean_check(
        "mean-uncapped-meter",
        "the mean meter before the cap is the exact one",
        Clause::G,
        exact.uncapped_mean_meter,
        uncapped.mean(),
        std_error(exact.uncapped_variance_meter, played.rounds()),
    )?);
    // Bounds wider than what may go unseen leave nothing to test.
    if variance.width() < requirement::of("variance-meter", variance.value()) {
        checks.push(variance_check(
            "variance-meter",
            "the variance of the meter as it is paid is the exact one",
            variance,
            &meter,
            played.distribution,
        )?);
    }
    checks.push(variance_check(
        "variance-uncapped-meter",
        "the variance of the meter before the cap is the exact one",
        exact.uncapped_variance_meter,
        &uncapped,
        None,
    )?);
    Ok(checks)
}

/// Mean of the number of spins.
pub(super) fn spins(played: &Played<'_>) -> Result<NumericCheck, VerifyError> {
    let spins = Moments::from_histogram(played.tally.spins_histogram())?;
    mean_check(
        "mean-spins",
        "the mean number of spins is the exact one",
        Clause::F5,
        played.exact.mean_spins,
        spins.mean(),
        std_error(played.exact.variance_spins, played.rounds()),
    )
}

/// The standard error of a mean, from the upper bound of the variance.
fn std_error(variance: Enclosure, rounds: f64) -> f64 {
    (variance.upper().max(0.0) / rounds).sqrt()
}

/// The standard error of a variance and where it came from.
///
/// The exact one takes the upper bound of the fourth central moment and the lower bound of the
/// variance: too large an error never refuses a right paytable.
fn variance_error(
    variance: Enclosure,
    meter: &Moments,
    distribution: Option<&Distribution>,
) -> Result<(f64, &'static str), VerifyError> {
    let kurtosis = distribution.map_or(f64::INFINITY, |distribution| {
        distribution.excess_kurtosis.upper()
    });
    let fourth = (kurtosis + 3.0) * variance.upper() * variance.upper();
    if fourth.is_finite() {
        let error = variance_std_error(variance.lower().max(0.0), fourth, meter.rounds())?;
        return Ok((
            error,
            "z, standard error from the upper bound of the exact fourth central moment",
        ));
    }
    Ok((meter.variance_std_error()?, OWN_ERROR))
}

fn variance_check(
    id: &'static str,
    hypothesis: &str,
    exact: Enclosure,
    meter: &Moments,
    distribution: Option<&Distribution>,
) -> Result<NumericCheck, VerifyError> {
    let (std_error, method) = variance_error(exact, meter, distribution)?;
    let test = z_test(meter.variance()?, range(exact)?, std_error)?;
    Ok(NumericCheck {
        id,
        clause: Clause::G,
        hypothesis: hypothesis.to_owned(),
        statistic: test.statistic,
        method: method.to_owned(),
        p_value: Some(test.p_value),
        reach: Some(Reach::Shift {
            noun: "variance",
            std_error,
            width: exact.width(),
        }),
        requirement: requirement::of(id, exact.value()),
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
        reach: Some(Reach::Shift {
            noun: "mean",
            std_error,
            width: exact.width(),
        }),
        requirement: requirement::of(id, exact.value()),
        evidence: against(observed, exact),
    })
}
