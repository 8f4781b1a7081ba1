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

fn bytes(hexadecimal: &str) -> Vec<u8> {
    (0..hexadecimal.len())
        .step_by(2)
        .map(|start| u8::from_str_radix(&hexadecimal[start..start + 2], 16).expect("two digits"))
        .collect()
}

/// Test case 1 of J. Strombergson, test vectors for the stream cipher `ChaCha`
/// (draft-strombergson-chacha-test-vectors-01, 2013): 8 rounds, key of 256 bits and IV
/// all zero, the first two blocks. A step is both of them.
#[test]
fn chacha8_gives_its_published_vector() {
    let published = bytes(
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e\
         984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42\
         d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b\
         5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa",
    );
    let mut step = [[0; LANES]];
    Keystream(ChaCha8Rng::from_seed([0; 32])).steps(&mut step);
    let stepped: Vec<u8> = step[0].iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(stepped, published);
}

/// A lane is made of its own 32 bytes of one extended output.
#[test]
fn lanes_are_seeded_from_one_extended_output() {
    let mut input = Vec::new();
    input.extend(7_u64.to_le_bytes());
    input.extend(5_u32.to_le_bytes());
    input.extend(3_u64.to_le_bytes());
    let mut hasher = blake3::Hasher::new_derive_key(XOSHIRO_CONTEXT);
    hasher.update(&input);
    let mut bytes = [0; 32 * LANES];
    hasher.finalize_xof().fill(&mut bytes);
    let words: Vec<u64> = bytes
        .chunks_exact(32)
        .map(|seed| Xoshiro256PlusPlus::from_seed(seed.try_into().expect("32 bytes")).next_u64())
        .collect();
    let mut step = [[0; LANES]];
    Source::new(Generator::Xoshiro256PlusPlus, 7, Trigger::Five, 3).steps(&mut step);
    assert_eq!(step[0][..], words);
}

/// Steps in any grouping are the same steps, and a clone goes on where its original is.
#[test]
fn steps_do_not_depend_on_how_many_are_asked_for() {
    for generator in Generator::ALL {
        let mut whole = [[0; LANES]; 40];
        Source::new(generator, 4, TWO, 9).steps(&mut whole);
        let mut source = Source::new(generator, 4, TWO, 9);
        let mut taken = Vec::new();
        for count in [1, 2, 7, 0, 16, 1, 13] {
            let mut part = vec![[0; LANES]; count];
            source.clone().steps(&mut part);
            let cloned = part.clone();
            source.steps(&mut part);
            assert_eq!(part, cloned, "{generator}");
            taken.extend(part);
        }
        assert_eq!(taken, whole, "{generator}");
    }
}

/// States that were taken out and put back go on with the same words, before the first
/// word and after any number of them.
#[test]
fn lanes_go_on_from_their_states() {
    let Source::Xoshiro(mut lanes) = Source::new(Generator::Xoshiro256PlusPlus, 2, TWO, 1) else {
        panic!("xoshiro256++ has lanes");
    };
    for count in [0, 1, 5] {
        lanes.steps(&mut vec![[0; LANES]; count]);
        let states = lanes.states();
        let mut again = Lanes::from_states(&states);
        assert_eq!(again.states(), states);
        assert_eq!(again.generators, lanes.generators);
        let mut words = [[[0; LANES]; 3]; 2];
        lanes.clone().steps(&mut words[0]);
        again.steps(&mut words[1]);
        assert_eq!(words[0], words[1]);
    }
}

/// One step of the recurrence by hand, from the definition of Blackman and Vigna: of the
/// state 1, 2, 3, 4, with t = 2 << 17, the next is (1 ^ 4 ^ 2, 2 ^ 3 ^ 1, 3 ^ 1 ^ t,
/// rotl(4 ^ 2, 45)).
#[test]
fn states_after_words_are_those_of_the_recurrence() {
    let mut lanes = Lanes::from_states(&[[1, 2, 3, 4]; LANES]);
    lanes.steps(&mut [[0; LANES]]);
    let next = [7, 0, 2 ^ (2 << 17), 6 << 45];
    assert_eq!(lanes.states(), [next; LANES]);
}
