//! Collectors: which resources match them, evaluated again in each round.

use std::collections::BTreeSet;

use pantin_base::names::split_reference;
use pantin_model::catalog::{ResourceTypeKind, TagNames, Tags};
use pantin_model::trace::{At, Failure, Outcome, Parameters};
use pantin_syntax::ast::BinaryOp;
use pantin_values::ops::to_s;
use pantin_values::types::RuntimeType;
use pantin_values::{Fault, Str, Type, Value, ops};
use pantin_world::ExportedResource;
use rustc_hash::FxHashSet;

use super::Compiler;
use super::declare::NewResource;
use super::observations::ObservedPart;
use super::overrides::{Override, listed};
use super::references::{no_title, reference_text, type_name_of};
use super::resource::{ExportFlag, Param, Resource, ResourceId, ResourceKind};
use super::scope::ScopeId;
use crate::report::failure_of;

#[derive(Debug)]
pub(super) struct Collector {
    what: CollectorTarget,
    scope: ScopeId,
    overriding: Option<Override>,
    /// Those it has found, in order.
    pub(super) collected: Vec<ResourceId>,
    known: FxHashSet<ResourceId>,
    /// What stands to the left of it in a chain: that takes its place if it finds nothing.
    pub(super) instead: Vec<super::relationships::Operand>,
}

#[derive(Debug)]
enum CollectorTarget {
    /// `File <| … |>`, `File <<| … |>>`.
    Query { type_name: Str, exported: bool, query: Query },
    /// `realize`.
    Fixed(Vec<Value>),
}

#[derive(Debug)]
enum Query {
    All,
    Tagged(Vec<Str>),
    Is {
        name: Str,
        value: Value,
    },
    IsNot {
        name: Str,
        value: Value,
    },
    And(Box<(Query, Query)>),
    Or(Box<(Query, Query)>),
    /// A value that can be asked nothing: an error as soon as there is anything to ask it of.
    Plain(Value),
}

impl Query {
    fn from_data(data: &Value) -> Result<Query, Fault> {
        let Value::Array(parts) = data else { return Ok(Query::All) };
        let (operator, left, right) = match &parts[..] {
            [operator, left, right] => (operator, left, right),
            [plain] => return Ok(Query::Plain(plain.clone())),
            _ => return Ok(Query::All),
        };
        Ok(match operator.as_str() {
            Some("and") => Query::And(Box::new((Query::from_data(left)?, Query::from_data(right)?))),
            Some("or") => Query::Or(Box::new((Query::from_data(left)?, Query::from_data(right)?))),
            Some("==") if left.as_str() == Some("tag") => {
                let tags = match right {
                    Value::Array(tags) => tags.to_vec(),
                    tag => vec![tag.clone()],
                };
                Query::Tagged(tags.iter().map(tag).collect::<Result<_, _>>()?)
            }
            operator => {
                let (name, value): (Str, Value) = (to_s(left).into(), right.clone());
                if operator == Some("==") { Query::Is { name, value } } else { Query::IsNot { name, value } }
            }
        })
    }

    /// The only titles that it can be for, if it says so.
    fn titles(&self) -> Option<Vec<Str>> {
        match self {
            Query::Is { name, value: Value::String(title) } if name == "title" => Some(vec![title.clone()]),
            Query::And(sides) => sides.0.titles().or_else(|| sides.1.titles()),
            Query::Or(sides) => Some([sides.0.titles()?, sides.1.titles()?].concat()),
            _ => None,
        }
    }

    /// Whether it is for more of a resource than its title and tags.
    fn asks_for_parameters(&self) -> bool {
        match self {
            Query::All | Query::Tagged(_) => false,
            Query::Is { name, .. } | Query::IsNot { name, .. } => name != "title",
            Query::And(sides) | Query::Or(sides) => sides.0.asks_for_parameters() || sides.1.asks_for_parameters(),
            Query::Plain(_) => true,
        }
    }

    /// The same of a resource in the store, which knows nothing of Puppet's ways to compare.
    fn matches_export(&self, export: &ExportedResource) -> bool {
        let is = |name: &Str, value: &Value| match name.as_str() {
            "title" => Value::String(export.title.clone()) == *value,
            "tag" => export.tags.iter().any(|tag| *tag == to_s(value).to_lowercase()),
            name => {
                let found = export.parameters.iter().find(|(known, _)| known == name);
                found.map_or(value.is_undef(), |(_, found)| found == value)
            }
        };
        match self {
            Query::All => true,
            Query::Tagged(tags) => tags.iter().any(|tag| export.tags.contains(tag)),
            Query::Is { name, value } => is(name, value),
            Query::IsNot { name, value } => !is(name, value),
            Query::And(sides) => sides.0.matches_export(export) && sides.1.matches_export(export),
            Query::Or(sides) => sides.0.matches_export(export) || sides.1.matches_export(export),
            Query::Plain(_) => false,
        }
    }

    /// As the whole of a query, nothing and `false` are as good as none.
    fn finds(&self, resource: &Resource, has_tags: &dyn Fn(&[Str]) -> bool) -> Result<bool, Fault> {
        match self {
            Query::Plain(value) if !value.is_truthy() => Ok(true),
            query => query.matches(resource, has_tags),
        }
    }

    fn matches(&self, resource: &Resource, has_tags: &dyn Fn(&[Str]) -> bool) -> Result<bool, Fault> {
        let of = |name: &Str| match name.as_str() {
            "title" => resource.title.clone().into(),
            name => resource.get(name),
        };
        Ok(match self {
            Query::All => true,
            Query::Tagged(tags) => has_tags(tags),
            Query::Is { name, value } => match of(name) {
                Value::Array(items) => items.iter().any(|item| ops::equals(item, value)),
                found => ops::compare(BinaryOp::Equal, &found, value)?,
            },
            Query::IsNot { name, value } => ops::compare(BinaryOp::NotEqual, &of(name), value)?,
            Query::And(sides) => sides.0.matches(resource, has_tags)? && sides.1.matches(resource, has_tags)?,
            Query::Or(sides) => sides.0.matches(resource, has_tags)? || sides.1.matches(resource, has_tags)?,
            Query::Plain(value) => return Err(asked(value)),
        })
    }
}

/// The real one calls what stands for the query, and fails in a way that it did not plan.
fn asked(value: &Value) -> Fault {
    let receiver = pantin_values::new::receiver(value);
    let error = format!("NoMethodError: undefined method `call' for {receiver}");
    Fault::new(format!("Puppet::Parser::Compiler failed with error {error}"))
}

fn tag(value: &Value) -> Result<Str, Fault> {
    match value {
        Value::Integer(_) | Value::Float(_) => Err(Fault::new("Cannot transform a number to a tag")),
        value => Ok(to_s(value).to_lowercase().into()),
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
        let what = CollectorTarget::Query { type_name: known, exported, query: Query::from_data(query)? };
        self.add_collector(what, scope, overriding);
        let frame = self.frame();
        Ok(Outcome::Value(handle(frame.collectors.len() - 1)))
    }

    pub(super) fn realize(&mut self, references: &[Value]) {
        let scope = self.here();
        self.add_collector(CollectorTarget::Fixed(references.to_vec()), scope, None);
    }

    fn add_collector(&mut self, what: CollectorTarget, scope: ScopeId, overriding: Option<Override>) {
        let index = self.collectors.len();
        let (collected, known, instead) = (Vec::new(), FxHashSet::default(), Vec::new());
        self.collectors.push(Some(Collector { what, scope, overriding, collected, known, instead }));
        self.frame().collectors.push(index);
    }

    /// The collector that a value stands for, in the body that runs now.
    pub(super) fn collector_of(&self, value: &Value) -> Option<usize> {
        let Value::Type(Type::Runtime(Some(of))) = value else { return None };
        let number = of.name.as_ref()?.strip_prefix(HANDLE)?.parse::<usize>().ok()?;
        self.frames.last()?.collectors.get(number).copied()
    }

    // ---- rounds ----

    pub(super) fn evaluate_collectors(&mut self) -> Result<bool, Failure> {
        let mut found = false;
        for index in 0..self.collectors.len() {
            let Some(mut collector) = self.collectors[index].take() else { continue };
            let result = self.evaluate_collector(&mut collector).map_err(failure_of);
            let is_done = matches!(&collector.what, CollectorTarget::Fixed(rest) if rest.is_empty());
            self.collectors[index] = (!is_done).then_some(collector);
            found |= result?;
        }
        Ok(found)
    }

    fn evaluate_collector(&mut self, collector: &mut Collector) -> Result<bool, Fault> {
        let overrides = collector.overriding.is_some();
        let objects = match &mut collector.what {
            CollectorTarget::Fixed(references) => {
                references.iter().try_for_each(check_reference)?;
                let found: Vec<Option<ResourceId>> = references.iter().map(|each| self.find_by_value(each)).collect();
                let mut left = found.iter().map(Option::is_none);
                references.retain(|_| left.next().unwrap_or_default());
                found.into_iter().flatten().collect()
            }
            CollectorTarget::Query { type_name, exported, query } => {
                let sees = match overrides || query.asks_for_parameters() {
                    true => ObservedPart::AllOfIt,
                    false => ObservedPart::Presence,
                };
                let mut found = self.matching(type_name, *exported, query, sees)?;
                if *exported && self.request.collects_exported {
                    self.import(type_name, query, collector.scope, &mut found)?;
                }
                found
            }
        };
        for &id in &objects {
            self.resource_mut(id).is_virtual = false;
            self.first_unevaluated = self.first_unevaluated.min(id.index());
        }
        if let Some(overriding) = &collector.overriding
            && !objects.is_empty()
        {
            self.overriding.insert(std::sync::Arc::as_ptr(&overriding.source) as usize);
            for &id in objects.iter().filter(|id| !collector.known.contains(id)) {
                self.override_collected(id, overriding, collector.scope)?;
            }
        }
        let new: Vec<ResourceId> = objects.into_iter().filter(|id| collector.known.insert(*id)).collect();
        collector.collected.extend(&new);
        Ok(!new.is_empty())
    }

    fn matching(
        &self,
        type_name: &Str,
        exported: bool,
        query: &Query,
        sees: ObservedPart,
    ) -> Result<Vec<ResourceId>, Fault> {
        if exported && !self.request.collects_exported {
            return Ok(Vec::new());
        }
        match query.titles() {
            Some(titles) => titles.iter().for_each(|title| self.observations.resource(type_name, title, sees)),
            None => self.observations.type_of(type_name, sees),
        }
        let mut found = Vec::new();
        for &id in self.of_types.all(type_name) {
            let resource = self.resource(id);
            if (!exported || resource.exported == ExportFlag::Yes)
                && query.finds(resource, &|tags| self.is_tagged(id, tags))?
            {
                found.push(id);
            }
        }
        Ok(found)
    }

    /// Adds what other nodes have exported; what is here already, because it was collected before, is not found again.
    fn import(
        &mut self,
        type_name: &Str,
        query: &Query,
        scope: ScopeId,
        found: &mut Vec<ResourceId>,
    ) -> Result<(), Fault> {
        let exports = self.request.exports.clone();
        let own = &self.request.node.name;
        let wanted = exports
            .iter()
            .filter(|one| one.type_name == *type_name && one.certname != own.as_str() && query.matches_export(one));
        for export in wanted {
            let known_as: Str = format!("{}|{}|{}", export.certname, export.type_name, export.title).into();
            if let Some(known) = self.find_resource(&export.type_name, &export.title) {
                if self.resource(known).collected_as.as_ref() != Some(&known_as) {
                    return Err(Fault::new(format!(
                        "A duplicate resource was found while collecting exported resources, with the type and title \
                         {}[{}]",
                        export.type_name, export.title
                    )));
                }
                continue;
            }
            found.push(self.add_import(export, scope, known_as)?);
        }
        Ok(())
    }

    fn add_import(&mut self, export: &ExportedResource, scope: ScopeId, known_as: Str) -> Result<ResourceId, Fault> {
        let Some(of) = self.resource_kind(&export.type_name.to_lowercase())? else {
            return Err(Fault::new(format!("Unknown resource type: '{}'", export.type_name)));
        };
        let source = self.source(scope);
        let param = |(name, value): &(Str, Value)| Param::new(name.clone(), value.clone(), source.clone());
        let new = NewResource {
            type_name: type_name_of(&of),
            title: export.title.clone(),
            has_text_title: true,
            kind: if matches!(of, ResourceKind::Native(_)) {
                ResourceTypeKind::Native
            } else {
                ResourceTypeKind::Defined
            },
            of,
            params: export.parameters.iter().map(param).collect(),
            at: None,
            scope,
            source: source.clone(),
            is_virtual: false,
            exported: ExportFlag::No,
        };
        // The tags that it had where it was exported are for finding it; those that it was given are a parameter.
        let mut resource = self.with_defaults(new)?;
        resource.collected_as = Some(known_as);
        self.add(scope, resource)
    }

    /// Whether any of these is a tag of it, or of what contains it.
    pub(super) fn is_tagged(&self, id: ResourceId, tags: &[Str]) -> bool {
        let mut id = id;
        let tags = self.tag_names.all_known(tags);
        loop {
            if tags.is_empty() || self.resource(id).tags.has_any(&tags) {
                return !tags.is_empty();
            }
            let container = self.scopes.get(self.resource(id).scope).resource;
            if container == id {
                return false;
            }
            id = container;
        }
    }

    /// The types whose exported resources are collected, each once, sorted.
    pub(super) fn collected_types(&self) -> Vec<Str> {
        let type_of = |collector: &Collector| match &collector.what {
            CollectorTarget::Query { type_name, exported: true, .. } => Some(type_name.clone()),
            _ => None,
        };
        let types: BTreeSet<Str> = self.collectors.iter().flatten().filter_map(type_of).collect();
        types.into_iter().collect()
    }

    pub(super) fn unmet_realizations(&self) -> Vec<String> {
        let mut unmet = Vec::new();
        for collector in self.collectors.iter().flatten() {
            if let CollectorTarget::Fixed(references) = &collector.what {
                let rest = references.iter().cloned().flat_map(listed);
                unmet.extend(rest.map(|reference| match &reference {
                    Value::Type(of) => reference_text(of),
                    Value::Resource(resource) => resource.to_string(),
                    other => to_s(other),
                }));
            }
        }
        unmet
    }
}

/// The real one fails in a way that it did not plan.
fn check_reference(value: &Value) -> Result<(), Fault> {
    let text = match value {
        Value::Type(of) => reference_text(of),
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

/// What a collector is worth as a value: its number in the body that made it.
fn handle(number: usize) -> Value {
    let name = Some(format!("{HANDLE}{number}").into());
    Value::Type(Type::Runtime(Some(std::sync::Arc::new(RuntimeType { runtime: "pantin".into(), name, pattern: None }))))
}
