//! The index of a catalog's resources by type and title, and by their further names.
//! It must not know who looks for them.

use indexmap::{Equivalent, IndexMap};
use pantin_values::{Str, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::resource::{Resource, ResourceId};

#[derive(Debug, Default)]
pub(super) struct Table {
    /// By type, and by title or name of one part, which share one space.
    titles: IndexMap<(Str, Str), ResourceId, FxBuildHasher>,
    /// By type: names of several parts, or of one that is no text.
    keys: FxHashMap<Str, FxHashMap<Vec<Value>, ResourceId>>,
}

/// All resources of each type, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct ResourcesByType(FxHashMap<Str, Vec<ResourceId>>);

impl ResourcesByType {
    pub(super) fn add(&mut self, type_name: &Str, id: ResourceId) {
        match self.0.get_mut(type_name) {
            Some(known) => known.push(id),
            None => drop(self.0.insert(type_name.clone(), vec![id])),
        }
    }

    pub(super) fn all(&self, type_name: &str) -> &[ResourceId] {
        self.0.get(type_name).map_or(&[], Vec::as_slice)
    }
}

/// A type and a title, to be looked for.
#[derive(Hash)]
struct TitleKey<'n>(&'n str, &'n str);

impl Equivalent<(Str, Str)> for TitleKey<'_> {
    fn equivalent(&self, key: &(Str, Str)) -> bool {
        self.1 == key.1 && self.0 == key.0
    }
}

impl Table {
    pub(super) fn with_capacity(titles: usize) -> Table {
        let titles = IndexMap::with_capacity_and_hasher(titles, FxBuildHasher);
        Table { titles, keys: FxHashMap::default() }
    }

    pub(super) fn add_title(&mut self, resource: &Resource, id: ResourceId) {
        self.add_text(&resource.type_name, resource.title.clone(), id);
    }

    fn add_text(&mut self, type_name: &Str, title: Str, id: ResourceId) {
        self.titles.insert((type_name.clone(), title), id);
    }

    pub(super) fn by_title(&self, type_name: &str, title: &str) -> Option<ResourceId> {
        self.titles.get(&TitleKey(type_name, title)).copied()
    }

    pub(super) fn by_key(&self, type_name: &str, key: &[Value]) -> Option<ResourceId> {
        match key {
            [Value::String(name)] => self.by_title(type_name, name),
            key => self.keys.get(type_name)?.get(key).copied(),
        }
    }

    pub(super) fn add_key(&mut self, type_name: &Str, key: Vec<Value>, id: ResourceId) {
        match key.as_slice() {
            [Value::String(name)] => self.add_text(type_name, name.clone(), id),
            _ => {
                self.keys.entry(type_name.clone()).or_default().insert(key, id);
            }
        }
    }
}
