//! The law of one spin as this calculator reads it, 693.6(f)(2) and (f)(4), in rationals.
//!
//! A reading of its own, made from the paytable's data alone. It rests on one remark: *a
//! character and No Win act alike on the counter and on the multipliers*. Call such an outer
//! result a **down step**. Which section a down step showed is a label that is independent of
//! everything else, and it is character c with probability `pi_c` = (weight of c's sections) /
//! (weight of all down sections). So the path of counter and multipliers knows nothing of the
//! labels, and what is paid is the multiplier `m_c` of each down step that carries the label c.
//!
//! Two characters with the same weight in the selection of (f)(2)(i) then have the same law of
//! multipliers, whatever their sections: they form a **class**, and tables are kept for each
//! class, not for each character.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use crate::paytable::Paytable;
use crate::rules::{InnerSection, OuterSection};

/// A potion's outer result.
#[derive(Debug, Clone)]
pub(super) struct PotionStep {
    /// Eat Me or Drink Me.
    pub(super) section: OuterSection,
    /// Its probability.
    pub(super) probability: RBig,
    /// Change of the counter, at least -1.
    pub(super) change: i64,
    /// Added to every multiplier, before the floor.
    pub(super) delta: i64,
}

/// One spin as a pair of characters sees it.
#[derive(Debug, Clone)]
pub(super) struct Outcome<T> {
    /// Its probability.
    pub(super) probability: T,
    /// Net change of the counter, at least -1.
    pub(super) change: i64,
    /// Inner addition to the character, made before the outer result.
    pub(super) add: i64,
    /// Inner addition to its partner.
    pub(super) partner_add: i64,
    /// Added to both by a potion, before the floor.
    pub(super) delta: i64,
    /// Whether the outer result is a down step (a character or No Win).
    pub(super) down: bool,
}

impl<T> Outcome<T> {
    /// Net change of the character's multiplier where there is no floor.
    pub(super) fn shift(&self) -> i64 {
        self.add + self.delta
    }

    /// Net change of the partner's multiplier where there is no floor.
    pub(super) fn partner_shift(&self) -> i64 {
        self.partner_add + self.delta
    }

    /// The same outcome with another form of its probability.
    pub(super) fn map<U>(&self, f: impl Fn(&T) -> U) -> Outcome<U> {
        Outcome {
            probability: f(&self.probability),
            change: self.change,
            add: self.add,
            partner_add: self.partner_add,
            delta: self.delta,
            down: self.down,
        }
    }
}

/// One spin in rationals.
#[derive(Debug, Clone)]
pub(super) struct Law {
    /// Inner multipliers, distinct, with their probabilities.
    pub(super) additions: Vec<(i64, RBig)>,
    /// Probability of the additional spin.
    pub(super) extra: RBig,
    /// What an additional spin adds to the counter.
    pub(super) extra_spins: i64,
    /// Probability of a down step: a character or No Win.
    pub(super) down: RBig,
    /// Probability that the outer result is a character.
    pub(super) hit: RBig,
    /// Eat Me and Drink Me, those that are on the wheel.
    pub(super) potions: Vec<PotionStep>,
    /// For each class the probability that a multiplier goes to a given member.
    pub(super) selection: Vec<RBig>,
    /// The class of each character, in the paytable's order.
    pub(super) class_of: Vec<usize>,
    /// `pi_c` of each character: its share of the down steps.
    pub(super) label: Vec<RBig>,
    /// The pairs of classes, first <= second, that two different characters form.
    pub(super) pairs: Vec<(usize, usize)>,
}

fn ratio(numerator: u64, denominator: u64) -> RBig {
    RBig::from(numerator) / RBig::from(denominator)
}

impl Law {
    /// The law of a paytable's spin.
    pub(super) fn new(paytable: &Paytable) -> Self {
        let inner_total = paytable.inner_wheel.total_weight();
        let outer_total = paytable.outer_wheel.total_weight();

        let mut additions = BTreeMap::<i64, u64>::new();
        let mut extra = 0;
        for (section, weight) in paytable.inner_wheel.iter() {
            match section {
                InnerSection::Multiplier(value) => {
                    *additions.entry(i64::from(value)).or_default() += weight;
                }
                InnerSection::AdditionalSpin => extra += weight,
            }
        }

        let characters = paytable.characters();
        let mut sections = vec![0_u64; characters.len()];
        let (mut no_win, mut eat_me, mut drink_me) = (0, 0, 0);
        for (section, weight) in paytable.outer_wheel.iter() {
            match section {
                OuterSection::Character(character) => {
                    let index = characters
                        .iter()
                        .position(|&other| other == character)
                        .expect("a paytable lists every character of its outer wheel");
                    sections[index] += weight;
                }
                OuterSection::NoWin => no_win += weight,
                OuterSection::EatMe => eat_me += weight,
                OuterSection::DrinkMe => drink_me += weight,
            }
        }
        let hit: u64 = sections.iter().sum();
        let down = hit + no_win;
        let potions = [
            (OuterSection::EatMe, paytable.rules.eat_me, eat_me),
            (OuterSection::DrinkMe, paytable.rules.drink_me, drink_me),
        ]
        .into_iter()
        .filter(|&(_, _, weight)| weight > 0)
        .map(|(section, potion, weight)| PotionStep {
            section,
            probability: ratio(weight, outer_total),
            change: i64::from(potion.counter_change()),
            delta: i64::from(potion.multipliers),
        })
        .collect();

        let boost = paytable.boost_weights();
        let boost_total = boost
            .iter()
            .fold(RBig::ZERO, |sum, &weight| sum + RBig::from(weight));
        let mut distinct = boost.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let class_of: Vec<usize> = boost
            .iter()
            .map(|weight| {
                distinct
                    .binary_search(weight)
                    .expect("every weight is among the distinct ones")
            })
            .collect();
        let mut pairs = Vec::new();
        for (index, &first) in class_of.iter().enumerate() {
            for &second in &class_of[index + 1..] {
                pairs.push((first.min(second), first.max(second)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();

        Self {
            additions: additions
                .into_iter()
                .map(|(value, weight)| (value, ratio(weight, inner_total)))
                .collect(),
            extra: ratio(extra, inner_total),
            extra_spins: i64::from(paytable.rules.additional_spin),
            down: ratio(down, outer_total),
            hit: ratio(hit, outer_total),
            potions,
            selection: distinct
                .iter()
                .map(|&weight| RBig::from(weight) / &boost_total)
                .collect(),
            class_of,
            label: sections.iter().map(|&weight| ratio(weight, down)).collect(),
            pairs,
        }
    }

    /// The outcomes of one spin for a character of a class and, if given, a second character of
    /// a class; equal outcomes are joined.
    pub(super) fn outcomes(&self, class: usize, partner: Option<usize>) -> Vec<Outcome<RBig>> {
        // (counter, addition, partner's addition) of the inner wheel.
        let mut inner = BTreeMap::<(i64, i64, i64), RBig>::new();
        let mut put = |key, probability: RBig| {
            *inner.entry(key).or_insert(RBig::ZERO) += probability;
        };
        put((self.extra_spins, 0, 0), self.extra.clone());
        let own = &self.selection[class];
        let other = partner.map_or(RBig::ZERO, |partner| self.selection[partner].clone());
        let rest = RBig::ONE - own - &other;
        for (value, probability) in &self.additions {
            put((0, *value, 0), probability * own);
            put((0, 0, *value), probability * &other);
            put((0, 0, 0), probability * &rest);
        }
        // (counter, delta, down) of the outer wheel.
        let mut outer = BTreeMap::<(i64, i64, bool), RBig>::new();
        outer.insert((-1, 0, true), self.down.clone());
        for potion in &self.potions {
            *outer
                .entry((potion.change, potion.delta, false))
                .or_insert(RBig::ZERO) += &potion.probability;
        }
        let mut joined = BTreeMap::<(i64, i64, i64, i64, bool), RBig>::new();
        for ((extra, add, partner_add), inner_probability) in &inner {
            for ((change, delta, down), outer_probability) in &outer {
                *joined
                    .entry((extra + change, *add, *partner_add, *delta, *down))
                    .or_insert(RBig::ZERO) += inner_probability * outer_probability;
            }
        }
        joined
            .into_iter()
            .filter(|(_, probability)| !probability.is_zero())
            .map(
                |((change, add, partner_add, delta, down), probability)| Outcome {
                    probability,
                    change,
                    add,
                    partner_add,
                    delta,
                    down,
                },
            )
            .collect()
    }

    /// The law of the counter's change in one spin; with `without_hits` the part of it in which
    /// no character is shown.
    pub(super) fn steps(&self, without_hits: bool) -> Vec<(i64, RBig)> {
        let down = if without_hits {
            &self.down - &self.hit
        } else {
            self.down.clone()
        };
        let mut outer = vec![(-1, down)];
        outer.extend(
            self.potions
                .iter()
                .map(|potion| (potion.change, potion.probability.clone())),
        );
        let mut steps = BTreeMap::<i64, RBig>::new();
        for (change, probability) in &outer {
            *steps.entry(*change).or_insert(RBig::ZERO) += probability * (RBig::ONE - &self.extra);
            *steps
                .entry(*change + self.extra_spins)
                .or_insert(RBig::ZERO) += probability * &self.extra;
        }
        steps
            .into_iter()
            .filter(|(_, probability)| !probability.is_zero())
            .collect()
    }

    /// The law with each spin weighted by r^(change of the counter) and no potion taking
    /// anything off a multiplier; and E[r^change], which the weights were divided by.
    pub(super) fn tilted(&self, r: &RBig) -> (Self, RBig) {
        let power = |exponent: i64| {
            let size = (0..exponent.abs()).fold(RBig::ONE, |power, _| power * r);
            if exponent < 0 { RBig::ONE / size } else { size }
        };
        let rise = power(self.extra_spins);
        let inner = RBig::ONE - &self.extra + &self.extra * &rise;
        let fall = power(-1);
        let mut outer = &self.down * &fall;
        for potion in &self.potions {
            outer += &potion.probability * power(potion.change);
        }
        let mut law = self.clone();
        law.extra = &self.extra * rise / &inner;
        for (_, probability) in &mut law.additions {
            *probability = &*probability / &inner;
        }
        law.down = &self.down * &fall / &outer;
        law.hit = &self.hit * &fall / &outer;
        for potion in &mut law.potions {
            potion.probability = &potion.probability * power(potion.change) / &outer;
            potion.delta = potion.delta.max(0);
        }
        (law, inner * outer)
    }

    /// The law in which a potion adds what it would take off.
    pub(super) fn absolute(&self) -> Self {
        let mut law = self.clone();
        for potion in &mut law.potions {
            potion.delta = potion.delta.abs();
        }
        law
    }

    /// The largest number that one potion can take off a multiplier; 0 where the floor is never
    /// reached from above.
    pub(super) fn largest_drop(&self) -> i64 {
        self.potions
            .iter()
            .map(|potion| -potion.delta)
            .max()
            .unwrap_or(0)
            .max(0)
    }
}

/// First two moments of the counter's change, from its law.
pub(super) fn drift_and_variance(steps: &[(i64, RBig)]) -> (RBig, RBig) {
    let mut mean = RBig::ZERO;
    let mut square = RBig::ZERO;
    for (change, probability) in steps {
        mean += RBig::from(*change) * probability;
        square += RBig::from(change * change) * probability;
    }
    let variance = square - &mean * &mean;
    (mean, variance)
}
