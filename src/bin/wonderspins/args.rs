//! The command line as it is typed. Validation of values that need more than a
//! parser happens in `config`.

mod cluster;

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use wonderspins::engine::{DETAIL_ROUNDS, SeedChoice, Shard};
use wonderspins::verify::DEFAULT_LEVEL;

pub(crate) use cluster::{Cluster, ClusterCommand, ClusterKubernetes, ClusterRun, ClusterSlurm};

use crate::config::{Bias, Every, Level, Rounds, Seconds};
use crate::values::{PositiveDecimal, ShardArgument, Starts, Varied};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold());

/// Simulate and certify the mathematics of Wonderspins, the bonus wheel of 58 Pa. Code 693.6.
///
/// PAYTABLE is a path or the name of a built-in paytable (`wonderspins paytable list`);
/// left out, it is `pa-693-6`.
#[derive(Debug, Parser)]
#[command(
    version,
    styles = STYLES,
    max_term_width = 80,
    help_expected = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 every check passed; 1 a check failed or could not decide, or the \
                  run was interrupted and its result is partial; 2 the input, the arguments or \
                  the system was at fault, or a second interrupt ended the program at once."
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Global switches.
    #[command(flatten)]
    pub(crate) global: Global,
}

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Threads to use; never changes a result [default: all processors]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Global options")]
    pub(crate) threads: Option<u16>,

    /// No progress and no notes on standard error
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,

    /// How an error is printed on standard error
    #[arg(long, global = true, value_enum, default_value_t = ErrorFormat::Text, value_name = "FORMAT", help_heading = "Global options")]
    pub(crate) error_format: ErrorFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    /// Lines for a person
    Text,
    /// One JSON line
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person, at most 80 columns
    Text,
    /// One JSON document
    Json,
    /// Comma-separated values with a header
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For a person, at most 80 columns and 40 rows
    Text,
    /// One JSON document
    Json,
    /// Comma-separated values with a header
    Csv,
    /// Apache Parquet, typed columns; needs --output
    Parquet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataFormat {
    /// For a person, at most 80 columns
    Text,
    /// One JSON document
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TriggerArgument {
    /// 2 Wonderspins
    #[value(name = "2")]
    Two,
    /// 5 Wonderspins
    #[value(name = "5")]
    Five,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArgument {
    /// The fastest that this processor has
    Auto,
    /// 512-bit vectors
    Avx512,
    /// 256-bit vectors
    Avx2,
    /// Table-driven, on any processor
    Scalar,
    /// The readable rules engine, slow
    Reference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GeneratorArgument {
    /// Fast, the default
    #[value(name = "xoshiro256++")]
    Xoshiro256PlusPlus,
    /// A stream cipher, unrelated to the other
    #[value(name = "chacha8")]
    ChaCha8,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check, compute, simulate and cross-check a paytable, and write the certificate
    Certify(Certify),
    /// Compute the theoretical figures exactly, each between proven bounds
    Exact(Exact),
    /// How the return moves with each section of the wheels
    Sensitivity(Sensitivity),
    /// Write the game in the language of another program
    Export(Export),
    /// Play rounds and report integer results and estimates
    Simulate(Simulate),
    /// Join the results of the shards of a run, or tell which are missing
    Merge(Merge),
    /// Check somebody's certificate: hashes, exact values, and pieces of the run played again
    Verify(Verify),
    /// Judge a paytable against the regulation, clause by clause
    Check(Check),
    /// Show one round of a simulation, spin by spin
    Replay(Replay),
    /// Give the return and the volatility under every reading of the text
    Readings(Readings),
    /// Find the value of one parameter that meets a target return
    Solve(Solve),
    /// Tell what changed between two paytables or certificates, and what each change does
    Diff(Diff),
    /// Compute many changed paytables, and simulate them where that is asked for
    Sweep(Sweep),
    /// Measure how fast rounds are played, and compare with a recorded run
    Bench(Bench),
    /// Write the reports of a certificate again, from its file alone
    Report(Report),
    /// Write job files that play a run in shards on a scheduler
    Cluster(Cluster),
    /// List and show the built-in paytables
    Paytable(Paytable),
    /// List and show the profiles of limits that come with the program
    Profile(Profile),
}

#[derive(Debug, Args)]
pub(crate) struct PaytableArgument {
    /// Path or built-in name
    #[arg(
        value_name = "PAYTABLE",
        default_value = "pa-693-6",
        hide_default_value = true
    )]
    pub(crate) paytable: String,
}

#[derive(Debug, Args)]
pub(crate) struct TriggerChoice {
    /// The trigger [default: every trigger of the paytable]
    #[arg(long, value_enum, value_name = "2|5", hide_possible_values = true)]
    pub(crate) trigger: Option<TriggerArgument>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct RunChoice {
    /// Rounds for each trigger, from 2 to 1e15: `1000000`, `1_000_000`, `1e9`, `2.5e9`
    #[arg(
        long,
        value_name = "N",
        default_value = "1e8",
        help_heading = "Simulation"
    )]
    pub(crate) rounds: Rounds,

    /// Play only until half the interval of the RTP is at most this: `0.0001`, `0.01%`; at
    /// the latest until --rounds
    ///
    /// `simulate` looks at the run at rounds fixed beforehand and uses an asymptotic confidence
    /// sequence, which holds at all looks together. `certify` computes the number of rounds
    /// from the exact standard deviation before the first round, so that it never looks.
    #[arg(
        long,
        value_name = "H",
        conflicts_with = "checkpoint",
        help_heading = "Simulation"
    )]
    pub(crate) target_half_width: Option<PositiveDecimal>,

    /// Engine; never changes a result
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t = EngineArgument::Auto, help_heading = "Simulation")]
    pub(crate) engine: EngineArgument,

    /// Generator of the random numbers; another one plays other rounds of the same game
    #[arg(long, value_enum, value_name = "GENERATOR", default_value_t = GeneratorArgument::Xoshiro256PlusPlus, help_heading = "Simulation")]
    pub(crate) rng: GeneratorArgument,

    /// Confidence level of the intervals, above 0 and below 1 [default: 0.99]
    #[arg(long, value_name = "LEVEL", help_heading = "Simulation")]
    pub(crate) level: Option<Level>,

    /// Keep the run in this file, so that `--resume` can go on with it
    #[arg(long, value_name = "FILE", help_heading = "Long runs")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// How often the checkpoint is written: `10s`, `5m`, `2h`
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "1m",
        requires = "checkpoint",
        help_heading = "Long runs"
    )]
    pub(crate) checkpoint_every: Every,

    /// Go on with the run of the checkpoint, on any engine and any number of threads; begin it
    /// where there is no file yet
    #[arg(long, requires = "checkpoint", help_heading = "Long runs")]
    pub(crate) resume: bool,

    #[command(flatten)]
    pub(crate) detail: DetailChoice,
}

impl RunChoice {
    /// The confidence level, where no profile gives one.
    pub(crate) fn level(&self) -> f64 {
        self.level.map_or(DEFAULT_LEVEL, |level| level.0)
    }
}

#[derive(Debug, Args)]
pub(crate) struct LimitChoice {
    /// Judge by the limits of this profile as well: a path or one of `profile list`
    #[arg(long, value_name = "FILE", help_heading = "Verdict")]
    pub(crate) profile: Option<String>,

    /// An advertised top award must occur at least once in this many games, else its odds must
    /// be shown [default: 1e8, from GLI-11]
    #[arg(long, value_name = "N", value_parser = crate::config::parse_award_limit, help_heading = "Verdict")]
    pub(crate) award_limit: Option<u64>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DetailChoice {
    /// Watch all rounds and not only the first 1e8: who was hit, what the multipliers came
    /// from, what each spin drew; never changes another result
    #[arg(long, help_heading = "Simulation", conflicts_with = "no_detail")]
    detail: bool,

    /// Watch no rounds
    #[arg(long, help_heading = "Simulation")]
    no_detail: bool,
}

impl DetailChoice {
    /// Rounds to be watched, from the first.
    pub(crate) fn rounds(&self) -> u64 {
        match (self.detail, self.no_detail) {
            (true, _) => u64::MAX,
            (false, true) => 0,
            (false, false) => DETAIL_ROUNDS,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Certify {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,
    #[command(flatten)]
    pub(crate) run: RunChoice,

    /// Seed: a 64-bit number, decimal or 0x hexadecimal, or `derived[:LABEL]`
    #[arg(
        long,
        value_name = "SEED",
        default_value = "derived",
        help_heading = "Simulation"
    )]
    pub(crate) seed: SeedChoice,

    /// Certify this result of `merge --output` or `simulate --output` instead of playing
    #[arg(
        long,
        value_name = "RESULT",
        conflicts_with_all = [
            "paytable", "trigger", "rounds", "target_half_width", "engine", "rng", "level",
            "checkpoint", "checkpoint_every", "resume", "detail", "no_detail", "seed",
        ],
        help_heading = "Simulation"
    )]
    pub(crate) from: Option<PathBuf>,

    /// Family-wise error rate of all tests together, above 0 and below 1 [default: 0.01]
    #[arg(long, value_name = "ALPHA", help_heading = "Verdict")]
    pub(crate) alpha: Option<Level>,

    #[command(flatten)]
    pub(crate) limits: LimitChoice,

    /// A clause that waits for a declaration counts as a failure
    #[arg(long, help_heading = "Verdict")]
    pub(crate) strict: bool,

    /// Folder for the certificate and the reports [default: reports/<paytable>-<sha8>]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Sign the certificate with this secret key of minisign, into `certificate.json.minisig`;
    /// a password is taken from `WONDERSPINS_KEY_PASSWORD`, else asked for
    #[arg(long, value_name = "KEY", help_heading = "Output")]
    pub(crate) sign: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 everything is as the certificate says; 1 something is not; 2 the \
                  certificate or a key could not be read. What the certificate's own verdict is \
                  does not enter."
)]
pub(crate) struct Verify {
    /// The certificate
    #[arg(value_name = "CERTIFICATE")]
    pub(crate) certificate: PathBuf,

    /// The file with the leaves [default: the one it names, in the same folder]
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) side_file: Option<PathBuf>,

    /// Pieces of the runs that are played again
    #[arg(
        long,
        value_name = "K",
        default_value = "32",
        help_heading = "Challenge"
    )]
    pub(crate) leaves: u64,

    /// Seed of their choice, any text that came after the certificate [default: drawn from
    /// the operating system, and printed]
    #[arg(long, value_name = "SEED", help_heading = "Challenge")]
    pub(crate) challenge: Option<String>,

    /// Public key of minisign that must have signed the certificate: a file, or the key itself
    #[arg(long, value_name = "PUBKEY", help_heading = "Signature")]
    pub(crate) trust: Option<String>,

    /// The signature [default: the certificate's name with `.minisig`]
    #[arg(
        long,
        value_name = "FILE",
        requires = "trust",
        help_heading = "Signature"
    )]
    pub(crate) signature: Option<PathBuf>,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = DataFormat::Text, help_heading = "Output")]
    pub(crate) format: DataFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Exact {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,

    /// Also the whole payout distribution, with a proven bound on its error
    #[arg(long, help_heading = "Distribution")]
    pub(crate) distribution: bool,

    /// Largest proven distance of the distribution from the truth, in total variation; refused
    /// where it cannot be had. Left out: what some seconds give
    #[arg(
        long,
        value_name = "T",
        requires = "distribution",
        help_heading = "Distribution"
    )]
    pub(crate) tolerance: Option<Level>,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Sensitivity {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,

    /// Find the extreme returns of wheels whose section probabilities differ from the
    /// paytable's by at most this relative amount: `0.05`, `5%`
    #[arg(long, value_name = "B")]
    pub(crate) bias: Option<Bias>,

    /// Also draw the derivatives around the wheels
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A Markov chain for PRISM and Storm
    Prism,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,

    /// The trigger [default: the first of the paytable]
    #[arg(long, value_enum, value_name = "2|5", hide_possible_values = true)]
    pub(crate) trigger: Option<TriggerArgument>,

    /// The character whose hits pay [default: the one with the most outer sections]
    #[arg(long, value_name = "NAME")]
    pub(crate) character: Option<wonderspins::rules::Character>,

    /// A second character
    #[arg(long, value_name = "NAME", requires = "character")]
    pub(crate) with: Option<wonderspins::rules::Character>,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ExportFormat::Prism, help_heading = "Output")]
    pub(crate) format: ExportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,
    #[command(flatten)]
    pub(crate) run: RunChoice,

    /// Seed: a 64-bit number, decimal or 0x hexadecimal, or `derived[:LABEL]` [default:
    /// that of the checkpoint, else drawn, and printed]
    #[arg(long, value_name = "SEED", help_heading = "Simulation")]
    pub(crate) seed: Option<SeedChoice>,

    /// Play only shard I of N of the run, I from 1; `auto` takes both from the job array of a
    /// scheduler
    ///
    /// A shard is a contiguous part of the rounds. All shards need the same --rounds and --seed;
    /// `wonderspins merge` joins them. `auto` knows Slurm, indexed jobs of Kubernetes (with
    /// `WONDERSPINS_SHARDS` for their number), AWS Batch, Sun Grid Engine and LSF.
    #[arg(
        long,
        value_name = "I/N",
        conflicts_with = "target_half_width",
        help_heading = "Shards"
    )]
    pub(crate) shard: Option<ShardArgument>,

    /// Do not play; say how long the rounds take here, how many cores a deadline needs, how
    /// narrow the interval gets and how large the files; with `--shard 1/N` those of N shards
    #[arg(
        long,
        conflicts_with_all = ["output", "target_half_width", "checkpoint"],
        help_heading = "Plan"
    )]
    pub(crate) plan: bool,

    /// The time in which the plan is to be done: `30m`, `1h`
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "1h",
        requires = "plan",
        help_heading = "Plan"
    )]
    pub(crate) deadline: Every,

    /// Write the result into this file, all of it or nothing, with what `merge` and `certify
    /// --from` need; where the file is that result already, nothing is played
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "target_half_width",
        help_heading = "Output"
    )]
    pub(crate) output: Option<PathBuf>,

    /// Form of the result on standard output [default: text; json with --shard; none with
    /// --output]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<Format>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 joined, or nothing is missing; 1 shards are missing (--list-missing); \
                  2 the files are not those of one whole run: every fault is named, and nothing is \
                  written."
)]
pub(crate) struct Merge {
    /// Results of `simulate --shard`, in any order; a folder stands for its `*.json`
    #[arg(value_name = "FILE", required_unless_present = "shards")]
    pub(crate) files: Vec<PathBuf>,

    /// Print the indices of the shards that no good file has, one a line
    #[arg(long, conflicts_with_all = ["output", "format"], help_heading = "Shards")]
    pub(crate) list_missing: bool,

    /// Number of shards [default: that of the files]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=wonderspins::engine::MAX_SHARDS),
        requires = "list_missing",
        help_heading = "Shards"
    )]
    pub(crate) shards: Option<u64>,

    /// Write the result into this file, all of it or nothing, with what `certify --from` needs
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Form of the result on standard output [default: json; none with --output]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<Format>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,

    /// Explain a clause instead, such as `693.6(f)(4)(iv)`: what it asks, how it is decided, which
    /// code carries it and which tests hold it
    #[arg(long, value_name = "CLAUSE", conflicts_with_all = ["paytable", "strict"])]
    pub(crate) explain: Option<String>,

    /// Leave the payout distribution out, which takes seconds: 5319.47(a)(2) then gives no rare
    /// payouts and no odds of an award
    #[arg(long)]
    pub(crate) no_odds: bool,

    #[command(flatten)]
    pub(crate) limits: LimitChoice,

    /// A clause that waits for a declaration counts as a failure
    #[arg(long)]
    pub(crate) strict: bool,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,

    /// Seed of the simulation: a 64-bit number, or `derived[:LABEL]` [default: drawn, and printed]
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<SeedChoice>,

    /// Generator of the simulation
    #[arg(long, value_enum, value_name = "GENERATOR", default_value_t = GeneratorArgument::Xoshiro256PlusPlus)]
    pub(crate) rng: GeneratorArgument,

    /// The round, from 0
    #[arg(long, value_name = "K", default_value = "0", value_parser = crate::config::parse_round_index)]
    pub(crate) round: u64,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Readings {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,

    /// One more law of the starting multipliers, for every trigger; may be repeated
    ///
    /// `2,3,4,5,6,8`: these values in random order. `fixed:rabbit=10,cat=6,...`: each
    /// character its own. `independent:2=3,5=1`: each character draws alone, here 2 with
    /// weight 3 and 5 with weight 1.
    #[arg(long, value_name = "LAW", help_heading = "Readings")]
    pub(crate) starts: Vec<Starts>,

    /// A cap on the meter, from 1 to 10^12, beside none and the paytable's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000), help_heading = "Readings")]
    pub(crate) cap: Option<u64>,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 a value meets the target, or two neighbouring values lie on \
                  either side of it; 1 no value does, none serves all bets, or the bounds \
                  cannot decide; 2 the input or the arguments were at fault."
)]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,

    /// The overall RTP wanted, above 0: `0.9667` or `96.67%`, read exactly
    #[arg(long, value_name = "RTP", help_heading = "Target")]
    pub(crate) rtp: PositiveDecimal,

    /// A bet that should meet it; may be repeated [default: every bet of the paytable]
    #[arg(
        long = "for",
        value_enum,
        value_name = "2|5",
        hide_possible_values = true,
        help_heading = "Target"
    )]
    pub(crate) triggers: Vec<TriggerArgument>,

    /// How far from it an RTP may be to meet it, above 0
    #[arg(
        long,
        value_name = "T",
        default_value = "0.0005",
        help_heading = "Target"
    )]
    pub(crate) tolerance: PositiveDecimal,

    /// What may change: shift, scale, start:CHARACTER, other-return or cap
    ///
    /// `shift` adds a whole number to every start; `scale` multiplies every start and rounds,
    /// halves up; `start:hat` is the start of one character under a fixed law; `other-return`
    /// is the return of the main wheel's other outcomes; `cap` is the cap on the meter.
    #[arg(long, value_name = "PARAMETER", help_heading = "Target")]
    pub(crate) vary: Varied,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A and B are paytables, by path or built-in name, or certificates; of a \
                  certificate the paytable inside it is compared, and of two certificates also \
                  plan, verdicts and figures.\n\n\
                  Exit codes: 0 compared, whatever was found; 1 with --exit-code, where the \
                  mathematics of the paytables differ; 2 the input or the arguments were at \
                  fault."
)]
pub(crate) struct Diff {
    /// The old one
    #[arg(value_name = "A")]
    pub(crate) old: String,

    /// The new one
    #[arg(value_name = "B")]
    pub(crate) new: String,

    /// Exit with 1 where the mathematics differ; names, notes and claims do not count
    #[arg(long)]
    pub(crate) exit_code: bool,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchFormat {
    /// For a person, at most 80 columns
    Text,
    /// One JSON document, which `--compare` and `--from` read
    Json,
    /// For github-action-benchmark, `tool: customBiggerIsBetter`
    Github,
    /// Bencher Metric Format
    Bencher,
    /// As `hyperfine --export-json`: seconds for a million rounds
    Hyperfine,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every engine is measured in turn with a straightforward version, and what is \
                  compared is how many times as fast it is: a regression is a fall of that \
                  ratio beyond --max-regression that the scatter of the samples does not \
                  explain.\n\n\
                  Exit codes: 0 no regression; 1 a regression, with --strict also a \
                  comparison that could not decide; 2 the input or the arguments were at fault."
)]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) paytable: PaytableArgument,
    #[command(flatten)]
    pub(crate) trigger: TriggerChoice,

    /// An engine to measure; may be repeated [default: all that the processor has]
    #[arg(
        long,
        value_enum,
        value_name = "ENGINE",
        help_heading = "Measurement",
        conflicts_with = "from"
    )]
    pub(crate) engine: Vec<EngineArgument>,

    /// Seconds that all samples together should take, from 0.01 to 1e5; with --compare they
    /// play as many rounds as the recorded ones instead
    #[arg(
        long,
        value_name = "S",
        default_value = "60",
        help_heading = "Measurement",
        conflicts_with = "from"
    )]
    pub(crate) seconds: Seconds,

    /// Samples of each engine, trigger and number of threads
    #[arg(long, value_name = "N", default_value = "31", value_parser = clap::value_parser!(u16).range(5..=1000), help_heading = "Measurement", conflicts_with = "from")]
    pub(crate) samples: u16,

    /// Take a recorded run instead of measuring
    #[arg(
        long,
        value_name = "RUN.json",
        help_heading = "Measurement",
        conflicts_with_all = ["paytable", "trigger"]
    )]
    pub(crate) from: Option<PathBuf>,

    /// Compare with a recorded run
    #[arg(long, value_name = "OLD.json", help_heading = "Comparison")]
    pub(crate) compare: Option<PathBuf>,

    /// The loss of speed that is allowed, above 0 and below 1: `10%`, `0.1`
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "10%",
        help_heading = "Comparison",
        requires = "compare"
    )]
    pub(crate) max_regression: Level,

    /// A comparison that could not decide counts as a failure
    #[arg(long, help_heading = "Comparison", requires = "compare")]
    pub(crate) strict: bool,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = BenchFormat::Text, help_heading = "Output")]
    pub(crate) format: BenchFormat,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Nothing is computed and nothing is verified: the files are those that \
                  `certify` wrote beside the certificate, byte for byte. The file of leaves is \
                  no report and cannot be rebuilt.\n\n\
                  Exit codes: 0 written, whatever the certificate says; 2 the certificate, the \
                  arguments or the system was at fault."
)]
pub(crate) struct Report {
    /// A `certificate.json`
    #[arg(value_name = "CERTIFICATE")]
    pub(crate) certificate: PathBuf,

    /// Format of the report; `all` is every format
    #[arg(long, value_name = "FORMAT", default_value = "all", value_parser = report_formats(), help_heading = "Output")]
    pub(crate) format: String,

    /// Folder for the files
    #[arg(
        long,
        value_name = "DIR",
        help_heading = "Output",
        conflicts_with = "output"
    )]
    pub(crate) out: Option<PathBuf>,

    /// File for a format that is one file [default without --out: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats that the program has writers for, and `all`.
fn report_formats() -> clap::builder::PossibleValuesParser {
    let mut names = vec!["all"];
    names.extend(wonderspins::report::formats());
    clap::builder::PossibleValuesParser::new(names)
}

#[derive(Debug, Args)]
#[command(
    after_help = "FILE is TOML: a base paytable, [[grid]] axes whose product is taken, [[point]] entries, and \
                  [simulate] where rounds should be played:\n\n  \
                  schema = 1\n  \
                  name = \"floor and cap\"\n  \
                  base = \"pa-693-6\"\n\n  \
                  [[grid]]\n  \
                  key = \"rules.multiplier_floor\"\n  \
                  values = [1, 2]\n\n  \
                  [[grid]]\n  \
                  key = \"rules.max_meter\"\n  \
                  range = { from = 100, to = 500, step = 100 }\n  \
                  without = true\n\n\
                  Exit codes: 0 every paytable has its figures; 1 some have none, or the sweep was stopped; \
                  2 the input or the arguments were at fault."
)]
pub(crate) struct Sweep {
    /// The sweep file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Keep paytables that are not legal as rows that say what is wrong, instead of refusing
    /// the sweep
    #[arg(long)]
    pub(crate) skip_faulty: bool,

    /// Keep finished paytables in this file, so that `--resume` can go on with them
    #[arg(long, value_name = "FILE", help_heading = "Long runs")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Go on with the sweep of the checkpoint; begin it where there is no file yet
    #[arg(long, requires = "checkpoint", help_heading = "Long runs")]
    pub(crate) resume: bool,

    /// Compute one of N contiguous parts of the paytables: `3/8`
    #[arg(
        long,
        value_name = "I/N",
        conflicts_with = "join",
        help_heading = "Long runs"
    )]
    pub(crate) shard: Option<Shard>,

    /// Take the rows that these JSON results of the same sweep hold, and compute the others
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Long runs")]
    pub(crate) join: Vec<PathBuf>,

    /// Form of the result
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TableFormat::Text, help_heading = "Output")]
    pub(crate) format: TableFormat,

    /// Write the result into this file, whole or not at all
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Also draw the return against its standard deviation, as SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Paytable {
    /// What to show.
    #[command(subcommand)]
    pub(crate) command: PaytableCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PaytableCommand {
    /// List the built-in paytables
    List {
        /// Form of the result
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
        format: Format,
    },
    /// Print a built-in paytable as TOML
    Show {
        /// Name of the built-in paytable
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Write the rules, ranges and odds of a paytable on one page for players
    Card(Card),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CardFormat {
    /// One file without script or network, for screen and paper
    Html,
    /// One page, where the program was built with it
    Pdf,
    /// For a terminal, at most 80 columns
    Text,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every sentence follows from the file and every number from the exact \
                  calculator; none is rounded in the player's favour. The odds of large \
                  payouts need the whole payout distribution, which takes some seconds."
)]
pub(crate) struct Card {
    /// Path or built-in name
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Leave out the odds of large payouts
    #[arg(long)]
    pub(crate) no_odds: bool,

    /// Form of the page
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CardFormat::Text, help_heading = "Output")]
    pub(crate) format: CardFormat,

    /// File for the page [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Profile {
    /// What to show.
    #[command(subcommand)]
    pub(crate) command: ProfileCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// List the profiles
    List {
        /// Form of the result
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text, help_heading = "Output")]
        format: Format,
    },
    /// Print a profile as TOML
    Show {
        /// Name of the profile
        #[arg(value_name = "NAME")]
        name: String,
    },
}
