use proptest::prelude::*;

use super::*;
use crate::paytable::fixture::{pa, tiny};
use crate::paytable::{Figure, PaytableFile};

fn read(text: &str) -> Paytable {
    match PaytableFile::parse("test.toml", text) {
        Ok(file) => file.paytable,
        Err(error) => panic!("{error}"),
    }
}

/// Tables and keys of a small paytable, to be written in any order.
const TOP: [&str; 4] = [
    "schema = 1",
    "name = \"a\"",
    "source = \"b\"",
    "notes = \"c\"",
];
const TABLES: [(&str, &[&str]); 9] = [
    (
        "inner_wheel",
        &["sections = [3, \"additional-spin\"]", "weights = [5, 1]"],
    ),
    (
        "outer_wheel",
        &["sections = [\"hat\", \"no-win\", \"cat\"]"],
    ),
    (
        "starting_multipliers",
        &[
            "law = \"independent\"",
            "values = [4, 7]",
            "weights = [8, 9]",
        ],
    ),
    (
        "boost",
        &["law = \"weights\"", "weights = { hat = 11, cat = 12 }"],
    ),
    (
        "rules",
        &[
            "eat_me = { spins = 1, multipliers = 2, consumes_spin = true }",
            "drink_me = { spins = 2, multipliers = -1, consumes_spin = false }",
            "multiplier_floor = 1",
            "max_meter = 900",
            "max_spins = 60",
        ],
    ),
    (
        "payout",
        &["convention = \"for-one\"", "zero_meter = \"loses-wager\""],
    ),
    (
        "triggers.2",
        &[
            "spins = 2",
            "main_wheel = { sections = 3, of = 54 }",
            "other_return = \"0.5\"",
        ],
    ),
    (
        "declared.2",
        &["rtp = \"95.95%\"", "max_meter = \"unbounded\""],
    ),
    (
        "disclosure.\"5319.47(a)(2)\"",
        &["text = \"d\"", "page = 13", "meter = [0, 14]"],
    ),
];

/// The expected form of the paytable above, written by hand.
const CANONICAL: &str = concat!(
    r#"{"canonical":1,"name":"a","source":"b","notes":"c","#,
    r#""inner_wheel":{"sections":[3,"additional-spin"],"weights":[5,1]},"#,
    r#""outer_wheel":{"sections":["hat","no-win","cat"],"weights":[1,1,1]},"#,
    r#""starting_multipliers":{"law":"independent","values":[4,7],"weights":[8,9]},"#,
    r#""boost":{"law":"weights","weights":{"cat":12,"hat":11}},"#,
    r#""rules":{"eat_me":{"spins":1,"multipliers":2,"consumes_spin":true},"#,
    r#""drink_me":{"spins":2,"multipliers":-1,"consumes_spin":false},"additional_spin":1,"#,
    r#""multiplier_floor":1,"max_meter":900,"max_spins":60},"#,
    r#""triggers":[{"trigger":2,"spins":2,"main_wheel_sections":3,"main_wheel_of":54,"#,
    r#""other_return":"1/2","starting_multipliers":null}],"#,
    r#""payout":{"convention":"for-one","zero_meter":"loses-wager"},"limits":null,"#,
    r#""declared":[{"trigger":2,"figures":{"rtp":"95.95%","max_meter":"unbounded"}}],"#,
    r#""disclosure":{"player_choice":null,"auto_initiate":null,"acknowledged":null,"#,
    r#""community":null,"time_remaining_shown":null,"explained_on_display":null,"#,
    r#""timeout_seconds":null,"statements":[{"clause":"5319.47(a)(2)","text":"d","file":null,"#,
    r#""sha256":null,"page":13,"meter":[0,14],"multiplier":null}]}}"#,
);

fn plain() -> String {
    let mut text = TOP.join("\n");
    for (name, keys) in TABLES {
        text = format!("{text}\n[{name}]\n{}", keys.join("\n"));
    }
    text
}

#[test]
fn the_form_is_as_written_by_hand() {
    assert_eq!(read(&plain()).canonical(), CANONICAL);
    assert_eq!(read(&plain()).sha256(), sha256_hex(CANONICAL.as_bytes()));
}

/// A change here changes the identity of every paytable: bump the version of the form.
#[test]
fn value_stability() {
    let literal = PaytableFile::load("pa-693-6").expect("a built-in").paytable;
    assert_eq!(literal.mathematics_sha256(), LITERAL_MATHEMATICS);
    let net_zero = PaytableFile::load("pa-693-6-net-zero").expect("a built-in");
    assert_ne!(net_zero.paytable.mathematics_sha256(), LITERAL_MATHEMATICS);
}

/// Computed from the form written by hand and hashed with another program.
const LITERAL_MATHEMATICS: &str =
    "2e40c30f94b443baecf9c727e0a46ad2a436cdec4339eb5724dcc1eaa430fa06";

#[test]
fn a_default_that_is_left_out_is_the_default_written() {
    let paytable = read(&plain());
    let written = plain()
        .replace(
            "\"no-win\", \"cat\"]",
            "\"no-win\", \"cat\"]\nweights = [1, 1, 1]",
        )
        .replace(
            "multiplier_floor = 1",
            "multiplier_floor = 0x1\nadditional_spin = { spins = 1 }",
        )
        .replace("\"0.5\"", "\"50%\"");
    assert_ne!(written, plain());
    assert_eq!(read(&written).canonical(), paytable.canonical());
    assert_eq!(
        read(&plain().replace('\n', "\r\n")).sha256(),
        paytable.sha256()
    );
}

#[test]
fn every_number_and_text_enters() {
    let text = plain();
    let paytable = read(&text);
    // Each replacement keeps the file legal.
    let changes = [
        ("name = \"a\"", "name = \"A\""),
        ("source = \"b\"", "source = \"B\""),
        ("notes = \"c\"", "notes = \"\""),
        ("[3, ", "[4, "),
        ("[5, 1]", "[5, 2]"),
        ("[\"hat\", \"no-win\"", "[\"no-win\", \"hat\""),
        ("[4, 7]", "[4, 8]"),
        ("[8, 9]", "[8, 10]"),
        ("hat = 11", "hat = 10"),
        ("cat = 12", "cat = 13"),
        ("spins = 1, multipliers = 2", "spins = 0, multipliers = 2"),
        ("multipliers = 2", "multipliers = 3"),
        ("multipliers = -1", "multipliers = 1"),
        ("consumes_spin = true", "consumes_spin = false"),
        ("multiplier_floor = 1", "multiplier_floor = 2"),
        ("max_meter = 900", "max_meter = 901"),
        ("max_spins = 60", "max_spins = 61"),
        ("for-one", "to-one"),
        ("loses-wager", "returns-wager"),
        ("\nspins = 2", "\nspins = 3"),
        ("sections = 3, of", "sections = 4, of"),
        ("of = 54", "of = 55"),
        ("\"0.5\"", "\"0.51\""),
        ("95.95%", "95.950%"),
        ("unbounded", "500"),
        ("text = \"d\"", "text = \"e\""),
        ("page = 13", "page = 14"),
        ("[0, 14]", "[0, \"unbounded\"]"),
    ];
    let mut digests = vec![paytable.sha256()];
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        let changed = read(&text.replace(from, to));
        let digest = changed.sha256();
        assert!(!digests.contains(&digest), "{from} -> {to}");
        digests.push(digest);
    }
}

#[test]
fn the_mathematics_has_no_names_and_no_payout() {
    let literal = Paytable::new(pa()).expect("legal");
    let digest = literal.mathematics_sha256();
    let after = |change: fn(&mut Definition)| {
        let mut definition = pa();
        change(&mut definition);
        Paytable::new(definition)
            .expect("legal")
            .mathematics_sha256()
    };
    let same: [fn(&mut Definition); 6] = [
        |d| d.name.push('x'),
        |d| d.source.push('x'),
        |d| d.notes.push('x'),
        |d| d.payout.zero_meter = ZeroMeter::LosesWager,
        |d| d.disclosure.community = Some(true),
        |d| {
            let stakes = vec![1];
            d.limits = Some(Limits { max_win: 5, stakes });
        },
    ];
    for change in same {
        assert_eq!(after(change), digest);
    }
    let other: [fn(&mut Definition); 7] = [
        |d| d.inner_wheel.weights[0] = 2,
        |d| d.outer_wheel.sections.swap(0, 1),
        |d| d.starting_multipliers = StartLaw::Permutation { values: vec![2; 6] },
        |d| d.boost = BoostLaw::OuterSections,
        |d| d.rules.max_meter = Some(500),
        |d| d.triggers[0].spins = 3,
        |d| d.triggers.truncate(1),
    ];
    for change in other {
        assert_ne!(after(change), digest);
    }
    assert_ne!(digest, literal.sha256());
}

#[test]
fn the_order_of_declared_figures_does_not_enter() {
    let figure = |figure| DeclaredFigure {
        figure,
        value: DeclaredValue::Number("1".parse().expect("a decimal")),
    };
    let with = |figures: Vec<_>| {
        let mut definition = tiny(1);
        definition.declared.insert(Trigger::Two, figures);
        Paytable::new(definition).expect("legal").sha256()
    };
    let (rtp, mean) = (figure(Figure::Rtp), figure(Figure::MeanMeter));
    assert_eq!(with(vec![rtp.clone(), mean.clone()]), with(vec![mean, rtp]));
}

#[test]
fn texts_are_escaped() {
    let mut definition = tiny(1);
    definition.name = "a \"b\" \\ §".into();
    definition.notes = "1\n2".into();
    let form = Paytable::new(definition).expect("legal").canonical();
    assert!(form.contains(r#""name":"a \"b\" \\ §""#), "{form}");
    assert!(form.contains(r#""notes":"1\n2""#), "{form}");
    serde_json::from_str::<Value>(&form).expect("JSON");
}

proptest! {
    #![proptest_config(crate::testing::property(64))]

    #[test]
    fn order_space_and_comments_do_not_enter(
        order in Just((0..TABLES.len()).collect::<Vec<_>>()).prop_shuffle(),
        top in Just(TOP.to_vec()).prop_shuffle(),
        reverse in any::<[bool; 9]>(),
        blank in "[ \t]{0,3}",
        comment in "(#[ -~]{0,10})?",
    ) {
        let mut text = String::new();
        let mut line = |content: &str| {
            text.push_str(&[&blank, content, &blank, &comment, "\n", &comment, "\n"].concat());
        };
        for key in top {
            line(&key.replace(" = ", &format!("{blank}={blank}")));
        }
        for index in order {
            let (name, keys) = TABLES[index];
            line(&format!("[{blank}{name}{blank}]"));
            let mut keys = keys.to_vec();
            if reverse[index] {
                keys.reverse();
            }
            for key in keys {
                line(&key.replace(", ", &format!("{blank},{blank}")));
            }
        }
        prop_assert_eq!(read(&text).canonical(), CANONICAL);
    }

    #[test]
    fn any_other_weight_is_another_paytable(
        section in 0_usize..54,
        weight in 2_u64..=4_294_967_296,
    ) {
        // A heavy potion would keep the counter up for ever, so the round is limited.
        let mut definition = pa();
        definition.rules.max_spins = Some(100);
        let fair = Paytable::new(definition.clone()).expect("legal");
        definition.outer_wheel.weights[section] = weight;
        let biased = Paytable::new(definition).expect("legal");
        prop_assert_ne!(biased.sha256(), fair.sha256());
        prop_assert_ne!(biased.mathematics_sha256(), fair.mathematics_sha256());
    }
}
