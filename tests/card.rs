//! The page for players in its forms: one file, one page, the same words everywhere.

use std::fs;
use std::process::Command;

use tempfile::TempDir;
use wonderspins::document::CardDocument;
use wonderspins::exact::distribution::{DistributionOptions, distributions};
use wonderspins::exact::solve_all;
use wonderspins::paytable::PaytableFile;
use wonderspins::report::card;

/// The page of a built-in paytable, cut short so that its distribution takes no time.
fn page() -> CardDocument {
    let text = fs::read_to_string("paytables/pa-693-6.toml").expect("a built-in paytable");
    let text = text.replace("# max_spins = 100", "max_spins = 6").replace(
        "name = \"58 Pa. Code § 693.6\"",
        "name = \"short & <sweet>\"",
    );
    let file = PaytableFile::parse("game.toml", &text).expect("a legal paytable");
    let exact = solve_all(&file.paytable).expect("figures");
    let laws = distributions(&file.paytable, &exact, &DistributionOptions::default())
        .expect("a short game");
    CardDocument::new(&file, &exact, Ok(&laws))
}

#[test]
fn the_html_is_one_file_with_a_picture_and_every_sentence() {
    let page = page();
    let html = card::html(&page).expect("a page");
    assert_eq!(html, card::html(&page).expect("a page"));
    for outside in ["<script", "<link", "src=", "url(", "@import"] {
        assert!(!html.contains(outside), "{outside}");
    }
    // The one address is the name of the SVG's vocabulary.
    let addresses = html.matches("http").count();
    assert_eq!(
        addresses,
        html.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(html.contains("<h1>short &amp; &lt;sweet&gt;</h1>"));
    let (start, end) = (html.find("<svg"), html.find("</svg>"));
    let svg = &html[start.expect("a picture")..end.expect("its end") + 6];
    let picture = roxmltree::Document::parse(svg).expect("well-formed");
    let labels = picture
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text());
    // 693.6(b) and (c): 16 hats, one rabbit, four sections of 2.
    let labels: Vec<&str> = labels.collect();
    let count = |label: &str| labels.iter().filter(|&&found| found == label).count();
    assert_eq!((count("Hat"), count("Rabbit"), count("+2")), (16, 1, 4));
    let text = card::text(&page);
    let flowing: Vec<&str> = text.split_whitespace().collect();
    let flowing = flowing.join(" ");
    for sentence in page.rules.iter().chain(&page.pays) {
        let escaped = sentence.text.replace('\'', "&#x27;");
        assert!(html.contains(&escaped), "{}", sentence.text);
        assert!(flowing.contains(&sentence.text), "{}", sentence.text);
    }
    for trigger in &page.triggers {
        assert_eq!(trigger.odds.len(), 6);
        for odds in &trigger.odds {
            assert!(html.contains(&format!("<td>{}</td>", odds.odds)));
        }
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert!(html.contains(&page.paytable.sha256) && html.contains(&page.paytable.file_sha256));
    assert!(html.contains("not a licensed or accredited laboratory"));
}

/// Compiles the template to PDF/A-3b, twice alike, and counts its pages.
const SCRIPT: &str = r#"
import typst
def compiled(**form):
    return typst.compile("card.typ", ignore_system_fonts=True, **form)
first = compiled(pdf_standards=["a-3b"])
assert first == compiled(pdf_standards=["a-3b"]), "two runs differ"
pages = compiled(format="svg")
print(len(pages) if isinstance(pages, list) else 1)
"#;

#[test]
#[expect(clippy::print_stderr, reason = "says why it checks nothing")]
fn the_pdf_is_one_page() {
    let has_typst = Command::new("python3")
        .args(["-c", "import typst"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_typst {
        eprintln!("skipped: Python's typst is not installed");
        return;
    }
    let folder = TempDir::new().expect("a temporary folder");
    for file in card::source(&page()).expect("a template and its data") {
        fs::write(folder.path().join(file.name), file.bytes).expect("a file");
    }
    let output = Command::new("python3")
        .current_dir(folder.path())
        .args(["-c", SCRIPT])
        .output()
        .expect("Python starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "1");
}

#[cfg(not(feature = "pdf"))]
#[test]
fn a_program_without_pdf_says_how_to_get_one() {
    let error = card::pdf(&page()).expect_err("no PDF");
    assert!(error.to_string().contains("--features pdf"), "{error}");
    assert!(card::require_pdf().is_err());
}

#[cfg(feature = "pdf")]
#[test]
fn the_program_writes_the_same_pdf_twice() {
    let first = card::pdf(&page()).expect("a PDF");
    assert!(first.starts_with(b"%PDF-1.7"));
    assert!(
        first == card::pdf(&page()).expect("a PDF"),
        "two runs differ"
    );
}
