//! Random games against every course in rationals, against the exact moments, and between numbers of threads.
//!
//! The seeds are fixed, so a pass repeats itself; with others these tests found what the tests above them hold.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::super::super::{DistributionOptions, distributions};
use super::games::small_games;
use super::*;
use crate::exact::solve_all;

/// The games of one seed; `WS_SEED` and `WS_CASES` ask for others.
fn games(
    strategy: &impl Strategy<Value = Paytable>,
    seed: u64,
    count: u32,
) -> impl Iterator<Item = Paytable> {
    let seed = std::env::var("WS_SEED").map_or(seed, |text| text.parse().expect("a seed"));
    let count = std::env::var("WS_CASES").map_or(count, |text| text.parse().expect("a number"));
    let mut runner = TestRunner::new(Config {
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Config::default()
    });
    (0..count).map(move |_| {
        strategy
            .new_tree(&mut runner)
            .expect("nothing is filtered")
            .current()
    })
}

/// All courses of a game, of as many spins as are few enough.
fn courses(game: &Paytable) -> Option<crate::exact::enumeration::Enumeration> {
    let spins = game.rules.max_spins.unwrap_or(5);
    let least = game.rules.max_spins.unwrap_or(1);
    (least..=spins)
        .rev()
        .find_map(|spins| enumerate(game, Trigger::Two, spins, 200))
}

/// Asserts the promise of a held law, in rationals without any slack: `pmf (1 - r)` is below the truth everywhere, and the
/// truth is above `pmf (1 + r)` by no more than `missing` in all.
///
/// Courses that have not ended may end anywhere, so they widen the first and not the second: what has ended is below
/// the truth.
fn assert_promise(game: &Paytable, held: &Held, truth: &crate::exact::enumeration::Enumeration) {
    let rounding = rational(held.rounding);
    let (below, above) = (RBig::ONE - &rounding, RBig::ONE + &rounding);
    let mut short = RBig::ZERO;
    for (meter, &mass) in (0_u64..).zip(&held.pmf) {
        let exact = truth.pmf.get(&meter).cloned().unwrap_or(RBig::ZERO);
        assert!(
            rational(mass) * &below <= &exact + &truth.unfinished,
            "meter {meter}: {mass} above {exact} of {game:?}"
        );
        let most = rational(mass) * &above;
        if exact > most {
            short += exact - most;
        }
    }
    let beyond = truth.pmf.range(held.pmf.len() as u64..);
    short = beyond.fold(short, |sum, (_, mass)| sum + mass);
    assert!(
        short <= rational(held.missing),
        "{short} missing, more than {} of {game:?}",
        held.missing
    );
}

#[test]
fn random_games_against_every_course() {
    let (mut compared, mut refused) = (0, 0);
    for (game, tolerance) in
        games(&small_games(), 1, 60).zip([1e-6, 1e-7, 1e-8, 1e-9].into_iter().cycle())
    {
        let terms: Vec<&TriggerTerms> = game.triggers.iter().collect();
        let job = Job {
            paytable: &game,
            terms: &terms,
            trigger: Trigger::Two,
            tolerance: Some(tolerance),
            cells: 4_000,
            memory: 1 << 22,
        };
        match job.held() {
            Ok(held) => {
                assert!(held[0].missing <= tolerance, "{game:?}");
                if let Some(truth) = courses(&game) {
                    assert_promise(&game, &held[0], &truth);
                    compared += 1;
                }
            }
            Err(error) => {
                assert!(
                    !matches!(error, DistributionError::Contradiction { .. }),
                    "{error} of {game:?}"
                );
                refused += 1;
            }
        }
    }
    // Falls beyond the rows, drifts near 0 and the small tables allowed here are refused.
    assert!(
        compared >= refused,
        "{compared} compared, {refused} refused"
    );
}

/// `distributions` compares mean, variance and P(M = 0) with those of the other method.
#[test]
fn random_games_agree_with_the_exact_moments() {
    let mut answered = 0;
    for game in games(&small_games(), 2, 30) {
        let options = DistributionOptions {
            tolerance: Some(1e-3),
            memory_limit: 1 << 22,
        };
        let Ok(exact) = solve_all(&game) else {
            continue;
        };
        match distributions(&game, &exact, &options) {
            Ok(found) => {
                assert!(found.iter().all(|law| law.total_variation_bound <= 1e-3));
                answered += 1;
            }
            Err(error) => assert!(
                !matches!(error, DistributionError::Contradiction { .. }),
                "{error} of {game:?}"
            ),
        }
    }
    assert!(answered >= 15, "{answered} answered");
}

#[test]
fn threads_do_not_enter() {
    let game = Paytable::new(fixture::pa()).expect("a legal paytable");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| tables(&game, 1e-2))
    };
    assert_eq!(on(1), on(3));
}
