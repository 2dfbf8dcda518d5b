//! All bindings of all layers in canonical order, and what is wrong with them whatever the state of a node is.
//! It must not know what matches.

use std::sync::{Arc, OnceLock};

use pantin_base::Span;
use pantin_syntax::bindings::rule;
use pantin_values::{Type, Value, types};
use rustc_hash::FxHashSet;

use super::condition::{Conjunction, Rank, State, Vector};
use super::definition::{Definition, EXCLUDED, Entry, EntryKind, INCLUDED, Multibind, Role};
use super::injector::{Binding, Injector, Layer, UnknownKeys, class_parameter};
use super::key::{Key, accepts, article, declared_text, inferred, is_data};
use super::outside::Outside;
use super::problem::Problem;

/// The most bindings and definitions that an environment may have.
const BINDINGS: usize = 100_000;
const DEFINITIONS: usize = 10_000;

impl Injector {
    pub(crate) fn check_loaded(&self, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
        let mut checked = FxHashSet::default();
        for binding in &self.table.loaded {
            let is_new = checked.insert((Arc::as_ptr(&binding.definition), binding.entry));
            if is_new {
                problems.extend(self.type_problem(binding));
            }
            if is_new && binding.entry().is_override {
                problems.extend(self.override_problem(binding, outside));
            }
        }
    }

    /// Returns a constant of the wrong type.
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
                Some(of) if !accepts(of, value).unwrap_or(true) => complain(&declared_text(of), inferred(value)),
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
                let lower = self.table.by_key.get(key).map(Vec::as_slice).unwrap_or_default();
                let copies = matches!(binding.entry().kind, EntryKind::Copy(_));
                let is_below = |lower: &Binding| lower.rank < binding.rank && !lower.is_same_entry(binding);
                copies
                    || lower.iter().any(|&lower| is_below(&self.table.loaded[lower]))
                    || self.is_in_data_below(key, &binding.rank, outside)
                    || key.variable_name().is_some_and(|name| {
                        outside.runtime().note_node_question();
                        outside.may_be_known_variable(name)
                    })
            }
            (None, Role::Fragment { id, name: Some(name) }) => self.table.loaded.iter().any(|lower| {
                lower.rank < binding.rank
                    && !lower.is_same_entry(binding)
                    && matches!(&lower.entry().role, Role::Fragment { id: other, name: Some(known) } if other == id && known == name)
            }) || self.table.layers.iter().skip(binding.rank.layer).any(|layer| layer.unknown == UnknownKeys::Any),
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
        Some(self.overrides_nothing(binding, &shown))
    }

    /// Returns the problem of an override below which nothing is bound; `shown`: what it binds.
    pub(crate) fn overrides_nothing(&self, binding: &Binding, shown: &str) -> Problem {
        let message = format!(
            "The binding of {shown} is marked override, and there is no binding below it that it could override"
        );
        let near = self.near_key(shown).map(|near| format!("did you mean {near}?"));
        self.problem(binding, rule::OVERRIDE, message).with_help(near)
    }

    fn is_in_data_below(&self, key: &Key, rank: &Rank, outside: &mut dyn Outside) -> bool {
        if class_parameter(key).is_some() {
            return false;
        }
        self.data_ranks(key, None).iter().any(|data| data < rank) && self.data_has(key, outside)
    }

    /// A key that is bound and like one that is not.
    pub(crate) fn near_key(&self, key: &str) -> Option<String> {
        let mut known: Vec<&str> = self.table.by_key.keys().map(Key::text).filter(|known| *known != key).collect();
        known.sort_unstable();
        pantin_base::nearest(key, known).map(str::to_owned)
    }
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

/// Returns the multibinds that are always there, below all layers.
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
        digests: OnceLock::new(),
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
