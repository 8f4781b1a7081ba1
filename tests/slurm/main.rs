//! The generated scripts on a real Slurm: a controller and two nodes on this machine, without
//! systemd, in a temporary folder and with a key of their own.
//!
//! Needs Linux, root and Debian's packages `slurm-wlm` and `munge`, which `.ci/run` installs
//! where it can; elsewhere the test prints the reason and passes.

#![cfg(target_os = "linux")]
#![allow(
    clippy::print_stderr,
    reason = "a skipped test says so where it is seen"
)]

#[path = "../common/mod.rs"]
mod common;
mod scheduler;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{SHORT_GAME, finish, run_in, wonderspins};
use scheduler::{Process, Scheduler};

const SHARDS: &str = "8";

/// A folder whose name a script must quote.
const FOLDER: &str = "a run's $(folder)";

/// One task is killed, one is cancelled, and one of two nodes is lost with all that runs on it.
#[test]
fn a_run_survives_a_kill_a_cancellation_and_the_loss_of_a_node() {
    let Some(slurm) = Scheduler::start() else {
        return;
    };
    let home = slurm.folder().to_owned();
    fs::write(home.join("game.toml"), SHORT_GAME).expect("the game is written");
    let rounds = rounds_of_seconds(&home, 3.0 * 8.0);
    let submitted = finish(
        wonderspins()
            .current_dir(&home)
            .env("SLURM_CONF", slurm.configuration())
            .args(["cluster", "slurm", "game.toml", "--dir", FOLDER])
            .args(["--rounds", &rounds, "--shards", SHARDS, "--seed", "7"])
            // Five tasks in the first array and three in the second.
            .args(["--max-array-size", "6", "--partition", "main"])
            .args(["--checkpoint-every", "1s", "--submit"]),
    )
    .exits(0);
    let jobs: Vec<&str> = submitted
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("job ")?.split(':').next())
        .collect();
    assert_eq!(jobs.len(), 3, "two arrays and a merge job in\n{submitted}");

    let folder = home.join(FOLDER);
    // All eight run at once, four on each node.
    let shards = until(60, "all shards run", &slurm, &folder, || {
        let shards = slurm.shards();
        (shards.len() == 8).then_some(shards)
    });
    // A shard that has been under way for a moment has a checkpoint to go on from.
    until(60, "a checkpoint is there", &slurm, &folder, || {
        fs::read_dir(folder.join("checkpoints"))
            .is_ok_and(|mut entries| entries.next().is_some())
            .then_some(())
    });
    let on_first: Vec<&Process> = shards.iter().filter(|s| s.node == "n1").collect();
    assert!(on_first.len() >= 2 && on_first.len() < 8, "{shards:?}");
    let (killed, cancelled) = (on_first[0], on_first[1]);
    killed.kill();
    let (array, task) = match cancelled.shard {
        shard @ 1..=5 => (jobs[0], shard),
        shard => (jobs[1], shard - 5),
    };
    slurm.command("scancel", &[&format!("{array}_{task}")]);
    slurm.lose_node("n2");

    until(150, "the certificate is there", &slurm, &folder, || {
        let path = folder.join("certificate/certificate.json");
        path.is_file().then_some(())
    });
    let state = slurm.command("sinfo", &["--noheader", "--nodes=n2", "--format=%T"]);
    assert!(state.starts_with("down"), "{state}");
    let logs = logs(&folder);
    let requeued = format!("shard {}: exit code 137 after 0 restarts", killed.shard);
    assert!(logs.contains(&requeued), "{logs}");
    assert!(logs.contains("1 of 8 shards are missing"), "{logs}");

    run_in(
        &home,
        &[
            "simulate",
            "game.toml",
            "--rounds",
            &rounds,
            "--seed",
            "7",
            "--output",
            "alone.json",
            "--quiet",
        ],
    )
    .exits(0);
    let [merged, alone] = [folder.join("whole.json"), home.join("alone.json")]
        .map(|path| fs::read(path).expect("a result"));
    assert!(merged == alone, "other bytes than those of one machine");
}

/// A number of rounds that this build plays in about so many processor seconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "any number of this size would do"
)]
fn rounds_of_seconds(folder: &Path, seconds: f64) -> String {
    let measure = |rounds: &str| {
        let started = Instant::now();
        let arguments = [
            "simulate",
            "game.toml",
            "--seed",
            "1",
            "--threads",
            "1",
            "--quiet",
            "--rounds",
            rounds,
        ];
        run_in(folder, &arguments).exits(0);
        started.elapsed().as_secs_f64()
    };
    // What starting takes is the same for both and falls out.
    let taken = measure("2.1e6") - measure("1e5");
    let rounds = 2e6 * seconds / taken.max(1e-3);
    // A power of two times 10^6: leaves of a size that cuts well into eight.
    ((rounds / 1e6).max(8.0) as u64)
        .next_power_of_two()
        .saturating_mul(1_000_000)
        .to_string()
}

fn logs(folder: &Path) -> String {
    let Ok(entries) = fs::read_dir(folder.join("logs")) else {
        return "no logs".to_owned();
    };
    entries
        .flatten()
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            format!("--- {}\n{text}\n", entry.path().display())
        })
        .collect::<Vec<_>>()
        .concat()
}

/// Waits for something; fails with all logs where it does not come.
#[track_caller]
fn until<T>(
    seconds: u64,
    what: &str,
    slurm: &Scheduler,
    folder: &Path,
    mut look: impl FnMut() -> Option<T>,
) -> T {
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!(
        "not within {seconds} s: {what}\n{}\n{}\n{}",
        slurm.command("squeue", &["--array", "--all"]),
        logs(folder),
        slurm.logs()
    );
}
