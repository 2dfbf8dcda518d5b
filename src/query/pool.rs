//! Equal resources as one: most resources of a fleet are the same on many nodes, and from one answer of a node to the next.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rustc_hash::FxHashMap;

use crate::catalog::{Catalog, Resource};
use crate::compile::{BodyWalk, Consulted, Walked};
use crate::pcore::{Digest, Digester, Str};
use crate::trace::Key;

#[derive(Default)]
pub(super) struct Pool {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    resources: Table<Digest, Resource>,
    tags: Table<Digest, [Str]>,
    /// By identity of the ends of their traces: what is found under one holds it.
    walks: Table<(Key, usize, Option<Digest>), Walked>,
    /// Of the last node.
    consulted: Consulted,
}

/// What somebody has.
struct Table<K, T: ?Sized> {
    known: FxHashMap<K, Weak<T>>,
    /// So many there were when those that nobody has any more were last taken out.
    swept_at: usize,
}

impl<K, T: ?Sized> Default for Table<K, T> {
    fn default() -> Table<K, T> {
        Table { known: FxHashMap::default(), swept_at: 0 }
    }
}

/// No sweep before there are so many.
const FEW: usize = 10_000;

impl Pool {
    /// Takes what others have for what is equal to it.
    pub(super) fn share(&self, catalog: &mut Catalog) {
        let digests: Vec<Digests> = catalog.resources.iter().map(|resource| digests(resource)).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for (resource, digest) in catalog.resources.iter_mut().zip(digests) {
            known.share(resource, digest);
        }
        known.sweep();
    }

    /// The same of what a node's bodies were told.
    pub(super) fn share_walks(&self, walks: Vec<BodyWalk>) -> Box<[BodyWalk]> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = |walk: BodyWalk| BodyWalk { through: known.walked(walk.through), ..walk };
        walks.into_iter().map(shared).collect()
    }

    /// With what the one before has, where it has the same: nearly all do.
    pub(super) fn consulted(&self, consulted: Consulted) -> Consulted {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.consulted = consulted.like(&known.consulted);
        known.consulted.clone()
    }

    pub(super) fn walked(&self, walked: Walked) -> Arc<Walked> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).walked(Arc::new(walked))
    }

    /// What others have for what is equal to it, or else itself.
    pub(super) fn shared(&self, resource: Resource) -> Arc<Resource> {
        let digest = digests(&resource);
        let mut resource = Arc::new(resource);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.share(&mut resource, digest);
        resource
    }
}

impl Known {
    fn share(&mut self, resource: &mut Arc<Resource>, digests: Digests) {
        if let Some(same) = self.resources.get(&digests.whole) {
            *resource = same;
            return;
        }
        // It stays for long: what it has of its own is to be as small as it can be.
        if let Some(own) = Arc::get_mut(resource) {
            own.tags = self.tags.shared(digests.tags, Arc::clone(&own.tags));
            own.parameters.shrink_to_fit();
            own.sensitive.shrink_to_fit();
        }
        self.resources.insert(digests.whole, resource);
    }

    fn walked(&mut self, walked: Arc<Walked>) -> Arc<Walked> {
        let Some(end) = walked.end.as_ref().map(|end| Arc::as_ptr(end) as usize) else { return walked };
        let same = self.walks.shared((walked.key, end, walked.given), Arc::clone(&walked));
        // The same code under another name is found by the same.
        if (&same.name, &same.reads) == (&walked.name, &walked.reads) { same } else { walked }
    }

    fn sweep(&mut self) {
        self.resources.sweep();
        self.tags.sweep();
        self.walks.sweep();
    }
}

impl<K: Eq + Hash, T: ?Sized> Table<K, T> {
    fn get(&self, key: &K) -> Option<Arc<T>> {
        self.known.get(key).and_then(Weak::upgrade)
    }

    fn insert(&mut self, key: K, what: &Arc<T>) {
        self.known.insert(key, Arc::downgrade(what));
    }

    fn shared(&mut self, key: K, what: Arc<T>) -> Arc<T> {
        match self.get(&key) {
            Some(same) => same,
            None => {
                self.insert(key, &what);
                what
            }
        }
    }

    fn sweep(&mut self) {
        if self.known.len() > FEW.max(self.swept_at * 2) {
            self.known.retain(|_, what| what.strong_count() > 0);
            self.swept_at = self.known.len();
        }
    }
}

struct Digests {
    whole: Digest,
    tags: Digest,
}

fn digests(resource: &Resource) -> Digests {
    let mut digester = Digester::new(b"tags");
    digester.number(resource.tags.len() as u64);
    for tag in &*resource.tags {
        digester.text(tag);
    }
    let tags = digester.finish();
    Digests { whole: digest(resource, tags), tags }
}

/// Of everything that is sent of a resource.
fn digest(resource: &Resource, tags: Digest) -> Digest {
    let mut digester = Digester::new(b"resource");
    digester.text(&resource.type_name).text(&resource.title).number(resource.kind as u64);
    digester.number(u64::from(resource.exported) | u64::from(resource.says_exported_late) << 1);
    digester.digest(tags);
    if let Some(place) = &resource.place {
        digester.text(&place.file).number(place.line.into());
    }
    digester.number(resource.parameters.len() as u64);
    for (name, value) in &resource.parameters {
        digester.text(name).value(value);
    }
    for name in &resource.sensitive {
        digester.text(name);
    }
    digester.finish()
}
