//! `report`: the reports of a certificate again, from its file alone.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use wonderspins::document::Certificate;
use wonderspins::report::{self, ReportFile};

use super::certify::Folder;
use super::{print_bytes, write_file};
use crate::args::Report;
use crate::exit::ExitStatus;

/// The format that stands for all others.
const ALL: &str = "all";

pub(crate) fn run(args: &Report) -> anyhow::Result<ExitStatus> {
    let certificate = read(&args.certificate)?;
    let files = if args.format == ALL {
        report::render(&certificate)?
    } else {
        report::render_format(&certificate, &args.format)?
            .with_context(|| format!("there is no format `{}`", args.format))?
    };
    if let Some(folder) = &args.out {
        Folder::open(folder)?.write(&files)?;
        return Ok(ExitStatus::Success);
    }
    let [file] = files.as_slice() else {
        return Err(several(&args.format, &files));
    };
    if let Some(path) = &args.output {
        write_file(path, &file.bytes)?;
    } else {
        print_bytes(&file.bytes)?;
    }
    Ok(ExitStatus::Success)
}

/// A certificate from a file.
pub(super) fn read(path: &Path) -> anyhow::Result<Certificate> {
    let failed = || format!("cannot read the certificate `{}`", path.display());
    let bytes = fs::read(path).with_context(failed)?;
    let text = String::from_utf8(bytes)
        .map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.split(|&byte| byte == b'\n').count();
            anyhow!("line {line}: not UTF-8")
        })
        .with_context(failed)?;
    Certificate::read(&text).with_context(failed)
}

fn several(format: &str, files: &[ReportFile]) -> anyhow::Error {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    anyhow!(
        "`--format {format}` makes several files ({}): `--out DIR` says where they go",
        names.join(", ")
    )
}
