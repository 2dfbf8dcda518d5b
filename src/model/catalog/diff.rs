//! The difference between two catalogs of a node, resource by resource.
//!
//! What an agent would see counts: parameters, and whether a resource is there. A place in a file, a tag, what contains
//! what do not.

use std::borrow::Cow;

use pantin_values::{Digester, Digestible, Str, Value, identical};
use rustc_hash::FxHashMap;

use super::view::ResourceView;
use super::{CatalogView, MalformedCatalog, Place, Resource};

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

/// All that differs between two catalogs.
#[derive(Debug)]
pub struct CatalogDifference<'c> {
    /// In the order of the new catalog; what is gone stands at the end.
    pub changes: Vec<ResourceChange>,
    /// Resources of both sides whose JSON differs, if only in the order of parameters.
    pub unlike: Vec<[Cow<'c, Resource>; 2]>,
    /// Both have the same resources in the same order, and the same contains the same.
    pub has_same_structure: bool,
}

/// From the one to the other. An error: a stored resource cannot be read.
pub fn diff<'c>(old: CatalogView<'c>, new: CatalogView<'c>) -> Result<CatalogDifference<'c>, MalformedCatalog> {
    let has_same_edges = std::ptr::eq(old.edges(), new.edges()) || old.edges() == new.edges();
    let (old, new) = (&old.resources()[..], &new.resources()[..]);
    // Mostly all stands where it stood, but for one stretch.
    let ahead = old.iter().zip(new).take_while(|(old, new)| are_one(old, new)).count();
    let rests = old[ahead..].iter().rev().zip(new[ahead..].iter().rev());
    let behind = rests.take_while(|(old, new)| are_one(old, new)).count();
    let (old_end, new_end) = (old.len() - behind, new.len() - behind);
    let has_same_structure = has_same_edges && ahead == old_end && ahead == new_end;
    let mut difference = CatalogDifference { changes: Vec::new(), unlike: Vec::new(), has_same_structure };
    difference.add_all(&old[..ahead], &new[..ahead])?;
    let between = &old[ahead..old_end];
    let mut gone: FxHashMap<_, _> = between.iter().map(|resource| (resource.name(), resource)).collect();
    for resource in &new[ahead..new_end] {
        match gone.remove(&resource.name()) {
            None => difference.changes.push(ResourceChange::new(resource, Change::Added)),
            Some(before) => difference.add(before, resource)?,
        }
    }
    difference.add_all(&old[old_end..], &new[new_end..])?;
    let removed = between.iter().filter(|resource| gone.contains_key(&resource.name()));
    difference.changes.extend(removed.map(|resource| ResourceChange::new(resource, Change::Removed)));
    Ok(difference)
}

/// Returns true if both are the same resource, whatever has become of it.
fn are_one(old: &ResourceView<'_>, new: &ResourceView<'_>) -> bool {
    old.name() == new.name()
}

impl<'c> CatalogDifference<'c> {
    fn add_all(&mut self, old: &[ResourceView<'c>], new: &[ResourceView<'c>]) -> Result<(), MalformedCatalog> {
        old.iter().zip(new).try_for_each(|(old, new)| self.add(old, new))
    }

    fn add(&mut self, old: &ResourceView<'c>, new: &ResourceView<'c>) -> Result<(), MalformedCatalog> {
        if old.has_same_json(*new) {
            return Ok(());
        }
        let pair = [old.read()?, new.read()?];
        let changes = parameters(&pair[0], &pair[1]);
        if !changes.is_empty() {
            self.changes.push(ResourceChange::new(new, Change::Changed(changes)));
        }
        self.unlike.push(pair);
        Ok(())
    }
}

impl ResourceChange {
    fn new(resource: &ResourceView<'_>, change: Change) -> ResourceChange {
        ResourceChange { reference: resource.reference(), change, place: resource.place() }
    }
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
        let is_same = match (old.parameter(name), new.parameter(name)) {
            (Some(old), Some(new)) => is_same_value(old, new),
            _ => false,
        };
        if !is_same || old.is_secret(name) != new.is_secret(name) {
            changes.push(ParameterChange {
                name: name.clone(),
                old: shown_value(old, name),
                new: shown_value(new, name),
            });
        }
    }
    changes
}

/// Returns true if nobody who applies a catalog can tell two values apart: the keys of a hash have no order.
pub fn is_same_value(old: &Value, new: &Value) -> bool {
    match (old, new) {
        _ if identical(old, new) => true,
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new.iter()).all(|(old, new)| is_same_value(old, new))
        }
        (Value::Hash(old), Value::Hash(new)) => {
            let has_same = |(key, value): (&Value, &Value)| new.get(key).is_some_and(|new| is_same_value(value, new));
            old.len() == new.len() && old.iter().all(has_same)
        }
        _ => false,
    }
}

/// Returns a parameter of a resource.
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
    use std::sync::Arc;

    use super::*;
    use crate::catalog::Catalog;

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

    fn changes(old: &Catalog, new: &Catalog) -> Vec<ResourceChange> {
        diff(CatalogView::Data(old), CatalogView::Data(new)).unwrap().changes
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
        let changes = changes(&old, &new);
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
        assert_eq!(changes(&old, &catalog(vec![Arc::new(moved)])), []);
    }

    #[test]
    fn the_order_of_keys_is_no_change() {
        let hash = |entries: &[(&str, i64)]| {
            Value::hash(entries.iter().map(|(key, number)| (Value::from(*key), Value::Integer(*number))))
        };
        let with = |value: Value| {
            let mut changed = (*resource("/x", &[], &[])).clone();
            changed.parameters = vec![("values".into(), Value::array([value]))].into();
            catalog(vec![Arc::new(changed)])
        };
        let one = with(hash(&[("a", 1), ("b", 2)]));
        assert_eq!(changes(&one, &with(hash(&[("b", 2), ("a", 1)]))), []);
        for other in [hash(&[("b", 1), ("a", 2)]), hash(&[("a", 1)]), hash(&[("a", 1), ("c", 2)])] {
            assert_eq!(changes(&one, &with(other)).len(), 1);
        }
    }

    #[test]
    fn a_secret_is_not_shown() {
        let old = catalog(vec![resource("/x", &[("content", "old")], &["content"])]);
        let new = catalog(vec![resource("/x", &[("content", "new")], &["content"])]);
        let changes = changes(&old, &new);
        assert!(!format!("{changes:?}").contains("new\""), "{changes:?}");
        let Change::Changed(parameters) = &changes[0].change else { panic!("{changes:?}") };
        assert_eq!((&parameters[0].old, &parameters[0].new), (&ShownValue::Secret, &ShownValue::Secret));
    }
}
