//! All that is loaded of an environment, and the states that nodes can be in: nodes of one state share an injector.
//! It must not know what is effective in a state.

use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use pantin_values::Str;
use rustc_hash::FxHashMap;

use super::condition::{Conjunction, State};
use super::injector::{Binding, Injector, Layer};
use super::key::Key;
use super::loading::load;
use super::outside::Outside;
use super::problem::Problem;

/// The bindings of all layers, whatever their conditions.
#[derive(Debug)]
pub struct Table {
    pub layers: Vec<Layer>,
    /// In canonical order.
    pub(crate) loaded: Vec<Binding>,
    pub(crate) by_key: FxHashMap<Key, Vec<usize>>,
    /// The problems that show in the files themselves.
    pub(crate) problems: Vec<Problem>,
}

impl Table {
    /// Loads the definitions of all layers. Of the state the order of the categories counts alone.
    pub fn new(layers: Vec<Layer>, state: &State) -> Table {
        let mut problems = Vec::new();
        let loaded = load(&layers, state, &mut problems);
        Table { problems, ..Table::from_loaded(layers, loaded) }
    }

    pub(crate) fn from_loaded(layers: Vec<Layer>, loaded: Vec<Binding>) -> Table {
        Table { by_key: super::injector::by_key(&loaded), layers, loaded, problems: Vec::new() }
    }

    /// Returns the files that the definitions were read from.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let definitions = self.layers.iter().flat_map(|layer| &layer.definitions);
        definitions.filter_map(|definition| definition.source.as_ref()?.name())
    }

    /// Returns true if something is wrong with the files, or doubtful.
    pub fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }
}

/// The injectors of an environment: one for each state that a node was in.
#[derive(Debug)]
pub struct SharedInjectors {
    table: Arc<Table>,
    /// The categories that conditions name, each with the values that they name, in lower case.
    named: Vec<(Str, FxHashMap<Str, u32>)>,
    conditions: Vec<Conjunction>,
    /// The injectors by the numbers of the values of those categories; 0: a value that no condition names.
    by_values: InjectorsBy<Box<[u32]>>,
    /// The injectors by which conditions hold.
    by_truth: InjectorsBy<Box<[bool]>>,
}

/// An injector, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct SharedInjector {
    pub injector: Arc<Injector>,
    pub problems: Arc<[Problem]>,
}

impl SharedInjectors {
    pub fn new(table: Table) -> SharedInjectors {
        let mut named: Vec<(Str, FxHashMap<Str, u32>)> = Vec::new();
        let mut conditions: Vec<Conjunction> = Vec::new();
        let mut known = rustc_hash::FxHashSet::default();
        for binding in &table.loaded {
            if !known.insert(Arc::clone(&binding.conjunction)) {
                continue;
            }
            conditions.push(Arc::clone(&binding.conjunction));
            for (category, values) in &*binding.conjunction {
                let place = named.iter().position(|(known, _)| known == category).unwrap_or_else(|| {
                    named.push((category.clone(), FxHashMap::default()));
                    named.len() - 1
                });
                let numbers = &mut named[place].1;
                for value in values {
                    let next = numbers.len() as u32 + 1;
                    numbers.entry(value.to_ascii_lowercase()).or_insert(next);
                }
            }
        }
        SharedInjectors {
            table: Arc::new(table),
            named,
            conditions,
            by_values: RwLock::default(),
            by_truth: RwLock::default(),
        }
    }

    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Returns the injector of a state. What is wrong with it may depend on the node where making it asks the outside: such an
    /// injector is the node's own.
    pub fn injector_for(&self, state: &State, outside: &mut dyn Outside) -> SharedInjector {
        let values: Box<[u32]> = self
            .named
            .iter()
            .map(|(category, numbers)| {
                let value = state.value(category).map(|value| value.to_ascii_lowercase());
                value.and_then(|value| numbers.get(&value)).copied().unwrap_or(0)
            })
            .collect();
        if let Some(known) = find(&self.by_values, &values) {
            return (*known).clone();
        }
        let truth: Box<[bool]> = self.conditions.iter().map(|condition| state.holds(condition)).collect();
        let shared = match find(&self.by_truth, &truth) {
            Some(known) => known,
            None => {
                let asked = outside.runtime().node_questions();
                let (injector, problems) = Injector::from_table(Arc::clone(&self.table), state.clone(), outside);
                let made = Arc::new(SharedInjector { injector: Arc::new(injector), problems: problems.into() });
                if outside.runtime().node_questions() != asked {
                    return (*made).clone();
                }
                insert(&self.by_truth, truth, made)
            }
        };
        (*insert(&self.by_values, values, shared)).clone()
    }

    /// Returns how many injectors were made.
    pub fn count(&self) -> usize {
        self.by_truth.read().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// The injectors that were made, each by what makes states alike.
type InjectorsBy<K> = RwLock<FxHashMap<K, Arc<SharedInjector>>>;

fn find<K: Hash + Eq>(known: &InjectorsBy<K>, key: &K) -> Option<Arc<SharedInjector>> {
    known.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
}

/// Adds an injector, unless another thread was quicker: then what it made counts.
fn insert<K: Hash + Eq>(known: &InjectorsBy<K>, key: K, made: Arc<SharedInjector>) -> Arc<SharedInjector> {
    Arc::clone(known.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(made))
}
