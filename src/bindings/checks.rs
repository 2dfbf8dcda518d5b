//! What is wrong with the bindings of one state: renames, keys that nobody binds, types that are not kept.
//! It must not know how a value is made.

use pantin_syntax::bindings::rule;
use pantin_values::{Type, identical};
use rustc_hash::FxHashSet;

use super::condition::Rank;
use super::definition::EntryKind;
use super::injector::{Chain, Injector, Link, View};
use super::key::{Key, accepts, article, declared_text, inferred};
use super::outside::Outside;
use super::problem::{Place, Problem};

/// Where the data of Hiera is bound, as messages name it.
const DATA: &str = "hiera:/";

impl Injector {
    pub(crate) fn check_renames(&self, problems: &mut Vec<Problem>) {
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

    pub(crate) fn check_keys(&self, outside: &mut dyn Outside, problems: &mut Vec<Problem>) {
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
            if let Some(problem) = &chain.conflict
                && !self.data_has(key, outside)
            {
                problems.push((**problem).clone());
                continue;
            }
            let is_satisfied = chain.links.iter().any(|link| matches!(link, Link::Binding(_)));
            if let Some(declared) = chain.abstract_end
                && !is_satisfied
                && !self.is_decided_by_data(key, outside)
            {
                problems.push(self.abstract_problem(key, declared));
            }
            problems.extend(self.data_conflict(key, None, &chain, outside));
            let mut has_data_above = false;
            for link in &chain.links {
                let Link::Binding(index) = *link else {
                    has_data_above = true;
                    continue;
                };
                problems.extend(self.abstract_type_problem(key, index));
                let is_copy = matches!(self.bindings[index].entry().kind, EntryKind::Copy(_));
                // A copy that nobody sees is not resolved.
                if is_copy && !(has_data_above && self.data_has(key, outside)) {
                    problems.extend(self.copy_problem(index, &mut loops, outside));
                }
            }
        }
    }

    fn is_decided_by_data(&self, key: &Key, outside: &mut dyn Outside) -> bool {
        let highest = self.groups(key, None).first().map(|(rank, _)| rank.clone());
        let is_above = self.data_ranks(key, None).iter().any(|data| highest.as_ref().is_none_or(|rank| data >= rank));
        is_above && self.data_has(key, outside)
    }

    /// Returns true if the data of Hiera has the key, or cannot be asked: the node decides that.
    pub(crate) fn data_has(&self, key: &Key, outside: &mut dyn Outside) -> bool {
        outside.runtime().note_node_question();
        !matches!(self.data_value(key, outside), Ok(None))
    }

    /// Returns the conflict of a binding of a chain with the data that is bound at its rank: data has the vector `[1]` of its layer.
    pub(crate) fn data_conflict(
        &self,
        key: &Key,
        view: Option<&View<'_>>,
        chain: &Chain,
        outside: &mut dyn Outside,
    ) -> Option<Problem> {
        for link in &chain.links {
            match *link {
                Link::Data if self.data_has(key, outside) => return None,
                Link::Data => {}
                Link::Binding(index) => {
                    if let Some(problem) = self.conflict_with_data(key, view, index, outside) {
                        return Some(problem);
                    }
                }
            }
        }
        None
    }

    /// Returns the conflict of one binding with the data of its rank. Where only the node knows the data, there is none.
    pub(crate) fn conflict_with_data(
        &self,
        key: &Key,
        view: Option<&View<'_>>,
        index: usize,
        outside: &mut dyn Outside,
    ) -> Option<Problem> {
        let binding = &self.bindings[index];
        if !self.data_ranks(key, view).contains(&binding.rank) {
            return None;
        }
        outside.runtime().note_node_question();
        let found = self.data_value(key, outside).ok()?.filter(|value| !value.is_undef())?;
        let entry = binding.entry();
        match &entry.kind {
            EntryKind::Constant(value) if entry.declared.is_none() && identical(value, &found) => None,
            _ => {
                let layer = &self.table.layers[binding.rank.layer].title;
                let message = format!(
                    "The binding of {key} in category '{}' at {} is in conflict with the same binding at {DATA} (layer \
                     '{layer}')",
                    self.condition_text(&binding.conjunction),
                    binding.place().at()
                );
                Some(self.problem(binding, rule::CONFLICT, message))
            }
        }
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
                (Some(of), _) if !wanted.assignable(of) => declared_text(of),
                (None, EntryKind::Constant(value)) if !accepts(&wanted, value).unwrap_or(true) => inferred(value),
                _ => continue,
            };
            let message = abstract_type_message(key, &wanted, &place, &got);
            return Some(self.problem(binding, rule::ABSTRACT_TYPE, message).with_related(place, "declared here"));
        }
        None
    }
}

pub(crate) fn abstract_type_message(key: &Key, wanted: &Type, place: &Place, got: &str) -> String {
    let wanted = declared_text(wanted);
    format!(
        "The binding of {key} must be {}{wanted} as declared abstract at {}, and is {}{got}",
        article(&wanted),
        place.at(),
        article(got)
    )
}
