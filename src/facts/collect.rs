//! All facts of a machine: core facts, those that replace them, and the answer to a question for one of them.

use pantin_base::Language;
use pantin_values::{Hash, Str, Value, ops};

use crate::configuration::{Configuration, unblocked};
use crate::core::SOURCES;
use crate::found::Found;
use crate::probe::{Probe, Tree};

/// How long it took to find some facts, in seconds.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    pub name: String,
    pub seconds: f64,
}

/// The facts of a machine.
#[derive(Clone, Default, Debug)]
pub struct FactSet {
    core: Vec<(String, Value)>,
    legacy: Vec<(String, Value)>,
    /// External facts and those of the environment, which take the place of core facts.
    own: Vec<(String, Value)>,
    pub timings: Vec<Timing>,
}

/// Reads the core facts of a machine. `queries`: what will be asked of them, so that no others are read; all where there are none.
pub fn collect_core(tree: Tree<'_>, language: Language, queries: &[String]) -> FactSet {
    let probe = Probe::new(tree, language);
    let mut found = Found::default();
    let mut timings = Vec::new();
    let is_asked = |name: &dyn Fn(&str) -> bool| queries.is_empty() || queries.iter().any(|query| name(root(query)));
    for source in SOURCES.iter().filter(|source| is_asked(&|name| source.gives(name))) {
        let begin = tree.machine.now();
        (source.collect)(&probe, &mut found);
        timings.push(Timing { name: source.name.to_owned(), seconds: tree.machine.now().seconds_since(begin) });
    }
    FactSet { core: found.structured, legacy: found.legacy, own: Vec::new(), timings }
}

/// Returns the name of the fact that a question is about.
fn root(query: &str) -> &str {
    query.split('.').next().unwrap_or(query)
}

impl FactSet {
    /// Adds facts that take the place of others with the same name.
    #[must_use]
    pub fn with_own(mut self, own: impl IntoIterator<Item = (String, Value)>) -> FactSet {
        for (name, value) in own {
            self.own.retain(|(known, _)| *known != name);
            self.own.push((name, value));
        }
        let is_free = |(name, _): &(String, Value)| self.own.iter().all(|(own, _)| own != name);
        self.core.retain(is_free);
        self.legacy.retain(is_free);
        self
    }

    /// Takes out what is blocked.
    #[must_use]
    pub fn without_blocked(self, configuration: &Configuration) -> FactSet {
        let blocked = &configuration.blocked;
        let begins_blocked = |name: &str| blocked.iter().any(|blocked| name.starts_with(blocked.as_str()));
        // Flat facts go with the structured ones that they are parts of.
        let is_gone = |name: &str| {
            let source = SOURCES.iter().find(|source| source.gives(name));
            source.is_some_and(|source| source.facts().iter().all(|fact| blocked.iter().any(|name| name == fact)))
        };
        let mut legacy = self.legacy;
        legacy.retain(|(name, _)| !configuration.blocks_legacy && !begins_blocked(name) && !is_gone(name));
        FactSet {
            core: unblocked(self.core, blocked),
            own: unblocked(self.own, blocked),
            legacy,
            timings: self.timings,
        }
    }

    /// Adds a core fact.
    #[must_use]
    pub fn with_core(mut self, name: &str, value: Value) -> FactSet {
        if self.own.iter().all(|(own, _)| own != name) {
            self.core.push((name.to_owned(), value));
        }
        self
    }

    /// Returns all facts, sorted by name at each depth.
    pub fn to_hash(&self, with_legacy: bool) -> Hash {
        let legacy = if with_legacy { self.legacy.as_slice() } else { &[] };
        let all = self.core.iter().chain(legacy).chain(&self.own);
        sorted(all.map(|(name, value)| (Value::string(name.as_str()), value.clone())).collect())
    }

    /// Returns the fact of a name, or what is in one: `os.release.major`, `mountpoints./.size`, `list.0`.
    pub fn find(&self, query: &str) -> Option<Value> {
        let all = || self.core.iter().chain(&self.legacy).chain(&self.own);
        let named = |wanted: &str| all().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        if let Some(value) = named(query) {
            return Some(ordered(value));
        }
        let mut parts = query.split('.');
        let first = named(parts.next()?)?;
        let inside = parts.try_fold(first, |value, part| match value {
            Value::Hash(hash) => hash.get_str(part).cloned(),
            Value::Array(items) => items.get(part.parse::<usize>().ok()?).cloned(),
            _ => None,
        })?;
        Some(ordered(inside))
    }
}

/// Sorts the hashes of a value by their names, which are texts. Those in arrays stay as they are.
fn ordered(value: Value) -> Value {
    match value {
        Value::Hash(hash) => {
            Value::Hash(sorted(hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect()))
        }
        other => other,
    }
}

fn sorted(entries: Vec<(Value, Value)>) -> Hash {
    let name = |key: Value| match key {
        Value::String(name) => name,
        // YAML reads `no` as false.
        other => ops::to_s(&other).into(),
    };
    let mut entries: Vec<(Str, Value)> = entries.into_iter().map(|(key, value)| (name(key), value)).collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    entries.into_iter().map(|(key, value)| (Value::String(key), ordered(value))).collect()
}

#[cfg(test)]
mod tests {
    use pantin_machine::InMemory;

    use super::*;

    fn machine() -> InMemory {
        InMemory::new()
            .with_file("/etc/os-release", "ID=debian\nNAME=Debian\n")
            .with_file("/etc/debian_version", "12.11\n")
            .with_variable("PATH", "/bin")
    }

    #[test]
    fn a_fact_is_found_by_its_name_and_what_is_in_it_by_a_path() {
        let machine = machine();
        let facts = collect_core(Tree::whole_machine(&machine), Language::Puppet8, &[]);
        assert_eq!(facts.find("os.release.major"), Some(Value::from("12")));
        assert_eq!(facts.find("operatingsystem"), Some(Value::from("Debian")));
        assert_eq!(facts.find("os.nothing"), None);
        assert_eq!(facts.find("nothing"), None);
        let list = Value::array([Value::from("a"), Value::from("b")]);
        let facts = facts.with_own([("list".to_owned(), list), ("a.b".to_owned(), Value::from("dotted"))]);
        assert_eq!(facts.find("list.1"), Some(Value::from("b")));
        assert_eq!(facts.find("a.b"), Some(Value::from("dotted")));
    }

    #[test]
    fn only_what_is_asked_for_is_read() {
        let machine = machine();
        let tree = Tree::whole_machine(&machine);
        let facts = collect_core(tree, Language::Puppet8, &["os.name".to_owned(), "path".to_owned()]);
        let names: Vec<&str> = facts.timings.iter().map(|timing| timing.name.as_str()).collect();
        assert_eq!(names, ["os", "path"]);
        assert_eq!(facts.find("path"), Some(Value::from("/bin")));
    }

    #[test]
    fn flat_facts_are_blocked_with_the_structured_ones() {
        let machine =
            machine().with_file("/etc/facter/facter.conf", "facts : { blocklist : [ \"operating system\" ] }");
        let tree = Tree::whole_machine(&machine);
        let configuration = Configuration::read(tree, None).unwrap();
        let facts = collect_core(tree, Language::Puppet8, &[]).without_blocked(&configuration);
        assert_eq!((facts.find("os"), facts.find("osfamily")), (None, None));
        assert_eq!(facts.find("id"), Some(Value::from("root")));
    }

    #[test]
    fn a_fact_of_ones_own_takes_the_place_of_a_core_fact_with_all_that_is_in_it() {
        let machine = machine();
        let facts = collect_core(Tree::whole_machine(&machine), Language::Puppet8, &[]);
        let facts = facts.with_own([("os".to_owned(), Value::from("mine")), ("osfamily".to_owned(), Value::from("x"))]);
        assert_eq!(facts.find("os.name"), None);
        let all = facts.to_hash(true);
        assert_eq!(all.get_str("os"), Some(&Value::from("mine")));
        assert_eq!(all.get_str("osfamily"), Some(&Value::from("x")));
        assert_eq!(facts.to_hash(false).get_str("operatingsystem"), None);
        let names: Vec<&str> = all.keys().filter_map(Value::as_str).collect();
        assert!(names.is_sorted(), "{names:?}");
    }
}
