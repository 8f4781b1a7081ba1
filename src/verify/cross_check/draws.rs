//! What the wheels and the selection showed, over all spins and by the number of the spin.
//!
//! # The null law
//! Every draw is independent of all draws before it. Whether a spin is played depends on earlier
//! draws only, so the deviations (drawn less expected) of the spins of a round are differences
//! of a martingale: over whole rounds they have mean 0 and, for shares w, the covariance
//! E[spins] (diag w - w w') of that many draws from a fixed number (A. Wald 1944). Rounds are
//! independent, so a chi-square over all spins has its ordinary law for many rounds, although
//! the number of spins is random and the counts of a single round are not multinomial.
//!
//! The same holds for each spin number alone, and the deviations of two spin numbers are
//! uncorrelated. So the table of spin numbers and sections has the law of independent rows, and
//! Pearson's test of homogeneity its (rows - 1)(columns - 1) degrees of freedom. A bias that is
//! the same at every spin is none of its business: that is for the test over all spins.
//!
//! Rows and columns are pooled by what the exact law expects, never by what was drawn.

use super::{NumericCheck, Played, count};
use crate::engine::{DETAIL_SPINS, Detail, SpinDraws};
use crate::exact::Exact;
use crate::rules::Clause;
use crate::stats::{
    BinomialTest, MIN_EXPECTED, NullRange, StatsError, binomial_test, chi_square_cells, homogeneity,
};
use crate::verify::VerifyError;
use crate::verify::power::Reach;
use crate::verify::requirement;

/// One of the three draws of a spin.
struct Draw {
    name: &'static str,
    clause: Clause,
    all: &'static str,
    by_spin: &'static str,
    weights: Vec<u64>,
    counts: fn(&SpinDraws) -> &[u64],
}

fn draws(played: &Played<'_>) -> [Draw; 3] {
    let paytable = played.paytable;
    [
        Draw {
            name: "inner wheel",
            clause: Clause::B1,
            all: "draws-inner",
            by_spin: "draws-by-spin-inner",
            weights: paytable.inner_wheel.weights.clone(),
            counts: |draws| &draws.inner,
        },
        Draw {
            name: "selected character",
            clause: Clause::F2I,
            all: "draws-selected",
            by_spin: "draws-by-spin-selected",
            weights: paytable.boost_weights(),
            counts: |draws| &draws.selected,
        },
        Draw {
            name: "outer wheel",
            clause: Clause::C1,
            all: "draws-outer",
            by_spin: "draws-by-spin-outer",
            weights: paytable.outer_wheel.weights.clone(),
            counts: |draws| &draws.outer,
        },
    ]
}

/// The tests of a detail that has rounds.
pub(super) fn checks(
    played: &Played<'_>,
    detail: &Detail,
) -> Result<Vec<NumericCheck>, VerifyError> {
    // A wheel with one result has nothing to test.
    let draws: Vec<Draw> = draws(played)
        .into_iter()
        .filter(|draw| draw.weights.iter().filter(|&&weight| weight > 0).count() > 1)
        .collect();
    let mut checks = Vec::new();
    for draw in &draws {
        checks.push(over_all_spins(draw, detail)?);
    }
    checks.extend(largest_deviation(&draws, detail)?);
    for draw in &draws {
        checks.extend(by_spin_number(played, draw, detail)?);
    }
    Ok(checks)
}

/// Counts of all spins.
fn totals(draw: &Draw, detail: &Detail) -> Vec<u64> {
    let mut sums = vec![0; draw.weights.len()];
    for entry in &detail.parts().spins {
        for (sum, count) in sums.iter_mut().zip((draw.counts)(entry)) {
            *sum += count;
        }
    }
    sums
}

fn rounds_of(detail: &Detail) -> String {
    format!("in the first {} rounds", detail.rounds())
}

fn over_all_spins(draw: &Draw, detail: &Detail) -> Result<NumericCheck, VerifyError> {
    let (weights, observed) = drawable(&draw.weights, &totals(draw, detail));
    let spins: u64 = observed.iter().sum();
    let mut check = NumericCheck {
        id: draw.all,
        clause: draw.clause,
        hypothesis: format!(
            "each result of the {} has its share of all spins",
            draw.name
        ),
        statistic: 0.0,
        method: "chi-square over the results, those that expect fewer than 10 spins together"
            .to_owned(),
        p_value: None,
        reach: None,
        requirement: requirement::of(draw.all, 1.0),
        evidence: String::new(),
    };
    match chi_square_cells(&observed, &weights) {
        Ok(test) => {
            check.statistic = test.statistic;
            check.p_value = Some(test.p_value);
            check.reach = Some(Reach::Bins {
                noun: "spins",
                draws: count(spins),
                degrees_of_freedom: test.degrees_of_freedom,
                missing: 0.0,
            });
            check.evidence = format!(
                "chi-square {:.2} with {} degrees of freedom over {spins} spins {}",
                test.statistic,
                test.degrees_of_freedom,
                rounds_of(detail)
            );
        }
        Err(StatsError::TooFewBins { .. }) => {
            "too few spins for two bins of at least 10 expected spins"
                .clone_into(&mut check.evidence);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(check)
}

/// Weights above 0 with their counts: a law of the boost may leave a character out.
fn drawable(weights: &[u64], observed: &[u64]) -> (Vec<f64>, Vec<u64>) {
    weights
        .iter()
        .zip(observed)
        .filter(|&(&weight, _)| weight > 0)
        .map(|(&weight, &seen)| (count(weight), seen))
        .unzip()
}

/// The section whose count is least likely, corrected for the number of sections.
fn largest_deviation(draws: &[Draw], detail: &Detail) -> Result<Option<NumericCheck>, VerifyError> {
    let mut least: Option<(f64, BinomialTest, String)> = None;
    let mut family = 0;
    let mut rarest = f64::INFINITY;
    let mut spins = 0;
    for draw in draws {
        let observed = totals(draw, detail);
        spins = observed.iter().sum();
        let total = count(draw.weights.iter().sum());
        for (number, (&weight, &seen)) in (1..).zip(draw.weights.iter().zip(&observed)) {
            let share = count(weight) / total;
            let test = binomial_test(seen, spins, NullRange::point(share)?)?;
            family += 1;
            if weight > 0 {
                rarest = rarest.min(share);
            }
            if least.as_ref().is_none_or(|(p, ..)| test.p_value < *p) {
                let words = format!(
                    "{} {number}: {seen} of {spins} spins, expected {:.1}",
                    draw.name,
                    share * count(spins)
                );
                least = Some((test.p_value, test, words));
            }
        }
    }
    let Some((p_value, test, words)) = least else {
        return Ok(None);
    };
    Ok(Some(NumericCheck {
        id: "largest-section-deviation",
        clause: Clause::C1,
        hypothesis: "no section of either wheel and no character is drawn too often or too seldom"
            .to_owned(),
        statistic: test.statistic,
        method: format!(
            "{}, the least of {family} times {family} (Bonferroni)",
            test.method
        ),
        p_value: Some((count(family) * p_value).min(1.0)),
        reach: Some(Reach::Section {
            spins,
            share: rarest,
            family,
        }),
        requirement: requirement::of("largest-section-deviation", 1.0),
        evidence: format!("{words} {}", rounds_of(detail)),
    }))
}

/// Homogeneity over the spin numbers; `None` where a round has but one spin.
fn by_spin_number(
    played: &Played<'_>,
    draw: &Draw,
    detail: &Detail,
) -> Result<Option<NumericCheck>, VerifyError> {
    let expected = expected_spins(played.exact, count(detail.rounds()));
    if expected.iter().filter(|&&spins| spins > 0.0).count() < 2 {
        return Ok(None);
    }
    let columns = pooled_columns(&draw.weights, expected.iter().sum());
    let mut shares = vec![0.0; columns.iter().max().map_or(0, |last| last + 1)];
    let total = count(draw.weights.iter().sum());
    for (&weight, &column) in draw.weights.iter().zip(&columns) {
        shares[column] += count(weight) / total;
    }
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let rows = pooled_rows(&expected, least);
    let mut table = vec![vec![0_u64; shares.len()]; rows.iter().max().map_or(0, |last| last + 1)];
    for (entry, &row) in detail.parts().spins.iter().zip(&rows) {
        for (&seen, &column) in (draw.counts)(entry).iter().zip(&columns) {
            table[row][column] += seen;
        }
    }
    let mut check = NumericCheck {
        id: draw.by_spin,
        clause: Clause::NY_A5,
        hypothesis: format!(
            "the {} has the same shares at every spin of a round",
            draw.name
        ),
        statistic: 0.0,
        method: "chi-square of the table of spin numbers and results, late spins and rare results pooled to at least \
                 10 expected spins"
            .to_owned(),
        p_value: None,
        reach: None,
        requirement: requirement::of(draw.by_spin, 1.0),
        evidence: String::new(),
    };
    match homogeneity(&table) {
        Ok(test) if table.len() > 1 => {
            check.statistic = test.statistic;
            check.p_value = Some(test.p_value);
            check.reach = Some(Reach::Bins {
                noun: "spins",
                draws: count(table.iter().flatten().sum()),
                degrees_of_freedom: test.degrees_of_freedom,
                missing: 0.0,
            });
            check.evidence = format!(
                "chi-square {:.2} with {} degrees of freedom, {} spin numbers or groups of them by {} results, {}",
                test.statistic,
                test.degrees_of_freedom,
                table.len(),
                shares.len(),
                rounds_of(detail)
            );
        }
        Ok(_) | Err(StatsError::TooFewBins { .. }) => {
            "too few spins for two rows of at least 10 expected spins in each cell"
                .clone_into(&mut check.evidence);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(Some(check))
}

/// Spins of each number that so many rounds are expected to have; the last entry holds all later
/// ones, as that of a detail does.
fn expected_spins(exact: &Exact, rounds: f64) -> Vec<f64> {
    let mut left = 1.0_f64;
    let mut expected = Vec::new();
    let mut listed = 0.0;
    for number in 0..DETAIL_SPINS {
        // What rounding leaves of nothing is nothing.
        let played = if left > 1e-12 { left } else { 0.0 };
        expected.push(rounds * played);
        listed += played;
        left -= exact
            .spins
            .probabilities
            .get(number)
            .map_or(0.0, |probability| probability.value());
    }
    let later = exact.mean_spins.value() - listed;
    expected.push(if later > 1e-12 { rounds * later } else { 0.0 });
    expected
}

/// The column of each result: rare ones share columns so that two rows could hold each.
fn pooled_columns(weights: &[u64], spins: f64) -> Vec<usize> {
    let total = count(weights.iter().sum());
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&result| (weights[result], result));
    let mut columns = vec![0; weights.len()];
    let (mut column, mut open) = (0, 0.0);
    for result in order {
        if open >= 4.0 * MIN_EXPECTED {
            column += 1;
            open = 0.0;
        }
        columns[result] = column;
        open += spins * count(weights[result]) / total;
    }
    // What is left over joins the column before it.
    if open < 4.0 * MIN_EXPECTED && column > 0 {
        for each in &mut columns {
            *each = (*each).min(column - 1);
        }
    }
    columns
}

/// The row of each spin number: late ones share rows until the rarest column expects enough.
fn pooled_rows(expected: &[f64], least_share: f64) -> Vec<usize> {
    let mut rows = vec![0; expected.len()];
    let (mut row, mut open) = (0, 0.0);
    for (number, &spins) in expected.iter().enumerate() {
        if open * least_share >= MIN_EXPECTED {
            row += 1;
            open = 0.0;
        }
        rows[number] = row;
        open += spins;
    }
    if open * least_share < MIN_EXPECTED && row > 0 {
        for each in &mut rows {
            *each = (*each).min(row - 1);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_pooled_until_the_rarest_column_expects_ten() {
        // A share of 1/10 needs 100 spins: 500, 120, then 60 + 45, and 30 left over.
        let rows = pooled_rows(&[500.0, 120.0, 60.0, 45.0, 20.0, 10.0], 0.1);
        assert_eq!(rows, [0, 1, 2, 2, 2, 2]);
        assert_eq!(pooled_rows(&[50.0, 20.0], 0.1), [0, 0]);
    }

    #[test]
    fn rare_results_share_a_column() {
        // 1000 spins expect 10, 30, 460 and 500: the first two are a column.
        assert_eq!(pooled_columns(&[1, 3, 46, 50], 1000.0), [0, 0, 1, 2]);
        assert_eq!(pooled_columns(&[1, 1, 1], 90.0), [0, 0, 0]);
    }

    /// Two spins in every round; all numbers together are the mean, 108/35.
    #[test]
    fn expected_spins_of_the_pennsylvania_wheels() {
        let file = crate::paytable::PaytableFile::load("pa-693-6").unwrap();
        let exact = crate::exact::solve(&file.paytable, crate::rules::Trigger::Two).unwrap();
        let expected = expected_spins(&exact, 1000.0);
        assert_eq!(expected.len(), DETAIL_SPINS + 1);
        assert!((expected[0] - 1000.0).abs() < 1e-9 && (expected[1] - 1000.0).abs() < 1e-9);
        let sum: f64 = expected.iter().sum();
        assert!((sum - 1000.0 * 108.0 / 35.0).abs() < 1e-6, "{sum}");
    }
}
