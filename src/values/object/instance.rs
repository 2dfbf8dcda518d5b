//! An instance of an `Object` type.

use std::sync::Arc;

use pantin_base::stack;

use crate::types::{ObjectType, Type};
use crate::{Array, Hash, Value};

/// `values` stand in the order of the type's attributes, those of its parents first.
#[derive(Clone, Debug)]
pub struct Object {
    pub class: Arc<ObjectType>,
    pub values: Array,
}

impl Object {
    /// Returns the value of a settable attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(self.class.attribute_index(name)?)
    }

    /// Returns the name it prints with.
    pub fn label(&self) -> &str {
        let label = self.class.label();
        // Puppet asks the type with values of its parameters, and that one knows the last segment only.
        let is_parameterized = self.class.line().any(|class| !class.type_parameters.is_empty());
        if is_parameterized { label.rsplit("::").next().unwrap_or(label) } else { label }
    }

    /// Returns what a new equal one would be made of: the attributes without those that have their default.
    pub fn init_hash(&self) -> Hash {
        let entries =
            self.class.all_attributes.iter().zip(self.values.iter()).filter_map(|((name, attribute), value)| {
                let is_default = attribute.value.as_ref().is_some_and(|default| {
                    // Puppet keeps what has the name of one of Ruby's words elsewhere, and looks for it in vain.
                    let found = if RUBY_WORDS.contains(&name.as_str()) { &Value::Undef } else { value };
                    equal_in_ruby(default, found)
                });
                (!is_default).then(|| (Value::String(name.clone()), value.clone()))
            });
        entries.collect()
    }

    /// Returns the type of this object: with values of the type's parameters, if it has any.
    pub fn detailed_type(&self) -> Type {
        super::extension_of(self)
    }
}

const RUBY_WORDS: [&str; 23] = [
    "alias", "begin", "break", "def", "do", "end", "ensure", "for", "module", "next", "nil", "not", "redo", "rescue",
    "retry", "return", "self", "super", "then", "until", "when", "while", "yield",
];

/// Ruby's `==`: numbers by their amount.
fn equal_in_ruby(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(a), Value::Float(b)) | (Value::Float(b), Value::Integer(a)) => *a as f64 == *b,
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && stack::with_room(|| a.iter().zip(b.iter()).all(|(a, b)| equal_in_ruby(a, b)))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            a.len() == b.len()
                && stack::with_room(|| a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal_in_ruby(a, b))))
        }
        _ => a == b,
    }
}

/// By the attributes that the type and its ancestors name, and by the type where one of them says so.
impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        if std::ptr::eq(self, other) {
            return true;
        }
        let same_class = self.class == other.class;
        self.class.line().all(|class| {
            let names = class.names_of_equality();
            // With nothing to go by, an object is equal to itself alone; a descendant leaves that to its parent.
            let is_decided = class.equality_include_type || !names.is_empty() || class.parent_class().is_some();
            let has_alien_parent = class.parent.is_some() && class.parent_class().is_none();
            is_decided
                && !has_alien_parent
                && (same_class || !class.equality_include_type)
                && names.iter().all(|name| self.get(name) == other.get(name))
        })
    }
}

impl Eq for Object {}

impl std::hash::Hash for Object {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Which values count is the type's choice.
        self.class.name.hash(state);
    }
}
