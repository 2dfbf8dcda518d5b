//! Makes of each resource of a catalog one that can be applied, before anything is applied.

use std::sync::Arc;

use pantin_model::catalog::{Catalog, Resource, ResourceTypeKind};
use pantin_model::graph;
use pantin_values::{Str, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Surroundings;
use super::names::ResourceNames;
use crate::applied_catalog::AppliedCatalog;
use crate::deferred::{hide_secrets, without_deferred};
use crate::failure::Failure;
use crate::managed::Managed;
use crate::resource::{AttributeValues, Built, Completeness, Judge, Metaparameters, ResourceInfo, build};
use crate::types::{NewResource, find_type};

/// A catalog with the object of each of its resources.
pub(crate) struct Prepared {
    pub catalog: Catalog,
    /// In the order of the catalog.
    pub resources: Vec<PreparedResource>,
    pub has_failed_to_generate: bool,
    /// The references in the order of the walk, without what resources have made; `None` if they have made nothing.
    pub declared_order: Option<Vec<String>>,
}

pub(crate) struct PreparedResource {
    pub info: Arc<ResourceInfo>,
    pub values: Arc<AttributeValues>,
    pub managed: Option<Box<dyn Managed>>,
    /// Why there is no object.
    pub lack: Option<Failure>,
    /// The resource, if it has values that are known when its turn comes.
    pub unresolved: Option<Arc<Resource>>,
    /// The reference of the resource that made this one before anything was applied.
    pub maker: Option<String>,
}

impl PreparedResource {
    pub(super) fn new(
        info: ResourceInfo,
        managed: Option<Box<dyn Managed>>,
        lack: Option<Failure>,
    ) -> PreparedResource {
        let (info, values) = (Arc::new(info), Arc::default());
        PreparedResource { info, values, managed, lack, unresolved: None, maker: None }
    }
}

/// Checks and converts all resources of a catalog. The first failure ends the run, and nothing is applied.
pub(crate) fn prepare(catalog: Catalog, around: Surroundings<'_>) -> Result<Prepared, Failure> {
    let mut containers = Containers::new(&catalog);
    let mut resources = Vec::with_capacity(catalog.resources.len());
    let mut names = ResourceNames::default();
    for (number, resource) in catalog.resources.iter().enumerate() {
        let containment = containers.containment(number);
        let prepared = match without_deferred(resource) {
            Some(known) => prepare_unresolved(resource, &known, containment, around)?,
            None => prepare_resource(resource, containment, around)?,
        };
        names.add(&prepared.info, &prepared.values)?;
        resources.push(prepared);
    }
    let prepared = Prepared { catalog, resources, has_failed_to_generate: false, declared_order: None };
    let applied = prepared.applied_catalog();
    prepared
        .resources
        .iter()
        .filter_map(|resource| resource.managed.as_ref())
        .try_for_each(|one| one.check(&applied))?;
    Ok(prepared)
}

/// Makes an applicable resource. `containment` ends with the resource itself.
pub(crate) fn prepare_resource(
    resource: &Resource,
    containment: Vec<String>,
    around: Surroundings<'_>,
) -> Result<PreparedResource, Failure> {
    let reference = graph::reference(resource);
    if graph::is_container(resource) {
        let info = resource_info(resource, reference, containment, Metaparameters::default());
        return Ok(PreparedResource::new(info, None, None));
    }
    let Some(kind) = find_type(&resource.type_name) else {
        let info = resource_info(resource, reference, containment, plain_metaparameters(resource));
        let lack = format!("no native provider yet for the type '{}'", resource.type_name.to_lowercase());
        return Ok(PreparedResource::new(info, None, Some(Failure::new(lack))));
    };
    let surroundings = (around.settings, around.machine as &dyn pantin_machine::Reading, around.log);
    let Built { values, metaparameters } =
        build(kind, resource, &reference, surroundings, Judge::Machine, Completeness::Whole)?;
    let mut info = resource_info(resource, reference, containment, metaparameters);
    info.provider = values.text("provider").map(Str::from).or(kind.provider.map(Str::from));
    let new = NewResource { info: &info, values: &values, settings: around.settings, machine: around.machine };
    let (managed, lack) = match (kind.make)(&new) {
        Ok(managed) => (Some(managed), None),
        Err(lack) => (None, Some(lack)),
    };
    let values = Arc::new(values);
    Ok(PreparedResource { values, ..PreparedResource::new(info, managed, lack) })
}

/// Checks what is known of a resource that has deferred values. Its object is made when its turn comes.
fn prepare_unresolved(
    resource: &Resource,
    known: &Resource,
    containment: Vec<String>,
    around: Surroundings<'_>,
) -> Result<PreparedResource, Failure> {
    let reference = graph::reference(resource);
    let Some(kind) = find_type(&resource.type_name).filter(|_| !graph::is_container(resource)) else {
        return prepare_resource(resource, containment, around);
    };
    let surroundings = (around.settings, around.machine as &dyn pantin_machine::Reading, around.log);
    let Built { metaparameters, .. } =
        build(kind, known, &reference, surroundings, Judge::Machine, Completeness::InPart)?;
    let info = resource_info(resource, reference, containment, metaparameters);
    let unresolved = Some(Arc::new(hide_secrets(resource)));
    Ok(PreparedResource { unresolved, ..PreparedResource::new(info, None, None) })
}

fn resource_info(
    resource: &Resource,
    reference: String,
    containment: Vec<String>,
    metaparameters: Metaparameters,
) -> ResourceInfo {
    ResourceInfo {
        type_name: resource.type_name.clone(),
        title: title_of(&reference, resource),
        path: format!("/{}", containment.join("/")),
        reference,
        containment,
        place: resource.place.clone(),
        tags: resource.tags.iter().cloned().collect(),
        provider: None,
        metaparameters,
    }
}

/// Returns the title in the agent's reference.
fn title_of(reference: &str, resource: &Resource) -> Str {
    let inside = reference.get(resource.type_name.len() + 1..reference.len() - 1);
    inside.map_or_else(|| resource.title.clone(), Str::from)
}

/// Returns the metaparameters of a resource whose type is not known here: those that say whether its turn comes.
fn plain_metaparameters(resource: &Resource) -> Metaparameters {
    let noop = match resource.parameter("noop") {
        Some(Value::Boolean(noop)) => Some(*noop),
        _ => None,
    };
    let schedule = resource.parameter("schedule").and_then(Value::as_str).map(str::to_owned);
    Metaparameters { noop, schedule, ..Metaparameters::default() }
}

/// The containers of the resources of a catalog.
struct Containers<'c> {
    catalog: &'c Catalog,
    /// The container of each resource.
    parents: Vec<Option<u32>>,
    /// The names of the containers of a container, and its own.
    names: FxHashMap<u32, Vec<String>>,
}

impl Containers<'_> {
    fn new(catalog: &Catalog) -> Containers<'_> {
        let mut parents = vec![None; catalog.resources.len()];
        for (container, content) in &*catalog.edges {
            parents[*content as usize].get_or_insert(*container);
        }
        Containers { catalog, parents, names: FxHashMap::default() }
    }

    /// Returns the names of the containers of a resource, and its own.
    fn containment(&mut self, number: usize) -> Vec<String> {
        let mut names = match self.parents[number] {
            None => Vec::new(),
            Some(parent) => match self.names.get(&parent) {
                Some(known) => known.clone(),
                None => {
                    let names = self.names_around(parent);
                    self.names.insert(parent, names.clone());
                    names
                }
            },
        };
        names.push(contained_name(&self.catalog.resources[number]));
        names
    }

    fn names_around(&self, container: u32) -> Vec<String> {
        let mut names = Vec::new();
        let mut next = Some(container as usize);
        // No chain is longer than the catalog, whatever its edges say.
        while let Some(number) = next.filter(|_| names.len() <= self.parents.len()) {
            let Some(resource) = self.catalog.resources.get(number) else { break };
            names.push(contained_name(resource));
            next = self.parents[number].map(|parent| parent as usize);
        }
        names.reverse();
        names
    }
}

/// A class is named by its title alone.
fn contained_name(resource: &Resource) -> String {
    let reference = graph::reference(resource);
    let is_class = resource.kind != ResourceTypeKind::Native && resource.type_name == "Class";
    match reference.strip_prefix("Class[").and_then(|rest| rest.strip_suffix(']')) {
        Some(title) if is_class => title.to_owned(),
        _ => reference,
    }
}

impl Prepared {
    /// Returns the classes and defined resources that contain each resource. A stage is none.
    pub(super) fn containers(&self) -> Vec<SmallVec<[u32; 1]>> {
        let mut containers = vec![SmallVec::new(); self.catalog.resources.len()];
        for (container, content) in &*self.catalog.edges {
            let is_stage = self.catalog.resources[*container as usize].type_name == "Stage";
            if !is_stage && let Some(known) = containers.get_mut(*content as usize) {
                known.push(*container);
            }
        }
        containers
    }

    /// Returns the resources by questions, as far as they are known.
    pub(super) fn applied_catalog(&self) -> AppliedCatalog {
        let mut applied = AppliedCatalog::default();
        for (prepared, resource) in self.resources.iter().zip(&self.catalog.resources) {
            let name = prepared.managed.as_ref().and_then(|managed| managed.name());
            let number = applied.add(Arc::clone(&prepared.info), Arc::clone(&prepared.values), name);
            if prepared.maker.is_some() {
                applied.mark_made(number);
            }
            match resource.parameter("alias") {
                Some(Value::String(alias)) => applied.add_alias(number, &resource.type_name, alias),
                Some(Value::Array(aliases)) => aliases.iter().for_each(|alias| {
                    if let Value::String(alias) = alias {
                        applied.add_alias(number, &resource.type_name, alias);
                    }
                }),
                _ => {}
            }
        }
        applied
    }
}
