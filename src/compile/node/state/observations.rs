//! The log of what code looked at while a catalog was compiled: resources by name and type, variables of classes, texts of files.
//! It must not know why anybody looks, nor what a patch makes of it.
//!
//! Names are kept as short hashes. If two are taken for one another, `query::patch` only compiles more nodes than it has to.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash};
use std::path::Path;
use std::rc::Rc;

use pantin_values::Str;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::resource::Resource;

/// The names of all that was looked at, overridden, collected or related to another, and further names of resources.
#[derive(Clone, Default, Debug)]
pub struct ObservedNames {
    /// In order.
    names: Box<[u32]>,
}

impl ObservedNames {
    /// Returns true if nothing but questions of bodies, of which each walk knows its own
    /// ([`presence_of_resource_hash`]), and the body that declares a resource observes it, or whether it is there.
    pub fn is_quiet(&self, type_name: &str, title: &str) -> bool {
        let is_expected = self.has(presence_hash(type_hash(type_name)))
            || Self::has_resource(type_name, title, |name| self.has(presence_hash(name)));
        self.is_unseen(type_name, title) && !is_expected
    }

    /// Returns true if nothing but the body that declares a resource observes more of it than that it is there.
    pub fn is_unseen(&self, type_name: &str, title: &str) -> bool {
        !self.has(type_hash(type_name)) && !Self::has_resource(type_name, title, |name| self.has(name))
    }

    /// Returns true if a collector that asks for tags of this type may match a resource. `tags`: those of the resource;
    /// `None`: there is no such resource. `is_presence_enough`: collectors that look only at whether it is there count
    /// too.
    pub fn may_collect_by_tag<'t, T: IntoIterator<Item = &'t Str>>(
        &self,
        type_name: &str,
        tags: impl FnOnce() -> Option<T>,
        is_presence_enough: bool,
    ) -> bool {
        let has = |name: u32| self.has(name) || is_presence_enough && self.has(presence_hash(name));
        // What has a tag late may have matched without having it in the end.
        let has_any = |tags: T| self.has(TAGGED_LATE) || tags.into_iter().any(|tag| has(tag_hash(type_name, tag)));
        has(tag_query_hash(type_name)) && tags().is_some_and(has_any)
    }

    /// By its title, or by the title in any case, as collectors compare.
    fn has_resource(type_name: &str, title: &str, has: impl Fn(u32) -> bool) -> bool {
        let has_capitals = title.bytes().any(|byte| byte.is_ascii_uppercase());
        has(resource_hash(type_name, title))
            || has_capitals && has(resource_hash(type_name, &title.to_ascii_lowercase()))
    }

    /// Returns true if a variable of a class was read by questions of bodies alone.
    pub fn is_unread(&self, class: &str, name: &str) -> bool {
        !self.has(variable_hash(class, name))
    }

    /// Returns true if nobody has listed the variables of a class.
    pub fn are_names_unread(&self, class: &str) -> bool {
        !self.has(variable_hash(class, NAMES))
    }

    /// Returns true if the text of a file was read by questions of bodies alone.
    pub fn is_read_by_bodies_alone(&self, file: u32) -> bool {
        !self.has(file)
    }

    /// Returns true if nothing depends on what another body has loaded before.
    pub fn is_in_any_order(&self) -> bool {
        !self.has(IN_ORDER)
    }

    fn has(&self, name: u32) -> bool {
        self.names.binary_search(&name).is_ok()
    }
}

/// No variable is called so: it stands for the names of all.
const NAMES: &str = "";

/// Stands for what was loaded first of several with one name. (Another name with this hash only makes a patch more careful.)
const IN_ORDER: u32 = 0x6f72_6465;

/// Stands for a container that got a tag after it was evaluated: what it contains has matched queries for the tag, and does not have it.
const TAGGED_LATE: u32 = 0x7461_6773;

/// Returns the short hash of a query for tags of a type.
fn tag_query_hash(type_name: &str) -> u32 {
    short(FxBuildHasher.hash_one((type_name, "tags")))
}

/// Returns the short hash of a query for one tag of a type.
fn tag_hash(type_name: &str, tag: &str) -> u32 {
    short(FxBuildHasher.hash_one((type_name, tag, "tag")))
}

/// Returns the short hash of a variable of a class.
pub fn variable_hash(class: &str, name: &str) -> u32 {
    short(FxBuildHasher.hash_one((class, name)))
}

/// Returns the short hash of a file whose text code reads.
pub fn file_hash(path: &Path) -> u32 {
    short(FxBuildHasher.hash_one(path.as_os_str()))
}

fn type_hash(type_name: &str) -> u32 {
    short(FxBuildHasher.hash_one(type_name))
}

/// Returns the short hash of the question whether a resource exists.
pub fn presence_of_resource_hash(type_name: &str, title: &str) -> u32 {
    presence_hash(resource_hash(type_name, title))
}

/// Folds a hash into 32 bits: some hundreds are kept for each node.
fn short(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

fn resource_hash(type_name: &str, title: &str) -> u32 {
    let mut state = FxBuildHasher.build_hasher();
    type_name.hash(&mut state);
    title.hash(&mut state);
    short(std::hash::Hasher::finish(&state))
}

/// Returns the hash of the existence alone of a resource with this hash.
fn presence_hash(name: u32) -> u32 {
    !name
}

/// The part of a resource that is observed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ObservedPart {
    /// Whether it is there.
    Presence,
    AllOfIt,
}

impl ObservedPart {
    fn key(self, name: u32) -> u32 {
        match self {
            ObservedPart::Presence => presence_hash(name),
            ObservedPart::AllOfIt => name,
        }
    }
}

/// Who looks at the catalog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::node) enum Observer {
    /// A question of the body that runs, which its trace shows.
    Body,
    /// A collector, each time it is evaluated.
    Collector,
    /// A look-up of data, an effect, or anything else that is no question in the trace of a body.
    Data,
    /// The end of the catalog.
    Finish,
}

/// Records what one observer looks at. Nobody outside the state of the catalog can make one, or write to it.
#[derive(Clone, Debug)]
pub(crate) struct ObservationLog {
    /// `None`: nothing is recorded, since nobody patches.
    record: Option<Rc<Record>>,
}

#[derive(Debug)]
struct Record {
    observer: Observer,
    /// What becomes the catalog's [`ObservedNames`].
    catalog: Rc<RefCell<FxHashSet<u32>>>,
    /// Of a body: what becomes [`WalkContent::reads`](crate::WalkContent::reads).
    body: RefCell<Vec<u32>>,
}

impl Record {
    fn note(&self, name: u32) {
        self.catalog.borrow_mut().insert(name);
    }

    /// Notes a read of a variable, a file, or the existence of a resource: the questions of a body are known one by one.
    fn note_read(&self, name: u32) {
        match self.observer {
            Observer::Body => self.body.borrow_mut().push(name),
            Observer::Collector | Observer::Data | Observer::Finish => self.note(name),
        }
    }
}

impl ObservationLog {
    /// All resources of a type.
    pub(super) fn type_of(&self, type_name: &str, part: ObservedPart) {
        if let Some(record) = &self.record {
            record.note(part.key(type_hash(type_name)));
        }
    }

    /// Classes and stages come and go with what brings them.
    pub(super) fn resource(&self, type_name: &str, title: &str, part: ObservedPart) {
        if let Some(record) = &self.record
            && !matches!(type_name, "Class" | "Stage")
        {
            let name = part.key(resource_hash(type_name, title));
            match part {
                ObservedPart::Presence => record.note_read(name),
                ObservedPart::AllOfIt => record.note(name),
            }
        }
    }

    /// The resource that has a title in any case of its letters, as collectors compare.
    pub(super) fn title_in_any_case(&self, type_name: &str, title: &str, part: ObservedPart) {
        if self.is_active() {
            self.resource(type_name, &title.to_ascii_lowercase(), part);
        }
    }

    /// All resources of a type that have, or get, one of these tags.
    pub(super) fn tagged(&self, type_name: &str, tags: &[Str], part: ObservedPart) {
        if let Some(record) = &self.record {
            record.note(part.key(tag_query_hash(type_name)));
            tags.iter().for_each(|tag| record.note(part.key(tag_hash(type_name, tag))));
        }
    }

    /// A container may get a tag after it was evaluated.
    pub(super) fn tags_late(&self) {
        if let Some(record) = &self.record {
            record.note(TAGGED_LATE);
        }
    }

    /// Another name of a resource than its title.
    pub(super) fn other_name(&self, resource: &Resource, name: &str) {
        if resource.title != name {
            self.resource(&resource.type_name, name, ObservedPart::AllOfIt);
        }
    }

    /// A variable of a class.
    #[inline]
    pub(super) fn variable(&self, class: &str, name: &str) {
        if let Some(record) = &self.record {
            record.note_read(variable_hash(class, name));
        }
    }

    /// Which variables a class has that are not undef.
    pub(super) fn names(&self, class: &str) {
        if let Some(record) = &self.record {
            record.note(variable_hash(class, NAMES));
        }
    }

    /// A parameter of a resource: that of a class is a variable of it.
    pub(super) fn parameter(&self, resource: &Resource, name: &str) {
        if let Some(record) = &self.record
            && resource.is_class()
        {
            record.note(variable_hash(&resource.title.to_lowercase(), name));
        }
    }

    /// The names of all parameters of a resource.
    pub(super) fn parameter_names(&self, resource: &Resource) {
        if self.is_active() && resource.is_class() {
            self.names(&resource.title.to_lowercase());
        }
    }

    /// The text of a file, by its short hash ([`file_hash`]).
    pub(crate) fn file(&self, file: u32) {
        if let Some(record) = &self.record {
            record.note_read(file);
        }
    }

    /// What a name means depends on what was loaded before.
    pub(crate) fn order(&self) {
        if let Some(record) = &self.record {
            record.note(IN_ORDER);
        }
    }

    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.record.is_some()
    }

    fn take_reads(&self) -> Box<[u32]> {
        let Some(record) = &self.record else { return Box::default() };
        let mut reads = record.body.take();
        reads.sort_unstable();
        reads.dedup();
        reads.into()
    }
}

/// The record of a catalog, and the logs that write to it.
#[derive(Debug)]
pub(super) struct CatalogObservations {
    /// Of the bodies that run, the innermost last.
    bodies: Vec<ObservationLog>,
    collector: ObservationLog,
    data: ObservationLog,
    finish: ObservationLog,
}

impl CatalogObservations {
    pub(super) fn new(is_active: bool) -> CatalogObservations {
        let catalog = is_active.then(Rc::default);
        let log = |observer| ObservationLog {
            record: catalog.clone().map(|catalog| Rc::new(Record { observer, catalog, body: RefCell::default() })),
        };
        CatalogObservations {
            bodies: Vec::new(),
            collector: log(Observer::Collector),
            data: log(Observer::Data),
            finish: log(Observer::Finish),
        }
    }

    #[inline]
    pub(super) fn log(&self, observer: Observer) -> ObservationLog {
        match observer {
            Observer::Body => self.bodies.last().unwrap_or(&self.data).clone(),
            Observer::Collector => self.collector.clone(),
            Observer::Data => self.data.clone(),
            Observer::Finish => self.finish.clone(),
        }
    }

    /// Another body begins inside of those that run.
    pub(super) fn begin_body(&mut self) {
        if let Some(data) = &self.data.record {
            let catalog = Rc::clone(&data.catalog);
            let record = Record { observer: Observer::Body, catalog, body: RefCell::default() };
            self.bodies.push(ObservationLog { record: Some(Rc::new(record)) });
        }
    }

    /// The innermost body has ended. Returns the variables of classes and the files that its questions were answered by, and the
    /// resources of which it asked whether they are there, ascending.
    pub(super) fn end_body(&mut self) -> Box<[u32]> {
        self.bodies.pop().map(|body| body.take_reads()).unwrap_or_default()
    }

    /// For what the state itself records: a further name, whoever looks.
    pub(super) fn data(&self) -> &ObservationLog {
        &self.data
    }

    pub(super) fn take(&self) -> ObservedNames {
        let mut names: Box<[u32]> = self.data.record.iter().flat_map(|record| record.catalog.take()).collect();
        names.sort_unstable();
        ObservedNames { names }
    }
}
