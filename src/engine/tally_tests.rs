use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn tally(rounds: &[(u32, u64, u64)], cap: u64) -> Tally {
    let mut tally = Tally::new();
    for &(spins, round, meter) in rounds {
        tally
            .record(spins, std::iter::once((round, meter)), cap)
            .expect("small sums");
    }
    tally
}

fn merged<'a>(parts: impl IntoIterator<Item = &'a Tally>) -> Tally {
    let mut whole = Tally::new();
    for part in parts {
        whole.merge(part).expect("small sums");
    }
    whole
}

/// By hand: meters 3, 0, 70,000, 3 capped at nothing.
#[test]
fn counts_and_sums() {
    let tally = tally(&[(2, 0, 3), (2, 1, 0), (9, 2, 70_000), (4, 3, 3)], u64::MAX);
    assert_eq!(tally.rounds(), 4);
    assert_eq!(tally.sum_meter(), 70_006);
    // 9 + 4,900,000,000 + 9.
    assert_eq!(tally.sum_meter_squared(), 4_900_000_018);
    assert_eq!(tally.zero_rounds(), 1);
    assert_eq!(tally.spins(), 17);
    assert_eq!((tally.max_meter(), tally.max_round()), (70_000, Some(2)));
    let histogram: Vec<_> = tally.histogram().collect();
    assert_eq!(histogram, [(0, 1), (3, 2), (70_000, 1)]);
    let lengths: Vec<_> = tally.spins_histogram().collect();
    assert_eq!(lengths, [(2, 2), (4, 1), (9, 1)]);
}

#[test]
fn a_cap_leaves_the_uncapped_sums() {
    let tally = tally(&[(2, 0, 3), (2, 1, 12), (2, 2, 10)], 10);
    assert_eq!((tally.sum_meter(), tally.uncapped_sum_meter()), (23, 25));
    // 9 + 100 + 100, and 9 + 144 + 100.
    assert_eq!(
        (
            tally.sum_meter_squared(),
            tally.uncapped_sum_meter_squared()
        ),
        (209, 253)
    );
    assert_eq!((tally.max_meter(), tally.max_round()), (10, Some(1)));
}

#[test]
fn the_first_of_equal_maxima_is_kept_whatever_the_order() {
    // Round 7 is longer than round 5 and round 6, so it is recorded last, or first.
    let rounds = [(2, 6, 40), (3, 5, 40), (9, 7, 40), (9, 1, 39)];
    let mut reversed = rounds;
    reversed.reverse();
    for rounds in [rounds, reversed] {
        assert_eq!(tally(&rounds, u64::MAX).max_round(), Some(5));
    }
    // A round that pays nothing is the first maximum where all pay nothing.
    assert_eq!(
        tally(&[(2, 9, 0), (2, 4, 0)], u64::MAX).max_round(),
        Some(4)
    );
    assert_eq!(Tally::new().max_round(), None);
}

#[test]
fn overflow_is_refused() {
    let top = (u64::MAX, u64::MAX);
    let mut tally = Tally::new();
    tally
        .record(1, std::iter::once(top), u64::MAX)
        .expect("one square of a u64 fits u128");
    let error = tally.record(1, std::iter::once(top), u64::MAX);
    assert_eq!(
        error,
        Err(EngineError::TallyOverflow {
            quantity: "sum of squared meters"
        })
    );
}

/// The header's text for one round, hashed with an independent tool:
/// `printf '...' | sha256sum`.
#[test]
fn digest_is_the_hash_of_the_written_form() {
    let tally = tally(&[(2, 5, 3)], u64::MAX);
    let text = "wonderspins tally 1\nrounds 1\nsum_meter 3\nsum_meter_squared 9\n\
        uncapped_sum_meter 3\nuncapped_sum_meter_squared 9\nzero_rounds 0\nspins 2\n\
        max_meter 3\nmax_round 5\nmeter 3 1\nlength 2 1\n";
    assert_eq!(tally.digest(), format!("{:x}", HexOf(text)));
    assert_eq!(
        tally.digest(),
        "4df32e13f8de8c5acde5d7dc503431ca2fd9c68e810c1c7b1d5ac911231757a9"
    );
}

struct HexOf(&'static str);

impl std::fmt::LowerHex for HexOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Sha256::digest(self.0)
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[test]
fn contradictory_parts_are_refused() {
    let good = tally(&[(2, 0, 3), (3, 1, 8)], u64::MAX).to_parts();
    assert!(Tally::from_parts(&good).is_ok());
    let broken: [fn(&mut TallyParts); 6] = [
        |parts| parts.histogram.reverse(),
        |parts| parts.histogram[0].1 = 0,
        |parts| parts.histogram[0].1 = 2,
        |parts| parts.spins_histogram[0].0 = 1 << 40,
        |parts| parts.uncapped_sum_meter = 10,
        |parts| parts.uncapped_sum_meter_squared = 72,
    ];
    for change in broken {
        let mut parts = good.clone();
        change(&mut parts);
        let result = Tally::from_parts(&parts);
        assert!(
            matches!(result, Err(EngineError::InconsistentTally { .. })),
            "{parts:?}"
        );
    }
}

proptest! {
    #![proptest_config(crate::testing::property(40))]

    #[test]
    fn merged_parts_are_the_whole_for_any_split_and_order(
        mut rounds in vec((1_u32..40, 0_u64..70_000), 0..60),
        split in 0_usize..60,
        second in 0_usize..60,
        capped in any::<bool>(),
    ) {
        // A few meters beyond the dense histogram, with ties.
        for (_, meter) in rounds.iter_mut().step_by(7) {
            *meter = (*meter % 3) << 40;
        }
        let rounds: Vec<_> = rounds
            .into_iter()
            .zip(0_u64..)
            .map(|((spins, meter), round)| (spins, round, meter))
            .collect();
        let cap = if capped { 50_000 } else { u64::MAX };
        let whole = tally(&rounds, cap);
        let split = split.min(rounds.len());
        let second = second.clamp(split, rounds.len().max(split));
        let parts = [&rounds[..split], &rounds[split..second], &rounds[second..]]
            .map(|part| tally(part, cap));
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let all = merged(order.map(|place| &parts[place]));
            prop_assert_eq!(&all, &whole);
            prop_assert_eq!(all.digest(), whole.digest());
        }
        // And for the other grouping.
        let tail = merged(&parts[1..]);
        prop_assert_eq!(&merged([&parts[0], &tail]), &whole);
        let rebuilt = Tally::from_parts(&whole.to_parts());
        prop_assert_eq!(rebuilt.as_ref(), Ok(&whole));
    }
}

/// Meters 3, 8, 12 under a cap of 8: paid 3, 8, 8, and beyond the cap stands 12 alone.
#[test]
fn what_a_cap_hides_is_kept_beside() {
    let tally = tally(&[(1, 0, 3), (2, 1, 8), (2, 2, 12)], 8);
    assert!(tally.histogram().eq([(3, 1), (8, 2)]));
    assert!(tally.beyond_cap().eq([(12, 1)]));
    assert!(tally.uncapped_histogram().eq([(3, 1), (8, 1), (12, 1)]));
    assert_eq!((tally.sum_meter(), tally.uncapped_sum_meter()), (19, 23));
    let parts = tally.to_parts();
    assert_eq!(Tally::from_parts(&parts).expect("its own parts"), tally);
    let mut other = parts;
    other.beyond_cap = vec![(13, 1)];
    assert!(Tally::from_parts(&other).is_err());
}

/// Meters 1, 3, 3 and 12 by count and one by one, uncapped and under caps at, below and
/// between them: the same but for the largest meter, which is offered apart.
#[test]
fn counts_by_meter_are_rounds_one_by_one() {
    let mut counts = [0; 13];
    counts[1] = 1;
    counts[3] = 2;
    counts[12] = 1;
    for cap in [u64::MAX, 65_536, 12, 11, 3, 2, 1] {
        let mut counted = Tally::new();
        counted.record_counts(&counts, cap).expect("small sums");
        counted.add_length(2, 4);
        assert!(counted.may_be_largest(cap.min(12), 3));
        counted.offer_max(cap.min(12), 3);
        let single = tally(&[(2, 3, 12), (2, 4, 1), (2, 5, 3), (2, 6, 3)], cap);
        assert_eq!(counted, single, "{cap}");
        assert!(!counted.may_be_largest(cap.min(12), 3), "{cap}");
    }
    let mut none = Tally::new();
    none.record_counts(&[], 5).expect("no sums");
    assert_eq!(none, Tally::new());
}

#[test]
fn counts_that_overflow_are_refused() {
    let mut tally = Tally::new();
    let meter = u64::MAX;
    tally.add_counts(meter, 1, meter).expect("one square fits");
    assert_eq!(
        tally.clone().add_counts(meter, 1, meter),
        Err(EngineError::TallyOverflow {
            quantity: "sum of squared meters"
        })
    );
    assert_eq!(
        tally.add_counts(0, u64::MAX, meter),
        Err(EngineError::TallyOverflow {
            quantity: "number of rounds"
        })
    );
}

/// A tally of `rounds` rounds of two spins that all paid `meter`.
fn uniform(meter: u64, rounds: u64) -> Tally {
    let meter_wide = u128::from(meter);
    Tally::from_parts(&TallyParts {
        histogram: vec![(meter, rounds)],
        spins_histogram: vec![(2, rounds)],
        beyond_cap: Vec::new(),
        max_round: 0,
        uncapped_sum_meter: meter_wide * u128::from(rounds),
        uncapped_sum_meter_squared: meter_wide * meter_wide * u128::from(rounds),
    })
    .expect("consistent parts")
}

fn overflow<T>(quantity: &'static str) -> Result<T, EngineError> {
    Err(EngineError::TallyOverflow { quantity })
}

/// Near 2^64 rounds: right to the last unit, then refused, never wrapped. One path
/// counts short meters, one all others; both are filled to the brim.
#[test]
fn the_number_of_rounds_ends_in_an_error() {
    let brim = u64::MAX - (1 << 16);
    for meter in [3, 70_000] {
        let mut tally = uniform(meter, brim);
        let more = std::iter::once((9, meter));
        tally
            .record(2, more.clone(), u64::MAX)
            .expect("there is room");
        assert_eq!(tally.rounds(), brim + 1);
        assert!(tally.histogram().eq([(meter, brim + 1)]));
        assert_eq!(
            tally.sum_meter(),
            u128::from(meter) * (u128::from(brim) + 1)
        );
        assert_eq!(tally.spins(), 2 * (u128::from(brim) + 1));
        let full = tally.clone();
        assert_eq!(
            tally.record(2, more, u64::MAX),
            overflow("number of rounds")
        );
        assert_eq!(tally, full, "a refusal before anything was counted");
    }
    let mut tally = uniform(3, brim);
    let more = [0, 0, 0, 1];
    assert_eq!(tally.record_counts(&more, u64::MAX), Ok(()));
    tally.add_length(2, 1);
    assert_eq!(tally, {
        let mut other = uniform(3, brim);
        other.merge(&uniform(3, 1)).expect("there is room");
        other
    });
    assert_eq!(
        tally.record_counts(&more, u64::MAX),
        overflow("number of rounds")
    );

    let mut half = uniform(3, 1 << 63);
    half.merge(&uniform(3, (1 << 63) - 1))
        .expect("2^64 - 1 rounds");
    assert_eq!(half.rounds(), u64::MAX);
    assert!(half.histogram().eq([(3, u64::MAX)]));
    assert_eq!(half.merge(&uniform(3, 1)), overflow("number of rounds"));
    // Another meter overflows no count, only the number of rounds.
    let mut half = uniform(3, u64::MAX);
    assert_eq!(half.merge(&uniform(4, 1)), overflow("number of rounds"));
}

/// By hand: (2^64 - 1)^2 = 2^128 - 2^65 + 1, so 2^65 - 2 more is the most that u128
/// takes. 2^32 squared fits, twice too short of a whole; 2^33 squared = 2^66 does not.
#[test]
fn the_sum_of_squares_ends_in_an_error() {
    let top = uniform(u64::MAX, 1);
    let brim = (1_u128 << 65) - 1;
    assert_eq!(top.sum_meter_squared(), u128::MAX - brim + 1);
    let mut tally = top.clone();
    tally
        .record(2, std::iter::once((1, 1 << 32)), u64::MAX)
        .expect("2^64 fits");
    assert_eq!(
        tally.sum_meter_squared(),
        u128::MAX - brim + 1 + (1_u128 << 64)
    );
    let mut merged = top.clone();
    merged.merge(&uniform(1 << 32, 1)).expect("2^64 fits");
    assert_eq!(merged.sum_meter_squared(), tally.sum_meter_squared());

    let quantity = "sum of squared meters";
    let mut tally = top.clone();
    assert_eq!(
        tally.record(2, std::iter::once((1, 1 << 33)), u64::MAX),
        overflow(quantity)
    );
    let mut tally = top.clone();
    assert_eq!(tally.merge(&uniform(1 << 33, 1)), overflow(quantity));
    let mut parts = top.to_parts();
    parts.histogram = vec![(u64::MAX, 2)];
    assert_eq!(Tally::from_parts(&parts), overflow(quantity));

    // Under a cap the paid sum is small and the uncapped one still guarded.
    let mut tally = Tally::new();
    let two = [(0, u64::MAX), (1, u64::MAX)];
    assert_eq!(tally.record(2, two.into_iter(), 8), overflow(quantity));
}
