//! What a calculator of the distribution hands over.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use crate::exact::interval::Interval;

/// Relative rounding of a rational to the nearest `f64`, 2^-53, doubled.
const NEAREST: f64 = f64::EPSILON;
/// Below this a mass may have lost its relative accuracy in an `f64`, so it is left missing.
pub(super) const LEAST: f64 = 1e-290;

/// The part of the law of the uncapped meter M that a calculator holds, below the truth.
///
/// For every x, `pmf[x] (1 - rounding) <= P(M = x)`. The held part of x is at most `pmf[x] (1 + rounding)`, and what
/// P(M = x) has beyond it adds up, over all x and also beyond the end of `pmf`, to at most `missing`. So the distance
/// in total variation is at most `missing + rounding`.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Probabilities of the meters 0, 1, ..., each at least 0 and finite.
    pub pmf: Vec<f64>,
    /// Upper bound of the probability that is not in `pmf`.
    pub missing: f64,
    /// Relative error of every entry of `pmf`, in [0, 1e-6].
    pub rounding: f64,
    /// How it was found, with sizes, for people.
    pub method: String,
}

impl Held {
    /// A law in rationals, or a part of one.
    ///
    /// # Returns
    /// `None` where a meter is `most` or more.
    pub(super) fn from_rationals(
        law: &BTreeMap<u64, RBig>,
        most: usize,
        method: String,
    ) -> Option<Self> {
        let largest = law.keys().next_back().copied().unwrap_or(0);
        let size = usize::try_from(largest).ok().filter(|&size| size < most)?;
        let mut pmf = vec![0.0; size + 1];
        let mut missing = RBig::ONE;
        for (&meter, mass) in law {
            let nearest = mass.to_f64().value();
            if nearest > LEAST {
                let at = usize::try_from(meter).expect("no meter is above the largest");
                pmf[at] = nearest;
                missing -= mass;
            }
        }
        Some(Self {
            pmf,
            missing: Interval::from_rational(&missing).hi.max(0.0),
            rounding: NEAREST,
            method,
        })
    }
}
