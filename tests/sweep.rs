//! `sweep` as a command: bytes, exit codes and files.

mod common;

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{SHORT_GAME, run_in, wonderspins};
use serde_json::Value;
use tempfile::TempDir;

const SWEEP: &str = r#"
schema = 1
name = "a short sweep"
base = "game.toml"
[[grid]]
key = "triggers.2.spins"
range = { from = 1, to = 3, step = 1 }
[[grid]]
key = "rules.max_meter"
values = [20]
without = true
[simulate]
rounds = 2_000
seed = "0xff"
"#;

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in [("game.toml", SHORT_GAME), ("sweep.toml", SWEEP)] {
        fs::write(folder.path().join(name), text).expect("a writable folder");
    }
    folder
}

#[test]
fn threads_shards_and_resumption_change_no_byte() {
    let folder = folder();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    let whole = run(&["sweep", "sweep.toml", "--format", "json", "--quiet"]).exits(0);
    let document: Value = serde_json::from_str(&whole.stdout).expect("JSON");
    assert_eq!(document["schema"], "wonderspins/sweep/1");
    assert_eq!(document["rows"].as_array().expect("rows").len(), 6);
    let single = ["sweep", "sweep.toml", "--format", "json", "--threads", "1"];
    assert_eq!(run(&single).exits(0).stdout, whole.stdout);
    for index in 1..=3 {
        let (shard, part) = (format!("{index}/3"), format!("part-{index}.json"));
        let arguments = [
            "sweep",
            "sweep.toml",
            "--format",
            "json",
            "--shard",
            &shard,
            "--output",
            &part,
        ];
        let part = run(&arguments).exits(0);
        assert!(part.stdout.is_empty(), "{part}");
    }
    let joined = run(&[
        "sweep",
        "sweep.toml",
        "--format",
        "json",
        "--join",
        "part-3.json",
        "part-1.json",
    ]);
    let joined = joined
        .exits(0)
        .complains("4 of 6 paytables are in the results that were joined");
    assert_eq!(joined.stdout, whole.stdout);

    let kept = [
        "sweep",
        "sweep.toml",
        "--format",
        "json",
        "--checkpoint",
        "c",
    ];
    assert_eq!(run(&kept).exits(0).stdout, whole.stdout);
    run(&kept).exits(2).complains("hint: `--resume` goes on");
    // The header and two paytables, and the beginning of a third.
    let path = folder.path().join("c");
    let text = fs::read_to_string(&path).expect("a checkpoint");
    let cut: Vec<&str> = text.lines().take(4).collect();
    let cut = cut.join("\n");
    fs::write(&path, &cut[..cut.len() - 9]).expect("writable");
    let resumed = run(&[&kept[..], &["--resume"]].concat())
        .exits(0)
        .complains("2 paytables are in the checkpoint");
    assert_eq!(resumed.stdout, whole.stdout);
}

#[test]
fn the_integers_are_those_of_simulate() {
    let folder = folder();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments).exits(0).stdout;
    let sweep: Value =
        serde_json::from_str(&run(&["sweep", "sweep.toml", "--format", "json"])).expect("JSON");
    // Row 3: two spins, no cap, which is the game as it is.
    let row = &sweep["rows"][3];
    assert_eq!(row["values"]["triggers.2.spins"], 2);
    assert!(row["values"].get("rules.max_meter").is_none());
    let simulate: Value = serde_json::from_str(&run(&[
        "simulate",
        "game.toml",
        "--rounds",
        "2000",
        "--seed",
        "255",
        "--format",
        "json",
    ]))
    .expect("JSON");
    let played = &simulate["triggers"][0];
    for key in [
        "seed",
        "rounds",
        "sum_meter",
        "sum_meter_squared",
        "zero_rounds",
        "spins",
        "max_meter",
        "max_round",
        "digest",
    ] {
        assert_eq!(row["simulated"][key], played[key], "{key}");
    }
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = folder();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    run(&[
        "sweep",
        "sweep.toml",
        "--format",
        "parquet",
        "--output",
        "out.parquet",
        "--plot",
        "out.svg",
    ])
    .exits(0);
    let bytes = fs::read(folder.path().join("out.parquet")).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let svg = fs::read_to_string(folder.path().join("out.svg")).expect("a text");
    assert_eq!(svg.matches("<circle").count(), 6);
    let csv = run(&["sweep", "sweep.toml", "--format", "csv"]).exits(0);
    assert_eq!(csv.stdout.lines().count(), 7, "{csv}");

    run(&["sweep", "sweep.toml", "--output", "none/out.txt"])
        .exits(2)
        .complains("there is no folder `none`");
    let text = SWEEP.replace("to = 3", "to = -3");
    fs::write(folder.path().join("sweep.toml"), text).expect("writable");
    let refused = run(&[
        "sweep",
        "sweep.toml",
        "--output",
        "new.txt",
        "--error-format",
        "json",
    ]);
    let refused = refused.exits(2);
    let error: Value = serde_json::from_str(&refused.stderr).expect("JSON");
    assert_eq!(error["faults"][0]["key"], "grid[0].range.to");
    assert!(!folder.path().join("new.txt").exists());
}

/// An interrupt ends a sweep after the paytables under way: what is finished is printed, marked
/// as partial, and kept; the rest is computed later to the bytes of a straight run.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_is_partial_and_goes_on() {
    let folder = folder();
    let text = SWEEP
        .replace("to = 3", "to = 90")
        .replace("2_000", "1_000_000");
    fs::write(folder.path().join("sweep.toml"), text).expect("writable");
    let arguments = [
        "sweep",
        "sweep.toml",
        "--format",
        "json",
        "--checkpoint",
        "c",
        "--resume",
    ];
    let mut child = wonderspins()
        .current_dir(folder.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let path = folder.path().join("c");
    let lines = || fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    while lines() < 4 {
        assert!(
            child.try_wait().expect("a child").is_none(),
            "it ended by itself"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(1));
    let partial: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(partial["complete"], false);
    let rows = partial["rows"].as_array().expect("rows").len();
    assert!((3..180).contains(&rows), "{rows} rows");
    assert_eq!(lines(), rows + 1);
    let resumed = run_in(folder.path(), &arguments).exits(0);
    let straight = run_in(folder.path(), &["sweep", "sweep.toml", "--format", "json"]);
    assert_eq!(resumed.stdout, straight.exits(0).stdout);
}
