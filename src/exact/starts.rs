//! The laws of the starting multipliers, 693.6(e), as one and two characters see them.
//!
//! First and second moments of the meter need no more than the law of each character's start
//! and the joint law of each two. For a permutation of a multiset the joint law is that of two
//! draws without replacement; a product of the two single laws would be wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_ratio::RBig;

use crate::paytable::{Paytable, StartLaw};
use crate::rules::Trigger;

/// Distinct values with their probabilities.
type Single = Arc<Vec<(u32, RBig)>>;
/// Distinct pairs of values with their probabilities.
type Double = Arc<Vec<((u32, u32), RBig)>>;

/// The starts of all characters, in the paytable's order.
#[derive(Debug, Clone)]
pub(super) struct Starts {
    /// The law of each character's start.
    pub(super) single: Vec<Single>,
    /// The joint law of the characters (first, second), first < second, row by row.
    pub(super) double: Vec<Double>,
}

fn add<K: Ord>(law: &mut BTreeMap<K, RBig>, key: K, probability: RBig) {
    *law.entry(key).or_insert(RBig::ZERO) += probability;
}

fn finish<K: Ord>(law: BTreeMap<K, RBig>) -> Arc<Vec<(K, RBig)>> {
    Arc::new(law.into_iter().collect())
}

impl Starts {
    /// The law that a trigger's rounds start with.
    pub(super) fn new(paytable: &Paytable, trigger: Trigger) -> Self {
        let characters = paytable.characters();
        let count = characters.len();
        let pairs = count * (count - 1) / 2;
        match paytable.start_law(trigger) {
            StartLaw::Permutation { values } => {
                let mut single = BTreeMap::new();
                let mut double = BTreeMap::new();
                let of = RBig::from(values.len());
                for (i, &first) in values.iter().enumerate() {
                    add(&mut single, first, RBig::ONE / &of);
                    for (j, &second) in values.iter().enumerate() {
                        if i != j {
                            let probability = RBig::ONE / (&of * RBig::from(values.len() - 1));
                            add(&mut double, (first, second), probability);
                        }
                    }
                }
                Self {
                    single: vec![finish(single); count],
                    double: vec![finish(double); pairs],
                }
            }
            StartLaw::Fixed { values } => {
                let row: Vec<u32> = characters.iter().map(|c| values[c]).collect();
                Self::from_rows(count, &[(RBig::ONE, row)])
            }
            StartLaw::Independent { values, weights } => {
                let total = weights
                    .iter()
                    .fold(RBig::ZERO, |sum, &weight| sum + RBig::from(weight));
                let mut single = BTreeMap::new();
                for (&value, &weight) in values.iter().zip(weights) {
                    add(&mut single, value, RBig::from(weight) / &total);
                }
                let mut double = BTreeMap::new();
                if pairs > 0 {
                    for (&first, p) in &single {
                        for (&second, q) in &single {
                            add(&mut double, (first, second), p * q);
                        }
                    }
                }
                Self {
                    single: vec![finish(single); count],
                    double: vec![finish(double); pairs],
                }
            }
            StartLaw::Table { rows } => {
                let total = rows
                    .iter()
                    .fold(RBig::ZERO, |sum, row| sum + RBig::from(row.weight));
                let rows: Vec<_> = rows
                    .iter()
                    .map(|row| {
                        let values = characters.iter().map(|c| row.values[c]).collect();
                        (RBig::from(row.weight) / &total, values)
                    })
                    .collect();
                Self::from_rows(count, &rows)
            }
        }
    }

    fn from_rows(count: usize, rows: &[(RBig, Vec<u32>)]) -> Self {
        let mut single = vec![BTreeMap::new(); count];
        let mut double = vec![BTreeMap::new(); count * (count - 1) / 2];
        for (probability, row) in rows {
            let mut pair = 0;
            for first in 0..count {
                add(&mut single[first], row[first], probability.clone());
                for second in first + 1..count {
                    let key = (row[first], row[second]);
                    add(&mut double[pair], key, probability.clone());
                    pair += 1;
                }
            }
        }
        Self {
            single: single.into_iter().map(finish).collect(),
            double: double.into_iter().map(finish).collect(),
        }
    }
}
