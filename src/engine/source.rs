//! The generators behind the steps of a [`Stream`](super::stream::Stream), keyed and read
//! as its module's header says.

use chacha20::ChaCha8Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::generator::Generator;
use super::stream::LANES;
use crate::rules::Trigger;

/// Domain of the key derivation for xoshiro256++.
const XOSHIRO_CONTEXT: &str = "wonderspins engine specification 2";

/// Domain of the key derivation for `ChaCha8`: its keys tell nothing of the other's seeds.
const CHACHA_CONTEXT: &str = "wonderspins engine specification 2 chacha8";

/// The generator of one batch.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Xoshiro(Box<Lanes>),
    ChaCha8(Box<Keystream>),
}

impl Source {
    pub(super) fn new(generator: Generator, seed: u64, trigger: Trigger, batch: u64) -> Self {
        let output = |context| {
            let mut hasher = blake3::Hasher::new_derive_key(context);
            hasher.update(&seed.to_le_bytes());
            hasher.update(&trigger.number().to_le_bytes());
            hasher.update(&batch.to_le_bytes());
            hasher.finalize_xof()
        };
        match generator {
            Generator::Xoshiro256PlusPlus => {
                Self::Xoshiro(Box::new(Lanes::new(output(XOSHIRO_CONTEXT))))
            }
            Generator::ChaCha8 => {
                let mut key = [0; 32];
                output(CHACHA_CONTEXT).fill(&mut key);
                Self::ChaCha8(Box::new(Keystream(ChaCha8Rng::from_seed(key))))
            }
        }
    }

    /// The next steps, as many as fit.
    #[inline]
    pub(super) fn steps(&mut self, steps: &mut [[u64; LANES]]) {
        match self {
            Self::Xoshiro(lanes) => lanes.steps(steps),
            Self::ChaCha8(keystream) => keystream.steps(steps),
        }
    }
}

/// Sixteen xoshiro256++ generators.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    generators: [Xoshiro256PlusPlus; LANES],
    /// Their states, while no word was taken since these were set. The generators hide
    /// theirs, and the way around that is slow.
    known: Option<[[u64; 4]; LANES]>,
}

impl Lanes {
    fn new(mut output: blake3::OutputReader) -> Self {
        Self::from_states(&std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                let mut word = [0; 8];
                output.fill(&mut word);
                u64::from_le_bytes(word)
            })
        }))
    }

    /// Lanes that go on from the given states: `from_seed` of their little-endian bytes.
    pub(super) fn from_states(states: &[[u64; 4]; LANES]) -> Self {
        Self {
            generators: std::array::from_fn(|lane| {
                let mut seed = [0; 32];
                for (bytes, word) in seed.as_chunks_mut().0.iter_mut().zip(states[lane]) {
                    *bytes = word.to_le_bytes();
                }
                Xoshiro256PlusPlus::from_seed(seed)
            }),
            known: Some(*states),
        }
    }

    /// The states now. Some microseconds where words were taken.
    pub(super) fn states(&self) -> [[u64; 4]; LANES] {
        self.known
            .unwrap_or_else(|| std::array::from_fn(|lane| state(&self.generators[lane])))
    }

    /// Lane by lane, so that a generator's state stays in registers for all steps.
    #[inline]
    fn steps(&mut self, steps: &mut [[u64; LANES]]) {
        self.known = None;
        for (place, lane) in self.generators.iter_mut().enumerate() {
            let mut generator = lane.clone();
            for step in steps.iter_mut() {
                step[place] = generator.next_u64();
            }
            *lane = generator;
        }
    }
}

/// The four words of a generator. Its serialised form is the only door to them.
fn state(generator: &Xoshiro256PlusPlus) -> [u64; 4] {
    serde_json::to_value(generator)
        .ok()
        .and_then(|mut value| serde_json::from_value(value["s"].take()).ok())
        .expect("the serialised form of xoshiro256++ is its four words, named `s`")
}

/// A keystream of `ChaCha8`.
#[derive(Debug)]
pub(super) struct Keystream(ChaCha8Rng);

impl Keystream {
    #[inline]
    fn steps(&mut self, steps: &mut [[u64; LANES]]) {
        for step in steps {
            let mut bytes = [0; 8 * LANES];
            self.0.fill_bytes(&mut bytes);
            for (word, bytes) in step.iter_mut().zip(bytes.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
    }
}

impl Clone for Keystream {
    fn clone(&self) -> Self {
        Self(ChaCha8Rng::deserialize_state(&self.0.serialize_state()))
    }
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
