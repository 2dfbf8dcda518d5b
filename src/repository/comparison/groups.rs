//! The same difference on several nodes, told once.

use indexmap::IndexMap;
use pantin_values::{Digest, Digester, Digestible, Str};
use rustc_hash::FxBuildHasher;

use super::Comparison;
use super::node::{MessageState, NodeDifference, ResourceDifference};
use crate::fleet::{About, FilePlace, Message};

/// A resource that differs in the same parameters and relationships on several nodes.
#[derive(Debug)]
pub struct DifferenceGroup {
    /// From which values to which may differ from node to node: each way with its nodes. There is one at least.
    pub ways: Vec<(ResourceDifference, Vec<Str>)>,
}

/// A message, and whose it is.
#[derive(Debug)]
pub struct MessageGroup {
    pub about: About,
    pub state: MessageState,
    /// Of one node its own words; of several, with signs in the place of what is each one's own.
    pub text: String,
    pub place: Option<FilePlace>,
    pub help: Option<String>,
    pub nodes: Vec<Str>,
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
    messages: Ordered<(MessageState, About, String), WithNodes<Message>>,
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
            let key = (state, message.about, message.general.clone());
            self.messages.entry(key).or_insert_with(|| (message, Vec::new())).1.push(node.clone());
        }
    }

    pub(super) fn finish(self, into: &mut Comparison) {
        let group = |ways: Ordered<Digest, WithNodes<ResourceDifference>>| DifferenceGroup {
            ways: ways.into_values().collect(),
        };
        into.differences = self.resources.into_values().map(group).collect();
        into.refreshed = self.refreshed.into_iter().collect();
        let message = |((state, about, general), (message, nodes)): (_, WithNodes<Message>)| {
            let text = if nodes.len() > 1 { general } else { message.text };
            MessageGroup { about, state, text, place: message.place, help: message.help, nodes }
        };
        into.messages = self.messages.into_iter().map(message).collect();
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
