//! Reports from a certificate alone: figures, page, tables, and the `report` command.
//!
//! The certificate of `tests/data/report` is made up by hand; see the note beside it.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use roxmltree::{Document, Node};
use tempfile::TempDir;
use wonderspins::document::{Certificate, to_json};
use wonderspins::report::figures::{Figure, of_trigger};
use wonderspins::report::{ReportFile, formats, render};

const MADE_UP: &str = include_str!("data/report/certificate.json");

fn certificate() -> Certificate {
    Certificate::read(MADE_UP).expect("the made-up certificate is well-formed")
}

fn figures(certificate: &Certificate) -> Vec<Figure> {
    certificate
        .triggers
        .iter()
        .flat_map(|trigger| of_trigger(certificate, trigger.trigger).expect("figures are drawn"))
        .collect()
}

fn file<'a>(files: &'a [ReportFile], name: &str) -> &'a str {
    let file = files
        .iter()
        .find(|file| file.name == name)
        .unwrap_or_else(|| panic!("{name} is written"));
    std::str::from_utf8(&file.bytes).expect("the file is UTF-8")
}

fn page(certificate: &Certificate) -> String {
    let files = render(certificate).expect("the reports are written");
    file(&files, "report.html").to_owned()
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or("0");
    text.parse()
        .unwrap_or_else(|_| panic!("{name}=\"{text}\" is no number"))
}

/// The advance of a text in an ordinary sans-serif font is about 0.55 of its size a letter.
fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|_| 0.55).sum::<f64>() * size
}

#[track_caller]
fn check_figure(figure: &Figure) {
    let id = &figure.id;
    let document = Document::parse(&figure.svg).unwrap_or_else(|error| panic!("{id}: {error}"));
    let root = document.root_element();
    assert!(
        root.has_tag_name(("http://www.w3.org/2000/svg", "svg")),
        "{id}"
    );
    let view: Vec<f64> = root
        .attribute("viewBox")
        .expect("a viewBox")
        .split(' ')
        .map(|part| part.parse().expect("numbers"))
        .collect();
    let [0.0, 0.0, right, bottom] = view[..] else {
        panic!("{id}: {view:?}");
    };
    let parts: Vec<_> = root.children().filter(Node::is_element).collect();
    for (part, name) in parts.iter().zip(["title", "desc"]) {
        assert!(
            part.has_tag_name(("http://www.w3.org/2000/svg", name)),
            "{id}: {name}"
        );
        assert!(
            part.text().is_some_and(|text| text.len() > 20),
            "{id}: {name}"
        );
        assert_eq!(part.attribute("id"), Some(format!("{id}-{name}").as_str()));
    }
    assert_eq!(
        root.attribute("aria-labelledby"),
        Some(format!("{id}-title {id}-desc").as_str())
    );
    for word in [
        "NaN",
        "inf",
        "null",
        "<script",
        "http://www.w3.org/1999",
        "url(",
    ] {
        assert!(!figure.svg.contains(word), "{id}: {word}");
    }
    let mut drawn = 0;
    let mut tips = 0;
    for node in root.descendants().filter(Node::is_element) {
        let class = node.attribute("class").unwrap_or_default();
        if ["f-exact", "s-exact", "f-simulated", "s-simulated"].contains(&class) {
            drawn += 1;
        }
        let is_tip = node.parent() != Some(root) && node.tag_name().name() == "title";
        if is_tip {
            tips += 1;
            assert!(node.text().is_some_and(|text| text.contains(' ')), "{id}");
        }
        for property in ["fill", "stroke"] {
            let colour = node.attribute(property).unwrap_or("none");
            assert!(
                colour == "none" || !class.is_empty(),
                "{id}: a page cannot restyle {colour}"
            );
        }
        check_place(node, (right, bottom), id);
    }
    assert!(drawn > 3, "{id}: {drawn} shapes of data");
    assert!(tips > 2, "{id}: {tips} values to be read off");
}

/// Fails where something lies outside the picture.
fn check_place(node: Node<'_, '_>, (right, bottom): (f64, f64), id: &str) {
    match node.tag_name().name() {
        "text" if node.attribute("transform").is_none() => {
            let text = node.text().unwrap_or_default();
            let wide = width(text, number(node, "font-size"));
            let (x, y) = (number(node, "x"), number(node, "y"));
            let left = match node.attribute("text-anchor") {
                Some("middle") => x - wide / 2.0,
                Some("end") => x - wide,
                _ => x,
            };
            assert!(
                left >= 0.0 && left + wide <= right,
                "{id}: `{text}` is cut off"
            );
            assert!(y >= 8.0 && y <= bottom, "{id}: `{text}` is cut off");
        }
        "rect" => {
            let (x, y) = (number(node, "x"), number(node, "y"));
            let (wide, high) = (number(node, "width"), number(node, "height"));
            assert!(
                wide >= 0.0 && high >= 0.0,
                "{id}: a rectangle is inside out"
            );
            assert!(
                x >= 0.0 && y >= 0.0 && x + wide <= right && y + high <= bottom,
                "{id}"
            );
        }
        "circle" => {
            let (x, y) = (number(node, "cx"), number(node, "cy"));
            assert!(
                (0.0..=right).contains(&x) && (0.0..=bottom).contains(&y),
                "{id}"
            );
        }
        _ => {}
    }
}

#[test]
fn every_figure_is_drawn_and_complete() {
    let figures = figures(&certificate());
    let names: Vec<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
    let expected: Vec<String> = [2, 5]
        .iter()
        .flat_map(|trigger| {
            [
                "payouts-linear",
                "payouts-logarithmic",
                "exceedance",
                "spins",
                "outer-wheel",
                "inner-wheel",
                "convergence",
                "bands",
                "contributions",
            ]
            .map(|name| format!("{name}-{trigger}"))
        })
        .collect();
    assert_eq!(names, expected);
    for figure in &figures {
        check_figure(figure);
    }
}

/// The weights of the made-up law of trigger 2 add up to 49, and the last twelve halvings bring
/// 1 - 2^-12; meter 3 has weight 9, so its probability is 9 / 49.99975586 = 18.00 %.
#[test]
fn a_value_can_be_read_off() {
    let figures = figures(&certificate());
    let linear = &figures[0].svg;
    assert!(linear.contains("<title>meter 3: exact 18.00 %"), "{linear}");
    let outer = &figures[4].svg;
    // 27,500 spins over 30 sections: 1/30 is 3.3333 %.
    assert!(outer.contains("section 30, hat: expected 3.3333 %, drawn "));
    assert!(outer.contains(" of 27,500), "));
}

#[test]
fn a_wrong_run_is_drawn_where_it_is() {
    let mut certificate = certificate();
    let trigger = &mut certificate.simulated.triggers[0];
    trigger.histogram.truncate(1);
    trigger.histogram[0].rounds = "10000".to_owned();
    trigger.mean_meter.std_error = 0.0;
    for figure in &figures(&certificate)[..4] {
        check_figure(figure);
    }
    // Meter 0 has weight 1 of 49.99975586, so 200.0 of 10,000 rounds are expected there:
    // (10000 - 200.0) / sqrt(200.0 * 0.98) = 700.0, the bounds of the law being 0.01 rounds apart.
    let figures = figures(&certificate);
    assert!(
        figures[0].svg.contains("residual +700.0"),
        "{}",
        figures[0].svg
    );
}

#[test]
fn what_a_certificate_lacks_is_left_out() {
    let mut certificate = certificate();
    certificate.commitments.clear();
    certificate.side_file = None;
    certificate.self_sha256.clear();
    certificate.requirements.clear();
    certificate.declared.clear();
    certificate.exact.rtp_bands.clear();
    certificate.exact.without_distribution = Some("it would take too long".to_owned());
    for exact in &mut certificate.exact.triggers {
        exact.distribution = None;
        exact.contributions = None;
    }
    for simulated in &mut certificate.simulated.triggers {
        simulated.detail = None;
    }
    let figures = figures(&certificate);
    let names: Vec<&str> = figures.iter().map(|figure| figure.id.as_str()).collect();
    assert_eq!(
        &names[..6],
        [
            "payouts-linear-2",
            "payouts-logarithmic-2",
            "exceedance-2",
            "spins-2",
            "outer-wheel-2",
            "inner-wheel-2"
        ]
    );
    assert_eq!(names.len(), 12);
    for figure in figures.iter().filter(|figure| !figure.id.contains("wheel")) {
        check_figure(figure);
    }
    let page = page(&certificate);
    assert!(page.contains("it would take too long"));
    assert!(!page.contains("Declared figures</h2>"));
    assert!(!page.contains("Root of the leaves"));
}

/// Long tails are drawn in bins: the picture stays small whatever the certificate holds.
#[test]
fn a_long_law_is_drawn_in_bins() {
    let mut certificate = certificate();
    let law = certificate.exact.triggers[0]
        .distribution
        .as_mut()
        .expect("a law");
    law.pmf = vec![1.0 / 65_536.0; 65_536];
    let entry = certificate.simulated.triggers[0].histogram[0].clone();
    certificate.simulated.triggers[0].histogram = (0..10_000)
        .map(|index| {
            let mut entry = entry.clone();
            entry.meter = index * 6;
            entry.rounds = "1".to_owned();
            entry
        })
        .collect();
    for figure in &figures(&certificate)[..3] {
        check_figure(figure);
        assert!(
            figure.svg.len() < 200_000,
            "{}: {} bytes",
            figure.id,
            figure.svg.len()
        );
    }
}

fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    page.match_indices(&start)
        .map(|(at, _)| {
            let rest = &page[at + start.len()..];
            rest.split('"').next().expect("an end")
        })
        .collect()
}

#[test]
fn the_page_is_whole_and_loads_nothing() {
    let certificate = certificate();
    let page = page(&certificate);
    let ids = attributes(&page, "id");
    let unique: BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "an identifier is there twice");
    for link in attributes(&page, "href") {
        let target = link
            .strip_prefix('#')
            .unwrap_or_else(|| panic!("{link} leaves the page"));
        assert!(ids.contains(&target), "{link} leads nowhere");
    }
    for word in [
        "<script",
        "src=",
        "url(",
        "@import",
        "<link",
        "javascript:",
        "<iframe",
        "srcset",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    let addresses = page.matches("http").count();
    let namespaces = page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count();
    assert_eq!(addresses, namespaces, "an address that is no name space");
    for word in ["NaN", ">inf<", "{{", "{%"] {
        assert!(!page.contains(word), "{word}");
    }
    for check in &certificate.checks {
        let anchor = match check.trigger {
            Some(trigger) => format!("check-{trigger}-{}", check.id),
            None => format!("check-{}", check.id),
        };
        assert!(
            ids.contains(&anchor.as_str()),
            "{anchor} is not on the page"
        );
    }
    let clause = "check-clause-5319.47(a)(3)";
    assert!(
        ids.contains(&clause),
        "a clause that does not apply is listed all the same"
    );
    assert_eq!(page.matches("<svg ").count(), figures(&certificate).len());
    // Text of the certificate cannot become markup.
    assert!(page.contains("simulated &amp; exact &lt;agree&gt;"));
}

#[test]
fn the_page_says_what_a_reader_needs_first() {
    let page = page(&certificate());
    let at = |text: &str| {
        page.find(text)
            .unwrap_or_else(|| panic!("`{text}` is missing"))
    };
    let order = [
        ">FAIL<",
        "2 Wonderspins, declared-rtp",
        "What was assumed",
        "the wager comes back",
        "<h2>Figures</h2>",
        "Where it may come from",
        "<h2>Numeric checks</h2>",
        "a mean off by 0.125 would have been seen",
        "What the checks must be able to see",
        "clause by clause",
        "2 Wonderspins in pictures",
        "To repeat this run",
        "wonderspins certify paytable.toml --rounds 10000 --seed &#x27;derived:made up&#x27;",
        "Where the laboratory fixed the label",
        "wonderspins verify certificate.json",
        "Root of the leaves, 2 Wonderspins",
        "Certificate, SHA-256",
    ];
    for pair in order.windows(2) {
        assert!(
            at(pair[0]) < at(pair[1]),
            "`{}` stands after `{}`",
            pair[0],
            pair[1]
        );
    }
}

#[test]
fn the_tables_hold_what_the_certificate_holds() {
    let certificate = certificate();
    let files = render(&certificate).expect("the reports are written");
    let rows = |name: &str| -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_reader(file(&files, name).as_bytes());
        let rows = reader.records().map(|row| {
            let row = row.unwrap_or_else(|error| panic!("{name}: {error}"));
            row.iter().map(str::to_owned).collect()
        });
        rows.collect()
    };
    let payouts = rows("payouts.csv");
    let counted: u64 = payouts
        .iter()
        .filter(|row| row[0] == "2")
        .map(|row| row[5].parse::<u64>().expect("a count"))
        .sum();
    assert_eq!(counted, 10_000);
    // As in `a_value_can_be_read_off`.
    let probability: f64 = payouts[3][2].parse().expect("a number");
    assert!((probability - 9.0 / 49.999_755_859_375 * (1.0 - 1e-6)).abs() < 1e-12);
    assert_eq!(rows("checks.csv").len(), certificate.checks.len());
    assert_eq!(
        rows("rtp-bands.csv").len(),
        certificate.exact.rtp_bands.len()
    );
    assert_eq!(rows("declared.csv").len(), certificate.declared.len());
    assert_eq!(rows("convergence.csv").len(), 40);
    // Two triggers with 4 and 7 numbers of spins; 4 inner and 30 outer sections, 2 characters.
    assert_eq!(rows("draws.csv").len(), (4 + 7) * (4 + 30 + 2));
    // Each split of the mean meter adds up to it.
    let contributions = rows("contributions.csv");
    let mean = certificate.exact.triggers[0].mean_meter.enclosure.value;
    for split in ["character", "source", "spins"] {
        let sum: f64 = contributions
            .iter()
            .filter(|row| row[0] == "2" && row[1] == split)
            .map(|row| row[3].parse::<f64>().expect("a number"))
            .sum();
        assert!((sum - mean).abs() < 1e-9, "{split}: {sum} {mean}");
    }
}

fn made_up_in(folder: &Path, text: &str) {
    fs::write(folder.join("certificate.json"), text).expect("the file is written");
}

#[test]
fn the_command_writes_every_format_again() {
    let folder = TempDir::new().expect("a temporary folder");
    let out = folder.path().join("out");
    common::run_in(
        folder.path(),
        &[
            "certify", "--rounds", "2000", "--seed", "1", "--quiet", "--out", "out",
        ],
    )
    .exits(1);
    common::run_in(
        folder.path(),
        &["report", "out/certificate.json", "--out", "again"],
    )
    .exits(0);
    let again = folder.path().join("again");
    let mut compared = 0;
    for entry in fs::read_dir(&again).expect("the folder is there") {
        let name = entry.expect("an entry").file_name();
        let bytes = |folder: &Path| fs::read(folder.join(&name)).expect("the file is there");
        assert!(bytes(&again) == bytes(&out), "{} differs", name.display());
        compared += 1;
    }
    let certificate = fs::read_to_string(out.join("certificate.json")).expect("it is there");
    let certificate = Certificate::read(&certificate).expect("certify writes the one form");
    assert_eq!(compared, render(&certificate).expect("written").len());
    for format in formats() {
        let written = format!("only-{format}");
        let run = common::run_in(
            folder.path(),
            &[
                "report",
                "out/certificate.json",
                "--format",
                format,
                "--out",
                &written,
            ],
        );
        if format == "pdf" && cfg!(not(feature = "pdf")) {
            run.exits(2)
                .complains("`cargo build --release --features pdf`");
            assert!(!folder.path().join(&written).exists());
            continue;
        }
        run.exits(0);
        for entry in fs::read_dir(folder.path().join(&written)).expect("the folder is there") {
            let name = entry.expect("an entry").file_name();
            let bytes = |folder: &Path| fs::read(folder.join(&name)).expect("the file is there");
            assert!(
                bytes(&folder.path().join(&written)) == bytes(&out),
                "{} differs",
                name.display()
            );
        }
    }
}

#[test]
fn one_file_goes_where_it_is_wanted() {
    let folder = TempDir::new().expect("a temporary folder");
    made_up_in(folder.path(), MADE_UP);
    let run = |arguments: &[&str]| {
        let mut all = vec!["report", "certificate.json"];
        all.extend(arguments);
        common::run_in(folder.path(), &all)
    };
    let printed = run(&["--format", "json"]).exits(0);
    assert_eq!(printed.stdout, MADE_UP);
    run(&["--format", "html", "--output", "page.html"]).exits(0);
    let kept = fs::read_to_string(folder.path().join("page.html")).expect("it is there");
    assert_eq!(kept, page(&certificate()));
    run(&["--format", "csv", "--output", "x"])
        .exits(2)
        .complains("--out DIR");
    run(&[])
        .exits(2)
        .complains("`--format all` makes several files");
    run(&["--format", "html", "--out", "x", "--output", "y"]).exits(2);
    run(&["--format", "docx", "--out", "x"])
        .exits(2)
        .complains("invalid value");
    run(&["--out", "certificate.json/x"])
        .exits(2)
        .complains("cannot be written");
}

#[test]
fn what_the_program_would_not_have_written_is_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let refused = |text: &str, complaint: &str| {
        made_up_in(folder.path(), text);
        common::run_in(
            folder.path(),
            &["report", "certificate.json", "--out", "out"],
        )
        .exits(2)
        .complains("cannot read the certificate `certificate.json`")
        .complains(complaint);
        assert!(
            !folder.path().join("out").exists(),
            "nothing is left behind"
        );
    };
    let edited = |from: &str, to: &str| {
        assert!(MADE_UP.contains(from), "`{from}` is in the certificate");
        MADE_UP.replacen(from, to, 1)
    };
    refused(
        &MADE_UP[..MADE_UP.len() / 2],
        "not a complete JSON document",
    );
    refused("", "line 1, column 0: not a complete JSON document");
    refused(
        &edited("certificate/1", "certificate/2"),
        "`schema` is \"wonderspins/certificate/2\", expected \"wonderspins/certificate/1\"",
    );
    refused(&edited("\"schema\"", "\"scheme\""), "`schema` is missing");
    refused(
        &edited(
            "\"commit\": \"unknown\"",
            "\"commit\": \"unknown\",\n    \"colour\": 1",
        ),
        "line 6, column 24: unknown key `tool.colour`",
    );
    refused(
        &edited(
            "\"confidence_level\": 0.99",
            "\"confidence_level\": \"high\"",
        ),
        "`plan.confidence_level`: invalid type: string \"high\", expected f64",
    );
    refused(
        &edited("\"tool\": {", "\"tool\":  {"),
        "line 3, column 11: not in the one form that a certificate has",
    );
    refused(
        &edited("\"rounds\": \"783\"", "\"rounds\": \"-783\""),
        "expected a decimal integer",
    );
    let mut other = certificate();
    other.simulated.triggers.pop();
    refused(
        &to_json(&other),
        "`simulated.triggers` has the triggers [2], expected [2, 5]",
    );
    common::run_in(folder.path(), &["report", "missing.json"])
        .exits(2)
        .complains("cannot read the certificate `missing.json`");
    fs::write(folder.path().join("bytes.json"), [b'{', b'\n', 0xff]).expect("written");
    common::run_in(folder.path(), &["report", "bytes.json"])
        .exits(2)
        .complains("line 2: not UTF-8");
}
