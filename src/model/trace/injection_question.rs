//! The question of a body for what is bound to a key.
//! It must not know where bindings come from.

use pantin_values::{Hash, Str, Type, Value, identical};

/// What is wanted of a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InjectionKind {
    /// A value; it is an error if there is none.
    Value,
    /// A value, if there is one.
    Optional,
    /// Whether there is a producer; it is an error if there is none.
    Producer,
    /// Whether there is a producer.
    OptionalProducer,
}

/// An injection of one key: a type, a name, or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InjectionQuestion {
    pub kind: InjectionKind,
    pub value_type: Option<Type>,
    pub name: Option<Str>,
    pub arguments: Option<Hash>,
}

/// By what tells most of them apart.
impl std::hash::Hash for InjectionQuestion {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.name.hash(state);
    }
}

impl InjectionQuestion {
    pub(super) fn holds_sensitive(&self) -> bool {
        self.arguments.as_ref().is_some_and(|arguments| Value::Hash(arguments.clone()).holds_sensitive())
    }

    /// Returns true if any answer to the one is the answer to the other.
    pub(super) fn is_same(&self, other: &InjectionQuestion) -> bool {
        let arguments = |of: &InjectionQuestion| of.arguments.clone().map(Value::Hash).unwrap_or_default();
        self.kind == other.kind
            && self.value_type == other.value_type
            && self.name == other.name
            && identical(&arguments(self), &arguments(other))
    }

    /// For the dump of a trace.
    pub(super) fn text(&self) -> String {
        let of = self.value_type.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("inject {of} {}", self.name.as_deref().unwrap_or_default())
    }
}
