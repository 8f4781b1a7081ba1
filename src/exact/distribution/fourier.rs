//! Powers of a law under convolution, by a Fourier transform with a proven error.
//!
//! Radix 2, forward by decimation in frequency and back by decimation in time, so that no order of bits is reversed. With
//! u = 2^-53 and K = 2^t points:
//!
//! - A root of unity is a product of at most t numbers e^(-2 pi i / 2^s), made by halving angles with square roots
//!   alone (cosine within 2 u, sine within 2 u), and a product of complex numbers loses at most sqrt 5 u (R. Brent, C. Percival and P.
//!   Zimmermann 2007): every root is within 6 t u.
//! - A stage multiplies the 2-norm by exactly sqrt 2 and loses at most 6 t u + 4 u of it, so a transform loses at most E =
//!   2 t (6 t + 4) u relative to its 2-norm, the factor 2 covering products of errors (as N. Higham, Accuracy and
//!   Stability of Numerical Algorithms, 2nd ed., theorem 24.2).
//! - An N-th power of a number loses at most 3 N u relative to itself.
//! - A sum of any of the K results differs from the truth by at most sqrt K times the 2-norm of the error: see [`error`].
//!
//! Guarantee: the same bytes on every processor; nothing but sums, products, quotients and square roots.

/// 2^-53.
const UNIT: f64 = f64::EPSILON / 2.0;

/// Real and imaginary part.
type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// e^(-2 pi i j / K) for j < K / 2.
fn roots(points: usize) -> Vec<Complex> {
    let bits = points.trailing_zeros();
    // Index s: e^(-2 pi i / 2^s).
    let mut halves: Vec<Complex> = vec![(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0)];
    let mut last: Complex = (0.0, -1.0);
    for _ in 3..=bits {
        let cosine = f64::midpoint(1.0, last.0).sqrt();
        last = (cosine, last.1 / (2.0 * cosine));
        halves.push(last);
    }
    let mut roots = vec![(1.0, 0.0)];
    let mut order = bits;
    while roots.len() * 2 < points {
        let turn = halves[order as usize];
        for index in 0..roots.len() {
            roots.push(times(roots[index], turn));
        }
        order -= 1;
    }
    roots
}

/// The law of the sum of `power` draws, folded modulo the length of `law`, a power of two that is at least 2.
pub(super) fn power(law: &[f64], power: u64) -> Vec<f64> {
    let points = law.len();
    debug_assert!(points.is_power_of_two() && points >= 2, "a power of two");
    let roots = roots(points);
    let mut values: Vec<Complex> = law.iter().map(|&p| (p, 0.0)).collect();
    let mut half = points / 2;
    while half > 0 {
        let stride = points / 2 / half;
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (j, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let difference = (a.0 - b.0, a.1 - b.1);
                *a = (a.0 + b.0, a.1 + b.1);
                *b = times(difference, roots[j * stride]);
            }
        }
        half /= 2;
    }
    for value in &mut values {
        *value = raised(*value, power);
    }
    let mut half = 1;
    while half < points {
        let stride = points / 2 / half;
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (j, (a, b)) in low.iter_mut().zip(high).enumerate() {
                let (cosine, sine) = roots[j * stride];
                let turned = times(*b, (cosine, -sine));
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        half *= 2;
    }
    // A power of two: the scale is exact.
    let scale = 1.0 / super::sums::real(points);
    values.into_iter().map(|value| value.0 * scale).collect()
}

fn raised(value: Complex, power: u64) -> Complex {
    let mut result = (1.0, 0.0);
    let mut square = value;
    let mut left = power;
    while left > 0 {
        if left & 1 == 1 {
            result = times(result, square);
        }
        left >>= 1;
        if left > 0 {
            square = times(square, square);
        }
    }
    result
}

/// A bound on the error of any sum of entries of [`power`], the summation included.
///
/// With a = the transform of p, |a| <= 1 and each entry within e0 = E sqrt K |p|, the error of the result has the 2-norm
/// f (N E |p| + 3 N u + E) with f = (1 + e0)^N <= 1 / (1 - N e0); a sum of at most K numbers adds 2 K u.
///
/// # Arguments
/// - `norm`: the 2-norm |p| of the law, whose sum is at most 1
pub(super) fn error(points: usize, power: u64, norm: f64) -> f64 {
    let t = f64::from(points.trailing_zeros());
    let transform = 2.0 * t * (6.0 * t + 4.0) * UNIT;
    let root = super::sums::real(points).sqrt();
    let n = super::sums::real(usize::try_from(power).unwrap_or(usize::MAX));
    let grown = n * transform * root * norm;
    if grown >= 0.5 {
        return f64::INFINITY;
    }
    let two_norm = (n * transform * norm + 3.0 * n * UNIT + transform) / (1.0 - grown);
    // The bound itself is computed with roundings, far below 1 %.
    1.01 * (root * two_norm + 2.0 * root * root * UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_on_the_circle() {
        let points = 1 << 12;
        for (j, root) in roots(points).into_iter().enumerate() {
            let angle = -std::f64::consts::TAU * super::super::sums::real(j)
                / super::super::sums::real(points);
            let distance = (root.0 - angle.cos()).hypot(root.1 - angle.sin());
            assert!(distance <= 6.0 * 12.0 * UNIT, "{j} {distance:e}");
        }
    }

    /// Binomial(12, 1/4), folded at 16 points where nothing meets, and at 8 where 8 to 12 fall on 0 to 4.
    #[test]
    fn powers_of_two_points_are_binomial() {
        let binomial: Vec<f64> = (0..=12_u32)
            .map(|k| {
                let choose = (0..k).fold(1.0, |c, i| c * f64::from(12 - i) / f64::from(i + 1));
                choose
                    * 0.25_f64.powi(12 - i32::try_from(12 - k).unwrap())
                    * 0.75_f64.powi(i32::try_from(12 - k).unwrap())
            })
            .collect();
        for points in [16_usize, 8] {
            let mut law = vec![0.0; points];
            law[0] = 0.75;
            law[1] = 0.25;
            let found = power(&law, 12);
            let mut expected = vec![0.0; points];
            for (k, p) in binomial.iter().enumerate() {
                expected[k % points] += p;
            }
            let bound = error(points, 12, 0.75_f64.hypot(0.25));
            let total: f64 = found
                .iter()
                .zip(&expected)
                .map(|(a, b)| (a - b).abs())
                .sum();
            assert!(total <= bound && bound < 1e-11, "{total:e} {bound:e}");
        }
    }
}
