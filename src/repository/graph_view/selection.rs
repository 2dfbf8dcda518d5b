//! A part of a graph: what is around some resources, or inside of a class.

use std::fmt;

use pantin_base::names::split_reference;
use pantin_base::nearest;

use super::{GraphView, VertexKind, ViewEdge};

/// Which part of a graph is meant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphSelection {
    /// References: what these are related to.
    pub around: Vec<String>,
    /// Names of classes: these, and what they contain.
    pub classes: Vec<String>,
    /// So many relationships away.
    pub depth: usize,
}

/// A resource or class that the catalog does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownResource {
    pub wanted: String,
    /// The name that was probably meant.
    pub near: Option<String>,
    pub node: String,
}

impl fmt::Display for UnknownResource {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "the catalog of {} has no {}", self.node, self.wanted)?;
        self.near.as_ref().map_or(Ok(()), |near| write!(to, "; did you mean {near}?"))
    }
}

impl GraphView {
    /// Returns the part that is meant, with the containers around it. Nothing named: all of it.
    pub fn select(self, selection: &GraphSelection) -> Result<GraphView, UnknownResource> {
        if selection.around.is_empty() && selection.classes.is_empty() {
            return Ok(self);
        }
        let mut is_kept = vec![false; self.vertices.len()];
        for reference in &selection.around {
            let found = self.find(reference)?;
            self.keep_with_content(found, &mut is_kept);
        }
        for class in &selection.classes {
            let found = self.find(&format!("Class[{}]", class.trim_start_matches("::")))?;
            self.keep_with_content(found, &mut is_kept);
        }
        self.keep_containers(&mut is_kept);
        for _ in 0..selection.depth {
            // What its container is related to, a resource is related to.
            let before = is_kept.clone();
            for edge in &self.edges {
                is_kept[edge.later] |= before[edge.earlier];
                is_kept[edge.earlier] |= before[edge.later];
            }
            self.keep_containers(&mut is_kept);
        }
        Ok(self.part(&is_kept))
    }

    /// Returns the vertex of this reference: capitals do not matter in its type, nor in the name of a class.
    fn find(&self, reference: &str) -> Result<usize, UnknownResource> {
        let is_it = |(type_name, title): (&str, &str), vertex: &super::ViewVertex| {
            vertex.type_name.eq_ignore_ascii_case(type_name)
                && match vertex.kind {
                    VertexKind::Class => vertex.title.eq_ignore_ascii_case(title),
                    _ => vertex.title == title,
                }
        };
        let wanted = split_reference(reference);
        let found = wanted.and_then(|wanted| self.vertices.iter().position(|vertex| is_it(wanted, vertex)));
        found.ok_or_else(|| {
            let names: Vec<String> = self.vertices.iter().map(super::ViewVertex::name).collect();
            // Capitals are no slips.
            let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
            let near = nearest(&reference.to_lowercase(), lower.iter().map(String::as_str));
            let near = near.and_then(|near| names.iter().find(|name| name.to_lowercase() == near)).cloned();
            // Who leaves out the type means a title.
            let titled = || self.vertices.iter().find(|vertex| vertex.title == reference).map(super::ViewVertex::name);
            UnknownResource { wanted: reference.to_owned(), near: near.or_else(titled), node: self.node.to_string() }
        })
    }

    fn keep_containers(&self, is_kept: &mut [bool]) {
        for vertex in 0..self.vertices.len() {
            if is_kept[vertex] {
                self.path(vertex).into_iter().for_each(|container| is_kept[container] = true);
            }
        }
    }

    fn keep_with_content(&self, vertex: usize, is_kept: &mut [bool]) {
        for (number, is_kept) in is_kept.iter_mut().enumerate() {
            *is_kept |= self.path(number).contains(&vertex);
        }
    }

    fn part(mut self, is_kept: &[bool]) -> GraphView {
        let mut numbers = vec![None; self.vertices.len()];
        let kept = (0..self.vertices.len()).filter(|number| is_kept[*number]);
        kept.enumerate().for_each(|(new, old)| numbers[old] = Some(new));
        let mut number = 0;
        self.vertices.retain_mut(|vertex| {
            number += 1;
            vertex.container = vertex.container.and_then(|container| numbers[container]);
            is_kept[number - 1]
        });
        let edges = self.edges.into_iter().filter_map(|edge| {
            let (earlier, later) = (numbers[edge.earlier]?, numbers[edge.later]?);
            Some(ViewEdge { earlier, later, ..edge })
        });
        self.edges = edges.collect();
        self
    }
}
