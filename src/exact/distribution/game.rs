//! The law of one spin in floating point, and what follows for the counter alone.

use super::super::law::Law;
use super::circle::{power, real};
use crate::paytable::Paytable;

/// Eat Me or Drink Me as an outer result.
#[derive(Debug, Clone, Copy)]
pub(super) struct PotionLaw {
    /// Its probability.
    pub(super) probability: f64,
    /// Change of the counter, at least -1.
    pub(super) change: i64,
    /// Added to every multiplier, before the floor.
    pub(super) delta: i64,
}

/// One spin.
#[derive(Debug, Clone)]
pub(super) struct Game {
    /// Probability of each character as the outer result.
    pub(super) hit: Vec<f64>,
    /// Probability of No Win.
    pub(super) no_win: f64,
    /// The potions on the wheel.
    pub(super) potions: Vec<PotionLaw>,
    /// Inner multipliers with their probabilities.
    pub(super) additions: Vec<(i64, f64)>,
    /// Probability of the additional spin.
    pub(super) extra: f64,
    /// What it adds to the counter.
    pub(super) extra_spins: usize,
    /// Probability that a multiplier goes to the character.
    pub(super) selection: Vec<f64>,
    /// Characters with equal selection share a class.
    pub(super) class_of: Vec<usize>,
    /// The floor.
    pub(super) floor: i64,
}

impl Game {
    /// The law of a paytable's spin.
    pub(super) fn new(paytable: &Paytable) -> Self {
        let law = Law::new(paytable);
        let number = |exact: &dashu_ratio::RBig| exact.to_f64().value();
        Self {
            hit: law
                .label
                .iter()
                .map(|label| number(&(label * &law.down)))
                .collect(),
            no_win: number(&(&law.down - &law.hit)),
            potions: law
                .potions
                .iter()
                .map(|potion| PotionLaw {
                    probability: number(&potion.probability),
                    change: potion.change,
                    delta: potion.delta,
                })
                .collect(),
            additions: law
                .additions
                .iter()
                .map(|(value, probability)| (*value, number(probability)))
                .collect(),
            extra: number(&law.extra),
            extra_spins: usize::try_from(law.extra_spins).expect("at most 10"),
            selection: law
                .class_of
                .iter()
                .map(|&class| number(&law.selection[class]))
                .collect(),
            class_of: law.class_of,
            floor: i64::from(paytable.rules.multiplier_floor),
        }
    }

    /// Number of characters.
    pub(super) fn characters(&self) -> usize {
        self.hit.len()
    }

    /// The law of the counter's change: (change, probability).
    fn steps(&self) -> Vec<(i64, f64)> {
        let down = self.hit.iter().sum::<f64>() + self.no_win;
        let extra = i64::try_from(self.extra_spins).expect("at most 10");
        let mut steps = Vec::new();
        for (change, probability) in self
            .potions
            .iter()
            .map(|potion| (potion.change, potion.probability))
            .chain([(-1, down)])
        {
            steps.push((change, probability * (1.0 - self.extra)));
            steps.push((change + extra, probability * self.extra));
        }
        steps
    }

    /// The r > 1 with E[r^change] = 1, or infinity where the counter never rises: the counter's
    /// supremum from n passes m with probability at most r^(n - m).
    ///
    /// By convexity and a negative drift there is exactly one; the value is rounded down.
    pub(super) fn decay(&self) -> f64 {
        let steps = self.steps();
        if steps.iter().all(|&(change, p)| change <= 0 || p <= 0.0) {
            return f64::INFINITY;
        }
        let mean = |r: f64| -> f64 {
            steps
                .iter()
                .map(|&(change, probability)| probability * power(r, change))
                .sum()
        };
        let (mut low, mut high) = (1.0, 2.0);
        while mean(high) < 1.0 && high < 1e12 {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if mean(middle) < 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        // E[r^change] touches 1 at r = 1 too: without room above 1 there is no decay to speak of.
        low.max(1.0)
    }

    /// A counter that a round from `start` passes with probability below `chance`; at most `most`.
    pub(super) fn levels(&self, start: usize, chance: f64, most: usize) -> usize {
        let decay = self.decay();
        let mut passed = 1.0;
        let mut levels = start;
        while passed > chance && levels < most && decay.is_finite() {
            passed /= decay;
            levels += 1;
        }
        levels
    }

    /// P(a round from each start has H outer results among `hits` in all), H from 0: the largest over
    /// the starts, made monotone from the far end.
    pub(super) fn hit_counts(&self, hits: f64, starts: &[usize], most: usize) -> Vec<f64> {
        let mut envelope = vec![0.0_f64; most + 1];
        for &start in starts {
            let levels = self.levels(start, 1e-16, start + 200);
            let extra = self.extra_spins;
            let rest = self.hit.iter().sum::<f64>() + self.no_win - hits;
            let width = levels + 1;
            let mut row = vec![0.0_f64; width * (most + 1)];
            row[start] = 1.0;
            let mut running = 1.0;
            let mut spins = 0;
            while running > 1e-18 && spins < 4000 {
                let mut next = vec![0.0_f64; row.len()];
                running = 0.0;
                for count in 0..=most {
                    for n in 1..=levels {
                        let mass = row[count * width + n];
                        if mass <= 0.0 {
                            continue;
                        }
                        for (rise, inner) in [(0, 1.0 - self.extra), (extra, self.extra)] {
                            let mut put = |count: usize, n: usize, p: f64| {
                                if count <= most && n <= levels {
                                    next[count * width + n] += mass * inner * p;
                                }
                            };
                            put(count + 1, n + rise - 1, hits);
                            put(count, n + rise - 1, rest);
                            for potion in &self.potions {
                                let to = (n + rise).saturating_add_signed(
                                    isize::try_from(potion.change).expect("at most 10"),
                                );
                                put(count, to, potion.probability);
                            }
                        }
                    }
                }
                for count in 0..=most {
                    // What has ended stays.
                    let ended = next[count * width];
                    row[count * width] += ended;
                    next[count * width] = row[count * width];
                    running += next[count * width + 1..(count + 1) * width]
                        .iter()
                        .sum::<f64>();
                }
                row = next;
                spins += 1;
            }
            for count in 0..=most {
                envelope[count] = envelope[count].max(row[count * width]);
            }
        }
        for count in (0..most).rev() {
            envelope[count] = envelope[count].max(envelope[count + 1]);
        }
        envelope
    }

    /// Whether a potion takes something off a multiplier.
    pub(super) fn has_floor_in_reach(&self) -> bool {
        self.potions.iter().any(|potion| potion.delta < 0)
    }

    /// The largest rise of the counter in one spin.
    pub(super) fn reach(&self) -> usize {
        let rise = self
            .potions
            .iter()
            .map(|potion| potion.change)
            .max()
            .unwrap_or(0)
            .max(0);
        usize::try_from(rise).expect("not negative") + self.extra_spins
    }

    /// Expected number of spins from a counter.
    pub(super) fn expected_spins(&self, start: usize) -> f64 {
        let drift: f64 = self
            .steps()
            .iter()
            .map(|&(change, probability)| {
                #[expect(clippy::cast_precision_loss, reason = "at most 20")]
                let change = change as f64;
                change * probability
            })
            .sum();
        real(start) / -drift
    }

    /// P(a round from `start` is still running after `limit` spins), rounded up; 1 where that is not small.
    pub(super) fn outlasts(&self, start: usize, limit: usize) -> f64 {
        let mut most = 1.0_f64;
        // Chernoff: E[r^change] < 1 for some r > 1, and what runs on has a counter of 1 or more.
        for step in 1..200 {
            let r = 1.0 + real(step) * 0.05;
            let mean: f64 = self
                .steps()
                .iter()
                .map(|&(change, probability)| probability * power(r, change))
                .sum();
            let exponent = real(limit) * mean.ln() + real(start.saturating_sub(1)) * r.ln();
            most = most.min(exponent.exp() * (1.0 + 1e-9));
        }
        most
    }

    /// `w_c^h` for h = 0 to `most`.
    pub(super) fn hit_powers(&self, character: usize, most: usize) -> Vec<f64> {
        let mut powers = vec![1.0; most + 1];
        for h in 1..=most {
            powers[h] = powers[h - 1] * self.hit[character];
        }
        powers
    }
}

/// n! as a number.
pub(super) fn factorial(n: usize) -> f64 {
    (1..=n).map(real).product()
}
