//! Whether the disk still says what it said: each question is asked once, and only when somebody rests on it and no stamp
//! tells.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::Root;
use super::index::{Numbers, Said};
use super::stamps::{self, Stamps, Table};
use crate::base::{Form, MovedLines};
use crate::world::{Leaves, nanoseconds_since_1970};

/// Whether what the disk said is what it says.
enum Verdict {
    Holds,
    /// It holds, as a stamp tells.
    Stamped,
    /// It is code that means what it meant, on other lines.
    Moved(Arc<MovedLines>),
    Another,
}

/// What a text means as code; `None`: it is none.
pub type FormOf = fn(&[u8]) -> Option<Form>;

/// A file of code that means what it meant.
#[derive(Clone, Debug)]
pub struct MovedFile {
    pub path: PathBuf,
    pub lines: Arc<MovedLines>,
}

/// By the numbers of the questions. Where two threads want the same one, one asks.
pub(super) struct Judge {
    judged: Vec<OnceLock<Verdict>>,
    root: Root,
    form_of: FormOf,
    stamps: Stamps,
    /// Before anything was asked, in nanoseconds since 1970.
    began: i128,
}

impl Judge {
    pub(super) fn of(said: &[Said], root: Root, form_of: FormOf, stamps: Table) -> Judge {
        let judged = said.iter().map(|_| OnceLock::new()).collect();
        Judge { judged, root, form_of, stamps: Stamps::of(stamps), began: nanoseconds_since_1970() }
    }

    /// Where what was asked about is today.
    pub(super) fn path<'s>(&self, said: &'s Said) -> Cow<'s, Path> {
        if said.is_inside { self.root.outside(&said.path).into() } else { Path::new(&said.path).into() }
    }

    /// Whether all of these are as they were, but for the lines of code. A number that stands for nothing is not.
    pub(super) fn all_hold(&self, rests: &Numbers, said: &[Said], leaves: &Leaves) -> bool {
        let mut verdicts = rests.iter().map(|number| self.verdict(number as usize, said, leaves));
        verdicts.all(|verdict| !matches!(verdict, None | Some(Verdict::Another)))
    }

    /// Those of them that are code on other lines, after all were judged.
    pub(super) fn moved(&self, rests: &Numbers, said: &[Said]) -> Vec<MovedFile> {
        let moved = |number: u32| match (self.judged.get(number as usize)?.get()?, said.get(number as usize)?) {
            (Verdict::Moved(lines), said) => {
                Some(MovedFile { path: self.path(said).into_owned(), lines: Arc::clone(lines) })
            }
            _ => None,
        };
        rests.iter().filter_map(moved).collect()
    }

    /// Those that are not as they were.
    pub(super) fn changed<'s>(&self, rests: &Numbers, said: &'s [Said], leaves: &Leaves) -> Vec<&'s Said> {
        let numbers = rests.iter().map(|number| number as usize);
        let holds = |number| matches!(self.verdict(number, said, leaves), Some(Verdict::Holds | Verdict::Stamped));
        numbers.filter(|&number| !holds(number)).filter_map(|number| said.get(number)).collect()
    }

    fn verdict(&self, number: usize, said: &[Said], leaves: &Leaves) -> Option<&Verdict> {
        let said = said.get(number)?;
        Some(self.judged.get(number)?.get_or_init(|| self.judge(said, leaves)))
    }

    fn judge(&self, said: &Said, leaves: &Leaves) -> Verdict {
        let path = self.path(said);
        match path.to_str().and_then(|path| self.stamps.digest(leaves.disk(), said.kind, path)) {
            Some(digest) if digest == said.digest => Verdict::Stamped,
            None if leaves.digest(said.kind, &path).bytes() == &said.digest => Verdict::Holds,
            _ => self.moved_lines(said, &path, leaves).map_or(Verdict::Another, Verdict::Moved),
        }
    }

    fn moved_lines(&self, said: &Said, path: &Path, leaves: &Leaves) -> Option<Arc<MovedLines>> {
        let before = said.form.as_ref()?.form();
        before.moved_to(&(self.form_of)(&leaves.content(said.kind, path)?)?).map(Arc::new)
    }

    /// The stamps of what was asked because none told.
    pub(super) fn stamps(&self, said: &[Said], leaves: &Leaves) -> Option<Table> {
        let was_asked = |(judged, _): &(&OnceLock<Verdict>, &Said)| matches!(judged.get(), Some(Verdict::Holds));
        let asked = self.judged.iter().zip(said).filter(was_asked);
        let asked: Vec<_> = asked.map(|(_, said)| (said.kind, self.path(said), said.digest)).collect();
        let asked = asked.iter().map(|(kind, path, digest)| stamps::Said { kind: *kind, path, digest: *digest });
        stamps::looked_at(leaves.disk(), self.began, asked)
    }
}
