//! Helpers of the crate's own tests.

use proptest::test_runner::{Config, RngSeed};

/// A property test with a fixed seed, so that a run repeats itself, and without files of
/// past failures.
pub(crate) fn property(cases: u32) -> Config {
    Config {
        rng_seed: RngSeed::Fixed(0x6936),
        failure_persistence: None,
        ..Config::with_cases(cases)
    }
}
