//! The matrix against closed forms, the derivation's values, and the calculator.

use proptest::prelude::*;

use super::*;
use crate::analysis::parse_starts;
use crate::paytable::fixture;
use crate::rules::Character;
use crate::testing::property;

/// A game of two characters, quick to solve.
fn small() -> Definition {
    let mut game = fixture::pa();
    game.outer_wheel = fixture::outer("hat hat hat hat cat cat no-win no-win eat-me drink-me");
    game.starting_multipliers = parse_starts("2,3").unwrap();
    game
}

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
        let mut game = fixture::pa();
        game.starting_multipliers = parse_starts(text).unwrap();
        let rows = rows(game, &Additions::default());
        assert_eq!(rows.len(), 8);
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
    let mut game = small();
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
    let mut game = small();
    game.rules.drink_me.consumes_spin = true;
    game.boost = BoostLaw::Weights([(Character::Hat, 5), (Character::Cat, 1)].into());
    let rows = rows(game, &Additions::default());
    assert_eq!(rows.len(), 3 * 3 * 2);
    assert!(matches!(own(&rows).reading.boost, BoostLaw::Weights(_)));
}

#[test]
fn a_law_or_cap_that_the_paytable_has_adds_nothing() {
    let mut game = small();
    game.rules.max_meter = Some(500);
    let additions = Additions {
        starts: vec![
            parse_starts("3,2").unwrap(),
            parse_starts("1,1").unwrap(),
            parse_starts("1,1").unwrap(),
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
    #![proptest_config(property(2))]

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
