//! Shards: the pieces of a run that different machines play.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use super::plan::RunPlan;

/// The most shards of a run; far more than it has leaves.
pub const MAX_SHARDS: u64 = 1_000_000;

/// Shard `index` of `count` of a run.
///
/// Of a run with L leaves it has leaves floor((I - 1) L / N) to floor(I L / N): whole
/// leaves, so that those of all shards together are those of the run, and as even as
/// whole leaves can be. With more shards than leaves some have none.
///
/// # Examples
/// ```
/// use wonderspins::engine::{EngineKind, Generator, RunPlan, Shard};
/// use wonderspins::rules::Trigger;
///
/// let plan = RunPlan {
///     trigger: Trigger::Two,
///     seed: 7,
///     generator: Generator::default(),
///     rounds: 100_000_000,
///     engine: EngineKind::Auto,
///     detail_rounds: 0,
/// };
/// // 96 leaves of 64 batches; the last batch is the 6,104th.
/// let shard: Shard = "5/5".parse()?;
/// assert_eq!(shard.leaves(&plan), 76..96);
/// assert_eq!(shard.batches(&plan), 76 * 64..6_104);
/// # Ok::<(), wonderspins::engine::ShardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// Why there is no such shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShardError {
    /// Index or count is out of range.
    #[error("shard {index} of {count} asked, expected I of N with 1 <= I <= N <= {MAX_SHARDS}")]
    Range {
        /// The index.
        index: u64,
        /// The count.
        count: u64,
    },
    /// The text is not two numbers.
    #[error("found `{found}`, expected I/N such as 3/8")]
    Form {
        /// The text.
        found: String,
    },
}

impl Shard {
    /// The shard that is the whole run.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// A shard.
    ///
    /// # Arguments
    /// - `index`: in \[1, `count`\]
    /// - `count`: in \[1, [`MAX_SHARDS`]\]
    ///
    /// # Errors
    /// [`ShardError::Range`]
    pub const fn new(index: u64, count: u64) -> Result<Self, ShardError> {
        if index >= 1 && index <= count && count <= MAX_SHARDS {
            Ok(Self { index, count })
        } else {
            Err(ShardError::Range { index, count })
        }
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// Number of shards of the run.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Its part of so many things in a row: from floor((I - 1) L / N) to floor(I L / N).
    ///
    /// # Panics
    /// Never: a part is not larger than the whole.
    #[must_use]
    pub fn part_of(self, things: u64) -> Range<u64> {
        let before = |shards: u64| {
            let end = u128::from(shards) * u128::from(things) / u128::from(self.count);
            u64::try_from(end).expect("at most all of them")
        };
        before(self.index - 1)..before(self.index)
    }

    /// Its leaves.
    #[must_use]
    pub fn leaves(self, plan: &RunPlan) -> Range<u64> {
        self.part_of(plan.batches().div_ceil(plan.leaf_batches()))
    }

    /// Its batches.
    #[must_use]
    pub fn batches(self, plan: &RunPlan) -> Range<u64> {
        let Range { start, end } = self.leaves(plan);
        let leaf = plan.leaf_batches();
        (start * leaf).min(plan.batches())..(end * leaf).min(plan.batches())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let number = |digits: &str| {
            // `parse` alone would also take a sign.
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_plain)
        };
        let numbers = text
            .split_once('/')
            .and_then(|(index, count)| Some((number(index)?, number(count)?)));
        let Some((index, count)) = numbers else {
            return Err(ShardError::Form {
                found: text.to_owned(),
            });
        };
        Self::new(index, count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::{EngineKind, Generator, MAX_ROUNDS, leaves_in};
    use crate::rules::Trigger;
    use crate::testing::property;

    fn plan(rounds: u64) -> RunPlan {
        RunPlan {
            trigger: Trigger::Two,
            seed: 1,
            generator: Generator::default(),
            rounds,
            engine: EngineKind::Auto,
            detail_rounds: 0,
        }
    }

    /// 200,000 rounds are 13 batches of 2^14, the last of 3,392 rounds; a leaf is 2 batches
    /// since (2^15)^2 >= 200,000 * 2^12 > (2^14)^2. So there are 7 leaves, of which three
    /// shards have 2, 2 and 3.
    #[test]
    fn shards_end_at_leaves() {
        let plan = plan(200_000);
        assert_eq!((plan.batches(), plan.leaf_batches()), (13, 2));
        let ranges = [1, 2, 3].map(|index| Shard::new(index, 3).unwrap().batches(&plan));
        assert_eq!(ranges, [0..4, 4..8, 8..13]);
        let many: Vec<_> = (1..=14)
            .map(|index| Shard::new(index, 14).unwrap().batches(&plan))
            .collect();
        // floor(I / 2): every second shard has a leaf, the first has none.
        assert_eq!(many[0], 0..0);
        assert_eq!(many[1], 0..2);
        assert_eq!(many[2], 2..2);
        assert_eq!(many[13], 12..13);
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for text in [
            "",
            "1",
            "/",
            "1/",
            "/2",
            "0/2",
            "3/2",
            "1/0",
            "+1/2",
            "1/2/3",
            "-1/2",
            " 1/2",
            "1/1000001",
            "a/b",
            "1/18446744073709551616",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        let shard: Shard = "7/64".parse().unwrap();
        assert_eq!((shard.index(), shard.count()), (7, 64));
        assert_eq!(shard.to_string(), "7/64");
    }

    proptest! {
        #![proptest_config(property(200))]

        /// Whatever the number of shards, each leaf is in one of them, whole; and no shard
        /// has two leaves more than another.
        #[test]
        fn shards_cover_every_leaf_once(
            rounds in prop_oneof![1..10_000_000_u64, 1..=MAX_ROUNDS],
            count in prop_oneof![1..70_u64, 1..40_000_u64],
        ) {
            let plan = plan(rounds);
            let mut leaves = Vec::new();
            let (mut next, mut fewest, mut most) = (0, u64::MAX, 0);
            for index in 1..=count {
                let shard = Shard::new(index, count).unwrap();
                let batches = shard.batches(&plan);
                prop_assert_eq!(batches.start, next);
                next = batches.end;
                let held = shard.leaves(&plan);
                (fewest, most) = (fewest.min(held.end - held.start), most.max(held.end - held.start));
                leaves.extend(leaves_in(plan.leaf_batches(), &batches));
            }
            prop_assert_eq!(next, plan.batches());
            let whole: Vec<_> = leaves_in(plan.leaf_batches(), &(0..plan.batches())).collect();
            prop_assert_eq!(leaves, whole);
            prop_assert!(most - fewest <= 1);
        }
    }
}
