//! How long a round lasts and whether it pays at all: questions of the counter alone.
//!
//! The counter is a random walk that goes down by at most one a spin, so from n it passes every
//! level, and the time to 0 is a sum of n independent times of one level. Without a limit on
//! spins, with mu = -drift and sigma^2 the variance of one change (A. Wald 1944):
//!
//! ```text
//! E[spins] = n / mu            Var[spins] = n sigma^2 / mu^3            P(meter = 0) = rho^n
//! ```
//!
//! rho is the least root of rho = Phi(rho), Phi(r) = sum of `p_d` r^(1 + d) over the spins in
//! which no character is shown (a character pays at least the floor, so a meter of 0 means no
//! character). Iterating Phi from 0, rounded down, stays below rho; a number r with Phi(r) <=
//! r, rounded up, is above it, since the iteration from 0 cannot pass such an r.
//!
//! The law of the number of spins is found forward in time: one row holds P(counter = n, still
//! running) after t spins. All terms are positive, so rounding costs a relative error of a few
//! units for each spin. Counters above a level are cut off; the mass that was cut is kept and
//! added to every later upper bound.

use dashu_ratio::RBig;

use super::enclosure::Enclosure;
use super::floor::size;
use super::interval::Interval;
use super::law::{Law, drift_and_variance};

/// Mass that may remain beyond the last number of spins listed.
const TAIL: f64 = 1e-15;
/// Cell updates that the law of the length may cost.
const MAX_WORK: usize = 1 << 27;
/// Most numbers of spins listed.
const MAX_SPINS_LISTED: usize = 1 << 16;

/// The law of the number of spins of a round.
#[derive(Debug, Clone, PartialEq)]
pub struct SpinsDistribution {
    /// P(spins = t) for t = 1, 2, ...; the index is t - 1.
    pub probabilities: Vec<Enclosure>,
    /// P(spins > number of entries). Below 1e-15 unless the drift is so near 0 that the list
    /// was cut.
    pub tail: Enclosure,
}

/// Expected number and variance of spins without a limit, exactly; the drift is negative.
pub(super) fn unlimited_moments(steps: &[(i64, RBig)], start: u32) -> (RBig, RBig) {
    let (drift, variance) = drift_and_variance(steps);
    let mu = -drift;
    let n = RBig::from(start);
    let cube = &mu * &mu * &mu;
    (&n / &mu, n * variance / cube)
}

/// P(meter = 0).
pub(super) fn zero_probability(law: &Law, start: u32, max_spins: Option<u32>) -> Interval {
    let steps: Vec<(i64, Interval)> = law
        .steps(true)
        .iter()
        .map(|(change, probability)| (*change, Interval::from_rational(probability)))
        .collect();
    let unlimited = least_root(&steps).power(u64::from(start));
    let Some(limit) = max_spins else {
        return unlimited;
    };
    limited_zero_probability(&steps, start, limit, unlimited)
}

/// The least root of r = Phi(r) in [0, 1).
pub(super) fn least_root(steps: &[(i64, Interval)]) -> Interval {
    let phi = |r: f64| {
        steps.iter().fold(Interval::ZERO, |sum, &(change, weight)| {
            let power = Interval::point(r).power(u64::try_from(change + 1).unwrap_or(0));
            sum + weight * power
        })
    };
    let mut lower = 0.0_f64;
    // Phi'(rho) < 1, because Phi(1) < 1: the iteration converges geometrically.
    for _ in 0..1_000_000 {
        let next = phi(lower).lo;
        if next <= lower {
            break;
        }
        lower = next;
    }
    let mut gap = lower * f64::EPSILON;
    loop {
        let upper = (lower + gap).min(1.0);
        if phi(upper).hi <= upper || upper >= 1.0 {
            return Interval {
                lo: lower,
                hi: upper,
            };
        }
        gap = (gap * 2.0).max(f64::MIN_POSITIVE);
    }
}

/// P(meter = 0) where a limit may end the round first.
///
/// With s(t, n) the probability of no character in the rest of a round with t spins before the
/// limit, s(0, n) = s(t, 0) = 1 and s(t, n) = sum `p_d` s(t - 1, n + d). It falls in t and has
/// rho^n as its limit, so `unlimited` bounds it from below, and a shorter horizon from above.
fn limited_zero_probability(
    steps: &[(i64, Interval)],
    start: u32,
    limit: u32,
    unlimited: Interval,
) -> Interval {
    // The forward row of runs without a hit: ended so far, and still running.
    let mut walk = Walk::new(steps, start);
    let mut ended = Interval::ZERO;
    for _ in 0..limit {
        ended += walk.spin();
        if walk.running().hi <= TAIL * 1e-5 || walk.exhausted() {
            break;
        }
    }
    let total = ended;
    let running = walk.running();
    // Stopped at the limit: all that still runs has no hit either. Stopped early: some of it
    // may yet be hit.
    if walk.spins == limit {
        let sum = total + running;
        Interval {
            lo: sum.lo.max(unlimited.lo),
            hi: sum.hi.min(1.0),
        }
    } else {
        Interval {
            lo: total.lo.max(unlimited.lo),
            hi: (total + running).hi.min(1.0),
        }
    }
}

/// The forward row of a counter.
#[derive(Debug)]
struct Walk<'a> {
    steps: &'a [(i64, Interval)],
    /// P(counter = n, running), index n.
    row: Vec<Interval>,
    /// Mass above the row's last counter, an upper bound.
    cut: f64,
    spins: u32,
    work: usize,
}

impl<'a> Walk<'a> {
    fn new(steps: &'a [(i64, Interval)], start: u32) -> Self {
        let mut row = vec![Interval::ZERO; size(i64::from(start)) + 1];
        row[size(i64::from(start))] = Interval::ONE;
        Self {
            steps,
            row,
            cut: 0.0,
            spins: 0,
            work: 0,
        }
    }

    /// One spin; returns the probability that the counter reaches 0 with it.
    fn spin(&mut self) -> Interval {
        let rise = self.steps.iter().map(|&(change, _)| change).max();
        let top = self.row.len() + size(rise.unwrap_or(0).max(0));
        let mut next = vec![Interval::ZERO; top];
        for (n, &mass) in self.row.iter().enumerate().skip(1) {
            if mass.hi > 0.0 {
                let n = i64::try_from(n).expect("a counter in the row");
                for &(change, weight) in self.steps {
                    next[size(n + change)] += mass * weight;
                }
            }
        }
        self.work += self.row.len() * self.steps.len();
        // Counters whose mass is beyond every tolerance are given up.
        let mut cut = Interval::point(self.cut);
        while next.len() > 2 && next.last().is_some_and(|mass| mass.hi < 1e-24) {
            let mass = next.pop().expect("the row has more than two entries");
            cut += Interval::point(mass.hi);
        }
        self.cut = cut.hi;
        let ended = next[0];
        next[0] = Interval::ZERO;
        self.row = next;
        self.spins += 1;
        // Mass that was cut may have come back and ended now.
        Interval {
            lo: ended.lo.max(0.0),
            hi: (ended + cut).hi,
        }
    }

    /// P(still running).
    fn running(&self) -> Interval {
        let sum = self
            .row
            .iter()
            .fold(Interval::ZERO, |sum, &mass| sum + mass);
        Interval {
            lo: sum.lo.max(0.0),
            hi: (sum + Interval::point(self.cut)).hi,
        }
    }

    fn exhausted(&self) -> bool {
        self.work > MAX_WORK || size(i64::from(self.spins)) >= MAX_SPINS_LISTED
    }
}

/// The law of the number of spins, and with a limit its mean and second moment where the list
/// reaches the limit.
pub(super) struct Lengths {
    /// The law.
    pub(super) distribution: SpinsDistribution,
    /// Sum over t < `counted` of P(spins > t), that is E[min(spins, counted)].
    pub(super) mean: Interval,
    /// Sum over t < `counted` of (2 t + 1) P(spins > t), that is E[min(spins, counted)^2].
    pub(super) second: Interval,
    /// Spins that were followed.
    pub(super) counted: u32,
}

/// Follows the counter until the limit, or until the rest is negligible.
pub(super) fn lengths(law: &Law, start: u32, max_spins: Option<u32>) -> Lengths {
    let steps: Vec<(i64, Interval)> = law
        .steps(false)
        .iter()
        .map(|(change, probability)| (*change, Interval::from_rational(probability)))
        .collect();
    let mut walk = Walk::new(&steps, start);
    let mut probabilities = Vec::new();
    let mut mean = Interval::ZERO;
    let mut second = Interval::ZERO;
    let limit = max_spins.unwrap_or(u32::MAX);
    while walk.spins < limit {
        let running = walk.running();
        if running.hi < TAIL || walk.exhausted() {
            break;
        }
        mean += running;
        second += Interval::from_int(2 * i64::from(walk.spins) + 1) * running;
        let ended = walk.spin();
        let ended = if walk.spins == limit {
            // The limit ends whatever still runs.
            ended + walk.running()
        } else {
            ended
        };
        probabilities.push(Enclosure::from_interval(ended).within(0.0, 1.0));
    }
    let tail = if walk.spins == limit {
        Enclosure::ZERO
    } else {
        Enclosure::from_interval(walk.running()).within(0.0, 1.0)
    };
    Lengths {
        distribution: SpinsDistribution {
            probabilities,
            tail,
        },
        mean,
        second,
        counted: walk.spins,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paytable::{Paytable, fixture};

    #[test]
    fn literal_reading_zero_probability() {
        let law = Law::new(&Paytable::new(fixture::pa()).expect("a legal paytable"));
        let rho = Enclosure::from_interval(zero_probability(&law, 1, None));
        assert!((rho.value() - 0.046_901_902_124_231_44).abs() < 1e-16);
        assert!(rho.relative_width() < 1e-13);
        let two = Enclosure::from_interval(zero_probability(&law, 2, None));
        assert!((two.value() - 0.002_199_788_422_871).abs() < 5e-16);
    }

    #[test]
    fn lengths_add_up_and_have_walds_moments() {
        let law = Law::new(&Paytable::new(fixture::pa()).expect("a legal paytable"));
        for start in [2, 5] {
            let lengths = lengths(&law, start, None);
            let (mean, variance) = unlimited_moments(&law.steps(false), start);
            assert_eq!(mean, RBig::from(54 * start) / RBig::from(35));
            let mean = mean.to_f64().value();
            let variance = variance.to_f64().value();
            assert!((lengths.mean.mid() - mean).abs() < 1e-11);
            let found = lengths.second.mid() - mean * mean;
            assert!((found - variance).abs() < 1e-9);
            let total = lengths
                .distribution
                .probabilities
                .iter()
                .fold(lengths.distribution.tail, |sum, &p| sum + p);
            assert!(total.contains(1.0) && total.width() < 1e-13);
            assert!(lengths.distribution.tail.upper() < 1e-15);
            // No round has fewer spins than its trigger.
            let before = &lengths.distribution.probabilities[..size(i64::from(start)) - 1];
            assert!(before.iter().all(|p| p.upper() <= 0.0));
        }
    }
}
