//! The PAR sheet: what a reader sees in it, whether its formulas give what it shows, and
//! whether `LibreOffice` agrees after calculating everything anew.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;

use calamine::{Data, Reader, Xlsx};
use tempfile::TempDir;
use wonderspins::document::{Check, CheckVerdict};
use wonderspins::report::xlsx::{SHEET_ROWS, par_sheet};

use crate::formula::{Cells, Value, evaluate};
use crate::{certificate, filled};

/// A workbook as calamine reads it.
struct Book {
    names: Vec<String>,
    cells: Cells,
    formulas: Vec<(String, (u32, u32), String)>,
}

fn read(bytes: &[u8]) -> Book {
    let mut workbook: Xlsx<_> =
        calamine::open_workbook_from_rs(Cursor::new(bytes.to_vec())).expect("a workbook");
    let names = workbook.sheet_names();
    let mut cells = Cells::new();
    let mut formulas = Vec::new();
    for name in &names {
        let range = workbook.worksheet_range(name).expect("a sheet");
        let (top, left) = range.start().unwrap_or_default();
        let values = range
            .used_cells()
            .map(|(row, column, data)| {
                let place = (place(top, row), place(left, column));
                (place, value(data))
            })
            .collect();
        cells.insert(name.clone(), values);
        let range = workbook.worksheet_formula(name).expect("a sheet");
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, text) in range.used_cells() {
            if !text.is_empty() {
                let place = (place(top, row), place(left, column));
                formulas.push((name.clone(), place, text.clone()));
            }
        }
    }
    Book {
        names,
        cells,
        formulas,
    }
}

fn place(start: u32, offset: usize) -> u32 {
    start + u32::try_from(offset).expect("a row or column")
}

fn value(data: &Data) -> Value {
    match data {
        Data::Empty => Value::Empty,
        Data::Float(value) => Value::Number(*value),
        Data::String(text) => Value::Text(text.clone()),
        Data::Int(value) => Value::Number(value.to_string().parse().expect("a number")),
        other => panic!("a cell holds {other:?}"),
    }
}

impl Book {
    #[track_caller]
    fn number(&self, sheet: &str, row: u32, column: u32) -> f64 {
        match self.cells[sheet].get(&(row, column)) {
            Some(Value::Number(value)) => *value,
            other => panic!("`{sheet}` {row} {column} is {other:?}"),
        }
    }

    /// The row whose first column holds a text.
    #[track_caller]
    fn row(&self, sheet: &str, name: &str) -> u32 {
        self.cells[sheet]
            .iter()
            .find(|((_, column), value)| *column == 0 && **value == Value::Text(name.to_owned()))
            .unwrap_or_else(|| panic!("`{name}` is not in `{sheet}`"))
            .0
            .0
    }

    fn is_formula(&self, sheet: &str, row: u32, column: u32) -> bool {
        self.formulas
            .iter()
            .any(|(name, place, _)| name == sheet && *place == (row, column))
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs()) + 1e-15
}

#[test]
fn every_formula_gives_the_value_shown() {
    let book = read(&par_sheet(&filled(), SHEET_ROWS).expect("a workbook"));
    assert!(book.formulas.len() > 900, "{}", book.formulas.len());
    for (sheet, (row, column), text) in &book.formulas {
        let shown = book.number(sheet, *row, *column);
        let value = evaluate(text, sheet, &book.cells)
            .unwrap_or_else(|error| panic!("`{sheet}` {row} {column}: {error}"));
        assert!(
            close(value, shown),
            "`{sheet}` {row} {column}: `{text}` is {value}, shown {shown}"
        );
    }
}

#[test]
fn the_payout_table_is_that_of_the_certificate() {
    let certificate = certificate();
    let book = read(&par_sheet(certificate, SHEET_ROWS).expect("a workbook"));
    for (exact, simulated) in certificate
        .exact
        .triggers
        .iter()
        .zip(&certificate.simulated.triggers)
    {
        let sheet = format!("Payouts {}", exact.trigger);
        let distribution = exact.distribution.as_ref().expect("a distribution");
        let (mut mass, mut first, mut second, mut rounds) = (0.0, 0.0, 0.0, 0.0);
        let mut listed = 0;
        for row in 4.. {
            let Some(Value::Number(meter)) = book.cells[&sheet].get(&(row, 0)) else {
                break;
            };
            listed += 1;
            let p = book.number(&sheet, row, 1);
            let entry = simulated
                .histogram
                .iter()
                .find(|entry| entry.meter.to_string() == meter.to_string());
            let counted = book.number(&sheet, row, 6);
            assert_eq!(
                counted.to_string(),
                entry.map_or("0", |entry| &entry.rounds),
                "rounds of meter {meter}"
            );
            let index: usize = meter.to_string().parse().expect("a meter");
            let expected = distribution.pmf.get(index).copied().unwrap_or_default();
            assert_eq!(p.to_bits(), expected.to_bits(), "p of {meter}");
            mass += p;
            first += p * meter;
            second += p * meter * meter;
            rounds += counted;
            for column in [2, 3, 4, 5, 7, 8] {
                assert!(book.is_formula(&sheet, row, column), "{row} {column}");
            }
        }
        let all = distribution.pmf.iter().filter(|p| **p > 0.0).count();
        assert!(listed >= all, "{listed} rows of {all} meters");
        assert_eq!(rounds.to_string(), simulated.rounds.to_string());
        let sum = book.row(&sheet, "Sum");
        assert!(close(book.number(&sheet, sum, 1), mass));
        assert!(close(book.number(&sheet, sum, 2), first));
        assert!(close(book.number(&sheet, sum, 3), second));
        let missing = book.row(&sheet, "missing");
        assert_eq!(
            book.number(&sheet, missing, 1).to_bits(),
            distribution.missing_mass.to_bits()
        );

        let moments = format!("Moments {}", exact.trigger);
        let named = |name: &str| book.number(&moments, book.row(&moments, name), 1);
        let mean = named("Mean meter: sum of p × meter / sum of p");
        assert!(close(mean, first / mass));
        // The certificate's moments of the same law were computed with proven bounds.
        assert!((mean - distribution.mean).abs() < 1e-9 * mean);
        let variance = named("Variance (wagers squared)");
        assert!((variance - distribution.variance).abs() < 1e-9 * variance);
        // By hand: trigger probability times meter and wager back, nothing from elsewhere.
        let p = if exact.trigger == 2 {
            3.0 / 54.0
        } else {
            1.0 / 54.0
        };
        assert!(close(
            named("RTP of the law listed, gross"),
            p * (mean + 1.0)
        ));
        assert!(
            (named("Simulated mean meter (wagers)") - simulated.mean_meter.estimate).abs() < 1e-9
        );
        assert!(
            (named("Simulated variance (wagers squared)") - simulated.variance_meter.estimate)
                .abs()
                < 1e-6
        );
        assert!((named("Simulated RTP, gross") - simulated.rtp.estimate).abs() < 1e-9);
    }
}

#[test]
fn the_return_is_built_up_to_the_exact_one() {
    let certificate = certificate();
    let book = read(&par_sheet(certificate, SHEET_ROWS).expect("a workbook"));
    let mut rows = book.cells["Figures"]
        .iter()
        .filter(|(_, value)| **value == Value::Text("Overall RTP".to_owned()))
        .map(|((row, _), _)| *row);
    for exact in &certificate.exact.triggers {
        let row = rows.next().expect("a row for each trigger");
        assert!(book.is_formula("Figures", row, 2));
        assert!((book.number("Figures", row, 2) - exact.rtp.value).abs() < 1e-14);
        assert!((book.number("Figures", row + 1, 2) - exact.house_edge.value).abs() < 1e-14);
        assert!(
            (book.number("Figures", row + 6, 2) - exact.volatility_index.enclosure.value).abs()
                < 1e-12
        );
    }
}

#[test]
fn verdicts_and_words_are_those_of_the_certificate() {
    let certificate = certificate();
    let book = read(&par_sheet(certificate, SHEET_ROWS).expect("a workbook"));
    let (passed, failed, open) = certificate.counts();
    assert!(failed > 0 && open > 0, "the game has some of each");
    for (name, count) in [
        ("Checks and clauses passed", passed),
        ("failed", failed),
        ("that could not decide", open),
    ] {
        let shown = book.number("Summary", book.row("Summary", name), 1);
        assert_eq!(shown.to_string(), count.to_string(), "{name}");
    }
    let texts = |sheet: &str| -> Vec<String> {
        book.cells[sheet]
            .values()
            .filter_map(|value| match value {
                Value::Text(text) => Some(text.clone()),
                _ => None,
            })
            .collect()
    };
    let summary = texts("Summary");
    assert!(summary.contains(&certificate.verdict.word().to_uppercase()));
    assert!(summary.contains(&certificate.statement));
    assert!(summary.contains(&certificate.paytable.sha256));
    for assumption in &certificate.assumptions {
        assert!(
            summary
                .iter()
                .any(|text| text.starts_with(&assumption.reading)),
            "{}",
            assumption.reading
        );
    }
    let checks = texts("Checks");
    let is_numeric = |check: &&Check| !check.id.starts_with("clause-");
    for check in certificate.checks.iter().filter(is_numeric) {
        assert!(checks.contains(&check.evidence), "{}", check.id);
    }
    let clauses = texts("Clauses");
    for clause in &certificate.clauses {
        assert!(clauses.contains(&clause.evidence), "{}", clause.clause);
    }
    let declared = texts("Declared");
    assert!(declared.contains(&"99.78%".to_owned()) && declared.contains(&"1.5".to_owned()));
    assert!(declared.contains(&CheckVerdict::Fail.word().to_owned()));
    for wheel in [&certificate.wheels.inner, &certificate.wheels.outer] {
        let wheels = texts("Wheels");
        assert!(wheel.iter().all(|section| wheels.contains(&section.shows)));
    }
    let paytable = texts("Paytable");
    for line in certificate
        .paytable
        .text
        .lines()
        .filter(|line| !line.is_empty())
    {
        assert!(paytable.contains(&line.to_owned()), "{line}");
    }
}

#[test]
fn contributions_add_up_and_keep_their_fractions() {
    let certificate = certificate();
    let book = read(&par_sheet(certificate, SHEET_ROWS).expect("a workbook"));
    for exact in &certificate.exact.triggers {
        let sheet = format!("Contributions {}", exact.trigger);
        let contributions = exact.contributions.as_ref().expect("contributions");
        let sums: Vec<u32> = book.cells[&sheet]
            .iter()
            .filter(|((_, column), value)| *column == 0 && **value == Value::Text("Sum".to_owned()))
            .map(|((row, _), _)| *row)
            .collect();
        assert_eq!(sums.len(), 3, "by character, by source, by spins");
        let mean = exact.uncapped_mean_meter.enclosure.value;
        for row in sums {
            assert!(book.is_formula(&sheet, row, 1));
            assert!(
                (book.number(&sheet, row, 1) - mean).abs() < 1e-9 * mean,
                "{sheet} {row}"
            );
        }
        for part in contributions.character.iter().chain(&contributions.source) {
            let row = book.row(&sheet, &part.part);
            let shown = &book.cells[&sheet][&(row, 8)];
            let whole = Value::Text(part.exact_value.clone());
            assert!(
                *shown == whole || part.exact_value.len() > 120,
                "{}",
                part.part
            );
        }
    }
}

#[test]
fn whole_numbers_beyond_a_spreadsheets_are_text() {
    let book = read(&par_sheet(&filled(), SHEET_ROWS).expect("a workbook"));
    let long = Value::Text("9007199254740993".to_owned());
    assert!(book.cells["Run"].values().any(|value| *value == long));
    assert!(book.names.contains(&"RTP bands".to_owned()));
    assert!(
        book.cells["Summary"]
            .values()
            .any(|value| *value == Value::Text("5e".repeat(32)))
    );
}

#[test]
fn meters_beyond_the_last_row_are_summed_and_named() {
    let certificate = certificate();
    let whole = read(&par_sheet(certificate, SHEET_ROWS).expect("a workbook"));
    // Four rows above the table, twenty meters, three rows below.
    let short = read(&par_sheet(certificate, 27).expect("a workbook"));
    for exact in &certificate.exact.triggers {
        let sheet = format!("Payouts {}", exact.trigger);
        let note = |book: &Book| match book.cells[&sheet].get(&(2, 0)) {
            Some(Value::Text(text)) => text.clone(),
            _ => String::new(),
        };
        assert_eq!(note(&whole), "");
        assert!(
            note(&short).contains("are summed in one row"),
            "{}",
            note(&short)
        );
        assert_eq!(short.row(&sheet, "Sum"), 26, "the sheet ends where it may");
        for column in [1, 2, 3, 6] {
            let (a, b) = (
                whole.number(&sheet, whole.row(&sheet, "Sum"), column),
                short.number(&sheet, 26, column),
            );
            assert!((a - b).abs() < 1e-12 * a, "{column}: {a} {b}");
        }
        let first = whole.number(&sheet, 24, 0);
        assert_eq!(short.row(&sheet, &format!("{first} or more")), 24);
        let moments = format!("Moments {}", exact.trigger);
        for (place, value) in &whole.cells[&moments] {
            if let (Value::Number(a), Value::Number(b)) = (value, &short.cells[&moments][place]) {
                assert!((a - b).abs() <= 1e-11 * a.abs(), "{place:?}: {a} {b}");
            }
        }
    }
    for (sheet, (row, column), text) in &short.formulas {
        let value = evaluate(text, sheet, &short.cells).expect("a formula");
        assert!(
            close(value, short.number(sheet, *row, *column)),
            "{sheet} {text}"
        );
    }
}

#[test]
fn without_a_distribution_the_simulated_rounds_stand_alone() {
    let mut certificate = certificate().clone();
    for exact in &mut certificate.exact.triggers {
        exact.distribution = None;
        exact.contributions = None;
    }
    for simulated in &mut certificate.simulated.triggers {
        simulated.detail = None;
    }
    certificate.exact.without_distribution = Some("out of reach".to_owned());
    let book = read(&par_sheet(&certificate, SHEET_ROWS).expect("a workbook"));
    let note = &book.cells["Payouts 2"][&(1, 0)];
    assert!(
        matches!(note, Value::Text(text) if text.contains("out of reach")),
        "{note:?}"
    );
    for (sheet, (row, column), text) in &book.formulas {
        let value = evaluate(text, sheet, &book.cells).expect("a formula");
        assert!(
            close(value, book.number(sheet, *row, *column)),
            "{sheet} {text}"
        );
    }
}

#[test]
fn the_same_certificate_gives_the_same_bytes() {
    let mut certificate = certificate().clone();
    let first = par_sheet(&certificate, SHEET_ROWS).expect("a workbook");
    assert!(first == par_sheet(&certificate, SHEET_ROWS).expect("a workbook"));
    certificate.created = Some("2026-11-30T12:00:00Z".to_owned());
    let dated = par_sheet(&certificate, SHEET_ROWS).expect("a workbook");
    assert!(dated != first, "the time of creation is the certificate's");
}

/// `LibreOffice` with a profile of its own that calculates every formula of the file anew.
fn recalculated(bytes: &[u8]) -> Option<Book> {
    let program = ["soffice", "libreoffice"].into_iter().find(|program| {
        Command::new(program)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    })?;
    let folder = TempDir::new().expect("a temporary folder");
    let settings = folder.path().join("profile/user");
    fs::create_dir_all(&settings).expect("a profile");
    fs::write(
        settings.join("registrymodifications.xcu"),
        r#"<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>"#,
    )
    .expect("a setting");
    let source = folder.path().join("par-sheet.xlsx");
    fs::write(&source, bytes).expect("a workbook");
    let profile = folder.path().join("profile");
    let out = folder.path().join("out");
    let output = Command::new(program)
        .arg(format!(
            "-env:UserInstallation=file://{}",
            profile.display()
        ))
        .args(["--headless", "--convert-to", "xlsx", "--outdir"])
        .args([&out, &source])
        .output()
        .expect("LibreOffice starts");
    let written = out.join("par-sheet.xlsx");
    assert!(
        Path::new(&written).is_file(),
        "LibreOffice wrote nothing: {output:?}"
    );
    Some(read(&fs::read(written).expect("a workbook")))
}

#[test]
#[expect(clippy::print_stderr, reason = "says why it checks nothing")]
fn libreoffice_calculates_the_same_figures() {
    let bytes = par_sheet(&filled(), SHEET_ROWS).expect("a workbook");
    let Some(again) = recalculated(&bytes) else {
        eprintln!("skipped: LibreOffice is not installed");
        return;
    };
    let book = read(&bytes);
    assert_eq!(again.names, book.names);
    for (sheet, (row, column), text) in &book.formulas {
        let (a, b) = (
            book.number(sheet, *row, *column),
            again.number(sheet, *row, *column),
        );
        // LibreOffice takes a difference of nearly equal numbers for zero.
        assert!(
            close(a, b) || text.contains('-') && (a - b).abs() < 1e-13,
            "`{sheet}` {row} {column}: `{text}` is {b}, shown {a}"
        );
    }
    // Planted: a wrong value shown must come out right, else nothing was calculated.
    let planted = planted();
    let shown = read(&planted);
    assert_eq!(shown.number("Sheet1", 1, 0).to_string(), "999");
    let again = recalculated(&planted).expect("LibreOffice is there");
    assert_eq!(again.number("Sheet1", 1, 0).to_string(), "7");
}

/// A workbook whose formula shows a value that it does not have.
fn planted() -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write_number(0, 0, 6.0).expect("a cell");
    sheet
        .write_formula(
            1,
            0,
            rust_xlsxwriter::Formula::new("=A1+1").set_result("999"),
        )
        .expect("a cell");
    workbook.save_to_buffer().expect("a workbook")
}
