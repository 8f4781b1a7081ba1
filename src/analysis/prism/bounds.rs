//! Bounds that the variables of a model practically never pass; formulas in the parent's header.

/// What the bounds leave out, at most.
const CUT: f64 = 1e-15;
/// The most room that is looked for; only near a drift of 0 is it met.
const MOST: f64 = 1e9;

/// How far above their starts the bounds of counter and multiplier have to be.
pub(super) fn room(moves: &[(i64, i64, f64)], start: u64) -> (u64, u64) {
    let real = |whole: i64| whole.to_string().parse::<f64>().unwrap_or(f64::MAX);
    let mean = |theta: f64, phi: f64| -> f64 {
        moves
            .iter()
            .map(|&(change, shift, p)| p * theta.powf(real(change)) * phi.powf(real(shift)))
            .sum()
    };
    let start = real(i64::try_from(start).unwrap_or(i64::MAX));
    let target = -CUT.ln();
    let (mut counter, mut multiplier) = (f64::INFINITY, f64::INFINITY);
    let mut distance = 64.0_f64;
    while distance > 1e-7 {
        let theta = 1.0 + distance;
        if mean(theta, 1.0) <= 1.0 {
            counter = counter.min(target / theta.ln());
            let mut growth = 16.0_f64;
            while growth > 1e-7 {
                let phi = 1.0 + growth;
                if mean(theta, phi) <= 1.0 {
                    multiplier = multiplier.min((target + start * theta.ln()) / phi.ln());
                    // A smaller phi only asks for more room.
                    break;
                }
                growth *= 0.97;
            }
        }
        distance *= 0.9;
    }
    (whole(counter), whole(multiplier))
}

/// The least integer not below a positive number, cut to the largest bound.
fn whole(number: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is cut to a range that u64 holds"
    )]
    let whole = number.ceil().clamp(0.0, MOST) as u64;
    whole
}
