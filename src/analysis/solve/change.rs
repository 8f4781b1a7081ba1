//! A definition with one parameter changed, and the values that the parameter can take.

use dashu_ratio::RBig;

use super::SolveError;
use crate::analysis::ladder::{Ladder, Parameter, rounded};
use crate::analysis::starts::{change_laws, laws, moved, values};
use crate::paytable::{Definition, Paytable, StartLaw};
use crate::rules::{Character, Trigger};

/// The largest start that a paytable may have.
const LARGEST_START: u32 = 1_000_000;
/// The largest cap on the meter that a paytable may have.
const LARGEST_CAP: i64 = 1_000_000_000_000;
/// The largest `other_return` that a paytable may have.
pub(super) const LARGEST_OTHER_RETURN: u32 = 1000;

/// The parameter that may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vary {
    /// A whole number added to every start of every law.
    Shift,
    /// A factor on every start of every law, each product rounded to the nearest whole number,
    /// halves up.
    Scale,
    /// The start of one character under a fixed law, for every trigger that is asked for.
    Start(Character),
    /// The return from all other main-wheel outcomes, the same for every trigger asked for.
    OtherReturn,
    /// The cap on the meter, in place of the paytable's own.
    Cap,
}

/// The values of a parameter, other than `other_return`.
pub(super) fn ladder(
    paytable: &Paytable,
    triggers: &[Trigger],
    vary: Vary,
) -> Result<Ladder, SolveError> {
    let floor = paytable.rules.multiplier_floor;
    let starts: Vec<u32> = laws(paytable).flat_map(values).collect();
    let least = starts.iter().min().copied().unwrap_or(floor);
    let largest = starts.iter().max().copied().unwrap_or(floor);
    let whole = |lowest, highest, is_nearly_linear| Ladder::Whole {
        lowest,
        highest,
        is_nearly_linear,
    };
    let ladder = match vary {
        Vary::Shift => whole(
            i64::from(floor) - i64::from(least),
            i64::from(LARGEST_START) - i64::from(largest),
            true,
        ),
        Vary::Scale => Ladder::factors(starts, floor, LARGEST_START),
        Vary::Start(character) => {
            for &trigger in triggers {
                let has_start = matches!(
                    paytable.start_law(trigger),
                    StartLaw::Fixed { values } if values.contains_key(&character)
                );
                if !has_start {
                    return Err(SolveError::NoSuchStart { trigger, character });
                }
            }
            whole(floor.into(), LARGEST_START.into(), true)
        }
        Vary::Cap | Vary::OtherReturn => whole(1, LARGEST_CAP, false),
    };
    if ladder.ends().is_none() {
        return Err(SolveError::NoLegalValue);
    }
    Ok(ladder)
}

/// A definition with the parameter at a value; the rest as it is.
///
/// # Arguments
/// - `triggers`: those asked for; a start of one character and `other_return` change for them
///   alone, and so for the others where they share the law
/// - `parameter`: of the kind that `vary` takes; of a step of factors, its left end
#[must_use]
pub fn changed(
    definition: &Definition,
    triggers: &[Trigger],
    vary: Vary,
    parameter: &Parameter,
) -> Definition {
    let mut changed = definition.clone();
    let start = |value: i64| u32::try_from(value.max(0)).unwrap_or(u32::MAX);
    match (vary, parameter) {
        (Vary::Shift, Parameter::Whole(shift)) => change_laws(&mut changed, |law| {
            moved(law, &|value| start(i64::from(value) + shift))
        }),
        (Vary::Scale, Parameter::Factors { from, .. }) => change_laws(&mut changed, |law| {
            moved(law, &|value| rounded(value, from))
        }),
        (Vary::Start(character), Parameter::Whole(value)) => {
            let set = |law: &mut StartLaw| {
                if let StartLaw::Fixed { values } = law {
                    values.insert(character, start(*value));
                }
            };
            let asked = changed
                .triggers
                .iter_mut()
                .filter(|terms| triggers.contains(&terms.trigger));
            let mut is_common = false;
            for terms in asked {
                match &mut terms.starting_multipliers {
                    Some(law) => set(law),
                    None => is_common = true,
                }
            }
            if is_common {
                set(&mut changed.starting_multipliers);
            }
        }
        (Vary::OtherReturn, Parameter::Fraction(value)) => {
            for terms in &mut changed.triggers {
                if triggers.contains(&terms.trigger) {
                    terms.other_return.clone_from(value);
                }
            }
        }
        (Vary::Cap, Parameter::Whole(cap)) => {
            changed.rules.max_meter = Some(cap.unsigned_abs());
        }
        // A parameter of another kind changes nothing.
        _ => {}
    }
    changed
}

/// A fraction to twelve places, halves away from zero, kept in the legal range of
/// `other_return`.
pub(super) fn twelve_places(value: &RBig) -> RBig {
    let scale = RBig::from(1_000_000_000_000_u64);
    let digits = crate::paytable::round_half_away(value, 12);
    (RBig::from(digits) / scale).clamp(RBig::ZERO, RBig::from(LARGEST_OTHER_RETURN))
}
