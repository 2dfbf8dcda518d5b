//! A catalog as it is stored: what is compared or searched is data, the rest of each resource is its JSON, which need not be
//! rendered again.
//!
//! Knows nothing of where it is stored.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use pantin_values::Str;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Result};

use super::compact::Compact;
use super::read::read_value;
use super::wire::{Edge, Texts};
use super::{Catalog, MalformedCatalog, Place, Resource, Rich, TagList};

/// A catalog without metadata of files, and without a code ID.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CatalogFragments {
    pub name: String,
    environment: String,
    /// As JSON.
    version: String,
    /// As JSON.
    tags: String,
    /// As JSON.
    classes: String,
    /// The files in which resources are declared: places name them by their numbers.
    pub files: Vec<String>,
    /// As JSON, each once: resources name them by their numbers.
    tag_lists: Vec<String>,
    pub resources: Vec<ResourceFragment>,
    /// What contains what, by the numbers of resources.
    edges: Vec<(u32, u32)>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResourceFragment {
    pub type_name: Str,
    pub title: Str,
    tags: u32,
    pub place: Option<FragmentPlace>,
    /// The rest of its JSON object, up to its closing brace.
    rest: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FragmentPlace {
    /// The number of the file.
    pub file: u32,
    pub line: u32,
}

impl ResourceFragment {
    /// Returns its JSON object behind type, title, tags and place, up to its closing brace.
    pub(super) fn json_rest(&self) -> &str {
        &self.rest
    }
}

impl CatalogFragments {
    pub fn from_catalog(catalog: &Catalog) -> Result<CatalogFragments> {
        let mut files = Numbered::default();
        let mut tag_lists = TagLists::default();
        let mut resources = Vec::with_capacity(catalog.resources.len());
        for resource in &catalog.resources {
            let place = resource.place.as_ref().map(|Place { file, line }| FragmentPlace {
                file: files.number(file, |file| file.to_string()),
                line: *line,
            });
            resources.push(ResourceFragment {
                type_name: resource.type_name.clone(),
                title: resource.title.clone(),
                tags: tag_lists.number(&resource.tags)?,
                place,
                rest: resource.json_rest()?.into_owned(),
            });
        }
        Ok(CatalogFragments {
            name: catalog.name.clone(),
            environment: catalog.environment.clone(),
            version: Compact::write(&Rich::on_the_wire(&catalog.version), 0)?,
            tags: Compact::write(&Texts(catalog.tags.iter()), 0)?,
            classes: Compact::write(&Texts(catalog.classes.iter()), 0)?,
            files: files.items,
            tag_lists: tag_lists.lists,
            resources,
            edges: catalog.edges.to_vec(),
        })
    }

    /// Returns true if both say the same, whatever their versions are.
    pub fn is_same_but_for_version(&self, other: &CatalogFragments) -> bool {
        let CatalogFragments { name, environment, version: _, tags, classes, files, tag_lists, resources, edges } =
            self;
        (name, environment, tags, classes) == (&other.name, &other.environment, &other.tags, &other.classes)
            && (files, tag_lists, resources, edges) == (&other.files, &other.tag_lists, &other.resources, &other.edges)
    }

    /// Returns how many bytes its JSON takes, about.
    pub fn size(&self) -> usize {
        let resources = self.resources.iter().map(|resource| resource.rest.len() + 256);
        1024 + self.classes.len() + resources.sum::<usize>() + self.edges.len() * 96
    }

    /// Returns every text in it but the names of files.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let around = [&self.name, &self.environment, &self.version, &self.tags, &self.classes];
        let resources = self.resources.iter().flat_map(|resource| {
            let ResourceFragment { type_name, title, rest, .. } = resource;
            [type_name.as_str(), title.as_str(), rest.as_str()]
        });
        around.into_iter().chain(&self.tag_lists).map(String::as_str).chain(resources)
    }

    /// Returns the catalog as it goes over the wire, in one line.
    pub fn to_json(&self, uuid: &str) -> Result<String> {
        let mut json = String::with_capacity(self.size());
        let CatalogFragments { name, environment, version, tags, classes, .. } = self;
        let [name, environment, uuid] = [name, environment, uuid].map(quoted);
        write!(
            json,
            "{{\"tags\":{tags},\"name\":{},\"version\":{version},\"code_id\":null,\"catalog_uuid\":{},\
             \"catalog_format\":2,\"environment\":{},\"resources\":[",
            name?, uuid?, environment?
        )
        .map_err(written)?;
        for (at, resource) in self.resources.iter().enumerate() {
            json.push_str(if at == 0 { "" } else { "," });
            self.write_resource(resource, &mut json)?;
        }
        json.push_str("],\"edges\":");
        json.push_str(&Compact::write(&self.named_edges()?, self.edges.len() * 96)?);
        write!(json, ",\"classes\":{classes}}}").map_err(written)?;
        Ok(json)
    }

    fn write_resource(&self, resource: &ResourceFragment, json: &mut String) -> Result<()> {
        let tags = self.tag_lists.get(resource.tags as usize).map_or("[]", String::as_str);
        let [type_name, title] = [&resource.type_name, &resource.title].map(|name| quoted(name));
        write!(json, "{{\"type\":{},\"title\":{},\"tags\":{tags},", type_name?, title?).map_err(written)?;
        if let Some(FragmentPlace { file, line }) = resource.place {
            let file = self.files.get(file as usize).map_or("", String::as_str);
            write!(json, "\"file\":{},\"line\":{line},", quoted(file)?).map_err(written)?;
        }
        json.push_str(&resource.rest);
        Ok(())
    }

    /// Returns what contains what, by the numbers of resources.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// Returns the file and the line of a resource.
    pub fn place(&self, resource: &ResourceFragment) -> Option<(&str, u32)> {
        let FragmentPlace { file, line } = resource.place?;
        Some((self.files.get(file as usize).map_or("", String::as_str), line))
    }

    /// Returns the tags of a resource.
    pub fn tags(&self, resource: &ResourceFragment) -> Result<Vec<Str>> {
        self.tag_lists.get(resource.tags as usize).map_or(Ok(Vec::new()), |list| serde_json::from_str(list))
    }

    /// Returns a resource as data. References to others are the texts that they are in JSON.
    pub fn read_resource(&self, resource: &ResourceFragment) -> std::result::Result<Resource, MalformedCatalog> {
        let place = self.place(resource).map(|(file, line)| Place { file: file.into(), line });
        self.read_resource_with(resource, TagList::from(self.tags(resource)?), place)
    }

    fn read_resource_with(
        &self,
        resource: &ResourceFragment,
        tags: TagList,
        place: Option<Place>,
    ) -> std::result::Result<Resource, MalformedCatalog> {
        let ResourceFragment { type_name, title, rest, .. } = resource;
        Resource::read_rest(rest, (type_name.clone(), title.clone()), tags, place)
    }

    /// Returns the catalog as data: the same as its JSON read.
    pub fn read(&self) -> std::result::Result<Catalog, MalformedCatalog> {
        let CatalogFragments { name, environment, version, tags, classes, files, tag_lists, resources, edges } = self;
        let files: Vec<Arc<str>> = files.iter().map(|file| file.as_str().into()).collect();
        let tag_lists = tag_lists.iter().map(|list| serde_json::from_str::<Vec<Str>>(list).map(TagList::from));
        let tag_lists = tag_lists.collect::<Result<Vec<TagList>>>()?;
        let resources = resources.iter().map(|resource| {
            let tags = tag_lists.get(resource.tags as usize).cloned().unwrap_or_default();
            let place = resource.place.map(|FragmentPlace { file, line }| Place {
                file: files.get(file as usize).cloned().unwrap_or_default(),
                line,
            });
            self.read_resource_with(resource, tags, place).map(Arc::new)
        });
        let resources = resources.collect::<std::result::Result<Vec<_>, MalformedCatalog>>()?;
        let is_inside = |(from, to): &(u32, u32)| (*from.max(to) as usize) < resources.len();
        if !edges.iter().all(is_inside) {
            return Err(edge_to_nothing().into());
        }
        Ok(Catalog {
            name: name.clone(),
            version: read_value(version)?,
            code_id: None,
            environment: environment.clone(),
            tags: serde_json::from_str::<Vec<Str>>(tags)?.into(),
            resources,
            edges: edges.as_slice().into(),
            classes: serde_json::from_str::<Vec<Str>>(classes)?.into(),
            metadata: Vec::new(),
            recursive_metadata: Vec::new(),
            bound_edges: Arc::default(),
        })
    }

    fn named_edges(&self) -> Result<Vec<Edge<String>>> {
        let name = |at: u32| match self.resources.get(at as usize) {
            Some(ResourceFragment { type_name, title, .. }) => Ok(format!("{type_name}[{title}]")),
            None => Err(edge_to_nothing()),
        };
        self.edges.iter().map(|(from, to)| Ok(Edge { source: name(*from)?, target: name(*to)? })).collect()
    }
}

fn edge_to_nothing() -> Error {
    serde::ser::Error::custom("an edge leads to no resource")
}

fn quoted(text: &str) -> Result<String> {
    Compact::write(&text, text.len() + 2)
}

fn written(error: std::fmt::Error) -> Error {
    serde::ser::Error::custom(error)
}

/// Values by numbers, in the order in which they first came.
#[derive(Default)]
struct Numbered<'c> {
    numbers: FxHashMap<&'c str, u32>,
    items: Vec<String>,
}

impl<'c> Numbered<'c> {
    fn number(&mut self, key: &'c str, make: impl FnOnce(&str) -> String) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| {
            self.items.push(make(key));
            self.items.len() as u32 - 1
        })
    }
}

/// The lists of tags, each once: most resources share theirs with what is around them.
#[derive(Default)]
struct TagLists {
    /// By the address of a list that is shared as a whole.
    shared: FxHashMap<*const Str, u32>,
    numbers: FxHashMap<String, u32>,
    lists: Vec<String>,
}

impl TagLists {
    fn number(&mut self, tags: &TagList) -> Result<u32> {
        let whole: Option<*const Str> = tags.as_shared().map(|whole: &Arc<[Str]>| whole.as_ptr());
        if let Some(number) = whole.and_then(|whole| self.shared.get(&whole)) {
            return Ok(*number);
        }
        let json = Compact::write(&Texts(tags.iter()), 0)?;
        let number = *self.numbers.entry(json).or_insert_with_key(|json| {
            self.lists.push(json.clone());
            self.lists.len() as u32 - 1
        });
        self.shared.extend(whole.map(|whole| (whole, number)));
        Ok(number)
    }
}

impl Resource {
    /// Returns its JSON object behind type, title, tags and place, up to its closing brace.
    pub(super) fn json_rest(&self) -> Result<Cow<'_, str>> {
        if let Some(rest) = self.rendered_rest() {
            return Ok(Cow::Borrowed(rest));
        }
        let mut rest = Compact::write(&super::wire::Rest(self), 0)?;
        rest.remove(0);
        Ok(Cow::Owned(rest))
    }
}
