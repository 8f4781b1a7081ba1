//! What is wrong with a paytable, said so that its author can mend it.

use std::fmt;

use crate::rules::Clause;

/// One fault: where it is, what was found and what is legal there.
///
/// # Examples
/// ```
/// use wonderspins::paytable::{PaytableError, PaytableFile};
///
/// let text = "schema = 1\nname = \"\"\n";
/// let Err(PaytableError::Faults(faults)) = PaytableFile::parse("pa.toml", text) else {
///     panic!("an empty name and no wheels");
/// };
/// let name = faults.iter().find(|fault| fault.key == "name").expect("a fault of `name`");
/// assert_eq!(name.line, Some(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file, where the paytable came from one.
    pub file: Option<String>,
    /// The line in that file, from 1.
    pub line: Option<usize>,
    /// The column in that line, in characters, from 1.
    pub column: Option<usize>,
    /// The dotted path of the key, for example `outer_wheel.sections[12]`, list items
    /// from 0; empty where the fault belongs to no key.
    pub key: String,
    /// The value found, as text.
    pub found: Option<String>,
    /// What is legal there, ranges in interval notation.
    pub legal: Option<String>,
    /// The clause that the key carries out.
    pub clause: Option<Clause>,
    /// The whole statement, without place, key and clause.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            f.write_str(" ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)?;
        if let Some(clause) = self.clause {
            write!(f, " ({clause})")?;
        }
        Ok(())
    }
}

/// All faults of a paytable, at least one, in the order of the file's lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// The faults in their order, or `None` where there is none.
    pub(super) fn new(faults: Vec<Fault>) -> Option<Self> {
        (!faults.is_empty()).then_some(Self(faults))
    }

    /// The faults in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.0.iter()
    }

    /// The faults in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Fault] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a Faults {
    type Item = &'a Fault;
    type IntoIter = std::slice::Iter<'a, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Faults {
    /// One line for each fault.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}
