//! The walks through the bodies of a node, in the order in which they ended.

use std::ops::Deref;
use std::sync::Arc;

use pantin_model::trace::{End, Key, WalkKind};
use pantin_values::{Digest, Str};

#[derive(Clone, Default, Debug)]
pub struct Walks {
    list: Vec<BodyWalk>,
    /// Of all walks, one after the other.
    marks: Vec<u32>,
}

/// A walk through the body of a resource.
#[derive(Clone, Debug)]
pub struct BodyWalk {
    /// The part that equal walks of several nodes share.
    pub through: Arc<WalkContent>,
    /// The index in the catalog of the resource whose body it is.
    pub resource: u32,
    /// The index of its first mark in the marks of all walks.
    marks: u32,
}

/// Everything about a walk except its place in a catalog.
#[derive(Clone, Debug)]
pub struct WalkContent {
    /// `apache` of a class, `apache::vhost` of each instance of a defined type.
    pub name: Str,
    pub how: WalkKind,
    /// The key of its trace tree, and the end of its trace.
    pub key: Key,
    pub end: Option<Arc<End>>,
    /// The digest of the defaults that the scopes around it set for the resources it declares; `None`: they cannot be
    /// compared.
    pub defaults_digest: Option<Digest>,
    /// The class variables and the files that its answers may come from, and the resources of which it asks whether they are there,
    /// as hashed by [`variable_hash`](super::variable_hash), [`file_hash`](super::file_hash) and
    /// [`presence_of_resource_hash`](super::presence_of_resource_hash), ascending.
    pub reads: Box<[u32]>,
}

impl Deref for BodyWalk {
    type Target = WalkContent;

    fn deref(&self) -> &WalkContent {
        &self.through
    }
}

impl Deref for Walks {
    type Target = [BodyWalk];

    fn deref(&self) -> &[BodyWalk] {
        &self.list
    }
}

impl Walks {
    pub(super) fn push(&mut self, through: WalkContent, resource: u32, marks: &[u32]) {
        self.list.push(BodyWalk { through: Arc::new(through), resource, marks: self.marks.len() as u32 });
        self.marks.extend_from_slice(marks);
    }

    /// Of the walk at this place: how many resources of the catalog stand before what it brings, at its beginning, and behind
    /// each of its effects that bring others ([`Effect::brings_resources`](pantin_model::trace::Effect::brings_resources)).
    pub fn marks(&self, at: usize) -> &[u32] {
        self.marks_from_to(at).and_then(|(from, to)| self.marks.get(from..to)).unwrap_or_default()
    }

    pub fn marks_mut(&mut self, at: usize) -> &mut [u32] {
        self.marks_from_to(at).and_then(|(from, to)| self.marks.get_mut(from..to)).unwrap_or_default()
    }

    fn marks_from_to(&self, at: usize) -> Option<(usize, usize)> {
        let to = self.list.get(at + 1).map_or(self.marks.len(), |next| next.marks as usize);
        Some((self.list.get(at)?.marks as usize, to))
    }

    pub(super) fn all_marks_mut(&mut self) -> &mut [u32] {
        &mut self.marks
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut BodyWalk> {
        self.list.iter_mut()
    }

    pub fn get_mut(&mut self, at: usize) -> Option<&mut BodyWalk> {
        self.list.get_mut(at)
    }

    pub fn shrink_to_fit(&mut self) {
        self.list.shrink_to_fit();
        self.marks.shrink_to_fit();
    }
}
