//! `diff`: what changed between two paytables or certificates, and what each change does.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use wonderspins::analysis::diff::diff;
use wonderspins::document::{
    Certificate, CertificatesDiff, ChangeJson, DiffDocument, DiffFigure, DiffTrigger,
    EnclosureJson, FractionJson, to_json,
};
use wonderspins::paytable::{PaytableFile, builtin};
use wonderspins::report::format::{bound, figure, p_value};

use super::{csv_text, load, print, report};
use crate::args::{Diff, Format};
use crate::exit::ExitStatus;
use crate::table;

/// One side of a comparison.
struct Side {
    file: PaytableFile,
    certificate: Option<Box<Certificate>>,
}

impl Side {
    fn load(argument: &str) -> anyhow::Result<Self> {
        if builtin::find(argument).is_some() || !begins_as_json(Path::new(argument)) {
            return Ok(Self {
                file: load(argument)?,
                certificate: None,
            });
        }
        let certificate = report::read(Path::new(argument))?;
        let file = PaytableFile::parse(argument, &certificate.paytable.text)
            .with_context(|| format!("the paytable of the certificate `{argument}`"))?;
        Ok(Self {
            file,
            certificate: Some(Box::new(certificate)),
        })
    }
}

/// Whether a file is a JSON object, which no TOML file begins like. What cannot be read is left
/// to the reader of paytables, which knows what to say.
fn begins_as_json(path: &Path) -> bool {
    let mut start = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut start));
    let mut bytes = start[..read.unwrap_or(0)].iter();
    bytes.find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

pub(crate) fn run(args: &Diff) -> anyhow::Result<ExitStatus> {
    let (old, new) = (Side::load(&args.old)?, Side::load(&args.new)?);
    let found = diff(&old.file.paytable, &new.file.paytable);
    let certificates = old.certificate.as_deref().zip(new.certificate.as_deref());
    let document = DiffDocument::new(&old.file, &new.file, &found, certificates);
    match args.format {
        Format::Json => print(&to_json(&document))?,
        Format::Csv => print(&csv(&document)?)?,
        Format::Text => print(&text(&document))?,
    }
    Ok(if args.exit_code && document.mathematics_differ {
        ExitStatus::CheckFailed
    } else {
        ExitStatus::Success
    })
}

/// The number of the unit that a change belongs to.
fn unit_of(document: &DiffDocument, change: &ChangeJson) -> Option<usize> {
    let mut units = document.units.iter();
    let holds = |key: &String| change.kind == "mathematics" && *key == change.key;
    units
        .find(|unit| unit.keys.iter().any(holds))
        .map(|unit| unit.unit)
}

const COLUMNS: [&str; 13] = [
    "record",
    "trigger",
    "unit",
    "key",
    "old",
    "new",
    "value",
    "lower",
    "upper",
    "fraction",
    "z",
    "p_value",
    "explained",
];

/// A row whose named cells are filled.
fn row(cells: &[(&str, String)]) -> Vec<String> {
    COLUMNS
        .iter()
        .map(|column| {
            let cell = cells.iter().find(|(name, _)| name == column);
            cell.map(|(_, text)| text.clone()).unwrap_or_default()
        })
        .collect()
}

fn csv(document: &DiffDocument) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for change in &document.changes {
        let unit = unit_of(document, change);
        rows.push(row(&[
            ("record", change.kind.clone()),
            (
                "unit",
                unit.map(|unit| unit.to_string()).unwrap_or_default(),
            ),
            ("key", change.key.clone()),
            ("old", change.old.clone().unwrap_or_default()),
            ("new", change.new.clone().unwrap_or_default()),
        ]));
    }
    for trigger in &document.triggers {
        if trigger.presence != "both" || trigger.refused.is_some() {
            rows.push(row(&[
                ("record", "trigger".to_owned()),
                ("trigger", trigger.trigger.to_string()),
                ("key", trigger.presence.clone()),
                ("new", trigger.refused.clone().unwrap_or_default()),
            ]));
        }
        for figure in &trigger.figures {
            for line in lines(figure) {
                let mut cells = number_cells(line.number);
                cells.extend([
                    ("record", line.record.to_owned()),
                    ("trigger", trigger.trigger.to_string()),
                    (
                        "unit",
                        line.unit.map(|unit| unit.to_string()).unwrap_or_default(),
                    ),
                    ("key", figure.figure.clone()),
                ]);
                rows.push(row(&cells));
            }
        }
    }
    if let Some(certificates) = &document.certificates {
        rows.extend(certificate_rows(certificates));
    }
    csv_text(&COLUMNS, rows)
}

fn number_cells(number: &FractionJson) -> Vec<(&'static str, String)> {
    vec![
        ("value", number.enclosure.value.to_string()),
        ("lower", number.enclosure.lower.to_string()),
        ("upper", number.enclosure.upper.to_string()),
        ("fraction", number.fraction.clone().unwrap_or_default()),
    ]
}

fn certificate_rows(certificates: &CertificatesDiff) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for entry in &certificates.entries {
        rows.push(row(&[
            ("record", "certificate".to_owned()),
            ("key", entry.key.clone()),
            ("old", entry.old.clone().unwrap_or_default()),
            ("new", entry.new.clone().unwrap_or_default()),
        ]));
    }
    for change in &certificates.exact {
        rows.push(row(&[
            ("record", "certificate-exact".to_owned()),
            ("trigger", change.trigger.to_string()),
            ("key", change.figure.clone()),
            ("old", change.old.value.to_string()),
            ("new", change.new.value.to_string()),
        ]));
    }
    for chance in &certificates.simulated {
        let optional = |number: Option<f64>| number.map(|n| n.to_string()).unwrap_or_default();
        rows.push(row(&[
            ("record", "certificate-simulated".to_owned()),
            ("trigger", chance.trigger.to_string()),
            ("key", chance.figure.clone()),
            ("old", chance.old.to_string()),
            ("new", chance.new.to_string()),
            ("value", chance.expected.value.to_string()),
            ("lower", chance.expected.lower.to_string()),
            ("upper", chance.expected.upper.to_string()),
            ("z", optional(chance.z)),
            ("p_value", optional(chance.p_value)),
            (
                "explained",
                chance
                    .explained
                    .map(|yes| yes.to_string())
                    .unwrap_or_default(),
            ),
        ]));
    }
    rows
}

/// A line of a figure: what it is, of which unit, the number.
struct Line<'a> {
    record: &'static str,
    unit: Option<usize>,
    number: &'a FractionJson,
}

/// Every number of a figure; the effects of one unit alone are those of all together.
fn lines(figure: &DiffFigure) -> Vec<Line<'_>> {
    let line = |record, number| Line {
        record,
        unit: None,
        number,
    };
    let mut lines = vec![
        line("old", &figure.old),
        line("new", &figure.new),
        line("together", &figure.together),
    ];
    for effect in &figure.effects {
        for (record, number) in [("alone", &effect.alone), ("last", &effect.last)] {
            lines.extend(number.as_ref().map(|number| Line {
                record,
                unit: Some(effect.unit),
                number,
            }));
        }
    }
    lines.extend(figure.sum_alone.iter().map(|sum| line("sum_alone", sum)));
    lines.extend(
        figure
            .interaction
            .iter()
            .map(|rest| line("interaction", rest)),
    );
    lines
}

fn text(document: &DiffDocument) -> String {
    let mut text = format!(
        "old: {}new: {}",
        super::heading(&document.old_paytable),
        super::heading(&document.paytable)
    );
    if document.changes.is_empty() {
        text.push_str("\nthe paytables are the same\n");
    }
    for (kind, title) in [
        ("mathematics", "the mathematics"),
        ("declared", "declared figures"),
        ("metadata", "names and texts, which enter no figure"),
    ] {
        text.push_str(&changes(document, kind, title));
    }
    let together: Vec<String> = document
        .units
        .iter()
        .filter(|unit| unit.keys.len() > 1)
        .map(|unit| format!("#{}", unit.unit))
        .collect();
    if !together.is_empty() {
        text.push_str(&wrapped(&format!(
            "changes that only work together: those of {}; without its companions each leaves \
             a paytable that is not legal",
            together.join(", ")
        )));
    }
    if !document.changes.is_empty() && !document.mathematics_differ {
        text.push_str("\nthe mathematics are the same\n");
    }
    for trigger in &document.triggers {
        text.push_str(&effects(document, trigger));
    }
    if document.mathematics_differ {
        text.push_str(&legend(document, &text));
    }
    if let Some(certificates) = &document.certificates {
        text.push_str(&certificates_text(certificates));
    }
    text
}

fn wrapped(text: &str) -> String {
    format!("{}\n", textwrap::fill(text, 80))
}

fn changes(document: &DiffDocument, kind: &str, title: &str) -> String {
    let changes: Vec<&ChangeJson> = document
        .changes
        .iter()
        .filter(|change| change.kind == kind)
        .collect();
    if changes.is_empty() {
        return String::new();
    }
    let mut table = table::plain(&["", "KEY", "OLD", "NEW"]);
    for change in changes {
        let unit = unit_of(document, change);
        table.add_row([
            unit.map(|unit| format!("#{unit}")).unwrap_or_default(),
            change.key.clone(),
            change.old.clone().unwrap_or("-".to_owned()),
            change.new.clone().unwrap_or("-".to_owned()),
        ]);
    }
    format!("\n{title}\n{}", table::render(&table))
}

/// What a column shows: heading, digits after the point, and whether as a percentage.
const SHOWN: [(&str, &str, usize, f64); 4] = [
    ("rtp", "RTP %", 4, 100.0),
    ("mean_meter", "MEAN", 5, 1.0),
    ("std_dev_meter", "SD", 5, 1.0),
    ("hit_frequency", "HIT %", 4, 100.0),
];

fn effects(document: &DiffDocument, trigger: &DiffTrigger) -> String {
    let name = format!("\n{} Wonderspins", trigger.trigger);
    match trigger.presence.as_str() {
        "old" => return format!("{name}: only in the old paytable\n"),
        "new" => return format!("{name}: only in the new paytable\n"),
        _ => {}
    }
    if let Some(refused) = &trigger.refused {
        return wrapped(&format!("{name}: no figures: {refused}"));
    }
    if !document.mathematics_differ {
        return String::new();
    }
    let mut header = vec![""];
    header.extend(SHOWN.iter().map(|&(_, heading, ..)| heading));
    let mut table = table::numbers(&header);
    let columns: Vec<Vec<Line<'_>>> = trigger.figures.iter().map(lines).collect();
    let is_single = document.units.len() == 1;
    let mut exactly = Vec::new();
    for at in 0..columns.first().map_or(0, Vec::len) {
        let line = &columns[0][at];
        let is_detail = !matches!(line.record, "old" | "new" | "together");
        if is_single && is_detail {
            continue;
        }
        let label = label(line);
        let mut row = vec![label.clone()];
        let is_difference = !matches!(line.record, "old" | "new");
        for (column, &(_, heading, places, scale)) in columns.iter().zip(&SHOWN) {
            let number = column[at].number;
            row.push(cell(number, places, scale, is_difference));
            let fraction = number.fraction.as_deref().unwrap_or("0");
            let is_wanted = heading.starts_with("RTP") || line.record == "together";
            if is_difference && is_wanted && fraction != "0" && fraction.len() <= 32 {
                let figure = heading.trim_end_matches(" %");
                exactly.push(format!("{figure}, {label}: {fraction}"));
            }
        }
        table.add_row(row);
    }
    let mut text = format!("{name}\n{}", table::render(&table));
    for line in exactly {
        text.push_str(&wrapped(&format!("exactly {line}")));
    }
    let refusals = trigger.figures.first().into_iter().flat_map(|figure| {
        figure.effects.iter().filter_map(|effect| {
            let refused = effect.refused.as_ref()?;
            Some(format!("#{}: no effect by itself: {refused}", effect.unit))
        })
    });
    for refusal in refusals {
        text.push_str(&wrapped(&refusal));
    }
    text
}

fn label(line: &Line<'_>) -> String {
    match (line.record, line.unit) {
        (record, Some(unit)) => format!("#{unit} {record}"),
        ("together", None) => "new less old".to_owned(),
        ("sum_alone", None) => "sum of alone".to_owned(),
        (record, None) => record.to_owned(),
    }
}

/// A number with the given places, a sign where it is a difference; its two bounds, one on each
/// line, where they differ in these places.
fn cell(number: &FractionJson, places: usize, scale: f64, is_difference: bool) -> String {
    if number.fraction.as_deref() == Some("0") {
        return "0".to_owned();
    }
    let EnclosureJson {
        value,
        lower,
        upper,
    } = number.enclosure;
    let step = 10.0_f64.powi(-i32::try_from(places).unwrap_or(i32::MAX));
    let sign = if is_difference && lower > 0.0 {
        "+"
    } else {
        ""
    };
    let is_signed = lower > 0.0 || upper < 0.0;
    if is_difference && is_signed && value.abs() * scale < step / 2.0 {
        // Digits that would all be 0 hide that there is something.
        format!("{sign}{:.0e}", value * scale)
    } else if (upper - lower) * scale <= step {
        let shown = format!("{sign}{:.places$}", value * scale);
        // A share that is less than 1 is not shown as 100 %.
        let is_below = !is_difference && scale > 1.0 && upper < 1.0;
        if is_below && shown.starts_with("100.") {
            format!("<{shown}")
        } else {
            shown
        }
    } else {
        format!(
            "≥{}\n≤{}",
            bound(lower * scale, places, false),
            bound(upper * scale, places, true)
        )
    }
}

fn legend(document: &DiffDocument, text: &str) -> String {
    let mut legend = "RTP: overall, in percent; its differences in percentage points.".to_owned();
    if document.units.len() > 1 {
        legend.push_str(
            " ALONE: the old paytable with this change only, less the old. LAST: the new \
             paytable, less the new without this change. INTERACTION: what the sum of the \
             effects alone leaves of the whole.",
        );
    }
    if text.contains('≥') {
        legend.push_str(" Two lines in a cell are proven bounds that differ in the digits shown.");
    }
    format!("\n{}", wrapped(&legend))
}

fn certificates_text(certificates: &CertificatesDiff) -> String {
    let mut text = String::new();
    if certificates.entries.is_empty() {
        text.push_str("\nverdicts and plan of the certificates are the same\n");
    } else {
        let mut table = table::plain(&["ENTRY", "OLD", "NEW"]);
        for entry in &certificates.entries {
            table.add_row([
                entry.key.clone(),
                entry.old.clone().unwrap_or("-".to_owned()),
                entry.new.clone().unwrap_or("-".to_owned()),
            ]);
        }
        text.push_str(&format!("\nthe certificates\n{}", table::render(&table)));
    }
    if !certificates.exact.is_empty() {
        let mut table = table::plain(&["", "EXACT", "OLD", "NEW", "DIFFERS"]);
        for change in &certificates.exact {
            table.add_row([
                change.trigger.to_string(),
                change.figure.clone(),
                figure(change.old.value, 8),
                figure(change.new.value, 8),
                if change.differs { "yes" } else { "not proven" }.to_owned(),
            ]);
        }
        text.push_str(&format!("\nexact figures\n{}", table::render(&table)));
    }
    if certificates.simulated.is_empty() {
        return text;
    }
    let mut table = table::plain(&[
        "",
        "SIMULATED",
        "OLD",
        "NEW",
        "EXPECTED",
        "Z",
        "P",
        "CHANCE",
    ]);
    for chance in &certificates.simulated {
        let expected = &chance.expected;
        table.add_row([
            chance.trigger.to_string(),
            chance.figure.clone(),
            figure(chance.old, 7),
            figure(chance.new, 7),
            figure(expected.value, 5),
            chance.z.map_or("-".to_owned(), |z| format!("{z:.2}")),
            chance.p_value.map_or("-".to_owned(), p_value),
            match chance.explained {
                Some(true) => "explains it",
                Some(false) => "does not",
                None => "not tested",
            }
            .to_owned(),
        ]);
    }
    text.push_str(&format!("\nthe two runs\n{}", table::render(&table)));
    text.push_str(&wrapped(
        "EXPECTED: the difference of the exact figures. Z: how far the difference of the \
         simulated figures is from it, in standard errors from the exact standard deviations. \
         CHANCE: whether that is within chance for all figures together, at the new \
         certificate's alpha by Holm's procedure.",
    ));
    let has = |word: &str| {
        certificates
            .simulated
            .iter()
            .any(|entry| entry.runs == word)
    };
    if has("nested") {
        text.push_str(&wrapped(
            "One run is the beginning of the other, which the standard errors allow for.",
        ));
    }
    if has("same stream") {
        text.push_str(&wrapped(
            "Different games on the same random numbers are not independent: no test.",
        ));
    }
    text
}
