//! Declared figures against exact enclosures, at the digits that were declared.
//!
//! A figure declared as `95.95%` says: the exact value, rounded half away from zero at
//! its second decimal, is 95.95 %. Both ends of the proven enclosure are rounded in
//! exact arithmetic; if they agree with the declaration it passes, if the declaration
//! lies outside what they allow it fails, and if the enclosure straddles the rounding
//! boundary the check is inconclusive. No float is compared with a float. Where a wrong number
//! may come from is told by the guesses of [`Guesser`].

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::guess::{Guesser, enclosure_of};
use crate::document::{Check, CheckVerdict, TriggerDeclared};
use crate::exact::{Enclosure, Exact, LargestMeter};
use crate::paytable::{Decimal, DeclaredFigure, DeclaredValue, Figure};
use crate::rules::Clause;

/// Compares one declared figure with the exact result of its trigger.
///
/// # Arguments
/// - `guesser`: of the same paytable, for a number that is wrong
#[must_use]
pub fn compare(
    exact: &Exact,
    largest: LargestMeter,
    declared: &DeclaredFigure,
    guesser: &Guesser<'_>,
) -> (TriggerDeclared, Check) {
    let mut outcome = match (declared.figure, &declared.value) {
        (Figure::MaxMeter, value) => compare_largest(largest, value),
        (figure, DeclaredValue::Number(number)) => {
            compare_number(enclosure_of(exact, figure), number)
        }
        (_, DeclaredValue::Unbounded) => Outcome {
            shown: "a number".to_owned(),
            verdict: CheckVerdict::Fail,
            evidence: "only the largest meter can be declared unbounded".to_owned(),
            bound: None,
            difference: None,
        },
    };
    let guess = match &declared.value {
        DeclaredValue::Number(number) if outcome.verdict == CheckVerdict::Fail => {
            guesser.guess(exact, declared.figure, number)
        }
        _ => None,
    };
    if let Some(guess) = &guess {
        outcome.evidence.push_str(&format!("; {guess}"));
    }
    let text = match &declared.value {
        DeclaredValue::Number(number) => number.text.clone(),
        DeclaredValue::Unbounded => "unbounded".to_owned(),
    };
    let entry = TriggerDeclared {
        trigger: exact.trigger.number(),
        figure: declared.figure.key().to_owned(),
        declared: text.clone(),
        exact: outcome.shown,
        difference: outcome.difference,
        guess,
        verdict: outcome.verdict,
    };
    let check = Check {
        id: format!("declared-{}", declared.figure.key().replace('_', "-")),
        clause: clause_of(declared.figure).to_string(),
        trigger: Some(exact.trigger.number()),
        hypothesis: format!(
            "the exact {} rounds to the declared {text}",
            declared.figure.key().replace('_', " ")
        ),
        statistic: None,
        method: Some(
            "exact enclosure, rounded half away from zero at the declared digits".to_owned(),
        ),
        p_value: None,
        p_value_adjusted: None,
        bound: outcome.bound.map(Into::into),
        threshold: text,
        smallest_detectable: None,
        requirement: None,
        power: None,
        verdict: outcome.verdict,
        evidence: outcome.evidence,
    };
    (entry, check)
}

struct Outcome {
    shown: String,
    verdict: CheckVerdict,
    evidence: String,
    bound: Option<Enclosure>,
    /// Declared less exact.
    difference: Option<f64>,
}

fn clause_of(figure: Figure) -> Clause {
    match figure {
        Figure::Rtp | Figure::RtpConditional | Figure::VolatilityIndex => Clause::NY_A8,
        Figure::HitFrequency
        | Figure::MeanMeter
        | Figure::VarianceMeter
        | Figure::StdDevMeter
        | Figure::MaxMeter => Clause::G,
        Figure::MeanSpins => Clause::F5,
    }
}

fn compare_number(enclosure: Enclosure, number: &Decimal) -> Outcome {
    let exactly =
        |bound: f64| RBig::try_from(bound).expect("the bounds of an enclosure are finite");
    let (lower, upper) = (
        number.digits_of(&exactly(enclosure.lower())),
        number.digits_of(&exactly(enclosure.upper())),
    );
    let declared = number.digits_of(&number.value);
    let shown = if lower == upper {
        written(number, &lower)
    } else {
        format!("{} to {}", written(number, &lower), written(number, &upper))
    };
    let (verdict, words) = if declared < lower || declared > upper {
        (CheckVerdict::Fail, "differs from")
    } else if lower == upper {
        (CheckVerdict::Pass, "agrees with")
    } else {
        (
            CheckVerdict::Inconclusive,
            "cannot be told from the proven bounds of",
        )
    };
    Outcome {
        evidence: format!("declared {} {words} the exact {shown}", number.text),
        shown,
        verdict,
        bound: Some(enclosure),
        difference: RBig::try_from(enclosure.value())
            .ok()
            .map(|exact| (&number.value - exact).to_f64().value()),
    }
}

/// Digits in the form of a declared figure: the same places, the same percent sign.
fn written(like: &Decimal, digits: &IBig) -> String {
    let places = usize::try_from(like.places).expect("a decimal has few digits");
    let text = digits.to_string();
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or(("", text.as_str()), |digits| ("-", digits));
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    let point = if places > 0 { "." } else { "" };
    let percent = if like.is_percentage { "%" } else { "" };
    format!("{sign}{whole}{point}{fraction}{percent}")
}

fn compare_largest(largest: LargestMeter, value: &DeclaredValue) -> Outcome {
    let (shown, verdict) = match (largest, value) {
        (LargestMeter::Unbounded, DeclaredValue::Unbounded) => {
            ("unbounded".to_owned(), CheckVerdict::Pass)
        }
        (LargestMeter::Unbounded, DeclaredValue::Number(_)) => {
            ("unbounded".to_owned(), CheckVerdict::Fail)
        }
        (LargestMeter::Finite(largest), DeclaredValue::Number(number))
            if number.value == RBig::from(largest) =>
        {
            (largest.to_string(), CheckVerdict::Pass)
        }
        (LargestMeter::Finite(largest), _) => (largest.to_string(), CheckVerdict::Fail),
        (LargestMeter::NotComputed, _) => ("not computed".to_owned(), CheckVerdict::Inconclusive),
    };
    let declared = match value {
        DeclaredValue::Number(number) => number.text.as_str(),
        DeclaredValue::Unbounded => "unbounded",
    };
    let mut evidence = format!("declared largest meter {declared}, by reachability {shown}");
    if let (LargestMeter::Unbounded, DeclaredValue::Number(_)) = (largest, value) {
        evidence.push_str(
            ": an award without a bound is declared with one, where 5319.47(a)(2) wants its range shown",
        );
    }
    let difference = match (largest, value) {
        (LargestMeter::Finite(largest), DeclaredValue::Number(number)) => {
            Some((&number.value - RBig::from(largest)).to_f64().value())
        }
        _ => None,
    };
    Outcome {
        evidence,
        verdict,
        shown,
        bound: None,
        difference,
    }
}

#[cfg(test)]
#[path = "declared_tests.rs"]
mod tests;
