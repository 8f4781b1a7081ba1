use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::engine::{EngineKind, Generator, RunPlan, simulate};
use crate::verify::Asked;

/// A game of two characters that ends after six spins, so that theory takes no time.
const SHORT: &str = r#"
schema = 1
name = "A short game"
source = "a test"
[inner_wheel]
sections = [2, 5, "additional-spin"]
[outer_wheel]
sections = ["no-win", "crown", "hat", "drink-me", "hat"]
[starting_multipliers]
law = "permutation"
values = [2, 3]
[boost]
law = "uniform"
[rules]
eat_me = { spins = 1, multipliers = 1, consumes_spin = true }
drink_me = { spins = 1, multipliers = -1, consumes_spin = true }
additional_spin = { spins = 1 }
multiplier_floor = 1
max_spins = 6
[payout]
convention = "to-one"
zero_meter = "returns-wager"
[triggers.2]
spins = 2
main_wheel = { sections = 3, of = 54 }
other_return = "0"
[triggers.5]
spins = 5
main_wheel = { sections = 1, of = 54 }
other_return = "0"
[declared.2]
hit_frequency = "50%"
"#;

fn certificate(text: &str, rounds: u64, seed_of: fn(&PaytableFile) -> Seed) -> (Vec<u8>, Vec<u8>) {
    certificate_by(text, rounds, seed_of, None)
}

fn certificate_by(
    text: &str,
    rounds: u64,
    seed_of: fn(&PaytableFile) -> Seed,
    profile: Option<&ProfileFile>,
) -> (Vec<u8>, Vec<u8>) {
    let file = PaytableFile::parse("test", text).unwrap();
    let triggers: Vec<Trigger> = file.paytable.triggers.iter().map(|of| of.trigger).collect();
    let theory = Theory::compute(&file, &triggers).unwrap();
    let seed = seed_of(&file);
    let simulations: Vec<Simulation> = triggers
        .iter()
        .map(|&trigger| {
            let plan = RunPlan {
                trigger,
                seed: seed.value,
                generator: Generator::default(),
                rounds,
                engine: EngineKind::Scalar,
                detail_rounds: 60_000,
            };
            simulate(&file.paytable, &plan, &()).unwrap()
        })
        .collect();
    let terms = Terms {
        seed: &seed,
        settings: Settings::new(
            profile.map(|file| &file.profile),
            Asked {
                alpha: Some(0.01),
                ..Asked::default()
            },
        ),
        profile,
        strict: false,
        created: Some("2026-01-01T00:00:00Z".to_owned()),
    };
    let (certificate, leaves) = assemble(&file, &theory, &simulations, &terms).unwrap();
    (certificate.to_bytes(), leaves)
}

fn short() -> (Vec<u8>, Vec<u8>) {
    certificate(SHORT, 150_000, |file| {
        Seed::derived(&file.paytable, Some("lab 7"))
    })
}

fn check(certificate: &[u8], leaves: &[u8], count: u64) -> Result<RecheckDocument, RecheckError> {
    let options = RecheckOptions {
        challenge: (Challenge::new("a challenge"), false),
        leaves: count,
        progress: &|_, _| {},
    };
    recheck(&read(certificate)?, certificate, Ok(leaves), &options)
}

fn failed(document: &RecheckDocument) -> Vec<&str> {
    document
        .findings
        .iter()
        .filter(|finding| finding.verdict == CheckVerdict::Fail)
        .map(|finding| finding.id.as_str())
        .collect()
}

/// A certificate whose own hash was put right again, as an author would.
fn resealed(value: &Value) -> Vec<u8> {
    let certificate: Certificate = serde_json::from_value(value.clone()).unwrap();
    certificate.sealed().to_bytes()
}

/// The profile is in the certificate with its text, so a third party judges by it again; the
/// level is the profile's and the rate was asked for, and neither can be passed off as the other.
#[test]
fn a_profile_is_checked_again_from_its_text() {
    let profile = ProfileFile::load("gli-19").unwrap();
    let seed_of: fn(&PaytableFile) -> Seed = |file| Seed::derived(&file.paytable, None);
    let (bytes, leaves) = certificate_by(SHORT, 150_000, seed_of, Some(&profile));
    let document = check(&bytes, &leaves, 1).unwrap();
    assert_eq!(
        document.verdict,
        CheckVerdict::Pass,
        "{:#?}",
        document.findings
    );

    let value: Value = serde_json::from_slice(&bytes).unwrap();
    let section = &value["profile"];
    assert_eq!(section["sha256"], profile.sha256);
    let from = |at: usize| section["settings"][at]["from"].as_str().unwrap().to_owned();
    assert_eq!(
        [from(0), from(1), from(2)],
        ["profile", "command line", "profile"]
    );
    // A round of this game pays little, and its trigger is rare: far below the floor of 75 %.
    assert_eq!(section["rows"][0]["id"], "rtp-minimum");
    assert_eq!(section["rows"][0]["verdict"], "fail");
    assert_eq!(value["verdict"], "fail");

    let forged = |change: &dyn Fn(&mut Value)| {
        let mut value = value.clone();
        change(&mut value);
        let document = check(&resealed(&value), &leaves, 0).unwrap();
        failed(&document)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let verdict = forged(&|value| value["profile"]["rows"][0]["verdict"] = "pass".into());
    assert_eq!(verdict, ["values"]);
    let from = forged(&|value| value["profile"]["settings"][0]["from"] = "default".into());
    assert_eq!(from, ["values"]);
    let text = forged(&|value| {
        let text = value["profile"]["text"]
            .as_str()
            .unwrap()
            .replace("75%", "1%");
        value["profile"]["text"] = text.into();
    });
    assert_eq!(text, ["values"]);
    let unreadable = forged(&|value| value["profile"]["text"] = "schema = 1".into());
    assert_eq!(unreadable, ["values"]);
}

#[test]
fn an_honest_certificate_passes() {
    let (certificate, leaves) = short();
    let found = check(&certificate, &leaves, 1_000).unwrap();
    assert_eq!(failed(&found), [""; 0], "{found:?}");
    assert_eq!(found.verdict, CheckVerdict::Pass);
    // Its own verdict is another matter: the declared hit frequency is wrong.
    assert_eq!(found.certified_verdict, CheckVerdict::Fail);
    let challenge = found.challenge.unwrap();
    // 150,000 rounds: leaves of 2^15 rounds, five for each trigger.
    assert_eq!((challenge.leaves, challenge.played), (10, 10));
    assert!(
        found
            .seed_meaning
            .contains("if the laboratory fixed the label")
    );
}

/// One value of every kind, that is of every path with its list places taken out; altered,
/// and all of the hash of the file put right again. What has no other witness is told apart.
#[test]
fn every_part_is_computed_anew() {
    let (certificate, leaves) = short();
    let original: Value = serde_json::from_slice(&certificate).unwrap();
    let again: Certificate = serde_json::from_slice(&certificate).unwrap();
    let mut places = Vec::new();
    collect(&original, &mut Vec::new(), &mut places);
    let mut kinds = BTreeSet::new();
    let mut altered = 0;
    for place in places {
        let kind: Vec<&str> = place
            .iter()
            .map(|key| {
                if key.parse::<usize>().is_ok() {
                    "*"
                } else {
                    key.as_str()
                }
            })
            .collect();
        if !kinds.insert(kind.join(".")) {
            continue;
        }
        let path = place.join(".");
        // These say who made it and when; nothing else can tell, but the signature. And whether
        // open clauses count is the author's to choose: here it makes no difference.
        let is_free = ["created", "self_sha256", "side_file.name", "plan.strict"];
        if path.starts_with("tool") || is_free.contains(&path.as_str()) {
            continue;
        }
        let mut value = original.clone();
        alter(&mut value, &place);
        if serde_json::from_value::<Certificate>(value.clone()).is_err() {
            continue;
        }
        altered += 1;
        // What is made again depends on these alone; all else is compared with it.
        let decides = [
            "plan",
            "paytable",
            "created",
            "schema",
            "triggers",
            "side_file",
        ];
        if !decides.contains(&place[0].as_str()) {
            let stated: Certificate = serde_json::from_value(value).unwrap();
            assert!(!compare::differences(&stated, &again).is_empty(), "{path}");
            continue;
        }
        match check(&resealed(&value), &leaves, 0) {
            Ok(found) => {
                assert_eq!(found.verdict, CheckVerdict::Fail, "{path}: {found:?}");
                assert!(!failed(&found).contains(&"self-sha256"), "{path}");
            }
            // A plan of another program is not checked at all.
            Err(error) => assert!(
                matches!(
                    error,
                    RecheckError::Plan { .. }
                        | RecheckError::Schema { .. }
                        | RecheckError::Figures(_)
                ),
                "{path}: {error}"
            ),
        }
    }
    assert!(altered > 150, "{altered}");
}

fn collect(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                path.push(key.clone());
                collect(value, path, found);
                path.pop();
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                path.push(index.to_string());
                collect(value, path, found);
                path.pop();
            }
        }
        _ => found.push(path.clone()),
    }
}

fn alter(value: &mut Value, path: &[String]) {
    let pointer = path.iter().fold(String::new(), |pointer, key| {
        pointer + "/" + &key.replace('~', "~0").replace('/', "~1")
    });
    let place = value.pointer_mut(&pointer).unwrap();
    *place = match &*place {
        Value::Bool(is) => Value::Bool(!is),
        Value::Number(number) if number.is_u64() => (number.as_u64().unwrap() + 1).into(),
        Value::Number(number) => (number.as_f64().unwrap() * 1.5 + 1.0).into(),
        Value::String(text) if text == "pass" => "fail".into(),
        Value::String(text) if text == "fail" || text == "inconclusive" => "pass".into(),
        // A digit for a digit keeps a number a number.
        Value::String(text) => match text.find(|c: char| c.is_ascii_digit()) {
            Some(at) => {
                let digit = if &text[at..=at] == "7" { "8" } else { "7" };
                format!("{}{digit}{}", &text[..at], &text[at + 1..]).into()
            }
            None => format!("{text}x").into(),
        },
        other => panic!("{other:?} in a certificate"),
    };
}

/// Any byte of either file, without a hash put right: a sample of places by a fixed step.
#[test]
fn any_altered_byte_is_found() {
    let (certificate, leaves) = short();
    for place in (0..certificate.len()).step_by(certificate.len() / 150) {
        let mut altered = certificate.clone();
        altered[place] ^= 1;
        if let Ok(found) = check(&altered, &leaves, 0) {
            let failed = failed(&found);
            assert!(
                failed.contains(&"form") || failed.contains(&"self-sha256"),
                "byte {place}"
            );
        }
    }
    for place in (0..leaves.len()).step_by(leaves.len() / 50) {
        let mut altered = leaves.clone();
        altered[place] ^= 0x10;
        let found = check(&certificate, &altered, 0).unwrap();
        assert_eq!(failed(&found), ["side-file"], "byte {place}");
        assert!(
            found
                .findings
                .iter()
                .any(|finding| finding.evidence.contains("certificate.leaves"))
        );
    }
}

/// An author who plays other rounds and is consistent in all else is found by playing them
/// again, and only so.
#[test]
fn rounds_of_another_seed_are_found_by_playing_them_again() {
    let (honest, _) = certificate(SHORT, 150_000, |_| Seed::given(1));
    let (other, leaves) = certificate(SHORT, 150_000, |_| Seed::given(2));
    let mut value: Value = serde_json::from_slice(&other).unwrap();
    let honest: Value = serde_json::from_slice(&honest).unwrap();
    value["plan"]["seed"] = honest["plan"]["seed"].clone();
    for trigger in 0..2 {
        value["simulated"]["triggers"][trigger]["seed"] = "1".into();
    }
    let forged = resealed(&value);
    let unplayed = check(&forged, &leaves, 0).unwrap();
    assert_eq!(unplayed.verdict, CheckVerdict::Pass, "{unplayed:?}");
    let played = check(&forged, &leaves, 1).unwrap();
    assert_eq!(failed(&played), ["played-leaves"]);
}

#[test]
fn a_derived_seed_has_to_follow() {
    let (bytes, leaves) = certificate(SHORT, 150_000, |_| Seed::given(1));
    let mut value: Value = serde_json::from_slice(&bytes).unwrap();
    value["plan"]["seed_origin"] = "derived:lab 7".into();
    let found = check(&resealed(&value), &leaves, 0).unwrap();
    assert!(failed(&found).contains(&"seed"), "{found:?}");
}

#[test]
fn what_is_no_certificate_is_no_finding() {
    let (certificate, leaves) = short();
    for bytes in [
        &b""[..],
        b"{}",
        b"[]",
        &certificate[..certificate.len() / 2],
    ] {
        assert!(matches!(
            check(bytes, &leaves, 0),
            Err(RecheckError::Unreadable(_))
        ));
    }
    let text = String::from_utf8(certificate.clone()).unwrap();
    let other = text.replacen("wonderspins/certificate/1", "wonderspins/certificate/9", 1);
    assert!(matches!(
        check(other.as_bytes(), &leaves, 0),
        Err(RecheckError::Schema { .. })
    ));
    let missing = recheck(
        &read(&certificate).unwrap(),
        &certificate,
        Err("`certificate.leaves` cannot be read"),
        &RecheckOptions {
            challenge: (Challenge::new("x"), false),
            leaves: 4,
            progress: &|_, _| {},
        },
    );
    let missing = missing.unwrap();
    assert_eq!(failed(&missing), ["side-file"]);
    assert_eq!(missing.verdict, CheckVerdict::Fail);
}
