//! What to simulate: the plan of a run.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::error::EngineError;
use super::generator::Generator;
use super::leaf::leaf_batches;
use super::run::rounds_of;
use super::stream::BATCH_ROUNDS;
use crate::rules::{Trigger, UnknownName};

/// The most rounds of a run.
pub const MAX_ROUNDS: u64 = 1_000_000_000_000_000;

/// Which implementation plays the rounds. Never changes a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EngineKind {
    /// The fastest that the processor and the paytable allow.
    #[default]
    Auto,
    /// Vectors of 512 bits.
    Avx512,
    /// Vectors of 256 bits.
    Avx2,
    /// Table-driven, no vectors.
    Scalar,
    /// Clause by clause, with checked arithmetic.
    Reference,
}

impl EngineKind {
    /// All kinds, in the order of the command line's help.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Avx512,
        Self::Avx2,
        Self::Scalar,
        Self::Reference,
    ];

    /// The names that the command line takes, for messages.
    pub const LEGAL_NAMES: &'static str = "`auto`, `avx512`, `avx2`, `scalar`, `reference`";

    /// The name that the command line takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Scalar => "scalar",
            Self::Reference => "reference",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownName {
                found: name.to_owned(),
                legal: Self::LEGAL_NAMES,
            })
    }
}

/// What to simulate.
///
/// Seed, generator, trigger and paytable decide every round; `rounds` decides how many of
/// them are counted; `engine` decides nothing but the speed, and `detail_rounds` nothing
/// but the speed and how much is said of the first rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunPlan {
    /// The trigger.
    pub trigger: Trigger,
    /// The seed; every value is good, none is special.
    pub seed: u64,
    /// Where the random words come from.
    pub generator: Generator,
    /// Rounds, from 1 to [`MAX_ROUNDS`].
    pub rounds: u64,
    /// The implementation.
    pub engine: EngineKind,
    /// Rounds from the first that are watched one by one for the [`Detail`](super::Detail);
    /// those of the run where it has fewer, none for 0. Decides nothing of the tally.
    pub detail_rounds: u64,
}

/// Rounds at which a run that may stop early is looked at: from 2^20 on four times for each
/// doubling, and at the end. Fixed beforehand, so that where it stops depends on its rounds
/// alone; each but the last ends a leaf of every longer run up to the next but one.
pub fn looks(most_rounds: u64) -> impl Iterator<Item = u64> {
    (0_u32..)
        .flat_map(|doubling| (4_u64..8).map(move |quarter| (quarter << 18) << doubling))
        .take_while(move |&look| look < most_rounds)
        .chain(std::iter::once(most_rounds))
}

impl RunPlan {
    /// Batches of the run; the last one may be partial.
    #[must_use]
    pub const fn batches(&self) -> u64 {
        self.rounds.div_ceil(BATCH_ROUNDS as u64)
    }

    /// Batches of a leaf, the last one apart.
    #[must_use]
    pub fn leaf_batches(&self) -> u64 {
        leaf_batches(self.rounds)
    }

    /// Rounds of the run that some batches hold.
    #[must_use]
    pub fn rounds_of(&self, batches: &Range<u64>) -> u64 {
        rounds_of(self.rounds, batches)
    }

    /// Rounds of some batches that are watched.
    #[must_use]
    pub fn watched_rounds_of(&self, batches: &Range<u64>) -> u64 {
        rounds_of(self.rounds.min(self.detail_rounds), batches)
    }

    /// Rounds of the run that a batch holds: fewer than a full batch only in the last.
    pub(super) fn rounds_of_batch(&self, batch: u64) -> u32 {
        rounds_below(self.rounds, batch)
    }

    /// Rounds of a batch that are watched: its first ones.
    pub(super) fn watched_rounds_of_batch(&self, batch: u64) -> u32 {
        rounds_below(self.rounds.min(self.detail_rounds), batch)
    }

    pub(super) fn check(&self) -> Result<(), EngineError> {
        if (1..=MAX_ROUNDS).contains(&self.rounds) {
            Ok(())
        } else {
            Err(EngineError::Rounds { found: self.rounds })
        }
    }
}

/// Rounds of a batch whose index in the run is below `end`.
fn rounds_below(end: u64, batch: u64) -> u32 {
    let left = end.saturating_sub(batch * u64::from(BATCH_ROUNDS));
    u32::try_from(left.min(u64::from(BATCH_ROUNDS))).expect("at most a full batch")
}
