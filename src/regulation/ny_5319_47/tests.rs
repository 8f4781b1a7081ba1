//! For each clause a paytable that passes and one that does not.

use dashu_ratio::RBig;

use super::*;
use crate::paytable::{Definition, PlayerChoice, fixture};
use crate::regulation::{
    AwardChance, ClauseKind, ExceededOnceIn, ReturnSplit, judge_with, overall,
};
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
        odds_shown: None,
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
        conditional: "17.271".into(),
        bonus: "0.9595".into(),
        other: "0".into(),
        total: "0.9595".into(),
        least: (RBig::ONE, RBig::ONE),
        greatest: (RBig::ONE, RBig::ONE),
        adds_up,
    }
}

fn finding(clause: Clause, change: impl FnOnce(&mut Definition)) -> ClauseFinding {
    let mut definition = declared();
    change(&mut definition);
    judge(&Paytable::new(definition).unwrap(), &Evidence::default())
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
    let evidence = Evidence {
        splits: Trigger::ALL.map(|trigger| split(trigger, true)).to_vec(),
        ..Evidence::default()
    };
    let findings = judge(&paytable, &evidence);
    assert_eq!(findings.len(), NY_5319_47.len());
    assert_eq!(overall(&findings), Pass, "{findings:#?}");
    // Both texts in order; this source does not cite 693.6.
    let all = judge_with(&paytable, &evidence);
    assert_eq!(all.len(), 24 + 13);
    assert_eq!(overall(&all), Pass);
}

#[test]
fn without_a_declaration_nothing_declared_passes() {
    let findings = judge(&Paytable::new(fixture::pa()).unwrap(), &Evidence::default());
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

/// A file with the meter capped and declared to be, judged with the probability of the cap.
fn capped(highest: Option<u64>, odds_shown: Option<bool>, chance: (u64, u64)) -> ClauseFinding {
    let mut definition = declared();
    definition.triggers.truncate(1);
    definition.rules.max_meter = Some(500);
    with_ranges(|statement| {
        statement.meter = Some(DeclaredRange { lowest: 0, highest });
        statement.odds_shown = odds_shown;
    })(&mut definition);
    let one_in = |games: u64| RBig::ONE / RBig::from(games);
    let evidence = Evidence {
        payouts: Payouts::Known(vec![RarePayouts {
            trigger: Trigger::Two,
            exceeded: Vec::new(),
            largest: None,
            award: highest.map(|meter| AwardChance {
                meter,
                lower: one_in(chance.1),
                upper: one_in(chance.0),
            }),
        }]),
        ..Evidence::default()
    };
    judge(&Paytable::new(definition).unwrap(), &evidence)
        .into_iter()
        .find(|finding| finding.clause == Clause::NY_A2)
        .unwrap()
}

#[test]
fn clause_5319_47_a_2_names_the_cap() {
    let verdict = |highest| capped(highest, None, (1000, 1001)).verdict;
    assert_eq!(verdict(Some(500)), Pass);
    assert_eq!(verdict(Some(499)), Fail);
    assert_eq!(verdict(None), Fail);
}

/// The trigger is 3 of 54, so one game in 10^8 is one bonus in 10^8 / 18 = 5,555,555.6.
#[test]
fn clause_5319_47_a_2_odds_of_the_top_award() {
    for (chance, shown, verdict, words) in [
        (
            (5_555_555, 5_555_555),
            None,
            Pass,
            "one in 99,990,000 to 100,000,000, at least once in 100,000,000",
        ),
        (
            (5_555_556, 5_555_556),
            None,
            Inconclusive,
            "rarer than the limit of one in 100,000,000",
        ),
        (
            (5_555_556, 5_555_556),
            Some(true),
            Pass,
            "declares that they are",
        ),
        (
            (5_555_556, 5_555_556),
            Some(false),
            Fail,
            "declares that they are not",
        ),
        (
            (5_000_000, 6_000_000),
            None,
            Inconclusive,
            "the proven bounds do not decide",
        ),
        (
            (5_000_000, 6_000_000),
            Some(false),
            Inconclusive,
            "the proven bounds do not decide",
        ),
    ] {
        let found = capped(Some(500), shown, chance);
        assert_eq!(
            found.verdict, verdict,
            "{chance:?} {shown:?}: {}",
            found.evidence
        );
        assert!(found.evidence.contains(words), "{}", found.evidence);
    }
    let silent = capped(Some(500), None, (6_000_000, 6_000_000));
    assert!(silent.to_do[0].contains("odds_shown"), "{:?}", silent.to_do);
}

#[test]
fn clause_5319_47_a_2_an_award_without_known_odds_does_not_pass() {
    let found = finding(Clause::NY_A2, |definition| {
        definition.rules.max_meter = Some(500);
        with_ranges(|statement| {
            statement.meter = Some(DeclaredRange {
                lowest: 0,
                highest: Some(500),
            });
        })(definition);
    });
    assert_eq!(found.verdict, Inconclusive, "{}", found.evidence);
    assert!(
        found
            .evidence
            .contains("odds of the top award, 500: not known")
    );
}

#[test]
fn clause_5319_47_a_2_gives_the_rare_payouts_with_their_bounds() {
    let entry = |power, lower, upper| ExceededOnceIn {
        power,
        lower,
        upper,
    };
    let evidence = Evidence {
        payouts: Payouts::Known(vec![RarePayouts {
            trigger: Trigger::Two,
            exceeded: vec![
                entry(4, 162, Some(162)),
                entry(6, 240, Some(251)),
                entry(10, 380, None),
            ],
            largest: None,
            award: None,
        }]),
        ..Evidence::default()
    };
    let paytable = Paytable::new(declared()).unwrap();
    let found = a_2(&paytable, &evidence);
    assert_eq!(found.verdict, Pass);
    assert!(
        found.evidence.contains(
            "trigger 2, meter exceeded at most once in 10^4 rounds: 162, 10^6 rounds: 240 to 251, 10^10 rounds: \
             380 or more, without a proven end"
        ),
        "{}",
        found.evidence
    );
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
fn clause_5319_47_a_5_follows_the_tests_of_a_run() {
    let test = |verdict| DependenceTest {
        trigger: Trigger::Two,
        check: "lag-1-correlation".into(),
        verdict,
        words: "p 0.5".into(),
    };
    let paytable = Paytable::new(declared()).unwrap();
    for (verdicts, expected) in [
        (vec![Pass, Pass], Pass),
        (vec![Pass, Inconclusive], Inconclusive),
        (vec![Fail, Inconclusive], Fail),
    ] {
        let tests = verdicts.into_iter().map(test).collect();
        let found = a_5(&paytable, &Dependence::Tested(tests));
        assert_eq!(found.verdict, expected);
        assert!(found.evidence.contains("lag-1-correlation of trigger 2"));
    }
    for other in [Dependence::NotSimulated, Dependence::NotWatched] {
        assert_eq!(a_5(&paytable, &other).verdict, Pass);
    }
    for key in ["main_wheel", "starting_multipliers", "boost", "weights"] {
        assert!(
            a_5(&paytable, &Dependence::NotSimulated)
                .evidence
                .contains(key)
        );
    }
}

#[test]
fn clause_5319_47_a_8_rests_on_the_split_of_the_return() {
    let paytable = Paytable::new(declared()).unwrap();
    let judged = |splits: &[ReturnSplit]| {
        let evidence = Evidence {
            splits: splits.to_vec(),
            ..Evidence::default()
        };
        a_8(&paytable, &evidence)
    };
    let verdict = |splits: &[ReturnSplit]| judged(splits).verdict;
    let (two, five) = (split(Trigger::Two, true), split(Trigger::Five, true));
    assert_eq!(verdict(&[]), Inconclusive);
    assert_eq!(verdict(std::slice::from_ref(&two)), Inconclusive);
    assert_eq!(verdict(&[five, two.clone()]), Pass);
    assert_eq!(verdict(&[two, split(Trigger::Five, false)]), Fail);
    assert!(judged(&[]).evidence.contains("3/54"));
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
