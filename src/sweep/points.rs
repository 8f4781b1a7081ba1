//! A sweep and its paytables by number.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use super::axis::Row;
use super::file::{self, Content, Point, Simulate};
use crate::document::{SweepId, SweepShard};
use crate::engine::Shard;
use crate::paytable::{
    Change, ChangeError, Faults, KeyPath, PaytableError, PaytableFile, Template, Value, builtin,
    hex, text,
};
use crate::rules::Trigger;

/// The most bytes of a sweep file that are read: one more than are legal.
const MOST_BYTES: u64 = (1 << 20) + 1;

/// Why there is no sweep.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The file could not be read.
    #[error("cannot read the sweep `{}`", path.display())]
    Read {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file has faults.
    #[error("{0}")]
    Faults(Faults),
    /// The paytable that it changes cannot be had.
    #[error("the base of the sweep cannot be used")]
    Base(#[source] PaytableError),
}

/// Why a point of a sweep has no paytable.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointFault {
    /// A change leads nowhere.
    #[error(transparent)]
    Place(#[from] ChangeError),
    /// What a point removes is not there.
    #[error("there is no `{path}` to remove")]
    NothingToRemove {
        /// The place.
        path: KeyPath,
    },
    /// The changed paytable is not legal.
    #[error("{0}")]
    Paytable(Faults),
    /// A trigger that the sweep asks for is not in the changed paytable.
    #[error("the paytable has no `[triggers.{trigger}]`")]
    NoTrigger {
        /// The trigger.
        trigger: Trigger,
    },
}

/// One paytable of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Its number, from 0.
    pub index: u64,
    /// The name of its point, where the sweep lists points.
    pub point: Option<String>,
    /// Its values of the keys that the sweep changes; a key that it has not is absent.
    pub values: BTreeMap<String, Value>,
    /// The paytable and the triggers to compute, or why there is none.
    pub paytable: Result<(PaytableFile, Vec<Trigger>), PointFault>,
}

/// A sweep file with the paytable that it changes.
#[derive(Debug, Clone)]
pub struct Sweep {
    content: Content,
    sha256: String,
    base: PaytableFile,
    template: Template,
    keys: Vec<KeyPath>,
}

impl Sweep {
    /// Reads a sweep file and its base.
    ///
    /// # Errors
    /// - [`SweepError::Read`], [`SweepError::Faults`], [`SweepError::Base`]
    pub fn load(path: &Path) -> Result<Self, SweepError> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
            .map_err(|source| SweepError::Read {
                path: path.to_owned(),
                source,
            })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::parse(&path.display().to_string(), &bytes, folder)
    }

    /// Reads the bytes of a sweep file and its base.
    ///
    /// # Arguments
    /// - `origin`: names the file in faults
    /// - `folder`: from which the path of a base leads
    ///
    /// # Errors
    /// - [`SweepError::Faults`], [`SweepError::Base`]
    pub fn parse(origin: &str, bytes: &[u8], folder: &Path) -> Result<Self, SweepError> {
        let (_, content) = text::read_document(origin, bytes, "a sweep", |reader, root| {
            let content = file::content(reader, root);
            file::check(&content, &mut reader.findings);
            content
        })
        .map_err(SweepError::Faults)?;
        let base = if builtin::find(&content.base).is_some() {
            PaytableFile::load(&content.base)
        } else {
            PaytableFile::load(&folder.join(&content.base).to_string_lossy())
        }
        .map_err(SweepError::Base)?;
        Ok(Self {
            sha256: hex(&Sha256::digest(bytes)),
            template: Template::of(&base),
            keys: keys(&content),
            content,
            base,
        })
    }

    /// Name and identity.
    #[must_use]
    pub fn id(&self) -> SweepId {
        SweepId {
            name: self.content.name.clone(),
            sha256: self.sha256.clone(),
        }
    }

    /// The paytable that is changed.
    #[must_use]
    pub const fn base(&self) -> &PaytableFile {
        &self.base
    }

    /// How many paytables there are, from 1 to 10^6.
    #[must_use]
    pub fn paytables(&self) -> u64 {
        self.content.paytables()
    }

    /// The keys that change: those of the points in their order, then those of the axes.
    #[must_use]
    pub fn keys(&self) -> &[KeyPath] {
        &self.keys
    }

    pub(super) const fn simulate(&self) -> Option<&Simulate> {
        self.content.simulate.as_ref()
    }

    /// The paytable with a number.
    ///
    /// # Panics
    /// If `index` is not below [`paytables`](Self::paytables).
    #[must_use]
    pub fn variant(&self, index: u64) -> Variant {
        assert!(index < self.paytables(), "a paytable of the sweep");
        let mut rest = index;
        let mut places = Vec::new();
        for axis in self.content.axes.iter().rev() {
            let rows = axis.rows.len() as u64;
            let row = usize::try_from(rest % rows).expect("an index of a row in memory");
            places.push((axis, &axis.rows[row]));
            rest /= rows;
        }
        places.reverse();
        let point = usize::try_from(rest)
            .ok()
            .and_then(|index| self.content.points.get(index));
        let mut template = self.template.clone();
        let changed = change(&mut template, point, &places);
        let values = self
            .keys
            .iter()
            .filter_map(|key| Some((key.to_string(), template.value(key)?.clone())))
            .collect();
        let paytable = changed
            .and_then(|()| template.paytable().map_err(PointFault::Paytable))
            .and_then(|file| {
                let triggers = self.triggers(&file)?;
                Ok((file, triggers))
            });
        Variant {
            index,
            point: point.map(|point| point.name.clone()),
            values,
            paytable,
        }
    }

    fn triggers(&self, file: &PaytableFile) -> Result<Vec<Trigger>, PointFault> {
        let all = file.paytable.triggers.iter().map(|terms| terms.trigger);
        let Some(asked) = &self.content.triggers else {
            return Ok(all.collect());
        };
        for &trigger in asked {
            if file.paytable.terms(trigger).is_none() {
                return Err(PointFault::NoTrigger { trigger });
            }
        }
        Ok(asked.clone())
    }
}

/// Carries out the changes of a point and of a row of each axis.
fn change(
    template: &mut Template,
    point: Option<&Point>,
    places: &[(&super::axis::Axis, &Row)],
) -> Result<(), PointFault> {
    if let Some(point) = point {
        for (path, value) in &point.set {
            template.change(&Change::Set(path.clone(), value.clone()))?;
        }
        for path in &point.remove {
            // Of a key that is not there a letter is probably wrong.
            if template.value(path).is_none() {
                return Err(PointFault::NothingToRemove { path: path.clone() });
            }
            template.change(&Change::Remove(path.clone()))?;
        }
    }
    for (axis, row) in places {
        for (index, key) in axis.keys.iter().enumerate() {
            let change = match row {
                Row::Values(values) => Change::Set(key.clone(), values[index].clone()),
                Row::Without => Change::Remove(key.clone()),
            };
            template.change(&change)?;
        }
    }
    Ok(())
}

/// The keys of all changes, each once.
fn keys(content: &Content) -> Vec<KeyPath> {
    let of_points = content.points.iter().flat_map(|point| {
        let set = point.set.iter().map(|(key, _)| key);
        set.chain(&point.remove)
    });
    let of_axes = content.axes.iter().flat_map(|axis| &axis.keys);
    let mut keys: Vec<KeyPath> = Vec::new();
    for key in of_points.chain(of_axes) {
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    keys
}

/// A shard of a sweep of so many paytables, for a document.
pub(super) fn described(shard: Shard, paytables: u64) -> SweepShard {
    let Range { start, end } = shard.part_of(paytables);
    SweepShard {
        index: shard.index(),
        count: shard.count(),
        start,
        end,
    }
}
