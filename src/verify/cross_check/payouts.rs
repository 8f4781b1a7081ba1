//! The payouts against their exact distribution.
//!
//! The exact law is a set of laws: a lower bound for every meter and the mass that is missing.
//! Each test takes the law of the set that is nearest to the run, so that no choice among them
//! can make a right paytable fail.

use super::{NumericCheck, Played, count, range};
use crate::exact::Enclosure;
use crate::exact::distribution::Distribution;
use crate::rules::Clause;
use crate::stats::{
    NullRange, StatsError, binomial_test, chi_square_fit_within, kolmogorov_test, largest_test,
};
use crate::verify::VerifyError;
use crate::verify::power::{Reach, TailPoint};
use crate::verify::requirement;

/// Rounds that the exact law expects at least at and above the meter of the tail test.
const TAIL_ROUNDS: f64 = 100.0;
/// How far apart the bounds of its probability may be, as a factor.
const TAIL_FACTOR: f64 = 2.0;

/// The share of zero meters.
pub(super) fn hits(played: &Played<'_>) -> Result<NumericCheck, VerifyError> {
    let (tally, zero) = (played.tally, played.exact.zero_probability);
    let null = range(zero)?;
    let test = binomial_test(tally.zero_rounds(), tally.rounds(), null)?;
    Ok(NumericCheck {
        id: "hit-frequency",
        clause: Clause::F4I,
        hypothesis: "the share of rounds with a zero meter is the exact one".to_owned(),
        statistic: test.statistic,
        method: test.method.to_owned(),
        p_value: Some(test.p_value),
        reach: Some(Reach::Share {
            rounds: tally.rounds(),
            null,
        }),
        requirement: requirement::of("hit-frequency", 1.0),
        evidence: format!(
            "{} zero rounds of {}, probability {}",
            tally.zero_rounds(),
            tally.rounds(),
            zero.value()
        ),
    })
}

/// The four tests that need the distribution.
pub(super) fn checks(
    played: &Played<'_>,
    distribution: &Distribution,
) -> Result<Vec<NumericCheck>, VerifyError> {
    let mut checks = Vec::new();
    checks.extend(fit(played, distribution)?);
    checks.push(cumulative(played, distribution)?);
    checks.push(tail(played, distribution)?);
    checks.push(largest(played, distribution)?);
    Ok(checks)
}

/// A check of the payouts that is still to be filled.
fn open(id: &'static str, hypothesis: &str, method: String) -> NumericCheck {
    NumericCheck {
        id,
        clause: Clause::G,
        hypothesis: hypothesis.to_owned(),
        statistic: 0.0,
        method,
        p_value: None,
        reach: None,
        requirement: requirement::of(id, 1.0),
        evidence: String::new(),
    }
}

/// Chi-square. A meter that cannot occur refutes at once: pooled bins would hide it.
fn fit(
    played: &Played<'_>,
    distribution: &Distribution,
) -> Result<Option<NumericCheck>, VerifyError> {
    let mut check = open(
        "payout-distribution",
        "the meters follow the exact distribution",
        "chi-square, the least over all laws within the exact bounds, bins pooled from the largest meter down \
         to at least 10 expected rounds"
            .to_owned(),
    );
    let impossible = played
        .tally
        .histogram()
        .find(|&(meter, _)| distribution.probability(meter).upper() <= 0.0);
    if let Some((meter, rounds)) = impossible {
        check.p_value = Some(0.0);
        check.statistic = f64::MAX;
        check.evidence = format!("{rounds} rounds of a meter of {meter}, which cannot occur");
    }
    let lower: Vec<f64> = (0_u64..)
        .zip(&distribution.pmf)
        .map(|(meter, _)| distribution.probability(meter).lower())
        .collect();
    let missing = (1.0 - lower.iter().sum::<f64>()).max(0.0);
    match chi_square_fit_within(played.tally.histogram(), &lower) {
        Ok(test) => {
            check.reach = Some(Reach::Bins {
                noun: "rounds",
                draws: played.rounds(),
                degrees_of_freedom: test.degrees_of_freedom,
                missing,
            });
            if impossible.is_none() {
                check.statistic = test.statistic;
                check.p_value = Some(test.p_value);
                check.evidence = format!(
                    "chi-square {:.2} with {} degrees of freedom, {missing:.1e} of the exact law's mass left free",
                    test.statistic, test.degrees_of_freedom
                );
            }
        }
        Err(StatsError::TooFewBins { .. }) => {
            // With one meter in practice there is nothing to fit; its share is tested by the
            // others.
            if impossible.is_none() && lower.iter().any(|&mass| mass >= 1.0 - 1e-6) {
                return Ok(None);
            }
            if impossible.is_none() {
                "too few rounds for two bins of at least 10 expected rounds"
                    .clone_into(&mut check.evidence);
            }
        }
        Err(error) => return Err(error.into()),
    }
    Ok(Some(check))
}

/// Kolmogorov-Smirnov distance from the band of the cumulative law.
fn cumulative(
    played: &Played<'_>,
    distribution: &Distribution,
) -> Result<NumericCheck, VerifyError> {
    let mut check = open(
        "payout-cumulative",
        "the meters follow the exact cumulative distribution",
        "Kolmogorov-Smirnov distance from the exact band, tail of the Kolmogorov law (conservative for whole meters)"
            .to_owned(),
    );
    let histogram: Vec<(u64, u64)> = played.tally.histogram().collect();
    let test = kolmogorov_test(&histogram, |meter| {
        let share = distribution.cumulative(meter);
        (share.lower(), share.upper())
    })?;
    let width = (0_u64..)
        .zip(&distribution.pmf)
        .map(|(meter, _)| distribution.cumulative(meter).width())
        .fold(0.0, f64::max);
    check.statistic = test.distance;
    check.p_value = Some(test.p_value);
    check.reach = Some(Reach::Distance {
        rounds: played.tally.rounds(),
        width,
    });
    check.evidence = format!(
        "largest distance {:.2e} outside the exact band, at a meter of {}",
        test.distance, test.at
    );
    Ok(check)
}

/// Rounds at and above a meter that the exact law alone chooses.
fn tail(played: &Played<'_>, distribution: &Distribution) -> Result<NumericCheck, VerifyError> {
    let mut check = open(
        "payout-tail",
        "the rounds with a large meter are as many as the exact law says",
        format!(
            "exact binomial, doubled tail, at the largest meter that the exact law expects {TAIL_ROUNDS} rounds \
             to reach, its probability known within a factor of {TAIL_FACTOR}"
        ),
    );
    let n = played.rounds();
    let chosen = (1..=distribution.pmf.len() as u64).rev().find(|&meter| {
        let share = distribution.exceedance(meter);
        n * share.lower() >= TAIL_ROUNDS && share.upper() <= TAIL_FACTOR * share.lower()
    });
    let Some(meter) = chosen else {
        check.evidence =
            format!("no meter is expected by {TAIL_ROUNDS} rounds with bounds that near");
        return Ok(check);
    };
    let share = distribution.exceedance(meter);
    let null = range(share)?;
    let rounds = played.tally.rounds();
    let seen: u64 = played
        .tally
        .histogram()
        .filter(|&(found, _)| found >= meter)
        .map(|(_, rounds)| rounds)
        .sum();
    let test = binomial_test(seen, rounds, null)?;
    check.statistic = test.statistic;
    check.p_value = Some(test.p_value);
    check.reach = Some(Reach::Factor {
        rounds,
        null,
        meter,
    });
    check.evidence = format!(
        "{seen} rounds of {meter} or more, expected {}",
        between(share, n)
    );
    Ok(check)
}

/// The largest meter, from both sides.
fn largest(played: &Played<'_>, distribution: &Distribution) -> Result<NumericCheck, VerifyError> {
    let mut check = open(
        "largest-meter",
        "the largest meter is one that so many rounds have",
        "probability of a largest meter at least, or at most, as large under the exact law, doubled".to_owned(),
    );
    let (rounds, seen) = (played.tally.rounds(), played.tally.max_meter());
    let exceedance = |meter: u64| distribution.exceedance(meter);
    let above = seen
        .checked_add(1)
        .map_or(Ok(NullRange::point(0.0)?), |next| range(exceedance(next)))?;
    let test = largest_test(rounds, range(exceedance(seen))?, above)?;
    check.statistic = count(seen);
    check.p_value = Some(test.p_value);
    check.evidence = format!(
        "largest meter {seen}; as large or larger with probability {:.2e} at most, as small or smaller with {:.2e} \
         at most",
        test.at_least, test.at_most
    );
    check.reach = Some(Reach::Cut {
        rounds,
        tail: tail_points(distribution, count(rounds)),
    });
    Ok(check)
}

/// Meters from the largest down, as far as the largest of so many rounds can matter.
fn tail_points(distribution: &Distribution, n: f64) -> Vec<TailPoint> {
    let mut points: Vec<TailPoint> = Vec::new();
    for meter in (0..distribution.pmf.len() as u64).rev() {
        let above = distribution.exceedance(meter + 1);
        let expected = n * above.lower();
        // Of those that are expected to be passed by less than one round the last is enough.
        if expected < 1.0 {
            points.clear();
        }
        points.push(TailPoint {
            meter,
            lower: above.lower(),
            upper: above.upper(),
        });
        if expected > 1000.0 {
            break;
        }
    }
    points
}

/// Expected rounds, by their bounds where these differ.
fn between(share: Enclosure, n: f64) -> String {
    let (low, high) = (n * share.lower(), n * share.upper());
    if high - low < 0.05 {
        format!("{:.1}", n * share.value())
    } else {
        format!("{low:.1} to {high:.1}")
    }
}
