//! Mutation proof: one rule changed at a time, and the check that convicts it, by name.
//!
//! The mutants are played by a small simulator with switches that is written here, from the
//! text of 693.6, and shares nothing with the engine: the engine has no hooks for faults. Its
//! counts become a tally, and the cross-check compares that with the exact figures of the
//! unchanged paytable. Unmutated it passes, so what convicts a mutant is the mutation.

use std::collections::BTreeMap;

use wonderspins::document::CheckVerdict;
use wonderspins::engine::{Tally, TallyParts};
use wonderspins::exact::distribution::{Distribution, DistributionOptions, distributions};
use wonderspins::exact::{Exact, solve};
use wonderspins::paytable::{Paytable, PaytableFile, StartLaw};
use wonderspins::rules::{Character, InnerSection, OuterSection, Trigger};
use wonderspins::verify::{Played, cross_check, judge_all};

/// A fault in the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mutant {
    /// As the text says.
    None,
    /// (f)(4)(iv): multipliers go down to 0 instead of 1.
    FloorAtZero,
    /// (f)(2)(i): the inner multiplier is added after the outer wheel's result.
    BoostAfterOuter,
    /// (f)(4)(iv): Drink Me awards no spin.
    DrinkMeWithoutSpin,
    /// (c)(5): the first section of the cat shows the mouse.
    SectionSwapped,
    /// (b)(1): a multiplier of 8 is read as 5.
    EightReadAsFive,
    /// (f)(2)(ii): an additional spin on the last spin is lost.
    AdditionalSpinLostAtLast,
    /// (f)(2)(i): the selection goes by outer sections instead of uniformly.
    BoostByOuterSections,
    /// (f)(4)(i): the Rabbit's multiplier is added twice.
    RabbitTwice,
}

/// `SplitMix64` (Steele, Lea and Flood, 2014).
struct Source(u64);

impl Source {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `n`; the bias of n / 2^64 is far below what any run could show.
    fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.next()) * (n as u128);
        usize::try_from(wide >> 64).expect("below n")
    }
}

/// Rounds of a paytable with fair wheels, a uniform selection and permuted or fixed starts.
fn play(paytable: &Paytable, trigger: Trigger, mutant: Mutant, rounds: u64, seed: u64) -> Tally {
    let mut outer = paytable.outer_wheel.sections.clone();
    if mutant == Mutant::SectionSwapped {
        let cat = outer
            .iter()
            .position(|&section| section == OuterSection::Character(Character::Cat));
        outer[cat.expect("the wheel has a cat")] = OuterSection::Character(Character::Mouse);
    }
    let inner = &paytable.inner_wheel.sections;
    let characters = paytable.characters();
    let by_sections: Vec<Character> = outer
        .iter()
        .filter_map(|&section| match section {
            OuterSection::Character(character) => Some(character),
            _ => None,
        })
        .collect();
    let floor = u64::from(mutant != Mutant::FloorAtZero);
    let spins_at_start = paytable.terms(trigger).expect("the trigger").spins;
    let mut source = Source(seed);
    let mut meters: BTreeMap<u64, u64> = BTreeMap::new();
    let mut lengths: BTreeMap<u64, u64> = BTreeMap::new();
    let (mut largest, mut largest_round) = (0, 0);
    for round in 0..rounds {
        let mut multipliers = starts(paytable, trigger, characters, &mut source);
        let (mut counter, mut spins, mut meter) = (spins_at_start, 0, 0);
        while counter > 0 {
            spins += 1;
            let selected = if mutant == Mutant::BoostByOuterSections {
                by_sections[source.below(by_sections.len())]
            } else {
                characters[source.below(characters.len())]
            };
            let boost = match inner[source.below(inner.len())] {
                InnerSection::Multiplier(8) if mutant == Mutant::EightReadAsFive => 5,
                InnerSection::Multiplier(amount) => u64::from(amount),
                InnerSection::AdditionalSpin => {
                    if mutant != Mutant::AdditionalSpinLostAtLast || counter > 1 {
                        counter += 1;
                    }
                    0
                }
            };
            if mutant != Mutant::BoostAfterOuter {
                multipliers[selected as usize] += boost;
            }
            match outer[source.below(outer.len())] {
                OuterSection::Character(character) => {
                    meter += multipliers[character as usize];
                    if mutant == Mutant::RabbitTwice && character == Character::Rabbit {
                        meter += multipliers[character as usize];
                    }
                    counter -= 1;
                }
                OuterSection::NoWin => counter -= 1,
                OuterSection::EatMe => {
                    counter += 1;
                    for multiplier in &mut multipliers {
                        *multiplier += 1;
                    }
                }
                OuterSection::DrinkMe => {
                    if mutant == Mutant::DrinkMeWithoutSpin {
                        // The spin is used up as any other: else the round would not go on.
                        counter -= 1;
                    } else {
                        counter += 1;
                    }
                    for multiplier in &mut multipliers {
                        *multiplier = multiplier.saturating_sub(1).max(floor);
                    }
                }
            }
            if mutant == Mutant::BoostAfterOuter {
                multipliers[selected as usize] += boost;
            }
        }
        *meters.entry(meter).or_default() += 1;
        *lengths.entry(spins).or_default() += 1;
        if meter > largest {
            (largest, largest_round) = (meter, round);
        }
    }
    tally(&meters, &lengths, largest_round)
}

fn starts(
    paytable: &Paytable,
    trigger: Trigger,
    characters: &[Character],
    source: &mut Source,
) -> [u64; 6] {
    let mut multipliers = [0; 6];
    match paytable.start_law(trigger) {
        StartLaw::Permutation { values } => {
            let mut left = values.clone();
            for &character in characters {
                let value = left.swap_remove(source.below(left.len()));
                multipliers[character as usize] = u64::from(value);
            }
        }
        StartLaw::Fixed { values } => {
            for (&character, &value) in values {
                multipliers[character as usize] = u64::from(value);
            }
        }
        law => panic!("this simulator does not play {law:?}"),
    }
    multipliers
}

fn tally(meters: &BTreeMap<u64, u64>, lengths: &BTreeMap<u64, u64>, max_round: u64) -> Tally {
    let sum = |power: u32| {
        meters
            .iter()
            .map(|(&meter, &rounds)| u128::from(meter).pow(power) * u128::from(rounds))
            .sum()
    };
    let pairs = |map: &BTreeMap<u64, u64>| map.iter().map(|(&x, &n)| (x, n)).collect();
    Tally::from_parts(&TallyParts {
        histogram: pairs(meters),
        spins_histogram: pairs(lengths),
        beyond_cap: Vec::new(),
        max_round,
        uncapped_sum_meter: sum(1),
        uncapped_sum_meter_squared: sum(2),
    })
    .expect("the counts are consistent")
}

struct Subject {
    paytable: Paytable,
    exact: Exact,
    distribution: Distribution,
}

impl Subject {
    fn new(game: Game, trigger: Trigger) -> Self {
        let paytable = game.paytable();
        let exact = solve(&paytable, trigger).expect("it is solvable");
        let options = DistributionOptions {
            tolerance: Some(0.01),
            ..DistributionOptions::default()
        };
        let distribution = distributions(&paytable, std::slice::from_ref(&exact), &options)
            .expect("within reach")
            .pop()
            .expect("one trigger");
        Self {
            paytable,
            exact,
            distribution,
        }
    }

    /// Ids of the checks that convict a mutant at the default family-wise level of 0.01.
    fn convictions(&self, mutant: Mutant, rounds: u64, seed: u64) -> Vec<String> {
        let tally = play(&self.paytable, self.exact.trigger, mutant, rounds, seed);
        let tests: Vec<_> = cross_check(&Played {
            paytable: &self.paytable,
            exact: &self.exact,
            distribution: Some(&self.distribution),
            tally: &tally,
            detail: None,
        })
        .expect("enough rounds")
        .into_iter()
        .map(|check| (self.exact.trigger, check))
        .collect();
        judge_all(&tests, 0.01)
            .expect("alpha is in (0, 1)")
            .into_iter()
            .filter(|check| check.verdict == CheckVerdict::Fail)
            .map(|check| check.id)
            .collect()
    }
}

/// The game that a mutant is played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Game {
    /// `pa-693-6`.
    Literal,
    /// `pa-693-6-floor`: every character starts at the floor, which therefore matters.
    Floor,
    /// `pa-693-6` with fixed starts. With permuted starts and a uniform selection characters are
    /// exchangeable, so which of them a section shows does not move the mean at all; the clauses
    /// (c)(1) and (c)(5) judge it from the file.
    FixedStarts,
}

impl Game {
    fn paytable(self) -> Paytable {
        let name = if self == Self::Floor {
            "pa-693-6-floor"
        } else {
            "pa-693-6"
        };
        let file = PaytableFile::load(name).expect("a built-in paytable");
        if self != Self::FixedStarts {
            return file.paytable;
        }
        let text = file
            .text
            .replace("law = \"permutation\"", "law = \"fixed\"")
            .replace(
                "values = [2, 3, 4, 5, 6, 8]",
                "values = { rabbit = 10, cat = 6, crown = 5, bird = 4, mouse = 3, hat = 2 }",
            );
        PaytableFile::parse("test", &text)
            .expect("a legal paytable")
            .paytable
    }
}

/// Each mutant with its game, the rounds with two spins that convict it, and the checks that do.
const CONVICTED: &[(Mutant, Game, u64, &[&str])] = &[
    (
        Mutant::FloorAtZero,
        Game::Floor,
        100_000,
        &["mean-meter", "hit-frequency", "payout-distribution"],
    ),
    (
        Mutant::BoostAfterOuter,
        Game::Literal,
        100_000,
        &["mean-meter", "payout-distribution", "payout-cumulative"],
    ),
    (
        Mutant::DrinkMeWithoutSpin,
        Game::Literal,
        100_000,
        &[
            "mean-spins",
            "spins-distribution",
            "mean-meter",
            "hit-frequency",
        ],
    ),
    (
        Mutant::SectionSwapped,
        Game::FixedStarts,
        1_000_000,
        &["mean-meter", "payout-distribution"],
    ),
    (
        Mutant::EightReadAsFive,
        Game::Literal,
        100_000,
        &["mean-meter", "payout-distribution", "payout-cumulative"],
    ),
    (
        Mutant::AdditionalSpinLostAtLast,
        Game::Literal,
        100_000,
        &["mean-spins", "spins-distribution", "mean-meter"],
    ),
    (
        Mutant::BoostByOuterSections,
        Game::Literal,
        100_000,
        &["mean-meter", "variance-meter", "payout-tail"],
    ),
    (
        Mutant::RabbitTwice,
        Game::Literal,
        1_000_000,
        &["mean-meter", "payout-distribution", "payout-cumulative"],
    ),
];

#[test]
fn every_mutant_is_convicted_by_name() {
    let games = [Game::Literal, Game::Floor, Game::FixedStarts]
        .map(|game| (game, Subject::new(game, Trigger::Two)));
    let mut wrong = Vec::new();
    for (game, subject) in &games {
        // The simulator itself is right, with more rounds than any mutant needs.
        let found = subject.convictions(Mutant::None, 2_000_000, 693);
        if !found.is_empty() {
            wrong.push(format!("unmutated {game:?}: {found:?}"));
        }
    }
    for &(mutant, game, rounds, expected) in CONVICTED {
        let subject = games.iter().find(|(each, _)| *each == game);
        let (_, subject) = subject.expect("every game is prepared");
        let found = subject.convictions(mutant, rounds, 693);
        if !expected
            .iter()
            .all(|id| found.iter().any(|each| each == id))
        {
            wrong.push(format!("{mutant:?} with {rounds} rounds: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
