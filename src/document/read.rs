//! Reading `certificate.json`, strictly: what the program would not have written is refused.
//!
//! A certificate has one legal byte form. A key that this version does not know, a number
//! in another notation or another indentation would be lost when a report is
//! rebuilt, so each is an error that names the place.

use serde_json::Value;
use thiserror::Error;

use super::{Certificate, DetailJson, to_json};

/// Why a text is no certificate that this version can read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The text is not JSON, or ends early.
    #[error("line {}, column {}: not a complete JSON document", .0.line(), .0.column())]
    Json(#[source] serde_json::Error),
    /// The document is of another kind or version.
    #[error("`schema` is {found}, expected \"{expected}\"")]
    Schema {
        /// What the document says, as JSON.
        found: String,
        /// What this version reads.
        expected: &'static str,
    },
    /// A key is missing, or its value is of another kind.
    #[error("line {line}, column {column}: `{key}`: {message}")]
    Key {
        /// Path of the key.
        key: String,
        /// What is wrong with it.
        message: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// A key that this version does not know.
    #[error("line {line}, column {column}: unknown key `{key}`")]
    UnknownKey {
        /// Path of the key.
        key: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// A count or a sum that is no decimal integer of its range.
    #[error("`{key}` is \"{found}\", expected a decimal integer")]
    Number {
        /// Path of the key.
        key: String,
        /// The text found.
        found: String,
    },
    /// Parts of the document are of different triggers.
    #[error("`{key}` has the triggers {found:?}, expected {expected:?}")]
    Triggers {
        /// Path of the key.
        key: &'static str,
        /// Triggers of the part.
        found: Vec<u32>,
        /// Triggers of the certificate.
        expected: Vec<u32>,
    },
    /// The same content in another form.
    #[error("line {line}, column {column}: not in the one form that a certificate has")]
    Form {
        /// Line of the first difference, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
    },
}

impl Certificate {
    /// The schema of this version.
    pub const SCHEMA: &'static str = "wonderspins/certificate/1";

    /// Reads the text of a `certificate.json`.
    ///
    /// Form and content of the document are judged, not its truth: no hash is recomputed.
    ///
    /// # Errors
    /// [`CertificateError`] names the first fault with its place.
    pub fn read(text: &str) -> Result<Self, CertificateError> {
        let value: Value = serde_json::from_str(text).map_err(CertificateError::Json)?;
        if value["schema"] != Self::SCHEMA {
            return Err(CertificateError::Schema {
                found: value
                    .get("schema")
                    .map_or("missing".to_owned(), Value::to_string),
                expected: Self::SCHEMA,
            });
        }
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let certificate: Self =
            serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
                let key = error.path().to_string();
                let inner = error.into_inner();
                let place = format!(" at line {} column {}", inner.line(), inner.column());
                CertificateError::Key {
                    key,
                    message: inner.to_string().replace(&place, ""),
                    line: inner.line(),
                    column: inner.column(),
                }
            })?;
        let form = to_json(&certificate);
        if form != text {
            let (line, column) = first_difference(&form, text);
            let known: Value = serde_json::from_str(&form).map_err(CertificateError::Json)?;
            return Err(match unknown_key(&value, &known, "") {
                Some(key) => CertificateError::UnknownKey { key, line, column },
                None => CertificateError::Form { line, column },
            });
        }
        certificate.check_numbers()?;
        certificate.check_triggers()?;
        Ok(certificate)
    }

    /// Every count that reports calculate with.
    fn check_numbers(&self) -> Result<(), CertificateError> {
        for (index, trigger) in self.simulated.triggers.iter().enumerate() {
            let key = format!("simulated.triggers[{index}]");
            for (at, entry) in trigger.histogram.iter().enumerate() {
                whole(&entry.rounds, || format!("{key}.histogram[{at}].rounds"))?;
            }
            for (at, entry) in trigger.spins_histogram.iter().enumerate() {
                whole(&entry.rounds, || {
                    format!("{key}.spins_histogram[{at}].rounds")
                })?;
            }
            if let Some(detail) = &trigger.detail {
                check_detail(detail, &format!("{key}.detail"))?;
            }
        }
        for (index, commitment) in self.commitments.iter().enumerate() {
            for (at, point) in commitment.convergence.iter().enumerate() {
                signed(&point.sum_meter, || {
                    format!("commitments[{index}].convergence[{at}].sum_meter")
                })?;
            }
        }
        Ok(())
    }

    fn check_triggers(&self) -> Result<(), CertificateError> {
        let expected: Vec<u32> = self.triggers.iter().map(|entry| entry.trigger).collect();
        let exact = self
            .exact
            .triggers
            .iter()
            .map(|entry| entry.trigger)
            .collect();
        let simulated = self
            .simulated
            .triggers
            .iter()
            .map(|entry| entry.trigger)
            .collect();
        for (key, found) in [("exact.triggers", exact), ("simulated.triggers", simulated)] {
            if found != expected {
                return Err(CertificateError::Triggers {
                    key,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }
}

fn check_detail(detail: &DetailJson, key: &str) -> Result<(), CertificateError> {
    for (index, entry) in detail.character.iter().enumerate() {
        signed(&entry.sum_meter, || {
            format!("{key}.character[{index}].sum_meter")
        })?;
    }
    for (index, entry) in detail.source.iter().enumerate() {
        signed(&entry.sum, || format!("{key}.source[{index}].sum"))?;
    }
    for (index, spin) in detail.spins.iter().enumerate() {
        whole(&spin.played, || format!("{key}.spins[{index}].played"))?;
        for (name, counts) in [
            ("inner", &spin.inner),
            ("selected", &spin.selected),
            ("outer", &spin.outer),
        ] {
            for (at, count) in counts.iter().enumerate() {
                whole(count, || format!("{key}.spins[{index}].{name}[{at}]"))?;
            }
        }
    }
    Ok(())
}

fn whole(text: &str, key: impl Fn() -> String) -> Result<(), CertificateError> {
    is_number(text.parse::<u64>().is_ok(), text, key)
}

fn signed(text: &str, key: impl Fn() -> String) -> Result<(), CertificateError> {
    is_number(text.parse::<i128>().is_ok(), text, key)
}

fn is_number(is_one: bool, text: &str, key: impl Fn() -> String) -> Result<(), CertificateError> {
    if is_one {
        Ok(())
    } else {
        Err(CertificateError::Number {
            key: key(),
            found: text.to_owned(),
        })
    }
}

/// Line and column, from 1, of the first character of `text` that is not that of `form`.
fn first_difference(form: &str, text: &str) -> (usize, usize) {
    let (mut line, mut column) = (1, 1);
    let mut expected = form.chars();
    for found in text.chars() {
        if expected.next() != Some(found) {
            break;
        }
        if found == '\n' {
            line += 1;
            column = 1;
        } else {
            column += 1;
        }
    }
    (line, column)
}

/// The path of a key of `found` that `known` has not at the same place.
fn unknown_key(found: &Value, known: &Value, path: &str) -> Option<String> {
    match (found, known) {
        (Value::Object(found), Value::Object(known)) => found.iter().find_map(|(key, value)| {
            let path = if path.is_empty() {
                key.clone()
            } else {
                format!("{path}.{key}")
            };
            match known.get(key) {
                Some(known) => unknown_key(value, known, &path),
                None => Some(path),
            }
        }),
        (Value::Array(found), Value::Array(known)) => {
            found
                .iter()
                .zip(known)
                .enumerate()
                .find_map(|(index, (found, known))| {
                    unknown_key(found, known, &format!("{path}[{index}]"))
                })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_has_a_place() {
        assert_eq!(first_difference("a\nbc\n", "a\nbd\n"), (2, 2));
        assert_eq!(first_difference("ab", "abc"), (1, 3));
        assert_eq!(first_difference("abc", "ab"), (1, 3));
    }

    #[test]
    fn unknown_keys_are_found_at_any_depth() {
        let found = serde_json::json!({"a": [{"b": 1}, {"b": 1, "c": 2}]});
        let known = serde_json::json!({"a": [{"b": 1}, {"b": 1}]});
        assert_eq!(unknown_key(&found, &known, "").as_deref(), Some("a[1].c"));
        assert_eq!(unknown_key(&known, &known, ""), None);
    }
}
