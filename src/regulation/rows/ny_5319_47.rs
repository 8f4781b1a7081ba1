//! The rows of 9 NYCRR 5319.47, in the order of the text.

use super::Row;
use crate::rules::{Clause, NY_5319_47};

const JUDGE: &[&str] = &["regulation::ny_5319_47"];
const INTERACTION: &[&str] = &["regulation::interaction"];
const TRUTH_TABLE: &[&str] = &[
    "clause_5319_47_b_truth_table",
    "clause_5319_47_b_follows_the_disclosure",
];
const STATEMENTS: &[&str] = &[
    "clauses_5319_47_a_1_7_and_9_need_a_text",
    "without_a_declaration_nothing_declared_passes",
];
const RANDOM_TRIGGER: &[&str] = &["clauses_5319_47_a_3_4_and_6_do_not_apply_and_say_why"];
const ALTERNATIVES: &str = "The text asks for \"paragraphs (1) through (3)\" together, but (2) and (3) describe \
    different games. They are read as alternatives, any one of which suffices.";
const DECLARED: &str = "Declared: a paytable does not show what a player sees, so the submission must say it and may \
    name a file, its SHA-256 and a page as evidence. The file is named and never opened. Without a statement the clause \
    is inconclusive.";

pub(super) const ROWS: [Row; NY_5319_47.len()] = [
    Row {
        clause: Clause::NY_A1,
        asks: "the rules of the current state are shown, and can be read before the bonus starts",
        decided: DECLARED,
        carried_by: JUDGE,
        tests: STATEMENTS,
        keys: &["disclosure.\"5319.47(a)(1)\""],
        readings: &[],
    },
    Row {
        clause: Clause::NY_A2,
        asks: "the ranges of wins and multipliers of the bonus are shown",
        decided: "The declared ranges are compared with the least and greatest meter and multiplier that can occur, \
            found from the rules by reachability and without any probability. Where only bounds are known, a declared \
            value between them is inconclusive. The payout exceeded once in 10^4, 10^6, 10^8 and 10^10 rounds is added \
            from the exact distribution, as the range that its proven bounds leave. The odds of the top award that is \
            advertised (the declared highest meter, else the cap) are the trigger's probability times that of such a \
            meter; where they are longer than the award limit, the odds themselves must be shown prominently, and the \
            clause does not pass before `odds_shown = true` says so.",
        carried_by: &[
            "regulation::ny_5319_47",
            "regulation::award",
            "regulation::reach",
            "verify::payouts",
        ],
        tests: &[
            "clause_5319_47_a_2_ranges",
            "clause_5319_47_a_2_names_the_cap",
            "clause_5319_47_a_2_bounds_leave_it_open",
            "clause_5319_47_a_2_odds_of_the_top_award",
            "equal_to_an_exhaustive_search",
            "payouts_of_the_game_that_a_person_can_check",
        ],
        keys: &[
            "disclosure.\"5319.47(a)(2)\"",
            "rules.max_meter",
            "rules.max_spins",
            "limits",
            "triggers.2.main_wheel",
            "triggers.5.main_wheel",
        ],
        readings: &[
            "The limit for an advertised award is not in this text: it is the rule of GLI-11 (v3.0, 4.8.2) on \
            awards by chance, one in 100,000,000 games, or what `--award-limit` or a profile says. A game is one wager \
            on the bet, not one bonus.",
        ],
    },
    Row {
        clause: Clause::NY_A3,
        asks: "progress towards the next bonus is shown, unless it comes at random",
        decided: "Not applicable: the trigger is the outcome of the main wheel, drawn anew for every wager, and nothing \
            in a paytable builds up towards it.",
        carried_by: JUDGE,
        tests: RANDOM_TRIGGER,
        keys: &["triggers.2.main_wheel", "triggers.5.main_wheel"],
        readings: &[],
    },
    Row {
        clause: Clause::NY_A4,
        asks: "symbols needed and symbols collected are shown",
        decided: "Not applicable: one outcome of the main wheel starts the bonus, and a paytable has no way to ask for \
            several.",
        carried_by: JUDGE,
        tests: RANDOM_TRIGGER,
        keys: &["triggers.2.main_wheel", "triggers.5.main_wheel"],
        readings: &[],
    },
    Row {
        clause: Clause::NY_A5,
        asks: "the likelihood of the bonus does not depend on prizes already paid",
        decided: "Proved from the model: the trigger's probability is a constant of the file, every round starts from \
            the file alone, and the law of each draw is fixed by keys that no draw changes. A certificate adds what its \
            simulation shows: the correlation of neighbouring rounds and the shares of each section by the number of the \
            spin, with p-values and the deviation that would have been seen. A failed test fails the clause; one that \
            could not decide leaves it inconclusive.",
        carried_by: &[
            "regulation::ny_5319_47",
            "verify::cross_check::serial",
            "verify::cross_check::draws",
            "engine::stream",
        ],
        tests: &[
            "clause_5319_47_a_5_names_the_constant_probability",
            "clause_5319_47_a_5_follows_the_tests_of_a_run",
            "dependence_is_convicted",
            "covariance_by_hand",
        ],
        keys: &[
            "triggers.2.main_wheel",
            "triggers.5.main_wheel",
            "starting_multipliers",
            "boost",
            "inner_wheel.weights",
            "outer_wheel.weights",
        ],
        readings: &[
            "The clause is about the game that is played; that real games keep to the model is for a log of \
            real spins.",
        ],
    },
    Row {
        clause: Clause::NY_A6,
        asks: "symbols that accrue over games do not become harder to obtain",
        decided: "Not applicable: no symbols accrue over games. That the shares of the sections do not change with the \
            number of the spin within a round is an extra check of the simulation, reported with (a)(5).",
        carried_by: &["regulation::ny_5319_47", "verify::cross_check::draws"],
        tests: RANDOM_TRIGGER,
        keys: &[],
        readings: &[],
    },
    Row {
        clause: Clause::NY_A7,
        asks: "it is clear to the player that the game is in bonus mode",
        decided: DECLARED,
        carried_by: JUDGE,
        tests: STATEMENTS,
        keys: &["disclosure.\"5319.47(a)(7)\""],
        readings: &[],
    },
    Row {
        clause: Clause::NY_A8,
        asks: "bonus awards are part of the game cycle and of the payout percentage",
        decided: "The return of a whole wager is the main wheel's probability of the trigger times the gross return of \
            the bonus, plus `other_return`. The parts are rationals with rational bounds; that they add up to the total \
            is tested without rounding, value by value and bound by bound.",
        carried_by: &["regulation::ny_5319_47", "verify::splits", "exact::returns"],
        tests: &[
            "clause_5319_47_a_8_rests_on_the_split_of_the_return",
            "ny_a8_parts_add_up_exactly",
            "a_split_shows_the_whole_wager",
        ],
        keys: &[
            "triggers.2.main_wheel",
            "triggers.2.other_return",
            "triggers.5.main_wheel",
            "triggers.5.other_return",
            "payout",
        ],
        readings: &[
            "The return is that of one wager over all outcomes of the main wheel, gross of the wager.",
        ],
    },
    Row {
        clause: Clause::NY_A9,
        asks: "rules, rewards, paying combinations and the progress of an award are shown",
        decided: DECLARED,
        carried_by: JUDGE,
        tests: STATEMENTS,
        keys: &["disclosure.\"5319.47(a)(9)\""],
        readings: &[],
    },
    Row {
        clause: Clause::NY_B,
        asks: "no automatic selection or start unless (1), (2) or (3) is met and it is explained",
        decided: "By the truth table of the flat keys of `[disclosure]`: a bonus without a choice, or a device that \
            neither selects nor starts by itself, passes. Otherwise the mechanism must be explained on the display and \
            at least one of (1) to (3) be met. A missing key that its cell needs makes it inconclusive.",
        carried_by: INTERACTION,
        tests: &[
            "clause_5319_47_b_truth_table",
            "clause_5319_47_b_prints_its_reading",
            "clause_5319_47_b_follows_the_disclosure",
        ],
        keys: &[
            "disclosure.player_choice",
            "disclosure.auto_initiate",
            "disclosure.explained_on_display",
        ],
        readings: &[ALTERNATIVES],
    },
    Row {
        clause: Clause::NY_B1,
        asks: "the player acknowledges an intent to have the bonus start by itself",
        decided: "Passes with `acknowledged = true` and fails with `false`, where the device selects by itself; not \
            applicable elsewhere.",
        carried_by: INTERACTION,
        tests: TRUTH_TABLE,
        keys: &["disclosure.acknowledged"],
        readings: &[ALTERNATIVES],
    },
    Row {
        clause: Clause::NY_B2,
        asks: "a single choice, and a time-out of at least two minutes",
        decided: "With a single choice: passes from `timeout_seconds = 120` and fails below. Not applicable to several \
            choices, or where the device does not select by itself.",
        carried_by: INTERACTION,
        tests: TRUTH_TABLE,
        keys: &["disclosure.player_choice", "disclosure.timeout_seconds"],
        readings: &[ALTERNATIVES],
    },
    Row {
        clause: Clause::NY_B3,
        asks: "community play, and the time remaining is shown before a selection is made",
        decided: "With `community = true`: passes where `time_remaining_shown = true`, else fails. Not applicable \
            without community play, or where the device does not select by itself.",
        carried_by: INTERACTION,
        tests: TRUTH_TABLE,
        keys: &["disclosure.community", "disclosure.time_remaining_shown"],
        readings: &[ALTERNATIVES],
    },
];
