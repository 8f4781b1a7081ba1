use super::super::testing::{pa, paytable};
use super::*;
use crate::paytable::fixture;

/// One thing altered in the parts of a detail.
type Change = fn(&mut DetailParts);

/// Two rounds of the tiny game, by hand: a hat at once (1 + 1 = 2), and an Eat Me before a
/// hat (start 1, two additions of 1, one potion: 4).
fn tiny_parts() -> DetailParts {
    let pairs = PairSums {
        pairs: 1,
        first: 2,
        second: 4,
        first_squared: 4,
        second_squared: 16,
        products: 8,
    };
    let draws = |played: u64, hats: u64| SpinDraws {
        played,
        inner: vec![played],
        selected: vec![played],
        outer: vec![hats, played - hats],
    };
    DetailParts {
        rounds: 2,
        hits: vec![HitSums {
            hits: 2,
            meter: 6,
            start: 2,
            inner_additions: 3,
            eat_me: 1,
            drink_me: 0,
        }],
        spins: vec![draws(2, 1), draws(1, 1)],
        paid: pairs,
        uncapped: pairs,
    }
}

fn tiny() -> Paytable {
    paytable(fixture::tiny(1))
}

fn tiny_detail() -> Detail {
    Detail::from_parts(&tiny(), tiny_parts()).expect("the parts fit")
}

#[test]
fn parts_come_back() {
    let detail = tiny_detail();
    assert_eq!(*detail.parts(), tiny_parts());
    let text = serde_json::to_string(detail.parts()).expect("plain data");
    let parts: DetailParts = serde_json::from_str(&text).expect("what was written");
    assert_eq!(parts, tiny_parts());
    let empty = Detail::new(&pa());
    assert_eq!(
        Detail::from_parts(&pa(), empty.parts().clone()),
        Ok(empty.clone())
    );
    assert_eq!(empty.rounds(), 0);
}

/// The text of the header's form, hashed by coreutils `sha256sum`.
#[test]
fn the_digest_is_that_of_the_written_form() {
    assert_eq!(
        tiny_detail().digest(),
        "bf467fec035006838972a95b7f681c81ab079345c8530a14863517157afa3672"
    );
}

#[test]
fn merging_adds_and_has_no_order() {
    let one = tiny_detail();
    let mut other_parts = tiny_parts();
    other_parts.rounds = 1;
    other_parts.spins.truncate(1);
    other_parts.spins[0] = SpinDraws {
        played: 1,
        inner: vec![1],
        selected: vec![1],
        outer: vec![1, 0],
    };
    other_parts.hits[0] = HitSums {
        hits: 1,
        meter: 2,
        start: 1,
        inner_additions: 1,
        ..HitSums::default()
    };
    other_parts.paid = PairSums::default();
    other_parts.uncapped = PairSums::default();
    let other = Detail::from_parts(&tiny(), other_parts).expect("one round at once");
    let merge = |a: &Detail, b: &Detail| {
        let mut sum = a.clone();
        sum.merge(b).expect("small sums");
        sum
    };
    let both = merge(&one, &other);
    assert_eq!(both, merge(&other, &one));
    assert_eq!(both, merge(&merge(&Detail::new(&tiny()), &one), &other));
    let sums = both.all_hits();
    assert_eq!((both.rounds(), sums.hits, sums.meter), (3, 3, 8));
    assert_eq!((sums.start, sums.inner_additions, sums.eat_me), (3, 4, 1));
    assert_eq!(both.parts().spins[0].outer, [2, 1]);
    assert_eq!(both.parts().spins[1].outer, [1, 0]);
    assert_eq!(both.parts().paid.pairs, 1);
    assert!(Detail::from_parts(&tiny(), both.parts().clone()).is_ok());
}

#[test]
fn details_of_other_wheels_do_not_merge() {
    let mut one = tiny_detail();
    assert!(matches!(
        one.merge(&Detail::new(&pa())),
        Err(EngineError::InconsistentDetail { .. })
    ));
    assert_eq!(one, tiny_detail());
}

/// Each number of the hand-made parts, changed alone, is refused where another one
/// contradicts it.
#[test]
fn contradictions_are_refused() {
    let changes: [(&str, Change); 14] = [
        ("rounds", |parts| parts.rounds = 3),
        ("hits", |parts| parts.hits[0].hits = 3),
        ("no characters", |parts| parts.hits.clear()),
        ("played", |parts| parts.spins[0].played = 3),
        ("inner", |parts| parts.spins[0].inner[0] = 1),
        ("selected", |parts| parts.spins[0].selected[0] = 1),
        ("outer", |parts| parts.spins[1].outer[0] = 0),
        ("outer overflow", |parts| {
            parts.spins[0].outer = vec![u64::MAX, 3];
        }),
        ("sections", |parts| parts.spins[0].outer.push(0)),
        ("more second spins", |parts| {
            parts.spins[1] = SpinDraws {
                played: 4,
                inner: vec![4],
                selected: vec![4],
                outer: vec![1, 3],
            };
        }),
        ("empty spin", |parts| {
            parts.spins.push(SpinDraws {
                played: 0,
                inner: vec![0],
                selected: vec![0],
                outer: vec![0, 0],
            });
        }),
        ("pairs", |parts| {
            parts.paid.pairs = 2;
            parts.uncapped.pairs = 2;
        }),
        ("paid pairs", |parts| parts.paid.pairs = 0),
        ("a floor beyond 128 bits", |parts| {
            parts.hits[0].start = u128::MAX;
        }),
    ];
    for (name, change) in changes {
        let mut parts = tiny_parts();
        change(&mut parts);
        assert!(
            matches!(
                Detail::from_parts(&tiny(), parts),
                Err(EngineError::InconsistentDetail { .. })
            ),
            "{name}"
        );
    }
    let without_rounds = DetailParts {
        hits: vec![HitSums::default()],
        paid: PairSums {
            products: 1,
            ..PairSums::default()
        },
        ..DetailParts::default()
    };
    assert!(Detail::from_parts(&tiny(), without_rounds).is_err());
}

/// Sums near the ends of their types are refused and never wrap.
#[test]
fn sums_that_pass_their_types_are_refused() {
    let changes: [(&str, Change); 6] = [
        ("number of rounds", |parts| {
            parts.rounds = u64::MAX;
            parts.spins[0].played = u64::MAX;
            parts.spins[0].inner[0] = u64::MAX;
            parts.spins[0].selected[0] = u64::MAX;
            parts.spins[0].outer = vec![1, u64::MAX - 1];
        }),
        ("sums by character and source", |parts| {
            parts.hits[0].meter = i128::MAX.cast_unsigned();
        }),
        ("sums by character and source", |parts| {
            parts.hits[0].eat_me = i128::MAX;
        }),
        ("sums over pairs of rounds", |parts| {
            parts.paid.products = u128::MAX;
        }),
        ("sums over pairs of rounds", |parts| {
            parts.uncapped.second_squared = u128::MAX;
        }),
        ("sums over pairs of rounds", |parts| {
            parts.uncapped.first = u128::MAX - 1;
        }),
    ];
    for (quantity, change) in changes {
        let mut parts = tiny_parts();
        change(&mut parts);
        let mut full = Detail::from_parts(&tiny(), parts).expect("within its types");
        assert_eq!(
            full.merge(&tiny_detail()),
            Err(EngineError::TallyOverflow { quantity })
        );
    }
}

/// Short and wide sums of pairs, by hand and against one another at their border.
#[test]
fn pairs_of_rounds_by_hand() {
    assert_eq!(PairSums::of(&[], 9), Ok(PairSums::default()));
    assert_eq!(PairSums::of(&[7], 9), Ok(PairSums::default()));
    // Pairs (3, 0), (0, 9), (9, 2) under a cap of 9.
    assert_eq!(
        PairSums::of(&[3, 0, 11, 2], 9),
        Ok(PairSums {
            pairs: 3,
            first: 12,
            second: 11,
            first_squared: 90,
            second_squared: 85,
            products: 18,
        })
    );
    let largest = vec![SHORT_METER - 1; 1 << 14];
    let (sum, squared, products) = short_sums(&largest, u64::MAX);
    assert_eq!(
        Some((sum, squared, products)),
        wide_sums(&largest, u64::MAX)
    );
    assert_eq!(
        products,
        ((1 << 14) - 1) * u128::from(SHORT_METER - 1).pow(2)
    );
    let beyond = PairSums::of(&[u64::MAX; 3], u64::MAX);
    assert!(matches!(beyond, Err(EngineError::TallyOverflow { .. })));
}
