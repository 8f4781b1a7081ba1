//! One round of a simulation, spin by spin.

use std::collections::VecDeque;

use super::batch::{Game, batch_of, slot_of};
use super::error::EngineError;
use super::error::RoundError;
use super::generator::Generator;
use super::plan::{EngineKind, MAX_ROUNDS};
use super::reference::Witness;
use super::round::{Draws, Multipliers, Round, SpinDraw, SpinRecord};
use crate::paytable::Paytable;
use crate::rules::Trigger;

/// A round as it was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedRound {
    /// The starting multipliers, 693.6(e).
    pub starting_multipliers: Multipliers,
    /// The spins, 693.6(f), at least one.
    pub spins: Vec<SpinRecord>,
    /// The meter that is paid, 693.6(g): capped where the paytable has a cap.
    pub meter: u64,
    /// The meter without the cap.
    pub uncapped_meter: u64,
}

/// Plays the batch of a round again, clause by clause, and records that round.
///
/// # Arguments
/// - `round`: index of the round, from 0 to 10^15 - 1
/// # Determinism
/// The round is the one that [`simulate`](super::simulate) counts under this index for
/// the same paytable, trigger, seed and generator, whatever the number of rounds asked there.
/// # Errors
/// [`EngineError::UnknownTrigger`], [`EngineError::RoundIndex`], and
/// [`EngineError::Round`] where a round of the batch cannot be played to its end
pub fn replay(
    paytable: &Paytable,
    trigger: Trigger,
    seed: u64,
    generator: Generator,
    round: u64,
) -> Result<ReplayedRound, EngineError> {
    if round >= MAX_ROUNDS {
        return Err(EngineError::RoundIndex { found: round });
    }
    let game = Game::new(paytable, trigger, seed, generator, EngineKind::Reference)?;
    let mut recording = Recording {
        slot: slot_of(round),
        starting: Multipliers::default(),
        draws: VecDeque::new(),
    };
    game.witness(batch_of(round), &mut recording)?;
    let spins = paytable.terms(trigger).map_or(0, |terms| terms.spins);
    play(paytable, spins, &mut recording).map_err(|source| EngineError::Round { round, source })
}

/// Plays one round from its first draw to its last.
///
/// # Arguments
/// - `spins`: on the counter when the round begins, at least 1
/// - `draws`: asked for the starting multipliers once, then for one spin at a time until
///   the round is over
/// # Errors
/// [`RoundError`] where the round cannot be played to its end
pub fn play(
    paytable: &Paytable,
    spins: u32,
    draws: &mut impl Draws,
) -> Result<ReplayedRound, RoundError> {
    let starting_multipliers = draws.starting_multipliers();
    let mut round = Round::new(paytable, spins, starting_multipliers);
    let mut records = Vec::new();
    while !round.is_over() {
        records.push(round.spin(draws.spin())?);
    }
    Ok(ReplayedRound {
        starting_multipliers,
        spins: records,
        meter: round.meter(),
        uncapped_meter: round.uncapped_meter(),
    })
}

/// The draws of one slot of a batch.
struct Recording {
    slot: u16,
    starting: Multipliers,
    draws: VecDeque<SpinDraw>,
}

impl Witness for Recording {
    fn started(&mut self, slot: u16, starting: &Multipliers) {
        if slot == self.slot {
            self.starting = *starting;
        }
    }

    fn drawn(&mut self, slot: u16, draw: SpinDraw) {
        if slot == self.slot {
            self.draws.push_back(draw);
        }
    }
}

impl Draws for Recording {
    fn starting_multipliers(&mut self) -> Multipliers {
        self.starting
    }

    fn spin(&mut self) -> SpinDraw {
        self.draws
            .pop_front()
            .expect("the batch drew for this round until it was over")
    }
}
