//! Hashes: in order of insertion, with Ruby's `eql?` for keys.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::memory::{ENTRY, OBJECT, Weight};
use super::text::Text;
use super::value::{Data, Object, Value};

/// A value as the key of a hash.
#[derive(Clone)]
pub(super) struct Key(pub(super) Value);

pub(super) type Entries = IndexMap<Key, Value, FxBuildHasher>;

#[derive(Default)]
pub(super) struct Table {
    pub(super) entries: RefCell<Entries>,
    pub(super) default: RefCell<Value>,
    /// The block that makes what is missing.
    pub(super) maker: RefCell<Value>,
    pub(super) frozen: Cell<bool>,
    /// A copy of what the outside has.
    pub(super) lent: Cell<bool>,
    weight: Weight,
}

impl Table {
    pub(super) fn of(pairs: impl IntoIterator<Item = (Value, Value)>) -> Table {
        let table = Table::default();
        for (key, value) in pairs {
            table.insert(key, value);
        }
        table
    }

    pub(super) fn get(&self, key: &Value) -> Option<Value> {
        self.entries.borrow().get(&Key(key.clone())).cloned()
    }

    pub(super) fn get_symbol(&self, name: &str) -> Option<Value> {
        self.get(&Value::symbol(name))
    }

    pub(super) fn contains(&self, key: &Value) -> bool {
        self.entries.borrow().contains_key(&Key(key.clone()))
    }

    /// A text that is a key is a copy which cannot change.
    pub(super) fn insert(&self, key: Value, value: Value) {
        let key = match key {
            Value::String(text) if !text.frozen.get() => {
                let copy = Text::new(String::new());
                copy.set_content(text.content());
                copy.frozen.set(true);
                Value::String(Rc::new(copy))
            }
            other => other,
        };
        self.entries.borrow_mut().insert(Key(key), value);
        self.weigh();
    }

    pub(super) fn weigh(&self) {
        self.weight.set(OBJECT + ENTRY * self.len());
    }

    pub(super) fn remove(&self, key: &Value) -> Option<Value> {
        self.entries.borrow_mut().shift_remove(&Key(key.clone()))
    }

    pub(super) fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// What is in it at the moment.
    pub(super) fn pairs(&self) -> Vec<(Value, Value)> {
        self.entries.borrow().iter().map(|(key, value)| (key.0.clone(), value.clone())).collect()
    }

    pub(super) fn keys(&self) -> Vec<Value> {
        self.entries.borrow().keys().map(|key| key.0.clone()).collect()
    }

    pub(super) fn values(&self) -> Vec<Value> {
        self.entries.borrow().values().cloned().collect()
    }
}

/// `eql?`: the same kind and content.
pub(super) fn eql(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Rc::ptr_eq(a, b) || a.is_like(b),
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::Big(a), Value::Big(b)) => a == b,
        (Value::Array(a), Value::Array(b)) => {
            let (a, b) = (a.items.borrow(), b.items.borrow());
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| eql(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            let (a, b) = (a.entries.borrow(), b.entries.borrow());
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| eql(value, other)))
        }
        (Value::Range(a), Value::Range(b)) => a.exclusive == b.exclusive && eql(&a.from, &b.from) && eql(&a.to, &b.to),
        (Value::Regex(a), Value::Regex(b)) => a == b,
        (Value::Foreign(a), Value::Foreign(b)) => a == b,
        (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b) || eql_objects(a, b),
        _ => a.is_same(b),
    }
}

/// Sets are their elements, and structures their members.
fn eql_objects(a: &Object, b: &Object) -> bool {
    match (&*a.data.borrow(), &*b.data.borrow()) {
        (Data::Set(a), Data::Set(b)) => a.len() == b.len() && a.keys().iter().all(|item| b.contains(item)),
        (Data::Struct, Data::Struct) => {
            let (own, others) = (a.variables.borrow(), b.variables.borrow());
            let mut pairs = own.iter().zip(others.iter());
            a.class == b.class && own.len() == others.len() && pairs.all(|(a, b)| a.0 == b.0 && eql(&a.1, &b.1))
        }
        _ => false,
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        eql(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Bool(value) => value.hash(state),
        Value::Int(value) => value.hash(state),
        Value::Float(value) => (value + 0.0).to_bits().hash(state),
        Value::Big(value) => value.hash(state),
        Value::Symbol(name) => name.as_str().hash(state),
        Value::String(text) => text.bytes().hash(state),
        Value::Array(list) => list.items.borrow().iter().for_each(|item| hash(item, state)),
        Value::Hash(table) => table.len().hash(state),
        Value::Class(class) => class.hash(state),
        Value::Object(object) => match &*object.data.borrow() {
            Data::Set(table) => table.len().hash(state),
            Data::Struct => object.variables.borrow().iter().for_each(|(_, value)| hash(value, state)),
            _ => (Rc::as_ptr(object) as usize).hash(state),
        },
        _ => {}
    }
}
