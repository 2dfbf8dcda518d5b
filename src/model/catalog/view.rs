//! A catalog that is compared: one that is at hand as data, or the fragments of one that was stored.
//!
//! What goes over the wire counts in either form. Where the JSON of two resources is the same, no value is read.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Catalog, CatalogFragments, MalformedCatalog, Place, Resource, ResourceFragment};

/// A catalog in one of its forms.
#[derive(Clone, Copy, Debug)]
pub enum CatalogView<'c> {
    Data(&'c Catalog),
    Fragments(&'c CatalogFragments),
}

/// A resource of such a catalog.
#[derive(Clone, Copy, Debug)]
pub(super) enum ResourceView<'c> {
    Data(&'c Arc<Resource>),
    Fragment(&'c CatalogFragments, &'c ResourceFragment),
}

impl<'c> CatalogView<'c> {
    /// Returns what contains what, by the numbers of resources.
    pub fn edges(self) -> &'c [(u32, u32)] {
        match self {
            CatalogView::Data(catalog) => &catalog.edges,
            CatalogView::Fragments(fragments) => fragments.edges(),
        }
    }

    pub(super) fn resources(self) -> Vec<ResourceView<'c>> {
        match self {
            CatalogView::Data(catalog) => catalog.resources.iter().map(ResourceView::Data).collect(),
            CatalogView::Fragments(fragments) => {
                fragments.resources.iter().map(|one| ResourceView::Fragment(fragments, one)).collect()
            }
        }
    }

    /// Returns the catalog as data.
    pub fn read(self) -> Result<Cow<'c, Catalog>, MalformedCatalog> {
        match self {
            CatalogView::Data(catalog) => Ok(Cow::Borrowed(catalog)),
            CatalogView::Fragments(fragments) => fragments.read().map(Cow::Owned),
        }
    }
}

impl<'c> ResourceView<'c> {
    /// Type and title.
    pub(super) fn name(self) -> (&'c str, &'c str) {
        match self {
            ResourceView::Data(resource) => (&resource.type_name, &resource.title),
            ResourceView::Fragment(_, fragment) => (&fragment.type_name, &fragment.title),
        }
    }

    pub(super) fn reference(self) -> String {
        let (type_name, title) = self.name();
        format!("{type_name}[{title}]")
    }

    pub(super) fn place(self) -> Option<Place> {
        match self {
            ResourceView::Data(resource) => resource.place.clone(),
            ResourceView::Fragment(catalog, fragment) => {
                catalog.place(fragment).map(|(file, line)| Place { file: file.into(), line })
            }
        }
    }

    /// Returns true if nothing but tags and places tells the JSON of both apart. `false` may mean that nobody knows.
    pub(super) fn has_same_json(self, other: ResourceView<'_>) -> bool {
        if self.name() != other.name() {
            return false;
        }
        if let (ResourceView::Data(one), ResourceView::Data(other)) = (self, other) {
            // Equal resources of one process are mostly the same one.
            let is_same = Arc::ptr_eq(one, other) || (one.has_same_kind_as(other) && one.has_same_parameters_as(other));
            if is_same {
                return true;
            }
        }
        matches!((self.json_rest(), other.json_rest()), (Ok(one), Ok(other)) if one == other)
    }

    fn json_rest(self) -> serde_json::Result<Cow<'c, str>> {
        match self {
            ResourceView::Data(resource) => resource.json_rest(),
            ResourceView::Fragment(_, fragment) => Ok(Cow::Borrowed(fragment.json_rest())),
        }
    }

    /// Returns the resource as data, with the values that JSON has: a stored one has no others, and what is compiled
    /// must not differ from it by less. A resource that has no JSON is taken as it is.
    pub(super) fn read(self) -> Result<Cow<'c, Resource>, MalformedCatalog> {
        match self {
            ResourceView::Fragment(catalog, fragment) => catalog.read_resource(fragment).map(Cow::Owned),
            ResourceView::Data(resource) => Ok(match resource.json_rest() {
                Ok(rest) => match resource.with_json_rest(&rest) {
                    Ok(read) => Cow::Owned(read),
                    Err(_) => Cow::Borrowed(&**resource),
                },
                Err(_) => Cow::Borrowed(&**resource),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use pantin_values::{Str, Value};

    use super::*;
    use crate::catalog::diff::{Change, diff};
    use crate::catalog::{ResourceTypeKind, TagList};

    fn resource(title: &str, parameters: Vec<(Str, Value)>) -> Arc<Resource> {
        Arc::new(Resource {
            type_name: "File".into(),
            title: title.into(),
            kind: ResourceTypeKind::Native,
            exported: false,
            says_exported_late: false,
            tags: TagList::from(vec!["file".into(), Str::from(title)]),
            place: Some(Place { file: "/x.pp".into(), line: 7 }),
            parameters: parameters.into(),
            sensitive: Default::default(),
            rendered: Default::default(),
        })
    }

    /// A reference is a text in JSON, and a symbol too.
    fn odd_values(mode: &str) -> Catalog {
        let odd = vec![
            ("mode".into(), Value::from(mode)),
            ("symbol".into(), Value::Symbol("x".into())),
            ("secret".into(), Value::sensitive(Value::Symbol("y".into()))),
        ];
        let resources = vec![resource("/a", odd), resource("/b", vec![("mode".into(), "0600".into())])];
        Catalog {
            name: "n".into(),
            resources,
            edges: [(0, 1)].into(),
            classes: ["c".into()].into(),
            ..Catalog::default()
        }
    }

    #[test]
    fn values_that_are_one_in_json_do_not_differ_in_any_pair_of_forms() {
        let (old, new) = (odd_values("0644"), odd_values("0640"));
        let fragments = [&old, &new].map(|catalog| CatalogFragments::from_catalog(catalog).unwrap());
        let old = [CatalogView::Data(&old), CatalogView::Fragments(&fragments[0])];
        let new = [CatalogView::Data(&new), CatalogView::Fragments(&fragments[1])];
        for one in old {
            assert!(old.iter().all(|other| diff(one, *other).unwrap().changes.is_empty()));
            for other in new {
                let changes = diff(one, other).unwrap().changes;
                let [change] = &changes[..] else { panic!("{changes:?}") };
                let Change::Changed(parameters) = &change.change else { panic!("{change:?}") };
                assert_eq!(parameters.iter().map(|one| &*one.name).collect::<Vec<_>>(), ["mode"], "{change:?}");
                assert_eq!((&*change.reference, change.place.as_ref().unwrap().line), ("File[/a]", 7));
            }
        }
    }

    #[test]
    fn fragments_are_read_as_their_json_is() {
        let catalog = odd_values("0644");
        let fragments = CatalogFragments::from_catalog(&catalog).unwrap();
        let whole = Catalog::read(&fragments.to_json("u").unwrap()).unwrap();
        let read = CatalogView::Fragments(&fragments).read().unwrap();
        assert_eq!(format!("{read:?}"), format!("{whole:?}"));
    }
}
