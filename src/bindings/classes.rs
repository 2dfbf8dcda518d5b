//! Included classes, and what replaces what.

use pantin_syntax::bindings::{Subject, rule};
use pantin_values::{Str, Value};
use rustc_hash::FxHashMap;

use super::condition::Rank;
use super::definition::{EXCLUDED, EntryKind, INCLUDED};
use super::injector::{Injector, Link};
use super::key::Key;
use super::problem::Problem;

/// The class or type that stands in the place of another, with the binding that says so.
pub(crate) type Replacements = FxHashMap<Subject, (Subject, usize)>;

impl Injector {
    /// Returns the constants of a multibind of classes, each name with the binding that contributes it.
    fn constant_names(&self, id: &str) -> Vec<(Str, usize)> {
        let mut names = Vec::new();
        for &index in self.contributions(id) {
            if let EntryKind::Constant(value) = &self.bindings[index].entry().kind {
                names.extend(class_names(value).into_iter().map(|name| (name, index)));
            }
        }
        names
    }

    pub(crate) fn check_classes(&self, problems: &mut Vec<Problem>) {
        let excluded = highest(self.constant_names(EXCLUDED));
        let mut told = Vec::new();
        for (name, index) in self.constant_names(INCLUDED) {
            if told.contains(&name) {
                continue;
            }
            told.push(name.clone());
            let Some(&other) = excluded.get(&name) else { continue };
            let (included, other) = (&self.bindings[index], &self.bindings[other]);
            if included.rank == other.rank {
                let message = format!(
                    "The class '{name}' is included at {} and excluded at {}, with the same precedence",
                    included.place().at(),
                    other.place().at()
                );
                let problem = self.problem(included, rule::CLASSES_CONFLICT, message);
                problems.push(problem.with_related(other.place(), "the other"));
            }
        }
    }

    /// Returns the classes of `/classes`, from the names that each contribution came to.
    pub(crate) fn included(&self, included: &[(Str, usize)], excluded: &[(Str, usize)]) -> Vec<Str> {
        let excluded = highest(excluded.to_vec());
        let mut names: Vec<Str> = Vec::new();
        let mut seen: Vec<Str> = Vec::new();
        for (name, index) in included {
            if seen.contains(name) {
                continue;
            }
            seen.push(name.clone());
            let rank = |index: usize| -> &Rank { &self.bindings[index].rank };
            if excluded.get(name).is_none_or(|&other| rank(*index) > rank(other)) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Finds which class or type is declared where another is named.
    pub(crate) fn find_replacements(&mut self, problems: &mut Vec<Problem>) {
        let mut found = FxHashMap::default();
        let is_nameless = |key: &&Key| key.data_name().is_none() && key.parts().1.is_none();
        for key in self.keys.iter().filter(is_nameless) {
            let Some(replacement) = self.bound_subject(key) else { continue };
            if let Some(old) = subject_of_key(key.text()) {
                found.insert(old, replacement);
            }
        }
        self.check_replacement_loops(&found, problems);
        self.replacements = found;
    }

    /// Returns the class or type that is bound to a key, perhaps by way of copies, and the effective binding.
    fn bound_subject(&self, key: &Key) -> Option<(Subject, usize)> {
        let mut chain = self.chain(key, None).ok()?;
        let mut way: Vec<usize> = Vec::new();
        loop {
            let &Link::Binding(index) = chain.links.first()? else { return None };
            if way.contains(&index) {
                return None;
            }
            way.push(index);
            match &self.bindings[index].entry().kind {
                EntryKind::Type { subject: Some(subject), .. } => return Some((subject.clone(), way[0])),
                EntryKind::Copy(_) => chain = self.copied_chain(index)?.1.ok()?,
                _ => return None,
            }
        }
    }

    /// Tells the replacements that lead back to themselves, each circle from its first binding in canonical order.
    fn check_replacement_loops(&self, found: &Replacements, problems: &mut Vec<Problem>) {
        let mut olds: Vec<&Subject> = found.keys().collect();
        olds.sort_by_key(|old| (found[*old].1, old.shown()));
        let mut told: Vec<&Subject> = Vec::new();
        for old in olds {
            let mut way = vec![old];
            while let Some((next, _)) = way.last().and_then(|last| found.get(*last)) {
                if let Some(start) = way.iter().position(|known| *known == next) {
                    way.drain(..start);
                    break;
                }
                way.push(next);
            }
            let is_circle = way.last().is_some_and(|last| found.contains_key(*last));
            let Some(first) = (0..way.len()).min_by_key(|&at| found.get(way[at]).map(|(_, index)| *index)) else {
                continue;
            };
            if !is_circle || told.contains(&way[first]) {
                continue;
            }
            way.rotate_left(first);
            told.push(way[0]);
            let keys: Vec<String> = way.iter().chain([&way[0]]).map(|subject| subject.shown()).collect();
            let message = format!("The binding of {} leads back to itself: {}", keys[0], keys.join(" -> "));
            problems.push(self.problem(&self.bindings[found[way[0]].1], rule::LOOP, message));
        }
    }

    /// Returns what stands in the place of a class or type, at the end of a chain, and the binding that says so.
    pub fn replacement(&self, of: &Subject) -> Option<(&Subject, super::Place)> {
        let mut last = self.replacements.get(of)?;
        let mut steps = 0;
        while let Some(next) = self.replacements.get(&last.0) {
            steps += 1;
            if steps > self.replacements.len() {
                break;
            }
            last = next;
        }
        Some((&last.0, self.bindings[last.1].place()))
    }

    /// Returns the types of resources that others stand in the place of, with those.
    pub fn replaced_types(&self) -> Vec<(Str, Str)> {
        let mut replaced: Vec<(Str, Str)> = self
            .replacements
            .keys()
            .filter_map(|old| match (old, self.replacement(old)) {
                (Subject::Type(old), Some((Subject::Type(new), _))) => Some((old.as_str().into(), new.as_str().into())),
                _ => None,
            })
            .collect();
        replaced.sort();
        replaced
    }

    pub fn has_replacements(&self) -> bool {
        !self.replacements.is_empty()
    }

    /// Returns true if a type of resources stands in the place of another.
    pub fn replaces_types(&self) -> bool {
        self.replacements.keys().any(|old| matches!(old, Subject::Type(_)))
    }

    /// Returns true if another class stands in the place of this one.
    pub fn replaces_class(&self, name: &str) -> bool {
        self.has_replacements() && self.replacements.contains_key(&Subject::Class(name.to_owned()))
    }

    /// Returns the classes that are replaced here and not in another injector, or otherwise. `None`: so is a type of resources.
    pub fn replaced_otherwise(&self, other: &Injector) -> Option<Vec<Str>> {
        let replacement = |of: &Injector, old: &Subject| of.replacement(old).map(|(new, _)| new.clone());
        let mut classes: Vec<Str> = Vec::new();
        for old in self.replacements.keys().chain(other.replacements.keys()) {
            if replacement(self, old) == replacement(other, old) {
                continue;
            }
            match old {
                Subject::Class(name) => classes.push(name.as_str().into()),
                _ => return None,
            }
        }
        classes.sort();
        classes.dedup();
        Some(classes)
    }
}

/// Returns the class or type that a key without a name is about.
pub(crate) fn subject_of_key(text: &str) -> Option<Subject> {
    if let Some(class) = text.strip_prefix("Class[").and_then(|rest| rest.strip_suffix(']')) {
        return Some(Subject::Class(class.to_owned()));
    }
    let is_name = text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | ':'));
    is_name.then(|| Subject::Type(text.to_owned()))
}

/// Returns what a parameter is of, by the text of its key.
pub fn parameter_subject(text: &str) -> Option<Subject> {
    let unescaped = |title: &str| title.replace("%5D", "]").replace("%5B", "[").replace("%2F", "/").replace("%25", "%");
    match text.split_once('[') {
        None => Some(Subject::Type(text.to_owned())),
        Some((of, rest)) => {
            let title = rest.strip_suffix(']')?;
            Some(match of {
                "Class" => Subject::Class(title.to_owned()),
                "Type" => Subject::Object(title.to_owned()),
                _ => Subject::Resource(of.to_owned(), unescaped(title)),
            })
        }
    }
}

/// The names of classes in a value: a text, or an array of texts.
pub(crate) fn class_names(value: &Value) -> Vec<Str> {
    let name = |text: &str| Str::from(text.strip_prefix("::").unwrap_or(text).to_lowercase());
    match value {
        Value::String(text) => vec![name(text)],
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(name).collect(),
        _ => Vec::new(),
    }
}

/// Of each name the first contribution: they come from the highest rank down.
fn highest(names: Vec<(Str, usize)>) -> FxHashMap<Str, usize> {
    let mut highest = FxHashMap::default();
    for (name, index) in names {
        highest.entry(name).or_insert(index);
    }
    highest
}
