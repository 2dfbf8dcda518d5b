//! A graph for Graphviz: containers are clusters.

use std::fmt::Write;

use pantin_base::stack;
use pantin_model::graph::RelationshipKind;
use pantin_repository::graph_view::{GraphView, VertexKind, ViewEdge};

use crate::print::safe::dot::quoted;

const RED: &str = "#b3362b";
const GREY: &str = "#8a8f98";

pub(super) fn drawing(view: &GraphView) -> String {
    let mut contents: Vec<Vec<usize>> = vec![Vec::new(); view.vertices.len()];
    let mut outermost = Vec::new();
    for (number, vertex) in view.vertices.iter().enumerate() {
        match vertex.container {
            Some(container) => contents[container].push(number),
            None => outermost.push(number),
        }
    }
    let mut text = format!(
        "digraph {} {{\n    compound = true\n    fontname = \"Helvetica\"\n    node [shape = box, style = rounded, fontname \
         = \"Helvetica\", fontsize = 10]\n    edge [color = \"#444a54\", arrowsize = 0.7]\n",
        quoted(&view.node)
    );
    let drawing = Drawing { view, contents: &contents };
    outermost.iter().for_each(|vertex| drawing.push_vertex(*vertex, 1, &mut text));
    view.edges.iter().for_each(|edge| drawing.push_edge(edge, &mut text));
    text.push_str("}\n");
    text
}

struct Drawing<'v> {
    view: &'v GraphView,
    contents: &'v [Vec<usize>],
}

impl Drawing<'_> {
    /// Writing to a string cannot fail.
    fn push_vertex(&self, number: usize, depth: usize, text: &mut String) {
        let vertex = &self.view.vertices[number];
        let indent = "    ".repeat(depth);
        let name = quoted(&vertex.name());
        if self.contents[number].is_empty() {
            let look = match (vertex.kind, vertex.is_in_cycle) {
                (VertexKind::Missing, _) => {
                    format!(", style = \"rounded,dashed\", color = \"{RED}\", fontcolor = \"{RED}\"")
                }
                (_, true) => format!(", color = \"{RED}\", penwidth = 2"),
                (VertexKind::Native, _) => String::new(),
                _ => ", style = \"rounded,bold\"".to_owned(),
            };
            let _ = writeln!(text, "{indent}n{number} [label = {name}{look}]");
            return;
        }
        let colour = if vertex.is_in_cycle { RED } else { GREY };
        let _ = writeln!(text, "{indent}subgraph cluster_{number} {{");
        let _ =
            writeln!(text, "{indent}    label = {name}\n{indent}    style = rounded\n{indent}    color = \"{colour}\"");
        // What is related to the container itself ends at a point in it.
        let _ = writeln!(text, "{indent}    n{number} [shape = point, style = invis, label = \"\"]");
        stack::with_room(|| {
            self.contents[number].iter().for_each(|inside| self.push_vertex(*inside, depth + 1, text));
        });
        let _ = writeln!(text, "{indent}}}");
    }

    fn push_edge(&self, edge: &ViewEdge, text: &mut String) {
        let ViewEdge { earlier, later, kinds, is_in_cycle } = edge;
        let is_missing = [earlier, later].iter().any(|end| self.view.vertices[**end].kind == VertexKind::Missing);
        let mut look: Vec<String> = vec![format!("tooltip = {}", quoted(&names(kinds)))];
        if *is_in_cycle {
            look.push(format!("color = \"{RED}\", penwidth = 2"));
        } else if is_missing {
            look.push(format!("color = \"{RED}\", style = dashed"));
        } else if kinds.iter().all(|kind| *kind == RelationshipKind::Automatic) {
            look.push(format!("color = \"{GREY}\", style = dotted"));
        } else if kinds.contains(&RelationshipKind::Contains) {
            look.push(format!("color = \"{GREY}\", style = dashed, arrowhead = odiamond"));
        } else if refreshes(kinds) {
            look.push("style = bold, arrowhead = normalnormal".to_owned());
        }
        let is_inside = |one: usize, other: usize| self.view.path(one).contains(&other);
        if !is_inside(*earlier, *later) && !is_inside(*later, *earlier) {
            let cluster = |number: &usize| (!self.contents[*number].is_empty()).then(|| format!("cluster_{number}"));
            look.extend(cluster(earlier).map(|name| format!("ltail = {name}")));
            look.extend(cluster(later).map(|name| format!("lhead = {name}")));
        }
        let _ = writeln!(text, "    n{earlier} -> n{later} [{}]", look.join(", "));
    }
}

/// Returns true if the later one hears of a change of the earlier one.
fn refreshes(kinds: &[RelationshipKind]) -> bool {
    kinds.iter().any(|kind| matches!(kind, RelationshipKind::Notify | RelationshipKind::Subscribe))
}

fn names(kinds: &[RelationshipKind]) -> String {
    kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}
