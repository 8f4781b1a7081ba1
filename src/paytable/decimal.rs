//! Decimals as text, read exactly.

use dashu_ratio::RBig;

/// A decimal number or percentage exactly as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    /// The text, for example `95.95%`.
    pub text: String,
    /// Its exact value; a percentage is divided by 100.
    pub value: RBig,
    /// Digits after the point as written.
    pub places: u32,
    /// Whether it was written as a percentage.
    pub is_percentage: bool,
}
