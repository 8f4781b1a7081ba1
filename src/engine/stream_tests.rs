use super::super::testing::TWO;
use super::*;

const XOSHIRO: Generator = Generator::Xoshiro256PlusPlus;

/// Pinned: a change is a new version of the specification.
#[test]
fn value_stability_of_the_first_words() {
    let step = Stream::new(XOSHIRO, 1, TWO, 0).step();
    assert_eq!(SPECIFICATION_VERSION, 1);
    assert_eq!(
        step[..4],
        [
            18_305_101_615_655_904_829,
            3_267_978_196_476_459_740,
            10_297_601_011_113_060_805,
            15_754_576_888_988_199_840
        ]
    );
}

/// Pinned, too. From an independent implementation of the header's text: the `blake3`
/// package of Python for the key, the cipher's rounds written out over it for the words.
#[test]
fn value_stability_of_the_first_words_of_chacha8() {
    let mut stream = Stream::new(Generator::ChaCha8, 1, TWO, 0);
    let (first, second) = (stream.step(), stream.step());
    assert_eq!(
        first[..4],
        [
            14_004_021_708_242_883_164,
            5_712_604_831_410_300_420,
            2_373_829_895_985_208_647,
            2_079_999_121_792_769_685,
        ]
    );
    assert_eq!(
        [first[15], second[0], second[1]],
        [
            10_915_295_811_238_991_427,
            5_850_116_658_293_426_560,
            14_577_424_795_975_774_246,
        ]
    );
    let mut steps = [[0; LANES]; 32];
    Stream::new(Generator::ChaCha8, 7, Trigger::Five, 3).steps(&mut steps);
    // Word 500 of the keystream.
    assert_eq!(steps[31][4], 5_794_424_603_248_678_002);
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

/// Every quotient that occurs, every word: multiplication is division.
#[test]
fn narrow_outcomes_are_quotients() {
    let mut outcomes = 1;
    while outcomes <= 65_536_u32 {
        let quotient = 65_536 / outcomes;
        let draw = NarrowDraw::new(u64::from(outcomes)).expect("a narrow draw");
        for word in 0..=u16::MAX {
            let wide = u32::from(word);
            assert_eq!(draw.accepts(word), wide < quotient * outcomes);
            if draw.accepts(word) {
                assert_eq!(draw.outcome(word), (wide / quotient) as usize);
            }
        }
        // The next number of outcomes with another quotient.
        outcomes = if quotient == 1 && outcomes < 65_535 {
            65_535
        } else {
            (65_536 / quotient).max(outcomes) + 1
        };
    }
    assert_eq!(NarrowDraw::new(0), None);
    assert_eq!(NarrowDraw::new(65_537), None);
}

/// The Pennsylvania wheels: 3,888 outcomes of 16 words each, 5.1 % rejected.
#[test]
fn a_narrow_draw_gives_every_outcome_the_same_number_of_words() {
    let draw = NarrowDraw::new(3888).expect("a narrow draw");
    let mut words = vec![0; 3888];
    for word in (0..=u16::MAX).filter(|&word| draw.accepts(word)) {
        words[draw.outcome(word)] += 1;
    }
    assert!(words.iter().all(|&count| count == 16));
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
            let table = draw.table((0..=u16::MAX).take(outcomes as usize).collect());
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

/// By hand from the specification: least significant word first, and what is left of a
/// phase's last step is dropped.
#[test]
fn words_are_used_in_the_written_order() {
    let mut plain = Stream::new(XOSHIRO, 3, TWO, 0);
    let (first, second) = (plain.step(), plain.step());
    let mut stream = Stream::new(XOSHIRO, 3, TWO, 0);
    let mut phase = stream.phase();
    let words: Vec<u64> = (0..5).map(|_| phase.narrow(65_536)).collect();
    let lane = first[0];
    assert_eq!(
        words,
        [
            lane & 0xffff,
            lane >> 16 & 0xffff,
            lane >> 32 & 0xffff,
            lane >> 48,
            first[1] & 0xffff
        ]
    );
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
