//! A batch played from tables and watched: what was drawn, who was hit, and where each
//! multiplier that was hit came from.
//!
//! The words are used as the specification in [`stream`](super::stream) says, so the
//! rounds are those of every other path, and this is their only playing: it fills the
//! tally as well. For each round it keeps, beside the multipliers, what they would be
//! without potions, and how many potions of each kind the round has met; each hit then
//! gives up its parts by subtraction, and what is left over is the floor's.
//!
//! Rounds begin packed ([`packed`]) where [`PackedTable`](super::packed::PackedTable)
//! has room for them and a spin is one narrow draw, and go on here in cells of 64 bits,
//! which the bounds of `Game` prove wide enough. The [`witness`] watches the reference
//! path in their stead and is the referee of both.

pub(super) mod packed;
pub(super) mod witness;

use super::detail::{Detail, HitSums, SpinDraws};
use super::error::{EngineError, RoundError};
use super::packed::Ended;
use super::round::MAX_ROUND_SPINS;
use super::sampler::{Row, Scratch, WideItems, expand, units};
use super::scalar::{Law, Sink, Stopped};
use super::stream::{BATCH_ROUNDS, NarrowDraw, Stream};
use crate::paytable::{Paytable, Potion};
use crate::rules::{InnerSection, OuterSection};
use packed::PackedWatch;

/// What one spin drew, by place on the wheels and among the characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Drawn {
    inner: u16,
    selected: u16,
    outer: u16,
}

/// An inner section, (f)(2).
#[derive(Debug, Clone, Copy)]
struct InnerResult {
    amount: u64,
    /// Added to the counter.
    spins: u32,
}

/// An outer section, (f)(4).
#[derive(Debug, Clone, Copy)]
enum OuterResult {
    Hit(usize),
    NoWin,
    EatMe,
    DrinkMe,
}

/// How the places of a spin are drawn.
#[derive(Debug, Clone)]
enum DrawLaw {
    /// One narrow draw; `places` of each outcome, and the outcomes themselves, as the items
    /// of their draw.
    Joint {
        draw: NarrowDraw,
        outcomes: Vec<u16>,
        places: Vec<Drawn>,
    },
    /// Three wide draws.
    Parts([WideItems; 3]),
}

/// A paytable made ready for watching.
#[derive(Debug, Clone)]
pub(super) struct Attribution {
    draws: DrawLaw,
    inner: Vec<InnerResult>,
    outer: Vec<OuterResult>,
    eat_me: Potion,
    drink_me: Potion,
    floor: u64,
    packed: Option<PackedWatch>,
}

impl Attribution {
    /// The tables for a paytable; `law` is that of its game.
    pub(super) fn new(paytable: &Paytable, law: Law<'_>) -> Self {
        let rules = &paytable.rules;
        let inner = paytable.inner_wheel.sections.iter().map(|section| {
            let (amount, spins) = match *section {
                InnerSection::Multiplier(amount) => (amount.into(), 0),
                InnerSection::AdditionalSpin => (0, rules.additional_spin),
            };
            InnerResult { amount, spins }
        });
        let position = |character| {
            let mut characters = paytable.characters().iter();
            characters
                .position(|&other| other == character)
                .expect("a character on the outer wheel is the paytable's")
        };
        let outer = paytable.outer_wheel.sections.iter();
        let outer = outer.map(|section| match *section {
            OuterSection::Character(character) => OuterResult::Hit(position(character)),
            OuterSection::NoWin => OuterResult::NoWin,
            OuterSection::EatMe => OuterResult::EatMe,
            OuterSection::DrinkMe => OuterResult::DrinkMe,
        });
        let units = [
            units(&paytable.inner_wheel.weights),
            units(&paytable.boost_weights()),
            units(&paytable.outer_wheel.weights),
        ];
        let draws = match law.table.joint() {
            Some((draw, _)) => {
                let [inner, selected, outer] = units.map(|units| expand(&units));
                let mut places = Vec::with_capacity(inner.len() * selected.len() * outer.len());
                for &inner in &inner {
                    for &selected in &selected {
                        places.extend(outer.iter().map(|&outer| Drawn {
                            inner,
                            selected,
                            outer,
                        }));
                    }
                }
                DrawLaw::Joint {
                    draw,
                    outcomes: (0..=u16::MAX).take(places.len()).collect(),
                    places,
                }
            }
            None => DrawLaw::Parts(units.map(|units| WideItems::new(&units))),
        };
        Self {
            draws,
            inner: inner.collect(),
            outer: outer.collect(),
            eat_me: rules.eat_me,
            drink_me: rules.drink_me,
            floor: rules.multiplier_floor.into(),
            packed: PackedWatch::new(law),
        }
    }
}

/// Sums over the hits of one character, as they are played.
#[derive(Debug, Clone, Copy, Default)]
struct Hits {
    count: u64,
    meter: u128,
    /// Start and inner additions.
    unmoved: u128,
    start: u128,
    /// Eat Me so far, over all hits.
    eaten: u128,
    drunk: u128,
}

impl Hits {
    /// As the parts of a detail. A batch has at most 2^34 hits with at most 2^20 potions
    /// each of at most ten, so the products stay far below 2^127.
    fn sums(&self, attribution: &Attribution) -> HitSums {
        let moved =
            |potions: u128, potion: Potion| potions.cast_signed() * i128::from(potion.multipliers);
        HitSums {
            hits: self.count,
            meter: self.meter,
            start: self.start,
            inner_additions: self.unmoved - self.start,
            eat_me: moved(self.eaten, attribution.eat_me),
            drink_me: moved(self.drunk, attribution.drink_me),
        }
    }
}

/// A round in play, in cells.
#[derive(Debug, Clone, Copy)]
struct Cells {
    slot: u16,
    counter: u32,
    meter: u64,
    multipliers: [u64; 6],
    /// The multipliers as if there were no potions.
    unmoved: [u64; 6],
    eaten: u64,
    drunk: u64,
}

impl Cells {
    fn is_watched(&self, watched: u32) -> bool {
        u32::from(self.slot) < watched
    }

    /// (f)(4)(iii) and (iv): whether the spin is used up is the paytable's reading.
    fn take(&mut self, potion: Potion, floor: u64) {
        for multiplier in &mut self.multipliers {
            *multiplier = multiplier
                .saturating_add_signed(potion.multipliers.into())
                .max(floor);
        }
        self.counter = self.counter.wrapping_add_signed(potion.counter_change());
    }
}

/// Takes the rounds of a watched batch that are over.
pub(super) trait Rounds: Sink {
    /// All rounds that were packed; the same by the number of their last spin.
    fn short<'e>(
        &mut self,
        all: &[Ended],
        by_spin: impl Iterator<Item = (u32, &'e [Ended])>,
    ) -> Result<(), EngineError>;
}

/// What of a batch is watched, and where its results go.
pub(super) struct Watch<'a, S> {
    /// Slots below this one are watched.
    pub(super) watched: u32,
    /// The paytable's cap, `u64::MAX` where there is none.
    pub(super) cap: u64,
    /// Takes all rounds.
    pub(super) sink: &'a mut S,
    /// Takes what was watched.
    pub(super) detail: &'a mut Detail,
}

/// Buffers for one batch after another.
#[derive(Debug, Default)]
pub(super) struct Attributor {
    rows: Vec<Row>,
    scratch: Scratch,
    numbers: Vec<u16>,
    drawn: Vec<Drawn>,
    units: [Vec<u64>; 3],
    cells: Vec<Cells>,
    finished: Vec<(u16, u64)>,
    packed: packed::Buffers,
    /// Uncapped meters by slot.
    meters: Vec<u64>,
    hits: [Hits; 6],
}

impl Attributor {
    /// Plays all rounds of a batch and watches the first of them.
    ///
    /// # Errors
    /// Those of the sink and of the detail, or the first slot in play at the limit of spins.
    pub(super) fn play(
        &mut self,
        law: Law<'_>,
        attribution: &Attribution,
        mut stream: Stream,
        watch: &mut Watch<'_, impl Rounds>,
    ) -> Result<(), Stopped> {
        let batch = BATCH_ROUNDS as usize;
        law.start
            .draw(&mut stream, batch, &mut self.scratch, &mut self.rows);
        self.meters.resize(batch, 0);
        self.hits = [Hits::default(); 6];
        let mut age = 0;
        match &attribution.packed {
            Some(packed) => {
                age = self.play_packed(law, attribution, packed, &mut stream, watch)?;
            }
            None => self.begin(law.limits.spins),
        }
        while let Some(first) = self.cells.first() {
            if age == MAX_ROUND_SPINS {
                let limit = MAX_ROUND_SPINS;
                return Err(Stopped::Round(first.slot, RoundError::TooLong { limit }));
            }
            age += 1;
            self.draw(attribution, &mut stream);
            let watched = self
                .cells
                .partition_point(|round| round.is_watched(watch.watched));
            if watched > 0 {
                let draws = watch.detail.draws_of(age, watched as u64);
                for drawn in &self.drawn[..watched] {
                    count(draws, *drawn, 1);
                }
            }
            self.spin(attribution, watch.watched, age == law.limits.max_spins);
            for &(slot, meter) in &self.finished {
                self.meters[usize::from(slot)] = meter;
            }
            watch
                .sink
                .wide(age, &self.finished)
                .map_err(Stopped::Tally)?;
        }
        self.close(attribution, watch)
    }

    /// Hands what was watched to the detail.
    fn close(
        &mut self,
        attribution: &Attribution,
        watch: &mut Watch<'_, impl Rounds>,
    ) -> Result<(), Stopped> {
        let meters = &self.meters[..watch.watched as usize];
        debug_assert_eq!(
            self.hits.iter().map(|hits| hits.meter).sum::<u128>(),
            meters.iter().copied().map(u128::from).sum(),
            "what the hits paid is what the rounds were paid"
        );
        for (position, hits) in self.hits.iter().enumerate() {
            if hits.count > 0 {
                watch
                    .detail
                    .add_hits(position, &hits.sums(attribution))
                    .map_err(Stopped::Tally)?;
            }
        }
        watch
            .detail
            .add_rounds(meters, watch.cap)
            .map_err(Stopped::Tally)
    }

    fn begin(&mut self, spins: u32) {
        self.cells.clear();
        self.cells
            .extend((0..=u16::MAX).zip(&self.rows).map(|(slot, row)| {
                let multipliers = row.map(u64::from);
                Cells {
                    slot,
                    counter: spins,
                    meter: 0,
                    multipliers,
                    unmoved: multipliers,
                    eaten: 0,
                    drunk: 0,
                }
            }));
    }

    /// Draws one spin for each round in cells.
    fn draw(&mut self, attribution: &Attribution, stream: &mut Stream) {
        let count = self.cells.len();
        self.drawn.clear();
        match &attribution.draws {
            DrawLaw::Joint {
                draw,
                outcomes,
                places,
            } => {
                stream.narrow_phase(*draw, outcomes, count, &mut self.numbers);
                let outcomes = self.numbers.iter();
                self.drawn
                    .extend(outcomes.map(|&outcome| places[usize::from(outcome)]));
            }
            DrawLaw::Parts(parts) => {
                for (part, units) in parts.iter().zip(&mut self.units) {
                    stream.wide_phase(part.draw, count, units);
                }
                let place = |part: usize, round: usize| {
                    let item = parts[part].item(self.units[part][round]);
                    u16::try_from(item).expect("at most 1,024 sections")
                };
                self.drawn.extend((0..count).map(|round| Drawn {
                    inner: place(0, round),
                    selected: place(1, round),
                    outer: place(2, round),
                }));
            }
        }
    }

    /// One spin of every round in cells. `last` ends them all.
    fn spin(&mut self, attribution: &Attribution, watched: u32, last: bool) {
        self.finished.clear();
        let mut drawn = self.drawn.iter();
        let (hits, finished, rows) = (&mut self.hits, &mut self.finished, &self.rows);
        self.cells.retain_mut(|round| {
            let drawn = drawn.next().expect("one draw for each round in play");
            // (f)(2): the boost counts in this very pass.
            let inner = attribution.inner[usize::from(drawn.inner)];
            let selected = usize::from(drawn.selected);
            round.multipliers[selected] += inner.amount;
            round.unmoved[selected] += inner.amount;
            round.counter += inner.spins;
            // (f)(4).
            match attribution.outer[usize::from(drawn.outer)] {
                OuterResult::Hit(position) => {
                    let multiplier = round.multipliers[position];
                    round.meter += multiplier;
                    round.counter -= 1;
                    if round.is_watched(watched) {
                        let hits = &mut hits[position];
                        hits.count += 1;
                        hits.meter += u128::from(multiplier);
                        hits.unmoved += u128::from(round.unmoved[position]);
                        hits.start += u128::from(rows[usize::from(round.slot)][position]);
                        hits.eaten += u128::from(round.eaten);
                        hits.drunk += u128::from(round.drunk);
                    }
                }
                OuterResult::NoWin => round.counter -= 1,
                OuterResult::EatMe => {
                    round.take(attribution.eat_me, attribution.floor);
                    round.eaten += 1;
                }
                OuterResult::DrinkMe => {
                    round.take(attribution.drink_me, attribution.floor);
                    round.drunk += 1;
                }
            }
            let is_over = round.counter == 0 || last;
            if is_over {
                finished.push((round.slot, round.meter));
            }
            !is_over
        });
    }
}

/// Counts spins that drew the same.
#[inline]
fn count(draws: &mut SpinDraws, drawn: Drawn, spins: u64) {
    draws.inner[usize::from(drawn.inner)] += spins;
    draws.selected[usize::from(drawn.selected)] += spins;
    draws.outer[usize::from(drawn.outer)] += spins;
}

#[cfg(test)]
mod tests;
