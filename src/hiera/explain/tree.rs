//! An explanation as data, as `puppet lookup --explain --render-as json` and `yaml` print it.

use pantin_base::stack;
use pantin_values::{Hash, Value};

use super::{Explainer, Node, Origin, Outcome, Step};

impl Explainer {
    /// `word` says how a word is told that is a symbol to Ruby: as one, or as a text.
    pub fn tree(&self, word: fn(&str) -> Value) -> Value {
        let Some(whole) = self.open.first() else { return Value::hash([]) };
        match whole.branches.as_slice() {
            [only] => Tree { word }.render(only),
            branches => {
                let mut members = Hash::default();
                Tree { word }.push_branches(&mut members, branches);
                Value::Hash(members)
            }
        }
    }
}

struct Tree {
    word: fn(&str) -> Value,
}

impl Tree {
    fn render(&self, node: &Node) -> Value {
        if let (Step::Merge { .. }, [only]) = (&node.step, node.branches.as_slice()) {
            return self.render(only);
        }
        let mut members = Hash::default();
        if matches!(node.step, Step::MergeSource) {
            self.push(&mut members, "type", self.word("merge_source"));
            self.push(&mut members, "merge_source", "lookup_options".into());
            return Value::Hash(members);
        }
        self.push_branches(&mut members, &node.branches);
        self.push_outcome(&mut members, node);
        if !node.texts.is_empty() {
            self.push(&mut members, "texts", Value::array(node.texts.iter().map(|text| text.as_str().into())));
        }
        self.push_step(&mut members, &node.step);
        Value::Hash(members)
    }

    fn word(&self, word: &str) -> Value {
        (self.word)(word)
    }

    fn push(&self, members: &mut Hash, name: &str, value: Value) {
        members.insert(self.word(name), value);
    }

    fn push_branches(&self, members: &mut Hash, branches: &[Node]) {
        if !branches.is_empty() {
            let branches = stack::with_room(|| Value::array(branches.iter().map(|branch| self.render(branch))));
            self.push(members, "branches", branches);
        }
    }

    fn push_outcome(&self, members: &mut Hash, node: &Node) {
        let (key, value, event) = match (&node.outcome, &node.step) {
            (_, Step::NoModule(_)) => (None, None, Some("module_not_found")),
            (_, Step::NoModuleProvider(_)) => (None, None, Some("module_provider_not_found")),
            (Outcome::None, Step::Key(key) | Step::InvalidKey(key)) => (Some(key.as_str()), None, None),
            (Outcome::None, _) => (None, None, None),
            (Outcome::Found { key, value, origin }, _) => {
                let event = match origin {
                    Origin::Data => "found",
                    Origin::Overrides => "found_in_overrides",
                    Origin::Defaults => "found_in_defaults",
                };
                (Some(key.as_str()), Some(value), Some(event))
            }
            (Outcome::Merged(value), _) => (None, Some(value), Some("result")),
            (Outcome::NotFound(key), _) => (Some(key.as_str()), None, Some("not_found")),
            (Outcome::NoLocation, _) => (None, None, Some("location_not_found")),
        };
        if let Some(key) = key {
            self.push(members, "key", key.into());
        }
        if let Some(value) = value {
            self.push(members, "value", value.clone());
        }
        if let Some(event) = event {
            self.push(members, "event", self.word(event));
        }
    }

    /// What sort of step it is, and what it is about.
    fn push_step(&self, members: &mut Hash, step: &Step) {
        let kind = match step {
            Step::Whole | Step::Key(_) => "root",
            Step::InvalidKey(_) => "invalid_key",
            Step::MergeSource => "merge_source",
            Step::Provider { .. } => "data_provider",
            Step::Location { is_uri: true, .. } => "uri",
            Step::Location { is_uri: false, .. } => "path",
            Step::Merge { .. } => "merge",
            Step::Interpolation(_) => "interpolate",
            Step::Scope(_) => "scope",
            Step::SubKey(_) => "sub_key",
            Step::Segment => "segment",
            Step::NoModule(_) | Step::NoModuleProvider(_) => "module",
        };
        self.push(members, "type", self.word(kind));
        match step {
            Step::Provider { name, config, module } => {
                self.push(members, "name", name.as_str().into());
                if let Some(config) = config {
                    self.push(members, "configuration_path", config.display().to_string().into());
                }
                if let Some(module) = module {
                    self.push(members, "module", module.clone().into());
                }
            }
            Step::Location { is_uri, resolved, original } => {
                let (first, second) = if *is_uri { ("original_uri", "uri") } else { ("original_path", "path") };
                self.push(members, first, original.clone().into());
                self.push(members, second, resolved.as_str().into());
            }
            Step::Merge { strategy, options } => {
                self.push(members, "merge", self.word(strategy));
                if let Some(options) = options {
                    self.push(members, "options", Value::Hash(options.clone()));
                }
            }
            Step::Interpolation(subject) => self.push(members, "expression", subject.clone().into()),
            Step::Scope(name) => self.push(members, "name", name.as_str().into()),
            _ => {}
        }
    }
}
