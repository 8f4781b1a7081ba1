//! `exact --distribution`: the payout distribution as text and as CSV rows.

use wonderspins::document::{BoundsJson, DistributionJson, EnclosureJson, ExactTrigger, JointJson};
use wonderspins::report::format::{bound, enclosed, figure, grouped, level, percent};

use crate::table;

/// A figure's key, value and bounds; a bound that is not known is empty.
pub(super) type Row = (String, [String; 3]);

/// Rows of the figures, then of the probabilities.
///
/// No probability is further from the truth than the whole law is.
pub(super) fn rows(distribution: &DistributionJson) -> Vec<Row> {
    let enclosure = |key: String, value: &EnclosureJson| -> Row {
        let numbers = [value.value, value.lower, value.upper];
        (key, numbers.map(|number| number.to_string()))
    };
    let bounds = |key: String, value: &BoundsJson| -> Row {
        let known = |bound: Option<f64>| bound.map_or(String::new(), |bound| bound.to_string());
        let value = [
            value.value.to_string(),
            known(value.lower),
            known(value.upper),
        ];
        (key, value)
    };
    let mut rows = vec![
        bounds("distribution:mean".to_owned(), &distribution.mean_bounds),
        bounds(
            "distribution:variance".to_owned(),
            &distribution.variance_bounds,
        ),
        bounds(
            "distribution:skewness".to_owned(),
            &distribution.skewness_bounds,
        ),
        bounds(
            "distribution:excess_kurtosis".to_owned(),
            &distribution.excess_kurtosis_bounds,
        ),
    ];
    for name in ["total_variation_bound", "missing_mass"] {
        let most = if name == "missing_mass" {
            distribution.missing_mass
        } else {
            distribution.total_variation_bound
        };
        let text = most.to_string();
        rows.push((
            format!("distribution:{name}"),
            [text.clone(), "0".to_owned(), text],
        ));
    }
    for entry in &distribution.quantiles {
        rows.push((
            format!("quantile={}", entry.p),
            [
                entry.meter.to_string(),
                entry.lower.to_string(),
                entry.upper.map_or(String::new(), |upper| upper.to_string()),
            ],
        ));
    }
    for entry in &distribution.exceedance {
        rows.push(enclosure(
            format!("exceedance={}", entry.meter),
            &entry.probability,
        ));
        rows.push(bounds(
            format!("one_in={}", entry.meter),
            &entry.one_in_bounds,
        ));
    }
    for band in &distribution.acceptance_bands {
        rows.push((
            format!("mean_of_rounds={}:level={}", band.rounds, band.level),
            [
                distribution.mean.to_string(),
                band.lower_mean.to_string(),
                band.upper_mean.to_string(),
            ],
        ));
    }
    for entry in &distribution.capped {
        let cap = entry
            .stake
            .map_or_else(|| "max_meter".to_owned(), |stake| format!("stake={stake}"));
        rows.push(enclosure(format!("{cap}:mean_meter"), &entry.mean_meter));
        rows.push(enclosure(
            format!("{cap}:variance_meter"),
            &entry.variance_meter,
        ));
        rows.push(enclosure(format!("{cap}:rtp"), &entry.rtp));
        rows.push(enclosure(
            format!("{cap}:rtp_conditional"),
            &entry.rtp_conditional,
        ));
    }
    let distance = distribution.total_variation_bound;
    for (meter, &value) in distribution.pmf.iter().enumerate() {
        let probability = EnclosureJson {
            value,
            lower: (value - distance).max(0.0),
            upper: (value + distance).min(1.0),
        };
        rows.push(enclosure(format!("pmf={meter}"), &probability));
    }
    rows
}

/// The figures for a person.
pub(super) fn text(trigger: &ExactTrigger, distribution: &DistributionJson) -> String {
    let mut text = format!(
        "payout distribution, within {:.1e} of the truth in total variation\n",
        distribution.total_variation_bound
    );
    let mut moments = table::numbers(&["  of the meter", "value", "from", "to", "by moments"]);
    let shown = |bound_value: Option<f64>, is_upper: bool| {
        bound_value.map_or("unknown".to_owned(), |value| bound(value, 6, is_upper))
    };
    for (name, value, other) in [
        (
            "mean",
            &distribution.mean_bounds,
            Some(&trigger.mean_meter.enclosure),
        ),
        (
            "variance",
            &distribution.variance_bounds,
            Some(&trigger.variance_meter.enclosure),
        ),
        ("skewness", &distribution.skewness_bounds, None),
        (
            "excess kurtosis",
            &distribution.excess_kurtosis_bounds,
            None,
        ),
    ] {
        moments.add_row([
            format!("  {name}"),
            format!("{:.6}", value.value),
            shown(value.lower, false),
            shown(value.upper, true),
            other.map_or(String::new(), |other| enclosed(other, 9)),
        ]);
    }
    text.push_str(&table::render(&moments));
    let mut quantiles = table::numbers(&["  quantile", "meter", "from", "to"]);
    for quantile in &distribution.quantiles {
        quantiles.add_row([
            format!("  {}", level(quantile.p)),
            quantile.meter.to_string(),
            quantile.lower.to_string(),
            quantile
                .upper
                .map_or("unknown".to_owned(), |upper| upper.to_string()),
        ]);
    }
    text.push_str(&table::render(&quantiles));
    if !distribution.exceedance.is_empty() {
        let mut odds =
            table::numbers(&["  meter of at least", "probability", "one in", "from", "to"]);
        for entry in &distribution.exceedance {
            let outer = |bound: Option<f64>| bound.map_or("unknown".to_owned(), |b| figure(b, 6));
            odds.add_row([
                format!("  {}", entry.meter),
                format!("{:.6e}", entry.probability.value),
                figure(entry.one_in, 6),
                outer(entry.one_in_bounds.lower),
                outer(entry.one_in_bounds.upper),
            ]);
        }
        text.push_str(&table::render(&odds));
    }
    if let Some(first) = distribution.acceptance_bands.first() {
        let mut bands = table::numbers(&["  rounds", "mean from", "to", "method", "error"]);
        for band in &distribution.acceptance_bands {
            bands.add_row([
                format!("  {}", grouped(&band.rounds)),
                bound(band.lower_mean, 6, false),
                bound(band.upper_mean, 6, true),
                band.method.clone(),
                format!("{:.1e}", band.error),
            ]);
        }
        text.push_str(&format!(
            "the mean of independent rounds lies within, with at least {}:\n",
            level(first.level)
        ));
        text.push_str(&table::render(&bands));
    }
    for entry in &distribution.capped {
        let whose = entry
            .stake
            .map_or("the round".to_owned(), |stake| format!("stake {stake}"));
        text.push_str(&format!(
            "{whose}: meter capped at {}, mean {},\n  overall RTP in [{} %, {} %]\n",
            entry.max_meter,
            enclosed(&entry.mean_meter, 9),
            bound(100.0 * entry.rtp.lower, 6, false),
            bound(100.0 * entry.rtp.upper, 6, true)
        ));
    }
    text
}

/// The figures of both bets together with their keys.
pub(super) fn joint_rows(joint: &JointJson) -> Vec<(String, EnclosureJson)> {
    [
        ("trigger_probability", joint.trigger_probability),
        ("mean", joint.mean),
        ("variance", joint.variance),
        ("std_dev", joint.std_dev),
        ("covariance", joint.covariance),
    ]
    .map(|(key, value)| (format!("joint:{key}"), value))
    .to_vec()
}

/// Both bets together for a person.
pub(super) fn joint(joint: &JointJson) -> String {
    let what = if joint.variance_is_complete {
        "return"
    } else {
        "return from the bonuses"
    };
    format!(
        "\nA wager of 1 on each of {} bets, one spin of the main wheel\n\
         expected gross return {}, a bonus in {} of the spins\n\
         standard deviation of the {what} {},\n  covariance of the bets {}\n",
        joint.bets,
        enclosed(&joint.mean, 9),
        percent(joint.trigger_probability.value, 4),
        enclosed(&joint.std_dev, 9),
        enclosed(&joint.covariance, 9),
    )
}
