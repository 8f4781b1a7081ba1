//! With a limit on the spins of a round: value iteration, once for each spin, in intervals.
//!
//! Every sum of [`moments`] and [`floor`](super::floor) is 0 with no spin left
//! and follows from one spin less by its own equation. With t spins left every counter of t or
//! more is alike, so counters 0 to t are all there is. What has to be cut is the multiplier, at
//! a width W above the floor:
//!
//! - W >= t times the largest drop D: no push is possible, the sums are 0 there;
//! - else a push within T spins needs the unfloored sum of shifts S to fall by W + 1. For any
//!   phi > 1 and psi = E[phi^-s], phi^-S / max(1, psi)^t is a supermartingale, so (Ville 1939)
//!   P(some push | m >= W) <= max(1, psi)^T phi^-(W + 1). With at most T down steps, `P_i` <= T
//!   D and |`y_i`| <= T Y, Y the largest shift, every sum is at most T^2 (T D) max(1, T D, T Y)
//!   in absolute value on that event. The product stands for the sum beyond W.
//!
//! For a long limit and a negative drift there is a second way: the figures without a limit,
//! and a bound on what the limit cuts off. With tau the spins without a limit, M the meter and
//! M' the meter if no potion took anything off a multiplier (M <= M', no floor), for any r > 1
//! with 1 / z = E[r^d] < 1
//!
//! ```text
//! 0 <= E[M^k] - E[M_T^k] <= E[M'^k; tau > T] <= z^-(T+1) E[M'^k z^tau] = z^-(T+1) r^n E~[M'^k].
//! ```
//!
//! E~ belongs to the law p~_d = z r^d `p_d` of a spin, because the product of z r^d over a
//! whole round from n is z^tau r^-n. It needs a negative drift too, and then E~[M'^k] is a
//! value of the same exact polynomials.

use dashu_ratio::RBig;

use super::floor::{
    Ahead, FloorTables, PairTable, Step, Sum, Table, class_sums, pair_source, size, steps,
    steps_with_itself,
};
use super::interval::Interval;
use super::law::{Law, drift_and_variance};
use super::length::unlimited_moments;
use super::meter;
use super::moments::{self, Column, Moments, Weights};
use super::pair::{Grid, PairSpin, Scratch};
use super::starts::Starts;

/// Elementary steps of interval arithmetic that a calculation may take, about ten seconds.
pub(super) const MAX_WORK: f64 = 4e9;

/// All sums with a number of spins left.
#[derive(Debug)]
pub(super) struct Layer {
    /// The moments without the floor.
    pub(super) moments: Moments<Column>,
    /// The floor's sums; empty where nothing can be pushed.
    pub(super) tables: FloorTables,
}

impl Ahead for Layer {
    fn d1(&self, n: i64) -> Interval {
        self.moments.d1.at(n)
    }

    fn d2(&self, n: i64) -> Interval {
        self.moments.d2.at(n)
    }

    fn b1(&self, class: usize, n: i64) -> Interval {
        self.moments.class[class].b1.at(n)
    }

    fn k(&self, class: usize, n: i64) -> Interval {
        self.moments.class[class].k.at(n)
    }

    fn f1(&self, class: usize, n: i64, m: i64) -> Interval {
        self.tables.class[class][0].at(n, m)
    }

    fn g1(&self, class: usize, n: i64, m: i64) -> Interval {
        self.tables.class[class][1].at(n, m)
    }
}

/// The plan of a value iteration.
#[derive(Debug)]
pub(super) struct Iteration<'a> {
    law: &'a Law,
    spins: u32,
    drop: i64,
    width: i64,
    /// What a sum can be beyond the width.
    outside: f64,
}

impl<'a> Iteration<'a> {
    /// Chooses the width.
    pub(super) fn new(law: &'a Law, spins: u32) -> Self {
        let drop = law.largest_drop();
        let full = i64::from(spins).saturating_mul(drop);
        let push = PushBound::new(law, spins);
        let mut width = 1;
        while width < full && push.sums_beyond(width) > 1e-19 {
            width += 1 + width / 16;
        }
        let width = width.min(full).max(1);
        let outside = if width >= full {
            0.0
        } else {
            push.sums_beyond(width)
        };
        Self {
            law,
            spins,
            drop,
            width,
            outside,
        }
    }

    /// Elementary steps that [`run`](Self::run) takes, roughly.
    pub(super) fn work(&self) -> f64 {
        let number =
            |value: usize| Interval::from_int(i64::try_from(value).expect("a count fits i64")).hi;
        let spins = f64::from(self.spins);
        let additions = number(self.law.additions.len());
        let classes = number(self.law.selection.len());
        let pairs = number(self.law.pairs.len());
        let moments = 12.0 * (classes + pairs) * 8.0;
        if self.drop == 0 {
            return spins * spins * 0.5 * moments;
        }
        let side = Interval::from_int(self.width + self.drop).hi;
        let single = (6.0 * classes + 2.0 * pairs) * side * 6.0 * (additions + 2.0);
        let double = pairs * side * side * (2.0 * additions + 8.0);
        spins * spins * 0.5 * (moments + single + double)
    }

    /// The sums with all spins left.
    pub(super) fn run(&self) -> Layer {
        let weights = moments::weights::<Column>(self.law);
        let mut layer = self.ended();
        for left in 1..=i64::from(self.spins) {
            layer = self.one_more(&layer, left, &weights);
        }
        layer
    }

    fn ended(&self) -> Layer {
        let mut tables = FloorTables::default();
        if self.drop > 0 {
            let zeros = || Table::zeros(0, self.width, Interval::ZERO, true);
            tables.class = (0..self.law.selection.len())
                .map(|_| std::array::from_fn(|_| zeros()))
                .collect();
            for _ in &self.law.pairs {
                tables.cross.push([zeros(), zeros()]);
                tables.pair.push(PairTable {
                    levels: 0,
                    width: self.width,
                    cells: vec![Interval::ZERO; size(self.width * self.width)],
                    outside: Interval::ZERO,
                    radius: Vec::new(),
                    saturates: true,
                });
            }
        }
        Layer {
            moments: moments::ended(self.law),
            tables,
        }
    }

    fn one_more(&self, previous: &Layer, left: i64, weights: &Weights<Interval>) -> Layer {
        let mut tables = FloorTables::default();
        if self.drop > 0 {
            for class in 0..self.law.selection.len() {
                let own = steps_with_itself(self.law, class);
                let sums = class_sums(class);
                tables.class.push(std::array::from_fn(|index| {
                    let before = &previous.tables.class[class][index];
                    self.single(sums[index], class, &own, previous, before, left)
                }));
            }
            for (index, &(first, second)) in self.law.pairs.iter().enumerate() {
                let cross = |class: usize, partner: usize, side: usize| {
                    let joint = steps(self.law, class, Some(partner));
                    let before = &previous.tables.cross[index][side];
                    self.single(Sum::G0(partner), class, &joint, previous, before, left)
                };
                tables
                    .cross
                    .push([cross(first, second, 0), cross(second, first, 1)]);
                tables
                    .pair
                    .push(self.pair((first, second), previous, index, left));
            }
        }
        Layer {
            moments: moments::one_more_spin(self.law, weights, &previous.moments),
            tables,
        }
    }

    fn single(
        &self,
        sum: Sum,
        class: usize,
        steps: &[Step],
        previous: &Layer,
        before: &Table,
        left: i64,
    ) -> Table {
        let mut table = Table::zeros(left, self.width, Interval::around_zero(self.outside), true);
        for n in 1..=left {
            for m in 0..self.width {
                let value = steps.iter().fold(Interval::ZERO, |total, step| {
                    let source = sum.source(previous, class, step, n, m);
                    let ahead = before.at(n + step.change, step.next(m));
                    total + step.probability * (source + ahead)
                });
                table.cells[size(n * self.width + m)] = value;
            }
        }
        table
    }

    fn pair(
        &self,
        classes: (usize, usize),
        previous: &Layer,
        index: usize,
        left: i64,
    ) -> PairTable {
        let width = self.width;
        let before = &previous.tables.pair[index];
        let grid = Grid {
            levels: before.levels,
            width,
            cells: before.cells.clone(),
            outside: before.outside,
            saturates: true,
        };
        let joint = steps(self.law, classes.0, Some(classes.1));
        let spin = PairSpin::<Interval>::new(self.law, classes);
        let side = width + self.drop;
        let mut scratch = Scratch::default();
        let mut cells = vec![Interval::ZERO; size((left + 1) * width * width)];
        for n in 1..=left {
            spin.apply(&grid, n, side, &mut scratch);
            for first in 0..width {
                for second in 0..width {
                    let mut value = scratch.result[size(first * side + second)];
                    if first < self.drop || second < self.drop {
                        for step in &joint {
                            if first + step.shift < 0 || second + step.partner_shift < 0 {
                                let m = (first, second);
                                let source = pair_source(previous, classes, step, n, m);
                                value += step.probability * source;
                            }
                        }
                    }
                    cells[size((n * width + first) * width + second)] = value;
                }
            }
        }
        PairTable {
            levels: left,
            width,
            cells,
            outside: Interval::around_zero(self.outside),
            radius: Vec::new(),
            saturates: true,
        }
    }
}

/// The bound on sums beyond a width, for the best phi of a grid.
#[derive(Debug)]
struct PushBound {
    /// phi and max(1, psi)^T.
    choices: Vec<(f64, f64)>,
    largest_sum: f64,
}

impl PushBound {
    fn new(law: &Law, spins: u32) -> Self {
        let classes: Vec<Vec<(i64, Interval)>> = (0..law.selection.len())
            .map(|class| {
                law.outcomes(class, None)
                    .iter()
                    .map(|outcome| {
                        (
                            outcome.shift(),
                            Interval::from_rational(&outcome.probability),
                        )
                    })
                    .collect()
            })
            .collect();
        let mut choices = Vec::new();
        let mut phi = 1.0625_f64;
        while phi < 1e6 {
            let base = Interval::point(phi);
            let psi = classes.iter().fold(1.0_f64, |most, steps| {
                let sum = steps.iter().fold(Interval::ZERO, |sum, &(shift, weight)| {
                    let power = base.power(shift.unsigned_abs());
                    let power = if shift > 0 {
                        // An overflow leaves a quotient that is 0 rounded up.
                        Interval {
                            lo: 0.0,
                            hi: Interval::ONE.over(power).hi.max(f64::MIN_POSITIVE),
                        }
                    } else {
                        power
                    };
                    sum + weight * power
                });
                most.max(sum.hi)
            });
            choices.push((phi, Interval::point(psi).power(u64::from(spins)).hi));
            phi *= 1.0625;
        }
        let spins = Interval::from_int(i64::from(spins));
        let drop = Interval::from_int(law.largest_drop());
        let largest_addition = law.additions.iter().map(|&(value, _)| value).max();
        let largest_delta = law.potions.iter().map(|potion| potion.delta.abs()).max();
        let shift =
            Interval::from_int(largest_addition.unwrap_or(0).max(0) + largest_delta.unwrap_or(0));
        let factor = (spins * drop).hi.max((spins * shift).hi).max(1.0);
        let largest_sum = spins * spins * spins * drop * Interval::point(factor);
        Self {
            choices,
            largest_sum: largest_sum.hi,
        }
    }

    /// What no sum exceeds at a multiplier of `width` or more above the floor.
    fn sums_beyond(&self, width: i64) -> f64 {
        let exponent = u64::try_from(width + 1).expect("a width is not negative");
        let probability = self.choices.iter().fold(1.0_f64, |least, &(phi, growth)| {
            let power = Interval::point(phi).power(exponent);
            let bound = if growth.is_finite() && power.lo.is_finite() {
                Interval::point(growth).over(power).hi
            } else {
                1.0
            };
            least.min(bound)
        });
        (Interval::point(probability) * Interval::point(self.largest_sum)).hi
    }
}

/// What a limit on spins cuts off at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct CutOff {
    /// Of `E[M]`.
    pub(super) mean: f64,
    /// Of `E[M^2]`.
    pub(super) second: f64,
    /// Of `E[spins]`.
    pub(super) spins: f64,
    /// Of `E[spins^2]`.
    pub(super) spins_second: f64,
}

impl CutOff {
    /// The bounds of the module's header; `None` where the drift is not negative.
    pub(super) fn new(law: &Law, starts: &Starts, start: u32, limit: u32) -> Option<Self> {
        let steps = law.steps(false);
        let (drift, _) = drift_and_variance(&steps);
        if drift >= RBig::ZERO {
            return None;
        }
        let r = choose_tilt(&steps, start, limit)?;
        let (tilted, inverse_z) = law.tilted(&r);
        let tilted_steps = tilted.steps(false);
        if drift_and_variance(&tilted_steps).0 >= RBig::ZERO || inverse_z >= RBig::ONE {
            return None;
        }
        let factor = Interval::from_rational(&inverse_z).power(u64::from(limit) + 1)
            * Interval::from_rational(&r).power(u64::from(start));
        let polynomials = moments::unlimited(&tilted);
        let (mean, second) = meter::unfloored(&tilted, starts, &polynomials, |poly| {
            poly.at(i64::from(start))
        });
        let (spins, variance) = unlimited_moments(&tilted_steps, start);
        let spins_second = variance + &spins * &spins;
        let times = |exact: &RBig| (factor * Interval::from_rational(exact)).hi;
        Some(Self {
            mean: times(&mean),
            second: times(&second),
            spins: times(&spins),
            spins_second: times(&spins_second),
        })
    }
}

/// A tilt r > 1 that makes the bound small; `None` if no candidate has a negative tilted drift.
fn choose_tilt(steps: &[(i64, RBig)], start: u32, limit: u32) -> Option<RBig> {
    let weights: Vec<(i32, f64)> = steps
        .iter()
        .map(|(change, probability)| {
            (
                i32::try_from(*change).expect("a change of the counter is small"),
                probability.to_f64().value(),
            )
        })
        .collect();
    let mut best: Option<(f64, RBig)> = None;
    for scale in [1_u32, 4, 16, 64, 1024, 16384] {
        for part in 1..=12_u32 {
            let r = 1.0 + f64::from(part) / (4.0 * f64::from(scale));
            let psi: f64 = weights.iter().map(|&(d, p)| p * r.powi(d)).sum();
            let drift: f64 = weights
                .iter()
                .map(|&(d, p)| f64::from(d) * p * r.powi(d))
                .sum::<f64>()
                / psi;
            if psi >= 1.0 || drift >= 0.0 {
                continue;
            }
            // The polynomials grow like drift^-3 at most.
            let size = psi.ln() * (f64::from(limit) + 1.0) + r.ln() * f64::from(start)
                - 3.0 * (-drift).ln();
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                let exact = RBig::ONE + RBig::from(part) / RBig::from(4 * scale);
                best = Some((size, exact));
            }
        }
    }
    best.map(|(_, r)| r)
}
