//! Sums over a held law, rounded outward.

use crate::exact::interval::Interval;

/// A natural number, exact below 2^53.
pub(super) fn number(x: usize) -> Interval {
    Interval::from_int(i64::try_from(x).unwrap_or(i64::MAX))
}

/// A natural number as the nearest `f64`.
pub(super) fn real(x: usize) -> f64 {
    number(x).mid()
}

/// The sums of l(x) x^k for k = 0, 1, 2.
pub(super) fn raw(entries: &[Interval]) -> [Interval; 3] {
    weighted(entries.iter().enumerate().map(|(x, &l)| (number(x), l)))
}

/// The sums of l(x) min(x, cap)^k for k = 0, 1, 2.
///
/// # Arguments
/// - `first`: the least meter that is not below the cap
pub(super) fn raw_capped(entries: &[Interval], first: usize, cap: Interval) -> [Interval; 3] {
    weighted(
        entries
            .iter()
            .enumerate()
            .map(|(x, &l)| (if x < first { number(x) } else { cap }, l)),
    )
}

fn weighted(terms: impl Iterator<Item = (Interval, Interval)>) -> [Interval; 3] {
    let mut sums = [Interval::ZERO; 3];
    for (x, l) in terms {
        // A zero is exact, and most of a long law is none.
        if l.hi > 0.0 {
            let first = l * x;
            sums[0] += l;
            sums[1] += first;
            sums[2] += first * x;
        }
    }
    sums
}

/// The sums of l(x) (x - centre)^k for k = 0 to 4.
pub(super) fn central(entries: &[Interval], centre: f64) -> [Interval; 5] {
    let mut sums = [Interval::ZERO; 5];
    for (x, &l) in entries.iter().enumerate() {
        if l.hi > 0.0 {
            let distance = number(x) - Interval::point(centre);
            let square = distance.square();
            let powers = [
                Interval::ONE,
                distance,
                square,
                square * distance,
                square.square(),
            ];
            for (sum, power) in sums.iter_mut().zip(powers) {
                *sum += l * power;
            }
        }
    }
    sums
}

/// The sum of l(x) (centre - x)^3 over the meters below the centre.
pub(super) fn below_cubed(entries: &[Interval], centre: Interval) -> Interval {
    let mut sum = Interval::ZERO;
    for (x, &l) in entries.iter().enumerate() {
        let distance = centre - number(x);
        if distance.hi <= 0.0 {
            break;
        }
        let distance = Interval {
            lo: distance.lo.max(0.0),
            hi: distance.hi,
        };
        sum += l * (distance.square() * distance);
    }
    sum
}

/// A number whose power is not below a number that is not negative: its root, rounded up.
///
/// Newton's method, whose iterates are above the root from the second on; no library function whose digits depend on
/// the processor.
pub(super) fn root_up(value: f64, degree: u32) -> f64 {
    if value == 0.0 || value == f64::INFINITY {
        return value;
    }
    // Far above the least positive numbers, where products lose their relative accuracy.
    let value = value.max(1e-250);
    let k = f64::from(degree);
    let mut root = value.max(1.0);
    loop {
        let quotient = (1..degree).fold(value, |quotient, _| quotient / root);
        let next = ((k - 1.0) * root + quotient) / k;
        if next >= root {
            break;
        }
        root = next;
    }
    while Interval::point(root).power(u64::from(degree)).lo < value {
        root = root.next_up();
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_not_below_the_root() {
        for value in [0.0, 1e-200, 1e-9, 0.3, 1.0, 8.0, 27.5, 1e12, 1e300] {
            for degree in [3, 5, 8] {
                let root = root_up(value, degree);
                let power = Interval::point(root).power(u64::from(degree));
                assert!(power.hi >= value, "{value}");
                let expected = value.powf(1.0 / f64::from(degree));
                assert!((root - expected).abs() <= 1e-13 * root, "{value} {degree}");
            }
        }
    }

    /// 1/2 at 0 and 1/2 at 2, about 1: 1, 0, 1, 0, 1.
    #[test]
    fn central_sums_of_two_points() {
        let half = Interval::point(0.5);
        let found = central(&[half, Interval::ZERO, half], 1.0);
        for (sum, expected) in found.into_iter().zip([1.0, 0.0, 1.0, 0.0, 1.0]) {
            assert!(sum.lo <= expected && expected <= sum.hi);
        }
        let below = below_cubed(&[half, Interval::ZERO, half], Interval::ONE);
        assert!(below.lo <= 0.5 && 0.5 <= below.hi);
    }
}
