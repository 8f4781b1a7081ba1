//! The arguments of `cluster`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wonderspins::cluster::{MAX_SHARDS, SbatchOption};

use super::{GeneratorArgument, PaytableArgument, TriggerChoice};
use wonderspins::engine::SeedChoice;

use crate::config::{Every, Level, Rounds};

#[derive(Debug, Args)]
pub(crate) struct Cluster {
    /// The scheduler.
    #[command(subcommand)]
    pub(crate) command: ClusterCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Job arrays of Slurm, with a job behind them that merges and certifies
    Slurm(ClusterSlurm),
    /// An indexed Job of Kubernetes, and one that merges and certifies
    Kubernetes(ClusterKubernetes),
}

#[derive(Debug, Args)]
pub(crate) struct ClusterRun {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,

    /// Rounds for each trigger, from 2 to 1e15
    #[arg(long, value_name = "N", help_heading = "Simulation")]
    pub(crate) rounds: Rounds,

    /// Parts that the run is played in; minutes each are best
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SHARDS)), help_heading = "Simulation")]
    pub(crate) shards: u32,

    /// Seed of all shards: a 64-bit number, decimal or 0x hexadecimal, or `derived[:LABEL]`
    #[arg(
        long,
        value_name = "SEED",
        default_value = "derived",
        help_heading = "Simulation"
    )]
    pub(crate) seed: SeedChoice,

    /// Generator of the random numbers
    #[arg(long, value_enum, value_name = "GENERATOR", default_value_t = GeneratorArgument::Xoshiro256PlusPlus, help_heading = "Simulation")]
    pub(crate) rng: GeneratorArgument,

    /// Confidence level of the intervals, above 0 and below 1
    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "0.99",
        help_heading = "Simulation"
    )]
    pub(crate) level: Level,

    /// How often a shard writes its checkpoint: `10s`, `5m`, `2h`
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "5m",
        help_heading = "Simulation"
    )]
    pub(crate) checkpoint_every: Every,

    /// Folder for the job files; made by this command, or there and empty
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) dir: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The folder must lie where all nodes see it. Nothing is submitted without \
                  --submit: `submit.sh` in the folder does it later, and README.txt tells what \
                  happens then."
)]
pub(crate) struct ClusterSlurm {
    #[command(flatten)]
    pub(crate) run: ClusterRun,

    /// Partition
    #[arg(long, value_name = "P", help_heading = "Slurm")]
    pub(crate) partition: Option<String>,

    /// Account
    #[arg(long, value_name = "A", help_heading = "Slurm")]
    pub(crate) account: Option<String>,

    /// Time limit of each job, as sbatch takes it
    #[arg(long, value_name = "TIME", help_heading = "Slurm")]
    pub(crate) time: Option<String>,

    /// Processors, and threads, of a shard
    #[arg(long, value_name = "C", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Slurm")]
    pub(crate) cpus_per_task: u16,

    /// Memory of a job, as sbatch takes it
    #[arg(long, value_name = "M", help_heading = "Slurm")]
    pub(crate) mem: Option<String>,

    /// How much lower than usual the priority is, as sbatch takes it
    #[arg(
        long,
        value_name = "N",
        allow_hyphen_values = true,
        help_heading = "Slurm"
    )]
    pub(crate) nice: Option<String>,

    /// One more long option of sbatch, without its hyphens; may be repeated
    #[arg(long = "sbatch-option", value_name = "K=V", value_parser = sbatch_option, help_heading = "Slurm")]
    pub(crate) sbatch_options: Vec<SbatchOption>,

    /// `MaxArraySize` of the cluster (`scontrol show config`); an array has one task less
    #[arg(long, value_name = "N", default_value = "1001", value_parser = clap::value_parser!(u32).range(2..), help_heading = "Slurm")]
    pub(crate) max_array_size: u32,

    /// Most tasks of one array that run at once [default: no limit but the cluster's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Slurm")]
    pub(crate) at_once: Option<u32>,

    /// The program on the nodes: a path, or a name that is found there [default: this program,
    /// by its path]
    #[arg(long, value_name = "PATH", help_heading = "Slurm")]
    pub(crate) binary: Option<PathBuf>,

    /// How often a task that failed is restarted
    #[arg(long, value_name = "K", default_value = "3", value_parser = clap::value_parser!(u32).range(..=100), help_heading = "Slurm")]
    pub(crate) max_requeues: u32,

    /// How often the merge job submits missing shards again
    #[arg(long, value_name = "K", default_value = "2", value_parser = clap::value_parser!(u32).range(..=100), help_heading = "Slurm")]
    pub(crate) max_resubmissions: u32,

    /// Submit the jobs at once and print their numbers
    #[arg(long, help_heading = "Slurm")]
    pub(crate) submit: bool,
}

/// The parser of arguments shows a message and not its causes.
fn sbatch_option(text: &str) -> Result<SbatchOption, String> {
    text.parse()
        .map_err(|error: wonderspins::cluster::ClusterError| error.to_string())
}

#[derive(Debug, Args)]
#[command(
    after_help = "Nothing is built and nothing is applied: README.txt in the folder has the \
                  commands."
)]
pub(crate) struct ClusterKubernetes {
    #[command(flatten)]
    pub(crate) run: ClusterRun,

    /// Image that holds the program; the Containerfile in the folder builds one
    #[arg(long, value_name = "IMAGE", help_heading = "Kubernetes")]
    pub(crate) image: String,

    /// Claim of a volume that all pods share
    #[arg(long, value_name = "CLAIM", help_heading = "Kubernetes")]
    pub(crate) claim: String,

    /// Name of the run, at most 50 characters
    #[arg(
        long,
        value_name = "NAME",
        default_value = "wonderspins",
        help_heading = "Kubernetes"
    )]
    pub(crate) name: String,

    /// Namespace
    #[arg(
        long,
        value_name = "NAME",
        default_value = "default",
        help_heading = "Kubernetes"
    )]
    pub(crate) namespace: String,

    /// Pods at once
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Kubernetes")]
    pub(crate) parallelism: u32,

    /// Processors, and threads, of a pod
    #[arg(long, value_name = "C", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Kubernetes")]
    pub(crate) cpus: u16,

    /// Memory of a pod: digits with a unit such as `Mi` or `G`
    #[arg(
        long,
        value_name = "M",
        default_value = "1Gi",
        help_heading = "Kubernetes"
    )]
    pub(crate) memory: String,

    /// Retries of a shard that failed
    #[arg(long, value_name = "K", default_value = "6", value_parser = clap::value_parser!(u32).range(..=100), help_heading = "Kubernetes")]
    pub(crate) max_retries: u32,
}
