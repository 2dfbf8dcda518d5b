//! Who but its own body has to do with a resource, by name or by type, or with a variable of a class, while a catalog was made.
//!
//! What nobody has to do with can be otherwise without anything else in the catalog being otherwise for it: see
//! `query::patch`. Names are kept as hashes; two that are taken for one another only make it more careful.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash};

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::resource::Resource;

/// What was asked for, overridden, collected, related to another, or is there by another name.
#[derive(Clone, Default, Debug)]
pub struct Reach {
    names: FxHashSet<u64>,
}

impl Reach {
    /// Whether nothing but the body that declares it has to do with a resource.
    pub fn is_quiet(&self, type_name: &str, title: &str) -> bool {
        !self.names.contains(&of_type(type_name)) && !self.names.contains(&of_resource(type_name, title))
    }

    /// Whether nobody but the class itself has read a variable of it.
    pub fn is_unread(&self, class: &str, name: &str) -> bool {
        !self.names.contains(&of_variable(class, name))
    }
}

fn of_variable(class: &str, name: &str) -> u64 {
    FxBuildHasher.hash_one((class, name))
}

fn of_type(type_name: &str) -> u64 {
    FxBuildHasher.hash_one(type_name)
}

fn of_resource(type_name: &str, title: &str) -> u64 {
    let mut state = FxBuildHasher.build_hasher();
    type_name.hash(&mut state);
    title.hash(&mut state);
    std::hash::Hasher::finish(&state)
}

/// Notes it, where that is wanted.
#[derive(Debug)]
pub(in crate::compile) struct Noting(Option<RefCell<Reach>>);

impl Noting {
    pub(super) fn new(is_wanted: bool) -> Noting {
        Noting(is_wanted.then(RefCell::default))
    }

    /// All resources of the type.
    pub(super) fn type_of(&self, type_name: &str) {
        if let Some(reach) = &self.0 {
            reach.borrow_mut().names.insert(of_type(type_name));
        }
    }

    /// Classes and stages come and go with what brings them.
    pub(super) fn resource(&self, type_name: &str, title: &str) {
        if let Some(reach) = &self.0
            && !matches!(type_name, "Class" | "Stage")
        {
            reach.borrow_mut().names.insert(of_resource(type_name, title));
        }
    }

    /// Another name of a resource than its title.
    pub(super) fn other_name(&self, resource: &Resource, name: &str) {
        if resource.title != name {
            self.resource(&resource.type_name, name);
        }
    }

    /// A variable of a class, which other code reads.
    pub(super) fn variable(&self, class: &str, name: &str) {
        if let Some(reach) = &self.0 {
            reach.borrow_mut().names.insert(of_variable(class, name));
        }
    }

    pub(in crate::compile) fn take(&self) -> Reach {
        self.0.as_ref().map(RefCell::take).unwrap_or_default()
    }
}
