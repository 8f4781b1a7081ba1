//! What is known of each clause beside its verdict: what it asks, how it is decided, which
//! code carries it and which tests hold it.
//!
//! The judges take `asks` from here, so that a finding and its explanation cannot part.
//!
//! | file | holds |
//! | --- | --- |
//! | `pa_693_6`, `ny_5319_47` | the rows of the two texts |
//! | `clauses.txt` | every numbered clause of the texts, and which row it is judged with |

mod ny_5319_47;
mod pa_693_6;

use std::cmp::Reverse;

use thiserror::Error;

use crate::rules::Clause;

/// Every numbered clause of the texts.
const CLAUSES: &str = include_str!("clauses.txt");

/// Near clauses that a fault names, at most.
const MOST_NEAR: usize = 5;

/// One clause and everything that is said of it apart from a paytable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The clause.
    pub clause: Clause,
    /// What it asks, in short and in our own words.
    pub asks: &'static str,
    /// How it is decided.
    pub decided: &'static str,
    /// The modules of this library that carry it, as paths below the crate.
    pub carried_by: &'static [&'static str],
    /// The test functions that hold it.
    pub tests: &'static [&'static str],
    /// The keys of a paytable file that it reads; none where no key matters.
    pub keys: &'static [&'static str],
    /// Readings of the text that the decision rests on.
    pub readings: &'static [&'static str],
}

/// A clause of the texts as somebody may cite it, and the rows that it is judged with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The citation in the form of the texts' numbering.
    pub citation: &'static str,
    /// Why it has no row of its own; `None` where it has one.
    pub folds: Option<&'static str>,
    /// Its row, or those that it is judged with.
    pub rows: Vec<&'static Row>,
}

/// No clause of the two texts has such a number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{citation}` is no clause of 58 Pa. Code 693.6 or 9 NYCRR 5319.47{}", self.near())]
pub struct UnknownClause {
    /// What was asked for.
    pub citation: String,
    /// Clauses with a number like it.
    pub near: Vec<&'static str>,
}

impl UnknownClause {
    fn near(&self) -> String {
        if self.near.is_empty() {
            String::new()
        } else {
            format!("; near it are {}", self.near.join(", "))
        }
    }
}

/// All rows in the order of the texts.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    pa_693_6::ROWS.iter().chain(&ny_5319_47::ROWS)
}

/// The row of a clause.
///
/// # Panics
/// Never: every clause has one, which a test proves.
#[must_use]
pub fn row(clause: Clause) -> &'static Row {
    rows()
        .find(|row| row.clause == clause)
        .expect("every clause has a row")
}

/// Looks a citation up: with or without the name of the code, a section sign, spaces or the
/// case of letters.
///
/// # Errors
/// [`UnknownClause`]: with the clauses whose numbers are nearest
///
/// # Examples
/// ```
/// use wonderspins::regulation::look_up;
///
/// let cited = look_up("58 Pa. Code § 693.6(f)(4)(iv)")?;
/// assert_eq!(cited.rows[0].clause.citation(), "693.6(f)(4)(iv)");
/// assert!(look_up("693.6(f)(4)(v)").is_err());
/// # Ok::<(), wonderspins::regulation::UnknownClause>(())
/// ```
pub fn look_up(citation: &str) -> Result<Cited, UnknownClause> {
    let wanted = plain(citation);
    if let Some(entry) = entries().find(|entry| entry.citation == wanted) {
        return Ok(entry.cited());
    }
    // The longer the part that is alike the nearer, then the shorter what differs.
    let mut near: Vec<(Reverse<usize>, usize, &str)> = entries()
        .map(|entry| (shared(entry.citation, &wanted), entry.citation))
        .filter(|&(common, _)| common >= "693.6(".len())
        .map(|(common, citation)| {
            let other = citation.len() + wanted.len() - 2 * common;
            (Reverse(common), other, citation)
        })
        .collect();
    near.sort_by_key(|&(common, other, _)| (common, other));
    Err(UnknownClause {
        citation: citation.trim().to_owned(),
        near: near
            .into_iter()
            .take(MOST_NEAR)
            .map(|(_, _, citation)| citation)
            .collect(),
    })
}

/// The number alone: no spaces, lower case, from the number of the section on.
fn plain(citation: &str) -> String {
    let text: String = citation
        .chars()
        .filter(|character| !character.is_whitespace())
        .collect::<String>()
        .to_lowercase();
    ["693.6", "5319.47"]
        .into_iter()
        .find_map(|section| text.find(section).map(|start| text[start..].to_owned()))
        .unwrap_or(text)
}

/// Bytes that two texts begin with alike.
fn shared(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// A line of the list.
struct Entry {
    citation: &'static str,
    /// Citations of the rows that it is judged with, and why.
    folds: Option<(&'static str, &'static str)>,
}

impl Entry {
    fn targets(&self) -> impl Iterator<Item = &'static str> {
        self.folds
            .map_or(self.citation, |(targets, _)| targets)
            .split_whitespace()
    }

    fn cited(&self) -> Cited {
        let rows = self
            .targets()
            .filter_map(|target| rows().find(|row| row.clause.citation() == target))
            .collect();
        Cited {
            citation: self.citation,
            folds: self.folds.map(|(_, why)| why),
            rows,
        }
    }
}

/// The lines of the list.
fn entries() -> impl Iterator<Item = Entry> {
    CLAUSES
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| match line.split_once(" -> ") {
            None => Entry {
                citation: line,
                folds: None,
            },
            Some((citation, rest)) => Entry {
                citation,
                folds: rest.split_once(": ").or(Some((rest, ""))),
            },
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::rules::{NY_5319_47, PA_693_6};

    /// The list against the rows, both ways. The numbers of clauses are counted from the
    /// texts: 693.6 has 1 + 4 + 13 + 3 + 1 + 14 + 1 under its letters (a) to (g), 5319.47 has
    /// (a) with nine and (b) with three.
    #[test]
    fn every_clause_of_the_texts_has_its_row() {
        let listed: Vec<Entry> = entries().collect();
        let of = |section: &str| {
            listed
                .iter()
                .filter(|entry| entry.citation.starts_with(section))
                .count()
        };
        assert_eq!((of("693.6("), of("5319.47(")), (37, 14));
        assert_eq!(listed.len(), 37 + 14);
        let alone: Vec<&str> = listed
            .iter()
            .filter(|entry| entry.folds.is_none())
            .map(|entry| entry.citation)
            .collect();
        let of_rows: Vec<&str> = rows().map(|row| row.clause.citation()).collect();
        assert_eq!(
            alone, of_rows,
            "clauses without a row, or rows without a clause"
        );
        let of_rules: Vec<&str> = PA_693_6
            .iter()
            .chain(&NY_5319_47)
            .map(|clause| clause.citation())
            .collect();
        assert_eq!(of_rows, of_rules);
        for entry in &listed {
            for target in entry.targets() {
                assert!(of_rows.contains(&target), "{} -> {target}", entry.citation);
            }
            assert!(entry.folds.is_none_or(|(_, why)| !why.is_empty()));
        }
    }

    /// A numbering has no gaps: (iii) stands after (ii), and every part below its whole.
    #[test]
    fn the_list_is_numbered_like_a_text() {
        const ROMAN: [&str; 6] = ["i", "ii", "iii", "iv", "v", "vi"];
        let listed: BTreeSet<&str> = entries().map(|entry| entry.citation).collect();
        for citation in &listed {
            let (parent, last) = citation.rsplit_once('(').unwrap();
            let last = last.strip_suffix(')').unwrap();
            let whole = parent.ends_with(')');
            assert!(
                !whole || listed.contains(parent),
                "{citation} without {parent}"
            );
            let level = parent.matches('(').count();
            let before = match level {
                0 => last
                    .chars()
                    .next()
                    .filter(|&letter| letter > 'a')
                    .map(|letter| char::from_u32(u32::from(letter) - 1).unwrap().to_string()),
                1 => last
                    .parse::<u32>()
                    .ok()
                    .filter(|&number| number > 1)
                    .map(|number| (number - 1).to_string()),
                _ => {
                    let at = ROMAN.iter().position(|&roman| roman == last).unwrap();
                    at.checked_sub(1).map(|at| ROMAN[at].to_owned())
                }
            };
            if let Some(before) = before {
                let before = format!("{parent}({before})");
                assert!(
                    listed.contains(before.as_str()),
                    "{citation} without {before}"
                );
            }
        }
    }

    fn sources(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, text);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }

    #[test]
    fn modules_and_tests_named_in_a_row_exist() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let mut text = String::new();
        sources(&root.join("src"), &mut text);
        sources(&root.join("tests"), &mut text);
        for row in rows() {
            assert!(
                !row.carried_by.is_empty() && !row.tests.is_empty(),
                "{}",
                row.clause
            );
            for module in row.carried_by {
                let path = root.join("src").join(module.replace("::", "/"));
                assert!(
                    path.with_extension("rs").is_file() || path.join("mod.rs").is_file(),
                    "{}: no module `{module}`",
                    row.clause
                );
            }
            for test in row.tests {
                let count = text.matches(&format!("fn {test}(")).count();
                assert!(count > 0, "{}: no test `{test}`", row.clause);
            }
        }
    }

    /// A key that is named is one that the reader of files knows.
    #[test]
    fn keys_named_in_a_row_are_keys_of_a_paytable() {
        let mut text = String::new();
        sources(
            &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/paytable"),
            &mut text,
        );
        for row in rows() {
            for key in row.keys {
                let last = if key.ends_with('"') {
                    key.trim_end_matches('"').rsplit('"').next().unwrap()
                } else {
                    key.rsplit('.').next().unwrap()
                };
                assert!(
                    text.contains(&format!("\"{last}\"")),
                    "{}: `{key}`",
                    row.clause
                );
            }
        }
    }

    #[test]
    fn a_citation_is_found_however_it_is_written() {
        for text in [
            "693.6(f)(4)(iv)",
            "58 Pa. Code 693.6(f)(4)(iv)",
            "58 Pa. Code § 693.6 (f)(4)(iv)",
            "693.6(F)(4)(IV)",
        ] {
            assert_eq!(
                look_up(text).unwrap().rows[0].clause,
                Clause::F4IV,
                "{text}"
            );
        }
        let folded = look_up("693.6(c)(1)(iii)").unwrap();
        assert_eq!(folded.rows[0].clause, Clause::C1);
        assert!(folded.folds.unwrap().contains("Crown"));
        assert_eq!(look_up("693.6(f)(4)").unwrap().rows.len(), 4);
        assert_eq!(
            look_up("9 NYCRR 5319.47(b)").unwrap().rows[0].clause,
            Clause::NY_B
        );
    }

    #[test]
    fn an_unknown_clause_names_its_neighbours() {
        let fault = look_up("693.6(f)(4)(v)").unwrap_err();
        assert!(fault.near.contains(&"693.6(f)(4)(iv)"), "{fault}");
        assert!(
            fault
                .near
                .iter()
                .all(|near| near.starts_with("693.6(f)(4)")),
            "{fault}"
        );
        let other = look_up("5319.47(c)").unwrap_err();
        assert!(
            other.near.iter().all(|near| near.starts_with("5319.47")),
            "{other}"
        );
        for text in ["", "nonsense", "461a.7"] {
            assert!(look_up(text).unwrap_err().near.is_empty(), "{text}");
        }
    }
}
