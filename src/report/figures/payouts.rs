//! The payout distribution.

use super::chart::ChartError;
use super::distribution::{Words, linear, logarithmic};
use super::law::Law;
use crate::document::{ExactTrigger, SimulateTrigger};

fn words(exact: &ExactTrigger, scale: &str) -> Words<'static> {
    Words {
        id: format!("payouts-{scale}-{}", exact.trigger),
        title: format!(
            "Payout distribution of {} Wonderspins, {scale} scale",
            exact.trigger
        ),
        axis: "meter (wagers)",
        value: "meter",
    }
}

/// On a linear scale: what nearly all rounds pay.
pub(super) fn on_linear_scale(
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Result<String, ChartError> {
    linear(&Law::of_meter(exact, simulated), &words(exact, "linear"))
}

/// On a logarithmic scale: the tail.
pub(super) fn on_log_scale(
    exact: &ExactTrigger,
    simulated: &SimulateTrigger,
) -> Result<String, ChartError> {
    logarithmic(
        &Law::of_meter(exact, simulated),
        &words(exact, "logarithmic"),
    )
}
