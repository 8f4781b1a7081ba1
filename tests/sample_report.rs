//! The sample in `reports/` is what the main job writes: rebuilt and compared byte for
//! byte. After a deliberate change, `wonderspins certify` in the package folder renews it.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| {
            let entry = entry.expect("a readable entry");
            let name = entry.file_name().into_string().expect("a UTF-8 name");
            (name, fs::read(entry.path()).expect("a readable file"))
        })
        .collect()
}

#[test]
fn the_sample_is_what_the_main_job_writes() {
    let folder = TempDir::new().expect("a temporary folder");
    common::run_in(folder.path(), &["certify", "--quiet"]).exits(0);
    let name = Path::new("reports").join("pa-693-6-0a0ee4e9");
    let (rebuilt, kept) = (
        files(&folder.path().join(&name)),
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(&name)),
    );
    assert!(
        rebuilt.keys().eq(kept.keys()),
        "{:?} {:?}",
        rebuilt.keys(),
        kept.keys()
    );
    for (file, bytes) in &rebuilt {
        assert!(*bytes == kept[file], "{file} differs from the sample");
    }
}
