//! The salsa database and its queries.
//!
//! Inputs are the answers of the disk, by the digest alone: what they say is with the leaves. A query reads through a
//! tracked disk of its own, and then names the leaves that it has read: so salsa knows which of its answers an edit
//! touches, whatever was shared on the way to them.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use pantin_values::{Digest, Digester, Str};
use pantin_world::environment::Environment;
use pantin_world::{LeafId, Leaves, TrackedDisk};
use salsa::Storage;

use super::blocks::DependencySet;
use super::evictable_facts::EvictableFacts;
use super::exported::{ExportsByRound, Round};
use super::inventory::{Inventory, OpenedRepository, WantedEnvironment};
use super::recorded::{Basis, BasisPart, RecordedAnswer};
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

/// What a node was answered last, in one round.
#[salsa::input]
pub(super) struct AnswerInput {
    #[returns(ref)]
    pub(super) recorded: Arc<RecordedAnswer>,
}

/// The number of the revision: one more after each edit.
#[salsa::input(singleton)]
pub(super) struct Revision {
    #[returns(copy)]
    pub(super) number: u64,
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

    /// Returns what names the answer to a question.
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
    shelf: EnvironmentShelf,
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
            shelf: EnvironmentShelf::default(),
        };
        let database = Database { storage: Storage::new(None), shared: Arc::new(shared) };
        Revision::new(&database, 0);
        database
    }
}

impl Database {
    /// Returns the input that stands for a leaf.
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

/// Returns the disk, for one reader: it knows what was read through it.
pub(super) fn disk(db: &dyn Db) -> TrackedDisk {
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
    fn part(self) -> Result<BasisPart<T>, Arc<str>> {
        Ok(BasisPart { value: self.value?, shape: self.shape })
    }

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
    DependencySet::from_dependencies(&disk.dependencies()).depend(db);
    opened.map_err(Arc::from)
}

/// The same, for those to whom it does not matter which nodes there are.
#[salsa::tracked(returns(clone))]
fn opened(db: &dyn Db) -> Comparable<dyn OpenedRepository> {
    Comparable::new(opening(db), |opened| Some(opened.shape()))
}

/// Returns where what is known of a node comes from.
#[salsa::tracked(returns(copy))]
fn origin<'db>(db: &'db dyn Db, node: Name<'db>) -> Digest {
    opening(db).map_or(Digest::atom(0), |opened| opened.origin(node.text(db)))
}

/// Returns what is known of a node.
#[salsa::tracked(returns(clone))]
fn prepared<'db>(db: &'db dyn Db, node: Name<'db>) -> Comparable<EvictableFacts> {
    origin(db, node);
    let disk = disk(db);
    let prepared = opened(db).value.and_then(|opened| {
        let prepared = opened.node(&disk, node.text(db))?;
        Ok(Arc::new(EvictableFacts::new(prepared, &*opened)))
    });
    DependencySet::from_dependencies(&disk.dependencies()).depend(db);
    Comparable::new(prepared, |prepared: &EvictableFacts| Some(prepared.shape()))
}

/// An environment as `environments.pp` defines it for a node; equal to another that says the same.
#[derive(Clone)]
struct DefinedEnvironment {
    environment: Arc<Environment>,
    shape: Digest,
}

impl PartialEq for DefinedEnvironment {
    fn eq(&self, other: &DefinedEnvironment) -> bool {
        self.shape == other.shape
    }
}

impl Eq for DefinedEnvironment {}

impl Hash for DefinedEnvironment {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.shape.hash(hasher);
    }
}

/// Returns an environment that is ready for its nodes. `defined`: what `environments.pp` says of it; without, its
/// folder is read.
#[salsa::tracked(returns(clone))]
fn ready<'db>(
    db: &'db dyn Db,
    environment: Name<'db>,
    defined: Option<DefinedEnvironment>,
) -> Comparable<ReadyEnvironment> {
    let disk = disk(db);
    let shelf = &db.shared().shelf;
    let wanted = match &defined {
        Some(defined) => WantedEnvironment::Defined(&defined.environment),
        None => WantedEnvironment::Named(environment.text(db)),
    };
    let made = opened(db).value.and_then(|opened| opened.ready(disk.clone(), wanted, shelf).map_err(Arc::from));
    DependencySet::from_dependencies(&disk.dependencies()).depend(db);
    Comparable::new(made.map(Arc::new), |ready: &ReadyEnvironment| ready.shape)
}

/// Returns the inputs of a node's request.
#[salsa::tracked(returns(clone), no_eq)]
pub(super) fn basis<'db>(db: &'db dyn Db, node: Name<'db>) -> Result<Basis, Arc<str>> {
    let opened = opened(db).part()?;
    let prepared = prepared(db, node).part()?;
    let rest = prepared.without_facts();
    let defined = match rest.wanted_environment() {
        WantedEnvironment::Defined(environment) => {
            Some(DefinedEnvironment { environment: Arc::clone(environment), shape: environment.shape() })
        }
        WantedEnvironment::Named(_) => None,
    };
    let ready = ready(db, Name::new(db, Str::from(&rest.environment.name)), defined).part()?;
    Ok(Basis { opened, prepared, ready })
}

/// Returns true if a recorded answer may no longer be the answer. Compares digests, and never compiles.
#[salsa::tracked(returns(copy))]
pub(super) fn is_affected<'db>(db: &'db dyn Db, node: Name<'db>, round: Round, answer: AnswerInput) -> bool {
    !still_holds(db, node, round, answer.recorded(db))
}

/// Returns true if nothing that an answer depends on has changed. Compares digests, and never compiles.
pub(super) fn still_holds<'db>(db: &'db dyn Db, node: Name<'db>, round: Round, recorded: &RecordedAnswer) -> bool {
    let is_same_basis = match (&recorded.basis, basis(db, node)) {
        (Ok(before), Ok(now)) => before.is_equal(&now),
        (Err(before), Err(now)) => *before == now,
        _ => false,
    };
    is_same_basis
        && recorded.dependencies.state(db) == recorded.state
        && recorded.volatile_in.is_none_or(|revision| revision == Revision::get(db).number(db))
        && !collects_anew(db, round, recorded)
}

/// Returns true if a node sees other exported resources in a round than when it was asked last.
pub(super) fn collects_anew(db: &dyn Db, round: Round, recorded: &RecordedAnswer) -> bool {
    recorded.collected.iter().any(|(type_name, digest)| db.exports(round, type_name).digest(db) != *digest)
}
