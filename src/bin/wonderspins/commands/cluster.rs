//! `cluster`: job files for a scheduler.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use wonderspins::cluster::{self, JobFile, JobFolder, Kubernetes, Run, SbatchOption, Slurm};
use wonderspins::engine::Generator;
use wonderspins::paytable::PaytableFile;

use super::{load, print, temporary};
use crate::args::{Cluster, ClusterCommand, ClusterKubernetes, ClusterRun, ClusterSlurm};
use crate::config;
use crate::exit::ExitStatus;

pub(crate) fn run(args: &Cluster) -> anyhow::Result<ExitStatus> {
    match &args.command {
        ClusterCommand::Slurm(args) => slurm(args),
        ClusterCommand::Kubernetes(args) => kubernetes(args),
    }
}

fn slurm(args: &ClusterSlurm) -> anyhow::Result<ExitStatus> {
    let binary = match &args.binary {
        Some(path) => on_the_nodes(path)?,
        None => std::env::current_exe().context("the path of this program is not known")?,
    };
    let binary = text_of(&binary)?;
    let mut options = vec![SbatchOption::new(
        "cpus-per-task",
        Some(&args.cpus_per_task.to_string()),
    )?];
    for (name, value) in [
        ("partition", &args.partition),
        ("account", &args.account),
        ("time", &args.time),
        ("mem", &args.mem),
        ("nice", &args.nice),
    ] {
        if let Some(value) = value {
            options.push(SbatchOption::new(name, Some(value))?);
        }
    }
    options.extend_from_slice(&args.sbatch_options);
    let settings = Slurm {
        binary,
        options: &options,
        max_array_size: args.max_array_size,
        at_once: args.at_once,
        max_requeues: args.max_requeues,
        max_resubmissions: args.max_resubmissions,
    };
    make(&args.run, |run| Ok(cluster::slurm(run, &settings)?))?;
    if args.submit {
        submit(&args.run.dir)?;
    } else {
        let script = args.run.dir.join("submit.sh");
        print(&format!(
            "written to {}; nothing is submitted: {} does that\n",
            args.run.dir.display(),
            script.display()
        ))?;
    }
    Ok(ExitStatus::Success)
}

fn kubernetes(args: &ClusterKubernetes) -> anyhow::Result<ExitStatus> {
    let settings = Kubernetes {
        name: &args.name,
        namespace: &args.namespace,
        image: &args.image,
        claim: &args.claim,
        parallelism: args.parallelism,
        threads: u32::from(args.cpus),
        memory: &args.memory,
        max_retries: args.max_retries,
    };
    make(&args.run, |run| Ok(cluster::kubernetes(run, &settings)?))?;
    print(&format!(
        "written to {}; nothing is applied: {} has the commands\n",
        args.run.dir.display(),
        args.run.dir.join("README.txt").display()
    ))?;
    Ok(ExitStatus::Success)
}

/// Makes the files of a run and writes its folder.
fn make(
    args: &ClusterRun,
    files: impl FnOnce(&Run<'_>) -> anyhow::Result<JobFolder>,
) -> anyhow::Result<()> {
    text_of(&args.dir)?;
    let file = load(&args.paytable.paytable)?;
    let options = options(args, &file)?;
    let seed = args.seed.to_string();
    let folder = files(&Run {
        file: &file,
        rounds: args.rounds.0,
        shards: args.shards,
        seed: &seed,
        options: &options,
        checkpoint_every: args.checkpoint_every.0,
    })?;
    write(&args.dir, &folder)
}

/// What decides the run besides rounds and seed, where it is not the default.
fn options(args: &ClusterRun, file: &PaytableFile) -> anyhow::Result<Vec<[String; 2]>> {
    let mut options = Vec::new();
    if args.trigger.trigger.is_some() {
        for trigger in config::triggers(&file.paytable, args.trigger.trigger)? {
            options.push(["--trigger".to_owned(), trigger.to_string()]);
        }
    }
    let generator = Generator::from(args.rng);
    if generator != Generator::default() {
        options.push(["--rng".to_owned(), generator.name().to_owned()]);
    }
    options.push(["--level".to_owned(), args.level.0.to_string()]);
    Ok(options)
}

/// A path as the nodes see it: absolute, unless it is a name to be looked up there.
fn on_the_nodes(path: &Path) -> anyhow::Result<PathBuf> {
    if path.components().count() == 1 && !path.has_root() && !path.starts_with(".") {
        return Ok(path.to_owned());
    }
    std::path::absolute(path)
        .with_context(|| format!("`{}` cannot be made absolute", path.display()))
}

/// A path as text of one line: it enters a script, or a person types it.
fn text_of(path: &Path) -> anyhow::Result<&str> {
    let Some(text) = path.to_str() else {
        bail!("the path `{}` is not UTF-8", path.display());
    };
    if text.chars().any(char::is_control) {
        bail!("the path {text:?} holds a line feed or another control character");
    }
    Ok(text)
}

/// Writes the folder under a temporary name beside its place and renames it: it is there
/// with all its files or not at all.
fn write(path: &Path, folder: &JobFolder) -> anyhow::Result<()> {
    let failed = || format!("the folder `{}` cannot be written", path.display());
    match fs::read_dir(path).map(|mut entries| entries.next().is_some()) {
        Ok(true) => bail!(
            "the folder `{}` is not empty: a run's files must not be mixed with others",
            path.display()
        ),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(failed);
        }
        Ok(false) | Err(_) => {}
    }
    // Without its `.` and `..`, so that the place has a name to be renamed to.
    let place = std::path::absolute(path).with_context(failed)?;
    let parent = place.parent().with_context(failed)?;
    fs::create_dir_all(parent).with_context(failed)?;
    let temporary = temporary(0o777).tempdir_in(parent).with_context(failed)?;
    for name in folder.folders {
        fs::create_dir(temporary.path().join(name)).with_context(failed)?;
    }
    for file in &folder.files {
        write_synced(&temporary.path().join(file.name), file).with_context(failed)?;
    }
    // Only an empty folder lets itself be replaced.
    fs::rename(temporary.path(), &place).with_context(failed)?;
    // It has another name now: there is nothing to clean up.
    let _ = temporary.keep();
    Ok(())
}

fn write_synced(path: &Path, file: &JobFile) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(if file.is_executable { 0o777 } else { 0o666 });
    }
    let mut open = options.open(path)?;
    open.write_all(file.text.as_bytes())?;
    open.sync_all()
}

/// Runs `submit.sh` of the folder, which prints the numbers of the jobs.
fn submit(folder: &Path) -> anyhow::Result<()> {
    let script = std::path::absolute(folder)
        .context("the folder has no absolute path")?
        .join("submit.sh");
    let output = Command::new(&script)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("`{}` did not start", script.display()))?;
    print(&String::from_utf8_lossy(&output.stdout))?;
    if !output.status.success() {
        bail!(
            "`{}` failed; the folder stays, and the script can be run again",
            script.display()
        );
    }
    Ok(())
}
