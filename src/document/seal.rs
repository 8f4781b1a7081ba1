//! A document that states its own hash.
//!
//! `self_sha256`, a key at the top of the document, holds the SHA-256 of the whole text
//! with 64 zeros in the place of its value: `sed` and `sha256sum` can check it.

use sha2::{Digest as _, Sha256};

use crate::paytable::hex;

/// How the key begins in the one form that documents have; a text inside of a document
/// cannot hold a line feed.
const KEY: &str = "\n  \"self_sha256\": \"";

/// The hash that a text states and the one it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal<'a> {
    /// The value of `self_sha256`.
    pub stated: &'a str,
    /// What it should be, 64 lower-case hexadecimal digits.
    pub found: String,
}

impl<'a> Seal<'a> {
    /// The seal of a document; `None` where it states no hash.
    #[must_use]
    pub fn of(text: &'a str) -> Option<Self> {
        let start = text.find(KEY)? + KEY.len();
        let (stated, after) = text[start..].split_once('"')?;
        let hash = Sha256::new()
            .chain_update(&text[..start])
            .chain_update([b'0'; 64])
            .chain_update(b"\"")
            .chain_update(after)
            .finalize();
        let found = hex(&hash);
        Some(Self { stated, found })
    }

    /// Whether both are the same.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.stated == self.found
    }
}

/// A document whose `self_sha256` is empty, with its hash in place.
///
/// # Panics
/// Where the text has no such key.
#[must_use]
pub fn with_seal(mut text: String) -> String {
    let hash = Seal::of(&text).expect("the document has the key").found;
    let start = text.find(KEY).expect("it was found before") + KEY.len();
    text.insert_str(start, &hash);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash is what `printf '{\n  "a": 1,\n  "self_sha256": "%064d"\n}\n' 0 | sha256sum`
    /// prints.
    #[test]
    fn the_seal_is_the_hash_with_zeros_in_its_place() {
        let open = "{\n  \"a\": 1,\n  \"self_sha256\": \"\"\n}\n";
        let hash = "52f76683e78bcd4df3edfcb548ca47fb70c9fd53e1a2f0549a0d4af36228fe05";
        let sealed = with_seal(open.to_owned());
        assert_eq!(sealed, open.replace("\"\"", &format!("\"{hash}\"")));
        assert!(Seal::of(&sealed).unwrap().is_right());
        let altered = sealed.replace("\"a\": 1", "\"a\": 2");
        assert!(!Seal::of(&altered).unwrap().is_right());
        assert_eq!(Seal::of("{}\n"), None);
    }
}
