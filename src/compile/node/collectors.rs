//! Collectors: what they find and override, evaluated again in each round.
//! They must not know more of a resource than their query reads: its parameters are recorded as observed then.

use std::collections::BTreeSet;

use pantin_base::budget;
use pantin_base::names::split_reference;
use pantin_model::catalog::{ResourceTypeKind, TagNames, Tags};
use pantin_model::trace::{At, Failure, Outcome, Parameters};
use pantin_values::ops::to_s;
use pantin_values::types::RuntimeType;
use pantin_values::{Fault, Str, Type, Value};
use pantin_world::ExportedResource;
use rustc_hash::FxHashSet;

use super::Compiler;
use super::collector_query::{Candidate, ContentTest, PresenceQuery, Query};
use super::references::{no_title, reference_text, type_name_of};
use super::state::{
    CatalogState, ExportFlag, NewResource, ObservationLog, ObservedResource, Observer, Override, Param, ResourceId,
    ResourceKind, ScopeId, listed,
};
use crate::catalog::Exchange;
use crate::report::failure_of;

#[derive(Debug)]
pub(super) struct Collector {
    target: CollectorTarget,
    scope: ScopeId,
    at: At,
    /// Those it has found, in order.
    pub(super) collected: Vec<ResourceId>,
    known: FxHashSet<ResourceId>,
    /// What stands to the left of it in a chain: that takes its place if it finds nothing.
    pub(super) instead: Vec<super::relationships::Operand>,
}

#[derive(Debug)]
enum CollectorTarget {
    /// `File <| … |>`, `File <<| … |>>`.
    Query { type_name: Str, exported: bool, query: CollectorQuery },
    /// `realize`.
    Fixed(Vec<Value>),
}

/// What a query reads of the resources that it goes through.
#[derive(Debug)]
enum CollectorQuery {
    /// Titles and tags.
    Presence(PresenceQuery),
    /// Parameters too, or it overrides some.
    Content(Query<ContentTest>, Option<Override>),
}

impl CollectorQuery {
    fn matches_export(&self, export: &ExportedResource) -> bool {
        match self {
            CollectorQuery::Presence(query) => query.matches_stored_presence(export),
            CollectorQuery::Content(query, _) => query.matches_export(export),
        }
    }
}

/// A resource that a collector goes through.
struct PresentCandidate<'s> {
    state: &'s CatalogState<'s>,
    id: ResourceId,
}

impl Candidate for PresentCandidate<'_> {
    fn title(&self) -> &Str {
        self.state.title(self.id)
    }

    fn has_any_tag(&self, tags: &[Str]) -> bool {
        self.state.is_tagged(self.id, tags)
    }
}

/// The same, with its parameters.
struct ObservedCandidate<'s> {
    present: PresentCandidate<'s>,
    resource: ObservedResource,
}

impl Candidate for ObservedCandidate<'_> {
    fn title(&self) -> &Str {
        self.present.title()
    }

    fn has_any_tag(&self, tags: &[Str]) -> bool {
        self.present.has_any_tag(tags)
    }
}

impl Compiler<'_> {
    pub(super) fn collect(
        &mut self,
        type_name: &Str,
        exported: bool,
        query: &Value,
        parameters: &Parameters,
        at: &At,
    ) -> Result<Outcome, Fault> {
        let lower = type_name.to_lowercase();
        let Some(known) = self.kind_or_class(&lower)?.filter(|known| known != "Class" && known != "Node") else {
            return Err(Fault::new(format!("Resource type {lower} doesn't exist")));
        };
        let scope = self.here();
        let overriding = (!parameters.is_empty()).then(|| Override {
            params: self.params(parameters),
            source: self.source(scope),
            at: Some(at.clone()),
        });
        let query = Query::from_data(query)?;
        let query = match (query.presence_only(), overriding) {
            (Some(presence), None) => CollectorQuery::Presence(presence),
            (_, overriding) => CollectorQuery::Content(query, overriding),
        };
        self.add_collector(CollectorTarget::Query { type_name: known, exported, query }, scope, at);
        let frame = self.frame();
        Ok(Outcome::Value(handle(frame.collectors.len() - 1)))
    }

    pub(super) fn realize(&mut self, references: &[Value], at: &At) {
        let scope = self.here();
        self.add_collector(CollectorTarget::Fixed(references.to_vec()), scope, at);
    }

    fn add_collector(&mut self, target: CollectorTarget, scope: ScopeId, at: &At) {
        let index = self.collectors.len();
        let (collected, known, instead) = (Vec::new(), FxHashSet::default(), Vec::new());
        self.collectors.push(Some(Collector { target, scope, at: at.clone(), collected, known, instead }));
        self.frame().collectors.push(index);
    }

    /// The collector that a value stands for, in the body that runs now.
    pub(super) fn collector_of(&self, value: &Value) -> Option<usize> {
        let Value::Type(Type::Runtime(Some(runtime))) = value else { return None };
        let number = runtime.name.as_ref()?.strip_prefix(HANDLE)?.parse::<usize>().ok()?;
        self.frames.last()?.collectors.get(number).copied()
    }

    // ---- rounds ----

    pub(super) fn evaluate_collectors(&mut self) -> Result<bool, Failure> {
        let mut found = false;
        for index in 0..self.collectors.len() {
            let Some(mut collector) = self.collectors[index].take() else { continue };
            let result = self.evaluate_collector(&mut collector).map_err(failure_of);
            self.check_steps(Some(&collector.at))?;
            let is_done = matches!(&collector.target, CollectorTarget::Fixed(rest) if rest.is_empty());
            self.collectors[index] = (!is_done).then_some(collector);
            found |= result?;
        }
        Ok(found)
    }

    fn evaluate_collector(&mut self, collector: &mut Collector) -> Result<bool, Fault> {
        let log = self.state.log(Observer::Collector);
        let found: Vec<ResourceId> = match &mut collector.target {
            CollectorTarget::Fixed(references) => {
                references.iter().try_for_each(check_reference)?;
                let found: Vec<Option<ObservedResource>> =
                    references.iter().map(|each| self.state.find_by_value(each, &log)).collect();
                let mut left = found.iter().map(Option::is_none);
                references.retain(|_| left.next().unwrap_or_default());
                self.realize_all(found.into_iter().flatten().map(ObservedResource::id))
            }
            CollectorTarget::Query { type_name, exported, query } => {
                let is_unwanted = *exported && !self.request.collects_exported;
                let imports = match *exported && self.request.collects_exported {
                    true => Some((&*query, collector.scope)),
                    false => None,
                };
                match &*query {
                    _ if is_unwanted => Vec::new(),
                    CollectorQuery::Presence(presence) => {
                        let mut found = self.present(type_name, *exported, presence, &log)?;
                        if let Some((query, scope)) = imports {
                            let imported = self.import(type_name, query, scope, &log)?;
                            found.extend(imported.into_iter().map(ObservedResource::id));
                        }
                        self.realize_all(found.into_iter())
                    }
                    CollectorQuery::Content(content, overriding) => {
                        let mut found = self.matching(type_name, *exported, content, &log)?;
                        if let Some((query, scope)) = imports {
                            found.extend(self.import(type_name, query, scope, &log)?);
                        }
                        let ids = self.realize_all(found.iter().map(|found| found.id()));
                        if let Some(overriding) = overriding
                            && !found.is_empty()
                        {
                            self.state.let_override_anything(overriding);
                            for &new in found.iter().filter(|found| !collector.known.contains(&found.id())) {
                                let with_defaults =
                                    self.state.override_by_collector(new, overriding, collector.scope)?;
                                self.merge(new, &with_defaults)?;
                            }
                        }
                        ids
                    }
                }
            }
        };
        let new: Vec<ResourceId> = found.into_iter().filter(|id| collector.known.insert(*id)).collect();
        collector.collected.extend(&new);
        Ok(!new.is_empty())
    }

    fn realize_all(&mut self, found: impl Iterator<Item = ResourceId>) -> Vec<ResourceId> {
        found.inspect(|id| self.state.realize(*id)).collect()
    }

    /// Returns the resources that a query of titles and tags matches.
    fn present(
        &self,
        type_name: &Str,
        exported: bool,
        query: &PresenceQuery,
        log: &ObservationLog,
    ) -> Result<Vec<ResourceId>, Fault> {
        let mut found = Vec::new();
        for &id in self.state.present_of_type(type_name, &query.only_matches(), log) {
            if !budget::spend(1) {
                break;
            }
            if (!exported || self.state.is_exported(id))
                && query.finds_present(&PresentCandidate { state: &self.state, id })?
            {
                found.push(id);
            }
        }
        Ok(found)
    }

    /// Returns the resources that a query of parameters matches, or that are overridden.
    fn matching(
        &self,
        type_name: &Str,
        exported: bool,
        query: &Query<ContentTest>,
        log: &ObservationLog,
    ) -> Result<Vec<ObservedResource>, Fault> {
        let mut found = Vec::new();
        for resource in self.state.observed_of_type(type_name, &query.only_matches(), log) {
            if !budget::spend(1) {
                break;
            }
            let present = PresentCandidate { state: &self.state, id: resource.id() };
            let parameter =
                |candidate: &ObservedCandidate<'_>, name: &str| self.state.parameter(candidate.resource, name, log);
            if (!exported || self.state.is_exported(resource.id()))
                && query.finds(&ObservedCandidate { present, resource }, parameter)?
            {
                found.push(resource);
            }
        }
        Ok(found)
    }

    /// Adds what other nodes have exported; what is here already, because it was collected before, is not found again.
    fn import(
        &mut self,
        type_name: &Str,
        query: &CollectorQuery,
        scope: ScopeId,
        log: &ObservationLog,
    ) -> Result<Vec<ObservedResource>, Fault> {
        let exports = self.request.exports.clone();
        let own = &self.request.node.name;
        let wanted = exports
            .iter()
            .filter(|one| one.type_name == *type_name && one.certname != own.as_str() && query.matches_export(one));
        let mut imported = Vec::new();
        for export in wanted {
            let known_as: Str = format!("{}|{}|{}", export.certname, export.type_name, export.title).into();
            if let Some(known) = self.state.find_resource(&export.type_name, &export.title, log) {
                if self.state.collected_as(known.id()) != Some(&known_as) {
                    return Err(Fault::new(format!(
                        "A duplicate resource was found while collecting exported resources, with the type and title \
                         {}[{}]",
                        export.type_name, export.title
                    )));
                }
                continue;
            }
            imported.push(self.add_import(export, scope, known_as)?);
        }
        Ok(imported)
    }

    fn add_import(
        &mut self,
        export: &ExportedResource,
        scope: ScopeId,
        known_as: Str,
    ) -> Result<ObservedResource, Fault> {
        let Some(resource_kind) = self.resource_kind(&export.type_name.to_lowercase())? else {
            return Err(Fault::new(format!("Unknown resource type: '{}'", export.type_name)));
        };
        let source = self.source(scope);
        let param = |(name, value): &(Str, Value)| Param::new(name.clone(), value.clone(), source.clone());
        let new = NewResource {
            type_name: type_name_of(&resource_kind),
            title: export.title.clone(),
            has_text_title: true,
            kind: if matches!(resource_kind, ResourceKind::Native(_)) {
                ResourceTypeKind::Native
            } else {
                ResourceTypeKind::Defined
            },
            resource_kind,
            params: export.parameters.iter().map(param).collect(),
            at: None,
            scope,
            source: source.clone(),
            is_virtual: false,
            exported: ExportFlag::No,
        };
        // The tags that it had where it was exported are for finding it; its own are a parameter.
        self.state.add_import(new, known_as)
    }

    /// `is_done`: there is a catalog; without one nothing is stored.
    pub(crate) fn exchange(&self, is_done: bool) -> Result<Exchange, Fault> {
        let exports = if is_done { self.state.exports(&self.request.node.name.as_str().into())? } else { Vec::new() };
        Ok(Exchange { exports, collects: self.collected_types() })
    }

    /// Returns the types whose exported resources are collected, each once, sorted.
    fn collected_types(&self) -> Vec<Str> {
        let type_of = |collector: &Collector| match &collector.target {
            CollectorTarget::Query { type_name, exported: true, .. } => Some(type_name.clone()),
            _ => None,
        };
        let types: BTreeSet<Str> = self
            .collectors
            .iter()
            .flatten()
            .filter_map(type_of)
            .chain(self.bindings.queried_types.iter().cloned())
            .collect();
        types.into_iter().collect()
    }

    pub(super) fn unmet_realizations(&self) -> Vec<String> {
        let mut unmet = Vec::new();
        for collector in self.collectors.iter().flatten() {
            if let CollectorTarget::Fixed(references) = &collector.target {
                let rest = references.iter().cloned().flat_map(listed);
                unmet.extend(rest.map(|reference| match &reference {
                    Value::Type(reference) => reference_text(reference),
                    Value::Resource(resource) => resource.to_string(),
                    other => to_s(other),
                }));
            }
        }
        unmet
    }
}

/// Puppet fails in a way that it did not plan.
fn check_reference(value: &Value) -> Result<(), Fault> {
    let text = match value {
        Value::Type(reference) => reference_text(reference),
        Value::Resource(resource) => resource.to_string(),
        other => to_s(other),
    };
    if let Some((type_name, _)) = split_reference(&text) {
        // The name of its type is a tag of every resource, of one that is looked for too.
        return Tags::default().add(type_name, &TagNames::default());
    }
    Err(Fault::new(format!("Puppet::Parser::Compiler failed with error ArgumentError: {}", no_title(&text))))
}

const HANDLE: &str = "collector ";

/// Returns what a collector is worth as a value: its number in the body that made it.
fn handle(number: usize) -> Value {
    let name = Some(format!("{HANDLE}{number}").into());
    Value::Type(Type::Runtime(Some(std::sync::Arc::new(RuntimeType { runtime: "pantin".into(), name, pattern: None }))))
}
