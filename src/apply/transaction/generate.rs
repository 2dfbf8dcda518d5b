//! Resources that others make before anything is applied.

use std::sync::Arc;

use pantin_machine::ReadOnly;
use pantin_model::catalog::{Catalog, Rendered, Resource, ResourceTypeKind, TagList};
use pantin_model::graph::{Graph, Vertex, Walk, WalkVertex};
use pantin_values::{Str, Value};

use super::prepare::prepare_resource;
use super::seeds::walk_order;
use super::{Prepared, PreparedResource, Surroundings};
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::{Generated, Managed};
use crate::resource::ResourceInfo;
use crate::types::required_file;

/// The resources that one resource made.
struct MadeResources {
    /// The number of the one that made them.
    maker: usize,
    /// True if they come before it.
    is_before: bool,
    made: Vec<(Resource, PreparedResource)>,
}

impl Prepared {
    /// Lets resources make others, which stand beside them in the catalog and are ordered after them, or before them. Only those of
    /// which `is_maker` says so, by their references.
    pub(crate) fn generate(mut self, around: Surroundings<'_>, is_maker: impl Fn(&str) -> bool) -> Prepared {
        if !self.resources.iter().any(|resource| is_maker(&resource.info.reference)) {
            return self;
        }
        let mut applied = self.applied_catalog();
        let mut all: Vec<MadeResources> = Vec::new();
        for number in 0..self.resources.len() {
            if !is_maker(&self.resources[number].info.reference) {
                continue;
            }
            let is_before = self.resources[number].managed.as_ref().is_some_and(|managed| managed.generates_before());
            let catalog_resource = Arc::clone(&self.catalog.resources[number]);
            let made = generate_of(&mut self.resources[number], &catalog_resource, &applied, around);
            match made {
                Ok(made) if made.is_empty() => {}
                Ok(made) => {
                    // Who makes others after it knows these.
                    for (_, one) in &made {
                        let name = one.managed.as_deref().and_then(Managed::name);
                        applied.add_made(Arc::clone(&one.info), Arc::clone(&one.values), name);
                    }
                    all.push(MadeResources { maker: number, is_before, made });
                }
                Err(failure) => {
                    self.has_failed_to_generate = true;
                    let text = format!("Failed to generate additional resources using 'generate': {failure}");
                    let source = self.resources[number].info.source();
                    around.log.say(Level::Err, source, failure.log_text(Some(&text)));
                }
            }
        }
        if all.is_empty() { self } else { self.with_made(all) }
    }

    /// Puts what was made into the catalog.
    fn with_made(self, all: Vec<MadeResources>) -> Prepared {
        let declared_order = Some(self.references_in_order());
        let Prepared { catalog, resources, has_failed_to_generate, .. } = self;
        let mut all = all.into_iter().peekable();
        let mut new_places = Vec::with_capacity(resources.len());
        let mut listed: Vec<Arc<Resource>> = Vec::new();
        let mut prepared: Vec<PreparedResource> = Vec::new();
        let mut made_edges: Vec<(usize, usize)> = Vec::new();
        for (number, own) in resources.into_iter().enumerate() {
            let mut resource = Arc::clone(&catalog.resources[number]);
            let (is_before, made) = match all.next_if(|next| next.maker == number) {
                Some(next) => (next.is_before, next.made),
                None => (false, Vec::new()),
            };
            if !is_before && !made.is_empty() {
                let targets = made.iter().map(|(made, _)| made.reference());
                resource = Arc::new(with_before(&resource, targets));
            }
            let maker = resource.reference();
            let push_made = |listed: &mut Vec<Arc<Resource>>, prepared: &mut Vec<PreparedResource>| {
                for (made, object) in made {
                    made_edges.push((number, listed.len()));
                    let target = is_before.then(|| maker.clone());
                    listed.push(Arc::new(if is_before { with_before(&made, target.into_iter()) } else { made }));
                    prepared.push(object);
                }
            };
            if is_before {
                push_made(&mut listed, &mut prepared);
                new_places.push(listed.len() as u32);
                listed.push(resource);
                prepared.push(own);
            } else {
                new_places.push(listed.len() as u32);
                listed.push(resource);
                prepared.push(own);
                push_made(&mut listed, &mut prepared);
            }
        }
        let place = |old: u32| new_places[old as usize];
        let mut edges: Vec<(u32, u32)> =
            catalog.edges.iter().map(|(one, other)| (place(*one), place(*other))).collect();
        for (maker, made) in made_edges {
            let container = catalog.edges.iter().find(|(_, content)| *content as usize == maker);
            edges.extend(container.map(|(container, _)| (place(*container), made as u32)));
        }
        let catalog = Catalog { resources: listed, edges: edges.into(), ..catalog };
        Prepared { catalog, resources: prepared, has_failed_to_generate, declared_order }
    }

    /// Returns the references of all resources in the order of their walk.
    fn references_in_order(&self) -> Vec<String> {
        let walk = Walk::from_graph(&Graph::with_files_of_modules(&self.catalog, required_file));
        let resource = |number: u32| match walk.vertex(number) {
            WalkVertex::OfGraph(Vertex::Resource(at)) => Some(self.resources[at as usize].info.reference.clone()),
            _ => None,
        };
        walk_order(&walk).into_iter().filter_map(resource).collect()
    }
}

/// Lets one resource make others, and makes these ready.
fn generate_of(
    maker: &mut PreparedResource,
    catalog_resource: &Resource,
    applied: &AppliedCatalog,
    around: Surroundings<'_>,
) -> Result<Vec<(Resource, PreparedResource)>, Failure> {
    let Some(managed) = &mut maker.managed else { return Ok(Vec::new()) };
    let info = Arc::clone(&maker.info);
    let read_only = ReadOnly(around.machine);
    let context = ApplyContext {
        machine: &read_only,
        checks: around.machine,
        settings: around.settings,
        catalog: applied,
        resource: &info,
        sources: around.sources,
        stop: around.stop,
        log: around.log,
        providers: around.providers,
        sums: around.sums,
        is_noop: true,
    };
    let is_new = |made: &Generated| applied.find(made.type_name, &made.title).is_none();
    let generated = managed.generate(&context)?;
    let mut handed_on: Vec<(Str, Value)> = info.metaparameters.inherited.clone();
    if managed.hands_on_relations() {
        let is_relation = |name: &str| ["before", "notify", "require", "subscribe"].contains(&name);
        let relations = catalog_resource.parameters.iter().filter(|(name, _)| is_relation(name));
        handed_on.extend(relations.map(|(name, value)| (name.clone(), value.clone())));
    }
    let with_handed_on = |mut made: Generated| {
        handed_on.iter().for_each(|(name, value)| add_parameter(&mut made.parameters, name, value));
        made
    };
    generated.into_iter().filter(is_new).map(|made| ready(with_handed_on(made), &info, around)).collect()
}

/// Adds a metaparameter, beside the values that are there already.
fn add_parameter(parameters: &mut Vec<(Str, Value)>, name: &Str, value: &Value) {
    let items = |value: &Value| match value {
        Value::Array(items) => items.to_vec(),
        one => vec![one.clone()],
    };
    match parameters.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => *known = Value::array(items(known).into_iter().chain(items(value))),
        None => parameters.push((name.clone(), value.clone())),
    }
}

fn ready(
    made: Generated,
    maker: &ResourceInfo,
    around: Surroundings<'_>,
) -> Result<(Resource, PreparedResource), Failure> {
    let resource = generated_resource(&made, maker);
    let containment = beside(maker, &resource.reference());
    let mut prepared = prepare_resource(&resource, containment, around)?;
    prepared.maker = Some(maker.reference.clone());
    if let Some(managed) = made.managed {
        prepared.managed = Some(managed);
    }
    Ok((resource, prepared))
}

/// The containment of what a resource makes: it lies in the same container.
pub(super) fn beside(maker: &ResourceInfo, reference: &str) -> Vec<String> {
    let above = maker.containment.len().saturating_sub(1);
    maker.containment[..above].iter().cloned().chain([reference.to_owned()]).collect()
}

/// Returns what a resource makes, as a catalog would have it. It has the tags of its maker.
pub(crate) fn generated_resource(made: &Generated, maker: &ResourceInfo) -> Resource {
    let mut tags: Vec<Str> = vec![Str::from(made.type_name.to_lowercase())];
    let is_tag = |title: &str| {
        title.chars().enumerate().all(|(place, letter)| {
            letter.is_alphanumeric() || letter == '_' || (place > 0 && matches!(letter, ':' | '.' | '-'))
        })
    };
    if is_tag(&made.title) {
        tags.push(Str::from(made.title.to_lowercase()));
    }
    let inherited = maker.tags.iter().filter(|tag| !tags.contains(tag)).cloned().collect::<Vec<_>>();
    tags.extend(inherited);
    Resource {
        type_name: Str::from(made.type_name),
        title: Str::from(made.title.as_str()),
        kind: ResourceTypeKind::Native,
        exported: false,
        says_exported_late: false,
        tags: TagList::from(tags),
        place: None,
        parameters: made.parameters.clone().into(),
        sensitive: Box::default(),
        rendered: Rendered::default(),
    }
}

/// A resource that also comes before these.
fn with_before(resource: &Resource, targets: impl Iterator<Item = String>) -> Resource {
    let mut parameters: Vec<(Str, Value)> =
        resource.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut before: Vec<Value> = match parameters.iter().position(|(name, _)| name == "before") {
        Some(place) => match parameters.remove(place).1 {
            Value::Array(items) => items.to_vec(),
            one => vec![one],
        },
        None => Vec::new(),
    };
    before.extend(targets.map(Value::string));
    parameters.push((Str::from("before"), Value::array(before)));
    Resource { parameters: parameters.into(), rendered: Rendered::default(), ..resource.clone() }
}
