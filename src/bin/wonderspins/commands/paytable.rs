//! `paytable list`, `paytable show NAME`, `paytable card NAME`.

use anyhow::anyhow;
use serde_json::json;
use wonderspins::document::{CardDocument, Tool, to_json};
use wonderspins::exact::distribution::{DistributionOptions, distributions};
use wonderspins::paytable::{PaytableFile, builtin};
use wonderspins::{exact, report};

use super::{csv_text, load, print, print_bytes, write_file};
use crate::args::{Card, CardFormat, Format, Paytable, PaytableCommand};
use crate::exit::ExitStatus;
use crate::table;

pub(crate) fn run(args: &Paytable) -> anyhow::Result<ExitStatus> {
    match &args.command {
        PaytableCommand::List { format } => list(*format)?,
        PaytableCommand::Show { name } => {
            let found = builtin::find(name).ok_or_else(|| {
                let names: Vec<&str> = builtin::ALL.iter().map(|entry| entry.name).collect();
                anyhow!(
                    "`{name}` is not a built-in paytable, expected one of {}",
                    names.join(", ")
                )
            })?;
            print(found.text)?;
        }
        PaytableCommand::Card(args) => card(args)?,
    }
    Ok(ExitStatus::Success)
}

fn card(args: &Card) -> anyhow::Result<()> {
    // What cannot be written is refused before anything is computed.
    if args.format == CardFormat::Pdf {
        report::card::require_pdf()?;
    }
    let file = load(&args.name)?;
    let exact = exact::solve_all(&file.paytable)?;
    let laws = if args.no_odds {
        Err("they were not asked for".to_owned())
    } else {
        distributions(&file.paytable, &exact, &DistributionOptions::default())
            .map_err(|error| error.to_string())
    };
    let document = CardDocument::new(&file, &exact, laws.as_deref().map_err(Clone::clone));
    let bytes = match args.format {
        CardFormat::Html => report::card::html(&document)?.into_bytes(),
        CardFormat::Pdf => report::card::pdf(&document)?,
        CardFormat::Text => report::card::text(&document).into_bytes(),
        CardFormat::Json => to_json(&document).into_bytes(),
    };
    match &args.output {
        Some(path) => write_file(path, &bytes),
        None => print_bytes(&bytes),
    }
}

fn list(format: Format) -> anyhow::Result<()> {
    let mut entries = Vec::new();
    for entry in builtin::ALL {
        let file = PaytableFile::parse(entry.name, entry.text)?;
        entries.push((entry, file.paytable.sha256()));
    }
    match format {
        Format::Text => {
            let mut table = table::plain(&["NAME", "SHA-256", "WHAT IT IS"]);
            for (entry, sha256) in &entries {
                table.add_row([entry.name, &sha256[..8], entry.summary]);
            }
            print(&table::render(&table))
        }
        Format::Json => print(&to_json(&json!({
            "schema": "wonderspins/paytables/1",
            "tool": Tool::current(),
            "paytables": entries
                .iter()
                .map(|(entry, sha256)| json!({"name": entry.name, "sha256": sha256, "summary": entry.summary}))
                .collect::<Vec<_>>(),
        }))),
        Format::Csv => print(&csv_text(
            &["name", "sha256", "summary"],
            entries.iter().map(|(entry, sha256)| {
                [
                    entry.name.to_owned(),
                    sha256.clone(),
                    entry.summary.to_owned(),
                ]
            }),
        )?),
    }
}
