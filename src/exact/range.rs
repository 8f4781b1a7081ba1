//! The largest meter that a round can reach, by reachability.
//!
//! Every outcome of both wheels has a positive probability, so a meter can occur if
//! some sequence of outcomes leads to it. The largest one comes from a player of the
//! wheels who chooses each outcome: it never pays to spread, so one character with the
//! largest start gets every addition and every hit.
//!
//! Without `max_spins` the round is unbounded as soon as a spin that does not lower the
//! counter can add a hit, a spin or a growth of a multiplier. Otherwise the counter
//! limits the spins that matter, and a search over (spins left, counter, multiplier)
//! finds the maximum exactly.

use std::collections::HashMap;

use crate::paytable::{Paytable, StartLaw};
use crate::rules::{InnerSection, OuterSection, Trigger};

/// States that the search visits at most before it gives up.
const MAX_STATES: usize = 2_000_000;

/// The largest meter of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LargestMeter {
    /// No limit: for every number some round passes it.
    Unbounded,
    /// The largest meter that can occur.
    Finite(u64),
    /// The search would visit too many states.
    NotComputed,
}

/// One way a spin can go for the character that collects everything.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Move {
    /// Added by the inner wheel before the outer spin.
    addition: u64,
    /// Whether the character is hit.
    hit: bool,
    /// Added to the multiplier by a potion, floored.
    potion: i64,
    /// Change of the counter.
    counter: i64,
}

impl Move {
    /// Change of the multiplier where the floor is out of reach: the potion comes after the
    /// addition, so one that takes off what was added leaves nothing to repeat.
    fn growth(self) -> i64 {
        self.potion.saturating_add_unsigned(self.addition)
    }
}

/// The largest meter that a round of the trigger can reach, cap included.
///
/// # Accuracy
/// Exact, or [`LargestMeter::NotComputed`] where the search is too large.
#[must_use]
pub fn largest_meter(paytable: &Paytable, trigger: Trigger) -> LargestMeter {
    let Some(terms) = paytable.terms(trigger) else {
        return LargestMeter::NotComputed;
    };
    let moves = moves(paytable);
    let uncapped = match paytable.rules.max_spins {
        None if moves
            .iter()
            .any(|m| m.counter > 0 || (m.counter == 0 && (m.hit || m.growth() > 0))) =>
        {
            LargestMeter::Unbounded
        }
        limit => {
            // Without a limit every move that matters lowers the counter, so the counter is one.
            let spins = limit.unwrap_or(terms.spins);
            let mut search = Search {
                moves,
                floor: u64::from(paytable.rules.multiplier_floor),
                best: HashMap::new(),
                is_exhausted: false,
            };
            let start = largest_start(paytable.start_law(trigger));
            let largest = search.run(spins, u64::from(terms.spins), start);
            if search.is_exhausted {
                LargestMeter::NotComputed
            } else {
                LargestMeter::Finite(largest)
            }
        }
    };
    match (paytable.rules.max_meter, uncapped) {
        (Some(cap), LargestMeter::Unbounded) => LargestMeter::Finite(cap),
        (Some(cap), LargestMeter::Finite(largest)) => LargestMeter::Finite(largest.min(cap)),
        (_, largest) => largest,
    }
}

fn largest_start(law: &StartLaw) -> u64 {
    let largest = match law {
        StartLaw::Permutation { values } | StartLaw::Independent { values, .. } => {
            values.iter().max()
        }
        StartLaw::Fixed { values } => values.values().max(),
        StartLaw::Table { rows } => rows.iter().flat_map(|row| row.values.values()).max(),
    };
    u64::from(*largest.expect("a validated law has a value"))
}

fn moves(paytable: &Paytable) -> Vec<Move> {
    let rules = &paytable.rules;
    let mut moves = Vec::new();
    for &inner in &paytable.inner_wheel.sections {
        let (addition, added_spins) = match inner {
            InnerSection::Multiplier(value) => (u64::from(value), 0),
            InnerSection::AdditionalSpin => (0, i64::from(rules.additional_spin)),
        };
        for &outer in &paytable.outer_wheel.sections {
            let (hit, potion, counter) = match outer {
                OuterSection::Character(_) => (true, 0, -1),
                OuterSection::NoWin => (false, 0, -1),
                OuterSection::EatMe => potion_move(rules.eat_me),
                OuterSection::DrinkMe => potion_move(rules.drink_me),
            };
            let candidate = Move {
                addition,
                hit,
                potion,
                counter: counter + added_spins,
            };
            if !moves.contains(&candidate) {
                moves.push(candidate);
            }
        }
    }
    moves
}

fn potion_move(potion: crate::paytable::Potion) -> (bool, i64, i64) {
    (
        false,
        i64::from(potion.multipliers),
        i64::from(potion.counter_change()),
    )
}

struct Search {
    moves: Vec<Move>,
    floor: u64,
    best: HashMap<(u32, u64, u64), u64>,
    is_exhausted: bool,
}

impl Search {
    fn run(&mut self, spins_left: u32, counter: u64, multiplier: u64) -> u64 {
        // A counter above the spins left cannot reach zero before the limit does.
        let counter = counter.min(u64::from(spins_left));
        if counter == 0 || self.is_exhausted {
            return 0;
        }
        if let Some(&known) = self.best.get(&(spins_left, counter, multiplier)) {
            return known;
        }
        // The depth of the recursion is the number of spins.
        if self.best.len() >= MAX_STATES || spins_left > 2_000 {
            self.is_exhausted = true;
            return 0;
        }
        let mut best = 0;
        for index in 0..self.moves.len() {
            let taken = self.moves[index];
            let raised = multiplier + taken.addition;
            let gain = if taken.hit { raised } else { 0 };
            let after = raised.saturating_add_signed(taken.potion).max(self.floor);
            let next = counter.saturating_add_signed(taken.counter);
            best = best.max(gain + self.run(spins_left - 1, next, after));
        }
        self.best.insert((spins_left, counter, multiplier), best);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paytable::{Definition, fixture};
    use crate::rules::Wheel;

    fn largest(definition: Definition) -> LargestMeter {
        largest_meter(&Paytable::new(definition).unwrap(), Trigger::Two)
    }

    /// One spin of `[1]` and `hat eat-me`: each Eat Me adds 1 + 1 before the hit and uses
    /// only its own spin, so the meter 2 + 2K has no limit; after three spins K is at most 2.
    #[test]
    fn tiny_game_by_hand() {
        assert_eq!(largest(fixture::tiny(1)), LargestMeter::Unbounded);
        let mut limited = fixture::tiny(1);
        limited.rules.max_spins = Some(3);
        assert_eq!(largest(limited), LargestMeter::Finite(6));
    }

    /// Two spins, start 1, always +2 and a hit: 3 + 5.
    #[test]
    fn a_round_that_nothing_extends() {
        let mut game = fixture::tiny(2);
        game.inner_wheel = Wheel::fair(vec![InnerSection::Multiplier(2)]);
        game.outer_wheel = fixture::outer("hat no-win");
        assert_eq!(largest(game), LargestMeter::Finite(8));
    }

    #[test]
    fn a_cap_is_reached_where_the_round_is_unbounded() {
        let mut game = fixture::pa();
        assert_eq!(largest(game.clone()), LargestMeter::Unbounded);
        game.rules.max_meter = Some(500);
        assert_eq!(largest(game), LargestMeter::Finite(500));
    }

    /// Eat Me costs nothing and takes off the 2 that its spin added: one hit at 1 + 2 is the
    /// most. If it takes off only 1, it can be repeated.
    #[test]
    fn a_free_potion_that_takes_what_was_added_is_no_growth() {
        let mut game = fixture::tiny(1);
        game.inner_wheel = Wheel::fair(vec![InnerSection::Multiplier(2)]);
        game.rules.eat_me.multipliers = -2;
        assert_eq!(largest(game.clone()), LargestMeter::Finite(3));
        game.rules.eat_me.multipliers = -1;
        assert_eq!(largest(game), LargestMeter::Unbounded);
    }

    /// Two spins from 1, boosted by 1 in each: Eat Me and then a hit pay 1 + 1 + 5 + 1, two hits
    /// 2 + 3. Drink Me keeps the counter and never helps.
    #[test]
    fn a_potion_in_place_of_a_hit() {
        let mut game = fixture::tiny(2);
        game.outer_wheel = fixture::outer("hat eat-me drink-me");
        game.rules.eat_me.spins = 0;
        game.rules.eat_me.multipliers = 5;
        game.rules.drink_me.multipliers = -10;
        assert_eq!(largest(game), LargestMeter::Finite(8));
    }

    #[test]
    fn a_search_that_is_too_large_says_so() {
        let mut game = fixture::pa();
        game.rules.max_spins = Some(100_000);
        assert_eq!(largest(game), LargestMeter::NotComputed);
    }
}
