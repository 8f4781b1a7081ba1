//! The mean meter by the number of spins of the round: E[M; spins = t].
//!
//! Forward in time, one class of characters at a time, with the law of
//! [`law`](super::law): after t spins there is kept, for each counter n > 0,
//!
//! - `near(n, m)`: the mass of each multiplier m < W above the floor;
//! - `far(n)`: the mass and the sum of the multipliers that have once reached W, from then on
//!   without the floor;
//! - `paid(n)`: what down steps have paid so far, on the event of being at n.
//!
//! All three move by the spin's outcomes; `paid` that arrives at n = 0 with spin t is E[V; spins
//! = t]. Every character of a class enters with the mass `pi_c` (its share of the down steps), so
//! the sum over classes is E[M; spins = t].
//!
//! Guarantee: each figure found so is at most the truth. A multiplier without the floor is at
//! most the one with it, mass above the highest counter kept is dropped, the meter is not
//! negative, and sums are rounded down. Together they fall short of the mean by `mean.upper -
//! sum` at most, which therefore bounds what each of them lacks. The last part, everything
//! beyond the listed numbers of spins, lies between 0 and that difference.

use dashu_ratio::RBig;

use super::Exact;
use super::contribution::Split;
use super::floor::size;
use super::interval::Interval;
use super::law::{Law, Outcome};
use super::returns::RationalEnclosure;
use super::starts::Starts;
use crate::paytable::Paytable;

/// What may remain for the numbers of spins that are not listed, relative to the mean.
const NEGLIGIBLE: f64 = 1e-15;
/// Mass and payment below which the highest counter is given up.
const GIVEN_UP: f64 = 1e-24;
/// Cell updates that one split may cost.
const MAX_WORK: usize = 1 << 28;

/// A part of the split by number of spins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpinCount {
    /// Rounds of this many spins.
    Exactly(u32),
    /// Rounds of more spins.
    MoreThan(u32),
}

/// E[M; spins = t] for each t, the last part being all larger t.
///
/// # Arguments
/// - `exact`: the figures of the same paytable
///
/// # Returns
/// Parts from the first number of spins that can pay. Their values add up to the value of the
/// mean without `max_meter` exactly; the sum of their bounds, `total`, encloses that mean.
///
/// # Accuracy
/// On the Pennsylvania wheels the bounds of a part are within 1e-11 of each other. Near a drift
/// of 0 the list is cut, and the last part is large.
///
/// # Panics
/// If `exact` belongs to a paytable with other triggers.
#[must_use]
pub fn by_spins(paytable: &Paytable, exact: &Exact) -> Split<SpinCount> {
    let law = Law::new(paytable);
    let starts = Starts::new(paytable, exact.trigger);
    let terms = paytable
        .terms(exact.trigger)
        .expect("the figures belong to the paytable");
    let floor = i64::from(paytable.rules.multiplier_floor);
    let mut classes: Vec<Forward> = (0..law.selection.len())
        .map(|class| Forward::new(&law, &starts, class, floor, terms.spins))
        .collect();
    let mean = exact.uncapped_mean_meter;
    let limit = paytable.rules.max_spins.unwrap_or(u32::MAX);
    let mut found: Vec<(u32, RBig)> = Vec::new();
    let mut left = RationalEnclosure::scaled(mean, &RBig::ONE).upper;
    let mut spins = 0;
    let mut work = 0;
    while spins < limit && work < MAX_WORK {
        spins += 1;
        let mut paid = Interval::ZERO;
        for class in &mut classes {
            work += class.work();
            paid += class.spin();
            if spins == limit {
                paid += class.running();
            }
        }
        let least = RBig::try_from(paid.lo.max(0.0)).unwrap_or(RBig::ZERO);
        if !least.is_zero() {
            left -= &least;
            found.push((spins, least));
        }
        let running = classes
            .iter()
            .fold(Interval::ZERO, |sum, class| sum + class.running());
        let mass = classes
            .iter()
            .fold(0.0_f64, |sum, class| sum + class.mass());
        if running.hi.max(mass) < NEGLIGIBLE * mean.value().max(f64::MIN_POSITIVE) {
            break;
        }
    }
    let lack = left.max(RBig::ZERO);
    let mut parts: Vec<(SpinCount, RationalEnclosure)> = found
        .into_iter()
        .map(|(spins, least)| {
            let part = RationalEnclosure {
                upper: &least + &lack,
                value: least.clone(),
                lower: least,
            };
            (SpinCount::Exactly(spins), part)
        })
        .collect();
    let rest = RationalEnclosure {
        value: RBig::ZERO,
        lower: RBig::ZERO,
        upper: lack,
    };
    parts.push((SpinCount::MoreThan(spins), rest));
    Split::new(parts, mean)
}

/// The forward row of one class.
#[derive(Debug)]
struct Forward {
    outcomes: Vec<Outcome<Interval>>,
    floor: i64,
    width: i64,
    /// Mass by counter and multiplier above the floor, counter first.
    near: Vec<Interval>,
    /// Mass and sum of multipliers beyond the width, by counter.
    far: Vec<(Interval, Interval)>,
    /// Paid so far, by counter.
    paid: Vec<Interval>,
}

impl Forward {
    fn new(law: &Law, starts: &Starts, class: usize, floor: i64, spins: u32) -> Self {
        let outcomes = law
            .outcomes(class, None)
            .iter()
            .map(|outcome| outcome.map(Interval::from_rational))
            .collect();
        // Without a floor in reach everything may be far; else a fall through the width is
        // rare, and what it would add is part of the bound.
        let width = 48 * law.largest_drop().min(10);
        let levels = size(i64::from(spins)) + 1;
        let mut forward = Self {
            outcomes,
            floor,
            width,
            near: vec![Interval::ZERO; levels * size(width)],
            far: vec![(Interval::ZERO, Interval::ZERO); levels],
            paid: vec![Interval::ZERO; levels],
        };
        for (c, single) in starts.single.iter().enumerate() {
            if law.class_of[c] == class {
                for (start, probability) in single.iter() {
                    let mass = Interval::from_rational(&(&law.label[c] * probability));
                    forward.put(levels - 1, i64::from(*start) - floor, mass);
                }
            }
        }
        forward
    }

    /// Adds mass at a counter and a multiplier above the floor.
    fn put(&mut self, n: usize, m: i64, mass: Interval) {
        if m < self.width {
            self.near[n * size(self.width) + size(m)] += mass;
        } else {
            self.far[n].0 += mass;
            self.far[n].1 += mass * Interval::from_int(m + self.floor);
        }
    }

    fn levels(&self) -> usize {
        self.paid.len()
    }

    /// Cells that a spin touches.
    fn work(&self) -> usize {
        self.levels() * (size(self.width) + 2) * self.outcomes.len()
    }

    /// What has been paid on paths that still run.
    fn running(&self) -> Interval {
        self.paid
            .iter()
            .fold(Interval::ZERO, |sum, &paid| sum + paid)
    }

    /// Mass that still runs.
    fn mass(&self) -> f64 {
        let near: f64 = self.near.iter().map(|mass| mass.hi).sum();
        near + self.far.iter().map(|(mass, _)| mass.hi).sum::<f64>()
    }

    /// One spin; returns what the rounds that end with it have paid.
    fn spin(&mut self) -> Interval {
        let rise = self.outcomes.iter().map(|o| o.change).max().unwrap_or(0);
        let levels = self.levels() + size(rise.max(0));
        let width = size(self.width);
        let mut next = Self {
            outcomes: Vec::new(),
            floor: self.floor,
            width: self.width,
            near: vec![Interval::ZERO; levels * width],
            far: vec![(Interval::ZERO, Interval::ZERO); levels],
            paid: vec![Interval::ZERO; levels],
        };
        for n in 1..self.levels() {
            let counter = i64::try_from(n).expect("a counter in the row");
            for outcome in &self.outcomes {
                let to = size(counter + outcome.change);
                let p = outcome.probability;
                next.paid[to] += p * self.paid[n];
                let (mass, sum) = self.far[n];
                if mass.hi > 0.0 {
                    next.far[to].0 += p * mass;
                    let shift = Interval::from_int(outcome.shift());
                    next.far[to].1 += p * (sum + shift * mass);
                    if outcome.down {
                        let add = Interval::from_int(outcome.add);
                        next.paid[to] += p * (sum + add * mass);
                    }
                }
            }
            for m in 0..self.width {
                let mass = self.near[n * width + size(m)];
                if mass.hi <= 0.0 {
                    continue;
                }
                for outcome in &self.outcomes {
                    let to = size(counter + outcome.change);
                    let mass = outcome.probability * mass;
                    if outcome.down {
                        let pays = Interval::from_int(m + outcome.add + self.floor);
                        next.paid[to] += mass * pays;
                    }
                    next.put(to, (m + outcome.shift()).max(0), mass);
                }
            }
        }
        let ended = next.paid[0];
        next.paid[0] = Interval::ZERO;
        next.near[..width].fill(Interval::ZERO);
        next.far[0] = (Interval::ZERO, Interval::ZERO);
        // The highest counters, where next to nothing is left.
        let slight = |next: &Self, n: usize| {
            let near = next.near[n * width..].iter().map(|mass| mass.hi);
            let most = near.fold(next.far[n].0.hi.max(next.far[n].1.magnitude()), f64::max);
            most.max(next.paid[n].magnitude()) < GIVEN_UP
        };
        while next.levels() > 2 && slight(&next, next.levels() - 1) {
            next.near.truncate((next.levels() - 1) * width);
            next.far.pop();
            next.paid.pop();
        }
        self.near = next.near;
        self.far = next.far;
        self.paid = next.paid;
        ended
    }
}

#[cfg(test)]
mod tests;
