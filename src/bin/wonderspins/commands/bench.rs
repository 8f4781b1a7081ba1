//! `bench`: how fast rounds are played, and whether that has become slower.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wonderspins::bench::{self, BenchPlan};
use wonderspins::document::{
    BenchDocument, BenchResult, BenchTrigger, ChangeVerdict, Comparison, ComparisonVerdict, to_json,
};
use wonderspins::engine::EngineKind;
use wonderspins::report::format::{figure, percent};
use wonderspins::report::tracker;

use super::{heading, load, print};
use crate::args::{Bench, BenchFormat};
use crate::exit::ExitStatus;
use crate::{config, message, table};

/// The seed of every sample: what is played must not differ between runs that are compared.
const SEED: u64 = 1;

pub(crate) fn run(args: &Bench, quiet: bool) -> anyhow::Result<ExitStatus> {
    // A recorded run that cannot be read must not cost the time of a measurement.
    let old = args.compare.as_deref().map(recorded).transpose()?;
    let mut document = match &args.from {
        Some(path) => recorded(path)?,
        None => measure(args, old.clone(), quiet)?,
    };
    document.comparison = old
        .map(|old| bench::compare(&old, &document, args.max_regression.0))
        .transpose()?;
    match args.format {
        BenchFormat::Text => print(&text(&document))?,
        BenchFormat::Json => print(&to_json(&document))?,
        BenchFormat::Github => print(&tracker::github(&document))?,
        BenchFormat::Bencher => print(&tracker::bencher(&document))?,
        BenchFormat::Hyperfine => print(&tracker::hyperfine(&document))?,
    }
    let Some(comparison) = &document.comparison else {
        return Ok(ExitStatus::Success);
    };
    if args.format != BenchFormat::Text {
        message::note(quiet, conclusion(comparison.verdict));
    }
    let is_failure = match comparison.verdict {
        ComparisonVerdict::Within => false,
        ComparisonVerdict::Regression => true,
        ComparisonVerdict::Unclear | ComparisonVerdict::Incomparable => args.strict,
    };
    Ok(if is_failure {
        ExitStatus::CheckFailed
    } else {
        ExitStatus::Success
    })
}

/// A recorded run.
fn recorded(path: &Path) -> anyhow::Result<BenchDocument> {
    let shown = path.display();
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read the recorded run `{shown}`"))?;
    bench::read(&text).with_context(|| format!("`{shown}` is not a recorded run of `bench`"))
}

fn measure(
    args: &Bench,
    same_work_as: Option<BenchDocument>,
    quiet: bool,
) -> anyhow::Result<BenchDocument> {
    let file = load(&args.paytable.paytable)?;
    if cfg!(debug_assertions) {
        message::note(
            quiet,
            "this build checks its own assertions: its speed says nothing about a release build",
        );
    }
    let engines: Vec<EngineKind> = if args.engine.is_empty() {
        // `auto` is one of the others.
        EngineKind::ALL
            .into_iter()
            .filter(|&engine| engine != EngineKind::Auto)
            .collect()
    } else {
        let mut engines: Vec<EngineKind> = Vec::new();
        for &engine in &args.engine {
            if !engines.contains(&engine.into()) {
                engines.push(engine.into());
            }
        }
        engines
    };
    let plan = BenchPlan {
        triggers: config::triggers(&file.paytable, args.trigger.trigger)?,
        engines,
        forced: !args.engine.is_empty(),
        threads: rayon::current_num_threads(),
        seed: SEED,
        samples: usize::from(args.samples),
        duration: Duration::from_secs_f64(args.seconds.0),
        same_work_as,
    };
    // Nothing is drawn where there is no terminal: a line of text now and then would be
    // written in the middle of a sample.
    let bar = if quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr())
    };
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}") {
        bar.set_style(style);
    }
    let document = bench::measure(&file, &plan, &mut |step| {
        bar.set_length(step.planned as u64);
        bar.set_message(format!(
            "{} Wonderspins, {}, {} threads",
            step.trigger, step.engine, step.threads
        ));
        bar.set_position(step.done as u64);
    });
    bar.finish_and_clear();
    Ok(document?)
}

fn text(document: &BenchDocument) -> String {
    let mut text = heading(&document.paytable);
    text.push_str(&tracker::origin(document));
    text.push_str(&format!(
        "\nmedians of {} samples in turn, and the median distance from them (\u{b1});\n\
         CPU ns: processor time of a round; ratio: times as fast as straightforward\n",
        document.samples
    ));
    if document.triggers.iter().any(has_threads) {
        text.push_str("scaling: times as fast as on one thread\n");
    }
    for trigger in &document.triggers {
        let mut numbers: Vec<usize> = trigger.results.iter().map(|each| each.threads).collect();
        numbers.dedup();
        for threads in numbers {
            text.push_str(&speeds(trigger, threads));
        }
        for each in &trigger.unmeasured {
            text.push_str(&textwrap::fill(
                &format!("not measured: {} ({})", each.engine, each.reason),
                80,
            ));
            text.push('\n');
        }
    }
    if let Some(comparison) = &document.comparison {
        text.push_str(&changes(comparison));
    }
    text
}

fn has_threads(trigger: &BenchTrigger) -> bool {
    trigger.results.iter().any(|result| result.threads > 1)
}

/// The table of a trigger and a number of threads. On several threads it also says how many
/// times as fast as on one they are.
fn speeds(trigger: &BenchTrigger, threads: usize) -> String {
    let plural = if threads == 1 { "" } else { "s" };
    let mut header = vec![
        "",
        "M rounds/s",
        "\u{b1}",
        "M spins/s",
        "CPU ns",
        "ratio",
        "\u{b1}",
    ];
    if threads > 1 {
        header.push("scaling");
    }
    let mut table = table::numbers(&header);
    let of_threads = |each: &&BenchResult| each.threads == threads;
    for result in trigger.results.iter().filter(of_threads) {
        let rate = &result.rounds_per_second;
        let mut row = vec![
            engine_name(result),
            figure(rate.median / 1e6, 4),
            percent(rate.mad / rate.median, 1),
            figure(result.spins_per_second.median / 1e6, 4),
            result
                .cpu_nanoseconds_per_round
                .map_or_else(|| "-".to_owned(), |spread| figure(spread.median, 4)),
        ];
        match &result.ratio {
            Some(ratio) => row.extend([
                figure(ratio.median, 3),
                percent(ratio.mad / ratio.median, 1),
            ]),
            None => row.extend(["1".to_owned(), String::new()]),
        }
        if threads > 1 {
            row.push(over_one_thread(trigger, result));
        }
        table.add_row(row);
    }
    format!(
        "\n{} Wonderspins, {threads} thread{plural}\n{}",
        trigger.trigger,
        table::render(&table)
    )
}

fn engine_name(result: &BenchResult) -> String {
    match &result.played_by {
        Some(other) => format!("{} (played by {other})", result.engine),
        None => result.engine.clone(),
    }
}

/// How many times as fast as on one thread, by wall-clock time.
fn over_one_thread(trigger: &BenchTrigger, result: &BenchResult) -> String {
    trigger
        .results
        .iter()
        .find(|other| other.engine == result.engine && other.threads == 1)
        .map_or_else(String::new, |one| {
            figure(
                result.rounds_per_second.median / one.rounds_per_second.median,
                3,
            )
        })
}

fn changes(comparison: &Comparison) -> String {
    let mut text = format!(
        "\nagainst {} {} (commit {}), ratios of the least processor times,\n\
         a loss of {} allowed\n",
        comparison.tool.name,
        comparison.tool.version,
        comparison.tool.commit,
        percent(comparison.max_regression, 1),
    );
    let mut table = table::numbers(&[
        "trigger",
        "engine",
        "threads",
        "old",
        "new",
        "change",
        "interval, %",
        "",
    ]);
    for each in &comparison.changes {
        table.add_row([
            each.trigger.to_string(),
            each.engine.clone(),
            each.threads.to_string(),
            figure(each.old_ratio, 3),
            figure(each.new_ratio, 3),
            format!("{:+.1} %", each.change * 100.0),
            format!("{:+.1} to {:+.1}", each.lower * 100.0, each.upper * 100.0),
            match each.verdict {
                ChangeVerdict::Within => "within",
                ChangeVerdict::Regression => "REGRESSION",
                ChangeVerdict::Unclear => "unclear",
            }
            .to_owned(),
        ]);
    }
    text.push_str(&table::render(&table));
    for each in &comparison.missing {
        text.push_str(&format!(
            "not in this run, or with other rounds a sample: {each}\n"
        ));
    }
    text.push_str(conclusion(comparison.verdict));
    text.push('\n');
    text
}

const fn conclusion(verdict: ComparisonVerdict) -> &'static str {
    match verdict {
        ComparisonVerdict::Within => "no regression against the recorded run",
        ComparisonVerdict::Regression => "a regression against the recorded run",
        ComparisonVerdict::Unclear => {
            "the samples scatter too much to rule a regression out: more --seconds or --samples"
        }
        ComparisonVerdict::Incomparable => {
            "not judged: the recorded run is of another processor or build profile"
        }
    }
}
