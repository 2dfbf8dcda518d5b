//! Relationships that one side alone has: those that resources declare, those that an agent adds, and what contains what.

use pantin_model::catalog::{Catalog, Resource};
use pantin_model::graph::{Graph, Relationship, RelationshipKind};
use pantin_values::Str;
use rustc_hash::FxHashSet;

/// A relationship that one side alone has.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelationshipChange {
    pub kind: RelationshipKind,
    pub source: Str,
    pub target: Str,
    pub is_added: bool,
}

/// The name of a resource, as type and title.
type Name<'c> = (&'c str, &'c str);

pub(super) fn key(resource: &Resource) -> Name<'_> {
    (&resource.type_name, &resource.title)
}

/// The relationships that one side alone has, each with the resource that it is told of. Those of resources that come or go
/// are left out.
pub(super) fn relationship_changes<'c>(old: &'c Catalog, new: &Graph<'c>) -> Vec<(RelationshipChange, &'c Resource)> {
    let graphs = [&Graph::from_catalog(old), new];
    let names = graphs.map(|graph| graph.catalog().resources.iter().map(|one| key(one)).collect::<FxHashSet<_>>());
    type Key<'c> = (RelationshipKind, Name<'c>, Name<'c>);
    let relationships = graphs.map(|graph| graph.relationships());
    let key_of = |one: &Relationship<'c>| -> Key<'c> { (one.kind, key(one.source), key(one.target)) };
    let sets: [FxHashSet<Key<'c>>; 2] = [0, 1].map(|side| relationships[side].iter().map(key_of).collect());
    let mut changes = Vec::new();
    for (side, is_added) in [(1, true), (0, false)] {
        let mut told = FxHashSet::default();
        for one in &relationships[side] {
            let stays = |resource: &Resource| names[0].contains(&key(resource)) && names[1].contains(&key(resource));
            let counts = match one.kind {
                RelationshipKind::Contains => stays(one.target),
                RelationshipKind::Automatic => stays(one.source) && stays(one.target),
                _ => stays(one.source),
            };
            if !counts || sets[1 - side].contains(&key_of(one)) || !told.insert(key_of(one)) {
                continue;
            }
            let (source, target) = (one.source.reference().into(), one.target.reference().into());
            let resource = if one.kind == RelationshipKind::Contains { one.target } else { one.source };
            changes.push((RelationshipChange { kind: one.kind, source, target, is_added }, resource));
        }
    }
    changes
}
