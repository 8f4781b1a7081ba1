//! Schema `wonderspins/card/1`: the pay table of the bonus for players.
//!
//! What 9 NYCRR 5319.47(a)(1), (a)(2) and (a)(9) want shown: the rules of play, the ranges of
//! win and multiplier, the rewards. Every sentence follows from the paytable's keys and every
//! number from the exact calculator, so a page made from this cannot say other than the game
//! does. Numbers are rounded so that none promises a player more than the exact one: shares and
//! averages down, the N of "1 in N" up.
//!
//! | file | holds |
//! | --- | --- |
//! | `words` | the rules as sentences |
//! | `ranges` | how far payout and multipliers can go |
//! | `rounding` | numbers for players |

mod ranges;
mod rounding;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::fmt::Display;

use dashu_ratio::RBig;
use serde::{Deserialize, Serialize};

use super::{EnclosureJson, PaytableId, Tool, Wheels};
use crate::exact::distribution::Distribution;
use crate::exact::{Enclosure, Exact};
use crate::paytable::{PaytableFile, TriggerTerms};
use crate::rules::Wheel;

/// Payouts, to 1, whose odds a card gives.
pub const CARD_PAYOUTS: [u64; 6] = [10, 20, 50, 100, 200, 500];

/// A sentence of the rules and the key that it follows from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardSentence {
    /// Key of the paytable file.
    pub key: String,
    /// The sentence.
    pub text: String,
}

/// A result of a wheel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardOutcome {
    /// What the sections show: a character, a multiplier, `eat-me`, `additional-spin`.
    pub shows: String,
    /// How many sections show it.
    pub sections: u64,
    /// Its chance, exactly: `16 in 54`.
    pub chance: String,
}

/// How often a round pays at least an amount.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardOdds {
    /// The payout, to 1.
    pub payout: u64,
    /// `1 in 5.09`, `cannot occur`, or `less than 1 in 1,000` where no more is proven.
    pub odds: String,
    /// The probability behind it.
    pub probability: EnclosureJson,
}

/// The figures of a trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// Spins on the counter at the start.
    pub spins: u32,
    /// How often the bonus starts: `1 in 18`.
    pub starts: String,
    /// Smallest payout.
    pub smallest: String,
    /// Largest payout.
    pub largest: String,
    /// Range of a character's multiplier.
    pub multipliers: String,
    /// Average payout of a round: `16.27 to 1`.
    pub average: String,
    /// Chance that a round pays more than 0: `99.78 %`.
    pub win: String,
    /// Long-run return of the bet and what it contains.
    pub rtp: String,
    /// Odds of large payouts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<CardOdds>,
}

/// `paytable card --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardDocument {
    /// `wonderspins/card/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// Paytable.
    pub paytable: PaytableId,
    /// Where its rules come from, as the file says.
    pub source: String,
    /// The rules, in the order of play.
    pub rules: Vec<CardSentence>,
    /// What the meter pays.
    pub pays: Vec<CardSentence>,
    /// Both wheels.
    pub wheels: Wheels,
    /// Results of the inner wheel, the likeliest first.
    pub inner: Vec<CardOutcome>,
    /// Results of the outer wheel, the likeliest first.
    pub outer: Vec<CardOutcome>,
    /// One entry for each trigger, ascending.
    pub triggers: Vec<CardTrigger>,
    /// Why there are no odds of large payouts, where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_odds: Option<String>,
    /// What the source text leaves open and the file's author chose; the file's own notes last.
    pub chosen: Vec<CardSentence>,
    /// How the numbers are rounded.
    pub rounding: String,
    /// What the page is made from and what it is not.
    pub statement: String,
}

impl CardDocument {
    /// The card of a paytable.
    ///
    /// # Arguments
    /// - `exact`: of every trigger, in the paytable's order
    /// - `distributions`: the same, or why there are none
    #[must_use]
    pub fn new(
        file: &PaytableFile,
        exact: &[Exact],
        distributions: Result<&[Distribution], String>,
    ) -> Self {
        let paytable = &file.paytable;
        let triggers = exact
            .iter()
            .filter_map(|exact| {
                let terms = paytable.terms(exact.trigger)?;
                let laws = distributions.as_ref().ok();
                let law =
                    laws.and_then(|laws| laws.iter().find(|law| law.trigger == exact.trigger));
                Some(trigger(file, exact, terms, law))
            })
            .collect();
        Self {
            schema: "wonderspins/card/1".to_owned(),
            tool: Tool::current(),
            paytable: file.into(),
            source: paytable.source.clone(),
            rules: words::rules(paytable),
            pays: words::pays(paytable),
            wheels: Wheels::new(paytable),
            inner: outcomes(&paytable.inner_wheel),
            outer: outcomes(&paytable.outer_wheel),
            triggers,
            without_odds: distributions.err(),
            chosen: words::chosen(paytable),
            rounding:
                "Averages and percentages are rounded down and the number N of \"1 in N\" up, \
                       so that no figure here promises more than the exact one."
                    .to_owned(),
            statement: "Computed from the paytable file with this SHA-256. The program that made \
                        this page is not a licensed or accredited laboratory, and the page is not \
                        an approval."
                .to_owned(),
        }
    }
}

/// What the sections of a wheel show, likeliest first and then in the order of the wheel.
fn outcomes<S: Copy + Display>(wheel: &Wheel<S>) -> Vec<CardOutcome> {
    let total = wheel.total_weight();
    let mut found: Vec<(String, u64, u64)> = Vec::new();
    let mut places = BTreeMap::new();
    for (section, weight) in wheel.iter() {
        let shows = section.to_string();
        let at = *places.entry(shows.clone()).or_insert_with(|| {
            found.push((shows, 0, 0));
            found.len() - 1
        });
        found[at].1 += 1;
        found[at].2 += weight;
    }
    found.sort_by_key(|&(_, _, weight)| std::cmp::Reverse(weight));
    found
        .into_iter()
        .map(|(shows, sections, weight)| CardOutcome {
            shows,
            sections,
            chance: format!("{weight} in {total}"),
        })
        .collect()
}

fn trigger(
    file: &PaytableFile,
    exact: &Exact,
    terms: &TriggerTerms,
    law: Option<&Distribution>,
) -> CardTrigger {
    let paytable = &file.paytable;
    // With a cap the law gives the mean; without it the other method's is the sharper one.
    let mean = match law {
        Some(law) if paytable.rules.max_meter.is_some() => law.best_mean(),
        _ => exact.mean_meter,
    };
    let returns = crate::exact::returns(
        paytable.payout,
        terms,
        mean,
        exact.variance_meter,
        exact.zero_probability,
    );
    let largest = ranges::largest(paytable, terms.trigger);
    CardTrigger {
        trigger: terms.trigger.number(),
        spins: terms.spins,
        starts: rounding::one_in(&(RBig::ONE / terms.probability())),
        smallest: ranges::smallest(paytable, exact),
        largest: words::largest(paytable, largest),
        multipliers: ranges::multipliers(paytable, terms),
        average: format!(
            "{} {}",
            rounding::down(mean.lower(), 2),
            words::to_one(paytable)
        ),
        win: rounding::percent_down(exact.hit_frequency.lower()),
        rtp: words::rtp(&returns, terms),
        odds: law.map_or_else(Vec::new, |law| {
            CARD_PAYOUTS
                .into_iter()
                .map(|payout| odds(law, payout, largest))
                .collect()
        }),
    }
}

fn odds(law: &Distribution, payout: u64, largest: crate::exact::LargestMeter) -> CardOdds {
    let is_impossible =
        matches!(largest, crate::exact::LargestMeter::Finite(most) if most < payout);
    let (probability, odds) = if is_impossible {
        (Enclosure::ZERO, "cannot occur".to_owned())
    } else {
        let probability = law.exceedance(payout);
        (probability, rounding::odds(probability))
    };
    CardOdds {
        payout,
        odds,
        probability: probability.into(),
    }
}
