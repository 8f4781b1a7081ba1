//! AVX2 with bit manipulation: 32 rounds in a register.
//!
//! There is no compression of bytes here, so ranks are closed eight rounds at a time: a
//! table gives the permutation for each of the 256 sets of survivors, one shuffle
//! applies four of them, and four stores put the pieces behind one another.

use std::arch::asm;
#[allow(
    clippy::wildcard_imports,
    reason = "the instructions; listing them says nothing"
)]
use std::arch::x86_64::*;

use super::super::planes::{
    BATCH, BLOCK, COUNTER, METER_HIGH, METER_LOW, OFFSET, RAW_STEPS, STRIDE, dealt,
};
use super::super::table::{ENTRIES, Outcome, Starts};
use super::{LaneStates, Task};

/// Rounds of a register.
const WIDTH: usize = 32;

/// Whether the processor has what the functions of this module are compiled for.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

/// For each set of eight bytes: the numbers of its members, ascending, a byte each.
static BYTE_ORDERS: [u64; 256] = {
    let mut orders = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut member, mut place) = (0, 0);
        while member < 8 {
            if set >> member & 1 == 1 {
                orders[set] |= member << (8 * place);
                place += 1;
            }
            member += 1;
        }
        set += 1;
    }
    orders
};

/// For each set of eight 16-bit words: the numbers of their bytes.
static WORD_ORDERS: [[u8; 16]; 256] = {
    let mut orders = [[0; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut member, mut place) = (0_u8, 0);
        while member < 8 {
            if set >> member & 1 == 1 {
                orders[set][place] = 2 * member;
                orders[set][place + 1] = 2 * member + 1;
                place += 2;
            }
            member += 1;
        }
        set += 1;
    }
    orders
};

/// A table of 16 bytes in both halves.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn load(table: &[u8; 16]) -> __m256i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

/// The high halves of 16-bit products. Written in assembly because the intrinsic is
/// lowered to widened multiplications, which takes the whole spin twice as long.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn multiply_high(a: __m256i, b: __m256i) -> __m256i {
    let high: __m256i;
    // SAFETY: one instruction on registers; it reads and writes no memory and no flags.
    unsafe {
        asm!(
            "vpmulhuw {high}, {a}, {b}",
            high = out(ymm_reg) high,
            a = in(ymm_reg) a,
            b = in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    high
}

/// Stores the upper eight bytes. Written in assembly because the intrinsic is lowered to
/// a shuffle and a store, and shuffles are what this back end waits for.
///
/// # Safety
/// Eight bytes can be written from `to` on.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
unsafe fn store_upper(to: *mut u8, x: __m128i) {
    // SAFETY: by the contract of this function.
    unsafe {
        asm!(
            "vmovhps qword ptr [{to}], {x}",
            to = in(reg) to,
            x = in(xmm_reg) x,
            options(nostack, preserves_flags)
        );
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn both(x: u16) -> __m256i {
    _mm256_set1_epi16(x.cast_signed())
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn bytes(x: u8) -> __m256i {
    _mm256_set1_epi8(x.cast_signed())
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn rotate<const LEFT: i32, const RIGHT: i32>(x: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_slli_epi64::<LEFT>(x), _mm256_srli_epi64::<RIGHT>(x))
}

/// One step of four xoshiro256++ generators (Blackman and Vigna, 2021).
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn next(state: &mut [__m256i; 4]) -> __m256i {
    let [s0, s1, s2, s3] = *state;
    let word = _mm256_add_epi64(rotate::<23, 41>(_mm256_add_epi64(s0, s3)), s0);
    let shifted = _mm256_slli_epi64::<17>(s1);
    let s2 = _mm256_xor_si256(s2, s0);
    let s3 = _mm256_xor_si256(s3, s1);
    *state = [
        _mm256_xor_si256(s0, s3),
        _mm256_xor_si256(s1, s2),
        _mm256_xor_si256(s2, shifted),
        rotate::<45, 19>(s3),
    ];
    word
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn draw(
    states: &mut LaneStates,
    outcomes: u32,
    count: usize,
    raw: &mut [u64],
    words: &mut [u16],
) {
    let needed = count.next_multiple_of(BLOCK);
    assert!(raw.len() == 16 * RAW_STEPS, "room for the steps of a turn");
    let mut filled = 0;
    while filled < needed {
        // The draws that are left need at least this many steps.
        let steps = (needed - filled).div_ceil(BLOCK).min(RAW_STEPS);
        // All 16 states take every register there is: eight lanes in a turn.
        for first in [0, 8] {
            let mut lower = [_mm256_setzero_si256(); 4];
            let mut upper = lower;
            for (word, lanes) in states.iter().enumerate() {
                // SAFETY: 8 of the 16 lanes, from lane 0 or 8 on.
                unsafe {
                    lower[word] = _mm256_loadu_si256(lanes.as_ptr().add(first).cast());
                    upper[word] = _mm256_loadu_si256(lanes.as_ptr().add(first + 4).cast());
                }
            }
            for step in raw[..16 * steps].as_chunks_mut::<16>().0 {
                // SAFETY: 8 of the 16 words of a step, from word 0 or 8 on.
                unsafe {
                    let to = step.as_mut_ptr().add(first);
                    _mm256_storeu_si256(to.cast(), next(&mut lower));
                    _mm256_storeu_si256(to.add(4).cast(), next(&mut upper));
                }
            }
            for (word, lanes) in states.iter_mut().enumerate() {
                // SAFETY: as above.
                unsafe {
                    _mm256_storeu_si256(lanes.as_mut_ptr().add(first).cast(), lower[word]);
                    _mm256_storeu_si256(lanes.as_mut_ptr().add(first + 4).cast(), upper[word]);
                }
            }
        }
        filled = accept(&raw[..16 * steps], outcomes, filled, words);
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn accept(raw: &[u64], outcomes: u32, mut filled: usize, words: &mut [u16]) -> usize {
    assert!(
        words.len() >= filled + 4 * raw.len() + 8,
        "room for all words"
    );
    // 65,536 outcomes are 0 in 16 bits, and then every word is accepted, as it should
    // be: the low half of the product is 0 and so is the least.
    #[expect(clippy::cast_possible_truncation, reason = "see above")]
    let (factor, least) = (both(outcomes as u16), both((65_536 % outcomes) as u16));
    let to = words.as_mut_ptr();
    for eight in raw.as_chunks::<8>().0 {
        // SAFETY: eight u64 are read.
        let (first, second) = unsafe {
            (
                _mm256_loadu_si256(eight.as_ptr().cast()),
                _mm256_loadu_si256(eight.as_ptr().add(4).cast()),
            )
        };
        let is_accepted = |words| {
            let low = _mm256_mullo_epi16(words, factor);
            _mm256_cmpeq_epi16(_mm256_max_epu16(low, least), low)
        };
        // Bits 0 to 7 are words 0 to 7, then words 16 to 23, 8 to 15, 24 to 31.
        let packed = _mm256_packs_epi16(is_accepted(first), is_accepted(second));
        let accepted = _mm256_movemask_epi8(packed).cast_unsigned();
        let parts = [
            (_mm256_castsi256_si128(first), accepted & 255),
            (_mm256_extracti128_si256::<1>(first), accepted >> 16 & 255),
            (_mm256_castsi256_si128(second), accepted >> 8 & 255),
            (_mm256_extracti128_si256::<1>(second), accepted >> 24),
        ];
        for (part, set) in parts {
            let order = &WORD_ORDERS[set as usize];
            // SAFETY: the order has 16 bytes. Of the words before, at most four for each
            // u64 were stored, so eight more end in the room that was checked.
            unsafe {
                let order = _mm_loadu_si128(order.as_ptr().cast());
                _mm_storeu_si128(to.add(filled).cast(), _mm_shuffle_epi8(part, order));
            }
            filled += set.count_ones() as usize;
        }
    }
    filled
}

/// 32 rounds.
#[derive(Clone, Copy)]
struct Rounds {
    x: [__m256i; 6],
    counter: __m256i,
    offset: __m256i,
    low: __m256i,
    high: __m256i,
}

/// A table of 64 bytes.
type Table64 = [__m256i; 4];

/// The tables of a paytable in registers.
struct Tables {
    inner: __m256i,
    selections: __m256i,
    outer: __m256i,
    /// Whether there are more than 16 inner items.
    is_wide: bool,
    amount: Table64,
    gain: Table64,
    selected: Option<Table64>,
    class: Table64,
    shift: __m256i,
    change: __m256i,
    /// The floor plus 128.
    lift: __m256i,
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn load64(table: &[u8; ENTRIES]) -> Table64 {
    let parts = table.as_chunks::<16>().0;
    [
        load(&parts[0]),
        load(&parts[1]),
        load(&parts[2]),
        load(&parts[3]),
    ]
}

/// Looks 32 items below 64 up. A shuffle looks at the low four bits of a byte; bits 4
/// and 5 choose between four of them.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
fn look_up(table: &Table64, items: __m256i) -> __m256i {
    // What is shifted into a byte from its neighbour stays below the bit that is looked at.
    let bit_4 = _mm256_slli_epi16::<3>(items);
    let bit_5 = _mm256_slli_epi16::<2>(items);
    let [a, b, c, d] = *table;
    let lower = _mm256_blendv_epi8(
        _mm256_shuffle_epi8(a, items),
        _mm256_shuffle_epi8(b, items),
        bit_4,
    );
    let upper = _mm256_blendv_epi8(
        _mm256_shuffle_epi8(c, items),
        _mm256_shuffle_epi8(d, items),
        bit_4,
    );
    _mm256_blendv_epi8(lower, upper, bit_5)
}

impl Tables {
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
    fn new(task: &Task<'_>) -> Self {
        let table = task.table;
        let [inner, selections, outer] = match table.outcome {
            Outcome::Digits {
                inner,
                selections,
                outer,
            } => [inner, selections, outer],
            Outcome::Listed(_) => [1; 3],
        };
        Self {
            inner: both(inner),
            selections: both(selections),
            outer: both(outer),
            is_wide: table.inner_items > 16,
            amount: load64(&table.amount),
            gain: load64(&table.gain),
            selected: table.selected.as_ref().map(|selected| load64(selected)),
            class: load64(&table.class),
            shift: load(&table.shift),
            change: load(&table.change),
            lift: bytes(table.floor + 128),
        }
    }
}

/// Inner, selection and outer items of 32 rounds.
#[derive(Clone, Copy)]
struct Items {
    inner: __m256i,
    selected: __m256i,
    outer: __m256i,
}

impl Items {
    /// The items of the rounds from `at` on in a spin of the opening.
    ///
    /// # Safety
    /// `at` is a multiple of 32 below the size of a batch.
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
    #[inline]
    unsafe fn new<const LISTED: bool>(
        task: &Task<'_>,
        tables: &Tables,
        spin: usize,
        at: usize,
    ) -> Self {
        if LISTED {
            let [inner, selected, outer] = &task.items[spin];
            // SAFETY: the lists hold a byte for every round of a batch (`Task::new`).
            return unsafe {
                Self {
                    inner: _mm256_loadu_si256(inner.as_ptr().add(at).cast()),
                    selected: _mm256_loadu_si256(selected.as_ptr().add(at).cast()),
                    outer: _mm256_loadu_si256(outer.as_ptr().add(at).cast()),
                }
            };
        }
        // The first half of a block takes its words 0 to 15 and 32 to 47, the second the
        // others: so says the dealing rule, and packing then keeps the order.
        let from = at - at % BLOCK + at % BLOCK / 2;
        let words = task.words[spin].as_ptr();
        // SAFETY: the lists hold a word for every round of a batch and 64 more.
        let (first, second) = unsafe {
            (
                _mm256_loadu_si256(words.add(from).cast()),
                _mm256_loadu_si256(words.add(from + 32).cast()),
            )
        };
        // A word times the number of items is the item in the high half, and in the low
        // half what is left of the word for the next: the digits of floor(w J / 2^16).
        let digit = |first, second, items| {
            _mm256_packus_epi16(multiply_high(first, items), multiply_high(second, items))
        };
        let rest = |word, items| _mm256_mullo_epi16(word, items);
        let inner = digit(first, second, tables.inner);
        let (first, second) = (rest(first, tables.inner), rest(second, tables.inner));
        let mut selected = digit(first, second, tables.selections);
        let (first, second) = (
            rest(first, tables.selections),
            rest(second, tables.selections),
        );
        let outer = digit(first, second, tables.outer);
        if let Some(table) = &tables.selected {
            selected = look_up(table, selected);
        }
        Self {
            inner,
            selected,
            outer,
        }
    }
}

impl Rounds {
    /// One pass of 693.6(f) for 32 rounds; `table.rs` says what the bytes mean.
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
    #[inline]
    fn spin<const LONG: bool>(&mut self, tables: &Tables, items: Items) {
        let (amount, gain) = if tables.is_wide {
            (
                look_up(&tables.amount, items.inner),
                look_up(&tables.gain, items.inner),
            )
        } else {
            (
                _mm256_shuffle_epi8(tables.amount[0], items.inner),
                _mm256_shuffle_epi8(tables.gain[0], items.inner),
            )
        };
        let class = look_up(&tables.class, items.outer);
        let before = self.low;
        // (f)(4)(i) in two parts: the shared byte of whoever is hit, then its own. No
        // potion moves a multiplier in the same spin.
        let is_hit = _mm256_cmpgt_epi8(bytes(6), class);
        let mut low = _mm256_add_epi8(before, _mm256_and_si256(is_hit, self.offset));
        // (f)(4)(iii) and (iv).
        let shift = _mm256_shuffle_epi8(tables.shift, class);
        self.offset = _mm256_add_epi8(self.offset, shift);
        // max(f - r, 0), for r from -128 to 127.
        let biased = _mm256_xor_si256(self.offset, bytes(128));
        let least = _mm256_subs_epu8(tables.lift, biased);
        for (x, number) in self.x.iter_mut().zip(0..6) {
            let number = bytes(number);
            // (f)(2)(i): the boost counts in this very pass.
            let is_selected = _mm256_cmpeq_epi8(items.selected, number);
            let boosted = _mm256_add_epi8(*x, _mm256_and_si256(is_selected, amount));
            let is_hit = _mm256_cmpeq_epi8(class, number);
            low = _mm256_add_epi8(low, _mm256_and_si256(is_hit, boosted));
            *x = _mm256_max_epu8(boosted, least);
        }
        self.low = low;
        if LONG {
            // A multiplier is at most 255, so the sum wrapped where it became smaller:
            // minus one where it did not, and one for all.
            let kept = _mm256_cmpeq_epi8(_mm256_max_epu8(low, before), low);
            self.high = _mm256_add_epi8(self.high, _mm256_add_epi8(kept, bytes(1)));
        }
        // (f)(2)(ii) and (f)(4).
        let change = _mm256_shuffle_epi8(tables.change, class);
        self.counter = _mm256_add_epi8(_mm256_add_epi8(self.counter, gain), change);
    }
}

/// The permutation that closes the ranks of a set of rounds in each eight of a register,
/// and where the four pieces go.
struct Order {
    shuffle: __m256i,
    at: [usize; 4],
    /// One past the last round.
    end: usize,
}

impl Order {
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
    #[inline]
    fn new(set: u32, start: usize) -> Self {
        // The second eight of each half are bytes 8 to 15 there.
        const UPPER: u64 = 0x0808_0808_0808_0808;
        // No `map` over arrays here: a closure that is compiled for other instructions
        // than the function it is given to is not inlined there.
        let [a, b, c, d] = set.to_le_bytes();
        let a = BYTE_ORDERS[usize::from(a)].cast_signed();
        let b = (BYTE_ORDERS[usize::from(b)] + UPPER).cast_signed();
        let c = BYTE_ORDERS[usize::from(c)].cast_signed();
        let d = (BYTE_ORDERS[usize::from(d)] + UPPER).cast_signed();
        let members = |mask: u32| start + (set & mask).count_ones() as usize;
        Self {
            shuffle: _mm256_setr_epi64x(a, b, c, d),
            at: [start, members(0xff), members(0xffff), members(0x00ff_ffff)],
            end: members(u32::MAX),
        }
    }

    /// Stores the bytes of the set behind one another.
    ///
    /// # Safety
    /// `to` has room for eight bytes from each place on.
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
    #[inline]
    unsafe fn store(&self, values: __m256i, to: *mut u8) {
        let ordered = _mm256_shuffle_epi8(values, self.shuffle);
        let lower = _mm256_castsi256_si128(ordered);
        let upper = _mm256_extracti128_si256::<1>(ordered);
        // SAFETY: by the contract of this function. A later piece overwrites what an
        // earlier one stored past its end.
        unsafe {
            _mm_storel_epi64(to.add(self.at[0]).cast(), lower);
            store_upper(to.add(self.at[1]), lower);
            _mm_storel_epi64(to.add(self.at[2]).cast(), upper);
            store_upper(to.add(self.at[3]), upper);
        }
    }
}

/// Where rounds go after a spin.
struct Places<'t> {
    planes: *mut u8,
    short: *mut u8,
    long: &'t mut Vec<u16>,
    last: bool,
    live: usize,
    ended: usize,
}

impl Places<'_> {
    /// Closes the ranks of the survivors and puts the meters of the others aside.
    ///
    /// `OPENING` and `LISTED` make a copy for each caller, without which it is not inlined.
    ///
    /// # Safety
    /// `live` is at most the number of rounds that were read before, `ended` and the rounds
    /// not yet taken are together at most a batch, and `planes` and `short` have room for
    /// 64 rounds past a batch.
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
    #[inline]
    unsafe fn take<const LONG: bool, const OPENING: bool, const LISTED: bool>(
        &mut self,
        rounds: &Rounds,
        valid: u32,
    ) {
        let is_zero =
            |x| _mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256())).cast_unsigned();
        let over = if self.last {
            valid
        } else {
            valid & is_zero(rounds.counter)
        };
        let order = Order::new(valid & !over, self.live);
        let mut short = over;
        // SAFETY: by the contract, 32 bytes from `live` on are in each plane.
        unsafe {
            let plane = |plane: usize| self.planes.add(plane * STRIDE);
            order.store(rounds.x[0], plane(0));
            order.store(rounds.x[1], plane(1));
            order.store(rounds.x[2], plane(2));
            order.store(rounds.x[3], plane(3));
            order.store(rounds.x[4], plane(4));
            order.store(rounds.x[5], plane(5));
            order.store(rounds.counter, plane(COUNTER));
            order.store(rounds.offset, plane(OFFSET));
            order.store(rounds.low, plane(METER_LOW));
            if LONG {
                order.store(rounds.high, plane(METER_HIGH));
            }
        }
        if LONG {
            let long = over & !is_zero(rounds.high);
            short &= !long;
            if long != 0 {
                put_long(rounds.low, rounds.high, long, self.long);
            }
        }
        self.live = order.end;
        let order = Order::new(short, self.ended);
        // SAFETY: by the contract, 32 bytes from `ended` on are in the list.
        unsafe { order.store(rounds.low, self.short) };
        self.ended = order.end;
    }
}

/// Writes the meters of two bytes out one by one: they are few.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn put_long(low: __m256i, high: __m256i, mut which: u32, long: &mut Vec<u16>) {
    let (mut lows, mut highs) = ([0_u8; WIDTH], [0_u8; WIDTH]);
    // SAFETY: both arrays have the 32 bytes that are written.
    unsafe {
        _mm256_storeu_si256(lows.as_mut_ptr().cast(), low);
        _mm256_storeu_si256(highs.as_mut_ptr().cast(), high);
    }
    while which != 0 {
        let place = which.trailing_zeros() as usize;
        long.push(u16::from_le_bytes([lows[place], highs[place]]));
        which &= which - 1;
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn open(task: &mut Task<'_>) {
    if task.items.is_empty() {
        open_from::<false>(task);
    } else {
        open_from::<true>(task);
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn open_from<const LISTED: bool>(task: &mut Task<'_>) {
    let tables = Tables::new(task);
    let spins = task.table.opening as usize;
    let planes = task.planes.as_mut_ptr();
    let mut long = std::mem::take(task.long);
    let mut places = Places {
        planes,
        short: task.short.as_mut_ptr(),
        long: &mut long,
        last: task.last,
        live: 0,
        ended: task.ended,
    };
    let zero = _mm256_setzero_si256();
    let counter = bytes(task.table.spins);
    for at in (0..BATCH).step_by(WIDTH) {
        let mut x = [zero; 6];
        if let Starts::Fixed(values) = &task.table.starts {
            for (x, &value) in x.iter_mut().zip(values) {
                *x = bytes(value);
            }
        } else {
            for (plane, x) in x.iter_mut().enumerate() {
                // SAFETY: `at` is below the size of a batch, and planes are longer.
                *x = unsafe { _mm256_loadu_si256(planes.add(plane * STRIDE + at).cast()) };
            }
        }
        let mut rounds = Rounds {
            x,
            counter,
            offset: zero,
            low: zero,
            high: zero,
        };
        for spin in 0..spins {
            // SAFETY: `at` is a multiple of 32 below the size of a batch.
            let items = unsafe { Items::new::<LISTED>(task, &tables, spin, at) };
            // The opening is not longer than a byte holds the meters: see `WaveTable`.
            rounds.spin::<false>(&tables, items);
        }
        // SAFETY: at most `at` rounds were kept, and none had ended before the opening, so
        // both places are below the size of a batch; `Task::new` checked the room.
        unsafe { places.take::<false, true, LISTED>(&rounds, u32::MAX) };
    }
    let (live, ended) = (places.live, places.ended);
    *task.long = long;
    (task.live, task.ended) = (live, ended);
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn spin(task: &mut Task<'_>, count: usize, is_long: bool) {
    match (is_long, task.items.is_empty()) {
        (false, true) => spin_rounds::<false, false>(task, count),
        (false, false) => spin_rounds::<false, true>(task, count),
        (true, true) => spin_rounds::<true, false>(task, count),
        (true, false) => spin_rounds::<true, true>(task, count),
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn spin_rounds<const LONG: bool, const LISTED: bool>(task: &mut Task<'_>, count: usize) {
    let tables = Tables::new(task);
    let planes = task.planes.as_mut_ptr();
    let mut long = std::mem::take(task.long);
    let mut places = Places {
        planes,
        short: task.short.as_mut_ptr(),
        long: &mut long,
        last: task.last,
        live: 0,
        ended: task.ended,
    };
    let mut at = 0;
    while at < count {
        let left = count - at;
        let valid = if left >= WIDTH {
            u32::MAX
        } else {
            (1 << left) - 1
        };
        // SAFETY: `at` is below `count`, which `Task::new` checked to be at most the
        // size of a batch; planes have room for 64 rounds past it.
        let mut rounds = unsafe {
            let from = planes.add(at);
            Rounds {
                x: [
                    _mm256_loadu_si256(from.cast()),
                    _mm256_loadu_si256(from.add(STRIDE).cast()),
                    _mm256_loadu_si256(from.add(2 * STRIDE).cast()),
                    _mm256_loadu_si256(from.add(3 * STRIDE).cast()),
                    _mm256_loadu_si256(from.add(4 * STRIDE).cast()),
                    _mm256_loadu_si256(from.add(5 * STRIDE).cast()),
                ],
                counter: _mm256_loadu_si256(from.add(COUNTER * STRIDE).cast()),
                offset: _mm256_loadu_si256(from.add(OFFSET * STRIDE).cast()),
                low: _mm256_loadu_si256(from.add(METER_LOW * STRIDE).cast()),
                high: if LONG {
                    _mm256_loadu_si256(from.add(METER_HIGH * STRIDE).cast())
                } else {
                    _mm256_setzero_si256()
                },
            }
        };
        // SAFETY: `at` is a multiple of 32 below the size of a batch.
        let items = unsafe { Items::new::<LISTED>(task, &tables, 0, at) };
        rounds.spin::<LONG>(&tables, items);
        // SAFETY: at most `at` rounds were kept, so what is written was read before; those
        // that had ended and the `count` rounds of this spin are at most a batch.
        unsafe { places.take::<LONG, false, LISTED>(&rounds, valid) };
        at += WIDTH;
    }
    let (live, ended) = (places.live, places.ended);
    *task.long = long;
    (task.live, task.ended) = (live, ended);
}

// Sixteen rounds in a row are dealt eight words of one register and eight of another.
const _: () = assert!(dealt(8) == 32 && dealt(16) == 8 && dealt(40) == 48);
