//! The same difference on several nodes, told once.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use pantin_values::{Digest, Digester, Digestible, Str};
use rustc_hash::FxBuildHasher;

use super::Comparison;
use super::node::{MessageState, NodeDifference, ResourceDifference};
use crate::messages::{Group, Message};

/// A resource that differs in the same parameters and relationships on several nodes.
#[derive(Debug)]
pub struct DifferenceGroup {
    /// From which values to which may differ from node to node: each way with its nodes. There is one at least.
    pub ways: Vec<(ResourceDifference, Vec<Str>)>,
}

/// A message, whose it is, and on which sides.
#[derive(Debug)]
pub struct MessageGroup {
    pub state: MessageState,
    pub group: Group,
}

/// In the order in which they were first seen.
type Ordered<Key, Item> = IndexMap<Key, Item, FxBuildHasher>;

/// Something, with the nodes that have it.
type WithNodes<Item> = (Item, Vec<Str>);

#[derive(Default)]
pub(super) struct Groups {
    /// By what is the same of a group, then by all of it.
    resources: Ordered<Digest, Ordered<Digest, WithNodes<ResourceDifference>>>,
    refreshed: Ordered<Str, Vec<Str>>,
    /// By state, those of each node.
    messages: BTreeMap<MessageState, Vec<(Str, Vec<Message>)>>,
}

impl Groups {
    pub(super) fn add(&mut self, node: &Str, difference: NodeDifference) {
        for resource in difference.resources {
            let ways = self.resources.entry(resource.group_digest()).or_default();
            let mut digester = Digester::new(b"difference");
            resource.add_to(&mut digester);
            ways.entry(digester.finish()).or_insert_with(|| (resource, Vec::new())).1.push(node.clone());
        }
        for reference in difference.refreshed {
            self.refreshed.entry(reference).or_default().push(node.clone());
        }
        for (state, message) in difference.messages {
            let of_nodes = self.messages.entry(state).or_default();
            match of_nodes.last_mut().filter(|(last, _)| last == node) {
                Some((_, messages)) => messages.push(message),
                None => of_nodes.push((node.clone(), vec![message])),
            }
        }
    }

    pub(super) fn finish(self, into: &mut Comparison) {
        let group = |ways: Ordered<Digest, WithNodes<ResourceDifference>>| DifferenceGroup {
            ways: ways.into_values().collect(),
        };
        into.differences = self.resources.into_values().map(group).collect();
        into.refreshed = self.refreshed.into_iter().collect();
        for (state, messages) in self.messages {
            let groups = Group::from_messages(messages.iter().map(|(node, messages)| (node, messages)));
            into.messages.extend(groups.into_iter().map(|group| MessageGroup { state, group }));
        }
    }
}

impl DifferenceGroup {
    /// The first way stands for all.
    pub fn first(&self) -> &ResourceDifference {
        &self.ways[0].0
    }

    /// All nodes, in the order of the ways.
    pub fn nodes(&self) -> Vec<Str> {
        self.ways.iter().flat_map(|(_, nodes)| nodes.iter().cloned()).collect()
    }
}

impl ResourceDifference {
    /// Names what differs, and not from what to what.
    fn group_digest(&self) -> Digest {
        let mut digester = Digester::new(b"difference group");
        digester.text(&self.reference).text(self.action()).number(self.parameters().len() as u64);
        for parameter in self.parameters() {
            digester.text(&parameter.name);
        }
        digester.number(u64::from(self.relationships.is_empty())).number(self.contents.len() as u64);
        digester.finish()
    }
}
