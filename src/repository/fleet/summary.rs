//! The summary of a run.

use std::collections::BTreeMap;

use pantin_values::Str;

use super::reason::Reason;
use super::report::NodeReport;
use crate::messages::{About, Group};

/// All nodes of a run, and what they have in common.
#[derive(Clone, Debug)]
pub struct Summary {
    /// In the order of the fleet.
    pub nodes: Vec<NodeReport>,
    pub groups: Vec<Group>,
}

impl Summary {
    pub fn from_nodes(nodes: Vec<NodeReport>) -> Summary {
        let groups = Group::from_messages(nodes.iter().map(|node| (&node.name, &node.messages)));
        Summary { nodes, groups }
    }

    pub fn ok(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_ok()).count()
    }

    /// Returns those that were answered in an earlier run.
    pub fn reused_count(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_kept).count()
    }

    /// Returns what has changed, with the nodes that depend on it: what most do first.
    pub fn nodes_by_reason(&self, concerns: impl Fn(&NodeReport) -> bool) -> Vec<(&Reason, Vec<&Str>)> {
        let mut nodes: BTreeMap<&Reason, Vec<&Str>> = BTreeMap::new();
        for node in self.nodes.iter().filter(|node| concerns(node)) {
            for reason in &node.reasons {
                nodes.entry(reason).or_default().push(&node.name);
            }
        }
        let mut reasons: Vec<(&Reason, Vec<&Str>)> = nodes.into_iter().collect();
        reasons.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
        reasons
    }

    pub fn failed_count(&self) -> usize {
        self.nodes.len() - self.ok()
    }

    pub fn groups(&self, about: About) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.about == about)
    }

    /// Returns those that took longest, up to so many.
    pub fn slowest(&self, count: usize) -> Vec<&NodeReport> {
        let mut nodes: Vec<&NodeReport> = self.nodes.iter().collect();
        // By name among equals, as sorting keeps the order.
        nodes.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        nodes.truncate(count);
        nodes
    }

    /// Returns the time of all nodes together.
    pub fn seconds(&self) -> f64 {
        self.nodes.iter().map(|node| node.seconds).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_words::OwnWords;

    #[test]
    fn a_summary_counts() {
        let node = |name: &str, seconds: f64, resources| NodeReport {
            name: name.into(),
            seconds,
            resources,
            ..NodeReport::default()
        };
        let mut stuck = node("c", 3.0, Some(4));
        stuck.say(About::Cycle, "a => a", &OwnWords::default());
        let summary = Summary::from_nodes(vec![node("a", 1.0, Some(3)), node("b", 2.0, None), stuck]);
        assert_eq!((summary.ok(), summary.failed_count()), (1, 2));
        let slowest: Vec<&str> = summary.slowest(2).iter().map(|node| node.name.as_str()).collect();
        assert_eq!((slowest, summary.seconds()), (vec!["c", "b"], 6.0));
        assert_eq!(summary.groups(About::Cycle).count(), 1);
    }
}
