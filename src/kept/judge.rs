//! Whether the disk still says what it said: each question is asked once, and only when somebody rests on it and no stamp
//! tells.

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

use super::Root;
use super::index::{Numbers, Said};
use super::stamps::{self, Stamps, Table};
use crate::world::{Leaves, nanoseconds_since_1970};

/// Whether what the disk said is what it says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Holds,
    /// It holds, as a stamp tells.
    Stamped,
    Another,
}

/// By the numbers of the questions. Where two threads want the same one, one asks.
pub(super) struct Judge {
    judged: Vec<OnceLock<Verdict>>,
    root: Root,
    stamps: Stamps,
    /// Before anything was asked, in nanoseconds since 1970.
    began: i128,
}

impl Judge {
    pub(super) fn of(said: &[Said], root: Root, stamps: Table) -> Judge {
        let judged = said.iter().map(|_| OnceLock::new()).collect();
        Judge { judged, root, stamps: Stamps::of(stamps), began: nanoseconds_since_1970() }
    }

    /// Where what was asked about is today.
    pub(super) fn path<'s>(&self, said: &'s Said) -> Cow<'s, Path> {
        if said.is_inside { self.root.outside(&said.path).into() } else { Path::new(&said.path).into() }
    }

    /// Whether all of these are as they were. A number that stands for nothing is not.
    pub(super) fn all_hold(&self, rests: &Numbers, said: &[Said], leaves: &Leaves) -> bool {
        rests.iter().all(|number| self.holds(number as usize, said, leaves))
    }

    /// Those that are not as they were.
    pub(super) fn changed<'s>(&self, rests: &Numbers, said: &'s [Said], leaves: &Leaves) -> Vec<&'s Said> {
        let numbers = rests.iter().map(|number| number as usize);
        numbers.filter(|&number| !self.holds(number, said, leaves)).filter_map(|number| said.get(number)).collect()
    }

    fn holds(&self, number: usize, said: &[Said], leaves: &Leaves) -> bool {
        let (Some(judged), Some(said)) = (self.judged.get(number), said.get(number)) else { return false };
        *judged.get_or_init(|| self.judge(said, leaves)) != Verdict::Another
    }

    fn judge(&self, said: &Said, leaves: &Leaves) -> Verdict {
        let path = self.path(said);
        match path.to_str().and_then(|path| self.stamps.digest(leaves.disk(), said.kind, path)) {
            Some(digest) if digest == said.digest => Verdict::Stamped,
            None if leaves.digest(said.kind, &path).bytes() == &said.digest => Verdict::Holds,
            _ => Verdict::Another,
        }
    }

    /// The stamps of what was asked because none told.
    pub(super) fn stamps(&self, said: &[Said], leaves: &Leaves) -> Option<Table> {
        let was_asked = |(judged, _): &(&OnceLock<Verdict>, &Said)| judged.get() == Some(&Verdict::Holds);
        let asked = self.judged.iter().zip(said).filter(was_asked);
        let asked: Vec<_> = asked.map(|(_, said)| (said.kind, self.path(said), said.digest)).collect();
        let asked = asked.iter().map(|(kind, path, digest)| stamps::Said { kind: *kind, path, digest: *digest });
        stamps::looked_at(leaves.disk(), self.began, asked)
    }
}
