//! Polynomials of the counter in rationals, and the equation of an expected total.
//!
//! Let u(n) be the expected total of a reward R(n) collected at every spin from counter n until
//! the counter is 0. Then u = R + P u with (P u)(n) = sum of `p_d` u(n + d), and u(0) = 0. For
//! a polynomial R the solution is a polynomial: with `mu = -E[d] > 0`,
//!
//! ```text
//! (I - P) n^k = k mu n^(k-1) - sum over j >= 2 of C(k, j) E[d^j] n^(k-j),
//! ```
//!
//! so the coefficients follow one by one from the highest power down, and the constant term
//! stays 0. The walk goes down by at most one, so the counter meets 0 exactly and the
//! polynomial, continued to n = 0, has the right value there. Among functions of polynomial
//! growth the solution is unique.

use dashu_ratio::RBig;

/// A polynomial of the counter; the index is the power, no trailing zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Poly(Vec<RBig>);

impl Poly {
    /// A constant.
    pub(super) fn constant(value: RBig) -> Self {
        Self(vec![value]).trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.0.last().is_some_and(RBig::is_zero) {
            self.0.pop();
        }
        self
    }

    /// The sum of two polynomials.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), RBig::ZERO);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine += theirs;
        }
        self.trimmed()
    }

    /// The value at an integer, exactly.
    pub(super) fn at(&self, n: i64) -> RBig {
        let n = RBig::from(n);
        self.0
            .iter()
            .rev()
            .fold(RBig::ZERO, |sum, coefficient| sum * &n + coefficient)
    }

    /// The polynomial with the absolute values of the coefficients, at a natural number.
    ///
    /// Not less than |self| there, and divided by theta^n it falls once n > degree / ln theta.
    pub(super) fn majorant_at(&self, n: i64) -> RBig {
        let n = RBig::from(n);
        self.0.iter().rev().fold(RBig::ZERO, |sum, coefficient| {
            let size = if *coefficient < RBig::ZERO {
                -coefficient
            } else {
                coefficient.clone()
            };
            sum * &n + size
        })
    }

    /// The sum of `weight * self(n + change)`.
    pub(super) fn mix(&self, weights: &[(i64, RBig)]) -> Self {
        // self(n + d) summed: the coefficient of n^i is sum_j C(j, i) c_j sum_w w d^(j-i).
        let degrees = self.0.len();
        let mut powers = vec![RBig::ZERO; degrees];
        for (change, weight) in weights {
            let change = RBig::from(*change);
            let mut term = weight.clone();
            for power in &mut powers {
                *power += &term;
                term *= &change;
            }
        }
        let mut result = vec![RBig::ZERO; degrees];
        for (j, coefficient) in self.0.iter().enumerate() {
            let mut binomial = RBig::ONE;
            for i in (0..=j).rev() {
                result[i] += &binomial * coefficient * &powers[j - i];
                binomial *= RBig::from(i) / RBig::from(j - i + 1);
            }
        }
        Self(result).trimmed()
    }
}

/// The solution of u = R + P u with u(0) = 0, of polynomial growth.
///
/// # Panics
/// If the drift of the steps is not negative.
pub(super) fn solve(reward: &Poly, steps: &[(i64, RBig)]) -> Poly {
    let degrees = reward.0.len();
    let mut moments = vec![RBig::ZERO; degrees + 2];
    for (change, probability) in steps {
        let mut term = probability.clone();
        for moment in &mut moments {
            *moment += &term;
            term *= RBig::from(*change);
        }
    }
    let mu = -&moments[1];
    assert!(mu > RBig::ZERO, "the drift of the counter is negative");
    let mut left = reward.0.clone();
    let mut solution = vec![RBig::ZERO; degrees + 1];
    for k in (1..=degrees).rev() {
        let coefficient = &left[k - 1] / (RBig::from(k) * &mu);
        // (I - P) n^k = -sum over j >= 1 of C(k, j) E[d^j] n^(k-j).
        let mut binomial = RBig::ONE;
        for j in 1..=k {
            binomial *= RBig::from(k - j + 1) / RBig::from(j);
            left[k - j] += &coefficient * &binomial * &moments[j];
        }
        solution[k] = coefficient;
    }
    debug_assert!(
        left.iter().all(RBig::is_zero),
        "the elimination is complete"
    );
    Poly(solution).trimmed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_satisfies_its_equation() {
        let r = |a: i64, b: i64| RBig::from(a) / RBig::from(b);
        let steps = vec![(-1, r(7, 10)), (0, r(1, 10)), (2, r(2, 10))];
        let reward = Poly(vec![r(3, 7), r(-1, 2), r(5, 1), r(1, 9)]);
        let solution = solve(&reward, &steps);
        let right = reward.plus(&solution.mix(&steps));
        assert_eq!(solution, right);
        assert!(solution.at(0).is_zero());
    }
}
