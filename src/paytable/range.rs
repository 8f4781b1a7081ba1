//! The legal range of every integer of a paytable.
//!
//! The one place for them: the reader of the file and the check of a definition built
//! in code ask the same constants, so a range cannot be enforced on one route only.

use std::fmt;

/// The integers from `lowest` to `highest`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IntegerRange {
    pub(crate) lowest: i128,
    pub(crate) highest: i128,
}

impl IntegerRange {
    pub(crate) const fn new(lowest: i128, highest: i128) -> Self {
        Self { lowest, highest }
    }

    pub(crate) const fn contains(self, value: i128) -> bool {
        self.lowest <= value && value <= self.highest
    }

    /// What is legal, for messages.
    pub(crate) fn legal(self) -> String {
        if self.lowest == self.highest {
            self.lowest.to_string()
        } else {
            format!("an integer in {self}")
        }
    }
}

impl fmt::Display for IntegerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.lowest, self.highest)
    }
}

pub(super) const SCHEMA: IntegerRange = IntegerRange::new(1, 1);
pub(super) const SECTIONS: IntegerRange = IntegerRange::new(1, 1024);
pub(super) const WEIGHT: IntegerRange = IntegerRange::new(1, 1 << 32);
pub(super) const INNER_MULTIPLIER: IntegerRange = IntegerRange::new(0, 1_000_000);
pub(super) const FLOOR: IntegerRange = IntegerRange::new(1, 1_000_000);
/// Starting multipliers as far as they do not depend on the floor; validation raises
/// the lower end to it.
pub(super) const START: IntegerRange = IntegerRange::new(1, 1_000_000);
pub(super) const START_VALUES: IntegerRange = IntegerRange::new(1, 100);
pub(super) const START_ROWS: IntegerRange = IntegerRange::new(1, 4096);
pub(super) const POTION_SPINS: IntegerRange = IntegerRange::new(0, 10);
pub(super) const POTION_MULTIPLIERS: IntegerRange = IntegerRange::new(-10, 10);
pub(super) const ADDITIONAL_SPINS: IntegerRange = IntegerRange::new(0, 10);
pub(super) const MAX_METER: IntegerRange = IntegerRange::new(1, 1_000_000_000_000);
pub(super) const MAX_SPINS: IntegerRange = IntegerRange::new(1, 1_000_000);
pub(super) const MAX_WIN: IntegerRange = IntegerRange::new(1, 1_000_000_000_000_000);
pub(super) const STAKE: IntegerRange = MAX_WIN;
pub(super) const TRIGGER_SPINS: IntegerRange = IntegerRange::new(1, 1000);
pub(super) const MAIN_WHEEL: IntegerRange = IntegerRange::new(1, 1_000_000_000);
pub(super) const TIMEOUT_SECONDS: IntegerRange = IntegerRange::new(0, 1_000_000_000);
pub(super) const PAGE: IntegerRange = IntegerRange::new(1, 1_000_000);
pub(super) const DECLARED_RANGE: IntegerRange = IntegerRange::new(0, 1_000_000_000_000_000_000);

/// The most characters of `name`, `source` and a statement's `file`.
pub(super) const SHORT_TEXT: usize = 200;
/// The most characters of `notes` and of a statement's `text`.
pub(super) const LONG_TEXT: usize = 4000;
/// The largest `other_return`.
pub(super) const OTHER_RETURN: u32 = 1000;

// Legal weights add up within u64 on every wheel and in every law, so validation needs
// no fault for an overflow of its own.
const _: () = assert!(SECTIONS.highest * WEIGHT.highest <= u64::MAX as i128);
const _: () = assert!(START_ROWS.highest * WEIGHT.highest <= u64::MAX as i128);
const _: () = assert!(START_VALUES.highest * WEIGHT.highest <= u64::MAX as i128);

// With `max_spins` given, the meter stays below 2^63: every spin adds one multiplier at
// most, and a multiplier grows in a spin by one inner multiplier and one potion at most.
// Without `max_spins` no bound exists, and whoever plays rounds uses checked arithmetic.
const _: () = {
    let growth = INNER_MULTIPLIER.highest + POTION_MULTIPLIERS.highest;
    let multiplier = START.highest + MAX_SPINS.highest * growth;
    assert!(MAX_SPINS.highest * multiplier < 1 << 63);
};
