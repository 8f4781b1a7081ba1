//! Checks of definitions built in code; expected values by hand.

use dashu_ratio::RBig;

use super::fixture::{outer, pa, tiny};
use super::*;
use crate::rules::{Character, InnerSection, Wheel};

/// The lines of the faults of a definition, none where it is legal.
fn faults(definition: Definition) -> Vec<String> {
    match Paytable::new(definition) {
        Ok(_) => Vec::new(),
        Err(PaytableError::Faults(faults)) => faults.iter().map(ToString::to_string).collect(),
        Err(other) => panic!("not a fault: {other}"),
    }
}

fn changed(change: impl FnOnce(&mut Definition)) -> Vec<String> {
    let mut definition = pa();
    change(&mut definition);
    faults(definition)
}

#[test]
fn the_fixtures_are_legal() {
    assert_eq!(faults(pa()), [""; 0]);
    assert_eq!(faults(tiny(1)), [""; 0]);
    assert_eq!(faults(tiny(2)), [""; 0]);
}

#[test]
fn other_wheels_are_legal() {
    assert_eq!(
        changed(|d| {
            d.outer_wheel.sections.pop();
            d.outer_wheel.weights.pop();
        }),
        [""; 0]
    );
    assert_eq!(changed(|d| d.outer_wheel.sections.rotate_left(7)), [""; 0]);
    assert_eq!(changed(|d| d.outer_wheel.sections.swap(0, 1)), [""; 0]);
    assert_eq!(
        changed(|d| d.outer_wheel.weights[53] = 4_294_967_296),
        [""; 0]
    );
}

#[test]
fn ranges_hold_for_a_definition_built_in_code() {
    assert_eq!(
        changed(|d| d.outer_wheel.weights[3] = 0),
        ["outer_wheel.weights[3]: found 0, expected an integer in [1, 4294967296] (693.6(c)(6))"]
    );
    assert_eq!(
        changed(|d| d.inner_wheel.sections[0] = InnerSection::Multiplier(1_000_001)),
        [
            "inner_wheel.sections[0]: found 1000001, expected an integer in [0, 1000000] (693.6(b)(3))"
        ]
    );
    assert_eq!(
        changed(|d| d.rules.eat_me.multipliers = -11),
        [
            "rules.eat_me.multipliers: found -11, expected an integer in [-10, 10] (693.6(f)(4)(iii))"
        ]
    );
    assert_eq!(
        changed(|d| d.triggers[1].spins = 0),
        ["triggers.5.spins: found 0, expected an integer in [1, 1000] (693.6(d)(2))"]
    );
    assert_eq!(
        changed(|d| d.triggers[0].main_wheel_sections = 55),
        ["triggers.2.main_wheel.sections: found 55, expected an integer in [1, 54] (693.6(d)(1))"]
    );
    assert_eq!(
        changed(|d| d.triggers[0].other_return = RBig::from(1001)),
        ["triggers.2.other_return: found 1001, expected a value in [0, 1000] (5319.47(a)(8))"]
    );
    assert_eq!(
        changed(|d| d.rules.max_spins = Some(1_000_001)),
        ["rules.max_spins: found 1000001, expected an integer in [1, 1000000]"]
    );
}

#[test]
fn wheels_must_have_sections_and_as_many_weights() {
    assert_eq!(
        changed(|d| d.inner_wheel = Wheel::fair(Vec::new())),
        [
            "inner_wheel.sections: found 0 sections, expected a number of sections in [1, 1024] (693.6(b)(3))"
        ]
    );
    assert_eq!(
        changed(|d| d.inner_wheel = Wheel::fair(vec![InnerSection::Multiplier(1); 1025])),
        [
            "inner_wheel.sections: found 1025 sections, expected a number of sections in [1, 1024] (693.6(b)(3))"
        ]
    );
    assert_eq!(
        changed(|d| d.outer_wheel.weights.push(1)),
        ["outer_wheel.weights: found 55 weights, expected 54, one for each section (693.6(c)(6))"]
    );
    assert_eq!(
        changed(|d| d.outer_wheel = outer("no-win eat-me no-win"))[0],
        "outer_wheel.sections: found no character, expected at least one of `rabbit`, `cat`, \
         `crown`, `bird`, `mouse`, `hat` (693.6(c)(5))"
    );
}

#[test]
fn weights_that_pass_u64_in_sum_are_faults_and_no_panic() {
    let found = changed(|d| d.outer_wheel.weights = vec![u64::MAX; 54]);
    assert_eq!(found.len(), 54);
}

#[test]
fn a_counter_that_does_not_fall_is_refused_with_its_drift() {
    // Inner 2/12 of 4 spins is 36/54, outer 5/54 up and 49/54 down: -8/54; of 5 spins
    // 45/54: +1/54.
    assert_eq!(changed(|d| d.rules.additional_spin = 4), [""; 0]);
    assert_eq!(
        changed(|d| d.rules.additional_spin = 5),
        [
            "rules: expected change of the counter per spin is 1/54, must be negative, or \
          `max_spins` be given, for a round to end (693.6(f)(5))"
        ]
    );
    assert_eq!(
        changed(|d| {
            d.rules.additional_spin = 5;
            d.rules.max_spins = Some(100);
        }),
        [""; 0]
    );
    // Balanced: "hat" down by one, "eat-me" up by one.
    let mut balanced = tiny(1);
    balanced.rules.eat_me.consumes_spin = false;
    assert!(faults(balanced)[0].contains("per spin is 0, must be negative"));
}

#[test]
fn a_law_covers_exactly_the_characters() {
    assert_eq!(
        changed(|d| d.starting_multipliers = StartLaw::Permutation { values: vec![2; 5] }),
        [
            "starting_multipliers.values: found 5 values, expected 6, one for each character of the \
          outer wheel (693.6(e))"
        ]
    );
    let hat_only = ByCharacter::from([(Character::Hat, 2)]);
    assert_eq!(
        changed(|d| d.starting_multipliers = StartLaw::Fixed {
            values: hat_only.clone()
        }),
        [
            "starting_multipliers.values: found no value for `rabbit`, `cat`, `crown`, `bird`, \
          `mouse`, expected one for each of `rabbit`, `cat`, `crown`, `bird`, `mouse`, `hat` \
          (693.6(e))"
        ]
    );
    let mut cat = tiny(1);
    cat.boost = BoostLaw::Weights(ByCharacter::from([
        (Character::Hat, 1),
        (Character::Cat, 1),
    ]));
    assert_eq!(
        faults(cat),
        [
            "boost.weights.cat: found `cat`, which is not on the outer wheel, expected `hat` \
          (693.6(f)(2)(i))"
        ]
    );
    let mut row = tiny(1);
    row.triggers[0].starting_multipliers = Some(StartLaw::Table {
        rows: vec![StartRow {
            weight: 1,
            values: ByCharacter::new(),
        }],
    });
    assert_eq!(
        faults(row),
        [
            "triggers.2.starting_multipliers.rows[0].values: found no value for `hat`, expected one \
          for each of `hat` (693.6(e))"
        ]
    );
}

#[test]
fn starts_lie_at_the_floor_or_above() {
    assert_eq!(
        changed(|d| d.rules.multiplier_floor = 3),
        ["starting_multipliers.values[0]: found 2, expected an integer in [3, 1000000] (693.6(e))"]
    );
}

#[test]
fn independent_starts_are_distinct_and_weighted() {
    let law = |values: &[u32], weights: &[u64]| {
        let (values, weights) = (values.to_vec(), weights.to_vec());
        changed(|d| d.starting_multipliers = StartLaw::Independent { values, weights })
    };
    assert_eq!(law(&[2, 5], &[3, 1]), [""; 0]);
    assert_eq!(
        law(&[2, 5, 2], &[1, 1, 1]),
        ["starting_multipliers.values[2]: found 2 again, expected distinct values (693.6(e))"]
    );
    assert_eq!(
        law(&[2, 5], &[3]),
        [
            "starting_multipliers.weights: found 1 weights, expected 2, one for each value (693.6(e))"
        ]
    );
    assert_eq!(
        law(&[], &[]),
        [
            "starting_multipliers.values: found 0 values, expected a number of values in [1, 100] \
          (693.6(e))"
        ]
    );
}

#[test]
fn a_cap_in_money_is_a_whole_meter_at_every_stake() {
    let limits = |max_win, stakes: &[u64]| {
        let stakes = stakes.to_vec();
        changed(|d| d.limits = Some(Limits { max_win, stakes }))
    };
    assert_eq!(limits(500_000, &[1, 100, 5000]), [""; 0]);
    assert_eq!(
        limits(500_000, &[3]),
        [
            "limits.stakes[0]: found 3, expected a stake that divides `max_win` = 500000 exactly, \
          for the cap on the meter is their quotient"
        ]
    );
    assert_eq!(
        limits(500, &[5, 5]),
        ["limits.stakes[1]: found 5 again, expected distinct stakes"]
    );
    assert_eq!(
        limits(500, &[]),
        ["limits.stakes: found no stake, expected at least one"]
    );
    assert_eq!(
        limits(0, &[0]),
        [
            "limits.max_win: found 0, expected an integer in [1, 1000000000000000]",
            "limits.stakes[0]: found 0, expected an integer in [1, 1000000000000000]"
        ]
    );
}

#[test]
fn triggers_are_one_or_two_and_declared_figures_belong_to_them() {
    assert_eq!(
        changed(|d| d.triggers.clear()),
        ["triggers: found no trigger, expected at least one of `[triggers.2]` and `[triggers.5]`"]
    );
    assert_eq!(
        changed(|d| d.triggers.reverse()),
        ["triggers: found another order, expected each trigger once, ascending"]
    );
    let figure = |figure, value: &str| DeclaredFigure {
        figure,
        value: DeclaredValue::Number(value.parse().expect("a decimal")),
    };
    assert_eq!(
        changed(|d| {
            d.triggers.pop();
            d.declared
                .insert(Trigger::Five, vec![figure(Figure::Rtp, "95%")]);
        }),
        ["declared.5: found figures for trigger 5, expected `[triggers.5]` to go with them"]
    );
    assert_eq!(
        changed(|d| {
            let figures = vec![
                figure(Figure::HitFrequency, "100.01%"),
                figure(Figure::MaxMeter, "12.5"),
                figure(Figure::Rtp, "1"),
                figure(Figure::Rtp, "2"),
            ];
            d.declared.insert(Trigger::Two, figures);
        }),
        [
            "declared.2.hit_frequency: found \"100.01%\", expected a probability in [0, 1]",
            "declared.2.max_meter: found \"12.5\", expected \"unbounded\" or an integer as text such \
          as \"500\"",
            "declared.2.rtp: found the figure again, expected each figure once"
        ]
    );
    assert_eq!(
        changed(|d| {
            let value = DeclaredValue::Unbounded;
            let figure = Figure::Rtp;
            d.declared
                .insert(Trigger::Two, vec![DeclaredFigure { figure, value }]);
        }),
        [
            "declared.2.rtp: found \"unbounded\", expected a decimal or a percentage such as \
          \"0.0153\" or \"1.53%\""
        ]
    );
}

#[test]
fn statements_are_of_known_clauses_with_evidence_that_can_be_found() {
    let statement = Statement {
        text: "shown on the help screen".into(),
        file: Some("help.png".into()),
        sha256: Some("ab".repeat(32)),
        page: Some(1),
        meter: None,
        multiplier: None,
        odds_shown: None,
    };
    let with = |clause: &str, statement: Statement| {
        changed(|d| {
            d.disclosure.statements.insert(clause.into(), statement);
        })
    };
    assert_eq!(with("5319.47(a)(1)", statement.clone()), [""; 0]);
    assert!(with("5319.47(a)(8)", statement.clone())[0].contains("found an unknown clause"));
    let mut wrong = statement.clone();
    wrong.sha256 = Some("AB".repeat(32));
    wrong.page = Some(0);
    assert_eq!(with("5319.47(a)(1)", wrong).len(), 2);
    let mut ranged = statement;
    ranged.meter = Some(DeclaredRange {
        lowest: 5,
        highest: Some(4),
    });
    assert_eq!(
        with("5319.47(a)(2)", ranged.clone()),
        [
            "disclosure.\"5319.47(a)(2)\".meter: found [5, 4], expected [lowest, highest] in this order"
        ]
    );
    ranged.meter = Some(DeclaredRange {
        lowest: 0,
        highest: None,
    });
    assert_eq!(with("5319.47(a)(2)", ranged.clone()), [""; 0]);
    assert!(with("5319.47(a)(1)", ranged)[0].contains("found a range"));
}

#[test]
fn texts_cannot_steer_a_terminal() {
    assert_eq!(
        changed(|d| d.name = "a\u{1b}[2J".into()),
        ["name: found the control character U+001B, expected text without control characters"]
    );
    assert_eq!(
        changed(|d| d.source = " ".into()),
        ["source: found an empty text, expected a text that says something"]
    );
    assert_eq!(changed(|d| d.name = "ü".repeat(200)), [""; 0]);
    assert_eq!(
        changed(|d| d.name = "ü".repeat(201)),
        ["name: found 201 characters, expected at most 200 characters"]
    );
    assert_eq!(changed(|d| d.notes = "a\n\tb".into()), [""; 0]);
}

#[test]
fn a_source_cites_the_section_and_not_its_neighbours() {
    let cites = |source: &str| {
        let mut definition = pa();
        definition.source = source.into();
        Paytable::new(definition).expect("legal").cites_693_6()
    };
    assert!(cites("58 Pa. Code § 693.6"));
    assert!(cites("693.6(f)"));
    assert!(cites("after 693.60 and 693.6."));
    assert!(!cites("58 Pa. Code § 693.60"));
    assert!(!cites("58 Pa. Code § 693.7"));
}

#[test]
fn the_payout_follows_convention_and_reading() {
    use Convention::{ForOne, ToOne};
    use ZeroMeter::{LosesWager, ReturnsWager};

    let payout = |convention, zero_meter| {
        let payout = Payout {
            convention,
            zero_meter,
        };
        [0, 1, 500].map(|meter| (payout.gross_return(meter), payout.net_win(meter)))
    };
    assert_eq!(payout(ToOne, ReturnsWager), [(1, 0), (2, 1), (501, 500)]);
    assert_eq!(payout(ToOne, LosesWager), [(0, -1), (2, 1), (501, 500)]);
    assert_eq!(payout(ForOne, ReturnsWager), [(1, 0), (1, 0), (500, 499)]);
    assert_eq!(payout(ForOne, LosesWager), [(0, -1), (1, 0), (500, 499)]);
}
