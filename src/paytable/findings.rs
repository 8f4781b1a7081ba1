//! Collects faults while a paytable is read and checked.
//!
//! The reader goes on after a fault with a legal stand-in, so that one run reports
//! everything. What is checked afterwards must not accuse the stand-in: it asks here
//! whether the keys that it depends on were read as they stand.

use std::collections::BTreeSet;

use super::fault::Fault;
use super::range::IntegerRange;
use crate::rules::Clause;

/// The faults so far, and which keys they touch.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    faults: Vec<Fault>,
    keys: BTreeSet<String>,
}

impl Findings {
    /// A value that is not what it must be: "found .., expected ..".
    pub(crate) fn mismatch(
        &mut self,
        key: &str,
        found: impl Into<String>,
        legal: impl Into<String>,
    ) {
        let (found, legal) = (found.into(), legal.into());
        let message = format!("found {found}, expected {legal}");
        self.push(key, Some(found), Some(legal), clause_of(key), message);
    }

    /// An integer outside its range; whether it is inside.
    pub(crate) fn in_range(&mut self, key: &str, value: i128, range: IntegerRange) -> bool {
        let is_legal = range.contains(value);
        if !is_legal {
            self.mismatch(key, value.to_string(), range.legal());
        }
        is_legal
    }

    /// Any other fault. A key is accused once: what follows from its first fault, or
    /// from the stand-in that replaced it, would only hide the cause.
    pub(crate) fn push(
        &mut self,
        key: &str,
        found: Option<String>,
        legal: Option<String>,
        clause: Option<Clause>,
        message: String,
    ) {
        if key.is_empty() || self.keys.insert(key.to_owned()) {
            self.faults.push(Fault {
                file: None,
                line: None,
                column: None,
                key: key.to_owned(),
                found,
                legal,
                clause,
                message,
            });
        }
    }

    /// Whether the value at `key` is there and has its form; an item of it may have a
    /// fault of its own.
    pub(crate) fn has_form(&self, key: &str) -> bool {
        !self.keys.contains(key)
            && key
                .match_indices(['.', '['])
                .all(|(end, _)| !self.keys.contains(&key[..end]))
    }

    /// Whether no fault touches `key` or anything in it.
    pub(crate) fn is_sound(&self, key: &str) -> bool {
        self.has_form(key) && [".", "["].iter().all(|end| !self.has_key_from(key, end))
    }

    fn has_key_from(&self, key: &str, end: &str) -> bool {
        let prefix = format!("{key}{end}");
        self.keys
            .range(prefix.clone()..)
            .next()
            .is_some_and(|next| next.starts_with(&prefix))
    }

    pub(crate) fn into_faults(self) -> Vec<Fault> {
        self.faults
    }
}

/// The clause that a key carries out, if it carries out one.
pub(crate) fn clause_of(key: &str) -> Option<Clause> {
    const CLAUSES: [(&str, Clause); 17] = [
        ("inner_wheel.weights", Clause::B1),
        ("inner_wheel", Clause::B3),
        ("outer_wheel.weights", Clause::C6),
        ("outer_wheel", Clause::C5),
        ("starting_multipliers", Clause::E),
        ("boost", Clause::F2I),
        ("rules.eat_me", Clause::F4III),
        ("rules.drink_me", Clause::F4IV),
        ("rules.additional_spin", Clause::F2II),
        ("rules.multiplier_floor", Clause::F4IV),
        ("payout", Clause::G),
        ("triggers.2.starting_multipliers", Clause::E),
        ("triggers.5.starting_multipliers", Clause::E),
        ("triggers.2.other_return", Clause::NY_A8),
        ("triggers.5.other_return", Clause::NY_A8),
        ("triggers.2", Clause::D1),
        ("triggers.5", Clause::D2),
    ];
    // The first that fits is the most special one: the table lists a key before its table.
    CLAUSES
        .into_iter()
        .find(|(prefix, _)| {
            key.strip_prefix(prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
        .map(|(_, clause)| clause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_spoils_its_own_branch_only() {
        let mut findings = Findings::default();
        findings.mismatch("outer_wheel.weights[3]", "0", "1");
        findings.mismatch("rules.eat_me", "7", "a table");
        findings.mismatch("inner_wheel.weight", "7", "nothing");
        assert!(!findings.is_sound("outer_wheel"));
        assert!(!findings.is_sound("outer_wheel.weights"));
        assert!(findings.has_form("outer_wheel.weights"));
        assert!(findings.is_sound("outer_wheel.sections"));
        assert!(!findings.has_form("rules.eat_me.spins"));
        assert!(findings.is_sound("rules.eat_me_too"));
        assert!(findings.is_sound("inner_wheel.weights"));
        assert!(findings.is_sound("outer_wheel.weights[33]"));
    }

    #[test]
    fn a_key_is_accused_once() {
        let mut findings = Findings::default();
        findings.mismatch("name", "1", "a text");
        findings.mismatch("name", "2", "a text");
        assert_eq!(findings.into_faults().len(), 1);
    }

    #[test]
    fn the_most_special_clause_is_cited() {
        let cases = [
            ("outer_wheel.weights[3]", "693.6(c)(6)"),
            ("outer_wheel.sections[3]", "693.6(c)(5)"),
            ("triggers.5.spins", "693.6(d)(2)"),
            ("triggers.5.starting_multipliers.law", "693.6(e)"),
            ("triggers.2.other_return", "5319.47(a)(8)"),
        ];
        for (key, citation) in cases {
            let clause = clause_of(key).expect("a clause");
            assert_eq!(clause.citation(), citation, "{key}");
        }
        assert_eq!(clause_of("name"), None);
        assert_eq!(clause_of("outer_wheels"), None);
    }
}
