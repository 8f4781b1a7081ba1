//! Tests of the tables of a sweep, on rows that are written out.

use std::collections::BTreeMap;
use std::io::Write as _;

use ::parquet::basic::{LogicalType, Type as Physical};
use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
use ::parquet::record::Field;

use super::*;
use crate::document::{
    EnclosureJson, PaytableId, SweepEstimate, SweepFigures, SweepId, SweepPlan, SweepRow,
    SweepSimulated, SweepValue, Tool, rows_sha256,
};

fn around(value: f64) -> EnclosureJson {
    EnclosureJson {
        value,
        lower: value - 0.25,
        upper: value + 0.5,
    }
}

fn figures(mean: f64) -> SweepFigures {
    SweepFigures {
        mean_meter: around(mean),
        variance_meter: around(2.0),
        std_dev_meter: around(3.0),
        hit_frequency: around(0.5),
        mean_spins: around(4.0),
        rtp: around(0.75),
        rtp_conditional: around(5.0),
        std_dev_return: around(6.0),
        volatility_index: around(7.0),
    }
}

fn simulated() -> SweepSimulated {
    let estimate = |estimate| SweepEstimate {
        estimate,
        std_error: 0.125,
    };
    SweepSimulated {
        rounds: 10,
        seed: "18446744073709551615".to_owned(),
        sum_meter: "170141183460469231731687303715884105727".to_owned(),
        sum_meter_squared: "99".to_owned(),
        zero_rounds: "3".to_owned(),
        spins: "21".to_owned(),
        // Beyond what a signed number holds.
        max_meter: u64::MAX,
        max_round: 7,
        mean_meter: estimate(1.5),
        variance_meter: estimate(2.5),
        hit_frequency: estimate(0.7),
        mean_spins: estimate(2.1),
        rtp: estimate(0.8),
        z_mean: Some(-1.25),
        digest: "ab".repeat(32),
    }
}

fn row(paytable: u64, values: &[(&str, SweepValue)]) -> SweepRow {
    SweepRow {
        paytable,
        point: None,
        values: values
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()))
            .collect::<BTreeMap<_, _>>(),
        sha256: Some("cd".repeat(32)),
        trigger: Some(5),
        figures: Some(figures(1.0)),
        simulated: Some(simulated()),
        fault: None,
    }
}

fn document() -> SweepDocument {
    let text = |text: &str| SweepValue::Text(text.to_owned());
    let rows = vec![
        row(
            0,
            &[
                ("rules.max_meter", SweepValue::Integer(-5)),
                ("rules.eat_me.consumes_spin", SweepValue::Boolean(true)),
                ("name", text("a, \"b\"\nc")),
            ],
        ),
        row(
            1,
            &[
                ("rules.eat_me.consumes_spin", SweepValue::Boolean(false)),
                (
                    "name",
                    SweepValue::List(vec![SweepValue::Integer(1), text("x")]),
                ),
            ],
        ),
        SweepRow {
            sha256: None,
            trigger: None,
            figures: None,
            simulated: None,
            fault: Some("no game".to_owned()),
            point: Some("last".to_owned()),
            ..row(2, &[("rules.max_meter", SweepValue::Integer(i64::MAX))])
        },
    ];
    SweepDocument {
        schema: SweepDocument::SCHEMA.to_owned(),
        tool: Tool::current(),
        sweep: SweepId {
            name: "test".to_owned(),
            sha256: "12".repeat(32),
        },
        paytable: PaytableId {
            name: "base".to_owned(),
            sha256: "34".repeat(32),
            file_sha256: "56".repeat(32),
        },
        paytables: 3,
        shard: None,
        complete: true,
        keys: ["rules.max_meter", "rules.eat_me.consumes_spin", "name"]
            .map(ToOwned::to_owned)
            .to_vec(),
        volatility_level: 0.9,
        simulate: Some(SweepPlan {
            rounds: 10,
            seed: "derived".to_owned(),
            generator: "xoshiro256++".to_owned(),
        }),
        rows_sha256: rows_sha256(&rows),
        rows,
    }
}

/// The cells of a CSV text by name of column.
fn cells(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    reader
        .records()
        .map(|record| {
            let record = record.expect("a record");
            header
                .iter()
                .zip(record.iter())
                .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
                .collect()
        })
        .collect()
}

#[test]
fn a_row_of_the_csv_has_every_figure() {
    let text = csv(&document()).expect("a table");
    let rows = cells(&text);
    assert_eq!(rows.len(), 3);
    for (name, expected) in [
        ("paytable", ["0", "1", "2"]),
        ("point", ["", "", "last"]),
        ("set.rules.max_meter", ["-5", "", "9223372036854775807"]),
        ("set.rules.eat_me.consumes_spin", ["true", "false", ""]),
        ("set.name", ["a, \"b\"\nc", "[1, \"x\"]", ""]),
        ("trigger", ["5", "5", ""]),
        ("mean_meter", ["1", "1", ""]),
        ("mean_meter_lower", ["0.75", "0.75", ""]),
        ("volatility_index_upper", ["7.5", "7.5", ""]),
        (
            "simulated_max_meter",
            ["18446744073709551615", "18446744073709551615", ""],
        ),
        ("simulated_rtp_std_error", ["0.125", "0.125", ""]),
        ("simulated_z_mean", ["-1.25", "-1.25", ""]),
        ("fault", ["", "", "no game"]),
    ] {
        let found: Vec<_> = rows.iter().map(|row| row[name].as_str()).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn without_rounds_there_are_no_simulated_columns() {
    let mut document = document();
    document.simulate = None;
    assert!(!csv(&document).expect("a table").contains("simulated"));
}

fn reader(bytes: &[u8]) -> SerializedFileReader<std::fs::File> {
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(bytes).expect("writable");
    SerializedFileReader::new(file).expect("a Parquet file")
}

/// The Parquet file read back: the same cells as the CSV, with types and metadata.
#[test]
fn parquet_is_read_back() {
    let document = document();
    let bytes = parquet(&document).expect("a table");
    assert_eq!(bytes, parquet(&document).expect("a table"));
    let reader = reader(&bytes);
    let expected = cells(&csv(&document).expect("a table"));
    let mut count = 0;
    for (row, expected) in reader.get_row_iter(None).expect("rows").zip(&expected) {
        let row = row.expect("a row");
        count += 1;
        assert_eq!(row.len(), expected.len());
        for (name, field) in row.get_column_iter() {
            let found = match field {
                Field::Null => String::new(),
                Field::Double(value) => value.to_string(),
                Field::Long(value) => value.to_string(),
                Field::ULong(value) => value.to_string(),
                Field::Bool(value) => value.to_string(),
                Field::Str(value) => value.clone(),
                other => panic!("{name} has an unexpected type: {other}"),
            };
            assert_eq!(found, expected[name], "{name}");
        }
    }
    assert_eq!(count, 3);

    let metadata = reader.metadata().file_metadata();
    let column = |name: &str| {
        metadata
            .schema_descr()
            .columns()
            .iter()
            .find(|column| column.name() == name)
            .unwrap_or_else(|| panic!("a column {name}"))
            .clone()
    };
    assert_eq!(column("rtp_lower").physical_type(), Physical::DOUBLE);
    assert_eq!(
        column("simulated_max_meter").logical_type_ref(),
        Some(&LogicalType::integer(64, false))
    );
    assert_eq!(
        column("set.rules.max_meter").logical_type_ref(),
        Some(&LogicalType::integer(64, true))
    );
    assert_eq!(
        column("simulated_sum_meter").logical_type_ref(),
        Some(&LogicalType::String)
    );
    assert_eq!(
        column("set.rules.eat_me.consumes_spin").physical_type(),
        Physical::BOOLEAN
    );
    let stated: BTreeMap<_, _> = metadata
        .key_value_metadata()
        .expect("metadata")
        .iter()
        .map(|entry| {
            (
                entry.key.as_str(),
                entry.value.as_deref().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(stated["schema"], "wonderspins/sweep/1");
    assert_eq!(stated["sweep.sha256"], "12".repeat(32));
    assert_eq!(stated["rows_sha256"], document.rows_sha256);
    assert_eq!(stated["unit.variance_meter_upper"], "wagers^2");
    assert_eq!(stated["unit.simulated_rounds"], "rounds");
}

#[test]
fn a_part_without_rows_is_a_table_too() {
    let mut document = document();
    document.rows.clear();
    let reader = reader(&parquet(&document).expect("a table"));
    assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    assert!(
        csv(&document)
            .expect("a table")
            .starts_with("paytable,point,set.rules.max_meter")
    );
}

/// The picture: a ring for each row with figures, higher for a larger return, with the values
/// on hover, and lines only where bounds can be seen.
#[test]
fn the_plot_has_a_mark_for_each_paytable() {
    let mut document = document();
    let exact = |value| EnclosureJson {
        value,
        lower: value,
        upper: value,
    };
    for (row, rtp) in document.rows.iter_mut().zip([0.90, 0.95]) {
        let mut figures = figures(1.0);
        figures.rtp = exact(rtp);
        figures.std_dev_return = exact(10.0 * rtp);
        row.figures = Some(figures);
    }
    let svg = crate::report::figures::of_sweep(&document).expect("a picture");
    let tree = roxmltree::Document::parse(&svg).expect("XML");
    let circles: Vec<_> = tree
        .descendants()
        .filter(|node| node.has_tag_name("circle"))
        .collect();
    assert_eq!(circles.len(), 2);
    let place = |index: usize, name: &str| -> f64 {
        let text = circles[index].attribute(name).expect("a coordinate");
        text.parse().expect("a number")
    };
    assert!(place(0, "cx") < place(1, "cx") && place(0, "cy") > place(1, "cy"));
    let title = circles[0]
        .descendants()
        .find(|node| node.has_tag_name("title"))
        .and_then(|node| node.text().map(ToOwned::to_owned))
        .expect("a title");
    assert!(title.contains("rules.max_meter = -5"), "{title}");
    assert!(
        title.contains("return 90.0000 %, deviation 9.00000"),
        "{title}"
    );
    // What the chart itself draws has a class.
    let lines = |svg: &str| {
        let tree = roxmltree::Document::parse(svg).expect("XML");
        let own = |node: &roxmltree::Node<'_, '_>| {
            node.has_tag_name("path") && !node.has_attribute("class")
        };
        tree.descendants().filter(own).count()
    };
    assert_eq!(lines(&svg), 0);
    if let Some(figures) = &mut document.rows[1].figures {
        figures.rtp.lower = 0.93;
        figures.rtp.upper = 0.97;
    }
    let wide = crate::report::figures::of_sweep(&document).expect("a picture");
    assert_eq!(lines(&wide), 1);
}
