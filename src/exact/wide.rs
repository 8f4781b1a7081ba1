//! The figures of many paytables: fewer of them, at nine digits, several times as fast.
//!
//! The methods are those of [`solve_all`](super::solve_all), the proofs as well; what differs is
//! when the floor's tables are large enough, and that nothing is computed that a comparison of
//! paytables does not look at: no law of spins, no split of the mean, no fractions but for very
//! short games.

use dashu_ratio::RBig;

use super::precision::Precision;
use super::{Basis, Enclosure, ExactError, Method, Returns, length, returns};
use crate::paytable::{Paytable, TriggerTerms};
use crate::rules::Trigger;

/// The figures of one trigger between bounds that may be wide.
#[derive(Debug, Clone, PartialEq)]
pub struct WideFigures {
    /// The trigger.
    pub trigger: Trigger,
    /// Expected meter of a round as it is paid, with `max_meter` applied.
    pub mean_meter: Enclosure,
    /// Variance of that meter.
    pub variance_meter: Enclosure,
    /// Its square root.
    pub std_dev_meter: Enclosure,
    /// P(meter > 0).
    pub hit_frequency: Enclosure,
    /// Expected number of spins of a round.
    pub mean_spins: Enclosure,
    /// Returns of a wager, with `max_meter` applied.
    pub returns: Returns,
    /// The method behind mean and variance.
    pub method: Method,
}

/// The figures of some triggers of a paytable, in the order in which they are named.
///
/// # Accuracy
/// `lower <= truth <= upper` as in [`solve_all`](super::solve_all). The relative width of mean
/// and variance is below 1e-9 on the Pennsylvania wheels and wherever [`solve_all`](super::solve_all)
/// reaches that much.
///
/// # Errors
/// As [`solve`](super::solve).
///
/// # Panics
/// Never: without a limit on spins their moments are rational.
///
/// # Performance
/// A few milliseconds for both triggers of the Pennsylvania wheels.
///
/// # Examples
/// ```
/// use wonderspins::exact::{solve_all, solve_wide};
/// use wonderspins::paytable::PaytableFile;
/// use wonderspins::rules::Trigger;
///
/// let file = PaytableFile::load("pa-693-6")?;
/// let wide = solve_wide(&file.paytable, &[Trigger::Two, Trigger::Five])?;
/// for (wide, sharp) in wide.iter().zip(&solve_all(&file.paytable)?) {
///     assert!(wide.mean_meter.contains(sharp.mean_meter.value()));
///     assert!(wide.mean_meter.relative_width() < 1e-9);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_wide(
    paytable: &Paytable,
    triggers: &[Trigger],
) -> Result<Vec<WideFigures>, ExactError> {
    let terms: Vec<&TriggerTerms> = triggers
        .iter()
        .map(|&trigger| {
            paytable
                .terms(trigger)
                .ok_or(ExactError::UnknownTrigger { trigger })
        })
        .collect::<Result<_, _>>()?;
    let basis = Basis::new(paytable, &terms, Precision::WIDE)?;
    let (law, drift) = (&basis.law, &basis.drift);
    let max_spins = paytable.rules.max_spins;
    let max_meter = paytable.rules.max_meter.map(RBig::from);
    let figures = basis.games.iter().map(|game| {
        let (zero, hit_frequency) = game.hits(law, max_spins);
        let (mean_spins, _) = game.rational_spins().unwrap_or_else(|| {
            let limit = max_spins.expect("without a limit the spins are rational");
            let lengths = length::lengths(law, game.terms.spins, max_spins);
            game.limited_spins(law, &lengths, limit, drift)
        });
        let (mean_meter, variance_meter) = game.paid(zero, max_meter.as_ref());
        WideFigures {
            trigger: game.terms.trigger,
            mean_meter,
            variance_meter,
            std_dev_meter: variance_meter.sqrt(),
            hit_frequency,
            mean_spins,
            returns: returns(
                paytable.payout,
                game.terms,
                mean_meter,
                variance_meter,
                zero,
            ),
            method: game.meter.method,
        }
    });
    Ok(figures.collect())
}
