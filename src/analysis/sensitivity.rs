//! How the return moves with each section of the wheels: 693.6(a) has a physical outer wheel,
//! and a physical wheel is never quite fair.
//!
//! The derivatives are those of [`exact::derivatives`]: along `e_i - p`, weight moved to section
//! i from all sections in proportion. For a small change of the wheel, probabilities p + x with
//! sum of `x_i` = 0, the return changes by the sum of `x_i g_i`, g the derivatives.
//!
//! # The extreme wheels of a bias
//!
//! Among the wheels with |`p_i` / `p0_i` - 1| <= b for every section (p0 the paytable's
//! probabilities), the sum of `x_i g_i` is largest where probability is shifted from the sections
//! with the smallest g to those with the largest: sorted by g, the upper sections up to half of
//! the total probability are raised by the factor 1 + b, the lower ones lowered by 1 - b, and the
//! one section in between takes the rest. The derivatives are then taken again at that wheel, and
//! so on until the wheel stays the same.
//!
//! Guarantee: the figures of an extreme wheel are enclosures at that very wheel, whose weights
//! are integers. That no other wheel of the bias does better is not proved: the wheel is a
//! stationary point, where the linearisation at the wheel itself is at its optimum.

use dashu_ratio::RBig;
use thiserror::Error;

use crate::exact::{self, Derivatives, Enclosure, ExactError};
use crate::paytable::{Definition, Paytable, PaytableError};
use crate::rules::Trigger;

/// Linearisations after which the search for an extreme wheel ends unsettled.
const MAX_STEPS: u32 = 20;
/// The largest weight of a section.
const MAX_WEIGHT: u64 = 1 << 32;

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SensitivityError {
    /// The exact calculation was refused.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// The bias is not in (0, 1).
    #[error("a bias is in (0, 1), found {bias}")]
    Bias {
        /// The bias asked for.
        bias: RBig,
    },
    /// The weights of a wheel with this bias are too large.
    #[error("with a bias of {bias} the wheel's integer weights pass 2^32: ask for fewer digits")]
    Weight {
        /// The bias asked for.
        bias: RBig,
    },
    /// A biased wheel is no legal game.
    #[error("the wheel with a bias of {bias} is no legal game")]
    Game {
        /// The bias asked for.
        bias: RBig,
        /// What is wrong with it.
        #[source]
        source: PaytableError,
    },
}

/// An extreme wheel.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// Weights of the outer sections, clockwise; their greatest common divisor is 1.
    pub weights: Vec<u64>,
    /// Overall return at this wheel, without `max_meter`.
    pub rtp: Enclosure,
    /// Mean meter at this wheel, without `max_meter`.
    pub mean_meter: Enclosure,
    /// The return that the derivatives at the paytable's own wheel predict for the first wheel
    /// of the search.
    pub first_order_rtp: f64,
    /// Linearisations made.
    pub steps: u32,
    /// Whether the last linearisation left the wheel as it was.
    pub is_settled: bool,
}

/// The two extreme wheels of a bias.
#[derive(Debug, Clone, PartialEq)]
pub struct Extremes {
    /// The largest relative change of a section's probability.
    pub bias: RBig,
    /// The wheel with the smallest return found.
    pub lowest: Extreme,
    /// The wheel with the largest return found.
    pub highest: Extreme,
}

/// The sensitivity of one trigger's return.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// The derivatives.
    pub derivatives: Derivatives,
    /// The extreme wheels, if a bias was given.
    pub extremes: Option<Extremes>,
}

/// Derivatives, and with a bias the extreme outer wheels.
///
/// # Arguments
/// - `bias`: the largest relative change of a section's probability, in (0, 1)
///
/// # Errors
/// - [`SensitivityError::Exact`]: the derivatives were refused
/// - [`SensitivityError::Bias`], [`SensitivityError::Weight`]: the bias cannot be used
/// - [`SensitivityError::Game`]: a biased wheel need not end its rounds
///
/// # Accuracy
/// See [`exact::derivatives`] and the module's header.
pub fn sensitivity(
    paytable: &Paytable,
    trigger: Trigger,
    bias: Option<&RBig>,
) -> Result<Sensitivity, SensitivityError> {
    let derivatives = exact::derivatives(paytable, trigger)?;
    let extremes = bias
        .map(|bias| {
            if *bias <= RBig::ZERO || *bias >= RBig::ONE {
                return Err(SensitivityError::Bias { bias: bias.clone() });
            }
            Ok(Extremes {
                bias: bias.clone(),
                lowest: extreme(paytable, &derivatives, bias, false)?,
                highest: extreme(paytable, &derivatives, bias, true)?,
            })
        })
        .transpose()?;
    Ok(Sensitivity {
        derivatives,
        extremes,
    })
}

fn extreme(
    paytable: &Paytable,
    fair: &Derivatives,
    bias: &RBig,
    largest: bool,
) -> Result<Extreme, SensitivityError> {
    let own = &paytable.outer_wheel.weights;
    let gains = |at: &Derivatives| -> Vec<f64> {
        at.outer
            .iter()
            .map(|section| {
                let gain = section.rtp.value();
                if largest { gain } else { -gain }
            })
            .collect()
    };
    let mut weights = shifted(own, bias, &gains(fair))?;
    let first_order_rtp = first_order(fair, own, &weights);
    let mut best: Option<Extreme> = None;
    for steps in 1..=MAX_STEPS {
        let mut definition: Definition = (**paytable).clone();
        definition.outer_wheel.weights.clone_from(&weights);
        let biased = Paytable::new(definition).map_err(|source| SensitivityError::Game {
            bias: bias.clone(),
            source,
        })?;
        let at = exact::derivatives(&biased, fair.trigger)?;
        let next = shifted(own, bias, &gains(&at))?;
        let is_settled = next == weights;
        let better = best.as_ref().is_none_or(|best| {
            let (new, old) = (at.rtp.value(), best.rtp.value());
            if largest { new >= old } else { new <= old }
        });
        if better {
            best = Some(Extreme {
                weights: weights.clone(),
                rtp: at.rtp,
                mean_meter: at.mean_meter,
                first_order_rtp,
                steps,
                is_settled,
            });
        }
        if is_settled {
            break;
        }
        weights = next;
    }
    Ok(best.expect("at least one wheel was evaluated"))
}

/// The weights that make the sum of weight times gain largest, each within the bias of its own.
fn shifted(own: &[u64], bias: &RBig, gains: &[f64]) -> Result<Vec<u64>, SensitivityError> {
    let too_large = || SensitivityError::Weight { bias: bias.clone() };
    let number = |value: u128| u64::try_from(value).map_err(|_| too_large());
    let up = u128::try_from(bias.numerator().clone()).map_err(|_| too_large())?;
    let unit = u128::try_from(bias.denominator().clone()).map_err(|_| too_large())?;
    if unit > u128::from(MAX_WEIGHT) {
        return Err(too_large());
    }
    let mut order: Vec<usize> = (0..own.len()).collect();
    order.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]));
    let total: u128 = own.iter().map(|&weight| u128::from(weight)).sum();
    let mut weights = vec![0_u128; own.len()];
    let mut seen = 0_u128;
    for &index in &order {
        let weight = u128::from(own[index]);
        // Twice the weight of this section that lies in the upper half of the total.
        let upper = (total.saturating_sub(2 * seen)).min(2 * weight);
        // Raised on that part, lowered on the rest: weight (1 - b) + upper b.
        weights[index] = weight * (unit - up) + upper * up;
        seen += weight;
    }
    let divisor = weights
        .iter()
        .fold(0, |divisor, &weight| gcd(divisor, weight));
    weights
        .into_iter()
        .map(|weight| {
            let weight = number(weight / divisor.max(1))?;
            if weight > MAX_WEIGHT {
                return Err(too_large());
            }
            Ok(weight)
        })
        .collect()
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The return at other weights by the derivatives alone.
fn first_order(at: &Derivatives, own: &[u64], weights: &[u64]) -> f64 {
    let total = |weights: &[u64]| {
        weights
            .iter()
            .fold(RBig::ZERO, |sum, &weight| sum + RBig::from(weight))
    };
    let (before, after) = (total(own), total(weights));
    own.iter()
        .zip(weights)
        .zip(&at.outer)
        .fold(at.rtp.value(), |rtp, ((&old, &new), section)| {
            let moved = RBig::from(new) / &after - RBig::from(old) / &before;
            rtp + moved.to_f64().value() * section.rtp.value()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paytable::fixture;

    fn pa() -> Paytable {
        Paytable::new(fixture::pa()).expect("a legal paytable")
    }

    fn ratio(a: u64, b: u64) -> RBig {
        RBig::from(a) / RBig::from(b)
    }

    #[test]
    fn the_shift_is_the_optimum_of_a_linear_program() {
        // By hand: weights 1, 2, 3, total 6; the best section and half of the total's rest.
        let found = shifted(&[1, 2, 3], &ratio(1, 10), &[3.0, 2.0, 1.0]).expect("small");
        // 1 and 2 are exactly half: raised to 1.1 and 2.2; 3 lowered to 2.7.
        assert_eq!(found, [11, 22, 27]);
        // The section in the middle takes the rest: 2 up, 1 of 3 up and 2 of 3 down, 1 down.
        let found = shifted(&[2, 3, 1], &ratio(1, 10), &[3.0, 2.0, 1.0]).expect("small");
        assert_eq!(found, [22, 29, 9]);
        let even = shifted(&[1; 4], &ratio(1, 2), &[0.0, 3.0, 1.0, 2.0]).expect("small");
        assert_eq!(even, [1, 3, 1, 3]);
    }

    #[test]
    fn extreme_wheels_stay_in_the_bias_and_enclose_the_first_order() {
        let bias = ratio(1, 20);
        let found = sensitivity(&pa(), Trigger::Two, Some(&bias)).expect("a proper game");
        let extremes = found.extremes.expect("a bias was given");
        let fair = found.derivatives.rtp.value();
        for extreme in [&extremes.lowest, &extremes.highest] {
            assert!(extreme.is_settled);
            let total: u64 = extreme.weights.iter().sum();
            for &weight in &extreme.weights {
                let relative = ratio(weight, total) * RBig::from(54) - RBig::ONE;
                assert!(relative <= bias && -relative <= bias);
            }
            // Second order in the bias.
            let curved = (extreme.rtp.value() - extreme.first_order_rtp).abs();
            assert!(
                curved < 0.3 * (extreme.rtp.value() - fair).abs(),
                "{curved}"
            );
            let mut definition: Definition = (*pa()).clone();
            definition.outer_wheel.weights.clone_from(&extreme.weights);
            let biased = Paytable::new(definition).expect("a legal paytable");
            let exact = exact::solve(&biased, Trigger::Two).expect("a proper game");
            assert!(exact.returns.rtp.overlaps(extreme.rtp));
        }
        assert!(extremes.lowest.rtp.upper() < fair && fair < extremes.highest.rtp.lower());
    }

    /// No wheel with some sections raised and as many lowered does better.
    #[test]
    fn other_wheels_of_the_bias_do_not_pass_the_extremes() {
        let bias = ratio(1, 20);
        let found = sensitivity(&pa(), Trigger::Two, Some(&bias)).expect("a proper game");
        let extremes = found.extremes.expect("a bias was given");
        let mut state = 12_345_u64;
        for _ in 0..20 {
            let mut weights = vec![19_u64; 54];
            let mut raised = 0;
            while raised < 27 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let index = usize::try_from((state >> 33) % 54).expect("small");
                if weights[index] == 19 {
                    weights[index] = 21;
                    raised += 1;
                }
            }
            let mut definition: Definition = (*pa()).clone();
            definition.outer_wheel.weights = weights;
            let biased = Paytable::new(definition).expect("a legal paytable");
            let at = exact::derivatives(&biased, Trigger::Two).expect("a proper game");
            assert!(extremes.lowest.rtp.lower() <= at.rtp.upper());
            assert!(at.rtp.lower() <= extremes.highest.rtp.upper());
        }
    }

    #[test]
    fn a_bias_outside_its_range_is_refused() {
        for bias in [RBig::ZERO, RBig::ONE, RBig::from(-1)] {
            assert!(matches!(
                sensitivity(&pa(), Trigger::Two, Some(&bias)),
                Err(SensitivityError::Bias { .. })
            ));
        }
        let long = ratio(1, 10_000_000_000);
        assert!(matches!(
            sensitivity(&pa(), Trigger::Two, Some(&long)),
            Err(SensitivityError::Weight { .. })
        ));
    }
}
