//! A catalog as it goes over the wire: JSON, in the order of keys that a server writes. `read/` reads it back, `fragments.rs` stores
//! it.

use std::sync::Arc;

use pantin_values::{NamedValues, Str};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use super::compact::{Compact, RAW};
use super::{Catalog, Resource, Rich};

/// A catalog with the identity that a server gives it when it sends it.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'c> {
    pub catalog: &'c Catalog,
    pub uuid: &'c str,
}

impl Serialize for Sent<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.write(to, &Resources(&self.catalog.resources))
    }
}

/// The same in one line, for which resources that other catalogs have too are rendered once.
struct OneLine<'c>(Sent<'c>);

impl Serialize for OneLine<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.write(to, &RenderedOnce(&self.0.catalog.resources))
    }
}

impl Sent<'_> {
    fn write<S: Serializer>(&self, to: S, resources: &impl Serialize) -> Result<S::Ok, S::Error> {
        let Sent { catalog, uuid } = self;
        let mut map = to.serialize_map(Some(10))?;
        map.serialize_entry("tags", &Texts(catalog.tags.iter()))?;
        map.serialize_entry("name", &catalog.name)?;
        map.serialize_entry("version", &Rich::on_the_wire(&catalog.version))?;
        map.serialize_entry("code_id", &catalog.code_id)?;
        map.serialize_entry("catalog_uuid", uuid)?;
        map.serialize_entry("catalog_format", &2)?;
        map.serialize_entry("environment", &catalog.environment)?;
        map.serialize_entry("resources", resources)?;
        map.serialize_entry("edges", &Edges(catalog))?;
        map.serialize_entry("classes", &Texts(catalog.classes.iter()))?;
        if !catalog.metadata.is_empty() {
            map.serialize_entry("metadata", &OrderedObject(&catalog.metadata))?;
        }
        if !catalog.recursive_metadata.is_empty() {
            let of_sources =
                catalog.recursive_metadata.iter().map(|(title, sources)| (title.clone(), OrderedObject(sources)));
            map.serialize_entry("recursive_metadata", &OrderedObject(&of_sources.collect::<Vec<_>>()))?;
        }
        map.end()
    }
}

/// Bytes of a usual resource: a text that has to grow is copied again and again.
const BYTES_OF_RESOURCE: usize = 768;

impl Sent<'_> {
    /// In one line.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Compact::write(&OneLine(*self), 1024 + self.catalog.resources.len() * BYTES_OF_RESOURCE)
    }
}

/// An object whose members come in the order of a list.
struct OrderedObject<'n, T>(&'n [(Str, T)]);

impl<T: Serialize> Serialize for OrderedObject<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name.as_str(), value)))
    }
}

struct Resources<'r>(&'r [Arc<Resource>]);

impl Serialize for Resources<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|resource| &**resource))
    }
}

struct RenderedOnce<'r>(&'r [Arc<Resource>]);

impl Serialize for RenderedOnce<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut items = to.serialize_seq(Some(self.0.len()))?;
        for resource in self.0 {
            match resource.rendered_json() {
                Some(json) => items.serialize_element(&Json(json))?,
                None => items.serialize_element(&**resource)?,
            }
        }
        items.end()
    }
}

/// Text that is JSON already.
struct Json<'t>(&'t str);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut raw = to.serialize_struct(RAW, 1)?;
        raw.serialize_field(RAW, self.0)?;
        raw.end()
    }
}

pub(super) struct Texts<T>(pub(super) T);

impl<'t, T: Iterator<Item = &'t Str> + Clone> Serialize for Texts<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.clone().map(Str::as_str))
    }
}

struct Edges<'c>(&'c Catalog);

impl Serialize for Edges<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut edges = to.serialize_seq(Some(self.0.edges.len()))?;
        let (mut source, mut target) = (String::new(), String::new());
        let mut last = None;
        for (from, to) in &*self.0.edges {
            // Mostly what contains the one contains the next too.
            if last.replace(*from) != Some(*from) {
                self.write_name(*from, &mut source);
            }
            self.write_name(*to, &mut target);
            edges.serialize_element(&Edge { source: source.as_str(), target: target.as_str() })?;
        }
        edges.end()
    }
}

impl Edges<'_> {
    fn write_name(&self, index: u32, into: &mut String) {
        into.clear();
        if let Some(resource) = self.0.resources.get(index as usize) {
            resource.write_reference(into);
        }
    }
}

#[derive(Serialize)]
pub(super) struct Edge<T> {
    pub(super) source: T,
    pub(super) target: T,
}

impl Serialize for Resource {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Resource", 8)?;
        self.write_front(&mut fields)?;
        self.write_rest(&mut fields)?;
        fields.end()
    }
}

impl Resource {
    fn write_front<S: SerializeStruct>(&self, fields: &mut S) -> Result<(), S::Error> {
        fields.serialize_field("type", self.type_name.as_str())?;
        fields.serialize_field("title", self.title.as_str())?;
        fields.serialize_field("tags", &Texts(self.tags.iter()))?;
        if let Some(place) = &self.place {
            fields.serialize_field("file", &*place.file)?;
            fields.serialize_field("line", &place.line)?;
        }
        Ok(())
    }

    fn write_rest<S: SerializeStruct>(&self, fields: &mut S) -> Result<(), S::Error> {
        if self.says_exported_late {
            fields.serialize_field("kind", self.kind.name())?;
            fields.serialize_field("exported", &self.exported)?;
        } else {
            fields.serialize_field("exported", &self.exported)?;
            fields.serialize_field("kind", self.kind.name())?;
        }
        if !self.parameters.is_empty() {
            fields.serialize_field("parameters", &Parameters(&self.parameters))?;
        }
        if !self.sensitive.is_empty() {
            fields.serialize_field("sensitive_parameters", &Texts(self.sensitive.iter()))?;
        }
        Ok(())
    }
}

/// A resource's type, title, tags and place.
pub(super) struct Front<'r>(pub(super) &'r Resource);

/// All that comes behind them.
pub(super) struct Rest<'r>(pub(super) &'r Resource);

impl Serialize for Front<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Resource", 5)?;
        self.0.write_front(&mut fields)?;
        fields.end()
    }
}

impl Serialize for Rest<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Resource", 4)?;
        self.0.write_rest(&mut fields)?;
        fields.end()
    }
}

struct Parameters<'p>(&'p NamedValues);

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name.as_str(), Rich::on_the_wire(value))))
    }
}
