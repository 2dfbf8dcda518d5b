//! The log of what code looked at while a catalog was compiled, besides its own resources: resources by name and type,
//! variables of classes, texts of files.
//!
//! What nobody has to do with can be otherwise without anything else in the catalog being otherwise for it: see
//! `query::patch`. Names are kept as short hashes; two that are taken for one another only make it more careful.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash};
use std::path::Path;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::resource::Resource;

/// What was asked for, overridden, collected, related to another, or is there by another name.
#[derive(Clone, Default, Debug)]
pub struct ObservedNames {
    /// In order.
    names: Box<[u32]>,
}

impl ObservedNames {
    /// Whether nothing but the body that declares it has to do with a resource.
    pub fn is_quiet(&self, type_name: &str, title: &str) -> bool {
        let is_expected =
            self.has(of_presence(of_type(type_name))) || self.has(of_presence(of_resource(type_name, title)));
        self.is_unseen(type_name, title) && !is_expected
    }

    /// Whether nothing but that has to do with what a resource is declared as; that it is there may be known elsewhere.
    pub fn is_unseen(&self, type_name: &str, title: &str) -> bool {
        !self.has(of_type(type_name)) && !self.has(of_resource(type_name, title))
    }

    /// Whether nobody has read a variable of a class but by questions of a body.
    pub fn is_unread(&self, class: &str, name: &str) -> bool {
        !self.has(of_variable(class, name))
    }

    /// Whether nobody was told which variables a class has.
    pub fn are_names_unread(&self, class: &str) -> bool {
        !self.has(of_variable(class, NAMES))
    }

    /// Whether nobody was told the text of a file but by questions of a body.
    pub fn is_told_to_bodies_alone(&self, file: u32) -> bool {
        !self.has(file)
    }

    /// Whether it is nobody's affair what another body has loaded before.
    pub fn is_in_any_order(&self) -> bool {
        !self.has(IN_ORDER)
    }

    fn has(&self, name: u32) -> bool {
        self.names.binary_search(&name).is_ok()
    }
}

/// No variable is called so: it stands for the names of all.
const NAMES: &str = "";

/// Stands for what was loaded first of several that are called alike. (Whatever has this hash too is only treated with care.)
const IN_ORDER: u32 = 0x6f72_6465;

/// By what a variable of a class is known.
pub fn of_variable(class: &str, name: &str) -> u32 {
    short(FxBuildHasher.hash_one((class, name)))
}

/// By what a file is known whose text code is told.
pub fn of_file(path: &Path) -> u32 {
    short(FxBuildHasher.hash_one(path.as_os_str()))
}

fn of_type(type_name: &str) -> u32 {
    short(FxBuildHasher.hash_one(type_name))
}

/// Of each node some hundreds are kept.
fn short(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

fn of_resource(type_name: &str, title: &str) -> u32 {
    let mut state = FxBuildHasher.build_hasher();
    type_name.hash(&mut state);
    title.hash(&mut state);
    short(std::hash::Hasher::finish(&state))
}

/// That it is there, and nothing else of it.
fn of_presence(name: u32) -> u32 {
    !name
}

/// What of a resource somebody has to do with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ObservedPart {
    /// Whether it is there.
    Presence,
    AllOfIt,
}

impl ObservedPart {
    fn key(self, name: u32) -> u32 {
        match self {
            ObservedPart::Presence => of_presence(name),
            ObservedPart::AllOfIt => name,
        }
    }
}

/// Notes it, where that is wanted.
#[derive(Debug)]
pub(crate) struct ObservationLog(Option<RefCell<FxHashSet<u32>>>);

impl ObservationLog {
    pub(super) fn new(is_wanted: bool) -> ObservationLog {
        ObservationLog(is_wanted.then(RefCell::default))
    }

    /// All resources of the type.
    pub(super) fn type_of(&self, type_name: &str, sees: ObservedPart) {
        self.note(sees.key(of_type(type_name)));
    }

    /// Classes and stages come and go with what brings them.
    pub(super) fn resource(&self, type_name: &str, title: &str, sees: ObservedPart) {
        if !matches!(type_name, "Class" | "Stage") {
            self.note(sees.key(of_resource(type_name, title)));
        }
    }

    /// Another name of a resource than its title.
    pub(super) fn other_name(&self, resource: &Resource, name: &str) {
        if resource.title != name {
            self.resource(&resource.type_name, name, ObservedPart::AllOfIt);
        }
    }

    fn note(&self, name: u32) {
        if let Some(names) = &self.0 {
            names.borrow_mut().insert(name);
        }
    }

    /// A variable of a class, which other code reads.
    pub(super) fn variable(&self, class: &str, name: &str) {
        self.note(of_variable(class, name));
    }

    /// The text of a file, as [`of_file`] knows it, which other code is told.
    pub(super) fn file(&self, file: u32) {
        self.note(file);
    }

    /// What a name means depends on what was loaded before.
    pub(crate) fn order(&self) {
        self.note(IN_ORDER);
    }

    /// Which variables a class has that are not undef.
    pub(super) fn names(&self, class: &str) {
        self.note(of_variable(class, NAMES));
    }

    /// A parameter of a resource: that of a class is a variable of it.
    pub(super) fn parameter(&self, resource: &Resource, name: &str) {
        if self.0.is_some() && resource.is_class() {
            self.variable(&resource.title.to_lowercase(), name);
        }
    }

    pub(crate) fn take(&self) -> ObservedNames {
        let mut names: Box<[u32]> = self.0.iter().flat_map(RefCell::take).collect();
        names.sort_unstable();
        ObservedNames { names }
    }
}
