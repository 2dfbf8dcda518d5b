//! The injector of one state: of all that is loaded what matches, and of each key what is effective.
//!
//! Every step is a function of sets. Where an order is needed it is the canonical one: layer, vector, name of the definition,
//! place in it. In which order files were found or read has no part in it.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use pantin_syntax::bindings::{DependencyArrow, Subject, rule};
use pantin_values::{Fault, Str, identical};
use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::Replacements;
use super::condition::{Conjunction, Rank, State, Vector};
use super::definition::{Callback, Definition, Entry, EntryKind, Role};
use super::key::Key;
use super::outside::Outside;
use super::problem::{Place, Problem, sort_problems};
use super::produce::with_place;
use super::rows::Rows;
use super::table::Table;

/// A layer with its definitions.
#[derive(Clone, Debug)]
pub struct Layer {
    pub title: Str,
    pub definitions: Vec<Arc<Definition>>,
    /// Whether the data of Hiera is among them.
    pub has_data: bool,
    /// Keys that may be bound beside these, where no node is known.
    pub unknown: UnknownKeys,
}

/// The keys that a layer may bind and that only a node decides: a check without a node takes them for bound.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnknownKeys {
    #[default]
    None,
    /// Those of an ENC: variables, and parameters of classes.
    OfClassifier,
    /// Whatever the provider of a scheme gives.
    Any,
}

impl UnknownKeys {
    pub(crate) fn contains(self, key: &Key) -> bool {
        match self {
            UnknownKeys::None => false,
            UnknownKeys::OfClassifier => key.variable_name().is_some() || class_parameter(key).is_some(),
            UnknownKeys::Any => true,
        }
    }
}

impl Layer {
    /// Returns true if a function is contributed that provides the bindings of a scheme.
    pub fn provides(&self, scheme: &str) -> bool {
        let mut entries = self.definitions.iter().flat_map(|definition| &definition.entries);
        entries.any(|entry| {
            matches!(&entry.role, Role::Fragment { id, name: Some(name) } if id == "bindings_providers" && name == scheme)
        })
    }
}

/// An edge between resources that bindings want.
pub type Dependency = (Subject, DependencyArrow, Subject);

/// One entry under one of its conjunctions.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub key: Option<Key>,
    pub rank: Rank,
    pub definition: Arc<Definition>,
    pub entry: usize,
    pub conjunction: Conjunction,
}

impl Binding {
    pub(crate) fn entry(&self) -> &Entry {
        &self.definition.entries[self.entry]
    }

    pub(crate) fn place(&self) -> Place {
        self.definition.place(self.entry().span)
    }

    /// Returns true if both come of one entry, under two of its alternatives.
    pub(crate) fn is_same_entry(&self, other: &Binding) -> bool {
        Arc::ptr_eq(&self.definition, &other.definition) && self.entry == other.entry
    }

    pub(crate) fn canonical(&self, other: &Binding) -> Ordering {
        // Two folders may define one name: the path tells them apart.
        let place = |binding: &Binding| {
            let Definition { name, shown, .. } = &*binding.definition;
            (Arc::clone(name), Arc::clone(shown), binding.entry().span.start, binding.entry)
        };
        other.rank.cmp(&self.rank).then_with(|| place(self).cmp(&place(other)))
    }

    pub(crate) fn is_concrete(&self) -> bool {
        !self.entry().is_abstract
    }
}

#[derive(Debug)]
pub struct Injector {
    pub state: State,
    /// All that is loaded, whatever its condition.
    pub table: Arc<Table>,
    /// What matches, in canonical order.
    pub(crate) bindings: Vec<Binding>,
    pub(crate) by_key: FxHashMap<Key, Vec<usize>>,
    pub(crate) keys: Vec<Key>,
    /// The keys of parameters that are bound by name, ascending, by the text of what they are for.
    pub(crate) parameters: FxHashMap<String, Vec<Key>>,
    /// The types of resources whose parameters are bound, in lower case, ascending.
    pub(crate) bound_types: Vec<String>,
    pub(crate) fragments: FxHashMap<Str, Vec<usize>>,
    /// Sources of parameters, by the text of what they are for.
    pub(crate) sources: FxHashMap<String, Vec<usize>>,
    /// Renames by the key that they take away.
    pub(crate) renames: FxHashMap<Key, Vec<usize>>,
    pub(crate) replacements: Replacements,
    pub dependencies: Vec<(Dependency, Place)>,
    /// The rows whose values decide whether anything is wrong, once somebody asks.
    pub(crate) constrained: OnceLock<Rows>,
}

/// From where a key is seen.
#[derive(Clone, Debug)]
pub(crate) struct View<'r> {
    pub rank: &'r Rank,
    pub is_inclusive: bool,
    /// The binding that looks.
    pub viewer: usize,
}

impl View<'_> {
    pub(crate) fn reaches(&self, rank: &Rank) -> bool {
        if self.is_inclusive { rank <= self.rank } else { rank < self.rank }
    }
}

/// One step of what is asked for a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    Binding(usize),
    /// The data of Hiera.
    Data,
}

/// The effective bindings of a key: all but the last are optional.
#[derive(Clone, Default, Debug)]
pub(crate) struct Chain {
    pub links: Vec<Link>,
    /// Where the way ends without a value: an abstract group.
    pub abstract_end: Option<usize>,
    /// Where it ends if the data above has no value: bindings that are in conflict.
    pub conflict: Option<Box<Problem>>,
}

impl Injector {
    /// Makes the injector of a state, and says all that is wrong with it.
    pub fn new(layers: Vec<Layer>, state: State, outside: &mut dyn Outside) -> (Injector, Vec<Problem>) {
        Injector::from_table(Arc::new(Table::new(layers, &state)), state, outside)
    }

    /// Makes the injector of a state out of what is loaded, and says all that is wrong with it.
    pub fn from_table(table: Arc<Table>, state: State, outside: &mut dyn Outside) -> (Injector, Vec<Problem>) {
        let mut problems = table.problems.clone();
        let mut injector = Injector::over(table, state);
        if problems.iter().any(Problem::ends_the_making) {
            sort_problems(&mut problems);
            return (injector, problems);
        }
        injector.check_loaded(outside, &mut problems);
        injector.make(outside, &mut problems);
        sort_problems(&mut problems);
        (injector, problems)
    }

    /// Returns an injector of which nothing is selected yet.
    pub(crate) fn over(table: Arc<Table>, state: State) -> Injector {
        Injector {
            bindings: Vec::new(),
            by_key: FxHashMap::default(),
            keys: Vec::new(),
            parameters: FxHashMap::default(),
            bound_types: Vec::new(),
            fragments: FxHashMap::default(),
            sources: FxHashMap::default(),
            renames: FxHashMap::default(),
            replacements: FxHashMap::default(),
            dependencies: Vec::new(),
            constrained: OnceLock::new(),
            table,
            state,
        }
    }

    /// Selects what matches, and says what is wrong with that.
    pub(crate) fn make(&mut self, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
        self.select();
        self.check_renames(problems);
        self.check_keys(outside, problems);
        self.check_sources(problems);
        self.check_source_maps(problems);
        self.check_multibinds(problems);
        self.check_classes(problems);
        self.find_replacements(problems);
        self.find_dependencies();
        let subjects = self.parameters.keys().chain(self.sources.keys());
        self.bound_types = subjects.filter_map(|of| bound_type(of)).collect();
        self.bound_types.sort();
        self.bound_types.dedup();
    }

    /// Returns the problem of a binding, in the order of its place.
    pub(crate) fn problem(&self, binding: &Binding, found: rule::Rule, message: String) -> Problem {
        let mut problem = Problem::new(found, message, binding.place());
        problem.order = (binding.rank.layer, Arc::clone(&binding.definition.name));
        problem
    }

    /// Keeps what matches: of the same binding that an `or` made several of the highest.
    fn select(&mut self) {
        let mut seen = FxHashSet::default();
        let table = Arc::clone(&self.table);
        let matching = table.loaded.iter().filter(|binding| self.state.holds(&binding.conjunction));
        let highest = matching.filter(|binding| seen.insert((Arc::as_ptr(&binding.definition), binding.entry)));
        self.bindings = highest.cloned().collect();
        self.expand_rebinds();
        self.bindings.sort_by(Binding::canonical);
        self.by_key = by_key(&self.bindings);
        self.keys = self.by_key.keys().cloned().collect();
        self.keys.sort();
        self.index_parameters();
        for (index, binding) in self.bindings.iter().enumerate() {
            match &binding.entry().role {
                Role::Fragment { id, .. } => self.fragments.entry(id.clone()).or_default().push(index),
                Role::Source(source) => self.sources.entry(source.target.key_text()).or_default().push(index),
                _ => {}
            }
            if let EntryKind::Copy(copy) = &binding.entry().kind
                && copy.is_rename
            {
                self.renames.entry(copy.old.clone()).or_default().push(index);
            }
        }
    }

    fn index_parameters(&mut self) {
        for key in &self.keys {
            if let Some((of, _)) = key.parameter_parts() {
                self.parameters.entry(of.to_owned()).or_default().push(key.clone());
            }
        }
    }

    /// `rebind parameters T` is a rebind of each parameter that is bound below it.
    fn expand_rebinds(&mut self) {
        let is_whole = |binding: &Binding| binding.key.as_ref().is_some_and(|key| key.text().ends_with('/'));
        let (whole, mut single): (Vec<Binding>, Vec<Binding>) = std::mem::take(&mut self.bindings)
            .into_iter()
            .partition(|binding| matches!(binding.entry().kind, EntryKind::Copy(_)) && is_whole(binding));
        let mut added = Vec::new();
        for rebind in whole {
            let prefix = rebind.key.as_ref().map(|key| key.text().to_owned()).unwrap_or_default();
            let below = single.iter().filter(|binding| binding.rank < rebind.rank);
            let keys: std::collections::BTreeSet<Key> = below
                .filter_map(|binding| binding.key.clone())
                .filter(|key| key.text().strip_prefix(&prefix).is_some_and(|name| !name.contains('/')))
                .collect();
            added.extend(keys.into_iter().map(|key| Binding { key: Some(key), ..rebind.clone() }));
        }
        single.append(&mut added);
        self.bindings = single;
    }

    // ---- what is effective

    fn is_erased(&self, index: usize, viewer: Option<usize>) -> bool {
        let binding = &self.bindings[index];
        binding.key.as_ref().is_some_and(|key| self.is_erased_at(key, &binding.rank, Some(index), viewer))
    }

    /// Returns true if a rename takes away what a key has at a rank. `index`: the binding there; `None`: the data of Hiera.
    fn is_erased_at(&self, key: &Key, at: &Rank, index: Option<usize>, viewer: Option<usize>) -> bool {
        let Some(renames) = self.renames.get(key) else { return false };
        let is_rename_of_rank =
            |rank: &Rank| viewer.is_some_and(|viewer| renames.contains(&viewer) && self.bindings[viewer].rank == *rank);
        renames.iter().any(|&rename| {
            let rank = &self.bindings[rename].rank;
            Some(rename) != index && at <= rank && !is_rename_of_rank(rank)
        })
    }

    /// Returns the rename because of which a key cannot be seen.
    pub(crate) fn renamed_away(&self, key: &Key) -> Option<Place> {
        let candidates = self.by_key.get(key)?;
        candidates.iter().find(|&&index| self.is_erased(index, None))?;
        self.renames.get(key)?.first().map(|&rename| self.bindings[rename].place())
    }

    /// Returns the groups of a key's bindings, one for each rank, from the highest.
    pub(crate) fn groups(&self, key: &Key, view: Option<&View<'_>>) -> Vec<(Rank, Vec<usize>)> {
        let mut groups: Vec<(Rank, Vec<usize>)> = Vec::new();
        for &index in self.by_key.get(key).map(Vec::as_slice).unwrap_or_default() {
            let binding = &self.bindings[index];
            if !view.is_none_or(|view| view.reaches(&binding.rank))
                || view.is_some_and(|view| view.viewer == index && !self.is_alias_of_itself(index))
                || self.is_erased(index, view.map(|view| view.viewer))
            {
                continue;
            }
            match groups.last_mut() {
                Some((rank, group)) if *rank == binding.rank => group.push(index),
                _ => groups.push((binding.rank.clone(), vec![index])),
            }
        }
        groups
    }

    /// Returns true for an alias of its own key, which sees itself.
    fn is_alias_of_itself(&self, index: usize) -> bool {
        let binding = &self.bindings[index];
        match &binding.entry().kind {
            EntryKind::Copy(copy) => !copy.is_rebind && !copy.is_rename && Some(&copy.old) == binding.key.as_ref(),
            _ => false,
        }
    }

    /// Returns the ranks at which data may bind a key, or what a node alone knows, as far as a view reaches, from the highest.
    pub(crate) fn data_ranks(&self, key: &Key, view: Option<&View<'_>>) -> Vec<Rank> {
        let is_in_data = key.data_name().is_some() || class_parameter(key).is_some();
        let ranks = self.table.layers.iter().enumerate().flat_map(|(layer, of)| {
            let rank = |weight| Rank { layer, vector: Vector(vec![weight]) };
            // What a node decides may have any condition.
            let highest = of.unknown.contains(key).then(|| rank(u32::MAX));
            let lowest = highest.is_some() || (of.has_data && is_in_data);
            highest.into_iter().chain(lowest.then(|| rank(1)))
        });
        let is_seen = |rank: &Rank| {
            view.is_none_or(|view| view.reaches(rank))
                && !self.is_erased_at(key, rank, None, view.map(|view| view.viewer))
        };
        ranks.filter(is_seen).collect()
    }

    /// Returns what is asked for the value of a key, one after the other.
    pub(crate) fn chain(&self, key: &Key, view: Option<&View<'_>>) -> Result<Chain, Box<Problem>> {
        let mut chain = Chain::default();
        let mut data = self.data_ranks(key, view).into_iter().peekable();
        for (rank, group) in self.groups(key, view) {
            while data.next_if(|data| *data > rank).is_some() {
                chain.links.push(Link::Data);
            }
            let concrete: Vec<usize> =
                group.iter().copied().filter(|&index| self.bindings[index].is_concrete()).collect();
            let Some(&first) = concrete.first() else {
                chain.abstract_end = group.first().copied();
                return Ok(chain);
            };
            if let Some(problem) = self.conflict(key, &concrete).map(Box::new) {
                if !chain.links.contains(&Link::Data) {
                    return Err(problem);
                }
                chain.conflict = Some(problem);
                return Ok(chain);
            }
            chain.links.push(Link::Binding(first));
            if !self.bindings[first].entry().is_optional {
                return Ok(chain);
            }
        }
        chain.links.extend(data.map(|_| Link::Data));
        Ok(chain)
    }

    /// Bindings of one key and one rank that are not the same.
    pub(crate) fn conflict(&self, key: &Key, group: &[usize]) -> Option<Problem> {
        let (&first, others) = group.split_first()?;
        if others.iter().all(|&other| self.is_equal(first, other)) {
            return None;
        }
        let (first, second) = (&self.bindings[first], &self.bindings[*others.first()?]);
        let layer = self.table.layers.get(first.rank.layer).map(|layer| layer.title.to_string()).unwrap_or_default();
        let message = format!(
            "The binding of {key} in category '{}' at {} is in conflict with the same binding at {} (layer '{layer}')",
            self.condition_text(&first.conjunction),
            first.place().at(),
            second.place().at()
        );
        let mut problem = self.problem(first, rule::CONFLICT, message);
        for &other in others {
            problem = problem.with_related(self.bindings[other].place(), "the other");
        }
        Some(problem)
    }

    fn is_equal(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.bindings[one].entry(), self.bindings[other].entry());
        if one.declared != other.declared {
            return false;
        }
        match (&one.kind, &other.kind) {
            (EntryKind::Constant(one), EntryKind::Constant(other)) => identical(one, other),
            (EntryKind::Map(one), EntryKind::Map(other)) => one == other,
            (EntryKind::Multibind(one), EntryKind::Multibind(other)) => {
                let has_same_combinator = match (&one.combinator, &other.combinator) {
                    (None, None) => true,
                    (Some(Callback::Named(one)), Some(Callback::Named(other))) => one == other,
                    _ => false,
                };
                one.id == other.id && has_same_combinator
            }
            _ => false,
        }
    }

    /// Returns a condition as messages write it: `node kermit.example.com, virtual true|false`.
    pub(crate) fn condition_text(&self, conjunction: &Conjunction) -> String {
        let mut parts: Vec<&(Str, Vec<Str>)> = conjunction.iter().collect();
        parts.sort_by_key(|(name, _)| std::cmp::Reverse(self.state.number(name)));
        let shown = parts.iter().map(|(name, values)| format!("{name} {}", values.join("|")));
        let shown: Vec<String> = shown.collect();
        if shown.is_empty() { "common".to_owned() } else { shown.join(", ") }
    }

    fn find_dependencies(&mut self) {
        let mut told = FxHashSet::default();
        let mut found = Vec::new();
        for binding in &self.bindings {
            let Role::Dependency(pairs) = &binding.entry().role else { continue };
            for pair in &**pairs {
                let (from, arrow, to) = pair;
                if told.insert((from.shown().to_lowercase(), *arrow as u8, to.shown().to_lowercase())) {
                    found.push((pair.clone(), binding.place()));
                }
            }
        }
        self.dependencies = found;
    }
}

/// Returns the key in the data of a parameter of a class.
pub(crate) fn class_parameter(key: &Key) -> Option<String> {
    let (of, name) = key.parameter_parts()?;
    let class = of.strip_prefix("Class[")?.strip_suffix(']')?;
    Some(format!("{class}::{name}"))
}

pub(crate) fn by_key(bindings: &[Binding]) -> FxHashMap<Key, Vec<usize>> {
    let mut keys: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (index, binding) in bindings.iter().enumerate() {
        if let Some(key) = &binding.key {
            keys.entry(key.clone()).or_default().push(index);
        }
    }
    keys
}

/// Returns the type of resources that parameters are of, in lower case; `None`: they are those of a class or of
/// objects.
fn bound_type(of: &str) -> Option<String> {
    match super::classes::parameter_subject(of)?.kind() {
        Subject::Type(name) => Some(name.to_lowercase()),
        _ => None,
    }
}

/// Returns the error of a problem whose message has its place.
pub fn located_fault(problem: &Problem) -> Fault {
    let fault = Fault::located(problem.one_line()).with_help_if(problem.help.clone());
    fault.seen_in(problem.place.source.clone(), problem.diagnostic())
}

/// Returns what a call is told of a problem.
pub(crate) fn fault_from(problem: &Problem) -> Fault {
    let fault = Fault::issue(problem.rule.code, problem.message.clone()).with_help_if(problem.help.clone());
    match problem.place.source {
        Some(_) => with_place(fault, &problem.place.at()),
        None => fault,
    }
}
