//! Object types fit by name: a type admits itself and what descends from it.

use std::sync::Arc;

use super::{ObjectType, RuntimeType, Type};
use crate::pcore::{Fault, Object, Str, Value};

impl ObjectType {
    /// Whether it is `Object` itself, the ancestor of all.
    pub fn is_root(&self) -> bool {
        self.name.is_none()
            && self.parent.is_none()
            && self.attributes.is_empty()
            && self.functions.is_empty()
            && self.constants.is_empty()
            && self.type_parameters.is_empty()
    }

    /// Whether this is `ancestor` or descends from it.
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
                && wanted
                    .1
                    .iter()
                    .all(|(name, wanted)| object.get(name).is_some_and(|given| parameter_fits(wanted, given)))
        }
        _ => false,
    }
}

/// Whether a value is what a parameter asks for: equal to it, an instance of it, or matched by it.
pub(super) fn parameter_fits(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::Type(wanted), Value::Type(given)) => wanted.assignable(given),
        (Value::Type(wanted), _) => wanted.accepts(given).unwrap_or(false),
        (Value::Regexp(pattern), Value::String(text)) => super::matching::matches(pattern, text).unwrap_or(false),
        (Value::String(wanted), Value::String(given)) => wanted.to_lowercase() == given.to_lowercase(),
        _ => wanted == given,
    }
}

pub(super) fn type_of(object: &Object) -> Type {
    Type::Object(object.class.clone())
}

impl RuntimeType {
    pub(super) fn is_unnamed(&self) -> bool {
        self.name.is_none() && self.pattern.is_none()
    }

    pub(super) fn same_name(&self, other: &RuntimeType) -> bool {
        self.name == other.name && self.pattern == other.pattern
    }
}

/// `P['value']`: an object type with values of its type parameters, in order or by name.
pub(super) fn extension(of: &Arc<ObjectType>, keys: &[Value]) -> Result<Type, Fault> {
    let label = of.label();
    if of.type_parameters.is_empty() {
        return Err(Fault::new(format!("The {label}-Type cannot be parameterized using []")));
    }
    let mut parameters: Vec<(Str, Value)> = Vec::new();
    let by_name = match keys {
        [Value::Hash(named)] => match of.type_parameters.first() {
            Some((_, first)) if first.of.accepts(&keys[0])? => None,
            _ => Some(named),
        },
        _ => None,
    };
    let mut add = |name: &Str, value: &Value| {
        if !matches!(value, Value::Default) {
            parameters.push((name.clone(), value.clone()));
        }
    };
    match by_name {
        Some(named) => {
            for (name, value) in named.iter() {
                match name.as_str().and_then(|name| of.type_parameters.get_key_value(name)) {
                    Some((name, _)) => add(name, value),
                    None => {
                        let name = name.as_str().unwrap_or_default();
                        return Err(Fault::new(format!("'{name}' is not a known type parameter for {label}-Type")));
                    }
                }
            }
        }
        None => of.type_parameters.keys().zip(keys).for_each(|(name, value)| add(name, value)),
    }
    if parameters.is_empty() {
        return Err(Fault::new(format!("The {label}-Type cannot be parameterized using an empty parameter list")));
    }
    Ok(Type::ObjectExtension(Arc::new((of.clone(), parameters))))
}

/// A string where a type is asked for is the name of a class of Ruby's.
pub(super) fn ruby_class(name: &Str) -> Type {
    Type::Runtime(Some(Arc::new(RuntimeType { runtime: "ruby".into(), name: Some(name.clone()), pattern: None })))
}
