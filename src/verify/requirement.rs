//! What a numeric check must be able to see.
//!
//! A check that passes says nothing where the run was too small for it. So each one has a
//! deviation that it must show with probability 0.8 even at the hardest step of the correction
//! for the number of checks; a smaller run leaves it inconclusive. 10^7 rounds are enough for
//! every check of every built-in paytable (a test computes it).

use crate::document::{Check, Requirement};

/// The largest deviation that may go unseen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// As a share of the exact figure.
    Relative(f64),
    /// In the unit of the check.
    Absolute(f64),
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Identifier of the check.
    pub check: &'static str,
    /// The limit.
    pub limit: Limit,
    /// The limit in words, with the reason.
    pub words: &'static str,
}

/// Every numeric check with its requirement, in the order of a certificate.
pub const TABLE: &[Row] = &[
    Row {
        check: "mean-meter",
        limit: Limit::Relative(0.01),
        words: "1 % of the mean: less than any change of a rule that the text leaves open",
    },
    Row {
        check: "mean-uncapped-meter",
        limit: Limit::Relative(0.01),
        words: "1 % of the mean: less than any change of a rule that the text leaves open",
    },
    Row {
        check: "variance-meter",
        limit: Limit::Relative(0.05),
        words: "5 % of the variance, 2.5 % of the standard deviation that a volatility index is made from",
    },
    Row {
        check: "variance-uncapped-meter",
        limit: Limit::Relative(0.05),
        words: "5 % of the variance, 2.5 % of the standard deviation that a volatility index is made from",
    },
    Row {
        check: "hit-frequency",
        limit: Limit::Absolute(0.001),
        words: "0.1 % of all rounds without a win: the last digit of a frequency declared in per cent with one place",
    },
    Row {
        check: "payout-distribution",
        limit: Limit::Absolute(0.01),
        words: "1 % of all rounds paid another meter",
    },
    Row {
        check: "payout-cumulative",
        limit: Limit::Absolute(0.01),
        words: "1 % of all rounds moved across some meter",
    },
    Row {
        check: "payout-tail",
        limit: Limit::Absolute(4.0),
        words: "4 times as many large payouts: odds are read by their power of ten",
    },
    Row {
        check: "largest-meter",
        limit: Limit::Absolute(0.01),
        words: "a hidden cap that changes 1 % of all rounds",
    },
    Row {
        check: "mean-spins",
        limit: Limit::Relative(0.01),
        words: "1 % of the mean: less than what one section that adds a spin changes",
    },
    Row {
        check: "spins-distribution",
        limit: Limit::Absolute(0.01),
        words: "1 % of all rounds with another number of spins",
    },
    Row {
        check: "lag-1-correlation",
        limit: Limit::Absolute(0.01),
        words: "a correlation of 0.01: one ten-thousandth of the variance of a payout explained by the one before",
    },
    Row {
        check: "draws-inner",
        limit: Limit::Absolute(0.01),
        words: "1 % of all spins with another inner section",
    },
    Row {
        check: "draws-selected",
        limit: Limit::Absolute(0.01),
        words: "1 % of all spins with another selected character",
    },
    Row {
        check: "draws-outer",
        limit: Limit::Absolute(0.01),
        words: "1 % of all spins with another outer section",
    },
    Row {
        check: "largest-section-deviation",
        limit: Limit::Absolute(0.1),
        words: "a tenth of the share of the rarest section: of 54 equal sections, 1 in 54 for 1 in 49",
    },
    Row {
        check: "draws-by-spin-inner",
        limit: Limit::Absolute(0.01),
        words: "1 % of all spins with an inner section that their number in the round decides",
    },
    Row {
        check: "draws-by-spin-selected",
        limit: Limit::Absolute(0.01),
        words: "1 % of all spins with a selected character that their number in the round decides",
    },
    Row {
        check: "draws-by-spin-outer",
        limit: Limit::Absolute(0.01),
        words: "1 % of all spins with an outer section that their number in the round decides",
    },
];

/// The requirement of a check in its unit.
///
/// # Arguments
/// - `figure`: the exact value of the tested figure, for a relative limit
///
/// # Panics
/// For a check that is not in [`TABLE`]; a test makes every check.
#[must_use]
pub(super) fn of(check: &str, figure: f64) -> f64 {
    let row = TABLE.iter().find(|row| row.check == check);
    match row.expect("every numeric check has a requirement").limit {
        Limit::Relative(share) => share * figure.abs(),
        Limit::Absolute(limit) => limit,
    }
}

/// The rows of the checks that were made, for a certificate.
#[must_use]
pub(super) fn of_checks(checks: &[Check]) -> Vec<Requirement> {
    TABLE
        .iter()
        .filter(|row| checks.iter().any(|check| check.id == row.check))
        .map(|row| Requirement {
            check: row.check.to_owned(),
            requirement: row.words.to_owned(),
        })
        .collect()
}
