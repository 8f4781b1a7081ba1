//! A run as job arrays of Slurm with a merge job behind them.
//!
//! - A task requeues itself while it still runs, since a requeue of a task that has ended
//!   comes too late for jobs that depend on it.
//! - The merge job depends on `afterany`: `afterok` is lost for ever when a task is cancelled
//!   or its script killed, also if the task is run again. It finds out itself what is missing.
//! - An array has the indices 1 to `MaxArraySize - 1`, so a run of more shards is several.

use serde::Serialize;

use super::{ClusterError, JobFile, JobFolder, Run, SbatchOption, one_line, render, shell};

const ARRAY: &str = include_str!("templates/slurm/array.sbatch");
const MERGE: &str = include_str!("templates/slurm/merge.sbatch");
const SUBMIT: &str = include_str!("templates/slurm/submit.sh");
const README: &str = include_str!("templates/slurm/README.txt");

/// How a run is played on Slurm.
#[derive(Debug, Clone)]
pub struct Slurm<'a> {
    /// The program on the nodes: an absolute path, or a name to be found there.
    pub binary: &'a str,
    /// Options of every call of `sbatch`.
    pub options: &'a [SbatchOption],
    /// `MaxArraySize` of the cluster, at least 2.
    pub max_array_size: u32,
    /// Most tasks of one array that run at once; `None` for no limit but the cluster's.
    pub at_once: Option<u32>,
    /// How often a task may have been restarted and still requeue itself; 0 for never.
    pub max_requeues: u32,
    /// How often missing shards are submitted again by the merge job; 0 for never.
    pub max_resubmissions: u32,
}

#[derive(Serialize)]
struct Context {
    name: String,
    file_sha256: String,
    rounds: u64,
    seed: String,
    binary: String,
    arguments: Vec<String>,
    checkpoint_every: String,
    shards: u32,
    per_array: u32,
    arrays: u32,
    throttle: String,
    options: Vec<String>,
    max_requeues: u32,
    max_resubmissions: u32,
}

/// The files of a run's folder for Slurm: the paytable, `array.sbatch`, `merge.sbatch`,
/// `submit.sh` and a `README.txt` for the person who reads them before they run.
///
/// No file names the folder: it may be moved until it is submitted.
///
/// # Errors
/// - [`ClusterError::Shards`]: too many shards, or none
/// - [`ClusterError::Control`]: a value that does not stay on its line
/// - [`ClusterError::Value`]: `max_array_size` or `at_once` is too small, or the binary has no
///   name
pub fn slurm(run: &Run<'_>, settings: &Slurm<'_>) -> Result<JobFolder, ClusterError> {
    run.check()?;
    one_line("the program's path", settings.binary)?;
    let wrong = |what, value: String, expected| {
        Err(ClusterError::Value {
            what,
            value,
            expected,
        })
    };
    if settings.binary.is_empty() {
        return wrong("the program's path", String::new(), "a path or a name");
    }
    if settings.max_array_size < 2 {
        let found = settings.max_array_size.to_string();
        return wrong("MaxArraySize", found, "at least 2");
    }
    if settings.at_once == Some(0) {
        return wrong("the number of tasks at once", "0".to_owned(), "at least 1");
    }
    let per_array = (settings.max_array_size - 1).min(run.shards);
    let context = Context {
        name: run.file.paytable.name.clone(),
        file_sha256: run.file.file_sha256.clone(),
        rounds: run.rounds,
        seed: run.seed.to_owned(),
        binary: shell::quoted(settings.binary),
        arguments: run
            .arguments()
            .iter()
            .map(|[option, value]| format!("{option} {}", shell::quoted(value)))
            .collect(),
        checkpoint_every: run.every(),
        shards: run.shards,
        per_array,
        arrays: run.shards.div_ceil(per_array),
        throttle: settings
            .at_once
            .map_or_else(String::new, |most| format!("%{most}")),
        options: settings
            .options
            .iter()
            .map(|option| shell::quoted(&option.argument()))
            .collect(),
        max_requeues: settings.max_requeues,
        max_resubmissions: settings.max_resubmissions,
    };
    let file = |name, source, is_executable| {
        Ok::<_, ClusterError>(JobFile {
            name,
            text: render(source, &context)?,
            is_executable,
        })
    };
    Ok(JobFolder {
        files: vec![
            run.paytable(),
            file("array.sbatch", ARRAY, false)?,
            file("merge.sbatch", MERGE, false)?,
            file("submit.sh", SUBMIT, true)?,
            file("README.txt", README, false)?,
        ],
        folders: &["shards", "checkpoints", "logs"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{compare, file, run, text};

    fn settings(options: &[SbatchOption]) -> Slurm<'_> {
        Slurm {
            binary: "/opt/wonderspins/bin/wonderspins",
            options,
            max_array_size: 1001,
            at_once: None,
            max_requeues: 3,
            max_resubmissions: 2,
        }
    }

    #[test]
    fn the_scripts_are_those_on_record() {
        let options: Vec<SbatchOption> = ["cpus-per-task=4", "partition=main", "comment=it's big"]
            .map(|text| text.parse().expect("legal"))
            .to_vec();
        let file = file();
        let folder = slurm(&run(&file), &settings(&options)).expect("legal");
        compare("slurm", &folder);
        assert_eq!(text(&folder, "paytable.toml"), file.text);
    }

    #[test]
    fn every_value_is_quoted() {
        let options = ["comment=$(touch owned)".parse().expect("legal")];
        let file = file();
        let mut run = run(&file);
        run.seed = "derived:it's `id`";
        let mut settings = settings(&options);
        settings.binary = "/opt/a b/$HOME/wonder'spins";
        let folder = slurm(&run, &settings).expect("legal");
        assert!(text(&folder, "submit.sh").contains("    '--comment=$(touch owned)'\n"));
        assert!(text(&folder, "array.sbatch").contains(r"--seed 'derived:it'\''s `id`' \"));
        for name in ["array.sbatch", "merge.sbatch", "submit.sh"] {
            let line = r"wonderspins='/opt/a b/$HOME/wonder'\''spins'";
            assert!(text(&folder, name).lines().any(|l| l == line), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_carried_is_refused() {
        let file = file();
        let run = run(&file);
        let with_binary = |binary| {
            let settings = Slurm {
                binary,
                ..settings(&[])
            };
            slurm(&run, &settings)
        };
        for binary in ["/opt/a\nb", "a\0b", "a\u{1b}[0m"] {
            let error = with_binary(binary).expect_err("a control character");
            assert!(matches!(error, ClusterError::Control { .. }), "{binary:?}");
        }
        assert!(with_binary("").is_err());
        for shards in [0, super::super::MAX_SHARDS + 1] {
            let run = Run { shards, ..run };
            let error = slurm(&run, &settings(&[])).expect_err("a number of shards");
            assert!(matches!(error, ClusterError::Shards(found) if found == shards));
        }
        for (max_array_size, at_once) in [(1, None), (0, None), (2, Some(0))] {
            let settings = Slurm {
                max_array_size,
                at_once,
                ..settings(&[])
            };
            assert!(slurm(&run, &settings).is_err());
        }
    }

    #[test]
    fn arrays_end_below_the_limit_of_the_cluster() {
        let file = file();
        for (shards, max_array_size, per_array, arrays) in [
            (1000, 1001, "per_array=1000", "in 1 job array\n"),
            (1001, 1001, "per_array=1000", "in 2 job arrays\n"),
            (5, 1001, "per_array=5", "in 1 job array\n"),
            (5, 2, "per_array=1", "in 5 job arrays\n"),
        ] {
            let run = Run {
                shards,
                ..run(&file)
            };
            let settings = Slurm {
                max_array_size,
                ..settings(&[])
            };
            let folder = slurm(&run, &settings).expect("legal");
            assert!(text(&folder, "submit.sh").contains(&format!("\n{per_array}\n")));
            assert!(text(&folder, "README.txt").contains(arrays), "{shards}");
        }
    }
}
