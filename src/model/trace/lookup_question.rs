//! The question of a body for data: a key, how its values are merged, and which locals the data may interpolate.
//! It must not know where data comes from.

use std::sync::Arc;

use pantin_values::{Hash, Str, Value, identical};

/// A look-up of one key.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LookupQuestion {
    pub key: Str,
    /// Undef, the name of a strategy, or a hash of the name and options.
    pub merge: Value,
    /// Whether one of the older functions `hiera…` asks.
    pub is_hiera_call: bool,
    /// The levels that a `hiera…` function puts before all others.
    pub locations: Arc<[Str]>,
    /// The hash `override` of `lookup`: its values come before variables where data interpolates.
    pub overrides: Hash,
    /// The hash `default_values_hash` of `lookup`: its values come after variables.
    pub defaults: Hash,
    /// The names of the locals of the code that asks.
    pub local_names: Arc<[Str]>,
    /// The values of those locals that the data interpolates. The question is asked again with more of them as long as the answer
    /// is [`Answer::Wants`](super::Answer::Wants).
    pub locals: Hash,
}

/// By what tells most of them apart.
impl std::hash::Hash for LookupQuestion {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key.hash(state);
        self.merge.hash(state);
    }
}

impl LookupQuestion {
    pub(super) fn holds_sensitive(&self) -> bool {
        let LookupQuestion { merge, overrides, defaults, locals, .. } = self;
        merge.holds_sensitive()
            || [overrides, defaults, locals].into_iter().any(|hash| Value::Hash(hash.clone()).holds_sensitive())
    }

    /// Returns true if any answer to the one is the answer to the other.
    pub(super) fn is_same(&self, other: &LookupQuestion) -> bool {
        let LookupQuestion { key, merge, is_hiera_call, locations, overrides, defaults, local_names, locals } = self;
        let is_same_hash = |a: &Hash, b: &Hash| identical(&Value::Hash(a.clone()), &Value::Hash(b.clone()));
        *key == other.key
            && *is_hiera_call == other.is_hiera_call
            && *locations == other.locations
            && *local_names == other.local_names
            && identical(merge, &other.merge)
            && is_same_hash(overrides, &other.overrides)
            && is_same_hash(defaults, &other.defaults)
            && is_same_hash(locals, &other.locals)
    }

    /// For the dump of a trace.
    pub(super) fn text(&self) -> String {
        let mut text = format!("ask data for {}", self.key);
        if !self.merge.is_undef() {
            text.push_str(&format!(", merged by {:?}", self.merge));
        }
        for (what, hash) in [("override", &self.overrides), ("defaults", &self.defaults), ("locals", &self.locals)] {
            if !hash.is_empty() {
                text.push_str(&format!(", with {what} {:?}", Value::Hash(hash.clone())));
            }
        }
        if !self.locations.is_empty() {
            text.push_str(&format!(", first in {}", self.locations.join(", ")));
        }
        text
    }
}
