use super::super::testing::TWO;
use super::*;

/// The vector published with `rand_xoshiro`, made with the C reference code of Blackman
/// and Vigna from the state 1, 2, 3, 4.
#[test]
fn xoshiro256_plus_plus_gives_its_published_vector() {
    let mut seed = [0; 32];
    for (bytes, word) in seed.chunks_exact_mut(8).zip(1_u64..) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    let mut generator = Xoshiro256PlusPlus::from_seed(seed);
    let published = [
        41_943_041,
        58_720_359,
        3_588_806_011_781_223,
        3_591_011_842_654_386,
        9_228_616_714_210_784_205,
        9_973_669_472_204_895_162,
        14_011_001_112_246_962_877,
        12_406_186_145_184_390_807,
        15_849_039_046_786_891_736,
        10_450_023_813_501_588_000,
    ];
    assert_eq!(published.map(|_| generator.next_u64()), published);
}

/// Pinned: a change is a new version of the specification.
#[test]
fn value_stability_of_the_first_words() {
    let step = Stream::new(1, TWO, 0).step();
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

/// A lane is made of its own 32 bytes of one extended output.
#[test]
fn lanes_are_seeded_from_one_extended_output() {
    let mut input = Vec::new();
    input.extend(7_u64.to_le_bytes());
    input.extend(5_u32.to_le_bytes());
    input.extend(3_u64.to_le_bytes());
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    hasher.update(&input);
    let mut bytes = [0; 32 * LANES];
    hasher.finalize_xof().fill(&mut bytes);
    let words: Vec<u64> = bytes
        .chunks_exact(32)
        .map(|seed| Xoshiro256PlusPlus::from_seed(seed.try_into().expect("32 bytes")).next_u64())
        .collect();
    assert_eq!(Stream::new(7, Trigger::Five, 3).step()[..], words);
}

#[test]
fn every_coordinate_of_a_stream_changes_it() {
    let first = Stream::new(1, TWO, 0).step();
    for other in [
        Stream::new(2, TWO, 0),
        Stream::new(1 + (1 << 32), TWO, 0),
        Stream::new(1, Trigger::Five, 0),
        Stream::new(1, TWO, 1),
        Stream::new(1, TWO, 1 << 32),
    ] {
        let other = other.clone().step();
        assert!(first.iter().all(|word| !other.contains(word)));
    }
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
                assert_eq!(u32::from(draw.outcome(word)), wide / quotient);
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
        words[usize::from(draw.outcome(word))] += 1;
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
    let mut bulk = Stream::new(9, TWO, 4);
    let mut single = bulk.clone();
    let (mut narrow, mut wide) = (Vec::new(), Vec::new());
    for count in [1_usize, 63, 64, 65, 1000, 16_384] {
        for outcomes in [1_u32, 2, 720, 3888, 40_000, 65_535, 65_536] {
            let draw = NarrowDraw::new(u64::from(outcomes)).expect("a narrow draw");
            bulk.narrow_phase(draw, count, &mut narrow);
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
    let mut plain = Stream::new(3, TWO, 0);
    let (first, second) = (plain.step(), plain.step());
    let mut stream = Stream::new(3, TWO, 0);
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
    assert_eq!(log2_overlap_bound(61_035_156_250), -136);
    assert_eq!(log2_overlap_bound(1), -208);
}
