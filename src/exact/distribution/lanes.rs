//! Several complex numbers side by side, real and imaginary parts in arrays of their own.
//!
//! Each lane belongs to one point at which the generating functions are evaluated; lanes never mix,
//! so the compiler can use whatever vector registers there are. Every operation is a fixed
//! sequence of IEEE additions and multiplications without contraction: the same bytes on every
//! processor.

#![expect(
    clippy::inline_always,
    reason = "the loops around these are vectorised only when they are inlined"
)]

use std::ops::{Add, AddAssign, Mul, Sub};

/// `L` complex numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lanes<const L: usize> {
    /// Real parts.
    pub(super) re: [f64; L],
    /// Imaginary parts.
    pub(super) im: [f64; L],
}

impl<const L: usize> Lanes<L> {
    /// 0 in every lane.
    pub(super) const ZERO: Self = Self {
        re: [0.0; L],
        im: [0.0; L],
    };
    /// 1 in every lane.
    pub(super) const ONE: Self = Self {
        re: [1.0; L],
        im: [0.0; L],
    };

    /// A real number in every lane.
    pub(super) const fn real(value: f64) -> Self {
        Self {
            re: [value; L],
            im: [0.0; L],
        }
    }

    /// Times a real number.
    #[inline(always)]
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        for lane in 0..L {
            self.re[lane] *= factor;
            self.im[lane] *= factor;
        }
        self
    }

    /// Adds `factor` times `other`, `factor` real.
    #[inline(always)]
    pub(super) fn add_scaled(&mut self, factor: f64, other: Self) {
        for lane in 0..L {
            self.re[lane] += factor * other.re[lane];
            self.im[lane] += factor * other.im[lane];
        }
    }

    /// Adds the product of two numbers.
    #[inline(always)]
    pub(super) fn add_product(&mut self, a: Self, b: Self) {
        for lane in 0..L {
            self.re[lane] += a.re[lane] * b.re[lane] - a.im[lane] * b.im[lane];
            self.im[lane] += a.re[lane] * b.im[lane] + a.im[lane] * b.re[lane];
        }
    }

    /// 1 / self; not a number for 0.
    #[inline(always)]
    pub(super) fn inverse(mut self) -> Self {
        for lane in 0..L {
            let square = self.re[lane] * self.re[lane] + self.im[lane] * self.im[lane];
            let scale = 1.0 / square;
            self.re[lane] *= scale;
            self.im[lane] *= -scale;
        }
        self
    }
}

impl<const L: usize> Add for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const L: usize> AddAssign for Lanes<L> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        for lane in 0..L {
            self.re[lane] += other.re[lane];
            self.im[lane] += other.im[lane];
        }
    }
}

impl<const L: usize> Sub for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        for lane in 0..L {
            self.re[lane] -= other.re[lane];
            self.im[lane] -= other.im[lane];
        }
        self
    }
}

impl<const L: usize> Mul for Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let mut product = Self::ZERO;
        for lane in 0..L {
            product.re[lane] = self.re[lane] * other.re[lane] - self.im[lane] * other.im[lane];
            product.im[lane] = self.re[lane] * other.im[lane] + self.im[lane] * other.re[lane];
        }
        product
    }
}
