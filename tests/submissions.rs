//! Every clause of both texts on submissions that meet it and that break it.
//!
//! `tests/data/submissions/base.toml` meets all that a paytable can meet; each file beside it
//! is one case: the clause, the verdict that is expected of it, why, and the keys that differ
//! from the base. Three clauses rest on figures and runs; what those found is `given`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dashu_ratio::RBig;
use toml::{Table, Value};
use wonderspins::paytable::{Paytable, PaytableFile};
use wonderspins::regulation::{
    AwardChance, ClauseFinding, ClauseVerdict, Dependence, DependenceTest, Evidence, Payouts,
    RarePayouts, ReturnSplit, judge_with,
};
use wonderspins::rules::{NY_5319_47, PA_693_6, Trigger};

/// Clauses that no paytable can break, with the reason. Their verdict on the base is the one
/// that they always have.
const CANNOT_FAIL: [(&str, &str, ClauseVerdict); 11] = [
    (
        "693.6(a)",
        "a file has two wheels by its form",
        ClauseVerdict::Pass,
    ),
    (
        "693.6(c)(6)",
        "a result is one section number by the model",
        ClauseVerdict::Pass,
    ),
    (
        "693.6(f)(1)",
        "the model keeps the counter and shows it",
        ClauseVerdict::Pass,
    ),
    (
        "693.6(f)(2)(i)",
        "the model adds before the outer spin; its law is a reading",
        ClauseVerdict::Pass,
    ),
    (
        "693.6(f)(3)(i)",
        "a file holds no real spin",
        ClauseVerdict::NotApplicable,
    ),
    (
        "693.6(f)(3)(ii)",
        "a file holds no real spin",
        ClauseVerdict::NotApplicable,
    ),
    (
        "693.6(f)(4)(i)",
        "no key changes what a character does",
        ClauseVerdict::Pass,
    ),
    (
        "693.6(f)(4)(ii)",
        "no key changes what No Win does",
        ClauseVerdict::Pass,
    ),
    (
        "5319.47(a)(3)",
        "the trigger is a random outcome",
        ClauseVerdict::NotApplicable,
    ),
    (
        "5319.47(a)(4)",
        "the trigger is one outcome, not several",
        ClauseVerdict::NotApplicable,
    ),
    (
        "5319.47(a)(6)",
        "nothing accrues over games",
        ClauseVerdict::NotApplicable,
    ),
];

/// Clauses that are declared and cannot be refuted by the file: their worst is inconclusive.
const CANNOT_BE_REFUTED: [&str; 3] = ["5319.47(a)(1)", "5319.47(a)(7)", "5319.47(a)(9)"];

/// One case.
struct Case {
    name: String,
    clause: String,
    verdict: String,
    /// Clauses that differ with it and cannot but do so.
    also: Vec<String>,
    /// What figures or runs found, where not the usual.
    given: Option<String>,
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/submissions")
}

fn base() -> Table {
    let text = fs::read_to_string(folder().join("base.toml")).expect("the base is there");
    text.parse().expect("the base is TOML")
}

/// Sets the value at a dotted path; `"absent"` takes it away. A part may be quoted.
fn change(table: &mut Table, path: &str, value: Value) {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (part, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a closing quote"),
            None => rest.find('.').map_or((rest, ""), |end| rest.split_at(end)),
        };
        parts.push(part.to_owned());
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    let last = parts.pop().expect("a key");
    let mut at = table;
    for part in parts {
        at = at
            .entry(part)
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .expect("a table on the way");
    }
    if value.as_str() == Some("absent") {
        assert!(at.remove(&last).is_some(), "`{path}` is not in the base");
    } else {
        at.insert(last, value);
    }
}

fn cases() -> Vec<Case> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| !path.ends_with("base.toml"))
        .collect();
    paths.sort();
    paths.iter().map(|path| case(path)).collect()
}

fn case(path: &Path) -> Case {
    let name = path
        .file_stem()
        .expect("a stem")
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(path).expect("a readable case");
    let mut table: Table = text
        .parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut word = |key: &str| {
        let value = table.remove(key)?;
        Some(
            value
                .as_str()
                .unwrap_or_else(|| panic!("{name}: {key}"))
                .to_owned(),
        )
    };
    let clause = word("clause").expect("a clause");
    let verdict = word("verdict").expect("a verdict");
    let given = word("given");
    assert!(word("why").is_some_and(|why| why.len() > 10), "{name}");
    let also = table
        .remove("also")
        .map_or_else(Vec::new, |also| also.try_into().expect("clauses"));
    let Some(Value::Table(changes)) = table.remove("changes") else {
        panic!("{name}: no changes");
    };
    assert!(table.is_empty(), "{name}: unknown keys {table:?}");
    let mut submission = base();
    for (path, value) in changes {
        change(&mut submission, &path, value);
    }
    Case {
        name,
        clause,
        verdict,
        also,
        given,
        text: submission.to_string(),
    }
}

/// What figures and runs are taken to have found: a return that adds up, and independent rounds.
fn evidence(paytable: &Paytable, given: Option<&str>) -> Evidence {
    let split = |trigger| ReturnSplit {
        trigger,
        conditional: "18".to_owned(),
        bonus: "1".to_owned(),
        other: "0".to_owned(),
        total: "1".to_owned(),
        least: (RBig::ONE, RBig::ONE),
        greatest: (RBig::ONE, RBig::ONE),
        adds_up: given != Some("split-that-does-not-add-up"),
    };
    let test = |trigger| DependenceTest {
        trigger,
        check: "lag-1-correlation".to_owned(),
        verdict: if given == Some("dependent-rounds") {
            ClauseVerdict::Fail
        } else {
            ClauseVerdict::Pass
        },
        words: "as given".to_owned(),
    };
    // One bonus in so many pays the award of 500 or more.
    let award = match given {
        Some("common-award") => Some(1_000_000_u64),
        Some("rare-award") => Some(1_000_000_000),
        _ => None,
    };
    let payouts = |trigger| RarePayouts {
        trigger,
        exceeded: Vec::new(),
        largest: None,
        award: award.map(|games| AwardChance {
            meter: 500,
            lower: RBig::ONE / RBig::from(games),
            upper: RBig::ONE / RBig::from(games),
        }),
    };
    let of_each = |trigger: &Trigger| paytable.terms(*trigger).is_some();
    let triggers: Vec<Trigger> = Trigger::ALL.into_iter().filter(of_each).collect();
    Evidence {
        splits: triggers.iter().map(|&trigger| split(trigger)).collect(),
        payouts: Payouts::Known(triggers.iter().map(|&trigger| payouts(trigger)).collect()),
        dependence: Dependence::Tested(triggers.iter().map(|&trigger| test(trigger)).collect()),
        ..Evidence::default()
    }
}

fn judged(name: &str, text: &str, given: Option<&str>) -> Vec<ClauseFinding> {
    let file = PaytableFile::parse(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    judge_with(&file.paytable, &evidence(&file.paytable, given))
}

fn verdicts(findings: &[ClauseFinding]) -> BTreeMap<&'static str, ClauseVerdict> {
    findings
        .iter()
        .map(|finding| (finding.clause.citation(), finding.verdict))
        .collect()
}

fn on_base() -> BTreeMap<&'static str, ClauseVerdict> {
    verdicts(&judged("base.toml", &base().to_string(), None))
}

#[test]
fn the_base_meets_all_that_a_paytable_can_meet() {
    let always: BTreeMap<&str, ClauseVerdict> = CANNOT_FAIL
        .iter()
        .map(|&(clause, _, verdict)| (clause, verdict))
        .collect();
    for (clause, verdict) in on_base() {
        let expected = match always.get(clause) {
            Some(&verdict) => verdict,
            // The player chooses nothing, so (b) is met without its paragraphs.
            None if clause.starts_with("5319.47(b)(") => ClauseVerdict::NotApplicable,
            None => ClauseVerdict::Pass,
        };
        assert_eq!(verdict, expected, "{clause}");
    }
}

#[test]
fn each_case_changes_its_clause_and_no_other() {
    let before = on_base();
    for case in cases() {
        let findings = judged(&case.name, &case.text, case.given.as_deref());
        let finding = findings
            .iter()
            .find(|finding| finding.clause.citation() == case.clause)
            .unwrap_or_else(|| panic!("{}: no clause `{}`", case.name, case.clause));
        assert_eq!(
            finding.verdict.name(),
            case.verdict,
            "{}: {}",
            case.name,
            finding.evidence
        );
        // What is worse than before is the clause of the case and what cannot but go with it;
        // between the paragraphs of (b), which are alternatives, nothing else fails.
        let worse: BTreeSet<&str> = verdicts(&findings)
            .into_iter()
            .filter(|&(clause, verdict)| {
                let is_bad = matches!(verdict, ClauseVerdict::Fail | ClauseVerdict::Inconclusive);
                is_bad && before[clause] != verdict && clause != case.clause
            })
            .map(|(clause, _)| clause)
            .collect();
        let allowed: BTreeSet<&str> = case.also.iter().map(String::as_str).collect();
        assert_eq!(worse, allowed, "{}", case.name);
    }
}

/// Both ways: no clause without a submission that meets it and one that breaks it, unless it
/// is listed with the reason, and none listed that a case breaks after all.
#[test]
fn every_clause_is_met_and_broken_by_a_submission() {
    let before = on_base();
    let cases = cases();
    let has = |clause: &str, verdict: &str| {
        cases
            .iter()
            .any(|case| case.clause == clause && case.verdict == verdict)
    };
    for clause in PA_693_6.iter().chain(&NY_5319_47) {
        let clause = clause.citation();
        if let Some((_, why, verdict)) = CANNOT_FAIL.iter().find(|(listed, ..)| *listed == clause) {
            assert!(!why.is_empty());
            assert_eq!(before[clause], *verdict, "{clause}");
            for other in &cases {
                let found = verdicts(&judged(&other.name, &other.text, other.given.as_deref()));
                assert_eq!(found[clause], *verdict, "{clause} in {}", other.name);
            }
            continue;
        }
        let is_met = before[clause] == ClauseVerdict::Pass || has(clause, "pass");
        assert!(is_met, "no submission meets {clause}");
        let worst = if CANNOT_BE_REFUTED.contains(&clause) {
            "inconclusive"
        } else {
            "fail"
        };
        assert!(has(clause, worst), "no submission breaks {clause}");
    }
}

/// The same probabilities in another order, each named for what it is.
#[test]
fn rotations_and_mirror_images_are_named() {
    for (name, words) in [
        ("693.6-b-3-rotated", "rotated by 3 sections"),
        ("693.6-b-3-mirrored", "mirror image"),
        (
            "693.6-b-3-mirrored-rotated",
            "mirror image, rotated by 4 sections",
        ),
        ("693.6-c-5-mirrored", "mirror image"),
    ] {
        let case = case(&folder().join(format!("{name}.toml")));
        let findings = judged(name, &case.text, None);
        let finding = findings
            .iter()
            .find(|finding| finding.clause.citation() == case.clause)
            .expect("the clause of the case");
        for part in [words, "the same probabilities, not the order required"] {
            assert!(
                finding.evidence.contains(part),
                "{name}: {}",
                finding.evidence
            );
        }
    }
}
