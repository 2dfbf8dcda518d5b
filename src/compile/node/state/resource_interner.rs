//! The interner of resources: equal resources of several nodes are made and rendered once.
//!
//! Most resources of a node are those of a node before it. One is known again by what it was made from, so that it need not
//! be made to be compared. Knows nothing of why two are alike: whether code was run for both counts for nothing.

use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

use pantin_model::catalog;
use pantin_model::catalog::kinds::TypeRef;
use pantin_model::catalog::{Numbers, TagNames};
use pantin_model::trace::At;
use pantin_values::{Fault, NamedValues, Str, Value, identical};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::resource::{ExportFlag, Resource};

/// Those that the nodes of one environment had lately.
#[derive(Default)]
pub(crate) struct ResourceInterner {
    shards: [RwLock<RecentResources>; SHARDS],
    /// Of the parameters of a resource: there are few others.
    names: RwLock<FxHashSet<Arc<[Str]>>>,
}

const SHARDS: usize = 32;

/// Of each shard, so many resources are young before the old ones go: of several thousand nodes no more is kept than of
/// a hundred.
const YOUNG: usize = 200;

/// Lists of names, when they are forgotten.
const MANY_NAMES: usize = 5_000;

/// Of one type and title so many are kept: nodes of other kinds have it with other tags.
const VARIANTS: usize = 4;

/// By type and title, those that were of use lately, and those that were before.
#[derive(Default)]
struct RecentResources {
    young: FxHashMap<u64, Variants>,
    old: FxHashMap<u64, Variants>,
}

/// Those of one type and title, the one that was of use last first.
type Variants = Vec<InternedResource>;

struct InternedMatch {
    made: Arc<catalog::Resource>,
    /// Whether it is the one that was of use last.
    is_first: bool,
}

struct InternedResource {
    made: Arc<catalog::Resource>,
    /// What it was made of, beside what it shows as it is. What comes of a title is known for a type of resources alone.
    native: Option<TypeRef>,
    has_text_title: bool,
    exported: ExportFlag,
    at: Option<At>,
    tags: Numbers,
    params: Box<[(Str, Value)]>,
}

impl ResourceInterner {
    /// Returns the one that was made of the same for another node, or `make`s it.
    pub(super) fn get(
        &self,
        resource: &Resource,
        names: &TagNames,
        make: impl FnOnce() -> Result<catalog::Resource, Fault>,
    ) -> Result<Arc<catalog::Resource>, Fault> {
        let key = key(resource);
        let shard = &self.shards[(key >> 40) as usize % SHARDS];
        let write = || shard.write().unwrap_or_else(PoisonError::into_inner);
        // Threads that work on nodes of one kind ask for the same at the same time: they need not wait for one another.
        let found = shard.read().unwrap_or_else(PoisonError::into_inner).find(key, resource, names);
        if let Some(InternedMatch { made, is_first }) = found {
            if !is_first {
                write().put_first(key, &made);
            }
            made.rendered.want();
            return Ok(made);
        }
        let mut made = make()?;
        self.share_names(&mut made.parameters);
        let made = Arc::new(made);
        let known = InternedResource::new(resource, &made, names);
        if known.params.iter().all(|(_, value)| !names_type(value)) {
            write().add(key, known);
        }
        Ok(made)
    }

    fn share_names(&self, parameters: &mut NamedValues) {
        let known = self.names.read().unwrap_or_else(PoisonError::into_inner).get(&**parameters.names()).cloned();
        match known {
            Some(known) => parameters.share_names(known),
            None => {
                let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
                if names.len() >= MANY_NAMES {
                    names.clear();
                }
                names.insert(Arc::clone(parameters.names()));
            }
        }
    }
}

impl RecentResources {
    fn find(&self, key: u64, resource: &Resource, names: &TagNames) -> Option<InternedMatch> {
        let young = self.young.get(&key);
        let variants = young.or_else(|| self.old.get(&key))?;
        let place = variants.iter().position(|known| known.is(resource, names))?;
        Some(InternedMatch { made: variants[place].made.clone(), is_first: place == 0 && young.is_some() })
    }

    /// It was of use now.
    fn put_first(&mut self, key: u64, made: &Arc<catalog::Resource>) {
        if !self.young.contains_key(&key)
            && let Some(variants) = self.old.remove(&key)
        {
            self.grow_up();
            self.young.insert(key, variants);
        }
        let variants = self.young.get_mut(&key).map(Vec::as_mut_slice).unwrap_or_default();
        if let Some(place) = variants.iter().position(|known| Arc::ptr_eq(&known.made, made)) {
            variants[..=place].rotate_right(1);
        }
    }

    fn add(&mut self, key: u64, known: InternedResource) {
        // Whoever takes a resource takes it with other tags, too, and wherever it stands.
        let variants = self.young.get(&key).or_else(|| self.old.get(&key));
        if let Some(other) = variants.and_then(|variants| variants.iter().find(|other| other.has_parameters_of(&known)))
        {
            known.made.note_accepted_like(&other.made);
        }
        self.grow_up();
        let variants = self.young.entry(key).or_default();
        variants.truncate(VARIANTS - 1);
        variants.insert(0, known);
    }

    fn grow_up(&mut self) {
        if self.young.len() >= YOUNG {
            self.old = std::mem::take(&mut self.young);
        }
    }
}

impl InternedResource {
    fn new(resource: &Resource, made: &Arc<catalog::Resource>, names: &TagNames) -> InternedResource {
        InternedResource {
            made: made.clone(),
            native: resource.native_type().cloned(),
            has_text_title: resource.has_text_title,
            exported: resource.exported,
            at: resource.at.clone(),
            tags: resource.tags.numbers(names),
            params: resource.params.iter().map(|param| (param.name.clone(), param.value())).collect(),
        }
    }

    /// Returns true if an agent that takes the one takes the other.
    fn has_parameters_of(&self, other: &InternedResource) -> bool {
        let InternedResource { made, native, has_text_title, exported: _, at: _, tags: _, params } = self;
        made.title == other.made.title
            && made.type_name == other.made.type_name
            && made.kind == other.made.kind
            && *has_text_title == other.has_text_title
            && native.as_deref().map(std::ptr::from_ref) == other.native.as_deref().map(std::ptr::from_ref)
            && made.sensitive == other.made.sensitive
            && params.len() == other.params.len()
            && params
                .iter()
                .zip(&other.params)
                .all(|((name, value), (other_name, other_value))| name == other_name && identical(value, other_value))
    }

    fn is(&self, resource: &Resource, names: &TagNames) -> bool {
        let InternedResource { made, native: known_native, has_text_title, exported, at, tags, params } = self;
        made.title == resource.title
            && made.type_name == resource.type_name
            && made.kind == resource.kind
            && *has_text_title == resource.has_text_title
            && *exported == resource.exported
            && known_native.as_deref().map(std::ptr::from_ref) == resource.native().map(std::ptr::from_ref)
            && is_same_place(at.as_ref(), resource.at.as_ref())
            && *made.sensitive == *resource.sensitive
            && params.len() == resource.params.len()
            && params
                .iter()
                .zip(&resource.params)
                .all(|((name, value), param)| *name == param.name && identical(value, &param.value.borrow()))
            && resource.tags.are(&made.tags, tags, names)
    }
}

fn key(resource: &Resource) -> u64 {
    FxBuildHasher.hash_one((resource.type_name.as_str(), resource.title.as_str()))
}

fn is_same_place(one: Option<&At>, other: Option<&At>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(&one.unit, &other.unit) && one.node == other.node,
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Returns true if a type of resources stands in it, without a title: what is made of that depends on the type as well.
fn names_type(value: &Value) -> bool {
    match value {
        Value::Resource(reference) => reference.title.is_empty(),
        Value::Array(items) => items.iter().any(names_type),
        _ => false,
    }
}
