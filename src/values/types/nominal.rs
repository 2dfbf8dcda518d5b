//! Assignability of object types, by name and parents.

use std::sync::Arc;

use super::{ObjectType, RuntimeType, Type};
use crate::{Object, Sequence, Str, Value};

impl ObjectType {
    /// Returns true if this is `ancestor` or descends from it.
    pub fn descends_from(&self, ancestor: &ObjectType) -> bool {
        if ancestor.is_root() {
            return true;
        }
        let mut this = self;
        // Nothing defines a circle of parents; a longer line is taken for one.
        for _ in 0..1000 {
            if this == ancestor {
                return true;
            }
            match this.parent.as_ref().map(Type::resolved) {
                Some(Type::Object(parent)) => this = parent,
                _ => return false,
            }
        }
        false
    }
}

pub(super) fn admits(this: &Type, other: &Type) -> bool {
    match (this, other) {
        (Type::Object(wanted), Type::Object(given)) => given.descends_from(wanted),
        (Type::Object(wanted), Type::ObjectExtension(given)) => given.0.descends_from(wanted),
        (Type::ObjectExtension(wanted), Type::ObjectExtension(given)) => {
            given.0.descends_from(&wanted.0)
                && wanted.1.iter().all(|(name, wanted)| {
                    given.1.iter().any(|(given_name, given)| name == given_name && parameter_fits(wanted, given))
                })
        }
        _ => false,
    }
}

pub(super) fn is_instance(of: &Type, value: &Value) -> bool {
    match (of, value) {
        (Type::Object(wanted), Value::Object(object)) => object.class.descends_from(wanted),
        // A type is an object of a class of its own, which has no name in the language.
        (Type::Object(wanted), Value::Type(_)) => wanted.is_root(),
        (Type::ObjectExtension(wanted), Value::Object(object)) => {
            object.class.descends_from(&wanted.0)
                && wanted.1.iter().all(|(name, wanted)| object.get(name).is_some_and(|given| matches(wanted, given)))
        }
        _ => false,
    }
}

/// Returns true if a parameter's value is covered by that of another.
pub(super) fn parameter_fits(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::Type(of), Value::Type(given_type)) => of.assignable(given_type) || matches(wanted, given),
        _ => matches(wanted, given),
    }
}

/// Returns true if a value is what a parameter asks for: equal to it, an instance of it, or matched by it.
fn matches(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::Type(wanted), _) => wanted.accepts(given).unwrap_or(false),
        (Value::Regexp(pattern), Value::String(text)) => super::matching::matches(pattern, text).unwrap_or(false),
        (Value::String(wanted), Value::String(given)) => wanted.to_lowercase() == given.to_lowercase(),
        _ => wanted == given,
    }
}

pub(super) fn type_of(object: &Object) -> Type {
    object.detailed_type()
}

impl RuntimeType {
    pub(super) fn is_unnamed(&self) -> bool {
        self.name.is_none() && self.pattern.is_none()
    }

    /// Returns true if an instance can be gone through.
    pub(super) fn is_iterator(&self) -> bool {
        self.runtime == "ruby" && self.name.as_deref().is_some_and(Sequence::is_ruby_class)
    }

    pub(super) fn same_name(&self, other: &RuntimeType) -> bool {
        self.name == other.name && self.pattern == other.pattern
    }
}

/// A string where a type is asked for is the name of a class of Ruby's.
pub(super) fn ruby_class(name: &Str) -> Type {
    Type::Runtime(Some(Arc::new(RuntimeType { runtime: "ruby".into(), name: Some(name.clone()), pattern: None })))
}

impl Type {
    /// The type of the objects of a class of Ruby's, which stands for the class itself where that is a value.
    pub fn from_ruby_class(name: &Str) -> Type {
        ruby_class(name)
    }

    /// Returns the name of a class of Ruby's.
    pub fn as_ruby_class(&self) -> Option<&Str> {
        match self {
            Type::Runtime(Some(of)) if of.runtime == "ruby" && of.pattern.is_none() => of.name.as_ref(),
            _ => None,
        }
    }
}
