//! Progress of a simulation: a bar on a terminal, a plain line every few seconds
//! elsewhere, nothing when quiet; and the interrupt.
//!
//! The engine reports about twice a second, so what a report costs, some tens of
//! microseconds for the text and the terminal, stays far below 0.1 % of a run.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use jiff::SignedDuration;
use wonderspins::engine::Progress;
use wonderspins::report::format;
use wonderspins::stats::two_sided_z;

/// Set by the first interrupt; what is under way is finished.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Held while a file is written that must be whole.
static WRITING: Mutex<()> = Mutex::new(());

/// How often a plain line is printed where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Makes the first interrupt stop a run cleanly and the second one end the process.
///
/// Ctrl-C and SIGTERM are interrupts. SIGHUP is left as it was found: `nohup` has it
/// ignored, and a handler would undo that.
#[cfg(unix)]
pub(crate) fn catch_interrupts(quiet: bool) -> anyhow::Result<()> {
    use anyhow::Context as _;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let failed = "interrupts cannot be caught";
    let mut signals = Signals::new([SIGINT, SIGTERM]).context(failed)?;
    std::thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(move || signals.forever().for_each(|_| interrupt(quiet)))
        .context(failed)?;
    Ok(())
}

/// Makes the first interrupt stop a run cleanly and the second one end the process.
#[cfg(not(unix))]
pub(crate) fn catch_interrupts(quiet: bool) -> anyhow::Result<()> {
    ctrlc::set_handler(move || interrupt(quiet))?;
    Ok(())
}

fn interrupt(quiet: bool) {
    if INTERRUPTED.swap(true, Ordering::SeqCst) {
        // A checkpoint that is being written would leave its partial file.
        let _whole = hold_exit();
        #[expect(clippy::exit, reason = "the second interrupt asks for an end at once")]
        std::process::exit(2);
    }
    if !quiet {
        let text = "interrupted: finishing what is under way; once more stops at once";
        let _ = writeln!(std::io::stderr(), "note: {text}");
    }
}

/// Whether an interrupt came.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Keeps a second interrupt from ending the process until the guard is dropped.
pub(crate) fn hold_exit() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the progress of one run.
pub(crate) struct Reporter {
    title: String,
    started: Instant,
    /// Rounds that were done before; the rate is that of the others.
    rounds_before: u64,
    level: f64,
    z: f64,
    display: Display,
}

enum Display {
    Silent,
    Bar(ProgressBar),
    Lines(Mutex<Instant>),
}

impl Display {
    /// A display from `done` to `total`.
    fn new(title: &str, total: u64, done: u64, quiet: bool) -> Self {
        if quiet {
            Self::Silent
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr())
                .with_position(done);
            // Two lines: the figures need the width of a small terminal for themselves.
            if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar}\n{msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(title.to_owned());
            Self::Bar(bar)
        } else {
            Self::Lines(Mutex::new(Instant::now()))
        }
    }

    fn show(&self, title: &str, done: u64, line: impl FnOnce() -> String) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => {
                bar.set_message(line());
                bar.set_position(done);
            }
            Self::Lines(last) => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.elapsed() >= LINE_INTERVAL {
                    *last = Instant::now();
                    let _ = writeln!(std::io::stderr(), "{title}: {}", line());
                }
            }
        }
    }

    fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Reporter {
    /// A reporter for a run of `rounds` rounds, of which `rounds_before` are done.
    ///
    /// `level` is that of the interval of the running mean.
    pub(crate) fn new(
        title: &str,
        rounds: u64,
        rounds_before: u64,
        level: f64,
        quiet: bool,
    ) -> anyhow::Result<Self> {
        let started = Instant::now();
        let display = Display::new(title, rounds, rounds_before, quiet);
        Ok(Self {
            title: title.to_owned(),
            started,
            rounds_before,
            level,
            z: two_sided_z(level)?,
            display,
        })
    }

    /// Ends the display.
    pub(crate) fn finish(&self) {
        self.display.finish();
    }

    /// Shows how far the run is.
    pub(crate) fn show(&self, progress: &Progress) {
        self.display.show(&self.title, progress.rounds_done, || {
            self.line(progress, self.started.elapsed())
        });
    }

    /// `12.3 %, 25.1 M rounds/s, 1h 2m left, mean 16.2703 ± 0.0012 (99 %)`.
    #[expect(clippy::cast_precision_loss, reason = "numbers for the eye")]
    fn line(&self, progress: &Progress, elapsed: Duration) -> String {
        let played = progress.rounds_done - self.rounds_before;
        let rate = played as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = (progress.rounds_planned - progress.rounds_done) as f64 / rate.max(1e-9);
        let (mean, half_width) = mean_meter(progress, self.z);
        format!(
            "{:.1} %, {:.1} M rounds/s, {} left, mean {mean:.4} ± {half_width:.4} ({})",
            100.0 * progress.rounds_done as f64 / progress.rounds_planned.max(1) as f64,
            rate / 1e6,
            time(left),
            format::level(self.level)
        )
    }
}

/// Shows how many things of a number are done.
pub(crate) struct Counter {
    title: String,
    started: Instant,
    total: u64,
    done: AtomicU64,
    /// Of the total, what needs no work in this run.
    known: u64,
    display: Display,
}

impl Counter {
    /// A counter to `total`, of which `known` are done already.
    pub(crate) fn new(title: &str, total: u64, known: u64, quiet: bool) -> Self {
        Self {
            title: title.to_owned(),
            started: Instant::now(),
            total,
            done: AtomicU64::new(known),
            known,
            display: Display::new(title, total, known, quiet),
        }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.display.show(&self.title, done, || {
            self.line(done, self.started.elapsed())
        });
    }

    /// Ends the display.
    pub(crate) fn finish(&self) {
        self.display.finish();
    }

    /// `12.3 %, 1,230 of 10,000, 45.1 a second, 3m left`.
    #[expect(clippy::cast_precision_loss, reason = "numbers for the eye")]
    fn line(&self, done: u64, elapsed: Duration) -> String {
        let rate = (done - self.known) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.total.saturating_sub(done) as f64 / rate.max(1e-9);
        format!(
            "{:.1} %, {} of {}, {} a second, {} left",
            100.0 * done as f64 / self.total.max(1) as f64,
            format::grouped(&done.to_string()),
            format::grouped(&self.total.to_string()),
            format::figure(rate, 3),
            time(left)
        )
    }
}

/// Whole seconds in the units that matter: `1h 2m`.
fn time(seconds: f64) -> String {
    // Beyond a minute, seconds only flicker.
    let seconds = if seconds < 60.0 {
        seconds.ceil()
    } else {
        (seconds / 60.0).round() * 60.0
    };
    SignedDuration::try_from_secs_f64(seconds)
        .map_or_else(|_| "ages".to_owned(), |duration| format!("{duration:#}"))
}

/// The mean of the meters so far and z times its standard error.
#[expect(clippy::cast_precision_loss, reason = "a running mean for the eye")]
fn mean_meter(progress: &Progress, z: f64) -> (f64, f64) {
    let rounds = progress.rounds_done.max(1) as f64;
    let mean = progress.sum_meter as f64 / rounds;
    let variance = (progress.sum_meter_squared as f64 / rounds - mean * mean).max(0.0);
    (mean, z * (variance / rounds).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reporter(rounds_before: u64) -> Reporter {
        Reporter::new("2 Wonderspins", 1_000_000, rounds_before, 0.99, true).expect("a level")
    }

    /// Half of the meters are 3, half are 5: mean 4, variance 1, so the standard error is
    /// 1 / sqrt(500,000) = 0.001414, times 2.5758.
    #[test]
    fn a_line_counts_the_rounds_of_this_session() {
        let progress = Progress {
            rounds_done: 500_000,
            rounds_planned: 1_000_000,
            sum_meter: 2_000_000,
            sum_meter_squared: 8_500_000,
        };
        let ten_seconds = Duration::from_secs(10);
        assert_eq!(
            reporter(0).line(&progress, ten_seconds),
            "50.0 %, 0.1 M rounds/s, 10s left, mean 4.0000 ± 0.0036 (99 %)"
        );
        // 100,000 in ten seconds: the other half takes fifty.
        assert_eq!(
            reporter(400_000).line(&progress, ten_seconds),
            "50.0 %, 0.0 M rounds/s, 50s left, mean 4.0000 ± 0.0036 (99 %)"
        );
    }

    /// 600 in ten seconds beside 400 that were known: the other 1,000 take 17.
    #[test]
    fn a_counter_times_what_this_run_did() {
        let counter = Counter::new("sweep", 2_000, 400, true);
        assert_eq!(
            counter.line(1_000, Duration::from_secs(10)),
            "50.0 %, 1,000 of 2,000, 60.0 a second, 17s left"
        );
    }

    #[test]
    fn times_are_short() {
        for (seconds, text) in [
            (0.2, "1s"),
            (59.0, "59s"),
            (61.0, "1m"),
            (3_725.0, "1h 2m"),
            (90_000.0, "25h"),
            (1e300, "ages"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn nothing_done_is_no_division_by_zero() {
        let progress = Progress {
            rounds_done: 0,
            rounds_planned: 10,
            sum_meter: 0,
            sum_meter_squared: 0,
        };
        assert_eq!(mean_meter(&progress, 2.0), (0.0, 0.0));
        let line = reporter(0).line(&progress, Duration::ZERO);
        assert!(line.starts_with("0.0 %, 0.0 M rounds/s,"), "{line}");
    }
}
