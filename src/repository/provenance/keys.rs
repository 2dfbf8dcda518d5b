//! Which keys of data and of bindings the code of a node asks for, what it is told, and from where.
//! It must not know who wants to know it.

use pantin_model::catalog::diff::ShownValue;
use pantin_model::evaluation::{DataOrigin, EvaluationKind};
use pantin_values::Str;

use super::Provenance;
use crate::hidden::hide_decrypted;

/// A look-up of a key by code.
#[derive(Clone, PartialEq, Debug)]
pub struct KeyLookup {
    pub key: Str,
    /// The key is bound: the origins are layers of bindings. Otherwise they are levels of the data.
    pub is_bound: bool,
    /// The value as a person may see it; absent where there is none.
    pub value: ShownValue,
    /// What gave the value: several where values are merged or contributed.
    pub origins: Vec<DataOrigin>,
    /// The resource in whose body the key is asked for.
    pub body: String,
}

impl Provenance {
    /// Returns the look-ups of the keys that are wanted, in the order in which they began. `see`: is told every key.
    pub fn key_lookups(&self, is_wanted: impl Fn(&str) -> bool, mut see: impl FnMut(&str)) -> Vec<KeyLookup> {
        let mut lookups: Vec<KeyLookup> = Vec::new();
        for (id, evaluation) in self.record.iter() {
            let EvaluationKind::Lookup(lookup) = &evaluation.kind else { continue };
            see(&lookup.key);
            if !is_wanted(&lookup.key) {
                continue;
            }
            let value = match &evaluation.value {
                Some(value) if value.digest().is_secret() => ShownValue::Secret,
                Some(value) => hide_decrypted(ShownValue::Value(value.clone()), &self.compiled.decrypted),
                None => ShownValue::Absent,
            };
            let found = KeyLookup {
                key: lookup.key.clone(),
                is_bound: lookup.is_bound,
                value,
                origins: lookup.origins.clone(),
                body: self.body_text(id),
            };
            if !lookups.contains(&found) {
                lookups.push(found);
            }
        }
        lookups
    }
}
