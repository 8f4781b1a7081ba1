//! The points at which generating functions are evaluated, and the way back to probabilities.
//!
//! A probability `p_x` is the coefficient of z^x. On the K-th roots of unity z = exp(2 pi i j / K)
//! the values determine the coefficients modulo K:
//!
//! ```text
//! p_x = 1/K sum_j Phi(j) exp(-2 pi i j x / K),   Phi(K - j) = conj Phi(j)
//! ```
//!
//! so the roots j = 0 to K/2 are enough. Sines and cosines come from their Taylor series on
//! [0, pi/4], not from the system's library, whose last digit depends on the processor.

use std::f64::consts::TAU;

use super::lanes::Lanes;

/// cos and sin of 2 pi j / K for j = 0 to K - 1, K a multiple of 8.
#[derive(Debug, Clone)]
pub(super) struct Circle {
    /// cos, sin.
    roots: Vec<(f64, f64)>,
}

/// cos and sin of an angle in [0, pi/4], by Taylor series; the remainders are below 1e-18.
fn series(angle: f64) -> (f64, f64) {
    let square = angle * angle;
    let (mut cos, mut sin) = (1.0, 1.0);
    // Horner from the far end: 1 - x^2/(k (k - 1)) (...).
    let mut k = 22.0;
    while k > 1.0 {
        sin = 1.0 - square / (k * (k + 1.0)) * sin;
        cos = 1.0 - square / (k * (k - 1.0)) * cos;
        k -= 2.0;
    }
    (cos, angle * sin)
}

impl Circle {
    /// The circle of `size` roots.
    pub(super) fn new(size: usize) -> Self {
        debug_assert!(
            size.is_multiple_of(8) && size > 0,
            "octants hold whole roots"
        );
        let eighth = size / 8;
        let mut roots = vec![(1.0, 0.0); size];
        for j in 0..=eighth {
            let (c, s) = series(TAU * real(j) / real(size));
            roots[j] = (c, s);
            roots[2 * eighth - j] = (s, c);
        }
        for j in 0..2 * eighth {
            let (c, s) = roots[j];
            roots[j + 2 * eighth] = (-s, c);
            roots[j + 4 * eighth] = (-c, -s);
            roots[j + 6 * eighth] = (s, -c);
        }
        Self { roots }
    }

    /// The number of roots.
    pub(super) const fn size(&self) -> usize {
        self.roots.len()
    }

    /// Coefficients from the values at the roots j = 0 to K/2, by the plain sum.
    pub(super) fn coefficients(&self, values: &[(f64, f64)]) -> Vec<f64> {
        let size = self.size();
        (0..size)
            .map(|x| {
                let mut sum = values[0].0;
                let mut at = 0;
                for (j, &(re, im)) in values.iter().enumerate().skip(1) {
                    at = (at + x) % size;
                    let (c, s) = self.roots[at];
                    let term = re * c + im * s;
                    // The root -1 is its own conjugate.
                    sum += if 2 * j == size { term } else { 2.0 * term };
                }
                sum / real(size)
            })
            .collect()
    }
}

/// A count as a number.
pub(super) fn real(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts here are far below 2^53")]
    let number = count as f64;
    number
}

/// The points of one batch.
#[derive(Debug, Clone, Copy)]
pub(super) enum Points<'a, const L: usize> {
    /// Roots of unity, by their index.
    Roots(&'a Circle, [usize; L]),
    /// Positive numbers.
    Reals([f64; L]),
}

impl<const L: usize> Points<'_, L> {
    /// z^exponent in every lane.
    pub(super) fn power(&self, exponent: i64) -> Lanes<L> {
        let mut result = Lanes::ONE;
        match self {
            Self::Roots(circle, indices) => {
                let size = i64::try_from(circle.size()).unwrap_or(i64::MAX);
                let exponent = exponent.rem_euclid(size);
                for (lane, &index) in indices.iter().enumerate() {
                    let index = i64::try_from(index).unwrap_or(0);
                    let at = usize::try_from(index * exponent % size).unwrap_or(0);
                    (result.re[lane], result.im[lane]) = circle.roots[at];
                }
            }
            Self::Reals(bases) => {
                for (lane, &base) in bases.iter().enumerate() {
                    result.re[lane] = power(base, exponent);
                }
            }
        }
        result
    }
}

/// base^exponent by squaring.
pub(super) fn power(base: f64, exponent: i64) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent.unsigned_abs());
    while left > 0 {
        if left & 1 == 1 {
            result *= square;
        }
        square *= square;
        left >>= 1;
    }
    if exponent < 0 { 1.0 / result } else { result }
}
