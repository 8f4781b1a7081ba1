//! Figures of a game and differences between two games.

use dashu_ratio::RBig;

use super::Figures;
use super::view::{Meter, Price};
use crate::exact::{self, ExactError, RationalEnclosure};
use crate::paytable::Paytable;
use crate::rules::Trigger;

impl Figures {
    pub(super) fn zero() -> Self {
        let zero = || RationalEnclosure::exact(RBig::ZERO);
        Self {
            rtp: zero(),
            mean_meter: zero(),
            std_dev_meter: zero(),
            hit_frequency: zero(),
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            rtp: self.rtp.plus(&other.rtp),
            mean_meter: self.mean_meter.plus(&other.mean_meter),
            std_dev_meter: self.std_dev_meter.plus(&other.std_dev_meter),
            hit_frequency: self.hit_frequency.plus(&other.hit_frequency),
        }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        Self {
            rtp: self.rtp.minus(&other.rtp),
            mean_meter: self.mean_meter.minus(&other.mean_meter),
            std_dev_meter: self.std_dev_meter.minus(&other.std_dev_meter),
            hit_frequency: self.hit_frequency.minus(&other.hit_frequency),
        }
    }
}

/// A game with what decides its figures.
#[derive(Debug, Clone)]
pub(super) struct Solved {
    meter: Meter,
    price: Price,
    pub(super) figures: Figures,
}

impl Solved {
    /// What this game has more than another: without the width of the bounds where the same
    /// unknown number stands on both sides.
    pub(super) fn minus(&self, other: &Self) -> Figures {
        let mut difference = self.figures.minus(&other.figures);
        let zero = Figures::zero();
        if self.meter.counter() == other.meter.counter() {
            difference.hit_frequency = zero.hit_frequency;
        }
        if self.meter == other.meter {
            difference.mean_meter = zero.mean_meter;
            difference.std_dev_meter = zero.std_dev_meter;
            let (one, two) = (&self.price, &other.price);
            let price = Price {
                meter: &one.meter - &two.meter,
                zero: &one.zero - &two.zero,
                constant: &one.constant - &two.constant,
            };
            difference.rtp = price.of(&self.figures.mean_meter, &self.figures.hit_frequency);
        }
        difference
    }
}

impl Price {
    fn of(&self, mean: &RationalEnclosure, hit: &RationalEnclosure) -> RationalEnclosure {
        let zero = RationalEnclosure::exact(RBig::ONE).minus(hit);
        mean.times(&self.meter)
            .plus(&zero.times(&self.zero))
            .plus(&RationalEnclosure::exact(self.constant.clone()))
    }
}

/// The exact calculator with a memory: many changed games have the same meter.
#[derive(Debug, Default)]
pub(super) struct Solver {
    known: Vec<(Meter, Result<Figures, ExactError>)>,
}

impl Solver {
    /// The figures of a trigger that the paytable has.
    pub(super) fn solve(
        &mut self,
        paytable: &Paytable,
        trigger: Trigger,
    ) -> Result<Solved, ExactError> {
        let meter = Meter::new(paytable, trigger);
        let known = self.known.iter().find(|(known, _)| *known == meter);
        let figures = if let Some((_, figures)) = known {
            figures.clone()
        } else {
            let figures = meter_figures(paytable, trigger);
            self.known.push((meter.clone(), figures.clone()));
            figures
        };
        let mut figures = figures?;
        let terms = paytable.terms(trigger).expect("the paytable has it");
        let price = Price::new(paytable, terms);
        figures.rtp = price.of(&figures.mean_meter, &figures.hit_frequency);
        Ok(Solved {
            meter,
            price,
            figures,
        })
    }
}

/// All figures but the return, which has yet to be priced.
fn meter_figures(paytable: &Paytable, trigger: Trigger) -> Result<Figures, ExactError> {
    let exact = exact::solve(paytable, trigger)?;
    let best = |fraction: &Option<RBig>, enclosure| match fraction {
        Some(fraction) => RationalEnclosure::exact(fraction.clone()),
        None => RationalEnclosure::from(enclosure),
    };
    Ok(Figures {
        rtp: RationalEnclosure::exact(RBig::ZERO),
        mean_meter: best(&exact.fractions.mean_meter, exact.mean_meter),
        std_dev_meter: exact.std_dev_meter.into(),
        hit_frequency: best(&exact.fractions.hit_frequency, exact.hit_frequency),
    })
}
