//! The command line of Wonderspins: parse, run, exit.
#![allow(
    clippy::print_stderr,
    reason = "the binary is where text meets the terminal"
)]

mod args;
mod commands;
mod config;
mod exit;
mod message;
mod playing;
mod progress;
mod table;
mod values;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::args::{Cli, ErrorFormat};
use crate::exit::ExitStatus;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage_error(&error).into(),
    };
    match commands::run(&cli) {
        Ok(status) => status.into(),
        Err(error) if message::is_broken_pipe(&error) => ExitStatus::Success.into(),
        Err(error) => {
            message::print_error(&error, cli.global.error_format);
            ExitStatus::Fault.into()
        }
    }
}

/// Help and version are answers, everything else is a fault of the arguments. The format
/// of errors is read from the raw arguments, since parsing is what failed.
fn usage_error(error: &clap::Error) -> ExitStatus {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        let _ = error.print();
        return ExitStatus::Success;
    }
    if wants_json() {
        let message = match error.kind() {
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
                "a command is missing".to_owned()
            }
            _ => message::first_line(&error.to_string()).to_owned(),
        };
        message::print_error(&anyhow::anyhow!(message), ErrorFormat::Json);
    } else {
        let _ = error.print();
    }
    ExitStatus::Fault
}

/// Whether the raw arguments ask for errors as JSON. They need not be UTF-8.
fn wants_json() -> bool {
    let arguments: Vec<_> = std::env::args_os().collect();
    arguments
        .iter()
        .any(|argument| argument == "--error-format=json")
        || arguments
            .windows(2)
            .any(|pair| pair[0] == "--error-format" && pair[1] == "json")
}
