//! A paytable together with the text that states it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::canonical::sha256_hex;
use super::error::PaytableError;
use super::{Paytable, builtin, parse};

/// A paytable as it was read: its content, its text, and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct PaytableFile {
    /// The content.
    pub paytable: Paytable,
    /// The name of a built-in paytable, or the path as it was given.
    pub origin: String,
    /// The file's stem or the built-in's name in `[a-z0-9-]`, for names of outputs.
    pub slug: String,
    /// The text as it was read.
    pub text: String,
    /// SHA-256 of the bytes that were read, 64 lower-case hexadecimal digits.
    pub file_sha256: String,
}

impl PaytableFile {
    /// Reads a built-in paytable where one has exactly this name, else the file there.
    ///
    /// # Errors
    /// - [`PaytableError::Read`]: no file there, or it cannot be read
    /// - [`PaytableError::Faults`]: all the faults of its text
    pub fn load(argument: &str) -> Result<Self, PaytableError> {
        if let Some(builtin) = builtin::find(argument) {
            return Self::parse(argument, builtin.text);
        }
        let read = |source| PaytableError::Read {
            path: argument.into(),
            source,
        };
        // One byte more than is legal shows that a file is too large, however large
        // it is, and be it a device without an end.
        let most = parse::MAX_BYTES as u64 + 1;
        let mut bytes = Vec::new();
        File::open(argument)
            .and_then(|file| file.take(most).read_to_end(&mut bytes))
            .map_err(read)?;
        Self::parse_bytes(argument, &bytes)
    }

    /// Reads a text; `origin` names it in faults.
    ///
    /// # Errors
    /// - [`PaytableError::Faults`]: all the faults of the text
    ///
    /// # Examples
    /// ```
    /// use wonderspins::paytable::{PaytableFile, builtin};
    ///
    /// let text = builtin::find("pa-693-6").expect("the default").text;
    /// let file = PaytableFile::parse("submissions/My Game.toml", text)?;
    /// assert_eq!(file.slug, "my-game");
    /// assert_eq!(file.paytable.drift().to_string(), "-35/54");
    /// # Ok::<(), wonderspins::paytable::PaytableError>(())
    /// ```
    pub fn parse(origin: &str, text: &str) -> Result<Self, PaytableError> {
        Self::parse_bytes(origin, text.as_bytes())
    }

    /// Reads bytes that need not be text; `origin` names them in faults.
    ///
    /// # Errors
    /// - [`PaytableError::Faults`]: all the faults of the bytes
    pub fn parse_bytes(origin: &str, bytes: &[u8]) -> Result<Self, PaytableError> {
        let (text, definition) =
            parse::parse_bytes(origin, bytes).map_err(PaytableError::Faults)?;
        Ok(Self {
            paytable: Paytable::of_checked(definition),
            origin: origin.to_owned(),
            slug: slug(origin),
            text: text.to_owned(),
            file_sha256: sha256_hex(bytes),
        })
    }
}

/// The stem of a path in lower case, everything but letters and digits as single hyphens:
/// [`PaytableFile::slug`].
#[must_use]
pub fn slug(origin: &str) -> String {
    /// Keeps a name well inside what file systems take.
    const LONGEST: usize = 64;
    let stem = Path::new(origin)
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().to_lowercase());
    let mut slug = String::new();
    for character in stem.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(LONGEST);
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "paytable".to_owned()
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_has_letters_digits_and_hyphens() {
        let cases = [
            ("pa-693-6", "pa-693-6"),
            ("dir/Pa 693_6 (copy).toml", "pa-693-6-copy"),
            ("../x/..", "paytable"),
            ("Größe.toml", "gr-e"),
            ("", "paytable"),
            ("---.toml", "paytable"),
        ];
        for (origin, expected) in cases {
            assert_eq!(slug(origin), expected, "{origin}");
        }
        assert_eq!(slug(&"a".repeat(500)).len(), 64);
    }

    #[test]
    fn the_built_in_paytables_are_legal_and_differ_as_they_say() {
        let load = |name| PaytableFile::load(name).expect("a legal built-in").paytable;
        for builtin in builtin::ALL {
            let file = PaytableFile::load(builtin.name).expect("a legal built-in");
            assert_eq!(file.origin, builtin.name);
            assert_eq!(file.slug, builtin.name);
            assert_eq!(file.text, builtin.text);
            assert!(file.paytable.cites_693_6(), "{}", builtin.name);
            assert!(file.paytable.declared.is_empty(), "{}", builtin.name);
        }
        let literal = load("pa-693-6");
        let expected = crate::paytable::fixture::pa();
        assert_eq!(literal.inner_wheel, expected.inner_wheel);
        assert_eq!(literal.outer_wheel, expected.outer_wheel);
        assert_eq!(literal.starting_multipliers, expected.starting_multipliers);
        assert_eq!(literal.boost, expected.boost);
        assert_eq!(literal.rules, expected.rules);
        assert_eq!(literal.payout, expected.payout);
        assert_eq!(literal.triggers, expected.triggers);
        // 2/12 + 5/54 - 49/54, and with the potions used up 2/12 - 49/54.
        assert_eq!(literal.drift().to_string(), "-35/54");
        assert_eq!(load("pa-693-6-net-zero").drift().to_string(), "-20/27");
        assert_eq!(load("pa-693-6-capped").rules.max_meter, Some(500));
        let floor = load("pa-693-6-floor");
        assert_eq!(
            floor.starting_multipliers,
            crate::paytable::StartLaw::Fixed {
                values: floor.characters().iter().map(|&c| (c, 1)).collect()
            }
        );
    }

    #[test]
    fn the_digest_of_the_file_is_over_its_bytes() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let text = builtin::ALL[0].text;
        let file = PaytableFile::parse("a.toml", text).expect("legal");
        let longer = PaytableFile::parse("a.toml", &format!("{text}# end\n")).expect("legal");
        assert_ne!(file.file_sha256, longer.file_sha256);
        assert_eq!(file.paytable.sha256(), longer.paytable.sha256());
    }
}
