//! Tags: a set in the order in which they came.

use std::sync::Arc;

use crate::pcore::ops::to_s;
use crate::pcore::{Fault, Str, Value};

#[derive(Clone, Default, Debug)]
pub struct Tags(Vec<Str>);

impl Tags {
    /// Explicit tags, which have to be valid; arrays of them count as their items.
    pub fn add_values(&mut self, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.add_values(item)),
            // A reference is a list of parameters there, and has none.
            Value::Undef | Value::Type(_) => Ok(()),
            value => self.add(&to_s(value)),
        }
    }

    pub fn add(&mut self, name: &str) -> Result<(), Fault> {
        let name: Str = name.to_lowercase().into();
        if self.contains(&name) {
            return Ok(());
        }
        if !is_tag(&name) {
            return Err(Fault::new(format!("Invalid tag '{name}'")));
        }
        self.add_valid(name);
        Ok(())
    }

    /// A title is a tag if it can be one.
    pub fn add_if_valid(&mut self, name: &str) {
        if is_tag(name) {
            self.add_valid(name.to_lowercase().into());
        }
    }

    /// The parts of a qualified name are tags too.
    fn add_valid(&mut self, name: Str) {
        if self.contains(&name) {
            return;
        }
        let parts: Vec<Str> = match name.contains("::") {
            true => name.split("::").map(Str::from).collect(),
            false => Vec::new(),
        };
        self.0.push(name);
        for part in parts {
            self.add_one(part);
        }
    }

    fn add_one(&mut self, tag: Str) {
        if !self.contains(&tag) {
            self.0.push(tag);
        }
    }

    pub fn merge(&mut self, other: &Tags) {
        for tag in &other.0 {
            self.add_one(tag.clone());
        }
    }

    pub fn contains(&self, tag: &str) -> bool {
        self.0.iter().any(|known| known == tag)
    }

    pub fn contains_any(&self, tags: &[Str]) -> bool {
        tags.iter().any(|tag| self.contains(tag))
    }

    pub fn shared(&self) -> Arc<[Str]> {
        self.0.as_slice().into()
    }

    pub fn to_vec(&self) -> Vec<Str> {
        self.0.clone()
    }
}

/// Letters, digits and underscores, then also colons, dots and hyphens; a line end at the end does no harm.
pub fn is_tag(name: &str) -> bool {
    let name = name.strip_suffix('\n').unwrap_or(name);
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    name.starts_with(is_word) && name.chars().all(|character| is_word(character) || ":.-".contains(character))
}
