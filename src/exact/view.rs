//! What the floor's equations read when there is no limit on spins: moments and earlier tables.

use dashu_ratio::RBig;

use super::floor::{Ahead, Table, size};
use super::interval::Interval;
use super::moments::Moments;
use super::poly::Poly;
use super::supersolution::Bound;

/// The moments as numbers, for the counters that the equations read.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) d1: Vec<Interval>,
    pub(super) d2: Vec<Interval>,
    pub(super) b1: Vec<Vec<Interval>>,
    pub(super) k: Vec<Vec<Interval>>,
}

impl Values {
    pub(super) fn new(
        moments: &Moments<Poly>,
        reach: i64,
        value: impl Fn(&Poly, i64) -> RBig,
    ) -> Self {
        let column = |poly: &Poly| {
            (0..=reach)
                .map(|n| Interval::from_rational(&value(poly, n)))
                .collect::<Vec<_>>()
        };
        Self {
            d1: column(&moments.d1),
            d2: column(&moments.d2),
            b1: moments
                .class
                .iter()
                .map(|class| column(&class.b1))
                .collect(),
            k: moments.class.iter().map(|class| column(&class.k)).collect(),
        }
    }
}

/// f1 and g1 of each class with their bounds, once they are known.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) f1: Vec<(Table, Bound)>,
    pub(super) g1: Vec<(Table, Bound)>,
}

/// What an equation reads, in one of the three roles of the module's header.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    /// `None`: moments are 0.
    pub(super) values: Option<&'a Values>,
    pub(super) known: &'a Known,
    /// The bounds in place of the cells.
    pub(super) errors: bool,
}

impl View<'_> {
    fn value(&self, column: impl Fn(&Values) -> &Vec<Interval>, n: i64) -> Interval {
        self.values
            .map_or(Interval::ZERO, |values| column(values)[size(n)])
    }

    fn table(&self, known: &(Table, Bound), n: i64, m: i64) -> Interval {
        if self.errors {
            Interval::point(known.1.at(n))
        } else {
            known.0.at(n, m)
        }
    }
}

impl Ahead for View<'_> {
    fn d1(&self, n: i64) -> Interval {
        self.value(|values| &values.d1, n)
    }

    fn d2(&self, n: i64) -> Interval {
        self.value(|values| &values.d2, n)
    }

    fn b1(&self, class: usize, n: i64) -> Interval {
        self.value(|values| &values.b1[class], n)
    }

    fn k(&self, class: usize, n: i64) -> Interval {
        self.value(|values| &values.k[class], n)
    }

    fn f1(&self, class: usize, n: i64, m: i64) -> Interval {
        self.table(&self.known.f1[class], n, m)
    }

    fn g1(&self, class: usize, n: i64, m: i64) -> Interval {
        self.table(&self.known.g1[class], n, m)
    }
}
