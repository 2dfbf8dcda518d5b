//! The injector of one state: of all that is loaded what matches, and of each key what is effective.
//!
//! Every step is a function of sets. Where an order is needed it is the canonical one: layer, vector, name of the definition,
//! place in it. In which order files were found or read has no part in it.

use std::cmp::Ordering;
use std::sync::Arc;

use pantin_base::Span;
use pantin_syntax::bindings::{DependencyArrow, Subject, rule};
use pantin_values::{Fault, Str, Type, Value, identical, types};
use rustc_hash::{FxHashMap, FxHashSet};

use super::condition::{Conjunction, Rank, State, Vector};
use super::definition::{Definition, EXCLUDED, Entry, EntryKind, INCLUDED, Multibind, Role};
use super::key::{Key, accepts, article, inferred, is_data};
use super::outside::Outside;
use super::problem::{Place, Problem, sort_problems};

/// How many bindings and definitions an environment may have.
const BINDINGS: usize = 100_000;
const DEFINITIONS: usize = 10_000;

/// A layer with its definitions.
#[derive(Clone, Debug)]
pub struct Layer {
    pub title: Str,
    pub definitions: Vec<Arc<Definition>>,
    /// Whether the data of Hiera is among them.
    pub has_data: bool,
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

    fn canonical(&self, other: &Binding) -> Ordering {
        let place =
            |binding: &Binding| (Arc::clone(&binding.definition.name), binding.entry().span.start, binding.entry);
        other.rank.cmp(&self.rank).then_with(|| place(self).cmp(&place(other)))
    }

    pub(crate) fn is_concrete(&self) -> bool {
        !self.entry().is_abstract
    }
}

#[derive(Debug)]
pub struct Injector {
    pub state: State,
    pub layers: Vec<Layer>,
    /// All that is loaded, whatever its condition; in canonical order.
    pub(crate) loaded: Vec<Binding>,
    pub(crate) loaded_by_key: FxHashMap<Key, Vec<usize>>,
    /// What matches, in canonical order.
    pub(crate) bindings: Vec<Binding>,
    pub(crate) by_key: FxHashMap<Key, Vec<usize>>,
    pub(crate) keys: Vec<Key>,
    pub(crate) fragments: FxHashMap<Str, Vec<usize>>,
    /// Sources of parameters, by the text of what they are for.
    pub(crate) sources: FxHashMap<String, Vec<usize>>,
    /// Renames by the key that they take away.
    pub(crate) renames: FxHashMap<Key, Vec<usize>>,
    pub(crate) replacements: FxHashMap<Subject, (Subject, usize)>,
    pub dependencies: Vec<(Dependency, Place)>,
}

/// From where a key is seen.
#[derive(Clone, Debug)]
pub(crate) struct View<'r> {
    pub rank: &'r Rank,
    pub is_inclusive: bool,
    /// The binding that looks.
    pub viewer: usize,
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
}

impl Injector {
    /// Makes the injector of a state, and says all that is wrong with it.
    pub fn new(layers: Vec<Layer>, state: State, outside: &mut dyn Outside) -> (Injector, Vec<Problem>) {
        let mut problems = Vec::new();
        let loaded = load(&layers, &state, &mut problems);
        let mut injector = Injector::over(layers, loaded, state);
        if problems.iter().any(|problem| problem.rule.severity == pantin_base::Severity::Error) {
            sort_problems(&mut problems);
            return (injector, problems);
        }
        injector.check_loaded(outside, &mut problems);
        injector.make(outside, &mut problems);
        sort_problems(&mut problems);
        (injector, problems)
    }

    /// An injector of which nothing is selected yet.
    pub(crate) fn over(layers: Vec<Layer>, loaded: Vec<Binding>, state: State) -> Injector {
        Injector {
            loaded_by_key: by_key(&loaded),
            bindings: Vec::new(),
            by_key: FxHashMap::default(),
            keys: Vec::new(),
            fragments: FxHashMap::default(),
            sources: FxHashMap::default(),
            renames: FxHashMap::default(),
            replacements: FxHashMap::default(),
            dependencies: Vec::new(),
            loaded,
            layers,
            state,
        }
    }

    /// Selects what matches, and says what is wrong with that.
    pub(crate) fn make(&mut self, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
        self.select();
        self.check_renames(problems);
        self.check_keys(outside, problems);
        self.check_sources(problems);
        self.check_multibinds(problems);
        self.check_classes(problems);
        self.find_replacements(problems);
        self.find_dependencies();
    }

    /// The problem of a binding, in the order of its place.
    pub(crate) fn problem(&self, binding: &Binding, found: rule::Rule, message: String) -> Problem {
        let mut problem = Problem::new(found, message, binding.place());
        problem.order = (binding.rank.layer, Arc::clone(&binding.definition.name));
        problem
    }

    /// Keeps what matches: of the same binding that an `or` made several of the highest.
    fn select(&mut self) {
        let mut seen = FxHashSet::default();
        let matching = self.loaded.iter().filter(|binding| self.state.holds(&binding.conjunction));
        let highest = matching.filter(|binding| seen.insert((Arc::as_ptr(&binding.definition), binding.entry)));
        self.bindings = highest.cloned().collect();
        self.expand_rebinds();
        self.bindings.sort_by(Binding::canonical);
        self.by_key = by_key(&self.bindings);
        self.keys = self.by_key.keys().cloned().collect();
        self.keys.sort();
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
        let Some(renames) = binding.key.as_ref().and_then(|key| self.renames.get(key)) else { return false };
        let is_rename_of_rank =
            |rank: &Rank| viewer.is_some_and(|viewer| renames.contains(&viewer) && self.bindings[viewer].rank == *rank);
        renames.iter().any(|&rename| {
            let rank = &self.bindings[rename].rank;
            rename != index && binding.rank <= *rank && !is_rename_of_rank(rank)
        })
    }

    /// The rename because of which a key cannot be seen.
    pub(crate) fn renamed_away(&self, key: &Key) -> Option<Place> {
        let candidates = self.by_key.get(key)?;
        candidates.iter().find(|&&index| self.is_erased(index, None))?;
        self.renames.get(key)?.first().map(|&rename| self.bindings[rename].place())
    }

    /// The groups of a key's bindings, one for each rank, from the highest.
    pub(crate) fn groups(&self, key: &Key, view: Option<&View<'_>>) -> Vec<(Rank, Vec<usize>)> {
        let mut groups: Vec<(Rank, Vec<usize>)> = Vec::new();
        for &index in self.by_key.get(key).map(Vec::as_slice).unwrap_or_default() {
            let binding = &self.bindings[index];
            let is_in_view = view.is_none_or(|view| match view.is_inclusive {
                true => binding.rank <= *view.rank,
                false => binding.rank < *view.rank,
            });
            if !is_in_view
                || view.is_some_and(|view| view.viewer == index)
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

    /// The layers with data that a view reaches, from the highest.
    pub(crate) fn data_ranks(&self, key: &Key, view: Option<&View<'_>>) -> Vec<Rank> {
        if key.data_name().is_none() && class_parameter(key).is_none() {
            return Vec::new();
        }
        let layers = self.layers.iter().enumerate().filter(|(_, layer)| layer.has_data);
        let ranks = layers.map(|(layer, _)| Rank { layer, vector: Vector(vec![1]) });
        ranks.filter(|rank| view.is_none_or(|view| rank <= view.rank)).collect()
    }

    /// What is asked for the value of a key, one after the other.
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
            if let Some(problem) = self.conflict(key, &concrete) {
                return Err(Box::new(problem));
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
        let layer = self.layers.get(first.rank.layer).map(|layer| layer.title.to_string()).unwrap_or_default();
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
                one.id == other.id && one.combinator.is_none() && other.combinator.is_none()
            }
            _ => false,
        }
    }

    /// A condition as messages write it: `node kermit.example.com, virtual true|false`.
    pub(crate) fn condition_text(&self, conjunction: &Conjunction) -> String {
        let mut parts: Vec<&(Str, Vec<Str>)> = conjunction.iter().collect();
        parts.sort_by_key(|(name, _)| std::cmp::Reverse(self.state.number(name)));
        let shown = parts.iter().map(|(name, values)| format!("{name} {}", values.join("|")));
        let shown: Vec<String> = shown.collect();
        if shown.is_empty() { "common".to_owned() } else { shown.join(", ") }
    }

    // ---- what needs no node

    pub(crate) fn check_loaded(&self, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
        let mut checked = FxHashSet::default();
        for binding in &self.loaded {
            let is_new = checked.insert((Arc::as_ptr(&binding.definition), binding.entry));
            if is_new {
                problems.extend(self.type_problem(binding));
            }
            if is_new && binding.entry().is_override {
                problems.extend(self.override_problem(binding, outside));
            }
        }
    }

    /// A constant of the wrong type.
    fn type_problem(&self, binding: &Binding) -> Option<Problem> {
        let entry = binding.entry();
        let key = &match (&binding.key, &entry.role) {
            (Some(key), _) => key.clone(),
            (None, Role::Fragment { id, name }) => Key::data(name.as_deref().unwrap_or(id)),
            (None, _) => return None,
        };
        let takes_anything = key.takes_anything() || binding.key.is_none();
        let complain = |wanted: &str, got: String| {
            let message = format!("The binding of {key} expects {}{wanted} value, got {got}", article(wanted));
            Some(self.problem(binding, rule::TYPE, message))
        };
        match &entry.kind {
            EntryKind::Constant(Value::Undef) => None,
            EntryKind::Constant(value) => match &entry.declared {
                Some(of) if !accepts(of, value).unwrap_or(true) => complain(&of.to_string(), inferred(value)),
                None if !takes_anything && !is_data(value) => complain("Data", inferred(value)),
                _ => None,
            },
            EntryKind::Type { text, .. } if binding.key.is_some() && key.data_name().is_some() => {
                complain("Data", format!("Type[{text}]"))
            }
            _ => None,
        }
    }

    /// An override of what nobody has bound.
    fn override_problem(&self, binding: &Binding, outside: &mut dyn Outside) -> Option<Problem> {
        let is_overriding = match (&binding.key, &binding.entry().role) {
            (Some(key), _) if key.parameter_parts().is_some() => true,
            (Some(key), _) => {
                let lower = self.loaded_by_key.get(key).map(Vec::as_slice).unwrap_or_default();
                let copies = matches!(binding.entry().kind, EntryKind::Copy(_));
                copies
                    || lower.iter().any(|&lower| self.loaded[lower].rank < binding.rank)
                    || self.is_in_data_below(key, &binding.rank, outside)
                    || key.variable_name().is_some_and(|name| outside.may_be_known_variable(name))
            }
            (None, Role::Fragment { id, name: Some(name) }) => self.loaded.iter().any(|lower| {
                lower.rank < binding.rank
                    && matches!(&lower.entry().role, Role::Fragment { id: other, name: Some(known) } if other == id && known == name)
            }),
            (None, _) => true,
        };
        if is_overriding {
            return None;
        }
        let shown = match (&binding.key, &binding.entry().role) {
            (Some(key), _) => key.to_string(),
            (None, Role::Fragment { name: Some(name), .. }) => Key::data(name).to_string(),
            (None, _) => String::new(),
        };
        let message = format!(
            "The binding of {shown} is marked override, and there is no binding below it that it could override"
        );
        let near = self.near_key(&shown).map(|near| format!("did you mean {near}?"));
        Some(self.problem(binding, rule::OVERRIDE, message).with_help(near))
    }

    fn is_in_data_below(&self, key: &Key, rank: &Rank, outside: &mut dyn Outside) -> bool {
        let Some(name) = key.data_name() else { return false };
        let is_below = self.data_ranks(key, None).iter().any(|data| data < rank);
        is_below && matches!(outside.look_up(name), Ok(Some(_)))
    }

    /// A key that is bound and like one that is not.
    pub(crate) fn near_key(&self, key: &str) -> Option<String> {
        let mut known: Vec<&str> = self.loaded_by_key.keys().map(Key::text).filter(|known| *known != key).collect();
        known.sort_unstable();
        pantin_base::nearest(key, known).map(str::to_owned)
    }

    // ---- what is wrong in this state

    fn check_renames(&self, problems: &mut Vec<Problem>) {
        let mut keys: Vec<&Key> = self.renames.keys().collect();
        keys.sort();
        for key in keys {
            let renames = &self.renames[key];
            for pair in renames.windows(2) {
                let &[first, second] = pair else { continue };
                let (first, second) = (&self.bindings[first], &self.bindings[second]);
                if first.rank == second.rank {
                    let message = format!(
                        "{key} is renamed twice with the same precedence, at {} and at {}",
                        first.place().at(),
                        second.place().at()
                    );
                    problems
                        .push(self.problem(second, rule::RENAMED_TWICE, message).with_related(first.place(), "first"));
                }
            }
        }
    }

    fn check_keys(&self, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
        let mut loops = FxHashSet::default();
        for key in &self.keys {
            let chain = match self.chain(key, None) {
                Ok(chain) => chain,
                Err(problem) => {
                    if !self.is_decided_by_data(key, outside) {
                        problems.push(*problem);
                    }
                    continue;
                }
            };
            let is_satisfied = chain.links.iter().any(|link| matches!(link, Link::Binding(_)));
            if let Some(declared) = chain.abstract_end
                && !is_satisfied
                && !self.is_decided_by_data(key, outside)
            {
                problems.push(self.abstract_problem(key, declared));
            }
            for link in &chain.links {
                let Link::Binding(index) = *link else { continue };
                problems.extend(self.abstract_type_problem(key, index));
                if matches!(self.bindings[index].entry().kind, EntryKind::Copy(_)) {
                    problems.extend(self.copy_problem(index, &mut loops));
                }
            }
        }
    }

    fn is_decided_by_data(&self, key: &Key, outside: &mut dyn Outside) -> bool {
        let name = match (key.data_name(), class_parameter(key)) {
            (Some(name), _) => name.to_owned(),
            (None, Some(name)) => name,
            (None, None) => return false,
        };
        let highest = self.groups(key, None).first().map(|(rank, _)| rank.clone());
        let is_above = self.data_ranks(key, None).iter().any(|data| highest.as_ref().is_none_or(|rank| data >= rank));
        is_above && matches!(outside.look_up(&name), Ok(Some(_)))
    }

    pub(crate) fn abstract_problem(&self, key: &Key, declared: usize) -> Problem {
        let binding = &self.bindings[declared];
        let message =
            format!("A binding must be provided for the key {key} (declared abstract at {})", binding.place().at());
        self.problem(binding, rule::ABSTRACT, message)
    }

    /// The abstract bindings with a type that a binding has to keep.
    pub(crate) fn abstract_types(&self, key: &Key, rank: &Rank) -> Vec<(Type, Place)> {
        let candidates = self.by_key.get(key).map(Vec::as_slice).unwrap_or_default();
        let declared = candidates.iter().map(|&index| &self.bindings[index]).filter(|binding| {
            binding.entry().is_abstract && binding.rank <= *rank && binding.entry().declared.is_some()
        });
        declared.filter_map(|binding| Some((binding.entry().declared.clone()?, binding.place()))).collect()
    }

    fn abstract_type_problem(&self, key: &Key, index: usize) -> Option<Problem> {
        let binding = &self.bindings[index];
        let entry = binding.entry();
        for (wanted, place) in self.abstract_types(key, &binding.rank) {
            let got = match (&entry.declared, &entry.kind) {
                (Some(of), _) if !wanted.assignable(of) => of.to_string(),
                (None, EntryKind::Constant(value)) if !accepts(&wanted, value).unwrap_or(true) => inferred(value),
                _ => continue,
            };
            let message = abstract_type_message(key, &wanted, &place, &got);
            return Some(self.problem(binding, rule::ABSTRACT_TYPE, message).with_related(place, "declared here"));
        }
        None
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

pub(crate) fn abstract_type_message(key: &Key, wanted: &Type, place: &Place, got: &str) -> String {
    let wanted = wanted.to_string();
    format!(
        "The binding of {key} must be {}{wanted} as declared abstract at {}, and is {}{got}",
        article(&wanted),
        place.at(),
        article(got)
    )
}

/// The key in the data of a parameter of a class.
pub(crate) fn class_parameter(key: &Key) -> Option<String> {
    let (of, name) = key.parameter_parts()?;
    let class = of.strip_prefix("Class[")?.strip_suffix(']')?;
    Some(format!("{class}::{name}"))
}

/// All bindings of all layers, with what the files themselves say is wrong.
pub(crate) fn load(layers: &[Layer], state: &State, problems: &mut Vec<Problem>) -> Vec<Binding> {
    let mut loaded = Vec::new();
    let mut definitions = 0;
    for (layer, definition) in layers
        .iter()
        .enumerate()
        .flat_map(|(layer, of)| of.definitions.iter().map(move |definition| (layer, definition)))
    {
        definitions += 1;
        problems.extend(definition.problems.iter().cloned().map(|mut problem| {
            problem.order = (layer, Arc::clone(&definition.name));
            problem
        }));
        for (entry_index, entry) in definition.entries.iter().enumerate() {
            for conjunction in entry.alternatives.iter() {
                loaded.push(Binding {
                    key: match &entry.role {
                        Role::Key(key) => Some(key.clone()),
                        _ => None,
                    },
                    rank: Rank { layer, vector: state.vector(conjunction) },
                    definition: Arc::clone(definition),
                    entry: entry_index,
                    conjunction: Arc::clone(conjunction),
                });
            }
        }
        let limit = match () {
            () if loaded.len() > BINDINGS => Some(format!("More than {BINDINGS} bindings")),
            () if definitions > DEFINITIONS => Some(format!("More than {DEFINITIONS} definitions")),
            () => None,
        };
        if let Some(message) = limit {
            problems.push(Problem::new(rule::LIMIT, message, definition.place(Span::default())));
            break;
        }
    }
    loaded.extend(built_in(layers.len()));
    loaded.sort_by(Binding::canonical);
    loaded
}

/// The multibinds that are always there, below all layers.
fn built_in(layer: usize) -> Vec<Binding> {
    let texts = Type::array_of(types::built_in_type("String").unwrap_or(Type::Any));
    let text = || types::built_in_type("String").unwrap_or(Type::Any);
    let named = Type::hash_of(text(), text());
    let ids = [(INCLUDED, false), (EXCLUDED, false), ("producers", true), ("bindings_providers", true)];
    let entries = ids.iter().enumerate().map(|(operation, &(id, is_hash))| Entry {
        span: Span::default(),
        operation,
        role: Role::Key(Key::data(id)),
        kind: EntryKind::Multibind(Multibind { id: id.into(), is_hash, combinator: None }),
        is_abstract: false,
        is_override: false,
        is_optional: false,
        declared: Some(if is_hash { named.clone() } else { texts.clone() }),
        arguments: None,
        is_singleton: true,
        alternatives: Arc::from([Conjunction::from([])]),
    });
    let definition = Arc::new(Definition {
        uri: "built-in".into(),
        name: "built-in".into(),
        shown: "built-in".into(),
        source: None,
        entries: entries.collect(),
        problems: Vec::new(),
        categories: Vec::new(),
    });
    let binding = |entry: usize| Binding {
        key: match &definition.entries[entry].role {
            Role::Key(key) => Some(key.clone()),
            _ => None,
        },
        rank: Rank { layer, vector: Vector(vec![1]) },
        definition: Arc::clone(&definition),
        entry,
        conjunction: Arc::from([]),
    };
    (0..definition.entries.len()).map(binding).collect()
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

/// What a call is told of a problem.
pub(crate) fn fault_from(problem: &Problem) -> Fault {
    let fault = Fault::issue(problem.rule.code, problem.message.clone());
    fault.with_help_if(problem.help.clone())
}
