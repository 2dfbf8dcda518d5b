//! What a run has changed so far, in order, and whom of those that were looked at before it meets.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use pantin_machine::Reading;
use rustc_hash::FxHashSet;

use crate::footprint::{ACCOUNT_FILES, Footprint, Reach, ResolvedPaths};
use crate::plan::ChangeOrigin;

/// What was changed, in order, each with the vertex that did it.
#[derive(Default)]
pub(super) struct Changes {
    list: Vec<(u32, Footprint)>,
}

impl Changes {
    pub(super) fn push(&mut self, by: u32, footprint: Footprint) {
        self.list.push((by, footprint));
    }

    /// Returns how many changes there were: whoever is looked at now has seen so many.
    pub(super) fn count(&self) -> u32 {
        self.list.len() as u32
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The changes of a run by what they reach.
#[derive(Default)]
pub(super) struct ChangeIndex {
    paths: BTreeMap<PathBuf, Vec<Change>>,
    of_anything: Vec<Change>,
    of_accounts: Vec<Change>,
    of_units: Vec<Change>,
    all: Vec<Change>,
}

#[derive(Clone, Copy)]
struct Change {
    number: u32,
    by: ChangeOrigin,
}

/// A resource that asks whether it is met.
pub(super) struct KnownChanges<'a> {
    /// How many changes there were when it was looked at.
    pub changes: u32,
    /// Itself, and what it made.
    pub family: &'a FxHashSet<u32>,
}

impl KnownChanges<'_> {
    /// Returns who has made a change that the resource has not seen.
    fn missed(&self, changes: &[Change]) -> Option<ChangeOrigin> {
        let is_own = |by: &ChangeOrigin| matches!(by, ChangeOrigin::ThisRun(number) if self.family.contains(number));
        changes
            .iter()
            .rev()
            .take_while(|change| change.number >= self.changes)
            .map(|change| change.by)
            .find(|by| !is_own(by))
    }
}

impl ChangeIndex {
    pub(super) fn new(changes: &Changes, machine: &dyn Reading) -> ChangeIndex {
        let mut resolved = ResolvedPaths::new(machine);
        let mut index = ChangeIndex::default();
        for (number, (by, footprint)) in (0..).zip(&changes.list) {
            index.add(number, ChangeOrigin::ThisRun(*by), &resolved.resolve(footprint));
        }
        index
    }

    /// Adds a change with what it reaches, whose paths are resolved.
    pub(super) fn add(&mut self, number: u32, by: ChangeOrigin, footprint: &Footprint) {
        let (reach, change) = (Reach::from_footprint(footprint), Change { number, by });
        self.all.push(change);
        for (is_reached, list) in [
            (reach.writes_anything, &mut self.of_anything),
            (reach.writes_accounts, &mut self.of_accounts),
            (reach.is_of_units, &mut self.of_units),
        ] {
            if is_reached {
                list.push(change);
            }
        }
        for path in &reach.writes {
            if ACCOUNT_FILES.iter().any(|file| Path::new(file) == *path) {
                self.of_accounts.push(change);
            }
            self.paths.entry(path.to_path_buf()).or_default().push(change);
        }
    }

    /// Returns true if somebody else's change may show in a resource that was looked at before it.
    pub(super) fn meets(&self, footprint: &Footprint, seen: &KnownChanges<'_>) -> bool {
        self.find(footprint, seen).is_some()
    }

    /// Returns who has made the change that `meets` tells of.
    pub(super) fn find(&self, footprint: &Footprint, seen: &KnownChanges<'_>) -> Option<ChangeOrigin> {
        let reach = Reach::from_footprint(footprint);
        if !reach.is_something() {
            return None;
        }
        let paths = || reach.writes.iter().chain(&reach.below);
        None.or_else(|| paths().find_map(|path| self.find_on_the_way(path, seen)))
            .or_else(|| reach.below.iter().find_map(|path| self.find_below(path, seen)))
            .or_else(|| seen.missed(&self.of_anything))
            .or_else(|| seen.missed(&self.all).filter(|_| reach.reads_anything))
            .or_else(|| seen.missed(&self.of_accounts).filter(|_| reach.reads_accounts))
            .or_else(|| seen.missed(&self.of_units).filter(|_| reach.is_of_units))
    }

    fn find_on_the_way(&self, path: &Path, seen: &KnownChanges<'_>) -> Option<ChangeOrigin> {
        path.ancestors().filter_map(|path| self.paths.get(path)).find_map(|changes| seen.missed(changes))
    }

    fn find_below(&self, path: &Path, seen: &KnownChanges<'_>) -> Option<ChangeOrigin> {
        let below = self
            .paths
            .range::<Path, _>((Bound::Included(path), Bound::Unbounded))
            .take_while(|(other, _)| other.starts_with(path));
        below.into_iter().find_map(|(_, changes)| seen.missed(changes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::FileFootprint;
    use pantin_machine::InMemory;

    fn file(path: &str) -> Footprint {
        Footprint::Files(FileFootprint { writes: vec![path.into()], ..FileFootprint::default() })
    }

    fn tree(path: &str) -> Footprint {
        Footprint::Files(FileFootprint { writes_below: vec![path.into()], ..FileFootprint::default() })
    }

    #[test]
    fn later_changes_of_others_are_met_and_no_others() {
        let machine = InMemory::new();
        let mut changes = Changes::default();
        changes.push(1, file("/a/b"));
        changes.push(2, file("/c"));
        let index = ChangeIndex::new(&changes, &machine);
        let family: FxHashSet<u32> = [7].into_iter().collect();
        let meets = |footprint: &Footprint, seen: u32, family: &FxHashSet<u32>| {
            index.meets(footprint, &KnownChanges { changes: seen, family })
        };
        assert!(meets(&file("/a/b"), 0, &family));
        assert!(!meets(&file("/a/b"), 1, &family), "it was looked at after the change");
        assert!(!meets(&file("/a/b"), 0, &[1].into_iter().collect()), "its own change");
        assert!(meets(&file("/a/b/c"), 0, &family), "a folder on the way");
        assert!(!meets(&file("/a"), 0, &family));
        assert!(meets(&tree("/a"), 0, &family));
        assert!(meets(&file("/c"), 1, &family));
        assert!(!meets(&Footprint::Nothing, 0, &family));

        let mut changes = Changes::default();
        changes.push(1, Footprint::Anything);
        let index = ChangeIndex::new(&changes, &machine);
        assert!(index.meets(&file("/x"), &KnownChanges { changes: 0, family: &family }));
    }
}
