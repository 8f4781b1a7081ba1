//! Certificates in the hands of a third party: `certify --sign`, `verify`, and the stock
//! minisign tool.

#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{SHORT_GAME as SHORT, run};
use tempfile::TempDir;

/// A key pair without a password, made for these tests alone.
const SECRET_KEY: &str = "untrusted comment: a key for tests\nRWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQZQFcWLvCy4gVnBrGnuLwQ/xcq2dU7LreB8XBk7k0NokyOBzyjRtjCYSpC7QQ7bJqfrbz+G0gXQazfRysrmHzZh3YnMezpFrAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
const PUBLIC_KEY: &str = "RWRBlAVxYu8LLiYSpC7QQ7bJqfrbz+G0gXQazfRysrmHzZh3YnMezpFr";

struct Certified {
    folder: TempDir,
}

impl Certified {
    fn new(extra: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::write(path("game.toml"), SHORT).unwrap();
        fs::write(path("secret.key"), SECRET_KEY).unwrap();
        let game = path("game.toml");
        let (key, out) = (path("secret.key"), path("out"));
        let mut arguments = vec![
            "certify", &game, "--rounds", "1e6", "--quiet", "--out", &out,
        ];
        arguments.extend(["--sign", &key]);
        arguments.extend(extra);
        run(&arguments).exits(0);
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    fn certificate(&self) -> String {
        self.path("certificate.json").to_str().unwrap().to_owned()
    }
}

#[test]
fn a_signed_certificate_is_verified() {
    let made = Certified::new(&[]);
    let certificate = made.certificate();
    let found = run(&[
        "verify",
        &certificate,
        "--trust",
        PUBLIC_KEY,
        "--format",
        "json",
    ])
    .exits(0)
    .json();
    assert_eq!(found["schema"], "wonderspins/verify/1");
    assert_eq!(found["verdict"], "pass");
    let ids: Vec<&str> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            assert_eq!(finding["verdict"], "pass", "{finding}");
            finding["id"].as_str().unwrap()
        })
        .collect();
    assert_eq!(
        ids,
        [
            "form",
            "self-sha256",
            "paytable",
            "seed",
            "side-file",
            "leaves",
            "values",
            "played-leaves",
            "signature"
        ]
    );
    assert_eq!(found["challenge"]["origin"], "drawn");
    let again = run(&[
        "verify",
        &certificate,
        "--challenge",
        "dice 4 1 6",
        "--leaves",
        "3",
    ])
    .exits(0);
    let text = again.stdout;
    assert!(
        text.contains("Challenge dice 4 1 6 (given): 3 of 16 pieces"),
        "{text}"
    );
    assert!(text.ends_with("verified: YES\n"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn an_altered_certificate_is_refuted_by_hash_and_by_signature() {
    let made = Certified::new(&[]);
    let path = made.path("certificate.json");
    let text = fs::read_to_string(&path).unwrap();
    // The exact mean, whatever it is: its fourth decimal, so that it stays in its shortest form.
    let at = text.find("\"mean_meter\"").unwrap();
    let line = at + text[at..].find("\"value\": ").unwrap();
    let end = line + text[line..].find('.').unwrap() + 4;
    let digit = if text.as_bytes()[end] == b'7' {
        "8"
    } else {
        "7"
    };
    let altered = format!("{}{digit}{}", &text[..end], &text[end + 1..]);
    fs::write(&path, altered).unwrap();
    let certificate = made.certificate();
    let found = run(&[
        "verify",
        &certificate,
        "--trust",
        PUBLIC_KEY,
        "--format",
        "json",
    ])
    .exits(1)
    .json();
    let failed: Vec<&str> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["verdict"] == "fail")
        .map(|finding| finding["id"].as_str().unwrap())
        .collect();
    assert_eq!(failed, ["self-sha256", "values", "signature"]);
    let values = found["findings"][6]["evidence"].as_str().unwrap();
    assert!(values.contains("mean_meter.value"), "{values}");
}

#[test]
fn an_altered_file_of_leaves_is_named() {
    let made = Certified::new(&[]);
    let path = made.path("certificate.leaves");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let text = run(&["verify", &made.certificate()]).exits(1).stdout;
    assert!(text.contains("`certificate.leaves` has"), "{text}");
    assert!(text.ends_with("verified: NO\n"), "{text}");
    fs::remove_file(&path).unwrap();
    let text = run(&["verify", &made.certificate()]).exits(1).stdout;
    assert!(text.contains("cannot be read"), "{text}");
}

#[test]
fn what_cannot_be_read_is_a_fault() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("certificate.json");
    let missing = run(&["verify", path.to_str().unwrap()]).exits(2);
    assert!(
        missing.stderr.contains("cannot be checked"),
        "{}",
        missing.stderr
    );
    fs::write(&path, "{\"schema\": \"wonderspins/exact/1\"}").unwrap();
    let other = run(&["verify", path.to_str().unwrap()]).exits(2);
    assert!(
        other
            .stderr
            .contains("expected `wonderspins/certificate/1`"),
        "{}",
        other.stderr
    );
    let made = Certified::new(&[]);
    let bad_key = run(&["verify", &made.certificate(), "--trust", "nonsense"]).exits(2);
    assert!(
        bad_key.stderr.contains("`nonsense` is neither"),
        "{}",
        bad_key.stderr
    );
}

/// The stock tool verifies what `--sign` wrote, and refuses it after one byte changed; and
/// `verify` accepts what the stock tool signed. Skipped, with a word, where it is not there.
#[test]
fn the_stock_tool_agrees() {
    let minisign = |arguments: &[&str]| Command::new("minisign").args(arguments).output();
    if minisign(&["-v"]).is_err() {
        println!("skipped: minisign is not installed");
        return;
    }
    let made = Certified::new(&[]);
    let certificate = made.certificate();
    let verified = || {
        let output = minisign(&["-V", "-P", PUBLIC_KEY, "-m", &certificate]).unwrap();
        output.status.success()
    };
    assert!(verified());
    let bytes = fs::read(&certificate).unwrap();
    let mut altered = bytes.clone();
    altered[100] ^= 1;
    fs::write(&certificate, altered).unwrap();
    assert!(!verified());
    fs::write(&certificate, bytes).unwrap();

    let key = made.folder.path().join("secret.key");
    let signature = made.path("stock.minisig");
    let (key, signature) = (key.to_str().unwrap(), signature.to_str().unwrap());
    let signed = minisign(&["-S", "-s", key, "-m", &certificate, "-x", signature]).unwrap();
    assert!(
        signed.status.success(),
        "{}",
        String::from_utf8_lossy(&signed.stderr)
    );
    run(&[
        "verify",
        &certificate,
        "--trust",
        PUBLIC_KEY,
        "--signature",
        signature,
    ])
    .exits(0);
}

/// Signed or not, on any engine and any number of threads: the same bytes.
#[test]
fn certificates_are_the_same_bytes_everywhere() {
    let first = Certified::new(&[]);
    let second = Certified::new(&["--engine", "scalar", "--threads", "1"]);
    let files = |made: &Certified| -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(made.folder.path().join("out"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
    };
    let (first, second) = (files(&first), files(&second));
    assert_eq!(first.len(), second.len());
    for (one, other) in first.iter().zip(&second) {
        // The signature is drawn at random beside the message.
        let is_signature = one.extension() == Some(Path::new("x.minisig").extension().unwrap());
        assert!(
            is_signature || fs::read(one).unwrap() == fs::read(other).unwrap(),
            "{}",
            one.display()
        );
    }
}

#[test]
fn a_target_fixes_the_rounds_beforehand() {
    let folder = TempDir::new().unwrap();
    let game = folder.path().join("game.toml");
    fs::write(&game, SHORT).unwrap();
    let out = folder.path().join("out");
    let (game, out) = (game.to_str().unwrap(), out.to_str().unwrap());
    run(&[
        "certify",
        game,
        "--target-half-width",
        "0.0005",
        "--quiet",
        "--out",
        out,
    ])
    .exits(0);
    let text = fs::read_to_string(Path::new(out).join("certificate.json")).unwrap();
    let certificate: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rtp = &certificate["simulated"]["triggers"][0]["rtp"];
    let half_width = 0.5 * (common::number(&rtp["upper"]) - common::number(&rtp["lower"]));
    assert!((0.00049..=0.0005).contains(&half_width), "{half_width}");
    assert_eq!(rtp["method"], "normal");
    let refused = run(&[
        "certify",
        game,
        "--target-half-width",
        "0.000000001",
        "--out",
        out,
    ])
    .exits(2);
    assert!(
        refused.stderr.contains("more than --rounds"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_run_stops_when_its_interval_is_narrow_enough() {
    let arguments = [
        "simulate",
        "pa-693-6",
        "--trigger",
        "2",
        "--seed",
        "5",
        "--format",
        "json",
    ];
    let with = |more: &[&str]| {
        let mut all = arguments.to_vec();
        all.extend(more);
        run(&all)
    };
    let stopped = with(&["--target-half-width", "0.1%"]).exits(0).json();
    let trigger = &stopped["triggers"][0];
    let half_width =
        0.5 * (common::number(&trigger["rtp"]["upper"]) - common::number(&trigger["rtp"]["lower"]));
    assert!(half_width <= 0.001, "{half_width}");
    assert_eq!(trigger["rtp"]["method"], "asymptotic confidence sequence");
    assert_eq!(trigger["complete"], true);
    // The same rounds as a run of that length.
    let rounds = trigger["rounds"].to_string();
    let straight = with(&["--rounds", &rounds]).exits(0).json();
    assert_eq!(straight["triggers"][0]["digest"], trigger["digest"]);
    assert_eq!(straight["triggers"][0]["detail"], trigger["detail"]);
    // And not reached: said, with exit 1.
    let short = with(&["--target-half-width", "0.000001", "--rounds", "2e6"]).exits(1);
    assert!(
        short.stderr.contains("more than the 0.00000100 asked for"),
        "{}",
        short.stderr
    );
}

/// A file system of 64 KiB, gone with the value; `None` where this user may not make one.
struct TinyDisk(TempDir);

impl TinyDisk {
    fn new() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(folder.path())
            .output();
        mounted
            .is_ok_and(|output| output.status.success())
            .then(|| Self(folder))
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

/// Files are complete under temporary names before the first gets its own, so a disk that is
/// full leaves none of them. Skipped, with a word, where no file system can be made.
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let Some(disk) = TinyDisk::new() else {
        println!("skipped: no small file system can be mounted here");
        return;
    };
    let games = TempDir::new().unwrap();
    let game = games.path().join("game.toml");
    fs::write(&game, SHORT).unwrap();
    let out = disk.0.path().join("out");
    let (game, out) = (game.to_str().unwrap(), out.to_str().unwrap());
    let full = run(&["certify", game, "--rounds", "1e6", "--quiet", "--out", out]).exits(2);
    let full = full.complains("could not be written");
    full.complains("No space left");
    assert!(fs::read_dir(disk.0.path()).unwrap().next().is_none());
}
