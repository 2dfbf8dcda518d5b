//! The variables of a scope: assigned ones, and predefined ones that all catalogs share.
//! It must not know who reads them.

use pantin_values::{Hash, NamedValues, Str, Value};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(super) struct Variables {
    own: FxHashMap<Str, Value>,
    /// Where the others are: the settings, what is said of the node. The first of each name counts.
    known: [Hash; 3],
}

impl Variables {
    pub(super) fn over(known: [Hash; 3]) -> Variables {
        Variables { own: FxHashMap::default(), known }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.own.get(name).or_else(|| self.known.iter().find_map(|known| known.get_str(name)))
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether it is one of those that code has no part in.
    pub(super) fn is_known_from_the_first(&self, name: &str) -> bool {
        !self.own.contains_key(name) && self.known.iter().any(|known| known.get_str(name).is_some())
    }

    /// Of the top scope: whether it is there as a fact, and not as a parameter of the node.
    pub(super) fn is_fact(&self, name: &str) -> bool {
        let mut known = self.known.iter().map(|known| known.get_str(name).is_some());
        !self.own.contains_key(name) && !known.next().unwrap_or_default() && known.any(|is_there| is_there)
    }

    pub(super) fn insert(&mut self, name: Str, value: Value) {
        self.own.insert(name, value);
    }

    /// So many more will come.
    pub(super) fn reserve(&mut self, count: usize) {
        self.own.reserve(count);
    }

    pub(super) fn extend(&mut self, values: &NamedValues) {
        self.own.reserve(values.len());
        self.own.extend(values.iter().map(|(name, value)| (name.clone(), value.clone())));
    }

    /// Takes away one that was not known from the first.
    pub(super) fn take(&mut self, name: &str) -> Option<(Str, Value)> {
        self.own.remove_entry(name)
    }

    /// In no order, and one may come twice.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let known = self.known.iter().flat_map(Hash::keys).filter_map(Value::as_str);
        self.own.keys().map(Str::as_str).chain(known)
    }
}
