//! The salsa database and its queries.
//!
//! Inputs are the answers of the disk, by the digest alone: what they say is with the leaves. A query reads through a
//! tracked disk of its own, and then names the leaves that it has read: so salsa knows which of its answers an edit
//! touches, whatever was shared on the way to them.

use std::sync::{Arc, PoisonError, RwLock};

use pantin_model::trace::How;
use pantin_values::{Digest, Digester, Str};
use pantin_world::{LeafId, Leaves, TrackedDisk};
use salsa::Storage;

use super::answer::{Answer, AnswerFailure};
use super::blocks::DependencySet;
use super::evictable_facts::EvictableFacts;
use super::exported::{ALONE, ExportsByRound, Round};
use super::inventory::{Inventory, OpenedRepository};
use super::patch::{Basis, LastAnswer, Patches};
use super::pool::Pool;
use super::{EnvironmentShelf, ReadyEnvironment};

/// One answer of the disk.
#[salsa::input]
pub(super) struct LeafInput {
    #[returns(copy)]
    pub(super) digest: Digest,
}

/// What is exported of one type, as the nodes of one round see it.
#[salsa::input]
pub(super) struct ExportsInput {
    #[returns(copy)]
    pub(super) digest: Digest,
}

/// A name, of a node or of an environment.
#[salsa::interned]
pub(super) struct Name<'db> {
    #[returns(ref)]
    pub(super) text: Str,
}

#[salsa::db]
pub(super) trait Db: salsa::Database {
    fn shared(&self) -> &DatabaseState;

    /// What names the answer to a question.
    fn leaf(&self, id: LeafId) -> Digest;

    /// The input that stands for what is exported of a type.
    fn exports(&self, round: Round, type_name: &Str) -> ExportsInput;
}

/// What all handles of a database share.
pub(super) struct DatabaseState {
    pub(super) leaves: Arc<Leaves>,
    pub(super) inventory: Arc<dyn Inventory>,
    pub(super) inputs: RwLock<Vec<Option<LeafInput>>>,
    pub(super) exported: RwLock<ExportsByRound>,
    pub(super) patches: Patches,
    shelf: EnvironmentShelf,
    pool: Pool,
}

#[salsa::db]
#[derive(Clone)]
pub(super) struct Database {
    storage: Storage<Self>,
    pub(super) shared: Arc<DatabaseState>,
}

impl Database {
    pub(super) fn new(leaves: Arc<Leaves>, inventory: Arc<dyn Inventory>) -> Database {
        let shared = DatabaseState {
            leaves,
            inventory,
            inputs: RwLock::default(),
            exported: RwLock::default(),
            patches: Patches::default(),
            shelf: EnvironmentShelf::default(),
            pool: Pool::default(),
        };
        Database { storage: Storage::new(None), shared: Arc::new(shared) }
    }
}

impl Database {
    /// The input that stands for a leaf.
    fn input(&self, id: LeafId) -> LeafInput {
        let index = id.index();
        if let Some(Some(input)) = self.shared.inputs.read().unwrap_or_else(PoisonError::into_inner).get(index) {
            return *input;
        }
        let mut inputs = self.shared.inputs.write().unwrap_or_else(PoisonError::into_inner);
        if inputs.len() <= index {
            inputs.resize(index + 1, None);
        }
        *inputs[index].get_or_insert_with(|| LeafInput::new(self, self.shared.leaves.digest_of(id)))
    }
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn shared(&self) -> &DatabaseState {
        &self.shared
    }

    fn leaf(&self, id: LeafId) -> Digest {
        self.input(id).digest(self)
    }

    fn exports(&self, round: Round, type_name: &Str) -> ExportsInput {
        let mut exported = self.shared.exported.write().unwrap_or_else(PoisonError::into_inner);
        exported.input(round, type_name, |digest| ExportsInput::new(self, digest))
    }
}

fn disk(db: &dyn Db) -> TrackedDisk {
    TrackedDisk::new(Arc::clone(&db.shared().leaves))
}

/// What is shared, or why it cannot be had.
type OrReason<T> = Result<Arc<T>, Arc<str>>;

/// Something that is worked out again and may turn out to be the same: whoever depends on it is not asked again then.
struct Comparable<T: ?Sized> {
    /// Without one it is never the same.
    shape: Option<Digest>,
    value: OrReason<T>,
}

impl<T: ?Sized> Clone for Comparable<T> {
    fn clone(&self) -> Comparable<T> {
        Comparable { shape: self.shape, value: self.value.clone() }
    }
}

impl<T: ?Sized> PartialEq for Comparable<T> {
    fn eq(&self, other: &Comparable<T>) -> bool {
        self.shape.is_some() && self.shape == other.shape
    }
}

impl<T: ?Sized> Comparable<T> {
    fn new(value: OrReason<T>, shape: impl FnOnce(&T) -> Option<Digest>) -> Comparable<T> {
        let shape = match &value {
            Ok(value) => shape(value),
            Err(reason) => Some(Digester::new(b"reason").text(reason).finish()),
        };
        Comparable { shape, value }
    }
}

/// Settings, and where everything is.
#[salsa::tracked(returns(clone), no_eq)]
pub(super) fn opening(db: &dyn Db) -> OrReason<dyn OpenedRepository> {
    let disk = disk(db);
    let opened = db.shared().inventory.open(disk.clone());
    DependencySet::on(&disk.dependencies()).depend(db);
    opened.map_err(Arc::from)
}

/// The same, for those to whom it does not matter which nodes there are.
#[salsa::tracked(returns(clone))]
fn opened(db: &dyn Db) -> Comparable<dyn OpenedRepository> {
    Comparable::new(opening(db), |opened| Some(opened.shape()))
}

/// Where what is known of a node comes from.
#[salsa::tracked(returns(copy))]
fn origin<'db>(db: &'db dyn Db, node: Name<'db>) -> Digest {
    opening(db).map_or(Digest::atom(0), |opened| opened.origin(node.text(db)))
}

/// What is known of a node.
#[salsa::tracked(returns(clone))]
fn prepared<'db>(db: &'db dyn Db, node: Name<'db>) -> Comparable<EvictableFacts> {
    origin(db, node);
    let disk = disk(db);
    let prepared = opened(db).value.and_then(|opened| {
        let prepared = opened.node(&disk, node.text(db))?;
        Ok(Arc::new(EvictableFacts::new(prepared, &*opened)))
    });
    DependencySet::on(&disk.dependencies()).depend(db);
    Comparable::new(prepared, |prepared: &EvictableFacts| Some(prepared.shape()))
}

/// An environment that is ready for its nodes.
#[salsa::tracked(returns(clone))]
fn ready<'db>(db: &'db dyn Db, environment: Name<'db>) -> Comparable<ReadyEnvironment> {
    let disk = disk(db);
    let shelf = &db.shared().shelf;
    let made =
        opened(db).value.and_then(|opened| opened.ready(disk.clone(), environment.text(db), shelf).map_err(Arc::from));
    DependencySet::on(&disk.dependencies()).depend(db);
    Comparable::new(made.map(Arc::new), |ready: &ReadyEnvironment| ready.shape)
}

/// What a node is answered, in a round of those in which they exchange what they export.
#[salsa::tracked(returns(clone), no_eq)]
pub(super) fn answer<'db>(db: &'db dyn Db, node: Name<'db>, round: Round) -> Arc<Answer> {
    let clock = opened(db).value.ok().and_then(|opened| opened.clock());
    let begun = clock.as_ref().map(|clock| clock.now());
    let made = made(db, node, round).unwrap_or_else(|reason| Arc::new(Answer::unread(node.text(db), &reason)));
    if let Some((clock, begun)) = clock.zip(begun) {
        clock.answered(&made, begun);
    }
    made
}

fn made<'db>(db: &'db dyn Db, node: Name<'db>, round: Round) -> Result<Arc<Answer>, Arc<str>> {
    let opened = opened(db).value?;
    let prepared = prepared(db, node).value?;
    let ready = ready(db, Name::new(db, Str::from(&prepared.rest().environment.name))).value?;
    let basis = Basis { opened, prepared, ready };
    let (patches, pool) = (&db.shared().patches, &db.shared().pool);
    let name = node.text(db);
    if round == ALONE
        && let Some(patched) = patches.patched(name, &basis, pool)
    {
        patched.dependencies.depend(db);
        let answer = Arc::clone(&patched.answer);
        patches.keep(name, patched);
        return Ok(answer);
    }
    let Basis { opened, prepared, ready } = &basis;
    let whole = prepared.whole(&**opened, &disk(db), round == ALONE);
    // What was edited while it was read will be known to be edited; what was edited back will not.
    let whole = whole.inspect_err(|_| db.report_untracked_read())?;
    let mut request = opened.request(&whole, ready)?;
    drop(whole);
    if round != ALONE {
        request.collects_exported = true;
        request.exports = db.shared().exported.read().unwrap_or_else(PoisonError::into_inner).all(round);
    }
    let mut compiled = ready.site.compile(&request, Some(&ready.traces));
    let leaning = DependencySet::on(&compiled.dependencies());
    leaning.depend(db);
    if round != ALONE {
        for type_name in &compiled.exchange.collects {
            db.exports(round, type_name).digest(db);
        }
    }
    if compiled.is_volatile {
        db.report_untracked_read();
    }
    let result = match compiled.result {
        Ok(mut catalog) => {
            pool.share(&mut catalog);
            Ok(Arc::new(catalog))
        }
        Err(ended) => Err(AnswerFailure::Compiling(ended)),
    };
    let run = compiled.walks.iter().filter(|walk| walk.how != How::Replayed);
    let remarks = ready.remarks.iter().chain(&prepared.rest().remarks).cloned().collect();
    let answer = Arc::new(Answer {
        node: name.clone(),
        remarks,
        log: compiled.log,
        result,
        bodies_run: run.map(|walk| walk.name.clone()).collect::<Box<[Str]>>().into(),
        is_patched: false,
        exchange: compiled.exchange,
    });
    if round == ALONE {
        let mut walks = std::mem::take(&mut compiled.walks);
        pool.share_walks(&mut walks);
        let reach = std::mem::take(&mut compiled.observed);
        let consulted = pool.consulted(std::mem::take(&mut compiled.consulted));
        let last = LastAnswer::new(&answer, leaning, basis, walks, reach, consulted);
        patches.learn(name, last.filter(|_| !compiled.is_volatile), pool);
    }
    Ok(answer)
}
