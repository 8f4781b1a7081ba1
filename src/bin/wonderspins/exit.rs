//! Exit codes, a contract with scripts.

use std::process::ExitCode;

/// What an exit code means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// 0: everything asked was done and every check passed.
    Success,
    /// 1: it was done and a check failed or could not decide, or the run was stopped early.
    CheckFailed,
    /// 2: the input, the arguments or the system was at fault.
    Fault,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Success => Self::SUCCESS,
            ExitStatus::CheckFailed => Self::from(1),
            ExitStatus::Fault => Self::from(2),
        }
    }
}
