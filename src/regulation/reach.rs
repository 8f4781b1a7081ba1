//! The least and the greatest meter and multiplier that can occur, 5319.47(a)(2).
//!
//! Only reachability counts here, never probability: every section has a positive weight
//! and every character can be selected, so an outcome can occur if some sequence of sections
//! leads to it. Where a game of another shape than the regulation's has no simple answer,
//! bounds are given instead of a value.

use crate::paytable::{Paytable, Potion, StartLaw};
use crate::rules::{InnerSection, OuterSection};

/// One end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A value that can occur and cannot be passed.
    Exactly(u64),
    /// No upper limit.
    Unbounded,
    /// Known only to lie between two values, the upper one possibly unknown.
    Between(u64, Option<u64>),
}

/// The ends of one quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    /// The least value.
    pub(super) lowest: End,
    /// The greatest value.
    pub(super) highest: End,
}

/// What decides how far a round can go.
struct Shape {
    /// The potions that the outer wheel shows.
    potions: Vec<Potion>,
    /// Whether the outer wheel shows No Win.
    no_win: bool,
    /// Spins that the inner wheel can add to the counter in one spin.
    additional: u32,
    /// Largest and smallest amount that an inner spin adds to one given character.
    boost: (u64, u64),
    floor: u64,
    max_spins: Option<u32>,
    /// For each trigger: spins, least and greatest starting multiplier.
    starts: Vec<(u32, u64, u64)>,
}

impl Shape {
    fn of(paytable: &Paytable) -> Self {
        let shows = |section| paytable.outer_wheel.sections.contains(&section);
        let potions = [
            (OuterSection::EatMe, paytable.rules.eat_me),
            (OuterSection::DrinkMe, paytable.rules.drink_me),
        ]
        .into_iter()
        .filter(|&(section, _)| shows(section))
        .map(|(_, potion)| potion)
        .collect();
        let multipliers = paytable.inner_wheel.sections.iter().filter_map(|section| {
            if let InnerSection::Multiplier(value) = section {
                Some(u64::from(*value))
            } else {
                None
            }
        });
        let has_spin = paytable
            .inner_wheel
            .sections
            .contains(&InnerSection::AdditionalSpin);
        // A given character goes without a boost if another can take it, or if the inner
        // result is no multiplier.
        let spared = has_spin || paytable.characters().len() > 1;
        Self {
            potions,
            no_win: shows(OuterSection::NoWin),
            additional: if has_spin {
                paytable.rules.additional_spin
            } else {
                0
            },
            boost: (
                multipliers.clone().max().unwrap_or(0),
                if spared {
                    0
                } else {
                    multipliers.min().unwrap_or(0)
                },
            ),
            floor: u64::from(paytable.rules.multiplier_floor),
            max_spins: paytable.rules.max_spins,
            starts: paytable
                .triggers
                .iter()
                .map(|terms| {
                    let (least, greatest) = start_range(paytable.start_law(terms.trigger));
                    (terms.spins, least, greatest)
                })
                .collect(),
        }
    }

    /// Whether a round can have more spins than its trigger gives it.
    fn extends(&self) -> bool {
        self.additional > 0
            || self
                .potions
                .iter()
                .any(|potion| potion.counter_change() >= 0)
    }

    /// The fewest spins that every round of a trigger has.
    fn least_spins(&self, spins: u32) -> u64 {
        u64::from(self.max_spins.map_or(spins, |limit| limit.min(spins)))
    }

    /// The most spins that a round of a trigger can have, or `None` without a limit.
    fn most_spins(&self, spins: u32) -> Option<u64> {
        if self.extends() {
            self.max_spins.map(u64::from)
        } else {
            Some(self.least_spins(spins))
        }
    }

    /// Largest raise of every multiplier by one potion, at least 0.
    fn raise(&self) -> u64 {
        let raises = self.potions.iter().map(|potion| potion.multipliers);
        u64::try_from(raises.max().unwrap_or(0)).unwrap_or(0)
    }
}

fn start_range(law: &StartLaw) -> (u64, u64) {
    let values: Vec<u32> = match law {
        StartLaw::Permutation { values } | StartLaw::Independent { values, .. } => values.clone(),
        StartLaw::Fixed { values } => values.values().copied().collect(),
        StartLaw::Table { rows } => rows
            .iter()
            .flat_map(|row| row.values.values().copied())
            .collect(),
    };
    let end = |value: Option<u32>| u64::from(value.unwrap_or_default());
    (
        end(values.iter().min().copied()),
        end(values.iter().max().copied()),
    )
}

/// The range of the meter, after every cap.
pub(super) fn meter(paytable: &Paytable) -> Reach {
    let shape = Shape::of(paytable);
    // A cap in money binds least for the smallest stake.
    let money = paytable.limits.as_ref().and_then(|limits| {
        let least_stake = limits
            .stakes
            .iter()
            .copied()
            .filter(|&stake| stake > 0)
            .min()?;
        Some(limits.max_win / least_stake)
    });
    let cap = [paytable.rules.max_meter, money]
        .into_iter()
        .flatten()
        .min();
    Reach {
        lowest: capped(lowest_meter(&shape), cap),
        highest: capped(highest_meter(&shape), cap),
    }
}

/// A round can show no character at all if it can end on No Win or on potions alone.
fn lowest_meter(shape: &Shape) -> End {
    let ends_empty = shape.no_win
        || shape
            .potions
            .iter()
            .any(|potion| potion.counter_change() < 0)
        || (shape.max_spins.is_some() && !shape.potions.is_empty());
    if ends_empty {
        return End::Exactly(0);
    }
    // Each spin that the trigger gives then ends on a character, at least at the floor.
    let least = shape
        .starts
        .iter()
        .map(|&(spins, ..)| shape.least_spins(spins));
    End::Between(least.min().unwrap_or(0).saturating_mul(shape.floor), None)
}

fn highest_meter(shape: &Shape) -> End {
    let (boost, raise) = (shape.boost.0, shape.raise());
    let per_trigger = shape.starts.iter().map(|&(spins, _, start)| {
        let Some(most) = shape.most_spins(spins) else {
            let gains_spins = shape.additional > 0
                || shape
                    .potions
                    .iter()
                    .any(|potion| potion.counter_change() > 0);
            let grows_in_place = shape
                .potions
                .iter()
                .any(|potion| potion.counter_change() == 0 && grows(shape, *potion));
            if gains_spins || grows_in_place {
                return End::Unbounded;
            }
            // A potion that keeps the counter only delays. One that uses a spin up can still
            // raise the multipliers by more than the hit in its place pays.
            let spins = u64::from(spins);
            return settled(
                sum_of_growth(spins, start, boost),
                sum_of_growth(spins, start, boost.saturating_add(raise)),
            );
        };
        // The best character boosted and shown in every spin that the trigger gives.
        let certain = sum_of_growth(shape.least_spins(spins), start, boost);
        if !shape.extends() && raise == 0 {
            End::Exactly(certain)
        } else {
            let most = sum_of_growth(most, start, boost.saturating_add(raise));
            settled(certain, most)
        }
    });
    greatest(per_trigger)
}

/// Sum over spin i of 1 to n of start + i step.
fn sum_of_growth(n: u64, start: u64, step: u64) -> u64 {
    let (n, start, step) = (u128::from(n), u128::from(start), u128::from(step));
    let triangle = n * (n + 1) / 2;
    let sum = n * start + triangle.saturating_mul(step);
    u64::try_from(sum).unwrap_or(u64::MAX)
}

fn capped(end: End, cap: Option<u64>) -> End {
    let Some(cap) = cap else { return end };
    match end {
        End::Unbounded => End::Exactly(cap),
        End::Exactly(value) => End::Exactly(value.min(cap)),
        End::Between(least, _) if least >= cap => End::Exactly(cap),
        End::Between(least, most) => settled(least, most.map_or(cap, |most| most.min(cap))),
    }
}

/// Two bounds that meet are a value.
fn settled(least: u64, most: u64) -> End {
    if least == most {
        End::Exactly(least)
    } else {
        End::Between(least, Some(most))
    }
}

/// The greatest of several upper ends.
fn greatest(ends: impl Iterator<Item = End>) -> End {
    ends.reduce(|a, b| match (a, b) {
        (End::Unbounded, _) | (_, End::Unbounded) => End::Unbounded,
        (End::Exactly(a), End::Exactly(b)) => End::Exactly(a.max(b)),
        (a, b) => {
            let (a, b) = (bounds(a), bounds(b));
            End::Between(a.0.max(b.0), a.1.zip(b.1).map(|(a, b)| a.max(b)))
        }
    })
    .unwrap_or(End::Exactly(0))
}

/// The least of several lower ends.
fn least(ends: impl Iterator<Item = End>) -> End {
    ends.reduce(|a, b| match (a, b) {
        (End::Exactly(a), End::Exactly(b)) => End::Exactly(a.min(b)),
        (a, b) => {
            let (a, b) = (bounds(a), bounds(b));
            let most = [a.1, b.1].into_iter().flatten().min();
            End::Between(a.0.min(b.0), most)
        }
    })
    .unwrap_or(End::Exactly(0))
}

fn bounds(end: End) -> (u64, Option<u64>) {
    match end {
        End::Exactly(value) => (value, Some(value)),
        End::Unbounded => (0, None),
        End::Between(least, most) => (least, most),
    }
}

/// The range of a character's multiplier at any moment of a round, starts included.
pub(super) fn multiplier(paytable: &Paytable) -> Reach {
    let shape = Shape::of(paytable);
    Reach {
        lowest: least(
            shape
                .starts
                .iter()
                .map(|&(spins, start, _)| lowest_multiplier(&shape, spins, start)),
        ),
        highest: greatest(
            shape
                .starts
                .iter()
                .map(|&(spins, _, start)| highest_multiplier(&shape, spins, start)),
        ),
    }
}

fn lowest_multiplier(shape: &Shape, spins: u32, start: u64) -> End {
    let Some(potion) = shape.potions.iter().min_by_key(|potion| potion.multipliers) else {
        return End::Exactly(start);
    };
    // What one spin with this potion takes from a character that is spared a boost if it can be.
    let loss = i64::from(potion.multipliers).unsigned_abs();
    let loss = if potion.multipliers < 0 {
        loss.saturating_sub(shape.boost.1)
    } else {
        0
    };
    if loss == 0 {
        return End::Exactly(start);
    }
    let after = |potions: u64| {
        start
            .saturating_sub(loss.saturating_mul(potions))
            .max(shape.floor)
    };
    let repeats = potion.counter_change() >= 0;
    match shape.max_spins {
        None if repeats || shape.additional > 0 => End::Exactly(shape.floor),
        Some(limit) if repeats => End::Exactly(after(u64::from(limit))),
        _ if !shape.extends() => End::Exactly(after(shape.least_spins(spins))),
        _ => End::Between(shape.floor, Some(start)),
    }
}

fn highest_multiplier(shape: &Shape, spins: u32, start: u64) -> End {
    let (boost, raise) = (shape.boost.0, shape.raise());
    let step = boost.saturating_add(raise);
    if step == 0 {
        return End::Exactly(start);
    }
    let after = |spins: u64, step: u64| start.saturating_add(spins.saturating_mul(step));
    // Boosted in every spin that the trigger gives, with a character or No Win shown.
    let certain = after(shape.least_spins(spins), boost);
    let Some(most) = shape.most_spins(spins) else {
        let unbounded = shape.additional > 1
            || (shape.additional > 0 && raise > 0)
            || shape.potions.iter().any(|potion| {
                potion.counter_change() > 0
                    || (potion.counter_change() == 0 && grows(shape, *potion))
            });
        return if unbounded {
            End::Unbounded
        } else {
            End::Between(certain, None)
        };
    };
    // The best spin can fill the whole round where no round is shorter, or where a potion that
    // raises as much as any does not shorten it.
    let fills = most == shape.least_spins(spins)
        || shape.potions.iter().any(|potion| {
            potion.counter_change() >= 0 && u64::try_from(potion.multipliers) == Ok(raise)
        });
    if fills {
        End::Exactly(after(most, step))
    } else {
        End::Between(certain, Some(after(most, step)))
    }
}

/// Whether a boosted character is better off after a spin with the potion.
fn grows(shape: &Shape, potion: Potion) -> bool {
    i128::from(shape.boost.0) + i128::from(potion.multipliers) > 0
}

#[cfg(test)]
mod tests;
