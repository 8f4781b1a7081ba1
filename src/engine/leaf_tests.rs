use super::super::generator::Generator;
use super::super::plan::EngineKind;
use super::super::plan::looks;
use super::super::run::{RunState, continue_batches, leaves_in, simulate, simulate_batches};
use super::super::testing::zoo;
use super::*;
use crate::rules::Trigger;

fn plan(rounds: u64) -> RunPlan {
    RunPlan {
        trigger: Trigger::Two,
        seed: 9,
        rounds,
        generator: Generator::default(),
        engine: EngineKind::Auto,
        detail_rounds: 70_000,
    }
}

/// The numbers of the header, each by hand: the least power of two L of rounds with
/// L^2 >= 4096 N and N / L <= 16384.
#[test]
fn sizes_grow_with_the_root_of_the_rounds() {
    for (rounds, leaf, leaves) in [
        (1, 1 << 14, 1),
        (1_000_000, 1 << 16, 16),
        (100_000_000, 1 << 20, 96),
        (10_000_000_000, 1 << 23, 1_193),
        (1_000_000_000_000, 1 << 26, 14_902),
        // From here on the number of leaves decides.
        (100_000_000_000_000, 1 << 33, 11_642),
        (1_000_000_000_000_000, 1 << 36, 14_552),
    ] {
        let found = leaf_batches(rounds) * u64::from(BATCH_ROUNDS);
        assert_eq!(found, leaf, "{rounds}");
        assert_eq!(rounds.div_ceil(found), leaves, "{rounds}");
    }
}

#[test]
fn leaves_add_up_to_their_run_and_are_played_again_alone() {
    for (name, paytable) in zoo() {
        let plan = plan(200_000);
        let whole = simulate(&paytable, &plan, &()).expect("a plan");
        let ranges: Vec<_> = leaves_in(plan.leaf_batches(), &(0..plan.batches())).collect();
        assert_eq!(ranges.len(), whole.leaves.len());
        assert!(ranges.len() > 3);
        let (mut tally, mut detail) = (Tally::new(), Detail::new(&paytable));
        for (range, leaf) in ranges.iter().zip(&whole.leaves) {
            let results = leaf
                .results(&paytable, &plan, range)
                .expect("its own bytes");
            tally.merge(&results.tally).expect("small sums");
            detail.merge(&results.detail).expect("small sums");
        }
        assert_eq!((&tally, &detail), (&whole.tally, &whole.detail), "{name}");
        for index in [0, ranges.len() - 1] {
            let again = simulate_batches(&paytable, &plan, ranges[index].clone(), &())
                .expect("batches of the run");
            assert_eq!(again.leaves, whole.leaves[index..=index], "{name}");
        }
    }
}

/// Every byte counts: with any one of them changed a leaf is refused or says something else.
#[test]
fn a_changed_byte_is_refused_or_another_result() {
    let (_, paytable) = zoo().swap_remove(0);
    let plan = plan(50_000);
    let whole = simulate(&paytable, &plan, &()).expect("a plan");
    let range = 0..plan.leaf_batches();
    let leaf = &whole.leaves[0];
    let own = leaf
        .results(&paytable, &plan, &range)
        .expect("its own bytes");
    let mut refused = 0;
    for place in 0..leaf.bytes().len() {
        let mut bytes = leaf.bytes().to_vec();
        bytes[place] ^= 1;
        match Leaf::from_bytes(bytes).results(&paytable, &plan, &range) {
            Ok(results) => assert_ne!(results, own, "byte {place}"),
            Err(_) => refused += 1,
        }
    }
    // Counts are tied to the number of rounds, so nearly every change contradicts itself.
    assert!(refused > leaf.bytes().len() / 2);
    let short = Leaf::from_bytes(leaf.bytes()[..leaf.bytes().len() - 1].to_vec());
    let mut long = leaf.bytes().to_vec();
    long.push(0);
    for leaf in [short, Leaf::from_bytes(long), Leaf::from_bytes(Vec::new())] {
        let result = leaf.results(&paytable, &plan, &range);
        assert!(matches!(result, Err(EngineError::InconsistentLeaf { .. })));
    }
}

#[test]
fn leaves_of_a_range_are_cut_at_its_ends() {
    let ranges = |batches| leaves_in(4, &batches).collect::<Vec<_>>();
    assert_eq!(ranges(3..9), [3..4, 4..8, 8..9]);
    for whole in [4..8, 5..7] {
        assert_eq!(
            ranges(whole.clone()).as_slice(),
            std::slice::from_ref(&whole)
        );
    }
    assert_eq!(ranges(5..5), []);
}

/// A run that is lengthened from look to look is the straight run of its rounds, leaves
/// included; and every look lies where the next run's leaves end, however long it gets.
#[test]
fn a_lengthened_run_is_the_straight_run() {
    let (_, paytable) = zoo().swap_remove(0);
    let most = 3_000_000;
    let mut before: Option<(RunPlan, RunState)> = None;
    for rounds in looks(most) {
        let plan = RunPlan {
            detail_rounds: 1_200_000,
            ..plan(rounds)
        };
        let batches = 0..plan.batches();
        let state = match before.take() {
            Some((from, state)) => state.lengthened(&paytable, &from, &plan).expect("aligned"),
            None => RunState::start(&batches),
        };
        let played = continue_batches(&paytable, &plan, batches, state, &()).expect("a plan");
        let straight = simulate(&paytable, &plan, &()).expect("a plan");
        assert_eq!(played, straight, "{rounds}");
        before = Some((plan, played.into()));
    }
    let ends: Vec<u64> = looks(super::super::plan::MAX_ROUNDS).collect();
    for (look, next) in ends.iter().zip(&ends[1..]) {
        assert!(
            (look / u64::from(BATCH_ROUNDS)).is_multiple_of(leaf_batches(*next)),
            "{look}"
        );
    }
}

/// A state in the middle of a leaf goes on to the same leaf.
#[test]
fn a_leaf_that_was_interrupted_is_the_whole_leaf() {
    let (_, paytable) = zoo().swap_remove(0);
    let plan = plan(1_000_000);
    let batches = 0..plan.batches();
    let whole = simulate(&paytable, &plan, &()).expect("a plan");
    assert_eq!(plan.leaf_batches(), 4);
    let mut state = RunState::start(&batches);
    for end in [1, 2, 7, 8, 30, plan.batches()] {
        let played = continue_batches(&paytable, &plan, 0..end, state, &()).expect("a plan");
        assert_eq!(played.leaves.len() as u64, end.div_ceil(4));
        state = played.into();
    }
    assert_eq!(state.leaves, whole.leaves);
    assert_eq!(state.tally, whole.tally);
}
