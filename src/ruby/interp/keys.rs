//! Keys of hashes, elements of sets, and what is the same to `uniq` and its like, where a class says itself what its
//! objects hash to and what they are the same as: its `hash` is called, and `eql?` where another key has the same hash.
//!
//! Until code defines such a method all of this is the table's business alone, and nothing is called.

use std::rc::Rc;

use super::{Interp, MethodKind};
use crate::class::Core;
use crate::deep::Walk;
use crate::stop::Flow;
use crate::table;
use crate::table::{Hashing, Key, Table};
use crate::value::{Data, Object, Value};

/// What two values are compared by.
type Same<I> = fn(&mut I, &Value, &Value) -> Flow<bool>;

/// What stands in a hash for a value that is known by who it is.
#[derive(Clone, Copy)]
enum Numbering {
    /// Where it is in memory: for tables, which show no hash.
    Pointers,
    /// Its number, for what code sees.
    Identities,
}

impl Interp<'_> {
    /// Returns what the table has under the key.
    pub(crate) fn get_from(&mut self, table: &Table, key: &Value) -> Flow<Option<Value>> {
        match self.classes.say_what_is_same() {
            false => Ok(table.get(key)),
            true => Ok(table.get_at(&self.key_in(table, key)?)),
        }
    }

    pub(crate) fn is_in(&mut self, table: &Table, key: &Value) -> Flow<bool> {
        match self.classes.say_what_is_same() {
            false => Ok(table.contains(key)),
            true => Ok(table.contains_at(&self.key_in(table, key)?)),
        }
    }

    /// Returns true if all of them are.
    pub(crate) fn are_in(&mut self, table: &Table, keys: &[Value]) -> Flow<bool> {
        for key in keys {
            if !self.is_in(table, key)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn put_into(&mut self, table: &Table, key: Value, value: Value) -> Flow<()> {
        if !self.classes.say_what_is_same() || !self.says_itself(&key) {
            table.insert(key, value);
        } else {
            let key = self.key_in(table, &key)?;
            table.insert_at(key, value);
        }
        Ok(())
    }

    pub(crate) fn take_from(&mut self, table: &Table, key: &Value) -> Flow<Option<Value>> {
        match self.classes.say_what_is_same() {
            false => Ok(table.remove(key)),
            true => Ok(table.remove_at(&self.key_in(table, key)?)),
        }
    }

    pub(crate) fn build_table(&mut self, pairs: impl IntoIterator<Item = (Value, Value)>) -> Flow<Table> {
        let table = Table::default();
        for (key, value) in pairs {
            self.put_into(&table, key, value)?;
        }
        Ok(table)
    }

    /// Returns the values as keys, each with something.
    pub(crate) fn table_with(&mut self, keys: impl IntoIterator<Item = Value>, value: Value) -> Flow<Table> {
        self.build_table(keys.into_iter().map(|key| (key, value.clone())))
    }

    /// Returns the key of the table that the value is the same as; if there is none, one that it would be.
    fn key_in(&mut self, table: &Table, value: &Value) -> Flow<Key> {
        if table.by_identity.get() || !self.says_itself(value) {
            return Ok(table.key(value));
        }
        let hash = self.hash_of(value, Numbering::Pointers)?;
        for known in table.keys_hashing_to(hash) {
            if self.eql(value, &known)? {
                return Ok(Key::hashing_to(known, hash));
            }
        }
        Ok(Key::hashing_to(value.clone(), hash))
    }

    /// Returns true if the class has a method of code's own for this, under whatever name code has written it.
    fn defines_method(&self, value: &Value, name: &str) -> bool {
        matches!(value, Value::Object(_) | Value::Class(_))
            && self.method_of(value, name).is_some_and(|method| match method.kind {
                MethodKind::Native(native) => native.name != name,
                _ => true,
            })
    }

    /// Returns true if the value, or one in it, says itself what it is the same as.
    fn says_itself(&self, value: &Value) -> bool {
        self.says_within(value, &Walk::whole())
    }

    fn says_within(&self, value: &Value, walk: &Walk) -> bool {
        let in_table = |table: &Table| match table.entries.try_borrow() {
            Ok(entries) => self.any_says(entries.iter().flat_map(|(key, value)| [&key.value, value]), walk),
            Err(_) => false,
        };
        match value {
            Value::Array(list) => self.any_says(list.items.borrow().iter(), walk),
            Value::Hash(table) => in_table(table),
            Value::Range(range) => self.any_says([&range.from, &range.to].into_iter(), walk),
            Value::Object(object) => {
                self.defines_method(value, "hash")
                    || self.defines_method(value, "eql?")
                    || match &*object.data.borrow() {
                        Data::Set(table) | Data::Open(table) => in_table(table),
                        Data::Struct => self.any_says(object.variables.borrow().iter().map(|(_, value)| value), walk),
                        _ => false,
                    }
            }
            Value::Class(_) => self.defines_method(value, "hash") || self.defines_method(value, "eql?"),
            _ => false,
        }
    }

    fn any_says<'v>(&self, mut values: impl Iterator<Item = &'v Value>, walk: &Walk) -> bool {
        walk.deeper_or_end(|| values.any(|value| self.says_within(value, walk)))
    }

    // ---- hash ----

    /// Returns what a value hashes to.
    fn hash_of(&mut self, value: &Value, numbering: Numbering) -> Flow<u64> {
        if !self.defines_method(value, "hash") {
            return self.hash_within(value, numbering);
        }
        let said = self.send(value, "hash", &[])?;
        match &said {
            Value::Big(_) => Ok(table::hash_of(&said)),
            Value::Nil => self.raise(Core::TypeError, "no implicit conversion of nil into Integer"),
            said => Ok(self.int_arg(said)? as u64),
        }
    }

    /// Returns what the method `hash` of a value says that has none of its own: nothing in it tells where in memory it is.
    pub(crate) fn shown_hash(&mut self, value: &Value) -> Flow<u64> {
        self.hash_within(value, Numbering::Identities)
    }

    /// The number that says to code who a value is.
    pub(crate) fn object_id(&self, value: &Value) -> i64 {
        self.identities.number(value)
    }

    fn hash_numbered(&self, value: &Value, numbering: Numbering) -> u64 {
        match numbering {
            Numbering::Pointers => table::hash_of(value),
            Numbering::Identities => table::hash_identified(value, &|value| self.identities.number(value) as usize),
        }
    }

    /// The same without what the class of the value itself says: of what is in it.
    fn hash_within(&mut self, value: &Value, numbering: Numbering) -> Flow<u64> {
        if !self.classes.say_what_is_same() || !self.says_itself(value) {
            return Ok(self.hash_numbered(value, numbering));
        }
        let items = match value {
            Value::Array(list) => list.items.borrow().clone(),
            Value::Object(object) if matches!(&*object.data.borrow(), Data::Struct) => members(object),
            _ => return Ok(self.hash_numbered(value, numbering)),
        };
        self.step()?;
        let mut hashing = Hashing::from_value(value);
        for item in items {
            hashing.add(self.deeper(|interp| interp.hash_of(&item, numbering))?);
        }
        Ok(hashing.finish())
    }

    // ---- eql? ----

    /// Returns true if both are the same key.
    pub(crate) fn eql(&mut self, a: &Value, b: &Value) -> Flow<bool> {
        if !self.classes.say_what_is_same() {
            return Ok(table::eql(a, b));
        }
        if a.is_same(b) {
            return Ok(true);
        }
        match self.defines_method(a, "eql?") {
            true => Ok(self.send(a, "eql?", std::slice::from_ref(b))?.is_truthy()),
            false => self.eql_within(a, b),
        }
    }

    /// The same without what the class of the first itself says: of what is in them.
    pub(crate) fn eql_within(&mut self, a: &Value, b: &Value) -> Flow<bool> {
        if !self.classes.say_what_is_same() || !(self.says_itself(a) || self.says_itself(b)) {
            return Ok(table::eql(a, b));
        }
        self.step()?;
        match (a, b) {
            (Value::Array(left), Value::Array(right)) => {
                let (left, right) = (left.items.borrow().clone(), right.items.borrow().clone());
                self.lists_are(&left, &right, Self::eql)
            }
            (Value::Hash(left), Value::Hash(right)) => self.tables_are(left, right, Self::eql),
            (Value::Range(left), Value::Range(right)) => Ok(left.exclusive == right.exclusive
                && self.deeper(|interp| interp.eql(&left.from, &right.from))?
                && self.deeper(|interp| interp.eql(&left.to, &right.to))?),
            (Value::Object(left), Value::Object(right)) => self.objects_eql(left, right),
            _ => Ok(table::eql(a, b)),
        }
    }

    /// Returns true if two lists are as long, and each of the one is `same` as that of the other.
    pub(super) fn lists_are(&mut self, left: &[Value], right: &[Value], same: Same<Self>) -> Flow<bool> {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (a, b) in left.iter().zip(right) {
            if !self.deeper(|interp| same(interp, a, b))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if two tables have the same keys, and under each what is `same`.
    pub(super) fn tables_are(&mut self, left: &Table, right: &Table, same: Same<Self>) -> Flow<bool> {
        if left.len() != right.len() {
            return Ok(false);
        }
        for (key, value) in left.pairs() {
            match self.get_from(right, &key)? {
                Some(other) if self.deeper(|interp| same(interp, &value, &other))? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn objects_eql(&mut self, left: &Rc<Object>, right: &Rc<Object>) -> Flow<bool> {
        let sets = match (&*left.data.borrow(), &*right.data.borrow()) {
            (Data::Set(left), Data::Set(right)) | (Data::Open(left), Data::Open(right)) => {
                Some((left.clone(), right.clone()))
            }
            (Data::Struct, Data::Struct) if left.class == right.class => None,
            _ => return Ok(Rc::ptr_eq(left, right)),
        };
        match sets {
            Some((left, right)) => self.tables_are(&left, &right, Self::eql),
            None => self.lists_are(&members(left), &members(right), Self::eql),
        }
    }
}

fn members(object: &Object) -> Vec<Value> {
    object.variables.borrow().iter().map(|(_, value)| value.clone()).collect()
}
