//! Whether two catalogs of a node have the same relationship graph, or both a sound one, without building either.
//!
//! Compares everything that [`Graph::from_catalog`](super::Graph::from_catalog) reads, and nothing else: what reads more
//! there must be compared here.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashSet;

use super::relations::RELATIONS;
use super::{Graph, native, subject};
use crate::catalog::diff::CatalogDifference;
use crate::catalog::{Catalog, Resource, kinds};

/// Parameters that name a resource, or that a rule looks for in other resources, whatever its type.
const NAMING: [&str; 3] = ["alias", "name", "gid"];

/// Returns true if the graphs are the same but for places. `false` may mean that nobody knows: a resource that stands
/// elsewhere in the catalog is taken for a change.
pub fn has_same_graph(old: &Catalog, new: &Catalog) -> bool {
    old.resources.len() == new.resources.len()
        && (Arc::ptr_eq(&old.edges, &new.edges) || old.edges == new.edges)
        && old.resources.iter().zip(&new.resources).all(|(old, new)| Arc::ptr_eq(old, new) || is_same_vertex(old, new))
}

/// Returns true if a catalog has neither cycles nor missing dependencies, as the catalog before it has none. `false`
/// may mean that nobody knows.
///
/// A resource that has no relationship, and that nothing can have one with, may come or go: its container has it between its
/// beginning and its end, and the end comes after the beginning without it too. So there is no new path between other resources, and
/// a cycle through the resource would be one without it.
pub fn stays_sound(old: &Catalog, new: &Catalog) -> bool {
    if old.resources.len() == new.resources.len() {
        return has_same_graph(old, new);
    }
    let Some(Alignment { added, removed }) = Alignment::new(old, new) else { return false };
    let are_unrelated = |catalog: &Catalog, places: &[u32]| {
        places.iter().all(|place| is_unrelated(&catalog.resources[*place as usize]))
    };
    are_unrelated(new, &added)
        && are_unrelated(old, &removed)
        && has_same_containment(old, &removed, new, &added)
        // Somebody may still ask for what is gone.
        && (removed.is_empty() || Graph::missing_relations(new).is_empty())
}

/// The places of resources that only one of two catalogs has. All others have the same order in both, and equal vertices.
#[derive(Default)]
struct Alignment {
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl Alignment {
    /// `None`: the catalogs differ in more than resources that come or go.
    fn new(old: &Catalog, new: &Catalog) -> Option<Alignment> {
        let (before, now) = (&old.resources, &new.resources);
        let is_pair = |at: usize, place: usize| {
            before[at].has_same_name_as(&now[place])
                && (Arc::ptr_eq(&before[at], &now[place]) || is_same_vertex(&before[at], &now[place]))
        };
        let mut alignment = Alignment::default();
        let (mut at, mut place) = (0, 0);
        while at < before.len() || place < now.len() {
            if at < before.len() && place < now.len() && is_pair(at, place) {
                (at, place) = (at + 1, place + 1);
                continue;
            }
            let next_place = (at < before.len()).then(|| (place..now.len()).find(|next| is_pair(at, *next)));
            let next_at = (place < now.len()).then(|| (at..before.len()).find(|next| is_pair(*next, place)));
            match (next_place, next_at) {
                (None | Some(Some(_)), _) => {
                    let end = next_place.flatten().unwrap_or(now.len());
                    alignment.added.extend(place as u32..end as u32);
                    place = end;
                }
                (_, None | Some(Some(_))) => {
                    let end = next_at.flatten().unwrap_or(before.len());
                    alignment.removed.extend(at as u32..end as u32);
                    at = end;
                }
                // One instead of the other.
                (Some(None), Some(None)) => return None,
            }
            if alignment.added.len() + alignment.removed.len() > MAX_UNRELATED {
                return None;
            }
        }
        Some(alignment)
    }
}

/// Of more resources that come or go the graph is built: an edit of one class seldom has so many.
const MAX_UNRELATED: usize = 32;

/// Returns true if a resource has no relationship but that to its container, and no resource can have one with it by
/// itself.
fn is_unrelated(resource: &Resource) -> bool {
    static TARGETS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
        let rules = kinds::all().into_iter().flat_map(|kind| kind.automatic());
        // The agent adds some of these two types, but for those that a catalog has.
        rules.map(|rule| rule.target_type).chain(["schedule", "filebucket"]).collect()
    });
    let Some(kind) = native(resource).filter(|_| !super::is_container(resource)) else { return false };
    let subject = subject(kind, resource);
    let names = RELATIONS.iter().map(|relation| relation.name()).chain(["alias"]);
    names.into_iter().all(|name| resource.parameter(name).is_none())
        && !TARGETS.contains(resource.type_name.to_lowercase().as_str())
        && kind.automatic().iter().all(|rule| (rule.targets)(&subject).is_empty())
}

/// Returns true if resources that stand in both catalogs are contained in the same ones.
fn has_same_containment(old: &Catalog, removed: &[u32], new: &Catalog, added: &[u32]) -> bool {
    let staying = |catalog: &Catalog, apart: &[u32]| {
        let place = |place: u32| match apart.binary_search(&place) {
            Ok(_) => None,
            Err(before) => Some(place - before as u32),
        };
        let edges = catalog.edges.iter();
        edges.filter_map(|(around, content)| Some((place(*around)?, place(*content)?))).collect::<Vec<_>>()
    };
    staying(old, removed) == staying(new, added)
}

/// The same of what differs between two catalogs.
pub fn leaves_graph_unchanged(difference: &CatalogDifference<'_>) -> bool {
    difference.has_same_structure && difference.unlike.iter().all(|[old, new]| is_same_vertex(old, new))
}

/// Returns true if the resource has the same names, and states and would get the same relationships.
fn is_same_vertex(old: &Resource, new: &Resource) -> bool {
    let has_same_parameters = || {
        let names = RELATIONS.iter().map(|relation| relation.name()).chain(NAMING);
        names.into_iter().all(|name| old.has_same_parameter_as(new, name))
    };
    old.has_same_name_as(new) && old.kind == new.kind && has_same_parameters() && has_same_automatic_targets(old, new)
}

/// The same for what only a native type knows: the name of what it manages, and its automatic relationships.
fn has_same_automatic_targets(old: &Resource, new: &Resource) -> bool {
    let Some(kind) = native(old) else { return true };
    let (old, new) = (subject(kind, old), subject(kind, new));
    old.name() == new.name()
        && kind.agent_title(&old) == kind.agent_title(&new)
        && kind.automatic().iter().all(|rule| (rule.targets)(&old) == (rule.targets)(&new))
}

#[cfg(test)]
mod tests {
    use pantin_values::{Str, Value};

    use super::*;
    use crate::catalog::diff::diff;
    use crate::catalog::{CatalogFragments, CatalogView, Place, ResourceTypeKind};
    use crate::graph::Graph;

    type Parameters<'p> = &'p [(&'p str, &'p str)];

    fn resource(type_name: &str, title: &str, parameters: Parameters<'_>) -> Arc<Resource> {
        Arc::new(Resource {
            type_name: type_name.into(),
            title: title.into(),
            kind: ResourceTypeKind::Native,
            exported: false,
            says_exported_late: false,
            tags: Default::default(),
            place: Some(Place { file: "/x.pp".into(), line: 1 }),
            parameters: parameters.iter().map(|(name, value)| (Str::from(*name), Value::from(*value))).collect(),
            sensitive: Default::default(),
            rendered: Default::default(),
        })
    }

    /// Returns a user, a group, a folder, and a resource with these parameters.
    fn catalog(type_name: &str, title: &str, parameters: Parameters<'_>) -> Catalog {
        let resources = vec![
            resource("User", "u", &[]),
            resource("Group", "g", &[]),
            resource("File", "/d", &[]),
            resource(type_name, title, parameters),
        ];
        Catalog { resources, ..Catalog::default() }
    }

    /// Each with whether the graphs are said to be the same, which must be so where they are not.
    fn is_same(old: &Catalog, new: &Catalog) -> bool {
        let is_same = has_same_graph(old, new);
        let fragments = [old, new].map(|catalog| CatalogFragments::from_catalog(catalog).unwrap());
        let [old_view, new_view] = [&fragments[0], &fragments[1]].map(CatalogView::Fragments);
        for (old, new) in [(CatalogView::Data(old), CatalogView::Data(new)), (old_view, new_view)] {
            assert_eq!(leaves_graph_unchanged(&diff(old, new).unwrap()), is_same);
        }
        let told = |catalog: &Catalog| {
            let graph = Graph::from_catalog(catalog);
            format!("{:?} {:?} {:?}", graph.relations, graph.expanded, graph.missing)
        };
        assert!(!is_same || told(old) == told(new));
        is_same
    }

    #[test]
    fn only_what_the_graph_is_made_of_makes_another_one() {
        let file = |parameters: Parameters<'_>| catalog("File", "/d/x", parameters);
        let none = file(&[]);
        assert!(is_same(&none, &none) && is_same(&none, &file(&[])));
        assert!(is_same(&file(&[("content", "one")]), &file(&[("content", "two"), ("mode", "0600")])));
        let others = [
            file(&[("require", "User[u]")]),
            file(&[("before", "User[none]")]),
            file(&[("owner", "u")]),
            file(&[("group", "g")]),
            file(&[("alias", "other")]),
            file(&[("path", "/e/x")]),
            catalog("File", "/d/y", &[]),
            catalog("Notify", "/d/x", &[]),
        ];
        for other in &others {
            assert!(!is_same(&none, other) && !is_same(other, &none), "{:?}", other.resources[3]);
        }
        let exec = |command: &str| catalog("Exec", "run", &[("command", command)]);
        assert!(!is_same(&exec("/bin/echo 1"), &exec("/d")));
        // Whom a rule finds by its number.
        let group = |gid: &str| catalog("Group", "other", &[("gid", gid)]);
        assert!(!is_same(&group("5"), &group("6")));
    }

    /// Returns true if a catalog with a container is said to be as sound as another one, and is.
    fn is_sound(old: &[(&str, &str, Parameters<'_>)], new: &[(&str, &str, Parameters<'_>)]) -> bool {
        let [old, new] = [old, new].map(|resources| {
            let mut catalog = catalog("Notify", "first", &[]);
            let of =
                |(type_name, title, parameters): &(&str, &str, Parameters<'_>)| resource(type_name, title, parameters);
            catalog.resources.splice(2..2, resources.iter().map(of));
            let container = catalog.resources.len() as u32;
            catalog.edges = (0..container).map(|place| (container, place)).collect();
            catalog.resources.push(resource("Stage", "main", &[]));
            catalog
        });
        let is_sound = stays_sound(&old, &new);
        let [old, new] = [&old, &new].map(Graph::from_catalog);
        assert!(!is_sound || (old.missing == new.missing && old.cycles().len() == new.cycles().len()));
        is_sound
    }

    #[test]
    fn what_nothing_is_related_to_may_come_and_go() {
        let (one, two): (&[(&str, &str, Parameters<'_>)], _) = (&[("Notify", "n", &[])], &[("Cron", "c", &[][..])]);
        for other in [one, &[("Notify", "n", &[]), ("Notify", "m", &[("message", "x")])]] {
            assert!(is_sound(&[], other) && is_sound(other, &[]), "{other:?}");
        }
        assert!(is_sound(one, &[("Notify", "n", &[]), ("Notify", "m", &[])]));
        let related: [(&str, &str, Parameters<'_>); 6] = [
            ("Notify", "n", &[("require", "User[u]")]),
            ("Notify", "n", &[("alias", "x")]),
            ("File", "/d/x", &[]),
            ("Group", "x", &[]),
            ("Schedule", "daily", &[]),
            ("Other::Type", "x", &[]),
        ];
        for other in related {
            assert!(!is_sound(&[], &[other]) && !is_sound(&[other], &[]), "{other:?}");
        }
        // One instead of the other.
        assert!(!is_sound(one, two) && !is_sound(two, &[one[0], ("Notify", "m", &[])]));
        // What goes is still asked for.
        let asks: (&str, &str, Parameters<'_>) = ("User", "v", &[("require", "Notify[n]")]);
        assert!(!is_sound(&[one[0], asks], &[asks]));
    }

    #[test]
    fn containment_counts() {
        let old = catalog("File", "/d/x", &[]);
        let contained = Catalog { edges: [(0, 1)].into(), ..old.clone() };
        assert!(!is_same(&old, &contained) && is_same(&contained, &contained.clone()));
        let more = Catalog { resources: old.resources[..3].to_vec(), ..old.clone() };
        assert!(!is_same(&old, &more));
    }
}
