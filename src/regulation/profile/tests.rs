//! Files with faults, the shipped profiles, and limits on either side of a return.

use dashu_ratio::RBig;

use super::*;
use crate::paytable::{Paytable, fixture};
use crate::regulation::ClauseVerdict::{self, Fail, Inconclusive, NotApplicable, Pass};
use crate::regulation::{Evidence, Payouts, ReturnSplit};
use crate::rules::Trigger;

fn text(name: &str) -> String {
    let found = SHIPPED.iter().find(|shipped| shipped.name == name);
    found.unwrap().text.to_owned()
}

fn faults(text: &str) -> Vec<String> {
    match ProfileFile::parse("mine.toml", text.as_bytes()) {
        Err(ProfileError::Faults(faults)) => faults.iter().map(ToString::to_string).collect(),
        other => panic!("no faults: {other:?}"),
    }
}

/// What the sources say, copied from them by hand: only GLI-19 has a floor and a limit for
/// awards, Pennsylvania and GLI-19 a level of tests, and no source a ceiling.
#[test]
fn shipped_profiles_hold_what_the_sources_say() {
    let expected = [
        ("ny-5319", None, None, None, None),
        ("pa-table-game", None, None, Some("95%"), Some("5%")),
        (
            "gli-19",
            Some("75%"),
            Some(100_000_000),
            Some("99%"),
            Some("1%"),
        ),
    ];
    assert_eq!(SHIPPED.len(), expected.len());
    for (name, floor, award, level, alpha) in expected {
        let file = ProfileFile::load(name).unwrap();
        let profile = &file.profile;
        let shown = |limit: &Limit<Decimal>| limit.value.as_ref().map(|value| value.text.clone());
        assert_eq!(profile.name, name);
        assert_eq!(shown(&profile.rtp_minimum).as_deref(), floor, "{name}");
        assert_eq!(shown(&profile.rtp_maximum), None, "{name}");
        assert_eq!(profile.award_limit.value, award, "{name}");
        assert_eq!(shown(&profile.confidence_level).as_deref(), level, "{name}");
        assert_eq!(shown(&profile.alpha).as_deref(), alpha, "{name}");
    }
    // The floor of another kind of device is told and not applied.
    let pa = ProfileFile::load("pa-table-game").unwrap().profile;
    assert!(pa.rtp_minimum.note.contains("85 %") && pa.rtp_minimum.value.is_none());
}

#[test]
fn all_faults_are_told_at_once_with_their_lines() {
    let broken = text("gli-19")
        .replace("value = \"75%\"", "value = 0.75")
        .replace("value = 100000000", "value = 0")
        .replace("value = \"99%\"", "value = \"199%\"")
        .replace("title =", "titel =");
    let found = faults(&broken);
    let expected = [
        "mine.toml:4: titel: unknown key `titel`",
        "rtp_minimum.value: found 0.75, expected a decimal as text",
        "award_limit.value: found 0, expected an integer in [1, 1000000000000000]",
        "confidence_level.value: found \"199%\", expected a level in (0, 1)",
        "required key `title` is missing",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for part in expected {
        assert!(
            found.iter().any(|fault| fault.contains(part)),
            "{part}: {found:#?}"
        );
    }
}

#[test]
fn a_value_and_its_status_must_agree() {
    let without = text("gli-19").replace("value = \"75%\"\n", "");
    assert!(faults(&without)[0].contains("rtp_minimum.value: found no value"));
    let with = text("ny-5319").replacen("[rtp_minimum]", "[rtp_minimum]\nvalue = \"85%\"", 1);
    assert!(faults(&with)[0].contains("no value where `status` is \"not found\""));
    let other = text("gli-19").replacen("\"secondary\"", "\"rumour\"", 1);
    assert!(faults(&other)[0].contains("rtp_minimum.status"));
    let silent =
        text("gli-19").replacen("citation = \"GLI-19 v3.0, 4.7.1\"", "citation = \" \"", 1);
    assert!(faults(&silent)[0].contains("rtp_minimum.citation: found an empty text"));
    assert!(faults("")[0].contains("expected a profile"));
}

/// A file with floor and ceiling of 90 % and 95 %.
fn limits() -> ProfileFile {
    let text = text("gli-19")
        .replace("value = \"75%\"", "value = \"90%\"")
        .replacen(
            "[rtp_maximum]\nstatus = \"not found\"",
            "[rtp_maximum]\nvalue = \"95%\"\nstatus = \"confirmed\"",
            1,
        );
    ProfileFile::parse("mine.toml", text.as_bytes()).unwrap()
}

fn evidence(lower: u64, upper: u64) -> Evidence {
    let thousandths = |value: u64| RBig::from(value) / RBig::from(1000);
    Evidence {
        splits: vec![ReturnSplit {
            trigger: Trigger::Two,
            conditional: String::new(),
            bonus: String::new(),
            other: String::new(),
            total: "as given".to_owned(),
            least: (thousandths(lower), thousandths(upper)),
            greatest: (thousandths(lower), thousandths(upper)),
            adds_up: true,
        }],
        ..Evidence::default()
    }
}

#[test]
fn a_return_is_judged_by_its_bounds() {
    let mut game = fixture::pa();
    game.triggers.truncate(1);
    let paytable = Paytable::new(game).unwrap();
    let file = limits();
    for (lower, upper, floor, ceiling) in [
        (899, 899, Fail, Pass),
        (899, 900, Inconclusive, Pass),
        (900, 900, Pass, Pass),
        (950, 950, Pass, Pass),
        (950, 951, Pass, Inconclusive),
        (951, 951, Pass, Fail),
        (899, 951, Inconclusive, Inconclusive),
    ] {
        let found = file.judge(&paytable, &evidence(lower, upper));
        let verdicts: Vec<ClauseVerdict> = found.iter().map(|found| found.verdict).collect();
        // The meter has no end and no award is advertised.
        assert_eq!(
            verdicts,
            [floor, ceiling, NotApplicable],
            "{lower} to {upper}"
        );
    }
    let unknown = file.judge(&paytable, &Evidence::default());
    assert_eq!(unknown[0].verdict, Inconclusive);
}

#[test]
fn a_limit_without_a_source_is_not_applied() {
    let paytable = Paytable::new(fixture::pa()).unwrap();
    let file = ProfileFile::load("ny-5319").unwrap();
    let found = file.judge(&paytable, &evidence(1, 1));
    // Two returns for each of two triggers, and the award.
    assert_eq!(found.len(), 5);
    for finding in found {
        assert_eq!(finding.verdict, NotApplicable, "{finding:?}");
        assert!(finding.evidence.contains("no source was found"));
        assert_eq!((finding.limit, finding.status), (None, "not found"));
    }
}

#[test]
fn an_award_is_judged_as_in_the_clause() {
    let mut game = fixture::pa();
    game.rules.max_meter = Some(500);
    let paytable = Paytable::new(game).unwrap();
    let file = ProfileFile::load("gli-19").unwrap();
    let found = file.judge(&paytable, &Evidence::default());
    let award = found.last().unwrap();
    assert_eq!(
        (award.id, award.verdict, award.waits),
        ("award-odds", Inconclusive, false)
    );
    assert!(matches!(
        Evidence::default().payouts,
        Payouts::NotComputed(_)
    ));
}
