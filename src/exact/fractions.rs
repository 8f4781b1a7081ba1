//! Figures as fractions, where they are rational and not too large to be found.
//!
//! Without a limit on spins the number of spins has rational moments, and so has the meter where
//! no potion can reach the floor: both are known from [`length`] and
//! [`moments`](super::moments). With `max_spins` the chain is finite and every moment is
//! rational. The counter's figures then follow from one spin less to come, with n the counter,
//! t the spins left and `p_d` the law of the counter's change (without character: `p°_d`):
//!
//! ```text
//! P_t(n) = sum_d p°_d P_{t-1}(n + d)        P_t(0) = P_0(n) = 1           P(meter = 0)
//! S_t(n) = 1 + sum_d p_d S_{t-1}(n + d)     S_t(0) = S_0(n) = 0           E[spins]
//! R_t(n) = 2 S_t(n) - 1 + sum_d p_d R_{t-1}(n + d), likewise              E[spins^2]
//! ```
//!
//! (E[(1 + X)^2] = 2 E[1 + X] - 1 + E[X^2].) The meter's moments are those of
//! [`recursion`](super::recursion). All run on integers over a denominator that is known
//! beforehand, the power of that of one spin.
//!
//! Guarantee: exact. What would take longer than a stated amount of work is `None`.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::law::Law;
use super::recursion::{self, common_denominator, numerator};
use super::starts::Starts;
use super::{length, meter, moments};
use crate::paytable::{Paytable, TriggerTerms};

/// Work that the meter's fractions may take, in nanoseconds of one core as they were measured,
/// roughly.
pub(super) const MAX_WORK: f64 = 1e9;
/// The share of it that the counter's fractions may take for each trigger: at about as many
/// spins their text becomes too long for a document.
const COUNTER_SHARE: f64 = 0.1;

/// The figures of a trigger as fractions in lowest terms; `None` where the value is not known
/// to be rational, or where finding the fraction would take more than about a second.
///
/// Without a limit on spins `mean_spins` and `variance_spins` are always known, the meter's
/// moments where no potion can lower a multiplier, and the hit frequency where it is 1. With
/// `max_spins` the counter's figures are known up to some hundreds of spins and the meter's up
/// to some tens on the Pennsylvania wheels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Fractions {
    /// Expected meter of a round as it is paid; `None` with `max_meter`.
    pub mean_meter: Option<RBig>,
    /// Variance of that meter; `None` with `max_meter`.
    pub variance_meter: Option<RBig>,
    /// Expected meter without `max_meter`.
    pub uncapped_mean_meter: Option<RBig>,
    /// Variance of the meter without `max_meter`.
    pub uncapped_variance_meter: Option<RBig>,
    /// P(meter > 0), in [0, 1].
    pub hit_frequency: Option<RBig>,
    /// Expected number of spins of a round.
    pub mean_spins: Option<RBig>,
    /// Variance of the number of spins.
    pub variance_spins: Option<RBig>,
}

impl Fractions {
    /// The mean and the variance of the meter without `max_meter`.
    pub(super) fn uncapped(&self) -> Option<(&RBig, &RBig)> {
        self.uncapped_mean_meter
            .as_ref()
            .zip(self.uncapped_variance_meter.as_ref())
    }

    /// The mean and the variance of the number of spins.
    pub(super) fn spins(&self) -> Option<(&RBig, &RBig)> {
        self.mean_spins.as_ref().zip(self.variance_spins.as_ref())
    }

    fn set_spins(&mut self, mean: RBig, variance: RBig) {
        self.mean_spins = Some(mean);
        self.variance_spins = Some(variance);
    }

    fn set_meter(&mut self, mean: RBig, second: &RBig, is_capped: bool) {
        let variance = second - &mean * &mean;
        if !is_capped {
            self.mean_meter = Some(mean.clone());
            self.variance_meter = Some(variance.clone());
        }
        self.uncapped_mean_meter = Some(mean);
        self.uncapped_variance_meter = Some(variance);
    }
}

/// The fractions of each game; without a limit on spins the drift is negative.
///
/// `most` is the work allowed, as [`MAX_WORK`].
pub(super) fn fractions(
    paytable: &Paytable,
    law: &Law,
    games: &[(&TriggerTerms, &Starts)],
    most: f64,
) -> Vec<Fractions> {
    let is_capped = paytable.rules.max_meter.is_some();
    let mut found = vec![Fractions::default(); games.len()];
    let starts: Vec<(u32, &Starts)> = games
        .iter()
        .map(|(terms, starts)| (terms.spins, *starts))
        .collect();
    let meters = match paytable.rules.max_spins {
        None => {
            let never_empty = law.steps(true).iter().all(|&(change, _)| change >= 0);
            for (fractions, &(spins, _)) in found.iter_mut().zip(&starts) {
                let (mean, variance) = length::unlimited_moments(&law.steps(false), spins);
                fractions.set_spins(mean, variance);
                // A round ends on a character if nothing else takes the counter down.
                fractions.hit_frequency = never_empty.then_some(RBig::ONE);
            }
            (law.largest_drop() == 0).then(|| {
                let polynomials = moments::unlimited(law);
                let at = |spins: u32| move |poly: &super::poly::Poly| poly.at(i64::from(spins));
                starts
                    .iter()
                    .map(|&(spins, starts)| meter::unfloored(law, starts, &polynomials, at(spins)))
                    .collect()
            })
        }
        Some(limit) => {
            for (fractions, &(spins, _)) in found.iter_mut().zip(&starts) {
                if let Some(counter) = Counter::run(law, spins, limit, most * COUNTER_SHARE) {
                    fractions.hit_frequency = Some(RBig::ONE - counter.zero);
                    let variance = counter.second - &counter.mean * &counter.mean;
                    fractions.set_spins(counter.mean, variance);
                }
            }
            let floor = paytable.rules.multiplier_floor;
            recursion::moments(law, floor, &starts, limit, most)
        }
    };
    for (fractions, (mean, second)) in found.iter_mut().zip(meters.into_iter().flatten()) {
        fractions.set_meter(mean, &second, is_capped);
    }
    found
}

/// The figures of the counter with a limit on spins.
struct Counter {
    /// P(meter = 0).
    zero: RBig,
    /// `E[spins]`.
    mean: RBig,
    /// E[spins^2].
    second: RBig,
}

impl Counter {
    /// `None` where the work would be more than `most`.
    fn run(law: &Law, start: u32, limit: u32, most: f64) -> Option<Self> {
        let steps = law.steps(false);
        let empty = law.steps(true);
        let denominator = common_denominator(steps.iter().chain(&empty).map(|(_, p)| p));
        let integers = |steps: &[(i64, RBig)]| -> Vec<(i64, IBig)> {
            steps
                .iter()
                .map(|(change, p)| (*change, numerator(p, &denominator)))
                .collect()
        };
        let (steps, empty) = (integers(&steps), integers(&empty));
        let rise = steps.iter().map(|&(change, _)| change).max().unwrap_or(0);
        let reach = recursion::Reach::new(limit, start, rise);
        let operations = recursion::count(2 * steps.len() + empty.len());
        let mut work = 0.0;
        for left in 1..=i64::from(limit) {
            work += recursion::count(reach.counters(left))
                * operations
                * recursion::cost(&denominator, left);
            if work > most {
                return None;
            }
        }
        let mut scale = IBig::ONE;
        let mut zero = vec![IBig::ONE];
        let mut mean = vec![IBig::ZERO];
        let mut second = vec![IBig::ZERO];
        for left in 1..=i64::from(limit) {
            let next = &scale * &denominator;
            let ahead = |column: &[IBig], steps: &[(i64, IBig)], n: i64| {
                steps.iter().fold(IBig::ZERO, |sum, (change, weight)| {
                    sum + weight * &column[recursion::index(n + change, left - 1)]
                })
            };
            let mut columns = (vec![next.clone()], vec![IBig::ZERO], vec![IBig::ZERO]);
            for n in 1..=recursion::signed(reach.counters(left)) {
                columns.0.push(ahead(&zero, &empty, n));
                let first = &next + ahead(&mean, &steps, n);
                columns
                    .2
                    .push(IBig::from(2) * &first - &next + ahead(&second, &steps, n));
                columns.1.push(first);
            }
            (zero, mean, second) = columns;
            scale = next;
        }
        let n = recursion::index(i64::from(start), i64::from(limit));
        let fraction = |column: &[IBig]| RBig::from(column[n].clone()) / RBig::from(scale.clone());
        Some(Self {
            zero: fraction(&zero),
            mean: fraction(&mean),
            second: fraction(&second),
        })
    }
}

#[cfg(test)]
mod tests;
