//! One resource of the wire.

use std::borrow::Cow;
use std::sync::Arc;

use pantin_values::{Str, Value};
use rustc_hash::FxHashSet;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::value;
use crate::catalog::{Place, Resource, ResourceTypeKind, TagList};

pub(super) fn read_all<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Resource>, D::Error> {
    from.deserialize_seq(All)
}

/// Reads what comes behind the place, up to the closing brace.
pub(super) fn read_rest(rest: &str) -> serde_json::Result<Rest> {
    serde_json::from_str(&["{", rest].concat())
}

struct All;

impl<'de> Visitor<'de> for All {
    type Value = Vec<Resource>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of resources")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Resource>, A::Error> {
        let mut resources = Vec::new();
        // Thousands of resources come from a few files.
        let mut files = FxHashSet::default();
        while let Some(wire) = list.next_element::<Wire>()? {
            resources.push(wire.resource(&mut files));
        }
        Ok(resources)
    }
}

#[derive(serde::Deserialize)]
struct Wire<'t> {
    #[serde(rename = "type")]
    type_name: Str,
    title: Str,
    #[serde(default)]
    tags: Vec<Str>,
    #[serde(default, borrow)]
    file: Option<Cow<'t, str>>,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    exported: bool,
    #[serde(default, deserialize_with = "kind")]
    kind: ResourceTypeKind,
    #[serde(default, deserialize_with = "parameters")]
    parameters: Vec<(Str, Value)>,
    #[serde(default)]
    sensitive_parameters: Vec<Str>,
}

/// The same without what a stored catalog keeps apart: type, title, tags, place.
#[derive(serde::Deserialize)]
pub(super) struct Rest {
    #[serde(default)]
    exported: bool,
    #[serde(default, deserialize_with = "kind")]
    kind: ResourceTypeKind,
    #[serde(default, deserialize_with = "parameters")]
    parameters: Vec<(Str, Value)>,
    #[serde(default)]
    sensitive_parameters: Vec<Str>,
}

impl Wire<'_> {
    fn resource(self, files: &mut FxHashSet<Arc<str>>) -> Resource {
        let place = (self.file.is_some() || self.line.is_some()).then(|| {
            let file = self.file.as_deref().unwrap_or_default();
            Place { file: shared(files, file), line: self.line.unwrap_or_default() }
        });
        let Wire { type_name, title, tags, exported, kind, parameters, sensitive_parameters, .. } = self;
        Rest { exported, kind, parameters, sensitive_parameters }.resource(type_name, title, tags.into(), place)
    }
}

impl Rest {
    pub(super) fn resource(self, type_name: Str, title: Str, tags: TagList, place: Option<Place>) -> Resource {
        Resource {
            type_name,
            title,
            kind: self.kind,
            exported: self.exported,
            // The order of keys is not kept.
            says_exported_late: false,
            tags,
            place,
            parameters: self.parameters.into(),
            sensitive: self.sensitive_parameters.into(),
            rendered: Default::default(),
        }
    }
}

fn shared(files: &mut FxHashSet<Arc<str>>, file: &str) -> Arc<str> {
    if let Some(known) = files.get(file) {
        return known.clone();
    }
    let file: Arc<str> = file.into();
    files.insert(file.clone());
    file
}

fn kind<'de, D: Deserializer<'de>>(from: D) -> Result<ResourceTypeKind, D::Error> {
    let name = Cow::<str>::deserialize(from)?;
    let kinds =
        [ResourceTypeKind::Native, ResourceTypeKind::Defined, ResourceTypeKind::Class, ResourceTypeKind::Unknown];
    kinds.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names = kinds.map(|kind| format!("`{}`", kind.name())).join(", ");
        D::Error::custom(format!("unknown kind of a resource `{name}`, expected one of {names}"))
    })
}

fn parameters<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(Str, Value)>, D::Error> {
    from.deserialize_map(Parameters)
}

struct Parameters;

impl<'de> Visitor<'de> for Parameters {
    type Value = Vec<(Str, Value)>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the parameters of a resource")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut parameters = Vec::new();
        while let Some(name) = map.next_key::<Str>()? {
            parameters.push((name, map.next_value_seed(value::Read)?));
        }
        Ok(parameters)
    }
}
