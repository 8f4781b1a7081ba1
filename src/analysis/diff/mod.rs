//! What changed between two paytables, and what each change does to the return.
//!
//! A change is the smallest part of a definition that has a key of its own: a rule, a number, a
//! section of a wheel. Each can be carried out by itself, on the old paytable or taken back from
//! the new one, which gives its effect alone and as the last one; what the effects alone leave
//! of the effect of all together is the interaction.
//!
//! | file | holds |
//! | --- | --- |
//! | `changes` | the parts that differ, each with the way to carry it out |
//! | `text` | a part as one line |
//! | `units` | changes that are legal only together |
//! | `view` | what decides the meter, the hits and the return, in a form that can be compared |
//! | `effect` | figures and their differences |
//!
//! Guarantee: every figure and difference encloses the truth, without rounding beyond that of
//! [`exact`](crate::exact). Where two games are the same for a figure (a section moved round a
//! wheel, another name) the difference is exactly 0 and not merely small; where the meter is the
//! same and only its price differs, the difference of the return is that of the price.
//!
//! `[limits]` enters no figure here, and with `max_meter` the bounds are those of
//! [`exact::solve`](crate::exact::solve), which are wide where the cap is within reach.

mod changes;
mod effect;
#[cfg(test)]
mod tests;
mod text;
mod units;
mod view;

use crate::exact::{ExactError, RationalEnclosure};
use crate::paytable::{Definition, Paytable};
use crate::rules::Trigger;
use changes::Edit;
use effect::Solver;

/// What a part of a paytable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It decides what a round pays or how often one is played.
    Mathematics,
    /// A declared figure: a claim about the mathematics.
    Declared,
    /// Name, source, notes and disclosure.
    Metadata,
}

impl Kind {
    /// The word in documents.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mathematics => "mathematics",
            Self::Declared => "declared",
            Self::Metadata => "metadata",
        }
    }
}

/// A part that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The dotted path, list items from 0: `rules.drink_me.consumes_spin`,
    /// `outer_wheel.sections[17]`, or `outer_wheel.sections[17..20]` for 17, 18 and 19.
    pub key: String,
    /// What it is for.
    pub kind: Kind,
    /// The old value as one line; absent where the old paytable lacks it.
    pub old: Option<String>,
    /// The new value as one line; absent where the new paytable lacks it.
    pub new: Option<String>,
}

/// The figures of a trigger, or differences of such figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Overall gross return for each unit wagered on this bet.
    pub rtp: RationalEnclosure,
    /// Expected meter of a round as it is paid.
    pub mean_meter: RationalEnclosure,
    /// Its standard deviation.
    pub std_dev_meter: RationalEnclosure,
    /// P(meter > 0).
    pub hit_frequency: RationalEnclosure,
}

/// What a unit does to the figures of a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitEffect {
    /// The old paytable with this unit, less the old paytable.
    pub alone: Result<Figures, ExactError>,
    /// The new paytable less the new paytable without this unit.
    pub last: Result<Figures, ExactError>,
}

/// The figures of a trigger that both paytables have, and where their difference comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effects {
    /// The old paytable's.
    pub old: Figures,
    /// The new paytable's.
    pub new: Figures,
    /// New less old.
    pub together: Figures,
    /// Each unit's, in the order of [`Diff::units`].
    pub units: Vec<UnitEffect>,
    /// The sum of the effects alone; absent where one is not known.
    pub sum_alone: Option<Figures>,
    /// `together` less `sum_alone`.
    pub interaction: Option<Figures>,
}

/// A trigger of either paytable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriggerEffects {
    /// Both have it.
    Both(Box<Effects>),
    /// Both have it and one is refused by the calculator.
    Refused(ExactError),
    /// Only the old paytable has it.
    OldOnly,
    /// Only the new paytable has it.
    NewOnly,
}

/// All differences of two paytables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// What changed: mathematics, then declared figures, then metadata, each in the order of the
    /// file.
    pub changes: Vec<Change>,
    /// The changes of the mathematics by their index, in the smallest groups found that are legal
    /// both as the only change of the old paytable and as the only one missing from the new.
    pub units: Vec<Vec<usize>>,
    /// Every trigger of either paytable, ascending.
    pub triggers: Vec<(Trigger, TriggerEffects)>,
}

impl Diff {
    /// Whether anything but claims and texts differs.
    #[must_use]
    pub fn is_mathematics(&self) -> bool {
        self.changes
            .iter()
            .any(|change| change.kind == Kind::Mathematics)
    }
}

/// What changed from one paytable to another, and what each change does.
///
/// # Performance
/// At most two exact calculations for every unit; none for a unit that leaves the meter alone.
///
/// # Examples
/// ```
/// use wonderspins::analysis::diff::diff;
/// use wonderspins::paytable::PaytableFile;
///
/// let old = PaytableFile::load("pa-693-6")?.paytable;
/// let new = PaytableFile::load("pa-693-6-net-zero")?.paytable;
/// let found = diff(&old, &new);
/// assert_eq!(found.changes[0].key, "rules.eat_me.consumes_spin");
/// assert_eq!(found.units, [vec![0], vec![1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn diff(old: &Paytable, new: &Paytable) -> Diff {
    let edits = changes::edits(old, new);
    let mathematics: Vec<usize> = (0..edits.len())
        .filter(|&index| edits[index].change.kind == Kind::Mathematics)
        .collect();
    let game = Game {
        old: without_claims(old),
        new: without_claims(new),
        edits: &edits,
    };
    let units = units::units(&game, &mathematics);
    let mut solver = Solver::default();
    let triggers = Trigger::ALL
        .into_iter()
        .filter_map(|trigger| {
            let effects = match (old.terms(trigger), new.terms(trigger)) {
                (Some(_), Some(_)) => effects(&game, &units, trigger, &mut solver)
                    .map_or_else(TriggerEffects::Refused, |effects| {
                        TriggerEffects::Both(Box::new(effects))
                    }),
                (Some(_), None) => TriggerEffects::OldOnly,
                (None, Some(_)) => TriggerEffects::NewOnly,
                (None, None) => return None,
            };
            Some((trigger, effects))
        })
        .collect();
    Diff {
        changes: edits.into_iter().map(|edit| edit.change).collect(),
        units,
        triggers,
    }
}

/// Claims enter no figure, and one about a trigger that is gone would be a fault.
fn without_claims(paytable: &Paytable) -> Definition {
    let mut definition = Definition::clone(paytable);
    definition.declared.clear();
    definition.disclosure = crate::paytable::Disclosure::default();
    definition
}

/// The two games and what leads from one to the other.
struct Game<'a> {
    old: Definition,
    new: Definition,
    edits: &'a [Edit],
}

impl Game<'_> {
    /// The old game with these changes, where it is legal.
    fn with(&self, changes: &[usize]) -> Option<Paytable> {
        self.carried_out(self.old.clone(), &self.new, changes)
    }

    /// The new game without these changes, where it is legal.
    fn without(&self, changes: &[usize]) -> Option<Paytable> {
        self.carried_out(self.new.clone(), &self.old, changes)
    }

    fn carried_out(
        &self,
        mut base: Definition,
        from: &Definition,
        changes: &[usize],
    ) -> Option<Paytable> {
        for &change in changes {
            self.edits[change].carry_out(from, &mut base);
        }
        Paytable::new(base).ok()
    }
}

fn effects(
    game: &Game<'_>,
    units: &[Vec<usize>],
    trigger: Trigger,
    solver: &mut Solver,
) -> Result<Effects, ExactError> {
    let whole = "the two paytables are legal, and so is a unit on either of them";
    let old = solver.solve(&game.with(&[]).expect(whole), trigger)?;
    let new = solver.solve(&game.without(&[]).expect(whole), trigger)?;
    let together = new.minus(&old);
    let effects: Vec<UnitEffect> = units
        .iter()
        .map(|unit| {
            let with = solver.solve(&game.with(unit).expect(whole), trigger);
            let without = solver.solve(&game.without(unit).expect(whole), trigger);
            UnitEffect {
                alone: with.map(|with| with.minus(&old)),
                last: without.map(|without| new.minus(&without)),
            }
        })
        .collect();
    let sum_alone = effects
        .iter()
        .try_fold(Figures::zero(), |sum, effect| {
            effect.alone.as_ref().map(|alone| sum.plus(alone))
        })
        .ok();
    let interaction = sum_alone.as_ref().map(|sum| {
        // One unit is all there is: nothing can interact, whatever the width of the bounds.
        if units.len() <= 1 {
            Figures::zero()
        } else {
            together.minus(sum)
        }
    });
    Ok(Effects {
        old: old.figures,
        new: new.figures,
        together,
        units: effects,
        sum_alone,
        interaction,
    })
}
