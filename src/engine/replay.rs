//! One round of a simulation, spin by spin.

use super::batch::{Game, batch_of, slot_of};
use super::error::EngineError;
use super::plan::{EngineKind, MAX_ROUNDS};
use super::reference::Witness;
use super::round::{Multipliers, Round, SpinRecord};
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
/// the same paytable, trigger and seed, whatever the number of rounds asked there.
/// # Errors
/// [`EngineError::UnknownTrigger`], [`EngineError::RoundIndex`], and
/// [`EngineError::Round`] where a round of the batch cannot be played to its end
pub fn replay(
    paytable: &Paytable,
    trigger: Trigger,
    seed: u64,
    round: u64,
) -> Result<ReplayedRound, EngineError> {
    if round >= MAX_ROUNDS {
        return Err(EngineError::RoundIndex { found: round });
    }
    let game = Game::new(paytable, trigger, seed, EngineKind::Reference)?;
    let mut recording = Recording {
        slot: slot_of(round),
        replayed: ReplayedRound {
            starting_multipliers: Multipliers::default(),
            spins: Vec::new(),
            meter: 0,
            uncapped_meter: 0,
        },
    };
    game.witness(batch_of(round), &mut recording)?;
    Ok(recording.replayed)
}

struct Recording {
    slot: u16,
    replayed: ReplayedRound,
}

impl Witness for Recording {
    fn started(&mut self, slot: u16, starting: &Multipliers) {
        if slot == self.slot {
            self.replayed.starting_multipliers = *starting;
        }
    }

    fn spun(&mut self, slot: u16, record: &SpinRecord) {
        if slot == self.slot {
            self.replayed.spins.push(*record);
        }
    }

    fn ended(&mut self, slot: u16, round: &Round<'_>) {
        if slot == self.slot {
            self.replayed.meter = round.meter();
            self.replayed.uncapped_meter = round.uncapped_meter();
        }
    }
}
