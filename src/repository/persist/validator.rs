//! Checks whether the dependencies of stored answers still hold: each leaf is read at most once, and only if no stamp
//! decides.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use pantin_world::{LeafKind, Leaves, nanoseconds_since_1970};

use super::Root;
use super::forms::{Difference, Forms, MovedFile};
use super::index::{Answer, Index, StoredLeaf};
use super::stamps::{self, Stamps, Table};

/// Whether a stored leaf still has the same digest.
enum Verdict {
    Holds,
    /// It holds: the file's stamp did not change, so it was not read.
    Stamped,
    /// The content changed, but perhaps not in what the answer depends on.
    Other(Difference),
    /// What is known of the answer's subject changed, but perhaps not in what the answer read of it.
    OtherNode([u8; 16]),
    Another,
}

/// The number of a leaf with what is known of an answer's subject, and the digest that it has now.
pub(super) type ChangedNodeLeaf = (u32, [u8; 16]);

/// Computes each verdict once, whichever thread needs it first.
pub(super) struct Validator {
    verdicts: Vec<OnceLock<Verdict>>,
    root: Root,
    pub(super) forms: Forms,
    stamps: Stamps,
    /// When validation began, in nanoseconds since 1970.
    began: i128,
}

impl Validator {
    pub(super) fn new(leaves: &[StoredLeaf], root: Root, forms: Forms, stamps: Table) -> Validator {
        let verdicts = leaves.iter().map(|_| OnceLock::new()).collect();
        Validator { verdicts, root, forms, stamps: Stamps::from_table(stamps), began: nanoseconds_since_1970() }
    }

    /// Returns the path of a leaf in the repository as it is now.
    pub(super) fn path<'s>(&self, leaf: &'s StoredLeaf) -> Cow<'s, Path> {
        if leaf.is_inside { self.root.outside(&leaf.path).into() } else { Path::new(&leaf.path).into() }
    }

    /// Returns the leaves with what is known of an answer's subject that have changed, if all its other dependencies hold, or changed
    /// only in what the answer does not depend on. A number without a leaf does not hold.
    pub(super) fn holding(&self, answer: &Answer, index: &Index, leaves: &Leaves) -> Option<Vec<ChangedNodeLeaf>> {
        let mut changed = Vec::new();
        for number in answer.dependencies.iter() {
            match self.verdict(number as usize, &index.leaves, leaves)? {
                Verdict::Other(Difference::Keys(keys)) if index.asks_any(answer, keys) => return None,
                Verdict::Another => return None,
                Verdict::OtherNode(digest) => changed.push((number, *digest)),
                Verdict::Holds | Verdict::Stamped | Verdict::Other(_) => {}
            }
        }
        Some(changed)
    }

    /// Returns the dependencies whose code only moved to other lines. Call it after [`Validator::holding`].
    pub(super) fn moved_files(&self, answer: &Answer, stored: &[StoredLeaf]) -> Vec<MovedFile> {
        let moved = |number: u32| match (self.verdicts.get(number as usize)?.get()?, stored.get(number as usize)?) {
            (Verdict::Other(Difference::Lines(lines)), leaf) => {
                Some(MovedFile { path: self.path(leaf).into_owned(), lines: Arc::clone(lines) })
            }
            _ => None,
        };
        answer.dependencies.iter().filter_map(moved).collect()
    }

    /// Returns the dependencies that no longer hold. Code that only moved to other lines is a reason where there is no
    /// other: the answer names these lines. `except_nodes`: without files with what is known of the answer's subject.
    pub(super) fn changed_leaves<'i>(
        &self,
        answer: &Answer,
        index: &'i Index,
        leaves: &Leaves,
        except_nodes: bool,
    ) -> Vec<&'i StoredLeaf> {
        let (mut changed, mut moved) = (Vec::new(), Vec::new());
        for number in answer.dependencies.iter().map(|number| number as usize) {
            let list = match self.verdict(number, &index.leaves, leaves) {
                Some(Verdict::Holds | Verdict::Stamped) => continue,
                Some(Verdict::Other(Difference::Keys(keys))) if !index.asks_any(answer, keys) => continue,
                Some(Verdict::OtherNode(_)) if except_nodes => continue,
                Some(Verdict::Other(Difference::Lines(_))) => &mut moved,
                _ => &mut changed,
            };
            list.extend(index.leaves.get(number));
        }
        if changed.is_empty() { moved } else { changed }
    }

    fn verdict(&self, number: usize, stored: &[StoredLeaf], leaves: &Leaves) -> Option<&Verdict> {
        let leaf = stored.get(number)?;
        Some(self.verdicts.get(number)?.get_or_init(|| self.compute_verdict(leaf, leaves)))
    }

    fn compute_verdict(&self, leaf: &StoredLeaf, leaves: &Leaves) -> Verdict {
        let path = self.path(leaf);
        match path.to_str().and_then(|path| self.stamps.digest(leaves.disk(), leaf.kind, path)) {
            Some(digest) if digest == leaf.digest => Verdict::Stamped,
            known if leaf.kind == LeafKind::NodeFacts => {
                let digest = known.unwrap_or_else(|| *leaves.digest(leaf.kind, &path).bytes());
                if digest == leaf.digest { Verdict::Holds } else { Verdict::OtherNode(digest) }
            }
            None if leaves.digest(leaf.kind, &path).bytes() == &leaf.digest => Verdict::Holds,
            _ => self.difference(leaf, &path, leaves).map_or(Verdict::Another, Verdict::Other),
        }
    }

    fn difference(&self, leaf: &StoredLeaf, path: &Path, leaves: &Leaves) -> Option<Difference> {
        let before = leaf.form.as_ref()?;
        before.difference(&self.forms.compute(leaf.kind, path, &leaves.content(leaf.kind, path)?)?)
    }

    /// Returns the names of the rows of a file of bindings that have changed and that an answer depends on.
    pub(super) fn changed_rows(
        &self,
        leaf: &StoredLeaf,
        answer: &Answer,
        index: &Index,
        leaves: &Leaves,
    ) -> Vec<String> {
        let path = self.path(leaf);
        if leaf.kind != LeafKind::Bindings {
            return Vec::new();
        }
        let Some(Difference::Keys(changed)) = self.difference(leaf, &path, leaves) else { return Vec::new() };
        let asked = index.keys_of(answer).unwrap_or_default();
        let changed: Vec<u128> = changed.iter().copied().filter(|key| asked.contains(key)).collect();
        let content = leaves.content(leaf.kind, &path);
        content.map(|content| (self.forms.readers.row_names)(&path, &content, &changed)).unwrap_or_default()
    }

    /// Stamps for the leaves that had to be read because no stamp decided.
    pub(super) fn stamps(&self, stored: &[StoredLeaf], leaves: &Leaves) -> Option<Table> {
        let read = self.verdicts.iter().zip(stored).filter_map(|(verdict, leaf)| match verdict.get()? {
            Verdict::Holds => Some((leaf.kind, self.path(leaf), leaf.digest)),
            Verdict::OtherNode(digest) => Some((leaf.kind, self.path(leaf), *digest)),
            _ => None,
        });
        let read: Vec<_> = read.collect();
        let read = read.iter().map(|(kind, path, digest)| stamps::StampedAnswer { kind: *kind, path, digest: *digest });
        stamps::stamp_answers(leaves.disk(), self.began, read)
    }
}
