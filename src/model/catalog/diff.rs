//! The difference between two catalogs of a node, resource by resource.
//!
//! What an agent would see counts: parameters, and whether a resource is there. A place in a file, a tag, what contains
//! what do not.

use std::sync::Arc;

use pantin_values::{Digester, Digestible, Str, Value};
use rustc_hash::FxHashMap;

use super::{Catalog, Place, Resource};

/// A resource that is not as it was.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceChange {
    /// `File[/x]`
    pub reference: String,
    pub change: Change,
    /// Where it is declared now; of one that is gone, where it was.
    pub place: Option<Place>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    Added,
    Removed,
    /// In the order of the new resource's parameters; those that are gone stand at the end.
    Changed(Vec<ParameterChange>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct ParameterChange {
    pub name: Str,
    pub old: ShownValue,
    pub new: ShownValue,
}

/// A parameter's value, as far as it may be shown.
#[derive(Clone, PartialEq, Debug)]
pub enum ShownValue {
    Absent,
    Value(Value),
    Secret,
}

impl Digestible for Change {
    fn add_to(&self, digester: &mut Digester) {
        match self {
            Change::Added => digester.number(0),
            Change::Removed => digester.number(1),
            Change::Changed(parameters) => digester.number(2).item(parameters),
        };
    }
}

impl Digestible for ParameterChange {
    fn add_to(&self, digester: &mut Digester) {
        let ParameterChange { name, old, new } = self;
        digester.text(name).item(old).item(new);
    }
}

impl Digestible for ShownValue {
    fn add_to(&self, digester: &mut Digester) {
        match self {
            ShownValue::Absent => digester.number(0),
            ShownValue::Value(value) => digester.number(1).item(value),
            ShownValue::Secret => digester.number(2),
        };
    }
}

type Key<'c> = (&'c str, &'c str);

fn key(resource: &Resource) -> Key<'_> {
    (&resource.type_name, &resource.title)
}

/// From the one to the other, in the order of the new catalog; what is gone stands at the end.
pub fn diff(old: &Catalog, new: &Catalog) -> Vec<ResourceChange> {
    let (old, new) = (&old.resources[..], &new.resources[..]);
    // Mostly all stands where it stood, but for one stretch.
    let ahead = old.iter().zip(new).take_while(|(old, new)| are_one(old, new)).count();
    let rests = old[ahead..].iter().rev().zip(new[ahead..].iter().rev());
    let behind = rests.take_while(|(old, new)| are_one(old, new)).count();
    let (old_end, new_end) = (old.len() - behind, new.len() - behind);
    let mut gone: FxHashMap<Key<'_>, &Arc<Resource>> =
        old[ahead..old_end].iter().map(|resource| (key(resource), resource)).collect();
    let mut changes: Vec<ResourceChange> = both(&old[..ahead], &new[..ahead]).collect();
    changes.extend(new[ahead..new_end].iter().filter_map(|resource| match gone.remove(&key(resource)) {
        None => Some(resource_change(resource, Change::Added)),
        Some(before) => changed(before, resource),
    }));
    changes.extend(both(&old[old_end..], &new[new_end..]));
    let removed = old[ahead..old_end].iter().filter(|resource| gone.contains_key(&key(resource)));
    changes.extend(removed.map(|resource| resource_change(resource, Change::Removed)));
    changes
}

/// Whether both are the same resource, whatever has become of it.
fn are_one(old: &Arc<Resource>, new: &Arc<Resource>) -> bool {
    Arc::ptr_eq(old, new) || old.has_same_name_as(new)
}

fn both<'c>(old: &'c [Arc<Resource>], new: &'c [Arc<Resource>]) -> impl Iterator<Item = ResourceChange> + use<'c> {
    old.iter().zip(new).filter_map(|(old, new)| changed(old, new))
}

fn changed(old: &Arc<Resource>, new: &Arc<Resource>) -> Option<ResourceChange> {
    // Equal resources of one process are mostly the same one.
    if Arc::ptr_eq(old, new) {
        return None;
    }
    let changes = parameters(old, new);
    (!changes.is_empty()).then(|| resource_change(new, Change::Changed(changes)))
}

fn resource_change(resource: &Resource, change: Change) -> ResourceChange {
    ResourceChange { reference: resource.reference(), change, place: resource.place.clone() }
}

fn parameters(old: &Resource, new: &Resource) -> Vec<ParameterChange> {
    let mut changes = Vec::new();
    if old.exported != new.exported {
        let shown = |resource: &Resource| ShownValue::Value(Value::Boolean(resource.exported));
        changes.push(ParameterChange { name: "exported".into(), old: shown(old), new: shown(new) });
    }
    let names = new.parameters.iter().map(|(name, _)| name);
    let gone = old.parameters.iter().map(|(name, _)| name).filter(|name| new.parameter(name).is_none());
    for name in names.chain(gone) {
        if !new.has_same_parameter_as(old, name) || old.is_secret(name) != new.is_secret(name) {
            changes.push(ParameterChange {
                name: name.clone(),
                old: shown_value(old, name),
                new: shown_value(new, name),
            });
        }
    }
    changes
}

/// A parameter of a resource.
pub fn shown_value(resource: &Resource, name: &Str) -> ShownValue {
    match resource.parameter(name) {
        None => ShownValue::Absent,
        Some(_) if resource.is_secret(name) => ShownValue::Secret,
        Some(value) if value.digest().is_secret() => ShownValue::Secret,
        Some(value) => ShownValue::Value(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(title: &str, parameters: &[(&str, &str)], sensitive: &[&str]) -> Arc<Resource> {
        Arc::new(Resource {
            type_name: "File".into(),
            title: title.into(),
            kind: super::super::ResourceTypeKind::Native,
            exported: false,
            says_exported_late: false,
            tags: Default::default(),
            place: Some(Place { file: "/x.pp".into(), line: 1 }),
            parameters: parameters.iter().map(|(name, value)| (Str::from(*name), Value::from(*value))).collect(),
            sensitive: sensitive.iter().map(|name| Str::from(*name)).collect(),
            rendered: Default::default(),
        })
    }

    fn catalog(resources: Vec<Arc<Resource>>) -> Catalog {
        Catalog { resources, ..Catalog::default() }
    }

    fn text(value: &str) -> ShownValue {
        ShownValue::Value(Value::from(value))
    }

    #[test]
    fn added_removed_and_changed() {
        let old = catalog(vec![
            resource("/gone", &[], &[]),
            resource("/same", &[("mode", "1")], &[]),
            resource("/changed", &[("mode", "1"), ("owner", "a"), ("group", "g")], &[]),
        ]);
        let new = catalog(vec![
            resource("/changed", &[("mode", "2"), ("group", "g"), ("noop", "x")], &[]),
            resource("/same", &[("mode", "1")], &[]),
            resource("/new", &[], &[]),
        ]);
        let changes = diff(&old, &new);
        let told: Vec<(&str, &Change)> =
            changes.iter().map(|change| (change.reference.as_str(), &change.change)).collect();
        let parameter = |name: &str, old: ShownValue, new: ShownValue| ParameterChange { name: name.into(), old, new };
        let changed = Change::Changed(vec![
            parameter("mode", text("1"), text("2")),
            parameter("noop", ShownValue::Absent, text("x")),
            parameter("owner", text("a"), ShownValue::Absent),
        ]);
        assert_eq!(
            told,
            [("File[/changed]", &changed), ("File[/new]", &Change::Added), ("File[/gone]", &Change::Removed)]
        );
    }

    #[test]
    fn a_place_is_no_change() {
        let old = catalog(vec![resource("/x", &[], &[])]);
        let mut moved = (*old.resources[0]).clone();
        moved.place = Some(Place { file: "/y.pp".into(), line: 9 });
        assert_eq!(diff(&old, &catalog(vec![Arc::new(moved)])), []);
    }

    #[test]
    fn a_secret_is_not_shown() {
        let old = catalog(vec![resource("/x", &[("content", "old")], &["content"])]);
        let new = catalog(vec![resource("/x", &[("content", "new")], &["content"])]);
        let changes = diff(&old, &new);
        assert!(!format!("{changes:?}").contains("new\""), "{changes:?}");
        let Change::Changed(parameters) = &changes[0].change else { panic!("{changes:?}") };
        assert_eq!((&parameters[0].old, &parameters[0].new), (&ShownValue::Secret, &ShownValue::Secret));
    }
}
