//! Progress of a simulation: a bar on a terminal, a plain line every few seconds
//! elsewhere, nothing when quiet; and the interrupt.

use std::io::{IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use wonderspins::engine::{Observer, Progress};
use wonderspins::rules::Trigger;

/// Set by the first interrupt; the engine stops after the batches under way.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How often a plain line is printed where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Makes the first Ctrl-C stop a run cleanly and the second one end the process.
pub(crate) fn catch_interrupts() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            #[expect(clippy::exit, reason = "the second interrupt asks for an end at once")]
            std::process::exit(2);
        }
    })?;
    Ok(())
}

/// Whether an interrupt came.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Shows the progress of one run.
pub(crate) struct Reporter {
    trigger: Trigger,
    display: Display,
}

enum Display {
    Silent,
    Bar(ProgressBar),
    Lines {
        started: Instant,
        last: Mutex<Instant>,
    },
}

impl Reporter {
    /// A reporter for a run of `rounds` rounds.
    pub(crate) fn new(trigger: Trigger, rounds: u64, quiet: bool) -> Self {
        let display = if quiet {
            Display::Silent
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(rounds), ProgressDrawTarget::stderr());
            let template = "{prefix} {wide_bar} {percent:>3} %  {eta} left  {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_prefix(format!("{trigger} Wonderspins"));
            Display::Bar(bar)
        } else {
            let now = Instant::now();
            Display::Lines {
                started: now,
                last: Mutex::new(now),
            }
        };
        Self { trigger, display }
    }

    /// Ends the display.
    pub(crate) fn finish(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Reporter {
    fn progress(&self, progress: &Progress) -> ControlFlow<()> {
        let mean = mean_meter(progress);
        match &self.display {
            Display::Silent => {}
            Display::Bar(bar) => {
                bar.set_message(format!(
                    "{} rounds/s  mean {mean:.4}",
                    rate(progress, bar.elapsed())
                ));
                bar.set_position(progress.rounds_done);
            }
            Display::Lines { started, last } => {
                if let Ok(mut last) = last.lock()
                    && last.elapsed() >= LINE_INTERVAL
                {
                    *last = Instant::now();
                    let _ = writeln!(
                        std::io::stderr(),
                        "{}",
                        plain_line(self.trigger, progress, started.elapsed())
                    );
                }
            }
        }
        if is_interrupted() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for the eye")]
fn rounds_per_second(progress: &Progress, elapsed: Duration) -> f64 {
    progress.rounds_done as f64 / elapsed.as_secs_f64().max(1e-9)
}

/// A rate in three digits: `25.1 M`.
fn rate(progress: &Progress, elapsed: Duration) -> String {
    format!("{:.1} M", rounds_per_second(progress, elapsed) / 1e6)
}

#[expect(clippy::cast_precision_loss, reason = "numbers for the eye")]
fn plain_line(trigger: Trigger, progress: &Progress, elapsed: Duration) -> String {
    let (done, planned) = (progress.rounds_done as f64, progress.rounds_planned as f64);
    format!(
        "{trigger} Wonderspins: {:.0} % of {planned:.3e} rounds, {} rounds/s, {:.0} s left, mean meter {:.4}",
        100.0 * done / planned,
        rate(progress, elapsed),
        (planned - done) / rounds_per_second(progress, elapsed).max(1e-9),
        mean_meter(progress),
    )
}

#[expect(clippy::cast_precision_loss, reason = "a running mean for the eye")]
fn mean_meter(progress: &Progress) -> f64 {
    progress.sum_meter as f64 / progress.rounds_done.max(1) as f64
}
