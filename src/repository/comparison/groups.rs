//! The same difference on several nodes, told once.

use std::collections::BTreeMap;

use pantin_values::{Digest, Digester, Digestible, Str};

use super::Comparison;
use super::node::{MessageState, NodeDifference, ResourceDifference};
use crate::messages::{Group, Message};
use crate::node_groups::{NodeGroup, NodeGroups};

/// A resource that differs in the same parameters and relationships on several nodes.
#[derive(Debug)]
pub struct DifferenceGroup {
    /// From which values to which may differ from node to node: each way with its nodes. There is one at least.
    pub ways: Vec<NodeGroup<ResourceDifference>>,
}

/// A message, whose it is, and on which sides.
#[derive(Debug)]
pub struct MessageGroup {
    pub state: MessageState,
    pub group: Group,
}

#[derive(Default)]
pub(super) struct Groups {
    /// By what is the same of a group, then by all of it.
    resources: NodeGroups<Digest, NodeGroups<Digest, ResourceDifference>>,
    refreshed: NodeGroups<Str, Str>,
    /// By state, those of each node.
    messages: BTreeMap<MessageState, Vec<(Str, Vec<Message>)>>,
}

impl Groups {
    pub(super) fn add(&mut self, node: &Str, difference: NodeDifference) {
        for resource in difference.resources {
            let mut digester = Digester::new(b"difference");
            resource.add_to(&mut digester);
            let ways = self.resources.group(resource.group_digest(), node, NodeGroups::default);
            ways.add(digester.finish(), resource, node);
        }
        for reference in difference.refreshed {
            self.refreshed.add(reference.clone(), reference, node);
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
        let group = |group: NodeGroup<NodeGroups<_, _>>| DifferenceGroup { ways: group.what.all() };
        into.differences = self.resources.all().into_iter().map(group).collect();
        into.refreshed = self.refreshed.all();
        for (state, messages) in self.messages {
            let groups = Group::from_messages(messages.iter().map(|(node, messages)| (node, messages)));
            into.messages.extend(groups.into_iter().map(|group| MessageGroup { state, group }));
        }
    }
}

impl DifferenceGroup {
    /// The first way stands for all.
    pub fn first(&self) -> &ResourceDifference {
        &self.ways[0].what
    }

    /// Returns all nodes, in the order of the ways.
    pub fn nodes(&self) -> Vec<Str> {
        self.ways.iter().flat_map(|way| way.nodes.iter().cloned()).collect()
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
