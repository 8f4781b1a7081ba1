//! The truth table of 5319.47(b), automatic selection and start.
//!
//! The text prohibits a device from selecting or starting by itself unless it "meets the
//! requirements set forth in paragraphs (1) through (3)" and explains the mechanism. Read
//! together the three exclude each other for most games ((2) and (3) describe different
//! games), so they are read as alternatives, any one of which suffices; every row that
//! leans on that reading says so.

use crate::paytable::{Disclosure, PlayerChoice};

use super::ClauseVerdict::{self, Fail, Inconclusive, Pass};
use super::Judgement;

/// 5319.47(b)(2): the least time-out, in seconds.
const LEAST_TIMEOUT_SECONDS: u64 = 120;

/// How the three paragraphs are read together.
const READING: &str = "reading: paragraphs (1) to (3) are alternatives, any one suffices";

/// The judgements of (b), (b)(1), (b)(2) and (b)(3).
pub(super) fn judge(disclosure: &Disclosure) -> [Judgement; 4] {
    match selects_by_itself(disclosure) {
        Some(true) => automatic(disclosure),
        Some(false) => {
            let reason = if disclosure.player_choice == Some(PlayerChoice::None) {
                "the player chooses nothing in the bonus (`player_choice = \"none\"`)"
            } else {
                "the device neither selects nor starts by itself (`auto_initiate = false`)"
            };
            let paragraph = || Judgement::not_applicable(reason);
            [
                Judgement::declared(Pass, reason),
                paragraph(),
                paragraph(),
                paragraph(),
            ]
        }
        None => {
            let missing = match (disclosure.player_choice, disclosure.auto_initiate) {
                (None, None) => "`player_choice` and `auto_initiate`",
                (None, _) => "`player_choice`",
                _ => "`auto_initiate`",
            };
            let cell = || undeclared(missing);
            [cell(), cell(), cell(), cell()]
        }
    }
}

/// Whether the player has a choice that the device may make; `None` where a key is missing.
fn selects_by_itself(disclosure: &Disclosure) -> Option<bool> {
    match (disclosure.player_choice, disclosure.auto_initiate) {
        (Some(PlayerChoice::None), _) | (_, Some(false)) => Some(false),
        (Some(PlayerChoice::Single | PlayerChoice::Multiple), Some(true)) => Some(true),
        _ => None,
    }
}

/// The two rows of the table for a device that selects by itself.
fn automatic(disclosure: &Disclosure) -> [Judgement; 4] {
    let paragraphs = [
        acknowledged(disclosure),
        single_choice(disclosure),
        community(disclosure),
    ];
    let verdicts = paragraphs.each_ref().map(|judgement| judgement.verdict);
    let any = |verdict: ClauseVerdict| verdicts.contains(&verdict);
    let alternatives = if any(Pass) {
        Pass
    } else if any(Inconclusive) {
        Inconclusive
    } else {
        Fail
    };
    let whole = match (disclosure.explained_on_display, alternatives) {
        (Some(false), _) => Judgement::declared(
            Fail,
            "the device selects by itself and the mechanism is not explained on its glass or display",
        ),
        (_, Fail) => Judgement::declared(Fail, format!("none of the paragraphs is met; {READING}")),
        (None, _) => undeclared("`explained_on_display`"),
        (Some(true), Pass) => Judgement::declared(
            Pass,
            format!("the mechanism is explained and at least one paragraph is met; {READING}"),
        ),
        (Some(true), _) => Judgement::declared(
            Inconclusive,
            format!("no paragraph is met by what is declared, and one lacks a key; {READING}"),
        ),
    };
    let [first, second, third] = paragraphs;
    [whole, first, second, third]
}

/// A cell that a missing key, or two, leave open.
fn undeclared(keys: &str) -> Judgement {
    let verb = if keys.contains(" and ") { "are" } else { "is" };
    Judgement::declared(Inconclusive, format!("{keys} {verb} not declared"))
        .asking(format!("declare {keys} under `[disclosure]`"))
}

/// (b)(1).
fn acknowledged(disclosure: &Disclosure) -> Judgement {
    match disclosure.acknowledged {
        Some(true) => Judgement::declared(Pass, "the player acknowledges the automatic start"),
        Some(false) => Judgement::declared(
            Fail,
            "the player does not acknowledge the automatic start (`acknowledged = false`)",
        ),
        None => undeclared("`acknowledged`"),
    }
}

/// (b)(2).
fn single_choice(disclosure: &Disclosure) -> Judgement {
    if disclosure.player_choice != Some(PlayerChoice::Single) {
        return Judgement::not_applicable("the player has more than one choice");
    }
    match disclosure.timeout_seconds {
        Some(seconds) => {
            let verdict = if seconds >= LEAST_TIMEOUT_SECONDS {
                Pass
            } else {
                Fail
            };
            Judgement::declared(
                verdict,
                format!(
                    "one choice, and the device starts by itself after {seconds} seconds; at least \
                     {LEAST_TIMEOUT_SECONDS} are required"
                ),
            )
        }
        None => undeclared("`timeout_seconds`"),
    }
}

/// (b)(3).
fn community(disclosure: &Disclosure) -> Judgement {
    match (disclosure.community, disclosure.time_remaining_shown) {
        (Some(false), _) => Judgement::not_applicable("the bonus is not community play"),
        (Some(true), Some(true)) => {
            Judgement::declared(Pass, "community play with the time remaining shown")
        }
        (Some(true), Some(false)) => Judgement::declared(
            Fail,
            "community play without the time remaining (`time_remaining_shown = false`)",
        ),
        (Some(true), None) => undeclared("`time_remaining_shown`"),
        (None, _) => undeclared("`community`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys: choice, automatic, explained, acknowledged, time-out, community, time shown.
    type Keys = (
        Option<PlayerChoice>,
        Option<bool>,
        Option<bool>,
        Option<bool>,
        Option<u64>,
        Option<bool>,
        Option<bool>,
    );

    fn disclosure(keys: Keys) -> Disclosure {
        Disclosure {
            player_choice: keys.0,
            auto_initiate: keys.1,
            explained_on_display: keys.2,
            acknowledged: keys.3,
            timeout_seconds: keys.4,
            community: keys.5,
            time_remaining_shown: keys.6,
            ..Disclosure::default()
        }
    }

    #[test]
    fn clause_5319_47_b_truth_table() {
        const NONE: Option<PlayerChoice> = Some(PlayerChoice::None);
        const ONE: Option<PlayerChoice> = Some(PlayerChoice::Single);
        const MANY: Option<PlayerChoice> = Some(PlayerChoice::Multiple);
        const Y: Option<bool> = Some(true);
        const N: Option<bool> = Some(false);
        let table: [(Keys, &str); 22] = [
            // No automatic selection: (b) passes, the paragraphs do not apply.
            ((NONE, None, None, None, None, None, None), "pass - - -"),
            ((NONE, Y, N, N, None, N, None), "pass - - -"),
            ((ONE, N, None, None, None, None, None), "pass - - -"),
            ((None, N, None, None, None, None, None), "pass - - -"),
            // The row itself is unknown.
            ((None, None, None, None, None, None, None), "? ? ? ?"),
            ((None, Y, Y, Y, Some(120), Y, Y), "? ? ? ?"),
            ((ONE, None, Y, Y, Some(120), Y, Y), "? ? ? ?"),
            // Not explained: (b) fails, the paragraphs go by their keys.
            ((ONE, Y, N, Y, Some(120), Y, Y), "fail pass pass pass"),
            ((MANY, Y, N, N, None, N, None), "fail fail - -"),
            // Explained: any one suffices.
            ((ONE, Y, Y, Y, Some(119), N, None), "pass pass fail -"),
            ((ONE, Y, Y, N, Some(120), N, None), "pass fail pass -"),
            ((ONE, Y, Y, N, Some(119), N, None), "fail fail fail -"),
            ((ONE, Y, Y, N, Some(0), Y, Y), "pass fail fail pass"),
            ((MANY, Y, Y, N, Some(500), Y, Y), "pass fail - pass"),
            ((MANY, Y, Y, N, Some(500), Y, N), "fail fail - fail"),
            ((MANY, Y, Y, N, Some(500), N, Y), "fail fail - -"),
            // A missing key leaves its cell open, and (b) only where it matters.
            ((ONE, Y, Y, None, Some(120), N, None), "pass ? pass -"),
            ((ONE, Y, Y, N, None, N, None), "? fail ? -"),
            ((MANY, Y, Y, N, None, None, None), "? fail - ?"),
            ((MANY, Y, Y, N, None, Y, None), "? fail - ?"),
            ((ONE, Y, None, Y, Some(120), N, None), "? pass pass -"),
            ((ONE, Y, None, N, Some(119), N, None), "fail fail fail -"),
        ];
        for (keys, expected) in table {
            let found = judge(&disclosure(keys)).map(|judgement| match judgement.verdict {
                Pass => "pass",
                Fail => "fail",
                Inconclusive => "?",
                ClauseVerdict::NotApplicable => "-",
            });
            assert_eq!(found.join(" "), expected, "{keys:?}");
        }
    }

    #[test]
    fn clause_5319_47_b_prints_its_reading() {
        let keys = (
            Some(PlayerChoice::Single),
            Some(true),
            Some(true),
            Some(true),
            Some(120),
            Some(false),
            None,
        );
        let [whole, ..] = judge(&disclosure(keys));
        assert!(whole.evidence.contains("alternatives"));
    }
}
