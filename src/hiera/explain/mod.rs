//! What a look-up did, as a tree: built while it runs, where somebody wants to know.
//!
//! Knows nothing of how it is shown: as text, that is `render`, as data `tree`.

mod render;
mod tree;

use std::path::PathBuf;

use pantin_base::stack;
use pantin_values::{Hash, Str, Value};

use super::data_place::ValueOrigin;
use super::decrypted::DecryptedTexts;
use super::key::LOOKUP_OPTIONS;

#[derive(Debug)]
pub struct Explainer {
    /// The nodes that are not finished; the first is the whole.
    open: Vec<Node>,
    /// Nothing but how the keys are looked up is of interest.
    pub only_options: bool,
}

#[derive(Debug)]
pub(super) struct Node {
    step: Step,
    outcome: Outcome,
    texts: Vec<String>,
    branches: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Whole,
    /// `Searching for "KEY"`
    Key(Str),
    InvalidKey(Str),
    MergeSource,
    /// A layer or an entry of a hierarchy.
    Provider {
        name: String,
        config: Option<PathBuf>,
        /// Of the layer of a module.
        module: Option<Str>,
    },
    Location {
        is_uri: bool,
        resolved: String,
        original: Str,
    },
    Merge {
        strategy: &'static str,
        options: Option<Hash>,
    },
    Interpolation(Str),
    /// A heading of its own.
    Scope(String),
    SubKey(String),
    Segment,
    NoModule(Str),
    NoModuleProvider(Str),
}

#[derive(Clone, Debug, Default)]
enum Outcome {
    #[default]
    None,
    Found {
        key: String,
        value: Value,
        origin: Origin,
    },
    Merged(Value),
    NotFound(String),
    NoLocation,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Data,
    Overrides,
    Defaults,
}

impl Node {
    fn new(step: Step) -> Node {
        Node { step, outcome: Outcome::None, texts: Vec::new(), branches: Vec::new() }
    }
}

impl Explainer {
    pub fn new(only_options: bool) -> Explainer {
        Explainer { open: vec![Node::new(Step::Whole)], only_options }
    }

    fn current(&mut self) -> &mut Node {
        if self.open.is_empty() {
            self.open.push(Node::new(Step::Whole));
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    pub(super) fn push(&mut self, step: Step) {
        self.open.push(Node::new(step));
    }

    pub(super) fn pop(&mut self) {
        if self.open.len() > 1
            && let Some(done) = self.open.pop()
        {
            self.current().branches.push(done);
        }
    }

    /// A step that has nothing in it.
    pub(super) fn note(&mut self, step: Step) {
        self.current().branches.push(Node::new(step));
    }

    pub(super) fn record_found(&mut self, key: &str, value: &Value, origin: Origin) {
        self.current().outcome = Outcome::Found { key: key.to_owned(), value: value.clone(), origin };
    }

    pub(super) fn record_merged(&mut self, value: &Value) {
        self.current().outcome = Outcome::Merged(value.clone());
    }

    pub(super) fn record_not_found(&mut self, key: &str) {
        self.current().outcome = Outcome::NotFound(key.to_owned());
    }

    pub(super) fn no_location(&mut self) {
        self.current().outcome = Outcome::NoLocation;
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.current().texts.push(text.into());
    }

    /// The search that ended last has found a secret, which nobody is shown.
    pub(super) fn redact_last(&mut self) {
        if let Some(last) = self.current().branches.last_mut() {
            last.redact();
        }
    }

    /// Hides what was decrypted, wherever it was found.
    pub fn hide_decrypted(&mut self, texts: &DecryptedTexts) {
        if !texts.is_empty() {
            self.open.iter_mut().for_each(|node| node.hide_decrypted(texts));
        }
    }

    /// Returns what gave a key its value first.
    pub fn origin(&self, key: &str) -> Option<ValueOrigin> {
        self.origins(key).into_iter().next()
    }

    /// Returns all that gave a key a value, in the order of the hierarchy: several where values are merged.
    pub fn origins(&self, key: &str) -> Vec<ValueOrigin> {
        let mut origins = Vec::new();
        if let Some(whole) = self.open.first() {
            whole.branches.iter().for_each(|node| node.push_origins(key, "", &mut origins));
        }
        origins
    }

    /// A merge has taken what knocks out from the value that it was given: Ruby's is the same object that was found.
    pub(super) fn replace(&mut self, old: &Value, new: &Value) {
        for node in &mut self.open {
            node.replace(old, new);
        }
    }
}

impl Node {
    /// All values that were found on the way to a secret, but for the options of look-ups.
    fn redact(&mut self) {
        if matches!(&self.step, Step::Key(key) if key == LOOKUP_OPTIONS) {
            return;
        }
        if let Outcome::Found { value, .. } | Outcome::Merged(value) = &mut self.outcome
            && !matches!(value, Value::Sensitive(_))
        {
            *value = Value::sensitive(std::mem::take(value));
        }
        stack::with_room(|| self.branches.iter_mut().for_each(Node::redact));
    }

    fn hide_decrypted(&mut self, decrypted: &DecryptedTexts) {
        if let Outcome::Found { value, .. } | Outcome::Merged(value) = &mut self.outcome
            && let Some(hidden) = decrypted.hide(value)
        {
            *value = hidden;
        }
        for text in &mut self.texts {
            if let Some(hidden) = decrypted.hide_in_text(text) {
                *text = hidden;
            }
        }
        stack::with_room(|| self.branches.iter_mut().for_each(|branch| branch.hide_decrypted(decrypted)));
    }

    /// `level`: the innermost provider around.
    fn push_origins(&self, key: &str, level: &str, origins: &mut Vec<ValueOrigin>) {
        let level = match &self.step {
            Step::Provider { name, .. } => name.as_str(),
            Step::Interpolation(_) => return,
            _ => level,
        };
        let file = match &self.step {
            Step::Location { is_uri: false, resolved, .. } => Some(PathBuf::from(resolved)),
            _ => None,
        };
        match &self.outcome {
            Outcome::Found { key: found, origin: Origin::Data, .. } if found == key => {
                origins.push(ValueOrigin { level: level.to_owned(), file });
            }
            _ => stack::with_room(|| {
                self.branches.iter().for_each(|branch| branch.push_origins(key, level, origins));
            }),
        }
    }

    fn replace(&mut self, old: &Value, new: &Value) {
        if let Outcome::Found { value, .. } | Outcome::Merged(value) = &mut self.outcome
            && is_same(value, old)
        {
            *value = new.clone();
        }
        for branch in &mut self.branches {
            branch.replace(old, new);
        }
    }
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.ptr_eq(b),
        (Value::Hash(a), Value::Hash(b)) => a.ptr_eq(b),
        _ => false,
    }
}
