//! Hashes: in order of insertion, with Ruby's `eql?` for keys.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use indexmap::{Equivalent, IndexMap};
use pantin_values::Str;
use rustc_hash::{FxBuildHasher, FxHasher};

use super::class::Class;
use super::deep::{Walk, release};
use super::memory::{ENTRY, OBJECT, Weight};
use super::text::Text;
use super::value::{Data, Object, Value};

/// A value as the key of a hash. What it hashes to is worked out before the table is touched: the key may be that table.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) value: Value,
    hash: u64,
    /// It is found by who it is, not by what it is.
    by_identity: bool,
}

impl Key {
    pub(super) fn from_value(value: Value) -> Key {
        Key { hash: hash_of(&value), value, by_identity: false }
    }

    /// Of a value that says itself what it hashes to.
    pub(super) fn hashing_to(value: Value, hash: u64) -> Key {
        Key { value, hash, by_identity: false }
    }

    fn by_identity(value: Value) -> Key {
        let hash = match &value {
            held if held.identity() != 0 => held.identity() as u64,
            plain => hash_of(plain),
        };
        Key { value, hash, by_identity: true }
    }
}

pub(super) type Entries = IndexMap<Key, Value, FxBuildHasher>;

#[derive(Default)]
pub(super) struct Table {
    pub(super) entries: RefCell<Entries>,
    pub(super) default: RefCell<Value>,
    /// The block that makes what is missing.
    pub(super) maker: RefCell<Value>,
    pub(super) frozen: Cell<bool>,
    /// Keys are found by who they are.
    pub(super) by_identity: Cell<bool>,
    /// A copy of what the outside has.
    pub(super) lent: Cell<bool>,
    pub(super) singleton: Cell<Option<Class>>,
    /// So many loops go through it.
    iterated: Cell<u32>,
    weight: Weight,
}

impl Table {
    pub(super) fn from_pairs(pairs: impl IntoIterator<Item = (Value, Value)>) -> Table {
        let table = Table::default();
        for (key, value) in pairs {
            table.insert(key, value);
        }
        table
    }

    /// Does what goes through it: no key may be added meanwhile.
    pub(super) fn while_iterated<T>(&self, go: impl FnOnce() -> T) -> T {
        self.iterated.set(self.iterated.get() + 1);
        let done = go();
        self.iterated.set(self.iterated.get() - 1);
        done
    }

    pub(super) fn is_iterated(&self) -> bool {
        self.iterated.get() > 0
    }

    /// What is missing in it is nil, and keys are found by what they are.
    pub(super) fn is_plain(&self) -> bool {
        !self.by_identity.get() && self.maker.borrow().is_nil() && self.default.borrow().is_nil()
    }

    pub(super) fn key(&self, value: &Value) -> Key {
        if self.by_identity.get() { Key::by_identity(value.clone()) } else { Key::from_value(value.clone()) }
    }

    /// From now on keys are found by who they are.
    pub(super) fn compare_by_identity(&self) {
        let pairs = self.pairs();
        self.entries.borrow_mut().clear();
        self.by_identity.set(true);
        pairs.into_iter().for_each(|(key, value)| self.insert(key, value));
    }

    /// For keys that say nothing themselves of what they are the same as; others are looked for by `Interp::get_from`,
    /// and so it is with the methods below that take values.
    pub(super) fn get(&self, key: &Value) -> Option<Value> {
        self.get_at(&self.key(key))
    }

    pub(super) fn get_at(&self, key: &Key) -> Option<Value> {
        self.entries.borrow().get(key).cloned()
    }

    /// Returns what stands under a text, where nothing is found by who it is.
    pub(super) fn get_text(&self, text: &str) -> Option<Value> {
        self.entries.borrow().get(&Letters::from_text(text)).cloned()
    }

    pub(super) fn get_symbol(&self, name: &str) -> Option<Value> {
        self.get(&Value::symbol(name))
    }

    pub(super) fn contains(&self, key: &Value) -> bool {
        self.contains_at(&self.key(key))
    }

    pub(super) fn contains_at(&self, key: &Key) -> bool {
        self.entries.borrow().contains_key(key)
    }

    /// Returns the keys with this hash.
    pub(super) fn keys_hashing_to(&self, hash: u64) -> Vec<Value> {
        let probe = Probe { hash, found: RefCell::default() };
        self.entries.borrow().get(&probe);
        probe.found.into_inner()
    }

    /// A text that is a key is a copy which cannot change.
    pub(super) fn insert(&self, key: Value, value: Value) {
        let key = match key {
            Value::String(text) if !text.frozen.get() && !self.by_identity.get() => {
                let copy = Text::new(String::new());
                copy.set_content(text.content());
                copy.frozen.set(true);
                Value::String(Rc::new(copy))
            }
            other => other,
        };
        let key = self.key(&key);
        self.insert_at(key, value);
    }

    pub(super) fn insert_at(&self, key: Key, value: Value) {
        // It is looked for while the table may be looked into, and what was there is let go afterwards.
        let known = self.entries.borrow().get_index_of(&key);
        let _old = match known {
            Some(index) => {
                let mut entries = self.entries.borrow_mut();
                entries.get_index_mut(index).map(|(_, old)| std::mem::replace(old, value))
            }
            None => self.entries.borrow_mut().insert(key, value),
        };
        self.weigh();
    }

    pub(super) fn weigh(&self) {
        self.weight.set(OBJECT + ENTRY * self.len());
    }

    pub(super) fn remove(&self, key: &Value) -> Option<Value> {
        self.remove_at(&self.key(key))
    }

    pub(super) fn remove_at(&self, key: &Key) -> Option<Value> {
        let known = self.entries.borrow().get_index_of(key)?;
        let (_, value) = self.entries.borrow_mut().shift_remove_index(known)?;
        Some(value)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// Returns what is in it at the moment.
    pub(super) fn pairs(&self) -> Vec<(Value, Value)> {
        self.entries.borrow().iter().map(|(key, value)| (key.value.clone(), value.clone())).collect()
    }

    /// The same with keys as they stand in it: for another table like it, in which nothing has to be hashed again.
    pub(super) fn keyed_pairs(&self) -> Vec<(Key, Value)> {
        self.entries.borrow().iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// An empty one whose keys are found as the keys of this one are.
    pub(super) fn new_like(&self) -> Table {
        let table = Table::default();
        table.by_identity.set(self.by_identity.get());
        table
    }

    /// Another one with the same keys and values, and nothing else of this one.
    pub(super) fn copy(&self) -> Table {
        let table = self.new_like();
        table.entries.borrow_mut().clone_from(&self.entries.borrow());
        table.weigh();
        table
    }

    pub(super) fn keys(&self) -> Vec<Value> {
        self.entries.borrow().keys().map(|key| key.value.clone()).collect()
    }

    pub(super) fn values(&self) -> Vec<Value> {
        self.entries.borrow().values().cloned().collect()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let (entries, others) = (self.entries.take(), (self.default.take(), self.maker.take()));
        let holds = |(key, value): (&Key, &Value)| key.value.may_hold() || value.may_hold();
        if others.0.may_hold() || others.1.may_hold() || entries.iter().any(holds) {
            release((entries, others));
        }
    }
}

/// `eql?`: the same kind and content.
pub(super) fn eql(a: &Value, b: &Value) -> bool {
    eql_within(a, b, &Walk::whole())
}

fn eql_within(a: &Value, b: &Value, walk: &Walk) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Rc::ptr_eq(a, b) || a.is_like(b),
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Big(a), Value::Big(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            Rc::ptr_eq(a, b)
                || walk.deeper_or_end(|| {
                    let (a, b) = (a.items.borrow(), b.items.borrow());
                    a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| eql_within(a, b, walk))
                })
        }
        (Value::Hash(a), Value::Hash(b)) => Rc::ptr_eq(a, b) || walk.deeper_or_end(|| same_entries(a, b, walk)),
        (Value::Range(a), Value::Range(b)) => {
            let ends = || eql_within(&a.from, &b.from, walk) && eql_within(&a.to, &b.to, walk);
            a.exclusive == b.exclusive && walk.deeper_or_end(ends)
        }
        (Value::Regex(a), Value::Regex(b)) => a == b,
        (Value::Foreign(a), Value::Foreign(b)) => a == b,
        (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b) || walk.deeper_or_end(|| eql_objects(a, b, walk)),
        _ => a.is_same(b),
    }
}

/// A table that is being changed at the moment is looked into by nobody: that it is a key of its own is known by then.
fn same_entries(a: &Table, b: &Table, walk: &Walk) -> bool {
    let (Ok(a), Ok(b)) = (a.entries.try_borrow(), b.entries.try_borrow()) else { return false };
    a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| eql_within(value, other, walk)))
}

/// Sets are their elements, structures their members, and what Ruby brings along is what it holds.
fn eql_objects(a: &Object, b: &Object, walk: &Walk) -> bool {
    match (&*a.data.borrow(), &*b.data.borrow()) {
        (Data::Set(a), Data::Set(b)) => same_entries(a, b, walk),
        (Data::Struct, Data::Struct) => {
            let (own, others) = (a.variables.borrow(), b.variables.borrow());
            let mut pairs = own.iter().zip(others.iter());
            let is_same = |(a, b): (&(Str, Value), &(Str, Value))| a.0 == b.0 && eql_within(&a.1, &b.1, walk);
            a.class == b.class && own.len() == others.len() && pairs.all(is_same)
        }
        (Data::Address(a), Data::Address(b)) => a == b,
        (Data::Uri(one), Data::Uri(other)) => one == other && a.class == b.class,
        (Data::Version(a), Data::Version(b)) => a == b,
        (Data::Time(a), Data::Time(b)) => a == b,
        (Data::Pathname(a), Data::Pathname(b)) => a == b,
        (Data::Date(a), Data::Date(b)) => a == b,
        (Data::Rational(a), Data::Rational(b)) => a == b,
        (Data::Open(a), Data::Open(b)) => same_entries(a, b, walk),
        (Data::Encoding(a), Data::Encoding(b)) => a == b,
        (Data::Match(a), Data::Match(b)) => a.text == b.text && a.captures == b.captures && a.regex == b.regex,
        (Data::Method { receiver, name }, Data::Method { receiver: other, name: others }) => {
            name == others && receiver.is_same(other)
        }
        _ => false,
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.hash == other.hash
            && if self.by_identity { self.value.is_same(&other.value) } else { eql(&self.value, &other.value) }
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A text that is looked for among the keys, and is no value yet.
struct Letters<'t> {
    text: &'t str,
    hash: u64,
}

impl<'t> Letters<'t> {
    fn from_text(text: &'t str) -> Letters<'t> {
        let mut hashing = Hashing::default();
        hash_text(text.as_bytes(), &mut hashing.0);
        Letters { text, hash: hashing.finish() }
    }
}

impl Hash for Letters<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Equivalent<Key> for Letters<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        self.hash == key.hash && matches!(&key.value, Value::String(text) if text.is_letters(self.text))
    }
}

/// Finds nothing, and remembers the keys that hash to the same.
struct Probe {
    hash: u64,
    found: RefCell<Vec<Value>>,
}

impl Hash for Probe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Equivalent<Key> for Probe {
    fn equivalent(&self, key: &Key) -> bool {
        if key.hash == self.hash {
            self.found.borrow_mut().push(key.value.clone());
        }
        false
    }
}

/// What is the same hashes to the same. It is the number that `hash` gives to code, which may make another of it.
pub(super) fn hash_of(value: &Value) -> u64 {
    hash_identified(value, &Value::identity)
}

/// Like `hash_of`, with the number that stands for a value that is known by who it is.
pub(super) fn hash_identified(value: &Value, identity: &dyn Fn(&Value) -> usize) -> u64 {
    let mut hashing = Hashing::default();
    // Of what nests deeper, or is more, only that much is looked at.
    hash(value, &mut hashing.0, &Walk::new(16, 1_000), identity);
    hashing.finish()
}

/// The hash of a value. Others may lie in it that say themselves what they hash to.
#[derive(Default)]
pub(super) struct Hashing(FxHasher);

impl Hashing {
    pub(super) fn from_value(value: &Value) -> Hashing {
        let mut hashing = Hashing::default();
        std::mem::discriminant(value).hash(&mut hashing.0);
        hashing
    }

    pub(super) fn add(&mut self, hash: u64) {
        self.0.write_u64(hash);
    }

    pub(super) fn finish(self) -> u64 {
        self.0.finish() >> 2
    }
}

fn hash_text(bytes: &[u8], state: &mut FxHasher) {
    state.write_u8(u8::MAX);
    bytes.hash(state);
}

fn hash(value: &Value, state: &mut FxHasher, walk: &Walk, identity: &dyn Fn(&Value) -> usize) {
    if let Value::String(text) = value {
        return hash_text(&text.bytes(), state);
    }
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Bool(value) => value.hash(state),
        Value::Int(value) => value.hash(state),
        Value::Float(value) => (value + 0.0).to_bits().hash(state),
        Value::Big(value) => value.hash(state),
        Value::Symbol(name) => name.as_str().hash(state),
        Value::Array(list) => {
            walk.deeper(|| list.items.borrow().iter().for_each(|item| hash(item, state, walk, identity)));
        }
        Value::Hash(table) => table.len().hash(state),
        Value::Class(class) => class.hash(state),
        Value::Object(object) => match &*object.data.borrow() {
            Data::Set(table) | Data::Open(table) => table.len().hash(state),
            Data::Struct => {
                walk.deeper(|| {
                    object.variables.borrow().iter().for_each(|(_, value)| hash(value, state, walk, identity))
                });
            }
            Data::Address(address) => address.hash(state),
            Data::Uri(parts) => parts.hash(state),
            Data::Version(version) => version.hash(state),
            Data::Time(moment) => moment.hash(state),
            Data::Pathname(path) => path.as_str().hash(state),
            Data::Date(days) => days.hash(state),
            Data::Rational(value) => value.hash(state),
            Data::Encoding(encoding) => encoding.hash(state),
            Data::Match(found) => found.text.as_str().hash(state),
            Data::Method { name, .. } => name.as_str().hash(state),
            _ => identity(value).hash(state),
        },
        _ => {}
    }
}
