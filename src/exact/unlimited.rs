//! The floor's sums without a limit on spins: solved in floating point, proved by residual.
//!
//! Each equation of [`floor`](super::floor) is solved on a box n <= N, m < L by Gauss-Seidel
//! sweeps in ascending n (most of the probability goes down, so a sweep contracts well), with 0
//! outside. How good that is does not matter for the proof: the residual of the result is then
//! evaluated in interval arithmetic on every state where it can differ from 0, and
//! [`supersolution`](super::supersolution) turns it into a bound at every state.
//!
//! Where the residual can be other than 0:
//! - n <= N + 1 and m < L + (largest drop): evaluated state by state. Beyond, m cannot return
//!   into the box in one spin, and no push is possible.
//! - n >= N + 2: the table and its neighbours are 0, only the source is left. There it is
//!   bounded by the same formula with every factor replaced by its absolute value and every
//!   moment by the polynomial with absolute coefficients, at m = 0, where pushes are largest.
//!
//! A source that reads another table reads its cells; that table's own error h' enters through
//! the same formula with moments 0, absolute factors and h' for the table, added to the
//! residual.

use rayon::prelude::*;

use super::floor::{
    FloorTables, PairTable, Step, Sum, Table, class_sums, pair_source, size, steps,
    steps_with_itself,
};
use super::interval::Interval;
use super::law::Law;
use super::moments::Moments;
use super::pair::{Grid, Number, PairSpin, Scratch};
use super::poly::Poly;
use super::precision::Precision;
use super::residual::Residual;
use super::supersolution::{Bound, Drain};
use super::sweep::{Patience, merged, sweep_pair, sweep_single};
use super::view::{Known, Values, View};

/// Cells of the largest table over two multipliers, for memory's sake.
const MAX_CELLS: i64 = 1 << 22;
/// Updates of cells over two multipliers that one solve may cost, for time's sake.
const MAX_UPDATES: i64 = 1 << 29;
/// Sweeps after which a slow iteration stops; the residual tells what it reached.
const SWEEPS: std::ops::RangeInclusive<i64> = 40..=600;

/// The size of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// Largest counter, N.
    pub(super) levels: i64,
    /// Multipliers above the floor, L.
    pub(super) width: i64,
}

/// A solved set of tables.
#[derive(Debug)]
pub(super) struct Solved {
    /// The tables, with their errors.
    pub(super) tables: FloorTables,
    /// Whether a larger N would have made some bound much smaller.
    pub(super) wants_levels: bool,
    /// Whether a larger L would have made some bound much smaller.
    pub(super) wants_width: bool,
}

/// Solver for one game; the frame can be changed between solves.
#[derive(Debug)]
pub(super) struct Solver<'a> {
    law: &'a Law,
    moments: &'a Moments<Poly>,
    pub(super) drain: Drain,
    /// The counter at which the bounds should be small.
    pub(super) start: i64,
    pub(super) drop: i64,
    largest_rise: i64,
    frame: Frame,
    precision: Precision,
}

impl<'a> Solver<'a> {
    /// A solver with a frame guessed from the rates of decay, or `None` where the drift is not
    /// negative.
    pub(super) fn new(
        law: &'a Law,
        moments: &'a Moments<Poly>,
        start: u32,
        precision: Precision,
    ) -> Option<Self> {
        let steps = law.steps(false);
        let drain = Drain::new(&steps)?;
        let largest_rise = steps.iter().map(|&(change, _)| change).max().unwrap_or(0);
        let start = i64::from(start);
        // The polynomials of the tail must fall from N + 1 on.
        let decay = precision.decay;
        let levels = whole(decay / drain.rate()).max(whole(4.0 / drain.rate()) + 2) + start;
        let drop = law.largest_drop();
        let width = guess_width(law, start, drain.rate(), decay) + drop;
        let mut solver = Self {
            law,
            moments,
            drain,
            start,
            drop,
            largest_rise,
            frame: Frame { levels, width },
            precision,
        };
        solver.frame = solver.fitted(solver.frame);
        Some(solver)
    }

    /// The present frame.
    pub(super) const fn frame(&self) -> Frame {
        self.frame
    }

    fn pairs(&self) -> i64 {
        i64::try_from(self.law.pairs.len())
            .expect("at most 21 pairs")
            .max(1)
    }

    /// Cells of a table over two multipliers, as far as the residual is evaluated.
    fn cells(&self, frame: Frame) -> i64 {
        let side = frame.width + self.drop;
        (frame.levels + 2).saturating_mul(side.saturating_mul(side))
    }

    /// As many sweeps as the present frame leaves time for.
    pub(super) fn patience(&self) -> Patience {
        let updates = self.cells(self.frame).saturating_mul(self.pairs());
        Patience {
            sweeps: size((MAX_UPDATES / updates).clamp(*SWEEPS.start(), *SWEEPS.end())),
            rest: self.precision.rest,
        }
    }

    /// The frame cut to what memory and time allow.
    fn fitted(&self, frame: Frame) -> Frame {
        let Frame {
            mut levels,
            mut width,
        } = frame;
        let least_levels = self.start + 8;
        let limit = MAX_CELLS.min(MAX_UPDATES / (SWEEPS.start() * self.pairs()));
        while self.cells(Frame { levels, width }) > limit {
            if levels > least_levels && levels > 2 * width {
                levels = (levels * 9 / 10).max(least_levels);
            } else if width > 4 {
                width = width * 9 / 10;
            } else if levels > least_levels {
                levels = (levels * 9 / 10).max(least_levels);
            } else {
                break;
            }
        }
        Frame { levels, width }
    }

    /// Enlarges the frame where the last solve asks for it; `false` if it cannot grow.
    pub(super) fn grow(&mut self, last: &Solved) -> bool {
        let mut frame = self.frame;
        if last.wants_levels {
            frame.levels += frame.levels / 3 + 4;
        }
        if last.wants_width {
            frame.width += frame.width / 3 + 4;
        }
        let frame = self.fitted(frame);
        let grown = frame.levels >= self.frame.levels
            && frame.width >= self.frame.width
            && frame != self.frame;
        if grown {
            self.frame = frame;
        }
        grown
    }

    /// Solves every table in the frame and proves its error.
    pub(super) fn solve(&self) -> Solved {
        let reach = self.reach();
        let values = Values::new(self.moments, reach, Poly::at);
        let majorants = Values::new(self.moments, reach, Poly::majorant_at);
        let mut known = Known::default();
        let mut tables = FloorTables::default();
        let mut wants = (false, false);
        let mut note = |(levels, width): (bool, bool)| {
            wants.0 |= levels;
            wants.1 |= width;
        };
        for class in 0..self.law.selection.len() {
            let own = steps_with_itself(self.law, class);
            let mut solved = Vec::new();
            for sum in class_sums(class) {
                let (table, bound, wants) =
                    self.single(sum, class, &own, &own, &values, &majorants, &known);
                note(wants);
                match sum {
                    Sum::F1 => known.f1.push((table.clone(), bound)),
                    Sum::G1 => known.g1.push((table.clone(), bound)),
                    _ => {}
                }
                solved.push(self.with_radius(table, bound));
            }
            tables
                .class
                .push(solved.try_into().expect("six sums were solved"));
        }
        let cross: Vec<_> = self
            .law
            .pairs
            .par_iter()
            .map(|&(first, second)| {
                let one = self.cross(first, second, &values, &majorants, &known);
                let other = if first == second {
                    one.clone()
                } else {
                    self.cross(second, first, &values, &majorants, &known)
                };
                (one, other)
            })
            .collect();
        for ((one, one_wants), (other, other_wants)) in cross {
            note(one_wants);
            note(other_wants);
            tables.cross.push([one, other]);
        }
        let pairs: Vec<_> = self
            .law
            .pairs
            .par_iter()
            .map(|&classes| self.pair(classes, &values, &majorants, &known))
            .collect();
        for (table, wants) in pairs {
            note(wants);
            tables.pair.push(table);
        }
        Solved {
            tables,
            wants_levels: wants.0,
            wants_width: wants.1,
        }
    }

    /// f1 of each class with its bound.
    pub(super) fn pushes(&self) -> Vec<(Table, Bound)> {
        let reach = self.reach();
        let values = Values::new(self.moments, reach, Poly::at);
        let majorants = Values::new(self.moments, reach, Poly::majorant_at);
        let known = Known::default();
        (0..self.law.selection.len())
            .map(|class| {
                let own = steps_with_itself(self.law, class);
                let (table, bound, _) =
                    self.single(Sum::F1, class, &own, &own, &values, &majorants, &known);
                (table, bound)
            })
            .collect()
    }

    /// The largest counter that an equation reads.
    pub(super) fn reach(&self) -> i64 {
        self.frame.levels + 2 + self.largest_rise.max(0)
    }

    fn radius(&self, bound: &Bound) -> Vec<f64> {
        (0..=self.frame.levels).map(|n| bound.at(n)).collect()
    }

    fn with_radius(&self, mut table: Table, bound: Bound) -> Table {
        table.radius = self.radius(&bound);
        table
    }

    /// g0 of a class with the y of another character, and what would sharpen it.
    fn cross(
        &self,
        class: usize,
        partner: usize,
        values: &Values,
        majorants: &Values,
        known: &Known,
    ) -> (Table, (bool, bool)) {
        let own = steps(self.law, class, None);
        let joint = steps(self.law, class, Some(partner));
        let sum = Sum::G0(partner);
        let (table, bound, wants) = self.single(sum, class, &own, &joint, values, majorants, known);
        (self.with_radius(table, bound), wants)
    }

    /// One sum over one multiplier: the table, its bound, and what would sharpen it.
    #[expect(
        clippy::too_many_arguments,
        reason = "the roles of the module's header"
    )]
    fn single(
        &self,
        sum: Sum,
        class: usize,
        own: &[Step],
        joint: &[Step],
        values: &Values,
        majorants: &Values,
        known: &Known,
    ) -> (Table, Bound, (bool, bool)) {
        let Frame { levels, width } = self.frame;
        let side = width + self.drop;
        let total = |view: &View<'_>, steps: &[Step], n: i64, m: i64| {
            steps.iter().fold(Interval::ZERO, |total, step| {
                total + step.probability * sum.source(view, class, step, n, m)
            })
        };
        let view = View {
            values: Some(values),
            known,
            errors: false,
        };
        // Sources on every state where the residual is evaluated.
        let mut sources = vec![Interval::ZERO; size((levels + 2) * side)];
        for n in 1..=levels + 1 {
            for m in 0..side {
                sources[size(n * side + m)] = total(&view, joint, n, m);
            }
        }
        let moves = merged(own);
        let cells = sweep_single(&moves, &sources, self.frame, side, self.patience());
        let mut table = Table::zeros(levels, width, Interval::ZERO, false);
        table.cells = cells.iter().map(|&cell| Interval::point(cell)).collect();

        let absolute: Vec<Step> = joint.iter().map(Step::absolute).collect();
        let errors = View {
            values: None,
            known,
            errors: true,
        };
        let mut residual = Residual::new(levels);
        for n in 1..=levels + 1 {
            for m in 0..side {
                let mut rho = sources[size(n * side + m)] - table.at(n, m);
                for step in &moves {
                    let ahead = table.at(n + step.change, (m + step.shift).max(0));
                    rho += step.probability * ahead;
                }
                residual.note(n, rho.magnitude(), m >= width);
            }
            residual.inherited[size(n)] = total(&errors, &absolute, n, 0).hi;
        }
        let tail = View {
            values: Some(majorants),
            known,
            errors: true,
        };
        let tail = total(&tail, &absolute, levels + 2, 0).hi;
        let (bound, wants) = residual.bound(tail, &self.drain, self.start);
        (table, bound, wants)
    }

    /// pp of a pair of classes: the table with its errors, and what would sharpen it.
    fn pair(
        &self,
        classes: (usize, usize),
        values: &Values,
        majorants: &Values,
        known: &Known,
    ) -> (PairTable, (bool, bool)) {
        let Frame { levels, width } = self.frame;
        let side = width + self.drop;
        let joint = steps(self.law, classes.0, Some(classes.1));
        let total = |view: &View<'_>, steps: &[Step], n: i64, m: (i64, i64)| {
            steps.iter().fold(Interval::ZERO, |total, step| {
                if m.0 + step.shift < 0 || m.1 + step.partner_shift < 0 {
                    total + step.probability * pair_source(view, classes, step, n, m)
                } else {
                    total
                }
            })
        };
        let view = View {
            values: Some(values),
            known,
            errors: false,
        };
        let mut sources = vec![Interval::ZERO; size((levels + 2) * side * side)];
        for n in 1..=levels + 1 {
            for first in 0..side {
                for second in 0..side {
                    if first < self.drop || second < self.drop {
                        sources[size((n * side + first) * side + second)] =
                            total(&view, &joint, n, (first, second));
                    }
                }
            }
        }
        let grid = sweep_pair(
            self.law,
            classes,
            &sources,
            self.frame,
            side,
            self.patience(),
        );

        let spin = PairSpin::<Interval>::new(self.law, classes);
        let grid = Grid {
            levels,
            width,
            cells: grid
                .cells
                .iter()
                .map(|&cell| Interval::point(cell))
                .collect(),
            outside: Interval::ZERO,
            saturates: false,
        };
        let absolute: Vec<Step> = joint.iter().map(Step::absolute).collect();
        let errors = View {
            values: None,
            known,
            errors: true,
        };
        let mut residual = Residual::new(levels);
        let mut scratch = Scratch::default();
        for n in 1..=levels + 1 {
            spin.apply(&grid, n, side, &mut scratch);
            for first in 0..side {
                for second in 0..side {
                    let inside = first < width && second < width;
                    let mut rho = sources[size((n * side + first) * side + second)]
                        + scratch.result[size(first * side + second)];
                    if inside && n <= levels {
                        rho = rho - grid.cells[size((n * width + first) * width + second)];
                    }
                    residual.note(n, rho.magnitude(), !inside);
                }
            }
            residual.inherited[size(n)] = total(&errors, &absolute, n, (0, 0)).hi;
        }
        let tail = View {
            values: Some(majorants),
            known,
            errors: true,
        };
        let tail = total(&tail, &absolute, levels + 2, (0, 0)).hi;
        let (bound, wants) = residual.bound(tail, &self.drain, self.start);
        let table = PairTable {
            levels,
            width,
            cells: grid.cells,
            outside: Interval::ZERO,
            radius: self.radius(&bound),
            saturates: false,
        };
        (table, wants)
    }
}

/// The least integer not below a number between 0 and 2^40.
fn whole(number: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the number is cut to a range that i64 holds"
    )]
    let whole = number.ceil().clamp(0.0, 1_099_511_627_776.0) as i64;
    whole
}

/// A width beyond which the sums should be negligible: the least solution of theta^start
/// phi^-width = e^-decay over phi, theta with E[theta^d phi^-s] <= 1, s the unfloored shift. A
/// guess; the residual decides.
fn guess_width(law: &Law, start: i64, rate: f64, decay: f64) -> i64 {
    let classes: Vec<Vec<(f64, f64, f64)>> = (0..law.selection.len())
        .map(|class| {
            merged(&steps(law, class, None))
                .iter()
                .map(|step| {
                    (
                        step.probability.mid(),
                        f64::from_interval(Interval::from_int(step.change)),
                        f64::from_interval(Interval::from_int(step.shift)),
                    )
                })
                .collect()
        })
        .collect();
    let start = f64::from_interval(Interval::from_int(start));
    let mut best = f64::INFINITY;
    for part in 0..=8 {
        // Beyond the theta of the bound a growth with n would not be paid for.
        let theta = (rate * f64::from(part) / 8.0).exp();
        let mut phi = 1.01_f64;
        while phi < 1e4 {
            let fits = classes.iter().all(|moves| {
                let psi: f64 = moves
                    .iter()
                    .map(|&(p, change, shift)| p * theta.powf(change) * phi.powf(-shift))
                    .sum();
                psi <= 1.0
            });
            if fits {
                best = best.min((decay + start * theta.ln()) / phi.ln());
            }
            phi *= 1.08;
        }
    }
    whole(best.min(4096.0)) + 2
}
