//! What the floor of 693.6(f)(4)(iv) adds: the equations.
//!
//! A potion that would take a multiplier below the floor pushes it up to the floor instead. Let
//! `push` be the size of such a push, `P_i` the sum of all pushes of a character between now
//! and the i-th down step, and `x_i` its multiplier at that step if there were no floor, so
//! that its multiplier is `x_i` + `P_i`. Every moment of the meter splits into the part of
//! [`moments`](super::moments), a polynomial of the starting multiplier, and sums that contain
//! a P. With m the present multiplier above the floor, `y_i` as in `moments`, and ' for a
//! second character, the sums are
//!
//! ```text
//! f1(n, m) = E[sum P_i]         g1(n, m) = E[sum_{i != j} P_i]
//! r0(n, m) = E[sum P_i y_i]     g0(n, m) = E[sum_{i != j} P_i y'_j]
//! t2(n, m) = E[sum P_i^2]       tt(n, m) = E[sum_{i != j} P_i P_j]
//!                               pp(n, m, m') = E[sum_{i != j} P_i P'_j]
//! ```
//!
//! (g0 for the character itself as well: y' = y). In one spin the push of that spin enters
//! every later `P_i`; at a down step `P_i` is still 0. Everything on the right taken after the
//! spin, at n + d and m1 = max(m + s, 0) with s = a + delta the unfloored shift and push =
//! max(-(m + s), 0):
//!
//! ```text
//! f1 = E[push d1 + f1]
//! g1 = E[push d2 + 1 f1 + g1]
//! r0 = E[push (s d1 + b1) + s f1 + r0]
//! g0 = E[push (s' d2 + k') + s' g1 + 1 a' f1 + g0]
//! t2 = E[push^2 d1 + 2 push f1 + t2]
//! tt = E[push^2 d2 + 2 push g1 + tt]
//! pp = E[push push' d2 + push g1'(m1') + push' g1(m1) + pp]
//! ```
//!
//! where 1 = 1{down step}. Every sum dies out as m grows, because a push needs the multiplier
//! to come down first, and that is what makes a finite table enough. The meter's moments are
//! put together in [`meter`](super::meter). [`unlimited`](super::unlimited) solves the
//! equations without a limit on spins, [`horizon`](super::horizon) with one.

use super::interval::Interval;
use super::law::{Law, Outcome};

/// An outcome of one spin, ready for the equations.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) probability: Interval,
    pub(super) change: i64,
    pub(super) down: bool,
    /// s as an integer, for the move of m.
    pub(super) shift: i64,
    /// s' as an integer, for the move of m'.
    pub(super) partner_shift: i64,
    /// s, s' and a' as factors; absolute values in a majorant.
    own_factor: Interval,
    partner_factor: Interval,
    partner_add: Interval,
}

impl Step {
    fn new(outcome: &Outcome<Interval>) -> Self {
        Self {
            probability: outcome.probability,
            change: outcome.change,
            down: outcome.down,
            shift: outcome.shift(),
            partner_shift: outcome.partner_shift(),
            own_factor: Interval::from_int(outcome.shift()),
            partner_factor: Interval::from_int(outcome.partner_shift()),
            partner_add: Interval::from_int(outcome.partner_add),
        }
    }

    /// With the factors s, s' and a' made positive; the moves stay.
    pub(super) fn absolute(&self) -> Self {
        let size = |factor: Interval| Interval::point(factor.magnitude());
        Self {
            own_factor: size(self.own_factor),
            partner_factor: size(self.partner_factor),
            partner_add: size(self.partner_add),
            ..self.clone()
        }
    }

    /// The multiplier above the floor after the spin.
    pub(super) fn next(&self, m: i64) -> i64 {
        (m + self.shift).max(0)
    }

    /// The push of the spin, as a number.
    pub(super) fn push(&self, m: i64) -> Interval {
        push(m + self.shift)
    }
}

/// What a multiplier at `target` above the floor is pushed up by.
pub(super) fn push(target: i64) -> Interval {
    if target < 0 {
        Interval::from_int(-target)
    } else {
        Interval::ZERO
    }
}

/// The steps of a class and, if given, a second character.
pub(super) fn steps(law: &Law, class: usize, partner: Option<usize>) -> Vec<Step> {
    law.outcomes(class, partner)
        .iter()
        .map(|outcome| Step::new(&outcome.map(Interval::from_rational)))
        .collect()
}

/// The steps in which the second character is the first one itself.
pub(super) fn steps_with_itself(law: &Law, class: usize) -> Vec<Step> {
    law.outcomes(class, None)
        .iter()
        .map(|outcome| {
            let mut outcome = outcome.map(Interval::from_rational);
            outcome.partner_add = outcome.add;
            Step::new(&outcome)
        })
        .collect()
}

/// A sum of the module's header that depends on one multiplier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sum {
    /// f1.
    F1,
    /// g1.
    G1,
    /// r0.
    R0,
    /// g0, of the steps' second character, whose class it holds.
    G0(usize),
    /// t2.
    T2,
    /// tt.
    Tt,
}

/// What the equations read after the spin.
pub(super) trait Ahead {
    /// d1 at a counter.
    fn d1(&self, n: i64) -> Interval;
    /// d2 at a counter.
    fn d2(&self, n: i64) -> Interval;
    /// b1 of a class.
    fn b1(&self, class: usize, n: i64) -> Interval;
    /// k of a class.
    fn k(&self, class: usize, n: i64) -> Interval;
    /// f1 of a class.
    fn f1(&self, class: usize, n: i64, m: i64) -> Interval;
    /// g1 of a class.
    fn g1(&self, class: usize, n: i64, m: i64) -> Interval;
}

impl Sum {
    /// The equation's right side for one step, without the sum itself and the probability.
    pub(super) fn source(
        self,
        ahead: &impl Ahead,
        class: usize,
        step: &Step,
        n: i64,
        m: i64,
    ) -> Interval {
        let n = n + step.change;
        let next = step.next(m);
        let push = step.push(m);
        let pushed = m + step.shift < 0;
        let twice = Interval::point(2.0);
        let mut total = Interval::ZERO;
        if pushed {
            total += match self {
                Self::F1 => push * ahead.d1(n),
                Self::G1 => push * ahead.d2(n),
                Self::R0 => push * (step.own_factor * ahead.d1(n) + ahead.b1(class, n)),
                Self::G0(partner) => {
                    push * (step.partner_factor * ahead.d2(n) + ahead.k(partner, n))
                }
                Self::T2 => push * push * ahead.d1(n) + twice * push * ahead.f1(class, n, next),
                Self::Tt => push * push * ahead.d2(n) + twice * push * ahead.g1(class, n, next),
            };
        }
        match self {
            Self::F1 | Self::T2 | Self::Tt => {}
            Self::G1 => {
                if step.down {
                    total += ahead.f1(class, n, next);
                }
            }
            Self::R0 => total += step.own_factor * ahead.f1(class, n, next),
            Self::G0(_) => {
                total += step.partner_factor * ahead.g1(class, n, next);
                if step.down {
                    total += step.partner_add * ahead.f1(class, n, next);
                }
            }
        }
        total
    }
}

/// The right side of the equation of pp for one step, without pp itself and the probability.
pub(super) fn pair_source(
    ahead: &impl Ahead,
    classes: (usize, usize),
    step: &Step,
    n: i64,
    m: (i64, i64),
) -> Interval {
    let n = n + step.change;
    let (first, second) = (m.0 + step.shift, m.1 + step.partner_shift);
    let mut total = Interval::ZERO;
    if first < 0 && second < 0 {
        total += push(first) * push(second) * ahead.d2(n);
    }
    if first < 0 {
        total += push(first) * ahead.g1(classes.1, n, second.max(0));
    }
    if second < 0 {
        total += push(second) * ahead.g1(classes.0, n, first.max(0));
    }
    total
}

/// A sum for counters 0 to `levels` and multipliers 0 to `width - 1` above the floor.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// Largest counter kept.
    pub(super) levels: i64,
    /// Multipliers kept.
    pub(super) width: i64,
    /// Row by row, counter first.
    pub(super) cells: Vec<Interval>,
    /// What stands for a multiplier beyond the table.
    pub(super) outside: Interval,
    /// Whether a counter beyond the table has the value of the last one.
    pub(super) saturates: bool,
    /// Error at each counter that the cells do not contain; empty for none.
    pub(super) radius: Vec<f64>,
}

impl Table {
    /// A table of zeros.
    pub(super) fn zeros(levels: i64, width: i64, outside: Interval, saturates: bool) -> Self {
        Self {
            levels,
            width,
            cells: vec![Interval::ZERO; size(levels + 1) * size(width)],
            outside,
            saturates,
            radius: Vec::new(),
        }
    }

    /// The cell's number, without the error in `radius`.
    pub(super) fn at(&self, n: i64, m: i64) -> Interval {
        if n <= 0 {
            return Interval::ZERO;
        }
        let n = if n <= self.levels {
            n
        } else if self.saturates {
            self.levels
        } else {
            return Interval::ZERO;
        };
        if n == 0 {
            Interval::ZERO
        } else if m < self.width {
            self.cells[size(n * self.width + m)]
        } else {
            self.outside
        }
    }

    /// An enclosure of the sum at a counter and a multiplier above the floor.
    pub(super) fn enclosure(&self, n: i64, m: i64) -> Interval {
        let radius = self.radius.get(size(n.max(0))).copied().unwrap_or_default();
        self.at(n, m).widened(radius)
    }
}

/// An index that is known not to be negative.
pub(super) fn size(index: i64) -> usize {
    usize::try_from(index).expect("the index is not negative")
}

/// All sums, as far as they are known.
#[derive(Debug, Clone, Default)]
pub(super) struct FloorTables {
    /// By class: f1, g1, r0, g0 with itself, t2, tt.
    pub(super) class: Vec<[Table; 6]>,
    /// By pair of classes: g0 of the first with the second's y, g0 of the second with the
    /// first's y.
    pub(super) cross: Vec<[Table; 2]>,
    /// By pair of classes: pp.
    pub(super) pair: Vec<PairTable>,
}

/// The sums of one class in the order in which [`FloorTables`] keeps and solves them.
pub(super) fn class_sums(class: usize) -> [Sum; 6] {
    [Sum::F1, Sum::G1, Sum::R0, Sum::G0(class), Sum::T2, Sum::Tt]
}

/// pp as intervals, with the error that the cells do not contain.
#[derive(Debug, Clone)]
pub(super) struct PairTable {
    /// Largest counter kept.
    pub(super) levels: i64,
    /// Multipliers kept on either side.
    pub(super) width: i64,
    /// Cells by counter, first multiplier, second multiplier.
    pub(super) cells: Vec<Interval>,
    /// What stands for multipliers beyond the table.
    pub(super) outside: Interval,
    /// Error at each counter that the cells do not contain; empty for none.
    pub(super) radius: Vec<f64>,
    /// Whether a counter beyond the table has the value of the last one.
    pub(super) saturates: bool,
}

impl PairTable {
    /// An enclosure of pp at a counter and two multipliers above the floor.
    pub(super) fn enclosure(&self, n: i64, first: i64, second: i64) -> Interval {
        let radius = self.radius.get(size(n.max(0))).copied().unwrap_or_default();
        let n = if self.saturates {
            n.min(self.levels)
        } else {
            n
        };
        let inside = first < self.width && second < self.width;
        let cell = if n <= 0 || n > self.levels {
            Interval::ZERO
        } else if inside {
            self.cells[size((n * self.width + first) * self.width + second)]
        } else {
            self.outside
        };
        cell.widened(radius)
    }
}
