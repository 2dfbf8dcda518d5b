//! The same thing on several nodes, told once.
//!
//! Knows nothing of what the things are.

use std::hash::Hash;

use indexmap::IndexMap;
use pantin_values::Str;
use rustc_hash::FxBuildHasher;

/// Something that is so for several nodes, in the order of the fleet.
#[derive(Debug)]
pub struct NodeGroup<T> {
    pub what: T,
    pub nodes: Vec<Str>,
}

/// The same things under one key, in the order in which they were first seen.
pub(crate) struct NodeGroups<K, T>(IndexMap<K, NodeGroup<T>, FxBuildHasher>);

impl<K, T> Default for NodeGroups<K, T> {
    fn default() -> NodeGroups<K, T> {
        NodeGroups(IndexMap::default())
    }
}

impl<K: Hash + Eq, T> NodeGroups<K, T> {
    pub(crate) fn add(&mut self, key: K, what: T, node: &Str) {
        self.group(key, node, || what);
    }

    /// Returns the group that a node is one more of.
    pub(crate) fn group(&mut self, key: K, node: &Str, what: impl FnOnce() -> T) -> &mut T {
        let group = self.0.entry(key).or_insert_with(|| NodeGroup { what: what(), nodes: Vec::new() });
        // A line may be told a node twice.
        if group.nodes.last() != Some(node) {
            group.nodes.push(node.clone());
        }
        &mut group.what
    }

    pub(crate) fn all(self) -> Vec<NodeGroup<T>> {
        self.0.into_values().collect()
    }
}
