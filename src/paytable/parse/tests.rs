//! The reader on text that is hardly a paytable; the wrong paytables are in
//! `tests/paytable_faults.rs`.

use proptest::prelude::*;

use super::*;
use crate::paytable::builtin;

fn lines_of(bytes: &[u8]) -> Vec<String> {
    match parse_bytes("x.toml", bytes) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn bytes_that_are_no_text_are_told_by_line() {
    assert_eq!(
        lines_of(b"schema = 1\nname = \"\xff\"\n"),
        ["x.toml:2: not UTF-8, expected a text file"]
    );
    assert_eq!(
        lines_of("\u{feff}schema = 1\n".as_bytes()),
        ["x.toml:1: starts with a byte order mark, expected UTF-8 without one"]
    );
    assert_eq!(
        lines_of(b" \n\n"),
        ["x.toml: the file is empty, expected a paytable"]
    );
    assert_eq!(
        lines_of(&vec![b'#'; MAX_BYTES + 1]),
        ["x.toml: found more than 1048576 bytes, expected at most 1048576"]
    );
}

#[test]
fn a_file_of_comments_lacks_every_required_key() {
    let lines = lines_of(b"# nothing\n");
    assert_eq!(
        lines,
        [
            "x.toml:1: schema: required key `schema` is missing from the top level",
            "x.toml:1: name: required key `name` is missing from the top level",
            "x.toml:1: source: required key `source` is missing from the top level",
            "x.toml:1: inner_wheel: required key `inner_wheel` is missing from the top level (693.6(b)(3))",
            "x.toml:1: outer_wheel: required key `outer_wheel` is missing from the top level (693.6(c)(5))",
            "x.toml:1: starting_multipliers: required key `starting_multipliers` is missing from the top level (693.6(e))",
            "x.toml:1: boost: required key `boost` is missing from the top level (693.6(f)(2)(i))",
            "x.toml:1: rules: required key `rules` is missing from the top level",
            "x.toml:1: payout: required key `payout` is missing from the top level (693.6(g))",
            "x.toml:1: triggers: required key `triggers` is missing from the top level",
        ]
    );
}

#[test]
fn deep_nesting_is_a_fault() {
    for text in [
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("[{}a]", "a.".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(100_000)),
    ] {
        let lines = lines_of(text.as_bytes());
        assert!(!lines.is_empty());
        assert!(lines[0].chars().count() < 1000, "{}", lines[0].len());
    }
}

#[test]
fn columns_count_characters() {
    let lines = Lines::new("a\n\u{fc}b = 1\n");
    assert_eq!(lines.position(0), (1, 1));
    assert_eq!(lines.position(2), (2, 1));
    assert_eq!(lines.position(4), (2, 2));
    assert_eq!(lines.position(9), (2, 7));
    assert_eq!(lines.position(10), (3, 1));
}

proptest! {
    #![proptest_config(crate::testing::property(256))]

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!lines_of(&bytes).is_empty());
    }

    #[test]
    fn a_damaged_built_in_does_not_panic(
        which in 0..builtin::ALL.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, any::<Vec<u8>>()), 1..4),
    ) {
        let mut bytes = builtin::ALL[which].text.as_bytes().to_vec();
        for (at, length, put) in cuts {
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, put.into_iter().take(8));
        }
        lines_of(&bytes);
    }

    #[test]
    fn moved_tokens_do_not_panic(
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        token in prop::sample::select(vec![
            "-1", "0", "1e9", "nan", "\"\"", "[]", "{}", "true", "99999999999999999999999999999999999999999",
            "1979-05-27", "\"hat\"", "[[1]]", "{ hat = 1 }",
        ]),
    ) {
        let text = builtin::ALL[0].text;
        // Replaces what stands after one "=" by another value, or by a hostile token.
        let values: Vec<_> = text.lines().filter_map(|line| line.split_once(" = ")).collect();
        let (_, old) = values[from.index(values.len())];
        let (_, other) = values[to.index(values.len())];
        lines_of(text.replacen(old, other, 1).as_bytes());
        lines_of(text.replacen(old, token, 1).as_bytes());
    }
}

/// A hostile file may be as large as is allowed; the time must not grow with its square.
#[test]
fn the_longest_lists_are_read_in_passable_time() {
    let item: Vec<_> = (1..130_000).map(|value| value.to_string()).collect();
    let items = item.join(", ");
    for text in [
        format!("[limits]\nmax_win = 720720\nstakes = [{items}]"),
        format!("[starting_multipliers]\nlaw = \"independent\"\nvalues = [{items}]\nweights = []"),
        format!("[outer_wheel]\nsections = [{items}]"),
        format!("[inner_wheel]\nsections = [{items}]"),
    ] {
        assert!(text.len() <= MAX_BYTES);
        assert!(!lines_of(text.as_bytes()).is_empty());
    }
}
