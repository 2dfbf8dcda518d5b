//! By what resources are found: type and title, and the names they have beside the title.

use rustc_hash::FxHashMap;

use super::resource::{Resource, ResourceId};
use crate::pcore::{Str, Value};

#[derive(Debug, Default)]
pub(super) struct Table {
    /// Titles and names of one part share one space.
    titles: FxHashMap<(Str, Str), ResourceId>,
    /// Names of several parts, or of one that is no text.
    keys: FxHashMap<(Str, Vec<Value>), ResourceId>,
}

impl Table {
    pub(super) fn add_title(&mut self, resource: &Resource, id: ResourceId) {
        self.titles.insert((resource.type_name.clone(), resource.title.clone()), id);
    }

    pub(super) fn by_title(&self, type_name: &Str, title: &Str) -> Option<ResourceId> {
        self.titles.get(&(type_name.clone(), title.clone())).copied()
    }

    pub(super) fn by_key(&self, type_name: &Str, key: &[Value]) -> Option<ResourceId> {
        match key {
            [Value::String(name)] => self.by_title(type_name, name),
            key => self.keys.get(&(type_name.clone(), key.to_vec())).copied(),
        }
    }

    pub(super) fn add_key(&mut self, type_name: &Str, key: Vec<Value>, id: ResourceId) {
        match key.as_slice() {
            [Value::String(name)] => {
                self.titles.insert((type_name.clone(), name.clone()), id);
            }
            _ => {
                self.keys.insert((type_name.clone(), key), id);
            }
        }
    }
}
