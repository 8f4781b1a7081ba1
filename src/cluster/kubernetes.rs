//! A run as an indexed Job of Kubernetes.
//!
//! Retries count for each index (`backoffLimitPerIndex`), and pods that are drained or
//! preempted do not count at all. No exit code ends an index at once: 2 is also that of a
//! shard that was interrupted. The manifests need Kubernetes 1.31.
//! A Job cannot wait for another: the merge is a Job of its own that a person applies.

use serde::Serialize;

use super::{ClusterError, JobFile, JobFolder, Run, one_line, render, yaml};

const SHARDS: &str = include_str!("templates/kubernetes/shards.yaml");
const MERGE: &str = include_str!("templates/kubernetes/merge.yaml");
const CONTAINERFILE: &str = include_str!("templates/kubernetes/Containerfile");
const README: &str = include_str!("templates/kubernetes/README.txt");

/// Longest name of a run: a pod's host name is the name of its Job, which adds `-shards`, a
/// hyphen and the index, in at most 63 characters.
const LONGEST_NAME: usize = 63 - "-shards-99999".len();

/// Longest label of DNS, RFC 1123.
const LONGEST_LABEL: usize = 63;

/// How a run is played on Kubernetes.
#[derive(Debug, Clone, Copy)]
pub struct Kubernetes<'a> {
    /// Name of the run, from which objects and the folder in the claim take theirs: a label of
    /// DNS of at most 50 characters.
    pub name: &'a str,
    /// Namespace of all objects, a label of DNS.
    pub namespace: &'a str,
    /// The image that holds the program.
    pub image: &'a str,
    /// The claim of the volume that all pods share, a label of DNS.
    pub claim: &'a str,
    /// Pods at once, at least 1.
    pub parallelism: u32,
    /// Processors and threads of a pod, at least 1.
    pub threads: u32,
    /// Memory of a pod as a quantity: digits with a unit such as `Mi` or `G`.
    pub memory: &'a str,
    /// Retries of each shard.
    pub max_retries: u32,
}

#[derive(Serialize)]
struct Context {
    game: String,
    file_sha256: String,
    rounds: u64,
    seed: String,
    name: String,
    namespace: String,
    image: String,
    claim: String,
    arguments: Vec<String>,
    checkpoint_every: String,
    shards: u32,
    parallelism: u32,
    threads: u32,
    memory: String,
    max_retries: u32,
    max_failed: u32,
    rust: &'static str,
}

/// The files of a run's folder for Kubernetes: the paytable, `shards.yaml`, `merge.yaml`, a
/// `Containerfile` and a `README.txt` with the commands.
///
/// # Errors
/// - [`ClusterError::Shards`]: too many shards, or none
/// - [`ClusterError::Control`]: a value that does not stay on its line
/// - [`ClusterError::Value`]: a name or a quantity that Kubernetes would refuse
pub fn kubernetes(run: &Run<'_>, settings: &Kubernetes<'_>) -> Result<JobFolder, ClusterError> {
    run.check()?;
    label("the name of the run", settings.name, LONGEST_NAME)?;
    label("the namespace", settings.namespace, LONGEST_LABEL)?;
    label("the volume claim", settings.claim, LONGEST_LABEL)?;
    image(settings.image)?;
    quantity(settings.memory)?;
    for (what, number) in [
        ("the number of pods at once", settings.parallelism),
        ("the number of threads", settings.threads),
    ] {
        if number == 0 {
            return Err(ClusterError::Value {
                what,
                value: "0".to_owned(),
                expected: "at least 1",
            });
        }
    }
    let context = Context {
        game: run.file.paytable.name.clone(),
        file_sha256: run.file.file_sha256.clone(),
        rounds: run.rounds,
        seed: run.seed.to_owned(),
        name: settings.name.to_owned(),
        namespace: settings.namespace.to_owned(),
        image: settings.image.to_owned(),
        claim: settings.claim.to_owned(),
        arguments: run
            .arguments()
            .iter()
            .flatten()
            .map(|argument| yaml::argument(argument))
            .collect(),
        checkpoint_every: run.every(),
        shards: run.shards,
        parallelism: settings.parallelism.min(run.shards),
        threads: settings.threads,
        memory: settings.memory.to_owned(),
        max_retries: settings.max_retries,
        max_failed: run.shards.div_ceil(10),
        rust: env!("CARGO_PKG_RUST_VERSION"),
    };
    let file = |name, source| {
        Ok::<_, ClusterError>(JobFile {
            name,
            text: render(source, &context)?,
            is_executable: false,
        })
    };
    Ok(JobFolder {
        files: vec![
            run.paytable(),
            file("shards.yaml", SHARDS)?,
            file("merge.yaml", MERGE)?,
            file("Containerfile", CONTAINERFILE)?,
            file("README.txt", README)?,
        ],
        folders: &[],
    })
}

/// A label of DNS, RFC 1123, that also YAML reads as text: it begins with a letter and no
/// label that YAML would read as a truth value is legal here.
fn label(what: &'static str, value: &str, longest: usize) -> Result<(), ClusterError> {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_label = value.len() <= longest
        && value.starts_with(|c: char| c.is_ascii_lowercase())
        && !value.ends_with('-')
        && value.chars().all(is_inner)
        && !["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(&value);
    if is_label {
        return Ok(());
    }
    Err(ClusterError::Value {
        what,
        value: value.to_owned(),
        expected: "lower-case letters, digits and hyphens, first a letter, not too long and no \
                   word that YAML reads as a truth value",
    })
}

/// An image's reference: registry, path, tag or digest, in the characters that these have.
fn image(value: &str) -> Result<(), ClusterError> {
    one_line("the image", value)?;
    let is_legal = value.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && value.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-/:@".contains(c));
    if is_legal {
        return Ok(());
    }
    Err(ClusterError::Value {
        what: "the image",
        value: value.to_owned(),
        expected: "a reference such as registry.example/lab/wonderspins:0.1.0",
    })
}

/// A quantity of memory.
fn quantity(value: &str) -> Result<(), ClusterError> {
    const UNITS: &[&str] = &["k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"];
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &value[..value.len() - unit.len()];
    if digits.starts_with(|c: char| c != '0') && UNITS.contains(&unit) {
        return Ok(());
    }
    Err(ClusterError::Value {
        what: "the memory",
        value: value.to_owned(),
        expected: "digits with a unit of k, M, G, T, Ki, Mi, Gi or Ti",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{compare, file, run, text};

    const SETTINGS: Kubernetes<'_> = Kubernetes {
        name: "pa-2026",
        namespace: "lab",
        image: "registry.example/lab/wonderspins:0.1.0",
        claim: "runs",
        parallelism: 100,
        threads: 2,
        memory: "512Mi",
        max_retries: 6,
    };

    #[test]
    fn the_manifests_are_those_on_record() {
        let file = file();
        let folder = kubernetes(&run(&file), &SETTINGS).expect("legal");
        compare("kubernetes", &folder);
        assert_eq!(text(&folder, "paytable.toml"), file.text);
    }

    #[test]
    fn a_label_of_the_seed_stays_text() {
        let file = file();
        let run = Run {
            seed: "derived:$(HOME): \"é",
            ..run(&file)
        };
        let folder = kubernetes(&run, &SETTINGS).expect("legal");
        let line = r#"            - "derived:$$(HOME): \"\U000000e9""#;
        assert!(text(&folder, "shards.yaml").lines().any(|l| l == line));
    }

    #[test]
    fn what_kubernetes_would_refuse_is_refused() {
        let file = file();
        let run = run(&file);
        let long = "a".repeat(51);
        let mut cases = Vec::new();
        for name in ["", "A", "a_b", "a b", "-a", "a-", "1a", "no", "a\nb", &long] {
            cases.push(Kubernetes { name, ..SETTINGS });
            if name != long {
                cases.push(Kubernetes {
                    namespace: name,
                    ..SETTINGS
                });
                cases.push(Kubernetes {
                    claim: name,
                    ..SETTINGS
                });
            }
        }
        for image in ["", "a b", "a\nb", "a#b", "a: b", "a:", "$(x)", "Upper/x"] {
            cases.push(Kubernetes { image, ..SETTINGS });
        }
        for memory in ["", "Mi", "0Mi", "1", "1.5Gi", "1 Gi", "1Gi\n"] {
            cases.push(Kubernetes { memory, ..SETTINGS });
        }
        for (parallelism, threads) in [(0, 1), (1, 0)] {
            cases.push(Kubernetes {
                parallelism,
                threads,
                ..SETTINGS
            });
        }
        for settings in cases {
            assert!(kubernetes(&run, &settings).is_err(), "{settings:?}");
        }
        let most = "a".repeat(50);
        let settings = Kubernetes {
            name: &most,
            ..SETTINGS
        };
        assert!(kubernetes(&run, &settings).is_ok());
    }
}
