//! Sets of tags, in the order in which they were added.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexSet;
use pantin_base::names::segments;
use pantin_values::ops::to_s;
use pantin_values::{Fault, Str, Type, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::TagList;

/// Tags by number: the resources of a catalog have thousands of them, and nearly all are those of what contains them. The
/// numbers say nothing beyond this table; which catalogs were numbered by it before makes no difference.
#[derive(Debug)]
pub struct TagNames {
    pool: RefCell<TagPool>,
    /// No other table has it.
    id: u64,
}

impl Default for TagNames {
    fn default() -> TagNames {
        static TABLES: AtomicU64 = AtomicU64::new(0);
        TagNames { pool: RefCell::default(), id: TABLES.fetch_add(1, Ordering::Relaxed) }
    }
}

/// Tables that catalogs leave behind for the next ones, most of whose tags are the same.
#[derive(Default, Debug)]
pub struct TagTables(Mutex<Vec<TagNames>>);

/// One of them, for as long as a catalog is made.
#[derive(Debug)]
pub struct LentNames {
    names: TagNames,
    tables: Arc<TagTables>,
}

/// A table that has more is not kept.
const MANY_NAMES: usize = 20_000;

impl TagTables {
    pub fn lend(self: &Arc<TagTables>) -> LentNames {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        LentNames { names: left.unwrap_or_default(), tables: Arc::clone(self) }
    }
}

impl Deref for LentNames {
    type Target = TagNames;

    fn deref(&self) -> &TagNames {
        &self.names
    }
}

impl Drop for LentNames {
    fn drop(&mut self) {
        let names = std::mem::take(&mut self.names);
        if names.count() < MANY_NAMES {
            self.tables.0.lock().unwrap_or_else(PoisonError::into_inner).push(names);
        }
    }
}

#[derive(Default, Debug)]
struct TagPool {
    names: IndexSet<Str, FxBuildHasher>,
    /// By a name of a type, or a title, as it is written: the tags that it gives.
    by_name: FxHashMap<Str, Arc<[Tag]>>,
}

/// The number of a tag in its table.
pub type Tag = u32;

/// Tags in their order, by the numbers of one table.
#[derive(Debug)]
pub struct Numbers {
    tags: Box<[Tag]>,
    table: u64,
}

#[derive(Clone, Default, Debug)]
pub struct Tags {
    list: Vec<Tag>,
    /// A bit for each of them, which some share: most that are not among them are told by it.
    hint: u64,
    /// The same as bits, where there are so many that a look at each would take long.
    index: Option<Vec<u64>>,
}

/// Nearly all have fewer.
const INDEXED: usize = 128;

impl TagNames {
    fn number(&self, tag: &str) -> Tag {
        let names = &mut self.pool.borrow_mut().names;
        match names.get_index_of(tag) {
            Some(number) => number as Tag,
            None => names.insert_full(tag.into()).0 as Tag,
        }
    }

    fn count(&self) -> usize {
        self.pool.borrow().names.len()
    }

    fn find(&self, tag: &str) -> Option<Tag> {
        self.pool.borrow().names.get_index_of(tag).map(|number| number as Tag)
    }

    /// Returns those of them that anything may have.
    pub fn all_known(&self, tags: &[Str]) -> SmallVec<[Tag; 4]> {
        tags.iter().filter_map(|tag| self.find(tag)).collect()
    }

    /// Returns what a name gives that is as tags are, if that is known.
    fn cached_name_tags(&self, name: &str) -> Option<Arc<[Tag]>> {
        self.pool.borrow().by_name.get(name).filter(|tags| !tags.is_empty() && name.is_ascii()).cloned()
    }

    /// Returns a name, then its parts; nothing, if it cannot be a tag.
    fn name_tags(&self, name: &str) -> Arc<[Tag]> {
        if let Some(known) = self.pool.borrow().by_name.get(name) {
            return known.clone();
        }
        let tags: Arc<[Tag]> = match is_tag(name) {
            true => self.with_parts(&lowercase(name)),
            false => Arc::default(),
        };
        self.pool.borrow_mut().by_name.insert(name.into(), tags.clone());
        tags
    }

    /// The parts of a qualified name are tags too.
    fn with_parts(&self, name: &str) -> Arc<[Tag]> {
        let whole = self.number(name);
        let mut parts: SmallVec<[&str; 8]> = segments(name).collect();
        // What is empty at the end is no part, as wherever Ruby splits a text.
        while parts.last().is_some_and(|part| part.is_empty()) {
            parts.pop();
        }
        let parts = parts.into_iter().map(|part| self.number(part)).filter(|part| *part != whole);
        std::iter::once(whole).chain(parts).collect()
    }
}

impl Tags {
    /// What the parameter `tag` holds: tags, which have to be valid. It is spread out first, as the arguments of a call are in
    /// Ruby: a hash comes to its keys and values.
    pub fn add_values(&mut self, value: &Value, names: &TagNames) -> Result<(), Fault> {
        match value {
            Value::Hash(entries) => entries.iter().try_for_each(|(key, value)| {
                self.add_items(key, names)?;
                self.add_items(value, names)
            }),
            // A reference is a list of parameters there, and has none.
            Value::Resource(_) | Value::Type(Type::Class(Some(_)) | Type::Resource(Some(_))) => Ok(()),
            value => self.add_items(value, names),
        }
    }

    /// Arrays count as their items; all else is a tag as a text.
    fn add_items(&mut self, value: &Value, names: &TagNames) -> Result<(), Fault> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.add_items(item, names)),
            Value::Undef => Ok(()),
            value => self.add(&to_s(value), names),
        }
    }

    pub fn add(&mut self, name: &str, names: &TagNames) -> Result<(), Fault> {
        if let Some(known) = names.cached_name_tags(name) {
            self.add_given(&known);
            return Ok(());
        }
        let name = lowercase(name);
        if self.contains(&name, names) {
            return Ok(());
        }
        if !is_tag(&name) {
            return Err(Fault::new(format!("Invalid tag '{name}'")));
        }
        self.add_given(&names.with_parts(&name));
        Ok(())
    }

    /// A title is a tag if it can be one.
    pub fn add_if_valid(&mut self, name: &str, names: &TagNames) {
        self.add_given(&names.name_tags(name));
    }

    /// Whoever has a name has its parts.
    fn add_given(&mut self, tags: &[Tag]) {
        if let Some((whole, parts)) = tags.split_first()
            && self.add_one(*whole)
        {
            parts.iter().for_each(|part| _ = self.add_one(*part));
        }
    }

    /// Returns true if it is new.
    fn add_one(&mut self, tag: Tag) -> bool {
        let is_new = !self.has(tag);
        if is_new {
            self.push(tag);
        }
        is_new
    }

    fn push(&mut self, tag: Tag) {
        self.list.push(tag);
        self.hint |= 1 << (tag % 64);
        match &mut self.index {
            Some(index) => set(index, tag),
            None if self.list.len() > INDEXED => {
                let mut index = Vec::new();
                self.list.iter().for_each(|tag| set(&mut index, *tag));
                self.index = Some(index);
            }
            None => {}
        }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Of the same table.
    pub fn merge(&mut self, other: &Tags) {
        self.list.reserve(other.list.len());
        other.list.iter().for_each(|tag| _ = self.add_one(*tag));
    }

    /// Tags of a resource that is in a catalog.
    pub fn merge_all<'t>(&mut self, tags: impl Iterator<Item = &'t Str>, names: &TagNames) {
        tags.for_each(|tag| _ = self.add_one(names.number(tag)));
    }

    pub fn contains(&self, tag: &str, names: &TagNames) -> bool {
        names.find(tag).is_some_and(|tag| self.has(tag))
    }

    fn has(&self, tag: Tag) -> bool {
        if self.hint >> (tag % 64) & 1 == 0 {
            return false;
        }
        match &self.index {
            Some(index) => index.get(tag as usize / 64).is_some_and(|bits| bits >> (tag % 64) & 1 == 1),
            None => self.list.contains(&tag),
        }
    }

    pub fn has_any(&self, tags: &[Tag]) -> bool {
        tags.iter().any(|tag| self.has(*tag))
    }

    /// Returns what they are by the numbers of a table, for [`Tags::are`].
    pub fn numbers(&self, names: &TagNames) -> Numbers {
        Numbers { tags: self.list.as_slice().into(), table: names.id }
    }

    /// Returns true if they are these, in this order; `numbers` of the same, perhaps of another table.
    pub fn are(&self, tags: &TagList, numbers: &Numbers, names: &TagNames) -> bool {
        if numbers.table == names.id {
            return *self.list == *numbers.tags;
        }
        let names = &names.pool.borrow().names;
        self.list.len() == tags.len()
            && self.list.iter().zip(tags.iter()).all(|(tag, text)| names[*tag as usize] == *text)
    }

    /// `of`: what contains the resource, where that is in the catalog already, has these tags.
    pub fn listed(&self, names: &TagNames, of: Option<(&Tags, &TagList)>) -> TagList {
        if let Some((container, list)) = of
            && let Some(all) = list.as_shared().filter(|all| all.len() == container.len())
            && let Some(own) = self.list.strip_suffix(container.list.as_slice())
        {
            let names = &names.pool.borrow().names;
            return TagList::new(own.iter().map(|tag| names[*tag as usize].clone()).collect(), Arc::clone(all));
        }
        self.shared(names).into()
    }

    pub fn shared(&self, names: &TagNames) -> Arc<[Str]> {
        let names = &names.pool.borrow().names;
        self.list.iter().map(|tag| names[*tag as usize].clone()).collect()
    }

    pub fn to_vec(&self, names: &TagNames) -> Vec<Str> {
        self.shared(names).to_vec()
    }
}

fn set(index: &mut Vec<u64>, tag: Tag) {
    let place = tag as usize / 64;
    if index.len() <= place {
        index.resize(place + 1, 0);
    }
    index[place] |= 1 << (tag % 64);
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
        let names = TagNames::default();
        let mut tags = Tags::default();
        for number in (0..200).chain(0..200) {
            tags.add(&format!("t{number}"), &names).unwrap();
        }
        let expected: Vec<String> = (0..200).map(|number| format!("t{number}")).collect();
        assert_eq!(tags.to_vec(&names), expected);
        let mut merged = Tags::default();
        merged.add("t7", &names).unwrap();
        merged.merge(&tags);
        assert_eq!((merged.to_vec(&names).len(), merged.to_vec(&names)[1].as_str()), (200, "t0"));
        assert!(merged.contains("t199", &names) && !merged.contains("t200", &names));
    }

    #[test]
    fn a_name_gives_its_parts_and_nothing_where_it_is_no_tag() {
        let names = TagNames::default();
        let mut tags = Tags::default();
        for name in ["Apache::Vhost", "/etc/motd", "apache::vhost", "a::b::a", "x"] {
            tags.add_if_valid(name, &names);
        }
        assert_eq!(tags.to_vec(&names), ["apache::vhost", "apache", "vhost", "a::b::a", "a", "b", "x"]);
        assert!(tags.add("not one", &names).is_err());
    }
}
