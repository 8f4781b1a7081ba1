//! The axes of a grid, and ranges read exactly.

use dashu_int::IBig;
use dashu_ratio::RBig;
use toml::de::DeValue;

use super::file::MAX_PAYTABLES;
use crate::paytable::text::{IntegerRange, Node, Reader};
use crate::paytable::{Decimal, KeyPath, Value, round_half_away};

const INTEGER: IntegerRange = IntegerRange::new(i64::MIN as i128, i64::MAX as i128);
const STEP: IntegerRange = IntegerRange::new(1, i64::MAX as i128);

/// Keys that move together, and the rows that they move along.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub(super) keys: Vec<KeyPath>,
    pub(super) rows: Vec<Row>,
}

/// A place on an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Row {
    /// A value for each key.
    Values(Vec<Value>),
    /// None of the keys is there.
    Without,
}

/// The rows of `{ from, to, step }`: `from`, then every `step` up to `to`, which is among them
/// where a step meets it.
pub(super) fn range_rows(reader: &mut Reader<'_>, node: &Node<'_>) -> Option<Vec<Row>> {
    let table = reader.open(node, &["from", "to", "step"])?;
    let from = reader.required(&table, "from");
    let to = reader.required(&table, "to");
    let step = reader.required(&table, "step");
    let (from, to, step) = (from?, to?, step?);
    let values = if matches!(from.value, DeValue::String(_)) {
        decimals(reader, &from, &to, &step)?
    } else {
        integers(reader, &from, &to, &step)?
    };
    Some(
        values
            .into_iter()
            .map(|value| Row::Values(vec![value]))
            .collect(),
    )
}

fn integers(
    reader: &mut Reader<'_>,
    from: &Node<'_>,
    to: &Node<'_>,
    step: &Node<'_>,
) -> Option<Vec<Value>> {
    let or = ", or decimals as text in all three places";
    let first = reader.integer_or(from, INTEGER, or);
    let last = reader.integer_or(to, INTEGER, or);
    let by = reader.integer_or(step, STEP, or);
    let (first, last, by) = (first?, last?, by?);
    let count = counted(reader, to, &IBig::from(last - first), &IBig::from(by))?;
    Some(
        (0..i128::from(count))
            .filter_map(|index| i64::try_from(first + index * by).ok())
            .map(Value::Integer)
            .collect(),
    )
}

/// Decimals as text with as many places as the longest of the three numbers.
fn decimals(
    reader: &mut Reader<'_>,
    from: &Node<'_>,
    to: &Node<'_>,
    step: &Node<'_>,
) -> Option<Vec<Value>> {
    let first = reader.decimal(from);
    let last = reader.decimal(to);
    let by = reader.decimal(step);
    let (first, last, by) = (first?, last?, by?);
    for (number, node) in [(&last, to), (&by, step)] {
        if number.is_percentage != first.is_percentage {
            let kind = if first.is_percentage {
                "a percentage, as in `from`"
            } else {
                "a decimal without a per cent sign, as in `from`"
            };
            reader.mismatch(node, kind);
            return None;
        }
    }
    let places = first.places.max(last.places).max(by.places);
    let whole = |number: &Decimal| {
        let factor = if number.is_percentage { 100 } else { 1 };
        round_half_away(&(&number.value * RBig::from(factor)), places)
    };
    let (start, end, by) = (whole(&first), whole(&last), whole(&by));
    if by <= IBig::ZERO {
        reader.mismatch(step, "a number above 0");
        return None;
    }
    let count = counted(reader, to, &(end - &start), &by)?;
    let sign = if first.is_percentage { "%" } else { "" };
    Some(
        (0..count)
            .map(|index| {
                let value = &start + &by * IBig::from(index);
                Value::Text(format!("{}{sign}", decimal_text(&value, places)))
            })
            .collect(),
    )
}

/// How many steps there are in a distance, the first place counted.
fn counted(reader: &mut Reader<'_>, to: &Node<'_>, distance: &IBig, step: &IBig) -> Option<u64> {
    if *distance < IBig::ZERO {
        reader.mismatch(to, "a number not below `from`");
        return None;
    }
    let count = u64::try_from(distance / step + IBig::ONE)
        .ok()
        .filter(|&count| count <= MAX_PAYTABLES);
    if count.is_none() {
        let legal = format!("at most {MAX_PAYTABLES} steps from `from`");
        reader.mismatch(to, &legal);
    }
    count
}

/// A number of units of 10^-`places` as a decimal.
fn decimal_text(units: &IBig, places: u32) -> String {
    let is_negative = *units < IBig::ZERO;
    let digits = if is_negative {
        (-units.clone()).to_string()
    } else {
        units.to_string()
    };
    let places = places as usize;
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if is_negative { "-" } else { "" };
    if fraction.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_become_decimals() {
        for (units, places, text) in [
            (0, 0, "0"),
            (0, 2, "0.00"),
            (5, 2, "0.05"),
            (-5, 2, "-0.05"),
            (1234, 2, "12.34"),
            (1234, 0, "1234"),
            (-100, 2, "-1.00"),
        ] {
            assert_eq!(decimal_text(&IBig::from(units), places), text);
        }
    }
}
