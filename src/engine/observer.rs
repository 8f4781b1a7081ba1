//! Watching a run: progress as numbers, without any text.

use std::ops::ControlFlow;

use super::run::RunState;

/// How far a run is. The sums are those of the rounds done, so that a running mean and
/// its standard error can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Rounds done.
    pub rounds_done: u64,
    /// Rounds of the whole run, or of the range of batches that is played.
    pub rounds_planned: u64,
    /// Sum of the meters so far.
    pub sum_meter: u128,
    /// Sum of their squares so far.
    pub sum_meter_squared: u128,
}

/// Is told of progress about twice a second and may stop the run.
///
/// Called on the thread that called [`simulate`](super::simulate), never from a worker.
pub trait Observer {
    /// Takes note of the progress. `Break` stops the run here; what was played stays a
    /// contiguous prefix of the run.
    fn progress(&self, progress: &Progress) -> ControlFlow<()>;

    /// Takes note of the state, from which a run can go on: this is where a checkpoint
    /// is written. Called after [`progress`](Self::progress) unless that stopped the
    /// run, whose last state is in its result. `Break` stops the run here.
    fn state(&self, state: &RunState) -> ControlFlow<()> {
        let _ = state;
        ControlFlow::Continue(())
    }
}

/// Watches nothing and never stops a run.
impl Observer for () {
    fn progress(&self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
