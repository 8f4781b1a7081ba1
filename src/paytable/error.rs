//! Why there is no paytable.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::builtin;
use super::fault::Faults;

/// Why a paytable could not be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PaytableError {
    /// The file could not be read.
    #[error("cannot read the paytable `{}`", path.display())]
    Read {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file, or a definition built in code, has faults.
    #[error("{0}")]
    Faults(Faults),
}

impl PaytableError {
    /// What may help, to be shown on a line of its own: the names of the built-in
    /// paytables where no file has the name that was given.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                let names: Vec<_> = builtin::ALL
                    .iter()
                    .map(|builtin| format!("`{}`", builtin.name))
                    .collect();
                Some(format!("the built-in paytables are {}", names.join(", ")))
            }
            _ => None,
        }
    }
}
