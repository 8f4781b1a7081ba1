//! An outside witness: Storm computes what a character's hits pay from the exported model.
//!
//! Needs `python3` with the package `stormpy` (or another interpreter named by
//! `WONDERSPINS_PYTHON`); where it cannot be had the tests print the reason and pass.

#![allow(
    clippy::print_stderr,
    reason = "a skipped test says so where it is seen"
)]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{run_in, with_file};
use serde_json::Value;
use tempfile::TempDir;

/// Reads a model, prints lower and upper bound of the expected reward.
const SCRIPT: &str = r#"
import sys, stormpy
path, mode, reward = sys.argv[1:4]
program = stormpy.parse_prism_program(path)
formula = 'R{"%s"}=? [ F "done" ]' % reward
properties = stormpy.parse_properties(formula, program)
if mode == "exact":
    model = stormpy.build_model[stormpy.Rational](program, properties)
    result = stormpy.model_checking(model, properties[0])
    value = result[model.initial_states[0]]
    value = getattr(value, "value", value)
    print(value, value)
else:
    model = stormpy.build_model[float](program, properties)
    names = stormpy.environments
    environment = names.sound()
    solver = environment.solver()
    solver.set_linear_equation_solver_type(names.EquationSolverType.NATIVE)
    solver.native().method = names.NativeLinearEquationSolverMethod.SOUND_VALUE_ITERATION
    solver.native().precision = names.Rational("1/100000000000000")
    result = stormpy.model_checking(model, properties[0], environment=environment)
    value = result[model.initial_states[0]]
    lower, upper = getattr(value, "lower", value), getattr(value, "upper", value)
    print(repr(lower), repr(upper))
"#;

/// The interpreter, if it has Storm.
fn python() -> Option<String> {
    let python = std::env::var("WONDERSPINS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_storm = Command::new(&python)
        .args(["-c", "import stormpy"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_storm {
        eprintln!("skipped: `{python}` has no `stormpy` (pip install stormpy)");
        return None;
    }
    Some(python)
}

/// A fraction or a decimal as a number.
fn number(text: &str) -> f64 {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let part = |text: &str| text.parse::<f64>().expect("Storm prints numbers");
    part(numerator) / part(denominator)
}

/// What Storm says about a paytable's character, or a pair's reward.
fn storm(python: &str, folder: &Path, arguments: &[&str], mode: &str, reward: &str) -> (f64, f64) {
    let model = run_in(folder, arguments).exits(0).stdout;
    let path = folder.join("model.prism");
    fs::write(&path, model).expect("the model is written");
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(&path)
        .args([mode, reward])
        .output()
        .expect("the interpreter starts");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("numbers");
    let last = text.lines().last().expect("a line of bounds");
    let (lower, upper) = last.split_once(' ').expect("two bounds");
    eprintln!("{arguments:?} {mode} {reward}: Storm {lower} {upper}");
    (number(lower), number(upper))
}

/// The enclosure of a character's share of the mean.
fn share(folder: &Path, paytable: &str, trigger: &str, character: &str) -> (f64, f64) {
    let arguments = ["exact", paytable, "--trigger", trigger, "--format", "json"];
    let document = run_in(folder, &arguments).exits(0).json();
    let parts = &document["triggers"][0]["contributions"]["character"];
    let part = parts
        .as_array()
        .expect("a list")
        .iter()
        .find(|part| part["part"] == character)
        .expect("the character");
    let bound = |key: &str| part[key].as_f64().expect("a number");
    eprintln!(
        "{paytable} {trigger} {character}: exact {} {}",
        bound("lower"),
        bound("upper")
    );
    assert!(matches!(part["value"], Value::Number(_)));
    (bound("lower"), bound("upper"))
}

#[track_caller]
fn assert_meets((lower, upper): (f64, f64), (least, most): (f64, f64), relative: f64) {
    let room = relative * most.abs();
    assert!(
        lower <= most + room && least <= upper + room,
        "{lower} {upper} {least} {most}"
    );
    assert!(upper - lower <= 100.0 * room, "{lower} {upper}");
}

/// A game of at most six spins, floor included, in exact arithmetic.
#[test]
fn a_short_game_agrees_exactly() {
    let Some(python) = python() else { return };
    let text = r#"
schema = 1
name = "short"
source = "none"
[inner_wheel]
sections = [1, 3, "additional-spin"]
weights = [3, 1, 1]
[outer_wheel]
sections = ["rabbit", "cat", "cat", "no-win", "drink-me", "eat-me"]
weights = [1, 1, 2, 1, 2, 1]
[starting_multipliers]
law = "permutation"
values = [2, 5]
[boost]
law = "outer-sections"
[rules]
eat_me = { spins = 1, multipliers = 1, consumes_spin = false }
drink_me = { spins = 1, multipliers = -3, consumes_spin = true }
additional_spin = { spins = 1 }
multiplier_floor = 2
max_spins = 6
[payout]
convention = "to-one"
zero_meter = "returns-wager"
[triggers.2]
spins = 2
main_wheel = { sections = 3, of = 54 }
other_return = "0"
"#;
    let (folder, _) = with_file(text);
    let file = "submission.toml";
    let mut sum = (0.0, 0.0);
    for character in ["rabbit", "cat"] {
        let arguments = ["export", file, "--character", character];
        let found = storm(&python, folder.path(), &arguments, "exact", "pay");
        let share = share(folder.path(), file, "2", character);
        assert_meets(found, share, 1e-14);
        sum = (sum.0 + share.0, sum.1 + share.1);
    }
    let arguments = ["export", file, "--character", "rabbit", "--with", "cat"];
    let found = storm(&python, folder.path(), &arguments, "exact", "pay");
    assert_meets(found, sum, 1e-14);
}

/// A character of the Pennsylvania wheels, whose counter and multiplier have no bound.
#[test]
fn pennsylvania_characters_agree_soundly() {
    let Some(python) = python() else { return };
    let folder = TempDir::new().expect("a temporary folder");
    for (paytable, trigger, character) in [
        ("pa-693-6", "2", "hat"),
        ("pa-693-6", "5", "cat"),
        ("pa-693-6-floor", "2", "mouse"),
    ] {
        let arguments = [
            "export",
            paytable,
            "--character",
            character,
            "--trigger",
            trigger,
        ];
        let found = storm(&python, folder.path(), &arguments, "sound", "pay");
        let share = share(folder.path(), paytable, trigger, character);
        assert_meets(found, share, 1e-11);
    }
}
