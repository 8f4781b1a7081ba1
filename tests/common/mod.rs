//! Helpers of the integration tests.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The built program.
pub(crate) fn wonderspins() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wonderspins"));
    command
        .env_remove("SOURCE_DATE_EPOCH")
        .env_remove("NO_COLOR")
        .env("COLUMNS", "80");
    command
}

/// A game of two characters that ends after six spins, so that theory takes no time.
pub(crate) const SHORT_GAME: &str = r#"
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
"#;

/// What a run left behind, with everything needed to understand a failure.
pub(crate) struct Run {
    pub(crate) command: String,
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Fails with the whole transcript unless the exit code is `code`.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "exit code of\n{self}");
        self
    }

    /// Fails with the whole transcript unless standard error contains the text.
    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text),
            "`{text}` is not in standard error of\n{self}"
        );
        self
    }

    /// Fails with the whole transcript unless standard output contains the text.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.stdout.contains(text),
            "`{text}` is not in standard output of\n{self}"
        );
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in standard output of\n{self}"))
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "$ {}\nexit code {}\n--- standard output\n{}\n--- standard error\n{}",
            self.command, self.code, self.stdout, self.stderr
        )
    }
}

/// Runs the program in a folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = wonderspins();
    command.current_dir(folder).args(arguments);
    finish(&mut command)
}

/// Runs the program in the package folder.
pub(crate) fn run(arguments: &[&str]) -> Run {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

/// Runs a prepared command.
pub(crate) fn finish(command: &mut Command) -> Run {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program starts");
    Run {
        command: format!("{command:?}"),
        code: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(stderr).expect("messages are UTF-8"),
    }
}

/// The text of a built-in paytable.
pub(crate) fn builtin(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("paytables")
        .join(format!("{name}.toml"));
    fs::read_to_string(path).expect("the built-in paytable exists")
}

/// A built-in paytable with one piece of text replaced, which must be there.
#[track_caller]
pub(crate) fn edited(name: &str, from: &str, to: &str) -> String {
    let text = builtin(name);
    assert!(text.contains(from), "`{from}` is not in {name}");
    text.replacen(from, to, 1)
}

/// A folder with one paytable file in it.
pub(crate) fn with_file(text: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("submission.toml");
    fs::write(&path, text).expect("the file is written");
    (folder, path)
}

/// A JSON number.
#[track_caller]
pub(crate) fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}
