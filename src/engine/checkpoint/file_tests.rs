use std::fs;

use tempfile::TempDir;

use super::super::RunIdentity;
use super::*;
use crate::engine::testing::pa;
use crate::engine::{EngineKind, Generator, RunPlan};
use crate::rules::Trigger;

/// Checkpoints that differ, told apart by their seed.
fn checkpoint(seed: u64) -> Checkpoint {
    let plan = RunPlan {
        trigger: Trigger::Two,
        seed,
        generator: Generator::default(),
        rounds: 100,
        engine: EngineKind::Auto,
        detail_rounds: 0,
    };
    Checkpoint::new(RunIdentity::new(&pa(), &Trigger::ALL, &plan, 0..1))
}

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("run.ckpt");
    (folder, path)
}

fn seed_at(path: &Path) -> u64 {
    let bytes = fs::read(path).expect("a file");
    let checkpoint = Checkpoint::from_bytes(&bytes).expect("a checkpoint");
    checkpoint.identity().seed
}

fn names(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| {
            let name = entry.expect("an entry").file_name();
            name.into_string().expect("a name of this test")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_checkpoint_is_made_replaced_and_read() {
    let (folder, path) = folder();
    assert!(CheckpointFile::open(&path).expect("no fault").is_none());
    let mut file = CheckpointFile::create(&path, &checkpoint(1)).expect("a new file");
    assert_eq!(seed_at(&path), 1);
    for seed in 2..5 {
        file.write(&checkpoint(seed)).expect("a write");
        assert_eq!(seed_at(&path), seed);
        assert_eq!(names(&folder), ["run.ckpt"]);
    }
    drop(file);
    let (file, read) = CheckpointFile::open(&path)
        .expect("a checkpoint")
        .expect("a file");
    assert_eq!(read, checkpoint(4));
    file.remove().expect("it is there");
    assert!(names(&folder).is_empty());
}

#[test]
fn a_new_run_overwrites_nothing() {
    let (folder, path) = folder();
    fs::write(&path, "somebody's notes").expect("a file");
    let error = CheckpointFile::create(&path, &checkpoint(1)).expect_err("a refusal");
    assert!(matches!(error, CheckpointError::Exists { .. }), "{error}");
    assert_eq!(
        fs::read_to_string(&path).expect("a file"),
        "somebody's notes"
    );
    assert_eq!(names(&folder), ["run.ckpt"]);
}

#[test]
fn a_second_writer_is_refused() {
    let (_folder, path) = folder();
    let mut file = CheckpointFile::create(&path, &checkpoint(1)).expect("a new file");
    for seed in 2..4 {
        let error = CheckpointFile::open(&path).expect_err("a refusal");
        assert!(matches!(error, CheckpointError::Busy { .. }), "{error}");
        // The lock goes over to the file that takes the place.
        file.write(&checkpoint(seed)).expect("a write");
    }
    drop(file);
    let held = CheckpointFile::open(&path).expect("the lock is free");
    let error = CheckpointFile::open(&path).expect_err("a refusal");
    assert!(matches!(error, CheckpointError::Busy { .. }), "{error}");
    drop(held);
}

/// Of many runs that begin at once with one path, one gets it, also after they were
/// refused before, and the file is whole throughout.
#[test]
fn of_many_newcomers_one_wins() {
    for _ in 0..20 {
        let (folder, path) = folder();
        let barrier = std::sync::Barrier::new(8);
        let winners: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|seed| {
                    let (path, barrier) = (&path, &barrier);
                    scope.spawn(move || {
                        barrier.wait();
                        let made = CheckpointFile::create(path, &checkpoint(seed)).ok();
                        let mut made = made?;
                        made.write(&checkpoint(seed)).expect("the owner may write");
                        // Held until all have tried.
                        Some((seed, made))
                    })
                })
                .collect();
            let done: Vec<_> = threads
                .into_iter()
                .filter_map(|thread| thread.join().expect("no panic"))
                .collect();
            done.iter().map(|(seed, _)| *seed).collect()
        });
        assert_eq!(winners.len(), 1);
        assert_eq!(seed_at(&path), winners[0]);
        assert_eq!(names(&folder), ["run.ckpt"]);
    }
}

/// What a process leaves that is killed while it writes.
#[test]
fn a_partial_file_is_taken_away_or_over() {
    let (folder, path) = folder();
    let partial = folder.path().join(".run.ckpt.partial");
    fs::write(&partial, vec![7; 100_000]).expect("a file");
    drop(CheckpointFile::create(&path, &checkpoint(1)).expect("a new file"));
    assert_eq!(names(&folder), ["run.ckpt"]);
    assert_eq!(seed_at(&path), 1);

    fs::write(&partial, vec![7; 100_000]).expect("a file");
    let opened = CheckpointFile::open(&path).expect("a checkpoint");
    assert_eq!(names(&folder), ["run.ckpt"]);

    fs::write(&partial, vec![7; 100_000]).expect("a file");
    let (mut file, _) = opened.expect("a file");
    file.write(&checkpoint(2)).expect("a write");
    assert_eq!(names(&folder), ["run.ckpt"]);
    assert_eq!(seed_at(&path), 2);
}

#[test]
fn a_write_that_fails_leaves_the_old_checkpoint() {
    let (folder, path) = folder();
    let mut file = CheckpointFile::create(&path, &checkpoint(1)).expect("a new file");
    let partial = folder.path().join(".run.ckpt.partial");
    fs::create_dir(&partial).expect("a folder");
    let error = file.write(&checkpoint(2)).expect_err("no file can be made");
    assert!(matches!(error, CheckpointError::Io { .. }), "{error}");
    assert_eq!(seed_at(&path), 1);
    fs::remove_dir(&partial).expect("an empty folder");
    file.write(&checkpoint(2)).expect("a write");
    assert_eq!(seed_at(&path), 2);

    let missing = folder.path().join("no/such/folder/run.ckpt");
    let error = CheckpointFile::create(&missing, &checkpoint(1)).expect_err("no folder");
    assert!(error.to_string().contains("no/such/folder/run.ckpt"));
}

#[test]
fn a_foreign_file_in_its_place_is_left_alone() {
    let (folder, path) = folder();
    let mut file = CheckpointFile::create(&path, &checkpoint(1)).expect("a new file");
    fs::remove_file(&path).expect("a file");
    file.write(&checkpoint(2)).expect("made anew");
    assert_eq!(seed_at(&path), 2);

    let other = folder.path().join("other");
    fs::write(&other, "another run's").expect("a file");
    fs::rename(&other, &path).expect("a file");
    let error = file.write(&checkpoint(3)).expect_err("a refusal");
    assert!(matches!(error, CheckpointError::Replaced { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "another run's");
}

/// Each message names the file, and says what is wrong with its content.
#[test]
fn unusable_files_are_refused() {
    let (folder, path) = folder();
    let good = checkpoint(1).to_bytes();
    let mut altered = good.clone();
    altered[40] ^= 1;
    for (bytes, expected) in [
        (&b""[..], CheckpointFault::Empty),
        (b"plain text", CheckpointFault::NoCheckpoint),
        (
            &good[..70],
            CheckpointFault::Truncated {
                found: 70,
                expected: good.len() as u64,
            },
        ),
        (&altered, CheckpointFault::Altered),
    ] {
        fs::write(&path, bytes).expect("a file");
        let error = CheckpointFile::open(&path).expect_err("a refusal");
        assert!(error.to_string().contains("run.ckpt"), "{error}");
        let CheckpointError::Unusable { source, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(source, expected);
        assert_eq!(fs::read(&path).expect("a file"), bytes, "left alone");
    }
    let error = CheckpointFile::open(folder.path()).expect_err("a refusal");
    let CheckpointError::Unusable { source, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(source, CheckpointFault::NoFile);
}

#[cfg(unix)]
#[test]
fn permissions_are_ordinary_and_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let (folder, path) = folder();
    let ordinary = folder.path().join("ordinary");
    fs::write(&ordinary, "").expect("a file");
    let mut file = CheckpointFile::create(&path, &checkpoint(1)).expect("a new file");
    assert_eq!(mode(&path), mode(&ordinary));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("our own file");
    file.write(&checkpoint(2)).expect("a write");
    assert_eq!(mode(&path), 0o640);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let (folder, path) = folder();
    let link = folder.path().join("link");
    drop(CheckpointFile::create(&path, &checkpoint(1)).expect("a new file"));
    std::os::unix::fs::symlink("run.ckpt", &link).expect("a link");
    let (mut file, _) = CheckpointFile::open(&link)
        .expect("a checkpoint")
        .expect("a file");
    file.write(&checkpoint(2)).expect("a write");
    assert_eq!(seed_at(&path), 2);
    assert!(
        fs::symlink_metadata(&link)
            .expect("a link")
            .file_type()
            .is_symlink()
    );
    assert_eq!(names(&folder), ["link", "run.ckpt"]);
}
