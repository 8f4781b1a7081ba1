//! A wheel's clockwise order against a required one.

use std::fmt::Display;

/// What differs between a found and a required clockwise order, in words; `None` where the
/// two lists are equal.
///
/// The first difference is named by its position from 1. A list that is the required one
/// begun elsewhere, or read counter-clockwise, is named as such: it has the same counts,
/// and rotated the same neighbours, and still is not the order that the text lists.
pub(super) fn difference<S: Copy + Eq + Display>(found: &[S], required: &[S]) -> Option<String> {
    if found == required {
        return None;
    }
    let position = found
        .iter()
        .zip(required)
        .position(|(have, want)| have != want)
        .unwrap_or_else(|| found.len().min(required.len()));
    let name = |section: Option<&S>| {
        section.map_or_else(|| "no section".to_owned(), |section| format!("`{section}`"))
    };
    let mut parts = vec![format!(
        "position {}: expected {}, found {}",
        position + 1,
        name(required.get(position)),
        name(found.get(position)),
    )];
    let mirrored: Vec<S> = required.iter().rev().copied().collect();
    if found.len() != required.len() {
        let lengths = format!("{} sections, expected {}", found.len(), required.len());
        parts.insert(0, lengths);
    } else if let Some(shift) = rotation(found, required) {
        parts.push(format!(
            "same cyclic order, rotated by {shift} section{} (section 1 here is section {} of the \
             required order): the same probabilities, not the order required",
            if shift == 1 { "" } else { "s" },
            shift + 1
        ));
    } else if let Some(shift) = rotation(found, &mirrored) {
        let turned = match shift {
            0 => String::new(),
            1 => ", rotated by 1 section".to_owned(),
            _ => format!(", rotated by {shift} sections"),
        };
        parts.push(format!(
            "mirror image{turned}: the required order read counter-clockwise from its section {}, the \
             same probabilities, not the order required",
            required.len() - shift
        ));
    }
    Some(parts.join("; "))
}

/// The smallest shift s with `found[i] == required[i + s]`, cyclically.
fn rotation<S: Eq>(found: &[S], required: &[S]) -> Option<usize> {
    let n = required.len();
    (0..n).find(|&shift| (0..n).all(|i| found[i] == required[(i + shift) % n]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_differs() {
        let required = [1, 1, 2, 3, 4];
        assert_eq!(difference(&required, &required), None);
        for (found, expected) in [
            (
                vec![1, 1, 3, 2, 4],
                vec!["position 3: expected `2`, found `3`"],
            ),
            (
                vec![3, 4, 1, 1, 2],
                vec![
                    "position 1: expected `1`, found `3`",
                    "rotated by 3 sections",
                    "is section 4 of",
                ],
            ),
            (
                vec![4, 3, 2, 1, 1],
                vec![
                    "mirror image: the required order read counter-clockwise from its section 5,",
                    "the same probabilities, not the order required",
                ],
            ),
            // Counter-clockwise from the second of the ones: 1, 1, 4, 3, 2.
            (
                vec![1, 1, 4, 3, 2],
                vec![
                    "mirror image, rotated by 3 sections: ",
                    "from its section 2,",
                ],
            ),
            (
                vec![3, 2, 1, 1, 4],
                vec![
                    "mirror image, rotated by 1 section: ",
                    "from its section 4,",
                ],
            ),
            (
                vec![1, 1, 2, 3],
                vec![
                    "4 sections, expected 5",
                    "position 5: expected `4`, found no section",
                ],
            ),
            (
                vec![1, 1, 2, 3, 4, 4],
                vec![
                    "6 sections, expected 5",
                    "position 6: expected no section, found `4`",
                ],
            ),
            (vec![], vec!["0 sections", "position 1"]),
        ] {
            let text = difference(&found, &required).unwrap();
            for part in expected {
                assert!(text.contains(part), "{text}");
            }
        }
        let swapped = difference(&[1, 2, 1, 3, 4], &required).unwrap();
        assert!(!swapped.contains("rotated") && !swapped.contains("mirror"));
    }

    #[test]
    fn a_palindrome_counts_as_a_rotation() {
        let text = difference(&[2, 1, 1], &[1, 2, 1]).unwrap();
        assert!(text.contains("rotated by 1 section ("), "{text}");
    }
}
