//! Helpers of the tests: a run, and the texts on record.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{JobFolder, Run};
use crate::paytable::PaytableFile;

pub(super) fn file() -> PaytableFile {
    PaytableFile::load("pa-693-6").expect("a built-in paytable")
}

pub(super) fn run(file: &PaytableFile) -> Run<'_> {
    Run {
        file,
        rounds: 100_000_000_000_000,
        shards: 1500,
        seed: "derived:lab 7",
        options: &[],
        checkpoint_every: Duration::from_mins(5),
    }
}

/// The text of a file of the folder.
pub(super) fn text<'a>(folder: &'a JobFolder, name: &str) -> &'a str {
    let file = folder.files.iter().find(|file| file.name == name);
    &file.expect("a file of the folder").text
}

/// Compares all files but the paytable with those under `tests/data/cluster`, which pass
/// `shellcheck` and `kubernetes-validate`; `UPDATE_CLUSTER=1` writes them anew.
#[track_caller]
pub(super) fn compare(kind: &str, folder: &JobFolder) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recorded = root.join("tests/data/cluster").join(kind);
    let files = folder.files.iter().filter(|f| f.name != "paytable.toml");
    for file in files {
        let path = recorded.join(file.name);
        if std::env::var_os("UPDATE_CLUSTER").is_some() {
            fs::create_dir_all(&recorded).expect("the folder is made");
            fs::write(&path, &file.text).expect("the file is written");
        }
        let expected = fs::read_to_string(&path).expect("a recorded text");
        assert!(
            file.text == expected,
            "{} differs; it is now:\n{}",
            path.display(),
            file.text
        );
    }
}
