//! The samples in `reports/`, one for each built-in paytable, are what `certify` writes:
//! rebuilt and compared byte for byte. After a deliberate change,
//! `SOURCE_DATE_EPOCH=1796083200 wonderspins certify PAYTABLE --rounds 1e7` in the package
//! folder renews one.

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

/// The samples: each built-in paytable with its folder.
const SAMPLES: [(&str, &str); 4] = [
    ("pa-693-6", "pa-693-6-0a0ee4e9"),
    ("pa-693-6-net-zero", "pa-693-6-net-zero-7383ff30"),
    ("pa-693-6-floor", "pa-693-6-floor-e027bb10"),
    ("pa-693-6-capped", "pa-693-6-capped-0bbf72e5"),
];

fn sample_is_rebuilt((paytable, name): (&str, &str)) {
    let folder = TempDir::new().expect("a temporary folder");
    let mut command = common::wonderspins();
    command
        .current_dir(folder.path())
        .env("SOURCE_DATE_EPOCH", "1796083200")
        .args(["certify", paytable, "--rounds", "1e7", "--quiet"]);
    common::finish(&mut command).exits(0);
    let name = Path::new("reports").join(name);
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
        assert!(
            *bytes == kept[file],
            "{file} differs from the sample of {paytable}"
        );
    }
}

#[test]
fn the_sample_of_the_default_paytable_is_rebuilt() {
    sample_is_rebuilt(SAMPLES[0]);
}

#[test]
fn the_sample_of_the_net_zero_reading_is_rebuilt() {
    sample_is_rebuilt(SAMPLES[1]);
}

#[test]
fn the_sample_with_starts_at_the_floor_is_rebuilt() {
    sample_is_rebuilt(SAMPLES[2]);
}

#[test]
fn the_sample_with_a_cap_is_rebuilt() {
    sample_is_rebuilt(SAMPLES[3]);
}
