//! `paytable list`, `paytable show NAME`.

use anyhow::anyhow;
use serde_json::json;
use wonderspins::document::{Tool, to_json};
use wonderspins::paytable::{PaytableFile, builtin};

use super::{csv_text, print};
use crate::args::{Format, Paytable, PaytableCommand};
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
    }
    Ok(ExitStatus::Success)
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
