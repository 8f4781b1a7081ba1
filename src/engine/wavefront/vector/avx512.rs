//! AVX-512 with the byte permutations of VBMI and the compressions of VBMI2: 64 rounds
//! in a register.
//!
//! One spin of 64 rounds is about 55 vector operations, and the change of places after
//! it 20 more. The permutation that closes the ranks is found once, by compressing the
//! numbers 0 to 63, and then applied to each plane.

use std::arch::asm;
#[allow(
    clippy::wildcard_imports,
    reason = "the instructions; listing them says nothing"
)]
use std::arch::x86_64::*;

use super::super::planes::{BATCH, BLOCK, COUNTER, METER_HIGH, METER_LOW, OFFSET, PLANES, STRIDE};
use super::super::table::{ENTRIES, Orders, Outcome, Starts};
use super::{LaneStates, Task};

/// Whether the processor has what the functions of this module are compiled for.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

/// The numbers of the rounds of a register.
static PLACES: [u8; ENTRIES] = {
    let mut places = [0; ENTRIES];
    let mut place = 0;
    while place < ENTRIES {
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        {
            places[place] = place as u8;
        }
        place += 1;
    }
    places
};

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn load(table: &[u8; ENTRIES]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
    unsafe { _mm512_loadu_si512(table.as_ptr().cast()) }
}

/// The high halves of 16-bit products. Written in assembly because the intrinsic is
/// lowered to widened multiplications, which takes the whole spin twice as long.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn multiply_high(a: __m512i, b: __m512i) -> __m512i {
    let high: __m512i;
    // SAFETY: one instruction on registers; it reads and writes no memory and no flags.
    unsafe {
        asm!(
            "vpmulhuw {high}, {a}, {b}",
            high = out(zmm_reg) high,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    high
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn both(x: u16) -> __m512i {
    _mm512_set1_epi16(x.cast_signed())
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn bytes(x: u8) -> __m512i {
    _mm512_set1_epi8(x.cast_signed())
}

/// One step of eight xoshiro256++ generators (Blackman and Vigna, 2021).
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn next(state: &mut [__m512i; 4]) -> __m512i {
    let [s0, s1, s2, s3] = *state;
    let word = _mm512_add_epi64(_mm512_rol_epi64::<23>(_mm512_add_epi64(s0, s3)), s0);
    let shifted = _mm512_slli_epi64::<17>(s1);
    let mixed = _mm512_xor_si512(s3, s1);
    // 0x96 is the exclusive or of three.
    *state = [
        _mm512_xor_si512(s0, mixed),
        _mm512_ternarylogic_epi64::<0x96>(s1, s2, s0),
        _mm512_ternarylogic_epi64::<0x96>(s2, s0, shifted),
        _mm512_rol_epi64::<45>(mixed),
    ];
    word
}

/// The test of a narrow draw.
#[derive(Clone, Copy)]
struct Acceptance {
    outcomes: __m512i,
    least: __m512i,
}

impl Acceptance {
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
    )]
    #[inline]
    fn new(outcomes: u32) -> Self {
        // 65,536 outcomes are 0 in 16 bits, and then every word is accepted, as it
        // should be: the low half of the product is 0 and so is the least.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        Self {
            outcomes: both(outcomes as u16),
            least: both((65_536 % outcomes) as u16),
        }
    }

    /// Stores the accepted words of 32; returns how many they are.
    ///
    /// # Safety
    /// 32 words can be written from `to` on.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
    )]
    #[inline]
    unsafe fn store(self, words: __m512i, to: *mut u16) -> usize {
        let low = _mm512_mullo_epi16(words, self.outcomes);
        let accepted = _mm512_cmpge_epu16_mask(low, self.least);
        // SAFETY: by the contract of this function.
        unsafe { _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi16(accepted, words)) };
        accepted.count_ones() as usize
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
pub(super) fn draw(
    states: &mut LaneStates,
    outcomes: u32,
    count: usize,
    _raw: &mut [u64],
    words: &mut [u16],
) {
    let needed = count.next_multiple_of(BLOCK);
    assert!(words.len() >= needed + BLOCK, "room for one more step");
    let acceptance = Acceptance::new(outcomes);
    let mut halves = [[_mm512_setzero_si512(); 4]; 2];
    for (half, state) in halves.iter_mut().enumerate() {
        for (word, lanes) in state.iter_mut().zip(states.iter()) {
            // SAFETY: 8 of the 16 lanes, from lane 0 or 8 on.
            *word = unsafe { _mm512_loadu_si512(lanes.as_ptr().add(8 * half).cast()) };
        }
    }
    let [mut first, mut second] = halves;
    let to = words.as_mut_ptr();
    let mut filled = 0;
    while filled < needed {
        // SAFETY: `filled` is below `needed` before the step, whose 64 words end below
        // `needed` + 64.
        unsafe {
            filled += acceptance.store(next(&mut first), to.add(filled));
            filled += acceptance.store(next(&mut second), to.add(filled));
        }
    }
    for (half, state) in [first, second].into_iter().enumerate() {
        for (word, lanes) in state.into_iter().zip(states.iter_mut()) {
            // SAFETY: as above.
            unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().add(8 * half).cast(), word) };
        }
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
pub(super) fn accept(raw: &[u64], outcomes: u32, mut filled: usize, words: &mut [u16]) -> usize {
    assert!(
        words.len() >= filled + 4 * raw.len() + BLOCK,
        "room for all words"
    );
    let acceptance = Acceptance::new(outcomes);
    for eight in raw.as_chunks::<8>().0 {
        // SAFETY: eight u64 are read; of the words before, at most four for each u64
        // were stored, so 32 more end in the room that was checked.
        unsafe {
            let drawn = _mm512_loadu_si512(eight.as_ptr().cast());
            filled += acceptance.store(drawn, words.as_mut_ptr().add(filled));
        }
    }
    filled
}

/// 64 rounds.
#[derive(Clone, Copy)]
struct Rounds {
    x: [__m512i; 6],
    counter: __m512i,
    offset: __m512i,
    low: __m512i,
    high: __m512i,
}

/// The tables of a paytable in registers.
struct Tables {
    inner: __m512i,
    selections: __m512i,
    outer: __m512i,
    amount: __m512i,
    gain: __m512i,
    selected: Option<__m512i>,
    class: __m512i,
    shift: __m512i,
    change: __m512i,
    /// The floor plus 128.
    lift: __m512i,
}

impl Tables {
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
    )]
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
            amount: load(&table.amount),
            gain: load(&table.gain),
            selected: table.selected.as_ref().map(|selected| load(selected)),
            class: load(&table.class),
            shift: load(&table.shift_of_item),
            change: load(&table.change_of_item),
            lift: bytes(table.floor + 128),
        }
    }
}

/// Inner, selection and outer items of 64 rounds.
#[derive(Clone, Copy)]
struct Items {
    inner: __m512i,
    selected: __m512i,
    outer: __m512i,
}

impl Items {
    /// The items of the rounds from `at` on in a spin of the opening.
    ///
    /// # Safety
    /// `at` is a multiple of 64 below the size of a batch.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
    )]
    #[inline]
    unsafe fn new<const LISTED: bool>(
        task: &Task<'_>,
        tables: &Tables,
        spin: usize,
        at: usize,
    ) -> Self {
        if LISTED {
            let [inner, selected, outer] = &task.items[spin];
            // SAFETY: the lists hold a byte for every round of a batch, which has whole
            // blocks (`Task::new`).
            return unsafe {
                Self {
                    inner: _mm512_loadu_si512(inner.as_ptr().add(at).cast()),
                    selected: _mm512_loadu_si512(selected.as_ptr().add(at).cast()),
                    outer: _mm512_loadu_si512(outer.as_ptr().add(at).cast()),
                }
            };
        }
        let words = task.words[spin].as_ptr();
        // SAFETY: the lists hold a word for every round of a batch and 64 more.
        let (first, second) = unsafe {
            (
                _mm512_loadu_si512(words.add(at).cast()),
                _mm512_loadu_si512(words.add(at + 32).cast()),
            )
        };
        // A word times the number of items is the item in the high half, and in the low
        // half what is left of the word for the next: the digits of floor(w J / 2^16).
        // Packing takes eight words of one register, then eight of the other: the
        // order of the dealing rule.
        let digit = |first, second, items| {
            _mm512_packus_epi16(multiply_high(first, items), multiply_high(second, items))
        };
        let rest = |word, items| _mm512_mullo_epi16(word, items);
        let inner = digit(first, second, tables.inner);
        let (first, second) = (rest(first, tables.inner), rest(second, tables.inner));
        let mut selected = digit(first, second, tables.selections);
        let (first, second) = (
            rest(first, tables.selections),
            rest(second, tables.selections),
        );
        let outer = digit(first, second, tables.outer);
        if let Some(table) = tables.selected {
            selected = _mm512_permutexvar_epi8(selected, table);
        }
        Self {
            inner,
            selected,
            outer,
        }
    }
}

impl Rounds {
    /// One pass of 693.6(f) for 64 rounds; `table.rs` says what the bytes mean.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
    )]
    #[inline]
    fn spin<const LONG: bool>(&mut self, tables: &Tables, items: Items) {
        let amount = _mm512_permutexvar_epi8(items.inner, tables.amount);
        let class = _mm512_permutexvar_epi8(items.outer, tables.class);
        let before = self.low;
        // (f)(4)(i) in two parts: the shared byte of whoever is hit, then its own. No
        // potion moves a multiplier in the same spin.
        let is_hit = _mm512_cmplt_epu8_mask(class, bytes(6));
        let mut low = _mm512_mask_add_epi8(before, is_hit, before, self.offset);
        // (f)(4)(iii) and (iv).
        let shift = _mm512_permutexvar_epi8(items.outer, tables.shift);
        self.offset = _mm512_add_epi8(self.offset, shift);
        // max(f - r, 0), for r from -128 to 127.
        let biased = _mm512_xor_si512(self.offset, bytes(128));
        let least = _mm512_subs_epu8(tables.lift, biased);
        for (x, number) in self.x.iter_mut().zip(0..6) {
            let number = bytes(number);
            // (f)(2)(i): the boost counts in this very pass.
            let is_selected = _mm512_cmpeq_epi8_mask(items.selected, number);
            let boosted = _mm512_mask_add_epi8(*x, is_selected, *x, amount);
            let is_hit = _mm512_cmpeq_epi8_mask(class, number);
            low = _mm512_mask_add_epi8(low, is_hit, low, boosted);
            *x = _mm512_max_epu8(boosted, least);
        }
        self.low = low;
        if LONG {
            // A multiplier is at most 255, so the sum wrapped where it became smaller.
            let carry = _mm512_cmplt_epu8_mask(low, before);
            self.high = _mm512_mask_add_epi8(self.high, carry, self.high, bytes(1));
        }
        // (f)(2)(ii) and (f)(4).
        let gain = _mm512_permutexvar_epi8(items.inner, tables.gain);
        let change = _mm512_permutexvar_epi8(items.outer, tables.change);
        self.counter = _mm512_add_epi8(_mm512_add_epi8(self.counter, gain), change);
    }
}

/// Stores bytes in the order given.
///
/// # Safety
/// 64 bytes can be written from `to` on.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
unsafe fn put(values: __m512i, order: __m512i, to: *mut u8) {
    // SAFETY: by the contract of this function.
    unsafe { _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi8(order, values)) };
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
    /// # Safety
    /// `live` is at most the number of rounds that were read before, `ended` and the rounds
    /// not yet taken are together at most a batch, and `planes` and `short` have room for
    /// 64 rounds past a batch.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
    )]
    #[inline]
    unsafe fn take<const LONG: bool>(&mut self, rounds: &Rounds, valid: u64) {
        let zero = _mm512_mask_testn_epi8_mask(valid, rounds.counter, rounds.counter);
        let over = if self.last { valid } else { zero };
        let kept = valid & !over;
        let order = _mm512_maskz_compress_epi8(kept, load(&PLACES));
        // SAFETY: by the contract, 64 bytes from `live` on are in each plane.
        unsafe {
            let to = self.planes.add(self.live);
            put(rounds.x[0], order, to);
            put(rounds.x[1], order, to.add(STRIDE));
            put(rounds.x[2], order, to.add(2 * STRIDE));
            put(rounds.x[3], order, to.add(3 * STRIDE));
            put(rounds.x[4], order, to.add(4 * STRIDE));
            put(rounds.x[5], order, to.add(5 * STRIDE));
            put(rounds.counter, order, to.add(COUNTER * STRIDE));
            put(rounds.offset, order, to.add(OFFSET * STRIDE));
            put(rounds.low, order, to.add(METER_LOW * STRIDE));
            if LONG {
                put(rounds.high, order, to.add(METER_HIGH * STRIDE));
            }
        }
        let mut short = over;
        if LONG {
            let long = _mm512_mask_test_epi8_mask(over, rounds.high, rounds.high);
            short &= !long;
            if long != 0 {
                put_long(rounds.low, rounds.high, long, self.long);
            }
        }
        // SAFETY: by the contract, 64 bytes from `ended` on are in the list.
        unsafe {
            let meters = _mm512_maskz_compress_epi8(short, rounds.low);
            _mm512_storeu_si512(self.short.add(self.ended).cast(), meters);
        }
        self.live += kept.count_ones() as usize;
        self.ended += short.count_ones() as usize;
    }
}

/// Writes the meters of two bytes out one by one: they are few.
#[cold]
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
fn put_long(low: __m512i, high: __m512i, mut which: u64, long: &mut Vec<u16>) {
    let (mut lows, mut highs) = ([0_u8; BLOCK], [0_u8; BLOCK]);
    // SAFETY: both arrays have the 64 bytes that are written.
    unsafe {
        _mm512_storeu_si512(lows.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(highs.as_mut_ptr().cast(), high);
    }
    while which != 0 {
        let place = which.trailing_zeros() as usize;
        long.push(u16::from_le_bytes([lows[place], highs[place]]));
        which &= which - 1;
    }
}

/// The starting multipliers of 64 rounds whose six values come in random order.
///
/// The outcome's first digit in base 6 is the position of the first character's value;
/// the other digit, below 120, is the order of the five that are left, whose ranks skip
/// that position.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
#[inline]
fn orders(orders: &Orders, first: __m512i, second: __m512i) -> [__m512i; 6] {
    let (six, rest) = (both(6), both(120));
    let head = _mm512_packus_epi16(multiply_high(first, six), multiply_high(second, six));
    let first = _mm512_mullo_epi16(first, six);
    let second = _mm512_mullo_epi16(second, six);
    let order = _mm512_packus_epi16(multiply_high(first, rest), multiply_high(second, rest));
    let is_upper = _mm512_movepi8_mask(_mm512_add_epi8(order, order));
    let values = load(&orders.values);
    let mut x = [_mm512_permutexvar_epi8(head, values); 6];
    for (x, ranks) in x[1..].iter_mut().zip(&orders.ranks) {
        let (lower, upper) = ranks.split_at(ENTRIES);
        let table = |half: &[u8]| load(half.try_into().expect("half of the ranks"));
        let rank = _mm512_permutexvar_epi8(order, table(lower));
        let rank = _mm512_mask_permutexvar_epi8(rank, is_upper, order, table(upper));
        let is_after = _mm512_cmpge_epu8_mask(rank, head);
        let position = _mm512_mask_add_epi8(rank, is_after, rank, bytes(1));
        *x = _mm512_permutexvar_epi8(position, values);
    }
    x
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
pub(super) fn open(task: &mut Task<'_>) {
    if task.items.is_empty() {
        open_from::<false>(task);
    } else {
        open_from::<true>(task);
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
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
    let zero = _mm512_setzero_si512();
    let counter = bytes(task.table.spins);
    for at in (0..BATCH).step_by(BLOCK) {
        let mut x = [zero; 6];
        match &task.table.starts {
            Starts::Fixed(values) => {
                for (x, &value) in x.iter_mut().zip(values) {
                    *x = bytes(value);
                }
            }
            Starts::Orders { orders: table, .. } => {
                let words = task.words[spins].as_ptr();
                // SAFETY: the list holds a word for every round of a batch and 64 more.
                let (first, second) = unsafe {
                    (
                        _mm512_loadu_si512(words.add(at).cast()),
                        _mm512_loadu_si512(words.add(at + 32).cast()),
                    )
                };
                x = orders(table, first, second);
            }
            Starts::Rows { .. } | Starts::Sampled => {
                for (plane, x) in x.iter_mut().enumerate() {
                    // SAFETY: `at` is below the size of a batch, and planes are longer.
                    *x = unsafe { _mm512_loadu_si512(planes.add(plane * STRIDE + at).cast()) };
                }
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
            // SAFETY: `at` is a multiple of 64 below the size of a batch.
            let items = unsafe { Items::new::<LISTED>(task, &tables, spin, at) };
            // The opening is not longer than a byte holds the meters: see `WaveTable`.
            rounds.spin::<false>(&tables, items);
        }
        // SAFETY: at most `at` rounds were kept, and none had ended before the opening, so
        // both places are below the size of a batch; `Task::new` checked the room.
        unsafe { places.take::<false>(&rounds, u64::MAX) };
    }
    let (live, ended) = (places.live, places.ended);
    *task.long = long;
    (task.live, task.ended) = (live, ended);
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
pub(super) fn spin(task: &mut Task<'_>, count: usize, is_long: bool) {
    match (is_long, task.items.is_empty()) {
        (false, true) => spin_rounds::<false, false>(task, count),
        (false, false) => spin_rounds::<false, true>(task, count),
        (true, true) => spin_rounds::<true, false>(task, count),
        (true, false) => spin_rounds::<true, true>(task, count),
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2,lzcnt"
)]
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
        let valid = if left >= BLOCK {
            u64::MAX
        } else {
            (1 << left) - 1
        };
        // SAFETY: `at` is below `count`, which `Task::new` checked to be at most the
        // size of a batch; planes have room for 64 rounds past it.
        let rounds = unsafe {
            let from = planes.add(at);
            Rounds {
                x: [
                    _mm512_loadu_si512(from.cast()),
                    _mm512_loadu_si512(from.add(STRIDE).cast()),
                    _mm512_loadu_si512(from.add(2 * STRIDE).cast()),
                    _mm512_loadu_si512(from.add(3 * STRIDE).cast()),
                    _mm512_loadu_si512(from.add(4 * STRIDE).cast()),
                    _mm512_loadu_si512(from.add(5 * STRIDE).cast()),
                ],
                counter: _mm512_loadu_si512(from.add(COUNTER * STRIDE).cast()),
                offset: _mm512_loadu_si512(from.add(OFFSET * STRIDE).cast()),
                low: _mm512_loadu_si512(from.add(METER_LOW * STRIDE).cast()),
                high: if LONG {
                    _mm512_loadu_si512(from.add(METER_HIGH * STRIDE).cast())
                } else {
                    _mm512_setzero_si512()
                },
            }
        };
        let mut rounds = rounds;
        // SAFETY: `at` is a multiple of 64 below the size of a batch.
        let items = unsafe { Items::new::<LISTED>(task, &tables, 0, at) };
        rounds.spin::<LONG>(&tables, items);
        // SAFETY: at most `at` rounds were kept, so what is written was read before; those
        // that had ended and the `count` rounds of this spin are at most a batch.
        unsafe { places.take::<LONG>(&rounds, valid) };
        at += BLOCK;
    }
    let (live, ended) = (places.live, places.ended);
    *task.long = long;
    (task.live, task.ended) = (live, ended);
}

const _: () = assert!(METER_HIGH < PLANES && COUNTER >= 6);
