//! What the first rounds of a run were made of, against the exact contributions.

use dashu_ratio::RBig;
use wonderspins::engine::{
    BATCH_ROUNDS, DETAIL_SPINS, Detail, EngineKind, Generator, HitSums, RunPlan, simulate,
    simulate_batches,
};
use wonderspins::exact::{Contributions, Source, solve};
use wonderspins::paytable::{Paytable, PaytableFile};
use wonderspins::rules::Trigger;

fn builtin(name: &str) -> Paytable {
    PaytableFile::load(name)
        .expect("a built-in paytable")
        .paytable
}

fn plan(trigger: Trigger, seed: u64, batches: u64) -> RunPlan {
    RunPlan {
        trigger,
        seed,
        generator: Generator::default(),
        rounds: batches * u64::from(BATCH_ROUNDS),
        engine: EngineKind::Auto,
        detail_rounds: u64::MAX,
    }
}

/// A part of the sum of meters.
fn part(sums: &HitSums, source: Source) -> i128 {
    let unsigned = |sum: u128| i128::try_from(sum).expect("a small sum");
    match source {
        Source::Start => unsigned(sums.start),
        Source::InnerAdditions => unsigned(sums.inner_additions),
        Source::EatMe => sums.eat_me,
        Source::DrinkMe => sums.drink_me,
        Source::Floor => sums.floor(),
    }
}

/// The sums of a batch by character and then by source.
fn parts(detail: &Detail) -> Vec<i128> {
    let characters = detail.by_character().map(|(_, sums)| sums.meter);
    let all = detail.all_hits();
    let sources = Source::ALL.into_iter().map(|source| part(&all, source));
    characters
        .map(|sum| i128::try_from(sum).expect("a small sum"))
        .chain(sources)
        .collect()
}

/// The exact contributions of a round in the order of [`parts`].
fn exact_parts(contributions: &Contributions) -> Vec<f64> {
    let characters = contributions.character.parts.iter().map(|(_, part)| part);
    let sources = contributions.source.parts.iter().map(|(_, part)| part);
    characters
        .chain(sources)
        .map(|part| RBig::clone(&part.value).to_f64().value())
        .collect()
}

/// Distance of the mean of batches from `exact` a round, in standard errors of the batches.
#[expect(
    clippy::cast_precision_loss,
    reason = "sums of a batch are exact in f64"
)]
fn z_score(batches: &[i128], exact: f64) -> f64 {
    let count = batches.len() as f64;
    let values: Vec<f64> = batches
        .iter()
        .map(|&sum| sum as f64 / f64::from(BATCH_ROUNDS))
        .collect();
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean - exact) / (squares / (count - 1.0) / count).sqrt()
}

/// 400 batches, 6.5 million rounds, of three paytables and both triggers: six characters
/// and five sources each, 66 means against the exact contributions.
///
/// The standard error is that of the batches, so a mean follows Student's law with 399
/// degrees of freedom (a sum over 16,384 rounds is normal enough), which passes 5.2 on
/// either side with probability 3.2e-7: one false alarm in 47,000 choices of the seed.
#[test]
fn contributions_are_the_exact_ones() {
    const BATCHES: u64 = 400;
    for name in ["pa-693-6", "pa-693-6-floor", "pa-693-6-capped"] {
        let paytable = builtin(name);
        for trigger in Trigger::ALL {
            let exact = solve(&paytable, trigger).expect("a built-in paytable");
            let exact = exact_parts(exact.contributions.as_ref().expect("finite bounds"));
            let plan = plan(trigger, 20_260, BATCHES);
            let batches: Vec<Vec<i128>> = (0..BATCHES)
                .map(|batch| {
                    let part = simulate_batches(&paytable, &plan, batch..batch + 1, &());
                    parts(&part.expect("a batch").detail)
                })
                .collect();
            assert_eq!(exact.len(), batches[0].len());
            for (place, exact) in exact.into_iter().enumerate() {
                let sums: Vec<i128> = batches.iter().map(|batch| batch[place]).collect();
                let z = z_score(&sums, exact);
                assert!(
                    z.abs() < 5.2,
                    "{name}, trigger {trigger}, part {place}: z = {z}"
                );
            }
        }
    }
}

/// Every sum of the detail against the tally of the same rounds, exactly: meters by
/// character and by source, spins by number, and the pairs against the rounds they leave out.
#[test]
fn the_detail_adds_up_to_the_tally() {
    for name in ["pa-693-6", "pa-693-6-floor", "pa-693-6-capped"] {
        let paytable = builtin(name);
        for trigger in Trigger::ALL {
            let run = simulate(&paytable, &plan(trigger, 5, 20), &()).expect("a run");
            let (tally, detail) = (&run.tally, &run.detail);
            let meters = i128::try_from(tally.uncapped_sum_meter()).expect("a small sum");
            let parts = parts(detail);
            let (characters, sources) = parts.split_at(paytable.characters().len());
            assert_eq!(characters.iter().sum::<i128>(), meters);
            assert_eq!(sources.iter().sum::<i128>(), meters);
            // Nothing that Drink Me takes off is given back twice.
            let [drink_me, floor] = [sources[3], sources[4]];
            assert!(drink_me < 0 && floor > 0 && floor <= -drink_me);

            let mut spins = 0;
            for (number, draws) in (1..).zip(&detail.parts().spins) {
                // An entry is one spin of a round, the last one all that are left.
                let of_round = |spins: u64| match spins.saturating_sub(number - 1) {
                    rest if number > DETAIL_SPINS as u64 => rest,
                    rest => rest.min(1),
                };
                let lengths = tally.spins_histogram();
                let played = lengths.map(|(spins, rounds)| of_round(spins) * rounds);
                assert_eq!(draws.played, played.sum::<u64>(), "spin {number}");
                for counts in [&draws.inner, &draws.selected, &draws.outer] {
                    assert_eq!(counts.iter().sum::<u64>(), draws.played);
                }
                spins += u128::from(draws.played);
            }
            assert_eq!(spins, tally.spins());

            let pairs = &detail.parts().paid;
            assert_eq!(pairs.pairs, 20 * (u64::from(BATCH_ROUNDS) - 1));
            let largest = u128::from(tally.max_meter());
            let left_out = tally.sum_meter() - pairs.first;
            assert!(left_out <= 20 * largest);
            assert!(pairs.products <= pairs.first * largest);
        }
    }
}

/// Sections, selections and neighbours of 3.3 million rounds of fair wheels.
///
/// Chi-square of the sections of the first five spins together (each round plays at least
/// as many), critical at 1e-6 for 11, 5 and 53 degrees of freedom: 48.87, 35.89, 117.00 (by
/// numerical integration of the density). The lag-1 correlation of independent rounds has
/// standard error one over the root of the number of pairs, and is held to 5: 5.7e-7. One
/// false alarm in 280,000 choices of the seed.
#[test]
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of some millions, and sums whose rounding is far below their error"
)]
fn draws_are_uniform_and_neighbours_independent() {
    let paytable = builtin("pa-693-6");
    let run = simulate(&paytable, &plan(Trigger::Five, 77, 200), &()).expect("a run");
    let parts = run.detail.parts();
    let chi_square = |counts_of: &dyn Fn(usize) -> Vec<u64>| {
        let mut counts = counts_of(0);
        for spin in 1..5 {
            for (count, other) in counts.iter_mut().zip(counts_of(spin)) {
                *count += other;
            }
        }
        let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        let squares = counts
            .iter()
            .map(|&count| (count as f64 - expected).powi(2));
        squares.sum::<f64>() / expected
    };
    let statistics = [
        chi_square(&|spin| parts.spins[spin].inner.clone()),
        chi_square(&|spin| parts.spins[spin].selected.clone()),
        chi_square(&|spin| parts.spins[spin].outer.clone()),
    ];
    for (statistic, critical) in statistics.into_iter().zip([48.87, 35.89, 117.00]) {
        assert!(statistic < critical, "{statistics:?}");
    }

    let pairs = &parts.paid;
    let n = pairs.pairs as f64;
    let [x, y, xx, yy, xy] = [
        pairs.first,
        pairs.second,
        pairs.first_squared,
        pairs.second_squared,
        pairs.products,
    ]
    .map(|sum| sum as f64 / n);
    let correlation = (xy - x * y) / ((xx - x * x) * (yy - y * y)).sqrt();
    assert!(
        correlation.abs() * n.sqrt() < 5.0,
        "lag-1 correlation {correlation}"
    );
}
