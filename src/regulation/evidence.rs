//! What calculations and runs elsewhere have found, as plain values that clauses rest on.
//!
//! This module and its neighbours compute no probability and play no round; whoever does
//! hands the results over here.

use dashu_ratio::RBig;

use super::ClauseVerdict;
use crate::rules::Trigger;

/// GLI-11 v3.0, 4.8.2: an award by chance that is advertised must occur at least once in this
/// many games, else its odds are shown prominently.
pub const AWARD_LIMIT: u64 = 100_000_000;

/// Everything that a judgement may rest on beside the paytable. By default nothing is known,
/// and what rests on it is inconclusive.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// 5319.47(a)(8): the return of a whole wager, for each trigger.
    pub splits: Vec<ReturnSplit>,
    /// 5319.47(a)(2): rare payouts, for each trigger.
    pub payouts: Payouts,
    /// 5319.47(a)(2): an advertised award must occur at least once in this many games.
    pub award_limit: u64,
    /// 5319.47(a)(5): what a simulation showed.
    pub dependence: Dependence,
}

impl Default for Evidence {
    fn default() -> Self {
        Self {
            splits: Vec::new(),
            payouts: Payouts::default(),
            award_limit: AWARD_LIMIT,
            dependence: Dependence::default(),
        }
    }
}

/// The return of a whole wager on one trigger, split by where it comes from, as an exact
/// calculation supplies it for 5319.47(a)(8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnSplit {
    /// Which trigger.
    pub trigger: Trigger,
    /// Gross return of the bonus given the trigger, for each unit wagered, as printed.
    pub conditional: String,
    /// Trigger probability times that, as printed.
    pub bonus: String,
    /// Return from all other main-wheel outcomes, as printed.
    pub other: String,
    /// The return of the whole wager, as printed.
    pub total: String,
    /// Bounds of that return at the stake where it is least; without `[limits]` every stake has
    /// the same.
    pub least: (RBig, RBig),
    /// The same at the stake where it is greatest.
    pub greatest: (RBig, RBig),
    /// Whether the two parts add up to the total exactly: in rational arithmetic, value by
    /// value and bound by bound.
    pub adds_up: bool,
}

/// Rare payouts, from an exact distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payouts {
    /// They were not computed, for the reason given.
    NotComputed(String),
    /// For each trigger.
    Known(Vec<RarePayouts>),
}

impl Default for Payouts {
    fn default() -> Self {
        Self::NotComputed("the payout distribution was not computed".to_owned())
    }
}

/// The rare payouts of one trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RarePayouts {
    /// Which trigger.
    pub trigger: Trigger,
    /// The meters that rounds seldom exceed.
    pub exceeded: Vec<ExceededOnceIn>,
    /// The advertised award, where there is one.
    pub award: Option<AwardChance>,
    /// The largest meter that can occur, by a search; `None` where there is none or it was not
    /// found.
    pub largest: Option<u64>,
}

/// The least meter x with P(meter > x) <= 1 / 10^`power`, between proven bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceededOnceIn {
    /// The number of rounds is 10 to this power.
    pub power: u32,
    /// It is not below this meter.
    pub lower: u64,
    /// It is not above this meter; `None` where no bound is proven.
    pub upper: Option<u64>,
}

/// The probability, given the trigger, that a round pays an award or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwardChance {
    /// The meter of the award.
    pub meter: u64,
    /// The probability is not below this.
    pub lower: RBig,
    /// The probability is not above this.
    pub upper: RBig,
}

/// What a simulation showed of whether results depend on earlier ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Dependence {
    /// Nothing was simulated.
    #[default]
    NotSimulated,
    /// A run was made whose rounds were not watched one by one.
    NotWatched,
    /// Tests of a run.
    Tested(Vec<DependenceTest>),
}

/// One test of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependenceTest {
    /// Which trigger.
    pub trigger: Trigger,
    /// Identifier of the check in the certificate.
    pub check: String,
    /// Its verdict; never not applicable.
    pub verdict: ClauseVerdict,
    /// p-value and power, as a phrase.
    pub words: String,
}
