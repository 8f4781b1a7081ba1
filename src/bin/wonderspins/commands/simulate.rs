//! `simulate`: the simulator alone.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, bail};
use wonderspins::document::{Performance, ResultPlan, SimulateDocument, to_json};
use wonderspins::engine::{self, Seed, Shard, Simulation, Tally};
use wonderspins::paytable::{Paytable, PaytableFile};
use wonderspins::report::format::{figure, grouped};
use wonderspins::rules::Trigger;
use wonderspins::shards::{Paytables, Piece, Run, result_document, result_triggers};
use wonderspins::verify::{LEAST_EXPECTED, SimulatedFigures, rarest_expected, result_trigger};

use super::results::{self, Part};
use super::{forecast, load, print};
use crate::args::{Format, Simulate};
use crate::config::{self, draw_seed};
use crate::exit::ExitStatus;
use crate::playing::{self, Playing, Stored, Wanted};
use crate::values::PositiveDecimal;
use crate::{message, progress};

pub(crate) fn run(args: &Simulate, quiet: bool) -> anyhow::Result<ExitStatus> {
    if args.plan {
        return forecast::run(args, quiet);
    }
    let file = load(&args.paytable.paytable)?;
    let triggers = config::triggers(&file.paytable, args.trigger.trigger)?;
    let shard = shard(args, quiet)?;
    let stored = playing::stored(&args.run, quiet)?;
    let (seed, origin) = seed(args, &file.paytable, stored.as_ref(), shard)?;
    let wanted = Wanted {
        paytable: &file.paytable,
        triggers: &triggers,
        seed: seed.value,
        rounds: args.run.rounds.0,
        shard,
    };
    if shard.is_some() || args.output.is_some() {
        return run_kept(args, &file, &seed, &wanted, stored, quiet);
    }
    let mut playing = Playing::begin(&wanted, &args.run, stored, quiet)?;
    message::note(quiet, &format!("seed {} ({origin})", seed.value));
    progress::catch_interrupts(quiet)?;
    let started = Instant::now();
    let mut results = Vec::new();
    let mut engines = Vec::new();
    let target = args
        .run
        .target_half_width
        .as_ref()
        .map(PositiveDecimal::to_f64);
    let first_look = engine::looks(wanted.rounds).next().unwrap_or(wanted.rounds);
    let figures_of = |tally: &Tally, trigger| -> anyhow::Result<SimulatedFigures> {
        let paytable = &file.paytable;
        let terms = paytable.terms(trigger).expect("a trigger of the paytable");
        let figures = SimulatedFigures::new(tally, paytable.payout, terms, args.run.level())?;
        Ok(match target {
            Some(_) => figures.sequential(tally.rounds(), tally.rounds().min(first_look))?,
            None => figures,
        })
    };
    let mut is_wide = false;
    for &trigger in &triggers {
        let simulation = match target {
            Some(target) => playing.play_until(trigger, &|tally| {
                Ok(figures_of(tally, trigger)?.rtp.half_width() <= target)
            })?,
            None => playing.play(trigger)?,
        };
        note_engine(&mut engines, &simulation);
        let figures = figures_of(&simulation.tally, trigger)?;
        if let Some(target) = target
            && !simulation.is_partial
            && figures.rtp.half_width() > target
        {
            is_wide = true;
            warn_of_width(&simulation, &figures, target, quiet);
        }
        warn_of_rare(&file.paytable, trigger, &figures, quiet);
        results.push(result_trigger(&simulation, Some(&figures)));
        if simulation.is_partial {
            break;
        }
    }
    let performance = performance(started, playing.rounds_played(), engines.join(", "));
    let speed = speed(&performance);
    let is_complete =
        results.len() == triggers.len() && results.iter().all(|result| result.complete);
    let document = SimulateDocument::new(&file, is_complete, results, Some(performance));
    match args.format.unwrap_or(Format::Text) {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&results::csv(&document.triggers)?)?,
        Format::Text => {
            let part = Part::Whole { is_complete };
            print(&results::text(
                &document.paytable,
                &part,
                &document.triggers,
            ))?;
        }
    }
    message::note(quiet, &speed);
    if !is_complete {
        message::note(
            quiet,
            &format!(
                "the run was interrupted; the result is partial{}",
                playing.how_to_go_on()
            ),
        );
        return Ok(ExitStatus::CheckFailed);
    }
    Ok(if is_wide {
        ExitStatus::CheckFailed
    } else {
        ExitStatus::Success
    })
}

/// The shard asked for, found where a scheduler is to name it.
fn shard(args: &Simulate, quiet: bool) -> anyhow::Result<Option<Shard>> {
    let Some(argument) = args.shard else {
        return Ok(None);
    };
    let (shard, scheduler) = argument.resolve()?;
    if let Some(scheduler) = scheduler {
        let variable = scheduler.variable();
        message::note(quiet, &format!("shard {shard}, by `{variable}`"));
    }
    Ok(Some(shard))
}

/// The seed and the words for its origin.
fn seed(
    args: &Simulate,
    paytable: &Paytable,
    stored: Option<&Stored>,
    shard: Option<Shard>,
) -> anyhow::Result<(Seed, String)> {
    let seed = match (&args.seed, stored) {
        (Some(seed), _) => seed.resolve(paytable),
        (None, Some(stored)) => {
            return Ok((Seed::given(stored.seed()), "of the checkpoint".to_owned()));
        }
        (None, None) if shard.is_some() => bail!(
            "a shard needs the seed of its run, `--seed N` or `--seed derived`: one that is drawn \
             would be another one for each shard"
        ),
        (None, None) => draw_seed()?,
    };
    let origin = seed.origin.to_string();
    Ok((seed, origin))
}

/// Plays a shard, or a run that is kept in a file: the result has leaves and no times, and is
/// complete or not there.
fn run_kept(
    args: &Simulate,
    file: &PaytableFile,
    seed: &Seed,
    wanted: &Wanted<'_>,
    stored: Option<Stored>,
    quiet: bool,
) -> anyhow::Result<ExitStatus> {
    let mut playing = Playing::begin(wanted, &args.run, stored, quiet)?;
    let plan = ResultPlan::new(
        &playing.plan(wanted.triggers[0]),
        &seed.origin.to_string(),
        args.run.level(),
    );
    let run = Run {
        file: Arc::new(file.clone()),
        plan,
        triggers: wanted.triggers.to_vec(),
    };
    if let Some(path) = &args.output
        && is_there(path, &run, wanted.shard)?
    {
        let text = format!(
            "`{}` is this result already: nothing is played",
            path.display()
        );
        message::note(quiet, &text);
        return Ok(ExitStatus::Success);
    }
    message::note(quiet, &format!("seed {} ({})", seed.value, seed.origin));
    progress::catch_interrupts(quiet)?;
    let started = Instant::now();
    let mut simulations = Vec::new();
    let mut engines = Vec::new();
    for &trigger in wanted.triggers {
        let simulation = playing.play(trigger)?;
        if simulation.is_partial || progress::is_interrupted() {
            bail!(
                "the run was interrupted: no result was written{}",
                playing.how_to_go_on()
            );
        }
        note_engine(&mut engines, &simulation);
        simulations.push(simulation);
    }
    let performance = performance(started, playing.rounds_played(), engines.join(", "));
    let mut document = result_document(file, run.plan, wanted.shard, &simulations)?;
    if let Some(path) = &args.output {
        results::keep(path, &mut document)?;
    }
    let format = match args.format {
        None if args.output.is_none() => Some(Format::Json),
        format => format,
    };
    let part = match wanted.shard {
        Some(_) => Part::Shard(&document),
        None => Part::Whole { is_complete: true },
    };
    let text = match format {
        None => String::new(),
        Some(Format::Text) => results::text(&file.into(), &part, &document.triggers),
        Some(Format::Csv) => results::csv(&document.triggers)?,
        Some(Format::Json) if wanted.shard.is_some() => document.sealed_text(),
        Some(Format::Json) => {
            let triggers = result_triggers(&file.paytable, &simulations, args.run.level())?;
            let performance = Some(performance.clone());
            to_json(&SimulateDocument::new(file, true, triggers, performance))
        }
    };
    print(&text)?;
    message::note(quiet, &speed(&performance));
    Ok(ExitStatus::Success)
}

/// Whether a file holds just the result that is wanted; one that holds anything else is not
/// to be overwritten.
fn is_there(path: &Path, run: &Run, shard: Option<Shard>) -> anyhow::Result<bool> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => {
            return Err(error).with_context(|| format!("`{}` cannot be read", path.display()));
        }
    };
    let in_the_way = || format!("`{}` exists and is not this result", path.display());
    let piece = Piece::read(&bytes, &Paytables::new()).with_context(in_the_way)?;
    if let Some(difference) = piece.run.difference(run) {
        bail!(
            "{}: it has another {}: found {}, expected {}",
            in_the_way(),
            difference.what,
            difference.found,
            difference.expected
        );
    }
    if piece.shard != shard {
        let name = |shard: Option<Shard>| {
            shard.map_or("the whole run".to_owned(), |shard| format!("shard {shard}"))
        };
        bail!(
            "{}: it is {}, expected {}",
            in_the_way(),
            name(piece.shard),
            name(shard)
        );
    }
    Ok(true)
}

fn note_engine(engines: &mut Vec<&'static str>, simulation: &Simulation) {
    let name = simulation.engine.name();
    if !engines.contains(&name) && simulation.tally.rounds() > 0 {
        engines.push(name);
    }
}

/// A note where the run ended before its interval was narrow enough.
fn warn_of_width(simulation: &Simulation, figures: &SimulatedFigures, target: f64, quiet: bool) {
    message::note(
        quiet,
        &format!(
            "half the interval of the RTP of {} Wonderspins is {} after {} rounds: more than the {} asked for",
            simulation.plan.trigger,
            figure(figures.rtp.half_width(), 3),
            grouped(&simulation.tally.rounds().to_string()),
            figure(target, 3)
        ),
    );
}

/// A note where the run is too short for its rarest outcome.
fn warn_of_rare(paytable: &Paytable, trigger: Trigger, figures: &SimulatedFigures, quiet: bool) {
    let spins = figures.mean_spins.estimate;
    let rarest = rarest_expected(paytable, trigger, figures.rounds, spins);
    if rarest < LEAST_EXPECTED {
        message::note(
            quiet,
            &format!(
                "the rarest outcome of a spin is expected {rarest:.1} times in these rounds of {trigger} \
                 Wonderspins: intervals for mean and variance may be far too narrow"
            ),
        );
    }
}

/// Time and speed of this session: rounds that a checkpoint brought do not count.
#[expect(clippy::cast_precision_loss, reason = "a rate for the eye")]
fn performance(started: Instant, rounds: u64, engine: String) -> Performance {
    let seconds = started.elapsed().as_secs_f64();
    Performance {
        seconds,
        rounds_per_second: rounds as f64 / seconds.max(1e-9),
        threads: rayon::current_num_threads(),
        engine,
    }
}

fn speed(performance: &Performance) -> String {
    if performance.engine.is_empty() {
        return "there were no rounds to play".to_owned();
    }
    format!(
        "{:.2} s, {:.2e} rounds/s on {} threads, engine {}",
        performance.seconds, performance.rounds_per_second, performance.threads, performance.engine
    )
}
