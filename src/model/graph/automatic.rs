//! Automatic relationships: those of a native type whose targets are in the catalog.

use pantin_base::paths::folders_above;
use pantin_values::{Str, Value};

use super::edges::Edges;
use super::names::Names;
use super::{Reason, native, subject};
use crate::catalog::kinds::{AutomaticTarget, Relation, Rule};
use crate::catalog::{Catalog, Resource};

/// Adds the automatic relationships. `file_of`: the file that a resource of a module's type requires by itself.
pub(super) fn add(catalog: &Catalog, names: &Names, edges: &mut Edges, file_of: fn(&Resource) -> Option<Str>) {
    for (number, resource) in (0..).zip(&catalog.resources) {
        let file = file_of(resource).and_then(|path| names.find("file", &path));
        file.into_iter().for_each(|file| relate(edges, Relation::Require, number, file));
        let Some(kind) = native(resource).filter(|kind| !kind.automatic().is_empty()) else { continue };
        let subject = subject(kind, resource);
        for rule in kind.automatic() {
            for target in (rule.targets)(&subject) {
                for other in find_targets(catalog, names, rule, &target) {
                    relate(edges, rule.relation, number, other);
                }
            }
        }
    }
}

/// An edge that is there already is enough, and one in the other direction has been told.
fn relate(edges: &mut Edges, relation: Relation, number: u32, other: u32) {
    let (source, target) = match relation {
        Relation::Require | Relation::Subscribe => (other, number),
        Relation::Before | Relation::Notify => (number, other),
    };
    if !edges.has(source, target) && !edges.has(target, source) {
        edges.add(source, target, Reason::Automatic(relation));
    }
}

fn find_targets(catalog: &Catalog, names: &Names, rule: &Rule, target: &AutomaticTarget) -> Vec<u32> {
    match target {
        AutomaticTarget::Named(name) => names.find(rule.target_type, name).into_iter().collect(),
        AutomaticTarget::Above(path) => {
            folders_above(path).find_map(|folder| names.find(rule.target_type, folder)).into_iter().collect()
        }
        AutomaticTarget::WithGid(gid) => {
            let has_gid = |(name, value): (&Str, &Value)| {
                let text = || value.as_str().and_then(|text| text.parse::<i64>().ok());
                name == "gid" && (*value == Value::Integer(*gid) || text() == Some(*gid))
            };
            places(catalog, rule.target_type, |place| catalog.resources[place].parameters.iter().any(has_gid))
                .take(1)
                .collect()
        }
        AutomaticTarget::PathLike(pattern) => {
            let Ok(regex) = pattern.regex() else { return Vec::new() };
            let matches = |place: usize| {
                let resource = &catalog.resources[place];
                let path = native(resource).and_then(|kind| subject(kind, resource).name());
                path.is_some_and(|path| regex.is_match(&path).unwrap_or(false))
            };
            places(catalog, rule.target_type, matches).collect()
        }
    }
}

/// Returns those of a type that fit, in the catalog's order.
fn places(catalog: &Catalog, target: &str, fits: impl Fn(usize) -> bool) -> impl Iterator<Item = u32> {
    let is_of_type = move |place: &usize| {
        let resource = &catalog.resources[*place];
        resource.type_name.eq_ignore_ascii_case(target) && native(resource).is_some()
    };
    (0..catalog.resources.len()).filter(is_of_type).filter(move |place| fits(*place)).map(|place| place as u32)
}
