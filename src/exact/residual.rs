//! The residual of a table without a limit on spins, and what it says about a larger table.

use super::floor::size;
use super::interval::Interval;
use super::supersolution::{Bound, Drain};

/// The residuals by counter, split by cause.
#[derive(Debug)]
pub(super) struct Residual {
    /// In the box.
    inside: Vec<f64>,
    /// Beyond its multipliers.
    edge: Vec<f64>,
    /// Errors of other tables.
    pub(super) inherited: Vec<f64>,
}

impl Residual {
    /// No residual yet, for counters up to one beyond `levels`.
    pub(super) fn new(levels: i64) -> Self {
        let zeros = vec![0.0; size(levels + 2)];
        Self {
            inside: zeros.clone(),
            edge: zeros.clone(),
            inherited: zeros,
        }
    }

    /// Notes |rho| at a state of a counter.
    pub(super) fn note(&mut self, n: i64, magnitude: f64, edge: bool) {
        let part = if edge {
            &mut self.edge[size(n)]
        } else {
            &mut self.inside[size(n)]
        };
        // A NaN would be lost by `max`; an infinite residual stays infinite.
        *part = if magnitude.is_nan() {
            f64::INFINITY
        } else {
            part.max(magnitude)
        };
    }

    /// The bound, and whether more levels or a larger width would sharpen it.
    pub(super) fn bound(&self, tail: f64, drain: &Drain, start: i64) -> (Bound, (bool, bool)) {
        let levels = self.inside.len() - 2;
        let tail = drain.tail(tail, self.inside.len());
        let join = |top: bool, edge: bool| {
            let mut joined = Vec::with_capacity(levels + 3);
            for n in 0..self.inside.len() {
                let mut sum = Interval::point(self.inherited[n]);
                if n <= levels || top {
                    let mut largest = self.inside[n];
                    if edge {
                        largest = largest.max(self.edge[n]);
                    }
                    sum += Interval::point(largest);
                }
                joined.push(sum.hi);
            }
            joined.push(if top { tail } else { 0.0 });
            drain.bound(&joined, size(start))
        };
        let bound = join(true, true);
        let whole = bound.at(start);
        let wants_levels = join(false, true).at(start) < 0.5 * whole;
        let wants_width = join(true, false).at(start) < 0.5 * whole;
        // Both causes may hide each other.
        let wants_both =
            !wants_levels && !wants_width && join(false, false).at(start) < 0.25 * whole;
        (
            bound,
            (wants_levels || wants_both, wants_width || wants_both),
        )
    }
}
