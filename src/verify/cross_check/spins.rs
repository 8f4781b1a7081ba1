//! The number of spins against its exact distribution.

use super::{NumericCheck, Played, count};
use crate::exact::Exact;
use crate::rules::Clause;
use crate::stats::{NullRange, StatsError, chi_square_fit};
use crate::verify::VerifyError;
use crate::verify::power::Reach;
use crate::verify::requirement;

/// The number of spins against its exact distribution. A number that cannot occur refutes
/// at once: pooled bins would hide it.
pub(super) fn check(played: &Played<'_>) -> Result<NumericCheck, VerifyError> {
    let (exact, tally) = (played.exact, played.tally);
    let mut check = NumericCheck {
        id: "spins-distribution",
        clause: Clause::F5,
        hypothesis: "the numbers of spins follow the exact distribution".to_owned(),
        statistic: 0.0,
        method: "chi-square, bins pooled from the tail to at least 10 expected rounds".to_owned(),
        p_value: None,
        reach: None,
        requirement: requirement::of("spins-distribution", 1.0),
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
            check.reach = Some(Reach::Bins {
                noun: "rounds",
                draws: played.rounds(),
                degrees_of_freedom: test.degrees_of_freedom,
                missing: 0.0,
            });
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
            check.reach = Some(Reach::Share {
                rounds: tally.rounds(),
                null: NullRange::new(0.0, exact.spins.tail.upper())?,
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
