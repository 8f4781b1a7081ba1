//! The file beside a certificate: the leaves of its runs.
//!
//! # Format, version 1
//! The text `wonderspins leaves 1` and a line feed; then for each trigger, ascending: its
//! number and the number of its leaves, each unsigned in 8 bytes; then for each leaf its
//! length in 8 bytes and its [bytes](crate::engine::Leaf::bytes). Integers are
//! little-endian. The certificate holds the SHA-256 of the whole file.

use thiserror::Error;

use crate::engine::Leaf;

/// The name of the file.
pub const SIDE_FILE_NAME: &str = "certificate.leaves";

const HEAD: &[u8] = b"wonderspins leaves 1\n";

/// The leaves of one trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriggerLeaves {
    /// 2 or 5.
    pub trigger: u32,
    /// Its leaves, in order.
    pub leaves: Vec<Leaf>,
}

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SideFile {
    /// One entry for each trigger, ascending.
    pub triggers: Vec<TriggerLeaves>,
}

/// Why bytes are not those of a side file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SideFileFault {
    /// The first line is another one.
    #[error("it is not a file of leaves of this version")]
    Head,
    /// It ends too early.
    #[error("it is truncated: a number or a leaf at byte {at} passes its end")]
    Truncated {
        /// Where what is cut off begins.
        at: usize,
    },
    /// A trigger has a number that no trigger has.
    #[error("the trigger at byte {at} is {found}, expected 2 or 5")]
    Trigger {
        /// Where.
        at: usize,
        /// The number.
        found: u64,
    },
}

impl SideFile {
    /// The bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        let number = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
        for of in &self.triggers {
            number(&mut bytes, of.trigger.into());
            number(&mut bytes, of.leaves.len() as u64);
            for leaf in &of.leaves {
                number(&mut bytes, leaf.bytes().len() as u64);
                bytes.extend_from_slice(leaf.bytes());
            }
        }
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`SideFileFault`]; whether the leaves are those of a run is not looked at
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SideFileFault> {
        let mut rest = bytes.strip_prefix(HEAD).ok_or(SideFileFault::Head)?;
        let at = |rest: &[u8]| bytes.len() - rest.len();
        let take = |rest: &mut &[u8], count: u64| {
            let here = at(rest);
            usize::try_from(count)
                .ok()
                .and_then(|count| rest.split_off(..count))
                .ok_or(SideFileFault::Truncated { at: here })
                .map(<[u8]>::to_vec)
        };
        let number = |rest: &mut &[u8]| {
            let here = at(rest);
            let Some((&bytes, after)) = rest.split_first_chunk() else {
                return Err(SideFileFault::Truncated { at: here });
            };
            *rest = after;
            Ok(u64::from_le_bytes(bytes))
        };
        let mut triggers = Vec::new();
        while !rest.is_empty() {
            let here = at(rest);
            let trigger = match number(&mut rest)? {
                2 => 2,
                5 => 5,
                found => return Err(SideFileFault::Trigger { at: here, found }),
            };
            let mut leaves = Vec::new();
            for _ in 0..number(&mut rest)? {
                let length = number(&mut rest)?;
                leaves.push(Leaf::from_bytes(take(&mut rest, length)?));
            }
            triggers.push(TriggerLeaves { trigger, leaves });
        }
        Ok(Self { triggers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> SideFile {
        let leaf = |bytes: &[u8]| Leaf::from_bytes(bytes.to_vec());
        SideFile {
            triggers: vec![
                TriggerLeaves {
                    trigger: 2,
                    leaves: vec![leaf(b"ab"), leaf(b"")],
                },
                TriggerLeaves {
                    trigger: 5,
                    leaves: vec![leaf(b"c")],
                },
            ],
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_written_format() {
        let mut expected = b"wonderspins leaves 1\n".to_vec();
        let number = |number: u8| [number, 0, 0, 0, 0, 0, 0, 0];
        for part in [2, 2, 2].map(number) {
            expected.extend(part);
        }
        expected.extend(b"ab");
        for part in [0, 5, 1, 1].map(number) {
            expected.extend(part);
        }
        expected.extend(b"c");
        assert_eq!(file().to_bytes(), expected);
        assert_eq!(SideFile::from_bytes(&expected), Ok(file()));
    }

    #[test]
    fn every_truncation_is_seen_or_leaves_whole_triggers() {
        let bytes = file().to_bytes();
        for length in 0..bytes.len() {
            match SideFile::from_bytes(&bytes[..length]) {
                Ok(read) => assert!(read.triggers.len() < 2, "{length}"),
                Err(fault) => assert!(
                    matches!(fault, SideFileFault::Head | SideFileFault::Truncated { .. }),
                    "{length}"
                ),
            }
        }
        let mut other = bytes;
        other[HEAD.len()] = 3;
        assert_eq!(
            SideFile::from_bytes(&other),
            Err(SideFileFault::Trigger { at: 21, found: 3 })
        );
    }
}
