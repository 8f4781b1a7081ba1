//! Where the overall return of many wagers on one bet lies.

use crate::document::RtpBand;
use crate::exact::Exact;
use crate::exact::distribution::{BandMethod, Distribution};
use crate::paytable::{Paytable, TriggerTerms};

/// Numbers of wagers.
const PLAYS: [u64; 7] = [
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
];
/// Two-sided levels.
const LEVELS: [f64; 3] = [0.90, 0.95, 0.99];

/// The bands of every trigger, by plays and level. A band that cannot be given for want of a
/// bound on the variance is left out.
///
/// # Arguments
/// - `exact`: the figures of the triggers
/// - `distributions`: of the same triggers in the same order, or none
///
/// # Accuracy
/// The probability of a band is proved to be at least its level, by the method that its text
/// names; a band by Chebyshev's inequality is several times as wide as the truth.
#[must_use]
pub fn rtp_bands(
    paytable: &Paytable,
    exact: &[Exact],
    distributions: &[Distribution],
) -> Vec<RtpBand> {
    let mut bands = Vec::new();
    for (index, exact) in exact.iter().enumerate() {
        let Some(terms) = paytable.terms(exact.trigger) else {
            continue;
        };
        for plays in PLAYS {
            for level in LEVELS {
                let band = match distributions.get(index) {
                    Some(distribution) => {
                        by_distribution(paytable, distribution, terms, plays, level)
                    }
                    None => by_moments(exact, terms, plays, level),
                };
                bands.extend(band.map(|(lower, upper, method)| RtpBand {
                    trigger: exact.trigger.number(),
                    plays,
                    level,
                    lower,
                    upper,
                    method: method + scope(terms),
                }));
            }
        }
    }
    bands
}

/// What a band leaves out where other outcomes of the main wheel bring a return: the paytable
/// says how much on average, not how it varies.
fn scope(terms: &TriggerTerms) -> &'static str {
    if terms.other_return.is_zero() {
        ""
    } else {
        "; of the return from the bonus alone: how the return of the other outcomes varies is not stated"
    }
}

fn by_distribution(
    paytable: &Paytable,
    distribution: &Distribution,
    terms: &TriggerTerms,
    plays: u64,
    level: f64,
) -> Option<(f64, f64, String)> {
    let band = distribution
        .wager_band(paytable.payout, terms, plays, level)
        .ok()?;
    let method = match band.method {
        BandMethod::Transform { .. } => {
            format!("{}, each tail within {:.1e}", band.method, band.error)
        }
        BandMethod::Normal => format!(
            "{}: each tail within {:.1e}, which the band allows for",
            band.method, band.error
        ),
        _ => format!(
            "{}: holds for every law with this variance, and is wide; the sharper methods have no proof that is near \
             enough at so few plays",
            band.method
        ),
    };
    Some((band.lower_mean, band.upper_mean, method))
}

/// By mean and variance alone, where there is no distribution: Chebyshev's inequality, one-sided
/// (F. P. Cantelli 1928).
fn by_moments(
    exact: &Exact,
    terms: &TriggerTerms,
    plays: u64,
    level: f64,
) -> Option<(f64, f64, String)> {
    let p = terms.probability().to_f64().value();
    let given = exact.returns.rtp_conditional;
    let square = exact.returns.gross_variance.upper() + given.upper() * given.upper();
    let (low, high) = (p * given.lower(), p * given.upper());
    let variance = p * square - low * low;
    let deviations = (2.0 / (1.0 - level) - 1.0).sqrt();
    #[expect(clippy::cast_precision_loss, reason = "a power of ten below 2^53")]
    let reach = deviations * (variance / plays as f64).sqrt();
    reach.is_finite().then(|| {
        (
            (low - reach).max(0.0),
            high + reach,
            "one-sided Chebyshev inequality: there is no payout distribution for a sharper method"
                .to_owned(),
        )
    })
}
