//! The PDF: the template compiled by Python's Typst where that is installed, and by the
//! program's own with the feature `pdf`.

use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;
use wonderspins::document::Certificate;
use wonderspins::report::pdf::{Drawing, source};

use crate::{certificate, filled};

fn drawing() -> Drawing {
    Drawing {
        trigger: 2,
        svg: r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><text x="5" y="20">drawn</text></svg>"#
            .to_owned(),
        caption: "A drawing with its caption.".to_owned(),
    }
}

fn data(certificate: &Certificate) -> Value {
    let files = source(certificate, &[drawing()]).expect("a template and its data");
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["report.typ", "report.json"]);
    serde_json::from_slice(&files[1].bytes).expect("JSON")
}

#[test]
fn the_data_are_those_of_the_certificate() {
    let certificate = filled();
    let data = data(&certificate);
    assert_eq!(data["verdict"], certificate.verdict.word());
    assert_eq!(data["statement"], certificate.statement);
    assert_eq!(data["hash"]["full"], certificate.self_sha256);
    assert_eq!(data["hash"]["short"], certificate.self_sha256[..16]);
    assert_eq!(
        data["assumptions"].as_array().map(Vec::len),
        Some(certificate.assumptions.len())
    );
    let triggers = data["triggers"].as_array().expect("triggers");
    assert_eq!(triggers.len(), certificate.exact.triggers.len());
    assert_eq!(triggers[0]["drawings"].as_array().map(Vec::len), Some(1));
    assert_eq!(triggers[1]["drawings"].as_array().map(Vec::len), Some(0));
    // The mean meter stands first, and the wrong declaration makes its line fail.
    let mean = &triggers[0]["figures"][0];
    assert_eq!(mean["declared"], "1.5");
    assert_eq!(mean["verdict"], "fail");
    let exact: f64 = mean["exact"]
        .as_str()
        .expect("text")
        .parse()
        .expect("a number");
    assert!((exact - certificate.exact.triggers[0].mean_meter.enclosure.value).abs() < 1e-9);
    let drawn: u64 = data["wheels"]["wheels"][1]["rows"]
        .as_array()
        .expect("sections")
        .iter()
        .map(|row| {
            let cell = row[4]
                .as_str()
                .expect("text")
                .split(' ')
                .next()
                .expect("a count");
            cell.replace(',', "").parse::<u64>().expect("a count")
        })
        .sum();
    assert_eq!(drawn.to_string(), certificate.simulated.triggers[0].spins);
    for spins in [&triggers[0]["spins"], &triggers[1]["spins"]] {
        let rounds: u64 = spins
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| {
                row[3]
                    .as_str()
                    .expect("text")
                    .replace(',', "")
                    .parse::<u64>()
                    .expect("a count")
            })
            .sum();
        assert_eq!(
            rounds, certificate.plan.rounds,
            "every round stands in a row"
        );
    }
    assert_eq!(data["text"], certificate.paytable.text.trim_end());
}

#[test]
fn a_certificate_without_a_hash_says_so() {
    let mut certificate = certificate().clone();
    certificate.self_sha256 = String::new();
    let data = data(&certificate);
    assert!(data["hash"]["full"].is_null() && data["hash"]["short"].is_null());
    assert_eq!(data["date"]["year"], 2000, "the clock does not enter");
}

/// Compiles the template twice to PDF/A-3b and asks it for its headings and its title.
const SCRIPT: &str = r#"
import json, sys, typst
def compiled():
    return typst.compile("report.typ", ignore_system_fonts=True, pdf_standards=["a-3b"])
first = compiled()
assert first == compiled(), "two runs differ"
open("report.pdf", "wb").write(first)
headings = json.loads(typst.query("report.typ", "heading", ignore_system_fonts=True))
print(json.dumps([heading["body"] for heading in headings]))
"#;

#[test]
#[expect(clippy::print_stderr, reason = "says why it checks nothing")]
fn pythons_typst_sets_the_template() {
    let has_typst = Command::new("python3")
        .args(["-c", "import typst"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_typst {
        eprintln!("skipped: Python's typst is not installed");
        return;
    }
    for certificate in [&filled(), certificate(), &bare()] {
        let folder = TempDir::new().expect("a temporary folder");
        for file in source(certificate, &[drawing()]).expect("a template and its data") {
            fs::write(folder.path().join(file.name), file.bytes).expect("a file");
        }
        let output = Command::new("python3")
            .current_dir(folder.path())
            .args(["-c", SCRIPT])
            .output()
            .expect("Python starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let headings = String::from_utf8(output.stdout).expect("UTF-8");
        for heading in [
            "Numeric checks",
            "The text, clause by clause",
            "Wheels",
            "To repeat and to verify",
        ] {
            assert!(headings.contains(heading), "{heading} is not in {headings}");
        }
        assert_eq!(
            headings.contains("Return of many wagers"),
            !certificate.exact.rtp_bands.is_empty()
        );
        assert_archival(&fs::read(folder.path().join("report.pdf")).expect("a PDF"));
    }
}

/// A certificate without anything that may be missing.
fn bare() -> Certificate {
    let mut certificate = certificate().clone();
    for exact in &mut certificate.exact.triggers {
        exact.distribution = None;
        exact.contributions = None;
    }
    for simulated in &mut certificate.simulated.triggers {
        simulated.detail = None;
    }
    certificate.exact.without_distribution = Some("out of reach".to_owned());
    certificate.declared.clear();
    certificate.created = Some("2026-11-30T12:00:00Z".to_owned());
    certificate
}

/// PDF/A-3b by its own metadata, with its title.
fn assert_archival(pdf: &[u8]) {
    // The metadata stream of PDF/A is never compressed.
    let text = String::from_utf8_lossy(pdf);
    assert!(text.starts_with("%PDF-1.7"));
    for mark in [
        "<pdfaid:part>3</pdfaid:part>",
        "<pdfaid:conformance>B</pdfaid:conformance>",
    ] {
        assert!(text.contains(mark), "{mark}");
    }
    assert!(text.contains("Wonderspins certificate: "), "the title");
}

#[cfg(feature = "pdf")]
mod own {
    use super::*;
    use wonderspins::report::{ReportFile, writers};

    fn pdf(certificate: &Certificate) -> Vec<u8> {
        let files: Vec<ReportFile> = writers()
            .iter()
            .flat_map(|writer| writer.write(certificate).expect("a report"))
            .collect();
        let found = files.into_iter().find(|file| file.name == "report.pdf");
        found.expect("a PDF among the files").bytes
    }

    #[test]
    fn the_program_writes_the_same_pdf_twice() {
        for certificate in [&filled(), certificate(), &bare()] {
            let first = pdf(certificate);
            assert_archival(&first);
            assert!(first == pdf(certificate), "two runs differ");
        }
    }
}

#[cfg(not(feature = "pdf"))]
#[test]
fn a_program_without_pdf_says_how_to_get_one() {
    use wonderspins::report::{render, writers};

    let all = writers();
    let missing: Vec<_> = all
        .iter()
        .filter_map(|writer| Some((writer, writer.unavailable()?)))
        .collect();
    let [(writer, how)] = missing.as_slice() else {
        panic!("{} formats are missing", missing.len());
    };
    assert!(how.contains("--features pdf"), "{how}");
    let error = writer.write(certificate()).expect_err("no PDF");
    assert_eq!(error.to_string(), *how);
    let files = render(certificate()).expect("the other reports");
    assert!(files.iter().all(|file| file.name != "report.pdf"));
    assert!(files.iter().any(|file| file.name == "par-sheet.xlsx"));
}
