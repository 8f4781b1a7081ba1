//! Every figure against the law in rationals: enumerated games, whole and with a part taken away.

use std::collections::BTreeMap;

use dashu_ratio::RBig;
use proptest::prelude::*;

use super::growth::eighth_moments;
use super::*;
use crate::exact::{Exact, solve, solve_all};
use crate::paytable::{Definition, StartLaw, fixture};
use crate::testing::property;

fn ratio(a: i64, b: i64) -> RBig {
    RBig::from(a) / RBig::from(b)
}

fn power(base: &RBig, exponent: u32) -> RBig {
    (0..exponent).fold(RBig::ONE, |product, _| product * base)
}

/// A law in rationals.
struct Truth(BTreeMap<u64, RBig>);

impl Truth {
    fn sum(&self, value: impl Fn(u64) -> RBig) -> RBig {
        self.0
            .iter()
            .fold(RBig::ZERO, |sum, (&x, p)| sum + p * value(x))
    }

    fn moment(&self, k: u32) -> RBig {
        self.sum(|x| power(&RBig::from(x), k))
    }

    fn central(&self, k: u32) -> RBig {
        let mean = self.moment(1);
        self.sum(|x| power(&(RBig::from(x) - &mean), k))
    }

    fn capped(&self, cap: &RBig) -> (RBig, RBig) {
        let least = |x: u64| RBig::from(x).min(cap.clone());
        let mean = self.sum(least);
        let second = self.sum(|x| power(&least(x), 2));
        let variance = second - &mean * &mean;
        (mean, variance)
    }

    fn below(&self, x: u64) -> RBig {
        self.0.range(..=x).fold(RBig::ZERO, |sum, (_, p)| sum + p)
    }

    fn quantile(&self, p: f64) -> u64 {
        let p = RBig::try_from(p).unwrap();
        let mut sum = RBig::ZERO;
        for (&x, mass) in &self.0 {
            sum += mass;
            if sum >= p {
                return x;
            }
        }
        unreachable!("the law is complete")
    }
}

/// Two characters from the floor, potions that use up their spin, four spins at most.
fn short() -> Definition {
    let mut definition = fixture::tiny(2);
    definition.outer_wheel = fixture::outer("hat hat cat no-win drink-me eat-me");
    definition.starting_multipliers = StartLaw::Permutation { values: vec![1, 2] };
    definition.rules.max_spins = Some(4);
    definition
}

/// The paytable, the whole law and the exact figures of a short game.
fn game(definition: Definition) -> (Paytable, Truth, Exact) {
    let game = Paytable::new(definition).expect("a legal paytable");
    let limit = game.rules.max_spins.expect("a short game");
    let found = enumerate(&game, Trigger::Two, limit, 100_000).expect("few states");
    let exact = solve(&game, Trigger::Two).expect("a short game");
    (game, Truth(found.pmf), exact)
}

/// The law with only a part of each probability, its numerator of 8 given by the meter.
fn part(truth: &Truth, eighths: impl Fn(u64) -> i64) -> Held {
    let kept = truth
        .0
        .iter()
        .map(|(&x, p)| (x, p * ratio(eighths(x), 8)))
        .collect();
    Held::from_rationals(&kept, 1 << 20, "test".into()).expect("few meters")
}

/// Whether a number that a rational cannot express lies in an enclosure, up to the rounding of the test.
fn nearly_contains(enclosure: Enclosure, value: f64) -> bool {
    let slack = 1e-11 * value.abs().max(1.0);
    enclosure.lower() <= value + slack && value <= enclosure.upper() + slack
}

fn check_everything(truth: &Truth, found: &Distribution) {
    let (mean, variance) = (truth.moment(1), truth.central(2));
    assert!(found.mean.contains_rational(&mean));
    assert!(found.variance.contains_rational(&variance));
    assert!(found.best_mean().contains_rational(&mean));
    assert!(found.best_variance().contains_rational(&variance));
    let (v, third, fourth) = (
        variance.to_f64().value(),
        truth.central(3).to_f64().value(),
        truth.central(4).to_f64().value(),
    );
    assert!(nearly_contains(found.skewness, third / v.powf(1.5)));
    assert!(nearly_contains(
        found.excess_kurtosis,
        fourth / (v * v) - 3.0
    ));
    let m = mean.to_f64().value();
    let absolute = truth.0.iter().fold(0.0, |sum, (&x, p)| {
        let x = f64::from(u32::try_from(x).unwrap());
        sum + p.to_f64().value() * (x - m).abs().powi(3)
    });
    assert!(found.third_absolute >= absolute * (1.0 - 1e-12));

    let last = *truth.0.keys().next_back().unwrap();
    let mut distance = RBig::ZERO;
    for x in 0..=last + 3 {
        let p = truth.0.get(&x).cloned().unwrap_or(RBig::ZERO);
        let below = truth.below(x);
        assert!(found.probability(x).contains_rational(&p), "{x}");
        assert!(found.cumulative(x).contains_rational(&below), "{x}");
        let from = RBig::ONE - &below + &p;
        assert!(found.exceedance(x).contains_rational(&from), "{x}");
        let odds = found.one_in(x);
        if from > RBig::ZERO {
            assert!(odds.contains_rational(&(RBig::ONE / &from)), "{x} {odds}");
        } else {
            assert!(odds.upper() == f64::INFINITY);
        }
        let held = found.pmf.get(usize::try_from(x).unwrap()).copied();
        let held = RBig::try_from(held.unwrap_or(0.0)).unwrap();
        distance += if held > p { held - p } else { p - held };
    }
    assert!(distance <= RBig::try_from(found.total_variation_bound).unwrap() * RBig::from(2));
    for p in [0.0001, 0.05, 0.3, 0.5, 0.77, 0.99, 0.9999] {
        let quantile = found.quantile(p);
        let expected = truth.quantile(p);
        assert!(quantile.lower <= expected, "{p} {quantile:?} {expected}");
        assert!(quantile.upper.is_none_or(|upper| expected <= upper));
        assert!(quantile.lower <= quantile.meter);
        assert!(quantile.upper.is_none_or(|upper| quantile.meter <= upper));
    }
    for cap in [
        ratio(1, 3),
        ratio(1, 1),
        ratio(7, 2),
        ratio(5, 1),
        ratio(29, 3),
        ratio(500, 1),
    ] {
        let (mean, variance) = truth.capped(&cap);
        let (found_mean, found_variance) = found.capped_moments(&cap).expect("no contradiction");
        assert!(found_mean.contains_rational(&mean), "{cap} {found_mean}");
        assert!(
            found_variance.contains_rational(&variance),
            "{cap} {found_variance}"
        );
    }
}

#[test]
fn a_whole_law_gives_every_figure_to_the_last_digits() {
    let (paytable, truth, exact) = game(short());
    let eighth = eighth_moments(&paytable)[0];
    let held = part(&truth, |_| 8);
    let found = Distribution::new(Trigger::Two, held, &exact, eighth).expect("no contradiction");
    check_everything(&truth, &found);
    assert!(found.missing_mass < 1e-14 && found.total_variation_bound < 1e-14);
    assert!(found.mean.width() < 1e-12 && found.variance.width() < 1e-12);
    assert!(found.quantiles.iter().all(|q| Some(q.lower) == q.upper));
    for cap in [2_u64, 5, 9] {
        let capped = found.clone().with_cap(cap).expect("no contradiction");
        let law = truth.0.iter().fold(BTreeMap::new(), |mut law, (&x, p)| {
            *law.entry(x.min(cap)).or_insert(RBig::ZERO) += p;
            law
        });
        check_everything(&Truth(law), &capped);
        assert!(capped.best_mean().width() < 1e-13);
        assert!(capped.skewness.width() < 1e-10);
        assert_eq!(capped.pmf.len(), usize::try_from(cap).unwrap() + 1);
    }
}

#[test]
fn a_chopped_tail_is_enclosed() {
    for definition in [short(), {
        let mut other = short();
        other.rules.max_spins = Some(6);
        other.triggers[0].spins = 1;
        other.rules.drink_me.consumes_spin = false;
        other
    }] {
        let (paytable, truth, exact) = game(definition);
        let eighth = eighth_moments(&paytable)[0];
        for end in [3, 6, 9, 12, 15, 20] {
            for eighth in [eighth, None] {
                let held = part(&truth, |x| if x < end { 8 } else { 0 });
                let found =
                    Distribution::new(Trigger::Two, held, &exact, eighth).expect("consistent");
                check_everything(&truth, &found);
                let is_whole = found.missing_mass <= 0.0;
                let is_bounded = found.skewness.upper().is_finite();
                assert_eq!(is_bounded, is_whole || eighth.is_some());
            }
        }
    }
}

proptest! {
    #![proptest_config(property(40))]

    #[test]
    fn any_part_of_a_law_encloses_the_truth(eighths in proptest::collection::vec(0_i64..=8, 40), cap in 1_u64..12) {
        let (paytable, truth, exact) = game(short());
        let eighth = eighth_moments(&paytable)[0];
        let at = |x: u64| eighths[usize::try_from(x).unwrap() % eighths.len()];
        let found = Distribution::new(Trigger::Two, part(&truth, at), &exact, eighth).expect("consistent");
        check_everything(&truth, &found);
        let law = truth.0.iter().fold(BTreeMap::new(), |mut law, (&x, p)| {
            *law.entry(x.min(cap)).or_insert(RBig::ZERO) += p;
            law
        });
        check_everything(&Truth(law), &found.with_cap(cap).expect("consistent"));
    }
}

/// Section 5 of the derivation: M = 2 + 2K, K geometric with 1/2: skewness 3 / sqrt 2, excess kurtosis 6.5.
#[test]
fn the_tiny_game_without_a_limit() {
    for (spins, mean, variance) in [(1, 4.0, 8.0), (2, 11.0, 40.0)] {
        let paytable = Paytable::new(fixture::tiny(spins)).expect("a legal paytable");
        let found = enumerate(&paytable, Trigger::Two, 48, 100_000).expect("few states");
        assert!(found.unfinished > RBig::ZERO);
        let held = Held::from_rationals(&found.pmf, 1 << 20, "test".into()).expect("few meters");
        let missing = held.missing;
        let exact = solve(&paytable, Trigger::Two).expect("a legal paytable");
        let eighth = eighth_moments(&paytable)[0];
        let law = Distribution::new(Trigger::Two, held, &exact, eighth).expect("no contradiction");
        assert!(law.missing_mass < missing + 1e-13);
        assert!(law.mean.contains(mean) && law.mean.width() < 1e-4);
        assert!(law.variance.contains(variance) && law.variance.width() < 1e-3);
        if spins == 1 {
            let skewness = 3.0 / 2.0_f64.sqrt();
            assert!(nearly_contains(law.skewness, skewness) && law.skewness.width() < 0.01);
            assert!(law.excess_kurtosis.contains(6.5) && law.excess_kurtosis.width() < 0.1);
            // P(M >= 2 + 2k) = 2^-k.
            assert!(law.exceedance(22).contains(0.5_f64.powi(10)));
            assert!(law.one_in(22).contains(1024.0));
            assert_eq!(law.quantile(0.6).lower, 4);
            assert_eq!(law.quantile(0.6).upper, Some(4));
            // E[min(M, 3)] = 2/2 + 3/2.
            let (capped, spread) = law.capped_moments(&RBig::from(3)).expect("consistent");
            assert!(capped.contains(2.5) && spread.contains(0.25) && capped.width() < 1e-10);
        }
    }
}

/// Without a limit on spins the truth is not known, but the figures of a long enumeration must enclose those of a
/// longer one, and all of them the exact moments.
#[test]
fn a_longer_enumeration_lies_within_a_shorter_one() {
    let mut definition = fixture::tiny(2);
    definition.inner_wheel = crate::rules::Wheel::fair(vec![
        crate::rules::InnerSection::Multiplier(1),
        crate::rules::InnerSection::Multiplier(0),
        crate::rules::InnerSection::Multiplier(0),
        crate::rules::InnerSection::Multiplier(0),
        crate::rules::InnerSection::Multiplier(0),
        crate::rules::InnerSection::AdditionalSpin,
    ]);
    definition.outer_wheel =
        fixture::outer("hat hat hat hat no-win no-win no-win no-win eat-me drink-me");
    let paytable = Paytable::new(definition).expect("a legal paytable");
    let exact = solve(&paytable, Trigger::Two).expect("a legal paytable");
    let eighth = eighth_moments(&paytable)[0];
    let laws: Vec<Distribution> = [8, 13, 18]
        .into_iter()
        .map(|spins| {
            let found = enumerate(&paytable, Trigger::Two, spins, 1_000_000).expect("few states");
            let held = Held::from_rationals(&found.pmf, 1 << 20, "test".into()).unwrap();
            Distribution::new(Trigger::Two, held, &exact, eighth).expect("no contradiction")
        })
        .collect();
    for pair in laws.windows(2) {
        let (short, long) = (&pair[0], &pair[1]);
        let encloses = |outer: Enclosure, inner: Enclosure| {
            assert!(
                outer.overlaps(inner) && outer.width() >= inner.width(),
                "{outer} {inner}"
            );
        };
        assert!(long.missing_mass < 0.5 * short.missing_mass);
        encloses(short.mean, exact.mean_meter);
        encloses(short.variance, exact.variance_meter);
        encloses(short.mean, long.mean);
        encloses(short.variance, long.variance);
        encloses(short.skewness, long.skewness);
        encloses(short.excess_kurtosis, long.excess_kurtosis);
        for x in 0..80 {
            encloses(short.exceedance(x), long.exceedance(x));
            encloses(short.cumulative(x), long.cumulative(x));
        }
        for cap in [3, 10, 25] {
            let (a, b) = short.capped_moments(&RBig::from(cap)).unwrap();
            let (c, d) = long.capped_moments(&RBig::from(cap)).unwrap();
            encloses(a, c);
            encloses(b, d);
        }
    }
}

#[test]
fn a_wrong_law_is_a_contradiction() {
    let (_, truth, exact) = game(short());
    let figure = |held: Held| match Distribution::new(Trigger::Two, held, &exact, None) {
        Err(DistributionError::Contradiction { figure, .. }) => figure,
        other => panic!("{other:?}"),
    };
    let whole = part(&truth, |_| 8);
    let mut shifted = whole.clone();
    shifted.pmf.insert(1, 0.0);
    assert_eq!(figure(shifted), "second moment");
    let mut low = whole.clone();
    let (first, second) = (low.pmf[1], low.pmf[2]);
    low.pmf[1] = first + second;
    low.pmf[2] = 0.0;
    assert_eq!(figure(low), "mean");
    let mut heavy = whole.clone();
    heavy.pmf[1] += 1e-9;
    assert_eq!(figure(heavy), "total probability");
    let mut light = whole.clone();
    light.pmf[1] -= 1e-9;
    assert_eq!(figure(light), "total probability");
    let mut zero = whole;
    zero.pmf[0] *= 0.5;
    zero.missing = zero.pmf[0] * 0.9;
    assert_eq!(figure(zero), "total probability");
    // A zero meter of the wrong probability with everything else within its bounds.
    let mut zero = part(&truth, |x| if x > 0 { 4 } else { 8 });
    zero.pmf[0] += 1e-6;
    zero.pmf[1] -= 1e-6;
    assert_eq!(figure(zero), "probability of a zero meter");
}

/// The law of the sum of n rounds, by convolution in rationals.
fn convolved(truth: &Truth, n: u32) -> Truth {
    let mut sum = Truth(BTreeMap::from([(0, RBig::ONE)]));
    for _ in 0..n {
        let mut next = BTreeMap::new();
        for (&x, p) in &sum.0 {
            for (&y, q) in &truth.0 {
                *next.entry(x + y).or_insert(RBig::ZERO) += p * q;
            }
        }
        sum = Truth(next);
    }
    sum
}

#[test]
fn the_band_of_few_rounds_is_the_least() {
    let (_, truth, exact) = game(short());
    let whole = Distribution::new(Trigger::Two, part(&truth, |_| 8), &exact, None).unwrap();
    for n in [1, 2, 3, 7] {
        let sum = convolved(&truth, n);
        for level in [0.5, 0.9, 0.99, 0.9999] {
            let band = whole.acceptance_band(u64::from(n), level).expect("a band");
            assert!(matches!(band.method, BandMethod::Transform { .. }));
            let tail = ratio(1, 2) * (RBig::ONE - RBig::try_from(level).unwrap());
            let (low, high) = (band.lower_sum, band.upper_sum);
            let below = |x: u64| x.checked_sub(1).map_or(RBig::ZERO, |x| sum.below(x));
            assert!(below(low) <= tail && RBig::ONE - sum.below(high) <= tail);
            // One step further in on either side is too much.
            assert!(below(low + 1) > tail, "{n} {level} {band:?}");
            assert!(RBig::ONE - below(high) > tail, "{n} {level} {band:?}");
            assert!(band.error < 1e-11);
        }
    }
    // With a part missing the band is wider, and valid for every law that has the part.
    let held = part(&truth, |x| if x < 12 { 8 } else { 0 });
    let coarse = Distribution::new(Trigger::Two, held, &exact, None).unwrap();
    let sum = convolved(&truth, 3);
    let band = coarse.acceptance_band(3, 0.5).expect("a band");
    assert!(sum.below(band.upper_sum) >= ratio(3, 4));
}

#[test]
fn a_window_gives_the_band_of_the_whole_support() {
    let (_, truth, exact) = game(short());
    let law = Distribution::new(Trigger::Two, part(&truth, |_| 8), &exact, None).unwrap();
    // 20,000 rounds of at most some twenty: the whole support would take 2^19 points.
    let band = law.acceptance_band(20_000, 0.99).expect("a band");
    let BandMethod::Transform { points } = band.method else {
        panic!("{band:?}")
    };
    assert!(points <= 1 << 14, "{points}");
    // The normal curve with a second-order term (Cornish-Fisher) is within a few sums.
    let n = 20_000.0_f64;
    let (mean, sd) = (law.mean.value(), law.variance.value().sqrt());
    let z = 2.575_829_303_548_900_5_f64;
    let shift = law.skewness.value() * (z * z - 1.0) / 6.0 * sd;
    let expected = [
        n * mean - z * sd * n.sqrt() + shift,
        n * mean + z * sd * n.sqrt() + shift,
    ];
    for (sum, expected) in [band.lower_sum, band.upper_sum].into_iter().zip(expected) {
        let sum = f64::from(u32::try_from(sum).unwrap());
        assert!((sum - expected).abs() < 3.0, "{sum} {expected}");
    }
    // Fewer points than the whole support give the same as the whole support.
    let (small, large) = (law.folded_band(300, 1 << 11), law.folded_band(300, 1 << 14));
    assert_eq!(small, large);
}

#[test]
fn many_rounds_take_the_normal_curve_and_unknown_ones_chebyshev() {
    let (paytable, truth, exact) = game(short());
    let eighth = eighth_moments(&paytable)[0];
    let held = part(&truth, |x| if x < 12 { 8 } else { 7 });
    let law = Distribution::new(Trigger::Two, held.clone(), &exact, eighth).unwrap();
    let n = 1_000_000_000_000_u64;
    let band = law.acceptance_band(n, 0.99).expect("a band");
    assert_eq!(band.method, BandMethod::Normal);
    let spread = exact.uncapped_variance_meter.value().sqrt() / 1e6;
    let half = 0.5 * (band.upper_mean - band.lower_mean) / spread;
    assert!((half - 2.5758).abs() < 1e-3, "{half}");
    assert!(band.lower_mean < exact.uncapped_mean_meter.value());
    let coarse = Distribution::new(Trigger::Two, held, &exact, None).unwrap();
    let wide = coarse.acceptance_band(n, 0.99).expect("a band");
    assert_eq!(wide.method, BandMethod::Chebyshev);
    assert!(wide.lower_mean < band.lower_mean && band.upper_mean < wide.upper_mean);
    for (rounds, level) in [(0, 0.9), (5, 0.0), (5, 1.0), (5, f64::NAN), (u64::MAX, 0.9)] {
        assert!(matches!(
            coarse.acceptance_band(rounds, level),
            Err(DistributionError::Band { .. })
        ));
    }
}

/// Two bets by hand: trigger 2 with 3/54 pays 5 in all, always; trigger 5 with 1/54 pays 1 or 9.
#[test]
fn the_bets_of_one_spin_by_hand() {
    let paytable = Paytable::new(fixture::pa()).expect("a legal paytable");
    let returns = |terms, mean: f64, variance: f64| {
        crate::exact::returns(
            paytable.payout,
            terms,
            Enclosure::exact(mean),
            Enclosure::exact(variance),
            Enclosure::ZERO,
        )
    };
    let (two, five) = (&paytable.triggers[0], &paytable.triggers[1]);
    let (first, second) = (returns(two, 4.0, 0.0), returns(five, 4.0, 16.0));
    let joint = Joint::new(&[(two, &first), (five, &second)]).expect("two bets");
    // X is 5, 1, 9 with 6/108, 1/108, 1/108.
    let mean = ratio(40, 108);
    let variance = ratio(6 * 25 + 1 + 81, 108) - &mean * &mean;
    assert!(joint.mean.contains_rational(&mean));
    assert!(joint.variance.contains_rational(&variance));
    assert!(
        joint
            .covariance
            .contains_rational(&(ratio(-30, 108) * ratio(10, 108)))
    );
    assert!(joint.trigger_probability.contains_rational(&ratio(4, 54)));
    assert!(joint.is_complete && joint.variance.width() < 1e-14);
    assert_eq!(Joint::new(&[(two, &first)]), None);
}

#[test]
fn short_games_are_served_and_others_refused() {
    let (paytable, truth, _) = game(short());
    let found = distributions(
        &paytable,
        &solve_all(&paytable).expect("figures"),
        &DistributionOptions::default(),
    )
    .expect("a short game");
    assert_eq!(found.len(), 1);
    check_everything(&truth, &found[0]);
    let mut capped = short();
    capped.rules.max_meter = Some(6);
    let capped = Paytable::new(capped).expect("a legal paytable");
    let found = distributions(
        &capped,
        &solve_all(&capped).expect("figures"),
        &DistributionOptions::default(),
    )
    .expect("a short game");
    assert_eq!(found[0].pmf.len(), 7);
    let exact = solve(&capped, Trigger::Two).expect("a short game");
    assert!(exact.mean_meter.overlaps(found[0].best_mean()));
    for tolerance in [0.0, -1.0, 1.0, f64::NAN, f64::INFINITY] {
        let options = DistributionOptions {
            tolerance: Some(tolerance),
            ..DistributionOptions::default()
        };
        assert!(matches!(
            distributions(&paytable, &solve_all(&paytable).expect("figures"), &options),
            Err(DistributionError::Tolerance { .. })
        ));
    }
    let options = DistributionOptions {
        tolerance: Some(1e-17),
        ..DistributionOptions::default()
    };
    assert!(matches!(
        distributions(&paytable, &solve_all(&paytable).expect("figures"), &options),
        Err(DistributionError::OutOfReach { .. })
    ));
}
