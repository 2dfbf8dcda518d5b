//! The entries of a hash in the order in which they were put there: a few are gone through, many are found by a table.
//!
//! Most hashes of the language are small. To compare a few keys takes no longer than to hash one, and a table would be an
//! allocation more for each of them.

use std::hash::Hash as StdHash;

use indexmap::{Equivalent, IndexMap, map};
use rustc_hash::FxBuildHasher;

use super::Value;

/// So many entries have no table.
const FEW: usize = 8;

#[derive(Clone)]
pub struct Entries(Form);

#[derive(Clone)]
enum Form {
    Few(Vec<(Value, Value)>),
    Many(Table),
}

type Table = IndexMap<Value, Value, FxBuildHasher>;

/// A text that finds the string key of that text without becoming a value first.
struct TextKey<'a>(&'a str);

impl StdHash for TextKey<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&Value::String(Default::default())).hash(state);
        self.0.hash(state);
    }
}

impl Equivalent<Value> for TextKey<'_> {
    fn equivalent(&self, key: &Value) -> bool {
        key.as_str() == Some(self.0)
    }
}

impl Entries {
    pub(super) fn with_capacity(capacity: usize) -> Entries {
        Entries(match capacity {
            0..=FEW => Form::Few(Vec::with_capacity(capacity)),
            _ => Form::Many(Table::with_capacity_and_hasher(capacity, FxBuildHasher)),
        })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        match &self.0 {
            Form::Few(few) => few.len(),
            Form::Many(many) => many.len(),
        }
    }

    #[inline]
    pub(super) fn get(&self, key: &Value) -> Option<&Value> {
        match &self.0 {
            Form::Few(few) => few.iter().find(|(known, _)| known == key).map(|(_, value)| value),
            Form::Many(many) => many.get(key),
        }
    }

    #[inline]
    pub(super) fn get_str(&self, key: &str) -> Option<&Value> {
        match &self.0 {
            Form::Few(few) => few.iter().find(|(known, _)| known.as_str() == Some(key)).map(|(_, value)| value),
            Form::Many(many) => many.get(&TextKey(key)),
        }
    }

    #[inline]
    pub(super) fn get_index(&self, index: usize) -> Option<(&Value, &Value)> {
        match &self.0 {
            Form::Few(few) => few.get(index).map(|(key, value)| (key, value)),
            Form::Many(many) => many.get_index(index),
        }
    }

    pub fn get_index_mut(&mut self, index: usize) -> Option<(&Value, &mut Value)> {
        match &mut self.0 {
            Form::Few(few) => few.get_mut(index).map(|(key, value)| (&*key, value)),
            Form::Many(many) => many.get_index_mut(index),
        }
    }

    pub(super) fn iter(&self) -> Iter<'_> {
        match &self.0 {
            Form::Few(few) => Iter::Few(few.iter()),
            Form::Many(many) => Iter::Many(many.iter()),
        }
    }

    /// Adds an entry, or gives a present key its new value, in the key's place.
    pub fn insert(&mut self, key: Value, value: Value) {
        match &mut self.0 {
            Form::Few(few) => match few.iter().position(|(known, _)| *known == key) {
                Some(index) => few[index].1 = value,
                None if few.len() < FEW => few.push((key, value)),
                None => {
                    self.tabulate(FEW * 2).insert(key, value);
                }
            },
            Form::Many(many) => {
                many.insert(key, value);
            }
        }
    }

    /// Returns the value of a key, which has one from now on.
    pub fn get_or_insert_with(&mut self, key: &Value, value: impl FnOnce() -> Value) -> &mut Value {
        let found = match &self.0 {
            Form::Few(few) => few.iter().position(|(known, _)| known == key),
            Form::Many(many) => many.get_index_of(key),
        };
        let index = found.unwrap_or_else(|| {
            self.insert(key.clone(), value());
            self.len() - 1
        });
        match &mut self.0 {
            Form::Few(few) => &mut few[index].1,
            Form::Many(many) => &mut many[index],
        }
    }

    /// Takes an entry out; those behind it move up.
    pub fn shift_remove(&mut self, key: &Value) {
        match &mut self.0 {
            Form::Few(few) => few.retain(|(known, _)| known != key),
            Form::Many(many) => drop(many.shift_remove(key)),
        }
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&Value, &Value) -> bool) {
        match &mut self.0 {
            Form::Few(few) => few.retain(|(key, value)| keep(key, value)),
            Form::Many(many) => many.retain(|key, value| keep(key, value)),
        }
    }

    fn reserve(&mut self, more: usize) {
        match &mut self.0 {
            Form::Few(few) if few.len() + more <= FEW => few.reserve(more),
            Form::Few(few) => {
                let capacity = few.len() + more;
                self.tabulate(capacity);
            }
            Form::Many(many) => many.reserve(more),
        }
    }

    /// Returns the entries in a table from now on.
    fn tabulate(&mut self, capacity: usize) -> &mut Table {
        if let Form::Few(few) = &mut self.0 {
            let mut table = Table::with_capacity_and_hasher(capacity, FxBuildHasher);
            table.extend(few.drain(..));
            self.0 = Form::Many(table);
        }
        match &mut self.0 {
            Form::Many(table) => table,
            Form::Few(_) => unreachable!("it was just made a table"),
        }
    }
}

impl Default for Entries {
    fn default() -> Entries {
        Entries(Form::Few(Vec::new()))
    }
}

impl Extend<(Value, Value)> for Entries {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, entries: I) {
        let entries = entries.into_iter();
        // As many may be there already: of some half will be new.
        let least = entries.size_hint().0;
        self.reserve(if self.len() == 0 { least } else { least.div_ceil(2) });
        entries.for_each(|(key, value)| self.insert(key, value));
    }
}

impl FromIterator<(Value, Value)> for Entries {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Entries {
        let mut made = Entries::default();
        made.extend(entries);
        made
    }
}

/// Order does not count.
impl PartialEq for Entries {
    fn eq(&self, other: &Entries) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

/// Goes through the entries in their order.
pub(super) enum Iter<'e> {
    Few(std::slice::Iter<'e, (Value, Value)>),
    Many(map::Iter<'e, Value, Value>),
}

impl<'e> Iterator for Iter<'e> {
    type Item = (&'e Value, &'e Value);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(few) => few.next().map(|(key, value)| (key, value)),
            Iter::Many(many) => many.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Iter::Few(few) => few.size_hint(),
            Iter::Many(many) => many.size_hint(),
        }
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(few) => few.next_back().map(|(key, value)| (key, value)),
            Iter::Many(many) => many.next_back(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

#[cfg(test)]
mod tests {
    use super::{Entries, FEW};
    use crate::Value;

    fn numbered(count: usize) -> Entries {
        (0..count as i64).map(|number| (Value::Integer(number), format!("value {number}").into())).collect()
    }

    #[test]
    fn few_entries_and_many_do_the_same() {
        for count in [0, 1, FEW - 1, FEW, FEW + 1, FEW * 3] {
            let mut entries = numbered(count);
            assert_eq!(entries.len(), count);
            let keys: Vec<Value> = entries.iter().map(|(key, _)| key.clone()).collect();
            assert_eq!(keys, (0..count as i64).map(Value::Integer).collect::<Vec<_>>());
            assert!(entries.iter().rev().map(|(key, _)| key.clone()).eq(keys.iter().rev().cloned()));
            assert_eq!(entries.get(&(count as i64).into()), None);
            entries.insert("one more".into(), 1.into());
            entries.insert("one more".into(), 2.into());
            assert_eq!(entries.get_str("one more"), Some(&2.into()));
            assert_eq!(entries.get_index(count), Some((&"one more".into(), &2.into())));
            *entries.get_or_insert_with(&"another".into(), Value::default) = 3.into();
            assert_eq!(entries.get_or_insert_with(&"another".into(), || 4.into()), &3.into());
            entries.shift_remove(&"one more".into());
            assert_eq!(entries.get_index(count), Some((&"another".into(), &3.into())));
            entries.retain(|key, _| key.as_str().is_none());
            assert!(entries == numbered(count));
            assert!(entries != numbered(count + 1));
        }
    }

    #[test]
    fn the_order_of_entries_does_not_count_when_they_are_compared() {
        for count in [2, FEW, FEW + 2] {
            let turned: Vec<_> =
                numbered(count).iter().rev().map(|(key, value)| (key.clone(), value.clone())).collect();
            assert!(turned.into_iter().collect::<Entries>() == numbered(count));
        }
    }
}
