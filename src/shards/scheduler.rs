//! Which shard a job of an array is, from what its scheduler says in the environment.
//!
//! | scheduler | number of the job | number of jobs |
//! | --- | --- | --- |
//! | Slurm | `SLURM_ARRAY_TASK_ID`, from `SLURM_ARRAY_TASK_MIN` in steps of `SLURM_ARRAY_TASK_STEP` | `SLURM_ARRAY_TASK_COUNT` |
//! | Kubernetes, indexed job | `JOB_COMPLETION_INDEX`, from 0 | `WONDERSPINS_SHARDS`, to be set in the manifest |
//! | AWS Batch | `AWS_BATCH_JOB_ARRAY_INDEX`, from 0 | `AWS_BATCH_JOB_ARRAY_SIZE` |
//! | Sun Grid Engine | `SGE_TASK_ID`, from `SGE_TASK_FIRST` in steps of `SGE_TASK_STEPSIZE` | up to `SGE_TASK_LAST` |
//! | LSF | `LSB_JOBINDEX`, from 1 in steps of `LSB_JOBINDEX_STEP` | up to `LSB_JOBINDEX_END` |
//!
//! Kubernetes tells no number of jobs. Where `WONDERSPINS_SHARDS` is set elsewhere it must be
//! the scheduler's number: an array of the missing jobs alone has another one, and would play
//! other shards.

use thiserror::Error;

use crate::engine::{Shard, ShardError};

/// The number of shards, where it is told to the program itself.
const COUNT: &str = "WONDERSPINS_SHARDS";

/// A scheduler with job arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduler {
    /// Slurm.
    Slurm,
    /// An indexed job of Kubernetes.
    Kubernetes,
    /// AWS Batch.
    AwsBatch,
    /// Sun Grid Engine and its descendants.
    GridEngine,
    /// IBM Spectrum LSF.
    Lsf,
}

/// All of them.
pub const SCHEDULERS: [Scheduler; 5] = [
    Scheduler::Slurm,
    Scheduler::Kubernetes,
    Scheduler::AwsBatch,
    Scheduler::GridEngine,
    Scheduler::Lsf,
];

impl Scheduler {
    /// The variable with the number of the job.
    #[must_use]
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Slurm => "SLURM_ARRAY_TASK_ID",
            Self::Kubernetes => "JOB_COMPLETION_INDEX",
            Self::AwsBatch => "AWS_BATCH_JOB_ARRAY_INDEX",
            Self::GridEngine => "SGE_TASK_ID",
            Self::Lsf => "LSB_JOBINDEX",
        }
    }

    /// What the variable says in a job that is not part of an array.
    const fn no_array(self) -> Option<&'static str> {
        match self {
            Self::GridEngine => Some("undefined"),
            Self::Lsf => Some("0"),
            Self::Slurm | Self::Kubernetes | Self::AwsBatch => None,
        }
    }
}

/// Why the environment does not say which shard this is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SchedulerError {
    /// No job array.
    #[error("this is no job of an array: none of {} is set", variables())]
    None,
    /// Several at once.
    #[error("jobs of several schedulers at once: {} are set", found.join(" and "))]
    Several {
        /// Their variables with what they say.
        found: Vec<String>,
    },
    /// A number is not told.
    #[error("`{set}` is set, but not `{missing}`")]
    Missing {
        /// The variable that is there.
        set: &'static str,
        /// The one that should be.
        missing: &'static str,
    },
    /// A variable is no number.
    #[error("`{variable}` is `{found}`, expected a number")]
    Number {
        /// The variable.
        variable: &'static str,
        /// What it says.
        found: String,
    },
    /// The jobs of the array are not numbered in equal steps.
    #[error(
        "job {index} is not one of {count} in steps of {step} from {first}: `--shard I/N` names the shard itself"
    )]
    Uneven {
        /// Number of the job.
        index: u64,
        /// Number of jobs.
        count: u64,
        /// Step from one to the next.
        step: u64,
        /// Number of the first.
        first: u64,
    },
    /// Two numbers of jobs.
    #[error("`{COUNT}` is {own}, but the array has {of_array} jobs")]
    Count {
        /// The variable's number.
        own: u64,
        /// The scheduler's.
        of_array: u64,
    },
    /// More jobs than a run can have.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

fn variables() -> String {
    SCHEDULERS
        .map(|of| format!("`{}`", of.variable()))
        .join(", ")
}

/// The shard that a job of an array is to play: the k-th job plays shard k.
///
/// # Arguments
/// - `variable`: the value of an environment variable, where it is set
///
/// # Errors
/// [`SchedulerError`]
pub fn shard_of_job(
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<(Scheduler, Shard), SchedulerError> {
    let set: Vec<(Scheduler, String)> = SCHEDULERS
        .into_iter()
        .filter_map(|scheduler| Some((scheduler, variable(scheduler.variable())?)))
        .filter(|(scheduler, value)| scheduler.no_array() != Some(value.as_str()))
        .collect();
    let scheduler = match set.as_slice() {
        [] => return Err(SchedulerError::None),
        [(scheduler, _)] => *scheduler,
        several => {
            let found = several
                .iter()
                .map(|(scheduler, value)| format!("`{}` ({value})", scheduler.variable()))
                .collect();
            return Err(SchedulerError::Several { found });
        }
    };
    let optional = |name: &'static str| {
        variable(name)
            .map(|found| {
                found.parse::<u64>().map_err(|_| SchedulerError::Number {
                    variable: name,
                    found,
                })
            })
            .transpose()
    };
    let number = |name: &'static str| {
        optional(name)?.ok_or(SchedulerError::Missing {
            set: scheduler.variable(),
            missing: name,
        })
    };
    let index = number(scheduler.variable())?;
    let own = optional(COUNT)?;
    let array = match scheduler {
        Scheduler::Slurm => {
            let array = Array {
                first: number("SLURM_ARRAY_TASK_MIN")?,
                step: optional("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1),
                count: number("SLURM_ARRAY_TASK_COUNT")?,
            };
            // Of a list with holes, `--array=1,2,5`, count and steps say less than the end.
            match optional("SLURM_ARRAY_TASK_MAX")? {
                Some(last) if array.last() != Some(last) => return Err(array.uneven(index)),
                _ => array,
            }
        }
        Scheduler::Kubernetes => Array {
            first: 0,
            step: 1,
            count: number(COUNT)?,
        },
        Scheduler::AwsBatch => Array {
            first: 0,
            step: 1,
            count: number("AWS_BATCH_JOB_ARRAY_SIZE")?,
        },
        Scheduler::GridEngine => {
            let step = optional("SGE_TASK_STEPSIZE")?.unwrap_or(1);
            Array::up_to(number("SGE_TASK_FIRST")?, step, number("SGE_TASK_LAST")?)
        }
        Scheduler::Lsf => {
            let step = optional("LSB_JOBINDEX_STEP")?.unwrap_or(1);
            Array::up_to(1, step, number("LSB_JOBINDEX_END")?)
        }
    };
    if let Some(own) = own
        && own != array.count
    {
        return Err(SchedulerError::Count {
            own,
            of_array: array.count,
        });
    }
    let place = array.place(index).ok_or_else(|| array.uneven(index))?;
    Ok((scheduler, Shard::new(place + 1, array.count)?))
}

/// Jobs numbered in equal steps.
struct Array {
    first: u64,
    step: u64,
    count: u64,
}

impl Array {
    /// From the first to the last that is not above `end`.
    fn up_to(first: u64, step: u64, end: u64) -> Self {
        let steps = end.saturating_sub(first).checked_div(step).unwrap_or(0);
        Self {
            first,
            step,
            count: steps.saturating_add(1),
        }
    }

    fn last(&self) -> Option<u64> {
        let steps = self.count.checked_sub(1)?;
        self.first.checked_add(steps.checked_mul(self.step)?)
    }

    /// The place of a job, from 0.
    fn place(&self, index: u64) -> Option<u64> {
        let distance = index.checked_sub(self.first)?;
        let place = distance.checked_div(self.step)?;
        (place * self.step == distance && place < self.count).then_some(place)
    }

    const fn uneven(&self, index: u64) -> SchedulerError {
        SchedulerError::Uneven {
            index,
            count: self.count,
            step: self.step,
            first: self.first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer for an environment, as text.
    fn answer(environment: &[(&str, &str)]) -> String {
        let variable = |name: &str| {
            environment
                .iter()
                .find(|(set, _)| *set == name)
                .map(|(_, value)| (*value).to_owned())
        };
        match shard_of_job(&variable) {
            Ok((scheduler, shard)) => format!("{scheduler:?} {shard}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_scheduler_is_understood() {
        for (environment, expected) in [
            // --array=0-7
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "0"),
                    ("SLURM_ARRAY_TASK_COUNT", "8"),
                    ("SLURM_ARRAY_TASK_MIN", "0"),
                    ("SLURM_ARRAY_TASK_MAX", "7"),
                    ("SLURM_ARRAY_TASK_STEP", "1"),
                ][..],
                "Slurm 1/8",
            ),
            // --array=10-40:10
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "30"),
                    ("SLURM_ARRAY_TASK_COUNT", "4"),
                    ("SLURM_ARRAY_TASK_MIN", "10"),
                    ("SLURM_ARRAY_TASK_MAX", "40"),
                    ("SLURM_ARRAY_TASK_STEP", "10"),
                    ("WONDERSPINS_SHARDS", "4"),
                ],
                "Slurm 3/4",
            ),
            (
                &[("JOB_COMPLETION_INDEX", "7"), ("WONDERSPINS_SHARDS", "8")],
                "Kubernetes 8/8",
            ),
            (
                &[
                    ("AWS_BATCH_JOB_ARRAY_INDEX", "1"),
                    ("AWS_BATCH_JOB_ARRAY_SIZE", "2"),
                ],
                "AwsBatch 2/2",
            ),
            // -t 2-9:3, which are 2, 5 and 8; and LSF says that it has no array.
            (
                &[
                    ("SGE_TASK_ID", "8"),
                    ("SGE_TASK_FIRST", "2"),
                    ("SGE_TASK_LAST", "9"),
                    ("SGE_TASK_STEPSIZE", "3"),
                    ("LSB_JOBINDEX", "0"),
                ],
                "GridEngine 3/3",
            ),
            // name[1-64]
            (
                &[
                    ("LSB_JOBINDEX", "64"),
                    ("LSB_JOBINDEX_END", "64"),
                    ("LSB_JOBINDEX_STEP", "1"),
                    ("SGE_TASK_ID", "undefined"),
                ],
                "Lsf 64/64",
            ),
        ] {
            assert_eq!(answer(environment), expected, "{environment:?}");
        }
    }

    #[test]
    fn what_does_not_name_one_shard_is_refused() {
        for (environment, expected) in [
            (&[][..], "this is no job of an array"),
            (
                &[("SGE_TASK_ID", "undefined")],
                "this is no job of an array",
            ),
            (
                &[("JOB_COMPLETION_INDEX", "1"), ("SLURM_ARRAY_TASK_ID", "2")],
                "`SLURM_ARRAY_TASK_ID` (2) and `JOB_COMPLETION_INDEX` (1) are set",
            ),
            (
                &[("JOB_COMPLETION_INDEX", "1")],
                "`JOB_COMPLETION_INDEX` is set, but not `WONDERSPINS_SHARDS`",
            ),
            (
                &[("JOB_COMPLETION_INDEX", "x"), ("WONDERSPINS_SHARDS", "8")],
                "`JOB_COMPLETION_INDEX` is `x`, expected a number",
            ),
            (
                &[("JOB_COMPLETION_INDEX", "8"), ("WONDERSPINS_SHARDS", "8")],
                "job 8 is not one of 8 in steps of 1 from 0",
            ),
            (
                &[("JOB_COMPLETION_INDEX", "0"), ("WONDERSPINS_SHARDS", "0")],
                "job 0 is not one of 0",
            ),
            // --array=1,2,5
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "2"),
                    ("SLURM_ARRAY_TASK_COUNT", "3"),
                    ("SLURM_ARRAY_TASK_MIN", "1"),
                    ("SLURM_ARRAY_TASK_MAX", "5"),
                    ("SLURM_ARRAY_TASK_STEP", "1"),
                ],
                "job 2 is not one of 3 in steps of 1 from 1",
            ),
            // Two of eight, once more.
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "3"),
                    ("SLURM_ARRAY_TASK_COUNT", "2"),
                    ("SLURM_ARRAY_TASK_MIN", "3"),
                    ("SLURM_ARRAY_TASK_MAX", "4"),
                    ("WONDERSPINS_SHARDS", "8"),
                ],
                "`WONDERSPINS_SHARDS` is 8, but the array has 2 jobs",
            ),
            (
                &[
                    ("SGE_TASK_ID", "3"),
                    ("SGE_TASK_FIRST", "1"),
                    ("SGE_TASK_LAST", "8"),
                    ("SGE_TASK_STEPSIZE", "0"),
                ],
                "job 3 is not one of 1 in steps of 0 from 1",
            ),
            (
                &[
                    ("AWS_BATCH_JOB_ARRAY_INDEX", "0"),
                    ("AWS_BATCH_JOB_ARRAY_SIZE", "1000001"),
                ],
                "shard 1 of 1000001 asked",
            ),
        ] {
            let found = answer(environment);
            assert!(found.contains(expected), "{environment:?}: {found}");
        }
    }
}
