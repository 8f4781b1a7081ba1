//! The direction of dependencies, read from the source text.
//!
//! `engine` and `exact` are two independent readings of the rules; the cross-check is
//! worth something only as long as neither can see the other. This test fails on any
//! `crate::` path that the table below does not allow.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every module of the library with the modules that it may name.
const ALLOWED: &[(&str, &[&str])] = &[
    ("rules", &[]),
    ("paytable", &["rules"]),
    ("engine", &["paytable", "rules"]),
    ("exact", &["paytable", "rules"]),
    ("analysis", &["exact", "paytable", "rules"]),
    ("stats", &[]),
    ("regulation", &["paytable", "rules"]),
    (
        "document",
        &[
            "analysis",
            "engine",
            "exact",
            "paytable",
            "regulation",
            "rules",
            "stats",
        ],
    ),
    ("commitment", &["document", "engine", "paytable"]),
    (
        "recheck",
        &[
            "commitment",
            "document",
            "engine",
            "paytable",
            // The profile that a certificate states is read again from its text.
            "regulation",
            "rules",
            "verify",
        ],
    ),
    (
        "verify",
        &[
            "commitment",
            // The other readings, for the guess where a wrong declared figure comes from.
            "analysis",
            "document",
            "engine",
            "exact",
            "paytable",
            "regulation",
            "rules",
            "stats",
        ],
    ),
    (
        "shards",
        &[
            "commitment",
            "document",
            "engine",
            "paytable",
            "rules",
            "stats",
            "verify",
        ],
    ),
    (
        "forecast",
        &["document", "engine", "exact", "paytable", "rules", "stats"],
    ),
    (
        "sweep",
        &[
            "document", "engine", "exact", "paytable", "rules", "stats",
            // Estimates from a tally.
            "verify",
        ],
    ),
    ("report", &["document"]),
    ("cluster", &["paytable"]),
    ("yardstick", &["paytable", "rules"]),
    (
        "bench",
        &[
            "document",
            "engine",
            "paytable",
            "rules",
            "stats",
            "yardstick",
        ],
    ),
];

/// Crates that only one part may touch.
const CONFINED: &[(&str, &[&str])] = &[
    ("rand", &["engine", "yardstick"]),
    ("rand_xoshiro", &["engine"]),
    ("chacha20", &["engine"]),
    ("blake3", &["engine"]),
    ("postcard", &["engine"]),
    ("same_file", &["engine"]),
    ("rayon", &["bench", "engine", "exact", "shards", "sweep"]),
    ("rustix", &["bench"]),
    ("sysinfo", &["bench"]),
    ("statrs", &["stats", "exact"]),
    ("minijinja", &["cluster", "report"]),
    ("minisign", &[]),
    ("ct_codecs", &["document"]),
    ("rpassword", &[]),
    ("plotters", &["report"]),
    ("plotters_backend", &["report"]),
    ("rust_xlsxwriter", &["report"]),
    ("parquet", &["report"]),
    ("typst", &["report"]),
    ("typst_assets", &["report"]),
    ("typst_layout", &["report"]),
    ("typst_pdf", &["report"]),
    ("clap", &[]),
    ("anyhow", &[]),
    ("indicatif", &[]),
    ("anstream", &[]),
    ("signal_hook", &[]),
    ("comfy_table", &[]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Source text without comments, so that a link in a doc comment is no dependency.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("source files are UTF-8");
    text.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The modules named after `prefix`, also in a braced group such as `crate::{a, b::c}`.
fn named_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let word = |text: &str| {
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    };
    let mut names = BTreeSet::new();
    for (start, _) in code.match_indices(prefix) {
        let rest = &code[start + prefix.len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut entry = String::new();
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        names.insert(word(entry.trim()));
                        entry.clear();
                        continue;
                    }
                    _ => {}
                }
                entry.push(c);
            }
            names.insert(word(entry.trim()));
        } else {
            names.insert(word(rest));
        }
    }
    names.remove("");
    names
}

/// Whether `krate` is named as a path: `use krate`, or `krate::` as a word of its own that
/// is not the continuation of a longer path such as `crate::report::csv`.
fn names_crate(code: &str, krate: &str) -> bool {
    let path = format!("{krate}::");
    code.match_indices(&path).any(|(start, _)| {
        !code[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

fn violations(module: &str, code: &str) -> Vec<String> {
    let allowed = ALLOWED
        .iter()
        .find(|(name, _)| *name == module)
        .expect("every module is in the table")
        .1;
    let modules: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    let mut found = Vec::new();
    for prefix in ["crate::", "super::super::", "wonderspins::"] {
        for name in named_after(code, prefix) {
            let is_other = modules.contains(&name.as_str()) && name != module;
            if is_other && !allowed.contains(&name.as_str()) {
                found.push(format!("`{module}` names `{prefix}{name}`"));
            }
        }
    }
    for (krate, users) in CONFINED {
        if names_crate(code, krate) && !users.contains(&module) {
            found.push(format!("`{module}` uses the crate `{krate}`"));
        }
    }
    found
}

#[test]
fn no_forbidden_import() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (module, _) in ALLOWED {
        for path in sources(&root.join(module)) {
            seen.insert(*module);
            found.extend(
                violations(module, &code(&path))
                    .into_iter()
                    .map(|v| format!("{}: {v}", path.display())),
            );
        }
    }
    assert!(found.is_empty(), "forbidden imports:\n{}", found.join("\n"));
    assert_eq!(
        seen.len(),
        ALLOWED.len(),
        "every module of the table has source files"
    );
    let folders = fs::read_dir(&root).expect("src exists").filter(|entry| {
        let path = entry.as_ref().expect("a readable entry").path();
        path.is_dir() && !path.ends_with("bin")
    });
    assert_eq!(
        folders.count(),
        ALLOWED.len(),
        "every folder of src is in the table"
    );
}

/// The detector itself: each of these must be caught.
#[test]
fn the_detector_sees_every_form_of_import() {
    for source in [
        "use crate::exact::Exact;",
        "use crate::{paytable::Paytable, exact};",
        "use crate::{paytable::{Paytable, Rules}, exact::Exact};",
        "let x = crate::exact::solve(p);",
        "use super::super::exact::Exact;",
        "use clap::Parser;",
    ] {
        assert!(!violations("engine", source).is_empty(), "{source}");
    }
    for source in [
        "use crate::paytable::Paytable;",
        "use crate::rules::{Trigger, Wheel};",
        "use rand::Rng;",
    ] {
        assert!(violations("engine", source).is_empty(), "{source}");
    }
}
