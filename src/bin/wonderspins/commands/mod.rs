//! One file for each command: compute with the library, write the result.

mod bench;
mod certify;
mod check;
mod cluster;
mod diff;
mod distribution;
mod exact;
mod explain;
mod export;
mod forecast;
mod merge;
mod paytable;
mod profile;
mod readings;
mod replay;
mod report;
mod results;
mod sensitivity;
mod signature;
mod simulate;
mod solve;
mod summary;
mod sweep;
mod verify;

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use wonderspins::document::PaytableId;
use wonderspins::engine::{EngineKind, Generator};
use wonderspins::paytable::PaytableFile;
use wonderspins::regulation::ProfileFile;

use crate::args::{Cli, Command, EngineArgument, ErrorFormat, GeneratorArgument, LimitChoice};
use crate::exit::ExitStatus;

/// Runs the command on the wanted number of threads.
pub(crate) fn run(cli: &Cli) -> anyhow::Result<ExitStatus> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = cli.global.threads {
        pool = pool.num_threads(usize::from(threads));
    }
    pool.build_global()
        .context("the threads could not be started")?;
    // A reader of one JSON line on standard error must not meet a note before it.
    let quiet = cli.global.quiet || cli.global.error_format == ErrorFormat::Json;
    match &cli.command {
        Command::Certify(args) => certify::run(args, quiet),
        Command::Exact(args) => exact::run(args, quiet),
        Command::Sensitivity(args) => sensitivity::run(args),
        Command::Export(args) => export::run(args),
        Command::Simulate(args) => simulate::run(args, quiet),
        Command::Merge(args) => merge::run(args, quiet),
        Command::Verify(args) => verify::run(args, quiet),
        Command::Check(args) => check::run(args, quiet),
        Command::Replay(args) => replay::run(args, quiet),
        Command::Report(args) => report::run(args),
        Command::Readings(args) => readings::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Sweep(args) => sweep::run(args, quiet),
        Command::Bench(args) => bench::run(args, quiet),
        Command::Cluster(args) => cluster::run(args),
        Command::Paytable(args) => paytable::run(args),
        Command::Profile(args) => profile::run(args),
    }
}

/// Loads the paytable of a command.
fn load(argument: &str) -> anyhow::Result<PaytableFile> {
    Ok(PaytableFile::load(argument)?)
}

/// Loads the profile of a command, where one is named.
fn load_profile(choice: &LimitChoice) -> anyhow::Result<Option<ProfileFile>> {
    Ok(choice
        .profile
        .as_deref()
        .map(ProfileFile::load)
        .transpose()?)
}

/// Writes data to standard output; a closed pipe comes back as its own error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(write_failed)
}

/// Writes bytes to standard output as they are: a report need not be text.
fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(write_failed)
}

fn write_failed(error: io::Error) -> anyhow::Error {
    anyhow::Error::new(error).context("standard output could not be written")
}

/// Writes a file under a temporary name and then gives it its own: all of it or nothing.
fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("`{}` could not be written", path.display());
    if path.is_dir() {
        bail!("`{}` is a folder", path.display());
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut temporary = temporary(0o666).tempfile_in(folder).with_context(failed)?;
    temporary.write_all(bytes).with_context(failed)?;
    temporary.as_file().sync_all().with_context(failed)?;
    temporary
        .persist(path)
        .map_err(|error| error.error)
        .with_context(failed)?;
    Ok(())
}

/// What becomes a file or folder under its own name. That is for others to read too; the mode
/// asked for is narrowed by the umask.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "modes are those of Unix")
)]
fn temporary(mode: u32) -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    builder
}

/// The first lines of a text: what the paytable calls itself, and its identity.
fn heading(paytable: &PaytableId) -> String {
    format!(
        "{}\nsha256 {}\n",
        textwrap::fill(&paytable.name, 80),
        paytable.sha256
    )
}

/// Rows as CSV text.
fn csv_text<R: AsRef<[String]>>(
    header: &[&str],
    rows: impl IntoIterator<Item = R>,
) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row.as_ref())?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

impl From<EngineArgument> for EngineKind {
    fn from(argument: EngineArgument) -> Self {
        match argument {
            EngineArgument::Auto => Self::Auto,
            EngineArgument::Avx512 => Self::Avx512,
            EngineArgument::Avx2 => Self::Avx2,
            EngineArgument::Scalar => Self::Scalar,
            EngineArgument::Reference => Self::Reference,
        }
    }
}

impl From<GeneratorArgument> for Generator {
    fn from(argument: GeneratorArgument) -> Self {
        match argument {
            GeneratorArgument::Xoshiro256PlusPlus => Self::Xoshiro256PlusPlus,
            GeneratorArgument::ChaCha8 => Self::ChaCha8,
        }
    }
}

/// The generator's name after a seed, where it is not the default one.
fn generator_note(name: &str) -> String {
    if name == Generator::default().name() {
        String::new()
    } else {
        format!(", {name}")
    }
}
