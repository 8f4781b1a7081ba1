//! `certify`: the main job.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use wonderspins::commitment::SIDE_FILE_NAME;
use wonderspins::document::CheckVerdict;
use wonderspins::engine::{Seed, Simulation};
use wonderspins::paytable::{PaytableFile, builtin, slug};
use wonderspins::regulation::ProfileFile;
use wonderspins::report::format::grouped;
use wonderspins::report::{self, ReportFile};
use wonderspins::rules::Trigger;
use wonderspins::shards::{Paytables, Piece, Run};
use wonderspins::stats::two_sided_z;
use wonderspins::verify::{self, Asked, Origin, Settings, Terms, Theory};

use super::signature::SigningKey;
use super::{load, load_profile, print, summary, temporary};
use crate::args::{Certify, RunChoice};
use crate::config::{self, Level};
use crate::exit::ExitStatus;
use crate::playing::{self, Playing, Wanted};
use crate::{message, progress};

pub(crate) fn run(args: &Certify, quiet: bool) -> anyhow::Result<ExitStatus> {
    let created = created()?;
    match &args.from {
        Some(path) => certify_result(args, path, created, quiet),
        None => certify_played(args, created, quiet),
    }
}

/// Plays the run and certifies it.
fn certify_played(
    args: &Certify,
    created: Option<String>,
    quiet: bool,
) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let paytable = &file.paytable;
    let profile = load_profile(&args.limits)?;
    let settings = settings(args, profile.as_ref(), args.run.level);
    // A profile may have given the level.
    let run = RunChoice {
        level: Some(Level(settings.level.value)),
        ..args.run.clone()
    };
    let triggers = config::triggers(paytable, args.trigger.trigger)?;
    let seed = args.seed.resolve(paytable);
    let output = Output::open(args, &file, &file.slug, quiet)?;
    let stored = playing::stored(&run, quiet)?;
    // A fresh checkpoint is made before theory takes its time, so that a path that cannot be
    // written is told at once; a target needs theory to know the rounds, and has none.
    let begin = |rounds, stored| {
        let wanted = Wanted {
            paytable,
            triggers: &triggers,
            seed: seed.value,
            rounds,
            shard: None,
        };
        Playing::begin(&wanted, &run, stored, quiet)
    };
    message::note(quiet, &format!("seed {} ({})", seed.value, seed.origin));
    let (mut playing, theory) = match &args.run.target_half_width {
        None => {
            let playing = begin(args.run.rounds.0, stored)?;
            (playing, Theory::compute(&file, &triggers)?)
        }
        Some(target) => {
            let theory = Theory::compute(&file, &triggers)?;
            let rounds = rounds_for(target.to_f64(), &theory, &file, &run)?;
            message::note(quiet, &format!("{} rounds", grouped(&rounds.to_string())));
            (begin(rounds, stored)?, theory)
        }
    };
    output.note_undeclared(&file, &triggers);
    let mut simulations = Vec::new();
    for &trigger in &triggers {
        if progress::is_interrupted() {
            bail!("interrupted before the first round: no certificate was written");
        }
        let simulation = playing.play(trigger)?;
        if simulation.is_partial || progress::is_interrupted() {
            bail!(
                "the run was interrupted: no certificate was written{}",
                playing.how_to_go_on()
            );
        }
        simulations.push(simulation);
    }
    let terms = Terms {
        seed: &seed,
        settings,
        profile: profile.as_ref(),
        strict: args.strict,
        created,
    };
    output.write(&file, &theory, &simulations, &terms)
}

/// The level to ask for, so that the intervals of a result keep theirs: none where it is the one
/// that a run with these options would have had.
fn level_of(
    of_result: f64,
    args: &Certify,
    profile: Option<&ProfileFile>,
) -> anyhow::Result<Option<Level>> {
    let unasked = settings(args, profile, None).level;
    let is_same = unasked.value.to_bits() == of_result.to_bits();
    if !is_same && unasked.from == Origin::Profile {
        bail!(
            "the intervals of the result are at the level {of_result}, the profile has {}: play with `--level {}`",
            unasked.value,
            unasked.value
        );
    }
    Ok((!is_same).then_some(Level(of_result)))
}

/// The levels and limits: what was asked for, else what the profile has.
fn settings(args: &Certify, profile: Option<&ProfileFile>, level: Option<Level>) -> Settings {
    let asked = Asked {
        level: level.map(|level| level.0),
        alpha: args.alpha.map(|alpha| alpha.0),
        award_limit: args.limits.award_limit,
    };
    Settings::new(profile.map(|file| &file.profile), asked)
}

/// Certifies a run that was played before, as a whole or in shards.
fn certify_result(
    args: &Certify,
    path: &Path,
    created: Option<String>,
    quiet: bool,
) -> anyhow::Result<ExitStatus> {
    let failed = || format!("`{}` is not the result of a whole run", path.display());
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let piece = Piece::read(&bytes, &Paytables::new())
        .and_then(Piece::whole)
        .with_context(failed)?;
    let Run {
        file,
        plan,
        triggers,
    } = &piece.run;
    let seed = Seed::stated(&file.paytable, piece.run.run_plan().seed, &plan.seed_origin)?;
    let slug = builtin::ALL
        .iter()
        .find(|builtin| builtin.text == file.text)
        .map_or_else(
            || slug(&path.to_string_lossy()),
            |builtin| builtin.name.to_owned(),
        );
    let output = Output::open(args, file, &slug, quiet)?;
    let theory = Theory::compute(file, triggers)?;
    if progress::is_interrupted() {
        bail!("interrupted: no certificate was written");
    }
    let profile = load_profile(&args.limits)?;
    let level = level_of(plan.confidence_level, args, profile.as_ref())?;
    let terms = Terms {
        seed: &seed,
        settings: settings(args, profile.as_ref(), level),
        profile: profile.as_ref(),
        strict: args.strict,
        created,
    };
    output.note_undeclared(file, triggers);
    output.write(file, &theory, &piece.simulations, &terms)
}

/// Where a certificate goes, tried before anything is computed, so that a long run cannot end
/// in vain.
struct Output {
    path: PathBuf,
    folder: Folder,
    key: Option<SigningKey>,
    quiet: bool,
}

impl Output {
    /// # Arguments
    /// - `slug`: of the paytable, for the name of the folder where none was asked for
    fn open(args: &Certify, file: &PaytableFile, slug: &str, quiet: bool) -> anyhow::Result<Self> {
        let path = args.out.clone().unwrap_or_else(|| {
            Path::new("reports").join(format!("{slug}-{}", &file.paytable.sha256()[..8]))
        });
        // From here on something is made that an interrupt must not leave behind.
        progress::catch_interrupts(quiet)?;
        Ok(Self {
            folder: Folder::open(&path)?,
            path,
            key: args.sign.as_deref().map(SigningKey::read).transpose()?,
            quiet,
        })
    }

    /// A note on declared figures of triggers that are left out.
    fn note_undeclared(&self, file: &PaytableFile, triggers: &[Trigger]) {
        for trigger in file
            .paytable
            .declared
            .keys()
            .filter(|trigger| !triggers.contains(trigger))
        {
            message::note(
                self.quiet,
                &format!(
                    "the figures of `[declared.{trigger}]` are not compared without that trigger"
                ),
            );
        }
    }

    /// Writes the certificate and everything beside it.
    fn write(
        self,
        file: &PaytableFile,
        theory: &Theory,
        simulations: &[Simulation],
        terms: &Terms<'_>,
    ) -> anyhow::Result<ExitStatus> {
        let (certificate, leaves) = verify::assemble(file, theory, simulations, terms)?;
        let mut files = vec![ReportFile {
            name: SIDE_FILE_NAME.to_owned(),
            bytes: leaves,
        }];
        files.extend(report::render(&certificate)?);
        if let Some(key) = &self.key {
            let signature = key.sign(&certificate.to_bytes())?;
            files.push(ReportFile {
                name: "certificate.json.minisig".to_owned(),
                bytes: signature.into_bytes(),
            });
        }
        self.folder.write(&files)?;
        print(&summary::text(&certificate, &self.path))?;
        Ok(match certificate.verdict {
            CheckVerdict::Pass => ExitStatus::Success,
            CheckVerdict::Fail | CheckVerdict::Inconclusive => ExitStatus::CheckFailed,
        })
    }
}

/// The rounds for which half the interval of every bet's RTP comes to at most the target, from
/// the exact standard deviations: known before a round is played, so every test and interval
/// of the certificate is one of a fixed number of rounds.
///
/// The interval uses the deviation of the run, so one round in a hundred is added, which is
/// more than it strays by from some hundred thousand rounds on.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a positive number below 2^53, rounded up before"
)]
fn rounds_for(
    target: f64,
    theory: &Theory,
    file: &PaytableFile,
    choice: &RunChoice,
) -> anyhow::Result<u64> {
    let z = two_sided_z(choice.level())?;
    let mut needed = 2.0_f64;
    for exact in &theory.exact {
        let terms = file
            .paytable
            .terms(exact.trigger)
            .expect("a trigger of the paytable");
        let std_dev = exact.returns.gross_std_dev.upper() * terms.probability().to_f64().value();
        needed = needed.max((1.01 * (z * std_dev / target).powi(2)).ceil());
    }
    let most = choice.rounds.0;
    if needed > most as f64 {
        bail!(
            "half an interval of {target} takes {needed:.2e} rounds, more than --rounds {}",
            grouped(&most.to_string())
        );
    }
    Ok(needed as u64)
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
            let mut temporary = temporary(0o666)
                .tempfile_in(&self.path)
                .with_context(failed)?;
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
