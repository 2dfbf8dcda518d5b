//! Contributions to multibinds: which take part, and what is wrong with them.

use pantin_syntax::bindings::rule;
use pantin_values::{Str, Type, Value, identical};
use rustc_hash::FxHashMap;

use super::definition::{EntryKind, Multibind, Role};
use super::injector::{Injector, Link};
use super::key::{Key, accepts, article, inferred};
use super::problem::Problem;

impl Injector {
    /// Returns the effective multibinds, in canonical order, each with its key.
    pub(crate) fn multibinds(&self) -> Vec<(usize, Key)> {
        let mut found: Vec<(usize, Key)> = self
            .keys
            .iter()
            .filter_map(|key| match self.chain(key, None).ok()?.links.first()? {
                Link::Binding(index) => Some((*index, key.clone())),
                Link::Data => None,
            })
            .filter(|(index, _)| matches!(self.bindings[*index].entry().kind, EntryKind::Multibind(_)))
            .collect();
        found.sort();
        found
    }

    /// Returns the contributions to an id, in canonical order.
    pub(crate) fn contributions(&self, id: &str) -> &[usize] {
        self.fragments.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn fragment_name(&self, index: usize) -> Option<&Str> {
        match &self.bindings[index].entry().role {
            Role::Fragment { name, .. } => name.as_ref(),
            _ => None,
        }
    }

    pub(crate) fn check_multibinds(&self, problems: &mut Vec<Problem>) {
        let mut ids: FxHashMap<Str, (usize, Key)> = FxHashMap::default();
        for (index, key) in self.multibinds() {
            let binding = &self.bindings[index];
            let EntryKind::Multibind(multibind) = &binding.entry().kind else { continue };
            match ids.get(&multibind.id) {
                Some((first, other)) => {
                    let first = self.bindings[*first].place();
                    let message = format!(
                        "The multibinds {other} and {key} have the same id '{}', at {} and at {}",
                        multibind.id,
                        first.at(),
                        binding.place().at()
                    );
                    let problem = self.problem(binding, rule::MULTIBIND_SAME_ID, message);
                    problems.push(problem.with_related(first, "the first"));
                    continue;
                }
                None => _ = ids.insert(multibind.id.clone(), (index, key.clone())),
            }
            if multibind.is_hash {
                self.check_names(multibind, problems);
            }
            if multibind.combinator.is_none() {
                self.check_types(index, &key, multibind, problems);
            }
        }
    }

    fn check_names(&self, multibind: &Multibind, problems: &mut Vec<Problem>) {
        let id = &multibind.id;
        let mut known: FxHashMap<&Str, usize> = FxHashMap::default();
        for &index in self.contributions(id) {
            let binding = &self.bindings[index];
            let Some(name) = self.fragment_name(index) else {
                let message = format!("A contribution to the hash '{id}' must have a name");
                problems.push(self.problem(binding, rule::NO_NAME, message));
                continue;
            };
            if multibind.combinator.is_some() {
                continue;
            }
            let Some(&first) = known.get(name) else {
                known.insert(name, index);
                continue;
            };
            let other = &self.bindings[first];
            if other.rank == binding.rank && !self.is_same_constant(first, index) {
                let message = format!(
                    "Two contributions to '{id}' are called '{name}', at {} and at {}",
                    other.place().at(),
                    binding.place().at()
                );
                let problem = self.problem(other, rule::DUPLICATE_NAME, message);
                problems.push(problem.with_related(binding.place(), "the other"));
            }
        }
    }

    fn is_same_constant(&self, one: usize, other: usize) -> bool {
        match (&self.bindings[one].entry().kind, &self.bindings[other].entry().kind) {
            (EntryKind::Constant(one), EntryKind::Constant(other)) => identical(one, other),
            _ => false,
        }
    }

    /// Constants among the contributions that the type does not take.
    fn check_types(&self, index: usize, key: &Key, multibind: &Multibind, problems: &mut Vec<Problem>) {
        let declared = self.bindings[index].entry().declared.clone();
        let wanted = match declared.as_ref().map(|of| of.resolved()) {
            Some(Type::Array(array)) => array.element.clone(),
            Some(Type::Hash(hash)) => hash.value.clone(),
            _ => return,
        };
        for &fragment in self.contributions(&multibind.id) {
            let binding = &self.bindings[fragment];
            // What has no name was told of; what a higher one replaces is checked all the same.
            if multibind.is_hash && self.fragment_name(fragment).is_none() {
                continue;
            }
            let EntryKind::Constant(value) = &binding.entry().kind else { continue };
            let wrong = match value {
                Value::Undef => None,
                Value::Array(items) if !multibind.is_hash => {
                    items.iter().find(|item| !accepts(&wanted, item).unwrap_or(true))
                }
                value if !accepts(&wanted, value).unwrap_or(true) => Some(value),
                _ => None,
            };
            if let Some(wrong) = wrong {
                let shown = wanted.to_string();
                let message =
                    format!("The binding of {key} expects {}{shown} value, got {}", article(&shown), inferred(wrong));
                problems.push(self.problem(binding, rule::TYPE, message));
            }
        }
    }
}
