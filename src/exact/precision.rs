//! How sharp a calculation must be: what the bounds are allowed to cost.
//!
//! Nothing here enters a proof. A coarser calculation stops its tables earlier, and the
//! residual that is evaluated afterwards then proves a wider bound.

use super::fractions;

/// The sizes and the pieces of a calculation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Precision {
    /// Relative width of mean and variance at which the floor's tables stop growing.
    pub(super) target_width: f64,
    /// Natural logarithm of the reciprocal of what the first guess of a table's size leaves
    /// out.
    pub(super) decay: f64,
    /// Share of the largest cell of a level by which cells may still move when a sweep is the
    /// last one.
    pub(super) rest: f64,
    /// Work on fractions, as [`fractions::MAX_WORK`].
    pub(super) fraction_work: f64,
    /// Whether the mean is split into its parts.
    pub(super) with_parts: bool,
}

impl Precision {
    /// As sharp as the arithmetic allows. 40 = -ln 4e-18.
    pub(super) const SHARP: Self = Self {
        target_width: 2e-13,
        decay: 40.0,
        rest: f64::EPSILON / 4.0,
        fraction_work: fractions::MAX_WORK,
        with_parts: true,
    };

    /// Nine digits, for thousands of paytables. 26 = -ln 5e-12, so that the first tables are
    /// as a rule the last; fractions only where a short game gives them for nothing.
    pub(super) const WIDE: Self = Self {
        target_width: 1e-9,
        decay: 26.0,
        rest: 1e-13,
        fraction_work: 1e6,
        with_parts: false,
    };

    /// The same with as much work on fractions as is given.
    #[cfg(test)]
    pub(super) const fn with_fraction_work(self, fraction_work: f64) -> Self {
        Self {
            fraction_work,
            ..self
        }
    }
}
