//! Which leaves are played again.

use sha2::{Digest as _, Sha256};

/// A choice of leaves that the author of a certificate could not foresee.
///
/// Leaf numbers are drawn without repetition from SHA-256 in counter mode over the text
/// `wonderspins challenge 1`, a line feed, the seed, a line feed, and the certificate's own
/// hash. So a seed is worth something only if it came after the certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    seed: String,
}

impl Challenge {
    /// A challenge from a seed: any text, drawn or agreed on after the certificate was made.
    #[must_use]
    pub fn new(seed: &str) -> Self {
        Self {
            seed: seed.to_owned(),
        }
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> &str {
        &self.seed
    }

    /// Draws `count` of the numbers below `leaves`, ascending; all of them where there are
    /// not more. Every set of that size is equally likely.
    #[must_use]
    pub fn choose(&self, certificate_sha256: &str, leaves: u64, count: u64) -> Vec<u64> {
        if count >= leaves {
            return (0..leaves).collect();
        }
        let prefix = Sha256::new()
            .chain_update("wonderspins challenge 1\n")
            .chain_update(&self.seed)
            .chain_update("\n")
            .chain_update(certificate_sha256);
        let mut counter = 0_u64;
        let mut below = |bound: u64| {
            // Words from the largest multiple of the bound on would favour small numbers.
            let limit = u64::MAX - u64::MAX % bound;
            loop {
                let hash = prefix
                    .clone()
                    .chain_update(counter.to_le_bytes())
                    .finalize();
                counter += 1;
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&hash[..8]);
                let word = u64::from_le_bytes(bytes);
                if word < limit {
                    return word % bound;
                }
            }
        };
        // Floyd's method (Bentley and Floyd, 1987): each set once.
        let mut chosen = std::collections::BTreeSet::new();
        for last in leaves - count..leaves {
            let number = below(last + 1);
            if !chosen.insert(number) {
                chosen.insert(last);
            }
        }
        chosen.into_iter().collect()
    }
}

/// The chance that none of `played` leaves, drawn from `leaves`, is among the share
/// `altered` of all of them: (1 - f)^K, an upper bound of the chance without repetition; 0
/// where all leaves were played and one at least was altered.
#[must_use]
pub fn escape_probability(altered: f64, played: u64, leaves: u64) -> f64 {
    if played >= leaves {
        return 0.0;
    }
    (1.0 - altered).powi(i32::try_from(played).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_leaves_is_equally_likely() {
        // Of 5 leaves 2: ten sets, 10,000 challenges. The chi-square statistic with 9
        // degrees of freedom passes 33.7 with probability 1e-4; the seeds are fixed.
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..10_000 {
            let chosen = Challenge::new(&seed.to_string()).choose("certificate", 5, 2);
            assert_eq!(chosen.len(), 2);
            assert!(chosen[0] < chosen[1] && chosen[1] < 5);
            *counts.entry(chosen).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 10);
        let statistic: f64 = counts
            .values()
            .map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(statistic < 33.7, "{statistic}");
    }

    #[test]
    fn seed_and_certificate_both_decide() {
        let of = |seed, certificate| Challenge::new(seed).choose(certificate, 1 << 40, 8);
        assert_eq!(of("a", "x"), of("a", "x"));
        assert_ne!(of("a", "x"), of("b", "x"));
        assert_ne!(of("a", "x"), of("a", "y"));
        assert_eq!(Challenge::new("a").choose("x", 3, 9), [0, 1, 2]);
    }

    #[test]
    fn an_altered_share_escapes_by_the_power() {
        // 0.99^100 = 0.36603234127322950 (by bc).
        assert!((escape_probability(0.01, 100, 1000) - 0.366_032_341_273_229_5).abs() < 1e-14);
        assert!(escape_probability(0.01, 10, 10) <= 0.0);
    }
}
