//! The stored answers to one kind of question: those of earlier processes, and those that this process adds.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pantin_cache::{Key, Store};
use pantin_values::Digest;
use pantin_world::{Dependencies, LeafId, LeafKind, Leaves};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::codec::{Bytes, decoded, encoded};
use super::forms::{Forms, MovedFile, Readers};
use super::index::{Answer, Index, IndexBuilder, Numbers, StoredLeaf, UsedAnswer};
use super::reason::{self, ChangedDependency};
use super::text_base::TextBases;
use super::validator::{ChangedNodeLeaf, Validator};
use super::{Cache, Root, Seal, text_base};
use crate::node_dependency::NodeChange;

/// The one name in a bundle.
const INDEX: &[u8] = b"index";
const STAMPS: &[u8] = b"stamps";

pub struct Ledger {
    store: Store,
    seal: Option<Seal>,
    signer: Signer,
    key: Key,
    leaves: Arc<Leaves>,
    root: Root,
    index: Index,
    validator: Validator,
    /// The key of the stamps.
    stamps_key: Key,
    added: Mutex<PendingAnswers>,
    /// Secret texts are deltas to secret bases only, and public texts to public bases only.
    open_bases: TextBases,
    sealed_bases: TextBases,
}

/// Signs entries, where several machines share the cache: what it does not know for its own is not there. The contents of
/// answers are found by their hashes, which stand in what is signed.
struct Signer(Option<Seal>);

impl Signer {
    /// Signed entries stand apart: who has no key could not read them.
    fn kind(&self) -> &'static str {
        if self.0.is_some() { "signed " } else { "" }
    }

    fn decoded<T: DeserializeOwned>(&self, key: &Key, name: &[u8], entry: &[u8]) -> Option<T> {
        match &self.0 {
            None => decoded(entry),
            Some(seal) => decoded(seal.verified(entry, &[key.as_bytes(), name].concat())?),
        }
    }

    fn encoded(&self, key: &Key, name: &[u8], entry: &impl Serialize) -> Option<Vec<u8>> {
        let bytes = encoded(entry)?;
        Some(match &self.0 {
            None => bytes,
            Some(seal) => seal.signed(bytes, &[key.as_bytes(), name].concat()),
        })
    }
}

#[derive(Default)]
struct PendingAnswers {
    answers: IndexBuilder,
    numbers: KnownNumbers,
    /// Answers that hit although newer ones of the same name stand before them, or with another file about their subject.
    used: Vec<UsedAnswer>,
}

/// The numbers under which the index lists dependencies.
#[derive(Default)]
struct KnownNumbers {
    /// By leaf, for the first digest that was seen; nearly always there is no other.
    first: Vec<Option<(Digest, Option<NumberedDependency>)>>,
    others: FxHashMap<(LeafId, Digest), Option<NumberedDependency>>,
}

impl KnownNumbers {
    fn get_or(
        &mut self,
        id: LeafId,
        digest: Digest,
        make: impl FnOnce() -> Option<NumberedDependency>,
    ) -> Option<NumberedDependency> {
        let at = id.index();
        if at >= self.first.len() {
            self.first.resize(at + 1, None);
        }
        match &mut self.first[at] {
            Some((known, number)) if *known == digest => *number,
            Some(_) => *self.others.entry((id, digest)).or_insert_with(make),
            none => none.insert((digest, make())).1,
        }
    }
}

/// A dependency in the index.
#[derive(Clone, Copy)]
struct NumberedDependency {
    number: u32,
    is_indifferent: bool,
}

/// An answer that still holds.
#[derive(Debug)]
pub struct StoredHit {
    pub summary: Vec<u8>,
    /// The root it was stored for, if that is another one: paths in the answer must be relocated from there.
    pub moved_from: Option<String>,
    /// Files whose code moved to other lines: lines in the answer must be relocated.
    pub moved_lines: Vec<MovedFile>,
    name: String,
    /// Its place under the name.
    at: usize,
    content: Key,
    is_sealed: bool,
}

impl StoredHit {
    /// Returns true if both are the same stored answer. Answers without a catalog all have the same content, so that
    /// the summary counts.
    pub fn is_same(&self, other: &StoredHit) -> bool {
        (&self.name, self.content, &self.summary) == (&other.name, other.content, &other.summary)
            && self.is_sealed == other.is_sealed
    }
}

/// A freshly compiled answer to store.
#[derive(Debug)]
pub struct NewAnswer<'a> {
    pub name: &'a str,
    /// What it depends on.
    pub dependencies: &'a [Dependencies],
    /// The hashes of the data keys that it looked up.
    pub keys: &'a [u128],
    /// The questions beside the disk, by names that the caller can answer again.
    pub questions: Vec<String>,
    /// The digests of the replies to those, and to the questions that need no name.
    pub reply_digests: Vec<Digest>,
    /// What was read of what is known of its subject: [`Asker`] understands it.
    pub node_reads: Vec<u8>,
    /// True if the paths in it can be relocated to another root.
    pub is_movable: bool,
    /// True if it contains secrets, and must be sealed.
    pub is_secret: bool,
    /// The part that every hit reads.
    pub summary: Vec<u8>,
    /// The part that few hits read.
    pub content: &'a [u8],
}

/// Who knows how things stand beside the disk.
pub trait Asker {
    /// Returns the digests of the current replies to these questions, and to those that need no name.
    fn reply_digests(&self, questions: &[String]) -> Vec<Digest>;

    /// Returns true if what was read of what is known of the subject is as it was. `is_other_file`: the file with that
    /// has changed.
    fn node_holds(&self, node_reads: &[u8], is_other_file: bool) -> bool;

    /// Returns what of that is not as it was. `None`: nothing can be said of the subject.
    fn node_changes(&self, node_reads: &[u8]) -> Option<Vec<NodeChange>>;
}

impl Ledger {
    /// `question`: identifies everything that all answers depend on beside their listed dependencies.
    pub fn open(cache: &Cache, question: &str, leaves: Arc<Leaves>, root: Root, readers: Readers) -> Ledger {
        let forms = Forms { readers, seal: cache.seal.clone() };
        let signer = Signer(cache.seal.clone().filter(Seal::signs));
        let kind = signer.kind();
        let key = Key::of(format!("{kind}{question}").as_bytes());
        let store = cache.store.clone();
        let index = store.get_bundle(&key).and_then(|bundle| signer.decoded(&key, INDEX, bundle.get(INDEX)?));
        let index: Index = index.unwrap_or_default();
        let stamps_key = Key::of(format!("{kind}stamps {} {question}", root.folder()).as_bytes());
        let stamps = store.get_bundle(&stamps_key);
        let stamps = stamps.and_then(|bundle| signer.decoded(&stamps_key, STAMPS, bundle.get(STAMPS)?));
        let stamps = stamps.unwrap_or_default();
        let validator = Validator::new(&index.leaves, root.clone(), forms, stamps);
        Ledger {
            store,
            seal: cache.seal.clone(),
            signer,
            key,
            leaves,
            root,
            index,
            validator,
            stamps_key,
            added: Mutex::default(),
            open_bases: TextBases::default(),
            sealed_bases: TextBases::default(),
        }
    }

    /// The stored answer of this name whose dependencies still hold, if there is one.
    pub fn find(&self, name: &str, asker: &impl Asker) -> Option<StoredHit> {
        let answers = self.index.answers.get(name)?.list();
        let holds = |(at, answer): (usize, &Answer)| {
            if !self.is_valid_here(answer) {
                return None;
            }
            let replaced = self.validator.holding(answer, &self.index, &self.leaves)?;
            let holds = self.unlike(answer, &asker.reply_digests(&answer.questions)).is_empty()
                && asker.node_holds(&answer.node_reads.0, !replaced.is_empty());
            holds.then(|| (at, replaced, self.validator.moved_files(answer, &self.index.leaves)))
        };
        let mut holding = answers.iter().enumerate().filter_map(holds);
        let first = holding.next()?;
        // Prefer an answer whose lines need no relocation.
        let is_whole = |(_, _, moved): &(usize, Vec<ChangedNodeLeaf>, Vec<MovedFile>)| moved.is_empty();
        let (at, replaced, moved_lines) =
            if is_whole(&first) { first } else { holding.find(is_whole).unwrap_or(first) };
        let answer = &answers[at];
        let summary = self.decrypt(name, answer.summary.0.clone(), answer.is_sealed)?;
        if at > 0 || !replaced.is_empty() {
            self.lock_added().used.push(UsedAnswer { name: name.to_owned(), at, replaced });
        }
        let content = Key::from_bytes(answer.content);
        let moved_from = Some(answer.root.clone()).filter(|root| *root != self.root.folder());
        Some(StoredHit {
            summary,
            moved_from,
            moved_lines,
            name: name.to_owned(),
            at,
            content,
            is_sealed: answer.is_sealed,
        })
    }

    /// Returns which dependencies of the newest answer of this name changed. `None`: there is no answer of this name.
    pub fn why_not(&self, name: &str, asker: &impl Asker) -> Option<Vec<ChangedDependency>> {
        let answer = self.index.answers.get(name)?.list().first()?;
        let node_changes = asker.node_changes(&answer.node_reads.0);
        let except_nodes = node_changes.is_some();
        let mut changed = reason::disk_changes(answer, &self.index, &self.validator, &self.leaves, except_nodes);
        changed.extend(node_changes.into_iter().flatten().map(ChangedDependency::Node));
        if !self.is_valid_here(answer) {
            changed.push(ChangedDependency::Place(answer.root.clone()));
        }
        let digests = asker.reply_digests(&answer.questions);
        changed.extend(
            self.unlike(answer, &digests)
                .into_iter()
                .map(|at| ChangedDependency::Reply { at, questions: answer.questions.clone() }),
        );
        if self.decrypt(name, answer.summary.0.clone(), answer.is_sealed).is_none() {
            changed.push(ChangedDependency::Sealed);
        }
        Some(changed)
    }

    /// Returns true if another build of this program has stored answers to the same question.
    pub fn has_other_builds(&self) -> bool {
        self.store.is_in_another_version(&self.key)
    }

    /// Returns true if there is a seal, so that secrets can be stored.
    pub fn has_key(&self) -> bool {
        self.seal.is_some()
    }

    /// The number of leaves that an answer depends on, and how many of them match `is_so`.
    pub fn depends_on(&self, found: &StoredHit, is_so: impl Fn(LeafKind, &Path) -> bool) -> (usize, usize) {
        let answer = self.index.answers.get(&found.name).and_then(|answers| answers.list().get(found.at));
        let leaf = answer.iter().flat_map(|answer| answer.dependencies.iter());
        let leaf = leaf.filter_map(|number| self.index.leaves.get(number as usize));
        leaf.fold((0, 0), |(all, so), leaf| (all + 1, so + usize::from(is_so(leaf.kind, &self.validator.path(leaf)))))
    }

    /// For each leaf of the index whether it fits.
    pub fn leaves_where(&self, fits: impl Fn(LeafKind, &Path) -> bool) -> Vec<bool> {
        self.index.leaves.iter().map(|leaf| fits(leaf.kind, &self.validator.path(leaf))).collect()
    }

    /// The numbers of the leaves that an answer depends on.
    pub fn reads(&self, found: &StoredHit) -> impl Iterator<Item = u32> {
        let answer = self.index.answers.get(&found.name).and_then(|answers| answers.list().get(found.at));
        answer.into_iter().flat_map(|answer| answer.dependencies.iter())
    }

    pub fn leaf(&self, number: u32) -> Option<(LeafKind, PathBuf)> {
        let leaf = self.index.leaves.get(number as usize)?;
        Some((leaf.kind, self.validator.path(leaf).into_owned()))
    }

    /// Returns the hashes of the keys of data that an answer looked up. `None`: they are lost.
    pub fn keys(&self, found: &StoredHit) -> Option<Vec<u128>> {
        let answer = self.index.answers.get(&found.name)?.list().get(found.at)?;
        self.index.keys_of(answer)
    }

    /// Returns what an answer read of its node, as it was handed over.
    pub fn node_reads(&self, found: &StoredHit) -> Option<&[u8]> {
        let answer = self.index.answers.get(&found.name)?.list().get(found.at)?;
        Some(&answer.node_reads.0)
    }

    /// Returns every path that a stored answer depends on.
    pub fn paths(&self) -> Vec<PathBuf> {
        let is_path = |leaf: &&StoredLeaf| !matches!(leaf.kind, LeafKind::Variable | LeafKind::Revealed);
        self.index.leaves.iter().filter(is_path).map(|leaf| self.validator.path(leaf).into_owned()).collect()
    }

    /// Returns the indices of the replies that changed.
    fn unlike(&self, answer: &Answer, digests: &[Digest]) -> Vec<usize> {
        let most = digests.len().max(answer.reply_digests.len());
        let is_same = |at: usize| match (digests.get(at), answer.reply_digests.get(at)) {
            (Some(now), Some(then)) => self.kept_digest(*now).is_some_and(|now| now.bytes() == then),
            _ => false,
        };
        (0..most).filter(move |at| !is_same(*at)).collect()
    }

    /// Reads the content of an answer. `None`: it is lost.
    pub fn content(&self, found: &StoredHit) -> Option<Vec<u8>> {
        let form = |name: &str, address: &Key| self.decrypt(name, self.store.get_blob(address)?, found.is_sealed);
        let base = |base: &text_base::Name| form(&base.answer, &Key::from_bytes(base.address));
        self.text_bases(found.is_sealed).read(&form(&found.name, &found.content)?, base)
    }

    /// Stores an answer. `None`: it could not be stored.
    pub fn keep(&self, new: NewAnswer<'_>) -> Option<()> {
        let digests = new
            .reply_digests
            .iter()
            .map(|digests| Some(*self.kept_digest(*digests)?.bytes()))
            .collect::<Option<Vec<_>>>()?;
        let (dependencies, are_indifferent) =
            self.lock_added().numbers(new.dependencies, &self.leaves, &self.root, &self.validator.forms)?;
        let sealed = |plain: &[u8]| self.seal.as_ref()?.seal(plain, new.name.as_bytes());
        let summary = if new.is_secret { sealed(&new.summary) } else { Some(new.summary) };
        let put = |form: &[u8]| {
            let sealed = if new.is_secret { Some(sealed(form)?) } else { None };
            Some(self.store.put_blob(sealed.as_deref().unwrap_or(form)))
        };
        let content = self.text_bases(new.is_secret).write(new.name, &dependencies, new.content, put);
        let (summary, content) = (summary?, content?);
        let key_set = self.lock_added().answers.key_set(new.keys.iter().copied());
        let answer = Answer {
            root: self.root.folder().to_owned(),
            is_movable: new.is_movable && are_indifferent,
            dependencies,
            key_set,
            questions: new.questions,
            reply_digests: digests,
            node_reads: Bytes(new.node_reads),
            is_sealed: new.is_secret,
            summary: Bytes(summary),
            content: *content.as_bytes(),
        };
        self.lock_added().answers.put(new.name, answer);
        Some(())
    }

    /// Writes the added answers, beside those that other processes have added meanwhile.
    pub fn close(self) {
        if let Some(stamps) = self.validator.stamps(&self.index.leaves, &self.leaves) {
            self.store.update_bundle(&self.stamps_key, |bundle| {
                let older = bundle.get(STAMPS).and_then(|entry| self.signer.decoded(&self.stamps_key, STAMPS, entry));
                let bytes = self.signer.encoded(&self.stamps_key, STAMPS, &stamps.beside(older.unwrap_or_default()));
                bytes.map(|bytes| (STAMPS.to_vec(), bytes)).into_iter().collect()
            });
        }
        let Ledger { store, signer, key, index, added, .. } = self;
        let PendingAnswers { mut answers, used, .. } = added.into_inner().unwrap_or_else(PoisonError::into_inner);
        if answers.is_empty() && used.is_empty() {
            return;
        }
        answers.take(index.only(used));
        store.update_bundle(&key, |bundle| {
            let others = bundle.get(INDEX).and_then(|entry| signer.decoded(&key, INDEX, entry));
            answers.take(others.unwrap_or_default());
            let bytes = signer.encoded(&key, INDEX, &answers.finish());
            bytes.map(|bytes| (INDEX.to_vec(), bytes)).into_iter().collect()
        });
        let _ = store.clean_in_background().map(std::thread::JoinHandle::join);
    }

    fn is_valid_here(&self, answer: &Answer) -> bool {
        answer.root == self.root.folder() || answer.is_movable && self.root.is_plain()
    }

    fn text_bases(&self, is_secret: bool) -> &TextBases {
        if is_secret { &self.sealed_bases } else { &self.open_bases }
    }

    fn decrypt(&self, name: &str, bytes: Vec<u8>, is_sealed: bool) -> Option<Vec<u8>> {
        if is_sealed { self.seal.as_ref()?.open(&bytes, name.as_bytes()) } else { Some(bytes) }
    }

    /// Returns a digest that may be written to the disk: that of a secret is sealed.
    fn kept_digest(&self, digest: Digest) -> Option<Digest> {
        if digest.is_secret() { Some(self.seal.as_ref()?.digest(digest)) } else { Some(digest) }
    }

    fn lock_added(&self) -> MutexGuard<'_, PendingAnswers> {
        self.added.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingAnswers {
    /// With whether all of it is the same wherever the folder lies that it is told from. `None`: something cannot be
    /// written down, such as a path that is no text.
    fn numbers(
        &mut self,
        dependencies: &[Dependencies],
        leaves: &Leaves,
        root: &Root,
        forms: &Forms,
    ) -> Option<(Numbers, bool)> {
        let PendingAnswers { answers, numbers, .. } = self;
        let number = |(id, digest): &(LeafId, Digest)| {
            numbers.get_or(*id, *digest, || {
                let leaf = leaves.leaf(*id)?;
                let path = leaf.path.to_str()?;
                let inside = root.inside(leaf.kind, path);
                let (path, is_inside) = (inside.unwrap_or(path).to_owned(), inside.is_some());
                let form = leaves.text(*id).and_then(|text| forms.compute(leaf.kind, &leaf.path, &text));
                let digest = *digest.bytes();
                let number = answers.number(StoredLeaf { kind: leaf.kind, path, is_inside, digest, form });
                Some(NumberedDependency { number, is_indifferent: root.is_indifferent_to(*id, leaves) })
            })
        };
        let all: Vec<NumberedDependency> =
            dependencies.iter().flat_map(|dependencies| dependencies.iter()).map(number).collect::<Option<_>>()?;
        let are_indifferent = all.iter().all(|one| one.is_indifferent);
        Some((Numbers::from_numbers(all.into_iter().map(|one| one.number).collect()), are_indifferent))
    }
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").field("key", &self.key).finish_non_exhaustive()
    }
}
