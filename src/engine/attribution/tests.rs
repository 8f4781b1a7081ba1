use proptest::prelude::*;

use super::super::batch::Game;
use super::super::error::EngineError;
use super::super::generator::Generator;
use super::super::packed::PackedTable;
use super::super::plan::{EngineKind, RunPlan};
use super::super::reference::Witness;
use super::super::round::{Multipliers, Round, SpinDraw, SpinRecord};
use super::super::sampler::{SpinTable, StartTable};
use super::super::tally::Tally;
use super::super::testing::{TWO, any_paytable, pa, paytable, zoo};
use super::*;
use crate::engine::detail::{DETAIL_SPINS, DetailParts, PairSums};
use crate::paytable::{StartLaw, fixture};
use crate::rules::{Character, Trigger};

const BATCH: u64 = BATCH_ROUNDS as u64;

/// Both generators come up.
fn generator_of(batch: u64) -> Generator {
    Generator::ALL[usize::from(batch % 2 == 1)]
}

/// Tally and detail of one batch of which the run has `rounds` and `watched` are watched.
fn watch(
    paytable: &Paytable,
    trigger: Trigger,
    batch: u64,
    [rounds, watched]: [u64; 2],
    engine: EngineKind,
) -> (Tally, Detail) {
    let plan = RunPlan {
        trigger,
        seed: 19,
        generator: generator_of(batch),
        rounds: batch * BATCH + rounds,
        engine,
        detail_rounds: batch * BATCH + watched,
    };
    let game =
        Game::new(paytable, trigger, plan.seed, plan.generator, engine).expect("a legal paytable");
    let (mut tally, mut detail) = (Tally::new(), game.no_detail());
    let mut player = game.player();
    player
        .play_watched(&plan, batch, &mut tally, &mut detail)
        .and_then(|()| player.close(&mut tally))
        .expect("a batch that ends");
    (tally, detail)
}

/// The tally of a batch that nobody watches.
fn unwatched(paytable: &Paytable, trigger: Trigger, batch: u64, rounds: u64) -> Tally {
    let plan = RunPlan {
        trigger,
        seed: 19,
        generator: generator_of(batch),
        rounds: batch * BATCH + rounds,
        engine: EngineKind::Scalar,
        detail_rounds: 0,
    };
    let game = Game::new(paytable, trigger, plan.seed, plan.generator, plan.engine)
        .expect("a legal paytable");
    let mut tally = Tally::new();
    game.player()
        .play(&plan, batch, &mut tally)
        .expect("a batch that ends");
    tally
}

/// The records of the first rounds of a batch, by slot.
struct Records {
    wanted: usize,
    rounds: Vec<(Multipliers, Vec<(SpinDraw, SpinRecord)>)>,
    drawn: Option<SpinDraw>,
}

impl Witness for Records {
    fn started(&mut self, slot: u16, starting: &Multipliers) {
        if usize::from(slot) < self.wanted {
            self.rounds.push((*starting, Vec::new()));
        }
    }

    fn drawn(&mut self, _: u16, draw: SpinDraw) {
        self.drawn = Some(draw);
    }

    fn spun(&mut self, slot: u16, record: &SpinRecord) {
        let draw = self.drawn.take().expect("a draw goes before its spin");
        if let Some((_, spins)) = self.rounds.get_mut(usize::from(slot)) {
            spins.push((draw, *record));
        }
    }

    fn ended(&mut self, _: u16, _: &Round<'_>) {}
}

/// The detail of the first rounds of a batch from the records of its rounds and the definitions alone: each
/// hit looks back over its whole round.
fn from_records(paytable: &Paytable, trigger: Trigger, batch: u64, watched: usize) -> DetailParts {
    let game = Game::new(
        paytable,
        trigger,
        19,
        generator_of(batch),
        EngineKind::Reference,
    )
    .expect("a trigger");
    let mut records = Records {
        wanted: watched,
        rounds: Vec::new(),
        drawn: None,
    };
    game.witness(batch, &mut records).expect("rounds that end");
    let characters = paytable.characters();
    let rules = &paytable.rules;
    let mut parts = DetailParts {
        rounds: watched as u64,
        hits: vec![HitSums::default(); characters.len()],
        ..DetailParts::default()
    };
    let mut meters = Vec::new();
    for (starting, spins) in &records.rounds {
        for (now, (draw, record)) in spins.iter().enumerate() {
            let entry = now.min(DETAIL_SPINS);
            if parts.spins.len() <= entry {
                parts.spins.push(SpinDraws {
                    played: 0,
                    inner: vec![0; paytable.inner_wheel.sections.len()],
                    selected: vec![0; characters.len()],
                    outer: vec![0; paytable.outer_wheel.sections.len()],
                });
            }
            let place = |c: Character| characters.iter().position(|&other| other == c).unwrap();
            let draws = &mut parts.spins[entry];
            draws.played += 1;
            draws.inner[draw.inner_section] += 1;
            draws.selected[place(draw.selected)] += 1;
            draws.outer[draw.outer_section] += 1;

            let OuterSection::Character(hit) = record.outer else {
                continue;
            };
            let before = spins[..now].iter().map(|(_, record)| record.outer);
            let potions = |section, step: i32| {
                let count = before.clone().filter(|&outer| outer == section).count();
                i128::from(step) * i128::try_from(count).unwrap()
            };
            let additions = spins[..=now]
                .iter()
                .filter_map(|(_, record)| match record.inner {
                    InnerSection::Multiplier(amount) if record.selected == Some(hit) => {
                        Some(amount)
                    }
                    _ => None,
                });
            let paid_before = now.checked_sub(1).map_or(0, |before| spins[before].1.meter);
            let sums = &mut parts.hits[place(hit)];
            sums.hits += 1;
            sums.meter += u128::from(record.meter - paid_before);
            sums.start += u128::from(starting.of(hit).unwrap());
            sums.inner_additions += additions.map(u128::from).sum::<u128>();
            sums.eat_me += potions(OuterSection::EatMe, rules.eat_me.multipliers);
            sums.drink_me += potions(OuterSection::DrinkMe, rules.drink_me.multipliers);
        }
        meters.push(spins.last().expect("a round has a spin").1.meter);
    }
    let pairs = |cap: u64| {
        let mut sums = PairSums::default();
        for pair in meters.windows(2) {
            let [first, second] = [pair[0], pair[1]].map(|meter| u128::from(meter.min(cap)));
            sums.pairs += 1;
            sums.first += first;
            sums.second += second;
            sums.first_squared += first * first;
            sums.second_squared += second * second;
            sums.products += first * second;
        }
        sums
    };
    parts.uncapped = pairs(u64::MAX);
    parts.paid = pairs(rules.max_meter.unwrap_or(u64::MAX));
    parts
}

/// Both players agree, and the rounds are those of the tally.
fn assert_watched(
    name: &str,
    paytable: &Paytable,
    trigger: Trigger,
    batch: u64,
    [rounds, watched]: [u64; 2],
) {
    let counts = [rounds, watched];
    let (tally, fast) = watch(paytable, trigger, batch, counts, EngineKind::Auto);
    let (slow_tally, slow) = watch(paytable, trigger, batch, counts, EngineKind::Reference);
    let of = format!("{name}, trigger {trigger}, batch {batch}, {watched} of {rounds} watched");
    assert_eq!(tally, unwatched(paytable, trigger, batch, rounds), "{of}");
    assert_eq!(tally, slow_tally, "{of}");
    assert_eq!(fast, slow, "{of}");
    assert_eq!(fast.digest(), slow.digest());
    let rebuilt = Detail::from_parts(paytable, slow.parts().clone());
    assert_eq!(rebuilt, Ok(slow), "{of}");
    if watched == rounds {
        assert_eq!(fast.all_hits().meter, tally.uncapped_sum_meter(), "{of}");
        assert_eq!(played(&fast), played_by(&tally), "{of}");
    }
}

/// The fast player agrees with the definitions for the first rounds of a batch.
fn assert_defined(name: &str, paytable: &Paytable, trigger: Trigger, batch: u64) {
    // Looking back from every hit takes time that grows with the square of a round.
    let watched = 300;
    let counts = [BATCH, watched as u64];
    let (_, detail) = watch(paytable, trigger, batch, counts, EngineKind::Auto);
    let expected = from_records(paytable, trigger, batch, watched);
    assert_eq!(*detail.parts(), expected, "{name}, trigger {trigger}");
}

/// Spins by entry, as the draws have it.
fn played(detail: &Detail) -> Vec<u64> {
    let spins = detail.parts().spins.iter();
    spins.map(|draws| draws.played).collect()
}

/// Spins by entry, as the lengths of the rounds have it.
fn played_by(tally: &Tally) -> Vec<u64> {
    let mut played = Vec::new();
    for (spins, rounds) in tally.spins_histogram() {
        for spin in 0..usize::try_from(spins).expect("a few spins") {
            let entry = spin.min(DETAIL_SPINS);
            if played.len() <= entry {
                played.push(0);
            }
            played[entry] += rounds;
        }
    }
    played
}

#[test]
fn players_and_definitions_agree_for_every_law_and_width() {
    for (name, paytable) in zoo() {
        for terms in &paytable.triggers {
            for (batch, counts) in [(0, [BATCH, BATCH]), (1 << 36, [5_000, 4_097])] {
                assert_watched(name, &paytable, terms.trigger, batch, counts);
            }
            assert_defined(name, &paytable, terms.trigger, 1);
        }
        assert_watched(name, &paytable, TWO, 2, [1, 1]);
    }
}

/// A floor that acts often, a step down that is larger than most starts, an Eat Me that
/// takes off, and rounds that outlive the packed form and the last spin number.
#[test]
fn players_and_definitions_agree_where_the_floor_acts() {
    let with = |change: &dyn Fn(&mut crate::paytable::Definition)| {
        let mut definition = fixture::pa();
        change(&mut definition);
        paytable(definition)
    };
    let floored = with(&|d| {
        d.rules.drink_me.multipliers = -7;
        d.rules.eat_me.multipliers = -3;
        d.rules.multiplier_floor = 2;
    });
    assert_watched("floored", &floored, TWO, 0, [BATCH, BATCH]);
    assert_defined("floored", &floored, TWO, 0);
    let floor = |detail: &Detail| detail.all_hits().floor();
    let (_, detail) = watch(&floored, TWO, 0, [BATCH, BATCH], EngineKind::Auto);
    assert!(floor(&detail) > 0 && detail.all_hits().eat_me < 0);

    let long = with(&|d| {
        for terms in &mut d.triggers {
            terms.spins = 60;
        }
    });
    assert_watched("long", &long, TWO, 2, [BATCH, 9_000]);
    assert_defined("long", &long, TWO, 2);
    let (_, detail) = watch(&long, TWO, 2, [BATCH, 9_000], EngineKind::Auto);
    assert_eq!(detail.parts().spins.len(), DETAIL_SPINS + 1);
    assert!(detail.parts().spins[DETAIL_SPINS].played > 9_000);
}

proptest! {
    #![proptest_config(crate::testing::property(32))]

    #[test]
    fn players_and_definitions_agree_for_random_paytables(
        paytable in any_paytable(),
        batch in 0_u64..1 << 36,
        rounds in 1_u64..=BATCH,
        share in 0.0..=1.5,
    ) {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "any number from 1 to the rounds will do, all of them a third of the time"
        )]
        let watched = ((rounds as f64 * share) as u64).clamp(1, rounds);
        assert_watched("random", &paytable, TWO, batch, [rounds, watched]);
        assert_defined("random", &paytable, TWO, batch);
    }
}

/// The tiny game by hand: one hit a round, of 1 + (1 + K) + K with K potions before it. So
/// starts pay 1 a round, inner additions one more than Eat Me, and the floor nothing.
#[test]
fn the_tiny_game_by_hand() {
    let game = paytable(fixture::tiny(1));
    let (tally, detail) = watch(&game, TWO, 0, [BATCH, BATCH], EngineKind::Auto);
    let sums = detail.all_hits();
    let potions = (tally.sum_meter() - 2 * u128::from(BATCH)) / 2;
    assert_eq!(
        sums,
        HitSums {
            hits: BATCH,
            meter: tally.sum_meter(),
            start: BATCH.into(),
            inner_additions: u128::from(BATCH) + potions,
            eat_me: potions.cast_signed(),
            drink_me: 0,
        }
    );
    assert_eq!(sums.floor(), 0);
    // Two outer sections of the same chance; a hat ends the round.
    for (now, later) in detail.parts().spins.iter().zip(&detail.parts().spins[1..]) {
        assert_eq!(now.outer[1], later.played);
    }
}

/// A start of 600 does not fit a packed cell, so the same wheels are played in cells.
#[test]
fn rounds_that_do_not_fit_are_played_in_cells() {
    let mut definition = fixture::pa();
    definition.starting_multipliers = StartLaw::Permutation {
        values: vec![2, 3, 4, 5, 6, 600],
    };
    let wide = paytable(definition);
    let is_packed = |paytable: &Paytable| {
        let (start, table) = (StartTable::new(paytable, TWO), SpinTable::new(paytable));
        PackedTable::new(&start, &table).is_some()
    };
    assert!(is_packed(&pa()) && !is_packed(&wide));
    assert_watched("cells", &wide, TWO, 0, [BATCH, BATCH]);
}

/// Both players name the same round where one of a batch does not end.
#[test]
fn a_batch_that_does_not_end_names_its_first_round() {
    let mut definition = fixture::tiny(1);
    definition.rules.eat_me.consumes_spin = false;
    definition.outer_wheel.weights = vec![(1 << 31) + 1, 1 << 31];
    let paytable = paytable(definition);
    let result = |detail_rounds| {
        let plan = RunPlan {
            trigger: TWO,
            seed: 1,
            generator: Generator::default(),
            rounds: 1,
            engine: EngineKind::Auto,
            detail_rounds,
        };
        let game =
            Game::new(&paytable, TWO, 1, plan.generator, plan.engine).expect("a legal paytable");
        let (mut tally, mut detail) = (Tally::new(), game.no_detail());
        game.player()
            .play_watched(&plan, 0, &mut tally, &mut detail)
            .expect_err("a round that does not end")
    };
    assert!(matches!(result(1), EngineError::Round { .. }));
    assert_eq!(result(1), result(0));
}
