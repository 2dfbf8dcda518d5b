//! Reads a catalog back from the JSON that goes over the wire, in whatever order its keys are.
//!
//! Who reads a catalog cannot know what it referred to: references stay the texts that they are in JSON.

mod resource;
#[cfg(test)]
mod tests;
mod value;

use std::fmt;

use pantin_base::names::split_reference;
use pantin_values::{Str, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

use serde::Deserialize;

use super::{Catalog, Place, Resource, TagList};

/// Why a text is no catalog, and where, if one place is to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MalformedCatalog {
    pub message: String,
    /// Line and column, from one.
    pub at: Option<(usize, usize)>,
}

impl fmt::Display for MalformedCatalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.at {
            Some((line, column)) => write!(f, " (line: {line}, column: {column})"),
            None => Ok(()),
        }
    }
}

impl From<serde_json::Error> for MalformedCatalog {
    fn from(error: serde_json::Error) -> MalformedCatalog {
        let at = (error.line() > 0).then(|| (error.line(), error.column()));
        let text = error.to_string();
        // serde_json ends its own message with the place.
        let message = match (at, text.rfind(" at line ")) {
            (Some(_), Some(end)) => text[..end].to_owned(),
            _ => text,
        };
        MalformedCatalog { message, at }
    }
}

/// As the wire has it.
#[derive(Deserialize)]
struct Wire {
    name: String,
    #[serde(default, deserialize_with = "value::read")]
    version: Value,
    #[serde(default)]
    code_id: Option<String>,
    #[serde(default)]
    environment: String,
    #[serde(default)]
    tags: Vec<Str>,
    #[serde(deserialize_with = "resource::read_all")]
    resources: Vec<Resource>,
    #[serde(default)]
    edges: Vec<Edge>,
    #[serde(default)]
    classes: Vec<Str>,
}

#[derive(Deserialize)]
struct Edge {
    source: Str,
    target: Str,
}

impl Catalog {
    /// Reads the JSON of a catalog.
    pub fn read(json: &str) -> Result<Catalog, MalformedCatalog> {
        let wire: Wire = serde_json::from_str(json)?;
        let places = places(&wire.resources)?;
        let place = |edge: &Edge, name: &Str| match split_reference(name).and_then(|key| places.get(&key)) {
            Some(place) => Ok(*place),
            None => Err(MalformedCatalog {
                message: format!("the edge from {} to {} leads to no resource: {name}", edge.source, edge.target),
                at: None,
            }),
        };
        let edges = wire.edges.iter().map(|edge| Ok((place(edge, &edge.source)?, place(edge, &edge.target)?)));
        let edges = edges.collect::<Result<_, MalformedCatalog>>()?;
        let Wire { name, version, code_id, environment, tags, resources, classes, .. } = wire;
        Ok(Catalog {
            name,
            version,
            code_id,
            environment,
            tags: tags.into(),
            resources: resources.into_iter().map(Arc::new).collect(),
            edges,
            classes: classes.into(),
            // What is read is looked at, not sent on.
            metadata: Vec::new(),
            recursive_metadata: Vec::new(),
            bound_edges: Arc::default(),
        })
    }
}

/// Reads the JSON of a value.
pub(super) fn read_value(json: &str) -> serde_json::Result<Value> {
    let mut json = serde_json::Deserializer::from_str(json);
    let value = value::read(&mut json)?;
    json.end().map(|()| value)
}

impl Resource {
    /// Reads what comes behind type, title, tags and place in the JSON of a resource, up to its closing brace.
    pub(super) fn read_rest(
        rest: &str,
        (type_name, title): (Str, Str),
        tags: TagList,
        place: Option<Place>,
    ) -> Result<Resource, MalformedCatalog> {
        Ok(resource::read_rest(rest)?.resource(type_name, title, tags, place))
    }

    /// The same resource with what this JSON says of it.
    pub(super) fn with_json_rest(&self, rest: &str) -> Result<Resource, MalformedCatalog> {
        let name = (self.type_name.clone(), self.title.clone());
        Resource::read_rest(rest, name, self.tags.clone(), self.place.clone())
    }
}

type Key<'a> = (&'a str, &'a str);

fn places(resources: &[Resource]) -> Result<FxHashMap<Key<'_>, u32>, MalformedCatalog> {
    let mut places = FxHashMap::default();
    for (place, Resource { type_name, title, .. }) in (0..).zip(resources) {
        if places.insert((type_name.as_str(), title.as_str()), place).is_some() {
            return Err(MalformedCatalog { message: format!("{type_name}[{title}] is there twice"), at: None });
        }
    }
    Ok(places)
}
