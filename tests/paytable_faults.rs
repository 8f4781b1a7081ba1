//! One wrong file of each kind: what is reported, by key, line and value.
//!
//! Every expected line and number is counted by hand in [`VALID`], to which the files
//! are single changes.

use wonderspins::paytable::{Fault, PaytableError, PaytableFile, builtin};

/// A small legal file; a line number of this file is a line number of the tests.
const VALID: &str = r#"schema = 1
name = "small"
source = "58 Pa. Code § 693.6"

[inner_wheel]
sections = [2, 5, "additional-spin", 8]
weights = [3, 1, 1, 1]

[outer_wheel]
sections = [
  "hat", "cat", "no-win",
  "hat", "eat-me", "drink-me",
]
weights = [1, 1, 1, 1, 1, 1]

[starting_multipliers]
law = "permutation"
values = [2, 3]

[boost]
law = "weights"
weights = { hat = 1, cat = 2 }

[rules]
eat_me = { spins = 1, multipliers = 1, consumes_spin = false }
drink_me = { spins = 1, multipliers = -1, consumes_spin = false }
multiplier_floor = 2

[payout]
convention = "to-one"
zero_meter = "returns-wager"

[triggers.2]
spins = 2
main_wheel = { sections = 3, of = 54 }
other_return = "0"

[declared.2]
rtp = "95.95%"
max_meter = "unbounded"

[disclosure]
timeout_seconds = 120
[disclosure."5319.47(a)(2)"]
text = "on the second help page"
meter = [0, "unbounded"]
"#;

fn faults(text: &str) -> Vec<Fault> {
    match PaytableFile::parse("small.toml", text) {
        Ok(_) => Vec::new(),
        Err(PaytableError::Faults(faults)) => faults.iter().cloned().collect(),
        Err(other) => panic!("not a fault of the file: {other}"),
    }
}

/// The faults of [`VALID`] with one text, which occurs once, replaced.
fn changed(from: &str, to: &str) -> Vec<Fault> {
    assert_eq!(VALID.matches(from).count(), 1, "`{from}` once");
    faults(&VALID.replace(from, to))
}

/// Asserts that the change makes exactly one fault, with this key, line and report.
#[track_caller]
fn assert_fault(from: &str, to: &str, key: &str, line: usize, report: &str) {
    let faults = changed(from, to);
    let reports: Vec<_> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(reports, [report]);
    assert_eq!(faults[0].key, key);
    assert_eq!(faults[0].line, Some(line));
    assert_eq!(faults[0].file.as_deref(), Some("small.toml"));
}

#[test]
fn the_small_file_is_legal() {
    assert_eq!(faults(VALID), []);
}

#[test]
fn a_missing_file_is_named_and_the_built_ins_are_hinted() {
    let error = PaytableFile::load("no/such/file.toml").expect_err("no such file");
    assert_eq!(
        error.to_string(),
        "cannot read the paytable `no/such/file.toml`"
    );
    assert!(matches!(error, PaytableError::Read { .. }));
    assert_eq!(
        error.hint().as_deref(),
        Some(
            "the built-in paytables are `pa-693-6`, `pa-693-6-net-zero`, `pa-693-6-floor`, \
             `pa-693-6-capped`"
        )
    );
    // A directory is there, so no other name is meant.
    let error = PaytableFile::load(env!("CARGO_MANIFEST_DIR")).expect_err("a directory");
    assert!(matches!(error, PaytableError::Read { .. }));
    assert_eq!(error.hint(), None);
}

#[test]
fn a_file_is_read_by_its_path() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("My Game.toml");
    std::fs::write(&path, VALID).expect("written");
    let path = path.to_str().expect("a path in UTF-8");
    let file = PaytableFile::load(path).expect("legal");
    assert_eq!(
        (file.origin.as_str(), file.slug.as_str()),
        (path, "my-game")
    );
    assert_eq!(file.text, VALID);
}

#[test]
fn a_text_that_is_not_toml_is_told_by_line() {
    let faults = changed("law = \"permutation\"", "law = = \"permutation\"");
    assert!(!faults.is_empty());
    assert_eq!(faults[0].line, Some(17));
    assert_eq!(faults[0].key, "");
    assert!(faults[0].message.starts_with("not TOML: "), "{}", faults[0]);
    let faults = changed("spins = 2\n", "spins = 2\nspins = 3\n");
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].line, Some(35));
    assert!(faults[0].message.contains("duplicate key"), "{}", faults[0]);
}

#[test]
fn an_unknown_key_at_the_top() {
    assert_fault(
        "\n[inner_wheel]",
        "comment = \"?\"\n[inner_wheel]",
        "comment",
        4,
        "small.toml:4: comment: unknown key `comment`, expected one of `schema`, `name`, \
         `source`, `notes`, `inner_wheel`, `outer_wheel`, `starting_multipliers`, `boost`, \
         `rules`, `payout`, `limits`, `triggers`, `declared`, `disclosure`",
    );
}

#[test]
fn an_unknown_key_in_a_table() {
    assert_fault(
        "weights = [3, 1, 1, 1]",
        "wieghts = [3, 1, 1, 1]",
        "inner_wheel.wieghts",
        7,
        "small.toml:7: inner_wheel.wieghts: unknown key `wieghts`, expected one of `sections`, \
         `weights`; perhaps `weights` is meant",
    );
    assert_fault(
        "values = [2, 3]",
        "values = [2, 3]\nweights = [1, 1]",
        "starting_multipliers.weights",
        19,
        "small.toml:19: starting_multipliers.weights: unknown key `weights` of the law \
         \"permutation\", expected one of `law`, `values`",
    );
    assert_fault(
        "{ sections = 3, of = 54 }",
        "{ sections = 3, of = 54, bonus = 1 }",
        "triggers.2.main_wheel.bonus",
        35,
        "small.toml:35: triggers.2.main_wheel.bonus: unknown key `bonus`, expected one of \
         `sections`, `of`",
    );
    let faults = changed("[triggers.2]", "[triggers.3]");
    let keys: Vec<_> = faults
        .iter()
        .map(|fault| (fault.key.as_str(), fault.line))
        .collect();
    assert_eq!(keys, [("triggers.3", Some(33))]);
    let faults = changed("5319.47(a)(2)", "5319.47(a)(8)");
    assert_eq!(faults[0].key, "disclosure.\"5319.47(a)(8)\"");
    assert_eq!(faults[0].line, Some(44));
}

#[test]
fn a_missing_key_names_its_table() {
    assert_fault(
        "multiplier_floor = 2\n",
        "",
        "rules.multiplier_floor",
        24,
        "small.toml:24: rules.multiplier_floor: required key `multiplier_floor` is missing from \
         `rules` (693.6(f)(4)(iv))",
    );
    assert_fault(
        ", consumes_spin = false }\ndrink_me",
        " }\ndrink_me",
        "rules.eat_me.consumes_spin",
        25,
        "small.toml:25: rules.eat_me.consumes_spin: required key `consumes_spin` is missing from \
         `rules.eat_me` (693.6(f)(4)(iii))",
    );
}

#[test]
fn an_unknown_character() {
    assert_fault(
        "{ hat = 1, cat = 2 }",
        "{ hat = 1, cta = 2 }",
        "boost.weights.cta",
        22,
        "small.toml:22: boost.weights.cta: unknown key `cta`, expected one of `rabbit`, `cat`, \
         `crown`, `bird`, `mouse`, `hat`",
    );
    // Legal in itself, but not on this wheel.
    assert_fault(
        "{ hat = 1, cat = 2 }",
        "{ hat = 1, cat = 2, bird = 3 }",
        "boost.weights.bird",
        22,
        "small.toml:22: boost.weights.bird: found `bird`, which is not on the outer wheel, \
         expected `cat`, `hat` (693.6(f)(2)(i))",
    );
}

#[test]
fn an_unknown_section() {
    assert_fault(
        "\"no-win\"",
        "\"cheshire\"",
        "outer_wheel.sections[2]",
        11,
        "small.toml:11: outer_wheel.sections[2]: found \"cheshire\", expected one of `no-win`, \
         `eat-me`, `drink-me`, `rabbit`, `cat`, `crown`, `bird`, `mouse`, `hat` (693.6(c)(5))",
    );
    assert_fault(
        "\"additional-spin\"",
        "\"additional\"",
        "inner_wheel.sections[2]",
        6,
        "small.toml:6: inner_wheel.sections[2]: found \"additional\", expected an integer in \
         [0, 1000000] or \"additional-spin\" (693.6(b)(3))",
    );
    let column = changed("\"additional-spin\"", "\"additional\"")[0].column;
    assert_eq!(column, Some(19));
}

#[test]
fn weights_below_one() {
    assert_fault(
        "[1, 1, 1, 1, 1, 1]",
        "[1, 1, 1, -1, 1, 1]",
        "outer_wheel.weights[3]",
        14,
        "small.toml:14: outer_wheel.weights[3]: found -1, expected an integer in \
         [1, 4294967296] (693.6(c)(6))",
    );
    assert_fault(
        "[3, 1, 1, 1]",
        "[3, 1, 1, 0]",
        "inner_wheel.weights[3]",
        7,
        "small.toml:7: inner_wheel.weights[3]: found 0, expected an integer in [1, 4294967296] \
         (693.6(b)(1))",
    );
    assert_fault(
        "[1, 1, 1, 1, 1, 1]",
        "[1, 1, 1, 1, 1]",
        "outer_wheel.weights",
        14,
        "small.toml:14: outer_wheel.weights: found 5 weights, expected 6, one for each section \
         (693.6(c)(6))",
    );
}

#[test]
fn starts_for_another_number_of_characters() {
    assert_fault(
        "values = [2, 3]",
        "values = [2, 3, 4]",
        "starting_multipliers.values",
        18,
        "small.toml:18: starting_multipliers.values: found 3 values, expected 2, one for each \
         character of the outer wheel (693.6(e))",
    );
}

#[test]
fn a_start_below_the_floor() {
    assert_fault(
        "values = [2, 3]",
        "values = [2, 1]",
        "starting_multipliers.values[1]",
        18,
        "small.toml:18: starting_multipliers.values[1]: found 1, expected an integer in \
         [2, 1000000] (693.6(e))",
    );
}

#[test]
fn a_drift_that_is_not_negative_is_shown_as_a_fraction() {
    // Inner: 1/6 of 4 spins; outer: 2/6 up, 4/6 down: 4/6 - 2/6 = 1/3.
    assert_fault(
        "multiplier_floor = 2",
        "additional_spin = { spins = 4 }\nmultiplier_floor = 2",
        "rules",
        24,
        "small.toml:24: rules: expected change of the counter per spin is 1/3, must be negative, \
         or `max_spins` be given, for a round to end (693.6(f)(5))",
    );
    let limited = "additional_spin = { spins = 4 }\nmax_spins = 9\nmultiplier_floor = 2";
    assert_eq!(changed("multiplier_floor = 2", limited), []);
}

/// Change, key, line, value found, range.
#[rustfmt::skip]
const BEYOND: [(&str, &str, &str, usize, &str, &str); 15] = [
    ("[2, 5, ", "[2, 1000001, ", "inner_wheel.sections[1]", 6, "1000001", "[0, 1000000]"),
    ("values = [2, 3]", "values = [2, 1_000_001]", "starting_multipliers.values[1]", 18, "1_000_001", "[1, 1000000]"),
    ("cat = 2 }", "cat = 4294967297 }", "boost.weights.cat", 22, "4294967297", "[1, 4294967296]"),
    ("eat_me = { spins = 1", "eat_me = { spins = 11", "rules.eat_me.spins", 25, "11", "[0, 10]"),
    ("multipliers = -1", "multipliers = -11", "rules.drink_me.multipliers", 26, "-11", "[-10, 10]"),
    ("multiplier_floor = 2", "multiplier_floor = 0", "rules.multiplier_floor", 27, "0", "[1, 1000000]"),
    ("[rules]", "[rules]\nmax_meter = 1000000000001", "rules.max_meter", 25, "1000000000001", "[1, 1000000000000]"),
    ("[rules]", "[rules]\nmax_spins = 0", "rules.max_spins", 25, "0", "[1, 1000000]"),
    ("[rules]", "[rules]\nadditional_spin = { spins = 11 }", "rules.additional_spin.spins", 25, "11", "[0, 10]"),
    ("\nspins = 2", "\nspins = 1001", "triggers.2.spins", 34, "1001", "[1, 1000]"),
    ("sections = 3, of", "sections = 55, of", "triggers.2.main_wheel.sections", 35, "55", "[1, 54]"),
    ("of = 54", "of = 1000000001", "triggers.2.main_wheel.of", 35, "1000000001", "[1, 1000000000]"),
    ("[payout]", "[limits]\nmax_win = 0\nstakes = [1]\n[payout]", "limits.max_win", 30, "0", "[1, 1000000000000000]"),
    ("timeout_seconds = 120", "timeout_seconds = -1", "disclosure.timeout_seconds", 43, "-1", "[0, 1000000000]"),
    // Past every integer type there is.
    ("cat = 2 }", "cat = 99999999999999999999999999999999999999999 }", "boost.weights.cat", 22, "99999999999999999999999999999999999999999", "[1, 4294967296]"),
];

#[test]
fn numbers_beyond_their_range() {
    for (from, to, key, line, found, range) in BEYOND {
        let faults = changed(from, to);
        assert_eq!(faults.len(), 1, "{key}: {faults:?}");
        let fault = &faults[0];
        assert_eq!((fault.key.as_str(), fault.line), (key, Some(line)));
        assert_eq!(fault.found.as_deref(), Some(found), "{key}");
        let report = fault.to_string();
        assert!(
            report.contains(&format!("found {found}, expected an integer in {range}")),
            "{report}"
        );
    }
}

#[test]
fn a_value_of_another_kind() {
    let faults = changed("cat = 2 }", "cat = 2.0 }");
    assert!(
        faults[0]
            .to_string()
            .contains("found 2.0, expected an integer in")
    );
    let faults = changed(
        "consumes_spin = false }\ndrink",
        "consumes_spin = 0 }\ndrink",
    );
    assert!(
        faults[0]
            .to_string()
            .contains("found 0, expected `true` or `false`")
    );
    let faults = changed("name = \"small\"", "name = 7");
    assert!(
        faults[0]
            .to_string()
            .contains("name: found 7, expected a text in quotes")
    );
    let faults = changed("\"to-one\"", "\"to-two\"");
    assert!(
        faults[0]
            .to_string()
            .contains("found \"to-two\", expected one of \"to-one\", \"for-one\"")
    );
    let faults = changed("schema = 1", "schema = 2");
    assert!(
        faults[0]
            .to_string()
            .contains("schema: found 2, expected 1")
    );
}

#[test]
fn a_bare_number_where_a_decimal_is_meant_says_how_to_write_it() {
    assert_fault(
        "other_return = \"0\"",
        "other_return = 0.0153",
        "triggers.2.other_return",
        36,
        "small.toml:36: triggers.2.other_return: found 0.0153, expected a decimal as text: write \
         \"0.0153\" in quotes (5319.47(a)(8))",
    );
    assert_fault(
        "rtp = \"95.95%\"",
        "rtp = 0.9595",
        "declared.2.rtp",
        39,
        "small.toml:39: declared.2.rtp: found 0.9595, expected a decimal as text: write \
         \"0.9595\" in quotes",
    );
}

#[test]
fn a_declared_figure_that_is_no_number() {
    assert_fault(
        "\"95.95%\"",
        "\"about 96%\"",
        "declared.2.rtp",
        39,
        "small.toml:39: declared.2.rtp: found \"about 96%\", expected a decimal or a percentage \
         such as \"0.0153\" or \"1.53%\"",
    );
    assert_fault(
        "\"unbounded\"\n\n[disclosure]",
        "\"infinite\"\n\n[disclosure]",
        "declared.2.max_meter",
        40,
        "small.toml:40: declared.2.max_meter: found \"infinite\", expected \"unbounded\" or an \
         integer as text such as \"500\"",
    );
    assert_fault(
        "[declared.2]\nrtp",
        "[declared.2]\nhit_frequency = \"101%\"\nrtp",
        "declared.2.hit_frequency",
        39,
        "small.toml:39: declared.2.hit_frequency: found \"101%\", expected a probability in [0, 1]",
    );
    assert_fault(
        "[declared.2]",
        "[declared.5]",
        "declared.5",
        38,
        "small.toml:38: declared.5: found figures for trigger 5, expected `[triggers.5]` to go \
         with them",
    );
}

#[test]
fn a_statement_without_form() {
    assert_fault(
        "meter = [0, \"unbounded\"]",
        "meter = [0]",
        "disclosure.\"5319.47(a)(2)\".meter",
        46,
        "small.toml:46: disclosure.\"5319.47(a)(2)\".meter: found a list, expected [lowest, \
         highest], highest may be \"unbounded\"",
    );
    assert_fault(
        "text = \"on the second help page\"",
        "text = \"x\"\nsha256 = \"12\"",
        "disclosure.\"5319.47(a)(2)\".sha256",
        46,
        "small.toml:46: disclosure.\"5319.47(a)(2)\".sha256: found \"12\", expected 64 hexadecimal \
         digits",
    );
}

#[test]
fn a_dozen_faults_are_reported_at_once_in_the_order_of_their_lines() {
    let changes = [
        ("schema = 1", "schema = 3"),
        ("name = \"small\"", "name = \"\""),
        ("weights = [3, 1, 1, 1]", "weights = [3, 1, 1]"),
        ("\"no-win\"", "\"nowin\""),
        ("[1, 1, 1, 1, 1, 1]", "[1, 1, 1, 1, 0, 1]"),
        ("values = [2, 3]", "values = [2, 3.5]"),
        ("cat = 2 }", "cat = -2 }"),
        ("multipliers = -1", "multipliers = -100"),
        ("multiplier_floor = 2", "floor = 2"),
        ("\"returns-wager\"", "\"returns\""),
        ("other_return = \"0\"", "other_return = 0.5"),
        ("\"95.95%\"", "\"95,95 %\""),
        ("timeout_seconds = 120", "timeout = 120"),
    ];
    let mut text = VALID.to_owned();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "`{from}` once");
        text = text.replace(from, to);
    }
    let found = faults(&text);
    let found: Vec<_> = found
        .iter()
        .map(|fault| (fault.line.expect("a line"), fault.key.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (1, "schema"),
            (2, "name"),
            (7, "inner_wheel.weights"),
            (11, "outer_wheel.sections[2]"),
            (14, "outer_wheel.weights[4]"),
            (18, "starting_multipliers.values[1]"),
            (22, "boost.weights.cat"),
            // The missing floor, at its table, and the key that stands in its place.
            (24, "rules.multiplier_floor"),
            (26, "rules.drink_me.multipliers"),
            (27, "rules.floor"),
            (31, "payout.zero_meter"),
            (36, "triggers.2.other_return"),
            (39, "declared.2.rtp"),
            (43, "disclosure.timeout"),
        ]
    );
    let error = PaytableFile::parse("small.toml", &text).expect_err("faults");
    assert_eq!(error.to_string().lines().count(), 14);
}

#[test]
fn a_wheel_that_differs_from_its_citation_is_a_legal_file() {
    let text = builtin::find("pa-693-6").expect("a built-in").text;
    let row = "\"drink-me\", \"hat\", \"hat\", \"bird\", \"bird\", \"bird\",\n";
    assert_eq!(text.matches(row).count(), 1);
    let shorter = text.replace(row, "\"drink-me\", \"hat\", \"hat\", \"bird\", \"bird\",\n");
    let swapped = text.replace(
        row,
        "\"hat\", \"drink-me\", \"hat\", \"bird\", \"bird\", \"bird\",\n",
    );
    let rotated = text
        .replace(row, "\"drink-me\", \"hat\", \"hat\", \"bird\", \"bird\",\n")
        .replace(
            "  \"no-win\", \"crown\"",
            "  \"bird\", \"no-win\", \"crown\"",
        );
    for (text, sections) in [(shorter, 53), (swapped, 54), (rotated, 54)] {
        let file = PaytableFile::parse("copy.toml", &text).expect("legal");
        assert_eq!(file.paytable.outer_wheel.sections.len(), sections);
        assert!(file.paytable.cites_693_6());
    }
}
