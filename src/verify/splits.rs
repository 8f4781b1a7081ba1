//! The return of a whole wager, split as 5319.47(a)(8) asks.

use dashu_ratio::RBig;

use crate::exact::{Exact, RationalEnclosure};
use crate::regulation::ReturnSplit;

/// Digits after the point in the evidence of a split.
const PLACES: usize = 9;

/// The split of each trigger's return, for
/// [`judge_with`](crate::regulation::judge_with).
///
/// Whether the parts add up is decided on the rationals: the values and both bounds of the
/// parts must add up to those of the total exactly.
#[must_use]
pub fn return_splits(results: &[Exact]) -> Vec<ReturnSplit> {
    results.iter().map(split).collect()
}

fn split(exact: &Exact) -> ReturnSplit {
    let returns = &exact.returns;
    let sum = |pick: fn(&RationalEnclosure) -> &RBig| {
        returns
            .parts
            .iter()
            .fold(RBig::ZERO, |sum, (_, part)| sum + pick(part))
    };
    let total = &returns.total;
    let adds_up = sum(|part| &part.value) == total.value
        && sum(|part| &part.lower) == total.lower
        && sum(|part| &part.upper) == total.upper;
    let other = returns
        .parts
        .iter()
        .find(|(part, _)| *part == crate::exact::ReturnPart::OtherOutcomes)
        .map_or(RBig::ZERO, |(_, contribution)| contribution.value.clone());
    let shown = |value: &RBig| format!("{:.PLACES$}", value.to_f64().value());
    ReturnSplit {
        trigger: exact.trigger,
        bonus: shown(&(&total.value - &other)),
        other: shown(&other),
        total: shown(&total.value),
        adds_up,
    }
}
