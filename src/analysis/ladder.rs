//! The values that a parameter can take, in order.
//!
//! A parameter in whole numbers has rungs one apart. A factor on the starts has them where a
//! rounded start changes: the start x becomes round(r x), halves up, so the whole table is
//! constant for r in the step
//!
//! ```text
//! [ max_x (k_x - 1/2) / x,  min_x (k_x + 1/2) / x ),   k_x = floor(r x + 1/2)
//! ```
//!
//! and a step is a rung. Every step between two others is reached, since its left end belongs
//! to it. All arithmetic is in rationals.

use dashu_int::IBig;
use dashu_ratio::RBig;

/// A value of the parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameter {
    /// A whole number: a shift, a start, a cap.
    Whole(i64),
    /// The factors in `[from, to)`, which all give the same starts.
    Factors {
        /// The least factor.
        from: RBig,
        /// The least factor of the next step.
        to: RBig,
    },
    /// A fraction: `other_return`.
    Fraction(RBig),
}

/// Where to look between two rungs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    /// The rung after the lower one.
    Next,
    /// The rung before the upper one.
    Previous,
    /// So far along the way, in [0, 1].
    Fraction(f64),
    /// Far enough to halve what is left; near the lower end in proportion to the distance from
    /// the first rung, since ranges are far wider than what is looked for.
    Half,
}

/// The rungs of a parameter.
#[derive(Debug, Clone)]
pub(super) enum Ladder {
    /// The whole numbers from `lowest` to `highest`.
    Whole {
        lowest: i64,
        highest: i64,
        /// Whether the figure is nearly a straight line, so that interpolation helps.
        is_nearly_linear: bool,
    },
    /// The steps of a factor in `[from, to)` on the distinct starts.
    Steps {
        starts: Vec<u32>,
        from: RBig,
        to: RBig,
    },
}

fn half() -> RBig {
    RBig::from(1) / RBig::from(2)
}

/// x times the factor, halves rounded up.
pub(super) fn rounded(start: u32, factor: &RBig) -> u32 {
    let value: IBig = (RBig::from(start) * factor + half()).floor();
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl Ladder {
    /// The factors under which every rounded start stays in `[floor, most]`.
    pub(super) fn factors(mut starts: Vec<u32>, floor: u32, most: u32) -> Self {
        starts.sort_unstable();
        starts.dedup();
        let least = starts.first().copied().unwrap_or(1);
        let largest = starts.last().copied().unwrap_or(1);
        Self::Steps {
            from: (RBig::from(floor) - half()) / RBig::from(least),
            to: (RBig::from(most) + half()) / RBig::from(largest),
            starts,
        }
    }

    /// The first and the last rung; `None` where there is no rung at all.
    pub(super) fn ends(&self) -> Option<(Parameter, Parameter)> {
        match self {
            Self::Whole {
                lowest, highest, ..
            } => (lowest <= highest)
                .then_some((Parameter::Whole(*lowest), Parameter::Whole(*highest))),
            Self::Steps { starts, from, to } => {
                (from < to).then(|| (step_at(starts, from), step_before(starts, to)))
            }
        }
    }

    /// Whether interpolation helps.
    pub(super) fn is_nearly_linear(&self) -> bool {
        match self {
            Self::Whole {
                is_nearly_linear, ..
            } => *is_nearly_linear,
            Self::Steps { .. } => true,
        }
    }

    /// A rung above another one, about eight times as far from where the ladder begins, or the
    /// last one.
    pub(super) fn leap(&self, rung: &Parameter, last: &Parameter) -> Parameter {
        match (self, rung, last) {
            (Self::Whole { lowest, .. }, Parameter::Whole(rung), Parameter::Whole(last)) => {
                let distance = (rung - lowest + 1).saturating_mul(8);
                Parameter::Whole(lowest.saturating_add(distance).clamp(rung + 1, *last))
            }
            (
                Self::Steps { starts, .. },
                Parameter::Factors { to: end, .. },
                Parameter::Factors { from: limit, .. },
            ) => {
                let factor = end * RBig::from(8);
                if factor < *limit {
                    step_at(starts, &factor)
                } else {
                    last.clone()
                }
            }
            _ => last.clone(),
        }
    }

    /// A rung strictly between two others, or `None` where they are neighbours.
    pub(super) fn between(
        &self,
        lower: &Parameter,
        upper: &Parameter,
        aim: Aim,
    ) -> Option<Parameter> {
        match (self, lower, upper) {
            (Self::Whole { lowest, .. }, Parameter::Whole(lower), Parameter::Whole(upper)) => {
                let (lower, upper) = (*lower, *upper);
                if upper - lower < 2 {
                    return None;
                }
                let guess = match aim {
                    Aim::Next => lower + 1,
                    Aim::Previous => upper - 1,
                    Aim::Fraction(part) => lower + part_of(upper - lower, part),
                    Aim::Half => {
                        // The geometric mean of the distances from just before the first rung.
                        let distances = [lower, upper].map(|end| (end - lowest + 1).unsigned_abs());
                        let product = u128::from(distances[0]) * u128::from(distances[1]);
                        lowest - 1 + i64::try_from(product.isqrt()).unwrap_or(i64::MAX)
                    }
                };
                Some(Parameter::Whole(guess.clamp(lower + 1, upper - 1)))
            }
            (
                Self::Steps { starts, .. },
                Parameter::Factors { to: lower, .. },
                Parameter::Factors { from: upper, .. },
            ) => {
                if lower >= upper {
                    return None;
                }
                let along = |part: RBig| step_at(starts, &(lower + (upper - lower) * part));
                Some(match aim {
                    Aim::Next => step_at(starts, lower),
                    Aim::Previous => step_before(starts, upper),
                    Aim::Half => along(half()),
                    Aim::Fraction(part) => {
                        let part = part_of(PARTS, part).clamp(0, PARTS - 1);
                        along(RBig::from(part) / RBig::from(PARTS))
                    }
                })
            }
            _ => None,
        }
    }
}

/// How finely the way between two steps is divided.
const PARTS: i64 = 1 << 20;

/// A part of a whole, rounded down; a part that is no number is half.
fn part_of(whole: i64, part: f64) -> i64 {
    let part = if part.is_finite() { part } else { 0.5 };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a guess: wherever it lands, the search goes on from there"
    )]
    let guess = (whole as f64 * part.clamp(0.0, 1.0)).floor() as i64;
    guess
}

/// The step that a factor lies in.
fn step_at(starts: &[u32], factor: &RBig) -> Parameter {
    step(starts, |start| {
        (RBig::from(start) * factor + half()).floor()
    })
}

/// The step that ends at or after a factor and holds the factors just before it.
fn step_before(starts: &[u32], factor: &RBig) -> Parameter {
    step(starts, |start| (RBig::from(start) * factor - half()).ceil())
}

fn step(starts: &[u32], rounded: impl Fn(u32) -> IBig) -> Parameter {
    let ends = starts.iter().map(|&start| {
        let value = RBig::from(rounded(start));
        let start = RBig::from(start);
        ((&value - half()) / &start, (value + half()) / start)
    });
    let (from, to) = ends
        .reduce(|(from, to), (least, end)| (from.max(least), to.min(end)))
        .expect("a law of starts has a value");
    Parameter::Factors { from, to }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: i64) -> RBig {
        RBig::from(numerator) / RBig::from(denominator)
    }

    /// Starts 1 and 2: round(r) and round(2 r) change at 1/4, 1/2, 3/4, 5/4, 3/2, ...
    #[test]
    fn steps_follow_the_roundings_by_hand() {
        let ladder = Ladder::factors(vec![2, 1, 2], 1, 3);
        let (mut step, last) = ladder.ends().unwrap();
        let mut ends = Vec::new();
        loop {
            let Parameter::Factors { from, to } = &step else {
                panic!("{step:?}")
            };
            ends.push((rounded(1, from), rounded(2, from), from.clone(), to.clone()));
            if step == last {
                break;
            }
            step = ladder
                .between(&step, &last, Aim::Next)
                .unwrap_or(last.clone());
        }
        assert_eq!(
            ends,
            [
                (1, 1, ratio(1, 2), ratio(3, 4)),
                (1, 2, ratio(3, 4), ratio(5, 4)),
                (1, 3, ratio(5, 4), ratio(3, 2)),
                (2, 3, ratio(3, 2), ratio(7, 4)),
            ]
        );
    }

    #[test]
    fn every_aim_stays_strictly_between() {
        let whole = Ladder::Whole {
            lowest: -3,
            highest: 1_000_000_000_000,
            is_nearly_linear: true,
        };
        let steps = Ladder::factors(vec![2, 3, 8], 1, 1000);
        for ladder in [whole, steps] {
            let (lower, upper) = ladder.ends().unwrap();
            for aim in [
                Aim::Next,
                Aim::Previous,
                Aim::Half,
                Aim::Fraction(0.0),
                Aim::Fraction(0.3),
                Aim::Fraction(1.0),
                Aim::Fraction(f64::NAN),
                Aim::Fraction(7.0),
            ] {
                let found = ladder.between(&lower, &upper, aim).unwrap();
                assert!(found != lower && found != upper, "{aim:?} {found:?}");
                if matches!(aim, Aim::Next) {
                    assert_eq!(ladder.between(&lower, &found, Aim::Half), None);
                }
                if matches!(aim, Aim::Previous) {
                    assert_eq!(ladder.between(&found, &upper, Aim::Half), None);
                }
            }
        }
    }
}
