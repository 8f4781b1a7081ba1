//! Reads the TOML text of a paytable into a [`Definition`], collecting every fault.
//!
//! [`read`] is the way from a text to its faults with lines, for whatever the text states;
//! the files of other commands are read by it as well, so that all faults look alike.
//!
//! The text is walked by hand rather than through a derived deserializer, which stops
//! at the first fault. Every value that is visited leaves its place behind under its
//! key path, so that the check of the finished definition, which knows no file, can
//! still point at a line.

mod disclosure;
mod game;
pub(crate) mod node;

use toml::de::DeTable;

use super::definition::Definition;
use super::fault::{Fault, Faults};
use super::validate::validate;
pub(crate) use node::{Node, Reader, Table};

/// The most bytes of a file; the largest legal paytable is far smaller.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// Reads and checks the bytes of a paytable file; `file` names it in faults.
pub(super) fn parse_bytes<'t>(
    file: &str,
    bytes: &'t [u8],
) -> Result<(&'t str, Definition), Faults> {
    read_document(file, bytes, "a paytable", |reader, root| {
        let definition = game::definition(reader, root);
        validate(&definition, &mut reader.findings);
        definition
    })
}

/// Reads the bytes of a TOML file into what `build` makes of them, with all faults.
///
/// # Arguments
/// - `file`: names it in faults
/// - `what`: what was expected, for an empty file
/// - `build`: reads the outermost table; the faults that the reader collects are told all
///   together, and the result is dropped where there is one
pub(crate) fn read_document<'t, T>(
    file: &str,
    bytes: &'t [u8],
    what: &str,
    build: impl FnOnce(&mut Reader<'_>, &DeTable<'_>) -> T,
) -> Result<(&'t str, T), Faults> {
    let whole_file = |line, message: String| {
        one(Fault {
            file: Some(file.to_owned()),
            line,
            column: line.map(|_| 1),
            key: String::new(),
            found: None,
            legal: None,
            clause: None,
            message,
        })
    };
    if bytes.len() > MAX_BYTES {
        let message = format!("found more than {MAX_BYTES} bytes, expected at most {MAX_BYTES}");
        return Err(whole_file(None, message));
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        whole_file(Some(line), "not UTF-8, expected a text file".to_owned())
    })?;
    if text.starts_with('\u{feff}') {
        let message = "starts with a byte order mark, expected UTF-8 without one";
        return Err(whole_file(Some(1), message.to_owned()));
    }
    if text.trim().is_empty() {
        return Err(whole_file(
            None,
            format!("the file is empty, expected {what}"),
        ));
    }
    parse(file, text, build).map(|built| (text, built))
}

fn one(fault: Fault) -> Faults {
    Faults::new(vec![fault]).expect("one fault")
}

fn parse<T>(
    file: &str,
    text: &str,
    build: impl FnOnce(&mut Reader<'_>, &DeTable<'_>) -> T,
) -> Result<T, Faults> {
    let lines = Lines::new(text);
    let (root, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        // Where the text is not TOML, what could be rescued says little about keys.
        let mut faults: Vec<Fault> = Vec::new();
        for error in &errors {
            let (line, column) = lines.position(error.span().map_or(0, |span| span.start));
            let fault = Fault {
                file: Some(file.to_owned()),
                line: Some(line),
                column: Some(column),
                key: String::new(),
                found: None,
                legal: None,
                clause: None,
                message: format!("not TOML: {}", printable(error.message())),
            };
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        faults.sort_by_key(|fault| (fault.line, fault.column));
        return Err(Faults::new(faults).expect("a syntax error"));
    }
    let mut reader = Reader::new(text);
    let built = build(&mut reader, root.get_ref());
    let (findings, locations) = reader.into_parts();
    let faults = findings.into_faults();
    let mut placed: Vec<_> = faults
        .into_iter()
        .map(|fault| (node::offset_of(&locations, &fault.key), fault))
        .collect();
    // Stable: faults of one place stay in the order in which they were found.
    placed.sort_by_key(|(offset, _)| *offset);
    let faults = placed
        .into_iter()
        .map(|(offset, fault)| {
            let (line, column) = lines.position(offset);
            Fault {
                file: Some(file.to_owned()),
                line: Some(line),
                column: Some(column),
                ..fault
            }
        })
        .collect();
    match Faults::new(faults) {
        Some(faults) => Err(faults),
        None => Ok(built),
    }
}

/// Text on one line, without anything that could steer a terminal.
fn printable(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .map(|character| {
            if character.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                character
            }
        })
        .collect()
}

/// Lines and columns of byte offsets in a text.
struct Lines {
    /// Where each line begins.
    starts: Vec<usize>,
    /// How many characters begin before each byte. A table, because a file may have all
    /// its faults in one long line, and counting from its start for each would take the
    /// square of its length.
    characters: Vec<usize>,
}

impl Lines {
    fn new(text: &str) -> Self {
        let starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(offset, _)| offset + 1))
            .collect();
        let mut count = 0;
        let mut characters = vec![0];
        for offset in 0..text.len() {
            count += usize::from(text.is_char_boundary(offset));
            characters.push(count);
        }
        Self { starts, characters }
    }

    /// Line and column, both from 1, of a byte offset; columns count characters.
    fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let before = |offset: usize| self.characters.get(offset).copied().unwrap_or(0);
        (line, before(offset).saturating_sub(before(start)) + 1)
    }
}

#[cfg(test)]
mod tests;
