use std::collections::BTreeSet;

use super::super::detail::Detail;
use super::super::generator::Generator;
use super::super::leaf::leaf_batches;
use super::super::plan::EngineKind;
use super::super::run::{continue_batches, leaves_in, simulate};
use super::super::testing::{pa, zoo};
use super::*;

const ROUNDS: u64 = 7 * BATCH_ROUNDS as u64 + 5;

fn plan(trigger: Trigger, engine: EngineKind) -> RunPlan {
    RunPlan {
        generator: Generator::default(),
        trigger,
        seed: 7,
        rounds: ROUNDS,
        engine,
        detail_rounds: 0,
    }
}

fn identity() -> RunIdentity {
    let plan = plan(Trigger::Two, EngineKind::Auto);
    RunIdentity::new(&pa(), &Trigger::ALL, &plan, 0..8)
}

/// A run in the middle of its second trigger.
fn checkpoint() -> Checkpoint {
    let paytable = pa();
    let mut checkpoint = Checkpoint::new(identity());
    for (trigger, end) in [(Trigger::Two, 8), (Trigger::Five, 4)] {
        let plan = plan(trigger, EngineKind::Auto);
        let played = continue_batches(&paytable, &plan, 0..end, RunState::start(&(0..end)), &())
            .expect("a plan");
        checkpoint.set_state(
            trigger,
            &RunState {
                next_batch: end,
                tally: played.tally,
                detail: DetailParts::default(),
                leaves: played.leaves,
            },
        );
    }
    checkpoint
}

fn fault(bytes: &[u8]) -> CheckpointFault {
    Checkpoint::from_bytes(bytes).expect_err("a refusal")
}

/// The frame and the fields by hand, after the description of the encoding: unsigned
/// numbers in groups of seven bits, least significant first, texts and lists with their
/// length before them.
#[test]
fn the_bytes_are_those_of_the_written_format() {
    let plan = RunPlan {
        seed: 300,
        rounds: 100,
        detail_rounds: 70,
        ..plan(Trigger::Five, EngineKind::Auto)
    };
    let checkpoint = Checkpoint::new(RunIdentity {
        paytable_sha256: "ab".to_owned(),
        ..RunIdentity::new(&pa(), &[Trigger::Five], &plan, 0..1)
    });
    let mut expected = b"\x89WONDERSPINS\r\n\x1a\n".to_vec();
    expected.extend([2, 0, 0, 0]);
    expected.extend([30, 0, 0, 0, 0, 0, 0, 0]);
    expected.push(2); // engine specification
    expected.extend(b"\x0cxoshiro256++");
    expected.extend([0x80, 0x80, 0x01]); // 16,384 = 2^14
    expected.extend(b"\x02ab");
    expected.extend([0xac, 0x02]); // 300 = 2 * 128 + 44
    expected.push(100);
    expected.push(70); // watched
    expected.extend([0, 1]); // batches
    expected.extend([1, 5]); // one trigger
    expected.push(0); // none has begun
    expected[20] = u8::try_from(expected.len() - 28).expect("a short body");
    let hash = blake3::hash(&expected);
    expected.extend(hash.as_bytes());
    assert_eq!(checkpoint.to_bytes(), expected);
    assert_eq!(Checkpoint::from_bytes(&expected), Ok(checkpoint));
}

/// BLAKE3 of the empty input, from its authors' test vectors: the hash is the published
/// one and not some other of the same length.
#[test]
fn the_hash_is_blake3() {
    assert_eq!(
        blake3::hash(b"").to_hex().as_str(),
        "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    );
}

#[test]
fn what_is_written_is_read() {
    let checkpoint = checkpoint();
    let read = Checkpoint::from_bytes(&checkpoint.to_bytes()).expect("its own bytes");
    assert_eq!(read, checkpoint);
    assert_eq!(read.identity(), &identity());
    let done = read.state(Trigger::Two).expect("a state");
    let straight = simulate(&pa(), &plan(Trigger::Two, EngineKind::Reference), &());
    assert_eq!(done.next_batch, 8);
    assert_eq!(done.tally, straight.expect("a plan").tally);
}

#[test]
fn an_empty_file_is_refused() {
    assert_eq!(fault(b""), CheckpointFault::Empty);
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    for bytes in [
        &b"schema = 1\n"[..],
        b"\x89PNG\r\n\x1a\n and so on, long enough to be a whole checkpoint with its hash",
        &[0; 4096],
    ] {
        assert_eq!(fault(bytes), CheckpointFault::NoCheckpoint);
    }
    // The signature after a transfer as text.
    let mut bytes = checkpoint().to_bytes();
    bytes.remove(12);
    assert_eq!(fault(&bytes), CheckpointFault::NoCheckpoint);
}

#[test]
fn a_file_cut_anywhere_is_refused_as_truncated() {
    let bytes = checkpoint().to_bytes();
    for length in 1..bytes.len() {
        let CheckpointFault::Truncated { found, expected } = fault(&bytes[..length]) else {
            panic!("{length} bytes: {}", fault(&bytes[..length]));
        };
        assert_eq!(found, length as u64);
        let known = if length < 28 { 60 } else { bytes.len() as u64 };
        assert_eq!(expected, known);
    }
}

#[test]
fn a_file_that_goes_on_is_refused() {
    let mut bytes = checkpoint().to_bytes();
    let expected = bytes.len() as u64;
    bytes.push(0);
    let found = expected + 1;
    assert_eq!(fault(&bytes), CheckpointFault::TooLong { found, expected });
}

/// Every bit of the file matters.
#[test]
fn a_file_with_any_bit_flipped_is_refused() {
    let bytes = checkpoint().to_bytes();
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut altered = bytes.clone();
            altered[place] ^= 1 << bit;
            let found = fault(&altered);
            let is_right = match place {
                0..16 => found == CheckpointFault::NoCheckpoint,
                // A length is either too long or too short for the file.
                20..28 => matches!(
                    found,
                    CheckpointFault::Truncated { .. } | CheckpointFault::TooLong { .. }
                ),
                _ => found == CheckpointFault::Altered,
            };
            assert!(is_right, "byte {place}, bit {bit}: {found}");
        }
    }
}

#[test]
fn another_version_of_the_format_is_refused() {
    for found in [0, 1, u32::MAX] {
        let bytes = framed(found, b"whatever that version holds");
        assert_eq!(fault(&bytes), CheckpointFault::FormatVersion { found });
    }
}

/// Bodies that carry a right hash and yet no state of a run.
#[test]
fn impossible_bodies_are_refused() {
    for body in [&b""[..], &[0xff; 40], b"some text of no meaning at all"] {
        let fault = fault(&framed(FORMAT_VERSION, body));
        assert!(matches!(fault, CheckpointFault::Body(_)), "{fault}");
    }
    let good = checkpoint();
    let mut body = postcard::to_stdvec(&good).expect("plain data");
    body.push(0);
    assert_eq!(
        fault(&framed(FORMAT_VERSION, &body)),
        CheckpointFault::Surplus { bytes: 1 }
    );

    let changed = |change: &dyn Fn(&mut Checkpoint)| {
        let mut checkpoint = good.clone();
        change(&mut checkpoint);
        fault(&checkpoint.to_bytes())
    };
    for change in [
        (|checkpoint| checkpoint.states[1].trigger = 2) as fn(&mut Checkpoint),
        |checkpoint| checkpoint.states[1].trigger = 3,
        |checkpoint| checkpoint.identity.triggers = vec![2],
    ] {
        let fault = changed(&change);
        assert!(matches!(fault, CheckpointFault::Trigger { .. }), "{fault}");
    }
    for change in [
        (|checkpoint| checkpoint.states[0].next_batch = 7) as fn(&mut Checkpoint),
        |checkpoint| checkpoint.states[0].next_batch = 9,
        |checkpoint| checkpoint.states[0].next_batch = u64::MAX,
        |checkpoint| checkpoint.states[1].tally.histogram[0].1 += 1,
        |checkpoint| checkpoint.states[1].tally.uncapped_sum_meter += 1,
        |checkpoint| checkpoint.states[0].detail.rounds = 1,
        |checkpoint| checkpoint.identity.detail_rounds = 1,
        |checkpoint| checkpoint.identity.rounds -= 1,
        |checkpoint| checkpoint.identity.batches = 1..8,
        |checkpoint| checkpoint.identity.batches = 0..2,
    ] {
        let fault = changed(&change);
        assert!(matches!(fault, CheckpointFault::State { .. }), "{fault}");
    }
}

type Change = fn(&mut RunIdentity);

/// Every difference has its own message, which says what was found and what expected.
#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let own = checkpoint();
    assert_eq!(own.check(&identity()), Ok(()));
    let sha256 = pa().sha256();
    let changes: [(Change, &str, String, &str); 10] = [
        (
            |run| run.specification_version = 1,
            "engine specification",
            SPECIFICATION_VERSION.to_string(),
            "1",
        ),
        (
            |run| run.paytable_sha256 = "another".to_owned(),
            "paytable",
            sha256,
            "another",
        ),
        (
            |run| run.generator = "another".to_owned(),
            "generator",
            "xoshiro256++".to_owned(),
            "another",
        ),
        (
            |run| run.batch_rounds = 4096,
            "batch size",
            "16384".to_owned(),
            "4096",
        ),
        (|run| run.seed = 8, "seed", "7".to_owned(), "8"),
        (
            |run| run.rounds = 100,
            "number of rounds",
            ROUNDS.to_string(),
            "100",
        ),
        (
            |run| run.detail_rounds = 100,
            "number of watched rounds",
            "0".to_owned(),
            "100",
        ),
        (
            |run| run.triggers = vec![2],
            "choice of triggers",
            "2 and 5".to_owned(),
            "2",
        ),
        (
            |run| run.triggers = vec![5, 2],
            "choice of triggers",
            "2 and 5".to_owned(),
            "5 and 2",
        ),
        (
            |run| run.batches = 0..4,
            "range of batches",
            "0 to 8".to_owned(),
            "0 to 4",
        ),
    ];
    let mut messages = BTreeSet::new();
    for (change, what, found, expected) in changes {
        let mut wanted = identity();
        change(&mut wanted);
        let fault = own.check(&wanted).expect_err("a refusal");
        assert_eq!(
            fault.to_string(),
            format!("it belongs to another {what}: found {found}, expected {expected}")
        );
        messages.insert(fault.to_string());
    }
    assert_eq!(messages.len(), 10);
}

/// A run that stops after every batch, passes through bytes, and goes on with other
/// threads and another engine each time, is the straight run; for every law. The watched
/// rounds end in the second batch.
#[test]
fn a_resumed_run_is_the_straight_run() {
    let pools = [1, 2, 7].map(|threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool")
    });
    for (name, paytable) in zoo() {
        let rounds = 2 * u64::from(BATCH_ROUNDS) + 5;
        let whole = 0..3;
        let with = |engine| RunPlan {
            rounds,
            detail_rounds: u64::from(BATCH_ROUNDS) + 9,
            ..plan(Trigger::Two, engine)
        };
        let straight = simulate(&paytable, &with(EngineKind::Auto), &()).expect("a plan");
        let plan = with(EngineKind::Auto);
        let run = RunIdentity::new(&paytable, &[Trigger::Two], &plan, whole.clone());
        let mut bytes = Checkpoint::new(run.clone()).to_bytes();
        let engines = [EngineKind::Scalar, EngineKind::Reference, EngineKind::Auto];
        for (end, (pool, engine)) in (1..).zip(pools.iter().zip(engines)) {
            let mut checkpoint = Checkpoint::from_bytes(&bytes).expect("its own bytes");
            checkpoint.check(&run).expect("the same run");
            let state = checkpoint.state(Trigger::Two).expect("a state");
            assert_eq!(state.next_batch, end - 1);
            let played = pool
                .install(|| continue_batches(&paytable, &with(engine), 0..end, state, &()))
                .expect("a plan");
            let state = RunState {
                next_batch: end,
                tally: played.tally,
                detail: played.detail.parts().clone(),
                leaves: played.leaves,
            };
            checkpoint.set_state(Trigger::Two, &state);
            bytes = checkpoint.to_bytes();
        }
        let state = Checkpoint::from_bytes(&bytes)
            .expect("its own bytes")
            .state(Trigger::Two)
            .expect("a state");
        // A finished run goes on to itself.
        let done = continue_batches(&paytable, &with(EngineKind::Auto), whole, state, &())
            .expect("a plan");
        assert!(!done.is_partial);
        assert_eq!(done.tally, straight.tally, "{name}");
        assert_eq!(done.detail, straight.detail, "{name}");
        assert_eq!(done.tally.digest(), straight.tally.digest(), "{name}");
    }
}

/// Preset near 10^13 rounds and at the most that a run may have, with sums to match, two
/// more batches give what integer arithmetic on the parts gives.
#[test]
fn accumulators_of_long_runs_do_not_drift() {
    let paytable = pa();
    let batch = u64::from(BATCH_ROUNDS);
    for about in [10_000_000_000_000, super::super::plan::MAX_ROUNDS] {
        // A last leaf of two batches, the second of them partial.
        let leaf = leaf_batches(about) * batch;
        let rounds = (about / leaf - 1) * leaf + 2 * batch - 384;
        let plan = RunPlan {
            rounds,
            ..plan(Trigger::Five, EngineKind::Auto)
        };
        let end = plan.batches();
        let before = end - 2;
        assert!(before.is_multiple_of(plan.leaf_batches()));
        // As many times the first batch as there are batches before the last two.
        let first = simulate(
            &paytable,
            &RunPlan {
                rounds: batch,
                ..plan
            },
            &(),
        )
        .expect("a plan")
        .tally;
        let mut parts = first.to_parts();
        for list in [&mut parts.histogram, &mut parts.spins_histogram] {
            for pair in list {
                pair.1 *= before;
            }
        }
        parts.uncapped_sum_meter *= u128::from(before);
        parts.uncapped_sum_meter_squared *= u128::from(before);
        let state = RunState {
            next_batch: before,
            tally: Tally::from_parts(&parts).expect("consistent parts"),
            detail: DetailParts::default(),
            leaves: leaves_in(plan.leaf_batches(), &(0..before))
                .map(|_| Leaf::from_bytes(Vec::new()))
                .collect(),
        };
        let last = super::super::run::simulate_batches(&paytable, &plan, before..end, &())
            .expect("a plan")
            .tally;
        let whole = continue_batches(&paytable, &plan, 0..end, state, &()).expect("a plan");
        assert_eq!(whole.tally.rounds(), rounds);
        let scaled = |of: u128| of * u128::from(before);
        assert_eq!(
            whole.tally.sum_meter(),
            scaled(first.sum_meter()) + last.sum_meter()
        );
        assert_eq!(
            whole.tally.sum_meter_squared(),
            scaled(first.sum_meter_squared()) + last.sum_meter_squared()
        );
        assert_eq!(whole.tally.spins(), scaled(first.spins()) + last.spins());
        assert_eq!(
            whole.tally.zero_rounds(),
            first.zero_rounds() * before + last.zero_rounds()
        );
        let counted: u64 = whole.tally.histogram().map(|pair| pair.1).sum();
        assert_eq!(counted, rounds);
    }
}

#[test]
fn states_of_other_ranges_are_refused() {
    let paytable = pa();
    let plan = plan(Trigger::Two, EngineKind::Auto);
    let whole = simulate(&paytable, &plan, &()).expect("a plan");
    let played = &whole.tally;
    for (next_batch, tally) in [
        (0, played.clone()),
        (7, played.clone()),
        (9, played.clone()),
        (8, Tally::new()),
    ] {
        let state = RunState {
            next_batch,
            tally,
            detail: DetailParts::default(),
            leaves: whole.leaves.clone(),
        };
        let rounds = state.tally.rounds();
        assert_eq!(
            continue_batches(&paytable, &plan, 0..8, state, &()).expect_err("a refusal"),
            EngineError::State {
                next_batch,
                rounds,
                start: 0,
                end: 8
            }
        );
    }
}

/// A detail that is not of the batches before the next one, or not of the paytable's
/// wheels, is no state of the run.
#[test]
fn states_with_other_details_are_refused() {
    let paytable = pa();
    let plan = RunPlan {
        detail_rounds: 100,
        ..plan(Trigger::Two, EngineKind::Auto)
    };
    let played = super::super::run::simulate_batches(&paytable, &plan, 0..2, &()).expect("a plan");
    let own = played.detail.parts().clone();
    assert_eq!(own.rounds, 100);
    let go_on = |detail| {
        let state = RunState {
            next_batch: 2,
            tally: played.tally.clone(),
            detail,
            leaves: played.leaves.clone(),
        };
        continue_batches(&paytable, &plan, 0..8, state, &()).map(|run| run.detail)
    };
    assert_eq!(
        go_on(own.clone()),
        Detail::from_parts(&paytable, own.clone())
    );
    let mut of_other_wheels = own.clone();
    of_other_wheels.spins[0].inner.push(0);
    for detail in [DetailParts::default(), of_other_wheels] {
        assert!(matches!(
            go_on(detail),
            Err(EngineError::InconsistentDetail { .. })
        ));
    }
}
