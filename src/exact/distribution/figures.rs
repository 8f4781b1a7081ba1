//! What follows from a distribution: moments, quantiles, odds, caps.

use super::circle::real;
use crate::exact::Enclosure;
use crate::rules::Trigger;

/// The distribution of the meter of one trigger, as it is paid.
///
/// For every set A of meters |P(A) - sum of `pmf` over A| <= `total_variation_bound`.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// The trigger.
    pub trigger: Trigger,
    /// P(meter = x) for x = 0, 1, ...; nothing is below zero. With `max_meter` the last entry is that of the cap.
    pub pmf: Vec<f64>,
    /// One minus the sum of `pmf`: mass of rounds longer or larger than the tables hold.
    pub missing_mass: f64,
    /// Bound on the distance from the truth in total variation: half the sum of differences, `missing_mass` being one more
    /// entry. Proved up to rounding, for which 1e-12 is added.
    pub total_variation_bound: f64,
    /// Mean of `pmf`.
    pub mean: f64,
    /// Variance of `pmf`.
    pub variance: f64,
    /// Third central moment over the third power of the standard deviation.
    pub skewness: f64,
    /// Fourth central moment over the squared variance, less 3.
    pub excess_kurtosis: f64,
    /// Bound on what the first moment misses, from [`exact`](crate::exact)'s mean; without `max_meter`.
    pub missing_first_moment: Option<f64>,
    /// Bound on what the second moment misses, likewise.
    pub missing_second_moment: Option<f64>,
    /// How it was found, with sizes.
    pub method: String,
}

impl Distribution {
    /// From probabilities, negative ones cut to zero: the truth is not below zero, so that only comes closer to it.
    pub(super) fn new(trigger: Trigger, mut pmf: Vec<f64>, bound: f64, method: String) -> Self {
        for probability in &mut pmf {
            *probability = probability.max(0.0);
        }
        while pmf.len() > 1 && pmf.last().is_some_and(|&last| last <= 0.0) {
            pmf.pop();
        }
        let mut distribution = Self {
            trigger,
            missing_mass: (1.0 - pmf.iter().sum::<f64>()).max(0.0),
            pmf,
            total_variation_bound: bound,
            mean: 0.0,
            variance: 0.0,
            skewness: 0.0,
            excess_kurtosis: 0.0,
            missing_first_moment: None,
            missing_second_moment: None,
            method,
        };
        distribution.set_moments();
        distribution
    }

    /// The moments of the probabilities as they are, missing mass left aside.
    fn set_moments(&mut self) {
        let mass: f64 = self.pmf.iter().sum();
        let moment = |order: i32, centre: f64| -> f64 {
            let sum: f64 = self
                .pmf
                .iter()
                .enumerate()
                .map(|(x, p)| p * (real(x) - centre).powi(order))
                .sum();
            sum / mass
        };
        let mean = moment(1, 0.0);
        let variance = moment(2, mean);
        let (third, fourth) = (moment(3, mean), moment(4, mean));
        self.mean = mean;
        self.variance = variance;
        // A constant meter has neither.
        if variance > 0.0 {
            self.skewness = third / variance.powf(1.5);
            self.excess_kurtosis = fourth / (variance * variance) - 3.0;
        }
    }

    /// Compares with an exact mean and variance: bounds on what the first two moments miss.
    pub(super) fn compare(&mut self, mean: Enclosure, variance: Enclosure) {
        let sum = |order: i32| -> f64 {
            let terms = self.pmf.iter().enumerate();
            terms.map(|(x, p)| p * real(x).powi(order)).sum()
        };
        let gap = |exact: Enclosure, found: f64| {
            (exact.upper() - found)
                .abs()
                .max((exact.lower() - found).abs())
        };
        self.missing_first_moment = Some(gap(mean, sum(1)));
        self.missing_second_moment = Some(gap(variance + mean * mean, sum(2)));
    }

    /// The distribution of min(meter, cap); the bounds stay, since a map brings no two laws further apart.
    #[must_use]
    pub fn capped(&self, cap: u64) -> Self {
        let mut capped = self.clone();
        if let Ok(cap) = usize::try_from(cap)
            && cap + 1 < capped.pmf.len()
        {
            let above: f64 = capped.pmf.drain(cap + 1..).sum();
            capped.pmf[cap] += above;
            capped.missing_first_moment = None;
            capped.missing_second_moment = None;
            capped.set_moments();
        }
        capped
    }

    /// P(meter >= x), with the bound.
    #[must_use]
    pub fn exceedance(&self, x: u64) -> Enclosure {
        let from = usize::try_from(x).unwrap_or(usize::MAX).min(self.pmf.len());
        let value = self.pmf[from..].iter().sum::<f64>().min(1.0);
        self.enclosure(value)
    }

    /// P(meter <= x), with the bound.
    #[must_use]
    pub fn cumulative(&self, x: u64) -> Enclosure {
        let past = usize::try_from(x)
            .map_or(self.pmf.len(), |x| x.saturating_add(1))
            .min(self.pmf.len());
        let value = self.pmf[..past].iter().sum::<f64>().min(1.0);
        self.enclosure(value)
    }

    fn enclosure(&self, value: f64) -> Enclosure {
        let lower = (value - self.total_variation_bound).max(0.0);
        let upper = (value + self.total_variation_bound).min(1.0);
        Enclosure::new(value, lower, upper).unwrap_or(Enclosure::ZERO)
    }

    /// "One in" odds of a meter of x or more: 1 / P(meter >= x); infinite where that is 0.
    #[must_use]
    pub fn one_in(&self, x: u64) -> f64 {
        1.0 / self.exceedance(x).value()
    }

    /// The least meter x with P(meter <= x) >= p; `None` where the mass that is held does not reach p.
    #[must_use]
    pub fn quantile(&self, p: f64) -> Option<u64> {
        self.first_reaching(p)
    }

    /// Meters between which the quantile lies for every law within the bound; the upper one may be unknown.
    #[must_use]
    pub fn quantile_range(&self, p: f64) -> (u64, Option<u64>) {
        let low = self.first_reaching(p - self.total_variation_bound);
        (
            low.unwrap_or(0),
            self.first_reaching(p + self.total_variation_bound),
        )
    }

    fn first_reaching(&self, p: f64) -> Option<u64> {
        let mut sum = 0.0;
        self.pmf
            .iter()
            .position(|probability| {
                sum += probability;
                sum >= p
            })
            .and_then(|x| u64::try_from(x).ok())
    }
}
