//! What differs between two catalogs of a node, resource by resource.
//!
//! What an agent would see counts: parameters, and whether a resource is there. A place in a file, a tag, what contains
//! what do not.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Catalog, Place, Resource};
use crate::pcore::{Str, Value};

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
    pub old: Shown,
    pub new: Shown,
}

/// A parameter's value, as far as it may be shown.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    Absent,
    Value(Value),
    Secret,
}

type Key<'c> = (&'c str, &'c str);

fn key(resource: &Resource) -> Key<'_> {
    (&resource.type_name, &resource.title)
}

/// From the one to the other, in the order of the new catalog; what is gone stands at the end.
pub fn diff(old: &Catalog, new: &Catalog) -> Vec<ResourceChange> {
    let mut gone: FxHashMap<Key<'_>, &Arc<Resource>> =
        old.resources.iter().map(|resource| (key(resource), resource)).collect();
    let mut changes = Vec::new();
    for resource in &new.resources {
        let change = match gone.remove(&key(resource)) {
            None => Change::Added,
            // Equal resources of one process are mostly the same one.
            Some(before) if Arc::ptr_eq(before, resource) => continue,
            Some(before) => match parameters(before, resource) {
                changed if changed.is_empty() => continue,
                changed => Change::Changed(changed),
            },
        };
        changes.push(ResourceChange { reference: resource.reference(), change, place: resource.place.clone() });
    }
    let removed = old.resources.iter().filter(|resource| gone.contains_key(&key(resource)));
    changes.extend(removed.map(|resource| ResourceChange {
        reference: resource.reference(),
        change: Change::Removed,
        place: resource.place.clone(),
    }));
    changes
}

fn parameters(old: &Resource, new: &Resource) -> Vec<ParameterChange> {
    let mut changes = Vec::new();
    if old.exported != new.exported {
        let shown = |resource: &Resource| Shown::Value(Value::Boolean(resource.exported));
        changes.push(ParameterChange { name: "exported".into(), old: shown(old), new: shown(new) });
    }
    let names = new.parameters.iter().map(|(name, _)| name);
    let gone = old.parameters.iter().map(|(name, _)| name).filter(|name| value(new, name).is_none());
    for name in names.chain(gone) {
        let is_same = match (value(old, name), value(new, name)) {
            (Some(old), Some(new)) => old.digest() == new.digest(),
            (before, after) => before.is_none() && after.is_none(),
        };
        if !is_same || old.sensitive.contains(name) != new.sensitive.contains(name) {
            changes.push(ParameterChange { name: name.clone(), old: shown(old, name), new: shown(new, name) });
        }
    }
    changes
}

fn value<'r>(resource: &'r Resource, name: &str) -> Option<&'r Value> {
    resource.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// A parameter of a resource.
pub fn shown(resource: &Resource, name: &Str) -> Shown {
    match value(resource, name) {
        None => Shown::Absent,
        Some(_) if resource.sensitive.contains(name) => Shown::Secret,
        Some(value) if value.digest().is_secret() => Shown::Secret,
        Some(value) => Shown::Value(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(title: &str, parameters: &[(&str, &str)], sensitive: &[&str]) -> Arc<Resource> {
        Arc::new(Resource {
            type_name: "File".into(),
            title: title.into(),
            kind: super::super::Kind::Native,
            exported: false,
            says_exported_late: false,
            tags: Arc::default(),
            place: Some(Place { file: "/x.pp".into(), line: 1 }),
            parameters: parameters.iter().map(|(name, value)| (Str::from(*name), Value::from(*value))).collect(),
            sensitive: sensitive.iter().map(|name| Str::from(*name)).collect(),
        })
    }

    fn catalog(resources: Vec<Arc<Resource>>) -> Catalog {
        Catalog { resources, ..Catalog::default() }
    }

    fn text(value: &str) -> Shown {
        Shown::Value(Value::from(value))
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
        let parameter = |name: &str, old: Shown, new: Shown| ParameterChange { name: name.into(), old, new };
        let changed = Change::Changed(vec![
            parameter("mode", text("1"), text("2")),
            parameter("noop", Shown::Absent, text("x")),
            parameter("owner", text("a"), Shown::Absent),
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
        assert_eq!((&parameters[0].old, &parameters[0].new), (&Shown::Secret, &Shown::Secret));
    }
}
