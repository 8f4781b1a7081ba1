//! Both triggers' bets on one spin of the main wheel.
//!
//! The triggers are outcomes of the same spin, so at most one of them happens. A wager of 1 on each bet brings back, from
//! the bonuses, X = sum of `X_i` with `X_i` = `G_i` where trigger i happens (probability `p_i`), else 0:
//!
//! ```text
//! E[X_i]       = p_i E[G_i]
//! Var X_i      = p_i E[G_i^2] - E[X_i]^2
//! Cov(X_i, X_j) = -E[X_i] E[X_j]
//! ```
//!
//! What other outcomes of the main wheel bring back is known by its mean alone (`other_return`), so it is in the mean
//! of the total and in no variance; where it is 0 it is 0 always and the variance is that of the total.

use dashu_ratio::RBig;

use crate::exact::{Enclosure, Returns};
use crate::paytable::TriggerTerms;

/// Figures of one main-wheel spin with a wager of 1 on each of the triggers' bets.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Number of bets, and so the total wagered.
    pub bets: usize,
    /// Probability that some bonus starts.
    pub trigger_probability: Enclosure,
    /// Expected gross return of all bets together, other outcomes of the main wheel included.
    pub mean: Enclosure,
    /// Variance of the gross return from the bonuses of all bets together.
    pub variance: Enclosure,
    /// Its square root.
    pub std_dev: Enclosure,
    /// Variance of each bet's gross return from its bonus, in the order given.
    pub variances: Vec<Enclosure>,
    /// Sum of the covariances of all pairs of bets; not positive.
    pub covariance: Enclosure,
    /// Whether the other outcomes bring nothing back, so that the variance is that of the whole return.
    pub is_complete: bool,
}

impl Joint {
    /// From the returns of each trigger's bet, given the trigger.
    ///
    /// # Returns
    /// `None` for fewer than two triggers, or where their probabilities add up to more than 1, since they are then no
    /// outcomes of one spin.
    ///
    /// # Accuracy
    /// Enclosures of enclosures.
    #[must_use]
    pub fn new(bets: &[(&TriggerTerms, &Returns)]) -> Option<Self> {
        let together = bets
            .iter()
            .fold(RBig::ZERO, |sum, (terms, _)| sum + terms.probability());
        if bets.len() < 2 || together > RBig::ONE {
            return None;
        }
        let mut means = Vec::new();
        let mut variances = Vec::new();
        let mut total = Enclosure::ZERO;
        for (terms, returns) in bets {
            let exact = terms.probability();
            let p = Enclosure::from_rational(&exact);
            let not = Enclosure::from_rational(&(RBig::ONE - exact));
            let gross = returns.rtp_conditional;
            let mean = p * gross;
            total = total + returns.rtp;
            // p E[G^2] - p^2 E[G]^2 = p Var G + p (1 - p) E[G]^2, where nothing cancels.
            let variance = p * returns.gross_variance + p * not * gross * gross;
            means.push(mean);
            variances.push(variance);
        }
        let mut covariance = Enclosure::ZERO;
        for (index, &first) in means.iter().enumerate() {
            for &second in &means[index + 1..] {
                covariance = covariance - first * second;
            }
        }
        let variance = variances
            .iter()
            .fold(Enclosure::exact(2.0) * covariance, |sum, &one| sum + one)
            .within(0.0, f64::INFINITY);
        Some(Self {
            bets: bets.len(),
            trigger_probability: Enclosure::from_rational(&together),
            mean: total,
            variance,
            std_dev: variance.sqrt(),
            variances,
            covariance,
            is_complete: bets
                .iter()
                .all(|(terms, _)| terms.other_return == RBig::ZERO),
        })
    }
}
