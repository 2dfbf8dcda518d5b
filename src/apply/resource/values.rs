//! The values of a resource's attributes, checked and converted.

use pantin_values::Value;

use crate::managed::Property;
use crate::value::{is_word, text};

/// The values of a resource's attributes, in the order of the type's table.
#[derive(Clone, Default, Debug)]
pub struct AttributeValues {
    values: Vec<AttributeValue>,
}

/// The key that values are sorted by: the rank of the attribute, and its place among those of the rank.
pub(super) type AttributeOrder = (u8, usize);

/// The key of a value that is added when the others were sorted.
pub(super) const LAST: AttributeOrder = (u8::MAX, 0);

#[derive(Clone, Debug)]
pub(super) struct AttributeValue {
    pub name: &'static str,
    pub order: AttributeOrder,
    /// Of a property the list of its values, which is empty if it is only audited.
    pub value: Value,
    pub is_property: bool,
    pub is_list: bool,
    pub is_secret: bool,
    /// Nobody gave it.
    pub is_default: bool,
}

impl AttributeValues {
    pub(super) fn put(&mut self, value: AttributeValue) {
        match self.values.iter_mut().find(|known| known.name == value.name) {
            Some(known) => *known = value,
            None => self.values.push(value),
        }
    }

    pub(super) fn replace_value(&mut self, name: &str, new: Value) {
        self.values.iter_mut().filter(|known| known.name == name).for_each(|known| known.value = new.clone());
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.values.retain(|value| value.name != name);
    }

    /// Puts the values in the order in which attributes are set.
    pub(super) fn sort(&mut self) {
        self.values.sort_by_key(|value| value.order);
    }

    pub(super) fn set_secret(&mut self, name: &str) {
        self.values.iter_mut().filter(|value| value.name == name).for_each(|value| value.is_secret = true);
    }

    fn find(&self, name: &str) -> Option<&AttributeValue> {
        self.values.iter().find(|value| value.name == name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns the value of an attribute; of a property the desired one, or the list of them.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.find(name)?;
        match &found.value {
            Value::Array(items) if found.is_property && !found.is_list => items.first(),
            Value::Array(items) if found.is_property && items.is_empty() => None,
            value => Some(value),
        }
    }

    /// Returns the last of the values that an attribute is given, if it is given several.
    pub(crate) fn last(&self, name: &str) -> Option<&Value> {
        match &self.find(name)?.value {
            Value::Array(items) => items.last(),
            value => Some(value),
        }
    }

    /// Returns the value of an attribute as a text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| text(value).into_owned())
    }

    /// Returns the elements of an array, or the one value.
    pub fn list(&self, name: &str) -> Vec<Value> {
        match self.get(name) {
            Some(Value::Array(items)) => items.to_vec(),
            Some(value) => vec![value.clone()],
            None => Vec::new(),
        }
    }

    /// Returns true if the value is true, or the word.
    pub fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| *value == Value::Boolean(true) || is_word(value, "true"))
    }

    /// Returns true if the value is this word.
    pub fn is(&self, name: &str, word: &str) -> bool {
        self.get(name).is_some_and(|value| is_word(value, word))
    }

    pub fn is_secret(&self, name: &str) -> bool {
        self.find(name).is_some_and(|value| value.is_secret)
    }

    /// Returns true if the resource itself gave the value, and no default of the type.
    pub fn is_given(&self, name: &str) -> bool {
        self.find(name).is_some_and(|value| !value.is_default)
    }

    /// Returns true if any value is secret.
    pub fn has_secrets(&self) -> bool {
        self.values.iter().any(|value| value.is_secret)
    }

    /// Returns the property of this name, if the resource has it.
    pub fn property(&self, name: &str) -> Option<Property> {
        self.find(name).filter(|value| value.is_property).map(property)
    }

    /// Returns all properties: `ensure` first, then as the type declares them.
    pub fn properties(&self) -> Vec<Property> {
        self.values.iter().filter(|value| value.is_property).map(property).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|value| (value.name, &value.value))
    }
}

fn property(value: &AttributeValue) -> Property {
    let desired = match &value.value {
        Value::Array(items) => items.to_vec(),
        one => vec![one.clone()],
    };
    Property { name: value.name, desired, is_list: value.is_list, is_secret: value.is_secret }
}
