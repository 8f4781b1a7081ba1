//! For each clause a paytable that passes and one that does not.

use super::*;
use crate::paytable::{Definition, PlayerChoice, fixture};
use crate::regulation::{ClauseKind, judge_with, overall};
use crate::rules::Trigger;

/// The leaf clauses, copied from the numbering of the text; (b) stands before its paragraphs.
const NUMBERING: &str =
    "(a)(1) (a)(2) (a)(3) (a)(4) (a)(5) (a)(6) (a)(7) (a)(8) (a)(9) (b) (b)(1) (b)(2) (b)(3)";

fn says(text: &str) -> Statement {
    Statement {
        text: text.into(),
        file: None,
        sha256: None,
        page: None,
        meter: None,
        multiplier: None,
    }
}

fn ranges() -> Statement {
    Statement {
        meter: Some(DeclaredRange {
            lowest: 0,
            highest: None,
        }),
        multiplier: Some(DeclaredRange {
            lowest: 1,
            highest: None,
        }),
        ..says("ranges on the help page")
    }
}

fn declared() -> Definition {
    let mut definition = fixture::pa();
    definition.disclosure.player_choice = Some(PlayerChoice::None);
    for clause in [Clause::NY_A1, Clause::NY_A7, Clause::NY_A9] {
        let statements = &mut definition.disclosure.statements;
        statements.insert(clause.citation().into(), says("on the display"));
    }
    let statements = &mut definition.disclosure.statements;
    statements.insert(Clause::NY_A2.citation().into(), ranges());
    definition
}

fn split(trigger: Trigger, adds_up: bool) -> ReturnSplit {
    ReturnSplit {
        trigger,
        bonus: "0.9595".into(),
        other: "0".into(),
        total: "0.9595".into(),
        adds_up,
    }
}

fn finding(clause: Clause, change: impl FnOnce(&mut Definition)) -> ClauseFinding {
    let mut definition = declared();
    change(&mut definition);
    judge(&Paytable::new(definition).unwrap(), &[])
        .into_iter()
        .find(|finding| finding.clause == clause)
        .unwrap()
}

fn with_ranges(change: impl FnOnce(&mut Statement)) -> impl FnOnce(&mut Definition) {
    move |definition| {
        let mut statement = ranges();
        change(&mut statement);
        let statements = &mut definition.disclosure.statements;
        statements.insert(Clause::NY_A2.citation().into(), statement);
    }
}

#[test]
fn the_rows_are_the_leaf_clauses_of_the_text() {
    let numbering: Vec<String> = NUMBERING
        .split_whitespace()
        .map(|number| format!("5319.47{number}"))
        .collect();
    let listed: Vec<&str> = NY_5319_47.iter().map(|clause| clause.citation()).collect();
    assert_eq!(listed, numbering);
}

#[test]
fn a_full_declaration_passes() {
    let paytable = Paytable::new(declared()).unwrap();
    let splits = Trigger::ALL.map(|trigger| split(trigger, true));
    let findings = judge(&paytable, &splits);
    assert_eq!(findings.len(), NY_5319_47.len());
    assert_eq!(overall(&findings), Pass, "{findings:#?}");
    // Both texts in order; this source does not cite 693.6.
    let all = judge_with(&paytable, &splits);
    assert_eq!(all.len(), 24 + 13);
    assert_eq!(overall(&all), Pass);
}

#[test]
fn without_a_declaration_nothing_declared_passes() {
    let findings = judge(&Paytable::new(fixture::pa()).unwrap(), &[]);
    for finding in &findings {
        if finding.kind == ClauseKind::Declared {
            assert_eq!(finding.verdict, Inconclusive, "{finding:?}");
        }
    }
    assert_eq!(overall(&findings), Inconclusive);
}

#[test]
fn clauses_5319_47_a_1_7_and_9_need_a_text() {
    for clause in [Clause::NY_A1, Clause::NY_A7, Clause::NY_A9] {
        let found = finding(clause, |definition| {
            let statement = Statement {
                file: Some("rules.pdf".into()),
                page: Some(3),
                ..says("on the display")
            };
            let statements = &mut definition.disclosure.statements;
            statements.insert(clause.citation().into(), statement);
        });
        assert_eq!(found.verdict, Pass);
        assert_eq!(
            found.evidence,
            "declared: on the display; file rules.pdf; page 3"
        );
        let missing = finding(clause, |definition| {
            definition.disclosure.statements.remove(clause.citation());
        });
        assert_eq!(missing.verdict, Inconclusive);
        assert!(missing.evidence.contains(clause.citation()));
    }
}

#[test]
fn clause_5319_47_a_2_ranges() {
    let right = finding(Clause::NY_A2, |_| {});
    assert_eq!(right.verdict, Pass);
    assert!(
        right
            .evidence
            .contains("computed: meter 0 to unbounded, multiplier 1 to unbounded")
    );

    let bounded = finding(
        Clause::NY_A2,
        with_ranges(|statement| {
            statement.meter = Some(DeclaredRange {
                lowest: 0,
                highest: Some(500),
            });
        }),
    );
    assert_eq!(bounded.verdict, Fail);
    assert!(
        bounded
            .evidence
            .contains("`meter` highest: declared 500, computed unbounded")
    );

    let too_low = finding(
        Clause::NY_A2,
        with_ranges(|statement| {
            statement.multiplier = Some(DeclaredRange {
                lowest: 2,
                highest: None,
            });
        }),
    );
    assert_eq!(too_low.verdict, Fail);
    assert!(
        too_low
            .evidence
            .contains("`multiplier` lowest: declared 2, computed 1")
    );

    let partial = finding(
        Clause::NY_A2,
        with_ranges(|statement| statement.meter = None),
    );
    assert_eq!(partial.verdict, Inconclusive);
    assert!(partial.evidence.contains("`meter` is not declared"));

    let silent = finding(Clause::NY_A2, |definition| {
        definition.disclosure.statements.clear();
    });
    assert_eq!(silent.verdict, Inconclusive);
    assert!(silent.evidence.contains("computed: meter 0 to unbounded"));
}

#[test]
fn clause_5319_47_a_2_names_the_cap() {
    let capped = |highest| {
        finding(Clause::NY_A2, move |definition| {
            definition.rules.max_meter = Some(500);
            with_ranges(|statement| {
                statement.meter = Some(DeclaredRange { lowest: 0, highest });
            })(definition);
        })
        .verdict
    };
    assert_eq!(capped(Some(500)), Pass);
    assert_eq!(capped(Some(499)), Fail);
    assert_eq!(capped(None), Fail);
}

#[test]
fn clause_5319_47_a_2_bounds_leave_it_open() {
    // With ten spins at most the greatest meter lies between 190 and 685.
    for (highest, verdict) in [
        (Some(189), Fail),
        (Some(190), Inconclusive),
        (Some(685), Inconclusive),
        (Some(686), Fail),
        (None, Fail),
    ] {
        let found = finding(Clause::NY_A2, |definition| {
            definition.rules.max_spins = Some(10);
            with_ranges(|statement| {
                statement.meter = Some(DeclaredRange { lowest: 0, highest });
                statement.multiplier = Some(DeclaredRange {
                    lowest: 1,
                    highest: Some(118),
                });
            })(definition);
        });
        assert_eq!(found.verdict, verdict, "{}", found.evidence);
    }
}

#[test]
fn clauses_5319_47_a_3_4_and_6_do_not_apply_and_say_why() {
    for clause in [Clause::NY_A3, Clause::NY_A4, Clause::NY_A6] {
        let found = finding(clause, |_| {});
        assert_eq!(found.kind, ClauseKind::NotApplicable);
        assert_eq!(found.verdict, ClauseVerdict::NotApplicable);
        assert!(found.evidence.len() > 40);
    }
}

#[test]
fn clause_5319_47_a_5_names_the_constant_probability() {
    let found = finding(Clause::NY_A5, |_| {});
    assert_eq!((found.kind, found.verdict), (ClauseKind::Computed, Pass));
    assert!(
        found
            .evidence
            .contains("3/54 for trigger 2, 1/54 for trigger 5")
    );
}

#[test]
fn clause_5319_47_a_8_rests_on_the_split_of_the_return() {
    let paytable = Paytable::new(declared()).unwrap();
    let verdict = |splits: &[ReturnSplit]| a_8(&paytable, splits).verdict;
    let (two, five) = (split(Trigger::Two, true), split(Trigger::Five, true));
    assert_eq!(verdict(&[]), Inconclusive);
    assert_eq!(verdict(std::slice::from_ref(&two)), Inconclusive);
    assert_eq!(verdict(&[five, two.clone()]), Pass);
    assert_eq!(verdict(&[two, split(Trigger::Five, false)]), Fail);
    assert!(a_8(&paytable, &[]).evidence.contains("3/54"));
}

#[test]
fn clause_5319_47_b_follows_the_disclosure() {
    let passes = finding(Clause::NY_B, |_| {});
    assert_eq!(passes.verdict, Pass);
    let fails = finding(Clause::NY_B, |definition| {
        definition.disclosure.player_choice = Some(PlayerChoice::Single);
        definition.disclosure.auto_initiate = Some(true);
        definition.disclosure.explained_on_display = Some(false);
    });
    assert_eq!(fails.verdict, Fail);
    for (seconds, verdict) in [(119, Fail), (120, Pass)] {
        let found = finding(Clause::NY_B2, |definition| {
            definition.disclosure.player_choice = Some(PlayerChoice::Single);
            definition.disclosure.auto_initiate = Some(true);
            definition.disclosure.timeout_seconds = Some(seconds);
        });
        assert_eq!(found.verdict, verdict);
    }
}
