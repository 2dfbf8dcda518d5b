//! The conversion of a finished catalog into the one that goes over the wire.
//! It must not know how the catalog was compiled.

use std::sync::Arc;

use pantin_base::stack;
use pantin_eval::too_many_types;
use pantin_model::catalog;
use pantin_model::catalog::{Catalog, Rendered, TagList, Tags};
use pantin_model::trace::At;
use pantin_values::{Fault, Str, Type, Value};
use rustc_hash::FxHashMap;

use super::observations::{ObservationLog, ObservedPart};
use super::overrides::{listed, located};
use super::resource::{ExportFlag, Param, Resource, ResourceId};
use super::{CatalogState, is_relationship};
use crate::node::NodeRequest;
use crate::node::references::reference_text;
use crate::node::walks::Walks;
use crate::report;

impl CatalogState<'_> {
    /// Without virtual resources: those that are exported stay on the server too. The walks get the places of their resources in
    /// the catalog.
    pub(in crate::node) fn take_catalog(
        &mut self,
        request: &NodeRequest,
        walks: &mut Walks,
        log: &ObservationLog,
    ) -> Result<Catalog, Fault> {
        let mut places: Vec<Option<u32>> = vec![None; self.resources.len()];
        let mut resources = Vec::with_capacity(self.resources.len());
        let mut files: FxHashMap<*const str, Arc<str>> = FxHashMap::default();
        let named_before = self.has_aliases().then(|| std::mem::take(&mut self.table));
        // Their tags those share that they contain.
        let mut are_containers = vec![false; self.resources.len()];
        self.edges.iter().for_each(|(container, _)| are_containers[container.index()] = true);
        for index in 0..self.resources.len() {
            let resource = &self.resources[index];
            if !resource.is_virtual {
                let container = resource.tagged_by.filter(|_| !are_containers[index]);
                let container = container.and_then(|(id, _)| Some((id, places[id.index()]?)));
                let around = container.map(|(id, place): (ResourceId, u32)| {
                    let made: &Arc<catalog::Resource> = &resources[place as usize];
                    (&self.resource(id).tags, &made.tags)
                });
                let mut make = || self.to_resource(resource, around, &mut files);
                let made = match &self.base.alike {
                    Some(alike) => alike.get(resource, &self.tag_names, make)?,
                    None => Arc::new(make()?),
                };
                places[index] = Some(resources.len() as u32);
                resources.push(made);
                if named_before.is_some() {
                    self.register(ResourceId::from_index(index))?;
                }
            }
        }
        self.table = named_before.unwrap_or_else(|| std::mem::take(&mut self.table));
        self.settle_walks(&places, walks, log);
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(self.edges.len());
        for (container, content) in &self.edges {
            if let (Some(container), Some(content)) = (places[container.index()], places[content.index()]) {
                edges.push((container, content));
            }
        }
        edges.sort_by_key(|&(_, content)| content);
        edges.dedup();
        let mut tags = Tags::default();
        for class in &self.classes {
            tags.add_if_valid(class, &self.tag_names);
        }
        tags.merge(&self.tags);
        Ok(Catalog {
            name: request.node.name.clone(),
            version: request.version.clone(),
            code_id: None,
            environment: request.environment.name.clone(),
            tags: tags.shared(&self.tag_names),
            resources,
            edges: edges.into(),
            classes: self.classes.as_slice().into(),
            metadata: Vec::new(),
            recursive_metadata: Vec::new(),
            bound_edges: Arc::default(),
        })
    }

    /// From places among all resources to those in the catalog. A resource that stays virtual is recorded: its title is not free.
    fn settle_walks(&self, places: &[Option<u32>], walks: &mut Walks, log: &ObservationLog) {
        if walks.is_empty() {
            return;
        }
        let mut sent = 0;
        let mut before = Vec::with_capacity(places.len() + 1);
        for (place, resource) in places.iter().zip(&self.resources) {
            before.push(sent);
            sent += u32::from(place.is_some());
            if place.is_none() {
                log.resource(&resource.type_name, &resource.title, ObservedPart::AllOfIt);
            }
        }
        before.push(sent);
        walks.iter_mut().for_each(|walk| walk.resource = before[walk.resource as usize]);
        walks.all_marks_mut().iter_mut().for_each(|mark| *mark = before[*mark as usize]);
    }

    /// An override may have set aliases that are names of other resources: in the catalog that goes out, none may clash.
    fn has_aliases(&self) -> bool {
        self.resources.iter().any(|resource| resource.param("alias").is_some())
    }

    fn to_resource(
        &self,
        resource: &Resource,
        around: Option<(&Tags, &TagList)>,
        files: &mut FxHashMap<*const str, Arc<str>>,
    ) -> Result<catalog::Resource, Fault> {
        Ok(catalog::Resource {
            type_name: resource.type_name.clone(),
            title: resource.title.clone(),
            kind: resource.kind,
            exported: resource.exported == ExportFlag::Yes,
            says_exported_late: resource.exported == ExportFlag::Unsaid,
            tags: resource.tags.listed(&self.tag_names, around),
            place: resource.at.as_ref().and_then(|at| place(at, files)),
            parameters: self.parameters(resource)?.into(),
            sensitive: resource.sensitive.as_slice().into(),
            rendered: Rendered::default(),
        })
    }

    /// What the title gives comes first; `name` is what the one namevar is called too. Here names are in lower case, whatever
    /// the definition calls its parameters.
    pub(super) fn parameters(&self, resource: &Resource) -> Result<Vec<(Str, Value)>, Fault> {
        let mut parameters: Vec<(Str, Value)> = Vec::with_capacity(resource.params.len() + 1);
        let native = resource.native();
        let namevar: &str = native.and_then(|native| native.sole_namevar()).unwrap_or("name");
        // Parameters have names of their own: only what names it may come twice, and what the title says, and names that were
        // distinguished by capitals alone.
        let has_capitals = resource.params.iter().any(|param| has_capital(&param.name));
        let mut of_title = 0;
        let mut set = |name: Str, value: Value, is_of_title: bool| {
            let may_be_known = if name == namevar || has_capitals { parameters.len() } else { of_title };
            match parameters[..may_be_known].iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = value,
                None => {
                    parameters.push((name, value));
                    of_title += usize::from(is_of_title);
                }
            }
        };
        match native {
            Some(native) => {
                for (name, value) in native.parse_title(&resource.title)? {
                    check_class(resource, name, &value)?;
                    let is_undef = matches!(&value, Value::Symbol(name) if name == "undef");
                    set(name.into(), if is_undef { Value::Undef } else { value }, true);
                }
            }
            None => set("name".into(), resource.title.clone().into(), true),
        }
        for param in &resource.params {
            let value = param.value();
            if value.is_undef() {
                continue;
            }
            self.check_types(&value, param)?;
            let value = if is_relationship(&param.name) { without_undef(value) } else { value };
            let name: Str = match has_capital(&param.name) {
                true => param.name.to_ascii_lowercase(),
                false => param.name.clone(),
            };
            let name = if name == "name" { namevar.into() } else { name };
            // What was in a Sensitive is sent as it is.
            let is_secret = resource.sensitive.contains(&param.name);
            let sent = if is_secret { value } else { self.on_the_wire(value)? };
            set(name, sent, false);
        }
        let is_main = resource.is_main();
        parameters.retain(|(name, value)| {
            is_main
                || !resource.has_text_title
                || *name != namevar
                || !matches!(value, Value::String(text) if *text == resource.title)
        });
        Ok(parameters)
    }

    /// Refuses types that are written out, with all that their aliases stand for, as more types than a type may be made of.
    fn check_types(&self, value: &Value, param: &Param) -> Result<(), Fault> {
        let most = self.base.settings.limits.type_parts;
        match holds_larger_type(value, most) {
            false => Ok(()),
            true => Err(located(too_many_types(most).message, param.at.as_ref())),
        }
    }

    /// References become texts; an array with one in it loses the arrays in it.
    fn on_the_wire(&self, value: Value) -> Result<Value, Fault> {
        match value {
            Value::Array(ref items) if items.iter().any(holds_type) => {
                let flat = value.flattened();
                let list = if flat.iter().any(is_reference) { flat } else { items.to_vec() };
                list.iter().try_for_each(|item| self.check_titleless(item))?;
                Ok(Value::array(list.into_iter().map(as_text)))
            }
            other => self.check_titleless(&other).map(|()| as_text(other)),
        }
    }

    /// A type of resources is a reference to one without a title, which its title patterns have to take.
    fn check_titleless(&self, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Resource(reference) if reference.title.is_empty() => {
                match self.base.resource_type(&reference.type_name)? {
                    Some(native) => native.parse_title("").map(|_| ()),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

/// A title pattern may make a class of Ruby's of what it finds. The real one ends with an error of Ruby's when it writes that.
fn check_class(resource: &Resource, name: &str, value: &Value) -> Result<(), Fault> {
    let Value::Type(of) = value else { return Ok(()) };
    let Some(class) = of.as_ruby_class() else { return Ok(()) };
    let (reference, at) = (resource.reference(), report::resource_location(resource.at.as_ref()));
    Err(Fault::new(format!(
        "{reference}['{name}'] is the class {class} of Ruby code, by a title pattern of its type: no catalog can hold a class {at}"
    )))
}

fn place(at: &At, files: &mut FxHashMap<*const str, Arc<str>>) -> Option<catalog::Place> {
    let line = at.place().line()?;
    let name = at.unit.source.name().unwrap_or_default();
    let file = files.entry(std::ptr::from_ref(name)).or_insert_with(|| name.into()).clone();
    Some(catalog::Place { file, line })
}

fn has_capital(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn without_undef(value: Value) -> Value {
    match value {
        Value::Array(_) => Value::array(listed(value)),
        other => other,
    }
}

fn is_reference(value: &Value) -> bool {
    matches!(value, Value::Resource(_) | Value::Type(Type::Class(Some(_)) | Type::Resource(Some(_))))
}

/// Returns true if a type is in it, at any depth: nothing else is written in another way on the wire.
fn holds_type(value: &Value) -> bool {
    match value {
        Value::Type(_) | Value::Resource(_) => true,
        Value::Array(items) => items.iter().any(holds_type),
        Value::Hash(entries) => entries.iter().any(|(key, value)| holds_type(key) || holds_type(value)),
        _ => false,
    }
}

fn holds_larger_type(value: &Value, most: u64) -> bool {
    stack::with_room(|| match value {
        Value::Type(of) => of.expanded_parts(most) > most,
        Value::Sensitive(secret) => holds_larger_type(secret, most),
        Value::Array(items) => items.iter().any(|item| holds_larger_type(item, most)),
        Value::Hash(entries) => {
            entries.iter().flat_map(|(key, value)| [key, value]).any(|it| holds_larger_type(it, most))
        }
        Value::Object(object) => object.values.iter().any(|value| holds_larger_type(value, most)),
        _ => false,
    })
}

fn as_text(value: Value) -> Value {
    match value {
        Value::Undef | Value::String(_) | Value::Unencoded(_) | Value::Boolean(_) | Value::Integer(_) => value,
        _ if !holds_type(&value) => value,
        Value::Resource(resource) => Value::string(resource.to_string()),
        Value::Type(ref reference) if is_reference(&value) => Value::string(reference_text(reference)),
        Value::Array(items) => Value::array(items.iter().cloned().map(as_text)),
        Value::Hash(entries) => {
            Value::hash(entries.iter().map(|(key, value)| (as_text(key.clone()), as_text(value.clone()))))
        }
        other => other,
    }
}
