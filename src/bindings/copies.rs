//! Copies: alias, renamed, rebind. Which binding a copy sees was decided by ranks, before anything is resolved.

use pantin_syntax::bindings::rule;
use rustc_hash::FxHashSet;

use super::definition::EntryKind;
use super::injector::{Chain, Injector, Link, View};
use super::key::Key;
use super::outside::Outside;
use super::problem::Problem;

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
            let (key, chain) = self.copied_chain(last)?;
            let chain = match chain {
                Ok(chain) => chain,
                Err(problem) => return Some(*problem),
            };
            let (_, view) = self.copied(last)?;
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
