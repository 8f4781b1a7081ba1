//! Values as words of a shell command.

/// A value as one word of a POSIX shell: as it is where nothing in it means anything to a
/// shell, else between single quotes, inside which only the single quote itself is special.
pub(super) fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,@%+=".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const HOSTILE: &[&str] = &[
        "",
        " ",
        "a b",
        "it's",
        "''",
        "'; touch owned; '",
        "$(touch owned)",
        "`touch owned`",
        "${HOME}",
        "\"$HOME\"",
        "\\",
        "\\'",
        "a\\",
        "*",
        "~",
        "~root",
        "-n",
        "--",
        "#x",
        "a#b",
        "!x",
        "{a,b}",
        "a;b&c|d<e>f",
        "x=y",
        "(a)",
        "[a]",
        "\t",
        "Größe §",
    ];

    #[test]
    fn a_plain_value_stays_readable() {
        for value in ["1e14", "derived:lab-7", "/opt/wonderspins/bin", "--mem=4G"] {
            assert_eq!(quoted(value), value);
        }
        assert_eq!(quoted("it's $5"), r"'it'\''s $5'");
    }

    /// The shell itself is the judge: it must hand back the very bytes.
    #[cfg(unix)]
    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        for shell in ["sh", "bash"] {
            for value in HOSTILE {
                let script = format!("value={0}\nprintf '<%s>' \"$value\" {0}", quoted(value));
                let output = Command::new(shell)
                    .current_dir(folder.path())
                    .args(["-c", &script])
                    .output()
                    .expect("the shell starts");
                assert!(output.status.success(), "{value:?}: {output:?}");
                let expected = format!("<{value}><{value}>");
                assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
            }
        }
        let left = std::fs::read_dir(folder.path())
            .expect("the folder")
            .count();
        assert_eq!(left, 0, "a value was run");
    }
}
