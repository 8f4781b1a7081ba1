//! The figures under every reading of what the text of 693.6 leaves open.
//!
//! | open point | clause | readings |
//! | --- | --- | --- |
//! | whether a potion's spin is used up | (f)(4)(iii), (iv) | kept for both, used up for both; the paytable's own where it treats the two differently |
//! | which character an inner multiplier goes to | (f)(2)(i) | uniform, by outer sections, and the paytable's own weights |
//! | what a meter of zero pays | (g) | the wager comes back, the wager is lost |
//! | a cap on the meter | (g) | none, the paytable's own, and one that the caller names |
//! | starting multipliers | (e) | the paytable's own, and the laws that the caller names |
//!
//! Every combination is a row, the paytable's own among them. A row is the paytable with these
//! points changed and nothing else, validated and solved as if it had come from a file. Rows
//! that differ in the zero meter alone have the same meter and share its solution.
//!
//! Guarantee: every figure is an [`Enclosure`]. A reading under which a round need not end, or
//! which the calculator refuses, has its reason in place of figures. `[limits]` is kept as it
//! is and enters no figure here.

#[cfg(test)]
mod tests;

use thiserror::Error;

use super::starts::starts_text;
use crate::exact::{self, Enclosure, Exact, ExactError, Returns};
use crate::paytable::{
    BoostLaw, Definition, Faults, Payout, Paytable, PaytableError, StartLaw, ZeroMeter,
};
use crate::rules::Trigger;

/// What a caller adds to the matrix.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Additions {
    /// More laws of the starting multipliers, each for all triggers.
    pub starts: Vec<StartLaw>,
    /// A cap on the meter, in [1, 10^12].
    pub cap: Option<u64>,
}

/// One choice for every open point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The law of the starting multipliers; `None` for the paytable's own, which may differ
    /// between triggers.
    pub starts: Option<StartLaw>,
    /// Whether a spin that shows Eat Me uses itself up.
    pub eat_me_consumes_spin: bool,
    /// Whether a spin that shows Drink Me uses itself up.
    pub drink_me_consumes_spin: bool,
    /// The law of the selected character.
    pub boost: BoostLaw,
    /// The cap on the meter.
    pub max_meter: Option<u64>,
    /// What a meter of zero pays.
    pub zero_meter: ZeroMeter,
}

impl Reading {
    /// The reading that a definition states.
    #[must_use]
    pub fn of(definition: &Definition) -> Self {
        Self {
            starts: None,
            eat_me_consumes_spin: definition.rules.eat_me.consumes_spin,
            drink_me_consumes_spin: definition.rules.drink_me.consumes_spin,
            boost: definition.boost.clone(),
            max_meter: definition.rules.max_meter,
            zero_meter: definition.payout.zero_meter,
        }
    }

    /// The definition under this reading.
    #[must_use]
    pub fn applied_to(&self, definition: &Definition) -> Definition {
        let mut changed = definition.clone();
        if let Some(law) = &self.starts {
            changed.starting_multipliers = law.clone();
            for terms in &mut changed.triggers {
                terms.starting_multipliers = None;
            }
        }
        changed.rules.eat_me.consumes_spin = self.eat_me_consumes_spin;
        changed.rules.drink_me.consumes_spin = self.drink_me_consumes_spin;
        changed.boost = self.boost.clone();
        changed.rules.max_meter = self.max_meter;
        changed.payout.zero_meter = self.zero_meter;
        changed
    }
}

/// The figures of one trigger under one reading.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingFigures {
    /// The trigger.
    pub trigger: Trigger,
    /// Expected meter, capped where the reading has a cap.
    pub mean_meter: Enclosure,
    /// Standard deviation of that meter.
    pub std_dev_meter: Enclosure,
    /// P(meter > 0).
    pub hit_frequency: Enclosure,
    /// Returns of a wager.
    pub returns: Returns,
}

/// Why a reading has no figures.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The changed paytable is not legal: a round need not end.
    #[error("{0}")]
    Paytable(Faults),
    /// The exact calculator refuses it.
    #[error(transparent)]
    Exact(#[from] ExactError),
}

/// One row of the matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingRow {
    /// The reading.
    pub reading: Reading,
    /// Whether it is the paytable's own.
    pub is_own: bool,
    /// The figures of each trigger in the paytable's order, or why there are none.
    pub figures: Result<Vec<ReadingFigures>, Refusal>,
}

/// Why there is no matrix.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadingsError {
    /// A law of starts that the caller named does not fit the paytable.
    #[error("the starting multipliers `{}` do not fit the paytable", starts_text(.law))]
    Starts {
        /// The law.
        law: StartLaw,
        /// Its faults.
        #[source]
        source: PaytableError,
    },
    /// The cap that the caller named is not legal.
    #[error("the cap {cap} is not legal")]
    Cap {
        /// The cap.
        cap: u64,
        /// Its faults.
        #[source]
        source: PaytableError,
    },
}

/// The matrix of all readings.
///
/// Rows stand in the order starts, potions, boost, cap, zero meter, each from the paytable's
/// own or the literal reading onwards. A law or a cap that the paytable has already adds no row.
///
/// # Errors
/// - [`ReadingsError::Starts`]: a named law does not cover the characters or leaves the range
///   from the floor to 10^6
/// - [`ReadingsError::Cap`]: a named cap is not in [1, 10^12]
///
/// # Performance
/// One [`exact::solve_all`] for every two rows.
///
/// # Examples
/// ```
/// use wonderspins::analysis::readings::{Additions, readings};
/// use wonderspins::paytable::PaytableFile;
///
/// let file = PaytableFile::load("pa-693-6")?;
/// let rows = readings(&file.paytable, &Additions::default())?;
/// // Two readings of the potions, two of the boost, two of the zero meter.
/// assert_eq!(rows.len(), 8);
/// assert_eq!(rows.iter().filter(|row| row.is_own).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn readings(
    paytable: &Paytable,
    additions: &Additions,
) -> Result<Vec<ReadingRow>, ReadingsError> {
    let own = Reading::of(paytable);
    let starts = starts(paytable, &additions.starts)?;
    let caps = caps(paytable, additions.cap)?;
    let mut rows = Vec::new();
    for law in &starts {
        for (eat_me_consumes_spin, drink_me_consumes_spin) in potions(&own) {
            for boost in boosts(&own) {
                for &max_meter in &caps {
                    let reading = Reading {
                        starts: law.clone(),
                        eat_me_consumes_spin,
                        drink_me_consumes_spin,
                        boost: boost.clone(),
                        max_meter,
                        zero_meter: own.zero_meter,
                    };
                    rows.extend(both_zero_meters(paytable, &own, &reading));
                }
            }
        }
    }
    Ok(rows)
}

/// The two rows of a reading that differ in the zero meter.
fn both_zero_meters(paytable: &Paytable, own: &Reading, reading: &Reading) -> [ReadingRow; 2] {
    let solved = solved(reading.applied_to(paytable));
    [ZeroMeter::ReturnsWager, ZeroMeter::LosesWager].map(|zero_meter| {
        let reading = Reading {
            zero_meter,
            ..reading.clone()
        };
        let payout = Payout {
            zero_meter,
            ..paytable.payout
        };
        let figures = solved.as_ref().map_err(Clone::clone).map(|all| {
            let known = all.iter().zip(&paytable.triggers);
            known
                .map(|(exact, terms)| ReadingFigures {
                    trigger: exact.trigger,
                    mean_meter: exact.mean_meter,
                    std_dev_meter: exact.std_dev_meter,
                    hit_frequency: exact.hit_frequency,
                    returns: exact::returns(
                        payout,
                        terms,
                        exact.mean_meter,
                        exact.variance_meter,
                        exact.zero_probability,
                    ),
                })
                .collect()
        });
        ReadingRow {
            is_own: reading == *own,
            reading,
            figures,
        }
    })
}

fn solved(definition: Definition) -> Result<Vec<Exact>, Refusal> {
    let paytable = Paytable::new(definition).map_err(|error| match error {
        PaytableError::Faults(faults) => Refusal::Paytable(faults),
        PaytableError::Read { .. } => unreachable!("a definition in memory is not read"),
    })?;
    Ok(exact::solve_all(&paytable)?)
}

/// The paytable's own laws, then those of the caller that it does not have already.
fn starts(paytable: &Paytable, named: &[StartLaw]) -> Result<Vec<Option<StartLaw>>, ReadingsError> {
    let mut all: Vec<Option<StartLaw>> = vec![None];
    for law in named {
        let reading = Reading {
            starts: Some(law.clone()),
            ..Reading::of(paytable)
        };
        if let Err(source) = Paytable::new(reading.applied_to(paytable)) {
            let law = law.clone();
            return Err(ReadingsError::Starts { law, source });
        }
        let mut triggers = paytable.triggers.iter();
        let is_own = triggers.all(|terms| is_same(paytable.start_law(terms.trigger), law));
        let is_known = all.iter().flatten().any(|known| is_same(known, law));
        if !is_own && !is_known {
            all.push(Some(law.clone()));
        }
    }
    Ok(all)
}

/// Whether two laws are one; a permutation does not depend on the order of its values.
fn is_same(one: &StartLaw, other: &StartLaw) -> bool {
    match (one, other) {
        (StartLaw::Permutation { values: one }, StartLaw::Permutation { values: other }) => {
            let (mut one, mut other) = (one.clone(), other.clone());
            one.sort_unstable();
            other.sort_unstable();
            one == other
        }
        _ => one == other,
    }
}

/// No cap, the paytable's own, the caller's.
fn caps(paytable: &Paytable, named: Option<u64>) -> Result<Vec<Option<u64>>, ReadingsError> {
    let mut all = vec![None];
    if let Some(cap) = named {
        let reading = Reading {
            max_meter: named,
            ..Reading::of(paytable)
        };
        Paytable::new(reading.applied_to(paytable))
            .map_err(|source| ReadingsError::Cap { cap, source })?;
    }
    for cap in [paytable.rules.max_meter, named] {
        if !all.contains(&cap) {
            all.push(cap);
        }
    }
    Ok(all)
}

/// Whether Eat Me and Drink Me use up their spin.
fn potions(own: &Reading) -> Vec<(bool, bool)> {
    let mut all = vec![(false, false), (true, true)];
    let stated = (own.eat_me_consumes_spin, own.drink_me_consumes_spin);
    if !all.contains(&stated) {
        all.push(stated);
    }
    all
}

fn boosts(own: &Reading) -> Vec<BoostLaw> {
    let mut all = vec![BoostLaw::Uniform, BoostLaw::OuterSections];
    if !all.contains(&own.boost) {
        all.push(own.boost.clone());
    }
    all
}
