//! The edits since answers that nodes have had: the last edit for most nodes, and all edits since its last good answer for a node
//! that fails.
//!
//! Edits of one leaf are one edit, from the content then to the content now; a leaf that is as it was then was not edited. Knows
//! nothing of nodes.

use std::collections::BTreeMap;

use pantin_world::LeafId;
use rustc_hash::FxHashMap;

use super::exported::Round;
use super::patch::{EditedLeaf, PatchRefusal, Patcher};

/// Edits are remembered for so many revisions: nodes that fail since an earlier one are compiled when they are mended.
const MAX_STARTS: usize = 8;

#[derive(Default)]
pub(super) struct EditJournal {
    /// By the revision in which nodes had an answer that a patch may start from.
    since: BTreeMap<u64, EditsSince>,
    /// The revision in which all nodes were brought up to date last.
    settled: u64,
    /// How many times something was edited since then.
    edits: usize,
    /// Some nodes were brought up to date between two of these edits.
    is_split: bool,
}

/// What was edited since a revision.
#[derive(Default)]
struct EditsSince {
    leaves: FxHashMap<LeafId, EditedLeaf>,
    /// One for each round: what an edit does to a catalog in which nothing is collected yet is another thing than what it does later.
    patchers: BTreeMap<Round, Patcher>,
}

impl EditJournal {
    /// Takes in an edit. `has_answered`: some nodes were brought up to date since the edit before.
    pub(super) fn add_edit(&mut self, edited: &[EditedLeaf], has_answered: bool) {
        if edited.is_empty() {
            return;
        }
        self.is_split |= self.edits > 0 && has_answered;
        self.edits += 1;
        self.since.entry(self.settled).or_default();
        for since in self.since.values_mut() {
            since.add_edit(edited);
        }
    }

    /// Makes the patchers of a round.
    pub(super) fn prepare_round(&mut self, round: Round) {
        let (settled, is_split) = (self.settled, self.is_split);
        self.since.entry(settled).or_default();
        for (revision, since) in &mut self.since {
            let EditsSince { leaves, patchers } = since;
            patchers.entry(round).or_insert_with(|| match is_split && *revision == settled {
                true => Patcher::refusing(PatchRefusal::SeveralEdits),
                false => Patcher::new(&sorted(leaves)),
            });
        }
    }

    /// Returns the patcher for nodes that were up to date before the last edit.
    pub(super) fn last_edit(&self, round: Round) -> Option<&Patcher> {
        self.since(self.settled, round)
    }

    /// Returns the patcher for nodes whose answer was right in this revision. `None`: what was edited since is forgotten.
    pub(super) fn since(&self, revision: u64, round: Round) -> Option<&Patcher> {
        self.since.get(&revision)?.patchers.get(&round)
    }

    /// The revision before the edit that is taken in, if all nodes that were up to date before it were so in that revision.
    pub(super) fn revision_before(&self) -> Option<u64> {
        (!self.is_split).then_some(self.settled)
    }

    /// All nodes are up to date in this revision. Edits since the revisions that are in use are still remembered.
    pub(super) fn end_edit(&mut self, now: u64, in_use: impl Fn(u64) -> bool) {
        self.since.retain(|revision, _| in_use(*revision));
        while self.since.len() > MAX_STARTS {
            self.since.pop_first();
        }
        self.since.values_mut().for_each(|since| since.patchers.clear());
        self.settled = now;
        self.edits = 0;
        self.is_split = false;
    }
}

impl EditsSince {
    fn add_edit(&mut self, edited: &[EditedLeaf]) {
        self.patchers.clear();
        for edit in edited {
            let before = self.leaves.remove(&edit.id);
            let merged = match before {
                Some(before) => before.followed_by(edit),
                None => edit.clone(),
            };
            if merged.is_edited() {
                self.leaves.insert(edit.id, merged);
            }
        }
    }
}

/// The edited leaves in the order of their numbers.
fn sorted(leaves: &FxHashMap<LeafId, EditedLeaf>) -> Vec<EditedLeaf> {
    let mut ids: Vec<LeafId> = leaves.keys().copied().collect();
    ids.sort_unstable();
    ids.iter().filter_map(|id| leaves.get(id)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use pantin_values::Digest;
    use pantin_world::{Leaf, LeafKind};

    use super::*;

    fn edited(before: u8, now: u8) -> EditedLeaf {
        let content = |number: u8| Some(Arc::from(number.to_string().as_bytes()));
        EditedLeaf {
            id: LeafId::in_block(0, 1).next().unwrap(),
            leaf: Leaf { kind: LeafKind::Text, path: Path::new("/x").into() },
            digests: (Digest::atom(before), Digest::atom(now)),
            before: content(before),
            now: content(now),
        }
    }

    #[test]
    fn edits_of_a_file_are_one_edit_and_none_where_it_is_as_it_was() {
        let mut since = EditsSince::default();
        since.add_edit(&[edited(1, 2)]);
        since.add_edit(&[edited(2, 3)]);
        let one = sorted(&since.leaves).remove(0);
        assert_eq!((one.before.as_deref(), one.now.as_deref()), (Some(&b"1"[..]), Some(&b"3"[..])));
        since.add_edit(&[edited(3, 1)]);
        assert!(since.leaves.is_empty());
    }

    #[test]
    fn edits_are_remembered_for_as_long_as_nodes_need_them() {
        let mut journal = EditJournal::default();
        for number in 1..4 {
            let revision = u64::from(number);
            journal.add_edit(&[edited(number, number + 1)], false);
            assert_eq!(journal.revision_before(), Some(revision - 1));
            journal.end_edit(revision, |revision| revision == 1);
        }
        assert_eq!(journal.since.keys().copied().collect::<Vec<_>>(), [1]);
        assert_eq!(sorted(&journal.since[&1].leaves)[0].digests, (Digest::atom(2), Digest::atom(4)));
    }

    #[test]
    fn nothing_starts_from_answers_between_two_edits() {
        let mut journal = EditJournal::default();
        journal.add_edit(&[edited(1, 2)], true);
        assert_eq!(journal.revision_before(), Some(0));
        journal.add_edit(&[edited(2, 3)], false);
        assert_eq!(journal.revision_before(), Some(0));
        journal.add_edit(&[edited(3, 4)], true);
        assert_eq!(journal.revision_before(), None);
    }
}
