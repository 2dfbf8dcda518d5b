//! Relationships that resources declare by `require`, `subscribe`, `before` and `notify`.

use pantin_base::names::split_reference;
use pantin_values::types::Type;
use pantin_values::{Referred, Value};

use super::edges::Edges;
use super::names::Names;
use super::{Reason, reference};
use crate::catalog::kinds::Relation;
use crate::catalog::{Catalog, Resource};

/// In the order in which the agent looks at them.
pub(super) const RELATIONS: [Relation; 4] =
    [Relation::Require, Relation::Subscribe, Relation::Before, Relation::Notify];

/// A relationship with what is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The place of the resource that has it.
    pub resource: u32,
    pub relation: Relation,
    /// `File[/x]`
    pub target: String,
}

impl Missing {
    /// Returns what the agent says of it, without the place.
    pub fn message(&self, catalog: &Catalog) -> String {
        let role = match self.relation {
            Relation::Require | Relation::Subscribe => "dependency",
            Relation::Before | Relation::Notify => "dependent",
        };
        let of = catalog.resources.get(self.resource as usize).map(|resource| reference(resource)).unwrap_or_default();
        format!("Could not find {role} {} for {of}", self.target)
    }
}

/// Adds what resources say, and gives what they say in vain.
pub(super) fn add_declared_relations(catalog: &Catalog, names: &Names, edges: &mut Edges) -> Vec<Missing> {
    let mut missing = Vec::new();
    for (number, resource) in (0..).zip(&catalog.resources) {
        for relation in RELATIONS {
            for wanted in references(resource, relation) {
                let found = wanted.split().and_then(|(type_name, title)| names.find(type_name, title));
                let reason = Reason::Declared(relation);
                match (found, relation) {
                    (Some(other), Relation::Require | Relation::Subscribe) => edges.add(other, number, reason),
                    (Some(other), Relation::Before | Relation::Notify) => edges.add(number, other, reason),
                    (None, _) => missing.push(Missing { resource: number, relation, target: wanted.shown() }),
                }
            }
        }
    }
    missing
}

/// What a relationship leads to.
#[derive(Debug)]
enum RelationshipOperand<'v> {
    Text(&'v str),
    Type(&'v Type),
    Resource(&'v Referred),
}

impl RelationshipOperand<'_> {
    fn split(&self) -> Option<(&str, &str)> {
        match self {
            RelationshipOperand::Text(text) => split_reference(text),
            RelationshipOperand::Type(Type::Resource(Some(resource))) => {
                Some((&resource.type_name, resource.title.as_deref()?))
            }
            RelationshipOperand::Type(Type::Class(Some(name))) => Some(("Class", name)),
            RelationshipOperand::Type(_) => None,
            RelationshipOperand::Resource(resource) => Some((&resource.type_name, &resource.title)),
        }
    }

    fn shown(&self) -> String {
        match self {
            RelationshipOperand::Text(text) => (*text).to_owned(),
            RelationshipOperand::Type(Type::Class(Some(name))) => format!("Class[{}]", super::class_title(name)),
            RelationshipOperand::Type(Type::Resource(Some(resource))) => {
                format!("{}[{}]", resource.type_name, resource.title.as_deref().unwrap_or_default())
            }
            RelationshipOperand::Type(other) => other.to_string(),
            RelationshipOperand::Resource(resource) => resource.to_string(),
        }
    }
}

fn references(resource: &Resource, relation: Relation) -> Vec<RelationshipOperand<'_>> {
    let mut wanted = Vec::new();
    if let Some(value) = resource.parameter(relation.name()) {
        collect(value, &mut wanted);
    }
    wanted
}

/// Arrays may lie in arrays.
fn collect<'v>(value: &'v Value, wanted: &mut Vec<RelationshipOperand<'v>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, wanted)),
        Value::String(text) => wanted.push(RelationshipOperand::Text(text)),
        Value::Type(of) => wanted.push(RelationshipOperand::Type(of)),
        Value::Resource(resource) => wanted.push(RelationshipOperand::Resource(resource)),
        _ => {}
    }
}
