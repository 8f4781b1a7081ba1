//! What differs between two certificates beside their paytables.
//!
//! Two runs have different results even where nothing changed. Whether chance explains that is
//! tested, figure by figure: under the hypothesis that both certificates tell the truth, the two
//! simulated means differ by the difference of the exact ones, with a standard error from the
//! exact standard deviations. That needs two independent runs, or one that is the beginning of
//! the other. Runs of different games on the same stream of random numbers are neither, and get
//! no p-value.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{
    CappedJson, Certificate, CheckVerdict, EnclosureJson, ExactTrigger, SimulateTrigger,
};
use crate::exact::Enclosure;
use crate::paytable::PaytableFile;
use crate::stats::{NullRange, holm, z_test};

/// An entry that differs: `verdict`, `plan.seed`, `checks.mean-meter.2`, `clauses.693.6(e)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryChange {
    /// Where it stands.
    pub key: String,
    /// The old value; absent where the old certificate lacks the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value; absent where the new certificate lacks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// An exact figure that the two certificates give with other bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExactChange {
    /// 2 or 5.
    pub trigger: u32,
    /// The figure.
    pub figure: String,
    /// The old certificate's.
    pub old: EnclosureJson,
    /// The new certificate's.
    pub new: EnclosureJson,
    /// Whether the bounds have no number in common, so that the figures do differ.
    pub differs: bool,
}

/// A simulated figure in both runs, and whether chance explains the difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChanceJson {
    /// 2 or 5.
    pub trigger: u32,
    /// The figure.
    pub figure: String,
    /// The old run's.
    pub old: f64,
    /// The new run's.
    pub new: f64,
    /// The difference of the exact figures, which is what the runs should differ by.
    pub expected: EnclosureJson,
    /// Standard error of the difference, from the exact standard deviations.
    pub std_error: f64,
    /// `independent`, `nested` (one run is the beginning of the other) or `same stream` (other
    /// games on the same random numbers: no test).
    pub runs: String,
    /// The test statistic: distance from what is expected, in standard errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Its two-sided p-value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// The p-value after Holm's correction over all figures of this comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_value_adjusted: Option<f64>,
    /// Whether chance explains the rest, at the new certificate's alpha.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<bool>,
}

/// What differs between two certificates beside their paytables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CertificatesDiff {
    /// Verdict, program, plan, checks, clauses, assumptions and declared figures that differ.
    pub entries: Vec<EntryChange>,
    /// Exact figures with other bounds, for triggers that both have.
    pub exact: Vec<ExactChange>,
    /// Simulated figures, for triggers that both have.
    pub simulated: Vec<ChanceJson>,
}

impl CertificatesDiff {
    /// The comparison of two certificates.
    #[must_use]
    pub fn new(old: &Certificate, new: &Certificate) -> Self {
        let mut simulated = Vec::new();
        let mut exact = Vec::new();
        for one in &old.exact.triggers {
            let same = |trigger: &&ExactTrigger| trigger.trigger == one.trigger;
            let Some(two) = new.exact.triggers.iter().find(same) else {
                continue;
            };
            exact.extend(exact_changes(one, two));
            let run = |certificate: &Certificate| {
                let mut runs = certificate.simulated.triggers.iter().cloned();
                runs.find(|run| run.trigger == one.trigger)
            };
            if let Some((old_run, new_run)) = run(old).zip(run(new)) {
                let relation = Relation::of((old, &old_run), (new, &new_run));
                simulated.extend(chances((one, &old_run), (two, &new_run), relation));
            }
        }
        judge(&mut simulated, new.plan.alpha);
        Self {
            entries: entries(old, new),
            exact,
            simulated,
        }
    }
}

/// Every entry of a certificate that a review looks at, in one order.
fn entries(old: &Certificate, new: &Certificate) -> Vec<EntryChange> {
    let (old, new) = (listed(old), listed(new));
    let mut keys: Vec<&String> = old.iter().map(|(key, _)| key).collect();
    keys.extend(
        new.iter()
            .map(|(key, _)| key)
            .filter(|&key| old.iter().all(|(known, _)| known != key)),
    );
    let value = |entries: &[(String, String)], key: &String| {
        let mut entries = entries.iter();
        let found = entries.find(|(known, _)| known == key);
        found.map(|(_, value)| value.clone())
    };
    keys.into_iter()
        .filter_map(|key| {
            let (old, new) = (value(&old, key), value(&new, key));
            (old != new).then(|| EntryChange {
                key: key.clone(),
                old,
                new,
            })
        })
        .collect()
}

fn listed(certificate: &Certificate) -> Vec<(String, String)> {
    let mut entries = vec![
        ("verdict".to_owned(), certificate.verdict.word().to_owned()),
        ("tool.version".to_owned(), certificate.tool.version.clone()),
        ("tool.commit".to_owned(), certificate.tool.commit.clone()),
    ];
    // Whatever keys a plan has: none can be forgotten here.
    if let Ok(Value::Object(plan)) = serde_json::to_value(&certificate.plan) {
        for (key, value) in plan {
            let value = match value {
                Value::String(text) => text,
                other => other.to_string(),
            };
            entries.push((format!("plan.{key}"), value));
        }
    }
    for trigger in &certificate.triggers {
        entries.push((
            format!("triggers.{}.verdict", trigger.trigger),
            trigger.verdict.word().to_owned(),
        ));
    }
    for check in &certificate.checks {
        let key = match check.trigger {
            Some(trigger) => format!("checks.{}.{trigger}", check.id),
            None => format!("checks.{}", check.id),
        };
        entries.push((key, check.verdict.word().to_owned()));
    }
    for clause in &certificate.clauses {
        entries.push((format!("clauses.{}", clause.clause), clause.verdict.clone()));
    }
    for assumption in &certificate.assumptions {
        entries.push((
            format!("assumptions.{}", assumption.key),
            assumption.reading.clone(),
        ));
    }
    for declared in &certificate.declared {
        entries.push((
            format!("declared.{}.{}", declared.trigger, declared.figure),
            declared_text(&declared.declared, &declared.exact, declared.verdict),
        ));
    }
    entries
}

fn declared_text(declared: &str, exact: &str, verdict: CheckVerdict) -> String {
    format!("{declared} declared, {exact} exact: {verdict}")
}

fn exact_changes(old: &ExactTrigger, new: &ExactTrigger) -> Vec<ExactChange> {
    let trigger = old.trigger;
    let figures = |exact: &ExactTrigger| {
        [
            ("rtp", exact.rtp),
            ("rtp_conditional", exact.rtp_conditional),
            ("mean_meter", exact.mean_meter.enclosure),
            ("variance_meter", exact.variance_meter.enclosure),
            ("std_dev_meter", exact.std_dev_meter),
            ("hit_frequency", exact.hit_frequency.enclosure),
            ("mean_spins", exact.mean_spins.enclosure),
            ("volatility_index", exact.volatility_index.enclosure),
        ]
    };
    figures(old)
        .into_iter()
        .zip(figures(new))
        .filter(|((_, old), (_, new))| old != new)
        .map(|((figure, old), (_, new))| ExactChange {
            trigger,
            figure: figure.to_owned(),
            old,
            new,
            differs: old.upper < new.lower || new.upper < old.lower,
        })
        .collect()
}

/// How two runs hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// Different streams of random numbers.
    Independent,
    /// The same rounds of the same game as far as the shorter run goes.
    Nested,
    /// The same stream, another game.
    SameStream,
}

impl Relation {
    fn of(
        (old, old_run): (&Certificate, &SimulateTrigger),
        (new, new_run): (&Certificate, &SimulateTrigger),
    ) -> Self {
        let stream = |certificate: &Certificate, run: &SimulateTrigger| {
            (
                run.seed.clone(),
                run.generator.clone(),
                certificate.plan.engine_specification,
            )
        };
        if stream(old, old_run) != stream(new, new_run) {
            return Self::Independent;
        }
        let game = |certificate: &Certificate| {
            let file = PaytableFile::parse("certificate", &certificate.paytable.text).ok()?;
            Some((file.paytable.mathematics_sha256(), file.paytable.payout))
        };
        match (game(old), game(new)) {
            (Some(old), Some(new)) if old == new => Self::Nested,
            _ => Self::SameStream,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Nested => "nested",
            Self::SameStream => "same stream",
        }
    }

    /// Standard error of the difference of two means from the variance of one round in each.
    fn std_error(self, (old, old_rounds): (f64, f64), (new, new_rounds): (f64, f64)) -> f64 {
        match self {
            Self::Independent | Self::SameStream => (old / old_rounds + new / new_rounds).sqrt(),
            // With n < m rounds in common: Cov = variance / m, so variance (1/n - 1/m) is left.
            Self::Nested => (old.max(new) * (1.0 / old_rounds - 1.0 / new_rounds).abs()).sqrt(),
        }
    }
}

/// A figure that a run estimates by a mean over its rounds.
struct Mean {
    figure: &'static str,
    simulated: f64,
    exact: EnclosureJson,
    /// Of one round, an upper bound.
    variance: f64,
}

/// The figures of a run that are means. With `max_meter` the payout distribution has the exact
/// ones; without it those bounds are wide and the test the more lenient.
fn means(exact: &ExactTrigger, run: &SimulateTrigger) -> [Mean; 4] {
    let capped: Option<&CappedJson> = exact.distribution.as_ref().and_then(|distribution| {
        distribution
            .capped
            .iter()
            .find(|entry| entry.stake.is_none())
    });
    let hit = exact.hit_frequency.enclosure;
    let probability = ratio(&exact.trigger_probability);
    [
        Mean {
            figure: "rtp",
            simulated: run.rtp.estimate,
            exact: capped.map_or(exact.rtp, |capped| capped.rtp),
            variance: (probability * exact.std_dev_gross.upper).powi(2),
        },
        Mean {
            figure: "mean_meter",
            simulated: run.mean_meter.estimate,
            exact: capped.map_or(exact.mean_meter.enclosure, |capped| capped.mean_meter),
            variance: capped
                .map_or(exact.variance_meter.enclosure, |capped| {
                    capped.variance_meter
                })
                .upper,
        },
        Mean {
            figure: "hit_frequency",
            simulated: run.hit_frequency.estimate,
            exact: hit,
            variance: hit.upper * (1.0 - hit.lower),
        },
        Mean {
            figure: "mean_spins",
            simulated: run.mean_spins.estimate,
            exact: exact.mean_spins.enclosure,
            variance: exact.variance_spins.enclosure.upper,
        },
    ]
}

/// The nearest number to a fraction as text; a standard error needs no more.
fn ratio(text: &str) -> f64 {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
    number(numerator) / number(denominator)
}

fn chances(
    (old, old_run): (&ExactTrigger, &SimulateTrigger),
    (new, new_run): (&ExactTrigger, &SimulateTrigger),
    relation: Relation,
) -> Vec<ChanceJson> {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a relative rounding of 2^-53 is nothing in a standard error"
    )]
    let (old_rounds, new_rounds) = (old_run.rounds as f64, new_run.rounds as f64);
    means(old, old_run)
        .into_iter()
        .zip(means(new, new_run))
        .filter_map(|(one, two)| {
            let enclosure =
                |json: EnclosureJson| Enclosure::new(json.value, json.lower, json.upper);
            let expected = enclosure(two.exact)? - enclosure(one.exact)?;
            let std_error =
                relation.std_error((one.variance, old_rounds), (two.variance, new_rounds));
            let test = NullRange::new(expected.lower(), expected.upper())
                .and_then(|null| z_test(two.simulated - one.simulated, null, std_error))
                .ok()
                .filter(|_| relation != Relation::SameStream);
            std_error.is_finite().then(|| ChanceJson {
                trigger: old.trigger,
                figure: one.figure.to_owned(),
                old: one.simulated,
                new: two.simulated,
                expected: expected.into(),
                std_error,
                runs: relation.word().to_owned(),
                z: test.map(|test| test.statistic),
                p_value: test.map(|test| test.p_value),
                p_value_adjusted: None,
                explained: None,
            })
        })
        .collect()
}

/// Decides all tests together.
fn judge(chances: &mut [ChanceJson], alpha: f64) {
    let p_values: Vec<f64> = chances.iter().filter_map(|entry| entry.p_value).collect();
    let Ok(decisions) = holm(&p_values, alpha) else {
        return;
    };
    let tested = chances.iter_mut().filter(|entry| entry.p_value.is_some());
    for (entry, decision) in tested.zip(decisions) {
        entry.p_value_adjusted = Some(decision.adjusted);
        entry.explained = Some(!decision.rejected);
    }
}

#[cfg(test)]
mod tests;
