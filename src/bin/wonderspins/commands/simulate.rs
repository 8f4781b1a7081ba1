//! `simulate`: the simulator alone.

use std::time::Instant;

use wonderspins::document::{DetailJson, Performance, SimulateDocument, to_json};
use wonderspins::engine::{self, Simulation, Tally};
use wonderspins::paytable::Paytable;
use wonderspins::report::format::{figure, grouped, level, percent};
use wonderspins::rules::Trigger;
use wonderspins::verify::{LEAST_EXPECTED, SimulatedFigures, rarest_expected, simulate_trigger};

use super::{csv_text, generator_note, load, print};
use crate::args::{Format, Simulate};
use crate::config::{self, draw_seed};
use crate::exit::ExitStatus;
use crate::playing::{self, Playing};
use crate::values::PositiveDecimal;
use crate::{message, progress, table};

pub(crate) fn run(args: &Simulate, quiet: bool) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let triggers = config::triggers(&file.paytable, args.trigger.trigger)?;
    let stored = playing::stored(&args.run, quiet)?;
    let (seed, origin) = match (&args.seed, &stored) {
        (Some(seed), _) => {
            let seed = seed.resolve(&file.paytable);
            (seed.value, seed.origin.to_string())
        }
        (None, Some(stored)) => (stored.seed(), "of the checkpoint".to_owned()),
        (None, None) => {
            let seed = draw_seed()?;
            (seed.value, seed.origin.to_string())
        }
    };
    let rounds = args.run.rounds.0;
    let mut playing = Playing::begin(
        &file.paytable,
        &triggers,
        seed,
        &args.run,
        rounds,
        stored,
        quiet,
    )?;
    message::note(quiet, &format!("seed {seed} ({origin})"));
    progress::catch_interrupts(quiet)?;
    let started = Instant::now();
    let mut results = Vec::new();
    let mut engines = Vec::new();
    let target = args
        .run
        .target_half_width
        .as_ref()
        .map(PositiveDecimal::to_f64);
    let first_look = engine::looks(rounds).next().unwrap_or(rounds);
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
        if !engines.contains(&simulation.engine.name()) {
            engines.push(simulation.engine.name());
        }
        let figures = figures_of(&simulation.tally, trigger)?;
        if let Some(target) = target
            && !simulation.is_partial
            && figures.rtp.half_width() > target
        {
            is_wide = true;
            warn_of_width(&simulation, &figures, target, quiet);
        }
        warn_of_rare(&file.paytable, trigger, &figures, quiet);
        results.push(simulate_trigger(&simulation, &figures));
        if simulation.is_partial {
            break;
        }
    }
    let performance = performance(started, playing.rounds_played(), engines.join(", "));
    let is_complete =
        results.len() == triggers.len() && results.iter().all(|result| result.complete);
    let document = SimulateDocument::new(&file, is_complete, results, performance);
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv(&document)?)?,
        Format::Text => print(&text(&document))?,
    }
    message::note(quiet, &speed(&document.performance));
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
    format!(
        "{:.2} s, {:.2e} rounds/s on {} threads, engine {}",
        performance.seconds, performance.rounds_per_second, performance.threads, performance.engine
    )
}

fn csv(document: &SimulateDocument) -> anyhow::Result<String> {
    let rows = document.triggers.iter().flat_map(|trigger| {
        let meters = trigger.histogram.iter().map(|entry| {
            [
                trigger.trigger.to_string(),
                trigger.complete.to_string(),
                "meter".to_owned(),
                entry.meter.to_string(),
                entry.rounds.clone(),
            ]
        });
        let spins = trigger.spins_histogram.iter().map(|entry| {
            [
                trigger.trigger.to_string(),
                trigger.complete.to_string(),
                "spins".to_owned(),
                entry.spins.to_string(),
                entry.rounds.clone(),
            ]
        });
        meters.chain(spins)
    });
    csv_text(
        &["trigger", "complete", "quantity", "value", "rounds"],
        rows,
    )
}

fn text(document: &SimulateDocument) -> String {
    let mut text = super::heading(&document.paytable);
    if !document.complete {
        text.push_str("interrupted: what follows is what was played until then\n");
    }
    for trigger in &document.triggers {
        text.push_str(&format!(
            "\n{} Wonderspins: {} rounds{}, seed {}{}\n",
            trigger.trigger,
            grouped(&trigger.rounds.to_string()),
            if trigger.complete { "" } else { " (partial)" },
            trigger.seed,
            generator_note(&trigger.generator)
        ));
        let level = level(trigger.mean_meter.level);
        let mut table = table::numbers(&["", "estimate", "std error", "interval at", &level]);
        for (name, estimate) in [
            ("mean meter", &trigger.mean_meter),
            ("variance of the meter", &trigger.variance_meter),
            ("hit frequency", &trigger.hit_frequency),
            ("mean spins", &trigger.mean_spins),
            ("gross return given the trigger", &trigger.rtp_conditional),
            ("overall RTP (gross)", &trigger.rtp),
        ] {
            table.add_row([
                name.to_owned(),
                figure(estimate.estimate, 8),
                figure(estimate.std_error, 2),
                figure(estimate.lower, 8),
                figure(estimate.upper, 8),
            ]);
        }
        text.push_str(&table::render(&table));
        text.push_str(&format!(
            "largest meter {} in round {}\ndigest {}\n",
            trigger.max_meter,
            grouped(&trigger.max_round.to_string()),
            trigger.digest
        ));
        if let Some(detail) = &trigger.detail {
            text.push_str(&contributions(detail));
        }
    }
    text
}

/// What the hits of each character paid and what each source added, in the rounds that
/// were watched.
#[expect(clippy::cast_precision_loss, reason = "shares for the eye")]
fn contributions(detail: &DetailJson) -> String {
    let sum = |text: &str| text.parse::<i128>().unwrap_or_default() as f64;
    let total: f64 = detail.source.iter().map(|part| sum(&part.sum)).sum();
    let rounds = detail.rounds as f64;
    // A meter that is always zero has no parts.
    let share = |part: f64| if total > 0.0 { part / total } else { 0.0 };
    let watched = format!("in {} rounds", grouped(&detail.rounds.to_string()));
    let mut table = table::numbers(&[&watched, "hits", "meter a round", "share"]);
    let mut add = |name: &str, hits: String, part: &str| {
        let part = sum(part);
        table.add_row([
            name.to_owned(),
            hits,
            figure(part / rounds, 8),
            percent(share(part), 4),
        ]);
    };
    for part in &detail.character {
        add(&part.character, grouped(&part.hits), &part.sum_meter);
    }
    for part in &detail.source {
        add(&part.source, String::new(), &part.sum);
    }
    format!(
        "\n{}detail digest {}\n",
        table::render(&table),
        detail.digest
    )
}
