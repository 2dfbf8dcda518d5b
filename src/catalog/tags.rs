//! Tags: a set in the order in which they came.

use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};

use crate::base::names::{is_qualified, segments};
use crate::pcore::ops::to_s;
use crate::pcore::{Fault, Str, Value};

#[derive(Clone, Default, Debug)]
pub struct Tags {
    list: Vec<Str>,
    /// Of each a hash: most that are compared differ in it.
    hashes: Vec<u32>,
    /// The same, where there are so many that a look at each would take long.
    index: Option<FxHashSet<Str>>,
}

/// Nearly all have fewer.
const INDEXED: usize = 64;

impl Tags {
    /// Explicit tags, which have to be valid; arrays of them count as their items.
    pub fn add_values(&mut self, value: &Value) -> Result<(), Fault> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.add_values(item)),
            // A reference is a list of parameters there, and has none.
            Value::Undef | Value::Type(_) | Value::Resource(_) => Ok(()),
            value => self.add(&to_s(value)),
        }
    }

    pub fn add(&mut self, name: &str) -> Result<(), Fault> {
        let name = lowercase(name);
        if self.contains(&name) {
            return Ok(());
        }
        if !is_tag(&name) {
            return Err(Fault::new(format!("Invalid tag '{name}'")));
        }
        self.add_valid(&name);
        Ok(())
    }

    /// A title is a tag if it can be one.
    pub fn add_if_valid(&mut self, name: &str) {
        if is_tag(name) {
            self.add_valid(&lowercase(name));
        }
    }

    /// The parts of a qualified name are tags too.
    fn add_valid(&mut self, name: &str) {
        if self.add_one(name) && is_qualified(name) {
            segments(name).for_each(|part| {
                self.add_one(part);
            });
        }
    }

    /// Whether it is new.
    fn add_one(&mut self, tag: &str) -> bool {
        let hash = hash(tag);
        let is_new = !self.has(tag, hash);
        if is_new {
            self.push(tag.into(), hash);
        }
        is_new
    }

    fn push(&mut self, tag: Str, hash: u32) {
        match &mut self.index {
            Some(index) => {
                index.insert(tag.clone());
            }
            None if self.list.len() == INDEXED => {
                self.index = Some(self.list.iter().chain([&tag]).cloned().collect());
            }
            None => {}
        }
        self.list.push(tag);
        self.hashes.push(hash);
    }

    pub fn merge(&mut self, other: &Tags) {
        self.reserve(other.list.len());
        for (tag, hash) in other.list.iter().zip(&other.hashes) {
            if !self.has(tag, *hash) {
                self.push(tag.clone(), *hash);
            }
        }
    }

    /// Tags of a resource that is in a catalog.
    pub fn merge_all(&mut self, tags: &[Str]) {
        self.reserve(tags.len());
        for tag in tags {
            let hash = hash(tag);
            if !self.has(tag, hash) {
                self.push(tag.clone(), hash);
            }
        }
    }

    fn reserve(&mut self, more: usize) {
        self.list.reserve(more);
        self.hashes.reserve(more);
    }

    pub fn contains(&self, tag: &str) -> bool {
        self.has(tag, hash(tag))
    }

    fn has(&self, tag: &str, hash: u32) -> bool {
        match &self.index {
            Some(index) => index.contains(tag),
            None => self.hashes.iter().zip(&self.list).any(|(known, name)| *known == hash && name == tag),
        }
    }

    pub fn contains_any(&self, tags: &[Str]) -> bool {
        tags.iter().any(|tag| self.contains(tag))
    }

    pub fn shared(&self) -> Arc<[Str]> {
        self.list.as_slice().into()
    }

    pub fn to_vec(&self) -> Vec<Str> {
        self.list.clone()
    }
}

fn hash(tag: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(tag.as_bytes());
    hasher.finish() as u32
}

fn lowercase(name: &str) -> Str {
    match name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        true => name.into(),
        false => name.to_lowercase().into(),
    }
}

/// Letters, digits and underscores, then also colons, dots and hyphens; a line end at the end does no harm.
fn is_tag(name: &str) -> bool {
    let name = name.strip_suffix('\n').unwrap_or(name);
    if name.is_ascii() {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        return name.bytes().next().is_some_and(is_word)
            && name.bytes().all(|byte| is_word(byte) || matches!(byte, b':' | b'.' | b'-'));
    }
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    name.starts_with(is_word) && name.chars().all(|character| is_word(character) || ":.-".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_tags_are_in_order_and_each_once() {
        let mut tags = Tags::default();
        for number in (0..200).chain(0..200) {
            tags.add(&format!("t{number}")).unwrap();
        }
        let names: Vec<String> = (0..200).map(|number| format!("t{number}")).collect();
        assert_eq!(tags.to_vec(), names);
        let mut merged = Tags::default();
        merged.add("t7").unwrap();
        merged.merge(&tags);
        assert_eq!((merged.to_vec().len(), merged.to_vec()[1].as_str()), (200, "t0"));
        assert!(merged.contains("t199") && !merged.contains("t200"));
    }
}
