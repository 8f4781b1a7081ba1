//! `simulate --plan`: what a run would take.

use crate::args::Simulate;
use crate::exit::ExitStatus;

pub(crate) fn run(_args: &Simulate) -> anyhow::Result<ExitStatus> {
    anyhow::bail!("not there yet")
}
