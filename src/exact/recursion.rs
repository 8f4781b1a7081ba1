//! First two moments of the meter with a limit on spins, in integers over a known denominator.
//!
//! Written for the multipliers as they stand, floor included, and not for what the floor adds
//! ([`horizon`](super::horizon) does that in intervals): of the calculator's algebra it shares
//! the law of one spin and its labels alone. With t spins left, counter n and the multiplier m
//! (m' of a second character), i and j running over the down steps to come:
//!
//! ```text
//! A  = E[sum_i m(i)]           Q = E[sum_i m(i)^2]
//! B  = E[sum_{i != j} m(i) m(j)]          C = E[sum_{i != j} m(i) m'(j)]
//! E[M]   = sum_c pi_c E[A_c]
//! E[M^2] = sum_c E[pi_c Q_c + pi_c^2 B_c] + 2 sum_{c < c'} pi_c pi_c' E[C_cc']
//! ```
//!
//! ([`meter`](super::meter) says why). One spin is the inner result, then the outer; after the
//! inner one, with everything on the right at t - 1 spins left and 0 where the counter is 0,
//!
//! ```text
//! A = p_down (m + A) + sum over potions p A(n + d, max(m + delta, floor))
//! Q = p_down (m^2 + Q) + ...    B = p_down (2 m A + B) + ...
//! C = p_down (m A'(m') + m' A(m) + C) + ...
//! ```
//!
//! and before it the mean over the inner results. Two remarks make it finite and small. A
//! counter of t or more cannot reach 0 in t spins, so it is as good as t. And t spins cannot
//! take more than t D off a multiplier, D the largest drop, so from floor + t D on the floor is
//! out of reach: there A and C are polynomials of degree 1 in each multiplier, Q and B of
//! degree 2, and three values at floor + t D, + 1 and + 2 give all others, exactly.
//!
//! With d the common denominator of the outcomes of one spin, every value with t spins left
//! times d^t is an integer. Integers over this denominator need no greatest common divisor.
//!
//! Guarantee: exact rationals. The work grows like T^4 D^2, times the length of the integers,
//! times the number of pairs of classes; what would be too much is refused before it starts.

use dashu_base::{BitTest as _, Gcd as _};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::law::Law;
use super::starts::Starts;

/// The least common denominator of some rationals.
pub(super) fn common_denominator<'a>(of: impl Iterator<Item = &'a RBig>) -> IBig {
    let least = of.fold(UBig::ONE, |least, value| {
        let denominator = value.denominator();
        let shared = (&least).gcd(denominator);
        least * (denominator / shared)
    });
    IBig::from(least)
}

/// A rational times a multiple of its denominator.
pub(super) fn numerator(value: &RBig, denominator: &IBig) -> IBig {
    let (whole, rest) = (value * RBig::from(denominator.clone())).into_parts();
    assert!(rest.is_one(), "the denominator is common to all outcomes");
    whole
}

/// Nanoseconds of one multiplication and addition with `left` spins left, as measured, roughly.
pub(super) fn cost(denominator: &IBig, left: i64) -> f64 {
    let words = count(denominator.bit_len()) * count(position(left)) / 64.0;
    70.0 + 4.0 * words
}

/// A count as a float, for estimates of work.
pub(super) fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::INFINITY, f64::from)
}

/// A position in a table; negative ones do not occur.
fn position(number: i64) -> usize {
    usize::try_from(number).expect("a position is not negative and fits memory")
}

/// The length of a table as a number to count to.
pub(super) fn signed(number: usize) -> i64 {
    i64::try_from(number).expect("a length of memory fits i64")
}

/// Where a counter stands among those that differ with `left` spins left.
pub(super) fn index(counter: i64, left: i64) -> usize {
    position(counter.min(left))
}

/// Which counters a round can have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    limit: i64,
    start: i64,
    rise: i64,
}

impl Reach {
    /// From the limit on spins, the counter at the start and the most that a spin adds to it.
    pub(super) fn new(limit: u32, start: u32, rise: i64) -> Self {
        Self {
            limit: i64::from(limit),
            start: i64::from(start),
            rise: rise.max(0),
        }
    }

    /// The largest counter of interest with `left` spins left.
    pub(super) fn counters(self, left: i64) -> usize {
        position(left.min(self.start + self.rise * (self.limit - left)))
    }
}

/// One spin in integers: inner weights over `inner`, outer weights over `outer`.
#[derive(Debug)]
struct Spin {
    inner: IBig,
    outer: IBig,
    extra: IBig,
    extra_spins: i64,
    /// Additions other than 0 with the weight that the inner wheel gives them, for a member of
    /// each class.
    additions: Vec<Vec<(i64, IBig)>>,
    down: IBig,
    /// Change of the counter, of the multipliers, weight.
    potions: Vec<(i64, i64, IBig)>,
    floor: i64,
}

impl Spin {
    fn new(law: &Law, floor: u32) -> Self {
        let additions: Vec<Vec<(i64, RBig)>> = law
            .selection
            .iter()
            .map(|selection| {
                law.additions
                    .iter()
                    .filter(|&&(value, _)| value != 0)
                    .map(|(value, p)| (*value, p * selection))
                    .collect()
            })
            .collect();
        let inner = common_denominator(
            additions
                .iter()
                .flatten()
                .map(|(_, p)| p)
                .chain([&law.extra]),
        );
        let potions = law.potions.iter().map(|potion| &potion.probability);
        let outer = common_denominator(potions.chain([&law.down]));
        Self {
            extra: numerator(&law.extra, &inner),
            extra_spins: if law.extra.is_zero() {
                0
            } else {
                law.extra_spins
            },
            additions: additions
                .iter()
                .map(|class| {
                    class
                        .iter()
                        .map(|(value, p)| (*value, numerator(p, &inner)))
                        .collect()
                })
                .collect(),
            down: numerator(&law.down, &outer),
            potions: law
                .potions
                .iter()
                .map(|potion| {
                    let weight = numerator(&potion.probability, &outer);
                    (potion.change, potion.delta, weight)
                })
                .collect(),
            floor: i64::from(floor),
            inner,
            outer,
        }
    }

    /// The weight of inner results that neither add a spin nor to one of these characters.
    fn idle(&self, classes: &[usize]) -> IBig {
        let taken = classes
            .iter()
            .flat_map(|&class| &self.additions[class])
            .fold(self.extra.clone(), |sum, (_, weight)| sum + weight);
        &self.inner - taken
    }

    /// The most that a spin adds to the counter.
    fn rise(&self) -> i64 {
        let outer = self.potions.iter().map(|&(change, ..)| change).max();
        self.extra_spins + outer.unwrap_or(-1)
    }

    /// The most that a potion adds to a multiplier.
    fn raise(&self) -> usize {
        let most = self.potions.iter().map(|&(_, delta, _)| delta).max();
        position(most.unwrap_or(0).max(0))
    }
}

/// Values by counter and multiplier above the floor; row 0 holds a counter of 0.
#[derive(Debug, Clone)]
struct Table {
    width: usize,
    cells: Vec<IBig>,
}

impl Table {
    fn zeros(counters: usize, width: usize) -> Self {
        Self {
            width,
            cells: vec![IBig::ZERO; (counters + 1) * width],
        }
    }

    fn row(&self, n: usize) -> &[IBig] {
        &self.cells[n * self.width..][..self.width]
    }

    /// With more columns, by the polynomial of degree 2 through the last three.
    fn widened(&self, width: usize) -> Self {
        let cells = self
            .cells
            .chunks(self.width)
            .flat_map(|row| {
                let mut row = row.to_vec();
                row.resize_with(width.max(self.width), IBig::default);
                for m in self.width..row.len() {
                    row[m] = IBig::from(3) * (&row[m - 1] - &row[m - 2]) + &row[m - 3];
                }
                row
            })
            .collect();
        Self {
            width: width.max(self.width),
            cells,
        }
    }
}

/// The value of a row at a multiplier `above` the floor, on the row or beyond it.
fn at(row: &[IBig], above: i64) -> IBig {
    let beyond = above + 1 - signed(row.len());
    if beyond <= 0 {
        return row[position(above)].clone();
    }
    let [.., third, second, last] = row else {
        unreachable!("a row has three values at least")
    };
    // Newton's backward differences.
    let slope = last - second;
    let bend = &slope - (second - third);
    last + IBig::from(beyond) * slope
        + IBig::from(i128::from(beyond) * i128::from(beyond + 1) / 2) * bend
}

/// A, Q and B of one class.
type Single = [Table; 3];

/// C of one pair of classes.
#[derive(Debug, Clone)]
struct Double {
    width: usize,
    cells: Vec<IBig>,
}

impl Double {
    fn zeros(counters: usize, width: usize) -> Self {
        Self {
            width,
            cells: vec![IBig::ZERO; (counters + 1) * width * width],
        }
    }

    fn at(&self, n: usize, m: usize, l: usize) -> &IBig {
        &self.cells[(n * self.width + m) * self.width + l]
    }

    /// With larger rows and columns, by the bilinear function through the last two.
    fn widened(&self, width: usize) -> Self {
        let old = self.width;
        let mut wide = Self::zeros(self.cells.len() / (old * old) - 1, width.max(old));
        let width = wide.width;
        for n in 0..self.cells.len() / (old * old) {
            let start = n * width * width;
            for m in 0..width {
                for l in 0..width {
                    let value = if m < old && l < old {
                        self.at(n, m, l).clone()
                    } else {
                        let (one, two) = if l < old { (width, 2 * width) } else { (1, 2) };
                        let here = start + m * width + l;
                        IBig::from(2) * &wide.cells[here - one] - &wide.cells[here - two]
                    };
                    wide.cells[start + m * width + l] = value;
                }
            }
        }
        wide
    }

    /// Fills all cells, or one half and by symmetry the other.
    fn fill(&mut self, symmetric: bool, value: impl Fn(usize, usize, usize) -> IBig) {
        let width = self.width;
        for n in 1..self.cells.len() / (width * width) {
            for m in 0..width {
                for l in 0..width {
                    self.cells[(n * width + m) * width + l] = if symmetric && l < m {
                        self.at(n, l, m).clone()
                    } else {
                        value(n, m, l)
                    };
                }
            }
        }
    }
}

/// The plan of the recursion.
struct Recursion<'a> {
    law: &'a Law,
    spin: Spin,
    limit: i64,
    drop: i64,
    reach: Reach,
}

impl<'a> Recursion<'a> {
    fn new(law: &'a Law, floor: u32, start: u32, limit: u32) -> Self {
        let spin = Spin::new(law, floor);
        let reach = Reach::new(limit, start, spin.rise());
        Self {
            law,
            limit: i64::from(limit),
            drop: law.largest_drop(),
            reach,
            spin,
        }
    }

    /// Multipliers above the floor that differ in kind, and three more values.
    fn width(&self, left: i64) -> usize {
        position(left * self.drop) + 3
    }

    /// Counters between the inner and the outer result.
    fn between(&self, left: i64) -> usize {
        let counters = signed(self.reach.counters(left));
        position(left.min(counters + self.spin.extra_spins))
    }

    /// Nanoseconds of the whole recursion, roughly; infinite from `most` on.
    fn work(&self, most: f64) -> f64 {
        let classes = count(self.law.selection.len());
        let denominator = &self.spin.inner * &self.spin.outer;
        let additions = count(self.law.additions.len());
        let outer = count(self.spin.potions.len()) + 3.0;
        let (single, double) = (outer + additions + 2.0, outer + 2.0 * additions + 2.0);
        let symmetric = self.law.pairs.iter().filter(|pair| pair.0 == pair.1);
        let pairs = count(self.law.pairs.len()) - 0.5 * count(symmetric.count());
        let mut work = 0.0;
        for left in 1..=self.limit {
            let width = count(self.width(left));
            let cells = 3.0 * classes * single * width + pairs * double * width * width;
            work += count(self.reach.counters(left)) * cells * cost(&denominator, left);
            if work > most {
                return f64::INFINITY;
            }
        }
        work
    }

    /// A, Q and B with one spin more left.
    fn single(&self, class: usize, before: &Single, left: i64, scale: &IBig) -> Single {
        let spin = &self.spin;
        let width = self.width(left);
        let before = before
            .each_ref()
            .map(|table| table.widened(width + spin.raise()));
        let counters = self.between(left);
        let mut between: Single = std::array::from_fn(|_| Table::zeros(counters, width));
        for k in 1..=signed(counters) {
            for m in 0..signed(width) {
                let ahead = |sum: usize, change: i64, delta: i64| {
                    let row = before[sum].row(index(k + change, left - 1));
                    &row[position((m + delta).max(0))]
                };
                let multiplier = IBig::from(spin.floor + m);
                let paid = &multiplier * scale;
                let down = [
                    &paid + ahead(0, -1, 0),
                    &multiplier * &paid + ahead(1, -1, 0),
                    IBig::from(2) * &multiplier * ahead(0, -1, 0) + ahead(2, -1, 0),
                ];
                for (sum, (table, down)) in between.iter_mut().zip(down).enumerate() {
                    let value = spin.potions.iter().fold(
                        &spin.down * down,
                        |value, (change, delta, weight)| {
                            value + weight * ahead(sum, *change, *delta)
                        },
                    );
                    table.cells[position(k) * width + position(m)] = value;
                }
            }
        }
        let idle = spin.idle(&[class]);
        between.map(|between| {
            let mut table = Table::zeros(self.reach.counters(left), width);
            for n in 1..=self.reach.counters(left) {
                let row = between.row(n);
                let extra = between.row(index(signed(n) + spin.extra_spins, left));
                for m in 0..width {
                    let value = &idle * &row[m] + &spin.extra * &extra[m];
                    table.cells[n * width + m] = spin.additions[class]
                        .iter()
                        .fold(value, |value, (add, weight)| {
                            value + weight * at(row, signed(m) + add)
                        });
                }
            }
            table
        })
    }

    /// C with one spin more left.
    fn double(
        &self,
        classes: (usize, usize),
        singles: &[Single],
        before: &Double,
        left: i64,
    ) -> Double {
        let spin = &self.spin;
        let width = self.width(left);
        let wide = width + spin.raise();
        let before = before.widened(wide);
        let first = singles[classes.0][0].widened(wide);
        let second = singles[classes.1][0].widened(wide);
        let symmetric = classes.0 == classes.1;
        let mut between = Double::zeros(self.between(left), width);
        between.fill(symmetric, |k, m, l| {
            let to = |change: i64| index(signed(k) + change, left - 1);
            let down = to(-1);
            let multiplier = |above: usize| IBig::from(spin.floor + signed(above));
            let paid = multiplier(m) * &second.row(down)[l]
                + multiplier(l) * &first.row(down)[m]
                + before.at(down, m, l);
            spin.potions
                .iter()
                .fold(&spin.down * paid, |value, (change, delta, weight)| {
                    let moved = |above: usize| position((signed(above) + delta).max(0));
                    value + weight * before.at(to(*change), moved(m), moved(l))
                })
        });
        // Additions on the table one by one, all beyond it through one slope.
        let added = |class: usize| -> Vec<Added<'_>> {
            (0..width)
                .map(|m| Added::new(&spin.additions[class], m, width))
                .collect()
        };
        let (own, other) = (added(classes.0), added(classes.1));
        let idle = spin.idle(&[classes.0, classes.1]);
        let mut table = Double::zeros(self.reach.counters(left), width);
        table.fill(symmetric, |n, m, l| {
            let extra = index(signed(n) + spin.extra_spins, left);
            let value = &idle * between.at(n, m, l) + &spin.extra * between.at(extra, m, l);
            let value = own[m].add_to(value, |m| between.at(n, m, l));
            other[l].add_to(value, |l| between.at(n, m, l))
        });
        table
    }
}

/// The inner wheel's additions to a multiplier.
struct Added<'a> {
    /// Where they lead on the table.
    near: Vec<(usize, &'a IBig)>,
    /// The last position of the table, the weight of additions beyond it and the mean of how
    /// far beyond times that weight.
    far: Option<(usize, IBig, IBig)>,
}

impl<'a> Added<'a> {
    fn new(additions: &'a [(i64, IBig)], from: usize, width: usize) -> Self {
        let mut near = Vec::new();
        let mut far: Option<(usize, IBig, IBig)> = None;
        for (value, weight) in additions {
            let to = signed(from) + value;
            let beyond = to + 1 - signed(width);
            if beyond <= 0 {
                near.push((position(to), weight));
            } else {
                let (_, sum, distance) =
                    far.get_or_insert_with(|| (width - 1, IBig::ZERO, IBig::ZERO));
                *sum += weight;
                *distance += weight * IBig::from(beyond);
            }
        }
        Self { near, far }
    }

    /// A sum with the mean over these additions of a function that is linear beyond the table.
    fn add_to<'b>(&self, sum: IBig, value: impl Fn(usize) -> &'b IBig) -> IBig {
        let sum = self
            .near
            .iter()
            .fold(sum, |sum, &(to, weight)| sum + weight * value(to));
        match &self.far {
            None => sum,
            Some((last, weight, distance)) => {
                let end = value(*last);
                sum + weight * end + distance * (end - value(last - 1))
            }
        }
    }
}

/// E[M] and E[M^2] of each game (counter and law of the starts) with a limit on spins, without
/// a cap; `None` where that would take more than `most` nanoseconds, roughly.
pub(super) fn moments(
    law: &Law,
    floor: u32,
    games: &[(u32, &Starts)],
    limit: u32,
    most: f64,
) -> Option<Vec<(RBig, RBig)>> {
    let start = games.iter().map(|&(spins, _)| spins).max()?;
    let recursion = Recursion::new(law, floor, start, limit);
    if recursion.work(most) > most {
        return None;
    }
    let denominator = &recursion.spin.inner * &recursion.spin.outer;
    let width = recursion.width(0);
    let mut scale = IBig::ONE;
    let mut singles: Vec<Single> = law
        .selection
        .iter()
        .map(|_| std::array::from_fn(|_| Table::zeros(0, width)))
        .collect();
    let mut doubles = vec![Double::zeros(0, width); law.pairs.len()];
    for left in 1..=i64::from(limit) {
        doubles = law
            .pairs
            .iter()
            .zip(&doubles)
            .map(|(&classes, before)| recursion.double(classes, &singles, before, left))
            .collect();
        singles = singles
            .iter()
            .enumerate()
            .map(|(class, before)| recursion.single(class, before, left, &scale))
            .collect();
        scale *= &denominator;
    }
    let found = games.iter().map(|&(spins, starts)| {
        let n = index(i64::from(spins), i64::from(limit));
        let above = |start: u32| i64::from(start) - recursion.spin.floor;
        let mut mean = RBig::ZERO;
        let mut second = RBig::ZERO;
        for (c, single) in starts.single.iter().enumerate() {
            let pi = &law.label[c];
            let [a, q, b] = &singles[law.class_of[c]];
            for (start, p) in single.iter() {
                let value = |table: &Table| RBig::from(at(table.row(n), above(*start)));
                let weight = p * pi;
                mean += &weight * value(a);
                second += weight * (value(q) + pi * value(b));
            }
        }
        let pairs = (0..starts.single.len())
            .flat_map(|first| (first + 1..starts.single.len()).map(move |other| (first, other)));
        for ((first, other), joint) in pairs.zip(&starts.double) {
            let (one, two) = (law.class_of[first], law.class_of[other]);
            // Tables of pairs hold the lower class first.
            let is_swapped = one > two;
            let table = law
                .pairs
                .binary_search(&(one.min(two), one.max(two)))
                .map(|pair| &doubles[pair])
                .expect("two characters' classes are among the pairs");
            let labels = RBig::from(2) * &law.label[first] * &law.label[other];
            for ((x, y), p) in joint.iter() {
                let (x, y) = if is_swapped { (*y, *x) } else { (*x, *y) };
                let rows: Vec<IBig> = (0..table.width)
                    .map(|m| {
                        at(
                            &table.cells[(n * table.width + m) * table.width..][..table.width],
                            above(y),
                        )
                    })
                    .collect();
                second += p * &labels * RBig::from(at(&rows, above(x)));
            }
        }
        let scale = RBig::from(scale.clone());
        (mean / &scale, second / scale)
    });
    Some(found.collect())
}
