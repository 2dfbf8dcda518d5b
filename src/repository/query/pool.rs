//! The pool of resources: equal resources of answers are stored once.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_base::Shared;
use pantin_compile::{LookupObservations, WalkContent, Walks};
use pantin_model::catalog::{Catalog, Resource};
use pantin_values::Str;
use rustc_hash::{FxBuildHasher, FxHashSet};

#[derive(Default)]
pub(super) struct Pool {
    known: Mutex<PooledResources>,
}

#[derive(Default)]
struct PooledResources {
    /// By a hash; of two with the same one is known, here and below.
    resources: Shared<u64, Resource>,
    /// By identity: the same. One that has the place of one that is gone is not shared, which does no harm.
    own: FxHashSet<usize>,
    /// Lists of tags, and of classes.
    texts: Shared<u64, [Str]>,
    edges: Shared<u64, [(u32, u32)]>,
    /// By a hash of what tells them apart.
    walks: Shared<u64, WalkContent>,
    /// Of the last node.
    lookup_observations: LookupObservations,
}

/// No sweep before there are so many.
const FEW: usize = 10_000;

/// The same of what is large: it takes its room for as long as it may be asked for.
const FEW_LISTS: usize = 100;

impl Pool {
    /// Takes what others have for what is equal to it.
    pub(super) fn share(&self, catalog: &mut Catalog) {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // Most are of the pool already: nodes that were compiled before had them.
        let known = lock();
        let others: Vec<usize> =
            (0..catalog.resources.len()).filter(|at| !known.own.contains(&address(&catalog.resources[*at]))).collect();
        drop(known);
        let hashes: Vec<u64> = others.iter().map(|at| catalog.resources[*at].hash_of_content()).collect();
        let mut known = lock();
        for (at, hash) in others.into_iter().zip(hashes) {
            known.share(&mut catalog.resources[at], hash);
        }
        known.texts.share_equal(&mut catalog.tags);
        known.texts.share_equal(&mut catalog.classes);
        known.edges.share_equal(&mut catalog.edges);
        known.sweep();
    }

    /// The same of what a node's bodies were told.
    pub(super) fn share_walks(&self, walks: &mut Walks) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        walks.iter_mut().for_each(|walk| walk.through = known.share_walk(Arc::clone(&walk.through)));
        walks.shrink_to_fit();
    }

    /// With what the one before has, where it has the same: nearly all do.
    pub(super) fn share_lookups(&self, lookup_observations: LookupObservations) -> LookupObservations {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.lookup_observations = lookup_observations.like(&known.lookup_observations);
        known.lookup_observations.clone()
    }

    pub(super) fn share_walk(&self, walked: WalkContent) -> Arc<WalkContent> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).share_walk(Arc::new(walked))
    }

    /// Returns what others have for what is equal to it, or else itself.
    pub(super) fn share_resource(&self, resource: Resource) -> Arc<Resource> {
        let hash = resource.hash_of_content();
        let mut resource = Arc::new(resource);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.share(&mut resource, hash);
        resource
    }
}

impl PooledResources {
    fn share(&mut self, resource: &mut Arc<Resource>, hash: u64) {
        if let Some(same) = self.resources.get(&hash).filter(|known| known.is_same(resource)) {
            *resource = same;
            return;
        }
        // It stays for long: what it has of its own is to be as small as it can be.
        if let Some(own) = Arc::get_mut(resource)
            && let Some(mut tags) = own.tags.as_shared().cloned()
        {
            self.texts.share_equal(&mut tags);
            own.tags = tags.into();
        }
        self.resources.insert(hash, resource);
        self.own.insert(address(resource));
    }

    fn share_walk(&mut self, walked: Arc<WalkContent>) -> Arc<WalkContent> {
        let Some(end) = walked.end.as_ref() else { return walked };
        let hash = FxBuildHasher.hash_one((walked.key, Arc::as_ptr(end) as usize, walked.defaults_digest));
        let mut same = Arc::clone(&walked);
        self.walks.share(hash, &mut same, is_same);
        same
    }

    fn sweep(&mut self) {
        if self.resources.sweep(FEW) {
            self.own = self.resources.values().map(|known| known.as_ptr() as usize).collect();
        }
        self.texts.sweep(FEW);
        self.edges.sweep(FEW_LISTS);
        self.walks.sweep(FEW);
    }
}

fn address(resource: &Arc<Resource>) -> usize {
    Arc::as_ptr(resource) as usize
}

/// Through the same trace, to the same end. The same code under another name is found by the same.
fn is_same(one: &WalkContent, other: &WalkContent) -> bool {
    let is_same_end = match (&one.end, &other.end) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        _ => false,
    };
    is_same_end
        && (one.key, one.defaults_digest, &one.name, &one.reads)
            == (other.key, other.defaults_digest, &other.name, &other.reads)
}
