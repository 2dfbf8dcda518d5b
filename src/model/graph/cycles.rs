//! Dependency cycles: as the agent reports them, and the shortest way around, with the reason for each step.

use std::fmt::Write;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::dot::quoted;
use super::paths::Loops;
use super::{Graph, Reason, Vertex};

/// Vertices that come before themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// All that lie on it, in the order of their references.
    pub members: Vec<Vertex>,
    /// The way that the agent shows: from the first member to one that it has passed already.
    pub path: Vec<Vertex>,
    /// The shortest way around, of resources alone: the last one leads back to the first.
    pub shortest: Vec<Link>,
}

/// A resource of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    pub vertex: Vertex,
    /// Why it comes before the next one.
    pub reason: Reason,
}

impl Graph<'_> {
    /// In the agent's order.
    pub fn cycles(&self) -> Vec<Cycle> {
        let gone_through = self.numbers_in_order();
        let replaced = (0..self.expanded.vertices()).filter(|number| self.is_replaced(*number)).count();
        if gone_through.len() + replaced == self.vertices.len() {
            return Vec::new();
        }
        let mut cycles: Vec<(Vec<String>, Cycle)> =
            self.components().into_iter().map(|(names, members)| (names, self.cycle(&members))).collect();
        cycles.sort_by(|one, other| one.0.cmp(&other.0));
        cycles.into_iter().map(|(_, cycle)| cycle).collect()
    }

    /// Returns what comes before itself, each with its references, which it is sorted by.
    fn components(&self) -> Vec<(Vec<String>, Vec<u32>)> {
        let pairs = self.expanded.pairs().iter().map(|pair| (pair.source, pair.target));
        let graph: DiGraph<(), ()> = DiGraph::from_edges(pairs);
        let is_cycle = |component: &Vec<NodeIndex>| {
            component.len() > 1 || component.iter().any(|only| graph.contains_edge(*only, *only))
        };
        let sorted = |component: Vec<NodeIndex>| {
            let number = |index: NodeIndex| index.index() as u32;
            let mut named: Vec<(String, u32)> = component
                .into_iter()
                .map(|index| (self.reference(self.vertex(number(index))), number(index)))
                .collect();
            named.sort_unstable();
            named.into_iter().unzip()
        };
        kosaraju_scc(&graph).into_iter().filter(is_cycle).map(sorted).collect()
    }

    fn cycle(&self, members: &[u32]) -> Cycle {
        let loops = self.loops(members);
        let vertices = |path: Vec<u32>| path.into_iter().map(|number| self.vertex(number)).collect();
        Cycle {
            path: vertices(loops.first_path()),
            shortest: self.links(&loops.shortest()),
            members: vertices(members.to_vec()),
        }
    }

    fn loops(&self, members: &[u32]) -> Loops {
        Loops::new(members, |number| self.expanded.outgoing(number).map(|pair| pair.target).collect())
    }

    /// The steps of a way around, without the beginnings and ends of containers.
    fn links(&self, around: &[u32]) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        for (at, number) in around.iter().enumerate() {
            let next = around[(at + 1) % around.len()];
            let reason = self.expanded.pair(*number, next).and_then(|pair| pair.reasons.first().copied());
            let vertex = match self.vertex(*number) {
                Vertex::Admissible(container) | Vertex::Completed(container) => Vertex::Resource(container),
                vertex => vertex,
            };
            let link = Link { vertex, reason: reason.unwrap_or(Reason::Contains) };
            // Into a container and out of it again: the whole of it is meant, whatever lies between.
            if let [.., before, last] = &links[..]
                && before.vertex == vertex
                && (before.reason, last.reason) == (Reason::Contains, Reason::Contains)
            {
                links.pop();
            }
            match links.last_mut() {
                // The beginning and the end of one container.
                Some(last) if last.vertex == vertex => *last = link,
                _ => links.push(link),
            }
        }
        if links.len() > 1 && links.first().map(|link| link.vertex) == links.last().map(|link| link.vertex) {
            links.remove(0);
        }
        links
    }

    /// Returns what the agent says of cycles; `drawn` is the file that they were drawn to. Only the first line ends in
    /// a line feed: the others end in a backslash and an n.
    pub fn message(&self, cycles: &[Cycle], drawn: Option<&str>) -> String {
        let noun = if cycles.len() == 1 { "cycle" } else { "cycles" };
        let mut message = format!("Found {} dependency {noun}:\n", cycles.len());
        for cycle in cycles {
            let names: Vec<String> = cycle.path.iter().map(|vertex| self.name(*vertex)).collect();
            // A text cannot fail to be written to.
            let _ = write!(message, "({})\\n", names.join(" => "));
        }
        match drawn {
            Some(file) => message + &format!("Cycle graph written to {file}."),
            None => {
                message + "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
            }
        }
    }

    /// Returns the drawing of cycles that the agent calls `cycles.dot`: up to ten ways of each.
    pub fn cycles_to_dot(&self, cycles: &[Cycle]) -> String {
        let mut lines = vec!["digraph Resource_Cycles {".to_owned(), "  label = \"Resource Cycles\"".to_owned()];
        for (_, members) in self.components_of(cycles) {
            for path in self.loops(&members).paths(10) {
                let names: Vec<String> = path.iter().map(|number| quoted(&self.name(self.vertex(*number)))).collect();
                lines.push(names.join(" -> "));
            }
        }
        lines.push("}\n".to_owned());
        lines.join("\n")
    }

    fn components_of(&self, cycles: &[Cycle]) -> Vec<(Vec<String>, Vec<u32>)> {
        let mut components = if cycles.is_empty() { Vec::new() } else { self.components() };
        components.sort_unstable();
        components
    }
}
