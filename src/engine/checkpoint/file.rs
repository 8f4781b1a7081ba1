//! A checkpoint on disk: replaced as a whole, written by one run at a time.
//!
//! # A write
//! The bytes go to `.NAME.partial` in the same folder, are synced, and the file is renamed
//! over the checkpoint; then the folder is synced. A process that dies at any moment
//! leaves the old checkpoint or the new one, and at worst the partial file beside it.
//! That has a fixed name, so there is never more than one, and the next run on the
//! checkpoint takes it away.
//!
//! # One run at a time
//! A run holds an advisory lock on the file that is the checkpoint. The partial file is
//! locked before it is renamed, so there is no moment at which the checkpoint is
//! unlocked. A lock may be won on a file that has just been replaced: whoever wins one
//! looks whether the path still leads there, and else tries again. A checkpoint that
//! does not exist yet is made by whoever holds the partial file. Locks end with their
//! process. On a file system that has none, runs are not kept apart.
//!
//! With a file of a fixed name that is owned through its lock there is nothing left for
//! `tempfile` to do here: its random names would leave one file for each killed write.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::{Checkpoint, CheckpointError, CheckpointFault};

/// The checkpoint of a run under way; nobody else's until this is dropped.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// The checkpoint, open and locked.
    held: File,
}

impl CheckpointFile {
    /// Makes a checkpoint where there is none, with ordinary permissions.
    ///
    /// # Errors
    /// - [`CheckpointError::Exists`]: there is something at the path
    /// - [`CheckpointError::Busy`]: another process is about to make it
    /// - [`CheckpointError::Io`]
    pub fn create(path: &Path, checkpoint: &Checkpoint) -> Result<Self, CheckpointError> {
        let exists = || CheckpointError::Exists {
            path: path.to_owned(),
        };
        // A link that leads nowhere is in the way as well.
        if fs::symlink_metadata(path).is_ok() {
            return Err(exists());
        }
        let failed = |source| io_error(path, "written", source);
        let partial = partial_path(path).map_err(failed)?;
        let file = owned(&partial, Patience::None)
            .map_err(failed)?
            .ok_or_else(|| CheckpointError::Busy {
                path: path.to_owned(),
            })?;
        // Whoever makes the checkpoint owns the partial file, so from here on the answer
        // stays true.
        let result = if fs::symlink_metadata(path).is_ok() {
            Err(exists())
        } else {
            replace(&file, &partial, path, &checkpoint.to_bytes()).map_err(failed)
        };
        if let Err(error) = result {
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
        Ok(Self {
            path: path.to_owned(),
            held: file,
        })
    }

    /// Opens and reads a checkpoint; `None` where there is no file.
    ///
    /// A link is followed, so that it stays when the checkpoint is replaced.
    ///
    /// # Errors
    /// - [`CheckpointError::Busy`]: another process works with it
    /// - [`CheckpointError::Unusable`]: its content
    /// - [`CheckpointError::Io`]
    pub fn open(path: &Path) -> Result<Option<(Self, Checkpoint)>, CheckpointError> {
        let failed = |source| io_error(path, "read", source);
        let unusable = |source| CheckpointError::Unusable {
            path: path.to_owned(),
            source,
        };
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        if !fs::metadata(&target).map_err(failed)?.is_file() {
            return Err(unusable(CheckpointFault::NoFile));
        }
        let mut held = loop {
            let file = match OpenOptions::new().read(true).write(true).open(&target) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(failed(error)),
            };
            if !lock(&file, Patience::None).map_err(failed)? {
                return Err(CheckpointError::Busy {
                    path: path.to_owned(),
                });
            }
            if is_at(&file, &target).map_err(failed)? {
                break file;
            }
        };
        let mut bytes = Vec::new();
        held.read_to_end(&mut bytes).map_err(failed)?;
        let checkpoint = Checkpoint::from_bytes(&bytes).map_err(unusable)?;
        // What a killed write left behind.
        let partial = partial_path(&target).map_err(failed)?;
        if partial.exists()
            && let Ok(Some(_owned)) = owned(&partial, Patience::None)
        {
            let _ = fs::remove_file(&partial);
        }
        Ok(Some((Self { path: target, held }, checkpoint)))
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the checkpoint; when this returns, the new one is on disk.
    ///
    /// # Errors
    /// - [`CheckpointError::Replaced`]: the file is no longer the one that this run has
    ///   written; it is left alone
    /// - [`CheckpointError::Io`]: the old checkpoint stays
    pub fn write(&mut self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        let is_own = is_at(&self.held, &self.path)
            .map_err(|source| io_error(&self.path, "written", source))?;
        // A checkpoint that was taken away is made anew.
        if !is_own && fs::symlink_metadata(&self.path).is_ok() {
            return Err(CheckpointError::Replaced {
                path: self.path.clone(),
            });
        }
        self.held = self
            .replaced(&checkpoint.to_bytes())
            .map_err(|source| io_error(&self.path, "written", source))?;
        Ok(())
    }

    fn replaced(&self, bytes: &[u8]) -> io::Result<File> {
        let partial = partial_path(&self.path)?;
        let file = owned(&partial, Patience::Some)?
            .ok_or_else(|| io::Error::from(io::ErrorKind::WouldBlock))?;
        let result = self
            .held
            .metadata()
            .and_then(|metadata| keep_permissions(&file, metadata.permissions()))
            .and_then(|()| replace(&file, &partial, &self.path, bytes));
        if let Err(error) = result {
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
        Ok(file)
    }

    /// Takes the checkpoint away, for a run that came to nothing.
    ///
    /// # Errors
    /// [`CheckpointError::Io`]
    pub fn remove(self) -> Result<(), CheckpointError> {
        fs::remove_file(&self.path).map_err(|source| io_error(&self.path, "removed", source))
    }
}

fn io_error(path: &Path, action: &'static str, source: io::Error) -> CheckpointError {
    CheckpointError::Io {
        path: path.to_owned(),
        action,
        source,
    }
}

/// `.NAME.partial` in the folder of the checkpoint.
fn partial_path(path: &Path) -> io::Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let mut partial = OsString::from(".");
    partial.push(name);
    partial.push(".partial");
    Ok(path.with_file_name(partial))
}

/// Whether a lock that is held by another is waited for.
#[derive(Debug, Clone, Copy)]
enum Patience {
    None,
    /// For locks that are given back at once.
    Some,
}

/// Locks a file; `false` where another has it.
fn lock(file: &File, patience: Patience) -> io::Result<bool> {
    let locked = match patience {
        Patience::Some => file.lock().map(|()| true),
        Patience::None => match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        },
    };
    match locked {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        result => result,
    }
}

/// Whether a path leads to an open file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let file = same_file::Handle::from_file(file.try_clone()?)?;
    match same_file::Handle::from_path(path) {
        Ok(at_path) => Ok(file == at_path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The partial file, made or taken over, locked; `None` where another has it.
///
/// Only a refused newcomer holds the partial file of a checkpoint that somebody owns,
/// and gives it back at once, so the owner may wait for it.
fn owned(partial: &Path, patience: Patience) -> io::Result<Option<File>> {
    loop {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(partial)?;
        if !lock(&file, patience)? {
            return Ok(None);
        }
        if is_at(&file, partial)? {
            return Ok(Some(file));
        }
    }
}

/// Gives a file the permissions of the one that it will replace.
fn keep_permissions(file: &File, permissions: fs::Permissions) -> io::Result<()> {
    // Some file systems refuse every change, also one that changes nothing.
    if file.metadata()?.permissions() == permissions {
        return Ok(());
    }
    file.set_permissions(permissions)
}

/// Fills the partial file and puts it in the place of the checkpoint.
fn replace(file: &File, partial: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    file.set_len(0)?;
    let mut writer = file;
    writer.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(partial, path)?;
    sync_folder(path)
}

/// Makes the rename itself last.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}

/// Folders cannot be opened as files here; the system writes renames out by itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
