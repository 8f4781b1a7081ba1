//! The rows of 58 Pa. Code 693.6, in the order of the text.

use super::Row;
use crate::rules::{Clause, PA_693_6};

/// What the model does in each spin is written twice, by two authors of code who share
/// nothing but the paytable.
const BOTH_SIDES: &[&str] = &["engine::round", "engine::sampler", "exact::law"];
/// What judges the layout of the wheels.
const WHEELS: &[&str] = &["regulation::pa_693_6::wheels"];
/// The same with the comparison of orders.
const ORDERS: &[&str] = &["regulation::pa_693_6::wheels", "regulation::order"];
const JUDGE: &[&str] = &["regulation::pa_693_6"];

const POTION: &str = "Only (f)(4)(i) and (ii) say that a spin takes one from the counter. Read literally, a potion \
    therefore adds a spin and uses none up (`consumes_spin = false`, the counter rises by one); read otherwise, its own \
    spin is used up as well (`consumes_spin = true`, the counter stays).";

pub(super) const ROWS: [Row; PA_693_6.len()] = [
    Row {
        clause: Clause::A,
        asks: "an inner wheel drawn by a random number generator and a physical outer wheel",
        decided: "Passes for every paytable: a file has two wheels by its form, and the model draws one section of each \
            in every spin, independently, by the stated weights. Which device stands behind a wheel is outside a file.",
        carried_by: &[
            "regulation::pa_693_6::wheels",
            "engine::sampler",
            "exact::law",
        ],
        tests: &[
            "clause_693_6_a_names_both_wheels",
            "the_pennsylvania_spin_has_3888_joint_outcomes",
        ],
        keys: &["inner_wheel", "outer_wheel"],
        readings: &[],
    },
    Row {
        clause: Clause::B1,
        asks: "ten inner sections with multipliers 2, 5, 8 and 10, all twelve sections equal",
        decided: "Counts the inner sections that hold a multiplier (ten), checks that each is 2, 5, 8 or 10 and that \
            each of the four occurs, and that all weights of the wheel are equal, which is the \"equal sections\" of (b).",
        carried_by: WHEELS,
        tests: &[
            "clause_693_6_b_1_wrong_value",
            "clause_693_6_b_1_a_value_is_missing",
            "clause_693_6_b_1_unequal_sections",
            "clause_693_6_b_1_and_2_a_multiplier_for_a_spin",
        ],
        keys: &["inner_wheel.sections", "inner_wheel.weights"],
        readings: &[
            "\"Equal\" is read as equal probability: all weights of the inner wheel are the same number.",
        ],
    },
    Row {
        clause: Clause::B2,
        asks: "two inner sections that award one additional spin",
        decided: "Counts the inner sections `additional-spin` (two). What one of them adds is judged with (f)(2)(ii).",
        carried_by: WHEELS,
        tests: &[
            "clause_693_6_b_2_three_additional_spins",
            "clause_693_6_b_1_and_2_a_multiplier_for_a_spin",
        ],
        keys: &["inner_wheel.sections"],
        readings: &[],
    },
    Row {
        clause: Clause::B3,
        asks: "the clockwise order of the twelve inner sections",
        decided: "Compares the list section by section with the order of the text, from its first section. The first \
            difference is named by position; a rotation, a mirror image and a rotated mirror image are named as such: \
            they have the same probabilities and still are not the order that the text lists.",
        carried_by: ORDERS,
        tests: &[
            "clause_693_6_b_3_two_neighbours_swapped",
            "clause_693_6_b_3_rotated_and_mirrored",
            "names_what_differs",
        ],
        keys: &["inner_wheel.sections"],
        readings: &[
            "The order begins where the text begins it: a wheel listed from another section is a difference.",
        ],
    },
    Row {
        clause: Clause::C1,
        asks: "forty-six outer sections that show one of six characters",
        decided: "Counts the outer sections that show a character (46) and checks that each of the six occurs.",
        carried_by: WHEELS,
        tests: &[
            "clause_693_6_c_1_a_character_is_missing",
            "clause_693_6_c_1_forty_seven_characters",
        ],
        keys: &["outer_wheel.sections"],
        readings: &[
            "(c)(1) gives no count for each character; those follow from the order of (c)(5).",
        ],
    },
    Row {
        clause: Clause::C2,
        asks: "three outer sections that show No Win",
        decided: "Counts the outer sections `no-win` (three).",
        carried_by: WHEELS,
        tests: &["clause_693_6_c_2_four_no_win"],
        keys: &["outer_wheel.sections"],
        readings: &[],
    },
    Row {
        clause: Clause::C3,
        asks: "three outer sections that show Drink Me",
        decided: "Counts the outer sections `drink-me` (three).",
        carried_by: WHEELS,
        tests: &["clause_693_6_c_3_four_drink_me"],
        keys: &["outer_wheel.sections"],
        readings: &[],
    },
    Row {
        clause: Clause::C4,
        asks: "two outer sections that show Eat Me",
        decided: "Counts the outer sections `eat-me` (two).",
        carried_by: WHEELS,
        tests: &["clause_693_6_c_4_three_eat_me"],
        keys: &["outer_wheel.sections"],
        readings: &[],
    },
    Row {
        clause: Clause::C5,
        asks: "the clockwise order of the 54 outer sections",
        decided: "As (b)(3), over 54 sections. Where the order is right and the weights differ, the clause is \
            inconclusive: the text asks for equal sections of the inner wheel only, and a biased wheel must not pass \
            unseen.",
        carried_by: ORDERS,
        tests: &[
            "clause_693_6_c_5_two_neighbours_swapped",
            "clause_693_6_c_5_rotated_mirrored_and_short",
            "clause_693_6_c_5_biased_wheel_is_named_and_does_not_pass",
            "names_what_differs",
        ],
        keys: &["outer_wheel.sections", "outer_wheel.weights"],
        readings: &[
            "\"Equal\" stands in (b) and not in (c): unequal weights of the outer wheel are left to the reader.",
        ],
    },
    Row {
        clause: Clause::C6,
        asks: "a clapper that selects one outer section at the end of a spin",
        decided: "Passes for every paytable: the result of an outer spin in the model is one section number. That the \
            device has a clapper is outside a file.",
        carried_by: &["regulation::pa_693_6::wheels", "engine::sampler"],
        tests: &[
            "clause_693_6_c_6_one_section_number",
            "effects_are_what_a_round_does",
        ],
        keys: &["outer_wheel"],
        readings: &[],
    },
    Row {
        clause: Clause::D1,
        asks: "no fewer than two spins of both wheels after 2 Wonderspins",
        decided: "The counter of trigger 2 starts at two or more, and no `max_spins` ends a round before two. A spin \
            takes at most one from the counter, so a round has at least as many spins as it starts with. A file without \
            the trigger is inconclusive: nothing of it was examined.",
        carried_by: JUDGE,
        tests: &[
            "clause_693_6_d_1_and_2_too_few_spins",
            "clause_693_6_d_absent_trigger_is_inconclusive",
        ],
        keys: &[
            "triggers.2.spins",
            "triggers.2.main_wheel",
            "rules.max_spins",
        ],
        readings: &[
            "The probability of the trigger is in 693.1, which is not among the sources; the file states it.",
        ],
    },
    Row {
        clause: Clause::D2,
        asks: "no fewer than five spins of both wheels after 5 Wonderspins",
        decided: "As (d)(1), with trigger 5 and five spins.",
        carried_by: JUDGE,
        tests: &[
            "clause_693_6_d_1_and_2_too_few_spins",
            "clause_693_6_d_2_a_limit_below_the_trigger",
            "clause_693_6_d_absent_trigger_is_inconclusive",
        ],
        keys: &[
            "triggers.5.spins",
            "triggers.5.main_wheel",
            "rules.max_spins",
        ],
        readings: &[
            "The probability of the trigger is in 693.1, which is not among the sources; the file states it.",
        ],
    },
    Row {
        clause: Clause::E,
        asks: "starting multipliers randomly assigned to the characters",
        decided: "The law of the starting multipliers must have more than one outcome, or give all characters the same \
            value, where a random assignment and a fixed one cannot be told apart. It is judged for each trigger.",
        carried_by: &["regulation::pa_693_6", "engine::round", "exact::meter"],
        tests: &[
            "clause_693_6_e_random_laws_pass",
            "clause_693_6_e_a_fixed_assignment_is_not_random",
            "clause_693_6_e_starting_multipliers_stand_before_the_first_spin",
            "clause_693_6_e_every_character_needs_a_start",
        ],
        keys: &[
            "starting_multipliers",
            "triggers.2.starting_multipliers",
            "triggers.5.starting_multipliers",
        ],
        readings: &[
            "The text gives neither values nor a law. Both are in the file, and every return depends on them.",
        ],
    },
    Row {
        clause: Clause::F1,
        asks: "a counter that shows the spins remaining",
        decided: "Passes for every paytable: the model keeps the counter, and a round shown spin by spin has it before \
            every spin.",
        carried_by: &["engine::round", "engine::replay"],
        tests: &[
            "clause_693_6_f_1_counter_is_shown",
            "clause_693_6_f_1_the_counter_is_shown_before_every_spin",
        ],
        keys: &["triggers.2.spins", "triggers.5.spins"],
        readings: &[],
    },
    Row {
        clause: Clause::F2I,
        asks: "an inner multiplier is added to a character selected at the same moment",
        decided: "Passes for every paytable: the model selects a character with each inner result and adds the \
            multiplier to it before the outer spin of the same pass. The evidence names the law of the selection.",
        carried_by: BOTH_SIDES,
        tests: &[
            "clause_693_6_f_2_i_names_the_reading",
            "clause_693_6_f_2_i_the_multiplier_goes_to_the_selected_character",
            "clause_693_6_f_2_i_an_addition_counts_in_the_very_pass_that_hits",
        ],
        keys: &["boost", "inner_wheel"],
        readings: &[
            "The law of the selection is not in the text: each character alike, by its outer sections, or by \
            stated weights (`boost`).",
        ],
    },
    Row {
        clause: Clause::F2II,
        asks: "an inner additional spin is added to the counter",
        decided: "`rules.additional_spin` adds exactly one, as (b)(2) has it.",
        carried_by: &["regulation::pa_693_6", "engine::round", "exact::law"],
        tests: &[
            "clause_693_6_f_2_ii_two_spins",
            "clause_693_6_f_2_ii_an_additional_spin_is_added_to_the_counter",
            "clause_693_6_f_2_ii_an_additional_spin_on_the_last_spin_keeps_the_round_alive",
        ],
        keys: &["rules.additional_spin"],
        readings: &[],
    },
    Row {
        clause: Clause::F3I,
        asks: "a valid outer spin makes at least three revolutions, in either direction",
        decided: "Not applicable to a paytable, which holds no spin of the physical wheel; it is a rule for a log of \
            real spins. Fair wheel or not, a spin that is repeated does not change the law of its result.",
        carried_by: JUDGE,
        tests: &["clause_693_6_f_3_i_and_f_3_ii_concern_a_log_of_real_spins"],
        keys: &[],
        readings: &[],
    },
    Row {
        clause: Clause::F3II,
        asks: "a stop between two sections is void and is spun again",
        decided: "Not applicable to a paytable, as (f)(3)(i).",
        carried_by: JUDGE,
        tests: &["clause_693_6_f_3_i_and_f_3_ii_concern_a_log_of_real_spins"],
        keys: &[],
        readings: &[],
    },
    Row {
        clause: Clause::F4I,
        asks: "a character adds its multiplier to the meter and takes one from the counter",
        decided: "Passes for every paytable: it is what the model does, and no key changes it.",
        carried_by: BOTH_SIDES,
        tests: &[
            "clauses_693_6_f_4_i_and_ii_hold_by_the_model",
            "clause_693_6_f_4_i_a_character_pays_its_multiplier_and_costs_one_spin",
        ],
        keys: &["outer_wheel.sections"],
        readings: &[],
    },
    Row {
        clause: Clause::F4II,
        asks: "No Win takes one from the counter and changes nothing else",
        decided: "Passes for every paytable: it is what the model does, and no key changes it.",
        carried_by: BOTH_SIDES,
        tests: &[
            "clauses_693_6_f_4_i_and_ii_hold_by_the_model",
            "clause_693_6_f_4_ii_no_win_costs_one_spin_and_changes_nothing_else",
        ],
        keys: &["outer_wheel.sections"],
        readings: &[],
    },
    Row {
        clause: Clause::F4III,
        asks: "Eat Me adds one spin and one to every character's multiplier",
        decided: "`rules.eat_me` adds exactly one spin and exactly one to every multiplier. The evidence names the \
            reading of its own spin.",
        carried_by: &[
            "regulation::pa_693_6",
            "engine::round",
            "exact::law",
            "exact::pair",
        ],
        tests: &[
            "clause_693_6_f_4_iii_eat_me",
            "clause_693_6_f_4_iii_eat_me_raises_every_multiplier_and_adds_a_spin",
            "clause_693_6_f_4_iii_eat_me_on_the_last_spin_under_both_readings",
            "potions_that_use_up_their_spin",
        ],
        keys: &["rules.eat_me"],
        readings: &[POTION],
    },
    Row {
        clause: Clause::F4IV,
        asks: "Drink Me adds one spin and takes one from every multiplier, none below one",
        decided: "`rules.drink_me` adds exactly one spin and takes exactly one from every multiplier, and \
            `rules.multiplier_floor` is one. With the floor the mean payout is no longer linear in the starting \
            multipliers; the exact side follows the floor by its own equations.",
        carried_by: &[
            "regulation::pa_693_6",
            "engine::round",
            "exact::law",
            "exact::pair",
            "exact::floor",
        ],
        tests: &[
            "clause_693_6_f_4_iv_drink_me_and_the_floor",
            "clause_693_6_f_4_iv_drink_me_lowers_every_multiplier_and_adds_a_spin",
            "clause_693_6_f_4_iv_drink_me_at_the_floor",
            "clause_693_6_f_4_iv_a_step_beyond_zero_stops_at_the_floor",
            "clause_693_6_f_4_iv_an_addition_is_made_before_drink_me_lowers_it",
            "clause_693_6_f_4_iv_drink_me_on_the_last_spin_under_both_readings",
            "pennsylvania_wheels_with_every_start_at_the_floor",
        ],
        keys: &["rules.drink_me", "rules.multiplier_floor"],
        readings: &[POTION],
    },
    Row {
        clause: Clause::F5,
        asks: "spins repeat until the counter is zero",
        decided: "Fails with `max_spins`, which ends a round while spins remain. Otherwise the mean change of the \
            counter in a spin must be negative, which is computed as a fraction: then the counter reaches zero with \
            probability one and the mean number of spins is finite.",
        carried_by: &[
            "regulation::pa_693_6",
            "paytable::drift",
            "engine::round",
            "exact::length",
        ],
        tests: &[
            "clause_693_6_f_5_drift_and_limit",
            "clause_693_6_f_5_the_round_ends_when_the_counter_is_zero",
            "clause_693_6_f_5_max_spins_ends_the_round_with_spins_left",
            "a_counter_that_does_not_fall_is_refused_with_its_drift",
            "lengths_add_up_and_have_walds_moments",
        ],
        keys: &["rules.max_spins", "rules", "inner_wheel", "outer_wheel"],
        readings: &[],
    },
    Row {
        clause: Clause::G,
        asks: "the final meter is paid to 1",
        decided: "Fails with `convention = \"for-one\"`. A cap (`max_meter`, `max_win`) makes it inconclusive: the text \
            has none and does not forbid one, so whether a capped payout is still the final meter is for the regulator \
            to say.",
        carried_by: &[
            "regulation::pa_693_6",
            "engine::round",
            "exact::returns",
            "exact::cap",
        ],
        tests: &[
            "clause_693_6_g_payout",
            "clause_693_6_g_a_whole_round_pays_its_final_meter",
            "clause_693_6_g_a_meter_of_zero",
            "clause_693_6_g_a_cap_is_on_what_is_paid_and_play_goes_on",
            "every_convention_by_hand",
        ],
        keys: &[
            "payout.convention",
            "payout.zero_meter",
            "rules.max_meter",
            "limits",
        ],
        readings: &[
            "\"To 1\" means that the wager comes back with the win: the gross return is the meter plus one.",
            "What a meter of zero pays is open: \"0 to 1\" returns the wager (`returns-wager`), or the wager is lost \
             (`loses-wager`).",
        ],
    },
];
