//! The relationships of one catalog as a drawing needs them: what contains what, what comes before what, which relationships
//! make cycles or lead nowhere.
//!
//! Knows nothing of how it is drawn. What eyaml decrypted is hidden in every name.

mod selection;

use std::collections::BTreeMap;

use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::kinds::Relation;
use pantin_model::catalog::{Catalog, Resource, ResourceTypeKind};
use pantin_model::graph::{Cycle, Graph, RelationshipKind, Vertex};
use pantin_values::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalog_check::{CatalogFindings, CycleStep, FileLine, Finding};

pub use selection::{GraphSelection, UnknownResource};

/// The graph of one catalog, or a part of it.
#[derive(Clone, Debug)]
pub struct GraphView {
    pub node: Str,
    pub environment: String,
    pub vertices: Vec<ViewVertex>,
    pub edges: Vec<ViewEdge>,
    /// The shortest way around each cycle.
    pub cycles: Vec<Vec<CycleStep>>,
    /// What an agent says of resources that are not there.
    pub missing: Vec<(String, Option<FileLine>)>,
    /// Types whose automatic relationships are not known.
    pub unknown_types: Vec<String>,
    /// How many resources the catalog has.
    pub resources: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewVertex {
    pub type_name: String,
    pub title: String,
    pub kind: VertexKind,
    /// The vertex that contains it.
    pub container: Option<usize>,
    pub place: Option<FileLine>,
    pub is_in_cycle: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VertexKind {
    Stage,
    Class,
    /// Of a defined type.
    Defined,
    Native,
    /// A relationship leads to it, and the catalog does not have it.
    Missing,
}

/// What one vertex has to do with another that comes after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ViewEdge {
    pub earlier: usize,
    pub later: usize,
    /// Each once.
    pub kinds: Vec<RelationshipKind>,
    pub is_in_cycle: bool,
}

impl VertexKind {
    /// Returns a stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            VertexKind::Stage => "stage",
            VertexKind::Class => "class",
            VertexKind::Defined => "defined_type",
            VertexKind::Native => "resource",
            VertexKind::Missing => "missing",
        }
    }

    fn from_resource(resource: &Resource) -> VertexKind {
        match (resource.kind, resource.type_name.as_str()) {
            (_, "Stage") => VertexKind::Stage,
            (ResourceTypeKind::Native, _) => VertexKind::Native,
            (ResourceTypeKind::Defined, _) => VertexKind::Defined,
            (ResourceTypeKind::Class | ResourceTypeKind::Unknown, _) => VertexKind::Class,
        }
    }
}

impl ViewVertex {
    /// `File[/x]`
    pub fn name(&self) -> String {
        format!("{}[{}]", self.type_name, self.title)
    }
}

impl GraphView {
    /// `decrypted`: what is hidden.
    pub fn new(catalog: &Catalog, decrypted: &DecryptedTexts) -> GraphView {
        let graph = Graph::from_catalog(catalog);
        let cycles = graph.cycles();
        let vertices = vertices(catalog, &graph, decrypted);
        let mut view = GraphView {
            node: catalog.name.as_str().into(),
            environment: catalog.environment.clone(),
            vertices,
            edges: Vec::new(),
            cycles: Vec::new(),
            missing: Vec::new(),
            unknown_types: graph.unknown_types().iter().map(|name| (*name).to_owned()).collect(),
            resources: catalog.resources.len(),
        };
        view.add_edges(catalog, &graph);
        view.add_missing(&graph, decrypted);
        view.mark_cycles(&cycles);
        view.add_findings(CatalogFindings::from_graph(catalog, &graph, &cycles, None), decrypted);
        view
    }

    /// The names of what contains a vertex, from the outside in, and its own.
    pub fn path(&self, vertex: usize) -> Vec<usize> {
        let mut path = vec![vertex];
        while let Some(container) = path.last().and_then(|last| self.vertices[*last].container) {
            // A catalog that somebody wrote by hand may contain itself.
            if path.contains(&container) {
                break;
            }
            path.push(container);
        }
        path.reverse();
        path
    }

    fn add_edges(&mut self, catalog: &Catalog, graph: &Graph<'_>) {
        let numbers: FxHashMap<*const Resource, usize> =
            catalog.resources.iter().enumerate().map(|(number, resource)| (&raw const **resource, number)).collect();
        let number = |resource: &Resource| numbers.get(&(&raw const *resource)).copied();
        let mut edges: BTreeMap<(usize, usize), Vec<RelationshipKind>> = BTreeMap::new();
        for relationship in graph.relationships() {
            let [earlier, later] = relationship.in_order().map(number);
            let (Some(earlier), Some(later)) = (earlier, later) else { continue };
            // A box shows one container; what else contains it is drawn like a relationship, but for the stage around all.
            let is_box = relationship.kind == RelationshipKind::Contains
                && (self.vertices[later].container == Some(earlier)
                    || self.vertices[earlier].kind == VertexKind::Stage);
            if !is_box {
                let kinds = edges.entry((earlier, later)).or_default();
                if !kinds.contains(&relationship.kind) {
                    kinds.push(relationship.kind);
                }
            }
        }
        let edge = |((earlier, later), kinds)| ViewEdge { earlier, later, kinds, is_in_cycle: false };
        self.edges = edges.into_iter().map(edge).collect();
    }

    /// Each missing resource once, beside the first that wants it.
    fn add_missing(&mut self, graph: &Graph<'_>, decrypted: &DecryptedTexts) {
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        for missing in graph.missing() {
            let wanting = missing.resource as usize;
            let number = *known.entry(&missing.target).or_insert_with(|| {
                let (type_name, title) = missing.target.split_once('[').unwrap_or((&missing.target, ""));
                self.vertices.push(ViewVertex {
                    type_name: shown(type_name, decrypted),
                    title: shown(title.strip_suffix(']').unwrap_or(title), decrypted),
                    kind: VertexKind::Missing,
                    container: self.vertices[wanting].container,
                    place: None,
                    is_in_cycle: false,
                });
                self.vertices.len() - 1
            });
            let (kind, is_before) = match missing.relation {
                Relation::Require => (RelationshipKind::Require, true),
                Relation::Subscribe => (RelationshipKind::Subscribe, true),
                Relation::Before => (RelationshipKind::Before, false),
                Relation::Notify => (RelationshipKind::Notify, false),
            };
            let (earlier, later) = if is_before { (number, wanting) } else { (wanting, number) };
            self.edges.push(ViewEdge { earlier, later, kinds: vec![kind], is_in_cycle: false });
        }
    }

    /// Whatever leads from a vertex of a cycle to another lies on a way around. A container is left at its end and entered at its
    /// beginning.
    fn mark_cycles(&mut self, cycles: &[Cycle]) {
        for cycle in cycles {
            let (mut ends, mut beginnings) = (FxHashSet::default(), FxHashSet::default());
            for vertex in &cycle.members {
                match vertex {
                    Vertex::Resource(number) => {
                        ends.insert(*number as usize);
                        beginnings.insert(*number as usize);
                    }
                    Vertex::Admissible(number) => drop(beginnings.insert(*number as usize)),
                    Vertex::Completed(number) => drop(ends.insert(*number as usize)),
                    Vertex::Default(_) => {}
                }
            }
            for (number, vertex) in self.vertices.iter_mut().enumerate() {
                vertex.is_in_cycle |= ends.contains(&number) || beginnings.contains(&number);
            }
            for edge in &mut self.edges {
                edge.is_in_cycle |= ends.contains(&edge.earlier) && beginnings.contains(&edge.later);
            }
        }
    }

    fn add_findings(&mut self, findings: CatalogFindings, decrypted: &DecryptedTexts) {
        for finding in findings.findings {
            match finding {
                // It is of no edge.
                Finding::RefusedResource { .. } => {}
                Finding::MissingDependency { message, place } => {
                    self.missing.push((shown(&message, decrypted), place));
                }
                Finding::Cycles { cycles, .. } => {
                    let step = |step: CycleStep| CycleStep {
                        resource: shown(&step.resource, decrypted),
                        reason: shown(&step.reason, decrypted),
                        ..step
                    };
                    self.cycles.extend(cycles.into_iter().map(|cycle| cycle.into_iter().map(step).collect()));
                }
            }
        }
    }
}

fn shown(text: &str, decrypted: &DecryptedTexts) -> String {
    decrypted.hide_in_text(text).unwrap_or_else(|| text.to_owned())
}

/// Named as the agent names them. A class that another one contains is in a stage too: the class is its container.
fn vertices(catalog: &Catalog, graph: &Graph<'_>, decrypted: &DecryptedTexts) -> Vec<ViewVertex> {
    let mut containers: Vec<Option<usize>> = vec![None; catalog.resources.len()];
    for (container, inside) in &*catalog.edges {
        let is_stage = |number: usize| catalog.resources.get(number).is_some_and(|it| it.type_name == "Stage");
        if let Some(known) = containers.get_mut(*inside as usize)
            && known.is_none_or(is_stage)
        {
            *known = Some(*container as usize);
        }
    }
    let vertex = |(number, container): (usize, Option<usize>)| {
        let resource = &catalog.resources[number];
        let name = graph.name(Vertex::Resource(number as u32));
        let title = name.strip_prefix(resource.type_name.as_str()).unwrap_or(&name);
        let title = title.strip_prefix('[').and_then(|title| title.strip_suffix(']')).unwrap_or(title);
        ViewVertex {
            type_name: shown(&resource.type_name, decrypted),
            title: shown(title, decrypted),
            kind: VertexKind::from_resource(resource),
            container,
            place: resource.place.as_ref().map(FileLine::from),
            is_in_cycle: false,
        }
    };
    containers.into_iter().enumerate().map(vertex).collect()
}
