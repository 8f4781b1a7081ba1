//! For each clause a paytable that passes (`cited`, the fixture) and one that breaks it.

use super::*;
use crate::paytable::{Definition, Limits, StartLaw, StartRow, fixture};
use crate::regulation::{ClauseKind, ClauseVerdict, overall};
use crate::rules::{Character, InnerSection};

/// The leaf clauses, copied from the numbering of the text.
const NUMBERING: &str = "(a) (b)(1) (b)(2) (b)(3) (c)(1) (c)(2) (c)(3) (c)(4) (c)(5) (c)(6) (d)(1) (d)(2) (e) \
     (f)(1) (f)(2)(i) (f)(2)(ii) (f)(3)(i) (f)(3)(ii) (f)(4)(i) (f)(4)(ii) (f)(4)(iii) (f)(4)(iv) (f)(5) (g)";

fn cited() -> Definition {
    let mut definition = fixture::pa();
    definition.source = "58 Pa. Code § 693.6".into();
    definition
}

fn findings(change: impl FnOnce(&mut Definition)) -> Vec<ClauseFinding> {
    let mut definition = cited();
    change(&mut definition);
    judge(&Paytable::new(definition).unwrap())
}

/// Asserts that exactly the clauses given have the verdict; returns the evidence of the first.
#[track_caller]
fn only(
    verdict: ClauseVerdict,
    clauses: &[Clause],
    change: impl FnOnce(&mut Definition),
) -> String {
    let findings = findings(change);
    let unusual: Vec<&ClauseFinding> = findings
        .iter()
        .filter(|finding| !matches!(finding.verdict, Pass | ClauseVerdict::NotApplicable))
        .collect();
    let found: Vec<Clause> = unusual.iter().map(|finding| finding.clause).collect();
    assert_eq!(found, clauses, "{unusual:#?}");
    assert!(unusual.iter().all(|finding| finding.verdict == verdict));
    unusual[0].evidence.clone()
}

#[track_caller]
fn breaks(clauses: &[Clause], evidence: &[&str], change: impl FnOnce(&mut Definition)) {
    let text = only(Fail, clauses, change);
    for part in evidence {
        assert!(text.contains(part), "{text}");
    }
}

#[track_caller]
fn evidence(clause: Clause, change: impl FnOnce(&mut Definition)) -> String {
    let finding = findings(change)
        .into_iter()
        .find(|finding| finding.clause == clause)
        .unwrap();
    assert_eq!(finding.verdict, Pass, "{}", finding.evidence);
    finding.evidence
}

#[test]
fn the_rows_are_the_leaf_clauses_of_the_text() {
    let numbering: Vec<String> = NUMBERING
        .split_whitespace()
        .map(|number| format!("693.6{number}"))
        .collect();
    let rows: Vec<&str> = RULES.iter().map(|rule| rule.0.citation()).collect();
    let listed: Vec<&str> = PA_693_6.iter().map(|clause| clause.citation()).collect();
    assert_eq!(rows, numbering);
    assert_eq!(listed, numbering);
}

#[test]
fn the_regulations_own_game_passes_every_clause_that_applies() {
    let findings = findings(|_| {});
    for finding in &findings {
        let expected = if matches!(finding.clause, Clause::F3I | Clause::F3II) {
            (ClauseKind::NotApplicable, ClauseVerdict::NotApplicable)
        } else {
            (ClauseKind::Computed, Pass)
        };
        assert_eq!((finding.kind, finding.verdict), expected, "{finding:?}");
        assert!(!finding.evidence.is_empty() && !finding.asks.is_empty());
    }
    assert_eq!(overall(&findings), Pass);
}

#[test]
fn a_source_that_does_not_cite_the_section_is_not_judged_by_it() {
    for (source, cites) in [
        ("58 Pa. Code § 693.6", true),
        ("693.6(f)", true),
        ("a variant of 693.60", false),
        ("693.61 and 693.6", true),
        ("58 Pa. Code § 693", false),
        ("our own wheel", false),
    ] {
        let findings = findings(|definition| definition.source = source.into());
        assert_eq!(findings.len(), PA_693_6.len());
        assert_eq!(
            overall(&findings) == ClauseVerdict::NotApplicable,
            !cites,
            "{source}"
        );
    }
}

#[test]
fn clause_693_6_a_names_both_wheels() {
    assert!(evidence(Clause::A, |_| {}).contains("12 and 54 sections"));
}

#[test]
fn clause_693_6_b_1_wrong_value() {
    breaks(
        &[Clause::B1, Clause::B3],
        &["section 2: multiplier 9 is not one of"],
        |d| d.inner_wheel.sections[1] = InnerSection::Multiplier(9),
    );
}

#[test]
fn clause_693_6_b_1_a_value_is_missing() {
    breaks(
        &[Clause::B1, Clause::B3],
        &["no section holds the multiplier 10"],
        |d| d.inner_wheel.sections[0] = InnerSection::Multiplier(8),
    );
}

#[test]
fn clause_693_6_b_1_unequal_sections() {
    breaks(
        &[Clause::B1],
        &["693.6(b) asks for equal sections", "section 4 has weight 2"],
        |d| d.inner_wheel.weights[3] = 2,
    );
    assert!(!evidence(Clause::B1, |d| d.inner_wheel.weights = vec![7; 12]).is_empty());
}

#[test]
fn clause_693_6_b_1_and_2_a_multiplier_for_a_spin() {
    breaks(
        &[Clause::B1, Clause::B2, Clause::B3],
        &["11 sections hold a multiplier, expected 10"],
        |d| d.inner_wheel.sections[3] = InnerSection::Multiplier(2),
    );
}

#[test]
fn clause_693_6_b_2_three_additional_spins() {
    breaks(
        &[Clause::B2, Clause::B3],
        &["3 sections award an additional spin, expected 2"],
        |d| {
            d.inner_wheel.sections.push(InnerSection::AdditionalSpin);
            d.inner_wheel.weights.push(1);
        },
    );
}

#[test]
fn clause_693_6_b_3_two_neighbours_swapped() {
    breaks(
        &[Clause::B3],
        &["position 1: expected `10`, found `8`"],
        |d| d.inner_wheel.sections.swap(0, 1),
    );
}

#[test]
fn clause_693_6_b_3_rotated_and_mirrored() {
    breaks(&[Clause::B3], &["rotated by 3 sections"], |d| {
        d.inner_wheel.sections.rotate_left(3);
    });
    breaks(&[Clause::B3], &["mirror image"], |d| {
        d.inner_wheel.sections.reverse();
    });
}

#[test]
fn clause_693_6_c_1_a_character_is_missing() {
    breaks(
        &[Clause::C1, Clause::C5],
        &["no section shows the character `rabbit`"],
        |d| {
            d.outer_wheel.sections[30] = OuterSection::Character(Character::Hat);
            d.starting_multipliers = StartLaw::Permutation {
                values: vec![2, 3, 4, 5, 6],
            };
        },
    );
}

#[test]
fn clause_693_6_c_1_forty_seven_characters() {
    breaks(
        &[Clause::C1, Clause::C5],
        &["47 sections show a character, expected 46"],
        |d| {
            d.outer_wheel
                .sections
                .push(OuterSection::Character(Character::Hat));
            d.outer_wheel.weights.push(1);
        },
    );
}

#[track_caller]
fn one_section_too_many(clause: Clause, section: OuterSection, found: &str) {
    breaks(&[clause, Clause::C5], &[found], |d| {
        d.outer_wheel.sections.push(section);
        d.outer_wheel.weights.push(1);
    });
}

#[test]
fn clause_693_6_c_2_four_no_win() {
    one_section_too_many(
        Clause::C2,
        OuterSection::NoWin,
        "4 sections show `no-win`, expected 3",
    );
}

#[test]
fn clause_693_6_c_3_four_drink_me() {
    one_section_too_many(
        Clause::C3,
        OuterSection::DrinkMe,
        "4 sections show `drink-me`, expected 3",
    );
}

#[test]
fn clause_693_6_c_4_three_eat_me() {
    one_section_too_many(
        Clause::C4,
        OuterSection::EatMe,
        "3 sections show `eat-me`, expected 2",
    );
}

/// Spins of the physical wheel are no part of a paytable: the clauses do not apply, and
/// the reason says what they apply to.
#[test]
fn clause_693_6_f_3_i_and_f_3_ii_concern_a_log_of_real_spins() {
    let findings = findings(|_| {});
    for clause in [Clause::F3I, Clause::F3II] {
        let finding = findings
            .iter()
            .find(|finding| finding.clause == clause)
            .unwrap();
        assert_eq!(finding.kind, ClauseKind::NotApplicable);
        assert!(
            finding.evidence.contains("a log of real spins"),
            "{}",
            finding.evidence
        );
    }
}

#[test]
fn clause_693_6_c_5_two_neighbours_swapped() {
    breaks(
        &[Clause::C5],
        &["position 31: expected `rabbit`, found `bird`"],
        |d| d.outer_wheel.sections.swap(30, 31),
    );
}

#[test]
fn clause_693_6_c_5_rotated_mirrored_and_short() {
    breaks(&[Clause::C5], &["rotated by 17 sections"], |d| {
        d.outer_wheel.sections.rotate_left(17);
    });
    breaks(&[Clause::C5], &["mirror image"], |d| {
        d.outer_wheel.sections.reverse();
    });
    breaks(
        &[Clause::C1, Clause::C5],
        &["45 sections show a character"],
        |d| {
            d.outer_wheel.sections.pop();
            d.outer_wheel.weights.pop();
        },
    );
    let short = findings(|d| {
        d.outer_wheel.sections.pop();
        d.outer_wheel.weights.pop();
    });
    assert!(short[8].evidence.contains("53 sections, expected 54"));
    assert!(short[8].evidence.contains("position 54: expected `bird`"));
}

#[test]
fn clause_693_6_c_5_biased_wheel_is_named_and_does_not_pass() {
    let text = only(Inconclusive, &[Clause::C5], |d| {
        d.outer_wheel.weights[12] = 3;
    });
    assert!(
        text.contains("section 13 has weight 3, section 1 has 1"),
        "{text}"
    );
}

#[test]
fn clause_693_6_c_6_one_section_number() {
    assert!(evidence(Clause::C6, |_| {}).contains("from 1 to 54"));
}

#[test]
fn clause_693_6_d_1_and_2_too_few_spins() {
    breaks(
        &[Clause::D1],
        &["begins with 1 spins, expected at least 2"],
        |d| {
            d.triggers[0].spins = 1;
        },
    );
    breaks(
        &[Clause::D2],
        &["begins with 4 spins, expected at least 5"],
        |d| {
            d.triggers[1].spins = 4;
        },
    );
    assert!(evidence(Clause::D1, |d| d.triggers[0].spins = 3).contains("3 spins"));
}

#[test]
fn clause_693_6_d_2_a_limit_below_the_trigger() {
    breaks(
        &[Clause::D2, Clause::F5],
        &["`max_spins` ends a round after 4 spins"],
        |d| d.rules.max_spins = Some(4),
    );
}

#[test]
fn clause_693_6_d_absent_trigger_is_inconclusive() {
    let text = only(Inconclusive, &[Clause::D2], |d| d.triggers.truncate(1));
    assert!(text.contains("no trigger 5"));
    only(Inconclusive, &[Clause::D1], |d| {
        d.triggers.remove(0);
    });
}

fn by_character(values: [u32; 6]) -> ByCharacter<u32> {
    Character::ALL.into_iter().zip(values).collect()
}

#[test]
fn clause_693_6_e_random_laws_pass() {
    for (law, text) in [
        (
            StartLaw::Permutation {
                values: vec![2, 3, 4, 5, 6, 8],
            },
            "2, 3, 4, 5, 6, 8 in uniformly random order",
        ),
        (
            StartLaw::Independent {
                values: vec![2, 5],
                weights: vec![3, 1],
            },
            "draws alone from 2, 5 with weights 3, 1",
        ),
        (
            StartLaw::Table {
                rows: vec![
                    StartRow {
                        weight: 1,
                        values: by_character([1; 6]),
                    },
                    StartRow {
                        weight: 2,
                        values: by_character([2; 6]),
                    },
                ],
            },
            "one of 2 rows",
        ),
        (
            StartLaw::Fixed {
                values: by_character([1; 6]),
            },
            "all characters start at 1",
        ),
        (
            StartLaw::Permutation { values: vec![4; 6] },
            "all characters start at 4",
        ),
        (
            StartLaw::Independent {
                values: vec![3],
                weights: vec![1],
            },
            "all characters start at 3",
        ),
    ] {
        let found = evidence(Clause::E, |d| d.starting_multipliers = law);
        assert!(found.contains(text), "{found}");
    }
}

#[test]
fn clause_693_6_e_a_fixed_assignment_is_not_random() {
    let fixed = StartLaw::Fixed {
        values: by_character([8, 6, 5, 4, 3, 2]),
    };
    breaks(&[Clause::E], &["not random", "rabbit 8"], |d| {
        d.starting_multipliers = fixed.clone();
    });
    // One trigger alone is enough, and it is named.
    breaks(&[Clause::E], &["trigger 5"], |d| {
        d.triggers[1].starting_multipliers = Some(fixed.clone());
    });
    let row = StartRow {
        weight: 1,
        values: by_character([8, 6, 5, 4, 3, 2]),
    };
    breaks(&[Clause::E], &["every row of the table is the same"], |d| {
        d.starting_multipliers = StartLaw::Table {
            rows: vec![row.clone(), row.clone()],
        };
    });
}

#[test]
fn clause_693_6_f_1_counter_is_shown() {
    assert!(evidence(Clause::F1, |_| {}).contains("before every spin"));
}

#[test]
fn clause_693_6_f_2_i_names_the_reading() {
    let uniform = evidence(Clause::F2I, |_| {});
    assert!(uniform.contains("reading") && uniform.contains("alike"));
    let sections = evidence(Clause::F2I, |d| d.boost = BoostLaw::OuterSections);
    assert!(sections.contains("in proportion"));
    let weights = evidence(Clause::F2I, |d| {
        d.boost = BoostLaw::Weights(Character::ALL.into_iter().zip([7, 1, 1, 1, 1, 1]).collect());
    });
    assert!(weights.contains("rabbit 7"));
}

#[test]
fn clause_693_6_f_2_ii_two_spins() {
    breaks(&[Clause::F2II], &["adds 2 to the counter"], |d| {
        d.rules.additional_spin = 2;
    });
    breaks(&[Clause::F2II], &["adds 0 to the counter"], |d| {
        d.rules.additional_spin = 0;
    });
}

#[test]
fn clauses_693_6_f_4_i_and_ii_hold_by_the_model() {
    assert!(evidence(Clause::F4I, |_| {}).contains("adds the multiplier"));
    assert!(evidence(Clause::F4II, |_| {}).contains("takes one from the counter"));
}

#[test]
fn clause_693_6_f_4_iii_eat_me() {
    breaks(&[Clause::F4III], &["adds 0 to the counter"], |d| {
        d.rules.eat_me.spins = 0;
    });
    breaks(&[Clause::F4III], &["by +2, expected +1"], |d| {
        d.rules.eat_me.multipliers = 2;
    });
    let literal = evidence(Clause::F4III, |_| {});
    assert!(literal.contains("`consumes_spin = false`"));
    let used_up = evidence(Clause::F4III, |d| d.rules.eat_me.consumes_spin = true);
    assert!(used_up.contains("`consumes_spin = true`"));
}

#[test]
fn clause_693_6_f_4_iv_drink_me_and_the_floor() {
    breaks(&[Clause::F4IV], &["adds 2 to the counter"], |d| {
        d.rules.drink_me.spins = 2;
    });
    breaks(&[Clause::F4IV], &["by +0, expected -1"], |d| {
        d.rules.drink_me.multipliers = 0;
    });
    breaks(&[Clause::F4IV], &["below 2, expected a floor of 1"], |d| {
        d.rules.multiplier_floor = 2;
    });
    let used_up = evidence(Clause::F4IV, |d| d.rules.drink_me.consumes_spin = true);
    assert!(used_up.contains("`consumes_spin = true`"));
}

#[test]
fn clause_693_6_f_5_drift_and_limit() {
    // 2/12 for each spin less 46 + 3 of 54, plus 5 of 54: -35/54.
    assert!(evidence(Clause::F5, |_| {}).contains("-35/54"));
    breaks(&[Clause::F5], &["after 100 spins"], |d| {
        d.rules.max_spins = Some(100);
    });
}

#[test]
fn clause_693_6_g_payout() {
    breaks(&[Clause::G], &["paid for 1"], |d| {
        d.payout.convention = Convention::ForOne;
    });
    let capped = only(Inconclusive, &[Clause::G], |d| {
        d.rules.max_meter = Some(500);
    });
    assert!(capped.contains("`max_meter` pays at most 500"), "{capped}");
    let limited = only(Inconclusive, &[Clause::G], |d| {
        d.limits = Some(Limits {
            max_win: 9,
            stakes: vec![1],
        });
    });
    assert!(limited.contains("`max_win` pays at most 9"), "{limited}");
    assert!(evidence(Clause::G, |_| {}).contains("returns the wager"));
    let loses = evidence(Clause::G, |d| d.payout.zero_meter = ZeroMeter::LosesWager);
    assert!(loses.contains("loses the wager"));
}
