//! Values of a TOML text with their key paths, and how each kind is read.

use std::collections::HashMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::printable;
use crate::paytable::decimal::{Decimal, DecimalError};
use crate::paytable::findings::{Findings, clause_of};
use crate::paytable::range::IntegerRange;

/// The most characters of a found value that a fault repeats.
const EXCERPT: usize = 60;

/// A value and the key path that leads to it.
pub(crate) struct Node<'a> {
    pub(crate) path: String,
    pub(crate) value: &'a DeValue<'a>,
    span: Range<usize>,
}

/// A table whose keys are known to be legal.
pub(crate) struct Table<'a> {
    path: String,
    entries: &'a DeTable<'a>,
}

impl<'a> Table<'a> {
    /// The keys that the table has, in the order of their names.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.entries.keys().map(|key| key.get_ref().as_ref())
    }

    /// The path of a key of this table, whether or not it is there.
    pub(crate) fn path_of(&self, key: &str) -> String {
        join(&self.path, key)
    }
}

/// Reads values, and keeps the faults and the places.
pub(crate) struct Reader<'t> {
    text: &'t str,
    pub(crate) findings: Findings,
    locations: HashMap<String, usize>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            findings: Findings::default(),
            locations: HashMap::new(),
        }
    }

    pub(crate) fn into_parts(self) -> (Findings, HashMap<String, usize>) {
        (self.findings, self.locations)
    }

    /// The outermost table.
    pub(crate) fn root<'a>(&mut self, entries: &'a DeTable<'a>, legal: &[&str]) -> Table<'a> {
        self.table(String::new(), entries, legal, "")
    }

    /// The value as a table; keys other than `legal` are faults.
    pub(crate) fn open<'a>(&mut self, node: &Node<'a>, legal: &[&str]) -> Option<Table<'a>> {
        self.open_of(node, legal, "")
    }

    /// As [`open`](Self::open), for a table whose keys depend on the `kind` of thing it is.
    pub(crate) fn open_of<'a>(
        &mut self,
        node: &Node<'a>,
        legal: &[&str],
        kind: &str,
    ) -> Option<Table<'a>> {
        if let DeValue::Table(entries) = node.value {
            Some(self.table(node.path.clone(), entries, legal, kind))
        } else {
            self.mismatch(node, "a table");
            None
        }
    }

    fn table<'a>(
        &mut self,
        path: String,
        entries: &'a DeTable<'a>,
        legal: &[&str],
        kind: &str,
    ) -> Table<'a> {
        for key in entries.keys() {
            let name = key.get_ref().as_ref();
            if !legal.contains(&name) {
                self.unknown_key(&join(&path, name), key, legal, kind);
            }
        }
        Table { path, entries }
    }

    fn unknown_key(
        &mut self,
        path: &str,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        legal: &[&str],
        kind: &str,
    ) {
        let name = key.get_ref().as_ref();
        let names: Vec<_> = legal.iter().map(|key| format!("`{key}`")).collect();
        let names = names.join(", ");
        let name_text = excerpt(name);
        let mut message = format!("unknown key `{name_text}`{kind}, expected one of {names}");
        if let Some(close) = closest(name, legal) {
            message.push_str("; perhaps `");
            message.push_str(close);
            message.push_str("` is meant");
        }
        self.locations.insert(path.to_owned(), key.span().start);
        self.findings.push(
            path,
            Some(name_text),
            Some(format!("one of {names}")),
            None,
            message,
        );
    }

    /// The value of a key, if the table has it.
    pub(crate) fn optional<'a>(&mut self, table: &Table<'a>, key: &str) -> Option<Node<'a>> {
        let value = table.entries.get(key)?;
        Some(self.node(table.path_of(key), value))
    }

    /// The value of a key; its absence is a fault.
    pub(crate) fn required<'a>(&mut self, table: &Table<'a>, key: &str) -> Option<Node<'a>> {
        let node = self.optional(table, key);
        if node.is_none() {
            let place = if table.path.is_empty() {
                "the top level".to_owned()
            } else {
                format!("`{}`", table.path)
            };
            let path = table.path_of(key);
            let clause = clause_of(&path);
            let message = format!("required key `{key}` is missing from {place}");
            self.findings.push(&path, None, None, clause, message);
        }
        node
    }

    fn node<'a>(&mut self, path: String, value: &'a Spanned<DeValue<'a>>) -> Node<'a> {
        let span = value.span();
        self.locations.insert(path.clone(), span.start);
        Node {
            path,
            value: value.get_ref(),
            span,
        }
    }

    /// The items of a list.
    pub(crate) fn items<'a>(&mut self, node: Option<Node<'a>>, legal: &str) -> Vec<Node<'a>> {
        let Some(node) = node else {
            return Vec::new();
        };
        if let DeValue::Array(items) = node.value {
            items
                .iter()
                .enumerate()
                .map(|(index, item)| self.node(format!("{}[{index}]", node.path), item))
                .collect()
        } else {
            self.mismatch(&node, legal);
            Vec::new()
        }
    }

    /// An integer inside `range`, or the lowest of it as a stand-in.
    pub(crate) fn integer<T: TryFrom<i128>>(
        &mut self,
        node: Option<Node<'_>>,
        range: IntegerRange,
    ) -> T {
        let value = node.and_then(|node| self.integer_or(&node, range, ""));
        T::try_from(value.unwrap_or(range.lowest))
            .ok()
            .expect("a legal range fits the type that it is read into")
    }

    /// An integer inside `range`; `or` names what else is legal there.
    pub(crate) fn integer_or(
        &mut self,
        node: &Node<'_>,
        range: IntegerRange,
        or: &str,
    ) -> Option<i128> {
        let value = if let DeValue::Integer(digits) = node.value {
            // Digits that pass i128 pass every range as well.
            i128::from_str_radix(digits.as_str(), digits.radix()).ok()
        } else {
            None
        };
        let legal = value.filter(|&value| range.contains(value));
        if legal.is_none() {
            self.mismatch(node, &format!("{}{or}", range.legal()));
        }
        legal
    }

    /// Integers in a list, each inside `range`.
    pub(crate) fn integers<T: TryFrom<i128>>(
        &mut self,
        node: Option<Node<'_>>,
        range: IntegerRange,
    ) -> Vec<T> {
        self.items(node, "a list of integers")
            .into_iter()
            .map(|item| self.integer(Some(item), range))
            .collect()
    }

    /// A boolean, or `false` as a stand-in.
    pub(crate) fn boolean(&mut self, node: &Node<'_>) -> bool {
        if let DeValue::Boolean(value) = node.value {
            *value
        } else {
            self.mismatch(node, "`true` or `false`");
            false
        }
    }

    /// A text, line ends as `\n`, or a stand-in.
    pub(crate) fn text(&mut self, node: Option<Node<'_>>) -> String {
        let Some(node) = node else {
            return "stand-in".to_owned();
        };
        if let DeValue::String(text) = node.value {
            // A checkout may turn line ends; that must not make another paytable.
            text.replace("\r\n", "\n")
        } else {
            self.mismatch(&node, "a text in quotes");
            "stand-in".to_owned()
        }
    }

    /// One of a few words.
    pub(crate) fn word<T: Copy>(
        &mut self,
        node: Option<Node<'_>>,
        words: &[(&str, T)],
    ) -> Option<T> {
        let node = node?;
        let found = match node.value {
            DeValue::String(text) => words.iter().find(|(word, _)| *word == text.as_ref()),
            _ => None,
        };
        if found.is_none() {
            let names: Vec<_> = words
                .iter()
                .map(|(word, _)| format!("\"{word}\""))
                .collect();
            self.mismatch(&node, &format!("one of {}", names.join(", ")));
        }
        found.map(|&(_, value)| value)
    }

    /// A decimal as text; a bare number is told how to be written.
    pub(crate) fn decimal(&mut self, node: &Node<'_>) -> Option<Decimal> {
        match node.value {
            DeValue::String(text) => match text.parse::<Decimal>() {
                Ok(decimal) => return Some(decimal),
                Err(DecimalError::TooLong { digits }) => {
                    self.findings.mismatch(
                        &node.path,
                        format!("{digits} digits"),
                        format!("at most {} digits", Decimal::MAX_DIGITS),
                    );
                }
                Err(DecimalError::Malformed) => self.mismatch(node, Decimal::LEGAL_FORM),
            },
            DeValue::Float(_) | DeValue::Integer(_) => {
                let found = self.found(node);
                self.mismatch(
                    node,
                    &format!("a decimal as text: write \"{found}\" in quotes"),
                );
            }
            _ => self.mismatch(node, Decimal::LEGAL_FORM),
        }
        None
    }

    /// A fault of a value.
    pub(crate) fn mismatch(&mut self, node: &Node<'_>, legal: &str) {
        let found = self.found(node);
        self.findings.mismatch(&node.path, found, legal);
    }

    /// The value as it stands in the file, cut short.
    fn found(&self, node: &Node<'_>) -> String {
        match node.value {
            // The span of a table with a header is the header.
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            _ => excerpt(self.text.get(node.span.clone()).unwrap_or_default()),
        }
    }
}

/// The path of a key in a table, quoted where TOML would ask for it.
fn join(path: &str, key: &str) -> String {
    let is_bare = !key.is_empty()
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let key = if is_bare {
        excerpt(key)
    } else {
        format!("\"{}\"", excerpt(key).escape_debug())
    };
    if path.is_empty() {
        key
    } else {
        format!("{path}.{key}")
    }
}

fn excerpt(text: &str) -> String {
    let text = printable(text);
    if text.chars().count() <= EXCERPT {
        return text;
    }
    let mut cut: String = text.chars().take(EXCERPT).collect();
    cut.push_str("...");
    cut
}

/// Where a key stands, or the nearest table or list around it that does.
pub(super) fn offset_of(locations: &HashMap<String, usize>, key: &str) -> usize {
    let mut path = key;
    loop {
        if let Some(&offset) = locations.get(path) {
            return offset;
        }
        match path.rfind(['.', '[']) {
            Some(end) => path = &path[..end],
            None => return 0,
        }
    }
}

/// The legal key that `key` probably stands for: at most two letters changed, added or
/// left out, and fewer than half of them.
fn closest<'k>(key: &str, legal: &[&'k str]) -> Option<&'k str> {
    if key.len() > EXCERPT {
        return None;
    }
    legal
        .iter()
        .map(|&candidate| (distance(key, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= 2 && 2 * distance < candidate.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, by the usual table of which one row is kept.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_recognised() {
        let legal = ["sections", "weights", "of"];
        assert_eq!(closest("wieghts", &legal), Some("weights"));
        assert_eq!(closest("section", &legal), Some("sections"));
        assert_eq!(closest("colours", &legal), None);
        assert_eq!(closest("on", &legal), None);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn keys_are_quoted_where_toml_asks_for_it() {
        assert_eq!(join("", "name"), "name");
        assert_eq!(
            join("disclosure", "5319.47(a)(1)"),
            "disclosure.\"5319.47(a)(1)\""
        );
        assert_eq!(join("a", ""), "a.\"\"");
    }
}
