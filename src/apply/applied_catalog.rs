//! The resources of a run, by questions: what a type may ask about others.

use std::sync::Arc;

use pantin_values::Str;
use rustc_hash::FxHashMap;

use crate::resource::{AttributeValues, ResourceInfo};

/// The resources of a run, in the order of the catalog. Grows while generated ones come in.
#[derive(Default, Debug)]
pub struct AppliedCatalog {
    entries: Vec<Entry>,
    /// By type in lower case and title or name.
    places: FxHashMap<(String, String), u32>,
}

#[derive(Debug)]
struct Entry {
    info: Arc<ResourceInfo>,
    values: Arc<AttributeValues>,
    /// Another resource has made it.
    is_made: bool,
}

impl AppliedCatalog {
    /// Adds a resource, and gives its number.
    pub(crate) fn add(&mut self, info: Arc<ResourceInfo>, values: Arc<AttributeValues>, name: Option<&str>) -> u32 {
        let number = self.entries.len() as u32;
        let type_name = String::from(info.type_name.to_lowercase());
        if let Some(name) = name.filter(|name| *name != info.title) {
            self.places.entry((type_name.clone(), name.to_owned())).or_insert(number);
        }
        self.places.entry((type_name, info.title.to_string())).or_insert(number);
        self.entries.push(Entry { info, values, is_made: false });
        number
    }

    /// Adds a resource that another one has made.
    pub(crate) fn add_made(
        &mut self,
        info: Arc<ResourceInfo>,
        values: Arc<AttributeValues>,
        name: Option<&str>,
    ) -> u32 {
        let number = self.add(info, values, name);
        self.mark_made(number);
        number
    }

    /// Says that a resource is none of the catalog's own: another one has made it.
    pub(crate) fn mark_made(&mut self, number: u32) {
        if let Some(entry) = self.entries.get_mut(number as usize) {
            entry.is_made = true;
        }
    }

    /// Finds a resource by its type, in any case, and its title or name.
    pub fn find(&self, type_name: &str, title: &str) -> Option<(&ResourceInfo, &AttributeValues)> {
        let number = self.number(type_name, title)?;
        let entry = self.entries.get(number as usize)?;
        Some((&entry.info, &entry.values))
    }

    pub(crate) fn number(&self, type_name: &str, title: &str) -> Option<u32> {
        self.places.get(&(type_name.to_lowercase(), title.to_owned())).copied()
    }

    /// Returns all resources of a type, in any case.
    pub fn of_type<'c>(&'c self, type_name: &'c str) -> impl Iterator<Item = (&'c ResourceInfo, &'c AttributeValues)> {
        let is_of_type = move |entry: &&Entry| entry.info.type_name.eq_ignore_ascii_case(type_name);
        self.entries.iter().filter(is_of_type).map(|entry| (&*entry.info, &*entry.values))
    }

    /// Like `of_type`, without what other resources have made.
    pub fn declared_of_type<'c>(
        &'c self,
        type_name: &'c str,
    ) -> impl Iterator<Item = (&'c ResourceInfo, &'c AttributeValues)> {
        let is_meant = move |entry: &&Entry| !entry.is_made && entry.info.type_name.eq_ignore_ascii_case(type_name);
        self.entries.iter().filter(is_meant).map(|entry| (&*entry.info, &*entry.values))
    }

    pub(crate) fn values(&self, number: u32) -> Option<&Arc<AttributeValues>> {
        self.entries.get(number as usize).map(|entry| &entry.values)
    }

    /// Puts what is known of a resource in the place of what was known before.
    pub(crate) fn replace(&mut self, number: u32, info: Arc<ResourceInfo>, values: Arc<AttributeValues>) {
        if let Some(entry) = self.entries.get_mut(number as usize) {
            *entry = Entry { info, values, is_made: entry.is_made };
        }
    }

    /// Adds another name for a resource.
    pub(crate) fn add_alias(&mut self, number: u32, type_name: &str, alias: &Str) {
        self.places.entry((type_name.to_lowercase(), alias.to_string())).or_insert(number);
    }
}
