//! The columns of a sweep with their types and units.

use std::collections::BTreeSet;

use crate::document::{SweepDocument, SweepRow, SweepSimulated, SweepValue as Value};

/// A column; its cells are as many as the rows of the document.
pub(super) struct Column {
    pub(super) name: String,
    /// `rounds`, `wagers`, `1` for a share, and so on; empty where there is nothing to measure.
    pub(super) unit: &'static str,
    pub(super) cells: Cells,
}

/// Cells of one type, `None` where a row has none.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cells {
    Float(Vec<Option<f64>>),
    Count(Vec<Option<u64>>),
    Integer(Vec<Option<i64>>),
    Boolean(Vec<Option<bool>>),
    Text(Vec<Option<String>>),
}

impl Cells {
    /// A cell as text, empty for none.
    pub(super) fn text(&self, row: usize) -> String {
        fn shown<T: ToString>(cells: &[Option<T>], row: usize) -> String {
            cells[row].as_ref().map_or_else(String::new, T::to_string)
        }
        match self {
            Self::Float(cells) => shown(cells, row),
            Self::Count(cells) => shown(cells, row),
            Self::Integer(cells) => shown(cells, row),
            Self::Boolean(cells) => shown(cells, row),
            Self::Text(cells) => shown(cells, row),
        }
    }
}

/// The unit of a figure. Returns and meters are in wagers; the meter is odds to one.
fn unit(figure: &str) -> &'static str {
    match figure {
        "variance_meter" => "wagers^2",
        "hit_frequency" => "1",
        "mean_spins" => "spins",
        _ => "wagers",
    }
}

/// All columns of a document.
pub(super) fn columns(document: &SweepDocument) -> Vec<Column> {
    let rows = &document.rows;
    let text = |name: &str, cell: &dyn Fn(&SweepRow) -> Option<String>| Column {
        name: name.to_owned(),
        unit: "",
        cells: Cells::Text(rows.iter().map(cell).collect()),
    };
    let mut columns = vec![
        Column {
            name: "paytable".to_owned(),
            unit: "",
            cells: Cells::Count(rows.iter().map(|row| Some(row.paytable)).collect()),
        },
        text("point", &|row| row.point.clone()),
    ];
    for key in &document.keys {
        columns.push(Column {
            // A key may be called like a figure; the paytable's own come with a mark.
            name: format!("set.{key}"),
            unit: "",
            cells: values(rows.iter().map(|row| row.values.get(key)).collect()),
        });
    }
    columns.push(text("sha256", &|row| row.sha256.clone()));
    columns.push(Column {
        name: "trigger".to_owned(),
        unit: "",
        cells: Cells::Count(rows.iter().map(|row| row.trigger.map(u64::from)).collect()),
    });
    figures(&mut columns, rows);
    if document.simulate.is_some() {
        simulated(&mut columns, rows);
    }
    columns.push(text("fault", &|row| row.fault.clone()));
    columns
}

/// Values of one key: of their own type where all have one, else as text.
fn values(values: Vec<Option<&Value>>) -> Cells {
    let kinds: BTreeSet<u8> = values
        .iter()
        .flatten()
        .map(|value| match value {
            Value::Boolean(_) => 0,
            Value::Integer(_) => 1,
            _ => 2,
        })
        .collect();
    if kinds.len() == 1 && kinds.contains(&0) {
        let boolean = |value: Option<&Value>| match value {
            Some(Value::Boolean(value)) => Some(*value),
            _ => None,
        };
        Cells::Boolean(values.into_iter().map(boolean).collect())
    } else if kinds.len() == 1 && kinds.contains(&1) {
        let integer = |value: Option<&Value>| match value {
            Some(Value::Integer(value)) => Some(*value),
            _ => None,
        };
        Cells::Integer(values.into_iter().map(integer).collect())
    } else {
        let text = |value: Option<&Value>| value.map(ToString::to_string);
        Cells::Text(values.into_iter().map(text).collect())
    }
}

/// Value, lower and upper bound of every figure.
fn figures(columns: &mut Vec<Column>, rows: &[SweepRow]) {
    let Some(names) = rows
        .iter()
        .find_map(|row| row.figures.as_ref())
        .map(|figures| figures.named().map(|(name, _)| name))
    else {
        return;
    };
    for (index, name) in names.into_iter().enumerate() {
        for (bound, suffix) in ["", "_lower", "_upper"].into_iter().enumerate() {
            let cells = rows.iter().map(|row| {
                let (_, enclosure) = row.figures.as_ref()?.named()[index];
                Some([enclosure.value, enclosure.lower, enclosure.upper][bound])
            });
            columns.push(Column {
                name: format!("{name}{suffix}"),
                unit: unit(name),
                cells: Cells::Float(cells.collect()),
            });
        }
    }
}

fn simulated(columns: &mut Vec<Column>, rows: &[SweepRow]) {
    let count = |name: &str, unit, cell: &dyn Fn(&SweepSimulated) -> u64| Column {
        name: format!("simulated_{name}"),
        unit,
        cells: Cells::Count(
            rows.iter()
                .map(|row| row.simulated.as_ref().map(cell))
                .collect(),
        ),
    };
    let text = |name: &str, unit, cell: &dyn Fn(&SweepSimulated) -> &str| Column {
        name: format!("simulated_{name}"),
        unit,
        cells: Cells::Text(
            rows.iter()
                .map(|row| row.simulated.as_ref().map(|run| cell(run).to_owned()))
                .collect(),
        ),
    };
    let float = |name: &str, unit, cell: &dyn Fn(&SweepSimulated) -> Option<f64>| Column {
        name: format!("simulated_{name}"),
        unit,
        cells: Cells::Float(
            rows.iter()
                .map(|row| row.simulated.as_ref().and_then(cell))
                .collect(),
        ),
    };
    columns.extend([
        count("rounds", "rounds", &|run| run.rounds),
        // Sums pass 64 bits, and a seed is a name rather than a quantity.
        text("seed", "", &|run| &run.seed),
        text("sum_meter", "wagers", &|run| &run.sum_meter),
        text("sum_meter_squared", "wagers^2", &|run| {
            &run.sum_meter_squared
        }),
        text("zero_rounds", "rounds", &|run| &run.zero_rounds),
        text("spins", "spins", &|run| &run.spins),
        count("max_meter", "wagers", &|run| run.max_meter),
        count("max_round", "", &|run| run.max_round),
    ]);
    for (index, name) in [
        "mean_meter",
        "variance_meter",
        "hit_frequency",
        "mean_spins",
        "rtp",
    ]
    .into_iter()
    .enumerate()
    {
        let estimate = move |run: &SweepSimulated| {
            [
                run.mean_meter,
                run.variance_meter,
                run.hit_frequency,
                run.mean_spins,
                run.rtp,
            ][index]
        };
        columns.push(float(name, unit(name), &|run| Some(estimate(run).estimate)));
        columns.push(float(&format!("{name}_std_error"), unit(name), &|run| {
            Some(estimate(run).std_error)
        }));
    }
    columns.push(float("z_mean", "1", &|run| run.z_mean));
    columns.push(text("digest", "", &|run| &run.digest));
}
