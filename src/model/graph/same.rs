//! Whether two catalogs of a node have the same relationship graph, without building either.
//!
//! Compares everything that [`Graph::from_catalog`](super::Graph::from_catalog) reads, and nothing else: what reads more
//! there must be compared here.

use std::sync::Arc;

use super::relations::RELATIONS;
use super::{native, subject};
use crate::catalog::diff::CatalogDifference;
use crate::catalog::{Catalog, Resource};

/// Parameters that name a resource, or that a rule looks for in other resources, whatever its type.
const NAMING: [&str; 3] = ["alias", "name", "gid"];

/// True if the graphs are the same but for places. `false` may mean that nobody knows: a resource that stands elsewhere in the
/// catalog is taken for a change.
pub fn has_same_graph(old: &Catalog, new: &Catalog) -> bool {
    old.resources.len() == new.resources.len()
        && (Arc::ptr_eq(&old.edges, &new.edges) || old.edges == new.edges)
        && old.resources.iter().zip(&new.resources).all(|(old, new)| Arc::ptr_eq(old, new) || is_same_vertex(old, new))
}

/// The same of what differs between two catalogs.
pub fn leaves_graph_unchanged(difference: &CatalogDifference<'_>) -> bool {
    difference.has_same_structure && difference.unlike.iter().all(|[old, new]| is_same_vertex(old, new))
}

/// True if the resource has the same names, and says and wishes for the same relationships.
fn is_same_vertex(old: &Resource, new: &Resource) -> bool {
    let has_same_parameters = || {
        let names = RELATIONS.iter().map(|relation| relation.name()).chain(NAMING);
        names.into_iter().all(|name| old.has_same_parameter_as(new, name))
    };
    old.has_same_name_as(new) && old.kind == new.kind && has_same_parameters() && has_same_wishes(old, new)
}

/// The same for what only a native type knows: the name of what it manages, and its automatic relationships.
fn has_same_wishes(old: &Resource, new: &Resource) -> bool {
    let Some(kind) = native(old) else { return true };
    let (old, new) = (subject(kind, old), subject(kind, new));
    old.name() == new.name()
        && kind.agent_title(&old) == kind.agent_title(&new)
        && kind.automatic().iter().all(|rule| (rule.wishes)(&old) == (rule.wishes)(&new))
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

    /// A user, a group, a folder, and a resource with these parameters.
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

    #[test]
    fn containment_counts() {
        let old = catalog("File", "/d/x", &[]);
        let contained = Catalog { edges: [(0, 1)].into(), ..old.clone() };
        assert!(!is_same(&old, &contained) && is_same(&contained, &contained.clone()));
        let more = Catalog { resources: old.resources[..3].to_vec(), ..old.clone() };
        assert!(!is_same(&old, &more));
    }
}
