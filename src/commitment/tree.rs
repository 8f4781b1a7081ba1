//! A hash tree that also adds up.
//!
//! # Specification, version 1
//! With SHA-256, `||` for bytes one after another, and the sums of a node in 64 bytes,
//! little-endian: rounds (8), sum of the meters (16), sum of their squares (16), rounds with
//! a meter of zero (8), spins (16):
//!
//! ```text
//! leaf i:        hash = SHA-256(00 || i in 8 bytes, little-endian || sums || bytes of the leaf)
//! inner node:    sums = those of both children added,
//!                hash = SHA-256(01 || hash, sums of the left || hash, sums of the right)
//! root:          SHA-256(02 || number of leaves in 8 bytes || hash, sums of the top node)
//! ```
//!
//! The left child holds the largest power of two of the leaves that is less than all of
//! them, as in RFC 6962 (2013), section 2.1, whose first byte keeps leaves and nodes apart.
//! That inner nodes commit to sums is due to Maxwell's summation trees (2013).

use sha2::{Digest as _, Sha256};

use crate::engine::{Leaf, Tally};

/// The sums of a leaf or of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeafSums {
    /// Rounds.
    pub rounds: u64,
    /// Sum of the meters that are paid.
    pub meter: u128,
    /// Sum of their squares.
    pub meter_squared: u128,
    /// Rounds with a meter of zero.
    pub zero_rounds: u64,
    /// Spins.
    pub spins: u128,
}

impl LeafSums {
    /// The sums of a tally.
    #[must_use]
    pub fn of(tally: &Tally) -> Self {
        Self {
            rounds: tally.rounds(),
            meter: tally.sum_meter(),
            meter_squared: tally.sum_meter_squared(),
            zero_rounds: tally.zero_rounds(),
            spins: tally.spins(),
        }
    }

    /// # Panics
    /// Where a sum passes its type, which no sums of leaves do whose tallies merged.
    fn plus(self, other: Self) -> Self {
        let sum = || {
            Some(Self {
                rounds: self.rounds.checked_add(other.rounds)?,
                meter: self.meter.checked_add(other.meter)?,
                meter_squared: self.meter_squared.checked_add(other.meter_squared)?,
                zero_rounds: self.zero_rounds.checked_add(other.zero_rounds)?,
                spins: self.spins.checked_add(other.spins)?,
            })
        };
        sum().expect("sums of leaves that were added up before")
    }

    fn bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..8].copy_from_slice(&self.rounds.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.meter.to_le_bytes());
        bytes[24..40].copy_from_slice(&self.meter_squared.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.zero_rounds.to_le_bytes());
        bytes[48..].copy_from_slice(&self.spins.to_le_bytes());
        bytes
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    hash: [u8; 32],
    sums: LeafSums,
}

impl Node {
    fn leaf(index: u64, bytes: &[u8], sums: LeafSums) -> Self {
        let hash = Sha256::new()
            .chain_update([0])
            .chain_update(index.to_le_bytes())
            .chain_update(sums.bytes())
            .chain_update(bytes)
            .finalize();
        Self {
            hash: hash.into(),
            sums,
        }
    }

    fn above(left: Self, right: Self) -> Self {
        let hash = Sha256::new()
            .chain_update([1])
            .chain_update(left.hash)
            .chain_update(left.sums.bytes())
            .chain_update(right.hash)
            .chain_update(right.sums.bytes())
            .finalize();
        Self {
            hash: hash.into(),
            sums: left.sums.plus(right.sums),
        }
    }

    /// # Panics
    /// Without a node.
    fn over(nodes: &[Self]) -> Self {
        if let [only] = nodes {
            return *only;
        }
        let left = nodes.len().next_power_of_two() / 2;
        Self::above(Self::over(&nodes[..left]), Self::over(&nodes[left..]))
    }
}

/// The tree over the leaves of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    leaves: u64,
    top: Node,
}

impl Tree {
    /// The tree over leaves in their order, each with the sums of its results.
    ///
    /// # Panics
    /// Without a leaf, or where their sums pass 128 bits.
    #[must_use]
    pub fn new<'l>(leaves: impl IntoIterator<Item = (&'l Leaf, &'l LeafSums)>) -> Self {
        let nodes: Vec<Node> = (0..)
            .zip(leaves)
            .map(|(index, (leaf, sums))| Node::leaf(index, leaf.bytes(), *sums))
            .collect();
        assert!(!nodes.is_empty(), "a run has at least one leaf");
        Self {
            leaves: nodes.len() as u64,
            top: Node::over(&nodes),
        }
    }

    /// The root hash, which commits to every leaf and every sum.
    #[must_use]
    pub fn root(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update([2])
            .chain_update(self.leaves.to_le_bytes())
            .chain_update(self.top.hash)
            .chain_update(self.top.sums.bytes())
            .finalize()
            .into()
    }

    /// The sums over all leaves.
    #[must_use]
    pub const fn sums(&self) -> LeafSums {
        self.top.sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::hex;
    use super::*;

    fn tree(count: u8) -> Tree {
        let leaves: Vec<(Leaf, LeafSums)> = (0..count)
            .map(|index| {
                let sums = LeafSums {
                    rounds: 1 + u64::from(index),
                    meter: 1 << 70,
                    meter_squared: 5,
                    zero_rounds: index.into(),
                    spins: 7,
                };
                (Leaf::from_bytes(vec![index; 3]), sums)
            })
            .collect();
        Tree::new(leaves.iter().map(|(leaf, sums)| (leaf, sums)))
    }

    // Roots by Python's hashlib, after the specification in the header, over leaves of
    // three bytes i with the sums (1 + i, 2^70, 5, i, 7).
    #[test]
    fn roots_are_those_of_another_implementation() {
        for (count, root) in [
            (
                1,
                "eee5e274a14b6fbe7ca2e7731af1573e78ab96b1a1f6d3a3f08659e736f3d5e2",
            ),
            (
                2,
                "d5e6cc51878b8d630e2893065a579a956903ab13aac53ec01d4d407c404baca3",
            ),
            (
                3,
                "6529848ebe523ea8a631c122dc95c5fffb1e99e18977b9d5b3255baec11c108d",
            ),
            (
                7,
                "df8f7541e408459e7b238eac28a8649f29d14b8f98d5120ccf9f699845a67d14",
            ),
        ] {
            assert_eq!(hex(&tree(count).root()), root, "{count} leaves");
        }
    }

    #[test]
    fn the_sums_are_those_of_all_leaves() {
        let sums = tree(7).sums();
        assert_eq!(sums.rounds, 28);
        assert_eq!(sums.meter, 7 << 70);
        assert_eq!(sums.meter_squared, 35);
        assert_eq!(sums.zero_rounds, 21);
        assert_eq!(sums.spins, 49);
    }
}
