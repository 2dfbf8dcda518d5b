//! Copies: alias, renamed, rebind. Which binding a copy sees was decided by ranks, before anything is resolved.

use pantin_syntax::bindings::rule;
use pantin_values::{Fault, Hash, Value};
use rustc_hash::FxHashSet;

use super::definition::EntryKind;
use super::injector::{Chain, Injector, Link, View, fault_from};
use super::key::Key;
use super::outside::Outside;
use super::problem::Problem;
use super::rows::{candidates_row, subject_row};

impl Injector {
    /// The key that a copy takes its value from, as it is seen from there.
    pub(crate) fn copied(&self, index: usize) -> Option<(Key, View<'_>)> {
        let binding = &self.bindings[index];
        let EntryKind::Copy(copy) = &binding.entry().kind else { return None };
        let key = if copy.is_rebind { binding.key.clone()? } else { copy.old.clone() };
        Some((key, View { rank: &binding.rank, is_inclusive: !copy.is_rebind, viewer: index }))
    }

    pub(crate) fn copied_chain(&self, index: usize) -> Option<(Key, Result<Chain, Box<Problem>>)> {
        let (key, view) = self.copied(index)?;
        let chain = self.chain(&key, Some(&view));
        Some((key, chain))
    }

    /// Returns the value that a copy gives. Parameters may have sources among what it sees.
    pub(crate) fn copy_value(
        &self,
        index: usize,
        arguments: Option<&Hash>,
        outside: &mut dyn Outside,
    ) -> Result<Option<Value>, Fault> {
        let Some((key, view)) = self.copied(index) else { return Ok(None) };
        outside.runtime().note_row(candidates_row(&key));
        if let Some((of, name)) = key.parameter_parts() {
            outside.runtime().note_row(subject_row(of));
            return self.seen_parameter(&key, (of, name), Some(&view), outside);
        }
        let chain = self.chain(&key, Some(&view)).map_err(|problem| fault_from(&problem))?;
        if chain.links.is_empty() && chain.abstract_end.is_none() {
            return Err(fault_from(&self.not_bound(index, &key)));
        }
        self.follow(&key, &chain, arguments, outside)
    }

    /// Returns true if a copy of a parameter sees a source: what that gives is known when it is wanted.
    fn sees_source(&self, key: &Key, view: &View<'_>) -> bool {
        let sources = key.parameter_parts().and_then(|(of, _)| self.sources.get(of));
        sources.into_iter().flatten().any(|&source| view.reaches(&self.bindings[source].rank))
    }

    /// Returns what is wrong with an effective copy: nothing to take, a circle, or what it sees is in conflict.
    pub(crate) fn copy_problem(
        &self,
        index: usize,
        loops: &mut FxHashSet<Vec<usize>>,
        outside: &mut dyn Outside,
    ) -> Option<Problem> {
        let mut way = vec![index];
        loop {
            let &last = way.last()?;
            let (key, view) = self.copied(last)?;
            if self.sees_source(&key, &view) {
                return None;
            }
            let (key, chain) = self.copied_chain(last)?;
            let chain = match chain {
                Ok(chain) => chain,
                Err(problem) => return Some(*problem),
            };
            if let Some(problem) = self.data_conflict(&key, Some(&view), &chain, outside) {
                return Some(problem);
            }
            let mut next = None;
            for link in &chain.links {
                match *link {
                    Link::Data if self.data_has(&key, outside) => return None,
                    Link::Data => {}
                    Link::Binding(found) => {
                        next = Some(found);
                        break;
                    }
                }
            }
            let Some(next) = next else {
                return Some(match (chain.conflict, chain.abstract_end) {
                    (Some(conflict), _) => *conflict,
                    (None, Some(declared)) => self.abstract_problem(&key, declared),
                    (None, None) => self.not_bound(last, &key),
                });
            };
            if let Some(start) = way.iter().position(|&known| known == next) {
                return self.copy_loop(&way[start..], loops);
            }
            if !matches!(self.bindings[next].entry().kind, EntryKind::Copy(_)) {
                return None;
            }
            way.push(next);
        }
    }

    fn copy_loop(&self, way: &[usize], loops: &mut FxHashSet<Vec<usize>>) -> Option<Problem> {
        let mut members = way.to_vec();
        members.sort_unstable();
        if !loops.insert(members.clone()) {
            return None;
        }
        // From the first in canonical order.
        let &first = members.first()?;
        let start = way.iter().position(|&index| index == first)?;
        let keys = way[start..].iter().chain(&way[..start]).chain([&first]);
        let keys: Vec<String> =
            keys.filter_map(|&index| self.bindings[index].key.as_ref().map(Key::to_string)).collect();
        let message = format!("The binding of {} leads back to itself: {}", keys.first()?, keys.join(" -> "));
        Some(self.problem(&self.bindings[first], rule::LOOP, message))
    }

    pub(crate) fn not_bound(&self, index: usize, key: &Key) -> Problem {
        let binding = &self.bindings[index];
        let word = match &binding.entry().kind {
            EntryKind::Copy(copy) if copy.is_rebind => "rebind",
            EntryKind::Copy(copy) if copy.is_rename => "rename",
            _ => "alias",
        };
        let message = format!("Cannot {word} {key}: it is not bound here or below");
        let renamed = self.renamed_away(key).map(|place| format!("it was renamed at {}", place.at()));
        let near = || self.near_key(key.text()).map(|near| format!("did you mean {near}?"));
        self.problem(binding, rule::NOT_BOUND, message).with_help(renamed.or_else(near))
    }
}
