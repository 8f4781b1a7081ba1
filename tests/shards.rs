//! Runs in pieces: shards, whatever played them, joined to the bytes of the run on one machine.

#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]
#![allow(
    clippy::print_stdout,
    reason = "how long a merge took, for whoever runs this with its output"
)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use common::{Run, SHORT_GAME, finish, run_in, wonderspins};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;
use wonderspins::document::{ResultPlan, with_seal};
use wonderspins::engine::{
    BATCH_ROUNDS, EngineKind, Generator, Leaf, RunPlan, Shard, Simulation, Tally, simulate,
};
use wonderspins::paytable::PaytableFile;
use wonderspins::rules::Trigger;
use wonderspins::shards::{MergeError, Merger, Paytables, Piece, PieceFault, result_document};

/// 16 batches, the last of them partial, in leaves of two, since (2^15)^2 >= 250,000 * 2^12 >
/// (2^14)^2: eight leaves.
const ROUNDS: &str = "250000";

/// A folder with the short game in it.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("game.toml"), SHORT_GAME).unwrap();
    folder
}

fn simulated(folder: &Path, arguments: &[&str]) -> Run {
    let mut all = vec!["simulate", "game.toml", "--quiet", "--rounds", ROUNDS];
    all.extend(arguments);
    run_in(folder, &all)
}

/// Plays the shards into `s1.json`, `s2.json` and so on.
fn play_shards(folder: &Path, seed: &str, count: usize) {
    for index in 1..=count {
        let (shard, name) = (format!("{index}/{count}"), format!("s{index}.json"));
        simulated(
            folder,
            &["--seed", seed, "--shard", &shard, "--output", &name],
        )
        .exits(0);
    }
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// 1, 3, 8 and 64 shards, each by another engine on other threads, joined in a random order:
/// one document. Of 64 shards of eight leaves most are empty.
#[test]
fn shards_in_any_mixture_are_the_run_on_one_machine() {
    let folder = folder();
    let path = folder.path();
    simulated(path, &["--seed", "7", "--output", "whole.json"]).exits(0);
    let whole = read(path, "whole.json");
    let mut direct = simulated(path, &["--seed", "7", "--format", "json"])
        .exits(0)
        .json();
    direct.as_object_mut().unwrap().remove("performance");
    let engines = ["scalar", "reference", "auto"];
    let mut random = StdRng::seed_from_u64(6);
    for count in [1_usize, 3, 8, 64] {
        let mut names = vec!["merge".to_owned()];
        for index in 1..=count {
            let shard = format!("{index}/{count}");
            let name = format!("{count}-{index}.json");
            let threads = (1 + index % 3).to_string();
            let engine = engines[index % engines.len()];
            simulated(
                path,
                &[
                    "--seed",
                    "7",
                    "--shard",
                    &shard,
                    "--output",
                    &name,
                    "--engine",
                    engine,
                    "--threads",
                    &threads,
                ],
            )
            .exits(0);
            names.push(name);
        }
        names[1..].shuffle(&mut random);
        let arguments: Vec<&str> = names.iter().map(String::as_str).collect();
        let merged = run_in(path, &arguments).exits(0);
        assert_eq!(merged.json(), direct, "{count} shards");
        let output = format!("merged-{count}.json");
        let mut kept = arguments.clone();
        kept.extend(["--output", &output]);
        run_in(path, &kept).exits(0);
        assert_eq!(read(path, &output), whole, "{count} shards");
    }
    // Any number of shards beside any other, as long as they are the whole run.
    let mixed = [
        "merge", "8-7.json", "8-8.json", "8-1.json", "8-2.json", "8-3.json", "8-4.json",
    ];
    let last = ["8-5.json", "8-6.json"];
    run_in(path, &[&mixed[..], &last].concat()).exits(0);
    // Text and CSV are those of `simulate`.
    for format in ["text", "csv"] {
        let expected = simulated(path, &["--seed", "7", "--format", format]).exits(0);
        let found = run_in(path, &["merge", "merged-3.json", "--format", format]).exits(0);
        assert_eq!(found.stdout, expected.stdout);
    }
}

/// What a shard prints is what it would write.
#[test]
fn a_shard_without_a_file_prints_its_document() {
    let folder = folder();
    let path = folder.path();
    let arguments = ["--seed", "derived", "--shard", "2/3"];
    let printed = simulated(path, &arguments).exits(0).stdout;
    simulated(path, &[&arguments[..], &["--output", "s.json"]].concat()).exits(0);
    assert_eq!(read(path, "s.json"), printed);
    let document: Value = serde_json::from_str(&printed).unwrap();
    // Of eight leaves of two batches: from floor(8 / 3) to floor(16 / 3).
    assert_eq!(
        document["shard"],
        serde_json::json!({
            "index": 2,
            "count": 3,
            "batches": {"start": 4, "end": 10},
            "rounds": 6 * 16_384,
        })
    );
    assert_eq!(document["leaves"][0]["first_leaf"], 2);
    assert_eq!(document["leaves"][0]["leaf_rounds"], 32_768);
    assert_eq!(document["leaves"][0]["leaves"].as_array().unwrap().len(), 3);
    assert_eq!(document["plan"]["seed_origin"], "derived");
    assert!(document.get("performance").is_none());
    simulated(path, &["--seed", "1", "--shard", "2/3", "--format", "text"])
        .exits(0)
        .says("shard 2 of 3: batches 4 to 10 in 3 leaves, of 250,000 rounds")
        .says("98,304 rounds");
    simulated(
        path,
        &["--seed", "1", "--shard", "1/64", "--format", "text"],
    )
    .exits(0)
    .says("in 0 leaves")
    .says("2 Wonderspins: 0 rounds");
}

#[test]
fn what_is_no_fixed_plan_is_refused() {
    let folder = folder();
    let path = folder.path();
    simulated(path, &["--shard", "1/2"])
        .exits(2)
        .complains("a shard needs the seed of its run");
    simulated(
        path,
        &[
            "--seed",
            "1",
            "--shard",
            "1/2",
            "--target-half-width",
            "0.1",
        ],
    )
    .exits(2)
    .complains("cannot be used with");
    simulated(path, &["--seed", "1", "--shard", "3/2"])
        .exits(2)
        .complains("1 <= I <= N");
    simulated(path, &["--seed", "1", "--shard", "auto"])
        .exits(2)
        .complains("none of `SLURM_ARRAY_TASK_ID`");
}

#[test]
fn a_job_of_an_array_finds_its_shard() {
    let folder = folder();
    let expected = simulated(folder.path(), &["--seed", "1", "--shard", "3/4"]).exits(0);
    let mut command = wonderspins();
    command
        .current_dir(folder.path())
        .args(["simulate", "game.toml", "--rounds", ROUNDS, "--seed", "1"])
        .args(["--shard", "auto"])
        .env("AWS_BATCH_JOB_ARRAY_INDEX", "2")
        .env("AWS_BATCH_JOB_ARRAY_SIZE", "4");
    let found = finish(&mut command)
        .exits(0)
        .complains("shard 3/4, by `AWS_BATCH_JOB_ARRAY_INDEX`");
    assert_eq!(found.stdout, expected.stdout);
}

#[test]
fn a_result_that_is_there_is_left_as_it_is() {
    let folder = folder();
    let path = folder.path();
    let play = |seed: &str, shard: &str| {
        let arguments = ["--seed", seed, "--shard", shard, "--output", "s.json"];
        let mut all = vec!["simulate", "game.toml", "--rounds", ROUNDS];
        all.extend(arguments);
        run_in(path, &all)
    };
    play("1", "2/3").exits(0);
    let bytes = read(path, "s.json");
    play("1", "2/3")
        .exits(0)
        .complains("is this result already: nothing is played");
    play("2", "2/3")
        .exits(2)
        .complains("another seed: found 1, expected 2");
    play("1", "1/3")
        .exits(2)
        .complains("it is shard 2/3, expected shard 1/3");
    assert_eq!(read(path, "s.json"), bytes);
    fs::write(path.join("s.json"), &bytes[..bytes.len() / 2]).unwrap();
    play("1", "2/3").exits(2).complains("truncated");
    assert_eq!(read(path, "s.json"), bytes[..bytes.len() / 2]);
}

/// All faults of all files in one answer, and nothing written.
#[test]
fn every_fault_of_a_merge_is_named_at_once() {
    let folder = folder();
    let path = folder.path();
    play_shards(path, "7", 8);
    simulated(
        path,
        &["--seed", "7", "--shard", "1/3", "--output", "third.json"],
    )
    .exits(0);
    simulated(
        path,
        &["--seed", "8", "--shard", "2/8", "--output", "foreign.json"],
    )
    .exits(0);
    simulated(
        path,
        &[
            "--seed",
            "7",
            "--level",
            "0.9",
            "--shard",
            "2/8",
            "--output",
            "level.json",
        ],
    )
    .exits(0);
    fs::copy(path.join("s8.json"), path.join("again.json")).unwrap();
    let good = read(path, "s2.json");
    fs::write(path.join("cut.json"), &good[..good.len() - 30]).unwrap();
    fs::write(
        path.join("altered.json"),
        good.replacen("\"zero_rounds\": \"", "\"zero_rounds\": \"9", 1),
    )
    .unwrap();
    let plain = simulated(path, &["--seed", "7", "--format", "json"]).exits(0);
    fs::write(path.join("plain.json"), plain.stdout).unwrap();
    let arguments = [
        "merge",
        "s6.json",
        "cut.json",
        "altered.json",
        "foreign.json",
        "again.json",
        "level.json",
        "plain.json",
        "game.toml",
        "nothing.json",
        "third.json",
        "s1.json",
        "s8.json",
        "s7.json",
    ];
    let expected = [
        ("truncated", "`cut.json`: truncated"),
        ("altered", "`altered.json`: altered"),
        (
            "foreign",
            "`foreign.json`: foreign: it has another seed: found 8, expected 7",
        ),
        (
            "foreign",
            "`level.json`: foreign: it has another confidence level: found 0.9, expected 0.99",
        ),
        ("invalid", "`plain.json`: a result without leaves"),
        ("invalid", "`game.toml`: not a JSON document"),
        ("unreadable", "`nothing.json`: cannot be read"),
        (
            "doubled",
            "`again.json`, `s8.json`: doubled: each is shard 8/8",
        ),
        ("overlapping", "overlapping: shards 1/3 and 1/8"),
        ("missing", "missing: batches"),
    ];
    let mut with_output = arguments.to_vec();
    with_output.extend(["--output", "merged.json"]);
    let mut refused = run_in(path, &with_output).exits(2);
    for (_, text) in expected {
        refused = refused.complains(text);
    }
    assert!(refused.stdout.is_empty());
    assert!(!path.join("merged.json").exists());
    let mut as_json = arguments.to_vec();
    as_json.extend(["--error-format", "json"]);
    let refused = run_in(path, &as_json).exits(2);
    let error: Value = serde_json::from_str(&refused.stderr).unwrap();
    let mut kinds: Vec<&str> = error["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["kind"].as_str().unwrap())
        .collect();
    kinds.sort_unstable();
    let mut wanted: Vec<&str> = expected.iter().map(|(kind, _)| *kind).collect();
    wanted.sort_unstable();
    assert_eq!(kinds, wanted);
}

#[test]
fn missing_shards_of_one_number_are_told_by_their_indices() {
    let folder = folder();
    let path = folder.path();
    for (seed, shard, name) in [
        ("7", "2/8", "s2.json"),
        ("7", "7/8", "s7.json"),
        ("8", "1/8", "foreign.json"),
    ] {
        let arguments = ["--seed", seed, "--shard", shard, "--output", name];
        simulated(path, &arguments).exits(0);
    }
    run_in(path, &["merge", "s2.json", "s7.json"])
        .exits(2)
        .complains("missing: shards 1, 3 to 6, 8 of 8");
    // Most files say which run is wanted, not the first one.
    run_in(path, &["merge", "foreign.json", "s2.json", "s7.json"])
        .exits(2)
        .complains("found 8, expected 7");
}

#[test]
fn what_is_missing_is_listed_for_a_script() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("out")).unwrap();
    let list = |more: &[&str]| {
        let mut arguments = vec!["merge", "--list-missing", "--quiet"];
        arguments.extend(more);
        run_in(path, &arguments)
    };
    list(&["out"]).exits(2).complains("`--shards N` says it");
    assert_eq!(list(&["out", "--shards", "3"]).exits(1).stdout, "1\n2\n3\n");
    for index in ["1", "2", "3", "4"] {
        let (shard, name) = (format!("{index}/4"), format!("out/{index}.json"));
        simulated(path, &["--seed", "7", "--shard", &shard, "--output", &name]).exits(0);
    }
    assert_eq!(list(&["out"]).exits(0).stdout, "");
    let text = read(path, "out/2.json");
    fs::write(path.join("out/2.json"), text.replacen('7', "8", 1)).unwrap();
    fs::remove_file(path.join("out/3.json")).unwrap();
    assert_eq!(list(&["out"]).exits(1).stdout, "2\n3\n");
    assert_eq!(
        list(&["out/1.json", "out/3.json"]).exits(1).stdout,
        "2\n3\n4\n"
    );
    // Leaves 2 to 5 are missing; leaf k is in shard ceil((k + 1) 20 / 8) of 20. Nobody misses
    // the shards that have none.
    let missing = list(&["out", "--shards", "20"]).exits(1).stdout;
    assert_eq!(missing, "8\n10\n13\n15\n");
}

#[test]
fn a_merged_result_is_certified_as_if_it_had_been_played() {
    let folder = folder();
    let path = folder.path();
    let arguments = ["--quiet", "--alpha", "0.02", "--profile", "gli-19"];
    let played = [
        "certify",
        "game.toml",
        "--rounds",
        ROUNDS,
        "--out",
        "played",
    ];
    let code = run_in(path, &[&played[..], &arguments].concat()).code;
    play_shards(path, "derived", 3);
    let merge = [
        "merge", "s1.json", "s2.json", "s3.json", "--output", "run.json",
    ];
    run_in(path, &merge).exits(0);
    let from = ["certify", "--from", "run.json", "--out", "from"];
    run_in(path, &[&from[..], &arguments].concat()).exits(code);
    let names = |name: &str| -> BTreeMap<_, _> {
        fs::read_dir(path.join(name))
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap()))
            .collect()
    };
    let (played, from) = (names("played"), names("from"));
    assert!(played.len() > 5);
    assert_eq!(
        played.keys().collect::<Vec<_>>(),
        from.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &played {
        assert!(from[name] == *bytes, "{name:?} differs");
    }
    run_in(path, &["certify", "--from", "s2.json", "--out", "shard"])
        .exits(2)
        .complains("it is shard 2/3 of a run");
    assert!(!path.join("shard").exists());
    for option in ["--seed", "--rounds", "--level", "--engine", "--trigger"] {
        let value = match option {
            "--engine" => "scalar",
            "--level" => "0.9",
            _ => "2",
        };
        run_in(path, &["certify", "--from", "run.json", option, value])
            .exits(2)
            .complains("cannot be used with");
    }
    run_in(path, &["certify", "game.toml", "--from", "run.json"]).exits(2);
}

/// A shard that is killed goes on from its checkpoint, and no other shard does.
#[cfg(unix)]
#[test]
fn a_killed_shard_goes_on_from_its_checkpoint() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let rounds = "6000000";
    let shard = |shard: &str, more: &[&str]| {
        let mut command = wonderspins();
        command
            .current_dir(path)
            .args(["simulate", "--rounds", rounds, "--seed", "7", "--quiet"])
            .args(["--shard", shard])
            .args(more);
        command
    };
    let kept = [
        "--checkpoint",
        "run.ckpt",
        "--checkpoint-every",
        "1ms",
        "--resume",
        "--output",
        "s2.json",
    ];
    let mut child = shard("2/3", &kept)
        .args(["--engine", "reference", "--threads", "1"])
        .spawn()
        .unwrap();
    let started = Instant::now();
    let state = || {
        let bytes = fs::read(path.join("run.ckpt")).ok()?;
        let checkpoint = wonderspins::engine::Checkpoint::from_bytes(&bytes).unwrap();
        checkpoint.state(Trigger::Two).ok()
    };
    while state().is_none_or(|state| state.tally.rounds() == 0) {
        assert!(started.elapsed().as_secs() < 60, "no checkpoint");
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before the kill"
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = state().unwrap();
    let plan = RunPlan {
        trigger: Trigger::Two,
        seed: 7,
        generator: Generator::default(),
        rounds: 6_000_000,
        engine: EngineKind::Auto,
        detail_rounds: 0,
    };
    let batches = Shard::new(2, 3).unwrap().batches(&plan);
    assert!(left.next_batch > batches.start && left.next_batch < batches.end);
    assert!(!path.join("s2.json").exists());
    finish(&mut shard("1/3", &["--checkpoint", "run.ckpt", "--resume"]))
        .exits(2)
        .complains("is of another part of the run");
    finish(&mut shard("2/3", &kept)).exits(0);
    for index in ["1", "3"] {
        let (name, part) = (format!("s{index}.json"), format!("{index}/3"));
        finish(&mut shard(&part, &["--output", &name])).exits(0);
    }
    let whole = [
        "simulate",
        "--rounds",
        rounds,
        "--seed",
        "7",
        "--output",
        "whole.json",
    ];
    run_in(path, &whole).exits(0);
    let merge = [
        "merge",
        "s1.json",
        "s2.json",
        "s3.json",
        "--output",
        "merged.json",
    ];
    run_in(path, &merge).exits(0);
    assert!(read(path, "merged.json") == read(path, "whole.json"));
}

/// The document of a shard in the library, and what was drawn for it.
fn document() -> (PaytableFile, String) {
    let file = PaytableFile::parse("game.toml", SHORT_GAME).unwrap();
    let plan = RunPlan {
        trigger: Trigger::Two,
        seed: 7,
        generator: Generator::default(),
        rounds: 50_000,
        engine: EngineKind::Auto,
        detail_rounds: 20_000,
    };
    let simulation = simulate(&file.paytable, &plan, &()).unwrap();
    let stated = ResultPlan::new(&plan, "given", 0.99);
    let mut document = result_document(&file, stated, None, &[simulation]).unwrap();
    let text = document.sealed_text();
    (file, text)
}

#[test]
fn a_document_cut_or_altered_anywhere_is_refused() {
    let (_, text) = document();
    let paytables = Paytables::new();
    assert!(Piece::read(text.as_bytes(), &paytables).is_ok());
    for length in (0..text.len())
        .step_by(3)
        .chain([text.len() - 1, text.len() - 2])
    {
        let fault = Piece::read(&text.as_bytes()[..length], &paytables).unwrap_err();
        // Without the last line feed all of the document is there, in other bytes.
        let is_right = match fault {
            PieceFault::Truncated { bytes } => bytes == length,
            PieceFault::Altered => length == text.len() - 1,
            _ => false,
        };
        assert!(is_right, "{length} bytes: {fault}");
    }
    for place in (0..text.len()).step_by(5) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        let fault = Piece::read(&bytes, &paytables);
        assert!(fault.is_err(), "byte {place}");
    }
}

/// A hash that fits is not enough: what the leaves do not say is refused.
#[test]
fn a_sealed_document_that_contradicts_its_leaves_is_refused() {
    let (_, text) = document();
    let document: Value = serde_json::from_str(&text).unwrap();
    let trigger = &document["triggers"][0];
    let seal = document["self_sha256"].as_str().unwrap();
    let sealed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let open = text.replacen(from, to, 1).replacen(seal, "", 1);
        Piece::read(with_seal(open).as_bytes(), &Paytables::new())
    };
    assert!(sealed("\"seed_origin\": \"given\"", "\"seed_origin\": \"given\"").is_ok());
    for key in ["sum_meter", "zero_rounds", "spins", "digest"] {
        let value = trigger[key].as_str().unwrap();
        let digit = value.chars().last().unwrap();
        let other = if digit == '1' { '2' } else { '1' };
        let wrong = format!("{}{other}", &value[..value.len() - 1]);
        let from = format!("\"{key}\": \"{value}\"");
        let fault = sealed(&from, &format!("\"{key}\": \"{wrong}\"")).unwrap_err();
        assert!(matches!(fault, PieceFault::Tally { .. }), "{key}: {fault}");
    }
    // Another leaf, of the same number of rounds.
    let leaves = document["leaves"][0]["leaves"].as_array().unwrap();
    let (first, second) = (leaves[0].as_str().unwrap(), leaves[1].as_str().unwrap());
    let fault = sealed(first, second).unwrap_err();
    assert!(
        matches!(fault, PieceFault::Leaves { .. } | PieceFault::Tally { .. }),
        "{fault}"
    );
    for (from, to, expected) in [
        (
            "\"rounds\": 50000,\n    \"batch",
            "\"rounds\": 90000,\n    \"batch",
            "leaves",
        ),
        (
            "\"batch_rounds\": 16384",
            "\"batch_rounds\": 4096",
            "`batch_rounds`",
        ),
        (
            "\"seed_origin\": \"given\"",
            "\"seed_origin\": \"derived\"",
            "gives",
        ),
        (
            "\"seed_origin\": \"given\"",
            "\"seed_origin\": \"found\"",
            "`seed_origin`",
        ),
        (
            "\"engine_specification\": 2",
            "\"engine_specification\": 1",
            "`engine_specification`",
        ),
        ("A short game", "A short gamf", "`paytable.name`"),
        (
            "\"complete\": true,\n  \"plan\"",
            "\"complete\": false,\n  \"plan\"",
            "partial",
        ),
        (
            "\"first_leaf\": 0",
            "\"first_leaf\": 1",
            "`leaves.first_leaf`",
        ),
        (
            "\"complete\": true,\n  \"plan\"",
            "\"complete\": true,\n  \"more\": 1,\n  \"plan\"",
            "one form",
        ),
        (
            "wonderspins/simulate/1",
            "wonderspins/simulate/2",
            "`schema`",
        ),
    ] {
        let fault = sealed(from, to).unwrap_err().to_string();
        assert!(fault.contains(expected), "{to}: {fault}");
    }
}

/// The numbers of a leaf, in the order that the format's description gives.
#[derive(Serialize)]
struct StoredLeaf {
    meters: Vec<(u64, u64)>,
    lengths: Vec<(u64, u64)>,
    beyond_cap: Vec<(u64, u64)>,
    max_round: u64,
    sum: u128,
    sum_squared: u128,
    detail: Option<()>,
}

/// The leaf of `times` times the rounds of a tally.
fn leaf_of(tally: &Tally, times: u64) -> Leaf {
    let steps = |list: &mut dyn Iterator<Item = (u64, u64)>| {
        let mut before = 0;
        list.map(|(value, rounds)| {
            (
                value - std::mem::replace(&mut before, value),
                rounds * times,
            )
        })
        .collect()
    };
    let stored = StoredLeaf {
        meters: steps(&mut tally.histogram()),
        lengths: steps(&mut tally.spins_histogram()),
        beyond_cap: Vec::new(),
        max_round: tally.max_round().unwrap(),
        sum: tally.sum_meter() * u128::from(times),
        sum_squared: tally.sum_meter_squared() * u128::from(times),
        detail: None,
    };
    Leaf::from_bytes(postcard::to_stdvec(&stored).unwrap())
}

/// A thousand shards of a run of 10^12 rounds, each leaf of which has the proportions of 2^20
/// played rounds, so that it is as large as a real one. What they add up to is told by
/// multiplication.
#[test]
fn a_thousand_shards_of_a_trillion_rounds_are_joined() {
    const LEAVES: u64 = 14_902;
    const SHARDS: u64 = 1_000;
    let file = PaytableFile::load("pa-693-6").unwrap();
    let folder = TempDir::new().unwrap();
    let leaf_rounds = 1_u64 << 26;
    let plan = |trigger, rounds| RunPlan {
        trigger,
        seed: 7,
        generator: Generator::default(),
        rounds,
        engine: EngineKind::Auto,
        detail_rounds: 0,
    };
    let rounds = LEAVES * leaf_rounds;
    let whole = plan(Trigger::Two, rounds);
    assert_eq!(whole.leaf_batches() * u64::from(BATCH_ROUNDS), leaf_rounds);
    let times = leaf_rounds >> 20;
    let played = Trigger::ALL.map(|trigger| {
        let run = simulate(&file.paytable, &plan(trigger, 1 << 20), &()).unwrap();
        (trigger, run.tally)
    });
    let leaves = played
        .clone()
        .map(|(trigger, tally)| (trigger, leaf_of(&tally, times)));
    let stated = ResultPlan::new(&whole, "given", 0.99);
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut bytes = 0;
    for index in 1..=SHARDS {
        let shard = Shard::new(index, SHARDS).unwrap();
        let held = shard.leaves(&whole);
        let count = usize::try_from(held.end - held.start).unwrap();
        let simulations = leaves.clone().map(|(trigger, leaf)| {
            let plan = plan(trigger, rounds);
            let batches = shard.batches(&plan);
            Simulation::from_leaves(&file.paytable, &plan, batches, vec![leaf; count]).unwrap()
        });
        let mut document =
            result_document(&file, stated.clone(), Some(shard), &simulations).unwrap();
        let text = document.sealed_text();
        bytes += text.len();
        paths.push(folder.path().join(format!("{index}.json")));
        fs::write(&paths[paths.len() - 1], text).unwrap();
    }
    paths.shuffle(&mut StdRng::seed_from_u64(3));
    for keeps_leaves in [false, true] {
        let started = Instant::now();
        let merged = Merger::read(&paths, keeps_leaves).finish().unwrap();
        println!(
            "{bytes} bytes merged in {:?}, leaves {}",
            started.elapsed(),
            if keeps_leaves { "kept" } else { "left" }
        );
        for ((_, tally), simulation) in played.iter().zip(&merged.simulations) {
            let all = times * LEAVES;
            let expected: Vec<(u64, u64)> = tally
                .histogram()
                .map(|(meter, rounds)| (meter, rounds * all))
                .collect();
            assert_eq!(simulation.tally.histogram().collect::<Vec<_>>(), expected);
            assert_eq!(simulation.tally.max_round(), tally.max_round());
            let count = if keeps_leaves { 14_902 } else { 0 };
            assert_eq!(simulation.leaves.len(), count);
        }
    }
    paths.retain(|path| !path.ends_with("137.json"));
    let Err(MergeError::Faults(faults)) = Merger::read(&paths, false).finish() else {
        panic!("one is missing");
    };
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["missing: shard 137 of 1000"]);
}

/// Half the intervals of `--plan` against those that a run then has, which uses its own
/// deviation: equal but for some per cent at 250,000 rounds.
#[test]
fn a_plan_foresees_the_width_of_the_interval() {
    let folder = folder();
    let path = folder.path();
    let run = simulated(path, &["--plan", "--deadline", "1s", "--format", "json"]).exits(0);
    let document = run.json();
    assert_eq!(document["schema"], "wonderspins/plan/1");
    let rows = document["rows"].as_array().unwrap();
    let rounds: Vec<u64> = rows
        .iter()
        .map(|row| row["rounds"].as_u64().unwrap())
        .collect();
    assert_eq!(rounds, [2_500, 25_000, 250_000, 2_500_000, 25_000_000]);
    let number = |value: &Value| common::number(value);
    let foreseen = number(&rows[2]["rtp_half_width"][0]["half_width"]);
    let played = simulated(path, &["--seed", "1", "--format", "json"])
        .exits(0)
        .json();
    let rtp = &played["triggers"][0]["rtp"];
    let found = (number(&rtp["upper"]) - number(&rtp["lower"])) / 2.0;
    assert!(
        (found / foreseen - 1.0).abs() < 0.03,
        "{found} for {foreseen}"
    );
    for pair in rows.windows(2) {
        assert!(number(&pair[0]["seconds"]) < number(&pair[1]["seconds"]));
        let ratio = number(&pair[0]["rtp_half_width"][0]["half_width"])
            / number(&pair[1]["rtp_half_width"][0]["half_width"]);
        assert!((ratio - 10_f64.sqrt()).abs() < 1e-9);
    }
    // The sizes of a run that is then played.
    simulated(path, &["--seed", "1", "--output", "run.json"]).exits(0);
    let size = read(path, "run.json").len();
    let foreseen = rows[2]["result_bytes"].as_u64().unwrap();
    assert!(
        // Leaves of a calibration are of other sizes than those of a short run.
        foreseen.abs_diff(size as u64) < size as u64 / 2,
        "{foreseen} for {size} bytes"
    );
    simulated(path, &["--plan", "--shard", "1/8"])
        .exits(0)
        .says("measured for a second")
        .says("one of 8 shards")
        .says("cores for 1 h");
    simulated(path, &["--plan", "--output", "x"]).exits(2);
    simulated(path, &["--deadline", "1h"]).exits(2);
}
