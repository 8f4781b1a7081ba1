//! `profile list`, `profile show NAME`.

use anyhow::anyhow;
use serde_json::json;
use wonderspins::document::{Tool, to_json};
use wonderspins::regulation::{ProfileFile, SHIPPED};

use super::{csv_text, print};
use crate::args::{Format, Profile, ProfileCommand};
use crate::exit::ExitStatus;
use crate::table;

pub(crate) fn run(args: &Profile) -> anyhow::Result<ExitStatus> {
    match &args.command {
        ProfileCommand::List { format } => list(*format)?,
        ProfileCommand::Show { name } => {
            let found = SHIPPED
                .iter()
                .find(|shipped| shipped.name == name)
                .ok_or_else(|| {
                    let names: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.name).collect();
                    anyhow!(
                        "`{name}` is no profile of this program, expected one of {}",
                        names.join(", ")
                    )
                })?;
            print(found.text)?;
        }
    }
    Ok(ExitStatus::Success)
}

fn list(format: Format) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for shipped in SHIPPED {
        files.push(ProfileFile::load(shipped.name)?);
    }
    match format {
        Format::Text => {
            let mut table = table::plain(&["NAME", "SHA-256", "WHAT IT IS"]);
            for file in &files {
                let profile = &file.profile;
                table.add_row([profile.name.as_str(), &file.sha256[..8], &profile.title]);
            }
            print(&table::render(&table))
        }
        Format::Json => print(&to_json(&json!({
            "schema": "wonderspins/profiles/1",
            "tool": Tool::current(),
            "profiles": files
                .iter()
                .map(|file| json!({
                    "name": file.profile.name,
                    "sha256": file.sha256,
                    "title": file.profile.title,
                }))
                .collect::<Vec<_>>(),
        }))),
        Format::Csv => print(&csv_text(
            &["name", "sha256", "title"],
            files.iter().map(|file| {
                [
                    file.profile.name.clone(),
                    file.sha256.clone(),
                    file.profile.title.clone(),
                ]
            }),
        )?),
    }
}
