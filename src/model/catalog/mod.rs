//! Catalogs as data: resources, containment, classes and tags.
//!
//! Knows nothing of how it was compiled, or of how it will be applied.

mod compact;
pub mod diff;
mod fragments;
pub mod kinds;
mod metadata;
mod pretty;
mod read;
mod rendered;
mod rich;
mod rich_type;
mod same;
mod tag_list;
mod tags;
mod view;
mod wire;

use std::sync::Arc;

use pantin_values::{NamedValues, Str, Value};

pub use fragments::{CatalogFragments, FragmentPlace, ResourceFragment};
pub use metadata::{Checksum, Metadata, SourceMetadata};
pub use pretty::pretty_json;
pub use read::MalformedCatalog;
pub use rendered::Rendered;
pub use rich::Rich;
pub use tag_list::TagList;
pub use tags::{LentNames, Numbers, Tag, TagNames, TagTables, Tags};
pub use view::CatalogView;
pub use wire::Sent;

#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Of the node.
    pub name: String,
    pub version: Value,
    pub code_id: Option<String>,
    pub environment: String,
    /// Nodes of one kind share all that only says what kind they are.
    pub tags: Arc<[Str]>,
    /// In the order in which they were added.
    pub resources: Vec<Arc<Resource>>,
    /// What contains what: places in `resources`, in the order of the wire.
    pub edges: Arc<[(u32, u32)]>,
    pub classes: Arc<[Str]>,
    /// Of a static catalog, by the titles of resources: the files that they are copies of,
    pub metadata: Vec<(Str, Metadata)>,
    /// and the folders, with all that is in them, by source.
    pub recursive_metadata: Vec<(Str, SourceMetadata)>,
    /// The relationships that bindings add. They are not sent, and a stored catalog has none: its cycles were found before.
    pub bound_edges: Arc<[BoundEdge]>,
}

/// A relationship that a binding adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundEdge {
    /// The resources, as messages name them: `File[/x]`.
    pub from: Str,
    pub to: Str,
    /// Where it is bound: `bindings/default.pp:3`.
    pub at: Str,
}

#[derive(Clone, Debug)]
pub struct Resource {
    /// With a capital in each segment: `Apache::Vhost`.
    pub type_name: Str,
    pub title: Str,
    pub kind: ResourceTypeKind,
    pub exported: bool,
    /// A function has declared it: then the wire says whether it is exported after its kind.
    pub says_exported_late: bool,
    pub tags: TagList,
    pub place: Option<Place>,
    /// As they go over the wire: names in lower case, no undef, no namevar that is the title. A reference to a resource is
    /// a type.
    pub parameters: NamedValues,
    /// The names of those whose values were Sensitive.
    pub sensitive: Box<[Str]>,
    pub rendered: Rendered,
}

/// Where a resource was declared. The file is empty where the code was no file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ResourceTypeKind {
    /// Of a native type.
    Native,
    Defined,
    /// A class that was declared like a resource.
    Class,
    /// A class that was included, a node, `Class[main]`, a stage.
    #[default]
    Unknown,
}

impl Resource {
    /// `File[/x]`
    pub fn reference(&self) -> String {
        let mut text = String::with_capacity(self.type_name.len() + self.title.len() + 2);
        self.write_reference(&mut text);
        text
    }

    fn write_reference(&self, into: &mut String) {
        into.push_str(&self.type_name);
        into.push('[');
        into.push_str(&self.title);
        into.push(']');
    }

    pub fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name)
    }

    /// Returns true if the value of a parameter was Sensitive. Which ones were is kept by the names that the code has
    /// for them, and those of the catalog are in lower case.
    pub fn is_secret(&self, name: &str) -> bool {
        self.sensitive.iter().any(|secret| secret.eq_ignore_ascii_case(name))
    }
}

impl ResourceTypeKind {
    /// As the wire has it.
    pub fn name(self) -> &'static str {
        match self {
            ResourceTypeKind::Native => "compilable_type",
            ResourceTypeKind::Defined => "defined_type",
            ResourceTypeKind::Class => "class",
            ResourceTypeKind::Unknown => "unknown",
        }
    }
}
