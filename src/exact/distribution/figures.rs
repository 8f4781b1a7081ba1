//! The distribution of a meter and its moments, from a held law and the exact moments.

use super::DistributionError;
use super::held::Held;
use super::odds::Quantile;
use super::rest::{Rest, between};
use super::sums::{below_cubed, central, raw, real};
use crate::exact::interval::Interval;
use crate::exact::{Enclosure, Exact};
use crate::rules::Trigger;

/// Levels of the quantiles that every distribution lists.
const LEVELS: [f64; 10] = [0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999];

/// The moments of the uncapped meter that the other method proves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Known {
    pub(super) mean: Interval,
    pub(super) variance: Interval,
    pub(super) zero: Interval,
}

impl Known {
    /// E[M^2].
    fn second(self) -> Interval {
        self.variance + self.mean.square()
    }
}

/// The distribution of the meter of one trigger; after [`with_cap`](Self::with_cap) of the capped one.
///
/// For every set A of meters, P(A) differs from the sum of `pmf` over A by at most `total_variation_bound`. Every
/// [`Enclosure`] encloses the truth; a bound that is not known is infinite.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// The trigger.
    pub trigger: Trigger,
    /// P(meter = x) for x = 0, 1, ..., each at most the truth up to the rounding of the held law.
    pub pmf: Vec<f64>,
    /// Upper bound of the probability that is not in `pmf`, apart from the rounding of its entries.
    pub missing_mass: f64,
    /// Proven bound on the distance from the truth in total variation: half the sum of the differences, with one less
    /// the sum of `pmf` as one more entry.
    pub total_variation_bound: f64,
    /// Expected meter: from below by the held law, from above by that and the Cauchy-Schwarz inequality. The value is
    /// that of the held law scaled to mass 1, and so are the next three.
    pub mean: Enclosure,
    /// Variance of the meter.
    pub variance: Enclosure,
    /// Third central moment over the third power of the standard deviation; 0 without bounds for a constant meter.
    pub skewness: Enclosure,
    /// Fourth central moment over the squared variance, less 3; 0 without bounds for a constant meter.
    pub excess_kurtosis: Enclosure,
    /// Quantiles at fixed levels, ascending.
    pub quantiles: Vec<Quantile>,
    /// How the law was found, with sizes.
    pub method: String,
    /// l(x), the held part of P(meter = x), between bounds.
    pub(super) entries: Vec<Interval>,
    /// The sum of l up to and including x.
    pub(super) up_to: Vec<Interval>,
    /// The sum of l from x on, with a last entry of 0.
    pub(super) from: Vec<Interval>,
    pub(super) rest: Rest,
    pub(super) known: Known,
    pub(super) cap: Option<u64>,
    /// Mean and variance, each the best that both methods prove.
    pub(super) best: (Interval, Interval),
    /// Upper bound of E|meter - mean|^3.
    pub(super) third_absolute: f64,
}

impl Distribution {
    /// The distribution of the uncapped meter from a held law, checked against the exact moments.
    ///
    /// # Arguments
    /// - `exact`: the figures of the same trigger by the other method
    /// - `eighth`: an upper bound of E[M^8], without which skewness and kurtosis have no upper bounds
    ///
    /// # Errors
    /// - [`DistributionError::Contradiction`]: the held law and the exact figures cannot both be right
    ///
    /// # Panics
    /// If the law has no entry, an entry is negative or not finite, or its rounding is not in [0, 1e-6].
    pub(super) fn new(
        trigger: Trigger,
        held: Held,
        exact: &Exact,
        eighth: Option<f64>,
    ) -> Result<Self, DistributionError> {
        assert!(
            !held.pmf.is_empty()
                && (0.0..=1e-6).contains(&held.rounding)
                && held.pmf.iter().all(|p| p.is_finite() && *p >= 0.0),
            "a held law has probabilities"
        );
        let near_one = Interval::ONE.widened(held.rounding);
        let entries: Vec<Interval> = held
            .pmf
            .iter()
            .map(|&p| Interval::point(p) * near_one)
            .collect();
        let known = Known {
            mean: exact.uncapped_mean_meter.interval(),
            variance: exact.uncapped_variance_meter.interval(),
            zero: exact.zero_probability.interval(),
        };
        // A sum of pmf is at most 1 / (1 - r).
        let rounding =
            Interval::point(held.rounding).over(Interval::ONE - Interval::point(held.rounding));
        let agree = |figure: &'static str, held: Interval, exact: Interval| {
            if held.hi < exact.lo || held.lo > exact.hi {
                return Err(DistributionError::Contradiction {
                    trigger,
                    figure,
                    held: Enclosure::from_interval(held),
                    exact: Enclosure::from_interval(exact),
                });
            }
            Ok(())
        };

        let [mass, first, second] = raw(&entries);
        let total = Interval {
            lo: mass.lo,
            hi: (mass + Interval::point(held.missing)).hi,
        };
        agree("total probability", total, Interval::ONE)?;
        let lost = (Interval::ONE - mass).hi.max(0.0);
        let missing = held.missing.min(lost);
        let exact_second = known.second();
        agree(
            "second moment",
            Interval {
                lo: second.lo,
                hi: f64::INFINITY,
            },
            exact_second,
        )?;
        let left = (exact_second - second).hi.max(0.0);
        let step = if missing == 0.0 {
            0.0
        } else {
            between(missing, left)
        };
        let own_mean = Interval {
            lo: first.lo,
            hi: (first + Interval::point(step)).hi,
        };
        agree("mean", own_mean, known.mean)?;
        if let Some(&zero) = entries.first() {
            let zero = Interval {
                lo: zero.lo,
                hi: (zero + Interval::point(missing)).hi,
            };
            agree("probability of a zero meter", zero, known.zero)?;
        }
        let rest = Rest::new(missing, (known.mean - first).hi.max(0.0), left, eighth);
        let mut found = Self {
            trigger,
            pmf: held.pmf,
            missing_mass: missing,
            total_variation_bound: (Interval::point(missing) + rounding).hi.min(1.0),
            mean: Enclosure::ZERO,
            variance: Enclosure::ZERO,
            skewness: Enclosure::ZERO,
            excess_kurtosis: Enclosure::ZERO,
            quantiles: Vec::new(),
            method: held.method,
            entries,
            up_to: Vec::new(),
            from: Vec::new(),
            rest,
            known,
            cap: None,
            best: (known.mean, known.variance),
            third_absolute: f64::INFINITY,
        };
        found.complete(own_mean)?;
        Ok(found)
    }

    /// Everything that follows from the entries, the rest, and bounds on the mean by this method.
    pub(super) fn complete(&mut self, own_mean: Interval) -> Result<(), DistributionError> {
        self.set_sums();
        let [_, first, second] = raw(&self.entries);
        let values = Values::new(&self.entries);
        self.mean = Enclosure::ordered(values.mean, own_mean).within(0.0, f64::INFINITY);
        let least = least_variance(&self.entries, raw);
        let most = (second + self.rest.moment(2) - Interval::point(first.lo).square()).hi;
        let own_variance = Interval {
            lo: least,
            hi: most.max(least),
        };
        self.variance = Enclosure::ordered(values.variance, own_variance);
        let mean = self.common("mean", own_mean, self.best.0)?;
        let variance = self.common("variance", own_variance, self.best.1)?;
        self.best = (mean, variance);
        self.set_shape(values);
        self.quantiles = LEVELS.iter().map(|&p| self.quantile(p)).collect();
        Ok(())
    }

    fn set_sums(&mut self) {
        let mut sum = Interval::ZERO;
        self.up_to = self
            .entries
            .iter()
            .map(|&l| {
                sum += l;
                sum
            })
            .collect();
        let mut sum = Interval::ZERO;
        let mut from: Vec<Interval> = self
            .entries
            .iter()
            .rev()
            .map(|&l| {
                sum += l;
                sum
            })
            .collect();
        from.reverse();
        from.push(Interval::ZERO);
        self.from = from;
    }

    /// The numbers that two proofs of one figure have in common.
    pub(super) fn common(
        &self,
        figure: &'static str,
        own: Interval,
        other: Interval,
    ) -> Result<Interval, DistributionError> {
        let both = Interval {
            lo: own.lo.max(other.lo),
            hi: own.hi.min(other.hi),
        };
        if both.lo <= both.hi {
            Ok(both)
        } else {
            Err(DistributionError::Contradiction {
                trigger: self.trigger,
                figure,
                held: Enclosure::from_interval(own),
                exact: Enclosure::from_interval(other),
            })
        }
    }

    /// Skewness, kurtosis and the third absolute moment, by sums about a number near the mean.
    ///
    /// With c the sums about a and d = mean - a: the central moments are c3 - 3 d c2 + 2 d^3 and
    /// c4 - 4 d c3 + 6 d^2 c2 - 3 d^4. The rest adds to c3 at least -a^3 R and at most `rho_3`, and to c4, since
    /// |x - a| <= max(x, a), at most `rho_4` + a^4 R.
    fn set_shape(&mut self, values: Values) {
        let (mean, variance) = self.best;
        let unknown = |value| {
            Enclosure::ordered(
                value,
                Interval {
                    lo: f64::NEG_INFINITY,
                    hi: f64::INFINITY,
                },
            )
        };
        self.skewness = unknown(values.skewness);
        self.excess_kurtosis = unknown(values.excess_kurtosis);
        if !(mean.hi.is_finite() && variance.square().lo > 0.0 && variance.hi.is_finite()) {
            return;
        }
        let centre = mean.mid();
        let a = Interval::point(centre);
        let a_cubed = a.square() * a;
        let mass = Interval {
            lo: 0.0,
            hi: self.rest.mass(),
        };
        let sums = central(&self.entries, centre);
        let third = sums[3]
            + Interval {
                lo: (-(a_cubed * mass)).lo,
                hi: self.rest.most[3],
            };
        let fourth = sums[4]
            + Interval {
                lo: 0.0,
                hi: (self.rest.moment(4) + a.square().square() * mass).hi,
            };
        let d = mean - a;
        let c2 = variance + d.square();
        let (two, three, four, six) = (
            Interval::point(2.0),
            Interval::point(3.0),
            Interval::point(4.0),
            Interval::point(6.0),
        );
        let mu3 = third - three * d * c2 + two * d * d.square();
        let mu4 = fourth - four * d * third + six * d.square() * c2 - three * d.square().square();
        let sigma = variance.sqrt();
        let finite_over = |top: Interval, below: Interval| {
            // An end that is not known stays so.
            let quotient = top.over(below);
            Interval {
                lo: if top.lo.is_finite() {
                    quotient.lo
                } else {
                    f64::NEG_INFINITY
                },
                hi: if top.hi.is_finite() {
                    quotient.hi
                } else {
                    f64::INFINITY
                },
            }
        };
        self.skewness = Enclosure::ordered(values.skewness, finite_over(mu3, variance * sigma));
        // A kurtosis is at least 1 (Jensen's inequality).
        let kurtosis = finite_over(mu4, variance.square());
        self.excess_kurtosis = Enclosure::ordered(
            values.excess_kurtosis,
            Interval {
                lo: kurtosis.lo.max(1.0),
                hi: kurtosis.hi.max(1.0),
            } - three,
        );
        // |y|^3 = y^3 + 2 max(-y, 0)^3.
        let low = below_cubed(&self.entries, mean) + mean.square() * mean * mass;
        self.third_absolute = (mu3 + two * low).hi;
    }

    /// Mean of the meter, the best that the held law and the exact moments prove together.
    #[must_use]
    pub fn best_mean(&self) -> Enclosure {
        Enclosure::ordered(self.mean.value(), self.best.0)
    }

    /// Variance of the meter, likewise.
    #[must_use]
    pub fn best_variance(&self) -> Enclosure {
        Enclosure::ordered(self.variance.value(), self.best.1)
    }
}

/// A lower bound of the variance of every law that has the lower ends as a part.
///
/// The variance is least where all the rest lies at the part's mean: it is then that of the part, times its mass.
pub(super) fn least_variance(
    entries: &[Interval],
    sums: impl Fn(&[Interval]) -> [Interval; 3],
) -> f64 {
    let part: Vec<Interval> = entries.iter().map(|l| Interval::point(l.lo)).collect();
    let [mass, first, second] = sums(&part);
    if mass.lo > 0.0 {
        (second - first.square().over(mass)).lo.max(0.0)
    } else {
        0.0
    }
}

/// The figures of the held law scaled to mass 1, without bounds.
#[derive(Debug, Clone, Copy)]
struct Values {
    mean: f64,
    variance: f64,
    skewness: f64,
    excess_kurtosis: f64,
}

impl Values {
    fn new(entries: &[Interval]) -> Self {
        let mass: f64 = entries.iter().map(|l| l.mid()).sum();
        let about = |centre: f64, power: u32| -> f64 {
            let sum: f64 = entries
                .iter()
                .enumerate()
                .map(|(x, l)| {
                    // Products in a fixed order, whatever the processor.
                    let distance = real(x) - centre;
                    (0..power).fold(l.mid(), |product, _| product * distance)
                })
                .sum();
            if mass > 0.0 { sum / mass } else { 0.0 }
        };
        let mean = about(0.0, 1);
        let variance = about(mean, 2);
        let is_constant = variance <= 0.0;
        let shape = |moment: f64, scale: f64| if is_constant { 0.0 } else { moment / scale };
        Self {
            mean,
            variance,
            skewness: shape(about(mean, 3), variance * variance.sqrt()),
            excess_kurtosis: if is_constant {
                0.0
            } else {
                about(mean, 4) / (variance * variance) - 3.0
            },
        }
    }
}
