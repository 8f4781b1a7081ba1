//! Many results joined.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::cover::{Cover, Part, in_words};
use super::fault::{MergeError, MergeFault, PieceFault};
use super::piece::{Paytables, Piece, result_document, result_triggers};
use super::run::Run;
use crate::document::{EstimateJson, ResultDocument, ResultPlan, SimulateTrigger};
use crate::engine::{Detail, EngineError, Leaf, RunPlan, Simulation, Tally};
use crate::paytable::PaytableFile;
use crate::rules::Trigger;
use crate::stats::StatsError;

/// Files that are joined.
///
/// Each is read, checked and added up by itself; what is kept of it is its range and, if
/// wanted, its leaves.
#[derive(Debug)]
pub struct Merger {
    keeps_leaves: bool,
    paytables: Paytables,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    groups: Vec<Group>,
    /// Faults of files by their place.
    faults: Vec<(usize, MergeFault)>,
    files: usize,
}

/// Results of one run.
#[derive(Debug)]
struct Group {
    run: Run,
    sums: Vec<(Tally, Detail)>,
    held: Vec<Held>,
    overflow: Option<EngineError>,
}

/// What is kept of a file.
#[derive(Debug)]
struct Held {
    place: usize,
    path: PathBuf,
    part: Part,
    /// Those of each trigger.
    leaves: Vec<Vec<Leaf>>,
}

/// The result of a whole run from those of its parts.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The paytable that the files carry.
    pub file: Arc<PaytableFile>,
    /// The plan.
    pub plan: ResultPlan,
    /// One for each trigger, ascending; without leaves where none were kept.
    pub simulations: Vec<Simulation>,
}

impl Merged {
    /// The document with leaves.
    ///
    /// # Errors
    /// [`StatsError`]: never for files that were read
    pub fn document(&self) -> Result<ResultDocument, StatsError> {
        result_document(&self.file, self.plan.clone(), None, &self.simulations)
    }

    /// The entries of the triggers with their estimates.
    ///
    /// # Errors
    /// [`StatsError`]: never for files that were read
    pub fn triggers(&self) -> Result<Vec<SimulateTrigger<Option<EstimateJson>>>, StatsError> {
        let level = self.plan.confidence_level;
        result_triggers(&self.file.paytable, &self.simulations, level)
    }
}

/// What is missing of a run.
#[derive(Debug)]
pub struct Missing {
    /// Indices of the shards that have to be played, ascending.
    pub indices: Vec<u64>,
    /// Number of shards.
    pub count: u64,
    /// What is wrong with the files that are there.
    pub faults: Vec<MergeFault>,
}

impl Merger {
    /// Reads files, on as many threads as the pool has.
    ///
    /// # Arguments
    /// - `keeps_leaves`: whether the merged result is to have leaves
    #[must_use]
    pub fn read(paths: &[PathBuf], keeps_leaves: bool) -> Self {
        let merger = Self {
            keeps_leaves,
            paytables: Paytables::new(),
            state: Mutex::default(),
        };
        paths
            .par_iter()
            .enumerate()
            .for_each(|(place, path)| merger.add(place, path));
        merger
    }

    fn add(&self, place: usize, path: &Path) {
        let piece = fs::read(path)
            .map_err(PieceFault::Read)
            .and_then(|bytes| Piece::read(&bytes, &self.paytables));
        let mut state = self.state();
        state.files += 1;
        match piece {
            Ok(piece) => state.take(place, path, piece, self.keeps_leaves),
            Err(fault) => {
                let path = path.to_owned();
                state
                    .faults
                    .push((place, MergeFault::Piece { path, fault }));
            }
        }
    }

    /// Only sums could be half-done by a thread that panicked, and the panic goes on.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result of the whole run.
    ///
    /// # Errors
    /// - [`MergeError::Faults`]: everything that is wrong with the files
    pub fn finish(self) -> Result<Merged, MergeError> {
        let keeps_leaves = self.keeps_leaves;
        let mut settled = self.settled();
        if settled.is_empty {
            settled.faults.push(MergeFault::Nothing);
        }
        let Some(group) = settled.group else {
            return Err(MergeError::Faults(settled.faults));
        };
        let plan = group.run.run_plan();
        let mut faults = settled.faults;
        faults.extend(group.faults_of_cover(&plan));
        faults.extend(group.overflow.clone().map(MergeFault::Sum));
        if faults.is_empty() {
            Ok(group.merged(keeps_leaves))
        } else {
            Err(MergeError::Faults(faults))
        }
    }

    /// What has to be played before the run is whole.
    ///
    /// # Arguments
    /// - `count`: number of shards; `None` for that of the files
    ///
    /// # Returns
    /// `None` where nothing tells the number of shards: there is no good file, or there are
    /// shards of several numbers
    #[must_use]
    pub fn missing(self, count: Option<u64>) -> Option<Missing> {
        let settled = self.settled();
        let mut faults = settled.faults;
        let Some(group) = settled.group else {
            let count = count?;
            return Some(Missing {
                indices: (1..=count).collect(),
                count,
                faults,
            });
        };
        let count = count.or_else(|| group.common_count())?;
        let plan = group.run.run_plan();
        let indices = group.cover(&plan).missing(&plan, count);
        let of_cover = group.faults_of_cover(&plan);
        faults.extend(
            of_cover
                .into_iter()
                .filter(|fault| !matches!(fault, MergeFault::Missing { .. })),
        );
        Some(Missing {
            indices,
            count,
            faults,
        })
    }

    /// The run that most files are of, and what is wrong with the others.
    fn settled(self) -> Settled {
        let state = self.state.into_inner();
        let State {
            mut groups,
            mut faults,
            files,
        } = state.unwrap_or_else(PoisonError::into_inner);
        for group in &mut groups {
            // Threads add files in any order.
            group.held.sort_by_key(|held| held.place);
        }
        let first = |group: &Group| group.held[0].place;
        groups.sort_by_key(|group| (usize::MAX - group.held.len(), first(group)));
        let mut groups = groups.into_iter();
        let group = groups.next();
        if let Some(main) = &group {
            for other in groups {
                let difference = other.run.difference(&main.run);
                let difference = difference.expect("groups differ in something");
                faults.extend(other.held.into_iter().map(|held| {
                    let fault = MergeFault::Foreign {
                        path: held.path,
                        difference: difference.clone(),
                    };
                    (held.place, fault)
                }));
            }
        }
        faults.sort_by_key(|(place, _)| *place);
        Settled {
            group,
            faults: faults.into_iter().map(|(_, fault)| fault).collect(),
            is_empty: files == 0,
        }
    }
}

struct Settled {
    group: Option<Group>,
    faults: Vec<MergeFault>,
    is_empty: bool,
}

impl State {
    fn take(&mut self, place: usize, path: &Path, piece: Piece, keeps_leaves: bool) {
        let part = piece.part();
        let run = piece.run;
        let position = self.groups.iter().position(|group| group.run == run);
        let group = if let Some(position) = position {
            &mut self.groups[position]
        } else {
            let none = |_: &Trigger| (Tally::new(), Detail::new(&run.file.paytable));
            self.groups.push(Group {
                sums: run.triggers.iter().map(none).collect(),
                run,
                held: Vec::new(),
                overflow: None,
            });
            self.groups.last_mut().expect("it was pushed")
        };
        let mut leaves = Vec::new();
        for ((tally, detail), simulation) in group.sums.iter_mut().zip(piece.simulations) {
            let added = tally
                .merge(&simulation.tally)
                .and_then(|()| detail.merge(&simulation.detail));
            group.overflow = group.overflow.take().or(added.err());
            if keeps_leaves {
                leaves.push(simulation.leaves);
            }
        }
        group.held.push(Held {
            place,
            path: path.to_owned(),
            part,
            leaves,
        });
    }
}

impl Group {
    fn cover(&self, plan: &RunPlan) -> Cover {
        let parts: Vec<Part> = self.held.iter().map(|held| held.part.clone()).collect();
        Cover::new(plan.batches(), &parts)
    }

    /// The number of shards, where all files are shards of the same number.
    fn common_count(&self) -> Option<u64> {
        let count = |held: &Held| held.part.shard.count();
        let first = count(self.held.first()?);
        self.held
            .iter()
            .all(|held| count(held) == first)
            .then_some(first)
    }

    fn faults_of_cover(&self, plan: &RunPlan) -> Vec<MergeFault> {
        let cover = self.cover(plan);
        let held = |place: usize| &self.held[place];
        let path = |place: usize| held(place).path.clone();
        let part = |place: usize| held(place).part.clone();
        let mut faults = Vec::new();
        for places in &cover.doubled {
            faults.push(MergeFault::Doubled {
                paths: places.iter().copied().map(path).collect(),
                part: part(places[0]),
            });
        }
        for &[a, b] in &cover.overlapping {
            faults.push(MergeFault::Overlapping {
                paths: [path(a), path(b)],
                parts: [part(a), part(b)],
            });
        }
        if !cover.gaps.is_empty() {
            let what = if let Some(count) = self.common_count() {
                let indices = cover.missing(plan, count);
                let plural = if indices.len() == 1 { "" } else { "s" };
                format!("shard{plural} {} of {count}", in_words(&indices))
            } else {
                let gaps: Vec<String> = cover
                    .gaps
                    .iter()
                    .map(|gap| format!("{} to {}", gap.start, gap.end))
                    .collect();
                format!("batches {} of {}", gaps.join(", "), plan.batches())
            };
            faults.push(MergeFault::Missing { what });
        }
        faults
    }

    /// The whole, once its parts cover it.
    fn merged(mut self, keeps_leaves: bool) -> Merged {
        self.held.sort_by_key(|held| held.part.batches.start);
        let mut leaves = vec![Vec::new(); self.run.triggers.len()];
        for held in self.held {
            for (all, of) in leaves.iter_mut().zip(held.leaves) {
                all.extend(of);
            }
        }
        debug_assert!(keeps_leaves || leaves.iter().all(Vec::is_empty));
        let simulations = self
            .run
            .triggers
            .iter()
            .zip(self.sums)
            .zip(leaves)
            .map(|((&trigger, (tally, detail)), leaves)| {
                let plan = RunPlan {
                    trigger,
                    ..self.run.run_plan()
                };
                Simulation {
                    batches: 0..plan.batches(),
                    is_partial: false,
                    engine: plan.engine,
                    fallback: None,
                    plan,
                    tally,
                    detail,
                    leaves,
                }
            })
            .collect();
        Merged {
            file: self.run.file,
            plan: self.run.plan,
            simulations,
        }
    }
}
