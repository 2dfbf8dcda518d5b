//! Checks whether the dependencies of stored answers still hold: each leaf is read at most once, and only if no stamp
//! decides.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use pantin_world::{Leaves, nanoseconds_since_1970};

use super::Root;
use super::forms::{Difference, Forms, MovedFile};
use super::index::{Answer, Index, StoredLeaf};
use super::stamps::{self, Stamps, Table};

/// Whether what the disk said is what it says.
enum Verdict {
    Holds,
    /// It holds, as a stamp tells.
    Stamped,
    /// It does not, and that may make no difference.
    Other(Difference),
    Another,
}

/// By the numbers of the questions. Where two threads want the same one, one asks.
pub(super) struct Validator {
    judged: Vec<OnceLock<Verdict>>,
    root: Root,
    pub(super) forms: Forms,
    stamps: Stamps,
    /// Before anything was asked, in nanoseconds since 1970.
    began: i128,
}

impl Validator {
    pub(super) fn new(said: &[StoredLeaf], root: Root, forms: Forms, stamps: Table) -> Validator {
        let judged = said.iter().map(|_| OnceLock::new()).collect();
        Validator { judged, root, forms, stamps: Stamps::from_table(stamps), began: nanoseconds_since_1970() }
    }

    /// Where what was asked about is today.
    pub(super) fn path<'s>(&self, said: &'s StoredLeaf) -> Cow<'s, Path> {
        if said.is_inside { self.root.outside(&said.path).into() } else { Path::new(&said.path).into() }
    }

    /// Whether all that an answer depends on is as it was, but for what makes no difference to it. A number that stands for
    /// nothing is not.
    pub(super) fn all_hold(&self, answer: &Answer, index: &Index, leaves: &Leaves) -> bool {
        answer.dependencies.iter().all(|number| match self.verdict(number as usize, &index.leaves, leaves) {
            Some(Verdict::Other(Difference::Keys(keys))) => !index.asks_any(answer, keys),
            Some(verdict) => !matches!(verdict, Verdict::Another),
            None => false,
        })
    }

    /// The files of code among it that have other lines, after all was judged.
    pub(super) fn moved_files(&self, answer: &Answer, said: &[StoredLeaf]) -> Vec<MovedFile> {
        let moved = |number: u32| match (self.judged.get(number as usize)?.get()?, said.get(number as usize)?) {
            (Verdict::Other(Difference::Lines(lines)), said) => {
                Some(MovedFile { path: self.path(said).into_owned(), lines: Arc::clone(lines) })
            }
            _ => None,
        };
        answer.dependencies.iter().filter_map(moved).collect()
    }

    /// What is not as it was, and may make a difference.
    pub(super) fn changed_leaves<'i>(&self, answer: &Answer, index: &'i Index, leaves: &Leaves) -> Vec<&'i StoredLeaf> {
        let holds = |number| match self.verdict(number, &index.leaves, leaves) {
            Some(Verdict::Holds | Verdict::Stamped) => true,
            Some(Verdict::Other(Difference::Keys(keys))) => !index.asks_any(answer, keys),
            _ => false,
        };
        let changed = answer.dependencies.iter().map(|number| number as usize).filter(|&number| !holds(number));
        changed.filter_map(|number| index.leaves.get(number)).collect()
    }

    fn verdict(&self, number: usize, said: &[StoredLeaf], leaves: &Leaves) -> Option<&Verdict> {
        let said = said.get(number)?;
        Some(self.judged.get(number)?.get_or_init(|| self.judge(said, leaves)))
    }

    fn judge(&self, said: &StoredLeaf, leaves: &Leaves) -> Verdict {
        let path = self.path(said);
        match path.to_str().and_then(|path| self.stamps.digest(leaves.disk(), said.kind, path)) {
            Some(digest) if digest == said.digest => Verdict::Stamped,
            None if leaves.digest(said.kind, &path).bytes() == &said.digest => Verdict::Holds,
            _ => self.difference(said, &path, leaves).map_or(Verdict::Another, Verdict::Other),
        }
    }

    fn difference(&self, said: &StoredLeaf, path: &Path, leaves: &Leaves) -> Option<Difference> {
        let before = said.form.as_ref()?;
        before.difference(&self.forms.compute(said.kind, path, &leaves.content(said.kind, path)?)?)
    }

    /// The stamps of what was asked because none told.
    pub(super) fn stamps(&self, said: &[StoredLeaf], leaves: &Leaves) -> Option<Table> {
        let was_asked = |(judged, _): &(&OnceLock<Verdict>, &StoredLeaf)| matches!(judged.get(), Some(Verdict::Holds));
        let asked = self.judged.iter().zip(said).filter(was_asked);
        let asked: Vec<_> = asked.map(|(_, said)| (said.kind, self.path(said), said.digest)).collect();
        let asked =
            asked.iter().map(|(kind, path, digest)| stamps::StampedAnswer { kind: *kind, path, digest: *digest });
        stamps::looked_at(leaves.disk(), self.began, asked)
    }
}
