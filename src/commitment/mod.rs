//! What a certificate commits to of a run, so that somebody who trusts neither its author
//! nor the machine can check it piece by piece.
//!
//! The leaves of a run ([`engine::Leaf`](crate::engine::Leaf)) are hashed into a tree whose
//! inner nodes also commit to the sums below them ([`Tree`]). The certificate carries the
//! root, and the file beside it the leaves ([`SideFile`]). An author who altered some leaves
//! cannot know which of them a [`Challenge`] will have played again.
//!
//! Guarantees: the root follows from the leaves in their order, and no two lists of leaves
//! have the same root unless SHA-256 was broken; everything is a function of its arguments.
//! Non-goals: playing leaves (see [`engine`](crate::engine)) and judging a certificate
//! (see [`recheck`](crate::recheck)).
//!
//! | file | holds |
//! | --- | --- |
//! | `tree` | hashes, sums and shape of the tree |
//! | `side_file` | the file with the leaves |
//! | `challenge` | which leaves are played again, and what they reveal |

mod challenge;
mod side_file;
mod tree;

pub use challenge::{Challenge, escape_probability};
pub use side_file::{SIDE_FILE_NAME, SideFile, SideFileFault, TriggerLeaves};
pub use tree::{LeafSums, Tree};

use crate::document::{Commitment, ConvergencePoint};
use crate::engine::{EngineError, Leaf, RunPlan, leaves_in};
use crate::paytable::{Paytable, hex};

/// Points of the running mean that a certificate shows, at most.
const CONVERGENCE_POINTS: usize = 128;

/// The commitment to the leaves of a whole run.
///
/// # Errors
/// [`EngineError`]: a leaf is not one of the run, or one is missing
pub fn commit(
    paytable: &Paytable,
    plan: &RunPlan,
    leaves: &[Leaf],
) -> Result<Commitment, EngineError> {
    let ranges: Vec<_> = leaves_in(plan.leaf_batches(), &(0..plan.batches())).collect();
    if ranges.len() != leaves.len() {
        return Err(EngineError::InconsistentLeaf {
            reason: "there are more or fewer leaves than the run has",
        });
    }
    let sums = leaves
        .iter()
        .zip(&ranges)
        .map(|(leaf, range)| {
            let results = leaf.results(paytable, plan, range)?;
            Ok(LeafSums::of(&results.tally))
        })
        .collect::<Result<Vec<_>, EngineError>>()?;
    let tree = Tree::new(leaves.iter().zip(&sums));
    Ok(Commitment {
        trigger: plan.trigger.number(),
        leaf_rounds: plan.leaf_batches() * u64::from(crate::engine::BATCH_ROUNDS),
        leaves: leaves.len() as u64,
        root: hex(&tree.root()),
        convergence: convergence(&sums),
    })
}

/// The running sum at ends of leaves, spread evenly over the logarithm of the rounds.
fn convergence(sums: &[LeafSums]) -> Vec<ConvergencePoint> {
    let mut wanted = Vec::new();
    let mut end = 1;
    while end < sums.len() {
        wanted.push(end);
        // Every leaf up to the eighteenth, then some seven for each doubling.
        end += (end / 9).max(1);
    }
    let surplus = wanted.len().saturating_sub(CONVERGENCE_POINTS - 1);
    wanted.drain(..surplus);
    wanted.push(sums.len());
    let mut points = Vec::new();
    let (mut rounds, mut meter) = (0, 0);
    let mut wanted = wanted.into_iter().peekable();
    for (index, leaf) in sums.iter().enumerate() {
        rounds += leaf.rounds;
        meter += leaf.meter;
        if wanted.next_if_eq(&(index + 1)).is_some() {
            points.push(ConvergencePoint {
                rounds,
                sum_meter: meter.to_string(),
            });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convergence_ends_with_the_whole_run() {
        let leaf = LeafSums {
            rounds: 10,
            meter: 3,
            ..LeafSums::default()
        };
        for count in [1, 2, 40, 5000] {
            let points = convergence(&vec![leaf; count]);
            assert!(points.len() <= CONVERGENCE_POINTS);
            assert!(points.is_sorted_by(|a, b| a.rounds < b.rounds));
            let last = points.last().unwrap();
            assert_eq!(last.rounds, 10 * count as u64);
            assert_eq!(last.sum_meter, (3 * count).to_string());
        }
        // 1 to 18 by ones, 20 to 28 by twos, 31 to 37 by threes, and 40.
        assert_eq!(convergence(&vec![leaf; 40]).len(), 18 + 5 + 3 + 1);
    }
}
