//! Which vertex a reference means: by title, by an alias, or by the name of what it manages.

use std::borrow::Cow;

use pantin_base::names::split_reference;
use pantin_values::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Vertex, agent_title, native, subject};
use crate::catalog::kinds::Titles;
use crate::catalog::{Catalog, Resource, ResourceTypeKind, kinds};

#[derive(Debug)]
pub(super) struct Names<'c> {
    catalog: &'c Catalog,
    /// Vertices by a title or name of theirs, of whatever type; those of classes are in lower case.
    by_title: FxHashMap<Cow<'c, str>, SmallVec<[u32; 2]>>,
    /// The types of the vertices that the catalog does not have, and the number of the first.
    defaults: Vec<&'static str>,
}

impl<'c> Names<'c> {
    pub(super) fn from_catalog(catalog: &'c Catalog) -> Names<'c> {
        let by_title = FxHashMap::with_capacity_and_hasher(catalog.resources.len() * 2, Default::default());
        let mut names = Names { catalog, by_title, defaults: Vec::new() };
        for (number, resource) in (0..).zip(&catalog.resources) {
            names.add(graph_title(resource), number);
            names.add_others(resource, number);
        }
        names
    }

    /// What else it may be called.
    fn add_others(&mut self, resource: &'c Resource, number: u32) {
        match resource.parameter("alias") {
            Some(Value::String(alias)) => self.add(Cow::Borrowed(alias), number),
            Some(Value::Array(aliases)) => {
                aliases.iter().filter_map(Value::as_str).for_each(|alias| self.add(Cow::Borrowed(alias), number));
            }
            _ => {}
        }
        let name = match native(resource) {
            Some(kind) if kind.is_isomorphic() => subject(kind, resource).name().map(|name| Cow::Owned(name.into())),
            Some(_) => None,
            None => resource.parameter("name").and_then(Value::as_str).map(Cow::Borrowed),
        };
        if let Some(name) = name.filter(|name| *name != *resource.title) {
            self.add(name, number);
        }
    }

    fn add(&mut self, name: Cow<'c, str>, number: u32) {
        self.by_title.entry(name).or_default().push(number);
    }

    /// The vertices after those of the catalog.
    pub(super) fn add_defaults(&mut self, vertices: &[Vertex]) {
        for (number, vertex) in (0..).zip(vertices) {
            if let Vertex::Default(name) = vertex
                && let Some((type_name, title)) = split_reference(name)
            {
                self.defaults.push(type_name);
                self.add(Cow::Borrowed(title), number);
            }
        }
    }

    /// Returns true if a reference leads anywhere.
    pub(super) fn has(&self, reference: &str) -> bool {
        split_reference(reference).is_some_and(|(type_name, title)| self.find(type_name, title).is_some())
    }

    /// Returns the vertex of this type, in any case, and title.
    pub(super) fn find(&self, type_name: &str, title: &str) -> Option<u32> {
        if type_name.eq_ignore_ascii_case("class") {
            return self.find_by_title(type_name, &title.to_lowercase());
        }
        self.find_by_title(type_name, title).or_else(|| {
            // A title may say the name in another way: `/x/`.
            let kind = kinds::native(type_name).filter(|kind| matches!(kind.titles(), Titles::Patterns(_)))?;
            if kind.is_whole(title) {
                return None;
            }
            let (_, name) =
                kind.parse_title(title).ok()?.into_iter().find(|(name, _)| kind.sole_namevar() == Some(name))?;
            self.find_by_title(type_name, name.as_str()?)
        })
    }

    fn find_by_title(&self, type_name: &str, title: &str) -> Option<u32> {
        let found = self.by_title.get(title)?;
        found.iter().copied().find(|number| self.type_of(*number).eq_ignore_ascii_case(type_name))
    }

    fn type_of(&self, number: u32) -> &str {
        let number = number as usize;
        match self.catalog.resources.get(number) {
            Some(resource) => &resource.type_name,
            None => self.defaults[number - self.catalog.resources.len()],
        }
    }
}

fn graph_title(resource: &Resource) -> Cow<'_, str> {
    match (resource.kind, resource.type_name.as_str()) {
        (ResourceTypeKind::Class | ResourceTypeKind::Unknown, "Class") => {
            Cow::Owned(resource.title.as_str().to_lowercase())
        }
        _ => agent_title(resource),
    }
}
