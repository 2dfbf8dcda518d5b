//! Drawings for Graphviz, as the agent writes them with `--graph`.

use std::fmt::Write;

use super::edges::{Edges, Pair};
use super::{Graph, Vertex};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// What contains what.
    Resources,
    /// What comes before what.
    Relationships,
    /// The same, with beginnings and ends instead of containers.
    ExpandedRelationships,
}

impl Drawing {
    pub const ALL: [Drawing; 3] = [Drawing::Resources, Drawing::Relationships, Drawing::ExpandedRelationships];

    /// Returns the name of the agent's file.
    pub fn file_name(self) -> &'static str {
        match self {
            Drawing::Resources => "resources.dot",
            Drawing::Relationships => "relationships.dot",
            Drawing::ExpandedRelationships => "expanded_relationships.dot",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Drawing::Resources => "Resources",
            Drawing::Relationships => "Relationships",
            Drawing::ExpandedRelationships => "Expanded_relationships",
        }
    }
}

impl Graph<'_> {
    pub fn to_dot(&self, drawing: Drawing) -> String {
        let names: Vec<String> = self.vertices.iter().map(|vertex| self.reference(*vertex)).collect();
        let is_shown = |number: &u32| match drawing {
            Drawing::ExpandedRelationships => !self.is_replaced(*number),
            _ => matches!(self.vertex(*number), Vertex::Resource(_) | Vertex::Default(_)),
        };
        let shown: Vec<u32> = (0..self.vertices.len() as u32).filter(is_shown).collect();
        let mut out = format!("digraph {0} {{\n    label = \"{0}\"\n", drawing.title());
        let mut parts: Vec<String> = shown.iter().map(|number| node(&names[*number as usize])).collect();
        let edge = |source: u32, target: u32| edge(&names[source as usize], &names[target as usize]);
        match drawing {
            Drawing::Resources => {
                // By target, as everywhere.
                let mut contained = self.catalog.edges.to_vec();
                contained.sort_by_key(|(_, target)| *target);
                parts.extend(contained.iter().map(|(source, target)| edge(*source, *target)));
            }
            Drawing::Relationships => parts.extend(of_pairs(&self.relations, &shown, edge)),
            Drawing::ExpandedRelationships => parts.extend(of_pairs(&self.expanded, &shown, edge)),
        }
        out.push_str(&parts.join("\n"));
        out.push_str("\n}\n");
        out
    }
}

/// Each edge by itself, also where there are several between two.
fn of_pairs(edges: &Edges, shown: &[u32], edge: impl Fn(u32, u32) -> String) -> Vec<String> {
    let several = |pair: &Pair| vec![edge(pair.source, pair.target); pair.reasons.len()];
    shown.iter().flat_map(|target| edges.into(*target)).flat_map(several).collect()
}

fn node(name: &str) -> String {
    let name = quoted(name);
    format!("    {name} [\n        fontsize = 8,\n        label = {name}\n    ]\n")
}

fn edge(source: &str, target: &str) -> String {
    let mut text = String::new();
    // A text cannot fail to be written to.
    let _ = write!(text, "    {} -> {} [\n        fontsize = 8\n    ]\n", quoted(source), quoted(target));
    text
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\\\""))
}
