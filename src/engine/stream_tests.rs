use super::super::testing::TWO;
use super::*;

const XOSHIRO: Generator = Generator::Xoshiro256PlusPlus;

/// Pinned: a change is a new version of the specification.
#[test]
fn value_stability_of_the_first_words() {
    let step = Stream::new(XOSHIRO, 1, TWO, 0).step();
    assert_eq!(SPECIFICATION_VERSION, 2);
    assert_eq!(
        step[..4],
        [
            8_578_715_545_619_753_263,
            3_756_873_294_076_589_794,
            10_001_580_635_458_742_568,
            6_596_314_801_371_383_861
        ]
    );
}

/// Pinned, too.
#[test]
fn value_stability_of_the_first_words_of_chacha8() {
    let mut stream = Stream::new(Generator::ChaCha8, 1, TWO, 0);
    let (first, second) = (stream.step(), stream.step());
    assert_eq!(
        first[..4],
        [
            3_906_485_524_472_918_707,
            9_563_744_305_192_465_524,
            8_739_950_460_491_991_158,
            373_548_502_580_297_866,
        ]
    );
    assert_eq!(
        [first[15], second[0], second[1]],
        [
            17_522_266_001_465_960_474,
            8_442_348_312_867_579_345,
            7_146_410_614_183_051_113,
        ]
    );
    let mut steps = [[0; LANES]; 32];
    Stream::new(Generator::ChaCha8, 7, Trigger::Five, 3).steps(&mut steps);
    // Word 500 of the keystream.
    assert_eq!(steps[31][4], 6_103_411_114_678_533_435);
}

#[test]
fn every_coordinate_of_a_stream_changes_it() {
    for (generator, other) in [(XOSHIRO, Generator::ChaCha8), (Generator::ChaCha8, XOSHIRO)] {
        let first = Stream::new(generator, 1, TWO, 0).step();
        for mut stream in [
            Stream::new(other, 1, TWO, 0),
            Stream::new(generator, 2, TWO, 0),
            Stream::new(generator, 1 + (1 << 32), TWO, 0),
            Stream::new(generator, 1, Trigger::Five, 0),
            Stream::new(generator, 1, TWO, 1),
            Stream::new(generator, 1, TWO, 1 << 32),
        ] {
            let step = stream.step();
            assert!(first.iter().all(|word| !step.contains(word)));
        }
    }
}

/// An engine that takes the lanes over and hands them back leaves the stream as if it
/// had taken its words.
#[test]
fn lanes_can_be_taken_over_and_handed_back() {
    let mut stream = Stream::new(XOSHIRO, 5, TWO, 6);
    let mut taken_over = stream.clone();
    let states = taken_over.lane_states().expect("lanes");
    let mut elsewhere = Stream::new(XOSHIRO, 0, TWO, 0);
    elsewhere.set_lane_states(&states);
    for _ in 0..3 {
        assert_eq!(elsewhere.step(), stream.step());
    }
    taken_over.set_lane_states(&elsewhere.lane_states().expect("lanes"));
    assert_eq!(taken_over.step(), stream.step());
    assert_eq!(
        Stream::new(Generator::ChaCha8, 5, TWO, 6).lane_states(),
        None
    );
}

/// Every word through [`NarrowDraw::take`], with the outcome itself as its item: each
/// outcome has floor(2^16 / J) words, and every word has the least outcome that the ones
/// below it leave free. 3,888 outcomes of 16 words are the Pennsylvania wheels.
#[test]
fn a_narrow_draw_gives_every_outcome_the_same_number_of_words() {
    for outcomes in [
        2_u32, 3, 5, 720, 3888, 32_767, 32_768, 32_769, 65_535, 65_536,
    ] {
        let draw = NarrowDraw::new(u64::from(outcomes)).expect("a narrow draw");
        let table: Vec<u16> = (0..=u16::MAX).take(outcomes as usize).collect();
        let mut words = vec![0_u32; outcomes as usize];
        let mut drawn = Vec::new();
        for start in (0..=u16::MAX).step_by(64) {
            let step: [u64; LANES] = std::array::from_fn(|lane| {
                let first = u64::from(start) + 4 * lane as u64;
                (0..4).map(|part| (first + part) << (16 * part)).sum()
            });
            let mut room = [0; NARROW_WORDS];
            let accepted = draw.take(&step, &table, &mut room);
            drawn.extend_from_slice(&room[..accepted]);
        }
        assert!(drawn.is_sorted(), "larger words have no smaller outcomes");
        for outcome in drawn {
            words[usize::from(outcome)] += 1;
        }
        assert!(words.iter().all(|&count| count == 65_536 / outcomes));
    }
    assert_eq!(NarrowDraw::new(0), None);
    assert_eq!(NarrowDraw::new(65_537), None);
}

#[test]
fn wide_draws_accept_whole_quotients() {
    // 2^64 = 3 q + 1 with q = 6,148,914,691,236,517,205: one word is rejected.
    let draw = WideDraw::new(3);
    assert!(draw.accepts(u64::MAX - 1) && !draw.accepts(u64::MAX));
    assert_eq!(draw.outcome(6_148_914_691_236_517_204), 0);
    assert_eq!(draw.outcome(6_148_914_691_236_517_205), 1);
    assert_eq!(draw.outcome(u64::MAX - 1), 2);
    // Powers of two reject nothing: q T = 2^64.
    for log2 in 1..=63 {
        let draw = WideDraw::new(1 << log2);
        assert!(draw.accepts(u64::MAX));
        assert_eq!(draw.outcome(u64::MAX), (1 << log2) - 1);
    }
}

/// The two ways of taking words, one by one and in bulk, read the order alike.
#[test]
fn phases_in_bulk_are_phases_one_by_one() {
    for generator in Generator::ALL {
        check_phases(Stream::new(generator, 9, TWO, 4));
    }
}

fn check_phases(mut bulk: Stream) {
    let mut single = bulk.clone();
    let (mut narrow, mut wide) = (Vec::new(), Vec::new());
    for count in [1_usize, 63, 64, 65, 1000, 16_384] {
        for outcomes in [1_u32, 2, 720, 3888, 32_767, 32_769, 40_000, 65_535, 65_536] {
            let draw = NarrowDraw::new(u64::from(outcomes)).expect("a narrow draw");
            let table: Vec<u16> = (0..=u16::MAX).take(outcomes as usize).collect();
            bulk.narrow_phase(draw, &table, count, &mut narrow);
            let mut phase = single.phase();
            let one_by_one: Vec<u64> = (0..count).map(|_| phase.narrow(outcomes)).collect();
            assert!(
                narrow
                    .iter()
                    .map(|&outcome| u64::from(outcome))
                    .eq(one_by_one)
            );
        }
        for outcomes in [1, 2, 65_537, (1 << 42) - 1, (1 << 62) + 1] {
            bulk.wide_phase(WideDraw::new(outcomes), count, &mut wide);
            let mut phase = single.phase();
            let one_by_one: Vec<u64> = (0..count).map(|_| phase.wide(outcomes)).collect();
            assert_eq!(wide, one_by_one);
        }
    }
}

/// By hand from the specification: least significant word first, blocks of 64 dealt by
/// eights (places 8 to 15 get words 32 to 39, places 16 to 23 words 8 to 15), and what is
/// left of a phase's last block and step is dropped.
#[test]
fn words_are_used_in_the_written_order() {
    let mut plain = Stream::new(XOSHIRO, 3, TWO, 0);
    let (first, second) = (plain.step(), plain.step());
    let mut stream = Stream::new(XOSHIRO, 3, TWO, 0);
    let mut phase = stream.phase();
    let dealt: Vec<u64> = (0..17).map(|_| phase.narrow(65_536)).collect();
    let word = |number: usize| first[number / 4] >> (16 * (number % 4)) & 0xffff;
    let places = [0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36, 37, 38, 39, 8];
    assert_eq!(dealt, places.map(word));
    assert_eq!(stream.phase().narrow(65_536), second[0] & 0xffff);
}

#[test]
fn the_overlap_bound_of_the_longest_run() {
    // 10^15 rounds: 61,035,156,250 batches, 9.8e11 lanes < 2^40; 80 + 40 - 256.
    assert_eq!(log2_overlap_bound(XOSHIRO, 61_035_156_250), -136);
    assert_eq!(log2_overlap_bound(XOSHIRO, 1), -208);
    // 61,035,156,250 keys < 2^36; 72 - 257.
    assert_eq!(log2_overlap_bound(Generator::ChaCha8, 61_035_156_250), -185);
    assert_eq!(log2_overlap_bound(Generator::ChaCha8, 1), -257);
}
