//! What the down steps would pay if there were no floor, as moments.
//!
//! From counter n on, let D be the number of down steps to come, and `y_i` what has been added
//! to a character's multiplier between now and the i-th of them (inner additions and potions,
//! the addition of that spin included). Without the floor its multiplier at that step is x +
//! `y_i` for a present multiplier x. Kept are
//!
//! ```text
//! d1 = E[D]             b1 = E[sum_i y_i]              q2 = E[sum_i y_i^2]
//! d2 = E[D (D - 1)]     k  = E[sum_{i != j} y_j]       bb = E[sum_{i != j} y_i y'_j]
//! ```
//!
//! with y' of a second character (or, in `same`, of the first one). One spin with probability
//! p, counter change d, addition a, shift s = a + delta (a' and s' of the second character)
//! turns every later `y_i` into s + `y_i`, and a down step is itself worth a. Hence with
//! everything on the right at n + d, and 1 = 1{down step},
//!
//! ```text
//! d1 = E[1 + d1]
//! b1 = E[1 a + s d1 + b1]
//! q2 = E[1 a^2 + s^2 d1 + 2 s b1 + q2]
//! d2 = E[2 1 d1 + d2]
//! k  = E[1 (2 a d1 + b1) + s d2 + k]
//! bb = E[1 (2 a a' d1 + a b1' + a' b1) + s s' d2 + s k' + s' k + bb]
//! ```
//!
//! The same equations hold with a limit on the spins, where the right side belongs to one spin
//! less. So they are written once, for polynomials of n ([`Poly`], no limit, exact rationals)
//! and for columns of intervals ([`Column`], one for each number of spins left).

use dashu_ratio::RBig;

use super::interval::Interval;
use super::law::{Law, Outcome};
use super::poly::Poly;

/// A function of the counter.
pub(super) trait Series: Clone {
    /// What its values are.
    type Scalar: Clone;
    /// A rational as a value.
    fn scalar(exact: &RBig) -> Self::Scalar;
    /// The constant function, shaped as [`mix`](Self::mix) shapes its result.
    fn constant(&self, value: &Self::Scalar) -> Self;
    /// The sum of `weight * self(n + change)`.
    fn mix(&self, weights: &[(i64, Self::Scalar)]) -> Self;
    /// The sum of two functions.
    fn plus(self, other: &Self) -> Self;
}

impl Series for Poly {
    type Scalar = RBig;

    fn scalar(exact: &RBig) -> RBig {
        exact.clone()
    }

    fn constant(&self, value: &RBig) -> Self {
        Self::constant(value.clone())
    }

    fn mix(&self, weights: &[(i64, RBig)]) -> Self {
        Self::mix(self, weights)
    }

    fn plus(self, other: &Self) -> Self {
        Self::plus(self, other)
    }
}

/// Values for the counters 0 to t, with t spins left before the limit.
///
/// A counter of t or more cannot reach 0 in t spins, so its value is that of t.
#[derive(Debug, Clone)]
pub(super) struct Column(Vec<Interval>);

impl Column {
    /// No spin left: 0.
    pub(super) fn ended() -> Self {
        Self(vec![Interval::ZERO])
    }

    /// The value at a counter.
    pub(super) fn at(&self, n: i64) -> Interval {
        let last = self.0.len() - 1;
        self.0[usize::try_from(n).map_or(0, |n| n.min(last))]
    }
}

impl Series for Column {
    type Scalar = Interval;

    fn scalar(exact: &RBig) -> Interval {
        Interval::from_rational(exact)
    }

    fn constant(&self, value: &Interval) -> Self {
        let mut column = vec![*value; self.0.len() + 1];
        column[0] = Interval::ZERO;
        Self(column)
    }

    fn mix(&self, weights: &[(i64, Interval)]) -> Self {
        let mut column = vec![Interval::ZERO];
        let levels = i64::try_from(self.0.len()).expect("a column fits memory");
        for n in 1..=levels {
            column.push(
                weights
                    .iter()
                    .fold(Interval::ZERO, |sum, &(change, weight)| {
                        sum + weight * self.at(n + change)
                    }),
            );
        }
        Self(column)
    }

    fn plus(mut self, other: &Self) -> Self {
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            *mine += theirs;
        }
        self
    }
}

/// Weights by change of the counter.
type Mix<T> = Vec<(i64, T)>;

/// The expectations over one spin that the equations need.
#[derive(Debug)]
pub(super) struct Weights<T> {
    /// E[1], that is the law of the counter's change.
    pub(super) one: Mix<T>,
    down: Mix<T>,
    twice_down: Mix<T>,
    /// Probability of a down step.
    pub(super) down_probability: T,
    /// By class.
    pub(super) class: Vec<ClassWeights<T>>,
    /// For each pair of classes E[s s'].
    pair: Vec<Mix<T>>,
}

#[derive(Debug)]
pub(super) struct ClassWeights<T> {
    /// `E[s]`.
    pub(super) shift: Mix<T>,
    twice_shift: Mix<T>,
    shift_squared: Mix<T>,
    down_add: Mix<T>,
    twice_down_add: Mix<T>,
    twice_down_add_squared: Mix<T>,
    /// E[1 a], summed.
    pub(super) down_add_mean: T,
    down_add_square_mean: T,
}

/// The sum of probability times `value`, by change of the counter.
fn gather<S: Series>(
    outcomes: &[Outcome<RBig>],
    value: impl Fn(&Outcome<RBig>) -> i64,
) -> Mix<S::Scalar> {
    let mut sums = std::collections::BTreeMap::<i64, RBig>::new();
    for outcome in outcomes {
        *sums.entry(outcome.change).or_insert(RBig::ZERO) +=
            RBig::from(value(outcome)) * &outcome.probability;
    }
    sums.into_iter()
        .filter(|(_, sum)| !sum.is_zero())
        .map(|(change, sum)| (change, S::scalar(&sum)))
        .collect()
}

/// The sum of probability times `value`.
fn mean<S: Series>(outcomes: &[Outcome<RBig>], value: impl Fn(&Outcome<RBig>) -> i64) -> S::Scalar {
    let sum = outcomes.iter().fold(RBig::ZERO, |sum, outcome| {
        sum + RBig::from(value(outcome)) * &outcome.probability
    });
    S::scalar(&sum)
}

/// The weights of a spin's law.
pub(super) fn weights<S: Series>(law: &Law) -> Weights<S::Scalar> {
    let down = |o: &Outcome<RBig>| i64::from(o.down);
    let first = law.outcomes(0, None);
    Weights {
        one: gather::<S>(&first, |_| 1),
        down: gather::<S>(&first, down),
        twice_down: gather::<S>(&first, |o| 2 * down(o)),
        down_probability: mean::<S>(&first, down),
        class: (0..law.selection.len())
            .map(|class| {
                let outcomes = law.outcomes(class, None);
                ClassWeights {
                    shift: gather::<S>(&outcomes, Outcome::shift),
                    twice_shift: gather::<S>(&outcomes, |o| 2 * o.shift()),
                    shift_squared: gather::<S>(&outcomes, |o| o.shift() * o.shift()),
                    down_add: gather::<S>(&outcomes, |o| down(o) * o.add),
                    twice_down_add: gather::<S>(&outcomes, |o| 2 * down(o) * o.add),
                    twice_down_add_squared: gather::<S>(&outcomes, |o| 2 * down(o) * o.add * o.add),
                    down_add_mean: mean::<S>(&outcomes, |o| down(o) * o.add),
                    down_add_square_mean: mean::<S>(&outcomes, |o| down(o) * o.add * o.add),
                }
            })
            .collect(),
        pair: law
            .pairs
            .iter()
            .map(|&(first, second)| {
                let outcomes = law.outcomes(first, Some(second));
                gather::<S>(&outcomes, |o| o.shift() * o.partner_shift())
            })
            .collect(),
    }
}

/// The moments of the module's header.
#[derive(Debug, Clone)]
pub(super) struct Moments<S> {
    /// `E[D]`.
    pub(super) d1: S,
    /// E[D (D - 1)].
    pub(super) d2: S,
    /// By class.
    pub(super) class: Vec<ClassMoments<S>>,
    /// bb of each pair of classes, two different characters.
    pub(super) pair: Vec<S>,
}

/// The moments of one class.
#[derive(Debug, Clone)]
pub(super) struct ClassMoments<S> {
    /// E[sum `y_i`].
    pub(super) b1: S,
    /// E[sum over i != j of `y_j`].
    pub(super) k: S,
    /// E[sum `y_i^2`].
    pub(super) q2: S,
    /// bb of a character with itself.
    pub(super) same: S,
}

/// Solves the equations in their order of dependence.
///
/// `lower` holds the moments on the right side where they belong to another horizon; without it
/// they are the ones just found. `close` makes a solution of a reward and of the moment's own
/// value on the right side, where there is one.
pub(super) fn build<S: Series>(
    law: &Law,
    weights: &Weights<S::Scalar>,
    lower: Option<&Moments<S>>,
    shape: &S,
    close: impl Fn(S, Option<&S>) -> S,
) -> Moments<S> {
    let d1 = close(
        shape.constant(&weights.down_probability),
        lower.map(|l| &l.d1),
    );
    let ahead_d1 = lower.map_or(&d1, |l| &l.d1);
    let d2 = close(ahead_d1.mix(&weights.twice_down), lower.map(|l| &l.d2));
    let ahead_d2 = lower.map_or(&d2, |l| &l.d2);
    let mut class = Vec::new();
    for (index, w) in weights.class.iter().enumerate() {
        let below = lower.map(|l| &l.class[index]);
        let b1 = close(
            shape
                .constant(&w.down_add_mean)
                .plus(&ahead_d1.mix(&w.shift)),
            below.map(|l| &l.b1),
        );
        let ahead_b1 = below.map_or(&b1, |l| &l.b1);
        let k = close(
            ahead_d1
                .mix(&w.twice_down_add)
                .plus(&ahead_b1.mix(&weights.down))
                .plus(&ahead_d2.mix(&w.shift)),
            below.map(|l| &l.k),
        );
        let ahead_k = below.map_or(&k, |l| &l.k);
        let q2 = close(
            shape
                .constant(&w.down_add_square_mean)
                .plus(&ahead_d1.mix(&w.shift_squared))
                .plus(&ahead_b1.mix(&w.twice_shift)),
            below.map(|l| &l.q2),
        );
        let same = close(
            ahead_d1
                .mix(&w.twice_down_add_squared)
                .plus(&ahead_b1.mix(&w.twice_down_add))
                .plus(&ahead_d2.mix(&w.shift_squared))
                .plus(&ahead_k.mix(&w.twice_shift)),
            below.map(|l| &l.same),
        );
        class.push(ClassMoments { b1, k, q2, same });
    }
    let pair = law
        .pairs
        .iter()
        .enumerate()
        .map(|(index, &(first, second))| {
            let ahead =
                |class_index: usize| lower.map_or(&class[class_index], |l| &l.class[class_index]);
            let (one, two) = (ahead(first), ahead(second));
            let (w_one, w_two) = (&weights.class[first], &weights.class[second]);
            // One inner result goes to one character: a a' = 0.
            close(
                two.b1
                    .mix(&w_one.down_add)
                    .plus(&one.b1.mix(&w_two.down_add))
                    .plus(&ahead_d2.mix(&weights.pair[index]))
                    .plus(&two.k.mix(&w_one.shift))
                    .plus(&one.k.mix(&w_two.shift)),
                lower.map(|l| &l.pair[index]),
            )
        })
        .collect();
    Moments {
        d1,
        d2,
        class,
        pair,
    }
}

/// The moments without a limit on spins, as polynomials; the drift is negative.
pub(super) fn unlimited(law: &Law) -> Moments<Poly> {
    let steps = law.steps(false);
    let weights = weights::<Poly>(law);
    build(
        law,
        &weights,
        None,
        &Poly::constant(RBig::ZERO),
        |reward, _| super::poly::solve(&reward, &steps),
    )
}

/// The moments with no spin left: all 0.
pub(super) fn ended(law: &Law) -> Moments<Column> {
    let zero = Column::ended();
    Moments {
        d1: zero.clone(),
        d2: zero.clone(),
        class: vec![
            ClassMoments {
                b1: zero.clone(),
                k: zero.clone(),
                q2: zero.clone(),
                same: zero.clone(),
            };
            law.selection.len()
        ],
        pair: vec![zero; law.pairs.len()],
    }
}

/// The moments with one spin more before the limit.
pub(super) fn one_more_spin(
    law: &Law,
    weights: &Weights<Interval>,
    previous: &Moments<Column>,
) -> Moments<Column> {
    build(
        law,
        weights,
        Some(previous),
        &previous.d1,
        |reward, own: Option<&Column>| {
            let own = own.expect("a finite horizon has a previous one");
            reward.plus(&own.mix(&weights.one))
        },
    )
}
