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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::starts::parse_starts;
    use super::*;
    use crate::paytable::fixture;
    use crate::testing::property;

    fn rows(definition: Definition, additions: &Additions) -> Vec<ReadingRow> {
        readings(&Paytable::new(definition).unwrap(), additions).unwrap()
    }

    fn own(rows: &[ReadingRow]) -> &ReadingRow {
        let own: Vec<&ReadingRow> = rows.iter().filter(|row| row.is_own).collect();
        assert_eq!(own.len(), 1);
        own[0]
    }

    fn row<'a>(rows: &'a [ReadingRow], used_up: bool, boost: &BoostLaw) -> &'a ReadingRow {
        rows.iter()
            .find(|row| row.reading.eat_me_consumes_spin == used_up && row.reading.boost == *boost)
            .unwrap()
    }

    /// The closed forms in the mean start s, weighted by sections, that a linear model gives
    /// without the floor: slope and constant for 2 and for 5 spins.
    #[test]
    fn means_agree_with_the_closed_forms_without_the_floor() {
        let uniform = BoostLaw::Uniform;
        let sections = BoostLaw::OuterSections;
        let forms = [
            (false, &uniform, [(2.6286, 3.991), (6.5714, 20.046)]),
            (false, &sections, [(2.6286, 5.748), (6.5714, 28.763)]),
            (true, &uniform, [(2.3000, 2.765), (5.7500, 14.620)]),
            (true, &sections, [(2.3000, 3.960), (5.7500, 20.919)]),
        ];
        // The floor is far below every start, then near to some.
        for (text, start, tolerance) in [
            ("40,40,40,40,40,40", 40.0, 1e-4),
            ("2,3,4,5,6,8", 28.0 / 6.0, 1e-2),
        ] {
            let additions = Additions {
                starts: vec![parse_starts("1,1,1,1,1,1").unwrap()],
                cap: None,
            };
            let mut game = fixture::pa();
            game.starting_multipliers = parse_starts(text).unwrap();
            let rows = rows(game, &additions);
            assert_eq!(rows.len(), 16);
            for (used_up, boost, lines) in &forms {
                let figures = row(&rows, *used_up, boost).figures.as_ref().unwrap();
                for (figures, (slope, constant)) in figures.iter().zip(lines) {
                    let expected = slope * start + constant;
                    let mean = figures.mean_meter.value();
                    assert!(
                        (mean - expected).abs() <= tolerance * expected,
                        "{text} {used_up} {boost:?} {mean} {expected}"
                    );
                }
            }
        }
    }

    /// Values of the derivation: the literal reading and starts of 1, and the other reading.
    #[test]
    fn figures_are_those_of_the_derivation() {
        let additions = Additions {
            starts: vec![parse_starts("1,1,1,1,1,1").unwrap()],
            cap: None,
        };
        let rows = rows(fixture::pa(), &additions);
        let check = |row: &ReadingRow, expected: &[(f64, f64)]| {
            for (figures, (mean, variance)) in row.figures.as_ref().unwrap().iter().zip(expected) {
                assert!((figures.mean_meter.value() / mean - 1.0).abs() < 1e-12);
                let spread = figures.std_dev_meter * figures.std_dev_meter;
                assert!((spread.value() / variance - 1.0).abs() < 1e-11);
            }
        };
        check(
            own(&rows),
            &[
                (16.270_328_687_839, 150.499_522_064),
                (50.755_998_111_769, 730.682_332_849),
            ],
        );
        check(
            row(&rows, true, &BoostLaw::Uniform),
            &[(13.501_302_822_535, 50.243_638_207)],
        );
        check(
            rows.iter()
                .find(|row| row.reading.starts.is_some())
                .unwrap(),
            &[
                (7.046_502_018_471, 76.997_262_822),
                (27.918_642_447_211, 474.572_552_055),
            ],
        );
    }

    #[test]
    fn the_own_row_and_every_other_is_what_the_calculator_gives() {
        let mut game = fixture::pa();
        game.payout.zero_meter = ZeroMeter::LosesWager;
        game.rules.max_meter = Some(500);
        let additions = Additions {
            starts: Vec::new(),
            cap: Some(100),
        };
        let rows = rows(game.clone(), &additions);
        assert_eq!(rows.len(), 2 * 2 * 2 * 3);
        assert_eq!(own(&rows).reading.applied_to(&game), game);
        for row in &rows {
            let changed = Paytable::new(row.reading.applied_to(&game)).unwrap();
            let expected = exact::solve(&changed, Trigger::Five).unwrap();
            let figures = &row.figures.as_ref().unwrap()[1];
            assert!(figures.returns.rtp.overlaps(expected.returns.rtp));
            assert!(figures.mean_meter.overlaps(expected.mean_meter));
            let widths = [figures.returns.rtp.width(), expected.returns.rtp.width()];
            assert!((widths[0] - widths[1]).abs() <= 1e-14, "{widths:?}");
        }
    }

    /// One character, `[1]`, `hat eat-me`: used up, the mean is 4. Kept, the counter stands
    /// still on average, so a round need not end, and the row says so.
    #[test]
    fn a_reading_under_which_a_round_need_not_end_has_its_reason() {
        let rows = rows(fixture::tiny(1), &Additions::default());
        for row in &rows {
            match (&row.figures, row.reading.eat_me_consumes_spin) {
                (Ok(figures), true) => assert!(figures[0].mean_meter.contains(4.0)),
                (Err(refusal), false) => {
                    assert!(refusal.to_string().contains("693.6(f)(5)"), "{refusal}");
                }
                (figures, used_up) => panic!("{used_up} {figures:?}"),
            }
        }
    }

    /// A potion of each kind and weights of its own: three readings of either point.
    #[test]
    fn the_paytables_own_mixture_is_a_reading_of_its_own() {
        let mut game = fixture::pa();
        game.rules.drink_me.consumes_spin = true;
        game.boost = BoostLaw::Weights(crate::rules::Character::ALL.into_iter().zip(1..).collect());
        let rows = rows(game, &Additions::default());
        assert_eq!(rows.len(), 3 * 3 * 2);
        assert!(matches!(own(&rows).reading.boost, BoostLaw::Weights(_)));
    }

    #[test]
    fn a_law_or_cap_that_the_paytable_has_adds_nothing() {
        let mut game = fixture::pa();
        game.rules.max_meter = Some(500);
        let additions = Additions {
            starts: vec![
                parse_starts("8,6,5,4,3,2").unwrap(),
                parse_starts("1,1,1,1,1,1").unwrap(),
                parse_starts("1,1,1,1,1,1").unwrap(),
            ],
            cap: Some(500),
        };
        assert_eq!(rows(game, &additions).len(), 2 * 2 * 2 * 2 * 2);
    }

    #[test]
    fn what_does_not_fit_is_an_error_that_names_it() {
        let paytable = Paytable::new(fixture::pa()).unwrap();
        let starts = Additions {
            starts: vec![parse_starts("2,3").unwrap()],
            cap: None,
        };
        let error = readings(&paytable, &starts).unwrap_err();
        assert!(matches!(error, ReadingsError::Starts { .. }), "{error}");
        assert!(error.to_string().contains("`2,3`"));
        let cap = Additions {
            starts: Vec::new(),
            cap: Some(0),
        };
        let error = readings(&paytable, &cap).unwrap_err();
        assert!(
            matches!(error, ReadingsError::Cap { cap: 0, .. }),
            "{error}"
        );
    }

    proptest! {
        #![proptest_config(property(3))]

        /// A lost zero meter returns less, a used-up spin pays less, by proven bounds.
        #[test]
        fn readings_are_ordered(low in 1_u32..4, step in 0_u32..3) {
            let mut game = fixture::pa();
            game.starting_multipliers = StartLaw::Permutation {
                values: (0..6).map(|c| low + c * step).collect(),
            };
            let rows = rows(game, &Additions::default());
            for pair in rows.chunks(2) {
                let [returns, loses] = pair else { unreachable!("rows come in pairs") };
                let figures = (returns.figures.as_ref().unwrap(), loses.figures.as_ref().unwrap());
                for (returns, loses) in figures.0.iter().zip(figures.1) {
                    prop_assert!(loses.returns.rtp.lower() < returns.returns.rtp.upper());
                    prop_assert_eq!(loses.mean_meter, returns.mean_meter);
                }
            }
            for boost in [BoostLaw::Uniform, BoostLaw::OuterSections] {
                let kept = row(&rows, false, &boost).figures.as_ref().unwrap();
                let used = row(&rows, true, &boost).figures.as_ref().unwrap();
                for (kept, used) in kept.iter().zip(used) {
                    prop_assert!(used.mean_meter.upper() < kept.mean_meter.lower());
                    prop_assert!(used.hit_frequency.upper() < kept.hit_frequency.lower());
                }
            }
        }
    }
}
