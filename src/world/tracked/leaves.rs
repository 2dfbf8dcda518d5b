//! The leaves: every question that was put to the disk, with its answer and digest. A new `LeafKind` also needs words in
//! `repository/reasons.rs`, and may have stamps (`repository/persist/stamps.rs`).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, PoisonError, RwLock, RwLockReadGuard};

use pantin_base::LiteralPath;
use pantin_values::{Digest, Digester};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::absent::Absent;
use super::reads::{CheckedDependencies, Dependencies, Reads};
use crate::{Disk, Entry, FileFacts, Folders, ReadError, Touched};

/// What is read of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum LeafKind {
    Content,
    /// The content of a manifest that is read as code, where comments do not count.
    Code,
    /// The content of a data file, where only the keys that are looked up count.
    Data,
    /// The content of a file of bindings, where only the rows that are looked at count.
    Bindings,
    /// The content of a file that code reads as text: a template, or what `file` reads.
    Text,
    /// The content of a file with a key, which code never gets.
    Key,
    /// The content of a file with the facts of one node, where only those that are read count.
    NodeFacts,
    /// The content of a Puppetfile, where the modules count that it names.
    Puppetfile,
    Exists,
    /// Whether the name exists, whatever a link of that name leads to.
    Named,
    Folder,
    List,
    /// Whether a file of bindings is there, for whoever looks for definitions: what else looks at the name is another question.
    BindingsFile,
    /// What is in a folder of bindings, for the same.
    BindingsList,
    Link,
    /// The metadata; of a link, those of its target.
    Facts,
    LinkFacts,
    /// A variable of the process: its name stands for the path.
    Variable,
    /// Not a question: this text, a path or one in which paths may stand, was handed to code. Whatever code makes of it depends on
    /// where the files are.
    Revealed,
}

impl LeafKind {
    /// Each of them once.
    pub const ALL: [LeafKind; 19] = [
        LeafKind::Content,
        LeafKind::Code,
        LeafKind::Data,
        LeafKind::Bindings,
        LeafKind::Text,
        LeafKind::Key,
        LeafKind::NodeFacts,
        LeafKind::Puppetfile,
        LeafKind::Exists,
        LeafKind::Named,
        LeafKind::Folder,
        LeafKind::List,
        LeafKind::BindingsFile,
        LeafKind::BindingsList,
        LeafKind::Link,
        LeafKind::Facts,
        LeafKind::LinkFacts,
        LeafKind::Variable,
        LeafKind::Revealed,
    ];

    /// Returns true if the answer is the bytes of a file.
    pub fn is_text(self) -> bool {
        matches!(self.nothing(), LeafAnswer::Content(_))
    }

    /// Returns the digest of the answer that nothing is there.
    pub fn digest_of_nothing(self) -> Digest {
        static DIGESTS: LazyLock<[Digest; KINDS]> =
            LazyLock::new(|| LeafKind::ALL.map(|kind| kind.nothing().made_digest()));
        DIGESTS[self as usize]
    }

    /// Returns the answer that nothing is there.
    fn nothing(self) -> LeafAnswer {
        match self {
            LeafKind::Content
            | LeafKind::Code
            | LeafKind::Data
            | LeafKind::Bindings
            | LeafKind::Text
            | LeafKind::Key
            | LeafKind::NodeFacts
            | LeafKind::Puppetfile => LeafAnswer::Content(Ok(None)),
            LeafKind::Exists | LeafKind::Named | LeafKind::Folder | LeafKind::BindingsFile | LeafKind::Revealed => {
                LeafAnswer::Is(false)
            }
            LeafKind::List | LeafKind::BindingsList => LeafAnswer::List(Ok(None)),
            LeafKind::Link => LeafAnswer::Link(None),
            LeafKind::Facts | LeafKind::LinkFacts => LeafAnswer::Facts(Ok(None)),
            LeafKind::Variable => LeafAnswer::Variable(None),
        }
    }

    /// Returns the digest of a yes-or-no answer.
    pub fn digest_of(self, is: bool) -> Digest {
        static DIGESTS: LazyLock<[Digest; 2]> =
            LazyLock::new(|| [false, true].map(|is| LeafAnswer::Is(is).made_digest()));
        DIGESTS[usize::from(is)]
    }
}

const KINDS: usize = LeafKind::ALL.len();

/// One leaf: what is read, and of which path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    pub kind: LeafKind,
    pub path: Arc<Path>,
}

/// Its number, for the life of the process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LeafId(pub(super) u32);

impl LeafId {
    /// Leaves stand in blocks of as many as a word has bits: which block it is in, and the bit that it has there.
    pub fn place(self) -> (u32, u64) {
        (self.0 / u64::BITS, 1 << (self.0 % u64::BITS))
    }

    /// The leaves of these bits in this block.
    pub fn in_block(block: u32, bits: u64) -> impl Iterator<Item = LeafId> {
        (0..u64::BITS).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| LeafId(block * u64::BITS + bit))
    }

    /// Its place in a table of all leaves.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A leaf whose answer changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedLeaf {
    pub id: LeafId,
    pub digest: Digest,
    pub old_digest: Digest,
    /// The old content, if it was read and existed.
    pub before: Option<Arc<[u8]>>,
}

/// The answer of the disk to a leaf.
#[derive(Clone, Debug)]
pub(super) enum LeafAnswer {
    Content(Result<Option<Arc<[u8]>>, Arc<ReadError>>),
    /// A content that was dropped: only its digest is kept, and it is read again on demand.
    LetGo,
    Is(bool),
    List(Result<Option<Arc<[Entry]>>, Arc<ReadError>>),
    Link(Option<PathBuf>),
    Facts(Result<Option<FileFacts>, Arc<ReadError>>),
    Variable(Option<String>),
}

/// All leaves that were read, by any computation.
pub struct Leaves {
    disk: Arc<dyn Disk>,
    lets_go: bool,
    known: RwLock<LeafTable>,
    absent: Absent,
    /// Counts changed answers. A computation that has not been checked yet never has this number.
    epoch: AtomicU64,
}

#[derive(Default)]
struct LeafTable {
    ids: [FxHashMap<LiteralPath<Arc<Path>>, LeafId>; KINDS],
    leaves: Vec<AnsweredLeaf>,
    /// Where the first of them are about; the others follow when somebody asks for it.
    folders: Folders<LeafId>,
    filed: usize,
}

struct AnsweredLeaf {
    leaf: Leaf,
    answer: LeafAnswer,
    digest: Digest,
}

impl Leaves {
    pub fn new(disk: Arc<dyn Disk>) -> Leaves {
        Leaves { disk, lets_go: false, known: RwLock::default(), absent: Absent::default(), epoch: AtomicU64::new(1) }
    }

    /// Those that keep no content of what is read once ([`Disk::read_once`]).
    pub fn letting_go(self) -> Leaves {
        Leaves { lets_go: true, ..self }
    }

    /// Returns the answer to a leaf: from the disk, or the earlier answer if it was read before.
    pub(super) fn ask(&self, kind: LeafKind, path: &Path) -> (LeafId, LeafAnswer) {
        let found = self.read().find(kind, path);
        match found {
            Some((id, LeafAnswer::LetGo)) => return (id, self.reread(id, kind, path)),
            Some(found) => return found,
            None => {}
        }
        let answer = self.first_answer(kind, path);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        // Somebody may have asked meanwhile: the first answer counts.
        if let Some(found) = known.find(kind, path) {
            return found;
        }
        let id = LeafId(u32::try_from(known.leaves.len()).unwrap_or(u32::MAX));
        let leaf = Leaf { kind, path: path.into() };
        known.ids[kind as usize].insert(LiteralPath(Arc::clone(&leaf.path)), id);
        let digest = answer.digest();
        known.leaves.push(AnsweredLeaf { leaf, answer: answer.clone(), digest });
        (id, answer)
    }

    /// If the folder does not exist, the disk is not read.
    fn first_answer(&self, kind: LeafKind, path: &Path) -> LeafAnswer {
        if matches!(kind, LeafKind::Variable | LeafKind::Revealed) {
            return LeafAnswer::read_from(&*self.disk, kind, path);
        }
        // Of most names that are asked for there is not even the folder; most files that are read are there.
        let is_whether_there = matches!(
            kind,
            LeafKind::Exists
                | LeafKind::Named
                | LeafKind::Folder
                | LeafKind::List
                | LeafKind::BindingsFile
                | LeafKind::BindingsList
        );
        if is_whether_there {
            self.absent.look(path, &*self.disk);
        }
        if self.absent.holds(path) {
            return kind.nothing();
        }
        let answer = LeafAnswer::read_from(&*self.disk, kind, path);
        match (kind, &answer) {
            (_, LeafAnswer::Content(Ok(None))) => self.absent.look(path, &*self.disk),
            (LeafKind::Folder, LeafAnswer::Is(true)) => self.absent.is_not(path),
            _ => {}
        }
        answer
    }

    /// Reads a dropped content again. Its dependents have seen the old content: they must not see another one before the
    /// change is known.
    fn reread(&self, id: LeafId, kind: LeafKind, path: &Path) -> LeafAnswer {
        let answer = LeafAnswer::read_from(&*self.disk, kind, path);
        if answer.digest() == self.digest_of(id) {
            return answer;
        }
        let reason = std::io::Error::other("it was edited while it was read");
        LeafAnswer::Content(Err(Arc::new(ReadError::System(reason))))
    }

    /// Drops the content of a file; its digest is kept.
    pub(super) fn let_go(&self, kind: LeafKind, path: &Path) {
        if !self.lets_go {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let id = known.find(kind, path).map(|(id, _)| id);
        if let Some(known) = id.and_then(|id| known.leaves.get_mut(id.index()))
            && matches!(known.answer, LeafAnswer::Content(Ok(Some(_))))
        {
            known.answer = LeafAnswer::LetGo;
        }
    }

    /// Returns the digest of the answer to a leaf.
    pub fn digest(&self, kind: LeafKind, path: &Path) -> Digest {
        let (id, answer) = self.ask(kind, path);
        self.read().leaves.get(id.index()).map_or_else(|| answer.digest(), |known| known.digest)
    }

    /// Returns the content of a file, without recording a dependency.
    pub fn content(&self, kind: LeafKind, path: &Path) -> Option<Arc<[u8]>> {
        self.ask(kind, path).1.content()
    }

    /// Returns the digest of the answer to a leaf that was read.
    pub fn digest_of(&self, id: LeafId) -> Digest {
        self.read().leaves.get(id.index()).map_or(Digest::atom(0), |known| known.digest)
    }

    /// Returns the disk below.
    pub fn disk(&self) -> &dyn Disk {
        &*self.disk
    }

    fn read(&self) -> RwLockReadGuard<'_, LeafTable> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn dependencies(&self, reads: &Reads) -> Dependencies {
        let known = self.read();
        reads.ids().into_iter().filter_map(|id| Some((id, known.leaves.get(id.0 as usize)?.digest))).collect()
    }

    /// Returns true if all these answers are unchanged.
    pub fn hold(&self, dependencies: &Dependencies) -> bool {
        let known = self.read();
        dependencies
            .iter()
            .all(|(id, digest)| known.leaves.get(id.0 as usize).is_some_and(|known| known.digest == *digest))
    }

    /// The same, but without a comparison while no answer has changed at all.
    pub(super) fn still_hold(&self, checked: &CheckedDependencies) -> bool {
        let epoch = self.epoch.load(Ordering::Acquire);
        if checked.held_in(epoch) {
            return true;
        }
        let holds = self.hold(checked.dependencies());
        if holds {
            checked.holds_in(epoch);
        }
        holds
    }

    pub fn leaf(&self, id: LeafId) -> Option<Leaf> {
        self.read().leaves.get(id.0 as usize).map(|known| known.leaf.clone())
    }

    /// Returns the content of a leaf whose answer is a text.
    pub fn text(&self, id: LeafId) -> Option<Arc<[u8]>> {
        match &self.read().leaves.get(id.index())?.answer {
            LeafAnswer::Content(Ok(content)) => content.clone(),
            LeafAnswer::Variable(value) => value.as_deref().map(|value| value.as_bytes().into()),
            LeafAnswer::Link(target) => target.as_deref().map(|target| target.as_os_str().as_encoded_bytes().into()),
            _ => None,
        }
    }

    /// The path of each question that is about one, of those that were asked after so many; their number is brought up to
    /// date. Who wants to know will ask what was touched: all is filed, while nobody waits for that.
    pub fn new_paths(&self, known: &mut usize) -> Vec<Arc<Path>> {
        let table = self.lock_filed();
        let new = table.leaves.get(std::mem::replace(known, table.leaves.len())..).unwrap_or_default();
        let is_path = |one: &&AnsweredLeaf| !matches!(one.leaf.kind, LeafKind::Variable | LeafKind::Revealed);
        new.iter().filter(is_path).map(|one| Arc::clone(&one.leaf.path)).collect()
    }

    /// The table, after filing all leaves by their paths.
    fn lock_filed(&self) -> RwLockReadGuard<'_, LeafTable> {
        let known = self.read();
        if known.filed == known.leaves.len() {
            return known;
        }
        drop(known);
        self.known.write().unwrap_or_else(PoisonError::into_inner).file();
        self.read()
    }

    /// Reads all leaves of these paths again, and returns those whose answers changed.
    pub fn refresh(&self, touched: &Touched) -> Vec<ChangedLeaf> {
        self.absent.forget();
        self.disk.forget();
        let mut touched_leaves: Vec<(LeafId, Leaf)> = {
            let known = self.lock_filed();
            let near = known.folders.near(touched).into_iter();
            let near = near.filter_map(|id| Some((*id, &known.leaves.get(id.index())?.leaf)));
            near.filter(|(_, leaf)| touched.concerns(&leaf.path)).map(|(id, leaf)| (id, leaf.clone())).collect()
        };
        touched_leaves.sort_unstable_by_key(|(id, _)| *id);
        let mut changed = Vec::new();
        for (id, leaf) in touched_leaves {
            let answer = LeafAnswer::read_from(&*self.disk, leaf.kind, &leaf.path);
            let digest = answer.digest();
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            let Some(known) = known.leaves.get_mut(id.0 as usize).filter(|known| known.digest != digest) else {
                continue;
            };
            let is_let_go = matches!((&known.answer, &answer), (LeafAnswer::LetGo, LeafAnswer::Content(Ok(Some(_)))));
            let before = std::mem::replace(&mut known.answer, if is_let_go { LeafAnswer::LetGo } else { answer });
            let old_digest = std::mem::replace(&mut known.digest, digest);
            self.epoch.fetch_add(1, Ordering::Release);
            changed.push(ChangedLeaf { id, digest, old_digest, before: before.content() });
        }
        changed
    }
}

impl LeafTable {
    fn find(&self, kind: LeafKind, path: &Path) -> Option<(LeafId, LeafAnswer)> {
        let id = *self.ids[kind as usize].get(path.as_os_str())?;
        Some((id, self.leaves.get(id.0 as usize)?.answer.clone()))
    }

    fn file(&mut self) {
        for (index, known) in self.leaves.iter().enumerate().skip(self.filed) {
            self.folders.add(&known.leaf.path, LeafId(index as u32));
        }
        self.filed = self.leaves.len();
    }
}

impl LeafAnswer {
    /// Of a file that is there.
    fn content(self) -> Option<Arc<[u8]>> {
        match self {
            LeafAnswer::Content(Ok(content)) => content,
            _ => None,
        }
    }

    fn read_from(disk: &dyn Disk, kind: LeafKind, path: &Path) -> LeafAnswer {
        match kind {
            LeafKind::Content
            | LeafKind::Code
            | LeafKind::Data
            | LeafKind::Bindings
            | LeafKind::Text
            | LeafKind::NodeFacts
            | LeafKind::Puppetfile => {
                LeafAnswer::Content(disk.read(path).map(|found| found.map(Arc::from)).map_err(Arc::new))
            }
            LeafKind::Key => {
                LeafAnswer::Content(disk.read_key(path).map(|found| found.map(Arc::from)).map_err(Arc::new))
            }
            LeafKind::Exists | LeafKind::BindingsFile => LeafAnswer::Is(disk.exists(path)),
            LeafKind::Named => LeafAnswer::Is(disk.is_named(path)),
            LeafKind::Folder => LeafAnswer::Is(disk.is_folder(path)),
            LeafKind::List | LeafKind::BindingsList => {
                LeafAnswer::List(disk.list(path).map(|found| found.map(Arc::from)).map_err(Arc::new))
            }
            LeafKind::Link => LeafAnswer::Link(disk.link_target(path)),
            LeafKind::Facts => LeafAnswer::Facts(disk.facts(path, true).map_err(Arc::new)),
            LeafKind::LinkFacts => LeafAnswer::Facts(disk.facts(path, false).map_err(Arc::new)),
            LeafKind::Revealed => LeafAnswer::Is(true),
            LeafKind::Variable => LeafAnswer::Variable(path.to_str().and_then(|name| disk.process_variable(name))),
        }
    }

    fn digest(&self) -> Digest {
        match self {
            // Most of what is asked, and the same few digests again and again.
            LeafAnswer::Is(is) => LeafKind::Exists.digest_of(*is),
            LeafAnswer::Content(Ok(None)) => LeafKind::Content.digest_of_nothing(),
            answer => answer.made_digest(),
        }
    }

    fn made_digest(&self) -> Digest {
        let mut digester = Digester::new(b"leaf");
        match self {
            LeafAnswer::Content(Ok(Some(bytes))) => digester.number(1).bytes(bytes),
            LeafAnswer::Is(is) => digester.number(2).number(u64::from(*is)),
            LeafAnswer::List(Ok(Some(entries))) => {
                digester.number(3).number(entries.len() as u64);
                for entry in entries.iter() {
                    let flags = u64::from(entry.is_folder) | u64::from(entry.is_link) << 1;
                    digester.bytes(entry.name.as_encoded_bytes()).number(flags);
                }
                &mut digester
            }
            LeafAnswer::Link(Some(target)) => digester.number(4).bytes(target.as_os_str().as_encoded_bytes()),
            LeafAnswer::Facts(Ok(Some(facts))) => digester.number(5).item(facts),
            LeafAnswer::Variable(Some(value)) => digester.number(6).text(value),
            LeafAnswer::Content(Ok(None))
            | LeafAnswer::List(Ok(None))
            | LeafAnswer::Facts(Ok(None))
            | LeafAnswer::Link(None)
            | LeafAnswer::Variable(None)
            // Of which the digest is kept.
            | LeafAnswer::LetGo => digester.number(7),
            LeafAnswer::Content(Err(error)) | LeafAnswer::List(Err(error)) | LeafAnswer::Facts(Err(error)) => {
                digester.number(8).text(&error.to_string())
            }
        };
        digester.finish()
    }
}

impl std::fmt::Debug for Leaves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leaves").field("asked", &self.read().leaves.len()).finish_non_exhaustive()
    }
}
