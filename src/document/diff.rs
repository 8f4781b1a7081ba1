//! Schema `wonderspins/diff/1`.

mod certificates;

use serde::{Deserialize, Serialize};

pub use certificates::{CertificatesDiff, ChanceJson, EntryChange, ExactChange};

use super::{Certificate, FractionJson, PaytableId, Tool};
use crate::analysis::diff::{Diff, Effects, Figures, TriggerEffects, UnitEffect};
use crate::exact::RationalEnclosure;
use crate::paytable::PaytableFile;

/// A part of the paytable that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeJson {
    /// The dotted path, list items from 0; `[17..20]` stands for items 17, 18 and 19.
    pub key: String,
    /// `mathematics`, `declared` or `metadata`.
    pub kind: String,
    /// The old value; absent where the old paytable lacks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The new value; absent where the new paytable lacks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// Changes of the mathematics whose effect is measured together: one, or several that are legal
/// only together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffUnit {
    /// Its number, from 1.
    pub unit: usize,
    /// The keys of its changes.
    pub keys: Vec<String>,
}

/// What one unit does to one figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffEffect {
    /// The unit.
    pub unit: usize,
    /// The old paytable with this unit, less the old paytable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<FractionJson>,
    /// The new paytable, less the new paytable without this unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<FractionJson>,
    /// Why one of them is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// One figure of a trigger that both paytables have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffFigure {
    /// `rtp`, `mean_meter`, `std_dev_meter` or `hit_frequency`.
    pub figure: String,
    /// The old paytable's.
    pub old: FractionJson,
    /// The new paytable's.
    pub new: FractionJson,
    /// New less old.
    pub together: FractionJson,
    /// Each unit's effect.
    pub effects: Vec<DiffEffect>,
    /// The sum of the effects alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum_alone: Option<FractionJson>,
    /// `together` less `sum_alone`: what the changes do only in company.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interaction: Option<FractionJson>,
}

/// A trigger of either paytable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffTrigger {
    /// 2 or 5.
    pub trigger: u32,
    /// `both`, `old` or `new`: which paytable has it.
    pub presence: String,
    /// Why there are no figures although both have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The figures where both have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<DiffFigure>,
}

/// `diff --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiffDocument {
    /// `wonderspins/diff/1`.
    pub schema: String,
    /// Program.
    pub tool: Tool,
    /// The new paytable.
    pub paytable: PaytableId,
    /// The old paytable.
    pub old_paytable: PaytableId,
    /// Whether anything but claims and texts differs between the paytables.
    pub mathematics_differ: bool,
    /// What changed.
    pub changes: Vec<ChangeJson>,
    /// The changes of the mathematics, as they are measured.
    pub units: Vec<DiffUnit>,
    /// One entry for each trigger of either, ascending.
    pub triggers: Vec<DiffTrigger>,
    /// What else differs between two certificates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificates: Option<CertificatesDiff>,
}

impl DiffDocument {
    /// The document of a comparison, with that of the certificates where both are some.
    #[must_use]
    pub fn new(
        old: &PaytableFile,
        new: &PaytableFile,
        diff: &Diff,
        certificates: Option<(&Certificate, &Certificate)>,
    ) -> Self {
        Self {
            schema: "wonderspins/diff/1".to_owned(),
            tool: Tool::current(),
            paytable: new.into(),
            old_paytable: old.into(),
            mathematics_differ: diff.is_mathematics(),
            changes: diff
                .changes
                .iter()
                .map(|change| ChangeJson {
                    key: change.key.clone(),
                    kind: change.kind.word().to_owned(),
                    old: change.old.clone(),
                    new: change.new.clone(),
                })
                .collect(),
            units: (1..)
                .zip(&diff.units)
                .map(|(unit, changes)| DiffUnit {
                    unit,
                    keys: changes
                        .iter()
                        .map(|&change| diff.changes[change].key.clone())
                        .collect(),
                })
                .collect(),
            triggers: diff
                .triggers
                .iter()
                .map(|(trigger, effects)| {
                    let (presence, refused, figures) = match effects {
                        TriggerEffects::Both(effects) => ("both", None, figures(effects)),
                        TriggerEffects::Refused(error) => {
                            ("both", Some(error.to_string()), Vec::new())
                        }
                        TriggerEffects::OldOnly => ("old", None, Vec::new()),
                        TriggerEffects::NewOnly => ("new", None, Vec::new()),
                    };
                    DiffTrigger {
                        trigger: trigger.number(),
                        presence: presence.to_owned(),
                        refused,
                        figures,
                    }
                })
                .collect(),
            certificates: certificates.map(|(old, new)| CertificatesDiff::new(old, new)),
        }
    }
}

type Pick = fn(&Figures) -> &RationalEnclosure;

/// The figures that are compared, in their order.
const FIGURES: [(&str, Pick); 4] = [
    ("rtp", |figures| &figures.rtp),
    ("mean_meter", |figures| &figures.mean_meter),
    ("std_dev_meter", |figures| &figures.std_dev_meter),
    ("hit_frequency", |figures| &figures.hit_frequency),
];

fn figures(effects: &Effects) -> Vec<DiffFigure> {
    FIGURES
        .iter()
        .map(|&(name, pick)| {
            let of = |figures: &Figures| FractionJson::from(pick(figures));
            DiffFigure {
                figure: name.to_owned(),
                old: of(&effects.old),
                new: of(&effects.new),
                together: of(&effects.together),
                effects: (1..)
                    .zip(&effects.units)
                    .map(|(unit, effect)| unit_effect(unit, effect, &of))
                    .collect(),
                sum_alone: effects.sum_alone.as_ref().map(of),
                interaction: effects.interaction.as_ref().map(of),
            }
        })
        .collect()
}

fn unit_effect(
    unit: usize,
    effect: &UnitEffect,
    of: &impl Fn(&Figures) -> FractionJson,
) -> DiffEffect {
    let known = |figures: &Result<Figures, _>| figures.as_ref().ok().map(of);
    let refusal = [&effect.alone, &effect.last]
        .into_iter()
        .find_map(|figures| figures.as_ref().err());
    DiffEffect {
        unit,
        alone: known(&effect.alone),
        last: known(&effect.last),
        refused: refusal.map(ToString::to_string),
    }
}
