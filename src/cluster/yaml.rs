//! Values as scalars of YAML.

/// A value as a double-quoted scalar in printable ASCII, which YAML 1.1 and 1.2 read alike.
///
/// No plain scalars: `no`, `1e3` and `null` would be read as something else than text.
pub(super) fn quoted(value: &str) -> String {
    let mut scalar = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                scalar.push('\\');
                scalar.push(c);
            }
            ' '..='~' => scalar.push(c),
            // Six digits hold any character; the form with four would need surrogates.
            _ => scalar.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    scalar.push('"');
    scalar
}

/// A value as an argument of a container: `$(NAME)` would be replaced, and `$$` stands for `$`.
pub(super) fn argument(value: &str) -> String {
    quoted(&value.replace('$', "$$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from YAML 1.2.2, chapter 5.7, and the Kubernetes reference on dependent
    /// environment variables.
    #[test]
    fn nothing_but_printable_ascii_and_no_reference_is_left() {
        assert_eq!(quoted("no"), r#""no""#);
        assert_eq!(quoted(r#"a "b" \ c"#), r#""a \"b\" \\ c""#);
        assert_eq!(
            quoted("\u{85}é\u{1f3a9}"),
            r#""\U00000085\U000000e9\U0001f3a9""#
        );
        assert_eq!(argument("derived:$(HOME)$$"), r#""derived:$$(HOME)$$$$""#);
    }
}
