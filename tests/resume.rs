//! Long runs: killed, interrupted, gone on with, and the same bytes in the end.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]
#![allow(
    clippy::print_stdout,
    reason = "where the kills fell, for whoever runs this with its output"
)]

mod common;

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{edited, run_in, wonderspins};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;
use tempfile::TempDir;
use wonderspins::engine::{Checkpoint, RunState};
use wonderspins::rules::Trigger;

const SIGKILL: i32 = 9;

/// A document without what a clock decides.
fn result(text: &str) -> String {
    let mut document: Value = serde_json::from_str(text).unwrap();
    document.as_object_mut().unwrap().remove("performance");
    serde_json::to_string_pretty(&document).unwrap()
}

fn simulated(folder: &Path, arguments: &[&str]) -> String {
    let mut all = vec!["simulate", "--format", "json", "--quiet"];
    all.extend(arguments);
    result(&run_in(folder, &all).exits(0).stdout)
}

/// The checkpoint as a reader sees it at any moment: whole, or not there yet.
fn checkpoint(path: &Path) -> Option<Checkpoint> {
    let bytes = fs::read(path).ok()?;
    Some(Checkpoint::from_bytes(&bytes).unwrap_or_else(|error| panic!("a torn file: {error}")))
}

fn state(path: &Path, trigger: Trigger) -> Option<RunState> {
    Some(checkpoint(path)?.state(trigger).unwrap())
}

/// Batches done of all triggers.
fn progress(path: &Path) -> u64 {
    Trigger::ALL
        .into_iter()
        .filter_map(|trigger| state(path, trigger))
        .map(|state| state.next_batch)
        .sum()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_mins(1), "never {what}");
        sleep(Duration::from_millis(2));
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

/// Ends the child when a test fails before it does.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A hundred processes are killed at random moments; whichever comes next goes on with
/// another engine and other threads. Each run that gets to its end has the bytes of the
/// straight one, and no kill ever leaves a checkpoint that is not whole, or one that is
/// behind the one before it.
///
/// The delays reach from before the start of `main` to about a third of a run, and a
/// checkpoint is written after every wave, so kills also hit writes.
#[test]
fn a_run_that_is_killed_a_hundred_times_has_the_bytes_of_the_straight_run() {
    const KILLS: u32 = 100;
    let mut random = StdRng::seed_from_u64(693);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    let partial = folder.path().join(".run.ckpt.partial");
    let output = folder.path().join("output.json");
    let (mut kills, mut gains, mut in_writes, mut finished) = (0, 0, 0, 0);
    let mut seed = 0_u64;
    let mut straight = String::new();
    let mut longest = Duration::ZERO;
    let mut is_ended = false;
    while !(kills >= KILLS && is_ended) {
        if seed == 0 || is_ended {
            is_ended = false;
            seed += 1;
            let started = Instant::now();
            let seed_text = seed.to_string();
            straight = simulated(
                folder.path(),
                &["--rounds", "1500000", "--seed", &seed_text],
            );
            longest = (started.elapsed() / 3).min(Duration::from_millis(150));
            let _ = fs::remove_file(&path);
        }
        let before = progress(&path);
        let mut child = wonderspins()
            .current_dir(folder.path())
            .args(["simulate", "--format", "json", "--quiet", "--resume"])
            .args(["--rounds", "1500000", "--seed", &seed.to_string()])
            .args(["--checkpoint", "run.ckpt", "--checkpoint-every", "1ms"])
            .args(["--threads", ["1", "2", "3"].choose(&mut random).unwrap()])
            .args([
                "--engine",
                ["auto", "scalar", "reference"].choose(&mut random).unwrap(),
            ])
            .stdout(File::create(&output).unwrap())
            .spawn()
            .unwrap();
        // After the last kill, the run is let to its end.
        if kills < KILLS {
            sleep(longest.mul_f64(random.random()));
            child.kill().unwrap();
        }
        let status = child.wait().unwrap();
        let after = progress(&path);
        assert!(after >= before, "seed {seed}: {after} after {before}");
        if status.signal() == Some(SIGKILL) {
            kills += 1;
            gains += u32::from(after > before);
            in_writes += u32::from(partial.exists());
        } else {
            assert_eq!(status.code(), Some(0), "seed {seed}");
            let bytes = fs::read_to_string(&output).unwrap();
            assert_eq!(result(&bytes), straight, "seed {seed}");
            assert!(!partial.exists(), "the next run takes it away");
            finished += 1;
            is_ended = true;
        }
    }
    println!(
        "{kills} kills, {gains} after progress, {in_writes} while a file was written, \
         {finished} runs ended"
    );
    // The test would show nothing if no process ever got to its rounds.
    assert!(gains >= 5, "only {gains} of {kills} after progress");
}

#[test]
fn a_finished_run_gives_its_result_again_and_leaves_the_file_as_it_is() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    let arguments = ["--rounds", "100000", "--checkpoint", "run.ckpt", "--resume"];
    let first = simulated(folder.path(), &arguments);
    let bytes = fs::read(&path).unwrap();
    // Without a seed: that of the checkpoint.
    assert_eq!(simulated(folder.path(), &arguments), first);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(progress(&path), 14);
}

fn long_run(folder: &Path, more: &[&str]) -> Command {
    let mut command = wonderspins();
    command
        .current_dir(folder)
        .args(["simulate", "--trigger", "2", "--rounds", "1e12"])
        .args(["--format", "json", "--checkpoint-every", "1ms"])
        .args(["--checkpoint", "run.ckpt", "--resume"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Sends a signal to a run once it has more than `rounds` rounds; its document.
fn interrupted(mut command: Command, path: &Path, signal: &str, rounds: u64) -> Value {
    let mut child = Guarded(command.spawn().unwrap());
    wait_until("got far enough", || {
        state(path, Trigger::Two).is_some_and(|state| state.tally.rounds() > rounds)
    });
    let sent = Instant::now();
    send(signal, &child.0);
    let mut output = String::new();
    child
        .0
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut output)
        .unwrap();
    let mut notes = String::new();
    child
        .0
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut notes)
        .unwrap();
    assert_eq!(child.0.wait().unwrap().code(), Some(1), "{notes}");
    // About half a second on a machine that does nothing else.
    assert!(sent.elapsed() < Duration::from_secs(10));
    assert!(notes.contains("the result is partial"), "{notes}");
    assert!(
        notes.contains("`--resume` goes on with `run.ckpt`"),
        "{notes}"
    );
    serde_json::from_str(&output).unwrap()
}

#[test]
fn an_interrupted_run_gives_its_first_batches_and_goes_on() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    let first = interrupted(
        long_run(folder.path(), &["--seed", "11", "--threads", "2"]),
        &path,
        "-INT",
        0,
    );
    let check = |document: &Value| {
        assert_eq!(document["complete"], false);
        let trigger = &document["triggers"][0];
        assert_eq!(trigger["complete"], false);
        let kept = state(&path, Trigger::Two).unwrap().tally;
        assert_eq!(trigger["rounds"], kept.rounds());
        assert_eq!(trigger["digest"], kept.digest());
        assert_eq!(trigger["seed"], "11");
        kept.rounds()
    };
    let rounds = check(&first);
    let more = ["--threads", "1", "--engine", "scalar"];
    let second = interrupted(long_run(folder.path(), &more), &path, "-TERM", rounds);
    let more_rounds = check(&second);
    assert!(more_rounds > rounds);
    // The run of these rounds and no others, from the start.
    let rounds = more_rounds.to_string();
    let arguments = ["--trigger", "2", "--seed", "11", "--rounds", &rounds];
    let straight: Value = serde_json::from_str(&simulated(folder.path(), &arguments)).unwrap();
    assert_eq!(
        straight["triggers"][0]["digest"],
        second["triggers"][0]["digest"]
    );
}

/// The second signal is sent when the first is known to have come; where the run ends
/// before it arrives, another run is tried.
#[test]
fn a_second_interrupt_stops_at_once_and_leaves_the_checkpoint_whole() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    for _ in 0..20 {
        let rounds = state(&path, Trigger::Two).map_or(0, |state| state.tally.rounds());
        let mut command = long_run(folder.path(), &[]);
        let mut child = Guarded(command.spawn().unwrap());
        wait_until("got far enough", || {
            state(&path, Trigger::Two).is_some_and(|state| state.tally.rounds() > rounds)
        });
        send("-INT", &child.0);
        let mut notes = BufReader::new(child.0.stderr.take().unwrap());
        let mut note = String::new();
        while !note.contains("once more stops at once") {
            note.clear();
            assert!(notes.read_line(&mut note).unwrap() > 0, "no such note");
        }
        send("-INT", &child.0);
        let code = child.0.wait().unwrap().code();
        assert!(state(&path, Trigger::Two).unwrap().tally.rounds() > rounds);
        assert!(!folder.path().join(".run.ckpt.partial").exists());
        if code == Some(2) {
            let mut output = String::new();
            let mut stdout = child.0.stdout.take().unwrap();
            stdout.read_to_string(&mut output).unwrap();
            assert!(output.is_empty(), "a result of a run that was stopped");
            return;
        }
        assert_eq!(code, Some(1));
    }
    panic!("the second interrupt always came too late");
}

/// `nohup` has the hangup signal ignored, and it stays ignored.
#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    let plain = long_run(folder.path(), &["--seed", "5"]);
    let mut command = Command::new("nohup");
    command
        .current_dir(folder.path())
        .arg(plain.get_program())
        .args(plain.get_args())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = Guarded(command.spawn().unwrap());
    wait_until("began", || progress(&path) > 0);
    send("-HUP", &child.0);
    let hung_up = progress(&path);
    wait_until("went on", || progress(&path) > hung_up);
    send("-INT", &child.0);
    // The document is longer than a pipe holds.
    let mut output = String::new();
    let mut stdout = child.0.stdout.take().unwrap();
    stdout.read_to_string(&mut output).unwrap();
    assert!(output.starts_with('{'), "{output}");
    assert_eq!(child.0.wait().unwrap().code(), Some(1));
}

/// The simulation of a certificate goes on as well, to the same bytes in every file.
#[test]
fn a_certificate_of_a_resumed_run_is_that_of_the_straight_run() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    fs::write(folder.path().join("game.toml"), common::SHORT_GAME).unwrap();
    let rounds = "10000000";
    let straight = [
        "certify",
        "game.toml",
        "--rounds",
        rounds,
        "--out",
        "straight",
        "-q",
    ];
    run_in(folder.path(), &straight).exits(0);
    let arguments = [
        "certify",
        "game.toml",
        "--rounds",
        rounds,
        "--out",
        "resumed",
        "-q",
        "--resume",
        "--checkpoint",
        "run.ckpt",
        "--checkpoint-every",
        "1ms",
    ];
    let mut killed = wonderspins()
        .current_dir(folder.path())
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("began", || progress(&path) > 0);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(progress(&path) < 611, "killed in the middle");
    run_in(folder.path(), &arguments).exits(0);
    let files = |name: &str| {
        let mut files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder.path().join(name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.file_name().unwrap().into(), fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let straight = files("straight");
    assert!(straight.len() > 3);
    assert_eq!(files("resumed"), straight);
}

#[test]
fn a_second_run_on_the_same_checkpoint_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    let mut command = long_run(folder.path(), &["--seed", "3", "--quiet"]);
    let child = Guarded(command.spawn().unwrap());
    wait_until("began", || progress(&path) > 0);
    let arguments = ["simulate", "--checkpoint", "run.ckpt", "--resume"];
    run_in(folder.path(), &arguments)
        .exits(2)
        .complains("the checkpoint `run.ckpt` is in use by another run");
    drop(child);
    // The lock ends with its process.
    run_in(folder.path(), &arguments)
        .exits(2)
        .complains("it belongs to another number of rounds");
}

/// Each refusal names the file, what was found and what was expected; the file stays.
#[test]
fn what_does_not_fit_is_refused_with_its_own_message() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.ckpt");
    fs::write(
        folder.path().join("other.toml"),
        edited("pa-693-6", "name = \"", "name = \"Another: "),
    )
    .unwrap();
    let base = ["simulate", "--checkpoint", "run.ckpt", "--quiet"];
    let run = |more: &[&str]| run_in(folder.path(), &[&base[..], more].concat());
    run(&["--rounds", "20000", "--seed", "7"]).exits(0);
    let good = fs::read(&path).unwrap();

    run(&["--rounds", "20000", "--seed", "7"])
        .exits(2)
        .complains("error: the checkpoint `run.ckpt` exists already")
        .complains("hint: `--resume` goes on with its run");
    let other = [
        (
            &["--rounds", "30000"][..],
            "another number of rounds: found 20000, expected 30000",
        ),
        (
            &["--rounds", "20000", "--seed", "0x9"],
            "another seed: found 7, expected 9",
        ),
        (
            &["--rounds", "20000", "--trigger", "5"],
            "another choice of triggers: found 2 and 5, expected 5",
        ),
        (
            &["--rounds", "20000", "other.toml"],
            "another paytable: found 0a0ee4e98e96318b20a0160385951424cc5c8f059597428a131fa2ae140d47bb",
        ),
    ];
    for (more, message) in other {
        run(&[&["--resume"], more].concat())
            .exits(2)
            .complains("error: the checkpoint `run.ckpt` cannot be used")
            .complains(message);
        assert_eq!(fs::read(&path).unwrap(), good);
    }
    let mut altered = good.clone();
    altered[100] ^= 4;
    let bad = [
        (&b""[..], "the file is empty"),
        (&good[..good.len() - 1], "the file is truncated"),
        (&altered, "the file was altered or damaged"),
        (
            b"no checkpoint",
            "the file is not a checkpoint of this program",
        ),
    ];
    for (bytes, message) in bad {
        fs::write(&path, bytes).unwrap();
        run(&["--resume", "--rounds", "20000"])
            .exits(2)
            .complains("error: the checkpoint `run.ckpt` cannot be used")
            .complains(message);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn resume_begins_where_there_is_no_file_and_needs_the_name_of_one() {
    let folder = TempDir::new().unwrap();
    run_in(
        folder.path(),
        &[
            "simulate",
            "--rounds",
            "1000",
            "--resume",
            "--checkpoint",
            "new.ckpt",
        ],
    )
    .exits(0)
    .complains("note: there is no checkpoint `new.ckpt` yet: the run begins");
    assert!(folder.path().join("new.ckpt").is_file());
    run_in(folder.path(), &["simulate", "--resume"])
        .exits(2)
        .complains("--checkpoint <FILE>");
    run_in(
        folder.path(),
        &["simulate", "--checkpoint", "no/such/folder/run.ckpt"],
    )
    .exits(2)
    .complains("the checkpoint `no/such/folder/run.ckpt` cannot be written");
}
