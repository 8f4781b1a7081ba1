//! The value of one parameter that meets a target return.
//!
//! The figure is the overall RTP of a bet, the sum of 5319.47(a)(8): trigger probability times
//! gross bonus return, plus `other_return`.
//!
//! | parameter | values | RTP as a function of it |
//! | --- | --- | --- |
//! | a shift of every start | whole numbers | not falling |
//! | a factor on every start, each rounded, halves up | steps of rationals | not falling |
//! | the start of one character under a fixed law | whole numbers | not falling |
//! | a cap on the meter | 1 to 10^12 | not falling |
//! | `other_return` | rationals | a line of slope 1 |
//!
//! Proof of "not falling". Play one round twice with the same results of both wheels, the second
//! time with starts that are nowhere lower. An addition keeps the order of two multipliers, and
//! so does a potion, since m -> max(m + d, floor) does not fall in m, whatever d. The counter
//! does not depend on multipliers. So the second meter is nowhere less, capped or not, and its
//! mean is not less; P(M = 0) is the same in both, because a character pays at least the floor
//! of 1. The gross return is the mean plus what depends on P(M = 0) alone. Averaging over a law
//! of starts keeps the order when every value of the law moves up or stays. For a cap, min(M, c)
//! does not fall in c. Nothing else here rests on monotonicity, and no other parameter is
//! searched.
//!
//! Whole numbers and steps seldom meet a target, so the answer is the two neighbours on either
//! side of it. A comparison counts only when the proven bounds of the RTP decide it, in
//! rationals; values for which they do not are a part of the answer of their own. Under a cap
//! the bounds are wide, and that part can be long.
//!
//! For several bets at once one value should serve all. With f the RTPs as functions of the
//! value and t the target, the largest miss is max(max f - t, t - min f). The first term does
//! not fall and the second does not rise, so it is least at a neighbour of the place where max f
//! + min f passes 2 t: the same search, on the middle of the RTPs.

mod change;
mod game;
#[cfg(test)]
mod tests;

use dashu_ratio::RBig;
use thiserror::Error;

pub use super::ladder::Parameter;
pub use change::{Vary, changed};

use crate::exact::{ExactError, RationalEnclosure};
use crate::paytable::{Paytable, PaytableError};
use crate::rules::{Character, Trigger};
use game::Game;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The parameter that may change.
    pub vary: Vary,
    /// The overall RTP wanted, above 0.
    pub target: RBig,
    /// How far from the target an RTP may be to meet it, above 0.
    pub tolerance: RBig,
    /// The bets that should meet it, at least one.
    pub triggers: Vec<Trigger>,
}

/// A value of the parameter with the RTPs that it gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The value.
    pub parameter: Parameter,
    /// The overall RTP of each bet asked for.
    pub rtp: Vec<(Trigger, RationalEnclosure)>,
}

/// How one bet alone can meet the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The values on either side of the target.
    Bracket {
        /// The last value whose RTP is proved to be below; `None` where even the first is not.
        below: Option<Candidate>,
        /// The first and the last value whose RTP cannot be told from the target.
        inside: Option<Box<(Candidate, Candidate)>>,
        /// The first value whose RTP is proved to be above; `None` where even the last is not.
        above: Option<Candidate>,
    },
    /// The value is a fraction and was solved for.
    Solved {
        /// Bounds of the value that meets the target exactly.
        value: RationalEnclosure,
        /// That value to twelve places, with the RTPs it gives.
        candidate: Candidate,
    },
    /// Every value misses the target on the same side.
    NotReachable {
        /// The least value, with the least RTP.
        lowest: Candidate,
        /// The largest value, with the largest RTP.
        highest: Candidate,
    },
}

/// What can be said of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A value meets it within the tolerance.
    Met,
    /// One bet: two neighbouring values lie on either side of it, and neither meets it.
    Bracketed,
    /// The bounds of the RTP are too wide to say.
    Undecided,
    /// Several bets: each can be met or bracketed, but no value serves all.
    NoCommonValue,
    /// Every value misses it on the same side.
    NotReachable,
}

impl Status {
    /// The word for documents.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Bracketed => "bracketed",
            Self::Undecided => "undecided",
            Self::NoCommonValue => "no-common-value",
            Self::NotReachable => "not-reachable",
        }
    }
}

/// The answer for one bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriggerSolution {
    /// The bet.
    pub trigger: Trigger,
    /// Where its target is met.
    pub outcome: Outcome,
    /// What that comes to.
    pub status: Status,
}

/// The answer for several bets at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointSolution {
    /// The value with the least miss.
    pub nearest: Candidate,
    /// Bounds of the largest distance of its RTPs from the target.
    pub gap: RationalEnclosure,
    /// [`Status::Met`], [`Status::NoCommonValue`] or [`Status::Undecided`].
    pub status: Status,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// Each bet alone, in the order of the request.
    pub triggers: Vec<TriggerSolution>,
    /// All bets together, where there are several.
    pub joint: Option<JointSolution>,
    /// What it comes to.
    pub status: Status,
}

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// No bet was named.
    #[error("no trigger to solve for")]
    NoTrigger,
    /// The paytable lacks a trigger.
    #[error("the paytable has no `[triggers.{trigger}]`")]
    UnknownTrigger {
        /// The trigger.
        trigger: Trigger,
    },
    /// The target or the tolerance is not above 0.
    #[error("the {what} is {found}, expected a value above 0")]
    NotPositive {
        /// `target` or `tolerance`.
        what: &'static str,
        /// The value.
        found: RBig,
    },
    /// A start of one character has no meaning under the law of starts.
    #[error(
        "trigger {trigger} has no start of its own for `{character}`: expected a fixed law of \
         starts on a wheel that shows it"
    )]
    NoSuchStart {
        /// The trigger.
        trigger: Trigger,
        /// The character.
        character: Character,
    },
    /// No value of the parameter keeps every start in its legal range.
    #[error("no value keeps every start between the floor and 10^6")]
    NoLegalValue,
    /// A changed paytable is not legal.
    #[error("a changed paytable is not legal")]
    Paytable(#[from] PaytableError),
    /// The exact calculator refuses a changed paytable.
    #[error(transparent)]
    Exact(#[from] ExactError),
}

/// The value of one parameter that meets a target RTP, for each bet and for all together.
///
/// # Errors
/// [`SolveError`]: a request that does not fit the paytable, or a game that the calculator
/// refuses. A target out of reach is an answer, not an error.
///
/// # Accuracy
/// Every comparison with the target is decided by proven bounds, in rationals.
///
/// # Performance
/// About ten solutions of the game for each bet; about fifty under a cap.
///
/// # Examples
/// ```
/// use wonderspins::analysis::solve::{Outcome, Parameter, Request, Vary, solve};
/// use wonderspins::paytable::{Decimal, PaytableFile};
/// use wonderspins::rules::Trigger;
///
/// let file = PaytableFile::load("pa-693-6")?;
/// let request = Request {
///     vary: Vary::Shift,
///     target: "96.67%".parse::<Decimal>()?.value,
///     tolerance: "0.0005".parse::<Decimal>()?.value,
///     triggers: vec![Trigger::Two],
/// };
/// let solution = solve(&file.paytable, &request)?;
/// // 95.95 % as it is, about 110 % with every start raised by one.
/// let Outcome::Bracket { below: Some(below), above: Some(above), .. } =
///     &solution.triggers[0].outcome
/// else {
///     panic!("a bracket");
/// };
/// assert_eq!(below.parameter, Parameter::Whole(0));
/// assert_eq!(above.parameter, Parameter::Whole(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(paytable: &Paytable, request: &Request) -> Result<Solution, SolveError> {
    check(paytable, request)?;
    let mut game = Game::new(paytable, request)?;
    let mut triggers = Vec::new();
    for (index, &trigger) in request.triggers.iter().enumerate() {
        let outcome = game.outcome(index)?;
        let status = game.status(index, &outcome);
        triggers.push(TriggerSolution {
            trigger,
            outcome,
            status,
        });
    }
    let joint = if request.triggers.len() > 1 {
        Some(game.joint()?)
    } else {
        None
    };
    let is_out_of_reach = |solution: &TriggerSolution| solution.status == Status::NotReachable;
    let status = match &joint {
        None => triggers[0].status,
        Some(joint) if joint.status == Status::Met => Status::Met,
        Some(_) if triggers.iter().any(is_out_of_reach) => Status::NotReachable,
        Some(joint) => joint.status,
    };
    Ok(Solution {
        triggers,
        joint,
        status,
    })
}

fn check(paytable: &Paytable, request: &Request) -> Result<(), SolveError> {
    if request.triggers.is_empty() {
        return Err(SolveError::NoTrigger);
    }
    for (what, value) in [
        ("target", &request.target),
        ("tolerance", &request.tolerance),
    ] {
        if *value <= RBig::ZERO {
            let found = value.clone();
            return Err(SolveError::NotPositive { what, found });
        }
    }
    let mut triggers = request.triggers.iter();
    match triggers.find(|&&trigger| paytable.terms(trigger).is_none()) {
        Some(&trigger) => Err(SolveError::UnknownTrigger { trigger }),
        None => Ok(()),
    }
}
