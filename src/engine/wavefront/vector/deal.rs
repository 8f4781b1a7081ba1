//! Starting rows into planes: 16 rounds at a time, by interleaving bytes.

#[allow(
    clippy::wildcard_imports,
    reason = "the instructions; listing them says nothing"
)]
use std::arch::x86_64::*;

use super::super::planes::{BATCH, BLOCK, STRIDE, dealt};

/// Puts the rows of a batch into the planes of x.
///
/// # Arguments
/// - `rows`: by outcome, one byte for each character, the first in the lowest byte
/// - `words`: accepted words in the order drawn, one for each round
pub(super) fn deal(rows: &[u64], outcomes: u32, words: &[u16], planes: &mut [u8]) {
    assert!(rows.len() == outcomes as usize && words.len() >= BATCH);
    assert!(planes.len() >= 6 * STRIDE);
    let mut block_rows = [0_u64; BLOCK];
    for (block, words) in words[..BATCH].as_chunks::<BLOCK>().0.iter().enumerate() {
        for (place, row) in block_rows.iter_mut().enumerate() {
            let product = u32::from(words[dealt(place)]) * outcomes;
            *row = rows[(product >> 16) as usize];
        }
        for (part, sixteen) in block_rows.as_chunks::<16>().0.iter().enumerate() {
            let at = block * BLOCK + part * 16;
            // SAFETY: the instructions are part of the architecture.
            let columns = unsafe { transpose(sixteen) };
            for (plane, values) in columns.into_iter().enumerate() {
                // SAFETY: `at` + 16 is at most the size of a batch, and the six planes
                // are longer, as was checked.
                unsafe {
                    let to = planes.as_mut_ptr().add(plane * STRIDE + at);
                    _mm_storeu_si128(to.cast(), values);
                }
            }
        }
    }
}

/// Bytes 0 to 5 of 16 rows, each in a register of its own.
#[target_feature(enable = "sse2")]
fn transpose(rows: &[u64; 16]) -> [__m128i; 6] {
    let pair = |first: usize| {
        // SAFETY: two of the 16 rows, from an even one on.
        unsafe { _mm_loadu_si128(rows.as_ptr().add(first).cast()) }
    };
    let low = |a, b| _mm_unpacklo_epi8(a, b);
    let high = |a, b| _mm_unpackhi_epi8(a, b);
    // Each round of interleaving halves the distance of rows that stand together:
    // 8, 4, 2, 1.
    let [a, b, c, d] = [0, 2, 4, 6].map(|row| {
        let (x, y) = (pair(row), pair(row + 8));
        (low(x, y), high(x, y))
    });
    let even = [low(a.0, c.0), high(a.0, c.0), low(b.0, d.0), high(b.0, d.0)];
    let odd = [low(a.1, c.1), high(a.1, c.1), low(b.1, d.1), high(b.1, d.1)];
    let join = |rows: [__m128i; 4]| {
        [
            low(rows[0], rows[2]),
            high(rows[0], rows[2]),
            low(rows[1], rows[3]),
        ]
    };
    let ([e0, e1, e2], [o0, o1, o2]) = (join(even), join(odd));
    [
        low(e0, o0),
        high(e0, o0),
        low(e1, o1),
        high(e1, o1),
        low(e2, o2),
        high(e2, o2),
    ]
}
