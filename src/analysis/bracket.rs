//! The rungs of a ladder between which a figure passes its target.
//!
//! The figure must not fall from rung to rung; that is for the caller to prove. It is known
//! between bounds only, so a rung is below the target, above it, or inside the bounds. From one
//! rung that is below, every lower one is; from one that is above, every higher one is. Hence
//! three answers: the last rung found to be below, the first found to be above, and those
//! between them, for which the bounds decide nothing.

use super::ladder::{Aim, Ladder, Parameter};

/// A rung against the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The figure is less than the target, by its upper bound.
    Below,
    /// The target lies between the figure's bounds.
    Inside,
    /// The figure is more than the target, by its lower bound.
    Above,
}

/// Where the figure passes the target. Without `below` no rung is known to be below, without
/// `above` none is known to be above; the three parts are neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) below: Option<Parameter>,
    pub(super) inside: Option<(Parameter, Parameter)>,
    pub(super) above: Option<Parameter>,
}

/// Searches a ladder from `first` to `last`.
///
/// # Arguments
/// - `judge`: the place of a rung, and the figure less the target as a number that guides the
///   search and decides nothing
///
/// # Accuracy
/// As good as the bounds behind `judge`: no rung in `below` or `above` is there wrongly.
///
/// # Performance
/// About eight calls where the figure is nearly linear, else about twice the logarithm of the
/// distance from the first rung.
pub(super) fn bracket<E>(
    ladder: &Ladder,
    (first, last): (Parameter, Parameter),
    mut judge: impl FnMut(&Parameter) -> Result<(Place, f64), E>,
) -> Result<Found, E> {
    // Up from the first rung by leaps, since a paytable's own value is near it and the last
    // rung far away; large starts can be slow to solve.
    let (mut base, mut top) = (first.clone(), first);
    let mut at_base = judge(&base)?.0;
    let mut at_top = at_base;
    while at_top != Place::Above && top != last {
        if at_top == Place::Below {
            base.clone_from(&top);
            at_base = at_top;
        }
        top = ladder.leap(&top, &last);
        at_top = judge(&top)?.0;
    }
    let (below, from) = match (at_base, at_top) {
        (_, Place::Below) => {
            return Ok(Found {
                below: Some(top),
                inside: None,
                above: None,
            });
        }
        (Place::Below, _) => {
            let (below, next) = boundary(ladder, base, top.clone(), &mut judge, |place| {
                place == Place::Below
            })?;
            (Some(below), next)
        }
        _ => (None, base),
    };
    if judge(&from)?.0 == Place::Above {
        return Ok(Found {
            below,
            inside: None,
            above: Some(from),
        });
    }
    let (to, above) = if at_top == Place::Above {
        let (to, above) = boundary(ladder, from.clone(), top, &mut judge, |place| {
            place != Place::Above
        })?;
        (to, Some(above))
    } else {
        (top, None)
    };
    Ok(Found {
        below,
        inside: Some((from, to)),
        above,
    })
}

/// Two neighbours of which the lower is low and the upper is not.
fn boundary<E>(
    ladder: &Ladder,
    mut lower: Parameter,
    mut upper: Parameter,
    judge: &mut impl FnMut(&Parameter) -> Result<(Place, f64), E>,
    is_low: impl Fn(Place) -> bool,
) -> Result<(Parameter, Parameter), E> {
    let mut ends = (judge(&lower)?.1, judge(&upper)?.1);
    let mut turn = 0_usize;
    let mut was_low = true;
    loop {
        // A straight line first, then the neighbour that would end the search at once, then a
        // halving, without which a curved figure would be approached from one side for ever.
        let aim = match (turn % 3, ladder.is_nearly_linear()) {
            (0, true) => Aim::Fraction(-ends.0 / (ends.1 - ends.0)),
            (1, true) if was_low => Aim::Next,
            (1, true) => Aim::Previous,
            _ => Aim::Half,
        };
        turn += 1;
        let Some(middle) = ladder.between(&lower, &upper, aim) else {
            return Ok((lower, upper));
        };
        let (place, distance) = judge(&middle)?;
        was_low = is_low(place);
        if was_low {
            lower = middle;
            ends.0 = distance;
        } else {
            upper = middle;
            ends.1 = distance;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::testing::property;

    const LAST: i64 = 1_000_000;

    /// A search for the target among f(0..=LAST), every value known to within `width`.
    fn search(
        is_nearly_linear: bool,
        target: f64,
        width: f64,
        f: impl Fn(f64) -> f64,
    ) -> (Found, usize) {
        let ladder = Ladder::Whole {
            lowest: 0,
            highest: LAST,
            is_nearly_linear,
        };
        let mut calls = 0;
        let found = bracket(&ladder, ladder.ends().unwrap(), |rung| {
            calls += 1;
            let Parameter::Whole(k) = rung else {
                panic!("{rung:?}")
            };
            let distance = f(f64::from(i32::try_from(*k).unwrap())) - target;
            let place = if distance + width < 0.0 {
                Place::Below
            } else if distance - width > 0.0 {
                Place::Above
            } else {
                Place::Inside
            };
            Ok::<_, Infallible>((place, distance))
        });
        (found.unwrap(), calls)
    }

    fn whole(k: i64) -> Parameter {
        Parameter::Whole(k)
    }

    #[test]
    fn a_straight_line_takes_a_handful_of_calls() {
        let (found, calls) = search(true, 1234.5, 0.0, |k| k);
        assert_eq!(found.below, Some(whole(1234)));
        assert_eq!(found.above, Some(whole(1235)));
        assert_eq!(found.inside, None);
        assert!(calls <= 10, "{calls}");
        let (found, _) = search(true, 1234.0, 0.0, |k| k);
        let hit = (Parameter::Whole(1234), Parameter::Whole(1234));
        assert_eq!(found.inside, Some(hit));
        assert_eq!(
            (found.below, found.above),
            (Some(whole(1233)), Some(whole(1235)))
        );
    }

    #[test]
    fn out_of_reach_only_one_side_is_known() {
        let (found, _) = search(true, -1.0, 0.0, |k| k);
        assert_eq!((found.below, found.above), (None, Some(whole(0))));
        let (found, _) = search(true, 2e6, 0.0, |k| k);
        assert_eq!((found.below, found.above), (Some(whole(LAST)), None));
        assert_eq!(found.inside, None);
    }

    #[test]
    fn bounds_that_are_wide_everywhere_decide_nothing() {
        let (found, _) = search(false, 5.0, 1e9, |k| k);
        assert_eq!((found.below, found.above), (None, None));
        let all = (Parameter::Whole(0), Parameter::Whole(LAST));
        assert_eq!(found.inside, Some(all));
    }

    proptest! {
        #![proptest_config(property(60))]

        /// Against a plain count, for curves that rise fast, slowly and in jumps.
        #[test]
        fn agrees_with_a_count(
            target in 0.0..1100.0_f64,
            width in prop_oneof![Just(0.0), 0.0..50.0_f64],
            shape in 0..3,
            is_nearly_linear: bool,
        ) {
            let f = |k: f64| match shape {
                0 => k.sqrt(),
                1 => 1000.0 * k / (k + 500.0),
                _ => (k / 1000.0).floor(),
            };
            let (found, calls) = search(is_nearly_linear, target, width, f);
            let all = (0..=LAST).map(|k| f(f64::from(i32::try_from(k).unwrap())) - target);
            let places: Vec<f64> = all.collect();
            let count = |found: usize| i64::try_from(found).unwrap();
            let below = count(places.iter().filter(|d| **d + width < 0.0).count());
            let above = count(places.iter().filter(|d| **d - width > 0.0).count());
            prop_assert_eq!(found.below, (below > 0).then(|| Parameter::Whole(below - 1)));
            prop_assert_eq!(found.above, (above > 0).then(|| Parameter::Whole(LAST + 1 - above)));
            let is_inside = below + above <= LAST;
            prop_assert_eq!(found.inside.is_some(), is_inside);
            prop_assert!(calls < 150, "{}", calls);
        }
    }
}
