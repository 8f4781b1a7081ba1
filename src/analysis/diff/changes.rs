//! The parts in which two definitions differ, each with the way to carry it out.
//!
//! A part is named by a place in a [`Definition`]; carrying a change out copies what stands at
//! that place from one definition to another. Places do not overlap, so changes can be carried
//! out in any choice and order, and all of them make the one definition of the other.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::ops::Range;

use super::{Change, Kind, text};
use crate::paytable::{BoostLaw, Definition, Disclosure, Figure, Potion, StartLaw, TriggerTerms};
use crate::rules::{Character, Trigger, Wheel};

/// The most sections or weights of a wheel that are changes of their own; where more differ,
/// neighbours are one change.
const SINGLE_SECTIONS: usize = 12;

/// Where something stands in a definition.
type Place<T> = fn(&mut Definition) -> &mut T;
/// Where a flag stands in a disclosure.
type Flag = fn(&mut Disclosure) -> &mut Option<bool>;
/// Gives the second definition what the first has at a place.
type Carry = Box<dyn Fn(&Definition, &mut Definition)>;

/// A change and how it is made.
pub(super) struct Edit {
    pub(super) change: Change,
    carry: Carry,
}

impl fmt::Debug for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.change.fmt(f)
    }
}

impl Edit {
    /// Gives `to` what `from` has at the place of this change.
    pub(super) fn carry_out(&self, from: &Definition, to: &mut Definition) {
        (self.carry)(from, to);
    }
}

/// Every change from the old definition to the new: mathematics, declared figures, metadata.
pub(super) fn edits(old: &Definition, new: &Definition) -> Vec<Edit> {
    let mut found = Found {
        old: old.clone(),
        new: new.clone(),
        edits: Vec::new(),
    };
    found.wheel("inner_wheel", |definition| &mut definition.inner_wheel);
    found.wheel("outer_wheel", |definition| &mut definition.outer_wheel);
    found.starts();
    found.boost();
    found.rules();
    found.payout();
    found.triggers();
    found.declared();
    found.metadata();
    found.edits
}

struct Found {
    old: Definition,
    new: Definition,
    edits: Vec<Edit>,
}

impl Found {
    fn push(
        &mut self,
        kind: Kind,
        key: impl Into<String>,
        (old, new): (Option<String>, Option<String>),
        carry: impl Fn(&Definition, &mut Definition) + 'static,
    ) {
        self.edits.push(Edit {
            change: Change {
                key: key.into(),
                kind,
                old,
                new,
            },
            carry: Box::new(carry),
        });
    }

    /// A change where the two differ at a place.
    fn part<T: PartialEq + Clone + 'static>(
        &mut self,
        kind: Kind,
        key: impl Into<String>,
        place: impl Fn(&mut Definition) -> &mut T + 'static,
        text: impl Fn(&T) -> Option<String>,
    ) {
        let (old, new) = (place(&mut self.old), place(&mut self.new));
        if old == new {
            return;
        }
        let texts = (text(old), text(new));
        self.push(kind, key, texts, move |from, to| {
            // A place leads to something that can be written; the original stays as it is.
            let value = place(&mut from.clone()).clone();
            *place(to) = value;
        });
    }

    /// A part of the mathematics that is always there and prints itself.
    fn value<T: PartialEq + Clone + Display + 'static>(
        &mut self,
        key: impl Into<String>,
        place: impl Fn(&mut Definition) -> &mut T + 'static,
    ) {
        self.part(Kind::Mathematics, key, place, |value| {
            Some(value.to_string())
        });
    }

    /// A part that may be absent.
    fn optional<T: PartialEq + Clone + 'static>(
        &mut self,
        kind: Kind,
        key: impl Into<String>,
        place: impl Fn(&mut Definition) -> &mut Option<T> + 'static,
        text: impl Fn(&T) -> String,
    ) {
        self.part(kind, key, place, move |value| value.as_ref().map(&text));
    }

    fn wheel<S: PartialEq + Clone + Display + 'static>(
        &mut self,
        name: &'static str,
        wheel: Place<Wheel<S>>,
    ) {
        let old = wheel(&mut self.old).clone();
        let new = wheel(&mut self.new).clone();
        let math = Kind::Mathematics;
        if old.sections.len() == new.sections.len() {
            for range in runs(&old.sections, &new.sections) {
                let texts = (
                    Some(text::list(&old.sections[range.clone()])),
                    Some(text::list(&new.sections[range.clone()])),
                );
                let key = format!("{name}.sections[{}]", indices(&range));
                self.push(math, key, texts, move |from, to| {
                    let mut from = from.clone();
                    wheel(to).sections[range.clone()]
                        .clone_from_slice(&wheel(&mut from).sections[range.clone()]);
                });
            }
            for range in runs(&old.weights, &new.weights) {
                let texts = (
                    Some(text::list(&old.weights[range.clone()])),
                    Some(text::list(&new.weights[range.clone()])),
                );
                let key = format!("{name}.weights[{}]", indices(&range));
                self.push(math, key, texts, move |from, to| {
                    let mut from = from.clone();
                    wheel(to).weights[range.clone()]
                        .clone_from_slice(&wheel(&mut from).weights[range.clone()]);
                });
            }
            return;
        }
        // Sections came or went: one change, told by what lies between the equal ends.
        let (start, old_end, new_end) = middle(
            &old.sections.iter().zip(&old.weights).collect::<Vec<_>>(),
            &new.sections.iter().zip(&new.weights).collect::<Vec<_>>(),
        );
        let shown = |wheel: &Wheel<S>, end: usize| {
            text::sections(&wheel.sections[start..end], &wheel.weights[start..end])
        };
        let texts = (shown(&old, old_end), shown(&new, new_end));
        let key = format!(
            "{name}.sections[{}]",
            indices(&(start..old_end.max(new_end)))
        );
        self.push(math, key, texts, move |from, to| {
            *wheel(to) = wheel(&mut from.clone()).clone();
        });
    }

    fn starts(&mut self) {
        let key = "starting_multipliers";
        match (
            &self.old.starting_multipliers,
            &self.new.starting_multipliers,
        ) {
            (StartLaw::Fixed { values: old }, StartLaw::Fixed { values: new })
                if old.keys().eq(new.keys()) =>
            {
                for character in old.keys().copied().collect::<Vec<_>>() {
                    self.value(format!("{key}.values.{character}"), move |definition| {
                        fixed_start(definition, character)
                    });
                }
            }
            (StartLaw::Permutation { .. }, StartLaw::Permutation { .. }) => self.part(
                Kind::Mathematics,
                format!("{key}.values"),
                |definition| &mut definition.starting_multipliers,
                |law| match law {
                    StartLaw::Permutation { values } => Some(text::list(values)),
                    other => Some(text::starts(other)),
                },
            ),
            _ => self.part(
                Kind::Mathematics,
                key,
                |definition| &mut definition.starting_multipliers,
                |law| Some(text::starts(law)),
            ),
        }
    }

    fn boost(&mut self) {
        match (&self.old.boost, &self.new.boost) {
            (BoostLaw::Weights(old), BoostLaw::Weights(new)) if old.keys().eq(new.keys()) => {
                for character in old.keys().copied().collect::<Vec<_>>() {
                    self.value(format!("boost.weights.{character}"), move |definition| {
                        boost_weight(definition, character)
                    });
                }
            }
            (old, new) => {
                let is_law = std::mem::discriminant(old) != std::mem::discriminant(new);
                self.part(
                    Kind::Mathematics,
                    if is_law { "boost" } else { "boost.weights" },
                    |definition| &mut definition.boost,
                    |law| Some(text::boost(law)),
                );
            }
        }
    }

    fn rules(&mut self) {
        let potions: [(&str, Place<Potion>); 2] = [
            ("eat_me", |definition| &mut definition.rules.eat_me),
            ("drink_me", |definition| &mut definition.rules.drink_me),
        ];
        for (name, potion) in potions {
            let key = |field: &str| format!("rules.{name}.{field}");
            self.value(key("spins"), move |definition| {
                &mut potion(definition).spins
            });
            self.value(key("multipliers"), move |definition| {
                &mut potion(definition).multipliers
            });
            self.value(key("consumes_spin"), move |definition| {
                &mut potion(definition).consumes_spin
            });
        }
        self.value("rules.additional_spin.spins", |definition| {
            &mut definition.rules.additional_spin
        });
        self.value("rules.multiplier_floor", |definition| {
            &mut definition.rules.multiplier_floor
        });
        self.optional(
            Kind::Mathematics,
            "rules.max_meter",
            |definition| &mut definition.rules.max_meter,
            u64::to_string,
        );
        self.optional(
            Kind::Mathematics,
            "rules.max_spins",
            |definition| &mut definition.rules.max_spins,
            u32::to_string,
        );
    }

    fn payout(&mut self) {
        self.part(
            Kind::Mathematics,
            "payout.convention",
            |definition| &mut definition.payout.convention,
            |&value| Some(text::convention(value).to_owned()),
        );
        self.part(
            Kind::Mathematics,
            "payout.zero_meter",
            |definition| &mut definition.payout.zero_meter,
            |&value| Some(text::zero_meter(value).to_owned()),
        );
        self.optional(
            Kind::Mathematics,
            "limits",
            |definition| &mut definition.limits,
            text::limits,
        );
    }

    fn triggers(&mut self) {
        for trigger in Trigger::ALL {
            let (old, new) = (find(&self.old, trigger), find(&self.new, trigger));
            let key = format!("triggers.{trigger}");
            if let (Some(old), Some(new)) = (old, new) {
                let wheel = |terms: &TriggerTerms| (terms.main_wheel_sections, terms.main_wheel_of);
                let (old, new) = (wheel(old), wheel(new));
                self.value(format!("{key}.spins"), move |definition| {
                    &mut terms(definition, trigger).spins
                });
                if old != new {
                    let texts = (Some(text::main_wheel(old)), Some(text::main_wheel(new)));
                    let key = format!("{key}.main_wheel");
                    self.push(Kind::Mathematics, key, texts, move |from, to| {
                        let mut from = from.clone();
                        let from = terms(&mut from, trigger);
                        let to = terms(to, trigger);
                        to.main_wheel_sections = from.main_wheel_sections;
                        to.main_wheel_of = from.main_wheel_of;
                    });
                }
                self.value(format!("{key}.other_return"), move |definition| {
                    &mut terms(definition, trigger).other_return
                });
                self.optional(
                    Kind::Mathematics,
                    format!("{key}.starting_multipliers"),
                    move |definition| &mut terms(definition, trigger).starting_multipliers,
                    text::starts,
                );
            } else if old.is_some() || new.is_some() {
                let texts = (old.map(text::terms), new.map(text::terms));
                self.push(Kind::Mathematics, key, texts, move |from, to| {
                    to.triggers.retain(|terms| terms.trigger != trigger);
                    to.triggers.extend(find(from, trigger).cloned());
                    to.triggers.sort_unstable_by_key(|terms| terms.trigger);
                });
            }
        }
    }

    fn declared(&mut self) {
        for trigger in Trigger::ALL {
            for figure in Figure::ALL {
                let value = |definition: &Definition| {
                    let figures = definition.declared.get(&trigger)?;
                    let declared = figures.iter().find(|declared| declared.figure == figure)?;
                    Some(text::declared(declared))
                };
                let texts = (value(&self.old), value(&self.new));
                if texts.0 != texts.1 {
                    let key = format!("declared.{trigger}.{}", figure.key());
                    self.push(Kind::Declared, key, texts, move |from, to| {
                        copy_declared(from, to, trigger, figure);
                    });
                }
            }
            // A table without figures is no claim, but it belongs to the file's identity.
            let has_table = |definition: &Definition| definition.declared.contains_key(&trigger);
            let is_empty = |definition: &Definition| {
                definition.declared.get(&trigger).is_some_and(Vec::is_empty)
            };
            if has_table(&self.old) != has_table(&self.new)
                && (is_empty(&self.old) || is_empty(&self.new))
            {
                let shown = |definition| has_table(definition).then(|| "no figures".to_owned());
                let texts = (shown(&self.old), shown(&self.new));
                let key = format!("declared.{trigger}");
                self.push(Kind::Declared, key, texts, move |from, to| {
                    if from.declared.contains_key(&trigger) {
                        to.declared.entry(trigger).or_default();
                    } else {
                        to.declared.remove(&trigger);
                    }
                });
            }
        }
    }

    fn metadata(&mut self) {
        let meta = Kind::Metadata;
        let texts: [(&str, Place<String>); 3] = [
            ("name", |definition| &mut definition.name),
            ("source", |definition| &mut definition.source),
            ("notes", |definition| &mut definition.notes),
        ];
        for (key, place) in texts {
            self.part(meta, key, place, |text| {
                (!text.is_empty()).then(|| text.clone())
            });
        }
        self.optional(
            meta,
            "disclosure.player_choice",
            |definition| &mut definition.disclosure.player_choice,
            |&choice| text::choice(choice).to_owned(),
        );
        let flags: [(&str, Flag); 5] = [
            ("auto_initiate", |stated| &mut stated.auto_initiate),
            ("acknowledged", |stated| &mut stated.acknowledged),
            ("community", |stated| &mut stated.community),
            ("time_remaining_shown", |stated| {
                &mut stated.time_remaining_shown
            }),
            ("explained_on_display", |stated| {
                &mut stated.explained_on_display
            }),
        ];
        for (name, flag) in flags {
            self.optional(
                meta,
                format!("disclosure.{name}"),
                move |definition| flag(&mut definition.disclosure),
                bool::to_string,
            );
        }
        self.optional(
            meta,
            "disclosure.timeout_seconds",
            |definition| &mut definition.disclosure.timeout_seconds,
            u64::to_string,
        );
        let clauses: BTreeSet<String> = [&self.old, &self.new]
            .into_iter()
            .flat_map(|definition| definition.disclosure.statements.keys().cloned())
            .collect();
        for clause in clauses {
            let old = self.old.disclosure.statements.get(&clause);
            let new = self.new.disclosure.statements.get(&clause);
            if old != new {
                let texts = (old.map(text::statement), new.map(text::statement));
                let key = format!("disclosure.\"{clause}\"");
                self.push(meta, key, texts, move |from, to| {
                    let statements = &mut to.disclosure.statements;
                    match from.disclosure.statements.get(&clause) {
                        Some(statement) => {
                            statements.insert(clause.clone(), statement.clone());
                        }
                        None => {
                            statements.remove(&clause);
                        }
                    }
                });
            }
        }
    }
}

fn find(definition: &Definition, trigger: Trigger) -> Option<&TriggerTerms> {
    let mut triggers = definition.triggers.iter();
    triggers.find(|terms| terms.trigger == trigger)
}

/// The terms of a trigger that both definitions have.
fn terms(definition: &mut Definition, trigger: Trigger) -> &mut TriggerTerms {
    let mut triggers = definition.triggers.iter_mut();
    triggers
        .find(|terms| terms.trigger == trigger)
        .expect("no change takes away a trigger that both have")
}

fn fixed_start(definition: &mut Definition, character: Character) -> &mut u32 {
    match &mut definition.starting_multipliers {
        StartLaw::Fixed { values } => values.get_mut(&character),
        _ => None,
    }
    .expect("both laws are fixed and have the character")
}

fn boost_weight(definition: &mut Definition, character: Character) -> &mut u64 {
    match &mut definition.boost {
        BoostLaw::Weights(weights) => weights.get_mut(&character),
        _ => None,
    }
    .expect("both laws have weights and the character")
}

fn copy_declared(from: &Definition, to: &mut Definition, trigger: Trigger, figure: Figure) {
    let of_from = from.declared.get(&trigger);
    let value = of_from.and_then(|figures| figures.iter().find(|entry| entry.figure == figure));
    let figures = to.declared.entry(trigger).or_default();
    figures.retain(|entry| entry.figure != figure);
    figures.extend(value.cloned());
    if figures.is_empty() && of_from.is_none() {
        to.declared.remove(&trigger);
    }
}

/// The positions that differ: each for itself, or runs of neighbours where they are many.
fn runs<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Range<usize>> {
    let different: Vec<usize> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
    let is_single = different.len() <= SINGLE_SECTIONS;
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in different {
        match runs.last_mut() {
            Some(run) if !is_single && run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

fn indices(range: &Range<usize>) -> String {
    if range.len() == 1 {
        range.start.to_string()
    } else {
        format!("{}..{}", range.start, range.end)
    }
}

/// Where two lists begin to differ, and where in each the equal end begins.
fn middle<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize, usize) {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let shorter = old.len().min(new.len()) - start;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(shorter)
        .take_while(|(a, b)| a == b)
        .count();
    (start, old.len() - tail, new.len() - tail)
}
