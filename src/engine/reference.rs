//! A batch played clause by clause: [`Round`] state machines on the words of the
//! specification.
//!
//! Slow and plain on purpose. It reads laws and weights from the paytable itself and
//! takes words one by one, so it shares neither tables nor bulk draws with the fast
//! paths: what they must agree with is the header of [`stream`](super::stream), read a
//! second time.

use super::error::RoundError;
use super::round::{Multipliers, Round, SpinDraw, SpinRecord};
use super::sampler::units;
use super::stream::{BATCH_ROUNDS, NarrowDraw, Stream};
use crate::paytable::{Paytable, StartLaw};
use crate::rules::{Character, Trigger};

/// Sees the rounds of a batch.
pub(super) trait Witness {
    /// The round of a slot is about to begin.
    fn started(&mut self, _slot: u16, _starting: &Multipliers) {}
    /// The round of a slot is about to play a spin.
    fn drawn(&mut self, _slot: u16, _draw: SpinDraw) {}
    /// The round of a slot has played a spin.
    fn spun(&mut self, _slot: u16, _record: &SpinRecord) {}
    /// The round of a slot is over.
    fn ended(&mut self, _slot: u16, _round: &Round<'_>) {}
}

/// Plays all rounds of a batch, in waves of one spin.
///
/// # Errors
/// The slot whose round cannot be played to its end, and why. Rounds that need more
/// than [`MAX_ROUND_SPINS`](super::MAX_ROUND_SPINS) spins are met in the same wave, of
/// which the first slot is named.
pub(super) fn play(
    paytable: &Paytable,
    trigger: Trigger,
    mut stream: Stream,
    witness: &mut impl Witness,
) -> Result<(), (u16, RoundError)> {
    let terms = paytable.terms(trigger).expect("the trigger was checked");
    let starts = starting_multipliers(paytable, trigger, &mut stream);
    let slots = 0_u16..u16::try_from(BATCH_ROUNDS).expect("2^14");
    let mut in_play: Vec<(u16, Round<'_>)> = slots
        .zip(starts)
        .map(|(slot, starting)| {
            witness.started(slot, &starting);
            (slot, Round::new(paytable, terms.spins, starting))
        })
        .collect();
    while !in_play.is_empty() {
        let draws = spin_draws(paytable, in_play.len(), &mut stream);
        for ((slot, round), draw) in in_play.iter_mut().zip(draws) {
            witness.drawn(*slot, draw);
            let record = round.spin(draw).map_err(|error| (*slot, error))?;
            witness.spun(*slot, &record);
            if round.is_over() {
                witness.ended(*slot, round);
            }
        }
        in_play.retain(|(_, round)| !round.is_over());
    }
    Ok(())
}

/// The item that a unit belongs to.
fn item_of(mut unit: u64, units: &[u64]) -> usize {
    for (item, &count) in units.iter().enumerate() {
        if unit < count {
            return item;
        }
        unit -= count;
    }
    unreachable!("an outcome of a draw is below the number of units")
}

/// The number of joint outcomes, where a narrow draw has so many.
fn narrow_outcomes(counts: &[u64]) -> Option<u32> {
    // Six laws of 2^34 units each pass even 128 bits: saturate, since all that counts
    // is on which side of 65,536 the product is.
    let product = counts
        .iter()
        .fold(1, |product: u64, &count| product.saturating_mul(count));
    u32::try_from(product)
        .ok()
        .filter(|&product| u64::from(product) <= NarrowDraw::MAX_OUTCOMES)
}

/// Draws the starting multipliers of a batch, 693.6(e).
fn starting_multipliers(
    paytable: &Paytable,
    trigger: Trigger,
    stream: &mut Stream,
) -> Vec<Multipliers> {
    let characters = paytable.characters();
    let batch = BATCH_ROUNDS as usize;
    let assign = |values: Vec<u32>| -> Multipliers {
        characters
            .iter()
            .copied()
            .zip(values.into_iter().map(u64::from))
            .collect()
    };
    match paytable.start_law(trigger) {
        StartLaw::Fixed { values } => {
            vec![assign(characters.iter().map(|c| values[c]).collect()); batch]
        }
        StartLaw::Permutation { values } => {
            let orders = (1..=characters.len() as u64).product::<u64>();
            let orders = u32::try_from(orders).expect("at most 6!");
            let mut phase = stream.phase();
            (0..batch)
                .map(|_| assign(nth_order(phase.narrow(orders), values.clone())))
                .collect()
        }
        StartLaw::Table { rows } => {
            let units = units(&rows.iter().map(|row| row.weight).collect::<Vec<_>>());
            let total = units.iter().sum();
            let mut phase = stream.phase();
            (0..batch)
                .map(|_| {
                    let unit = match narrow_outcomes(&[total]) {
                        Some(outcomes) => phase.narrow(outcomes),
                        None => phase.wide(total),
                    };
                    let row = &rows[item_of(unit, &units)];
                    assign(characters.iter().map(|c| row.values[c]).collect())
                })
                .collect()
        }
        StartLaw::Independent { values, weights } => {
            let units = units(weights);
            let total: u64 = units.iter().sum();
            let value_of = |unit| values[item_of(unit, &units)];
            if let Some(outcomes) = narrow_outcomes(&vec![total; characters.len()]) {
                let mut phase = stream.phase();
                return (0..batch)
                    .map(|_| {
                        let mut rest = phase.narrow(outcomes);
                        // The last character has the least significant digit.
                        let mut drawn: Vec<u32> = characters
                            .iter()
                            .map(|_| {
                                let digit = rest % total;
                                rest /= total;
                                value_of(digit)
                            })
                            .collect();
                        drawn.reverse();
                        assign(drawn)
                    })
                    .collect();
            }
            let mut drawn = vec![Vec::new(); batch];
            for _ in characters {
                let mut phase = stream.phase();
                for values in &mut drawn {
                    values.push(value_of(phase.wide(total)));
                }
            }
            drawn.into_iter().map(assign).collect()
        }
    }
}

/// The `index`-th order of the values' positions, lexicographic, by factorial digits.
fn nth_order(mut index: u64, mut values: Vec<u32>) -> Vec<u32> {
    let mut order = Vec::with_capacity(values.len());
    while !values.is_empty() {
        let orders_of_rest: u64 = (1..values.len() as u64).product();
        let next = usize::try_from(index / orders_of_rest).expect("below six");
        index %= orders_of_rest;
        order.push(values.remove(next));
    }
    order
}

/// Draws one spin for each of `count` rounds.
fn spin_draws(paytable: &Paytable, count: usize, stream: &mut Stream) -> Vec<SpinDraw> {
    let inner = units(&paytable.inner_wheel.weights);
    let selection = units(&paytable.boost_weights());
    let outer = units(&paytable.outer_wheel.weights);
    let totals: [u64; 3] = [&inner, &selection, &outer].map(|units| units.iter().sum());
    let selected = |unit: u64| -> Character { paytable.characters()[item_of(unit, &selection)] };
    let [_, selection_total, outer_total] = totals;
    if let Some(outcomes) = narrow_outcomes(&totals) {
        let mut phase = stream.phase();
        return (0..count)
            .map(|_| {
                let joint = phase.narrow(outcomes);
                SpinDraw {
                    inner_section: item_of(joint / (selection_total * outer_total), &inner),
                    selected: selected(joint / outer_total % selection_total),
                    outer_section: item_of(joint % outer_total, &outer),
                }
            })
            .collect();
    }
    let [inner_drawn, selection_drawn, outer_drawn] = totals.map(|total| -> Vec<u64> {
        let mut phase = stream.phase();
        (0..count).map(|_| phase.wide(total)).collect()
    });
    (0..count)
        .map(|place| SpinDraw {
            inner_section: item_of(inner_drawn[place], &inner),
            selected: selected(selection_drawn[place]),
            outer_section: item_of(outer_drawn[place], &outer),
        })
        .collect()
}
