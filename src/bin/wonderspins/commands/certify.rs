//! `certify`: the main job.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use wonderspins::document::CheckVerdict;
use wonderspins::exact::distribution::{DistributionError, DistributionOptions, distributions};
use wonderspins::report::{self, ReportFile};
use wonderspins::verify::{self, CertificateParts};
use wonderspins::{exact, regulation};

use super::{load, print, summary};
use crate::args::Certify;
use crate::config;
use crate::exit::ExitStatus;
use crate::playing::{self, Playing};
use crate::{message, progress};

pub(crate) fn run(args: &Certify, quiet: bool) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let paytable = &file.paytable;
    let triggers = config::triggers(paytable, args.trigger.trigger)?;
    let seed = args.seed.resolve(paytable);
    let created = created()?;
    let out = args.out.clone().unwrap_or_else(|| {
        Path::new("reports").join(format!("{}-{}", file.slug, &paytable.sha256()[..8]))
    });
    // The folder is tried before anything is computed, so a long run cannot end in vain.
    let folder = Folder::open(&out)?;
    let stored = playing::stored(&args.run, quiet)?;
    let mut playing = Playing::begin(paytable, &triggers, seed.value, &args.run, stored, quiet)?;
    message::note(quiet, &format!("seed {} ({})", seed.value, seed.origin));

    let mut exact_results = exact::solve_all(paytable)?;
    // The clauses concern the whole paytable, also where one trigger alone is simulated.
    let findings = regulation::judge_with(paytable, &verify::return_splits(&exact_results));
    exact_results.retain(|exact| triggers.contains(&exact.trigger));
    for trigger in paytable
        .declared
        .keys()
        .filter(|trigger| !triggers.contains(trigger))
    {
        message::note(
            quiet,
            &format!("the figures of `[declared.{trigger}]` are not compared without that trigger"),
        );
    }
    let distributions =
        match distributions(paytable, &exact_results, &DistributionOptions::default()) {
            Err(fault @ DistributionError::Contradiction { .. }) => return Err(fault.into()),
            found => found,
        };
    progress::catch_interrupts(quiet)?;
    let mut simulations = Vec::new();
    for &trigger in &triggers {
        let simulation = playing.play(trigger)?;
        if simulation.is_partial || progress::is_interrupted() {
            bail!(
                "the run was interrupted: no certificate was written{}",
                playing.how_to_go_on()
            );
        }
        simulations.push(simulation);
    }
    let certificate = verify::certify(&CertificateParts {
        file: &file,
        findings: &findings,
        exact: &exact_results,
        distributions: distributions.as_deref(),
        simulations: &simulations,
        seed: &seed,
        level: args.run.level.0,
        alpha: args.alpha.0,
        strict: args.strict,
        created,
    })?;
    folder.write(&report::render(&certificate)?)?;
    print(&summary::text(&certificate, &out))?;
    Ok(match certificate.verdict {
        CheckVerdict::Pass => ExitStatus::Success,
        CheckVerdict::Fail | CheckVerdict::Inconclusive => ExitStatus::CheckFailed,
    })
}

/// The creation time, only where `SOURCE_DATE_EPOCH` gives it: the clock must not enter,
/// since the same inputs give the same bytes.
fn created() -> anyhow::Result<Option<String>> {
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH") else {
        return Ok(None);
    };
    let seconds = text
        .to_str()
        .and_then(|text| text.parse::<i64>().ok())
        .and_then(|seconds| jiff::Timestamp::from_second(seconds).ok())
        .with_context(|| {
            format!(
                "`SOURCE_DATE_EPOCH` is {}, expected seconds since 1970",
                text.display()
            )
        })?;
    Ok(Some(seconds.to_string()))
}

/// The folder of a certificate. Unless it was written to, dropping it takes away the
/// folders that opening it made.
pub(super) struct Folder {
    path: PathBuf,
    /// Folders that did not exist before, outermost first.
    made: Vec<PathBuf>,
}

impl Folder {
    /// Makes the folder and tries that it can be written.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let failed = || format!("the folder `{}` cannot be written", path.display());
        let missing = path
            .ancestors()
            .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists());
        let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        made.reverse();
        let folder = Self {
            path: path.to_owned(),
            made,
        };
        fs::create_dir_all(path).with_context(failed)?;
        tempfile::NamedTempFile::new_in(path).with_context(failed)?;
        Ok(folder)
    }

    /// Writes all files or none: each is complete and synced under a temporary name
    /// before the first gets its own.
    pub(super) fn write(mut self, files: &[ReportFile]) -> anyhow::Result<()> {
        let mut staged = Vec::new();
        for file in files {
            let target = self.path.join(&file.name);
            let failed = || format!("`{}` could not be written", target.display());
            if target.is_dir() {
                bail!("`{}` is a folder", target.display());
            }
            let mut temporary = temporary().tempfile_in(&self.path).with_context(failed)?;
            temporary.write_all(&file.bytes).with_context(failed)?;
            temporary.as_file().sync_all().with_context(failed)?;
            staged.push((temporary, target));
        }
        self.made.clear();
        for (temporary, target) in staged {
            temporary
                .persist(&target)
                .map_err(|error| error.error)
                .with_context(|| format!("`{}` could not be written", target.display()))?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        for folder in self.made.iter().rev() {
            // A folder that something else was put into stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Temporary files that become reports. Those are for others to read; the mode asked for
/// is narrowed by the umask.
pub(super) fn temporary() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}
