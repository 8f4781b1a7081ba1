//! `export`: the game in the language of another program.

use anyhow::Context as _;
use wonderspins::analysis::prism;
use wonderspins::paytable::Paytable;
use wonderspins::rules::{Character, OuterSection};

use super::{load, print};
use crate::args::{Export, ExportFormat};
use crate::config;
use crate::exit::ExitStatus;

pub(crate) fn run(args: &Export) -> anyhow::Result<ExitStatus> {
    let file = load(&args.paytable.paytable)?;
    let trigger = *config::triggers(&file.paytable, args.trigger)?
        .first()
        .context("the paytable has no trigger")?;
    let character = args
        .character
        .unwrap_or_else(|| most_frequent(&file.paytable));
    match args.format {
        ExportFormat::Prism => print(&prism::model(
            &file.paytable,
            trigger,
            character,
            args.with,
        )?)?,
    }
    Ok(ExitStatus::Success)
}

/// The character with the most outer sections, the first of them where there are several.
fn most_frequent(paytable: &Paytable) -> Character {
    let sections = |character: &Character| {
        let shown = OuterSection::Character(*character);
        let all = paytable.outer_wheel.sections.iter();
        all.filter(|section| **section == shown).count()
    };
    let characters = paytable.characters();
    characters.iter().skip(1).fold(characters[0], |best, next| {
        if sections(next) > sections(&best) {
            *next
        } else {
            best
        }
    })
}
