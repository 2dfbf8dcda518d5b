//! An instance of an `Object` type.

use std::sync::Arc;

use super::Value;
use super::types::ObjectType;

/// `values` stand in the order of the type's attributes, those of its parents first.
#[derive(Clone, Debug)]
pub struct Object {
    pub class: Arc<ObjectType>,
    pub values: Vec<Value>,
}

impl Object {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(self.class.attribute_index(name)?)
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.class == other.class && self.values == other.values
    }
}

impl Eq for Object {}

impl std::hash::Hash for Object {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.class.hash(state);
        self.values.hash(state);
    }
}
