//! The vector back ends: the only module of the project with `unsafe` code.
//!
//! Two kinds of operations are unsafe here, and each block says why it is sound:
//!
//! - calling a function that is compiled for instructions which the processor may lack.
//!   [`Vector`] can only be made by [`Vector::detect`] and [`Vector::named`], which ask
//!   the processor first;
//! - loads and stores through pointers. The safe functions around them check once, on
//!   entry, that each buffer has room for a whole register past the last round, and the
//!   loops advance by what those checks allow.
//!
//! Each back end does the same few things ([`Task`] names what they need): turn
//! generator states into accepted words, put starting rows into planes, play the spins
//! of the opening in registers, play a spin of all rounds in play.

#![expect(
    unsafe_code,
    reason = "vector instructions; the argument stands at every block"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod deal;

use super::super::plan::EngineKind;
use super::planes::{BATCH, BLOCK, Buffers, PLANES, STRIDE};
use super::table::{Outcome, WaveTable};

/// The states of the 16 generators of a batch: word k of lane l is `[k][l]`.
pub(super) type LaneStates = [[u64; 16]; 4];

/// A set of vector instructions that the processor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Vector(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(not(target_arch = "x86_64"))]
    Absent(std::convert::Infallible),
}

impl Vector {
    /// The fastest that the processor has.
    pub(crate) fn detect() -> Option<Self> {
        Self::named(EngineKind::Avx512).or_else(|| Self::named(EngineKind::Avx2))
    }

    /// The one asked for, where the processor has it.
    pub(crate) fn named(engine: EngineKind) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            match engine {
                EngineKind::Avx512 if avx512::is_available() => Some(Self(Kind::Avx512)),
                EngineKind::Avx2 if avx2::is_available() => Some(Self(Kind::Avx2)),
                _ => None,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = engine;
            None
        }
    }

    /// Its name as an engine.
    pub(crate) fn engine(self) -> EngineKind {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => EngineKind::Avx512,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => EngineKind::Avx2,
            #[cfg(not(target_arch = "x86_64"))]
            Kind::Absent(never) => match never {},
        }
    }
}

/// Calls a function of the back end.
macro_rules! dispatch {
    ($vector:expr, $function:ident($($argument:expr),*)) => {
        match $vector.0 {
            // SAFETY: a `Vector` of this kind is only made where the processor has the
            // instructions that the functions of this back end are compiled for.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { avx512::$function($($argument),*) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(not(target_arch = "x86_64"))]
            Kind::Absent(never) => match never {},
        }
    };
}

impl Vector {
    /// Whether the opening makes the orders of six values itself, without rows.
    pub(super) fn orders_in_registers(self) -> bool {
        self.engine() == EngineKind::Avx512
    }

    /// Draws a phase of `count` narrow draws from xoshiro256++ lanes: accepted words in
    /// the order drawn, whole blocks of them.
    pub(super) fn draw(
        self,
        states: &mut LaneStates,
        outcomes: u32,
        count: usize,
        raw: &mut [u64],
        words: &mut [u16],
    ) {
        dispatch!(self, draw(states, outcomes, count, raw, words));
    }

    /// Appends the accepted words of some steps to the first `filled`; returns how many
    /// there are then.
    pub(super) fn accept(
        self,
        raw: &[u64],
        outcomes: u32,
        filled: usize,
        words: &mut [u16],
    ) -> usize {
        dispatch!(self, accept(raw, outcomes, filled, words))
    }

    /// Puts the starting rows of a batch into the planes of x.
    pub(super) fn deal(self, rows: &[u64], outcomes: u32, words: &[u16], planes: &mut [u8]) {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 | Kind::Avx2 => deal::deal(rows, outcomes, words, planes),
            #[cfg(not(target_arch = "x86_64"))]
            Kind::Absent(never) => match never {},
        }
    }

    /// Plays the first spins of a whole batch. Returns the number of rounds in play.
    pub(super) fn open(self, table: &WaveTable, last: bool, buffers: &mut Buffers) -> usize {
        let mut task = Task::new(table, BATCH, last, buffers);
        dispatch!(self, open(&mut task));
        let (live, ended) = (task.live, task.ended);
        buffers.short_len = ended;
        live
    }

    /// Plays one spin of `count` rounds. Returns the number of rounds in play after it.
    ///
    /// # Arguments
    /// - `is_long`: meters have two bytes
    /// - `last`: the spin ends every round
    pub(super) fn spin(
        self,
        table: &WaveTable,
        count: usize,
        is_long: bool,
        last: bool,
        buffers: &mut Buffers,
    ) -> usize {
        let mut task = Task::new(table, count, last, buffers);
        dispatch!(self, spin(&mut task, count, is_long));
        let (live, ended) = (task.live, task.ended);
        buffers.short_len = ended;
        live
    }
}

/// What a back end works on. Made by [`Task::new`] alone, which checks every length.
struct Task<'t> {
    table: &'t WaveTable,
    /// The spin that ends this piece of work ends every round.
    last: bool,
    planes: &'t mut [u8],
    words: &'t [Vec<u16>],
    /// Empty where outcomes are digits of the words.
    items: &'t [[Vec<u8>; 3]],
    short: &'t mut [u8],
    long: &'t mut Vec<u16>,
    /// Rounds in `short`.
    ended: usize,
    /// Rounds in play, once it is done.
    live: usize,
}

impl<'t> Task<'t> {
    /// A piece of work for `count` rounds.
    fn new(table: &'t WaveTable, count: usize, last: bool, buffers: &'t mut Buffers) -> Self {
        let Buffers {
            planes,
            words,
            items,
            raw: _,
            short,
            short_len,
            long,
        } = buffers;
        let spins = table.opening as usize;
        let is_listed = matches!(table.outcome, Outcome::Listed(_));
        assert!(
            planes.len() == PLANES * STRIDE
                && words.len() == spins + 1
                && words.iter().all(|words| words.len() >= BATCH + BLOCK)
                && items.len() == if is_listed { spins } else { 0 }
                && items.iter().flatten().all(|items| items.len() >= BATCH)
                && short.len() >= BATCH + BLOCK
                // No more rounds end than a batch has.
                && count <= BATCH
                && *short_len <= BATCH - count,
            "buffers have room for a register past the last round"
        );
        Self {
            table,
            last,
            planes,
            words,
            items,
            short,
            long,
            ended: *short_len,
            live: 0,
        }
    }
}
