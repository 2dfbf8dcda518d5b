//! The relationship graph of a catalog, as the agent builds it: what comes before what, and why.
//!
//! First the relationships as resources have them, told or automatic; then each container (a class, an instance of a
//! defined type, a stage) is replaced by its beginning and its end, between which all lies that it contains. What is
//! asked of the graph comes out as plain data; nothing is applied here, and nothing is written to a file.

mod anchors;
mod automatic;
mod cycles;
mod dot;
mod edges;
mod names;
mod order;
mod paths;
mod relations;
mod relationships;
mod same;
mod walk;

use std::borrow::Cow;

use pantin_base::names::type_name;

use crate::catalog::kinds::{NativeType, Relation, Subject};
use crate::catalog::{Catalog, Place, Resource, ResourceTypeKind, kinds};
pub use cycles::{Cycle, Link};
pub use dot::Drawing;
use edges::Edges;
use names::Names;
pub use relations::Missing;
pub use relationships::{Relationship, RelationshipKind};
pub use same::{has_same_graph, leaves_graph_unchanged, stays_sound};
pub use walk::{MadeVertex, Walk, WalkEdge, WalkVertex};

/// What comes before what.
#[derive(Debug)]
pub struct Graph<'c> {
    catalog: &'c Catalog,
    vertices: Vec<Vertex>,
    /// Between resources.
    relations: Edges,
    /// With beginnings and ends instead of containers.
    expanded: Edges,
    missing: Vec<Missing>,
    unknown_types: Vec<&'c str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vertex {
    /// Of the catalog, by its place there.
    Resource(u32),
    /// One that every catalog gets if it has none of that name: a schedule, a file bucket.
    Default(&'static str),
    /// The beginning of a container, which is a vertex of this number.
    Admissible(u32),
    /// Its end.
    Completed(u32),
}

/// Why one vertex comes before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A parameter says so: `require` and `subscribe` are of the later one, `before` and `notify` of the earlier one.
    Declared(Relation),
    /// The agent does so by itself.
    Automatic(Relation),
    /// One contains the other, or a container has nothing between its beginning and its end.
    Contains,
}

/// What the agent adds to a catalog, in its order.
const DEFAULTS: [&str; 7] = [
    "Schedule[puppet]",
    "Schedule[hourly]",
    "Schedule[daily]",
    "Schedule[weekly]",
    "Schedule[monthly]",
    "Schedule[never]",
    "Filebucket[puppet]",
];

impl<'c> Graph<'c> {
    pub fn from_catalog(catalog: &'c Catalog) -> Graph<'c> {
        Graph::with_files_of_modules(catalog, |_| None)
    }

    /// Builds the graph where types of modules are known: `file_of` returns the file that a resource of such a type requires by itself.
    pub fn with_files_of_modules(
        catalog: &'c Catalog,
        file_of: fn(&Resource) -> Option<pantin_values::Str>,
    ) -> Graph<'c> {
        let mut names = Names::from_catalog(catalog);
        let mut vertices: Vec<Vertex> = (0..).map(Vertex::Resource).take(catalog.resources.len()).collect();
        vertices.extend(DEFAULTS.into_iter().filter(|name| !names.has(name)).map(Vertex::Default));
        names.add_defaults(&vertices);
        let mut relations = Edges::new(vertices.len(), catalog.resources.len());
        let missing = relations::add_declared_relations(catalog, &names, &mut relations);
        automatic::add(catalog, &names, &mut relations, file_of);
        let expanded = anchors::expand(catalog, &mut vertices, &relations);
        let unknown_types = unknown_types(catalog);
        Graph { catalog, vertices, relations, expanded, missing, unknown_types }
    }

    /// Returns the relationships with what a catalog does not have, without the rest of its graph.
    pub fn missing_relations(catalog: &Catalog) -> Vec<Missing> {
        let mut names = Names::from_catalog(catalog);
        let mut vertices: Vec<Vertex> = (0..).map(Vertex::Resource).take(catalog.resources.len()).collect();
        vertices.extend(DEFAULTS.into_iter().filter(|name| !names.has(name)).map(Vertex::Default));
        names.add_defaults(&vertices);
        relations::add_declared_relations(catalog, &names, &mut Edges::new(vertices.len(), 0))
    }

    pub fn catalog(&self) -> &'c Catalog {
        self.catalog
    }

    /// Relationships with what the catalog does not have, in the order in which the agent looks; it gives up at the
    /// first.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// Types that a module defines in Ruby: what they are related to by themselves is not known here.
    pub fn unknown_types(&self) -> &[&'c str] {
        &self.unknown_types
    }

    /// Returns the resource of the catalog that a vertex stands for; of a beginning or an end, the container.
    pub fn resource(&self, vertex: Vertex) -> Option<&'c Resource> {
        match vertex {
            Vertex::Resource(at) | Vertex::Admissible(at) | Vertex::Completed(at) => {
                self.catalog.resources.get(at as usize).map(|resource| &**resource)
            }
            Vertex::Default(_) => None,
        }
    }

    pub fn place(&self, vertex: Vertex) -> Option<&'c Place> {
        self.resource(vertex)?.place.as_ref()
    }

    /// As the agent names it where people read: `File[/x]`; a beginning and an end are called like their container.
    pub fn name(&self, vertex: Vertex) -> String {
        match vertex {
            Vertex::Default(name) => name.to_owned(),
            _ => self.resource(vertex).map(reference).unwrap_or_default(),
        }
    }

    /// As the agent names it to itself: `Whit[Completed_class[A]]`, which is not how it writes the type elsewhere.
    pub fn reference(&self, vertex: Vertex) -> String {
        let name = self.name(vertex);
        let anchor = |side: &str| match name.split_once('[') {
            // The title has its closing bracket.
            Some((of, title)) => {
                format!("Whit[{}[{title}]", type_name(&format!("{side}_{}", of.to_lowercase())))
            }
            None => name.clone(),
        };
        match vertex {
            Vertex::Admissible(_) => anchor("admissible"),
            Vertex::Completed(_) => anchor("completed"),
            _ => name,
        }
    }

    /// Returns how many relationships there are between resources.
    pub fn relation_count(&self) -> usize {
        self.relations.count()
    }

    fn vertex(&self, number: u32) -> Vertex {
        self.vertices[number as usize]
    }
}

/// Returns a resource as the agent names it: `File[/x]`.
pub fn reference(resource: &Resource) -> String {
    format!("{}[{}]", resource.type_name, agent_title(resource))
}

/// The main class is `Main` for the agent, and some types make a title of their own.
fn agent_title(resource: &Resource) -> Cow<'_, str> {
    match native(resource) {
        Some(kind) => match kind.agent_title(&subject(kind, resource)) {
            Some(title) => Cow::Owned(title.into()),
            None => Cow::Borrowed(&resource.title),
        },
        None if resource.type_name == "Class" => class_title(&resource.title),
        None => Cow::Borrowed(&resource.title),
    }
}

fn subject<'r>(kind: &'static NativeType, resource: &'r Resource) -> Subject<'r> {
    Subject::new(kind, &resource.title, &resource.parameters)
}

/// Returns a class's name with a capital in each segment.
fn class_title(title: &str) -> Cow<'_, str> {
    if title.starts_with(|first: char| first.is_ascii_uppercase()) {
        return Cow::Borrowed(title);
    }
    Cow::Owned(type_name(&title.to_lowercase()))
}

/// Returns what the agent applies as a container: a class, a defined type, a node, a stage.
pub fn is_container(resource: &Resource) -> bool {
    resource.kind != ResourceTypeKind::Native || resource.type_name == "Stage"
}

fn native(resource: &Resource) -> Option<&'static NativeType> {
    (resource.kind == ResourceTypeKind::Native).then(|| kinds::native(&resource.type_name)).flatten()
}

fn unknown_types(catalog: &Catalog) -> Vec<&str> {
    let of_modules =
        catalog.resources.iter().filter(|each| each.kind == ResourceTypeKind::Native && native(each).is_none());
    let mut names: Vec<&str> = of_modules.map(|each| each.type_name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
