//! The meter's mean and variance from the sums over down steps.
//!
//! A down step carries the label of character c with probability `pi_c`, independently of the
//! path ([`law`](super::law)), and then pays that character's multiplier `m_c`. Hence, i and j
//! running over down steps,
//!
//! ```text
//! E[M]   = sum_c pi_c E[sum_i m_c(i)]
//! E[M^2] = sum_c { pi_c E[sum_i m_c(i)^2] + pi_c^2 E[sum_{i != j} m_c(i) m_c(j)] }
//!        + 2 sum_{c < c'} pi_c pi_c' E[sum_{i != j} m_c(i) m_c'(j)]
//! ```
//!
//! (one step has one label, so i = j contributes only to c = c'). With `m_c(i) = x_c + y_i + P_i`
//! and `x_c` the start, the terms without P come from [`moments`](super::moments), the others
//! from [`floor`](super::floor):
//!
//! ```text
//! E[sum m]               = x d1 + b1                              + f1
//! E[sum m^2]             = x^2 d1 + 2 x b1 + q2                   + 2 (x f1 + r0) + t2
//! E[sum_{i != j} m m]    = x^2 d2 + 2 x k + bb                    + 2 (x g1 + g0) + tt
//! E[sum_{i != j} m m']   = x x' d2 + x k' + x' k + bb             + x' g1 + g0 + x g1' + g0' + pp
//! ```
//!
//! and all of it is averaged over the law of the starts. The variance is put together as the
//! variance without the floor, exact where there is no limit on spins, plus E2 - 2 E0 F - F^2,
//! with E0 the mean without the floor, F the floor's part of the mean and E2 its part of the
//! second moment: little cancels.

use std::ops::{Add, Mul};

use dashu_ratio::RBig;

use super::floor::FloorTables;
use super::interval::Interval;
use super::law::Law;
use super::moments::{Moments, Series};
use super::starts::Starts;

/// Mean and second moment of the meter without the floor.
pub(super) fn unfloored<S>(
    law: &Law,
    starts: &Starts,
    moments: &Moments<S>,
    at: impl Fn(&S) -> S::Scalar,
) -> (S::Scalar, S::Scalar)
where
    S: Series,
    S::Scalar: Add<Output = S::Scalar> + Mul<Output = S::Scalar>,
{
    let number = |exact: &RBig| S::scalar(exact);
    let two = || S::scalar(&RBig::from(2));
    let mut mean = number(&RBig::ZERO);
    let mut second = number(&RBig::ZERO);
    let (d1, d2) = (at(&moments.d1), at(&moments.d2));
    let firsts: Vec<RBig> = starts
        .single
        .iter()
        .map(|single| expectation(single.iter().map(|(x, p)| (RBig::from(*x), p))))
        .collect();
    for (c, single) in starts.single.iter().enumerate() {
        let class = &moments.class[law.class_of[c]];
        let square = expectation(
            single
                .iter()
                .map(|(x, p)| (RBig::from(*x) * RBig::from(*x), p)),
        );
        let (x, xx) = (number(&firsts[c]), number(&square));
        let pi = number(&law.label[c]);
        let (b1, k) = (at(&class.b1), at(&class.k));
        mean = mean + pi.clone() * (x.clone() * d1.clone() + b1.clone());
        let squares = xx.clone() * d1.clone() + two() * x.clone() * b1 + at(&class.q2);
        let products = xx * d2.clone() + two() * x * k + at(&class.same);
        second = second + pi.clone() * (squares + pi * products);
    }
    let mut pair = 0;
    for first in 0..firsts.len() {
        for other in first + 1..firsts.len() {
            let product = expectation(
                starts.double[pair]
                    .iter()
                    .map(|((x, y), p)| (RBig::from(*x) * RBig::from(*y), p)),
            );
            pair += 1;
            let (one, two_class) = (law.class_of[first], law.class_of[other]);
            let classes = (one.min(two_class), one.max(two_class));
            let index = pair_index(law, classes);
            let sum = number(&product) * d2.clone()
                + number(&firsts[first]) * at(&moments.class[two_class].k)
                + number(&firsts[other]) * at(&moments.class[one].k)
                + at(&moments.pair[index]);
            second = second + two() * number(&law.label[first]) * number(&law.label[other]) * sum;
        }
    }
    (mean, second)
}

fn expectation<'a>(law: impl Iterator<Item = (RBig, &'a RBig)>) -> RBig {
    law.fold(RBig::ZERO, |sum, (value, probability)| {
        sum + value * probability
    })
}

/// Where a pair of classes stands in [`Law::pairs`].
fn pair_index(law: &Law, classes: (usize, usize)) -> usize {
    law.pairs
        .binary_search(&classes)
        .expect("two characters' classes are among the pairs")
}

/// The floor's part of the mean and of the second moment, from counter `n`.
pub(super) fn from_floor(
    law: &Law,
    starts: &Starts,
    floor: u32,
    tables: &FloorTables,
    n: u32,
) -> (Interval, Interval) {
    let n = i64::from(n);
    let above = |x: u32| i64::from(x) - i64::from(floor);
    let two = Interval::point(2.0);
    let mut mean = Interval::ZERO;
    let mut second = Interval::ZERO;
    for (c, single) in starts.single.iter().enumerate() {
        let pi = Interval::from_rational(&law.label[c]);
        let [f1, g1, r0, g0, t2, tt] = &tables.class[law.class_of[c]];
        for (start, probability) in single.iter() {
            let weight = pi * Interval::from_rational(probability);
            let (x, m) = (Interval::from_int(i64::from(*start)), above(*start));
            let pushed = f1.enclosure(n, m);
            mean += weight * pushed;
            let squares = two * (x * pushed + r0.enclosure(n, m)) + t2.enclosure(n, m);
            let products = two * (x * g1.enclosure(n, m) + g0.enclosure(n, m)) + tt.enclosure(n, m);
            second += weight * (squares + pi * products);
        }
    }
    let mut pair = 0;
    for first in 0..starts.single.len() {
        for other in first + 1..starts.single.len() {
            let (mut one, mut two_class) = (law.class_of[first], law.class_of[other]);
            // Tables of pairs hold the lower class first.
            let swapped = one > two_class;
            if swapped {
                std::mem::swap(&mut one, &mut two_class);
            }
            let index = pair_index(law, (one, two_class));
            let [g0_one, g0_two] = &tables.cross[index];
            let mut sum = Interval::ZERO;
            for ((x, y), probability) in starts.double[pair].iter() {
                let (x, y) = if swapped { (*y, *x) } else { (*x, *y) };
                let (m, l) = (above(x), above(y));
                let part = Interval::from_int(i64::from(y)) * tables.class[one][1].enclosure(n, m)
                    + g0_one.enclosure(n, m)
                    + Interval::from_int(i64::from(x)) * tables.class[two_class][1].enclosure(n, l)
                    + g0_two.enclosure(n, l)
                    + tables.pair[index].enclosure(n, m, l);
                sum += Interval::from_rational(probability) * part;
            }
            pair += 1;
            let labels = Interval::from_rational(&(&law.label[first] * &law.label[other]));
            second += two * labels * sum;
        }
    }
    (mean, second)
}
