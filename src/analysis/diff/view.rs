//! What decides the figures of a trigger, and nothing else, in a form that can be compared.
//!
//! Two paytables with equal views have equal figures, however the files are written: sections in
//! another order, weights that are all doubled, a boost by section counts that happen to be
//! equal. Only sure equalities are claimed; games that are alike in another way merely have
//! differences whose bounds hold 0.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use crate::paytable::{Convention, Paytable, Potion, StartLaw, TriggerTerms, ZeroMeter};
use crate::rules::{InnerSection, OuterSection, Trigger};

/// What decides the law of the meter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meter {
    counter: Counter,
    /// Probability of each multiplier; the rest is additional spins.
    inner: BTreeMap<u32, RBig>,
    outer: BTreeMap<OuterSection, RBig>,
    boost: Vec<RBig>,
    starts: StartLaw,
    eat_me: i32,
    drink_me: i32,
    floor: u32,
    cap: Option<u64>,
}

/// What decides the law of the counter together with the number of hits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counter {
    spins: u32,
    limit: Option<u32>,
    /// Probability of an additional spin, and what it adds.
    additional: (RBig, u32),
    /// Probability of each potion, and what it does to the counter.
    eat_me: (RBig, i32),
    drink_me: (RBig, i32),
    no_win: RBig,
}

/// The return as a linear form: rtp = meter E[M] + zero P(M = 0) + constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) meter: RBig,
    pub(super) zero: RBig,
    pub(super) constant: RBig,
}

impl Meter {
    /// # Panics
    /// If the paytable lacks the trigger.
    pub(super) fn new(paytable: &Paytable, trigger: Trigger) -> Self {
        let rules = &paytable.rules;
        let inner_total = paytable.inner_wheel.total_weight();
        let outer_total = paytable.outer_wheel.total_weight();
        let mut inner: BTreeMap<u32, RBig> = BTreeMap::new();
        let mut additional = RBig::ZERO;
        for (section, weight) in paytable.inner_wheel.iter() {
            let probability = RBig::from(weight) / RBig::from(inner_total);
            match section {
                InnerSection::Multiplier(value) => {
                    *inner.entry(value).or_insert(RBig::ZERO) += probability;
                }
                InnerSection::AdditionalSpin => additional += probability,
            }
        }
        let mut outer: BTreeMap<OuterSection, RBig> = BTreeMap::new();
        for (section, weight) in paytable.outer_wheel.iter() {
            let probability = RBig::from(weight) / RBig::from(outer_total);
            *outer.entry(section).or_insert(RBig::ZERO) += probability;
        }
        let of = |section| outer.get(&section).cloned().unwrap_or(RBig::ZERO);
        // What a potion does is of no account on a wheel that lacks it.
        let on_wheel = |section, potion: Potion| {
            let probability = of(section);
            if probability > RBig::ZERO {
                let change = (probability, potion.counter_change());
                (change, potion.multipliers)
            } else {
                ((RBig::ZERO, 0), 0)
            }
        };
        let (eat_me, eat_me_multipliers) = on_wheel(OuterSection::EatMe, rules.eat_me);
        let (drink_me, drink_me_multipliers) = on_wheel(OuterSection::DrinkMe, rules.drink_me);
        let adds = if additional > RBig::ZERO {
            rules.additional_spin
        } else {
            0
        };
        let weights = paytable.boost_weights();
        let boost_total = RBig::from(
            weights
                .iter()
                .map(|&weight| u128::from(weight))
                .sum::<u128>(),
        );
        let terms = paytable.terms(trigger).expect("the paytable has it");
        let mut starts = paytable.start_law(trigger).clone();
        if let StartLaw::Permutation { values } = &mut starts {
            values.sort_unstable();
        }
        Self {
            counter: Counter {
                spins: terms.spins,
                limit: rules.max_spins,
                additional: (additional, adds),
                eat_me,
                drink_me,
                no_win: of(OuterSection::NoWin),
            },
            boost: weights
                .into_iter()
                .map(|weight| RBig::from(weight) / &boost_total)
                .collect(),
            inner,
            outer,
            starts,
            eat_me: eat_me_multipliers,
            drink_me: drink_me_multipliers,
            floor: rules.multiplier_floor,
            cap: rules.max_meter,
        }
    }

    /// What decides whether anything is hit: a hit pays at least 1, whatever the multipliers.
    pub(super) fn counter(&self) -> &Counter {
        &self.counter
    }
}

impl Price {
    pub(super) fn new(paytable: &Paytable, terms: &TriggerTerms) -> Self {
        // The wager comes back with probability `always + at_zero P(M = 0)`.
        let (always, at_zero) = match (paytable.payout.convention, paytable.payout.zero_meter) {
            (Convention::ToOne, ZeroMeter::ReturnsWager) => (1, 0),
            (Convention::ToOne, ZeroMeter::LosesWager) => (1, -1),
            (Convention::ForOne, ZeroMeter::ReturnsWager) => (0, 1),
            (Convention::ForOne, ZeroMeter::LosesWager) => (0, 0),
        };
        let probability = terms.probability();
        Self {
            zero: &probability * RBig::from(at_zero),
            constant: &probability * RBig::from(always) + &terms.other_return,
            meter: probability,
        }
    }
}
