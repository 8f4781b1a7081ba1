//! How the mean meter moves with the probability of a section: exact derivatives.
//!
//! Let p be the section probabilities of a wheel. The direction of section i is `e_i - p`: weight
//! moves to it from all sections in proportion, `p(eps) = (1 - eps) p + eps e_i`. In that
//! direction the law of a spin changes by `E_i - E`, where `E_i` is the law with that wheel forced
//! to show section i. Every equation of the mean is v = R + P v, so its derivative solves
//!
//! ```text
//! v' = (R_i - R) + (P_i - P) v + R'[v'] + P v',
//! ```
//!
//! R' being the part of the reward that holds the derivative of an earlier solution. Hence
//!
//! ```text
//! d1' = E[d1'] + (E_i - E)[1 + d1]
//! b1' = E[s d1' + b1'] + (E_i - E)[1 a + s d1 + b1]
//! f1' = E[push d1' + f1'] + (E_i - E)[push d1 + f1]
//! pi_c' = (1{i shows c} - pi_c 1{i is a down step}) / P(down step)        (outer wheel only)
//! E[M]' = sum_c pi_c' (E[x_c] d1 + b1 + E[f1]) + pi_c (E[x_c] d1' + b1' + E[f1'])
//! ```
//!
//! in the notation of [`moments`](super::moments) and [`floor`](super::floor). d1' and b1' are
//! polynomials in rationals. f1' is solved on the same box as f1, and its residual evaluated in
//! intervals wherever it can differ from 0; f1's own error h enters it as (`E_i` + E)[h]. In the
//! infinite tail the tables are 0 and |push d1'|, |push d1| are at most polynomials with
//! absolute coefficients, as in [`unlimited`](super::unlimited).
//!
//! P(M = 0) = rho^n has n rho^(n-1) rho' with rho' = (`Phi_i`(rho) - Phi(rho)) / (1 - Phi'(rho)),
//! by implicit differentiation of rho = Phi(rho) ([`length`]).
//!
//! Two consequences are tests: a wheel's derivatives weighted by p add up to 0, since sum of
//! `p_i (e_i - p)` is 0; and equal sections have equal derivatives. The derivative along `e_i - e_j`,
//! weight moved from j to i alone, is the difference of two of them.
//!
//! Guarantee: `lower <= truth <= upper`. All figures are without `max_meter`.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use super::enclosure::Enclosure;
use super::floor::{Step, Table, push, size, steps};
use super::interval::Interval;
use super::law::{self, Law};
use super::moments::{self, Moments, Weights};
use super::poly::{self, Poly};
use super::precision::Precision;
use super::residual::Residual;
use super::starts::Starts;
use super::supersolution::Bound;
use super::sweep::{merged, sweep_single};
use super::unlimited::Solver;
use super::{ExactError, length};
use crate::paytable::{Convention, Paytable, TriggerTerms, ZeroMeter};
use crate::rules::{InnerSection, OuterSection, Trigger};

/// The derivatives by one section's probability.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionDerivative {
    /// The section's probability.
    pub probability: RBig,
    /// Of the mean meter.
    pub mean_meter: Enclosure,
    /// Of the overall return for each unit wagered.
    pub rtp: Enclosure,
}

/// The mean, the return and their derivatives by each section of both wheels.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivatives {
    /// The trigger.
    pub trigger: Trigger,
    /// Expected meter without `max_meter`.
    pub mean_meter: Enclosure,
    /// Overall return for each unit wagered, without `max_meter`.
    pub rtp: Enclosure,
    /// One entry for each outer section, clockwise.
    pub outer: Vec<SectionDerivative>,
    /// One entry for each inner section, clockwise.
    pub inner: Vec<SectionDerivative>,
}

/// What one wheel is forced to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Outer(OuterSection),
    Inner(InnerSection),
}

impl Law {
    /// The law of a spin in which one wheel shows a given section.
    fn forced(&self, shown: Shown) -> Self {
        let mut law = self.clone();
        match shown {
            Shown::Outer(section) => {
                let one_if = |is: bool| if is { RBig::ONE } else { RBig::ZERO };
                for potion in &mut law.potions {
                    potion.probability = one_if(potion.section == section);
                }
                law.hit = one_if(matches!(section, OuterSection::Character(_)));
                law.down = one_if(section == OuterSection::NoWin) + &law.hit;
            }
            Shown::Inner(InnerSection::AdditionalSpin) => {
                law.additions.clear();
                law.extra = RBig::ONE;
            }
            Shown::Inner(InnerSection::Multiplier(value)) => {
                law.additions = vec![(i64::from(value), RBig::ONE)];
                law.extra = RBig::ZERO;
            }
        }
        law
    }
}

/// The derivatives of one trigger's mean and return.
///
/// # Errors
/// - [`ExactError::UnknownTrigger`], [`ExactError::NotEnding`]: as [`solve`](super::solve)
/// - [`ExactError::LimitedDerivative`]: the paytable has `max_spins`
/// - [`ExactError::NoDerivative`]: the drift is too near 0
///
/// # Accuracy
/// Exact, rounded outward once, where the floor is out of reach; about 1e-12 of the mean on the
/// Pennsylvania wheels.
pub fn derivatives(paytable: &Paytable, trigger: Trigger) -> Result<Derivatives, ExactError> {
    let terms = paytable
        .terms(trigger)
        .ok_or(ExactError::UnknownTrigger { trigger })?;
    if let Some(max_spins) = paytable.rules.max_spins {
        return Err(ExactError::LimitedDerivative { max_spins });
    }
    let law = Law::new(paytable);
    let (drift, _) = law::drift_and_variance(&law.steps(false));
    if drift >= RBig::ZERO {
        return Err(ExactError::NotEnding { drift });
    }
    let starts = Starts::new(paytable, trigger);
    let polynomials = moments::unlimited(&law);
    let solver = if law.largest_drop() > 0 {
        let solver = Solver::new(&law, &polynomials, terms.spins, Precision::SHARP);
        Some(solver.ok_or(ExactError::NoDerivative { drift })?)
    } else {
        None
    };
    let game = Game {
        paytable,
        terms,
        law: &law,
        starts: &starts,
        weights: moments::weights::<Poly>(&law),
        polynomials: &polynomials,
        pushes: solver.as_ref().map_or_else(Vec::new, Solver::pushes),
        solver: solver.as_ref(),
        rho: length::least_root(&numbers(&law.steps(true))),
    };
    let mean = game.mean();
    let zero = game.rho.power(u64::from(terms.spins));
    let mut outer_kinds = BTreeMap::new();
    for section in &paytable.outer_wheel.sections {
        outer_kinds
            .entry(*section)
            .or_insert_with(|| game.along(Shown::Outer(*section)));
    }
    // Inner sections have no order of their own: `None` is the additional spin.
    let key = |section: InnerSection| match section {
        InnerSection::AdditionalSpin => None,
        InnerSection::Multiplier(value) => Some(value),
    };
    let mut inner_kinds = BTreeMap::new();
    for section in &paytable.inner_wheel.sections {
        inner_kinds
            .entry(key(*section))
            .or_insert_with(|| game.along(Shown::Inner(*section)));
    }
    let entry = |weight: u64, total: u64, (mean_meter, rtp): (Enclosure, Enclosure)| {
        let probability = RBig::from(weight) / RBig::from(total);
        SectionDerivative {
            probability,
            mean_meter,
            rtp,
        }
    };
    let (outer_total, inner_total) = (
        paytable.outer_wheel.total_weight(),
        paytable.inner_wheel.total_weight(),
    );
    Ok(Derivatives {
        trigger,
        mean_meter: Enclosure::from_interval(mean),
        rtp: Enclosure::from_interval(
            game.scaled(mean + game.wager(zero)) + Interval::from_rational(&terms.other_return),
        ),
        outer: paytable
            .outer_wheel
            .iter()
            .map(|(section, weight)| entry(weight, outer_total, outer_kinds[&section]))
            .collect(),
        inner: paytable
            .inner_wheel
            .iter()
            .map(|(section, weight)| entry(weight, inner_total, inner_kinds[&key(section)]))
            .collect(),
    })
}

/// Weights as numbers.
fn numbers(exact: &[(i64, RBig)]) -> Vec<(i64, Interval)> {
    exact
        .iter()
        .map(|(change, weight)| (*change, Interval::from_rational(weight)))
        .collect()
}

/// The weights of `E_i - E`.
fn less(forced: &[(i64, RBig)], own: &[(i64, RBig)]) -> Vec<(i64, RBig)> {
    let negative = own.iter().map(|(change, weight)| (*change, -weight));
    forced.iter().cloned().chain(negative).collect()
}

/// A game with everything that its derivatives share.
struct Game<'a> {
    paytable: &'a Paytable,
    terms: &'a TriggerTerms,
    law: &'a Law,
    starts: &'a Starts,
    weights: Weights<RBig>,
    polynomials: &'a Moments<Poly>,
    /// f1 of each class; empty where the floor is out of reach.
    pushes: Vec<(Table, Bound)>,
    solver: Option<&'a Solver<'a>>,
    /// The chance that a counter of 1 ends without a character.
    rho: Interval,
}

impl Game<'_> {
    /// `E[x_c]` of each character.
    fn start(&self, c: usize) -> RBig {
        self.starts.single[c]
            .iter()
            .fold(RBig::ZERO, |sum, (x, p)| sum + RBig::from(*x) * p)
    }

    /// A floor table at the trigger's counter, averaged over a character's start.
    fn averaged(&self, (table, bound): &(Table, Bound), c: usize) -> Interval {
        let n = i64::from(self.terms.spins);
        let floor = i64::from(self.paytable.rules.multiplier_floor);
        self.starts.single[c]
            .iter()
            .fold(Interval::ZERO, |sum, (start, probability)| {
                let value = table.at(n, i64::from(*start) - floor);
                sum + Interval::from_rational(probability) * value.widened(bound.at(n))
            })
    }

    fn mean(&self) -> Interval {
        let n = i64::from(self.terms.spins);
        let mut exact = RBig::ZERO;
        let mut floor = Interval::ZERO;
        for (c, pi) in self.law.label.iter().enumerate() {
            let class = self.law.class_of[c];
            let down_steps = self.polynomials.d1.at(n);
            let added = self.polynomials.class[class].b1.at(n);
            exact += pi * (self.start(c) * down_steps + added);
            if let Some(table) = self.pushes.get(class) {
                floor += Interval::from_rational(pi) * self.averaged(table, c);
            }
        }
        Interval::from_rational(&exact) + floor
    }

    /// The part of the gross return that is not the meter, from P(M = 0).
    fn wager(&self, zero: Interval) -> Interval {
        let payout = self.paytable.payout;
        match (payout.convention, payout.zero_meter) {
            (Convention::ToOne, ZeroMeter::ReturnsWager) => Interval::ONE,
            (Convention::ToOne, ZeroMeter::LosesWager) => Interval::ONE - zero,
            (Convention::ForOne, ZeroMeter::ReturnsWager) => zero,
            (Convention::ForOne, ZeroMeter::LosesWager) => Interval::ZERO,
        }
    }

    /// Times the trigger's probability.
    fn scaled(&self, gross: Interval) -> Interval {
        Interval::from_rational(&self.terms.probability()) * gross
    }

    /// P(M = 0)' in a direction.
    fn zero_derivative(&self, forced: &Law) -> Interval {
        let power = |exponent: i64| self.rho.power(u64::try_from(exponent).unwrap_or(0));
        let own = numbers(&self.law.steps(true));
        let phi = |steps: &[(i64, Interval)]| {
            steps.iter().fold(Interval::ZERO, |sum, &(change, weight)| {
                sum + weight * power(change + 1)
            })
        };
        let slope = own.iter().fold(Interval::ZERO, |sum, &(change, weight)| {
            sum + weight * Interval::from_int(change + 1) * power(change)
        });
        let rho = (phi(&numbers(&forced.steps(true))) - phi(&own)).over(Interval::ONE - slope);
        let n = i64::from(self.terms.spins);
        Interval::from_int(n) * power(n - 1) * rho
    }

    /// The derivatives of mean and return in the direction of a section.
    fn along(&self, shown: Shown) -> (Enclosure, Enclosure) {
        let n = i64::from(self.terms.spins);
        let forced = self.law.forced(shown);
        let weights = moments::weights::<Poly>(&forced);
        let steps = self.law.steps(false);
        let moved = less(&weights.one, &self.weights.one);
        let d1 = &self.polynomials.d1;
        let gained = &weights.down_probability - &self.weights.down_probability;
        let reward = Poly::constant(gained).plus(&d1.mix(&moved));
        let d1_moved = poly::solve(&reward, &steps);

        let mut classes = Vec::new();
        for (class, own) in self.weights.class.iter().enumerate() {
            let other = &weights.class[class];
            let b1 = &self.polynomials.class[class].b1;
            let gained = &other.down_add_mean - &own.down_add_mean;
            let reward = Poly::constant(gained)
                .plus(&d1.mix(&less(&other.shift, &own.shift)))
                .plus(&d1_moved.mix(&own.shift))
                .plus(&b1.mix(&moved));
            let table = self
                .solver
                .map(|solver| self.pushes_moved(solver, &forced, class, &d1_moved));
            classes.push((poly::solve(&reward, &steps).at(n), table));
        }

        let mut exact = RBig::ZERO;
        let mut floor = Interval::ZERO;
        let down_steps = d1.at(n);
        for (c, pi) in self.law.label.iter().enumerate() {
            let class = self.law.class_of[c];
            let (b1_moved, table) = &classes[class];
            let start = self.start(c);
            let pi_moved = self.label_derivative(shown, c);
            let paid = &start * &down_steps + self.polynomials.class[class].b1.at(n);
            exact += &pi_moved * paid + pi * (start * d1_moved.at(n) + b1_moved);
            if let (Some(own), Some(table)) = (self.pushes.get(class), table) {
                floor += Interval::from_rational(&pi_moved) * self.averaged(own, c)
                    + Interval::from_rational(pi) * self.averaged(table, c);
            }
        }
        let mean = Interval::from_rational(&exact) + floor;
        let zero = self.zero_derivative(&forced);
        // The wager's part is linear in P(M = 0).
        let wager = self.wager(zero) - self.wager(Interval::ZERO);
        (
            Enclosure::from_interval(mean),
            Enclosure::from_interval(self.scaled(mean + wager)),
        )
    }

    fn label_derivative(&self, shown: Shown, c: usize) -> RBig {
        let Shown::Outer(section) = shown else {
            return RBig::ZERO;
        };
        let pi = &self.law.label[c];
        let part = match section {
            OuterSection::Character(character) if self.paytable.characters()[c] == character => {
                RBig::ONE - pi
            }
            OuterSection::Character(_) | OuterSection::NoWin => -pi,
            OuterSection::EatMe | OuterSection::DrinkMe => RBig::ZERO,
        };
        part / &self.law.down
    }

    /// f1' of a class with its bound.
    fn pushes_moved(
        &self,
        solver: &Solver<'_>,
        forced: &Law,
        class: usize,
        d1_moved: &Poly,
    ) -> (Table, Bound) {
        let frame = solver.frame();
        let (levels, width) = (frame.levels, frame.width);
        let side = width + solver.drop;
        let own = steps(self.law, class, None);
        let forced = steps(forced, class, None);
        let column = |value: &dyn Fn(i64) -> RBig| -> Vec<Interval> {
            (0..=solver.reach())
                .map(|n| Interval::from_rational(&value(n)))
                .collect()
        };
        let d1 = column(&|n| self.polynomials.d1.at(n));
        let moved = column(&|n| d1_moved.at(n));
        let (f1, f1_bound) = &self.pushes[class];

        // The expectation over a spin of push times a moment, and of f1 after the spin.
        let pushed = |steps: &[Step], moment: &[Interval], n: i64, m: i64| {
            steps.iter().fold(Interval::ZERO, |sum, step| {
                if m + step.shift < 0 {
                    sum + step.probability * push(m + step.shift) * moment[size(n + step.change)]
                } else {
                    sum
                }
            })
        };
        let after = |steps: &[Step], n: i64, m: i64| {
            steps.iter().fold(Interval::ZERO, |sum, step| {
                sum + step.probability * f1.at(n + step.change, step.next(m))
            })
        };
        let inherited = |steps: &[Step], n: i64| {
            steps.iter().fold(Interval::ZERO, |sum, step| {
                sum + step.probability * Interval::point(f1_bound.at(n + step.change))
            })
        };
        let mut sources = vec![Interval::ZERO; size((levels + 2) * side)];
        for n in 1..=levels + 1 {
            for m in 0..side {
                sources[size(n * side + m)] =
                    pushed(&own, &moved, n, m) + pushed(&forced, &d1, n, m) + after(&forced, n, m)
                        - pushed(&own, &d1, n, m)
                        - after(&own, n, m);
            }
        }
        let moves = merged(&own);
        let cells = sweep_single(&moves, &sources, frame, side, solver.patience());
        let mut table = Table::zeros(levels, width, Interval::ZERO, false);
        table.cells = cells.into_iter().map(Interval::point).collect();

        let mut residual = Residual::new(levels);
        for n in 1..=levels + 1 {
            for m in 0..side {
                let mut rho = sources[size(n * side + m)] - table.at(n, m);
                for step in &moves {
                    let ahead = table.at(n + step.change, (m + step.shift).max(0));
                    rho += step.probability * ahead;
                }
                residual.note(n, rho.magnitude(), m >= width);
            }
            residual.inherited[size(n)] = (inherited(&own, n) + inherited(&forced, n)).hi;
        }
        let first = levels + 2;
        let d1_most = column(&|n| self.polynomials.d1.majorant_at(n));
        let moved_most = column(&|n| d1_moved.majorant_at(n));
        let tail = pushed(&own, &moved_most, first, 0)
            + pushed(&forced, &d1_most, first, 0)
            + pushed(&own, &d1_most, first, 0)
            + inherited(&own, first)
            + inherited(&forced, first);
        let (bound, _) = residual.bound(tail.hi, &solver.drain, solver.start);
        (table, bound)
    }
}

#[cfg(test)]
mod tests;
