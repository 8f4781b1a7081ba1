//! A paytable with values of its keys set or removed.
//!
//! The text of a paytable is taken as a tree of values; changes are made to the tree, and the
//! result is read by the reader of every other paytable. So any key can be changed, whole
//! tables too, every rule of validity holds for the result, and its faults name the key.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::fault::{Fault, Faults};
use super::{PaytableError, PaytableFile};

/// The most parts of a key path; the deepest legal key has five.
const MAX_PARTS: usize = 16;

/// Why a text is not a [`KeyPath`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyPathError {
    /// The text has another form.
    #[error("not {}", KeyPath::LEGAL_FORM)]
    Malformed,
    /// No key of a paytable lies so deep.
    #[error("has more than {MAX_PARTS} parts")]
    TooDeep,
}

/// A step of a key path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Key(String),
    Item(usize),
}

/// The place of a value in a paytable: keys joined by points, items of lists from 0 in
/// brackets, as a [`Fault`] names them.
///
/// # Examples
/// ```
/// use wonderspins::paytable::KeyPath;
///
/// for text in ["rules.multiplier_floor", "outer_wheel.sections[17]", "triggers.2.spins"] {
///     assert_eq!(text.parse::<KeyPath>()?.to_string(), text);
/// }
/// // A part that TOML would have in quotes needs them here, and no other keeps them.
/// let quoted: KeyPath = r#"disclosure."5319.47(a)(1)"."text""#.parse()?;
/// assert_eq!(quoted.to_string(), r#"disclosure."5319.47(a)(1)".text"#);
/// assert!("outer_wheel.sections[-1]".parse::<KeyPath>().is_err());
/// # Ok::<(), wonderspins::paytable::KeyPathError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyPath(Vec<Part>);

impl KeyPath {
    /// The form that is read, for messages.
    pub const LEGAL_FORM: &'static str =
        "a key path such as `rules.multiplier_floor` or `outer_wheel.sections[17]`";

    /// The path of the first parts, for messages.
    fn up_to(&self, parts: usize) -> Self {
        Self(self.0[..parts].to_vec())
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.iter().fold(String::new(), |text, part| match part {
            Part::Key(key) if text.is_empty() => toml_key(key),
            Part::Key(key) => format!("{text}.{}", toml_key(key)),
            Part::Item(index) => format!("{text}[{index}]"),
        });
        f.pad(&text)
    }
}

impl FromStr for KeyPath {
    type Err = KeyPathError;

    fn from_str(text: &str) -> Result<Self, KeyPathError> {
        let mut parts = Vec::new();
        let mut rest = text;
        loop {
            let (key, after) = key(rest).ok_or(KeyPathError::Malformed)?;
            parts.push(Part::Key(key));
            rest = after;
            while let Some(inside) = rest.strip_prefix('[') {
                let (digits, after) = inside.split_once(']').ok_or(KeyPathError::Malformed)?;
                let is_number =
                    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                let index = digits.parse().ok().filter(|_| is_number);
                parts.push(Part::Item(index.ok_or(KeyPathError::Malformed)?));
                rest = after;
            }
            if parts.len() > MAX_PARTS {
                return Err(KeyPathError::TooDeep);
            }
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None if rest.is_empty() => return Ok(Self(parts)),
                None => return Err(KeyPathError::Malformed),
            }
        }
    }
}

/// Whether a byte may stand in a key without quotes.
const fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// A key as TOML writes it, quoted where it must be.
fn toml_key(key: &str) -> String {
    if !key.is_empty() && key.bytes().all(is_bare) {
        key.to_owned()
    } else {
        quoted(key)
    }
}

/// A text as a basic string of TOML, on one line whatever it holds.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(character)));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// The key at the beginning of a text, and what follows it.
fn key(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text
            .bytes()
            .position(|byte| !is_bare(byte))
            .unwrap_or(text.len());
        return (end > 0).then(|| (text[..end].to_owned(), &text[end..]));
    };
    let mut key = String::new();
    let mut characters = quoted.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Some((key, &quoted[place + 1..])),
            '\\' => match characters.next() {
                Some((_, escaped @ ('"' | '\\'))) => key.push(escaped),
                _ => return None,
            },
            _ => key.push(character),
        }
    }
    None
}

/// A value of a paytable's text. Paytables have neither floats nor dates: decimals are text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A table, by key.
    Table(BTreeMap<String, Value>),
}

impl fmt::Display for Value {
    /// A text as it is, anything else as TOML writes it on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.pad(text),
            _ => f.pad(&self.inline()),
        }
    }
}

impl Value {
    /// The value as TOML writes it on one line.
    fn inline(&self) -> String {
        match self {
            Self::Boolean(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Text(text) => quoted(text),
            Self::List(items) => {
                let items: Vec<_> = items.iter().map(Self::inline).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Table(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| format!("{} = {}", toml_key(key), value.inline()))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }

    fn of_toml(value: &toml::Value) -> Self {
        match value {
            toml::Value::Boolean(value) => Self::Boolean(*value),
            toml::Value::Integer(value) => Self::Integer(*value),
            toml::Value::String(text) => Self::Text(text.clone()),
            toml::Value::Array(items) => Self::List(items.iter().map(Self::of_toml).collect()),
            toml::Value::Table(entries) => Self::of_table(entries),
            // A legal paytable has neither.
            toml::Value::Float(_) | toml::Value::Datetime(_) => Self::Text(value.to_string()),
        }
    }

    fn of_table(entries: &toml::Table) -> Self {
        Self::Table(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), Self::of_toml(value)))
                .collect(),
        )
    }
}

/// A change of a paytable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The value at a place becomes this one; tables on the way that are not there are made.
    Set(KeyPath, Value),
    /// There is no value at a place any more; later items of a list move up.
    Remove(KeyPath),
}

/// Why a change could not be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// A key is asked of something that has none.
    #[error("`{path}` is no table")]
    NoTable {
        /// Where a table was expected.
        path: KeyPath,
    },
    /// An item is asked of something that is no list.
    #[error("`{path}` is no list")]
    NoList {
        /// Where a list was expected.
        path: KeyPath,
    },
    /// The list is too short.
    #[error("`{path}` has {length} items, found an index of {index}")]
    NoItem {
        /// The list.
        path: KeyPath,
        /// Its items.
        length: usize,
        /// The index asked for, from 0.
        index: usize,
    },
}

/// A paytable as a tree of values that can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    origin: String,
    root: Value,
}

impl Template {
    /// The tree of a paytable's text.
    ///
    /// # Panics
    /// Never: the text of a [`PaytableFile`] was read as TOML before.
    #[must_use]
    pub fn of(file: &PaytableFile) -> Self {
        let table: toml::Table = file.text.parse().expect("the text was read before");
        Self {
            origin: file.origin.clone(),
            root: Value::of_table(&table),
        }
    }

    /// The value at a place.
    #[must_use]
    pub fn value(&self, path: &KeyPath) -> Option<&Value> {
        path.0
            .iter()
            .try_fold(&self.root, |value, part| match (value, part) {
                (Value::Table(entries), Part::Key(key)) => entries.get(key),
                (Value::List(items), Part::Item(index)) => items.get(*index),
                _ => None,
            })
    }

    /// Makes a change; removing what is not there changes nothing.
    ///
    /// # Errors
    /// - [`ChangeError`]: the way to the place leads through something that is neither a table
    ///   nor a list with such an item; nothing is changed of what was there
    ///
    /// # Panics
    /// Never: a path has a part.
    pub fn change(&mut self, change: &Change) -> Result<(), ChangeError> {
        let (path, value) = match change {
            Change::Set(path, value) => (path, Some(value)),
            Change::Remove(path) if self.value(path).is_none() => return Ok(()),
            Change::Remove(path) => (path, None),
        };
        let (last, way) = path.0.split_last().expect("a path has a part");
        let mut place = &mut self.root;
        for (depth, part) in way.iter().enumerate() {
            place = step(place, part, &path.up_to(depth))?;
        }
        match value {
            Some(value) => *step(place, last, &path.up_to(way.len()))? = value.clone(),
            None => match (place, last) {
                (Value::Table(entries), Part::Key(key)) => {
                    entries.remove(key);
                }
                (Value::List(items), Part::Item(index)) => {
                    items.remove(*index);
                }
                _ => {}
            },
        }
        Ok(())
    }

    /// The text as TOML.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Value::Table(entries) = &self.root {
            for (key, value) in entries {
                text.push_str(&format!("{} = {}\n", toml_key(key), value.inline()));
            }
        }
        text
    }

    /// The paytable, checked like any other; it names the origin of the unchanged one.
    ///
    /// # Errors
    /// - [`Faults`]: all of them, without file and line, since nobody wrote this text
    ///
    /// # Panics
    /// Never: reading a text finds faults and nothing else.
    pub fn paytable(&self) -> Result<PaytableFile, Faults> {
        PaytableFile::parse(&self.origin, &self.text()).map_err(|error| {
            let PaytableError::Faults(faults) = error else {
                unreachable!("a text needs no file")
            };
            let faults = faults
                .iter()
                .map(|fault| Fault {
                    file: None,
                    line: None,
                    column: None,
                    ..fault.clone()
                })
                .collect();
            Faults::new(faults).expect("as many as before")
        })
    }
}

/// One part further; a key that is not there becomes an empty table, to be filled at once.
fn step<'v>(
    value: &'v mut Value,
    part: &Part,
    path: &KeyPath,
) -> Result<&'v mut Value, ChangeError> {
    match part {
        Part::Key(key) => match value {
            Value::Table(entries) => Ok(entries
                .entry(key.clone())
                .or_insert_with(|| Value::Table(BTreeMap::new()))),
            _ => Err(ChangeError::NoTable { path: path.clone() }),
        },
        Part::Item(index) => match value {
            Value::List(items) => {
                let length = items.len();
                items.get_mut(*index).ok_or_else(|| ChangeError::NoItem {
                    path: path.clone(),
                    length,
                    index: *index,
                })
            }
            _ => Err(ChangeError::NoList { path: path.clone() }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paytable::builtin;

    fn path(text: &str) -> KeyPath {
        text.parse().expect("a path")
    }

    fn template(name: &str) -> Template {
        Template::of(&PaytableFile::load(name).expect("a built-in"))
    }

    fn changed(name: &str, changes: &[Change]) -> Result<PaytableFile, Faults> {
        let mut template = template(name);
        for change in changes {
            template.change(change).expect("a place");
        }
        template.paytable()
    }

    #[test]
    fn an_unchanged_tree_is_the_paytable() {
        for entry in builtin::ALL {
            let file = PaytableFile::load(entry.name).expect("a built-in");
            let again = Template::of(&file).paytable().expect("legal");
            assert_eq!(again.paytable, file.paytable, "{}", entry.name);
        }
    }

    /// The built-in paytables differ in just these keys, and in name and notes.
    #[test]
    fn built_in_paytables_are_changes_of_each_other() {
        let set = |key: &str, value| Change::Set(path(key), value);
        let floor = PaytableFile::load("pa-693-6-floor").expect("a built-in");
        let starts = template("pa-693-6-floor")
            .value(&path("starting_multipliers"))
            .expect("required")
            .clone();
        let used_up = Value::Boolean(true);
        for (name, changes) in [
            (
                "pa-693-6-net-zero",
                vec![
                    set("rules.eat_me.consumes_spin", used_up.clone()),
                    set("rules.drink_me.consumes_spin", used_up),
                ],
            ),
            (
                "pa-693-6-capped",
                vec![set("rules.max_meter", Value::Integer(500))],
            ),
            (
                "pa-693-6-floor",
                vec![set("starting_multipliers", starts.clone())],
            ),
        ] {
            let expected = PaytableFile::load(name).expect("a built-in").paytable;
            let found = changed("pa-693-6", &changes).expect("legal").paytable;
            assert_eq!(
                found.mathematics_sha256(),
                expected.mathematics_sha256(),
                "{name}"
            );
        }
        let uncapped = changed(
            "pa-693-6-capped",
            &[Change::Remove(path("rules.max_meter"))],
        );
        let plain = PaytableFile::load("pa-693-6").expect("a built-in").paytable;
        assert_eq!(
            uncapped.expect("legal").paytable.mathematics_sha256(),
            plain.mathematics_sha256()
        );
        assert_ne!(
            floor.paytable.mathematics_sha256(),
            plain.mathematics_sha256()
        );
    }

    #[test]
    fn items_of_lists_are_set_and_removed() {
        let shorter = changed(
            "pa-693-6",
            &[
                Change::Set(path("inner_wheel.sections[1]"), Value::Integer(7)),
                Change::Remove(path("inner_wheel.sections[0]")),
            ],
        )
        .expect("legal");
        let sections = &shorter.paytable.inner_wheel.sections;
        assert_eq!(sections.len(), 11);
        assert_eq!(sections[0], crate::rules::InnerSection::Multiplier(7));
    }

    #[test]
    fn tables_on_the_way_are_made() {
        let limited = changed(
            "pa-693-6",
            &[
                Change::Set(path("limits.max_win"), Value::Integer(1000)),
                Change::Set(
                    path("limits.stakes"),
                    Value::List(vec![Value::Integer(1), Value::Integer(10)]),
                ),
            ],
        )
        .expect("legal");
        let limits = limited.paytable.limits.clone().expect("limits");
        assert_eq!((limits.max_win, limits.stakes), (1000, vec![1, 10]));
    }

    #[test]
    fn a_fault_names_the_key_and_no_line() {
        let faults = changed(
            "pa-693-6",
            &[
                Change::Set(path("rules.multiplier_floor"), Value::Integer(0)),
                Change::Set(path("rules.flor"), Value::Integer(0)),
            ],
        )
        .expect_err("two faults");
        let keys: Vec<_> = faults.iter().map(|fault| fault.key.as_str()).collect();
        assert_eq!(keys, ["rules.flor", "rules.multiplier_floor"]);
        assert!(faults.iter().all(|fault| fault.line.is_none()));
    }

    #[test]
    fn a_way_that_leads_nowhere_is_refused() {
        let mut template = template("pa-693-6");
        for (place, message) in [
            ("name.of", "`name` is no table"),
            ("rules[1]", "`rules` is no list"),
            (
                "inner_wheel.sections[12]",
                "`inner_wheel.sections` has 12 items, found an index of 12",
            ),
        ] {
            let before = template.clone();
            let error = template
                .change(&Change::Set(path(place), Value::Integer(1)))
                .expect_err("no such place");
            assert_eq!(error.to_string(), message);
            assert_eq!(template, before);
            template
                .change(&Change::Remove(path(place)))
                .expect("nothing to do");
            assert_eq!(template, before);
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "a[",
            "a[]",
            "a[x]",
            "a[+1]",
            "a[1]b",
            "[1]",
            "a b",
            "\"a",
            "\"a\\n\"",
            "a]",
            "a[99999999999999999999]",
        ] {
            assert_eq!(
                text.parse::<KeyPath>(),
                Err(KeyPathError::Malformed),
                "{text}"
            );
        }
        assert_eq!(
            "a.".repeat(20).trim_end_matches('.').parse::<KeyPath>(),
            Err(KeyPathError::TooDeep)
        );
    }

    #[test]
    fn values_are_written_as_toml_writes_them() {
        let table: toml::Table = "a = { b = [1, \"x\\\"y\"], \"c d\" = true }"
            .parse()
            .expect("TOML");
        let value = Value::of_table(&table);
        assert_eq!(
            value.to_string(),
            r#"{ a = { b = [1, "x\"y"], "c d" = true } }"#
        );
        assert_eq!(Value::Text("1.5%".to_owned()).to_string(), "1.5%");
    }
}
