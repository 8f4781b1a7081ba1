//! Two documents, value by value.

use serde::Serialize;
use serde_json::Value;

/// Longest value that is quoted, in characters.
const LONGEST_QUOTED: usize = 60;

/// Where two documents differ, each place with both values; none where they are equal.
pub(super) fn differences<T: Serialize>(stated: &T, computed: &T) -> Vec<String> {
    let value = |document: &T| serde_json::to_value(document).expect("documents are JSON");
    let mut found = Vec::new();
    walk(
        &mut String::new(),
        &value(stated),
        &value(computed),
        &mut found,
    );
    found
}

fn walk(path: &mut String, stated: &Value, computed: &Value, found: &mut Vec<String>) {
    let length = path.len();
    match (stated, computed) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a {
                path.push_str(&format!("{}{key}", if length == 0 { "" } else { "." }));
                match b.get(key) {
                    Some(other) => walk(path, value, other, found),
                    None => found.push(format!("`{path}` is not computed anew")),
                }
                path.truncate(length);
            }
            for key in b.keys().filter(|key| !a.contains_key(*key)) {
                let dot = if length == 0 { "" } else { "." };
                found.push(format!("`{path}{dot}{key}` is missing"));
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for (index, (value, other)) in a.iter().zip(b).enumerate() {
                path.push_str(&format!("[{index}]"));
                walk(path, value, other, found);
                path.truncate(length);
            }
            if a.len() != b.len() {
                found.push(format!(
                    "`{path}` has {} entries, computed anew {}",
                    a.len(),
                    b.len()
                ));
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(format!(
            "`{path}` is {}, computed anew {}",
            quoted(a),
            quoted(b)
        )),
    }
}

fn quoted(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= LONGEST_QUOTED {
        text
    } else {
        let start: String = text.chars().take(LONGEST_QUOTED - 3).collect();
        format!("{start}...")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::differences;

    #[test]
    fn every_difference_has_its_place() {
        let stated = json!({"a": {"b": [1, 2]}, "c": 1, "e": "x", "g": [1]});
        let computed = json!({"a": {"b": [1, 3]}, "d": 1, "e": "y", "g": [1, 2]});
        assert_eq!(
            differences(&stated, &computed),
            [
                "`a.b[1]` is 2, computed anew 3",
                "`c` is not computed anew",
                "`e` is \"x\", computed anew \"y\"",
                "`g` has 1 entries, computed anew 2",
                "`d` is missing",
            ]
        );
        assert!(differences(&stated, &stated).is_empty());
    }
}
