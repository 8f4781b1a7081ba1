//! The distribution of the number of spins of a round.

use super::chart::ChartError;
use super::distribution::{Words, logarithmic};
use super::law::Law;
use crate::document::{ExactTrigger, SimulateTrigger};

/// On a logarithmic scale, which shows that the tail falls like a geometric one.
pub(super) fn spins(
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Result<String, ChartError> {
    let words = Words {
        id: format!("spins-{}", exact.trigger),
        title: format!("Spins of a round of {} Wonderspins", exact.trigger),
        axis: "spins of a round",
        value: "spins",
    };
    logarithmic(&Law::of_spins(exact, simulated), &words)
}
