//! Options that are handed on to `sbatch`.

use std::str::FromStr;

use super::{ClusterError, one_line};

/// Options without which the scripts would not do what they say.
const OWN: &[&str] = &[
    "array",
    "chdir",
    "dependency",
    "error",
    "export",
    "export-file",
    "input",
    "kill-on-invalid-dep",
    "no-requeue",
    "ntasks",
    "open-mode",
    "output",
    "parsable",
    "requeue",
    "test-only",
    "wait",
    "wrap",
];

/// A long option of `sbatch`, such as `partition=main` or `exclusive`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SbatchOption {
    name: String,
    value: Option<String>,
}

impl SbatchOption {
    /// An option with a value.
    ///
    /// # Errors
    /// - [`ClusterError::Value`]: the name is no long option: lower-case letters, digits and
    ///   hyphens
    /// - [`ClusterError::OwnOption`]: the scripts set it themselves
    /// - [`ClusterError::Control`]: the value holds a control character
    pub fn new(name: &str, value: Option<&str>) -> Result<Self, ClusterError> {
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !is_name {
            return Err(ClusterError::Value {
                what: "an option of sbatch",
                value: name.to_owned(),
                expected: "the name of a long option without its hyphens, such as `qos`",
            });
        }
        if OWN.contains(&name) {
            return Err(ClusterError::OwnOption(name.to_owned()));
        }
        if let Some(value) = value {
            one_line(&format!("--{name}"), value)?;
        }
        Ok(Self {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        })
    }

    /// The option as one argument.
    pub(super) fn argument(&self) -> String {
        match &self.value {
            Some(value) => format!("--{}={value}", self.name),
            None => format!("--{}", self.name),
        }
    }
}

/// Reads `K=V` or `K`.
impl FromStr for SbatchOption {
    type Err = ClusterError;

    fn from_str(text: &str) -> Result<Self, ClusterError> {
        match text.split_once('=') {
            Some((name, value)) => Self::new(name, Some(value)),
            None => Self::new(text, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_one_argument() {
        for (text, argument) in [
            ("qos=long", "--qos=long"),
            ("exclusive", "--exclusive"),
            ("comment=a=b c", "--comment=a=b c"),
            ("constraint=", "--constraint="),
        ] {
            let option: SbatchOption = text.parse().expect("legal");
            assert_eq!(option.argument(), argument);
        }
    }

    #[test]
    fn what_the_scripts_rely_on_cannot_be_changed() {
        for text in ["array=1-3", "no-requeue", "output=/tmp/x", "wrap=id"] {
            let error = text.parse::<SbatchOption>().expect_err(text);
            assert!(matches!(error, ClusterError::OwnOption(_)), "{text}");
        }
        for text in ["", "=x", "-p", "--qos=x", "Qos=x", "a b=c", "x;id=1"] {
            let error = text.parse::<SbatchOption>().expect_err(text);
            assert!(matches!(error, ClusterError::Value { .. }), "{text}");
        }
        let error = "comment=a\nb"
            .parse::<SbatchOption>()
            .expect_err("two lines");
        assert!(matches!(error, ClusterError::Control { .. }));
    }
}
