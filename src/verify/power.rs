//! What a test could have seen.
//!
//! Each kind of test has one unit in which its smallest detectable deviation is stated, at a
//! given power and at the level of the hardest step of Holm's correction. The width of the exact
//! bounds counts: a deviation can hide in it.

use super::VerifyError;
use crate::stats::{
    NullRange, binomial_detectable, chi_square_detectable, chi_square_detectable_within,
    kolmogorov_detectable, smallest_detectable,
};

/// A meter and the probability of a larger one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TailPoint {
    /// The meter.
    pub meter: u64,
    /// Lower bound of the probability of a larger one.
    pub lower: f64,
    /// Upper bound of it.
    pub upper: f64,
}

/// The kind of a test and what its reach depends on.
#[derive(Debug, Clone, PartialEq)]
pub enum Reach {
    /// A z test; the deviation is that of the figure, in its unit.
    Shift {
        /// The figure.
        noun: &'static str,
        /// Standard error of its estimate.
        std_error: f64,
        /// Width of its exact bounds.
        width: f64,
    },
    /// A binomial test of a share; the deviation is how much larger the share is.
    Share {
        /// Rounds.
        rounds: u64,
        /// The exact share.
        null: NullRange,
    },
    /// A chi-square test; the deviation is the share of all draws that fall into another bin
    /// (the distance in total variation).
    Bins {
        /// What is drawn.
        noun: &'static str,
        /// How many.
        draws: f64,
        /// Of the test.
        degrees_of_freedom: u64,
        /// Mass that the exact law leaves free.
        missing: f64,
    },
    /// A Kolmogorov-Smirnov test; the deviation is a distance of cumulative laws.
    Distance {
        /// Rounds.
        rounds: u64,
        /// Largest width of the exact band.
        width: f64,
    },
    /// A binomial test of a tail; the deviation is how many times as heavy the tail is.
    Factor {
        /// Rounds.
        rounds: u64,
        /// Exact probability of the tail.
        null: NullRange,
        /// Where it begins.
        meter: u64,
    },
    /// A test of the largest value; the deviation is the largest share of rounds that a hidden
    /// cap could change unseen.
    Cut {
        /// Rounds.
        rounds: u64,
        /// The exact tail, from a meter that so many rounds are not expected to pass down.
        tail: Vec<TailPoint>,
    },
    /// A test of every section; the deviation is relative to the share of the rarest.
    Section {
        /// Spins.
        spins: u64,
        /// Share of the rarest section.
        share: f64,
        /// Number of sections.
        family: u64,
    },
}

/// A deviation that a run would have shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The smallest one, in the unit of its test.
    pub deviation: f64,
    /// The same as a sentence.
    pub words: String,
}

impl Reach {
    /// The smallest deviation that is found with probability `power` at level `alpha`; `None`
    /// where none is.
    ///
    /// # Errors
    /// - [`VerifyError::Stats`]: `alpha` or `power` outside (0, 1)
    pub fn seen(&self, alpha: f64, power: f64) -> Result<Option<Seen>, VerifyError> {
        Ok(match self {
            Self::Shift {
                noun,
                std_error,
                width,
            } => {
                let deviation = smallest_detectable(*std_error, alpha, power)? + width;
                Some(Seen {
                    deviation,
                    words: format!("a {noun} off by {} would have been seen", short(deviation)),
                })
            }
            Self::Share { rounds, null } => {
                let deviation = binomial_detectable(*rounds, *null, alpha, power)? - null.lower();
                Some(Seen {
                    deviation,
                    words: format!(
                        "a share larger by {} would have been seen",
                        short(deviation)
                    ),
                })
            }
            Self::Bins {
                noun,
                draws,
                degrees_of_freedom,
                missing,
            } => {
                let noncentrality = if *missing > 0.0 {
                    chi_square_detectable_within(*degrees_of_freedom, alpha, power)?
                } else {
                    chi_square_detectable(*degrees_of_freedom, alpha, power)?
                };
                let deviation = 0.5 * (noncentrality / draws).sqrt() + missing;
                Some(Seen {
                    deviation,
                    words: format!(
                        "{} of the {noun} in another bin would have been seen",
                        percent(deviation)
                    ),
                })
            }
            Self::Distance { rounds, width } => {
                let deviation = kolmogorov_detectable(*rounds, alpha, power)? + width;
                Some(Seen {
                    deviation,
                    words: format!(
                        "a cumulative distribution off by {} at any meter would have been seen",
                        short(deviation)
                    ),
                })
            }
            Self::Factor {
                rounds,
                null,
                meter,
            } => {
                let found = binomial_detectable(*rounds, *null, alpha, power)?;
                let deviation = found / null.lower();
                Some(Seen {
                    deviation,
                    words: format!(
                        "{deviation:.2} times as many rounds of {meter} or more would have been seen"
                    ),
                })
            }
            Self::Cut { rounds, tail } => cut(*rounds, tail, alpha),
            Self::Section {
                spins,
                share,
                family,
            } => {
                let alpha = alpha / count(*family);
                let found = binomial_detectable(*spins, NullRange::point(*share)?, alpha, power)?;
                let deviation = found / share - 1.0;
                Some(Seen {
                    deviation,
                    words: format!(
                        "the rarest section drawn {} too often would have been seen",
                        percent(deviation)
                    ),
                })
            }
        })
    }
}

/// The largest meter that, as a cap, would be refused for sure: no round passes it, and so few
/// rounds without a larger meter are too unlikely under the exact law.
fn cut(rounds: u64, tail: &[TailPoint], alpha: f64) -> Option<Seen> {
    let at = tail.iter().position(|point| {
        let expected = -count(rounds) * (-point.lower).ln_1p();
        expected >= (2.0 / alpha).ln()
    })?;
    let seen = &tail[at];
    // The cap next above is the lowest that may go unseen.
    let unseen = &tail[at.saturating_sub(1)];
    Some(Seen {
        deviation: unseen.upper,
        words: format!(
            "a game that never pays more than {} would have been seen; at most one round in {:.0} does",
            seen.meter,
            (1.0 / seen.upper).floor()
        ),
    })
}

/// Two significant digits.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = value.abs().log10().floor();
    if (-4.0..4.0).contains(&exponent) {
        // Between -4 and 3, so one place after the point less for each power of ten.
        let places = [5, 4, 3, 2, 1, 0, 0, 0];
        let at = places
            .iter()
            .zip(-4_i32..)
            .find(|&(_, power)| f64::from(power) >= exponent);
        format!("{value:.*}", at.map_or(0, |(&places, _)| places))
    } else {
        format!("{value:.1e}")
    }
}

fn percent(share: f64) -> String {
    format!("{} %", short(100.0 * share))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of rounds, for a probability"
)]
fn count(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_are_shown() {
        for (value, text) in [
            (0.0, "0"),
            (0.000_71, "0.00071"),
            (0.0123, "0.012"),
            (0.5, "0.50"),
            (3.456, "3.5"),
            (27.2, "27"),
            (1234.0, "1234"),
            (0.000_001_96, "2.0e-6"),
            (123_456.0, "1.2e5"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    /// 10^4 rounds at alpha 0.02: ln(2 / 0.02) = 4.605 expected rounds above the cap are
    /// missed too seldom; 4 are not enough.
    #[test]
    fn a_hidden_cap_by_hand() {
        let point = |meter, lower| TailPoint {
            meter,
            lower,
            upper: 2.0 * lower,
        };
        let tail = vec![point(90, 4e-4), point(80, 5e-4), point(70, 1e-3)];
        let reach = Reach::Cut {
            rounds: 10_000,
            tail,
        };
        let seen = reach.seen(0.02, 0.8).unwrap().unwrap();
        // A cap at 90 could go unseen, which changes 8e-4 of all rounds at most.
        assert!((seen.deviation - 8e-4).abs() < 1e-15);
        assert!(seen.words.contains("more than 80 "), "{}", seen.words);
        let none = Reach::Cut {
            rounds: 10,
            tail: vec![point(70, 1e-3)],
        };
        assert_eq!(none.seen(0.02, 0.8).unwrap(), None);
    }

    /// scipy 1.17.1: half of sqrt(40.86125 / 10^6) for 53 degrees of freedom at 1 %.
    #[test]
    fn bins_are_stated_in_total_variation() {
        let reach = Reach::Bins {
            noun: "spins",
            draws: 1e6,
            degrees_of_freedom: 53,
            missing: 0.0,
        };
        let seen = reach.seen(0.01, 0.8).unwrap().unwrap();
        assert!((seen.deviation - 0.003_196_1).abs() < 1e-7, "{seen:?}");
        assert!(
            seen.words.starts_with("0.32 % of the spins"),
            "{}",
            seen.words
        );
    }
}
