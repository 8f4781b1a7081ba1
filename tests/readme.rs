//! The README's commands, run as they stand there and compared with the output that
//! stands below them. `UPDATE_README=1 cargo test --test readme` writes the output anew.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

fn readme() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// The text split before and after each `console` block that runs the program.
fn rerun(text: &str, folder: &Path) -> (String, usize) {
    let mut written = String::new();
    let mut runs = 0;
    let mut rest = text;
    while let Some(start) = rest.find("```console\n$ wonderspins ") {
        let (before, block) = rest.split_at(start);
        let end = block[3..].find("```").expect("a block has an end") + 3;
        let command = block.lines().nth(1).expect("a block has a command");
        let arguments: Vec<&str> = command
            .trim_start_matches("$ wonderspins ")
            .split(' ')
            .collect();
        let run = common::run_in(folder, &arguments).exits(0);
        assert!(run.stderr.is_empty(), "{run}");
        written.push_str(before);
        written.push_str(&format!("```console\n{command}\n{}", run.stdout));
        rest = &block[end..];
        runs += 1;
    }
    written.push_str(rest);
    (written, runs)
}

#[test]
fn every_command_prints_what_the_readme_shows() {
    let folder = TempDir::new().expect("a temporary folder");
    for (recorded, name) in [("first", "before"), ("second", "after")] {
        let from = readme().with_file_name(format!("tests/data/bench/{recorded}.json"));
        let to = folder.path().join(format!("{name}.json"));
        fs::copy(from, to).expect("the recorded run is there");
    }
    let sweep = readme().with_file_name("tests/data/sweep/potions.toml");
    let text = fs::read_to_string(readme()).expect("the README exists");
    let sweep = fs::read_to_string(sweep).expect("a text");
    assert!(text.contains(&format!("```toml\n{sweep}```")), "{sweep}");
    let (written, runs) = rerun(&text, folder.path());
    assert!(runs >= 6, "only {runs} commands with a run");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(readme(), &written).expect("the README is writable");
    } else {
        assert!(
            written == text,
            "the README shows other output; it should read:\n{written}"
        );
    }
    for name in ["certificate.json", "report.html", "figures.csv"] {
        assert!(
            folder.path().join("certificate").join(name).is_file(),
            "{name}"
        );
    }
}

#[test]
fn every_command_of_the_program_has_a_run() {
    let text = fs::read_to_string(readme()).expect("the README exists");
    for command in [
        "certify",
        "exact",
        "sensitivity",
        "export",
        "simulate",
        "cluster slurm",
        "replay",
        "check",
        "readings",
        "solve",
        "bench",
        "paytable list",
        "profile list",
    ] {
        assert!(
            text.contains(&format!("```console\n$ wonderspins {command}")),
            "{command}"
        );
    }
}

/// The two commands that set a fresh machine up, and the gate that runs one of them.
#[test]
fn the_two_commands_are_named_and_the_gate_runs_the_tests() {
    let text = fs::read_to_string(readme()).expect("the README exists");
    assert!(text.contains("```console\ncargo run --release -- certify\ncargo test\n```"));
    let gate = readme().with_file_name(".ci").join("run");
    assert!(
        fs::read_to_string(gate)
            .expect("the gate exists")
            .contains("\ncargo test ")
    );
}
